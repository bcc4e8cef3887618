"""A real server in a process of its own, and the plainest of clients."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from mdw import Warehouse

JSON = "application/sparql-results+json"
STARTING = 60.0
"""Seconds in which a server is to answer."""


@dataclass(frozen=True)
class Answered:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def rows(self) -> list[dict[str, str]]:
        return [{name: term["value"] for name, term in row.items()} for row in self.json["results"]["bindings"]]


@dataclass
class Server:
    """A server that runs."""

    port: int
    process: subprocess.Popen[bytes]
    store: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | str = b"",
        headers: Mapping[str, str] | None = None,
        wait: float = 60,
    ) -> Answered:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=wait)
        try:
            given = dict(headers or {})
            connection.request(method, path, body.encode() if isinstance(body, str) else body or None, given)
            found = connection.getresponse()
            return Answered(found.status, {k.lower(): v for k, v in found.getheaders()}, found.read())
        finally:
            connection.close()

    def query(self, sparql: str, accept: str = JSON, **parameters: str) -> Answered:
        asked = urlencode({"query": sparql, **parameters})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": accept}
        return self.ask("POST", "/sparql", asked, headers)

    def update(self, sparql: str, path: str = "/sparql", **headers: str) -> Answered:
        return self.ask("POST", path, sparql, {"Content-Type": "application/sparql-update", **headers})

    def put(self, path: str, turtle: str, media: str = "text/turtle", method: str = "PUT") -> Answered:
        return self.ask(method, path, turtle, {"Content-Type": media})

    def children(self) -> list[int]:
        """The server's own processes."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(one) for one in found.split()]

    def workers(self) -> list[int]:
        """Those that work; the others are what workers are copies of."""
        found = []
        for one in self.children():
            with suppress(OSError):
                if Path(f"/proc/{one}/comm").read_text() in ("mdw reader\n", "mdw writer\n"):
                    found.append(one)
        return found

    def wait_for_readers(self, number: int) -> None:
        """Wait until all are there: it answers as soon as one can."""
        until = time.monotonic() + STARTING
        while f'mdw_workers{{role="reader"}} {number}.0' not in self.ask("GET", "/metrics").body.decode():
            assert time.monotonic() < until, "they do not come"
            time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def serving(store: Path, *options: str, changed: str = "pass") -> Iterator[Server]:
    """`mdw serve` over a store, until the block ends; ``changed`` is Python that is run in its process first."""
    port = free_port()
    log = (store.parent / f"{store.name}.log").open("wb")
    # Where the tests run behind nohup, signals of a terminal that goes are ignored, by all that they start too.
    heard = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_DFL)"
    program = f"{heard}\n{changed}\nfrom mdw.cli import main\nmain()"
    command = [sys.executable, "-c", program, "serve", "--store", str(store), "--port", str(port), *options]
    process = subprocess.Popen(command, stderr=log, start_new_session=True)
    server = Server(port, process, store)
    try:
        wait_for(server)
        yield server
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            log.close()


def wait_for(server: Server) -> None:
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        if server.process.poll() is not None:
            raise AssertionError((server.store.parent / f"{server.store.name}.log").read_text())
        try:
            if server.ask("GET", "/health").status == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def loaded(folder: Path, text: str = "") -> Path:
    """A store that holds a mapping."""
    with Warehouse(folder) as warehouse:
        warehouse.load(
            text or "MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.A IF S.B = 1"
        ).raise_for_errors()
    return folder
