-- snowflake
-- dialect: snowflake
SELECT o."ID", IFF(o.kind = 'a', o.x, 0) AS v, NVL(o.y, o.z) AS w FROM sales.o AS o QUALIFY ROW_NUMBER() OVER
(PARTITION BY o.id ORDER BY o.ts) = 1

-- bigquery
-- dialect: bigquery
SELECT o.`id`, IF(o.kind = 'a', o.x, 0) AS v, IFNULL(o.y, o.z) AS w FROM `sales.o` AS o QUALIFY ROW_NUMBER()
OVER (PARTITION BY o.id ORDER BY o.ts) = 1

-- duckdb
-- dialect: duckdb
SELECT o."id", CASE WHEN o.kind = 'a' THEN o.x ELSE 0 END AS v, COALESCE(o.y, o.z) AS w FROM sales.o QUALIFY
ROW_NUMBER() OVER (PARTITION BY o.id ORDER BY o.ts) = 1

-- databricks
-- dialect: databricks
SELECT o.id, IF(o.kind = 'a', o.x, 0) AS v, NVL(o.y, o.z) AS w FROM sales.o QUALIFY ROW_NUMBER() OVER
(PARTITION BY o.id ORDER BY o.ts) = 1

-- teradata
-- dialect: teradata
SELECT o.id, CASE o.kind WHEN 'a' THEN o.x ELSE 0 END AS v, COALESCE(o.y, o.z) AS w FROM sales.o QUALIFY
ROW_NUMBER() OVER (PARTITION BY o.id ORDER BY o.ts) = 1

-- oracle
-- dialect: oracle
SELECT o.id, DECODE(o.kind, 'a', o.x, 0) AS v, NVL(o.y, o.z) AS w FROM sales.o o QUALIFY ROW_NUMBER() OVER
(PARTITION BY o.id ORDER BY o.ts) = 1
