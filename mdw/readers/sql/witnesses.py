"""Rows that find themselves: what NOT EXISTS and EXCEPT ask of a row of the very table they look in (rules Q11, Q12).

A table that a statement reads twice has the same rows both times, so a row of it is there to be found; so has a view,
unless it is unsteady. Where a search must find nothing the row itself must not be what is looked for:

>>> import sqlglot
>>> query = sqlglot.parse_one(
...     "SELECT a.v FROM s AS a WHERE NOT EXISTS (SELECT 1 FROM s AS x WHERE x.t = a.t AND x.k > 1)"
... )
>>> not_itself(query.find(sqlglot.exp.Exists)).sql()
'a.t IS NULL OR NOT a.k > 1 OR a.k IS NULL'

That follows from NOT EXISTS and is less than it. Nothing is said where the search leaves rows out that meet its WHERE,
as LIMIT does, or where the row looked from may be none, as on the optional side of a join without a key.

What it is good for: ``FROM s WHERE s.t = 'a' AND NOT EXISTS (SELECT 1 FROM s AS x WHERE x.k = s.k AND x.t = 'a')`` has
no row but those without a K, which no other rule says: NOT EXISTS alone gives no condition (rule Q11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlglot import exp

from mdw.readers.sql.scopes import PSEUDO

PLAIN_TABLE = frozenset(("this", "db", "catalog", "alias"))
"""What a table in a FROM has that leaves none of its rows out."""
PLAIN_QUERY = frozenset(("expressions", "from_", "where", "distinct"))
"""What a query may have that gives each row of its table that meets its WHERE."""
TOLD = (
    exp.And, exp.Or, exp.Not, exp.Paren, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Is, exp.Between,
    exp.Like, exp.Column, exp.Identifier, exp.Literal, exp.Null, exp.Boolean, exp.Neg, exp.Star, exp.Alias,
)  # fmt: skip
"""What a query may be made of to say the same of the row wherever it is read, and to give it once."""


Steady: TypeAlias = Callable[[exp.Table], bool]
"""Whether a table has the same rows each time that a statement reads it."""


def always(_: exp.Table) -> bool:
    """As tables have."""
    return True


def not_itself(sought: exp.Exists, steady: Steady = always) -> exp.Expr | None:
    """What NOT EXISTS asks of a row of the table it looks in; None where it is not told, or is always so."""
    inner, around = sought.this, sought.find_ancestor(exp.Select)
    looked = _plain(inner, steady)
    # A column without a table may be one of the row looked from, or of the rows looked for.
    if looked is None or around is None or any(not column.table for column in _columns(looked.asked)):
        return None
    for row in _keyed(looked, around):
        # The row's own key is the key looked for, unless it is NULL.
        found = _renamed(looked, row)
        if found is not None and any(_same(part) for part in found):
            return _untrue_of(found)
    return None


def narrowed(left: Any, steady: Steady = always) -> Any:
    """The left side of an EXCEPT with what that asks of its rows, where the right gives rows of the same table.

    >>> import sqlglot
    >>> link = sqlglot.parse_one("SELECT k FROM s WHERE k > 1 EXCEPT SELECT k FROM s WHERE t = 'a'")
    >>> narrowed(link.this).sql()
    "SELECT k FROM s WHERE k > 1 AND (NOT s.t = 'a' OR s.t IS NULL)"
    """
    link = left.parent
    # The left side of a chain in parentheses is no query by itself.
    asked = _except_itself(link, steady) if isinstance(link, exp.Except) and link.this is left else None
    if asked is None:
        return left
    found = left.where(asked)
    found.parent = link
    return found


def _except_itself(link: exp.Except, steady: Steady) -> exp.Expr | None:
    left, right = link.this, link.expression
    here, there = _plain(left, steady), _plain(right, steady)
    if here is None or there is None or not link.args.get("distinct") or here.where_table != there.where_table:
        return None
    if link.find_ancestor(exp.Subquery, exp.Exists, exp.In, exp.Lateral):
        # A column without a table may be one of the queries around.
        return None
    # Both sides give the same columns of the table: then a row that the right has, too, is not given.
    row = _Origin(here.alias, None)
    given = [_renamed_one(item.unalias(), there, row) for item in right.expressions]
    if None in given or given != [_renamed_one(item.unalias(), here, row) for item in left.expressions]:
        return None
    found = _renamed(there, row)
    return _untrue_of(found) if found is not None else None


# -- what is looked in -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Looked:
    """A query of all rows of a table that meet a condition: the table, what it is called there, and the condition."""

    where_table: tuple[str, ...]
    alias: str
    asked: Sequence[exp.Expr]


@dataclass(frozen=True, slots=True)
class _Origin:
    """The row looked from, by its alias; ``columns`` are those by which it has the table's, None for the same."""

    alias: str
    columns: Mapping[str, str] | None


