"""The Spark pipeline: the same quads as a load in process, whole or not at all, from where it stopped."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from beside_spark import held, in_process, texts
from places import BANK, CASES
from pyarrow import parquet
from small import Features, small_warehouse
from texts import GOOD, HOSTILE

from mdw import BatchError, InputError, SparkError, StoreError, Warehouse
from mdw.readers.inputs import find
from mdw.spark import pipeline
from mdw.spark.load import facts, parts, tables
from mdw.spark.pipeline import build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of hostile and of random mappings, and of whatever SQL says."""
    folder = tmp_path_factory.mktemp("inputs")
    small = small_warehouse(Random(5), Features(dates=True, cycles=True))
    for name, text, form in (("hostile", HOSTILE, "csv"), ("random", small.text, "parquet")):
        with Warehouse() as warehouse:
            warehouse.load(text).raise_for_errors()
            warehouse.tables(folder / name, form)  # type: ignore[arg-type]
    scripts = tmp_path_factory.mktemp("scripts")
    queries = (CASES / "scanned" / "rows.sql").read_text(encoding="utf-8").strip().split("\n\n")
    for number, query in enumerate(queries):
        (scripts / f"query_{number}.sql").write_text(query, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(scripts, dialect="duckdb").raise_for_errors()
        warehouse.tables(folder / "sql")
    (folder / "more [1] é").mkdir()
    (folder / "more [1] é" / "a b*%41#?.map").write_text(HOSTILE.replace("MAPPING `a", "MAPPING `b"), encoding="utf-8")
    return folder


def test_tables_and_texts_become_the_quads_of_a_plain_load(spark: SparkSession, inputs: Path, tmp_path: Path) -> None:
    stages = []
    manifest = build(spark, [inputs, BANK], tmp_path / "store", progress=lambda stage, _: stages.append(stage))
    assert held(tmp_path / "store") == in_process(inputs, BANK)
    assert manifest.rejects == 0
    assert manifest.mappings == len(in_process_names(inputs, BANK))
    assert {"looking", "reading", "loading"} <= set(stages)
    written = json.loads((tmp_path / "store" / "manifest.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(manifest.to_dict()))
    assert [one["kind"] for one in written["inputs"]].count("tables") == 3
    assert not (tmp_path / "store" / "parts").exists()


def in_process_names(*sources: Path) -> list[str]:
    """The names of the mappings of a plain load."""
    with Warehouse() as warehouse:
        warehouse.load(*sources).raise_for_errors()
        return [mapping.name for mapping in warehouse.mappings()]


def test_rejects_say_why_and_too_many_leave_the_store_alone(spark: SparkSession, tmp_path: Path) -> None:
    store = tmp_path / "store"
    build(spark, [texts(tmp_path / "old", one=GOOD.format("OLD"))], store)
    before = held(store)
    source = texts(
        tmp_path / "new",
        a=GOOD.format("ONE") + "MAPPING bad:\nWHEN POPULATING T FROM\n" + GOOD.format("TWO"),
        b=GOOD.format("TWO") + GOOD.format("THREE"),
        c=GOOD.format("FOUR").encode() + b"\xff\xfe",
    )
    with pytest.raises(InputError, match=r"3 of 6 mappings are rejected: the store was not rebuilt and is what it was"):
        build(spark, [source], store)
    assert held(store) == before
    rejects = parquet.read_table(store / "rejects.parquet").to_pylist()
    assert [Path(row["input"]).name for row in rejects] == ["a.map", "c.map", "b.map"]
    assert [row["mapping"] for row in rejects] == [None, None, "TWO"]
    assert rejects[0]["reason"] == "FROM names no driving entity"
    assert rejects[1]["reason"] == "not UTF-8 text"
    assert rejects[2]["reason"] == f"there is already a mapping TWO, at {source / 'a.map'}:6:9"
    manifest = build(spark, [source], store, rejects=0.5)
    assert (manifest.mappings, manifest.rejects) == (3, 3)
    assert held(store) == in_process(source)


def test_a_run_that_failed_goes_on_where_it_stopped(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, source = tmp_path / "store", texts(tmp_path / "in", a=GOOD.format("ONE"), b=GOOD.format("TWO"))

    def full(*_: object, **__: object) -> int:
        raise StoreError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pipeline.Growing, "finish", full)
        with pytest.raises(StoreError, match="no space left"):
            build(spark, [source], store)
    assert held(store) == []
    (folder,) = (store / "parts").iterdir()
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert before
    (store / "parts" / "of another input").mkdir()
    (folder / "texts-00007.99.draft").write_bytes(b"GRAPH <half a part")
    (folder / "texts-00007.trig").write_bytes(b"GRAPH <no index tells what is in it")

    def unread(*_: object) -> None:
        raise AssertionError("a part that is there was read again")

    monkeypatch.setattr(parts, "_write", unread)
    assert build(spark, [source], store).mappings == 2
    assert held(store) == in_process(source)


def test_a_store_stays_in_service_and_is_written_to_no_more(spark: SparkSession, tmp_path: Path) -> None:
    store, source = tmp_path / "store", texts(tmp_path / "in", a=GOOD.format("ONE"))
    with Warehouse(store) as old:
        old.load(GOOD.format("OLD"))
        build(spark, [source], store)
        assert [mapping.name for mapping in old.mappings()] == ["OLD"]
        assert [end.attribute for end in old.lineage("T.A").golden] == ["S.OLD"]
        with pytest.raises(StoreError, match="has been rebuilt meanwhile: open it again"):
            old.load(GOOD.format("LOST"))
    assert held(store) == in_process(source)


def test_what_is_not_there_or_not_whole_is_said_before_anything_is_read(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(BatchError, match="no such file or folder"):
        build(spark, [tmp_path / "nothing"], tmp_path / "store")
    with Warehouse() as warehouse:
        warehouse.load(GOOD.format("ONE"))
        warehouse.tables(tmp_path / "tables")
    path = tmp_path / "tables" / "navigation.parquet"
    none = parquet.read_table(path)
    assert not len(none)
    parquet.write_table(none.drop_columns(["from_entity_id"]), path)
    with pytest.raises(InputError, match="the table navigation has no column from_entity_id"):
        build(spark, [tmp_path / "tables"], tmp_path / "store")
    parquet.write_table(none, path)
    path = tmp_path / "tables" / "with_clause.parquet"
    whole = parquet.read_table(path)
    parquet.write_table(whole.drop_columns(["with_id"]), path)
    with pytest.raises(InputError, match="the table with_clause has no column with_id"):
        build(spark, [tmp_path / "tables"], tmp_path / "store")
    path.unlink()
    with pytest.raises(InputError, match="the table with_clause cannot be read"):
        build(spark, [tmp_path / "tables"], tmp_path / "store")
    path.write_bytes(b"PAR1 half a file")
    with pytest.raises((InputError, SparkError)):
        build(spark, [tmp_path / "tables"], tmp_path / "store")
    assert held(tmp_path / "store") == []


def test_nonsense_in_tables_is_rejected_row_by_row(spark: SparkSession, tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(*(GOOD.format(name) for name in ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX")))
        warehouse.tables(tmp_path / "tables", "csv")
        kept = in_process(GOOD.format("SIX"))
    change = {
        "entity_attribute_population": [('"ONE",1,"T.A"', '"ONE",1,"T.Z"'), ('"TWO",1,', '"TWO",first,')],
        "expression_component": [('"THREE",1,1,2,1,', '"THREE",1,1,2,7,'), ('"FOUR",1,1,2,1,', '"FOUR",1,1,2,2,')],
        "with_clause": [('"FIVE",1,1,', '"FIVE",1,,')],
    }
    for table, changes in change.items():
        path = tmp_path / "tables" / f"{table}.csv"
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert text.count(old) == 1, (table, old, text)
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    manifest = build(spark, [tmp_path / "tables"], tmp_path / "store", rejects=0.9)
    assert (manifest.mappings, manifest.rejects) == (1, 5)
    assert held(tmp_path / "store") == kept
    reasons = parquet.read_table(tmp_path / "store" / "rejects.parquet")["reason"].to_pylist()
    for said in (
        "mapping ONE: T.Z is not in the table attribute",
        "mapping TWO: entity_attribute_population: population_id is first, no whole number",
        "mapping THREE: component 2 of the expression of clause 1 of population 1 hangs below component 7",
        "mapping FOUR: components 2 of the expression of clause 1 of population 1 hang below one another in a circle",
        "mapping FIVE: with_clause: with_id is empty",
    ):
        assert any(said in reason for reason in reasons), "\n".join([said, *reasons])


def test_paths_are_those_of_the_caller_wherever_spark_was_started(
    spark: SparkSession, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(inputs)
    build(spark, ["random", "more [1] é"], Path("..") / tmp_path.name)
    assert held(inputs / ".." / tmp_path.name) == in_process("random", "more [1] é")


@pytest.mark.parametrize(("kind", "by_arrow"), [(pa.int32(), True), (pa.int64(), True), (pa.float64(), False)])
def test_arrow_reads_what_it_reads_as_spark_does_and_spark_the_rest(
    kind: pa.DataType, by_arrow: bool, spark: SparkSession, tmp_path: Path
) -> None:
    with Warehouse() as warehouse:
        warehouse.load(GOOD.format("ONE"), GOOD.format("TWO")).raise_for_errors()
        warehouse.tables(tmp_path / "tables")
    path = tmp_path / "tables" / "with_clause.parquet"
    found = parquet.read_table(path)
    numbers = found["with_id"].cast(kind)
    parquet.write_table(found.set_column(2, "with_id", numbers), path, row_group_size=1)
    (one,), _ = find([tmp_path / "tables"])
    rows = tables.read(spark, one)["with_clause"]
    assert (len(rows.parts), rows.frame is None) == ((1, True) if by_arrow else (0, False))
    build(spark, [tmp_path / "tables"], tmp_path / "store")
    assert held(tmp_path / "store") == in_process(GOOD.format("ONE"), GOOD.format("TWO"))


def test_tables_without_rows_take_no_part_but_must_have_their_columns(spark: SparkSession, tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load("MAPPING m: WHEN POPULATING T FROM S\nPOPULATE T.A WITH S.X").raise_for_errors()
        warehouse.tables(tmp_path)
    (one,), _ = find([tmp_path])
    found = tables.read(spark, one)
    assert "with_clause" in found and "navigation" not in found
    bundles = facts.bundles(spark, found, 1).toArrow().to_batches()
    ((mapping,),) = facts.facts(iter(bundles), {})
    assert mapping[0] == "m" and len(mapping[1]) == 5
    navigation = parquet.read_table(tmp_path / "navigation.parquet").drop_columns(["to_entity_id"])
    parquet.write_table(navigation, tmp_path / "navigation.parquet")
    with pytest.raises(InputError, match="the table navigation has no column to_entity_id"):
        tables.read(spark, one)


def test_bytes_that_are_no_text_cost_their_mapping_alone(spark: SparkSession, tmp_path: Path) -> None:
    """Parquet says that a column is text, and nobody holds it to that."""
    with Warehouse() as warehouse:
        warehouse.load(GOOD.format("ONE"), GOOD.format("TWO")).raise_for_errors()
        warehouse.tables(tmp_path / "tables")
    path = tmp_path / "tables" / "entity_mapping.parquet"
    found = parquet.read_table(path)
    names = [b"\xff" if one == "ONE" else None for one in found["mapping_id"].to_pylist()]
    lying = pa.array(names, pa.binary()).view(pa.string())
    parquet.write_table(found.set_column(1, "name", lying), path)
    manifest = build(spark, [tmp_path / "tables"], tmp_path / "store", rejects=0.9)
    assert (manifest.mappings, manifest.rejects) == (1, 1)
    reasons = parquet.read_table(tmp_path / "store" / "rejects.parquet")["reason"].to_pylist()
    assert any("mapping ONE: entity_mapping: name is no UTF-8 text" in one for one in reasons), reasons


def two(folder: Path, form: str = "parquet") -> Path:
    """Tables of the mappings ONE and TWO."""
    with Warehouse() as warehouse:
        warehouse.load(GOOD.format("ONE"), GOOD.format("TWO")).raise_for_errors()
        warehouse.tables(folder, form)  # type: ignore[arg-type]
    return folder


def rejected(spark: SparkSession, source: Path, store: Path) -> list[str]:
    """Why mappings of tables are rejected of which some are good."""
    build(spark, [source], store, rejects=0.9)
    found: list[str] = parquet.read_table(store / "rejects.parquet")["reason"].to_pylist()
    return found


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (pa.float64(), 1.5, "1.5, no whole number"),
        (pa.float64(), float("nan"), "NaN, no whole number"),
        (pa.decimal128(12, 2), "1.50", "1.50, no whole number"),
        (pa.float64(), 1e12, "1.0E12, no whole number"),
        (pa.int64(), 1 << 40, "1099511627776, too large"),
    ],
)
def test_a_number_that_is_not_whole_costs_its_mapping(
    kind: pa.DataType, value: object, said: str, spark: SparkSession, tmp_path: Path
) -> None:
    path = two(tmp_path / "tables") / "expression_component.parquet"
    found = parquet.read_table(path)
    numbers = found["component_id"].cast(kind).to_pylist()
    numbers[0] = Decimal(value) if isinstance(value, str) else value
    parquet.write_table(found.set_column(3, "component_id", pa.array(numbers, kind)), path)
    (reason,) = rejected(spark, tmp_path / "tables", tmp_path / "store")
    assert reason.endswith(f"mapping ONE: expression_component: component_id is {said}")


def test_a_column_of_lists_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    path = two(tmp_path / "tables") / "expression_component.parquet"
    found = parquet.read_table(path)
    places = pa.array([[one] for one in found["place"].to_pylist()])
    at = found.schema.get_field_index("place")
    parquet.write_table(found.set_column(at, "place", places), path)
    with pytest.raises(InputError, match="expression_component: column place holds array<string>, not text"):
        build(spark, [tmp_path / "tables"], tmp_path / "store")


def test_csv_is_read_as_it_is_written(spark: SparkSession, tmp_path: Path) -> None:
    """Characters that mean something elsewhere, and bytes that are no text."""
    text = "MAPPING nul:\nWHEN POPULATING T FROM S\nPOPULATE T.A WITH \"a\0b''c\""
    with Warehouse() as warehouse:
        warehouse.load(text, GOOD.format("ONE")).raise_for_errors()
        warehouse.tables(tmp_path / "tables", "csv")
    build(spark, [tmp_path / "tables"], tmp_path / "store")
    assert held(tmp_path / "store") == in_process(text, GOOD.format("ONE"))
    path = tmp_path / "tables" / "entity_mapping.csv"
    path.write_bytes(path.read_bytes().replace(b'"ONE",', b'"ONE\xe9",', 1))
    reasons = rejected(spark, tmp_path / "tables", tmp_path / "store")
    assert any(one.endswith("entity_mapping: mapping_id is no UTF-8 text") for one in reasons), reasons


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_file_that_changes_meanwhile_is_named(
    form: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = two(tmp_path / "tables", form) / f"with_clause.{form}"

    def changing(*given: Any) -> dict[str, tables.TableRows]:
        found = tables.read(*given)
        path.write_bytes(path.read_bytes() + b"\n")
        return found

    monkeypatch.setattr(pipeline, "read", changing)
    with pytest.raises(SparkError, match=rf"with_clause\.{form} cannot be read: it was changed since"):
        build(spark, [tmp_path / "tables"], tmp_path / "store")
