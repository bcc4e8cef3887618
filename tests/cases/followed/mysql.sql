-- Q25 a handler that goes on finds what any statement left
DELIMITER //
CREATE PROCEDURE p() BEGIN
  DECLARE v INT;
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION INSERT INTO err (a) VALUES (v);
  SELECT MAX(a) INTO v FROM x;
  DELETE FROM z;
  SELECT MAX(b) INTO v FROM y;
END//
DELIMITER ;
--> err.a <- X.A Y.B

-- Q26 CASE, WHILE and a test that holds
DELIMITER //
CREATE PROCEDURE p(IN kind CHAR(1)) BEGIN
  DECLARE v, n INT DEFAULT 0;
  CASE kind WHEN 'a' THEN SELECT MAX(a) INTO v FROM x; ELSE SELECT MAX(b) INTO v FROM y; END CASE;
  WHILE n < 3 DO
    INSERT INTO t (a) VALUES (v);
    SET v = (SELECT MAX(c) FROM s), n = n + 1;
  END WHILE;
END//
DELIMITER ;
--> t.a <- S.C X.A Y.B

-- Q27 without a row a variable keeps what it had
SET @v = (SELECT MAX(a) FROM x);
SELECT b INTO @v FROM y WHERE k = 1;
INSERT INTO t (a) VALUES (@v);
--> t.a <- X.A Y.B

-- Q28 a plain name is the variable
CREATE TABLE s (id INT, nm INT);
DELIMITER //
CREATE PROCEDURE p() BEGIN
  DECLARE nm INT;
  SELECT MAX(w) INTO nm FROM k;
  INSERT INTO t (a) SELECT nm FROM s;
END//
DELIMITER ;
--> t.a <- K.W

-- Q29 IN, OUT and INOUT; a function
DELIMITER //
CREATE PROCEDURE q(IN wanted INT, OUT f INT, INOUT l INT) BEGIN
  SELECT MAX(a) INTO f FROM s WHERE id = wanted;
  IF f IS NULL THEN SELECT MAX(b) INTO l FROM r; END IF;
END//
CREATE FUNCTION named(k INT) RETURNS INT DETERMINISTIC RETURN (SELECT MAX(c) FROM g WHERE id = k)//
CREATE PROCEDURE p() BEGIN
  DECLARE f, l INT;
  SELECT MAX(d) INTO l FROM h;
  CALL q(1, f, l);
  INSERT INTO t (f, l, n) VALUES (f, l, named(5));
END//
DELIMITER ;
--> t.f <- S.A
--> t.l <- H.D R.B
--> t.n <- G.C

-- Q30 triggers before and after
CREATE TRIGGER mended BEFORE INSERT ON t FOR EACH ROW SET NEW.b = (SELECT MAX(y) FROM s);
CREATE TRIGGER logged AFTER INSERT ON t FOR EACH ROW INSERT INTO log (a, b) VALUES (NEW.a, NEW.b);
CREATE TRIGGER kept AFTER UPDATE ON t FOR EACH ROW INSERT INTO old (a) VALUES (OLD.c);
INSERT INTO t (a, b, c) SELECT x, y, z FROM r;
UPDATE t JOIN q ON q.k = t.k SET t.c = q.z;
--> t.b <- S.Y
--> log.a <- R.X
--> log.b <- S.Y
--> old.a <- Q.Z R.Z

-- Q31 a statement that is prepared
SET @tab = 's';
SET @low = (SELECT MAX(m) FROM r);
SET @txt = CONCAT('INSERT INTO t (a, b) SELECT x, ? FROM ', @tab);
PREPARE st FROM @txt;
EXECUTE st USING @low;
DEALLOCATE PREPARE st;
--> t.a <- S.X
--> t.b <- R.M

-- Q26 what a handler gives a variable behind any statement ends a loop, and is there behind it
DELIMITER //
CREATE PROCEDURE p() BEGIN
  DECLARE done INT DEFAULT 0;
  DECLARE v INT;
  DECLARE c CURSOR FOR SELECT x FROM s;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
  OPEN c;
  r: LOOP
    FETCH c INTO v;
    IF done = 1 THEN LEAVE r; END IF;
    INSERT INTO t (a) VALUES (v);
    SET @sum = IFNULL(@sum, 0) + v;
    SET done = 0;
  END LOOP;
  CLOSE c;
  INSERT INTO u (a) SELECT y FROM s;
  IF done = 1 THEN INSERT INTO w (a) VALUES (@sum); END IF;
END//
DELIMITER ;
--> t.a <- S.X
--> u.a <- S.Y
--> w.a <- S.X
