"""The row that a cursor gave last, which a statement changes: what the cursor asks decides that there is one (Q27).

c CURSOR FOR SELECT k FROM s WHERE z > 3
UPDATE s SET a = 1 WHERE CURRENT OF c            under EXISTS (SELECT k FROM s WHERE z > 3): S.Z decides over S.A
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mdw.readers.sql.phrases.words import behind_name, made_words, spoken, top
from mdw.readers.sql.programs.known import Known, KnownTest, KnownWays

if TYPE_CHECKING:
    from mdw.readers.sql.pieces import ScriptPiece
    from mdw.readers.sql.programs.following import Following
    from mdw.readers.sql.programs.states import CursorQuery, ProgramState


def current(this: Following, piece: ScriptPiece, state: ProgramState) -> Known:
    """What is known where a statement changes the row that a cursor gave: one of the queries it is for has that row."""
    if not piece.mentions("CURRENT") or spoken(piece.tokens[:1])[0] not in ("UPDATE", "DELETE"):
        return ()
    at = top(piece.tokens, {"WHERE"})
    if spoken(piece.tokens[at + 1 : at + 3]) != ["CURRENT", "OF"]:
        return ()
    name = piece.tokens[at + 3 : behind_name(piece.tokens, at + 3)]
    several = state.cursors.get(this.key(name[-1].text), ()) if name else ()
    ways = [_has_row(one, one.query) for one in several if one.query is not None and one.query.tokens]
    if not ways or len(ways) < len(several):
        return ()
    return ways[0] if len(ways) == 1 else (KnownWays(tuple(ways)),)


def _has_row(cursor: CursorQuery, query: ScriptPiece) -> Known:
    """That there is a row of a query."""
    words = query.tokens[: _plain(query.tokens)]
    opens, closes = made_words(words[0], "EXISTS ("), made_words(words[-1], ")")
    return (KnownTest(replace(query, tokens=(*opens, *words, *closes)), True, cursor.variables),)


def _plain(words: Sequence[Any]) -> int:
    """Where a query ends, and what it says of how its rows are used begins: FOR UPDATE OF a, WITH RS."""
    at = top(words, {"FOR"})
    return at if spoken(words[at + 1 : at + 2]) in (["UPDATE"], ["READ"], ["SHARE"], ["NO"]) else len(words)
