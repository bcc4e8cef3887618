"""The standard's evaluation tests through HTTP: whatever the bare engine says to them, the server says as well.

Not answered by default, for safety: SERVICE and LOAD, and four property paths with two open ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pyoxigraph as ox
import pytest
from places import SUITES
from serving import JSON, Server, serving

from mdw.store.engine import Store

SUITE = SUITES / "w3c/sparql/sparql11"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
UT = "http://www.w3.org/2009/sparql/tests/test-update#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
REFUSED = {f"property-path#{name}" for name in ("pp14", "pp16", "pp34", "pp35")}
CALLING = {"update-silent#load-silent", "update-silent#load-into-silent"}

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C suite is not beside the project")


@dataclass(frozen=True)
class Case:
    """One test: a query or update, and the graphs it starts from, by name ("" the default graph)."""

    name: str
    text: str
    update: bool
    graphs: dict[str, list[Path]] = field(default_factory=dict)


def cases() -> Iterator[Case]:
    """The query and update evaluation tests of every manifest."""
    for manifest in sorted(SUITE.glob("*/manifest.ttl")):
        if manifest.parent.name in ("entailment", "service", "protocol", "http-rdf-update", "service-description"):
            continue
        base = manifest.as_uri()
        graph = ox.Store()
        graph.load(path=str(manifest), format=ox.RdfFormat.TURTLE, base_iri=base)

        def one(subject: object, predicate: str, graph: ox.Store = graph) -> object:
            return next((quad.object for quad in graph.quads_for_pattern(subject, ox.NamedNode(predicate), None)), None)

        def every(subject: object, predicate: str, graph: ox.Store = graph) -> list[object]:
            return [quad.object for quad in graph.quads_for_pattern(subject, ox.NamedNode(predicate), None)]

        for kind, update in (("QueryEvaluationTest", False), ("UpdateEvaluationTest", True)):
            for quad in graph.quads_for_pattern(None, ox.NamedNode(TYPE), ox.NamedNode(MF + kind)):
                action = one(quad.subject, MF + "action")
                asked = one(action, (UT + "request") if update else (QT + "query"))
                if asked is None:
                    continue
                space = UT if update else QT
                found: dict[str, list[Path]] = {}
                for data in every(action, space + "data"):
                    found.setdefault("", []).append(local(data))
                for named in every(action, space + "graphData"):
                    if update:
                        found.setdefault(one(named, LABEL).value, []).append(local(one(named, UT + "graph")))
                    else:
                        found.setdefault(named.value, []).append(local(named))
                name = f"{manifest.parent.name}#{quad.subject.value.rpartition('#')[2]}"
                yield Case(name, local(asked).read_text(encoding="utf-8"), update, found)


def local(iri: ox.NamedNode) -> Path:
    return Path(unquote(urlsplit(iri.value).path))


def filled(case: Case) -> ox.Store:
    store = ox.Store()
    for name, paths in case.graphs.items():
        for path in paths:
            form = ox.RdfFormat.from_extension(path.suffix[1:])
            store.load(
                path=str(path), format=form, base_iri=path.as_uri(), to_graph=ox.NamedNode(name) if name else None
            )
    return store


def shown(answer: object) -> object:
    """An answer without the names of blank nodes and the order of rows."""
    if isinstance(answer, bool | str):
        return answer
    if isinstance(answer, ox.QueryBoolean):
        return bool(answer)
    if isinstance(answer, ox.QueryTriples):
        return Counter(tuple(map(term, triple)) for triple in answer)
    assert isinstance(answer, ox.QuerySolutions)
    names = sorted(variable.value for variable in answer.variables)
    return Counter(tuple(term(row[name]) for name in names) for row in answer)


def term(found: object) -> str:
    return "_:" if isinstance(found, ox.BlankNode) else str(found)


def quads(store: ox.Store) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(term, quad)) for quad in store)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("w3c") / "store"
    Store(folder).close()
    with serving(folder, "--allow-update", "--quiet", "--workers", "1") as running:
        yield running


def fill(server: Server, store: ox.Store) -> None:
    """Put the quads of a store in the place of what the server holds."""
    parts = ["DROP ALL"]
    for node in [None, *store.named_graphs()]:
        triples = (quad.triple for quad in store.quads_for_pattern(None, None, None, node or ox.DefaultGraph()))
        data = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
        assert data is not None
        lines = data.decode()
        if node:
            parts += [f"CREATE SILENT GRAPH {node}", f"INSERT DATA {{ GRAPH {node} {{ {lines} }} }}"]
        else:
            parts += [f"INSERT DATA {{ {lines} }}"]
    assert server.update(" ;\n".join(parts)).status == 204


def test_queries_are_answered_as_the_bare_engine_answers_them(server: Server) -> None:
    other, refused, before = [], set(), None
    every = [case for case in cases() if not case.update]
    for case in sorted(every, key=lambda case: sorted(map(str, case.graphs.items()))):
        store = filled(case)
        try:
            expected = shown(store.query(case.text, base_iri=f"{server.url}/sparql"))
        except (SyntaxError, ValueError, OSError):
            expected = "refused"
        if before != (before := case.graphs):
            fill(server, store)
        answered = server.query(case.text, f"{JSON}, application/n-triples", **{"union-default-graph": "false"})
        if answered.status != 200:
            refused |= {case.name} if expected != "refused" else set()
        elif answered.headers["content-type"] == "application/n-triples":
            found = Counter(tuple(map(term, quad.triple)) for quad in ox.parse(answered.body, ox.RdfFormat.N_TRIPLES))
            other += [case.name] * (found != expected and "NOW" not in case.text)
        elif shown(ox.parse_query_results(answered.body, ox.QueryResultsFormat.JSON)) != expected:
            other += [case.name] * (not any(word in case.text.upper() for word in ("RAND", "UUID", "NOW", "BNODE")))
    assert len(every) > 200
    assert (other, refused) == ([], REFUSED)


def test_updates_are_carried_out_as_the_bare_engine_does(server: Server) -> None:
    other = []
    every = [case for case in cases() if case.update]
    for case in every:
        store = filled(case)
        fill(server, store)
        try:
            store.update(case.text, base_iri=f"{server.url}/sparql")
            done = True
        except (SyntaxError, ValueError, OSError, RuntimeError):
            done = False
        answered = server.update(case.text)
        after = ox.Store()
        after.load(server.ask("GET", "/store?format=nquads").body, ox.RdfFormat.N_QUADS)
        if (answered.status == 204) != done or quads(after) != quads(store):
            other.append(case.name)
    assert len(every) > 80
    assert set(other) == CALLING
