"""A statement of SQL as queries that Spark runs: its own text, written for Spark (`tracing.md`, rule T36).

>>> text = "INSERT INTO t (x) SELECT a FROM s.o WHERE b = 1 UNION ALL SELECT TOP 2 a FROM s.p"
>>> made = for_spark(text, "tsql", ["S.O", "S.P"])
>>> made.columns, made.reads
(('x',), {'read0': 'S.O', 'read1': 'S.P'})
>>> for branch in made.branches:
...     print(branch)
SELECT a FROM {read0} AS o WHERE b = 1
SELECT a FROM {read1} AS p LIMIT 2
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from mdw.model.errors import InputError
from mdw.model.name import letters
from mdw.readers.sql.dialects import flavour_of

PLACE = "mdw_table_"


@dataclass(frozen=True)
class SparkQueries:
    """What a statement reads, as Spark's SQL: a query for each branch of its UNIONs, and all of it.

    ``columns`` are those it fills, in order; none where they are called as the query's own. ``reads`` tells the
    entities by their placeholders.
    """

    branches: tuple[str, ...]
    whole: str
    columns: tuple[str, ...]
    reads: Mapping[str, str]


def for_spark(text: str, dialect: str, entities: Sequence[str]) -> SparkQueries:
    """The query of a statement; ``entities`` are those that it is known to read.

    InputError for a statement that is no query, or that cannot be read.
    """
    try:
        tree = sqlglot.parse_one(text, dialect=flavour_of(dialect).parser)
        query, columns = _query(tree)
        reads = _placed(query, entities)
        branches = [_text(branch) for branch in _branches(query)]
        whole = _text(query)
    except (SqlglotError, RecursionError) as error:
        raise InputError(f"sqlglot cannot write it for Spark: {str(error).splitlines()[0]}") from error
    return SparkQueries(tuple(branches), whole, columns, reads)


def spark_type(text: str, dialect: str) -> str:
    """A type of a dialect as Spark calls it; "" for none that it knows.

    >>> spark_type("NUMBER(10, 2)", "oracle"), spark_type("varchar(20)", "postgres")
    ('DECIMAL(10, 2)', 'STRING')
    """
    try:
        found: Any = exp.DataType.build(text, dialect=flavour_of(dialect).parser)
    except (SqlglotError, InputError):
        return ""
    if found.this in exp.DataType.TEXT_TYPES:
        return "STRING"
    return str(found.sql(dialect="spark"))


def _query(tree: Any) -> tuple[Any, tuple[str, ...]]:
    """The query of a statement and the columns that it fills, as far as it lists them."""
    if isinstance(tree, exp.Query):
        return tree, ()
    if not isinstance(tree, (exp.Create, exp.Insert)) or not isinstance(tree.expression, exp.Query):
        raise InputError("it is no query whose rows it writes")
    query, schema = tree.expression, tree.this
    if tree.args.get("with_") is not None and query.args.get("with_") is None:
        query.set("with_", tree.args["with_"])
    listed = schema.expressions if isinstance(schema, exp.Schema) else ()
    return query, tuple(one.name for one in listed)


def _placed(query: Any, entities: Sequence[str]) -> dict[str, str]:
    """Put a placeholder where each table stands that is one of the entities, and say which."""
    found: dict[str, str] = {}
    tables = {
        id(source): source
        for scope in traverse_scope(query)
        for source in scope.sources.values()
        if isinstance(source, exp.Table)
    }
    for table in tables.values():
        entity = _entity(table, entities)
        name = next((one for one, other in found.items() if other == entity), f"read{len(found)}")
        found[name] = entity
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name, quoted=table.this.quoted)))
        table.set("this", exp.to_identifier(f"{PLACE}{name}"))
        table.set("db", None)
        table.set("catalog", None)
    for column in query.find_all(exp.Column):
        column.set("db", None)
        column.set("catalog", None)
    return found


def _entity(table: Any, entities: Sequence[str]) -> str:
    """The entity that a table is."""
    name = ".".join(part.name for part in table.parts).casefold()
    some = [one for one in entities if letters(one) == name] or [
        one for one in entities if f".{letters(one)}".endswith(f".{name}") or f".{name}".endswith(f".{letters(one)}")
    ]
    if len(some) != 1:
        raise InputError(f"which entity is its table {name} is not known")
    return some[0]


def _branches(query: Any) -> Iterator[Any]:
    """The queries that UNIONs put together, each with the CTEs of the whole."""
    if not isinstance(query, exp.Union) or any(query.args.get(part) for part in ("order", "limit", "offset")):
        yield query
        return
    shared = query.args.get("with_")
    for side in (query.left, query.right):
        for one in _branches(side.unnest() if isinstance(side, exp.Subquery) else side):
            yield _sharing(one, shared)


def _sharing(query: Any, shared: Any) -> Any:
    """A query with CTEs of the whole."""
    if shared is None:
        return query
    if query.args.get("with_") is not None:
        raise InputError("CTEs stand within CTEs of its UNION")
    used = _used(query, {one.alias: one for one in shared.expressions})
    if not used:
        return query
    made, ctes = query.copy(), shared.copy()
    ctes.set("expressions", [one for one in ctes.expressions if one.alias in used])
    made.set("with_", ctes)
    return made


def _used(query: Any, ctes: Mapping[str, Any]) -> set[str]:
    """The CTEs that a query reads, and those that these read."""
    found: set[str] = set()
    pending = [query]
    while pending:
        for table in pending.pop().find_all(exp.Table):
            for name in ctes.keys() - found:
                if name.casefold() == table.name.casefold():
                    found.add(name)
                    pending.append(ctes[name])
    return found


def _text(query: Any) -> str:
    """The query as Spark's SQL, placeholders in braces."""
    text = str(query.sql(dialect="spark")).replace("{", "{{").replace("}", "}}")
    return re.sub(rf"{PLACE}(read\d+)", r"{\1}", text)
