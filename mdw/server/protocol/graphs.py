"""Graphs as resources: SPARQL 1.1 Graph Store HTTP Protocol, by ``?graph=``, ``?default`` or their own address."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import Response

from mdw.server.asked import announced, content_type, iri, within
from mdw.server.negotiation import rdf, tag
from mdw.server.refusal import Refusal
from mdw.server.responding import respond
from mdw.server.state import State
from mdw.server.workers.jobs import AddToGraph, DropGraph, PutGraph, ReadGraph

MULTIPART = "multipart/form-data"


async def graph(request: Request) -> Response:
    """A graph: read (GET, HEAD), replaced (PUT), added to (POST), taken away (DELETE)."""
    state: State = request.app.state.mdw
    name = _graph(request)
    if request.method in ("GET", "HEAD"):
        return await _read(request, state, name)
    client = state.access.require(request, "update")
    _unchanged(request, state)
    if request.method == "DELETE":
        if name is None:
            raise Refusal(400, "say which graph: ?graph=IRI or ?default")
        found = await state.change(request, DropGraph(graph=name), client)
        if not found["there"]:
            raise Refusal(404, f"there is no graph {name}")
        return Response(status_code=204)
    if name is None and request.method == "PUT":
        raise Refusal(400, "say which graph: ?graph=IRI or ?default")
    created = f"{str(request.url.replace(query='', fragment='')).rstrip('/')}/{uuid4()}" if name is None else ""
    # files, not bytes: the writer reads them, and what is long need not go through the pipe
    async with _parts(request, state.service.limits.upload) as parts:
        target, kind = created or name or "", PutGraph if request.method == "PUT" else AddToGraph
        job = kind(graph=target, parts=parts, base=target or str(request.url))
        found = await state.change(request, job, client)
    new = found["new"] or bool(created)
    return Response(status_code=201 if new else 204, headers={"Location": target} if new and target else None)


async def _read(request: Request, state: State, name: str | None) -> Response:
    client = state.access.require(request, "read")
    job = ReadGraph(
        graph=name,
        accept=request.headers.get("accept", ""),
        form=request.query_params.get("format", ""),
        only_head=request.method == "HEAD",
    )

    usual = state.headed(request)

    def headed(head: dict[str, Any], revision: int) -> tuple[int, dict[str, str]]:
        if not head["there"]:
            raise Refusal(404, f"there is no graph {name}")
        return usual(head, revision)

    return await respond(request, state.service.reading(job, client), state.service.limits.seconds, headed)


def _unchanged(request: Request, state: State) -> None:
    """Refusal (412) if the store has changed since the client read what it is about to replace."""
    wanted = request.headers.get("if-match")
    # the tag is of the whole store, not of this graph: a change elsewhere makes the client read it again
    if wanted and wanted != "*" and not wanted.startswith(tag(state.service.born, state.service.revision, "")[:-1]):
        raise Refusal(412, "the store has changed meanwhile: read the graph again")


def _graph(request: Request) -> str | None:
    """The graph a request speaks of: its IRI, ``""`` for the default graph, None where it names none."""
    given = [(name, value) for name, value in request.query_params.multi_items() if name in ("graph", "default")]
    if request.path_params.get("path"):
        if given:
            raise Refusal(400, "a graph is named by its address or by a parameter, not by both")
        return iri(str(request.url.replace(query="", fragment="")))
    if len(given) > 1:
        raise Refusal(400, "one graph at a time: ?graph=IRI or ?default")
    if not given:
        return None
    ((name, value),) = given
    return "" if name == "default" else iri(value)


@asynccontextmanager
async def _parts(request: Request, most: int) -> AsyncIterator[tuple[tuple[str, str], ...]]:
    """What a request brings, as files with their media types; Refusal if it is too long or of another kind."""
    media, _ = content_type(request.headers.get("content-type", ""))
    within(announced(request), most)
    with tempfile.TemporaryDirectory(prefix="mdw-") as folder:
        if media != MULTIPART:
            path = Path(folder, "0")
            size = 0
            with path.open("wb") as file:
                async for piece in request.stream():
                    size += len(piece)
                    within(size, most)
                    file.write(piece)
            yield ((str(path), rdf(media or "text/turtle")),)
            return
        if not announced(request):  # parts are kept by Starlette while they come: nobody counts them
            raise Refusal(411, "parts are sent with a Content-Length")
        try:
            form = await request.form()
        except MultiPartException as error:
            raise Refusal(400, f"the parts cannot be read: {error.message}") from error
        parts = []
        for number, (_, found) in enumerate(form.multi_items()):
            if not isinstance(found, UploadFile):
                raise Refusal(400, "every part is to be a file with its content type")
            path = Path(folder, str(number))
            path.write_bytes(await found.read())
            parts.append((str(path), rdf((found.content_type or "text/turtle").partition(";")[0].strip().lower())))
        await form.close()
        yield tuple(parts)
