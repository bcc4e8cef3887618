"""The rows that mappings read: the ways they come about, what is seen of each, and what joins ask of them."""

from __future__ import annotations

from collections.abc import Hashable

from mdw.conditions.atoms import YES
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.regions import NULL
from mdw.conditions.values import NOTHING, Lookup, Value
from mdw.lineage.rows.marks import MARKS, apart
from mdw.lineage.rows.others import named, other_of
from mdw.lineage.rows.universe import Universe
from mdw.lineage.rows.variables import Variables
from mdw.lineage.rows.view import Existing, Joined, RowView, Settled
from mdw.lineage.rows.ways import NO_JOINS, Way
from mdw.lineage.steps.graph import NO_ROW, Edge, Graph
from mdw.model.collations import collated
from mdw.model.expressions import TRUE as ALWAYS
from mdw.model.expressions import Attr, Compare, Condition, IsNull, Not, Variable
from mdw.model.groups import aggregates
from mdw.model.name import entity_of_row, local_of, row_of
from mdw.model.rules import Head, Join, Policy, Population, aggregating
from mdw.model.walks import attributes_of


class JoinedRows(Variables):
    """What mappings read and join, as conditions and values within one diagram.

    ``wanted`` has what the question asks of rows of other entities on the way; ``assumed`` gathers (mapping, attribute,
    what it is taken to carry).
    """

    def __init__(
        self,
        graph: Graph,
        universe: Universe,
        diagram: Diagram,
        policy: Policy | None,
        existing: Existing | None = None,
    ) -> None:
        super().__init__(universe, diagram, existing)
        self.graph = graph
        self.policy = policy
        self.assumed: set[tuple[str, str, str]] = set()
        self.wanted: dict[str, int] = {}
        self._views: dict[Hashable, RowView] = {}
        self._guards: dict[Hashable, int] = {}
        self._lefts: dict[Hashable, list[int]] = {}
        self._cases: dict[Hashable, list[tuple[int, Value]]] = {}
        self._opened: dict[tuple[str, str], bool] = {}
        self._filled = graph.filled
        self._copied = graph.copied

    # -- ways a row comes about ----------------------------------------------------------------------------------

    def plain_view(self, edge: Edge) -> RowView:
        """The one way a row comes about that a step makes of one row alone."""
        return self.view(edge, NO_JOINS)

    def alone(self, edge: Edge) -> bool:
        """Whether a step makes its row of one row alone, or of none: then there is one way only."""
        head = self.graph.heads[edge.population.mapping]
        return not head.joins or made_of_none(head, edge.row)

    def settled(self, edge: Edge) -> Settled | None:
        """The attribute and its clause, where the guard of the clause does not say that no other fills it; else None.

        Of an aggregating attribute nothing is known, since its value comes from many rows. But who came by the clause
        ``WITH 1`` knows that the value is 1, and who came by MAX that it is its own. And where values of open kind
        decide, a row may seem to take two clauses.
        """
        population, clause = edge.population, edge.clause
        clauses = population.clauses
        if edge.picked is not None:
            return population.target, clause
        if len(clauses) == 1 or aggregates(clauses[clause].expression):
            return None
        grouped = self.graph.heads[population.mapping].group is not None
        known = not (grouped or aggregating(population) or self._undecided(population))
        return None if known else (population.target, clause)

    def _undecided(self, population: Population) -> bool:
        key = (population.mapping, population.target)
        found = self._opened.get(key)
        if found is None:
            conditions = [clause.condition for clause in population.clauses if clause.condition is not None]
            names = {name for condition in conditions for name in attributes_of(condition)}
            found = self._opened[key] = any(self.universe.regions(name).open for name in sorted(names))
        return found

    def view(self, edge: Edge, way: Way) -> RowView:
        """One way in which a step makes a row."""
        population = edge.population
        settled = self.settled(edge)
        key = (population.mapping, edge.row, way, settled, edge.test, edge.keys, edge.picked)
        found = self._views.get(key)
        if found is None:
            head = self.graph.heads[population.mapping]
            found = RowView(
                head, edge.row, way, settled, not way.any, test=edge.test, keys=edge.keys, picked=edge.picked
            )
            self._views[key] = found
            if way.any:
                self.doubt(head.mapping, "what the rows joined must be")
        return found

    def _value(self, view: RowView, name: str) -> Value:
        """An attribute of a mapping's row as the view sees it."""
        row = row_of(name)
        # All attributes of a partner that an outer join did not find are NULL, together (rule Q9).
        if row in view.missing:
            return NOTHING
        if view.way.met and not (view.loose and self._lettered(name)):
            name = view.merged.get(name, name)
            row = row_of(name)
        if row == view.source:
            return self.row(name)
        # No join of this way speaks of such a row; what it holds may be anything.
        if row not in view.rows:
            return self.partner(view.head.mapping, name) if other_of(name) else None
        # Any other row of the mapping is a row of its own there: its values are variables of this mapping.
        if view.beside is not None and (own := self._keyed(view, view.beside).get(name)) is not None:
            return own
        return self.partner(view.head.mapping, named(name, view.other) if view.other else name)

    def _lettered(self, name: str) -> bool:
        """Whether rules tell texts of the attribute's class apart: then not all that a collation takes for equal is."""
        return "string" in self.universe.regions(name).kinds

    def _seen(self, view: RowView) -> Lookup:
        """What the rules of a mapping mean by an attribute, as the view sees it."""
        return lambda symbol: self._value(view, symbol.name) if isinstance(symbol, Attr) else symbol

    # -- conditions on what is read --------------------------------------------------------------------------------

    def _read(self, view: RowView, condition: Condition) -> int:
        """A condition on the rows a mapping reads, as the view sees them."""
        true, _ = self.terms.read(condition, self._seen(view))
        self.doubt(view.head.mapping)
        return self._marked(view, condition, true)

    def _marked(self, view: RowView, condition: Condition, true: int) -> int:
        """Where a condition is true, EXISTS in it being TRUE only where a row that can exist is found (Q10, Q11).

        ``T IS NULL OR EXISTS(J)``, J being looked for by T and having rows of T = "b" only, asks T IS NULL or T = "b".
        """
        # Each search has three outcomes (`apart`), and only that it has found a row asks for something. Without a bound
        # three searches would be 27 readings of the condition, ten some 59,000: hence `MARKS`.
        pending = [(condition, TRUE)]
        asked = [join for join in view.head.joins if join.kind == "mark"] if view.joined else []
        for join in asked[:MARKS]:
            there, mark = self._found_by(view, join), join.mark(view.head.mapping)
            if there != TRUE:
                split = [(apart(one, mark), guard) for one, guard in pending]
                pending = [
                    (case, self.diagram.both(guard, there) if case is cases[0] and len(cases) > 1 else guard)
                    for cases, guard in split
                    for case in cases
                ]
        if len(pending) == 1:
            return true
        found = FALSE
        for one, guard in pending:
            found = self.diagram.either(found, self.diagram.both(guard, self.terms.read(one, self._seen(view))[0]))
        # The condition as a whole had the same doubts, and these are noted. It also knows the search as a function,
        # equal for equal values, which the cases have lost: so both are asked.
        self.terms.doubts.clear()
        return self.diagram.both(true, found)

    def _found_by(self, view: RowView, join: Join) -> int:
        """That a row a mark join looks for can exist."""
        # A collation nobody told may take texts for equal that differ.
        told = [(left, right) for left, right in join.on if not (join.loose and self._lettered(left))]
        pairs = {local_of(right): self._value(view, left) for left, right in told}
        found = self.exists(join.entity, pairs.get, view.off)
        for value in pairs.values() if found != TRUE else ():
            if isinstance(value, Variable):
                found = self.diagram.both(found, self.diagram.allow(value.number, ~NULL))
        return found

    # -- joins -----------------------------------------------------------------------------------------------------

    def key_names(self, view: RowView) -> list[str]:
        """The attributes, of those that conditions speak of, that all rows of the group or partition have in common."""
        of_group = () if view.head.sets else view.head.group or ()
        keys = view.keys if view.keys is not None else of_group
        return [key.name for key in keys if isinstance(key, Attr) and self.universe.knows(key.name)]

    def _keyed(self, view: RowView, beside: RowView) -> dict[str, Value]:
        """The attributes that another row has in common with the row itself: its keys."""
        names = [name for name in self.key_names(beside) if not self._lettered(name)]
        # Of texts nobody knows by what collation they are one key.
        return {view.merged.get(name, name): self._value(beside, name) for name in names}

    def joined(self, view: RowView) -> int:
        """What the joins ask of the row: those present known keys and a partner, those missing that there is none.

        Take ``T.K WITH 1 IF J.R IS NULL`` with J joined on ID. A row without a partner passes; one with a partner
        passes only if that partner's R is NULL. So the one must be known from the other.
        """
        found = TRUE
        if not view.joined or made_of_none(view.head, view.source):
            return found
        for join in view.present:
            found = self.diagram.both(found, self._partner(view, join))
            for left, right in join.on if join.loose else ():
                # Other values are one variable (`RowView.merged`).
                if self._lettered(left):
                    found = self.diagram.both(found, self._alike(self._value(view, left), self._value(view, right)))
            if join.rest is not None:
                found = self.diagram.both(found, self._read(view, join.rest))
        self._note_unsought(view, found)
        for join in view.head.joins:
            if join.row in view.way.unmet:
                found = self.diagram.both(found, self._in_vain(view, join))
            elif join.row in view.way.alone:
                found = self.diagram.both(found, self._unfound(view, join))
        return self.diagram.both(found, self._joined_alike(view))

    def _note_unsought(self, view: RowView, found: int) -> None:
        """Note the rows of a view that no key of its joins finds."""
        others = view.rows - {view.source}
        if others and found != FALSE:
            labels = map(self.label, self.diagram.support(found))
            sought = {row for label in labels if isinstance(label, Joined) for row in label.rows}
            self.unsought |= {(view.head.mapping, row) for row in others} - sought

    def beside(self, view: RowView) -> int:
        """That the rows beside the source's are such as can exist (rule Q10)."""
        found = TRUE
        if not view.head.joins or view.way.any or made_of_none(view.head, view.source):
            return found
        key = (view.key, "beside")
        known = self._guards.get(key)
        if known is None:
            for row in sorted(view.rows - {view.source}):
                found = self.diagram.both(found, self._exists(view, row))
            known = self._guards[key] = found
        return known

    def _exists(self, view: RowView, row: str) -> int:
        names = self.graph.named[view.head.mapping]

        def value_of(local: str) -> Value:
            # What the mapping does not name of the row may be whatever the row has.
            name = f"{row}.{local}"
            return self._value(view, name) if name in names else None

        return self.exists(entity_of_row(row), value_of, view.off)

    def _in_vain(self, view: RowView, join: Join) -> int:
        """That no row to join exists; TRUE where that depends on what rows nothing looks for are like."""
        if join.on and join.rest is None:
            return self.diagram.negate(self._partner(view, join))
        # `S LEFT JOIN P ON S.K = P.K AND P.T = "a"`: a row in vain may have found a P with its K, of another T.
        if not join.on or any(row_of(name) == join.row for name in attributes_of(join.rest or ALWAYS)):
            self.doubt(view.head.mapping, f"which rows find no row of {entity_of_row(join.row)} to join")
            return TRUE
        # Of a condition that may be true and may be not, NOT of true alone would say that it is not.
        true, false = self.terms.read(join.rest or ALWAYS, self._seen(view))
        self.doubt(view.head.mapping)
        untrue = self.diagram.either(false, self.diagram.negate(true))
        return self.diagram.either(untrue, self.diagram.negate(self._partner(view, join)))

    def _unfound(self, view: RowView, join: Join) -> int:
        """That no row finds the row joined, which then comes alone."""
        mapping = view.head.mapping
        # Behind other joins it is a combination of rows that does not find it, of which keys alone do not tell.
        if view.head.joins[0] is not join or join.rest is not None or not join.on:
            self.doubt(mapping, f"which rows none is joined to by {join.text}")
            return TRUE
        pairs = [(value, left) for left, right in join.on if (value := self._value(view, right)) is not None]
        known = TRUE
        for value, _ in pairs:
            known = self.diagram.both(known, self.terms.read(Not(IsNull(value)), lambda symbol: symbol)[0])
        exists = self.finding(mapping, join.row, pairs)
        return self.diagram.negate(self.diagram.both(known, self.diagram.allow(exists, YES)))

    def _partner(self, view: RowView, join: Join) -> int:
        """That a row to join exists with these keys."""
        pairs = []
        known = TRUE
        if not join.on:
            self.doubt(view.head.mapping, f"whether there are rows of {join.entity} to join")
            return known
        for left, right in join.on:
            value = self._value(view, left)
            if value == NOTHING:
                return FALSE
            if row_of(left) == row_of(right):
                alike = self._alike if join.loose else self._equal
                known = self.diagram.both(known, alike(value, self._value(view, right)))
                continue
            # NULL equals nothing, so a key that joins is known.
            if isinstance(value, Variable):
                known = self.diagram.both(known, self.diagram.allow(value.number, ~NULL))
            if value is not None and join.loose and self._lettered(left):
                value = collated(value, "")
            if value is not None:
                pairs += [(value, side) for side in self._found(view, join, left, right)]
        # That a partner with these keys exists is a variable: no rule denies it, but the answer is to tell it.
        exists = self.finding(view.head.mapping, join.row, pairs)
        return self.diagram.both(known, self.diagram.allow(exists, YES))

    def _found(self, view: RowView, join: Join, left: str, right: str) -> list[str]:
        """The keys of rows that a pair of keys finds: the joined row's own, and on the way up to the driving row both.

        A row that is joined besides is looked for from one that others have found: that there is none says nothing of
        that one.

        ``S JOIN P ON S.K = P.K JOIN Q ON P.K = Q.K`` seen from Q: the K of Q stands for all three, so the first join
        finds both a row of S and a row of P by it.
        """
        own = left if row_of(left) == join.row else right
        if join.row not in view.upwards:
            return [own]
        # Of two rows that are both found by keys of the source's own, both keys are what that key is.
        sides = [side for side in (left, right) if row_of(side) != view.source and view.merged.get(side, side) != side]
        return sides or [left if row_of(right) == view.source else right]

    def _joined_alike(self, view: RowView) -> int:
        """What joins ask of the row alone: with ``D.M = J.K, D.M = J.M`` a row of J joins only where K = M."""
        found = TRUE
        for name, kept in view.merged.items() if view.way.met else ():
            if row_of(name) == view.source and name != kept:
                alike = self._alike if view.loose else self._equal
                found = self.diagram.both(found, alike(self.row(name), self.row(kept)))
        return found

    def _alike(self, left: Value, right: Value) -> int:
        """That two values are equal, as texts by a collation that nobody told (rule Q35)."""
        if left is None or right is None:
            return TRUE
        met = Compare("=", collated(left, ""), collated(right, ""))
        return self.terms.read(met, lambda symbol: symbol)[0]

    def _equal(self, left: Value, right: Value) -> int:
        if left is None or right is None:
            return TRUE
        return self.terms.read(Compare("=", left, right), lambda symbol: symbol)[0]


def made_of_none(head: Head, row: str) -> bool:
    """Whether a row is made of all rows and would be of none: what is asked of them does not bind it (rule Q15)."""
    return head.group == () and row == NO_ROW
