"""A driver for tests in a process of its own: in one session it does what it is asked for, line by line, as JSON.

Usage: ASKED_AT_PORT=NUMBER spark_driver.py MASTER [SETTING=VALUE ...]

It is asked at a port, since spark-submit hands on no input.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from socket import create_connection
from typing import TYPE_CHECKING

from spark_job import places

from mdw import Warehouse
from mdw.spark.pipeline import build
from mdw.spark.session import session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PORT = "ASKED_AT_PORT"


def told(spark: SparkSession) -> dict[str, str]:
    """The settings of the session."""
    return dict(spark.sparkContext.getConf().getAll())


def built(spark: SparkSession, source: str, store: str) -> int:
    """How many mappings a store holds that was built of tables."""
    return build(spark, [source], Path(store)).mappings


def traced(spark: SparkSession, source: str, output: str) -> int:
    """How many sources the attributes of a file of mappings have."""
    with Warehouse() as warehouse:
        warehouse.load(source).raise_for_errors()
        return warehouse.spark_lineage(spark, output).sources


DOES: dict[str, Callable[..., object]] = {one.__name__: one for one in (places, told, built, traced)}


def main(master: str, *settings: str) -> None:
    """Start a session; read what to do and answer it, until there is nothing more."""
    settled = dict(pair.split("=", 1) for pair in settings)
    with (
        session(master, memory="1g", settings=settled) as spark,
        create_connection(("127.0.0.1", int(os.environ[PORT]))) as asking,
    ):
        lines = asking.makefile("rw", encoding="utf-8")
        for line in lines:
            asked, *arguments = json.loads(line)
            print(json.dumps(DOES[asked](spark, *arguments)), file=lines, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
