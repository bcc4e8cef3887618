"""The words of a statement: where they stand, and words made in the place of others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from sqlglot import tokenize
from sqlglot.tokenizer_core import Token

from mdw.readers.sql.pieces import TokenType, word_of

Words = list[Any]


def word_in_place(token: Any, kind: Any, text: str) -> Any:
    """A word in the place of another: whoever asks where it stands is shown a word of the text."""
    return Token(kind, text, line=token.line, col=token.col, start=token.start, end=token.end)


def placed(words: Iterable[Any], token: Any) -> Words:
    """The words, all in the place of another."""
    return [word_in_place(token, one.token_type, one.text) for one in words]


def made_words(token: Any, text: str) -> Words:
    """The words of a text in the place of another."""
    return placed(tokenize(text), token)


def bracketed(words: Iterable[Any], token: Any) -> Words:
    """The words in parentheses, which are in the place of another."""
    return [word_in_place(token, TokenType.L_PAREN, "("), *words, word_in_place(token, TokenType.R_PAREN, ")")]


def identifier(token: Any, name: str = "") -> Any:
    """A word, or a name in its place, as a name in quotes."""
    return word_in_place(token, TokenType.IDENTIFIER, name or token.text)


def opens(token: Any) -> int:
    return int(token.token_type is TokenType.L_PAREN) - int(token.token_type is TokenType.R_PAREN)


def openings(words: Sequence[Any]) -> list[int]:
    """Where parentheses open."""
    return [at for at, token in enumerate(words) if token.token_type is TokenType.L_PAREN]


def closed(words: Sequence[Any], at: int) -> int:
    """Behind the parenthesis that closes the one here."""
    depth = 0
    for place in range(at, len(words)):
        kind = words[place].token_type
        if kind is TokenType.L_PAREN:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        if depth == 0:
            return place + 1
    return len(words)


def depth_of(words: Sequence[Any]) -> int:
    """How deep parentheses stand within parentheses."""
    return max(accumulate(map(opens, words)), default=0)


def function_begun(words: Words) -> str:
    """The function whose arguments have been begun last."""
    depth = 0
    for at in range(len(words) - 1, 0, -1):
        depth += opens(words[at])
        if depth > 0:
            return word_of(words[at - 1])
    return ""


def name_at(words: Sequence[Any], at: int) -> int:
    """Where the name of what is made begins: here, or behind IF NOT EXISTS."""
    return at + 3 * (spoken(words[at : at + 3]) == ["IF", "NOT", "EXISTS"])


def behind_name(words: Sequence[Any], at: int) -> int:
    """Behind the name that begins here, with all its parts: db.schema.t, T-SQL's #t."""
    while at + 1 < len(words) and words[at].token_type is TokenType.HASH:
        at += 1
    end = at + 1
    while end + 1 < len(words) and words[end].token_type is TokenType.DOT:
        end += 2
    return end


def listed_first(words: Words) -> list[Words]:
    """The first word of each item of a list: the names of the columns that brackets tell."""
    starts = [0, *[at + 1 for at in tops(words, {","})]]
    return [words[at : at + 1] for at in starts if at < len(words)]


def parted(words: Sequence[Any]) -> list[Words]:
    """What commas part, outside of parentheses; nothing is one part without words."""
    commas = tops(words, {","})
    return [list(words[a:b]) for a, b in zip([0, *[at + 1 for at in commas]], [*commas, len(words)], strict=True)]


def tops(words: Sequence[Any], wanted: Collection[str], start: int = 0) -> list[int]:
    """Where words stand outside of parentheses."""
    return list(_tops(words, wanted, start))


def top(words: Sequence[Any], wanted: Collection[str], start: int = 0) -> int:
    """Where the first of them stands; the end if none does."""
    return next(_tops(words, wanted, start), len(words))


