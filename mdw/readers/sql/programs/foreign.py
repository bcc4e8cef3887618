"""Statements in bodies of another language: the texts of SQL that JavaScript or Python has run.

    snowflake.execute({sqlText: "INSERT INTO t SELECT a FROM s"})          INSERT INTO t SELECT a FROM s
    session.sql("MERGE INTO t USING s " + "ON t.k = s.k ...").collect()    MERGE INTO t USING s ON t.k = s.k ...

A text that is put together with values is none that is known (rule Q31). Whether one runs nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot.errors import TokenError

from mdw.readers.sql.programs.program import Loop, Run, Step, Steps
from mdw.readers.sql.programs.words import Words

LITERAL = (
    r"(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|`(?:[^`\\]|\\.)*`"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
)
COMMENT = r"(?://[^\n]*|/\*.*?\*/|(?m:^\s*\#[^\n]*))"
CHAIN = re.compile(rf"(?s){COMMENT}|(?P<texts>{LITERAL}(?:\s*\+?\s*{LITERAL})*)")
ONE = re.compile(rf"(?s){LITERAL}")
CHANGING = re.compile(r"(?i)\s*(?:INSERT|MERGE|UPDATE|DELETE|COPY\s+INTO|CREATE\b.{0,80}?\b(?:TABLE|VIEW)|WITH)\b")
HOLES = re.compile(r"\$\{|\{\w*\}|%s")
ESCAPED = re.compile(r"(?s)\\(.)")
MADE = {"n": " \n", "t": "  ", "\n": " \n"}


def sql_texts(this: Words, at: int) -> Steps:
    """The statements in the text that a token is; none where it has none that is known."""
    token = this.tokens[at]
    written = this.text[token.start : token.end + 1]
    lead = written.find("$", 1) + 1
    if not written.startswith("$") or not lead:
        return ()
    body, start = written[lead : len(written) - lead], token.start + lead
    found = [step for place, text in _texts(body) for step in _read(this, start + place, text)]
    # None, some or all of them run: as in a loop of any number of rounds.
    return (Loop(tuple(found), this.piece(at, at + 1), record='"text of SQL"'),) if found else ()


def _texts(body: str) -> Iterator[tuple[int, str]]:
    """The texts of SQL in a body, each as long as what it stands in, and where it begins."""
    for match in CHAIN.finditer(body):
        if match["texts"] is None:
            continue
        joined = [" "] * len(match["texts"])
        for one in ONE.finditer(match["texts"]):
            quote = 3 if one.group()[:3] in ('"""', "'''") else 1
            inner = ESCAPED.sub(lambda part: MADE.get(part[1], f" {part[1]}"), one.group()[quote:-quote])
            joined[one.start() + quote : one.end() - quote] = inner
        text = "".join(joined)
        around = body[: match.start()].rstrip()[-1:], body[match.end() :].lstrip()[:1]
        if CHANGING.match(text) and not HOLES.search(text) and "+" not in around and "%" not in around:
            yield match.start(), text


def _read(this: Words, start: int, text: str) -> Iterator[Step]:
    try:
        words = Words(text, this.offset + start, this.flavour, this.readers, {})
    except TokenError:
        return
    words.inside, words.depth = True, this.depth
    yield from (step for step in words.steps() if isinstance(step, Run))
