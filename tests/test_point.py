"""Point queries: what is recognised as one, and that whoever answers it, engine or server, says the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mdw.rdf.vocabulary import PREFIXES
from mdw.store.pattern import pattern

from mdw.store.lookup import look_up

JSON = ox.QueryResultsFormat.JSON
XSD = PREFIXES["xsd"]
NODES = [ox.NamedNode(f"urn:mdw:{name}") for name in "abc"]
BLANK = ox.BlankNode("b1")
VALUES: list[Any] = [
    *NODES,
    BLANK,
    ox.Literal("a"),
    ox.Literal('quote " backslash \\ newline \n tab \t null \x00 ü 😀'),
    ox.Literal("a", language="de"),
    ox.Literal("5", datatype=ox.NamedNode(f"{XSD}integer")),
    ox.Literal("1.50", datatype=ox.NamedNode(f"{XSD}decimal")),
    ox.Literal("a", datatype=ox.NamedNode("urn:mdw:type")),
]
GRAPHS = [ox.DefaultGraph(), *NODES[:2], BLANK]
quads = st.builds(
    ox.Quad, st.sampled_from([*NODES, BLANK]), st.sampled_from(NODES), st.sampled_from(VALUES), st.sampled_from(GRAPHS)
)

IRIS = [
    "<urn:mdw:a>",
    "<urn:mdw:b>",
    "mdw:a",
    "x:a",
    "<urn:mdw:none>",
    "<urn:a/./b>",
    "<urn:mdw:%zz>",
    "nobody:a",
    "<a>",
]
VARIABLES = ["?x", "$y", "?z", "?x"]
subjects = st.sampled_from([*IRIS, *VARIABLES, "_:b"])
predicates = st.sampled_from([*IRIS, *VARIABLES, "a"])
objects = st.sampled_from([*IRIS, *VARIABLES, '"a"', '"5"', '"a"@de', "5", '"a\\n"', '""', "'a'"])
heads = st.sampled_from(
    ["SELECT *", "select ?x", "SELECT ?z ?x", "SELECT?x$y", "ASK", "SELECT DISTINCT ?x", "SELECT ?x ?x"]
)
prologues = st.sampled_from(
    ["", "PREFIX x: <urn:mdw:> ", "prefix x:<urn:other:>PREFIX x: <urn:mdw:>\n", "BASE <urn:x:> "]
)
tails = st.sampled_from(
    ["", " LIMIT 1", " limit 0", " LIMIT 3 ", " OFFSET 1", " LIMIT 1 OFFSET 1", " #", " ORDER BY ?x"]
)
texts = st.tuples(
    prologues, heads, st.sampled_from(["", " WHERE", "\nwhere "]), subjects, predicates, objects, tails
).map(lambda said: "{}{}{} {{ {} {} {} }}{}".format(*said))


def said(content: bytes) -> tuple[Any, Counter[str]]:
    """Variables and rows of an answer, the rows in no order; or what it says instead of rows."""
    found = json.loads(content)
    if "boolean" in found:
        return found["boolean"], Counter()
    return found["head"]["vars"], Counter(json.dumps(row, sort_keys=True) for row in found["results"]["bindings"])


@given(st.lists(quads, max_size=12), texts)
def test_a_pattern_finds_what_the_engine_finds(some: list[ox.Quad], text: str) -> None:
    wanted = pattern(text)
    if wanted is None:
        return
    store = ox.Store()
    store.extend(some)
    try:
        found = look_up(store, wanted, 100)
    except ValueError:  # then the engine takes it for no IRI either
        with pytest.raises(SyntaxError):
            store.query(text, prefixes=PREFIXES)
        return
    assert found is not None
    theirs = store.query(text, prefixes=PREFIXES, base_iri="http://h/query", use_default_graph_as_union=True)
    variables, rows = said(theirs.serialize(format=JSON) or b"")
    assert said(found)[0] == variables
    if limited := re.search("LIMIT", text, re.IGNORECASE):
        theirs = store.query(text[: limited.start()], prefixes=PREFIXES, use_default_graph_as_union=True)
        every = said(theirs.serialize(format=JSON) or b"")[1]
        assert said(found)[1] <= every
        assert said(found)[1].total() == rows.total()
    else:
        assert said(found)[1] == rows


@pytest.mark.parametrize(
    ("text", "terms", "result", "limit"),
    [
        ("SELECT ?o WHERE { <urn:s> <urn:p> ?o }", ("urn:s", "urn:p", "?o"), ("o",), None),
        ("select*{?s ?p ?o}limit 7", ("?s", "?p", "?o"), ("o", "p", "s"), 7),
        ("ASK { ?s a mdw:Entity . }", ("?s", f"{PREFIXES['rdf']}type", f"{PREFIXES['mdw']}Entity"), None, 1),
        ('PREFIX x: <urn:x:> SELECT $s { $s x:name "A b" }', ("?s", "urn:x:name", '"A b'), ("s",), None),
    ],
)
def test_a_query_of_one_pattern_is_recognised(
    text: str, terms: tuple[str, ...], result: tuple[str, ...] | None, limit: int | None
) -> None:
    assert pattern(text) == (terms, result, limit)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x { ?x <urn:p> ?x }",
        "SELECT ?y { <urn:s> <urn:p> ?x }",
        "SELECT * { ?s ?p ?o . ?o ?q ?r }",
        "SELECT * { ?s <urn:p>+ ?o }",
        "SELECT * { GRAPH <urn:g> { ?s ?p ?o } }",
        "SELECT * FROM <urn:g> { ?s ?p ?o }",
        "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
        "SELECT * { ?s ?p ?o } OFFSET 5",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "SELECT * { <s> <urn:p> ?o }",
        "SELECT * { nobody:s <urn:p> ?o }",
        "SELECT * { \\u003Curn:s> <urn:p> ?o }",
        "SELECT * { <urn:s> <urn:p> ?o }" + " " * 1000,
    ],
)
def test_what_is_more_or_unusual_is_not(text: str) -> None:
    assert pattern(text) is None


def test_what_is_long_or_new_to_the_format_is_left_to_the_engine() -> None:
    wanted = pattern("SELECT ?o { <urn:s> ?p ?o }")
    assert wanted
    subject, predicate = ox.NamedNode("urn:s"), ox.NamedNode("urn:p")
    store = ox.Store()
    store.extend(ox.Quad(subject, predicate, ox.Literal(str(number))) for number in range(5))
    assert look_up(store, wanted, 5)
    assert look_up(store, wanted, 4) is None
    assert look_up(store, wanted._replace(limit=4), 4)
    store.add(ox.Quad(subject, predicate, ox.Triple(subject, predicate, subject)))
    assert look_up(store, wanted, 10) is None
