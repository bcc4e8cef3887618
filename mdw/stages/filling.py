"""What goes into a store: mappings, business terms; and the same reading without keeping anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from time import perf_counter

from mdw.collecting import uncollected
from mdw.model.answers.results import CheckReport, LoadReport
from mdw.model.files import FileRecord
from mdw.rdf.documents import triples
from mdw.rdf.vocabulary import MAPPING, TERMS, dictionary_iri, mapping_iri, name_of, script_iri
from mdw.readers.folder import listed
from mdw.readers.loading import Sources
from mdw.readers.reading import Progress
from mdw.store import inference, scripts, trees
from mdw.store.batches import is_mapping
from mdw.store.dictionary import StoredDictionary
from mdw.store.engine import Store


def load(
    store: Store,
    sources: tuple[str | Path, ...],
    progress: Progress | None,
    dialect: str = "",
    *,
    mirror: bool = False,
    processes: int = 1,
) -> LoadReport:
    """Sources -> named mappings -> their graphs -> the store; what cannot be read is in the report."""
    start = perf_counter()
    store.require_writable()
    with uncollected():  # records are many values, and never a cycle
        known = store.files.all()
    # Reading and writing go on side by side, graph by graph: what `found` has learnt is whole only when the store has
    # taken the last one.
    with Sources(sources, progress, dialect, StoredDictionary(store), processes) as found:
        with uncollected():
            held = _held(store, known) if found.remembered else ()
        graphs = found.graphs(known, held, mirror=mirror)
        # Where others read, this process has time to write twice at a time: that takes longer than the reading.
        counts = store.load(graphs, found.stated.others, writers=2 if processes > 1 else 1)
    with uncollected():
        now = {record.file: _after(known.get(record.file), record) for record in (*found.read, *found.kept)}
        removed = _remember(store, found, known, now, mirror=mirror)
    kept = sum(len(one.mappings) for one in found.kept)
    return LoadReport(
        counts.new,
        counts.replaced,
        counts.unchanged + kept,
        found.errors,
        perf_counter() - start,
        found.stated.left,
        tuple(found.statements),
        tuple(sorted(found.files, key=attrgetter("file"))),
        (*found.notes, *_outdated(found, known), *_mistaken(found, known, now)),
        removed,
    )


def check(
    sources: tuple[str | Path, ...], progress: Progress | None, dialect: str = "", *, processes: int = 1
) -> CheckReport:
    """Sources -> named mappings, counted and let go."""
    with Sources(sources, progress, dialect, processes=processes) as found:
        mappings = sum(is_mapping(graph) for graph in found.graphs())
    files = tuple(sorted(found.files, key=attrgetter("file")))
    return CheckReport(mappings, found.errors, tuple(found.statements), files, tuple(found.notes))


def _held(store: Store, known: Mapping[str, FileRecord]) -> list[str]:
    """The files of whose mappings and statements the store still holds all, and as they were read."""
    said: dict[str, str] = {row[0]: row[1] for row in store.stream("store/said")} if known else {}
    for iri in store.doubted:
        said.pop(iri, None)
    return [
        file
        for file, record in known.items()
        if all(said.get(mapping_iri(name)) == digest for name, digest in record.mappings)
        and (not record.under or script_iri(file) in said)
    ]


def _remember(
    store: Store, found: Sources, known: Mapping[str, FileRecord], now: Mapping[str, FileRecord], *, mirror: bool
) -> tuple[str, ...]:
    """Keep the records of what was read, and take out what these files say no more; gives the mappings taken out.

    With ``mirror`` what files had that those folders hold no more goes, too.
    """
    # A file that cannot be read is not gone; nor is what a file with mistakes in it had before.
    there = {file for files in found.folders.values() for file in files}
    folders = {*found.folders, *_moved(known, now)} if mirror else set()
    gone = {one.file for one in known.values() if one.folder in folders and one.file not in there}
    stale = {iri for file in gone for iri in (*_graphs(known[file]), *known[file].left)}
    stale |= {iri for one in now.values() if one.whole for iri in one.left}
    removed: list[str] = []
    if stale:
        # But for what others say as well.
        stale -= {iri for file, one in {**known, **now}.items() if file not in gone for iri in _graphs(one)}
        stale -= set(map(mapping_iri, found.names))
        removed = sorted(trees.held(store, stale))
    if removed:
        store.remove(removed)
    cleared = (replace(one, left=() if one.whole else one.left) for one in now.values())
    store.files.put((one for one in cleared if one != known.get(one.file)), gone)
    return tuple(name_of(iri) for iri in removed if iri.startswith(MAPPING))


def _outdated(found: Sources, known: Mapping[str, FileRecord]) -> Iterator[str]:
    """Which files, read before and not now, would be told something else now of what they read or write."""
    now = {record.file for record in (*found.read, *found.kept)}
    others = [one for file, one in known.items() if file not in now]
    if not others:
        return
    # What was not read again tells what it told.
    changed = {
        entry.name
        for record in found.read
        for entry in {*record.entries} ^ {*(known[record.file].entries if record.file in known else ())}
    }
    asking = {one.file: changed.intersection(one.asked) for one in others}
    files = sorted(file for file, names in asking.items() if names)
    if files:
        names = sorted(set[str]().union(*asking.values()))
        them = "it" if len(files) == 1 else "them"
        yield f"{listed(files)}: read before this load told more of {listed(names)}; load {them} again to make it count"


def _mistaken(found: Sources, known: Mapping[str, FileRecord], now: Mapping[str, FileRecord]) -> Iterator[str]:
    """Which mappings of former loads stay though their files do not say them now, or cannot be read."""
    held = {iri for one in now.values() for iri in _graphs(one)} if known else set()
    there = {file for files in found.folders.values() for file in files} | now.keys()
    for file in sorted(there & known.keys()):
        record, before = now.get(file), known[file]
        if record is not None and record.whole:
            continue
        had = {*before.left, *_graphs(before)} if record is None else {*record.left}
        names = sorted(name_of(iri) for iri in had - held if iri.startswith(MAPPING))
        if names:
            yield f"{file} has mistakes; what it said before still counts: {listed(names)}"


def _after(before: FileRecord | None, record: FileRecord) -> FileRecord:
    """A record that also names the graphs the file had before and has no more."""
    if before is not None and before.place != record.place:
        # Another file that is called so, from elsewhere: the two are told apart by what they say alone.
        before = None
    if not record.left and (before is None or before is record):
        return record
    had = () if before is None else (*_graphs(before), *before.left)
    return replace(record, left=tuple(sorted({*had, *record.left} - _graphs(record))))


def _graphs(record: FileRecord) -> set[str]:
    """The graphs of what a file holds: its mappings, its statements, and what is told of entities."""
    mappings = {mapping_iri(name) for name, _ in record.mappings}
    return mappings | {dictionary_iri(one.name) for one in record.entries} | {script_iri(record.file)}


def _moved(known: Mapping[str, FileRecord], now: Mapping[str, FileRecord]) -> set[str]:
    """Folders that are no more where they were, and of which a file is here as it was there."""
    pairs = [(known[file], one) for file, one in now.items() if file in known]
    found = {before.folder for before, one in pairs if before.folder != one.folder and before.digest == one.digest}
    return {folder for folder in found if not Path(folder).exists()}


def terms(store: Store, source: Path, media: str) -> int:
    """A file of RDF -> its terms with all that follows between them -> the graph of terms; how many there are."""
    store.replace(TERMS, inference.terms_closure(triples(source, media)))
    return len({term for term, says, _ in store.select("search/terms") if says == "label"})


def remove(store: Store, mappings: Sequence[str]) -> None:
    """Names -> graphs, all of which must be there, and those of scripts left without any -> out of the store."""
    gone = trees.mappings(store, mappings)
    store.remove([*gone, *scripts.emptied(store, gone)])
