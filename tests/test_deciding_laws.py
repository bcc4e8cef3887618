"""What decides (rule Q38): a cell is changed, all is executed again, and whatever is another then was decided by it.

Random warehouses of SQL with deletions, MERGE and constants over rows of which nothing is read, in DuckDB. Of a column
whose values are others, more or fewer, the changed attribute must be a golden source or decide, itself or by what
decides or gives a value further up.
`MDW_EXAMPLES=20 pytest tests/test_deciding_laws.py` looks twenty times as long and at new warehouses each time.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from sql_rows import Rows, executed, loaded
from sql_warehouses import TABLES, SqlWarehouse, SqlWriter, rows_for

from mdw import QuestionError, Warehouse

MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
FIRST = 0 if MORE == 1 else Random().randrange(1 << 30)
CHANGES = 12
OTHERS = {"k": (0, 1, 2, None), "t": ("a", "b", "c", None), "v": ("another", None), "w": ("another", None)}


class ChangingWriter(SqlWriter):
    """Writes warehouses whose last tables are changed after they are filled."""

    def warehouse(self) -> SqlWarehouse:
        made = super().warehouse()
        source = self.entity()
        changes = [self.change() for _ in range(self.draw.randint(1, 3))]
        made.files["8.sql"] = f"CREATE TABLE core.f AS SELECT k, t, v, w FROM {source};\n" + "\n".join(changes)
        read = self.draw.choice(["core.f", self.entity()])
        constant = self.draw.choice(["'P' AS v", "COUNT(*) AS v"])
        made.files["9.sql"] = f"CREATE VIEW core.c AS SELECT {constant} FROM {read};\n"
        return made

    def change(self) -> str:
        """A change of the rows of core.f."""
        form, other = self.draw.randrange(6), self.entity()
        if form == 0:
            return f"DELETE FROM core.f AS a WHERE {self.test('a')};"
        if form == 1:
            return f"DELETE FROM core.f AS a WHERE a.k IN (SELECT x.k FROM {other} AS x WHERE {self.test('x')});"
        if form == 2:
            return f"DELETE FROM core.f AS a WHERE EXISTS (SELECT 1 FROM {other} AS x WHERE {self.test('x')});"
        if form == 3:
            return f"DELETE FROM core.f AS a USING {other} AS x WHERE x.t = a.t AND {self.test('x')};"
        if form == 4:
            return f"UPDATE core.f AS a SET v = 'set' WHERE {self.test('a')};"
        one = f"(SELECT x.k, MAX(x.t) AS t FROM {other} AS x WHERE x.k IS NOT NULL GROUP BY x.k)"
        return (
            f"MERGE INTO core.f AS a USING {one} AS x ON a.k = x.k "
            f"WHEN MATCHED AND {self.test('x')} THEN DELETE "
            f"WHEN NOT MATCHED AND {self.test('x')} THEN INSERT (k, t) VALUES (x.k, x.t);"
        )


def above(warehouse: Warehouse, attribute: str) -> set[str]:
    """The attributes that give an attribute its values or decide over it, themselves or over one another."""
    met: set[str] = set()
    pending = [attribute]
    while pending:
        name = pending.pop()
        if name not in met:
            met.add(name)
            try:
                found = warehouse.lineage(name)
            except QuestionError:
                continue
            pending += [*(end.attribute for end in found.golden), *(one.attribute for one in found.indirect)]
    return met


def another(draw: Random, rows: Rows) -> tuple[Rows, str]:
    """The same rows, one cell changed, and the attribute that it is one of."""
    table = draw.choice([one for one in TABLES if rows[one]])
    at, (column, name) = draw.randrange(len(rows[table])), draw.choice(list(enumerate(OTHERS)))
    row = list(rows[table][at])
    row[column] = draw.choice([one for one in OTHERS[name] if one != row[column]])
    some = [*rows[table]]
    some[at] = tuple(row)
    return {**rows, table: some}, f"{table}.{name}".upper()


def columns(made: SqlWarehouse, rows: Rows) -> dict[str, Counter[object]]:
    """The values of each column of the last table and of the view with constants."""
    asked = [f"core.f.{name}" for name in "ktvw"] + ["core.c.v"]
    with executed(made, rows) as database:
        found = {}
        for one in asked:
            entity, _, column = one.rpartition(".")
            found[one] = Counter(value for (value,) in database.execute(f"SELECT {column} FROM {entity}").fetchall())
        return found


def problems(made: SqlWarehouse, draw: Random) -> Iterator[str]:
    """Whatever executed rows say against what decides."""
    rows = {table: rows_for(draw, table, draw.randint(1, 4)) for table in TABLES}
    before = columns(made, rows)
    with loaded(made) as warehouse:
        known = {one: above(warehouse, one) for one in before}
    for _ in range(CHANGES):
        changed, attribute = another(draw, rows)
        after = columns(made, changed)
        for one, values in after.items():
            if values != before[one] and attribute not in known[one]:
                yield f"{attribute} decides over {one}, and is not among {sorted(known[one])}"


@pytest.mark.parametrize("part", range(max(1, int(12 * MORE))))
def test_what_changes_rows_is_told_to_decide(part: int) -> None:
    draw = Random(seed := FIRST + part)
    made = ChangingWriter(draw).warehouse()
    found = next(problems(made, draw), None)
    assert found is None, f"{found}\nseed {seed}\n" + "\n".join(made.files.values())


def test_a_decider_that_is_forgotten_is_noticed() -> None:
    """The law can fail: where the engine is told of no deletion, that one decides is seen."""
    text = "CREATE TABLE core.f AS SELECT k, t, v, w FROM raw.s1;\n"
    view = {"9.sql": "CREATE VIEW core.c AS SELECT 'P' AS v FROM core.f;\n"}
    made = SqlWarehouse({"8.sql": text + "DELETE FROM core.f WHERE t = 'a';", **view}, {})
    told = replace(made, files={"8.sql": text, **view})
    rows = {"raw.s1": [(1, "a", "v", "w")], "raw.s2": [], "raw.s3": []}
    other = {**rows, "raw.s1": [(1, "b", "v", "w")]}
    assert columns(made, rows)["core.f.v"] != columns(made, other)["core.f.v"]
    with loaded(told) as warehouse:
        assert "RAW.S1.T" not in above(warehouse, "core.f.v")
    with loaded(made) as warehouse:
        assert "RAW.S1.T" in above(warehouse, "core.f.v") & above(warehouse, "core.c.v")
