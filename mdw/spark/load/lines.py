"""What executors do with RDF in lines: those of one Spark partition -> one part, an N-Quads file with its index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from mdw.model.tree import Location
from mdw.rdf.lines import checked
from mdw.readers.inputs import Input
from mdw.readers.recognising import rdf_form
from mdw.spark.load.parts import Batches, PartEntry, local, part, values

SHOWN = 120
"""Characters shown of a line that cannot be read."""


class File(NamedTuple):
    """A file of lines: the number of its input, its name, and what tells its blank nodes from those of others."""

    source: int
    name: str
    hash: str


def from_lines(folder: str, files: Mapping[str, File]) -> Callable[[Batches], Batches]:
    """For `mapInArrow` over lines (URI of the file, bytes), by path the file: each partition becomes a part."""

    def run(batches: Batches) -> Batches:
        return part(Path(folder), "lines", "nq", _pieces(batches, files))

    return run


def _pieces(batches: Batches, files: Mapping[str, File]) -> Iterator[tuple[PartEntry, bytes]]:
    position = 0
    for batch in batches:
        for uri, lines in _by_file(batch):
            file = files[local(uri)]
            found = checked(lines, rdf_form(file.name), file.hash)
            # One entry for all good lines of a batch: an entry for each would be as long as the lines.
            position += 1
            yield PartEntry(file.source, position, quads=found.quads, mappings=found.mappings), found.text
            for _, line, reason in found.bad:
                position += 1
                yield PartEntry(file.source, position, reason=reason, place=_shown(line)), b""


def _by_file(batch: pa.RecordBatch) -> Iterator[tuple[str, list[bytes]]]:
    """The lines of each file in a batch, which mostly is one file."""
    rows = zip(*map(values, batch.columns), strict=True)
    for uri, some in groupby(rows, itemgetter(0)):
        yield uri, [line for _, line in some]


def placed(one: Input, lines: Sequence[str]) -> list[str]:
    """Where lines that were shown stand in their file; the same line several times in the order of the places."""
    # Spark divides files by bytes and numbers no lines, so those of the few rejects are looked for afterwards.
    found: defaultdict[str, list[int]] = defaultdict(list)
    wanted = set(lines)
    with TextIOWrapper(one.open(), encoding="utf-8-sig", errors="replace") as stream:
        for number, line in enumerate(stream, 1):
            if (text := line.strip()) in wanted:
                found[text].append(number)
    numbers = {line: iter(found[line]) for line in wanted}
    return [_placed(one.name, next(numbers[line], None), line) for line in lines]


def _placed(file: str, number: int | None, line: str) -> str:
    """A line and where it stands; nowhere if the file has changed meanwhile."""
    return _excerpt(line) if number is None else f"{Location(file, number, 1)}: {_excerpt(line)}"


def _shown(line: bytes) -> str:
    return line.decode(errors="replace").strip()


def _excerpt(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
