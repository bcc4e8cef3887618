"""Functions: what the mapping language has no words for keeps its name, and all its parts (rule Q2).

EXTRACT(YEAR FROM d)         EXTRACT of the text YEAR and D: of MONTH it is another function
core.f(n => s.x)             what the script's own function F gives for X (`Work.inlined`), else F of X
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from mdw.model.tree import Node
from mdw.readers.nodes import call, text
from mdw.readers.sql.hierarchies import from_above, prior
from mdw.readers.sql.lookups import looked_up
from mdw.readers.sql.phrases.oracle_values import CELL
from mdw.readers.sql.scopes import SelectScope, whole_row
from mdw.readers.sql.subqueries import scalar
from mdw.readers.sql.variables import GivenValue, found, key_of, set_by
from mdw.readers.sql.zipped import ZIPS, zipped


def function(one: Any, scope: SelectScope) -> Node:
    """Anything else: a function of all its parts."""
    name, at, anonymous = called(one), scope.work.place(one), isinstance(one, exp.Anonymous)
    if anonymous and name.upper() == "SYS_CONNECT_BY_PATH":
        return _ways(one, scope)
    if anonymous and name == CELL:
        scope.work.unknown("the rules of MODEL")
    # Of some nodes what is said is no node but a text.
    if not anonymous and isinstance(one.args.get("this"), str):
        return call(name, [text(one.this, at)], at)
    if anonymous and name == "PRIOR_OF":
        return prior(scope.work.value(one.expressions[0], scope), scope)
    if name.upper() in ZIPS and len(one.expressions) > 1:
        return zipped(one, scope)
    given_for = _row_of(one, scope) or looked_up(one, scope) or _set_before(one, scope)
    if given_for is not None:
        return given_for
    if anonymous and name.upper() == "MULTIIF" and len(one.expressions) > 2:
        return scope.work.value(_choice(one.expressions), scope)
    parts = list(parts_of(one))
    if isinstance(one, exp.RangeN) and isinstance(one.this, exp.Identifier):
        # Teradata's RANGE_N(d BETWEEN ...): a column, for which there are no parentheses.
        parts[0] = exp.column(one.this.copy())
    if parts and name.upper() in WORDED and isinstance(parts[0], exp.Column) and len(parts[0].parts) == 1:
        parts[0] = exp.Var(this=parts[0].name)
    given = [_argument(part, scope) for part in parts]
    own = None
    if anonymous:
        values = [
            GivenValue(value, _name(part), _variable(part, scope)) for value, part in zip(given, parts, strict=True)
        ]
        own = scope.work.inlined(_path(one), values, scope)
    return own or call(name, given, at)


def _choice(given: list[exp.Expr]) -> exp.Case:
    """ClickHouse's multiIf(c, a, d, b, e) as CASE WHEN c THEN a WHEN d THEN b ELSE e END."""
    pairs = zip(given[::2], given[1::2], strict=False)
    arms = [exp.If(this=test.copy(), true=result.copy()) for test, result in pairs]
    return exp.Case(ifs=arms, default=given[-1].copy() if len(given) % 2 else None)


def _set_before(one: Any, scope: SelectScope) -> Node | None:
    """DuckDB's getvariable('v'): what SET VARIABLE gave it."""
    work = scope.work
    if work.flavour.name != "duckdb" or not isinstance(one, exp.Anonymous) or called(one).upper() != "GETVARIABLE":
        return None
    name = one.expressions[0].name if one.expressions else ""
    return found(key_of(set_by(name), work.naming), scope, name, work.place(one))


def _row_of(one: Any, scope: SelectScope) -> Node | None:
    """VALUE(x) and REF(x) of Oracle, where x is what a table is called: its row, of which VALUE(x).a is a column."""
    if not isinstance(one, exp.Anonymous) or scope.work.flavour.name != "oracle":
        return None
    if called(one).upper() == "TREAT" and len(one.expressions) == 1 and isinstance(one.expressions[0], exp.Alias):
        # TREAT(VALUE(x) AS t) is the same row, as one of another type.
        return scope.work.value(one.expressions[0].this, scope)
    given = one.expressions[0] if len(one.expressions) == 1 else None
    if called(one).upper() not in ("VALUE", "REF") or not isinstance(given, exp.Column) or given.table:
        return None
    relation = scope.relation([scope.work.naming.part(given.this)])
    at = scope.work.place(one)
    return call("ROW", whole_row(relation, scope.work, at), at) if relation is not None else None


