"""Variables that hold many values: each may be any that was ever given to one of them (rules Q25 to Q27)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse

TABLES = "CREATE TABLE s (x NUMBER, y NUMBER);\nCREATE TABLE t (x NUMBER, y NUMBER, a NUMBER);\n"
TYPES = "TYPE many IS TABLE OF s%ROWTYPE; TYPE numbers IS TABLE OF NUMBER INDEX BY PLS_INTEGER;"
ORACLE: dict[str, tuple[str, dict[str, str]]] = {
    "BULK COLLECT, and FORALL": (
        "v many; BEGIN SELECT * BULK COLLECT INTO v FROM s; FORALL i IN 1..v.COUNT "
        "INSERT INTO t (x, y) VALUES (v(i).y, v(i).x); END;",
        {"t.x": "S.Y", "t.y": "S.X"},
    ),
    "whole rows": (
        "v many; BEGIN SELECT * BULK COLLECT INTO v FROM s; FORALL i IN 1..v.COUNT INSERT INTO t VALUES v(i); END;",
        {"t.x": "S.X", "t.y": "S.Y"},
    ),
    "FETCH BULK COLLECT with LIMIT": (
        "CURSOR c IS SELECT x, y FROM s; v numbers; w numbers; BEGIN OPEN c; LOOP "
        "FETCH c BULK COLLECT INTO v, w LIMIT 100; EXIT WHEN v.COUNT = 0; "
        "FORALL i IN INDICES OF v UPDATE t SET a = w(i) WHERE t.x = v(i); END LOOP; CLOSE c; END;",
        {"t.a": "S.Y T.A"},
    ),
    "a value by its key": (
        "v numbers; BEGIN FOR r IN (SELECT x, y FROM s) LOOP v(r.x) := r.y; END LOOP; "
        "INSERT INTO t (a) VALUES (v(7)); END;",
        {"t.a": "S.Y"},
    ),
    "another value stays": (
        "v numbers; n NUMBER; BEGIN SELECT MAX(x) INTO v(1) FROM s; SELECT MAX(y) INTO v(2) FROM s; "
        "INSERT INTO t (a) VALUES (v(1)); END;",
        {"t.a": "S.X S.Y"},
    ),
    "a new array has none of the old values": (
        "v numbers; w numbers; BEGIN SELECT MAX(x) INTO v(1) FROM s; SELECT y BULK COLLECT INTO v FROM s; "
        "INSERT INTO t (a) VALUES (v(1)); END;",
        {"t.a": "S.Y"},
    ),
    "parts of rows": (
        "v many; BEGIN SELECT MAX(y) INTO v(1).x FROM s; INSERT INTO t (a) VALUES (v(1).x); END;",
        {"t.a": "S.Y"},
    ),
    "a row out of an array, and into it": (
        "v many; w many; r s%ROWTYPE; BEGIN SELECT * BULK COLLECT INTO v FROM s; r := v(1); w(3) := r; "
        "INSERT INTO t (x, y) VALUES (w(3).x, w(3).y); END;",
        {"t.x": "S.X", "t.y": "S.Y"},
    ),
    "EXTEND and DELETE give none": (
        "v numbers; BEGIN v.EXTEND; v(1) := 1; v.DELETE(1); v.DELETE; SELECT MAX(x) INTO v(1) FROM s; "
        "INSERT INTO t (a) VALUES (v(v.LAST)); END;",
        {"t.a": "S.X"},
    ),
    "an array of arrays": (
        "TYPE square IS TABLE OF numbers; v square; BEGIN SELECT MAX(x) INTO v(1)(2) FROM s; "
        "INSERT INTO t (a) VALUES (v(1)(2)); END;",
        {"t.a": "S.X"},
    ),
    "EXECUTE IMMEDIATE": (
        "v numbers; BEGIN EXECUTE IMMEDIATE 'SELECT x FROM s' BULK COLLECT INTO v; INSERT INTO t (a) VALUES (v(1)); "
        "END;",
        {"t.a": "S.X"},
    ),
    "RETURNING": (
        "v numbers; BEGIN DELETE FROM s RETURNING y BULK COLLECT INTO v; INSERT INTO t (a) VALUES (v(1)); END;",
        {"t.a": "S.Y"},
    ),
    "an OUT argument": (
        "v numbers; PROCEDURE put(n OUT NUMBER) IS BEGIN SELECT MAX(x) INTO n FROM s; END; "
        "BEGIN v(1) := 3; put(v(2)); INSERT INTO t (a) VALUES (v(1)); END;",
        {"t.a": "S.X"},
    ),
    "an array as an argument": (
        "v numbers; PROCEDURE put(n numbers) IS BEGIN FORALL i IN 1..n.COUNT INSERT INTO t (a) VALUES (n(i)); END; "
        "BEGIN SELECT y BULK COLLECT INTO v FROM s; put(v); END;",
        {"t.a": "S.Y"},
    ),
    "TABLE of an array": (
        "v numbers; BEGIN SELECT y BULK COLLECT INTO v FROM s; "
        "INSERT INTO t (a) SELECT column_value FROM TABLE(v); END;",
        {"t.a": "S.Y"},
    ),
    "the row of a cursor that is changed": (
        "CURSOR c IS SELECT x, y FROM s FOR UPDATE; BEGIN FOR r IN c LOOP UPDATE t SET a = r.y WHERE CURRENT OF c; "
        "END LOOP; END;",
        {"t.a": "S.Y T.A"},
    ),
    "a row that has got its parts one by one": (
        "r t%ROWTYPE; q t%ROWTYPE; BEGIN SELECT MAX(s.x) INTO r.y FROM s; q := r; INSERT INTO t VALUES q; END;",
        {"t.x": "", "t.y": "S.X"},
    ),
    "VALUES r, and SET ROW = r": (
        "r t%ROWTYPE; BEGIN SELECT MAX(s.x) INTO r.y FROM s; INSERT INTO t VALUES r; "
        "SELECT s.y, s.x, s.x INTO r FROM s; "
        "UPDATE t SET ROW = r WHERE t.y > 1; END;",
        {"t.x": "S.Y", "t.y": "S.X"},
    ),
}


ROWS = {
    "a type of rows": "TYPE row_t IS RECORD (p NUMBER, q NUMBER); r row_t; BEGIN SELECT s.y, s.x INTO r FROM s;",
    "rows of a table": "r u%ROWTYPE; BEGIN SELECT s.y, s.x INTO r FROM s;",
    "a cursor": "CURSOR c IS SELECT s.y, s.x FROM s; r u%ROWTYPE; BEGIN OPEN c; FETCH c INTO r;",
}


def sources(text: str, dialect: str, asked: dict[str, str], folder: Path) -> dict[str, str]:
    file = folder / "program.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect=dialect).raise_for_errors()
        return {one: " ".join(sorted(end.attribute for end in warehouse.lineage(one.upper()).golden)) for one in asked}


@pytest.mark.parametrize("case", ORACLE)
def test_arrays_of_oracle(case: str, tmp_path: Path) -> None:
    body, expected = ORACLE[case]
    assert sources(f"{TABLES}DECLARE {TYPES} {body}\n/\n", "oracle", expected, tmp_path) == expected


@pytest.mark.parametrize("case", ROWS)
def test_a_row_has_its_columns_by_place(case: str, tmp_path: Path) -> None:
    """Q27: whatever the query calls them."""
    text = (
        f"{TABLES}CREATE TABLE u (p NUMBER, q NUMBER);\nDECLARE {ROWS[case]} INSERT INTO t (x) VALUES (r.p); END;\n/\n"
    )
    assert sources(text, "oracle", {"t.x": ""}, tmp_path) == {"t.x": "S.Y"}


def test_a_test_on_one_value_binds_no_other(tmp_path: Path) -> None:
    """What is asked of v(1) says nothing of v(2), nor EXISTS of what is there."""
    body = (
        "v many; BEGIN SELECT * BULK COLLECT INTO v FROM s WHERE s.x IN (1, 2); FOR i IN 1..v.COUNT LOOP "
        "IF v.EXISTS(i) AND v(i).x = 1 THEN INSERT INTO t (x, y) VALUES (v(i + 1).x, v(i).y); END IF; END LOOP; END;"
    )
    file = tmp_path / "program.sql"
    file.write_text(f"{TABLES}DECLARE {TYPES} {body}\n/\n")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect="oracle").raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("T.X", when="X = 2").golden] == ["S.X"]


def test_arrays_of_postgresql(tmp_path: Path) -> None:
    text = """CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
              DECLARE a TEXT[]; b row_of_r[];
              BEGIN
                a[1] := (SELECT MAX(s.x) FROM s);
                a[2] := (SELECT MAX(r.y) FROM r);
                b[1].v := (SELECT MAX(s.z) FROM s);
                INSERT INTO t (a, b) VALUES (a[1], (b[1]).v);
              END $$;"""
    expected = {"t.a": "R.Y S.X", "t.b": "S.Z"}
    assert sources(text, "postgres", expected, tmp_path) == expected
