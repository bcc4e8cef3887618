"""A folder of many scripts of SQL through Spark, two workers, against one process that loads it into a store on disk.

Claim: two workers are at least 1.5 times as fast as one process, the start of the session and of its workers apart.
The clock stops when the store can be asked: what the engine goes on with behind either load is not counted.

Needs the extra ``spark``, Java 17 or what that extra brings, 6 GB of memory, 4 GB of disk and about 10 minutes.
"""

from __future__ import annotations

import gc
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from measuring import Measure, arguments, report

from sql_folders import FolderWriter  # isort: skip
from mdw import Warehouse  # isort: skip
from mdw.spark.pipeline import Manifest, build  # isort: skip
from mdw.spark.session import session  # isort: skip

SEED = 7
DIALECT = "snowflake"
WARM = 200
"""Scripts that are read first, so that workers have started and everything is imported."""


def on_spark(folder: Path, warm: Path, store: Path, workers: int) -> tuple[float, Manifest]:
    """Seconds without the start of the session and of its workers, and what was built."""
    with session(f"local[{workers}]") as spark:
        build(spark, [warm], store.with_name(f"warm{workers}"), dialect=DIALECT)
        start = perf_counter()
        manifest = build(spark, [folder], store, dialect=DIALECT)
        return perf_counter() - start, manifest


def alone(folder: Path, warm: Path, store: Path) -> tuple[float, int]:
    """Seconds of one process, and how many mappings it loaded."""
    with Warehouse() as first:
        first.load(warm, dialect=DIALECT)
    gc.collect()
    start = perf_counter()
    with Warehouse(store) as warehouse:
        mappings = warehouse.load(folder, dialect=DIALECT).mappings
        return perf_counter() - start, mappings


def main() -> None:
    options = arguments(__doc__, scripts=(int, 10_000, "scripts in the folder"), workers=(int, 2, "workers of Spark"))
    with TemporaryDirectory() as name:
        folder, warm = Path(name, "sql"), Path(name, "warm_sql")
        FolderWriter(folder, SEED).write(options.scripts)
        FolderWriter(warm, SEED).write(WARM)
        single, mappings = alone(folder, warm, Path(name, "alone"))
        shared, manifest = on_spark(folder, warm, Path(name, "spark"), options.workers)
    assert (manifest.mappings, manifest.rejects) == (mappings, 0)
    stages = ", ".join(f"{stage} {taken:.1f}" for stage, taken in manifest.seconds.items())
    what = f"{options.workers} workers of Spark, {manifest.parts} parts"
    measures = [
        Measure("one process", single, f"{options.scripts:,} scripts, {mappings:,} mappings, {manifest.quads:,} quads"),
        Measure(what, shared, "", shared / single, 1 / 1.5, f"one process; {stages}"),
    ]
    report("A folder of SQL through Spark into a store", measures, options.json)


if __name__ == "__main__":
    main()
