"""Laws of the condition algebra: value sets against a database, diagrams against truth tables, text against both."""

from __future__ import annotations

import sqlite3
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdw.conditions import minimal
from mdw.conditions.atoms import MORE, NO, YES, Atom
from mdw.conditions.cover import Cover
from mdw.conditions.cuts import Usage
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.minimal import Minimal
from mdw.conditions.products import boxes, hull
from mdw.conditions.regions import NULL, Regions
from mdw.conditions.solver import Solver
from mdw.conditions.terms import Terms
from mdw.conditions.tree import NEVER, Literal, Tree, every, factored, literals, node_of, some
from mdw.conditions.wording import values_condition
from mdw.language.derive import condition_of as read_tree
from mdw.language.mapping import read_condition
from mdw.model.errors import TooLargeError
from mdw.model.expressions import (
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Variable,
)
from mdw.model.standard_sql import to_sql
from mdw.model.text import to_text

DOMAINS = (0b1111, 0b111, 0b11111)


def number(text: str) -> Const:
    return Const("number", text)


def string(text: str) -> Const:
    return Const("string", text)


@st.composite
def formulas(draw: st.DrawFn, depth: int = 3) -> tuple[object, ...]:
    """Nested ("and"|"or"|"not"|"in", ...) over three variables."""
    kind = draw(st.sampled_from(["in", "and", "or", "not"])) if depth else "in"
    if kind == "in":
        which = draw(st.integers(0, 2))
        return "in", which, draw(st.integers(0, DOMAINS[which]))
    inner = formulas(depth=depth - 1)
    return (kind, draw(inner)) if kind == "not" else (kind, draw(inner), draw(inner))


def built(diagram: Diagram, formula: tuple[object, ...]) -> int:
    kind, *rest = formula
    if kind == "in":
        which, mask = rest
        return diagram.allow(which, mask)  # type: ignore[arg-type]
    nodes = [built(diagram, part) for part in rest]  # type: ignore[arg-type]
    if kind == "not":
        return diagram.negate(nodes[0])
    return diagram.both(*nodes) if kind == "and" else diagram.either(*nodes)


def holds(formula: tuple[object, ...], row: tuple[int, ...]) -> bool:
    kind, *rest = formula
    if kind == "in":
        which, mask = rest
        return bool(row[which] & mask)  # type: ignore[index,operator]
    truths = [holds(part, row) for part in rest]  # type: ignore[arg-type]
    return not truths[0] if kind == "not" else all(truths) if kind == "and" else any(truths)


def fresh() -> Diagram:
    diagram = Diagram(100_000)
    for name, domain in zip("abc", DOMAINS, strict=True):
        diagram.variable(name, domain)
    return diagram


ROWS = list(product(*([1 << bit for bit in range(domain.bit_length())] for domain in DOMAINS)))


def accepts(diagram: Diagram, node: int, row: tuple[int, ...]) -> bool:
    while node > TRUE:
        which, edges = diagram.edges(node)
        node = next((child for child, mask in edges if mask & row[which]), FALSE)
    return node == TRUE


@settings(max_examples=80)
@given(formulas(), formulas())
def test_a_diagram_says_what_the_formula_says_and_equal_formulas_are_the_same_node(
    one: tuple[object, ...], two: tuple[object, ...]
) -> None:
    diagram = fresh()
    a, b = built(diagram, one), built(diagram, two)
    tables = [[holds(formula, row) for row in ROWS] for formula in (one, two)]
    assert [accepts(diagram, a, row) for row in ROWS] == tables[0]
    assert (a == b) == (tables[0] == tables[1])


