"""Scans in short, and cases of SQL kept as text: `-- name`, `-- dialect:`, `-- schema:`, the SQL, `-->` what flows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from places import ROOT

from mdw import Scan, scan_sql

SCANNED = ROOT / "tests" / "cases" / "scanned"


@dataclass(frozen=True)
class ScanCase:
    name: str
    dialect: str
    schema: dict[str, list[str]]
    sql: str
    flows: frozenset[str]

    def __str__(self) -> str:
        return self.name


def scan_cases(file: str) -> list[ScanCase]:
    """The cases of a file, which stand apart by empty lines."""
    return [_case(block) for block in (SCANNED / file).read_text(encoding="utf-8").strip().split("\n\n")]


def _case(block: str) -> ScanCase:
    name, dialect, *lines = block.splitlines()
    tables = [re.fullmatch(r"-- schema: (\S+)\((.*)\)", line) for line in lines]
    return ScanCase(
        name.removeprefix("-- "),
        dialect.removeprefix("-- dialect: "),
        {table[1]: table[2].split(", ") for table in tables if table},
        "\n".join(line for line in lines if not line.startswith("--")),
        frozenset(line.removeprefix("--> ") for line in lines if line.startswith("--> ")),
    )


def scanned(case: ScanCase) -> Scan:
    return scan_sql(case.sql, dialect=case.dialect, schema=case.schema)


def direct(scan: Scan) -> set[str]:
    """The steps by which values flow."""
    return {f"{one.source} -> {one.target}" for one in scan.steps if one.kind == "direct"}


def steps(scan: Scan) -> set[str]:
    """All steps with their subtypes."""
    return {f"{one.source} -> {one.target} {one.subtype}" for one in scan.steps}
