"""What all tests share: the option that rewrites expected output, examples that never change, one Spark session."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from mdw.collecting import seldom, settled

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Whatever the shell says: else each of the hundreds of processes that tests start compiles mdw anew, and works out its
# grammars.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No deadline: how long one example takes depends on what else the machine does.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.load_profile("same")


MEMORY = "/dev/shm"
"""Where Linux keeps files in memory."""
ROOM = 4 << 30
"""Bytes there are to be room for."""


class WhereExamplesAre:
    """Examples are looked for where there are some: every worker looks, and of five modules one has any."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        if file_path.suffix == ".py" and b">>> " not in file_path.read_bytes():
            return [one for one in found if type(one) is pytest.Module]
        return found


def pytest_configure(config: pytest.Config) -> None:
    """Files of tests are in memory, where there is room: stores wait for the disk at every change."""
    config.pluginmanager.register(WhereExamplesAre())  # hooks of this file hold for what lies beside it
    with suppress(OSError, AttributeError):  # there is none, or no Linux
        found = os.statvfs(MEMORY)
        room = found.f_bavail * found.f_frsize > ROOM and os.access(MEMORY, os.W_OK)
        if room and not found.f_flag & os.ST_NOEXEC:  # libraries that tests build are loaded from there
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --accept` writes what the code says now over the expected files of tests/cases/."""
    parser.addoption("--accept", action="store_true", help="rewrite the expected output under tests/cases/")


# What takes longest is handed out first: with the laws last, one worker would run them while the other has nothing left
# to do.
LONGEST = (
    "tests/spark/",
    "tests/test_laws.py",
    "tests/test_docs.py",
    "tests/test_structure.py",
    "tests/server/",
    "tests/readers/test_sharing.py",
    "tests/test_warehouse.py",
    "tests/test_shown.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, everything else in the order it was collected in."""
    first = [(start, number) for number, start in enumerate(LONGEST)]
    items.sort(key=lambda item: next((n for start, n in first if item.nodeid.startswith(start)), len(LONGEST)))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: to look for garbage in it, all the time, took a tenth of all tests."""
    settled()
    seldom()


def together(test: str) -> str:
    """What is run by one worker: the tests of a file; and all that share the Spark session, which takes long to start.

    Those of the cluster have sessions of their own.

    >>> together("tests/spark/test_spark_load.py::test_a[x]"), together("tests/test_docs.py::test_help[spark-load]")
    ('Spark', 'Spark')
    >>> together("tests/spark/test_spark_cluster.py::test_a"), together("tests/test_docs.py::test_help[load]")
    ('tests/spark/test_spark_cluster.py', 'tests/test_docs.py')
    """
    file, _, name = test.partition("::")
    shared = file.startswith("tests/spark/") and "cluster" not in file
    return "Spark" if shared or ("docs" in file and "spark" in name) else file


@pytest.hookimpl(optionalhook=True)  # there is none with `-p no:xdist`
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """The workers' tests, where they are to be shared out by files."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Sharing(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return together(nodeid)

    return Sharing(config, log)


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether expected output is to be rewritten."""
    return bool(request.config.getoption("--accept"))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The Spark session that all tests marked `spark` share; what needs another one runs in a process of its own."""
    from spark_cluster import UNVERIFIED

    from mdw.spark.load import database
    from mdw.spark.session import session

    # One thread for Java's garbage: more are for sessions that see a lot of it.
    settings = {
        **database.settings("", database.POSTGRESQL),
        "spark.driver.defaultJavaOptions": f"-XX:+UseSerialGC {UNVERIFIED}",
    }
    with session("local[2]", memory="1g", settings=settings) as started:
        yield started
