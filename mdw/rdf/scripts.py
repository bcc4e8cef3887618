"""Statements of SQL <-> RDF: one named graph per script, which loading the script again replaces.

Of a file ``v.sql`` that says ``CREATE VIEW v AS SELECT x FROM s`` the graph says (shortened):

    <urn:mdw:script:v.sql> a mdw:Script; mdw:file "v.sql"; mdw:dialect "ansi"; mdw:digest "...".
    <urn:mdw:script:v.sql/1> a mdw:Statement; mdw:statementKind "create view"; mdw:status "whole"; mdw:span "1:1 1:34";
        mdw:text "CREATE VIEW ..."; mdw:fillsEntity <urn:mdw:entity:V>; mdw:readsEntity <urn:mdw:entity:S>; ...
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import cast

from mdw.model.answers.statements import SqlStatement
from mdw.model.query import Effect, RoutinePlace, Status
from mdw.model.tree import Location
from mdw.rdf.graph import MappingGraph
from mdw.rdf.vocabulary import MDW, entity_iri, literal, name_of, script_iri

MAY: dict[Effect, str] = {"adds": "mayAddTo", "changes": "mayChange", "takes": "mayTakeFrom"}
"""By what becomes of rows: what is said of a statement not read whole and each entity that it may write (rule Q39)."""
NAMES = "mayName"
ENTITIES = frozenset(("fillsEntity", "readsEntity", "writesEntity", NAMES, *MAY.values()))


def describe_script(file: str, statements: Sequence[SqlStatement]) -> MappingGraph:
    """The graph of a script: its statements in order, none of a file that holds none."""
    iri = script_iri(file)
    said = next((one.dialect for one in statements if one.dialect), "")
    dialect = f";mdw:dialect {literal(said)}" if said else ""
    lines = [f"<{iri}> a mdw:Script;mdw:file {literal(file)}{dialect}.\n"]
    triples = 3 + bool(said)
    for number, one in enumerate(statements, 1):
        facts = list(_facts(one))
        lines.append(f"<{iri}/{number}> a mdw:Statement;{';'.join(facts)}.\n")
        triples += 1 + len(facts)
    body = "".join(lines)
    digest = blake2b(body.encode(), digest_size=16).hexdigest()
    return MappingGraph(
        iri, digest, f'GRAPH <{iri}> {{\n{body}<{iri}> mdw:digest "{digest}".\n}}\n', frozenset(), triples
    )


def _facts(one: SqlStatement) -> Iterable[str]:
    start, end = one.start or one.location, one.end or one.location
    places = [start, end] if one.location == start else [start, end, one.location]
    yield f"mdw:statementKind {literal(one.kind)}"
    yield f"mdw:status {literal(one.status)}"
    yield f"mdw:span {literal(' '.join(f'{place.line}:{place.column}' for place in places))}"
    if one.target:
        yield f"mdw:fillsEntity <{entity_iri(one.target)}>"
    yield from (f"mdw:readsEntity <{entity_iri(name)}>" for name in dict.fromkeys(one.reads))
    yield from (f"mdw:writesEntity <{entity_iri(name)}>" for name in dict.fromkeys(one.writes))
    yield from (f"mdw:{MAY[one.effect]} <{entity_iri(name)}>" for name in dict.fromkeys(one.possible))
    # What it may write it names as well: that is said once.
    others = dict.fromkeys(name for name in one.mentioned if one.possible and name not in one.possible)
    yield from (f"mdw:{NAMES} <{entity_iri(name)}>" for name in others)
    yield from (f"mdw:unresolved {literal(name)}" for name in dict.fromkeys(one.unresolved))
    yield from (f"mdw:deduced {literal(name)}" for name in dict.fromkeys(one.deduced))
    yield from (f"mdw:runsRoutine {literal(routine_text(called))}" for called in one.calls)
    if one.within:
        yield f"mdw:inRoutine {literal(routine_text(one.within))}"
    for says, text in (("message", one.message), ("hint", one.hint), ("text", one.text)):
        if text:
            yield f"mdw:{says} {literal(text)}"


def restore_statements(file: str, dialect: str, rows: Iterable[tuple[str, str, str]]) -> list[SqlStatement]:
    """The statements of a script, in order, of rows (statement, property, value) of its graph in any order."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for statement, says, value in rows:
        word = says.removeprefix(MDW)
        found[statement][word].append(name_of(value) if word in ENTITIES else value)
    numbered = sorted(found, key=lambda iri: int(iri.rpartition("/")[2]))
    return [_statement(file, dialect, found[iri]) for iri in numbered]


def _statement(file: str, dialect: str, said: defaultdict[str, list[str]]) -> SqlStatement:
    def one(word: str) -> str:
        return said[word][0] if said[word] else ""

    start, end, *at = [_place(file, place) for place in one("span").split(" ")]
    effect: Effect = next((effect for effect, word in MAY.items() if said[word]), "changes")
    return SqlStatement(
        one("statementKind"),
        cast(Status, one("status")),
        one("fillsEntity"),
        (),
        tuple(sorted(said["readsEntity"])),
        tuple(sorted(said["writesEntity"])),
        tuple(sorted(said["unresolved"])),
        one("message"),
        at[0] if at else start,
        one("hint"),
        one("text"),
        start,
        end,
        dialect,
        tuple(sorted(said["deduced"])),
        tuple(sorted(map(_routine, said["runsRoutine"]))),
        _routine(one("inRoutine")) if said["inRoutine"] else None,
        tuple(sorted(said[MAY[effect]])),
        effect,
        tuple(sorted({*said[NAMES], *said[MAY[effect]]})),
    )


def routine_text(one: RoutinePlace) -> str:
    """A routine as compact JSON: file, line, column, name; what begins alike stands in one place."""
    return json.dumps([*one.location, one.name], ensure_ascii=False, separators=(",", ":"))


def place_text(place: Location) -> str:
    """How the text of every routine begins that stands at a place."""
    return routine_text(RoutinePlace("", place)).removesuffix('""]')


def _routine(text: str) -> RoutinePlace:
    *place, name = json.loads(text)
    return RoutinePlace(name, Location(*place))


def _place(file: str, text: str) -> Location:
    line, _, column = text.partition(":")
    return Location(file, int(line), int(column))
