"""What executors do with RDF in lines: those of one Spark partition -> one part, an N-Quads file with its index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from mdw.inputs import rdf_form
from mdw.spark.parts import Batches, Entry, local, part, values
from mdw.store.lines import checked

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


def _pieces(batches: Batches, files: Mapping[str, File]) -> Iterator[tuple[Entry, bytes]]:
    position = 0
    for batch in batches:
        for uri, lines in _by_file(batch):
            file = files[local(uri)]
            found = checked(lines, rdf_form(file.name), file.hash)
            position += 1
            yield Entry(file.source, position, quads=found.quads, mappings=found.mappings), found.text
            for line, reason in found.bad:
                position += 1
                yield Entry(file.source, position, reason=reason, place=_excerpt(line)), b""


def _by_file(batch: pa.RecordBatch) -> Iterator[tuple[str, list[bytes]]]:
    """The lines of each file in a batch, which mostly is one file."""
    rows = zip(*map(values, batch.columns), strict=True)
    for uri, some in groupby(rows, itemgetter(0)):
        yield uri, [line for _, line in some]


def _excerpt(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
