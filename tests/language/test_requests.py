"""Requests find what stands in a context, and what belongs to it (seed 000, chapter 6.2; examples E5, E8-E12, E21)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from contexts import leaf_contexts
from hypothesis import given, settings
from hypothesis import strategies as st
from places import CASES, ROOT, TEST_GRAMMARS

from mdw.language.mapping import read
from mdw.language.metatree import MetaTree
from mdw.language.requests import Request, Selection, contexts, match, parameterised, read_request
from mdw.model.answers.results import Match
from mdw.model.errors import QuestionError
from mdw.model.tree import Node
from mdw.resources import GRAMMARS

FIGURE = TEST_GRAMMARS / "figure_6_2.lark"
LARGER = TEST_GRAMMARS / "larger.lark"
FULL = GRAMMARS / "mapping.lark"
REQUESTS = sorted((CASES / "requests").iterdir())
TEXTS = sorted((CASES / "every-leaf-has-one-context").iterdir())
CLOSING = "CUSTOMER_MASTER_DATA.LAST_ACCOUNT_CLOSING_DATE"
E5 = f"""WHEN POPULATING Entity: AGREEMENT FROM Entity: CUSTOMER_MASTER_DATA
POPULATE Attribute: AGREEMENT.ACCOUNT_CLOSE_DT
  WITH {CLOSING} IF {CLOSING} != 01010001
  WITH "DEFAULT MAX"
