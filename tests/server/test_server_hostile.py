"""Hundreds of requests that nobody of good will sends: each is refused, the server lives, its memory comes back."""

from __future__ import annotations

import os
import random
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import quote

import psutil
import pytest
from serving import Server, loaded, serving

REQUESTS = 500 if "MDW_EXAMPLES" in os.environ else 160
HOST = b"Host: 127.0.0.1\r\n"
LINES = b"\r\n\r\n"
WHOLE = b"GET /health HTTP/1.1\r\n" + HOST + b"\r\n"


def post(body: bytes, media: bytes = b"application/sparql-query", path: bytes = b"/sparql", more: bytes = b"") -> bytes:
    lead = b"POST " + path + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\nContent-Type: " + media + b"\r\n" + more
    return lead + b"Content-Length: %d" % len(body) + LINES + body


def get(path: str, more: bytes = b"") -> bytes:
    return (
        b"GET "
        + path.encode("latin-1", "replace")
        + b" HTTP/1.1\r\n"
        + HOST
        + b"Connection: close\r\n"
        + more
        + b"\r\n"
    )


def garbage(chance: random.Random, size: int) -> bytes:
    return bytes(chance.randrange(256) for _ in range(size))


def malformed(chance: random.Random) -> bytes:
    return chance.choice(
        [
            garbage(chance, 200) + LINES,
            b"GET / HTTP/9.9\r\n" + HOST + LINES,
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + garbage(chance, 100) + LINES,
            b"GET /sparql?query=ASK%7B%7D\r\n\r\n",
            post(b"ASK { ?s ?p", more=b"X: y\r\n"),
            post(garbage(chance, 300)),
            post(b"ASK {}", b"application/sparql-query; charset=utf-16"),
            post(b"query=" + quote(garbage(chance, 100)).encode(), b"application/x-www-form-urlencoded"),
            b"POST /sparql HTTP/1.1\r\n" + HOST + b"Content-Length: -5" + LINES,
            b"POST /sparql HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked" + LINES + b"zz\r\n",
        ]
    )


def huge(chance: random.Random) -> bytes:
    return chance.choice(
        [
            post(b"ASK { } #" + b"x" * (2 << 20)),
            get("/sparql?query=" + "A" * 200_000),
            get("/sparql?query=ASK", b"X-Long: " + b"y" * 200_000 + b"\r\n"),
            get("/sparql", b"".join(b"X-%d: y\r\n" % number for number in range(20_000))),
            post(b"SELECT * { VALUES ?x { " + b"1 " * 900_000 + b"} }"),
            b"PUT /store?graph=urn:g HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999999" + LINES,
        ]
    )


def deep(chance: random.Random) -> bytes:
    depth = chance.choice([600, 3_000, 20_000])
    opening, closing = chance.choice([("{", "}"), ("(", ")"), ("[", "]")])
    inside = {"{": "SELECT * %s", "(": "SELECT * { FILTER %s }", "[": "SELECT * { %s ?p ?o }"}[opening]
    nested = inside % (opening * depth + "1" * (opening == "(") + closing * depth)
    chain = chance.choice(["-", "+", "1=", "?s<", "^", "a/"])
    long = "SELECT * { ?s ?p ?o FILTER(" + chain * depth + "1) }"
    return post(
        chance.choice(
            [nested, long, "SELECT * { ?s " + "^" * depth + "a ?o }", "SELECT * { " + "?s a ?o . " * depth + "}"]
        ).encode()
    )


def wrong(chance: random.Random) -> bytes:
    return chance.choice(
        [
            get("/sparql?query=ASK%7B%7D&timeout=never"),
            get("/sparql?query=ASK%7B%7D&default-graph-uri=not%20an%20iri"),
            get("/sparql?query=ASK%7B%7D&format=/etc/passwd"),
            get("/sparql?query=ASK%7B%7D&query=ASK%7B%7D"),
            get("/sparql?query=ASK%7B%7D", b"Accept: image/png\r\n"),
            get("/sparql?update=CLEAR%20ALL"),
            get("/sparql?query=SELECT%20*%20%7B%20SERVICE%20%3Chttp%3A%2F%2F127.0.0.1%3A9%2F%3E%20%7B%7D%20%7D"),
            get("/sparql?query=SELECT%20*%20%7B%20%3Fx%20%3Curn%3Ap%3E%2B%20%3Fy%20%7D"),
            post(b"ASK {}", b"text/plain"),
            post(b"CLEAR ALL", b"application/sparql-update", more=b"Origin: http://evil.example\r\n"),
            post(b"LOAD <file:///etc/passwd>", b"application/sparql-update"),
            post(b"INSERT DATA { ?x a 1 }", b"application/sparql-update"),
            post(b"a: b", b"text/turtle", b"/store?graph=urn:g"),
            post(b"<a> <b> <c> .", b"image/png", b"/store?graph=urn:g"),
            post(b"--x\r\n\r\n", b"multipart/form-data; boundary=y", b"/store?graph=urn:g"),
            b"BREW /sparql HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
            b"DELETE /sparql HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
        ]
    )


