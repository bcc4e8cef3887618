"""Variables of programs in SQL: what one holds is a column of an inner entity, which a block that uses it joins (Q27).

    SELECT MAX(day) INTO last FROM log                    INNER `f:p`.last FROM log      LAST WITH MAX(log.day)
    INSERT INTO t SELECT k FROM s WHERE day > last        ... FROM s LEFT JOIN `f:p`.last AS `@last`

What is the same whatever the tables hold, a constant or an argument nobody gave, stands in the place of the variable.
The join is a LEFT JOIN, for the entity may have no row: then the variable is NULL, and the rows of S stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from mdw.model.fixed import fixed
from mdw.model.function_names import WAY
from mdw.model.name import canonical, local_of, row_of
from mdw.model.query import ALL, ONE_ROW, Read
from mdw.model.tree import Location, Node
from mdw.readers.nodes import attribute, call, compared, field, opaque, parameter, word
from mdw.readers.sql.naming import fresh
from mdw.readers.sql.phrases.words import elements
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.scopes import from_call

if TYPE_CHECKING:
    from mdw.readers.sql.naming import Identifiers
    from mdw.readers.sql.scopes import SelectScope


@fixed
class Held:
    """What a variable holds: a column of an entity, the row of one where it has no ``column``, or a ``value``.

    ``there``: wherever the variable is used a row of the entity is there, as that of a loop over a query. ``always``:
    the entity has a row whatever tables hold, as an aggregation of all rows has. Of two that stand for different rows
    of one entity one says ``which``.
    """

    entity: str = ""
    column: str = ""
    value: Node | None = None
    there: bool = False
    always: bool = False
    which: str = ""


@fixed
class GivenValue:
    """What an expression gives an argument of a function, by place or by name.

    ``variable`` is the variable that is all of the value: the function may give it another.
    """

    value: Node
    name: str = ""
    variable: str = ""


Variables: TypeAlias = Mapping[str, Held | None]
"""What each variable holds, by its key; None where nobody knows."""


def held_by(key: str, variables: Variables) -> Held | None:
    """What a variable holds, or a part of a row that got no value of its own: that of the row."""
    row = row_of_part(key, variables)
    if key in variables or row is None:
        return variables.get(key)
    return replace(row, column=key.rpartition(".")[2])


def row_of_part(key: str, variables: Variables) -> Held | None:
    """The row of which a part is meant: that of R for R.A, of a package's P.R for P.R.A."""
    record, _, column = key.rpartition(".")
    row = variables.get(record)
    return row if column and row is not None and row.entity and not row.column else None


THIS_WAY = WAY.lower()
"""The unknown constant under which is what only some of several ways bring."""
# What a function gives is none: it may be another each time (rule Q2).
CONSTANT = frozenset(("string", "value", "null", "truth", "date", "parameter", "type"))
WRAPPING = frozenset(("cast", "computation", "concatenation", "expression", "+", "-", "*", "/"))


MESSAGE, DETAIL, HINT = "ERROR MESSAGE", "ERROR DETAIL", "ERROR HINT"
"""What a handler is told of the failure it follows, by keys that no script has: what raised it may have said so."""
MESSAGES = {
    **dict.fromkeys(("SQLERRM", "MESSAGE_TEXT", "ERROR_MESSAGE", "FORMAT_ERROR_STACK", "@@ERROR"), MESSAGE),
    "PG_EXCEPTION_DETAIL": DETAIL, "PG_EXCEPTION_HINT": HINT,
}  # fmt: skip
"""Words by which programs ask for that."""


def key_of(name: str, naming: Identifiers) -> str:
    """By what a variable is known: ``@a`` is not the column ``a``, and a colon before a name is none of it.

    >>> from mdw.readers.sql.naming import Identifiers
    >>> naming = Identifiers("any")
    >>> key_of("@last", naming), key_of(":last", naming), key_of('"a"."b"', naming), key_of("v(i + 1).a", naming)
    ('@LAST', 'LAST', 'A.B', 'V.A')
    """
    lead = "@" if name.startswith("@") else ""
    # Subscripts may be nested, v(w(1)): the innermost goes first.
    while (whole := SUBSCRIPT.sub("", name)) != name:
        name = whole
    return lead + naming.path(name.lstrip("@:"))


def set_by(name: str) -> str:
    """The name of a variable that DuckDB's SET VARIABLE sets: no column may be meant by it."""
    return f'"variable {name.lower()}"'


SUBSCRIPT = re.compile(r"(?<=[\w$#\"`)\]])(?:\([^()]*\)|\[[^\[\]]*\])")


def one_of_many(name: str) -> bool:
    """Whether a name says which of the values is meant that a variable holds: v(1), v[1]."""
    return SUBSCRIPT.search(name) is not None


def with_elements(piece: ScriptPiece, variables: Variables, naming: Identifiers) -> Variables:
    """Variables, and each of the many values of one that a piece speaks of, which may be any that it holds."""
    found: dict[str, Held | None] = {}
    for first, _, name in elements(piece.tokens, piece.arrays):
        own, key = naming.known(name, quoted=True), naming.known(piece.tokens[first].text, quoted=False)
        for part, held in variables.items():
            if part.partition(".")[0] == key:
                which = replace(held, which=name) if held is not None and held.entity else held
                found[f"{own}{part.removeprefix(key)}"] = which
    return {**variables, **found} if found else variables


