"""Things that need one another -> an order in which each comes after what it needs; circles stay together.

A library that finds circles (scipy, igraph) takes longer to import than most folders take to read.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

Thing = TypeVar("Thing", bound=Hashable)


def in_order(needs: Mapping[Thing, Collection[Thing]]) -> list[list[Thing]]:
    """Groups of things, each after those it needs; what stands in a circle is one group, of more than one thing.

    Needs that are no keys are left out. Where needs do not decide, the order of the keys does.

    >>> in_order({"a": ["b"], "b": ["c", "x"], "c": ["b"], "d": ["d"]})
    [['b', 'c'], ['a'], ['d']]
    """
    search = _Search(needs)
    for one in needs:
        if one not in search.met:
            search.from_(one)
    return search.groups


def in_levels(needs: Mapping[Thing, Collection[Thing]]) -> list[list[list[Thing]]]:
    """The same groups in levels: none of a level needs another one of it, all they need is in those before.

    >>> in_levels({"a": ["b"], "b": ["c", "x"], "c": ["b"], "d": ["d"], "e": ["a", "d"]})
    [[['b', 'c'], ['d']], [['a']], [['e']]]
    """
    levels: list[list[list[Thing]]] = []
    found: dict[Thing, int] = {}
    for group in in_order(needs):
        level = max((found[need] + 1 for one in group for need in needs[one] if need in found), default=0)
        if level == len(levels):
            levels.append([])
        levels[level].append(group)
        found |= dict.fromkeys(group, level)
    return levels


class _Search(Generic[Thing]):
    """Tarjan's search for circles, without recursion: needs may go on for longer than Python's stack.

    ``met`` numbers things as they are met; ``_lowest`` is the first one a thing leads back to, as far as is known;
    ``_open`` are those whose group is not yet complete.
    """

    def __init__(self, needs: Mapping[Thing, Collection[Thing]]) -> None:
        self.met: dict[Thing, int] = {}
        self.groups: list[list[Thing]] = []
        self._needs = needs
        self._lowest: dict[Thing, int] = {}
        self._open: dict[Thing, None] = {}

    def from_(self, start: Thing) -> None:
        """Find the groups of a thing and of all it needs."""
        pending = [(start, self._begun(start))]
        while pending:
            one, rest = pending[-1]
            need = next(rest, None)
            if need is None:
                pending.pop()
                self._ended(one)
                if pending:
                    self._leads(pending[-1][0], self._lowest[one])
            elif need not in self.met:
                pending.append((need, self._begun(need)))
            elif need in self._open:
                self._leads(one, self.met[need])

    def _begun(self, one: Thing) -> Iterator[Thing]:
        self.met[one] = self._lowest[one] = len(self.met)
        self._open[one] = None
        return (need for need in self._needs[one] if need in self._needs)

    def _leads(self, one: Thing, back: int) -> None:
        self._lowest[one] = min(self._lowest[one], back)

    def _ended(self, one: Thing) -> None:
        # It leads back to nothing met before it: all that is still open since then stands in a circle with it.
        if self._lowest[one] == self.met[one]:
            group: list[Thing] = []
            while one in self._open:
                group.append(self._open.popitem()[0])
            self.groups.append(group[::-1])


def circles(needs: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    """The names of each circle, in the order in which one needs the next, from the first in the alphabet.

    >>> circles({"A": ["B", "S"], "B": ["C"], "C": ["A"], "D": ["D"]})
    [('A', 'B', 'C'), ('D',)]
    """
    direct = {name: sorted(set(onward)) for name, onward in needs.items()}
    found = [_around(sorted(group), direct) for group in in_order(direct)]
    return sorted(one for one in found if one)


def _around(group: list[str], needs: Mapping[str, list[str]]) -> tuple[str, ...]:
    """The shortest way through a group back to its first name; () where there is none."""
    first = group[0]
    ways: dict[str, tuple[str, ...]] = {first: (first,)}
    pending = [first]
    for one in pending:
        for onward in needs[one]:
            if onward == first:
                return ways[one]
            if onward in group and onward not in ways:
                ways[onward] = (*ways[one], onward)
                pending.append(onward)
    return ()
