"""Functions that make several columns of one row, or several rows of it: Hive's and Spark's, DuckDB's UNNEST.

SELECT json_tuple(doc, 'a', 'b'), k FROM s     gives C0, C1, K: INSERT INTO t by position takes three
stack(2, 'x', s.x, 'y', s.y) AS (n, v)         N is 'x' or 'y', V is s.x or s.y
posexplode(tags)                               POS, a number, and COL, an element
SELECT unnest(s.spot)                          X and Y, where SPOT is told to be a STRUCT(x INT, y INT)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from mdw.model.tree import Location, Node
from mdw.readers.nodes import call, field, opaque
from mdw.readers.sql.expressions import value, values
from mdw.readers.sql.functions import called
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.structs import fields_told

DIALECTS = ("hive", "spark2", "spark", "databricks")
NUMBERED = (exp.Posexplode, exp.PosexplodeOuter)
MAPS = (exp.Map, exp.VarMap, exp.StrToMap, exp.MapFromEntries)


def made_of(one: Any, scope: SelectScope) -> list[tuple[str, Node]]:
    """The columns such a function makes, each with what it is called where nobody names it; none if it is no such."""
    if scope.work.flavour.name == "duckdb" and isinstance(one, exp.Explode):
        return _fields_apart(one, scope)
    return [(scope.work.naming.known(name, quoted=False), node) for name, node in _made(one, scope)]


def _made(one: Any, scope: SelectScope) -> list[tuple[str, Node]]:
    if scope.work.flavour.name not in DIALECTS or not isinstance(one, exp.Func):
        return []
    at = scope.work.place(one)
    name = called(one).upper()
    if isinstance(one, exp.Stack):
        return _stacked(one, scope, at)
    if name in ("JSON_TUPLE", "PARSE_URL_TUPLE") and one.expressions:
        whole = value(one.expressions[0], scope)
        parts = [_part(whole, part, name, scope, at) for part in one.expressions[1:]]
        return [(f"c{number}", part) for number, part in enumerate(parts)]
    if isinstance(one, exp.Explode):
        given = value(one.this, scope)
        number = [("pos", call("ORDINAL", (), at))] if isinstance(one, NUMBERED) else []
        if isinstance(one.this, MAPS):
            return [*number, ("key", call("ELEMENT_KEY", [given], at)), ("value", call("ELEMENT", [given], at))]
        return [*number, ("col", call("ELEMENT", [given], at))]
    if name in ("VARIANT_EXPLODE", "VARIANT_EXPLODE_OUTER"):
        given = call("ELEMENT", values(one.expressions, scope), at)
        return [
            ("POS", call("ORDINAL", (), at)),
            ("KEY", call("ELEMENT_KEY", given.children[1:], at)),
            ("VALUE", given),
        ]
    return []


def _fields_apart(one: exp.Explode, scope: SelectScope) -> list[tuple[str, Node]]:
    """The fields of a column that is a struct, and of the structs an array holds where UNNEST goes on into them."""
    at, given = scope.work.place(one), value(one.this, scope)
    deep = any(part.this.name.upper() == "RECURSIVE" for part in one.expressions)
    names = list(fields_told(given, scope, deep=deep))
    if not names and deep:
        names, given = list(fields_told(given, scope, each=True, deep=True)), call("ELEMENT", [given], at)
    shown = scope.work.naming.shown
    return [(name, field(given, shown(name), at)) for name in names]


def is_inline(one: Any, scope: SelectScope) -> bool:
    """Whether it makes a column of each field of an array's structs: INLINE(s.rows)."""
    wanted = scope.work.flavour.name in DIALECTS and isinstance(one, exp.Func)
    return wanted and called(one).upper() in ("INLINE", "INLINE_OUTER")


def _stacked(one: Any, scope: SelectScope, at: Location | None) -> list[tuple[str, Node]]:
    count = one.this
    if not isinstance(count, exp.Literal) or not count.this.isdigit() or not int(count.this):
        return []
    given = values(one.expressions, scope)
    width = -(-len(given) // int(count.this))
    return [(f"col{number}", _one_of(given[number::width], at)) for number in range(width)]


def _one_of(given: Sequence[Node], at: Location | None) -> Node:
    return given[0] if len(given) == 1 else opaque("STACK", given, at)


def _part(whole: Node, part: exp.Expr, name: str, scope: SelectScope, at: Location | None) -> Node:
    if name == "JSON_TUPLE" and isinstance(part, exp.Literal) and part.this:
        return field(whole, part.this, at)
    return call(name, [whole, value(part, scope)], at)
