"""The example bank's dbt project executed with rows: its compiled code run by DuckDB, without dbt.

Every column of a source takes what the code compares it with, keys from a few, so that rows are joined and pass. One
column, which is asked about, has tokens instead, by which its rows are known wherever they arrive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import duckdb

from mdw import End

ROWS = 80
KEYS = tuple(f"K{number}" for number in range(25))
DAYS = ("2014-06-30", "2016-08-01", "2021-03-15", "2023-05-02", "2025-01-31", "9999-12-31", None)
NUMBERS = (0, 1, 2, 4, 9, 15, 25, 120, 700, 900, 20_000, 300_000, 3_000_000, -50)
WORDS = ("EUR", "USD", "DE", "US", "SG", "x", None)
KEY = re.compile(r"(?i)(?:^|[_-])(?:no|id|isin|pledged_for)$|_no$|_id$|^isin$|^pledged_for$")
COMPARED = re.compile(r"""(?i)(\w+|"[^"]+")\s+(?:=|!=|<>|like|(?:not )?in \()\s*((?:'[^']*'(?:,\s*)?)+)""")
TOKEN = re.compile(r"<(\d+)#(\d+)>")
FIRST_DAY = "DATE '2017-05-01'"
"""Tokens of days are later days, up to a hundred for each column; no other column has such days."""


@cache
def _manifest(target: Path) -> Any:
    return json.loads((target / "manifest.json").read_text(encoding="utf-8"))


@cache
def _constants(target: Path) -> dict[str, tuple[str, ...]]:
    """The texts that columns of a name are compared with."""
    found: dict[str, dict[str, None]] = {}
    for node in _manifest(target)["nodes"].values():
        for column, texts in COMPARED.findall(node.get("compiled_code", "")):
            constants = found.setdefault(column.strip('"').lower(), {})
            constants |= dict.fromkeys(text.replace("%", "1") for text in re.findall("'([^']*)'", texts))
    return {column: tuple(constants) for column, constants in found.items()}


def executed(target: Path, attributes: Sequence[str]) -> duckdb.DuckDBPyConnection:
    """A database in which everything was made, with tokens in some attributes of sources."""
    connection = duckdb.connect()
    connection.execute("ATTACH ':memory:' AS bank")
    connection.execute("USE bank")
    manifest, draw = _manifest(target), Random(7)
    nodes = {**manifest["nodes"], **manifest["sources"]}
    for schema in dict.fromkeys(node["schema"] for node in nodes.values() if node.get("relation_name")):
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    for node in manifest["sources"].values():
        _filled(connection, node["relation_name"], _types(node["columns"]), target, draw)
    for name, node in manifest["nodes"].items():
        if node["resource_type"] == "seed":
            listed = json.loads((target / "catalog.json").read_text(encoding="utf-8"))["nodes"][name]["columns"]
            types = {one["name"]: one["type"] for one in sorted(listed.values(), key=lambda one: one["index"])}
            _filled(connection, node["relation_name"], types, target, draw)
    for number, attribute in enumerate(attributes):
        relation, column = _quoted(attribute)
        kind = connection.execute(f"SELECT typeof({column}) FROM {relation}").fetchone()[0]
        token = (
            f"{FIRST_DAY} + {number * 100} + row_number_" if kind == "DATE" else f"'<{number}#' || row_number_ || '>'"
        )
        connection.execute(f"UPDATE {relation} SET {column} = {token}")
    for node in _in_order(manifest["nodes"]):
        _made(connection, node, manifest)
    return connection


def _quoted(attribute: str) -> tuple[str, str]:
    """The relation and the column of an attribute, as SQL."""
    *entity, column = [part.strip("`") for part in re.findall(r"`[^`]*`|[^.]+", attribute)]
    return ".".join(f'"{part}"' for part in entity), f'"{column}"'


def _types(columns: Mapping[str, Any]) -> dict[str, str]:
    # Products of random numbers would overflow decimals.
    return {one["name"]: re.sub(r"(?i)decimal.*", "DOUBLE", one["data_type"]) for one in columns.values()}


