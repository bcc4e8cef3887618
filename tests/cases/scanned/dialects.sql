-- vertica
CREATE TABLE d.t (a INT); CREATE TABLE d.t_new (a INT); INSERT INTO d.t_new SELECT b FROM d.s; ALTER TABLE d.t, d.t_new RENAME TO t_old, t; SELECT a FROM d.t
--> d.t_new.a <- d.s.b
--> d.t_old.a <- d.t.a
--> d.t.a <- d.t_new.a
--> <sql>.a <- d.t.a

-- tsql
MERGE TOP (5) INTO dbo.t WITH (HOLDLOCK) AS d USING s ON d.k = s.k WHEN MATCHED THEN UPDATE SET a += s.b, d.c -= 1; UPDATE TOP (3) x SET e *= s.f, @v += 1 FROM dbo.u AS x JOIN s ON s.k = x.k; UPDATE #w SET g += s.h FROM #w JOIN s ON s.k = #w.k
--> dbo.t.a <- dbo.t.a, s.b
--> dbo.t.c <- dbo.t.c
--> dbo.u.e <- dbo.u.e, s.f
--> #w.g <- #w.g, s.h

-- tsql
DECLARE @v INT = 0; UPDATE t SET @v += a, b = 1 FROM t; INSERT INTO u (x) VALUES (@v)
--> u.x <- t.a

-- teradata
.IMPORT VARTEXT '|' FILE = /in/rates.txt
USING (ccy VARCHAR(3), rate VARCHAR(20)) INSERT INTO stg.rates (ccy, rate) VALUES (:ccy, :rate);
REPLACE MACRO dw.m (d DATE) AS (INSERT INTO dw.mt (a) SEL a FROM src.m; UPDATE dw.mu SET x = :d;);
REPLACE PROCEDURE dw.p (IN k INTEGER) BEGIN DECLARE m INTEGER; SELECT MAX(v) INTO :m FROM src.s; INSERT INTO dw.pt (a) VALUES (:m); END;
--> stg.rates.ccy <- /in/rates.txt.ccy
--> stg.rates.rate <- /in/rates.txt.rate
--> dw.mt.a <- src.m.a
--> dw.pt.a <- src.s.v

-- teradata
.EXPORT REPORT FILE = /out/x.txt
SEL claim_id, SUM(amt) (NAMED total) FROM dw.claims GROUP BY 1 WITH SUM(amt) (TITLE 'x'), COUNT(*) BY kind ORDER BY 1;
.EXPORT RESET
INSERT INTO t (a) WITH c (x) AS (SELECT y FROM s) SELECT x FROM c;
--> /out/x.txt.claim_id <- dw.claims.claim_id
--> /out/x.txt.total <- dw.claims.amt
--> t.a <- s.y

-- teradata
SELECT '00FF'XB p, a xb, 'x' xc, b || '0A'XC AS q FROM s WHERE c = '41'XCV
--> <sql>.xb <- s.a
--> <sql>.q <- s.b

-- teradata
REPLACE VIEW d.v AS LOCKING ROW FOR ACCESS SEL a (DATE) AS x, SUM(b) (DECIMAL(18,2), FORMAT 'z') AS y FROM s GROUP BY 1; CREATE VOLATILE TABLE w AS (SEL k, MAX(dt) (DATE) AS dt, v (INTEGER) AS v FROM s GROUP BY 1, 3) WITH DATA PRIMARY INDEX (dt) ON COMMIT PRESERVE ROWS; INSERT INTO t SEL k, dt, v FROM w
--> d.v.x <- s.a
--> d.v.y <- s.b
--> t.k <- s.k
--> t.dt <- s.dt
--> t.v <- s.v

-- teradata
SELECT CAST(a AS DATE AT 'GMT') x, b AT LOCAL y, c AT TIME ZONE 'GMT' z FROM s SAMPLE WITH REPLACEMENT RANDOMIZED ALLOCATION WHEN d = 1 THEN 10 ELSE 5 END
--> <sql>.x <- s.a
--> <sql>.y <- s.b
--> <sql>.z <- s.c

-- oracle
BEGIN <<outer>> FOR r IN (SELECT a FROM s) LOOP <<inner>> WHILE r.a > 1 LOOP EXIT outer WHEN r.a = 5; END LOOP inner; INSERT INTO t (x) VALUES (r.a); END LOOP outer; END;
--> t.x <- s.a

-- oracle
SELECT JSON_OBJECT(*) o, JSON_ARRAY(SELECT a FROM q ORDER BY b) k, JSON_SERIALIZE(s.e RETURNING VARCHAR2(3) TRUNCATE ERROR ON ERROR) z, JSON_OBJECT(KEY 'x' IS s.a) p FROM s; ALTER DIMENSION d COMPILE
--> <sql>.o <- s.*
--> <sql>.k <- q.a
--> <sql>.z <- s.e
--> <sql>.p <- s.a

-- oracle
DECLARE o VARCHAR2(9); n NUMBER; m NUMBER; BEGIN EXECUTE IMMEDIATE 'UPDATE emp SET bonus = 1 WHERE id = :i RETURNING nm, sal INTO :a, :b' USING 101 RETURNING INTO o, n; INSERT INTO t (p, q) VALUES (o, n); EXECUTE IMMEDIATE 'DELETE FROM old WHERE id = :i RETURNING amt INTO :a' USING 5, OUT m; INSERT INTO u (r) VALUES (m); END;
--> t.p <- emp.nm
--> t.q <- emp.sal
--> u.r <- old.amt

-- oracle
DECLARE TYPE rec IS RECORD (a NUMBER, b NUMBER); TYPE recs IS TABLE OF rec; e rec; f rec; g rec; h recs; BEGIN UPDATE emp SET bonus = 1 RETURNING nm, sal INTO e; INSERT INTO t (p, q) VALUES (e.a, e.b); EXECUTE IMMEDIATE 'SELECT x, y FROM s' INTO f; INSERT INTO u (p, q) VALUES (f.a, f.b); EXECUTE IMMEDIATE 'UPDATE s SET z = 1 RETURNING x, y INTO :1, :2' RETURNING INTO g; INSERT INTO v (p, q) VALUES (g.a, g.b); DELETE FROM old RETURNING k, m BULK COLLECT INTO h; FORALL i IN 1 .. h.COUNT INSERT INTO w (p, q) VALUES (h(i).a, h(i).b); END;
--> t.p <- emp.nm
--> t.q <- emp.sal
--> u.p <- s.x
--> u.q <- s.y
--> v.p <- s.x
--> v.q <- s.y
--> w.p <- old.k
--> w.q <- old.m

-- mysql
ALTER ONLINE TABLE t ADD COLUMN (b INT GENERATED ALWAYS AS (a + 1) VIRTUAL, c INT AS (a * 2) PERSISTENT), MODIFY d REAL UNSIGNED NULL, ALGORITHM = INPLACE; ALTER IGNORE TABLE u CHANGE a b INT; CREATE TABLE w (x INT, y INT AS (x + b) STORED) SELECT a, b FROM s
--> t.b <- t.a
--> t.c <- t.a
--> u.b <- u.a
--> w.a <- s.a
--> w.b <- s.b
--> w.y <- w.b, w.x

-- mysql
CREATE OR REPLACE TABLE t WITH SYSTEM VERSIONING SELECT a FROM s; SELECT e.a, d.b FROM emp FOR SYSTEM_TIME FROM TIMESTAMP @a TO TIMESTAMP @b e, dept FOR SYSTEM_TIME BETWEEN TRANSACTION 1 AND TRANSACTION 5 d WHERE e.k = d.k; INSERT INTO u SELECT x.a FROM (SELECT a FROM q) FOR SYSTEM_TIME AS OF TIMESTAMP @t0 AS x; DELETE HISTORY FROM t BEFORE SYSTEM_TIME TIMESTAMP '2020-01-01'; SET PASSWORD FOR u@localhost = PASSWORD('x')
--> t.a <- s.a
--> <sql>.a <- emp.a
--> <sql>.b <- dept.b
--> u.a <- q.a

-- mysql
CREATE DEFINER = CURRENT_USER() EVENT e ON SCHEDULE EVERY 1 DAY DO INSERT INTO t (a) SELECT b FROM s; CREATE DEFINER = CURRENT_USER() PROCEDURE p() INSERT INTO u (a) SELECT b FROM s
--> t.a <- s.b
--> u.a <- s.b

-- vertica
CREATE TABLE v (a INT, b INT SET USING (SELECT d.n FROM d WHERE d.k = v.a), c INT DEFAULT (SELECT e.m FROM e WHERE e.k = v.a), f INT SET USING a + 1, g INT); INSERT INTO v (a) SELECT q FROM s; ALTER TABLE t ADD COLUMN y INT SET USING (SELECT MAX(z) FROM s WHERE s.k = t.k)
--> v.b <- d.n
--> v.c <- e.m
--> v.f <- v.a
--> v.a <- s.q
--> t.y <- s.z

-- vertica partial
COPY t FROM LOCAL '/x/a.csv', '/x/b.csv' DELIMITER ';'; COPY u SOURCE Hdfs(url='http://h/x') PARSER fjsonparser(); EXPORT TO VERTICA db.dw.w (p, q) FROM st.s (a, b); SELECT a INTO LOCAL TEMP TABLE l ON COMMIT PRESERVE ROWS FROM s; INSERT INTO x SELECT a FROM l; CREATE FLEX TABLE f (); INSERT INTO y (a) SELECT f."n" FROM f; DISCONNECT db
--> t.* <- /x/a.csv.*, /x/b.csv.*
--> u.* <- http://h/x.*
--> db.dw.w.p <- st.s.a
--> db.dw.w.q <- st.s.b
--> x.a <- s.a
--> y.a <- f.n

-- vertica
CREATE PROCEDURE p() LANGUAGE PLvSQL AS $$ DECLARE a INT; b INT; r RECORD; BEGIN a := SELECT MAX(x) FROM s; PERFORM INSERT INTO k (x) VALUES (a); FOR r IN QUERY SELECT m, n FROM w LOOP PERFORM INSERT INTO l (x, y) VALUES (r.m, r.n); END LOOP; FOR (i, j) IN QUERY SELECT m, n FROM w LOOP PERFORM INSERT INTO l2 (x, y) VALUES (i, j); END LOOP; a, b <- SELECT a1, b1 FROM c1 LIMIT 1; PERFORM INSERT INTO o (x, y) VALUES (a, b); PERFORM COMMIT; END; $$
--> k.x <- s.x
--> l.x <- w.m
--> l.y <- w.n
--> l2.x <- w.m
--> l2.y <- w.n
--> o.x <- c1.a1
--> o.y <- c1.b1

-- exasol partial
IMPORT INTO w FROM CSV AT 'https://h' FILE 'a.csv' FILE 'b.csv' (1, 2 FORMAT='YYYY') COLUMN SEPARATOR = ';'; IMPORT INTO v FROM SCRIPT etl.import_path WITH BUCKET_PATH = 's3://x/*' DATA_FORMAT = 'PARQUET'; EXPORT s.t (a, b) INTO JDBC AT c STATEMENT 'INSERT INTO far.q (x, y) VALUES (?, ?)'; EXPORT (SELECT a FROM s) INTO SCRIPT etl.export_path WITH OTHER = 'z'
--> w.* <- https://h/a.csv.*, https://h/b.csv.*
--> v.* <- s3://x/*.*
--> c.far.q.x <- s.t.a
--> c.far.q.y <- s.t.b
--> etl.export_path.a <- s.a

-- exasol
MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v WHERE s.v > 1 DELETE WHERE t.z = 2 WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v); CREATE FORCE VIEW w (a COMMENT IS 'x', b) AS SELECT x, y FROM s COMMENT IS 'z'; SELECT f(a, b) EMITS (m INT, n INT), k FROM s; SELECT a FROM s WHERE b = 1 PREFERRING LOW c PLUS HIGH d ORDER BY e; SELECT v.n FROM VALUES BETWEEN 1 AND 9 WITH STEP 2 AS v (n); DELETE * FROM t WHERE a = 1; OPEN SCHEMA x
--> t.v <- s.v
--> t.k <- s.k
--> w.a <- s.x
--> w.b <- s.y
--> <sql>.m <- s.a, s.b
--> <sql>.n <- s.a, s.b
--> <sql>.k <- s.k
--> <sql> 2.a <- s.a

-- exasol
CREATE FUNCTION f (x DECIMAL) RETURN DECIMAL IS r DECIMAL; BEGIN IF x > 1 THEN r := x * 2; ELSE r := 0; END IF; FOR i := 1 TO 3 DO r := r + i; END FOR; RETURN r; END f;
/
INSERT INTO t (a) SELECT f(b) FROM s
--> t.a <- s.b

-- db2
CREATE TABLE t (a INT, b INT); CREATE TABLE h LIKE t; ALTER TABLE t ADD VERSIONING USE HISTORY TABLE h; ALTER TABLE u ADD COLUMN x INT GENERATED ALWAYS AS (a + b) ADD y CHAR(9) NOT NULL WITH DEFAULT ALTER COLUMN c SET DATA TYPE BIGINT DROP COLUMN d; EXEC SQL INSERT INTO w (a) SELECT b FROM s END-EXEC; SELECT a FROM (SELECT a FROM s ORDER BY b) AS z ORDER BY ORDER OF z; COMMENT ON t (a IS 'x', b IS 'y'); CALL SYSPROC.ADMIN_MOVE_TABLE('S', 'T')
--> h.a <- t.a
--> h.b <- t.b
--> u.x <- u.a, u.b
--> w.a <- s.b
--> <sql>.a <- s.a

-- db2
INGEST FROM FILE in/f.txt FORMAT DELIMITED BY '|' ($a INTEGER EXTERNAL, $b CHAR(9)) RESTART NEW 'j' INSERT INTO t (x, y) VALUES ($a, UPPER($b))
--> t.x <- in/f.txt.a
--> t.y <- in/f.txt.b

-- tsql
CREATE TABLE dbo.t (a INT, s DATETIME2 GENERATED ALWAYS AS ROW START, e DATETIME2 GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (s, e)) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.was)); INSERT INTO dbo.w SELECT a FROM dbo.was; CREATE TABLE dbo.u (b INT); CREATE TABLE dbo.u_was (b INT); ALTER TABLE dbo.u SET (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.u_was)); ALTER TABLE dbo.u SET (SYSTEM_VERSIONING = OFF)
--> dbo.was.a <- dbo.t.a
--> dbo.was.s <- dbo.t.s
--> dbo.was.e <- dbo.t.e
--> dbo.w.a <- dbo.was.a
--> dbo.u_was.b <- dbo.u.b

-- sqlite partial
.mode csv
.import --skip 1 'my data.csv' t
.read other.sql
INSERT INTO u SELECT a FROM t;
.output x.csv
CREATE TEMP TABLE x AS SELECT a FROM u; INSERT INTO w SELECT a FROM temp.x;
.quit
--> t.* <- my data.csv.*
--> t.a <- my data.csv.a
--> u.a <- t.a
--> w.a <- u.a

-- sqlite
CREATE VIRTUAL TABLE f USING fts5(a, b UNINDEXED, content='docs', tokenize='porter'); INSERT INTO t SELECT a FROM f; CREATE VIRTUAL TABLE IF NOT EXISTS r USING rtree(id, x0, x1, +more TEXT); INSERT INTO r SELECT k, p, q, m FROM s; SELECT j.value, d FROM s, json_each(s.doc) AS j
--> f.a <- docs.a
--> f.b <- docs.b
--> t.a <- f.a
--> r.id <- s.k
--> r.x0 <- s.p
--> r.x1 <- s.q
--> r.more <- s.m
--> <sql>.value <- s.doc
--> <sql>.d <- s.d

-- teradata
REPLACE VIEW d.v (a, b) AS LOCKING d.s FOR ACCESS LOCKING TABLE d.q FOR ACCESS SEL s.x, q.y FROM d.s, d.q WHERE s.k = q.k WITH CHECK OPTION; REPLACE VIEW d.w AS LOCK ROW ACCESS (SELECT x FROM d.s) UNION (SELECT y FROM d.q)
--> d.v.a <- d.s.x
--> d.v.b <- d.q.y
--> d.w.x <- d.q.y, d.s.x

-- teradata
CREATE TABLE t AS (SELECT a FROM READ_NOS (USING LOCATION ('/s3/b/x') RETURNTYPE ('NOSREAD_RECORD')) AS d) WITH DATA; INSERT INTO u SELECT d.a FROM (LOCATION = '/s3/b/y/' AUTHORIZATION = z) AS d; MODIFY USER u AS PASSWORD = x; DROP STATISTICS COLUMN (a) ON t
--> t.a <- /s3/b/x.a
--> u.a <- /s3/b/y/.a

-- oracle
VAR x NUMBER
EXEC :x := 5
SET SERVEROUTPUT ON SIZE 100000
INSERT INTO t (a) SELECT b FROM s WHERE c = :x;
EXECUTE dbms_stats.gather_table_stats(user, -
  'T')
INSERT INTO u (a) SELECT b FROM s;
EXEC dbms_output.put_line('it''s; done')
COMMIT
/
--> t.a <- s.b
--> u.a <- s.b

-- oracle
TRUNCATE TABLE t DROP ALL STORAGE; DROP PACKAGE BODY p; DROP PUBLIC SYNONYM y FORCE; UPDATE t SET a = s.b FROM s WHERE s.k = t.k RETURNING t.a, t.c INTO :x, :y; DELETE FROM t FROM s WHERE s.k = t.k; ALTER TABLE t SET UNUSED (q); ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES s (b) ON DELETE CASCADE ENABLE NOVALIDATE; DELETE FROM s
--> t.a <- s.b

-- oracle
SELECT TO_DATE(x DEFAULT '1' ON CONVERSION ERROR, 'YY') d, CAST(y AS NUMBER DEFAULT LENGTH('a') ON CONVERSION ERROR) n, JSON {'a': b, 'c': JSON [d, e]} j, 1.5f AS f1, g d2, h f FROM s
--> <sql>.d <- s.x
--> <sql>.n <- s.y
--> <sql>.j <- s.b, s.d, s.e
--> <sql>.d2 <- s.g
--> <sql>.f <- s.h

-- mysql
CREATE PROCEDURE p () BEGIN DECLARE temp, n INT; SELECT i, j INTO temp, n FROM q; INSERT INTO t (a, b) VALUES (temp, n); END; CREATE TABLE u WITH c AS (SELECT a FROM s) SELECT a FROM c UNION SELECT b FROM r
--> t.a <- q.i
--> t.b <- q.j
--> u.a <- r.b, s.a

-- mysql
WITH v (k, n) AS (VALUES (1, 'a'), (2, 'b')) SELECT s.x, v.n FROM s JOIN v ON v.k = s.k; INSERT INTO t VALUES ROW(1, 2), ROW(3, 4); INSERT INTO u (a, b) SELECT x, y FROM (VALUES (1, (SELECT MAX(k) FROM s)), (3, 4)) AS v (x, y) ON DUPLICATE KEY UPDATE a = GREATEST(VALUES(a), b)
--> <sql>.x <- s.x
--> u.b <- s.k
--> u.a <- u.b

-- mysql
SET STATEMENT max_statement_time = 10, sort_buffer_size = 1 FOR INSERT INTO t (t.a, d.t.b) SELECT x, y FROM s LIMIT 3 ROWS EXAMINED 10; SET STATEMENT a = 1 FOR EXECUTE IMMEDIATE 'INSERT INTO u (a) SELECT b FROM s'
--> t.a <- s.x
--> t.b <- s.y
--> u.a <- s.b

-- mysql
CREATE TABLE m (a INT, b INT, KEY (a)) ENGINE = MERGE UNION = (s, d.u) INSERT_METHOD = LAST; CREATE TABLE f (a INT, b TEXT) ENGINE = FEDERATED CONNECTION = 'mysql://who:secret@h:9306/far/tab'; CREATE TABLE g (a INT) ENGINE = FEDERATED CONNECTION = 'srv/tab'
--> m.a <- d.u.a, s.a
--> m.b <- d.u.b, s.b
--> f.a <- h:9306.far.tab.a
--> f.b <- h:9306.far.tab.b
--> g.a <- srv.tab.a

-- mysql
UPDATE (SELECT k, MAX(v) AS m FROM s GROUP BY k) x, t SET t.a = x.m WHERE x.k = t.k; UPDATE (SELECT k, v FROM s) x INNER JOIN d.t y ON x.k = y.k SET y.a := x.v; UPDATE (p JOIN q ON p.k = q.k) SET q.a = p.b; UPDATE w FOR PORTION OF z FROM '2000-01-01' TO '2001-01-01' SET a = b; DELETE w.*, q.* FROM w, q WHERE w.k = q.k; DELETE FROM w WHERE a = 1 ORDER BY b LIMIT 3 RETURNING c
--> t.a <- s.v
--> d.t.a <- s.v
--> q.a <- p.b
--> w.a <- w.b

-- mysql
CREATE DEFINER = CURRENT_USER() SQL SECURITY INVOKER VIEW v AS SELECT a FROM s WITH CASCADED CHECK OPTION; CREATE TABLE t ENGINE = MyISAM CHECKSUM = 1 SELECT a, b FROM s; CREATE TABLE u (SELECT a FROM s) UNION (SELECT b FROM q); CREATE TABLE w (a INT) PARTITION BY HASH (a) PARTITIONS 4 AS SELECT a FROM s
--> v.a <- s.a
--> t.a <- s.a
--> t.b <- s.b
--> u.a <- q.b, s.a
--> w.a <- s.a

-- mysql
INSERT INTO t SET a = (SELECT MAX(b) FROM s), c = DEFAULT(d), e = DEFAULT; SELECT STRAIGHT_JOIN DISTINCT a, DEFAULT(b) AS x FROM s WHERE MATCH c, d AGAINST ('y') AND (@n := @n + 1) < 3 GROUP BY a DESC, b ASC WITH ROLLUP; SELECT GROUP_CONCAT(a ORDER BY b SEPARATOR ';' LIMIT 3) AS g, NEXTVAL(sq) + PREVIOUS VALUE FOR sq + LASTVAL(sq) AS n, CAST(c AS UNSIGNED INT) AS i FROM s
--> t.a <- s.b
--> <sql>.a <- s.a
--> <sql> 2.g <- s.a
--> <sql> 2.i <- s.c

-- mysql
CREATE PROCEDURE p () WITH c AS (SELECT a FROM s) SELECT a FROM c; CREATE PROCEDURE q (INOUT i INT) DETERMINISTIC NO SQL SET i = i * 5; CREATE AGGREGATE FUNCTION least_of (x INT) RETURNS INT BEGIN DECLARE m INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR NOT FOUND RETURN m; LOOP FETCH GROUP NEXT ROW; SET m = x; END LOOP; END; INSERT INTO t (a) SELECT least_of(b) FROM s
--> p.a <- s.a
--> t.a <- s.b

-- mysql
WITH RECURSIVE c (d, f) AS (SELECT a, b FROM s UNION SELECT d + 1, s.b FROM s, c WHERE s.a = c.f) CYCLE d, f RESTRICT SELECT d, f FROM c; DROP TABLES IF EXISTS t WAIT 5; DROP USER a@localhost, b@'%'; START TRANSACTION WITH CONSISTENT SNAPSHOT; ALTER TABLE s ALTER INDEX i IGNORED; CACHE INDEX s IN k; SELECT a FROM s PROCEDURE ANALYSE()
--> <sql>.d <- s.a
--> <sql>.f <- s.b
--> <sql> 2.a <- s.a

-- mysql
UPDATE ord o JOIN cust c ON c.k = o.k SET c.last = o.day, c.n = 1; UPDATE ord, cust SET ord.nm = cust.nm, cust.total = ord.sum WHERE ord.k = cust.k
--> cust.last <- ord.day
--> ord.nm <- cust.nm
--> cust.total <- ord.sum

-- mysql
CREATE TABLE ord (k INT, day DATE); CREATE TABLE cust (k INT, last DATE); UPDATE ord JOIN (SELECT k, MAX(v) AS m FROM s GROUP BY k) q ON q.k = ord.k JOIN cust ON cust.k = ord.k SET last = q.m
--> cust.last <- s.v

-- mysql
CREATE TABLE t (x INT, b INT DEFAULT 5, PRIMARY KEY (b)) SELECT a, b FROM s; INSERT INTO t SELECT c, d, e FROM q; CREATE TABLE u (y INT) AS SELECT a FROM s
--> t.a <- q.d, s.a
--> t.b <- q.e, s.b
--> t.x <- q.c
--> u.a <- s.a

-- mysql
UPDATE t SET a = b, b = a, c = d + c; UPDATE u, s SET u.a = u.b, u.b = u.a WHERE u.k = s.k
--> t.a <- t.b
--> t.b <- t.b
--> t.c <- t.c, t.d
--> u.a <- u.b
--> u.b <- u.a

-- tsql
WITH c AS (SELECT k AS x, v AS y FROM dbo.stock) DELETE c OUTPUT deleted.x, deleted.y INTO dbo.gone (p, q); WITH c (x, y) AS (SELECT k, v FROM dbo.stock) UPDATE c SET y = s.w OUTPUT deleted.y, inserted.x INTO dbo.was (p, q) FROM c JOIN s ON s.k = c.x; WITH c AS (SELECT k AS x, v AS y FROM dbo.stock) MERGE c USING s ON c.x = s.k WHEN NOT MATCHED THEN INSERT (x, y) VALUES (s.k, s.w) WHEN NOT MATCHED BY SOURCE THEN DELETE OUTPUT deleted.y, inserted.x INTO dbo.log (p, q);
--> dbo.gone.p <- dbo.stock.k
--> dbo.gone.q <- dbo.stock.v
--> dbo.stock.v <- s.w
--> dbo.was.p <- dbo.stock.v
--> dbo.was.q <- dbo.stock.k
--> dbo.stock.k <- s.k
--> dbo.log.q <- dbo.stock.k, s.k
--> dbo.log.p <- dbo.stock.v

-- tsql
SELECT k, price * $1.20 AS gross, $5 AS fee INTO dbo.bill FROM dbo.stock WHERE price > $1000
--> dbo.bill.k <- dbo.stock.k
--> dbo.bill.gross <- dbo.stock.price

-- tsql
SELECT a.x, b.y, c.z INTO t FROM dbo.ta a, dbo.tb b, dbo.tc AS c WHERE a.k *= b.k AND b.j = 1 AND a.q BETWEEN 1 AND 3 AND a.i = c.i; SELECT ta.x, tb.y INTO u FROM ta, tb WHERE tb.k =* ta.k; UPDATE w SET a *= b
--> t.x <- dbo.ta.x
--> t.y <- dbo.tb.y
--> t.z <- dbo.tc.z
--> u.x <- dbo.ta.x
--> u.y <- dbo.tb.y
--> w.a <- w.a, w.b

-- tsql
DECLARE @m TABLE (h UNIQUEIDENTIFIER, body XML); WAITFOR (RECEIVE TOP (10) conversation_handle, message_body FROM dbo.q INTO @m), TIMEOUT 1000; INSERT INTO t (a) SELECT body FROM @m; WAITFOR DELAY '00:00:01'
--> t.a <- dbo.q.message_body

-- tsql
CREATE PROC p AS BEGIN DECLARE @h UNIQUEIDENTIFIER, @b XML; WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @b = message_body FROM dbo.q), TIMEOUT 1000; INSERT INTO t (a, b) VALUES (@h, @b) END
--> t.a <- dbo.q.conversation_handle
--> t.b <- dbo.q.message_body

-- tsql
EXEC ('INSERT INTO d.t (a) SELECT b FROM d.s WHERE k = ?', 5) AT far; INSERT INTO d.w (a) SELECT c FROM d.s
--> far.d.t.a <- far.d.s.b
--> d.w.a <- d.s.c

-- tsql
SELECT CAST(s.b AS XML(DOCUMENT dbo.c)) AS x, f.nm INTO t FROM s WITH (NOLOCK INDEX(i) READPAST) JOIN q WITH (UPDLOCK ROWLOCK) ON q.k = s.k CROSS APPLY ::fn_told(s.k) f (nm)
--> t.x <- s.b
--> t.nm <- s.k

-- tsql
SELECT a.nm, LAST_VALUE(b.nm) WITHIN GROUP (GRAPH PATH) AS lst INTO t FROM dbo.person AS a, dbo.knows FOR PATH AS k, dbo.person FOR PATH AS b WHERE MATCH(SHORTEST_PATH(a(-(k)->b)+)) AND a.k = $7
--> t.nm <- dbo.person.nm
--> t.lst <- dbo.person.nm

-- teradata
CREATE TABLE d.f (k INT, v INT); CREATE MULTISET TABLE d.t2, FALLBACK AS d.f WITH NO DATA AND STATS; INSERT INTO d.t2 SELECT * FROM d.f; CREATE TABLE d.t3 AS (SELECT k FROM d.f) WITH DATA AND NO STATISTICS PRIMARY INDEX (k)
--> d.t2.k <- d.f.k
--> d.t2.v <- d.f.v
--> d.t3.k <- d.f.k

-- oracle
SELECT x.column_value AS v FROM s, TABLE(SYS.ODCIVARCHAR2LIST(s.a, s.b, 'c')) x; BEGIN FOR c IN (SELECT column_value AS nm FROM TABLE(sys.odcivarchar2list('a', 'b'))) LOOP EXECUTE IMMEDIATE 'INSERT INTO agg_' || c.nm || ' (k) SELECT k FROM t_' || c.nm; END LOOP; END;
--> <sql>.v <- s.a, s.b
--> agg_a.k <- t_a.k
--> agg_b.k <- t_b.k

-- oracle
CREATE OR REPLACE TRIGGER g BEFORE INSERT OR UPDATE OR DELETE ON tab FOR EACH ROW BEGIN IF INSERTING THEN :NEW.id := 5; ELSIF UPDATING THEN :NEW.was := :OLD.a; ELSIF DELETING THEN INSERT INTO aud (k) VALUES (:OLD.k); END IF; END;
/
UPDATE tab SET b = 1
--> tab.was <- tab.a
--> aud.k <- tab.k

-- postgres
SELECT cron.schedule('nightly', '0 3 * * *', $$INSERT INTO t (a) SELECT b FROM s$$); SELECT cron.schedule('0 3 * * *', 'CALL p()'); CREATE PROCEDURE p() LANGUAGE sql AS $$ INSERT INTO u (a) SELECT b FROM s $$; SELECT cron.schedule AS x FROM cron
--> t.a <- s.b
--> u.a <- s.b
--> <sql>.x <- cron.schedule

-- postgres
CREATE FUNCTION keep() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('INSERT INTO %I.%I (k, v) SELECT $1.k, $1.v', TG_TABLE_SCHEMA, TG_TABLE_NAME || '_was') USING OLD; RETURN NEW; END $$; CREATE TRIGGER g BEFORE UPDATE ON core.a FOR EACH ROW EXECUTE FUNCTION keep(); CREATE TRIGGER g BEFORE UPDATE ON core.b FOR EACH ROW EXECUTE FUNCTION keep(); UPDATE core.a SET v = s.x FROM s WHERE s.k = a.k
--> core.a.v <- s.x
--> core.a_was.k <- core.a.k
--> core.a_was.v <- core.a.v
--> core.b_was.k <- core.b.k
--> core.b_was.v <- core.b.v

-- oracle
CREATE PROCEDURE load AS BEGIN INSERT INTO t (a) SELECT b FROM s; END;
/
BEGIN DBMS_SCHEDULER.CREATE_JOB(job_name => 'j', job_type => 'PLSQL_BLOCK', job_action => 'BEGIN INSERT INTO u (a) SELECT c FROM r; END;', enabled => TRUE); DBMS_SCHEDULER.CREATE_JOB(job_name => 'k', job_type => 'STORED_PROCEDURE', job_action => 'load'); END;
/
DECLARE n NUMBER; BEGIN DBMS_JOB.SUBMIT(n, 'INSERT INTO w (a) SELECT d FROM q;', SYSDATE, 'SYSDATE + 1'); END;
/
--> t.a <- s.b
--> u.a <- r.c
--> w.a <- q.d

-- tsql
CREATE PROCEDURE dbo.job AS INSERT INTO dbo.t (a) SELECT b FROM dbo.s
GO
EXEC msdb.dbo.sp_add_job @job_name = N'nightly', @enabled = 1; EXEC msdb.dbo.sp_add_jobstep @job_name = N'nightly', @step_name = N'1', @subsystem = N'TSQL', @command = N'EXEC dbo.job; INSERT INTO dbo.u (a) SELECT c FROM dbo.r', @database_name = N'dw'; EXEC msdb.dbo.sp_add_jobstep @job_name = N'nightly', @step_name = N'2', @subsystem = N'PowerShell', @command = N'dir'; EXEC msdb.dbo.sp_add_schedule @schedule_name = N'x', @freq_type = 4; EXEC msdb..sp_attach_schedule @job_name = N'nightly', @schedule_name = N'x'
--> dbo.t.a <- dbo.s.b
--> dbo.u.a <- dbo.r.c

-- tsql
CREATE PROC p AS BEGIN SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SET IDENTITY_INSERT dbo.t ON INSERT dbo.t (a) SELECT b FROM s SET IDENTITY_INSERT dbo.t OFF END
GO
SET TRANSACTION ISOLATION LEVEL SNAPSHOT
INSERT dbo.u (a) SELECT b FROM s
--> dbo.t.a <- s.b
--> dbo.u.a <- s.b

-- db2
CREATE TABLE t (a INT, b INT); CREATE TABLE h LIKE t IN ts1 INDEX IN ts2 COMPRESS YES; INSERT INTO h SELECT * FROM t; INSERT INTO u (a) SELECT s.a FROM s, SYSIBM.SYSDUMMY1 WHERE x = 1
--> h.a <- t.a
--> h.b <- t.b
--> u.a <- s.a

-- hana
CREATE OR REPLACE PROCEDURE "c"."load" (IN d DATE, OUT n INTEGER) LANGUAGE SQLSCRIPT SQL SECURITY INVOKER READS SQL DATA AS BEGIN DECLARE m INTEGER DEFAULT 0; a = SELECT k, SUM(v) AS v FROM "c"."s" WHERE day = :d GROUP BY k; b = SELECT a.k, a.v, r.name FROM :a AS a LEFT OUTER JOIN "c"."r" AS r ON a.k = r.k; SELECT MAX(v) INTO m FROM :b; IF :m > 10 THEN INSERT INTO "c"."t" (k, v, n, m) SELECT k, v, name, :m FROM :b; END IF; n = :m + 1; INSERT INTO "c"."u" (n) VALUES (:n); END; MERGE DELTA OF "c"."t"; CREATE VIEW w AS SELECT TOP 10 k, ADD_DAYS(d, 1) AS d FROM "c"."s", DUMMY WITH STRUCTURED PRIVILEGE CHECK
--> c.t.k <- c.s.k
--> c.t.v <- c.s.v
--> c.t.n <- c.r.name
--> c.t.m <- c.s.v
--> c.u.n <- c.s.v
--> w.k <- c.s.k
--> w.d <- c.s.d

-- mysql
CREATE DEFINER=`root`@`%` EVENT `e` ON SCHEDULE EVERY 1 DAY DO INSERT INTO h (a) SELECT id FROM t; ALTER EVENT e ON SCHEDULE EVERY 2 DAY DO INSERT INTO h (b) SELECT id FROM t; ALTER EVENT e RENAME TO f; DROP EVENT IF EXISTS f
--> h.a <- t.id
--> h.b <- t.id

-- mysql
DELIMITER $$ CREATE PROCEDURE p(IN x INT) BEGIN
  INSERT INTO t (a) SELECT b FROM s WHERE k = x; INSERT INTO t (c) SELECT d FROM s;
END$$ DELIMITER ;
DELIMITER // CREATE PROCEDURE q() BEGIN SELECT e FROM s; END // DELIMITER;
INSERT INTO u (a) SELECT b FROM s
--> t.a <- s.b
--> t.c <- s.d
--> q.e <- s.e
--> u.a <- s.b

-- mysql
/*!40101 SET NAMES utf8mb4 */; CREATE TABLE `t` (`a` INT, `b` TEXT) ENGINE=InnoDB /*!50100 PARTITION BY HASH (`a`) PARTITIONS 4 */; /*!40000 ALTER TABLE `t` DISABLE KEYS */; INSERT INTO `t` SELECT x, '/*!1 y */' FROM s;
/*!50001 CREATE VIEW `v` AS SELECT 1 AS `id`*/;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `g` AFTER INSERT ON `t` FOR EACH ROW BEGIN
  INSERT INTO log (k) /* of the row */ VALUES (NEW.a);
END */;;
DELIMITER ;
/*!50001 DROP VIEW IF EXISTS `v`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `v` AS SELECT `t`.`a` AS `id` FROM `t` */;
SELECT /*! STRAIGHT_JOIN */ c FROM u
--> t.a <- s.x
--> log.k <- t.a
--> v.id <- t.a
--> <sql>.c <- u.c

-- oracle
SELECT t.obj.attr.area() AS x, t.obj.far(t.k) AS y, hr.pkg.f(t.a) AS f FROM objs t; INSERT INTO TABLE(SELECT d.emps FROM dept d WHERE d.id = 1) SELECT e.id, e.n AS n FROM emp e
--> <sql>.x <- objs.obj
--> <sql>.y <- objs.k, objs.obj
--> <sql>.f <- objs.a
--> dept.emps <- emp.id, emp.n

-- postgres
DO $$ BEGIN PERFORM pg_advisory_xact_lock(1); PERFORM set_config('a.b', 'x', TRUE); INSERT INTO t (a) SELECT b FROM s; PERFORM setval('q', (SELECT MAX(a) FROM t)); PERFORM pg_catalog.pg_notify('done', 't'); END $$
--> t.a <- s.b

-- postgres
CREATE TABLE m (id INT, v INT); CREATE TABLE m_1 (CHECK (id < 2)) INHERITS (m); CREATE TABLE m_2 (extra INT) INHERITS (m); INSERT INTO m_1 (id, v) SELECT a, b FROM s; INSERT INTO m_2 SELECT c, d, e FROM r; SELECT id, v FROM m; SELECT * FROM m_2
--> m.id <- m_1.id, m_2.id
--> m.v <- m_1.v, m_2.v
--> m_1.id <- s.a
--> m_1.v <- s.b
--> m_2.id <- r.c
--> m_2.v <- r.d
--> m_2.extra <- r.e
--> <sql>.id <- m.id
--> <sql>.v <- m.v
--> <sql> 2.id <- m_2.id
--> <sql> 2.v <- m_2.v
--> <sql> 2.extra <- m_2.extra

-- oracle partial
DECLARE n VARCHAR2(9) := '${suffix}'; BEGIN EXECUTE IMMEDIATE 'INSERT INTO ${core}.t (a, b) SELECT s.x, ''${day}'' FROM ${core}.s WHERE s.d = ''${day}'''; EXECUTE IMMEDIATE 'INSERT INTO u_' || n || ' (a) SELECT x FROM s'; END;
--> _core__.t.a <- _core__.s.x
--> u__suffix__.a <- s.x

-- teradata
#!/bin/ksh
bteq <<EOF
.LOGON h/u,p
INSERT INTO t (a) SEL b FROM s;
.IF ERRORCODE <> 0 THEN .QUIT 8
INSERT INTO t (c) SEL d FROM s;
.QUIT 0
EOF
fastload <<EOF
DATABASE stg; SESSIONS 4; ERRLIMIT 1;
RECORD 2;
SET RECORD VARTEXT "|";
DEFINE k (VARCHAR(30)), v (VARCHAR(30), NULLIF = '')
FILE = /in/x.dat;
BEGIN LOADING stg.x ERRORFILES stg.e1, stg.e2 CHECKPOINT 1000;
INSERT INTO stg.x (a, b) VALUES (:v, :k);
INSERT INTO stg.y.*;
END LOADING;
LOGOFF;
EOF
echo done
--> t.a <- s.b
--> t.c <- s.d
--> stg.x.a <- /in/x.dat.v
--> stg.x.b <- /in/x.dat.k
--> stg.y.k <- /in/x.dat.k
--> stg.y.v <- /in/x.dat.v

