"""A search for a way to an end, from state to state, in which nothing is looked at twice.

Three places in a row, the last of them an end, and a fourth that leads nowhere:

>>> following = {"a": [(1, "d"), (2, "b")], "b": [(3, "c")], "c": [], "d": []}
>>> seeking = Seeking(lambda state: iter(following[state]), lambda state: state == "c", effort=10)
>>> seeking.look("a"), seeking.look("d"), sorted(seeking.passed)
(True, False, [2, 3])
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)


@dataclass
class Seeking(Generic[State]):
    """Looks depth first for ways to states that are ends; most states lead to one, and the first way tells.

    ``following`` gives the steps from a state by number, each with the state it leads to; ``effort`` is the number of
    states looked at for one answer. At ``stops`` a way is not followed further, and none left so proves nothing.
    ``passed`` gathers the steps of the ways found.
    """

    following: Callable[[State], Iterator[tuple[int, State]]]
    ends: Callable[[State], bool]
    effort: int
    stops: Callable[[State], bool] = lambda _: False
    passed: set[int] = field(default_factory=set)
    _known: dict[State, bool] = field(default_factory=dict)

    def look(self, start: State) -> bool | None:
        """Whether some way leads from the state to an end; None if the effort did not do."""
        if self.ends(start):
            return True
        if start in self._known:
            return self._known[start]
        tried: dict[State, None] = {start: None}
        stopped = False
        states, steps = [start], [self.following(start)]
        way: list[int] = []
        while steps:
            step = next(steps[-1], None)
            if step is None:
                steps.pop()
                states.pop()
                del way[-1:]
                continue
            number, state = step
            if self.ends(state) or self._known.get(state):
                # Only of the states on the way is it known: others tried may still lead to an end by way of these.
                self._known.update(dict.fromkeys(states, True))
                self.passed.update(way, (number,))
                return True
            if state in tried or state in self._known:
                continue
            if len(tried) >= self.effort:
                return None
            tried[state] = None
            if self.stops(state):
                stopped = True
                continue
            states.append(state)
            way.append(number)
            steps.append(self.following(state))
        if stopped:
            return None
        # All that the start leads to was looked at, and none of it is an end.
        self._known.update(dict.fromkeys(tried, False))
        return False
