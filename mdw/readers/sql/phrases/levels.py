"""Words as a text that patterns are matched against: what is in parentheses is one word, by what it may be.

    DEFAULT 'EU' CHECK (a IN (1, 2)) STORAGE (INITIAL 64K)        DEFAULT ' CHECK (e) STORAGE (s)

Texts are `'`, numbers `0`, names in quotes begin with a quote; words are in capitals, with one blank before each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from mdw.readers.sql.phrases.words import Words, closed, opens
from mdw.readers.sql.pieces import NAMES, TokenType

TYPED = frozenset(("STRUCT", "ARRAY", "MAP", "UNIONTYPE", "RANGE"))
"""Types whose parts may stand between < and >."""
BLANKS = re.compile(r"\s+")
UNSAID = re.compile(r"[\s()]")


class Level:
    """The text of some words; ``kinds`` are what may stand in parentheses, each with the letter that says so."""

    def __init__(self, words: Sequence[Any], kinds: Mapping[str, re.Pattern[str]]) -> None:
        said: list[str] = []
        self._words, self._starts = words, list[int]()
        at = 0
        while at < len(words):
            self._starts.append(at)
            token = words[at]
            opened = token.token_type is TokenType.L_PAREN
            squared = token.token_type is TokenType.L_BRACKET
            if opened or squared or (token.text == "<" and at and words[at - 1].text.upper() in TYPED):
                end = closed(words, at) if opened else _behind(words, at, "[]" if squared else "<>")
                inner = Level(words[at + 1 : end - 1], kinds).text
                letters = "".join([letter for letter, kind in kinds.items() if kind.fullmatch(inner)])
                said.append(f" [{letters}]" if squared else f" ({letters})")
                at = end
            else:
                said.append(f" {_word(token)}")
                at += 1
        self.text: str = "".join(said)
        self._ends = list(accumulate(map(len, said)))

    def words(self, start: int, end: int) -> Words:
        """The words between two places of the text."""
        inside = [at for at, ends in enumerate(self._ends) if start < ends <= end]
        if not inside:
            return []
        behind = self._starts[inside[-1] + 1 : inside[-1] + 2] or [len(self._words)]
        return list(self._words[self._starts[inside[0]] : behind[0]])


def items_of(words: Sequence[Any]) -> list[Words]:
    """What commas part, outside of parentheses and of the angles of types."""
    found: list[Words] = [[]]
    depth = angles = 0
    for at, token in enumerate(words):
        depth += opens(token)
        angles += token.text == "<" and at > 0 and words[at - 1].text.upper() in TYPED
        angles -= angles > 0 and token.text == ">"
        if token.token_type is TokenType.COMMA and not depth and not angles:
            found.append([])
        else:
            found[-1].append(token)
    return found


def _word(token: Any) -> str:
    if token.token_type is TokenType.IDENTIFIER:
        return '"' + UNSAID.sub("_", token.text).upper()
    if token.token_type in NAMES:
        return "'"
    if token.token_type is TokenType.NUMBER:
        return "0"
    return BLANKS.sub(" ", str(token.text).upper())


def _behind(words: Sequence[Any], at: int, marks: str) -> int:
    """Behind the mark that closes the one here."""
    depth = 0
    for place in range(at, len(words)):
        depth += {marks[0]: 1, marks[1]: -1}.get(words[place].text, 0)
        if depth == 0:
            return place + 1
    return len(words)