-- oracle
sqlplus -s u <<EOF
WHENEVER SQLERROR EXIT 1
INSERT INTO t (a) SELECT b FROM s;
EXIT;
EOF
sqlplus -s u <<EOF
INSERT INTO u (a) SELECT b FROM s;
EXIT
EOF
--> t.a <- s.b
--> u.a <- s.b

-- oracle
BEGIN INSERT INTO log (a, b, c, d, e) SELECT s.x, DBMS_UTILITY.FORMAT_ERROR_STACK, sys.dbms_utility.format_error_backtrace, $$PLSQL_UNIT, UTL_INADDR.GET_HOST_NAME FROM s; END;
--> log.a <- s.x

-- oracle partial
CREATE TABLE t (k NUMBER, v NUMBER); CREATE TABLE s (k NUMBER, v NUMBER); ALTER TABLE t ADD PARTITION p2 VALUES (TO_DATE('20240101', 'yyyymmdd')); INSERT /*+ APPEND */ INTO s (k, v) SELECT r.k, NVL(TRIM(r.v), '-') FROM r; ALTER TABLE t EXCHANGE PARTITION p2 WITH TABLE s EXCLUDING INDEXES; ALTER TABLE t EXCHANGE SUBPARTITION p3 WITH TABLE q; INSERT INTO archive SELECT k, v FROM s; ALTER TABLE t DROP PARTITION p2 UPDATE GLOBAL INDEXES; ALTER TABLE t SPLIT PARTITION p1 VALUES ('x') INTO (PARTITION p2, PARTITION p3); ALTER TABLE t TRUNCATE PARTITION FOR ('x') REUSE STORAGE; ALTER TABLE t SET INTERVAL (NUMTOYMINTERVAL(1, 'month')); ALTER TABLE t READ ONLY; ALTER VIEW w COMPILE; ALTER PACKAGE p COMPILE BODY
--> s.k <- r.k, t.k
--> s.v <- r.v, t.v
--> t.k <- s.k
--> t.v <- s.v
--> q.k <- t.k
--> q.v <- t.v
--> t.* <- q.*
--> archive.k <- s.k
--> archive.v <- s.v

-- mysql
ALTER TABLE t ADD PARTITION (PARTITION p5 VALUES LESS THAN (2010)); ALTER TABLE t DROP PARTITION p0, p1; ALTER TABLE t REORGANIZE PARTITION p0 INTO (PARTITION n0 VALUES LESS THAN (1970)); ALTER TABLE t REMOVE PARTITIONING; ALTER TABLE t DISABLE KEYS; INSERT INTO t (a) SELECT b FROM s; ALTER TABLE t ENABLE KEYS; ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4; ALTER DATABASE d CHARACTER SET utf8; ALTER EVENT e DISABLE
--> t.a <- s.b

-- db2 partial
ALTER TABLE t ATTACH PARTITION p STARTING FROM ('2020') ENDING AT ('2021') FROM TABLE u; SET INTEGRITY FOR t IMMEDIATE CHECKED; ALTER TABLE t ADD PARTITION p STARTING '2021' ENDING '2022' INCLUSIVE; ALTER TABLE t APPEND ON; ALTER TABLE t PCTFREE 10; ALTER TABLE t ALTER COLUMN a RESTART WITH 1
--> t.* <- u.*

-- postgres
SELECT max, case_of, lower, n FROM (SELECT MAX(a), s.doc::text AS case_of, LOWER(s.b), (SELECT MIN(q.n) AS n FROM q) FROM s GROUP BY 2, 3) AS x; SELECT sum, "case", k FROM (SELECT SUM(v) OVER (ORDER BY d), CASE WHEN e > 1 THEN f END, CASE WHEN e > 1 THEN f ELSE k END FROM s) AS x
--> <sql>.max <- s.a
--> <sql>.case_of <- s.doc
--> <sql>.lower <- s.b
--> <sql>.n <- q.n
--> <sql> 2.sum <- s.v
--> <sql> 2.case <- s.f
--> <sql> 2.k <- s.f, s.k

-- postgres
CREATE TABLE t AS SELECT s.k, e.*, r.* FROM s, jsonb_each(s.doc) AS e, json_array_elements_text(s.list) AS r; SELECT s.k, generate_series AS n, ARRAY(SELECT * FROM generate_series(s.a, s.b)) AS hours FROM generate_series(1, 3), s
--> t.k <- s.k
--> t.key <- s.doc
--> t.value <- s.doc
--> t.VALUE 2 <- s.list
--> <sql>.k <- s.k
--> <sql>.hours <- s.a, s.b

-- clickhouse partial
SELECT COLUMNS(a, b) FROM s; SELECT k, COLUMNS('^x') FROM s; INSERT INTO t SELECT * EXCEPT (k) APPLY(c -> toString(c)) FROM r
--> <sql>.a <- s.a
--> <sql>.b <- s.b
--> <sql> 2.k <- s.k
--> <sql> 2.* <- s.*
--> t.* <- r.*

-- clickhouse
WITH [1, 2] AS wanted, x + 1 AS y SELECT a, y * 2 AS z, if(k IN wanted, b, 0) AS f FROM s WHERE y > 3; WITH (SELECT max(d) FROM q) AS last SELECT a, last FROM s WHERE e < last
--> <sql>.a <- s.a
--> <sql>.z <- s.x
--> <sql>.f <- s.b
--> <sql> 2.a <- s.a
--> <sql> 2.last <- q.d

-- tsql
SELECT d.name, k.[RANK] AS r FROM dbo.docs AS d JOIN CONTAINSTABLE(dbo.docs, (title, body), 'x') AS k ON d.id = k.[KEY]; SELECT f.[KEY] AS id FROM FREETEXTTABLE(dbo.docs, *, 'x', 10) AS f
--> <sql>.name <- dbo.docs.name
--> <sql>.r <- dbo.docs.body, dbo.docs.title
--> <sql> 2.id <- dbo.docs.*

-- mysql
INSERT INTO t (a, b) VALUES ((SELECT MAX(x) FROM s), 2) AS n ON DUPLICATE KEY UPDATE c = n.a + t.d; INSERT INTO u (a, b) VALUES ((SELECT MAX(x) FROM s), 2) AS n(p, q) ON DUPLICATE KEY UPDATE c = p, d = n.q + e
--> t.a <- s.x
--> t.c <- s.x, t.d
--> u.a <- s.x
--> u.c <- s.x
--> u.d <- u.e

-- bigquery
DECLARE d DATE DEFAULT CURRENT_DATE(); CREATE TABLE a.e AS SELECT x, ts FROM a.s; INSERT INTO m.daily (day, n) SELECT d, x FROM a.e WHERE DATE(ts) = d
--> a.e.x <- a.s.x
--> a.e.ts <- a.s.ts
--> m.daily.n <- a.e.x

-- snowflake
CREATE PROCEDURE p() RETURNS TABLE (a VARCHAR, b NUMBER) LANGUAGE SQL AS $$ DECLARE rs RESULTSET; BEGIN rs := (SELECT x, y FROM s); rs := (SELECT z, w FROM r); INSERT INTO t (a) SELECT q FROM u; RETURN TABLE(rs); EXCEPTION WHEN OTHER THEN RETURN TABLE(rs); END $$
--> p.a <- r.z, s.x
--> p.b <- r.w, s.y
--> t.a <- u.q

-- snowflake
CREATE TABLE m.h AS SELECT id, SYS_CONNECT_BY_PATH(name, '/') AS p, LEVEL AS l, LEVEL + 1 AS m FROM d.tree START WITH parent IS NULL CONNECT BY PRIOR id = parent AND LEVEL < 9; SELECT LEVEL AS k FROM d.t
--> m.h.id <- d.tree.id
--> m.h.p <- d.tree.name
--> <sql>.k <- d.t.LEVEL

-- bigquery
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) t.k, SUM(t.v) AS v FROM ds.t AS t GROUP BY t.k
--> <sql>.k <- ds.t.k
--> <sql>.v <- ds.t.v

-- bigquery
CREATE TABLE ds.n (k INT64, v STRING); CREATE TABLE ds.o (k INT64, v STRING); SELECT IF(n.k IS NULL, o, n).v AS v, STRUCT(n.k AS x, o.v AS y).y AS y, (SELECT AS STRUCT r.a, r.b FROM ds.r WHERE r.k = n.k).b AS b FROM ds.o o FULL JOIN ds.n n USING (k)
--> <sql>.v <- ds.n.v, ds.o.v
--> <sql>.y <- ds.o.v
--> <sql>.b <- ds.r.b

-- spark
SELECT k, MAX(STRUCT(ts, v)).v AS last, named_struct('x', a, 'y', b).y AS y FROM s GROUP BY k
--> <sql>.k <- s.k
--> <sql>.last <- s.v
--> <sql>.y <- s.b

-- trino
SELECT f.x FROM TABLE(score(input => TABLE(SELECT p, q FROM s), k => 1)) AS f
--> <sql>.x <- s.p, s.q

-- bigquery
SELECT o.id, (SELECT SUM(i.price) FROM o.items AS i WHERE i.kind = o.kind) AS total, ARRAY(SELECT tag FROM o.tags AS tag) AS tags FROM ds.orders AS o
--> <sql>.id <- ds.orders.id
--> <sql>.total <- ds.orders.items
--> <sql>.tags <- ds.orders.tags

-- bigquery
CREATE TABLE ds.src (k INT64, v STRING, ts INT64); CREATE TABLE ds.a AS SELECT AS VALUE ARRAY_AGG(s ORDER BY s.ts DESC LIMIT 1)[OFFSET(0)] FROM ds.src s GROUP BY s.k; CREATE TABLE ds.b AS SELECT AS VALUE STRUCT(a.v AS w, a.ts) FROM ds.a a; SELECT w FROM ds.b
--> ds.a.k <- ds.src.k
--> ds.a.v <- ds.src.v
--> ds.a.ts <- ds.src.ts
--> ds.b.w <- ds.a.v
--> ds.b.ts <- ds.a.ts
--> <sql>.w <- ds.b.w

-- bigquery partial
SELECT b.v FROM ds.a AS a JOIN (SELECT AS VALUE ANY_VALUE(s) FROM ds.src AS s GROUP BY s.k) AS b ON a.k = b.k
--> <sql>.v <- ds.src.v

-- bigquery
CREATE TABLE ds.ref (k INT64); CREATE TABLE ds.src (k INT64, v STRING); SELECT (SELECT AS STRUCT t.*, 1 AS one) AS s, ARRAY(SELECT AS STRUCT t.v, r.* FROM ds.ref AS r WHERE r.k = t.k) AS z FROM ds.src AS t
--> <sql>.s <- ds.src.k, ds.src.v
--> <sql>.z <- ds.ref.k, ds.src.v

-- tsql
CREATE TABLE dbo.src (k INT, v INT); SELECT x.k, x.v FROM dbo.src AS s CROSS APPLY (SELECT s.*, 1 AS one) AS x
--> <sql>.k <- dbo.src.k
--> <sql>.v <- dbo.src.v

-- redshift
SELECT t.k, e, n, val, name FROM t, t.items AS e AT n, UNPIVOT t.doc AS val AT name
--> <sql>.k <- t.k
--> <sql>.e <- t.items
--> <sql>.val <- t.doc
--> <sql>.name <- t.doc

-- tsql
SELECT CASE WHEN k !< 1 THEN v WHEN k !> 0 THEN 'x' END AS w FROM v
--> <sql>.w <- v.v

-- tsql
INSERT INTO archive (k, v) SELECT gone.k, r.v FROM (DELETE FROM live OUTPUT deleted.k WHERE live.d < '2020-01-01') AS gone JOIN ref r ON r.k = gone.k
--> archive.k <- live.k
--> archive.v <- ref.v

-- tsql
INSERT INTO log (k, was, became) SELECT * FROM (UPDATE live SET v = s.v OUTPUT inserted.k, deleted.v AS was, inserted.v FROM live JOIN s ON s.k = live.k) AS u; INSERT INTO keys (k) SELECT n FROM (INSERT INTO live (k) OUTPUT inserted.k SELECT q FROM w) AS i (n)
--> live.v <- s.v
--> log.k <- live.k
--> log.was <- live.v
--> log.became <- s.v
--> live.k <- w.q
--> keys.k <- w.q

-- teradata
SELECT s.a (DATE FORMAT 'YYYY-MM-DD') AS a, s.b (CHAR(12), UC) AS b, CAST(s.c AS VARCHAR(9) CHARACTER SET UNICODE NOT CASESPECIFIC) AS c, CASE WHEN s.d = 'x' (NOT CS) THEN s.e END AS e, MAX (s.title) AS t, (s.f) cs FROM s
--> <sql>.a <- s.a
--> <sql>.b <- s.b
--> <sql>.c <- s.c
--> <sql>.e <- s.e
--> <sql>.t <- s.title
--> <sql>.cs <- s.f

-- oracle
DECLARE o NUMBER; n NUMBER; BEGIN UPDATE emp SET sal = pay RETURNING OLD sal, NEW sal INTO o, n; INSERT INTO log (was, became) VALUES (o, n); END;
--> emp.sal <- emp.pay
--> log.was <- emp.sal
--> log.became <- emp.pay

-- clickhouse
CREATE DICTIONARY d (k UInt64, v String) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY $$SELECT a AS k, b AS v FROM src$$)) LAYOUT(FLAT()) LIFETIME(0); SELECT dictGet('d', 'v', t.k) AS v FROM t JOIN src ON src.a = t.k
--> d.k <- src.a
--> d.v <- src.b
--> <sql>.v <- d.v, t.k

-- hive
INSERT INTO t (a, b, c) SELECT json_tuple(doc, 'a', 'b'), k FROM s
--> t.a <- s.doc
--> t.b <- s.doc
--> t.c <- s.k

-- hive
SELECT k, p.* FROM s LATERAL VIEW json_tuple(doc, 'a', 'b') p; SELECT q.c1 FROM s LATERAL VIEW parse_url_tuple(url, 'HOST', 'PATH') q
--> <sql>.k <- s.k
--> <sql>.c0 <- s.doc
--> <sql>.c1 <- s.doc
--> <sql> 2.c1 <- s.url

-- spark
SELECT k, stack(2, 'x', s.x, 'y', s.y) AS (name, amount) FROM s; SELECT u.name, u.amount FROM s LATERAL VIEW stack(2, 'x', s.x, 'y', s.y) u AS name, amount
--> <sql>.k <- s.k
--> <sql>.amount <- s.x, s.y
--> <sql> 2.amount <- s.x, s.y

-- spark
CREATE TABLE u AS SELECT posexplode(tags), k FROM s; CREATE TABLE w AS SELECT explode(map(s.k, s.v)) FROM s; SELECT col FROM u; SELECT key, value FROM w
--> u.col <- s.tags
--> u.k <- s.k
--> w.key <- s.k, s.v
--> w.value <- s.k, s.v
--> <sql>.col <- u.col
--> <sql> 2.key <- w.key
--> <sql> 2.value <- w.value

-- spark partial
CREATE TABLE j USING jdbc OPTIONS (url 'jdbc:x', dbtable '(SELECT a, b FROM pub.t WHERE c = 1) q', user 'u'); CREATE OR REPLACE TEMPORARY VIEW w USING csv OPTIONS ('path' '/x.csv', 'header' 'true'); SELECT a AS k FROM w
--> <sql>.k <- /x.csv.a
--> j.a <- pub.t.a
--> j.b <- pub.t.b

-- spark partial
CREATE TABLE u AS SELECT inline(s.parts), s.k FROM s; INSERT INTO w (price) SELECT price FROM u
--> u.* <- s.parts
--> u.k <- s.k
--> u.price <- s.parts
--> w.price <- u.price

-- databricks
SELECT m.k, t.* FROM m, LATERAL posexplode(m.tags) t
--> <sql>.k <- m.k
--> <sql>.col <- m.tags

-- bigquery
CREATE TABLE ds.one AS SELECT STRUCT(s.a AS x, s.b AS y).*, (SELECT AS STRUCT r.c FROM ds.ref r WHERE r.k = s.k).*, s.k FROM ds.src s
--> ds.one.x <- ds.src.a
--> ds.one.y <- ds.src.b
--> ds.one.c <- ds.ref.c
--> ds.one.k <- ds.src.k

-- bigquery
CREATE TABLE ds.old (k INT64, v STRING); CREATE TABLE ds.new (k INT64, v STRING); CREATE TABLE ds.one AS SELECT IF(n.k IS NULL, o, n).* FROM ds.old o FULL JOIN ds.new n USING (k); CREATE TABLE ds.two AS SELECT v AS w FROM ds.one
--> ds.one.k <- ds.new.k, ds.old.k
--> ds.one.v <- ds.new.v, ds.old.v
--> ds.two.w <- ds.one.v

-- bigquery
CREATE TABLE ds.src (k INT64, v STRING, ts INT64); CREATE TABLE ds.last AS SELECT ARRAY_AGG(s ORDER BY s.ts DESC LIMIT 1)[OFFSET(0)].* EXCEPT (ts) FROM ds.src s GROUP BY s.k
--> ds.last.k <- ds.src.k
--> ds.last.v <- ds.src.v

-- bigquery
CREATE TABLE ds.src (k INT64, v STRING, ts INT64); CREATE TABLE ds.last AS SELECT s.k, ANY_VALUE(s.v HAVING MAX s.ts) AS v, ANY_VALUE(s HAVING MIN s.ts).* EXCEPT (k, v) FROM ds.src s GROUP BY s.k
--> ds.last.k <- ds.src.k
--> ds.last.v <- ds.src.v
--> ds.last.ts <- ds.src.ts

-- postgres partial
CREATE TABLE u AS SELECT t.k, (f(t.doc)).* FROM t; CREATE TABLE w AS SELECT part FROM u
--> u.k <- t.k
--> u.part <- t.doc
--> u.* <- t.doc
--> w.part <- u.part

-- postgres partial
SELECT (p).*, ((p).address).*, (p).name || (p.address).city AS w FROM person p
--> <sql>.* <- person.*, person.address
--> <sql>.w <- person.address, person.name

-- bigquery
SELECT o.customer.name AS n, item.sku, off FROM `my-proj.shop.orders` o, UNNEST(o.items) AS item WITH OFFSET AS off WHERE item.qty > 1
--> <sql>.n <- my-proj.shop.orders.customer
--> <sql>.sku <- my-proj.shop.orders.items

-- bigquery partial
SELECT * EXCEPT (a, b) REPLACE (UPPER(c) AS c) FROM my-proj.ds.t
--> <sql>.* <- my-proj.ds.t.*
--> <sql>.c <- my-proj.ds.t.c

-- bigquery
SELECT id, event_name, (SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'ga_session_id') AS sid FROM `p.analytics_1.events_*` WHERE _TABLE_SUFFIX BETWEEN '20240101' AND '20240131'
--> <sql>.event_name <- p.analytics_1.events_*.event_name
--> <sql>.sid <- p.analytics_1.events_*.event_params
--> <sql>.id <- p.analytics_1.events_*.id

-- bigquery
SELECT AS STRUCT a, b FROM t
--> <sql>.a <- t.a
--> <sql>.b <- t.b

-- bigquery
SELECT ARRAY_AGG(STRUCT(x AS a, y AS b) ORDER BY ts LIMIT 1)[OFFSET(0)].a AS first_a FROM t GROUP BY k
--> <sql>.first_a <- t.x

-- bigquery partial
SELECT t.* FROM (SELECT ARRAY_AGG(s ORDER BY ts DESC LIMIT 1)[OFFSET(0)] AS t FROM ds.src s GROUP BY s.id)
--> <sql>.* <- ds.src.*

-- bigquery
MERGE ds.tgt T USING (SELECT id, v FROM ds.src) S ON T.id = S.id WHEN MATCHED THEN UPDATE SET v = S.v WHEN NOT MATCHED BY TARGET THEN INSERT ROW WHEN NOT MATCHED BY SOURCE THEN DELETE
--> ds.tgt.id <- ds.src.id
--> ds.tgt.v <- ds.src.v

-- bigquery
SELECT * FROM (SELECT product, sales, quarter FROM ds.produce) PIVOT(SUM(sales) FOR quarter IN ('Q1', 'Q2' AS second))
--> <sql>.product <- ds.produce.product
--> <sql>.Q1 <- ds.produce.sales
--> <sql>.second <- ds.produce.sales

-- bigquery partial
SELECT * FROM ds.produce UNPIVOT(sales FOR quarter IN (q1 AS 'one', q2 AS 'two'))
--> <sql>.* <- ds.produce.*
--> <sql>.sales <- ds.produce.q1, ds.produce.q2

-- bigquery
CREATE TEMP TABLE tt AS SELECT a FROM ds.s; CREATE OR REPLACE TABLE ds.fin PARTITION BY DATE(ts) CLUSTER BY a AS SELECT a, CURRENT_TIMESTAMP() AS ts FROM tt;
--> ds.fin.a <- ds.s.a

-- bigquery
WITH RECURSIVE r AS (SELECT id, pid, 1 AS lvl FROM ds.h WHERE pid IS NULL UNION ALL SELECT h.id, h.pid, r.lvl + 1 FROM ds.h h JOIN r ON h.pid = r.id) SELECT * FROM r
--> <sql>.id <- ds.h.id
--> <sql>.pid <- ds.h.pid

-- bigquery
SELECT SAFE_CAST(a AS INT64) x, SAFE_DIVIDE(b, c) y, FORMAT_DATE('%Y', d) z, COUNTIF(e > 1) OVER (PARTITION BY f) w FROM ds.t
--> <sql>.x <- ds.t.a
--> <sql>.y <- ds.t.b, ds.t.c
--> <sql>.z <- ds.t.d

-- bigquery
SELECT id, COALESCE(JSON_VALUE(j, '$.a.b'), JSON_EXTRACT_SCALAR(j, '$.c')) AS v, j.payload.x AS px FROM ds.t
--> <sql>.id <- ds.t.id
--> <sql>.px <- ds.t.j
--> <sql>.v <- ds.t.j

-- bigquery partial
SELECT x, y FROM ds.a INNER JOIN ds.b USING (k) QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY b.ts DESC) = 1
--> <sql>.x <- ds.a.x, ds.b.x
--> <sql>.y <- ds.a.y, ds.b.y

-- bigquery
CREATE OR REPLACE VIEW `proj.ds.v` (c1, c2) OPTIONS(description="x") AS SELECT a, b FROM `proj`.`ds`.`t`
--> proj.ds.v.c1 <- proj.ds.t.a
--> proj.ds.v.c2 <- proj.ds.t.b

-- bigquery
UPDATE ds.t SET a = s.a, b = DEFAULT FROM ds.s s WHERE s.id = t.id
--> ds.t.a <- ds.s.a

-- bigquery
DELETE FROM ds.t WHERE id IN (SELECT id FROM ds.gone)

-- bigquery
INSERT ds.t (a, b) VALUES ((SELECT MAX(x) FROM ds.s), 'x'), (1, 'y')
--> ds.t.a <- ds.s.x

-- bigquery
SELECT k, APPROX_QUANTILES(v, 100)[OFFSET(50)] AS med, STRING_AGG(DISTINCT n, ',' ORDER BY n) AS ns, ANY_VALUE(u HAVING MAX ts) AS u FROM ds.t GROUP BY ROLLUP(k)
--> <sql>.k <- ds.t.k
--> <sql>.ns <- ds.t.n
--> <sql>.u <- ds.t.u
--> <sql>.med <- ds.t.v

-- bigquery
SELECT e, e.f FROM ds.t, t.arr AS e
--> <sql>.e <- ds.t.arr
--> <sql>.f <- ds.t.arr

-- bigquery
SELECT IF(a > 1, b, c) r, CASE a WHEN 1 THEN d ELSE e END s, NULLIF(f, '') t, GREATEST(g, h) u FROM ds.t
--> <sql>.r <- ds.t.b, ds.t.c
--> <sql>.s <- ds.t.d, ds.t.e
--> <sql>.t <- ds.t.f
--> <sql>.u <- ds.t.g, ds.t.h

-- bigquery
SELECT (SELECT AS STRUCT t.a, t.b) AS st, [t.c, t.d] AS arr, ARRAY(SELECT x FROM UNNEST(t.xs) AS x WHERE x > 1) AS big FROM ds.t t
--> <sql>.st <- ds.t.a, ds.t.b
--> <sql>.arr <- ds.t.c, ds.t.d
--> <sql>.big <- ds.t.xs

-- bigquery
FROM ds.t |> WHERE a > 1 |> AGGREGATE SUM(b) AS s GROUP BY c |> ORDER BY s
--> <sql>.s <- ds.t.b
--> <sql>.c <- ds.t.c

-- bigquery
EXPORT DATA OPTIONS(uri='gs://b/*.csv', format='CSV') AS SELECT a FROM ds.t
--> gs://b/*.csv.a <- ds.t.a

-- bigquery partial
CREATE OR REPLACE TABLE ds.c CLONE ds.t; CREATE SNAPSHOT TABLE ds.s CLONE ds.t;
--> ds.c.* <- ds.t.*
--> ds.s.* <- ds.t.*

-- bigquery
CREATE MATERIALIZED VIEW ds.mv AS SELECT k, SUM(v) AS v FROM ds.t GROUP BY k
--> ds.mv.k <- ds.t.k
--> ds.mv.v <- ds.t.v

-- bigquery
INSERT INTO ds.t SELECT a, b FROM ds.s EXCEPT DISTINCT SELECT a, b FROM ds.u
--> ds.t.a <- ds.s.a
--> ds.t.b <- ds.s.b

-- bigquery
SELECT FORMAT('%s-%s', a, b) AS f, TO_HEX(MD5(CONCAT(COALESCE(CAST(c AS STRING), ''), '|', COALESCE(d, '')))) AS sk FROM ds.t
--> <sql>.f <- ds.t.a, ds.t.b
--> <sql>.sk <- ds.t.c, ds.t.d

-- bigquery partial
SELECT ml_generate_text_result AS r FROM ML.GENERATE_TEXT(MODEL ds.m3, (SELECT id, CONCAT('x', txt) AS prompt FROM ds.rev), STRUCT(TRUE AS flatten_json_output))
--> <sql>.r <- ds.m3.*, ds.rev.id, ds.rev.txt

-- bigquery
FOR r IN (SELECT id, nm FROM ds.lst) DO INSERT INTO ds.o3 (n) VALUES (r.nm); END FOR; INSERT INTO ds.o4 (n) SELECT r.nm FROM ds.t
--> ds.o3.n <- ds.lst.nm
--> ds.o4.n <- ds.t.r

-- bigquery partial
SELECT (SELECT SUM(e.k * b) FROM UNNEST(a) AS e) AS x FROM ds.s AS s
--> <sql>.x <- ds.s.a, ds.s.b

-- bigquery
SELECT STRUCT(a AS k, b AS l).k AS x, (SELECT AS STRUCT a, b).a AS y, STRUCT(STRUCT(c AS m, d AS n) AS o).o.n AS z FROM ds.s AS s
--> <sql>.x <- ds.s.a
--> <sql>.y <- ds.s.a
--> <sql>.z <- ds.s.d

-- bigquery partial
FROM ds.t |> AS u |> WHERE u.a = 1 |> SELECT u.a, u.b |> DISTINCT; FROM ds.t |> CALL ds.tvf(1) |> SELECT a
--> <sql> 2.a <- ds.t.*, ds.tvf.a
--> <sql>.a <- ds.t.a
--> <sql>.b <- ds.t.b

-- bigquery
CREATE OR REPLACE EXTERNAL TABLE ds.ext2 (a INT64, b STRUCT<c STRING>) OPTIONS (uris = ['gs://b/y/*', 'gs://b/z/*'], format = 'PARQUET'); SELECT b.c FROM ds.ext2
--> <sql>.c <- ds.ext2.b
--> ds.ext2.a <- gs://b/y/*.a, gs://b/z/*.a
--> ds.ext2.b <- gs://b/y/*.b, gs://b/z/*.b

-- bigquery
DECLARE tables ARRAY<STRING>; DECLARE i INT64 DEFAULT 0; SET tables = ['a', 'b']; WHILE i < ARRAY_LENGTH(tables) DO EXECUTE IMMEDIATE FORMAT('INSERT INTO ds.all_%s (x) SELECT x FROM ds.src_%s', tables[OFFSET(i)], tables[OFFSET(i)]); SET i = i + 1; END WHILE; FOR r IN (SELECT t FROM UNNEST(['k', 'l']) AS t) DO EXECUTE IMMEDIATE 'INSERT INTO ds.z (x) SELECT x FROM ds.s_' || r.t; END FOR
--> ds.all_a.x <- ds.src_a.x
--> ds.all_b.x <- ds.src_b.x
--> ds.z.x <- ds.s_k.x, ds.s_l.x

-- bigquery
UPDATE ds.t SET rec.fld = s.x, rec.b = s.y, a = s.z FROM ds.s s WHERE s.k = t.k; MERGE INTO ds.u q USING ds.s s ON q.k = s.k WHEN MATCHED THEN UPDATE SET q.a = s.a, nested.b = s.b, q.nested.c = 1
--> ds.t.a <- ds.s.z
--> ds.t.rec <- ds.s.x, ds.s.y, ds.t.rec
--> ds.u.a <- ds.s.a
--> ds.u.nested <- ds.s.b, ds.u.nested

-- bigquery
LOAD DATA INTO ds.t2 (a INT64, b DATE) PARTITION BY b FROM FILES (format = 'PARQUET', uris = ['gs://b/a', 'gs://b/c']) WITH PARTITION COLUMNS (d DATE); CREATE MODEL ds.m3 REMOTE WITH CONNECTION `us.c` OPTIONS (endpoint = 'g'); DROP SNAPSHOT TABLE ds.x
--> ds.t2.a <- gs://b/a.a, gs://b/c.a
--> ds.t2.b <- gs://b/a.b, gs://b/c.b
--> ds.t2.d <- gs://b/a.d, gs://b/c.d

-- bigquery
FROM ds.t |> WITH w AS (SELECT a, b FROM ds.q) |> JOIN w USING (a) |> SELECT w.b; FROM ds.t |> ASSERT a > 1, 'x' |> SELECT a
--> <sql> 2.a <- ds.t.a
--> <sql>.b <- ds.q.b

-- bigquery partial
CREATE TABLE ds.o AS FROM ds.t AS q |> WHERE x = 1 |> SET a = b + 1, c = 2 |> EXTEND q.d AS e |> DROP x |> RENAME f AS g |> SELECT q.a, e, g, h
--> ds.o.a <- ds.t.b
--> ds.o.e <- ds.t.d
--> ds.o.g <- ds.t.f
--> ds.o.h <- ds.t.h

-- bigquery partial
CREATE SNAPSHOT TABLE ds.snap CLONE ds.u FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP() OPTIONS (description = 'x')
--> ds.snap.* <- ds.u.*

-- bigquery
SELECT (SELECT value FROM UNNEST(hits.customDimensions) WHERE index = 5) AS cd, hits.page.pagePath AS p, _TABLE_SUFFIX AS d FROM `p.d.ga_sessions_*`, UNNEST(hits) AS hits
--> <sql>.cd <- p.d.ga_sessions_*.hits
--> <sql>.d <- p.d.ga_sessions_*._TABLE_SUFFIX
--> <sql>.p <- p.d.ga_sessions_*.hits

-- bigquery partial
LOAD DATA INTO ds.t FROM FILES (format='CSV', uris=['gs://b/f.csv'])
--> ds.t.* <- gs://b/f.csv.*

-- bigquery
SELECT LAST_VALUE(x IGNORE NULLS) OVER w AS l FROM ds.t WINDOW w AS (PARTITION BY k ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
--> <sql>.l <- ds.t.x

-- bigquery
BEGIN TRANSACTION; INSERT INTO ds.x SELECT a FROM ds.y; COMMIT TRANSACTION;
--> ds.x.a <- ds.y.a

-- bigquery
SELECT DISTINCT AS STRUCT a FROM ds.t
--> <sql>.a <- ds.t.a

-- bigquery partial
SELECT * FROM ds.a TABLESAMPLE SYSTEM (10 PERCENT)
--> <sql>.* <- ds.a.*

-- bigquery
SELECT t.key, t.v FROM UNNEST([STRUCT('a' AS key, 1 AS v), ('b', 2)]) t

-- bigquery
SELECT p.id, c.nm FROM ds.p p LEFT JOIN ds.c c ON c.pid = p.id AND c.kind = 'x' WHERE EXISTS (SELECT 1 FROM ds.z z WHERE z.id = p.id)
--> <sql>.nm <- ds.c.nm
--> <sql>.id <- ds.p.id

-- bigquery
CREATE OR REPLACE TABLE `p`.`d`.`sessions` PARTITION BY session_date CLUSTER BY user_id AS WITH ev AS (SELECT user_pseudo_id, (SELECT ep.value.int_value FROM UNNEST(event_params) ep WHERE ep.key = 'ga_session_id') AS session_id, event_timestamp, event_name, traffic_source.source AS src FROM `p.analytics.events_*` WHERE _TABLE_SUFFIX >= FORMAT_DATE('%Y%m%d', DATE_SUB(CURRENT_DATE(), INTERVAL 3 DAY))), agg AS (SELECT user_pseudo_id, session_id, MIN(event_timestamp) AS start_ts, COUNTIF(event_name = 'purchase') AS purchases, ARRAY_AGG(src IGNORE NULLS ORDER BY event_timestamp LIMIT 1)[SAFE_OFFSET(0)] AS first_src FROM ev GROUP BY 1, 2) SELECT DATE(TIMESTAMP_MICROS(start_ts)) AS session_date, user_pseudo_id AS user_id, session_id, purchases > 0 AS converted, first_src FROM agg
--> p.d.sessions.session_id <- p.analytics.events_*.event_params
--> p.d.sessions.session_date <- p.analytics.events_*.event_timestamp
--> p.d.sessions.first_src <- p.analytics.events_*.traffic_source
--> p.d.sessions.user_id <- p.analytics.events_*.user_pseudo_id

-- bigquery partial
SELECT * FROM ds.a LEFT JOIN ds.b USING (id) LEFT JOIN ds.c ON c.id = a.id AND c.dt = (SELECT MAX(dt) FROM ds.c)
--> <sql>.* <- ds.a.*, ds.b.*, ds.c.*

-- bigquery
SELECT id, ARRAY(SELECT AS STRUCT x.sku, x.qty * p.price AS total FROM UNNEST(o.items) x JOIN ds.prices p ON p.sku = x.sku) AS lines FROM ds.orders o
--> <sql>.id <- ds.orders.id
--> <sql>.lines <- ds.orders.items, ds.prices.price

-- bigquery partial
MERGE `p.d.dim` t USING (SELECT s.*, NULL AS k FROM ds.s s UNION ALL SELECT s.*, s.id AS k FROM ds.s s JOIN `p.d.dim` d ON d.id = s.id WHERE d.cur AND d.h != s.h) s ON t.id = s.k WHEN MATCHED THEN UPDATE SET cur = FALSE, valid_to = CURRENT_TIMESTAMP() WHEN NOT MATCHED THEN INSERT (id, h, cur) VALUES (s.id, s.h, TRUE)
--> p.d.dim.h <- ds.s.h
--> p.d.dim.id <- ds.s.id

-- bigquery
INSERT INTO ds.t (a) SELECT x FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', '2024-12-31')) AS x

-- bigquery
SELECT t.a, s.* EXCEPT (k), s.k + 1 AS k2 FROM ds.t t JOIN (SELECT k, v, w FROM ds.s) s ON s.k = t.k
--> <sql>.k2 <- ds.s.k
--> <sql>.v <- ds.s.v
--> <sql>.w <- ds.s.w
--> <sql>.a <- ds.t.a

-- bigquery
SELECT PARSE_DATE('%Y%m%d', event_date) d, TIMESTAMP_TRUNC(ts, HOUR) h, DATE_DIFF(d1, d2, DAY) dd, REGEXP_EXTRACT(u, r'^/(.*)') p, SPLIT(x, ',')[SAFE_OFFSET(0)] s0, LOGICAL_OR(b) lo FROM ds.t GROUP BY ALL
--> <sql>.lo <- ds.t.b
--> <sql>.dd <- ds.t.d1, ds.t.d2
--> <sql>.d <- ds.t.event_date
--> <sql>.h <- ds.t.ts
--> <sql>.p <- ds.t.u
--> <sql>.s0 <- ds.t.x

-- bigquery partial
SELECT a FROM ds.t1, ds.t2 WHERE t1.id = t2.id AND t2.x IN UNNEST([1, 2])
--> <sql>.a <- ds.t1.a, ds.t2.a

-- bigquery
SELECT * FROM UNNEST(['a', 'b']) AS letter WITH OFFSET pos

-- bigquery
SELECT a.*, b.x AS bx FROM (SELECT 1 AS p, 2 AS q) a, ds.b b
--> <sql>.bx <- ds.b.x

-- oracle
SELECT e.name, d.dname FROM emp e, dept d WHERE e.deptno = d.deptno(+) AND d.kind(+) = 'x' AND e.sal > 10
--> <sql>.dname <- dept.dname
--> <sql>.name <- emp.name

-- oracle
SELECT DECODE(a, 1, b, 2, c, d) x, NVL2(e, f, g) y, NVL(h, i) z, LNNVL(k = 1) q, TO_CHAR(dt, 'YYYY') w FROM t
--> <sql>.x <- t.b, t.c, t.d
--> <sql>.w <- t.dt
--> <sql>.y <- t.f, t.g
--> <sql>.z <- t.h, t.i

-- oracle
SELECT ROWNUM rn, t.* FROM (SELECT a, b FROM s ORDER BY a) t WHERE ROWNUM <= 10
--> <sql>.a <- s.a
--> <sql>.b <- s.b

-- oracle
SELECT 'x', SYSDATE, USER, seq.NEXTVAL FROM dual

-- oracle
SELECT /*+ PARALLEL(t 4) INDEX(t idx) */ a, q'[it's]' AS b FROM t
--> <sql>.a <- t.a

-- oracle
INSERT /*+ APPEND */ INTO tgt (a, b) SELECT x, y FROM src
--> tgt.a <- src.x
--> tgt.b <- src.y

-- oracle
SELECT a FROM t AS OF TIMESTAMP (SYSTIMESTAMP - INTERVAL '1' DAY) WHERE b = 1
--> <sql>.a <- t.a

-- oracle
CREATE OR REPLACE FORCE VIEW v (a, b) AS SELECT x, y FROM t WITH READ ONLY
--> v.a <- t.x
--> v.b <- t.y

-- oracle
CREATE MATERIALIZED VIEW mv BUILD IMMEDIATE REFRESH FAST ON COMMIT AS SELECT a, COUNT(*) c FROM t GROUP BY a
--> mv.a <- t.a

-- oracle
CREATE GLOBAL TEMPORARY TABLE gtt ON COMMIT PRESERVE ROWS AS SELECT a FROM t
--> gtt.a <- t.a

-- oracle
UPDATE t SET (a, b) = (SELECT s.x, s.y FROM s WHERE s.id = t.id) WHERE EXISTS (SELECT 1 FROM s WHERE s.id = t.id)
--> t.a <- s.x
--> t.b <- s.y

-- oracle
UPDATE (SELECT t.a AS ta, s.a AS sa FROM t JOIN s ON t.id = s.id) SET ta = sa
--> t.a <- s.a

-- oracle
DELETE FROM t WHERE (a, b) IN (SELECT x, y FROM s)

