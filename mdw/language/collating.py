"""Comparisons of texts, marked with the collation that decides them (rule Q35).

>>> from mdw.model.expressions import Attr
>>> same = Compare("=", Attr("S.T"), Const("string", "A"))
>>> collate(same, "").left, collate(same, "binary").left, collate(same, "default").left
(Call(function='COLLATED', arguments=(Attr(name='S.T'),)), Attr(name='S.T'), Attr(name='S.T'))

By PostgreSQL's default only the order of texts is another one than that of their characters. Of two values that are no
constants nobody knows here whether they are texts: that is left to who knows their values
(`mdw.conditions.comparisons`).
"""

from __future__ import annotations

import re

from mdw.model.collations import bare, collated, nature_of
from mdw.model.expressions import And, Compare, Condition, Const, Expression, In, Like, Not, Or

UNIQUE = re.compile(r"\{?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\}?", re.ASCII | re.IGNORECASE)
"""Texts that may stand in a column of unique identifiers, where no case counts."""


def collate(condition: Condition, collation: str) -> Condition:
    """The condition, where texts are compared by a collation."""
    nature = nature_of(collation)
    return condition if nature == "binary" else _marked(condition, collation, loose=nature != "sorted")


def collate_unique(condition: Condition) -> Condition:
    """The condition, where texts that may be unique identifiers are spelled as they like."""
    match condition:
        case Compare("=" | "!=", left, right) if _unique(left) or _unique(right):
            return _marked(condition, "", loose=True)
        case In(_, constants) if any(map(_unique, constants)):
            return _marked(condition, "", loose=True)
    return condition


def strictly(condition: Condition) -> Condition:
    """A comparison as it is written, without the mark that texts are compared by a collation."""
    match condition:
        case Compare(op, left, right):
            return Compare(op, bare(left), bare(right))
    return condition


def _marked(condition: Condition, collation: str, *, loose: bool) -> Condition:
    match condition:
        case And(parts):
            return And(tuple([_marked(part, collation, loose=loose) for part in parts]))
        case Or(parts):
            return Or(tuple([_marked(part, collation, loose=loose) for part in parts]))
        case Not(part):
            return Not(_marked(part, collation, loose=loose))
        case Compare(_, Const() as left, right) if left == right:
            return condition
        case Compare(op, left, right) if (loose or op not in ("=", "!=")) and _may_be_texts(left, right):
            return Compare(op, collated(left, collation), collated(right, collation))
        case In(subject, constants) if loose and any(map(_text, constants)):
            return In(collated(subject, collation), constants)
        case Like(subject, pattern) if loose:
            return Like(collated(subject, collation), pattern)
    return condition


def _may_be_texts(*sides: Expression) -> bool:
    constants = [side for side in sides if isinstance(side, Const)]
    return all(map(_text, constants))


def _text(expression: Expression) -> bool:
    return isinstance(expression, Const) and expression.kind == "string"


def _unique(expression: Expression) -> bool:
    return _text(expression) and UNIQUE.fullmatch(expression.text) is not None  # type: ignore[union-attr]
