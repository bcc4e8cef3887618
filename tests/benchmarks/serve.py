"""The server beside Oxigraph's own server, on the same quads, asked by the same clients.

Claims: 200,000 rows as JSON at 0.9 of its throughput or more; point queries from eight connections at 0.3 of its rate
or more, and while an aggregate of many seconds runs, at half of that. Ratios here are seconds against seconds, so the
claims read 1 / 0.9, 1 / 0.3 and 2 / 0.3.

Needs the core of mdw, PyPI's ``oxigraph`` installed beside it, 2 GB of memory and about 3 minutes, on idle cores: the
other server uses all processors, this one a single one.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from urllib.parse import quote
from urllib.request import Request, urlopen

from measuring import Measure, arguments, needs, report

# isort: split
import pyoxigraph as ox

from mdw.store.directory import Directory  # isort: skip
from serving import free_port  # isort: skip

CONNECTIONS, CLIENTS, TURNS = 8, 2, 3
ROWS = "SELECT ?s ?o WHERE { ?s <urn:mdw:bench> ?o }"
SLOW = "SELECT (COUNT(*) AS ?n) WHERE { ?a <urn:mdw:bench> ?x . ?b <urn:mdw:bench> ?y FILTER(STRLEN(?x) = STRLEN(?y)) }"


def fill(folder: Path, number: int) -> None:
    """A store of so many triples."""
    store = ox.Store(str(folder))
    lines = "".join(f'<urn:mdw:thing:{n}> <urn:mdw:bench> "value number {n}" .\n' for n in range(number))
    store.bulk_load(lines.encode(), ox.RdfFormat.N_TRIPLES)
    store.flush()


@contextmanager
def serving(command: list[str], port: int) -> Iterator[int]:
    """A server, once it answers."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                ask(port, "ASK {}")
                break
            except OSError:
                sleep(0.1)
        needs(f"a server that starts, unlike: {' '.join(command)}", process.poll() is None)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def ask(port: int, query: str, timeout: float = 60) -> int:
    """Bytes of the answer to a query."""
    headers = {"Accept": "application/sparql-results+json", "Content-Type": "application/sparql-query"}
    request = Request(f"http://127.0.0.1:{port}/query", query.encode(), headers)
    with urlopen(request, timeout=timeout) as found:
        size = 0
        while piece := found.read(1 << 20):
            size += len(piece)
        return size


def points(port: int, number: int, seconds: float, seed: int, connections: int) -> int:
    """Point queries answered on so many connections within so many seconds."""
    with ThreadPoolExecutor(connections) as pool:
        return sum(pool.map(lambda one: _points(port, number, seconds, seed + one), range(connections)))


def _points(port: int, number: int, seconds: float, seed: int) -> int:
    random, answered = Random(seed), 0
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        ends = perf_counter() + seconds
        while perf_counter() < ends:
            query = quote(f"SELECT ?o WHERE {{ <urn:mdw:thing:{random.randrange(number)}> <urn:mdw:bench> ?o }}")
            connection.sendall(
                f"GET /query?query={query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                "Accept: application/sparql-results+json\r\n\r\n".encode()
            )
            found = b""
            while b"value number" not in found or not found.endswith((b"]}}", b"0\r\n\r\n")):
                piece = connection.recv(65536)
                if not piece:
                    raise ConnectionError(found[:200])
                found += piece
            answered += 1
    return answered


def rate(port: int, number: int, seconds: float) -> float:
    """Point queries a second from all connections together."""
    with ProcessPoolExecutor(CLIENTS) as pool:
        each = CONNECTIONS // CLIENTS
        counts = pool.map(points, [port] * CLIENTS, [number] * CLIENTS, [seconds] * CLIENTS, [1, 100], [each] * CLIENTS)
        return sum(counts) / seconds


def rows(port: int) -> float:
    """Seconds of a whole answer."""
    start = perf_counter()
    ask(port, ROWS)
    return perf_counter() - start


def in_turn(measure: Callable[[int], float], ports: Sequence[int]) -> list[float]:
    """The best of what is measured of each server; they take turns, so that each has the machine at its best."""
    measured = [[measure(port) for port in ports] for _ in range(TURNS)]
    return [min(each) for each in zip(*measured, strict=True)]


def a_second(seconds: float) -> str:
    return f"{1 / seconds:.0f} a second"


def main() -> None:
    options = arguments(
        __doc__, triples=(int, 200_000, "triples"), seconds=(float, 5.0, "seconds that each rate is measured for")
    )
    program = Path(sys.executable).with_name("oxigraph")
    needs("the server of the package oxigraph: pip install oxigraph", program.exists())
    with TemporaryDirectory() as temporary:
        theirs, ours = Path(temporary, "theirs"), Path(temporary, "ours")
        fill(theirs, options.triples)
        shutil.copytree(theirs, Directory(ours).current, dirs_exist_ok=True)
        one, other = free_port(), free_port()
        oxigraph = [str(program), "serve-read-only", "--location", str(theirs)]
        mdw = [
            sys.executable,
            "-m",
            "mdw",
            "serve",
            "--store",
            str(ours),
            "--port",
            str(other),
            "--timeout",
            "60",
            "--quiet",
        ]
        theirs_too = [*oxigraph, "--bind", f"127.0.0.1:{one}", "--union-default-graph"]
        with serving(theirs_too, one), serving(mdw, other), ThreadPoolExecutor(1) as pool:
            sleep(2)
            their_rows, our_rows = in_turn(rows, (one, other))
            their_point, our_point = in_turn(
                lambda port: 1 / rate(port, options.triples, options.seconds), (one, other)
            )
            slow = pool.submit(ask, other, SLOW, 120)
            sleep(1)
            beside = 1 / rate(other, options.triples, options.seconds)
            late = ", aggregate ended before" if slow.done() else ""
        measures = [
            Measure("rows, theirs", their_rows, f"{options.triples} rows as JSON"),
            Measure("rows, ours", our_rows, "", our_rows / their_rows, 1 / 0.9, "theirs"),
            Measure("points, theirs", their_point, a_second(their_point)),
            Measure("points, ours", our_point, a_second(our_point), our_point / their_point, 1 / 0.3, "theirs"),
            Measure("points beside an aggregate", beside, "", beside / their_point, 2 / 0.3, f"theirs{late}"),
        ]
    report("Server", measures, options.json)


if __name__ == "__main__":
    main()
