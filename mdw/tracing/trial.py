"""A transformation that is tried, a try of one of its properties, and how rows are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from mdw.tracing.draws import Draw, Row
from mdw.tracing.properties import Layer, Property

Rows = Counter[Row]
SHOWN = 4
"""Rows of a bag that a sentence tells."""


class FailedError(Exception):
    """The function fails on a bag or changes its columns there; says why."""


class Trial(Protocol):
    """A transformation as a function of one of its inputs, the others fixed. Raises FailedError."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of the input."""

    @property
    def output(self) -> tuple[str, ...]:
        """Those of the output."""

    def run(self, rows: Sequence[Row]) -> Rows:
        """T(rows)."""

    def again(self, rows: Sequence[Row]) -> Rows:
        """The same in another order and partitioning, not remembered."""

    def forward(self, layers: Sequence[Layer], rows: Sequence[Row]) -> list[Row]:
        """What a map gives of each input row."""

    def backward(self, layers: Sequence[Layer], rows: Sequence[Row]) -> list[Row]:
        """What a map gives of each output row."""

    def call(self, function: Callable[..., Any], rows: Sequence[Row], source: Sequence[Row] | None) -> Rows:
        """What the user's inverse or procedure gives of output rows."""


@dataclass(frozen=True)
class Try:
    """A property, the transformation and a bag of rows."""

    one: Property
    trial: Trial
    bag: Draw

    @property
    def rows(self) -> tuple[Row, ...]:
        """Those of the bag."""
        return self.bag.rows

    @property
    def random(self) -> Random:
        """The same choices for the same rows."""
        return Random(repr(self.rows))

    def run(self, rows: Sequence[Row]) -> Rows:
        """T(rows)."""
        return self.trial.run(rows)

    def key(self, row: Row) -> Row:
        """Its key in an output row."""
        return tuple(row[self.trial.output.index(column)] for column in self.one.key)

    def nothing(self) -> str:
        """Why T of no rows is not empty."""
        given = self.run(())
        return f"no rows give {told(given)}" if given else ""


def most(values: Sequence[Row]) -> Row:
    """The most frequent."""
    return Counter(values).most_common(1)[0][0]


def told(rows: Rows) -> str:
    """A bag of rows in a sentence."""
    return shown(list(rows.elements())) or "nothing"


def shown(rows: Sequence[object]) -> str:
    """The first of some rows."""
    return ", ".join(map(str, rows[:SHOWN])) + (", ..." if len(rows) > SHOWN else "")
