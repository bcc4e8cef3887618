"""What a query found, as text in the form that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import pyoxigraph as ox

from mdw.model.errors import QueryError

Form = TypeVar("Form", ox.QueryResultsFormat, ox.RdfFormat)

ROWS = {
    "json": ox.QueryResultsFormat.JSON,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "xml": ox.QueryResultsFormat.XML,
}
TRIPLES = {"turtle": ox.RdfFormat.TURTLE, "ntriples": ox.RdfFormat.N_TRIPLES}
QUADS = {"trig": ox.RdfFormat.TRIG, "nquads": ox.RdfFormat.N_QUADS}


def as_text(found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, form: str | None) -> str:
    """Rows or triples in a form, or in the usual one; QueryError if what was found has no such form."""
    if isinstance(found, ox.QueryTriples):
        return (found.serialize(format=_form(TRIPLES, form)) or b"").decode()
    return (found.serialize(format=_form(ROWS, form)) or b"").decode()


def _form(forms: Mapping[str, Form], wanted: str | None) -> Form:
    if wanted is None:
        return next(iter(forms.values()))
    if wanted not in forms:
        raise QueryError(f"what this query finds can be written as {', '.join(forms)}, not as {wanted}")
    return forms[wanted]
