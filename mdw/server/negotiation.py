"""Which media type an answer comes in: what the client accepts (RFC 9110, 12.5.1) or names with ``format=``."""

from __future__ import annotations

from functools import lru_cache

import mimeparse
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

from mdw.server.refusal import Refusal

JSON = "application/sparql-results+json"
ROWS = {
    JSON: "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
}
DATASETS = {"application/n-quads": "nquads", "application/trig": "trig", "application/ld+json": "jsonld"}
TRIPLES = {
    "text/turtle": "turtle",
    "application/n-triples": "ntriples",
    "application/rdf+xml": "rdfxml",
    **DATASETS,
}
SYNONYMS = {
    "application/json": JSON,
    "application/xml": "application/sparql-results+xml",
    "text/xml": "application/sparql-results+xml",
    "application/x-turtle": "text/turtle",
    "text/plain": "application/n-triples",
    "nt": "application/n-triples",
    "nq": "application/n-quads",
    "ttl": "text/turtle",
    "rdf": "application/rdf+xml",
    "json-ld": "application/ld+json",
}
CAVEAT = "MDW-Caveat"
"""The header that says which graphs of the store are not believed, if there are any."""
COMPRESSED = 1000
"""Bytes from which an answer is compressed, for clients that take it."""
OFFERS = {"rows": ROWS, "boolean": ROWS, "triples": TRIPLES, "quads": DATASETS}


@lru_cache(maxsize=1000)
def choose(kind: str, accept: str, form: str = "") -> tuple[str, str]:
    """The media type to say and the one to write, for rows, boolean, triples or quads; the first is usual.

    Refusal (406) if what is accepted cannot be written.

    >>> choose("rows", "text/csv;q=0.5, application/json")
    ('application/json', 'application/sparql-results+json')
    """
    offers = OFFERS[kind]
    if form:
        for media, short in offers.items():
            if form.lower() in (media, short) or SYNONYMS.get(form.lower()) == media:
                return media, media
        raise Refusal(406, f"it can be written as {', '.join(offers.values())}, not as {form}")
    said = {media: media for media in offers} | {
        other: media for other, media in SYNONYMS.items() if "/" in other and media in offers
    }
    ranges = _ranges(accept)
    # of several that are as welcome, max takes the first, which is the usual one
    best = max(said, key=lambda media: mimeparse.quality_parsed(media, ranges)) if ranges else next(iter(said))
    if ranges and not mimeparse.quality_parsed(best, ranges):
        raise Refusal(406, f"it can be written as {', '.join(offers)}, none of which is accepted")
    return best, said[best]


def rdf(media: str) -> str:
    """A media type of RDF that can be read, said in one way; Refusal (415) if it is another."""
    known = SYNONYMS.get(media, media)
    if known not in TRIPLES:
        raise Refusal(415, f"RDF comes as {', '.join(TRIPLES)}, not as {media or 'nothing'}")
    return known


def tag(born: str, revision: int, media: str) -> str:
    """The entity tag of what is said of a revision in a media type; ``born`` tells servers apart (RFC 9110, 8.8.3)."""
    return f'W/"{born}-{revision}-{media}"'  # weak: compressed or not, rows in any order


def said_of(media: str, born: str, revision: int) -> dict[str, str]:
    """The headers of such an answer."""
    said = {"Content-Type": media, "ETag": tag(born, revision, media)}
    return said | {"Vary": "Accept", "Cache-Control": "no-cache"}


def in_a_header(text: str) -> str:
    """A text as a header can hold it: other characters than those of ASCII are written as Python writes them."""
    return text.encode("unicode_escape").decode("ascii")


def compressing(app: ASGIApp) -> ASGIApp:
    """An application whose long answers are compressed."""
    return GZipMiddleware(app, minimum_size=COMPRESSED, compresslevel=1)


def _ranges(accept: str) -> list[tuple[str, str, dict[str, str]]]:
    """The media ranges of a header; those that cannot be read accept nothing."""
    found = []
    for one in filter(str.strip, accept.split(",")):
        try:
            found.append(mimeparse.parse_media_range(one))
        except mimeparse.MimeTypeParseException:
            continue
    return found
