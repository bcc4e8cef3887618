"""Five hundred requests that nobody of good will sends: each is refused, the server lives, its memory comes back."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import psutil
import pytest
from serving import Server, loaded, serving

REQUESTS = 500
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
    """A server that waits half a second for a head."""
    store = loaded(tmp_path_factory.mktemp("impatient") / "store")
    with serving(store, changed="from mdw.server import connection\nconnection.PATIENCE = 0.5") as running:
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


def test_five_hundred_hostile_requests(server: Server) -> None:
    chance = random.Random(7)
    requests = [(kind.__name__, kind(chance)) for kind in [KINDS[n % len(KINDS)] for n in range(REQUESTS)]]
    before = memory(server)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: send(server, one[1]), requests))
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
    assert memory(server) < before + 150


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
