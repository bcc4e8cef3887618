"""The semantic contexts of the nodes of a tree, by its graph and the ontology."""

from __future__ import annotations

import re

from mdw.language.metatree import MetaTree
from mdw.model.rules import Head, Rules
from mdw.model.tree import Node
from mdw.rdf.contexts import contexts_of
from mdw.rdf.folds import unfolded
from mdw.rdf.graph import describe
from mdw.rdf.vocabulary import CONTEXT, MDW, context_iri

NODE = re.compile(r"<urn:mdw:mapping:m/n(\d+)> a (\S+?);mdw:parent (.*)\.", re.MULTILINE)
SAID = re.compile(rf";mdw:context <({CONTEXT}[^>]*)>$")
ALONE = re.compile(rf"<({CONTEXT}[^>]*)>")

CAST_TYPE = "population.populate.with.expression.cast.type"
"""The context of the type that a resource says in ``mdw:castTo``."""


def leaf_contexts(root: Node, metatree: MetaTree) -> list[str | None]:
    """Name path of the context of every leaf, by pre-order; None of nodes that have none."""
    paths = {context_iri(node.path): node.path for node in metatree.nodes}
    contexts = contexts_of(metatree)
    found: list[str | None] = [None for _ in root.walk()]
    for number, kind, said in NODE.findall(describe(root, Rules(Head("m", "T", "D"), ()), contexts).block):
        # A context is that of the last of the nodes that are one resource.
        roles, _ = unfolded(kind.replace("mdw:", MDW, 1).strip("<>") if kind.startswith("mdw:") else kind[1:-1])
        first, own = int(number) - 1, SAID.search(said) or ALONE.fullmatch(kind)
        filling = ";mdw:fills " in said
        assert not own or kind not in contexts.fixed, "what the ontology says is not said again"
        found[first + len(roles) - 1 + filling] = paths[own[1]] if own else contexts.fixed.get(kind)
        if filling:
            found[first + 1] = contexts.fixed.get("mdw:Populate_AttributeNode")
        if ";mdw:castTo " in said:
            found[first + len(roles) + filling] = CAST_TYPE
    return found
