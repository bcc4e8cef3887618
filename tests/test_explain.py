"""A statement is explained: its text, what it reads and writes, its rules, and what would help."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import ROOT

from mdw import QuestionError, Warehouse
from mdw.cli import run

CLAIMS = ROOT / "data" / "claims"
FILES = {
    "core/v.sql": """-- Orders of customers.
CREATE VIEW core.v AS
SELECT o.id, amount * 2 AS doubled
FROM raw.orders o
JOIN raw.customer c ON c.id = o.customer_id
WHERE o.kind = 'web';

CREATE TABLE core.known (a INT); INSERT INTO core.known (a) SELECT k.a FROM core.known k;
""",
    "mart/v.sql": "CREATE VIEW mart.v AS SELECT id FROM core.v;\nSELECT a FRM b c d;\nALTER SCHEMA a RENAME TO b;\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / "sql" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "sql" / name).write_text(text)
    return tmp_path / "sql"


@pytest.fixture
def warehouse(folder: Path) -> Warehouse:
    warehouse = Warehouse()
    warehouse.load(folder)
    return warehouse


def test_all_that_was_understood_of_a_statement(warehouse: Warehouse) -> None:
    found = warehouse.explain("core/v.sql:4")
    one = found.statement
    assert (str(one.start), one.kind, one.status, one.target) == ("core/v.sql:2:1", "create view", "partial", "CORE.V")
    assert one.text.startswith("CREATE VIEW core.v AS\nSELECT o.id") and one.writes == ("CORE.V",)
    assert [(read.entity, read.attributes, read.told) for read in found.reads] == [
        ("RAW.CUSTOMER", ("AMOUNT", "ID"), False),
        ("RAW.ORDERS", ("AMOUNT", "CUSTOMER_ID", "ID", "KIND"), False),
    ]
    (mapping,) = found.mappings
    assert mapping.text == warehouse.text(mapping.name)
    assert mapping.rows == (
        'SELECT ROWS WHERE o.kind = "web"',
        "INNER JOIN raw.customer AS c ON c.id = o.customer_id",
    )
    assert [(filled.attribute, filled.value, filled.condition) for filled in mapping.attributes] == [
        ("CORE.V.ID", "RAW.ORDERS.ID", ""),
        ("CORE.V.DOUBLED", "AMOUNT(RAW.ORDERS.AMOUNT, RAW.CUSTOMER.AMOUNT) * 2", ""),
    ]
    assert found.assumed == ("amount: it is not known of which table this is: all that may have it stay",)
    assert found.help == (
        "a dictionary for RAW.CUSTOMER and RAW.ORDERS would resolve amount: "
        "load their CREATE TABLE, or an export of information_schema.columns",
    )


def test_what_helps_helps(warehouse: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "tables.sql").write_text(
        "CREATE TABLE raw.orders (id INT, customer_id INT, kind TEXT, amount INT); CREATE TABLE raw.customer (id INT);"
    )
    warehouse.load(tmp_path / "tables.sql")
    warehouse.load(tmp_path / "sql")
    found = warehouse.explain("core/v.sql:4")
    assert (found.statement.status, found.assumed, found.help) == ("whole", (), ())
    assert all(read.told for read in found.reads)


def test_the_innermost_statement_of_the_line_is_meant(warehouse: Warehouse) -> None:
    found = warehouse.explain("core/v.sql:8")
    assert (found.statement.kind, [str(one.location) for one in found.beside]) == ("create table", ["core/v.sql:8:34"])
    found = warehouse.explain("core/v.sql:8:40")
    assert (found.statement.kind, found.beside) == ("insert", ())


@pytest.mark.parametrize(
    ("place", "status", "message", "helps"),
    [
        ("mart/v.sql:2", "failed", "not expected here: b", "it was read as ansi SQL: mend it"),
        ("mart/v.sql:3", "opaque", "ALTER is not followed", "say what it does in mapping text"),
    ],
)
def test_what_was_not_understood_says_why(
    warehouse: Warehouse, place: str, status: str, message: str, helps: str
) -> None:
    found = warehouse.explain(place)
    assert (found.statement.status, found.statement.message, found.mappings) == (status, message, ())
    assert len(found.help) == 1 and helps in found.help[0]
    assert message in str(found) and helps in " ".join(str(found).split())


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("core/v.sql:7", "no statement stands at core/v.sql:7; the nearest: core/v.sql:2 (create view), core/v.sql:8"),
        ("core/v.sql:8:33", "no statement stands at core/v.sql:8:33; the nearest: "),
        ("core/v.sql:99", "no statement stands at core/v.sql:99; the nearest: core/v.sql:8 (insert)"),
        ("v.sql:2", "v.sql may be core/v.sql or mart/v.sql: which one?"),
        ("core/w.sql:2", "nothing was read from a file core/w.sql; did you mean core/v.sql"),
        ("core/v.sql", "core/v.sql is no place: write FILE:LINE"),
        ("", "nothing is no place: write FILE:LINE"),
    ],
)
def test_what_is_not_there_is_said_with_what_is_near(warehouse: Warehouse, place: str, said: str) -> None:
    with pytest.raises(QuestionError) as raised:
        warehouse.explain(place)
    assert said in str(raised.value)


def test_a_place_is_a_text(warehouse: Warehouse) -> None:
    with pytest.raises(TypeError, match="a place is named by a text"):
        warehouse.explain(4)  # type: ignore[arg-type]


def test_a_file_may_be_named_by_more_or_by_less_than_its_path(warehouse: Warehouse, folder: Path) -> None:
    assert warehouse.explain("./mart/v.sql:1") == warehouse.explain(f"{folder}/mart/v.sql:1")
    with Warehouse() as claims:
        claims.load(CLAIMS, dialect="snowflake")
        assert claims.explain("claim.sql:4") == claims.explain("core/claim.sql:4")


def test_each_mapping_of_a_statement_is_shown_those_of_ctes_last() -> None:
    with Warehouse() as warehouse:
        warehouse.load(CLAIMS, dialect="snowflake")
        found = warehouse.explain("medical_spend.sql:3")
    assert [(one.target, one.inner) for one in found.mappings] == [
        ("MART.MEDICAL_SPEND", False),
        ("`mart/medical_spend.sql:mart.medical_spend`.CLAIMS", True),
    ]
    assert [read.entity for read in found.reads] == ["CORE.CLAIM", "CORE.MEMBER"]


def test_mapping_text_is_explained_too() -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data/bank")
        found = warehouse.explain("20_core/balances.map:95")
        assert found.statement.text == warehouse.text("core_balance_cards")
        with pytest.raises(QuestionError, match=r"the nearest: .*balances.map:5 \(mapping core_balance_deposits_eu\)"):
            warehouse.explain("balances.map:1")
    assert [(one.name, one.target) for one in found.mappings] == [("core_balance_cards", "CORE.BALANCE")]
    assert [read.entity for read in found.reads] == ["STG.CARD", "CORE.FX_RATE"]
    assert str(found).count("WHEN POPULATING") == 1


CALLS = {
    "fill.sql": """CREATE PROCEDURE fill(kind TEXT) LANGUAGE plpgsql AS $$
