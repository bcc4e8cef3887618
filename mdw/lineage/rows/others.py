"""Other rows of the same group or partition, of which MIN, MAX and windows take values (rules Q14, Q16).

They are rows that the mapping reads as well: its joins and its filter bind them, and their keys are the row's own.

    SELECT k, MIN(t) AS t, MAX(v) AS v FROM s WHERE t <> 'a' GROUP BY k

The t of the row that a v goes into is that of some row with the same k, whose t is not 'a' either. Each aggregation has
a row of its own; what a window's value goes into is one row, of which all attributes are together.
"""

from __future__ import annotations

import re

from mdw.model.expressions import Aggregate, And, Attr, Compare, Condition, Const, Expression, Window
from mdw.model.function_names import PICKING
from mdw.model.name import PLAIN, entity_of_row, in_role, local_of, row_of
from mdw.model.rules import Head
from mdw.model.walks import parts, with_parts

WORDS = re.compile(r"\W+")
LEAD = "other row "
MADE = "made"
ONLY = (("=", "1"), ("<=", "1"), ("<", "2"))
"""What the number of rows is compared with where a group has one."""


def named(name: str, other: str) -> str:
    """The name of an attribute in another row.

    >>> named("S.T", "made"), named("S@A.T", "made")
    ('S@`other row made`.T', 'S@`other row made A`.T')
    """
    row = row_of(name)
    entity = entity_of_row(row)
    role = " ".join([LEAD + other, *([row[len(entity) + 1 :].strip("`")] if row != entity else [])])
    return f"{in_role(entity, f'`{role}`')}.{local_of(name)}"


def other_of(name: str) -> str:
    """The other row an attribute is named in, "" where it is none.

    >>> other_of(named("S@A.T", "made")), other_of("S@A.T")
    ('made', '')
    """
    mark = f"@`{LEAD}"
    return row_of(name).partition(mark)[2].rstrip("`").partition(" ")[0] if mark in name else ""


def original(name: str) -> str:
    """The attribute of which another row's is named.

    >>> original(named("S@A.T", "made")), original(named("S@`b c`.T", "made")), original(named("S.T", "made"))
    ('S@A.T', 'S@`b c`.T', 'S.T')
    """
    before, _, role = row_of(name).partition(f"@`{LEAD}")
    read = role.rstrip("`").partition(" ")[2]
    return f"{in_role(before, read if PLAIN.match(read) else f'`{read}`' if read else '')}.{local_of(name)}"


def seen_as_others(item: Expression | Condition, head: Head, *, made: bool) -> Expression | Condition:
    """The same with attributes of other rows for what aggregations take of them.

    ``made``: it speaks of the row made, which is another one of the partition.
    """

    single = not made and alone(head)

    def put(one: Expression | Condition) -> Expression | Condition:
        match one:
            case Aggregate(function, Attr(name)) if function in PICKING:
                if single:
                    return Attr(name)
                # MIN(t) and MAX(t) are of two rows, MIN(t) asked twice of one: the name of the row says which.
                if not made:
                    return Attr(named(name, WORDS.sub("_", f"{function}_{name}")))
                # `within` has put ANY_VALUE for what is no key: of the row made these values are one row's, together.
                return Attr(named(name, MADE)) if function == "ANY_VALUE" else one
            case Aggregate() | Window():
                return one
        inner = parts(one)
        return with_parts(one, [put(part) for part in inner]) if inner else one

    return put(item)


def alone(head: Head) -> bool:
    """Whether groups are of one row each: HAVING COUNT(*) = 1."""
    asked = head.having.parts if isinstance(head.having, And) else (head.having,)
    counted = Aggregate("COUNT", Const("number", "1"))
    return any(one == Compare(op, counted, Const("number", number)) for one in asked for op, number in ONLY)
