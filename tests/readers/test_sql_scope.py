"""Q34: what a name of a table without schema means in a view, a routine or a trigger."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from mdw import Warehouse, scan_sql


def ends(folder: Path, dialect: str, asked: str, *texts: str) -> list[str]:
    """The golden sources of an attribute, whichever of the files comes first."""
    found = []
    for order in (texts, texts[::-1]):
        for old in folder.glob("*.sql"):
            old.unlink()
        for number, text in enumerate(order):
            (folder / f"{number}.sql").write_text(text, encoding="utf-8")
        with Warehouse() as warehouse:
            warehouse.load(folder, dialect=dialect)
            found.append(sorted(one.attribute for one in warehouse.lineage(asked).golden))
    assert found[0] == found[1], found
    return found[0]


STAGED = "CREATE TABLE own.t AS SELECT x AS a FROM raw.src; CREATE TABLE other.t AS SELECT y AS a FROM raw.src"
READER = "CREATE TABLE mart.o AS SELECT a FROM own.v"


@pytest.mark.parametrize("dialect", ["oracle", "snowflake", "duckdb", "sqlite", "tsql"])
def test_views_read_tables_of_their_own_schema(tmp_path: Path, dialect: str) -> None:
    """Q34: where it was defined, whatever else is called so."""
    into = (
        STAGED
        if dialect != "tsql"
        else STAGED.replace("CREATE TABLE own.t AS SELECT x AS a", "SELECT x AS a INTO own.t")
    )
    assert ends(tmp_path, dialect, "own.v.a", into, "CREATE VIEW own.v AS SELECT a FROM t") == ["RAW.SRC.X"]


def test_a_view_of_duckdb_reads_what_it_reads_when_it_runs() -> None:
    """Q34, executed: its own schema, then MAIN; never the search path before its own."""
    script = """CREATE SCHEMA own; CREATE SCHEMA other; CREATE TABLE own.t AS SELECT 1 AS a;
        CREATE TABLE other.t AS SELECT 2 AS a; CREATE TABLE main.u AS SELECT 3 AS b;
        CREATE VIEW own.v AS SELECT a FROM t; CREATE VIEW own.w AS SELECT b FROM u;"""
    with duckdb.connect() as database:
        database.execute(script)
        rows = [database.execute(f"SELECT * FROM own.{one}").fetchall() for one in "vw"]
    assert rows == [[(1,)], [(3,)]]
    steps = {(one.source, one.target) for one in scan_sql(script, dialect="duckdb").steps}
    assert {("own.t.a", "own.v.a"), ("main.u.b", "own.w.b")} <= steps


@pytest.mark.parametrize(
    ("dialect", "routine"),
    [
        ("oracle", "CREATE PROCEDURE own.p AS BEGIN INSERT INTO mart.o (a) SELECT a FROM t; END;\n/"),
        (
            "oracle",
            "CREATE PACKAGE BODY own.k AS PROCEDURE p IS BEGIN INSERT INTO mart.o (a) SELECT a FROM t; END; END;\n/",
        ),
        ("tsql", "CREATE PROCEDURE own.p AS INSERT INTO mart.o (a) SELECT a FROM t"),
        ("mysql", "CREATE PROCEDURE own.p() BEGIN INSERT INTO mart.o (a) SELECT a FROM t; END"),
        (
            "snowflake",
            "CREATE PROCEDURE own.p() RETURNS INT LANGUAGE SQL AS"
            " $$ BEGIN INSERT INTO mart.o (a) SELECT a FROM t; END $$",
        ),
        ("snowflake", "CREATE TASK own.k AS BEGIN INSERT INTO mart.o (a) SELECT a FROM t; END"),
        ("mysql", "CREATE EVENT own.e ON SCHEDULE EVERY 1 DAY DO INSERT INTO mart.o (a) SELECT a FROM t"),
        (
            "snowflake",
            "CREATE DYNAMIC TABLE own.d TARGET_LAG = '1 hour' AS SELECT a FROM t;"
            " INSERT INTO mart.o SELECT a FROM own.d",
        ),
        ("tsql", "CREATE TRIGGER own.r ON own.e AFTER INSERT AS INSERT INTO mart.o (a) SELECT a FROM t"),
        ("mysql", "CREATE TRIGGER r AFTER INSERT ON own.e FOR EACH ROW INSERT INTO mart.o (a) SELECT a FROM t"),
    ],
)
def test_routines_read_tables_of_their_own_schema(tmp_path: Path, dialect: str, routine: str) -> None:
    """Q34: a routine's schema, of a trigger its table's."""
    tables = "CREATE TABLE own.t (a INT); CREATE TABLE other.t (a INT); INSERT INTO own.t (a) SELECT x FROM raw.src"
    assert ends(tmp_path, dialect, "mart.o.a", tables, routine) == ["RAW.SRC.X"]


@pytest.mark.parametrize(
    ("dialect", "routine", "golden"),
    [
        ("tsql", "CREATE PROCEDURE own.p AS INSERT INTO mart.o (a) SELECT a FROM u", ["DBO.U.A"]),
        ("tsql", "CREATE PROCEDURE own.p AS EXEC('INSERT INTO mart.o (a) SELECT a FROM t')", ["DBO.T.A"]),
        (
            "tsql",
            "CREATE PROCEDURE own.p AS SELECT a INTO n FROM u; INSERT INTO mart.o (a) SELECT a FROM n",
            ["DBO.U.A"],
        ),
        (
            "snowflake",
            "CREATE PROCEDURE own.p() RETURNS INT LANGUAGE SQL EXECUTE AS CALLER AS"
            " $$ BEGIN INSERT INTO mart.o (a) SELECT a FROM own2; END $$",
            ["DBO.OWN2.A"],
        ),
        (
            "postgres",
            "CREATE FUNCTION own.p() RETURNS void LANGUAGE sql SET search_path = dbo, own AS"
            " $$ INSERT INTO mart.o (a) SELECT a FROM t $$",
            ["DBO.T.A"],
        ),
    ],
)
def test_other_schemas_come_in_turn(tmp_path: Path, dialect: str, routine: str, golden: list[str]) -> None:
    """Q34: then DBO; the caller's of texts that are run, of DDL, and where the routine says so."""
    tables = "; ".join(f"CREATE TABLE {name} (a INT)" for name in ("own.t", "dbo.t", "dbo.u", "dbo.own2"))
    assert ends(tmp_path, dialect, "mart.o.a", tables, routine) == golden