BEGIN
  IF kind IS NULL THEN
    RETURN;
    DELETE FROM t;
  END IF;
  INSERT INTO t (a, k) SELECT a, kind FROM s;
  CALL log(kind);
END $$;
""",
    "log.sql": "CREATE PROCEDURE log(k TEXT) LANGUAGE plpgsql AS $$ BEGIN INSERT INTO l (k) VALUES (k); END $$;\n",
    "job.sql": "DO $$ BEGIN CALL fill('a'); END $$;\n",
}


@pytest.fixture
def calls(tmp_path: Path) -> Warehouse:
    for name, text in CALLS.items():
        (tmp_path / name).write_text(text)
    warehouse = Warehouse()
    warehouse.load(tmp_path, dialect="postgres")
    return warehouse


def test_routines_that_a_statement_calls_and_what_calls_its_own(calls: Warehouse) -> None:
    found = calls.explain("fill.sql:7")
    assert [str(one.location) for one in found.within] == ["fill.sql:1:1"]
    assert [(str(one.location), one.text) for one in found.called_by] == [("job.sql:1:13", "CALL fill('a')")]
    assert found.calls == ()
    found = calls.explain("fill.sql:8")
    assert [(str(one.location), one.kind) for one in found.calls] == [("log.sql:1:1", "create procedure")]
    assert [str(one.location) for one in calls.explain("log.sql:1:5").called_by] == ["fill.sql:8:3", "job.sql:1:13"]
    said = str(calls.explain("fill.sql:1"))
    assert "Called by\n  job.sql:1:13  CALL fill('a')" in said


def test_a_routine_of_a_package_and_what_is_given_to_it(tmp_path: Path) -> None:
    (tmp_path / "p.sql").write_text(
        "CREATE PACKAGE BODY etl AS\n  PROCEDURE load(k VARCHAR2) IS\n  BEGIN\n"
        "    INSERT INTO t (k) VALUES (k);\n  END;\nEND etl;\n/\nBEGIN\n  etl.load('web');\nEND;\n/\n"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="oracle")
        made, call = warehouse.explain("p.sql:2"), warehouse.explain("p.sql:9")
    assert [(str(one.location), one.kind) for one in made.within] == [("p.sql:1:1", "create package")]
    assert [(str(one.location), one.kind) for one in made.called_by] == [("p.sql:9:3", "call")]
    # 'web' is given to the routine, and is no statement in it.
    assert (call.statement.kind, call.within) == ("call", ())
    assert [str(one.location) for one in call.calls] == ["p.sql:2:3"]


def test_each_call_is_a_mapping_of_the_routines_statement(calls: Warehouse) -> None:
    (mapping,) = calls.explain("fill.sql:7").mappings
    assert [(one.attribute, one.value) for one in mapping.attributes] == [("T.A", "S.A"), ("T.K", '"a"')]


def test_what_never_runs_is_said(calls: Warehouse) -> None:
    found = calls.explain("fill.sql:5")
    assert (found.statement.kind, found.statement.message) == ("delete", "never runs: no way leads here")
    assert found.mappings == () and "never runs" in str(found)
    (dead,) = [one for one in calls.report().causes if one.kind == "dead branch"]
    assert [str(place) for place in dead.places] == ["fill.sql:5:5"]


def test_what_runs_in_one_call_is_not_said_to_never_run(tmp_path: Path) -> None:
    # The loop is left in its first round; its end is reached by others.
    body = (
        "WHILE a LOOP IF b THEN CONTINUE; END IF; DELETE FROM t; EXIT; END LOOP; RETURN; INSERT INTO t (a) VALUES (1);"
    )
    (tmp_path / "p.sql").write_text(f"CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN {body} END $$;")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        never = [one.kind for one in warehouse.report().statements if one.cause == "never runs"]
    assert never == ["insert"]


@pytest.mark.parametrize(
    ("where", "empty"),
    [
        ("1 = 0", True),
        ("x = 1 AND x = 2", True),
        ("x = 1 AND y > z AND z > y", True),
        ("1 = 1", False),
        ("x = 1 OR x = 2", False),
        ("f(x) = 1", False),
    ],
)
def test_a_rule_that_no_row_can_pass_is_marked(tmp_path: Path, where: str, empty: bool) -> None:
    (tmp_path / "v.sql").write_text(f"CREATE VIEW v AS SELECT x FROM s UNION ALL SELECT x FROM s WHERE {where};")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        found = warehouse.explain("v.sql:1")
        dead = [one.count for one in warehouse.report().causes if one.kind == "dead branch"]
    assert [one.empty for one in found.mappings] == [False, empty]
    assert ("no row can pass this" in str(found)) == empty
    # The report looks at what is the same for all rows only.
    assert dead == ([1] if where == "1 = 0" else [])


def test_q15_a_total_has_a_row_though_none_passes(tmp_path: Path) -> None:
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT COUNT(*) AS n FROM s WHERE 1 = 0;")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        assert [one.empty for one in warehouse.explain("v.sql:1").mappings] == [False]


def test_what_is_dead_in_one_call_only_is_not_reported(tmp_path: Path) -> None:
    body = "IF k = 'a' THEN INSERT INTO t (a) SELECT a FROM s; END IF;"
    (tmp_path / "p.sql").write_text(
        f"CREATE PROCEDURE p(k TEXT) LANGUAGE plpgsql AS $$ BEGIN\n{body}\nEND $$;\nCALL p('a'); CALL p('b');"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        assert sorted(one.empty for one in warehouse.explain("p.sql:2:20").mappings) == [False, True]
        assert not [one for one in warehouse.report().causes if one.kind == "dead branch"]


def test_a_model_that_is_no_sql_is_explained() -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data/bank_dbt")
        found = warehouse.explain("mart_payment_forecast.py:1")
    assert (found.statement.kind, found.statement.status) == ("model", "opaque")
    assert found.mappings and found.help


def test_q23_deduced_columns_are_marked(tmp_path: Path) -> None:
    tables = "CREATE TABLE raw.known (id INT, a INT);"
    (tmp_path / "v.sql").write_text(
        f"{tables}\nCREATE VIEW v AS SELECT a, b, s.c FROM raw.known k JOIN raw.s ON s.id = k.id;"
        "\nCREATE VIEW w AS SELECT d FROM raw.s;"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        found = warehouse.explain("v.sql:2")
        # A table that is read alone has all columns that are named.
        assert warehouse.explain("v.sql:3").statement.deduced == ()
        (cause,) = [one for one in warehouse.report().causes if one.kind == "deduced"]
    assert (found.statement.status, found.statement.deduced) == ("whole", ("RAW.S.B",))
    assert found.assumed == ("RAW.S.B: no other table that is read can have this column",)
    assert (cause.count, cause.names) == (1, ("RAW.S.B",))


def test_a_terminal_shows_the_statement_and_its_rules(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "wh.mdw")
    run(["load", str(folder), "--store", store])
    capsys.readouterr()
    assert run(["explain", "core/v.sql:5", "--store", store]) == 0
    said = capsys.readouterr().out
    assert said.startswith("core/v.sql:2  create view, partial, ansi\n\n  2  CREATE VIEW core.v AS\n")
    assert "\nReads\n  RAW.CUSTOMER  AMOUNT, ID; its columns are not told\n" in said
    assert "\nRead as\n  MAPPING `core/v.sql:core.v`:\n  WHEN POPULATING core.v FROM raw.orders AS o\n" in said
    assert run(["explain", "core/v.sql:5", "--store", store, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["file"], told["start"], told["status"]) == ("core/v.sql", "2:1", "partial")
    assert told["mappings"][0]["attributes"][0]["value"] == "RAW.ORDERS.ID"
    assert run(["explain", "core/v.sql:7", "--store", store]) == 1


def test_lines_are_numbered_as_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sql").write_text("CREATE VIEW v AS /* \f \u2028 */\nSELECT x\nFROM s;\nSELECT 1 FRM 2 3;\n")
    store = str(tmp_path / "store")
    run(["load", "--store", store, str(tmp_path / "a.sql")])
    assert "\n    SELECT 1 FRM 2 3" in capsys.readouterr().err
    assert run(["explain", "--store", store, "a.sql:3"]) == 0
    assert "\n  3  FROM s\n" in capsys.readouterr().out


def test_columns_that_a_table_does_not_have_are_said_wherever_they_are_met(tmp_path: Path) -> None:
    (tmp_path / "ddl.sql").write_text("CREATE TABLE raw.s (id INT, day DATE);\nCREATE TABLE stg.t (id INT, day DATE);")
    (tmp_path / "load.sql").write_text("INSERT INTO stg.t (id, day) SELECT s.id, s.dya FROM raw.s s;")
    (tmp_path / "use.sql").write_text("CREATE VIEW m.v AS SELECT t.id, t.dai FROM stg.t t;")
    warehouse = Warehouse()
    warehouse.load(tmp_path, dialect="postgres")
    found = warehouse.explain("load.sql:1")
    assert found.assumed == ("RAW.S has no column DYA",)
    assert [one for one in found.help if "mend the name" in one]
    noted = [warehouse.lineage(name).notes for name in ("stg.t.day", "m.v.dai", "stg.t.id", "raw.s.dya")]
    assert ["".join(notes).partition(":")[0] for notes in noted] == [
        "RAW.S has no column DYA", "STG.T has no column DAI", "", "RAW.S has no column DYA",
    ]  # fmt: skip
    assert warehouse.impact("raw.s.dya").notes == noted[0]


def test_a_file_of_which_nothing_was_read_has_nothing_near(tmp_path: Path) -> None:
    (tmp_path / "empty.sql").write_text("-- nothing yet\n")
    warehouse = Warehouse()
    warehouse.load(tmp_path)
    with pytest.raises(QuestionError, match=r"^no statement was read from empty.sql$"):
        warehouse.explain("empty.sql:1")
