"""The lineage of all attributes on Spark: store -> shares -> Parquet files of executors -> one folder, put in place.

names and texts of rules -> shares (`shares`) -> worked off by executors (`spark_lineage`)
       -> what stayed undecided, asked for singly -> origins and counts -> switch
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from glob import escape
from pathlib import Path
from statistics import median
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from mdw.collecting import uncollected
from mdw.lineage.everything.sweep import SINGLY
from mdw.model.answers.answer import Origins
from mdw.model.errors import OutputError, system_says
from mdw.model.name import entity_of
from mdw.model.rules import Mode, Policy
from mdw.model.tree import Location
from mdw.render import parquet as rows
from mdw.spark.lineage.shares import share_out
from mdw.spark.lineage.spark_lineage import COUNTED, COUNTS, DONE, OPEN, ORIGINS, WORK, Done, share_worker
from mdw.spark.run.failures import giving_up
from mdw.spark.run.watching import Progress, silent, watching
from mdw.store import candidates
from mdw.store.engine import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MANIFEST = "lineage.json"
"""How results came about; a folder of results, and no other, is known by it."""
SINGLE = "singly.parquet"
Ask = Callable[[str], Origins]
NOTHING: Mapping[str, tuple[Location, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SparkLineage:
    """How a folder of results came about: what was counted, and the shares of the work, in seconds each.

    ``notes`` say of which mappings the store does not hold what it must.
    """

    mode: Mode
    unpopulated: Policy | None
    attributes: int
    sources: int
    left_out: int
    undecided: int
    seconds: float
    shares: tuple[Done, ...]
    notes: tuple[str, ...] = ()

    @property
    def skew(self) -> float:
        """Seconds of the slowest share against the median."""
        times = [share.seconds for share in self.shares]
        return max(times) / max(median(times), 1e-9) if times else 1.0

    def __str__(self) -> str:
        found = f"{self.attributes} attributes, {self.sources} sources"
        if self.mode == "active":
            found += f", {self.left_out} left out since rules contradict, {self.undecided} attributes undecided"
        shares = f"{len(self.shares)} shares, the slowest {self.skew:.1f} times the median"
        return f"{found}, {self.seconds:.1f} s in {shares}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON-ready values."""
        return asdict(self) | {"shares": [share._asdict() for share in self.shares], "skew": round(self.skew, 2)}


def write(
    spark: SparkSession,
    store: Store,
    folder: Path,
    ask: Ask,
    *,
    mode: Mode = "active",
    policy: Policy | None = None,
    progress: Progress | None = None,
    notes: tuple[str, ...] = (),
    unread: Mapping[str, tuple[Location, ...]] = NOTHING,
) -> SparkLineage:
    """Trace all attributes of a store, into a folder that executors reach too; results there before are replaced.

    Those that are local to a statement of SQL are walked through, and have no results of their own.
    ``ask`` answers for a single attribute. ``unread`` has by entity the statements not read that may bring values there
    (`mdw.stages.unread`). The folder then holds ``origins``, Parquet files with the rows of
    `mdw.render.parquet`, ``counts.parquet`` with those of `spark_lineage.COUNTED`, and ``lineage.json``.
    OutputError if there is something else in the folder, or it cannot be written; SparkError if Spark gives up.
    """
    started, tell = perf_counter(), progress or silent
    try:
        _restore(folder.absolute())
        if folder.exists() and not (folder / MANIFEST).exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise OutputError(f"{folder} holds something else than lineage of all attributes: it stays as it is")
        with _drafting(folder.absolute()) as draft:
            tell("sharing out", 0.0)
            # Texts, not rules: the driver decodes none, and hands executors what the store holds as it stands.
            with uncollected():
                shares = share_out(*candidates.texts(store), mode, _executors(spark), draft / WORK)
            done = _worked_off(spark, draft, shares, share_worker(str(draft), mode, policy, frozenset(unread)), tell)
            counts = _decided(draft, ask)
            _tell_unread(draft, unread)
            result = SparkLineage(mode, policy, *counts, perf_counter() - started, done, notes)
            (draft / MANIFEST).write_text(json.dumps(result.to_dict(), indent=2), encoding="utf-8")
            shutil.rmtree(draft / WORK)
            # Only now: until here the results in force are what they were, whatever fails.
            _replace(draft, folder)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {system_says(error)}") from error
    return result


