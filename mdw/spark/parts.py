"""What executors do: mappings of one Spark partition -> one part, a TriG file with an index of what stands where.

A part and its index appear whole or not at all, under names that only depend on the input, so a run that starts again
takes the parts it finds. IRIs follow from names: executors need not agree on anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pyarrow as pa
from pyarrow import parquet

from mdw.errors import InputError
from mdw.graph import PREFIX, describe
from mdw.inputs import Input
from mdw.metatree import MetaTree, leaf_contexts
from mdw.readers.mapping import MAPPING_GRAMMAR
from mdw.reading import Named, read_input, with_rules
from mdw.tables.build import FactRow, trees

Batches = Iterator[pa.RecordBatch]


class Entry(NamedTuple):
    """A mapping in a part, by where its text stands (bytes) and how many quads it is, or a reject and its reason.

    ``source`` and ``position`` say where it comes in the input: the number of the input, and the place in it.
    """

    source: int
    position: int
    mapping: str | None
    start: int
    length: int
    quads: int
    reason: str | None
    hint: str | None
    place: str | None


INDEX = pa.schema(
    [
        ("source", pa.int32()),
        ("position", pa.int32()),
        ("mapping", pa.string()),
        ("start", pa.int64()),
        ("length", pa.int64()),
        ("quads", pa.int64()),
        ("reason", pa.string()),
        ("hint", pa.string()),
        ("place", pa.string()),
    ]
)


class Summary(NamedTuple):
    """A part that has been written: its name, its bytes, and what its index counts."""

    part: str
    bytes: int
    mappings: int
    quads: int
    rejects: int


SUMMARY = "part string, bytes long, mappings long, quads long, rejects long"
DRAFT = ".draft"
"""How a part that is being written is called at the end."""
BLOCK = 1 << 20
"""Bytes written at once."""

Items = Iterator[tuple[int, Named | InputError]]


def from_tables(folder: str, source: int, where: str) -> Callable[[Batches], Batches]:
    """For `mapInArrow` over facts, sorted by mapping: each partition becomes a part of ``folder``."""

    def run(batches: Batches) -> Batches:
        facts = (FactRow(*row) for batch in batches for row in zip(*map(_values, batch.columns), strict=True))
        items = with_rules(trees(facts, where))
        return _part(Path(folder), f"tables{source}", ((source, item) for item in items))

    return run


def from_texts(folder: str, files: Mapping[str, tuple[int, str]]) -> Callable[[Batches], Batches]:
    """For `mapInArrow` over files of mapping text (URI, content), by path the number and the name of each input."""

    def run(batches: Batches) -> Batches:
        return _part(Path(folder), "texts", _read(batches, files))

    return run


def _values(column: pa.Array) -> list[object]:
    found: list[object] = column.to_pylist()
    return found


def _read(batches: Batches, files: Mapping[str, tuple[int, str]]) -> Items:
    for batch in batches:
        for uri, content in zip(*map(_values, batch.columns), strict=True):
            assert isinstance(uri, str)
            assert isinstance(content, bytes)
            source, name = files[url2pathname(urlsplit(uri).path)]
            for item in read_input(Input(name, Path(name), data=content, size=len(content))):
                yield source, item


def _part(folder: Path, kind: str, items: Items) -> Batches:
    """Write the part of this partition, unless it is there already, and tell what it holds."""
    from pyspark import TaskContext

    context = TaskContext.get()
    name = f"{kind}-{context.partitionId() if context else 0:05d}"
    attempt = context.taskAttemptId() if context else 0
    index = folder / f"{name}.parquet"
    if not index.exists():
        draft = folder / f"{name}.{attempt}{DRAFT}"
        try:
            _write(folder, name, draft, items)
        finally:
            draft.unlink(missing_ok=True)
    yield _summary(folder, name)


def _write(folder: Path, name: str, draft: Path, items: Items) -> None:
    entries: list[Entry] = []
    with draft.open("wb") as file:
        waiting, size = [PREFIX.encode()], len(PREFIX)
        total = size
        for entry, text in _entries(items):
            entries.append(entry._replace(start=total) if text else entry)
            waiting.append(text)
            total += len(text)
            size += len(text)
            if size > BLOCK:
                file.write(b"".join(waiting))
                waiting, size = [], 0
        file.write(b"".join(waiting))
    draft.replace(folder / f"{name}.trig")
    columns = list(zip(*entries, strict=True)) or [()] * len(INDEX)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, INDEX, strict=True)]
    parquet.write_table(pa.Table.from_arrays(arrays, schema=INDEX), draft)
    draft.replace(folder / f"{name}.parquet")


def _entries(items: Items) -> Iterator[tuple[Entry, bytes]]:
    metatree = MetaTree.of(MAPPING_GRAMMAR)
    before, position = -1, 0
    for source, item in items:
        position = position + 1 if source == before else 1
        before = source
        if isinstance(item, InputError):
            place = str(item.location) if item.location else None
            yield Entry(source, position, None, 0, 0, 0, item.message, item.hint or None, place), b""
            continue
        graph = describe(item.tree, item.rules, leaf_contexts(item.tree, metatree))
        text = graph.block.encode()
        place = str(item.tree.location) if item.tree.location else None
        yield Entry(source, position, item.name, 0, len(text), graph.quads, None, None, place), text


def _summary(folder: Path, name: str) -> pa.RecordBatch:
    index = parquet.read_table(folder / f"{name}.parquet", columns=["quads", "reason"])
    rejects = len(index) - index["reason"].null_count
    counts = (index["quads"].to_pylist(), (folder / f"{name}.trig").stat().st_size)
    row = Summary(name, counts[1], len(index) - rejects, sum(counts[0]), rejects)
    return pa.RecordBatch.from_pydict({key: [value] for key, value in row._asdict().items()})
