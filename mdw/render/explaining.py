"""A statement with all that was understood of it, as text for the terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.padding import Padding

from mdw.model.answers.explained import MAPPING, ExplainedStatement, ReadAs, ReadEntity, StatementPlace
from mdw.model.answers.help import DEAD
from mdw.model.answers.statements import SqlStatement
from mdw.model.tree import lines_of
from mdw.render.spoken import OPAQUE, WORD
from mdw.render.statements import statement_text
from mdw.render.visible import Text
from mdw.render.words import clipped, count, place

GREY, TITLE, WARN = "dim", "bold", "bold red"
MOST_LINES = 80
"""Lines of a statement that are shown."""
MOST = 12
"""Mappings, tables and calls that are shown of each."""
LONGEST = 100
LEFT_OUT = "--format json has all"


def explanation_text(found: ExplainedStatement, width: int = 120, color: bool = False) -> str:
    """The explanation as text."""
    target = io.StringIO()
    console = Console(file=target, width=width, force_terminal=color, no_color=not color, highlight=False)
    for part in _parts(found):
        console.print(part, soft_wrap=isinstance(part, Text))
    return "\n".join(line.rstrip() for line in lines_of(target.getvalue()))


def _parts(found: ExplainedStatement) -> Iterator[Text | Padding]:
    one = found.statement
    yield Text.assemble((place(one.start or one.location), TITLE), "  ", summary_of(found))
    yield Text("")
    yield from _source(found)
    if one.status != "whole" or one.cause in DEAD:
        yield Text("")
        yield Text(statement_text(one) if one.status == "failed" else _why(one), WARN)
    yield from _section("Reads", [_read(read) for read in found.reads])
    writes = dict.fromkeys((*one.writes, *([one.target] if found.mappings and one.target else ())))
    yield from _section("Writes", list(writes))
    yield from _section("Stands in", _places(found.within))
    yield from _section("Calls", _places(found.calls))
    called = (
        "Its routine is called by" if found.within and not found.statement.kind.startswith("create") else "Called by"
    )
    yield from _section(called, _places(found.called_by))
    yield from _section("Not resolved, or assumed", found.assumed)
    yield from _section("What would help", [said for said in found.help if said != one.hint])
    yield from _rules(found)
    yield from _section("Also on this line", _places(found.beside))


def summary_of(found: ExplainedStatement) -> str:
    """What a statement is: its kind, how far it was understood, its dialect."""
    one = found.statement
    return ", ".join(filter(None, (one.kind, "" if one.kind == MAPPING else one.status, one.dialect)))


def _why(one: SqlStatement) -> str:
    return one.message if one.status == "whole" else f"{one.status}: {one.message}"


def _source(found: ExplainedStatement) -> Iterator[Text]:
    """The text with the numbers of its lines; of a mapping, which is shown in canonical form, without."""
    one = found.statement
    start = one.start or one.location
    lines = lines_of(one.text.rstrip())
    if lines and one.kind != MAPPING:
        lines[0] = " " * (start.column - 1) + lines[0]
    room = len(str(start.line + len(lines)))
    for number, line in enumerate(lines[:MOST_LINES], start.line):
        numbered = "" if one.kind == MAPPING else f"{number:>{room}}  "
        yield Text.assemble("  ", (numbered, GREY), line.expandtabs(4))
    if len(lines) > MOST_LINES:
        yield Text(f"  … {count(len(lines) - MOST_LINES, 'more line')}: {LEFT_OUT}", GREY)


def _rules(found: ExplainedStatement) -> Iterator[Text | Padding]:
    """The mappings a statement was read as; those that say the same for other calls are only named."""
    if found.statement.kind == MAPPING:
        return
    own = [one for one in found.mappings if not one.again]
    again = [one for one in found.mappings if one.again]
    if own:
        yield Text("")
        yield Text("Read as", TITLE)
    for number, one in enumerate(own[:MOST]):
        if number:
            yield Text("")
        if one.empty:
            yield Text("  no row can pass this:", WARN)
        yield from (Text(f"  {line}") for line in lines_of(one.text))
    if any(WORD in one.text for one in own[:MOST]):
        yield Padding(Text(OPAQUE, GREY), (0, 0, 0, 2))
    more = [*([f"{count(len(own) - MOST, 'more mapping')}: {LEFT_OUT}"] if len(own) > MOST else []), *_again(again)]
    for line in more:
        yield Padding(Text(f"… {line}", GREY), (0, 0, 0, 2))


def _again(again: Sequence[ReadAs]) -> list[str]:
    if not again:
        return []
    names = ", ".join(one.name for one in again[:3])
    more = f" and {len(again) - 3:,} more" if len(again) > 3 else ""
    return [f"the same for other calls: {names}{more}"]


def _read(one: ReadEntity) -> str:
    said = "" if one.told else "; its columns are not told"
    said = "; local to the script" if one.local else said
    return f"{one.entity}  {', '.join(one.attributes)}{said}".replace("  ;", ";")


def _places(some: Sequence[StatementPlace]) -> list[str]:
    return [f"{one.location}  {clipped(one.text, LONGEST)}" for one in some]


def _section(title: str, lines: Sequence[str]) -> Iterator[Text | Padding]:
    if not lines:
        return
    yield Text("")
    yield Text(title, TITLE)
    for line in lines[:MOST]:
        yield Padding(Text(line), (0, 0, 0, 2))
    if len(lines) > MOST:
        yield Padding(Text(f"… {len(lines) - MOST:,} more: {LEFT_OUT}", GREY), (0, 0, 0, 2))
