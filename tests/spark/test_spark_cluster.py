"""A cluster of two workers, and processes of Spark that are killed: the store in force stays, and a run ends whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import spark_driver
from beside_spark import Found, alone, held, in_process
from generator import Shape, warehouse
from pyarrow import parquet
from spark_cluster import HOME, JOB, QUICK, answer, cluster, environment, run
from texts import GOOD

from mdw import Warehouse
from mdw.spark.pipeline import build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for executors among the processes of Linux"),
]
PATIENCE = 300.0
"""Seconds after which a run has come to nothing; on idle cores it takes a tenth of that."""
SHAPE = Shape(layers=4, width=20)
ON_CLUSTER = [
    "spark.cores.max=2",
    "spark.executor.memory=600m",
    "spark.scheduler.minRegisteredResourcesRatio=1",
    f"spark.executor.extraJavaOptions={QUICK}",
    "spark.sql.shuffle.partitions=8",
    # A task waits this long, three times, for what the killed executor held before it says that it is lost.
    "spark.shuffle.io.retryWait=1s",
]
DRIVER = f"spark.driver.extraJavaOptions={QUICK}"
RUN = """
import sys
from pathlib import Path
from mdw.spark.pipeline import build
from mdw.spark.session import session
source, store, options = sys.argv[1:]
with session("local[2]", settings={"spark.driver.extraJavaOptions": options}) as spark:
    build(spark, [source], Path(store))
"""


def wait(until: Callable[[], bool]) -> None:
    """Until it is so."""
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of enough mappings to be caught in the middle."""
    folder = tmp_path_factory.mktemp("source")
    with Warehouse() as loading:
        loading.load("".join(warehouse(3, SHAPE))).raise_for_errors()
        loading.tables(folder / "tables")
    return folder / "tables"


def test_a_driver_that_is_killed_leaves_the_store_and_the_next_run_ends_whole(
    spark: SparkSession, source: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    with Warehouse(store) as old:
        old.load(GOOD.format("OLD"))
    before = held(store)
    command = [sys.executable, "-c", RUN, str(source), str(store), QUICK]
    with subprocess.Popen(command, start_new_session=True) as driver:
        wait(lambda: any((store / "parts").glob("*/*")))
        os.killpg(driver.pid, signal.SIGKILL)
    assert held(store) == before
    build(spark, [source], store)
    assert held(store) == in_process(source)


@dataclass
class Driver:
    """A driver on a cluster that does one thing after the other, and its executors, which are processes of here."""

    process: subprocess.Popen[str]
    errors: Path

    def ask(self, *words: object) -> None:
        """Have something done."""
        assert self.process.stdin
        print(json.dumps([*map(str, words)]), file=self.process.stdin, flush=True)

    def answer(self) -> Any:
        """What came of it."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.errors.read_text(encoding="utf-8")
        return json.loads(line)

    def told(self) -> dict[str, str]:
        """The settings of its session."""
        self.ask("told")
        return dict(self.answer())

    @cached_property
    def port(self) -> str:
        """Where it listens: executors are started with that address."""
        return self.told()["spark.driver.port"]

    def executors(self) -> set[int]:
        """The processes of this machine that are its executors."""
        found = set()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (process / "cmdline").read_bytes()
                if b"CoarseGrainedExecutorBackend" in command and f"@127.0.0.1:{self.port}\0".encode() in command:
                    found.add(int(process.name))
        return found

    def answer_though_an_executor_is_killed(self, *words: object, until: Callable[[], bool]) -> Any:
        """What comes of something, where one of the executors is killed once it has come that far."""
        wait(lambda: len(self.executors()) == 2)
        self.ask(*words)
        wait(until)
        os.kill(self.executors().pop(), signal.SIGKILL)
        return self.answer()


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of two workers."""
    with cluster(tmp_path_factory.mktemp("cluster")) as url:
        yield url


@pytest.fixture(scope="module")
def driver(master: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A session on the cluster, started by pip alone: to start one takes far longer than all that is asked of it."""
    errors = tmp_path_factory.mktemp("driver") / "errors"
    command = [sys.executable, spark_driver.__file__, master, *ON_CLUSTER, DRIVER]
    pipe = subprocess.PIPE
    with (
        errors.open("wb") as file,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=file, text=True, env=environment()) as process,
    ):
        yield Driver(process, errors)
        said = errors.read_text(encoding="utf-8")
        assert process.stdin
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
    assert errors.read_text(encoding="utf-8") == said, "it ends in silence"


def test_on_a_cluster_both_workers_take_part(master: str, driver: Driver) -> None:
    assert driver.told()["spark.master"] == master
    driver.ask("places")
    ran = driver.answer()
    assert {python for python, _, _ in ran} == {sys.executable}
    assert len({executor for _, executor, _ in ran}) == 2
    assert driver.errors.read_text(encoding="utf-8") == ""


def test_under_spark_submit_its_master_and_settings_hold(master: str) -> None:
    settings = [part for pair in (*ON_CLUSTER, DRIVER, "spark.sql.shuffle.partitions=3") for part in ("--conf", pair)]
    job = [JOB, "local[1]", "spark.sql.shuffle.partitions=5"]
    told, ran = answer(run(HOME / "bin" / "spark-submit", "--master", master, *settings, *job, env=environment()))
    assert told["spark.master"] == master and told["spark.sql.shuffle.partitions"] == "3"
    assert len({executor for _, executor, _ in ran}) == 2


def test_an_executor_that_is_killed_is_replaced(source: Path, driver: Driver, tmp_path: Path) -> None:
    store = tmp_path / "store"
    wait(lambda: len(driver.executors()) == 2)
    before = driver.executors()
    said = driver.answer_though_an_executor_is_killed("built", source, store, until=(store / "parts").exists)
    assert said == len(list(warehouse(3, SHAPE)))
    assert held(store) == in_process(source)
    wait(lambda: len(driver.executors()) == 2)
    assert driver.executors() != before


def test_active_lineage_on_a_cluster_whose_executor_is_killed(driver: Driver, tmp_path: Path) -> None:
    source, output = tmp_path / "large.map", tmp_path / "all"
    source.write_text("".join(warehouse(1, Shape(layers=5, width=12, fan_in=3))), encoding="utf-8")
    said = driver.answer_though_an_executor_is_killed(
        "traced", source, output, until=lambda: any(tmp_path.glob(".all.*.draft/work/shares"))
    )
    with Warehouse() as loading:
        loading.load(source).raise_for_errors()
        expected = alone(list(loading.lineage_all()))
    rows = parquet.read_table(output / "origins").to_pylist()
    assert said == len(rows) == sum(map(len, expected.values()))
    found: Found = {}
    for row in rows:
        found.setdefault(row["attribute"], set()).add(tuple(row.values())[1:])
    assert found == expected
