"""Where the rules of SQL give no condition, and the same statement with that left away.

A source that an answer keeps and that never arrives is kept by the rules if it arrives once the part is left away of
which a rule says that no condition comes of it. So the cause is tried, not guessed.

>>> print(relaxed([RELAXING["NOT and OR of EXISTS (Q11)"]], "SELECT * FROM c WHERE NOT EXISTS (SELECT 1 FROM d)"))
SELECT * FROM c WHERE TRUE
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import sqlglot
from sql_warehouses import COLUMNS
from sqlglot import exp

Relaxing = Callable[[exp.Expr], exp.Expr | None]
"""What stands in the place of a part; None where it stays."""
FREED = {"k": "0, 1, 2, 3, NULL", "t": "'a', 'b', 'c', 'd', NULL"}


def relaxed(parts: Iterable[Relaxing], text: str) -> str:
    """A statement without these parts."""
    tree = sqlglot.parse_one(text, dialect="duckdb")
    for relaxing in parts:
        # Inner queries first: what is put around one must not be met again.
        for node in reversed(list(tree.walk())):
            if (found := relaxing(node)) is not None:
                node.replace(found)
    return tree.sql(dialect="duckdb")


def _except(node: exp.Expr) -> exp.Expr | None:
    return node.left.copy() if isinstance(node, exp.Except) else None


def _exists(node: exp.Expr) -> exp.Expr | None:
    """NOT EXISTS asks nothing; EXISTS and IN beside OR ask only that something can pass inside."""
    if isinstance(node, exp.Not) and isinstance(node.this, exp.Exists):
        return exp.true()
    query = node.this if isinstance(node, exp.Exists) else node.args.get("query") if isinstance(node, exp.In) else None
    if query is None or not node.find_ancestor(exp.Or):
        return None
    inner = (query.this if isinstance(query, exp.Subquery) else query).copy()
    asked = inner.args["where"].this
    parts = asked.flatten() if isinstance(asked, exp.And) else [asked]
    kept = [part for part in parts if not _outer(part)]
    return exp.Exists(this=inner.where(*kept or [exp.true()], append=False))


def _outer(condition: exp.Expr) -> bool:
    """Whether a condition of an inner query, which reads X, speaks of the outer row."""
    return any(column.table != "x" for column in condition.find_all(exp.Column))


def _having(node: exp.Expr) -> exp.Expr | None:
    return exp.Having(this=exp.true()) if isinstance(node, exp.Having) and node.find(exp.AggFunc) else None


def _ranks(node: exp.Expr) -> exp.Expr | None:
    return exp.Qualify(this=exp.true()) if isinstance(node, exp.Qualify) else None


def _aggregated(node: exp.Expr) -> exp.Expr | None:
    """Of MIN and MAX nothing is known but on the way of their own value, so K and T may be anything."""
    if not isinstance(node, exp.Select) or not node.args.get("group"):
        return None
    freed = [one.alias for one in node.selects if one.alias in FREED and one.find(exp.AggFunc)]
    return _freely(node, freed) if freed else None


def _windowed(node: exp.Expr) -> exp.Expr | None:
    """A window's value is another row's, and only by the keys of its partition is the row made bound to that."""
    if not isinstance(node, exp.Select) or not any(one.find(exp.Window) for one in node.selects):
        return None
    parts = [one.name for window in node.selects[2].find_all(exp.Window) for one in window.args["partition_by"]]
    free = _freely(node, [name for name in FREED if name not in parts], lost="w")
    # W is the row's own: it stays under all that is asked of the row.
    return exp.union(node.copy(), free, distinct=False).subquery()


def _freely(query: exp.Expr, freed: Sequence[str], lost: str = "") -> exp.Select:
    """The query's rows with any values in some columns, and NULL in the one that is lost."""
    put = {**{name: f"any_{name}.{name}" for name in freed}, lost: "NULL"}
    columns = [f"{put.get(name, f'made.{name}')} AS {name}" for name in COLUMNS]
    lists = [f"(SELECT UNNEST([{FREED[name]}]) AS {name}) AS any_{name}" for name in freed]
    found = exp.select(*columns, dialect="duckdb").from_(exp.Subquery(this=query.copy()).as_("made"))
    for one in lists:
        found = found.join(one, join_type="cross", dialect="duckdb")
    return found


def _alike(node: exp.Expr) -> exp.Expr | None:
    """INTERSECT of texts that no rule compares: rows that differ in V and W only may be alike elsewhere."""
    if not isinstance(node, exp.Intersect):
        return None
    left, right = (exp.Subquery(this=side.copy()).as_(name) for side, name in ((node.left, "o"), (node.right, "x")))
    same = "o.k IS NOT DISTINCT FROM x.k AND o.t IS NOT DISTINCT FROM x.t"
    found = exp.Exists(this=exp.select("1").from_(right).where(same, dialect="duckdb"))
    return exp.select("o.*").from_(left).where(found)


RELAXING: dict[str, Relaxing] = {
    "EXCEPT (Q12)": _except,
    "NOT and OR of EXISTS (Q11)": _exists,
    "HAVING of no key (Q14)": _having,
    "MIN and MAX of another column (Q14)": _aggregated,
    "ranks (Q13, Q16)": _ranks,
    "the row of a window's value (Q16)": _windowed,
    "INTERSECT of texts never alike (Q12)": _alike,
}
