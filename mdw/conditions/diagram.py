"""A canonical diagram of conditions: equal conditions are the same number.

A multi-valued decision diagram: each node tests one variable, its edges carry disjoint value sets (bit masks over the
variable's regions) and lead to what remains to be tested; what no edge covers is false. Nodes are shared and reduced,
so two conditions over the same variables are equal exactly when their numbers are.

REGION has three values (bits 1, 2, 4), TYPE two. "REGION is 1, or TYPE is 1" is one node that tests REGION: value 1
leads to TRUE, the others to a node that tests TYPE.

>>> diagram = Diagram(limit=100)
>>> region, kind = diagram.variable("REGION", 0b111), diagram.variable("TYPE", 0b11)
>>> one, other = diagram.allow(region, 1), diagram.allow(kind, 1)
>>> diagram.edges(diagram.either(one, other)) == (region, ((TRUE, 0b001), (other, 0b110)))
True
>>> diagram.either(other, one) == diagram.negate(diagram.both(diagram.negate(one), diagram.negate(other)))
True

Every operation is remembered by the nodes it was applied to. AND and OR of two conditions visit each pair of their
nodes once at most; the number of nodes is what may explode, so it has a limit. Conditions over thousands of variables
are gone through from below, for Python's stack holds no thousand calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from mdw.conditions.masks import places_of
from mdw.model.errors import TooLargeError

FALSE = 0
TRUE = 1
SHIFT = 32
DEEP = 300
"""Tests on the longest ways through two nodes from which on their AND and OR are worked out from below.

