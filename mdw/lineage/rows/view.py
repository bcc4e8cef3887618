"""Ways a row of a mapping comes about, and the variables its values are known by."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from mdw.lineage.rows.ways import NO_JOINS, Way
from mdw.model.expressions import Aggregate, Condition, Expression
from mdw.model.name import row_of
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
    """Variable of another row that a mapping reads: the driving row or a joined one, seen from the source's.

    The attribute has the name by which the mapping's rules know it, with the role of its row.
    """

    mapping: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Free:
    """Variable of a value nothing is known of, which a mapping puts into several places that conditions speak of."""

    mapping: str
    attribute: str


JoinedRow = tuple[str, str]
"""A row a mapping joins: the mapping and the row's name, its entity with its role."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Says that a join partner exists; the pairs are (value in the row, attribute of the partner)."""

    mapping: str
    row: str
    pairs: tuple[tuple[Expression, str], ...]

    @property
    def rows(self) -> frozenset[JoinedRow]:
        """The rows the join finds."""
        return frozenset((self.mapping, row_of(attribute)) for _, attribute in self.pairs)


Part = tuple[Literal["filter", "join", "population"], str, str]
"""A part of what a mapping says: its filter, its joins, or what it puts into the attribute named last."""
NOTHING_OFF: frozenset[Part] = frozenset()
Box = Mapping[str, int]
"""Rows of an entity: for each attribute, by its own name, the value set it lies in; of others any value."""


class Existing(Protocol):
    """What rows can exist (`mdw.lineage.rows.existing`)."""

    def rows(self, entity: str, off: frozenset[Part] = NOTHING_OFF) -> Sequence[Box] | None:
        """Boxes that together hold all rows an entity can have, None for any; ``off``: parts that say nothing."""

    def parts(self, entity: str) -> frozenset[Part]:
        """The parts of mappings on which that rests."""


class Anything:
    """Any rows at all."""

    def rows(self, _entity: str, _off: frozenset[Part] = NOTHING_OFF) -> None:
        """Any."""

    def parts(self, _entity: str) -> frozenset[Part]:
        """None."""
        return NOTHING_OFF


ONE_ROW = (NO_JOINS, True, frozenset[str](), None, None, NOTHING_OFF, None, True, "", None)
"""What else a view's key would say of a row that is made of one row and asked for no reasons."""
Settled = tuple[str, int]
"""A target attribute, and the clause that is known to fill it."""


@dataclass(frozen=True)
class RowView:
    """One way a row of a mapping comes about, seen from the row of ``source``.

    ``settled`` is an attribute and the number of the clause known to fill it: with ``N WITH 1 IF S.T = "a" WITH
    SUM(S.X)`` nothing is known of N in general, but who came by the first clause knows that it is 1.
    ``test`` is what the row must meet for its value to be used within an expression. With ``keys`` the row made is
    another one of the partition: only what is a function of the keys is the same in both (rule Q16). What the
    aggregation ``picked`` gives is the row's own value (rule Q14).

    Reasons ask what would be without some rules: the rows joined are any unless ``joined``, and the target attributes
    in ``free`` may be anything. With parts of rules ``off`` the rows joined may be such as these would not let exist.
    Unless ``bound``, rows of the same group or partition may be any.

    With ``other`` it is the view of another row of that group or partition, by that name, beside the row of ``beside``.
    """

    head: Head
    source: str
    way: Way
    settled: Settled | None = None
    joined: bool = True
    free: frozenset[str] = frozenset()
    test: Condition | None = None
    keys: tuple[Expression, ...] | None = None
    off: frozenset[Part] = NOTHING_OFF
    picked: Aggregate | None = None
    bound: bool = True
    other: str = ""
    beside: RowView | None = None

    @cached_property
    def key(self) -> Hashable:
        """What tells this view from every other; views with equal keys are interchangeable."""
        # Most rows are made of one row and no more; their keys are looked up again and again, so they are short.
        beside = self.beside.key if self.beside is not None else None
        settings = self.way, self.joined, self.free, self.test, self.keys, self.off, self.picked
        more = *settings, self.bound, self.other, beside
        return self.head.mapping, self.source, self.settled, None if more == ONE_ROW else more

    @cached_property
    def present(self) -> tuple[Join, ...]:
        """The joins that have found a row."""
        return tuple(join for join in self.head.joins if join.row in self.way.met)

    @cached_property
    def loose(self) -> bool:
        """Whether joins may take texts for equal that differ."""
        return any(join.loose for join in self.present)

    @cached_property
    def rows(self) -> frozenset[str]:
        """The rows that are there."""
        return (self.way.met | self.way.alone | {self.head.row}) - self.missing

    @cached_property
    def missing(self) -> frozenset[str]:
        """The rows that are not there: their attributes are NULL, all together (rule Q9)."""
        return self.way.unmet | self.way.gone

    @cached_property
    def hands_on(self) -> bool:
        """Whether what the mapping copies from the source's row is told by the rules alone."""
        # A join may give an attribute another name (`merged`) or make it NULL. In groups and partitions the value that
        # a copy shows may be that of another row.
        return not self.way.met and not self.missing and self.keys is None and self.head.group is None

    @cached_property
    def merged(self) -> Mapping[str, str]:
        """For each join key the attribute it equals, preferring the source's own."""
        # After T JOIN P ON T.K = P.ID the row's T.K and P.ID are one value: conditions on either speak of one variable.
        found: dict[str, str] = {}
        for left, right, nearer in self._equal() if self.joined else ():
            a, b = found.get(left, left), found.get(right, right)
            if a != b:
                # Conditions are carried on to the source's row: all that can be said of its attributes should be. Of
                # two other rows the one that the source leads to first is what the other is found by.
                own = row_of(b) == self.source or (nearer and row_of(a) != self.source)
                keep, gone = (b, a) if own else (a, b)
                found = {name: keep if value == gone else value for name, value in found.items()}
                found[gone] = found[left] = found[right] = keep
        return found

    def _equal(self) -> Iterator[tuple[str, str, bool]]:
        """The attributes that joins compare, and whether the source leads to the second one's row before the first."""
        # Where two attributes of the joined row are compared with one another, no key leads to it.
        for join in self.present:
            for left, right in join.on:
                if row_of(left) != row_of(right):
                    yield left, right, join.row in self.upwards and row_of(right) == join.row

    @cached_property
    def upwards(self) -> frozenset[str]:
        """The joined rows from the source up to the driving row: each is looked for by what leads to the source.

        ``S JOIN P ON S.K = P.K JOIN Q ON P.L = Q.L JOIN R ON S.M = R.M`` seen from Q: Q, P and S, but not R.
        """
        found = {self.source}
        for join in reversed(self.head.joins):
            if join.row in found:
                found |= {row_of(left) for left, _ in join.on}
        return frozenset(found)
