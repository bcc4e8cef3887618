"""Names of tables -> entities.

t                 a CTE of the query, or around it; a temporary table of the script; else SCHEMA.T
core.t            CORE.T, with the catalogue before it where one is told
parquet.`/a/b`    the file; READ_CSV('/a/b') too
events_20240101   `events_*` (BigQuery): one entity, of which each day is a table
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.name import parts
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.naming import joined
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.work import Work

NAMED = (exp.Identifier, exp.Dot, exp.Literal, exp.Parameter, exp.Placeholder, exp.Var)
"""What a table's name is made of; anything else in its place is a function."""
FORMATS = frozenset(("parquet", "json", "csv", "orc", "avro", "text", "delta", "binaryfile", "iceberg"))


ONE_ROW = {
    **dict.fromkeys(("oracle", "mysql", "snowflake", "redshift"), ("DUAL",)),
    "ansi": ("SYSIBM.SYSDUMMY1", "DUMMY", "SYS.DUMMY"),
}
"""Tables of one row in which nobody looks for columns; Db2's and SAP HANA's."""


def entity_of(one: Any, scope: SelectScope) -> tuple[str, Shape, tuple[str, ...]]:
    """The entity a table names, what is known of it, and the parts of its name."""
    work = scope.work
    names = table_name(one, work)
    if work.flavour.name == "duckdb" and names[:-1] == ["RECURRING"] and scope.table(names[-1]) is not None:
        # All that a recursive CTE has so far.
        names = names[-1:]
    if len(names) == 1:
        found = scope.table(names[0])
        if found is not None:
            return found[0], found[1], tuple(names)
    entity = entity_named(names, work)
    work.read[entity] = None
    # Nobody looks for columns in it.
    if entity in ONE_ROW.get(work.flavour.name, ()):
        work.dictionary.known(entity).complete = True
    # By its whole name, schema and all, columns may be qualified; a temporary table has an entity's name nobody writes.
    called = called_here(entity, work)
    whole = names if called in work.temporary.values() else parts(called)
    return entity, work.dictionary.known(entity), tuple(whole)


FILES = re.compile(
    r"(?i)(READ_(PARQUET|CSV|CSV_AUTO|JSON|JSON_AUTO|NDJSON|TEXT|BLOB|FILES|XLSX)|(PARQUET|DELTA|ICEBERG|CSV|SQLITE)_SCAN"
    r"|(S3|GCS|URL|FILE|HDFS|AZUREBLOBSTORAGE|DELTALAKE|ICEBERG)(CLUSTER)?|ICEBERG(S3|AZURE|HDFS|LOCAL)|HUDI"
    r"|FILES|LOCAL|CLOUD_FILES|ST_READ)"
)
"""Functions whose rows are those of files, or of the table, that their first argument names."""
PLACES = ("uri", "path", "file_path")
"""The options of such functions in Doris and StarRocks that say where files are: s3("uri" = "s3://x")."""


def files_of(one: Any) -> list[str]:
    """The files that a table function reads, if it is such a one and names them."""
    if not isinstance(one, exp.Func):
        return []
    name = one.name if isinstance(one, exp.Anonymous) else one.sql_name()
    if not (isinstance(one, exp.DynamicIdentifier) or FILES.fullmatch(name)):
        return []
    given = one.expressions[1:] if name.upper().endswith("CLUSTER") else one.expressions
    first = one.this if isinstance(one.this, exp.Expr) else next(iter(given), None)
    options = [part for part in given if isinstance(part, exp.EQ) and part.this.name.lower() in PLACES]
    if options:
        first = options[0].expression
    several = first.expressions if isinstance(first, exp.Array) else [first]
    return [str(part.this) for part in several if isinstance(part, exp.Literal) and part.args.get("is_string")]


CAPITALS = frozenset(("bigquery", "clickhouse"))
"""Dialects in which tables are told apart by capitals and small letters."""
DBO = "DBO"
"""T-SQL's schema of names that have none."""


