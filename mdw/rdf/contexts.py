"""Semantic contexts: the role that the last node of a resource plays, by where a grammar lets it stand.

Most classes of nodes may stand in one place only: the ontology says the context of all their nodes, and the graphs of
mappings do not say it again (`mdw query --infer` does). What may stand in several is told node by node: the attribute
of an expression may belong to a population, a filter or a join. A context is also the class of all nodes that have it,
below the class of their role: the class of a leaf that is a resource by itself tells both.

region around a resource, its class -> context of its last node, region of its further children
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

from mdw.rdf.folds import FOLDS, unfolded
from mdw.rdf.vocabulary import MDW, context_iri, reference, role_class


class MetaLeaf(Protocol):
    """A place in a grammar, named by a path of roles."""

    @property
    def path(self) -> str: ...

    @property
    def kind(self) -> str: ...


Region: TypeAlias = "Mapping[str, tuple[MetaLeaf, Region]]"
"""Where a node may stand, by its role, and where what is below it may."""
NOWHERE: Region = {}


class LeafGrammar(Protocol):
    """What says where nodes may stand: `mdw.language.metatree.MetaTree`."""

    @property
    def start(self) -> Region: ...


class Standing(NamedTuple):
    """How a resource stands in a region.

    ``context`` is that of the last node if that is a leaf, as it stands in Turtle, empty if the ontology says it;
    ``below`` is the region of the further children.
    """

    context: str
    below: Region


class Contexts:
    """The contexts of one grammar; ``fixed`` has those that all nodes of a class share, by the name of the class."""

    def __init__(self, start: Region) -> None:
        self.start = start
        self._known: dict[tuple[int, str], Standing] = {}
        self.fixed = self._fixed()

    def standing(self, region: Region, kind: str) -> Standing:
        """How a resource of a class, as it stands in Turtle, stands in a region of this grammar."""
        # Regions are compared as objects: this grammar holds them as long as they are asked for.
        key = id(region), kind
        found = self._known.get(key)
        if found is None:
            last, below = _walked(region, *_unfolded(kind))
            said = reference(context_iri(last.path)) if last and kind not in self.fixed else ""
            self._known[key] = found = Standing(said, below)
        return found

    def _fixed(self) -> dict[str, str]:
        regions, pending = {}, [self.start]
        while pending:
            region = pending.pop()
            if id(region) not in regions:
                regions[id(region)] = region
                pending += [inside for _, inside in region.values()]
        every = {role for region in regions.values() for role in region}
        found = {}
        for kind in (*(f"mdw:{name}Node" for name in FOLDS), *map(role_class, sorted(every))):
            roles, holder = _unfolded(kind)
            starts = [region for region in regions.values() if roles[0] in region]
            ends = [last for last, _ in (_walked(region, roles, holder) for region in starts) if last]
            paths = {last.path for last in ends if last.kind == "leaf"}
            if len(paths) == 1 and all(last.kind == "leaf" for last in ends):
                found[kind] = paths.pop()
        return found


@lru_cache(maxsize=8)
def contexts_of(grammar: LeafGrammar) -> Contexts:
    """The contexts of a grammar, made once."""
    return Contexts(grammar.start)


def _unfolded(kind: str) -> tuple[tuple[str | None, ...], int]:
    """The roles of a class as it stands in Turtle."""
    return unfolded(MDW + kind.removeprefix("mdw:") if kind.startswith("mdw:") else kind[1:-1])


def _walked(region: Region, roles: Sequence[str | None], holder: int) -> tuple[MetaLeaf | None, Region]:
    """The place of a resource's last node, and the region of its further children."""
    below, last = region, None
    for number, role in enumerate(roles):
        # No keyword is a role of a grammar.
        last, region = region.get(role, (None, NOWHERE)) if role else (None, NOWHERE)
        if number == holder:
            below = region
    return last, below
