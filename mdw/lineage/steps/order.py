"""The order in which conditions travel: groups of attributes that feed one another, each after what it depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def looped(group: list[str], following: Callable[[str], Iterable[str]]) -> bool:
    """Whether the attributes of a group feed one another, or its only one itself."""
    return len(group) > 1 or group[0] in following(group[0])


def groups(start: str, following: Callable[[str], Iterable[str]]) -> list[list[str]]:
    """Strongly connected groups reachable from ``start``, in topological order with ``start``'s first (Tarjan 1972)."""
    # Without recursion: a way through a warehouse may be longer than Python's stack is deep.
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: dict[str, bool] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    work = [(start, iter(following(start)))]
    index[start] = low[start] = 0
    stack.append(start)
    open_[start] = True
    while work:
        name, rest = work[-1]
        for other in rest:
            if other not in index:
                index[other] = low[other] = len(index)
                stack.append(other)
                open_[other] = True
                work.append((other, iter(following(other))))
                break
            # A closed group is finished: a step into it leads nowhere back.
            if open_[other] and index[other] < low[name]:
                low[name] = index[other]
        else:
            work.pop()
            if work and low[name] < low[work[-1][0]]:
                low[work[-1][0]] = low[name]
            # Nothing from here leads back above it: what was met since then is one group.
            if low[name] == index[name]:
                found.append(_pop(stack, open_, name))
    found.reverse()
    return found


def _pop(stack: list[str], open_: dict[str, bool], name: str) -> list[str]:
    group = []
    while True:
        member = stack.pop()
        open_[member] = False
        group.append(member)
        if member == name:
            return group
