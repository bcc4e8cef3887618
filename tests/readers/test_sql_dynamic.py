"""Texts that programs put together and run (rule Q31)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse, scan_sql
from mdw.readers.sql.programs.dynamic import PARTLY, UNKNOWN_TEXT, VALUES
from mdw.readers.sql.programs.mentioned import EMPTIES

WAYS: dict[str, tuple[str, str, dict[str, str]]] = {
    "a variable of several versions": (
        "postgres",
        """DO $$ DECLARE tab text; BEGIN
             IF now() > '2020-01-01' THEN tab := 'a'; ELSE tab := 'b'; END IF;
             EXECUTE format('INSERT INTO t (k) SELECT x FROM %I', tab);
           END $$""",
        {"t.k": "A.X B.X"},
    ),
    "a text that IF builds": (
        "tsql",
        """CREATE PROCEDURE p @full BIT AS
           DECLARE @sql NVARCHAR(MAX) = N'INSERT INTO t (k, l) SELECT x, '
           IF @full = 1 SET @sql = @sql + N'y' ELSE SET @sql += N'z'
           SET @sql = @sql + CHAR(10) + N' FROM ' + QUOTENAME('dbo') + N'.' + QUOTENAME(REPLACE('the src', ' ', '_'))
           EXEC sp_executesql @sql""",
        {"t.k": "DBO.THE_SRC.X", "t.l": "DBO.THE_SRC.Y DBO.THE_SRC.Z"},
    ),
    "a CASE": (
        "oracle",
        """DECLARE n NUMBER := 1; BEGIN
             EXECUTE IMMEDIATE 'INSERT INTO t (k) SELECT x FROM ' || CASE WHEN n > 1 THEN 'a' ELSE UPPER('b') END;
           END;""",
        {"t.k": "A.X B.X"},
    ),
    "a loop over constants": (
        "postgres",
        """DO $$ DECLARE r record; BEGIN
             FOR r IN SELECT * FROM (VALUES ('a', 'x'), ('b', 'y')) AS w(tab, col) LOOP
               EXECUTE 'INSERT INTO t (k) SELECT ' || quote_ident(r.col) || ' FROM ' || quote_ident(r.tab);
             END LOOP;
           END $$""",
        {"t.k": "A.X A.Y B.X B.Y"},
    ),
    "a value in quotes, or NULL": (
        "postgres",
        """DO $$ BEGIN
             EXECUTE 'INSERT INTO t (k) SELECT x FROM s WHERE y = ' || quote_nullable('it''s');
             EXECUTE 'INSERT INTO u (k) SELECT x FROM s WHERE y IS NOT DISTINCT FROM ' || quote_nullable(NULL);
           END $$""",
        {"t.k": "S.X", "u.k": "S.X"},
    ),
    "a loop over an array": (
        "postgres",
        """DO $$ DECLARE tab text; v int; several int[]; BEGIN
             FOREACH tab IN ARRAY ARRAY['a', 'b'] LOOP
               EXECUTE format('INSERT INTO t (k) SELECT x FROM %s', tab);
             END LOOP;
             several := (SELECT array_agg(z) FROM s);
             FOREACH v IN ARRAY several LOOP INSERT INTO u (k) VALUES (v); END LOOP;
           END $$""",
        {"t.k": "A.X B.X", "u.k": "S.Z"},
    ),
    "an argument that the call gives": (
        "snowflake",
        """CREATE PROCEDURE p(tab STRING) RETURNS STRING LANGUAGE SQL AS $$
           BEGIN
             EXECUTE IMMEDIATE 'INSERT INTO t (k) SELECT x FROM ' || :tab;
             RETURN 'ok';
           END $$;
           CALL p('a'); CALL p('b');""",
        {"t.k": "A.X B.X"},
    ),
    "a prepared text": (
        "mysql",
        """SET @tab = 'a';
           SET @sql = CONCAT('INSERT INTO t (k) SELECT x FROM ', @tab, ' WHERE d > ?');
           PREPARE s FROM @sql;
           SET @d = (SELECT MAX(d) FROM log);
           EXECUTE s USING @d;""",
        {"t.k": "A.X"},
    ),
    "USING by number": (
        "postgres",
        """DO $$ DECLARE m int; BEGIN
             SELECT max(y) INTO m FROM r;
             EXECUTE 'INSERT INTO t (k, l) SELECT x, $1 FROM s' USING m;
           END $$""",
        {"t.k": "S.X", "t.l": "R.Y"},
    ),
    "USING by place": (
        "oracle",
        """DECLARE m NUMBER; n NUMBER; BEGIN
             SELECT MAX(y) INTO m FROM r;
             SELECT MAX(z) INTO n FROM q;
             EXECUTE IMMEDIATE 'INSERT INTO t (k, l) SELECT :1, :1 FROM s' USING m, n;
             EXECUTE IMMEDIATE 'BEGIN INSERT INTO u (k, l) VALUES (:a, :a); END;' USING m;
           END;""",
        {"t.k": "R.Y", "t.l": "Q.Z", "u.k": "R.Y", "u.l": "R.Y"},
    ),
    "USING by name": (
        "bigquery",
        """DECLARE m INT64 DEFAULT (SELECT MAX(y) FROM d.r);
           EXECUTE IMMEDIATE 'INSERT INTO d.t (k, l) SELECT ?, 1 FROM d.s' USING m;
           EXECUTE IMMEDIATE 'INSERT INTO d.u (k) SELECT @v FROM d.s' USING m AS v;""",
        {"d.t.k": "D.R.Y", "d.u.k": "D.R.Y"},
    ),
    "named parameters, and what they give back": (
        "tsql",
        """DECLARE @m INT = (SELECT MAX(y) FROM r), @n INT
           EXEC sp_executesql N'SELECT @cnt = MAX(x) FROM s WHERE d > @day', N'@day INT, @cnt INT OUTPUT',
                @day = @m, @cnt = @n OUTPUT
           INSERT INTO t (k) VALUES (@n)
           EXEC sp_executesql N'INSERT INTO u (k) VALUES (@v)', N'@v INT', @m""",
        {"t.k": "S.X", "u.k": "R.Y"},
    ),
    "INTO gives variables": (
        "oracle",
        """DECLARE m NUMBER; n NUMBER; BEGIN
             EXECUTE IMMEDIATE 'SELECT MAX(x), MIN(y) FROM ' || 'r' INTO m, n;
             INSERT INTO t (k, l) VALUES (m, n);
           END;""",
        {"t.k": "R.X", "t.l": "R.Y"},
    ),
    "INTO of one of several texts": (
        "postgres",
        """DO $$ DECLARE m int; tab text := 'a'; BEGIN
             IF now() > '2020-01-01' THEN tab := 'b'; END IF;
             EXECUTE 'SELECT max(x) FROM ' || tab INTO m;
             INSERT INTO t (k) VALUES (m);
           END $$""",
        {"t.k": "A.X B.X"},
    ),
    "the rows of a text are inserted by position": (
        "tsql",
        "INSERT INTO t (k, l) EXEC('SELECT x, y FROM s')",
        {"t.k": "S.X", "t.l": "S.Y"},
    ),
    "a value that is not known": (
        "tsql",
        """CREATE PROCEDURE p @day DATE AS
           EXEC('INSERT INTO t (k) SELECT x FROM s WHERE d > ''' + CONVERT(VARCHAR(10), @day, 120) + '''')""",
        {"t.k": "S.X"},
    ),
    "a part that is not known: all of what it names": (
        "oracle",
        """CREATE PROCEDURE p(c VARCHAR2) AS BEGIN
             EXECUTE IMMEDIATE 'INSERT INTO t (k) SELECT ' || c || ' FROM s JOIN u ON u.a = s.a';
           END;""",
        {"t.k": "S.`*` U.`*`"},
    ),
    "a part that is not known of a change: the table is meant, not what the statement calls it": (
        "tsql",
        """CREATE PROCEDURE p @c NVARCHAR(99) AS
             EXEC('UPDATE h SET ' + @c + ' FROM t AS h JOIN s ON s.k = h.k')
             EXEC('INSERT u (k) SELECT ' + @c + ' FROM s')
             EXEC('MERGE w AS x USING s AS y ON ' + @c + ' WHEN MATCHED THEN UPDATE SET k = y.k;')
             EXEC('DELETE h FROM q h JOIN s ON ' + @c + '; DELETE FROM q WHERE k IN (SELECT k FROM s WHERE ' + @c + ')')
             INSERT INTO after (k) SELECT k FROM q
             INSERT INTO after (h, i) SELECT h.k, i.k FROM h, [set] AS i""",
        {
            "t.k": "S.`*`",
            "u.k": "S.`*`",
            "w.k": "S.`*`",
            "after.k": "Q.K",
            "after.h": "H.K",
            "after.i": "SET.K",
        },
    ),
    "texts that an array has": (
        "postgres",
        """DO $$ DECLARE a text; some text[] := ARRAY['a', 'b']; more text[] := '{c, d}'; BEGIN
             FOREACH a IN ARRAY some LOOP EXECUTE 'INSERT INTO t (k) SELECT x FROM ' || a; END LOOP;
             FOREACH a IN ARRAY more LOOP EXECUTE format('INSERT INTO t (l) SELECT x FROM %I', a); END LOOP;
             FOREACH a IN ARRAY string_to_array('e,f', ',') LOOP
               EXECUTE 'INSERT INTO t (m) SELECT x FROM ' || a;
             END LOOP;
             FOR a IN SELECT unnest(some) LOOP EXECUTE 'INSERT INTO t (n) SELECT y FROM ' || a; END LOOP;
           END $$;""",
        {"t.k": "A.X B.X", "t.l": "C.X D.X", "t.m": "E.X F.X", "t.n": "A.Y B.Y"},
    ),
    "a loop over the rows of a text": (
        "postgres",
        """DO $$ DECLARE r record; m int; tab text := 'a'; BEGIN
             SELECT max(y) INTO m FROM q;
             IF now() > '2020-01-01' THEN tab := 'b'; END IF;
             FOR r IN EXECUTE 'SELECT x, $1 AS y FROM ' || tab USING m LOOP
               INSERT INTO t (k, l) VALUES (r.x, r.y);
             END LOOP;
           END $$""",
        {"t.k": "A.X B.X", "t.l": "Q.Y"},
    ),
    "a cursor for a text, for either of two": (
        "oracle",
        """CREATE PROCEDURE p(full NUMBER) AS c SYS_REFCURSOR; m NUMBER; n NUMBER; BEGIN
             IF full = 1 THEN OPEN c FOR 'SELECT x, y FROM a WHERE z > :1' USING full;
             ELSE OPEN c FOR SELECT v, w FROM b; END IF;
             FETCH c INTO m, n;
             INSERT INTO t (k, l) VALUES (m, n);
           END;""",
        {"t.k": "A.X B.V", "t.l": "A.Y B.W"},
    ),
    "a cursor for a text of which a part is not known": (
        "oracle",
        """CREATE PROCEDURE p(c VARCHAR2) AS r SYS_REFCURSOR; m NUMBER; BEGIN
             OPEN r FOR 'SELECT ' || c || ' FROM s';
             FETCH r INTO m;
             INSERT INTO t (k) VALUES (m);
           END;""",
        {"t.k": "S.`*`"},
    ),
    "the rows that a function returns": (
        "postgres",
        """CREATE FUNCTION f(m int) RETURNS SETOF int LANGUAGE plpgsql AS $$
           BEGIN RETURN QUERY EXECUTE 'SELECT x FROM ' || quote_ident('s') || ' WHERE y > $1' USING m; END $$;""",
        {"f.f": "S.X"},
    ),
    "a part of a query that is not known: its rows go into a table": (
        "tsql",
        """CREATE PROCEDURE q @c SYSNAME AS EXEC('SELECT ' + @c + ' FROM r')
           GO
           CREATE PROCEDURE p @c SYSNAME AS
           INSERT INTO t (k) EXEC('SELECT ' + @c + ' FROM s')
           INSERT INTO u (k) EXEC q @c""",
        {"t.k": "S.`*`", "u.k": "R.`*`"},
    ),
    "a part of a query that is not known: its row goes into variables": (
        "oracle",
        """CREATE PROCEDURE p(c VARCHAR2) AS v NUMBER; BEGIN
             EXECUTE IMMEDIATE 'SELECT MAX(' || c || ') FROM s' INTO v;
             INSERT INTO t (k) VALUES (v);
           END;""",
        {"t.k": "S.`*`"},
    ),
    "where one of its texts is known and one is not, both count": (
        "postgres",
        """CREATE PROCEDURE p(c text) LANGUAGE plpgsql AS $$ DECLARE tab text := 'a'; BEGIN
             IF now() > '2020-01-01' THEN tab := c; END IF;
             EXECUTE 'INSERT INTO t (k) SELECT x FROM u, ' || tab;
           END $$""",
        {"t.k": "A.X U.X U.`*`"},
    ),
}


def golden(text: str, dialect: str, attribute: str, folder: Path) -> list[str]:
    file = folder / "program.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect=dialect).raise_for_errors()
        return sorted(end.attribute for end in warehouse.lineage(attribute.upper()).golden)


@pytest.mark.parametrize("way", WAYS)
def test_texts_that_are_run(way: str, tmp_path: Path) -> None:
    """Q31."""
    dialect, text, expected = WAYS[way]
    for attribute, sources in expected.items():
        assert golden(text, dialect, attribute, tmp_path) == sources.split(), attribute


def test_what_a_text_fills_from_a_table_it_does_not_name_may_have_any_rows(tmp_path: Path) -> None:
    """Q31: of T more is known than what other statements write."""
    text = """DO $$ DECLARE c text; BEGIN SELECT x INTO c FROM s; INSERT INTO t (k, a) VALUES (1, 'one');
              EXECUTE 'INSERT INTO t (k, a) SELECT k, v FROM stage_' || c; END $$;
              CREATE VIEW u AS SELECT a FROM t WHERE k = 2"""
    (tmp_path / "p.sql").write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        (end,) = warehouse.lineage("u.a").golden
    assert end.attribute == "`a table that is not known`.`*`"


def test_what_is_not_known_of_a_text_is_said(tmp_path: Path) -> None:
    """Q31: a value that is not known, a part that is not, a text that is not."""
    text = """CREATE PROCEDURE p @day DATE, @tab SYSNAME, @all NVARCHAR(MAX) AS
              EXEC('INSERT INTO t (k) SELECT x FROM s WHERE d > ''' + @day + '''')
              EXEC('INSERT INTO t SELECT * FROM s, ' + @tab)
              EXEC(@all)
              EXEC('INSERT INTO t (k) SELECT y FROM u')"""
    file = tmp_path / "p.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect="tsql")
        told = [(one.status, one.message) for one in warehouse.report().statements if one.kind == "execute"]
    assert told == [("partial", VALUES), ("opaque", PARTLY), ("opaque", UNKNOWN_TEXT), ("whole", "")]


def test_a_text_that_moves_nothing_whatever_its_parts_are_is_no_gap(tmp_path: Path) -> None:
    """Q31: it keeps something in order, or it empties a table of which the name is not known."""
    text = """CREATE PROCEDURE p(tab VARCHAR2, more VARCHAR2) AS BEGIN
              EXECUTE IMMEDIATE 'ALTER TABLE ' || tab || ' TRUNCATE PARTITION ' || more;
              EXECUTE IMMEDIATE 'GRANT SELECT ON ' || tab || ' TO x';
              EXECUTE IMMEDIATE 'TRUNCATE TABLE ' || tab;
              EXECUTE IMMEDIATE 'DROP TABLE t; INSERT INTO ' || tab || ' SELECT * FROM s';
              EXECUTE IMMEDIATE 'ALTER TABLE ' || tab || ' EXCHANGE PARTITION p WITH TABLE ' || more;
              END;"""
    (tmp_path / "p.sql").write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="oracle")
        told = [(one.status, one.message) for one in warehouse.report().statements if one.kind == "execute"]
    assert [status for status, _ in told] == ["whole", "whole", "partial", "opaque", "opaque"]
    assert told[2][1] == EMPTIES


def test_a_text_that_a_loop_goes_on_with_is_not_known(tmp_path: Path) -> None:
    """Q31: within the loop nobody knows all that it was given, and what the last round gave it."""
    text = """DO $$ DECLARE v text := 'a'; n int := 0; BEGIN
                WHILE n < 3 LOOP
                  EXECUTE 'INSERT INTO t (k) SELECT x FROM s, ' || v;
                  v := v || '_b'; n := n + 1;
                END LOOP;
              END $$"""
    assert golden(text, "postgres", "t.k", tmp_path) == ["S.`*`"]


def test_a_text_that_rows_of_a_cursor_are_put_into_is_said(tmp_path: Path) -> None:
    """Q31: nobody knows the rows; what was there before stays."""
    text = """CREATE TABLE t (k INT)
              INSERT INTO t (k) SELECT x FROM s
              DECLARE @all NVARCHAR(MAX) = '', @tab SYSNAME
              DECLARE c CURSOR FOR SELECT name FROM tabs
              OPEN c
              FETCH NEXT FROM c INTO @tab
              WHILE @@FETCH_STATUS = 0
              BEGIN
                SET @all = @all + 'TRUNCATE TABLE t INSERT INTO t (k) SELECT y FROM ' + @tab
                FETCH NEXT FROM c INTO @tab
              END
              EXEC (@all)
              INSERT INTO u (k) SELECT k FROM t"""
    assert golden(text, "tsql", "u.k", tmp_path) == ["S.X"]
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="tsql")
        told = [(one.status, one.message) for one in warehouse.report().statements if one.kind == "execute"]
    assert told == [("opaque", UNKNOWN_TEXT)]


def test_texts_of_which_the_same_is_known_are_one() -> None:
    """Q31: each round may or may not have put an ``AND`` in front, and nobody knows the columns."""
    text = """CREATE PROCEDURE p AS
              DECLARE @on NVARCHAR(MAX) = '', @col SYSNAME
              DECLARE c CURSOR FOR SELECT name FROM cols
              OPEN c
              FETCH NEXT FROM c INTO @col
              WHILE @@FETCH_STATUS = 0
              BEGIN
                IF LEN(@on) > 0 SET @on += ' AND '
                SET @on += 's.' + @col + ' = r.' + @col
                FETCH NEXT FROM c INTO @col
              END
              EXEC ('INSERT t (k) SELECT s.x FROM s JOIN r ON ' + @on)"""
    steps = scan_sql(text, dialect="tsql").steps
    assert [one.target for one in steps if one.source == "r.*" and one.target != "t.k"] == ["t.*"]


def test_more_texts_than_are_told_apart(tmp_path: Path) -> None:
    """Q31: of more than a hundred nothing is known but the tables that all of them name."""
    rows = ", ".join(f"('c{number}')" for number in range(101))
    text = f"""DO $$ DECLARE r record; BEGIN
                 FOR r IN SELECT * FROM (VALUES {rows}) AS w(c) LOOP
                   EXECUTE 'INSERT INTO t (k) SELECT ' || r.c || ' FROM s';
                 END LOOP;
               END $$"""
    assert golden(text, "postgres", "t.k", tmp_path) == ["S.`*`"]
    few = text.replace(rows, rows.partition(", ('c2')")[0])
    assert golden(few, "postgres", "t.k", tmp_path) == ["S.C0", "S.C1"]
