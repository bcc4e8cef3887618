"""Mapping text to graphs and stores, for the tests of what lies below the warehouse."""

from __future__ import annotations

import io
from collections.abc import Iterator

from mdw import Warehouse
from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.rdf.contexts import contexts_of
from mdw.rdf.graph import MappingGraph, describe
from mdw.readers.inputs import Input
from mdw.readers.reading import Named, read_inputs
from mdw.store.engine import Store


def named(text: str) -> Iterator[Named]:
    """The mappings of a text; an error in it is raised."""
    for item in read_inputs([Input("<text>", text=text)]):
        if not isinstance(item, Named):
            raise item
        yield item


def graphs(text: str) -> Iterator[MappingGraph]:
    """The graphs of a text's mappings."""
    metatree = MetaTree.of(MAPPING_GRAMMAR)
    for one in named(text):
        yield describe(one.tree, one.rules, contexts_of(metatree))


def stored(text: str) -> Store:
    """A store in memory that holds a text's mappings."""
    store = Store()
    store.load(graphs(text))
    return store


def quads(warehouse: Warehouse) -> list[bytes]:
    """Every quad, sorted."""
    target = io.BytesIO()
    warehouse.export("nquads", target)
    return sorted(target.getvalue().splitlines())
