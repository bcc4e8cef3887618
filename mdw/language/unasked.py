"""What is joined without a condition and is asked for nothing: it decides by having rows at all.

SELECT r.x FROM r CROSS JOIN v        V.`*` decides: without a row of V there is no row
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdw.model.query import ALL, ONE_ROW
from mdw.model.rules import Join, Population, Source

SINGLE = frozenset((ONE_ROW, "DUAL", "SYS.DUAL", "SYSIBM.SYSDUMMY1"))
"""Entities that are known to have one row."""


def unasked(
    joins: Sequence[Join],
    driving: Sequence[tuple[str, str]],
    populations: Sequence[Population],
    deciding: Sequence[Source],
) -> Iterator[Source]:
    """All of each such entity, as sources of a mapping of which ``deciding`` are all others that decide its rows.

    ``driving`` is the entity whose rows the others are joined to, and its row; none of a mapping that changes rows.
    """
    free = [(join.entity, join.row) for join in joins if join.kind == "cross" and not join.mentioned]
    if not free:
        return
    used = {source.read_from for source in deciding}
    used |= {source.read_from for one in populations for clause in one.clauses for source in clause.sources}
    of_all = driving if len(free) == len(joins) else ()
    for entity, row in (*of_all, *free):
        if row not in used and entity not in SINGLE:
            yield Source(f"{entity}.{ALL}", "JOIN", row if row != entity else "")
