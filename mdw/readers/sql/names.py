"""Names in expressions -> columns, variables and parameters of the program, whichever a name means where it stands.

SELECT c.paid, kind, limit_ FROM claim AS c     PAID is C's; KIND C's too if it may have one; LIMIT_ may be a variable
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from mdw.model.name import local_of
from mdw.model.tree import Location, Node
from mdw.readers.nodes import call, field, opaque, parameter
from mdw.readers.sql import variables
from mdw.readers.sql.scopes import SelectScope, everything, whole_row
from mdw.readers.sql.zipped import part_of

PARTS = ("catalog", "db", "table", "this")
"""The parts of a column's name, as sqlglot keeps them."""


def column(one: Any, scope: SelectScope) -> Node:
    """What sqlglot takes for a column: a column or a variable; t.* among them, a row."""
    return column_at(one, scope, scope.work.place(one))


def column_at(one: Any, scope: SelectScope, at: Location | None) -> Node:
    """The same, where its place is known."""
    given = one.args
    own = given["this"]
    if type(own) is exp.Identifier and len(given) == 1:
        return named([own], at, scope)
    if isinstance(own, exp.Star):
        return call("ROW", row_of_star(one, scope), at)
    if isinstance(own, exp.Parameter):
        return given_outside(own, scope, [scope.work.naming.part(given["table"])] if given.get("table") else ())
    return named([given[part] for part in PARTS if type(given.get(part)) is exp.Identifier], at, scope)


def row_of_star(one: Any, scope: SelectScope) -> list[Node]:
    """The columns that * or t.* stands for as one value."""
    table = one.args.get("table")
    own = scope.relation([scope.work.naming.part(table)]) if table is not None else None
    relations = [own] if own is not None else [] if table is not None else scope.relations
    return [node for relation in relations for node in whole_row(relation, scope.work, scope.work.place(one))]


def is_plain(one: exp.Expr, scope: SelectScope) -> bool:
    """Whether a name in parentheses means what it means without: not a table's row where it may be a column as well."""
    if not isinstance(one, exp.Column):
        return False
    row = scope.relation([scope.work.naming.part(part) for part in one.parts])
    return row is None or row.shape.complete or local_of(row.entity) != scope.work.naming.part(one.this)


def named(identifiers: Sequence[exp.Expr], at: Location | None, scope: SelectScope) -> Node:
    """A name of several parts: schema, table, column, fields of the column.

    Which part is the column is not written. In ``a.b.c`` it may be C of table A.B, or B of A with a field C, or A with
    a field B.C: the longest qualifier that a relation has is taken.
    """
    naming = scope.work.naming
    names = [naming.part(part) for part in identifiers]
    if len(names) > 1 and names[-1] in ("NEXTVAL", "CURRVAL"):
        return call(names[-1], (), at)
    # The x of a lambda, x -> x + 1: an element of what the function is given beside it.
    if names[0] in scope.bound:
        return parameter(identifiers[0].name, at)
    if len(names) == 1 and names[0] in scope.work.variables:
        return _variable(names[0], identifiers[0].name, at, scope)
    # r.a is a field of the record R, unless a relation is called so.
    if len(names) > 1 and scope.work.variables and scope.relation(names[:1]) is None:
        found = variables.field_of(names, scope, at)
        if found is not None:
            return found
    if names[-1] in variables.MESSAGES and _asks_message(names, scope):
        told = variables.message(names[-1], scope, at)
        if told is not None:
            return told
    if scope.work.flavour.name == "oracle" and (given := _called_plainly(identifiers, scope)) is not None:
        return given
    plain = len(names) == 1 and not identifiers[0].args.get("quoted")
    if plain and (names[0] == "DEFAULT" or (scope.work.flavour.special(names[0]) and not is_known(names[0], scope))):
        return call(names[0], (), at)
    for length in range(len(names) - 1, -1, -1):
        if length == 1 and _is_field(names, scope):
            continue
        found = scope.column(names[length], names[:length], at)
        if found is not None:
            rest = identifiers[length + 1 :]
            if rest and (part := part_of(found, rest[0].name, scope)) is not None:
                found, rest = part, rest[1:]
            return field(found, ".".join([part.name for part in rest]), at) if rest else found
    written = ".".join(part.name for part in identifiers)
    scope.work.unknown(written)
    return opaque(written, scope.untold(names[-1], at) if len(names) == 1 else (), at)


def _is_field(names: Sequence[str], scope: SelectScope) -> bool:
    """Whether ``s.a`` is a field of a column that is called like its table, which has no column A."""
    relation = scope.relation(names[:1])
    return relation is not None and relation.shape.has(names[1]) is False and is_known(names[0], scope)


