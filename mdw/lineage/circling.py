"""Attributes that are filled only from themselves, or from one another: no mapping gives them a first value."""

from __future__ import annotations

from collections.abc import Container, Iterable

from mdw.lineage.steps.graph import Graph
from mdw.lineage.steps.order import groups
from mdw.model.answers.answer import circle


def circles(graph: Graph, order: Iterable[str], alive: Container[str]) -> tuple[str, ...]:
    """What is to be said of those of some attributes that no end leads to, since their values go round.

    ``SET W = W + 1`` fills W, and rows that mappings make without W have none: lineage by way of it has no end, and an
    answer that leaves it out without a word would hide that it is read.
    """
    names = [name for name in order if name not in alive and name in graph.populations]
    sources = {
        name: sorted({edge.source for edge in graph.incoming[name] if not graph.carries(edge)}) for name in names
    }
    found: list[str] = []
    seen: set[str] = set()
    for name in names:
        if name in seen or not sources[name]:
            continue
        # What was seen before is in no circle with what was not: nothing is gone through twice.
        for group in groups(name, lambda one: [source for source in sources.get(one, ()) if source not in seen]):
            # What such a circle feeds is none itself: its sources are beyond its group.
            if all(sources.get(one) and {*sources[one]} <= {*group} for one in group):
                found.append(circle(sorted(group)))
            seen.update(group)
    return tuple(sorted(found))
