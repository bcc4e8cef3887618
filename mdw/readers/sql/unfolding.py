"""Inner entities in the SQL of a condition -> what they read: whoever runs it has tables, and no names of a statement.

>>> said = 'EXISTS(SELECT 1 FROM "v.sql:v".C WHERE S.K = "v.sql:v".C.K)'
>>> unfolded(said, {("v.sql:v", "C"): "SELECT P.K AS K FROM P WHERE P.X = 1"})
('EXISTS(SELECT 1 FROM P WHERE S.K = P.K AND P.X = 1)', True)
>>> unfolded(said, {("v.sql:v", "C"): "SELECT MAX(P.K) AS K FROM P GROUP BY P.X"})[0]
'EXISTS(SELECT 1 FROM (SELECT MAX(P.K) AS K FROM P GROUP BY P.X) AS C WHERE S.K = C.K)'
>>> both = 'EXISTS(SELECT 1 FROM "v.sql:v".C, "v.sql:w".C WHERE S.K = "v.sql:v".C.K AND S.K = "v.sql:w".C.K)'
>>> made = {("v.sql:v", "C"): "SELECT MAX(P.K) AS K FROM P", ("v.sql:w", "C"): "SELECT MIN(Q.K) AS K FROM Q"}
>>> unfolded(both, made)[0].partition(" FROM ")[2]
'(SELECT MAX(P.K) AS K FROM P) AS C, (SELECT MIN(Q.K) AS K FROM Q) AS C_2 WHERE S.K = C.K AND S.K = C_2.K)'

What no query tells is left out, so that more rows meet the condition; so is what a parameter decides:

>>> unfolded(f"S.X = 1 AND ({said} OR S.X = 2)", {("v.sql:v", "C"): ""})
('S.X = 1', False)
>>> unfolded(said, {("v.sql:v", "C"): "SELECT P.K AS K, :LIMIT AS L FROM P WHERE P.X > :LIMIT AND P.Y = 1"})
('EXISTS(SELECT 1 FROM P WHERE S.K = P.K AND P.Y = 1)', False)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from mdw.model.query import ONE_ROW

Name = tuple[str, ...]
PASSING = (exp.And, exp.Or, exp.Paren, exp.Where, exp.Exists, exp.From, exp.Subquery, exp.Union)
"""What lets more rows through where a part of it does."""
UNTOLD = "untold"
"""The mark of a table or a column that no query tells."""
NO_TABLE = (ONE_ROW.strip("`"),)
"""What stands where a query reads no table."""
NARROWING = frozenset(("group", "having", "limit", "offset", "distinct", "qualify"))


def unfolded(text: str, queries: Mapping[Name, str]) -> tuple[str, bool]:
    """The condition with the queries of inner entities for these, and whether nothing had to be left out.

    An entity without a query, or a column that its query does not give, is told by nothing.
    """
    try:
        holder = exp.Where(this=sqlglot.parse_one(text))
        made = {name: query for name, text in queries.items() if text and (query := _read(text)) is not None}
        _unfolded(holder, made, queries.keys())
        whole = True
        while parts := [one for one in holder.walk() if one.meta.get(UNTOLD) or isinstance(one, exp.Placeholder)]:
            whole = False
            _left_out(parts[0])
        found: str = holder.this.sql()
    except (SqlglotError, RecursionError):
        return "TRUE", False
    return found, whole


def _read(text: str) -> Any:
    """A query, without the columns that a parameter gives; None where it is none."""
    try:
        query = sqlglot.parse_one(text)
    except SqlglotError:
        return None
    branches = _branches(query)
    given = {one.alias for branch in branches for one in branch.expressions if one.find(exp.Placeholder)}
    for branch in branches if given else ():
        kept = [one for one in branch.expressions if one.alias not in given]
        branch.set("expressions", kept or [exp.Literal.number(1)])
    return query


def _unfolded(tree: Any, queries: Mapping[Name, Any], every: Any) -> Any:
    """Each query stands in for its entity; within it others stand for theirs, and itself for what it made before."""
    # Two statements may have called their own alike, "subquery 1", and a table may be called so as well.
    root = tree.root()
    told = {_name(one) for one in root.find_all(exp.Table)} | {_qualifier(one) for one in root.find_all(exp.Column)}
    met: dict[str, Name] = {name[-1]: () for name in told if len(name) == 1 and name not in every}
    # A list, for the tree changes meanwhile.
    for table in [one for one in tree.find_all(exp.Table) if _name(one) in every]:
        name = _name(table)
        if name not in queries:
            table.meta[UNTOLD] = True
            continue
        inner = {other: query for other, query in queries.items() if other != name}
        block = table.find_ancestor(exp.Select)
        if name == NO_TABLE and not block.args.get("joins"):
            block.set("from_", None)
            continue
        called = table.alias or _free(name, met)
        quotes = bool(table.this.args.get("quoted")) and name != NO_TABLE
        query = queries[name].copy()
        if any(_name(one) == name for one in query.find_all(exp.Table)):
            query = _recursive(query, name, called, quotes)
        if query is None:
            table.meta[UNTOLD] = True
            continue
        query = _unfolded(query, inner, every)
        for column in [one for one in block.find_all(exp.Column) if _qualifier(one) == name]:
            _call(column, called, quotes)
        given = set(_branches(query)[0].named_selects)
        for column in [one for one in block.find_all(exp.Column) if _qualifier(one) == (called,)]:
            if column.name not in given:
                column.meta[UNTOLD] = True
        if not _merged(block, table, query, called):
            alias = exp.TableAlias(this=exp.to_identifier(called, quoted=quotes))
            table.replace(exp.Subquery(this=query, alias=alias))
    return tree


def _recursive(query: Any, name: Name, called: str, quotes: bool) -> Any:
    """A query that reads what it makes, as a CTE that may; None where it begins nowhere, or goes on in several ways."""
    parts = _branches(query)
    again = [one for one in parts if any(_name(table) == name for table in one.find_all(exp.Table))]
    first = [one for one in parts if one not in again]
    if not first or len(again) > 1:
        return None
    for table in [one for one in again[0].find_all(exp.Table) if _name(one) == name]:
        table.replace(exp.to_table(exp.to_identifier(called, quoted=quotes).sql(), alias=table.alias or None))
    for column in [one for one in again[0].find_all(exp.Column) if _qualifier(one) == name]:
        _call(column, called, quotes)
    # What is there twice is there: only so the rounds come to an end.
    both = exp.union(*first, *again, distinct=True)
    found: Any = exp.select(*map(exp.column, parts[0].named_selects)).from_(exp.to_identifier(called, quoted=quotes))
    alias = exp.TableAlias(this=exp.to_identifier(called, quoted=quotes))
    found.set("with_", exp.With(expressions=[exp.CTE(this=both, alias=alias)], recursive=True))
    return found


def _branches(query: Any) -> list[Any]:
    """The SELECTs of a UNION, in order."""
    if isinstance(query, exp.Union):
        return [*_branches(query.left), *_branches(query.right)]
    return [query]


def _call(column: Any, called: str, quotes: bool) -> None:
    column.set("table", exp.to_identifier(called, quoted=quotes))
    column.set("db", None)
    column.set("catalog", None)


def _left_out(part: Any) -> None:
    """Take the smallest test around a part out of the condition, so that it lets more rows through and never fewer."""
    atom, more = part.find_ancestor(exp.Predicate), True
    one = atom
    while one is not None and one.parent is not None:
        above = one.parent
        if isinstance(above, exp.Not):
            more = not more
        elif not isinstance(above, PASSING) and not _plain(above) and not _inner(above):
            atom, more = above if isinstance(above, exp.Predicate) else above.find_ancestor(exp.Predicate), True
            above = atom
        one = above
    if atom is None:
        part.root().set("this", exp.true())
        return
    while isinstance(above := atom.parent, (exp.And, exp.Or, exp.Paren)):
        if not isinstance(above, exp.Paren) and isinstance(above, exp.And) is not more:
            # FALSE AND x is FALSE, TRUE OR x is TRUE: all of it is left out.
            atom = above
        elif isinstance(above, exp.Paren):
            atom = above
        else:
            above.replace(above.right if above.left is atom else above.left)
            return
    if isinstance(atom.parent, exp.Where) and more and isinstance(atom.parent.parent, exp.Select):
        atom.parent.pop()
    else:
        atom.replace(exp.true() if more else exp.false())


def _plain(one: Any) -> bool:
    """Whether a SELECT gives more rows where it reads more: no groups, and nothing counted."""
    if not isinstance(one, exp.Select) or any(one.args.get(key) for key in NARROWING):
        return False
    return not any(column.find(exp.AggFunc, exp.Window) for column in one.expressions)


def _inner(one: Any) -> bool:
    return isinstance(one, exp.Join) and one.side == "" and one.kind in ("", "INNER", "CROSS")


def _free(name: Name, met: dict[str, Name]) -> str:
    """The last part of an entity's name, with a number where another entity has it."""
    called, number = name[-1] if name != NO_TABLE else "one_row", 1
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
