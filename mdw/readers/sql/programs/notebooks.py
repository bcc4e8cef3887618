"""Databricks's notebooks as files of SQL: cells, each of which ends with a line; those in other languages say so.

-- COMMAND ----------            a cell ends, whether or not its last statement has a semicolon
-- MAGIC %sql                    this cell is SQL
-- MAGIC SELECT 1
%python                          of this cell only the texts of SQL that it has run are read
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdw.readers.sql.programs.quoted import texts_of_sql

CELL = re.compile(r"(?m)^--[ \t]*COMMAND[ \t]+-{5,}[ \t]*\r?$")
MAGIC = re.compile(r"(?m)^--[ \t]*MAGIC(?:[ \t]|(?=\r?$))")
LANGUAGE = re.compile(r"\s*(?:--[^\n]*\n\s*)*%(?P<name>\w+)")
BEFORE_MAGIC = re.compile(r"\s*(?:--(?!\s*MAGIC)[^\n]*\n\s*)*")
PROGRAMS = ("python", "scala", "r")
SHOWN = re.compile(r"[^\n]")


def plain_cells(text: str) -> str:
    """The text of a notebook as a script of the same length; any other text as it is.

    >>> plain_cells("%sql\\nSELECT 1\\n-- COMMAND ----------\\nSELECT 2").split("\\n")
    ['    ', 'SELECT 1', ';                    ', 'SELECT 2']
    """
    if CELL.search(text) is None and LANGUAGE.match(text) is None and MAGIC.search(text) is None:
        return text
    parts, at = [], 0
    for mark in CELL.finditer(text):
        parts += [_plain(text[at : mark.start()]), ";", " " * (len(mark.group().rstrip("\r")) - 1)]
        at = mark.start() + len(mark.group().rstrip("\r"))
    return "".join([*parts, _plain(text[at:])])


def _plain(cell: str) -> str:
    """A cell as SQL: without what marks it, or with nothing but what a program has run."""
    marked = MAGIC.match(cell, BEFORE_MAGIC.match(cell).end()) is not None  # type: ignore[union-attr]
    plain = MAGIC.sub(lambda one: " " * len(one.group()), cell) if marked else cell
    language = LANGUAGE.match(plain)
    if language is None:
        return cell
    lead = SHOWN.sub(" ", plain[: language.end()])
    if language["name"].lower() == "sql":
        return lead + plain[language.end() :]
    body = plain[language.end() :]
    return lead + ("".join(_run(body)) if language["name"].lower() in PROGRAMS else SHOWN.sub(" ", body))


def _run(body: str) -> Iterator[str]:
    at = 0
    for place, text in texts_of_sql(body):
        # A text begins behind a quote, and ends before one: there is room for what parts statements.
        yield SHOWN.sub(" ", body[at:place]) + text[:-1] + ";"
        at = place + len(text)
    yield SHOWN.sub(" ", body[at:])
