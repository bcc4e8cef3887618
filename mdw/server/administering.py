"""What administrators do while the server runs: see and kill running jobs, back up, compact."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from mdw.drafting import private_folder
from mdw.server.access import AUDIT
from mdw.server.refusal import Refusal
from mdw.server.responding import Json
from mdw.server.state import State
from mdw.server.workers.jobs import CompactStore, MakeBackup

BACKUPS = "backups"
"""Where backups are made, within the store's folder, unless the server was told otherwise."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._\-]{0,99}\Z")


async def running(request: Request) -> Response:
    """What is being worked on."""
    state: State = request.app.state.mdw
    state.access.require(request, "admin")
    jobs = [job for workers in state.service.workers for job in workers.running.values()]
    return Json({"running": [job.to_dict() for job in sorted(jobs, key=lambda job: job.since)]})


async def kill(request: Request) -> Response:
    """Stop a job."""
    state: State = request.app.state.mdw
    client = state.access.require(request, "admin")
    name = request.path_params["id"]
    role, _, number = name.partition("-")
    workers = {one.role: one for one in state.service.workers}.get(role)
    if workers is None or not number.isdecimal() or not workers.kill(int(number)):
        raise Refusal(404, f"there is no job {name} running")
    AUDIT.info("killed", extra={"what": name, "client": client})
    return Response(status_code=204)


async def backup(request: Request) -> Response:
    """Make a copy of the store as it is now, in a folder of its own that is named in the answer.

    It shares files with the store unless ``copy=true``.
    """
    state: State = request.app.state.mdw
    client = state.access.require(request, "admin")
    name = request.query_params.get("name") or datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    if not _NAME.match(name):  # it becomes a part of a path
        raise Refusal(400, "a backup's name is of letters, digits, dots and dashes")
    copy = request.query_params.get("copy", "false").lower() == "true"
    folder = state.service.store / BACKUPS / name
    if folder.exists():
        raise Refusal(409, f"there is a backup {name} already")
    private_folder(folder.parent)
    await state.change(request, MakeBackup(folder=str(folder), copy=copy), client)
    return Json({"name": name, "folder": str(folder)}, 201)


async def compact(request: Request) -> Response:
    """Have the engine tidy its files."""
    state: State = request.app.state.mdw
    await state.change(request, CompactStore(), state.access.require(request, "admin"))
    return Response(status_code=204)
