"""Exports of ``information_schema.columns`` -> entries of the data dictionary.

A file of CSV, JSON or Parquet is taken for one when its columns say so, in whatever order and spelling:

    table_schema,table_name,column_name,ordinal_position,data_type,is_nullable
    sales,orders,id,1,integer,NO

``table_name`` and ``column_name`` it must have; all others that databases have are read where they are there.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mdw.model.dictionary import WHOLE, AttributeEntry, EntityEntry
from mdw.model.errors import InputError
from mdw.model.tree import Location, lines_of
from mdw.readers.documents import parsed
from mdw.readers.inputs import Input, unreadable
from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.entries import entry_of
from mdw.readers.sql.phrases.definition import LEFT_OUT, filled_type

Row = Mapping[str, Any]
MYSQL = frozenset(("mysql", "mariadb"))
DESCRIPTIONS = ("comment", "column_comment", "description", "remarks")
FLAT = "an export of columns is a list of objects, a row each"
LENGTHY = 1_000_000
"""Characters from which on the length of a text is the database's own limit and says nothing."""


class OpenValueError(Exception):
    """A value does not end before the file does; ``told`` says so to whoever wrote it."""

    def __init__(self, told: InputError) -> None:
        super().__init__(str(told))
        self.told = told


def read_export(one: Input, dialect: str) -> Iterator[EntityEntry | InputError]:
    """An entry for each entity of an export, and an error for every row that names no column."""
    tables: dict[tuple[str, ...], list[Row]] = {}
    # Of a file that is not read to its end nobody knows whether a table has more columns.
    whole = False
    try:
        for number, row in _rows(one):
            if row.get("table_name") and row.get("column_name"):
                tables.setdefault(_name(row, dialect), []).append(row)
            else:
                message = "this row names no table, or no column of it"
                yield InputError(message, location=Location(one.name, number, 1))
        whole = True
    except OpenValueError as error:
        yield error.told
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
        yield _entry(name, rows, one.label, dialect, whole=whole)


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
        numbered = _separated(one)
    for number, row in numbered:
        if not isinstance(row, Mapping):
            raise ValueError(f"row {number} is no object")
        yield number, {str(name).lower(): value for name, value in row.items()}


def _separated(one: Input) -> Iterator[tuple[int, Any]]:
    """The rows of a file of CSV; OpenValueError where nothing closes a quote, all behind it being one value."""
    begun: list[str] = []
    taken, ended, longest = 0, False, ""

    def lines() -> Iterator[str]:
        nonlocal taken, ended
        for taken, line in enumerate(one.lines(), 1):  # noqa: B007  read when all is done
            begun.append(line)
            yield line
        ended = True

    rows = csv.DictReader(lines(), delimiter=one.delimiter)
    try:
        for row in rows:
            # Who asks for more lines in the middle of a row is within a value.
            if ended:
                break
            yield rows.line_num, row
            begun.clear()
    except csv.Error:
        if not _opens(begun, one.delimiter):
            raise
        longest = f" within {csv.field_size_limit():,} characters"
    if place := _opens(begun, one.delimiter):
        line, column = place
        message = f"a quote opens here that is not closed{longest}: nothing behind it was read"
        hint = "close it at the end of its value, and write a quote that belongs to a value twice"
        where, text = Location(one.name, taken - len(begun) + line, column), begun[line - 1].rstrip("\r\n")
        raise OpenValueError(InputError(message, location=where, excerpt=text, hint=hint))


def _opens(lines: Sequence[str], delimiter: str) -> tuple[int, int] | None:
    """Line and column, from 1, of the quote within which a row of CSV ends, if it does.

    >>> _opens(['a,"b""c",d"e'], ","), _opens(['a,"b', 'c",x,"d""e'], ",")
    (None, (2, 6))
    """
    opened, inside = (0, 0), False
    for number, line in enumerate(lines, 1):
        begins, closed = not inside, False
        for column, character in enumerate(line, 1):
            quote = character == '"'
            if quote and begins:
                opened = number, column
            # One behind the quote that closes stands for a quote; within a value that has none they are characters.
            closed, inside = quote and inside, inside != (quote and (inside or begins or closed))
            begins = character == delimiter and not inside
    return opened if inside else None


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


def _entry(name: tuple[str, ...], rows: list[Row], label: str, dialect: str, *, whole: bool) -> EntityEntry:
    rows = sorted(rows, key=lambda row: _whole(row.get("ordinal_position")))
    quoted = ".".join(f'"{part.replace(chr(34), chr(39))}"' for part in name)
    attributes = tuple([_attribute(row, dialect) for row in rows])
    key = tuple([str(row["column_name"]) for row in rows if row.get("column_key") == "PRI"])
    definition = WHOLE if whole and all(_tells_all(row, dialect) for row in rows) else ""
    entry = EntityEntry(quoted, attributes, whole=whole, key=key, file=label, definition=definition)
    return entry_of(entry, dialect)


def _tells_all(row: Row, dialect: str) -> bool:
    """Whether an export has all that says what an INSERT writes that leaves a column out (rule Q32)."""
    domains = dialect not in WITH_DOMAINS or "domain_name" in row
    return {"is_nullable", "column_default"} <= row.keys() and bool(GENERATION & row.keys()) and domains


GENERATION = frozenset(("is_identity", "identity_generation", "is_generated", "generation_expression", "extra"))
WITH_DOMAINS = frozenset(("postgres", "redshift", "materialize", "risingwave"))
"""Dialects in which a type may have a default, which its columns do not tell."""


def _attribute(row: Row, dialect: str) -> AttributeEntry:
    formula = _text(row.get("generation_expression"))
    default = _text(row.get("column_default"))
    extra = _text(row.get("extra")).lower()
    if dialect in MYSQL and default and "default_generated" not in extra and not _number(default):
        # MySQL tells constants without their quotes.
        default = default if default.startswith("'") else "'" + default.replace("'", "''") + "'"
    identity = _text(row.get("is_identity")).upper() in ("YES", "TRUE") or "auto_increment" in extra
    required, type_ = _text(row.get("is_nullable")).upper() in ("NO", "FALSE"), _type(row)
    made = _text(row.get("is_generated")).upper() in ("ALWAYS", "YES", "TRUE")
    fills = filled_type(type_, flavour_of(dialect).name, counted=identity, nullable=not required)
    return AttributeEntry(
        str(row["column_name"]),
        type_,
        default="" if formula or default.upper() == "NULL" else default,
        computed=formula,
        identity=identity,
        required=required,
        fills=fills or (LEFT_OUT if _text(row.get("domain_name")) or (made and not formula) else ""),
        collation=_collation(row),
        description=next((said for name in DESCRIPTIONS if (said := _text(row.get(name)))), ""),
    )


def _collation(row: Row) -> str:
    """The collation of a column; BigQuery says NULL where it has none of its own."""
    found = _text(row.get("collation_name"))
    return "" if found.upper() == "NULL" else found


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