"""


def tree_of(text: str, grammar: Path) -> Node:
    reading = read(text, "text", grammar=grammar)
    assert not reading.errors
    return reading.trees[0]


def ask(request: str, text: str = E5, grammar: Path = FIGURE) -> tuple[Match, ...]:
    return match(read_request(request), [("m", tree_of(text, grammar))], MetaTree.of(grammar))


# -- examples of the seed ------------------------------------------------------------------------------------------


def test_e5_numbering_of_the_parse_tree() -> None:
    roles = "mapping population targetentity entity drivingentity entity populate attribute with expression computation"
    roles += " attribute condition conditioncomp comparison != attribute date with expression string"
    assert [node.role for node in tree_of(E5, FIGURE).walk()] == roles.split()


def test_e8_parameterised_leaves() -> None:
    requests = [read_request("10, value, 5"), read_request("2, attribute, AGREEMENT.ACCOUNT_CLOSE_DT")]
    found = parameterised(requests, MetaTree.of(FIGURE))
    assert [one.id for one in found] == [14, 8, 13, 17, 19, 21, 23, 25, 29]
    assert [one.content for one in found] == ["5"] + ["AGREEMENT.ACCOUNT_CLOSE_DT"] * 8


def test_e9_contexts_of_e5() -> None:
    metatree = MetaTree.of(FIGURE)
    found = contexts(tree_of(E5, FIGURE), metatree)
    ids = {number: meta.id if meta else None for number, meta in found.items()}
    assert {4: 4, 6: 6, 8: 8, 12: 13, 17: 29, 18: 31, 21: 11}.items() <= ids.items()
    assert {7: 7, 9: 9, 10: 10, 11: 12, 13: 26, 14: 27, 15: 28, 16: None, 19: 9, 20: 10}.items() <= ids.items()
    assert metatree.identifying_ancestors(29) == (28, 26, 9, 7, 2, 1)


def test_e10_candidates_and_answer() -> None:
    assert [one.number for one in ask(f"mapping, attribute, {CLOSING}")] == [12, 17]
    (found,) = ask(f"13, attribute, {CLOSING}")
    assert (found.mapping, found.number, found.role, found.content, found.context) == (
        "m",
        12,
        "attribute",
        CLOSING,
        13,
    )
    assert found.path == "population.populate.with.expression.computation.attribute"
    assert str(found.location) == "text:3:8"


GROWN = {
    'concatenation: _piece ("||" _piece)+': 'concatenation: lhs ("||" rhs)+\nlhs: _piece\nrhs: _piece',
    "date: DATE": 'date: day "." month "." year\nday: TWO\nmonth: TWO\nyear: FOUR',
}
TOKENS = "\nTWO.3: /[0-3][0-9](?=\\.)/\nFOUR.3: /[0-9]{4}/\n"


def test_e21_the_language_grows_and_no_code_changes(tmp_path: Path) -> None:
    lines = [GROWN.get(line, line) for line in FULL.read_text().splitlines() if not line.startswith("DATE.2:")]
    grammar = tmp_path / "grown.lark"
    grammar.write_text("\n".join(lines) + TOKENS)
    text = "WHEN POPULATING T FROM S POPULATE T.A WITH S.A || S.B || F(S.A) IF S.C = 31.12.1999 OR S.C = 01.01.2001"
    expected = {
        "expression.concatenation.lhs, attribute": ["S.A"],
        "expression.concatenation.rhs, attribute": ["S.B", "S.A"],
        "with.condition, year": ["1999", "2001"],
        "with.condition, date, 31.12.1999 : with.condition, month": ["12", "01"],
    }
    assert {request: [one.content for one in ask(request, text, grammar)] for request in expected} == expected


def test_what_stands_in_a_case_is_asked_for() -> None:
    text = "WHEN POPULATING T FROM S POPULATE T.A WITH S.A + CASE WHEN S.B = 1 THEN S.C || UPPER(S.D) END"
    text += " POPULATE T.B WITH S.A"
    expected = {
        "with.expression.case, attribute": ["S.B", "S.C", "S.D"],
        "with.expression.function, attribute": ["S.D"],
        "with.expression.case, value, 1": ["1"],
        "with.expression.case.when, attribute": ["S.B", "S.C", "S.D"],
        "expression.case.when.conditioncomp.comparison, attribute": ["S.B"],
        "with.expression.computation, attribute": ["S.A", "S.B", "S.C", "S.D", "S.A"],
        "with.expression.case, attribute : populate.attribute, attribute": ["T.A"],
        "populate.attribute, attribute, T.A : with.expression.concatenation, attribute": ["S.C", "S.D"],
    }
    asked = {request: [one.content for one in ask(request, text, FULL)] for request in expected}
    assert asked == expected


def test_e12_projection() -> None:
    (found,) = ask("8, attribute, AGREEMENT.ACCOUNT_CLOSE_DT : 10, attribute")
    assert (found.number, found.related) == (12, (8,))


def test_the_same_request_over_many_mappings() -> None:
    trees = [(f"m{n}", tree_of(E5.replace("AGREEMENT", f"T{n % 2}"), FIGURE)) for n in range(4)]
    found = match(read_request("4, entity, T1 : 8, attribute"), trees, MetaTree.of(FIGURE))
    assert [(one.mapping, one.content) for one in found] == [
        ("m1", "T1.ACCOUNT_CLOSE_DT"),
        ("m3", "T1.ACCOUNT_CLOSE_DT"),
    ]


def told(request: str, found: tuple[Match, ...]) -> str:
    lines = [
        f"  {one.number} {one.content} in {one.context} {one.path}"
        + (f", with {' '.join(map(str, one.related))}" if one.related else "")
        for one in found
    ]
    return "\n".join([request, *(lines or ["  nothing"])]) + "\n"


@pytest.mark.parametrize("folder", REQUESTS, ids=lambda folder: folder.name)
def test_requests(folder: Path, accept: bool) -> None:
    grammar = ROOT / (folder / "grammar.txt").read_text().strip()
    text = (folder / "mapping.map").read_text()
    lines = (folder / "requests.txt").read_text().splitlines()
    found = "".join(told(line, ask(line, text, grammar)) for line in lines)
    if accept:
        (folder / "expected.txt").write_text(found)
    assert found == (folder / "expected.txt").read_text()


# -- reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("8, attribute, A.B", Request(Selection("8", "attribute", "A.B"))),
        (" 8 ,attribute,  A.B  ", Request(Selection("8", "attribute", "A.B"))),
        ("8, attribute", Request(Selection("8", "attribute"))),
        ("8, attribute, *", Request(Selection("8", "attribute"))),
        ('11, string, "*"', Request(Selection("11", "string", '"*"'))),
        ("8, attribute : 10, attribute", Request(Selection("8", "attribute"), Selection("10", "attribute"))),
        (
            "populate.attribute,attribute,`a:b,c`.D:with.expression,attribute",
            Request(
                Selection("populate.attribute", "attribute", "`a:b,c`.D"), Selection("with.expression", "attribute")
            ),
        ),
        (
            "11, string, 'a: b, it''s' : 8, attribute",
            Request(Selection("11", "string", "'a: b, it''s'"), Selection("8", "attribute")),
        ),
        ("11, string, a, b", Request(Selection("11", "string", "a, b"))),
        ("11, string, it's", Request(Selection("11", "string", "it's"))),
    ],
)
def test_requests_are_read(text: str, request_: Request) -> None:
    assert read_request(text) == request_


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not nothing"),
        ("8", "not 8"),
        ("8, attribute, A.B : 10", "a request reads"),
        ("8, attribute, A.B : 10, attribute, C", "a request reads"),
        ("8, attribute, Attribute: A.B", "content with a colon needs quotes"),
        ("8, attribute,", "the content is empty; write \\* for any"),
        (", attribute, X", "the context is empty"),
        ("8, , X", "the type is empty"),
        ("8, attribute : , attribute", "the context is empty"),
    ],
)
def test_unreadable_requests(text: str, message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        read_request(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("99, attribute, X", "there is no context 99: ids run from 1 to 45"),
        (
            "with.expresion, attribute",
            "there is no context with.expresion; did you mean 10 population.populate.with.exp",
        ),
        ("attribute, attribute", "context attribute is ambiguous, it may be 8 population.populate.attribute, 13 "),
        ("8, atribute, X", "there is no type atribute; did you mean attribute"),
        ("8, column, X", "there is no type column; types are attribute, date, entity, string, value"),
        (
            "4, attribute, X",
            "no attribute stands at or below context 4 population.targetentity.entity; types there are en",
        ),
        ("8, attribute, X : 4, attribute", "no attribute stands at or below context 4"),
    ],
)
def test_requests_the_grammar_cannot_answer(text: str, message: str) -> None:
    with pytest.raises(QuestionError) as raised:
        ask(text)
    assert str(raised.value).startswith(message)


def test_long_requests_are_read_quickly() -> None:
    with pytest.raises(QuestionError):
        read_request("8" + " " * 20_000 + "x`" + "'" * 20_000)


# -- what the grammar does not know ----------------------------------------------------------------------------------


def test_unknown_nodes_have_no_context() -> None:
    known = Node("populate", "", (Node("attribute", "A.B"), Node("strange", "", (Node("attribute", "A.B"),))))
    root = Node("mapping", "", (Node("population", "", (known,)),))
    metatree = MetaTree.of(FIGURE)
    assert leaf_contexts(root, metatree) == [None, None, None, "population.populate.attribute", None, None]
    assert contexts(Node("attribute", "A.B"), metatree) == {1: None}
    found = match(read_request("mapping, attribute, A.B"), [("m", root)], metatree)
    assert [one.number for one in found] == [4]


def test_deep_trees() -> None:
    text = "WHEN POPULATING A FROM B POPULATE A.X WITH B.A"
    node = tree_of(text, FULL)
    deep = Node("attribute", "B.A")
    for _ in range(20_000):
        deep = Node("computation", "", (deep,))
    expression = Node("expression", "", (deep,))
    populate = Node("populate", "", (Node("attribute", "A.X"), Node("with", "", (expression,))))
    root = Node("mapping", "", (Node("population", "", (*node.children[0].children[:2], populate)),))
    (found,) = match(read_request("expression, attribute"), [("m", root)], MetaTree.of(FULL))
    assert found.number == 20_000 + 11
    assert leaf_contexts(root, MetaTree.of(FULL))[-1] == found.path


# -- laws ----------------------------------------------------------------------------------------------------------


def check(text: str, grammar: Path) -> None:
    """Each leaf but operators has exactly one context by definition 5, and every way to ask for it agrees."""
    root, metatree = tree_of(text, grammar), MetaTree.of(grammar)
    recursive = {node.role for node in metatree.nodes if not node.identifying}
    found, paths = contexts(root, metatree), leaf_contexts(root, metatree)
    number = 0

    def visit(node: Node, above: tuple[str, ...]) -> None:
        nonlocal number
        number += 1
        meta, path = found[number], paths[number - 1]
        if node.role in metatree.roles and not node.children:
            candidates = [
                one
                for one in metatree.nodes
                if one.kind == "leaf" and one.role == node.role and roles_above(metatree, one.id) == above
            ]
            assert candidates == [meta] == [metatree.leaf_for(node.role, reversed(above))]
            assert path == candidates[0].path
        elif node.children:
            assert (meta and meta.role, path) == (node.role, None)
        else:
            assert (meta, path) == (None, None)
        inner = above if node.role in recursive else (node.role, *above)
        for child in node.children:
            visit(child, inner)

    visit(root, ())


def roles_above(metatree: MetaTree, id: int) -> tuple[str, ...]:
    return tuple(metatree[above].role for above in metatree.identifying_ancestors(id))


@pytest.mark.parametrize("grammar", [FULL, LARGER], ids=lambda path: path.stem)
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_leaf_has_one_context(path: Path, grammar: Path) -> None:
    check(path.read_text(), grammar)


PARTS = [part for path in TEXTS for part in re.split(r"\n(?=POPULATE|SELECT|NAVIGATE)", path.read_text())]
populates = st.lists(st.sampled_from([part for part in PARTS if part.startswith("POPULATE")]), max_size=4)
filters = st.sampled_from(["", *(part for part in PARTS if part.startswith("SELECT"))])
joins = st.lists(st.sampled_from([part for part in PARTS if part.startswith("NAVIGATE")]), max_size=2)


@settings(max_examples=30)
@given(populates, filters, joins)
def test_every_leaf_of_any_mapping_has_one_context(rows: list[str], rest: str, more: list[str]) -> None:
    check("\n".join(["WHEN POPULATING A FROM B", *rows, rest, *more]), LARGER)


@settings(max_examples=30)
@given(populates, st.sampled_from(["populate.attribute", "with.expression", "with.condition", "population"]))
def test_a_projection_relates_what_one_population_holds(rows: list[str], context: str) -> None:
    """From the populated attributes a projection finds every other attribute, each with that of its own POPULATE."""
    root, metatree = tree_of("\n".join(["WHEN POPULATING A FROM B", *rows]), LARGER), MetaTree.of(LARGER)
    found = match(read_request(f"populate.attribute, attribute : {context}, attribute"), [("m", root)], metatree)
    aimed = {node for node in metatree.below(metatree.resolve(context).id) if node.role == "attribute"}
    populated = metatree.resolve("populate.attribute")
    expected = [number for number, meta in contexts(root, metatree).items() if meta in aimed - {populated}]
    assert [one.number for one in found] == expected
    owner = {number: start + 1 for start, numbers in spans(root) for number in numbers}
    assert all(one.related == (owner[one.number],) for one in found)


def spans(root: Node) -> list[tuple[int, set[int]]]:
    """Each POPULATE's number and the numbers of the nodes it holds."""
    order = list(root.walk())
    ends = [(number, sum(1 for _ in node.walk())) for number, node in enumerate(order, 1) if node.role == "populate"]
    return [(number, set(range(number, number + size))) for number, size in ends]
