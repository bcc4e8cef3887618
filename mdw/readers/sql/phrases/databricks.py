"""What only Databricks says of changes by their keys, and of copies.

APPLY CHANGES INTO t FROM s KEYS (k) SEQUENCE BY x       MERGE INTO t USING (SELECT * FROM s QUALIFY ...) ...
CREATE TABLE t DEEP CLONE s VERSION AS OF 2              CREATE TABLE t CLONE s
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    closed,
    made_words,
    separated,
    spoken,
    top,
)
from mdw.readers.sql.pieces import TokenType, word_of


def plain_clone(words: Words) -> Words:
    """CREATE TABLE t DEEP CLONE s VERSION AS OF 2."""
    said = spoken(words)
    at = top(words, {"CLONE"})
    if said[0] == "CREATE" and at < len(words) - 1:
        words = words[: behind_name(words, at + 1)]
    return [token for at, token in enumerate(words) if not (said[at] == "DEEP" and said[at + 1 : at + 2] == ["CLONE"])]


def collated(words: Words) -> Words:
    """CREATE TABLE t (c STRING) DEFAULT COLLATION utf8_lcase: COLLATE utf8_lcase, as others say it of a table."""
    said = spoken(words)
    at = next((n for n in range(len(words) - 2) if said[n : n + 2] == ["DEFAULT", "COLLATION"]), 0)
    if not at or said[0] != "CREATE" or "TABLE" not in said[:5]:
        return words
    return [*words[:at], *made_words(words[at], "COLLATE"), *words[at + 2 :]]


def without_evolution(words: Words) -> Words:
    """MERGE WITH SCHEMA EVOLUTION INTO t ...: columns may be added."""
    at = next((n for n in range(1, min(3, len(words))) if spoken(words[n : n + 3]) == EVOLVING), 0)
    return [*words[:at], *words[at + 3 :]] if at else words


EVOLVING = ["WITH", "SCHEMA", "EVOLUTION"]


def applied(words: Words) -> Words:
    """APPLY CHANGES INTO t FROM STREAM(s) KEYS (k) SEQUENCE BY x, or AUTO CDC INTO: the latest rows of s by their keys.

    MERGE INTO t USING (SELECT * FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY x DESC) = 1) AS source
    ON t.k = source.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *
    """
    said = spoken(words)
    start = next((n for n in range(len(words) - 2) if said[n : n + 3] in APPLYING), -1)
    keys = said.index("KEYS") if "KEYS" in said else 0
    sources = top(words, {"FROM"}, start + 3)
    if start < 0 or not keys or sources > keys:
        return words
    target, source = words[start + 3 : sources], words[sources + 1 : keys]
    if word_of(source[0]) == "STREAM":
        source = source[2:-1] if source[1].token_type is TokenType.L_PAREN else source[1:]
    by = words[keys + 2 : closed(words, keys + 1) - 1]
    names = [[token for token in by if token.token_type is not TokenType.COMMA][n : n + 1] for n in range(len(by))]
    on = [
        [*made_words(words[0], "target."), *name, *made_words(words[0], "= source."), *name] for name in names if name
    ]
    order = said.index("SEQUENCE") if "SEQUENCE" in said else 0
    wanted = top(words, {"COLUMNS"}, keys)
    columns = _columns_of(words[wanted + 1 : _clause_end(words, wanted + 1)])
    latest: Words = []
    if order:
        latest = [*made_words(words[0], "QUALIFY ROW_NUMBER() OVER (PARTITION BY"), *by]
        latest += [*made_words(words[0], "ORDER BY"), *words[order + 2 : _clause_end(words, order + 2)]]
        latest += made_words(words[0], "DESC) = 1")
    return [
        *made_words(words[0], "MERGE INTO"),
        *target,
        *made_words(words[0], "AS target USING (SELECT"),
        *(columns or made_words(words[0], "*")),
        *made_words(words[0], "FROM"),
        *source,
        *latest,
        *made_words(words[0], ") AS source ON"),
        *separated(on, made_words(words[0], "AND")),
        *made_words(words[0], "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"),
    ]


APPLYING = (["APPLY", "CHANGES", "INTO"], ["AUTO", "CDC", "INTO"])
CLAUSES = frozenset(("KEYS", "SEQUENCE", "COLUMNS", "STORED", "APPLY", "IGNORE", "TRACK", "WHERE"))


def _clause_end(words: Words, at: int) -> int:
    return next((n for n in range(at, len(words)) if word_of(words[n]) in CLAUSES), len(words))


def _columns_of(words: Words) -> Words:
    """COLUMNS (a, b) or COLUMNS * EXCEPT (c)."""
    return words[1:-1] if words and words[0].token_type is TokenType.L_PAREN else words