def _tops(words: Sequence[Any], wanted: Collection[str], start: int) -> Iterator[int]:
    depth = 0
    for at in range(start, len(words)):
        kind = words[at].token_type
        if kind is TokenType.L_PAREN:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        if depth == 0 and word_of(words[at]) in wanted:
            yield at


def spoken(words: Sequence[Any]) -> list[str]:
    return [word_of(token) for token in words]


def separated(several: Sequence[Words], mark: Words) -> Words:
    return [token for number, one in enumerate(several) for token in ([*mark, *one] if number else one)]


def begins(words: Sequence[Any], at: int) -> bool:
    """Whether a query, or a change, begins here."""
    while at < len(words) and words[at].token_type is TokenType.L_PAREN:
        at += 1
    return at < len(words) and word_of(words[at]) in BEGINNING


def anywhere(words: Words) -> Words:
    """UPDATE t SET a = 1 WHERE CURRENT OF c changes the row of t that the cursor c gave last: any of them."""
    at = top(words, {"WHERE"})
    if word_of(words[0]) not in ("UPDATE", "DELETE") or spoken(words[at + 1 : at + 3]) != ["CURRENT", "OF"]:
        return words
    end = behind_name(words, at + 3)
    return [*words[:at], *words[end:]]


def elements(words: Sequence[Any], arrays: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Where one of the values of a variable is meant that holds many, v(i), up to where, and what that is called."""
    at = 0 if arrays else len(words)
    while at + 1 < len(words):
        end = at + 1
        if word_of(words[at]) in arrays:
            while end < len(words) and words[end].token_type is TokenType.L_PAREN:
                end = closed(words, end)
        if end > at + 1:
            yield at, end, "".join(token.text for token in words[at:end])
        at = end


def with_elements(words: Words, arrays: Collection[str]) -> Words:
    """Words in which each value of a variable that holds many has a name of its own, and what is asked of all is told.

    v(i).name, v.COUNT                "v(i)".name, ELEMENTS(v)
    """
    found: Words = []
    behind = 0
    for first, last, name in elements(words, arrays):
        token = words[first]
        own = identifier(token, name)
        found, behind = [*found, *words[behind:first], own], last
    return _told(found + list(words[behind:]), arrays)


def state_tested(words: Words) -> Words:
    """x IS NOT NAN, x IS A SET, x IS DOCUMENT: a test of x of which nothing is known, and no column NAN."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 4])
        start = 1 + (said[1:2] == ["NOT"])
        start += said[start : start + 2] == ["A", "SET"]
        if said[:1] == ["IS"] and said[start : start + 1] and said[start] in STATES:
            found += made_words(words[at], f"= STATE_{said[start]}()")
            at += start + 1
        else:
            found.append(words[at])
            at += 1
    return found


STATES = frozenset(("NAN", "INFINITE", "EMPTY", "DANGLING", "PRESENT", "SET", "DOCUMENT", "NORMALIZED"))


METHODS = frozenset(("COUNT", "FIRST", "LAST", "LIMIT", "NEXT", "PRIOR", "EXISTS"))


def _told(words: Words, arrays: Collection[str]) -> Words:
    found: Words = []
    at = 0
    while at < len(words):
        asked = word_of(words[at]) in arrays and spoken(words[at + 2 : at + 3])[:1]
        if asked and words[at + 1].token_type is TokenType.DOT and asked[0] in METHODS:
            behind = " ) IS NOT NULL" if asked[0] == "EXISTS" else ")"
            found += [*made_words(words[at], "ELEMENTS ("), words[at], *made_words(words[at + 2], behind)]
            at += 3
            if at < len(words) and words[at].token_type is TokenType.L_PAREN:
                at = closed(words, at)
        else:
            found.append(words[at])
            at += 1
    return found


BEGINNING = frozenset(("SELECT", "WITH", "SEL", "INSERT", "MERGE", "UPDATE", "DELETE", "COPY"))
"""The first words of queries and changes."""
