"""Desks: they answer as the server does, hand back what they do not answer, and are missed by nobody when they die."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serving import Answered, Server, serving

from mdw import Warehouse
from mdw.server import access
from mdw.server.board import BOARD, Board
from mdw.server.desks import process as desk
from mdw.server.desks.point import Points, Rules
from mdw.server.desks.process import CONNECTION, READY, SHOW, Desk
from mdw.store.directory import MARKER, Directory

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
    get("SELECT ?x { ?x mdw:name ?name } LIMIT 2"),
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
    get(POINT, method="HEAD"),
    get(POINT, method="PUT"),
    get(POINT, method="get"),
    get(POINT).replace(b"HTTP/1.1", b"HTTP/1.0"),
    get(POINT).replace(b"HTTP/1.1", b"HTTP/9.9"),
    get(POINT).replace(b"?query=", b"?query=\x01"),
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


def answered(port: int, *pieces: bytes, pause: float = 0.0) -> Answered | None:
    """What a server answers to some bytes, None if it closes the connection or says nothing."""
    with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        return received(connection, pieces[0].partition(b" ")[0].decode())


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


def desks_of(server: Server) -> list[int]:
    return [
        one for one in server.children() if b"mdw.server.desks.process" in Path(f"/proc/{one}/cmdline").read_bytes()
    ]


def figure(server: Server, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (.*)$", server.ask("GET", "/metrics").body.decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def wait_for_desks(server: Server, number: int = 2) -> None:
    for _ in range(200):
        if figure(server, "mdw_desks") == number:
            return
        time.sleep(0.05)
    raise AssertionError("the desks are not ready")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with desks."""
    with serving(filled(tmp_path_factory.mktemp("desks") / "store"), "--desks", "2", "--allow-update") as running:
        wait_for_desks(running)
        yield running


