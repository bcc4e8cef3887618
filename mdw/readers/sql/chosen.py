"""Columns that a pattern chooses, and what is made of each: COLUMNS of DuckDB and ClickHouse, APPLY.

SELECT COLUMNS('a|b') + 1 FROM s        S is known to have A, B, C: gives A = s.a + 1, B = s.b + 1
SELECT * APPLY(sum) FROM s              of S nothing is known: gives * = sum(s.*), and Z = sum(s.z) to who asks for Z
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from mdw.model.query import ALL
from mdw.model.tree import Node
from mdw.readers.sql.expressions import value
from mdw.readers.sql.matching import names_that
from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.stars import columns_of, pass_on

Wanted = Callable[[str], bool]


class _Chosen(Shape):
    """The columns of an entity that a pattern may choose."""

    def __init__(self, shape: Shape, wanted: Wanted) -> None:
        super().__init__((), complete=shape.complete)
        self._of, self._wanted = shape, wanted

    def has(self, name: str) -> bool | None:
        return self._of.has(name) if name == ALL or self._wanted(name) else False

    def ask(self, name: str) -> None:
        self._of.ask(name)


def each_column(item: Any, scope: SelectScope) -> bool:
    """Give what an item makes of each column that it chooses; False if it chooses none."""
    inner = item.this if isinstance(item, exp.Alias) else item
    if isinstance(inner, exp.Apply):
        inner = exp.Anonymous(this=inner.expression.name, expressions=[_columns(inner.this.copy())])
    found = next((one for one in inner.find_all(exp.Columns) if not one.args.get("unpack")), None)
    if found is None:
        return False
    block, at = scope.block, scope.work.place(item)
    assert block is not None
    wanted, relations = _wanted(found, scope), _relations(found, scope)
    named = item.args["alias"].name if isinstance(item, exp.Alias) else ""
    for relation in relations:
        for name, node in list(columns_of(relation, scope, at)):
            if wanted(name):
                block.output(_called(named, found, name, scope), _made(inner, node, scope), at)
        if not relation.shape.complete:
            pass_on(_each_of(relation, inner, wanted, scope), scope, at, frozenset(relation.shape.columns))
    return True


def laid_out(item: Any, scope: SelectScope) -> Any:
    """An item with columns in the place of *COLUMNS(...): COALESCE(a, b); the item itself if not all are known."""
    several = [one for one in item.find_all(exp.Columns) if one.args.get("unpack")]
    if not several or not all(relation.shape.complete for relation in scope.relations):
        return item
    naming, made = scope.work.naming, item.copy()
    for one in [one for one in made.find_all(exp.Columns) if one.args.get("unpack")]:
        wanted, relations = _wanted(one, scope), _relations(one, scope)
        pairs = [(relation.label, name) for relation in relations for name in relation.shape.columns if wanted(name)]
        columns = [exp.column(naming.shown(name), table=label, quoted=True) for label, name in pairs]
        function = one.parent
        listed = isinstance(function, exp.Func) and function.is_var_len_args and one.arg_key in ("this", "expressions")
        if not columns or not listed:
            return item
        if one.arg_key == "this":
            # COALESCE(*COLUMNS('a|b'), c): the first argument stands apart from the others.
            function.set("expressions", [*columns[1:], *function.expressions])
            del columns[1:]
        one.replace(columns if one.arg_key == "expressions" else columns[0])
    return made


def _columns(one: Any) -> exp.Columns:
    return one if isinstance(one, exp.Columns) else exp.Columns(this=one)


def _each_of(relation: RowSource, inner: Any, wanted: Wanted, scope: SelectScope) -> RowSource:
    """The columns of a relation of which nobody has told, each as it is made into another."""

    def made(name: str) -> Node:
        relation.shape.ask(name)
        if relation.computed is not None:
            return _made(inner, relation.computed(name), scope)
        written = scope.work.naming.written
        return _made(inner, Node("attribute", f"{written(relation.label)}.{written(name)}"), scope)

    shape = _Chosen(relation.shape, wanted)
    return RowSource((), relation.label, shape, relation.entity, made, more=True)


def _made(inner: Any, column: Node, scope: SelectScope) -> Node:
    before, scope.each = scope.each, column
    try:
        return value(inner, scope)
    finally:
        scope.each = before


def _called(named: str, found: Any, name: str, scope: SelectScope) -> str:
    """What a column is called: as it is, by an alias, or by one that has parts of its name: AS 'id_\\1'."""
    naming = scope.work.naming
    if not named:
        return name
    if "\\" in named and isinstance(found.this, exp.Literal):
        match = re.search(found.this.name, naming.shown(name), re.IGNORECASE)
        named = match.expand(re.sub(r"\\+(\d)", r"\\g<\1>", named)) if match is not None else named
    return naming.known(named, quoted=False)


def _relations(found: Any, scope: SelectScope) -> list[RowSource]:
    qualified = found.this if isinstance(found.this, exp.Column) else None
    table = qualified.args.get("table") if qualified is not None else found.args.get("table")
    own = scope.relation([scope.work.naming.part(table)]) if table is not None else None
    return [own] if own is not None else list(scope.relations)


def _wanted(found: Any, scope: SelectScope) -> Wanted:
    """Whether a column may be chosen; of a test by a function of its own nobody says which it takes."""
    naming, chosen = scope.work.naming, found.this
    if isinstance(chosen, exp.Array) and all(isinstance(one, exp.Literal) for one in chosen.expressions):
        listed = {naming.known(one.name, quoted=False) for one in chosen.expressions}
        return lambda name: name in listed
    if isinstance(chosen, exp.Lambda):
        met = names_that(chosen.this)
        return lambda name: met is None or met(naming.shown(name))
    if isinstance(chosen, exp.Literal):
        try:
            pattern = re.compile(chosen.name, re.IGNORECASE)
        except re.error:
            return lambda _: True
        return lambda name: pattern.search(naming.shown(name)) is not None
    mark = chosen.this if isinstance(chosen, exp.Column) else chosen
    left_out = mark.args.get("except_") or () if isinstance(mark, exp.Star) else ()
    without = frozenset(naming.known(one.name, quoted=False) for one in left_out)
    return lambda name: name not in without
