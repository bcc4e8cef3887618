"""The texts of queries/ and their parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from mdw.rdf.vocabulary import reference
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


def references(iri: Callable[[str], str], names: Iterable[str]) -> list[str]:
    """Names as SPARQL writes what they name; ``iri`` makes the IRI of one."""
    return [reference(iri(name)) for name in names]


def first(rows: Iterable[Sequence[str]]) -> list[str]:
    """The first value of each row."""
    return [row[0] for row in rows]
