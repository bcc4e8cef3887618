"""The meta tree is what the grammar says, and nothing else (seed 000, chapter 6.2.1; examples E5 to E8, E21)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from contexts import leaf_contexts
from hypothesis import given, settings
from hypothesis import strategies as st
from places import CASES, TEST_GRAMMARS

from mdw.language.metatree import MetaNode, MetaTree
from mdw.model.errors import InputError, QuestionError
from mdw.model.tree import Node
from mdw.resources import GRAMMARS

FIGURE = TEST_GRAMMARS / "figure_6_2.lark"
LARGER = TEST_GRAMMARS / "larger.lark"
THESIS = TEST_GRAMMARS / "thesis.lark"
FULL = GRAMMARS / "mapping.lark"
WORDS = 'A: "a"\nB: "b"\nC: "c"\n'


def outline(tree: MetaTree) -> str:
    lines: list[str] = []
    depth: dict[int | None, int] = {None: -1}
    for node in tree.nodes:
        depth[node.id] = depth[node.parent] + 1
        recursive = "" if node.identifying else ", recursive"
        lines.append("  " * depth[node.id] + f"{node.id} {node.role} {node.kind}{recursive}\n")
    return "".join(lines)


def tree_of(folder: Path, rules: str, start: str = "mapping") -> MetaTree:
    path = folder / f"{abs(hash(rules))}.lark"
    path.write_text(rules + WORDS)
    return MetaTree.of(path, start)


def shape(tree: MetaTree, id: int = 1) -> str:
    node = tree[id]
    mark = "" if node.identifying else "*"
    inner = " ".join(shape(tree, child) for child in node.children)
    return f"{node.role}{mark}" + (f"({inner})" if inner else "")


def test_e5_figure_has_the_ids_of_the_seed(accept: bool) -> None:
    expected = CASES / "figure-6.2-has-the-ids-of-the-seed" / "expected.txt"
    if accept:
        expected.write_text(outline(MetaTree.of(FIGURE)))
    assert outline(MetaTree.of(FIGURE)) == expected.read_text()


@pytest.mark.parametrize(
    ("role", "kind", "expected"),
    [
        ("navigation", "composition", "navigation(from(entity) to(entity) using(attribute))"),
        ("aggregation", "alternative", "aggregation(sum(attribute) avg(attribute) min(attribute) max(attribute))"),
    ],
)
def test_e6_compositions_and_alternatives(role: str, kind: str, expected: str) -> None:
    tree = MetaTree.of(FIGURE)
    node = tree.resolve(role)
    assert (node.kind, shape(tree, node.id)) == (kind, expected)


@pytest.mark.parametrize(
    ("id", "ancestors"),
    [(14, (10, 9, 7, 2, 1)), (8, (7, 2, 1)), (17, (16, 15, 10, 9, 7, 2, 1)), (29, (28, 26, 9, 7, 2, 1)), (1, ())],
)
def test_e7_identifying_ancestors(id: int, ancestors: tuple[int, ...]) -> None:
    assert MetaTree.of(FIGURE).identifying_ancestors(id) == ancestors


@pytest.mark.parametrize(
    ("a", "b", "common"), [(13, 8, 7), (13, 29, 9), (13, 14, 10), (13, 13, 10), (9, 13, 9), (4, 45, 1)]
)
def test_e12_lowest_common_identifying_ancestor(a: int, b: int, common: int) -> None:
    tree = MetaTree.of(FIGURE)
    assert tree.lcia(a, b) == tree.lcia(b, a) == tree[common]


def test_below_is_the_subtree_in_pre_order() -> None:
    tree = MetaTree.of(FIGURE)
    assert [node.id for node in tree.below(26)] == [26, 27, 28, 29, 30, 31]
    assert [node.id for node in tree.below(8)] == [8]
    assert tree.below(1) == tree.nodes


def test_leaf_for_needs_type_and_identifying_ancestors() -> None:
    tree = MetaTree.of(FIGURE)
    roles = ["mapping", "population", "populate", "with", "expression"]
    assert tree.leaf_for("attribute", roles) == tree[13]
    assert tree.leaf_for("string", roles) == tree[11]
    assert tree.leaf_for("date", roles) is None
    assert tree.leaf_for("with", roles[:3]) is None


def test_a_recursive_root_is_no_identifying_ancestor(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, "mapping: x | mapping mapping\nx: A\n")
    leaf = tree.leaf_for("x", [])
    assert leaf
    assert (leaf.path, tree.identifying_ancestors(leaf.id), tree.lcia(leaf.id, leaf.id)) == ("x", (), None)
    root = Node("mapping", "", (Node("mapping", "", (Node("x"),)), Node("mapping", "", (Node("x"),))))
    assert leaf_contexts(root, tree) == [None, None, "x", None, "x"]


# -- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("8", 8),
        (" populate.attribute ", 8),
        ("population.populate.attribute", 8),
        ("mapping.population.populate.attribute", 8),
        ("with.expression", 10),
        ("expression", 10),
        ("targetEntity", 3),
        ("targetEntity.entity", 4),
        ("filter", 32),
        ("filter.condition", 33),
        ("mapping", 1),
    ],
)
def test_contexts_go_by_id_and_by_the_end_of_a_path(text: str, id: int) -> None:
    assert MetaTree.of(FIGURE).resolve(text).id == id


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("46", "there is no context 46: ids run from 1 to 45"),
        ("0", "there is no context 0: ids run from 1 to 45"),
        (
            "condition",
            "context condition is ambiguous, it may be 26 population.populate.with.condition, 33 filter.condition",
        ),
        ("agregation", "there is no context agregation; did you mean 15 population.populate.with.expression"),
        (
            "filter.attribute",
            "there is no context filter.attribute; did you mean 36 filter.condition.conditioncomp.comparison",
        ),
        ("9" * 5000, "there is no context 9999"),
        ("zzz", "there is no context zzz; roles are aggregation, attribute, avg"),
        ("", "there is no context ; roles are"),
    ],
)
def test_unknown_and_ambiguous_contexts(text: str, message: str) -> None:
    with pytest.raises(QuestionError) as raised:
        MetaTree.of(FIGURE).resolve(text)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize("grammar", [FIGURE, FULL, LARGER])
def test_every_node_is_found_by_id_and_by_path(grammar: Path) -> None:
    tree = MetaTree.of(grammar)
    assert [tree.resolve(str(node.id)) for node in tree.nodes] == list(tree.nodes)
    assert [tree.resolve(node.path) for node in tree.nodes] == list(tree.nodes)


# -- grammars ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("mapping: x x?\nx: A\n", "mapping(x)"),
        ("mapping: y* x\nx: A\ny: B\n", "mapping(y x)"),
        ("mapping: x\nx: y | z\ny: A x?\nz: B\n", "mapping(x*(y* z))"),
        ("mapping: x y\nx: y B | z\ny: x C | w\nz: A\nw: A\n", "mapping(x*(z) y*(w))"),
        ("mapping: x y\nx: z\ny: z\nz: A\n", "mapping(x(z) y(z))"),
        ("mapping: _x\n_x: y _x | z\ny: A\nz: B\n", "mapping(y z)"),
        ("mapping: x\n?x: y | y B x -> w\ny: A\n", "mapping(y w*)"),
        ("mapping: x\n?x: y | y z\ny: A\nz: B\n", "mapping(y x(y z))"),
        ("mapping: x\n?x: y z?\ny: A\nz: B\n", "mapping(x(y z) y)"),
        ('mapping: x\n?x: "(" y ")" | A\ny: B\n', "mapping(y)"),
        ('mapping: x\n!x: A "," y\ny: B\n', "mapping(x(y))"),
        ("mapping: many{y}\nmany{item}: item (B item)*\ny: A\n", "mapping(many(y))"),
        ("mapping: x\nx: mapping | A\n", "mapping*(x*)"),
        ("mapping: A\n", "mapping"),
    ],
)
def test_recursion_dropped_and_equals_merged(rules: str, expected: str, tmp_path: Path) -> None:
    assert shape(tree_of(tmp_path, rules)) == expected


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        ("mapping: x | y\n", "alternative"),
        ("mapping: x y\n", "composition"),
        ("mapping: x | x x\n", "composition"),
        ("mapping: x | y | x y\n", "composition"),
        ("mapping: (x | y)\n", "alternative"),
        ("mapping: (x | y)+\n", "composition"),
        ("mapping: x | y | A mapping B mapping\n", "alternative"),
        ("mapping: A _one\n_one: x | y\n", "alternative"),
        ("mapping: A _two\n_two: x y\n", "composition"),
        ("mapping: A\n", "leaf"),
    ],
)
def test_kinds(rules: str, kind: str, tmp_path: Path) -> None:
    assert tree_of(tmp_path, rules + "x: A\ny: B\n")[1].kind == kind


def test_a_grammar_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read grammar .*nowhere\.lark"):
        MetaTree.of(tmp_path / "nowhere.lark")
    (tmp_path / "broken.lark").write_text("mapping: x\nx: (A\n")
    with pytest.raises(InputError, match=r"broken\.lark.* is no grammar"):
        MetaTree.of(tmp_path / "broken.lark")


def test_a_grammar_is_read_once() -> None:
    assert MetaTree.of(FIGURE) is MetaTree.of(FIGURE)


def test_e21_the_larger_grammar_differs_only_where_it_grew() -> None:
    full, larger = ([line for line in path.read_text().splitlines() if line[:2] != "//"] for path in (THESIS, LARGER))
    assert [line for line in full if line not in larger] == [
        'concatenation: _piece ("||" _piece)+',
        "date: DATE",
        next(line for line in full if line.startswith("DATE.2:")),
    ]
    old, new = MetaTree.of(THESIS), MetaTree.of(LARGER)
    grown = {node.path for node in new.nodes} - {node.path for node in old.nodes}
    assert {path.rpartition(".")[2] for path in grown} >= {"lhs", "rhs", "day", "month", "year"}
    assert {node.kind for node in new.nodes if node.role in ("day", "month", "year")} == {"leaf"}
    assert {node.kind for node in new.nodes if node.role == "date"} == {"composition"}


@pytest.mark.parametrize("role", ["case", "function", "window", "cast", "test", "field", "opaque", "aggregate"])
def test_what_sql_says_is_found_right_below_an_expression(role: str) -> None:
    tree = MetaTree.of(FULL)
    found = tree.resolve(f"with.expression.{role}")
    assert (found.path, found.identifying) == (f"population.populate.with.expression.{role}", False)
    assert tree.resolve("with.expression.computation.attribute") in tree.below(found.id)
    assert tree.resolve("with.condition") not in tree.below(found.id)


# -- laws ----------------------------------------------------------------------------------------------------------


def check(tree: MetaTree) -> None:
    """Ids are pre-order, parents and children agree, and (role, identifying ancestors) is unique."""
    assert [node.id for node in tree.nodes] == list(range(1, len(tree.nodes) + 1))
    assert [node.id for node in preorder(tree, tree[1])] == [node.id for node in tree.nodes]
    assert all(tree[child].parent == node.id for node in tree.nodes for child in node.children)
    assert len({node.path for node in tree.nodes}) == len(tree.nodes)
    keys = {(node.role, tree.identifying_ancestors(node.id)) for node in tree.nodes}
    assert len(keys) == len(tree.nodes)
    assert all(one.id < other.id for one, other in pairwise(tree.nodes))


def preorder(tree: MetaTree, node: MetaNode) -> list[MetaNode]:
    return [node, *(below for child in node.children for below in preorder(tree, tree[child]))]


@pytest.mark.parametrize("grammar", [FIGURE, FULL, LARGER, THESIS])
def test_type_and_identifying_ancestors_are_unique(grammar: Path) -> None:
    check(MetaTree.of(grammar))


SYMBOLS = ("r1", "r2", "r3", "r4", "r5", "leaf1", "leaf2")
bodies = st.lists(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=3), min_size=1, max_size=3)
grammars = st.lists(bodies, min_size=6, max_size=6)


@st.composite
def derivations(draw: st.DrawFn, rules: dict[str, list[list[str]]]) -> Node:
    """A random tree the rules allow; once it is large, what is left open is cut off as leaves of no children."""
    budget = 40

    def grow(role: str) -> Node:
        nonlocal budget
        budget -= 1
        if role not in rules or budget < 0:
            return Node(role)
        return Node(role, "", tuple(grow(child) for child in draw(st.sampled_from(rules[role]))))

    return grow("mapping")


@settings(max_examples=40)
@given(st.data())
def test_any_grammar_gives_every_leaf_one_context(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    names = ["mapping", *SYMBOLS[:5]]
    rules = dict(zip(names, data.draw(grammars), strict=True))
    # A distinct keyword per alternative keeps lark from taking equal alternatives for a mistake.
    lines = [
        f"{name}: " + " | ".join(" ".join([f'"{name}{n}"', *body]) for n, body in enumerate(own))
        for name, own in rules.items()
    ]
    text = "\n".join(lines) + "\nleaf1: A\nleaf2: B\n"
    tree = tree_of(tmp_path_factory.getbasetemp(), text)
    check(tree)
    root = data.draw(derivations(rules))
    recursive = {node.role for node in tree.nodes if not node.identifying}
    compare(tree, root, recursive)


def compare(tree: MetaTree, root: Node, recursive: set[str]) -> None:
    """Every leaf's context is the one meta node of its role below the same identifying roles (definition 5)."""
    found = leaf_contexts(root, tree)
    by_key = {
        (node.role, *(tree[id].role for id in tree.identifying_ancestors(node.id))): node.path for node in tree.nodes
    }
    number = 0

    def visit(node: Node, above: tuple[str, ...]) -> None:
        nonlocal number
        own = found[number]
        number += 1
        if not node.children:
            assert own == by_key[node.role, *above]
        for child in node.children:
            visit(child, above if node.role in recursive else (node.role, *above))

    visit(root, ())
    assert number == len(found)
