"""Parameters of requests: what may stand in them, and a clear word where something else does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from starlette.requests import Request

from mdw.server.refusal import Refusal

Word = TypeVar("Word", bound=str)


def text(request: Request, name: str, default: str | None = "", *, most: int = 2_000) -> str:
    """A text given at most once; Refusal if it is missing and has no default, or too long."""
    given = request.query_params.getlist(name)
    if len(given) > 1:
        raise Refusal(400, f"{name} is given once")
    if not given:
        if default is None:
            raise Refusal(400, f"{name} is missing")
        return default
    if len(given[0]) > most:
        raise Refusal(400, f"{name} is a text of at most {most} characters")
    return given[0]


def choice(request: Request, name: str, allowed: Sequence[Word]) -> Word:
    """One of several words; the first is usual."""
    found = text(request, name, allowed[0])
    return _one(name, found, allowed)


def choices(request: Request, name: str, allowed: Sequence[Word]) -> tuple[Word, ...]:
    """Any of several words; all of them if none is given."""
    return tuple(_one(name, found, allowed) for found in request.query_params.getlist(name)) or tuple(allowed)


def number(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A whole number."""
    found = text(request, name, str(default))
    # twelve digits are too many for any of these, and thousands Python makes no number of
    if not found.isascii() or not found.isdecimal() or not least <= int(found[:12]) <= most:
        raise Refusal(400, f"{name} is a whole number from {least} to {most}")
    return int(found)


def _one(name: str, found: str, allowed: Sequence[Word]) -> Word:
    for one in allowed:
        if one == found:
            return one
    raise Refusal(400, f"{name} is one of {', '.join(filter(None, allowed))}")
