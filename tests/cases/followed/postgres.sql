-- Q26 what holds behind CONTINUE and EXIT
CREATE PROCEDURE p(kind text) LANGUAGE plpgsql AS $$
DECLARE v text;
BEGIN
  FOR r IN SELECT a, b FROM s LOOP
    CONTINUE WHEN r.a IS NULL;
    INSERT INTO t (a) VALUES (v);
    v := r.b;
    EXIT WHEN v = kind;
  END LOOP;
  INSERT INTO u (a) VALUES (v);
END $$;
--> t.a <- S.B
--> u.a <- S.B

-- Q28 the script says which of two is meant
CREATE TABLE s (id int, nm text);
CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE nm text;
BEGIN
  SELECT MAX(w) INTO nm FROM k;
  INSERT INTO t (a) SELECT nm FROM s;
END $$;
CREATE PROCEDURE q() LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE nm text;
BEGIN
  SELECT MAX(w) INTO nm FROM k;
  INSERT INTO u (a) SELECT nm FROM s;
END $$;
--> t.a <- S.NM
--> u.a <- K.W

-- Q31 names and values that format puts into a text
CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
DECLARE low int; got int;
BEGIN
  SELECT MAX(m) INTO low FROM r;
  EXECUTE format('INSERT INTO %I (a, b) SELECT x, $1 FROM %s', 't', 's') USING low;
  EXECUTE 'SELECT MAX(y) FROM s WHERE z > $1' INTO got USING low;
  INSERT INTO u (a) VALUES (got);
END $$;
--> t.a <- S.X
--> t.b <- R.M
--> u.a <- S.Y
