"""The application: which address is answered by what, and what is said when something goes wrong."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from mdw.model.errors import system_says
from mdw.server import administering, observing
from mdw.server.api import answers
from mdw.server.negotiation import compressing
from mdw.server.observing import Figures, Observing
from mdw.server.pages import views
from mdw.server.protocol import endpoint, graphs
from mdw.server.protocol.point import Points
from mdw.server.refusal import PROBLEM, Refusal
from mdw.server.responding import Json
from mdw.server.seldom import Seldom
from mdw.server.state import State

LOG = logging.getLogger("mdw.server")
READ, BOTH, WRITE = ["GET", "HEAD"], ["GET", "HEAD", "POST"], ["POST"]
GRAPH = ["GET", "HEAD", "PUT", "POST", "DELETE"]
PAGES = ("/attribute/", "/entity/", "/mapping/", "/lineage/", "/impact/", "/explain/", "/report", "/ask")

PROGRAMS = ("/api/", "/sparql", "/query", "/update", "/store", "/admin", "/static/")
"""Where nobody looks for a page, whatever they say that they take."""


def application(state: State, *, hosts: list[str] | None = None, origins: list[str] | None = None) -> ASGIApp:
    """The ASGI application; ``hosts`` it may be called by (None: any), ``origins`` whose pages may read from it.

    What every request meets stands outside of Starlette's own stack, so that point queries need not go through it.
    """

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        await state.service.start()
        try:
            yield
        finally:
            await state.service.close()

    figures = Figures(state.service)
    # CORS comes first, for what it adds belongs on refusals as well
    middleware = [Middleware(compressing)]
    if origins:
        middleware.insert(0, Middleware(CORSMiddleware, allow_origins=origins, expose_headers=["ETag", "Location"]))
    routes = [
        Route("/sparql", endpoint.sparql, methods=BOTH),
        Route("/query", endpoint.query, methods=BOTH),
        Route("/update", endpoint.update, methods=WRITE),
        Route("/store", graphs.graph, methods=GRAPH),
        Route("/store/{path:path}", graphs.graph, methods=GRAPH),
        Route("/api/search", answers.search, methods=READ),
        Route("/api/attributes/{name:path}", answers.attribute, methods=READ),
        Route("/api/entities/{name:path}", answers.entity, methods=READ),
        Route("/api/mappings", answers.mappings, methods=BOTH),
        Route("/api/mappings/{name:path}", answers.mapping, methods=READ),
        Route("/api/terms", answers.terms, methods=["PUT"]),
        Route("/api/report", answers.report, methods=READ),
        Route("/api/explain/{place:path}", answers.explained, methods=READ),
        Route("/api/requests", answers.requested, methods=READ),
        Route("/api/lineage/{name:path}", answers.lineage, methods=READ),
        Route("/api/impact/{name:path}", answers.impact, methods=READ),
        Route("/api/openapi.json", answers.described, methods=READ),
        Route("/", views.home, methods=READ),
        Route("/attribute/{name:path}", views.attribute, methods=READ),
        Route("/entity/{name:path}", views.entity, methods=READ),
        Route("/mapping/{name:path}", views.mapping, methods=READ),
        Route("/lineage/{name:path}", views.lineage, methods=READ),
        Route("/impact/{name:path}", views.impact, methods=READ),
        Route("/report", views.report, methods=READ),
        Route("/explain/{place:path}", views.explained, methods=READ),
        Route("/ask", views.ask, methods=READ),
        Mount("/static", StaticFiles(directory=views.FOLDER / "static")),
        Route("/health", observing.health, methods=READ),
        Route("/metrics", observing.metrics, methods=READ),
        Route("/admin/running", administering.running, methods=READ),
        Route("/admin/running/{id}", administering.kill, methods=["DELETE"]),
        Route("/admin/backup", administering.backup, methods=WRITE),
        Route("/admin/compact", administering.compact, methods=WRITE),
    ]
    handlers = {Refusal: _refused, HTTPException: _wrong, ClientDisconnect: _left, OSError: _failed}
    app = Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=living)
    app.state.mdw, app.state.figures = state, figures
    app.state.failing = Seldom(LOG, "the system refuses something")
    outer: ASGIApp = Points(app, state)
    if hosts:  # a name that somebody else has pointed at this machine gets no answer (DNS rebinding)
        outer = TrustedHostMiddleware(outer, allowed_hosts=hosts, www_redirect=False)
    return Observing(outer, figures)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    # a person gets a page, a program gets what it can read
    path = request.url.path
    lost = error.status == 404 and not path.startswith(PROGRAMS) and "text/html" in request.headers.get("accept", "")
    if path.startswith(PAGES) or path == "/" or lost:
        return views.problem(error)
    return Json(error.to_dict(), error.status, error.headers, PROBLEM)


async def _wrong(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = f"there is no page {request.url.path}" if error.status_code == 404 else error.detail
    return await _refused(request, Refusal(error.status_code, said, dict(error.headers or {})))


async def _left(_: Request, __: Exception) -> Response:
    """Nobody is there to read it."""
    return Response(status_code=400)


async def _failed(request: Request, error: Exception) -> Response:
    """No space left for what a request brings, or no descriptor: it may be better in a moment."""
    reason = system_says(error)
    request.app.state.failing.error(path=request.url.path, reason=reason)
    return await _refused(request, Refusal(503, f"the server could not do it: {reason}", {"Retry-After": "1"}))