@pytest.fixture(scope="module")
def alone(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the same without desks."""
    store = tmp_path_factory.mktemp("alone") / "store"
    shutil.copytree(server.store, store, ignore=shutil.ignore_patterns("snapshots", "LOCK"))
    with serving(store, "--desks", "0", "--allow-update") as running:
        yield running


@pytest.fixture
def points(tmp_path: Path) -> tuple[Points, Board]:
    """What a desk answers with, and the board it looks at."""
    store = filled(tmp_path / "store")
    snapshots = tmp_path / "snapshots"
    snapshots.mkdir()
    directory = Directory(store)
    ox.Store(str(directory.current)).backup(str(snapshots / "0"))
    board = Board(snapshots / BOARD, 1, new=True)
    board.show(0, (store / MARKER).stat().st_mtime_ns)
    rules = Rules(str(store), str(snapshots), "born", ["127.0.0.1"], 1 << 20, 5_000_000, 2 << 30)
    return Points(board, rules), board


def spoiled(request_: bytes) -> st.SearchStrategy[bytes]:
    """A request with some of its bytes left out or put in."""
    place = st.integers(0, len(request_))
    return st.builds(
        lambda start, end, more: request_[: min(start, end)] + more + request_[max(start, end) :],
        place,
        place,
        st.binary(max_size=3) | st.sampled_from([b"\r\n", b"?", b"%", b"&query=", b":", b" ", b"{", b">"]),
    )


# -- what is answered where ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", QUICK)
def test_a_desk_answers_as_the_server_does(server: Server, alone: Server, request_: bytes) -> None:
    method, place = re.match(rb"(\w+) /(\w+)", request_).groups()  # type: ignore[union-attr]
    count = f'mdw_requests_total{{method="{method.decode()}",place="{place.decode()}",status="200"}}'
    before = figure(server, count)
    assert plain(answered(server.port, request_)) == plain(answered(alone.port, request_))
    assert figure(server, count) == before + 1


@pytest.mark.parametrize("request_", QUICK)
def test_point_queries_are_answered_at_the_desk(points: tuple[Points, Board], request_: bytes) -> None:
    point = points[0].read(request_)
    assert point
    assert points[0].ready()
    assert points[0].answer(point, "127.0.0.1")


@pytest.mark.parametrize("request_", OTHERS)
def test_everything_else_is_handed_back(points: tuple[Points, Board], request_: bytes) -> None:
    point = points[0].read(request_)
    assert points[0].ready()
    assert point is None or points[0].answer(point, "127.0.0.1") is None


@pytest.mark.parametrize("request_", OTHERS)
def test_what_is_handed_back_is_answered_as_ever(server: Server, alone: Server, request_: bytes) -> None:
    assert plain(answered(server.port, request_)) == plain(answered(alone.port, request_))


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


# -- changes, rights and limits ------------------------------------------------------------------------------------


def test_whoever_asks_after_a_change_sees_it_at_the_desk(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        for number in range(30):
            update = f"DELETE WHERE {{ <urn:n> <urn:p> ?o }}; INSERT DATA {{ <urn:n> <urn:p> {number} }}"
            assert server.update(update).status == 204
            for _ in range(3):
                connection.sendall(get("SELECT ?o { <urn:n> <urn:p> ?o }"))
                found = received(connection)
                assert found
                assert [row["o"] for row in found.rows] == [str(number)]


def test_what_another_process_loads_is_seen_at_the_desk(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    with serving(store, "--desks", "1") as server:
        wait_for_desks(server, 1)
        query = get("SELECT ?x { ?x a mdw:Mapping . }")
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


def test_tokens_hold_at_the_desk(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    with serving(store, "--desks", "1") as server:
        wait_for_desks(server, 1)
        assert answer(server.port, get(POINT)).status == 200
        token = access.add(store, "ana", "read")
        time.sleep(0.05)
        assert answer(server.port, get(POINT)).status == 401
        assert answer(server.port, get(POINT, f"Authorization: Bearer {token}x")).status == 401
        assert answer(server.port, get(POINT, f"Authorization: Bearer {token}")).status == 200


def test_limits_of_rows_and_bytes_hold_at_the_desk(tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store"), "--desks", "1", "--max-rows", "5", "--max-bytes", "900") as server:
        wait_for_desks(server, 1)
        assert answer(server.port, get(POINT)).status == 413
        assert answer(server.port, get(f"{POINT} LIMIT 5")).status == 200
        assert answer(server.port, get("SELECT * { <urn:ten> ?p ?o } LIMIT 3")).status == 200
        assert answer(server.port, get("SELECT * { <urn:ten> ?p ?o } LIMIT 5")).status == 413


# -- desks that fail -----------------------------------------------------------------------------------------------


def test_desks_that_die_are_replaced_and_nobody_waits_for_them(tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store"), "--desks", "2") as server:
        wait_for_desks(server)
        before = desks_of(server)
        for one in before:
            os.kill(one, signal.SIGKILL)
        for _ in range(20):
            with suppress(ConnectionError):  # a connection that a desk had when it died
                assert answer(server.port, get(POINT)).status == 200
                break
        wait_for_desks(server)
        assert len(desks_of(server)) == 2
        assert not set(before) & set(desks_of(server))
        assert answer(server.port, get(POINT)).status == 200


def test_desks_end_with_the_server_even_if_it_is_killed(tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store"), "--desks", "2") as server:
        wait_for_desks(server)
        desks = desks_of(server)
        server.process.kill()
        server.process.wait()
        for _ in range(100):
            if not any(psutil.pid_exists(one) for one in desks):
                return
            time.sleep(0.05)
    raise AssertionError("desks are left over")


@contextmanager
def working(points: Points, board: Board) -> Iterator[socket.socket]:
    """A desk in a thread of its own; the server's end of its channel."""
    ours, theirs = socket.socketpair()

    def work() -> None:
        with suppress(ConnectionError):
            Desk(theirs, 0, board, points).work()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert ours.recv(1) == READY
        ours.settimeout(5)
        yield ours
    finally:
        ours.close()
        thread.join(5)
        theirs.close()


@contextmanager
def connected(channel: socket.socket, buffer: int = 1 << 16) -> Iterator[socket.socket]:
    """A client whose connection, which holds so many bytes on their way, has been given to a desk."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = socket.socket()
        client.settimeout(5)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.connect(listening.getsockname())
        given, _ = listening.accept()
        given.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        socket.send_fds(channel, [CONNECTION], [given.fileno()])
        given.close()
    with client:
        yield client


def taken_back(channel: socket.socket) -> tuple[bytes, bytes]:
    """What a desk sends to the server, and what the connection that comes with it has brought."""
    kind, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
    if not descriptors:
        return kind, b""
    with socket.socket(fileno=descriptors[0]) as connection:
        return kind, connection.recv(65536)


def test_a_connection_goes_back_with_all_it_has_brought(points: tuple[Points, Board]) -> None:
    with working(*points) as channel, connected(channel) as client:
        client.sendall(get(POINT))
        assert received(client)
        client.sendall(b"GET /metrics HTTP/1.1\r\n")
        assert taken_back(channel) == (CONNECTION, b"GET /metrics HTTP/1.1\r\n")


def test_a_request_waits_for_the_snapshot_of_what_was_changed(points: tuple[Points, Board], tmp_path: Path) -> None:
    answers, board = points
    with working(answers, board) as channel, connected(channel) as client:
        board.wanted = 1
        client.sendall(get(POINT))
        assert taken_back(channel) == (SHOW, b"")
        (tmp_path / "snapshots" / "0").rename(tmp_path / "snapshots" / "1")
        board.show(1, (tmp_path / "store" / MARKER).stat().st_mtime_ns)
        channel.sendall(SHOW)
        found = received(client)
        assert found
        assert found.headers["etag"] == 'W/"1-application/sparql-results+json"'


def test_who_waits_too_long_is_handed_back(points: tuple[Points, Board], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "PATIENCE", 0.1)
    answers, board = points
    with working(answers, board) as channel, connected(channel) as client:
        board.wanted = 1
        client.sendall(get(POINT))
        while (found := taken_back(channel)) == (SHOW, b""):
            channel.sendall(SHOW)
        assert found == (CONNECTION, get(POINT))


def test_who_brings_nothing_is_sent_away(points: tuple[Points, Board], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "PATIENCE", 0.05)
    monkeypatch.setattr(desk, "IDLE", 0.2)
    with working(*points) as channel, connected(channel) as client:
        client.sendall(get(POINT))
        assert received(client)
        assert client.recv(1) == b""


def test_who_does_not_read_holds_nobody_up(points: tuple[Points, Board]) -> None:
    """Their connection is cut, or handed back once requests are waiting in it."""
    with working(*points) as channel, connected(channel, buffer=4096) as client:
        client.settimeout(0.5)
        with suppress(ConnectionError, TimeoutError):
            for _ in range(500):
                client.sendall(get("SELECT * { <urn:ten> ?p ?o }"))
                time.sleep(0.002)
        with connected(channel) as other:
            other.sendall(get(POINT))
            assert received(other)


@given(st.binary(max_size=200) | st.sampled_from([*QUICK, *OTHERS]).flatmap(spoiled))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_is_sent_upsets_a_desk(points: tuple[Points, Board], request_: bytes) -> None:
    point = points[0].read(request_)
    assert points[0].ready()
    if point:
        points[0].answer(point, "127.0.0.1")


def test_readers_at_the_desks_see_whole_states_while_another_changes_them(server: Server) -> None:
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

    assert server.update('INSERT DATA { <urn:state> <urn:p> "0 a", "0 b" }').status == 204
    with ThreadPoolExecutor(8) as pool:
        reading = [pool.submit(read, number) for number in range(8)]
        number = 0
        while time.monotonic() < ends:
            number += 1
            inserted = f'INSERT DATA {{ <urn:state> <urn:p> "{number} a", "{number} b" }}'
            assert server.update(f"DELETE WHERE {{ <urn:state> <urn:p> ?o }}; {inserted}").status == 204
        seen = set().union(*(one.result() for one in reading))
    assert len(seen) > 3
    for state in seen:
        assert [one[-1] for one in state] == ["a", "b"]
        assert len({one[:-2] for one in state}) == 1
