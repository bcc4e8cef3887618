"""N-Triples and N-Quads through Spark: an export becomes its store again, bad lines are rejects."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from beside_spark import held, in_process, texts
from places import BANK
from pyarrow import parquet
from texts import GOOD, HOSTILE

from mdw import InputError, StoreError, Warehouse
from mdw.readers.inputs import BOM, Input
from mdw.spark.load.lines import placed
from mdw.spark.load.packed import swelling
from mdw.spark.pipeline import build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture
def small_splits(spark: SparkSession) -> None:
    """Files are read in pieces of 100 kB."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", 100_000)
    yield
    spark.conf.unset("spark.sql.files.maxPartitionBytes")


def exported(folder: Path, *sources: str | Path) -> bytes:
    """A store with everything inferred, as N-Quads."""
    with Warehouse() as warehouse:
        warehouse.load(*sources).raise_for_errors()
        warehouse.infer()
        warehouse.export("nquads", folder / "export.nq")
    return (folder / "export.nq").read_bytes()


@pytest.mark.usefixtures("small_splits")
def test_an_export_becomes_its_store_again(spark: SparkSession, tmp_path: Path) -> None:
    exported(tmp_path, BANK, HOSTILE)
    manifest = build(spark, [tmp_path / "export.nq"], tmp_path / "store")
    assert held(tmp_path / "store") == in_process(BANK, HOSTILE)
    assert (manifest.mappings, manifest.rejects, manifest.inputs[0].kind) == (138, 0, "rdf")
    assert manifest.parts > 5


