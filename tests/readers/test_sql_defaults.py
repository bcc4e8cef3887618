"""INSERT writes the defaults of what it leaves out (rule Q18): what arrives in DuckDB is in the answer, and no more."""

from __future__ import annotations

import os
import random
from itertools import permutations
from pathlib import Path

import pytest
from empty_database import empty_database

from mdw import Warehouse, scan_sql
from mdw.readers.sql.scripts import read_script

TABLE = "CREATE TABLE t (id INTEGER UNIQUE, region VARCHAR DEFAULT 'EU', size INTEGER DEFAULT 3, note VARCHAR)"
SOURCE = "CREATE TABLE s (k INTEGER, r VARCHAR, note VARCHAR)"
# Values that tell which column of S they come from.
ROW = "INSERT INTO s VALUES (1001, 'r of s', 'note of s')"
COMES_FROM = {"1001": "S.K", "r of s": "S.R", "note of s": "S.NOTE"}

CHANGES = {
    "a list of columns": "INSERT INTO t (id) SELECT k FROM s",
    "a list in another order": "INSERT INTO t (region, id) SELECT r, k FROM s",
    "fewer values than columns, which DuckDB takes by name alone": "INSERT INTO t BY NAME SELECT k AS id FROM s",
    "the word DEFAULT": "INSERT INTO t VALUES (42, DEFAULT, 7, NULL)",
    "default values": "INSERT INTO t DEFAULT VALUES",
    "each branch": "INSERT INTO t (id) SELECT k FROM s UNION ALL SELECT 5",
    "groups": "INSERT INTO t (id) SELECT max(k) FROM s GROUP BY r",
    "merge": "MERGE INTO t USING s ON t.id = s.k WHEN NOT MATCHED THEN INSERT (id) VALUES (s.k)",
    "update leaves": "INSERT INTO t (id) SELECT k FROM s; UPDATE t SET size = 9",
    "update to the default": "INSERT INTO t VALUES (42, 'US', 7, 'x'); UPDATE t SET region = DEFAULT",
    "a column that comes": "INSERT INTO t (id) SELECT k FROM s; ALTER TABLE t ADD COLUMN late VARCHAR DEFAULT 'late'",
    "a default that is set": "ALTER TABLE t ALTER COLUMN region SET DEFAULT 'CH'; INSERT INTO t (id) SELECT k FROM s",
    "a default that is gone": "ALTER TABLE t ALTER COLUMN region DROP DEFAULT; INSERT INTO t (id) SELECT k FROM s",
    "the row that could not come": "INSERT INTO t VALUES (1001, 'US', 7, 'x'); INSERT INTO t (id) SELECT k FROM s "
    "ON CONFLICT (id) DO UPDATE SET region = excluded.region",
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_arrives_is_in_the_answer_and_no_constant_more(change: str, tmp_path: Path) -> None:
    with empty_database() as database:
        database.execute(f"{SOURCE}; {ROW}; {TABLE}; {change}")
        names = [name for name, *_ in database.execute("DESCRIBE t").fetchall()]
        columns = dict(zip(names, zip(*database.execute("SELECT * FROM t").fetchall(), strict=True), strict=True))
    (tmp_path / "t.sql").write_text(TABLE)
    (tmp_path / "a.sql").write_text(f"{SOURCE};\n{change}")
    with Warehouse() as warehouse:
        assert {one.status for one in warehouse.load(tmp_path, dialect="duckdb").raise_for_errors().sql} == {"whole"}
        for name, values in columns.items():
            arrived = {str(value) for value in values if value is not None}
            if not arrived:
                continue
            answer = warehouse.lineage(f"T.{name}")
            assert {end.attribute for end in answer.golden} >= {COMES_FROM[one] for one in arrived & COMES_FROM.keys()}
            constants = {one.value.strip('"') for one in answer.constants if one.value != "NULL"}
            assert arrived - COMES_FROM.keys() <= constants
            if "UPDATE" not in change:
                assert constants == arrived - COMES_FROM.keys()


def warehouse_of(chance: random.Random) -> tuple[str, list[str]]:
    """A table with defaults, and what is done with it."""
    defaults = {name: chance.choice(["", f" DEFAULT 'd{name}'"]) for name in "abc"}
    table = f"CREATE TABLE t ({', '.join(f'{name} VARCHAR{default}' for name, default in defaults.items())})"
    return table, [chance.choice(DONE)(chance) for _ in range(chance.randint(1, 4))]


def inserted(chance: random.Random) -> str:
    names = chance.sample("abc", chance.randint(1, 3))
    values = [chance.choice(["s.x", "s.y", f"'{chance.choice('pq')}'"]) for _ in names]
    where = chance.choice(["", " WHERE s.x <> 'z'", " WHERE s.y = 'none'"])
    return f"INSERT INTO t ({', '.join(names)}) SELECT {', '.join(values)} FROM s{where}"


def given(chance: random.Random) -> str:
    return f"INSERT INTO t VALUES ({', '.join(chance.choice(['DEFAULT', chr(39) + one + chr(39)]) for one in 'mno')})"


def merged(chance: random.Random) -> str:
    name = chance.choice("abc")
    then = chance.choice(["", f" WHEN MATCHED THEN UPDATE SET {chance.choice('abc')} = s.y"])
    return f"MERGE INTO t USING s ON t.{name} = s.x{then} WHEN NOT MATCHED THEN INSERT ({name}) VALUES (s.x)"


def updated(chance: random.Random) -> str:
    return f"UPDATE t SET {chance.choice('abc')} = {chance.choice(['DEFAULT', chr(39) + 'u' + chr(39), 't.a'])}"


def altered(chance: random.Random) -> str:
    name = chance.choice("abc")
    said = chance.choice([f"SET DEFAULT '{name}{chance.randint(1, 9)}'", "DROP DEFAULT"])
    return f"ALTER TABLE t ALTER COLUMN {name} {said}"


DONE = (inserted, inserted, given, merged, updated, altered)
WAREHOUSES = int(os.environ.get("MDW_EXAMPLES", "1")) * 12


@pytest.mark.parametrize("seed", range(WAREHOUSES))
def test_nothing_that_arrives_is_lost_in_random_warehouses(seed: int, tmp_path: Path) -> None:
    table, done = warehouse_of(random.Random(seed))
    with empty_database() as database:
        database.execute(f"CREATE TABLE s (x VARCHAR, y VARCHAR); INSERT INTO s VALUES ('x of s', 'y of s'); {table}")
        for statement in done:
            database.execute(statement)
        arrived = {name: {row[0] for row in database.execute(f"SELECT {name} FROM t").fetchall()} for name in "abc"}
    (tmp_path / "z.sql").write_text(table)
    (tmp_path / "a.sql").write_text(";\n".join(done))
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        for name, values in arrived.items():
            answer = warehouse.lineage(f"T.{name}") if values - {None} else None
            if answer is not None:
                found = {one.value.strip('"') for one in answer.constants}
                found |= {f"{end.attribute[-1].lower()} of s" for end in answer.golden}
                assert values - {None} <= found, (table, done, name)


@pytest.mark.parametrize("order", list(permutations(("a.sql", "b.sql", "c.sql"))))
def test_the_files_may_come_in_any_order(order: tuple[str, ...], tmp_path: Path) -> None:
    texts = (TABLE, "INSERT INTO t (id) SELECT k FROM s", "CREATE VIEW v AS SELECT * FROM t WHERE region = 'US'")
    for name, text in zip(order, texts, strict=True):
        (tmp_path / name).write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        # The default is EU: of what is inserted nothing comes to the view.
        assert not warehouse.lineage("V.ID").golden
        assert [one.value for one in warehouse.lineage("T.REGION").constants] == ['"EU"']


def test_what_nobody_knows_of_a_target_may_be_anything(tmp_path: Path) -> None:
    inserted = "INSERT INTO t (id) SELECT k FROM s WHERE s.region = 'EU';"
    (tmp_path / "a.sql").write_text(f"{inserted} CREATE VIEW v AS SELECT id FROM t WHERE region = 'US'")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path).raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("V.ID").golden] == ["S.K"]


