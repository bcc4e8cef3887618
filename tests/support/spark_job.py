"""A job for tests in a process of its own: says as JSON what its session is and where its functions ran.

Usage: spark_job.py [MASTER [SETTING=VALUE ...]]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdw.spark.session import session

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import SparkSession


def places(spark: SparkSession) -> list[list[str]]:
    """Where a function that calls mdw ran: the Python, its parent (one for each executor), and what mdw answered."""

    def place(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        import os
        import sys

        import pyarrow

        from mdw.model.name import canonical

        for batch in batches:
            said = {"python": sys.executable, "executor": str(os.getppid()), "mdw": canonical("a.b")}
            yield pyarrow.RecordBatch.from_pydict({key: [value] * batch.num_rows for key, value in said.items()})

    ran = spark.range(0, 8, 1, 4).mapInArrow(place, "python string, executor string, mdw string")
    return sorted(list(row) for row in set(ran.collect()))


def main(master: str | None = None, *settings: str) -> None:
    """Start a session and say what it is."""
    with session(master, memory="512m", settings=dict(pair.split("=", 1) for pair in settings)) as spark:
        told = dict(spark.sparkContext.getConf().getAll())
        print(json.dumps({"told": told, "ran": places(spark)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
