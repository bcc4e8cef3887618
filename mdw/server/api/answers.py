"""The JSON API under /api: search, what is known of a name, lineage, impact, requests, mapping text."""

from __future__ import annotations

import tempfile
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mdw.model.answers.things import THINGS
from mdw.server.api import parameters
from mdw.server.api.openapi import OPENAPI
from mdw.server.asked import body, content_type
from mdw.server.negotiation import rdf
from mdw.server.refusal import Refusal
from mdw.server.responding import respond
from mdw.server.state import State

MODES, POLICIES = ("active", "passive"), ("", "carry", "open", "closed")
TEXT = "text/plain"


async def search(request: Request) -> Response:
    """Names and business terms by words."""
    job = {
        "do": "search",
        "text": parameters.text(request, "q", None, most=500),
        "kinds": parameters.choices(request, "kind", THINGS),
        "limit": parameters.number(request, "limit", 20, 1, 1000),
    }
    return await answered(request, job)


async def attribute(request: Request) -> Response:
    """What is known of an attribute."""
    return await ask(request, "attribute", most=0)


async def entity(request: Request) -> Response:
    """What is known of an entity."""
    return await ask(request, "entity")


async def mapping(request: Request) -> Response:
    """A mapping's text."""
    return await ask(request, "mapping")


async def mappings(request: Request) -> Response:
    """The mappings, page by page; by POST some are read and loaded."""
    if request.method == "POST":
        return await _load(request)
    after = parameters.text(request, "after")
    return await ask(request, "mappings", after=after, limit=parameters.number(request, "limit", 100, 1, 1000))


async def requested(request: Request) -> Response:
    """What a request over semantic contexts finds."""
    return await ask(request, "request", text=parameters.text(request, "text", None))


async def lineage(request: Request) -> Response:
    """Where the values of an attribute come from."""
    return await ask(request, "trace", direction="lineage", **question(request))


async def impact(request: Request) -> Response:
    """What the values of an attribute feed."""
    return await ask(request, "trace", direction="impact", **question(request))


async def described(_: Request) -> Response:
    """The API, as OpenAPI describes it."""
    return JSONResponse(OPENAPI)


def question(request: Request) -> dict[str, Any]:
    """How lineage or impact is asked for."""
    return {
        "when": parameters.text(request, "when"),
        "mode": parameters.choice(request, "mode", MODES),
        "unpopulated": parameters.choice(request, "unpopulated", POLICIES),
    }


async def ask(request: Request, asked: str, **more: Any) -> Response:
    """The answer to one of the questions to the warehouse."""
    job = {"do": "ask", "question": asked, "name": request.path_params.get("name", ""), **more}
    return await answered(request, job)


async def answered(request: Request, job: dict[str, Any]) -> Response:
    """The answer of a reading worker."""
    state: State = request.app.state.mdw
    client = state.access.require(request, "read")
    return await respond(request, state.opening(job, client), state.service.limits.seconds, state.headed(request))


async def terms(request: Request) -> Response:
    """Business terms, taken in the place of those there are."""
    media, _ = content_type(request.headers.get("content-type", ""))
    found = await _changed(request, {"do": "terms", "media": rdf(media)})
    return JSONResponse({"terms": found["terms"]})


async def _load(request: Request) -> Response:
    media, _ = content_type(request.headers.get("content-type", ""))
    if media != TEXT:
        raise Refusal(415, f"mappings come as {TEXT}, not as {media or 'nothing'}")
    report = (await _changed(request, {"do": "load"}))["report"]
    return JSONResponse(report, 422 if report["errors"] else 200)


async def _changed(request: Request, job: dict[str, Any]) -> dict[str, Any]:
    """What the writer says of a job with the content that the request brings."""
    state: State = request.app.state.mdw
    client = state.access.require(request, "update")
    with tempfile.NamedTemporaryFile(prefix="mdw-") as file:
        file.write(await body(request, state.service.limits.upload))
        file.flush()
        return await state.change(request, job | {"content": file.name}, client)
