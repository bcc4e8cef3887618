"""The mapping model as tables: store to tables to store is identity, and tables that say nonsense are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from graphs import quads
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from pyarrow import csv, parquet
from small import Features, small_warehouse
from texts import HOSTILE
from whole import whole_mapping

from mdw import OutputError, Warehouse
from mdw.language.unparse import unparse
from mdw.model.tree import Node
from mdw.readers.tables.schema import BY_NAME, TABLES, TableSchema


def returned(source: str | Path, folder: Path, form: str) -> tuple[list[bytes], list[bytes]]:
    """The quads of a source, and those that come back through tables."""
    with Warehouse() as before, Warehouse() as after:
        before.load(source).raise_for_errors()
        before.tables(folder, form)  # type: ignore[arg-type]
        after.load(folder).raise_for_errors()
        return quads(before), quads(after)


@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize("source", [ROOT / "data" / "bank", HOSTILE], ids=["bank", "hostile"])
def test_store_to_tables_to_store_is_identity(source: str | Path, form: str, tmp_path: Path) -> None:
    before, after = returned(source, tmp_path / "tables", form)
    assert len(before) > 100
    assert after == before


@given(st.integers(0, 1 << 32), st.sampled_from(["parquet", "csv"]))
@settings(max_examples=25)
def test_any_warehouse_comes_back(tmp_path_factory: pytest.TempPathFactory, seed: int, form: str) -> None:
    small = small_warehouse(Random(seed), Features(dates=True, cycles=True))
    before, after = returned(small.text, tmp_path_factory.mktemp("tables"), form)
    assert after == before


@given(st.integers(0, 1 << 32), st.sampled_from(["parquet", "csv"]))
@settings(max_examples=15)
def test_whatever_the_language_says_comes_back(tmp_path_factory: pytest.TempPathFactory, seed: int, form: str) -> None:
    draw = Random(seed)
    trees = [whole_mapping(draw) for _ in range(6)]
    parts = [[child for child in tree.children if child.role != "name"] for tree in trees]
    named = [Node("mapping", "", (Node("name", f"m{n}"), *some)) for n, some in enumerate(parts)]
    before, after = returned("\n".join(map(unparse, named)), tmp_path_factory.mktemp("tables"), form)
    assert after == before


ROLES = """MAPPING one:
WHEN POPULATING T FROM S AS child
POPULATE T.A WITH parent.NAME || child.NAME
NAVIGATE FROM S TO R USING child.K = R.K
LEFT JOIN S AS parent ON parent.ID = child.PARENT AND parent.K = R.K
GROUP BY child.NAME, parent.NAME
"""


def test_attributes_of_roles_are_those_of_their_entities(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROLES).raise_for_errors()
        warehouse.tables(tmp_path)
    rows = {table.name: parquet.read_table(tmp_path / f"{table.name}.parquet").to_pylist() for table in TABLES}
    assert sorted(row["attribute_id"] for row in rows["attribute"]) == [
        *["R.K", "S.ID", "S.K", "S.NAME", "S.PARENT", "T.A"]
    ]
    assert [row["entity_id"] for row in rows["entity"]] == ["T", "S", "R"]
    assert [(row["navigation_id"], row["to_entity_id"]) for row in rows["navigation"]] == [(1, "R")]
    assert [(row["clause_id"], row["kind"], row["entity_id"], row["role"]) for row in rows["join"]] == [
        (2, "LEFT JOIN", "S", "parent")
    ]
    assert [(row["clause_id"], row["role"], row["text"]) for row in rows["row_clause"]] == [
        (3, "grouping", "GROUP BY child.NAME, parent.NAME"),
        (4, "role", "child"),
    ]


def test_tables_that_few_mappings_need_may_be_missing(tmp_path: Path) -> None:
    with Warehouse() as before, Warehouse() as after:
        before.load(TEXT).raise_for_errors()
        before.tables(tmp_path)
        for name in ("join", "row_clause", "row_component"):
            (tmp_path / f"{name}.parquet").unlink()
        after.load(tmp_path).raise_for_errors()
        assert quads(after) == quads(before)


def test_what_others_write_needs_neither_places_nor_spellings(tmp_path: Path) -> None:
    """Only the columns that are not optional, whole numbers of any width, rows in any order."""
    with Warehouse() as before, Warehouse() as after:
        before.load(ROOT / "data" / "bank").raise_for_errors()
        before.tables(tmp_path)
        for table in TABLES:
            path = tmp_path / f"{table.name}.parquet"
            found = parquet.read_table(path)
            kept = {"population_id", "with_id", "parent_id", "attribute_id", "content", "name"}
            names = [column.name for column in table.columns if not column.optional or column.name in kept]
            columns = [
                found[name].cast(pa.int64()) if found[name].type == pa.int32() else found[name] for name in names
            ]
            parquet.write_table(
                pa.table(columns, names=names).take(pa.array(range(len(found))[::-1], pa.int64())), path
            )
        after.load(tmp_path).raise_for_errors()
        asked = "MART.GROUP_CUSTOMER.CUSTOMER_NAME"
        golden = [end.attribute for end in before.lineage(asked, when='REGION = "EU"').golden]
        assert [end.attribute for end in after.lineage(asked, when='REGION = "EU"').golden] == golden
        assert len(after.mappings()) == len(before.mappings())


TEXT = """
MAPPING one:
WHEN POPULATING T FROM S
POPULATE T.A WITH S.A + 1 IF S.B = 2 AND S.C = 3
MAPPING two:
WHEN POPULATING T FROM S
POPULATE T.A WITH S.A
"""


def broken(change: Callable[[dict[str, list[dict[str, object]]]], object], folder: Path) -> list[str]:
    """The errors of loading tables after a change; whatever else the tables hold is loaded."""
    with Warehouse() as warehouse:
        warehouse.load(TEXT).raise_for_errors()
        warehouse.tables(folder)
    rows = {table.name: parquet.read_table(folder / f"{table.name}.parquet").to_pylist() for table in TABLES}
    change(rows)
    for name, some in rows.items():
        schema = parquet.read_schema(folder / f"{name}.parquet")
        parquet.write_table(pa.Table.from_pylist(some, schema=schema), folder / f"{name}.parquet")
    with Warehouse() as warehouse:
        report = warehouse.load(folder)
        assert "two" in [mapping.name for mapping in warehouse.mappings()]
    return [str(error) for error in report.errors]


def _set(rows: dict[str, list[dict[str, object]]], table: str, row: int, **values: object) -> None:
    rows[table][row] |= values


def clause(rows: dict[str, list[dict[str, object]]], number: int, role: str) -> None:
    """Add a clause of one number."""
    rows["row_clause"].append({"mapping_id": "one", "clause_id": number, "role": role})
    for component, parent, name, content in ((1, None, role, None), (2, 1, "value", "5")):
        ids = {"mapping_id": "one", "clause_id": number, "component_id": component, "parent_id": parent}
        rows["row_component"].append({**ids, "ordinal": 1, "role": name, "content": content})


NONSENSE: dict[str, tuple[Callable[[dict[str, list[dict[str, object]]]], object], str]] = {
    "a dangling attribute": (
        lambda rows: _set(rows, "entity_attribute_population", 0, attribute_id="T.Z"),
        "mapping one: T.Z is not in the table attribute",
    ),
    "a dangling entity": (
        lambda rows: _set(rows, "entity_mapping", 0, driving_entity_id="Z"),
        "mapping one: Z is not in the table entity",
    ),
    "a population of no mapping": (
        lambda rows: rows["entity_mapping"].pop(0),
        "mapping one: it is not in the table entity_mapping",
    ),
    "a population without a clause": (
        lambda rows: rows["with_clause"].pop(0),
        "mapping one: population 1 has no row in the table with_clause",
    ),
    "a clause without an expression": (
        lambda rows: rows["expression_component"].__delitem__(slice(0, 6)),
        "mapping one: the expression of clause 1 of population 1 is missing",
    ),
    "a component below one that is not there": (
        lambda rows: _set(rows, "condition_component", 3, parent_id=77),
        "component 4 of the condition of clause 1 of population 1 hangs below component 77, which is not there",
    ),
    "components in a circle": (
        lambda rows: _set(rows, "condition_component", 2, parent_id=4),
        "hang below one another in a circle",
    ),
    "two topmost components": (
        lambda rows: _set(rows, "condition_component", 2, parent_id=None),
        "the condition of clause 1 of population 1 has 2 topmost components",
    ),
    "a condition of no clause": (
        lambda rows: [row.update(with_id=5) for row in rows["condition_component"]],
        "component 1 of the condition of clause 5 of population 1 belongs to nothing",
    ),
    "a number twice": (
        lambda rows: _set(rows, "expression_component", 2, component_id=2),
        "the expression of clause 1 of population 1 has two components of the same number",
    ),
    "a population twice": (
        lambda rows: rows["entity_attribute_population"].append(rows["entity_attribute_population"][0]),
        "mapping one: population 1 is there twice",
    ),
    "a mapping twice": (
        lambda rows: rows["entity_mapping"].append(rows["entity_mapping"][0]),
        "mapping one: it is in the table entity_mapping twice",
    ),
    "a role nobody knows": (
        lambda rows: _set(rows, "expression_component", 1, role="power", content="power"),
        "mapping one: the mapping language has no expression made of",
    ),
    "a role that only facts of this program have": (
        lambda rows: _set(rows, "expression_component", 1, role="copy", content="copy"),
        "mapping one: the mapping language has no expression made of",
    ),
    "a value that is no number": (
        lambda rows: _set(rows, "expression_component", 5, content="one"),
        "mapping one: one is no value",
    ),
    "an attribute spelled as another": (
        lambda rows: _set(rows, "expression_component", 3, content="S.B"),
        "is written S.B, which does not mean S.A",
    ),
    "an attribute of an entity that is not joined": (
        lambda rows: [
            rows["entity"].append({"entity_id": "X", "name": "X"}),
            rows["attribute"].append({"attribute_id": "X.A", "entity_id": "X", "name": "A"}),
            _set(rows, "expression_component", 3, attribute_id="X.A"),
        ],
        "mapping one: X is not joined",
    ),
    "a place that is none": (
        lambda rows: _set(rows, "entity_attribute_population", 0, place="top"),
        "population 1 is at top, which is no line:column",
    ),
    "a place of more digits than Python makes a number of": (
        lambda rows: _set(rows, "entity_attribute_population", 0, place=f"{'9' * 5_000}:1"),
        "is at " + "9" * 40 + "…, which is no line:column",
    ),
    "a join of a kind that is none": (
        lambda rows: rows["join"].append({"mapping_id": "one", "clause_id": 1, "kind": "SIDE JOIN", "entity_id": "S"}),
        "mapping one: the mapping language has no join made of: SIDE JOIN entity",
    ),
    "a clause without components": (
        lambda rows: rows["row_clause"].append({"mapping_id": "one", "clause_id": 1, "role": "limit"}),
        "mapping one: clause 1 of rows is missing",
    ),
    "a clause that is another": (
        lambda rows: [clause(rows, 1, "limit"), _set(rows, "row_clause", 0, role="ordering")],
        "mapping one: clause 1 is no ordering but made of limit",
    ),
    "a clause that no mapping has": (
        lambda rows: clause(rows, 1, "sum"),
        "mapping one: clause 1 of rows is called sum, as none is",
    ),
    "a clause that has tables of its own": (
        lambda rows: clause(rows, 1, "population"),
        "mapping one: clause 1 of rows is called population, as none is",
    ),
    "clauses in the wrong order": (
        lambda rows: [clause(rows, 1, "limit"), clause(rows, 2, "ordering")],
        "mapping one: its clauses do not stand in order: name, population, limit, ordering",
    ),
    "a role that is named but not read": (
        lambda rows: _set(rows, "expression_component", 3, content="child.A"),
        "is written child.A, which does not mean S.A",
    ),
    "a header that names another": (
        lambda rows: _set(rows, "entity_mapping", 0, name="three"),
        "mapping one: its header says three",
    ),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_costs_its_own_mapping_only(name: str, tmp_path: Path) -> None:
    change, message = NONSENSE[name]
    (error,) = broken(change, tmp_path)
    assert message in error
    assert error.startswith(str(tmp_path))


def loaded(folder: Path) -> str:
    """The one error of loading a folder."""
    with Warehouse() as warehouse:
        (error,) = warehouse.load(folder).errors
        assert not warehouse.mappings()
    return str(error)


def test_missing_tables_columns_and_types_are_named(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(TEXT)
        warehouse.tables(tmp_path)
    path = tmp_path / "with_clause.parquet"
    whole = parquet.read_table(path)
    parquet.write_table(whole.drop_columns(["with_id"]), path)
    assert f"{path} has no column with_id" in loaded(tmp_path)
    parquet.write_table(whole.set_column(2, "with_id", pa.array(["first", "second"])), path)
    assert f"{path}: column with_id holds string, not whole numbers" in loaded(tmp_path)
    parquet.write_table(whole.set_column(2, "with_id", pa.array([1, None])), path)
    assert f"{path}: column with_id is empty in row 2" in loaded(tmp_path)
    path.write_bytes(b"PAR1 and no more")
    assert f"{path} cannot be read" in loaded(tmp_path)
    path.unlink()
    assert f"{path} is missing" in loaded(tmp_path)


def test_csv_that_is_not_utf8_or_has_a_word_for_a_number(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(TEXT)
        warehouse.tables(tmp_path, "csv")
    path = tmp_path / "with_clause.csv"
    text = path.read_bytes()
    path.write_bytes(text.replace(b"S.A + 1", b"\xff"))
    assert f"{path} cannot be read" in loaded(tmp_path)
    path.write_bytes(text.replace(b",1,1,", b",first,1,"))
    assert f"{path} cannot be read" in loaded(tmp_path)


def test_tables_replace_what_was_there_and_refuse_what_is_no_folder(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(TEXT)
        assert warehouse.tables(tmp_path, "csv")["entity_mapping"] == 2
        warehouse.remove("one")
        assert warehouse.tables(tmp_path, "csv")["entity_mapping"] == 1
        assert len(csv.read_csv(tmp_path / "entity_mapping.csv")) == 1
        assert {path.name for path in tmp_path.iterdir()} == {f"{table.name}.csv" for table in TABLES}
        (tmp_path / "file").write_text("")
        with pytest.raises(OutputError, match="tables cannot be written to"):
            warehouse.tables(tmp_path / "file")


def test_references_lead_to_keys() -> None:
    for table in TABLES:
        for column in table.columns:
            assert not column.refers or BY_NAME[column.refers].key == 1
        for whole in table.part_of.split(" or ") if table.part_of else ():
            assert BY_NAME[whole].keys in (table.keys[: BY_NAME[whole].key], ("mapping_id",))


INTRODUCTION = """\
# Mappings as tables

