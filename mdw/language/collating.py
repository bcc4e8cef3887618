"""Texts as a database compares them whose collation nobody told (rule Q4).

There 'A', 'a' and 'a ' may be equal or not. So a comparison with a text says two things: what is sure, that both fold
to the same letters, and what is not, that the collation takes them for the same, which is a function nobody knows.

>>> from mdw.model.expressions import Attr
>>> from mdw.model.text import to_text
>>> to_text(loosely(Compare("=", Attr("S.T"), Const("string", "A "))))
'FOLDED(S.T) = FOLDED("A ") AND S.T = "A "'

The second part, COLLATED(S.T) = COLLATED("A "), is written as scripts write it. `t = 'A'` and `t = 'a'` can hold
together then, `t = 'A'` and `t = 'b'` cannot, and of 'A' itself both parts are TRUE.

Of two values that are no constants nobody knows here whether they are texts: COLLATED(S.T) = COLLATED(S.R) is left to
who knows their values (`mdw.conditions.comparisons`).
"""

from __future__ import annotations

import re

from mdw.model.expressions import YES, And, Call, Compare, Condition, Const, Expression, In, Like, Not, Or

SPELLED = re.compile(r"\d+(\.\d+)?|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d\d\.\d\d\.\d{4}", re.ASCII)
"""Texts that spell a number or a day have no case; that they may be spelled otherwise is known of all texts."""
LOOSE = frozenset(("tsql", "fabric", "mysql", "singlestore", "doris", "starrocks", "teradata"))
"""Dialects whose texts may be equal where they differ in case, accents or trailing blanks."""


def loosely(condition: Condition) -> Condition:
    """The condition, where comparing texts says no more than is sure."""
    match condition:
        case And(parts):
            return And(tuple(map(loosely, parts)))
        case Or(parts):
            return Or(tuple(map(loosely, parts)))
        case Not(part):
            return Not(loosely(part))
        case Compare(_, Const() as left, right) if left == right:
            return condition
        case Compare("=", left, right) if _text(left) or _text(right):
            return _alike(left, right)
        case Compare("!=", left, right) if _text(left) or _text(right):
            return Not(_alike(left, right))
        case Compare(op, left, right) if _text(left) or _text(right):
            return Compare(op, _collated(left), _collated(right))
        case Compare(op, left, right) if not (isinstance(left, Const) or isinstance(right, Const)):
            return Compare(op, _collated(left), _collated(right))
        case In(subject, constants) if any(map(_text, constants)):
            return Or(tuple(loosely(Compare("=", subject, one)) for one in constants))
        case Like(subject, pattern):
            sure = Like(Call("UNCASED", (subject,)), pattern.lower()) if pattern.isascii() else And(())
            return And((sure, Compare("=", Call("COLLATED_LIKE", (subject, Const("string", pattern))), YES)))
    return condition


def strictly(condition: Condition) -> Condition:
    """A comparison of two values of any kind as it is written, without the mark that they may be texts."""
    match condition:
        case Compare(op, Call("COLLATED", (left,)), Call("COLLATED", (right,))):
            return Compare(op, left, right)
    return condition


def _text(expression: Expression) -> bool:
    text = isinstance(expression, Const) and expression.kind == "string" and expression.text
    return isinstance(text, str) and SPELLED.fullmatch(text) is None


def _alike(left: Expression, right: Expression) -> Condition:
    sure = Compare("=", Call("FOLDED", (left,)), Call("FOLDED", (right,)))
    return And((sure, Compare("=", _collated(left), _collated(right))))


def _collated(expression: Expression) -> Expression:
    return Call("COLLATED", (expression,))
