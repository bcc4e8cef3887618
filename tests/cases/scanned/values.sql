-- QUALIFY row_number() = 1 keeps columns as they are
-- dialect: snowflake
-- schema: s(k, ts)
INSERT INTO t SELECT * FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) = 1
--> s.k -> t.k
--> s.ts -> t.ts

-- SCD2 by MERGE: a branch changes, a branch inserts (Q19)
-- dialect: snowflake
MERGE INTO dim d USING (SELECT id, name, MD5(COALESCE(name, '')) AS h FROM stg) s ON d.id = s.id AND d.cur
WHEN MATCHED AND d.h <> s.h THEN UPDATE SET cur = FALSE
WHEN NOT MATCHED THEN INSERT (id, name, h, cur) VALUES (s.id, s.name, s.h, TRUE)
--> stg.id -> dim.id
--> stg.name -> dim.h
--> stg.name -> dim.name

-- VARIANT and FLATTEN: an element comes from its array (Q6)
-- dialect: snowflake
SELECT e.payload:customer.id::STRING AS cid, f.value:sku::STRING AS sku, f.index AS i
FROM raw.ev e, LATERAL FLATTEN(input => e.payload:items) f
--> raw.ev.payload -> <sql>.cid
--> raw.ev.payload -> <sql>.i
--> raw.ev.payload -> <sql>.sku

-- a UNION with a constant for each branch: names of the first (Q12)
-- dialect: duckdb
CREATE TABLE claim AS SELECT id, paid, 'm' AS kind FROM med UNION ALL SELECT pid, amount, 'p' FROM pharm
--> med.id -> claim.id
--> med.paid -> claim.paid
--> pharm.amount -> claim.paid
--> pharm.pid -> claim.id

-- a surrogate key
-- dialect: postgres
SELECT MD5(COALESCE(CAST(a AS TEXT), '') || '-' || COALESCE(CAST(b AS TEXT), '')) AS sk FROM s
--> s.a -> <sql>.sk
--> s.b -> <sql>.sk

-- views on views of SELECT *: by name, whatever is asked for (Q22)
-- dialect: ansi
CREATE VIEW v1 AS SELECT * FROM t; CREATE VIEW v2 AS SELECT * FROM v1; CREATE TABLE u AS SELECT a FROM v2
--> t.* -> v1.*
--> t.a -> v1.a
--> v1.* -> v2.*
--> v1.a -> v2.a
--> v2.a -> u.a

-- of columns nobody knows all candidates stay (Q23)
-- dialect: ansi
SELECT x FROM a JOIN b ON a.k = b.k
--> a.x -> <sql>.x
--> b.x -> <sql>.x

-- half a dictionary is enough (Q23)
-- dialect: ansi
-- schema: a(k, x)
SELECT x, y FROM a, b
--> a.x -> <sql>.x
--> b.y -> <sql>.y

-- USING: the kept side's column (Q9)
-- dialect: ansi
-- schema: a(k)
-- schema: b(k, x)
SELECT k, x FROM a LEFT JOIN b USING (k)
--> a.k -> <sql>.k
--> b.x -> <sql>.x

-- FULL JOIN USING: both (Q9)
-- dialect: ansi
-- schema: a(k)
-- schema: b(k)
SELECT k FROM a FULL JOIN b USING (k)
--> a.k -> <sql>.k
--> b.k -> <sql>.k

-- Oracle's (+)
-- dialect: oracle
SELECT a.x, b.y FROM a, b WHERE a.k = b.k(+)
--> a.x -> <sql>.x
--> b.y -> <sql>.y

-- PIVOT: a value under a test (Q1)
-- dialect: snowflake
SELECT * FROM (SELECT id, m, v FROM s) PIVOT (SUM(v) FOR m IN ('x' AS x, 'y' AS y))
--> s.id -> <sql>.id
--> s.v -> <sql>.x
--> s.v -> <sql>.y

-- UNPIVOT: a mapping for each column (Q21)
-- dialect: snowflake
-- schema: s(id, a, b)
SELECT * FROM s UNPIVOT (v FOR m IN (a, b))
--> s.a -> <sql>.v
--> s.b -> <sql>.v
--> s.id -> <sql>.id

-- a recursive CTE (Q17)
-- dialect: postgres
WITH RECURSIVE r AS (SELECT id, name FROM e WHERE p IS NULL UNION ALL
SELECT e.id, r.name FROM e JOIN r ON e.p = r.id) SELECT id, name FROM r
--> e.id -> <sql>.id
--> e.name -> <sql>.name

