"""Questions beside statements that were not read: what these may do to the rows of an answer is left open (Q39).

question, candidates -> the statements that bear on it -> the answer by what was read -> the same with them
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.lineage.unread import reached, with_unread
from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.ends import End, Readable
from mdw.model.answers.help import named
from mdw.model.answers.statements import SqlStatement
from mdw.model.answers.unread import UnreadStatement, told_of
from mdw.model.candidates import Candidates
from mdw.model.name import entity_of
from mdw.model.query import EFFECTS, Effect
from mdw.model.tree import Location
from mdw.model.walks import attributes_of
from mdw.store import catalogue, scripts
from mdw.store.engine import Store

Found: TypeAlias = Sequence[tuple[SqlStatement, list[str]]]
"""Statements that were not read, each with the entities that it bears on."""


def lineage(store: Store, question: Question, found: Candidates) -> Lineage:
    """The lineage of an attribute, with the statements not read that may write what it comes from."""
    # Of most stores there are none.
    if not scripts.any_unread(store):
        return trace_lineage(question, found)
    asked, heads = _asked(question), found.heads.values()
    every = scripts.unread(store, {one for name in asked for one in reached(heads, entity_of(name))})
    if not every:
        return trace_lineage(question, found)
    open_ = _open(question, found, every)
    read = trace_lineage(replace(question, shown=question.shown and open_ is found), found)
    answer = read if open_ is found else trace_lineage(question, open_, read)
    # Of what nobody else mentions it is not known that it is there from the start.
    golden = [end for end in answer.golden if answer.steps or catalogue.known(store, end.attribute)]
    return replace(answer, golden=_doubted(golden, every, open_.unread), unread=_shown(every))


def impact(store: Store, question: Question, found: Candidates) -> Impact:
    """The impact of an attribute, with the statements not read that name what it reaches or bear on its rows."""
    if not scripts.any_unread(store):
        return trace_impact(question, found)
    rows = {entity_of(name) for name in _asked(question)}
    for head in found.heads.values():
        rows |= {head.target, head.driving, *(join.entity for join in head.joins)}
    bearing = scripts.unread(store, rows)
    open_ = _open(question, found, bearing)
    read = trace_impact(replace(question, shown=question.shown and open_ is found), found)
    answer = read if open_ is found else trace_impact(question, open_, read)
    naming = scripts.unread(store, {entity_of(name) for name in (*answer.reached, question.attribute)}, naming=True)
    # One that does both is told by what it names.
    every = [*{(one.start or one.location): (one, names) for one, names in (*bearing, *naming)}.values()]
    return replace(answer, final=_doubted(answer.final, every, open_.unread), unread=_shown(every))


def places(store: Store) -> dict[str, tuple[Location, ...]]:
    """By entity where statements stand that were not read and may bring values to it, first or last."""
    found: defaultdict[str, set[Location]] = defaultdict(set)
    reading: dict[str, frozenset[str]] = {}
    every = scripts.unread(store)
    heads = catalogue.heads(store) if every else []
    for one, names in every:
        for name in names if one.effect != "takes" else ():
            if name not in reading:
                reading[name] = reached(heads, name, forward=True)
            for entity in reading[name]:
                found[entity].add(one.start or one.location)
    return {entity: tuple(sorted(some)) for entity, some in found.items()}


def _asked(question: Question) -> list[str]:
    return [question.attribute, *(attributes_of(question.condition) if question.condition else ())]


def _open(question: Question, found: Candidates, every: Found) -> Candidates:
    """The candidates with what these statements may do to rows; a passive question asks nothing of rows."""
    if question.mode == "passive":
        return found
    effects: dict[str, Effect] = {}
    for one, names in every:
        effects |= {name: max(one.effect, effects.get(name, "takes"), key=EFFECTS.index) for name in names}
    return with_unread(found, effects, _asked(question))


def _shown(every: Found) -> tuple[UnreadStatement, ...]:
    """The statements that may bring values, in order."""
    found = [UnreadStatement.of(one, names) for one, names in every if one.effect != "takes"]
    return tuple(sorted(found, key=lambda one: one.location))


def _doubted(ends: Iterable[End], every: Found, hidden: Collection[str]) -> tuple[End, ...]:
    """The ends, none of their conditions exact; ``hidden`` are mappings of which nothing is said."""
    bringing = [names for one, names in every if one.effect != "takes"]
    told = [told_of(len(bringing), named(sorted({name for names in bringing for name in names})))] if bringing else []
    told += [f"which rows {_place(one)} takes away, which was not read" for one, _ in every if one.effect == "takes"]
    return tuple(_end(end, told, hidden) if told else end for end in ends)


def _end(end: End, told: Sequence[str], hidden: Collection[str]) -> End:
    def write() -> Readable:
        found = end.readable
        # A passive answer says nothing of rows.
        if not found.sql:
            return found
        known = [one for one in found.open if not any(mapping in one for mapping in hidden)]
        return replace(found, exact=False, at_least="FALSE", open=(*known, *told))

    return End(end.attribute, write)


def _place(one: SqlStatement) -> str:
    return (one.start or one.location).line_text