@pytest.mark.parametrize("dialect", ["postgres", "redshift", "bigquery", "databricks", "teradata", "ansi"])
def test_the_only_table_of_the_name_is_deduced_and_said(tmp_path: Path, dialect: str) -> None:
    """Q34: found nowhere."""
    view = "CREATE VIEW mart.v AS SELECT a FROM t"
    assert ends(tmp_path, dialect, "mart.v.a", "CREATE TABLE core.t (a INT)", view) == ["CORE.T.A"]
    (_, statement) = scan_sql(f"CREATE TABLE core.t (a INT); {view}", dialect=dialect).statements
    assert statement.status == "whole"
    assert "taken for core.t" in statement.message


def test_of_several_each_may_be_meant(tmp_path: Path) -> None:
    """Q34: and the name itself; the statement is not whole."""
    tables = "CREATE TABLE core.t (a INT); CREATE TABLE stage.t (a INT, b INT)"
    view = "CREATE VIEW mart.v AS SELECT a FROM t"
    assert ends(tmp_path, "postgres", "mart.v.a", tables, view) == ["CORE.T.A", "STAGE.T.A", "T.A"]
    assert scan_sql(f"{tables}; {view}", dialect="postgres").statements[-1].status == "partial"


@pytest.mark.parametrize("before", ["", "SET search_path = core;"])
def test_a_table_that_is_found_is_meant_alone(tmp_path: Path, before: str) -> None:
    """Q34: of the path, or of PUBLIC."""
    own = "core" if before else "public"
    tables = f"CREATE TABLE {own}.t (a INT); CREATE TABLE stage.t (a INT)"
    found = ends(tmp_path, "postgres", "mart.v.a", tables, f"{before} CREATE VIEW mart.v AS SELECT a FROM t")
    assert found == [f"{own.upper()}.T.A"]


def test_names_of_tables_written_without_schema_stay_as_they_are(tmp_path: Path) -> None:
    """Q34: what scripts without schemas fill is no other table because one is called alike."""
    for dialect in ("postgres", "tsql", "oracle"):
        texts = (
            "INSERT INTO t (a) SELECT x FROM src",
            "CREATE VIEW v AS SELECT a FROM t",
            "CREATE TABLE core.t (a INT)",
        )
        assert ends(tmp_path, dialect, "v.a", *texts) == ["SRC.X"]


