"""A POPULATE that only copies is the tree of six nodes that it stands for, whoever asks."""

from __future__ import annotations

import pickle

import pytest
from generator import Shape, warehouse
from graphs import named
from hypothesis import given
from hypothesis import strategies as st
from texts import AGREEMENT, HOSTILE, WIDE

from mdw.language.checks import check
from mdw.language.chunks import Chunk
from mdw.language.derive import derive
from mdw.language.mapping import MAPPING_GRAMMAR, parser_of
from mdw.language.metatree import MetaTree
from mdw.language.unparse import unparse
from mdw.model.tree import CopyNode, Location, Node
from mdw.rdf.contexts import contexts_of
from mdw.rdf.folds import COPY, fold_of
from mdw.rdf.graph import describe

CONTEXTS = contexts_of(MetaTree.of(MAPPING_GRAMMAR))
COPIES = "POPULATE t.a WITH s.X POPULATE T.`b c` WITH S.y POPULATE T.c WITH s.`y z` POPULATE T.D WITH s.X IF s.k = 1"
WRONG = [
    "WHEN POPULATING T FROM S POPULATE T.A WITH S.X POPULATE T.B WITH R.X POPULATE T.C WITH S.X",
    "WHEN POPULATING T FROM S POPULATE T.A WITH S.X POPULATE t.a WITH S.Y",
    "WHEN POPULATING T FROM S POPULATE U.A WITH S.X POPULATE T.A WITH Q.X + 1",
    "WHEN DELETING T FROM S POPULATE T.A WITH S.X",
]
places = st.none() | st.builds(Location, st.just("f"), st.integers(1, 3), st.integers(1, 3))


def spread(node: Node) -> Node:
    """The same tree with all its nodes there."""
    return Node(node.role, node.content, tuple(map(spread, node.children)), node.location)


def copies(tree: Node) -> int:
    """POPULATEs of a tree that only copy."""
    return sum(isinstance(node, CopyNode) for node in tree.walk())


@pytest.mark.parametrize(
    ("text", "some"),
    [
        (AGREEMENT, 0),
        (WIDE, 0),
        (HOSTILE, 0),
        (f"WHEN POPULATING T FROM S {COPIES}", 3),
        (f"WHEN UPDATING T FROM S {COPIES} SELECT ROWS WHERE s.X = 1", 3),
        *[("".join(warehouse(seed, Shape(width=5, layers=2))), 1) for seed in range(5)],
    ],
)
def test_copies_say_in_the_graph_what_their_six_nodes_say(text: str, some: int) -> None:
    trees = [one.tree for one in named(text)]
    assert trees
    assert sum(map(copies, trees)) >= some
    for one in named(text):
        other = spread(one.tree)
        rules = derive(other, one.name)
        assert (one.tree, hash(one.tree), one.rules) == (other, hash(other), rules)
        assert describe(one.tree, one.rules, CONTEXTS) == describe(other, rules, CONTEXTS)
        assert unparse(one.tree) == unparse(other)
        assert check(one.tree) == check(other) == []


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_with_a_copy_is_what_is_wrong_with_its_nodes(text: str) -> None:
    tree = parser_of(MAPPING_GRAMMAR).tree(Chunk(text), "f", "mapping")
    assert copies(tree)
    found = check(tree)
    assert found
    assert found == check(spread(tree))


@given(st.sampled_from(["T.A", "t.`a b`"]), st.sampled_from(["S.X", "s.x"]), places, places, places)
def test_a_copy_is_its_tree(
    filled: str, source: str, first: Location | None, second: Location | None, third: Location | None
) -> None:
    copy = CopyNode(filled, source, first, second, third)
    other = spread(copy)
    assert copy == other
    assert other == copy
    assert pickle.loads(pickle.dumps(copy)) == copy
    assert [node.location for node in pickle.loads(pickle.dumps(copy)).walk()] == [
        node.location for node in copy.walk()
    ]
    assert copy.children[0] is copy.children[0]
    assert copy.location == min([one for one in (first, second) if one], default=None)
    assert fold_of(copy)[:1] + fold_of(copy)[2:] == fold_of(other)[:1] + fold_of(other)[2:]
    assert [*fold_of(copy).places] == [*fold_of(other).places]
    assert fold_of(copy).kind == COPY


@pytest.mark.parametrize(
    "other",
    [
        CopyNode("T.A", "S.Y", None, None, None),
        CopyNode("T.B", "S.X", None, None, None),
        Node("populate"),
        Node("populate", "x", CopyNode("T.A", "S.X", None, None, None).children),
        Node("with", "", CopyNode("T.A", "S.X", None, None, None).children),
        "POPULATE T.A WITH S.X",
    ],
)
def test_another_tree_is_no_such_copy(other: object) -> None:
    copy = CopyNode("T.A", "S.X", None, None, None)
    assert copy != other
    assert other != copy