-- oracle
SELECT LISTAGG(name, ',') WITHIN GROUP (ORDER BY id) names, MAX(sal) KEEP (DENSE_RANK FIRST ORDER BY dt) m, RATIO_TO_REPORT(sal) OVER (PARTITION BY d) r FROM emp GROUP BY dept
--> <sql>.names <- emp.name
--> <sql>.m <- emp.sal
--> <sql>.r <- emp.sal

-- oracle
SELECT * FROM (SELECT a, m, v FROM t) PIVOT (SUM(v) AS s, MAX(v) AS mx FOR m IN ('JAN' AS jan, 'FEB' AS feb))
--> <sql>.a <- t.a
--> <sql>.feb_mx <- t.v
--> <sql>.feb_s <- t.v
--> <sql>.jan_mx <- t.v
--> <sql>.jan_s <- t.v

-- oracle partial
SELECT a, m, v FROM t UNPIVOT INCLUDE NULLS (v FOR m IN (jan AS 'JAN', feb AS 'FEB'))
--> <sql>.a <- t.a
--> <sql>.v <- t.feb, t.jan

-- oracle
WITH r (id, lvl) AS (SELECT id, 1 FROM t WHERE p IS NULL UNION ALL SELECT t.id, r.lvl + 1 FROM t JOIN r ON t.p = r.id) SEARCH DEPTH FIRST BY id SET o CYCLE id SET c TO 1 DEFAULT 0 SELECT id, lvl FROM r
--> <sql>.id <- t.id

-- oracle
SELECT x.a, x.b FROM t, XMLTABLE('/r/i' PASSING t.doc COLUMNS a VARCHAR2(10) PATH 'a', b NUMBER PATH 'b') x
--> <sql>.a <- t.doc
--> <sql>.b <- t.doc

-- oracle
SELECT jt.name FROM t, JSON_TABLE(t.doc, '$.items[*]' COLUMNS (name VARCHAR2(20) PATH '$.name')) jt
--> <sql>.name <- t.doc

-- oracle
SELECT t.a, c.column_value FROM t, TABLE(t.list) c
--> <sql>.a <- t.a
--> <sql>.column_value <- t.list

-- oracle
SELECT a, b FROM s MINUS SELECT a, b FROM u
--> <sql>.a <- s.a
--> <sql>.b <- s.b

-- oracle partial
INSERT INTO t SELECT * FROM s@remote_db
--> t.* <- s@remote_db.*

-- oracle
SELECT a FROM schema1.t PARTITION (p2024) x WHERE x.b = :bind1
--> <sql>.a <- schema1.t.a

-- oracle
MERGE INTO t USING (SELECT id, v FROM s) s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET t.v = s.v WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v)
--> t.id <- s.id
--> t.v <- s.v

-- oracle
SELECT CAST(MULTISET(SELECT x FROM u WHERE u.k = t.k) AS list_t) l, CURSOR(SELECT y FROM u2) c FROM t
--> <sql>.l <- u.x
--> <sql>.c <- u2.y

-- oracle
SELECT a || '-' || b AS k, TRUNC(d, 'MM') m, ADD_MONTHS(d, 1) n, EXTRACT(YEAR FROM d) y, d + 1 AS nxt, REGEXP_SUBSTR(s, '[^,]+', 1, 2) r FROM t
--> <sql>.k <- t.a, t.b
--> <sql>.m <- t.d
--> <sql>.n <- t.d
--> <sql>.nxt <- t.d
--> <sql>.y <- t.d
--> <sql>.r <- t.s

-- oracle
SELECT LAG(x, 1) OVER (PARTITION BY k ORDER BY d) p, ROW_NUMBER() OVER (ORDER BY d) r FROM t FETCH FIRST 5 ROWS ONLY
--> <sql>.p <- t.x

-- oracle
SELECT t.a FROM t CROSS APPLY (SELECT s.b FROM s WHERE s.id = t.id) x WHERE x.b = 1
--> <sql>.a <- t.a

-- oracle
SELECT level AS n FROM dual CONNECT BY level <= 10

-- oracle
CREATE TABLE t2 NOLOGGING PARALLEL 4 AS SELECT a, b FROM t1
--> t2.a <- t1.a
--> t2.b <- t1.b

-- oracle
RENAME old_t TO new_t; SELECT a FROM new_t
--> <sql>.a <- new_t.a
--> new_t.* <- old_t.*
--> new_t.a <- old_t.a

-- oracle
SELECT CASE WHEN a = 1 THEN b ELSE c END x, COALESCE(d, e) y, GREATEST(f, g) z, NULLIF(h, 0) w FROM t
--> <sql>.x <- t.b, t.c
--> <sql>.y <- t.d, t.e
--> <sql>.z <- t.f, t.g
--> <sql>.w <- t.h

-- oracle
SELECT (SELECT MAX(s.x) FROM s WHERE s.id = t.id) m, t.b FROM t WHERE t.c NOT IN (SELECT c FROM u)
--> <sql>.m <- s.x
--> <sql>.b <- t.b

-- oracle
SELECT a.x, b.y FROM a, b, c WHERE a.id = b.id(+) AND b.k = c.k(+)
--> <sql>.x <- a.x
--> <sql>.y <- b.y

-- oracle partial
SELECT * FROM (SELECT t.*, ROW_NUMBER() OVER (PARTITION BY id ORDER BY dt DESC) rn FROM t) WHERE rn = 1
--> <sql>.* <- t.*

-- oracle
INSERT ALL INTO a (x) VALUES (p) INTO b (y) VALUES (q) SELECT p, q FROM s
--> a.x <- s.p
--> b.y <- s.q

-- oracle
INSERT INTO t (id, a) VALUES (seq.NEXTVAL, (SELECT MAX(x) FROM s))
--> t.a <- s.x

-- oracle
MERGE INTO dim d USING (SELECT s.id, s.nm, ORA_HASH(s.nm) h FROM stg s LEFT JOIN dim x ON x.id = s.id) s ON (d.id = s.id AND d.cur = 'Y') WHEN MATCHED THEN UPDATE SET d.cur = 'N', d.valid_to = SYSDATE WHERE d.h <> s.h WHEN NOT MATCHED THEN INSERT (d.id, d.nm, d.cur) VALUES (s.id, s.nm, 'Y')
--> dim.id <- stg.id
--> dim.nm <- stg.nm

-- oracle
SELECT t.id, LTRIM(SYS_CONNECT_BY_PATH(t.nm, ','), ',') p, CONNECT_BY_ISLEAF l FROM t START WITH t.p IS NULL CONNECT BY NOCYCLE PRIOR t.id = t.p
--> <sql>.id <- t.id
--> <sql>.p <- t.nm

-- postgres partial
SELECT x.nm, y.z FROM t, LATERAL (SELECT t.*) x, LATERAL (SELECT (t.doc).*, u.* FROM u WHERE u.k = x.k) y
--> <sql>.nm <- t.nm
--> <sql>.z <- t.doc, u.z

-- postgres
CREATE TYPE place AS (street text, town text); CREATE TABLE homes OF place; INSERT INTO homes SELECT a, b FROM s; CREATE TABLE firm (id int, seat place, shops place[]); SELECT (f.seat).*, id FROM firm f; CREATE TABLE w AS SELECT x.* FROM firm, unnest(shops) x; CREATE VIEW v AS SELECT l.town FROM firm f, LATERAL (SELECT (f.seat).*) l; INSERT INTO homes SELECT (seat).* FROM firm
--> homes.street <- firm.seat, s.a
--> homes.town <- firm.seat, s.b
--> <sql>.street <- firm.seat
--> <sql>.town <- firm.seat
--> <sql>.id <- firm.id
--> w.street <- firm.shops
--> w.town <- firm.shops
--> v.town <- firm.seat

-- duckdb
CREATE TABLE n (id INT, spot STRUCT(x INT, y INT), area STRUCT(name VARCHAR, "At" STRUCT(p INT, q INT)), hops STRUCT(k INT, v INT)[]); CREATE TABLE w AS SELECT unnest(spot), id FROM n; SELECT y FROM w; SELECT d."P" AS z, d.name FROM (SELECT unnest(area, recursive := true) FROM n) d; SELECT k FROM (SELECT unnest(hops, recursive := true) FROM n)
--> w.x <- n.spot
--> w.y <- n.spot
--> w.id <- n.id
--> <sql>.y <- w.y
--> <sql> 2.z <- n.area
--> <sql> 2.name <- n.area
--> <sql> 3.k <- n.hops

-- postgres
WITH RECURSIVE g AS MATERIALIZED (SELECT i, k FROM j UNION ALL SELECT j.i, j.k FROM g, j WHERE j.i = g.k) SEARCH BREADTH FIRST BY i, k SET place CYCLE i, k SET again USING way SELECT i, again, way, place FROM g
--> <sql>.i <- j.i
--> <sql>.way <- j.i, j.k
--> <sql>.place <- j.i, j.k

-- oracle
WITH g (i, k) AS (SELECT a, b FROM j UNION ALL SELECT j.a, j.b FROM g, j WHERE j.a = g.k) SEARCH DEPTH FIRST BY i DESC NULLS LAST, k SET place CYCLE i SET again TO 'Y' DEFAULT 'N' SELECT k, again, place FROM g ORDER BY place
--> <sql>.k <- j.b
--> <sql>.place <- j.a, j.b

-- duckdb partial
CREATE TABLE w AS PIVOT s ON t USING SUM(a) GROUP BY k ORDER BY k LIMIT 5; WITH q AS (FROM w) UNPIVOT q ON "1", "2" INTO NAME m VALUE v ORDER BY v
--> w.k <- s.k
--> w.* <- s.a
--> w.1 <- s.a
--> w.2 <- s.a
--> <sql>.k <- w.k
--> <sql>.v <- w.1, w.2
--> <sql>.* <- w.*

-- postgres
INSERT INTO shops (id, place.town, hours[1], place.street) SELECT k, t, h, r FROM d; WITH n AS (SELECT k, h FROM d) INSERT INTO shops (id, hours[2]) SELECT k, h FROM n
--> shops.id <- d.k
--> shops.place <- d.r, d.t
--> shops.hours <- d.h

-- postgres
CREATE FUNCTION f(n INT) RETURNS TABLE (x INT, y TEXT) LANGUAGE sql AS 'SELECT v, w FROM r WHERE k = $1'; CREATE TABLE t AS SELECT z.q, z.p FROM s, f(s.id) AS z(p, q)
--> f.x <- r.v
--> f.y <- r.w
--> t.q <- f.y
--> t.p <- f.x

-- tsql
CREATE FUNCTION dbo.f(@k INT) RETURNS TABLE AS RETURN (SELECT v, w FROM dbo.r WHERE k = @k)
GO
SELECT s.a, z.q INTO dbo.t FROM dbo.s CROSS APPLY dbo.f(s.id) AS z(p, q)
--> dbo.f.v <- dbo.r.v
--> dbo.f.w <- dbo.r.w
--> dbo.t.a <- dbo.s.a
--> dbo.t.q <- dbo.f.w

-- postgres
CREATE TYPE pair AS (l TEXT, r TEXT); CREATE FUNCTION mk(a TEXT) RETURNS pair LANGUAGE sql AS 'SELECT ROW(a, (SELECT max(w) FROM p))::pair'; CREATE TABLE t AS SELECT x.r FROM s, mk(s.v) x
--> mk.ROW <- p.w
--> t.r <- mk.ROW, s.v

-- oracle
SELECT x.* FROM t, LATERAL (SELECT s.a FROM s WHERE s.id = t.id) x
--> <sql>.a <- s.a

-- oracle
CREATE TABLE t AS SELECT /*+ FULL(s) */ CAST(a AS NUMBER(10,2)) a, TO_DATE(b, 'YYYYMMDD') b, SUBSTR(c, 1, 3) || LPAD(d, 5, '0') k FROM s WHERE ROWNUM < 10
--> t.a <- s.a
--> t.b <- s.b
--> t.k <- s.c, s.d

-- oracle
SELECT deptno, XMLAGG(XMLELEMENT(e, ename || ',')).EXTRACT('//text()') names FROM emp GROUP BY deptno
--> <sql>.deptno <- emp.deptno
--> <sql>.names <- emp.ename

-- oracle partial
ALTER TABLE t EXCHANGE PARTITION p1 WITH TABLE s INCLUDING INDEXES
--> t.* <- s.*
--> s.* <- t.*

-- oracle
SELECT MAX(a) KEEP (DENSE_RANK LAST ORDER BY b) OVER (PARTITION BY c) m FROM t
--> <sql>.m <- t.a

-- oracle
CREATE OR REPLACE VIEW "Mixed"."View" ("A b") AS SELECT "x Y" FROM "Sch"."Tab"
--> Mixed.View.A b <- Sch.Tab.x Y

-- oracle partial
SELECT * FROM a NATURAL JOIN b
--> <sql>.* <- a.*, b.*

-- oracle
UPDATE t SET t.a = (SELECT s.a FROM s WHERE s.id = t.id), t.b = 'x' WHERE t.c IN (SELECT c FROM u)
--> t.a <- s.a

-- oracle
SELECT CASE WHEN a.x > 1 THEN (SELECT b.y FROM b WHERE b.id = a.id) ELSE NVL(a.z, 0) END v FROM a
--> <sql>.v <- a.z, b.y

-- tsql
SELECT TOP (10) PERCENT WITH TIES a, b FROM dbo.t WITH (NOLOCK) ORDER BY c
--> <sql>.a <- dbo.t.a
--> <sql>.b <- dbo.t.b

-- tsql
SELECT o.id, l.total FROM Orders o OUTER APPLY (SELECT TOP 1 x.total FROM Lines x WHERE x.oid = o.id ORDER BY x.d DESC) l
--> <sql>.total <- Lines.total
--> <sql>.id <- Orders.id

-- tsql
SELECT a, b INTO #t FROM dbo.s WHERE c = 1;
INSERT INTO dbo.u (x, y) SELECT a, b FROM #t;
DROP TABLE #t;
--> dbo.u.x <- dbo.s.a
--> dbo.u.y <- dbo.s.b

-- tsql
UPDATE t SET t.a = s.a, t.b += s.b FROM dbo.tgt AS t INNER JOIN dbo.src AS s ON s.id = t.id WHERE s.f = 1
--> dbo.tgt.a <- dbo.src.a
--> dbo.tgt.b <- dbo.src.b, dbo.tgt.b

-- tsql
DELETE t FROM dbo.tgt t JOIN dbo.src s ON s.id = t.id

-- tsql
SELECT * FROM (SELECT cust, mon, amt FROM dbo.sales) s PIVOT (SUM(amt) FOR mon IN ([Jan], [Feb])) AS p
--> <sql>.Feb <- dbo.sales.amt
--> <sql>.Jan <- dbo.sales.amt
--> <sql>.cust <- dbo.sales.cust

-- tsql partial
SELECT cust, mon, amt FROM dbo.wide UNPIVOT (amt FOR mon IN ([Jan], [Feb])) u
--> <sql>.amt <- dbo.wide.Feb, dbo.wide.Jan
--> <sql>.cust <- dbo.wide.cust

-- tsql
SELECT j.id, j.nm FROM dbo.t CROSS APPLY OPENJSON(t.doc, '$.items') WITH (id INT '$.id', nm NVARCHAR(50) '$.name') j
--> <sql>.id <- dbo.t.doc
--> <sql>.nm <- dbo.t.doc

-- tsql
SELECT j.[key], j.value FROM dbo.t CROSS APPLY OPENJSON(t.doc) j
--> <sql>.key <- dbo.t.doc
--> <sql>.value <- dbo.t.doc

-- tsql
SELECT STUFF((SELECT ',' + x.name FROM dbo.x x WHERE x.id = t.id FOR XML PATH('')), 1, 1, '') AS names FROM dbo.t t
--> <sql>.names <- dbo.x.name

-- tsql
SELECT a FROM dbo.t FOR XML AUTO
--> <sql>.a <- dbo.t.a

-- tsql
SELECT [Order ID] AS [Id], N'x' AS [Kind], [t].[My Col] FROM [db].[dbo].[My Table] AS [t]
--> <sql>.My Col <- db.dbo.My Table.My Col
--> <sql>.Id <- db.dbo.My Table.Order ID

-- tsql
SELECT IIF(a > 1, b, c) x, TRY_CONVERT(INT, d) y, CONVERT(VARCHAR(10), e, 120) z, ISNULL(f, g) w, CHOOSE(h, i, j) v, LEN(k) l FROM t
--> <sql>.x <- t.b, t.c
--> <sql>.y <- t.d
--> <sql>.z <- t.e
--> <sql>.w <- t.f, t.g
--> <sql>.v <- t.h, t.i, t.j
--> <sql>.l <- t.k

-- tsql
WITH c AS (SELECT a, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d DESC) rn FROM dbo.s) INSERT INTO dbo.t (a) SELECT a FROM c WHERE rn = 1
--> dbo.t.a <- dbo.s.a

-- tsql partial
;WITH d AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) rn FROM dbo.t) DELETE FROM d WHERE rn > 1

-- tsql
WITH c AS (SELECT t.a, s.b FROM dbo.t t JOIN dbo.s s ON s.id = t.id) UPDATE c SET a = b
--> dbo.t.a <- dbo.s.b

-- tsql
MERGE dbo.tgt WITH (HOLDLOCK) AS t USING (SELECT id, v FROM dbo.src) AS s ON t.id = s.id WHEN MATCHED AND t.v <> s.v THEN UPDATE SET v = s.v WHEN NOT MATCHED BY TARGET THEN INSERT (id, v) VALUES (s.id, s.v) WHEN NOT MATCHED BY SOURCE THEN DELETE;
--> dbo.tgt.id <- dbo.src.id
--> dbo.tgt.v <- dbo.src.v

-- tsql
CREATE VIEW dbo.v WITH SCHEMABINDING AS SELECT a, b FROM dbo.t
--> dbo.v.a <- dbo.t.a
--> dbo.v.b <- dbo.t.b

-- tsql
SELECT a = t.x, b = t.y + 1 FROM t
--> <sql>.a <- t.x
--> <sql>.b <- t.y

-- tsql
SELECT t.a FROM dbo.t FOR SYSTEM_TIME AS OF '2024-01-01' AS t
--> <sql>.a <- dbo.t.a

-- tsql
SELECT value FROM STRING_SPLIT('a,b', ',')

-- tsql
SELECT s.value, t.id FROM dbo.t t CROSS APPLY STRING_SPLIT(t.tags, ',') s
--> <sql>.id <- dbo.t.id
--> <sql>.value <- dbo.t.tags

-- tsql
SELECT DATEADD(day, 1, d) x, DATEDIFF(month, a, b) y, GETDATE() z, EOMONTH(e) w, FORMAT(f, 'yyyy') v, CAST(g AS DECIMAL(10,2)) h FROM t
--> <sql>.y <- t.a, t.b
--> <sql>.x <- t.d
--> <sql>.w <- t.e
--> <sql>.v <- t.f
--> <sql>.h <- t.g

-- tsql
SELECT a, SUM(b) OVER (PARTITION BY c ORDER BY d ROWS UNBOUNDED PRECEDING) s, STRING_AGG(x, ',') WITHIN GROUP (ORDER BY y) g FROM t GROUP BY a
--> <sql>.a <- t.a
--> <sql>.s <- t.b
--> <sql>.g <- t.x

-- tsql
SELECT a FROM t1 UNION SELECT b FROM t2 EXCEPT SELECT c FROM t3
--> <sql>.a <- t1.a, t2.b

-- tsql
INSERT INTO dbo.t (a, b) VALUES (1, 'x'), ((SELECT MAX(z) FROM dbo.s), 'y')
--> dbo.t.a <- dbo.s.z

-- tsql
SELECT x.a, y.b FROM dbo.x x CROSS JOIN (VALUES (1, 'p'), (2, 'q')) AS y(k, b) WHERE x.k = y.k
--> <sql>.a <- dbo.x.a

-- tsql
CREATE TABLE #tmp (id INT, nm VARCHAR(10)); INSERT INTO #tmp SELECT id, name FROM dbo.s; SELECT nm FROM #tmp
--> <sql>.nm <- dbo.s.name

-- tsql partial
SELECT * FROM OPENROWSET(BULK N'https://x/y.parquet', FORMAT = 'PARQUET') AS r
--> <sql>.* <- https://x/y.parquet.*

-- tsql
SELECT a FROM srv.db.dbo.t OPTION (MAXDOP 1, RECOMPILE)
--> <sql>.a <- srv.db.dbo.t.a

-- tsql
SELECT a, b FROM t ORDER BY a OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY
--> <sql>.a <- t.a
--> <sql>.b <- t.b

-- tsql partial
ALTER TABLE dbo.t SWITCH PARTITION 1 TO dbo.t_old
--> dbo.t_old.* <- dbo.t.*

-- tsql
DECLARE @t TABLE (id INT, v INT); INSERT INTO @t SELECT id, v FROM dbo.s; UPDATE d SET v = t.v FROM dbo.d d JOIN @t t ON t.id = d.id
--> dbo.d.v <- dbo.s.v

-- tsql
SELECT CASE WHEN EXISTS (SELECT 1 FROM dbo.u WHERE u.id = t.id) THEN t.a ELSE t.b END AS c FROM dbo.t t
--> <sql>.c <- dbo.t.a, dbo.t.b

-- tsql
SELECT TOP 1 WITH TIES c.Id, c.Name FROM dbo.C c ORDER BY ROW_NUMBER() OVER (PARTITION BY c.Id ORDER BY c.Dt DESC)
--> <sql>.Id <- dbo.C.Id
--> <sql>.Name <- dbo.C.Name

-- tsql
WITH a AS (SELECT x FROM dbo.s), b AS (SELECT x FROM a) MERGE INTO dbo.t AS t USING b ON b.x = t.x WHEN NOT MATCHED THEN INSERT (x) VALUES (b.x);
--> dbo.t.x <- dbo.s.x

-- tsql
INSERT INTO dbo.t WITH (TABLOCK) (a, b) SELECT a, b FROM dbo.s OPTION (RECOMPILE)
--> dbo.t.a <- dbo.s.a
--> dbo.t.b <- dbo.s.b

-- tsql
SELECT x.n.value('@id', 'int') AS id, x.n.value('(name)[1]', 'varchar(10)') nm FROM dbo.t CROSS APPLY t.doc.nodes('/r/i') AS x(n)
--> <sql>.id <- dbo.t.doc
--> <sql>.nm <- dbo.t.doc

-- tsql
SELECT p.[2020], p.[2021] FROM (SELECT yr, amt FROM dbo.s) src PIVOT (MAX(amt) FOR yr IN ([2020], [2021])) p
--> <sql>.2020 <- dbo.s.amt
--> <sql>.2021 <- dbo.s.amt

-- tsql
CREATE TABLE dbo.t2 (id INT IDENTITY(1,1), a INT, b AS (a * 2) PERSISTED, c DATETIME DEFAULT GETDATE()); INSERT INTO dbo.t2 (a) SELECT x FROM dbo.s
--> dbo.t2.a <- dbo.s.x
--> dbo.t2.b <- dbo.t2.a

-- tsql
UPDATE dbo.t SET a = (SELECT MAX(s.x) FROM dbo.s s WHERE s.id = dbo.t.id), b = CASE WHEN c IS NULL THEN 'n' ELSE d END WHERE e > 1
--> dbo.t.a <- dbo.s.x
--> dbo.t.b <- dbo.t.d

-- tsql
DELETE TOP (100) FROM dbo.t WHERE a IN (SELECT a FROM dbo.s)

-- tsql partial
SELECT * INTO dbo.backup_t FROM dbo.t
--> dbo.backup_t.* <- dbo.t.*

-- tsql
SELECT a FROM dbo.t AS t (a, b)
--> <sql>.a <- dbo.t.*

-- tsql
SELECT t.a, COUNT(*) OVER () AS n, SUM(t.b) AS s, GROUPING_ID(t.a) g FROM dbo.t t GROUP BY GROUPING SETS ((t.a), ())
--> <sql>.a <- dbo.t.a
--> <sql>.g <- dbo.t.a
--> <sql>.s <- dbo.t.b

-- tsql
SELECT ISNULL(a.x, b.x) AS x FROM dbo.a a FULL OUTER JOIN dbo.b b ON a.k = b.k
--> <sql>.x <- dbo.a.x, dbo.b.x

-- tsql
SELECT JSON_VALUE(doc, '$.a') a, JSON_QUERY(doc, '$.b') b, ISJSON(doc) j, NEWID() n, @@ROWCOUNT r, SCOPE_IDENTITY() i FROM dbo.t
--> <sql>.a <- dbo.t.doc
--> <sql>.b <- dbo.t.doc
--> <sql>.j <- dbo.t.doc

-- tsql
CREATE VIEW dbo.v AS WITH c AS (SELECT a FROM dbo.t) SELECT a FROM c UNION ALL SELECT b FROM dbo.u
--> dbo.v.a <- dbo.t.a, dbo.u.b

-- tsql
INSERT INTO dbo.t (a) SELECT a FROM (VALUES (1), (2)) v(a) WHERE NOT EXISTS (SELECT 1 FROM dbo.t x WHERE x.a = v.a)

-- snowflake
SELECT e.v:customer.name::STRING AS n, f.value:sku::INT AS sku, f.index, f.key, f.this FROM raw.ev e, LATERAL FLATTEN(INPUT => e.v:items, OUTER => TRUE) f
--> <sql>.INDEX <- raw.ev.v
--> <sql>.KEY <- raw.ev.v
--> <sql>.THIS <- raw.ev.v
--> <sql>.n <- raw.ev.v
--> <sql>.sku <- raw.ev.v

-- snowflake
SELECT t.$1 AS a, t.$2:x::int AS b, METADATA$FILENAME AS fn FROM @stage/path (FILE_FORMAT => 'ff') t
--> <sql>.a <- @stage/path.$1
--> <sql>.b <- @stage/path.$2
--> <sql>.fn <- @stage/path.METADATA$FILENAME

-- snowflake
COPY INTO db.t (a, b) FROM (SELECT $1, $2:x FROM @stg/f.json) FILE_FORMAT = (TYPE = JSON)
--> db.t.a <- @stg/f.json.$1
--> db.t.b <- @stg/f.json.$2

-- snowflake partial
COPY INTO db.t FROM @stg/f.csv FILE_FORMAT = (TYPE = CSV)
--> db.t.* <- @stg/f.csv.*

-- snowflake
COPY INTO @stg/out FROM (SELECT a, b FROM db.t) FILE_FORMAT = (TYPE = PARQUET)
--> @stg/out.a <- db.t.a
--> @stg/out.b <- db.t.b

-- snowflake partial
SELECT * EXCLUDE (a, b) FROM t
--> <sql>.* <- t.*

-- snowflake partial
SELECT * ILIKE '%id%' FROM t
--> <sql>.* <- t.*

-- snowflake partial
SELECT * EXCLUDE x RENAME (y AS z) FROM t
--> <sql>.* <- t.*
--> <sql>.z <- t.y

-- snowflake partial
SELECT t.* RENAME (a AS b), s.c FROM t JOIN s ON s.id = t.id
--> <sql>.b <- t.a
--> <sql>.c <- s.c
--> <sql>.* <- t.*

-- snowflake partial
CREATE TABLE c CLONE t; CREATE TABLE d LIKE t; CREATE OR REPLACE TRANSIENT TABLE e AS SELECT a FROM t;
--> c.* <- t.*
--> e.a <- t.a

-- snowflake
MERGE INTO tgt USING (SELECT id, v, METADATA$ACTION AS act, METADATA$ISUPDATE AS upd FROM my_stream) s ON tgt.id = s.id WHEN MATCHED AND s.act = 'DELETE' THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED AND s.act = 'INSERT' THEN INSERT (id, v) VALUES (s.id, s.v)
--> tgt.id <- my_stream.id
--> tgt.v <- my_stream.v

-- snowflake
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES FIRST(a) AS fa, LAST(b) AS lb PATTERN (x y+) DEFINE y AS y.p > x.p)
--> <sql>.fa <- t.a
--> <sql>.lb <- t.b
--> <sql>.k <- t.k

-- snowflake
SELECT t.a, q.p FROM t ASOF JOIN q MATCH_CONDITION (t.ts >= q.ts) ON t.s = q.s
--> <sql>.p <- q.p
--> <sql>.a <- t.a

-- snowflake
SELECT * FROM (SELECT k, m, v FROM t) PIVOT(SUM(v) FOR m IN ('J', 'F')) AS p (k, j, f)
--> <sql>.k <- t.k
--> <sql>.f <- t.v
--> <sql>.j <- t.v

-- snowflake partial
SELECT k, m, v FROM t UNPIVOT(v FOR m IN (j, f))
--> <sql>.v <- t.f, t.j
--> <sql>.k <- t.k

-- snowflake
SELECT a, IFF(b > 1, c, d) x, ZEROIFNULL(e) y, NVL2(f, g, h) z, TRY_TO_NUMBER(i) w, DIV0(j, k) q FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1
--> <sql>.a <- t.a
--> <sql>.x <- t.c, t.d
--> <sql>.y <- t.e
--> <sql>.z <- t.g, t.h
--> <sql>.w <- t.i
--> <sql>.q <- t.j, t.k

-- snowflake
INSERT OVERWRITE INTO t (a) SELECT b FROM s
--> t.a <- s.b

-- snowflake
SELECT OBJECT_CONSTRUCT('a', x, 'b', y) AS o, ARRAY_AGG(z) WITHIN GROUP (ORDER BY w) AS arr, OBJECT_CONSTRUCT(*) AS all_ FROM t GROUP BY o
--> <sql>.all_ <- t.*
--> <sql>.o <- t.x, t.y
--> <sql>.arr <- t.z

-- snowflake
SELECT seq4() AS n, UNIFORM(1, 10, RANDOM()) u FROM TABLE(GENERATOR(ROWCOUNT => 10))

-- snowflake
SELECT a FROM t AT (TIMESTAMP => '2024-01-01'::timestamp) b
--> <sql>.a <- t.a

-- snowflake
SELECT a FROM t BEFORE (STATEMENT => 'abc')
--> <sql>.a <- t.a

-- snowflake
CREATE OR REPLACE DYNAMIC TABLE dt TARGET_LAG = '1 minute' WAREHOUSE = wh AS SELECT a, b FROM t
--> dt.a <- t.a
--> dt.b <- t.b

-- snowflake
CREATE OR REPLACE VIEW v COPY GRANTS AS SELECT a AS b FROM t
--> v.b <- t.a

-- snowflake partial
CREATE STREAM s ON TABLE t; CREATE TASK tk WAREHOUSE = w SCHEDULE = '1 minute' AS INSERT INTO u SELECT a FROM t;
--> s.* <- t.*
--> u.a <- t.a

-- snowflake
SELECT $1, $2 FROM VALUES (1, 'a'), (2, 'b')

-- snowflake
SELECT column1 AS x, column2 AS y FROM (VALUES (1, 'a'))

-- snowflake
SELECT t.a, LAG(t.b) IGNORE NULLS OVER (PARTITION BY t.k ORDER BY t.ts) lb, CONDITIONAL_TRUE_EVENT(t.c > 1) OVER (PARTITION BY t.k ORDER BY t.ts) g FROM t
--> <sql>.a <- t.a
--> <sql>.lb <- t.b

-- snowflake
SELECT a AS b, b + 1 AS c FROM t WHERE b > 1
--> <sql>.b <- t.a
--> <sql>.c <- t.a

-- snowflake
SELECT GET(v, 'a') x, GET_PATH(v, 'a.b') y, PARSE_JSON(s):k::string z, v['a']['b'] w, v[0].c u FROM t
--> <sql>.z <- t.s
--> <sql>.u <- t.v
--> <sql>.w <- t.v
--> <sql>.x <- t.v
--> <sql>.y <- t.v

-- snowflake
SELECT TRANSFORM(arr, x -> x + 1) t1, FILTER(arr, y -> y:z > 1) t2, REDUCE(arr, 0, (acc, v) -> acc + v) t3 FROM t
--> <sql>.t1 <- t.arr
--> <sql>.t2 <- t.arr
--> <sql>.t3 <- t.arr

-- snowflake
USE DATABASE d1; USE SCHEMA s1; SELECT a FROM t
--> d1.s1.<sql>.a <- d1.s1.t.a

-- snowflake partial
ALTER TABLE a SWAP WITH b
--> b.* <- a.*
--> a.* <- b.*

-- snowflake
SELECT a FROM IDENTIFIER('db.t')
--> <sql>.a <- db.t.a

-- snowflake
UPDATE t SET a = s.a FROM s WHERE s.id = t.id
--> t.a <- s.a

-- snowflake
DELETE FROM t USING s WHERE s.id = t.id AND s.x = 1

-- snowflake partial
COPY INTO 's3://bucket/x' FROM dw.t FILE_FORMAT = (TYPE = CSV); SELECT relative_path FROM DIRECTORY(@st.stg); UNSET v
--> <sql>.relative_path <- @st.stg.relative_path
--> s3://bucket/x.* <- dw.t.*

-- snowflake partial
SELECT * FROM st.sales PIVOT (SUM(amt) FOR q IN (SELECT DISTINCT q FROM st.qs WHERE active)) AS p
--> <sql>.* <- st.sales.*, st.sales.amt

-- snowflake partial
CREATE OR REPLACE PROCEDURE etl.run(D STRING) RETURNS STRING LANGUAGE JAVASCRIPT AS $$
  // "DELETE FROM dw.never"
  var rs = snowflake.execute({sqlText: "INSERT INTO dw.a (x) SELECT it's FROM stg.none"});
  var ok = snowflake.execute({sqlText: "INSERT INTO dw.a (x) " + "SELECT y " +
    "FROM stg.b"});
  var cmd = `MERGE INTO dw.m t USING stg.n s
    ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v`;
  snowflake.createStatement({sqlText: "INSERT INTO dw.c SELECT z FROM " + D}).execute();
  snowflake.execute({sqlText: `INSERT INTO dw.d SELECT z FROM ${D}`});
  return 'ok';
$$
--> dw.a.x <- stg.b.y
--> dw.d.z <- etl._D__.z
--> dw.m.v <- stg.n.v

-- snowflake
CREATE OR REPLACE PROCEDURE p(tn STRING) RETURNS TABLE(a INT) LANGUAGE SQL AS DECLARE rs RESULTSET DEFAULT (EXECUTE IMMEDIATE 'SELECT a FROM dw.' || tn); c CURSOR FOR rs; BEGIN FOR r IN c DO INSERT INTO dw.t (z) VALUES (r.a); END FOR; END; CALL p('q')
--> dw.t.z <- dw.q.a

-- snowflake
CREATE OR REPLACE EXTERNAL TABLE ext.e (id INT AS (VALUE:c1::INT), nm VARCHAR AS (value:c2::VARCHAR) NOT NULL) LOCATION = @st.stg/path/ AUTO_REFRESH = TRUE FILE_FORMAT = (TYPE = PARQUET); INSERT INTO dw.o SELECT id, nm FROM ext.e
--> dw.o.id <- ext.e.id
--> dw.o.nm <- ext.e.nm
--> ext.e.VALUE <- @st.stg/path/.VALUE
--> ext.e.id <- @st.stg/path/.VALUE
--> ext.e.nm <- @st.stg/path/.VALUE

-- snowflake partial
CREATE OR REPLACE PROCEDURE etl.py() RETURNS STRING LANGUAGE PYTHON RUNTIME_VERSION = '3.8' HANDLER = 'main' AS $$
def main(session):
    session.sql("""INSERT INTO dw.c (y)
        SELECT x FROM stg.d""").collect()
    return 'ok'
$$
--> dw.c.y <- stg.d.x

-- snowflake
SELECT a, k FROM st.s ->> SELECT a + 1 AS b FROM $1 WHERE k = 2; SELECT id, PRIOR nm AS pn FROM st.h START WITH pid IS NULL CONNECT BY pid = PRIOR id; INSERT INTO dw.t SELECT a FROM st.s ->> SELECT * FROM $1
--> <sql> 2.id <- st.h.id
--> <sql> 2.pn <- st.h.nm
--> <sql>.b <- st.s.a
--> dw.t.a <- st.s.a

-- snowflake partial
CREATE TABLE dw.p AS SELECT * FROM (SELECT region, q, amt FROM st.sales) PIVOT (SUM(amt) FOR q IN (ANY ORDER BY q)); SELECT region, "'Q1'" FROM dw.p
--> <sql>.'Q1' <- dw.p.'Q1'
--> <sql>.region <- dw.p.region
--> dw.p.'Q1' <- st.sales.amt
--> dw.p.* <- st.sales.amt
--> dw.p.region <- st.sales.region

-- snowflake
SELECT a, b FROM t1 UNION ALL BY NAME SELECT b, a FROM t2
--> <sql>.a <- t1.a, t2.a
--> <sql>.b <- t1.b, t2.b

-- snowflake
SELECT HASH(*) h, MD5(CONCAT_WS('|', a, b)) m, SHA2(c) s FROM t
--> <sql>.h <- t.*
--> <sql>.m <- t.a, t.b
--> <sql>.s <- t.c

-- snowflake partial
WITH c AS (SELECT * FROM t) SELECT c.*, ROW_NUMBER() OVER (ORDER BY c.a) rn FROM c
--> <sql>.* <- t.*

-- snowflake
create or replace table dw.dim_customer as with src as (select $1:id::number as id, parse_json($1):name::string as name, metadata$filename as f from @raw.stage/customers/), dedup as (select * from src qualify row_number() over (partition by id order by f desc) = 1) select id, name, md5(coalesce(name, '')) as h from dedup
--> dw.dim_customer.h <- @raw.stage/customers/.$1
--> dw.dim_customer.id <- @raw.stage/customers/.$1
--> dw.dim_customer.name <- @raw.stage/customers/.$1

-- snowflake
select o.id, sum(i.value:qty::int * i.value:price::float) as total from raw.orders o, lateral flatten(input => parse_json(o.items)) i group by 1 having total > 10
--> <sql>.id <- raw.orders.id
--> <sql>.total <- raw.orders.items

-- snowflake partial
select * from a full outer join b using (id) where a.x is null
--> <sql>.* <- a.*, b.*

-- snowflake partial
select t.*, s.value as tag from t, table(split_to_table(t.tags, ',')) s
--> <sql>.* <- t.*
--> <sql>.tag <- t.tags

-- snowflake partial
select a, b from t, table(my_db.public.my_udtf(t.x)) 
--> <sql>.a <- my_db.public.my_udtf.a, t.a, t.x
--> <sql>.b <- my_db.public.my_udtf.b, t.b, t.x

-- snowflake
execute immediate $$ begin insert into t select a from s; end; $$
--> t.a <- s.a

-- snowflake
insert into t select a, b from s where a not in (select a from t)
--> t.a <- s.a
--> t.b <- s.b

-- snowflake
insert all when a > 1 then into t1 when a > 2 then into t2 (x) values (b) else into t3 select a, b from s
--> t1.a <- s.a
--> t3.a <- s.a
--> t1.b <- s.b
--> t2.x <- s.b
--> t3.b <- s.b

-- snowflake
select listagg(distinct a, ',') within group (order by a) l, array_agg(object_construct('x', b)) o, median(c) m, approx_percentile(d, 0.5) p from t group by all
--> <sql>.l <- t.a
--> <sql>.o <- t.b
--> <sql>.m <- t.c
--> <sql>.p <- t.d

-- snowflake
select last_value(a ignore nulls) over (partition by b order by c rows between unbounded preceding and 1 preceding) x from t
--> <sql>.x <- t.a

