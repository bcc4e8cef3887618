"""Question and candidates -> answer: where the values of an attribute come from, and what they feed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace

from mdw.lineage.circling import circles
from mdw.lineage.deciders import decided, deciding_steps, row_steps
from mdw.lineage.judge.doubts import opaque_functions
from mdw.lineage.judge.impact import judge_forward
from mdw.lineage.judge.judge import judge_back
from mdw.lineage.judge.judgement import Judgement
from mdw.lineage.reasons.tell import explained
from mdw.lineage.reasons.values import strange_values
from mdw.lineage.steps.graph import Edge, Graph
from mdw.lineage.steps.order import groups
from mdw.lineage.steps.question import Question
from mdw.lineage.unread import beyond, left_out
from mdw.lineage.values_written import clause_of, ending_in
from mdw.model.answers.answer import Answer, Impact, Lineage, Origins
from mdw.model.answers.basis import Basis
from mdw.model.answers.ends import End, Readable
from mdw.model.answers.steps import Constant, Generated, Step, deciders
from mdw.model.candidates import Candidates
from mdw.model.version import VERSION


def trace_lineage(question: Question, candidates: Candidates, read: Answer | None = None) -> Lineage:
    """The lineage of an attribute: golden sources with conditions, every step kept, every step dropped with reasons.

    Passive lineage (seed 3.2) keeps every candidate; active lineage only what some row can pass (seed 6.3). Of a
    question with a source it is what rows from there take, and nothing else. Where candidates stand for statements that
    were not read, ``read`` is the answer without these: what only they let through is undecided, and reasons are its.
    """
    graph = Graph.of(candidates)
    asked, other = question.attribute, question.other
    order = [name for group in groups(asked, lambda name: _sources(graph, name)) for name in group]
    alive = _alive(graph, order, other)
    judgement = judge_back(graph, question) if question.mode == "active" else None
    kept = _kept(graph, order, alive, judgement)
    reached = {asked, *(edge.source for edge in kept)}
    ends = [name for name in order if name in reached and _ending(graph, name, other)]
    # The asked attribute is reached without a step: whether a row of it meets the question no verdict on steps says.
    ends = [name for name in ends if name != asked or judgement is None or judgement.arrives]
    written = [edge for name in sorted(reached) for edge in _written(graph, name, judgement) if not other]
    if judgement and read:
        judgement.verdicts.doubt(beyond(graph, [*kept, *written], read))
    over_rows = row_steps(graph, kept, written, reached)
    deciding = tuple(dict.fromkeys((*deciding_steps(graph, kept + written), *over_rows)))
    shown = judgement if question.shown else None
    lost = _lost(graph, order, alive, kept) if judgement else []
    # Rows could go on by a dead end, were there any.
    dead = {edge.number for edge in lost if judgement and judgement.through.get(edge.number)}
    return Lineage(
        attribute=asked,
        when=question.when,
        mode=question.mode,
        unpopulated=question.policy,
        golden=tuple(
            sorted((_end(name, shown) for name in ends if other or graph.ends_at(name)), key=lambda end: end.attribute)
        ),
        constants=tuple(ending_in(Constant, graph, edge, judgement) for edge in written if clause_of(edge).constant),
        interrupted=tuple(sorted(name for name in ends if not (other or graph.ends_at(name)))),
        indirect=deciders(deciding),
        steps=_steps(graph, kept) + deciding,
        dropped=left_out(graph, lost, read)
        if read
        else (explained(graph, question, lost, judgement.explainer, dead) if judgement else ()),
        undecided=tuple(graph.step(edge) for edge in kept if judgement and judgement.undecided(edge)),
        assumptions=judgement.assumptions() if judgement else (),
        notes=_notes(graph, question, judgement) + (() if other else circles(graph, order, alive)),
        reached=frozenset(reached),
        basis=_basis(question, judgement, [*kept, *lost]),
        source=other,
        generated=tuple(ending_in(Generated, graph, edge, judgement) for edge in written if clause_of(edge).generated),
        unwritten=tuple(
            ending_in(Constant, graph, edge, None) for edge in _unwritten(graph, sorted(reached), written, other)
        ),
    )


def origins_of(answer: Lineage) -> Origins:
    """The answer without the ways."""
    golden = tuple(end.attribute for end in answer.golden)
    written: tuple[Constant | Generated, ...] = (*answer.constants, *answer.generated)
    undecided = bool(answer.undecided) or any(one.undecided for one in written)
    unread = tuple(one.location for one in answer.unread)
    return Origins(answer.attribute, golden, answer.interrupted, answer.constants, undecided, answer.generated, unread)


def trace_impact(question: Question, candidates: Candidates, read: Answer | None = None) -> Impact:
    """The impact of an attribute: final targets with conditions, every step kept, every step dropped with reasons.

    The same as `trace_lineage` forwards (seed 000, chapter 9): an attribute is reached exactly when the asked one is
    in its lineage. With a target it is the lineage of that target from the asked attribute, told from its other end.
    """
    # Backwards one end counts; forwards all that the attribute feeds would be judged.
    if question.other:
        turned = replace(question, attribute=question.other, other=question.attribute)
        return _turned(question, trace_lineage(turned, candidates, read))
    graph = Graph.of(candidates)
    graph.ends()
    asked = question.attribute
    order = [name for group in groups(asked, lambda name: _targets(graph, name)) for name in group]
    judgement = judge_forward(graph, question) if question.mode == "active" else None
    kept: list[Edge] = []
    dropped: list[Edge] = []
    for name in order:
        for edge in graph.outgoing.get(name, ()):
            if graph.carries(edge):
                continue
            if judgement is None or judgement.verdicts.keeps(edge):
                kept.append(edge)
            else:
                dropped.append(edge)
    if judgement and read:
        judgement.verdicts.doubt(beyond(graph, kept, read))
    reached = {asked, *(edge.target for edge in kept)}
    onward = {edge.source for edge in kept}
    leaves = [name for name in order if name in reached and name not in onward and name != asked]
    final = [name for name in order if name in reached and candidates.ends_in(name) and name != asked]
    inner = sorted(name for name in leaves if not candidates.ends_in(name))
    return Impact(
        attribute=asked,
        when=question.when,
        mode=question.mode,
        unpopulated=question.policy,
        final=tuple(sorted((_end(name, judgement) for name in final), key=lambda end: end.attribute)),
        constants=(),
        indirect=decided(graph, reached),
        steps=_steps(graph, kept) + deciding_steps(graph, kept),
        dropped=left_out(graph, dropped, read)
        if read
        else (explained(graph, question, dropped, judgement.explainer) if judgement else ()),
        undecided=tuple(graph.step(edge) for edge in kept if judgement and judgement.undecided(edge)),
        assumptions=judgement.assumptions() if judgement else (),
        notes=_notes(graph, question, judgement),
        reached=frozenset(reached),
        unused=tuple(name for name in inner if not _goes_on(graph, name)),
        stopped=tuple(name for name in inner if _goes_on(graph, name)),
        basis=_basis(question, judgement, [*kept, *dropped]),
    )


def _goes_on(graph: Graph, name: str) -> bool:
    return any(edge.population.mapping not in graph.candidates.unread for edge in graph.outgoing.get(name, ()))


def _turned(question: Question, found: Lineage) -> Impact:
    return Impact(
        attribute=question.attribute,
        when=found.when,
        mode=found.mode,
        unpopulated=found.unpopulated,
        final=tuple(End(question.other, end.write) for end in found.golden),
        constants=(),
        indirect=found.indirect,
        steps=found.steps,
        dropped=found.dropped,
        undecided=found.undecided,
        assumptions=found.assumptions,
        notes=found.notes,
        reached=found.reached,
        basis=found.basis,
        target=question.other,
    )


def _basis(question: Question, judgement: Judgement | None, edges: Iterable[Edge]) -> Basis:
    """What the answer rests on; the edges are all its direct steps. Passive ones rest on rules, and no conditions."""
    rules = Basis(VERSION, policy=question.policy or "default")
    if judgement is None:
        return rules
    return replace(
        rules,
        budget=tuple(sorted(asdict(question.budget).items())),
        decided=judgement.verdicts.decided(edges),
        opaque=tuple(sorted(opaque_functions(judgement.crossing))),
        assumptions=judgement.assumptions(),
    )


def _notes(graph: Graph, question: Question, judgement: Judgement | None) -> tuple[str, ...]:
    """What the tiers have to say, and which values asked for no rule mentions."""
    return (*judgement.notes, *strange_values(graph, question.condition)) if judgement else ()


def _targets(graph: Graph, name: str) -> Iterable[str]:
    return [edge.target for edge in graph.outgoing.get(name, ())]


def _sources(graph: Graph, name: str) -> Iterable[str]:
    return [edge.source for edge in graph.incoming[name]]


def _kept(graph: Graph, order: list[str], alive: set[str], judgement: Judgement | None) -> list[Edge]:
    """The steps some row takes from an end to the asked attribute; passive: those on a way from an end."""
    edges = [edge for name in order for edge in graph.incoming[name] if not graph.carries(edge)]
    return [edge for edge in edges if (judgement.verdicts.keeps(edge) if judgement else edge.source in alive)]


def _ending(graph: Graph, name: str, other: str) -> bool:
    """Whether ways may end at an attribute: at one asked for, else at golden sources and where nothing fills it."""
    return name == other if other else not graph.filled_by_read(name) or graph.ends_at(name)


def _alive(graph: Graph, order: list[str], other: str) -> set[str]:
    """Attributes that steps lead to from an end: a golden source, a constant, an interrupted attribute."""
    outgoing: dict[str, list[str]] = {}
    pending = []
    for name in order:
        for edge in graph.incoming[name]:
            outgoing.setdefault(edge.source, []).append(name)
        if _ending(graph, name, other) or (graph.written[name] and not other):
            pending.append(name)
    # From the ends down: what no end leads to brings no value.
    alive = set(pending)
    while pending:
        for name in outgoing.get(pending.pop(), ()):
            if name not in alive:
                alive.add(name)
                pending.append(name)
    return alive


def _lost(graph: Graph, order: list[str], alive: set[str], kept: list[Edge]) -> list[Edge]:
    """The steps on a way from an end that are not kept."""
    numbers = {edge.number for edge in kept}
    steps = [edge for name in order for edge in graph.incoming[name] if edge.source in alive]
    return [edge for edge in steps if edge.number not in numbers and not graph.carries(edge)]


def _end(name: str, judgement: Judgement | None) -> End:
    if judgement is None:
        return End(name, Readable("", "", exact=False))
    return judgement.end(name)


def _written(graph: Graph, name: str, judgement: Judgement | None) -> list[Edge]:
    """What clauses write into an attribute, of no other's value, that can be what arrives."""
    every = [edge for edge in graph.written[name] if edge.population.mapping not in graph.candidates.unread]
    return [edge for edge in every if judgement is None or judgement.verdicts.writes(edge)]


def _unwritten(graph: Graph, reached: Iterable[str], written: Iterable[Edge], other: str) -> list[Edge]:
    """The constants of clauses that fill reached attributes, and that no row on the way has."""
    numbers = {edge.number for edge in written}
    every = [edge for name in reached for edge in graph.written[name]]
    return [edge for edge in every if not other and edge.number not in numbers and clause_of(edge).constant]


def _steps(graph: Graph, kept: list[Edge]) -> tuple[Step, ...]:
    """The steps as the answer shows them; one attribute read in two roles is one step there."""
    found = tuple([graph.step(edge) for edge in kept])
    return tuple(dict.fromkeys(found)) if any(edge.test is not None or "@" in edge.row for edge in kept) else found
