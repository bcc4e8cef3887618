SELECT a, b + 1 AS c FROM s WHERE t > 1

SELECT s.a, o.x FROM s JOIN o ON s.k = o.k AND o.t = 1

SELECT s.a, o.x FROM s LEFT JOIN o ON s.k = o.k AND s.t = 1 WHERE o.y IS NULL

SELECT * FROM s

SELECT s.*, o.x AS ox FROM s, o WHERE s.k = o.k

SELECT * EXCLUDE (b) REPLACE (a + 1 AS a) FROM s

SELECT k, SUM(a) AS total, COUNT(*) AS n FROM s GROUP BY k HAVING MAX(b) > 1

SELECT CASE WHEN t = 1 THEN a WHEN t = 2 THEN b ELSE 0 END AS v FROM s

SELECT SUM(CASE WHEN t = 1 THEN a END) AS v FROM s

SELECT SUM(a) FILTER (WHERE t = 1) AS v FROM s

SELECT COALESCE(a, b) AS v, NULLIF(a, t) AS w, IF(t = 1, a, b) AS z FROM s

SELECT a FROM s WHERE k IN (SELECT k FROM o WHERE t = 1)

SELECT a FROM s WHERE NOT EXISTS (SELECT 1 FROM o WHERE o.k = s.k AND o.t = s.t)

SELECT a FROM s WHERE k IN (SELECT k FROM o WHERE t = 1) OR EXISTS (SELECT 1 FROM o WHERE o.x = s.b)

SELECT a, (SELECT MAX(x) FROM o WHERE o.k = s.k) AS m FROM s

SELECT a, (SELECT COUNT(*) FROM o WHERE o.k = s.k AND o.t > s.t) AS m FROM s

SELECT a FROM s WHERE a > (SELECT AVG(x) FROM o)

WITH c AS (SELECT k, SUM(x) AS sx FROM o WHERE t = 1 GROUP BY k) SELECT s.a, c.sx FROM s JOIN c USING (k)

WITH c AS (SELECT * FROM s), d AS (SELECT k, a AS z FROM c WHERE t = 1) SELECT z FROM d

SELECT a AS v FROM s WHERE t = 1 UNION ALL SELECT x FROM o WHERE y = 2

SELECT a, b FROM s UNION SELECT x, y FROM o

SELECT a FROM s INTERSECT SELECT x FROM o

SELECT a FROM s EXCEPT SELECT x FROM o

SELECT k, MAX(a) AS m FROM s GROUP BY k EXCEPT SELECT k, x FROM o

SELECT t, MAX(a) AS m FROM s GROUP BY ROLLUP (t) INTERSECT SELECT t, y FROM o

SELECT COUNT(*) AS n FROM s WHERE a > 1 EXCEPT SELECT x FROM o

SELECT a FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY b, t, a) = 1

SELECT a, LAG(b) OVER (PARTITION BY k ORDER BY t, a, b) AS p, SUM(a) OVER (PARTITION BY k) AS q FROM s

SELECT a, SUM(SUM(b)) OVER (PARTITION BY t) AS q FROM s GROUP BY a, t

SELECT DISTINCT a FROM s

SELECT DISTINCT ON (k) k, a FROM s ORDER BY k, b, t, a

SELECT a FROM s ORDER BY b, t, k, a LIMIT 2

SELECT a + 1 AS c, c * 2 AS d FROM s WHERE c > 2

SELECT k, t, SUM(a) AS v FROM s GROUP BY ROLLUP (k, t)

SELECT k AS g, SUM(a) AS v FROM s GROUP BY g ORDER BY v

SELECT t AS g, b FROM s GROUP BY ALL

SELECT s1.a, s2.b FROM s AS s1 JOIN s AS s2 ON s1.k = s2.t WHERE s1.a > s2.a

SELECT s.a, l.m FROM s, LATERAL (SELECT MAX(x) AS m FROM o WHERE o.k = s.k) AS l

SELECT s.a, l.x + s.b AS z FROM s LEFT JOIN LATERAL (SELECT o.x FROM o WHERE o.t = s.t) AS l ON l.x > s.a

SELECT UNNEST([a, b]) AS e FROM s

SELECT s.k, u.e FROM s, UNNEST([s.a, s.b]) AS u(e)

SELECT k FROM s FULL JOIN o USING (k)

SELECT * FROM s JOIN o USING (k, t)

SELECT * FROM s NATURAL JOIN o

SELECT s.a FROM s SEMI JOIN o ON s.k = o.k

SELECT s.a FROM s ANTI JOIN o ON s.k = o.k AND o.t = 1

SELECT * FROM (SELECT k, t, a FROM s) PIVOT (SUM(a) FOR t IN (1, 2))

SELECT * FROM (SELECT k, a, b FROM s) UNPIVOT (v FOR m IN (a, b))

WITH RECURSIVE r AS (SELECT k, a, 0 AS d FROM s WHERE t = 1 UNION ALL SELECT s.k, s.b, d + 1 FROM s JOIN r ON s.k = r.a WHERE d < 3) SELECT k, a FROM r

