"""Conditions of the diagram as people read them: mapping-language text, SQL, example rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from mdw.conditions.atoms import NO, UNKNOWN, Atom
from mdw.conditions.cover import Cover
from mdw.conditions.diagram import TRUE
from mdw.conditions.products import boxes, hull
from mdw.conditions.regions import NULL
from mdw.conditions.solver import Solver
from mdw.conditions.tree import Cube, factored
from mdw.lineage.judge.alike import united
from mdw.lineage.judge.doubts import opaque
from mdw.lineage.judge.example import TRIED, example
from mdw.lineage.judge.naming import Names
from mdw.lineage.judge.partners import about, certain, completed
from mdw.lineage.judge.shape import Shaping
from mdw.lineage.judge.short import shorten
from mdw.lineage.judge.writing import Writing
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Free, Joined, Own
from mdw.model.answers.ends import Readable
from mdw.model.errors import TooLargeError
from mdw.model.expressions import Attr, Call, Compare, Condition, Expression, IsNull, Variable
from mdw.model.function_names import WAY
from mdw.model.functions import speakable
from mdw.model.name import entity_of_row, local_of
from mdw.model.quoting import Quoting
from mdw.model.text import to_text
from mdw.model.walks import variables_of, walk, with_leaves

READABLE = 250
"""Alternatives of a condition that are shown; with more of them nobody reads it, and bounds say more."""
NODES = 100_000
"""Nodes that may be made to show one."""
ROW = "ROW"
"""Stands for any row of which only an attribute's own name is asked."""
TOO_MANY = "the condition has more cases than can be shown"


