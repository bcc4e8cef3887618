"""Views through which rows are written: which of their columns are columns of tables.

    CREATE VIEW v AS SELECT a AS x, b, UPPER(c) AS y FROM core.t      X is CORE.T.A, B is CORE.T.B, Y is none
    INSERT INTO v (x) SELECT k FROM s                                 fills CORE.T.A, and V by what it is

Databases write through views whose rows are rows of tables: not of groups, not distinct, not the first few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from mdw.readers.sql.building import Building
from mdw.readers.sql.work import Work

UPDATABLE = frozenset(
    ("ansi", "postgres", "tsql", "oracle", "mysql", "singlestore", "teradata", "clickhouse", "spark", "databricks")
)
"""Dialects of databases that write through views."""


def passes(view: exp.Expr, blocks: Iterable[Building], work: Work) -> tuple[tuple[str, str], ...]:
    """The columns of what CREATE VIEW makes that are columns of tables, each with that; ``*`` for those not known."""
    properties = view.args.get("properties")
    kept = properties is not None and properties.find(exp.MaterializedProperty) is not None
    if kept or work.flavour.name not in UPDATABLE:
        return ()
    return passing(blocks, work)


def passing(blocks: Iterable[Building], work: Work) -> tuple[tuple[str, str], ...]:
    """The columns of blocks that are columns of tables, each with that."""
    return tuple(sorted({pair for block in blocks for pair in _columns(block, work)}))


def _columns(block: Building, work: Work) -> Iterator[tuple[str, str]]:
    if block.group is not None or block.distinct is not None or block.limits or block.qualify:
        return
    written = work.naming.written
    tables = {written(read.role or read.entity): read.entity for read in block.reads}
    for one in block.outputs:
        content = one.value.content if one.value.role == "attribute" else ""
        # The longest, for a role may have dots in it.
        role = max((name for name in tables if content.startswith(f"{name}.")), key=len, default="")
        entity, column = tables.get(role, ""), content[len(role) + 1 :]
        if entity and entity not in work.inner_entities:
            yield one.name, f"{entity}.{column if column.startswith('`') else column.upper()}"
