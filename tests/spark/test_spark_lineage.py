"""The lineage of all attributes on Spark: what one process finds, in files that read back as DataFrames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from beside_spark import Found, alone
from generator import Shape
from generator import warehouse as generated
from places import BANK
from small import Features, small_warehouse

from mdw import OutputError, QuestionError, SparkError, StoreError, Warehouse
from mdw.cli import run
from mdw.cli.demo import load_bank
from mdw.model.rules import Mode, Policy
from mdw.rdf.vocabulary import mapping_iri
from mdw.spark import frames
from mdw.spark.lineage import origins, shares
from mdw.store import doubts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
NAME = "MART.GROUP_CUSTOMER.CUSTOMER_NAME"
FEW = """
MAPPING one: WHEN POPULATING B FROM A POPULATE B.V WITH A.V POPULATE B.R WITH "EU"
MAPPING two: WHEN POPULATING C FROM B POPULATE C.V WITH B.V SELECT ROWS WHERE B.R = "US"
"""


STARS = {
    "v.sql": "CREATE VIEW core.v AS SELECT * FROM raw.t",
    "w.sql": "CREATE VIEW mart.w AS WITH c AS (SELECT x, z FROM core.v WHERE k = 1) SELECT x AS y, z FROM c",
}


@pytest.fixture(scope="module")
def bank() -> Iterator[Warehouse]:
    with Warehouse() as warehouse:
        load_bank(warehouse)
        yield warehouse


@pytest.fixture(scope="module")
def found_alone(bank: Warehouse) -> Callable[..., Found]:
    """What one process finds in the bank, under the switches that are given."""

    @cache
    def found(**switches: Any) -> Found:
        return alone(list(bank.lineage_all(**switches)))

    return found


@pytest.fixture
def few() -> Iterator[Warehouse]:
    """Rules that leave a source out, so that active and passive results differ."""
    with Warehouse() as warehouse:
        warehouse.load(FEW).raise_for_errors()
        yield warehouse


def together(spark: SparkSession, folder: Path) -> Found:
    """The same from the files."""
    found: Found = {}
    rows = frames.origins(spark, folder).collect()
    for row in rows:
        found.setdefault(row["attribute"], set()).add(tuple(row)[1:])
    assert sum(map(len, found.values())) == len(rows), "no row comes twice"
    return found


def test_what_is_not_believed_is_noted(spark: SparkSession, few: Warehouse, tmp_path: Path) -> None:
    doubts.mark(few._store, [mapping_iri("two")])
    traced = few.spark_lineage(spark, tmp_path / "all")
    (note,) = traced.notes
    assert note.startswith("two: ")
    assert json.loads((tmp_path / "all" / origins.MANIFEST).read_text())["notes"] == [note]


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_statements_not_read_are_told(spark: SparkSession, tmp_path: Path, mode: Mode) -> None:
    """Each attribute they may bring values to is marked (Q39); what they let through is told of each alone."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "a.sql").write_text("INSERT INTO t (a) SELECT a FROM s;\nINSERT INTO z (a) SELECT a FROM s;\n")
    (scripts / "b.sql").write_text("INSERT INTO t (a) SELCT a FROM r;\nCREATE VIEW v AS SELECT a FROM t;\n")
    with Warehouse() as warehouse:
        warehouse.load(scripts, dialect="postgres")
        traced = warehouse.spark_lineage(spark, tmp_path / "all", mode=mode)
        assert together(spark, tmp_path / "all") == alone(list(warehouse.lineage_all(mode=mode)))
    assert bool(traced.notes) == (mode == "active")
    rows = frames.origins(spark, tmp_path / "all").collect()
    assert {row["attribute"] for row in rows if row["unread"]} == {"T.A", "V.A"}


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_sql_goes_from_table_to_table_and_through_stars(spark: SparkSession, tmp_path: Path, mode: Mode) -> None:
    """CTEs have no results of their own, and what a star stands for is followed though no rule names it (rule Q22)."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name, text in STARS.items():
        (scripts / name).write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(scripts, dialect="duckdb").raise_for_errors()
        warehouse.spark_lineage(spark, tmp_path / "all", mode=mode)
        found = together(spark, tmp_path / "all")
        assert found == alone(list(warehouse.lineage_all(mode=mode)))
    assert {row["attribute"] for row in frames.counts(spark, tmp_path / "all").collect()} == found.keys()
    assert {one[0] for one in found["MART.W.Y"]} == {"RAW.T.X"}
    assert {name.rpartition(".")[0] for name in found} == {"CORE.V", "MART.W"}


@pytest.mark.parametrize(("mode", "policy"), [("active", None), ("active", "closed"), ("passive", None)])
def test_the_example_bank(
    spark: SparkSession,
    bank: Warehouse,
    found_alone: Callable[..., Found],
    tmp_path: Path,
    mode: Mode,
    policy: Policy,
) -> None:
    told: list[tuple[str, float]] = []
    traced = bank.spark_lineage(
        spark, tmp_path / "all", mode=mode, unpopulated=policy, progress=lambda *far: told.append(far)
    )
    expected = found_alone(mode=mode, unpopulated=policy)
    assert together(spark, tmp_path / "all") == expected
    assert traced.sources == sum(map(len, expected.values()))
    assert traced.undecided == 0
    assert len(traced.shares) > 2
    assert "sharing out" in {stage for stage, _ in told}
    counts = {row["attribute"]: row for row in frames.counts(spark, tmp_path / "all").collect()}
    passive = {record.attribute: record for record in bank.lineage_all(mode="passive")}
    assert counts.keys() == passive.keys()
    for name, row in counts.items():
        assert row["sources"] == len(expected.get(name, ()))
        ways = passive[name]
        every = len(ways.golden) + len(ways.interrupted) + len(ways.constants)
        assert row["left_out"] == (every - row["sources"] if mode == "active" else 0)


@pytest.mark.parametrize("seed", range(3))
def test_random_warehouses_however_the_work_is_shared_out(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(shares, "FEWEST", {"active": 1, "passive": 1})
    small = small_warehouse(Random(seed), Features(dates=True, cycles=seed % 2 == 1))
    with Warehouse() as warehouse:
        warehouse.load(small.text).raise_for_errors()
        for mode in ("active", "passive"):
            traced = warehouse.spark_lineage(spark, tmp_path / "all", mode=mode)  # type: ignore[arg-type]
            expected = alone(list(warehouse.lineage_all(mode=mode)))  # type: ignore[arg-type]
            assert together(spark, tmp_path / "all") == expected
            assert traced.skew >= 1.0


def test_a_large_part_is_shared_out_by_its_ends(
    spark: SparkSession,
    bank: Warehouse,
    found_alone: Callable[..., Found],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shares, "FEWEST", {"active": 1, "passive": 1})
    monkeypatch.setattr(origins, "_executors", lambda _spark: 12)
    traced = bank.spark_lineage(spark, tmp_path / "cut")
    assert len(traced.shares) > 12
    assert together(spark, tmp_path / "cut") == found_alone(mode="active", unpopulated=None)
    every = [record.attribute for record in bank.lineage_all(mode="passive")]
    assert frames.counts(spark, tmp_path / "cut").count() == len(every)


@pytest.mark.parametrize("singly", [0, 1, 100])
def test_what_is_undecided_is_asked_for_singly_and_else_says_so(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, singly: int
) -> None:
    shape = Shape(layers=5, width=4, fan_in=3, restricting=0.5, style="comparisons")
    monkeypatch.setattr(origins, "SINGLY", singly)
    with Warehouse() as warehouse:
        warehouse.load("".join(generated(1, shape))).raise_for_errors()
        traced = warehouse.spark_lineage(spark, tmp_path / "all")
        found = together(spark, tmp_path / "all")
        expected = alone(list(warehouse.lineage_all()))
    assert found.keys() == expected.keys()
    open_ = {name for name, rows in found.items() if any(row[-2] for row in rows)}
    assert traced.undecided == len(open_)
    assert len(open_) >= 5 - singly if singly < 5 else not open_
    for name, rows in found.items():
        assert {row[:-2] for row in rows} >= {row[:-2] for row in expected[name]}
        assert name in open_ or rows == expected[name]


def test_results_take_the_place_of_results_and_of_nothing_else(
    spark: SparkSession, few: Warehouse, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "manifest.json").write_text("{}", encoding="utf-8")  # as `mdw spark-load` writes it beside a store
    with pytest.raises(OutputError, match="stays as it is"):
        few.spark_lineage(spark, mine, mode="passive")
    assert [one.name for one in tmp_path.rglob("*")] == ["mine", "manifest.json"]
    for mode in ("active", "passive"):
        traced = few.spark_lineage(spark, tmp_path / "all", mode=mode)  # type: ignore[arg-type]
    written = json.loads((tmp_path / "all" / "lineage.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(traced.to_dict()))
    assert written["mode"] == "passive"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["all", "mine"]
    assert sorted(one.name for one in (tmp_path / "all").iterdir()) == ["counts.parquet", "lineage.json", "origins"]
    with pytest.raises(StoreError, match="holds no lineage"):
        frames.origins(spark, mine)


def test_a_task_that_fails_leaves_the_results_of_before(
    spark: SparkSession, few: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few.spark_lineage(spark, tmp_path / "all", mode="passive")
    before = together(spark, tmp_path / "all")

    def failing(_batches: object) -> Iterator[object]:
        raise RuntimeError("no more today")
        yield

    monkeypatch.setattr(origins, "share_worker", lambda *_: failing)
    with pytest.raises(SparkError, match="no more today"):
        few.spark_lineage(spark, tmp_path / "all")
    assert together(spark, tmp_path / "all") == before
    assert [one.name for one in tmp_path.iterdir()] == ["all"]


def test_results_that_cannot_be_put_in_place_leave_those_of_before(
    spark: SparkSession, few: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few.spark_lineage(spark, tmp_path / "all", mode="passive")
    before = together(spark, tmp_path / "all")
    rename = Path.rename

    def stuck(self: Path, target: Path) -> Path:
        if self.suffix == ".draft" and self.is_dir():
            raise PermissionError(13, "not today", str(self))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stuck)
    with pytest.raises(OutputError, match="cannot be written: not today"):
        few.spark_lineage(spark, tmp_path / "all")
    assert together(spark, tmp_path / "all") == before
    (tmp_path / "all").rename(tmp_path / ".all.killed.old")
    with pytest.raises(OutputError, match="cannot be written: not today"):
        few.spark_lineage(spark, tmp_path / "all")
    assert together(spark, tmp_path / "all") == before, "what a process killed in the middle left aside is back"
    assert [one.name for one in tmp_path.iterdir()] == ["all"]


def test_an_empty_warehouse_has_no_lineage(spark: SparkSession, tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        traced = warehouse.spark_lineage(spark, tmp_path / "all")
    assert (traced.attributes, traced.sources, traced.shares) == (0, 0, ())
    assert frames.origins(spark, tmp_path / "all").count() == 0


def test_parts_of_an_answer_are_tables_that_say_what_they_hold(spark: SparkSession, bank: Warehouse) -> None:
    answer = bank.lineage(NAME, when='REGION = "EU"')
    found = answer.to_dict()
    for name in ("golden", "constants", "interrupted", "indirect", "steps", "dropped"):
        frame = frames.part(spark, answer, name)
        assert [row.asDict(recursive=True)[frame.columns[0]] for row in frame.collect()] == [
            row[frame.columns[0]] for row in found[name]
        ]
        assert all(field.metadata["comment"] for field in frame.schema)
    (row,) = frames.part(spark, answer, "golden").where("attribute = 'SRC_EU.CUSTOMER.LAST_NAME'").collect()
    assert row["witness"]
    assert row["exact"] is True
    impact = bank.impact("SRC_EU.CUSTOMER.LAST_NAME")
    assert frames.part(spark, impact, "final").count() == len(impact.final)
    with pytest.raises(QuestionError, match="no part golden; it has final, "):
        frames.part(spark, impact, "golden")


def test_what_a_query_finds_is_a_table_of_texts(spark: SparkSession, bank: Warehouse) -> None:
    found = bank.query("SELECT ?mapping ?none WHERE { ?mapping a mdw:Mapping }")
    frame = frames.table(spark, found)  # type: ignore[arg-type]
    assert frame.columns == ["mapping", "none"]
    assert frame.count() == 136
    assert frame.where("none IS NULL").count() == 136


def test_the_command_says_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], spark: SparkSession
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["load", str(BANK), "--store", "bank.mdw"]) == 0
    capsys.readouterr()
    assert run(["spark-lineage", "--store", "bank.mdw", "--output", "all", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["attributes"] == 299
    assert run(["spark-lineage", "--store", "bank.mdw", "--output", "all", "--mode", "passive"]) == 0
    assert "299 attributes" in capsys.readouterr().out
    assert run(["spark-lineage", "--store", "bank.mdw", "--output", "bank.mdw"]) == 1
    assert "stays as it is" in capsys.readouterr().err
