"""The value space of one question: attributes that copies, joins and comparisons connect share one set of regions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from mdw.conditions.cuts import Usage
from mdw.conditions.patterns import WILDCARD
from mdw.conditions.regions import Regions
from mdw.lineage.steps.graph import Graph
from mdw.model.expressions import (
    Attr,
    Compare,
    Condition,
    Const,
    Expression,
    In,
    Like,
    attributes_of,
    walk,
)


class Universe:
    """Classes of attributes and their regions."""

    def __init__(self, graph: Graph, asked: Iterable[Condition]) -> None:
        candidates = graph.candidates
        self._parent: dict[str, str] = {}
        self._usage: dict[str, Usage] = {}
        self._regions: dict[str, Regions] = {}
        self._numbers: dict[str, int] = {}
        self._populations = graph.populations
        self._carriers: dict[str, list[str]] = {}
        for driving, target in candidates.carried:
            self._carriers.setdefault(target, []).append(driving)
        self._pending: list[str] = []
        self._known: set[str] = set()
        # Conditions and joins name the attributes that matter; from these the search goes up to what fills them.
        for condition in chain(asked, candidates.conditions()):
            self._meet(condition)
        for head in candidates.heads.values():
            for join in head.joins:
                for left, right in join.on:
                    self._join(left, right)
        while self._pending:
            self._follow(self._pending.pop())

    def regions(self, attribute: str) -> Regions:
        """The regions of the attribute's class."""
        root = self._find(attribute)
        found = self._regions.get(root)
        if found is None:
            found = self._regions[root] = Regions(self._usage.get(root, Usage()))
        return found

    def number(self, attribute: str) -> int:
        """A number for the attribute's class."""
        return self._numbers.setdefault(self._find(attribute), len(self._numbers))

    def known(self) -> list[str]:
        """The attributes conditions speak of, sorted."""
        return sorted(self._known)

    def _meet(self, condition: Condition) -> None:
        """Learn from one condition which attributes and constants meet."""
        for one in walk(condition):
            match one:
                case Compare(op, left, right):
                    self._compare(op, left, right)
                case In(Attr(name), constants):
                    self._of(name).constants.update(constants)
                case Like(Attr(name), pattern):
                    self._of(name).patterns.add(pattern)
                    # Without a wildcard it is an equality.
                    if not WILDCARD.search(pattern):
                        self._of(name).constants.add(Const("string", pattern))
                case Attr(name):
                    self._of(name)

    def _compare(self, op: str, left: Expression, right: Expression) -> None:
        names = [*attributes_of(left), *attributes_of(right)]
        plain = isinstance(left, (Attr, Const)) and isinstance(right, (Attr, Const))
        for name in names:
            usage = self._of(name)
            usage.ordered |= op not in ("=", "!=")
            if plain:
                usage.constants.update(side for side in (left, right) if isinstance(side, Const))
        if isinstance(left, Attr) and isinstance(right, Attr):
            self._join(left.name, right.name)

    def _follow(self, name: str) -> None:
        """Connect a met attribute with what fills it."""
        for population in self._populations.get(name, ()):
            for clause in population.clauses:
                # A copy has the values of what it copies, so constants met on either side must cut both alike.
                if isinstance(clause.expression, Attr):
                    self._take_in(self._find(name), clause.expression.name)
                elif isinstance(clause.expression, Const):
                    self._of(name).constants.add(clause.expression)
                # What is computed has other values than its parts: these are known, in classes of their own.
                else:
                    for part in attributes_of(clause.expression):
                        self._of(part)
        # Under the policy "carry" an attribute that nothing fills is a copy too; regions too fine do no harm.
        for driving in self._carriers.get(name, ()):
            self._take_in(self._find(name), driving)

    def _note(self, name: str) -> None:
        if name not in self._known:
            self._known.add(name)
            self._pending.append(name)

    def _of(self, name: str) -> Usage:
        self._note(name)
        return self._usage.setdefault(self._find(name), Usage())

    def _join(self, a: str, b: str) -> None:
        self._note(a)
        self._take_in(self._find(a), b)

    def _take_in(self, root: str, name: str) -> None:
        """Make an attribute one of the class of a root."""
        self._note(name)
        other = self._find(name)
        if root != other:
            self._parent[other] = root
            gone = self._usage.pop(other, None)
            if gone is not None:
                self._usage.setdefault(root, Usage()).merge(gone)

    def _find(self, name: str) -> str:
        root = name
        parent = self._parent
        while (above := parent.get(root)) is not None:
            root = above
        # Everything on the way points to the root from now on: finding it stays quick (union-find).
        while name != root:
            parent[name], name = root, parent[name]
        return root
