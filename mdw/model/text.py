"""Conditions and expressions as text of the mapping language.

It is what people read in answers, and reading it back gives the same condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import lru_cache

from mdw.model.collations import bare, collation_of
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

# Each operator has a strength of its own, as the grammar has a rule of its own for each: A - B + C is (A - B) + C.
STRENGTH = {"": 9, "||": 0, "+": 1, "-": 2, "*": 3, "/": 4}
"""How tightly the mapping language's operators bind: || over + over - over * over / (seed 000); "" is no operator."""
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
    return written(condition, _text)


def expression_text(expression: Expression) -> str:
    """An expression in the mapping language."""
    return _text(expression)


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


def windowed_text(function: str, keys: Sequence[str]) -> str:
    """A value taken from the rows that have the same keys.

    >>> windowed_text("SUM(A.X)", ["A.K"])
    'SUM(A.X) OVER (PARTITION BY A.K)'
    """
    return f"{function} OVER ({'PARTITION BY ' + ', '.join(keys) if keys else ''})"


Write = Callable[[Expression], str]


def written(condition: Condition, write: Write, unequal: str = "!=") -> str:
    """A condition, what it compares written by ``write``; both languages write conditions alike."""
    match condition:
        case Compare(op, left, right):
            return f"{write(left)} {unequal if op == '!=' else op} {write(right)}"
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
            return f"NOT {_inner(part, write, unequal, And, Or, Not)}"
        case And(()):
            return "TRUE"
        case Or(()):
            return "FALSE"
        case And(items):
            return " AND ".join(_between(items, write, unequal))
        # AND binds tighter, so these parentheses change nothing; people who read conditions need not know that.
        case Or(items):
            return " OR ".join(_inner(part, write, unequal, And) for part in items)


def sides(condition: Condition) -> tuple[Expression, ...]:
    """What a single comparison speaks of."""
    match condition:
        case Compare(_, left, right):
            return left, right
        case In(subject, _) | Like(subject, _) | IsNull(subject):
            return (subject,)
        case Not(part):
            return sides(part)
    return ()


def _between(items: Sequence[Condition], write: Write, unequal: str) -> Iterator[str]:
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
        yield _inner(part, write, unequal, Or)


def _inner(part: Condition, write: Write, unequal: str, *weaker: type) -> str:
    text = written(part, write, unequal)
    # A BETWEEN by itself is one comparison, though the tree has two.
    both = part.parts if isinstance(part, And) and len(part.parts) == 2 else ()
    # Only of comparisons: conditions as deep as trees would else be written twice at each level.
    alone = (
        bool(both) and all(isinstance(one, Compare) for one in both) and len(list(_between(both, write, unequal))) == 1
    )
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
        case Call() if collation_of(expression) is not None:
            # Where a text is compared, the database does as its collation says.
            return _text(bare(expression))
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