def table_name(one: Any, work: Work) -> list[str]:
    """The parts of a table's name."""
    if one.args.get("db") is not None and "/" in one.name and one.db.lower() in FORMATS:
        # parquet.`path/of/files`
        return [work.naming.known(one.name, quoted=True)]
    names: list[str] = []
    if work.flavour.folding == "lower" or (work.flavour.name in CAPITALS and one.args.get("db") is not None):
        _told_apart(one, work)
    for identifier in (one.args.get("catalog"), one.args.get("db"), one.this):
        if type(identifier) is exp.Identifier and identifier.name:
            names.append(work.naming.part(identifier))
        elif isinstance(identifier, exp.Dot):
            names += [work.naming.part(part) for part in identifier.flatten() if part.name]
        elif isinstance(identifier, (exp.Parameter, exp.Placeholder)):
            names.append(work.naming.known(f"@{identifier.name}", quoted=True))
        elif isinstance(identifier, exp.Expr) and identifier.name:
            names.append(work.naming.part(identifier))
        elif names and identifier == "" and work.flavour.name in TRANSACT:
            # d..t is D.DBO.T.
            names.append(DBO)
    if len(names) > 1 and names[-1].startswith("`#") and work.flavour.name in TRANSACT:
        # tempdb..#t is #t.
        return names[-1:]
    return names or [work.naming.known(one.sql(), quoted=True)]


def _told_apart(one: Any, work: Work) -> None:
    """Say of a table that it is taken for another one, whose name differs in capitals only."""
    words = [word for word in (one.args.get("catalog"), one.args.get("db"), one.this) if type(word) is exp.Identifier]
    other = work.naming.another(words)
    if other:
        own = ".".join(word.name for word in words)
        work.notes[f"{own} is taken for {other}, though by its capitals it may be another table"] = None
        work.unknown(f"{own} apart from {other}")


def others_meant(entity: str, names: Sequence[str], scope: SelectScope) -> tuple[str, ...]:
    """Which tables a name without schema may mean besides an entity, where none that is known is the one (rule Q34)."""
    work = scope.work
    if len(names) != 1 or not work.schemas.stored or scope.table(names[0]) is not None:
        return ()
    found = work.short_names.meant(names[0], work.schemas, work.dictionary.has).tables
    return found[1:] if found[0] == entity else ()


def entity_made(names: Sequence[str], work: Work) -> str:
    """The entity that a statement makes of a name: in a routine of T-SQL it is of the default schema (rule Q34)."""
    schemas = work.schemas
    path = schemas.path[-1:] if work.flavour.name in TRANSACT else schemas.path
    with work.looking_in(replace(schemas, path=path, stored=False) if schemas.stored else schemas):
        return entity_named(names, work)


FLEETING = "="
"""What stands before an entity's name where the script says what it means for now: a table it makes anew later on."""


def entity_named(names: Sequence[str], work: Work) -> str:
    """The entity of a name: a temporary table of the script, or with the schema that is in force."""
    entity = _entity_called(names, work)
    return work.temporary.get(f"{FLEETING}{entity}", entity)


def columns_of_type(type_: exp.DataType, work: Work) -> Sequence[str]:
    """The columns of PostgreSQL's types that are rows, and any table's: as CREATE TYPE or CREATE TABLE told them."""
    row = exp.to_table(type_.sql(dialect="postgres"), dialect="postgres")
    shape = work.dictionary.shape(entity_named([work.naming.part(part) for part in row.parts], work))
    return tuple(shape.columns) if shape is not None and shape.complete else ()


def called_here(entity: str, work: Work) -> str:
    """What the script calls an entity, which may be what the name means for now."""
    names = (name for name, meant in work.temporary.items() if meant == entity and name.startswith(FLEETING))
    return next(names, FLEETING + entity)[len(FLEETING) :]


def made_anew(entity: str, work: Work) -> tuple[str, bool]:
    """What an entity's name means where a statement makes it; one that another makes again is inner (rule Q20)."""
    entity = called_here(entity, work)
    work.temporary.pop(f"{FLEETING}{entity}", None)
    if entity not in work.fleeting:
        return entity, False
    found = work.temporary[f"{FLEETING}{entity}"] = work.inner(parts(entity)[-1])
    return found, True


