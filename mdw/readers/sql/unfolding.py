"""Inner entities in the SQL of a condition -> what they read: whoever runs it has tables, and no names of a statement.

>>> said = 'EXISTS(SELECT 1 FROM "v.sql:v".C WHERE S.K = "v.sql:v".C.K)'
>>> unfolded(said, {("v.sql:v", "C"): "SELECT P.K AS K FROM P WHERE P.X = 1"})
'EXISTS(SELECT 1 FROM P WHERE S.K = P.K AND P.X = 1)'
>>> unfolded(said, {("v.sql:v", "C"): "SELECT MAX(P.K) AS K FROM P GROUP BY P.X"})
'EXISTS(SELECT 1 FROM (SELECT MAX(P.K) AS K FROM P GROUP BY P.X) AS C WHERE S.K = C.K)'
>>> both = 'EXISTS(SELECT 1 FROM "v.sql:v".C, "v.sql:w".C WHERE S.K = "v.sql:v".C.K AND S.K = "v.sql:w".C.K)'
>>> made = {("v.sql:v", "C"): "SELECT MAX(P.K) AS K FROM P", ("v.sql:w", "C"): "SELECT MIN(Q.K) AS K FROM Q"}
>>> unfolded(both, made).partition(" FROM ")[2]
'(SELECT MAX(P.K) AS K FROM P) AS C, (SELECT MIN(Q.K) AS K FROM Q) AS C_2 WHERE S.K = C.K AND S.K = C_2.K)'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

Name = tuple[str, ...]


def unfolded(text: str, queries: Mapping[Name, str]) -> str:
    """The condition with the queries of inner entities for these; what is no SQL, or reads itself, stays as it is."""
    try:
        tree = sqlglot.parse_one(text)
        found: str = _unfolded(tree, {name: sqlglot.parse_one(query) for name, query in queries.items()}).sql()
    except (SqlglotError, RecursionError):
        return text
    return found


def _unfolded(tree: Any, queries: Mapping[Name, Any]) -> Any:
    """Each query stands in for its entity; within it others stand for theirs, but never one for itself."""
    # Two statements may have called their own alike: "subquery 1".
    met: dict[str, Name] = {}
    # A list, for the tree changes meanwhile.
    for table in [one for one in tree.find_all(exp.Table) if _name(one) in queries]:
        name = _name(table)
        inner = {other: query for other, query in queries.items() if other != name}
        query = _unfolded(queries[name].copy(), inner)
        block = table.find_ancestor(exp.Select)
        called, quotes = table.alias or _free(name, met), bool(table.this.args.get("quoted"))
        for column in [one for one in block.find_all(exp.Column) if _qualifier(one) == name]:
            column.set("table", exp.to_identifier(called, quoted=quotes))
            column.set("db", None)
            column.set("catalog", None)
        used = {one.name for one in block.find_all(exp.Column) if _qualifier(one) == (called,)}
        if not used <= set(query.named_selects):
            raise SqlglotError(f"{called} has columns that no rule fills")
        if not _merged(block, table, query, called):
            alias = exp.TableAlias(this=exp.to_identifier(called, quoted=quotes))
            table.replace(exp.Subquery(this=query, alias=alias))
    return tree


def _free(name: Name, met: dict[str, Name]) -> str:
    """The last part of an entity's name, with a number where another entity has it."""
    called, number = name[-1], 1
    while met.setdefault(called, name) != name:
        number += 1
        called = f"{name[-1]} {number}" if " " in name[-1] else f"{name[-1]}_{number}"
    return called


def _merged(block: Any, table: Any, query: Any, called: str) -> bool:
    """Whether a query of one table that gives its columns as they are could become part of the block that reads it."""
    plain = isinstance(query, exp.Select) and not (
        {key for key, value in query.args.items() if value} - {"kind", "expressions", "from_", "where"}
    )
    source = query.args["from_"].this if plain and query.args.get("from_") else None
    if not isinstance(source, exp.Table) or source.alias or not isinstance(table.parent, exp.From):
        return False
    # Where the block reads that table already, names would mean two rows of it (rule Q7).
    given = {one.alias_or_name: one.unalias() for one in query.expressions}
    own = _name(source)
    others = {_name(one) for one in block.find_all(exp.Table) if one is not table}
    others |= {_qualifier(one) for one in block.find_all(exp.Column)}
    used = [one for one in block.find_all(exp.Column) if _qualifier(one) == (called,)]
    if own in others or not all(isinstance(given.get(one.name), exp.Column) for one in used):
        return False
    for column in used:
        column.replace(given[column.name].copy())
    table.replace(source.copy())
    if query.args.get("where"):
        asked = [block.args["where"].this] if block.args.get("where") else []
        parts = [exp.paren(one) if isinstance(one, exp.Or) else one for one in (*asked, query.args["where"].this)]
        block.set("where", exp.Where(this=exp.and_(*parts, wrap=False)))
    return True


def _name(table: Any) -> Name:
    return tuple([one.name for one in table.parts])


def _qualifier(column: Any) -> Name:
    return tuple([one.name for one in column.parts[:-1]])
