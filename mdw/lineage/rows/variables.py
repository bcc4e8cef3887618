"""The variables that conditions on rows speak of, and what each of them stands for.

The row of the source entity keeps plain variables, by attribute name and class, so that a copied attribute is the
same variable on every level; attributes of entities joined to it are variables of that mapping's own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from mdw.conditions.atoms import UNKNOWN, YES, Atom
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.regions import Regions
from mdw.conditions.terms import Terms
from mdw.conditions.told import told
from mdw.conditions.values import Symbol, Value
from mdw.lineage.rows.universe import Universe
from mdw.lineage.rows.view import NOTHING_OFF, Anything, Existing, Joined, JoinedRow, Own, Part, Partner
from mdw.model.expressions import Attr, Condition, Expression, Variable
from mdw.model.name import local_of, plain, row_of
from mdw.model.walks import variables_of


class Variables:
    """The variables of one diagram.

    ``doubts`` has by mapping what its rules ask that no value set and no atom can tell. ``unsought`` are joined rows
    that, seen from some source, are there without being looked for by a key, as a cross join has them: a key by which
    they are found seen from another source need not find any there.
    """

    def __init__(self, universe: Universe, diagram: Diagram, existing: Existing | None = None) -> None:
        self.universe = universe
        self.diagram = diagram
        self.existing = existing or Anything()
        self.doubts: dict[str, dict[str, None]] = {}
        self.unsought: set[JoinedRow] = set()
        self._regions: dict[int, Regions] = {}
        self.terms = Terms(diagram, self._regions.__getitem__)
        self._rows: dict[str, Variable] = {}
        self._variables: dict[int, Variable] = {}
        self._joined_rows: dict[int, frozenset[JoinedRow]] = {}
        self._locals: dict[int, frozenset[str]] = {}

    def copied(self) -> Variables:
        """The same variables in a diagram of their own, to which others may be added."""
        found = Variables(self.universe, self.diagram.emptied(), self.existing)
        found._regions.update(self._regions)
        found._rows.update(self._rows)
        found.unsought |= self.unsought
        return found

    def row(self, attribute: str) -> Variable:
        """The variable of an attribute in the row a condition speaks of."""
        found = self._rows.get(attribute)
        if found is None:
            own = plain(attribute)
            label = Own(local_of(own), self.universe.number(own))
            found = self._rows[attribute] = self._named(label, own)
        return found

    def partner(self, mapping: str, attribute: str) -> Variable:
        """The variable of an attribute of a row that a mapping joins."""
        return self._named(Partner(mapping, attribute), plain(attribute))

    def finding(self, mapping: str, row: str, pairs: Iterable[tuple[Expression, str]]) -> int:
        """The variable that says whether a mapping finds a row by these keys."""
        return self.diagram.variable(Joined(mapping, row, tuple(pairs)), UNKNOWN | YES)

    def label(self, variable_: int) -> Hashable:
        """What a variable stands for."""
        return self.diagram.labels[variable_]

    def condition(self, condition: Condition) -> int:
        """The condition on the row of one entity, as a node: where it is true."""
        true, _ = self.terms.read(condition, self._own)
        self.doubt("")
        return true

    def left_of(self, condition: int, gone: Callable[[int], bool]) -> int:
        """The condition without some variables: what their comparisons with others say of those is kept.

        ``A < J.N AND J.N = 1`` without J.N asks that A is below 1, where 1 is a constant of A's class too.
        """
        # First all that comparisons tell is added, then the variables go, with the comparisons that speak of them.
        for number in sorted(filter(gone, self.diagram.support(condition))):
            condition = self.diagram.both(condition, told(self.diagram, number, self.regions))
        return self.diagram.exists(condition, gone)

    def doubt(self, mapping: str, *texts: str) -> None:
        """Note what could not be told of rows of a mapping ("" for the question): the texts, and what reading left."""
        met = {**dict.fromkeys(texts), **self.terms.doubts}
        if met:
            self.doubts.setdefault(mapping, {}).update(met)
            self.terms.doubts.clear()

    def exists(self, entity: str, value_of: Callable[[str], Value], off: frozenset[Part] = NOTHING_OFF) -> int:
        """That a row of the entity with these values, by the attributes' own names, is one that can exist (rule Q10).

        ``off``: parts of rules that do not count.
        """
        # Of no box at all there is no row: what joins the entity passes nothing.
        held = self.existing.rows(entity, off)
        found = TRUE if held is None else FALSE
        for box in held or ():
            inside = TRUE
            for local, mask in box.items():
                regions = self.universe.regions(f"{entity}.{local}")
                inside = self.diagram.both(inside, self.terms.lies_in(value_of(local), mask, regions))
            found = self.diagram.either(found, inside)
        return found

    def regions(self, variable_: int) -> Regions:
        """The regions of a row or partner variable."""
        return self._regions[variable_]

    def _own(self, symbol: Symbol) -> Value:
        """A value in the row a condition speaks of."""
        return self.row(symbol.name) if isinstance(symbol, Attr) else symbol

    def _named(self, label: Hashable, attribute: str) -> Variable:
        regions = self.universe.regions(attribute)
        found = self.diagram.variable(label, regions.domain)
        self._regions[found] = regions
        return self.variable(found)

    def variable(self, number: int) -> Variable:
        """The variable with this number: always the same object, so that comparing conditions is quick."""
        found = self._variables.get(number)
        if found is None:
            found = self._variables[number] = Variable(number)
        return found

    def locals(self, number: int) -> frozenset[str]:
        """The names of the row's attributes that a variable depends on."""
        found = self._locals.get(number)
        if found is None:
            label = self.label(number)
            mentioned: Iterable[Variable] = ()
            if isinstance(label, Atom):
                mentioned = variables_of(label.condition)
            elif isinstance(label, Joined):
                mentioned = (one for value, _ in label.pairs for one in variables_of(value))
            inner = [label, *(self.label(one.number) for one in mentioned)]
            found = self._locals[number] = frozenset(one.local for one in inner if isinstance(one, Own))
        return found

    def joined_rows(self, number: int) -> frozenset[JoinedRow]:
        """The joined rows that a variable speaks of; none if it speaks of the own row only."""
        found = self._joined_rows.get(number)
        if found is None:
            label = self.label(number)
            if isinstance(label, Partner):
                found = frozenset(((label.mapping, row_of(label.attribute)),))
            elif isinstance(label, Joined):
                found = label.rows | self._of(one for value, _ in label.pairs for one in variables_of(value))
            else:
                found = self._of(variables_of(label.condition)) if isinstance(label, Atom) else frozenset()
            self._joined_rows[number] = found
        return found

    def _of(self, variables: Iterable[Variable]) -> frozenset[JoinedRow]:
        return frozenset().union(*(self.joined_rows(one.number) for one in variables))
