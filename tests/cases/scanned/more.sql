-- arithmetic, text, groups
-- dialect: ansi
SELECT a + b * c - d / e AS x, -a AS y, a || (b + 1) AS z FROM s GROUP BY ROLLUP (a, b) HAVING SUM(c) > 1

-- DISTINCT ON
-- dialect: postgres
SELECT DISTINCT ON (a) a, b FROM s ORDER BY a, b DESC LIMIT 5

-- FILTER and WITHIN GROUP
-- dialect: postgres
SELECT SUM(x) FILTER (WHERE y > 1), LISTAGG(DISTINCT z, ',') WITHIN GROUP (ORDER BY q) FROM s

-- a window over groups
-- dialect: snowflake
SELECT SUM(SUM(x)) OVER (PARTITION BY k ORDER BY d ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS r FROM s GROUP BY k, d

-- comparisons as values
-- dialect: ansi
SELECT x BETWEEN 1 AND 2 AS b, NOT x IN (1, 2) AS c, x IS DISTINCT FROM y AS d, x LIKE 'a%' AS e FROM s

-- conditions of every kind
-- dialect: ansi
SELECT a FROM s WHERE NOT (a = 1 AND (b = 2 OR c IS NULL)) AND (d, e) IN ((1, 2), (3, 4)) AND f

-- paths
-- dialect: bigquery
SELECT s.a.b.c, arr[0], STRUCT(x AS y) FROM `my-project.d.s` AS s

-- subqueries
-- dialect: duckdb
SELECT * FROM s WHERE x = ANY (SELECT y FROM t) AND EXISTS (SELECT 1 FROM u WHERE u.k = s.k AND u.z > s.z)

-- constants and strange names
-- dialect: ansi
SELECT 'it''s "quoted" \ and
new' AS x, 1e3 AS y, .5 AS z, DATE '2015-01-31' AS d, NULL AS n, 31122013 AS e FROM "weird `name"

-- a deletion
-- dialect: snowflake
DELETE FROM t USING s WHERE t.k = s.k
