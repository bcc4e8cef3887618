"""Queries of one pattern, which the server looks up itself: it answers them as a worker does, whatever is sent."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import shutil
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qsl, quote, quote_plus

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serving import Answered, Server, serving

from mdw import Warehouse
from mdw.server import access
from mdw.server.asked import pairs
from mdw.store.directory import Directory

LEFT_TO_WORKERS = "from mdw.server import service\nservice.MOST_ROWS = -1"
POINT = "SELECT ?o { <urn:s> <urn:p> ?o }"
LONG = "".join(f'<urn:many> <urn:p> "value number {number}" .\n' for number in range(150))
TURTLE = f"""
<urn:s> <urn:p> "a", "b"@en, 5, 1.50, <urn:o>, [] .
<urn:ten> <urn:p> {", ".join(f'"{"x" * 150} {number}"' for number in range(10))} .
{LONG}"""


def get(query: str, *headers: str, path: str = "/query", more: str = "", method: str = "GET") -> bytes:
    """The bytes of a request for a query."""
    lines = "".join(f"{line}\r\n" for line in ("Host: 127.0.0.1:80", *headers))
    return f"{method} {path}?query={quote(query)}{more} HTTP/1.1\r\n{lines}\r\n".encode()


def post(body: bytes, media: str, *headers: str, path: str = "/query") -> bytes:
    lines = "".join(f"{line}\r\n" for line in ("Host: 127.0.0.1", f"Content-Type: {media}", *headers))
    return f"POST {path} HTTP/1.1\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body


SPARQL, FORM = "application/sparql-query", "application/x-www-form-urlencoded"
QUICK = [
    get(POINT),
    get(POINT, path="/sparql"),
    get(POINT, "Accept: application/json"),
    get(POINT, "Accept: */*", "Accept-Encoding: gzip, br", "User-Agent: x", "Connection: keep-alive"),
    get(POINT, "Connection: close"),
    get("SELECT * { <urn:ten> ?p ?o }"),
    get("SELECT * { <urn:ten> ?p ?o }", "Accept-Encoding: gzip"),
    get("SELECT * { <urn:many> ?p ?o } LIMIT 3"),
    get("ASK { <urn:s> <urn:p> <urn:o> }"),
    get("ASK { <urn:s> <urn:p> <urn:none> }"),
    get("SELECT ?x { ?x mdw:content ?name } LIMIT 2"),
    get('SELECT ?s { ?s <urn:p> "a" }', more="&format=json&timeout=5"),
    post(POINT.encode(), SPARQL),
    post(f"query={quote(POINT)}".encode(), FORM, path="/sparql"),
]
OTHERS = [
    get(POINT, "Accept: text/csv"),
    get(POINT, "Accept: image/png"),
    get(POINT, 'If-None-Match: "x"'),
    get(POINT, "Origin: http://elsewhere.example"),
    get(POINT, "Host: elsewhere.example"),
    get(POINT, "Expect: 100-continue"),
    get(POINT, more="&default-graph-uri=urn:mdw:none"),
    get(POINT, more="&union-default-graph=false"),
    get(POINT, more="&format=png"),
    get(POINT, more="&query=ASK%7B%7D"),
    get(POINT, path="/nowhere"),
    get(POINT, path="/sparql/"),
    get(POINT, path="//query"),
    get(POINT, path="http://127.0.0.1:80/query"),
    get(POINT, "Accept: text/csv", "Accept: application/json"),
    get(POINT, "Authorization: Basic YTpi"),
    get(POINT, "X-Forwarded-For: 192.0.2.1"),
    get(POINT, "Range: bytes=0-9"),
    get(POINT, "Upgrade: websocket", "Connection: upgrade"),
    get(POINT, more="&timeout=never"),
    get(POINT, more="&update=CLEAR%20ALL"),
    get(POINT, method="HEAD"),
    get(POINT, method="PUT"),
    get(POINT, method="get"),
    get(POINT).replace(b"HTTP/1.1", b"HTTP/1.0"),
    get(POINT).replace(b"HTTP/1.1", b"HTTP/9.9"),
    get(POINT).replace(b"?query=", b"?query=\x01"),
    get(POINT).replace(b"?query=", b"?query=\xc3\xa4"),
    get(POINT).replace(b"Host:", b"Ho st:"),
    get(POINT).replace(b"\r\n", b"\n"),
    get(POINT).replace(b"?query", b"?query%FF"),
    get(POINT).replace(b"%3C", b"<http://h/#"),
    get(POINT, more="#fragment"),
    get(POINT, f"X-Long: {'x' * 5000}"),
    get(POINT, "Content-Length: 5"),
    get(POINT, "Content-Length: 0", "Content-Length: 5"),
    get(POINT, "Transfer-Encoding: chunked") + b"0\r\n\r\n",
    get("SELECT * { <urn:many> ?p ?o }"),
    get("SELECT * { <urn:s> ?p ?o . ?o ?q ?r }"),
    get("SELECT * { <s> <urn:p> ?o }"),
    get("SELECT * { <urn:%zz> <urn:p> ?o }"),
    get("SELECT * { nobody:s <urn:p> ?o }"),
    get("SELECT * { <urn:s> <urn:p> ?o"),
    get(""),
    post(POINT.encode(), f"{SPARQL}; charset=latin-1"),
    post(POINT.encode(), "text/plain"),
    post(b"\xff" + POINT.encode(), SPARQL),
    post(b"INSERT DATA { <urn:x> <urn:y> <urn:z> }", "application/sparql-update"),
    b"nonsense\r\n\r\n",
    b"\r\n\r\n",
]


def answer(port: int, *pieces: bytes, pause: float = 0.0) -> Answered:
    """What a server answers, which it does."""
    found = answered(port, *pieces, pause=pause)
    assert found
    return found


def answered(port: int, *pieces: bytes, pause: float = 0.0, wait: float = 2.0) -> Answered | None:
    """What a server answers to some bytes, None if it closes the connection or says nothing."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        return received(connection, pieces[0].partition(b" ")[0].decode("latin-1"))