DEFINED = {
    "duckdb": "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a * 2) VIRTUAL, r TEXT DEFAULT 'EU')",
    "oracle": "CREATE TABLE t (a NUMBER, b NUMBER GENERATED ALWAYS AS (a * 2) VIRTUAL, r CHAR(2) DEFAULT 'EU')",
    "mysql": "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a * 2) STORED, r CHAR(2) DEFAULT 'EU' COMMENT 'where')",
    "tsql": "CREATE TABLE t (a INT, b AS (a * 2) PERSISTED, r CHAR(2)); ALTER TABLE t ADD DEFAULT ('EU') FOR r",
    "postgres": "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a * 2) STORED, r TEXT DEFAULT 'EU'::text)",
    "snowflake": "CREATE TABLE t (a INT, b INT AS (a * 2), r TEXT DEFAULT 'EU')",
}


@pytest.mark.parametrize("dialect", DEFINED)
def test_each_dialect_tells_defaults_and_computed_columns(dialect: str) -> None:
    script = read_script(f"{DEFINED[dialect]}; INSERT INTO t (a) SELECT k FROM s", "a.sql", dialect)
    assert {one.status for one in script.statements} == {"whole"}
    (entry,) = script.entries
    assert [(one.name, bool(one.computed), "EU" in one.default) for one in entry.attributes] == [
        ("A", False, False),
        ("B", True, False),
        ("R", False, True),
    ]
    filled = [output.name for block in script.statements[-1].blocks for output in block.outputs]
    assert filled == ["a", "r"]


def test_identities_are_generated_and_passed_over_where_the_dialect_does_so() -> None:
    table = "CREATE TABLE t (id INT IDENTITY(1, 1), a INT); "
    scan = scan_sql(f"{table} INSERT INTO t SELECT k FROM s", dialect="tsql")
    assert [(step.source, step.target) for step in scan.steps] == [("s.k", "t.a")]


def test_oracle_tells_defaults_anew() -> None:
    table = "CREATE TABLE t (a NUMBER, r VARCHAR2(2) DEFAULT 'EU'); ALTER TABLE t MODIFY (r DEFAULT 'CH'); "
    script = read_script(f"{table} INSERT INTO t (a) SELECT k FROM s", "a.sql", "oracle")
    assert {one.status for one in script.statements} == {"whole"}
    assert [output.value.content for output in script.statements[-1].blocks[0].outputs] == ["s.k", '"CH"']


def test_columns_by_which_a_table_is_parted_are_its_last() -> None:
    table = "CREATE TABLE t (a INT) PARTITIONED BY (dt STRING); "
    scan = scan_sql(
        f"{table} INSERT OVERWRITE TABLE t PARTITION (dt) SELECT x, y FROM s; SELECT dt FROM t", dialect="hive"
    )
    assert {one.status for one in scan.statements} == {"whole"}
    assert [(step.source, step.target) for step in scan.steps][:2] == [("s.x", "t.a"), ("s.y", "t.dt")]