def _asks_message(names: Sequence[str], scope: SelectScope) -> bool:
    """Whether a name that may be a column asks for the message of a failure; a column of it goes before."""
    if len(names) > 1:
        return names[:-1] == ["DBMS_UTILITY"]
    return not is_known(names[0], scope) and (names[0] == "SQLERRM" or not _may_have(names[0], scope))


SUPPLIED = re.compile(r"(?:DBMS|UTL)_|`\$\$")
"""How Oracle's own packages are called, DBMS_UTILITY.FORMAT_ERROR_STACK, and what its compiler knows, $$PLSQL_UNIT."""


def _called_plainly(identifiers: Sequence[exp.Expr], scope: SelectScope) -> Node | None:
    """Oracle's functions are called without parentheses where they are given nothing; a column goes before."""
    names = [scope.work.naming.part(part) for part in identifiers]
    if SUPPLIED.match(names[-min(len(names), 2)]) and scope.relation(names[:-1]) is None:
        return call(identifiers[-1].name.strip("$"), (), scope.work.place(identifiers[0]))
    if _may_have(names[-1], scope):
        return None
    whole = scope.work.inlined(".".join(part.sql() for part in identifiers), (), scope)
    if whole is not None or len(names) < 2:
        return whole
    row = scope.work.inlined(".".join(part.sql() for part in identifiers[:-1]), (), scope)
    if row is None:
        return None
    own = variables.of_row(row, names[-1], scope)
    return own if own is not None else field(row, identifiers[-1].name, row.location)


def _variable(name: str, written: str, at: Location | None, scope: SelectScope) -> Node:
    """A plain name that a program declares: a column that is known goes before, but in MySQL (rule Q28).

    Where no columns are known both stay.
    """
    known = is_known(name, scope)
    # One of the many values of a variable, v(1), is no column.
    if scope.work.flavour.name == "mysql" or scope.work.variables_first or name.endswith(")`"):
        return variables.found(name, scope, written, at)
    if scope.prefer in ("column", "row") and not _may_have(name, scope):
        # SELECT day, x FROM s WHERE d = day: that the column is called like the variable makes no other one of it.
        return variables.found(name, scope, written, at)
    column = scope.column(name, (), at) if scope.relations or scope.parent or name in scope.aliases else None
    if column is None or known:
        return column if column is not None else variables.found(name, scope, written, at)
    scope.work.unknown(written)
    return opaque(name, [column, variables.found(name, scope, written, at)], at)


def _may_have(name: str, scope: SelectScope) -> bool:
    """Whether a relation has a column, or may have it."""
    return any(one.shape.has(name) is not False for one in scope.visible())


def is_known(name: str, scope: SelectScope) -> bool:
    """Whether a relation is known to have a column."""
    return any(one.shape.has(name) for one in scope.visible())


def by_place(one: Any, scope: SelectScope) -> Node:
    """DuckDB's #2: the second of all columns that a FROM gives; where these are not known, any of them."""
    at = scope.work.place(one)
    name, qualifier = placed(one, scope)
    found = scope.column(name, qualifier, at) if name else None
    if found is not None:
        return found
    scope.work.unknown(f"#{one.this.name}")
    return opaque(f"#{one.this.name}", [everything(relation, scope.work, at) for relation in scope.relations], at)


def placed(one: Any, scope: SelectScope) -> tuple[str, Sequence[str]]:
    """The name of the column that #2 is, and of its relation; "" where that is not known."""
    number = int(one.this.name)
    for relation in scope.relations:
        names = list(relation.shape.columns)
        if number <= len(names) and relation.shape.complete:
            return names[number - 1], relation.names[0] if relation.names else ()
        if not relation.shape.complete:
            break
        number -= len(names)
    return "", ()


def given_outside(one: Any, scope: SelectScope, qualifier: Sequence[str] = ()) -> Node:
    """:x, @x or ?: a variable of the program, a constant from outside, or Snowflake's $1, the first column."""
    inner = one.args.get("this")
    if isinstance(inner, exp.Literal) and scope.work.flavour.name == "snowflake":
        found = (
            scope.numbered(int(inner.this), qualifier, scope.work.place(one))
            if inner.this.isdigit() and len(inner.this) < 10
            else None
        )
        if found is not None:
            return found
    name = inner if isinstance(inner, str) else inner.name if inner is not None else "?"
    if scope.work.flavour.name == "bigquery" and name.upper() == "ERROR":
        # BigQuery's @@error, of which message is a field.
        told = variables.message("@@ERROR", scope, scope.work.place(one))
        if told is not None:
            return told
    # :x and @x stand for variables of the program; @x goes before, for it can be nothing else.
    if scope.work.variables:
        own = scope.work.naming.known(name or "?", quoted=False)
        for key in (f"@{own}", own):
            if key in scope.work.variables:
                return variables.found(key, scope, name, scope.work.place(one))
    return parameter(name or "?", scope.work.place(one))
