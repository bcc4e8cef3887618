"""The JSON API under /api: search, what is known of a name, lineage, impact, requests, mapping text."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response

from mdw.model.answers.things import THINGS
from mdw.model.rules import MODES, POLICIES, Policy
from mdw.server.api import parameters
from mdw.server.api.openapi import OPENAPI
from mdw.server.asked import body, content_type
from mdw.server.negotiation import rdf
from mdw.server.refusal import Refusal
from mdw.server.responding import Json, respond
from mdw.server.state import State
from mdw.server.workers.jobs import (
    AskAttribute,
    AskEntity,
    AskExplanation,
    AskMapping,
    AskMappings,
    AskReport,
    AskRequest,
    AskTrace,
    FindNames,
    Job,
    LoadMappings,
    LoadTerms,
)

CHOICES: tuple[Policy | Literal[""], ...] = ("", *POLICIES)
TEXT = "text/plain"


async def search(request: Request) -> Response:
    """Names and business terms by words."""
    job = FindNames(
        text=parameters.text(request, "q", None, most=500),
        kinds=parameters.choices(request, "kind", THINGS),
        limit=parameters.number(request, "limit", 20, 1, 1000),
    )
    return await answered(request, job)


async def attribute(request: Request) -> Response:
    """What is known of an attribute."""
    return await answered(request, AskAttribute(name=name_of(request)))


async def entity(request: Request) -> Response:
    """What is known of an entity."""
    return await answered(request, AskEntity(name=name_of(request)))


async def mapping(request: Request) -> Response:
    """A mapping's text."""
    return await answered(request, AskMapping(name=name_of(request)))


async def mappings(request: Request) -> Response:
    """The mappings, page by page; by POST some are read and loaded."""
    if request.method == "POST":
        return await _load(request)
    after = parameters.text(request, "after")
    limit = parameters.number(request, "limit", 100, 1, 1000)
    return await answered(request, AskMappings(after=after, limit=limit))


async def report(request: Request) -> Response:
    """What became of every statement of SQL, or of those in a folder or a dialect."""
    return await answered(request, report_of(request))


async def explained(request: Request) -> Response:
    """What was understood of the statement at a place."""
    return await answered(request, AskExplanation(place=place_of(request)))


async def requested(request: Request) -> Response:
    """What a request over semantic contexts finds."""
    return await answered(request, AskRequest(text=parameters.text(request, "text", None)))


async def lineage(request: Request) -> Response:
    """Where the values of an attribute come from."""
    return await answered(request, question(request, "lineage"))


async def impact(request: Request) -> Response:
    """What the values of an attribute feed."""
    return await answered(request, question(request, "impact"))


async def described(_: Request) -> Response:
    """The API, as OpenAPI describes it."""
    return Json(OPENAPI)


def question(request: Request, direction: str) -> AskTrace:
    """How lineage or impact is asked for."""
    return AskTrace(
        direction=direction,
        name=name_of(request),
        when=parameters.text(request, "when"),
        mode=parameters.choice(request, "mode", MODES),
        unpopulated=parameters.choice(request, "unpopulated", CHOICES),
        other=parameters.text(request, "from" if direction == "lineage" else "to"),
        sql_dialect=parameters.text(request, "sql_dialect", most=40),
    )


def name_of(request: Request) -> str:
    """The name at the end of the address."""
    return str(request.path_params["name"])


def report_of(request: Request) -> AskReport:
    """Of which files a report is asked for."""
    return AskReport(folder=parameters.text(request, "folder"), dialect=parameters.text(request, "dialect", most=40))


def place_of(request: Request) -> str:
    """The place at the end of the address."""
    return str(request.path_params["place"])


async def answered(request: Request, job: Job) -> Response:
    """The answer of a reading worker."""
    state: State = request.app.state.mdw
    client = state.access.require(request, "read")
    return await respond(request, state.opening(job, client), state.service.limits.seconds, state.headed(request))


async def terms(request: Request) -> Response:
    """Business terms, taken in the place of those there are."""
    media, _ = content_type(request.headers.get("content-type", ""))
    media = rdf(media)
    found = await _changed(request, lambda content: LoadTerms(content=content, media=media))
    return Json({"terms": found["terms"]})


async def _load(request: Request) -> Response:
    media, _ = content_type(request.headers.get("content-type", ""))
    if media != TEXT:
        raise Refusal(415, f"mappings come as {TEXT}, not as {media or 'nothing'}")
    report = (await _changed(request, lambda content: LoadMappings(content=content)))["report"]
    return Json(report, 422 if report["errors"] else 200)


async def _changed(request: Request, job: Callable[[str], Job]) -> dict[str, Any]:
    """What the writer says of a job with a file of what the request brings."""
    state: State = request.app.state.mdw
    client = state.access.require(request, "update")
    with tempfile.NamedTemporaryFile(prefix="mdw-") as file:
        file.write(await body(request, state.service.limits.upload))
        file.flush()
        return await state.change(request, job(file.name), client)
