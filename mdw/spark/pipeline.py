"""Inputs -> parts -> a store: read by Spark, loaded in bulk beside the store in force, put in its place whole.

    inputs -> (facts of tables | files of text, of SQL | lines of RDF) -> parts with indexes -> rejects and counts
           -> new generation -> switch

Parts outlive a run that fails: the next run with the same input takes those it finds.
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pyarrow import parquet
from pyspark.sql import functions as f

from mdw.collecting import uncollected
from mdw.drafting import DRAFT, drafted
from mdw.model.errors import BatchError, InputError
from mdw.model.files import FileRecord
from mdw.readers.files.settings import FolderSettings, Settings
from mdw.readers.inputs import Input, find, fingerprint
from mdw.readers.loading import Sources
from mdw.readers.recognising import is_database
from mdw.spark.load import facts
from mdw.spark.load.database import failing
from mdw.spark.load.index import Contents, gather
from mdw.spark.load.lines import File, from_lines
from mdw.spark.load.packed import swelling
from mdw.spark.load.parts import SUMMARY, Summary, from_tables, from_texts
from mdw.spark.load.scripts import Waves, read_here
from mdw.spark.load.tables import TableRows, literally, read
from mdw.spark.run.failures import giving_up
from mdw.spark.run.watching import Progress, silent, watching
from mdw.store import inference
from mdw.store.directory import Directory
from mdw.store.files import FileRecords
from mdw.store.rebuild import KEPT, Growing, Part

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

MANIFEST, REJECTS, PARTS = "manifest.json", "rejects.parquet", "parts"
"""What stands beside the store: how it came about, what was left out, and parts of a run that did not end."""
# What decides which files and lines come into the same partition, and so into the same part.
LEAST = "spark.sql.files.minPartitionNum"
DIVIDING = (
    LEAST,
    "spark.sql.files.maxPartitionBytes",
    "spark.sql.files.openCostInBytes",
    "spark.sql.shuffle.partitions",
)
PATH = "_metadata.file_path"


@dataclass(frozen=True, slots=True)
class LoadedInput:
    """One input: its name, kind and bytes, and a hash of what it holds."""

    name: str
    kind: str
    bytes: int
    hash: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """How a store came about: its inputs, what they gave, with what, and how long each stage took, in seconds.

    ``notes`` say what was taken for granted of files of SQL.
    """

    inputs: tuple[LoadedInput, ...]
    mappings: int
    quads: int
    rejects: int
    parts: int
    versions: dict[str, str]
    seconds: dict[str, float]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        total = sum(self.seconds.values())
        return f"{self.mappings} mappings, {self.quads} quads, {self.rejects} rejected, {total:.1f} s"

    def to_dict(self) -> dict[str, Any]:
        """The manifest as plain JSON-ready values."""
        return asdict(self)


def build(
    spark: SparkSession,
    sources: Iterable[str | Path],
    store: str | Path,
    *,
    dialect: str = "",
    rejects: float = 0.01,
    progress: Progress | None = None,
) -> Manifest:
    """Rebuild a store from mapping text, SQL, tables and RDF, and say how (also in ``manifest.json`` beside the store).

    ``sources`` are files and folders of mapping text, of SQL, and of N-Triples and N-Quads, compiled dbt projects,
    exports of columns, folders of tables and databases of them (``jdbc:…``). ``dialect`` is that of SQL where its files
    do not tell it themselves, as in `Warehouse.load`. What cannot be read is left out and listed in
    ``rejects.parquet``; if that is more than the share ``rejects`` of all mappings or of all lines of RDF, or anything
    else goes wrong, the store stays what it was: InputError, StoreError. ``progress`` is told the stage and how much of
    it is done, 0 to 1.
    """
    return _Run(spark, Path(store).absolute(), progress or silent, dialect).build(list(sources), rejects)


class _Run:
    """One run of the pipeline, stage by stage."""

    def __init__(self, spark: SparkSession, store: Path, progress: Progress, dialect: str) -> None:
        self.spark = spark
        self.dialect = dialect
        self.records: list[FileRecord] = []
        self.notes: list[str] = []
        self.store = store
        self.progress = progress
        self.seconds: dict[str, float] = {}
        self.started = perf_counter()

    def build(self, sources: list[str | Path], limit: float) -> Manifest:
        with uncollected():  # thousands of files: many values, and never a cycle
            found = _inputs(sources)
            given = tuple(_source(one) for one in found)
        directory = Directory(self.store)
        # Stage by stage, and nothing touches the store in force before `Growing` has a whole one beside it.
        with Growing(self.store) as growing:
            with _division(self.spark) as division:
                folder = _parts_folder(self.store, given, (*division, *_settings(found, self.dialect)))
                self._ended("looking")
                summaries: list[Summary] = []

                def written(one: Summary) -> None:
                    summaries.append(one)
                    if one.quads:
                        growing.take(Part(folder / one.file), one.quads)

                for one in self._read(found, given, folder):
                    written(one)
                # What is garbage behind thousands of files is looked for when the engine loads, which needs no Python.
                with uncollected():
                    self._scripts(found, folder, written)
                    self._ended("reading")
                    index = gather(folder, found)
                    _accept(index, self.store, limit)
                    parts = [Part(folder / one.file, index.cuts.get(one.part, ())) for one in summaries if one.quads]
                    growing.begin(parts, index.most)
            # Quads that others wrote are held against what they say when the store is first opened.
            made = not any(one.kind == "rdf" for one in found)
            quads = growing.finish(parts, index.least, index.most, inference.begun, done=self._loaded, made=made)
        known = FileRecords(directory.files)
        known.put(self.records, known.all())
        self._ended("loading")
        shutil.rmtree(folder.parent)
        counts = (index.mappings, quads, len(index.rejects), len(parts))
        manifest = Manifest(given, *counts, _versions(self.spark), self.seconds, tuple(self.notes))
        _write(self.store / MANIFEST, json.dumps(manifest.to_dict(), indent=2))
        return manifest

    def _loaded(self, number: int, parts: int) -> None:
        self.progress("loading", number / parts)

    def _ended(self, stage: str) -> None:
        now = perf_counter()
        self.seconds[stage] = round(now - self.started, 3)
        self.started = now
        self.progress(stage, 1.0)

    def _read(self, found: list[Input], given: tuple[LoadedInput, ...], folder: Path) -> list[Summary]:
        """Every input into parts: tables by mapping, texts by file, RDF by lines."""
        partitions = _partitions(self.spark)
        tables, frames = [], []
        texts: dict[str, tuple[int, str]] = {}
        lines: dict[str, File] = {}
        for number, (one, source) in enumerate(zip(found, given, strict=True)):
            # Small files share a partition, so texts are one frame and lines another; tables are one for each input,
            # since all facts of a mapping must meet.
            if one.kind == "text":
                texts[str(Path(one.name).resolve())] = number, one.name
            elif one.kind == "rdf":
                lines[str(Path(one.name).resolve())] = File(number, one.name, source.hash)
            elif one.kind in ("tables", "database"):
                tables.append((number, one, read(self.spark, one)))
        if texts:
            content = self.spark.read.format("binaryFile").load(_literally(texts)).select(PATH, "content")
            frames.append(content.mapInArrow(from_texts(str(folder), texts), SUMMARY))
        if lines:
            line = self.spark.read.text(_literally(lines)).select(PATH, f.col("value").cast("binary"))
            frames.append(line.mapInArrow(from_lines(str(folder), lines), SUMMARY))
        whole = partitions * (len(tables) + len(frames))
        with watching(folder, whole, "reading", self.progress), _swept(folder):
            written = [row for number, one, found in tables for row in self._tables(number, one, found, folder)]
            for frame in frames:
                with giving_up():
                    written += frame.collect()
        return [Summary(*row) for row in written]

    def _tables(self, number: int, one: Input, found: Mapping[str, TableRows], folder: Path) -> list[Row]:
        """The tables of an input into parts."""
        partitions = _partitions(self.spark)
        with failing(one.url, "tables cannot be read") if one.url else giving_up():
            lost = facts.nowhere(self.spark, found, partitions)
            bundles = facts.bundles(self.spark, found, partitions)
            return bundles.mapInArrow(from_tables(str(folder), number, one.name, lost), SUMMARY).collect()

    def _scripts(self, found: list[Input], folder: Path, written: Callable[[Summary], None]) -> None:
        """Files of SQL, which need one another, and whatever else tells of entities; ``written`` is told of parts."""
        if not any(one.kind in ("sql", "dbt", "columns", "tables") for one in found):
            return
        numbers = {one.path: number for number, one in enumerate(found) if one.path}
        waves = Waves(self.spark, folder, found, numbers, _partitions(self.spark), self.progress, written)
        sources = Sources.with_help(found, waves, self.dialect)
        with _swept(folder):
            written(read_here(folder, sources, numbers))
        waves.close()
        self.records, self.notes = sources.read, sources.notes


def _partitions(spark: SparkSession) -> int:
    return int(spark.conf.get("spark.sql.shuffle.partitions") or 1)


@contextmanager
def _division(spark: SparkSession) -> Iterator[tuple[str, ...]]:
    """What decides how Spark divides inputs, fixed meanwhile: by default it also follows the cores there are just now.

    Parts of one division must never be taken for parts of another.
    """
    before = spark.conf.get(LEAST, None)
    spark.conf.set(LEAST, before or str(_partitions(spark)))
    try:
        yield tuple(str(spark.conf.get(name)) for name in DIVIDING)
    finally:
        if before is None:
            spark.conf.unset(LEAST)
        else:
            spark.conf.set(LEAST, before)


def _literally(paths: Iterable[str]) -> list[str]:
    return [literally(path) for path in paths]


def _inputs(sources: list[str | Path]) -> list[Input]:
    """What is to be read; InputError if any of it is not there, or swells when it is unpacked."""
    found, errors = find(source if is_database(str(source)) else Path(source) for source in sources)
    errors += swelling(found)
    if errors:
        raise BatchError(errors)
    return found


def _source(one: Input) -> LoadedInput:
    """What the manifest says of an input; a database is read anew every time."""
    # A hash that never comes again: parts of a database are never taken for those of another moment.
    if one.path is None:
        return LoadedInput(one.name, one.kind, 0, uuid4().hex)
    return LoadedInput(one.name, one.kind, one.size, fingerprint(one.path))


def _settings(found: Iterable[Input], dialect: str) -> tuple[str, ...]:
    """What else decides how files of SQL are read: the dialect, and what mdw.toml says of each."""
    settings = FolderSettings(Settings(dialect=dialect))
    return dialect, *(repr(settings.of(one.path, one.folder)) for one in found if one.kind == "sql")


def _parts_folder(store: Path, given: tuple[LoadedInput, ...], division: tuple[str, ...]) -> Path:
    """Where the parts of this input are, perhaps already; those of other inputs are removed."""
    # Another version may write other quads for the same input, another division other parts.
    digest = blake2b(repr((given, division, version("mdw"))).encode(), digest_size=8).hexdigest()
    folder = store / PARTS / digest
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.parent.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder


def _accept(index: Contents, directory: Path, limit: float) -> None:
    """Write down the rejects; InputError if they are too many or nothing is good."""
    # Written before anything is refused: whoever reads the error will want to know which they are.
    rejects = directory / REJECTS
    parquet.write_table(index.rejects, rejects)
    worst = max(index.counts, key=attrgetter("share"))
    if not index.most or worst.share > limit:
        raise InputError(f"{worst}: {KEPT}", hint=f"{rejects} says why; more of them may be allowed (now {limit:.2%})")


def _versions(spark: SparkSession) -> dict[str, str]:
    names = ("mdw", "pyoxigraph", "pyarrow")
    return {"python": platform.python_version(), "spark": spark.version} | {name: version(name) for name in names}


def _write(path: Path, text: str) -> None:
    with drafted(path) as draft:
        draft.write_text(text, encoding="utf-8")


@contextmanager
def _swept(folder: Path) -> Iterator[None]:
    """Without what executors that were killed have left in the folder."""
    try:
        yield
    finally:
        for draft in folder.glob(f"*{DRAFT}"):
            draft.unlink(missing_ok=True)
