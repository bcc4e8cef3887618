"""Does an update touch what the carry rule rests on? Told from its text, so that most updates cost nothing more.

The rule rests on what the ontology's own properties say (`mdw:attributeOf`, `mdw:targetEntity` ...). An update whose
templates name other properties only cannot change any of that; of everything else it is taken that it may.

    INSERT DATA { <urn:x> rdfs:label "y" }              touches nothing
    DELETE { ?s mdw:targetEntity ?e } WHERE { ... }     may touch it, and so may any property that is a variable
    CLEAR GRAPH <urn:g>                                 touches it if such properties stand there
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mdw.rdf.vocabulary import MDW, PREFIXES
from mdw.store.sparql import Operation

_LOOKING = ("group", "using", "with")
"""The parts of an operation that change nothing."""


def touches_rules(update: Operation, speaks: Callable[[str], bool] = lambda _: True) -> bool:
    """Whether an update may change what the carry rule rests on; true when in doubt.

    ``speaks`` says of a graph (``""``: the default graph) whether any of these properties stand in it.

    >>> from mdw.store.sparql import read_update
    >>> touches_rules(read_update("INSERT DATA { <urn:a> <urn:p> 1 }"))
    False
    >>> touches_rules(read_update("DELETE WHERE { ?a mdw:attributeOf ?e }"))
    True
    """
    if update.tree is None:
        return True
    prefixes = dict(PREFIXES)
    for word in _words(update.tree, prefixes):
        # Words of the text have a type; a graph is its IRI alone.
        if word is None or (_own(word, prefixes) if hasattr(word, "type") else speaks(word)):
            return True
    return False


def _words(tree: Any, prefixes: dict[str, str]) -> Iterator[Any]:
    """The words that say which properties an update writes, the graphs it takes whole, None where that is unknown.

    Notes prefixes on the way: operations are walked in order, so a prefix is known before it is used.
    """
    pending: list[tuple[Any, bool]] = [(tree, False)]
    while pending:
        node, verb = pending.pop()
        part = getattr(node, "data", None)
        if part is None and verb:
            yield node
        elif part == "load":
            yield None
        elif part == "administration":
            yield from _graphs(node)
        elif part == "prefix":
            name, iri = node.children
            prefixes[str(name)[:-1]] = str(iri)[1:-1]
        elif part is not None and part not in _LOOKING:
            pending += [(child, verb or part == "verb") for child in reversed(node.children)]


def _graphs(operation: Any) -> Iterator[str | None]:
    """The graphs of a CLEAR, DROP, COPY ...: the default graph may always be one of them."""
    named = [word for word in operation.children if word.type in ("IRIREF", "PNAME")]
    if not named or any(word.type == "PNAME" or ":" not in str(word) for word in named):
        yield None
    yield ""
    yield from (str(word)[1:-1] for word in named)


def _own(word: Any, prefixes: dict[str, str]) -> bool:
    """Whether a property is a variable, of the ontology, or written so that only the engine knows."""
    text = str(word)
    if word.type == "IRIREF":
        return ":" not in text or text[1:].startswith(MDW)
    if word.type == "PNAME":
        prefix = prefixes.get(text.partition(":")[0], "")
        # With `PREFIX w: <https://w3id.org/>` the ontology's `rule` may be written `w:mdw\#rule`.
        return not prefix or prefix.startswith(MDW) or MDW.startswith(prefix)
    return bool(word.type == "VAR")