@settings(max_examples=60)
@given(formulas())
def test_projection_boxes_and_covers_are_exact(formula: tuple[object, ...]) -> None:
    diagram = fresh()
    node = built(diagram, formula)
    kept = diagram.exists(node, lambda which: which == 1)
    for row in ROWS:
        others = [other for other in ROWS if other[0] == row[0] and other[2] == row[2]]
        assert accepts(diagram, kept, row) == any(holds(formula, other) for other in others)
        inside = [all(row[which] & mask for which, mask in box.items()) for box in boxes(diagram, node)]
        assert sum(inside) == holds(formula, row), "boxes are disjoint and cover the condition"
        cubes = Cover(diagram).cubes(node)
        assert any(all(row[which] & mask for which, mask in cube) for cube in cubes) == holds(formula, row)
    around = hull(diagram, node)
    for which, mask in around.items():
        seen = {row[which] for row in ROWS if holds(formula, row)}
        assert mask == sum(seen)


def test_a_diagram_beyond_its_limit_gives_up() -> None:
    diagram = Diagram(4)
    first, second = (diagram.variable(name, 0b111) for name in "ab")
    one, two = diagram.allow(first, 1), diagram.allow(second, 1)
    diagram.both(one, two)
    with pytest.raises(TooLargeError):
        diagram.both(one, diagram.allow(second, 3))


def test_a_cover_beyond_its_limit_gives_up() -> None:
    diagram = Diagram(100)
    first, second = (diagram.variable(name, 0b111) for name in "ab")
    several = diagram.either(
        diagram.both(diagram.allow(first, 1), diagram.allow(second, 1)),
        diagram.both(diagram.allow(first, 2), diagram.allow(second, 2)),
    )
    assert len(Cover(diagram, limit=2).cubes(several)) == 2
    with pytest.raises(TooLargeError, match="more than 1 products"):
        Cover(diagram, limit=1).cubes(several)


VALUES = [None, -3, 0, 1, 2, 5, 9, 10]
OPERATORS = ["=", "!=", "<", "<=", ">", ">="]


@settings(max_examples=80)
@given(st.lists(st.sampled_from([0, 1, 5, 9]), min_size=1, max_size=3), st.sampled_from(OPERATORS))
def test_value_sets_compare_like_a_database(constants: list[int], op: str) -> None:
    regions = Regions.over(*(number(str(constant)) for constant in constants))
    true, false = regions.compare(op, number(str(constants[0])))
    database = sqlite3.connect(":memory:")
    sql = {"!=": "<>"}.get(op, op)
    for value in VALUES:
        bit = NULL if value is None else regions.bit(number(str(value)))
        (expected,) = database.execute(f"SELECT ? {sql} {constants[0]}", (value,)).fetchone()
        assert (bool(bit & true), bool(bit & false)) == (expected == 1, expected == 0)


@settings(max_examples=80)
@given(st.data())
def test_a_value_set_shown_as_text_is_the_same_value_set(data: st.DataObject) -> None:
    usage = data.draw(
        st.sampled_from(
            [
                Usage({number("1"), number("5")}),
                Usage({string("a"), string("b")}),
                Usage({string("a"), string("k")}, {"a%", "%z"}),
                Usage({string("a"), string("k")}, {"%z"}, ordered=True),
                Usage({string("a"), string("k")}, ordered=True),
                Usage({Const("date", "2015-01-01"), Const("date", "2018-06-30")}, ordered=True),
            ]
        )
    )
    regions = Regions(usage)
    mask = data.draw(st.integers(1, regions.domain))
    shown = values_condition(Attr("E.A"), mask, regions)
    diagram = Diagram(1000)
    which = diagram.variable("x", regions.domain)
    terms = Terms(diagram, lambda _: regions)
    again = read_tree(read_condition(to_text(shown))) if mask not in (regions.domain,) else shown
    true, _ = terms.read(again, lambda _: Variable(which))
    assert true == diagram.allow(which, mask), to_text(shown)


def test_text_and_sql_of_conditions() -> None:
    condition: Condition = Or(
        (
            And((Compare("!=", Attr("E.A"), string('say "hi"')), Not(IsNull(Attr("E.`end date`"))))),
            Not(In(Attr("E.N"), (number("1"), number("2")))),
            Like(Attr("E.A"), "O'%"),
        )
    )
    assert to_text(condition) == (
        '(E.A != "say \\"hi\\"" AND E.`end date` IS NOT NULL) OR E.N NOT IN (1, 2) OR E.A LIKE "O\'%"'
    )
    assert to_sql(condition) == (
        "(E.A <> 'say \"hi\"' AND E.\"end date\" IS NOT NULL) OR E.N NOT IN (1, 2) OR E.A LIKE 'O''%'"
    )
    assert read_tree(read_condition(to_text(condition))) == condition


