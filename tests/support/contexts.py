"""The semantic contexts that a mapping's graph gives to the nodes of its tree."""

from __future__ import annotations

import re

from mdw.language.metatree import MetaTree
from mdw.model.rules import Head, Rules
from mdw.model.tree import Node
from mdw.rdf.folds import unfolded
from mdw.rdf.graph import describe
from mdw.rdf.vocabulary import CONTEXT, MDW, context_iri

NODE = re.compile(rf"<urn:mdw:mapping:m/n(\d+)> a (\S+);mdw:parent .*;mdw:context <({CONTEXT}[^>]*)>\.", re.MULTILINE)


def leaf_contexts(root: Node, metatree: MetaTree) -> list[str | None]:
    """Name path of the context of every leaf, by pre-order; None of nodes that have none."""
    paths = {context_iri(node.path): node.path for node in metatree.nodes}
    found: list[str | None] = [None for _ in root.walk()]
    for number, kind, iri in NODE.findall(describe(root, Rules(Head("m", "T", "D"), ()), metatree.start).block):
        # A context is that of the last of the nodes that are one resource.
        roles, _ = unfolded(kind.replace("mdw:", MDW).strip("<>"))
        found[int(number) - 1 + len(roles) - 1] = paths[iri]
    return found
