"""What only SQLite says.

CREATE VIRTUAL TABLE f USING fts5(a, b UNINDEXED, content='docs')      CREATE VIEW f AS SELECT a, b FROM docs
CREATE VIRTUAL TABLE r USING rtree(id, x, y)                           CREATE TABLE r (id, x, y)
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    bracketed,
    closed,
    identifier,
    made_words,
    name_at,
    opens,
    parted,
    separated,
    spoken,
    top,
)
from mdw.readers.sql.pieces import TokenType, word_of


def virtual(words: Words) -> Words:
    """A virtual table has the columns that its module is told; one for searching may have rows of another table."""
    using = top(words, {"USING"})
    if spoken(words[:3]) != ["CREATE", "VIRTUAL", "TABLE"] or using + 2 >= len(words) or opens(words[using + 2]) != 1:
        return words
    first = name_at(words, 3)
    name = words[first : behind_name(words, first)]
    given = parted(words[using + 3 : closed(words, using + 2) - 1])
    # +a is a column of r-trees that is only kept.
    plain = [item[word_of(item[0]) == "+" :] for item in given if item]
    columns = [item[:1] for item in plain if item and not _option(item)]
    content = next((item[2] for item in given if _option(item) and word_of(item[0]) == "CONTENT"), None)
    if not columns:
        return [*made_words(words[0], "CREATE TABLE"), *name]
    listed = separated(columns, made_words(words[0], ","))
    if content is None or not content.text:
        return [*made_words(words[0], "CREATE TABLE"), *words[3:first], *name, *bracketed(listed, words[using])]
    query = [*made_words(words[0], "AS SELECT"), *listed, *made_words(words[0], "FROM"), identifier(content)]
    return [*made_words(words[0], "CREATE VIEW"), *name, *query]


def _option(item: Words) -> bool:
    return len(item) > 2 and item[1].token_type is TokenType.EQ
