"""What the server says of itself: one structured line a request, and figures for Prometheus."""

from __future__ import annotations

import json
import logging
import sys
from time import perf_counter
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdw.server.state import State

REQUESTS = logging.getLogger("mdw.requests")
PLACES = {
    "sparql", "query", "update", "store", "api", "admin", "health", "metrics", "static", "/",
    "attribute", "entity", "mapping", "lineage", "impact", "ask",
}  # fmt: skip
"""First parts of addresses that are counted apart."""
PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class Lines(logging.Formatter):
    """A record as one line of JSON, with whatever came along as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        said: dict[str, Any] = {"time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname}
        said |= {"logger": record.name, "message": record.getMessage()}
        said |= {name: value for name, value in vars(record).items() if name not in PLAIN and value is not None}
        if record.exc_info:
            said["trace"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


def log_lines(*, quiet: bool) -> None:
    """Log to standard error, a line of JSON each; ``quiet``: only changes and what went wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    for name in ("mdw", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    REQUESTS.setLevel(logging.WARNING if quiet else logging.INFO)


class Observing:
    """Counts and times requests, and logs them."""

    def __init__(self, app: ASGIApp, figures: Figures) -> None:
        self._app = app
        self._figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, and note how."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status, size = perf_counter(), 500, 0

        async def noting(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            seconds = perf_counter() - start
            place = scope["path"].split("/")[1] or "/"
            self._figures.count(scope["method"], place, status, seconds)
            if REQUESTS.isEnabledFor(logging.INFO):
                client = (scope.get("client") or ("",))[0]
                said = {"method": scope["method"], "path": scope["path"], "status": status, "bytes": size}
                REQUESTS.info("answered", extra=said | {"client": client, "ms": round(seconds * 1000, 1)})


class Figures:
    """Figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "place", "status")
        self._requests = Counter("mdw_requests", "Requests answered", labels, registry=self.registry)
        self._seconds = Histogram("mdw_request_seconds", "Seconds to the end of an answer", registry=self.registry)
        self._running = Gauge("mdw_running", "Jobs that workers are doing", ("role",), registry=self.registry)
        self._revision = Gauge("mdw_revision", "Changes since the server started", registry=self.registry)

    def count(self, method: str, place: str, status: int, seconds: float) -> None:
        """Take note of a request; addresses nobody serves count together."""
        self._requests.labels(method, place if place in PLACES else "other", str(status)).inc()
        self._seconds.observe(seconds)

    def text(self, state: State) -> bytes:
        """All figures, as Prometheus reads them."""
        for workers in (state.service.readers, state.service.writer):
            self._running.labels(workers.role).set(len(workers.running))
        self._revision.set(state.service.revision)
        return generate_latest(self.registry)


async def health(request: Request) -> Response:
    """Whether the server can answer: 200, or 503 while it has no worker."""
    state: State = request.app.state.mdw
    well = state.service.well
    return JSONResponse({"status": "ok" if well else "unavailable"}, 200 if well else 503)


async def metrics(request: Request) -> Response:
    """The figures."""
    state: State = request.app.state.mdw
    state.access.require(request, "read")
    return Response(request.app.state.figures.text(state), media_type="text/plain; version=0.0.4; charset=utf-8")