class Showing:
    """Writes conditions on rows of an entity; each is worked out once."""

    def __init__(self, crossing: Crossing, solver: Solver) -> None:
        self._crossing = crossing
        self._solver = solver
        self._cover = Cover(crossing.diagram, READABLE, self._found)
        self._shaping = Shaping(crossing, solver)
        self._quoting = Quoting(crossing.graph.heads.values())
        self._shown: dict[tuple[int, str], Readable] = {}

    def show(self, node: int, entity: str) -> Readable:
        """The condition on rows of the entity."""
        key = (node, entity)
        found = self._shown.get(key)
        if found is None:
            found = self._shown[key] = self._show(node, entity)
        return found

    def _show(self, node: int, entity: str) -> Readable:
        if node == TRUE:
            return Readable("TRUE", "TRUE")
        # What cannot be named is left out: then the text is weaker than the condition, and not called exact.
        named = self._crossing.diagram.replace(node, self._nameable)
        open_ = tuple(sorted(set(opaque(self._crossing, node))))
        if named == TRUE:
            return Readable("TRUE", "TRUE", open=open_)
        cubes = self._cubes(named)
        if cubes is not None:
            return replace(self.products(cubes, entity), open=open_)
        # Not every row in the box around a condition meets it, so the example is one of the condition itself.
        some = self._some(named)
        around = self.products([hull(self._crossing.diagram, named)], entity, some)
        return replace(around, open=(TOO_MANY, *open_))

    def _some(self, node: int) -> list[Cube]:
        """A few products of a condition that is too large to be shown; none where they are too many themselves."""
        try:
            return completed(self._crossing, node, islice(boxes(self._crossing.diagram, node), TRIED))
        except TooLargeError:
            return []

    def _cubes(self, node: int) -> list[Cube] | None:
        """The condition as products; None where there are too many to be read."""
        diagram = self._crossing.diagram
        try:
            with diagram.within(NODES):
                # What no row can be like may be said or not, whichever is shorter: any condition between these two
                # says the same of rows.
                care = certain(self._crossing, node)
                low, high = diagram.both(node, care), diagram.either(node, diagram.negate(care))
                covering = [dict(cube) for cube in self._cover.cubes(low, high)]
            cubes = completed(self._crossing, node, covering)
        except TooLargeError:
            return None
        return self._shaping.met(cubes) if len(cubes) <= READABLE else None

    def _found(self, variable: int) -> frozenset[int]:
        """The variables of the rows that a join finds."""
        label = self._crossing.label(variable)
        if not isinstance(label, Joined):
            return frozenset()
        return frozenset(about(self._crossing, range(len(self._crossing.diagram.labels)), variable))

    def products(self, cubes: Sequence[Cube], entity: str, examples: Sequence[Cube] | None = None) -> Readable:
        """The OR of products of value sets on rows of the entity; an example of it, or of other products."""
        # In a diagram of its own: what is written must not depend on what was written before.
        variables = self._crossing.copied()
        shaping = Shaping(variables, self._solver.of(variables.diagram, variables.regions))
        cases: list[Cube] = []
        some = united(variables, cubes)
        # Rows that met in a superfluous case only are alike without it.
        while some != cases:
            cases = shaping.cases(some, Writing(Names.telling_apart(variables, entity, some)))
            some = united(variables, cases)
        writing = Writing(Names.telling_apart(variables, entity, cases))
        tree = shaping.smallest(cases, writing)
        text = to_text(writing.condition(tree))
        short = shorten(shaping, writing, tree, cases)
        found = example(variables, shaping.solver, sorted(cases, key=len) if examples is None else examples, entity)
        row, partners = found or ((), ())
        return Readable(
            condition=short.text,
            sql=self._runnable(cubes, entity) or writing.sql(tree),
            whole=text,
            form=short.form,
            cases=len(cases),
            more=short.more,
            common=_common(cases, writing),
            witness=row,
            partners=partners,
        )

    def _nameable(self, variable: int, mask: int) -> int:
        """The condition that a variable lies in a set; if people have no name for it, what can still be said."""
        diagram = self._crossing.diagram
        label = diagram.labels[variable]
        # Of a join by keys that no rule tells nothing can be said, and nothing of an open value.
        if isinstance(label, Free) or (isinstance(label, Joined) and not label.pairs):
            return TRUE
        # Nor that no row is found where the query of what is joined is not the whole story: LIMIT leaves some out.
        if isinstance(label, Joined) and mask == UNKNOWN and not self._told(label):
            return TRUE
        if not isinstance(label, Atom):
            return diagram.allow(variable, mask)
        if any(isinstance(one, Call) and one.function == f":{WAY}" for one in walk(label.condition)):
            return TRUE
        mentioned = [one.number for one in variables_of(label.condition)]
        rest = [one for one in mentioned if not isinstance(diagram.labels[one], Free)]
        if len(rest) == len(mentioned):
            return diagram.allow(variable, mask)
        # `A < x` of an open x still says that A is not NULL, unless UNKNOWN is among what is asked.
        known = mask == NO if isinstance(label.condition, IsNull) else not mask & UNKNOWN
        found = TRUE
        for one in rest if known else ():
            found = diagram.both(found, diagram.allow(one, ~NULL))
        return found

    def _runnable(self, cubes: Sequence[Cube], entity: str) -> str:
        """The SQL of products without what only text can say; "" where SQL can say all: it has no parameters."""
        diagram = self._crossing.diagram
        if all(self._sayable(v, mask) == diagram.allow(v, mask) for cube in cubes for v, mask in cube.items()):
            return ""
        return self.show(diagram.replace(self._shaping.node(cubes), self._sayable), entity).sql

    def _sayable(self, variable: int, mask: int) -> int:
        """The same of a variable that SQL may have no words for."""
        diagram = self._crossing.diagram
        label = diagram.labels[variable]
        if isinstance(label, Joined):
            # A join by a parameter finds a row by its other keys at most; that it finds none they do not tell.
            said = mask & ~UNKNOWN or all(map(self._speakable, (value for value, _ in label.pairs)))
            return diagram.allow(variable, mask) if said else TRUE
        if not isinstance(label, Atom) or self._speakable(label.condition):
            return diagram.allow(variable, mask)
        found = TRUE
        # `A < :X` still says that A is not NULL.
        sides = (label.condition.left, label.condition.right) if isinstance(label.condition, Compare) else ()
        for one in sides if not mask & UNKNOWN else ():
            if isinstance(one, Variable):
                found = diagram.both(found, diagram.allow(one.number, ~NULL))
        return found

    def _speakable(self, item: Expression | Condition) -> bool:
        """Whether SQL has words for something said of variables."""

        def named(leaf: Expression) -> Expression:
            label = self._crossing.label(leaf.number) if isinstance(leaf, Variable) else None
            local = label.local if isinstance(label, Own) else local_of(getattr(label, "attribute", ""))
            return leaf if label is None else Attr(f"{ROW}.{local}")

        return speakable(with_leaves(item, named))

    def _told(self, label: Joined) -> bool:
        return all(self._quoting.tells(entity_of_row(row)) for _, row in label.rows)


def _common(cases: Sequence[Cube], writing: Writing) -> str:
    """The alternatives that ask least: what all rules on the way agree on (seed 6.3.2), for display only."""
    sizes = {len(cube) for cube in cases}
    if len(sizes) < 2:
        return ""
    return to_text(writing.condition(factored([cube for cube in cases if len(cube) == min(sizes)])))
