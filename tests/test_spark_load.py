"""The Spark pipeline: the same quads as a load in process, whole or not at all, from where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet
from small import Features, small_warehouse
from test_tables import HOSTILE, quads

from mdw import InputError, Warehouse
from mdw.spark.pipeline import build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
ROOT = Path(__file__).parents[1]
BANK = ROOT / "data" / "bank"
GOOD = "MAPPING {0}:\nWHEN POPULATING T FROM S\nPOPULATE T.A WITH S.{0}\n"


def in_process(*sources: str | Path) -> list[bytes]:
    """The quads of a plain load."""
    with Warehouse() as warehouse:
        warehouse.load(*sources)
        warehouse.query("ASK {}")
        return quads(warehouse)


def held(store: Path) -> list[bytes]:
    """The quads of a store on disk."""
    with Warehouse(store, create=False) as warehouse:
        warehouse.query("ASK {}")
        return quads(warehouse)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of hostile and of random mappings."""
    folder = tmp_path_factory.mktemp("inputs")
    small = small_warehouse(Random(5), Features(dates=True, cycles=True))
    for name, text, form in (("hostile", HOSTILE, "csv"), ("random", small.text, "parquet")):
        with Warehouse() as warehouse:
            warehouse.load(text).raise_for_errors()
            warehouse.tables(folder / name, form)  # type: ignore[arg-type]
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
    assert [one["kind"] for one in written["inputs"]].count("tables") == 2
    assert not (tmp_path / "store" / "parts").exists()


def in_process_names(*sources: Path) -> list[str]:
    """The names of the mappings of a plain load."""
    with Warehouse() as warehouse:
        warehouse.load(*sources).raise_for_errors()
        return [mapping.name for mapping in warehouse.mappings()]


def texts(folder: Path, **files: str | bytes) -> Path:
    """A folder of mapping files."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.map").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


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