def received(connection: socket.socket, method: str = "GET") -> Answered | None:
    found = http.client.HTTPResponse(connection, method=method)
    try:
        found.begin()
        headers = {name.lower(): re.sub(r'W/"\w+-', 'W/"', value) for name, value in found.getheaders()}
        return Answered(found.status, {name: value for name, value in headers.items() if name != "date"}, found.read())
    except (http.client.HTTPException, TimeoutError):
        return None


def plain(answer: Answered | None) -> object:
    """An answer, with its rows in an order of their own."""
    if answer is None:
        return None
    body = gzip.decompress(answer.body) if answer.headers.get("content-encoding") == "gzip" else answer.body
    headers = {name: value for name, value in answer.headers.items() if name != "content-length"}
    if "allow" in headers:
        headers["allow"] = ", ".join(sorted(headers["allow"].split(", ")))
    try:
        found = json.loads(body)
    except ValueError:
        return answer.status, headers, re.sub(rb"_:\w+", b"_:", body)
    if "results" in found:
        found["results"]["bindings"].sort(key=str)
    return answer.status, headers, found


def filled(folder: Path) -> Path:
    with Warehouse(folder) as warehouse:
        warehouse.load("MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.A IF S.B = 1").raise_for_errors()
        path = folder.parent / "more.nt"
        path.write_bytes(ox.serialize(ox.parse(TURTLE, ox.RdfFormat.TURTLE), format=ox.RdfFormat.N_TRIPLES) or b"")
        warehouse.load(path).raise_for_errors()
    return folder


def figure(server: Server, name: str = "mdw_looked_up_total", **headers: str) -> float:
    figures = server.ask("GET", "/metrics", headers=headers).body.decode()
    found = re.search(rf"^{re.escape(name)} (.*)$", figures, re.MULTILINE)
    return float(found[1]) if found else 0.0


def wait_until_looked_up(server: Server, request_: bytes = get(POINT)) -> None:
    """Ask until it is the server itself that answers: that is so soon after a change."""
    before = figure(server)
    for _ in range(200):
        answered(server.port, request_)
        if figure(server) > before:
            return
        time.sleep(0.02)
    raise AssertionError("workers answer everything")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(filled(tmp_path_factory.mktemp("points") / "store"), "--allow-update") as running:
        wait_until_looked_up(running)
        yield running


