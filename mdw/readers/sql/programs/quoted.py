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
HOLES = re.compile(r"\$\{|\{\w*\}|%s")
ESCAPED = re.compile(r"(?s)\\(.)")
MADE = {"n": " \n", "t": "  ", "\n": " \n"}


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
        text = "".join(joined)
        around = body[: match.start()].rstrip()[-1:], body[match.end() :].lstrip()[:1]
        if CHANGING.match(text) and not HOLES.search(text) and "+" not in around and "%" not in around:
            yield match.start(), text
