"""Declared properties put to the test: each is tried on small bags, and never proved (issue's verify).

A property must hold for every bag, so one on which it does not refutes it. A try that could not fail does not count:
of one row no two parts are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from mdw.tracing.checks import CHECKS
from mdw.tracing.draws import Draw, Row, draws
from mdw.tracing.properties import Property
from mdw.tracing.trial import FailedError, Trial, Try

SAME = "the same again"
"""What every transformation is held to: the same bag gives the same bag, in any order and partitioning (T1)."""


@dataclass(frozen=True)
class Counterexample:
    """Rows of an input on which a property does not hold, and what shows it."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    because: str

    def __str__(self) -> str:
        told = ", ".join(f"({', '.join(map(repr, row))})" for row in self.rows) or "no rows"
        return f"{told}: {self.because}"


@dataclass(frozen=True)
class Verdict:
    """What became of one declared property: ``times`` are the tries that could have refuted it."""

    transformation: str
    input: str
    property: str
    verdict: Literal["held", "false", "untried"]
    times: int
    counterexample: Counterexample | None = None

    def __str__(self) -> str:
        told = f"{self.verdict}, {self.times} {'try' if self.times == 1 else 'tries'}"
        example = f"; {self.counterexample}" if self.counterexample else ""
        return f"{self.transformation}, its {self.input}: {self.property}: {told}{example}"


def verdicts(
    transformation: str, read: str, declared: Iterable[Property], trial: Trial, sample: Sequence[Row], *, tries: int
) -> tuple[Verdict, ...]:
    """A verdict on each property declared of an input, and on its being a transformation, from rows of it."""
    checks = [(SAME, _same), *((str(one), _of(one)) for one in declared)]
    found = []
    for name, check in checks:
        # Each property sees the same bags, whatever else is declared.
        bags = draws(sample, tries, Random(f"{transformation} {read}"))
        times, example = refute(check, trial, bags)
        verdict: Literal["held", "false", "untried"] = "false" if example else "held" if times else "untried"
        found.append(Verdict(transformation, read, name, verdict, times, example))
    return tuple(found)


Check = Callable[[Trial, Draw], str | None]
"""Why the property does not hold on a bag, "" if it does there, None if the bag could not show it."""


def refute(check: Check, trial: Trial, bags: Iterable[Draw]) -> tuple[int, Counterexample | None]:
    """How many tries counted, and the smallest bag found on which the property does not hold."""
    times = 0
    for bag in bags:
        because = _tried(check, trial, bag)
        times += because is not None
        if because:
            return times, _smallest(check, trial, bag, because)
    return times, None


def _smallest(check: Check, trial: Trial, bag: Draw, because: str) -> Counterexample:
    """The bag without rows it does not need: one is left out after the other as long as it still refutes."""
    # Of no rows and of one a property may say another thing than of two that could be fewer.
    for few in ((), *((row,) for row in dict.fromkeys(bag.rows))):
        if told := _tried(check, trial, Draw(few, bag.genuine or not few)):
            return Counterexample(trial.columns, few, told)
    at = 0
    while at < len(bag.rows):
        fewer = Draw(bag.rows[:at] + bag.rows[at + 1 :], bag.genuine)
        if told := _tried(check, trial, fewer):
            bag, because = fewer, told
        else:
            at += 1
    return Counterexample(trial.columns, bag.rows, because)


def _tried(check: Check, trial: Trial, bag: Draw) -> str | None:
    """The check, where the function can be run; it may refuse rows that are not of the data."""
    try:
        return check(trial, bag)
    except FailedError as error:
        return str(error) if bag.genuine else None


def _of(one: Property) -> Check:
    return lambda trial, bag: CHECKS[one.name](Try(one, trial, bag))


def _same(trial: Trial, bag: Draw) -> str | None:
    if not bag.rows:
        return None
    return "" if trial.run(bag.rows) == trial.again(bag.rows) else "run again in another order it gives other rows"
