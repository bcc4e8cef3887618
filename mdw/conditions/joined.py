"""Texts put together with ``||``: what is sure of them whatever goes in.

``"LATE: " || C`` begins with "LATE: ". So it is "LATE: A" just where C is "A", and it is never "OVER":

>>> from mdw.model.expressions import Attr
>>> late = flat([Const("string", "LA"), Concat((Const("string", "TE: "), Attr("S.C")))])
>>> late
(Const(kind='string', text='LATE: '), Attr(name='S.C'))
>>> between(late, "LATE: A"), between(late, "OVER")
('A', None)
>>> like(late, "LATE%"), like(late, "OVER%"), like(late, "%A")
(True, False, None)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from mdw.conditions.patterns import WILDCARD, head
from mdw.model.expressions import Concat, Const, Expression

COUNTED = frozenset("0123456789+-.,:/ eETZ")
"""Characters that numbers and days may be spelled with."""


def flat(values: Iterable[Expression]) -> tuple[Expression, ...]:
    """The parts of a text put together: those of texts within it too, and neighbouring constants as one."""
    found: list[Expression] = []
    for value in values:
        for part in value.parts if isinstance(value, Concat) else (value,):
            last = found[-1] if found else None
            # Only texts: 1.5 may be written 1.50, and a day in many ways.
            if _is_text(part) and last is not None and _is_text(last):
                found[-1] = Const("string", _text(last) + _text(part))
            else:
                found.append(part)
    return tuple(found)


def open_parts(parts: Iterable[Expression]) -> tuple[Expression, ...]:
    """The parts that are no constant texts."""
    return tuple(part for part in parts if not _is_text(part))


def stays_text(parts: Iterable[Expression]) -> bool:
    """Whether a text put together is surely none that an attribute of numbers or days takes for one."""
    return any(set(_text(part)) - COUNTED for part in parts if _is_text(part))


def between(parts: Sequence[Expression], text: str) -> str | None:
    """What of ``text`` lies between the constants at both ends of ``parts``; None where it does not have these ends."""
    first, last = _ends(parts)
    fits = text.startswith(first) and text.endswith(last) and len(text) >= len(first) + len(last)
    return text[len(first) : len(text) - len(last)] if fits else None


def like(parts: Sequence[Expression], pattern: str) -> bool | None:
    """Whether a text put together matches a pattern, None where that depends on what goes in.

    Written into an attribute of numbers "0" || "5" may come to be 5, so what spells one is not told by its ends.
    """
    if not stays_text(parts):
        return None
    first, last = _ends(parts)
    start, end = head(pattern), WILDCARD.split(pattern)[-1]
    # "LATE: " and "LA%" go together, and so do "LATE: " and "LATE: A%"; ends are compared from the last character.
    apart = [not (a.startswith(b) or b.startswith(a)) for a, b in ((first, start), (last[::-1], end[::-1]))]
    if any(apart):
        return False
    return True if pattern == f"{start}%" and first.startswith(start) else None


def _ends(parts: Sequence[Expression]) -> tuple[str, str]:
    first = "".join(map(_text, takewhile(_is_text, parts)))
    last = [*map(_text, takewhile(_is_text, reversed(parts)))]
    return first, "".join(reversed(last))


def _is_text(part: Expression) -> bool:
    return isinstance(part, Const) and part.kind == "string"


def _text(part: Expression) -> str:
    return part.text if isinstance(part, Const) else ""