SELECT v.c1 + s.a AS z FROM (VALUES (1, 2), (3, 4)) AS v(c1, c2) JOIN s ON s.k = v.c2

SELECT {'p': a, 'q': b}.p AS z FROM s

SELECT z.p AS zz FROM (SELECT {'p': a, 'q': b} AS z FROM s)

SELECT a = b AS e, a > t AND b IS NULL AS f, NOT (a = 1 OR b IN (1, 2)) AS g FROM s

SELECT a FROM s WHERE (a, b) IN (SELECT x, y FROM o)

SELECT a FROM s WHERE a = ANY (SELECT x FROM o WHERE o.k = s.k)

SELECT a FROM s WHERE a > ALL (SELECT x FROM o)

SELECT LIST(a ORDER BY b, a) AS l FROM s

SELECT ARG_MAX(a, b) AS l, MEDIAN(a) AS m, FIRST(a ORDER BY t, a) AS f FROM s GROUP BY k

SELECT LIST_TRANSFORM([a, b], lambda x: x + t) AS l FROM s

SELECT COLUMNS('a|b') FROM s

SELECT a FROM s WHERE EXISTS (SELECT 1 FROM o WHERE o.k = s.k AND EXISTS (SELECT 1 FROM s AS q WHERE q.a = o.x AND q.b = s.b))

SELECT a FROM (SELECT a, b FROM s WHERE t = 1) AS d WHERE d.b IN (SELECT y FROM o WHERE o.x = d.a)

SELECT k, a FROM s WHERE a = (SELECT MIN(z.a) FROM s AS z WHERE z.k = s.k)

SELECT (SELECT x FROM o WHERE o.k = s.k ORDER BY y, x LIMIT 1) + b AS z FROM s

SELECT MAX(a) AS m FROM s HAVING COUNT(*) > (SELECT MIN(x) FROM o)

SELECT s.a FROM s LEFT JOIN (o JOIN s AS s2 ON o.x = s2.a) ON s.k = o.k WHERE s2.b IS NULL

SELECT CASE WHEN EXISTS (SELECT 1 FROM o WHERE o.k = s.k AND o.t = 1) THEN a ELSE b END AS z FROM s

SELECT SUM(a) OVER w AS z, COUNT(*) OVER w AS n FROM s WINDOW w AS (PARTITION BY k ORDER BY t, b, a)

PIVOT (SELECT k, t, a FROM s) ON t IN (1, 2) USING SUM(a) GROUP BY k

PIVOT s ON t IN (1, 2) USING SUM(a) AS x, MAX(b) AS y

UNPIVOT (SELECT k, a, b FROM s) ON a, b INTO NAME m VALUE v

SELECT * FROM (PIVOT (SELECT k, t, a FROM s) ON t IN (1, 2) USING SUM(a)) AS p WHERE p.k > 1

SELECT a.k, b.k, a.a FROM s AS a JOIN s AS b ON a.k = b.t

SELECT s.a, q.x FROM s, (SELECT x FROM o WHERE o.k = s.k UNION ALL SELECT y FROM o WHERE o.t = s.t) AS q

SELECT p.b, q.z FROM (SELECT a AS w, b FROM s) AS p, (SELECT w + 1 AS z) AS q WHERE q.z > 2

SELECT s.a, q.x FROM s LEFT JOIN (SELECT x FROM o WHERE o.k = s.a) AS q ON q.x > s.b

SELECT s.a, (SELECT v FROM (SELECT b AS w) AS p, (SELECT w AS v) AS q) AS v FROM s

SELECT m, n FROM (s JOIN o USING (k)) AS j (h, m, b, t, n) WHERE h > 1

SELECT s.a, j.y FROM s LEFT JOIN (s AS p JOIN o ON p.k = o.k) AS j ON j.x = s.t

SELECT s.k, u.e FROM s LEFT JOIN unnest([a, b]) AS u(e) ON u.e > s.t

SELECT s.k, g.e FROM s, generate_series(1, s.a) AS g(e) WHERE g.e > s.b

SELECT * FROM s PIVOT (SUM(a) FOR t IN (1, 2) GROUP BY k)

UNPIVOT s ON a + 1 AS u, b * 2 AS w INTO NAME m VALUE v

PIVOT s ON t IN (1, 2) USING SUM(a) GROUP BY k ORDER BY k

SELECT * NOT LIKE 'a%' FROM s

SELECT s.* SIMILAR TO '[ab]' FROM s

SELECT COLUMNS(lambda c: c IN ('a', 'b') OR NOT c LIKE '_') + 1 FROM s

SELECT COLUMNS(['a', 't']), COLUMNS('(a|b)') AS 'of_\0' FROM s

SELECT ROW(a, b) IN (SELECT x, y FROM o) AS f FROM s

SELECT MAP {coalesce(a, 9): b} AS m, map_keys(MAP {coalesce(k, 9): t}) AS n FROM s

WITH RECURSIVE r(h, v) USING KEY (h, max(v)) AS (SELECT k, a FROM s UNION SELECT r.h, p.v + 1 FROM r JOIN recurring.r AS p ON p.h = r.h WHERE r.v < 3) SELECT v FROM r
