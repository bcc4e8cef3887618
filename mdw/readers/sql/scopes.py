"""Scopes: which relation a column is of.

A column without qualifier is of the relation that has it. Where no schema tells, it is of the only one that may have
it; of several all stay, and that is said (rule Q23). What no relation of a scope has is of the query around it.

    SELECT a FROM s, p        S is known to have A, of P nothing is known      S.A or P.A: both stay
    SELECT a FROM s, p        S is known not to have A, nothing of P           P.A, "deduced"

Nodes of a query around have for a while the role "outer 1", "outer 2", by how far out it is. Each query on the way out
takes those apart that are its own (`nearer`), joins what is left (`adopt`), or passes them on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mdw.model.name import canonical, local_of, row_of
from mdw.model.query import ALL
from mdw.model.tree import Location, Node
from mdw.readers.nodes import attribute, call, opaque
from mdw.readers.sql.levels import OUTER, attributes, outside
from mdw.readers.sql.naming import ends_with
from mdw.readers.sql.shapes import Shape

if TYPE_CHECKING:
    from sqlglot import exp

    from mdw.readers.sql.building import Building
    from mdw.readers.sql.work import Work

PSEUDO_WORDS = """
    ROWNUM ROWID LEVEL SYSDATE SYSTIMESTAMP USER CURRENT_DATE CURRENT_TIMESTAMP CURRENT_TIME CURRENT_USER NEXTVAL
    CURRVAL _PARTITIONTIME _PARTITIONDATE CONNECT_BY_ISLEAF CONNECT_BY_ISCYCLE SESSION_USER LOCALTIMESTAMP
    SQLCODE SQLERRM SQLSTATE SQLROWCOUNT SQLFOUND SQLNOTFOUND ROW_COUNT ACTIVITY_COUNT ACTIVITYCOUNT ERRORCODE
    MESSAGE_TEXT RETURNED_SQLSTATE MYSQL_ERRNO PG_CONTEXT PG_EXCEPTION_DETAIL PG_EXCEPTION_HINT PG_EXCEPTION_CONTEXT
    TG_NAME TG_WHEN TG_LEVEL TG_OP TG_RELID TG_RELNAME TG_TABLE_NAME TG_TABLE_SCHEMA TG_NARGS TG_ARGV
