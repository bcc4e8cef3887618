"""How types are written: each is put into words once, since sqlglot takes its time to write one.

VARCHAR, DECIMAL(9, 2)              known by their word and their numbers
STRUCT<a INT>, VARCHAR2(9 CHAR)     written anew each time
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

PLAIN = frozenset(("this", "expressions", "nested"))
"""All that the types have which are known by their words and numbers."""
_known: dict[tuple[Any, ...], str] = {}


def type_name(one: Any, parser: Any = None) -> str:
    """A type in the words of a dialect, else of none.

    >>> from sqlglot import parse_one
    >>> types = [parse_one(f"CAST(a AS {one})").args["to"] for one in ("decimal(9,2)", "decimal(9, 2)", "array<int>")]
    >>> [type_name(one) for one in types]
    ['DECIMAL(9, 2)', 'DECIMAL(9, 2)', 'ARRAY<INT>']
    """
    given = one.args
    parts = given.get("expressions") or ()
    if type(one) is not exp.DataType or given.get("nested") or not all(map(_is_number, parts)):
        return str(one.sql(dialect=parser))
    if any(given[name] for name in given.keys() - PLAIN):
        return str(one.sql(dialect=parser))
    key = (parser.__class__, one.this, *[part.name for part in parts])
    found = _known.get(key)
    if found is None:
        found = _known[key] = str(one.sql(dialect=parser))
    return found


def _is_number(part: Any) -> bool:
    return type(part) is exp.DataTypeParam and type(part.this) is exp.Literal and not part.args.get("expression")
