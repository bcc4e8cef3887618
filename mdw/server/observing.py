"""What the server says of itself: one structured line a request, and figures for Prometheus."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from time import perf_counter
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mdw.model.errors import system_says
from mdw.model.visible import in_json
from mdw.server.access import AUDIT
from mdw.server.refusal import PROBLEM, Refusal
from mdw.server.responding import Cut, Json
from mdw.server.seldom import Seldom
from mdw.server.service import Service
from mdw.server.state import State

LOG = logging.getLogger("mdw.server")
REQUESTS = logging.getLogger("mdw.requests")
PLACES = {
    "sparql", "query", "update", "store", "api", "admin", "health", "metrics", "static", "/",
    "attribute", "entity", "mapping", "lineage", "impact", "ask",
}  # fmt: skip
"""First parts of addresses that are counted apart."""
BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds to the end of an answer up to which answers are counted together; a last bucket holds the rest."""
CUT = "ASGI callable returned without completing response."
"""What uvicorn says where an answer was cut short, which has been said."""
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
        return in_json(json.dumps(said, ensure_ascii=False, default=str))


def log_lines(*, quiet: bool, audit: Path | None = None) -> None:
    """Log to standard error, a line of JSON each; ``quiet``: only changes and what went wrong.

    What goes to the audit log is also added to the file ``audit``; OSError if it cannot be.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    handler.handleError = _unheard  # type: ignore[method-assign,assignment]
    if audit:
        kept = logging.FileHandler(audit, encoding="utf-8")
        kept.setFormatter(Lines())
        failing = Seldom(LOG, "the audit log cannot be written")

        def fails(_: logging.LogRecord) -> None:
            failing.error(file=str(audit), reason=system_says(sys.exc_info()[1] or OSError("it is closed")))

        kept.handleError = fails  # type: ignore[method-assign,assignment]
        AUDIT.handlers = [kept]  # and on to standard error, by way of "mdw"
    for name in ("mdw", "uvicorn", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(lambda record: record.getMessage() != CUT)
    REQUESTS.setLevel(logging.WARNING if quiet else logging.INFO)


def _unheard(_: logging.LogRecord) -> None:
    """Nobody reads the log any more, or its disk is full: the server goes on."""


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
        # 500 is what the client gets if nothing is sent at all
        start, status, size, begun = perf_counter(), 500, 0, False

        async def noting(message: Message) -> None:
            nonlocal status, size, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except asyncio.CancelledError:  # by uvicorn, which stops and has waited long enough
            if begun:
                LOG.warning("an answer was cut short", extra={"path": scope["path"], "reason": "the server stops"})
            else:
                stopped = Refusal(503, "the server is being stopped", {"Retry-After": "1"})
                await Json(stopped.to_dict(), 503, stopped.headers, PROBLEM)(scope, receive, noting)
        except Cut as cut:  # uvicorn closes what an application leaves without an end
            LOG.warning("an answer was cut short", extra={"path": scope["path"], "reason": str(cut)})
        finally:
            seconds = perf_counter() - start
            place = scope["path"].split("/")[1] or "/"
            self._figures.count(scope["method"], place, status, seconds)
            if REQUESTS.isEnabledFor(logging.INFO):
                client = (scope.get("client") or ("",))[0]
                said = {"method": scope["method"], "path": scope["path"], "status": status, "bytes": size}
                REQUESTS.info("answered", extra=said | {"client": client, "ms": round(seconds * 1000, 1)})


class Figures:
    """Figures of one server, collected when Prometheus asks for them."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._answered: Counter[tuple[str, str, str]] = Counter()
        self._times = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)

    def count(self, method: str, place: str, status: int, seconds: float) -> None:
        """Take note of a request; addresses nobody serves count together."""
        # a client must not be able to make as many figures as it can think of addresses
        self._answered[method, place if place in PLACES else "other", str(status)] += 1
        self._times[bisect_left(BUCKETS, seconds)] += 1
        self._seconds += seconds

    def text(self) -> bytes:
        """All figures, as Prometheus reads them."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """All figures."""
        requests = CounterMetricFamily("mdw_requests", "Requests answered", labels=("method", "place", "status"))
        for labels, number in sorted(self._answered.items()):
            requests.add_metric(labels, number)
        running = GaugeMetricFamily("mdw_running", "Jobs that workers are doing", labels=("role",))
        alive = GaugeMetricFamily("mdw_workers", "Workers that are ready or doing a job", labels=("role",))
        for workers in self._service.workers:
            running.add_metric([workers.role], len(workers.running))
            alive.add_metric([workers.role], workers.alive)
        ends = [*map(str, BUCKETS), "+Inf"]
        histogram = HistogramMetricFamily("mdw_request_seconds", "Seconds to the end of an answer")
        histogram.add_metric([], list(zip(ends, accumulate(self._times), strict=True)), self._seconds)
        revision = GaugeMetricFamily("mdw_revision", "Changes since the server started", self._service.revision)
        looked_up = CounterMetricFamily("mdw_looked_up", "Queries answered without a worker", self._service.looked_up)
        yield from (requests, histogram, running, alive, looked_up, revision)


async def health(request: Request) -> Response:
    """Whether the server can answer: 200, or 503 while it cannot; read-only while nothing can be changed, and why."""
    state: State = request.app.state.mdw
    well, trouble = state.service.well, state.service.origin.trouble
    status = "unavailable" if not well else "read-only" if trouble else "ok"
    return Json({"status": status} | ({"reason": trouble} if trouble else {}), 200 if well else 503)


async def metrics(request: Request) -> Response:
    """The figures."""
    state: State = request.app.state.mdw
    state.access.require(request, "read")
    return Response(request.app.state.figures.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
