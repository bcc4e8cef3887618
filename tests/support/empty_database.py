"""A database of DuckDB without tables for a test: attached to one that runs, a tenth of what it takes to start one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count

import duckdb

NUMBERS = count(1)


@cache
def running() -> duckdb.DuckDBPyConnection:
    """The one that all are attached to."""
    return duckdb.connect(config={"threads": 1})


@contextmanager
def empty_database() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of its own to a database that goes with the block."""
    name = f"own{next(NUMBERS)}"
    with running().cursor() as connection:
        connection.execute(f"ATTACH ':memory:' AS {name}; USE {name}")
        try:
            yield connection
        finally:
            # Other settings are the connection's; this one is of all that run.
            connection.execute(f"RESET default_collation; USE memory; DETACH {name}")
