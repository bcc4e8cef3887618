"""What was not resolved in a statement, and what would help, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from mdw.model.answers.statements import SqlStatement
from mdw.model.name import parts

Sort = Literal["column", "star", "template", "other"]
PHRASES = re.compile(r"the |NATURAL JOIN |\d+ columns for ")
"""How those begin that are no names."""
FEW = 5
DICTIONARY = "load their CREATE TABLE, or an export of information_schema.columns"
STATED = "if it moves data, say what it does in mapping text, and load that beside it"
OPAQUE = {
    "a text that is run": "texts are read where all their parts are constants; " + STATED,
    "a call of which the body": "load the file that makes it",
    "CREATE ": "it moves no data that could be told",
    "": STATED,
}
"""What would help, by how the reason begins."""


def sort_of(unresolved: str) -> Sort:
    """Of what sort something is that was not resolved.

    >>> [sort_of(one) for one in ("state", "s.*", "{{ ref('u') }}", "the values of PIVOT")]
    ['column', 'star', 'template', 'other']
    """
    if unresolved.startswith(("{", "$", "<%")):
        return "template"
    if PHRASES.match(unresolved):
        return "other"
    return "star" if unresolved.endswith(".*") else "column"


def named(names: Sequence[str]) -> str:
    """The first of some names, and how many there are besides.

    >>> named(["a", "b"]), named(["a"] * 7)
    ('a and b', 'a, a, a, a, a and 2 more')
    """
    if len(names) > FEW:
        return f"{', '.join(names[:FEW])} and {len(names) - FEW:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def schema_of(entity: str) -> str:
    """The schema of an entity, "" if it has none."""
    return ".".join(parts(entity)[:-1])


def assumed_of(one: SqlStatement) -> tuple[str, ...]:
    """What was not resolved in a statement, or only by assumption."""
    said = {
        "column": "it is not known of which table this is: all that may have it stay",
        "star": "its columns are not known: whatever is asked of it is passed on by name",
        "template": "a template that was left in",
        "other": "not known",
    }
    found = [f"{name}: {said[sort_of(name)]}" for name in one.unresolved]
    return (*found, one.message) if one.status == "whole" and one.message else tuple(found)


def help_of(one: SqlStatement, untold: Sequence[str]) -> tuple[str, ...]:
    """What would help to understand a statement; ``untold`` are tables it reads whose columns nobody tells."""
    return tuple(dict.fromkeys(filter(None, _help(one, untold))))


def _help(one: SqlStatement, untold: Sequence[str]) -> Iterator[str]:
    yield one.hint
    if one.status == "opaque":
        yield next(said for start, said in OPAQUE.items() if one.message.startswith(start))
    names = [name for name in one.unresolved if sort_of(name) in ("column", "star")]
    if names and untold:
        yield f"a dictionary for {named(untold)} would resolve {named(names)}: {DICTIONARY}"
    elif names:
        yield f"write the table before {named(names)}, if its names are right"
    if any(sort_of(name) == "template" for name in one.unresolved):
        yield "load what templates become, such as the compiled files of dbt"
