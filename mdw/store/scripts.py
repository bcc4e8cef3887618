"""Statements of SQL that a store holds, by the scripts they stand in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mdw.model.answers.statements import SqlStatement
from mdw.model.tree import Location, Node
from mdw.rdf.scripts import MAY, NAMES, place_text, restore_statements
from mdw.rdf.vocabulary import MDW, entity_iri, literal, name_of, reference, script_iri
from mdw.store.engine import Store
from mdw.store.queries import first, references
from mdw.store.trees import trees

SCRIPTS = 200
"""Scripts whose statements are fetched by one query."""


def files(store: Store) -> dict[str, str]:
    """The files of SQL, in order of their names, each with its dialect; "" of one without statements."""
    return dict(sorted((file, dialect) for _, file, dialect in store.select("scripts/list")))


def dialect(store: Store) -> str:
    """The dialect of all SQL the store holds; "" where there is none, or there are several."""
    found = [one for (one,) in store.select("scripts/dialects")]
    return found[0] if len(found) == 1 else ""


def any_held(store: Store) -> bool:
    """Whether the store holds any SQL."""
    return bool(store.select("scripts/dialects"))


def statements(store: Store, wanted: Iterable[str] | None = None) -> Iterator[SqlStatement]:
    """The statements of files, in order of these and of their places: all, or those of the files ``wanted``."""
    held = files(store)
    names = sorted(held if wanted is None else held.keys() & set(wanted))
    for begin in range(0, len(names), SCRIPTS):
        some = names[begin : begin + SCRIPTS]
        rows: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
        iris = [reference(script_iri(file)) for file in some]
        for script, statement, says, thing in store.select("scripts/statements", script=iris):
            rows[script].append((statement, says, thing))
        for file in some:
            yield from restore_statements(file, held[file], rows[script_iri(file)])


def any_unread(store: Store) -> bool:
    """Whether the store holds statements not read whole that may write something: a look, and no query."""
    return any(store.says(f"{MDW}{word}") for word in MAY.values())


def unread(
    store: Store, entities: Iterable[str] | None = None, *, naming: bool = False
) -> list[tuple[SqlStatement, list[str]]]:
    """The statements not read whole that may write some entities, or name them, each with those; None for all."""
    says = [f"{MDW}{word}" for word in (*MAY.values(), *([NAMES] if naming else []))]
    asked = references(entity_iri, sorted(entities)) if entities is not None else []
    query = "scripts/unread" if entities is not None else "scripts/all-unread"
    met: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for file, one, entity in store.select(query, says=map(reference, says), **({"entity": asked} if asked else {})):
        met[file, one].add(name_of(entity))
    if not met:
        return []
    rows: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for one, said, thing in store.select("scripts/some", statement=[reference(one) for _, one in met]):
        rows[one].append((one, said, thing))
    dialects = files(store)
    found = [
        (restored, sorted(names))
        for (file, one), names in met.items()
        for restored in restore_statements(file, dialects.get(file, ""), rows[one])
    ]
    return sorted(found, key=lambda one: one[0].start or one[0].location)


def read_as(store: Store, statement: SqlStatement) -> dict[str, Node]:
    """The trees of the mappings that a statement was read as, by their names."""
    start, end = statement.start or statement.location, statement.end or statement.location
    names = [name for name, line in lines(store, start.file) if start.line <= line <= end.line]
    found = ((name, tree, tree.location) for name, tree in trees(store, names))
    return {name: tree for name, tree, place in found if place and (place == start or start <= place < end)}


def lines(store: Store, file: str) -> list[tuple[str, int]]:
    """The mappings that were read from a file, in order of the lines they begin on."""
    rows = store.select("mappings/in-file", file=[literal(file)])
    return sorted(((name_of(mapping), int(line)) for mapping, _, line in rows), key=lambda one: (one[1], one[0]))


def all_files(store: Store) -> list[str]:
    """Every file that a statement or a mapping was read from, in order."""
    return sorted(first(store.select("mappings/files")))


def made(store: Store) -> frozenset[str]:
    """The entities that statements create."""
    return frozenset(map(name_of, first(store.select("scripts/made"))))


def calling(store: Store, place: Location) -> list[SqlStatement]:
    """The statements that call the routine which stands at a place, in order."""
    files = first(store.select("scripts/calling", place=[literal(place_text(place))]))
    return [one for one in statements(store, files) if any(called.location == place for called in one.calls)]


def emptied(store: Store, mappings: Iterable[str]) -> list[str]:
    """The IRIs of scripts that make no mapping any more once these, by IRI, are gone."""
    gone = set(mappings)
    made: defaultdict[str, set[str]] = defaultdict(set)
    for script, mapping in store.select("scripts/emptied", mapping=map(reference, gone)):
        made[script].add(mapping)
    return [script for script, some in made.items() if some <= gone]
