"""Queries of one triple pattern with a short answer in JSON: the server looks it up itself, no worker is asked.

    GET -> headers (read once for all that are alike) -> what is asked -> a pattern -> its quads -> response
    POST, HEAD -> the endpoint -> a pattern -> its quads -> response

Whatever is unusual about such a request, or not allowed, goes on to the application, which says what there is to say.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mdw.model.errors import StoreError
from mdw.server import asked
from mdw.server.access import Access
from mdw.server.asked import Wanted
from mdw.server.negotiation import COMPRESSED, JSON, choose, compressing, said_of
from mdw.server.refusal import Refusal
from mdw.server.state import State
from mdw.server.watch import REST
from mdw.store.pattern import pattern

PLACES = {"/sparql": ("query", "update"), "/query": ("query",)}
"""Addresses where queries are answered, and what is answered there."""


class Sender(NamedTuple):
    """Who sends a request: what the headers say of it, where that bears on the answer."""

    accept: str
    authorization: str


class Known(NamedTuple):
    """An answer that was looked up, its media type, and the revision it is said of."""

    body: bytes
    media: str
    revision: int


class Points:
    """Answers such queries if they come by GET, with as little as possible in between; passes on everything else."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self._app = app
        self._state = state
        # its own look at the tokens: to look at the file for every request would be felt
        self._access = Access(state.service.store, rest=REST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or have the application answer."""
        known = None
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] in PLACES:
            known = self._known(scope)
        if known is None:
            await self._app(scope, receive, send)
            return
        body, media, revision = known
        born = self._state.service.born
        if len(body) >= COMPRESSED:
            # below that size nothing is ever compressed, and the headers are at hand: no Response has to be made
            await compressing(Response(body, 200, said_of(media, born, revision)))(scope, receive, send)
            return
        headers = [*_headers(media, born, revision), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _known(self, scope: Scope) -> Known | None:
        sender = _sender(tuple(scope["headers"]))
        if sender is None:
            return None
        state, (client, _) = self._state, scope["client"] or ("", 0)
        try:
            allowed, most = PLACES[scope["path"]], state.service.limits.text
            found = asked.understood("GET", asked.parameters(scope), "", b"", allowed, most)
            self._access.allow("read", sender.authorization, client)
        except (Refusal, StoreError):  # the application finds the same, tells the client and the audit log
            return None
        return looked_up(state, found, sender.accept) if found else None


def looked_up(state: State, found: Wanted, accept: str) -> Known | None:
    """The answer to a query; None unless it is a pattern that the server can look up now, answered in JSON."""
    wanted = pattern(found.text) if found.do == "query" else None
    if wanted is None or found.default or found.named or not found.union:
        return None
    try:
        media, written = choose("rows", accept, found.form)
    except Refusal:  # a worker may find more to refuse first
        return None
    answer = state.service.look_up(wanted) if written == JSON else None
    return Known(answer[0], media, answer[1]) if answer else None


@lru_cache(maxsize=100)  # few clients send many requests, each with the same headers; a head may be long
def _sender(headers: tuple[tuple[bytes, bytes], ...]) -> Sender | None:
    """What headers say; None if more depends on them than an answer: what the client has, where its page comes from."""
    first = {name: value.decode("latin-1") for name, value in reversed(headers)}
    if b"if-none-match" in first or b"origin" in first:
        return None
    return Sender(first.get(b"accept", ""), first.get(b"authorization", ""))


@lru_cache(maxsize=20)
def _headers(media: str, born: str, revision: int) -> list[tuple[bytes, bytes]]:
    said = said_of(media, born, revision)
    return [(name.lower().encode(), value.encode()) for name, value in said.items()]
