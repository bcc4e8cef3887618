"""Exports of ``information_schema.columns`` -> entries of the data dictionary.

A file of CSV, JSON or Parquet is taken for one when its columns say so, in whatever order and spelling:

    table_schema,table_name,column_name,ordinal_position,data_type,is_nullable
    sales,orders,id,1,integer,NO

``table_name`` and ``column_name`` it must have; all others that databases have are read where they are there.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mdw.model.dictionary import AttributeEntry, EntityEntry
from mdw.model.errors import InputError
from mdw.model.tree import Location, lines_of
from mdw.readers.documents import parsed
from mdw.readers.inputs import Input, unreadable
from mdw.readers.sql.entries import entry_of

Row = Mapping[str, Any]
MYSQL = frozenset(("mysql", "mariadb"))
DESCRIPTIONS = ("comment", "column_comment", "description", "remarks")
FLAT = "an export of columns is a list of objects, a row each"
LENGTHY = 1_000_000
"""Characters from which on the length of a text is the database's own limit and says nothing."""


def read_export(one: Input, dialect: str) -> Iterator[EntityEntry | InputError]:
    """An entry for each entity of an export, and an error for every row that names no column."""
    tables: dict[tuple[str, ...], list[Row]] = {}
    try:
        for number, row in _rows(one):
            if row.get("table_name") and row.get("column_name"):
                tables.setdefault(_name(row, dialect), []).append(row)
            else:
                message = "this row names no table, or no column of it"
                yield InputError(message, location=Location(one.name, number, 1))
    except InputError as error:  # it swells: a part of it tells nothing
        yield error
        return
    except OSError as error:
        yield unreadable(one.name, error)
    except (ValueError, csv.Error) as error:
        yield InputError(f"cannot read {one.name}: {error}")
    except RecursionError:
        yield InputError(f"cannot read {one.name}: its values lie too deep within others", hint=FLAT)
    for name, rows in tables.items():
        yield _entry(name, rows, one.label, dialect)


# -- files -------------------------------------------------------------------------------------------------------------


def _rows(one: Input) -> Iterator[tuple[int, Row]]:
    """The rows with their lines, or with their numbers where the file has no lines; columns in small letters."""
    if one.form == "parquet":
        from mdw.readers.tables.files import records  # Arrow is slow to import

        assert one.path
        numbered: Iterable[tuple[int, Any]] = enumerate(records(one.path), 1)
    elif one.form == "json":
        numbered = _objects("".join(one.lines()))
    else:
        lines = csv.DictReader(one.lines(), delimiter=one.delimiter)
        numbered = ((lines.line_num, row) for row in lines)
    for number, row in numbered:
        if not isinstance(row, Mapping):
            raise ValueError(f"row {number} is no object")
        yield number, {str(name).lower(): value for name, value in row.items()}


def _objects(text: str) -> Iterator[tuple[int, Any]]:
    """The objects of an array, or one on each line."""
    if text.lstrip().startswith("["):
        yield from enumerate(parsed(text), 1)
    else:
        yield from ((number, _on(number, line)) for number, line in enumerate(lines_of(text), 1) if line.strip())


def _on(number: int, line: str) -> Any:
    try:
        return parsed(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {number}, column {error.colno}: {error.msg}") from error


# -- rows --------------------------------------------------------------------------------------------------------------


def _name(row: Row, dialect: str) -> tuple[str, ...]:
    """The parts of an entity's name; MySQL's only catalogue is no part of it."""
    catalogue = "" if dialect in MYSQL else row.get("table_catalog")
    return tuple([str(part) for part in (catalogue, row.get("table_schema"), row["table_name"]) if part])


def _entry(name: tuple[str, ...], rows: list[Row], label: str, dialect: str) -> EntityEntry:
    rows = sorted(rows, key=lambda row: _whole(row.get("ordinal_position")))
    quoted = ".".join(f'"{part.replace(chr(34), chr(39))}"' for part in name)
    attributes = tuple([_attribute(row, dialect) for row in rows])
    key = tuple([str(row["column_name"]) for row in rows if row.get("column_key") == "PRI"])
    return entry_of(EntityEntry(quoted, attributes, whole=True, key=key, file=label), dialect)


def _attribute(row: Row, dialect: str) -> AttributeEntry:
    formula = _text(row.get("generation_expression"))
    default = _text(row.get("column_default"))
    extra = _text(row.get("extra")).lower()
    if dialect in MYSQL and default and "default_generated" not in extra and not _number(default):
        # MySQL tells constants without their quotes.
        default = default if default.startswith("'") else "'" + default.replace("'", "''") + "'"
    return AttributeEntry(
        str(row["column_name"]),
        _type(row),
        default="" if formula or default.upper() == "NULL" else default,
        computed=formula,
        identity=_text(row.get("is_identity")).upper() in ("YES", "TRUE") or "auto_increment" in extra,
        required=_text(row.get("is_nullable")).upper() in ("NO", "FALSE"),
        description=next((said for name in DESCRIPTIONS if (said := _text(row.get(name)))), ""),
    )


def _type(row: Row) -> str:
    """The type with its length or digits, which most databases keep apart from it."""
    found = _text(row.get("column_type")) or _text(row.get("data_type"))
    length, digits, scale = (
        _whole(row.get(name)) for name in ("character_maximum_length", "numeric_precision", "numeric_scale")
    )
    if "(" in found:
        return found
    if 0 < length < LENGTHY:
        return f"{found}({length})"
    exact = found.lower() in ("decimal", "numeric", "number", "dec")
    return f"{found}({digits},{scale})" if exact and digits else found


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _whole(value: Any) -> int:
    """A whole number, 0 where there is none."""
    text = _text(value).partition(".")[0]
    return int(text) if text.isdigit() and len(text) < 10 else 0


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