WORDED = frozenset(("IDENTITY", "DATE_BUCKET", "GET_FORMAT"))
"""Functions whose first argument is a word, and no column."""


def _name(one: exp.Expr) -> str:
    """The name of the argument that is given a value by name."""
    return one.this.name if isinstance(one, exp.Kwarg | exp.PropertyEQ) else ""


def _variable(one: Any, scope: SelectScope) -> str:
    """The key of the variable that an argument may be."""
    given = one.expression if isinstance(one, exp.Kwarg | exp.PropertyEQ) else one
    return ".".join(map(scope.work.naming.part, given.parts)) if isinstance(given, exp.Column) else ""


def _path(one: exp.Anonymous) -> str:
    """The name of a function with what stands in front of it: core.f."""
    around = one.parent
    if isinstance(around, exp.Dot) and around.expression is one:
        parts = [part for first in around.flatten(unnest=False) for part in getattr(first, "parts", [first])][:-1]
        if all(isinstance(part, exp.Identifier) for part in parts):
            return ".".join([part.sql() for part in parts] + [called(one)])
    return called(one)


NAMED = (exp.Anonymous, exp.AnonymousAggFunc, exp.ParameterizedAgg)
"""Functions that have the name they are written with."""


def called(one: Any) -> str:
    """The name of a function."""
    if isinstance(one, NAMED):
        return one.name if isinstance(one.this, str) else one.this.name
    if isinstance(one, exp.Trim) and one.args.get("position"):
        return {"LEADING": "LTRIM", "TRAILING": "RTRIM"}.get(str(one.args["position"]).upper(), "TRIM")
    return one.sql_name() if isinstance(one, exp.Func) else one.key


def parts_of(one: exp.Expr) -> Iterator[exp.Expr]:
    """Its arguments, and whatever else it is written with."""
    anonymous = isinstance(one, NAMED)
    for key, part in one.args.items():
        if anonymous and key == "this":
            continue
        if isinstance(part, exp.Expr) and key not in ("emits", "return_type"):
            yield part
        elif isinstance(part, list):
            yield from (item for item in part if isinstance(item, exp.Expr))


def _argument(one: Any, scope: SelectScope) -> Node:
    if isinstance(one, exp.Order) and one.this is not None:
        # XMLAGG(a ORDER BY b): B only decides.
        if scope.block is not None:
            scope.block.order += scope.work.values(one.expressions, scope)
        return scope.work.value(one.this, scope)
    # Words and types among the arguments tell functions apart: EXTRACT(YEAR FROM d) is not EXTRACT(MONTH FROM d).
    if isinstance(one, exp.Identifier) and isinstance(one.parent, exp.Anonymous):
        # hierarchyid::Parse(x): there it is a column all the same.
        return scope.work.value(one, scope)
    if isinstance(one, (exp.Var, exp.DataType, exp.Identifier, exp.JSONPath)):
        return text(one.sql() if not isinstance(one, exp.Identifier) else one.name, scope.work.place(one))
    if isinstance(one, exp.Table):
        # A table or a model as BigQuery's functions are given it.
        return scalar(exp.Select(kind="STRUCT", expressions=[exp.Star()], from_=exp.From(this=one.copy())), scope)
    if isinstance(one, (exp.Kwarg, exp.PropertyEQ)):
        return scope.work.value(one.expression, scope)
    return scope.work.value(one, scope)


def _ways(one: Any, scope: SelectScope) -> Node:
    """SYS_CONNECT_BY_PATH: a text of all rows from the root down to this one."""
    given = scope.work.values(one.expressions, scope)
    return call(called(one), [*given, *[from_above(node, scope) for node in given[:1]]], scope.work.place(one))
