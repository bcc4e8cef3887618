"""Mapping text -> rules and conditions, for tests that need no store."""

from __future__ import annotations

from functools import cache, lru_cache

from places import BANK, ROOT

from mdw.language.derive import condition_of, derive, name_of
from mdw.language.mapping import read, read_condition
from mdw.model.candidates import Candidates
from mdw.model.expressions import Condition
from mdw.model.rules import Rules


def rules_of(text: str) -> list[Rules]:
    """The rules of every mapping of a text; the text is right."""
    return list(_derived(text))


@lru_cache(maxsize=16)
def _derived(text: str) -> tuple[Rules, ...]:
    # A law reads the same text for each of its questions.
    reading = read(text)
    assert not reading.errors, str(reading.errors[0])
    return tuple(derive(tree, name_of(tree, "text")) for tree in reading.trees)


def condition(text: str) -> Condition | None:
    """A condition; none if the text is empty or TRUE."""
    return condition_of(read_condition(text)) if text not in ("", "TRUE") else None


@cache
def bank_rules() -> tuple[Rules, ...]:
    """The rules of the example bank."""
    rules = []
    for file in sorted(BANK.rglob("*.map")):
        reading = read(file.read_text(encoding="utf-8"), str(file.relative_to(ROOT)))
        assert not reading.errors, str(reading.errors[0])
        rules += [derive(tree, name_of(tree, file.name)) for tree in reading.trees]
    return tuple(rules)


@cache
def bank_candidates() -> Candidates:
    """The example bank without a store."""
    return Candidates.of(bank_rules())
