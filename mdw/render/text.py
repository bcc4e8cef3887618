"""Answers for the terminal: a sentence and its notes, the tree of steps, the ends, what was left out."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.tree import Tree

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.answers.quotes import ScriptWords
from mdw.model.answers.steps import Step
from mdw.model.name import entity_of
from mdw.model.tree import lines_of
from mdw.render.ends import ALL, ends_text
from mdw.render.left_out import every, few
from mdw.render.notes import constant, notes
from mdw.render.outline import Branch, Outline, outline
from mdw.render.pairs import Pairs
from mdw.render.spoken import spoken
from mdw.render.statements import words_text
from mdw.render.summary import basis, question, summary
from mdw.render.unread import unread_lines
from mdw.render.visible import Text
from mdw.render.words import (
    by,
    count,
    deciding,
    deciding_title,
    ends,
    local,
    restricts,
    role,
    sort_of,
    via,
    written,
)

GREY = "dim"
GOLD = "bold yellow"
WARN = "bold red"
GREEN = "bold green"
MARKS = {"golden source": GOLD, "source asked for": GOLD, "final target": GREEN, "target asked for": GREEN}
# The text is for reading, and JSON has everything.
LONGEST_LIST = 20
ENDS = {
    "golden source": "Golden sources: no mapping fills their entities, so values come from there",
    "source asked for": "The source asked for, and which of its rows arrive",
    "final target": "Final targets: values of their entities go to no others, so they stay there",
    "target asked for": "The target asked for, and which rows arrive there",
}
UNWRITTEN = "Constants that are not written: no row on the way meets the rules"
UNUSED = "Unused: mappings read its entity, but none reads it"
STOPPED = "Stopped: mappings read it, but none takes these rows"
WORDS = "In the words of the scripts"


def answer_text(
    answer: Answer,
    width: int | None = None,
    color: bool = False,
    *,
    depth: int | None = None,
    limit: int = 120,
    full: bool = False,
    why: bool = True,
    words: Sequence[ScriptWords] = (),
) -> str:
    """The answer as text; ``width`` in characters (default 120), ``color`` with terminal colours.

    ``words`` are those of the scripts it rests on; without ``why`` the answer is short.
    """
    return text_of(render_answer(answer, depth=depth, limit=limit, full=full, why=why, words=words), width, color)


def text_of(renderable: RenderableType, width: int | None = None, color: bool = False) -> str:
    """Any renderable of this package as text without trailing blanks."""
    out = io.StringIO()
    # Nothing is taken from the environment or the terminal: the same answer is the same text everywhere.
    console = Console(
        file=out,
        width=width or 120,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        legacy_windows=False,
        force_jupyter=False,
        _environ={},
    )
    console.print(renderable)
    return "\n".join(line.rstrip() for line in lines_of(out.getvalue())) + "\n"


def render_answer(
    answer: Answer,
    *,
    depth: int | None = None,
    limit: int = 120,
    full: bool = False,
    why: bool = True,
    words: Sequence[ScriptWords] = (),
) -> RenderableType:
    """The answer as a rich renderable; ``depth`` steps deep, else as deep as shows at most ``limit`` attributes.

    ``full`` shows every condition whole, however long it is. Without ``why`` it is short: some of what was left out,
    and nothing of what only decides.
    """
    return Group(*_blocks(answer, outline(answer, depth=depth, limit=limit), full, why, words))


def _blocks(
    answer: Answer, found: Outline, full: bool, why: bool, words: Sequence[ScriptWords]
) -> Iterator[RenderableType]:
    yield Text(summary(answer, full=full), style="bold")
    if answer.unread:
        yield Padding(Text("\n".join(unread_lines(answer)), style=WARN), (0, 0, 0, 2))
    yield from _notes(answer)
    yield Text(question(answer), style=GREY)
    if found.total or written(answer):
        yield Text("")
        yield _tree(found)
    if found.shown < found.total:
        more = f"… {found.total - found.shown:,} more of {found.total:,} steps; deeper: --depth, {ALL}"
        yield Text(more, style=GREY)
    in_words = [(WORDS, _lines(map(words_text, words)))] if words and why else []
    for title, body in (*_sections(answer, full, why), *in_words):
        yield Text("")
        yield Text(title, style="bold")
        yield Padding(body, (0, 0, 0, 2))
    if why and basis(answer):
        yield Text("")
        yield Text(basis(answer), style=GREY)


def _notes(answer: Answer) -> Iterator[RenderableType]:
    """What the verdict is not to be read without."""
    found = list(notes(answer))
    if found:
        table = Table.grid(padding=(0, 3, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for kind, said in found:
            table.add_row(Text(kind, WARN), said)
        yield Padding(table, (0, 0, 0, 2))


def _sections(answer: Answer, full: bool, why: bool) -> Iterator[tuple[str, RenderableType]]:
    if ends(answer):
        yield ENDS[role(answer)], ends_text(answer, full, why)
    if answer.constants:
        yield "Constants", _lines(map(constant, answer.constants))
    if isinstance(answer, Lineage) and answer.unwritten:
        yield UNWRITTEN, _lines(map(constant, answer.unwritten))
    if isinstance(answer, Lineage) and answer.generated:
        yield "Generated: made where it is written, of no attribute", _lines(map(constant, answer.generated))
    if isinstance(answer, Impact) and answer.unused:
        yield UNUSED, _lines(answer.unused)
    if isinstance(answer, Impact) and answer.stopped:
        yield STOPPED, _lines(answer.stopped)
    if isinstance(answer, Lineage) and answer.interrupted:
        yield "Interrupted: mappings fill its entity, but not this attribute", _lines(answer.interrupted)
    if answer.indirect and why:
        yield deciding_title(answer), _indirect(answer)
    if answer.dropped:
        yield "Left out", _lines(every(answer.dropped, full) if why else few(answer, full))


# -- the tree ---------------------------------------------------------------------------------------------------------


def _tree(found: Outline) -> Tree:
    root = found.root
    tree = Tree(_label(root), guide_style=GREY)
    _grow(tree, root)
    return tree


def _grow(tree: Tree, branch: Branch) -> None:
    for below in branch.branches:
        _grow(tree.add(_label(below)), below)
    for one in branch.constants:
        label = Text.assemble((one.value, "cyan"), f"  {sort_of(one)}")
        if one.undecided:
            label.append("  ? undecided", WARN)
        tree.add(label.append(f"  {by(one)}", GREY))
    if branch.cut:
        tree.add(Text(f"… {count(branch.cut, 'more attribute')}", style=GREY))


def _label(branch: Branch) -> RenderableType:
    label = Text(branch.attribute, style="" if branch.steps else "bold")
    if branch.mark:
        sign = "★ " if branch.mark in MARKS else "! "
        label.append(f"  {sign}{branch.mark}", MARKS.get(branch.mark, WARN))
    if branch.seen:
        label.append("  … see above", GREY)
    lines: list[RenderableType] = [label]
    for step in branch.steps:
        if len(branch.steps) == 1:
            label.append(f"  {via(step)}", GREY)
        else:
            lines.append(Text(via(step), GREY))
        if restricts(step.condition):
            # What is padded keeps its place where it takes several lines.
            lines.append(Padding(Text(f"if {_short(step)}", GREY), (0, 0, 0, 2)))
    return Group(*lines)


def _short(step: Step) -> str:
    return local(spoken(step.condition), entity_of(step.source))


# -- the sections -----------------------------------------------------------------------------------------------------


def _indirect(answer: Answer) -> RenderableType:
    return Pairs([(Text(how), Text(_capped(names))) for how, _, names in deciding(answer)])


def _lines(items: Iterable[str | Text]) -> RenderableType:
    every = list(items)
    table = Table.grid()
    table.add_column(overflow="fold")
    for item in every[:LONGEST_LIST]:
        table.add_row(Text(item) if isinstance(item, str) else item)
    if len(every) > LONGEST_LIST:
        table.add_row(Text(f"… {len(every) - LONGEST_LIST:,} more; {ALL}", style=GREY))
    return table


def _capped(names: list[str]) -> str:
    shown = ", ".join(names[:LONGEST_LIST])
    return shown if len(names) <= LONGEST_LIST else f"{shown} and {len(names) - LONGEST_LIST:,} more"
