"""What one mapping says, as values: who fills which attribute from what, and what decides its rows.

Attribute and entity names are canonical strings (see `mdw.model.name`). Everything here is fixed and hashable.

    WHEN POPULATING T FROM S                      Head("m", target="T", driving="S", filter=..., ...)
      POPULATE T.A WITH S.X IF S.Y = 1            Population("m", "T.A", (Clause(Attr("S.X"), S.Y = 1, ...),
                   WITH S.Z                                               Clause(Attr("S.Z"), None, ...)))
    SELECT ROWS WHERE S.K > 0                     the filter of the head

A row of T is made of each row of S for which the filter is true. Its A is S.X where S.Y = 1 is true, else S.Z.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar, get_args

from mdw.model.expressions import Attr, Call, Condition, Const, Expression
from mdw.model.fixed import fixed
from mdw.model.functions import generates
from mdw.model.groups import aggregates
from mdw.model.name import in_role, local_of, plain, row_of
from mdw.model.walks import attributes_of

T = TypeVar("T")

# Kinds and subtypes are OpenLineage's words (column lineage facet): direct where the value flows, else indirect.
Kind = Literal["direct", "indirect"]
Subtype = Literal[
    "IDENTITY",
    "TRANSFORMATION",
    "AGGREGATION",
    "CONDITIONAL",
    "WINDOW",
    "FILTER",
    "JOIN",
    "GROUP_BY",
    "SORT",
]
Policy = Literal["carry", "open", "closed"]
Mode = Literal["active", "passive"]
MODES: tuple[Mode, ...] = get_args(Mode)
POLICIES: tuple[Policy, ...] = get_args(Policy)
# NAVIGATE is a left join. Of a semi join some partner must exist, of an anti join none may, of a mark join EXISTS asks.
JoinKind = Literal["left", "inner", "right", "full", "cross", "semi", "anti", "mark"]

DIRECT: tuple[Subtype, ...] = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


class Source(NamedTuple):
    """An attribute used by a clause (or by a whole mapping), and how.

    ``row`` is the row it is read from where that is not named like its entity (see `mdw.model.name`). ``test`` is what
    a row must meet for its value to be used, where an expression tests within itself: in ``SUM(CASE WHEN T = "a" THEN
    X END)`` the source X has the test ``T = "a"`` (rule Q1).
    """

    attribute: str
    subtype: Subtype
    row: str = ""
    test: Condition | None = None

    @property
    def read_from(self) -> str:
        """The row it is read from."""
        return self.row or row_of(self.attribute)

    @property
    def name(self) -> str:
        """The name by which the rules of its mapping know the attribute."""
        return f"{self.row}.{local_of(self.attribute)}" if self.row else self.attribute


class Clause(NamedTuple):
    """One WITH: its expression, its IF (None: always) with canonical text, its place, the attributes it uses.

    The text is kept beside the condition because reasons quote the rule as the mapping has it, whatever was made of it.
    """

    expression: Expression
    condition: Condition | None
    text: str
    line: int
    column: int
    sources: tuple[Source, ...]

    @property
    def constant(self) -> bool:
        """Whether the mapping itself writes the value: a constant, or something put together of constants only."""
        return self.sourceless and not generates(self.expression)

    @property
    def generated(self) -> bool:
        """Whether the value is made where it is written, of no attribute's: a count, a rank, a clock (rule Q5)."""
        return self.sourceless and generates(self.expression)

    @property
    def sourceless(self) -> bool:
        """Whether the value comes from no attribute."""
        return not any(source.subtype in DIRECT for source in self.sources)


@fixed
class Population:
    """What fills one target attribute in one mapping: the first clause whose condition is true, else NULL."""

    mapping: str
    target: str
    clauses: tuple[Clause, ...]

    @property
    def copied(self) -> str | None:
        """The attribute that it copies, if it does nothing else."""
        first = self.clauses[0]
        if len(self.clauses) == 1 and first.condition is None and isinstance(first.expression, Attr):
            return first.expression.name
        return None


@fixed
class Join:
    """Rows of ``entity`` found by the attribute pairs ``on``: (attribute already in the row, attribute of entity).

    ``rest`` is what else a partner must meet, ``role`` the role it is read in, if it has one, ``written`` the whole
    condition as text where it is more than pairs. ``loose``: texts are equal where a collation nobody told takes them
    for equal.
    """

    entity: str
    kind: JoinKind
    on: tuple[tuple[str, str], ...]
    line: int
    role: str = ""
    rest: Condition | None = None
    written: str = ""
    loose: bool = False

    @property
    def row(self) -> str:
        """The name of the row it joins."""
        return in_role(self.entity, self.role)

    @property
    def mentioned(self) -> frozenset[str]:
        """The attributes it joins by, whatever their roles."""
        rest = attributes_of(self.rest) if self.rest is not None else ()
        return frozenset(map(plain, (*(name for pair in self.on for name in pair), *rest)))

    @property
    def text(self) -> str:
        """What it joins by, as a condition."""
        return self.written or " AND ".join(f"{left} = {right}" for left, right in self.on)

    def mark(self, mapping: str) -> Call:
        """Whether it finds a row, of a mark join: a function of the attributes by which the mapping looks for one."""
        names = [left for left, _ in self.on]
        names += [name for name in attributes_of(self.rest) if row_of(name) != self.row] if self.rest else []
        return Call(f"EXISTS {self.row}", (Const("string", mapping), *map(Attr, unique(names))))


