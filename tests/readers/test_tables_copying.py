"""Facts of populations that copy become one: whatever tables hold, trees and errors are those without that."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyarrow import parquet
from small import Features, small_warehouse
from texts import HOSTILE

from mdw import InputError, Warehouse
from mdw.readers.tables import copying, stating
from mdw.readers.tables.build import NamedTree, trees
from mdw.readers.tables.schema import TABLES
from mdw.readers.tables.stating import PROBLEM

Tables = dict[str, pa.Table]
STATING = {table.name: table for table in TABLES if table.facts}
COPIES = "\n".join(
    f"MAPPING copies_{name}: WHEN POPULATING {name} FROM S.`a b`\n"
    + "\n".join(f"POPULATE {name}.A{number} WITH S.`a b`.{'b' if number % 3 else 'B'}{number}" for number in range(9))
    for name in "KLM"
)
CLAUSES = """
MAPPING clauses: WHEN POPULATING T FROM S AS o POPULATE T.A WITH o.X POPULATE T.B WITH MAX(p.Y) IF o.K = 1 WITH 5
SELECT ROWS WHERE o.Z = 1 LEFT JOIN S AS p ON p.ID = o.PARENT AND p.K > 3
GROUP BY o.X HAVING MAX(p.Y) > 3 ORDER BY o.X LIMIT 5
"""
ODD = ("3:x", "3:4 ", "1" * 50 + ":1", "k.a1", "`K`.A1", "K.A1\n", "K..A1", "\u212a.A1", "", "sum")
CHANGES = ("dropped", "doubled", "number", "text", "nothing", "problem")


def apart(found: pa.Table, order: pa.Array) -> pa.Table:
    """The facts as they are, none of which becomes one with others."""
    taken = found.take(order)
    for name in copying.SOURCE.values():
        taken = taken.append_column(name, pa.nulls(len(taken), pa.string()))
    return taken


def made(tables: Tables) -> list[NamedTree | tuple[str, str, object]]:
    """The trees of tables, and what their errors say."""
    rows = stating.of_mappings(stating.facts(tables, {}))
    return [
        (item.message, item.hint, item.location) if isinstance(item, InputError) else item
        for some in trees(rows, "t")
        for item in some
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Tables of mappings by hand and at random."""
    folder = tmp_path_factory.mktemp("tables")
    small = small_warehouse(Random(7), Features(dates=True, cycles=True))
    with Warehouse() as warehouse:
        warehouse.load(HOSTILE, small.text, COPIES, CLAUSES).raise_for_errors()
        warehouse.tables(folder)
    return {name: parquet.read_table(folder / f"{name}.parquet") for name in STATING}


def changed(tables: Tables, draw: Random) -> Iterator[tuple[str, Tables]]:
    """The same tables with one row, or one value of it, another."""
    for change in CHANGES:
        others = [name for name, found in tables.items() if len(found)]
        name = draw.choice(("entity_attribute_population", "with_clause", "expression_component", *others))
        found = tables[name]
        at = draw.randrange(len(found))
        fitting = [one for one in STATING[name].columns if (one.type == "integer") is (change == "number")]
        column = draw.choice(fitting or STATING[name].columns)
        rows = found.to_pylist()
        if change == "dropped":
            del rows[at]
        elif change == "doubled":
            rows.append(rows[at])
        elif change == "problem":
            found = found.append_column(PROBLEM, pa.nulls(len(found), pa.string()))
            rows[at] = {**rows[at], PROBLEM: "wrong in itself"}
        elif change == "nothing":
            optional = [one.name for one in STATING[name].columns if one.optional]
            rows[at] = {**rows[at], draw.choice(optional or ["mapping_id"]): None}
        else:
            others = [row[column.name] for row in rows if row[column.name] is not None] or [1]
            value = draw.choice([0, 2, 3, -1, 1 << 30] if column.type == "integer" else [*others, *ODD])
            rows[at] = {**rows[at], column.name: value}
        schema = pa.schema([field.with_nullable(True) for field in found.schema])
        yield f"{change} {name} {at} {column.name}", {**tables, name: pa.Table.from_pylist(rows, schema)}


def test_most_populations_are_one_fact(whole: Tables) -> None:
    found = stating.facts(whole, {})
    kinds = [pc.sum(pc.equal(found["role"], kind)).as_py() for kind in (copying.COPY, copying.PLAIN_COPY)]
    copies = sum(kinds)
    assert copies > len(whole["entity_attribute_population"]) / 2
    assert all(kinds)
    assert len(found) == len(stating_apart(whole)) - 3 * copies


def stating_apart(tables: Tables) -> pa.Table:
    """The facts without copies."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stating, "with_copies", apart)
        return stating.facts(tables, {})


@pytest.mark.parametrize("seed", range(40))
def test_trees_and_errors_are_those_of_all_facts(seed: int, whole: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Random(seed)
    for said, tables in chain([("as they are", whole)] if not seed else [], changed(whole, draw)):
        shuffled = {}
        for name, found in tables.items():
            order = list(range(len(found)))
            draw.shuffle(order)
            shuffled[name] = found.take(pa.array(order, pa.int64()))
        together = made(shuffled)
        with monkeypatch.context() as patch:
            patch.setattr(stating, "with_copies", apart)
            assert made(shuffled) == together, said
