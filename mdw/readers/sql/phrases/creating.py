"""CREATE ... AS SELECT without what it says of storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.phrases.words import Words, begins, closed, made_words, tops
from mdw.readers.sql.pieces import word_of


def plain_create(words: Sequence[Any]) -> Words | None:
    """CREATE ... AS SELECT without what it says of storage; of a task the statement it runs; None of others.

    CREATE MATERIALIZED VIEW v BUILD IMMEDIATE AS SELECT ...      CREATE VIEW v AS SELECT ...
    """
    first = [word_of(token) for token in words[:8]]
    kind = next((word for word in ("TASK", "TABLE", "VIEW") if word in first), "")
    body = next((at for at in tops(words, {"AS"}) if begins(words, at + 1)), 0)
    if first[:1] != ["CREATE"] or not kind or not body:
        return None
    rest = list(words[body + 1 :])
    if kind == "TASK":
        return rest
    name = first.index(kind) + 1
    if "EXISTS" in first:
        name = first.index("EXISTS") + 1
    end = name + 1
    while end + 1 < len(words) and words[end].token_type is TokenType.DOT:
        end += 2
    columns = closed(words, end) if words[end].token_type is TokenType.L_PAREN else end
    temporary = "TEMPORARY " if {"TEMP", "TEMPORARY", "VOLATILE"} & set(first) else ""
    tail = next((at for at in tops(rest, {"WITH", "ON"}) if at and _ends(rest, at)), len(rest))
    made = made_words(words[0], f"CREATE {temporary}{kind}")
    return [*made, *words[name:columns], words[body], *rest[:tail]]


ENDINGS = (
    ("WITH", "NO"),
    ("WITH", "DATA"),
    ("WITH", "READ"),
    ("WITH", "CHECK"),
    ("WITH", "CASCADED"),
    ("ON", "COMMIT"),
)


def _ends(words: Sequence[Any], at: int) -> bool:
    """Whether a word begins what stands behind the query of a CREATE: WITH NO DATA, ON COMMIT ..."""
    return tuple(word_of(token) for token in words[at : at + 2]) in ENDINGS


def without_virtual(words: Sequence[Any]) -> Words:
    """VIRTUAL behind the formula of a column says that its values are not stored."""
    return [
        token
        for at, token in enumerate(words)
        if not (word_of(token) == "VIRTUAL" and at and words[at - 1].token_type is TokenType.R_PAREN)
    ]
