"""What only SQL Server says of changes, and of what they give back.

UPDATE t SET a += 1 OUTPUT inserted.a INTO log (a)       UPDATE t SET a = a + 1, and beside it
                                                         INSERT INTO log (a) SELECT inserted.a
DELETE FROM x FROM s AS x JOIN p ...                     DELETE x FROM s AS x JOIN p ...
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    closed,
    made_words,
    opens,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

CHANGES = frozenset(("INSERT", "UPDATE", "DELETE", "MERGE", "WITH"))

BEHIND = frozenset(("WHERE", "FROM", "VALUES", "SELECT", "EXEC", "EXECUTE", "DEFAULT", "OPTION", "OUTPUT", "WITH"))

NAMING = CHANGES | {"INTO", "FROM", "JOIN", "USING", "SELECT", "DISTINCT", "SET", "WHERE", "ON", "AND", "OR", "BY"}
MARKS = frozenset(".,@=<>+-*/")
"""Words and marks behind which no clause begins: what stands there is called OUTPUT."""
JOINED = MARKS - {"@", "-"} | {")", ">=", "<=", "<>"}

COMPUTING = frozenset((TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH))


def assigned(words: Words) -> Words:
    """T-SQL's a += b is a = a + b."""
    if word_of(words[0]) not in ("UPDATE", "WITH", "MERGE"):
        return words
    found: Words = []
    own = _changed(words)
    for at, token in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else None
        if token.token_type in COMPUTING and after is not None and after.token_type is TokenType.EQ:
            name = _name_before(found)
            # Of tables that are joined to it others may have a column that is called so.
            table = [*own, *made_words(token, ".")] if own and len(name) == 1 else []
            found += [after, *table, *name, token]
        elif not (token.token_type is TokenType.EQ and at and words[at - 1].token_type in COMPUTING):
            found.append(token)
    return found


def _changed(words: Words) -> Words:
    """What a change calls the row that is changed; nothing where a query stands before it."""
    if word_of(words[0]) not in ("UPDATE", "MERGE"):
        return []
    at = 1
    if word_of(words[at]) == "TOP":
        at = closed(words, at + 1) if opens(words[at + 1]) == 1 else at + 2
        at += word_of(words[at]) == "PERCENT"
    at += word_of(words[at]) == "INTO"
    end = behind_name(words, at)
    name = words[at:end]
    if word_of(words[0]) == "MERGE" and end < len(words):
        end = closed(words, end + 1) if spoken(words[end : end + 2]) == ["WITH", "("] else end
        end += word_of(words[end]) == "AS"
        name = name if word_of(words[end]) == "USING" else words[end : end + 1]
    return name


def _name_before(words: Words) -> Words:
    start = len(words)
    while start > 1 and words[start - 2].token_type is TokenType.DOT:
        start -= 2
    return words[start - 1 :]


def derived(words: Words) -> Words:
    """INSERT INTO t SELECT a FROM (DELETE s OUTPUT deleted.a) AS x takes the rows that a change gives back.

    WITH changed AS (DELETE FROM s RETURNING deleted.a) INSERT INTO t SELECT a FROM changed AS x
    """
    at = next((n for n in range(1, len(words) - 1) if _changes_within(words, n)), 0)
    if not at:
        return words
    end = closed(words, at)
    kept, outputs = without_output(words[at + 1 : end - 1])
    if not outputs or word_of(outputs[0][0]) != "SELECT":
        return words
    if word_of(kept[0]) == "DELETE" and top(kept, {"FROM"}) == len(kept):
        kept[1:1] = made_words(kept[0], "FROM")
    change = [*kept, *made_words(kept[-1], "RETURNING"), *outputs[0][1:]]
    rest = [*words[:at], *made_words(words[at], "changed"), *words[end:]]
    lead = [*made_words(words[0], "WITH changed AS ("), *change, *made_words(words[end - 1], ")")]
    return [*lead, *made_words(words[0], ","), *rest[1:]] if word_of(rest[0]) == "WITH" else [*lead, *rest]


def _changes_within(words: Words, at: int) -> bool:
    opened = words[at].token_type is TokenType.L_PAREN and word_of(words[at - 1]) in ("FROM", "JOIN", ",", "USING")
    return opened and word_of(words[at + 1]) in ("INSERT", "UPDATE", "DELETE")


def executed(words: Words) -> Words:
    """Of INSERT ... EXEC proc nobody knows here which rows the procedure gives."""
    return words[: top(words, {"EXEC", "EXECUTE"})] if word_of(words[0]) == "INSERT" else words


def without_output(words: Words) -> tuple[Words, list[Words]]:
    """A T-SQL change without its OUTPUTs, and these as statements of their own."""
    kept: Words = []
    outputs: list[Words] = []
    at = depth = 0
    while at < len(words):
        depth += opens(words[at])
        if depth or not _gives_back(words, at):
            kept.append(words[at])
            at += 1
            continue
        end = top(words, BEHIND, at + 1)
        into = top(words[:end], {"INTO"}, at + 1)
        # OUTPUT inserted.x INTO log (y) is INSERT INTO log (y) SELECT inserted.x.
        given = [*made_words(words[at], "SELECT"), *words[at + 1 : into]]
        outputs.append([*made_words(words[at], "INSERT"), *words[into:end], *given] if into < end else given)
        at = end
    return kept, outputs


def _gives_back(words: Words, at: int) -> bool:
    """Whether the OUTPUT of a change begins here: tables, columns and variables may be called so, too."""
    if word_of(words[at]) != "OUTPUT" or at + 1 == len(words):
        return False
    before, after = words[at - 1], words[at + 1]
    # What stands behind @ is a variable, whatever it is called; THEN DELETE names no table.
    named = word_of(before) in NAMING and words[at - 2].text.upper() not in ("@", "THEN")
    names = named or before.text in MARKS
    return not names and after.text not in JOINED and word_of(after) not in BEHIND | {"SET", "USING", "ON", "AS"}


def give_back(change: Any, output: Any) -> None:
    """Let a change have its OUTPUT; of two the one that goes into a table counts."""
    given, into = (output.expression, output.this) if isinstance(output, exp.Insert) else (output, None)
    if into is not None or change.args.get("returning") is None:
        change.set("returning", exp.Returning(expressions=given.expressions, into=into))


def deleting(words: Words) -> Words:
    """DELETE FROM x FROM s AS x JOIN ... is DELETE x FROM s AS x JOIN ..."""
    sources = tops(words, {"FROM"}) if word_of(words[0]) == "DELETE" else []
    twice = len(sources) > 1 and sources[0] == 1
    return [words[0], *words[2:]] if twice else words


def without_top(words: Words) -> Words:
    """UPDATE TOP (10) t ...: which of the rows are changed nobody knows."""
    if word_of(words[0]) not in CHANGES or word_of(words[1]) != "TOP":
        return words
    end = closed(words, 2) if words[2].token_type is TokenType.L_PAREN else 3
    return [words[0], *words[end + (word_of(words[end]) == "PERCENT") :]]
