"""The indexes of all parts together: what is counted, what is rejected, and which mappings came twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from mdw.readers.inputs import Input, Kind
from mdw.readers.reading import twice
from mdw.readers.tables.files import arrow_table
from mdw.spark.load.lines import placed
from mdw.spark.load.parts import INDEX, SEVERAL

REJECT = pa.schema([(name, pa.string()) for name in ("input", "mapping", "reason", "hint", "place")])


@dataclass(frozen=True, slots=True)
class Count:
    """How many mappings, or lines of RDF, are good, and how many of them are rejected."""

    what: str
    good: int
    rejected: int

    @property
    def share(self) -> float:
        """Rejects among all, 0 to 1."""
        return self.rejected / max(1, self.good + self.rejected)

    def __str__(self) -> str:
        return f"{self.rejected} of {self.good + self.rejected} {self.what} are rejected"


@dataclass(frozen=True, slots=True)
class Contents:
    """What all parts hold: mappings, the fewest and the most quads, and what is to be cut out (start, length).

    Lines of RDF may say the same twice, so their quads may be fewer than the lines, and a mapping that they say twice
    counts twice. ``rejects`` is a table; they are counted among the mappings of text and tables, and among the lines.
    """

    mappings: int
    least: int
    most: int
    counts: tuple[Count, Count]
    rejects: pa.Table
    cuts: dict[str, tuple[tuple[int, int], ...]]


def gather(folder: Path, inputs: Sequence[Input]) -> Contents:
    """The index of all parts in a folder; ``inputs`` in the order of their numbers."""
    found = [_read(path) for path in sorted(folder.glob("*.parquet"))]
    every = pa.concat_tables(found) if found else INDEX.append(pa.field("part", pa.string())).empty_table()
    # An index has a row for each mapping, in Arrow: only rejects and repeated mappings, which are few, become Python's.
    bad = every.filter(pc.is_valid(every["reason"])).to_pylist()
    cuts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    cut = 0
    for first, second in _repeated(every.filter(pc.is_valid(every["mapping"])), inputs):
        error = twice(second["mapping"], first["place"] or _name(first["source"], inputs), None)
        bad.append({**second, "reason": error.message, "hint": error.hint})
        cuts[second["part"]].append((second["start"], second["length"]))
        cut += second["quads"]
    # Of what mdw describes the number of quads is known; lines may repeat one another, within a part and across.
    lines = _sum(every.filter(_of_kind(every, inputs, "rdf")), "quads")
    described = _sum(every, "quads") - lines - cut
    good = len(every) - every["mapping"].null_count - sum(map(len, cuts.values()))
    broken = sum(_kind(row["source"], inputs) == "rdf" for row in bad)
    counts = Count("mappings", good, len(bad) - broken), Count("lines", lines, broken)
    mappings = _sum(every, "mappings") - sum(map(len, cuts.values()))
    # Graphs of different mappings share no quad; lines may all say the same one.
    least = described or min(lines, 1)
    some = {part: tuple(stretches) for part, stretches in cuts.items()}
    return Contents(mappings, least, described + lines, counts, _rejects(bad, inputs), some)


def _read(path: Path) -> pa.Table:
    found = parquet.read_table(path)
    return found.append_column("part", pa.array([path.stem] * len(found), pa.string()))


def _sum(table: pa.Table, column: str) -> int:
    return pc.sum(table[column]).as_py() or 0


def _of_kind(rows: pa.Table, inputs: Sequence[Input], *kinds: Kind) -> Any:
    """Which rows are of inputs of these kinds."""
    numbers = [number for number, one in enumerate(inputs) if one.kind in kinds]
    return pc.is_in(rows["source"], value_set=pa.array(numbers, pa.int32()))


def _kind(source: int, inputs: Sequence[Input]) -> str:
    return "" if source == SEVERAL else inputs[source].kind


def _name(source: int, inputs: Sequence[Input]) -> str:
    return "" if source == SEVERAL else inputs[source].name


def _repeated(good: pa.Table, inputs: Sequence[Input]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Mappings that came before, each with the one that came first."""
    counts = good.group_by("mapping").aggregate([("mapping", "count")])
    names = counts.filter(pc.greater(counts["mapping_count"], 1))["mapping"]
    if not len(names):
        return []
    some = good.filter(pc.is_in(good["mapping"], value_set=names.combine_chunks()))
    # In the order of the inputs, whichever executor was first: the same run rejects the same mappings. SQL comes last.
    some = some.append_column("turn", pc.invert(_of_kind(some, inputs, "text", "tables", "database")))
    rows = some.sort_by([(name, "ascending") for name in ("turn", "source", "position")]).to_pylist()
    first: dict[str, dict[str, Any]] = {}
    return [(first[row["mapping"]], row) for row in rows if first.setdefault(row["mapping"], row) is not row]


def _rejects(bad: list[dict[str, Any]], inputs: Sequence[Input]) -> pa.Table:
    """The rejects as a table; lines of RDF are looked for where they stand, which reads these files once more."""
    broken: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in bad:
        if _kind(row["source"], inputs) == "rdf":
            broken[row["source"]].append(row)
    for source, rows in broken.items():
        for row, place in zip(rows, placed(inputs[source], [row["place"] for row in rows]), strict=True):
            row["place"] = place
    named = [row | {"input": _name(row["source"], inputs)} for row in bad]
    return arrow_table([[row[name] for name in REJECT.names] for row in named], REJECT)
