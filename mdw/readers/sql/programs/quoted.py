"""Texts of SQL that stand in programs of other languages, JavaScript or Python."""

from __future__ import annotations

import re
from collections.abc import Iterator

LITERAL = (
    r"(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|`(?:[^`\\]|\\.)*`"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
)
COMMENT = r"(?://[^\n]*|/\*.*?\*/|(?m:^\s*\#[^\n]*))"
CHAIN = re.compile(rf"(?s){COMMENT}|(?P<texts>{LITERAL}(?:\s*\+?\s*{LITERAL})*)")
ONE = re.compile(rf"(?s){LITERAL}")
CHANGING = re.compile(r"(?i)\s*(?:INSERT|MERGE|UPDATE|DELETE|COPY\s+INTO|CREATE\b.{0,80}?\b(?:TABLE|VIEW)|WITH)\b")
HOLES = re.compile(r"\$\{|\{\w*\}|%s|%d|%\(\w+\)s")
QUOTED = re.compile(r"'[^']*'")
WITHIN = re.compile(r"\$\{[^}']*\}|\{(\w*)\}|%s|%\((\w+)\)s")
"""What is put into a text of SQL: between quotes it is a part of a value, and the statement is known all the same."""
ESCAPED = re.compile(r"(?s)\\(.)")
MADE = {"n": " \n", "t": "  ", "\n": " \n"}


def _unknown(part: re.Match[str]) -> str:
    """The same, as long, in a form that is known for a part that nobody knows: '{day}' is '${day'."""
    name = part[1] or part[2] or ""
    return part.group() if part.group()[0] == "$" else f"${{{name}".ljust(len(part.group()))


def texts_of_sql(body: str) -> Iterator[tuple[int, str]]:
    """The texts of SQL in a body, each as long as what it stands in, and where it begins."""
    for match in CHAIN.finditer(body):
        if match["texts"] is None:
            continue
        joined = [" "] * len(match["texts"])
        for one in ONE.finditer(match["texts"]):
            quote = 3 if one.group()[:3] in ('"""', "'''") else 1
            inner = ESCAPED.sub(lambda part: MADE.get(part[1], f" {part[1]}"), one.group()[quote:-quote])
            joined[one.start() + quote : one.end() - quote] = inner
        text = QUOTED.sub(lambda one: WITHIN.sub(_unknown, one.group()), "".join(joined))
        around = body[: match.start()].rstrip()[-1:], body[match.end() :].lstrip()[:1]
        if CHANGING.match(text) and not HOLES.search(QUOTED.sub("", text)) and "+" not in around and around[0] != "%":
            yield match.start(), text
