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
    for step in answer.undecided:
        yield "undecided", f"{step.source} into {step.target} ({place(step.location)}); kept"
    for one in written(answer):
        if one.undecided:
            yield "undecided", f"{constant(one)}; kept"
    for text in answer.assumptions:
        yield "assumed", text
    for text in answer.notes:
        yield "note", text


def constant(one: Written) -> str:
    """What a mapping writes of no attribute's value, and where."""
    made = "generated" if isinstance(one, Generated) else "written"
    return f"{one.value} in {one.target}, {made} {by(one)}"