def tricky(chance: random.Random) -> bytes:
    return chance.choice(
        [
            get("/../../etc/passwd"),
            get("/store/..%2f..%2f..%2fetc%2fpasswd"),
            get("/static/..%2f..%2fpyproject.toml"),
            get("/admin/running/..%2f..%2f"),
            get("/store?graph=file:///etc/passwd%0d%0aX-Injected:%20yes"),
            get("/store?graph=" + quote("urn:g> { } } ; DROP ALL ; #")),
            get("/sparql?query=ASK%7B%7D%0d%0aX: y"),
            get("/sparql?query=ASK", b"Host: evil.example\r\n"),
            get("/nowhere"),
            post(b"", b"text/turtle", b"/admin/backup?name=..%2f..%2fx", b"Origin: http://evil.example\r\n"),
        ]
    )


KINDS = [malformed, huge, deep, wrong, tricky]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = loaded(tmp_path_factory.mktemp("hostile") / "store")
    with serving(store, "--allow-update", "--timeout", "10", "--quiet") as running:
        yield running


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits half a second for a head or some bytes, and has 256 descriptors."""
    store = loaded(tmp_path_factory.mktemp("impatient") / "store")
    changed = "from mdw.server import connection, pace\nconnection.PATIENCE = pace.PATIENCE = 0.5"
    few = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))"
    with serving(store, "--allow-update", "--workers", "2", changed=f"{changed}\n{few}") as running:
        yield running


def send(server: Server, content: bytes) -> bytes:
    """What comes back for some bytes, the first of it."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        try:
            connection.sendall(content)
            return connection.recv(4096)
        except (ConnectionError, TimeoutError):
            return b""


def memory(server: Server) -> float:
    """Megabytes that the server and its workers hold."""
    every = [psutil.Process(server.process.pid), *map(psutil.Process, server.children())]
    return sum(one.memory_info().rss for one in every) / 1e6


def test_hundreds_of_hostile_requests(server: Server) -> None:
    chance = random.Random(7)
    requests = [(kind.__name__, kind(chance)) for kind in [KINDS[n % len(KINDS)] for n in range(REQUESTS)]]
    server.wait_for_readers(4)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: send(server, one[1]), requests[:100]))
        before = memory(server)  # what every worker keeps from its first requests on is in it
        answers += pool.map(lambda one: send(server, one[1]), requests[100:])
    bad = [
        (kind, content[:200], answer[:300])
        for (kind, content), answer in zip(requests, answers, strict=True)
        if answer and not answer.startswith(b"HTTP/1.1 4")
    ]
    assert bad == []
    assert sum(bool(answer) for answer in answers) > REQUESTS * 0.9
    assert not any(b"Traceback" in answer or b"X-Injected:" in answer.partition(LINES)[0] for answer in answers)
    time.sleep(1)
    assert server.query("ASK {}").json == {"head": {}, "boolean": True}
    assert server.query("ASK { ?m a mdw:Mapping }").json["boolean"], "what was there is there"
    assert memory(server) < before + 100


def test_clients_that_say_nothing_hold_nobody_up(server: Server) -> None:
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
    try:
        for number, connection in enumerate(silent):
            connection.sendall(b"POST /sparql HTTP/1.1\r\nContent-Length: 100\r\n\r\n"[: 10 + number % 40])
        start = time.monotonic()
        assert server.query("ASK {}").status == 200
        assert time.monotonic() - start < 2
    finally:
        for connection in silent:
            connection.close()


