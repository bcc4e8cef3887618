-- Q25 a table made again in a branch: both stay
CREATE TEMP TABLE w AS SELECT a FROM d.x;
IF (SELECT COUNT(*) FROM d.z) > 1 THEN
  CREATE OR REPLACE TEMP TABLE w AS SELECT a FROM d.y;
END IF;
INSERT INTO d.t (a) SELECT a FROM w;
--> d.t.a <- D.X.A D.Y.A

-- Q25 a table made again for certain
CREATE TEMP TABLE w AS SELECT a FROM d.x;
CREATE OR REPLACE TEMP TABLE w AS SELECT a FROM d.y;
INSERT INTO d.t (a) SELECT a FROM w;
--> d.t.a <- D.Y.A

-- Q26 a test holds until what it tests is assigned; behind LEAVE it is not TRUE
DECLARE kind STRING;
CREATE TABLE d.s (k STRING, b STRING);
SET kind = (SELECT MAX(k) FROM d.s);
LOOP
  IF kind = 'a' THEN LEAVE; END IF;
  INSERT INTO d.t (k, a) SELECT kind, b FROM d.s;
  SET kind = 'a';
END LOOP;
INSERT INTO d.u (k) VALUES (kind);
--> d.t.k <- D.S.K
--> d.t.a <- D.S.B
--> d.u.k <- D.S.K

-- Q27 variables of a query, and rows of a loop
DECLARE low, high INT64;
SET (low, high) = (SELECT AS STRUCT MIN(x), MAX(y) FROM d.s);
FOR r IN (SELECT id, nm FROM d.p WHERE id > low) DO
  INSERT INTO d.t (id, nm, high) VALUES (r.id, r.nm, high);
END FOR;
--> d.t.id <- D.P.ID
--> d.t.nm <- D.P.NM
--> d.t.high <- D.S.Y

-- Q28 a plain name is the column where there is one
CREATE TABLE d.s (id INT64, nm STRING);
BEGIN
  DECLARE nm STRING DEFAULT (SELECT MAX(w) FROM d.w);
  DECLARE other STRING DEFAULT (SELECT MAX(v) FROM d.w);
  INSERT INTO d.t (a, b) SELECT nm, other FROM d.s;
END;
--> d.t.a <- D.S.NM
--> d.t.b <- D.W.V

-- Q29 IN, OUT and INOUT
CREATE PROCEDURE d.q(wanted INT64, OUT first STRING, INOUT last STRING)
BEGIN
  SET first = (SELECT MAX(nm) FROM d.s WHERE id = wanted);
  IF first IS NULL THEN SET last = (SELECT MAX(nm) FROM d.r); END IF;
END;
BEGIN
  DECLARE f, l STRING;
  SET l = (SELECT MAX(nm) FROM d.p);
  CALL d.q(1, f, l);
  INSERT INTO d.t (f, l) VALUES (f, l);
END;
--> d.t.f <- D.S.NM
--> d.t.l <- D.P.NM D.R.NM

-- Q29 a function that is a query, and one of a table
CREATE FUNCTION d.named(k INT64) AS ((SELECT MAX(nm) FROM d.s WHERE id = k));
CREATE TABLE FUNCTION d.rows_of(k INT64) AS SELECT x, y FROM d.r WHERE z = k;
INSERT INTO d.t (a, b) SELECT d.named(f.x), f.y FROM d.rows_of(5) AS f;
--> d.t.a <- D.R.X D.S.NM
--> d.t.b <- D.R.Y

-- Q31 a text with what is bound to it, and what it gives
DECLARE n INT64;
DECLARE tab STRING DEFAULT 'd.s';
EXECUTE IMMEDIATE 'SELECT MAX(a) FROM ' || tab INTO n;
EXECUTE IMMEDIATE FORMAT('INSERT INTO d.t (a, b) SELECT ?, x FROM %s', 'd.r') USING n;
EXECUTE IMMEDIATE 'INSERT INTO d.u (a) SELECT @low' USING n AS low;
--> d.t.a <- D.S.A
--> d.t.b <- D.R.X
--> d.u.a <- D.S.A
