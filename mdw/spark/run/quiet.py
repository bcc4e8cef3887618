"""Failures of Spark that are expected, or told in a line: its own log of each is left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from pyspark.logger import PySparkLogger

LOGS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")


@contextmanager
def quietly() -> Iterator[None]:
    """While it lasts Spark does not write what is wrong with a query beside raising it."""
    with ExitStack() as after:
        for name in LOGS:
            logger = PySparkLogger.getLogger(name)
            after.callback(setattr, logger, "disabled", logger.disabled)
            logger.disabled = True
        yield
