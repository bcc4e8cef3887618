"""The texts of queries/, their parameters, and what no question may do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from mdw.errors import QueryError
from mdw.resources import QUERIES

# SPARQL allows blanks and comments between any two words.
_BLANK = r"(?:\s|#[^\r\n]*(?:[\r\n]|\Z))*"
_SERVICE = re.compile(
    rf"""(?P<before>\w*)SERVICE{_BLANK}(?:SILENT{_BLANK})?(?:<[^<>]*>|[?$]\w+|[^\s<>"'{{}}\#]*:[^\s"'{{}}]*){_BLANK}\{{""",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


@cache
def query(name: str) -> str:
    """The text of ``queries/<name>.rq``."""
    return (QUERIES / f"{name}.rq").read_text(encoding="utf-8")


def filled(text: str, values: Mapping[str, Iterable[str]]) -> str:
    """A query with its empty ``VALUES ?name { }`` blocks filled; the values are terms as they stand in SPARQL."""
    for name, terms in values.items():
        block = f"VALUES ?{name} {{ }}"
        if block not in text:
            raise KeyError(name)
        text = text.replace(block, f"VALUES ?{name} {{ {' '.join(terms)} }}")
    return text


def refuse_calls(sparql: str) -> None:
    """QueryError if a query calls another endpoint: questions stay inside this store."""
    text = _ESCAPE.sub(lambda found: _character(found[1] or found[2]), sparql)
    for found in _SERVICE.finditer(text):
        if text[: found.start()][-1:] not in ("?", "$", ":"):
            raise QueryError("a query may not call other endpoints: SERVICE is refused")


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else ""
