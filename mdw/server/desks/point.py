"""Point queries, from the bytes of a request to the bytes of its response, with nothing between.

    bytes -> HTTP (httptools) -> what is asked (asked) -> a triple pattern -> its quads (snapshot) -> bytes

Whatever is not plainly a short answer to a point query is left to the server: `Points` says None.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from pathlib import Path
from time import time
from typing import NamedTuple

import httptools

from mdw.model.errors import MdwError, StoreError
from mdw.server import asked
from mdw.server.access import Access
from mdw.server.board import KINDS, Board
from mdw.server.negotiation import COMPRESSED, JSON, choose, said_of
from mdw.server.refusal import Refusal
from mdw.server.watch import Watch
from mdw.store.directory import MARKER
from mdw.store.pattern import Pattern, pattern
from mdw.store.snapshot import Snapshot

MOST = 100
"""Rows of a short answer, and quads that are looked at for it."""
SHORT = 1 << 14
"""Bytes of a short answer."""
REST = 0.01
"""Seconds between looks at files that others may change."""
LONGEST = 1 << 12
"""Bytes of the headers of a request that is looked at."""
MOST_HEADERS = 50
SPECIAL = {"origin", "expect", "upgrade", "transfer-encoding", "range", "x-forwarded-for"}
"""Headers that ask for more than an answer, and those whose names begin with ``if-``."""
_PARAMETERS = re.compile(rb'[!"$-~]*\Z')
"""What is sent of an address: visible characters but ``#``."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What desks are told when they start: what of the server's own rules bears on point queries."""

    store: str
    snapshots: str
    born: str
    hosts: list[str] | None
    text: int
    rows: int
    bytes: int


class Head(NamedTuple):
    """What the head of a request says: which of the KINDS it is, and its headers as far as they bear on the answer."""

    kind: int
    accept: str
    authorization: str
    content_type: str
    length: int
    zipped: bool
    stays: bool


class Point(NamedTuple):
    """A point query, the media type its answer is said to have, and the head of its request."""

    pattern: Pattern
    media: str
    head: Head


class Points:
    """Answers from the snapshot in force."""

    def __init__(self, board: Board, rules: Rules) -> None:
        self._board = board
        self._rules = rules
        self._access = Access(Path(rules.store), rest=REST)
        self._marker = Watch(Path(rules.store, MARKER), REST)
        self._most = min(MOST, rules.rows or MOST)
        self._short = min(SHORT, rules.bytes or SHORT)
        self._hosts = frozenset(rules.hosts) if rules.hosts else None
        self._revision = -1

    def read(self, request: bytes) -> Point | None:
        """The point query in a request; None if there is none, or anything unusual about it."""
        said, _, content = request.partition(b"\r\n\r\n")
        line, _, headers = said.partition(b" HTTP/1.1\r\n")
        address, _, given = line.partition(b"?")
        head = _head(address, headers, self._hosts) if len(headers) <= LONGEST else None
        if head is None or head.length != len(content) or not _PARAMETERS.match(given):
            return None
        method, parameters = KINDS[head.kind][0], given.decode("ascii")
        try:
            found = asked.understood(method, parameters, head.content_type, content, ("query",), self._rules.text)
            if found is None or found.default or found.named or not found.union:
                return None
            media, written = choose("rows", head.accept, found.form)
        except Refusal:
            return None
        wanted = pattern(found.text) if written == JSON else None
        return Point(wanted, media, head) if wanted else None

    def ready(self) -> bool:
        """Whether there is a snapshot that holds every change acknowledged so far."""
        if not self._board.shows(self._marker.changed()):
            return False
        if (revision := self._board.wanted) != self._revision:
            try:
                self._snapshot = Snapshot(Path(self._rules.snapshots, str(revision)))
            except StoreError:  # the next one has taken its place already
                return False
            self._revision = revision
        return True

    def answer(self, point: Point, client: str) -> tuple[bytes, int] | None:
        """The response, and how many bytes of it are the answer; None if the server is to answer, or refuse."""
        head = point.head
        try:
            self._access.allow("read", head.authorization, client)
            body = self._snapshot.look_up(point.pattern, self._most)
        except (MdwError, Refusal):
            return None
        if body is None or len(body) > self._short:
            return None
        is_long = len(body) >= COMPRESSED
        if is_long and head.zipped:
            body = gzip.compress(body, 1)
        usual = _usual(point.media, self._rules.born, self._revision, is_long, head.zipped, head.stays, int(time()))
        return b"%bContent-Length: %d\r\n\r\n%b" % (usual, len(body), body), len(body)


@lru_cache(maxsize=500)
def _head(address: bytes, headers: bytes, hosts: frozenset[str] | None) -> Head | None:
    """The head of a request to an address; None if it is not one that desks answer."""
    found = _Headers()
    parser = httptools.HttpRequestParser(found)
    try:
        parser.feed_data(b"%b HTTP/1.1\r\n%b\r\n\r\n" % (address, headers))
    except (httptools.HttpParserError, httptools.HttpParserUpgrade):
        return None
    kind = parser.get_method().decode("ascii"), found.address[1:]
    values = found.values
    if kind not in KINDS or found.number != len(values) or found.number > MOST_HEADERS:
        return None
    if not SPECIAL.isdisjoint(values) or any(name.startswith("if-") for name in values):
        return None
    host = values.get("host", "").lower()
    name, _, port = host.rpartition(":")
    if hosts is not None and host not in hosts and not (name in hosts and port.isdecimal()):
        return None
    length = values.get("content-length", "0")
    return Head(
        KINDS.index(kind),
        values.get("accept", ""),
        values.get("authorization", ""),
        values.get("content-type", ""),
        int(length) if length.isdecimal() else -1,
        "gzip" in values.get("accept-encoding", ""),
        "close" not in values.get("connection", "").lower(),
    )


class _Headers:
    """What the parser finds: an address, and headers, which may stand there more than once."""

    def __init__(self) -> None:
        self.address = ""
        self.values: dict[str, str] = {}
        self.number = 0

    def on_url(self, url: bytes) -> None:
        self.address += url.decode("latin-1")

    def on_header(self, name: bytes, value: bytes) -> None:
        self.number += 1
        self.values[name.decode("latin-1").lower()] = value.decode("latin-1")


@lru_cache(maxsize=100)
def _usual(media: str, born: str, revision: int, is_long: bool, zipped: bool, stays: bool, second: int) -> bytes:
    """The head of a response but for its length."""
    headers = {"Date": formatdate(second, usegmt=True)} | said_of(media, born, revision)
    if is_long:
        headers["Vary"] = "Accept, Accept-Encoding"
        if zipped:
            headers["Content-Encoding"] = "gzip"
    if not stays:
        headers["Connection"] = "close"
    return "".join(["HTTP/1.1 200 OK\r\n", *(f"{name}: {value}\r\n" for name, value in headers.items())]).encode()
