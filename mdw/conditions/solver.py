"""Z3 behind one door: whether a condition with atoms can hold at all.

What is handed to Z3 says less than the condition where that is all one can know (`mdw.conditions.formulas`), so
whatever Z3 refutes is refuted for every database. Seeds are fixed and effort is counted in ``rlimit`` units, the same
on every machine; "unknown" is never read as "impossible".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal

import z3

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.formulas import Formulas
from mdw.conditions.linear import rounded_in
from mdw.conditions.patterns import fitting
from mdw.conditions.regions import Regions
from mdw.conditions.values import NOTHING, Symbol, Value, evaluate
from mdw.model.expressions import Call, Concat, Condition, Const, Expression, Like, Variable
from mdw.model.walks import variables_of, walk

Verdict = Literal["possible", "contradictory", "undecided"]
RLIMIT = 2_000_000
"""Effort of one check in Z3's own units, which do not depend on the machine as seconds do."""
TOLD = ("COALESCE", "ABS")
"""Functions that Z3 is told all about."""


def answers(script: str) -> list[str]:
    """What Z3 answers to a script of SMT-LIB, a line for each question: "sat", "unsat", "unknown" or an error.

    >>> answers("(declare-const a Bool) (assert (and a (not a))) (check-sat)")
    ['unsat']
    """
    context = z3.Context()
    try:
        said: str = z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :rlimit {RLIMIT})\n{script}")
    except z3.Z3Exception as error:
        # It answers with an error where a script states another answer than it finds.
        said = error.value.decode()
    return said.splitlines()


def _is_opaque(label: Hashable) -> bool:
    """Whether a variable stands for something that databases know and Z3 does not."""
    return _calls(label) or (isinstance(label, Atom) and any(rounded_in(label.condition)))


def _calls(label: Hashable) -> bool:
    """Whether a variable stands for something with functions of which Z3 knows no more."""
    parts = walk(label.condition) if isinstance(label, Atom) else ()
    return any(isinstance(one, (Concat, Like)) or (isinstance(one, Call) and one.function not in TOLD) for one in parts)


def _is_made_of(condition: Condition, given: Mapping[int, Const | Fraction | None]) -> bool:
    """Whether the constants given for variables tell all that functions in a condition give."""
    known = {number: value for number, value in given.items() if isinstance(value, Const)}

    def lookup(symbol: Symbol) -> Value:
        return known.get(symbol.number) if isinstance(symbol, Variable) else None

    parts: list[Expression] = [one for one in walk(condition) if isinstance(one, (Concat, Call))]
    for one in rounded_in(condition):
        # Of other quotients `Formulas` says less.
        if one.left != one.right and not (isinstance(one.left, Variable) and isinstance(one.right, Const)):
            return False
        parts.append(one)
    return len(known) == len(given) and all(isinstance(evaluate(one, lookup), Const) for one in parts)