-- snowflake
select dateadd('day', 1, a) x, datediff(hour, b, c) y, to_varchar(d, 'YYYY') z, try_cast(e as int) w, regexp_substr(f, '[0-9]+') v from t
--> <sql>.x <- t.a
--> <sql>.y <- t.b, t.c
--> <sql>.z <- t.d
--> <sql>.w <- t.e
--> <sql>.v <- t.f

-- snowflake
merge into t using s on t.id = s.id when matched then update set t.a = s.a, t.b = coalesce(s.b, t.b) when not matched then insert values (s.id, s.a, s.b)
--> t.a <- s.a
--> t.b <- s.b, t.b
--> t.id <- s.id

-- snowflake
with recursive r as (select id, parent, array_construct(id) as path from t where parent is null union all select t.id, t.parent, array_append(r.path, t.id) from t join r on t.parent = r.id) select id, path from r
--> <sql>.id <- t.id
--> <sql>.path <- t.id

-- snowflake
select seq8() s, dateadd(day, row_number() over (order by null) - 1, '2024-01-01') d from table(generator(rowcount => 365))

-- snowflake
select iff(a in ('x', 'y'), b, null) c, decode(d, 1, e, f) g, nullifzero(h) i, equal_null(j, k) l from t
--> <sql>.c <- t.b
--> <sql>.g <- t.e, t.f
--> <sql>.i <- t.h
--> <sql>.l <- t.j, t.k

-- snowflake
create or replace temporary table tmp as select a from s; create or replace table fin as select a from tmp; drop table tmp;
--> fin.a <- s.a

-- snowflake partial
select a.id, b.* exclude (id) from a join b on a.id = b.id
--> <sql>.id <- a.id
--> <sql>.* <- b.*

-- snowflake
select v:a[0].b.c::string x, v:"Quoted Key" y, t.v:z.w::date w from t
--> <sql>.w <- t.v
--> <sql>.x <- t.v
--> <sql>.y <- t.v

-- snowflake
create view v (a comment 'x', b) as select x, y from t
--> v.a <- t.x
--> v.b <- t.y

-- snowflake
select sum(iff(a = 1, b, 0)) over (partition by c) x, count_if(d > 1) y, max_by(e, f) z, boolor_agg(g) w from t group by c, a, b
--> <sql>.x <- t.b
--> <sql>.z <- t.e
--> <sql>.w <- t.g

-- snowflake
update t set a = s.a from (select id, max(a) a from u group by id) s where s.id = t.id
--> t.a <- u.a

-- snowflake
copy into t from (select t.$1, to_date(t.$2), current_timestamp() from @s/x.csv.gz t) on_error = continue
--> t.t.$1 <- @s/x.csv.gz.$1
--> t.TO_DATE(t.$2) <- @s/x.csv.gz.$2

-- databricks
SELECT t.id, e.col, p.pos, p.v FROM t LATERAL VIEW explode(arr) e AS col LATERAL VIEW OUTER posexplode(arr2) p AS pos, v WHERE col > 1
--> <sql>.col <- t.arr
--> <sql>.v <- t.arr2
--> <sql>.id <- t.id

-- databricks
INSERT OVERWRITE TABLE db.t PARTITION (dt = '2024-01-01') SELECT a, b FROM s
--> db.t.a <- s.a
--> db.t.b <- s.b

-- databricks
INSERT OVERWRITE db.t PARTITION (dt) SELECT a, dt FROM s
--> db.t.a <- s.a
--> db.t.dt <- s.dt

-- databricks partial
MERGE INTO tgt t USING src s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *
--> tgt.* <- src.*

-- databricks
SELECT transform(arr, x -> x + y) a, filter(arr, (x, i) -> x > i) b, aggregate(arr, 0, (acc, x) -> acc + x) c, exists(arr, x -> x = z) d FROM t
--> <sql>.a <- t.arr, t.y
--> <sql>.b <- t.arr
--> <sql>.c <- t.arr

-- databricks
CREATE OR REPLACE TEMP VIEW v AS SELECT a FROM t; SELECT a FROM v
--> <sql>.a <- t.a

-- databricks
SELECT a FROM delta.`/mnt/x/y`; SELECT b FROM parquet.`s3://b/k`
--> <sql>.a <- /mnt/x/y.a
--> <sql> 2.b <- s3://b/k.b

-- databricks
CREATE TABLE t USING DELTA PARTITIONED BY (d) LOCATION '/x' AS SELECT a, d FROM s
--> t.a <- s.a
--> t.d <- s.d

-- databricks
SELECT explode(arr) AS e, stack(2, a, b) AS (x, y) FROM t
--> <sql>.x <- t.a, t.b
--> <sql>.y <- t.a, t.b
--> <sql>.e <- t.arr

-- databricks
SELECT from_json(j, 'a INT, b STRING').a AS a, j:x.y::int AS y, get_json_object(k, '$.z') z FROM t
--> <sql>.a <- t.j
--> <sql>.y <- t.j
--> <sql>.z <- t.k

-- databricks partial
SELECT * FROM t VERSION AS OF 3
--> <sql>.* <- t.*

-- databricks partial
SELECT * EXCEPT (a) FROM t
--> <sql>.* <- t.*

-- databricks
CREATE OR REFRESH STREAMING TABLE st AS SELECT a FROM STREAM(src)
--> st.a <- src.a

-- databricks
CREATE OR REFRESH LIVE TABLE lt AS SELECT a FROM LIVE.src
--> lt.a <- src.a

-- databricks partial
COPY INTO t FROM '/mnt/x' FILEFORMAT = CSV
--> t.* <- /mnt/x.*

-- databricks
INSERT INTO t BY NAME SELECT b AS a FROM s
--> t.a <- s.b

-- databricks
CACHE TABLE c AS SELECT a FROM t; SELECT a FROM c
--> <sql>.a <- t.a

-- databricks
SELECT t.a FROM t LEFT SEMI JOIN s ON t.id = s.id AND s.x = 1
--> <sql>.a <- t.a

-- databricks
SELECT named_struct('a', x, 'b', y).a q, map('k', z)['k'] w, array(u, v)[0] r FROM t
--> <sql>.r <- t.u, t.v
--> <sql>.q <- t.x
--> <sql>.w <- t.z

-- databricks partial
SELECT inline(arr) FROM t
--> <sql>.* <- t.arr

-- databricks partial
SELECT * FROM t PIVOT (sum(v) AS s FOR m IN ('J' AS j, 'F' AS f))
--> <sql>.* <- t.*
--> <sql>.f <- t.v
--> <sql>.j <- t.v

-- databricks
SELECT id, x.* FROM t LATERAL VIEW inline(structs) x AS a, b
--> <sql>.id <- t.id
--> <sql>.a <- t.structs
--> <sql>.b <- t.structs

-- databricks
SELECT s.st.a, s.st.b.c FROM db.s s
--> <sql>.a <- db.s.st
--> <sql>.c <- db.s.st

-- databricks
SELECT window.start, window.end AS we, SUM(v) AS sv FROM t GROUP BY window(ts, '10 minutes'); CREATE FLOW f2 AS INSERT INTO tgt3 BY NAME SELECT a FROM STREAM(s3); INSERT OVERWRITE DIRECTORY '/out' USING CSV OPTIONS ('a' = 'b') SELECT a FROM t
--> /out.a <- t.a
--> <sql>.start <- t.ts
--> <sql>.sv <- t.v
--> <sql>.we <- t.ts
--> tgt3.a <- s3.a

-- databricks
CREATE GLOBAL TEMP VIEW gv AS SELECT a FROM s; CREATE TABLE o AS SELECT a FROM global_temp.gv; CREATE STREAMING TABLE st5 AS SELECT b FROM STREAM cloud_files('/mnt/x', 'csv')
--> o.a <- s.a
--> st5.b <- /mnt/x.b

-- databricks
BEGIN FOR r AS SELECT explode(array('g','h')) AS t DO EXECUTE IMMEDIATE 'INSERT INTO o (x) SELECT x FROM s_' || r.t; END FOR; END
--> o.x <- s_g.x, s_h.x

-- databricks
CREATE TABLE t (id INT); SELECT id, _metadata.file_path AS p FROM t
--> <sql>.id <- t.id

-- databricks partial
COPY INTO delta.`/mnt/d` FROM 's3://b/x' WITH (CREDENTIAL c) FILEFORMAT = PARQUET FILES = ('a', 'b'); SELECT id, _change_type FROM table_changes('sch.t', 2, 5); ALTER TABLE t ALTER COLUMN a SET MASK f; CALL cat.system.rewrite_data_files(table => 'x')
--> /mnt/d.* <- s3://b/x.*
--> <sql>._change_type <- sch.t._change_type
--> <sql>.id <- sch.t.id

-- databricks partial
CREATE TABLE t2 USING DELTA LOCATION '/mnt/x'; INSERT INTO t2 SELECT b AS a FROM q; SELECT a FROM t2; INSERT INTO t9 TABLE s
--> /mnt/x.a <- q.b
--> <sql>.a <- t2.a
--> t2.* <- /mnt/x.*
--> t9.* <- s.*

-- databricks
create or replace table g.dim as select distinct id, first(name, true) over (partition by id order by ts desc) as name, coalesce(a, b, c) d from b.src where id is not null
--> g.dim.d <- b.src.a, b.src.b, b.src.c
--> g.dim.id <- b.src.id
--> g.dim.name <- b.src.name

-- databricks
with x as (select explode(from_json(j, 'array<struct<a:int,b:string>>')) as e, id from raw.t) select id, e.a, e.b from x
--> <sql>.id <- raw.t.id
--> <sql>.a <- raw.t.j
--> <sql>.b <- raw.t.j

-- databricks
insert into g.t select /*+ repartition(4) */ a.id, sum(b.v) filter (where b.k = 1) as s from a left join b on a.id = b.id group by a.id having count(*) > 1
--> g.t.id <- a.id
--> g.t.s <- b.v

-- databricks
merge into g.t as t using (select id, v, row_number() over (partition by id order by ts desc) rn from s) as s on t.id = s.id and s.rn = 1 when matched and t.v <> s.v then update set t.v = s.v, t.u = current_timestamp() when not matched by target then insert (id, v) values (s.id, s.v) when not matched by source then update set t.del = true
--> g.t.id <- s.id
--> g.t.v <- s.v

-- databricks
select id, arr[0].x as x0, m['k'].y as my, size(arr) n, array_contains(arr2, z) c, element_at(m, 'q') q, map_keys(m) mk from t
--> <sql>.n <- t.arr
--> <sql>.x0 <- t.arr
--> <sql>.c <- t.arr2, t.z
--> <sql>.id <- t.id
--> <sql>.mk <- t.m
--> <sql>.my <- t.m
--> <sql>.q <- t.m

-- databricks
select * from (select a, b from t) unpivot (v for k in (a, b))
--> <sql>.v <- t.a, t.b

-- databricks
select t.id, c.* from t lateral view json_tuple(t.j, 'a', 'b') c as a, b
--> <sql>.id <- t.id
--> <sql>.a <- t.j
--> <sql>.b <- t.j

-- databricks partial
create view v as select * from t1 union all select * from t2
--> v.* <- t1.*, t2.*

-- databricks
update t set a = 1, b = upper(c) where d in (select d from u)
--> t.b <- t.c

-- databricks
select a, lead(b, 1, 0) over w as nb, sum(c) over (w rows between 1 preceding and current row) sc from t window w as (partition by d order by e)
--> <sql>.a <- t.a
--> <sql>.nb <- t.b
--> <sql>.sc <- t.c

-- databricks
select cast(a as decimal(10, 2)) x, a::string y, date_format(b, 'yyyy') z, nvl(c, d) w, if(e > 1, f, g) v, try_divide(h, i) u, concat_ws('-', j, k) s from t
--> <sql>.x <- t.a
--> <sql>.y <- t.a
--> <sql>.z <- t.b
--> <sql>.w <- t.c, t.d
--> <sql>.v <- t.f, t.g
--> <sql>.u <- t.h, t.i
--> <sql>.s <- t.j, t.k

-- databricks partial
select /*+ mapjoin(b) */ * except (b.k) from a join b using (k)
--> <sql>.* <- a.*, b.*

-- databricks partial
with recursive r as (select 1 as n union all select n + 1 from r where n < 10) select n, t.a from r join t on t.n = r.n
--> <sql>.a <- t.a
--> <sql>.n <- t.n

-- databricks
select id, posexplode(arr) as (pos, val) from t
--> <sql>.val <- t.arr
--> <sql>.id <- t.id

-- databricks
select struct(a, b as c) s, named_struct('x', d).x n, array(e, f) ar, map(g, h) mp from t
--> <sql>.s <- t.a, t.b
--> <sql>.n <- t.d
--> <sql>.ar <- t.e, t.f
--> <sql>.mp <- t.g, t.h

-- databricks
select a from t tablesample (10 percent) where b rlike 'x' and c <=> d
--> <sql>.a <- t.a

-- databricks
select count(distinct a, b) cd, approx_count_distinct(c) ac, collect_list(struct(d, e)) cl, percentile(f, 0.5) p, any_value(g) ag from t
--> <sql>.cd <- t.a, t.b
--> <sql>.ac <- t.c
--> <sql>.cl <- t.d, t.e
--> <sql>.p <- t.f
--> <sql>.ag <- t.g

-- hive
FROM src s INSERT OVERWRITE TABLE t1 PARTITION (d='x') SELECT s.a, s.b WHERE s.k = 1 INSERT INTO TABLE t2 SELECT s.c WHERE s.k = 2
--> t1.a <- src.a
--> t1.b <- src.b
--> t2.c <- src.c

-- hive
INSERT OVERWRITE DIRECTORY '/out' SELECT a FROM t
--> /out.a <- t.a

-- hive
CREATE EXTERNAL TABLE t (a INT) PARTITIONED BY (d STRING) STORED AS PARQUET LOCATION 's3://x'

-- hive partial
LOAD DATA INPATH '/x' OVERWRITE INTO TABLE t
--> t.* <- /x.*

-- vertica
CREATE TABLE dw.t AS SELECT a ENCODING RLE, b FROM st.s SEGMENTED BY HASH(a) ALL NODES KSAFE 1; AT EPOCH LATEST SELECT a FROM st.s LIMIT 1 OVER (PARTITION BY b ORDER BY c); COPY dw.u (k, f FILLER VARCHAR(10), g AS f || 'x') FROM LOCAL '/data/x.csv' DELIMITER ','
--> <sql>.a <- st.s.a
--> dw.t.a <- st.s.a
--> dw.t.b <- st.s.b
--> dw.u.g <- /data/x.csv.f
--> dw.u.k <- /data/x.csv.k

-- vertica partial
EXPORT TO PARQUET (directory = '/out/x') OVER (PARTITION BY d) AS SELECT a, d FROM st.s; EXPORT TO VERTICA db.dw.t AS SELECT a FROM st.s; COPY dw.v FROM VERTICA db.st.w; SELECT COPY_TABLE('st.a', 'dw.c'); ALTER TABLE st.a SET SCHEMA x
--> /out/x.a <- st.s.a
--> /out/x.d <- st.s.d
--> db.dw.t.a <- st.s.a
--> dw.c.* <- st.a.*
--> dw.v.* <- db.st.w.*
--> x.a.* <- st.a.*

-- doris
INSERT INTO dw.t PARTITION (p1) WITH LABEL l1 (a, b) SELECT a, b FROM st.s; CREATE JOB j ON SCHEDULE EVERY 1 DAY DO INSERT INTO dw.o (a) SELECT a FROM st.s; SELECT a FROM s3("uri" = "s3://b/x", "format" = "csv"); SELECT a FROM st.s INTO OUTFILE "s3://b/y" FORMAT AS CSV
--> <sql>.a <- s3://b/x.a
--> dw.o.a <- st.s.a
--> dw.t.a <- st.s.a
--> dw.t.b <- st.s.b
--> s3://b/y.a <- st.s.a

-- starrocks
SUBMIT TASK tk AS INSERT INTO dw.o (a) SELECT a FROM st.s; INSERT INTO FILES ("path" = "s3://b/x", "format" = "parquet") SELECT a FROM st.s; INSERT INTO dw.t (a) SELECT b FROM FILES ("path" = "s3://b/y", "format" = "parquet")
--> dw.o.a <- st.s.a
--> dw.t.a <- s3://b/y.b
--> s3://b/x.a <- st.s.a

-- doris partial
LOAD LABEL dw.l1 (DATA INFILE("hdfs://x/y") INTO TABLE t2 COLUMNS TERMINATED BY ",") WITH BROKER b; EXPORT TABLE dw.t3 TO "s3://b/y" PROPERTIES ("a" = "b"); DELETE FROM t PARTITION p1 WHERE a = 1
--> dw.t2.* <- hdfs://x/y.*
--> s3://b/y.* <- dw.t3.*

-- doris
SELECT GROUP_CONCAT(a ORDER BY b SEPARATOR ',') AS x FROM s
--> <sql>.x <- s.a

-- vertica
CREATE EXTERNAL TABLE dw.x (a INT) AS COPY FROM 's3://b/x/*.parquet' PARQUET; CREATE PROCEDURE pr() LANGUAGE PLvSQL AS $$ BEGIN PERFORM INSERT INTO dw.t (a) SELECT a FROM st.s; END $$
--> dw.t.a <- st.s.a
--> dw.x.a <- s3://b/x/*.parquet.a

-- vertica
SELECT DATEDIFF('day', a, b) AS x, TIMESTAMPADD(DAY, c, d) AS y FROM s
--> <sql>.x <- s.a, s.b
--> <sql>.y <- s.c, s.d

-- vertica
SELECT k, slice_time, TS_FIRST_VALUE(b, 'LINEAR') AS v FROM st.s TIMESERIES slice_time AS '1 minute' OVER (PARTITION BY k ORDER BY ts); SELECT f(c, d USING PARAMETERS x = 1) AS fx, e::!INT AS ei FROM st.s; SELECT a FROM st.s MINUS SELECT c FROM st.u
--> <sql> 2.ei <- st.s.e
--> <sql> 2.fx <- st.s.c, st.s.d
--> <sql> 3.a <- st.s.a
--> <sql>.k <- st.s.k
--> <sql>.slice_time <- st.s.ts
--> <sql>.v <- st.s.b

-- hive
SELECT a, collect_set(b) OVER (PARTITION BY c) x, nvl(d, e) y FROM t DISTRIBUTE BY a SORT BY b
--> <sql>.a <- t.a
--> <sql>.x <- t.b
--> <sql>.y <- t.d, t.e

-- hive
SELECT TRANSFORM(a, b) USING 'script.py' AS (x, y) FROM t
--> <sql>.x <- t.a, t.b
--> <sql>.y <- t.a, t.b

-- hive
FROM (FROM src MAP a, b USING 'py.py' AS k, v CLUSTER BY k) m INSERT OVERWRITE TABLE o REDUCE k, v USING 'r.py' AS x, y
--> o.x <- src.a, src.b
--> o.y <- src.a, src.b

-- hive partial
SELECT `(ds|hr)?+.+` FROM sales; INSERT OVERWRITE TABLE t PARTITION (d) IF NOT EXISTS SELECT a, b FROM s
--> <sql>.* <- sales.*
--> t.a <- s.a
--> t.b <- s.b

-- hive
CREATE TABLE t (id INT); SELECT INPUT__FILE__NAME AS f FROM t

-- hive
SET hivevar:d=2020; INSERT INTO o SELECT a FROM s WHERE d = '${hivevar:d}'
--> o.a <- s.a

-- hive partial
EXPORT TABLE dep PARTITION (c = 'x') TO '/exp/dep'; IMPORT TABLE dep2 FROM '/exp/dep'
--> /exp/dep.* <- dep.*
--> dep2.* <- /exp/dep.*

-- hive
WITH q AS (SELECT a, k FROM s) FROM q JOIN z ON q.k = z.k LATERAL VIEW explode(z.arr) e AS el INSERT OVERWRITE TABLE o8 SELECT q.a, el INSERT INTO o9 SELECT z.b WHERE z.c = 1
--> o8.a <- s.a
--> o8.el <- z.arr
--> o9.b <- z.b

-- hive
SELECT t.a, adt FROM t LATERAL VIEW explode(split(b, ',')) x AS adt
--> <sql>.a <- t.a
--> <sql>.adt <- t.b

-- hive
CREATE TABLE t STORED AS ORC AS SELECT a FROM s
--> t.a <- s.a

-- hive
SELECT a FROM t TABLESAMPLE(BUCKET 1 OUT OF 10 ON id)
--> <sql>.a <- t.a

-- teradata
SEL a, b FROM db.t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) = 1
--> <sql>.a <- db.t.a
--> <sql>.b <- db.t.b

-- teradata
CREATE VOLATILE TABLE vt AS (SELECT a FROM t) WITH DATA PRIMARY INDEX (a) ON COMMIT PRESERVE ROWS; INS INTO u SEL a FROM vt
--> u.a <- t.a

-- teradata
CREATE MULTISET TABLE m AS (SELECT a, b FROM t) WITH DATA
--> m.a <- t.a
--> m.b <- t.b

-- teradata
SELECT NORMALIZE a, PERIOD(b, c) AS p FROM t
--> <sql>.a <- t.a
--> <sql>.p <- t.b, t.c

-- teradata
UPDATE t FROM s SET a = s.a WHERE t.id = s.id
--> t.a <- s.a

-- teradata
UPD t FROM s SET a = s.a WHERE t.id = s.id
--> t.a <- s.a

-- teradata
LOCKING TABLE s FOR ACCESS LOCKING t FOR WRITE INSERT INTO t SELECT a FROM s
--> t.a <- s.a

-- teradata
DELETE t ALL

-- teradata
DEL FROM t WHERE a = 1

-- teradata
SELECT a (TITLE 'x'), b (FORMAT 'YYYY'), c (NAMED d) FROM t
--> <sql>.a <- t.a
--> <sql>.b <- t.b
--> <sql>.d <- t.c

-- teradata
SELECT TOP 10 a FROM t
--> <sql>.a <- t.a

-- teradata
UPD dw.t FROM st.s AS s SET amt = s.amt WHERE t.id = s.id ALL; UPDATE tgt SET amt = q.amt FROM src q WHERE q.id = tgt.id
--> dw.t.amt <- st.s.amt
--> tgt.amt <- src.amt

-- teradata
SELECT store, RANK(sales DESC) AS r, CSUM(amt, dt) AS c, MAVG(amt, 3, dt DESC) AS m, MDIFF(bal, 1, dt) AS d, QUANTILE(10, amt) AS q FROM st.s QUALIFY r <= 10
--> <sql>.c <- st.s.amt
--> <sql>.d <- st.s.bal
--> <sql>.m <- st.s.amt
--> <sql>.store <- st.s.store

-- teradata
SELECT d.id, d.token FROM TABLE (STRTOK_SPLIT_TO_TABLE(st.t.id, st.t.txt, ',') RETURNING (id INTEGER, tokennum INTEGER, token VARCHAR(20))) AS d
--> <sql>.id <- st.t.id, st.t.txt
--> <sql>.token <- st.t.id, st.t.txt

-- teradata
SELECT CASE_N(a > 1, a > 2, NO CASE OR UNKNOWN) AS cn, RANGE_N(d BETWEEN DATE '2020-01-01' AND DATE '2024-12-31' EACH INTERVAL '1' MONTH) AS rn, SUBSTR(k FROM 1 FOR 3) AS sk, (e - f) DAY(4) TO SECOND AS dur, PERIOD(g, h) P_INTERSECT p AS pi, CAST(i AS VARCHAR(10) CHARACTER SET LATIN) AS ci FROM st.s WHERE p CONTAINS DATE '2020-01-01'
--> <sql>.ci <- st.s.i
--> <sql>.dur <- st.s.e, st.s.f
--> <sql>.pi <- st.s.g, st.s.h, st.s.p
--> <sql>.rn <- st.s.d
--> <sql>.sk <- st.s.k

-- teradata partial
.EXPORT REPORT FILE = /out/a.rpt
LOCKING ROW FOR ACCESS SEL a, b FROM st.s;
.EXPORT RESET
SEL z FROM st.z;
.IMPORT VARTEXT '|' FILE=/in/new.txt
.REPEAT *
USING in_id (VARCHAR(10)), in_nm (VARCHAR(50)) INSERT INTO stg.c (id, nm) VALUES (:in_id, UPPER(:in_nm));
USING (k INT, v INT) UPDATE stg.d SET v = :v WHERE k = :k;
--> /out/a.rpt.a <- st.s.a
--> /out/a.rpt.b <- st.s.b
--> <sql>.z <- st.z.z
--> stg.c.id <- /in/new.txt.in_id
--> stg.c.nm <- /in/new.txt.in_nm
--> stg.d.v <- /in/new.txt.v

-- teradata
SELECT a.JSONExtractValue('$.k') AS x, END(p) - 1 AS e, TRIM(TRAILING ',' FROM (XMLAGG(TRIM(b) || ',' ORDER BY c) (VARCHAR(1000)))) AS l FROM s
--> <sql>.e <- s.p
--> <sql>.l <- s.b
--> <sql>.x <- s.a

-- teradata
SELECT CAST(x AS INTERVAL DAY(4) TO SECOND) AS y, RANK(5) WITHIN GROUP (ORDER BY a) AS r FROM t
--> <sql>.r <- t.a
--> <sql>.y <- t.x

-- teradata
.BEGIN IMPORT MLOAD TABLES stg.orders;
.LAYOUT lay;
.FIELD o_id * VARCHAR(10);
.DML LABEL ins;
INSERT INTO stg.orders (order_id) VALUES (:o_id);
.IMPORT INFILE /in/orders.txt FORMAT VARTEXT '|' LAYOUT lay APPLY ins;
.END MLOAD;
--> stg.orders.order_id <- /in/orders.txt.o_id

-- teradata
DELETE dw.t FROM st.s AS s WHERE dw.t.id = s.id; MERGE INTO dw.t USING st.s AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET nm = s.nm WHEN NOT MATCHED THEN INSERT (s.id, s.nm) LOGGING ALL ERRORS WITH NO LIMIT; SELECT a, b FROM st.s WITH SUM(b) (TITLE 'x') BY a
--> <sql>.a <- st.s.a
--> <sql>.b <- st.s.b
--> dw.t.id <- st.s.id
--> dw.t.nm <- st.s.nm

-- teradata
INSERT INTO dw.t (a = 1, b = 'x'); CT x AS (SEL a FROM st.s) WITH DATA PRIMARY INDEX (a); CREATE TABLE dw.n AS st.s WITH NO DATA; CREATE TABLE dw.m AS (SELECT p, q FROM st.s) WITH NO DATA; INSERT INTO dw.m SELECT c, d FROM st.z
--> dw.m.p <- st.z.c
--> dw.m.q <- st.z.d
--> x.a <- st.s.a

-- teradata partial
SELECT d.word FROM nPath (ON st.clicks PARTITION BY usr ORDER BY ts USING Mode(NONOVERLAPPING) Pattern('A.B') Symbols(page = 'x' AS A) Result(FIRST(usr OF A) AS usr)) AS d
--> <sql>.word <- st.clicks.*

-- teradata partial
USING (id INTEGER, amt DECIMAL(10,2)) UPDATE dw.acc FROM st.m m SET bal = bal + m.amt WHERE acc_id = :id; UPDATE dw.b SET bal = bal + :amt WHERE k = :id ELSE INSERT INTO dw.b (k, bal) VALUES (:id, :amt)
--> dw.acc.bal <- dw.acc.bal, st.m.amt, st.m.bal
--> dw.b.bal <- dw.b.bal

-- teradata
REPLACE PROCEDURE p2 (IN n VARCHAR(9)) BEGIN DECLARE v INT; DECLARE q VARCHAR(900); DECLARE c CURSOR FOR s1; SET q = 'SELECT a FROM st.s WHERE k = ?'; PREPARE s1 FROM q; OPEN c USING n; FETCH c INTO v; CLOSE c; INSERT INTO dw.r (z) VALUES (v); END;
--> dw.r.z <- st.s.a

-- teradata
INSERT INTO t (a) SELECT b FROM s; DELETE FROM t ALL
--> t.a <- s.b

-- teradata
LOCKING ROW FOR ACCESS SELECT a FROM t
--> <sql>.a <- t.a

-- teradata
REPLACE VIEW v AS LOCKING TABLE t FOR ACCESS SELECT a FROM t
--> v.a <- t.a

-- teradata
SELECT a, SUM(b) OVER (PARTITION BY c ORDER BY d RESET WHEN e = 1 ROWS UNBOUNDED PRECEDING) x FROM t
--> <sql>.a <- t.a
--> <sql>.x <- t.b

-- teradata
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a WHEN NOT MATCHED THEN INSERT (id, a) VALUES (s.id, s.a)
--> t.a <- s.a
--> t.id <- s.id

-- teradata
SELECT CAST(a AS DATE FORMAT 'YYYY-MM-DD') x, b ** 2 y, c MOD 3 z, ZEROIFNULL(d) w, OREPLACE(e, 'a', 'b') v, CSUM(f, g) u FROM t
--> <sql>.x <- t.a
--> <sql>.y <- t.b
--> <sql>.z <- t.c
--> <sql>.w <- t.d
--> <sql>.v <- t.e
--> <sql>.u <- t.f

-- postgres
SELECT DISTINCT ON (k) k, v FROM t ORDER BY k, ts DESC
--> <sql>.k <- t.k
--> <sql>.v <- t.v

-- postgres
SELECT t.a, l.b FROM t LEFT JOIN LATERAL (SELECT s.b FROM s WHERE s.id = t.id ORDER BY s.ts LIMIT 1) l ON true
--> <sql>.b <- s.b
--> <sql>.a <- t.a

-- postgres
SELECT g, t.a FROM generate_series(1, 10) g, t; SELECT d::date FROM generate_series('2024-01-01'::date, now(), '1 day') AS d
--> <sql>.a <- t.a

-- postgres
SELECT j->'a'->>'b' x, j#>>'{c,d}' y, j @> '{"a":1}' z, jsonb_array_elements(j->'items')->>'id' w FROM t
--> <sql>.w <- t.j
--> <sql>.x <- t.j
--> <sql>.y <- t.j
--> <sql>.z <- t.j

-- postgres
INSERT INTO t (id, v, n) SELECT id, v, 1 FROM s ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, n = t.n + 1 WHERE t.v <> EXCLUDED.v
--> t.id <- s.id
--> t.v <- s.v
--> t.n <- t.n

-- postgres
UPDATE t SET a = s.a, (b, c) = (s.b, s.c) FROM s WHERE s.id = t.id
--> t.a <- s.a
--> t.b <- s.b
--> t.c <- s.c

-- postgres
SELECT arr[1] x, ARRAY[a, b] y, a = ANY(arr) z, array_agg(c ORDER BY d) FILTER (WHERE e > 1) w, unnest(arr) u FROM t GROUP BY arr, a, b
--> <sql>.y <- t.a, t.b
--> <sql>.u <- t.arr
--> <sql>.x <- t.arr
--> <sql>.w <- t.c

-- postgres
SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a'])) AS x(n, v)

-- postgres
SELECT x.id, x.nm FROM t, jsonb_to_recordset(t.j) AS x(id int, nm text)
--> <sql>.id <- t.j
--> <sql>.nm <- t.j

-- postgres
SELECT e.value->>'k' FROM t CROSS JOIN LATERAL jsonb_array_elements(t.j) e
--> <sql>.e.value ->> 'k' <- t.j

-- postgres
SELECT e.key, e.value FROM t, jsonb_each_text(t.j) AS e
--> <sql>.key <- t.j
--> <sql>.value <- t.j

-- postgres
CREATE TABLE p (LIKE t INCLUDING ALL); CREATE TEMP TABLE q ON COMMIT DROP AS SELECT a FROM t; INSERT INTO u SELECT a FROM q
--> u.a <- t.a

-- postgres
CREATE MATERIALIZED VIEW mv AS SELECT a FROM t WITH NO DATA
--> mv.a <- t.a

-- postgres
SELECT a, b INTO TEMP x FROM t; SELECT a FROM x
--> <sql>.a <- t.a

-- postgres
COPY t (a, b) FROM '/x.csv' WITH (FORMAT csv); COPY (SELECT a FROM t) TO '/y.csv'
--> t.a <- /x.csv.a
--> t.b <- /x.csv.b
--> /y.csv.a <- t.a

-- postgres
SELECT a FROM ONLY t TABLESAMPLE BERNOULLI (1) FOR UPDATE SKIP LOCKED
--> <sql>.a <- t.a

-- postgres partial
SELECT t FROM t; SELECT row_to_json(t) FROM t; SELECT (t.addr).street FROM t; SELECT (t).a FROM t
--> <sql> 2.row_to_json <- t.*, t.t
--> <sql> 4.a <- t.a, t.t
--> <sql>.t <- t.*, t.t
--> <sql> 3.street <- t.addr

-- postgres
SELECT row_to_json(x) FROM t AS x
--> <sql>.row_to_json <- t.*

-- bigquery partial
SELECT ARRAY_AGG(src LIMIT 1) AS a, region AS b FROM ds.src, ds.region
--> <sql>.a <- ds.region.src, ds.src.*, ds.src.src
--> <sql>.b <- ds.region.*, ds.region.region, ds.src.region

-- postgres
WITH x AS MATERIALIZED (SELECT a FROM t) SELECT * FROM x
--> <sql>.a <- t.a

-- postgres
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) m, mode() WITHIN GROUP (ORDER BY b) n, string_agg(c, ',' ORDER BY d) s FROM t
--> <sql>.m <- t.a
--> <sql>.n <- t.b
--> <sql>.s <- t.c

-- postgres
SELECT a, grouping(a) g, sum(b) FROM t GROUP BY GROUPING SETS ((a), ())
--> <sql>.a <- t.a
--> <sql>.g <- t.a
--> <sql>.sum <- t.b

-- postgres
SELECT a IS DISTINCT FROM b x, a ~ '^x' y, a SIMILAR TO 'b%' z, a::text || b w, c AT TIME ZONE 'UTC' v, EXTRACT(epoch FROM d) u, (e, f) OVERLAPS (g, h) o FROM t
--> <sql>.w <- t.a, t.b
--> <sql>.y <- t.a
--> <sql>.z <- t.a
--> <sql>.v <- t.c
--> <sql>.u <- t.d
--> <sql>.o <- t.e, t.f, t.g, t.h

-- postgres
VALUES (1, 'a'), (2, 'b')

-- postgres partial
TABLE t
--> <sql>.* <- t.*

-- postgres
DELETE FROM t USING s WHERE s.id = t.id RETURNING t.*

-- postgres
SELECT a FROM t WHERE (b, c) IN (SELECT x, y FROM s) AND d = ALL (SELECT z FROM u) AND EXISTS (SELECT FROM w WHERE w.id = t.id)
--> <sql>.a <- t.a

-- postgres
SELECT count(*) FILTER (WHERE a > 1) c, sum(b) FILTER (WHERE d) s FROM t
--> <sql>.s <- t.b

-- postgres
DO $$ BEGIN UPDATE t SET a = 1; END $$

-- postgres
SELECT a FROM t WINDOW w AS (PARTITION BY b); SELECT rank() OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY c)
--> <sql>.a <- t.a

-- postgres
PREPARE p (int, text) AS INSERT INTO o (a, b) SELECT a, b FROM s WHERE k = $1; EXECUTE p(5, 'x')
--> o.a <- s.a
--> o.b <- s.b

-- postgres
UPDATE t SET c.f = s.x, arr[1] = s.y FROM s WHERE s.k = t.k
--> t.arr <- s.y, t.arr
--> t.c <- s.x, t.c

-- postgres
CREATE RECURSIVE VIEW rv (n) AS SELECT a FROM t UNION ALL SELECT n + 1 FROM rv
--> rv.n <- rv.n, t.a

-- postgres
SELECT s.* FROM (VALUES (1, 'x')) AS s (id, nm) JOIN t ON t.id = s.id

-- postgres
DO $$ DECLARE a text[] := ARRAY['m','n']; BEGIN FOR i IN 1..2 LOOP EXECUTE format('INSERT INTO o2 SELECT x FROM s_%s', a[i]); END LOOP; END $$
--> o2.x <- s_m.x, s_n.x

-- postgres
CREATE TABLE t (id INT); SELECT SUM(id) OVER (PARTITION BY LEFT(tableoid, 1)) AS s, ctid AS c FROM t
--> <sql>.s <- t.id

-- postgres
with recursive tree as (select id, parent_id, name::text as path from cat where parent_id is null union all select c.id, c.parent_id, t.path || '/' || c.name from cat c join tree t on t.id = c.parent_id) select * from tree
--> <sql>.id <- cat.id
--> <sql>.path <- cat.name
--> <sql>.parent_id <- cat.parent_id

-- postgres
insert into dim (id, name, hash) select s.id, s.name, md5(coalesce(s.name, '') || '|' || coalesce(s.city, '')) from stg s left join dim d on d.id = s.id where d.id is null or d.hash <> md5(coalesce(s.name, '') || '|' || coalesce(s.city, ''))
--> dim.hash <- stg.city, stg.name
--> dim.id <- stg.id
--> dim.name <- stg.name

-- postgres
select a.id, b.cnt, c.last from a left join (select aid, count(*) cnt from b1 group by aid) b on b.aid = a.id left join lateral (select max(ts) as last from c1 where c1.aid = a.id) c on true
--> <sql>.id <- a.id
--> <sql>.last <- c1.ts

-- postgres
select coalesce(a.k, b.k) k, a.v, b.w from a full join b on a.k = b.k
--> <sql>.k <- a.k, b.k
--> <sql>.v <- a.v
--> <sql>.w <- b.w

-- postgres partial
select k, v from a natural join b
--> <sql>.k <- a.k, b.k
--> <sql>.v <- a.v, b.v

-- postgres
select id, (select string_agg(t.name, ', ' order by t.name) from tags t join it on it.tid = t.id where it.iid = i.id) as tags from items i
--> <sql>.id <- items.id
--> <sql>.tags <- tags.name

-- postgres
select id, jsonb_build_object('a', x, 'b', jsonb_agg(y)) as o from t group by id, x
--> <sql>.id <- t.id
--> <sql>.o <- t.x, t.y

-- postgres
select * from crosstab('select a, b, c from t') as ct (a int, b1 int, b2 int)
--> <sql>.a <- t.a
--> <sql>.b1 <- t.b, t.c
--> <sql>.b2 <- t.b, t.c

-- postgres
select date_trunc('month', ts) as m, sum(v) filter (where k = 'a') as a, count(*) as n, lag(sum(v)) over (order by date_trunc('month', ts)) as prev from t group by 1 order by 1
--> <sql>.m <- t.ts
--> <sql>.a <- t.v
--> <sql>.prev <- t.v

-- postgres
select distinct on (u.id) u.id, e.ts from users u join events e on e.uid = u.id order by u.id, e.ts desc
--> <sql>.ts <- events.ts
--> <sql>.id <- users.id

-- postgres
update t set a = sub.x from (select id, sum(v) x from s group by id) sub where sub.id = t.id
--> t.a <- s.v

-- postgres
with ins as (insert into a (x) select x from s on conflict (x) do update set x = excluded.x returning id, x) insert into b (aid, x) select ins.id, ins.x from ins
--> a.x <- s.x
--> b.x <- s.x

-- postgres partial
select t.*, w.val from t, unnest(t.arr) with ordinality as w(val, ord) where w.ord = 1
--> <sql>.* <- t.*
--> <sql>.val <- t.arr

-- postgres
select case when exists (select 1 from u where u.id = t.id) then 'y' else 'n' end f, array(select x from v where v.id = t.id) arr, t.a in (select a from w) inn from t
--> <sql>.arr <- v.x

-- postgres
create view v as select * from (values (1, 'a'), (2, 'b')) as x(id, nm)

-- postgres
select sum(x) over w1 s, avg(x) over (w1 rows 2 preceding) a from t window w1 as (partition by k order by d)
--> <sql>.a <- t.x
--> <sql>.s <- t.x

