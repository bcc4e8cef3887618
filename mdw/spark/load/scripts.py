"""What executors do with files of SQL: those of one Spark partition -> one part, with what became of each file.

The driver says which files these are, and what is told of entities (`mdw.readers.folder`). What it hears of them it
tells the files that read what they make. It comes in waves: in each are the files whose own sources were read before.

    wave 1    raw.sql  CREATE TABLE r (a INT)          makes R (A INT)
    wave 2    v.sql    CREATE VIEW v AS SELECT * ...   is told R (A INT), makes V (A INT)
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mdw.collecting import collected, settled, uncollected
from mdw.drafting import drafted
from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.model.answers.statements import SqlStatement
from mdw.model.dictionary import Told
from mdw.model.errors import InputError
from mdw.model.query import Statement
from mdw.rdf.graph import MappingGraph
from mdw.rdf.scripts import describe_script
from mdw.rdf.vocabulary import name_of
from mdw.readers.files.planning import FoundFile, Look, look
from mdw.readers.folder import Looking
from mdw.readers.inputs import Input
from mdw.readers.loading import Sources
from mdw.readers.reading import Named
from mdw.readers.scripts import AssignedFile, DescribedFile, read_alone
from mdw.spark.load.parts import (
    SEVERAL,
    PartEntry,
    PartPlace,
    Piece,
    Pieces,
    Summary,
    described,
    place_of,
    rejected,
    write,
)
from mdw.spark.run.failures import giving_up
from mdw.store.batches import is_mapping

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import SparkSession

    from mdw.spark.run.watching import Progress

LEAST = 32
"""Files for which a wave is worth its way: on two cores it takes as long as reading them here."""
SHARE = 16
"""Files to a partition, at least: a part waits four times for the disk, as long as it takes to read five files."""
LOOKED = 1_000
"""Files for which looking at them is worth its way: that takes as long as to look at eight hundred."""
RECORDS = "records"
"""How the name of the file ends that says what became of the files of a part."""


class NumberedFile(NamedTuple):
    """A file to be read, and the number of the input it comes from."""

    source: int
    file: AssignedFile


class ScriptPart(NamedTuple):
    """A part, and what became of the files in it, in their order: a list of `DescribedFile`, pickled."""

    summary: Summary
    records: bytes


class Waves:
    """The executors, as the reader of folders sees them: files are read there, many at a time, into parts.

    ``written`` is told of each part when its wave is over.
    """

    def __init__(
        self,
        spark: SparkSession,
        folder: Path,
        inputs: Sequence[Input],
        numbers: Mapping[Path, int],
        partitions: int,
        progress: Progress,
        written: Callable[[Summary], None],
    ) -> None:
        self.least, self.worth = LEAST, 0
        self._context = spark.sparkContext
        self._folder, self._partitions, self._progress, self._written = folder, partitions, progress, written
        self._numbers = numbers
        self._count = self._done = 0
        self._size = max(1, sum(one.size for one in inputs if one.kind in ("sql", "dbt")))
        self._told: tuple[Told, Broadcast[Told]] | None = None

    def look(self, files: Sequence[FoundFile]) -> Looking | None:
        """One executor looks at them: two would leave this process, which looks at the others, no core of its own."""
        if len(files) < LOOKED:
            return None
        there = [one._replace(input=_there(one.input)) for one in files]

        def looked() -> list[Look | InputError]:
            with giving_up():
                (found,) = self._context.parallelize([there], 1).map(_looked).collect()
            return found

        # Spark has whoever asks it wait, so a thread asks.
        thread = ThreadPoolExecutor(1)
        looking = thread.submit(looked)
        thread.shutdown(wait=False)
        return looking.result

    def read(self, files: Iterable[AssignedFile], before: Told) -> Iterator[tuple[DescribedFile]]:
        """What became of the files, in their order."""
        files = list(files)
        # Waves are numbered: the parts of each have names of their own, which a run that starts again finds.
        self._count += 1
        # Neighbours in a folder are alike, long or short: dealt out like cards, each partition gets some of all.
        shares = max(1, min(self._partitions, len(files) // SHARE))
        # Of three partitions two executors would read two, and then one of them the third.
        if shares > (workers := self._context.defaultParallelism):
            shares -= shares % workers
        numbered = [NumberedFile(self._number(one), _absolute(one)) for one in files]
        dealt = [numbered[share::shares] for share in range(shares)]
        run = from_scripts(str(self._folder), self._count, self._known(before))
        with giving_up():
            parts = self._context.parallelize(dealt, shares).mapPartitions(run).collect()
        collected()
        found: list[list[DescribedFile]] = []
        for part in parts:
            self._written(part.summary)
            found.append(pickle.loads(part.records))
        self._done += sum(one.script.input.size for one in files)
        self._progress("reading", min(1.0, self._done / self._size))
        for number in range(len(files)):
            yield (found[number % shares][number // shares],)

    def close(self) -> None:
        """Let executors forget what they were told."""
        if self._told:
            self._told[1].unpersist()

    def _number(self, one: AssignedFile) -> int:
        return _number(one.script.input, self._numbers)

    def _known(self, before: Told) -> Broadcast[Told]:
        """The same for all waves, so it is sent once."""
        if self._told is None or self._told[0] is not before:
            self.close()
            self._told = before, self._context.broadcast(before)
        return self._told[1]


def _number(one: Input, numbers: Mapping[Path, int]) -> int:
    """The number of a file, or of the folder whose manifest has it."""
    found = numbers.get(one.path, SEVERAL) if one.path else SEVERAL
    return numbers.get(one.folder, SEVERAL) if one.folder and found == SEVERAL else found


def _absolute(one: AssignedFile) -> AssignedFile:
    return one._replace(script=replace(one.script, input=_there(one.script.input), record=None))


def _there(given: Input) -> Input:
    """A file by a path that means the same wherever an executor was started."""
    path = given.path.absolute() if given.path else None
    folder = given.folder.absolute() if given.folder else None
    return replace(given, path=path, folder=folder)


def _looked(files: Iterable[FoundFile]) -> list[Look | InputError]:
    with uncollected():
        return [look(one) for one in files]


def from_scripts(
    folder: str, wave: int, before: Broadcast[Told]
) -> Callable[[Iterable[list[NumberedFile]]], Iterable[ScriptPart]]:
    """For `mapPartitions` over lists of files, one in each partition, which becomes a part."""

    def run(lists: Iterable[list[NumberedFile]]) -> Iterator[ScriptPart]:
        for files in lists:
            place = place_of(Path(folder), f"sql{wave}", "trig")
            found = write(place, _pieces(files, before.value, place))
            settled()
            # As they are on the disk: else they would be unpickled here, only to be pickled again for the driver.
            yield ScriptPart(found, place.beside(RECORDS).read_bytes())

    return run


def _pieces(files: Iterable[NumberedFile], before: Told, place: PartPlace) -> Pieces:
    metatree = MetaTree.of(MAPPING_GRAMMAR)
    found: list[DescribedFile] = []
    for source, file in files:
        mappings: list[tuple[str, str]] = []
        statements: list[SqlStatement] = []
        for position, item in enumerate(read_alone(file, before), 1):
            if isinstance(item, Named):
                graph, piece = described(source, position, item, metatree)
                mappings.append((item.name, graph.digest))
                yield piece
            elif isinstance(item, Statement):
                statements.append(SqlStatement.of(item))
            elif isinstance(item, InputError):
                yield rejected(source, position, item), b""
            else:
                yield _piece(source, position, describe_script(item.file, statements))
                found.append(DescribedFile.of(replace(item, mappings=tuple(mappings)), len(statements)))
        # The trees of a file are full of circles; those of hundreds would be looked through when they are long cold.
        collected()
    # Before the part is whole: whoever finds it finds this, too.
    with drafted(place.beside(RECORDS), named=False) as draft:
        draft.write_bytes(pickle.dumps(found))


def _piece(source: int, position: int, graph: MappingGraph) -> Piece:
    """A graph that is written already, be it of a mapping or not."""
    mapping = name_of(graph.iri) if is_mapping(graph) else None
    entry = PartEntry(source, position, mapping, quads=graph.quads, mappings=int(mapping is not None))
    return entry, graph.block.encode()


def read_here(folder: Path, sources: Sources, numbers: Mapping[Path, int]) -> Summary:
    """What is read in this process, while executors read the rest, as a part; ``numbers`` are those of the inputs."""
    place = PartPlace(folder, "here", "trig")
    # It is read anew each time: reading it is what sends the rest to the executors.
    place.beside("parquet").unlink(missing_ok=True)
    return write(place, _read_here(sources, numbers))


def _read_here(sources: Sources, numbers: Mapping[Path, int]) -> Pieces:
    position = 0
    for position, graph in enumerate(sources.graphs(), 1):
        yield _piece(SEVERAL, position, graph)
    files = {one.label: _number(one, numbers) for one in sources.inputs}
    for number, error in enumerate(sources.errors, position + 1):
        file = error.location.file if error.location else ""
        yield rejected(files.get(file, SEVERAL), number, error), b""
