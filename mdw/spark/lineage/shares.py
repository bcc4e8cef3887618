"""The rules of a warehouse -> shares of tracing all its attributes, each with the rules it needs and no others.

Attributes that values connect make a part. Small parts make up a share together; a part that would keep one executor
busy while the others wait is shared out by its ends: each of its shares follows some of them all the way.

Why so, and not step by step as joins would: joins write and shuffle all pairs met so far once a round, while a
share is one pass of the kernel that one process runs, and shuffles nothing. What it costs: the rules of a large part
are read, and what its ends have in common is worked out, once for each of its shares; so two executors are less than
twice as fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import ipc

from mdw.lineage.everything.closure import Numbers, Steps, parts, upstream
from mdw.model.candidates import populated_by
from mdw.model.name import entity_of
from mdw.model.rules import Head, Mode
from mdw.rdf.codec import decode_heads
from mdw.readers.tables.files import arrow_table
from mdw.spark.lineage.ways import TEXT, Ways

EACH = 4
"""Shares for every executor: enough for a quick one to take over from a slow one."""
FEWEST: dict[Mode, int] = {"active": 256, "passive": 64}
"""Ends of a part for every share of it; with fewer, what shares do twice costs more than sharing out gains."""

SHARES = pa.schema(
    [
        *((name, pa.int64()) for name in ("first", "of", "weight")),
        *(
            (name, pa.list_(pa.int64()))
            for name in ("targets", "rules", "heads", "flows", "into", "carriers", "carried")
        ),
    ]
)
"""Attributes, rules and heads by their places in the other files.