The conceptual mapping model as relational tables, for exchange with whatever writes or reads tables:
`mdw export --format tables` and `Warehouse.tables` write a folder of them, a Parquet or CSV file for each table,
and `mdw load` reads such a folder. Store to tables to store gives the same quads. In CSV an empty field is NULL.
Texts that a spreadsheet would take for formulas (they begin with `= + - @`, a tab or a carriage return and are no
numbers) have an apostrophe in front there; a last column, `apostrophe`, says "yes" of their rows, whose other texts
that begin with an apostrophe have one more, too. `mdw load` and `mdw spark-load` take it off; whoever writes such
tables needs neither.

In a database every name has `mdw_` before it, since some are reserved words there; text columns are its text and
integer columns its integers. `mdw export --format tables --output jdbc:postgresql://host/name?user=…` makes tables
that are missing and replaces the rows of all in one transaction: whoever reads meanwhile sees the old rows, and if
anything fails they stay. Rows are first written to tables `mdw_draft_…`, which go with that transaction.
`mdw spark-load jdbc:…` reads them.

Identifiers are names as `mdw` compares them: upper case, with whatever is no plain name in back quotes. A
component is a node of the parse tree of an expression or condition (`mdw tree MAPPING` shows one), its children in
order; an operator is the first child of what it joins. Optional columns may be NULL or missing.
"""


def page() -> str:
    """`data/tables.md`: every table and column as the schema has them."""
    lines = INTRODUCTION.splitlines()
    for table in TABLES:
        lines += ["", f"## {table.name}", "", f"{table.meaning[0].upper()}{table.meaning[1:]}.", *_part(table), ""]
        lines += ["| column | type | |", "|---|---|---|"]
        for number, column in enumerate(table.columns):
            kind = column.type + (", key" if number < table.key else ", optional" if column.optional else "")
            refers = f" → {column.refers}" if column.refers and column.refers != table.name else ""
            lines.append(f"| `{column.name}` | {kind} | {column.meaning}{refers} |")
    return "\n".join(lines) + "\n"


def _part(table: TableSchema) -> list[str]:
    return [f"A part of a row of {table.part_of}."] if table.part_of else []


def test_the_page_about_tables_is_up_to_date(accept: bool) -> None:
    path = ROOT / "data" / "tables.md"
    if accept:
        path.write_text(page(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page()
