"""Folders of SQL: files in any order, stars across files, a status for each statement, answers from table to table."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from places import ROOT

from mdw import Impact, Lineage, Warehouse
from mdw.model.errors import InputError, QuestionError

CLAIMS = ROOT / "data" / "claims"
STARS = {
    "c.sql": "CREATE VIEW c AS SELECT * FROM b",
    "b.sql": "CREATE VIEW b AS SELECT a.*, 'x' AS kind FROM a",
    "a.sql": "CREATE TABLE a (id INT, name TEXT)",
}


def flows(answer: Lineage | Impact) -> set[tuple[str, str, str]]:
    return {(step.source, step.target, step.kind) for step in answer.steps}


@pytest.fixture(scope="module")
def claims() -> Warehouse:
    warehouse = Warehouse()
    warehouse.load(CLAIMS, dialect="snowflake").raise_for_errors()
    return warehouse


def test_a_filter_in_one_file_meets_a_constant_in_another(claims: Warehouse) -> None:
    answer = claims.lineage("medical_spend.paid")
    assert [end.attribute for end in answer.golden] == ["RAW.MEDICAL_CLAIM.PAID"]
    left = {one.step.source: one for one in answer.dropped}
    assert sorted(left) == ["RAW.PHARMACY_CLAIM.COPAY", "RAW.PHARMACY_CLAIM.PRICE"]
    rules = [(str(rule.location), rule.condition) for rule in left["RAW.PHARMACY_CLAIM.PRICE"].because]
    assert [place.rpartition(":")[0] for place, _ in rules] == ["core/claim.sql:7", "mart/medical_spend.sql:3"]


def test_steps_go_from_table_to_table_unless_asked_otherwise(claims: Warehouse) -> None:
    answer = claims.lineage("medical_spend.paid")
    assert ("CORE.CLAIM.PAID", "MART.MEDICAL_SPEND.PAID", "direct") in flows(answer)
    assert not any("`" in name for step in answer.steps for name in (step.source, step.target))
    assert any("CLAIMS" in step.source for step in claims.lineage("medical_spend.paid", inner=True).steps)
    # What groups is a column of a CTE; the answer names what fills that.
    assert {one.attribute for one in answer.indirect if one.subtype == "GROUP_BY"} == {
        "CORE.CLAIM.MEMBER_ID",
        "CORE.MEMBER.PLAN",
    }
    assert not any("`" in one.attribute for one in claims.lineage_all())


def test_impact_is_told_from_table_to_table(claims: Warehouse) -> None:
    answer = claims.impact("medical_claim.paid")
    assert [end.attribute for end in answer.final] == ["MART.MEDICAL_SPEND.PAID", "MART.MEMBER_SPEND.MEDICAL_PAID"]
    assert ("CORE.CLAIM.PAID", "MART.MEDICAL_SPEND.PAID", "direct") in flows(answer)


def test_each_use_of_a_value_has_its_own_test(claims: Warehouse) -> None:
    # Rule Q1: SUM(CASE WHEN claim_type = 'pharmacy' THEN paid END).
    answer = claims.lineage("member_spend.pharmacy_paid")
    assert [end.attribute for end in answer.golden] == ["RAW.PHARMACY_CLAIM.COPAY", "RAW.PHARMACY_CLAIM.PRICE"]


@pytest.mark.parametrize("order", list(permutations(STARS)), ids=" ".join)
def test_stars_know_the_columns_of_other_files_in_whatever_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    for number, name in enumerate(order):
        (tmp_path / f"{number}_{name}").write_text(STARS[name])
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        assert [one.status for one in report.sql] == ["whole"] * 3
        assert [end.attribute for end in warehouse.lineage("C.NAME").golden] == ["A.NAME"]
        assert [one.value for one in warehouse.lineage("C.KIND").constants] == ['"x"']


def test_views_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("CREATE VIEW a AS SELECT *, 1 AS n FROM b")
    (tmp_path / "b.sql").write_text("CREATE VIEW b AS SELECT *, 2 AS m FROM a")
    with Warehouse() as warehouse:
        assert {one.status for one in warehouse.load(tmp_path).sql} <= {"whole", "partial"}


def test_one_bad_statement_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "good.sql").write_text("CREATE VIEW v AS SELECT x FROM s")
    (tmp_path / "bad.sql").write_text(
        "CREATE VIEW w AS SELECT y FROM s;\nSELECT FROM WHERE;\nCREATE VIEW u AS SELECT z FROM s"
    )
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        assert sorted(one.target for one in report.sql if one.status == "whole") == ["U", "V", "W"]
        (error,) = report.errors
        assert error.location and (error.location.file, error.location.line) == ("bad.sql", 2)
        assert [end.attribute for end in warehouse.lineage("U.Z").golden] == ["S.Z"]


def test_a_dialect_that_there_is_not_is_said(tmp_path: Path) -> None:
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT x FROM s")
    with Warehouse() as warehouse, pytest.raises(InputError, match="no SQL dialect is called klingon"):
        warehouse.load(tmp_path, dialect="klingon")


def test_files_that_did_not_change_are_not_loaded_again(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "wh.mdw") as warehouse:
        assert warehouse.load(CLAIMS, dialect="snowflake").loaded == 6
        again = warehouse.load(CLAIMS, dialect="snowflake")
        assert (again.loaded, again.replaced, again.unchanged) == (0, 0, 6)


@pytest.mark.parametrize("asked", ["b.q", "d.q", "d.k"])
def test_q22_a_star_passes_on_what_nobody_names(tmp_path: Path, asked: str) -> None:
    """Q22: all of nobody goes to b, and with it by name whatever is asked for; the answer says so."""
    (tmp_path / "views.sql").write_text(
        "CREATE VIEW b AS SELECT * FROM nobody; CREATE VIEW d AS SELECT * FROM b WHERE k = 1"
    )
    name = asked[-1].upper()
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        answer = warehouse.lineage(asked)
        assert [end.attribute for end in answer.golden] == [f"NOBODY.{name}"]
        assert f"all of NOBODY goes to B, and {name} with it, by its name" in answer.notes or asked == "d.k"
        if name == "Q":
            assert [end.attribute for end in warehouse.impact("nobody.q").final] == ["D.Q"]
        assert len(answer.steps) == len(set(answer.steps))
        with pytest.raises(QuestionError, match="no mapping mentions"):
            warehouse.lineage("nowhere.q")


@pytest.mark.parametrize(
    ("query", "gone", "others"),
    [
        ("SELECT * EXCLUDE (x) FROM nobody", True, {"NOBODY"}),
        ("SELECT * FROM (SELECT * EXCLUDE (x) FROM nobody) n", True, {"NOBODY"}),
        ("SELECT * RENAME (x AS xx) FROM nobody", True, {"NOBODY"}),
        ("SELECT * REPLACE (1 AS x) FROM nobody", True, {"NOBODY"}),
        ("SELECT n.* EXCLUDE (x), o.* FROM nobody n, other o", False, {"NOBODY", "OTHER"}),
    ],
)
def test_q22_a_star_does_not_pass_on_what_it_leaves_out(
    tmp_path: Path, query: str, gone: bool, others: set[str]
) -> None:
    """Q22: of a table nobody knows, too, x is not in the result by its name; every other column is."""
    (tmp_path / "b.sql").write_text(f"CREATE VIEW b AS {query}")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb")
        assert {one.attribute for one in warehouse.lineage("b.x").golden} == (set() if gone else {"OTHER.X"})
        kept = warehouse.lineage("b.q")
        assert {one.attribute for one in kept.golden} == {f"{one}.Q" for one in others}
        assert len(others) > 1 or {one.subtype for one in kept.steps} == {"IDENTITY"}


@pytest.mark.parametrize(
    ("query", "dialect", "ends"),
    [
        ("SELECT late FROM s", "ansi", ["S.LATE"]),
        ("WITH i AS (SELECT * FROM s) SELECT a, late FROM i WHERE a > 0", "duckdb", ["S.LATE"]),
        ("SELECT MAX(late) AS late FROM s, t GROUP BY s.a", "tsql", ["S.LATE", "T.LATE"]),
        (
            "SELECT (SELECT MAX(late) FROM s WHERE s.a = one.k) AS late FROM (SELECT 1 AS k) AS one",
            "postgres",
            ["S.LATE"],
        ),
        # What a statement makes has no column that it does not give.
        ("SELECT late FROM (SELECT a FROM s) AS x", "ansi", []),
        ("SELECT late FROM made", "ansi", []),
        # There it may be a function, called without parentheses.
        ("SELECT late FROM s", "oracle", []),
    ],
)
def test_q23_a_column_that_a_dictionary_lacks_is_not_lost(
    query: str, dialect: str, ends: list[str], tmp_path: Path
) -> None:
    """Half a dictionary gives no less than none: tables get columns that an older definition of them lacks."""
    (tmp_path / "tables.sql").write_text("CREATE TABLE s (a INT, b INT); CREATE TABLE t (c INT)")
    (tmp_path / "views.sql").write_text(f"CREATE VIEW made AS SELECT a FROM s; CREATE VIEW m AS {query}")
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path, dialect=dialect).raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("m.late").golden] == ends
    assert [one.message for one in report.sql if one.status == "partial"] == ["not resolved: late"]


def test_answers_call_inner_entities_as_their_statement_does(tmp_path: Path) -> None:
    (tmp_path / "u.sql").write_text(
        """CREATE VIEW u AS WITH c AS (SELECT k, x FROM s WHERE y = 1)
           SELECT c.x AS a, e.w FROM c JOIN (SELECT k, w FROM q WHERE p > 1) e ON e.k = c.k WHERE c.k > 5"""
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        (end,) = warehouse.lineage("u.a").golden
        assert (end.condition, end.sql) == (
            "S.K = E.K AND S.K > 5 AND S.Y = 1",
            "S.K > 5 AND S.Y = 1 AND EXISTS(SELECT 1 FROM Q WHERE S.K = Q.K AND Q.P > 1)",
        )
        joining = warehouse.impact("q.k")
        assert (joining.unused, joining.final) == ((), ())
        assert "u.sql:u" not in str(joining).replace("by u.sql:u", "")


@pytest.mark.parametrize(
    ("view", "left"),
    [
        ("SELECT k, t FROM s", ["A"]),
        ("SELECT k, t FROM s ORDER BY random() LIMIT 5", []),
        ("SELECT k, t FROM picked", []),
    ],
)
def test_a_view_that_picks_rows_anew_each_time_tells_nothing_of_itself(
    tmp_path: Path, view: str, left: list[str]
) -> None:
    """Rule Q11: a row that NOT EXISTS looks for may be another one than that which is looked from."""
    (tmp_path / "picked.sql").write_text("CREATE VIEW picked AS SELECT k, t FROM s TABLESAMPLE BERNOULLI (10)")
    (tmp_path / "s.sql").write_text(
        "CREATE VIEW s AS SELECT a AS k, 'a' AS t FROM one WHERE a IS NOT NULL UNION ALL SELECT b, 'b' FROM two"
    )
    (tmp_path / "v.sql").write_text(f"CREATE VIEW v AS {view}")
    (tmp_path / "w.sql").write_text(
        "CREATE VIEW w AS SELECT x.k FROM v x WHERE NOT EXISTS (SELECT 1 FROM v y WHERE y.k = x.k AND y.t = 'a')"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        kept = {end.attribute for end in warehouse.lineage("W.K").golden}
        assert kept == ({"TWO.B"} if left else {"ONE.A", "TWO.B"})
