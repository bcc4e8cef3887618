"""Which updates write to the graphs of mappings, or say elsewhere what only they may: these are refused.

The graph of a mapping holds its tree and what was made of it: rules, steps, a digest. Whoever changes a part of it
leaves the others saying something else. So it comes and goes whole: by loading the mapping, by removing it, by DROP.

    INSERT DATA { GRAPH <urn:mdw:mapping:m> { ... } }         refused
    INSERT DATA { <urn:mdw:attribute:T.A> mdw:rule "..." }    refused: rules are believed wherever they stand
    DELETE { GRAPH ?g { ... } } WHERE { ... }                 refused if ?g is the graph of a mapping: `Asked` asks
    DROP GRAPH <urn:mdw:mapping:m>                            takes the mapping out
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from mdw.model.errors import QueryError
from mdw.rdf.vocabulary import BELIEVED, MAPPING, PREFIXES, name_of
from mdw.store.sparql import Operation

ELSEWHERE = "only the graph of a mapping may say mdw:rule, mdw:head and mdw:digest: load the mapping"
BASE = " base"
"""Where the base stands among the prefixes."""
_NAMES = ("IRIREF", "PNAME", "VAR", "BLANK")


@dataclass(frozen=True, slots=True)
class Asked:
    """A query to be asked before an update: if it finds anything, the update is refused."""

    sparql: str
    within: str
    """The graph that its patterns look into where they name none."""
    alone: bool
    """Whether nothing else is done in the request, which might change what is found."""


def refuse_graph(graph: str) -> None:
    """QueryError if a graph is that of a mapping."""
    if graph.startswith(MAPPING):
        name = name_of(graph)
        raise QueryError(f"the graph of the mapping {name} comes and goes whole: load the mapping, or drop its graph")


def refuse_triples(ntriples: str) -> None:
    """QueryError if triples of another graph say what is believed of mappings."""
    if any(f" <{word}> " in ntriples for word in BELIEVED):
        raise QueryError(ELSEWHERE)


def guard(update: Operation, base: str = "") -> Asked | None:
    """QueryError if an update writes to the graph of a mapping, or says its rules elsewhere.

    Where variables name graphs or properties the store decides: what to ask it.
    """
    assert update.tree is not None
    prefixes = {**PREFIXES, BASE: base}
    prologue: list[str] = []
    asked: list[tuple[Any, list[str], list[str]]] = []
    operations = 0
    for node in update.tree.children:
        if node.data in ("prefix", "base"):
            words = [str(child) for child in node.children]
            prefixes[words[0][:-1] if node.data == "prefix" else BASE] = words[-1][1:-1]
            prologue.append(f"{node.data.upper()} {' '.join(words)}")
            continue
        operations += 1
        graphs, verbs = _written(node)
        for word in graphs:
            refuse_graph(_iri(word, prefixes))
        for word in verbs:
            if _iri(word, prefixes) in BELIEVED:
                raise QueryError(ELSEWHERE)
        free = _variables(graphs), _variables(verbs)
        if any(free):
            asked.append((node, *free))
    if not asked:
        return None
    sparql, within = _question(update.text, " ".join(prologue), prefixes, *asked[0])
    return Asked(sparql, within, operations == 1)


def _written(operation: Any) -> tuple[list[Any], list[Any]]:
    """The words that name the graphs an operation writes to, and the properties it states."""
    words = [child for child in operation.children if hasattr(child, "type")]
    graphs = [word for word in words if word.type in _NAMES]
    # CLEAR and DROP take a graph whole, which is allowed; COPY, MOVE and ADD write to one.
    if operation.data == "administration":
        copies = any(word.type == "COPIES" for word in words)
        return (graphs if copies else []), []
    if operation.data == "load":
        return graphs[1:], []
    below = [child for child in operation.children if not hasattr(child, "type")]
    graphs += [word for child in below if child.data == "with" for word in child.children]
    verbs = [] if operation.data in ("delete_data", "delete_where") else list(_verbs(below))
    return graphs, verbs


def _verbs(parts: Sequence[Any]) -> Iterator[Any]:
    pending = [one for one in parts if one.data not in ("group", "using", "with")]
    while pending:
        node = pending.pop()
        for child in node.children:
            if not hasattr(child, "type"):
                pending.append(child)
            elif node.data in ("verb", "path"):
                yield child


def _variables(words: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(str(word) for word in words if word.type == "VAR"))


def _question(
    text: str, prologue: str, prefixes: dict[str, str], operation: Any, graphs: list[str], verbs: list[str]
) -> tuple[str, str]:
    """A query that finds something if a variable stands for what may not be written, and the graph it looks into."""
    # `DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { P }` becomes `SELECT * WHERE { P FILTER(STRSTARTS(STR(?g), ...)) }`.
    places = {child.type: child for child in operation.children if hasattr(child, "type")}
    if operation.data == "delete_where":
        pattern = f"{{ {text[places['OPEN'].end_pos : places['CLOSE'].start_pos]} }}"
    else:
        pattern = text[places["WHERE"].end_pos :].rstrip().rstrip(";")
    tests = [f'STRSTARTS(STR({one}), "{MAPPING}")' for one in graphs]
    tests += [f"{one} IN ({', '.join(f'<{word}>' for word in BELIEVED)})" for one in verbs]
    sources, within = "", ""
    for child in operation.children:
        if getattr(child, "data", "") == "using":
            sources += f"FROM {' '.join(map(str, child.children))} "
        elif getattr(child, "data", "") == "with":
            within = _iri(child.children[-1], prefixes)
    test = " || ".join(tests)
    # USING counts for more than WITH.
    return f"{prologue} SELECT * {sources} WHERE {{ {pattern}\n FILTER({test}) }} LIMIT 1", "" if sources else within


def _iri(word: Any, prefixes: dict[str, str]) -> str:
    """The IRI that a word is, "" of one that is none or cannot be told."""
    text = str(word)
    if word.type == "IRIREF":
        return text[1:-1] if ":" in text else urljoin(prefixes[BASE], text[1:-1]) or prefixes[BASE]
    prefix, _, local = text.partition(":")
    return prefixes.get(prefix, "") + local.replace("\\", "") if word.type == "PNAME" else ""
