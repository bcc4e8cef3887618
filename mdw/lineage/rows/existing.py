"""What rows can exist in the entities that mappings fill: for each some boxes around all of them (rule Q10).

What is joined must exist. J below has rows of KIND "x" only, whatever S holds, so of its rows none is of KIND "y":

>>> from mdw.language.derive import derive
>>> from mdw.language.mapping import read
>>> from mdw.lineage.rows.universe import Universe
>>> from mdw.model.candidates import Candidates
>>> text = '''
... MAPPING j: WHEN POPULATING J FROM S POPULATE J.K WITH S.K POPULATE J.KIND WITH "x" SELECT ROWS WHERE S.N > 1
... MAPPING t: WHEN POPULATING T FROM A POPULATE T.V WITH A.V SELECT ROWS WHERE J.KIND = "y"
...     NAVIGATE FROM A TO J USING A.K = J.K
... '''
>>> graph = Graph.of(Candidates.of(map(derive, read(text).trees, ("j", "t"))))
>>> universe = Universe(graph, [])
>>> existing = ExistingRows(graph, universe, None)
>>> [box] = existing.rows("J") or ()
>>> [region.point for region in universe.regions("J.KIND").members(box["KIND"])]
['x']
>>> existing.rows("S") is None, sorted(existing.parts("J"))
(True, [('filter', 'j', ''), ('population', 'j', 'J.KIND')])

An entity's rows are made of those of the entities its mappings read, so these come first; around a circle boxes are
widened until nothing is added. Cost: boxes times the steps that make rows, never the ways. Golden entities have any
rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import TRUE, Diagram
from mdw.conditions.products import boxes
from mdw.conditions.regions import NULL
from mdw.conditions.values import Symbol, Value, constant_at
from mdw.lineage.rows.boxes import ARMS, Boxes
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.universe import Universe
from mdw.lineage.rows.view import NOTHING_OFF, Box, Joined, Own, Part, RowView
from mdw.lineage.steps.graph import NO_ROW, Edge, Graph
from mdw.lineage.steps.order import groups, looped
from mdw.model.errors import TooLargeError
from mdw.model.expressions import Const, Variable
from mdw.model.name import local_of, row_of
from mdw.model.rules import Head, Policy
from mdw.model.walks import variables_of

KEPT = 8
"""Boxes of one entity; more are replaced by the one around them."""
ROUNDS = 12
"""Times that rows are sent round a circle, before those in it may be any."""
NODES = 200_000
"""Nodes that reading the rules may take; beyond, rows may be any."""
ANY = 0
"""The box that excludes nothing."""


class ExistingRows:
    """The rows that can exist, worked out for an entity when it is first asked for.

    In a diagram of its own, so that what other questions cost does not change with it.
    """

    def __init__(self, graph: Graph, universe: Universe, policy: Policy | None) -> None:
        self._graph = graph
        self._universe = universe
        self._policy = policy
        self._held: dict[tuple[str, frozenset[Part]], list[int]] = {}
        self._rows: dict[tuple[str, frozenset[Part]], Sequence[Box] | None] = {}
        self._parts: dict[str, frozenset[Part]] = {}
        self._made: dict[str, list[Edge]] = {}
        self._names: dict[str, list[str]] = {}

    @cached_property
    def _crossing(self) -> Crossing:
        found = Crossing(self._graph, self._universe, Diagram(NODES), self._policy, self)
        for attribute in self._universe.known():
            found.row(attribute)
        return found

    @cached_property
    def _boxes(self) -> Boxes:
        return Boxes(self._crossing)

    def rows(self, entity: str, off: frozenset[Part] = NOTHING_OFF) -> Sequence[Box] | None:
        """Boxes that together hold all rows an entity can have, None for any; ``off``: parts that say nothing."""
        if not self._bounded(entity):
            return None
        key = entity, self._bearing(entity, off)
        if key not in self._rows:
            # An entity that is being worked out is asked for its own rows: in a circle, what is joined may be any.
            if key in self._held:
                return None
            self._work_out(entity, off)
            self._rows[key] = self._spelled(self._held[key])
        return self._rows[key]

    def parts(self, entity: str) -> frozenset[Part]:
        """The parts of mappings on which that rests: nothing else that they say bears on which rows there can be."""
        found = self._parts.get(entity)
        if found is None:
            cone = [one for group in groups(entity, self._beneath) for one in group]
            heads = [head for one in cone if self._bounded(one) for head in self._graph.into.get(one, ())]
            found = self._parts[entity] = frozenset(part for head in heads for part in self._of(head))
        return found

    def _of(self, head: Head) -> Iterator[Part]:
        if head.filter is not None or head.having is not None:
            yield "filter", head.mapping, ""
        if head.joins:
            yield "join", head.mapping, ""
        for name in self._named(head.target):
            population = self._crossing.population(head, name)
            if population is not None and population.copied is None:
                yield "population", head.mapping, name

    def _named(self, entity: str) -> list[str]:
        """The attributes of an entity that conditions speak of."""
        found = self._names.get(entity)
        if found is None:
            labels = [self._crossing.label(number) for number in self._crossing.speaking(entity)]
            found = self._names[entity] = [f"{entity}.{label.local}" for label in labels if isinstance(label, Own)]
        return found

    def _bounded(self, entity: str) -> bool:
        return entity in self._graph.candidates.populated

    def _bearing(self, entity: str, off: frozenset[Part]) -> frozenset[Part]:
        # Reasons turn many parts off, one set after the other. Most have no say here: they share one working out.
        return off & self.parts(entity) if off else off

    def _beneath(self, entity: str) -> list[str]:
        """The entities whose rows those of an entity are made of or joined with."""
        heads = self._graph.into.get(entity, ()) if self._bounded(entity) else ()
        return [one for head in heads for one in (head.driving, *(join.entity for join in head.joins))]

    # -- working out -----------------------------------------------------------------------------------------------

    def _work_out(self, entity: str, off: frozenset[Part]) -> None:
        def fresh(one: str) -> list[str]:
            return [] if (one, self._bearing(one, off)) in self._held else self._beneath(one)

        for group in reversed(groups(entity, fresh)):
            keys = {one: (one, self._bearing(one, off)) for one in group}
            if keys[group[0]] in self._held:
                continue
            # To begin with no row exists but those that are there from the start.
            self._held |= {key: [] if self._bounded(one) else [ANY] for one, key in keys.items()}
            try:
                settled = self._settled(group, off)
            except TooLargeError:
                settled = False
            for one, key in keys.items():
                # What was gathered by then does not hold all rows, and to bind by it would lose some.
                if not settled:
                    self._held[key] = [ANY]
                self._rows[key] = self._spelled(self._held[key]) if self._bounded(one) else None

    def _settled(self, group: Sequence[str], off: frozenset[Part]) -> bool:
        """Whether no row adds anything any more, after the rows of a group were sent round it."""
        around = looped(list(group), self._beneath)
        for _ in range(ROUNDS):
            changed = False
            for one in group:
                held = self._held[one, self._bearing(one, off)]
                for edge in self._making(one):
                    # Of an entity that may have any rows nothing more is to be known.
                    changed |= ANY not in held and self._add(held, list(self._made_by(edge, off)))
            if not (changed and around):
                return True
        return False

    def _making(self, entity: str) -> list[Edge]:
        found = self._made.get(entity)
        if found is None:
            heads = self._graph.into.get(entity, ()) if self._bounded(entity) else ()
            found = self._made[entity] = [edge for head in heads for edge in self._graph.edges.making(head)]
        return found

    def _made_by(self, edge: Edge, off: frozenset[Part]) -> Iterator[int]:
        """Boxes around the rows that a step makes of those that can exist."""
        source = row_of(edge.source)
        held = [ANY] if edge.row == NO_ROW else self._held[source, self._bearing(source, off)]
        target = self._graph.heads[edge.population.mapping].target
        ways = self._crossing.views_for(map(local_of, self._named(target)), edge) if held else ()
        for view in [self._open(one, off) for one in ways]:
            guard = self._guard(view, off)
            for box in held:
                guards = self._boxes.arms(guard) if self._passes(guard, box) else []
                yield from (arm.box for arm in self._boxes.image(box, view, guards))

    def _passes(self, guard: int, box: int) -> bool:
        """Whether a row in a box can pass what a guard compares of attributes of which only one value is possible.

        Boxes do not say how two attributes compare: with K = 1 in each of two rows, none passes ``A.K <> B.K``.
        """
        crossing, diagram = self._crossing, self._crossing.diagram
        atoms = {v: label for v in diagram.support(guard) if isinstance(label := diagram.labels[v], Atom)}
        if not atoms:
            return True
        for variable, mask in self._boxes.layout.restricted(box):
            guard = diagram.both(guard, diagram.allow(variable, mask))
        for count, cube in enumerate(boxes(diagram, guard)):
            points = {v: point for v, mask in cube.items() if v not in atoms and (point := self._point(v, mask))}
            asked = [(atoms[v].condition, mask) for v, mask in cube.items() if v in atoms]
            told = [one for one in asked if all(variable.number in points for variable in variables_of(one[0]))]

            def at(symbol: Symbol, points: dict[int, Const] = points) -> Value:
                return points[symbol.number] if isinstance(symbol, Variable) else None

            if count == ARMS or all(crossing.terms.holds(*one, at) for one in told):
                return True
        return False

    def _point(self, variable: int, mask: int) -> Const | None:
        """The only value of a set."""
        if isinstance(self._crossing.label(variable), Joined):
            return None
        regions = self._crossing.regions(variable)
        members = regions.members(mask)
        if mask & NULL or len(members) != 1 or members[0].point is None:
            return None
        return constant_at(members[0].kind, members[0].point)

    def _open(self, view: RowView, off: frozenset[Part]) -> RowView:
        """The way a row comes about, as far as that counts here, without the parts that are off."""
        head = view.head
        filled = {name: self._crossing.population(head, name) is not None for name in self._named(head.target)}
        # What an INSERT leaves out has its default, which is not always known.
        left_out = {name for name, is_ in filled.items() if not is_ and self._crossing.policy_of(head) == "closed"}
        free = left_out | {name for kind, mapping, name in off if (kind, mapping) == ("population", head.mapping)}
        joined = view.joined and (("join", head.mapping, "") not in off or not view.present)
        bound = not {("filter", head.mapping, ""), ("join", head.mapping, "")} & off
        return replace(view, joined=joined, free=frozenset(free), off=off, bound=bound)

    def _guard(self, view: RowView, off: frozenset[Part]) -> int:
        crossing, mapping = self._crossing, view.head.mapping
        found = TRUE if ("filter", mapping, "") in off else crossing.filtered(view)
        if ("join", mapping, "") not in off:
            found = crossing.diagram.both(found, crossing.joined(view))
        return crossing.diagram.both(found, crossing.beside(view))

    def _add(self, held: list[int], boxes: Iterable[int]) -> bool:
        """Take boxes in; whether any of them was not known."""
        changed = False
        for box in boxes:
            # A box is what it excludes: who excludes as much and more lies inside.
            if any(box & other == other for other in held):
                continue
            held[:] = [other for other in held if other & box != box] + [box]
            if len(held) > KEPT:
                around = held[0]
                for other in held:
                    around &= other
                held[:] = [around]
            changed = True
        return changed

    def _spelled(self, held: Sequence[int]) -> Sequence[Box] | None:
        if ANY in held:
            return None
        found = []
        for box in held:
            restricted = dict(self._boxes.layout.restricted(box))
            labels = {variable: self._crossing.label(variable) for variable in restricted}
            found.append({label.local: restricted[v] for v, label in labels.items() if isinstance(label, Own)})
        return found
