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

from mdw.reading import twice
from mdw.spark.parts import INDEX

REJECT = pa.schema([(name, pa.string()) for name in ("input", "mapping", "reason", "hint", "place")])


@dataclass(frozen=True, slots=True)
class Index:
    """Mappings and quads that are good, the rejects as a table, and what is to be cut out of parts (start, length)."""

    mappings: int
    quads: int
    rejects: pa.Table
    cuts: dict[str, tuple[tuple[int, int], ...]]

    @property
    def share(self) -> float:
        """Rejects among all mappings, 0 to 1."""
        return len(self.rejects) / max(1, self.mappings + len(self.rejects))


def gather(folder: Path, inputs: Sequence[str]) -> Index:
    """The index of all parts in a folder; ``inputs`` are the names of the inputs by number."""
    found = [_read(path) for path in sorted(folder.glob("*.parquet"))]
    every = pa.concat_tables(found) if found else INDEX.append(pa.field("part", pa.string())).empty_table()
    rejects = [_reject(row, inputs) for row in every.filter(pc.is_valid(every["reason"])).to_pylist()]
    cuts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    cut = 0
    for first, second in _repeated(every.filter(pc.is_null(every["reason"]))):
        error = twice(second["mapping"], first["place"] or inputs[first["source"]], None)
        rejects.append(_reject({**second, "reason": error.message, "hint": error.hint}, inputs))
        cuts[second["part"]].append((second["start"], second["length"]))
        cut += second["quads"]
    columns = [[row[name] for row in rejects] for name in REJECT.names]
    table = pa.Table.from_arrays([pa.array(column, pa.string()) for column in columns], schema=REJECT)
    quads = (pc.sum(every["quads"]).as_py() or 0) - cut
    return Index(len(every) - len(rejects), quads, table, {part: tuple(some) for part, some in cuts.items()})


def _read(path: Path) -> pa.Table:
    found = parquet.read_table(path)
    return found.append_column("part", pa.array([path.stem] * len(found), pa.string()))


def _repeated(good: pa.Table) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Mappings that came before, each with the one that came first."""
    counts = good.group_by("mapping").aggregate([("mapping", "count")])
    names = counts.filter(pc.greater(counts["mapping_count"], 1))["mapping"]
    if not len(names):
        return []
    some = good.filter(pc.is_in(good["mapping"], value_set=names.combine_chunks()))
    rows = some.sort_by([("source", "ascending"), ("position", "ascending")]).to_pylist()
    first: dict[str, dict[str, Any]] = {}
    return [(first[row["mapping"]], row) for row in rows if first.setdefault(row["mapping"], row) is not row]


def _reject(row: dict[str, Any], inputs: Sequence[str]) -> dict[str, Any]:
    return {name: row.get(name) for name in REJECT.names} | {"input": inputs[row["source"]]}