-- postgres
insert into t default values

-- postgres
create table p (id int, a int) partition by range (id); create table p1 partition of p for values from (1) to (10); insert into p1 select id, a from s
--> p.a <- s.a
--> p.id <- s.id
--> p1.a <- p.a
--> p1.id <- p.id

-- postgres
select a from s1.t1 union (select b from s2.t2 except select c from s3.t3) order by 1
--> <sql>.a <- s1.t1.a, s2.t2.b

-- postgres
select x::jsonb->'a'#>'{b,c}' as v, y->>0 as w, z ? 'k' as q from t
--> <sql>.v <- t.x
--> <sql>.w <- t.y
--> <sql>.q <- t.z

-- mysql
INSERT INTO t (id, v) SELECT id, v FROM s ON DUPLICATE KEY UPDATE v = VALUES(v), n = n + 1
--> t.id <- s.id
--> t.v <- s.v
--> t.n <- t.n

-- mysql
INSERT INTO t (id, v) VALUES (1, 2) AS new ON DUPLICATE KEY UPDATE v = new.v

-- mysql
UPDATE t JOIN s ON s.id = t.id LEFT JOIN u ON u.id = t.id SET t.a = s.a, t.b = u.b WHERE s.x = 1
--> t.a <- s.a
--> t.b <- u.b

-- mysql
UPDATE t, s SET t.a = s.a WHERE t.id = s.id
--> t.a <- s.a

-- mysql
REPLACE INTO t (a, b) SELECT x, y FROM s
--> t.a <- s.x
--> t.b <- s.y

-- mysql
SELECT a, GROUP_CONCAT(DISTINCT b ORDER BY c SEPARATOR '|') g FROM t GROUP BY a WITH ROLLUP
--> <sql>.a <- t.a
--> <sql>.g <- t.b

-- mysql
SELECT IF(a > 1, b, c) x, IFNULL(d, e) y, CONCAT(f, '-', g) z, CONCAT_WS(',', h, i) w, j->>'$.k' v, DATE_FORMAT(d, '%Y') u, JSON_EXTRACT(j, '$.q') q FROM t
--> <sql>.x <- t.b, t.c
--> <sql>.u <- t.d
--> <sql>.y <- t.d, t.e
--> <sql>.z <- t.f, t.g
--> <sql>.w <- t.h, t.i
--> <sql>.q <- t.j
--> <sql>.v <- t.j

-- mysql
DELETE t FROM t JOIN s ON s.id = t.id WHERE s.x = 1

-- mysql
DELETE t1, t2 FROM t1 JOIN t2 ON t1.id = t2.id

-- mysql
INSERT INTO t SET a = 1, b = 'x'

-- mysql
CREATE TABLE t2 LIKE t; CREATE TABLE t3 SELECT a, b FROM t; CREATE TEMPORARY TABLE tt AS SELECT a FROM t
--> t3.a <- t.a
--> t3.b <- t.b

-- mysql
SELECT @rn := @rn + 1 AS rn, t.a FROM t, (SELECT @rn := 0) r
--> <sql>.a <- t.a

-- mysql
LOAD DATA INFILE '/x.csv' INTO TABLE t FIELDS TERMINATED BY ',' (a, b)
--> t.a <- /x.csv.a
--> t.b <- /x.csv.b

-- mysql
SELECT `order`.`from` FROM `db`.`order` USE INDEX (x) WHERE a <=> b AND c RLIKE 'x' AND d REGEXP 'y' AND !e
--> <sql>.from <- db.order.from

-- mysql
INSERT IGNORE INTO t SELECT a FROM s
--> t.a <- s.a

-- mysql
RENAME TABLE a TO b, c TO d
--> b.* <- a.*
--> d.* <- c.*

-- mysql
SELECT jt.x FROM t, JSON_TABLE(t.doc, '$[*]' COLUMNS (x INT PATH '$.x')) AS jt
--> <sql>.x <- t.doc

-- mysql
SELECT a, b FROM t INTO OUTFILE '/x'
--> /x.a <- t.a
--> /x.b <- t.b

-- mysql partial
SELECT x.a FROM (SELECT a FROM t LIMIT 1) x NATURAL JOIN y
--> <sql>.a <- t.a

-- clickhouse
SELECT a, x FROM t ARRAY JOIN arr AS x WHERE x > 1
--> <sql>.a <- t.a
--> <sql>.x <- t.arr

-- clickhouse
SELECT a, n FROM t LEFT ARRAY JOIN arr AS x, arrayEnumerate(arr) AS n
--> <sql>.a <- t.a
--> <sql>.n <- t.arr

-- clickhouse partial
SELECT a FROM t FINAL PREWHERE b = 1 WHERE c = 2
--> <sql>.a <- t.a

-- clickhouse
CREATE MATERIALIZED VIEW mv TO tgt AS SELECT a, sum(b) AS s FROM src GROUP BY a
--> tgt.a <- src.a
--> tgt.s <- src.b
--> mv.a <- tgt.a
--> mv.s <- tgt.s

-- clickhouse
CREATE TABLE t ENGINE = MergeTree ORDER BY a AS SELECT a, b FROM s
--> t.a <- s.a
--> t.b <- s.b

-- clickhouse
SELECT a, b FROM t ORDER BY c LIMIT 1 BY a
--> <sql>.a <- t.a
--> <sql>.b <- t.b

-- clickhouse
SELECT a, argMax(b, ts) AS lb, sumIf(c, d > 1) AS sc, uniqExact(e) u, quantile(0.5)(f) q, groupArray(g) ga FROM t GROUP BY a
--> <sql>.a <- t.a
--> <sql>.lb <- t.b
--> <sql>.sc <- t.c
--> <sql>.u <- t.e
--> <sql>.q <- t.f
--> <sql>.ga <- t.g

-- clickhouse partial
SELECT * FROM t ANY LEFT JOIN s USING (id)
--> <sql>.* <- s.*, t.*

-- clickhouse
SELECT t.a, s.b FROM t ASOF LEFT JOIN s ON t.k = s.k AND t.ts >= s.ts
--> <sql>.b <- s.b
--> <sql>.a <- t.a

-- clickhouse
SELECT arrayMap(x -> x + 1, arr) m, arrayFilter(x -> x > a, arr) f, tupleElement(tp, 1) e, if(a > 1, b, c) i, multiIf(a = 1, b, a = 2, c, d) mi FROM t
--> <sql>.f <- t.arr
--> <sql>.m <- t.arr
--> <sql>.i <- t.b, t.c
--> <sql>.mi <- t.b, t.c, t.d
--> <sql>.e <- t.tp

-- clickhouse
WITH 5 AS lim, (SELECT max(x) FROM u) AS mx SELECT a, mx FROM t WHERE b < lim
--> <sql>.a <- t.a
--> <sql>.mx <- u.x

-- clickhouse
INSERT INTO t (a, b) SELECT x, y FROM s SETTINGS max_threads = 1
--> t.a <- s.x
--> t.b <- s.y

-- clickhouse partial
SELECT * EXCEPT (a) REPLACE (b + 1 AS b) FROM t
--> <sql>.* <- t.*
--> <sql>.b <- t.b

-- clickhouse
CREATE TABLE d (a Int32, b String) ENGINE = Distributed('cl', 'st', 'local', rand()); INSERT INTO d SELECT x, y FROM q; CREATE TABLE m AS st.s ENGINE = MergeTree ORDER BY a; INSERT INTO m SELECT z FROM q; CREATE TABLE f (a Int32) ENGINE = File(CSV, 'z.csv')
--> d.a <- st.local.a
--> d.b <- st.local.b
--> f.a <- z.csv.a
--> m.z <- q.z
--> st.local.a <- q.x
--> st.local.b <- q.y

-- clickhouse
SELECT a, b FROM st.s INTO OUTFILE 'x.csv' TRUNCATE FORMAT CSV; INSERT INTO dw.t (a) FROM INFILE 'y.csv' FORMAT CSV; INSERT INTO dw.u (a, b) FORMAT Values (1, 2), (3, 4); INSERT INTO TABLE FUNCTION remote('h', dw.t) SELECT a FROM st.s; INSERT INTO FUNCTION s3('s3://b/o.csv', 'CSV') SELECT a FROM st.s
--> dw.t.a <- y.csv.a
--> h.dw.t.a <- st.s.a
--> s3://b/o.csv.a <- st.s.a
--> x.csv.a <- st.s.a
--> x.csv.b <- st.s.b

-- clickhouse partial
SELECT a FROM st.s WHERE c IN st.u; CREATE OR REPLACE VIEW pv AS SELECT a AS y FROM st.s WHERE b = {x:Int32}; SELECT y FROM pv(x = 1)
--> <sql> 2.y <- pv.y
--> <sql>.a <- st.s.a
--> pv.y <- st.s.a

-- clickhouse partial
CREATE TABLE cl CLONE AS st.s; ALTER TABLE dw.t MODIFY COLUMN a String; ALTER TABLE dw.t MATERIALIZE INDEX i; ATTACH TABLE x
--> cl.* <- st.s.*

-- clickhouse
SELECT argMaxIf(a, b, c) AS x, groupUniqArrayIf(a, b) AS y, multiIf(c, a, d, b, NULL) AS z FROM s
--> <sql>.x <- s.a
--> <sql>.y <- s.a
--> <sql>.z <- s.a, s.b

-- clickhouse
CREATE TABLE t (id Int32) ENGINE = Log; SELECT _part AS p FROM t

-- clickhouse
CREATE TABLE s (a Int32, b Int32, b2 Int32) ENGINE = Log; SELECT COLUMNS('^b') APPLY(sum), * EXCEPT (a, b2) APPLY(max) FROM s
--> <sql>.B 2 <- s.b
--> <sql>.b <- s.b
--> <sql>.b2 <- s.b2

-- clickhouse
CREATE DICTIONARY dd (k UInt64, v String) PRIMARY KEY k SOURCE(CLICKHOUSE(QUERY 'SELECT k2, v2 FROM st.q')) LAYOUT(HASHED()) LIFETIME(300); SELECT v AS w FROM dictionary('dd'); ALTER TABLE mv MODIFY QUERY SELECT a FROM st.s2; SELECT a AS b FROM clusterAllReplicas('c', 'st', 't')
--> <sql> 2.b <- st.t.a
--> <sql>.w <- dd.v
--> dd.k <- st.q.k2
--> dd.v <- st.q.v2
--> mv.a <- st.s2.a

-- clickhouse partial
CREATE TABLE st.ev_1 (a Int32, b String) ENGINE = Log; CREATE TABLE st.ev_2 (b String, a Int32) ENGINE = Log; CREATE TABLE st.m (a Int32) ENGINE = Merge('st', '^ev_'); SELECT b FROM merge('st', '^ev_')
--> <sql>.b <- st.ev_1.b, st.ev_2.b
--> st.m.a <- st.ev_1.a, st.ev_2.a

-- clickhouse
CREATE FUNCTION g ON CLUSTER c AS (x, y) -> if(x = 1, y, 0); CREATE OR REPLACE FUNCTION h AS x -> lower(x); SELECT g(c, d) AS r, h(e) AS s FROM st.s
--> <sql>.r <- st.s.d
--> <sql>.s <- st.s.e

-- clickhouse partial
SELECT COLUMNS('^x') FROM t
--> <sql>.* <- t.*

-- clickhouse partial
SELECT * APPLY(sum) FROM t
--> <sql>.* <- t.*

-- clickhouse
SELECT a FROM db.t1 UNION DISTINCT SELECT b FROM t2
--> <sql>.a <- db.t1.a, t2.b

-- clickhouse
ALTER TABLE t UPDATE a = b + 1 WHERE c = 2; ALTER TABLE t DELETE WHERE a = 1
--> t.a <- t.b

-- clickhouse
SELECT a::String AS s, toDate(b) d, b AS bb, bb + 1 AS c FROM t
--> <sql>.s <- t.a
--> <sql>.bb <- t.b
--> <sql>.c <- t.b
--> <sql>.d <- t.b

-- trino
SELECT t.id, u.e, u.n FROM t CROSS JOIN UNNEST(t.arr) WITH ORDINALITY AS u (e, n)
--> <sql>.e <- t.arr
--> <sql>.id <- t.id

-- trino
SELECT k, v FROM t CROSS JOIN UNNEST(map_col) AS m (k, v)
--> <sql>.k <- t.map_col
--> <sql>.v <- t.map_col

-- trino
SELECT ROW(a, b) r, CAST(ROW(c, d) AS ROW(x INT, y INT)).x rx, st.f.g q, arr[1] z, element_at(m, 'k') w FROM t
--> <sql>.r <- t.a, t.b
--> <sql>.z <- t.arr
--> <sql>.rx <- t.c
--> <sql>.w <- t.m
--> <sql>.q <- t.st

-- trino
SELECT approx_distinct(a) x, max_by(b, c) y, array_agg(d ORDER BY e) z, map_agg(f, g) m, count_if(h > 1) n FROM t
--> <sql>.x <- t.a
--> <sql>.y <- t.b
--> <sql>.z <- t.d
--> <sql>.m <- t.f, t.g

-- trino
SELECT a FROM hive.db.t FOR VERSION AS OF 1
--> <sql>.a <- hive.db.t.a

-- trino
SELECT transform(arr, x -> x + y) t1, reduce(arr, 0, (s, x) -> s + x, s -> s) r, filter(arr, x -> x.a > 1) f FROM t
--> <sql>.f <- t.arr
--> <sql>.r <- t.arr
--> <sql>.t1 <- t.arr, t.y

-- trino
SELECT json_extract_scalar(j, '$.a') x, json_query(j, 'lax $.b') y, try_cast(a AS int) z, date_trunc('day', b) d, "quoted col" q FROM t
--> <sql>.z <- t.a
--> <sql>.d <- t.b
--> <sql>.x <- t.j
--> <sql>.y <- t.j
--> <sql>.q <- t.quoted col

-- trino
WITH RECURSIVE r(n) AS (SELECT a FROM t UNION ALL SELECT n + 1 FROM r) SELECT n FROM r
--> <sql>.n <- t.a

-- trino
CREATE TABLE hive.dw.t WITH (format = 'ORC') AS SELECT a, d FROM st.s WITH NO DATA; INSERT INTO hive.dw.t SELECT p, q FROM st.z
--> hive.dw.t.a <- st.z.p
--> hive.dw.t.d <- st.z.q

-- trino
CREATE TABLE t (id INT); SELECT id, "$path" AS p FROM t
--> <sql>.id <- t.id

-- trino partial
SELECT * FROM TABLE(sch.f(input => TABLE(st.s), n => 5)); SELECT a FROM TABLE(f(input => TABLE(st.u) AS x PARTITION BY a, c ORDER BY b, copartition => TABLE(st.t), cols => DESCRIPTOR(a, b)))
--> <sql> 2.a <- st.t.*, st.u.*
--> <sql>.* <- sch.f.*, st.s.*

-- trino
PREPARE p2 FROM INSERT INTO dw.t (a, x) SELECT a, ? FROM st.s WHERE c = ?; EXECUTE p2 USING 'x', 5
--> dw.t.a <- st.s.a

-- trino
SELECT a FROM (VALUES (1, 'x')) AS v (a, b)

-- trino partial
INSERT INTO t SELECT * FROM s; DELETE FROM t WHERE a = 1; MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a
--> t.* <- s.*
--> t.a <- s.a
--> t.id <- s.id

-- trino partial
SELECT * FROM TABLE(sequence(1, 10)); SELECT a FROM t TABLESAMPLE BERNOULLI (10)
--> <sql> 2.a <- t.a

-- trino
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.x AS ax, LAST(B.y) AS ly ONE ROW PER MATCH PATTERN (A B+) DEFINE B AS B.x > PREV(B.x))
--> <sql>.k <- t.k
--> <sql>.ax <- t.x
--> <sql>.ly <- t.y

-- trino
CREATE TABLE x WITH (format = 'ORC') AS SELECT a FROM t
--> x.a <- t.a

-- trino
SELECT a, lag(b) IGNORE NULLS OVER (PARTITION BY c ORDER BY d) l FROM t GROUP BY a, b, c, d
--> <sql>.a <- t.a
--> <sql>.l <- t.b

-- duckdb partial
FROM t; FROM t SELECT a, b WHERE c = 1
--> <sql>.* <- t.*
--> <sql> 2.a <- t.a
--> <sql> 2.b <- t.b

-- duckdb
CREATE SCHEMA fin; CREATE MACRO fin.doubled(a) AS a * 2; CREATE VIEW fin.v AS SELECT fin.doubled(n) AS m FROM fin.s; CREATE TABLE d.t (n INT, fin TEXT); CREATE VIEW d.v AS SELECT fin.upper() AS a, n.abs() AS b FROM d.t; CREATE TABLE d.u (n INT); CREATE VIEW d.w AS SELECT fin.doubled(n) AS c FROM d.u; SELECT x.trim() AS e FROM raw.s
--> fin.v.m <- fin.s.n
--> d.v.a <- d.t.fin
--> d.v.b <- d.t.n
--> d.w.c <- d.u.n
--> <sql>.e <- raw.s.x

-- duckdb
SELECT COLUMNS('x.*') FROM (SELECT 1 AS x1, a AS x2, b AS y FROM t)
--> <sql>.x2 <- t.a

-- duckdb partial
SELECT COLUMNS(* EXCLUDE (a)) FROM t; SELECT COLUMNS(c -> c LIKE 'x%') FROM (SELECT a AS x1, b AS y1 FROM t); SELECT sum(COLUMNS(*)) FROM (SELECT a, b FROM t)
--> <sql>.* <- t.*
--> <sql> 2.x1 <- t.a
--> <sql> 3.a <- t.a
--> <sql> 3.b <- t.b

-- duckdb partial
UNPIVOT t ON a, b INTO NAME n VALUE v
--> <sql>.* <- t.*
--> <sql>.v <- t.a, t.b

-- duckdb partial
PIVOT t ON m IN ('J', 'F') USING sum(v) GROUP BY k
--> <sql>.k <- t.k
--> <sql>.F <- t.v
--> <sql>.J <- t.v

-- duckdb
SELECT [x + 1 FOR x IN arr IF x > y] AS l, list_transform(arr, x -> x + z) m, {'a': b, 'c': d}.a s, struct_pack(p := q).p r, arr[1:2] u FROM t
--> <sql>.l <- t.arr
--> <sql>.m <- t.arr, t.z
--> <sql>.u <- t.arr
--> <sql>.s <- t.b
--> <sql>.r <- t.q

-- duckdb
SELECT t.a, s.b FROM t POSITIONAL JOIN s
--> <sql>.b <- s.b
--> <sql>.a <- t.a

-- duckdb
SELECT t.a, s.p FROM t ASOF JOIN s ON t.k = s.k AND t.ts >= s.ts
--> <sql>.p <- s.p
--> <sql>.a <- t.a

-- duckdb
SUMMARIZE t

-- duckdb
SELECT a FROM read_parquet('x/*.parquet'); SELECT b FROM 'y.csv'; SELECT c FROM read_csv('z.csv', header = true); SELECT d FROM read_json_auto(['a.json', 'b.json'])
--> <sql> 4.d <- a.json.d, b.json.d
--> <sql>.a <- x/*.parquet.a
--> <sql> 2.b <- y.csv.b
--> <sql> 3.c <- z.csv.c

-- duckdb
SELECT a, b AS c, c + 1 AS d FROM t
--> <sql>.a <- t.a
--> <sql>.c <- t.b
--> <sql>.d <- t.b

-- duckdb partial
CREATE OR REPLACE TABLE u AS FROM t; INSERT INTO u BY NAME SELECT a FROM s; INSERT OR REPLACE INTO u SELECT a FROM s
--> u.a <- s.a
--> u.* <- t.*

-- duckdb
SELECT a, sum(b) FROM t GROUP BY ALL ORDER BY ALL
--> <sql>.a <- t.a
--> <sql>.SUM(b) <- t.b

-- duckdb
SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY c) = 1
--> <sql>.a <- t.a

-- duckdb
PREPARE p2 AS INSERT INTO o (a) SELECT a FROM st.s WHERE b = ?; EXECUTE p2(1); SELECT p2 FROM t
--> <sql>.p2 <- t.p2
--> o.a <- st.s.a

-- duckdb partial
CREATE TABLE gg AS PIVOT st.s ON q USING SUM(x) GROUP BY k; SELECT k, v1 FROM gg
--> <sql>.k <- gg.k
--> <sql>.v1 <- gg.v1
--> gg.* <- st.s.x
--> gg.k <- st.s.k
--> gg.v1 <- st.s.x

-- duckdb partial
CREATE TABLE o AS SELECT k, MAX(COLUMNS('^x')) FROM st.s; SELECT x1, z FROM o; EXPORT DATABASE 'dir' (FORMAT PARQUET); COPY FROM DATABASE a TO b
--> <sql>.x1 <- o.x1
--> o.* <- st.s.*
--> o.k <- st.s.k
--> o.x1 <- st.s.x1

-- duckdb
SELECT a.upper().substr(1, 2) AS x, b.list_filter(v -> v > c) AS y FROM s
--> <sql>.x <- s.a
--> <sql>.y <- s.b

-- duckdb partial
MERGE INTO o USING (SELECT k, a FROM st.s) AS s USING (k) WHEN MATCHED THEN UPDATE WHEN NOT MATCHED THEN INSERT BY NAME; SELECT z FROM postgres_scan('dbname=x', 'public', 'tab'); SELECT u.x, b FROM st.s, UNNEST(s.arr) AS u(x); SELECT * FROM read_csv(['c.csv', 'd.csv'])
--> <sql> 2.b <- st.s.b
--> <sql> 2.x <- st.s.arr
--> <sql> 3.* <- c.csv.*, d.csv.*
--> <sql>.z <- x.public.tab.z
--> o.a <- st.s.a
--> o.k <- st.s.k

-- duckdb
CREATE TABLE s (a INT, b INT, a_id INT, c INT); SELECT COLUMNS('a|b') + 1 FROM s; SELECT MIN(COLUMNS(* EXCLUDE (c, b))) FROM s; SELECT COLUMNS('(.*)_id') AS 'id_\1' FROM s
--> <sql> 2.a <- s.a
--> <sql> 2.a_id <- s.a_id
--> <sql> 3.id_a <- s.a_id
--> <sql>.a <- s.a
--> <sql>.a_id <- s.a_id
--> <sql>.b <- s.b

-- duckdb
SET VARIABLE v = (SELECT MAX(a) FROM st.s); SELECT getvariable('v') AS x, v FROM st.q; SET VARIABLE tn = 'st.dyn'; SELECT c FROM query_table(getvariable('tn')); ALTER TABLE o9 ALTER a TYPE INT USING b + 1; USE xx; SELECT d FROM 'x.parquet'
--> <sql> 2.c <- st.dyn.c
--> <sql>.v <- st.q.v
--> <sql>.x <- st.s.a
--> o9.a <- o9.b
--> xx.<sql>.d <- x.parquet.d

-- duckdb
SELECT a FROM t SEMI JOIN s USING (id); SELECT a FROM t ANTI JOIN s ON s.id = t.id
--> <sql> 2.a <- t.a
--> <sql>.a <- t.a

-- duckdb
SELECT unnest(arr) e, unnest(st), generate_subscripts(arr, 1) i FROM t
--> <sql>.e <- t.arr
--> <sql>.i <- t.arr
--> <sql>.UNNEST(st) <- t.st

-- duckdb partial
COPY t TO 'x.parquet'; COPY (SELECT a FROM t) TO 'y.csv'; COPY t FROM 'z.csv'
--> x.parquet.* <- t.*
--> y.csv.a <- t.a
--> t.* <- z.csv.*

-- duckdb
SELECT max_by(a, b) m, arg_min(c, d) n, list(e ORDER BY f) l, quantile_cont(g, 0.5) q, first(h) i FROM t
--> <sql>.m <- t.a
--> <sql>.n <- t.c
--> <sql>.l <- t.e
--> <sql>.q <- t.g
--> <sql>.i <- t.h

-- duckdb
SELECT a.b.c, a['k'], m['x'] FROM t
--> <sql>.a['k'] <- t.a
--> <sql>.c <- t.a
--> <sql>.m['x'] <- t.m

-- duckdb partial
WITH x AS (FROM t WHERE a = 1) FROM x SELECT b
--> <sql>.b <- t.b

-- duckdb
SELECT a FROM t USING SAMPLE 10%
--> <sql>.a <- t.a

-- duckdb partial
SELECT * FROM t JOIN s USING (id)
--> <sql>.* <- s.*, t.*

-- duckdb
INSERT INTO t VALUES (1, 'a') ON CONFLICT DO UPDATE SET b = EXCLUDED.b

-- duckdb partial
SELECT t.* LIKE 'x%' FROM t
--> <sql>.* <- t.*

-- duckdb
SELECT rowid, a FROM t LIMIT 1
--> <sql>.a <- t.a
--> <sql>.rowid <- t.rowid

-- duckdb
SELECT a, ROW_NUMBER() OVER () rn FROM (SELECT a FROM t UNION ALL BY NAME SELECT b AS a, c FROM s)
--> <sql>.a <- s.b, t.a

-- duckdb
ATTACH 'x.db' AS y; CREATE VIEW y.v AS SELECT a FROM y.t
--> y.v.a <- y.t.a

-- redshift
COPY t (a, b) FROM 's3://b/k' IAM_ROLE 'x' CSV
--> t.a <- s3://b/k.a
--> t.b <- s3://b/k.b

-- redshift
UNLOAD ('SELECT a FROM t') TO 's3://b/k' IAM_ROLE 'x'
--> s3://b/k.a <- t.a

-- redshift
CREATE TABLE t DISTKEY(a) SORTKEY(b) AS SELECT a, b FROM s
--> t.a <- s.a
--> t.b <- s.b

-- redshift
CREATE TEMP TABLE #x AS SELECT a FROM t; SELECT a FROM #x
--> <sql>.a <- t.a

-- redshift
SELECT LISTAGG(a, ',') WITHIN GROUP (ORDER BY b) l, NVL(c, d) n, DATEADD(day, 1, e) f, GETDATE() g, JSON_EXTRACT_PATH_TEXT(j, 'a', 'b') x FROM t
--> <sql>.l <- t.a
--> <sql>.n <- t.c, t.d
--> <sql>.f <- t.e
--> <sql>.x <- t.j

-- redshift
SELECT o.id, i.sku FROM orders o, o.items i
--> <sql>.id <- orders.id
--> <sql>.sku <- orders.items

-- redshift
SELECT a FROM spectrum.t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1
--> <sql>.a <- spectrum.t.a

-- redshift partial
ALTER TABLE t APPEND FROM s
--> t.* <- s.*

-- redshift
INSERT INTO t (SELECT a FROM s)
--> t.a <- s.a

-- redshift
CREATE MATERIALIZED VIEW mv AUTO REFRESH YES AS SELECT a FROM t
--> mv.a <- t.a

-- redshift partial
MERGE INTO t USING s ON t.id = s.id REMOVE DUPLICATES
--> t.* <- s.*

-- redshift
SELECT a, b FROM t MINUS SELECT c, d FROM u
--> <sql>.a <- t.a
--> <sql>.b <- t.b

-- bigquery partial
SELECT base.a, distance FROM VECTOR_SEARCH(TABLE ds.t, 'e', (SELECT emb FROM ds.q), top_k => 3)
--> <sql>.a <- ds.q.emb, ds.t.*
--> <sql>.distance <- ds.q.emb, ds.t.*

-- bigquery partial
SELECT a, _CHANGE_TIMESTAMP FROM APPENDS(TABLE ds.t, NULL)
--> <sql>.a <- ds.t.*
--> <sql>._CHANGE_TIMESTAMP <- ds.t.*

-- bigquery partial
CREATE OR REPLACE MODEL ds.m2 OPTIONS(model_type='linear_reg', input_label_cols=['label']) AS SELECT f1, label FROM ds.train;
SELECT predicted_label FROM ML.PREDICT(MODEL ds.m2, TABLE ds.new);
SELECT * FROM ML.EVALUATE(MODEL ds.m2, TABLE ds.t); SELECT forecast_value FROM ML.FORECAST(MODEL ds.m2, STRUCT(3 AS horizon));
SELECT ml_generate_text_result FROM ML.GENERATE_TEXT(MODEL ds.m2, (SELECT a AS prompt FROM ds.t), STRUCT(1 AS x));
--> ds.m2.f1 <- ds.train.f1
--> ds.m2.label <- ds.train.label
--> <sql>.predicted_label <- ds.m2.f1, ds.m2.label, ds.new.*
--> <sql> 2.* <- ds.m2.f1, ds.m2.label, ds.t.*
--> <sql> 3.forecast_value <- ds.m2.f1, ds.m2.label
--> <sql> 4.ml_generate_text_result <- ds.m2.f1, ds.m2.label, ds.t.a

-- databricks partial
APPLY CHANGES INTO LIVE.tgt FROM STREAM(LIVE.src) KEYS (id, k2) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY ts COLUMNS * EXCEPT (op) STORED AS SCD TYPE 2;
CREATE FLOW f AS AUTO CDC INTO c.s.t FROM stream(c.s.u) KEYS (id) SEQUENCE BY ts COLUMNS (id, v);
--> tgt.id <- src.id
--> tgt.k2 <- src.k2
--> tgt.* <- src.*
--> c.s.t.id <- c.s.u.id
--> c.s.t.v <- c.s.u.v

-- teradata
SELECT x (DATE, FORMAT 'YYYY-MM-DD') y, CAST(z AS FORMAT '99') zz, a (CHAR(10)), (b+c) (DECIMAL(10,2)) AS d, ADD_MONTHS(DATE, -1) e, f (DATE) g, TRIM(h (VARCHAR(5))) i FROM my_table WHERE (dt (DATE)) = DATE;
SELECT id, BEGIN(bg) b FROM db.t EXPAND ON duration AS bg BY INTERVAL '1' DAY WHERE id = 1;
SELECT NORMALIZE ON MEETS OR OVERLAPS emp_id, duration FROM db.project;
NONSEQUENCED VALIDTIME SELECT a FROM db.s; VALIDTIME AS OF DATE '2020-01-01' SELECT b FROM db.s; CURRENT VALIDTIME UPDATE db.s SET c = d;
--> <sql>.y <- my_table.x
--> <sql>.zz <- my_table.z
--> <sql>.a <- my_table.a
--> <sql>.d <- my_table.b, my_table.c
--> <sql>.g <- my_table.f
--> <sql>.i <- my_table.h
--> <sql> 2.id <- db.t.id
--> <sql> 2.b <- db.t.duration
--> <sql> 3.emp_id <- db.project.emp_id
--> <sql> 3.duration <- db.project.duration
--> <sql> 4.a <- db.s.a
--> <sql> 5.b <- db.s.b
--> db.s.c <- db.s.d

-- tsql
DELETE FROM x OUTPUT deleted.id INTO dbo.log(id) FROM dbo.x x JOIN dbo.y y ON x.id=y.id;
UPDATE TOP (10) dbo.x SET a = b OUTPUT inserted.a INTO dbo.log(a) WHERE id = 3; INSERT TOP (5) INTO dbo.z (a) SELECT b FROM dbo.y;
WITH XMLNAMESPACES ('x' AS ns), c AS (SELECT a FROM dbo.t) SELECT a FROM c; WITH XMLNAMESPACES (DEFAULT 'x') SELECT a FROM dbo.u;
SELECT a, f = g + 1, 'k' = h FROM dbo.t WITH (NOLOCK) WHERE 'x' = y;
DELETE FROM dbo.q FROM dbo.q q INNER JOIN #t t ON t.id = q.id WHERE t.v = 1;
WITH c AS (SELECT id, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d) rn FROM dbo.dup) DELETE FROM c WHERE rn > 1;
--> dbo.log.id <- dbo.x.id
--> dbo.x.a <- dbo.x.b
--> dbo.log.a <- dbo.x.b
--> dbo.z.a <- dbo.y.b
--> <sql>.a <- dbo.t.a
--> <sql> 2.a <- dbo.u.a
--> <sql> 3.a <- dbo.t.a
--> <sql> 3.f <- dbo.t.g
--> <sql> 3.k <- dbo.t.h

-- db2 partial
SELECT a, b FROM FINAL TABLE (INSERT INTO t (a, b) SELECT x, y FROM s) WHERE a > 1;
SELECT a FROM OLD TABLE (DELETE FROM t2 WHERE z = 1);
--> t.a <- s.x
--> t.b <- s.y
--> <sql>.a <- s.x
--> <sql>.b <- s.y
--> <sql> 2.a <- t2.a

-- oracle partial
SELECT t.a, u.b FROM t PARTITION BY (t.x) RIGHT OUTER JOIN u ON t.a=u.a WHERE t.p NOT MEMBER OF u.l AND q MEMBER OF pkg.f(r);
INSERT INTO t (a) SELECT b FROM s LOG ERRORS INTO err$_t ('x') REJECT LIMIT UNLIMITED;
MERGE INTO t USING s ON (t.k=s.k) WHEN MATCHED THEN UPDATE SET t.a=s.a WHERE s.b=1 DELETE WHERE t.a IS NULL WHEN NOT MATCHED THEN INSERT (k,a) VALUES (s.k,s.a) WHERE s.c=2 LOG ERRORS INTO err REJECT LIMIT UNLIMITED;
--> <sql>.a <- t.a
--> <sql>.b <- u.b
--> t.a <- s.a, s.b
--> t.k <- s.k

-- clickhouse
CREATE DICTIONARY IF NOT EXISTS db.users_dict (id UInt64, email String DEFAULT 'x') PRIMARY KEY id SOURCE(CLICKHOUSE(HOST 'h' USER 'u' PASSWORD 'p' TABLE 'users' DB 'db')) LAYOUT(FLAT()) LIFETIME(300);
CREATE OR REPLACE DICTIONARY d2 (id UInt64, v String) PRIMARY KEY id SOURCE(HTTP(URL 'http://x')) LAYOUT(FLAT()) LIFETIME(MIN 1 MAX 3);
--> db.users_dict.id <- db.users.id
--> db.users_dict.email <- db.users.email

-- bigquery partial
SELECT * FROM GAP_FILL(TABLE ds.t, ts_column => 'time', bucket_width => INTERVAL 1 MINUTE, value_columns => [('s','locf')]);
SELECT trial_id FROM ML.TRIAL_INFO(MODEL `p.ds.m`); SELECT x FROM ds.fn(TABLE ds.t, 3);
--> <sql>.* <- ds.t.*
--> <sql> 2.trial_id <- p.ds.m.*
--> <sql> 3.x <- ds.fn.x, ds.t.*

-- mysql
SELECT j.*, t.id FROM t, JSON_TABLE(t.doc, '$[*]' COLUMNS (idd INT PATH '$.id', o FOR ORDINALITY, NESTED PATH '$.p[*]' COLUMNS (nm VARCHAR(10) PATH '$.n'))) j; SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (x INT PATH '$')) k
--> <sql>.idd <- t.doc
--> <sql>.o <- t.doc
--> <sql>.nm <- t.doc
--> <sql>.id <- t.id

-- tsql partial
SELECT * FROM dbo.t CROSS APPLY OPENJSON(t.j) WITH (a int '$.a', b nvarchar(max) AS JSON) x; SELECT [key], value, type FROM OPENJSON(@j);
--> <sql>.* <- dbo.t.*
--> <sql>.a <- dbo.t.j
--> <sql>.b <- dbo.t.j

-- oracle partial
SELECT * FROM po, XMLTABLE('/po/item' PASSING po.doc COLUMNS name VARCHAR2(20) PATH 'name') x
--> <sql>.* <- po.*
--> <sql>.name <- po.doc

-- postgres partial
SELECT * FROM t, jsonb_to_recordset(t.d) AS x(a int, b text); SELECT * FROM t, json_table(t.d, '$' COLUMNS (a int PATH '$.a')) x
--> <sql>.* <- t.*
--> <sql>.a <- t.d
--> <sql>.b <- t.d
--> <sql> 2.* <- t.*
--> <sql> 2.a <- t.d

-- bigquery
SELECT a FROM `p.d.e_2023*`; SELECT a FROM `p.d.e_20230101`; SELECT a FROM `p.d.my-t$20200101`; INSERT INTO `p.d.t$__UNPARTITIONED__` (a) SELECT b FROM p.d.s;
--> <sql>.a <- p.d.e_*.a
--> <sql> 2.a <- p.d.e_*.a
--> <sql> 3.a <- p.d.my-t.a
--> p.d.t.a <- p.d.s.b

-- snowflake partial
SELECT a FROM IDENTIFIER($t); SELECT a FROM TABLE($t); SELECT a FROM TABLE('db.s.t'); SELECT a FROM TABLE(IDENTIFIER('db.s.u')); SELECT "x" FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())); SELECT SEQ4() n FROM TABLE(GENERATOR(ROWCOUNT=>3)); SELECT h FROM TABLE(INFORMATION_SCHEMA.QUERY_HISTORY()) ; SELECT g FROM TABLE(my_udtf(3));
SELECT a FROM SEMANTIC_VIEW(p.s.sv METRICS o.active_users AS au DIMENSIONS organization_id, date_trunc('month', time) as month WHERE x > 1) AS v; SELECT region, total FROM SEMANTIC_VIEW(sd DIMENSIONS region METRICS total);
--> <sql> 3.a <- db.s.t.a
--> <sql> 4.a <- db.s.u.a
--> <sql> 7.h <- INFORMATION_SCHEMA.QUERY_HISTORY.h
--> <sql> 10.region <- sd.region
--> <sql> 10.total <- sd.total

-- clickhouse partial
SELECT a FROM merge('db', '^t'); SELECT b FROM cluster('c', db.x); SELECT c FROM numbers(3) t(c); SELECT e FROM s3Cluster('c','http://x/y.csv'); SELECT d FROM view(SELECT d FROM q);
--> <sql> 2.b <- db.x.b
--> <sql> 4.e <- http://x/y.csv.e
--> <sql> 5.d <- q.d

-- postgres partial
SELECT x FROM my_func(3) AS x; SELECT * FROM generate_series(1, 3) g(n); SELECT a FROM f(4) AS t(a int, b int); SELECT k FROM json_each('{}') e(k, v); SELECT y.a FROM t, f2(t.z) y(a);
--> <sql> 5.a <- t.z

-- clickhouse partial
SELECT subscription_id, DICTGET(default.subscriptions, 'type', subscription_id) AS t, dictGetOrDefault('db.d', ('a', 'b'), k, 0) ab, dictHas('d', k) h, joinGet('db.j', 'v', k) v, dictGet('d', attr, k) x FROM analytics.events WHERE dictGet('f.g', 'ok', z) = 1
--> <sql>.subscription_id <- analytics.events.subscription_id
--> <sql>.t <- analytics.events.subscription_id, default.subscriptions.type
--> <sql>.ab <- analytics.events.k, db.d.a, db.d.b
--> <sql>.h <- analytics.events.k, d.*
--> <sql>.v <- analytics.events.k, db.j.v
--> <sql>.x <- analytics.events.attr, analytics.events.k, d.*

-- clickhouse
CREATE MATERIALIZED VIEW db.mv TO db.target AS SELECT user_id, dictGet('db.users_dict', 'email', user_id) AS email FROM db.events;
CREATE DICTIONARY db.users_dict (id UInt64, email String) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'users' DB 'db')) LAYOUT(FLAT()) LIFETIME(300);
--> db.target.user_id <- db.events.user_id
--> db.target.email <- db.events.user_id, db.users_dict.email
--> db.mv.user_id <- db.target.user_id
--> db.mv.email <- db.target.email
--> db.users_dict.id <- db.users.id
--> db.users_dict.email <- db.users.email

-- oracle partial
CREATE OR REPLACE PUBLIC SYNONYM syn FOR hr.emp; INSERT INTO t (name) SELECT name FROM syn; INSERT INTO syn (a) SELECT b FROM s; CREATE SYNONYM r FOR far.x@lnk; SELECT q FROM r;
--> syn.* <- hr.emp.*
--> syn.name <- hr.emp.name
--> t.name <- syn.name
--> hr.emp.a <- s.b
--> r.* <- far.x@lnk.*
--> r.q <- far.x@lnk.q
--> <sql>.q <- r.q

-- tsql partial
CREATE SYNONYM dbo.s FOR srv.db.dbo.t; SELECT a FROM dbo.s; UPDATE dbo.s SET b = c;
--> dbo.s.* <- srv.db.dbo.t.*
--> dbo.s.a <- srv.db.dbo.t.a
--> dbo.s.c <- srv.db.dbo.t.c
--> <sql>.a <- dbo.s.a
--> srv.db.dbo.t.b <- dbo.s.c

-- postgres partial
CREATE TABLE base (a int, k int) PARTITION BY RANGE (k); CREATE TABLE p1 PARTITION OF base FOR VALUES FROM (1) TO (2); INSERT INTO p1 (a) SELECT x FROM s; CREATE VIEW v AS SELECT a FROM base; CREATE TABLE p2 (a int, k int); INSERT INTO p2 (a) SELECT y FROM s2; ALTER TABLE base ATTACH PARTITION p2 FOR VALUES FROM (2) TO (3);
CREATE TABLE ch (z int) INHERITS (par); CREATE FOREIGN TABLE ft (a int, b text) SERVER srv OPTIONS (schema_name 'pub', table_name 'rt'); INSERT INTO zz (a) SELECT a FROM ft; CREATE FOREIGN TABLE f2 (a int) SERVER files OPTIONS (filename '/x.csv');
--> p1.a <- base.a
--> p1.k <- base.k
--> base.a <- p2.a, s.x
--> v.a <- base.a
--> p2.a <- s2.y
--> base.k <- p2.k
--> par.* <- ch.*
--> ft.a <- srv.pub.rt.a
--> ft.b <- srv.pub.rt.b
--> zz.a <- ft.a

-- snowflake
CREATE PIPE p AUTO_INGEST=TRUE AS COPY INTO db.s.t (a) FROM (SELECT $1 FROM @st/x) FILE_FORMAT=(TYPE=JSON); CREATE ALERT al WAREHOUSE=w SCHEDULE='1 minute' IF (EXISTS (SELECT 1 FROM q WHERE x>1)) THEN INSERT INTO log (c) SELECT d FROM e;
--> db.s.t.a <- @st/x.$1
--> log.c <- e.d

-- mysql
SELECT a, b INTO OUTFILE '/tmp/x' FIELDS TERMINATED BY ',' FROM t WHERE c = 1; SELECT a FROM t INTO OUTFILE '/tmp/y';
--> /tmp/x.a <- t.a
--> /tmp/x.b <- t.b
--> /tmp/y.a <- t.a

-- athena
UNLOAD (SELECT a FROM t) TO 's3://x' WITH (format='PARQUET');
--> s3://x.a <- t.a

-- athena
PREPARE q FROM SELECT a FROM db.t WHERE b = ?; EXECUTE q USING 1
--> <sql>.a <- db.t.a

-- clickhouse partial
EXCHANGE TABLES a AND b; ALTER TABLE t ATTACH PARTITION 1 FROM s; ALTER TABLE t2 MOVE PARTITION 1 TO TABLE d2;
--> a.* <- b.*
--> b.* <- a.*
--> t.* <- s.*
--> d2.* <- t2.*

-- db2 partial
CREATE ALIAS al FOR sch.t; SELECT x FROM al;
--> al.* <- sch.t.*
--> al.x <- sch.t.x
--> <sql>.x <- al.x

-- bigquery
MERGE INTO t USING (SELECT id, v FROM s) AS s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET t.v = s.v WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v)
--> t.v <- s.v
--> t.id <- s.id

-- clickhouse
MERGE INTO t USING (SELECT id, v FROM s) AS s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET t.v = s.v WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v)
--> t.v <- s.v
--> t.id <- s.id

-- databricks partial
CREATE FUNCTION tf(k INT) RETURNS TABLE (a INT, b INT) RETURN SELECT a, b FROM base WHERE c = k; INSERT INTO u SELECT a FROM tf(3)
--> tf.a <- base.a
--> tf.b <- base.b
--> u.a <- base.a

-- snowflake partial
CREATE FUNCTION tf(k INT) RETURNS TABLE (a INT, b INT) AS $$ SELECT a, b FROM base WHERE c = k $$; INSERT INTO u SELECT a FROM TABLE(tf(2))
--> tf.a <- base.a
--> tf.b <- base.b
--> u.a <- base.a

-- postgres partial
CREATE FUNCTION tf(k INT) RETURNS TABLE (a INT, b INT) LANGUAGE sql AS $$ SELECT a, b FROM base WHERE c = k $$; INSERT INTO u SELECT a FROM tf(2)
--> tf.a <- base.a
--> tf.b <- base.b
--> u.a <- base.a

-- tsql
CREATE FUNCTION dbo.ms (@x int) RETURNS @r TABLE (a int, b int) AS BEGIN INSERT @r SELECT a, b FROM dbo.base WHERE c = @x; RETURN END
GO
INSERT INTO u SELECT a FROM dbo.ms(3)
--> dbo.ms.a <- dbo.base.a
--> dbo.ms.b <- dbo.base.b
--> u.a <- dbo.base.a

-- snowflake
SET t = 'RAW.ORDERS'; SET tgt = 'MART.' || 'ORDERS'; INSERT INTO IDENTIFIER($tgt) (id, amt) SELECT o_id, o_amt FROM IDENTIFIER($t); CREATE TABLE mart.c AS SELECT k FROM TABLE($t)
--> MART.ORDERS.amt <- RAW.ORDERS.o_amt
--> MART.ORDERS.id <- RAW.ORDERS.o_id
--> MART.c.k <- RAW.ORDERS.k

-- snowflake
CREATE PROCEDURE p(tbl VARCHAR) RETURNS VARCHAR AS $$ BEGIN INSERT INTO IDENTIFIER(:tbl) SELECT a FROM s; RETURN 'x'; END $$; CALL p('A.B')
--> A.B.A <- s.A

-- snowflake partial
INSERT INTO mart.c (k) SELECT k FROM IDENTIFIER($nobody)

-- databricks
DECLARE VARIABLE v STRING DEFAULT 'cat.s.src'; INSERT INTO IDENTIFIER('cat.' || 's.t') SELECT a FROM IDENTIFIER(v)
--> cat.s.t.a <- cat.s.src.a

-- snowflake
SELECT o_id, o_amt FROM raw.orders; INSERT INTO mart.r (a, b) SELECT "O_ID", $2 FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())) x
--> <sql>.o_amt <- raw.orders.o_amt
--> <sql>.o_id <- raw.orders.o_id
--> mart.r.a <- <sql>.o_id
--> mart.r.b <- <sql>.o_amt

-- snowflake
SELECT o_id, o_amt FROM raw.orders; SHOW TABLES; INSERT INTO mart.r (a) SELECT "name" FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))
--> <sql>.o_amt <- raw.orders.o_amt
--> <sql>.o_id <- raw.orders.o_id
--> mart.r.a <- SHOW TABLES.name

-- oracle
INSERT INTO l SELECT USER, SYSDATE, a FROM t
--> l.a <- t.a

-- teradata
INSERT INTO l SELECT USER, SESSION, TIME, a FROM t
--> l.a <- t.a

-- hive
INSERT INTO l SELECT a, GROUPING__ID FROM t GROUP BY a, b WITH ROLLUP
--> l.a <- t.a

-- oracle partial
DECLARE n NUMBER; BEGIN UPDATE t SET a = 1; n := SQL%ROWCOUNT; INSERT INTO l (n, m) SELECT n, x FROM t; EXCEPTION WHEN OTHERS THEN INSERT INTO e (m, x) SELECT SQLERRM || SQL%BULK_EXCEPTIONS(1).ERROR_CODE, x FROM z; END;
--> e.x <- z.x
--> l.m <- t.x
--> l.n <- t.n

-- postgres
DO $$ DECLARE n int; s text; BEGIN GET DIAGNOSTICS n = ROW_COUNT; INSERT INTO l (n) VALUES (n); EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS s = MESSAGE_TEXT; INSERT INTO e VALUES (SQLERRM, s); END $$

-- tsql
INSERT INTO dbo.d (k, nm) SELECT m.k, m.nm FROM (MERGE dbo.d AS tgt USING dbo.stg AS src ON tgt.k = src.id WHEN MATCHED THEN UPDATE SET tgt.ended = 1 WHEN NOT MATCHED BY SOURCE THEN UPDATE SET ended = 2 OUTPUT $action, src.id, src.nm) AS m (act, k, nm)
--> dbo.d.k <- dbo.stg.id
--> dbo.d.nm <- dbo.stg.nm

-- tsql
EXEC sp_executesql N'INSERT INTO dbo.t (a) SELECT a FROM dbo.q WHERE z = @z', N'@z int', @z = 5
--> dbo.t.a <- dbo.q.a

-- tsql
CREATE TABLE dbo.t (a int SPARSE NULL, b AS a * 2, c varchar(10) MASKED WITH (FUNCTION = 'default()') NULL INDEX ix NONCLUSTERED, [d] [xml](CONTENT dbo.s), CHECK (a > 1)) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.h)) INSERT INTO u SELECT * FROM dbo.t
--> dbo.t.b <- dbo.t.a
--> u.a <- dbo.t.a
--> u.b <- dbo.t.b
--> u.c <- dbo.t.c
--> u.d <- dbo.t.d

-- tsql
CREATE TABLE dbo.n (a int) AS NODE; INSERT INTO dbo.u SELECT * FROM dbo.n
--> dbo.u.a <- dbo.n.a

-- oracle
CREATE TABLE ext (a NUMBER, b VARCHAR2(10) DEFAULT ON NULL 'x') ORGANIZATION EXTERNAL (TYPE ORACLE_LOADER DEFAULT DIRECTORY d ACCESS PARAMETERS (FIELDS TERMINATED BY ',' (a, b)) LOCATION ('f.csv')) REJECT LIMIT UNLIMITED; INSERT INTO t SELECT * FROM ext
--> t.a <- ext.a
--> t.b <- ext.b

-- sqlite
CREATE TABLE g (a, b AS (a + 1) VIRTUAL) WITHOUT ROWID, STRICT; INSERT INTO h SELECT * FROM g
--> g.b <- g.a
--> h.a <- g.a
--> h.b <- g.b

-- teradata
CREATE MULTISET TABLE x ,NO FALLBACK ,MAP = TD_MAP1 (id INTEGER NOT NULL, p PERIOD(DATE) AS VALIDTIME, e BYTEINT DEFAULT 0 CHECK (e > 1)) PRIMARY INDEX px (id); INSERT INTO y SELECT * FROM x
--> y.e <- x.e
--> y.id <- x.id
--> y.p <- x.p

-- mysql
CREATE TABLE t (id int unsigned NOT NULL AUTO_INCREMENT, p point SRID 4326, g int GENERATED ALWAYS AS (id * 2) VIRTUAL INVISIBLE, KEY k (p) USING BTREE) ENGINE=InnoDB; INSERT INTO u SELECT * FROM t
--> t.g <- t.id
--> u.g <- t.g
--> u.id <- t.id
--> u.p <- t.p

-- snowflake
CREATE EXTERNAL TABLE e (dt DATE AS TO_DATE(METADATA$FILENAME), v VARCHAR AS (value:c1::varchar)) PARTITION BY (dt) LOCATION = @s/x FILE_FORMAT = (TYPE = PARQUET); INSERT INTO f SELECT * FROM e
--> e.VALUE <- @s/x.VALUE
--> e.dt <- @s/x.METADATA$FILENAME
--> e.v <- @s/x.VALUE
--> f.VALUE <- e.VALUE
--> f.dt <- e.dt
--> f.v <- e.v

-- redshift
CREATE EXTERNAL TABLE sp.e (a int, b struct<x:int>) PARTITIONED BY (dt date) STORED AS PARQUET LOCATION 's3://x/' TABLE PROPERTIES ('numRows'='1'); INSERT INTO f SELECT a FROM sp.e
--> f.a <- sp.e.a

-- databricks
CREATE OR REFRESH LIVE TABLE silver (id INT COMMENT 'x', a STRING, CONSTRAINT ok EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW) AS SELECT id, a FROM STREAM(LIVE.bronze); CREATE OR REFRESH LIVE TABLE gold AS SELECT a FROM LIVE.silver
--> gold.a <- silver.a
--> silver.a <- bronze.a
--> silver.id <- bronze.id

-- databricks partial
CREATE TABLE n DEEP CLONE c.s.src VERSION AS OF 2; CREATE TEMPORARY VIEW jv USING org.apache.spark.sql.jdbc OPTIONS (url "jdbc:x", dbtable "s.t"); INSERT INTO z SELECT a FROM jv
--> n.* <- c.s.src.*
--> z.a <- s.t.a

-- bigquery partial
CREATE SNAPSHOT TABLE d.snap CLONE d.src FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP()
--> d.snap.* <- d.src.*

-- bigquery partial
CREATE EXTERNAL TABLE d.ext WITH PARTITION COLUMNS (dt DATE) OPTIONS (format='PARQUET', uris=['gs://b/x/*']); INSERT INTO d.t SELECT a FROM d.ext
--> d.t.a <- d.ext.a
--> d.ext.* <- gs://b/x/*.*
--> d.ext.a <- gs://b/x/*.a

-- postgres
CREATE TABLE base (a INT, b INT, c INT); CREATE FUNCTION tf(k INT) RETURNS TABLE (a INT, b INT) LANGUAGE sql AS $$ SELECT a, b FROM base WHERE c = k $$; INSERT INTO u SELECT a FROM tf(2)
--> tf.a <- base.a
--> tf.b <- base.b
--> u.a <- base.a

-- oracle
WITH FUNCTION net(p NUMBER, d NUMBER) RETURN NUMBER IS v NUMBER; BEGIN v := p * (1 - d); RETURN v; END; o AS (SELECT id, amt, disc FROM oe.orders) SELECT o.id, net(o.amt, o.disc) AS net FROM o
--> <sql>.id <- oe.orders.id
--> <sql>.net <- oe.orders.amt, oe.orders.disc

-- oracle
INSERT /*+ WITH_PLSQL */ INTO dw.nets (id, net) WITH FUNCTION f(a NUMBER) RETURN NUMBER IS BEGIN RETURN a * 2; END; SELECT id, f(amt) FROM oe.orders
--> dw.nets.id <- oe.orders.id
--> dw.nets.net <- oe.orders.amt

