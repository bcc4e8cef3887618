"""Conditions and expressions as text: in the mapping language and in SQL.

The text of the mapping language is what people read in answers, and reading it back gives the same condition. The SQL
is standard SQL, which DuckDB takes as it is, so that an answer can be checked against rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import lru_cache

from mdw.model.expressions import (
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Variable,
    Window,
)
from mdw.model.function_names import FLOATING
from mdw.model.functions import parameter
from mdw.model.name import parts as name_parts
from mdw.model.walks import parts

# Each operator has a strength of its own, as the grammar has a rule of its own for each: A - B + C is (A - B) + C.
STRENGTH = {"": 9, "||": 0, "+": 1, "-": 2, "*": 3, "/": 4}
"""How tightly the mapping language's operators bind: || over + over - over * over / (seed 000); "" is no operator."""
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


# Cached, since an answer shows the same conditions many times: of each step, each reason and each end.


@lru_cache(maxsize=1 << 14)
def to_text(condition: Condition) -> str:
    """A condition in the mapping language; ``TRUE`` and ``FALSE`` stand for always and never.

    >>> to_text(And((Compare("=", Attr("A.X"), Const("string", "x")), Not(IsNull(Attr("A.Y"))))))
    'A.X = "x" AND A.Y IS NOT NULL'
    >>> one, nine = Const("number", "1"), Const("number", "9")
    >>> to_text(And((Compare(">=", Attr("A.X"), one), Compare("<=", Attr("A.X"), nine))))
    'A.X BETWEEN 1 AND 9'
    """
    return _condition(condition, _text)


@lru_cache(maxsize=1 << 14)
def to_sql(condition: Condition) -> str:
    """A condition as standard SQL, identifiers quoted where they need it.

    >>> to_sql(In(Attr("A.X"), (Const("string", "it's"), Const("date", "2015-01-31"))))
    "A.X IN ('it''s', DATE '2015-01-31')"
    """
    return _condition(condition, _sql)


def expression_text(expression: Expression) -> str:
    """An expression in the mapping language."""
    return _text(expression)


def expression_sql(expression: Expression) -> str:
    """An expression as standard SQL."""
    return _sql(expression)


def computed_text(op: str, left: tuple[str, str], right: tuple[str, str]) -> str:
    """A computation; each side is its text and its own operator, and stands in parentheses if it binds less tightly.

    >>> computed_text("-", ("A.X", ""), ("A.Y - 1", "-"))
    'A.X - (A.Y - 1)'
    """
    level = STRENGTH[op]
    # Operators of one kind are read from the left, so only the right side needs more than the same strength.
    sides = [
        f"({text})" if STRENGTH[own] < least else text for (text, own), least in ((left, level), (right, level + 1))
    ]
    return f"{sides[0]} {op} {sides[1]}"


def computed_sql(op: str, left: str, right: str) -> str:
    """A computation of two SQL texts; division is without remainder lost, and NULL by zero, in every database.

    >>> computed_sql("/", "A.X", "A.Y")
    '(1.0 * A.X / NULLIF(A.Y, 0))'
    """
    # Some databases divide integers without remainder, and some fail on a zero: neither is what the language means.
    return f"(1.0 * {left} / NULLIF({right}, 0))" if op == "/" else f"({left} {op} {right})"


def windowed_text(function: str, keys: Sequence[str]) -> str:
    """A value taken from the rows that have the same keys.

    >>> windowed_text("SUM(A.X)", ["A.K"])
    'SUM(A.X) OVER (PARTITION BY A.K)'
    """
    return f"{function} OVER ({'PARTITION BY ' + ', '.join(keys) if keys else ''})"


Write = Callable[[Expression], str]


def _condition(condition: Condition, write: Write) -> str:
    # Both languages write conditions alike and differ in what is compared: `write` is `_text` or `_sql`.
    match condition:
        case Compare(op, left, right):
            # SQL's standard knows <> only.
            return f"{write(left)} {'<>' if op == '!=' and write is _sql else op} {write(right)}"
        case In(subject, constants):
            return f"{write(subject)} IN ({', '.join(map(write, constants))})"
        case Like(subject, pattern):
            return f"{write(subject)} LIKE {write(Const('string', pattern))}"
        case IsNull(subject):
            return f"{write(subject)} IS NULL"
        case Not(In(subject, constants)):
            return f"{write(subject)} NOT IN ({', '.join(map(write, constants))})"
        case Not(Like(subject, pattern)):
            return f"{write(subject)} NOT LIKE {write(Const('string', pattern))}"
        case Not(IsNull(subject)):
            return f"{write(subject)} IS NOT NULL"
        case Not(part):
            return f"NOT {_inner(part, write, And, Or, Not)}"
        case And(()):
            return "TRUE"
        case Or(()):
            return "FALSE"
        case And(items):
            return " AND ".join(_between(items, write))
        # AND binds tighter, so these parentheses change nothing; people who read conditions need not know that.
        case Or(items):
            return " OR ".join(_inner(part, write, And) for part in items)


