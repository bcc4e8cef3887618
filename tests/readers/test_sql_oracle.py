"""Oracle's statements that no other database has: MERGE with WHERE, INSERT ALL and FIRST, CONNECT BY."""

from __future__ import annotations

from pathlib import Path

import pytest
from scans import direct, steps

from mdw import Warehouse, scan_sql

MERGE = """
MERGE INTO t USING s ON (t.id = s.id)
WHEN MATCHED THEN UPDATE SET t.a = s.a WHERE s.x = 1 DELETE WHERE t.z = 2
WHEN NOT MATCHED THEN INSERT (id, a) VALUES (s.id, s.b) WHERE s.y = 3
"""


def conditions(sql: str) -> dict[str, str]:
    scan = scan_sql(sql, dialect="oracle")
    assert [one.status for one in scan.statements] == ["whole"]
    return {f"{one.source} -> {one.target}": one.condition for one in scan.steps if one.kind == "direct"}


def golden(folder: Path, sql: str, asked: str, dialect: str = "oracle") -> dict[str, str]:
    (folder / "script.sql").write_text(sql)
    with Warehouse() as warehouse:
        warehouse.load(folder, dialect=dialect)
        return {one.attribute: one.sql for one in warehouse.lineage(asked).golden}


def test_where_within_branches_of_merge() -> None:
    found = conditions(MERGE)
    assert found["s.a -> t.a"] == "s.x = 1"
    assert found["s.b -> t.a"].endswith("s.y = 3")


def test_q19_not_matched_speaks_of_the_target_as_it_was(tmp_path: Path) -> None:
    """Q19: afterwards the target has the row, so that it has none binds nothing that can be asked of it."""
    found = golden(tmp_path, MERGE.replace("WHERE s.y = 3", "").replace("s.b", "s.a"), "t.a")
    assert found == {"S.A": "TRUE", "T.A": "TRUE"} or found == {"S.A": "TRUE"}


@pytest.mark.parametrize(
    ("kind", "second", "other"),
    [("ALL", "s.k > 2", "s.k <= 1 AND s.k <= 2"), ("FIRST", "s.k <= 1 AND s.k > 2", "s.k <= 1 AND s.k <= 2")],
)
def test_insert_all_and_first(tmp_path: Path, kind: str, second: str, other: str) -> None:
    """INTO without WHEN goes with the one before it; ELSE takes what no WHEN does, NULL too."""
    script = f"""INSERT {kind} WHEN k > 1 THEN INTO t1 (a) VALUES (x) INTO t2 (a) VALUES (x)
        WHEN k > 2 THEN INTO t3 (a) VALUES (x) ELSE INTO t4 (a) VALUES (x) SELECT k, x FROM s"""
    assert direct(scan_sql(script, dialect="oracle")) == {f"s.x -> t{number}.a" for number in (1, 2, 3, 4)}
    assert golden(tmp_path, script, "t2.a") == {"S.X": "S.K > 1"}
    assert golden(tmp_path, script, "t3.a") == ({"S.X": "S.K > 2"} if kind == "ALL" else {})
    assert golden(tmp_path, script, "t4.a") == {"S.X": "S.K <= 1 OR S.K IS NULL"}


def test_q17_prior_is_of_the_row_above(tmp_path: Path) -> None:
    """Q17: WHERE binds the row itself, not the one above it, of which the root has none."""
    script = """CREATE VIEW v AS SELECT name, PRIOR name AS boss, CONNECT_BY_ROOT name AS root, LEVEL AS l, ROWNUM AS r
        FROM emp WHERE kind = 'clerk' START WITH mgr IS NULL CONNECT BY PRIOR id = mgr"""
    scan = scan_sql(script, dialect="oracle")
    assert direct(scan) == {"emp.name -> v.name", "emp.name -> v.boss", "emp.name -> v.root"}
    assert {"emp.id -> v.boss JOIN", "emp.mgr -> v.name SORT"} <= steps(scan)
    assert golden(tmp_path, script, "v.name") == {"EMP.NAME": "EMP.KIND = 'clerk'"}
    assert "EXISTS" in golden(tmp_path, script, "v.boss")["EMP.NAME"]
    top = script + " AND PRIOR kind = 'boss'; CREATE VIEW w AS SELECT boss FROM v WHERE name = 'x'"
    assert set(golden(tmp_path, top, "w.boss")) == {"EMP.NAME"}
    # Of several entities which row is above is not said, only of which they are.
    joined = "SELECT PRIOR e.name AS boss FROM emp e, dept d WHERE e.d = d.d CONNECT BY PRIOR e.id = e.mgr"
    assert direct(scan_sql(joined, dialect="oracle")) == {"emp.name -> <sql>.boss"}


def test_sequences_are_no_columns() -> None:
    scan = scan_sql("INSERT INTO t (id, a) SELECT ids.NEXTVAL, s.a FROM s", dialect="oracle")
    assert direct(scan) == {"s.a -> t.a"}


MODEL = """
CREATE VIEW m AS SELECT c, p, y, v, w FROM s WHERE c = 'IT' AND v > 5
MODEL PARTITION BY (c) DIMENSION BY (p, y) MEASURES (v, 2 * s.q AS w)
RULES (v['x', 2002] = w[CV(p), 2001] * -1);
"""


@pytest.mark.parametrize(
    ("query", "ends"),
    [
        ("SELECT v FROM m WHERE v < 0", {"S.V", "S.Q", "S.P", "S.Y"}),
        ("SELECT y AS v FROM m WHERE p = 'x'", {"S.Y"}),
        ("SELECT v FROM m WHERE c = 'FR'", set()),
        ("SELECT c AS v FROM m WHERE y = 2002", {"S.C"}),
    ],
)
def test_cells_of_a_model_are_of_any_row_of_the_partition(tmp_path: Path, query: str, ends: set[str]) -> None:
    """A rule may give a cell any value: nothing asked of it afterwards binds the rows it was made of (rule Q16)."""
    found = golden(tmp_path, f"{MODEL}CREATE VIEW u AS {query}", "u.v")
    assert set(found) == ends
    assert set(found.values()) <= {"S.C = 'IT' AND S.V > 5"}


def test_a_model_is_understood_in_part() -> None:
    (first,) = scan_sql(MODEL, dialect="oracle").statements
    assert (first.status, first.unresolved) == ("partial", ("the rules of MODEL",))
    other = MODEL.replace("PARTITION", "REFERENCE r ON (SELECT a, b FROM t) DIMENSION BY (a) MEASURES (b) PARTITION")
    assert scan_sql(other, dialect="oracle").statements[0].status == "failed"
