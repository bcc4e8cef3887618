"""CREATE TABLE t (...) with nothing but the names of its columns, their types, formulas and defaults.

    CREATE TABLE t (a INT SPARSE NULL, b VARCHAR(9) MASKED WITH (...), CHECK (a > 1)) WITH (...)
    CREATE TABLE t (a INT, b VARCHAR(9))

Databases have many words of their own for how columns are stored, checked and shown, which say nothing of their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    bracketed,
    closed,
    made_words,
    name_at,
    parted,
    separated,
    spoken,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

RULES = frozenset(
    """
    PRIMARY UNIQUE CONSTRAINT CHECK FOREIGN INDEX KEY PERIOD EXCLUDE SUPPLEMENTAL PROJECTION FULLTEXT SPATIAL CLUSTERED
    """.split()  # noqa: SIM905
) | {"PRIMARY KEY", "FOREIGN KEY"}
"""What an item begins with that is no column."""
BEHIND = frozenset(
    """
    SPARSE ROWGUIDCOL NOT NULL IDENTITY PRIMARY UNIQUE CHECK REFERENCES CONSTRAINT DEFAULT COLLATE INDEX MASKED
    ENCRYPTED HIDDEN GENERATED PERSISTED ENCODE DISTKEY SORTKEY COMPRESS CHARACTER CASESPECIFIC TITLE FORMAT
    UPPERCASE COMMENT CODEC OPTIONS AUTOINCREMENT AUTO_INCREMENT ON ENABLE DISABLE VISIBLE INVISIBLE VIRTUAL STORED
    AS FOREIGN WITH TAG TTL ENCODING ACCESSRANK SET STATISTICS FOR UNSIGNED ZEROFILL SORT INLINE LOGGED IMPLICITLY
    WITHOUT PATH
    """.split()  # noqa: SIM905
) | {"PRIMARY KEY", "FOREIGN KEY", "CHARACTER SET", "CHAR"}
"""What may stand behind a type."""
TEMPORARY = frozenset(("TEMP", "TEMPORARY", "VOLATILE"))


def plain_columns(words: Sequence[Any], *, typed: bool) -> Words | None:
    """CREATE TABLE with its columns only, ``typed`` or not; None of anything else, or where nobody knows them."""
    first = spoken(words[:8])
    if first[:1] != ["CREATE"] or "TABLE" not in first:
        return None
    name = name_at(words, first.index("TABLE") + 1)
    end = behind_name(words, name)
    # Teradata says of a table how it is kept before it says what it has: CREATE TABLE t, NO FALLBACK (a INT).
    opened = next((at for at in range(end, len(words)) if words[at].token_type is TokenType.L_PAREN), len(words))
    if opened == len(words) or (opened > end and words[end].token_type is not TokenType.COMMA):
        return None
    if any(begins(words, at + 1) for at in tops(words, {"AS"})) or tops(words, {"SELECT"}, end):
        return None
    items = items_of(words, opened)
    # What columns of files are computed by are parts of their lines.
    columns = [item[:1] if "EXTERNAL" in first else _column(item, typed=typed) for item in items]
    if not columns or any(one is None for one in columns):
        return None
    # Hive tells the columns by which a table is parted apart from the others, with their types.
    apart = next((at + 1 for at in tops(words, {"PARTITIONED BY", "PARTITION BY"}, opened) if at + 1 < len(words)), 0)
    parts = items_of(words, apart) if apart and words[apart].token_type is TokenType.L_PAREN else []
    columns += [item if typed else item[:1] for item in parts if len(item) > 1 and _plain(item[1])]
    listed = separated([one for one in columns if one is not None], made_words(words[0], ","))
    temporary = "TEMPORARY " if TEMPORARY & set(first) else ""
    temporary = f"GLOBAL {temporary}" if temporary and "GLOBAL" in first else temporary
    made = made_words(words[0], f"CREATE {temporary}TABLE")
    return [*made, *words[name:end], *bracketed(listed, words[opened])]


def _plain(token: Any) -> bool:
    """Whether a word may begin a type, and no argument or formula."""
    return token.token_type not in (TokenType.L_PAREN, TokenType.DOT) and str(token.text).isidentifier()


def items_of(words: Sequence[Any], opened: int) -> list[Words]:
    """What commas part in a parenthesis that opens here, but rules that rows must meet, and how late they may come."""
    items = parted(words[opened + 1 : closed(words, opened) - 1])
    late = ["WATERMARK", "FOR"]
    return [item for item in items if item and word_of(item[0]) not in RULES and spoken(item[:2]) != late]


def _column(item: Words, *, typed: bool) -> Words | None:
    """The name of a column, its type, what it is computed by and its default."""
    behind = [at for at in tops(item, BEHIND) if at]
    last = behind[0] if behind else len(item)
    if last > MOST or any(token.token_type is TokenType.STRING for token in item[:1]):
        return None
    found = item[: last if typed else 1]
    formula = next((at for at in behind if word_of(item[at]) == "AS" and at + 1 < len(item)), None)
    if formula is not None and word_of(item[formula + 1]) in TIMES:
        return found
    if formula is not None and (item[formula + 1].token_type is TokenType.L_PAREN or formula == behind[0]):
        end = next((at for at in behind if at > formula), len(item))
        bare = item[formula + 1].token_type is not TokenType.L_PAREN
        given = bracketed(item[formula + 1 : end], item[0]) if bare else []
        lead = formula - 2 * (spoken(item[formula - 2 : formula]) == ["GENERATED", "ALWAYS"])
        if len(found) == 1 and lead < formula:
            # Db2 finds the type of what is computed by itself.
            lead = formula
        return [*found, *item[lead : formula + 1], *(given or item[formula + 1 : closed(item, formula + 1)])]
    default = next((at for at in behind[:1] if word_of(item[at]) == "DEFAULT" and at + 1 < len(item)), None)
    if default is not None and word_of(item[default + 1]) not in ("ON", "USING"):
        end = default + 1
        end = closed(item, end) if item[end].token_type is TokenType.L_PAREN else behind_name(item, end)
        if end < len(item) and item[end].token_type is TokenType.L_PAREN:
            end = closed(item, end)
        found = [*found, *item[default:end]]
    by = next((at for at in behind if word_of(item[at]) == "COLLATE" and at + 1 < len(item)), None) if typed else None
    return found if by is None else [*found, *item[by : max(behind_name(item, by + 1), by + 2)]]


TIMES = frozenset(("VALIDTIME", "TRANSACTIONTIME", "ROW", "IDENTITY"))
"""What stands behind AS that is no formula."""
MOST = 24
"""Words of a name and its type."""
