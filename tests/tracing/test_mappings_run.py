"""What of mappings is run, and which are not, without Spark: queries of trees and of statements (T36), and T41."""

from __future__ import annotations

import os

import pytest
from row_warehouses import COLUMNS, row_warehouse

from mdw import Warehouse
from mdw.language.mapping import read
from mdw.model.errors import InputError
from mdw.readers.sql.for_spark import for_spark
from mdw.render.tree_query import tree_query
from mdw.stages.excluding import excluded
from mdw.stages.queries import EntityQueries
from mdw.store import trees
from mdw.tracing.queries import ColumnValues

SEEDS = int(40 * float(os.environ.get("MDW_EXAMPLES", "1")))


def in_duckdb(text: str, reads: dict[str, str]) -> str:
    return text.format(**reads).replace("`", '"').replace("LEFT SEMI", "SEMI")


def test_queries_of_trees_give_the_rows_that_their_mappings_make() -> None:
    for seed in range(SEEDS):
        made = row_warehouse(seed)
        with Warehouse() as warehouse, made.made() as database:
            warehouse.load(made.text)
            found = dict(trees.trees(warehouse._store))
            for entity, queries in made.queries.items():
                for name, query in zip(made.names[entity], queries, strict=True):
                    told = tree_query(found[name])
                    assert told.columns == COLUMNS
                    rows = database.execute(f"SELECT K, X, Y FROM ({query}) ORDER BY ALL").fetchall()
                    own = f"SELECT * FROM ({in_duckdb(told.text, dict(told.reads))}) ORDER BY ALL"
                    assert database.execute(own).fetchall() == rows, f"{warehouse.text(name)}\n{told.text}"


def test_a_mapping_that_is_left_out_makes_no_such_row() -> None:
    """T41: run, it gives none of the rows with whose values it was left out."""
    left_out = 0
    for seed in range(SEEDS):
        made = row_warehouse(seed)
        with Warehouse() as warehouse, made.made() as database:
            warehouse.load(made.text)
            queries = EntityQueries(warehouse._store)
            for entity, own in made.queries.items():
                rows = database.execute(f"SELECT DISTINCT K, X, Y FROM {entity} ORDER BY ALL").fetchall()
                for some in ([rows[seed % len(rows)]], rows[:3]) if rows else ():
                    values = {one: ColumnValues(tuple({row[n] for row in some})) for n, one in enumerate(COLUMNS)}
                    for name in excluded(warehouse._store, queries.rules(entity), values):
                        query = own[made.names[entity].index(name)]
                        given = database.execute(f"SELECT DISTINCT K, X, Y FROM ({query})").fetchall()
                        assert not set(given) & set(some), f"{made.text}\n{name}: {some}"
                        left_out += 1
    assert left_out > SEEDS / 4


SAID = [
    (
        "POPULATE T.A WITH MAX(S.X) IF S.Q = 1 WITH SUM(S.Y)",
        "COALESCE(MAX(CASE WHEN `S`.`Q` = 1 THEN `S`.`X` END), "
        "SUM(CASE WHEN `S`.`Q` = 1 THEN NULL ELSE `S`.`Y` END)) AS `A`",
    ),
    ('POPULATE T.A WITH S.X || "it\'s {1}"', "(`S`.`X` || 'it\\'s {{1}}') AS `A`"),
    ("POPULATE T.A WITH SUM(S.X) OVER (PARTITION BY S.K)", "SUM(`S`.`X`) OVER (PARTITION BY `S`.`K`) AS `A`"),
    ("POPULATE T.A WITH AGGREGATE DISTINCT LISTAGG(S.X)", "LISTAGG(DISTINCT `S`.`X`) AS `A`"),
    ("POPULATE T.`end date` WITH 2020-01-31", "DATE '2020-01-31' AS `end date`"),
]


@pytest.mark.parametrize(("populate", "said"), SAID)
def test_words_of_mappings_in_sql(populate: str, said: str) -> None:
    assert said in tree_query(read(f"WHEN POPULATING T FROM S {populate}").trees[0]).text


UNSAID = [
    ("POPULATE T.A WITH :today", "values from a program"),
    ('POPULATE T.A WITH OPAQUE("f", S.X)', "not understood"),
    ("POPULATE T.A WITH RANK() OVER (ORDER BY S.X)", "orders rows in windows"),
    ("POPULATE T.A WITH S.X LIMIT 3", "only so many rows"),
]


@pytest.mark.parametrize(("populate", "says"), UNSAID)
def test_what_has_no_words(populate: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        tree_query(read(f"WHEN POPULATING T FROM S {populate}").trees[0])


def test_statements_for_spark() -> None:
    text = "CREATE VIEW v AS WITH s AS (SELECT a FROM s) SELECT s.a FROM s UNION SELECT x.a FROM d.s AS x"
    made = for_spark(text, "postgres", ["S", "D.S"])
    assert sorted(made.reads.values()) == ["D.S", "S"]
    assert made.branches[0].startswith("WITH s AS (SELECT a FROM {read") and "WITH" not in made.branches[1]
    with pytest.raises(InputError, match="no query"):
        for_spark("DELETE FROM t", "ansi", ["T"])
    with pytest.raises(InputError, match="which entity"):
        for_spark("INSERT INTO t SELECT a FROM other", "ansi", ["S"])
