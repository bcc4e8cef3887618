"""The warehouse: the only module that knows in which order texts become answers.

Loading: sources -> trees and rules -> graphs -> store. Asking: question -> candidates from the store -> judged by their
conditions -> answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import IO, TYPE_CHECKING, Literal, TypeVar

import mdw.render.shown  # noqa: F401  results print as text and show in notebooks
from mdw.collecting import uncollected
from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.language.questions import When, asked_name, attribute_name, entity_name, initial_condition, unknown, when_text
from mdw.language.requests import match, parameterised, read_request
from mdw.language.unparse import unparse
from mdw.lineage.steps.question import Budget, Question
from mdw.lineage.trace import origins_of, trace_impact, trace_lineage
from mdw.model.answers.answer import Impact, Lineage, Origins
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
from mdw.model.errors import StoreError, writing
from mdw.model.expressions import attributes_of
from mdw.model.name import entity_of
from mdw.model.rules import Mode, Policy
from mdw.model.tree import Node
from mdw.rdf.documents import triples
from mdw.rdf.vocabulary import TERMS
from mdw.readers.loading import Sources
from mdw.readers.reading import Progress
from mdw.store import candidates, catalogue, inference, trees
from mdw.store.directory import MARKER
from mdw.store.editor import Editor
from mdw.store.engine import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mdw.spark.lineage.origins import Traced
    from mdw.store.search import Index

SEVERAL = 200
"""Records made at a time."""

Answered = TypeVar("Answered", Lineage, Impact)


class Warehouse:
    """Mappings, in memory or in a folder, and the questions that can be put to them.

    ``Warehouse()`` keeps everything in memory; ``Warehouse(path)`` in a folder, which is made if it is not there and
    which one process at a time may open; ``create=False`` asks for a folder that is a store already.
    """

    def __init__(self, path: str | Path | None = None, *, create: bool = True) -> None:
        if path is not None and not create:
            there(Path(path))
        self.path = Path(path) if path is not None else None
        self._store = Store(path)
        self._index: tuple[int, Index] | None = None

    @classmethod
    def around(cls, store: Store) -> Warehouse:
        """The warehouse of a store that is open already."""
        found = cls.__new__(cls)
        found.path, found._store, found._index = None, store, None
        return found

    def __repr__(self) -> str:
        return f"Warehouse({str(self.path)!r})" if self.path else "Warehouse()"

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder, so that another process may open it."""
        self._store.close()

    # -- filling -------------------------------------------------------------------------------------------------------

    def load(self, *sources: str | Path, progress: Progress | None = None) -> LoadReport:
        """Read files, folders, mapping text (a string that has a line end or says WHEN POPULATING) or ``-``.

        A mapping replaces the one of its name; what RDF states of anything else is added. Errors are in the report and
        never raised: what can be read is loaded whatever else is wrong, and what was loaded before stays;
        `LoadReport.raise_for_errors` raises them.
        """
        start = perf_counter()
        found = Sources(sources, progress)
        counts = self._store.load(found.graphs(), found.stated.others)
        seconds = perf_counter() - start
        errors = tuple(found.errors)
        return LoadReport(counts.new, counts.replaced, counts.unchanged, errors, seconds, found.stated.left)

    def terms(self, source: str | Path, *, media: str = "") -> int:
        """Take business terms from an RDF file (Turtle, RDF/XML …) in the place of all there were; how many there are.

        Without its media type the end of its name says of which form it is.

        A term has a label (``rdfs:label``, ``skos:prefLabel``), perhaps synonyms (``skos:altLabel``) and broader terms
        (``rdfs:subClassOf``, ``skos:broader``); what holds its values ``mdw:represents`` it. InputError if the file
        cannot be read: the terms there were stay.
        """
        self._store.replace(TERMS, inference.terms_closure(triples(Path(source), media)))
        return len({term for term, says, _ in self._store.select("search/terms") if says == "label"})

    def remove(self, *mappings: str) -> None:
        """Take mappings out, by name. QuestionError if one of them is not there: then none is taken out."""
        self._store.remove(trees.mappings(self._store, mappings))

    def infer(self) -> None:
        """Draw every conclusion of the ontology, for SPARQL queries. Answers about lineage do not need it."""
        inference.run(self._store)

    # -- asking --------------------------------------------------------------------------------------------------------

    def lineage(
        self,
        attribute: str,
        *,
        when: When = None,
        mode: Mode = "active",
        unpopulated: Policy | None = None,
        budget: Budget | None = None,
    ) -> Lineage:
        """Where the values of ``ENTITY.ATTRIBUTE`` come from, in rows for which the condition ``when`` holds.

        The condition is a text or a mapping from attributes to their values (a list or a set: any of them, None:
        NULL). It may also speak of rows further up, ``S.COUNTRY = "CH"``: then only those count there.
        QuestionError if no mapping mentions the attribute, or the condition cannot be read; TypeError if it is none.

        >>> with Warehouse() as warehouse:
        ...     _ = warehouse.load('WHEN POPULATING T FROM S POPULATE T.A WITH S.B IF S.C = "x" WITH S.D')
        ...     answer = warehouse.lineage("T.A", when={"S.C": ["x", "y"], "A": 5})
        >>> answer.when, [end.attribute for end in answer.golden]
        ('S.C IN ("x", "y") AND A = 5', ['S.B', 'S.D'])
        """
        when = when_text(when)
        question = self._question(attribute, when, mode, unpopulated, budget)
        with uncollected():
            return _noting(when, question, trace_lineage(question, candidates.upstream(self._store, question)))

    def lineage_all(
        self, *, mode: Mode = "active", unpopulated: Policy | None = None, progress: Progress | None = None
    ) -> Iterator[Origins]:
        """Where the values of every populated attribute come from, one record each, in no order of names.

        The same sources as `lineage` finds for each of them alone; of a record that is ``undecided`` more may be
        named than can arrive, never fewer. ``progress`` is told attributes done and the share of the work. Cost grows
        with the steps: passive times the ends each step passes on, active times the states of rows that rules tell
        apart as well.
        """
        from mdw.lineage.everything.sweep import SINGLY

        left = SINGLY
        records = self._origins(mode, unpopulated, progress)
        while some := _several(records):
            for found in some:
                if found.undecided and left:
                    left -= 1
                    yield origins_of(self.lineage(found.attribute, unpopulated=unpopulated))
                else:
                    yield found

    def trace_all(
        self,
        spark: SparkSession,
        folder: str | Path,
        *,
        mode: Mode = "active",
        unpopulated: Policy | None = None,
        progress: Callable[[str, float], None] | None = None,
    ) -> Traced:
        """The same on Spark, into a folder: Parquet files that `mdw.spark.frames` reads back as DataFrames.

        Executors must reach the folder. ``progress`` is told the stage and how much of it is done. OutputError if the
        folder holds something else or cannot be written, SparkError if Spark gives up: what was there before stays.
        """
        from mdw.spark.lineage import origins

        def ask(name: str) -> Origins:
            return origins_of(self.lineage(name, mode=mode, unpopulated=unpopulated))

        return origins.write(spark, self._store, Path(folder), ask, mode=mode, policy=unpopulated, progress=progress)

    def impact(
        self,
        attribute: str,
        *,
        when: When = None,
        mode: Mode = "active",
        unpopulated: Policy | None = None,
        budget: Budget | None = None,
    ) -> Impact:
        """What the values of ``ENTITY.ATTRIBUTE`` feed; `lineage` forwards."""
        when = when_text(when)
        question = self._question(attribute, when, mode, unpopulated, budget)
        with uncollected():
            return _noting(when, question, trace_impact(question, candidates.downstream(self._store, question)))

    def request(self, text: str) -> Matches:
        """What a request over semantic contexts finds, ``8, attribute, A.B : 10, attribute`` for one (seed 6.2.5)."""
        request = read_request(text)
        read = trees.trees(self._store, mentioning=asked_name(request))
        return Matches(text, match(request, read, self.metatree()))

    def parameterised(self, *requests: str) -> Parameters:
        """The leaves of the meta tree that requests look at, each with the content expected there (seed 6.2.2).

        >>> with Warehouse() as warehouse:
        ...     [(one.id, one.path, one.content) for one in warehouse.parameterised("name, name, x")]
        [(2, 'name', 'x')]
        """
        return Parameters(requests, parameterised(map(read_request, requests), self.metatree()))

    def search(self, text: str, *, kinds: Iterable[Thing] = THINGS, limit: int = 20) -> Hits:
        """Attributes, entities, mappings and business terms by words, best first.

        Words may be begun or mistyped. The index is made at the first search after a change and kept beside the store.
        """
        from mdw.store.search import current  # its library is slow to import

        if self._index is None or self._index[0] != self._store.changes:
            self._index = self._store.changes, current(self._store)
        return Hits(text, tuple(self._index[1].search(text, kinds=kinds, limit=limit)))

    def query(self, sparql: str) -> Table | bool | str:
        """What a SPARQL query finds: a table, for ASK true or false, for CONSTRUCT and DESCRIBE Turtle."""
        return query_result(self.query_text(sparql))

    def query_text(self, sparql: str, form: str | None = None) -> str:
        """The same as text: rows as json, csv, tsv or xml, triples as turtle or ntriples."""
        return self._store.query_text(sparql, form)

    # -- looking -------------------------------------------------------------------------------------------------------

    def mappings(self, *, after: str = "", limit: int | None = None) -> tuple[MappingInfo, ...]:
        """Every mapping, in order of name; with a limit, so many of those whose names come after a name."""
        if limit is None:
            heads = catalogue.heads(self._store)
            return tuple(MappingInfo.of(head) for head in heads if head.mapping > after)
        return tuple(MappingInfo.of(head) for head in catalogue.heads_after(self._store, after, limit))

    def attributes(self) -> tuple[str, ...]:
        """The name of every attribute that any mapping mentions, in order."""
        return catalogue.attributes(self._store)

    def attribute(self, name: str) -> Attribute:
        """What is known of an attribute; QuestionError if no mapping mentions it."""
        return Attribute.of(catalogue.about_attribute(self._store, attribute_name(name)))

    def entity(self, name: str) -> Entity:
        """What is known of an entity; QuestionError if no mapping mentions it."""
        return Entity.of(catalogue.about_entity(self._store, entity_name(name)))

    def text(self, mapping: str) -> str:
        """A mapping as canonical text; QuestionError if there is none of that name."""
        return unparse(self.tree(mapping))

    def tree(self, mapping: str) -> Node:
        """The parse tree of a mapping, by name; QuestionError if there is none."""
        return trees.tree(self._store, mapping)

    def metatree(self) -> MetaTree:
        """The meta tree of the mapping language: the contexts that requests speak of."""
        return MetaTree.of(MAPPING_GRAMMAR)

    def export(self, form: Literal["trig", "nquads", "text"], target: str | Path | IO[bytes]) -> None:
        """Write everything to a file or a binary stream, as RDF or as canonical mapping text; see also `tables`.

        OutputError if the file cannot be written.
        """
        if form != "text":
            self._store.export(target, form)
        elif isinstance(target, str | Path):
            with writing(target), Path(target).open("wb") as file:
                self._write(file)
        else:
            self._write(target)

    def backup(self, folder: str | Path) -> None:
        """Copy the store into a new folder, from which `mdw restore` brings it back; StoreError if that cannot be."""
        Editor(self._store).checkpoint(Path(folder))

    def compact(self) -> None:
        """Let the engine tidy its files."""
        Editor(self._store).compact()

    def tables(self, folder: str | Path, form: Literal["parquet", "csv"] = "parquet") -> dict[str, int]:
        """Write every mapping to a folder of tables (``data/tables.md`` shows them); how many rows each table has.

        Tables of the same form that are there already are replaced. `load` reads the folder: the same quads come back.
        OutputError if the folder cannot be written.
        """
        from mdw.readers.tables import files, split  # Arrow is slow to import

        rows = (row for name, tree in trees.trees(self._store) for row in split.split(name, tree))
        return files.write(rows, Path(folder), form)

    def _write(self, file: IO[bytes]) -> None:
        for number, (_, tree) in enumerate(trees.trees(self._store)):
            file.write(("\n" * bool(number) + unparse(tree)).encode())

    def _origins(self, mode: Mode, policy: Policy | None, progress: Progress | None) -> Iterator[Origins]:
        from mdw.lineage.everything import sweep

        names = catalogue.attributes(self._store)
        if mode == "passive":
            populations = candidates.populations(self._store)
            yield from sweep.passive(names, catalogue.heads(self._store), populations, progress)
        else:
            yield from sweep.active(candidates.everything(self._store), names, policy, progress)

    def _question(
        self, attribute: str, when: str, mode: Mode, policy: Policy | None, budget: Budget | None
    ) -> Question:
        name = attribute_name(attribute)
        condition = initial_condition(when, name)
        for one in (name, *(attributes_of(condition) if condition else ())):
            if not catalogue.known(self._store, one):
                raise unknown(one, catalogue.near(self._store, one))
        if mode == "passive":
            condition, when = None, ""
        return Question(name, condition, when.strip(), mode, policy, budget or Budget())


