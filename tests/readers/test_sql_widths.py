"""Columns that do not fit cost a statement its wholeness: the reason is told, and what can be read of it is read."""

from __future__ import annotations

import pytest

from mdw import scan_sql

TABLE = "CREATE TABLE w.t (p INT, q INT);\n"
UNFIT = {
    "fewer values than columns": (
        "duckdb",
        "INSERT INTO w.t (p, q) SELECT s.a FROM s",
        "1 value for the 2 columns listed of w.t",
        {("s.a", "w.t.p")},
    ),
    "more values than columns": (
        "tsql",
        "INSERT w.t (p) SELECT s.a, s.b FROM s",
        "2 values for the 1 column listed of w.t",
        {("s.a", "w.t.p"), ("s.b", "w.t.b")},
    ),
    "a row of values": (
        "mysql",
        "INSERT INTO w.t (p, q) VALUES (1, 2), (3)",
        "1 value for the 2 columns listed",
        set(),
    ),
    "a branch of an INSERT ALL": (
        "oracle",
        "INSERT ALL INTO w.t (p, q) VALUES (a) SELECT s.a FROM s",
        "1 value for the 2 columns listed of w.t",
        {("s.a", "w.t.p")},
    ),
    "the INSERT of a MERGE": (
        "snowflake",
        "MERGE INTO w.t USING s ON s.a = t.p WHEN NOT MATCHED THEN INSERT (p, q) VALUES (s.a)",
        "1 value for the 2 columns listed of w.t",
        {("s.a", "w.t.p")},
    ),
    "a column that its table lacks": (
        "postgres",
        "INSERT INTO w.t (p, z) SELECT s.a, s.b FROM s",
        "w.t has no column z",
        {("s.a", "w.t.p"), ("s.b", "w.t.z")},
    ),
    "the same in a MERGE": (
        "tsql",
        "MERGE w.t USING s ON s.a = t.p WHEN NOT MATCHED THEN INSERT (p, z) VALUES (s.a, s.b);",
        "w.t has no column z",
        {("s.a", "w.t.p"), ("s.b", "w.t.z")},
    ),
    "a UNION": (
        "bigquery",
        "CREATE VIEW v AS SELECT s.a, s.b FROM s UNION ALL SELECT o.c FROM o",
        "2 columns beside 1 in a UNION",
        {("s.a", "v.a"), ("s.b", "v.b"), ("o.c", "v.a")},
    ),
    "a UNION by a star that is known": (
        "sqlite",
        "CREATE VIEW v AS SELECT s.a FROM s UNION SELECT * FROM w.t",
        "1 column beside 2 in a UNION",
        {("s.a", "v.a"), ("w.t.p", "v.a"), ("w.t.q", "v.q")},
    ),
    "an EXCEPT": ("oracle", "SELECT s.a, s.b FROM s MINUS SELECT o.c FROM o", "2 columns beside 1 in an EXCEPT", None),
    "an INTERSECT": ("spark", "SELECT s.a FROM s INTERSECT SELECT o.c, o.d FROM o", "1 column beside 2", None),
}
FITTING = {
    "by name": ("duckdb", "SELECT s.a, s.b FROM s UNION ALL BY NAME SELECT o.b FROM o"),
    "two of one name": ("postgres", "INSERT INTO w.t (p, q) SELECT s.a, s.a FROM s"),
    "a partition behind the list": ("hive", "INSERT INTO w.u PARTITION (d) (p, q) SELECT s.a, s.b, s.d FROM s"),
    "a constant partition": ("spark", "INSERT INTO w.u PARTITION (d = '1') (p, q) SELECT s.a, s.b FROM s"),
    "two columns of one function": ("hive", "INSERT INTO w.t (p, q) SELECT POSEXPLODE(s.a) FROM s"),
    "a struct of fields nobody told": ("duckdb", "INSERT INTO w.u (p, q) SELECT UNNEST(s.a) FROM s"),
    "parts of one column": ("postgres", "INSERT INTO w.u (p.x, p.y, q) SELECT s.a, s.b, s.c FROM s"),
    "the key of a row": ("sqlite", "INSERT INTO w.t (rowid, p) VALUES (1, 2)"),
    "a partition that nobody declared": ("bigquery", "INSERT INTO w.t (_PARTITIONTIME, p) VALUES (NULL, 2)"),
    "a column that was added": ("tsql", "ALTER TABLE w.t ADD r INT;\nINSERT w.t (p, r) SELECT s.a, s.b FROM s"),
    "a table that nobody told": ("oracle", "INSERT INTO w.x (p, r) SELECT s.a, s.b FROM s"),
    "values by default": ("tsql", "INSERT w.t DEFAULT VALUES"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_columns_that_do_not_fit_are_told(case: str) -> None:
    dialect, text, why, steps = UNFIT[case]
    found = scan_sql(TABLE + text, dialect=dialect)
    assert found.statements[-1].status == "partial"
    assert why in found.statements[-1].message
    if steps is not None:
        assert {(one.source, one.target) for one in found.steps if one.kind == "direct"} == steps


@pytest.mark.parametrize("case", FITTING)
def test_columns_that_fit_are_whole(case: str) -> None:
    dialect, text = FITTING[case]
    found = scan_sql(TABLE + text, dialect=dialect).statements[-1]
    assert (found.status, found.message) == ("whole", "")
