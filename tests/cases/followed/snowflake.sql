-- Q25 a handler finds what any statement of its block left
EXECUTE IMMEDIATE $$
BEGIN
  CREATE OR REPLACE TEMPORARY TABLE w AS SELECT a FROM x;
  BEGIN
    CREATE OR REPLACE TEMPORARY TABLE w AS SELECT a FROM y;
    DELETE FROM z;
  EXCEPTION
    WHEN OTHER THEN
      INSERT INTO err (a) SELECT a FROM w;
  END;
END
$$;
--> err.a <- X.A Y.A

-- Q26 behind RETURN under a test that is not TRUE
CREATE PROCEDURE p(kind VARCHAR) RETURNS VARCHAR LANGUAGE SQL AS
$$
DECLARE
  n INTEGER DEFAULT 0;
BEGIN
  SELECT MAX(k) INTO :n FROM s;
  IF (n > 3) THEN
    RETURN 'none';
  END IF;
  INSERT INTO t (a, b) SELECT :n, b FROM s WHERE s.kind = :kind;
  RETURN 'done';
END
$$;
--> t.a <- S.K
--> t.b <- S.B

-- Q26 each round of REPEAT may have given a variable its value
EXECUTE IMMEDIATE $$
DECLARE
  last VARCHAR;
BEGIN
  REPEAT
    INSERT INTO t (a) VALUES (:last);
    SELECT MAX(nm) INTO :last FROM s;
  UNTIL (last IS NOT NULL)
  END REPEAT;
END
$$;
--> t.a <- S.NM

-- Q27 cursors, result sets and variables of LET
EXECUTE IMMEDIATE $$
DECLARE
  c CURSOR FOR SELECT id, nm FROM s WHERE kind = 'a';
  res RESULTSET;
BEGIN
  FOR r IN c DO
    LET name := r.nm;
    INSERT INTO t (a, b) VALUES (r.id, :name);
  END FOR;
  res := (SELECT x, y FROM q);
  LET d CURSOR FOR res;
  FOR r IN d DO
    INSERT INTO u (a) VALUES (r.y);
  END FOR;
  OPEN c;
  LET one := 0;
  LET two := '';
  FETCH c INTO one, two;
  INSERT INTO v (a, b) VALUES (:one, :two);
END
$$;
--> t.a <- S.ID
--> t.b <- S.NM
--> u.a <- Q.Y
--> v.a <- S.ID
--> v.b <- S.NM

-- Q29 CALL ... INTO, arguments by name and by default
CREATE PROCEDURE q(k NUMBER, lead VARCHAR DEFAULT 'x') RETURNS VARCHAR LANGUAGE SQL AS
$$
DECLARE
  found VARCHAR;
BEGIN
  SELECT MAX(nm) INTO :found FROM s WHERE id = :k;
  INSERT INTO log (a) VALUES (:lead);
  RETURN found;
END
$$;
EXECUTE IMMEDIATE $$
DECLARE
  one VARCHAR;
  other VARCHAR;
BEGIN
  SELECT MAX(p) INTO :other FROM r;
  CALL q(lead => :other, k => 5) INTO :one;
  INSERT INTO t (a) VALUES (:one);
END
$$;
--> t.a <- S.NM
--> log.a <- R.P

-- Q29 a procedure that returns a table
CREATE PROCEDURE rows_of() RETURNS TABLE (a NUMBER, b VARCHAR) LANGUAGE SQL AS
$$
DECLARE
  res RESULTSET DEFAULT (SELECT x, y FROM s);
BEGIN
  RETURN TABLE(res);
END
$$;
INSERT INTO t (a, b) SELECT b, a FROM TABLE(rows_of());
--> t.a <- S.Y
--> t.b <- S.X

-- Q29 the rows that a procedure returns, for a cursor
CREATE PROCEDURE rows_of() RETURNS TABLE (a NUMBER, b VARCHAR) LANGUAGE SQL AS
$$
BEGIN
  LET res RESULTSET := (SELECT x AS a, y AS b FROM s);
  RETURN TABLE(res);
END
$$;
EXECUTE IMMEDIATE $$
DECLARE
  res RESULTSET;
BEGIN
  res := (CALL rows_of());
  LET c CURSOR FOR res;
  FOR one IN c DO
    INSERT INTO u (a) VALUES (one.b);
  END FOR;
END
$$;
--> u.a <- S.Y

-- Q31 a text with what is bound to it
EXECUTE IMMEDIATE $$
DECLARE
  low NUMBER;
  tab VARCHAR DEFAULT 's';
  res RESULTSET;
BEGIN
  SELECT MAX(m) INTO :low FROM r;
  EXECUTE IMMEDIATE 'INSERT INTO t (a, b) SELECT x, ? FROM ' || tab USING (low);
  res := (EXECUTE IMMEDIATE 'SELECT y FROM s');
  LET c CURSOR FOR res;
  FOR one IN c DO
    INSERT INTO u (a) VALUES (one.y);
  END FOR;
END
$$;
--> t.a <- S.X
--> t.b <- R.M
--> u.a <- S.Y
