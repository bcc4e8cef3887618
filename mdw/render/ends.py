"""The ends of an answer, each with the condition under which it contributes; of very many, how many a schema has."""

from __future__ import annotations

from collections.abc import Sequence

from mdw.model.answers.answer import Answer, Lineage
from mdw.model.answers.ends import End
from mdw.model.name import entity_of, parts
from mdw.render.pairs import Pairs
from mdw.render.visible import Text
from mdw.render.words import beside, clipped, contributes, count, ends, listed, role

LONGEST_CONDITION = 400
"""Characters of a condition that are shown."""
MOST = 20
"""Ends that are told one by one."""
ALL = "everything: --format json"


def ends_text(answer: Answer, full: bool, whole: bool) -> Pairs:
    """The ends in order; those that contribute alike share a condition. ``whole``: none is told by its schema only."""
    every = ends(answer)
    if whole or len(every) <= MOST:
        return Pairs(_by_condition(answer, every, full))
    unsure = _undecided(answer)
    named = [end for end in every if end.attribute in unsure]
    return Pairs([*_by_schema(answer, [end for end in every if end not in named]), *_by_condition(answer, named, full)])


def _undecided(answer: Answer) -> set[str]:
    """The ends to which no way of decided steps leads."""
    if not answer.undecided:
        return set()
    unsure, backwards = set(answer.undecided), isinstance(answer, Lineage)
    beyond: dict[str, list[str]] = {}
    for step in answer.steps:
        if step.kind == "direct" and step not in unsure:
            near, far = (step.target, step.source) if backwards else (step.source, step.target)
            beyond.setdefault(near, []).append(far)
    met, pending = {answer.attribute}, [answer.attribute]
    while pending:
        new = [name for name in beyond.get(pending.pop(), ()) if name not in met]
        met.update(new)
        pending += new
    return {end.attribute for end in ends(answer)} - met


def _by_schema(answer: Answer, every: Sequence[End]) -> list[tuple[Text, Text]]:
    """How many ends each schema has, and in which entities."""
    schemas: dict[str, list[str]] = {}
    for end in every:
        schemas.setdefault(".".join(parts(entity_of(end.attribute))[:-1]), []).append(entity_of(end.attribute))
    rows = []
    for schema, entities in schemas.items():
        own = [parts(one)[-1] for one in dict.fromkeys(entities)]
        said = f"{count(len(entities), role(answer))} in {listed(own, 4)}"
        rows.append((Text(f"★ {schema or 'without a schema'}", style=_style(answer)), Text(said)))
    return [*rows, (Text("by name, and when each contributes: --why", style="dim"), Text(""))]


def _by_condition(answer: Answer, every: Sequence[End], full: bool) -> list[tuple[Text, Text]]:
    groups: dict[str, tuple[list[str], Text]] = {}
    # Only ends of one entity: the same words about another entity are another condition.
    for end in every:
        said = _contributes(answer, end, full)
        groups.setdefault(f"{entity_of(end.attribute)} {said.plain}", ([], said))[0].append(end.attribute)
    rows = [
        (Text("\n".join(f"★ {name}" for name in names), style=_style(answer)), said)
        for names, said in list(groups.values())[:MOST]
    ]
    more = sum(len(names) for names, _ in list(groups.values())[MOST:])
    if more:
        rows.append((Text(f"… {more:,} more; {ALL}", style="dim"), Text("")))
    return rows


def _style(answer: Answer) -> str:
    return "bold yellow" if isinstance(answer, Lineage) else "bold green"


def _contributes(answer: Answer, end: End, full: bool) -> Text:
    text = contributes(answer, end, full=full)
    said = Text(text if full else clipped(text, LONGEST_CONDITION))
    for one in beside(answer, end):
        said.append(f"\n{one if full else clipped(one, LONGEST_CONDITION)}", "dim")
    return said
