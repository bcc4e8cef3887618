"""The SPARQL endpoint: queries, updates and its own description (SPARQL 1.1 Protocol, Service Description)."""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import Request
from starlette.responses import Response

from mdw.server import asked
from mdw.server.asked import Wanted
from mdw.server.negotiation import choose
from mdw.server.protocol import description, point
from mdw.server.refusal import Refusal
from mdw.server.responding import respond
from mdw.server.state import State
from mdw.server.workers.jobs import RunQuery, RunUpdate


async def sparql(request: Request) -> Response:
    """Queries and updates at one address, told apart; the description of the service where there is neither."""
    return await _answered(request, ("query", "update"))


async def query(request: Request) -> Response:
    """Queries only."""
    return await _answered(request, ("query",))


async def update(request: Request) -> Response:
    """Updates only."""
    return await _answered(request, ("update",))


async def _answered(request: Request, allowed: Collection[str]) -> Response:
    state: State = request.app.state.mdw
    found = await asked.read(request, tuple(allowed), state.service.limits.text)
    if found is None:
        if request.method == "POST" or "query" not in allowed:
            raise Refusal(400, f"the request holds no {' and no '.join(allowed)}")
        state.access.require(request, "read")
        return _described(request)
    if found.do == "update":
        return await _updated(request, state, found)
    client = state.access.require(request, "read")
    accept, headed = request.headers.get("accept", ""), state.headed(request)
    # what comes by GET would have been looked up before it got here
    if request.method != "GET" and (known := point.looked_up(state, found, accept)):
        status, headers = headed({"media": known.media}, known.revision)
        return Response(known.body, status, headers)
    most = state.service.limits.seconds
    job = query_job(request, found, accept=accept, rows=state.service.limits.rows)
    opening = state.service.reading(job, client)
    return await respond(request, opening, min(found.seconds or most, most), headed)


def query_job(request: Request, found: Wanted, *, accept: str, rows: int) -> RunQuery:
    """What a worker is told to do for a query."""
    state: State = request.app.state.mdw
    return RunQuery(
        text=found.text,
        base=_base(request),
        accept=accept,
        form=found.form,
        default=found.default,
        named=found.named,
        union=found.union,
        calls=state.calls,
        free_paths=state.free_paths,
        rows=rows,
    )


async def _updated(request: Request, state: State, found: Wanted) -> Response:
    client = state.access.require(request, "update")
    job = RunUpdate(text=found.text, base=_base(request), default=found.default, named=found.named, calls=state.calls)
    await state.change(request, job, client, found.seconds)
    return Response(status_code=204)


def _base(request: Request) -> str:
    return str(request.url.replace(query="", fragment=""))


def _described(request: Request) -> Response:
    media, written = choose("triples", request.headers.get("accept", ""), request.query_params.get("format", ""))
    return Response(description.described(_base(request), written), media_type=media)
