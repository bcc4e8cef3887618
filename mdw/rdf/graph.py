"""Tree <-> RDF: one named graph per mapping, holding its parse tree, its steps and its compiled rules.

Written as Turtle statements, which a TriG document and a SPARQL INSERT DATA read alike: text is five times faster to
make than quad objects, and one tenth of the same quads as N-Quads.

Of the mapping ``m``, ``WHEN POPULATING T FROM S POPULATE T.A WITH S.X``, the graph says (shortened):

    <urn:mdw:mapping:m> a mdw:Mapping; mdw:targetEntity <urn:mdw:entity:T>; mdw:head '[...]' .   what it is
    <urn:mdw:attribute:T.A> mdw:rule '["m","T.A","S.X",1,44]' .                                  what it does
    <urn:mdw:attribute:S.X> mdw:copiesTo <urn:mdw:attribute:T.A> .                               each use of a source
    <urn:mdw:attribute:S.X> mdw:feeds <urn:mdw:attribute:T.A> .                                  what paths walk
    <urn:mdw:mapping:m/n1> a mdw:MappingNode; mdw:parent <urn:mdw:mapping:m> .                   its parse tree, in
    <urn:mdw:mapping:m/n7> a mdw:PopulateWithExpressionComputationAttributeNode;                 folds (mdw.rdf.folds)
                           mdw:fills "T.A"; mdw:content "S.X"; mdw:parent .../n2 .
    <urn:mdw:mapping:m> mdw:digest "..." .                                                       all this in 16 bytes

A path over ``mdw:feeds`` crosses mappings because attributes have the same IRI in every graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from mdw.model.fixed import fixed
from mdw.model.name import entities_of, local_of
from mdw.model.query import ALL
from mdw.model.rules import DIRECT, Head, Rules, Subtype
from mdw.model.tree import Node
from mdw.rdf.codec import encode_head, encode_population
from mdw.rdf.contexts import Contexts
from mdw.rdf.nodes import said_of
from mdw.rdf.vocabulary import (
    ATTRIBUTE,
    ENTITY,
    JOINS,
    MDW,
    STEPS,
    attribute_iri,
    entity_iri,
    iris_of,
    literal,
    mapping_iri,
)

PREFIX = f"PREFIX mdw: <{MDW}>\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
STAR = "a mdw:Star;"
_DIRECT = frozenset(DIRECT)


@fixed
class MappingGraph:
    """The graph of one mapping, script (`mdw.rdf.scripts`) or entry (`mdw.rdf.entries`) as text.

    ``block`` is the statement ``GRAPH <iri> { ... }`` of so many ``quads``; ``digest`` tells graphs that say different
    things apart; ``entities`` are the IRIs of all entities mentioned.
    """

    iri: str
    digest: str
    block: str
    entities: frozenset[str]
    quads: int = 0

    def __reduce__(self) -> tuple[Any, ...]:
        # What dataclasses do by themselves where values go to another process takes several times as long.
        return MappingGraph, (self.iri, self.digest, self.block, self.entities, self.quads)


class _Statements:
    """Turtle statements, and how many triples they are."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.triples = 0

    def add(self, line: str, triples: int) -> None:
        self.lines.append(line)
        self.triples += triples


def describe(tree: Node, rules: Rules, contexts: Contexts) -> MappingGraph:
    """The graph of a mapping: its tree, with the semantic contexts that no class fixes, and its rules."""
    iri = mapping_iri(rules.head.mapping)
    # The order of the statements is fixed: the digest is that of the text, and equal mappings must have equal ones.
    attributes = _attributes(rules)
    entities = _entities(rules, attributes)
    # CORE.PARTY may be an entity and an attribute of CORE: then its label is that of the entity.
    names: dict[str, str | None] = {**attributes, **entities}
    statements = _Statements()
    # Each is named several times: what an IRI is made of is looked through once.
    iris, entity_iris = iris_of(ATTRIBUTE, attributes), iris_of(ENTITY, entities)
    _head(rules.head, iri, entity_iris, statements)
    _steps(rules, f"<{iri}>", iris, statements)
    said, triples, spellings = said_of(tree, contexts, iri, names)
    statements.lines += said
    statements.triples += triples
    _mentions(attributes, iris, entity_iris, statements)
    _others(entity_iris, rules.head, iri, statements)
    _labels(names, spellings, statements)
    body = "".join(statements.lines)
    digest = blake2b(body.encode(), digest_size=16).hexdigest()
    block = f'GRAPH <{iri}> {{\n{body}<{iri}> mdw:digest "{digest}".\n}}\n'
    return MappingGraph(iri, digest, block, frozenset(entity_iris.values()), statements.triples + 1)


# -- rules -------------------------------------------------------------------------------------------------------------


