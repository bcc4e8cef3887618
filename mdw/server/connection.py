"""Connections as uvicorn has them, and what it lacks: whoever says nothing, or next to nothing, is not waited for.

A head cannot grow or last without end, a body comes and an answer is read at a certain pace (`mdw.server.pace`), there
is room for so many (`mdw.server.room`), and a response leaves whole. The only module that builds on more of uvicorn
than it documents; pyproject.toml bounds its version for that.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from mdw.server.pace import PATIENCE, Pace
from mdw.server.room import Room

LONGEST = 1 << 16
"""Bytes of a head (request line and headers); bodies are limited where they are read."""
MOST = 100
"""Headers of a request."""
BODY = 600.0
"""Seconds in which a body is to come in."""
SMALL = 1 << 12
"""Bytes that wait for what is written next."""
LINGERING = 1.0
"""Seconds in which whoever is turned away may read why."""
AWAY = 16
"""Those who are at a time; more are cut off."""


class Connection(HttpToolsProtocol):
    """One of those that there is room for; the others are answered with 503.

    Answers a head that is too long with 400, a body that does not come with 408, and a head without end with nothing;
    whoever does not read is cut off.
    """

    room = Room()
    """Of all connections of a server; a subclass has its own."""
    address = ""
    _size = 0
    _number = 0
    _in_head = True
    _in_body = False
    _refused = _entered = False
    _came = 0
    _ending: asyncio.TimerHandle | None = None

    @classmethod
    def within(cls, room: Room) -> type[Connection]:
        """Connections that share a room."""
        return type(cls.__name__, (cls,), {"room": room})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there."""
        whole = Whole(transport, self.loop)
        super().connection_made(cast(asyncio.Transport, whole))
        self.address = self.client[0] if self.client else ""
        self._coming = Pace(self.loop, lambda: self._came if self._in_body else None, self._too_slow, BODY)
        whole.leaving = Pace(self.loop, whole.left, whole.abort)
        self._entered = self.room.enter(self)
        if self._entered:
            self._let_wait()
        elif self.room.turned_away < AWAY:
            self.room.turned_away += 1
            self._refuse(503, "There are too many connections; try again.")
        else:
            whole.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """It has gone."""
        self._stop_waiting()
        self._coming.stop()
        cast(Whole, self.transport).leaving.stop()
        if self._entered:
            self.room.leave(self)
        elif self._refused:
            self.room.turned_away -= 1
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Take some bytes."""
        if self._refused:  # they are taken, or the client would be told that nobody listens and not read why
            return
        self.room.heard(self)
        self._came += len(data)
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
        self._in_head, self._in_body = False, True
        self._stop_waiting()
        super().on_headers_complete()
        # where there is none it ends before this turn of the loop does
        self.loop.call_soon(self._coming.start)

    def on_message_complete(self) -> None:
        """It is there whole."""
        self._in_body = False
        self._coming.stop()
        super().on_message_complete()
        if not self._is_idle():
            self.room.owed(self)

    def on_response_complete(self) -> None:
        """It has been answered."""
        if self._entered and not self.pipeline:
            self.room.owes(self)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client does not read as fast as it is answered."""
        if self._entered:
            self.room.owes(self)
        super().pause_writing()

    def resume_writing(self) -> None:
        """It has read."""
        if self._entered and not self._is_idle():
            self.room.owed(self)
        super().resume_writing()

    def make_room(self) -> None:
        """Go at once: another client has come, and this one has said nothing for longest."""
        self._entered = self._refused = False
        cast(Whole, self.transport).abort()

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

    def _too_slow(self) -> None:
        if self.flow.read_paused:  # it is the server that does not take it
            self._coming.start()
        elif self.cycle.response_started:
            self.transport.close()
        else:
            # the application is told that the client has gone, and says no more
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self._refuse(408, "The body of the request did not come in time.")

    def _refuse(self, status: int, text: str) -> None:
        """Say why it is turned away, and close it when that has been read or a moment is over."""
        self._refused = True
        lead = b"connection: close\r\ncontent-type: text/plain\r\nretry-after: 1\r\ncontent-length: %d\r\n\r\n"
        transport = cast(Whole, self.transport)
        transport.write(STATUS_LINE[status] + lead % len(text) + text.encode())
        transport.write_eof()
        self.loop.call_later(LINGERING, transport.abort)


class Whole:
    """A transport that sends the head of a response with the first of its body: each piece would wake the client."""

    leaving: Pace

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""
        self._sent = 0
        self.is_closing = transport.is_closing  # asked for every request

    def write(self, data: bytes) -> None:
        """Send some bytes with those held back; a few alone are held back until this turn of the loop ends."""
        # uvicorn writes head and body one after the other, in one turn of the loop: the first waits for the second.
        if self._held or len(data) > SMALL:
            self._send(data)
        else:
            self._held = data
            self._loop.call_soon(self._send)

    def write_eof(self) -> None:
        """Send what is held back; no more is sent, but more may come."""
        self._send()
        self._transport.write_eof()

    def close(self) -> None:
        """Send what is held back, and no more."""
        self._send()
        self._transport.close()

    def abort(self) -> None:
        """Close it at once."""
        self._transport.abort()

    def left(self) -> int | None:
        """How many bytes have left for the client; None when all have."""
        waiting = self._transport.get_write_buffer_size()
        return self._sent - waiting if waiting else None

    def _send(self, data: bytes = b"") -> None:
        held, self._held = self._held, b""
        if held or data:
            self._sent += len(held) + len(data)
            self._transport.write(held + data)
            if self._transport.get_write_buffer_size():
                self.leaving.start()

    def __getattr__(self, name: str) -> Any:
        """Everything else is the transport's own."""
        return getattr(self._transport, name)
