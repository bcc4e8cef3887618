"""Outlines of clauses in tables: any numbering of a tree gives the tree, and whatever is none is told."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdw.readers.tables.outlines import FEW, Component, NoTree, TreeOutline, outline

Tree = list[tuple[int, "Tree"]]


def components_of(tree: Tree, parent: int = 0) -> list[Component]:
    """The components of a tree whose nodes are numbers, in pre-order."""
    found: list[Component] = []
    for ordinal, (number, below) in enumerate(tree, 1):
        found += [(number, parent, ordinal, f"r{number}"), *components_of(below, number)]
    return found


def drawn(draw: Random, numbers: list[int]) -> Tree:
    """A tree of all numbers."""
    top, rest = numbers[0], numbers[1:]
    children: Tree = []
    while rest:
        size = draw.randint(1, len(rest))
        children += drawn(draw, rest[:size])
        rest = rest[size:]
    return [(top, children)]


@given(st.integers(0, 1 << 32), st.integers(1, FEW + 10))
def test_components_in_any_order_with_any_numbers_make_their_tree(seed: int, size: int) -> None:
    draw = Random(seed)
    tree = drawn(draw, draw.sample(range(1, 1000), size))
    components = components_of(tree)
    draw.shuffle(components)
    found = outline("", tuple(components))
    assert isinstance(found, TreeOutline)
    made: dict[int, tuple[int, Tree]] = {}
    for place, children in found.steps:
        made[place] = components[place][0], [made[child] for child in children]
    assert [made[found.steps[-1][0]]] == tree


def test_leaves_come_in_the_order_of_the_text() -> None:
    tree: Tree = [(1, [(5, [(6, []), (2, [])]), (3, []), (4, [(9, [])])])]
    components = components_of(tree)
    found = outline("", tuple(components))
    assert isinstance(found, TreeOutline)
    assert [components[place][0] for place, children in found.steps if not children] == [6, 2, 3, 9]


@pytest.mark.parametrize(
    ("components", "said"),
    [
        ((), "{clause} is missing"),
        (((1, 0, 1, "a"), (2, 0, 2, "b")), "{clause} has 2 topmost components"),
        (((1, 0, 1, "a"), (1, 1, 1, "b")), "{clause} has two components of the same number"),
        (((1, 0, 1, "a"), (2, 7, 1, "b")), "component 2 of {clause} hangs below component 7, which is not there"),
        (
            ((1, 0, 1, "a"), (2, 3, 1, "b"), (3, 2, 1, "c")),
            "components 2, 3 of {clause} hang below one another in a circle",
        ),
        (
            tuple((one, one - 1, 1, "a") for one in range(1, 202)),
            "{clause} is nested more than 200 levels deep",
        ),
    ],
)
def test_components_that_are_no_tree_are_told(components: tuple[Component, ...], said: str) -> None:
    found = outline("", components)
    assert isinstance(found, NoTree)
    assert found.message == said


def test_an_expression_that_is_an_attribute_is_one_of_the_language() -> None:
    found = outline("expression", ((1, 0, 1, "computation"), (2, 1, 1, "attribute")))
    assert isinstance(found, TreeOutline) and found.known
    assert found.steps == ((1, ()), (0, (1,)))
