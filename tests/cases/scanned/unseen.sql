-- snowflake partial
CREATE OR REPLACE PROCEDURE p(tbl VARCHAR) RETURNS VARCHAR LANGUAGE JAVASCRIPT AS $$ snowflake.execute({sqlText: `INSERT INTO t (a) SELECT a FROM s WHERE d = '${tbl}' AND e LIKE 'x_${tbl.trim()}%'`}); snowflake.execute({sqlText: `INSERT INTO u (a) SELECT a FROM ${tbl}`}); $$
--> t.a <- s.a
--> u.a <- _tbl__.a

-- snowflake partial
CREATE PROCEDURE p(d VARCHAR) RETURNS VARCHAR LANGUAGE PYTHON RUNTIME_VERSION = '3.8' PACKAGES = ('x') HANDLER = 'run' AS $$
def run(session, d):
    session.sql(f"INSERT INTO t (a) SELECT a FROM s WHERE d = '{d}'").collect()
    session.sql("MERGE INTO m USING s ON m.k = s.k AND s.d = '%s' WHEN MATCHED THEN UPDATE SET v = s.v" % d).collect()
    session.sql("MERGE INTO q USING s ON q.k = s.k AND s.d = '%(day)s' WHEN MATCHED THEN UPDATE SET z = s.z" % x).collect()
$$
--> t.a <- s.a
--> m.v <- s.v
--> q.z <- s.z

-- oracle partial
CREATE PROPERTY GRAPH g VERTEX TABLES (person KEY (id) LABEL p PROPERTIES (name, age), hr.dept AS d KEY (id) PROPERTIES ARE ALL COLUMNS EXCEPT (z)) EDGE TABLES (knows KEY (id) SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id) PROPERTIES (since AS s0)); INSERT INTO t (n, s) SELECT g1.n, g1.s FROM GRAPH_TABLE (g MATCH (a IS p) -[e IS knows]-> (b IS p WHERE b.age > 3) WHERE a.name = 'x' COLUMNS (a.name AS n, e.s0 AS s)) g1
--> g.name <- hr.dept.name, person.name
--> g.age <- hr.dept.age, person.age
--> g.* <- hr.dept.*
--> g.s0 <- hr.dept.s0, knows.since
--> t.n <- g.name
--> t.s <- g.s0

-- bigquery partial
CREATE OR REPLACE PROPERTY GRAPH d.g NODE TABLES (d.Person KEY (id), d.Account KEY (id) LABEL A PROPERTIES (id, nick AS nm)) EDGE TABLES (d.Owns KEY (id, k) SOURCE KEY (id) REFERENCES Person (id) DESTINATION KEY (k) REFERENCES Account (id)); SELECT g.n FROM GRAPH_TABLE(d.g MATCH (p:Person {id: 1})-[o:Owns]->(a:Account WHERE a.x > 1) RETURN a.nm AS n) AS g
--> d.g.* <- d.Owns.*, d.Person.*
--> d.g.nm <- d.Account.nick, d.Owns.nm, d.Person.nm
--> d.g.id <- d.Account.id, d.Owns.id, d.Person.id
--> d.g.x <- d.Owns.x, d.Person.x
--> <sql>.n <- d.g.nm

-- postgres partial
CREATE PROPERTY GRAPH myg VERTEX TABLES (v1, v2 LABEL l NO PROPERTIES) EDGE TABLES (e1 SOURCE v1 DESTINATION v2 PROPERTIES ALL COLUMNS); SELECT x FROM GRAPH_TABLE (myg MATCH (a)-[b]->(c) COLUMNS (a.x AS x))
--> myg.* <- e1.*, v1.*
--> myg.x <- e1.x, v1.x
--> <sql>.x <- myg.x
