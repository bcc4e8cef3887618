"""What a trigger that runs before a change, or instead of it, makes of the row that is written (rule Q30).

NEW.b := x;                          the row has x in B
SELECT y INTO NEW.b FROM s           or Y of S
NEW := r;  RETURN r;                 it is the row that r holds

Each is a block that updates the entity of the rows written from itself; columns it does not name are carried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mdw.model.query import ALL, Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute
from mdw.readers.sql.building import Building
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.program import Jump
from mdw.readers.sql.programs.states import ProgramState, plain
from mdw.readers.sql.scopes import RowSource, SelectScope, Star
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.variables import Held, member
from mdw.readers.sql.variables import found as variable_value
from mdw.readers.sql.work import Work

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following
    from mdw.readers.sql.programs.holding import Holding


def changed(
    this: Following, key: str, state: ProgramState, place: ScriptPiece, value: ScriptPiece | None = None
) -> None:
    """A variable got a value, that of an expression if there is one: it may be the row that is written, or of it."""
    holding = this.holding
    record, _, column = key.partition(".")
    held = state.variables.get(record)
    if not holding.changed:
        return
    if column and (record in holding.new or (held is not None and held.entity == holding.changed)):
        _column(holding, column, value or key, state, place)
    elif key in holding.new:
        row = held is None or (held.entity and not held.column)
        _row(holding, held if row else value, fields_of(key, state), state, place)


def returned(this: Following, step: Jump, state: ProgramState) -> None:
    """The row that a trigger returns is the one that is written, if it is any other than that."""
    holding, value = this.holding, step.value
    if not holding.changed or value is None:
        return
    key = this.key(plain(value))
    held = state.variables.get(key)
    if key in ("NULL", *holding.new):
        return
    if step.query:
        (row,) = holding.query(value, ["RESULT"], state, step.piece, record=True)
        _row(holding, row, {}, state, step.piece)
    elif held is not None and held.entity and not held.column:
        _row(holding, held, fields_of(key, state), state, step.piece)
    elif key not in state.variables:
        _row(holding, value, {}, state, step.piece)


def fields_of(key: str, state: ProgramState) -> dict[str, str]:
    """The parts of a row that a variable holds which got values of their own, by their columns."""
    return {one.removeprefix(f"{key}."): one for one in state.variables if one.startswith(f"{key}.")}


def _column(holding: Holding, column: str, given: ScriptPiece | str, state: ProgramState, place: ScriptPiece) -> None:
    """A column gets the value of an expression, or what a variable holds."""
    work, block, scope = _begun(holding, state, place)
    if isinstance(given, str):
        block.output(column, variable_value(given, scope, column, block.location), block.location)
    elif (tree := holding.asked.expression(given, work)) is not None:
        block.output(column, work.value(tree, scope), block.location)
    _ended(holding, block, work, state, place)


def _row(
    holding: Holding,
    given: Held | ScriptPiece | None,
    fields: Mapping[str, str],
    state: ProgramState,
    place: ScriptPiece,
) -> None:
    """All columns get those of another row, or what an expression makes, of which nobody knows the parts."""
    work, block, scope = _begun(holding, state, place)
    shape = work.dictionary.known(holding.changed)
    names = [name for name in shape.columns if name != ALL]
    value = _made(holding, given, scope) if isinstance(given, ScriptPiece) else _of_row(given, names, shape, scope)
    for name in dict.fromkeys((*names, *fields)):
        own = variable_value(fields[name], scope, name, block.location) if name in fields else value and value(name)
        if own is not None:
            block.output(name, own, block.location)
    if not shape.complete and value is not None:
        row = RowSource((), holding.changed, Shape(), "", value)
        block.stars.append(Star(row, frozenset(block.named), block.location))
        block.output(ALL, value(ALL), block.location)
        block.supplied = value
    _ended(holding, block, work, state, place)


def _made(holding: Holding, given: ScriptPiece, scope: SelectScope) -> Callable[[str], Node] | None:
    tree = holding.asked.expression(given, scope.work)
    if tree is None:
        return None
    value = scope.work.value(tree, scope)
    return lambda _: value


def _of_row(given: Held | None, names: Sequence[str], shape: Shape, scope: SelectScope) -> Callable[[str], Node] | None:
    """The columns of a row by their places, where all of both rows are known, else by their names."""
    block = scope.block
    if given is None or not given.entity or block is None:
        return None
    its = scope.work.dictionary.known(given.entity)
    own = [name for name in its.columns if name != ALL]
    placed = shape.complete and its.complete and len(own) == len(names)
    called = dict(zip(names, own, strict=True)) if placed else {}
    row = given

    def column(name: str) -> Node:
        if name != ALL:
            return member(row, called.get(name, name), scope, block.location)
        first = member(row, (*own, "VALUE")[0], scope, block.location)
        return attribute(f"{first.content.rpartition('.')[0]}.{ALL}", block.location)

    return column


def _begun(holding: Holding, state: ProgramState, place: ScriptPiece) -> tuple[Work, Building, SelectScope]:
    work = holding.work(place, state)
    block = work.building(holding.changed, inner=False, location=holding.reading.place_of(place))
    block.change, block.others = "UPDATING", "CARRY"
    block.reads.append(Read(holding.changed, location=block.location))
    # The row that is written, and what is read of it, is the row that is changed.
    block.variables[holding.changed] = work.naming.written(holding.changed)
    return work, block, SelectScope(work, block=block)


def _ended(holding: Holding, block: Building, work: Work, state: ProgramState, place: ScriptPiece) -> None:
    holding.asked.under(block, state.tests, work)
    holding.reading.local(work)
    found = holding.outcome("set", place, work)
    found.writes[holding.changed] = None
    holding.put(place, found)
