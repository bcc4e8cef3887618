"""The value space of one question: attributes that copies, joins and comparisons connect share one set of regions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from mdw.conditions.cuts import Usage
from mdw.conditions.functions import picked, picks
from mdw.conditions.joined import between, flat, open_parts
from mdw.conditions.kinds import countable
from mdw.conditions.linear import Linear, line_of, solved
from mdw.conditions.patterns import WILDCARD
from mdw.conditions.regions import PATTERNS, Regions
from mdw.lineage.steps.graph import Graph
from mdw.model.collations import bare, collation_of
from mdw.model.expressions import (
    Aggregate,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    Like,
)
from mdw.model.function_names import PICKING
from mdw.model.groups import picking, with_picked
from mdw.model.name import plain
from mdw.model.rules import Clause
from mdw.model.walks import attributes_of, walk

FAR = 4
"""Computations in a row that constants are carried over."""
MANY = 100
"""Constants a class may have in the end if it takes some from what is computed from it."""


class Universe:
    """Classes of attributes and their regions."""

    def __init__(self, graph: Graph, asked: Iterable[Condition]) -> None:
        candidates = graph.candidates
        self._types = candidates.types
        self._parent: dict[str, str] = {}
        self._usage: dict[str, Usage] = {}
        self._regions: dict[str, Regions] = {}
        self._numbers: dict[str, int] = {}
        self._populations = graph.populations
        self._carriers: dict[str, list[str]] = {}
        for driving, target in candidates.carried:
            self._carriers.setdefault(target, []).append(driving)
        self._computed: set[tuple[str, Linear, str]] = set()
        self._picked: list[tuple[str, Call, str]] = []
        self._joined: list[tuple[str, tuple[Expression, ...], str]] = []
        self._pending: list[str] = []
        self._known: set[str] = set()
        # Conditions and joins name the attributes that matter; from these the search goes up to what fills them.
        for condition in chain(asked, candidates.conditions()):
            self._meet(condition)
        for head in candidates.heads.values():
            for join in head.joins:
                for left, right in join.on:
                    self._join(left, right)
                    if join.loose:
                        self._of(left).collations.add("")
        while self._pending:
            self._follow(self._pending.pop())
        self._carry_constants()
        self._carry_texts()
        self._carry_joined()

    def regions(self, attribute: str) -> Regions:
        """The regions of the attribute's class."""
        root = self._find(plain(attribute))
        found = self._regions.get(root)
        if found is None:
            found = self._regions[root] = Regions(self._usage.get(root, Usage()))
        return found

    def type(self, attribute: str) -> str:
        """The type that is told of an attribute, "" if none is."""
        return self._types.get(plain(attribute), "")

    def number(self, attribute: str) -> int:
        """A number for the attribute's class."""
        return self._numbers.setdefault(self._find(attribute), len(self._numbers))

    def knows(self, attribute: str) -> bool:
        """Whether conditions speak of an attribute; of another one the regions are not those of what fills it."""
        return plain(attribute) in self._known

    def known(self) -> list[str]:
        """The attributes conditions speak of, sorted."""
        return sorted(self._known)

    def _meet(self, condition: Condition) -> None:
        """Learn from one condition which attributes and constants meet."""
        for one in walk(condition):
            match one:
                case Compare(op, left, right):
                    self._compare(op, left, right)
                case In(subject, constants):
                    match bare(subject):
                        case Attr(name) | Aggregate(_, Attr(name)):
                            self._of(name).constants.update(constants)
                            self._by(name, subject)
                case Like(subject, pattern) if isinstance(inner := bare(subject), Attr):
                    self._by(inner.name, subject)
                    self._of(inner.name).patterns.add(pattern)
                    # Without a wildcard it is an equality.
                    if not WILDCARD.search(pattern):
                        self._of(inner.name).constants.add(Const("string", pattern))
                case Attr(name):
                    self._of(name)

    def _compare(self, op: str, left: Expression, right: Expression) -> None:
        marked, left, right = left, _of_a_row(bare(left)), _of_a_row(bare(right))
        names = [*attributes_of(left), *attributes_of(right)]
        plain = isinstance(left, (Attr, Const)) and isinstance(right, (Attr, Const))
        for name in names:
            usage = self._of(name)
            # Regions are intervals only where something asks for more or less; else a point for each constant will do.
            usage.ordered |= op not in ("=", "!=")
            if plain:
                self._by(name, marked)
                usage.constants.update(side for side in (left, right) if isinstance(side, Const))
        if isinstance(left, Attr) and isinstance(right, Attr):
            self._join(left.name, right.name)
        # `N + 1 > 5` asks N > 4: with 4 among the constants of N no solver is needed.
        if isinstance(left, Compute) and isinstance(right, Const):
            asked = solved(op, left, right)
            if isinstance(asked, Compare):
                self._compare(asked.op, asked.left, asked.right)

    def _by(self, name: str, compared: Expression) -> None:
        """Note the collation by which the values of an attribute are compared."""
        collation = collation_of(compared)
        if collation is not None:
            self._of(name).collations.add(collation)

    def _computes(self, name: str, expression: Expression) -> None:
        """Note what fills an attribute with something computed, if constants can be carried over it."""
        line = line_of(expression)
        if line is not None and isinstance(line.variable, Attr):
            self._computed.add((name, replace(line, variable=None), plain(line.variable.name)))
        if isinstance(expression, Concat):
            parts = flat(expression.parts)
            match open_parts(parts):
                case (Attr(source),):
                    self._joined.append((name, parts, plain(source)))
        if isinstance(expression, Call) and (found := picked(expression)) and isinstance(found[0], Attr):
            self._picked.append((name, expression, plain(found[0].name)))

    def _carry_texts(self) -> None:
        """Give what texts are taken out of the patterns to tell: SUBSTR(P, 1, 2) = "CA" asks P LIKE "CA%"."""
        for name, call, source in self._picked:
            usage, root = self._usage.get(self._find(name), Usage()), self._find(source)
            texts = sorted(constant.text for constant in usage.constants if constant.kind == "string")
            patterns = {pattern for text in texts if (pattern := picks(call, text)) and WILDCARD.search(pattern)}
            known = self._usage.setdefault(root, Usage())
            # More patterns than a class tells apart would take the place of those that rules ask for.
            if len(known.patterns | patterns) <= PATTERNS and all(one.kind == "string" for one in known.constants):
                known.patterns |= patterns

    def _carry_joined(self) -> None:
        """Give what texts are put together from the texts that lie between: "EU-" || C = "EU-A" asks C = "A"."""
        for name, parts, source in self._joined:
            texts = [one.text for one in self._usage.get(self._find(name), Usage()).constants if one.kind == "string"]
            asked = {Const("string", rest) for text in texts if (rest := between(parts, text))}
            root = self._find(source)
            known = self._usage.setdefault(root, Usage()).constants
            # Only a class that is known to be of texts: these constants are not to say of which kind it is.
            if {one.kind for one in known} == {"string"} and len(known) + len(asked) <= MANY:
                known |= asked

    def _carry_constants(self) -> None:
        """Give what values are computed from the constants that these are compared with: N / 2 > 5 asks N > 10."""
        # Thousands of mappings may compute alike, between the same two classes.
        lines = {(self._find(name), line, self._find(source)) for name, line, source in self._computed}
        fresh = {name: set(self._numbers_of(name)) for name, _, _ in lines}
        # Around a cycle there is no end to this, and to know fewer constants only leaves more to the solver.
        for _ in range(FAR):
            found: dict[str, set[Const]] = {}
            for name, line, source in lines:
                for constant in fresh.get(name, ()):
                    asked = line.reaches(constant)
                    if asked is not None:
                        found.setdefault(source, set()).add(asked)
            fresh = {root: found[root] for root in found if self._takes(root, len(found[root]))}
            for root, constants in fresh.items():
                self._usage.setdefault(root, Usage()).constants |= constants

    def _numbers_of(self, name: str) -> Iterator[Const]:
        usage = self._usage.get(self._find(name), Usage())
        return (constant for constant in usage.constants if constant.kind == "number" and countable(constant))

    def _takes(self, root: str, count: int) -> bool:
        """Whether a class may take that many constants: not if it is of texts or days, nor too many."""
        known = self._usage.get(root, Usage()).constants
        return all(one.kind in ("number", "null") for one in known) and len(known) + count <= MANY

    def _follow(self, name: str) -> None:
        """Connect a met attribute with what fills it."""
        for population in self._populations.get(name, ()):
            for clause in population.clauses:
                # Who comes by MAX has the value of what it takes in.
                for one in dict.fromkeys((clause.expression, *_taken(clause))):
                    # A copy has the values of what it copies, so constants met on either side must cut both alike.
                    if isinstance(one, Attr):
                        self._take_in(self._find(name), plain(one.name))
                    elif isinstance(one, Const):
                        self._of(name).constants.add(one)
                    # What is computed has other values than its parts: these are known, in classes of their own.
                    else:
                        for part in attributes_of(one):
                            self._of(part)
                        self._computes(name, one)
        # Under the policy "carry" an attribute that nothing fills is a copy too; regions too fine do no harm.
        for driving in self._carriers.get(name, ()):
            self._take_in(self._find(name), driving)

    def _note(self, name: str) -> None:
        if name not in self._known:
            self._known.add(name)
            self._pending.append(name)

    def _of(self, written: str) -> Usage:
        # An attribute has the same values in whatever role its entity is read.
        name = plain(written)
        self._note(name)
        return self._usage.setdefault(self._find(name), Usage())

    def _join(self, a: str, b: str) -> None:
        a = plain(a)
        self._note(a)
        self._take_in(self._find(a), plain(b))

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


def _of_a_row(value: Expression) -> Expression:
    """What is compared of a row where it is compared as MIN or MAX takes it of one."""
    picked = isinstance(value, Aggregate) and value.function in PICKING and isinstance(value.argument, Attr)
    return value.argument if isinstance(value, Aggregate) and picked else value


def _taken(clause: Clause) -> Iterator[Expression]:
    """What a clause gives to those who come by an aggregation that takes the value of one row."""
    for source in clause.sources:
        one = picking(clause.expression, source.name)
        if one is not None:
            yield with_picked(clause.expression, one)