-- UPDATE of an alias
-- dialect: tsql
UPDATE t SET t.c += s.c FROM dbo.tab1 t JOIN dbo.tab2 s ON t.id = s.id
--> dbo.tab1.c -> dbo.tab1.c
--> dbo.tab2.c -> dbo.tab1.c

-- UPDATE of several by a subquery
-- dialect: oracle
UPDATE t SET (a, b) = (SELECT x, y FROM s WHERE s.k = t.k)
--> s.x -> t.a
--> s.y -> t.b

-- ON CONFLICT takes the row that was not inserted
-- dialect: postgres
INSERT INTO t (k, n) SELECT x, y FROM s ON CONFLICT (k) DO UPDATE SET m = excluded.n
--> s.x -> t.k
--> s.y -> t.m
--> s.y -> t.n

-- CROSS APPLY sees its neighbours
-- dialect: tsql
SELECT o.k, z.best FROM o CROSS APPLY (SELECT TOP 1 p.x AS best FROM p WHERE p.k = o.k ORDER BY p.d) z
--> o.k -> <sql>.k
--> p.x -> <sql>.best

-- LATERAL VIEW
-- dialect: hive
SELECT b.id, q.c FROM b LATERAL VIEW OUTER EXPLODE(b.arr) q AS c
--> b.arr -> <sql>.c
--> b.id -> <sql>.id

-- UNNEST of structs
-- dialect: bigquery
SELECT t.id, el.a FROM t, UNNEST(t.items) AS el
--> t.id -> <sql>.id
--> t.items -> <sql>.a

-- a lambda's variable is no column
-- dialect: spark
SELECT TRANSFORM(arr, x -> x + y) AS z FROM t
--> t.arr -> <sql>.z
--> t.y -> <sql>.z

-- COUNT(*) ends lineage (Q5)
-- dialect: ansi
SELECT COUNT(*) AS n FROM t

-- a computed column
-- dialect: postgres
CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a + 1) STORED)
--> t.a -> t.b

-- INSERT fills in the order of the dictionary (Q18)
-- dialect: ansi
-- schema: t(a, b)
INSERT INTO t SELECT x, y FROM s
--> s.x -> t.a
--> s.y -> t.b

-- what a procedure holds is read
-- dialect: snowflake
CREATE PROCEDURE p() AS $$ BEGIN INSERT INTO t SELECT a FROM s; END $$
--> s.a -> t.a

-- EXCLUDE, REPLACE and RENAME
-- dialect: snowflake
-- schema: t(a, b, c)
SELECT * EXCLUDE (a) REPLACE (b + c AS b) RENAME (c AS d) FROM t
--> t.b -> <sql>.b
--> t.c -> <sql>.b
--> t.c -> <sql>.d

-- INTERSECT and EXCEPT give the left side (Q12)
-- dialect: ansi
SELECT a FROM s EXCEPT SELECT b FROM t
--> s.a -> <sql>.a

-- a procedure between DELIMITERs
-- dialect: mysql
DELIMITER //
CREATE PROCEDURE p()
BEGIN
  INSERT INTO t SELECT a FROM s;
END //
DELIMITER ;
REPLACE INTO u (c) SELECT b FROM v;
--> s.a -> t.a
--> v.b -> u.c

-- a block in a string
-- dialect: snowflake
EXECUTE IMMEDIATE $$
BEGIN
  INSERT INTO t SELECT a FROM s;
END;
$$;
INSERT INTO u SELECT b FROM v
--> s.a -> t.a
--> v.b -> u.b

-- a package
-- dialect: oracle
CREATE OR REPLACE PACKAGE BODY pkg AS
  PROCEDURE p IS v NUMBER;
  BEGIN
    INSERT INTO t SELECT a FROM s;
  END p;
  PROCEDURE q IS BEGIN DELETE FROM t; END;
END pkg;
/
INSERT INTO u SELECT b FROM v;
--> s.a -> t.a
--> v.b -> u.b

-- a block behind a test
-- dialect: bigquery
DECLARE x INT64 DEFAULT 1;
BEGIN
  IF x > 1 THEN INSERT INTO d.t (a) SELECT b FROM d.s; END IF;
END;
--> d.s.b -> d.t.a
