"""Which property of an input is used: the best by rank among those declared and what the plan tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mdw.tracing.accuracy import Accuracy
from mdw.tracing.properties import DERIVED, NONE, Property, implied

BETTER = {
    1: "no filter, backward total map, inverse or procedure is declared",
    2: "no backward key map or procedure with input is declared",
    3: "no forward key map is declared",
    4: "no dispatcher, key-preserving or keyed is declared",
    5: "no context-free is declared",
    6: "no aggregator is declared",
    7: "no forward map or backward map is declared",
}
"""What is missing for each rank."""
MAPS = ("forward map", "backward map")


@dataclass(frozen=True)
class Derivation:
    """What the plan of a transformation tells of one input: ``why`` it does not, or ``accuracy`` if it does.

    ``gathers`` is whether there is an aggregate or window in it: such plans are not put into one query.
    """

    accuracy: Accuracy = "unknown"
    why: str = "its plan is not read"
    gathers: bool = True


UNREAD = Derivation()


@dataclass(frozen=True)
class PropertyChoice:
    """The property used, the schema maps that narrow before it is, and what is missing for each better rank."""

    used: Property
    narrowing: tuple[Property, ...] = ()
    missing: tuple[tuple[int, str], ...] = ()

    @property
    def accuracy(self) -> Accuracy:
        """The best that can come of it."""
        return "unknown" if self.used == NONE else "at most" if self.used.rank == RANK_OF_MAPS else "exact"

    def __str__(self) -> str:
        narrowed = "".join(f", narrowed by {one}" for one in self.narrowing)
        return ("no property: the whole input" if self.used == NONE else str(self.used)) + narrowed


RANK_OF_MAPS = 7


def choose(declared: Sequence[Property], derivation: Derivation = UNREAD) -> PropertyChoice:
    """The best of all; of equal rank what the plan tells, which knows roles, then what is declared first.

    >>> from mdw.tracing.properties import dispatcher, forward_map
    >>> print(choose([forward_map("k"), dispatcher()]))
    dispatcher, narrowed by forward map `k` -> k
    >>> choose([dispatcher()]).missing[2]
    (3, 'no forward key map is declared; its plan is not read')
    """
    maps = tuple(one for one in declared if one.name in MAPS)
    able = [one for one in declared if one.name not in MAPS]
    if derivation.accuracy == "exact":
        able = [DERIVED, *able]
    used = min(able, key=lambda one: one.rank, default=None)
    if used is None:
        used = DERIVED if derivation.accuracy == "at most" else maps[0] if maps else NONE
    narrowing = tuple(one for one in maps if one != used) if used.runs or used in maps else ()
    return PropertyChoice(used, narrowing, _missing(used, derivation))


def _missing(used: Property, derivation: Derivation) -> tuple[tuple[int, str], ...]:
    """For each better rank why it is not had."""
    plan = f"; {derivation.why}" if derivation.accuracy == "unknown" else "; its plan tells no exact rows"
    return tuple(
        (rank, sentence + (plan if rank == DERIVED.rank else ""))
        for rank, sentence in BETTER.items()
        if rank < used.rank
    )


def all_of(declared: Iterable[Property]) -> tuple[Property, ...]:
    """What is declared and all it implies, the best first."""
    found = dict.fromkeys(one for each in declared for one in implied(each))
    return tuple(sorted(found, key=lambda one: one.rank))