def _entity_called(names: Sequence[str], work: Work) -> str:
    names = work.dotted(names)
    if names[-1] in work.temporary and of_session(names, work):
        names = names[-1:]
    if work.server:
        entity = joined(work.server, *names)
        work.far(entity)
        return entity
    if names[:1] == ["LIVE"] and len(names) == 2 and work.flavour.name in ("databricks", "spark"):
        # What another statement of the pipeline makes.
        names = names[1:]
    if work.flavour.name == "bigquery" and names:
        day, names = names, [*names[:-1], _unsharded(names[-1], work)]
        if day != names and len(names) > 1:
            # A dictionary tells of a day's table what all of them have.
            work.dictionary.told_alike(joined(*names), joined(*day))
    name = joined(*names)
    if name.startswith("`@") and work.flavour.name in TRANSACT:
        # A variable of T-SQL that holds a table.
        work.temporary.setdefault(name, work.inner(name))
    if name in work.temporary:
        return work.temporary[name]
    if len(names) == 2:
        return joined(work.schemas.catalog, name)
    if len(names) != 1 or _of_no_schema(name) or name in ONE_ROW.get(work.flavour.name, ()):
        return name
    return meant(name, work)[0]


def meant(name: str, work: Work) -> tuple[str, ...]:
    """The tables that a name without schema may mean: the first one, unless it means another (rule Q34)."""
    if work.schemas.stored:
        found = work.short_names.meant(name, work.schemas, work.dictionary.has)
        if found.deduced:
            tables = " or ".join(map(work.naming.shown, found.tables))
            work.notes[f"{work.naming.shown(name)} is in no schema where it is looked for: taken for {tables}"] = None
        return found.tables
    if not work.schemas.path and not work.schemas.catalog:
        return (work.short_names.of_script(name, work.dictionary.has),)
    several = work.schemas.whole if len(work.schemas.path) > 1 else ()
    # The first schema of the path that is known to have it; where none is, the first.
    known = (one for one in several if work.dictionary.exists(joined(one, name)))
    return (joined(next(known, work.schemas.first), name),)


TEMPORARY = {
    "postgres": ("PG_TEMP",),
    "duckdb": ("TEMP", "TEMP.MAIN"),
    "sqlite": ("TEMP",),
    "bigquery": ("_SESSION",),
}
"""The schemas of temporary tables, by which they may be called."""


def of_session(names: Sequence[str], work: Work) -> bool:
    """Whether a name has the schema of temporary tables before it."""
    return len(names) > 1 and ".".join(names[:-1]) in TEMPORARY.get(work.flavour.name, ())


SHARD = re.compile(r"(?i)(.+_)(?:\d{8}|\d{0,7}\*)\Z")
PARTITION = re.compile(r"(?i)(.+)\$(?:\d+|__\w+__)\Z")


def _unsharded(name: str, work: Work) -> str:
    """BigQuery's tables by day, events_20240101, are one entity with events_*; t$20240101 is a part of t."""
    part = PARTITION.match(name.strip("`"))
    if part is not None:
        return work.naming.known(part.group(1), quoted=True)
    match = SHARD.match(name.strip("`"))
    if match is None:
        return name
    found = work.naming.known(f"{match.group(1).lower()}*", quoted=True)
    if found == name:
        return name
    work.notes[f"{work.naming.shown(name)} is read as {work.naming.shown(found)}"] = None
    return found


FILE = re.compile(r"(?i)`.+\.(csv|tsv|txt|parquet|json|ndjson|jsonl|xlsx|avro|orc|arrow)(\.\w+)?`")


def _of_no_schema(name: str) -> bool:
    # T-SQL's variables and temporary tables are of no schema; a path of a file neither.
    return name.startswith(("`@", "`#")) or "/" in name or FILE.fullmatch(name) is not None
