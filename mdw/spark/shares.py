"""The rules of a warehouse -> shares of tracing all its attributes, each with the rules it needs and no others.

Attributes that values connect make a part. Small parts make up a share together; a part that would keep one executor
busy while the others wait is shared out by its ends: each of its shares follows some of them all the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from mdw.answer import Mode
from mdw.closure import Numbers, Steps, parts, upstream
from mdw.codec import decode_heads, outlines
from mdw.navigation import carried
from mdw.tables.files import arrow_table

EACH = 4
"""Shares for every executor: enough for a quick one to take over from a slow one."""
FEWEST: dict[Mode, int] = {"active": 256, "passive": 64}
"""Ends of a part for every share of it; with fewer, what shares do twice costs more than sharing out gains."""

SHARES = pa.schema(
    [
        ("first", pa.int32()),
        ("of", pa.int32()),
        ("steps", pa.int64()),
        ("targets", pa.list_(pa.int32())),
        ("rules", pa.list_(pa.int32())),
        ("heads", pa.list_(pa.int32())),
        ("carriers", pa.list_(pa.int32())),
        ("carried", pa.list_(pa.int32())),
    ]
)
"""Attributes, rules and heads by their places in the other files; ``steps`` say how heavy a share is."""


@dataclass(frozen=True, slots=True)
class Warehoused:
    """What a store says of all rules: attributes' names, and the texts of populations and of heads."""

    names: Sequence[str]
    rules: Sequence[str]
    heads: Sequence[str]


def share_out(found: Warehoused, mode: Mode, executors: int, folder: Path) -> int:
    """Write the shares and what they need into a folder; how many there are, the heaviest first."""
    web = _Web.of(found, mode)
    rows = list(web.shares(mode, executors))
    rows.sort(key=lambda row: -row.steps)
    tables = {
        "names": _texts(found.names),
        "rules": _texts(found.rules),
        "heads": _texts(found.heads),
        "populated": _texts(web.populated),
        "shares": arrow_table([row.row() for row in rows], SHARES),
    }
    for name, table in tables.items():
        parquet.write_table(table, folder / f"{name}.parquet", row_group_size=1 if name == "shares" else None)
    return len(rows)


@dataclass(frozen=True, slots=True)
class _Row:
    """One share as `SHARES` has it."""

    first: int
    of: int
    steps: int
    targets: Numbers
    rules: Numbers
    heads: Numbers
    carriers: Numbers
    carried: Numbers

    def row(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in SHARES.names)


@dataclass(frozen=True, slots=True)
class _Web:
    """The rules as arrays. Nodes of ``deciding`` are the attributes and, behind them, the mappings.

    ``target`` and ``mapping`` of each population, and how many steps lead into its target from it.
    """

    target: Numbers
    mapping: Numbers
    weight: Numbers
    flowing: Steps
    deciding: Steps
    pairs: Numbers
    populated: Sequence[str]

    @classmethod
    def of(cls, found: Warehoused, mode: Mode) -> _Web:
        numbers = {name: number for number, name in enumerate(found.names)}
        heads = decode_heads(found.heads)
        mappings = {head.mapping: number for number, head in enumerate(heads, len(numbers))}
        lines = list(outlines(found.rules))
        target = _array([numbers[one.target] for one in lines])
        mapping = _array([mappings[one.mapping] for one in lines])
        flows = _array([numbers[name] for one in lines for name in one.flows])
        flowed = np.repeat(target, _array([len(one.flows) for one in lines]))
        decides = _array([numbers[name] for one in lines for name in one.decides])
        decided = np.repeat(target, _array([len(one.decides) for one in lines]))
        used = [(numbers[source.attribute], mappings[head.mapping]) for head in heads for source in head.sources]
        carries = carried(heads, lines, set(found.names)) if mode == "active" else ()
        pairs = sorted((numbers[a], numbers[b]) for a, b in carries)
        whole, carrying = (_array(some).reshape(-1, 2) for some in (used, pairs))
        deciding = Steps(
            len(numbers) + len(heads),
            np.concatenate([flows, decides, whole[:, 0], mapping, carrying[:, 0]]),
            np.concatenate([flowed, decided, whole[:, 1], target, carrying[:, 1]]),
        )
        weight = _array([len(one.flows) + one.constants for one in lines])
        flowing = Steps(len(numbers), flows, flowed)
        return cls(target, mapping, weight, flowing, deciding, carrying, sorted({head.target for head in heads}))

    def shares(self, mode: Mode, executors: int) -> Iterator[_Row]:
        """The shares, each with what it needs."""
        part = parts(self.flowing)
        weights = np.bincount(part[self.target], weights=self.weight, minlength=int(part.max(initial=-1)) + 1)
        ending = np.ones(len(part), dtype=bool)
        ending[self.target] = False
        ends = np.bincount(part[ending], minlength=len(weights)) + 1
        whole = weights.sum()
        waiting: list[int] = []
        for number in np.argsort(-weights, kind="stable").tolist():
            if not weights[number]:
                continue
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
        own = np.isin(part[self.target], some)
        targets = np.unique(self.target[own])
        asked = np.flatnonzero(upstream(self.deciding, targets)) if mode == "active" else targets
        needed = np.isin(self.target, asked)
        pairs = self.pairs[np.isin(self.pairs[:, 1], asked)]
        rules = np.flatnonzero(needed)
        heads = np.unique(self.mapping[rules]) - self.flowing.count
        steps = int(self.weight[own].sum()) // times
        for first in range(times):
            yield _Row(first, times, steps, targets, rules, heads, pairs[:, 0], pairs[:, 1])


def _texts(texts: Sequence[str]) -> pa.Table:
    return pa.table({"text": pa.array(texts, pa.string())})


def _array(numbers: Sequence[object]) -> Numbers:
    return np.array(numbers, dtype=np.int64)
