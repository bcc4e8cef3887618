"""What executors do: what one Spark partition holds -> one part, a file of quads with an index of what stands where.

Why so: what costs is making rules and graphs, all of it Python, and it is Python that executors run, over batches of
Arrow (`mapInArrow`); rows of Spark's own would be turned into values of Python and back one by one. A part is TriG and
not N-Quads because text is what an executor writes and the engine reads: a tenth of the characters says the same.

A part and its index appear whole or not at all, under names that only depend on the input, so a run that starts again
takes the parts it finds. IRIs follow from names: executors need not agree on anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pyarrow as pa
from pyarrow import parquet

from mdw.collecting import settled, uncollected
from mdw.drafting import drafted
from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.model.errors import InputError
from mdw.rdf.contexts import contexts_of
from mdw.rdf.graph import PREFIX, MappingGraph, describe
from mdw.readers.inputs import Input
from mdw.readers.reading import Named, read_input, with_rules
from mdw.readers.tables.build import trees
from mdw.readers.tables.files import arrow_table
from mdw.spark.load.facts import Nowhere, facts

Batches = Iterator[pa.RecordBatch]


class PartEntry(NamedTuple):
    """Some quads in a part, by where their text stands (bytes) and how many they are, or a reject and its reason.

    ``source`` and ``position`` say where they come in the input: the number of the input, or SEVERAL, and the place in
    it. ``mapping`` is the name of the one mapping that they are, None for what is told of a script or an entity; lines
    of RDF hold any number of ``mappings``.
    """

    source: int
    position: int
    mapping: str | None = None
    start: int = 0
    length: int = 0
    quads: int = 0
    mappings: int = 0
    reason: str | None = None
    hint: str | None = None
    place: str | None = None


SEVERAL = -1
"""The number of the input of what comes of several."""
INDEX = pa.schema(
    [
        ("source", pa.int32()),
        ("position", pa.int32()),
        ("mapping", pa.string()),
        ("start", pa.int64()),
        ("length", pa.int64()),
        ("quads", pa.int64()),
        ("mappings", pa.int64()),
        ("reason", pa.string()),
        ("hint", pa.string()),
        ("place", pa.string()),
    ]
)


class Summary(NamedTuple):
    """A part that has been written: its name and that of its file, its bytes, and what its index counts."""

    part: str
    file: str
    bytes: int
    mappings: int
    quads: int
    rejects: int


SUMMARY = "part string, file string, bytes long, mappings long, quads long, rejects long"
"""The same in the words of Spark."""
BLOCK = 1 << 20
"""Bytes written at once."""

HEADS = {"trig": PREFIX.encode(), "nq": b""}
"""What a part begins with."""

Items = Iterator[tuple[int, Named | InputError]]
Piece = tuple[PartEntry, bytes]
Pieces = Iterator[Piece]


class PartPlace(NamedTuple):
    """Where a part is to be, its name, and how it is written."""

    folder: Path
    name: str
    form: str

    def beside(self, ending: str) -> Path:
        """The part itself, its index, or what else is known of it."""
        return self.folder / f"{self.name}.{ending}"


def from_tables(folder: str, source: int, where: str, lost: Nowhere) -> Callable[[Batches], Batches]:
    """For `mapInArrow` over bundles of rows of tables: each partition becomes a part of ``folder``."""

    def run(batches: Batches) -> Batches:
        items = with_rules(trees(facts(batches, lost), where))
        return part(Path(folder), f"tables{source}", "trig", _described((source, item) for item in items))

    return run


def from_texts(folder: str, files: Mapping[str, tuple[int, str]]) -> Callable[[Batches], Batches]:
    """For `mapInArrow` over files of mapping text (URI, content), by path the number and the name of each input."""

    def run(batches: Batches) -> Batches:
        return part(Path(folder), "texts", "trig", _described(_read(batches, files)))

    return run


def values(column: pa.Array) -> list[Any]:
    """A column as Python has it."""
    found: list[Any] = column.to_pylist()
    return found


def local(uri: str) -> str:
    """The path in the URI of a file."""
    return url2pathname(urlsplit(uri).path)


def _read(batches: Batches, files: Mapping[str, tuple[int, str]]) -> Items:
    for batch in batches:
        for uri, content in zip(*map(values, batch.columns), strict=True):
            source, name = files[local(uri)]
            for item in read_input(Input(name, Path(name), data=content, size=len(content))):
                yield source, item


def part(folder: Path, kind: str, form: str, pieces: Pieces) -> Batches:
    """Write the part of this partition, in one of HEADS' forms, unless it is there already; tell what it holds."""
    row = write(place_of(folder, kind, form), pieces)
    # Spark's worker goes on to the next partition with all that this one has imported and remembers.
    settled()
    yield pa.RecordBatch.from_pydict({key: [value] for key, value in row._asdict().items()})


