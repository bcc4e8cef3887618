"""What an answer says of statements that were not read: in its sentence, and a line for each right under it."""

from __future__ import annotations

from collections.abc import Iterator

from mdw.model.answers.answer import Answer, Lineage
from mdw.model.answers.unread import UnreadStatement, told_of
from mdw.render.words import clipped, listed, place

SHOWN = 32
"""Characters of a statement that are shown."""
READ = "by what was read"
"""What is said of all that such a statement may change."""


def not_read(answer: Answer) -> str:
    """How many statements were not read, in words; "" if all were.

    ``2 statements that may write CORE.ORDERS were not read``
    """
    if not answer.unread:
        return ""
    names = sorted({name for one in answer.unread for name in one.names})
    verb = "may write" if isinstance(answer, Lineage) else "name"
    return told_of(len(answer.unread), listed(names, 3), verb)


def unread_lines(answer: Answer) -> Iterator[str]:
    """For each statement that was not read where it stands, how it begins, what is wrong, and how to see more."""
    rows = [(place(one.location), _begins(one), one.why) for one in answer.unread]
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:2]]
    for where, begins, why in rows:
        yield f"not read   {where:<{widths[0]}}  {begins:<{widths[1]}}   {why}     mdw explain {where}"


def unread_line(answer: Answer) -> str:
    """The same in one line, for pictures and pages; "" if all were read."""
    places = list(dict.fromkeys(place(one.location) for one in answer.unread))
    return f"Not read: {listed(places, 10)}" if places else ""


def _begins(one: UnreadStatement) -> str:
    text = clipped(" ".join(one.text.split()), SHOWN)
    return f"{text.removesuffix('…')} ..." if text.endswith("…") else text
