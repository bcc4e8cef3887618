"""Mapping text -> rules and conditions, for tests that need no store."""

from __future__ import annotations

from mdw.language.derive import condition_of, derive, name_of
from mdw.language.mapping import read, read_condition
from mdw.model.expressions import Condition
from mdw.model.rules import Rules


def rules_of(text: str) -> list[Rules]:
    """The rules of every mapping of a text; the text is right."""
    reading = read(text)
    assert not reading.errors, str(reading.errors[0])
    return [derive(tree, name_of(tree, "text")) for tree in reading.trees]


def condition(text: str) -> Condition | None:
    """A condition; none if the text is empty or TRUE."""
    return condition_of(read_condition(text)) if text not in ("", "TRUE") else None
