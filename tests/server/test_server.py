"""The server as its clients meet it: a real process, real connections."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import pytest
from places import BANK, ROOT, SUITES
from serving import Server, free_port, loaded, serving

from mdw import Warehouse
from mdw.cli.operating import GUIDE
from mdw.cli.serving import serve, token
from mdw.server import access, connection, pace, room
from mdw.server.negotiation import ROWS, TRIPLES
from mdw.server.observing import PLACES
from mdw.server.service import Limits
from mdw.server.workers.pool import PATIENCE
from mdw.store.directory import Directory

W3C = SUITES / "w3c"
MAPPING = "MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.A IF S.B = 1"
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that takes updates, with few limits on it."""
    store = loaded(tmp_path_factory.mktemp("server") / "store")
    with serving(store, "--allow-update", "--timeout", "20") as running:
        yield running


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A read-only server with a good deal of triples and tight limits."""
    store = tmp_path_factory.mktemp("crowded") / "store"
    lines = "".join(f"<urn:s{n}> <urn:p> <urn:s{n + 1}> .\n" for n in range(20_000))
    path = store.parent / "lines.nt"
    path.write_text(lines)
    with Warehouse(store) as warehouse:
        warehouse.load(path).raise_for_errors()
    limits = ("--timeout", "2", "--workers", "2", "--max-rows", "5000", "--max-bytes", "600000")
    with serving(store, *limits) as running:
        yield running


# -- the standards ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not W3C.is_dir(), reason="the W3C suite is not beside the project")
def test_the_protocol_suite_passes_whole(tmp_path: Path) -> None:
    with serving(loaded(tmp_path / "store"), "--allow-update") as fresh:
        addresses = ["--query", f"{fresh.url}/sparql", "--update", f"{fresh.url}/sparql", "--gsp", f"{fresh.url}/store"]
        command = [sys.executable, str(W3C / "protocol_suite.py"), "--wipe", str(W3C), *addresses]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.stdout.splitlines()[-1] == "51 passed, 0 failed", run.stdout


@pytest.mark.parametrize(
    ("accept", "query", "media"),
    [
        ("", "SELECT * {}", "application/sparql-results+json"),
        ("*/*", "ASK {}", "application/sparql-results+json"),
        ("text/csv;q=0.1, application/xml;q=0.9", "SELECT * {}", "application/xml"),
        ("text/tab-separated-values", "SELECT * {}", "text/tab-separated-values"),
        ("", "CONSTRUCT WHERE { ?s ?p ?o }", "text/turtle"),
        ("application/n-triples", "DESCRIBE <urn:x>", "application/n-triples"),
        ("application/ld+json, text/turtle;q=0.5", "CONSTRUCT WHERE { ?s ?p ?o }", "application/ld+json"),
        ("application/rdf+xml", "CONSTRUCT WHERE { ?s ?p ?o }", "application/rdf+xml"),
        ("application/trig", "CONSTRUCT WHERE { ?s ?p ?o }", "application/trig"),
    ],
)
def test_an_answer_comes_in_the_form_that_is_accepted(server: Server, accept: str, query: str, media: str) -> None:
    answered = server.query(query, accept)
    assert (answered.status, answered.headers["content-type"].partition(";")[0]) == (200, media)


def test_format_wins_over_what_is_accepted(server: Server) -> None:
    assert server.query("SELECT (1 AS ?a) {}", "application/xml", format="csv").body == b"a\r\n1\r\n"
    assert server.query("SELECT * {}", format="turtle").status == 406


def test_nothing_acceptable_is_said_to_be_so(server: Server) -> None:
    answered = server.query("SELECT * {}", "image/png")
    assert (answered.status, answered.headers["content-type"]) == (406, "application/problem+json")


def test_the_usual_graph_is_the_union_of_all_and_the_description_says_so(server: Server) -> None:
    assert server.update("INSERT DATA { GRAPH <urn:union> { <urn:a> <urn:b> 1 } }").status == 204
    asked = "ASK { <urn:a> <urn:b> 1 }"
    assert server.query(asked).json["boolean"]
    assert not server.query(asked, **{"union-default-graph": "false"}).json["boolean"]
    assert not server.query("ASK FROM <urn:other> { <urn:a> <urn:b> 1 }").json["boolean"]
    assert "UnionDefaultGraph" in server.ask("GET", "/sparql").body.decode()


def test_prefixes_of_the_ontology_need_not_be_declared(server: Server) -> None:
    assert server.query("ASK { ?m a mdw:Mapping }").status == 200


def test_an_answer_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    path = "/sparql?query=ASK%7B%7D"
    tag = server.ask("GET", path).headers["etag"]
    assert server.ask("GET", path, headers={"If-None-Match": tag}).status == 304
    assert server.update("INSERT DATA { <urn:etag> <urn:b> 1 }").status == 204
    assert server.ask("GET", path, headers={"If-None-Match": tag}).status == 200


def test_a_graph_that_changed_meanwhile_is_not_replaced(server: Server) -> None:
    assert server.put("/store?graph=urn:g1", "<urn:a> <urn:b> 1 .").status == 201
    tag = server.ask("GET", "/store?graph=urn:g1").headers["etag"]
    headers = {"Content-Type": "text/turtle", "If-Match": tag}
    assert server.ask("PUT", "/store?graph=urn:g1", "<urn:a> <urn:b> 2 .", headers).status == 204
    assert server.ask("PUT", "/store?graph=urn:g1", "<urn:a> <urn:b> 3 .", headers).status == 412
    assert b"2" in server.ask("GET", "/store?graph=urn:g1").body


def test_a_long_answer_is_compressed_where_that_is_accepted(server: Server) -> None:
    answered = server.ask(
        "GET", "/store?default=&format=trig".replace("default=&", ""), headers={"Accept-Encoding": "gzip"}
    )
    assert answered.headers["content-encoding"] == "gzip"


def test_blank_nodes_of_two_files_stay_apart(server: Server) -> None:
    for _ in range(2):
        assert server.put("/store?graph=urn:blank", "_:x <urn:b> _:x .", method="POST").status in (201, 204)
    assert server.query("SELECT DISTINCT ?s { GRAPH <urn:blank> { ?s ?p ?o } }").body.count(b'"bnode"') == 2


def test_a_file_that_cannot_be_read_changes_nothing(server: Server) -> None:
    assert server.put("/store?graph=urn:kept", "<urn:a> <urn:b> 1 .").status == 201
    answered = server.put("/store?graph=urn:kept", "<urn:a> <urn:b> .")
    assert answered.status == 400
    assert "Turtle cannot be read" in answered.json["detail"]
    assert server.query("ASK { GRAPH <urn:kept> { <urn:a> <urn:b> 1 } }").json["boolean"]


# -- real clients ------------------------------------------------------------------------------------------------------


def test_rdflib_reads_and_writes(server: Server) -> None:
    from rdflib import Graph, Literal, URIRef
    from rdflib.plugins.stores.sparqlstore import SPARQLUpdateStore

    store = SPARQLUpdateStore(f"{server.url}/sparql", f"{server.url}/update")
    graph = Graph(store, URIRef("urn:rdflib"))
    graph.add((URIRef("urn:a"), URIRef("urn:b"), Literal("c")))
    assert [str(row[0]) for row in graph.query("SELECT ?o { <urn:a> <urn:b> ?o }")] == ["c"]
    assert list(graph) == [(URIRef("urn:a"), URIRef("urn:b"), Literal("c"))]


def test_sparqlwrapper_reads(server: Server) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper")
    client = wrapper.SPARQLWrapper(f"{server.url}/sparql", returnFormat=wrapper.JSON)
    client.setQuery("SELECT ?t { VALUES ?t { 1 2 } } ORDER BY ?t")
    found = client.queryAndConvert()
    assert [row["t"]["value"] for row in found["results"]["bindings"]] == ["1", "2"]
    client.setQuery("CONSTRUCT { <urn:a> <urn:b> 1 } {}")
    client.setReturnFormat(wrapper.TURTLE)
    assert b"urn:a" in client.queryAndConvert()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_reads(server: Server) -> None:
    query = "query=SELECT (1 AS ?a) {}"
    run = subprocess.run(
        ["curl", "-s", "-H", "Accept: text/csv", f"{server.url}/sparql", "--data-urlencode", query],
        capture_output=True,
        timeout=20,
    )
    assert run.stdout == b"a\r\n1\r\n"


# -- limits ------------------------------------------------------------------------------------------------------------


def busy(server: Server) -> list[int]:
    """Workers that compute; one may be killed at any moment, which leaves nothing to be asked."""
    before = {one: computed(one) for one in server.workers()}
    time.sleep(0.3)
    return [one for one, seconds in before.items() if computed(one) - seconds > 0.05]


def computed(worker: int) -> float:
    """Seconds that a process has computed, none if there is none."""
    with suppress(psutil.Error):
        return sum(psutil.Process(worker).cpu_times()[:2])
    return 0.0


def idle(server: Server) -> bool:
    """Whether nothing computes any more, soon."""
    return any(not busy(server) for _ in range(20))


def test_what_takes_too_long_is_ended_and_said_to_be(crowded: Server) -> None:
    start = time.monotonic()
    answered = crowded.query(SLOW, timeout="0.5")
    assert (answered.status, answered.json["detail"]) == (503, "not done within 0.5 seconds")
    assert time.monotonic() - start < 3
    assert idle(crowded)
    assert crowded.query("ASK { <urn:s1> <urn:p> ?o }").json["boolean"]


def test_nobody_may_ask_for_longer_than_the_server_allows(crowded: Server) -> None:
    start = time.monotonic()
    assert crowded.query(SLOW, timeout="1000").status == 503
    assert time.monotonic() - start < 8


def test_a_client_that_goes_away_ends_its_query(crowded: Server) -> None:
    with socket.create_connection(("127.0.0.1", crowded.port)) as connection:
        body = SLOW.encode()
        head = "POST /sparql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/sparql-query\r\n"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert any(busy(crowded) for _ in range(5))
    assert idle(crowded)


def test_a_reader_that_goes_away_in_the_middle_ends_its_query(server: Server) -> None:
    """The answer is longer than all buffers on the way: a worker that goes on with it would wait for the reader."""
    some = " ".join(map(str, range(50)))
    query = quote("SELECT * {" + "".join(f"VALUES ?v{number} {{ {some} }} " for number in range(4)) + "}")
    workers = set(server.workers())
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(f"GET /query?query={query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        assert workers <= set(server.workers())
    ends = time.monotonic() + 10
    while workers <= set(server.workers()):
        assert time.monotonic() < ends, "it was killed before its time was up"
        time.sleep(0.05)
    assert server.query("ASK {}").status == 200


@pytest.mark.parametrize("form", ["json", "xml", "csv", "tsv"])
def test_too_many_rows_are_refused(crowded: Server, form: str) -> None:
    few = "VALUES ?s { <urn:s1> <urn:s2> }"
    many = "SELECT (1 AS ?n) { ?s <urn:p> ?o } LIMIT "
    assert crowded.query(f"SELECT ?s {{ {few} }}", format=form).status == 200
    assert crowded.query(f"{many} 5000", format=form).status == 200
    try:
        answered = crowded.query(f"{many} 5001", format=form)
    except http.client.IncompleteRead:
        assert form in ("json", "xml"), "so long that a part of it had been sent"
    else:
        assert (answered.status, "more than 5000 rows" in answered.json["detail"]) == (413, True)


def test_an_answer_that_fails_half_way_is_never_taken_for_whole(crowded: Server) -> None:
    with pytest.raises(http.client.IncompleteRead):
        crowded.ask("GET", "/store?format=nquads")


def test_texts_that_are_too_long_are_refused(crowded: Server) -> None:
    assert crowded.query("ASK { } #" + "x" * (2 << 20)).status == 413


def test_a_running_query_can_be_seen_and_killed(tmp_path: Path) -> None:
    store = loaded(tmp_path / "store")
    tokens = {role: access.add(store, role, role) for role in access.ROLES}
    admin = {"Authorization": f"Bearer {tokens['admin']}"}
    with serving(store, "--timeout", "60") as running, ThreadPoolExecutor(1) as pool:
        headers = {"Content-Type": "application/sparql-query", "Authorization": f"Bearer {tokens['read']}"}
        slow = pool.submit(
            running.ask, "POST", "/sparql", SLOW.replace("{ ?a", "{ ?u ?v ?w . ?x ?y ?z . ?j ?k ?l . ?a"), headers
        )
        jobs = []
        for _ in range(100):
            if jobs := running.ask("GET", "/admin/running", headers=admin).json["running"]:
                break
            time.sleep(0.05)
        assert (jobs[0]["what"], jobs[0]["client"]) == ("query", "read")
        assert running.ask("DELETE", f"/admin/running/{jobs[0]['id']}", headers=admin).status == 204
        assert slow.result(20).status == 503
        assert running.ask("DELETE", f"/admin/running/{jobs[0]['id']}", headers=admin).status == 404
        assert running.ask("GET", "/admin/running", headers=headers).status == 403
        assert running.ask("GET", "/sparql").status == 401
        update = headers | {"Content-Type": "application/sparql-update"}
        assert running.ask("POST", "/sparql", "CLEAR ALL", update).status == 403
        update["Authorization"] = f"Bearer {tokens['update']}"
        assert running.ask("POST", "/sparql", "CLEAR DEFAULT", update).status == 204


# -- changes -----------------------------------------------------------------------------------------------------------


def test_a_server_is_read_only_unless_told_otherwise(crowded: Server) -> None:
    assert crowded.update("CLEAR ALL").status == 403
    assert crowded.put("/store?graph=urn:g", "").status == 403
    assert crowded.ask("POST", "/admin/compact").status == 403


def test_pages_of_other_sites_and_other_names_are_turned_away(server: Server) -> None:
    assert server.update("CLEAR DEFAULT", Origin="http://evil.example").status == 403
    assert server.ask("GET", "/sparql", headers={"Host": "evil.example"}).status == 400


def test_whoever_asks_after_a_change_sees_it(server: Server) -> None:
    for number in range(20):
        assert server.update(f"INSERT DATA {{ <urn:seen> <urn:n> {number} }}").status == 204
        assert server.query(f"ASK {{ <urn:seen> <urn:n> {number} }}").json["boolean"]


def test_an_update_is_whole_or_not_at_all(server: Server) -> None:
    assert server.update("CREATE GRAPH <urn:there>").status == 204
    answered = server.update("INSERT DATA { <urn:half> <urn:b> 1 } ; CREATE GRAPH <urn:there>")
    assert answered.status != 204
    assert not server.query("ASK { <urn:half> ?p ?o }").json["boolean"]


def test_no_acknowledged_update_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    store = loaded(tmp_path / "store")
    acknowledged: list[int] = []

    def write(running: Server, first: int) -> None:
        for number in range(first, first + 10_000):
            try:
                if (
                    running.update(f"INSERT DATA {{ <urn:k{number}> <urn:a> 1 . <urn:k{number}> <urn:b> 2 }}").status
                    == 204
                ):
                    acknowledged.append(number)
            except (OSError, http.client.HTTPException):
                return

    with ThreadPoolExecutor(2) as pool, serving(store, "--allow-update") as running:
        writers = [pool.submit(write, running, first) for first in (0, 100_000)]
        end = time.monotonic() + 30
        while len(acknowledged) <= 20 and time.monotonic() < end:  # each waits for the disk, and disks differ
            time.sleep(0.1)
        os.killpg(running.process.pid, signal.SIGKILL)
        running.process.wait()
        for writer in writers:
            writer.result()
    assert len(acknowledged) > 20
    with serving(store) as again:
        rows = again.query("SELECT ?s (COUNT(*) AS ?n) { ?s <urn:a>|<urn:b> ?o } GROUP BY ?s").rows
    assert {row["n"] for row in rows} == {"2"}
    assert {f"urn:k{number}" for number in acknowledged} <= {row["s"] for row in rows}


def test_eight_clients_read_while_one_loads_and_see_whole_states(server: Server) -> None:
    """Each load puts as many triples into one graph as into the other: no reader ever sees a difference."""

    def load() -> None:
        for loads in range(8):
            size = 50 + 400 * (loads % 3)
            data = " . ".join(f"<urn:r{n}> <urn:p> {loads}" for n in range(size))
            graphs = "".join(f"GRAPH <urn:{side}> {{ {data} }} " for side in ("left", "right"))
            cleared = "DROP SILENT GRAPH <urn:left> ; DROP SILENT GRAPH <urn:right>"
            change = f"{cleared} ; INSERT DATA {{ {graphs} }}"
            assert server.update(change).status == 204

    def read() -> list[tuple[int, bool]]:
        seen = []
        sides = "{ GRAPH <urn:left> { ?l ?p ?o } } UNION { GRAPH <urn:right> { ?r ?p ?o } }"
        query = f"SELECT (COUNT(?l) AS ?left) (COUNT(?r) AS ?right) {{ {sides} }}"
        while not loading.done():
            answered = server.query(query)
            ((row),) = answered.rows
            seen.append((answered.status, row["left"] == row["right"]))
        return seen

    with ThreadPoolExecutor(9) as pool:
        loading = pool.submit(load)
        readers = [pool.submit(read) for _ in range(8)]
        assert {one for reader in readers for one in reader.result()} == {(200, True)}
        loading.result()


def test_readers_do_not_wait_for_a_change_that_takes_long(tmp_path: Path) -> None:
    many = " ".join(f"GRAPH ?g{number} {{ ?a{number} ?b{number} ?c{number} }}" for number in range(9))
    long = f"INSERT {{ <urn:n> <urn:n> ?n }} WHERE {{ SELECT (COUNT(*) AS ?n) {{ {many} }} }}"
    with serving(loaded(tmp_path / "store"), "--allow-update") as server, ThreadPoolExecutor(1) as pool:
        assert server.update("INSERT DATA { <urn:a> <urn:b> 1 }").status == 204
        time.sleep(0.2)
        change = pool.submit(server.update, long)
        while not any(one["what"] == "update" for one in server.ask("GET", "/admin/running").json["running"]):
            time.sleep(0.01)
        assert server.query("SELECT ?o { <urn:a> <urn:b> ?o }").rows == [{"o": "1"}]
        running = server.ask("GET", "/admin/running").json["running"]
        assert [one["what"] for one in running] == ["update"]
        assert server.ask("DELETE", f"/admin/running/{running[0]['id']}").status == 204
        assert change.result(30).status == 503


def test_backups_come_back(server: Server, tmp_path: Path) -> None:
    assert server.update("INSERT DATA { <urn:backup> <urn:b> 1 }").status == 204
    answered = server.ask("POST", "/admin/backup?name=one")
    assert answered.status == 201
    assert server.ask("POST", "/admin/backup?name=one").status == 409
    assert server.ask("POST", "/admin/backup?name=..%2Fx").status == 400
    assert server.ask("POST", "/admin/compact").status == 204
    restored = tmp_path / "restored"
    mdw = [sys.executable, "-m", "mdw"]
    assert subprocess.run([*mdw, "restore", answered.json["folder"], "--store", str(restored)]).returncode == 0
    with Warehouse(restored) as warehouse:
        assert warehouse.query("ASK { <urn:backup> <urn:b> 1 }") is True
        in_use = subprocess.run(
            [*mdw, "restore", answered.json["folder"], "--store", str(restored)], capture_output=True, text=True
        )
        assert (in_use.returncode, "in use" in in_use.stderr) == (1, True)


def test_what_another_process_puts_in_the_stores_place_is_served(tmp_path: Path) -> None:
    store, other = loaded(tmp_path / "store"), loaded(tmp_path / "other", MAPPING.replace("T.A", "T.LATER"))
    mdw = [sys.executable, "-m", "mdw"]
    later = "ASK { <urn:mdw:attribute:T.LATER> ?p ?o }"
    with serving(store, "--allow-update") as running:
        assert not running.query(later).json["boolean"]
        with Warehouse(other) as warehouse:
            warehouse.backup(tmp_path / "backup")
        fresh = Directory(store).fresh()
        shutil.copytree(tmp_path / "backup", fresh, ignore=shutil.ignore_patterns("LOCK"))
        Directory(store).put_in_force(fresh.name)
        assert running.query(later).json["boolean"]
        assert running.update("INSERT DATA { <urn:a> <urn:b> 1 }").status == 204
        restore = subprocess.run(
            [*mdw, "restore", str(tmp_path / "backup"), "--store", str(store)], capture_output=True
        )
        assert restore.returncode == 1, "a store that is served is in use"


def test_pages_of_sites_that_are_allowed_may_read(tmp_path: Path) -> None:
    store = loaded(tmp_path / "store")
    with serving(store, "--allow-origin", "http://good.example") as running:
        for origin, wanted in (("http://good.example", "http://good.example"), ("http://evil.example", None)):
            answered = running.ask("GET", "/sparql?query=ASK%7B%7D", headers={"Origin": origin})
            assert answered.headers.get("access-control-allow-origin") == wanted
        asked = {"Origin": "http://good.example", "Access-Control-Request-Method": "GET"}
        assert running.ask("OPTIONS", "/sparql", headers=asked).status == 200


# -- operations --------------------------------------------------------------------------------------------------------


def test_it_says_how_it_is(server: Server) -> None:
    assert server.ask("GET", "/health").json == {"status": "ok"}
    figures = server.ask("GET", "/metrics").body.decode()
    assert re.search(r'^mdw_requests_total\{method="GET",place="health",status="200"\} [1-9]', figures, re.MULTILINE)
    assert "mdw_request_seconds_bucket" in figures


def test_it_logs_lines_of_json_and_changes_apart(tmp_path: Path) -> None:
    store, kept = loaded(tmp_path / "store"), tmp_path / "audit.jsonl"
    kept.write_text("{}\n")
    with serving(store, "--allow-update", "--audit", str(kept)) as running:
        running.update("INSERT DATA { <urn:a> <urn:b> 1 }")
        running.update("INSERT DATA {")
        running.update("INSERT DATA { <urn:a> <urn:b> 2 }", Origin="http://elsewhere.example")
        token = access.add(store, "ana", "read")
        running.query("ASK {}")
        assert running.ask("GET", "/query?query=ASK%7B%7D", headers={"Authorization": f"Bearer {token}"}).status == 200
    lines = [json.loads(line) for line in (tmp_path / "store.log").read_text().splitlines()]
    changes = [line for line in lines if line["logger"] == "mdw.audit"]
    assert [(line["message"], line["what"], line["client"]) for line in changes] == [
        ("changed", "update", "127.0.0.1"),
        ("not changed", "update", "127.0.0.1"),
        ("not allowed", "POST /sparql", "127.0.0.1"),
        ("not allowed", "POST /sparql", "127.0.0.1"),
    ]
    assert [json.loads(line) for line in kept.read_text().splitlines()] == [{}, *changes]
    assert any(line["logger"] == "mdw.requests" and line["path"] == "/sparql" for line in lines)
    assert token not in (tmp_path / "store.log").read_text()


def terminated(running: Server) -> None:
    running.process.send_signal(signal.SIGTERM)


def interrupted(running: Server) -> None:
    """As a terminal does it: every process of the group gets the signal."""
    os.killpg(running.process.pid, signal.SIGINT)


@pytest.mark.parametrize("stop", [terminated, interrupted])
def test_it_lets_running_requests_end_when_it_is_stopped(tmp_path: Path, stop: Callable[[Server], None]) -> None:
    store = tmp_path / "store"
    lines = tmp_path / "lines.nt"
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    lines.write_text("".join(f'<urn:s{number}> <urn:p> "{number}"^^{integer} .\n' for number in range(1500)))
    with Warehouse(store) as warehouse:
        warehouse.load(lines).raise_for_errors()
    slow = "SELECT (COUNT(*) AS ?n) { ?a <urn:p> ?b . ?c <urn:p> ?d FILTER(?b + ?d > 0) }"
    with serving(store) as running, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(running.query, slow)
        time.sleep(0.3)
        assert not answer.done()
        stop(running)
        assert answer.result(30).rows == [{"n": str(1500 * 1500 - 1)}]
        assert running.process.wait(20) == 0
        assert not (store / "snapshots").exists()
        assert "Traceback" not in (store.parent / f"{store.name}.log").read_text()


def test_others_are_not_let_in_without_tokens(tmp_path: Path) -> None:
    store = loaded(tmp_path / "store")
    command = [sys.executable, "-m", "mdw", "serve", "--store", str(store), "--host", "0.0.0.0", "--port", "0"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert (run.returncode, "make tokens first" in run.stderr) == (1, True)


def test_what_keeps_it_from_starting_is_said(server: Server, tmp_path: Path) -> None:
    store, odd = loaded(tmp_path / "store"), loaded(tmp_path / "odd")
    (odd / "tokens.json").write_text("nonsense")
    for where, port, said in (
        (odd, "0", "tokens.json is no file of tokens"),
        (tmp_path / "nowhere", "0", "there is no store"),
        (server.store, "0", "in use"),
        (store, str(server.port), "nothing can listen at 127.0.0.1"),
    ):
        command = [sys.executable, "-m", "mdw", "serve", "--store", str(where), "--port", port]
        run = subprocess.run(command, capture_output=True, text=True, timeout=20)
        assert (run.returncode, said in run.stderr, "Traceback" in run.stderr) == (1, True, False), run.stderr


def test_its_help_tells_operators_what_holds() -> None:
    pages = {"/", "static", "attribute", "entity", "mapping", "lineage", "impact", "ask"}
    assert [place for place in PLACES - pages if f" /{place}" not in GUIDE] == []
    assert [role for role in access.ROLES if f"    {role} " not in GUIDE] == []
    limits = Limits()
    said = (limits.waiting, f"{PATIENCE:g}", f"{limits.text >> 20} MiB", f"{limits.upload >> 20} MiB")
    head = (f"{connection.LONGEST >> 10} KiB", f"{connection.MOST} headers", f"{connection.PATIENCE:g} seconds")
    body = (f"{connection.BODY:g} seconds", f"{pace.LEAST} bytes a second", f"{room.MOST} connections")
    assert [one for one in (*said, *head, *body) if f"{one}" not in GUIDE] == []
    assert [form for form in {*ROWS.values(), *TRIPLES.values()} if form not in GUIDE] == []


def test_the_page_of_what_it_promises_names_options_that_exist() -> None:
    page = (ROOT / "data/SECURITY.md").read_text(encoding="utf-8")
    known = {name for option in serve.params for name in option.opts} | {
        name for one in token.params for name in one.opts
    }
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page)) - {"--help"} <= known


def test_the_example_of_its_help_works(tmp_path: Path) -> None:
    help_text = subprocess.run([sys.executable, "-m", "mdw", "serve", "--help"], capture_output=True, text=True).stdout
    lines = re.findall(r"^\s*\$ (.*)$", help_text, re.MULTILINE)
    assert len(lines) > 3
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    shutil.copytree(BANK, tmp_path / "data/bank")
    wait = "for i in $(seq 100); do curl -sf http://127.0.0.1:7878/health > /dev/null && break; sleep 0.1; done"
    script = "\n".join(
        ["set -e", *(f"{line}\n{wait}" if line.endswith("&") else line for line in lines), "kill %1; wait"]
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-mc", script.replace("7878", str(free_port()))],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert '"bindings":[{' in run.stdout, run.stderr
    assert '{"status":"ok"}' in run.stdout
