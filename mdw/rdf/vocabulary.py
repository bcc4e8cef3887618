"""The IRIs of the graph: terms of ontology/mdw.ttl, and one IRI for every thing a name can mean.

The same name gives the same IRI on every machine: kind, then the name percent-encoded. So executors and files meet in
the store without having agreed on anything, and the name can be read back from the IRI alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from urllib.parse import quote, unquote

from mdw.model.rules import JoinKind, Subtype

MDW = "https://w3id.org/mdw#"
PREFIXES = {
    "mdw": MDW,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "prov": "http://www.w3.org/ns/prov#",
}

# Graphs that belong to no mapping: what follows from the others, the ontology closed, business terms.
INFERRED = "urn:mdw:inferred"
SCHEMA = "urn:mdw:ontology"
TERMS = "urn:mdw:terms"
BELIEVED = tuple(f"{MDW}{word}" for word in ("rule", "head", "digest"))
"""What is believed wherever it stands, so that only the graphs of mappings may say it."""
CHANGED = "urn:mdw:changes:"
"""Before a number: an empty graph, whose name says how many changes the store has seen."""
DOUBTED = "urn:mdw:doubted"
"""A graph of the graphs that are not what they must be by what they say themselves."""
CHECKED = "urn:mdw:checked:3"
"""An empty graph, whose name says that all graphs of mappings, scripts and entries were held against what they say."""

ENTITY = "urn:mdw:entity:"
ATTRIBUTE = "urn:mdw:attribute:"
MAPPING = "urn:mdw:mapping:"
DICTIONARY = "urn:mdw:dictionary:"
SCRIPT = "urn:mdw:script:"
CONTEXT = "urn:mdw:context:"
ROLE = "urn:mdw:role:"
BLANK = "urn:mdw:blank:"

STEPS: dict[Subtype, str] = {
    "IDENTITY": "mdw:copiesTo",
    "TRANSFORMATION": "mdw:transformsTo",
    "AGGREGATION": "mdw:aggregatesTo",
    "CONDITIONAL": "mdw:chooses",
    "WINDOW": "mdw:arranges",
    "FILTER": "mdw:filters",
    "JOIN": "mdw:joins",
    "GROUP_BY": "mdw:groups",
    "SORT": "mdw:sorts",
}
"""How a source is used, as a property that leads from it to the attribute, or the mapping, that it is used for."""
STEP_KINDS = {MDW + name.removeprefix("mdw:"): kind for kind, name in STEPS.items()}
"""The kind of a step by its property."""
JOINS: dict[JoinKind, str] = {
    "left": "mdw:LeftJoin",
    "inner": "mdw:InnerJoin",
    "right": "mdw:RightJoin",
    "full": "mdw:FullJoin",
    "cross": "mdw:CrossJoin",
    "semi": "mdw:SemiJoin",
    "anti": "mdw:AntiJoin",
    "mark": "mdw:MarkJoin",
}
KEYWORD = "mdw:KeywordNode"

_RULE = re.compile(r"[a-z][a-z0-9_]*\Z")
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+").fullmatch


def entity_iri(name: str) -> str:
    """The IRI of an entity, by canonical name."""
    return ENTITY + encoded(name)


def attribute_iri(name: str) -> str:
    """The IRI of an attribute, by canonical name.

    >>> attribute_iri("CORE.PARTY.`end date`")
    'urn:mdw:attribute:CORE.PARTY.%60end%20date%60'
    """
    return ATTRIBUTE + encoded(name)


def mapping_iri(name: str) -> str:
    """The IRI of a mapping, which is also its named graph."""
    return MAPPING + encoded(name)


def dictionary_iri(entity: str) -> str:
    """The IRI of what the data dictionary tells of an entity, which is also its named graph."""
    return DICTIONARY + encoded(entity)


def script_iri(file: str) -> str:
    """The IRI of a script, which is also its named graph, by the name of its file."""
    return SCRIPT + encoded(file)


@lru_cache(maxsize=1 << 10)
def context_iri(path: str) -> str:
    """The IRI of a semantic context, by the name path of its meta leaf."""
    return CONTEXT + encoded(path)


@lru_cache(maxsize=1 << 16)
def name_of(iri: str) -> str:
    """The name behind an IRI of this module.

    >>> name_of("urn:mdw:attribute:CORE.PARTY.%60end%20date%60")
    'CORE.PARTY.`end date`'
    """
    return unquote(iri.split(":", 3)[3])


def encoded(name: str) -> str:
    """A name with everything but letters, digits and . _ - percent-encoded."""
    # Asking whether it is plain takes a third of finding it among many.
    return name if _PLAIN(name) else _encoded(name)


def iris_of(kind: str, names: Collection[str]) -> dict[str, str]:
    """The IRIs of several names of one kind.

    >>> iris_of(ENTITY, ["CORE.PARTY"])
    {'CORE.PARTY': 'urn:mdw:entity:CORE.PARTY'}
    """
    # All are plain if what they are together is: that is asked once.
    if _PLAIN("".join(names)):
        return {name: kind + name for name in names}
    return {name: kind + encoded(name) for name in names}


@lru_cache(maxsize=1 << 14)
def _encoded(name: str) -> str:
    # Halves of characters, which a terminal makes of bytes that are no text, have an IRI, too: nothing is called so.
    return quote(name, safe="", errors="surrogatepass")


@lru_cache(maxsize=1 << 10)
def role_class(role: str, keyword: bool = False) -> str:
    """The class of parse-tree nodes of a role, as it stands in Turtle; ``keyword``: the node's content is its role.

    Kept keywords and operators share one class; other roles no grammar rule could have get an IRI of their own.

    >>> role_class("populate"), role_class("!=", True), role_class("HAVING")
    ('mdw:PopulateNode', 'mdw:KeywordNode', '<urn:mdw:role:HAVING>')
    """
    if _RULE.match(role) and role != "keyword":
        return f"mdw:{role[0].upper()}{role[1:]}Node"
    return KEYWORD if keyword else f"<{ROLE}{encoded(role)}>"


@lru_cache(maxsize=1 << 10)
def role_of(class_iri: str) -> str | None:
    """The role of nodes of a class; None for keywords, whose role is their content.

    >>> role_of(MDW + "PopulateNode"), role_of("urn:mdw:role:HAVING"), role_of("urn:mdw:context:grouping.attribute")
    ('populate', 'HAVING', 'attribute')
    """
    if class_iri.startswith(ROLE):
        return name_of(class_iri)
    if class_iri.startswith(CONTEXT):
        return name_of(class_iri).rpartition(".")[2]
    name = class_iri.removeprefix(MDW).removesuffix("Node")
    return None if f"mdw:{name}Node" == KEYWORD else name[0].lower() + name[1:]


def reference(iri: str) -> str:
    """An IRI of this module as it stands in Turtle and SPARQL."""
    return f"<{iri}>"


def literal(text: str) -> str:
    """A plain string as it stands in Turtle and SPARQL.

    >>> literal("plain"), literal('"quoted"'), literal("two\\nlines")
    ('"plain"', '\\'"quoted"\\'', '"two\\\\nlines"')
    """
    # JSON is full of double quotes: in single ones it needs no escapes and stays short and readable.
    # Character by character: a search for any of them takes longer, and hardly any text has one.
    if "\\" in text or "\n" in text or "\r" in text:
        text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    if '"' not in text:
        return f'"{text}"'
    if "'" in text:
        text = text.replace("'", "\\'")
    return f"'{text}'"
