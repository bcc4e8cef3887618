"""Connections as uvicorn has them, and what it lacks: a head cannot grow or last without end, a response leaves whole.

The only module that builds on more of uvicorn than it documents; pyproject.toml bounds its version for that.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST = 1 << 16
"""Bytes of a head (request line and headers); bodies are limited where they are read."""
MOST = 100
"""Headers of a request."""
PATIENCE = 30.0
"""Seconds in which a head is to come in, the first of a connection or one that has begun."""
SMALL = 1 << 12
"""Bytes that wait for what is written next."""


class Connection(HttpToolsProtocol):
    """Answers a head that is too long with 400 and one without end with nothing, and is closed."""

    _size = 0
    _number = 0
    _in_head = True
    _ending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there."""
        super().connection_made(cast(asyncio.Transport, Whole(transport, self.loop)))
        self._let_wait()

    def connection_lost(self, error: Exception | None) -> None:
        """It has gone."""
        self._stop_waiting()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Take some bytes."""
        super().data_received(data)
        if self._in_head:
            self._size += len(data)
            if self._size > LONGEST and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")
        # uvicorn lets go of its own timer whatever comes, be it only a line end between two requests
        if self._ending is None and (self._in_head or self._is_idle()):
            self._let_wait()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._size = self._number = 0
        self._in_head = True
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Its address, or a part of it."""
        self._add(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One of its headers."""
        self._number += 1
        self._add(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Its body begins."""
        self._in_head = False
        self._stop_waiting()
        super().on_headers_complete()

    def _add(self, size: int) -> None:
        self._size += size
        if self._size > LONGEST or self._number > MOST:
            raise ValueError("the head of the request is too long")

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _let_wait(self) -> None:
        self._ending = self.loop.call_later(PATIENCE, self._end)

    def _stop_waiting(self) -> None:
        if self._ending:
            self._ending.cancel()
            self._ending = None

    def _end(self) -> None:
        self._ending = None
        if self._is_idle():
            self.transport.close()
        else:  # half a head came while the request before it is still being answered
            self._let_wait()


class Whole:
    """A transport that sends the head of a response with the first of its body: each piece would wake the client."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""
        self.is_closing = transport.is_closing  # asked for every request

    def write(self, data: bytes) -> None:
        """Send some bytes with those held back; a few alone are held back until this turn of the loop ends."""
        if self._held or len(data) > SMALL:
            self._send(data)
        else:
            self._held = data
            self._loop.call_soon(self._send)

    def close(self) -> None:
        """Send what is held back, and no more."""
        self._send()
        self._transport.close()

    def _send(self, data: bytes = b"") -> None:
        held, self._held = self._held, b""
        if held or data:
            self._transport.write(held + data)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the transport's own."""
        return getattr(self._transport, name)
