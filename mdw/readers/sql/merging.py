"""Tables of ClickHouse whose rows are merged by a key: what FINAL gives of them is decided by that, and by more.

    CREATE TABLE s (k Int64, v Int32) ENGINE = ReplacingMergeTree(v) ORDER BY k      told of S: "merges K", "merges V"
    SELECT a FROM s FINAL                                  of the rows of one K that with the last V: both decide

Of a table of which nobody tells how it is merged it is said that this is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from mdw.readers.nodes import attribute, call

if TYPE_CHECKING:
    from mdw.readers.sql.scopes import SelectScope
    from mdw.readers.sql.work import Work

MERGING = re.compile(r"(?i)(?:Replicated|Shared)?(?:\w*Collapsing|Replacing|Summing|Aggregating|Coalescing)MergeTree")
KEYED = re.compile(r"(?i)(?:Replicated|Shared)?(?:Summing|Aggregating|Coalescing)")
"""Engines whose arguments are no part of what decides, but what is summed."""
FACT = "merges "


def merged_by(properties: Any, work: Work) -> Iterator[str]:
    """By what a table's engine merges its rows, as `EntityEntry.triggers` says it."""
    engine = properties.find(exp.EngineProperty) if properties is not None else None
    name = engine.this.name if engine is not None and work.flavour.name == "clickhouse" else ""
    if MERGING.fullmatch(name):
        parts = [*properties.find_all(exp.Order), *([] if KEYED.match(name) else [engine])]
        columns = [column for part in parts for column in part.find_all(exp.Column)]
        yield from dict.fromkeys(f"{FACT}{work.naming.part(column.this)}" for column in columns)


def final(one: Any, scope: SelectScope) -> None:
    """Of the last relation that was read only what is left when its rows are merged is there."""
    relation, work = scope.relations[-1], scope.work
    if scope.block is None or not relation.entity:
        return
    entry = work.telling.entry(relation.entity)
    names = [fact.removeprefix(FACT) for fact in (entry.triggers if entry is not None else ()) if fact.startswith(FACT)]
    if not names:
        work.unknown(f"what FINAL merges rows of {work.naming.shown(relation.entity)} by")
        return
    for name in names:
        relation.shape.ask(name)
    written = work.naming.written
    at = work.place(one)
    keys = [attribute(f"{written(relation.label)}.{written(name)}", at) for name in names]
    scope.block.limits.append(call("FINAL", keys, at))