def constant(value: Node) -> bool:
    """Whether a value is the same whatever tables hold, and each time it is asked for."""
    if not value.children:
        return value.role in CONSTANT or value.role in WRAPPING
    return value.role in WRAPPING and all(constant(child) for child in value.children)


def found(key: str, scope: SelectScope, written: str, at: Location | None) -> Node:
    """The value of a variable."""
    held = scope.work.variables.get(key)
    # What nobody knows is an unknown constant: lineage ends here.
    if held is None:
        return parameter(written, at)
    if held.value is not None:
        return from_call(held.value, scope)
    return member(held, held.column, scope, at) if held.column else row_node(held, scope, at)


def message(word: str, scope: SelectScope, at: Location | None) -> Node | None:
    """What a word tells of a failure, where something that was raised may have said it; else None."""
    key = MESSAGES.get(word, "")
    return found(key, scope, word, at) if key in scope.work.variables else None


def row_node(held: Held, scope: SelectScope, at: Location | None) -> Node:
    """A row as a value, of all its columns."""
    return call("ROW", [member(held, name, scope, at) for name in _columns(held, scope) or [ALL]], at)


def field_of(names: Sequence[str], scope: SelectScope, at: Location | None) -> Node | None:
    """A field of a variable that is a record, of which ``names`` are the parts; None if there is none."""
    for length in range(len(names), 2, -1):
        # A row within a row, of which a part got a value.
        if scope.work.variables.get(key := ".".join(names[:length])) is not None:
            return found(key, scope, names[length - 1], at)
    own = scope.work.variables.get(".".join(names[:2]))
    if own is not None:
        if len(names) > 2 and own.entity and not own.column:
            # A field of a package's record.
            return member(own, names[2], scope, at)
        return found(".".join(names[:2]), scope, names[1], at)
    # p.x within procedure P is its own variable X (PL/SQL).
    if names[0] == scope.work.routine and names[1] in scope.work.variables:
        return found(names[1], scope, names[1], at)
    held = scope.work.variables.get(names[0])
    if held is not None and held.value is not None:
        # An argument may be a struct: what it is given has the field.
        given = from_call(held.value, scope)
        return of_row(given, names[1], scope) or field(given, names[1], at)
    if held is None or not held.entity:
        return None
    # Of one value it is a field: v.x where V is an object.
    return (
        field(member(held, held.column, scope, at), names[1], at) if held.column else member(held, names[1], scope, at)
    )


def of_row(row: Node, name: str, scope: SelectScope) -> Node | None:
    """A column of a row that a function was given: f(o) of the relation O."""
    if row.role == "opaque":
        # A name that may be a table's, and stand for its row, or a column's.
        known = [of_row(one, name, scope) for one in row.children]
        if not any(known):
            return None
        return opaque(
            name, [own or field(one, name, row.location) for own, one in zip(known, row.children, strict=True)]
        )
    if row.role != "function" or row.children[0].content != "ROW":
        return None
    parts = [one for one in row.children[1:] if local_of(canonical(one.content)) in (name, ALL)]
    found = next((one for one in parts if local_of(canonical(one.content)) == name), next(iter(parts), None))
    if found is None:
        return None
    written = f"{row_of(found.content)}.{scope.work.naming.written(name)}"
    return Node(found.role, written, found.children, found.location)


def member(held: Held, column: str, scope: SelectScope, at: Location | None) -> Node:
    """A column of the entity that a variable stands for, which the block joins once.

    Two columns of one record are of the same row; two elements of an array, told apart by ``which``, are not (rule Q7).
    """
    block, work = scope.block, scope.work
    if block is None:
        return parameter(column, at)
    shape = work.dictionary.shape(held.entity)
    if shape is not None:
        shape.ask(column)
    row = f"{held.entity} {held.which}".rstrip()
    there = held.there and not work.on_a_way
    role = block.variables.get(row)
    if role is None:
        name = held.column or local_of(held.entity)
        taken = [read.role for read in block.reads]
        role = block.variables[row] = fresh(word(f"@{work.naming.shown(name)}"), taken)
        if not block.reads:
            block.reads.append(Read(ONE_ROW, location=block.location))
        # Of what a row was before nobody knows whether it was there.
        on = compared("IS TRUE", parameter(THIS_WAY)) if held.which and not held.there else None
        block.reads.append(Read(held.entity, role, "CROSS JOIN" if there else "LEFT JOIN", on, at))
        if held.entity not in work.inner_entities:
            work.read[held.entity] = None
        if held.there and not there:
            block.perhaps.add(role)
    elif there and role in block.perhaps:
        block.perhaps.discard(role)
        block.reads = [one._replace(join="CROSS JOIN", on=None) if one.role == role else one for one in block.reads]
    return attribute(f"{role}.{work.naming.written(column)}", at)


def _columns(held: Held, scope: SelectScope) -> list[str]:
    shape = scope.work.dictionary.shape(held.entity)
    return list(shape.columns) if shape is not None else []
