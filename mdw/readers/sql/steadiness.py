"""Views that may have other rows each time they are read: with LIMIT, samples, random numbers, or made of such.

Of such a view read twice nothing that one reading says holds for the other. `witnesses` asks that.
"""

from __future__ import annotations

import re

from sqlglot import exp

from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.work import Work

TELLTALES = re.compile(
    r"\b(?:LIMIT|FETCH|TOP|ROWNUM|QUALIFY|\w*SAMPLE|RAND\w*|UNIFORM|NORMAL|\w*UUID\w*|NEWID|SYS_GUID|NEXTVAL|SEQ[1248])\b"
)
"""Words of which one stands in what makes such a view; hardly any other view has one."""
STEMS_WORDS = "LIMIT FETCH TOP ROWNUM QUALIFY SAMPLE RAND UNIFORM NORMAL UUID NEWID SYS_GUID NEXTVAL SEQ"
STEMS = tuple(STEMS_WORDS.split())
"""What a text has that has one of the words: looked for as it stands, which is ten times as quick."""


def unsteady(view: exp.Expr, work: Work) -> bool:
    """Whether CREATE VIEW makes such a one; what is materialised has its rows."""
    properties = view.args.get("properties")
    if properties is not None and properties.find(exp.MaterializedProperty):
        return False
    if work.piece.mentions(*STEMS) and work.piece.holds(TELLTALES):
        return True
    return any(entry.unsteady for name in work.read if (entry := work.telling.entry(name)))


def steady(work: Work, table: exp.Table) -> bool:
    """Whether a table that a statement reads has the same rows each time."""
    entry = work.telling.entry(entity_named(table_name(table, work), work))
    return entry is None or not entry.unsteady