def place_of(folder: Path, kind: str, form: str) -> PartPlace:
    """Where the part of this partition is to be."""
    from pyspark import TaskContext

    # Named by the partition, not by the attempt: a task that Spark starts again, or twice, writes the same part.
    context = TaskContext.get()
    name = f"{kind}-{context.partitionId() if context else 0:05d}"
    return PartPlace(folder, name, form)


def write(place: PartPlace, pieces: Pieces) -> Summary:
    """Write a part, unless it is there already; what it holds."""
    if not place.beside("parquet").exists():
        with uncollected():
            _write(place.beside(place.form), place.beside("parquet"), pieces)
    return _summary(place)


def _write(whole: Path, index: Path, pieces: Pieces) -> None:
    entries: list[PartEntry] = []
    with drafted(whole, named=False) as draft, draft.open("wb") as file:
        # Places in the index count bytes from the beginning of the file, its head included.
        waiting = [HEADS[whole.suffix[1:]]]
        size = total = len(waiting[0])
        for entry, text in pieces:
            entries.append(entry._replace(start=total, length=len(text)) if text else entry)
            waiting.append(text)
            total += len(text)
            size += len(text)
            if size > BLOCK:
                file.write(b"".join(waiting))
                waiting, size = [], 0
        file.write(b"".join(waiting))
    # The index last: where it is, the part is whole, and its name reaches the disk with those of the others.
    with drafted(index) as draft:
        parquet.write_table(arrow_table(entries, INDEX), draft)


def _described(items: Items) -> Pieces:
    metatree = MetaTree.of(MAPPING_GRAMMAR)
    # A partition may hold several inputs; positions count anew in each, as they would if it were read alone.
    before, position = -1, 0
    for source, item in items:
        position = position + 1 if source == before else 1
        before = source
        if isinstance(item, InputError):
            yield rejected(source, position, item), b""
        else:
            yield described(source, position, item, metatree)[1]


def described(source: int, position: int, one: Named, metatree: MetaTree) -> tuple[MappingGraph, Piece]:
    """The graph of a mapping, and its place in a part."""
    graph = describe(one.tree, one.rules, contexts_of(metatree))
    place = str(one.tree.location) if one.tree.location else None
    return graph, (
        PartEntry(source, position, one.name, quads=graph.quads, mappings=1, place=place),
        graph.block.encode(),
    )


def rejected(source: int, position: int, error: InputError) -> PartEntry:
    """What cannot be read."""
    place = str(error.location) if error.location else None
    return PartEntry(source, position, reason=error.message, hint=error.hint or None, place=place)


def _summary(place: PartPlace) -> Summary:
    whole = place.beside(place.form)
    found = parquet.read_table(place.beside("parquet"), columns=["mappings", "quads", "reason"])
    mappings, quads = (sum(values(found[name])) for name in ("mappings", "quads"))
    rejects = len(found) - found["reason"].null_count
    return Summary(whole.stem, whole.name, whole.stat().st_size, mappings, quads, rejects)
