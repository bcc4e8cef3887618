"""Sources of every kind -> the graphs of their mappings, whatever else RDF states, and an error for all unreadable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree, leaf_contexts
from mdw.model.dictionary import NOTHING, DataDictionary, EntityEntry, Told, merged
from mdw.model.errors import InputError
from mdw.model.query import Statement
from mdw.rdf.entries import describe_entry
from mdw.rdf.graph import MappingGraph, describe
from mdw.readers.inputs import Input, find
from mdw.readers.reading import Meter, Named, Progress, read_inputs
from mdw.readers.stated import Stated


class Sources:
    """What is to be loaded, read once; ``dialect`` is that of SQL, ``before`` what was told of entities before.

    ``errors``, ``stated``, ``statements``, those of SQL, and ``entries``, what is told of entities and attributes,
    are whole when the mappings are at an end.
    """

    def __init__(
        self,
        sources: tuple[str | Path, ...],
        progress: Progress | None = None,
        dialect: str = "ansi",
        before: Told = NOTHING,
    ) -> None:
        self._found, self.errors = find(sources)
        self._meter = Meter.of(self._found, progress)
        self._dialect = dialect
        self._before = before
        self.stated = Stated()
        self.statements: list[Statement] = []
        self.entries: list[EntityEntry] = []
        self.notes: list[str] = []

    def graphs(self) -> Iterator[MappingGraph]:
        """The mappings that can be read, then what is told of entities; what RDF states comes last.

        A mapping that comes twice must say the same.
        """
        metatree = MetaTree.of(MAPPING_GRAMMAR)
        # RDF comes last because a graph may be spread over all its files; what texts said by then is known by digest.
        digests: dict[str, str] = {}
        for item in self._read():
            if isinstance(item, InputError):
                self.errors.append(item)
            elif isinstance(item, Statement):
                self.statements.append(item)
            elif isinstance(item, EntityEntry):
                self.entries.append(item)
            else:
                graph = describe(item.tree, item.rules, leaf_contexts(item.tree, metatree))
                digests[graph.iri] = graph.digest
                yield graph
        for entry in self._told():
            graph = describe_entry(entry)
            digests[graph.iri] = graph.digest
            yield graph
        self.errors += self.stated.read([one for one in self._found if one.kind == "rdf"], self._meter)
        for one in self.stated.mappings(digests):
            if isinstance(one, InputError):
                self.errors.append(one)
            else:
                self._meter.count()
                yield one

    @property
    def _known(self) -> DataDictionary:
        """What is told of entities by now."""
        return DataDictionary(tuple(self.entries), self._before)

    def _told(self) -> Iterator[EntityEntry]:
        """An entry for each entity that anything is told of, with what was told of it before."""
        for entry in DataDictionary(tuple(self.entries)):
            known = self._before.entity(entry.name)
            yield merged(known, entry) if known and known.name == entry.name else entry

    def _read(self) -> Iterator[Named | Statement | EntityEntry | InputError]:
        """Mappings of texts and tables, then those of SQL; a name used twice is an error at its second place."""
        yield from read_inputs(self._found, self._meter)
        for one in self._found:
            yield from self._entries(one)
        # sqlglot is slow to import, and most inputs are mappings.
        scripts = [one for one in self._found if one.kind == "sql"]
        if scripts:
            from mdw.readers.folder import read_folder

            yield from read_folder(scripts, self._dialect, self._known)
        for one in self._found:
            if one.kind == "dbt":
                yield from self._project(one)

    def _entries(self, one: Input) -> Iterator[EntityEntry | InputError]:
        """What an input tells of entities besides mappings."""
        if one.kind == "columns":
            from mdw.readers.exports import read_export

            yield from read_export(one, self._dialect)
        elif one.kind == "tables" and one.path:
            from mdw.readers.tables import files

            try:
                yield from files.entries(one.path)
            except InputError as error:
                yield error

    def _project(self, one: Input) -> Iterator[Named | Statement | EntityEntry | InputError]:
        """The models of a dbt project, which says itself in what dialect they are written."""
        from mdw.readers.dbt import UnknownModels, read_project
        from mdw.readers.folder import read_folder

        assert one.path
        try:
            project = read_project(one.path)
        except InputError as error:
            yield error
            return
        self.notes += project.notes
        yield from project.dictionary
        yield from project.statements
        unknown = UnknownModels(project.unknown, project.dialect, project.dictionary)
        for item in read_folder(project.files, project.dialect, self._known):
            unknown.noted(item)
            yield item
        yield from unknown.read()