def _filled(connection: Any, relation: str, types: Mapping[str, str], target: Path, draw: Random) -> None:
    """A table of a source with rows."""
    listed = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
    if relation.endswith('"balance_previous"'):
        # It is the project's own: yesterday's balances, of which there are none yet.
        connection.execute(f"CREATE TABLE {relation} ({listed})")
        return
    connection.execute(f"CREATE TABLE {relation} ({listed}, row_number_ INTEGER)")
    cells = [value for row in range(ROWS) for value in (*(_value(*one, target, draw) for one in types.items()), row)]
    row = f"({', '.join('?' * (len(types) + 1))})"
    connection.execute(f"INSERT INTO {relation} VALUES {', '.join([row] * ROWS)}", cells)


def _value(name: str, kind: str, target: Path, draw: Random) -> Any:
    if kind.upper() == "DATE":
        return draw.choice(DAYS)
    if not kind.upper().startswith("VARCHAR"):
        return draw.choice(NUMBERS)
    constants = _constants(target).get(name.lower(), ())
    return draw.choice(KEYS if KEY.search(name) else (*constants, constants[0], None) if constants else WORDS)


def _in_order(nodes: Mapping[str, Any]) -> Iterator[Any]:
    """Models with code of SQL, each after those it reads; snapshots and what reads them are left out."""
    left = {name: node for name, node in nodes.items() if node["resource_type"] in ("model", "snapshot")}
    made = {name for name, node in nodes.items() if node["resource_type"] == "seed"}
    while ready := [name for name, node in left.items() if not _needs(node) & left.keys()]:
        for name in ready:
            node = left.pop(name)
            if node["resource_type"] == "model" and node["language"] == "sql" and _needs(node) & nodes.keys() <= made:
                made.add(name)
                if node.get("relation_name"):
                    yield node


def _needs(node: Any) -> set[str]:
    return set(node.get("depends_on", {}).get("nodes", ()))


def _made(connection: Any, node: Any, manifest: Any) -> None:
    """A model, with what stands before and after it; what is incremental is made a second time, from the first."""
    relation, code, config = node["relation_name"], node["compiled_code"], node["config"]
    if relation in code:
        columns = "card_no VARCHAR, points DOUBLE, earned_on DATE"
        connection.execute(f"CREATE TABLE {relation} ({columns})")
        connection.execute(f"INSERT INTO {relation} (earned_on) VALUES ('1999-01-01')")
        connection.execute(f"INSERT INTO {relation} {code}")
        return
    connection.execute(f"CREATE TABLE {relation} AS {code}")
    for hook in config.get("pre-hook", ()):
        connection.execute(_hook(hook["sql"], relation, manifest))
        connection.execute(f"CREATE OR REPLACE TABLE {relation} AS {code}")
    for hook in config.get("post-hook", ()):
        connection.execute(_hook(hook["sql"], relation, manifest))


def _hook(text: str, relation: str, manifest: Any) -> str:
    for source in manifest["sources"].values():
        said = "{{ source('%s', '%s') }}" % (source["source_name"], source["name"])  # noqa: UP031  braces enough
        text = text.replace(said, source["relation_name"])
    return re.sub(r"\{%.*?%\}", "", text).replace("{{ this }}", relation)


# -- what arrived ------------------------------------------------------------------------------------------------------


def arrivals(connection: Any, attributes: Sequence[str], reports: Iterable[str]) -> Iterator[tuple[str, str, set[int]]]:
    """The attributes whose tokens arrived, each with the report it arrived at and the numbers of its rows."""
    first = connection.execute(f"SELECT {FIRST_DAY}").fetchone()[0]
    for report in reports:
        relation, column = _quoted(report)
        found: dict[str, set[int]] = {}
        for (value,) in connection.execute(f"SELECT DISTINCT {column} FROM {relation}").fetchall():
            tokens = TOKEN.findall(value) if isinstance(value, str) else []
            if isinstance(value, date) and value >= first:
                tokens = [divmod((value - first).days, 100)]
            for number, row in tokens:
                if int(number) < len(attributes):
                    found.setdefault(attributes[int(number)], set()).add(int(row))
        for attribute, rows in found.items():
            yield attribute, report, rows


def meets(connection: Any, end: End, row: int) -> bool:
    """Whether the row of a number meets the condition of its source."""
    relation, _ = _quoted(end.attribute)
    sql = f"SELECT 1 FROM {relation} WHERE row_number_ = {row} AND ({end.sql})"
    return connection.execute(sql).fetchone() is not None