Each call of AND or OR goes at least one test further down in one of the two: no more than so many are ever nested.
"""
WORD = 60
SPREAD = (1 << 59) - 55
"""A prime: the rests of value sets of many words tell them apart."""
WIDE = 256
"""Edges times words of their value sets that count as one node more: the nodes of large ones share the same room."""
Fan = tuple[tuple[int, int], ...]
"""The edges of a node: pairs of child and value set."""


class Diagram:
    """Variables in a fixed order and the nodes over them."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.domains: list[int] = []
        self.labels: list[Hashable] = []
        self._variables: dict[Hashable, int] = {}
        # FALSE and TRUE take the places 0 and 1; they test nothing.
        self._nodes: list[tuple[int, Fan]] = [(1 << 60, ()), (1 << 60, ())]
        self._unique: dict[Hashable, int] = {}
        self._size = len(self._nodes)
        self._ands: dict[int, int] = {}
        self._ors: dict[int, int] = {}
        self._nots: dict[int, int] = {FALSE: TRUE, TRUE: FALSE}
        # Tests on the longest way from each node.
        self._heights: list[int] = [0, 0]
        self._supports: dict[int, int] = {FALSE: 0, TRUE: 0}
        self._spoken: dict[int, frozenset[int]] = {}

    def emptied(self) -> Diagram:
        """A diagram with the same variables and no nodes."""
        found = Diagram(self.limit)
        found.domains, found.labels, found._variables = [*self.domains], [*self.labels], dict(self._variables)
        return found

    def variable(self, label: Hashable, domain: int) -> int:
        """The number of the variable with this label, made at its first use."""
        found = self._variables.get(label)
        if found is None:
            found = self._variables[label] = len(self.domains)
            self.domains.append(domain)
            self.labels.append(label)
        return found

    def allow(self, variable: int, mask: int) -> int:
        """The condition that the variable's value lies in the value set."""
        mask &= self.domains[variable]
        return self._make(variable, {TRUE: mask}) if mask else FALSE

    def edges(self, node: int) -> tuple[int, Fan]:
        """Variable and (child, value set) pairs of an inner node."""
        return self._nodes[node]

    def size(self) -> int:
        """Nodes made so far; one with very many edges and values counts for several."""
        return self._size

    def full(self) -> bool:
        """Whether there are as many nodes as may be."""
        return self._size > self.limit

    @contextmanager
    def within(self, more: int) -> Iterator[None]:
        """Let only so many more nodes be made meanwhile."""
        limit = self.limit
        self.limit = min(limit, self.size() + more)
        try:
            yield
        finally:
            self.limit = limit

    def both(self, a: int, b: int) -> int:
        """AND: the rows both let through. TooLargeError beyond the limit, as from everything that makes nodes."""
        # In one piece, as `either`: each variable of the longest way takes a frame of Python's stack, not two.
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == FALSE or b == FALSE:
            return FALSE
        # Order does not matter, so both orders share one entry; one integer is a quicker key than a pair.
        if a > b:
            a, b = b, a
        key = a << SHIFT | b
        found = self._ands.get(key)
        if found is not None:
            return found
        if self._heights[a] + self._heights[b] > DEEP:
            self._from_below(self.both, self._ands, a, b)
        (va, ea), (vb, eb) = self._nodes[a], self._nodes[b]
        into: dict[int, int] = {}
        if va == vb:
            for ca, ma in ea:
                for cb, mb in eb:
                    if mask := ma & mb:
                        child = self.both(ca, cb)
                        # Values with the same child share an edge: this makes equal conditions equal nodes.
                        if child:
                            into[child] = into.get(child, 0) | mask
        else:
            # The other condition does not test this variable: it goes whole into every child.
            if vb < va:
                va, ea, b = vb, eb, a
            for ca, ma in ea:
                child = self.both(ca, b)
                if child:
                    into[child] = into.get(child, 0) | ma
        found = self._ands[key] = self._make(va, into)
        return found

    def either(self, a: int, b: int) -> int:
        """OR: the rows at least one lets through."""
        if a == b or b == FALSE:
            return a
        if a == FALSE:
            return b
        if a == TRUE or b == TRUE:
            return TRUE
        if a > b:
            a, b = b, a
        key = a << SHIFT | b
        found = self._ors.get(key)
        if found is not None:
            return found
        if self._heights[a] + self._heights[b] > DEEP:
            self._from_below(self.either, self._ors, a, b)
        (va, ea), (vb, eb) = self._nodes[a], self._nodes[b]
        into: dict[int, int] = {}
        if va == vb:
            # Edges of b lose the values that meet edges of a; on what is left of either the other is false.
            rest_b = [list(edge) for edge in eb]
            for ca, ma in ea:
                left = ma
                for edge in rest_b:
                    if mask := ma & edge[1]:
                        child = self.either(ca, edge[0])
                        into[child] = into.get(child, 0) | mask
                        left &= ~mask
                        edge[1] &= ~mask
                if left:
                    into[ca] = into.get(ca, 0) | left
            for cb, mb in rest_b:
                if mb:
                    into[cb] = into.get(cb, 0) | mb
        else:
            if vb < va:
                va, ea, b = vb, eb, a
            left = self.domains[va]
            for ca, ma in ea:
                child = self.either(ca, b)
                into[child] = into.get(child, 0) | ma
                left &= ~ma
            # On values that no edge of a covers, a is false and b decides.
            if left:
                into[b] = into.get(b, 0) | left
        found = self._ors[key] = self._make(va, into)
        return found

    def deep(self, a: int) -> bool:
        """Whether the longest way through a condition is too long for one call a test."""
        return self._heights[a] > DEEP

    def _from_below(self, operation: Callable[[int, int], int], known: dict[int, int], a: int, b: int) -> None:
        """Work out an operation for all that lies deep below two nodes, so that it needs no deep calls for them."""
        pending = [(a, b)]
        while pending:
            one, other = pending[-1]
            missing = [pair for pair in self._below(one, other) if self._is_deep(*pair, known)]
            if missing:
                pending += missing
                continue
            pending.pop()
            # The first pair is left to who asked.
            if pending:
                operation(one, other)

    def _below(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """The pairs of nodes that an operation on two nodes asks for."""
        (va, ea), (vb, eb) = self._nodes[a], self._nodes[b]
        if va == vb:
            yield from ((ca, cb) for ca, ma in ea for cb, mb in eb if ma & mb)
        else:
            if vb < va:
                ea, b = eb, a
            yield from ((child, b) for child, _ in ea)

    def _is_deep(self, a: int, b: int, known: dict[int, int]) -> bool:
        if a == b or a <= TRUE or b <= TRUE or self._heights[a] + self._heights[b] <= DEEP:
            return False
        return (a << SHIFT | b if a < b else b << SHIFT | a) not in known

    def reached(self, a: int) -> list[int]:
        """The inner nodes of a condition, children before parents."""
        # A condition has far fewer nodes than ways: whatever goes through them once each, goes by this list.
        seen, pending = {a}, [a]
        while pending:
            for child, _ in self._nodes[pending.pop()][1]:
                if child not in seen:
                    seen.add(child)
                    pending.append(child)
        # A node is made after its children, so its number is larger.
        return sorted(seen - {FALSE, TRUE})

    def negate(self, a: int) -> int:
        """NOT, two-valued: everything the condition does not let through."""
        found = self._nots.get(a)
        if found is not None:
            return found
        if self.deep(a):
            for node in self.reached(a):
                if node not in self._nots:
                    self._negate(node)
            return self._nots[a]
        return self._negate(a)

    def _negate(self, a: int) -> int:
        variable, edges = self._nodes[a]
        left = self.domains[variable]
        into: dict[int, int] = {}
        for child, mask in edges:
            left &= ~mask
            other = self.negate(child)
            if other:
                into[other] = into.get(other, 0) | mask
        # What no edge covers was false.
        if left:
            into[TRUE] = into.get(TRUE, 0) | left
        found = self._nots[a] = self._make(variable, into)
        self._nots[found] = a
        return found

    def support(self, a: int) -> frozenset[int]:
        """The variables the condition depends on."""
        found = self._spoken.get(a)
        if found is None:
            found = self._spoken[a] = frozenset(places_of(self._support(a)))
        return found

    def _support(self, a: int) -> int:
        """The variables as bits: a set for each node of a condition over thousands would fill the memory."""
        supports = self._supports
        if a not in supports:
            for node in self.reached(a):
                if node not in supports:
                    variable, edges = self._nodes[node]
                    found = 1 << variable
                    for child, _ in edges:
                        found |= supports[child]
                    supports[node] = found
        return supports[a]

    def exists(self, a: int, gone: Callable[[int], bool]) -> int:
        """Forget variables: what remains holds where some values of the ``gone`` ones make the condition true.

        Of ``REGION = "EU" AND TYPE = 1`` without TYPE remains ``REGION = "EU"``; of the OR of the two, TRUE.
        """
        if not any(gone(variable) for variable in self.support(a)):
            return a
        memo = {FALSE: FALSE, TRUE: TRUE}
        for node in self.reached(a):
            variable, edges = self._nodes[node]
            if gone(variable):
                found = FALSE
                for child, _ in edges:
                    found = self.either(found, memo[child])
            else:
                # What is left below tests later variables only, so the order stands and nothing is put together anew.
                into: dict[int, int] = {}
                for child, mask in edges:
                    below = memo[child]
                    into[below] = into.get(below, 0) | mask
                found = self._make(variable, into)
            memo[node] = found
        return memo[a]

    def replace(self, a: int, value_in: Callable[[int, int], int]) -> int:
        """Put values for variables: ``value_in(variable, mask)`` is the condition that its value lies in the set."""
        return self._mapped(a, value_in)

    def _mapped(self, a: int, value_in: Callable[[int, int], int]) -> int:
        # What is put in may test any variables, earlier ones too, so nodes are not copied: AND and OR put it all in
        # order again. Without order the diagram would not be canonical.
        memo = {FALSE: FALSE, TRUE: TRUE}
        for node in self.reached(a):
            variable, edges = self._nodes[node]
            found = FALSE
            for child, mask in edges:
                below = memo[child]
                if below:
                    found = self.either(found, self.both(value_in(variable, mask), below))
            memo[node] = found
        return memo[a]

    def _make(self, variable: int, into: dict[int, int]) -> int:
        if not into:
            return FALSE
        into.pop(FALSE, None)
        if len(into) == 1:
            child, mask = next(iter(into.items()))
            # A test that leads to one child whatever the value is no test: with it one condition had several nodes.
            if mask == self.domains[variable]:
                return child
            if not mask:
                return FALSE
        key = (variable, tuple(sorted(into.items())))
        wide = self.domains[variable].bit_length() > WORD
        # Python hashes 1 << n alike for every 61st n: of thousands of constants all would be looked through.
        same = (key, *(mask % SPREAD for mask in into.values())) if wide else key
        found = self._unique.get(same)
        if found is None:
            found = len(self._nodes)
            if self._size > self.limit:
                raise TooLargeError(f"a condition needs more than {self.limit} nodes")
            self._nodes.append(key)
            self._size += 1 + len(into) * (self.domains[variable].bit_length() // WORD) // WIDE
            heights = self._heights
            heights.append(1 + max(map(heights.__getitem__, into)))
            self._unique[same] = found
        return found
