"""RDF documents of any form as N-Triples, and triples in any form; nothing is fetched that a document names."""

from __future__ import annotations

import mmap
import re
from pathlib import Path

import pyoxigraph as ox

from mdw.model.errors import InputError, system_says
from mdw.model.tree import Location
from mdw.rdf.vocabulary import PREFIXES

ENDINGS = {".owl": "rdf", ".json": "jsonld"}
"""What files of a form are also called."""
_DECLARES = re.compile(rb"<!ENTITY", re.IGNORECASE)
"""Text has no such mark in XML; in comments and CDATA it may stand, which nobody writes."""
_SHORT = re.compile(rb"""<!ENTITY\s+([\w.-]+)\s+("[^"<&%]{0,200}"|'[^'<&%]{0,200}')\s*>""")
"""An entity as editors of ontologies declare them, one for each namespace: it stands for no other entity."""
MOST_EXPANDED = 4
"""How many times as long as the document what its entities stand for may be."""


def convert(content: bytes, given: str, wanted: str) -> bytes:
    """RDF of one media type in another."""
    quads = ox.parse(content, ox.RdfFormat.from_media_type(given))
    return ox.serialize(quads, format=ox.RdfFormat.from_media_type(wanted), prefixes=PREFIXES) or b""


def triples(path: Path, media: str = "", base: str = "") -> str:
    """A document as N-Triples, its blank nodes named anew and its graphs put together.

    Without a media type the end of its name says of which form it is (Turtle, if it says nothing known). InputError,
    with line and caret where it is known, if it cannot be read. XML may declare entities that stand for namespaces; one
    whose entities stand for others, or for far more than it says, is not read: a few lines of them are gigabytes.
    """
    if media:
        form = ox.RdfFormat.from_media_type(media)
    else:
        ending = path.suffix.lower()
        form = ox.RdfFormat.from_extension(ENDINGS.get(ending, ending[1:]))
    form = form or ox.RdfFormat.TURTLE
    # Relative IRIs are those of the file; blank nodes are named anew, since two files may both have a _:b0.
    base = base or path.absolute().as_uri()
    try:
        if form == ox.RdfFormat.RDF_XML and _swells(path):
            hint = "write out what they stand for: xmllint --noent, for one, does"
            where = "" if media else f"{path}: "
            message = (
                "the RDF/XML declares entities that stand for others, or for far more than it says: it is not read"
            )
            raise InputError(f"{where}{message}", hint=hint)
        quads = ox.parse(path=str(path), format=form, base_iri=base, rename_blank_nodes=True)
        return (ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES) or b"").decode()
    except OSError as error:
        raise InputError(f"cannot read {path}: {system_says(error)}") from error
    except (SyntaxError, ValueError) as error:
        message = f"the {form.name} cannot be read: {getattr(error, 'msg', line_of(error))}"
        raise (InputError(message) if media else _in_file(path, message, error)) from error


def line_of(error: BaseException) -> str:
    """The first line of what an error says."""
    return str(error).partition("\n")[0]


def _swells(path: Path) -> bool:
    """Whether a document may be far longer once its entities are written out."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        declared = sum(1 for _ in _DECLARES.finditer(content))
        short = {one[1]: one[2] for one in _SHORT.finditer(content)} if declared else {}
        if len(short) < declared:
            return True
        uses = (len(short[one[1]]) for one in re.finditer(rb"&([\w.-]+);", content) if one[1] in short) if short else ()
        return sum(uses) > MOST_EXPANDED * len(content)


def _in_file(path: Path, message: str, error: Exception) -> InputError:
    """The error with the place in a file, where the engine knows it."""
    line, column = getattr(error, "lineno", None), getattr(error, "offset", None)
    if not line or not column:
        return InputError(f"{path}: {message}")
    # Read again only now: the line is wanted for one message, and the file may be large.
    with path.open(errors="replace") as text:
        excerpt = next((one.rstrip("\n") for number, one in enumerate(text, 1) if number == line), "")
    # A document may be one line of megabytes; shown is what lies around the place.
    cut = max(0, column - 60)
    shown = excerpt[cut : cut + 100]
    message = message.replace(f"Parser error at line {line} column {column}: ", "")
    return InputError(message, location=Location(str(path), line, column), excerpt=shown, caret=column - 1 - cut)