"""
PSEUDO = frozenset(PSEUDO_WORDS.split())
HIDDEN = frozenset(
    """
    _METADATA INPUT__FILE__NAME BLOCK__OFFSET__INSIDE__FILE _TABLE_SUFFIX _PARTITIONTIME _PARTITIONDATE _FILE_NAME _PART
    _PARTITION_ID _PART_OFFSET _FILE _PATH _TABLE _DATABASE _SHARD_NUM CTID XMIN XMAX CMIN CMAX TABLEOID
    """.split()  # noqa: SIM905
)
"""Columns that tables have and nobody tells: of the file, the part or the partition that a row is in."""
NUMBERS = frozenset(("ROWID", "_ROWID_", "OID", "ORA_ROWSCN", "IDENTITYCOL", "ROWGUIDCOL", "FILENAME"))
"""Names by which a table's rows, where the table has no such column, are asked for their number or their file."""
OF_STREAMS = HIDDEN | frozenset(
    "_TOPIC _KEY _OFFSET _TIMESTAMP _TIMESTAMP_MS _PARTITION _HEADERS _RAW_MESSAGE _ERROR _SIZE _TIME".split()  # noqa: SIM905
)
"""In ClickHouse those of messages and files besides."""
OF_TABLES = frozenset(("_TABLE_SUFFIX", "_PARTITIONTIME", "_PARTITIONDATE", "_FILE_NAME"))
"""Columns that BigQuery gives to tables, and to no element of an array."""
WHOLE_ROWS = ("bigquery", "postgres", "materialize", "risingwave", "duckdb")
OWN = ("`local`",)
"""What Exasol's local.x is read as: a name of the SELECT itself."""
ACTION = "`$action`"
"""What a MERGE in T-SQL did with a row."""
RESERVED = frozenset(("ROWNUM", "ROWID", "SYSDATE", "SYSTIMESTAMP", "LEVEL", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE"))
"""Those that no column of Oracle's can be called."""
OF_HIERARCHIES = frozenset(("LEVEL", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE"))
"""What CONNECT BY tells of each row."""


@dataclass(eq=False)
class RowSource:
    """What stands in a FROM: ``names`` by which columns are qualified, ``label`` their prefix in attributes.

    A relation that is computed, of an array or by a function, has ``computed``, which gives its columns' values.
    ``more``: it gives others besides, though its columns are computed. ``merged`` are columns that USING made one with
    another's, ``deduced`` those that somebody wrote as its own: from then on it has them. ``element`` is what BigQuery
    calls the elements of an array: where they are structs a star gives their fields, and not them. ``missing`` gives
    the value of a column where no row was joined, if that is not NULL.
    """

    names: tuple[tuple[str, ...], ...]
    label: str
    shape: Shape
    entity: str = ""
    computed: Callable[[str], Node] | None = None
    merged: set[str] = field(default_factory=set)
    deduced: set[str] = field(default_factory=set)
    more: bool = False
    hidden: frozenset[str] = HIDDEN
    element: str = ""
    missing: Callable[[str, Node], Node] | None = None

    def has(self, name: str) -> bool | None:
        """Whether it has a column; what was found to be its before, it has."""
        if self.computed is not None and name in OF_TABLES:
            return False
        if name in self.deduced:
            return True
        known = self.shape.has(name)
        return None if known is False and self.hides(name) else known

    def hides(self, name: str) -> bool:
        """Whether a name may be of a column that the database gives to each table, and no list tells (rule Q33)."""
        return bool(self.entity) and (name in self.hidden or name.startswith(("`$", "`METADATA$")))

    def matches(self, qualifier: tuple[str, ...]) -> bool:
        """Whether a qualifier means this relation."""
        length = -len(qualifier)
        return qualifier in self.names or any(name[length:] == qualifier for name in self.names)


@dataclass(eq=False)
class Star:
    """A star that could not be expanded: of which relation, and the columns it leaves out."""

    relation: RowSource
    without: frozenset[str]
    location: Location | None

    def may_give(self, name: str) -> bool:
        """Whether the star may stand for the column."""
        return name not in self.without and self.relation.has(name) is not False


class SelectScope:
    """The relations a SELECT reads, and what else its names may mean."""

    def __init__(self, work: Work, parent: SelectScope | None = None, block: Building | None = None) -> None:
        self.work, self.parent = work, parent
        self.relations: list[RowSource] = []
        self.tables: dict[str, tuple[str, Shape]] = {}
        self.aliases: dict[str, Node] = {}
        # What the SELECT gives under a name of its own, where ON may say that name: it is read before the columns are.
        self.items: dict[str, exp.Expr] = {}
        self.merged: dict[str, Node] = {}
        self.bound: set[str] = set()
        self.block = block
        # What a name means first: "column"; "row" in WHERE, "either" where groups are asked, "alias" in ORDER BY.
        self.prefer = "column"
        # The column that COLUMNS stands for, one after the other.
        self.each: Node | None = None
        self.windows: Mapping[str, object] = {}
        self.hierarchical = False
        # Of CONNECT BY: by what relations are called, the role of the row above and that of some row above.
        self.above: dict[str, str] = {}
        self.ancestors: dict[str, str] = {}
        # Of the body of a function: the query that calls it, whose columns its arguments hold.
        self.caller: SelectScope | None = None

    # -- tables -----------------------------------------------------------------------------------------------------

    def table(self, name: str) -> tuple[str, Shape] | None:
        """The CTE of that name, here or around."""
        scope: SelectScope | None = self
        while scope is not None:
            if name in scope.tables:
                return scope.tables[name]
            scope = scope.parent
        return None

    def around(self) -> Iterator[tuple[int, SelectScope]]:
        """This scope and those around it, each with how far it is."""
        yield 0, self
        scope, distance = self.parent, 1
        while scope is not None:
            # Somebody looks further out: blocks must be searched for what they mention there (see `adopt`).
            self.work.correlated = True
            yield distance, scope
            scope, distance = scope.parent, distance + 1

    def visible(self) -> Iterator[RowSource]:
        """The relations of this scope and of those around it, the nearest first."""
        return (one for _, scope in self.around() for one in scope.relations)

    def standing(self, level: int) -> SelectScope | None:
        """The scope so much further out; what the body of a function has from there is the caller's."""
        scope: SelectScope | None = self
        for _ in range(level):
            scope = scope.caller or scope if scope is not None else None
            scope = scope.parent if scope is not None else None
        return scope.caller or scope if scope is not None else None

    # -- columns ----------------------------------------------------------------------------------------------------

    def column(self, name: str, qualifier: Sequence[str], at: Location | None) -> Node | None:
        """The value of a column; None where nothing has it."""
        if not qualifier:
            return self._bare(name, at)
        if tuple(qualifier) == OWN and name in self.aliases and self.work.flavour.name == "exasol":
            return self.aliases[name]
        # A table's name that its alias hides may be that of a row around, which has none.
        for meaning in (SelectScope.called, SelectScope.relation):
            for distance, scope in self.around():
                relation = meaning(scope, qualifier)
                if relation is not None:
                    relation.deduced.add(name)
                    return _of(relation, name, distance, at, self.work)
        return None

    def untold(self, name: str, at: Location | None) -> list[Node]:
        """A column that no relation is known to have: the nearest tables', if what tells of these may be old."""
        if self.work.flavour.name == "oracle":
            # There it may be a function as well, called without parentheses.
            return []
        for distance, scope in self.around():
            tables = [one for one in scope.relations if one.entity and self.work.dictionary.is_outside(one.shape)]
            if tables:
                return [_of(one, name, distance, at, self.work) for one in tables]
        return []

    def candidates(self, name: str) -> list[RowSource]:
        """The relations that may have a column: those that were found to have it before, else all that may."""
        found = [one for one in self.relations if one.has(name)]
        return found or [one for one in self.relations if one.has(name) is None]

    def relation(self, qualifier: Sequence[str]) -> RowSource | None:
        """The relation of this scope that a qualifier means."""
        found = self.called(qualifier)
        if found is not None:
            return found
        # SQL hides a table's name behind its alias; some databases and many people do not.
        return next((one for one in self.relations if one.entity and ends_with(one.entity, qualifier)), None)

    def called(self, qualifier: Sequence[str]) -> RowSource | None:
        """The relation of this scope that is called so."""
        wanted = tuple(qualifier)
        return next((one for one in self.relations if one.matches(wanted)), None)

    def _bare(self, name: str, at: Location | None) -> Node | None:
        """A column without qualifier: the nearest query that surely has it, and all nearer ones that may."""
        # Most names are of a relation of the query itself, where none around it is asked.
        found = self._here(name, at, 0)
        if found is not None:
            return found
        doubtful: list[tuple[int, list[RowSource]]] = []
        for distance, scope in self.around():
            found = scope._here(name, at, distance) if distance else None
            if found is not None:
                return self._among(name, found, doubtful, at)
            unknown = scope.candidates(name) if not self._reserved(name) else []
            named = scope.row(name)
            if named is not None:
                row = call("ROW", [outside(one, distance) for one in whole_row(named, self.work, at)], at)
                row = self.work.fields.named(row, named.shape.columns)
                # SELECT region FROM core.region: a column of that name would go before. An alias of a table is no such
                # name; that of a function is mostly that of what it gives.
                alike = not named.entity or local_of(named.entity) == name
                return self._among(name, row, [*doubtful, (distance, unknown)], at) if alike else row
            if unknown:
                doubtful.append((distance, unknown))
        # No query surely has it: people mean the nearest that may.
        if doubtful:
            # UNNEST(items) AS i: people call its fields i.price, so a plain name may well be of the query around.
            near = next(
                (n for n, (_, some) in enumerate(doubtful, 1) if not all(_is_called(one) for one in some)), None
            )
            return self._among(name, None, doubtful[:near], at)
        return call(name, (), at) if name in PSEUDO or name == ACTION else None

    def _deduce(self, name: str, relation: RowSource) -> None:
        """That a column is a table's, because nothing else that is read can have it (rule Q23)."""
        # Of one relation there was no choice, and nothing to say.
        several = sum(len(scope.relations) for _, scope in self.around()) > 1
        if several and relation.entity and relation.entity not in self.work.inner_entities:
            self.work.deduced[f"{relation.entity}.{name}"] = None

    def row(self, name: str) -> RowSource | None:
        """The relation of that name, where that stands for its whole row; a function's where its columns are known."""
        if self.work.flavour.name not in WHOLE_ROWS:
            return None
        some = (one for one in self.relations if one.matches((name,)))
        return next((one for one in some if one.entity or not one.computed or one.shape.complete), None)

    def numbered(self, number: int, qualifier: Sequence[str], at: Location | None) -> Node | None:
        """Snowflake's $1, the first column of a relation; of files nobody knows what they are called."""
        named = self.relation(qualifier) if qualifier else self.relations[0] if len(self.relations) == 1 else None
        if named is None:
            return None
        columns = list(named.shape.columns) if named.shape.complete else []
        return _of(named, columns[number - 1] if number <= len(columns) else f"`${number}`", 0, at, self.work)

    def _reserved(self, name: str) -> bool:
        told = OF_HIERARCHIES if self.hierarchical else ()
        return name == ACTION or name in told or (name in RESERVED and self.work.flavour.name == "oracle")

    def _here(self, name: str, at: Location | None, distance: int) -> Node | None:
        """The value where this scope surely has the name."""
        if name in self.merged:
            return outside(self.merged[name], distance)
        if self.prefer == "alias" and name in self.aliases:
            return outside(self.aliases[name], distance)
        # UNNEST(hits) AS hits: the element goes before the array, which is called alike.
        for one in self.relations:
            if one.computed is not None and (name,) in one.names and one.shape.has(name):
                return _of(one, name, distance, at, self.work)
        # What is only deduced in a query around is no more certain there than it is here.
        sure = [one for one in self.relations if one.shape.complete] if distance else self.relations
        known = [one for one in sure if one.has(name)]
        if len(known) == 1:
            return _of(known[0], name, distance, at, self.work)
        if known:
            self.work.unknown(self.work.naming.shown(name))
            return opaque(name, [_of(one, name, distance, at, self.work) for one in known], at)
        # SELECT x + 1 AS a ... GROUP BY a: the alias, unless a table may have a column A, which goes before.
        if distance == 0 and self._is_alias(name):
            unsure = [one for one in self.relations if one.has(name) is None]
            if not unsure or self.prefer == "either" or (self.work.flavour.lateral and self.prefer != "row"):
                return self.aliases[name]
            if self.prefer == "row" and self.work.flavour.aliased_rows:
                # A column of a table goes before; nobody knows whether there is one.
                given = [one for one in attributes(self.aliases[name]) if one.role == "attribute"]
                return opaque(name, [*[_of(one, name, distance, at, self.work) for one in unsure], *given], at)
        return None

    def _is_alias(self, name: str) -> bool:
        """Whether a name is that of a column that the SELECT gives, which is read now if ON speaks of it first."""
        item = self.items.pop(name, None) if name not in self.aliases else None
        if item is not None:
            self.aliases[name] = self.work.value(item, self)
        return name in self.aliases

    def _among(
        self, name: str, sure: Node | None, doubtful: Iterable[tuple[int, list[RowSource]]], at: Location | None
    ) -> Node:
        """Of those that may have the name all stay; an only one is it."""
        candidates = [(distance, one) for distance, unknown in doubtful for one in unknown]
        values = [_of(one, name, distance, at, self.work) for distance, one in candidates]
        values += [] if sure is None else [sure]
        if len(values) == 1:
            for _, one in candidates:
                one.deduced.add(name)
                self._deduce(name, one)
            return values[0]
        self.work.unknown(self.work.naming.shown(name))
        return opaque(name, values, at)


def _is_called(relation: RowSource) -> bool:
    """Whether a relation is of an array's elements that have a name of their own."""
    return relation.computed is not None and not relation.entity and bool(relation.names)


def _of(relation: RowSource, name: str, distance: int, at: Location | None, work: Work) -> Node:
    """A relation's column as a node."""
    relation.shape.ask(name)
    made = relation.computed is None and relation.shape.has(name) is False
    if made and (relation.hides(name) or name in NUMBERS):
        # Where all columns are known it is none of them: the database makes it.
        return call(name.strip("`$").replace("$", "_"), (), at)
    if relation.computed is not None:
        return outside(relation.computed(name), distance)
    content = f"{work.naming.written(relation.label)}.{work.naming.written(name)}"
    if relation.missing is not None and name != ALL:
        return outside(relation.missing(name, attribute(content, at)), distance)
    return Node(f"{OUTER} {distance}", content, (), at) if distance else attribute(content, at)


def seen_from(relation: RowSource, distance: int, work: Work, at: Location | None) -> RowSource:
    """A relation as a query sees it that stands so much further in."""
    if not distance:
        return relation
    more = not relation.shape.complete
    return replace(relation, computed=lambda name: _of(relation, name, distance, at, work), more=more)


def from_call(value: Node, scope: SelectScope) -> Node:
    """What an argument holds, as a query in the body of its function calls it: ``ARRAY(SELECT x FROM UNNEST(a) x)``."""
    if next(attributes(value), None) is None:
        return value
    return outside(value, sum(1 for _ in scope.around()) - 1)


def whole_row(relation: RowSource, work: Work, at: Location | None) -> list[Node]:
    """The columns of a relation that are known, and where others may be all it has."""
    names = [name for name in relation.shape.columns if name != ALL]
    known = [_of(relation, name, 0, at, work) for name in names]
    return known if relation.shape.complete else [*known, everything(relation, work, at)]


def everything(relation: RowSource, work: Work, at: Location | None) -> Node:
    """All columns of a relation as one attribute (rule Q22)."""
    return _of(relation, ALL, 0, at, work)


def label_of(value: Node) -> str:
    """The label of the relation an attribute is of."""
    return row_of(canonical(value.content))