def there(store: Path) -> None:
    """StoreError if a folder is no store."""
    if not (store / MARKER).is_file():
        raise StoreError(f"there is no store at {store}; make one with: mdw load FILES --store {store}")


def _noting(when: str, question: Question, answer: Answered) -> Answered:
    """The answer, saying so where it takes no notice of the condition asked with, or of a part of it."""
    notes = list(answer.notes)
    if question.mode == "passive" and when.strip():
        notes.append(f"passive: {when.strip()} was not looked at, nor any other condition")
    if question.condition:
        steps = [*answer.steps, *(dropped.step for dropped in answer.dropped)]
        met = {entity_of(name) for step in steps for name in (step.source, step.target)}
        met.add(entity_of(question.attribute))
        strange = sorted({entity_of(name) for name in attributes_of(question.condition)} - met)
        notes += [f"no rows of {entity} lie on the way: what was asked of them was not looked at" for entity in strange]
    return replace(answer, notes=tuple(notes))


def _several(records: Iterator[Origins]) -> list[Origins]:
    """The next records, made without searching for garbage; whoever asked is free to make some between them."""
    with uncollected():
        return list(islice(records, SEVERAL))


def check(*sources: str | Path, progress: Progress | None = None) -> CheckReport:
    """Read without keeping anything: how many mappings there are, and every error."""
    found = Sources(sources, progress)
    mappings = sum(1 for _ in found.graphs())
    return CheckReport(mappings, tuple(found.errors))
