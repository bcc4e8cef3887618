"""A PostgreSQL that all tests of extraction share, with a database of its own for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from urllib.parse import urlsplit

import postgresql
import pytest
from extracting import SCHEMA

PASSWORD = "Geheim7Wort"
NUMBERS = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server, by which its owner logs in."""
    pytest.importorskip("psycopg")
    if lacking := postgresql.no_server():
        pytest.skip(lacking)
    with postgresql.server(PASSWORD) as url:
        yield url.replace("jdbc:postgresql://", f"postgresql://{postgresql.USER}:{PASSWORD}@")


@pytest.fixture
def warehouse_url(server: str) -> Iterator[str]:
    """The URL of a database that holds a warehouse; roles are those of the whole server."""
    import psycopg

    name = f"dwh{next(NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS poor")
        connection.execute(f"CREATE DATABASE {name}".encode())
    url = urlsplit(server)._replace(path=f"/{name}").geturl()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SCHEMA.encode())
    yield url
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def poor_url(warehouse_url: str) -> str:
    """The same for a role that may log in and nothing else."""
    return warehouse_url.replace(f"{postgresql.USER}:{PASSWORD}@", "poor:arm@")
