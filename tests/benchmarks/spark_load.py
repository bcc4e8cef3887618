"""Rebuilding a store from tables through Spark against the engine's bulk load of the same quads as N-Quads files.

Claims: end to end, the start of the session apart, at most 1.8 times its time; Spark's own part at least 0.2 million
quads per CPU second. With ``--sizes`` also the peak memory of all processes at a tenth, a third and the whole size.

What else runs on a machine, or beside it on the same processors, makes the same work take more CPU time, up to half as
much again, and never less. So Spark's own part is done ``--times`` times, in sessions of their own: the least counts,
and all are told.

Needs Linux, the extra ``spark``, Java 17 or what that extra brings, 8 GB of memory, 10 GB of disk for temporary files
and about 5 minutes, 15 with ``--sizes``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread, current_thread, main_thread
from time import perf_counter
from typing import TYPE_CHECKING

from measuring import Measure, arguments, needs, report

# isort: split
import pyoxigraph as ox

from generator import Shape, warehouse  # isort: skip
from mdw import Warehouse  # isort: skip
from mdw.spark.pipeline import Manifest, build  # isort: skip
from mdw.spark.session import session  # isort: skip

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXECUTORS = 2
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def processes() -> list[int]:
    """This process and all below it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [os.getpid()]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def cpu() -> float:
    """CPU seconds of these processes, with those of children that have ended."""
    found = 0.0
    for one in processes():
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found += sum(map(int, fields[11:15])) / TICKS
    return found


@contextmanager
def watching_memory() -> Iterator[list[float]]:
    """The most megabytes all these processes held at a time, in a list of one when the block has ended."""
    ended, peak = Event(), [0.0]

    def watch() -> None:
        while not ended.wait(0.2):
            held = 0
            for one in processes():
                try:
                    held += int(Path(f"/proc/{one}/statm").read_text().split()[1])
                except OSError:
                    continue
            peak[0] = max(peak[0], held * os.sysconf("SC_PAGE_SIZE") / 1e6)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        ended.set()
        watcher.join()


def tables(folder: Path, quads: int) -> None:
    """Tables of a generated warehouse of about so many quads."""
    with Warehouse() as found:
        found.load("".join(warehouse(1, Shape(width=max(5, quads // 4_350))))).raise_for_errors()
        found.tables(folder)


class AllReadError(Exception):
    """All is read, and the rest of the run is not wanted."""


@contextmanager
def ready() -> Iterator[SparkSession]:
    """A session whose workers have begun."""
    with session(f"local[{EXECUTORS}]") as spark:
        spark.range(0, 4, 1, 4).mapInArrow(lambda batches: batches, "id long").collect()
        yield spark


def built(folder: Path, store: Path) -> tuple[Manifest, float, float, float]:
    """The store built from tables: manifest, seconds without the session's start, CPU seconds of reading, memory."""
    with watching_memory() as peak, ready() as spark:
        spent: dict[str, float] = {}
        start = perf_counter()

        def note(stage: str, _share: float) -> None:
            spent[stage] = cpu()

        before = cpu()
        manifest = build(spark, [folder], store, progress=note)
        seconds = perf_counter() - start
    return manifest, seconds, spent["reading"] - before, peak[0]


def read(folder: Path, store: Path) -> float:
    """CPU seconds of reading alone."""
    spent = 0.0
    with ready() as spark:

        def note(stage: str, _share: float) -> None:
            nonlocal spent
            # What watches executors tells of shares from a thread of its own.
            if stage == "reading" and current_thread() is main_thread():
                spent = cpu()
                raise AllReadError

        before = cpu()
        with suppress(AllReadError):
            build(spark, [folder], store, progress=note)
    shutil.rmtree(store)
    return spent - before


def bulk(store: Path, folder: Path) -> float:
    """Seconds of the engine's own bulk load of the store's quads, from as many N-Quads files as there are executors."""
    with Warehouse(store) as found:
        found.export("nquads", folder / "all.nq")
    with (folder / "all.nq").open("rb") as whole:
        parts = [(folder / f"{number}.nq").open("wb") for number in range(EXECUTORS)]
        for number, line in enumerate(whole):
            parts[number % EXECUTORS].write(line)
        for part in parts:
            part.close()
    fresh = ox.Store(str(folder / "bare"))
    start = perf_counter()
    with ThreadPoolExecutor(EXECUTORS) as pool:
        list(pool.map(lambda part: fresh.bulk_load(path=part.name, format=ox.RdfFormat.N_QUADS, lenient=True), parts))
    fresh.flush()
    return perf_counter() - start


def main() -> None:
    options = arguments(
        __doc__,
        quads=(int, 5_000_000, "quads, about"),
        times=(int, 5, "times that Spark's own part is done"),
        sizes=(bool, False, "also measure memory at smaller sizes"),
    )
    needs("Linux, where /proc says what processes take", Path("/proc/self/statm").exists())
    sizes = [options.quads // 10, options.quads // 3] if options.sizes else []
    measures = []
    with TemporaryDirectory() as temporary:
        for number, quads in enumerate([*sizes, options.quads]):
            folder = Path(temporary) / str(number)
            tables(folder / "tables", quads)
            manifest, seconds, spent, peak = built(folder / "tables", folder / "store")
            measures.append(Measure("peak memory of all processes (MB)", peak, f"{manifest.quads} quads"))
            if quads == options.quads:
                alone = bulk(folder / "store", folder)
                every = [spent, *(read(folder / "tables", folder / "read") for _ in range(options.times - 1))]
                own = manifest.quads / min(every) / 1e6
                told = ", ".join(f"{manifest.quads / one / 1e6:.2f}M" for one in every)
                stages = ", ".join(f"{name} {taken:.1f}" for name, taken in manifest.seconds.items())
                measures += [
                    Measure("bulk load of N-Quads", alone, f"{manifest.quads} quads, {EXECUTORS} files at a time"),
                    Measure("tables to store", seconds, "", seconds / alone, 1.8, f"bulk load; {stages}"),
                    Measure("Spark's own part, CPU", min(every), "", 0.2 / own, 1, f"0.2M quads a CPU second; {told}"),
                ]
            shutil.rmtree(folder)
    report("Tables through Spark into a store", measures, options.json)


if __name__ == "__main__":
    main()
