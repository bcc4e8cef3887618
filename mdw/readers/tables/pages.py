"""Pages of a file of Parquet, looked at before any of them is unpacked: how long they say they become.

Columns are cut into pages, each packed alone behind a head that says how long it is packed and unpacked. Arrow reserves
what the head says, and what a dictionary says that it holds, before it looks whether that is true; and a page that is
honest may be two GiB of the same byte. Heads are structs of Thrift in its compact form (see `_Thrift`):

    15 00  15 80 02  15 4e  2c ... 00     field 1: 0, a data page; 2: 128 bytes unpacked; 3: 39 packed; 5: a struct
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import IO, Any, NamedTuple

from pyarrow import parquet

from mdw.model.errors import InputError
from mdw.readers.opening import is_out_of_proportion, swollen

HEAD, LONGEST_HEAD = 1 << 10, 16 << 20
"""Bytes that a head is looked for in at first, and at most: statistics in it may be long texts."""
SLACK = 100
"""Bytes that a column may be longer than it says: an old writer did not count the head of its dictionary."""
UNPACKED, PACKED, DATA, DICTIONARY, DATA_2 = 2, 3, 5, 7, 8
"""Fields of a head."""
VALUES = 1
"""The field of each of the three structs that says how many values there are."""
VALUE = 16
"""Bytes that Arrow reserves for each value of a dictionary."""
SHORT = ("BOOLEAN", "FIXED_LEN_BYTE_ARRAY")
"""Types of which a value may take a single byte in a dictionary; of others it takes four at least."""
ENCODINGS = {DATA: 2, DATA_2: 4}
"""The field of the structs of data that says how values are written."""
DIFFERENCES = {6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY"}
"""How texts are written of which a page of any length may follow from a few bytes."""
DEPTH = 8
"""How deep structs stand within structs, at most: in a head it is three."""


class Page(NamedTuple):
    """What the head of a page says: bytes packed and unpacked, values, those of a dictionary, how they are written."""

    packed: int
    unpacked: int
    values: int
    entries: int
    encoding: int


def check(file: IO[bytes], name: str, found: parquet.FileMetaData, columns: Collection[str]) -> None:
    """InputError if to read these columns takes far more memory than the file has bytes, or a page is damaged."""
    for group in map(found.row_group, range(found.num_row_groups)):
        packed = unpacked = 0
        for chunk in map(group.column, range(group.num_columns)):
            if chunk.path_in_schema not in columns:
                continue
            # Of each column one page is unpacked at a time, beside its dictionary.
            longest = dictionary = 0
            for page in _pages(file, name, chunk):
                _check(page, name, chunk)
                packed += page.packed
                dictionary = max(dictionary, page.unpacked + VALUE * page.entries if page.entries else 0)
                longest = max(longest, page.unpacked)
            unpacked += longest + dictionary
        if is_out_of_proportion(unpacked, packed):
            raise InputError(f"{name} cannot be read: {swollen(unpacked, packed)}")


def differing(found: parquet.FileMetaData) -> set[str]:
    """The columns that have texts written as differences, as the foot of the file tells."""
    groups = map(found.row_group, range(found.num_row_groups))
    chunks = [group.column(place) for group in groups for place in range(group.num_columns)]
    return {one.path_in_schema for one in chunks if not set(DIFFERENCES.values()).isdisjoint(one.encodings)}


def _check(page: Page, name: str, chunk: parquet.ColumnChunkMetaData) -> None:
    column = chunk.path_in_schema
    if is_out_of_proportion(page.unpacked, page.packed):
        raise InputError(f"{name} cannot be read: {swollen(page.unpacked, page.packed)}")
    if page.entries * (1 if chunk.physical_type in SHORT else 4) > page.unpacked:
        said = f"a dictionary of {page.entries:,} values in {page.unpacked:,} bytes"
        raise InputError(f"{name} cannot be read: the column {column} is damaged, {said}")
    if page.encoding in DIFFERENCES:
        said = f"the texts of the column {column} are written as {DIFFERENCES[page.encoding]}"
        raise InputError(f"{name} cannot be read: {said}", hint="write it with plain texts or a dictionary of them")


def _pages(file: IO[bytes], name: str, chunk: parquet.ColumnChunkMetaData) -> Iterator[Page]:
    """The pages of a column as Arrow goes through them: until they have all values, or end."""
    at = chunk.data_page_offset
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < at:
        at = chunk.dictionary_page_offset
    end = min(at + chunk.total_compressed_size + SLACK, file.seek(0, 2))
    seen = 0
    while seen < chunk.num_values and at < end:
        head, size = _head(file, name, at, end)
        page = _page(head)
        if page is None or page.packed < 0 or page.unpacked < 0:
            raise InputError(f"{name} cannot be read: at byte {at:,} stands no page of Parquet")
        yield page
        seen += page.values
        at += size + page.packed


def _page(head: dict[int, Any]) -> Page | None:
    """What a head says; None if it is none."""
    try:
        # What stands here besides, of a kind nobody knows, has no values.
        kind = next((one for one in (DATA, DICTIONARY, DATA_2) if one in head), None)
        said = head[kind] if kind else {}
        values = said.get(VALUES, 0)
        written = said[ENCODINGS[kind]] if kind in ENCODINGS else 0
        entries = values if kind == DICTIONARY else 0
        return Page(int(head[PACKED]), int(head[UNPACKED]), int(values) - entries, entries, int(written))
    except (KeyError, TypeError, AttributeError):
        return None


def _head(file: IO[bytes], name: str, at: int, end: int) -> tuple[dict[int, Any], int]:
    """The head of a page and its length."""
    size = HEAD
    while True:
        file.seek(at)
        thrift = _Thrift(file.read(min(size, end - at)))
        try:
            return thrift.struct(), thrift.at
        except (IndexError, ValueError) as error:
            size *= 4
            if isinstance(error, ValueError) or size > LONGEST_HEAD or size > 4 * (end - at):
                raise InputError(f"{name} cannot be read: at byte {at:,} stands no page of Parquet") from error


class _Thrift:
    """Values in Thrift's compact form, read one behind the other; IndexError where they end, ValueError if none stands.

    A field is a byte, how much its number is more than that of the one before and its type, and what it holds.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """The fields of a struct by their numbers."""
        if depth > DEPTH:
            raise ValueError("structs within structs")
        found: dict[int, Any] = {}
        number = 0
        while kind := self._byte():
            number = number + (kind >> 4) if kind >> 4 else self._signed()
            # A truth value is its own type.
            found[number] = kind & 15 == 1 if kind & 15 in (1, 2) else self._value(kind & 15, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        match kind:
            case 1 | 2 | 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 7:
                return self._bytes(8)
            case 8:
                return self._bytes(self._number())
            case 9 | 10:
                head = self._byte()
                size = head >> 4 if head >> 4 < 15 else self._number()
                return [self._value(head & 15, depth + 1) for _ in range(size)]
            case 11:
                size = self._number()
                kinds = self._byte() if size else 0
                return [(self._value(kinds >> 4, depth + 1), self._value(kinds & 15, depth + 1)) for _ in range(size)]
            case 12:
                return self.struct(depth + 1)
        raise ValueError(f"no type of Thrift: {kind}")

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        if self.at + size > len(self._data):
            raise IndexError
        self.at += size
        return self._data[self.at - size : self.at]

    def _number(self) -> int:
        """Seven bits in each byte, the lowest first; the eighth says that more come."""
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
            shift += 7
            if shift > 63:
                raise ValueError("a number of too many bytes")

    def _signed(self) -> int:
        """0, -1, 1, -2, ... by 0, 1, 2, 3, ..."""
        number = self._number()
        return number >> 1 ^ -(number & 1)