def solver() -> tuple[Diagram, Terms, Solver, dict[str, int]]:
    regions = Regions.over(number("0"), number("10"))
    diagram = Diagram(10_000)
    terms = Terms(diagram, lambda _: regions)
    names = {name: diagram.variable(Row(name), regions.domain) for name in "abc"}
    return diagram, terms, Solver(diagram, lambda _: regions), names


def itself(symbol: Attr | Variable) -> Attr | Variable:
    return symbol


class Row(str):
    """Stands for a variable with regions of its own."""


def verdict(text: str) -> str:
    _, terms, one, names = solver()
    condition = read_tree(read_condition(text))
    true, _ = terms.read(condition, lambda one: Variable(names[one.name[-1].lower()]))
    return one.check(true)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E.A < E.B AND E.B < E.C AND E.C < E.A", "contradictory"),
        ("E.A < E.B AND E.B < E.C", "possible"),
        ("E.A = E.B AND E.A <= 0 AND E.B >= 10", "contradictory"),
        ("E.A = E.B AND E.A IS NULL", "contradictory"),
        ("NOT E.A = E.B AND E.A = 0 AND E.B = 0", "contradictory"),
        ("E.A != E.B AND E.A = 0 AND E.B = 10", "possible"),
        ("E.A > E.B AND E.A < E.B", "contradictory"),
    ],
)
def test_the_solver_decides_what_value_sets_cannot(text: str, expected: str) -> None:
    assert verdict(text) == expected


def test_arithmetic_is_decided_and_opaque_functions_are_only_equal_for_equal_arguments() -> None:
    diagram, terms, one, names = solver()
    a, b = (Variable(names[name]) for name in "ab")
    total = terms.read(Compare(">", Compute("+", a, b), number("20")), itself)[0]
    small = diagram.both(terms.read(Compare("<=", a, number("10")), itself)[0], total)
    small = diagram.both(small, terms.read(Compare("<=", b, number("10")), itself)[0])
    assert one.check(small) == "contradictory"
    call = Call("MD5", (a,)), Call("MD5", (b,))
    different = terms.read(Compare("!=", *call), itself)[0]
    same = terms.read(Compare("=", a, b), itself)[0]
    assert one.check(different) == "undecided"
    assert one.check(diagram.both(different, same)) == "contradictory"


