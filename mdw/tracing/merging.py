"""Which neighbours of a pipeline are traced as one (seed 001, (4), greedy; issue's Merging).

Merging saves the intermediate between two neighbours. The pair whose product ranks best is merged first, of equal ones
that which saves the larger intermediate; it must not rank worse than the worse of both, nor become less exact, and
goes on until no pair is left.

>>> from mdw.tracing.properties import dispatcher, keyed
>>> chain = [Section.of("items", ["orders"], [[dispatcher()]]), Section.of("sales", ["items"], [[keyed("name")]])]
>>> [(section.members, str(section.choices[0])) for section in merged(chain)]
[(('items', 'sales'), 'keyed (name)')]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mdw.tracing.choice import UNREAD, Derivation, PropertyChoice, choose
from mdw.tracing.products import product
from mdw.tracing.properties import DERIVED, NONE, Property


@dataclass(frozen=True)
class Section:
    """One transformation, or several merged, as merging sees them.

    ``members`` are in the order they run, the last gives the section its output; of each read ``properties`` are those
    declared or found, ``derivations`` what its plan tells. ``batches``: whether it is run by batches in executors,
    where bisecting costs no jobs; ``exclusive``: whether inputs are taken each alone.
    """

    members: tuple[str, ...]
    reads: tuple[str, ...]
    properties: tuple[tuple[Property, ...], ...]
    derivations: tuple[Derivation, ...]
    batches: bool = False
    exclusive: bool = False

    @classmethod
    def of(
        cls,
        name: str,
        reads: Iterable[str],
        properties: Iterable[Iterable[Property]],
        derivations: Iterable[Derivation] | None = None,
        *,
        batches: bool = False,
        exclusive: bool = False,
    ) -> Section:
        """A section of one transformation."""
        names = tuple(reads)
        told = tuple(derivations) if derivations is not None else (UNREAD,) * len(names)
        alone = exclusive and len(names) > 1
        return cls((name,), names, tuple(map(tuple, properties)), told, batches, alone)

    @property
    def name(self) -> str:
        """What its output is called."""
        return self.members[-1]

    @property
    def choices(self) -> tuple[PropertyChoice, ...]:
        """The property used of each read."""
        return tuple(choose(declared, told) for declared, told in zip(self.properties, self.derivations, strict=True))

    @property
    def gathers(self) -> bool:
        """Whether any of it aggregates."""
        return any(told.gathers for told in self.derivations)


def merged(
    sections: Iterable[Section], *, stored: Iterable[str] = (), sizes: Mapping[str, float] | None = None
) -> tuple[Section, ...]:
    """Parts in the order they run, neighbours merged until none is left; what is ``stored`` is not saved by merging.

    ``sizes`` are those of intermediates; without, what is nearer to the sources counts as larger.
    """
    left, kept = list(sections), set(stored)
    place = {section.name: -number for number, section in enumerate(left)}
    weigh: Mapping[str, float] = place if sizes is None else sizes
    while pairs := list(_pairs(left, kept)):
        first, second, made = min(pairs, key=lambda pair: (_rank(pair[2]), -weigh.get(pair[0].name, 0)))
        left = [made if section is second else section for section in left if section is not first]
    return tuple(left)


def _pairs(sections: Sequence[Section], kept: set[str]) -> Iterable[tuple[Section, Section, Section]]:
    for first in sections:
        readers = [(section, read) for section in sections for read in section.reads if read == first.name]
        if len(readers) != 1 or first.name in kept:
            continue
        second, read = readers[0]
        if not (first.exclusive or second.exclusive) and (made := joined(first, second, second.reads.index(read))):
            yield first, second, made


def joined(first: Section, second: Section, at: int) -> Section | None:
    """Two neighbours as one section, where the second reads the first at that place; None if they are better apart."""
    after = second.choices[at]
    if not after.used.wants_input:
        return None  # no intermediate is saved
    new = [_product(first, number, second, at) for number in range(len(first.reads))]
    batches = first.batches and second.batches
    for choice, made in zip(first.choices, new, strict=True):
        if made is None or not _as_good(choice, after, choose(*made).used):
            return None
        # In executors bisecting is free and ends with single rows; by jobs it may end before.
        if choose(*made).used.runs and not batches and _free(choice, first) and _free(after, second):
            return None
    found = [made for made in new if made is not None]
    return replace(
        second,
        members=first.members + second.members,
        reads=(*second.reads[:at], *first.reads, *second.reads[at + 1 :]),
        properties=(*second.properties[:at], *(one for one, _ in found), *second.properties[at + 1 :]),
        derivations=(*second.derivations[:at], *(told for _, told in found), *second.derivations[at + 1 :]),
        batches=batches,
    )


def _product(first: Section, number: int, second: Section, at: int) -> tuple[tuple[Property, ...], Derivation] | None:
    """What is known of an input of the first in both together."""
    before, after = first.choices[number], second.choices[at]
    if before.used == after.used == DERIVED:
        if first.gathers and second.gathers:
            return None
        told = first.derivations[number], second.derivations[at]
        exact = all(one.accuracy == "exact" for one in told)
        return (), Derivation("exact" if exact else "at most", "", first.gathers or second.gathers)
    if DERIVED in (before.used, after.used) or before.accuracy != "exact" or after.accuracy != "exact":
        return None
    made = product(first.properties[number], second.properties[at])
    return ((made,), UNREAD) if made else None


def _as_good(before: PropertyChoice, after: PropertyChoice, made: Property) -> bool:
    return made != NONE and made.rank <= max(before.used.rank, after.used.rank)


def _free(choice: PropertyChoice, section: Section) -> bool:
    """Whether an input is traced without bisecting by jobs."""
    return section.batches or not choice.used.runs


def _rank(section: Section) -> int:
    return max((choice.used.rank for choice in section.choices), default=0)
