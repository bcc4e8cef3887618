"""Sources of every kind -> the graphs of their mappings, whatever else RDF states, and an error for all unreadable."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

from mdw.model.answers.statements import SqlStatement
from mdw.model.dictionary import NOTHING, DataDictionary, EntityEntry, ToldByName
from mdw.model.errors import FirstErrors, InputError
from mdw.model.files import FileRecord, SqlFile
from mdw.model.query import Statement
from mdw.model.tree import Location
from mdw.rdf.entries import describe_entry
from mdw.rdf.graph import MappingGraph
from mdw.rdf.vocabulary import mapping_iri
from mdw.readers.alone import dictionary, mappings
from mdw.readers.files.entries import Before, together_again
from mdw.readers.files.identities import identified
from mdw.readers.files.manifests import changes
from mdw.readers.inputs import COMPILE, NOTHING_IN_IT, Input, find
from mdw.readers.reading import Described, Meter, Named, Places, Progress, graph_of, once, twice
from mdw.readers.recognising import MANIFEST
from mdw.readers.scripts import DescribedFile, Scripts
from mdw.readers.stated import Stated

if TYPE_CHECKING:
    from mdw.readers.folder import Elsewhere
    from mdw.readers.sharing.pool import Pool

Item: TypeAlias = Named | Described | Statement | SqlStatement | InputError | MappingGraph | FileRecord | DescribedFile


def _safeguarded(error: InputError) -> InputError:
    """An empty folder that the store was to mirror."""
    return InputError(f"{error.message}: nothing was removed, lest a mistake empties the store", hint=EMPTIED)


EMPTIED = "take mappings out with mdw remove, or leave a file in the folder, if only with a comment"


MAPPED = ("text", "tables", "database", "rdf")
"""Kinds of inputs with mappings that need not come from SQL."""


def _pool(processes: int) -> Pool | None:
    from mdw.readers.sharing.pool import Pool  # only a large load has use for it

    pool = Pool(processes)
    return pool if pool.of_use else None


class Sources:
    """What is to be loaded, read once; ``dialect`` is that of SQL, "" if its files tell it themselves.

    ``before`` is what was told of entities before. ``processes`` read what is large. ``stated``, ``statements`` and
    ``files``, those of SQL, ``notes``, ``folders`` with the files in each, and ``read`` and ``kept``, the records of
    these, are whole when the mappings are at an end.
    """

    def __init__(
        self,
        sources: tuple[str | Path, ...],
        progress: Progress | None = None,
        dialect: str = "",
        before: ToldByName = NOTHING,
        processes: int = 1,
    ) -> None:
        self._found, missing = find(sources)
        self._errors = FirstErrors(missing)
        self._pool = _pool(processes) if processes > 1 else None
        self._elsewhere: Elsewhere | None = None
        self._meter = Meter.of(self._found, progress)
        self._dialect = dialect
        self._known: Mapping[str, FileRecord] = {}
        self._records: Mapping[str, FileRecord] = {}
        self._stored = before
        self._besides = any(one.kind in MAPPED for one in self._found)
        self._before: ToldByName = before
        self._mirror = False
        self._lying: dict[str, str] = {}
        self._places: Places = {}
        self.stated = Stated()
        self.statements: list[SqlStatement] = []
        self.files: list[SqlFile] = []
        self.notes: list[str] = []
        self.folders: dict[str, set[str]] = {}
        self._labels: set[str] = set()
        self.read: list[FileRecord] = []
        self.kept: list[FileRecord] = []
        self._entries: list[tuple[str, EntityEntry]] = []
        self._drawn: dict[bytes, MappingGraph] = {}

    @classmethod
    def with_help(cls, found: Sequence[Input], elsewhere: Elsewhere, dialect: str = "") -> Sources:
        """Files of SQL and dbt projects that are partly read ``elsewhere``, and what else tells of entities.

        Mappings of texts and of tables, and RDF, are not read.
        """
        sources = cls((), dialect=dialect)
        sources._besides = any(one.kind in MAPPED for one in found)
        sources._found, sources._elsewhere = [one for one in found if one.kind not in ("text", "rdf")], elsewhere
        return sources

    def close(self) -> None:
        """End the processes that read, if there are any left."""
        if self._pool:
            self._pool.close()
            self.notes += self._pool.notes
            self._pool = None

    def __enter__(self) -> Sources:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def graphs(
        self, known: Mapping[str, FileRecord] | None = None, held: Collection[str] = (), *, mirror: bool = False
    ) -> Iterator[MappingGraph]:
        """The mappings that can be read, then what is told of entities; what RDF states comes last.

        A mapping that comes twice must say the same. ``known`` are the records of files; those that are ``held`` need
        not be read again as long as nothing they rest on has changed. ``mirror``: what is in a folder no more counts no
        more.
        """
        self._known = known or {}
        self._records = {file: self._known[file] for file in held}
        self._mirror = mirror
        self._besides |= any(one.mappings and not one.under for one in self._known.values())
        if mirror:
            self._errors = FirstErrors(
                _safeguarded(one) if one.message.endswith(NOTHING_IN_IT) else one for one in self.errors
            )
        self.notes += changes(self._found)
        self._found = self._identified(self._found)
        self._lying = {one.label: str(one.path.resolve()) for one in self._found if one.path and not one.folder}
        self._before = Before(self._stored, self._known.values(), self._labels)
        self._forget()
        # RDF comes last because a graph may be spread over all its files; what texts said by then is known by digest.
        digests: dict[str, str] = {}
        # Items come file by file, and behind those of a file a record of it. Until then `named` gathers its mappings,
        # `script` is the graph of its statements if that was made elsewhere, and `whole` says whether all was taken.
        named: dict[str, str] = {}
        scripts = Scripts()
        script: MappingGraph | None = None
        whole = True
        for read in self._read():
            item = once(read, self._places) if isinstance(read, Named | Described) else read
            whole = whole and (item is read)
            if isinstance(item, Named | Described):
                graph = graph_of(item) if isinstance(item, Named) else item.graph
                digests[graph.iri] = named[item.name] = graph.digest
                yield graph
            elif isinstance(item, Statement):
                statement = SqlStatement.of(item)
                # The store has its text; whoever loads a warehouse need not hold all of it.
                self.statements.append(replace(statement, text=""))
                scripts.put(statement)
            elif isinstance(item, SqlStatement):
                self.statements.append(item)
            elif isinstance(item, MappingGraph):
                script = item
            elif isinstance(item, InputError):
                self._errors.add(item)
            elif isinstance(item, DescribedFile):
                self._ended(item.record, {**dict(item.record.mappings), **named}, whole=whole)
                self._drawn |= {entry.digest: one for entry, one in zip(item.record.entries, item.entries, strict=True)}
                named, whole = {}, True
                for graph in scripts.ended(item.record.file, script) if script else ():
                    digests[graph.iri] = graph.digest
                    yield graph
                script = None
            elif item is self._records.get(item.file):
                digests |= {mapping_iri(name): digest for name, digest in item.mappings}
                self._keep(item)
            else:
                self._ended(item, named, whole=whole)
                named, whole = {}, True
                # Of SQL it is known in what dialect it was read.
                for graph in scripts.ended(item.file) if item.under else ():
                    digests[graph.iri] = graph.digest
                    yield graph
        self.close()
        for graph in chain(scripts.rest(), map(self._entry, self._told())):
            digests[graph.iri] = graph.digest
            yield graph
        self._errors.take(self.stated.read([one for one in self._found if one.kind == "rdf"], self._meter))
        for one in self.stated.mappings(digests):
            if isinstance(one, InputError):
                self._errors.add(one)
            else:
                self._meter.count()
                yield one

    @property
    def errors(self) -> tuple[InputError, ...]:
        """The first errors of each file, and the number of the rest; whole when the mappings are at an end."""
        return self._errors.every()

    @property
    def inputs(self) -> Sequence[Input]:
        """What is read, each file of a folder by a name of its own once the mappings are at an end."""
        return self._found

    @property
    def remembered(self) -> bool:
        """Whether any of it lies in folders, of whose files records are kept."""
        return any(one.folder or one.kind == "dbt" for one in self._found)

    @property
    def names(self) -> Collection[str]:
        """The names of all mappings met."""
        return self._places.keys()

    def _entry(self, one: EntityEntry) -> MappingGraph:
        """The graph of an entry: made already where its file was read elsewhere, unless others tell of it, too."""
        return self._drawn.pop(one.digest, None) or describe_entry(one)

    def _told(self) -> Iterator[EntityEntry]:
        """An entry for each entity of which something is told that may be new, with what others told of it before."""
        # Of an entity that a file no more speaks of others may still tell: its entry is made anew from what they said.
        former = [self._known[file] for file in self._labels - {one.file for one in self.kept} if file in self._known]
        touched = {entry.name for record in former for entry in record.entries}
        unread = [(record.file, entry) for record in self.kept for entry in record.entries]
        return together_again(self._entries, touched, unread, self._before)

    # -- files ---------------------------------------------------------------------------------------------------------

    def _identified(self, inputs: Sequence[Input]) -> list[Input]:
        """The inputs, each of those in folders under a name of its own."""
        found, notes = identified(inputs, self._known, self._labels)
        self.notes += notes
        for one in found:
            if one.folder:
                self.folders.setdefault(one.root, set()).add(one.label)
            self._labels.add(one.label)
        return found

    def _forget(self) -> None:
        """What files tell that are gone is out of account where the store is to mirror the folders."""
        if self._mirror:
            self._labels |= {file for file, record in self._known.items() if record.folder in self.folders}

    def _ended(self, record: FileRecord, mappings: Mapping[str, str], *, whole: bool) -> None:
        """A file has been read: it is remembered, so that what it says no more can go when it is read again."""
        self._entries += [(record.file, entry) for entry in record.entries]
        place = "" if record.folder else self._lying.get(record.file, "")
        if record.folder or place or record.entries:
            whole = whole and record.whole
            self.read.append(replace(record, mappings=tuple(mappings.items()), whole=whole, place=place))

    def _keep(self, record: FileRecord) -> None:
        """A file need not be read; its names are taken all the same."""
        fine = []
        for name, digest in record.mappings:
            if name in self._places:
                self._errors.add(twice(name, self._places[name], Location(record.file, 1, 1)))
            else:
                self._places[name] = record.file
                fine.append((name, digest))
        whole = len(fine) == len(record.mappings)
        # The folder may lie elsewhere than it did.
        folder = next(root for root, files in self.folders.items() if record.file in files)
        same = whole and record.whole and folder == record.folder
        self.kept.append(record if same else replace(record, folder=folder, mappings=tuple(fine), whole=whole))

    def _read(self) -> Iterator[Item]:
        """Mappings of texts and tables, then those of SQL; behind those of each input a record."""
        if self._elsewhere is None:
            alone = [one for one in self._found if one.kind not in ("sql", "dbt", "rdf", "columns")]
            yield from mappings(alone, self._records, self._meter, self._pool)
        for one in self._found:
            if one.kind in ("columns", "tables"):
                yield from dictionary(one, self._dialect)
        scripts = [one for one in self._found if one.kind == "sql"]
        if scripts:
            yield from self._scripts(scripts, self._dialect, self._records)
        for one in self._found:
            if one.kind == "dbt":
                yield from self._project(one)

    def _scripts(
        self,
        inputs: Sequence[Input],
        dialect: str,
        records: Mapping[str, FileRecord],
        told: Sequence[EntityEntry] = (),
        *,
        here: bool = False,
    ) -> Iterator[Item]:
        """Files of SQL, which need one another; ``told`` is what is known of entities besides.

        They are read in other processes where there are any, unless all is to be read ``here``.
        """
        # sqlglot is slow to import, and most inputs are mappings.
        from mdw.readers.files.settings import FolderSettings, Settings
        from mdw.readers.folder import FolderReader

        known = DataDictionary((*(entry for _, entry in self._entries), *told), self._before)
        elsewhere = None if here else self._elsewhere
        if self._pool and not here:
            from mdw.readers.sharing.scripts import Sharing

            elsewhere = Sharing(self._pool, lambda: (*known.names(), *self._before.names()))
        reader = FolderReader(
            inputs,
            FolderSettings(Settings(dialect=dialect)),
            records,
            known,
            self._meter,
            elsewhere,
            besides=self._besides,
        )
        yield from reader.read()
        self.files += reader.files
        self.notes += reader.notes

    def _project(self, one: Input) -> Iterator[Item]:
        """The models of a dbt project, which says itself in what dialect they are written."""
        from mdw.readers.dbt.project import read_project
        from mdw.readers.dbt.unknown import UnknownModels

        assert one.path
        try:
            project = read_project(one.path)
        except InputError as error:
            yield error
            return
        if not (project.files or project.statements or project.unknown or len(project.dictionary)):
            yield InputError(f"{one.path / MANIFEST} has no models, seeds or sources", hint=COMPILE)
            return
        self.notes += project.notes
        yield from project.statements
        told = tuple(project.dictionary)
        unknown = UnknownModels(project.unknown, project.dialect, project.dictionary)
        files = [replace(file, folder=one.path) for file in project.files]
        # What is not read as SQL is a file of the project, too: it may be gone, or be SQL, when that is loaded again.
        others = {said.location.file for said in project.statements} | {model.file for model in project.unknown}
        others -= {file.name for file in files}
        besides = [Input(name, folder=one.path) for name in sorted(others)]
        manifest, *files = self._identified([Input(one.name, folder=one.path), *files, *besides])
        files = files[: len(files) - len(besides)]
        self._forget()
        # What is not followed may come from any attribute that anything else speaks of: then all is read.
        here = bool(project.unknown)
        for item in self._scripts(files, project.dialect, {} if here else self._records, told, here=here):
            unknown.noted(item)
            yield item
        yield from unknown.read()
        for name in sorted(others):
            yield FileRecord(name, manifest.root, "", project.dialect)
        yield FileRecord(manifest.label, manifest.root, "", "", entries=told)