@pytest.fixture(scope="module")
def other(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the same that leaves everything to workers."""
    store = tmp_path_factory.mktemp("other") / "store"
    shutil.copytree(server.store, store, ignore=shutil.ignore_patterns("snapshots", "LOCK"))
    with serving(store, "--allow-update", changed=LEFT_TO_WORKERS) as running:
        yield running
        assert figure(running) == 0


def spoiled(request_: bytes) -> st.SearchStrategy[bytes]:
    """A request with some of its bytes left out or put in."""
    place = st.integers(0, len(request_))
    return st.builds(
        lambda start, end, more: request_[: min(start, end)] + more + request_[max(start, end) :],
        place,
        place,
        st.binary(max_size=3) | st.sampled_from([b"\r\n", b"?", b"%", b"&query=", b":", b" ", b"{", b">"]),
    )


# -- the same answers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", QUICK)
def test_the_server_itself_answers_as_a_worker_does(server: Server, other: Server, request_: bytes) -> None:
    method, place = re.match(rb"(\w+) /(\w+)", request_).groups()  # type: ignore[union-attr]
    count = f'mdw_requests_total{{method="{method.decode()}",place="{place.decode()}",status="200"}}'
    before = figure(server), figure(server, count)
    assert plain(answered(server.port, request_)) == plain(answered(other.port, request_))
    assert (figure(server), figure(server, count)) == (before[0] + 1, before[1] + 1)


@pytest.mark.parametrize("request_", OTHERS)
def test_whatever_is_odd_is_answered_as_ever(server: Server, other: Server, request_: bytes) -> None:
    with ThreadPoolExecutor(2) as pool:  # what is not answered is waited for
        ours, theirs = pool.map(lambda one: answered(one.port, request_), (server, other))
    assert plain(ours) == plain(theirs)


@given(st.sampled_from([*QUICK, *OTHERS]).flatmap(spoiled))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_is_sent_is_answered_in_two_ways(server: Server, other: Server, request_: bytes) -> None:
    whole = request_ if b"\r\n\r\n" in request_ else request_ + b"\r\n\r\n"
    ours, theirs = (answered(one.port, whole, wait=0.3) for one in (server, other))
    assert ours is None or theirs is None or plain(ours) == plain(theirs)


def test_a_request_that_comes_in_pieces_is_answered(server: Server) -> None:
    assert len(answer(server.port, *(bytes([one]) for one in get(POINT)), pause=0.001).rows) == 6


def test_requests_one_after_another_on_a_connection_are_answered_in_order(server: Server) -> None:
    asked = [get(POINT), get("ASK {}"), get(POINT), get("ASK { <urn:s> ?p ?o }"), get(POINT)]
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        found = []
        for one in asked:
            connection.sendall(one)
            found.append(received(connection))
    assert [one and len(one.json.get("results", {}).get("bindings", ())) for one in found] == [6, 0, 6, 0, 6]
    assert [one and one.json.get("boolean") for one in found] == [None, True, None, True, None]


def test_requests_sent_at_once_are_answered_in_order(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(get(POINT) + get("ASK { <urn:s> ?p ?o }", "Connection: close"))
        found = b""
        while piece := connection.recv(65536):
            found += piece
    assert found.count(b"HTTP/1.1 200") == 2
    assert found.index(b"bindings") < found.index(b"boolean")


@given(st.text() | st.text(alphabet="query=&%+\\x41é;").map(lambda text: f"query={text}"))
def test_parameters_are_read_as_python_reads_them(text: str) -> None:
    for encoded in (text, f"query={quote(text)}", f"query={quote_plus(text)}"):
        assert pairs(encoded) == parse_qsl(encoded, keep_blank_values=True)


# -- changes, rights and limits --------------------------------------------------------------------------------------


def test_whoever_asks_after_a_change_sees_it(server: Server) -> None:
    query = get("SELECT ?o { <urn:n> <urn:p> ?o }")
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        for number in range(30):
            update = f"DELETE WHERE {{ <urn:n> <urn:p> ?o }}; INSERT DATA {{ <urn:n> <urn:p> {number} }}"
            assert server.update(update).status == 204
            for _ in range(4):
                connection.sendall(query)
                found = received(connection)
                assert found
                assert [row["o"] for row in found.rows] == [str(number)]
                time.sleep(0.005)


def test_what_another_process_loads_is_seen(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    query = get("SELECT ?x { ?x a mdw:Mapping . }")
    with serving(store) as server:
        wait_until_looked_up(server, query)
        before = answer(server.port, query).rows
        other = filled(tmp_path / "other")
        with Warehouse(other) as warehouse:
            warehouse.load("MAPPING n: WHEN POPULATING T2 FROM S2 POPULATE T2.A WITH S2.A").raise_for_errors()
        current = Directory(store).fresh()
        shutil.copytree(Directory(other).current, current)
        Directory(store).put_in_force(current.name)
        time.sleep(0.05)
        after = answer(server.port, query).rows
        assert {row["x"] for row in before} < {row["x"] for row in after}
        wait_until_looked_up(server, query)
        assert answer(server.port, query).rows == after


def test_tokens_hold(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    with serving(store) as server:
        wait_until_looked_up(server)
        token = access.add(store, "ana", "read")
        time.sleep(0.05)
        right = {"Authorization": f"Bearer {token}"}
        before = figure(server, **right)
        assert answer(server.port, get(POINT)).status == 401
        assert answer(server.port, get(POINT, f"Authorization: Bearer {token}x")).status == 401
        assert answer(server.port, get(POINT, f"Authorization: Bearer {token}")).status == 200
        assert figure(server, **right) == before + 1
    refused = [line for line in (tmp_path / "store.log").read_text().splitlines() if '"not allowed"' in line]
    assert len(refused) == 2


def test_limits_of_rows_and_bytes_hold(tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store"), "--max-rows", "5", "--max-bytes", "900") as server:
        wait_until_looked_up(server, get(f"{POINT} LIMIT 5"))
        assert answer(server.port, get(POINT)).status == 413
        assert answer(server.port, get(f"{POINT} LIMIT 5")).status == 200
        assert answer(server.port, get("SELECT * { <urn:ten> ?p ?o } LIMIT 3")).status == 200
        assert answer(server.port, get("SELECT * { <urn:ten> ?p ?o } LIMIT 5")).status == 413


def test_what_the_server_answers_itself_is_logged_like_any_other(tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store")) as server:
        wait_until_looked_up(server)
    lines = [json.loads(line) for line in (tmp_path / "store.log").read_text().splitlines()]
    said = [line for line in lines if line.get("path") == "/query"]
    assert len({json.dumps({name: line[name] for name in line if name not in ("time", "ms")}) for line in said}) == 1
    assert {"method": "GET", "status": 200, "client": "127.0.0.1"}.items() <= said[-1].items()


def test_readers_see_whole_states_while_another_changes_them(server: Server) -> None:
    ends = time.monotonic() + 3

    def read(_: int) -> set[tuple[str, ...]]:
        seen = set()
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            while time.monotonic() < ends:
                connection.sendall(get("SELECT ?o { <urn:state> <urn:p> ?o }"))
                found = received(connection)
                assert found
                assert found.status == 200
                seen.add(tuple(sorted(row["o"] for row in found.rows)))
        return seen

    before = figure(server)
    assert server.update('INSERT DATA { <urn:state> <urn:p> "0 a", "0 b" }').status == 204
    with ThreadPoolExecutor(8) as pool:
        reading = [pool.submit(read, number) for number in range(8)]
        number = 0
        while time.monotonic() < ends:
            number += 1
            inserted = f'INSERT DATA {{ <urn:state> <urn:p> "{number} a", "{number} b" }}'
            assert server.update(f"DELETE WHERE {{ <urn:state> <urn:p> ?o }}; {inserted}").status == 204
            time.sleep(0.3 if number % 3 == 0 else 0)  # the server opens a snapshot of its own meanwhile
        seen = set().union(*(one.result() for one in reading))
    assert len(seen) > 3
    assert figure(server) > before
    for state in seen:
        assert [one[-1] for one in state] == ["a", "b"]
        assert len({one[:-2] for one in state}) == 1