@pytest.mark.parametrize(
    ("value", "b", "expected"),
    [
        (Compare("=", Concat((Attr("a"), Attr("b"))), string("xy")), "y", "possible"),
        (Compare("=", Concat((Attr("a"), Attr("b"))), string("xy")), "x", "contradictory"),
        (Compare("=", Concat((Attr("a"), Attr("a"))), Attr("b")), "x", "contradictory"),
        (Like(Concat((Attr("a"), Attr("b"))), "%y"), "y", "possible"),
        (Like(Concat((Attr("a"), Attr("b"))), "%y"), "x", "contradictory"),
        (Not(Like(Concat((Attr("a"), Attr("b"))), "%y")), "x", "possible"),
        (Compare(">", Compute("+", Compute("/", Attr("n"), Attr("n")), Attr("n")), number("3")), "y", "contradictory"),
        (Compare(">", Compute("+", Compute("/", Attr("n"), Attr("n")), Attr("n")), number("2")), "y", "possible"),
    ],
)
def test_what_is_made_of_constants_is_known(value: Condition, b: str, expected: str) -> None:
    texts, numbers = Regions.over(string("x"), string("y"), string("xy")), Regions.over(number("2"))
    diagram = Diagram(10_000)
    names = {name: diagram.variable(Row(name), (numbers if name == "n" else texts).domain) for name in "abn"}
    regions = {number: numbers if name == "n" else texts for name, number in names.items()}
    terms = Terms(diagram, regions.__getitem__)
    told = And((Compare("=", Attr("a"), string("x")), Compare("=", Attr("b"), string(b)), value))
    told = And((told, Compare("=", Attr("n"), number("2"))))
    true, _ = terms.read(told, lambda one: Variable(names[one.name]))
    assert Solver(diagram, regions.__getitem__).check(true) == expected
    refuting = Solver(diagram, regions.__getitem__)
    assert [refuting.refutes(true) for _ in range(2)] == [expected == "contradictory"] * 2


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        # Rule Q2: of what is computed of a quotient only that is sure which rounding cannot change.
        (Compare("!=", Compute("*", Compute("/", Attr("a"), number("3")), number("3")), Attr("a")), "undecided"),
        (Compare("!=", Compute("*", Compute("/", Attr("a"), number("4")), number("4")), Attr("a")), "contradictory"),
        (Compare(">", Compute("+", Compute("/", Attr("a"), number("3")), number("1")), number("5")), "contradictory"),
        (Compare("=", Compute("/", Attr("a"), number("3")), number("4")), "contradictory"),
        (Compare("=", Compute("-", number("0"), Compute("/", Attr("a"), number("3"))), number("-1")), "possible"),
        (Compare("=", Compute("*", Compute("/", number("7"), number("100")), number("100")), number("7")), "possible"),
        (Compare("=", Compute("/", number("7"), number("100")), number("0.07")), "possible"),
        (Compare("!=", Compute("/", Attr("a"), Attr("a")), number("1")), "contradictory"),
    ],
)
def test_quotients_are_rounded(asked: Condition, expected: str) -> None:
    _, terms, one, names = solver()
    told = And((Compare("<=", Attr("a"), number("10")), asked))
    true, _ = terms.read(told, lambda symbol: Variable(names[symbol.name]))
    assert one.check(true) == expected
    assert one.of(one._diagram, one._regions_of).refutes(true) == (expected == "contradictory")


def test_ways_through_a_condition_are_not_gone_through_one_by_one() -> None:
    """Each pair of values is one of two: forty of them are 2 to the 40 ways through few nodes."""
    regions = Regions.over(number("0"), number("10"))
    diagram = Diagram(10_000)
    terms, pairs = Terms(diagram, lambda _: regions), range(40)
    most, *ones = [Variable(diagram.variable(Row(name), regions.domain)) for name in ("most", *map(str, range(80)))]
    asked: list[Condition] = [Compare("<=", one, most) for one in ones]
    for pair in pairs:
        left, right = ones[2 * pair : 2 * pair + 2]
        both = [And((Compare("=", left, value), Compare("=", right, value))) for value in (number("0"), number("10"))]
        asked.append(Or(tuple(both)))
    condition, _ = terms.read(And(tuple(asked)), itself)
    assert Solver(diagram, lambda _: regions).check(condition) == "possible"
    assert not Solver(diagram, lambda _: regions).refutes(condition)


def test_a_comparison_is_one_variable_whatever_its_operator() -> None:
    diagram, terms, _, names = solver()
    a, b = (Variable(names[name]) for name in "ab")
    less = terms.read(Compare("<", a, b), itself)[0]
    more = terms.read(Compare("<", b, a), itself)[0]
    assert diagram.both(less, more) == FALSE
    assert diagram.support(less) == diagram.support(more)
    (which,) = diagram.support(less)
    assert isinstance(diagram.labels[which], Atom)
    assert diagram.allow(which, MORE) != diagram.allow(which, NO) or MORE == NO


def test_products_share_what_they_have_in_common() -> None:
    diagram = Diagram(100)
    regions = Regions.over(string("X"), string("Y"))
    names = [diagram.variable(name, regions.domain) for name in ("A", "B")]
    x, y = regions.bit(string("X")), regions.bit(string("Y"))
    node = diagram.either(
        diagram.both(diagram.allow(names[0], x), diagram.allow(names[1], y)),
        diagram.both(diagram.allow(names[0], y), diagram.allow(names[1], y)),
    )
    shown = [
        to_text(values_condition(Attr(f"E.{'AB'[one.variable]}"), one.mask, regions))
        for one in literals(factored([dict(cube) for cube in Cover(diagram).cubes(node)]))
    ]
    assert sorted(shown) == ['E.A IN ("X", "Y")', 'E.B = "Y"']


