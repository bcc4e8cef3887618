"""What a name, a file or a folder is known by: mapping text, SQL, tables, exports, dbt, an extraction, a database."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mdw.readers.opening import opened

ENDING = ".map"
SQL_ENDINGS = {
    **dict.fromkeys((".sql", ".ddl", ".prc", ".fnc", ".trg", ".vw"), ""),
    **dict.fromkeys((".pks", ".pkb", ".pck", ".pls", ".plb", ".plsql", ".spc", ".bdy"), "oracle"),
    **dict.fromkeys((".bteq", ".btq"), "teradata"),
    **dict.fromkeys((".hql", ".hive"), "hive"),
    **dict.fromkeys((".psql", ".pgsql"), "postgres"),
    ".bq": "bigquery",
    ".tsql": "tsql",
    ".mysql": "mysql",
}
"""What the names of files of SQL end in, and the dialect that tells."""
SHELL = (".sh", ".ksh", ".bash", ".zsh")
"""What the names of shell scripts end in: they are read where they give SQL to a client of a database."""
SPOKEN = {
    "bteq": "teradata", "fastload": "teradata", "mload": "teradata", "tdsql": "teradata", "tpt": "teradata",
    "sqlplus": "oracle", "psql": "postgres", "mysql": "mysql", "mariadb": "mysql", "sqlcmd": "tsql", "osql": "tsql",
    "snowsql": "snowflake", "snow": "snowflake", "hive": "hive", "beeline": "hive", "impala-shell": "hive",
    "spark-sql": "spark", "db2": "db2", "bq": "bigquery", "rsql": "redshift", "exaplus": "exasol", "presto": "presto",
    "presto-cli": "presto", "trino": "trino", "clickhouse-client": "clickhouse", "duckdb": "duckdb",
    "sqlite3": "sqlite", "isql": "", "nzsql": "", "vsql": "", "hdbsql": "", "dbaccess": "", "mclient": "",
}  # fmt: skip
"""Programs that shell scripts give SQL to, and the dialect each speaks; "" where none of sqlglot's is told by it."""
CLIENT = "|".join(SPOKEN)
"""Any of them, as a pattern."""
SQL = (*SQL_ENDINGS, *SHELL)
TABLES = ("entity_mapping.parquet", "entity_mapping.csv")
"""What a folder of tables is known by (see `mdw.readers.tables`)."""
MANIFEST = "manifest.json"
"""What a compiled dbt project is known by."""
EXTRACTION = "mdw_extraction"
"""What the manifest of a folder begins with that was extracted from a database (see `mdw.readers.files.manifests`)."""
EXPORTS = {".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".parquet": "parquet"}
"""What the names of exports of columns end in, and how they are written (see `mdw.readers.exports`)."""
EXPORTED = (b"table_name", b"column_name")
"""The columns such an export is known by."""
_RDF = re.compile(r"(?i:\.(nt|nq))(?:\.gz)?$")
_CALLS = re.compile(rf"\b(?:{CLIENT})\b".encode())
LONGEST = 1 << 20
"""Bytes of a shell script that are looked at for such calls."""
DATABASE = "jdbc:"
"""What the URL of a database begins with."""


def is_text(source: str) -> bool:
    """Whether a string is mapping text, not a path.

    >>> is_text("data/bank"), is_text("WHEN POPULATING A FROM B POPULATE X WITH 1")
    (False, True)
    """
    return "\n" in source or "WHEN POPULATING" in source.upper()


def is_database(source: str) -> bool:
    """Whether a string is the URL of a database."""
    return source.startswith(DATABASE)


def rdf_form(name: str) -> str:
    """How RDF is written in a file of that name, one statement a line: ``nt`` or ``nq``; "" in a file of another kind.

    >>> rdf_form("bank.nq.gz"), rdf_form("bank.NT"), rdf_form("bank.ttl")
    ('nq', 'nt', '')
    """
    found = _RDF.search(name)
    return found[1].lower() if found else ""


def is_passed_over(path: Path) -> bool:
    """Whether a file of a folder is a shell script that calls no client of a database."""
    if path.suffix.lower() not in SHELL or not path.is_file():
        return False
    with opened(path) as stream:
        return _CALLS.search(stream.read(LONGEST)) is None


def is_dbt(folder: Path) -> bool:
    """Whether dbt has compiled a project into a folder (see `mdw.readers.dbt`)."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return False
    # A manifest may have many megabytes; what it is stands in its first lines.
    with opened(manifest) as stream:
        return b"dbt_schema_version" in stream.read(2_000)


def is_extraction(folder: Path) -> bool:
    """Whether a folder was extracted from a database."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return False
    with opened(manifest) as stream:
        return EXTRACTION.encode() in stream.read(100)


def is_export(path: Path) -> bool:
    """Whether a file has the columns of ``information_schema.columns``."""
    form = EXPORTS.get(path.suffix.lower())
    if form is None or not path.is_file() or (path.name == MANIFEST and is_extraction(path.parent)):
        return False
    with opened(path) as stream:
        if form == "parquet":
            # The names of columns stand in the footer, whose length is in front of the last four bytes.
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - 8))
            length = int.from_bytes(stream.read(4), "little")
            stream.seek(max(0, size - 8 - length))
            head = stream.read(min(length, 1_000_000))
        else:
            head = stream.readline(20_000) if form == "csv" else stream.read(4_000)
    return all(name in head.lower() for name in EXPORTED)
