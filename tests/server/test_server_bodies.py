"""Bodies of JSON, of terms and of mappings damaged at random, and parameters: each is answered or told why not.

The seed of a failure is in its message; MDW_EXAMPLES=n tries n hundred. The largest memory of the server and its
workers is printed, with the seed after which it was seen.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psutil
import pytest
from serving import Answered, Server, loaded, serving

sys.path.append(str(Path(__file__).parents[1] / "readers"))
from test_mutated_inputs import BITS, SPARQL, mutated
from test_mutated_manifests import damaged

TRIED = 100 * int(os.environ.get("MDW_EXAMPLES", "0")) or 60
BOUND = 1_000
"""Megabytes that the server and its workers may take, all together."""
JSON_LD = {
    "@context": {"name": "http://www.w3.org/2000/01/rdf-schema#label", "broader": {"@id": "urn:b", "@type": "@id"}},
    "@graph": [{"@id": "urn:t1", "name": ["Party", {"@value": "Partei", "@language": "de"}], "broader": "urn:t2"},
               {"@id": "urn:t2", "@type": "urn:c", "list": {"@list": [1, 2.5, True, None]}, "@reverse": {"urn:r": []}}],
}  # fmt: skip
TEXT = "MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.A IF S.B = 1 POPULATE T.C WITH 'x' || S.D\n"
TURTLE = """@prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
<urn:t> r:label "Party"@en, 'two lines' ; <urn:p> [ <urn:q> (1 2) ] ."""
RDF = "application/ld+json", "text/turtle", "application/n-triples", "application/rdf+xml", "application/json"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = loaded(tmp_path_factory.mktemp("bodies") / "store")
    with serving(store, "--allow-update", "--workers", "2", "--quiet") as found:
        yield found
    log = store.with_name("store.log").read_text(encoding="utf-8")
    assert "Traceback" not in log, log[-3000:]


def sent(server: Server, chance: random.Random) -> Answered:
    """One request with something wrong in it."""
    name = quote(mutated("T.A", chance), errors="replace")
    word = quote(chance.choice(BITS), errors="replace")
    match chance.randrange(6):
        case 0:
            body = damaged(JSON_LD, chance).encode(errors="replace")
            return server.ask("PUT", "/store?graph=urn:g", body, {"Content-Type": chance.choice(RDF)})
        case 1:
            body = damaged(JSON_LD, chance).encode(errors="replace")
            return server.ask("PUT", "/api/terms", body, {"Content-Type": "application/ld+json"})
        case 2:
            body = mutated(TURTLE, chance).encode(errors="replace")
            return server.ask("POST", "/store?default", body, {"Content-Type": chance.choice(RDF)})
        case 3:
            body = mutated(TEXT, chance).encode(errors="replace")
            return server.ask("POST", "/api/mappings", body, {"Content-Type": "text/plain"})
        case 4:
            body = mutated(SPARQL, chance).encode(errors="replace")
            return server.ask("POST", "/sparql", body, {"Content-Type": "application/sparql-query"})
        case _:
            place = chance.choice(("lineage", "impact", "attributes", "entities", "mappings", "explain"))
            return server.ask("GET", f"/api/{place}/{name}?when={word}&mode={word}&limit={word}")


def taken(server: Server) -> int:
    """Megabytes of a server and its workers."""
    every = [psutil.Process(one) for one in (server.process.pid, *server.children())]
    return sum(one.memory_info().rss for one in every) >> 20


def test_whatever_a_body_holds(server: Server) -> None:
    largest, of, refused = 0, -1, 0
    for seed in range(TRIED):
        found = sent(server, random.Random(seed))
        assert found.status in (200, 201, 204, 400, 404, 406, 413, 415, 422), f"seed {seed}: {found}"
        if found.status >= 400:
            refused += 1
            said = found.json
            assert said.get("detail") or said.get("errors") or found.status == 404, f"seed {seed}: {found}"
            assert "Traceback" not in found.body.decode()
        if (now := taken(server)) > largest:
            largest, of = now, seed
    print(f"{TRIED} seeds, {refused} refused; largest memory {largest} MB, after seed {of}")
    assert largest < BOUND
    assert refused > TRIED / 4
    assert server.query("ASK {}").status == 200


def test_broken_json_is_told_with_its_place(server: Server) -> None:
    body = json.dumps(JSON_LD, indent=1).replace('"@id": "urn:t1",', '"@id": "urn:t1"')
    found = server.ask("PUT", "/store?graph=urn:g", body, {"Content-Type": "application/ld+json"})
    line = 1 + body[: body.index('"urn:t1"')].count("\n")
    assert found.status == 400
    assert f"line {line + 1}" in found.json["detail"] or f"line {line}" in found.json["detail"], found.json


def test_no_context_is_fetched(server: Server) -> None:
    body = json.dumps({"@context": f"{server.url}/health", "@id": "urn:x", "name": "y"})
    found = server.ask("PUT", "/store?graph=urn:g", body, {"Content-Type": "application/ld+json"})
    assert found.status == 400, found
