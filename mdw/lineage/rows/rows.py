"""What mappings let through, and what fills the rows they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdw.conditions.atoms import Atom
from mdw.conditions.comparisons import UNTOLD
from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.regions import NULL
from mdw.conditions.values import NOTHING, Value, evaluate
from mdw.lineage.rows.joining import JoinedRows, made_of_none
from mdw.lineage.rows.others import original, other_of, seen_as_others
from mdw.lineage.rows.unknowns import asked, read_by
from mdw.lineage.rows.view import Joined, Partner, RowView
from mdw.lineage.rows.ways import Way, ways
from mdw.model.expressions import TRUE as ALWAYS
from mdw.model.expressions import Attr, Condition, Expression, Variable
from mdw.model.groups import aggregates, condition_with_picked, condition_within, with_picked, within
from mdw.model.name import entity_of_row, local_of, row_of
from mdw.model.rules import Clause, Head, Policy, Population, aggregating
from mdw.model.walks import attributes_of, variables_of


class MappingRows(JoinedRows):
    """What mappings let through and put into rows, as conditions and values within one diagram."""

    def doubt(self, mapping: str, *texts: str) -> None:
        """Note what could not be told; where that is a value of which nothing is said, what the mapping leaves open."""
        if UNTOLD in self.terms.doubts and mapping in self.graph.heads:
            del self.terms.doubts[UNTOLD]
            head = self.graph.heads[mapping]
            texts = texts or tuple(asked(head, self._filled.get(mapping, {}).values())) or (UNTOLD,)
        super().doubt(mapping, *texts)

    # -- what lets a row through --------------------------------------------------------------------------------

    def guard(self, view: RowView, population: Population, clause: int) -> int:
        """When the clause is the one that fills the attribute: filter, joins, its IF and no earlier IF."""
        plain = clause == 0 and population.clauses[0].condition is None
        # Attributes filled without an IF share their guard: it is the filter and the joins.
        key = (view.key, None if plain else (population.target, clause))
        found = self._guards.get(key)
        if found is None:
            # Joins first: then what is said of a partner comes after whether there is one, which keeps it readable.
            found = self.joined(view)
            found = self.diagram.both(found, self.filtered(view))
            found = self.diagram.both(found, self.asked_of(view))
            if view.test is not None or not plain:
                found = self.diagram.both(found, self.effective(view, population, clause))
            # Once all that speaks of another row is there: what filter and IF ask of it one row must meet.
            found = self._guards[key] = self.with_others(view, found)
        return found

    def effective(self, view: RowView, population: Population, clause: int) -> int:
        """The clause's effective condition: its IF is true, no earlier one is, and the value is used within it."""
        key = (view.key, population.target, clause, "if")
        found = self._guards.get(key)
        if found is None:
            # Where the mapping names no groups, each row is asked its IF by itself below an aggregation.
            each = view.head.group is None and aggregates(population.clauses[clause].expression)
            left = self._left(view, population, clause, each=each)
            taken, _ = self._choice(view, population.clauses[clause], each=each)
            found = self._guards[key] = self.diagram.both(left, taken)
        return found

    def _left(self, view: RowView, population: Population, clause: int, *, each: bool) -> int:
        """What earlier clauses leave to a clause; of each clause once, for a CASE may have thousands."""
        left = self._lefts.setdefault((view.key, population.target, each), [])
        if not left:
            left.append(TRUE if view.test is None else self._read(view, view.test))
        for given in population.clauses[len(left) - 1 : clause]:
            left.append(self.diagram.both(left[-1], self._choice(view, given, each=each)[1]))
        return left[clause]

    def filtered(self, view: RowView) -> int:
        """What the mapping's filter asks of the row, and what it asks of groups as far as that binds each row."""
        head, found = view.head, TRUE
        # `SELECT 'EU' AS r, SUM(x) FROM s WHERE 1 = 0` gives its row whatever the filter lets through (rule Q15).
        if head.filter is not None and not made_of_none(head, view.source):
            found = self._read(view, head.filter)
        if head.having is not None:
            asked = head.having
            # Mapping text names no groups: which attributes the rows of a group have in common is not told here.
            if head.group is None and self.graph.edges.aggregates(head.mapping):
                asked = condition_within(asked, ())
            found = self.diagram.both(found, self._read(view, self._condition(view, asked)))
        return found

    def asked_of(self, view: RowView) -> int:
        """What the question asks of rows of the source's entity, wherever they are met."""
        return self.wanted.get(entity_of_row(view.source), TRUE)

    def _condition(self, view: RowView, condition: Condition) -> Condition:
        """A condition on the row made, as far as it binds the row it is seen from: by partition and grouping keys.

        With groups by K, ``K = 1 AND X = 2`` binds each row by K = 1; X is some row's, `ANY_VALUE` of X.
        """
        # From the row made backwards: windows work on the rows that grouping has left.
        for keys in (view.keys, view.head.group):
            condition = condition if keys is None else condition_within(condition, keys)
        if view.picked is not None:
            asked = condition_with_picked(condition, view.picked)
            if asked != condition:
                self.doubt(
                    view.head.mapping, f"of which row of {read_by(view.head)} {view.picked.function} gives the value"
                )
            condition = asked
        if self._beside_others(view):
            asked = seen_as_others(condition, view.head, made=view.keys is not None)  # type: ignore[assignment]
            if asked != condition:
                self.doubt(view.head.mapping, f"which row of {read_by(view.head)} gives a value")
            condition = asked
        return condition

    def _expression(self, view: RowView, expression: Expression) -> Expression:
        """A value of the row made, as far as it is told from the row it is seen from."""
        for keys in (view.keys, view.head.group):
            expression = expression if keys is None else within(expression, keys)
        if view.picked is not None:
            expression = with_picked(expression, view.picked)
        if not self._beside_others(view):
            return expression
        return seen_as_others(expression, view.head, made=view.keys is not None)  # type: ignore[return-value]

    # -- other rows of the group or partition ----------------------------------------------------------------------

    def _beside_others(self, view: RowView) -> bool:
        """Whether what aggregations and windows take of other rows is bound by what binds those."""
        # Other rows in a window over groups are rows made of groups, of which rules on rows read say nothing. And an
        # other row is bound by rules alone, not by others again: there would be no end to it.
        if (view.keys is None) == (view.head.group is None) or view.beside is not None or not view.bound:
            return False
        return not view.way.any and not made_of_none(view.head, view.source)

    def _of_others(self, view: RowView, variables: Iterable[int]) -> dict[str, set[int]]:
        """Those of the variables that speak of other rows of the mapping, by row."""
        found: dict[str, set[int]] = {}
        for one in variables:
            label = self.label(one)
            for number in [v.number for v in variables_of(label.condition)] if isinstance(label, Atom) else [one]:
                of = self.label(number)
                if isinstance(of, Partner) and of.mapping == view.head.mapping and (other := other_of(of.attribute)):
                    found.setdefault(other, set()).add(number)
        return found

    def with_others(self, view: RowView, condition: int, value: Value = None) -> int:
        """The condition with what binds the other rows that it, or a value, speaks of."""
        if not self._beside_others(view):
            return condition
        spoken = [*self.diagram.support(condition), *(one.number for one in variables_of(value or NOTHING))]
        for other, variables in self._of_others(view, spoken).items():
            condition = self.diagram.both(condition, self._binding(view, other, frozenset(variables)))
        return condition

    def _without_others(self, view: RowView, condition: int) -> int:
        """What a condition says of the row by itself, whatever the other rows that it speaks of."""
        if not self._beside_others(view) or not self._of_others(view, self.diagram.support(condition)):
            return condition
        # Only now: IF and WITH may speak of the same row, and what both ask of it no row may meet.
        met = self.with_others(view, condition)
        return self.left_of(met, lambda one: bool(self._of_others(view, (one,))))

    def _binding(self, view: RowView, other: str, spoken: frozenset[int]) -> int:
        """What joins, filter and the rows that exist ask of another row: of these variables, and of the row's own."""
        key = (view.key, other, spoken)
        found = self._guards.get(key)
        if found is None:
            head, found = view.head, FALSE
            # Joins come about for the other row by themselves: where this row finds a partner, that one may find none.
            asked = [*attributes_of(head.filter or ALWAYS), *self.key_names(view), *map(self._taken, spoken)]
            for way in ways(head, "", frozenset(map(row_of, asked))):
                if way.any:
                    found = TRUE
                    break
                found = self.diagram.either(found, self._other_by(view, other, way, spoken))
            found = self.left_of(found, lambda one: self._beyond(view, one, spoken))
            self._guards[key] = found
        return found

    def _other_by(self, view: RowView, other: str, way: Way, spoken: frozenset[int]) -> int:
        """The same where the other row comes about in one way."""
        one = RowView(view.head, "", way, off=view.off, other=other, beside=view)
        found = self.diagram.both(self.joined(one), self.beside(one))
        if view.head.filter is not None:
            found = self.diagram.both(found, self._read(one, view.head.filter))
        # The attributes of a row that is missing are NULL, and keys are the same in both rows.
        keys = [self._value(view, name) for name in self.key_names(view) if row_of(name) in one.missing]
        for number in (value.number for value in keys if isinstance(value, Variable)):
            found = self.diagram.both(found, self.diagram.allow(number, NULL))
        return self.diagram.both(found, self._spelled_out(one, spoken))

    def _spelled_out(self, view: RowView, spoken: frozenset[int]) -> int:
        """That the variables of another row are what its joins make of them: NULL, a key, or equal to one another."""
        found, equal = TRUE, dict[Value, list[Variable]]()
        for number in sorted(spoken):
            own, value = self.variable(number), self._value(view, self._taken(number))
            if value == NOTHING:
                found = self.diagram.both(found, self.diagram.allow(number, NULL))
            elif isinstance(value, Variable):
                same = equal.setdefault(value, [value])
                for other in same if own not in same else ():
                    found = self.diagram.both(found, self._equal(own, other))
                same.append(own)
        return found

    def _taken(self, number: int) -> str:
        """The attribute, by its name in the mapping, that a variable of another row is of."""
        label = self.label(number)
        assert isinstance(label, Partner)
        return original(label.attribute)

    def _beyond(self, view: RowView, variable_: int, spoken: frozenset[int]) -> bool:
        """Whether a variable is of another row, or of one joined to it, and not spoken of."""
        if isinstance(self.label(variable_), Joined):
            return True
        return bool(set().union(*self._of_others(view, (variable_,)).values()) - spoken)

    def _choice(self, view: RowView, clause: Clause, *, each: bool = False) -> tuple[int, int]:
        """When a clause that is reached may take the row, and when it may leave it to the clauses after it.

        ``each``: the row it is seen from is asked by itself, not the row made.
        """
        if clause.condition is None:
            return TRUE, FALSE
        asked = clause.condition if each and view.keys is None else self._condition(view, clause.condition)
        true, false = self.terms.read(asked, self._seen(view))
        self.doubt(view.head.mapping)
        # It leaves rows for which its IF is false or NULL. `R LIKE "A%"` that the regions of R cannot tell may be
        # either, and is then in both: not(true) alone would say that such a row is taken for certain.
        passed = self.diagram.either(false, self.diagram.negate(true))
        return self._marked(view, asked, true), passed

    def policy_of(self, head: Head) -> Policy:
        """How to read what a mapping leaves out: as it says; an update carries it, others do as the question says."""
        return head.policy or ("carry" if head.update else self.policy or "carry")

    # -- what a row is filled with -------------------------------------------------------------------------------

    def population(self, head: Head, attribute: str) -> Population | None:
        """The population that fills the attribute in a mapping, if any."""
        return self._filled[head.mapping].get(attribute)

    def cases(self, view: RowView, attribute: str) -> list[tuple[int, Value]]:
        """What the mapping puts into a target attribute: values with the conditions under which each is chosen."""
        key = (view.key, attribute)
        found = self._cases.get(key)
        if found is None:
            found = self._cases[key] = list(self._case(view, attribute))
        return found

    def _case(self, view: RowView, attribute: str) -> Iterator[tuple[int, Value]]:
        if attribute in view.free:
            yield TRUE, None
            return
        population = self._filled[view.head.mapping].get(attribute)
        if population is None:
            yield TRUE, self._unpopulated(view, attribute)
            return
        # Its guard is TRUE because `effective` asks for the clause already.
        if view.settled and view.settled[0] == attribute:
            yield self._case_of(view, attribute, TRUE, population.clauses[view.settled[1]])
            return
        if view.head.group is None and aggregating(population):
            yield TRUE, None  # which clause fills the attribute is another row's affair too
            return
        # CASE: each clause takes the rows that no earlier one took; what is left over is NULL.
        left = TRUE
        for clause in population.clauses:
            taken, passed = self._choice(view, clause)
            guard = self.diagram.both(left, taken)
            if guard:
                yield self._case_of(view, attribute, guard, clause)
            left = self.diagram.both(left, passed)
        if left:
            yield left, NOTHING

    def _case_of(self, view: RowView, attribute: str, guard: int, clause: Clause) -> tuple[int, Value]:
        value = self._given(view, clause)
        bound = self.with_others(view, guard, value)
        if value is not None and self._of_others(view, (one.number for one in variables_of(value))):
            self.doubt(view.head.mapping, f"which values of {attribute} are written")
        return bound, value

    def _given(self, view: RowView, clause: Clause) -> Value:
        return evaluate(self._expression(view, clause.expression), self._seen(view))

    def _unpopulated(self, view: RowView, attribute: str) -> Value:
        head = view.head
        carried, own = f"{head.driving}.{local_of(attribute)}", f"{head.row}.{local_of(attribute)}"
        policy = self.policy_of(head)
        if policy == "closed" and head.closes(attribute):
            return NOTHING
        if policy != "carry" or not (head.update or (carried, attribute) in self.graph.candidates.carried):
            return None
        # Only mapping text leaves open what becomes of such an attribute; the answer names what was assumed.
        if not head.update and head.policy is None:
            self.assumed.add((head.mapping, attribute, carried))
        return evaluate(self._expression(view, Attr(own)), self._seen(view))
