"""Marks which values of a row later conditions can still tell apart; all else about the row can be forgotten.

"Later" is further up, towards the sources: questions come from below, and every mapping on the way asks something. If
nothing above CORE.B ever tests its TYPE, rows of CORE.B that differ in TYPE only are in the same state.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import TRUE
from mdw.conditions.values import Value
from mdw.lineage.everything.cells import ENTANGLED, Partition, Tested, TestedPool, finest, met, refined
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Own, RowView
from mdw.lineage.steps.graph import Edge
from mdw.model.expressions import Attr, Compare, Condition, Const, Variable
from mdw.model.name import local_of, row_of
from mdw.model.walks import variables_of, walk


@dataclass(frozen=True, slots=True, eq=False)
class Fills:
    """What one way puts into the row it makes.

    ``cases`` gives for each variable that conditions may speak of the values it may get, each with its guard;
    ``copied`` the variable it is copied from, where it always is; ``shared`` the variables that fill several others.
    """

    cases: dict[int, tuple[tuple[int, Value], ...]]
    copied: dict[int, int]
    shared: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class StepWays:
    """For each way a row comes about what lets it through, and what it is filled with. Equal ways are one object."""

    number: int
    each: tuple[tuple[int, Fills], ...]


class Passages:
    """The ways rows take across steps, and what is tested on them."""

    def __init__(self, crossing: Crossing) -> None:
        self.crossing = crossing
        self.pool = TestedPool()
        self._locals: dict[str, list[str]] = defaultdict(list)
        for name in crossing.universe.known():
            self._locals[row_of(name)].append(local_of(name))
        self._comparing = any(map(compares, crossing.graph.candidates.conditions()))
        self._fills: dict[object, Fills] = {}
        self._same: dict[object, Fills] = {}
        self._masks: dict[int, tuple[dict[int, set[int]], set[int]]] = {}
        self._through: dict[tuple[int, int], Tested] = {}
        self._ways: dict[object, StepWays] = {}
        self._equal: dict[tuple[tuple[int, Fills], ...], StepWays] = {}

    def ways(self, edge: Edge) -> StepWays:
        """The ways a row can pass the step, whatever is asked of the target's row."""
        population, number = edge.population, edge.clause
        plain = len(population.clauses) == 1 and population.clauses[0].condition is None and edge.test is None
        # Attributes filled without an IF in a mapping without joins come the same way from one source.
        alone = plain and not self.crossing.graph.heads[population.mapping].joins
        alike = alone and edge.keys is None and edge.picked is None
        other = None if alike else (edge.target, number, edge.test, edge.keys, edge.picked)
        key = (population.mapping, edge.row, other)
        found = self._ways.get(key)
        if found is None:
            content = self._found(edge)
            found = self._ways[key] = self._equal.setdefault(content, StepWays(len(self._equal), content))
        return found

    def _found(self, edge: Edge) -> tuple[tuple[int, Fills], ...]:
        crossing = self.crossing
        locals_ = self._locals.get(row_of(edge.target), ())
        found = []
        for view in crossing.views_for(locals_, edge):
            guard = crossing.diagram.both(crossing.guard(view, edge.population, edge.clause), crossing.beside(view))
            if guard:
                found.append((guard, self._filled(view)))
        return tuple(found)

    def through(self, ways: StepWays, above: Tested) -> Tested:
        """What is tested of a target's row: by the step itself, and by all ``above`` that tests the source's row."""
        key = above.number, ways.number
        found = self._through.get(key)
        if found is None:
            found = self.pool.nothing
            for guard, fills in ways.each:
                found = self.pool.met(found, self._by(guard, fills, above))
            self._through[key] = found
        return found

    def _filled(self, view: RowView) -> Fills:
        found = self._fills.get(view.key)
        if found is None:
            target = view.head.target
            named = [f"{target}.{local}" for local in self._locals.get(target, ())]
            own = {name: self.crossing.row(name).number for name in named}
            cases = {own[name]: tuple(self.crossing.cases(view, name)) for name in named}
            copied = {own[name]: source for name in named if (source := self._copied(view, name)) >= 0}
            content = (tuple(cases.items()), tuple(copied.items()))
            found = self._same.get(content)
            if found is None:
                uses = Counter(v for given in cases.values() for v in _used(value for _, value in given))
                # Two attributes filled from one value are equal: value sets of each alone do not say that.
                shared = frozenset(variable for variable, count in uses.items() if count > 1)
                found = self._same[content] = Fills(cases, copied, shared)
            self._fills[view.key] = found
        return found

    def _copied(self, view: RowView, name: str) -> int:
        """The variable of the source's own row that is copied into an attribute, whatever is joined; else -1."""
        cases = self.crossing.cases(view, name)
        if len(cases) != 1 or cases[0][0] != TRUE or not isinstance(cases[0][1], Variable):
            return -1
        found = cases[0][1].number
        if view.head.joins:
            population = self.crossing.population(view.head, name)
            used = (
                {source.read_from for clause in population.clauses for source in clause.sources}
                if population
                else set()
            )
            if used != {view.source}:
                return -1
        same = self.crossing.regions(found) is self.crossing.regions(self.crossing.row(name).number)
        return found if same and isinstance(self.crossing.label(found), Own) else -1

    def _by(self, guard: int, fills: Fills, above: Tested) -> Tested:
        masks: dict[int, set[int]] = defaultdict(set)
        entangled: set[int] = set()
        for node in (guard, *(given for cases in fills.cases.values() for given, _ in cases)):
            for variable, some in self._read(node)[0].items():
                masks[variable] |= some
            entangled |= self._read(node)[1]
        found: dict[int, Partition] = {}
        for variable, cases in fills.cases.items():
            partition: Partition = (self.crossing.diagram.domains[variable],)
            for given, value in cases:
                # A case chosen by comparing attributes: which value is filled in no product of value sets tells.
                if self._read(given)[1]:
                    partition = ENTANGLED
                partition = met(partition, self._told(variable, value, fills, above, masks, entangled))
            found[variable] = partition
        return self.pool.of(found)

    def _told(
        self,
        variable: int,
        value: Value,
        fills: Fills,
        above: Tested,
        masks: dict[int, set[int]],
        entangled: set[int],
    ) -> Partition:
        """The values of a variable told apart where this value fills it."""
        domain = self.crossing.diagram.domains[variable]
        regions = self.crossing.regions(variable)
        if value is None:
            return (domain,)
        if isinstance(value, Const):
            return refined((domain,), [regions.bit(value)])
        # What is computed can only be tested by an atom.
        if not isinstance(value, Variable):
            return ENTANGLED
        source = value.number
        if source in entangled or self.crossing.regions(source) is not regions:
            return ENTANGLED
        # `T.A WITH S.K, T.B WITH S.K`: A and B are equal, which matters to `A = 1 AND B = 2`, told region by region,
        # and to `A < B`, which no value sets tell.
        if source in fills.shared:
            apart = self._comparing or above.partitions.get(source) == ENTANGLED
            return ENTANGLED if apart else finest(domain)  # value sets do not tell that two copies are equal
        return met(above.partitions.get(source, (domain,)), refined((domain,), masks.get(source, ())))

    def _read(self, node: int) -> tuple[dict[int, set[int]], set[int]]:
        """The value sets a condition tests by variable, and the variables its atoms speak of."""
        found = self._masks.get(node)
        if found is None:
            masks: dict[int, set[int]] = defaultdict(set)
            atoms: set[int] = set()
            diagram = self.crossing.diagram
            pending, seen = [node], {node}
            while pending:
                at = pending.pop()
                if at <= TRUE:
                    continue
                variable, edges = diagram.edges(at)
                label = diagram.labels[variable]
                if isinstance(label, Atom):
                    atoms |= spoken(label)
                masks[variable].update(mask for _, mask in edges)
                fresh = {child for child, _ in edges} - seen
                seen |= fresh
                pending += fresh
            found = self._masks[node] = masks, atoms
        return found


def compares(condition: Condition) -> bool:
    """Whether a condition compares two attributes anywhere."""
    plain = (one for one in walk(condition) if isinstance(one, Compare))
    return any(isinstance(one.left, Attr) and isinstance(one.right, Attr) for one in plain)


def spoken(atom: Atom) -> set[int]:
    """The variables an atom speaks of."""
    return {one.number for one in variables_of(atom.condition)}


def _used(values: Iterable[Value]) -> set[int]:
    return {one.number for value in values if value is not None for one in variables_of(value)}