def _head(head: Head, mapping: str, iris: Mapping[str, str], statements: _Statements) -> None:
    """The mapping itself: name, ends, joins, place and compiled head."""
    target = iris[head.target]
    statements.add(
        f"<{mapping}> a mdw:Mapping{',mdw:UpdateMapping' if head.update else ''};rdfs:label {literal(head.mapping)}"
        f";mdw:targetEntity <{target}>;mdw:drivingEntity <{iris[head.driving]}>"
        f";mdw:file {literal(head.file)};mdw:line {head.line};mdw:head {literal(encode_head(head))}.\n",
        7 + head.update,
    )
    if head.inner:
        statements.add(f"<{target}> a mdw:InnerEntity.\n", 1)
    known: set[str] = set()
    for number, join in enumerate(head.joins, 1):
        entity = f"mdw:joinedEntity <{iris[join.entity]}>"
        statements.add(f"<{mapping}> {entity};mdw:join <{mapping}/j{number}>.\n", 1 + (join.entity not in known))
        known.add(join.entity)
        statements.add(f"<{mapping}/j{number}> a {JOINS[join.kind]};{entity}.\n", 2)


def _steps(rules: Rules, mapping: str, iris: Mapping[str, str], statements: _Statements) -> None:
    """The rules, and every use of a source: how it is used, and what property paths walk.

    Paths walk feeds where values flow, influences where they only decide: one edge for each pair of attributes, however
    many clauses use them, which feeds if any of these lets values flow.
    """
    lines: list[str] = []
    uses: dict[tuple[str, str], dict[Subtype, None]] = {}
    for population in rules.populations:
        target = f"<{iris[population.target]}>"
        lines.append(f"{target} mdw:rule {literal(encode_population(population))}.\n")
        for clause in population.clauses:
            for source in clause.sources:
                uses.setdefault((source.attribute, target), {})[source.subtype] = None
    # A filter decides over every attribute of its mapping. By way of the mapping that takes s + t edges, else s times
    # t.
    for source in rules.head.sources:
        uses.setdefault((source.attribute, mapping), {})[source.subtype] = None
    for (name, target), kinds in uses.items():
        edge = "influences" if _DIRECT.isdisjoint(kinds) else "feeds"
        said = "".join([f";{STEPS[kind]} {target}" for kind in kinds])
        lines.append(f"<{iris[name]}> mdw:{edge} {target}{said}.\n")
    if rules.head.sources:
        targets = dict.fromkeys(population.target for population in rules.populations)
        lines += [f"{mapping} mdw:influences <{iris[name]}>.\n" for name in targets]
    statements.add("".join(lines), len(lines) + sum(map(len, uses.values())))


# -- names -------------------------------------------------------------------------------------------------------------


def _attributes(rules: Rules) -> dict[str, str]:
    """Every attribute mentioned, with its entity."""
    attributes = [source.attribute for source in rules.head.sources]
    for population in rules.populations:
        attributes.append(population.target)
        for clause in population.clauses:
            attributes += [source.attribute for source in clause.sources]
    return entities_of(dict.fromkeys(attributes))


def _entities(rules: Rules, attributes: Mapping[str, str]) -> dict[str, None]:
    """Every entity mentioned."""
    ends = (rules.head.target, rules.head.driving, *(join.entity for join in rules.head.joins))
    return dict.fromkeys((*ends, *filter(None, attributes.values())))


def _mentions(
    attributes: Mapping[str, str], iris: Mapping[str, str], entity_iris: Mapping[str, str], statements: _Statements
) -> None:
    """What is known of each attribute mentioned."""
    said = "".join(
        [
            f"<{iris[name]}> {_star(name)}mdw:attributeOf <{entity_iris[entity] if entity else entity_iri(entity)}>.\n"
            for name, entity in attributes.items()
        ]
    )
    statements.add(said, len(attributes) + said.count(STAR))


def _others(iris: Mapping[str, str], head: Head, mapping: str, statements: _Statements) -> None:
    """The entities of attributes mentioned whose rows the mapping does not name."""
    named = {head.target, head.driving, *(join.entity for join in head.joins)}
    for entity, iri in iris.items():
        if entity not in named:
            statements.add(f"<{mapping}> mdw:mentionsEntity <{iri}>.\n", 1)


def _star(name: str) -> str:
    return STAR if name.endswith(ALL) and local_of(name) == ALL else ""


def _labels(names: Mapping[str, str | None], spellings: Mapping[str, str], statements: _Statements) -> None:
    """The labels of names spelled with capitals that are not the canonical ones."""
    for name, spelling in spellings.items():
        iri = entity_iri(name) if names[name] is None else attribute_iri(name)
        statements.add(f"<{iri}> rdfs:label {literal(spelling)}.\n", 1)
