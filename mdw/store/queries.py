"""The texts of queries/ and their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from mdw.resources import QUERIES


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
