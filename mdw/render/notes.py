"""What whoever reads an answer must know before the rest of it: what was not decided, taken for granted, not looked at.

It stands right under the verdict and is never cut.
"""

from __future__ import annotations

from collections.abc import Iterator

from mdw.model.answers.answer import Answer
from mdw.model.answers.steps import Generated
from mdw.render.words import Written, by, place, written

Note = tuple[str, str]
"""What kind of a note it is, in a word, and what it says."""


def notes(answer: Answer) -> Iterator[Note]:
    """The notes of an answer, in order of weight."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    for step in answer.undecided:
        places.setdefault((step.source, step.target), {})[place(step.location)] = None
    for (source, target), some in places.items():
        yield "undecided", f"{source} into {target} ({', '.join(some)})"
    for one in written(answer):
        if one.undecided:
            yield "undecided", constant(one)
    for text in answer.assumptions:
        yield "assumed", text
    for text in answer.notes:
        yield "note", text


def constant(one: Written) -> str:
    """What a mapping writes of no attribute's value, and where."""
    made = "generated" if isinstance(one, Generated) else "written"
    return f"{one.value} in {one.target}, {made} {by(one)}"