def _plain(query: Any, steady: Steady) -> _Looked | None:
    if not isinstance(query, exp.Select) or any(value for key, value in query.args.items() if key not in PLAIN_QUERY):
        return None
    distinct, where = query.args.get("distinct"), query.args.get("where")
    named = _named(query)
    if named is None or (distinct is not None and distinct.args.get("on")) or query.find(exp.AggFunc, exp.Window):
        return None
    parts = list(where.this.flatten()) if where is not None and isinstance(where.this, exp.And) else []
    asked = parts or ([where.this] if where is not None else [])
    if not all(_told(node) for part in (*asked, *query.expressions) for node in part.walk()) or not steady(named):
        return None
    return _Looked(_name_of(named), named.alias_or_name.lower(), asked)


def _told(node: exp.Expr) -> bool:
    if isinstance(node, exp.Column):
        # ROWNUM, a field within a column: not the same of each row, or not a column.
        return type(node) is exp.Column and node.args.get("db") is None and node.name.upper() not in PSEUDO
    return isinstance(node, TOLD)


def _named(query: exp.Select) -> exp.Table | None:
    """The table a query reads first: none that is made within the statement, which may be made anew each time."""
    clause = query.args.get("from_")
    table = clause.this if clause is not None else None
    return table if isinstance(table, exp.Table) and _whole(table) and _made(table) is None else None


def _whole(table: exp.Table) -> bool:
    return isinstance(table.this, exp.Identifier) and not any(
        value for key, value in table.args.items() if key not in PLAIN_TABLE
    )


def _name_of(table: exp.Table) -> tuple[str, ...]:
    """The name of a table: two that are spelled alike are one."""
    return tuple(one.sql() if one.args.get("quoted") else one.name.lower() for one in table.parts)


def _made(table: exp.Table) -> exp.CTE | None:
    """The query of a CTE of that name, where one is seen from the place of a table."""
    if table.args.get("db") is not None:
        return None
    node: Any = table
    while node is not None:
        clause = node.args.get("with_")
        known = clause.expressions if clause is not None else []
        if isinstance(node, exp.CTE) and isinstance(node.parent, exp.With):
            # Of the CTEs beside it one sees those before it.
            siblings = node.parent.expressions
            known, node = siblings[: next(at for at, one in enumerate(siblings) if one is node)], node.parent.parent
        for cte in known:
            if isinstance(cte, exp.CTE) and cte.alias.lower() == table.name.lower():
                return cte
        node = node.parent if node is not None else None
    return None


# -- the row looked from -----------------------------------------------------------------------------------------------


def _keyed(looked: _Looked, around: exp.Select) -> Iterator[_Origin]:
    """The rows around by whose columns a query looks for rows, which are rows of the table it looks in."""
    for name in dict.fromkeys(column.table.lower() for column in _columns(looked.asked)):
        for table in _read_by(around) if name != looked.alias else ():
            if table.alias_or_name.lower() == name:
                yield from _row_of(table, looked)


def _columns(parts: Sequence[exp.Expr]) -> Iterator[exp.Column]:
    return (column for part in parts for column in part.find_all(exp.Column))


def _read_by(query: exp.Select) -> Iterator[exp.Table]:
    clauses = [query.args.get("from_"), *(query.args.get("joins") or ())]
    return (one.this for one in clauses if one is not None and isinstance(one.this, exp.Table))


