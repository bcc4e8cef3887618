"""Attributes, constants and rows as such by number, and records of what numbers of ends stand for.

Numbers are what the kernels work with; names come in here and go out here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from mdw.lineage.everything.closure import Numbers, Steps
from mdw.model.answers.answer import Origins
from mdw.model.answers.steps import Constant, Generated
from mdw.model.name import row_of
from mdw.model.rules import DIRECT, Clause, Head, Population, Source
from mdw.model.text import expression_text
from mdw.model.tree import Location


@dataclass
class Numbering:
    """Attributes by number, in order of name; behind them what clauses write or generate themselves, then rows as such.

    ``rows`` has the numbers of the rows that constants and interrupted attributes come with.
    """

    names: list[str]
    numbers: dict[str, int]
    constants: list[Constant | Generated] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    populated: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, names: Iterable[str]) -> Numbering:
        """The numbers of attributes, whatever order their names come in."""
        ordered = sorted(set(names))
        return cls(ordered, {name: number for number, name in enumerate(ordered)})

    def add(self, population: Population, head: Head) -> list[tuple[int, int, Source | None]]:
        """Take in a population: its steps as (number, clause number, source); what has no source is among them."""
        numbers, target = self.numbers, self.numbers[population.target]
        self.populated.add(target)
        found: list[tuple[int, int, Source | None]] = []
        for place, clause in enumerate(population.clauses):
            direct = (source for source in clause.sources if source.subtype in DIRECT)
            found += [(numbers[source.attribute], place, source) for source in direct]
            if clause.sourceless:
                found.append((self._written(population, clause, head), place, None))
        self.sources += [source for source, _, _ in found]
        self.targets += [target] * len(found)
        return found

    def link(self, sources: Numbers, targets: Numbers) -> None:
        """Take in steps of which no more than the ends is known."""
        self.populated.update(np.unique(targets).tolist())
        self.sources += sources.tolist()
        self.targets += targets.tolist()

    def write(self, population: Population, head: Head) -> None:
        """Take in what a population writes of constants, and nothing else."""
        target = self.numbers[population.target]
        found = [self._written(population, clause, head) for clause in population.clauses if clause.sourceless]
        self.populated.add(target)
        self.sources += found
        self.targets += [target] * len(found)

    def kept(self, populated: frozenset[str]) -> list[int]:
        """The populated attributes of golden entities, which hold values before any mapping changes them."""
        return sorted(node for node in self.populated if row_of(self.names[node]) not in populated)

    def row(self, name: str) -> int:
        """The number of rows as such; asked for when all constants are known."""
        return self.rows.setdefault(name, len(self.names) + len(self.constants) + len(self.rows))

    def comes(self, source: int, target: int) -> None:
        """Take in that a row brings a constant or an interrupted attribute to an attribute, or makes another row."""
        self.sources.append(source)
        self.targets.append(target)

    def _written(self, population: Population, clause: Clause, head: Head) -> int:
        """The number of a constant that a clause writes, or of what it generates."""
        at = Location(head.file, clause.line, clause.column)
        value = expression_text(clause.expression)
        kind = Generated if clause.generated else Constant
        self.constants.append(kind(head.mapping, population.target, value, at))
        return len(self.names) + len(self.constants) - 1

    def steps(self) -> Steps:
        """All steps as arrays."""
        count = len(self.names) + len(self.constants) + len(self.rows)
        return Steps(count, np.array(self.sources, dtype=np.int64), np.array(self.targets, dtype=np.int64))


class Recording:
    """Writes records of what numbers of ends stand for."""

    def __init__(self, numbering: Numbering, populated: frozenset[str]) -> None:
        self._names = np.array([*numbering.names, None], dtype=object)[:-1]
        self._constants = numbering.constants
        self._filled = np.array([row_of(name) in populated for name in numbering.names], dtype=bool)

    def record(self, attribute: int, ends: Numbers, *, undecided: bool = False) -> Origins:
        """The record of one attribute, its ends in order of number."""
        # Numbers of attributes come before those of constants, so one place cuts the ends in two.
        size = len(self._names)
        named = ends[: np.searchsorted(ends, size)]
        constants = [self._constants[number - size] for number in ends[len(named) :].tolist()]
        if constants:
            constants.sort(key=lambda one: (one.target, one.mapping, one.location.line, one.location.column))
        written = tuple(one for one in constants if isinstance(one, Constant))
        made = tuple(one for one in constants if isinstance(one, Generated))
        filled = self._filled[named]
        if not filled.any():
            return Origins(self._names[attribute], tuple(self._names[named]), (), written, undecided, made)
        golden, interrupted = self._names[named[~filled]], self._names[named[filled]]
        return Origins(self._names[attribute], tuple(golden), tuple(interrupted), written, undecided, made)
