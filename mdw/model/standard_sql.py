"""Conditions and expressions as standard SQL.

DuckDB takes it as it is, so an answer can be checked against rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mdw.model.collations import collation_of
from mdw.model.expressions import (
    Aggregate,
    Attr,
    Call,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    Variable,
    Window,
)
from mdw.model.function_names import FLOATING
from mdw.model.functions import parameter, whose
from mdw.model.name import parts as name_parts
from mdw.model.text import windowed_text, written
from mdw.model.walks import parts

WORDS = """
    ADD ALL ALTER ANALYSE ANALYZE AND ANTI ANY ARRAY AS ASC ASOF ASYMMETRIC AT AUTHORIZATION BETWEEN BINARY BOTH
    BY CASE CAST CHECK COLLATE COLLATION COLUMN COMMIT CONCURRENTLY CONSTRAINT CREATE CROSS CURRENT_DATE
    CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE DELETE DESC DESCRIBE DISTINCT DO DROP ELSE
    END ESCAPE EXCEPT EXISTS FALSE FETCH FOR FOREIGN FREEZE FROM FULL GLOB GRANT GROUP HAVING IF ILIKE IN INDEX
    INITIALLY INNER INSERT INTERSECT INTO IS ISNULL JOIN LAMBDA LATERAL LEADING LEFT LIKE LIMIT LOCALTIME
    LOCALTIMESTAMP NATURAL NOT NOTHING NOTNULL NULL OFFSET ON ONLY OR ORDER OUTER OVERLAPS PIVOT PIVOT_LONGER
    PIVOT_WIDER PLACING POSITIONAL PRIMARY QUALIFY REFERENCES RETURNING REVOKE RIGHT SELECT SEMI SESSION_USER
    SET SHOW SIMILAR SOME SUMMARIZE SYMMETRIC TABLE TABLESAMPLE THEN TO TRAILING TRANSACTION TRUE UNION UNIQUE
    UNPACK UNPIVOT UPDATE USER USING VALUES VARIADIC VERBOSE WHEN WHERE WINDOW WITH