A share has the rules executors decode, and of steps that need no rule where they lead from and into. ``weight`` says
how many steps it has.
"""


def share_out(rules: Sequence[str], heads: Sequence[str], mode: Mode, executors: int, folder: Path) -> int:
    """Write the shares and what they need into a folder, from the texts of all populations and all heads.

    Returns how many shares there are; the heaviest come first.
    """
    texts, known = pa.array(rules, TEXT), decode_heads(heads)
    web = _Web.of(texts, known, mode)
    rows = sorted(web.shares(mode, executors), key=lambda row: -row.weight)
    columns = {
        "names": web.ways.names,
        "rules": texts,
        "heads": pa.array(heads, TEXT),
        "populated": pa.array(web.populated, TEXT),
        "inner": pa.array(sorted({head.target for head in known if head.inner}), TEXT),
    }
    for name, column in columns.items():
        _write(folder / name, [pa.record_batch([column], ["text"])])
    _write(folder / "shares", [batch for row in rows for batch in arrow_table([row], SHARES).to_batches()])
    return len(rows)


class _Row(NamedTuple):
    """One share as `SHARES` has it."""

    first: int
    of: int
    weight: int
    targets: Numbers
    rules: Numbers
    heads: Numbers
    flows: Numbers
    into: Numbers
    carriers: Numbers
    carried: Numbers


NONE: Numbers = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Web:
    """How rules hang together.

    ``weight`` is how many steps a population makes, ``into`` where each of the ways' flows leads. ``deciding`` are
    all steps, those of filters, conditions and the carry rule too; nodes are the attributes and, behind them, the
    mappings and the entities. ``pairs`` are those of the carry rule, ``populated`` the entities whose rows mappings
    make, ``heads`` the number of mappings.
    """

    ways: Ways
    weight: Numbers
    into: Numbers
    flowing: Steps
    deciding: Steps
    pairs: Numbers
    populated: Sequence[str]
    heads: int

    @classmethod
    def of(cls, texts: pa.Array, heads: Sequence[Head], mode: Mode) -> _Web:
        ways = Ways.of(texts, heads)
        into = ways.target[ways.flowing]
        weight = np.bincount(ways.flowing, minlength=len(ways.target)) + ways.constants
        flowing = Steps(len(ways.names), ways.flows, into)
        populated = sorted(populated_by(heads))
        if mode == "passive":
            return cls(ways, weight, into, flowing, flowing, NONE.reshape(-1, 2), populated, len(heads))
        pairs = ways.carried(heads)
        mappings = len(ways.names) + np.arange(len(heads))
        joining = np.array([number for number, head in enumerate(heads) for _ in head.joins], dtype=np.int64)
        entities, (driving, target, joined, holding) = _entities(ways.names.to_pylist(), heads)
        entities += len(ways.names) + len(heads)
        driving, target, joined, holding = (entities[some] for some in (driving, target, joined, holding))
        # A constant comes with a driving row, an attribute that nothing fills with a row of its own entity. Rows are
        # made of driving rows and of rows joined, by mappings that may refuse them.
        writing = np.flatnonzero(ways.constants > 0)
        unfilled = np.setdiff1d(np.arange(len(ways.names)), ways.target)
        pairs_of = [
            (ways.flows, into),
            (ways.decides, ways.target[ways.deciding]),
            (ways.used, mappings[ways.user]),
            (mappings[ways.mapping], ways.target),
            (pairs[:, 0], pairs[:, 1]),
            (driving[ways.mapping[writing]], ways.target[writing]),
            (holding[unfilled], unfilled),
            (driving, mappings),
            (joined, mappings[joining]),
            (mappings, target),
        ]
        sources, targets = (np.concatenate(side) for side in zip(*pairs_of, strict=True))
        deciding = Steps(len(ways.names) + len(heads) + len(entities), sources, targets)
        return cls(ways, weight, into, flowing, deciding, pairs, populated, len(heads))

    def shares(self, mode: Mode, executors: int) -> Iterator[_Row]:
        """The shares, each with what it needs."""
        part = parts(self.flowing)
        # Of each part its steps and its ends: the attributes that no population fills, and one more for constants.
        weights = np.bincount(part[self.ways.target], weights=self.weight, minlength=int(part.max(initial=-1)) + 1)
        ending = np.ones(len(part), dtype=bool)
        ending[self.ways.target] = False
        ends = np.bincount(part[ending], minlength=len(weights)) + 1
        whole = weights.sum()
        waiting: list[int] = []
        # From the heaviest on: large parts are shared out, small ones collected until they are worth a task.
        for number in np.argsort(-weights, kind="stable").tolist():
            if not weights[number]:
                continue
            # As many shares as the part's share of all work keeps executors busy, but none with too few ends: of
            # 4 executors a part with half of the steps keeps 2 busy.
            times = min(ceil(weights[number] * executors / whole), ceil(ends[number] / FEWEST[mode]))
            if times > 1:
                yield from self._rows([number], part, times, mode)
                continue
            waiting.append(number)
            if weights[waiting].sum() >= whole / (executors * EACH):
                yield from self._rows(waiting, part, 1, mode)
                waiting = []
        if waiting:
            yield from self._rows(waiting, part, 1, mode)

    def _rows(self, some: list[int], part: Numbers, times: int, mode: Mode) -> Iterator[_Row]:
        """A share of some parts, or ``times`` shares of the ends of one."""
        ways = self.ways
        own = np.isin(part[ways.target], some)
        targets = np.unique(ways.target[own])
        # Active lineage decodes every rule that may decide something on the way; passive lineage needs only the flows,
        # which are numbers already, and the rules that write constants.
        if mode == "active":
            # Parts are connected by values only. What decides over them may lie in other parts, whose rules are then
            # read here as well, and of whose attributes nothing is recorded.
            asked = np.flatnonzero(upstream(self.deciding, targets))
            rules, flows = np.flatnonzero(np.isin(ways.target, asked)), NONE
            pairs = self.pairs[np.isin(self.pairs[:, 1], asked)]
            heads = asked[(asked >= len(ways.names)) & (asked < len(ways.names) + self.heads)] - len(ways.names)
        else:
            rules, flows = np.flatnonzero(own & (ways.constants > 0)), np.flatnonzero(own[ways.flowing])
            pairs = self.pairs
            heads = np.unique(ways.mapping[rules])
        # Shares of one part have the same rules and differ in the ends they follow, which are dealt out like cards.
        weight = int(self.weight[own].sum()) // times
        sides = (ways.flows[flows], self.into[flows], pairs[:, 0], pairs[:, 1])
        for first in range(times):
            yield _Row(first, times, weight, targets, rules, heads, *sides)


def _entities(names: Sequence[str], heads: Sequence[Head]) -> tuple[Numbers, tuple[Numbers, Numbers, Numbers, Numbers]]:
    """Entities by number, and by these of heads what drives them, what they fill and join; of attributes the entity."""
    numbers: dict[str, int] = {}

    def number(some: Iterable[str]) -> Numbers:
        return np.array([numbers.setdefault(entity, len(numbers)) for entity in some], dtype=np.int64)

    found = (
        number(head.driving for head in heads),
        number(head.target for head in heads),
        number(join.entity for head in heads for join in head.joins),
        number(map(entity_of, names)),
    )
    return np.arange(len(numbers)), found


def _write(path: Path, batches: Sequence[pa.RecordBatch]) -> None:
    """A file that executors map into memory."""
    with ipc.new_file(path, batches[0].schema if batches else SHARES) as file:
        for batch in batches:
            file.write_batch(batch)
