"""What all tests share: the option that rewrites expected output, examples that never change, one Spark session."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

settings.register_profile("same", derandomize=True, database=None)
settings.load_profile("same")


MEMORY = "/dev/shm"
"""Where Linux keeps files in memory."""
ROOM = 4 << 30
"""Bytes there are to be room for."""


def pytest_configure() -> None:
    """Files of tests are in memory, where there is room: stores wait for the disk at every change."""
    with suppress(OSError, AttributeError):  # there is none, or no Linux
        found = os.statvfs(MEMORY)
        room = found.f_bavail * found.f_frsize > ROOM and os.access(MEMORY, os.W_OK)
        if room and not found.f_flag & os.ST_NOEXEC:  # libraries that tests build are loaded from there
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --accept` writes what the code says now over the expected files of tests/cases/."""
    parser.addoption("--accept", action="store_true", help="rewrite the expected output under tests/cases/")


# Files that take longest. They are handed out first: with the laws last, one worker would run them while the other has
# nothing left to do.
LONGEST = ("test_spark_cluster", "test_laws", "test_spark_lineage", "test_spark_session", "test_warehouse", "test_docs")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, everything else in the order it was collected in."""
    place = {stem: number for number, stem in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(LONGEST)))


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether expected output is to be rewritten."""
    return bool(request.config.getoption("--accept"))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The Spark session that all tests marked `spark` share; what needs another one runs in a process of its own."""
    from mdw.spark.load import database
    from mdw.spark.session import session

    settings = database.settings("", database.POSTGRESQL)
    with session("local[2]", memory="1g", settings=settings) as started:
        yield started