@settings(max_examples=80)
@given(formulas(), formulas())
def test_a_minimal_tree_is_the_same_where_it_matters_and_no_part_of_it_can_go(
    formula: tuple[object, ...], other: tuple[object, ...]
) -> None:
    diagram = fresh()
    node, care = built(diagram, formula), built(diagram, other)
    tree = factored([dict(cube) for cube in Cover(diagram).cubes(node)])
    assert node_of(diagram, tree) == node
    found = Minimal(diagram, weigh=lambda literal: literal.mask.bit_count()).minimise(tree, care)
    wanted = diagram.both(node, care)
    assert diagram.both(node_of(diagram, found), care) == wanted
    for place, literal in enumerate(literals(found)):
        for mask in (0, diagram.domains[literal.variable]):
            changed = diagram.both(node_of(diagram, with_mask(found, place, mask)), care)
            assert changed != wanted, f"{literal} can go from {found}"


def test_what_products_share_is_said_once_trees_too() -> None:
    diagram = fresh()
    products = [{0: outer, 1: 0b001 << inner, 2: 0b00001 << inner} for outer in (0b0011, 0b0100) for inner in range(3)]
    products[:3] = [{**product, 3: 0b1} for product in products[:3]]
    diagram.variable("D", 0b11)
    tree = factored(products)
    # ((A in two AND D) OR A in one) AND (three pairs of B and C): nine literals of the twenty-one.
    assert len(list(literals(tree))) == 3 + 2 * 3
    assert node_of(diagram, tree) == node_of(diagram, some(every(Literal(*one) for one in p.items()) for p in products))


def test_nothing_is_in_an_empty_value_set() -> None:
    assert every([Literal(0, 0b0011), Literal(1, 0b1), Literal(0, 0b1100)]) == NEVER


@settings(max_examples=80)
@given(formulas(), formulas(), st.integers(0, 60))
def test_a_tree_is_the_same_where_it_matters_however_little_may_be_spent(
    formula: tuple[object, ...], other: tuple[object, ...], nodes: int
) -> None:
    diagram = fresh()
    node, care = built(diagram, formula), built(diagram, other)
    tree = factored([dict(cube) for cube in Cover(diagram).cubes(node)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minimal, "NODES", nodes)
        found = Minimal(diagram, weigh=lambda literal: literal.mask.bit_count()).minimise(tree, care)
    assert diagram.both(node_of(diagram, found), care) == diagram.both(node, care)
    assert len(list(literals(found))) <= len(list(literals(tree)))


@pytest.mark.parametrize("tired", [True, False])
def test_who_is_tired_is_asked_nothing(tired: bool) -> None:
    """Of atoms that contradict each other one goes only where that is asked."""
    diagram = Diagram(100)
    regions = Regions.over(number("0"))
    names = [diagram.variable(Row(name), regions.domain) for name in "ab"]
    less, more = (diagram.variable(Atom(Compare(sign, *map(Variable, names))), YES | NO) for sign in ("<", ">"))
    asked: list[int] = []

    def possible(node: int) -> bool:
        asked.append(node)
        return diagram.both(node, diagram.both(diagram.allow(less, YES), diagram.allow(more, YES))) != node

    tree = every([Literal(less, YES), Literal(more, NO)])
    found = Minimal(diagram, lambda one: one.mask.bit_count(), possible=possible, tired=lambda: tired).minimise(tree)
    assert (found == tree) == tired == (not asked)


def with_mask(tree: Tree, place: int, mask: int) -> Tree:
    """The tree with another set in its literal number ``place``."""
    if isinstance(tree, Literal):
        return Literal(tree.variable, mask) if place == 0 else tree
    parts = []
    for part in tree.parts:
        parts.append(with_mask(part, place, mask))
        place -= len(list(literals(part)))
    return type(tree)(tuple(parts))