@pytest.mark.parametrize("begun", [b"", b"GET /spar", b"GET / HTTP/1.1\r\nHost: x", WHOLE + b"GET", WHOLE + b"\r\n"])
def test_connections_whose_heads_have_no_end_are_closed(impatient: Server, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=4) as connection:
        for piece in filter(None, begun.partition(WHOLE)):
            connection.sendall(piece)
            time.sleep(0.1)
        while connection.recv(4096):
            pass


def test_a_request_that_takes_long_is_not_taken_for_one_without_end(impatient: Server) -> None:
    slow = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p . ?q ?r ?s }"
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=10) as connection:
        connection.sendall(post(slow.encode(), path=b"/query?timeout=2").replace(b"Connection: close\r\n", b""))
        connection.sendall(b"GET /health")
        assert connection.recv(4096).startswith(b"HTTP/1.1 503")


LONG = b"SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
"""Its answer has a million bytes and more."""


def received(connection: socket.socket) -> bytes:
    """All that comes until it is closed."""
    found = bytearray()
    with suppress(ConnectionError):
        while piece := connection.recv(1 << 16):
            found += piece
    return bytes(found)


def traces(server: Server) -> list[str]:
    log = (server.store.parent / f"{server.store.name}.log").read_text()
    return [line for line in log.splitlines() if "Traceback" in line]


@pytest.mark.parametrize("dripping", [False, True], ids=["half a body", "a byte a moment"])
def test_a_body_that_does_not_come_is_not_waited_for(impatient: Server, dripping: bool) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=5) as connection:
        connection.sendall(post(b"ASK {}" * 100)[:-500])
        start = time.monotonic()
        connection.settimeout(0.05 if dripping else 5)
        while time.monotonic() < start + 5:
            try:
                answer = connection.recv(4096)
                break
            except TimeoutError:
                connection.sendall(b"{")
        assert time.monotonic() < start + 4
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_clients_that_do_not_read_hold_no_workers(impatient: Server) -> None:
    deaf = []
    for _ in range(3):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", impatient.port))
        connection.sendall(post(LONG, path=b"/query"))
        deaf.append(connection)
    time.sleep(0.2)
    start = time.monotonic()
    assert impatient.query("ASK { ?a ?b ?c . ?d ?e ?f }").status == 200, "a worker does it"
    assert time.monotonic() < start + 8
    for connection in deaf:
        connection.close()
    assert traces(impatient) == []


def test_a_client_that_reads_slowly_but_reads_has_its_answer(impatient: Server) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=5) as connection:
        connection.sendall(post(b"SELECT * { ?a ?b ?c }", path=b"/query"))
        time.sleep(0.7)
        assert received(connection).endswith(b"]}}")


def test_six_hundred_that_say_nothing_lock_nobody_out(impatient: Server) -> None:
    begun = [b"", WHOLE[:20], post(b"ASK {}")[:-3], WHOLE]
    idle = []
    try:
        for number in range(600):
            idle.append(socket.create_connection(("127.0.0.1", impatient.port), timeout=5))
            with suppress(ConnectionError):
                idle[-1].sendall(begun[number % len(begun)])
            if number % 200 == 199:
                assert impatient.query("ASK {}").status == 200
        assert impatient.update("INSERT DATA { <urn:a> <urn:b> 1 }").status == 204
    finally:
        for connection in idle:
            connection.close()
    assert psutil.Process(impatient.process.pid).num_fds() < 256
    log = (impatient.store.parent / f"{impatient.store.name}.log").read_text()
    assert [line for line in log.splitlines() if '"INFO"' not in line and "Invalid HTTP" not in line] == []


@pytest.mark.parametrize("path", ["/sparql", "/store?graph=urn:g", "/api/mappings"])
def test_leaving_in_the_middle_is_nothing_to_make_a_fuss_about(impatient: Server, path: str) -> None:
    media = b"application/sparql-query" if path == "/sparql" else b"text/turtle"
    with socket.create_connection(("127.0.0.1", impatient.port)) as connection:
        connection.sendall(post(b"<urn:a> a <urn:b> ." * 100, media, path.encode())[:-10])
        time.sleep(0.05)
    with socket.create_connection(("127.0.0.1", impatient.port)) as connection:
        connection.sendall(post(LONG, path=b"/query"))
        connection.recv(100)
    assert impatient.query("ASK {}").status == 200
    assert traces(impatient) == []
