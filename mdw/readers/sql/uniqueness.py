"""What DDL says of columns that have no values twice: UNIQUE of a column or a table, CREATE UNIQUE INDEX.

    CREATE TABLE t (a INT UNIQUE, b INT, c INT, UNIQUE (b, c))       ("A",), ("B", "C")
    CREATE UNIQUE INDEX i ON t (LOWER(d)) WHERE e > 0                ("D",)

By them INSERT ... ON CONFLICT, REPLACE and ON DUPLICATE KEY find the row that is there already (rule Q19).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from mdw.readers.sql.naming import Identifiers
from mdw.readers.sql.phrases.words import behind_name, closed, top
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.work import Work


def unique_keys(part: Any, work: Work) -> Iterator[tuple[str, ...]]:
    """The unique keys that a part of CREATE or ALTER tells of."""
    if isinstance(part, exp.ColumnDef):
        kinds = [one.args.get("kind") for one in part.args.get("constraints") or ()]
        if any(isinstance(kind, exp.UniqueColumnConstraint) for kind in kinds):
            yield (work.naming.part(part.this),)
    elif isinstance(part, exp.UniqueColumnConstraint):
        names = [one for given in part.this.expressions for one in given.find_all(exp.Identifier)] if part.this else []
        yield tuple(dict.fromkeys(map(work.naming.part, names)))
    elif isinstance(part, (exp.Constraint, exp.AddConstraint)):
        for inner in part.expressions:
            yield from unique_keys(inner, work)


def unique_index(piece: ScriptPiece, naming: Identifiers) -> tuple[str, tuple[str, ...]] | None:
    """The table of a CREATE UNIQUE INDEX, as written, and its columns; None of any other statement."""
    words = piece.tokens
    if "UNIQUE" not in map(word_of, words[1:4]):
        return None
    start = top(words, {"ON"}) + 1
    start += start < len(words) and word_of(words[start]) == "ONLY"
    end = behind_name(words, start) if start < len(words) else start
    # PostgreSQL's ON t USING btree (a)
    opened = next((at for at in range(end, len(words)) if words[at].token_type is TokenType.L_PAREN), len(words))
    if opened == len(words):
        return None
    inner = words[opened + 1 : closed(words, opened) - 1]
    names = {
        naming.known(one.text, quoted=one.token_type is TokenType.IDENTIFIER): None
        for at, one in enumerate(inner)
        if (one.token_type is TokenType.IDENTIFIER or one.text.isidentifier())
        and word_of(one) not in SORTED
        # The name of a function is none of a column.
        and not (at + 1 < len(inner) and inner[at + 1].token_type is TokenType.L_PAREN)
    }
    table = piece.text[words[start].start : words[end - 1].end + 1]
    return (table, tuple(names)) if names else None


SORTED = frozenset(("ASC", "DESC", "NULLS", "FIRST", "LAST"))
"""What an index says of the order of a column."""
