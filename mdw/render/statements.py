"""What became of statements of SQL, in words: how many, by folder, by cause, and each that was not understood whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdw.model.answers.causes import Cause, Tally
from mdw.model.answers.quotes import ScriptWords
from mdw.model.answers.report import Report
from mdw.model.answers.statements import STATUSES, SqlStatement, statuses
from mdw.model.errors import InputError
from mdw.render.table import columns
from mdw.render.words import clipped, count, listed, place

MOST = 20
"""Statements, and files, that a text names."""
NAMES = 3
"""Names that a cause tells."""
LONGEST = 100
"""Characters of a line of SQL that are shown around a place."""


def understood(sql: Sequence[SqlStatement]) -> str:
    """How many statements were understood how far, in a line.

    >>> understood([])
    '0 SQL statements: none'
    """
    counts = [f"{number:,} {status}" for status, number in statuses(sql).items()]
    return f"{count(len(sql), 'SQL statement')}: {', '.join(counts) or 'none'}"


def report_text(report: Report, width: int = 120) -> str:
    """The report as text, in lines of so many characters."""
    if not report.files:
        return "no SQL was loaded"
    return "\n\n".join((*_parts(report, width), *_interrupted(report)))


def _parts(report: Report, width: int) -> Iterator[str]:
    yield f"{understood(report.statements)} in {count(len(report.files), 'file')}"
    yield columns(("folder", "files", *STATUSES), [_counts(one) for one in report.folders], width)
    if report.partly:
        partly = f"{count(len(report.partly), 'definition')} not read whole, so what INSERT leaves out may be anything"
        yield f"{partly}: {listed(report.partly, NAMES)}"
    if len(report.dialects) > 1:
        yield columns(("dialect", "files", *STATUSES), [_counts(one) for one in report.dialects], width)
    if report.help:
        helps = [(f"{one.statements:,}", one.says) for one in report.help[:MOST]]
        yield columns(("times", "what would help"), helps, width)
    if report.causes:
        causes = [(one.kind, f"{one.count:,}", why(one), ", ".join(map(place, one.places))) for one in report.causes]
        yield columns(("kind", "times", "why", "where"), causes, width)
    if report.unclear:
        yield "\n".join(map(statement_text, report.unclear[:MOST])) + _more(len(report.unclear))
    if report.empty:
        files = "\n".join(f"  {name}" for name in report.empty[:MOST])
        yield f"{count(len(report.empty), 'file')} without any statement:\n{files}{_more(len(report.empty))}"


def _interrupted(report: Report) -> Iterator[str]:
    """The attributes where lineage ends though mappings fill their entities."""
    if report.interrupted:
        number, some = len(report.interrupted), report.interrupted[:MOST]
        noun = "attribute is" if number == 1 else "attributes are"
        listed = "\n".join(f"  {name}   read by {file}:{line}" for name, file, line in some)
        said = f"{number:,} {noun} interrupted: read, and filled by no mapping that fills the entity"
        yield f"{said}:\n{listed}{_more(number)}"


def _counts(one: Tally) -> tuple[str, ...]:
    return one.name, f"{one.files:,}", *(f"{one.statuses.get(status, 0):,}" for status in STATUSES)


def why(one: Cause) -> str:
    """The cause, and the first of what it is about."""
    if not one.names or one.kind == "cycle":
        return one.cause
    return f"{one.cause}: {clipped(listed(one.names, NAMES), LONGEST)}"


def statement_text(one: SqlStatement) -> str:
    """A statement that was not understood whole: where, why, the line with a caret, what to do."""
    line, column = one.line, one.location.column
    # Of the first line of a statement its text has only what stands behind its beginning.
    caret = column - (one.start.column if one.start and one.start.line == one.location.line else 1)
    first = max(0, caret - LONGEST // 2)
    shown = line[first : first + LONGEST]
    message = f"{one.status}: {one.message}"
    return str(InputError(message, location=one.location, excerpt=shown, caret=caret - first, hint=one.hint))


def _more(number: int) -> str:
    return f"\n  … {number - MOST:,} more: --format json names all" if number > MOST else ""


def words_text(one: ScriptWords) -> str:
    """Words of a script on one line, behind their place."""
    return f"{place(one.location)}  {clipped(' '.join(one.text.split()), 4 * LONGEST)}"
