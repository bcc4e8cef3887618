"""A request that is answered with an error: the HTTP status and what the client is told (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from mdw.model.errors import InputError, MdwError, QueryError, QuestionError, StoreError

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
        return cls(status, str(error))

    def to_dict(self) -> dict[str, Any]:
        """The problem as plain JSON-ready values."""
        return {"status": self.status, "title": HTTPStatus(self.status).phrase, "detail": self.detail, **self.more}
