"""Functions that are views with parameters -> which of their columns are made of which arguments (rule Q37).

CREATE FUNCTION f(k INT) RETURNS TABLE (id INT, v INT) ... SELECT s.id, s.v * k FROM s
FROM f(r.w)      ID is F's alone, V is made of R.W too; where K stands in tests it decides at most

The function is read once more, with arguments that nobody knows, and what that makes is put away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mdw.model.name import canonical
from mdw.model.query import ALL
from mdw.model.tree import Node
from mdw.readers.sql.building import Building
from mdw.readers.sql.programs.program import BeginEnd, Jump, Routine, Step

Used = Mapping[str, frozenset[int]]
"""The arguments, from 0, that are in each column of what a function gives."""


def is_view(routine: Routine) -> bool:
    """Whether a function is one query, with arguments."""
    steps: Sequence[Step] = routine.body or ()
    while len(steps) == 1 and isinstance(steps[0], BeginEnd) and not steps[0].handlers:
        steps = steps[0].body
    given = [one for one in steps if not (isinstance(one, Jump) and one.kind == "return" and one.value is None)]
    only = given[0] if len(given) == 1 else None
    return isinstance(only, Jump) and only.query and not only.dynamic


def used_arguments(entity: str, names: Sequence[str], blocks: Iterable[Building]) -> Used | None:
    """Which arguments are in the columns of an entity that blocks fill; None if nobody can tell of all of them."""
    called = {key: place for place, name in enumerate(names) for key in (_key(name), _key(str(place + 1)))}
    into: dict[str, list[Building]] = {}
    for block in blocks:
        into.setdefault(block.target, []).append(block)
    found = _Uses(called, into)
    if any(block.stars for block in into.get(entity, ())) or entity not in into:
        return None
    columns = {one.name for block in into[entity] for one in block.outputs}
    used = {name: found.of(entity, name) for name in columns}
    return None if found.lost else {name: frozenset(some) for name, some in used.items()}


class _Uses:
    """Arguments in columns of inner entities, each worked out once."""

    def __init__(self, called: Mapping[str, int], into: Mapping[str, Sequence[Building]]) -> None:
        self._called, self._into = called, into
        self._known: dict[tuple[str, str], set[int]] = {}
        # Whether a star was met of which nobody knows what it stands for.
        self.lost = False

    def of(self, entity: str, name: str) -> set[int]:
        known = self._known.get((entity, name))
        if known is None:
            known = self._known[entity, name] = set()
            for block in self._into.get(entity, ()):
                self.lost = self.lost or name == ALL or (bool(block.stars) and name not in block.named)
                for one in block.outputs:
                    if one.name == name:
                        known |= self._within(one.value, block)
        return known

    def _within(self, value: Node, block: Building) -> set[int]:
        found: set[int] = set()
        for node in value.walk():
            if node.role == "parameter":
                found |= {place for key, place in self._called.items() if key == _key(node.content)}
            elif node.role == "attribute":
                row, _, column = canonical(node.content).rpartition(".")
                for read in block.reads:
                    if canonical(block.written(read.role or read.entity)) == row and read.entity in self._into:
                        found |= self.of(read.entity, column)
        return found


def _key(name: str) -> str:
    return name.strip(':@`"').casefold()
