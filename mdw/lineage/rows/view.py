"""Ways a row of a mapping comes about, and the variables its values are known by."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from mdw.lineage.steps.belonging import row_of
from mdw.model.expressions import Expression
from mdw.model.rules import Head, Join


@dataclass(frozen=True, slots=True)
class Own:
    """Variable of the row a condition speaks of: the attribute's name within the entity, and its class.

    CORE.B.REGION and the SRC.A.REGION it is copied from are one class and one name, so they are one variable.
    """

    local: str
    number: int


@dataclass(frozen=True, slots=True)
class Partner:
    """Variable of another row that a mapping reads: the driving row or a joined one, seen from the source's."""

    mapping: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Free:
    """Variable of a value nothing is known of, which a mapping puts into several places that conditions speak of."""

    mapping: str
    attribute: str


JoinedRow = tuple[str, str]
"""A row a mapping joins: the mapping and the entity."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Says that a join partner exists; the pairs are (value in the row, attribute of the partner)."""

    mapping: str
    entity: str
    pairs: tuple[tuple[Expression, str], ...]

    @property
    def rows(self) -> frozenset[JoinedRow]:
        """The rows the join finds."""
        return frozenset((self.mapping, row_of(attribute)) for _, attribute in self.pairs)


Settled = tuple[str, int]
"""A target attribute, and the clause that is known to fill it."""


@dataclass(frozen=True)
class RowView:
    """One way a row of a mapping comes about, seen from the row of ``source``: joins present and missing.

    ``settled`` is the attribute whose clause is known although another one aggregates, with that clause's number.
    Reasons ask what would be without some rules: the rows joined are any unless ``joined``, and the target attributes
    in ``free`` may be anything.
    """

    head: Head
    source: str
    present: tuple[Join, ...]
    missing: frozenset[str]
    settled: Settled | None = None
    joined: bool = True
    free: frozenset[str] = frozenset()

    @cached_property
    def key(self) -> Hashable:
        """What tells this view from every other; views with equal keys are interchangeable."""
        present = frozenset(join.entity for join in self.present)
        return self.head.mapping, self.source, present, self.missing, self.settled, self.joined, self.free

    @cached_property
    def merged(self) -> Mapping[str, str]:
        """For each join key the attribute it equals, preferring the source's own."""
        # After T JOIN P ON T.K = P.ID the row's T.K and P.ID are one value: conditions on either speak of one variable.
        found: dict[str, str] = {}
        for join in self.present if self.joined else ():
            for left, right in join.on:
                # Two attributes of the joined row are compared with one another, and no key leads to it.
                if row_of(left) == row_of(right):
                    continue
                a, b = found.get(left, left), found.get(right, right)
                if a != b:
                    keep, gone = (b, a) if row_of(b) == self.source else (a, b)
                    found = {name: keep if value == gone else value for name, value in found.items()}
                    found[gone] = found[left] = found[right] = keep
        return found

    @cached_property
    def upwards(self) -> frozenset[str]:
        """The joined rows from the source up to the driving row: each is looked for by what leads to the source."""
        found = {self.source}
        for join in reversed(self.head.joins):
            if join.entity in found:
                found |= {row_of(left) for left, _ in join.on}
        return frozenset(found)


def ways(head: Head, source: str, mentioned: frozenset[str]) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Every combination of joined entities present and missing that matters to a row seen from ``source``.

    A left join nobody mentions changes nothing; the source itself is present, and so is what it is reached through.
    """
    needed = set(mentioned) | {source}
    # Backwards, so that a join needed by a later one is found to be needed before its own turn comes.
    for join in reversed(head.joins):
        if join.entity in needed:
            needed |= {row_of(left) for left, _ in join.on}
    relevant = [join for join in head.joins if join.entity in needed or join.kind == "inner"]
    # Only an outer join's partner may be missing, and never that of the row one comes from.
    optional = [join.entity for join in relevant if join.kind == "left" and join.entity != source]
    for choice in product((False, True), repeat=len(optional)):
        missing = frozenset(entity for entity, absent in zip(optional, choice, strict=True) if absent)
        if _consistent(relevant, missing):
            yield frozenset(join.entity for join in relevant) - missing, missing


def _consistent(relevant: Iterable[Join], missing: frozenset[str]) -> bool:
    """A join that starts from a missing row is missing too."""
    return all(join.entity in missing or not any(row_of(left) in missing for left, _ in join.on) for join in relevant)