def test_a_synonym_of_oracle_goes_behind_the_own_schema(tmp_path: Path) -> None:
    """Q34: definer's rights, then synonyms."""
    synonym = "CREATE PUBLIC SYNONYM t FOR core.customer; CREATE TABLE stage.t (a NUMBER)"
    package = "CREATE PROCEDURE own.p AS BEGIN INSERT INTO mart.o (a) SELECT a FROM t; END;\n/"
    assert ends(tmp_path, "oracle", "mart.o.a", synonym, package) == ["CORE.CUSTOMER.A"]


def test_dual_is_of_no_schema(tmp_path: Path) -> None:
    """Q34: nor is what the database itself has."""
    view = "CREATE VIEW own.v AS SELECT s.a FROM src s CROSS JOIN dual"
    assert ends(tmp_path, "oracle", "own.v.a", view, "CREATE TABLE own.src (a NUMBER)") == ["OWN.SRC.A"]


def test_names_behind_use_are_of_the_schema_it_names(tmp_path: Path) -> None:
    """Q34: which no look at words tells; a view of another schema does not mean them."""
    script = "ALTER SESSION SET CURRENT_SCHEMA = core; CREATE TABLE t (a NUMBER); CREATE VIEW v AS SELECT a FROM t;"
    assert ends(tmp_path, "oracle", "core.v.a", script) == ["CORE.T.A"]
    assert ends(tmp_path, "oracle", "own.v.a", script + "CREATE VIEW own.v AS SELECT a FROM t") == ["OWN.T.A"]


def test_what_is_loaded_before_counts_as_well(tmp_path: Path) -> None:
    """Q34: a table that the store knows, whenever it was loaded."""
    for name, text in (("1", "CREATE TABLE core.t (a INT)"), ("2", "CREATE VIEW mart.v AS SELECT a FROM t")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.sql").write_text(text)
    with Warehouse() as warehouse:
        for name in ("1", "2"):
            warehouse.load(tmp_path / name, dialect="postgres")
        assert [one.attribute for one in warehouse.lineage("mart.v.a").golden] == ["CORE.T.A"]


def test_a_file_is_read_again_where_its_names_mean_something_else_now(tmp_path: Path) -> None:
    """Q34: though its own text is what it was."""
    (tmp_path / "v.sql").write_text("CREATE VIEW mart.v AS SELECT a FROM t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        before = [one.attribute for one in warehouse.lineage("mart.v.a").golden]
        (tmp_path / "t.sql").write_text("INSERT INTO core.t (a) SELECT x FROM raw.src")
        warehouse.load(tmp_path, dialect="postgres")
        after = [one.attribute for one in warehouse.lineage("mart.v.a").golden]
    assert (before, after) == (["T.A"], ["RAW.SRC.X"])


@pytest.mark.parametrize(
    ("dialect", "asked", "texts"),
    [
        (
            "tsql",
            "dbo.o.x",
            (
                "CREATE TABLE dbo.t (x INT)",
                "INSERT t (x) SELECT y FROM dbo.src",
                "INSERT dbo.o (x) SELECT x FROM dbo.t",
            ),
        ),
        ("tsql", "dbo.o.x", ("INSERT dbo.t (x) SELECT y FROM dbo.src", "INSERT dbo.o (x) SELECT x FROM t")),
        ("tsql", "dbo.o.x", ("CREATE VIEW t AS SELECT y AS x FROM dbo.src", "INSERT dbo.o (x) SELECT x FROM dbo.t")),
        (
            "postgres",
            "public.o.x",
            (
                "CREATE TABLE public.t (x INT); INSERT INTO t SELECT y FROM dbo.src",
                "CREATE VIEW public.o AS SELECT x FROM public.t",
            ),
        ),
    ],
)
def test_a_statement_means_the_default_schema_by_a_short_name(
    tmp_path: Path, dialect: str, asked: str, texts: tuple[str, ...]
) -> None:
    """Q34: who writes no schema means what others call by the default one, in whatever file they do."""
    assert ends(tmp_path, dialect, asked, *texts) == ["DBO.SRC.Y"]


def test_a_temporary_table_is_of_no_default_schema(tmp_path: Path) -> None:
    """Q34: PUBLIC.T is another table while a temporary one is called so."""
    text = "CREATE TEMP TABLE t AS SELECT y AS x FROM src; INSERT INTO o (x) SELECT x FROM t"
    assert ends(tmp_path, "postgres", "o.x", text, "CREATE VIEW v AS SELECT x FROM public.t") == ["SRC.Y"]
    assert ends(tmp_path, "postgres", "v.x", text, "CREATE VIEW v AS SELECT x FROM public.t") == ["PUBLIC.T.X"]
