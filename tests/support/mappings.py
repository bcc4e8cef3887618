"""Random mapping trees, as a reader would make them (strategies for hypothesis)."""

from __future__ import annotations

from hypothesis import strategies as st

from mdw.model.name import canonical
from mdw.model.tree import Node

PARTS = ("CORE", "party", "_1", "WITH", "If", "select", "FROM", "populating", "x", "AND", "SUM", "`a b`", '`Ä--"x`')
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
COMPARED = ("IN", "NOT IN", "LIKE", "NOT LIKE", "BETWEEN", "NOT BETWEEN", "IS NULL", "IS NOT NULL")

entities = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map(".".join)
plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\"'\\"), max_size=6)
quoted = st.lists(plain | st.sampled_from(['\\"', "\\\\", "'"]), max_size=4).map(lambda parts: f'"{"".join(parts)}"')
apostrophed = st.lists(plain | st.sampled_from(["''", "\\", '"']), max_size=4).map(lambda parts: f"'{''.join(parts)}'")
strings = (quoted | apostrophed).map(lambda text: Node("string", text))
numbers = st.from_regex(r"-?[0-9]{1,7}(\.[0-9]{1,3})?", fullmatch=True).map(lambda text: Node("value", text))
formats = ("{0:02}.{1:02}.{2:04}", "{0:02}{1:02}{2:04}", "{2:04}-{1:02}-{0:02}")
days = st.builds(
    lambda day, form: Node("date", form.format(day.day, day.month, day.year)), st.dates(), st.sampled_from(formats)
)
constants = strings | numbers | days


def attributes(joined: list[str]) -> st.SearchStrategy[Node]:
    """Attributes of the given entities."""
    return st.builds(
        lambda entity, part: Node("attribute", f"{entity}.{part}"), st.sampled_from(joined), st.sampled_from(PARTS)
    )


def above(role: str, *children: Node) -> Node:
    """A node with children."""
    return Node(role, "", children)


def leaf(word: str) -> Node:
    """An operator or keyword that leads its operands."""
    return Node(word, word)


def comparisons(joined: list[str]) -> st.SearchStrategy[Node]:
    """Comparisons of every kind."""

    @st.composite
    def comparison(draw: st.DrawFn) -> Node:
        subject, word = draw(attributes(joined)), draw(st.sampled_from(OPERATORS * 2 + COMPARED))
        operands: list[Node] = []
        if word in OPERATORS:
            operands = [draw(attributes(joined) | constants)]
        elif word.endswith("IN"):
            operands = draw(st.lists(constants, min_size=1, max_size=3))
        elif word.endswith("LIKE"):
            operands = [draw(strings)]
        elif word.endswith("BETWEEN"):
            operands = [draw(constants), draw(constants)]
        return above("conditioncomp", above("comparison", leaf(word), subject, *operands))

    return comparison()


def conditions(joined: list[str]) -> st.SearchStrategy[Node]:
    """Conditions nested a few levels deep."""

    def deeper(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        several = st.lists(inner, min_size=2, max_size=3)
        joint = st.builds(
            lambda word, parts: above("conditioncomp", leaf(word), *parts), st.sampled_from(("AND", "OR")), several
        )
        return joint | inner.map(lambda part: above("conditioncomp", leaf("NOT"), part))

    return st.recursive(comparisons(joined), deeper, max_leaves=6).map(lambda node: above("condition", node))


def expressions(joined: list[str]) -> st.SearchStrategy[Node]:
    """Strings, substrings, concatenations and computations."""
    attribute = attributes(joined)
    whole = st.integers(1, 99).map(lambda number: Node("value", str(number)))
    substring = st.builds(
        lambda subject, start, end: above("substring", subject, above("from", start), above("to", end)),
        attribute,
        whole,
        whole,
    )
    pieces = st.lists(attribute | strings | substring, min_size=2, max_size=4).map(
        lambda parts: above("concatenation", *parts)
    )
    sums = st.builds(
        lambda role, subject: above("aggregation", above(role, subject)),
        st.sampled_from(("sumof", "avg", "min", "max", "count")),
        attribute,
    )
    operands = (attribute | numbers | days | sums).map(lambda node: above("computation", node))
    computed = st.recursive(
        operands,
        lambda inner: st.builds(
            lambda word, left, right: above("computation", leaf(word), left, right),
            st.sampled_from("+-*/"),
            inner,
            inner,
        ),
        max_leaves=6,
    )
    return (strings | substring | pieces | computed).map(lambda node: above("expression", node))


@st.composite
def mappings(draw: st.DrawFn) -> Node:
    """A mapping that reads without errors."""
    target, *others = draw(st.lists(entities, min_size=2, max_size=4, unique_by=canonical))
    joined = others[: draw(st.integers(1, len(others)))]
    population = [above("targetentity", Node("entity", target)), above("drivingentity", Node("entity", joined[0]))]
    for part in draw(st.lists(st.sampled_from(PARTS), max_size=3, unique_by=canonical)):
        clauses = []
        for _ in range(draw(st.integers(1, 3))):
            given = draw(st.none() | conditions(joined))
            clauses.append(above("with", draw(expressions(joined)), *([given] if given else [])))
        population.append(above("populate", Node("attribute", f"{target}.{part}"), *clauses))
    children = [above("population", *population)]
    if draw(st.booleans()):
        children.insert(0, Node("name", draw(entities)))
    if draw(st.booleans()):
        children.append(above("filter", draw(conditions(joined))))
    children += [draw(navigations(joined[:number], joined[number])) for number in range(1, len(joined))]
    return above("mapping", *children)


@st.composite
def navigations(draw: st.DrawFn, joined: list[str], entity: str) -> Node:
    """A navigation from what is joined to an entity."""
    pairs = st.builds(lambda left, right: above("using", left, right), attributes(joined), attributes([entity]))
    start = draw(st.sampled_from(joined))
    ends = above("fromentity", Node("entity", start)), above("toentity", Node("entity", entity))
    return above("navigation", *ends, *draw(st.lists(pairs, min_size=1, max_size=3)))