-- oracle
CREATE PACKAGE BODY p AS $IF $$b $THEN g NUMBER; $END PROCEDURE two IS BEGIN $IF DBMS_DB_VERSION.VER_LE_11 $THEN INSERT INTO o (a) SELECT b FROM s; $ELSIF $$x = 3 $THEN NULL; $ELSE INSERT INTO o (a) SELECT c FROM s; $END COMMIT; END; END;
--> o.a <- s.b, s.c

-- oracle
SELECT a, versions_starttime AS t FROM s VERSIONS BETWEEN TIMESTAMP MINVALUE AND MAXVALUE v WHERE v.k = &key AND d > TO_DATE('&d')
--> <sql>.a <- s.a

-- oracle
INSERT INTO (SELECT id, nm FROM t WHERE x = 1 WITH CHECK OPTION) SELECT k, n FROM s
--> t.id <- s.k
--> t.nm <- s.n

-- oracle partial
INSERT INTO &sch..t (a) SELECT a FROM s
--> _sch_.t.a <- s.a

-- oracle
BEGIN DBMS_OUTPUT.PUT_LINE('x'); DBMS_STATS.GATHER_TABLE_STATS('DW', 'T'); END;
/
FLASHBACK TABLE t TO BEFORE DROP RENAME TO u
--> u.* <- t.*

-- tsql
WITH c AS (SELECT id, amt FROM dbo.t WHERE k = 1) MERGE INTO c USING dbo.s AS s ON c.id = s.id WHEN MATCHED THEN UPDATE SET amt = s.x WHEN NOT MATCHED THEN INSERT (id, amt) VALUES (s.id, s.x) WHEN NOT MATCHED BY SOURCE THEN DELETE;
--> dbo.t.amt <- dbo.s.x
--> dbo.t.id <- dbo.s.id

-- tsql partial
WITH d AS (SELECT * FROM dbo.t WHERE k = 1), c AS (SELECT d.id AS i, d.amt AS m FROM d WHERE d.z = 2) MERGE INTO c AS q USING (SELECT t.x, t.id FROM dbo.s t) AS d ON q.i = d.id WHEN MATCHED AND q.m < 3 THEN UPDATE SET q.m = d.x + q.m WHEN NOT MATCHED THEN INSERT (i, m) VALUES (d.id, d.x);
--> dbo.t.amt <- dbo.s.x, dbo.t.amt
--> dbo.t.id <- dbo.s.id

-- tsql
WITH c AS (SELECT id AS i2, amt FROM dbo.t WHERE k = 1) INSERT INTO c SELECT id, x FROM dbo.s
--> dbo.t.amt <- dbo.s.x
--> dbo.t.id <- dbo.s.id

-- tsql partial
WITH d AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY d) AS rn FROM dbo.t), c AS (SELECT * FROM d WHERE rn > 1) UPDATE c SET a = s.x FROM c JOIN dbo.s s ON s.id = c.id
--> dbo.t.a <- dbo.s.x

-- oracle
MERGE INTO (SELECT id, amt AS a FROM t WHERE k = 1) t USING (SELECT s.id, t.q FROM s JOIN t ON t.id = s.id) s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET t.a = s.q WHERE t.a <> s.q DELETE WHERE t.a = 0
--> t.amt <- t.q

-- oracle
INSERT INTO (SELECT t.id AS k, t.nm m FROM t WHERE x = 1 WITH CHECK OPTION) SELECT k, n FROM s
--> t.id <- s.k
--> t.nm <- s.n

-- postgres
WITH t AS (SELECT a, b FROM s) UPDATE t SET a = q.a FROM t AS q WHERE q.b = t.b
--> t.a <- s.a

-- postgres
UPDATE t SET a = b.c FROM t AS b WHERE b.id = t.pid
--> t.a <- t.c

-- postgres
UPDATE t SET a[1:2] = s.x, a[3] = s.w, b.c = s.y, b.d.e = s.q, m['k'] = s.z FROM s WHERE s.id = t.id
--> t.a <- s.w, s.x, t.a
--> t.b <- s.q, s.y, t.b
--> t.m <- s.z, t.m

-- bigquery
UPDATE d.t SET details.color = s.x FROM d.s AS s WHERE s.k = t.k
--> d.t.details <- d.s.x, d.t.details

-- postgres
CREATE TABLE m AS SELECT a, b FROM s WITH NO DATA; INSERT INTO m SELECT x, y FROM q
--> m.a <- q.x
--> m.b <- q.y

-- tsql
SELECT a, b INTO #t FROM dbo.s WHERE 1 = 0; INSERT INTO #t SELECT x, y FROM dbo.q; INSERT INTO dbo.r (k) SELECT a FROM #t
--> dbo.r.k <- dbo.q.x

-- oracle
UPDATE t SET (t.a) = (SELECT s.x FROM s WHERE s.id = t.id)
--> t.a <- s.x

-- db2
INSERT INTO t (a, b) SELECT x, d - 3 MONTHS + n DAYS FROM s WHERE d > CURRENT DATE - 30 DAYS FOR READ ONLY WITH UR
--> t.a <- s.x
--> t.b <- s.d, s.n

-- db2
INSERT INTO t (a) SELECT fn CONCAT ' ' CONCAT ln FROM s FETCH FIRST 10 ROWS ONLY OPTIMIZE FOR 10 ROWS
--> t.a <- s.fn, s.ln

-- db2
CREATE PROCEDURE p() LANGUAGE SQL BEGIN DECLARE v INT; DECLARE w INT; VALUES (SELECT MAX(a) FROM s) INTO v; VALUES (v + 1, (SELECT b FROM r)) INTO v, w; INSERT INTO t (a, b) VALUES (v, w); END
--> t.a <- s.a
--> t.b <- r.b

-- db2
CREATE PROCEDURE p() LANGUAGE SQL BEGIN DECLARE v INT; DECLARE EXIT HANDLER FOR SQLEXCEPTION INSERT INTO log (a) SELECT b FROM e; DECLARE c CURSOR FOR SELECT x FROM s; OPEN c; FETCH c INTO v; INSERT INTO t (a) VALUES (v); CLOSE c; END
--> log.a <- e.b
--> t.a <- s.x

-- db2
DECLARE GLOBAL TEMPORARY TABLE tmp (a INT, b INT) ON COMMIT PRESERVE ROWS NOT LOGGED WITH REPLACE; INSERT INTO SESSION.tmp SELECT x, y FROM s; INSERT INTO t (a) SELECT a FROM SESSION.tmp
--> t.a <- s.x

-- db2
DECLARE GLOBAL TEMPORARY TABLE SESSION.tmp AS (SELECT a, b FROM s) DEFINITION ONLY; INSERT INTO SESSION.tmp SELECT x, y FROM s2; INSERT INTO t (a) SELECT a FROM SESSION.tmp
--> t.a <- s2.x

-- db2
DECLARE c1 CURSOR FOR SELECT a, b FROM s; LOAD FROM c1 OF CURSOR INSERT INTO t (x, y) NONRECOVERABLE; LOAD FROM /tmp/x.del OF DEL REPLACE INTO u (a, b)
--> t.x <- s.a
--> t.y <- s.b
--> u.a <- /tmp/x.del.a
--> u.b <- /tmp/x.del.b

-- db2
CALL SYSPROC.ADMIN_CMD('EXPORT TO /tmp/x.ixf OF IXF SELECT a, b FROM s')
--> /tmp/x.ixf.a <- s.a
--> /tmp/x.ixf.b <- s.b

-- db2
CREATE TABLE m AS (SELECT a, SUM(b) AS sb FROM s GROUP BY a) DATA INITIALLY DEFERRED REFRESH DEFERRED ORGANIZE BY ROW
--> m.a <- s.a
--> m.sb <- s.b

-- db2
--#SET TERMINATOR @
CREATE PROCEDURE p(IN p1 INT) BEGIN INSERT INTO t (x) SELECT a FROM s; INSERT INTO t2 (x) SELECT a FROM s2; END@
CREATE VIEW v AS SELECT a FROM s@
INSERT INTO q SELECT a FROM v@
--> q.a <- v.a
--> t.x <- s.a
--> t2.x <- s2.a
--> v.a <- s.a

-- db2
MERGE INTO t AS ar USING (SELECT a, b FROM s) AS ac ON (ar.a = ac.a) WHEN MATCHED AND ac.b < 0 THEN SIGNAL SQLSTATE '70001' SET MESSAGE_TEXT = 'x' WHEN MATCHED THEN UPDATE SET b = ac.b WHEN NOT MATCHED THEN INSERT (a, b) VALUES (ac.a, ac.b) ELSE IGNORE
--> t.a <- s.a
--> t.b <- s.b

-- db2 partial
INSERT INTO arch SELECT a, b FROM OLD TABLE (DELETE FROM t WHERE d < CURRENT DATE - 1 YEAR)
--> arch.a <- t.a
--> arch.b <- t.b

-- db2
UPDATE t FOR PORTION OF BUSINESS_TIME FROM '2020-01-01' TO '2021-01-01' SET a = (SELECT x FROM s FOR SYSTEM_TIME AS OF CURRENT TIMESTAMP - 1 DAY WHERE k = 1)
--> t.a <- s.x

-- db2
CREATE TABLE t (id INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY (START WITH 1, INCREMENT BY 1), a VARCHAR(10) FOR BIT DATA, d GENERATED ALWAYS AS (UPPER(a)), PRIMARY KEY (id)) IN ts1; INSERT INTO t (a) SELECT x FROM s; INSERT INTO u (k, a) VALUES (NEXT VALUE FOR sq, (SELECT x FROM s))
--> t.a <- s.x
--> t.d <- t.a
--> u.a <- s.x

-- db2 partial
CREATE FUNCTION f(p INT) RETURNS TABLE (a INT, b INT) LANGUAGE SQL READS SQL DATA RETURN SELECT a, b FROM s WHERE k = p; INSERT INTO t (a) SELECT b FROM TABLE(f(3)) AS z
--> f.a <- s.a
--> f.b <- s.b
--> t.a <- s.b

-- mysql
INSERT INTO t (a, b) SELECT j.a, j.b FROM s, JSON_TABLE(s.doc, '$[*]' COLUMNS (n FOR ORDINALITY, a INT PATH '$.a' DEFAULT '0' ON EMPTY NULL ON ERROR, e INT EXISTS PATH '$.e', NESTED PATH '$.c[*]' COLUMNS (b INT PATH '$'))) AS j
--> t.a <- s.doc
--> t.b <- s.doc

-- oracle
INSERT INTO t (a, b) SELECT a, b FROM po, JSON_TABLE(po.doc.items[*] ERROR ON ERROR COLUMNS (a NUMBER FORMAT JSON WITH WRAPPER PATH '$.x', b))
--> t.a <- po.doc
--> t.b <- po.doc

-- oracle
INSERT INTO t (a, b) SELECT x.a, x."b" FROM s, XMLTABLE(XMLNAMESPACES('http://x' AS "n", DEFAULT 'y'), '/n:r' PASSING s.doc AS "d" COLUMNS a NUMBER PATH '@a', "b" VARCHAR2(10) PATH 'b' DEFAULT 'q') x WHERE XMLEXISTS('$p/a' PASSING s.doc AS "p")
--> t.a <- s.doc
--> t.b <- s.doc

-- oracle
INSERT INTO t (a) SELECT JSON_QUERY(s.doc, '$.a' RETURNING CLOB WITH WRAPPER NULL ON ERROR) FROM s PARTITION FOR (DATE '2020-01-01')
--> t.a <- s.doc

-- postgres
INSERT INTO t (a, b, c) SELECT j.id, o.x, c.y FROM o JOIN c USING (id) AS j; PREPARE q(int) AS INSERT INTO u (a, b) SELECT x, $1 FROM s; EXECUTE q(1)
--> t.a <- o.id
--> t.b <- o.x
--> t.c <- c.y
--> u.a <- s.x

-- postgres
MERGE INTO acc a USING tx t ON t.id = a.id WHEN NOT MATCHED THEN INSERT (id, bal) OVERRIDING SYSTEM VALUE VALUES (t.id, t.v)
--> acc.bal <- tx.v
--> acc.id <- tx.id

-- redshift
UNLOAD ('select a, b from s where c = \'x\'') TO 's3://b/k_' IAM_ROLE 'arn' FORMAT PARQUET
--> s3://b/k_.a <- s.a
--> s3://b/k_.b <- s.b

-- mysql
DO SLEEP(1), RELEASE_LOCK('x'); INSERT INTO t (a) SELECT x FROM s
--> t.a <- s.x

-- fabric
CREATE VIEW v AS SELECT r.filepath(1) AS y, r.a FROM OPENROWSET(BULK ('a.csv', 'b.csv'), FORMAT = 'CSV') WITH (a INT 1, b VARCHAR(10) 2) AS r; CREATE TABLE dbo.t1 AS SELECT a FROM v
--> dbo.t1.a <- v.a
--> v.a <- a.csv.a, b.csv.a

-- tsql
CREATE TYPE dbo.tt AS TABLE (id INT PRIMARY KEY, n VARCHAR(10), INDEX ix NONCLUSTERED (n));
GO
CREATE PROCEDURE dbo.p @rows dbo.tt READONLY AS INSERT INTO dbo.t (id, n) SELECT id, n FROM @rows;
GO
DECLARE @x dbo.tt; INSERT INTO @x SELECT a, b FROM dbo.s; EXEC dbo.p @rows = @x;
--> dbo.t.id <- dbo.s.a
--> dbo.t.n <- dbo.s.b

-- tsql partial
INSERT INTO dbo.t (a, op) SELECT p.a, ct.SYS_CHANGE_OPERATION FROM CHANGETABLE(CHANGES dbo.src, @last) AS ct LEFT JOIN dbo.src p ON p.id = ct.id
--> dbo.t.a <- dbo.src.a

-- tsql
SET NOCOUNT, XACT_ABORT ON; INSERT INTO dbo.agg (id, js) SELECT d.id, (SELECT e.nm AS [name], e.sal FROM dbo.emp e WHERE e.dept = d.id FOR JSON PATH) FROM dbo.dept d
--> dbo.agg.id <- dbo.dept.id
--> dbo.agg.js <- dbo.emp.nm, dbo.emp.sal

-- tsql
COPY INTO dbo.stage (a 1, b DEFAULT 'x' 2) FROM 'https://acc/c/*.csv' WITH (FILE_TYPE = 'CSV'); SELECT p2.name INTO dbo.friends FROM Person AS p1, friendOf AS f, Person AS p2 WHERE MATCH(p1-(f)->p2) AND p1.name = 'x'
--> dbo.friends.name <- Person.name
--> dbo.stage.a <- https://acc/c/*.csv.a
--> dbo.stage.b <- https://acc/c/*.csv.b

-- oracle
CREATE PACKAGE p AS TYPE r IS RECORD (a NUMBER, b VARCHAR2(10)); g r; END;
/
CREATE PACKAGE BODY p AS h r; PROCEDURE l IS BEGIN SELECT x, y INTO g.a, g.b FROM s; h := g; END; PROCEDURE m IS BEGIN INSERT INTO u (a) VALUES (h.a); END; END;
/
BEGIN p.l; INSERT INTO w (a) VALUES (p.g.b); END;
/
--> u.a <- s.x
--> w.a <- s.y

-- oracle
CREATE PACKAGE p AS TYPE r IS RECORD (a NUMBER, b VARCHAR2(10)); END;
/
CREATE PROCEDURE q IS v p.r; BEGIN SELECT x, y INTO v FROM s; INSERT INTO t (a, b) VALUES (v.a, v.b); END;
/
--> t.a <- s.x
--> t.b <- s.y

-- oracle partial
CREATE PACKAGE BODY p AS g s%ROWTYPE; PROCEDURE l IS BEGIN SELECT * INTO g FROM s WHERE id = 1; END; PROCEDURE m IS BEGIN l; INSERT INTO u (a) VALUES (g.a); END; END;
/
--> u.a <- s.a

-- oracle
CREATE FUNCTION f RETURN SYS_REFCURSOR IS c SYS_REFCURSOR; BEGIN OPEN c FOR SELECT a, b FROM s; RETURN c; END;
/
DECLARE c SYS_REFCURSOR; x NUMBER; y NUMBER; BEGIN c := f; LOOP FETCH c INTO x, y; EXIT WHEN c%NOTFOUND; INSERT INTO t (a, b) VALUES (x, y); END LOOP; END;
/
--> t.a <- s.a
--> t.b <- s.b

-- oracle partial
CREATE FUNCTION f RETURN s%ROWTYPE IS r s%ROWTYPE; BEGIN SELECT * INTO r FROM s WHERE id = 1; RETURN r; END;
/
DECLARE r s%ROWTYPE; BEGIN r := f; INSERT INTO t (a) VALUES (r.a); END;
/
--> t.a <- s.a

-- oracle
CREATE PROCEDURE f(r OUT s%ROWTYPE) IS BEGIN SELECT x, y INTO r.a, r.b FROM q; END;
/
CREATE PROCEDURE g(r IN s%ROWTYPE) IS BEGIN INSERT INTO t (a, b) VALUES (r.a, r.b); END;
/
DECLARE z s%ROWTYPE; BEGIN f(z); g(z); END;
/
--> t.a <- q.x
--> t.b <- q.y

-- postgres
CREATE FUNCTION full_price(o orders) RETURNS numeric LANGUAGE plpgsql AS $$ BEGIN RETURN o.qty * o.price; END $$; INSERT INTO t (a) SELECT full_price(o) FROM orders o
--> t.a <- orders.price, orders.qty

-- oracle
INSERT INTO t (id, doc) SELECT d.id, JSON_ARRAYAGG(JSON_OBJECT(e.nm, e.sal) ORDER BY e.nm RETURNING CLOB) FROM d JOIN e ON e.d = d.id GROUP BY d.id
--> t.doc <- e.nm, e.sal
--> t.id <- d.id

-- db2
CREATE PROCEDURE p(IN d DATE) BEGIN DECLARE q VARCHAR(100); DECLARE id INT; DECLARE c2 CURSOR FOR stmt; SET q = 'INSERT INTO h SELECT a FROM s WHERE dd < ?'; PREPARE st FROM q; EXECUTE st USING d; PREPARE stmt FROM 'SELECT k FROM z WHERE d = ?'; OPEN c2 USING d; FETCH c2 INTO id; INSERT INTO t (a) VALUES (id); CLOSE c2; END
--> h.a <- s.a
--> t.a <- z.k

-- db2
INSERT INTO QTEMP/TMP1 SELECT A.CUSNO FROM LIB1/CUST A EXCEPTION JOIN LIB1/OLD O ON O.CUSNO = A.CUSNO WITH NC
--> QTEMP.TMP1.CUSNO <- LIB1.CUST.CUSNO

-- db2
INSERT INTO T (A, B, C) SELECT NEXTVAL FOR SQ1, STRIP(Z, L, '0'), XMLSERIALIZE(XMLAGG(XMLELEMENT(NAME "x", N)) AS CLOB(1M)) FROM S WHERE A ^= 1; TRUNCATE TABLE U DROP STORAGE IGNORE DELETE TRIGGERS IMMEDIATE
--> T.B <- S.Z
--> T.C <- S.N

-- db2 partial
ALTER TABLE T DETACH PARTITION P2 INTO U; CREATE NICKNAME N1 FOR SRV.SCH.TAB; INSERT INTO X SELECT A FROM N1
--> N1.* <- SRV.SCH.TAB.*
--> N1.A <- SRV.SCH.TAB.A
--> U.* <- T.*
--> X.A <- N1.A

-- hana
UPSERT t (a) SELECT a FROM s WITH PRIMARY KEY
--> t.a <- s.a

-- mysql
LOAD DATA LOCAL INFILE '/tmp/x.csv' REPLACE INTO TABLE t CHARACTER SET utf8 FIELDS TERMINATED BY ',' IGNORE 1 LINES (a, @v, c) SET b = UPPER(@v), d = NOW()
--> t.a <- /tmp/x.csv.a
--> t.b <- /tmp/x.csv.v
--> t.c <- /tmp/x.csv.c

-- sqlite
UPDATE OR IGNORE t SET a = s.q FROM s WHERE s.id = t.id; CREATE TRIGGER tr BEFORE UPDATE ON t BEGIN SELECT RAISE(ABORT, 'x') WHERE NEW.a = 1; END
--> t.a <- s.q

-- tsql
INSERT INTO t (a, b) SELECT v = (SELECT MAX(c) FROM s2), [w x] = s1.b FROM s1
--> t.a <- s2.c
--> t.b <- s1.b

-- sqlite
CREATE VIEW w AS VALUES ((SELECT c FROM s)), (2)
--> w.COLUMN1 <- s.c

-- oracle
INSERT INTO t (a, b, c) SELECT VALUE(x).c1, TREAT(VALUE(x) AS emp_t).c2, y.c3 FROM s1 x, ONLY (s2) y
--> t.a <- s1.c1
--> t.b <- s1.c2
--> t.c <- s2.c3

-- db2
WITH a (v) AS (SELECT c FROM s), b AS (VALUES 1, 2) SELECT v FROM a, b
--> <sql>.v <- s.c

-- db2
INSERT INTO t (a) SELECT c1 FROM s1 FOR SYSTEM_TIME FROM '2020-01-01' TO '2021-01-01' WHERE a = ? AND b = :hv :ind
--> t.a <- s1.c1

-- mysql
INSERT INTO t (a) SELECT SQL_CALC_FOUND_ROWS HIGH_PRIORITY DISTINCT s1.c FROM { OJ s1 LEFT OUTER JOIN s2 ON s1.k = s2.k }
--> t.a <- s1.c

-- oracle
UPDATE t SET t.obj.x = (SELECT b FROM s); INSERT INTO u SET a = (SELECT b FROM s), c = 1; ALTER TABLE t ADD (c NUMBER GENERATED ALWAYS AS (a + b) VIRTUAL)
--> t.c <- t.a, t.b
--> t.obj <- s.b, t.obj
--> u.a <- s.b

-- oracle
CREATE MATERIALIZED VIEW mv ON PREBUILT TABLE WITH REDUCED PRECISION REFRESH COMPLETE START WITH SYSDATE NEXT SYSDATE + 1 WITH ROWID AS SELECT b FROM s
--> mv.b <- s.b

-- tsql
UPDATE t SET c.WRITE(s.b, 0, 1) FROM s; UPDATE t SET doc.modify('replace value of (/a)[1] with sql:column("s.d")') FROM t JOIN s ON s.k = t.k
--> t.c <- s.b, t.c
--> t.doc <- s.d, t.doc

-- tsql
MERGE t AS d USING s ON d.k = s.k WHEN MATCHED THEN UPDATE SET a = s.b OUTPUT $action, inserted.a INTO lg (act, x) OPTION (RECOMPILE); SELECT b AS a INTO dbo.u ON fg FROM s
--> dbo.u.a <- s.b
--> lg.x <- s.b
--> t.a <- s.b

-- tsql
ALTER SCHEMA x TRANSFER dbo.t; INSERT INTO u (a) SELECT b FROM x.t
--> u.a <- x.t.b
--> x.t.* <- dbo.t.*
--> x.t.b <- dbo.t.b

-- postgres
ALTER TABLE t SET SCHEMA x; CREATE TEMP VIEW v (x) WITH (security_invoker = true) AS SELECT b FROM s WITH LOCAL CHECK OPTION; INSERT INTO w (a) SELECT x FROM v
--> w.a <- s.b
--> x.t.* <- t.*

-- postgres
COPY t (a) FROM '/x.csv' WITH (FORMAT csv) WHERE a > 1; BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT b FROM s; FETCH ALL IN c; CLOSE c; COMMIT; CREATE DOMAIN d AS text CHECK (VALUE ~ 'x')
--> t.a <- /x.csv.a

-- mysql
INSERT INTO t (a) SELECT b FROM s ON DUPLICATE KEY UPDATE a = VALUES(a) + 1, c = s.d; REPLACE LOW_PRIORITY u (a) SELECT b FROM s; UPDATE LOW_PRIORITY IGNORE v SET a = (SELECT b FROM s) ORDER BY k LIMIT 5
--> t.a <- s.b
--> t.c <- s.d
--> u.a <- s.b
--> v.a <- s.b

-- mysql
CREATE TABLE t (a INT, INDEX (a)) REPLACE SELECT b AS a FROM s; ALTER TABLE w RENAME AS u, ADD COLUMN z INT AFTER a
--> t.a <- s.b
--> u.* <- w.*

-- mysql
CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.c = (SELECT MAX(d) FROM s); INSERT INTO t (a) SELECT b FROM s
--> t.a <- s.b
--> t.c <- s.d

-- oracle
DECLARE TYPE r IS RECORD (x NUMBER, y NUMBER); TYPE tt IS TABLE OF r INDEX BY PLS_INTEGER; v tt; BEGIN SELECT b, d BULK COLLECT INTO v FROM s; FORALL i IN 1..v.COUNT INSERT INTO t (a, c) VALUES (v(i).x, v(i).y); END;
--> t.a <- s.b
--> t.c <- s.d

-- oracle partial
DECLARE TYPE tt IS TABLE OF s%ROWTYPE; v tt; BEGIN FOR x IN (SELECT * FROM s) LOOP v(1) := x; END LOOP; INSERT INTO t (a) VALUES (v(1).b); END;
--> t.a <- s.b

