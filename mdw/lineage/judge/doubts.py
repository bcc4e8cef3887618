"""What the conditions shown rest on without knowing it: told for each attribute by the mappings on its ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from mdw.conditions.atoms import Atom
from mdw.conditions.linear import rounded_in
from mdw.lineage.judge.leaving import Leaving, runs
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.unknowns import WHICH_WAY
from mdw.lineage.rows.view import Free, Own, Partner
from mdw.lineage.steps.graph import Edge
from mdw.model.collations import collation_of
from mdw.model.expressions import Call, Concat, Const
from mdw.model.function_names import FLOATING, WAY
from mdw.model.functions import parameter
from mdw.model.name import plain
from mdw.model.walks import walk

CAST = re.compile(r"CAST AS (.+)")
WIDENED = "a condition around a cycle was widened"
BY_COLLATION = "whether texts that differ in case, accents, blanks or punctuation are equal, and which comes first"
BY_COLLATION += ": their collation decides, which the key collation of mdw.toml can tell"
MINDED = {"PADDED": "whether last blanks of texts count"}
"""What functions stand for that no script has: how a database compares texts."""
MINDED |= dict.fromkeys(FLOATING, "how floating numbers are rounded")
MINDED[f":{WAY}"] = WHICH_WAY


class Doubts:
    """Doubts met on the ways between the asked attribute and the others, over the steps that have ``passed``.

    It is made once conditions have been carried across the mappings: only then have they told theirs. A set of doubts
    is a number with one bit for each, so that all attributes cost one walk over the steps.
    """

    def __init__(
        self,
        crossing: Crossing,
        asked: str,
        passed: Mapping[int, object],
        undecided: Iterable[int] = (),
        *,
        forward: bool = False,
        joins: bool = True,
    ) -> None:
        self._crossing = crossing
        self._graph = crossing.graph
        self._leaving = Leaving(crossing.graph, crossing.universe)
        # What reasons come to doubt later, when rules are thought away, is not on the ways.
        self._told = {mapping: tuple(texts) for mapping, texts in crossing.doubts.items()}
        self._passed = passed
        self._undecided = frozenset(undecided)
        self._joins = joins
        self._asked = asked
        self._forward = forward
        self._texts: dict[str, int] = {}
        self._bits: dict[str, int] = {}
        self._takers: dict[str, list[Edge]] = {}

    def at(self, name: str) -> tuple[str, ...]:
        """The doubts met between the asked attribute and this one, sorted."""
        found = self._sets.get(name, 0)
        if not self._forward:
            found |= self._changes(name)
        return tuple(sorted(text for text, place in self._texts.items() if found >> place & 1))

    @cached_property
    def _readers(self) -> Mapping[str, list[Edge]]:
        """By attribute the steps on the ways that take its values."""
        graph, forward = self._graph, self._forward
        edges = graph.outgoing if forward else graph.incoming
        found: dict[str, list[Edge]] = {}
        met, pending = {self._asked}, [self._asked]
        while pending:
            for edge in edges.get(pending.pop(), ()):
                # A change that leaves a value where it was takes it nowhere.
                if not self._passed.get(edge.number) or graph.carries(edge):
                    continue
                found.setdefault(edge.source, []).append(edge)
                far = edge.target if forward else edge.source
                if far not in met:
                    met.add(far)
                    pending.append(far)
        return found

    def _reading(self, name: str) -> list[Edge]:
        """The steps that take an attribute's values where they stand: of a view those that take the view's."""
        if name in self._takers:
            return self._takers[name]
        found = self._takers[name] = []
        met, pending = {name}, [name] if name in self._read else []
        while pending:
            for edge in self._readers.get(pending.pop(), ()):
                if self._takes(edge):
                    found.append(edge)
                elif edge.target not in met:
                    met.add(edge.target)
                    pending.append(edge.target)
        return found

    def _takes(self, edge: Edge) -> bool:
        """Whether a step takes values where they stand: that of a view which others read does not."""
        return runs(self._graph.heads[edge.population.mapping]) or edge.target not in self._readers

    @cached_property
    def _read(self) -> set[str]:
        """The attributes whose values are taken by any step, be it through views. Round a circle of views none is."""
        passing: dict[str, list[str]] = {}
        found: set[str] = set()
        for name, edges in self._readers.items():
            for edge in edges:
                if self._takes(edge):
                    found.add(name)
                else:
                    passing.setdefault(edge.target, []).append(name)
        pending = [*found]
        while pending:
            fresh = [name for name in passing.get(pending.pop(), ()) if name not in found]
            found.update(fresh)
            pending += fresh
        return found

    @cached_property
    def _sets(self) -> dict[str, int]:
        graph, forward = self._graph, self._forward
        edges = graph.outgoing if forward else graph.incoming
        sets = {self._asked: self._of("") | (self._changes(self._asked) if forward else 0)}
        pending = [self._asked]
        while pending:
            name = pending.pop()
            for edge in edges.get(name, ()):
                if not self._passed.get(edge.number):
                    continue
                far = edge.target if forward else edge.source
                met = sets[name] | self._met(edge)
                # Again only when there is something new: round a cycle sets grow to a limit and come to rest.
                if far not in sets or met & ~sets[far]:
                    sets[far] = sets.get(far, 0) | met
                    pending.append(far)
        return sets

    def _met(self, edge: Edge) -> int:
        mapping = edge.population.mapping
        found = self._bits.get(mapping)
        if found is None:
            found = self._bits[mapping] = self._of(mapping)
        for text in self._leaving.by_step(edge):
            found |= self._bit(f"{text}{place(self._crossing, mapping)}")
        if edge.number in self._undecided:
            found |= self._bit(f"whether rows pass from {edge.source} to {edge.target}")
        return found | self._changes(edge.target, edge)

    def _changes(self, name: str, edge: Edge | None = None) -> int:
        """What changes the values of an attribute once they are there."""
        found = 0
        for text in self._leaving.by_changes(name, edge, self._reading(name)):
            found |= self._bit(text)
        return found

    def _of(self, mapping: str) -> int:
        by = place(self._crossing, mapping)
        found = 0
        for text in self._told.get(mapping, ()):
            found |= self._bit(f"{text}{by}")
        for text in self._leaving.by_rules(self._graph.heads[mapping]) if mapping else ():
            found |= self._bit(f"{text}{by}")
        if mapping and not self._joins and self._graph.heads[mapping].joins:
            found |= self._bit(f"what the rows joined must be{by}")
        return found

    def _bit(self, text: str) -> int:
        return 1 << self._texts.setdefault(text, len(self._texts))


def opaque_functions(crossing: Crossing) -> set[str]:
    """The functions whose results were compared, their meaning unknown; "||" where texts were put together."""
    atoms = [label for label in crossing.diagram.labels if isinstance(label, Atom)]
    every = [one for atom in atoms for one in walk(atom.condition)]
    calls = [one for one in every if isinstance(one, (Call, Concat)) and collation_of(one) is None]
    found = {one.function if isinstance(one, Call) else "||" for one in calls}
    return found - {f":{WAY}", *FLOATING}


def place(crossing: Crossing, mapping: str) -> str:
    """Where a mapping stands, as it is told behind a doubt; "" where nobody knows."""
    head = crossing.graph.heads.get(mapping)
    return f" ({head.place})" if head else ""


def _called(crossing: Crossing, call: Call) -> str:
    """What is not known of what a function gives."""
    if parameter(call):
        by = call.arguments[0].text if call.arguments and isinstance(call.arguments[0], Const) else ""
        what = MINDED.get(call.function, f"what {call.function} is")
        return f"{what}{place(crossing, by)}"
    if collation_of(call) is not None:
        return BY_COLLATION
    if call.function in MINDED:
        return MINDED[call.function]
    cast = CAST.fullmatch(call.function)
    return f"what a text is as {cast[1]}" if cast else f"what {call.function} gives"


def _collating(crossing: Crossing, node: int, support: Iterable[int]) -> Iterable[str]:
    """By what collation the values of a condition are to be compared, where a text of it does not say so."""
    diagram = crossing.diagram
    regions = {one: crossing.regions(one) for one in support if isinstance(crossing.label(one), (Own, Partner))}
    families = {one: [*some.families().values()] for one, some in regions.items() if some.kin}
    for part in diagram.reached(node) if families else ():
        variable, edges = diagram.edges(part)
        for _, mask in edges if variable in families else ():
            # The collation of the column that a rule compares may be another one than that of the source.
            known = regions[variable].collations if mask & regions[variable].kin else ()
            yield from (f"which texts are equal by the collation {one}" for one in known if one)
            if any(0 != mask & some != some for some in families[variable]):
                yield BY_COLLATION


def opaque(crossing: Crossing, node: int) -> Iterable[str]:
    """What a condition itself compares without anybody knowing what it means."""
    support = crossing.diagram.support(node)
    yield from _collating(crossing, node, support)
    for label in map(crossing.label, support):
        if isinstance(label, Free):
            yield f"which values of {plain(label.attribute)} are written{place(crossing, label.mapping)}"
        elif isinstance(label, Atom):
            if any(rounded_in(label.condition)):
                yield "how quotients are rounded"
            for one in walk(label.condition):
                if isinstance(one, Call):
                    yield _called(crossing, one)
                elif isinstance(one, Concat):
                    yield "what texts put together with || give"
