"""Whether the SQL of an end runs: read in its dialect, written for DuckDB, executed over empty tables."""

from __future__ import annotations

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from mdw.model.name import entity_of, parts
from mdw.readers.sql.dialects import flavour_of

NUMBER, DAY, MOMENT, TRUTH, TEXT = "DECIMAL(18, 4)", "DATE", "TIMESTAMP", "BOOLEAN", "VARCHAR"
ABSENT = "does not exist"
"""What DuckDB says of a function that it lacks."""


def fault(sql: str, attribute: str, dialect: str = "") -> str:
    """What keeps a condition on rows of an attribute's entity from running; "" where it runs."""
    entity = entity_of(attribute)
    try:
        parser = flavour_of(dialect).parser if dialect else None
        condition = sqlglot.parse_one(sql, dialect=parser)
    except SqlglotError as error:
        return f"cannot be parsed: {error}"
    own = exp.to_table(".".join(f'"{_plain(one)}"' for one in parts(entity)))
    query = exp.select("1").from_(own).where(condition)
    tables = {_name(table): {} for table in query.find_all(exp.Table)}
    aliases = {table.alias.upper(): _name(table) for table in query.find_all(exp.Table) if table.alias}
    types = _types(query)
    for column in query.find_all(exp.Column):
        of = tuple(one.name.upper() for one in column.parts[:-1]) or _name(own)
        # Of a query within others the database knows the columns; whatever it does not find it says itself.
        table = aliases.get(of[-1], of)
        if table in tables:
            kind = types.get(_key(column))
            tables[table][column.name.upper()] = kind or tables[table].get(column.name.upper(), TEXT)
    with duckdb.connect() as connection:
        for schema in {name[:-1] for name in tables if name[:-1]}:
            connection.execute(f"ATTACH IF NOT EXISTS ':memory:' AS \"{schema[0]}\"") if len(schema) > 1 else None
            connection.execute("CREATE SCHEMA IF NOT EXISTS " + _quoted(schema))
        for name, columns in tables.items():
            listed = ", ".join(f'"{one}" {kind}' for one, kind in (columns or {"A": TEXT}).items())
            connection.execute(f"CREATE TABLE {_quoted(name)} ({listed})")
        try:
            connection.execute(query.sql("duckdb")).fetchall()
        except duckdb.Error as error:
            return f"does not run: {error}\n{query.sql('duckdb')}"
    return ""


def _plain(name: str) -> str:
    return name.strip("`")


def _name(table: exp.Table) -> tuple[str, ...]:
    return tuple(one.name.upper() for one in table.parts)


def _quoted(name: tuple[str, ...]) -> str:
    return ".".join(f'"{one}"' for one in name)


def _key(column: exp.Column) -> str:
    return ".".join(one.name.upper() for one in column.parts)


def _types(query: exp.Expr) -> dict[str, str]:
    """The types of columns, by what they are compared and computed with."""
    found: dict[str, str] = {}
    same = [(one.left, one.right) for one in query.find_all(exp.Binary) if isinstance(one, exp.Predicate)]
    same += [(one.this, other) for one in query.find_all(exp.In) for other in one.expressions]
    same += [(one.this, one.args[end]) for one in query.find_all(exp.Between) for end in ("low", "high")]
    same += [(one.left, one.right) for one in query.find_all(exp.Add, exp.Sub, exp.Mul, exp.Div)]
    # What a query within gives has the type of what it is made of.
    for one in query.find_all(exp.Subquery):
        for branch in one.this.find_all(exp.Select) if one.alias else ():
            given = branch.expressions if branch.parent_select is one.parent_select or branch.parent is one else ()
            same += [(exp.column(item.alias, one.alias), item.this) for item in given if isinstance(item, exp.Alias)]
    for _ in range(5):
        for pair in same:
            for one, other in (pair, pair[::-1]):
                kind = _kind(other, found)
                for column in one.find_all(exp.Column) if kind and not isinstance(one, exp.Anonymous) else ():
                    found.setdefault(_key(column), kind)
    return found


def _kind(one: exp.Expr, found: dict[str, str]) -> str:
    one = one.unnest()
    if isinstance(one, (exp.Literal, exp.Neg)):
        return TEXT if one.is_string else NUMBER
    if isinstance(one, exp.Cast):
        return one.to.sql("duckdb")
    if isinstance(one, (exp.Max, exp.Min)):
        return _kind(one.this, found)
    if isinstance(one, (exp.Count, exp.Sum, exp.Avg)):
        return NUMBER
    if isinstance(one, (exp.CurrentDate, exp.TsOrDsToDate)):
        return DAY
    if isinstance(one, exp.Boolean):
        return TRUTH
    if isinstance(one, (exp.Add, exp.Sub, exp.Mul, exp.Div)):
        return DAY if isinstance(one.expression, exp.Interval) else NUMBER
    return found.get(_key(one), "") if isinstance(one, exp.Column) else ""
