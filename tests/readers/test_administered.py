"""Statements of what stands around data count as understood; of what holds data none is taken for one of them."""

from __future__ import annotations

import pytest

from mdw import scan_sql
from mdw.readers.sql.administered import KEPT, SAID, administered

AROUND = """
bigquery: ALTER RESERVATION `p.r.r` SET OPTIONS (slot_capacity = 1); ALTER PROJECT p SET OPTIONS (`region-us.x` = 1);
    ALTER VECTOR INDEX v ON d.t REBUILD; DROP EXTERNAL SCHEMA d; ALTER VIEW d.v ALTER COLUMN a SET OPTIONS (x = 1)
snowflake: ALTER STREAM st SET COMMENT = 'x'; ALTER TABLE t RECLUSTER; ALTER MATERIALIZED VIEW mv SUSPEND;
    ALTER FILE FORMAT f SET TYPE = CSV; ALTER STORAGE INTEGRATION i SET ENABLED = TRUE; DROP RESOURCE MONITOR r;
    CREATE FAILOVER GROUP g; ALTER VIEW v ADD ROW ACCESS POLICY p ON (a); CREATE LISTING l IN DATA EXCHANGE x
postgres: DROP OWNED BY a; SET CONSTRAINTS ALL DEFERRED; RESET ALL; PREPARE TRANSACTION 'x'; LOCK t IN SHARE MODE;
    ALTER TABLE p DETACH PARTITION p2 CONCURRENTLY; ALTER TYPE ty ADD VALUE 'x'; DROP CAST (a AS b);
    DROP SUBSCRIPTION s;
    ALTER TABLE t ALTER COLUMN a SET STORAGE EXTERNAL; ALTER TABLE t RENAME CONSTRAINT a TO b; CREATE LANGUAGE l
redshift: ATTACH RLS POLICY p ON t TO PUBLIC; CREATE RLS POLICY p WITH (a int) USING (a = 1); CANCEL 3; COPY JOB LIST;
    ALTER TABLE t ROW LEVEL SECURITY ON; ALTER MATERIALIZED VIEW mv AUTO REFRESH YES;
    CREATE LIBRARY l LANGUAGE x FROM 'y'
clickhouse: EXISTS TABLE t; EXISTS t; WATCH lv; MOVE USER x TO y; ALTER TABLE t FETCH PARTITION 'x' FROM '/y';
    ALTER TABLE t MOVE PARTITION 'x' TO DISK 'd'; DROP QUOTA q; SET ROLE r; ALTER TABLE t RESET SETTING x
trino: SET ROLE a IN c; SET PATH x; DROP CATALOG c; ALTER TABLE t SET AUTHORIZATION x; CREATE BRANCH b IN TABLE t
athena: MSCK REPAIR TABLE t; SHOW PARTITIONS t
hive: ALTER TABLE u PARTITION (d='1') RENAME TO PARTITION (d='2'); ALTER TABLE u TOUCH; ALTER TABLE u COMPACT 'major';
    ALTER MATERIALIZED VIEW mv REBUILD; REPL DUMP d; RELOAD FUNCTION; ALTER TABLE u NOT SKEWED; DROP MACRO m
impala: DROP INCREMENTAL STATS t PARTITION (a=1); ALTER TABLE t SET CACHED IN 'p'; ALTER TABLE t SORT BY (a)
spark: ALTER TABLE t CREATE OR REPLACE TAG x AS OF VERSION 3; ALTER TABLE t PARTITION (a=1) RENAME TO PARTITION (a=2)
databricks: ALTER CATALOG c SET OWNER TO `x`; ALTER STREAMING TABLE t ADD SCHEDULE EVERY 1 HOUR; DROP VOLUME v;
    ALTER TABLE t UNSET TAGS ('a');
    PUT 'x' INTO 'y' OVERWRITE; SET TAG ON TABLE t a = b
duckdb: CREATE PERSISTENT SECRET y (TYPE s3); ALTER TABLE t SET SORTED BY (a)
materialize: CREATE CLUSTER c (SIZE '25cc'); VALIDATE CONNECTION kc; DROP SINK s; ALTER CONNECTION kc ROTATE KEYS
doris: PAUSE ROUTINE LOAD FOR l; CANCEL LOAD WHERE LABEL = 'x'; RECOVER TABLE t; CREATE STORAGE VAULT x;
    ALTER TABLE t ADD PARTITION p VALUES LESS THAN ("x"); WARM UP CLUSTER c; BUILD INDEX i ON t
starrocks: STOP ROUTINE LOAD FOR l; ALTER TABLE t RENAME ROLLUP a b
"""
MOVING = (
    ("snowflake", "ALTER TABLE t SWAP WITH u"),
    ("snowflake", "CREATE STREAM st ON TABLE t"),
    ("postgres", "ALTER TABLE p ATTACH PARTITION p2 FOR VALUES IN (1)"),
    ("postgres", "ALTER TABLE t SET SCHEMA n"),
    ("hive", "ALTER VIEW v AS SELECT a FROM s"),
    ("duckdb", "ALTER VIEW v RENAME TO w"),
    ("spark", "ALTER TABLE t RENAME TO u"),
    ("clickhouse", "ALTER TABLE t MOVE PARTITION 'x' TO TABLE u"),
)


def told(lines: str) -> list[tuple[str, str]]:
    pairs = (line.split(": ", 1) for line in lines.strip().replace("\n    ", " ").split("\n"))
    return [(dialect, text) for dialect, texts in pairs for text in texts.split("; ")]


@pytest.mark.parametrize(("dialect", "text"), told(AROUND))
def test_what_stands_around_data_moves_none(dialect: str, text: str) -> None:
    scan = scan_sql(f"{text}; INSERT INTO t (a) SELECT b FROM s", dialect=dialect)
    assert [one.status for one in scan.statements] == ["whole", "whole"], [one.message for one in scan.statements]
    assert [(one.source, one.target) for one in scan.steps] == [("s.b", "t.a")]


@pytest.mark.parametrize(("dialect", "text"), MOVING)
def test_what_moves_rows_or_names_is_none_of_it(dialect: str, text: str) -> None:
    assert scan_sql(text, dialect=dialect).steps


@pytest.mark.parametrize("verb", SAID)
def test_tables_and_views_are_never_taken_for_something_around_them(verb: str) -> None:
    for kind in ("TABLE", "VIEW", "MATERIALIZED VIEW", "EXTERNAL TABLE", "SNAPSHOT TABLE", "DYNAMIC TABLE", "FUNCTION"):
        words = f"{verb} {kind}".split()
        assert not administered(f"{verb} {kind} groups.stats", words[0], words[1], "ansi")


def test_each_dialect_s_alter_table_leaves_columns_alone() -> None:
    for dialect, pattern in KEPT.items():
        for rest in ("ADD COLUMN a INT", "DROP COLUMN a", "RENAME COLUMN a TO b", "RENAME TO u", "ADD a INT"):
            assert not pattern.match(f"ALTER TABLE t {rest}"), (dialect, rest)
