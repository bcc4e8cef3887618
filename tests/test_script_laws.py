"""Rows decide what scripts mean: random scripts of DuckDB are read, and run there (rules Q18 to Q21, Q25, Q29).

`MDW_EXAMPLES=20 pytest tests/test_script_laws.py` looks twenty times as long and at new scripts each time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import duckdb
from duckdb_scripts import HEAD, TARGETS, ScriptWriter
from empty_database import empty_database
from sql_rows import SCHEMA, arrivals, filled
from sql_warehouses import TABLES, rows_for

from mdw import Lineage, Warehouse
from mdw.model.name import entity_of

MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
FIRST = 0 if MORE == 1 else Random().randrange(1 << 30)
SCRIPTS = 36
EXACT = 24
CHANGED = re.compile(r"\b(?:CORE\.|Y[ABZ]\b|X\d)")
"""Tables that scripts make or fill."""
DATABASES = 4
COPY = f"{HEAD}\nINSERT INTO core.m1 SELECT * FROM raw.s1;\n"


def read(script: str) -> dict[tuple[str, str], Lineage]:
    """The answer for each column that carries."""
    with TemporaryDirectory() as folder, Warehouse() as warehouse:
        Path(folder, "0.ddl").write_text(SCHEMA)
        Path(folder, "1.sql").write_text(script)
        report = warehouse.load(Path(folder), dialect="duckdb")
        assert not report.errors
        assert {one.status for one in report.sql} == {"whole"}, script
        return {(one, column): warehouse.lineage(f"{one}.{column}") for one in TARGETS for column in "vw"}


def problems(script: str, draw: Random, answers: Mapping[tuple[str, str], Lineage] | None = None) -> Iterator[str]:
    """Whatever rows say against the answers, those read of the script or others."""
    answers = answers or read(script)
    rows = {table: rows_for(draw, table, draw.randint(3, 8)) for table in TABLES}
    with empty_database() as database:
        database.execute(f"CREATE SCHEMA raw; CREATE SCHEMA core; {SCHEMA}")
        filled(database, rows)
        database.execute(script)
        for (entity, column), answer in answers.items():
            ends = {end.attribute: end for end in answer.golden}
            for table, name, row in sorted(arrivals(database, entity, column)):
                source, token = f"RAW.{table}.{name}".upper(), f"<{table}.{name}.{row}>"
                if source not in ends:
                    yield f"{source} arrives at {entity}.{column} and is not in its lineage"
                elif not meets(database, ends[source].sql, entity_of(source), name, token):
                    yield f"row {row} of {source} arrives at {entity}.{column} against {ends[source].sql}"


def exact_problems(script: str, draw: Random, answers: Mapping[tuple[str, str], Lineage]) -> Iterator[str]:
    """Rows that meet an exact condition and do not arrive."""
    for _ in range(DATABASES):
        with empty_database() as database:
            database.execute(f"CREATE SCHEMA raw; CREATE SCHEMA core; {SCHEMA}")
            filled(database, {table: rows_for(draw, table, draw.choice([1, 3, 8])) for table in TABLES})
            database.execute(script)
            for (entity, column), answer in answers.items():
                came = {"<{}.{}.{}>".format(*token) for token in arrivals(database, entity, column)}
                for end in answer.golden:
                    table, name = entity_of(end.attribute), end.attribute.rpartition(".")[2]
                    # A condition on a table that the script makes, or fills, cannot be asked before.
                    if end.exact and name in ("V", "W") and table.startswith("RAW.") and not CHANGED.search(end.sql):
                        rows = database.execute(f"SELECT {name} FROM {table} WHERE {end.sql}").fetchall()
                        if stays := {value for (value,) in rows if value is not None} - came:
                            yield f"{min(stays)} meets {end.sql} and does not arrive at {entity}.{column}"


def meets(database: duckdb.DuckDBPyConnection, condition: str, entity: str, column: str, token: str) -> bool:
    """Whether the row with this text meets a condition; one on a table that the script changes counts as met."""
    if CHANGED.search(condition):
        return True
    found = database.execute(f"SELECT COUNT(*) FROM {entity} WHERE {column} = '{token}' AND ({condition})").fetchone()
    return bool(found and found[0])


def test_what_arrives_is_in_the_lineage_of_a_script() -> None:
    for seed in range(FIRST, FIRST + int(SCRIPTS * MORE)):
        draw = Random(seed)
        script = ScriptWriter(draw).script()
        found = next(problems(script, draw), None)
        assert found is None, f"{found}\nseed {seed}\n{script}"


def test_what_meets_an_exact_condition_arrives_through_a_script() -> None:
    for seed in range(FIRST, FIRST + int(EXACT * MORE)):
        draw = Random(seed)
        writer = ScriptWriter(draw)
        script = writer.script()
        # Of NULL a macro makes NULL, and no text tells so.
        if not writer.macros:
            found = next(exact_problems(script, draw, read(script)), None)
            assert found is None, f"{found}\nseed {seed}\n{script}"


def test_an_exact_condition_that_is_not_met_is_noticed() -> None:
    """The law can fail: where a filter was not told rows stay away."""
    found = next(exact_problems(COPY.replace("s1;", "s1 WHERE k = 1;"), Random(1), read(COPY)), "")
    assert "does not arrive at core.m1" in found


def test_a_source_of_a_script_that_is_forgotten_is_noticed() -> None:
    """The law can fail: an answer that lacks its sources is refuted by rows."""
    answers = {asked: replace(answer, golden=()) for asked, answer in read(COPY).items()}
    found = next(problems(COPY, Random(1), answers), "")
    assert found.startswith("RAW.S1.V arrives at core.m1.v and is not in its lineage")
