"""A cluster of two workers, and processes of Spark that are killed: the store in force stays, and a run ends whole."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

import pytest
import spark_driver
from beside_spark import Found, alone, held, in_process
from generator import Shape, warehouse
from pyarrow import parquet
from spark_cluster import HOME, QUICK, cluster, environment
from texts import GOOD

from mdw import Warehouse

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for executors among the processes of Linux"),
]
PROGRAM = Path(spark_driver.__file__)
PATIENCE = 300.0
"""Seconds after which a run has come to nothing; on idle cores it takes a tenth of that."""
LOOK = 0.3
"""Seconds between two looks at all processes of this machine, of which each takes some thousandths."""
SHAPE = Shape(layers=4, width=20)
ON_CLUSTER = [
    "spark.executor.memory=600m",
    "spark.scheduler.minRegisteredResourcesRatio=1",
    f"spark.executor.extraJavaOptions={QUICK}",
    "spark.sql.shuffle.partitions=8",
    # A task waits this long, three times, for what the killed executor held before it says that it is lost.
    "spark.shuffle.io.retryWait=1s",
]
BOTH, ONE = "spark.cores.max=2", "spark.cores.max=1"
"""An executor at each worker, or at one."""
DRIVER = f"spark.driver.extraJavaOptions={QUICK}"


def wait(until: Callable[[], bool], every: float = 0.02) -> None:
    """Until it is so, looking every so many seconds."""
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end, "it took too long"
        time.sleep(every)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of enough mappings to be caught in the middle."""
    folder = tmp_path_factory.mktemp("source")
    with Warehouse() as loading:
        loading.load("".join(warehouse(3, SHAPE))).raise_for_errors()
        loading.tables(folder / "tables")
    return folder / "tables"


@dataclass
class Driver:
    """A driver on a cluster that does one thing after the other, and its executors, which are processes of here."""

    process: subprocess.Popen[bytes]
    said: Path
    connection: TextIO

    def ask(self, *words: object) -> None:
        """Have something done."""
        print(json.dumps([*map(str, words)]), file=self.connection, flush=True)

    def answer(self) -> Any:
        """What came of it."""
        line = self.connection.readline()
        assert line, self.said.read_text(encoding="utf-8")
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
        wait(lambda: len(self.executors()) == 2, LOOK)
        self.ask(*words)
        wait(until)
        os.kill(self.executors().pop(), signal.SIGKILL)
        return self.answer()


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of two workers."""
    with cluster(tmp_path_factory.mktemp("cluster")) as url:
        yield url


@contextmanager
def started(folder: Path, *command: str | Path) -> Iterator[Driver]:
    """A driver that ends with the block, unless it has been killed."""
    said = folder / "said"
    with socket.create_server(("127.0.0.1", 0)) as server, said.open("wb") as file:
        server.settimeout(PATIENCE)
        told = {**environment(), spark_driver.PORT: str(server.getsockname()[1])}
        words = [*map(str, command)]
        with subprocess.Popen(words, stdout=file, stderr=file, env=told, start_new_session=True) as process:
            connection, _ = server.accept()
            with connection, connection.makefile("rw", encoding="utf-8") as both:
                yield Driver(process, said, both)
                with suppress(OSError):  # it has been killed
                    connection.shutdown(socket.SHUT_RDWR)
            process.wait(PATIENCE)


@pytest.fixture(scope="module")
def driver(master: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A session on the cluster, started by pip alone: to start one takes far longer than all that is asked of it."""
    with started(
        tmp_path_factory.mktemp("driver"), sys.executable, PROGRAM, master, BOTH, *ON_CLUSTER, DRIVER
    ) as found:
        yield found
        said = found.said.read_text(encoding="utf-8")
    assert found.process.returncode == 0
    assert found.said.read_text(encoding="utf-8") == said, "it ends in silence"


@pytest.fixture(scope="module")
def submitted(master: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """Another one, started by spark-submit, which is told otherwise than its program tells."""
    settings = [
        part for pair in (ONE, *ON_CLUSTER, DRIVER, "spark.sql.shuffle.partitions=3") for part in ("--conf", pair)
    ]
    job = [PROGRAM, "local[1]", "spark.sql.shuffle.partitions=5"]
    command = [HOME / "bin" / "spark-submit", "--master", master, *settings, *job]
    with started(tmp_path_factory.mktemp("submitted"), *command) as found:
        yield found


def test_on_a_cluster_both_workers_take_part(master: str, driver: Driver) -> None:
    assert driver.told()["spark.master"] == master
    driver.ask("places")
    ran = driver.answer()
    assert {python for python, _, _ in ran} == {sys.executable}
    assert len({executor for _, executor, _ in ran}) == 2
    assert driver.said.read_text(encoding="utf-8") == ""


def test_under_spark_submit_its_master_and_settings_hold(master: str, submitted: Driver) -> None:
    told = submitted.told()
    assert told["spark.master"] == master and told["spark.sql.shuffle.partitions"] == "3"
    submitted.ask("places")
    assert len({executor for _, executor, _ in submitted.answer()}) == 1
    assert len(submitted.executors()) == 1, "of the cluster, not of a local master"


def test_a_driver_that_is_killed_leaves_the_store_and_the_next_run_ends_whole(
    source: Path, driver: Driver, submitted: Driver, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    with Warehouse(store) as old:
        old.load(GOOD.format("OLD"))
    before = held(store)
    wait(lambda: len(submitted.executors()) == 1, LOOK)
    submitted.ask("built", source, store)
    wait(lambda: any((store / "parts").glob("*/*")))
    os.killpg(submitted.process.pid, signal.SIGKILL)
    wait(lambda: not submitted.executors(), LOOK)  # which are nobody's now, and find out
    assert held(store) == before
    driver.ask("built", source, store)
    assert driver.answer() == len(list(warehouse(3, SHAPE)))
    assert held(store) == in_process(source)


def test_an_executor_that_is_killed_is_replaced(source: Path, driver: Driver, tmp_path: Path) -> None:
    store = tmp_path / "store"
    wait(lambda: len(driver.executors()) == 2, LOOK)
    before = driver.executors()
    said = driver.answer_though_an_executor_is_killed("built", source, store, until=(store / "parts").exists)
    assert said == len(list(warehouse(3, SHAPE)))
    assert held(store) == in_process(source)
    wait(lambda: len(driver.executors()) == 2, LOOK)
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
