"""What was not resolved in a statement, and what would help, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from mdw.model.answers.statements import SqlStatement
from mdw.model.name import entity_of, local_of, parts

UnresolvedSort = Literal["column", "star", "template", "unfit", "other"]
OPENED: tuple[UnresolvedSort, ...] = ("column", "star")
"""What a dictionary would resolve."""
PHRASES = re.compile(r"the |NATURAL JOIN ")
"""How those begin that are no names."""
UNFIT = re.compile(r"\d+ values? for |\d+ columns? beside |\d+ columns for |.* has no column ")
"""How what does not fit is told (`mdw.readers.sql.widths`)."""
FEW = 5
DICTIONARY = "load their CREATE TABLE, or an export of information_schema.columns"
STATED = "if it moves data, say what it does in mapping text, and load that beside it"
TEXT_RUN = "a text that is run"
UNKNOWN_CALL = "a call of which the body is not known"
DEAD = ("never runs", "it is disabled")
"""Causes, or words in them, as the reader of SQL has them."""
UNFITTING = "mend the columns, or load the definition of the table as it is now"
MISNAMED = "mend the name, or load the definition of the table as it is now"
SAID: dict[UnresolvedSort, str] = {
    "column": "it is not known of which table this is: all that may have it stay",
    "star": "its columns are not known: whatever is asked of it is passed on by name",
    "template": "a template that was left in",
    "unfit": "no database takes this",
    "other": "not known",
}


def sort_of(unresolved: str) -> UnresolvedSort:
    """Of what sort something is that was not resolved.

    >>> [sort_of(one) for one in ("state", "s.*", "{{ ref('u') }}", "the values of PIVOT", "t has no column a")]
    ['column', 'star', 'template', 'other', 'unfit']
    """
    if unresolved.startswith(("{", "$", "<%")):
        return "template"
    if UNFIT.match(unresolved):
        return "unfit"
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


def without_columns(absent: Iterable[str]) -> Iterator[str]:
    """That entities do not have attributes which are named all the same.

    >>> [*without_columns(["S.T.A", "S.T.B", "S.U.A"])]
    ['S.T has no columns A and B', 'S.U has no column A']
    """
    columns: dict[str, list[str]] = {}
    for name in absent:
        columns.setdefault(entity_of(name), []).append(local_of(name))
    for entity, names in columns.items():
        yield f"{entity} has no column{'s' * (len(names) > 1)} {named(names)}"


def assumed_of(one: SqlStatement) -> tuple[str, ...]:
    """What was not resolved in a statement, or only by assumption."""
    found = [f"{name}: {SAID[sort_of(name)]}" for name in one.unresolved]
    found += [f"{name}: no other table that is read can have this column" for name in one.deduced]
    noted = one.status == "whole" and one.message and one.cause not in DEAD
    return (*found, one.message) if noted else tuple(found)


def help_of(one: SqlStatement, untold: Sequence[str]) -> tuple[str, ...]:
    """What would help to understand a statement; ``untold`` are tables it reads whose columns nobody tells."""
    return tuple(dict.fromkeys(filter(None, _help(one, untold))))


def _help(one: SqlStatement, untold: Sequence[str]) -> Iterator[str]:
    yield what_helps(one, (one.message.partition(": ")[2],) if one.cause == UNKNOWN_CALL else one.unresolved)
    names = [name for name in one.unresolved if sort_of(name) in OPENED]
    plain = [name for name in names if sort_of(name) == "column"]
    if names and untold:
        yield f"a dictionary for {named(untold)} would resolve {named(names)}: {DICTIONARY}"
    elif plain:
        yield f"write the table before {named(plain)}"


def what_helps(one: SqlStatement, names: Sequence[str]) -> str:
    """What would help with statements of which this is the first; the names of all are what they are about."""
    if one.status == "failed":
        return one.hint
    if one.status == "opaque":
        if one.cause == UNKNOWN_CALL:
            return f"load the files that make {named(names)}"
        texts = "texts that are run are read where all their parts are constants; " if TEXT_RUN in one.cause else ""
        return texts + STATED
    if names and all(sort_of(name) == "unfit" for name in names):
        return UNFITTING
    if any(sort_of(name) == "template" for name in names):
        return "load what templates become, such as the compiled files of dbt"
    return ""
