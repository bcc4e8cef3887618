"""Rows that programs hand on, as blocks: those that functions give, and those that triggers take.

RETURN QUERY SELECT x FROM s       the query's rows are an entity; all of it is passed on to that of the function
RETURN NEXT r                      so is the row that R holds; variables give one row, of no table
INSERT INTO t EXEC p               each SELECT that P ends in is an entity, and all of it goes to T, by position
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sqlglot import exp

from mdw.model.name import local_of
from mdw.model.query import ALL, ONE_ROW, Read
from mdw.readers.nodes import attribute
from mdw.readers.sql.building import Building
from mdw.readers.sql.definitions import all_of, anything_of
from mdw.readers.sql.fired import rows_written
from mdw.readers.sql.inserts import aim, learn, target_of
from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.asked import tree_of
from mdw.readers.sql.programs.rewritten import written_through
from mdw.readers.sql.programs.states import ProgramState
from mdw.readers.sql.queries import rename
from mdw.readers.sql.scopes import RowSource, SelectScope, Star
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.tables import entity_named
from mdw.readers.sql.variables import found as variable_value
from mdw.readers.sql.work import Work

if TYPE_CHECKING:
    from mdw.readers.sql.programs.holding import Holding

Parts: TypeAlias = tuple[tuple[str, bool], ...]
"""A name, and of each part whether it is quoted."""
NOTHING: Mapping[str, str] = MappingProxyType({})


class HandedRows:
    """The rows that one script's routines hand on."""

    def __init__(self, holding: Holding) -> None:
        self._holding, self._reading = holding, holding.reading

    def own_entity(self, name: str) -> str:
        """An entity for what one call of a routine gives."""
        found = self._holding.fresh(local_of(name))
        self._reading.tell(found, Shape())
        return found

    def columns(self, entity: str, names: Sequence[str], piece: ScriptPiece) -> None:
        """An entity has these columns, if there are any."""
        work = self._holding.work(piece, ProgramState())
        shape = work.dictionary.shape(entity)
        if shape is None or (names and not shape.complete):
            work.dictionary.put(entity, Shape(names, complete=bool(names)))

    def passed(
        self,
        rows: str,
        target: str,
        columns: Sequence[str],
        state: ProgramState,
        place: ScriptPiece,
        fields: Mapping[str, str] = NOTHING,
    ) -> None:
        """All rows of an entity are given, its columns called by ``columns``, if any; ``fields`` are variables' own."""
        work = self._holding.work(place, state)
        block = all_of(rows, target, work, None, inner=target in self._reading.inner)
        if block.stars and columns:
            # Which of them is which nobody knows.
            every = attribute(f"{work.naming.written(rows)}.{ALL}")
            block.outputs, block.named, block.columns, block.stars, block.supplied = [], {}, {}, [], None
            for name in columns:
                block.output(name, every)
        elif columns:
            rename(block, tuple(columns[: len(block.outputs)]))
        scope = SelectScope(work, block=block)
        for name, key in fields.items():
            block.outputs = [one for one in block.outputs if one.name != name]
            block.named.pop(name, None)
            block.output(name, variable_value(key, scope, name, block.location), block.location)
        self._given(target, block, state, place, work)

    def row_given(
        self,
        target: str,
        fields: Mapping[str, str],
        value: ScriptPiece | None,
        state: ProgramState,
        place: ScriptPiece,
        columns: Sequence[str] = (),
    ) -> None:
        """A row is given: variables by its columns, or a value: of a row that is made there its parts in order."""
        work = self._holding.work(place, state)
        block = work.building(target, inner=target in self._reading.inner, location=self._reading.place_of(place))
        block.reads.append(Read(ONE_ROW, location=block.location))
        scope = SelectScope(work, block=block)
        for name, key in fields.items():
            block.output(name, variable_value(key, scope, name, block.location), block.location)
        tree = self._holding.asked.expression(value, work) if value is not None else None
        if tree is not None:
            _made(tree, columns, target, scope)
        self._given(target, block, state, place, work)

    def _given(self, target: str, block: Building, state: ProgramState, place: ScriptPiece, work: Work) -> None:
        self._holding.asked.under(block, state.tests, work)
        learn(target, [block], work)
        found = self._holding.outcome("give", place, work)
        found.writes |= {} if block.inner else {target: None}
        self._holding.put(place, found)

    def written(self, entity: str, piece: ScriptPiece, events: Sequence[str]) -> str:
        """The entity of rows that a trigger takes of these events; an UPDATE writes the rows that are there, too."""
        work = self._holding.work(piece, ProgramState())
        found = rows_written(entity, events, work)
        if "update" in events:
            block = all_of(entity, found, work, self._reading.place_of(piece), inner=False)
            learn(found, [block], work)
            outcome = self._holding.outcome("", piece, work)
            outcome.reads[entity] = outcome.writes[found] = None
            self._holding.put(piece, outcome)
        return found

    # -- rows of texts and of routines -------------------------------------------------------------------------------

    def named(self, sources: Sequence[Parts], targets: Sequence[Parts], state: ProgramState, place: ScriptPiece) -> str:
        """A text names tables, and nobody knows the whole of it: whatever its sources have may be in its targets.

        Where it names no target it may give rows: their entity.
        """
        work = self._holding.work(place, state)
        read, written = (
            list(
                dict.fromkeys(
                    entity_named([self._holding.naming.known(text, quoted=quoted) for text, quoted in one], work)
                    for one in several
                )
            )
            for several in (sources, targets)
        )
        rows = self._holding.fresh("rows") if read and not written else ""
        work.inner_entities |= {rows} - {""}
        self._reading.local(work)
        for target in written or [rows]:
            for source in read:
                block = anything_of(source, target, work, inner=target == rows or target in state.tables.values())
                learn(target, [block], work)
                self._holding.asked.under(block, state.tests, work)
        found = self._holding.outcome("execute", place, work)
        found.reads |= dict.fromkeys(read)
        found.writes |= dict.fromkeys(written)
        self._holding.put(place, found)
        return rows

    def inserted(
        self,
        insert: ScriptPiece,
        rows: Sequence[str],
        state: ProgramState,
        place: ScriptPiece,
        unknown: str = "",
    ) -> None:
        """INSERT ... EXEC: the rows that a routine gives, by their order; ``unknown``: why nobody knows them."""
        words = insert.tokens
        tree = tree_of(replace(insert, tokens=(*words, *made_words(words[-1], "SELECT NULL"))), self._reading.flavour)
        if not isinstance(tree, exp.Insert):
            self._holding.note(place, "insert", "opaque", "an INSERT that could not be read")
            return
        work = self._holding.work(insert, state)
        target = target_of(tree, work)
        blocks = [all_of(one, target, work, None, inner=target in state.tables.values()) for one in rows]
        for block in blocks:
            aim(tree, block, target, (), work)
        learn(target, blocks, work)
        found = self._holding.outcome("insert", place, work)
        found.target, found.filling = target, blocks
        if unknown:
            found.status, found.message = "opaque", unknown
        found.reads.update(dict.fromkeys(rows))
        found.writes[target] = None
        written_through(found, work, self._holding.fired, self._holding.loose)
        for block in found.filling:
            self._holding.asked.under(block, state.tests, work)
        self._holding.put(place, found)


def _made(tree: exp.Expr, columns: Sequence[str], target: str, scope: SelectScope) -> None:
    """The columns of a row that an expression makes; where its type is not known each may be any part of it."""
    block, work = scope.block, scope.work
    assert block is not None
    parts = tree.expressions if isinstance(tree, (exp.Anonymous, exp.Tuple, exp.Struct)) else [tree]
    if len(parts) == len(columns):
        for name, part in zip(columns, parts, strict=True):
            block.output(name, work.value(part, scope), block.location)
        return
    given = work.value(tree, scope)
    for name in columns or (ALL,):
        block.output(name, given, block.location)
    if not columns:
        row = RowSource((), target, Shape(), "", lambda _: given)
        block.stars.append(Star(row, frozenset(), block.location))
        block.supplied = row.computed