-- oracle
BEGIN FOR r IN (SELECT s.b, s.k FROM s) LOOP MERGE INTO t USING DUAL ON (t.k = r.k) WHEN MATCHED THEN UPDATE SET a = r.b WHEN NOT MATCHED THEN INSERT (k, a) VALUES (r.k, r.b); END LOOP; END;
--> t.a <- s.b
--> t.k <- s.k

-- oracle
CREATE PACKAGE BODY p IS c NUMBER; FUNCTION g RETURN NUMBER IS BEGIN RETURN c; END; BEGIN SELECT b INTO c FROM s; END;
/
DECLARE v NUMBER := 1; BEGIN v := p.g; INSERT INTO t (a) VALUES (v); END;
/
--> t.a <- s.b

-- tsql
DECLARE @j NVARCHAR(MAX) = (SELECT b FROM s FOR JSON PATH); INSERT t (a) SELECT b FROM OPENJSON(@j) WITH (b INT);
--> t.a <- s.b

-- tsql
DECLARE @x XML; SET @x = (SELECT b FROM s FOR XML AUTO); INSERT t (a) SELECT n.v.value('@b', 'int') FROM @x.nodes('/s') AS n(v);
--> t.a <- s.b

-- db2
CREATE PROCEDURE p () LANGUAGE SQL BEGIN FOR r AS c1 INSENSITIVE CURSOR FOR SELECT b FROM s DO INSERT INTO t (a) VALUES (b); END FOR; END;
--> t.a <- s.b

-- postgres
INSERT INTO t (program) SELECT program FROM s; COPY program (a) FROM '/y.csv'; DELETE FROM t USING (SELECT k FROM s) AS q WHERE q.k = t.k
--> program.a <- /y.csv.a
--> t.program <- s.program

-- db2
SELECT a -- mail me@
FROM s;
INSERT INTO t (a) SELECT b || '@
' FROM s
--> <sql>.a <- s.a
--> t.a <- s.b

-- oracle
INSERT INTO TABLE(SELECT d.emps FROM dept d WHERE d.k = 1) SELECT emp_t(b, c) FROM s; INSERT INTO TABLE(SELECT d.emps FROM dept d WHERE d.k = 1) (x, y) VALUES (1, (SELECT b FROM s2))
--> dept.emps <- s.b, s.c, s2.b

-- oracle
CREATE TABLE t OF person_t (PRIMARY KEY (id)) NESTED TABLE x STORE AS y; INSERT INTO t (a) SELECT b FROM s
--> t.a <- s.b

-- postgres
ALTER TABLE t ADD COLUMN c int DEFAULT 5, ALTER a TYPE text USING b::text
--> t.a <- t.b

-- db2
INSERT INTO t (a, b, c) SELECT x + y month, v concat, d + n MONTH - 1 DAY AS e FROM s
--> t.a <- s.x, s.y
--> t.b <- s.v
--> t.c <- s.d, s.n

-- bigquery
CREATE TEMP FUNCTION f(h ARRAY<INT64>) AS (ARRAY(SELECT x + 1 FROM UNNEST(h) AS x)); WITH q AS (SELECT k, b AS c FROM s) SELECT f(c) AS a FROM q
--> <sql>.a <- s.b

-- bigquery partial
SELECT ARRAY(SELECT AS STRUCT z, (SELECT MAX(n) FROM UNNEST(s.c) AS n WHERE n > z) AS m FROM UNNEST(ARRAY(SELECT y + 1 FROM UNNEST(s.b) AS y)) AS z) AS a FROM s
--> <sql>.a <- s.b, s.c

-- clickhouse
CREATE MATERIALIZED VIEW v TO t AS SELECT x AS a FROM s; SELECT b FROM t; ALTER TABLE v MODIFY QUERY SELECT z AS c, y AS a FROM r
--> <sql>.b <- t.b
--> t.a <- r.y, s.x
--> t.c <- r.z
--> v.a <- t.a

-- clickhouse
CREATE TABLE q (message String) ENGINE = Kafka('h:9092', 'q', 'g', 'JSONEachRow'); CREATE MATERIALIZED VIEW v TO t AS SELECT message AS m, _topic AS p FROM q
--> t.m <- q.message
--> v.m <- t.m
--> v.p <- t.p

-- snowflake
CREATE OR REPLACE SEMANTIC VIEW v COMMENT = 'x' TABLES (o AS db.c.orders PRIMARY KEY (id) WITH SYNONYMS ('sales'), db.c.items COMMENT = 'a, b') RELATIONSHIPS (r AS items (oid) REFERENCES o) FACTS (items.net AS price * (1 - off) COMMENT = 'n') DIMENSIONS (o.day AS odate WITH SYNONYMS = ('d'), PUBLIC o.city AS city, items.city AS icity) METRICS (items.rev AS SUM(net), items.n NON ADDITIVE BY (o.day) AS COUNT(DISTINCT k), share AS items.rev / items.n); INSERT INTO t (a) SELECT rev FROM SEMANTIC_VIEW(v METRICS items.rev DIMENSIONS o.day)
--> t.a <- v.rev
--> v.city <- db.c.items.icity, db.c.orders.city
--> v.day <- db.c.orders.odate
--> v.n <- db.c.items.k
--> v.net <- db.c.items.off, db.c.items.price
--> v.rev <- db.c.items.off, db.c.items.price
--> v.share <- db.c.items.k, db.c.items.off, db.c.items.price

-- snowflake
WITH p AS PROCEDURE (x VARCHAR, n INT) RETURNS VARCHAR LANGUAGE SQL AS $$ BEGIN INSERT INTO t (a) SELECT b FROM s; EXECUTE IMMEDIATE 'INSERT INTO ' || :x || ' (a) SELECT c FROM r'; RETURN 'ok'; END $$ CALL p('u', 5)
--> t.a <- s.b
--> u.a <- r.c

-- snowflake
CREATE PROCEDURE p() RETURNS TABLE (a INT) LANGUAGE SQL AS $$ BEGIN LET c CURSOR FOR SELECT b AS a FROM s; OPEN c; RETURN TABLE(RESULTSET_FROM_CURSOR(c)); END $$; CALL p(); INSERT INTO t (a) SELECT a FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))
--> p.a <- s.b
--> t.a <- p.a

-- snowflake
SHOW DYNAMIC TABLES LIKE 'x%' IN ACCOUNT; INSERT INTO t (a) SELECT "name" FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())); INSERT INTO u (n) SELECT "number of rows inserted" FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))
--> t.a <- SHOW DYNAMIC TABLES.name

-- snowflake
CREATE OR REPLACE CORTEX SEARCH SERVICE db.c.v ON b ATTRIBUTES a WAREHOUSE = w TARGET_LAG = '1 day' AS (SELECT b, UPPER(x) AS a FROM s); CREATE APPLICATION PACKAGE p; ALTER SEMANTIC VIEW v SET COMMENT = 'x'; ALTER ICEBERG TABLE s REFRESH; ALTER TABLE s ADD SEARCH OPTIMIZATION; CREATE MASKING POLICY m AS (v STRING) RETURNS STRING -> CASE WHEN IS_ROLE_IN_SESSION('A') THEN v ELSE '*' END; CREATE NETWORK RULE n MODE = EGRESS TYPE = HOST_PORT VALUE_LIST = ('h')
--> db.c.v.a <- s.x
--> db.c.v.b <- s.b

-- redshift
CREATE MODEL m FROM (SELECT a, b FROM s WHERE c < 1) TARGET b FUNCTION f IAM_ROLE default SETTINGS (S3_BUCKET 'x'); CREATE TABLE t AS SELECT k, f(a) AS p FROM r
--> m.a <- s.a
--> m.b <- s.b
--> t.k <- r.k
--> t.p <- r.a

-- bigquery partial
SELECT a FROM s WHERE {% if x() %} d > 1 {% if y() %} AND e = 2 {% endif %} {% else %} d = @d {% endif %} GROUP BY a
--> <sql>.a <- s.a

-- databricks
CREATE OR REPLACE VIEW c.v WITH METRICS LANGUAGE YAML AS $$
version: 1.1
source: raw.orders
filter: state = 'done'
joins:
  - name: cust
    source: raw.customer
    on: source.cust_id = cust.id
    joins:
      - name: area
        source: SELECT id, label FROM raw.area
        using: [id]
dimensions:
  - name: day
    expr: date_trunc('DAY', at)
  - name: "Area of customer"
    expr: cust.area.label   # it's the label
measures:
- name: total
  expr: >
    SUM(amount)
- name: mean
  expr: "MEASURE(total) / COUNT(DISTINCT source.k)"
$$; INSERT INTO t (a) SELECT MEASURE(mean) FROM c.v GROUP BY day
--> c.v.Area of customer <- raw.area.label
--> c.v.day <- raw.orders.at
--> c.v.mean <- raw.orders.amount, raw.orders.k
--> c.v.total <- raw.orders.amount
--> t.a <- c.v.mean

-- bigquery
BEGIN CREATE TEMP TABLE l AS SELECT b AS a FROM ds.s; WHILE n > 0 DO INSERT INTO l SELECT c FROM ds.r; END WHILE; INSERT INTO ds.t (a) SELECT a FROM l; END
--> ds.t.a <- ds.r.c, ds.s.b

-- bigquery
BEGIN CREATE TEMP TABLE l AS SELECT b AS a FROM ds.s; WHILE n > 0 DO INSERT INTO l SELECT c FROM ds.r; INSERT INTO ds.t (a) SELECT a FROM l; CREATE OR REPLACE TEMP TABLE l AS SELECT d AS a FROM ds.q; END WHILE; END
--> ds.t.a <- ds.q.d, ds.r.c, ds.s.b

-- tsql
CREATE TABLE t (a INT, b INT); IF @x = 1 ALTER TABLE t ADD c INT; INSERT INTO t SELECT x, y FROM s
--> t.a <- s.x
--> t.b <- s.y

-- bigquery
MERGE ds.t USING (SELECT x, y FROM ds.s) AS q ON t.a = q.x WHEN NOT MATCHED THEN INSERT (a, b) ROW
--> ds.t.a <- ds.s.x
--> ds.t.b <- ds.s.y

-- bigquery
CREATE TABLE ds.t AS SELECT k, e.*, q FROM ds.s, UNNEST([STRUCT(a AS p, b AS q), (c, d)]) AS e; SELECT p FROM ds.t; CREATE TABLE ds.u AS SELECT * FROM UNNEST(ARRAY<STRUCT<p INT64, q STRING>>[(1, 'x')]) AS e; SELECT q FROM ds.u
--> <sql> 2.q <- ds.u.q
--> <sql>.p <- ds.t.p
--> ds.t.k <- ds.s.k
--> ds.t.p <- ds.s.a, ds.s.c
--> ds.t.q <- ds.s.b, ds.s.d

-- bigquery partial
CREATE TABLE ds.t AS SELECT s.k, e.* FROM ds.s, UNNEST(s.items) AS e; SELECT q FROM ds.t
--> <sql>.q <- ds.t.q
--> ds.t.* <- ds.s.items
--> ds.t.k <- ds.s.k
--> ds.t.q <- ds.s.items

-- hive
CREATE TABLE t AS SELECT b, MAX(a) FROM s GROUP BY b; SELECT `_c1` AS m FROM t
--> <sql>.m <- t._c1
--> t._c1 <- s.a
--> t.b <- s.b

-- trino
SELECT _col1 AS m FROM (SELECT b, MAX(a) FROM s GROUP BY b)
--> <sql>.m <- s.a

-- bigquery
SELECT f1_ AS m FROM (SELECT MIN(c), b, MAX(a) FROM ds.s GROUP BY b)
--> <sql>.m <- ds.s.a

-- spark
CREATE TABLE q (a BIGINT, b STRING, at TIMESTAMP(3), WATERMARK FOR at AS at - INTERVAL '5' SECOND) WITH ('connector' = 'kafka'); INSERT INTO t SELECT window_start, b, SUM(a) AS s FROM TABLE(TUMBLE(TABLE q, DESCRIPTOR(at), INTERVAL '10' MINUTES)) GROUP BY window_start, b; EXECUTE STATEMENT SET BEGIN INSERT INTO u SELECT a FROM q; INSERT INTO v SELECT b FROM q; END; INSERT INTO w SELECT m.x FROM q MATCH_RECOGNIZE (PARTITION BY b ORDER BY at MEASURES p.a AS x PATTERN (p r) WITHIN INTERVAL '1' HOUR DEFINE p AS p.a > 1, r AS r.a < 5) AS m
--> t.b <- q.b
--> t.s <- q.a
--> t.window_start <- q.at
--> u.a <- q.a
--> v.b <- q.b
--> w.x <- q.a

-- materialize partial
CREATE SOURCE q FROM KAFKA CONNECTION c (TOPIC 't') FORMAT JSON; CREATE VIEW v AS SELECT data->>'id' AS id FROM q; CREATE SINK k FROM v INTO KAFKA CONNECTION c (TOPIC 'o') FORMAT JSON; CREATE TABLE u FROM SOURCE p (REFERENCE public.a); WITH MUTUALLY RECURSIVE r (n INT) AS (SELECT id::int FROM v UNION SELECT n + 1 FROM r) SELECT n FROM r; SUBSCRIBE TO v
--> <sql> 2.id <- v.id
--> <sql>.n <- v.id
--> k.id <- v.id
--> u.* <- p.public.a.*
--> v.id <- q.data

-- risingwave
CREATE SOURCE s (a INT, at TIMESTAMP, WATERMARK FOR at AS at - INTERVAL '5' SECOND) WITH (connector = 'kafka') FORMAT PLAIN ENCODE JSON; CREATE MATERIALIZED VIEW v AS SELECT window_start, MAX(a) AS m FROM TUMBLE(s, at, INTERVAL '1 minute') GROUP BY window_start; CREATE SINK k AS SELECT m FROM v WITH (connector = 'kafka') FORMAT PLAIN ENCODE JSON; CREATE SINK j INTO t AS SELECT a AS x FROM s
--> k.m <- v.m
--> t.x <- s.a
--> v.m <- s.a
--> v.window_start <- s.at

-- bigquery
SELECT k, m FROM ds.s MATCH_RECOGNIZE (PARTITION BY k ORDER BY at MEASURES FIRST(p.a) AS m PATTERN (p r+) DEFINE p AS a > 1, r AS a < 5)
--> <sql>.k <- ds.s.k
--> <sql>.m <- ds.s.a

-- starrocks
CREATE ROUTINE LOAD db.l ON t COLUMNS TERMINATED BY ',', COLUMNS (a, x, b = x + 1), WHERE a > 0 PROPERTIES ("format" = "json") FROM KAFKA ("kafka_broker_list" = "h", "kafka_topic" = "q")
--> t.a <- q.a
--> t.b <- q.x

-- doris
INSERT INTO t (a) SELECT k FROM QUERY("catalog" = "c", "query" = "SELECT k FROM o.s")
--> t.a <- c.o.s.k

-- redshift partial
CREATE TABLE r (a INT, b INT); CREATE TEMP TABLE t (LIKE r); INSERT INTO t SELECT * FROM s; DELETE FROM r USING t WHERE r.a = t.a; INSERT INTO r SELECT * FROM t
--> r.a <- s.a
--> r.b <- s.b

-- tsql partial
CREATE PROCEDURE p AS SELECT * FROM s
GO
CREATE TABLE #t (a INT, b INT); INSERT INTO #t EXEC p; INSERT INTO u SELECT a FROM #t
--> p.* <- s.*
--> p.a <- s.a
--> p.b <- s.b
--> u.a <- p.a

-- bigquery partial
{% if is_incremental() %} SELECT 1 AS a, b FROM ds.s {% elif x %} SELECT z FROM ds.z {% else %} SELECT c AS a, d AS b FROM ds.r {% endif %}
--> <sql>.a <- ds.r.c
--> <sql>.b <- ds.r.d, ds.s.b

-- duckdb
CREATE TABLE s (a INT, b INT); SELECT #1, #2 AS z FROM s; SELECT UNNEST({'p': b, 'q': a}) FROM s
--> <sql> 2.p <- s.b
--> <sql> 2.q <- s.a
--> <sql>.a <- s.a
--> <sql>.z <- s.b

-- duckdb partial
SELECT #2 AS z FROM s
--> <sql>.z <- s.*

-- hive
CREATE TABLE t (k INT, v STRING); INSERT OVERWRITE TABLE t SELECT TRANSFORM (a, b) USING 'x.py' FROM s; SELECT key FROM (SELECT TRANSFORM (c) USING 'y.py' FROM s) q
--> <sql>.key <- s.c
--> t.k <- s.a, s.b
--> t.v <- s.a, s.b

-- clickhouse
ALTER TABLE t MODIFY COLUMN a String ALIAS upper(b), MODIFY COLUMN IF EXISTS c Nullable(String) DEFAULT 'x' COMMENT 'y'; ALTER TABLE t MODIFY COLUMN c REMOVE DEFAULT
--> t.a <- t.b

-- clickhouse
CREATE TABLE t (a Int32, b Int32) ENGINE = MergeTree ORDER BY a; ALTER TABLE t ON CLUSTER c ADD COLUMN IF NOT EXISTS d LowCardinality(String) DEFAULT 'x' AFTER b, DROP COLUMN b, ADD INDEX i (d) TYPE minmax GRANULARITY 1, MODIFY COLUMN z String ALIAS upper(a); SELECT * FROM t
--> <sql>.a <- t.a
--> <sql>.d <- t.d
--> <sql>.z <- t.z
--> t.z <- t.a

-- snowflake partial
SELECT a, {{ dbt.date_trunc('day', 'b') }} AS c, {{ var('x') }} AS d FROM s
--> <sql>.a <- s.a

-- snowflake
EXECUTE IMMEDIATE $$ DECLARE v ARRAY := ['k', 'l']; BEGIN FOR i IN 0 TO 1 DO EXECUTE IMMEDIATE 'INSERT INTO t (a) SELECT ' || GET(:v, i)::STRING || ' FROM s'; END FOR; FOR r IN (SELECT value::STRING AS c FROM TABLE(FLATTEN(INPUT => PARSE_JSON('["m", "n"]')))) DO EXECUTE IMMEDIATE 'INSERT INTO u (a) SELECT ' || r.c || ' FROM s'; END FOR; END $$
--> t.a <- s.k, s.l
--> u.a <- s.m, s.n

-- bigquery
BEGIN FOR r IN (SELECT * FROM UNNEST([STRUCT('p' AS n, 'k' AS c), STRUCT('q', 'k')])) DO EXECUTE IMMEDIATE FORMAT("INSERT INTO ds.t (a) SELECT %s FROM ds.%s", r.c, r.n); END FOR; END
--> ds.t.a <- ds.p.k, ds.q.k

-- bigquery
SELECT WITH(x AS a + 1, y AS x * b, x + y) AS v, CONCAT(WITH (z AS d, z), c) AS u FROM ds.s
--> <sql>.u <- ds.s.c, ds.s.d
--> <sql>.v <- ds.s.a, ds.s.b

-- bigquery
SELECT g.n, k FROM GRAPH_TABLE(ds.net MATCH (p:Person {id: 1})-[o:Owns]->(a:Account WHERE a.x > 1) RETURN p.name AS n, a.id AS k ORDER BY n LIMIT 3) AS g
--> <sql>.k <- ds.net.id
--> <sql>.n <- ds.net.name

-- athena
CREATE EXTERNAL TABLE s (a STRING) LOCATION 's3://b/'; UNLOAD (SELECT a FROM s) TO 's3://u/' WITH (format = 'PARQUET'); USING EXTERNAL FUNCTION f(x VARCHAR) RETURNS VARCHAR LAMBDA 'l' SELECT f(a) AS b FROM s
--> <sql>.b <- s.a
--> s3://u/.a <- s.a

-- clickhouse
CREATE QUOTA q; CREATE ROW POLICY p ON t USING a = 1 TO r; CREATE SETTINGS PROFILE o SETTINGS x = 1; INSERT INTO u (b) SELECT a FROM t
--> u.b <- t.a

-- databricks partial
CREATE TEMPORARY TABLE t (a INT, b INT); MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *; INSERT INTO u (x) SELECT b FROM t
--> u.x <- s.b

-- bigquery
CREATE TABLE ds.s (k INT64, items ARRAY<STRUCT<q STRING, price FLOAT64>>); SELECT k, e.* FROM ds.s, UNNEST(items) AS e; WITH c AS (SELECT * EXCEPT (items) FROM ds.s, UNNEST(items) AS e) SELECT q FROM c
--> <sql> 2.q <- ds.s.items
--> <sql>.k <- ds.s.k
--> <sql>.price <- ds.s.items
--> <sql>.q <- ds.s.items

-- bigquery partial
WITH c AS (SELECT * FROM ds.s, UNNEST(items) AS e) SELECT q FROM c
--> <sql>.q <- ds.s.items, ds.s.q

-- tsql
CREATE PROCEDURE x @return INT, @set INT AS INSERT INTO y (c) SELECT d FROM z WHERE e = @set
GO
CREATE PROCEDURE p @begin DATE, @end DATE, @output INT OUTPUT AS WHILE @begin < @end BEGIN INSERT INTO u (a) SELECT x FROM r WHERE d BETWEEN @begin AND @end SET @begin = DATEADD(day, 1, @begin) END DECLARE @from INT, @set INT SELECT @from = MAX(q) FROM s UPDATE w SET a = @from OUTPUT inserted.a INTO lg (a) WHERE k = @output EXEC x @return = 1, @set = 2 INSERT INTO v (b) SELECT @from FROM k WHERE j = @output
--> lg.a <- s.q
--> u.a <- r.x
--> v.b <- s.q
--> w.a <- s.q
--> y.c <- z.d

-- mysql
SET @end = (SELECT MAX(d) FROM s); SET @if = @end; INSERT INTO t (a) SELECT @if FROM z WHERE y > @end
--> t.a <- s.d

-- tsql
INSERT INTO output (a) SELECT b FROM input; INSERT INTO dbo.output SELECT output FROM input; UPDATE output SET a = s.b OUTPUT inserted.a INTO lg (a) FROM s; DELETE FROM output WHERE output > 1; MERGE dbo.output AS t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET output = s.output;
--> dbo.output.a <- input.b, s.b
--> dbo.output.output <- input.output, s.output
--> lg.a <- s.b

-- tsql
SELECT a INTO #1 FROM s SELECT #1.a AS b INTO #2024x FROM #1 JOIN t ON #1.a = t.a INSERT INTO u SELECT b FROM #2024x DROP TABLE #1
--> u.b <- s.a

-- netezza
CREATE OR REPLACE PROCEDURE load_all(CHARACTER VARYING(ANY), NUMERIC(ANY)) RETURNS INTEGER LANGUAGE NZPLSQL AS BEGIN_PROC DECLARE t ALIAS FOR $1; BEGIN AUTOCOMMIT ON CREATE TEMP TABLE w AS SELECT o.a, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) AS n FROM src..o AS o DISTRIBUTE ON (a); EXECUTE IMMEDIATE 'INSERT INTO tgt (a) SELECT a FROM ' || t; INSERT INTO u (a) SELECT a FROM w WHERE n = $2; RETURN 0; EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'it''s %', SQLERRM; END; END_PROC; EXEC load_all('stg', 1); INSERT INTO z (a) SELECT b FROM tgt
--> tgt.a <- stg.a
--> u.a <- src.o.a
--> z.a <- tgt.b

-- netezza
CREATE TABLE t AS (SELECT a FROM s) DISTRIBUTE ON RANDOM ORGANIZE ON (a); GROOM TABLE t RECORDS ALL; GENERATE EXPRESS STATISTICS ON t; INSERT INTO u SELECT * FROM EXTERNAL '/d/x.csv' (k INT, v VARCHAR(9)) USING (DELIMITER '|' SKIPROWS 1); INSERT INTO w (id, a) SELECT NEXT VALUE FOR sq, a FROM EXTERNAL '/d/y.csv' USING (DELIMITER ';')
--> t.a <- s.a
--> u.k <- /d/x.csv.k
--> u.v <- /d/x.csv.v
--> w.a <- /d/y.csv.a

-- greenplum
CREATE TABLE d.a WITH (appendonly=true) AS SELECT x.k, SUM(v) AS v FROM d.s x WHERE c > 1 GROUP BY x.k DISTRIBUTED BY (k); CREATE TABLE d.b AS SELECT k FROM d.s DISTRIBUTED RANDOMLY; CREATE WRITABLE EXTERNAL WEB TABLE d.w (LIKE d.a) EXECUTE 'gzip' FORMAT 'CSV' DISTRIBUTED BY (k); INSERT INTO d.w SELECT * FROM d.a; ALTER TABLE d.b SET DISTRIBUTED BY (k)
--> d.a.k <- d.s.k
--> d.a.v <- d.s.v
--> d.b.k <- d.s.k
--> d.w.k <- d.a.k
--> d.w.v <- d.a.v

-- postgres
CREATE FUNCTION f(numeric(9, 2), text DEFAULT 'x', int[], a double precision, double precision, timestamp with time zone) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v ALIAS FOR $6; BEGIN INSERT INTO t (p, q, r, s, u, v) SELECT $1, $2, $3, a, $5, v; END $$; SELECT f(n, x, i, d, e, z) FROM src
--> t.p <- src.n
--> t.q <- src.x
--> t.r <- src.i
--> t.s <- src.d
--> t.u <- src.e
--> t.v <- src.z

-- teradata
.BEGIN IMPORT MLOAD
  TABLES D.T1, D.T2
  WORKTABLES D.W1, D.W2;
.LAYOUT lay;
.FIELD k * CHAR(3);
.DML LABEL ins
  IGNORE DUPLICATE ROWS
  DO INSERT FOR MISSING UPDATE ROWS;
UPDATE D.T1 SET a = :k WHERE T1.b = 1;
.DML LABEL more;
INSERT INTO D.T2 (c) VALUES (:k);
.IMPORT INFILE /in/k.dat
  FORMAT VARTEXT '|'
  LAYOUT lay
  APPLY ins WHERE k = 'x'
  APPLY more;
.END MLOAD;
INSERT INTO D.U SELECT a FROM D.T1;
--> D.T1.a <- /in/k.dat.k
--> D.T2.c <- /in/k.dat.k
--> D.U.a <- D.T1.a

-- teradata
SELECT (a.e - a.s) DAY(4) AS x, EXTRACT(DAY FROM (a.e - a.s DAY(4) TO SECOND(6))) * 86400 AS y, a.d - a.c MONTH(4) AS z, YEAR(a.f) AS day, a.g EQ MONTH(a.h) AS w, a.i HOUR TO MINUTE FROM a WHERE END(a.p) = UNTIL_CHANGED
--> <sql>.day <- a.f
--> <sql>.i <- a.i
--> <sql>.x <- a.e, a.s
--> <sql>.y <- a.e, a.s
--> <sql>.z <- a.c, a.d

-- exasol
IMPORT INTO t (a, b) FROM JDBC AT conn USER 'u' IDENTIFIED BY 'p' STATEMENT 'SELECT x, y FROM dbo.src'; IMPORT INTO t (a) FROM CSV AT 'http://h/' FILE 'x.csv' (1) COLUMN SEPARATOR = ';' SKIP = 1; CREATE TABLE c (k INT); IMPORT INTO c FROM EXA AT far TABLE s.d (q); SELECT n FROM (IMPORT INTO (n INT) FROM JDBC AT conn STATEMENT 'SELECT x FROM dbo.src')
--> <sql>.n <- conn.dbo.src.x
--> c.k <- far.s.d.q
--> t.a <- conn.dbo.src.x, http://h/x.csv.a
--> t.b <- conn.dbo.src.y

-- exasol
CREATE TABLE t (a INT, b INT); EXPORT (SELECT a FROM t WHERE b > 1) INTO CSV AT 'http://h' FILE 'o.csv'; EXPORT t (b) INTO EXA AT far TABLE d.u (v); EXPORT t INTO LOCAL CSV FILE 'l.csv'; RECOMPRESS TABLE t
--> far.d.u.v <- t.b
--> http://h/o.csv.a <- t.a
--> l.csv.a <- t.a
--> l.csv.b <- t.b

-- exasol
CREATE TABLE m (a INT, b INT, x INT); SELECT a AS x, local.x * 2 AS y, x AS z FROM m WHERE local.x > 1; SELECT b AS w, local.w + 1 AS v FROM m
--> <sql> 2.v <- m.b
--> <sql> 2.w <- m.b
--> <sql>.x <- m.a
--> <sql>.y <- m.a
--> <sql>.z <- m.x

-- impala
SELECT c.x, o.item.y, o.pos FROM cust c, c.orders o; SELECT STRAIGHT_JOIN t.a FROM t JOIN [SHUFFLE] u ON t.k = u.k; UPSERT INTO k (a) SELECT b FROM s; INSERT INTO k (a) [NOSHUFFLE] SELECT d FROM s; INVALIDATE METADATA k; COMPUTE INCREMENTAL STATS k; ALTER TABLE k RECOVER PARTITIONS
--> <sql> 2.a <- t.a
--> <sql>.pos <- cust.orders
--> <sql>.x <- cust.x
--> <sql>.y <- cust.orders
--> k.a <- s.b, s.d

-- hana
SELECT SKIP 5 FIRST 10 c.a, MAP(c.b, 1, 'x', c.d) AS m, first FROM "_SYS_BIC"."p/CV" (PLACEHOLDER."$$day$$" => '2024', PLACEHOLDER."$$n$$" => '1') AS c
--> <sql>.a <- _SYS_BIC.p/CV.a
--> <sql>.first <- _SYS_BIC.p/CV.first
--> <sql>.m <- _SYS_BIC.p/CV.d

-- db2
LOAD FROM y.del INSERT INTO t (a); LOAD FROM z.del OF DEL REPLACE INTO u (b)
--> t.a <- y.del.a
--> u.b <- z.del.b

-- flink
CREATE TABLE bid (id BIGINT, at TIMESTAMP(3), price INT, WATERMARK FOR at AS at - INTERVAL '5' SECOND, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'kafka', 'topic' = 'b'); CREATE TABLE k (id BIGINT, at TIMESTAMP(3), price INT, ws TIMESTAMP(3), we TIMESTAMP(3), wt TIMESTAMP(3)); INSERT INTO k SELECT * FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(at), INTERVAL '10' MINUTES)); CREATE TABLE l LIKE bid (EXCLUDING OPTIONS INCLUDING GENERATED); INSERT INTO n SELECT id, TUMBLE_START(at, INTERVAL '1' HOUR) AS s, SUM(price) AS p FROM bid GROUP BY id, TUMBLE(at, INTERVAL '1' HOUR)
--> k.at <- bid.at
--> k.id <- bid.id
--> k.price <- bid.price
--> k.we <- bid.at
--> k.ws <- bid.at
--> k.wt <- bid.at
--> n.id <- bid.id
--> n.p <- bid.price
--> n.s <- bid.at

-- tsql
CREATE PROC p @a INT, @b INT AS BEGIN IF @a = 1 BEGIN PRINT 'x' END ELSE BEGIN PRINT 'y' END IF @a <= @b THROW 50000, 'x', 1 INSERT INTO t SELECT a FROM s WHILE @a > 1 BEGIN SET @a = @a - 1 END WHILE @b > 1 BEGIN SET @b = @b - 1 INSERT INTO u SELECT a FROM s END IF @b = 0 INSERT INTO v SELECT a FROM s END
--> t.a <- s.a
--> u.a <- s.a
--> v.a <- s.a

-- tsql
CREATE TABLE #t WITH (DISTRIBUTION = HASH ([k]), CLUSTERED COLUMNSTORE INDEX) AS SELECT k, v FROM s; INSERT INTO u SELECT v FROM #t; CREATE TABLE #g (k INT SPARSE NULL, w AS k * 2 PERSISTED); INSERT INTO #g (k) SELECT a FROM r; INSERT INTO x SELECT w FROM #g
--> u.v <- s.v
--> x.w <- r.a

-- tsql
ALTER TABLE t NOCHECK CONSTRAINT ALL INSERT INTO t SELECT a FROM s UNION ALL SELECT b FROM r ALTER TABLE t WITH CHECK CHECK CONSTRAINT ALL UPDATE u SET a = v.b FROM v
--> t.a <- r.b, s.a
--> u.a <- v.b

-- snowflake
CREATE PROCEDURE q(x INT) RETURNS INT LANGUAGE SQL AS $$ BEGIN INSERT INTO u (a) SELECT b FROM s WHERE k = :x; RETURN 1; END $$; CREATE PROCEDURE p() RETURNS INT LANGUAGE SQL AS $$ BEGIN LET rs RESULTSET := ASYNC (SELECT a FROM r); FOR i IN 1 TO 3 DO ASYNC (CALL q(:i)); END FOR; ASYNC (INSERT INTO t (a) SELECT a FROM z); AWAIT ALL; AWAIT rs; LET c CURSOR FOR rs; FOR one IN c DO INSERT INTO v (a) VALUES (one.a); END FOR; RETURN 1; END $$
--> t.a <- z.a
--> u.a <- s.b
--> v.a <- r.a

-- tsql
CREATE VIEW dbo.v AS SELECT a FROM dbo.o
GO
ALTER VIEW [dbo].[v] (x, y) WITH SCHEMABINDING AS SELECT a, b FROM dbo.t WHERE c = 1 WITH CHECK OPTION
GO
INSERT INTO z SELECT x FROM dbo.v
--> dbo.v.a <- dbo.o.a
--> dbo.v.x <- dbo.t.a
--> dbo.v.y <- dbo.t.b
--> z.x <- dbo.v.x

-- mysql
ALTER ALGORITHM = MERGE DEFINER = 'x'@'y' SQL SECURITY INVOKER VIEW v (q) AS SELECT a FROM t; ALTER VIEW w AS WITH c AS (SELECT b FROM s) SELECT b FROM c
--> v.q <- t.a
--> w.b <- s.b

-- hive
ALTER VIEW v AS SELECT a FROM t; ALTER VIEW v SET TBLPROPERTIES ('k' = 'x'); INSERT INTO u SELECT a FROM v
--> u.a <- v.a
--> v.a <- t.a

-- snowflake
ALTER TASK k MODIFY AS INSERT INTO t (a) SELECT b FROM s; ALTER ALERT l MODIFY ACTION INSERT INTO u (a) SELECT c FROM s; ALTER TASK k MODIFY WHEN TRUE
--> t.a <- s.b
--> u.a <- s.c

-- clickhouse
CREATE TABLE t (a Int32) ENGINE = Memory; CREATE TABLE s (a Int32) ENGINE = Memory; ALTER TABLE t REPLACE PARTITION 1 FROM s; REPLACE TABLE u ENGINE = Memory AS SELECT a FROM s
--> t.a <- s.a
--> u.a <- s.a

-- hive
CREATE SCHEDULED QUERY q EVERY 1 HOUR AS INSERT INTO t (a) SELECT b FROM s
--> t.a <- s.b

-- spark
REPLACE TABLE t USING delta AS SELECT a FROM s
--> t.a <- s.a

-- databricks
USE CATALOG main; USE SCHEMA silver; INSERT INTO gold.t SELECT o.a, p.b FROM table_changes('orders', 2) AS o JOIN table_changes('bronze.p', 1) AS p ON true
--> main.gold.t.a <- main.silver.orders.a
--> main.gold.t.b <- main.bronze.p.b

-- snowflake
USE SCHEMA db.s; CREATE TEMP TABLE o AS SELECT a FROM q; INSERT INTO t SELECT x.a, y.b FROM TABLE('o') AS x CROSS JOIN TABLE('r.y') AS y
--> db.s.t.a <- db.s.q.a
--> db.s.t.b <- db.r.y.b

-- tsql
create proc[dbo].[p]@a int as insert into[dbo].[t]([a])select @a;
GO
create proc[dbo].[q]as begin declare @x int;select @x=max(v)from[dbo].[s];exec[dbo].[p]@a=@x;end
--> dbo.t.a <- dbo.s.v

-- trino
USE lake.x; INSERT INTO t SELECT c.a, d.b FROM TABLE(system.table_changes('s', 'o', 1, 2)) c CROSS JOIN TABLE(raw.system.table_changes(table_name => 'p', schema_name => 'r', since_version => 0)) d
--> lake.x.t.a <- lake.s.o.a
--> lake.x.t.b <- raw.r.p.b

-- tsql
CREATE PROC slide AS BEGIN ALTER TABLE q ADD z INT ALTER PARTITION SCHEME ps NEXT USED [PRIMARY] ALTER PARTITION FUNCTION pf() SPLIT RANGE (5) INSERT INTO t (a) SELECT b FROM s ALTER PARTITION FUNCTION pf() MERGE RANGE (1) INSERT INTO u (a) SELECT b FROM s ALTER TABLE q DROP COLUMN z DROP INDEX ix ON q ALTER TABLE q ADD y INT ALTER INDEX ix ON q REBUILD EXECUTE AS USER = 'x' UPDATE t SET c = r.d FROM r REVERT END
--> t.a <- s.b
--> u.a <- s.b
--> t.c <- r.d

-- tsql
CREATE PROC talk @h UNIQUEIDENTIFIER AS BEGIN IF @h IS NULL BEGIN BEGIN DISTRIBUTED TRAN BEGIN DIALOG CONVERSATION @h FROM SERVICE a TO SERVICE 'b' ON CONTRACT c BEGIN CONVERSATION TIMER (@h) TIMEOUT = 120 INSERT INTO t (a) SELECT b FROM s; GET CONVERSATION GROUP @g FROM q END CONVERSATION @h INSERT INTO u (a) SELECT b FROM s ADD SIGNATURE TO dbo.p BY CERTIFICATE c END ELSE INSERT INTO v (a) SELECT b FROM s END
--> t.a <- s.b
--> u.a <- s.b
--> v.a <- s.b

-- teradata
CREATE MULTISET VOLATILE TABLE y, NO LOG (b INTEGER) PRIMARY INDEX (b) ON COMMIT PRESERVE ROWS; INSERT INTO y SELECT b FROM s; INSERT INTO t (a) SELECT b FROM y; CREATE SET VOLATILE TABLE z AS (SELECT c FROM r) WITH DATA ON COMMIT PRESERVE ROWS; INSERT INTO t (d) SELECT c FROM z
--> t.a <- s.b
--> t.d <- r.c

-- teradata
REPLACE PROCEDURE d.p () BEGIN DECLARE o VARCHAR(99); BEGIN TRANSACTION; DELETE FROM t ALL; END TRANSACTION; SET o = 'INSERT INTO w (a) SELECT b FROM s'; EXECUTE IMMEDIATE o; BEGIN REQUEST INSERT INTO t (a) SELECT b FROM s; INSERT INTO u (a) SELECT b FROM s; END REQUEST; INSERT INTO v (a) SELECT b FROM s; END
--> t.a <- s.b
--> u.a <- s.b
--> v.a <- s.b
--> w.a <- s.b

-- spark
BEGIN FOR SELECT b, c FROM s DO INSERT INTO t (a, d) VALUES (b, c); END FOR; FOR r AS SELECT b FROM q DO INSERT INTO t (a) VALUES (b); END FOR; DROP TEMPORARY VARIABLE IF EXISTS z; END
--> t.a <- q.b, s.b
--> t.d <- s.c

-- snowflake
CREATE PROCEDURE p(x INT) RETURNS INT LANGUAGE SQL AS $$ BEGIN SYSTEM$LOG('info', 'a; b'); INSERT INTO t (a) SELECT b FROM s; SYSTEM$LOG_INFO('rows ' || SQLROWCOUNT); CALL SYSTEM$WAIT(5); RETURN 1; END $$
--> t.a <- s.b

