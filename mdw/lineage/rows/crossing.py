"""Crossing a mapping backwards: what a condition on target rows asks of the rows of one source entity.

A condition is exact after crossing: substituted through the CASE of each population, joined with the clause's
effective IF, the filter and the join.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from copy import copy
from itertools import product

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.values import Symbol, Value, evaluate
from mdw.lineage.rows.rows import MappingRows
from mdw.lineage.rows.universe import Universe
from mdw.lineage.rows.unknowns import read_by, written
from mdw.lineage.rows.view import Existing, Free, Joined, Own, Partner, RowView
from mdw.lineage.rows.ways import ways
from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.expressions import Compare, Condition, Const, Variable
from mdw.model.name import row_of
from mdw.model.rules import Head, Policy
from mdw.model.walks import attributes_of, variables_of


class Crossing(MappingRows):
    """Carries conditions across mappings within one diagram; what it has carried once it remembers.

    Conditions are nodes of ``diagram``, 0 for FALSE. All methods raise TooLargeError where it outgrows its limit.
    ``forgotten`` has the mappings around cycles of whose joins something was dropped.
    """

    def __init__(
        self,
        graph: Graph,
        universe: Universe,
        diagram: Diagram,
        policy: Policy | None,
        existing: Existing | None = None,
    ) -> None:
        super().__init__(graph, universe, diagram, policy, existing)
        self._replaced: dict[Hashable, int] = {}
        self._speaking: dict[tuple[str, int], list[int]] = {}
        self._kept: dict[Hashable, dict[int, bool]] = {}
        self._freed: set[str] = set()
        self._plain: dict[int, tuple[RowView, int]] = {}
        self._known: dict[Hashable, dict[tuple[int, int, frozenset[str]], int]] = {}
        self.forgotten: set[str] = set()

    def within(self, passed: Mapping[int, bool]) -> Crossing:
        """The same, over the steps that have passed only."""
        narrowed = copy(self)
        narrowed.graph = self.graph.within(passed)
        return narrowed

    def back(self, condition: int, edge: Edge) -> int:
        """The condition on rows of the step's source from which it makes rows that meet ``condition``; 0 if from none.

        Exact, unless something opaque or an unpopulated attribute takes part.
        """
        # Steps are crossed again and again, by one condition after the other: what does not depend on it is kept.
        plain = self._plain.get(edge.number)
        condition = self.forget(condition, self.graph.heads[edge.population.mapping])
        if plain is None and self.alone(edge):
            view = self.plain_view(edge)
            plain = self._plain[edge.number] = view, self.guard(view, edge.population, edge.clause)
        if plain is not None:
            return self.across(condition, *plain)
        # A row may come about in any of these ways, so what they ask is joined by OR.
        found = FALSE
        for view in self.views(edge, condition):
            guard = self.guard(view, edge.population, edge.clause)
            found = self.diagram.either(found, self.across(condition, view, guard))
        return found

    def across(self, condition: int, view: RowView, guard: int) -> int:
        """The condition with what the mapping puts into the row, and the guard that lets the row through."""
        if not guard:
            return FALSE
        # The rows beside come last: what the condition asks of them is only known once the rules have been put in.
        found = self._without_others(view, self.diagram.both(guard, self._replace(condition, view)))
        return self._bounded(found, view) if view.head.joins and found else found

    def _bounded(self, condition: int, view: RowView) -> int:
        """The condition without the cases that no rows beside the source's can meet, since none such exist.

        Where J has rows of KIND 1 only, ``J.KIND = 1 AND A = 1 OR J.KIND = 2 AND A = 2`` asks A = 1. That KIND is 1
        need not be said where nothing asks for it: it always is.
        """
        beside = self.beside(view)
        if beside == TRUE:
            return condition
        met = self.diagram.both(condition, beside)
        labels, mapping = self.diagram.labels, view.head.mapping
        # What `J.N < A.N` says of J.N ends with J.N: a partner's value stays as long as something compares it.
        atoms = [label for v in self.diagram.support(met) if isinstance(label := labels[v], Atom)]
        compared = {one.number for atom in atoms for one in variables_of(atom.condition)}

        def beside_only(variable: int) -> bool:
            label = labels[variable]
            return isinstance(label, (Partner, Joined)) and label.mapping == mapping and variable not in compared

        return self.diagram.both(condition, self.diagram.exists(met, beside_only))

    def views(self, edge: Edge, condition: int) -> Iterator[RowView]:
        """The ways a row can come about that matter to a step and a condition."""
        spoken = frozenset().union(*map(self.locals, self.diagram.support(condition)))
        return self.views_for(spoken, edge)

    def views_for(self, locals_: Iterable[str], edge: Edge) -> Iterator[RowView]:
        """The same for a condition on the named attributes of the target."""
        if self.alone(edge):
            return iter((self.plain_view(edge),))
        head = self.graph.heads[edge.population.mapping]
        mentioned = self._mentioned(locals_, head, edge)
        return (self.view(edge, way) for way in ways(head, edge.row, mentioned))

    def every_view(self, edge: Edge) -> Iterator[RowView]:
        """All ways a row of the step's mapping can come about."""
        head = self.graph.heads[edge.population.mapping]
        every = frozenset(join.row for join in head.joins)
        return (self.view(edge, way) for way in ways(head, edge.row, every))

    def copies(self, variable_: int, view: RowView) -> bool:
        """Whether the mapping hands the variable on as it is, so that a condition on it needs no change."""
        label = self.diagram.labels[variable_]
        if not isinstance(label, Own):
            return isinstance(label, (Partner, Free)) or not self.locals(variable_)
        name = f"{view.head.target}.{label.local}"
        if view.hands_on:
            # The usual case, told from the rules alone; only with joins or an IF the cases must be looked at.
            source = self._copied[view.head.mapping].get(name)
            if source is not None:
                return row_of(source) == view.source and self.row(source).number == variable_
        return self.cases(view, name) == [(TRUE, self.variable(variable_))]

    def speaking(self, entity: str) -> list[int]:
        """The variables that conditions on rows of an entity may speak of, by number."""
        found = self._speaking.get((entity, len(self.diagram.labels)))
        if found is None:
            found = []
            for number, label in enumerate(self.diagram.labels):
                if isinstance(label, Own) and self.universe.number(f"{entity}.{label.local}") == label.number:
                    found.append(number)
            self._speaking[entity, len(self.diagram.labels)] = found
        return found

    def _mentioned(self, locals_: Iterable[str], head: Head, edge: Edge) -> frozenset[str]:
        """The joined rows that matter: those whose attributes the rules on the way mention."""
        asked = [one for one in (head.filter, head.having, edge.test) if one is not None]
        names = [name for one in asked for name in attributes_of(one)]
        # The step's own clause is reached past the IFs before it; of what the condition speaks of any clause may be it.
        rows = [(edge.population, edge.clause + 1)]
        for local in locals_:
            filled = self._filled[head.mapping].get(f"{head.target}.{local}")
            if filled:
                rows.append((filled, len(filled.clauses)))
        for filled, count in rows:
            for given in filled.clauses[:count]:
                names += [source.name for source in given.sources]
        return frozenset(row_of(name) for name in names)

    # -- substitution --------------------------------------------------------------------------------------------

    def _replace(self, condition: int, view: RowView) -> int:
        """The condition with every attribute of the target row replaced by what the mapping puts there."""
        if condition <= TRUE:
            return condition
        head = view.head
        # Most conditions pass most mappings as they are. To see that is far cheaper than to put copies for copies.
        kept = self._kept.setdefault(view.key, {}) if not head.joins else {}
        changed = False
        for variable_ in self.diagram.support(condition):
            same = kept.get(variable_)
            if same is None:
                same = kept[variable_] = self.copies(variable_, view)
            changed |= not same
        if not changed:
            return condition
        key = (condition, view.key)
        found = self._replaced.get(key)
        if found is None:
            found = self._substituted(condition, view)
            self._replaced[key] = found
        return found

    def _substituted(self, condition: int, view: RowView) -> int:
        diagram = self.diagram
        tied = self._tied(condition)
        known = self._known.setdefault(view.key, {})

        def put(variable_: int, mask: int) -> int:
            # Conditions share most of what they ask, and to put values into a computation is dear. What is tied is a
            # part of the key, since an unknown value becomes a variable only there.
            key = variable_, mask, tied & self.locals(variable_) if tied else tied
            node = known.get(key)
            if node is None:
                node = known[key] = self._put(variable_, mask, view, tied)
            return node

        found = diagram.replace(condition, put)
        self.doubt(view.head.mapping)
        if view.head.mapping not in self._freed:
            return found
        # A free variable has done its work once all that it tied together is one condition; only atoms still need it.
        atoms = [label for v in diagram.support(found) if isinstance(label := diagram.labels[v], Atom)]
        held = {one.number for atom in atoms for one in variables_of(atom.condition)}
        return diagram.exists(found, lambda v: isinstance(diagram.labels[v], Free) and v not in held)

    def _tied(self, condition: int) -> frozenset[str]:
        """The attributes of the row that computations or several parts of the condition speak of.

        Take ``N + M = 3 AND M = 0`` over a mapping that says nothing of M. Replaced one by one, each part could be met
        by some M; but it is the same M in both. So what is unknown and tied becomes a variable too (`Free`).
        """
        labels, support = self.diagram.labels, self.diagram.support(condition)
        atoms = {v: label.condition for v in support if isinstance(label := labels[v], Atom)}
        if not atoms:
            return frozenset()
        spoken = Counter(local for variable_ in support for local in self.locals(variable_))
        # An unknown N alone in `N < M` is as good as any value. In `N - N = 1` it is not, though one part asks for it.
        return frozenset(
            local for v, asked in atoms.items() for local in self.locals(v) if spoken[local] > 1 or not _bare(asked)
        )

    def _put(self, variable_: int, mask: int, view: RowView, tied: frozenset[str]) -> int:
        label = self.diagram.labels[variable_]
        diagram = self.diagram
        if isinstance(label, Own):
            regions = self.regions(variable_)
            found = FALSE
            for guard, value in self._values(label, view, tied):
                inside = self.terms.lies_in(value, mask, regions)
                # A constant that no rule compares with may lie in the set or not, a value no rule tells too.
                if value is None or (isinstance(value, Const) and (bit := regions.bit(value)) & mask and bit & ~mask):
                    self._doubt_of(label, view)
                found = diagram.either(found, diagram.both(guard, inside))
            return found
        if isinstance(label, Atom):
            return self._put_atom(label, mask, view, tied)
        if isinstance(label, Joined):
            return self._put_joined(label, mask, view)
        return diagram.allow(variable_, mask)

    def _doubt_of(self, label: Own, view: RowView) -> None:
        """Note that what a mapping gives an attribute is not known."""
        attribute = f"{view.head.target}.{label.local}"
        self.doubt(view.head.mapping, *written(attribute, self._filled[view.head.mapping].get(attribute), view.head))

    def _put_atom(self, atom: Atom, mask: int, view: RowView, tied: frozenset[str]) -> int:
        diagram = self.diagram
        found = FALSE
        for guard, lookup in self._combinations(variables_of(atom.condition), view, tied):
            part = self.terms.holds(atom.condition, mask, lookup.__getitem__)
            for one in [symbol for symbol, value in lookup.items() if value is None]:
                if isinstance(one, Variable) and isinstance(own := self.label(one.number), Own):
                    self._doubt_of(own, view)
            found = diagram.either(found, diagram.both(guard, part))
        return found

    def _put_joined(self, label: Joined, mask: int, view: RowView) -> int:
        found = FALSE
        mentioned = [one for value, _ in label.pairs for one in variables_of(value)]
        for guard, lookup in self._combinations(mentioned, view, frozenset()):
            pairs = []
            for value, attribute in label.pairs:
                put = evaluate(value, lookup.__getitem__)
                # By a key of which nothing is known any row may be found: it is not among what is asked.
                if put is not None:
                    pairs.append((put, attribute))
            known = self.finding(label.mapping, label.row, pairs)
            found = self.diagram.either(found, self.diagram.both(guard, self.diagram.allow(known, mask)))
        return found

    def _values(self, label: Own, view: RowView, tied: frozenset[str]) -> list[tuple[int, Value]]:
        """What the mapping puts into an attribute of the row; what is unknown but tied is the same in every part."""
        mapping, attribute = view.head.mapping, f"{view.head.target}.{label.local}"
        cases = self.cases(view, attribute)
        if view.picked is not None and view.settled and view.settled[0] == attribute:
            # Who has the value may still not be the row that MAX takes it of.
            self.doubt(mapping, f"of which row of {read_by(view.head)} {view.picked.function} gives the value")
        if label.local not in tied or all(value is not None for _, value in cases):
            return cases
        self._freed.add(mapping)
        free = self._named(Free(mapping, attribute), attribute)
        return [(guard, free if value is None else value) for guard, value in cases]

    def _combinations(
        self, variables: Iterable[Variable], view: RowView, tied: frozenset[str]
    ) -> Iterator[tuple[int, dict[Symbol, Value]]]:
        """Every combination of values the variables can take, with its guard.

        For ``N < M`` over ``N WITH A IF T = 1 WITH B`` and ``M WITH C IF T = 1 WITH D`` these are A and C where T is 1,
        B and D where it is not. A and D is no combination: its guard is FALSE.
        """
        every = list(dict.fromkeys(variables))
        options: list[list[tuple[int, Value]]] = []
        for one in every:
            label = self.diagram.labels[one.number]
            if isinstance(label, Own):
                options.append(self._values(label, view, tied))
            else:
                options.append([(TRUE, one)])
        # A comparison of two attributes must be looked at for every pair of clauses that may fill them.
        for choice in product(*options):
            guard = TRUE
            for part, _ in choice:
                guard = self.diagram.both(guard, part)
            if guard:
                yield guard, {one: value for one, (_, value) in zip(every, choice, strict=True)}

    def forget(self, condition: int, head: Head) -> int:
        """Drop what is known of rows this mapping joined or wrote before: crossing it again is about other rows.

        That happens around a cycle only. ``WHEN POPULATING T FROM T ... NAVIGATE FROM T TO J`` crossed twice reads two
        rows of J, which one variable cannot stand for. To drop what was said of the first weakens the condition, which
        never loses a row. Value sets of such rows say nothing of this one; comparisons with them, and that there are
        any, do: `forgotten` says so.
        """
        if condition <= TRUE or not (head.joins or head.mapping in self._freed):
            return condition
        labels = self.diagram.labels
        gone = {v for v in self.diagram.support(condition) if _belongs(self, labels[v], head.mapping)}
        if any(isinstance(labels[v], (Atom, Joined)) for v in gone):
            self.forgotten.add(head.mapping)
        return self.diagram.exists(condition, gone.__contains__)


def _bare(condition: Condition) -> bool:
    """Whether a condition compares attributes as they are."""
    return (
        isinstance(condition, Compare)
        and isinstance(condition.left, Variable)
        and isinstance(condition.right, Variable)
    )


def _belongs(crossing: Crossing, label: Hashable, mapping: str) -> bool:
    if isinstance(label, (Partner, Free, Joined)):
        return label.mapping == mapping
    if isinstance(label, Atom):
        return any(_belongs(crossing, crossing.label(one.number), mapping) for one in variables_of(label.condition))
    return False
