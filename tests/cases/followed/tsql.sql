-- Q29 OUTPUT, a return value, defaults, and INSERT ... EXEC by position
CREATE PROC q @wanted INT, @found INT OUTPUT, @lead INT = 7 AS
  SELECT @found = MAX(a) FROM s WHERE id = @wanted
  INSERT INTO log (a) VALUES (@lead)
  SELECT x, y FROM r
  RETURN @wanted
GO
DECLARE @f INT, @r INT
EXEC @r = q @found = @f OUTPUT, @wanted = 1
INSERT INTO t (a) VALUES (@f)
INSERT INTO u (a, b) EXEC q 2, @f OUTPUT
--> t.a <- S.A
--> u.a <- R.X
--> u.b <- R.Y

-- Q31 sp_executesql with what is bound to its text, and given back
DECLARE @low INT, @got INT, @txt NVARCHAR(MAX)
SELECT @low = MAX(m) FROM r
SET @txt = N'SELECT @o = MAX(x) FROM s WHERE y > @l'
EXEC sp_executesql @txt, N'@l INT, @o INT OUTPUT', @l = @low, @o = @got OUTPUT
INSERT INTO t (a) VALUES (@got)
EXEC ('INSERT INTO u (a) SELECT y FROM ' + 's')
--> t.a <- S.X
--> u.a <- S.Y

-- Q20 BULK INSERT: the file is the entity
CREATE TABLE t (a INT, b INT)
BULK INSERT t FROM '/in/t.csv' WITH (FIELDTERMINATOR = ',', FIRSTROW = 2)
INSERT INTO u (a) SELECT a FROM t
--> u.a <- `/in/t.csv`.A
