-- Q25 a volatile table made again in a branch: both stay
CREATE PROCEDURE p (IN n INTEGER)
BEGIN
  CREATE VOLATILE TABLE w AS (SELECT a FROM x) WITH DATA ON COMMIT PRESERVE ROWS;
  IF n > 1 THEN
    DROP TABLE w;
    CREATE VOLATILE TABLE w AS (SELECT a FROM y) WITH DATA ON COMMIT PRESERVE ROWS;
  END IF;
  INSERT INTO t (a) SELECT a FROM w;
END;
--> t.a <- X.A Y.A

-- Q26 LEAVE and ITERATE
CREATE PROCEDURE p ()
BEGIN
  DECLARE last VARCHAR(20);
  rounds: LOOP
    INSERT INTO t (a) VALUES (:last);
    SELECT MAX(nm) INTO :last FROM s;
    IF last = 'z' THEN LEAVE rounds; END IF;
    IF last IS NULL THEN ITERATE rounds; END IF;
    SET last = 'k';
  END LOOP rounds;
  INSERT INTO u (a) VALUES (:last);
END;
--> t.a <- S.NM
--> u.a <- S.NM

-- Q26 lines of BTEQ jump over what is not to be done
CREATE VOLATILE TABLE w AS (SELECT a FROM x) WITH DATA ON COMMIT PRESERVE ROWS;
.IF ERRORCODE <> 0 THEN .GOTO done
DROP TABLE w;
CREATE VOLATILE TABLE w AS (SELECT a FROM y) WITH DATA ON COMMIT PRESERVE ROWS;
.LABEL done
INSERT INTO t (a) SELECT a FROM w;
--> t.a <- X.A Y.A

-- Q27 a cursor, and rows of a loop
CREATE PROCEDURE p ()
BEGIN
  DECLARE one INTEGER;
  DECLARE two VARCHAR(20);
  DECLARE c CURSOR FOR SELECT id, nm FROM s WHERE kind = 'a';
  OPEN c;
  FETCH c INTO one, two;
  INSERT INTO t (a, b) VALUES (:two, :one);
  CLOSE c;
  FOR r AS d CURSOR FOR SELECT x, y FROM q DO
    INSERT INTO u (a) VALUES (r.y);
  END FOR;
END;
--> t.a <- S.NM
--> t.b <- S.ID
--> u.a <- Q.Y

-- Q29 IN, OUT and INOUT; a macro
CREATE PROCEDURE q (IN wanted INTEGER, OUT first_name VARCHAR(20), INOUT last_name VARCHAR(20))
BEGIN
  SELECT MAX(nm) INTO :first_name FROM s WHERE id = :wanted;
  IF first_name IS NULL THEN
    SELECT MAX(nm) INTO :last_name FROM r;
  END IF;
END;
CREATE PROCEDURE p ()
BEGIN
  DECLARE f, l VARCHAR(20);
  SELECT MAX(nm) INTO :l FROM k;
  CALL q(1, f, l);
  INSERT INTO t (f, l) VALUES (:f, :l);
END;
CREATE MACRO m (low INTEGER) AS (INSERT INTO u (a, b) SELECT x, :low FROM s;);
EXEC m(5);
--> t.f <- S.NM
--> t.l <- K.NM R.NM
--> u.a <- S.X

-- Q30 a trigger for each row, and one that changes it
CREATE TRIGGER logged AFTER INSERT ON t REFERENCING NEW AS n FOR EACH ROW
  (INSERT INTO log (a) VALUES (n.a););
CREATE TRIGGER mended BEFORE INSERT ON t REFERENCING NEW AS n FOR EACH ROW
  SET n.b = n.c;
INSERT INTO t (a, b, c) SELECT x, y, z FROM s;
--> log.a <- S.X
--> t.b <- S.Z

-- Q31 a text that a procedure runs
CREATE PROCEDURE p ()
BEGIN
  DECLARE tab VARCHAR(30) DEFAULT 's';
  DECLARE txt VARCHAR(200);
  SET txt = 'INSERT INTO t (a) SELECT x FROM ' || tab;
  EXECUTE IMMEDIATE txt;
  CALL DBC.SysExecSQL('INSERT INTO u (a) SELECT y FROM s');
END;
--> t.a <- S.X
--> u.a <- S.Y

-- Q26 a test does not hold behind what a handler may have done
CREATE PROCEDURE p ()
BEGIN
  DECLARE done INTEGER DEFAULT 0;
  DECLARE v INTEGER;
  DECLARE c CURSOR FOR SELECT x FROM s;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
  OPEN c;
  WHILE done = 0 DO
    FETCH c INTO v;
    IF done = 1 THEN
      INSERT INTO u (a) SELECT y FROM s;
    END IF;
    INSERT INTO t (a) VALUES (:v);
  END WHILE;
  INSERT INTO w (a) SELECT z FROM s;
END;
--> t.a <- S.X
--> u.a <- S.Y
--> w.a <- S.Z