class Solver:
    """Decides conditions of one diagram, each once; ``rlimit`` is the effort of one check in Z3's own units.

    ``consulted`` is set when a condition is met that only Z3 could decide; who wants to know clears it before.
    """

    def __init__(self, diagram: Diagram, regions_of: Callable[[int], Regions], *, rlimit: int = RLIMIT) -> None:
        self._diagram = diagram
        self._regions_of = regions_of
        self._rlimit = rlimit
        self._verdicts: dict[int, Verdict] = {FALSE: "contradictory", TRUE: "possible"}
        self._refuted: dict[int, bool] = {}
        self._by_z3: set[int] = set()
        self.consulted = False

    def of(self, diagram: Diagram, regions_of: Callable[[int], Regions]) -> Solver:
        """A solver of another diagram with the same effort."""
        return Solver(diagram, regions_of, rlimit=self._rlimit)

    def check(self, node: int) -> Verdict:
        """Whether some values satisfy the condition; "undecided" where the effort did not do."""
        found = self._verdicts.get(node)
        if found is None:
            found = self._verdicts[node] = self._decide(node)
        self.consulted |= node in self._by_z3
        return found

    def refutes(self, node: int) -> bool:
        """Whether it is known that no values satisfy the condition; that some do is not made sure of, as `check` does.

        >>> Solver(Diagram(limit=10), lambda _: None).refutes(FALSE)
        True
        """
        known = self._verdicts.get(node)
        if known is not None:
            return known == "contradictory"
        found = self._refuted.get(node)
        if found is None:
            related = self._related(node)
            if related != node:
                found = self.refutes(related)
            elif self._plain(node):
                found = False
            else:
                found = self._asked(node).check() == z3.unsat
                self._started[0].pop()
            self._refuted[node] = found
        return found

    # A context of Z3 costs 5 ms, as much as a small question in all, and few questions need one.
    @cached_property
    def _started(self) -> tuple[z3.Solver, Formulas]:
        context = z3.Context()
        solver = z3.SimpleSolver(ctx=context)
        solver.set("random_seed", 0)
        solver.set("rlimit", self._rlimit)
        return solver, Formulas(self._diagram, self._regions_of, context)

    def rest(self) -> None:
        """Give the context of Z3 back; it is made anew when it is needed. What was decided stays."""
        # Answers are kept and each has a solver; contexts take memory, and the more there are the longer one takes.
        self.__dict__.pop("_started", None)

    def _decide(self, node: int) -> Verdict:
        # Most conditions have no atoms, or can do without: then the diagram has decided already.
        whole, node = node, self._related(node)
        if node <= TRUE or self._plain(node):
            return "contradictory" if node == FALSE else "possible"
        self._by_z3 |= {whole, node}
        found = self._verdicts.get(node)
        if found is not None:
            return found
        # One solver for all conditions: what is said between push and pop is forgotten, what it learned stays.
        solver = self._asked(node)
        answer = solver.check()
        # Refuted is refuted: Z3 was told less than is true. That it found values is proof only where functions, which
        # it took for free, give just these values.
        told = answer == z3.sat and self._told_by(node, solver)
        solver.pop()
        sure = told or (answer == z3.sat and not self._opaque(node))
        found = self._verdicts[node] = "contradictory" if answer == z3.unsat else "possible" if sure else "undecided"
        return found

    def _told_by(self, node: int, solver: z3.Solver) -> bool:
        """Whether values that were found are proof."""
        if not any(map(_is_opaque, map(self._diagram.labels.__getitem__, self._diagram.support(node)))):
            return True
        return (
            self._told(node, solver.model()) or self._told_of_constants(node, solver) or self._unrounded(node, solver)
        )

    def _unrounded(self, node: int, solver: z3.Solver) -> bool:
        """Whether it holds for some values as quotients should be, where nothing else is open."""
        labels = [self._diagram.labels[one] for one in self._diagram.support(node)]
        if any(map(_calls, labels)):
            return False
        solver.push()
        solver.add(*self._exactly(node))
        found = solver.check() == z3.sat
        solver.pop()
        return bool(found)

    def _exactly(self, node: int) -> list[z3.BoolRef]:
        formulas, labels = self._started[1], map(self._diagram.labels.__getitem__, self._diagram.support(node))
        asked = [label.condition for label in labels if isinstance(label, Atom)]
        return [formulas.reals.unrounded(one) for condition in asked for one in rounded_in(condition)]

    def _told_of_constants(self, node: int, solver: z3.Solver) -> bool:
        """Whether the constants that rules mention will do: of these it is known what functions give.

        The values that Z3 found first depend on what it was asked before, and say nothing where they are others.
        """
        formulas = self._started[1]
        labels = map(self._diagram.labels.__getitem__, self._diagram.support(node))
        opaque = [label for label in labels if isinstance(label, Atom) and _is_opaque(label)]
        names = {one.number for label in opaque for one in variables_of(label.condition)}
        solver.push()
        solver.add(*map(formulas.mentioned, sorted(names)))
        found = bool(names) and solver.check() == z3.sat and self._told(node, solver.model())
        solver.pop()
        return found

    def _told(self, node: int, model: z3.ModelRef) -> bool:
        """Whether all that is opaque is made of constants in the model, so that it is known what it gives."""
        line = self._started[1].line
        for label in map(self._diagram.labels.__getitem__, self._diagram.support(node)):
            if isinstance(label, Atom) and _is_opaque(label):
                given = {one.number: line.read(one.number, model) for one in variables_of(label.condition)}
                if not _is_made_of(label.condition, given) or not self._fits(label.condition, given, model):
                    return False
        return True

    def _fits(self, condition: Condition, given: Mapping[int, Const | Fraction | None], model: z3.ModelRef) -> bool:
        """Whether a value of a model is LIKE a pattern just where the model says so."""
        if not isinstance(condition, Like) or not isinstance(condition.subject, Variable):
            return True
        value = given[condition.subject.number]
        if value == NOTHING:
            return True
        said = z3.is_true(model.eval(self._started[1].reals.like(condition), model_completion=True))
        return isinstance(value, Const) and fitting(condition.pattern, value) == said

    def _opaque(self, node: int) -> bool:
        """Whether the condition can hold only if functions of which Z3 knows no more give fitting values."""
        diagram = self._diagram
        open_ = {one for one in diagram.support(node) if _is_opaque(diagram.labels[one])}
        if not open_:
            return False
        # What holds whatever the functions give: not for some of their values that it fails. `UPPER(A) = "X" OR B = 1`
        # is possible for sure, by B = 1.
        sure = diagram.negate(diagram.exists(diagram.negate(node), lambda one: one in open_))
        return self.check(sure) != "possible"

    def example(self, node: int) -> dict[int, Const | Fraction] | None:
        """Values of the variables of atoms with which the condition holds; None where none was found.

        A text that nobody mentions comes as its place among all texts: who asks knows which texts there may be. So
        does what is of no kind that is known. Positive whole numbers and days since 2000 come first.
        """
        # A solver of its own: the values must not depend on what was asked before.
        fresh = self.of(self._diagram, self._regions_of)
        fresh._started[1].reals.exactly = True
        solver, line = fresh._asked(node), fresh._started[1].line
        variables = self._told_of(node)
        whole = [z3.IsInt(line.value(one)) for one in variables]
        plain = [line.plain(one) for one in variables]
        for wishes in ([*plain, *whole], plain, []):
            # Few units of effort for what is only a wish.
            solver.set("rlimit", self._rlimit // 10 if wishes else self._rlimit)
            solver.push()
            solver.add(*wishes)
            if solver.check() == z3.sat:
                model = solver.model()
                found = {one: value for one in variables if (value := line.read(one, model)) is not None}
                if len(found) == len(variables):
                    return found
            solver.pop()
        return None

    def _asked(self, node: int) -> z3.Solver:
        """The solver with the condition said to it, after a push."""
        solver, formulas = self._started
        said = formulas.formula(node)
        facts = [fact for variable in self._diagram.support(node) for fact in formulas.facts(variable)]
        # The order of texts holds for whatever is asked: of thousands it is told once.
        solver.add(*formulas.line.order())
        solver.push()
        solver.add(said, *facts)
        return solver

    def _told_of(self, node: int) -> list[int]:
        """The variables that a condition and the atoms in it speak of."""
        atoms, inside = self._compared(node)
        return sorted(inside | (self._diagram.support(node) - atoms))

    def _compared(self, node: int) -> tuple[set[int], set[int]]:
        """The atoms of a condition, and the variables in them."""
        labels = {one: self._diagram.labels[one] for one in self._diagram.support(node)}
        atoms = {one: label.condition for one, label in labels.items() if isinstance(label, Atom)}
        return {*atoms}, {one.number for condition in atoms.values() for one in variables_of(condition)}

    def _related(self, node: int) -> int:
        """What the condition asks of atoms and the variables in them; others are free to take a fitting value."""
        atoms, inside = self._compared(node)
        related = atoms | inside
        return self._diagram.exists(node, lambda v: v not in related)

    def _plain(self, node: int) -> bool:
        """Whether some way through the diagram needs no atom."""
        # Value sets of different variables never contradict each other, so such a way alone is proof enough. Each node
        # is looked at once: of ways through them there may be very many.
        pending, seen = [node], {node}
        while pending:
            at = pending.pop()
            if at == TRUE:
                return True
            if at == FALSE:
                continue
            variable, edges = self._diagram.edges(at)
            if not isinstance(self._diagram.labels[variable], Atom):
                fresh = {child for child, _ in edges} - seen
                seen |= fresh
                pending += fresh
        return False
