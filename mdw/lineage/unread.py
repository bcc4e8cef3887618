"""Statements that were not read, as mappings: what is not known of rows is then open (rule Q39).

    INSERT INTO dim SELCT ...      rows of DIM of which all values are unknown
    updat stg set id = 5           an UPDATE of STG by unknown values, and rows of unknown values

These mappings say which rows there may be; no answer shows them. `trace_lineage` follows a question with them beside
the answer without: what only they let through is undecided.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from mdw.lineage.steps.graph import Edge, Graph
from mdw.lineage.values_written import clause_of, ending_in
from mdw.model.answers.answer import Answer, Lineage
from mdw.model.answers.reasons import Dropped
from mdw.model.answers.steps import Constant, Generated, Step
from mdw.model.candidates import Candidates
from mdw.model.expressions import Call
from mdw.model.name import entity_of
from mdw.model.query import ONE_ROW, Effect
from mdw.model.rules import Clause, Head, Population, Source

UNKNOWN = Call("UNREAD", ())
"""A value of which nothing is known, another one each time."""


def reached(heads: Iterable[Head], entity: str, *, forward: bool = False) -> frozenset[str]:
    """The entities whose rows bear on those of an entity, itself among them; ``forward``: on whose rows it bears."""
    beside: defaultdict[str, set[str]] = defaultdict(set)
    for head in heads:
        for read in (head.driving, *(join.entity for join in head.joins)):
            near, far = (read, head.target) if forward else (head.target, read)
            beside[near].add(far)
    found, pending = {entity}, [entity]
    while pending:
        fresh = beside[pending.pop()] - found
        found |= fresh
        pending += fresh
    return frozenset(found - {ONE_ROW})


def with_unread(candidates: Candidates, effects: Mapping[str, Effect], asked: Iterable[str] = ()) -> Candidates:
    """The candidates with mappings for what may become of entities; ``asked`` are attributes that a question names.

    The same where that tells nothing new: rows of a golden entity are any, whoever adds some.
    """
    names: defaultdict[str, set[str]] = defaultdict(set)
    for name in (*candidates.mentioned(), *asked):
        names[entity_of(name)].add(name)
    heads: dict[str, Head] = {}
    populations: list[Population] = []
    for entity, effect in sorted(effects.items()):
        every = sorted(names[entity])
        if effect != "takes" and entity in candidates.populated:
            head = Head(f"what was not read of {entity}", entity, ONE_ROW, policy="open")
            heads[head.mapping] = head
            populations += [_unknown(head, name) for name in every]
        if effect == "changes":
            head = Head(f"changes of {entity} that were not read", entity, entity, update=True, policy="open")
            heads[head.mapping] = head
            populations += [_unknown(head, name, Source(name, "IDENTITY")) for name in every]
    if not heads:
        return candidates
    return replace(
        candidates,
        heads={**candidates.heads, **heads},
        populations=(*candidates.populations, *populations),
        unread=frozenset(heads),
    )


def _unknown(head: Head, name: str, *sources: Source) -> Population:
    # With its own attribute as the source the value may stay, too, though nothing is known of it.
    return Population(head.mapping, name, (Clause(UNKNOWN, None, "", 0, 0, sources),))


def beyond(graph: Graph, edges: Iterable[Edge], read: Answer) -> set[int]:
    """The numbers of the steps, and of what is written, that are not sure by what was read."""
    written: tuple[Constant | Generated, ...] = (
        (*read.constants, *read.generated) if isinstance(read, Lineage) else read.constants
    )
    sure: set[Step | Constant | Generated] = {one for one in written if not one.undecided}
    sure.update({*read.steps} - {*read.undecided})
    return {edge.number for edge in edges if _shown(graph, edge) not in sure}


def _shown(graph: Graph, edge: Edge) -> Step | Constant | Generated:
    """What a step is in an answer: a step, or what a clause writes."""
    clause = clause_of(edge)
    if not clause.sourceless:
        return graph.step(edge)
    if clause.constant:
        return ending_in(Constant, graph, edge, None)
    return ending_in(Generated, graph, edge, None)


def left_out(graph: Graph, lost: Iterable[Edge], read: Answer) -> tuple[Dropped, ...]:
    """The steps left out by what was read that statements which were not read do not bring back either."""
    steps = {graph.step(edge) for edge in lost}
    return tuple(one for one in read.dropped if one.step in steps)
