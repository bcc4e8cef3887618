"""ClickHouse's tables whose engine says that their rows are those of another table, or of files.

    CREATE TABLE d (a Int32) ENGINE = Distributed(c, core, events)       CREATE VIEW d AS SELECT a FROM core.events
    CREATE TABLE f (a Int32) ENGINE = S3('s3://b/x.csv')                 CREATE VIEW f AS SELECT a FROM s3('s3://b/x.csv')

Rows that are written to such a table come to the other, as through a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

OF_TABLES = {"DISTRIBUTED": 1, "BUFFER": 0, "DICTIONARY": 0}
"""Engines that name a table, with the place of its schema, or of its name alone, among their arguments."""
OF_OTHERS = frozenset(
    ("MYSQL", "POSTGRESQL", "MONGODB", "ODBC", "JDBC", "SQLITE", "S3", "URL", "HDFS", "AZUREBLOBSTORAGE", "DELTALAKE")
)
"""Engines that have the arguments of the function that is called alike."""


def seen_through(one: Any) -> Any:
    """The view that a CREATE TABLE with such an engine makes; any other CREATE as it is."""
    properties = one.args.get("properties")
    engine = properties.find(exp.EngineProperty) if properties is not None else None
    source = _source(engine.this) if engine is not None and isinstance(engine.this, exp.Anonymous) else None
    if source is None or isinstance(one.expression, exp.Query):
        return one
    told = [part.this for part in one.this.expressions if isinstance(part, exp.ColumnDef)]
    columns = [exp.column(name.copy()) for name in told] if isinstance(one.this, exp.Schema) else []
    query = exp.Select(expressions=columns or [exp.Star()], from_=exp.From(this=source))
    table = one.this.this if isinstance(one.this, exp.Schema) else one.this
    return exp.Create(this=table.copy(), kind="VIEW", expression=query)


def _source(engine: exp.Anonymous) -> exp.Table | None:
    name, given = engine.name.upper(), engine.expressions
    if name in OF_OTHERS:
        return exp.Table(this=exp.Anonymous(this=engine.name, expressions=[part.copy() for part in given]))
    if name == "MERGE":
        return exp.Table(this=exp.Anonymous(this="merge", expressions=[part.copy() for part in given]))
    if name == "FILE" and len(given) > 1:
        return exp.Table(this=exp.Anonymous(this="file", expressions=[given[1].copy()]))
    if name not in OF_TABLES:
        return None
    names = _named(given[OF_TABLES[name] :][: 1 if name == "DICTIONARY" else 2])
    return exp.Table(**dict(zip(("this", "db", "catalog"), names[::-1], strict=False))) if names else None


def _named(given: Sequence[Any]) -> list[exp.Identifier]:
    """The parts of the name that arguments are: texts, names, or ``currentDatabase()``, which says no more."""
    words = [
        word
        for one in given
        if not isinstance(one, exp.CurrentDatabase)
        for part in getattr(one, "parts", [one])
        for word in part.name.split(".")
    ]
    return [exp.to_identifier(word) for word in words if word]
