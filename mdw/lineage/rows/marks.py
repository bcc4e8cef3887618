"""Searches that a condition asks EXISTS of: what it says where one has found a row, and where it has not (rule Q11).

>>> from mdw.model.expressions import Attr, Compare, IsNull, Or
>>> mark = Call("EXISTS J", (Attr("S.T"),))
>>> met, *unmet = apart(Or((IsNull(Attr("S.T")), Compare("=", mark, YES))), mark)
>>> met.parts[1].left.text, [one.parts[1].left.text for one in unmet]
('TRUE', ['FALSE', ''])
"""

from __future__ import annotations

from mdw.model.expressions import NO, NULL, YES, Call, Condition, Const, Expression
from mdw.model.walks import parts, walk, with_parts

MARKS = 3
"""Searches of one mapping that are told apart; beyond, they may find a row or not."""


def apart(condition: Condition, mark: Call) -> tuple[Condition, ...]:
    """The condition where the search has found a row, then where it has not: it is FALSE, or NULL as IN may be.

    One condition where it does not ask for the search.
    """
    if mark not in walk(condition):
        return (condition,)
    return tuple([_put(condition, mark, value) for value in (YES, NO, NULL)])  # type: ignore[misc]


def _put(item: Expression | Condition, mark: Call, value: Const) -> Expression | Condition:
    if item == mark:
        return value
    inner = parts(item)
    return with_parts(item, [_put(part, mark, value) for part in inner]) if inner else item
