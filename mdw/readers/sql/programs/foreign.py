"""Statements in bodies of another language: the texts of SQL that JavaScript or Python has run.

    snowflake.execute({sqlText: "INSERT INTO t SELECT a FROM s"})          INSERT INTO t SELECT a FROM s
    session.sql("MERGE INTO t USING s " + "ON t.k = s.k ...").collect()    MERGE INTO t USING s ON t.k = s.k ...

A text that is put together with values is none that is known (rule Q31). Whether one runs nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.errors import TokenError

from mdw.readers.sql.programs.program import Loop, Run, Step, Steps
from mdw.readers.sql.programs.quoted import texts_of_sql
from mdw.readers.sql.programs.words import Words


def sql_texts(this: Words, at: int) -> Steps:
    """The statements in the text that a token is; none where it has none that is known."""
    token = this.tokens[at]
    written = this.text[token.start : token.end + 1]
    lead = written.find("$", 1) + 1
    if not written.startswith("$") or not lead:
        return ()
    body, start = written[lead : len(written) - lead], token.start + lead
    found = [step for place, text in texts_of_sql(body) for step in _read(this, start + place, text)]
    # None, some or all of them run: as in a loop of any number of rounds.
    return (Loop(tuple(found), this.piece(at, at + 1), record='"text of SQL"'),) if found else ()


def _read(this: Words, start: int, text: str) -> Iterator[Step]:
    try:
        words = Words(text, this.offset + start, this.flavour, this.readers, {})
    except TokenError:
        return
    words.inside, words.depth = True, this.depth
    yield from (step for step in words.steps() if isinstance(step, Run))
