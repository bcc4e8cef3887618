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
nodes once at most; the number of nodes is what may explode, so it has a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from mdw.model.errors import TooLargeError

FALSE = 0
TRUE = 1
SHIFT = 32
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
        self._unique: dict[tuple[int, Fan], int] = {}
        self._ands: dict[int, int] = {}
        self._ors: dict[int, int] = {}
        self._nots: dict[int, int] = {FALSE: TRUE, TRUE: FALSE}
        self._supports: dict[int, frozenset[int]] = {FALSE: frozenset(), TRUE: frozenset()}

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
        """Nodes made so far."""
        return len(self._nodes)

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

    def negate(self, a: int) -> int:
        """NOT, two-valued: everything the condition does not let through."""
        found = self._nots.get(a)
        if found is not None:
            return found
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
        found = self._supports.get(a)
        if found is None:
            variable, edges = self._nodes[a]
            found = frozenset((variable,)).union(*(self.support(child) for child, _ in edges))
            self._supports[a] = found
        return found

    def exists(self, a: int, gone: Callable[[int], bool]) -> int:
        """Forget variables: what remains holds where some values of the ``gone`` ones make the condition true.

        Of ``REGION = "EU" AND TYPE = 1`` without TYPE remains ``REGION = "EU"``; of the OR of the two, TRUE.
        """
        if not any(gone(variable) for variable in self.support(a)):
            return a
        return self._exists(a, gone, {FALSE: FALSE, TRUE: TRUE})

    def _exists(self, node: int, gone: Callable[[int], bool], memo: dict[int, int]) -> int:
        found = memo.get(node)
        if found is None:
            variable, edges = self._nodes[node]
            found, free = FALSE, gone(variable)
            for child, mask in edges:
                below = self._exists(child, gone, memo)
                found = self.either(found, below if free else self.both(self.allow(variable, mask), below))
            memo[node] = found
        return found

    def replace(self, a: int, value_in: Callable[[int, int], int]) -> int:
        """Put values for variables: ``value_in(variable, mask)`` is the condition that its value lies in the set."""
        return self._replace(a, value_in, {FALSE: FALSE, TRUE: TRUE})

    def _replace(self, node: int, value_in: Callable[[int, int], int], memo: dict[int, int]) -> int:
        found = memo.get(node)
        if found is None:
            variable, edges = self._nodes[node]
            found = FALSE
            for child, mask in edges:
                below = self._replace(child, value_in, memo)
                if below:
                    found = self.either(found, self.both(value_in(variable, mask), below))
            memo[node] = found
        return found

    def boxes(self, a: int) -> Iterator[dict[int, int]]:
        """The condition as disjoint products of value sets, one per way through the diagram: they may be very many."""
        if a == TRUE:
            yield {}
        elif a != FALSE:
            variable, edges = self._nodes[a]
            for child, mask in edges:
                for box in self.boxes(child):
                    yield {variable: mask, **box}

    def values(self, a: int, variable: int) -> int:
        """The values of a variable with which the condition can hold.

        Of ``REGION = "EU" OR TYPE = 1`` all of REGION; of the AND of the two "EU".
        """
        if a == FALSE:
            return 0
        domain = self.domains[variable]
        found, pending, seen = 0, [a], {a}
        while pending and found != domain:
            tested, edges = self._nodes[pending.pop()]
            if tested > variable:
                # Every node but FALSE holds for some row, and nothing from here on tests the variable.
                return domain
            if tested == variable:
                found |= sum(mask for _, mask in edges)
            else:
                fresh = [child for child, _ in edges if child not in seen]
                seen.update(fresh)
                pending += fresh
        return found

    def hull(self, a: int) -> dict[int, int]:
        """For each variable the values that can occur at all; unrestricted variables are left out."""
        masks = {variable: self.values(a, variable) for variable in sorted(self.support(a))}
        return {variable: mask for variable, mask in masks.items() if mask != self.domains[variable]}

    def _make(self, variable: int, into: dict[int, int]) -> int:
        if not into:
            return FALSE
        into.pop(FALSE, None)
        if len(into) == 1:
            child, mask = next(iter(into.items()))
            # A test that leads to one child whatever the value is no test.
            if mask == self.domains[variable]:
                return child
            if not mask:
                return FALSE
        key = (variable, tuple(sorted(into.items())))
        found = self._unique.get(key)
        if found is None:
            found = len(self._nodes)
            if found > self.limit:
                raise TooLargeError(f"a condition needs more than {self.limit} nodes")
            self._nodes.append(key)
            self._unique[key] = found
        return found
