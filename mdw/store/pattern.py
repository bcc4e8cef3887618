"""Queries that are one triple pattern and nothing else: they need no query engine, the store is asked for its quads."""

from __future__ import annotations

import re
from typing import NamedTuple

from mdw.rdf.vocabulary import PREFIXES

LONGEST = 1_000
"""Characters of a text that is looked at."""

# Narrower than the standard on purpose: no escapes, no relative IRIs, no names with dots. Whatever is written otherwise
# is answered by the engine, which costs time and is never wrong.
_IRI = r'<[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>"{}|\\^`]*>'
_NAME = r"[A-Za-z][A-Za-z0-9_\-]*:[A-Za-z_][A-Za-z0-9_\-]*"
_VARIABLE = r"[?$][A-Za-z_][A-Za-z0-9_]*"
_VARIABLES = re.compile(r"[?$](\w+)")
_TERM = rf"{_VARIABLE}|{_IRI}|{_NAME}"
_PREFIX = re.compile(rf"(?i:PREFIX)\s+([A-Za-z][A-Za-z0-9_\-]*):\s*({_IRI})\s*")
_POINT = re.compile(
    rf"""\s*(?P<prologue>(?:(?i:PREFIX)\s+[A-Za-z][A-Za-z0-9_\-]*:\s*{_IRI}\s*)*)
    (?: (?i:SELECT)\s*(?P<result>\*|{_VARIABLE}(?:\s*{_VARIABLE})*) | (?i:ASK) )\s*
    (?:(?i:WHERE)\s*)?
    \{{\s*(?P<subject>{_TERM})\s+(?P<predicate>{_TERM}|a)\s+(?P<object>{_TERM}|"[^"\\\n\r]*")\s*\.?\s*\}}\s*
    (?:(?i:LIMIT)\s+(?P<limit>[0-9]{{1,9}})\s*)?\Z""",
    re.VERBOSE,
)


class Pattern(NamedTuple):
    """Subject, predicate and object of a pattern, and which of its variables are asked for, of how many rows at most.

    A term is a variable (``?x``), a plain string (after a ``"``) or an IRI; no variable stands twice. ``result`` has
    names of variables, in the order of the alphabet; it is None if it is only asked whether there is anything.
    """

    terms: tuple[str, str, str]
    result: tuple[str, ...] | None
    limit: int | None


def pattern(sparql: str) -> Pattern | None:
    """The pattern that a query is, None if it is more than that, or written in an unusual way.

    >>> pattern("PREFIX x: <urn:x:> SELECT ?o WHERE { x:s a ?o . } LIMIT 3").terms
    ('urn:x:s', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type', '?o')
    """
    found = _POINT.match(sparql) if len(sparql) <= LONGEST else None
    if found is None:
        return None
    prologue, result, subject, predicate, value, limit = found.groups()
    prefixes = PREFIXES | {name: iri[1:-1] for name, iri in _PREFIX.findall(prologue)} if prologue else PREFIXES
    terms = _term(subject, prefixes), _term(predicate, prefixes), _term(value, prefixes)
    variables = [term[1:] for term in terms if term[:1] == "?"]
    # `?x ?p ?x` asks for equal ends, which a look at quads does not compare.
    if not all(terms) or len(set(variables)) < len(variables):
        return None
    if result is None:
        return Pattern(terms, None, 1)
    wanted = variables if result == "*" else _VARIABLES.findall(result)
    if not set(wanted) <= set(variables):
        return None
    # The engine gives its columns in the order of the alphabet, whatever the query says; a law holds us to it.
    return Pattern(terms, tuple(sorted(set(wanted))), int(limit) if limit else None)


def _term(text: str, prefixes: dict[str, str]) -> str:
    """A term as a Pattern has it; "" if it is not known what it says."""
    first = text[0]
    if first == "<":
        return "" if "/." in text else text[1:-1]  # what an engine would resolve first
    if first in "?$":
        return f"?{text[1:]}"
    if first == '"':
        return text[:-1]
    if text == "a":
        return f"{PREFIXES['rdf']}type"
    name, _, local = text.partition(":")
    return prefixes[name] + local if name in prefixes else ""
