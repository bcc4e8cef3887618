"""A process that answers point queries itself and hands every other connection back to the server.

    python -m mdw.server.desks.process CHANNEL NUMBER DESKS RULES

A connection comes through the channel, a Unix socket, as one byte and a descriptor. What a client sends is looked at
before it is taken: if it is one whole request for a short answer to a point query, it is answered here and now; if not,
the connection goes back the same way, with all that the client has sent still in it.
"""

from __future__ import annotations

import gc
import json
import logging
import selectors
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter_ns

from mdw.server.board import BOARD, KINDS, Board
from mdw.server.desks.point import Point, Points, Rules
from mdw.server.observing import REQUESTS, log_lines

LOG = logging.getLogger("mdw.server")
CONNECTION, SHOW, READY = b"C", b"S", b"R"
"""A connection, to a desk or back; what a desk asks for when there is no snapshot of what is in force, and is told when
there is; what it says when it can begin."""
MOST = 1 << 16
"""Bytes of a request that is looked at."""
IDLE = 30.0
"""Seconds after which a connection that brings nothing is closed."""
PATIENCE = 1.0
"""Seconds a request waits here for a snapshot."""


@dataclass(eq=False, slots=True)
class Client:
    """A connection: who is at its other end, when it last brought anything, since when it waits for a snapshot.

    While it is ``aside``, nobody looks whether it brings anything.
    """

    connection: socket.socket
    name: str
    seen: float
    waits: float = 0.0
    aside: bool = False


class Desk:
    """One such process."""

    def __init__(self, channel: socket.socket, number: int, board: Board, points: Points) -> None:
        self._channel = channel
        self._number = number
        self._board = board
        self._points = points
        self._clients: set[Client] = set()
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)
        self._asked = False
        self._now = monotonic()
        self._tidied = self._now

    def work(self) -> None:
        """Answer until the server closes the channel."""
        self._channel.sendall(READY)
        while True:
            found = self._selector.select(PATIENCE)
            self._now = monotonic()
            for key, _ in found:
                if key.data is None:
                    if not self._told():
                        return
                    continue
                try:
                    self._serve(key.data)
                except Exception:
                    LOG.exception("a desk cannot answer")
                    self._hand_back(key.data)
            if self._now - self._tidied > PATIENCE:
                self._tidy()

    def _told(self) -> bool:
        """Take what the server sends; whether it is still there."""
        kind, descriptors, _, _ = socket.recv_fds(self._channel, 1, 1)
        if kind == CONNECTION and descriptors:
            self._welcome(socket.socket(fileno=descriptors[0]))
        elif kind == SHOW:
            self._asked = False
            for client in self._clients:
                if client.aside:
                    self._selector.register(client.connection, selectors.EVENT_READ, client)
                    client.aside = False
        return bool(kind)

    def _welcome(self, connection: socket.socket) -> None:
        try:
            client = Client(connection, connection.getpeername()[0], self._now)
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:  # it has gone already
            connection.close()
            return
        self._clients.add(client)
        self._selector.register(connection, selectors.EVENT_READ, client)

    def _serve(self, client: Client) -> None:
        try:
            request = client.connection.recv(MOST, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            request = b""
        if not request:
            self._close(client)
            return
        client.seen = self._now
        point = self._points.read(request)
        if point is None:
            self._hand_back(client)
        elif self._points.ready():
            self._answer(client, point, len(request))
        else:
            self._let_wait(client)

    def _answer(self, client: Client, point: Point, length: int) -> None:
        client.waits = 0.0
        start = perf_counter_ns()
        response = self._points.answer(point, client.name)
        if response is None:
            self._hand_back(client)
            return
        took = perf_counter_ns() - start
        self._board.count(self._number, point.head.kind, took)
        content, size = response
        try:
            client.connection.recv(length)
            sent = client.connection.send(content)
        except OSError:
            sent = 0
        if sent < len(content) or not point.head.stays:  # who does not read what was sent before is not sent more
            self._close(client)
        if REQUESTS.isEnabledFor(logging.INFO):
            method, place = KINDS[point.head.kind]
            said = {"method": method, "path": f"/{place}", "status": 200, "bytes": size}
            REQUESTS.info("answered", extra=said | {"client": client.name, "ms": round(took / 1e6, 1)})

    def _let_wait(self, client: Client) -> None:
        client.waits = client.waits or self._now
        client.aside = True
        self._selector.unregister(client.connection)
        if not self._asked:
            self._asked = True
            self._channel.sendall(SHOW)

    def _hand_back(self, client: Client) -> None:
        with suppress(OSError):
            socket.send_fds(self._channel, [CONNECTION], [client.connection.fileno()])
        self._close(client)

    def _close(self, client: Client) -> None:
        if client not in self._clients:
            return
        self._clients.remove(client)
        if not client.aside:
            self._selector.unregister(client.connection)
        client.connection.close()

    def _tidy(self) -> None:
        self._tidied = self._now
        for client in list(self._clients):
            if client.aside:
                if self._now - client.waits > PATIENCE:
                    self._hand_back(client)
            elif self._now - client.seen > IDLE:
                self._close(client)


def main(channel: str, number: str, desks: str, given: str) -> None:
    """Work at the other end of a channel."""
    found = json.loads(given)
    log_lines(quiet=found.pop("quiet"))
    rules = Rules(**found)
    board = Board(Path(rules.snapshots, BOARD), int(desks))
    gc.freeze()
    with suppress(ConnectionError):  # the server has gone
        Desk(socket.socket(fileno=int(channel)), int(number), board, Points(board, rules)).work()


if __name__ == "__main__":
    main(*sys.argv[1:])
