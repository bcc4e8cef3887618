"""Where statements end that need no semicolon: where the next begins, or what holds them ends (T-SQL).

    INSERT INTO t SELECT a FROM s UPDATE t SET a = 1 IF @x = 1 PRINT 'no'
                  ^ held by INSERT                                          UPDATE and IF begin statements
                                           ^ held by UPDATE

Most words that begin statements stand within others as well. `grammar` says which a statement holds, how often (HELD,
ENOUGH), and behind which words none begins (CONTINUED, BEHIND).

All words must be seen for that, so it is done in C: each word of these tables has a letter, a text is a string of
letters (see `lettering`), and a statement is what a regular expression finds in it (see `statements`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from mdw.readers.sql.pieces import NAMES
from mdw.readers.sql.programs.lettering import letters_of
from mdw.readers.sql.programs.statements import DEPTH, LABEL, LETTERS, statement


class StatementEnds(dict[int, int]):
    """Where statements end in a text, by the word that each begins with."""

    def __init__(self, tokens: Sequence[Any], types: Sequence[Any], tokenizer: Any) -> None:
        letters = VARIABLES.sub(VARIABLE, letters_of(tokens, types, tokenizer))
        self.letters = _told(letters, tokens)
        # A statement ends at the same word whatever asks: all that stand one after the other are found at once.
        super().__init__({match.start(): match.end() for match in statement().finditer(self.letters)})

    def __missing__(self, first: int) -> int:
        """Where a statement ends that does not begin where another ended."""
        match = statement().match(self.letters, first)
        found = self[first] = match.end() if match else first
        return found


def _told(letters: bytes, tokens: Sequence[Any]) -> bytes:
    """The letters of words, with those that only what stands around them tells."""
    labels = [at - 1 for at in _all(letters, ":") if _labels(letters, tokens, at)]
    others = [at for at in _all(letters, "THROW") if not _throws(letters, tokens, at)]
    deep = [*_too_deep(letters, "(", ")"), *_too_deep(letters, "CASE", "END")]
    if not (labels or others or deep):
        return letters
    changed = bytearray(letters)
    for at in labels:
        changed[at] = LABEL
    for at in (*others, *deep):
        changed[at] = 0
    return bytes(changed)


def _all(letters: bytes, word: str) -> Iterable[int]:
    """Where a word stands."""
    at = letters.find(LETTERS[word])
    while at >= 0:
        yield at
        at = letters.find(LETTERS[word], at + 1)


def _labels(letters: bytes, tokens: Sequence[Any], at: int) -> bool:
    """Whether a colon stands behind a name that is the first of its line."""
    if at < 2 or letters[at - 1] in STRUCTURE or letters[at + 1 : at + 2] == letters[at : at + 1]:
        return False
    token, name = tokens[at], tokens[at - 1]
    return bool(name.end + 1 == token.start and name.line > tokens[at - 2].line)


def _throws(letters: bytes, tokens: Sequence[Any], at: int) -> bool:
    """Whether THROW begins a statement by what stands behind it: a number, a variable, or nothing."""
    if at + 1 == len(tokens):
        return True
    after = tokens[at + 1]
    return letters[at + 1] in THROWN or after.token_type in NAMES or after.text.isdigit()


def _too_deep(letters: bytes, opens: str, closes: str) -> list[int]:
    """What opens and closes within so much that does that the expression would not see where it ends.

    >>> _too_deep(bytes(LETTERS.get(word, 0) for word in "( ( ( ( f ( SELECT ) ) ) ) )".split()), "(", ")")
    [5, 7]
    """
    first, last, end = LETTERS[opens], LETTERS[closes], LETTERS[";"]
    left = letters.translate(None, delete=bytes(set(range(256)) - {first, last, end}))
    # Pairs are taken out from within: most texts have none left then, and are not gone through.
    pair = bytes((first, last))
    for _ in range(DEPTH):
        left = left.replace(pair, b"")
    if pair not in left:
        return []
    found, depth = [], 0
    for match in re.finditer(b"[" + re.escape(bytes((*pair, end))) + b"]", letters):
        letter = match.group()[0]
        depth += letter == first
        if depth > DEPTH and letter != end:
            found.append(match.start())
        depth = 0 if letter == end else depth - (letter == last and depth > 0)
    return found


VARIABLE = bytes((LETTERS["@"], 0))
VARIABLES = re.compile(re.escape(VARIABLE[:1]) + b"[^\\x00]")
"""Behind @ stand names, as in @end."""
STRUCTURE = frozenset(LETTERS[word] for word in ["(", ")", ";", ":", "CASE", "END"])
"""Marks and words that no label is called by."""
THROWN = frozenset(LETTERS[word] for word in [";", "@", "END"])
"""What stands behind a THROW that throws again, or a variable."""
