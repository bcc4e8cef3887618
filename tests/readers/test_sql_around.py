"""What stands around data, and holds none; files that say nothing; folders that are empty; manifests that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import InputError, Warehouse
from mdw.warehouse import check

WHOLE = {
    "CREATE SCHEMA mart": "create schema",
    "CREATE SCHEMA IF NOT EXISTS mart AUTHORIZATION joe": "create schema",
    "CREATE DATABASE dw": "create database",
    "CREATE ROLE analyst": "create role",
    "CREATE USER joe WITH PASSWORD 'x'": "create user",
    "CREATE UNIQUE INDEX ix ON t (a)": "create index",
    "CREATE SEQUENCE sq START 1": "create sequence",
    "CREATE EXTENSION IF NOT EXISTS hstore": "create extension",
    "CREATE OR REPLACE FILE FORMAT ff TYPE = CSV": "create file format",
}
OPAQUE = ("CREATE DATABASE dw2 CLONE dw", "CREATE SCHEMA s2 CLONE s1", "CREATE DATABASE d FROM SHARE p.s")


@pytest.mark.parametrize("dialect", ["snowflake", "postgres", "tsql"])
@pytest.mark.parametrize("sql", WHOLE)
def test_what_stands_around_data_moves_none(tmp_path: Path, sql: str, dialect: str) -> None:
    (tmp_path / "a.sql").write_text(sql)
    (one,) = check(tmp_path, dialect=dialect).sql
    assert (one.status, one.kind) == ("whole", WHOLE[sql])


@pytest.mark.parametrize("sql", OPAQUE)
def test_what_brings_data_with_it_is_not_followed(tmp_path: Path, sql: str) -> None:
    (tmp_path / "a.sql").write_text(sql)
    assert [one.status for one in check(tmp_path, dialect="snowflake").sql] == ["opaque"]


def test_files_without_a_statement_are_told(tmp_path: Path) -> None:
    for name in "abcde":
        (tmp_path / f"{name}.sql").write_text("-- a comment\n")
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    assert check(tmp_path).notes == ("no statement in a.sql, b.sql, c.sql and 2 more: nothing was read of it",)


def test_an_empty_folder_removes_nothing_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        (tmp_path / "v.sql").unlink()
        report = warehouse.load(tmp_path, mirror=True)
        (error,) = report.errors
        assert "nothing was removed, lest a mistake empties the store" in error.message
        assert "mdw remove" in error.hint
        assert len(warehouse.mappings()) == 1
        # What the hint says works.
        (tmp_path / "none.sql").write_text("-- nothing here any more")
        assert warehouse.load(tmp_path, mirror=True).removed == ("v.sql:v",)


VERSION = '{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v%s.json"}, "nodes": {%s'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "manifest.json is no manifest of dbt: it tells no dbt_schema_version"),
        (VERSION % (4, "}}"), "manifest.json is a manifest of version 4: mdw reads version 7 and later"),
        (VERSION % (12, "}}"), "manifest.json has no models, seeds or sources"),
        (VERSION % (12, '"model'), "manifest.json is no whole JSON: it ends or goes wrong in line 1, column 100"),
    ],
)
def test_a_manifest_that_is_none_is_told_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    for source in (tmp_path, tmp_path / "manifest.json"):
        errors = check(source).errors
        assert said in [error.message.removeprefix(f"{tmp_path}/") for error in errors], errors
        assert "dbt" in errors[0].hint


def test_of_a_long_line_an_error_shows_what_a_terminal_can(tmp_path: Path) -> None:
    columns = ", ".join(f"column_{number}" for number in range(500))
    (tmp_path / "a.sql").write_text(f"SELECT {columns} FROM WHERE x = 1")
    (error,) = check(tmp_path).errors
    assert isinstance(error, InputError)
    _, excerpt, caret, *_ = str(error).split("\n")
    assert len(excerpt) < 120
    assert excerpt[caret.index("^") :].startswith("WHERE")
