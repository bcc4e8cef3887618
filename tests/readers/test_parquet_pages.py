"""Files of Parquet that are no good: pages that lie, or stand for far more than they take, are refused before anything
is reserved for them; so are texts that are none, and names that are not UTF-8 or stand twice."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from mdw import Warehouse
from mdw.model.errors import InputError
from mdw.readers.tables import pages
from mdw.readers.tables.files import Form, records

NAMES = ["table_name", "column_name"]


def written(path: Path, texts: Iterable[str] = "abcd", **options: object) -> Path:
    """An export of columns whose heads of pages have a checksum, which may be left out for something else."""
    texts = list(texts)
    table = pa.table({"table_name": texts, "column_name": texts})
    given: dict[str, object] = {"compression": "zstd", "write_page_checksum": True, **options}
    parquet.write_table(table, path, **given)
    return path


def number(value: int, size: int = 0) -> bytes:
    """A number as Thrift writes it, with zeros up to so many bytes."""
    value = value << 1 if value >= 0 else (-value << 1) - 1
    found = bytearray()
    while value > 127 or len(found) < size - 1:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def lying(path: Path, *, unpacked: int | None = None, values: int | None = None) -> None:
    """Have the first page say another length, or another number of values, in a head of the same length."""
    data = path.read_bytes()
    chunk = parquet.read_metadata(path).row_group(0).column(0)
    at = chunk.dictionary_page_offset or chunk.data_page_offset
    said, size = pages._head(BytesIO(data), "", at, len(data))
    kind = next(one for one in (5, 7) if one in said)
    inner = said[kind]
    head = data[at : at + size]
    # type, lengths, checksum | the struct: values and what else it says
    (_, _, rest) = head.partition(b"\x15" + number(said[4]) + bytes([(kind - 4) << 4 | 12, 0x15]) + number(inner[1]))
    begin = b"\x15" + number(said[1]) + b"\x15" + number(said[2] if unpacked is None else unpacked) + b"\x15"
    rest = bytes([(kind - 3) << 4 | 12, 0x15]) + number(inner[1] if values is None else values) + rest
    made = begin + number(said[3], size - len(begin) - len(rest)) + rest
    assert len(made) == size
    path.write_bytes(data[:at] + made + data[at + size :])


def said(path: Path) -> list[str]:
    """What a load says."""
    with Warehouse() as warehouse:
        return [str(error) for error in warehouse.load(path).errors]


def test_honest_pages_are_read(tmp_path: Path) -> None:
    for number_, options in enumerate(
        [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}, {"compression": "none"}, {"data_page_size": 10}]
    ):
        path = written(tmp_path / f"{number_}.parquet", map(str, range(20_000)), **options)
        assert [row["table_name"] for row in records(path)] == [*map(str, range(20_000))], options


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_page_that_lies_about_its_length(dictionary: bool, tmp_path: Path) -> None:
    path = written(tmp_path / "lie.parquet", use_dictionary=dictionary)
    lying(path, unpacked=2**31 - 1)
    (message,) = said(path)
    assert message.startswith(f"{path} cannot be read: unpacked it is more than 250 times as long (2,147,483,647 bytes")


def test_a_dictionary_that_lies_about_its_values(tmp_path: Path) -> None:
    path = written(tmp_path / "lie.parquet")
    lying(path, values=2**31 - 1)
    (message,) = said(path)
    assert (
        message
        == f"{path} cannot be read: the column table_name is damaged, a dictionary of 2,147,483,647 values in 20 bytes"
    )


def test_pages_that_are_far_too_much_together(tmp_path: Path) -> None:
    """None alone, but each of a hundred columns has one unpacked at the same time."""
    path = tmp_path / "wide.parquet"
    columns = {f"c{number}": ["x" * 1_000_000] for number in range(100)}
    parquet.write_table(pa.table(columns), path, compression="zstd", use_dictionary=False, write_statistics=False)
    found = parquet.read_metadata(path)
    with path.open("rb") as file:
        pages.check(file, "wide", found, [*columns][:60])
        with pytest.raises(InputError, match="wide cannot be read: unpacked it is more than 250 times as long"):
            pages.check(file, "wide", found, [*columns])


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_written_as_differences_are_told(encoding: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.parquet", use_dictionary=False, column_encoding=dict.fromkeys(NAMES, encoding))
    (message,) = said(path)
    assert f"{path} cannot be read: the texts of the column table_name are written as {encoding}" in message


def test_a_page_that_is_none(tmp_path: Path) -> None:
    path = written(tmp_path / "x.parquet")
    data = bytearray(path.read_bytes())
    for filled in (0, 12, 255, 0x1C, 0x19):  # nothing, no type, no end, structs and lists without end
        data[4:20] = bytes([filled]) * 16
        path.write_bytes(data)
        assert said(path) == [f"{path} cannot be read: at byte 4 stands no page of Parquet"], filled


def test_rows_without_columns(tmp_path: Path) -> None:
    """What is nested is not read; of rows with nothing else there may be any number in a few bytes."""
    path = tmp_path / "nested.parquet"
    parquet.write_table(pa.table({"table_name": [["a"]], "column_name": [["b"]]}), path)
    assert not list(records(path))


def tables(folder: Path, form: Form) -> Path:
    """A mapping as tables."""
    with Warehouse() as warehouse:
        warehouse.load("MAPPING m: WHEN POPULATING T FROM A POPULATE T.B WITH A.C\n")
        warehouse.tables(folder, form=form)
    return folder


def test_texts_that_are_none_are_told_with_their_row(tmp_path: Path) -> None:
    bad = pa.array([b"good", b"\xff"]).view(pa.string())
    parquet.write_table(pa.table(dict.fromkeys(NAMES, bad)), tmp_path / "x.parquet")
    (message,) = said(tmp_path / "x.parquet")
    assert message == f"{tmp_path / 'x.parquet'} cannot be read: column table_name is no UTF-8 text in row 2"
    path = tables(tmp_path / "tables", "parquet") / "entity_mapping.parquet"
    found = parquet.read_table(path)
    parquet.write_table(found.set_column(0, found.column_names[0], bad[1:]), path)
    assert said(path.parent) == [f"{path} cannot be read: column mapping_id is no UTF-8 text in row 1"]


def test_a_name_of_a_column_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = written(tmp_path / "x.parquet", store_schema=False)
    parquet.write_table(parquet.read_table(path).append_column("other_nameX", pa.array(["x"] * 4)), path)
    path.write_bytes(path.read_bytes().replace(b"other_nameX", b"other_name\xff"))
    assert said(path) == [f"{path} cannot be read: the name of a column is no UTF-8 text"]
    path = tables(tmp_path / "csv", "csv") / "attribute.csv"
    head, *rows = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([b"\xff," + head, *(b"1," + row for row in rows)]))
    assert said(path.parent) == [f"{path} cannot be read: the name of a column is no UTF-8 text"]


def test_columns_that_stand_twice_are_told(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.Table.from_arrays([pa.array(["a"])] * 3, names=[*NAMES, NAMES[0]]), path)
    assert said(path) == [f"{path} cannot be read: it has 2 columns table_name"]
    path = tables(tmp_path / "parquet", "parquet") / "attribute.parquet"
    found = parquet.read_table(path)
    parquet.write_table(pa.Table.from_arrays([*found.columns, found[0]], names=[*found.column_names, "name"]), path)
    assert said(path.parent) == [f"{path} cannot be read: it has 2 columns name"]
    path = tables(tmp_path / "csv", "csv") / "attribute.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    # Others than ours may stand there as often as they like.
    path.write_text("\n".join([f"{head},x,x", *(f"{row},1,2" for row in rows)]), encoding="utf-8")
    assert not said(path.parent)
    path.write_text("\n".join([f"{head},name", *(f"{row},1" for row in rows)]), encoding="utf-8")
    assert said(path.parent) == [f"{path} cannot be read: it has 2 columns name"]