def _executors(spark: SparkSession) -> int:
    """How many tasks run at a time, as far as it can be told; twice as many partitions are usual."""
    return max(1, int(spark.conf.get("spark.sql.shuffle.partitions") or 2) // 2)


@contextmanager
def _drafting(folder: Path) -> Iterator[Path]:
    """A folder for results until they are whole; nothing of it is left if they never are.

    No two runs share one: executors remember the rules they have read there.
    """
    for left in folder.parent.glob(f".{escape(folder.name)}.*.draft"):
        shutil.rmtree(left, ignore_errors=True)
    draft = folder.with_name(f".{folder.name}.{uuid4().hex}.draft")
    for name in (WORK, ORIGINS, OPEN, COUNTS):
        (draft / name).mkdir(parents=True)
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _worked_off(
    spark: SparkSession, draft: Path, shares: int, run: Callable[..., Any], progress: Progress
) -> tuple[Done, ...]:
    """Every share done by some executor, the heaviest first."""
    if not shares:
        return ()
    # A partition for each share: whoever is free takes the next, and the heaviest come first.
    numbers = spark.range(0, shares, 1, shares)
    with watching(draft / COUNTS, shares, "lineage", progress), giving_up():
        found = [Done(*row) for row in numbers.mapInArrow(run, DONE).collect()]
    return tuple(sorted(found))


def _decided(draft: Path, ask: Ask) -> tuple[int, int, int, int]:
    """Bring counts together and ask singly for what is undecided; attributes, sources, left out, undecided."""
    counts = _summed(draft / COUNTS)
    # As `Warehouse.lineage_all` does: at most so many, in order of names, so that runs give the same results.
    undecided = sorted(counts.filter(counts["undecided"])["attribute"].to_pylist())
    asked = [ask(name) for name in undecided[:SINGLY]]
    if undecided:
        # Undecided in one share is undecided in all: what is unsure is told apart from the ends that a share follows.
        # So all records of such an attribute stand here, and none is left beside what is asked singly.
        open_ = parquet.read_table(draft / OPEN, schema=rows.SCHEMA)
        known = pc.is_in(open_["attribute"], value_set=pa.array([one.attribute for one in asked], pa.string()))
        parquet.write_table(open_.filter(pc.invert(known)), draft / ORIGINS / "undecided.parquet")
        rows.write(asked, draft / ORIGINS / SINGLE)
        counts = _corrected(counts, asked)
    shutil.rmtree(draft / OPEN)
    shutil.rmtree(draft / COUNTS)
    parquet.write_table(counts, draft / f"{COUNTS}.parquet")
    sums = [pc.sum(counts[name]).as_py() or 0 for name in ("sources", "left_out", "undecided")]
    return len(counts), sums[0], sums[1], sums[2]


def _tell_unread(draft: Path, unread: Mapping[str, tuple[Location, ...]]) -> None:
    """A row for each statement that was not read and each attribute to which it may bring values."""
    if unread:
        names = set(parquet.read_table(draft / f"{COUNTS}.parquet")["attribute"].to_pylist())
        if (singly := draft / ORIGINS / SINGLE).exists():
            # There each has its rows already.
            names -= set(parquet.read_table(singly)["attribute"].to_pylist())
        found = sorted(name for name in names if entity_of(name) in unread)
        rows.write(
            (Origins(name, unread=unread[entity_of(name)]) for name in found), draft / ORIGINS / "unread.parquet"
        )


def _summed(folder: Path) -> pa.Table:
    """A row per attribute: its ends may have been shared out."""
    found = parquet.read_table(folder, schema=COUNTED)
    summed = found.group_by("attribute").aggregate([("sources", "sum"), ("left_out", "sum"), ("undecided", "any")])
    return summed.rename_columns(found.column_names).sort_by("attribute")


def _corrected(counts: pa.Table, asked: list[Origins]) -> pa.Table:
    """The counts with what was found singly."""
    found = counts.to_pylist()
    by_name = {row["attribute"]: row for row in found}
    for one in asked:
        row = by_name[one.attribute]
        # From how many ends steps lead does not change; asked singly, some that were kept turn out to be left out.
        every = row["sources"] + row["left_out"]
        row["sources"] = len(one.golden) + len(one.interrupted) + len(one.constants) + len(one.generated)
        row["left_out"] = every - row["sources"]
        row["undecided"] = one.undecided
    return pa.Table.from_pylist(found, schema=counts.schema)


def _restore(folder: Path) -> None:
    """Bring old results back that were put aside for new ones, unless these are there."""
    for old in folder.parent.glob(f".{escape(folder.name)}.*.old"):
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(folder)


def _replace(draft: Path, folder: Path) -> None:
    """Put new results in the place of old ones, which come back if that fails."""
    # A folder that is not empty cannot be replaced in one step. Between the two renames there is none in force; whoever
    # is killed there leaves the old one aside, and `_restore` brings it back at the next run.
    if folder.exists():
        folder.rename(draft.with_suffix(".old"))
    try:
        draft.rename(folder)
    finally:
        _restore(folder.absolute())
