"""A worker's answer as an HTTP response: the status is held until the first piece or the end is there.

A small answer is sent whole. Of a longer one the status has gone out with the first piece; should it fail after that,
the connection is cut, so that no client takes a part for the whole.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mdw.model.visible import in_json
from mdw.server.refusal import Refusal
from mdw.server.workers.pool import Working
from mdw.server.workers.reply import PIECE

SOON = 0.05
"""Seconds after which a request that is still being worked on is watched: its client may have gone."""
Found = TypeVar("Found")
Opened = tuple[Working, int]
Headed = Callable[[dict[str, Any], int], tuple[int, dict[str, str]]]


class Cut(Exception):  # noqa: N818  it is no defect
    """An answer of which a part has been sent goes no further: its connection is to be cut."""


class Json(JSONResponse):
    """JSON in which every character can be seen."""

    def render(self, content: Any) -> bytes:
        """The bytes."""
        return in_json(json.dumps(content, ensure_ascii=False, separators=(",", ":"))).encode()


async def respond(
    request: Request, opening: AbstractAsyncContextManager[Opened], seconds: float, headed: Headed
) -> Response:
    """The response to a job; ``headed`` makes status and headers of its head and the revision it is said of.

    Refusal if the job is refused, or is not done in time.
    """
    stack = AsyncExitStack()
    ends = asyncio.get_running_loop().time() + seconds

    async def begin() -> tuple[Working, dict[str, Any], int, bytes]:
        working, revision = await stack.enter_async_context(opening)
        head = await working.head()
        first = await working.piece()
        if 0 < len(first) < PIECE:  # it was the only one: with its end the answer can go out whole
            await working.piece()
        return working, head, revision, first

    try:
        async with asyncio.timeout_at(ends):
            working, head, revision, first = await watched(request, begin())
        status, headers = headed(head, revision)
    # nothing has been sent: leaving the block that opened the job kills its worker if it still works
    except TimeoutError:
        await stack.aclose()
        raise Refusal(503, f"not done within {seconds:g} seconds") from None
    except BaseException:
        await stack.aclose()
        raise
    if working.ended:
        await stack.aclose()
        return Response(first, status, headers)
    return Streamed(_rest(stack, working, first), status, headers, ends)


class Streamed(StreamingResponse):
    """An answer in pieces, until ``ends`` (on the loop's clock): whoever reads slowly holds a worker no longer.

    `Cut` if it does not come to its end.
    """

    def __init__(self, pieces: AsyncGenerator[bytes], status: int, headers: dict[str, str], ends: float) -> None:
        super().__init__(pieces, status, headers)
        self._pieces = pieces
        self._ends = ends

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            async with asyncio.timeout_at(self._ends):
                await super().__call__(scope, receive, send)
        except TimeoutError:
            raise Cut("not done in time") from None
        except Refusal as refusal:
            raise Cut(refusal.detail) from refusal
        finally:  # wherever it stopped: the worker is let go of, or killed
            await self._pieces.aclose()


async def collected(
    request: Request, opening: AbstractAsyncContextManager[Opened], seconds: float
) -> tuple[bytes, dict[str, Any]]:
    """The whole of an answer and its head, for a page to be made of; Refusal as for `respond`."""

    async def collect() -> tuple[bytes, dict[str, Any]]:
        pieces = []
        async with opening as (working, _):
            head = await working.head()
            while piece := await working.piece():
                pieces.append(piece)
        return b"".join(pieces), head

    try:
        async with asyncio.timeout(seconds):
            return await watched(request, collect())
    except TimeoutError:
        raise Refusal(503, f"not done within {seconds:g} seconds") from None


async def _rest(stack: AsyncExitStack, working: Working, first: bytes) -> AsyncGenerator[bytes]:
    async with stack:
        yield first
        while piece := await working.piece():
            yield piece


async def watched(request: Request, work: Awaitable[Found]) -> Found:
    """What a work comes to; it is cancelled, and Refusal raised, if the client goes away meanwhile."""
    here = asyncio.current_task()
    watching: asyncio.Task[None] | None = None
    left = False

    async def watch() -> None:
        nonlocal left
        while (await request.receive())["type"] != "http.disconnect":
            pass
        left = True
        if here:
            here.cancel()

    def begin() -> None:
        nonlocal watching
        watching = asyncio.create_task(watch())

    # most answers are there before; a task for each of those would cost more than it is worth
    soon = asyncio.get_running_loop().call_later(SOON, begin)
    try:
        return await work
    except asyncio.CancelledError:
        if left and here:  # it was this that cancelled, not the server that stops
            here.uncancel()
            raise Refusal(503, "the client has gone") from None
        raise
    finally:
        soon.cancel()
        if watching:
            watching.cancel()
