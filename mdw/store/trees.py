"""Parse trees of the mappings that a store holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mdw.model.errors import QuestionError, did_you_mean, nearest
from mdw.model.tree import Node
from mdw.rdf.nodes import NodeRow, restore
from mdw.rdf.vocabulary import attribute_iri, entity_iri, mapping_iri, name_of, reference
from mdw.store.engine import Store
from mdw.store.queries import first, references

# Trees rebuilt per query: enough to make the query pay, few enough to keep memory flat.
TREES = 200


def trees(
    store: Store, names: Iterable[str] | None = None, *, mentioning: str | None = None
) -> Iterator[tuple[str, Node]]:
    """Mappings' names and parse trees, in order of name: all, the named ones, or those that mention a name.

    ``mentioning`` is the canonical name of an entity or attribute.
    """
    if names is not None:
        iris = [mapping_iri(name) for name in names]
    elif mentioning is not None:
        attribute, entity = (references(iri, [mentioning]) for iri in (attribute_iri, entity_iri))
        iris = first(store.select("mappings/mentioning", attribute=attribute, entity=entity))
    else:
        iris = first(store.select("mappings/names"))
    # By name, so that text and tables come out the same from every store that holds the same.
    iris.sort(key=name_of)
    for start in range(0, len(iris), TREES):
        yield from _restored(store, iris[start : start + TREES])


def tree(store: Store, mapping: str) -> Node:
    """The parse tree of one mapping; QuestionError, with the names most like it, if there is none."""
    for _, found in trees(store, [mapping]):
        return found
    raise _unknown(store, mapping)


def mappings(store: Store, names: Iterable[str]) -> list[str]:
    """The IRIs of mappings; QuestionError, with the names most like it, if there is one the store does not hold."""
    iris = {name: mapping_iri(name) for name in names}
    held = first(store.select("store/digests", mapping=map(reference, iris.values())))
    for name, iri in iris.items():
        if iri not in held:
            raise _unknown(store, name)
    return list(iris.values())


def held(store: Store, iris: Iterable[str]) -> list[str]:
    """Of these graphs, the ones the store has."""
    return list(first(store.select("store/digests", mapping=map(reference, iris))))


def _restored(store: Store, iris: list[str]) -> Iterator[tuple[str, Node]]:
    # Nodes come in no order, those of all mappings mixed: each row says whose child it is (`mdw.rdf.nodes.restore`).
    values = [reference(iri) for iri in iris]
    nodes: defaultdict[str, list[NodeRow]] = defaultdict(list)
    for mapping, *row in store.select("trees/nodes", mapping=values):
        nodes[mapping].append(NodeRow(*row))
    places = {mapping: (places, file) for mapping, file, places in store.select("trees/places", mapping=values)}
    for iri in iris:
        if iri in nodes:
            yield name_of(iri), restore(nodes[iri], *places.get(iri, ()))


def _unknown(store: Store, mapping: str) -> QuestionError:
    close = nearest(mapping, map(name_of, first(store.select("mappings/names"))))
    return QuestionError(f"there is no mapping {mapping}{did_you_mean(close)}", missing=True)