-- db2
CREATE PROCEDURE p () LANGUAGE SQL BEGIN SET CURRENT LOCK TIMEOUT 30; SET CURRENT QUERY OPTIMIZATION 5; SAVEPOINT a UNIQUE ON ROLLBACK RETAIN CURSORS; INSERT INTO t (a) SELECT b FROM s; ROLLBACK TO SAVEPOINT a; END
--> t.a <- s.b

-- tsql
CREATE PROC shred AS DECLARE @h INT, @d XML SELECT @d = doc FROM s EXEC sys.sp_xml_preparedocument @h OUTPUT, @d INSERT INTO t (a, b, c) SELECT x.k, x.b, q.c FROM OPENXML(@h, '/r/i', 2) WITH (k INT '@k', b VARCHAR(10) '../@b') AS x JOIN q ON q.k = x.k EXEC sp_xml_removedocument @h INSERT INTO u (a) SELECT z.v FROM r AS z TABLESAMPLE SYSTEM (10 PERCENT) REPEATABLE (5) WITH (NOLOCK, INDEX(i)) JOIN p TABLESAMPLE (5 ROWS) WITH (NOLOCK) ON p.k = z.k
--> t.a <- s.doc
--> t.b <- s.doc
--> t.c <- q.c
--> u.a <- r.v

-- oracle
CREATE TABLE t (a NUMBER); CREATE TABLE s (a NUMBER); ALTER TABLE t -- the facts; don't
  EXCHANGE PARTITION p /* for */ WITH TABLE s -- both ways
  INCLUDING INDEXES; ALTER /* it's */ INDEX i REBUILD; ALTER TABLE t /* -- */ NOCOMPRESS
--> t.a <- s.a
--> s.a <- t.a

-- snowflake
COPY INTO t (a, b) FROM (SELECT $1 /* one */, TO_DATE($2) -- two
  FROM @s/x.csv); SELECT /* c */ a + /* d */ b FROM u
--> t.a <- @s/x.csv.$1
--> t.b <- @s/x.csv.$2
--> <sql>.a + b <- u.a, u.b

-- oracle
BEGIN DBMS_PARALLEL_EXECUTE.CREATE_TASK('k'); DBMS_PARALLEL_EXECUTE.RUN_TASK('k', 'INSERT INTO t (a) SELECT b FROM s WHERE ROWID BETWEEN :start_id AND :end_id', DBMS_SQL.NATIVE, parallel_level => 4); DBMS_PARALLEL_EXECUTE.RUN_TASK(task_name => 'k', sql_stmt => 'UPDATE u SET a = (SELECT MAX(b) FROM s)', language_flag => 1); MERGE INTO v USING s ON (v.k = s.k) WHEN MATCHED THEN UPDATE SET a = s.b DELETE WHERE s.c = 1 LOG ERRORS REJECT LIMIT UNLIMITED; INSERT INTO w (a, d) SELECT EXTRACTVALUE(VALUE(i), '/i/@id'), EXTRACT(YEAR FROM s.d) FROM s, TABLE(XMLSEQUENCE(EXTRACT(s.x, '/r/i'))) i; END;
--> t.a <- s.b
--> u.a <- s.b
--> v.a <- s.b
--> w.a <- s.x
--> w.d <- s.d

-- tsql
USE x
GO
CREATE PROC p AS EXEC [dw].sys.sp_executesql N'INSERT INTO dbo.t (a) SELECT b FROM dbo.s WHERE k = @k', N'@k INT', 1; EXEC('USE lake; INSERT INTO dbo.v (a) SELECT b FROM dbo.s'); EXEC sp_executesql N'INSERT INTO dbo.w (a) SELECT b FROM dbo.s'; INSERT INTO dbo.u (a) SELECT b FROM dbo.s
--> dw.dbo.t.a <- dw.dbo.s.b
--> lake.dbo.v.a <- lake.dbo.s.b
--> x.dbo.w.a <- x.dbo.s.b
--> x.dbo.u.a <- x.dbo.s.b

-- postgres
CREATE TEMP TABLE w AS SELECT a FROM s; INSERT INTO pg_temp.w (a) SELECT b FROM s; INSERT INTO t (x) SELECT a FROM pg_temp.w; CREATE TABLE pg_temp.w2 AS SELECT c FROM s; INSERT INTO t (y) SELECT c FROM w2; ALTER TABLE t RENAME x TO z; ALTER TABLE t RENAME TO u; SELECT z FROM u
--> t.x <- s.a, s.b
--> t.y <- s.c
--> t.z <- t.x
--> u.z <- t.z
--> u.y <- t.y
--> u.* <- t.*
--> <sql>.z <- u.z

-- duckdb
CREATE TEMP TABLE w AS SELECT a FROM s; SELECT a FROM temp.main.w; ALTER TABLE t RENAME st.x TO y; ALTER TABLE t RENAME a TO b
--> <sql>.a <- s.a
--> t.b <- t.a

-- bigquery
CREATE TEMP TABLE w (a INT64) AS SELECT b FROM d.s; CREATE TABLE d.t AS SELECT a FROM _SESSION.w
--> d.t.a <- d.s.b

-- snowflake partial
SELECT a FROM s ->> INSERT INTO t (x) SELECT a FROM $1 ->> SELECT COUNT(*) FROM $2; ALTER DYNAMIC TABLE dt SWAP WITH dt2; ALTER ICEBERG TABLE i RENAME TO j; COPY FILES INTO @a/x FROM @b/y
--> t.x <- s.a
--> dt.* <- dt2.*
--> dt2.* <- dt.*
--> j.* <- i.*
--> @a/x.* <- @b/y.*

-- snowflake
CREATE EXTERNAL TABLE e (a INT AS (value:c1::INT)) LOCATION = @st/x FILE_FORMAT = (TYPE = PARQUET); INSERT INTO t (z) SELECT value:c2 FROM e
--> e.VALUE <- @st/x.VALUE
--> e.a <- @st/x.VALUE
--> t.z <- e.VALUE

-- bigquery partial
CREATE MATERIALIZED VIEW d.r OPTIONS (replication_interval_seconds = 600) AS REPLICA OF p2.d2.mv; CREATE EXTERNAL TABLE d.e (a INT64) WITH PARTITION COLUMNS (p STRING) OPTIONS (uris = ['gs://b/x'], format = 'CSV'); INSERT INTO d.t (a, p) SELECT a, p FROM d.e
--> d.r.* <- p2.d2.mv.*
--> d.e.a <- gs://b/x.a
--> d.e.p <- gs://b/x.p
--> d.t.a <- d.e.a
--> d.t.p <- d.e.p

-- oracle
CREATE TABLE h$t AS SELECT x AS a$b, y AS größe FROM s; INSERT INTO u (p, q) SELECT A$B, GRÖßE FROM H$T
--> h$t.a$b <- s.x
--> h$t.größe <- s.y
--> u.p <- h$t.a$b
--> u.q <- h$t.größe

-- postgres
CREATE TABLE h$t AS SELECT x AS a$b, y AS größe FROM s; INSERT INTO u (p, q) SELECT A$B, "größe" FROM H$T
--> h$t.a$b <- s.x
--> h$t.größe <- s.y
--> u.p <- h$t.a$b
--> u.q <- h$t.größe

-- databricks partial
TABLE s |> EXTEND a + 1 AS b |> AS q |> JOIN u ON q.k = u.k |> SELECT q.b, u.z |> INSERT INTO t; VALUES (1, 2) AS v(a, b) |> SELECT a; INSERT INTO w TABLE s |> SELECT a
--> t.b <- s.a
--> t.z <- u.z
--> w.a <- s.a

-- databricks partial
INSERT INTO t SELECT x FROM (SELECT x FROM s UNION ALL SELECT * FROM u) q; SELECT a FROM s |> UNION ALL TABLE w
--> t.x <- s.x, u.*
--> <sql>.a <- s.a, w.*

-- databricks
INSERT WITH SCHEMA EVOLUTION INTO TABLE t AS x BY NAME REPLACE ON x.k = y.k SELECT b AS a, k FROM s AS y; CREATE OR REFRESH STREAMING TABLE st FLOW INSERT ONCE BY NAME SELECT a FROM s; CREATE OR REFRESH STREAMING TABLE s2 FLOW REPLACE USING (k) SEQUENCE BY d BY NAME SELECT a, k FROM STREAM s; CREATE FLOW f COMMENT 'x' AS INSERT ONCE INTO u BY NAME SELECT c FROM STREAM s
--> t.a <- s.b
--> t.k <- s.k
--> st.a <- s.a
--> s2.a <- s.a
--> s2.k <- s.k
--> u.c <- s.c

-- databricks partial
CREATE OR REFRESH STREAMING TABLE t FLOW AUTO CDC FROM STREAM s KEYS (k) SEQUENCE BY n; CREATE FLOW f AS AUTO CDC ONCE INTO u FROM STREAM w KEYS (k) SEQUENCE BY n
--> t.k <- s.k
--> t.* <- s.*
--> u.k <- w.k
--> u.* <- w.*

-- databricks
-- Databricks notebook source
INSERT INTO t (a) SELECT a FROM s
-- COMMAND ----------
-- MAGIC %md it's a title
-- COMMAND ----------
-- MAGIC %python
-- MAGIC df = spark.sql("INSERT INTO q (a) SELECT a FROM z")
-- MAGIC it = 'is'
-- COMMAND ----------
-- MAGIC %sql
-- MAGIC INSERT INTO t2 (a)
-- MAGIC SELECT b FROM s2
-- COMMAND ----------
%sql
INSERT INTO t3 (a) SELECT b FROM s3
--> t.a <- s.a
--> q.a <- z.a
--> t2.a <- s2.b
--> t3.a <- s3.b

-- bigquery
FROM d.s |> AGGREGATE SUM(v) AS t DESC NULLS LAST, MAX(w) AS m GROUP AND ORDER BY a DESC, b AS c; FROM d.s |> SELECT x, y |> INSERT INTO d.t (a, b); FROM d.s |> SELECT b |> CREATE TABLE d.t2
--> <sql>.a <- d.s.a
--> <sql>.c <- d.s.b
--> <sql>.t <- d.s.v
--> <sql>.m <- d.s.w
--> d.t.a <- d.s.x
--> d.t.b <- d.s.y
--> d.t2.b <- d.s.b

-- clickhouse
INSERT INTO t (a, b) SELECT a, b FROM s ORDER BY c LIMIT 3 BY d LIMIT 10 WITH TIES; SELECT x FROM (SELECT x FROM s LIMIT 1 BY y LIMIT 5) UNION ALL SELECT z FROM remote('h', db, u) LIMIT 2
--> t.a <- s.a
--> t.b <- s.b
--> <sql>.x <- h.db.u.z, s.x

-- clickhouse
CREATE TABLE t (k Int32, n Nested(a Int32, b String)) ENGINE = Memory; INSERT INTO t (k, n.a, `n.b`) SELECT x, y, z FROM s; INSERT INTO u (a) SELECT n.a FROM t
--> t.k <- s.x
--> t.n <- s.y, s.z
--> u.a <- t.n

-- clickhouse
CREATE WINDOW VIEW wv TO t AS SELECT tumbleStart(w) AS ws, max(a) AS m FROM s GROUP BY tumble(ts, INTERVAL '5' SECOND) AS w; SELECT COLUMNS('^c') APPLY sum FROM (SELECT c1, d FROM s)
--> t.ws <- s.ts
--> t.m <- s.a
--> wv.ws <- t.ws
--> wv.m <- t.m
--> <sql>.c1 <- s.c1

-- hive
FROM (FROM s SELECT TRANSFORM(a) USING 'cat' AS x) m INSERT INTO TABLE t SELECT TRANSFORM(m.x) USING 'q' AS y; CREATE EXTERNAL TABLE w (a INT, u UNIONTYPE<INT,STRING>) PARTITIONED BY (p STRING); INSERT INTO v SELECT p FROM w
--> t.y <- s.a
--> v.p <- w.p

-- postgres
INSERT INTO t (n, a) SELECT 1_000, a FROM s WHERE EXISTS (SELECT * FROM u WHERE u.k = s.k) AND b > 10_000.5
--> t.a <- s.a

-- trino
INSERT INTO t SELECT 1_000 AS n, a FROM s WHERE NOT EXISTS (SELECT * FROM u WHERE u.k = s.k)
--> t.a <- s.a

-- duckdb
INSERT INTO t BY POSITION SELECT a FROM s ON CONFLICT DO NOTHING
--> t.a <- s.a

-- athena
MSCK REPAIR TABLE `d`.`e`; CREATE EXTERNAL TABLE IF NOT EXISTS `d`.`e` (`a` string, b array<struct<x:int>>) PARTITIONED BY (p string) ROW FORMAT SERDE 'x' WITH SERDEPROPERTIES ('f'=',') LOCATION 's3://b/' TBLPROPERTIES ('x'='y'); INSERT INTO t SELECT "p", "a", 'q' AS q FROM "d"."e"; SHOW PARTITIONS t; UNLOAD (SELECT "p" FROM t) TO 's3://o/' WITH (format = 'PARQUET')
--> t.p <- d.e.p
--> t.a <- d.e.a
--> s3://o/.p <- t.p

-- hive
ALTER TABLE u CHANGE COLUMN a b INT COMMENT 'x' AFTER c; INSERT INTO v SELECT b FROM u; ALTER TABLE u CHANGE d d BIGINT
--> u.b <- u.a
--> v.b <- u.b

-- mysql
ALTER TABLE u CHANGE COLUMN a b INT, CHANGE c c BIGINT AFTER a; INSERT INTO v (x) SELECT b FROM u
--> u.b <- u.a
--> v.x <- u.b

-- spark
ALTER TABLE u CHANGE a COMMENT 'x'; ALTER TABLE u CHANGE COLUMN a TYPE BIGINT; ALTER TABLE u CHANGE a b BIGINT; INSERT INTO v SELECT b FROM u
--> u.b <- u.a
--> v.b <- u.b

-- doris
SELECT dict_get('d.dd', 'v', k) AS q FROM s; LOAD LABEL db.l (DATA INFILE ("hdfs://x") INTO TABLE t COLUMNS TERMINATED BY "," FORMAT AS "csv" (c1, c2, k) SET (a = c1, b = c2 + 1) WHERE a > 1) WITH BROKER "b" ("x" = "y")
--> <sql>.q <- d.dd.v, s.k
--> db.t.k <- hdfs://x.k
--> db.t.a <- hdfs://x.c1
--> db.t.b <- hdfs://x.c2

-- starrocks
INSERT INTO t PROPERTIES ('x' = 'y') SELECT a FROM s
--> t.a <- s.a

-- trino
INSERT INTO t @ b1 SELECT a FROM s; SELECT m.sv FROM s MATCH_RECOGNIZE (ORDER BY t MEASURES AVG(u.v) AS sv PATTERN (a b) SUBSET u = (a, b) DEFINE b AS b.w > 1) AS m
--> t.a <- s.a
--> <sql>.sv <- s.v

-- materialize
WITH MUTUALLY RECURSIVE (RECURSION LIMIT 10) r (n int) AS (SELECT k FROM s UNION SELECT u.k FROM u JOIN r ON u.p = r.n) SELECT n FROM r OPTIONS (AGGREGATE INPUT GROUP SIZE = 9); COPY (SELECT a FROM s) TO 's3://c' WITH (FORMAT = 'parquet'); COPY (SUBSCRIBE (SELECT b FROM s)) TO STDOUT
--> <sql>.n <- s.k, u.k
--> s3://c.a <- s.a
--> STDOUT.b <- s.b

-- databricks
SET CATALOG c; INSERT INTO d.t SELECT a FROM d.s
--> c.d.t.a <- c.d.s.a

-- clickhouse
CREATE MATERIALIZED VIEW mv TO d.t (a Int, b Int) DEFINER = x SQL SECURITY DEFINER AS WITH c AS (SELECT p AS a, q AS b FROM src) SELECT a, b FROM c; ALTER TABLE w UPDATE v = g IN PARTITION '1' WHERE k = 1; ALTER TABLE w UPDATE x = h WHERE k IN (SELECT k FROM u) SETTINGS mutations_sync = 1; ALTER TABLE w DELETE IN PARTITION '1' WHERE a = 1
--> d.t.a <- src.p
--> d.t.b <- src.q
--> mv.a <- d.t.a
--> mv.b <- d.t.b
--> w.v <- w.g
--> w.x <- w.h

-- clickhouse partial
CREATE TABLE t AS remote('h', 'db', 't2'); INSERT INTO u SELECT a FROM fileCluster('c', 'f.csv', 'CSV'); CREATE TABLE y AS d.z
--> t.* <- h.db.t2.*
--> u.a <- f.csv.a

-- databricks partial
DECLARE VARIABLE x INT; SET VAR session.x = (SELECT max(a) FROM s); INSERT INTO t SELECT session.x AS q, system.session.x AS r FROM u; SELECT session.b FROM web AS session; CREATE VIEW v AS TABLE w; SELECT a FROM s SETMINUS SELECT b FROM u
--> t.q <- s.a
--> t.r <- s.a
--> <sql>.b <- web.b
--> v.* <- w.*
--> <sql> 2.a <- s.a

-- redshift partial
BEGIN; CREATE TEMP TABLE stg (LIKE t INCLUDING DEFAULTS); COPY stg FROM 's3://x' IAM_ROLE 'r' CSV; DELETE FROM t USING stg WHERE t.k = stg.k; INSERT INTO t SELECT * FROM stg; DROP TABLE stg; END
--> t.k <- s3://x.k
--> t.* <- s3://x.*

-- postgres
CREATE TABLE a (x int); CREATE TABLE b (y int); CREATE TEMP TABLE c (LIKE a, LIKE b INCLUDING ALL, z int); INSERT INTO c SELECT p, q, r FROM s; INSERT INTO t SELECT * FROM c
--> t.x <- s.p
--> t.y <- s.q
--> t.z <- s.r

-- postgres partial
CREATE TABLE stg (LIKE t, z int); INSERT INTO stg SELECT * FROM s; INSERT INTO t SELECT * FROM stg; CREATE TEMP TABLE w (LIKE t, z int); INSERT INTO w SELECT * FROM s; INSERT INTO u (k, l) SELECT z, m FROM w
--> stg.* <- s.*
--> t.z <- stg.z
--> t.* <- stg.*
--> u.k <- s.z
--> u.l <- s.m

-- bigquery
CREATE TEMP FUNCTION f(x STRUCT<a INT64, b STRING>) AS (x.a + LENGTH(x.b)); INSERT INTO d.t (w, z) SELECT f(st), f(STRUCT(p AS a, q AS b)) FROM d.s
--> d.t.w <- d.s.st
--> d.t.z <- d.s.p, d.s.q

-- snowflake partial
INSERT INTO t SELECT a FROM &{sch}.s WHERE b = '&x' AND c = &y; INSERT INTO u SELECT a FROM db.&tab
--> t.a <- __sch_.s.a
--> u.a <- db._tab.a

-- hive
FROM s x INSERT OVERWRITE TABLE t PARTITION (ds) IF NOT EXISTS SELECT x.a, x.ds INSERT OVERWRITE LOCAL DIRECTORY '/x' SELECT x.b WHERE x.c = 1
--> t.a <- s.a
--> t.ds <- s.ds
--> /x.b <- s.b

-- bigquery
GRAPH d.g MATCH (x:P)-[k:knows]->(y) RETURN x.name AS n, y.age AS m ORDER BY n LIMIT 3; SELECT graph FROM d.s
--> <sql>.n <- d.g.name
--> <sql>.m <- d.g.age
--> <sql> 2.graph <- d.s.graph

-- postgres
CREATE TYPE place AS (street text, town text); CREATE TABLE s (id int, doc jsonb); CREATE VIEW v AS SELECT s.id, r.* FROM s, jsonb_populate_record(NULL::place, s.doc) r; CREATE VIEW w AS SELECT r.town FROM s CROSS JOIN LATERAL json_populate_recordset(NULL::place, s.doc) AS r
--> v.id <- s.id
--> v.street <- s.doc
--> v.town <- s.doc
--> w.town <- s.doc

-- oracle
INSERT INTO t (a, b) SELECT j.a, j.b FROM s, JSON_TABLE(s.doc, '$[*]' PASSING s.p AS "p" COLUMNS (a NUMBER PATH '$.a', NESTED PATH '$.c[*]' COLUMNS (b NUMBER PATH '$.b' DEFAULT s.d ON EMPTY DEFAULT s.e ON ERROR))) j; INSERT INTO u (a, b) SELECT x.a, x.b FROM s, XMLTABLE('/r' PASSING s.doc, s.q AS "q" COLUMNS a NUMBER PATH 'a', b NUMBER PATH 'b' DEFAULT s.d) x
--> t.a <- s.doc, s.p
--> t.b <- s.d, s.doc, s.e, s.p
--> u.a <- s.doc, s.q
--> u.b <- s.d, s.doc, s.q

-- postgres
SELECT x.p, x.q FROM s, XMLTABLE('/r' PASSING s.doc COLUMNS a INT PATH 'a' DEFAULT s.d + 1, b INT PATH 'b') AS x (p, q)
--> <sql>.p <- s.d, s.doc
--> <sql>.q <- s.doc

-- postgres
CREATE TABLE s1 (i INT, j INT, a INT); CREATE TABLE s2 (i INT, j INT, b INT); INSERT INTO t SELECT x.*, x.i AS z, b FROM s1 JOIN s2 USING (i, j) AS x
--> t.i <- s1.i
--> t.j <- s1.j
--> t.z <- s1.i
--> t.b <- s2.b

-- clickhouse
SELECT t.^j AS x, doc.c.^d AS y, 1 ^ 2 FROM t
--> <sql>.x <- t.j
--> <sql>.y <- t.doc

-- duckdb
CREATE TABLE w AS SELECT {'p': a, 'q': b} AS s, [{'x': c}] AS l FROM src; INSERT INTO t SELECT unnest(s), unnest(l, recursive := true) FROM w; INSERT INTO u SELECT s.* FROM (SELECT * FROM w)
--> w.s <- src.a, src.b
--> w.l <- src.c
--> t.p <- w.s.p
--> t.q <- w.s.q
--> t.x <- w.l.x
--> u.p <- w.s.p
--> u.q <- w.s.q
--> w.l.x <- src.c
--> w.s.p <- src.a
--> w.s.q <- src.b

-- bigquery
CREATE TABLE d.w AS SELECT k, ARRAY_AGG(STRUCT(a AS p, b AS q) ORDER BY c) AS l FROM d.src GROUP BY k; CREATE TABLE d.x AS SELECT k, e.* FROM d.w, UNNEST(l) AS e
--> d.w.k <- d.src.k
--> d.w.l <- d.src.a, d.src.b
--> d.x.k <- d.w.k
--> d.w.l.p <- d.src.a
--> d.w.l.q <- d.src.b
--> d.x.p <- d.w.l.p
--> d.x.q <- d.w.l.q

-- spark
CREATE TABLE d.w AS SELECT struct(a AS p, b AS q) AS s, collect_list(named_struct('x', c)) AS l FROM d.src; CREATE TABLE d.x AS SELECT s.* FROM d.w; CREATE TABLE d.y AS SELECT inline(l) FROM d.w
--> d.w.s <- d.src.a, d.src.b
--> d.w.l <- d.src.c
--> d.y.x <- d.w.l
--> d.w.l.x <- d.src.c
--> d.w.s.p <- d.src.a
--> d.w.s.q <- d.src.b
--> d.x.p <- d.w.s.p
--> d.x.q <- d.w.s.q

-- snowflake partial
CREATE TABLE t AS WITH c AS (SELECT * FROM u1 UNION ALL SELECT a, b FROM u2) SELECT * FROM c; CREATE VIEW v AS SELECT * FROM u1 UNION ALL SELECT a, b FROM u2; INSERT INTO w SELECT z FROM v
--> t.a <- u1.a, u2.a
--> t.b <- u1.b, u2.b
--> t.* <- u1.*
--> v.* <- u1.*
--> v.a <- u1.a, u2.a
--> v.b <- u1.b, u2.b
--> v.z <- u1.z, u2.a, u2.b
--> w.z <- v.z

-- teradata partial
REPLACE PROCEDURE p1 (IN p_dt DATE) BEGIN DECLARE v_sql VARCHAR(1000); SET v_sql = 'INSERT INTO dyn (a) SELECT acct_id FROM acct WHERE start_dt = DATE ''' || CAST(p_dt AS CHAR(10)) || ''''; EXECUTE IMMEDIATE v_sql; END
--> dyn.a <- acct.acct_id

-- postgres partial
CREATE FUNCTION f(n INT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'INSERT INTO dyn (a) SELECT x FROM acct WHERE d > TIMESTAMP ''' || n || ''' - interval ''' || n || ' days'' LIMIT ' || n; END $$
--> dyn.a <- acct.x

-- tsql partial
CREATE PROCEDURE p @n INT AS BEGIN DECLARE @s NVARCHAR(MAX) = N'INSERT INTO dyn (a) SELECT TOP (' + CAST(@n AS NVARCHAR) + N') x FROM acct ORDER BY y'; EXEC sp_executesql @s; END
--> dyn.a <- acct.x

-- mysql partial
CREATE PROCEDURE p(n INT) BEGIN SET @s = CONCAT('INSERT INTO dyn (a) SELECT x FROM acct WHERE d > DATE_SUB(NOW(), INTERVAL ', n, ' DAY) LIMIT ', n); PREPARE st FROM @s; EXECUTE st; END
--> dyn.a <- acct.x

-- oracle
DECLARE TYPE ids IS TABLE OF NUMBER; TYPE rec IS RECORD (k NUMBER, l ids); r rec; BEGIN SELECT a INTO r.k FROM s WHERE ROWNUM = 1; SELECT b BULK COLLECT INTO r.l FROM q; FORALL i IN 1 .. r.l.COUNT INSERT INTO t (x, y) VALUES (r.k, r.l(i)); FOR i IN 1 .. r.l.COUNT LOOP INSERT INTO u (z) VALUES (r.l(i) + 1); END LOOP; END;
--> t.x <- s.a
--> t.y <- q.b
--> u.z <- q.b

-- clickhouse
INSERT INTO t1 SELECT a FROM s PARALLEL WITH INSERT INTO t2 SELECT b FROM s2 PARALLEL WITH TRUNCATE TABLE x; SELECT parallel FROM y
--> t1.a <- s.a
--> t2.b <- s2.b
--> <sql>.parallel <- y.parallel

-- bigquery
FROM d.s |> WHERE a > 1 |> FORK (|> SELECT a, b |> CREATE TABLE d.t1), (|> AGGREGATE SUM(b) AS z GROUP BY c |> INSERT INTO d.t2); SELECT q FROM d.r
--> d.t1.a <- d.s.a
--> d.t1.b <- d.s.b
--> d.t2.c <- d.s.c
--> d.t2.z <- d.s.b
--> <sql>.q <- d.r.q

-- bigquery
FROM d.s |> WHERE a > 1 |> TEE (|> SELECT a, b |> INSERT INTO d.t1) |> SELECT c
--> d.t1.a <- d.s.a
--> d.t1.b <- d.s.b
--> <sql>.c <- d.s.c

-- doris
CREATE ALIAS FUNCTION f(INT) WITH PARAMETER(id) AS CONCAT(LEFT(id, 3), '****', RIGHT(id, 4)); CREATE GLOBAL ALIAS FUNCTION g(DATETIMEV2(3), INT) WITH PARAMETER (dt, n) AS days_add(dt, n); INSERT INTO t (x, y) SELECT f(a), g(b, c) FROM s
--> t.x <- s.a
--> t.y <- s.b, s.c

-- trino
WITH FUNCTION f(x bigint) RETURNS bigint BEGIN DECLARE y bigint DEFAULT 1; IF x > 1 THEN RETURN x * 2; END IF; RETURN y; END, FUNCTION g(z varchar) RETURNS varchar BEGIN RETURN upper(z); END SELECT f(a) AS y, g(b) AS z FROM s; SELECT q FROM r
--> <sql>.y <- s.a
--> <sql>.z <- s.b
--> <sql> 2.q <- r.q

-- oracle partial
INSERT INTO t (a, x) SELECT d, k_xml FROM (SELECT d, k, v FROM s) PIVOT XML (SUM(v) AS z FOR k IN (ANY))
--> t.a <- s.d
--> t.x <- s.v

-- oracle
INSERT INTO t (a, b, c) SELECT s.id, b, c FROM s NESTED s.doc COLUMNS (b NUMBER PATH '$.b', c) WHERE s.z = 1
--> t.a <- s.id
--> t.b <- s.doc
--> t.c <- s.doc

-- oracle
INSERT INTO t (a, b) SELECT x.id, b FROM s x NESTED PATH doc.items[*] COLUMNS (b NUMBER PATH '$.b', NESTED PATH '$.l[*]' COLUMNS (c)), q; SELECT nested FROM n
--> t.a <- s.id
--> t.b <- s.doc
--> <sql>.nested <- n.nested

-- tsql
LOAD TABLE dbo.t (a, b '|', FILLER(1), c DATE('YYYY')) FROM '/tmp/x.txt' QUOTES OFF ESCAPES OFF
--> dbo.t.a <- /tmp/x.txt.a
--> dbo.t.b <- /tmp/x.txt.b
--> dbo.t.c <- /tmp/x.txt.c

-- tsql partial
LOAD INTO TABLE t USING FILE '/tmp/y.txt' ROW DELIMITED BY '|'
--> t.* <- /tmp/y.txt.*

-- oracle
DECLARE c INTEGER; v NUMBER; w NUMBER; n INTEGER; BEGIN c := DBMS_SQL.OPEN_CURSOR; DBMS_SQL.PARSE(c, 'SELECT a, b FROM s WHERE z = 1', DBMS_SQL.NATIVE); DBMS_SQL.DEFINE_COLUMN(c, 1, v); n := DBMS_SQL.EXECUTE(c); WHILE DBMS_SQL.FETCH_ROWS(c) > 0 LOOP DBMS_SQL.COLUMN_VALUE(c, 2, v); SYS.DBMS_SQL.COLUMN_VALUE(c, 1, w); INSERT INTO t (x, y) VALUES (v, w); END LOOP; FOR i IN 1 .. 2 LOOP DBMS_SQL.COLUMN_VALUE(c, i, v); INSERT INTO u (z) VALUES (v); END LOOP; DBMS_SQL.CLOSE_CURSOR(c); END;
--> t.x <- s.b
--> t.y <- s.a
--> u.z <- s.a, s.b

-- snowflake partial
CREATE TABLE t AS SELECT o.* REPLACE (UPPER(c.x) AS nm) RENAME (id AS oid), c.nm AS cnm FROM o JOIN c ON o.k = c.k; SELECT nm, oid, cnm, z FROM t
--> t.* <- o.*
--> t.nm <- c.x
--> t.oid <- o.id
--> t.cnm <- c.nm
--> t.z <- o.z
--> <sql>.nm <- t.nm
--> <sql>.oid <- t.oid
--> <sql>.cnm <- t.cnm
--> <sql>.z <- t.z

-- snowflake partial
CREATE TABLE t AS SELECT * REPLACE (UPPER(c.x) AS nm) RENAME (id AS oid) FROM o JOIN c ON o.k = c.k; SELECT nm, oid, z FROM t
--> t.nm <- c.x
--> t.oid <- c.id, o.id
--> t.* <- c.*, o.*
--> t.z <- c.z, o.z
--> <sql>.nm <- t.nm
--> <sql>.oid <- t.oid
--> <sql>.z <- t.z

-- bigquery partial
UPDATE d.t SET info = (SELECT AS STRUCT t.info.* REPLACE (s.n AS name)) FROM d.s s WHERE s.k = t.k
--> d.t.info <- d.s.n, d.t.info

-- oracle
INSERT FIRST WHEN a > 1 THEN INTO t1 (x) VALUES (a) LOG ERRORS WHEN b > 1 THEN INTO t2 SELECT a, b FROM s
--> t1.x <- s.a
--> t2.a <- s.a
--> t2.b <- s.b

-- oracle
INSERT ALL INTO t1 (x) VALUES (a) LOG ERRORS INTO e1 ('x') REJECT LIMIT UNLIMITED INTO t2 (y) VALUES (b) LOG ERRORS REJECT LIMIT 5 SELECT a, b FROM s
--> t1.x <- s.a
--> t2.y <- s.b

-- oracle
INSERT ALL INTO t1 (x) VALUES (a) LOG ERRORS INTO t2 (y) VALUES (b) SELECT a, b FROM s
--> t1.x <- s.a
--> t2.y <- s.b

-- oracle
INSERT INTO t (x) SELECT a FROM s LOG ERRORS INTO e REJECT LIMIT UNLIMITED; MERGE INTO t USING s ON (t.k = s.k) WHEN MATCHED THEN UPDATE SET t.z = s.z LOG ERRORS; DELETE FROM t LOG ERRORS INTO d.e
--> t.x <- s.a
--> t.z <- s.z

-- oracle
SELECT JSON_VALUE(s.doc, '$.a' DEFAULT s.d ON EMPTY) v, JSON_QUERY(s.doc, '$.a?(@.x == $v)' PASSING s.x AS "v" WITH WRAPPER) q, JSON_VALUE(s.doc, '$.b[$i]' PASSING s.i AS "i" RETURNING NUMBER DEFAULT 0 ON ERROR) w FROM s
--> <sql>.v <- s.d, s.doc
--> <sql>.q <- s.doc, s.x
--> <sql>.w <- s.doc, s.i

-- postgres
SELECT JSON_VALUE(s.doc, '$.a ? (@ > $x)' PASSING s.z AS x RETURNING int DEFAULT s.d ON EMPTY DEFAULT s.e ON ERROR) v, JSON_QUERY(s.doc, '$.a' PASSING s.y AS y, s.y2 AS y2) q, JSON_VALUE(doc, '$.k' RETURNING int) k FROM s
--> <sql>.v <- s.d, s.doc, s.e, s.z
--> <sql>.q <- s.doc, s.y, s.y2
--> <sql>.k <- s.doc

-- postgres partial
COPY t (a, b) FROM '/x.csv' WITH (FORMAT csv) WHERE c > 1; COPY u FROM PROGRAM 'gunzip -c y.gz' (FORMAT csv) WHERE d < 3; COPY w (e) FROM STDIN WITH (FORMAT csv)
--> t.a <- /x.csv.a
--> t.b <- /x.csv.b
--> u.* <- gunzip -c y.gz.*
--> w.e <- STDIN.e

-- bigquery
SELECT (SELECT SUM(e.y) FROM UNNEST(ARRAY_AGG(STRUCT(a AS x, b AS y))) e) AS q, (SELECT SUM(y) FROM UNNEST(ARRAY_AGG(STRUCT(a AS x, b AS y) ORDER BY c))) AS r FROM s GROUP BY k
--> <sql>.q <- s.b
--> <sql>.r <- s.b

-- duckdb
SELECT array_agg(struct_pack(x := a, y := b))[1]['y'] q, {'x': a, 'y': b}['x'] z, doc['k'] u, list({'x': a, 'y': b})[1]['none'] n FROM s
--> <sql>.q <- s.b
--> <sql>.z <- s.a
--> <sql>.u <- s.doc
--> <sql>.n <- s.a, s.b

-- clickhouse
SELECT quantileIf(0.5)(f, c > 1) AS a, quantilesIf(0.5, 0.9)(f, c = 2) AS b, topKIf(3)(x, d) AS e, groupArrayIf(10)(x, c) AS i, quantileTimingWeightedIf(0.5)(x, w, c) AS m, avgIfOrDefault(x, c) AS o, sumIfState(x, c) AS p, quantile(0.5)(x) AS q, countIfState(c) AS r FROM s
--> <sql>.a <- s.f
--> <sql>.b <- s.f
--> <sql>.e <- s.x
--> <sql>.i <- s.x
--> <sql>.m <- s.w, s.x
--> <sql>.o <- s.x
--> <sql>.p <- s.x
--> <sql>.q <- s.x

-- snowflake
CREATE ALERT al WAREHOUSE = w SCHEDULE = '1 MINUTE' IF (EXISTS (SELECT 1 FROM x WHERE y > 1)) THEN BEGIN INSERT INTO l (m) SELECT z FROM s1; UPDATE q SET a = s2.c FROM s2; END; INSERT INTO u SELECT v FROM s3
--> l.m <- s1.z
--> q.a <- s2.c
--> u.v <- s3.v

-- snowflake
CREATE PROCEDURE p() RETURNS TABLE() AS $$ DECLARE rs RESULTSET; id VARCHAR; BEGIN rs := (SELECT a, b FROM s); INSERT INTO t (x) SELECT a FROM TABLE(:rs); CALL q(); id := SQLID; INSERT INTO u (x) SELECT y FROM TABLE(RESULT_SCAN(:id)); INSERT INTO v (x) SELECT y FROM TABLE(RESULT_SCAN(:id)) r WHERE y > 1; END $$; CREATE PROCEDURE q() RETURNS TABLE(y INT) AS $$ BEGIN LET r RESULTSET := (SELECT y FROM z); RETURN TABLE(r); END $$
--> t.x <- s.a
--> u.x <- q.y
--> v.x <- q.y
--> q.y <- z.y

-- snowflake
EXECUTE IMMEDIATE $$ DECLARE id VARCHAR; k INT DEFAULT 1; rs RESULTSET; BEGIN SELECT a, b FROM s; id := LAST_QUERY_ID(); INSERT INTO t (x) SELECT b FROM TABLE(RESULT_SCAN(:id)); rs := (SELECT :k AS c, d FROM w); INSERT INTO u (y, z) SELECT c, d FROM TABLE(:rs); END $$
--> <sql>.a <- s.a
--> <sql>.b <- s.b
--> t.x <- <sql>.b
--> u.z <- w.d

-- oracle
DECLARE c INTEGER; d INTEGER; n INTEGER; BEGIN c := DBMS_SQL.OPEN_CURSOR; DBMS_SQL.PARSE(c, 'INSERT INTO t (a, b) SELECT v, :v FROM s WHERE k = :k', DBMS_SQL.NATIVE); FOR r IN (SELECT m, z FROM q) LOOP DBMS_SQL.BIND_VARIABLE(c, ':v', r.m); DBMS_SQL.BIND_VARIABLE(c, 'k', r.z); n := DBMS_SQL.EXECUTE(c); END LOOP; d := DBMS_SQL.OPEN_CURSOR; SYS.DBMS_SQL.PARSE(d, 'UPDATE u SET a = :v', 1); SELECT e INTO n FROM w; DBMS_SQL.BIND_VARIABLE(d, 'v', n); SELECT f INTO n FROM w2; SYS.DBMS_SQL.BIND_VARIABLE(d, 'V', n); END;
--> t.a <- s.v
--> t.b <- q.m
--> u.a <- w.e, w2.f

-- tsql
DECLARE @h UNIQUEIDENTIFIER, @m XML, @p VARBINARY(16); SELECT @m = doc FROM s; SELECT @p = TEXTPTR(c) FROM d; SEND ON CONVERSATION @h MESSAGE TYPE [//x/y] (@m); SEND ON CONVERSATION @h MESSAGE TYPE z; SEND ON CONVERSATION (@h, @h) (@m); READTEXT d.c @p 0 10; WRITETEXT BULK dbo.d.c @p WITH LOG @m; UPDATETEXT d2.c @p NULL 0 dbo.e.f @p; UPDATETEXT d3.c 0xFF 0 3 WITH LOG @m; UPDATETEXT d4.c @p 0 3; INSERT INTO u (a) SELECT b FROM c
--> //x/y.message_body <- s.doc
--> DEFAULT.message_body <- s.doc
--> <sql>.c <- d.c
--> dbo.d.c <- s.doc
--> d2.c <- d2.c, dbo.e.f
--> d3.c <- d3.c, s.doc
--> d4.c <- d4.c
--> u.a <- c.b