def _row_of(table: exp.Table, looked: _Looked) -> Iterator[_Origin]:
    if not _whole(table) or (table.args.get("alias") is not None and table.args["alias"].args.get("columns")):
        return
    cte = _made(table)
    if cte is None:
        if _name_of(table) == looked.where_table:
            yield _Origin(table.alias_or_name, None)
        return
    # Each row of a CTE is made of one of the table, which some of its columns copy.
    body = cte.this
    if not isinstance(body, exp.Select) or cte.args["alias"].args.get("columns") or body.args.get("with_"):
        return
    # Not where rows are made into one, nor where a join has rows without one of the table.
    read, joins = _named(body), body.args.get("joins") or ()
    grouped = body.args.get("group") is not None or any(one.parent_select is body for one in body.find_all(exp.AggFunc))
    outer = any(one.side in ("RIGHT", "FULL") for one in joins)
    if read is None or grouped or outer or _name_of(read) != looked.where_table:
        return
    own = [(one.alias_or_name, one.unalias()) for one in body.selects]
    columns = {
        value.name.lower(): name
        for name, value in own
        if isinstance(value, exp.Column) and value.table == read.alias_or_name
    }
    yield _Origin(table.alias_or_name, columns)


def _renamed(looked: _Looked, row: _Origin) -> list[exp.Expr] | None:
    """What is asked of the rows looked for, asked of the row they are looked for from; None where that has no words."""
    found = [_renamed_one(part, looked, row) for part in looked.asked]
    return None if None in found else [one for one in found if one is not None]


def _renamed_one(part: exp.Expr, looked: _Looked, row: _Origin) -> exp.Expr | None:
    told = True

    def own(node: exp.Expr) -> exp.Expr:
        nonlocal told
        if not isinstance(node, exp.Column) or node.table.lower() not in ("", looked.alias):
            return node
        name = node.name if row.columns is None else row.columns.get(node.name.lower(), "")
        told = told and bool(name) and isinstance(node.this, exp.Identifier)
        changed = node.copy()
        changed.set("table", exp.to_identifier(row.alias))
        if row.columns is not None and name:
            changed.set("this", exp.to_identifier(name, quoted=node.this.args.get("quoted")))
        return changed

    changed = part.copy().transform(own)
    return changed if told else None


# -- that it is not what is looked for ---------------------------------------------------------------------------------


def _same(part: exp.Expr) -> bool:
    return isinstance(part, exp.EQ) and isinstance(part.this, exp.Column) and part.this == part.expression


def _untrue_of(parts: Sequence[exp.Expr]) -> exp.Expr | None:
    """That not all parts are TRUE; None where some part is never TRUE."""
    # x.k <> s.k, asked of the row itself, is k <> k: it never finds itself, and so nothing follows.
    if any(isinstance(one, (exp.NEQ, exp.GT, exp.LT)) and one.this == one.expression for one in parts):
        return None
    found = dict.fromkeys(one for part in parts for one in _ways(part))
    return exp.or_(*found, wrap=True) if found else exp.false()


def _ways(part: exp.Expr) -> Sequence[exp.Expr]:
    """The ways a condition is not TRUE: it is FALSE, or something it compares is NULL."""
    part = part.unnest()
    # Not TRUE of A AND B: of one of them. Of A OR B: of both.
    if isinstance(part, exp.And):
        return [way for one in part.flatten() for way in _ways(one)]
    if isinstance(part, exp.Or):
        return [exp.and_(*[exp.or_(*_ways(one)) for one in part.flatten()])]
    if _same(part):
        return [_null(part.this)]
    if isinstance(part, exp.Is):
        return [exp.not_(part)]
    if isinstance(part, exp.Not):
        return _untrue_not(part.this.unnest())
    return [exp.not_(part), *_nulls(part)]


def _untrue_not(inner: exp.Expr) -> Sequence[exp.Expr]:
    """The ways NOT of something is not TRUE: that is TRUE, or NULL."""
    if isinstance(inner, exp.Not):
        return _ways(inner.this)
    if isinstance(inner, (exp.And, exp.Or)):
        kind: Callable[..., exp.Expr] = exp.or_ if isinstance(inner, exp.And) else exp.and_
        return _ways(kind(*[exp.not_(one) for one in inner.flatten()]))
    return [inner] if isinstance(inner, exp.Is) else [inner, *_nulls(inner)]


def _nulls(part: exp.Expr) -> list[exp.Expr]:
    return [_null(column) for column in dict.fromkeys(part.find_all(exp.Column))]


def _null(column: exp.Expr) -> exp.Expr:
    return exp.Is(this=column.copy(), expression=exp.null())
