"""Connections whose head (request line and headers) cannot grow without end; bodies are limited where they are read."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST = 1 << 16
"""Bytes of a head."""
MOST = 100
"""Headers of a request."""


class Connection(HttpToolsProtocol):
    """uvicorn's connection; a head that is too long is answered with 400, and the connection closed."""

    _size = 0
    _number = 0
    _in_head = True

    def data_received(self, data: bytes) -> None:
        """Take some bytes."""
        super().data_received(data)
        if self._in_head:
            self._size += len(data)
            if self._size > LONGEST and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

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
        super().on_headers_complete()

    def _add(self, size: int) -> None:
        self._size += size
        if self._size > LONGEST or self._number > MOST:
            raise ValueError("the head of the request is too long")
