-- Q25 a view made again in a branch: both stay
BEGIN
  CREATE OR REPLACE TEMPORARY VIEW w AS SELECT a FROM x;
  IF (SELECT COUNT(*) FROM z) > 1 THEN
    CREATE OR REPLACE TEMPORARY VIEW w AS SELECT a FROM y;
  END IF;
  INSERT INTO t (a) SELECT a FROM w;
END;
--> t.a <- X.A Y.A

-- Q26 what a round of WHILE gave a variable the next one finds
BEGIN
  DECLARE last STRING;
  DECLARE n INT DEFAULT 0;
  WHILE n < 3 DO
    INSERT INTO t (a) VALUES (last);
    SET last = (SELECT MAX(nm) FROM s);
    SET n = n + 1;
  END WHILE;
END;
--> t.a <- S.NM

-- Q26 LEAVE under a test
BEGIN
  DECLARE kind STRING;
  SET kind = (SELECT MAX(k) FROM s);
  again: LOOP
    IF kind = 'a' THEN LEAVE again; END IF;
    INSERT INTO t (a) SELECT b FROM s;
    SET kind = 'a';
  END LOOP again;
  INSERT INTO u (a) VALUES (kind);
END;
--> t.a <- S.B
--> u.a <- S.K

-- Q27 rows of a loop, and a variable of a query
BEGIN
  DECLARE high INT;
  SET high = (SELECT MAX(x) FROM s);
  FOR r AS SELECT id, nm FROM p WHERE id > high DO
    INSERT INTO t (id, nm, high) VALUES (r.nm, r.id, high);
  END FOR;
END;
--> t.id <- P.NM
--> t.nm <- P.ID
--> t.high <- S.X

-- Q28 a plain name is the column where there is one
CREATE TABLE s (id INT, nm STRING);
BEGIN
  DECLARE nm STRING DEFAULT (SELECT MAX(w) FROM w);
  DECLARE other STRING DEFAULT (SELECT MAX(v) FROM w);
  INSERT INTO t (a, b) SELECT nm, other FROM s;
END;
--> t.a <- S.NM
--> t.b <- W.V

-- Q29 functions of SQL
CREATE FUNCTION named(k INT) RETURNS STRING RETURN (SELECT MAX(nm) FROM s WHERE id = k);
CREATE FUNCTION rows_of(k INT) RETURNS TABLE (x INT, y INT) RETURN SELECT p, q FROM r WHERE z = k;
INSERT INTO t (a, b) SELECT named(f.x), f.y FROM rows_of(5) AS f;
--> t.a <- R.P S.NM
--> t.b <- R.Q

-- Q31 a text with what is bound to it, and what it gives
BEGIN
  DECLARE n INT;
  DECLARE tab STRING DEFAULT 's';
  EXECUTE IMMEDIATE 'SELECT MAX(a) FROM ' || tab INTO n;
  EXECUTE IMMEDIATE 'INSERT INTO t (a, b) SELECT ?, x FROM r' USING n;
  EXECUTE IMMEDIATE 'INSERT INTO u (a) SELECT :low' USING n AS low;
END;
--> t.a <- S.A
--> t.b <- R.X
--> u.a <- S.A
