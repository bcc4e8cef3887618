"""Steps through inner entities, folded: only those between entities that stay are left.

    T.A <- E.X <- S.Y      becomes      T.A <- S.Y

Direct through direct is direct, and as strong as the strongest of both: IDENTITY, TRANSFORMATION, AGGREGATION. What
goes through an indirect step is indirect. The conditions met on the way are kept, in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mdw.model.name import entity_of, local_of
from mdw.model.rules import DIRECT, Subtype
from mdw.model.tree import Location

ROWS = "`rows`"
"""The attribute that stands for an entity's rows: what decides them decides all of its attributes."""
MOST_WAYS = 16
"""Ways between the same two attributes that are kept apart by their conditions; others lead to the same sources."""


MOST_FOLLOWED = 100
"""Ways to one step of which several are kept that differ by their conditions; of more each attribute is met once."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A step: attributes by canonical name, how the source is used, under which conditions, where and by what."""

    source: str
    target: str
    subtype: Subtype
    conditions: tuple[str, ...] = ()
    location: Location | None = None
    mapping: str = ""

    @property
    def direct(self) -> bool:
        """Whether the value flows."""
        return self.subtype in DIRECT


def fold(steps: Sequence[Folded], inner: Container[str]) -> tuple[Folded, ...]:
    """The steps between attributes of entities that are not inner.

    >>> steps = [Folded("S.Y", "E.X", "AGGREGATION", ("S.K > 1",)), Folded("E.X", "T.A", "IDENTITY")]
    >>> [(one.source, one.target, one.subtype, one.conditions) for one in fold(steps, {"E"})]
    [('S.Y', 'T.A', 'AGGREGATION', ('S.K > 1',))]
    """
    into: Mapping[str, list[Folded]] = _by_target(steps, inner)
    found = {
        (way.source, way.target, way.subtype, way.conditions): way
        for step in steps
        if entity_of(step.target) not in inner
        for way in _ways(step, into, inner)
    }
    return tuple(found.values())


def _by_target(steps: Iterable[Folded], inner: Container[str]) -> Mapping[str, list[Folded]]:
    into: dict[str, list[Folded]] = defaultdict(list)
    for step in steps:
        if entity_of(step.target) in inner:
            into[step.target].append(step)
    return into


def _ways(step: Folded, into: Mapping[str, list[Folded]], inner: Container[str]) -> Iterator[Folded]:
    """The ways that end in a step, from its last inner attribute back to where they begin."""
    # By inner attribute and use the conditions it was met with: this ends round a cycle too, and no source is missed,
    # since what is left out differs from what was followed by the wording of its conditions only.
    met: dict[tuple[str, Subtype], set[tuple[str, ...]]] = defaultdict(set)
    pending, followed = [step], 0
    while pending:
        way = pending.pop()
        if entity_of(way.source) not in inner:
            yield way
            continue
        variants = met[way.source, way.subtype]
        # A program with a test behind each query has as many ways as there are sets of tests.
        most = MOST_WAYS if followed < MOST_FOLLOWED else 1
        if way.conditions in variants or len(variants) >= most:
            continue
        followed += 1
        variants.add(way.conditions)
        # What decides an inner entity's rows goes to whoever reads it by a step between their rows.
        pending += [
            _through(one, way)
            for one in reversed(into.get(way.source, []))
            # Most that lead to what was met often enough need not be made.
            if len(met.get((one.source, _both(one, way)), ())) < most
        ]


def _through(first: Folded, then: Folded) -> Folded:
    """Two steps as one."""
    conditions = tuple(dict.fromkeys((*then.conditions, *first.conditions)))
    return Folded(first.source, then.target, _both(first, then), conditions, then.location, then.mapping)


def _both(first: Folded, then: Folded) -> Subtype:
    # What decides the rows of an inner entity does so whatever they are used for. Of other indirect steps the nearest
    # to the end tells what the source is there.
    if not then.direct and local_of(first.target) != ROWS:
        return then.subtype
    if not first.direct or not then.direct:
        return first.subtype
    return max(first.subtype, then.subtype, key=DIRECT.index)
