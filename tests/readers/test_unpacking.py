"""What is packed is unpacked in proportion: a few bytes that stand for gigabytes are refused, in bounded memory."""

from __future__ import annotations

import ast
import gzip
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from places import ROOT
from pyarrow import parquet
from serving import loaded, serving

from mdw import Warehouse

UNPACKING = {"bz2", "gzip", "lzma", "tarfile", "zipfile", "zipimport", "zstandard", "compression", "py7zr", "lz4"}
"""Modules that unpack."""
WITHIN = """
import resource, sys
from pathlib import Path
from mdw import Warehouse
resource.setrlimit(resource.RLIMIT_DATA, (1_500_000_000, 1_500_000_000))
with Warehouse() as warehouse:
    report = warehouse.load(*map(Path, sys.argv[1:]))
    print(report.mappings, *report.errors, sep="\\n")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def read(*paths: Path) -> str:
    """What a load says that may take 1.5 GB."""
    done = subprocess.run(
        [sys.executable, "-c", WITHIN, *map(str, paths)], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_packed_file_that_swells(tmp_path: Path) -> None:
    lines = (b'<urn:a> <urn:b> "' + b"x" * 1_000 + b'" .\n') * 1_000
    paths = tmp_path / "lines.nt.gz", tmp_path / "one_line.nq.gz"
    for path, piece in zip(paths, (lines, b" " * 1_000_000), strict=True):
        path.write_bytes(gzip.compress(piece) * 80)
        assert path.stat().st_size < 3_000_000
    said = read(*paths)
    for path in paths:
        assert f"cannot read {path}: unpacked it is more than 250 times as long" in said


def test_packed_files_are_read(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data/bank")
        warehouse.export("nquads", tmp_path / "bank.nq")
    with gzip.open(tmp_path / "bank.nq.gz", "wb", compresslevel=9) as file:
        file.write((tmp_path / "bank.nq").read_bytes())
    with Warehouse() as warehouse:
        assert warehouse.load(tmp_path / "bank.nq.gz").mappings == 136


def test_a_line_without_an_end_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.nq"
    path.write_bytes(
        b'<urn:a> <urn:b> "' + b"x" * 40_000_000 + b'" .\n<urn:a> <urn:b> 1 .\n<urn:c> <urn:d> <urn:e> .\n'
    )
    with Warehouse() as warehouse:
        report = warehouse.load(path)
        said = [(error.location and error.location.line, error.message) for error in report.errors]
        assert said[0] == (1, "a line of more than 16 MB")
        assert [line for line, _ in said] == [1, 2]
        assert warehouse.query_text("SELECT ?s { ?s <urn:d> ?o }", "csv").split() == ["s", "urn:c"]


def swollen(path: Path, groups: int, rows: int, name: str) -> Path:
    """A file of Parquet whose rows are all the same: a few bytes."""
    texts = {"table_schema": "x", "table_name": name, "column_name": "c"}
    table = pa.table({key: pa.array([0] * rows).cast(pa.string()) for key in texts} | {"n": pa.array([1] * rows)})
    for place, text in enumerate(texts.values()):
        indices = pa.array([0] * rows, pa.int32())
        table = table.set_column(place, [*texts][place], pa.DictionaryArray.from_arrays(indices, [text]))
    with parquet.ParquetWriter(path, table.schema, compression="zstd") as file:
        for _ in range(groups):
            file.write_table(table)
    return path


def test_parquet_that_swells(tmp_path: Path) -> None:
    long = swollen(tmp_path / "long.parquet", 1, 100_000, "x" * 20_000)
    many = swollen(tmp_path / "many.parquet", 100, 200_000, "t")
    assert max(one.stat().st_size for one in (long, many)) < 400_000
    said = read(long, many)
    for path in (long, many):
        assert f"{path} cannot be read: unpacked it is more than 250 times as long" in said


def same(value: object, kind: pa.DataType, rows: int) -> pa.Array:
    """A column that has one value in all its rows; a text is there once."""
    if not isinstance(value, str):
        return pa.array([value] * rows, kind)
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([value], kind))


def test_tables_that_swell(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data/bank/10_staging/cards.map")
        warehouse.tables(tmp_path)
    path = tmp_path / "filter.parquet"
    found = parquet.read_table(path)
    row = found.slice(0, 1).to_pylist()[0] | {"mapping_id": "x" * 20_000}
    swelling = [same(row[field.name], field.type, 50_000) for field in found.schema]
    parquet.write_table(pa.table(swelling, found.column_names), path, compression="zstd", store_schema=False)
    assert path.stat().st_size < 300_000
    assert f"{path} cannot be read: unpacked it is more than 250 times as long" in read(tmp_path)


@pytest.mark.parametrize("cut", [3, 40, 400])
def test_parquet_that_is_cut(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    table = pa.table({"table_name": ["t"], "column_name": ["c"], "nested": [[1, 2]]})
    parquet.write_table(table, path)
    with Warehouse() as warehouse:
        assert not warehouse.load(path).errors, "what is nested is left out"
        data = bytearray(path.read_bytes())
        data[cut : cut + 30] = bytes(30)
        path.write_bytes(data)
        for error in warehouse.load(path).errors:
            assert str(path) in str(error)


def test_nothing_else_unpacks(tmp_path: Path) -> None:
    """The places are known: `mdw.readers.opening` for gzip, `mdw.readers.tables.unpacking` for Parquet."""
    found = {}
    for file in (ROOT / "mdw").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if not any(name in text for name in (*UNPACKING, "decompress", "unpack_archive")):
            continue
        names = {
            name.split(".")[0]
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        }
        place = str(file.relative_to(ROOT))
        if names & UNPACKING or "decompress" in text or "unpack_archive" in text:
            found[place] = sorted(names & UNPACKING)
    assert found == {"mdw/readers/opening.py": ["gzip"]}
    read_whole = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "mdw").rglob("*.py")
        if "parquet.ParquetFile(" in file.read_text(encoding="utf-8") and "spark" not in file.parts
    ]
    assert read_whole == ["mdw/readers/tables/unpacking.py"]
    with serving(loaded(tmp_path / "store")) as server:
        packed = gzip.compress(b"ASK {}" + b" " * 10_000)
        headers = {"Content-Type": "application/sparql-query", "Content-Encoding": "gzip"}
        assert server.ask("POST", "/sparql", packed, headers).status in (400, 415), "no body of a request is unpacked"
