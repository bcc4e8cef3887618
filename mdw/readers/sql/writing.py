"""Standard SQL of conditions -> the same in a database's own words.

Conditions are written in the SQL of the standard (`mdw.model.text`), functions by the names that sqlglot knows them by;
here they become what a database runs.

>>> in_dialect("EXTRACT(YEAR FROM S.D) = 2020 AND S.B = TRUE", "tsql")
'DATEPART(YEAR, S.D) = 2020 AND S.B = 1'
>>> in_dialect("(S.D + INTERVAL '3' DAY) > DATE '2020-01-01'", "sqlite")
"(DATE(S.D, '3 DAY')) > '2020-01-01'"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel, SqlglotError

from mdw.model.standard_sql import RESERVED
from mdw.readers.sql.dialects import Flavour, flavour_of

PARTS = {"YEAR": "%Y", "MONTH": "%m", "DAY": "%d", "HOUR": "%H", "MINUTE": "%M", "WEEK": "%W", "DOW": "%w", "DOY": "%j"}
"""What SQLite calls the parts of a day."""
BEGINNINGS = {"YEAR": "start of year", "MONTH": "start of month", "DAY": "start of day"}


def in_dialect(text: str, dialect: str) -> str:
    """A condition of standard SQL in a dialect; InputError if there is none of that name.

    What the dialect has no words for keeps those of the standard, and so does a text that is no SQL at all: opaque
    parts of a script are told as they stand there.
    """
    flavour = flavour_of(dialect)
    if type(flavour.parser) is Dialect:
        return text
    try:
        tree = sqlglot.parse_one(text)
    except (SqlglotError, RecursionError):
        return text
    rewritten = tree.transform(lambda one: _rewritten(one, flavour), copy=False)
    return rewritten.sql(dialect=flavour.parser, unsupported_level=ErrorLevel.IGNORE)


def _rewritten(one: exp.Expr, flavour: Flavour) -> exp.Expr:
    """A part of a condition as the dialect's writer wants it."""
    for rewrite in (_folding, _dividing, _moving, _asking, _trusting):
        found = rewrite(one, flavour)
        if found is not None:
            return found
    arm = ARMS.get(flavour.name, {}).get(type(one))
    written = arm(one) if arm else one
    if isinstance(written, exp.Func) and not isinstance(written, exp.Anonymous) and not _has_words(written, flavour):
        return exp.Anonymous(this=written.sql_name(), expressions=[part for part in written.args.values() if part])
    return written


def _folding(one: exp.Expr, flavour: Flavour) -> exp.Expr | None:
    """A name in quotes that the standard needs: in quotes it no longer folds by itself."""
    if isinstance(one, exp.Identifier) and one.quoted and flavour.folding == "lower" and one.name in RESERVED:
        return exp.to_identifier(one.name.lower(), quoted=True)
    return None


def _dividing(one: exp.Expr, flavour: Flavour) -> exp.Expr | None:
    """Division that loses the remainder; DIVIDE is that of dialects where / does so by itself."""
    if not isinstance(one, exp.Anonymous) or one.name.upper() not in ("DIVIDE", "INTDIV") or len(one.expressions) != 2:
        return None
    left, right = one.expressions
    if flavour.parser.TYPED_DIVISION and one.name.upper() == "DIVIDE":
        return exp.paren(exp.Div(this=left, expression=right, typed=True))
    return exp.paren(exp.IntDiv(this=left, expression=right))


def _moving(one: exp.Expr, flavour: Flavour) -> exp.Expr | None:
    """A day and an interval, where the dialect has a function to add them."""
    if not isinstance(one, (exp.Add, exp.Sub)) or not isinstance(one.expression, exp.Interval) or flavour.name in KEPT:
        return None
    given = {"this": one.this, "expression": one.expression.this, "unit": one.expression.args.get("unit")}
    if isinstance(one, exp.Add):
        return exp.DateAdd(**given)
    return _earlier(one.expression, one.this) if flavour.name == "sqlite" else exp.DateSub(**given)


KEPT = frozenset(("oracle", "plsql", "duckdb", "postgres", "postgresql"))
"""Dialects that add an interval to a day by +."""


def _asking(one: exp.Expr, _: Flavour) -> exp.Expr | None:
    """NOT x IS NULL as people write it."""
    if isinstance(one, exp.Not) and isinstance(one.this, exp.Is) and isinstance(one.this.expression, exp.Null):
        return exp.Is(this=one.this.this, expression=exp.Not(this=exp.Null()))
    return None


def _trusting(one: exp.Expr, flavour: Flavour) -> exp.Expr | None:
    """A value of which it is not known whether it is a truth or a number, asked for both: asked as its database does.

    ``x = 0 OR x = FALSE`` is ``NOT x``, or ``x = 0`` where there are no truths; few databases compare with either.
    """
    if not isinstance(one, (exp.And, exp.Or)) or isinstance(one.parent, type(one)):
        return None
    compared = exp.NEQ if isinstance(one, exp.And) else exp.EQ
    parts = list(one.flatten(unnest=False))
    zero, false = exp.Literal.number(0), exp.false()
    for part in parts:
        if not isinstance(part, compared) or part.expression != zero:
            continue
        other = compared(this=part.this.copy(), expression=false)
        if other not in parts:
            continue
        asked = part if flavour.name in NO_TRUTHS else part.this if compared is exp.NEQ else exp.not_(part.this)
        rest = [asked if one is part else one for one in parts if one != other]
        return exp.and_(*rest, copy=False) if isinstance(one, exp.And) else exp.or_(*rest, copy=False)
    return None


NO_TRUTHS = frozenset(("tsql", "mssql", "sqlserver", "synapse", "fabric", "oracle", "plsql"))
"""Dialects whose columns hold no TRUE."""


def _has_words(one: exp.Func, flavour: Flavour) -> bool:
    return bool(one.sql(dialect=flavour.parser, unsupported_level=ErrorLevel.IGNORE).strip())


# -- SQLite, whose days are texts --------------------------------------------------------------------------------------


def _day(one: Any) -> exp.Expr:
    """A constant day."""
    return one.this if one.is_type("date") and isinstance(one.this, exp.Literal) else one


def _part(one: Any) -> exp.Expr:
    sign = PARTS.get(one.name.upper())
    text = exp.Anonymous(this="STRFTIME", expressions=[exp.Literal.string(sign or ""), one.expression])
    return exp.cast(text, "integer") if sign else one


def _beginning(one: Any) -> exp.Expr:
    start = BEGINNINGS.get(one.text("unit").upper())
    return exp.Anonymous(this="DATE", expressions=[one.this, exp.Literal.string(start)]) if start else one


def _earlier(span: Any, day: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="DATE", expressions=[day, exp.Literal.string(f"-{span.name} {span.text('unit')}")])


def _left(one: Any) -> exp.Expr:
    return exp.Substring(this=one.this, start=exp.Literal.number(1), length=one.expression)


ARMS: Mapping[str, Mapping[type[exp.Expr], Callable[[Any], exp.Expr]]] = {
    "sqlite": {
        exp.Cast: _day,
        exp.Extract: _part,
        exp.TimestampTrunc: _beginning,
        exp.DateTrunc: _beginning,
        exp.Left: _left,
    }
}
