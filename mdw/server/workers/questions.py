"""What can be asked of the warehouse over HTTP, each a job of a reading worker; results are the library's."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Literal

from mdw.collecting import uncollected
from mdw.model.answers.answer import Answer
from mdw.model.rules import Mode, Policy
from mdw.model.visible import in_json
from mdw.server.workers.jobs import (
    AskAttribute,
    AskEntity,
    AskExplanation,
    AskMapping,
    AskMappings,
    AskReport,
    AskRequest,
    AskTrace,
    AskView,
    AskWarehouse,
)
from mdw.server.workers.reply import Reply
from mdw.server.workers.viewing import view
from mdw.warehouse import Warehouse

JSON = "application/json"


def answer(warehouse: Warehouse, job: AskWarehouse, reply: Reply) -> None:
    """Write what the warehouse says to a question."""
    match job:
        case AskAttribute():
            write(reply, _attribute(warehouse, job))
        case AskEntity():
            write(reply, warehouse.entity(job.name).to_dict())
        case AskMapping():
            write(reply, {"name": job.name, "text": warehouse.text(job.name)})
        case AskMappings():
            write(reply, _mappings(warehouse, job))
        case AskReport():
            write(reply, warehouse.report(folder=job.folder, dialect=job.dialect).to_dict())
        case AskExplanation():
            write(reply, warehouse.explain(job.place).to_dict())
        case AskRequest():
            write(reply, warehouse.request(job.text).to_dict())
        case AskView():  # before what it is a kind of
            view(_answer(warehouse, job), job, reply)
        case AskTrace():
            found = _answer(warehouse, job)
            write(reply, found.to_dict() | {"written": [one.to_dict() for one in warehouse.written(found)]})
        case other:
            raise TypeError(f"{other} is not answered")


def write(reply: Reply, values: Any) -> None:
    """A result as JSON."""
    reply.head["media"] = JSON
    reply.write(in_json(json.dumps(values, ensure_ascii=False)).encode())


def _attribute(warehouse: Warehouse, job: AskAttribute) -> dict[str, Any]:
    found = warehouse.attribute(job.name).to_dict()
    if job.texts and not found["mappings"]:
        found["filled"] = bool(warehouse.entity(found["entity"]).filled_by)
    if not job.texts:
        return found
    quotes = warehouse.quotes(job.name, limit=job.texts)
    texts = [{"name": name, "text": warehouse.text(name)} for name in found["mappings"][: job.texts]]
    return found | {"texts": texts, "quotes": [quote.to_dict() for quote in quotes]}


def _mappings(warehouse: Warehouse, job: AskMappings) -> dict[str, Any]:
    found = warehouse.mappings(after=job.after, limit=job.limit + 1)  # one more says whether there is a next page
    page = {"mappings": [one.to_dict() for one in found[: job.limit]]}
    return page | ({"next": found[job.limit - 1].name} if len(found) > job.limit else {})


def _answer(warehouse: Warehouse, job: AskTrace) -> Answer:
    return traced(warehouse, job.direction, job.name, job.when, job.mode, job.unpopulated, job.other, job.sql_dialect)


@lru_cache(maxsize=4)
def traced(
    warehouse: Warehouse,
    direction: str,
    name: str,
    when: str,
    mode: Mode,
    unpopulated: Policy | Literal[""] | None,
    other: str = "",
    sql_dialect: str = "",
) -> Answer:
    """Lineage or impact; the last ones are kept, for whoever opens another part of the picture or takes it away."""
    policy, end = unpopulated or None, other or None
    with uncollected():
        if direction == "lineage":
            return warehouse.lineage(
                name, source=end, when=when, mode=mode, unpopulated=policy, sql_dialect=sql_dialect
            )
        return warehouse.impact(name, target=end, when=when, mode=mode, unpopulated=policy, sql_dialect=sql_dialect)
