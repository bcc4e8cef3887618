"""Fields of structs that stand where they are made: STRUCT(a AS k, b AS l).k is a, and b is no part of it (rule Q6)."""

from __future__ import annotations

from typing import Any

from sqlglot import exp


def struct_member(one: Any) -> Any:
    """The expression that a field of a struct is, None where the struct is not made here or has no such field."""
    if not isinstance(one, exp.Dot) or not isinstance(one.expression, exp.Identifier):
        return None
    name = one.expression.name.lower()
    made = one.this.unnest() if isinstance(one.this, (exp.Paren, exp.Subquery)) else one.this
    if isinstance(made, exp.Dot):
        made = struct_member(made)
    if isinstance(made, exp.Select) and made.args.get("kind") == "STRUCT":
        return _selected(made, name)
    names: list[str] = []
    if isinstance(made, exp.Cast):
        told = made.to.expressions if made.to.this == exp.DataType.Type.STRUCT else []
        names, made = [part.name.lower() for part in told if isinstance(part, exp.ColumnDef)], made.this
    if not isinstance(made, (exp.Struct, exp.Tuple)):
        return None
    items = made.expressions
    own = names if len(names) == len(items) else [_name(item) for item in items]
    # Of two fields that are called alike nobody says which is meant.
    found = [item for item, called in zip(items, own, strict=True) if called == name]
    if len(found) != 1:
        return None
    return found[0].expression if isinstance(found[0], exp.PropertyEQ) else found[0].unalias()


def _name(item: Any) -> str:
    return str(item.this.name if isinstance(item, exp.PropertyEQ) else item.alias_or_name).lower()


def _selected(query: Any, name: str) -> Any:
    """SELECT AS STRUCT a, b with one of its columns."""
    found = [item for item in query.expressions if item.alias_or_name.lower() == name]
    if len(found) != 1:
        return None
    copy = query.copy()
    copy.set("kind", None)
    copy.set("expressions", [found[0].copy()])
    return exp.Subquery(this=copy)
