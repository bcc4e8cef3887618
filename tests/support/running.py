"""Scripts of `mdw.render.proof` run with Python's SQLite."""

from __future__ import annotations

import sqlite3
from contextlib import closing


def arrived(script: str) -> dict[str, list[object]]:
    """What the script selects: values by source."""
    found: dict[str, list[object]] = {}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as held:
        for statement in script.split(";\n"):
            for row in held.execute(statement).fetchall():
                found.setdefault(row[0], []).append(row[1])
    return found
