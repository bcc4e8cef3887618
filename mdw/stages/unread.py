"""Questions beside statements that were not read: what these may do to the rows of an answer is left open (Q39).

question, candidates -> the statements that bear on it -> the answer by what was read -> the same with them
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.lineage.unread import reached, with_unread
from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.ends import End, Readable
from mdw.model.answers.statements import SqlStatement
from mdw.model.answers.unread import UnreadStatement, told_of
from mdw.model.candidates import Candidates
from mdw.model.name import entity_of
from mdw.model.query import EFFECTS, Effect
from mdw.model.walks import attributes_of
from mdw.store import catalogue, scripts
from mdw.store.engine import Store


@dataclass(frozen=True, slots=True)
class Bearing:
    """The statements not read that may write what a question is about, each with the entities of that."""

    found: Sequence[tuple[SqlStatement, list[str]]]

    @property
    def effects(self) -> dict[str, Effect]:
        """By entity what may become of its rows."""
        effects: dict[str, Effect] = {}
        for one, names in self.found:
            effects |= {name: max(one.effect, effects.get(name, "takes"), key=EFFECTS.index) for name in names}
        return effects

    @property
    def unread(self) -> tuple[UnreadStatement, ...]:
        """Those that may bring values, for an answer."""
        return _shown((one, names) for one, names in self.found if one.effect != "takes")

    def ends(self, ends: Iterable[End], hidden: Collection[str]) -> tuple[End, ...]:
        """The ends, none of their conditions exact; ``hidden`` are mappings of which nothing is said."""
        names = sorted({name for _, some in self.found for name in some})
        told = told_of(len(self.found), " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])))
        return tuple(_open(end, told, hidden) for end in ends)


def _shown(every: Iterable[tuple[SqlStatement, list[str]]]) -> tuple[UnreadStatement, ...]:
    return tuple(UnreadStatement.of(one, names) for one, names in every)


def _open(end: End, told: str, hidden: Collection[str]) -> End:
    def write() -> Readable:
        found = end.readable
        # A passive answer says nothing of rows.
        if not found.sql:
            return found
        known = tuple(one for one in found.open if not any(mapping in one for mapping in hidden))
        return replace(found, exact=False, at_least="FALSE", open=(*known, told))

    return End(end.attribute, write)


def lineage(store: Store, question: Question, found: Candidates) -> Lineage:
    """The lineage of an attribute, with the statements not read that may write what it comes from."""
    asked = [question.attribute, *(attributes_of(question.condition) if question.condition else ())]
    entities = frozenset().union(*(reached(found, entity_of(name)) for name in asked))
    bearing = Bearing(scripts.unread(store, entities))
    if not bearing.found:
        return trace_lineage(question, found)
    open_ = with_unread(found, bearing.effects, asked) if question.mode == "active" else found
    read = trace_lineage(replace(question, shown=question.shown and open_ is found), found)
    answer = read if open_ is found else trace_lineage(question, open_, read)
    # Of what nobody else mentions it is not known that it is there from the start.
    golden = [end for end in answer.golden if answer.steps or catalogue.known(store, end.attribute)]
    return replace(answer, golden=bearing.ends(golden, open_.unread), unread=bearing.unread)


def impact(store: Store, question: Question, found: Candidates) -> Impact:
    """The impact of an attribute, with the statements not read that name what it reaches or bear on its rows."""
    asked = [question.attribute, *(attributes_of(question.condition) if question.condition else ())]
    every = {name for head in found.heads.values() for name in (head.target, head.driving)}
    every |= {join.entity for head in found.heads.values() for join in head.joins} | set(map(entity_of, asked))
    bearing = Bearing(scripts.unread(store, every))
    open_ = with_unread(found, bearing.effects, asked) if question.mode == "active" else found
    read = trace_impact(question, found)
    answer = read if open_ is found else trace_impact(question, open_, read)
    there = {entity_of(name) for name in (*answer.reached, question.attribute)}
    naming = scripts.unread(store, there, naming=True)
    shown = {(one.start or one.location): item for item in [*bearing.found, *naming] for one in [item[0]]}
    unread = [item for _, item in sorted(shown.items()) if item[0].effect != "takes"]
    final = bearing.ends(answer.final, open_.unread) if bearing.found else answer.final
    return replace(answer, final=final, unread=_shown(unread))