def _between(items: Sequence[Condition], write: Write) -> Iterator[str]:
    """The parts of an AND; two that are the bounds of one attribute are BETWEEN, which people read at one go."""
    bounds: dict[tuple[str, Expression], Compare] = {}
    for part in items:
        if isinstance(part, Compare) and isinstance(part.left, Attr) and isinstance(part.right, Const):
            bounds[part.op, part.left] = part
    for part in items:
        if isinstance(part, Compare):
            least, most = bounds.get((">=", part.left)), bounds.get(("<=", part.left))
            if least and most and part in (least, most):
                # Told where the lower one stands.
                if part is least:
                    yield f"{write(part.left)} BETWEEN {write(least.right)} AND {write(most.right)}"
                continue
        yield _inner(part, write, Or)


def _inner(part: Condition, write: Write, *weaker: type) -> str:
    text = _condition(part, write)
    # A BETWEEN by itself is one comparison, though the tree has two.
    both = part.parts if isinstance(part, And) and len(part.parts) == 2 else ()
    # Only of comparisons: conditions as deep as trees would else be written twice at each level.
    alone = bool(both) and all(isinstance(one, Compare) for one in both) and len(list(_between(both, write))) == 1
    return f"({text})" if isinstance(part, weaker) and not (alone and weaker == (And,)) else text


def _text(expression: Expression) -> str:
    match expression:
        case Attr(name):
            return name
        case Variable(number):
            return f"#{number}"
        case Const("string", text):
            return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case Const("date", text):
            # Not strftime: it writes years before 1000 with fewer than four digits on some systems.
            day = date.fromisoformat(text)
            return f"{day.day:02d}.{day.month:02d}.{day.year:04d}"
        case Const("null", _):
            return "NULL"
        case Const(_, text):
            return text
        case Compute(op, left, right):
            return computed_text(op, (_text(left), _operator(left)), (_text(right), _operator(right)))
        case Concat(items):
            return " || ".join(map(_text, items))
        case Aggregate("COUNT", Const("number", "1")):
            return "COUNT(*)"
        case Aggregate(function, argument):
            return f"{function}({_text(argument)})"
        case Call(function, _) if parameter(expression):
            return function
        case Call("COLLATED", (one,)):
            return _text(one)
        case Call(function, (one,)) if function.startswith("CAST AS "):
            return f'CAST({_text(one)} AS "{function.removeprefix("CAST AS ")}")'
        case Call(function, (left, right)) if function in FLOATING:
            return computed_text(FLOATING[function], (_text(left), _operator(left)), (_text(right), _operator(right)))
        case Call("", arguments):
            # What an aggregation of several values is given.
            return ", ".join(map(_text, arguments))
        case Call(function, arguments):
            return f"{function}({', '.join(map(_text, arguments))})"
        case Window(function, keys):
            return windowed_text(_text(function), [_text(key) for key in keys])


def _bound(text: str, op: str, least: int) -> str:
    return f"({text})" if STRENGTH[op] < least else text


def _operator(expression: Expression) -> str:
    """The operator of arithmetic, rounded or not; "" of anything else."""
    if isinstance(expression, Call) and len(expression.arguments) == 2:
        return FLOATING.get(expression.function, "")
    return expression.op if isinstance(expression, Compute) else ""


def _sql(expression: Expression) -> str:
    return sql_with(expression, [_sql(part) for part in parts(expression)])


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
        case Call(function, _) if parameter(expression):
            return function
        case Call(function, _) if function in FLOATING and len(inner) == 2:
            return f"({inner[0]} {FLOATING[function]} {inner[1]})"
        case Call("COLLATED", _):
            # Where the text is compared, the database does as its collation says.
            return inner[0]
        case Call("", _):
            return ", ".join(inner)
        case Call(function, arguments):
            return _special(function, arguments, inner) or f"{_called(function)}({', '.join(inner)})"
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


def _called(function: str) -> str:
    """The name of a function; in quotes where it is none that SQL could have."""
    return function if _plain(function) or function.startswith("EXISTS ") else _quoted(function)


def _plain(name: str) -> bool:
    return name.isidentifier() and name.isascii()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _identifier(part: str) -> str:
    # SQL folds names without quotes, as the mapping language does; quoted are those that would not survive that.
    name = part[1:-1] if part.startswith("`") else part
    return _quoted(name) if part != name or part in RESERVED else part
