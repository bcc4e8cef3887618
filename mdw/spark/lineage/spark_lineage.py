"""What executors do for the lineage of all attributes: one share of the work -> Parquet files of what arrives where.

The files of a share appear whole or not at all, under its number; a task that runs again finds them and is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import ipc, parquet

from mdw.collecting import uncollected
from mdw.drafting import drafted
from mdw.lineage.everything.numbering import Numbering
from mdw.lineage.everything.sweep import Arrivals, Numbered, Share, swept
from mdw.model.candidates import Candidates
from mdw.model.name import entity_of
from mdw.model.rules import Head, Mode, Policy, Population
from mdw.rdf.codec import decode_heads, decode_populations
from mdw.readers.tables.files import arrow_table
from mdw.render.parquet import PLACED, Naming

Batches = Iterator[pa.RecordBatch]

WORK, ORIGINS, OPEN, COUNTS = "work", "origins", "open", "counts"
"""Folders of the shares, of what is decided, of what is not, and of how many ends each attribute has."""
COUNTED = pa.schema(
    [
        ("attribute", pa.string()),
        ("sources", pa.int64()),
        ("left_out", pa.int64()),
        ("undecided", pa.bool_()),
    ]
)
"""By attribute how many golden sources, interrupted attributes and constants arrive, and from how many others steps
lead though no row can come from them."""


class Done(NamedTuple):
    """A share that is done: its number, how heavy it was, what it gave, and seconds it took."""

    share: int
    steps: int
    attributes: int
    rows: int
    seconds: float


DONE = "share long, steps long, attributes long, rows long, seconds double"


def share_worker(
    folder: str, mode: Mode, policy: Policy | None, unread: frozenset[str] = frozenset()
) -> Callable[[Batches], Batches]:
    """For `mapInArrow` over numbers of shares: each writes its files below ``folder`` and tells what it has done.

    ``unread`` are entities to which statements that were not read may bring values.
    """

    def run(batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                with uncollected():
                    done = _share(Path(folder), number, mode, policy, unread)
                yield pa.RecordBatch.from_pydict({key: [value] for key, value in done._asdict().items()})

    return run


class _Rules:
    """The rules in a folder of shares; each is decoded once by a process that works on several shares."""

    def __init__(self, folder: Path) -> None:
        self.names, self._texts, self._heads, populated, inner = (
            _mapped(folder / name).read_all().column(0) for name in ("names", "rules", "heads", "populated", "inner")
        )
        self.populated = frozenset(populated.to_pylist())
        self.inner = frozenset(inner.to_pylist())
        self._shares = _mapped(folder / "shares")
        self._populations: dict[int, Population] = {}
        self._known: dict[int, Head] = {}

    def share(self, number: int) -> dict[str, Any]:
        """The row of a share, lists as arrays."""
        # A batch for each share, so that an executor reads its own row of the file and no other.
        row = self._shares.get_batch(number)
        return {
            field.name: column[0].values.to_numpy() if pa.types.is_list(field.type) else column[0].as_py()
            for field, column in zip(row.schema, row.columns, strict=True)
        }

    def named(self, numbers: np.ndarray) -> list[str]:
        """The names of attributes."""
        found: list[str] = self.names.take(pa.array(numbers, pa.int64())).to_pylist()
        return found

    def candidates(self, row: dict[str, Any]) -> Candidates:
        """The rules of a share, those that decide among them."""
        self._decode(row["rules"], self._texts, self._populations, decode_populations)
        self._decode(row["heads"], self._heads, self._known, decode_heads)
        populations = tuple([self._populations[number] for number in row["rules"].tolist()])
        heads = {head.mapping: head for head in map(self._known.__getitem__, row["heads"].tolist())}
        pairs = zip(self.named(row["carriers"]), self.named(row["carried"]), strict=True)
        return Candidates(heads, populations, frozenset(pairs), self.populated)

    def numbering(self, row: dict[str, Any]) -> Numbering:
        """The steps of a share, from the rules those that write constants."""
        numbers = np.unique(np.concatenate([row["targets"], row["flows"]]))
        found = Numbering.of(self.named(numbers))
        found.link(*(np.searchsorted(numbers, row[side]) for side in ("flows", "into")))
        candidates = self.candidates(row)
        for population in candidates.populations:
            found.write(population, candidates.heads[population.mapping])
        return found

    def _decode(
        self, numbers: np.ndarray, texts: pa.ChunkedArray, known: dict[int, Any], decode: Callable[..., tuple[Any, ...]]
    ) -> None:
        fresh = [number for number in numbers.tolist() if number not in known]
        known.update(zip(fresh, decode(texts.take(pa.array(fresh, pa.int64())).to_pylist()), strict=True))


# One folder at a time: a Python process of Spark does many shares of one run, and lets go of the rules of the last one.
@lru_cache(maxsize=1)
def _rules(folder: Path) -> _Rules:
    return _Rules(folder)


def _mapped(path: Path) -> pa.RecordBatchFileReader:
    """A file of which only what is looked at is read."""
    return ipc.open_file(pa.memory_map(str(path)))


def _share(folder: Path, number: int, mode: Mode, policy: Policy | None, unread: frozenset[str]) -> Done:
    started = perf_counter()
    rules = _rules(folder / WORK)
    row = rules.share(number)
    # Who finds the counts takes the share for done, whichever attempt made them: they must be put in place last.
    counts = folder / COUNTS / f"{number:05d}.parquet"
    if not counts.exists():
        traced = _active(rules, row, policy) if mode == "active" else _passive(rules, row)
        _write(folder, number, rules.inner, unread, *traced)
    found = parquet.read_table(counts)
    rows = sum(found["sources"].to_pylist())
    return Done(number, row["weight"], len(found), rows, perf_counter() - started)


Arrived = tuple[Numbering, frozenset[str], Iterator[Arrivals], dict[int, int]]
"""Numbers, entities that mappings fill, what arrives, and by number how many ends steps lead from."""


def _passive(rules: _Rules, row: dict[str, Any]) -> Arrived:
    numbering = rules.numbering(row)
    return numbering, rules.populated, swept(numbering, rules.populated, Share(None, row["first"], row["of"])), {}


def _active(rules: _Rules, row: dict[str, Any], policy: Policy | None) -> Arrived:
    candidates = rules.candidates(row)
    # Rules that only decide are among the candidates; attributes of the share are asked, of others nothing is recorded.
    share = Share(frozenset(rules.named(row["targets"])), row["first"], row["of"])
    own = [population for population in candidates.populations if share.asks(population.target)]
    flowing = {source.attribute for one in own for clause in one.clauses for source in clause.sources}
    numbered = Numbered.of(candidates, flowing | {one.target for one in own}, share)
    # From how many ends steps lead, whatever their rules say: those that do not arrive are what rules leave out.
    leading = {
        node: count for some in swept(numbered.numbering, rules.populated, share) for node, count in _lengths(some)
    }
    return numbered.numbering, rules.populated, numbered.arrivals(policy, share), leading


def _write(
    folder: Path,
    number: int,
    inner: frozenset[str],
    unread: frozenset[str],
    numbering: Numbering,
    populated: frozenset[str],
    found: Iterator[Arrivals],
    leading: dict[int, int],
) -> None:
    naming = Naming(numbering, populated, unread)
    # Of what is local to a statement nobody outside of it asks.
    hidden = {name for name in numbering.names if entity_of(name) in inner} if inner else set()
    unasked = pa.array(sorted(hidden), pa.string())
    counted: list[tuple[str, int, int, bool]] = []
    name = f"{number:05d}.parquet"
    with ExitStack() as drafts, ExitStack() as files:
        # Drafts take their places last entered first, so the counts come last: where they are, the share is done.
        counts, *two = (drafts.enter_context(drafted(folder / kind / name)) for kind in (COUNTS, OPEN, ORIGINS))
        unsure, sure = (files.enter_context(parquet.ParquetWriter(draft, PLACED, store_schema=False)) for draft in two)
        # Records that rules do not decide go to a file of their own: the driver asks for some of them singly.
        for some in found:
            table = naming.table(some)
            if hidden:
                table = table.filter(pc.invert(pc.is_in(table["attribute"], value_set=unasked)))
            if some.undecided.any():
                unsure.write_table(table.filter(table["undecided"]))
                table = table.filter(pc.invert(table["undecided"]))
            sure.write_table(table)
            for (node, count), undecided in zip(_lengths(some), some.undecided.tolist(), strict=True):
                if (asked := numbering.names[node]) not in hidden:
                    counted.append((asked, count, leading.get(node, count) - count, undecided))
        parquet.write_table(arrow_table(counted, COUNTED), counts)


def _lengths(some: Arrivals) -> Iterator[tuple[int, int]]:
    """Attributes and how many ends they have."""
    return zip(some.rows.nodes.tolist(), np.diff(some.rows.starts).tolist(), strict=True)
