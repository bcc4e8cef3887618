"""Statements that keep a database in order: they count as understood, and nothing that moves data is taken for one."""

from __future__ import annotations

import pytest

from mdw import scan_sql

KEEPING = """
postgres: VACUUM ANALYZE t; REINDEX TABLE t; LOCK TABLE t IN EXCLUSIVE MODE; CLUSTER t USING i; LISTEN x; DISCARD ALL;
    REFRESH MATERIALIZED VIEW mv; CHECKPOINT; EXPLAIN (ANALYZE) SELECT a FROM t; ALTER VIEW v OWNER TO x;
    SECURITY LABEL ON TABLE a IS 'x'; IMPORT FOREIGN SCHEMA x FROM SERVER s INTO y; ALTER TABLE t VALIDATE CONSTRAINT c;
    CREATE STATISTICS s ON a FROM t; CREATE POLICY p ON t USING (a = 1); ALTER SEQUENCE s RESTART
teradata: COLLECT STATISTICS COLUMN (a) ON db.t; HELP TABLE t; DIAGNOSTIC NOAGGRENH ON FOR SESSION;
    CREATE JOIN INDEX j AS SELECT a FROM t PRIMARY INDEX (a); CREATE ERROR TABLE FOR t
oracle:
    ALTER SESSION SET NLS_DATE_FORMAT='x'; ALTER INDEX i REBUILD; PURGE RECYCLEBIN; AUDIT SELECT ON t;
    CREATE MATERIALIZED VIEW LOG ON t WITH ROWID INCLUDING NEW VALUES;
    ALTER TABLE t MOVE TABLESPACE x; ALTER TABLE t NOLOGGING;
    LOCK TABLE t IN EXCLUSIVE MODE; CREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY p USING 'x'
tsql: UPDATE STATISTICS dbo.t; DBCC CHECKDB; ALTER INDEX ALL ON t REBUILD; DENY SELECT ON t TO x;
    GRANT SELECT ON t TO x;
    CREATE STATISTICS s ON t (a); CREATE UNIQUE CLUSTERED INDEX i ON t (a) WITH (ONLINE = ON);
    EXECUTE AS USER = 'x'; REVERT;
    ADD SENSITIVITY CLASSIFICATION TO t.a WITH (LABEL='x'); ALTER TABLE t WITH CHECK CHECK CONSTRAINT c;
    ALTER TABLE t REBUILD PARTITION = ALL; CREATE XML SCHEMA COLLECTION x AS '<a/>';
    OPEN SYMMETRIC KEY k DECRYPTION BY CERTIFICATE c
db2: RUNSTATS ON TABLE t WITH DISTRIBUTION; REORG TABLE t; CONNECT TO db; ALTER TABLE t ACTIVATE NOT LOGGED INITIALLY
databricks: ALTER TABLE t ALTER COLUMN a SET MASK f; CREATE EXTERNAL LOCATION l URL 'x'; SET TIME ZONE 'UTC';
    ALTER TABLE t ENABLE PREDICTIVE OPTIMIZATION
doris: ADMIN SET FRONTEND CONFIG ('a' = 'b'); SYNC
hive: ADD JAR s3://x/y.jar; SET hivevar:d=2020; dfs -ls /x
trino: ALTER TABLE t EXECUTE optimize WHERE d > DATE '2020-01-01'; DESCRIBE INPUT p; DEALLOCATE PREPARE p;
    RESET SESSION x
spark: CALL c.system.rewrite_data_files(table => 'x'); CLEAR CACHE; RESET;
    OPTIMIZE t ZORDER BY (a); VACUUM t RETAIN 168 HOURS; MSCK REPAIR TABLE t; REFRESH TABLE t
mysql: OPTIMIZE TABLE t; HANDLER t OPEN; CHECKSUM TABLE t; XA START 'x'; FLUSH TABLES; LOCK TABLES t READ;
    UNLOCK TABLES; CHECK TABLE t
snowflake: ALTER WAREHOUSE w RESUME; ALTER TASK t RESUME; EXECUTE TASK t; LIST @st; CREATE TAG t;
    UNSET v; DROP STREAM s; DROP TASK t; CREATE MASKING POLICY p AS (v string) RETURNS string -> v;
    ALTER TABLE t MODIFY COLUMN a SET MASKING POLICY p; CREATE NOTEBOOK n;
    ALTER TABLE t ADD ROW ACCESS POLICY p ON (a); ALTER DYNAMIC TABLE t REFRESH; CREATE GIT REPOSITORY g ORIGIN = 'x';
    GRANT SELECT ON ALL TABLES IN SCHEMA a TO ROLE r; REVOKE ALL ON FUTURE VIEWS IN SCHEMA a FROM ROLE r
bigquery: DROP ROW ACCESS POLICY p ON d.t; DROP SEARCH INDEX i ON d.t;
    ASSERT (SELECT COUNT(*) FROM d.t) > 0 AS 'x'; CREATE SEARCH INDEX i ON d.t (a)
clickhouse: ATTACH TABLE x; ALTER TABLE t MATERIALIZE INDEX i; ALTER TABLE t MODIFY TTL d + 1;
    SYSTEM RELOAD DICTIONARIES; OPTIMIZE TABLE t FINAL
duckdb: EXPORT DATABASE 'd'; COPY FROM DATABASE a TO b; FORCE CHECKPOINT;
    INSTALL httpfs; LOAD httpfs; CHECKPOINT
"""
MOVING = (
    ("postgres", "EXPLAIN ANALYZE INSERT INTO t SELECT a FROM s"),
    ("postgres", "ALTER SCHEMA a RENAME TO b"),
    ("postgres", "ALTER TABLE base ATTACH PARTITION p FOR VALUES FROM (1) TO (2)"),
    ("oracle", "ALTER SESSION SET CURRENT_SCHEMA = dw"),
    ("tsql", "ALTER SCHEMA dw TRANSFER dbo.t"),
    ("mysql", "UPDATE statistics SET a = b"),
)


def told(lines: str) -> list[tuple[str, str]]:
    pairs = (line.split(": ", 1) for line in lines.strip().replace("\n    ", " ").split("\n"))
    return [(dialect, text) for dialect, texts in pairs for text in texts.split("; ")]


@pytest.mark.parametrize(("dialect", "text"), told(KEEPING))
def test_what_keeps_a_database_in_order_is_understood(dialect: str, text: str) -> None:
    scan = scan_sql(f"{text};\nCREATE VIEW v AS SELECT a FROM t", dialect=dialect)
    assert [(one.status, one.target) for one in scan.statements] == [("whole", ""), ("whole", "v")]
    assert [(step.source, step.target) for step in scan.steps] == [("t.a", "v.a")]


@pytest.mark.parametrize(("dialect", "text"), MOVING)
def test_what_moves_data_or_names_is_read_or_said(dialect: str, text: str) -> None:
    (one,) = scan_sql(text, dialect=dialect).statements
    assert one.status == "opaque" or one.target or one.kind == "set"
