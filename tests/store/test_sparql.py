"""The front end: what it lets through to the engine, what it refuses, and what it adds."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SUITES

from mdw.model.errors import QueryError
from mdw.store.sparql import explain, read_query, read_update, refuse_free_paths, with_using

SUITE = SUITES / "w3c/sparql/sparql11"
ELSEWHERE = "<http://127.0.0.1:9/>"
CALLS = [
    f"SELECT * {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"select * {{ service silent {ELSEWHERE} {{ ?s ?p ?o }} }}",
    "SELECT * { SERVICE ?where { ?s ?p ?o } }",
    f"SELECT * {{ \\u0053ERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT * {{ ?a ?p ?b FILTER(?a<'>') SERVICE {ELSEWHERE} {{ ?s ?p 'x' }} }}",
    f"SELECT * {{ ?a ?p ?b FILTER(?a<?b#>'''\n) SERVICE {ELSEWHERE} {{ ?s ?p ?o }} #'''\n}}",
    f"SELECT * {{ ?s <urn:x#'> ?o . SERVICE {ELSEWHERE} {{ ?s <urn:y#'> ?o }} }}",
    f"ASK {{ FILTER EXISTS {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }} }}",
]
INNOCENT = [
    "SELECT ?service ?load { ?service <urn:load> ?load . # SERVICE <x> {}\n }",
    "ASK { ?s ?p 'SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }' }",
    'ASK { ?s ?p """LOAD <x>\n""" }',
    "PREFIX service: <urn:s> ASK { service:load service:load <urn:SERVICE> }",
    "SELECT * { ?s ?p ?o FILTER(?o<5 && ?s>3) }",
]
FREE = [
    "SELECT * { ?x <p>+ ?y }",
    "SELECT * { ?x (<p>|^<q>)* ?y }",
    "SELECT * { ?x <p>/<q>* ?y }",
    "SELECT * { GRAPH ?g { ?x <p>+ ?y } }",
    "SELECT * { ?x <p>+ ?y . ?y <p>+ ?z }",
    "SELECT * { <a> <b> ?x FILTER EXISTS { ?y <p>* ?z } }",
]
BOUND = [
    "SELECT * { <a> <p>+ ?y }",
    "SELECT * { ?x <p>+ ?y . ?x a <T> }",
    "SELECT * { ?x a <T>; <p>+ ?y }",
    "SELECT * { VALUES ?x { <a> } ?x <p>+ ?y }",
    "SELECT * { BIND(<a> AS ?x) ?x <p>+ ?y }",
    "SELECT * { { SELECT ?x { ?x a <T> } } ?x <p>+ ?y }",
    "SELECT (?a * (?b) * 2 AS ?c) { ?a ?b ?c }",
]


@pytest.mark.parametrize("query", CALLS)
def test_what_calls_another_server_is_refused(query: str) -> None:
    with pytest.raises(QueryError, match=r"SERVICE is refused|cannot be read"):
        read_query(query)


@pytest.mark.parametrize("query", CALLS[:2])
def test_a_server_may_be_allowed(query: str) -> None:
    assert read_query(query, ["http://127.0.0.1:9/"]).text == query


def test_loading_from_elsewhere_is_refused() -> None:
    with pytest.raises(QueryError, match="LOAD is refused"):
        read_update(f"CLEAR ALL ; load silent {ELSEWHERE} into graph <urn:g>")


@pytest.mark.parametrize("query", INNOCENT)
def test_words_in_strings_names_and_comments_call_nobody(query: str) -> None:
    assert read_query(query).text == query
    ox.Store().query(query)


@pytest.mark.parametrize("query", FREE)
def test_paths_between_open_ends_are_refused(query: str) -> None:
    with pytest.raises(QueryError, match="may begin and end anywhere"):
        refuse_free_paths(read_query(query))


@pytest.mark.parametrize("query", BOUND)
def test_paths_with_an_end_that_something_is_said_of_are_not(query: str) -> None:
    refuse_free_paths(read_query(query))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { " + "{" * 150 + "}" * 150 + " }",
        "SELECT * { ?s ?p ?o FILTER(" + "(" * 150 + "1" + ")" * 150 + ") }",
        "SELECT * { ?s ?p ?o FILTER(1" + "+1" * 3000 + ") }",
        "SELECT * { ?s ?p ?o FILTER(?o || " + "?s || " * 3000 + "1) }",
        "SELECT * { " + "?s a ?o . " * 600 + "}",
        "SELECT * { ?s " + "a/" * 300 + "a ?o }",
        "SELECT * { {} " + "UNION {} " * 300 + "}",
        "SELECT * {" + "[" * 120 + "]" * 120 + " ?p ?o }",
    ],
)
def test_what_would_exhaust_the_engine_is_refused(query: str) -> None:
    with pytest.raises(QueryError, match=r"deep in one another|parts itself|cannot be read"):
        read_query(query)


@pytest.mark.parametrize(
    ("pattern", "between"),
    [("?s <urn:p{0}> ?o{0} .", " "), ("?o{0} <urn:p{0}> $s .", " "), ("<urn:p{0}> ?o{0}", ";"), ("<urn:p> ?o{0}", ";")],
)
def test_very_many_patterns_of_one_variable_are_refused(pattern: str, between: str) -> None:
    """150 of them keep the engine busy for twenty seconds, 200 for forty, before it looks at anything."""

    def group(count: int) -> str:
        return ("?s " if between == ";" else "") + between.join(pattern.format(number) for number in range(count))

    for text in (f"SELECT * {{ {group(101)} }}", f"ASK {{ ?a ?b ?c OPTIONAL {{ {group(150)} }} }}"):
        with pytest.raises(QueryError, match=r"more than 100 patterns of one group speak of \?s: put some"):
            read_query(text)
    read_query(f"SELECT * {{ {group(100)} }}")
    read_query(f"SELECT * {{ {{ SELECT ?s {{ {group(80)} }} }} {{ SELECT ?s {{ {group(80)} }} }} }}")
    read_query(f"ASK {{ {' '.join(f'<urn:s> <urn:p> {number} .' for number in range(120))} }}")


def test_a_query_that_cannot_be_read_says_where() -> None:
    with pytest.raises(QueryError) as raised:
        explain(read_query("SELECT ?s {\n  ?s ?p }\n"))
    assert (raised.value.line, raised.value.column) == (2, 9)
    assert str(raised.value).splitlines() == [
        "line 2, column 9: the query cannot be read from here on",
        "      ?s ?p }",
        "            ^",
    ]


@pytest.mark.parametrize(
    ("update", "rewritten"),
    [
        (
            "INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }",
            "INSERT { ?s ?p 1 } USING <urn:g> USING NAMED <urn:n> WHERE { ?s ?p ?o }",
        ),
        ("DELETE WHERE { ?s ?p '}' }", "DELETE { ?s ?p '}' } USING <urn:g> USING NAMED <urn:n> WHERE { ?s ?p '}' }"),
        ("INSERT DATA { <a> <b> 'WHERE' } ; CLEAR ALL", "INSERT DATA { <a> <b> 'WHERE' } ; CLEAR ALL"),
    ],
)
def test_graphs_of_the_request_become_using(update: str, rewritten: str) -> None:
    found = with_using(read_update(update), ["urn:g"], ["urn:n"])
    assert found == rewritten
    ox.Store().update(found, base_iri="urn:x")


def test_graphs_of_the_request_and_of_the_update_do_not_go_together() -> None:
    for update in (
        "WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "INSERT { ?s ?p 1 } USING <g> WHERE { ?s ?p ?o }",
    ):
        with pytest.raises(QueryError, match="USING or WITH"):
            with_using(read_update(update), ["urn:g"], [])


@given(st.text(alphabet="SELCT *{}?sp.<>'\"#\n\\u0053ERVI()|+1:", max_size=60))
def test_what_the_engine_reads_without_calls_the_front_end_reads(text: str) -> None:
    """Never narrower than the engine: what it takes (and calls nobody) the front end takes, too."""
    query = f"SELECT * {{ ?s ?p ?o {text} }}"
    try:
        ox.Store().query(query, base_iri="urn:x:")
    except (SyntaxError, ValueError, OSError):
        return
    read_query(query)


@pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C suite is not beside the project")
def test_every_text_of_the_standards_suite_that_the_engine_reads_is_read() -> None:
    refused = {}
    for path in sorted([*SUITE.rglob("*.rq"), *SUITE.rglob("*.ru")]):
        text = path.read_text(encoding="utf-8")
        query = path.suffix == ".rq"
        try:
            ox.Store().query(text, base_iri="urn:x") if query else ox.Store().update(text, base_iri="urn:x")
        except SyntaxError:
            continue
        except (OSError, ValueError, RuntimeError):
            pass
        try:
            read_query(text) if query else read_update(text)
        except QueryError as error:
            refused[str(path.relative_to(SUITE))] = str(error)
    assert {name: why for name, why in refused.items() if "may not call other servers" not in why} == {}
    assert refused
