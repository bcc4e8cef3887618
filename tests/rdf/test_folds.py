"""Folds: what only copies is found by itself, and is the fold that going down the nodes would find."""

from __future__ import annotations

import pytest

from mdw.model.tree import Node
from mdw.rdf import folds
from mdw.rdf.folds import fold_of


def populate(source: Node, filled: str = "T.A", **contents: str) -> Node:
    """A POPULATE with one WITH of one value, and with contents where others have none, by role."""
    one = source
    for role in ("computation", "expression", "with"):
        one = Node(role, contents.get(role, ""), (one,))
    return Node("populate", contents.get("populate", ""), (Node("attribute", filled), one))


COPIES = [populate(Node("attribute", "S.X")), populate(Node("attribute", "X"), "attribute")]
OTHERS = [
    populate(Node("value", "1")),
    populate(Node("attribute", "attribute")),
    populate(Node("attribute", "S.X", (Node("value", "1"),))),
    populate(Node("attribute", "S.X"), ""),
    *(populate(Node("attribute", "S.X"), **{role: "x"}) for role in ("populate", "with", "expression", "computation")),
    Node("populate", "", (*COPIES[0].children, Node("with"))),
    Node(
        "populate", "", (COPIES[0].children[0], Node("with", "", (*COPIES[0].children[1].children, Node("condition"))))
    ),
]


@pytest.mark.parametrize("node", [*COPIES, *OTHERS])
def test_a_copy_is_the_fold_that_is_found_node_by_node(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, fills, cast_to, nodes, further = fold_of(node)
    assert (folds._copy(node) is not None) == (node in COPIES)
    monkeypatch.setattr(folds, "_copy", lambda _: None)
    slowly = fold_of(node)
    assert (kind, fills, cast_to, further) == (*slowly[:3], slowly[4])
    assert [id(one) for one in nodes] == [id(one) for one in slowly[3]]
