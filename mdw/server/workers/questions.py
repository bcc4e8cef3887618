"""What can be asked of the warehouse over HTTP, each a job of a reading worker; results are the library's."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from mdw.collecting import uncollected
from mdw.model.answers.answer import Answer as Found
from mdw.model.rules import Mode, Policy
from mdw.server.workers.answer import Answer, Job
from mdw.server.workers.viewing import view
from mdw.warehouse import Warehouse

JSON = "application/json"
Question = Callable[[Warehouse, Job, Answer], None]


def write(answer: Answer, values: Any) -> None:
    """A result as JSON."""
    answer.head["media"] = JSON
    answer.write(json.dumps(values, ensure_ascii=False).encode())


def _attribute(warehouse: Warehouse, job: Job, answer: Answer) -> None:
    found = warehouse.attribute(job["name"]).to_dict()
    texts = [{"name": name, "text": warehouse.text(name)} for name in found["mappings"][: job["most"]]]
    write(answer, found | ({"texts": texts} if job["most"] else {}))


def _entity(warehouse: Warehouse, job: Job, answer: Answer) -> None:
    write(answer, warehouse.entity(job["name"]).to_dict())


def _mapping(warehouse: Warehouse, job: Job, answer: Answer) -> None:
    write(answer, {"name": job["name"], "text": warehouse.text(job["name"])})


def _mappings(warehouse: Warehouse, job: Job, answer: Answer) -> None:
    most = job["limit"]
    found = warehouse.mappings(after=job["after"], limit=most + 1)
    page = {"mappings": [one.to_dict() for one in found[:most]]}
    write(answer, page | ({"next": found[most - 1].name} if len(found) > most else {}))


def _request(warehouse: Warehouse, job: Job, answer: Answer) -> None:
    write(answer, warehouse.request(job["text"]).to_dict())


def _traced(warehouse: Warehouse, job: Job, answer: Answer) -> None:
    write(answer, _answer(warehouse, job).to_dict())


def _viewed(warehouse: Warehouse, job: Job, answer: Answer) -> None:
    found = _answer(warehouse, job)
    view(found, job, answer)


def _answer(warehouse: Warehouse, job: Job) -> Found:
    return traced(warehouse, job["direction"], job["name"], job["when"], job["mode"], job["unpopulated"])


@lru_cache(maxsize=4)
def traced(
    warehouse: Warehouse, direction: str, name: str, when: str, mode: Mode, unpopulated: Policy | Literal[""] | None
) -> Found:
    """Lineage or impact; the last ones are kept, for whoever opens another part of the picture or takes it away."""
    ask = warehouse.lineage if direction == "lineage" else warehouse.impact
    with uncollected():
        return ask(name, when=when, mode=mode, unpopulated=unpopulated or None)


QUESTIONS: dict[str, Question] = {
    "attribute": _attribute,
    "entity": _entity,
    "mapping": _mapping,
    "mappings": _mappings,
    "request": _request,
    "trace": _traced,
    "view": _viewed,
}