@fixed
class Head:
    """What all populations of one mapping share: ends, joins, row filter, place, and what decides all its rows.

    ``filter_line`` is 0 where there is no filter; ``update``: rows of the target are changed, not made. ``group`` are
    the grouping keys if the mapping names them, none of them for one row of all; ``having`` is what groups, or rows
    with the values of windows, must meet. ``policy`` is what becomes of attributes not populated, where the mapping
    says so, and ``nulls`` are those it closes, by their own names, where it does not close all. ``inner``: the target
    is local to a statement; ``role`` is that of the driving row. ``sets``: rows of a group need not have all keys in
    common (ROLLUP, CUBE, GROUPING SETS); ``picks``: of the rows that meet all the rest only some are taken (LIMIT,
    DISTINCT ROWS ON).
    """

    mapping: str
    target: str
    driving: str
    joins: tuple[Join, ...] = ()
    filter: Condition | None = None
    filter_text: str = ""
    filter_line: int = 0
    update: bool = False
    file: str = ""
    line: int = 1
    sources: tuple[Source, ...] = ()
    role: str = ""
    group: tuple[Expression, ...] | None = None
    having: Condition | None = None
    policy: Policy | None = None
    inner: bool = False
    sets: bool = False
    picks: bool = False
    nulls: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """File and line; its name where nobody knows them."""
        return f"{self.file}:{self.line}" if self.file else self.mapping

    @property
    def row(self) -> str:
        """The name of the driving row."""
        return in_role(self.driving, self.role)

    @property
    def changes_rows(self) -> bool:
        """Whether it takes rows of its target away, or adds those the target has not, whatever these hold (Q38).

        A change carries what it does not set; a deletion sets and carries nothing.
        """
        if self.update:
            return self.policy is None
        return any(join.entity == self.target for join in self.joins)

    def closes(self, attribute: str) -> bool:
        """Whether an attribute it does not populate is NULL, where it closes these; of others nobody knows (Q33)."""
        return not self.nulls or local_of(attribute) in self.nulls


@fixed
class Rules:
    """One mapping as rules: its head and its populations. Derived from the tree, never written by hand."""

    head: Head
    populations: tuple[Population, ...]


def head_sources(
    joins: Iterable[Join],
    filtering: Condition | None,
    populations: Sequence[Population],
    group: Sequence[Expression] | None = None,
    having: Condition | None = None,
) -> tuple[Source, ...]:
    """The attributes that decide every row of a mapping: filter, joins, grouping, and what groups must meet."""
    found = _used("FILTER", [] if filtering is None else [filtering])
    for join in joins:
        found += [Source(plain(name), "JOIN", _row(name)) for pair in join.on for name in pair]
        found += _used("JOIN", [] if join.rest is None else [join.rest])
    if group is None:
        # Without GROUP BY, where one clause aggregates, the expressions of all that do not are the grouping.
        given = [clause.expression for population in populations for clause in population.clauses]
        # Mostly all are attributes: then nothing aggregates.
        grouping = [] if {Attr}.issuperset(map(type, given)) else [one for one in given if not aggregates(one)]
        group = grouping if len(grouping) < len(given) else []
    found += _used("GROUP_BY", group)
    found += _used("FILTER", [] if having is None else [having])
    return unique(found)


def _used(subtype: Subtype, items: Iterable[Expression | Condition]) -> list[Source]:
    return [Source(plain(name), subtype, _row(name)) for item in items for name in attributes_of(item)]


def _row(name: str) -> str:
    """The row of an attribute, where it is not named like its entity."""
    return row_of(name) if "@" in name else ""


def deciding(head: Head) -> Iterator[tuple[Source, str, int]]:
    """The sources of the head with text and line of the filter or the first join that uses each.

    A group or an order has no text.
    """
    # What groups must meet uses attributes too, and is not said.
    filtered = None if head.filter is None or head.having is None else set(map(plain, attributes_of(head.filter)))
    joins = {name: join for join in reversed(head.joins) for name in join.mentioned}
    for source in head.sources:
        join = joins.get(source.attribute) if source.subtype == "JOIN" else None
        if head.filter and source.subtype == "FILTER" and (filtered is None or source.attribute in filtered):
            yield source, head.filter_text, head.filter_line
        else:
            yield source, *((join.text, join.line) if join else ("", head.line))


def aggregating(population: Population) -> bool:
    """Whether any clause of the population aggregates."""
    return any(aggregates(clause.expression) for clause in population.clauses)


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """The items without repetitions, in order of first appearance."""
    return tuple(dict.fromkeys(items))
