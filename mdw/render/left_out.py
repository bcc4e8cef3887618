"""Steps that were left out, with what contradicts itself on their ways: all of them, or so few that they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdw.model.answers.answer import Answer, Lineage
from mdw.model.answers.reasons import Dropped
from mdw.render.telling import because
from mdw.render.visible import Text
from mdw.render.words import clipped, count, listed, written

LONGEST_REASON = 600
"""Characters of a reason that are told."""
MOST_GROUPS = 4
FEW = 3
"""Reasons told where nobody asked why."""


def every(dropped: Sequence[Dropped], full: bool) -> list[Text]:
    """A line for each reason, with the steps it holds for."""
    return [_line(reason, members, full) for reason, members in _groups(dropped).items()]


def few(answer: Answer, full: bool) -> list[Text]:
    """The simplest reasons; where nothing is found one for each last step. Last, how many steps more there are."""
    told: dict[str, list[Dropped]] = {}
    for dropped in _last(answer) if _nothing(answer) else ():
        told.setdefault(because(dropped), []).append(dropped)
    if not told:
        # Of each source the reason met first counts, and short ones are the easiest to follow.
        of: dict[str, tuple[str, Dropped]] = {}
        for dropped in _ordered(answer.dropped):
            if not dropped.dead_end or not of:
                of.setdefault(_far(answer, dropped), (because(dropped), dropped))
        # People miss what is nowhere in the answer, most of all what would have ended it.
        kept = {name for step in answer.steps for name in (step.source, step.target)}
        through = {
            dropped.step.target if isinstance(answer, Lineage) else dropped.step.source for dropped in answer.dropped
        }
        for _, (reason, dropped) in sorted(
            of.items(), key=lambda one: (one[0] in kept, one[0] in through, len(one[1][0]))
        ):
            if reason in told or len(told) < FEW:
                told.setdefault(reason, []).append(dropped)
    lines = []
    for reason, members in told.items():
        said = reason if full else clipped(reason, LONGEST_REASON)
        names = list(dict.fromkeys(_far(answer, one) for one in members))
        lines.append(Text(f"✕ {listed(names, 5)}", "red").append(f": {said}", "default"))
    more = len(answer.dropped) - sum(map(len, told.values()))
    return [*lines, Text(f"{more:,} more: --why", "dim")] if more else lines


def _far(answer: Answer, dropped: Dropped) -> str:
    """The end of a step that is missed: where values do not come from, or do not go."""
    return dropped.step.source if isinstance(answer, Lineage) else dropped.step.target


def _nothing(answer: Answer) -> bool:
    return not (answer.steps or written(answer))


def _last(answer: Answer) -> Iterator[Dropped]:
    """The steps next to the attribute that was asked."""
    for dropped in answer.dropped:
        near = dropped.step.target if isinstance(answer, Lineage) else dropped.step.source
        if near == answer.attribute:
            yield dropped


def _ordered(dropped: Sequence[Dropped]) -> list[Dropped]:
    # People ask for sources that they miss, so what lies furthest from the question comes first, dead ends last.
    between = {one.step.target for one in dropped}
    return sorted(dropped, key=lambda one: (one.dead_end, one.step.source in between))


def _groups(dropped: Sequence[Dropped]) -> dict[str, list[Dropped]]:
    """Steps left out for one and the same reason."""
    groups: dict[str, list[Dropped]] = {}
    for one in _ordered(dropped):
        groups.setdefault(because(one), []).append(one)
    return groups


def _line(reason: str, members: list[Dropped], full: bool) -> Text:
    said = reason if full else clipped(reason, LONGEST_REASON)
    return _steps(members).append(f" left out because {said}", "default")


def _steps(members: list[Dropped]) -> Text:
    """The steps of one reason: sources in red, each target once after the sources that lead into it."""
    into: dict[str, dict[str, None]] = {}
    for one in members:
        into.setdefault(one.step.target, {})[one.step.source] = None
    # Targets of the same sources are named together.
    targets: dict[tuple[str, ...], list[str]] = {}
    for target, sources in into.items():
        targets.setdefault(tuple(sources), []).append(target)
    line = Text()
    for number, (some, names) in enumerate(list(targets.items())[:MOST_GROUPS]):
        line.append("; " if number else "", "dim")
        line.append(listed(some, 5), "red").append(f" into {listed(names)}", "dim")
    more = sum(len(names) for names in list(targets.values())[MOST_GROUPS:])
    return line.append(f" and steps into {count(more, 'more attribute')}" if more else "", "dim")
