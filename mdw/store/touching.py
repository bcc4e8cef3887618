"""Does an update touch what the carry rule rests on? Told from its text, so that most updates cost nothing more.

The rule rests on what the ontology's own properties say (`mdw:attributeOf`, `mdw:targetEntity` ...). An update whose
templates name other properties only cannot change any of that; of everything else it is taken that it may.

    INSERT DATA { <urn:x> rdfs:label "y" }              touches nothing
    DELETE { ?s mdw:targetEntity ?e } WHERE { ... }     may touch it, and so may any property that is a variable
    CLEAR GRAPH <urn:g>                                 may touch it: the text does not say what stands there
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mdw.rdf.vocabulary import MDW, PREFIXES
from mdw.store.sparql import Operation

_WHOLE = ("administration", "load")
"""Operations on whole graphs."""
_LOOKING = ("group", "using", "with")
"""The parts of an operation that change nothing."""


def touches_rules(update: Operation) -> bool:
    """Whether an update may change what the carry rule rests on; true when in doubt.

    >>> from mdw.store.sparql import read_update
    >>> touches_rules(read_update("INSERT DATA { <urn:a> <urn:p> 1 }"))
    False
    >>> touches_rules(read_update("DELETE WHERE { ?a mdw:attributeOf ?e }"))
    True
    """
    prefixes = dict(PREFIXES)
    return update.tree is None or any(_own(word, prefixes) for word in _properties(update.tree, prefixes))


def _properties(tree: Any, prefixes: dict[str, str]) -> Iterator[Any]:
    """The words that say which properties an update writes, and None for graphs taken whole; notes prefixes on the way.

    Only the tree's operations are walked, in order, so a prefix is known before it is used.
    """
    pending: list[tuple[Any, bool]] = [(tree, False)]
    while pending:
        node, verb = pending.pop()
        part = getattr(node, "data", None)
        if part is None and verb:
            yield node
        elif part in _WHOLE:
            yield None
        elif part == "prefix":
            name, iri = node.children
            prefixes[str(name)[:-1]] = str(iri)[1:-1]
        elif part is not None and part not in _LOOKING:
            pending += [(child, verb or part == "verb") for child in reversed(node.children)]


def _own(word: Any, prefixes: dict[str, str]) -> bool:
    """Whether a property is a variable, of the ontology, or written so that only the engine knows."""
    if word is None:
        return True
    text = str(word)
    if word.type == "IRIREF":
        return ":" not in text or text[1:].startswith(MDW)
    if word.type == "PNAME":
        prefix = prefixes.get(text.partition(":")[0], "")
        return not prefix or prefix.startswith(MDW) or MDW.startswith(prefix)
    return bool(word.type == "VAR")
