"""The warehouse: mappings in memory or in a folder, and everything that can be done with them.

Each method is one call: `mdw.stages` says what happens in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Literal

import mdw.render.shown  # noqa: F401  results print as text and show in notebooks
from mdw.language.metatree import MetaTree
from mdw.language.questions import When
from mdw.lineage.steps.question import Budget
from mdw.model.answers.answer import Impact, Lineage, Origins
from mdw.model.answers.explained import ExplainedStatement
from mdw.model.answers.quotes import Quote, ScriptWords
from mdw.model.answers.report import Report
from mdw.model.answers.results import (
    Attribute,
    CheckReport,
    Entity,
    Hits,
    LoadReport,
    MappingInfo,
    Matches,
    Parameters,
    Table,
    query_result,
)
from mdw.model.answers.things import THINGS, Thing
from mdw.model.dictionary import DataDictionary
from mdw.model.rules import Mode, Policy
from mdw.model.tree import Node
from mdw.readers.reading import Progress
from mdw.stages import asking, believing, explaining, exporting, filling, quoting, reporting, sweeping, tracing
from mdw.stages.asking import Asking
from mdw.stages.searching import Searching
from mdw.stages.tracing import TraceAsked
from mdw.store import backups, catalogue, inference, trees
from mdw.store.dictionary import StoredDictionary
from mdw.store.directory import existing
from mdw.store.editor import Editor
from mdw.store.engine import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mdw.spark.lineage.origins import SparkLineage
    from mdw.spark.tuples.answer import Trace


class Warehouse:
    """Mappings, in memory or in a folder, and the questions that can be put to them.

    ``Warehouse()`` keeps everything in memory; ``Warehouse(path)`` in a folder, which is made if it is not there and
    which one process at a time may open; ``create=False`` asks for a folder that is a store already. One that can only
    be read, on a full disk for example, is open for questions, and `unwritable` says why. A large one of an earlier
    version is looked through when it is opened first; ``progress`` is told of how many mappings and of which share.
    """

    def __init__(
        self, path: str | Path | None = None, *, create: bool = True, progress: Progress | None = None
    ) -> None:
        if path is not None and not create:
            existing(Path(path))
        self.path = Path(path) if path is not None else None
        self._store = Store(path, or_read=True)
        if path is not None:
            believing.look_through(self._store, progress)
        self._searching = Searching(self._store)

    @classmethod
    def around(cls, store: Store) -> Warehouse:
        """The warehouse of a store that is open already."""
        found = cls.__new__(cls)
        found.path, found._store, found._searching = None, store, Searching(store)
        return found

    def __repr__(self) -> str:
        return f"Warehouse({str(self.path)!r})" if self.path else "Warehouse()"

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def unwritable(self) -> str:
        """Why nothing can be changed, in the system's words: no space, no rights; "" where everything can."""
        return self._store.unwritable

    @property
    def doubted(self) -> tuple[str, ...]:
        """The mappings, files and entities of which the store holds not what it must; loaded again they are whole."""
        return believing.doubted(self._store)

    @property
    def caveats(self) -> list[str]:
        """What is to be said beside every answer while anything is `doubted`; lineage and impact note it themselves."""
        return believing.notes(self._store)

    def close(self) -> None:
        """Let go of the folder, so that another process may open it.

        Behind a load of more than ten seconds the engine first merges its tables, which takes up to a quarter of that.
        """
        try:
            self._store.merge()
        finally:
            self._store.close()

    # -- filling -------------------------------------------------------------------------------------------------------

    def load(
        self,
        *sources: str | Path,
        dialect: str = "",
        mirror: bool = False,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> LoadReport:
        """Read files, folders, mapping text (a string that has a line end or says WHEN POPULATING) or ``-``.

        ``dialect`` is that of files of SQL (.sql, .pkb, .bteq ...): one of sqlglot's names, or ``ansi``. Without it
        ``mdw.toml`` beside the files tells it, or the name of a file (``x.bigquery.sql``), or what only one database
        has in its text; else it is ``ansi``. InputError if there is no such dialect.

        Files of a folder that did not change, nor what they read, are not read again. A file that is read again, and
        has no mistakes, replaces all that it said before; with ``mirror`` what files said that are gone from these
        folders is taken out, too: `LoadReport.removed` names the mappings.

        With ``processes`` so many others read for this one where there is enough to read (400 kB of mapping text,
        250 kB of SQL); what is loaded is the same. They are programs of their own: a script that loads needs
        no ``if __name__ == "__main__"``.

        A mapping replaces the one of its name; what RDF states of anything else is added. Errors are in the report and
        never raised: what can be read is loaded whatever else is wrong, and what was loaded before stays;
        `LoadReport.raise_for_errors` raises them.
        """
        return filling.load(self._store, sources, progress, dialect, mirror=mirror, processes=processes)

    def terms(self, source: str | Path, *, media: str = "") -> int:
        """Take business terms from an RDF file (Turtle, RDF/XML …) in the place of all there were; how many there are.

        Without its media type the end of its name says of which form it is.

        A term has a label (``rdfs:label``, ``skos:prefLabel``), perhaps synonyms (``skos:altLabel``) and broader terms
        (``rdfs:subClassOf``, ``skos:broader``); what holds its values ``mdw:represents`` it. InputError if the file
        cannot be read: the terms there were stay.
        """
        return filling.terms(self._store, Path(source), media)

    def remove(self, *mappings: str) -> None:
        """Take mappings out, by name. QuestionError if one of them is not there: then none is taken out."""
        filling.remove(self._store, mappings)

    def infer(self) -> None:
        """Draw every conclusion of the ontology, for SPARQL queries. Answers about lineage do not need it."""
        inference.run(self._store)

    # -- asking --------------------------------------------------------------------------------------------------------

    def lineage(
        self,
        attribute: str,
        *,
        source: str | None = None,
        when: When = None,
        mode: Mode = "active",
        unpopulated: Policy | None = None,
        budget: Budget | None = None,
        inner: bool = False,
        sql_dialect: str = "",
    ) -> Lineage:
        """Where the values of ``ENTITY.ATTRIBUTE`` come from, in rows for which the condition ``when`` holds.

        The condition is a text or a mapping from attributes to their values (a list or a set: any of them, None:
        NULL). It may also speak of rows further up, ``S.COUNTRY = "CH"``: then only those count there.
        With ``source`` the answer is how rows go from there, and from nowhere else, to the attribute. Steps go from
        table to table; with ``inner`` also through CTEs and subqueries. `End.sql` is in ``sql_dialect``: one of
        sqlglot's names or ``ansi``, usually that of the SQL the warehouse was loaded from, if that is all in one.
        QuestionError if no mapping mentions the attribute, or the condition cannot be read; TypeError if it is none.

        >>> with Warehouse() as warehouse:
        ...     _ = warehouse.load('WHEN POPULATING T FROM S POPULATE T.A WITH S.B IF S.C = "x" WITH S.D')
        ...     answer = warehouse.lineage("T.A", when={"S.C": ["x", "y"], "A": 5})
        >>> answer.when, [end.attribute for end in answer.golden]
        ('S.C IN ("x", "y") AND A = 5', ['S.B', 'S.D'])
        """
        asked = Asking(attribute, when, mode, unpopulated, budget, source, inner=inner, sql_dialect=sql_dialect)
        return asking.lineage(self._store, asked)

    def prove(
        self,
        attribute: str,
        folder: str | Path,
        *,
        source: str | None = None,
        when: When = None,
        unpopulated: Policy | None = None,
        budget: Budget | None = None,
    ) -> Lineage:
        """The same lineage, with scripts in the folder that anybody can run to check it.

        ``kept.sql`` is for SQLite: for every golden source it fills tables with the example row, runs the mappings of
        one way and selects the rows that arrive. Each ``dropped-….smt2`` is SMT-LIB 2.6 for any solver: the rules of
        one of `Dropped.groups`, unsat together and sat without any one of them. Those of an earlier answer are
        removed. OutputError if the folder cannot be written or is a store.
        """
        return asking.prove(self._store, Asking(attribute, when, "active", unpopulated, budget, source), Path(folder))

    def lineage_all(
        self, *, mode: Mode = "active", unpopulated: Policy | None = None, progress: Progress | None = None
    ) -> Iterator[Origins]:
        """Where the values of every populated attribute come from, one record each, in no order of names.

        The same sources as `lineage` finds for each of them alone; of a record that is ``undecided`` more may be
        named than can arrive, never fewer. ``progress`` is told attributes done and the share of the work. Cost grows
        with the steps: passive times the ends each step passes on, active times the states of rows that rules tell
        apart as well.
        """
        return sweeping.lineage_all(self._store, mode, unpopulated, progress)

    def spark_lineage(
        self,
        spark: SparkSession,
        folder: str | Path,
        *,
        mode: Mode = "active",
        unpopulated: Policy | None = None,
        progress: Callable[[str, float], None] | None = None,
    ) -> SparkLineage:
        """The same on Spark, into a folder: Parquet files that `mdw.spark.frames` reads back as DataFrames.

        Executors must reach the folder. ``progress`` is told the stage and how much of it is done. OutputError if the
        folder holds something else or cannot be written, SparkError if Spark gives up: what was there before stays.
        """
        return sweeping.spark_lineage(self._store, spark, Path(folder), mode, unpopulated, progress)

    def trace(
        self,
        spark: SparkSession,
        entity: str,
        *,
        when: When,
        data: str | Path,
        columns: Iterable[str] = (),
        max_rows: int = 100,
        rerun: bool = False,
    ) -> Trace:
        """The rows of sources that the rows of an entity were made of for which ``when`` holds, by way of the mappings.

        ``data`` is a folder with ENTITY.parquet, a file or a folder of parts, and ENTITY.csv, typed by the data
        dictionary: an entity that is there is read, another is what its mappings make. ``when`` is over attributes of
        the entity; ``columns`` are those whose values are asked for (default all). Mappings from which no such row
        comes are not run: `Trace.not_run` names them. ``rerun`` runs the others on the rows found (`tracing.md`, T36,
        T39, T41). QuestionError for rows there are none of, for more than ``max_rows``, and for names nobody knows;
        InputError for a folder that cannot be read, SparkError if Spark gives up.
        """
        asked = TraceAsked(entity, when, Path(data), tuple(columns), max_rows, rerun)
        return tracing.trace(self._store, spark, asked)

    def impact(
        self,
        attribute: str,
        *,
        target: str | None = None,
        when: When = None,
        mode: Mode = "active",
        unpopulated: Policy | None = None,
        budget: Budget | None = None,
        inner: bool = False,
        sql_dialect: str = "",
    ) -> Impact:
        """What the values of ``ENTITY.ATTRIBUTE`` feed; `lineage` forwards."""
        asked = Asking(attribute, when, mode, unpopulated, budget, target, inner=inner, sql_dialect=sql_dialect)
        return asking.impact(self._store, asked)

    def request(self, text: str) -> Matches:
        """What a request over semantic contexts finds, ``8, attribute, A.B : 10, attribute`` for one (seed 6.2.5)."""
        return asking.request(self._store, text)

    def parameterised(self, *requests: str) -> Parameters:
        """The leaves of the meta tree that requests look at, each with the content expected there (seed 6.2.2).

        >>> with Warehouse() as warehouse:
        ...     [(one.id, one.path, one.content) for one in warehouse.parameterised("name, name, x")]
        [(2, 'name', 'x')]
        """
        return asking.parameters(requests)

    def search(self, text: str, *, kinds: Iterable[Thing] = THINGS, limit: int = 20) -> Hits:
        """Attributes, entities, mappings and business terms by words, best first.

        Words may be begun or mistyped. The index is made at the first search after a change and kept beside the store.
        """
        return self._searching.search(text, kinds, limit)

    def query(self, sparql: str) -> Table | bool | str:
        """What a SPARQL query finds: a table, for ASK true or false, for CONSTRUCT and DESCRIBE Turtle."""
        return query_result(self.query_text(sparql))

    def query_text(self, sparql: str, form: str | None = None) -> str:
        """The same as text: rows as json, csv, tsv or xml, triples as turtle or ntriples."""
        return self._store.query_text(sparql, form)

    # -- looking -------------------------------------------------------------------------------------------------------

    def mappings(self, *, after: str = "", limit: int | None = None) -> tuple[MappingInfo, ...]:
        """Every mapping, in order of name; with a limit, so many of those whose names come after a name."""
        return asking.mappings(self._store, after, limit)

    def attributes(self) -> tuple[str, ...]:
        """The name of every attribute that any mapping mentions, in order."""
        return catalogue.attributes(self._store)

    def attribute(self, name: str) -> Attribute:
        """What is known of an attribute; QuestionError if no mapping mentions it."""
        return asking.attribute(self._store, name)

    def entity(self, name: str) -> Entity:
        """What is known of an entity; QuestionError if no mapping mentions it."""
        return asking.entity(self._store, name)

    def dictionary(self) -> DataDictionary:
        """All that is told of entities and their attributes: order, types, keys, defaults, descriptions.

        >>> from mdw import scan_sql
        >>> with Warehouse() as warehouse:
        ...     known = warehouse.dictionary()
        >>> len(known), scan_sql("SELECT a FROM t", schema=known).statements[0].columns
        (0, (ScannedColumn(name='a', type=''),))
        """
        return DataDictionary(tuple(StoredDictionary(self._store)))

    def quotes(self, attribute: str, *, limit: int = 20) -> tuple[Quote, ...]:
        """The statements of SQL that fill an attribute, so many at most, as their scripts have them.

        Each says which places give the attribute's values (``value``) and which decide over its rows (``rows``): the
        expression of its column, WHERE, joins, down through CTEs and subqueries of the statement. QuestionError if no
        mapping mentions the attribute.
        """
        found = self.attribute(attribute)
        return quoting.quotes(self._store, found.name, found.mappings[:limit])

    def written(self, answer: Lineage | Impact) -> tuple[ScriptWords, ...]:
        """The rules an answer rests on, and those by which steps were left out, as the scripts have them.

        In order of their places; nothing of what was read from mapping text.
        """
        return quoting.written(self._store, answer)

    def report(self, *, folder: str = "", dialect: str = "") -> Report:
        """What of SQL was read whole, in part and not at all, why, and what would help: by folder, dialect and cause.

        Of all files, or of those in a ``folder`` and below it, or in a ``dialect``; QuestionError if there are none.
        """
        return reporting.report(self._store, folder, dialect)

    def explain(self, place: str) -> ExplainedStatement:
        """The statement that stands at ``FILE:LINE``, or ``FILE:LINE:COLUMN``, with all that was understood of it.

        The innermost, of a line with several the first. FILE may be the end of a path that only one file has; of
        mapping text it is the mapping. QuestionError if no statement stands there: it names the nearest, or the files.
        """
        return explaining.explain(self._store, place)

    def text(self, mapping: str) -> str:
        """A mapping as canonical text; QuestionError if there is none of that name."""
        return exporting.text(self._store, mapping)

    def tree(self, mapping: str) -> Node:
        """The parse tree of a mapping, by name; QuestionError if there is none."""
        return trees.tree(self._store, mapping)

    def metatree(self) -> MetaTree:
        """The meta tree of the mapping language: the contexts that requests speak of."""
        return asking.metatree()

    def export(self, form: Literal["trig", "nquads", "text"], target: str | Path | IO[bytes]) -> None:
        """Write everything to a file or a binary stream, as RDF or as canonical mapping text; see also `tables`.

        OutputError if the file cannot be written.
        """
        exporting.export(self._store, form, target)

    def backup(self, folder: str | Path, *, copy: bool = False) -> None:
        """Copy the store into a new folder, from which `mdw restore` brings it back; StoreError if that cannot be.

        With the SHA-256 of each file. On the same disk files are shared with the store, as hard links, and take no
        time: damage of one is damage of both. With ``copy`` none is.
        """
        backups.back_up(self._store, Path(folder), copy=copy)

    def compact(self) -> None:
        """Let the engine tidy its files."""
        Editor(self._store).compact()

    def tables(self, folder: str | Path, form: Literal["parquet", "csv"] = "parquet") -> dict[str, int]:
        """Write every mapping to a folder of tables (``data/tables.md`` shows them); how many rows each table has.

        Tables of the same form that are there already are replaced. `load` reads the folder: the same quads come back.
        OutputError if the folder cannot be written.
        """
        return exporting.tables(self._store, Path(folder), form)


def check(*sources: str | Path, dialect: str = "", processes: int = 1, progress: Progress | None = None) -> CheckReport:
    """Read without keeping anything: how many mappings there are, and every error; ``dialect`` as for `load`."""
    return filling.check(sources, progress, dialect, processes=processes)
