"""Functions that look a value up in a table they name: dictionaries, and ClickHouse's tables for joins.

dictGet('core.users', 'email', e.id)       is read as      (SELECT email FROM core.users), picked by e.id
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from mdw.model.tree import Node
from mdw.readers.nodes import opaque
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.subqueries import scalar

LOOKS_UP = re.compile(r"(?i)(dictGet(?!Hierarchy|Children|Descendants)\w*|joinGet(OrNull)?|dict_get(_many)?)\Z")
"""They give attributes, one or a tuple of them, that the second argument names; the others are keys and defaults."""
LOOKS_INTO = re.compile(r"(?i)dict(Has|IsIn|GetHierarchy|GetChildren|GetDescendants|ionary_get)\Z")
"""They only tell which rows there are, or give all of a row."""
WHERE = ("clickhouse", "doris", "starrocks")


def looked_up(one: Any, scope: SelectScope) -> Node | None:
    """What such a function gives; None of any other function."""
    work = scope.work
    if work.flavour.name not in WHERE or not isinstance(one, exp.Anonymous) or len(one.expressions) < 2:
        return None
    table = _table(one.expressions[0])
    if table is None:
        return None
    if LOOKS_INTO.match(one.name):
        wanted: Sequence[exp.Expr] | None = (exp.Star(),)
        rest = one.expressions[1:]
    elif LOOKS_UP.match(one.name):
        wanted, rest = _attributes(one.expressions[1]), one.expressions[2:]
    else:
        return None
    if wanted is None:
        wanted, rest = (exp.Star(),), one.expressions[1:]
    given = [
        scalar(exp.Select(kind="STRUCT", expressions=[column], from_=exp.From(this=table.copy())), scope)
        for column in wanted
    ]
    return opaque(one.name, [*given, *work.values(rest, scope)], work.place(one))


def _table(one: Any) -> exp.Table | None:
    """The dictionary that an argument names: 'core.users', core.users or users."""
    if isinstance(one, exp.Literal) and one.args.get("is_string"):
        words = one.name.split(".")
    elif isinstance(one, (exp.Column, exp.Identifier, exp.Dot)):
        words = [part.name for part in getattr(one, "parts", [one])]
    else:
        return None
    if not 0 < len(words) < 4 or not all(words):
        return None
    names = map(exp.to_identifier, words[::-1])
    return exp.Table(**dict(zip(("this", "db", "catalog"), names, strict=False)))


def _attributes(one: Any) -> Sequence[exp.Expr] | None:
    """The attributes that an argument names, None if it is no constant."""
    several = one.expressions if isinstance(one, (exp.Tuple, exp.Array)) else [one]
    if not all(isinstance(part, exp.Literal) and part.args.get("is_string") for part in several):
        return None
    return [exp.column(exp.to_identifier(part.name)) for part in several]
