"""SQL Server's statements of long texts and of messages, as the changes that they are.

WRITETEXT d.t.c @p WITH LOG @new                         UPDATE d.t SET c = @new
UPDATETEXT t.c @p NULL 0 s.d @q                          UPDATE t SET c = CONCAT(t.c, s.d) FROM t, s
READTEXT t.c @p 0 10                                     SELECT c FROM t
SEND ON CONVERSATION @h MESSAGE TYPE [x] (@m)            INSERT INTO [x] (message_body) SELECT @m
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import Words, behind_name, closed, identifier, made_words, spoken, top
from mdw.readers.sql.pieces import TokenType, word_of


def long_text(words: Words) -> Words:
    """A text is read, written anew, or changed in part: which row it is of only a pointer tells."""
    kind = word_of(words[0])
    start = 1 + (spoken(words[1:2]) == ["BULK"])
    end = behind_name(words, start) if start < len(words) else 0
    if kind not in ("READTEXT", "WRITETEXT", "UPDATETEXT") or end - start < 3 or words[end - 2].text != ".":
        return words
    lead, table, column = words[0], words[start : end - 2], words[end - 1]
    rest = words[_behind_value(words, end) :]
    if kind == "READTEXT":
        return [*made_words(lead, "SELECT"), column, *made_words(lead, "FROM"), *table]
    if kind == "UPDATETEXT":
        rest = rest[_behind_value(rest, 0) :]
        rest = rest[_behind_value(rest, 0) :]
    if spoken(rest[:2]) == ["WITH", "LOG"]:
        rest = rest[2:]
    change = [*made_words(lead, "UPDATE"), *table, *made_words(lead, "SET"), column, *made_words(lead, "=")]
    if kind == "WRITETEXT" and rest:
        return [*change, *rest]
    if not rest:
        # A part goes, and nothing comes in its place.
        return [*change, column]
    other = behind_name(rest, 0)
    given = rest[:other] if other > 2 else rest
    own = words[start:end]
    found = [*change, *made_words(lead, "CONCAT ("), *own, *made_words(lead, ","), *given, *made_words(lead, ")")]
    if other > 2:
        found += [*made_words(lead, "FROM"), *table, *made_words(lead, ","), *rest[: other - 2]]
    return found


def sent(words: Words) -> Words:
    """SEND ON CONVERSATION: a message of its type has what is sent."""
    if spoken(words[:3]) != ["SEND", "ON", "CONVERSATION"]:
        return words
    at = top(words, {"TYPE"}) + 1
    name = words[at : behind_name(words, at)] if at < len(words) else [identifier(words[0], "DEFAULT")]
    # Some messages have no body; that of one without a type is the last that stands in parentheses.
    opened = next((n for n in range(len(words) - 1, 2, -1) if words[n].token_type is TokenType.L_PAREN), 0)
    body = words[opened + 1 : closed(words, opened) - 1] if opened else made_words(words[0], "NULL")
    into, select = made_words(words[0], "INSERT INTO"), made_words(words[0], "( message_body ) SELECT")
    return [*into, *name, *select, *body]


def _behind_value(words: Words, at: int) -> int:
    """Behind a number, NULL or a variable."""
    return at + 1 + (at < len(words) and words[at].token_type is TokenType.PARAMETER)
