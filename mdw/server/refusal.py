"""A request that is answered with an error: the HTTP status and what the client is told (RFC 9457)."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from mdw.model.errors import InputError, MdwError, QueryError, QuestionError, StoreError

_PATH = re.compile(r"""(^|[\s'"(])(/|[A-Za-z]:\\)""")
PROBLEM = "application/problem+json"
STATUS: tuple[tuple[type[MdwError], int], ...] = (
    (QueryError, 400),
    (InputError, 400),
    (QuestionError, 400),
    (StoreError, 503),
)


class Refusal(Exception):  # noqa: N818  it is an answer, not a defect
    """Why a request is not answered as it was meant; it never leaves the server."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}
        self.more = more

    @classmethod
    def of(cls, error: MdwError) -> Refusal:
        """An error of mdw as an answer."""
        status = next((number for kind, number in STATUS if isinstance(error, kind)), 500)
        if isinstance(error, QuestionError) and error.missing:
            status = 404
        if isinstance(error, QueryError) and error.line:
            return cls(status, str(error), line=error.line, column=error.column)
        if isinstance(error, StoreError):
            return Unable(status, str(error), {"Retry-After": "1"})
        return cls(status, str(error))

    @classmethod
    def read(cls, problem: dict[str, Any]) -> Refusal:
        """One that a worker has written (`written`), of the class that it had there."""
        kind = KINDS[problem.pop("kind")]
        problem.pop("title")
        return kind(problem.pop("status"), problem.pop("detail"), problem.pop("headers"), **problem)

    def written(self) -> dict[str, Any]:
        """The refusal, for the server to read."""
        return self.to_dict() | {"kind": type(self).__name__, "headers": self.headers}

    def to_dict(self) -> dict[str, Any]:
        """The problem as plain JSON-ready values."""
        return {"status": self.status, "title": HTTPStatus(self.status).phrase, "detail": self.detail, **self.more}


class Unable(Refusal):
    """The store cannot be written or read just now, whatever is asked of it."""


def reason_in(detail: str) -> str:
    """The last thing that is said of a failure, fit for everybody: what names files is for the log.

    >>> reason_in("the store cannot be written: /var/mdw/1/000004.log: No space left on device")
    'no space left on device'
    >>> reason_in("the store cannot be written: the file /var/mdw/1/000004.sst is damaged")
    'the log says which file is at fault'
    """
    reason = detail.rpartition(": ")[2]
    if _PATH.search(reason):
        return "the log says which file is at fault"
    return reason[:1].lower() + reason[1:] if reason[1:2].islower() else reason  # the engine's words, or the system's


class Dead(Refusal):
    """The worker has died over a job, or is about to."""


KINDS: dict[str, type[Refusal]] = {kind.__name__: kind for kind in (Refusal, Unable, Dead)}
