"""What only Teradata says."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.phrases.words import Words, closed, made_words, opens, spoken, top
from mdw.readers.sql.pieces import word_of

PHRASES = frozenset(("TITLE", "FORMAT", "CASESPECIFIC", "UPPERCASE"))


def without_phrases(words: Words) -> Words:
    """(TITLE 'x') behind a column says how it is shown, (NAMED x) what it is called."""
    found: Words = []
    at = 0
    while at < len(words):
        token = words[at]
        inner = word_of(words[at + 1]) if token.token_type is TokenType.L_PAREN and at + 3 < len(words) else ""
        if inner in PHRASES:
            at = closed(words, at)
        elif inner == "NAMED":
            found += [*made_words(token, "AS"), words[at + 2]]
            at = closed(words, at)
        else:
            found.append(token)
            at += 1
    return found


def without_normalize(words: Words) -> Words:
    """SELECT NORMALIZE puts periods together: the rows are fewer, their columns the same."""
    found: Words = []
    for at, token in enumerate(words):
        if word_of(token) != "NORMALIZE" or not at or word_of(words[at - 1]) not in ("SELECT", "SEL"):
            found.append(token)
    return found


def without_reset(words: Words) -> Words:
    """RESET WHEN within a window only says where its frame begins."""
    at = next((n for n, word in enumerate(spoken(words)) if word == "RESET"), 0)
    if not at:
        return words
    depth, end = 0, at
    while end < len(words) and depth >= 0 and not (depth == 0 and word_of(words[end]) in ("ROWS", "RANGE")):
        end += 1
        depth += opens(words[end]) if end < len(words) else 0
    return [*words[:at], *words[end:]]


def updating(words: Words) -> Words:
    """UPDATE t FROM s SET ...: where s has no name of its own SET would be taken for one."""
    source, sets = top(words, {"FROM"}), top(words, {"SET"})
    if word_of(words[0]) not in ("UPDATE", "UPD") or not source < sets < len(words):
        return words
    bare = words[sets - 2].token_type is TokenType.DOT or word_of(words[sets - 2]) == "FROM"
    return [*words[:sets], *(words[sets - 1 : sets] if bare else ()), *words[sets:]]


def unlocked(words: Words) -> Words:
    """LOCKING t FOR ACCESS before a statement says nothing of its rows; nor does the ALL of DELETE t ALL."""
    if word_of(words[0]) in ("LOCKING", "LOCK"):
        at = top(words, {"SELECT", "SEL", "INSERT", "INS", "UPDATE", "UPD", "DELETE", "DEL", "MERGE", "WITH"})
        return words[at:] or words
    return words[:-1] if word_of(words[0]) in ("DELETE", "DEL") and word_of(words[-1]) == "ALL" else words
