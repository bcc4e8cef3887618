"""What every request needs: the service, who may do what, and the rules the server was started with."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from mdw.server.access import AUDIT, Access
from mdw.server.negotiation import CAVEAT, in_a_header, said_of
from mdw.server.refusal import Refusal
from mdw.server.responding import Headed, Opened, watched
from mdw.server.service import Service
from mdw.server.workers.jobs import FindNames, Job
from mdw.server.workers.pool import SHOWN


@dataclass(frozen=True, slots=True)
class State:
    """The server, as its pages and endpoints see it."""

    service: Service
    access: Access
    calls: tuple[str, ...]
    free_paths: bool

    def opening(self, job: Job, client: str) -> AbstractAsyncContextManager[Opened]:
        """A reader that does a job; searches go to whoever has the index of names."""
        return self.service.searching(job, client) if isinstance(job, FindNames) else self.service.reading(job, client)

    def headed(self, request: Request) -> Headed:
        """Status and headers of an answer: 304 if the client has it already (RFC 9110, 13.1.2)."""

        def headed(head: dict[str, Any], revision: int) -> tuple[int, dict[str, str]]:
            said = said_of(head["media"], self.service.born, revision)
            if caveats := head.get("caveats"):
                said[CAVEAT] = in_a_header("; ".join(caveats))
            return (304 if request.headers.get("if-none-match") == said["ETag"] else 200), said

        return headed

    async def change(self, request: Request, job: Job, client: str, seconds: float = 0.0) -> dict[str, Any]:
        """Have the store changed and say so in the audit log; what the writer says of it.

        Refusal if it is refused or not done in time: then nothing has changed.
        """
        most = self.service.limits.seconds
        given = min(seconds or most, most)
        graph = getattr(job, "graph", None)
        said = {"what": job.do, "client": client, "graph": graph, "text": job.words[:SHOWN]}

        async def work() -> dict[str, Any]:
            async with self.service.changing(job, client) as working:
                return await working.result()

        try:
            async with asyncio.timeout(given):
                head = await watched(request, work())
        except TimeoutError:
            # the writer has been killed: what was not committed is gone with it
            AUDIT.warning("not changed", extra=said | {"reason": "time is up"})
            raise Refusal(503, f"not done within {given:g} seconds") from None
        except Refusal as refusal:
            AUDIT.warning("not changed", extra=said | {"reason": refusal.detail})
            raise
        AUDIT.info("changed", extra=said)
        return head
