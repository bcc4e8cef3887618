"""A mapping's tree as the query that Spark runs for it: what it means, with nothing forgotten (rule T36).

Rules know which values reach which attribute; the tree also knows what an aggregate makes of them.

>>> from mdw.language.mapping import read
>>> text = 'WHEN POPULATING T FROM S POPULATE T.A WITH S.K POPULATE T.B WITH SUM(CASE WHEN S.Q = 4 THEN S.X ELSE 0 END)'
>>> print(tree_query(read(text).trees[0]).text)
SELECT `S`.`K` AS `A`, SUM((CASE WHEN `S`.`Q` = 4 THEN `S`.`X` ELSE 0 END)) AS `B`
FROM {read0} AS `S`
GROUP BY `S`.`K`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mdw.model.errors import InputError
from mdw.model.name import canonical, local_of
from mdw.model.tree import Node
from mdw.render.tree_values import TreeValues, bare, quoted

JOINS = {"SEMI JOIN": "LEFT SEMI JOIN", "ANTI JOIN": "LEFT ANTI JOIN"}
"""Joins that Spark calls otherwise."""


@dataclass(frozen=True)
class TreeQuery:
    """A query of Spark's SQL; ``reads`` tells by its placeholders which entity each of its tables is.

    ``fixed`` are the columns that are copied, constant or grouped by.
    """

    text: str
    reads: Mapping[str, str]
    columns: tuple[str, ...]
    fixed: frozenset[str]


def tree_query(tree: Node, carried: Sequence[str] = ()) -> TreeQuery:
    """The query of a mapping; ``carried`` are columns of the driving row that come along (rule T34).

    InputError for what has no words here: opaque parts, values of programs, orders, and what takes only some rows.
    """
    return _Query(tree, carried).made()


class _Query:
    """One mapping, clause by clause."""

    def __init__(self, tree: Node, carried: Sequence[str]) -> None:
        self._own = {node.role: node for node in tree.children}
        _sayable(self._own)
        population = self._own["population"]
        self._driving = next(one for one in population.children if one.role == "drivingentity")
        self._populates = population.all("populate")
        self._joins = [one for one in tree.children if one.role in ("navigation", "join")]
        self._tables: list[tuple[str, str]] = []
        self._aliases: dict[str, str] = {}
        self._marks: dict[str, tuple[str, Node | None]] = {}
        self._carried = carried
        self._values = TreeValues(self._aliases, self._exists)

    def made(self) -> TreeQuery:
        """The query whole."""
        tables = [self._table(self._driving), *filter(None, map(self._join, self._joins))]
        grouped = "grouping" in self._own or any(self._values.aggregated(one) for one in self._populates)
        groups = list(self._groups(grouped))
        keys = self._keys()
        columns = {bare(local_of(canonical(one.children[0].text))): one for one in self._populates}
        shown = {name: self._column(one, grouped, keys) for name, one in columns.items()}
        alias = self._aliases[self._called(self._driving)[0]]
        carried = {} if grouped else {name: f"{alias}.{quoted(name)}" for name in self._carried}
        listed = ", ".join(f"{value} AS {quoted(name)}" for name, value in (shown | carried).items())
        distinct = "DISTINCT " if "distinct" in self._own else ""
        where = [f"WHERE {self._values.test(self._own['filter'].children[0])}"] if "filter" in self._own else []
        reads = {f"read{place}": entity for place, (entity, _) in enumerate(self._tables)}
        fixed = {name for name, one in columns.items() if self._values.copied(one) or shown[name] in keys}
        text = "\n".join([f"SELECT {distinct}{listed or 1}", f"FROM {tables[0]}", *tables[1:], *where, *groups])
        return TreeQuery(text, reads, (*shown, *carried), frozenset(fixed | set(carried)))

    # -- rows --------------------------------------------------------------------------------------------------------

    def _table(self, node: Node) -> str:
        name, alias = self._read(node)
        return f"{{{name}}} AS {alias}"

    def _read(self, node: Node) -> tuple[str, str]:
        """A table that is read: its placeholder, and the alias under which the query knows it."""
        called, entity = self._called(node)
        base = bare(called.rpartition(".")[2] if "`" not in called else local_of(f"X.{called}"))
        taken = {alias for _, alias in self._tables}
        alias = next(one for one in _numbered(base) if quoted(one) not in taken)
        self._tables.append((entity, quoted(alias)))
        self._aliases[called] = quoted(alias)
        return f"read{len(self._tables) - 1}", quoted(alias)

    def _called(self, node: Node) -> tuple[str, str]:
        """By what name attributes speak of a row, and its entity."""
        entity = canonical(next(one for one in node.children if one.role == "entity").content)
        role = node.first("role")
        return (canonical(role.content) if role else entity), entity

    def _join(self, node: Node) -> str | None:
        if node.role == "navigation":
            target = node.first("toentity")
            assert target is not None
            table = self._table(target)
            pairs = [" = ".join(self._values.value(part) for part in pair.children) for pair in node.all("using")]
            return f"LEFT JOIN {table} ON {' AND '.join(pairs)}"
        kind, condition = node.children[0].role, node.first("condition")
        if kind == "MARK JOIN":
            name, alias = self._read(node)
            self._marks[self._called(node)[0]] = (f"{{{name}}} AS {alias}", condition)
            return None
        table = self._table(node)
        on = f" ON {self._values.test(condition)}" if condition else ""
        return f"{JOINS.get(kind, kind)} {table}{on}"

    def _exists(self, role: str) -> str:
        """Whether a mark join finds a row."""
        table, condition = self._marks[canonical(role)]
        where = f" WHERE {self._values.test(condition)}" if condition else ""
        return f"EXISTS (SELECT 1 FROM {table}{where})"

    # -- groups ------------------------------------------------------------------------------------------------------

    def _keys(self) -> list[str]:
        grouping = self._own.get("grouping")
        return [self._values.value(one) for one in grouping.children if one.role != "SETS"] if grouping else []

    def _groups(self, grouped: bool) -> Iterator[str]:
        grouping = self._own.get("grouping")
        having = [self._values.test(self._own["having"].children[0])] if "having" in self._own else []
        if grouping is not None and grouping.children:
            first = grouping.children[0]
            sets = first.role if first.role in ("ROLLUP", "CUBE") else ""
            keys = ", ".join(self._values.value(one) for one in grouping.children[bool(sets) :])
            yield f"GROUP BY {sets}({keys})" if sets else f"GROUP BY {keys}"
        elif grouping is not None:
            having = having or ["COUNT(*) >= 0"]
        elif grouped:
            # Without GROUP BY, SQL aggregates no rows to one row; a mapping makes no row of none.
            parting = [one for one in self._populates if self._values.parting(one)]
            having += [] if parting else ["COUNT(*) > 0"]
            yield from [f"GROUP BY {', '.join(map(self._values.first, parting))}"] if parting else ()
        if having:
            yield f"HAVING {' AND '.join(having)}"

    def _column(self, populate: Node, grouped: bool, keys: Sequence[str]) -> str:
        if not grouped:
            return self._values.first(populate)
        if "grouping" not in self._own:
            over = self._values.aggregated(populate)
        else:
            over = self._values.aggregated(populate) or not self._values.told(populate, keys)
        return self._values.over_rows(populate) if over else self._values.first(populate)


def _sayable(own: Mapping[str, Node]) -> None:
    if "limit" in own:
        raise InputError("it takes only so many rows, and which is not told")
    if "qualify" in own:
        raise InputError("it asks for values of windows")
    if "distinct" in own and own["distinct"].children[1:]:
        raise InputError("it takes one row of several, and which is not told")
    sets = own["grouping"].children[:1] if "grouping" in own else ()
    if any(one.role.startswith("GROUPING") for one in sets):
        raise InputError("which of its keys make totals is not told")


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base} {number}"
        number += 1
