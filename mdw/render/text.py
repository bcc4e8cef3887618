"""Answers for the terminal: a sentence, the tree of steps, the ends with their conditions, what was left out."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.tree import Tree

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.answers.ends import End
from mdw.model.answers.quotes import ScriptWords
from mdw.model.answers.reasons import Dropped
from mdw.model.answers.steps import Generated, Step
from mdw.model.name import entity_of
from mdw.model.tree import lines_of
from mdw.render.outline import Branch, Outline, outline
from mdw.render.pairs import Pairs
from mdw.render.spoken import spoken
from mdw.render.statements import words_text
from mdw.render.summary import basis, question, summary
from mdw.render.telling import because
from mdw.render.unread import unread_lines
from mdw.render.visible import Text
from mdw.render.words import (
    Written,
    beside,
    clipped,
    contributes,
    count,
    deciding,
    deciding_title,
    ends,
    listed,
    local,
    place,
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
# Bounds in lines and characters: the text is for reading, and JSON has everything.
LONGEST_LIST = 20
LONGEST_CONDITION = 400
LONGEST_REASON = 600
MOST_GROUPS = 4
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
ALL = "everything: --format json"


def answer_text(
    answer: Answer,
    width: int | None = None,
    color: bool = False,
    *,
    depth: int | None = None,
    limit: int = 120,
    full: bool = False,
    words: Sequence[ScriptWords] = (),
) -> str:
    """The answer as text; ``width`` in characters (default 120), ``color`` with terminal colours.

    ``words`` are those of the scripts it rests on.
    """
    return text_of(render_answer(answer, depth=depth, limit=limit, full=full, words=words), width, color)


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
    words: Sequence[ScriptWords] = (),
) -> RenderableType:
    """The answer as a rich renderable; ``depth`` steps deep, else as deep as shows at most ``limit`` attributes.

    ``full`` shows every condition whole, however long it is.
    """
    return Group(*_blocks(answer, outline(answer, depth=depth, limit=limit), full, words))


def _blocks(answer: Answer, found: Outline, full: bool, words: Sequence[ScriptWords]) -> Iterator[RenderableType]:
    yield Text(summary(answer, full=full), style="bold")
    if answer.unread:
        yield Padding(Text("\n".join(unread_lines(answer)), style=WARN), (0, 0, 0, 2))
    yield Text(question(answer), style=GREY)
    if found.total or written(answer):
        yield Text("")
        yield _tree(found)
    if found.shown < found.total:
        more = f"… {found.total - found.shown:,} more of {found.total:,} steps; deeper: --depth, {ALL}"
        yield Text(more, style=GREY)
    in_words = [(WORDS, _lines(map(words_text, words)))] if words else []
    for title, body in (*_sections(answer, full), *in_words):
        yield Text("")
        yield Text(title, style="bold")
        yield Padding(body, (0, 0, 0, 2))
    if basis(answer):
        yield Text("")
        yield Text(basis(answer), style=GREY)


def _sections(answer: Answer, full: bool) -> Iterator[tuple[str, RenderableType]]:
    if ends(answer):
        yield ENDS[role(answer)], _ends(answer, full)
    if answer.constants:
        yield "Constants", _lines(map(_constant, answer.constants))
    if isinstance(answer, Lineage) and answer.unwritten:
        yield UNWRITTEN, _lines(map(_constant, answer.unwritten))
    if isinstance(answer, Lineage) and answer.generated:
        yield "Generated: made where it is written, of no attribute", _lines(map(_constant, answer.generated))
    if isinstance(answer, Impact) and answer.unused:
        yield UNUSED, _lines(answer.unused)
    if isinstance(answer, Impact) and answer.stopped:
        yield STOPPED, _lines(answer.stopped)
    if isinstance(answer, Lineage) and answer.interrupted:
        yield "Interrupted: mappings fill its entity, but not this attribute", _lines(answer.interrupted)
    if answer.indirect:
        yield deciding_title(answer), _indirect(answer)
    if answer.dropped:
        yield "Left out", _dropped(answer.dropped)
    unsure = [_constant(one) for one in written(answer) if one.undecided]
    if answer.undecided or unsure:
        yield "Undecided, therefore kept", _lines([*(_step(step) for step in answer.undecided), *unsure])
    if answer.assumptions:
        yield "Assumptions", _lines(answer.assumptions)
    if answer.notes:
        yield "Notes", _lines(answer.notes)


def _constant(one: Written) -> str:
    made = "generated" if isinstance(one, Generated) else "written"
    unsure = "; could not be decided" if one.undecided else ""
    return f"{one.value} in {one.target}, {made} by {one.mapping} ({place(one.location)}){unsure}"


# -- the tree ---------------------------------------------------------------------------------------------------------


def _tree(found: Outline) -> Tree:
    root = found.root
    tree = Tree(_label(root), guide_style=GREY)
    _grow(tree, root)
    return tree


def _grow(tree: Tree, branch: Branch) -> None:
    for below in branch.branches:
        _grow(tree.add(_label(below)), below)
    for constant in branch.constants:
        label = Text.assemble((constant.value, "cyan"), f"  {sort_of(constant)}")
        if constant.undecided:
            label.append("  ? undecided", WARN)
        tree.add(label.append(f"  by {constant.mapping} ({place(constant.location)})", GREY))
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


def _ends(answer: Answer, full: bool) -> RenderableType:
    """Ends in order; those that contribute alike share a condition."""
    groups: dict[str, tuple[list[str], Text]] = {}
    # Only ends of one entity: the same words about another entity are another condition.
    for end in ends(answer):
        said = _contributes(answer, end, full)
        groups.setdefault(f"{entity_of(end.attribute)} {said.plain}", ([], said))[0].append(end.attribute)
    style = GOLD if isinstance(answer, Lineage) else GREEN
    rows = [
        (Text("\n".join(f"★ {name}" for name in names), style=style), said)
        for names, said in list(groups.values())[:LONGEST_LIST]
    ]
    more = sum(len(names) for names, _ in list(groups.values())[LONGEST_LIST:])
    if more:
        rows.append((Text(f"… {more:,} more; {ALL}", style=GREY), Text("")))
    return Pairs(rows)


def _contributes(answer: Answer, end: End, full: bool) -> Text:
    text = contributes(answer, end, full=full)
    said = Text(text if full else clipped(text, LONGEST_CONDITION))
    for one in beside(answer, end):
        said.append(f"\n{one if full else clipped(one, LONGEST_CONDITION)}", GREY)
    return said


def _indirect(answer: Answer) -> RenderableType:
    return Pairs([(Text(how), Text(_capped(names))) for how, _, names in deciding(answer)])


def _dropped(every: tuple[Dropped, ...]) -> RenderableType:
    """Steps left out for one and the same reason share a line."""
    groups: dict[str, list[Dropped]] = {}
    # People ask for sources that they miss, so what lies furthest from the question comes first, dead ends last.
    between = {one.step.target for one in every}
    for dropped in sorted(every, key=lambda one: (one.dead_end, one.step.source in between)):
        groups.setdefault(because(dropped), []).append(dropped)
    lines = []
    for reason, members in groups.items():
        lines.append(_left_out(members).append(f" left out because {clipped(reason, LONGEST_REASON)}", "default"))
    return _lines(lines)


def _left_out(members: list[Dropped]) -> Text:
    """The steps of one reason: sources in red, each target once after the sources that lead into it."""
    into: dict[str, dict[str, None]] = {}
    for one in members:
        into.setdefault(one.step.target, {})[one.step.source] = None
    # Targets of the same sources are named together.
    targets: dict[tuple[str, ...], list[str]] = {}
    for target, sources in into.items():
        targets.setdefault(tuple(sources), []).append(target)
    line = Text()
    for number, (every, names) in enumerate(list(targets.items())[:MOST_GROUPS]):
        line.append("; " if number else "", GREY)
        line.append(listed(every, 5), "red").append(f" into {listed(names)}", GREY)
    more = sum(len(names) for names in list(targets.values())[MOST_GROUPS:])
    return line.append(f" and steps into {count(more, 'more attribute')}" if more else "", GREY)


def _step(step: Step) -> str:
    condition = f" if {spoken(step.condition)}" if restricts(step.condition) else ""
    return f"{step.source} into {step.target} {via(step)}{condition}"


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
