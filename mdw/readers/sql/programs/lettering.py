"""The words of a text as letters, one for each, which an expression goes over (see `statements`).

    IF @a = 1 SELECT b.open FROM t      the types of sqlglot's tokens tell all of them but IF, a, b, open and t,
    I@o==o   S     o.o      F    o      and of these only IF stands where it may be more than a name

Looking at each word in Python would cost more than all that is done with the letters: it is done in C for most.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, compress
from operator import itemgetter
from typing import Any

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.pieces import NAMES
from mdw.readers.sql.programs.grammar import CONTINUED, words
from mdw.readers.sql.programs.statements import LETTERS

ASKED = 255
"""Stands for a word whose type does not tell its letter."""
LEAD, JOIN = 1, 2
"""Stand for words that only names stand behind, and for marks that they stand before as well."""
LEADS = CONTINUED - {"ALL"} | words("( @")
"""Behind these stand names, if the word there has no type of its own; TRIGGER ALL may end a statement."""
JOINS = words(". , =")
SPELT = {spelt: letter for word, letter in LETTERS.items() for spelt in (word, word.lower())}


class Spelt(dict[str, int]):
    """The letter of each word, 0 of most, told once for each way to spell it."""

    def __missing__(self, text: str) -> int:
        made = self[text] = LETTERS.get(text.upper(), 0)
        return made


def letters_of(tokens: Sequence[Any], types: Sequence[Any], tokenizer: Any) -> bytes:
    """The letters of tokens, whose types are told with them; 0 of what is quoted, and of names.

    >>> from sqlglot.dialects import TSQL
    >>> tokens = TSQL().tokenize("IF 'IF' <> x.open OPEN x")
    >>> told = letters_of(tokens, [one.token_type for one in tokens], TSQL.Tokenizer)
    >>> [word for word in ("IF", "OPEN", ".") for letter in told if letter == LETTERS[word]]
    ['IF', 'OPEN', '.']
    """
    if len(types) < 2:
        return bytes(len(types))
    told = bytes(itemgetter(*types)(_by_type(tokenizer)))
    around = told.translate(AROUND_ASKED)
    for one, other in PASSED:
        around = around.replace(one, other)
    # First all words are fetched, and then all are told: each of the two finds what it needs in less time alone.
    gaps = [len(gap) + 1 for gap in around.split(bytes((ASKED,)))]
    places = list(accumulate(gaps, initial=-1))[1:-1]
    found = bytes(map(Spelt(SPELT).__getitem__, [tokens[at].text for at in places]))
    letters = bytearray(told.translate(KNOWN))
    for at, letter in compress(zip(places, found, strict=True), found):
        letters[at] = letter
    return bytes(letters)


@cache
def _by_type(tokenizer: Any) -> tuple[int, ...]:
    """The letter by the number of a type: of types of words that are not all alike, and of those of any word, none."""
    spelt: dict[int, set[int]] = {}
    for word, kind in {**tokenizer.KEYWORDS, **tokenizer.SINGLE_TOKENS}.items():
        spelt.setdefault(kind, set()).add(LETTERS.get(word.upper(), 0))
    alike = {kind: max(some) for kind, some in spelt.items() if len(some - {0}) < 2}
    names: list[Any] = [*NAMES, TokenType.NUMBER]
    told = {**alike, TokenType.VAR: ASKED, **dict.fromkeys(names, 0)}
    return tuple(told.get(number, ASKED) for number in range(max(TokenType) + 1))


def _translation(letters: dict[int, int]) -> bytes:
    return bytes(letters.get(one, 0) for one in range(256))


KNOWN = _translation({letter: letter for letter in LETTERS.values()})
AROUND_ASKED = _translation(
    {
        ASKED: ASKED,
        **dict.fromkeys(map(LETTERS.__getitem__, LEADS), LEAD),
        **dict.fromkeys(map(LETTERS.__getitem__, JOINS), JOIN),
    }
)
PASSED = tuple(
    (bytes(pair), bytes(0 if one == ASKED else one for one in pair))
    for pair in ((LEAD, ASKED), (JOIN, ASKED), (ASKED, JOIN))
)
