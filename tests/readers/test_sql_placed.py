"""Q27: WHERE CURRENT OF a cursor changes a row that its query gave: what that asks decides, used or not."""

from __future__ import annotations

import pytest

from mdw import scan_sql

PLACED = {
    "oracle": """CREATE PROCEDURE p IS
          CURSOR c IS SELECT k, y FROM s WHERE z > 3 FOR UPDATE OF a NOWAIT; r c%ROWTYPE;
        BEGIN
          OPEN c; LOOP FETCH c INTO r; EXIT WHEN c%NOTFOUND; UPDATE s SET a = 1 WHERE CURRENT OF c; END LOOP;
          UPDATE s SET b = 1;
        END;
        /""",
    "tsql": """CREATE PROC p AS
          DECLARE c CURSOR FOR SELECT k FROM s WHERE z > 3
          DECLARE @k INT; OPEN c; FETCH NEXT FROM c INTO @k
          WHILE @@FETCH_STATUS = 0 BEGIN UPDATE s SET a = 5 WHERE CURRENT OF c; FETCH NEXT FROM c INTO @k END
          UPDATE s SET b = 1""",
    "postgres": """CREATE FUNCTION p() RETURNS void LANGUAGE plpgsql AS $$
        DECLARE c CURSOR (n int) FOR SELECT k FROM s WHERE z > n; kk int;
        BEGIN
          OPEN c(3); LOOP FETCH c INTO kk; EXIT WHEN NOT FOUND; UPDATE s SET a = 1 WHERE CURRENT OF c; END LOOP;
          UPDATE s SET b = 1;
        END $$""",
    "db2": """CREATE PROCEDURE p() LANGUAGE SQL BEGIN
          FOR v AS c CURSOR FOR SELECT k FROM s WHERE z > 3 FOR UPDATE DO
          UPDATE s SET a = 1 WHERE CURRENT OF c; END FOR;
          UPDATE s SET b = 1;
        END""",
}


@pytest.mark.parametrize("dialect", PLACED)
def test_what_the_cursor_asks_decides(dialect: str) -> None:
    scan = scan_sql(PLACED[dialect], dialect=dialect)
    assert {(one.source, one.target, one.subtype) for one in scan.steps} == {("s.z", "s.a", "FILTER")}


def test_any_query_that_the_cursor_may_be_for() -> None:
    text = """CREATE PROCEDURE p(n IN NUMBER) IS c SYS_REFCURSOR; k NUMBER;
        BEGIN
          IF n > 1 THEN OPEN c FOR SELECT k FROM s WHERE y = 1 FOR UPDATE;
          ELSE OPEN c FOR SELECT k FROM s WHERE z = 2 FOR UPDATE; END IF;
          FETCH c INTO k;
          UPDATE s SET a = 1 WHERE CURRENT OF c;
        END;
        /"""
    scan = scan_sql(text, dialect="oracle")
    assert {(one.source, one.target) for one in scan.steps} == {("s.y", "s.a"), ("s.z", "s.a")}
