-- Q25 what a handler takes from a block that failed
CREATE PROCEDURE p IS
  v NUMBER;
BEGIN
  BEGIN
    SELECT MAX(a) INTO v FROM x;
    DELETE FROM z;
    SELECT MAX(b) INTO v FROM y;
  EXCEPTION WHEN OTHERS THEN
    INSERT INTO err (a) VALUES (v);
  END;
  INSERT INTO t (a) VALUES (v);
END;
/
--> err.a <- X.A Y.B
--> t.a <- X.A Y.B

-- Q28 a plain name is the column where there is one; with the name of the routine it is the variable
CREATE TABLE s (id NUMBER, nm NUMBER);
CREATE PROCEDURE p IS
  nm NUMBER;
  other NUMBER;
BEGIN
  SELECT MAX(w), MAX(v) INTO nm, other FROM k;
  INSERT INTO t (a, b, c) SELECT nm, other, p.nm FROM s;
END;
/
--> t.a <- S.NM
--> t.b <- K.V
--> t.c <- K.W

-- Q29 a variable of a package, whoever gives it a value
CREATE TABLE s (x NUMBER);
CREATE PACKAGE BODY k AS
  last_day DATE;
  PROCEDURE begin_at IS BEGIN SELECT MAX(d) INTO last_day FROM log; END;
  PROCEDURE run IS BEGIN INSERT INTO t (a, d) SELECT x, last_day FROM s; END;
END;
/
BEGIN k.begin_at; k.run; END;
/
--> t.a <- S.X
--> t.d <- LOG.D

-- Q31 a block that is run, with what is bound to it and given back
DECLARE
  low NUMBER;
  got NUMBER;
BEGIN
  SELECT MAX(m) INTO low FROM r;
  EXECUTE IMMEDIATE 'BEGIN SELECT MAX(x) INTO :o FROM s WHERE y > :l; END;' USING OUT got, IN low;
  EXECUTE IMMEDIATE 'INSERT INTO t (a, b) VALUES (:1, :2)' USING got, low;
END;
/
--> t.a <- S.X
--> t.b <- R.M

-- Q31 a routine that a text makes
BEGIN
  EXECUTE IMMEDIATE 'CREATE PROCEDURE q IS BEGIN INSERT INTO t (a) SELECT x FROM s; END;';
  q;
END;
/
--> t.a <- S.X

-- Q20 what is left of SQL*Loader: the file is the entity
LOAD DATA
INFILE '/in/t.dat'
APPEND
INTO TABLE t
FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"'
TRAILING NULLCOLS
(a, b DATE "YYYY-MM-DD", c CHAR(4) "UPPER(:c)")
--> t.a <- `/in/t.dat`.A

-- Q26 a test of a variable of a package does not hold behind a call
CREATE PACKAGE BODY k AS
  state NUMBER := 0;
  PROCEDURE go IS BEGIN state := 2; END;
  PROCEDURE run IS BEGIN
    IF state = 0 THEN
      go;
      IF state = 2 THEN INSERT INTO t (a) SELECT x FROM s; END IF;
    END IF;
  END;
END;
/
BEGIN k.run; END;
/
--> t.a <- S.X

-- Q27 rows within rows, and a cursor of a package
CREATE PACKAGE k IS
  CURSOR c (low NUMBER) IS SELECT a FROM s WHERE b > low;
END;
/
DECLARE
  TYPE inner_t IS RECORD (x NUMBER);
  TYPE outer_t IS RECORD (n NUMBER, sub inner_t);
  v outer_t;
BEGIN
  SELECT MAX(m) INTO v.sub.x FROM r;
  FOR one IN k.c(5) LOOP
    INSERT INTO t (a, b) VALUES (one.a, v.sub.x);
  END LOOP;
END;
/
--> t.a <- S.A
--> t.b <- R.M

-- Q29 a function that is given nothing is called without parentheses; DECLARE of nothing
CREATE PACKAGE BODY k AS
  FUNCTION low RETURN NUMBER IS v NUMBER; BEGIN SELECT MAX(a) INTO v FROM s; RETURN v; END;
END;
/
DECLARE
BEGIN
  INSERT INTO t (a) VALUES (k.low + 1);
  INSERT INTO u (a) SELECT k.low FROM dual;
END;
/
--> t.a <- S.A
--> u.a <- S.A