@pytest.mark.usefixtures("small_splits")
def test_files_of_lines_stand_beside_text(spark: SparkSession, tmp_path: Path) -> None:
    """Split files, gz, the same quads twice, blank nodes, the default graph, names that look like patterns."""
    lines = exported(tmp_path, BANK).splitlines(keepends=True)
    folder = tmp_path / "some [1]"
    folder.mkdir()
    (folder / "a*%41#?.nq").write_bytes(b"".join(lines[: len(lines) // 2 + 50]))
    (folder / "b.nq.gz").write_bytes(gzip.compress(b"".join(lines[len(lines) // 2 :])))
    blank = [b'_:b <a:number> "%d" .\n_:b%d <a:text> "_:b %s" .\n' % (n, n, b"x" * 50) for n in range(2000)]
    (folder / "c.nt").write_bytes(BOM + b"".join(blank))
    (folder / "d.nt.gz").write_bytes(gzip.compress(b"_:b <a:a> _:b .\n"))
    (folder / "e.map").write_text(GOOD.format("ONE"), encoding="utf-8")
    manifest = build(spark, [folder], tmp_path / "store")
    found = held(tmp_path / "store")
    assert found == in_process(folder)
    assert [line for line in found if b"urn:mdw:blank" not in line] == in_process(BANK, folder / "e.map")
    blank_nodes = {line.split()[0] for line in found if b"urn:mdw:blank" in line}
    assert len(blank_nodes) == 2002, "one for each label and file"
    assert sum(b':b> <a:number> "' in line for line in found) == 2000
    assert sum(b'"_:b x' in line for line in found) == 2000
    assert manifest.mappings >= 137
    assert manifest.quads == sum(b" <urn:mdw:inferred> ." not in line for line in found)


def test_bad_lines_are_rejects_and_too_many_leave_the_store_alone(spark: SparkSession, tmp_path: Path) -> None:
    store = tmp_path / "store"
    build(spark, [texts(tmp_path / "old", one=GOOD.format("OLD"))], store)
    before = held(store)
    source = tmp_path / "x.nt"
    source.write_bytes(
        BOM + b'<a:s> <a:p> "1" .\n<a:s> <a:p> "' + b"y" * 500 + b'\n<a:s> <a:p> "\xff" .\n\n# nothing\n'
    )
    with pytest.raises(InputError, match="2 of 3 lines are rejected: the store was not rebuilt and is what it was"):
        build(spark, [source], store)
    assert held(store) == before
    rejects = parquet.read_table(store / "rejects.parquet").to_pylist()
    assert [row["input"] for row in rejects] == [str(source)] * 2
    for row, number in zip(rejects, (2, 3), strict=True):
        assert row["place"].startswith(f'{source}:{number}:1: <a:s> <a:p> "')
        assert len(row["place"]) < len(str(source)) + 130
    assert "UTF-8" in rejects[1]["reason"]
    manifest = build(spark, [source], store, rejects=0.7)
    assert (manifest.mappings, manifest.quads, manifest.rejects) == (0, 1, 2)
    assert held(store) == [b'<a:s> <a:p> "1" .']


def test_a_line_that_is_no_longer_in_its_file_stands_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_bytes(BOM + b"one\ntwo\r\none\n")
    found = placed(Input("a.nt", tmp_path / "a.nt", kind="rdf"), ["one", "gone", "one", "two"])
    assert found == ["a.nt:1:1: one", "gone", "a.nt:3:1: one", "a.nt:2:1: two"]


def test_two_versions_of_a_mapping_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    exported(tmp_path, GOOD.format("ONE"))
    source = texts(tmp_path / "new", one=GOOD.format("ONE") + "SELECT ROWS WHERE S.X = 1\n")
    with pytest.raises(StoreError, match="the inputs say different things of the mapping ONE: the store was not"):
        build(spark, [tmp_path / "export.nq", source], tmp_path / "store")


def test_packed_lines_that_swell_are_told_before_spark_reads_them(tmp_path: Path) -> None:
    """64 MiB and more, and more than 250 times as long: no session is asked for that."""
    path, damaged, plain = tmp_path / "swollen.nq.gz", tmp_path / "damaged.nt.gz", tmp_path / "plain.nt.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(80):
            file.write(b"<urn:a> <urn:b> <urn:c> .\n" * 40_000)
    plain.write_bytes(gzip.compress(b"<a:a> <b:b> <c:c> .\n" * 1_000_000))
    damaged.write_bytes(plain.read_bytes()[:-20])
    told = [str(error) for error in swelling([Input(str(one), one, kind="rdf") for one in (path, plain, damaged)])]
    assert told[0].startswith(f"cannot read {path}: unpacked it is more than 250 times as long (")
    assert told[1:] == [f"cannot read {damaged}: compressed file ended before the end-of-stream marker was reached"]


def test_tables_that_swell_are_told_before_spark_reads_them(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(BANK / "10_staging/cards.map")
        warehouse.tables(tmp_path)
    one = Input(str(tmp_path), tmp_path, kind="tables")
    assert not [*swelling([one])]
    path = tmp_path / "filter.parquet"
    found = parquet.read_table(path)
    row = found.slice(0, 1).to_pylist()[0]
    # A folder of parts, as Spark writes tables; texts written as differences, which Spark reads, are passed over.
    path.unlink()
    path.mkdir()
    differences = dict.fromkeys(found.column_names[:1], "DELTA_BYTE_ARRAY")
    parquet.write_table(found, path / "a.parquet", use_dictionary=False, column_encoding=differences)
    assert not [*swelling([one])]
    rows = pa.Table.from_pylist([row | {"mapping_id": "x" * 20_000}] * 5_000, found.schema)
    parquet.write_table(rows, path / "b.parquet", compression="zstd")
    (error,) = swelling([one])
    assert str(error).startswith(f"{path / 'b.parquet'} cannot be read: unpacked it is more than 250 times as long (")
    assert "mdw" not in error.hint


def test_a_run_with_packed_lines_that_swell_leaves_the_store_alone(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "swollen.nq.gz"
    with gzip.open(path, "wb") as file:
        file.write(b" " * (80 << 20))
    with pytest.raises(InputError, match="unpacked it is more than 250 times as long"):
        build(spark, [path], tmp_path / "store")
    assert not (tmp_path / "store").exists()
