"""A file of SQL -> the dialect it is probably written in, and by what that was told.

>>> told_by("load.bigquery.sql", "")
Guess(dialect='bigquery', because='its name')
>>> told_by("load.sql", "SELECT 1 AS x\\nGO\\n")
Guess(dialect='tsql', because='GO, line 2')
>>> told_by("load.sql", "SELECT TOP 5 a FROM t;\\nSELECT NVL2(a, b, c) FROM dual")
Guess(dialect='', because='SELECT TOP 5, line 1, says tsql; FROM dual, line 2, says oracle')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from mdw.readers.recognising import CLIENT, SPOKEN, SQL_ENDINGS

NAMES_WORDS = """
    athena bigquery clickhouse databricks db2 duckdb hive mysql oracle plsql postgres postgresql presto redshift
    snowflake spark sparksql sqlite sqlserver mssql teradata trino tsql
"""
NAMES = frozenset(NAMES_WORDS.split())
"""What may stand before the last ending of a file's name: orders.snowflake.sql."""

# Each is something that one database has and, as it is written here, no other: its dialect, letters without which it
# is not there (looking for these is fast), and the pattern.
TELLTALES: tuple[tuple[str, str, str], ...] = (
    ("tsql", "GO", r"^[ \t]*GO[ \t]*;?[ \t]*$"),
    ("tsql", "TOP", r"\bSELECT\s+(?:DISTINCT\s+)?TOP\s*\(?\s*\d+"),
    ("tsql", "NOLOCK", r"\bWITH\s*\(\s*NOLOCK\s*\)"),
    ("tsql", "].[", r"\[\w+\]\.\[\w+\]"),
    ("tsql", "DBO.", r"\bDBO\.\w+"),
    ("tsql", "#", r"\b(?:INTO|FROM|JOIN|TABLE)\s+#\w+"),
    ("tsql", "VARCHAR", r"\bN?VARCHAR\s*\(\s*MAX\s*\)"),
    ("tsql", "GETDATE", r"\bISNULL\s*\(\s*\w+\s*,\s*GETDATE\s*\("),
    ("snowflake", "FLATTEN", r"\b(?:LATERAL\s+|TABLE\s*\(\s*)FLATTEN\s*\("),
    ("snowflake", "VARIANT", r"\bVARIANT\b"),
    ("snowflake", "::", r"\b\w+:\w+(?:\.\w+)*::\w+"),
    ("snowflake", "FILE_FORMAT", r"\bFILE_FORMAT\s*=\s*\("),
    ("snowflake", "WAREHOUSE", r"\bUSE\s+WAREHOUSE\s+\w+"),
    ("snowflake", "TRANSIENT", r"\bTRANSIENT\s+TABLE\b"),
    ("bigquery", "`", r"`[\w-]+\.[\w-]+\.[\w*-]+`"),
    ("bigquery", "SAFE_", r"\bSAFE_(?:CAST|DIVIDE|OFFSET)\s*\("),
    ("bigquery", "INT64", r"\bINT64\b"),
    ("bigquery", "FLOAT64", r"\bFLOAT64\b"),
    ("bigquery", "STRUCT", r"\bSELECT\s+AS\s+STRUCT\b"),
    ("oracle", "DUAL", r"\bFROM\s+(?:SYS\.)?DUAL\b"),
    ("oracle", "VARCHAR2", r"\bN?VARCHAR2\s*\("),
    ("oracle", "+", r"\(\s*\+\s*\)"),
    ("oracle", "ROWNUM", r"\bROWNUM\s*[<=]"),
    ("teradata", "TABLE", r"\b(?:MULTISET|VOLATILE)\s+TABLE\b"),
    ("teradata", "PRIMARY", r"\bPRIMARY\s+INDEX\s*\("),
    ("teradata", "SEL", r"^[ \t]*SEL\s+\w+"),
    ("redshift", "DISTKEY", r"\bDISTKEY\b"),
    ("redshift", "SORTKEY", r"\bSORTKEY\b"),
    ("redshift", "DISTSTYLE", r"\bDISTSTYLE\b"),
    ("postgres", "PLPGSQL", r"\bLANGUAGE\s+'?PLPGSQL\b"),
    ("mysql", "ENGINE", r"\bENGINE\s*=\s*(?:INNODB|MYISAM)\b"),
    ("mysql", "DUPLICATE", r"\bON\s+DUPLICATE\s+KEY\s+UPDATE\b"),
    ("mysql", "AUTO_INCREMENT", r"\bAUTO_INCREMENT\b"),
    ("hive", "FORMAT", r"\bROW\s+FORMAT\s+(?:SERDE|DELIMITED)\b"),
    ("hive", "STORED", r"\bSTORED\s+AS\s+(?:ORC|TEXTFILE|RCFILE)\b"),
    ("databricks", "DELTA", r"\bUSING\s+DELTA\b"),
    ("databricks", "ZORDER", r"\bZORDER\s+BY\b"),
    ("clickhouse", "MERGETREE", r"\bENGINE\s*=\s*\w*MERGETREE\b"),
    ("duckdb", "READ_", r"\bREAD_(?:PARQUET|CSV|CSV_AUTO)\s*\("),
)  # fmt: skip
_CLIENT = re.compile(rf"(?<![\w.-])(?:{CLIENT})(?![\w.-])")
NOTEBOOK = "-- Databricks notebook source"
"""What a file of SQL begins with that is a notebook."""
_QUIET = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|'')*'", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Guess:
    """A dialect, "" where none or more than one was told, and why."""

    dialect: str
    because: str = ""


def told_by(name: str, text: str) -> Guess:
    """The dialect that a file's name tells, else its text."""
    named = by_name(name)
    return Guess(named, "its name") if named else by_text(text)


def by_name(name: str) -> str:
    """The dialect that a file's name tells: orders.snowflake.sql, orders.hql; "" if it tells none."""
    path = PurePosixPath(name.lower())
    before = PurePosixPath(path.stem).suffix[1:]
    return before if before in NAMES else SQL_ENDINGS.get(path.suffix, "")


def by_client(text: str) -> Guess:
    """The dialect of the clients that a shell script calls; of two, neither.

    >>> by_client("cd /tmp\\nbteq < load.bteq")
    Guess(dialect='teradata', because='bteq, line 2')
    """
    found: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.lstrip().startswith("#"):
            for client in _CLIENT.findall(line):
                found.setdefault(SPOKEN[client], f"{client}, line {number}")
    found.pop("", None)
    return Guess(*next(iter(found.items()))) if len(found) == 1 else Guess("")


def by_text(text: str) -> Guess:
    """The dialect of which a text has what no other has; of two, neither."""
    if text.lstrip().startswith(NOTEBOOK):
        return Guess("databricks", "a notebook, line 1")
    # Comments and strings say nothing; their lines stay, since places are told.
    plain = _QUIET.sub(lambda found: "\n" * found.group().count("\n") or "''", text)
    letters = plain.upper()
    found: dict[str, str] = {}
    for (dialect, needed, _), pattern in zip(TELLTALES, _patterns(), strict=True):
        if dialect not in found and needed in letters and (match := pattern.search(plain)):
            line = plain.count("\n", 0, match.start()) + 1
            found[dialect] = f"{' '.join(match.group().split())}, line {line}"
    if len(found) < 2:
        return next((Guess(dialect, place) for dialect, place in found.items()), Guess(""))
    return Guess("", "; ".join(f"{place}, says {dialect}" for dialect, place in found.items()))


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.MULTILINE | re.IGNORECASE) for _, _, pattern in TELLTALES)
