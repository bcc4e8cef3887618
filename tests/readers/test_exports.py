"""Exports of information_schema.columns as entries of the data dictionary: those that DuckDB itself writes."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from mdw import Warehouse

TABLES = """
CREATE SCHEMA raw;
CREATE TABLE raw.orders (id INTEGER NOT NULL, country VARCHAR DEFAULT 'EU', paid DECIMAL(10, 2), "Note" VARCHAR);
CREATE TABLE raw.items (id INTEGER, k BIGINT);
COMMENT ON COLUMN raw.orders.paid IS 'Remuneration, received';
"""
COLUMNS = "SELECT * FROM information_schema.columns WHERE table_schema = 'raw'"
STAR = "CREATE VIEW mart.o AS SELECT * FROM raw.orders; INSERT INTO raw.orders (id) SELECT k FROM raw.items"


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    with duckdb.connect() as database:
        database.execute(TABLES)
        for ending in ("csv", "json", "parquet"):
            database.execute(f"COPY ({COLUMNS}) TO '{folder / f'columns.{ending}'}' (FORMAT {ending})")
        names = [column[0] for column in database.execute(COLUMNS).description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in database.fetchall()]
    (folder / "array.json").write_text(json.dumps(rows[::-1]))
    with duckdb.connect() as database:
        database.execute(
            "COPY (SELECT 1 AS a, 'column_name' AS b) TO '?' (FORMAT csv)".replace("?", str(folder / "data.csv"))
        )
    return folder


@pytest.mark.parametrize("name", ["columns.csv", "columns.json", "columns.parquet", "array.json"])
def test_columns_come_in_order_with_types_defaults_and_descriptions(exports: Path, name: str, tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(exports / name, dialect="duckdb").raise_for_errors()
        entity = warehouse.entity("raw.orders")
        assert entity.entry is not None
        assert [(one.name, one.type, one.required) for one in entity.entry.attributes] == [
            ("ID", "INTEGER", True),
            ("COUNTRY", "VARCHAR", False),
            ("PAID", "DECIMAL(10,2)", False),
            ("NOTE", "VARCHAR", False),
        ]
        assert warehouse.search("remuneration").hits[0].name.endswith("RAW.ORDERS.PAID")
        (tmp_path / "star.sql").write_text(STAR)
        report = warehouse.load(tmp_path, dialect="duckdb")
        assert [one.status for one in report.sql] == ["whole", "whole"]
        assert warehouse.entity("mart.o").attributes == tuple(
            f"MART.O.{one}" for one in ("ID", "COUNTRY", "PAID", "NOTE")
        )
        assert [one.value for one in warehouse.lineage("mart.o.country").constants] == ['"EU"']


def test_a_folder_may_hold_exports_and_sql_and_data(exports: Path, tmp_path: Path) -> None:
    (tmp_path / "columns.csv").write_bytes((exports / "columns.csv").read_bytes())
    (tmp_path / "data.csv").write_bytes((exports / "data.csv").read_bytes())
    (tmp_path / "star.sql").write_text(STAR)
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        assert [one.status for one in report.sql] == ["whole", "whole"]


def test_a_row_without_a_column_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "columns.csv"
    path.write_text("TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME\nS,T,A\nS,T,\nS,T,B\n")
    with Warehouse() as warehouse:
        (error,) = warehouse.load(path).errors
        assert str(error.location) == f"{path}:3:1"
        assert warehouse.entity("s.t").attributes == ("S.T.A", "S.T.B")


@pytest.mark.parametrize(("name", "text"), [("c.json", '[{"table_name": 1, "column_name": '), ("c.parquet", "")])
def test_a_broken_export_costs_itself(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "a.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        assert (report.mappings, len(report.errors)) == (1, int(name == "c.json"))


@pytest.mark.parametrize("rows", [4, 10_000])
def test_a_quote_that_is_not_closed_is_shown_where_it_opens(rows: int, tmp_path: Path) -> None:
    lines = ["table_name,column_name,comment", 't,a,"a ""word"", \n and more"', 't,b,5" pipes', 't,c,"never closed']
    lines += [f"t,d{number},nobody reads this" for number in range(rows)]
    (tmp_path / "columns.csv").write_text("\n".join(lines))
    with Warehouse() as warehouse:
        [error] = warehouse.load(tmp_path).errors
        assert str(error.location).endswith("columns.csv:5:5")
        assert error.excerpt == 't,c,"never closed'
        assert "a quote opens here that is not closed" in error.message
        # What stands before it is read, though there may be more.
        assert not warehouse.entity("T").to_dict()["told"]["whole"]
        assert warehouse.attribute("T.B").to_dict()["told"]["description"] == '5" pipes'


def test_comments_may_hold_what_ends_lines_elsewhere(tmp_path: Path) -> None:
    row = {"table_name": "T", "column_name": "A", "column_comment": "one\u2028two\x85three"}
    (tmp_path / "columns.jsonl").write_text(f"{json.dumps(row, ensure_ascii=False)}\n", encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path / "columns.jsonl").raise_for_errors()
        assert warehouse.entity("T").attributes == ("T.A",)


def test_mysql_tells_constants_without_quotes(tmp_path: Path) -> None:
    path = tmp_path / "columns.csv"
    path.write_text(
        "TABLE_CATALOG,TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,COLUMN_DEFAULT,EXTRA,COLUMN_KEY,COLUMN_TYPE\n"
        "def,s,t,id,NULL,auto_increment,PRI,int(11)\ndef,s,t,r,EU,,,char(2)\n"
        "def,s,t,at,CURRENT_TIMESTAMP,DEFAULT_GENERATED,,datetime\n"
    )
    (tmp_path / "a.sql").write_text("INSERT INTO s.t (x) SELECT y FROM o")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="mysql").raise_for_errors()
        assert warehouse.entity("s.t").to_dict()["told"]["attributes"][0]["key"] == 1
        assert [one.value for one in warehouse.lineage("s.t.r").constants] == ['"EU"']
        assert [one.attribute for one in warehouse.lineage("s.t.r").golden] == []
        assert warehouse.lineage("s.t.at").generated


@pytest.mark.parametrize(("catalogue", "table"), [("dw,", "sales.orders"), (",", "dw.sales.orders")])
@pytest.mark.parametrize("asked", ["dw.sales.orders.amount", "sales.orders.amount", "orders.amount"])
def test_an_export_and_sql_meet_where_one_of_them_leaves_out_the_catalogue(
    tmp_path: Path, catalogue: str, table: str, asked: str
) -> None:
    (tmp_path / "columns.csv").write_text(
        f"table_catalog,table_schema,table_name,column_name\n{catalogue}sales,orders,id\n{catalogue}sales,orders,amount\n"
    )
    (tmp_path / "v.sql").write_text(
        f"CREATE VIEW v AS SELECT * FROM {table}; INSERT INTO {table} SELECT a, b FROM raw.o"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path).raise_for_errors()
        assert [end.attribute for end in warehouse.lineage(asked).golden] == ["RAW.O.B"]
        assert [end.attribute for end in warehouse.impact(asked).final] == ["V.AMOUNT"]
        entity = warehouse.entity(asked.rpartition(".")[0]) if asked.count(".") > 1 else None
        assert entity is None or (entity.filled_by, entity.read_by) == ((f"v.sql:{table}",), ("v.sql:v",))