"""
RESERVED = frozenset(WORDS.split())
"""Words that some database takes for its own where a name should stand."""


@lru_cache(maxsize=1 << 14)
def to_sql(condition: Condition) -> str:
    """A condition as standard SQL, identifiers quoted where they need it.

    >>> from mdw.model.expressions import In
    >>> to_sql(In(Attr("A.X"), (Const("string", "it's"), Const("date", "2015-01-31"))))
    "A.X IN ('it''s', DATE '2015-01-31')"
    """
    # The standard knows <> only.
    return written(condition, expression_sql, "<>")


def expression_sql(expression: Expression) -> str:
    """An expression as standard SQL."""
    return sql_with(expression, [expression_sql(part) for part in parts(expression)])


def computed_sql(op: str, left: str, right: str) -> str:
    """A computation of two SQL texts; division is without remainder lost, and NULL by zero, in every database.

    >>> computed_sql("/", "A.X", "A.Y")
    '(1.0 * A.X / NULLIF(A.Y, 0))'
    """
    # Some databases divide integers without remainder, and some fail on a zero: neither is what the language means.
    return f"(1.0 * {left} / NULLIF({right}, 0))" if op == "/" else f"({left} {op} {right})"


def sql_with(expression: Expression, inner: Sequence[str]) -> str:
    """An expression as standard SQL, the texts of its parts given.

    >>> sql_with(Aggregate("SUM", Attr("A.X")), ["CASE WHEN A.Y = 1 THEN A.X END"])
    'SUM(CASE WHEN A.Y = 1 THEN A.X END)'
    >>> expression_sql(Aggregate("GROUP_CONCAT", Call("", (Attr("A.X"), Const("string", ",")))))
    "GROUP_CONCAT(A.X, ',')"
    >>> expression_sql(Call("EXTRACT", (Const("string", "YEAR"), Attr("A.D"))))
    'EXTRACT(YEAR FROM A.D)'
    """
    match expression:
        case Variable(number):
            return f"#{number}"
        case Attr(name):
            return ".".join(_identifier(part) for part in name_parts(name))
        case Const("string", text):
            return "'" + text.replace("'", "''") + "'"
        case Const("date", text):
            return f"DATE '{text}'"
        case Const("null", _):
            return "NULL"
        case Const(_, text):
            return text
        case Compute(op, _, _):
            return computed_sql(op, *inner)
        case Concat(_):
            return "(" + " || ".join(inner) + ")"
        case Call("SUBSTR", _):
            # The mapping language says from where to where, SQL from where and how many.
            subject, start, end = inner
            if start.isdigit() and end.isdigit():
                # Of a negative length databases make different things; from 3 to 2 there is nothing.
                return f"SUBSTR({subject}, {start}, {max(int(end) - int(start) + 1, 0)})"
            return f"SUBSTR({subject}, {start}, {end} - {start} + 1)"
        case Call(function, _) if parameter(expression) or whose(expression):
            return _placeholder(function)
        case Call(function, _) if function in FLOATING and len(inner) == 2:
            return f"({inner[0]} {FLOATING[function]} {inner[1]})"
        case Call() if collation_of(expression) is not None:
            # Where the text is compared, the database does as its collation says.
            return inner[0]
        case Call("", _):
            return ", ".join(inner)
        case Call(function, arguments):
            if said := _special(function, arguments, inner):
                return said
            called = all(map(_plain, function.split("."))) or function.startswith("EXISTS ")
            return f"{function}({', '.join(inner)})" if called else _placeholder(function)
        case Aggregate(function, _):
            return f"{function}({', '.join(inner)})"
        case Window(_, _):
            return windowed_text(inner[0], inner[1:])


def _special(function: str, arguments: Sequence[Expression], inner: Sequence[str]) -> str:
    """What the standard has words of its own for; "" of all that is a name with arguments."""
    words = [one.text if isinstance(one, Const) else "" for one in arguments]
    match function, len(inner):
        case "EXTRACT", 2 if words[0].isidentifier():
            return f"EXTRACT({words[0]} FROM {inner[1]})"
        case "INTERVAL", 2 if words[1].isidentifier():
            return f"INTERVAL {_counted(words[0], inner[0])} {words[1]}"
        case "INTERVAL", 1:
            return f"INTERVAL {inner[0]}"
        case (("DATE_ADD" | "DATE_SUB"), 2) if _is_interval(arguments[1]):
            return f"({inner[0]} {'+' if function == 'DATE_ADD' else '-'} {inner[1]})"
        case (("DATE_ADD" | "DATE_SUB"), 3) if words[2].isidentifier():
            span = f"INTERVAL {_counted(words[1], inner[1])} {words[2]}"
            return f"({inner[0]} {'+' if function == 'DATE_ADD' else '-'} {span})"
        case "LIKE", 2:
            return f"({inner[0]} LIKE {inner[1]})"
        case "TRY_CAST", 2 if words[1]:
            return f"TRY_CAST({inner[0]} AS {words[1]})"
        case _, 1 if function.startswith("CAST AS "):
            return f"CAST({inner[0]} {function.removeprefix('CAST ')})"
        case _, 1 if function.startswith("FIELD "):
            path = function.removeprefix("FIELD ").split(".")
            return ".".join((f"({inner[0]})", *(one if _plain(one) else _quoted(one) for one in path)))
    return ""


def _counted(word: str, text: str) -> str:
    """How many units an interval has: a constant stands in quotes."""
    return f"'{word}'" if word else f"({text})"


def _is_interval(expression: Expression) -> bool:
    return isinstance(expression, Call) and expression.function == "INTERVAL"


def _placeholder(name: str) -> str:
    """What stands in SQL for a value that it has no words for.

    >>> _placeholder(":LIMIT"), _placeholder(":`1`"), _placeholder(":`?`")
    (':LIMIT', ':_1', ':_')
    """
    plain = re.sub(r"\W+", "_", name).strip("_")
    return f":{plain if _plain(plain) else f'_{plain}'}"


def _plain(name: str) -> bool:
    return name.isidentifier() and name.isascii()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


QUOTED = re.compile(r'"[^"]+"')


def _identifier(part: str) -> str:
    # SQL folds names without quotes, as the mapping language does; quoted are those that would not survive that.
    name = part.strip("`")
    # PostgreSQL's "BAG" beside bag keeps its quotes in its name.
    name = name[1:-1] if QUOTED.fullmatch(name) else name
    return _quoted(name) if part != name or part in RESERVED else part
