"""Tree -> quads -> tree, and the steps beside the tree."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

import pyoxigraph as ox
import pytest
from contexts import CAST_TYPE, leaf_contexts
from graphs import graphs, named, stored
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Features, small_warehouse
from texts import AGREEMENT, WIDE
from whole import whole_mapping

from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.language.unparse import unparse
from mdw.model.rules import Head, Join, Rules
from mdw.model.tree import Location, Node
from mdw.rdf.contexts import Contexts
from mdw.rdf.graph import PREFIX, describe
from mdw.rdf.nodes import NodeRow, restore
from mdw.rdf.vocabulary import MDW, STEPS, name_of
from mdw.store.engine import Store
from mdw.store.inference import run
from mdw.store.trees import tree, trees

CASTS = """MAPPING casts: WHEN POPULATING T FROM S
  POPULATE T.A WITH CAST(S.A AS "INT")
  POPULATE T.B WITH CAST(NULL AS "DECIMAL(28, 2)") IF CAST(S.X AS "INT") = 1
  POPULATE T.C WITH CAST(CAST(S.C AS "TEXT") AS "INT") WITH CAST(S.D AS "INT") IF S.E = 1 WITH CAST(S.E AS "DATE")
SELECT ROWS WHERE CAST(S.X AS "DATE") = "2024"
"""

texts = st.text(st.characters(codec="utf-8"), max_size=8)
FOLDED = [
    "mapping",
    "name",
    "populate",
    "attribute",
    "with",
    "expression",
    "computation",
    "case",
    "when",
    "cast",
    "type",
]
roles = st.sampled_from([*FOLDED, "keyword", "a_1", "AND", "!=", "IS NOT NULL", "Über"]) | texts.filter(bool)
nodes = st.recursive(
    st.builds(Node, roles, texts) | roles.map(lambda role: Node(role, role)),
    lambda below: st.builds(Node, roles, texts, st.lists(below, min_size=1, max_size=4).map(tuple)),
    max_leaves=12,
)


def placed(root: Node) -> Node:
    """The tree with a place for every node, the first child standing where its parent does."""
    lines = count(1)

    def put(node: Node, place: Location) -> Node:
        places = [place, *(Location("file", next(lines), 7) for _ in node.children[1:])]
        return Node(node.role, node.content, tuple(map(put, node.children, places)), place)

    return put(root, Location("file", 9, 1))


@settings(max_examples=60)
@given(nodes, st.booleans())
def test_any_tree_survives(root: Node, update: bool) -> None:
    root = placed(root)
    store, rules = Store(), Rules(Head("any", "T", "D", file="file"), ())
    if update:
        store.load([describe(Node("mapping"), rules, Contexts({}))])
    store.load([describe(root, rules, Contexts({}))])
    assert tree(store, "any") == root
    assert [node.location for node in tree(store, "any").walk()] == [node.location for node in root.walk()]


@settings(max_examples=40)
@given(st.integers(0, 1 << 32))
def test_the_quads_of_a_graph_are_counted(seed: int) -> None:
    for one in graphs(small_warehouse(Random(seed), Features(dates=True, cycles=True)).text + AGREEMENT + WIDE):
        assert one.quads == len(set(ox.parse((PREFIX + one.block).encode(), ox.RdfFormat.TRIG)))


@pytest.mark.parametrize("text", [AGREEMENT, WIDE, CASTS])
def test_text_to_quads_to_text(text: str) -> None:
    (before,) = named(text)
    ((name, after),) = trees(stored(text))
    assert name == before.name
    assert after == before.tree
    assert unparse(after) == unparse(before.tree)
    assert [node.location for node in after.walk()] == [node.location for node in before.tree.walk()]


@settings(max_examples=80)
@given(st.integers(0, 1 << 32))
def test_whatever_the_language_says_survives(seed: int) -> None:
    whole = whole_mapping(Random(seed))
    (graph,) = graphs(unparse(whole))
    assert graph.quads == len(set(ox.parse((PREFIX + graph.block).encode(), ox.RdfFormat.TRIG)))
    ((_, after),) = trees(stored(unparse(whole)))
    assert after == whole


def test_roles_are_no_entities_and_an_inner_entity_is_told() -> None:
    text = """WHEN POPULATING INNER T FROM S AS a POPULATE T.A WITH b.X IF a.Y = 1
      SELECT ROWS WHERE b.Z = 1 JOIN S AS b ON a.K = b.K SEMI JOIN R AS c ON c.K > b.K ORDER BY a.O"""
    store = stored(text)
    found = {
        kind: sorted(store.query_text(query, "csv").replace("urn:mdw:", "").split()[1:])
        for kind, query in {
            "inner": "SELECT ?e { ?e a mdw:InnerEntity }",
            "entities": "SELECT DISTINCT ?e { ?a mdw:attributeOf ?e }",
            "sources": "SELECT DISTINCT ?s { ?s mdw:feeds|mdw:influences ?t FILTER NOT EXISTS { ?s a mdw:Mapping } }",
            "joins": "SELECT ?e { ?j a mdw:SemiJoin ; mdw:joinedEntity ?e }",
            "sorts": "SELECT ?s { ?s mdw:sorts ?mapping }",
        }.items()
    }
    assert found == {
        "inner": ["entity:T"],
        "entities": ["entity:R", "entity:S", "entity:T"],
        "sources": [f"attribute:{name}" for name in ("R.K", "S.K", "S.O", "S.X", "S.Y", "S.Z")],
        "joins": ["entity:R"],
        "sorts": ["attribute:S.O"],
    }


def test_nodes_that_are_one_resource_have_the_classes_of_all_their_roles() -> None:
    store = stored(WIDE)
    ((_, tree),) = trees(store)
    assert len(store.query_text("SELECT ?n { ?n mdw:parent ?p }", "csv").split()) < sum(1 for _ in tree.walk()) * 2 / 3
    run(store)
    counted = store.query_text("SELECT ?c (COUNT(?n) AS ?n) { ?n mdw:parent ?p ; a ?c } GROUP BY ?c", "csv")
    found = {name: int(count) for name, count in (row.rsplit("#", 1)[-1].split(",") for row in counted.split()[1:])}
    roles = Counter("keyword" if node.role == node.content else node.role for node in tree.walk())
    # The attribute that a POPULATE fills is told by what the resource fills, not by its class; the type of a CAST too.
    roles["attribute"] -= len(store.query_text("SELECT ?n { ?n mdw:fills ?a }", "csv").split()) - 1
    roles["type"] -= len(store.query_text("SELECT ?n { ?n mdw:castTo ?a }", "csv").split()) - 1
    assert all(found.get(f"{role.capitalize()}Node", 0) == number for role, number in roles.items())


@pytest.mark.parametrize("text", [AGREEMENT, WIDE, CASTS])
def test_infer_says_the_contexts_of_all_leaves(text: str) -> None:
    store = stored(text)
    ((_, tree),) = trees(store)
    run(store)
    said = store.query_text("SELECT ?c { ?n mdw:parent ?p ; mdw:context ?c }", "csv").split()[1:]
    filled = store.query_text("SELECT ?n { ?n mdw:fills ?a }", "csv").split()[1:]
    cast = store.query_text("SELECT ?n { ?n mdw:castTo ?a }", "csv").split()[1:]
    leaves = [one for one in leaf_contexts(tree, MetaTree.of(MAPPING_GRAMMAR)) if one]
    inferred = [*map(name_of, said), *("population.populate.attribute" for _ in filled)]
    inferred += [CAST_TYPE for _ in cast]
    assert Counter(inferred) == Counter(leaves)


def test_a_tree_with_a_resource_for_each_node_and_orders_is_read() -> None:
    rows = [
        NodeRow("urn:w", f"{MDW}WithNode", "urn:p", "3", ""),
        NodeRow("urn:x", f"{MDW}WithNode", "urn:p", "2", ""),
        NodeRow("urn:p", f"{MDW}PopulateNode", "urn:m", "", ""),
        NodeRow("urn:a", f"{MDW}AttributeNode", "urn:p", "", "T.A"),
        NodeRow("urn:y", f"{MDW}NullNode", "urn:x", "", "NULL"),
    ]
    tree = Node("populate", "", (Node("attribute", "T.A"), Node("with", "", (Node("null", "NULL"),)), Node("with")))
    assert restore(rows) == tree


def test_places_repeat_nothing() -> None:
    here, there = Location("f", 1, 1), Location("f", 2, 5)
    root = Node("a", "", (Node("b", "x", (), here), Node("c", "y", (), there)), here)
    assert 'mdw:places "1:1  2:5".' in describe(root, Rules(Head("m", "T", "D"), ()), Contexts({})).block


def test_agreement_has_3_populate_nodes_and_6_with_and_its_ends_apart() -> None:
    store = stored(AGREEMENT)
    run(store)
    counted = store.query_text("SELECT ?c (COUNT(*) AS ?n) { ?x a ?c } GROUP BY ?c", "csv").splitlines()
    counts = dict(line.rsplit("#", 1)[-1].split(",") for line in counted[1:])
    assert (counts["PopulateNode"], counts["WithNode"]) == ("3", "6")
    ends = store.query_text("SELECT ?t ?d { ?m mdw:targetEntity ?t ; mdw:drivingEntity ?d }", "csv").split()
    assert ends == ["t,d", "urn:mdw:entity:AGREEMENT,urn:mdw:entity:CUSTOMER_MASTER_DATA"]


def test_steps_stand_beside_the_tree() -> None:
    query = f"SELECT ?kind ?from ?to {{ ?from ?kind ?to FILTER(?kind IN ({', '.join(STEPS.values())})) }}"
    rows = (
        stored(WIDE).query_text(query, "csv").replace("https://w3id.org/mdw#", "").replace("urn:mdw:", "").split()[1:]
    )
    rule, whole = "attribute:CORE.DEAL.", "mapping:everything"
    assert sorted(rows) == sorted(
        [
            f"aggregatesTo,attribute:STG.TRADE.AMOUNT,{rule}%60net%20amount%60",
            f"aggregatesTo,attribute:STG.TRADE.FEE,{rule}%60net%20amount%60",
            f"transformsTo,attribute:STG.TRADE.ID,{rule}LABEL",
            f"transformsTo,attribute:REF.COUNTRY.CODE,{rule}LABEL",
            f"chooses,attribute:REF.COUNTRY.CODE,{rule}LABEL",
            f"filters,attribute:STG.TRADE.KIND,{whole}",
            f"filters,attribute:STG.TRADE.DAY,{whole}",
            f"filters,attribute:STG.TRADE.NOTE,{whole}",
            f"joins,attribute:STG.TRADE.COUNTRY,{whole}",
            f"joins,attribute:REF.COUNTRY.ID,{whole}",
            f"groups,attribute:STG.TRADE.ID,{whole}",
            f"groups,attribute:REF.COUNTRY.CODE,{whole}",
        ]
    )


def test_edges_that_paths_walk() -> None:
    text = """WHEN POPULATING T FROM D
        POPULATE T.A WITH D.A IF D.B = 1
        POPULATE T.C WITH "constant"
      SELECT ROWS WHERE D.F = 1"""
    rows = stored(text).query_text("SELECT ?a ?p ?b { ?a ?p ?b VALUES ?p { mdw:feeds mdw:influences } }", "tsv")
    edges = {
        tuple(part.rsplit(":", 1)[-1].rsplit("#", 1)[-1].strip(">") for part in row.split())
        for row in rows.splitlines()[1:]
    }
    mapping = "text%3AT%20FROM%20D"
    assert edges == {
        ("D.A", "feeds", "T.A"),
        ("D.B", "influences", "T.A"),
        ("D.F", "influences", mapping),
        (mapping, "influences", "T.A"),
        (mapping, "influences", "T.C"),
    }


def test_spelling_first_met_is_the_label() -> None:
    text = "WHEN POPULATING Core.Party FROM D POPULATE Core.Party.Id WITH D.ID POPULATE CORE.party.X WITH D.id"
    rows = stored(text).query_text(
        "SELECT ?x ?label { ?x rdfs:label ?label FILTER(!STRSTARTS(STR(?x), 'urn:mdw:m')) }", "csv"
    )
    found = {line.replace("urn:mdw:", "") for line in rows.splitlines()[1:]}
    assert found == {
        "entity:CORE.PARTY,Core.Party",
        "attribute:CORE.PARTY.ID,Core.Party.Id",
        "attribute:CORE.PARTY.X,CORE.party.X",
        "attribute:D.ID,D.id",
    }


def test_joins_have_a_kind() -> None:
    joins = (Join("A", "inner", (("D.X", "A.X"),), 3), Join("B", "left", (("D.Y", "B.Y"),), 4))
    store = Store()
    store.load([describe(Node("mapping"), Rules(Head("m", "T", "D", joins, update=True), ()), Contexts({}))])
    rows = store.query_text(
        "SELECT ?kind ?e { ?m a mdw:UpdateMapping ; mdw:join [ a ?kind ; mdw:joinedEntity ?e ] }", "csv"
    )
    found = {line.replace("urn:mdw:entity:", "").rsplit("#", 1)[1] for line in rows.splitlines()[1:]}
    assert found == {"InnerJoin,A", "LeftJoin,B"}


def test_digest_tells_what_a_graph_says() -> None:
    (first,), (same,), (moved,) = graphs(AGREEMENT), graphs(AGREEMENT), graphs("\n" + AGREEMENT)
    assert first == same
    assert first.digest != moved.digest, "a rule on another line"
    assert {entity.rsplit(":", 1)[1] for entity in first.entities} == {"AGREEMENT", "CUSTOMER_MASTER_DATA"}
    assert (PREFIX + first.block).count(first.digest) == 1
