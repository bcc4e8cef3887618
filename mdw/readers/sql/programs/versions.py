"""Versions of variables: an inner entity for each, into which flows what the variable may hold (rules Q25 and Q27).

    IF c THEN x := a; ELSE SELECT k INTO x FROM s; END IF;
    INSERT INTO t VALUES (x);                                 T gets X3, filled by two blocks: one gives a, one S.K

Each block stands under the unknown constant `THIS_WAY`, so neither is certain and neither excludes the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from mdw.model.name import local_of
from mdw.model.query import ONE_ROW, Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, compared, parameter, word
from mdw.readers.sql.definitions import all_of
from mdw.readers.sql.inserts import learn
from mdw.readers.sql.naming import joined
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.states import ProgramState
from mdw.readers.sql.shapes import Shape, either
from mdw.readers.sql.variables import THIS_WAY, Held

if TYPE_CHECKING:
    from mdw.readers.sql.programs.holding import Holding


class Versions:
    """Makes versions of the variables of one script; where ways meet a version is made of those of all ways."""

    def __init__(self, holding: Holding) -> None:
        self._holding = holding

    def one_of(self, several: Sequence[Held | None], key: str, state: ProgramState, piece: ScriptPiece) -> Held | None:
        """What a variable holds that had these on the ways that meet."""
        # Where all ways agree no version is needed, so a constant stays one.
        different = list(dict.fromkeys(several))
        if len(different) == 1:
            return different[0]
        found = self.version(key, different, state, piece)
        self.grown([found])
        return found

    def version(
        self, key: str, several: Iterable[Held | None], state: ProgramState, piece: ScriptPiece, *, record: bool = False
    ) -> Held:
        """A version of a variable that may be any of these; of a ``record`` its columns may come later.

        More may flow into it until it is said to be `grown`.
        """
        work = self._holding.work(piece, state)
        some = list(several)
        column = self._holding.column(key)
        row = next((one for one in some if one is not None and one.entity and not one.column), None)
        record = record or row is not None
        # A row is there wherever it is used if there is one on all ways.
        there = bool(some) and all(one is not None and one.there for one in some)
        head = Held(self._holding.fresh(column), "" if record else column, there=there)
        shape = work.dictionary.shape(row.entity) if row else None
        # The columns of a row that nobody knows yet are those that are asked of it: the shape is open.
        own = Shape(shape.columns, complete=shape.complete) if shape else None
        work.dictionary.put(head.entity, own or Shape(() if record else [column], complete=not record))
        work.inner_entities.add(head.entity)
        self._holding.growing.add(head.entity)
        self._holding.reading.local(work)
        for one in some:
            self.flows(one, head, key, state, piece)
        return head

    def grown(self, several: Iterable[Held]) -> None:
        """Nothing more flows into these versions."""
        self._holding.growing -= {one.entity for one in several}

    def flows(self, held: Held | None, head: Held, key: str, state: ProgramState, piece: ScriptPiece) -> None:
        """Let what a variable holds be one of the things that a version of it may be."""
        if held == head:
            return
        work = self._holding.work(piece, state)
        work.inner_entities.add(head.entity)
        at = self._holding.reading.place_of(piece)
        if held is not None and held.entity and not held.column:
            block = all_of(held.entity, head.entity, work, None, inner=True)
            if work.dictionary.known(head.entity) is not work.dictionary.known(held.entity):
                learn(head.entity, [block], work)
        else:
            block = work.building(head.entity, inner=True, location=at)
            given: Node
            if held is None:
                # What nobody knows flows too: as an unknown constant, called as the variable is.
                given = parameter(key.strip("@`"), at)
            elif held.value is not None:
                given = held.value
            else:
                written = work.naming.written
                given = attribute(f"{written(held.entity)}.{written(held.column)}", at)
            block.reads.append(Read(held.entity if held and held.entity else ONE_ROW, location=at))
            block.output(head.column or self._holding.column(key), given, at)
        # Which way is gone nobody knows here: that a value comes by this one is no more than possible.
        block.where.append(compared("IS TRUE", parameter(THIS_WAY, at)))
        self._holding.fills.setdefault(head.entity, []).append(block)
        self._holding.put(piece, self._holding.outcome("set", piece, work))

    def shared(self, package: str, key: str, columns: Sequence[str] | None = None) -> Held:
        """What a variable of a package may hold, in all files one entity; of a record, whose ``columns`` are known."""
        column = self._holding.column(key)
        entity = joined(word(f"package {package}"), column)
        own = Shape([column]) if columns is None else Shape(columns, complete=bool(columns))
        self._holding.reading.tell(entity, own)
        # What other files give it nobody here knows.
        self._holding.growing.add(entity)
        return Held(entity, column if columns is None else "")

    def one_table(self, several: Sequence[str], state: ProgramState, piece: ScriptPiece) -> str:
        """The table a name means that meant these on the ways that meet; "" where it meant none."""
        different = [one for one in dict.fromkeys(several) if one]
        if len(different) < 2:
            return different[0] if different else ""
        work = self._holding.work(piece, state)
        entity = self._holding.fresh(local_of(different[0]))
        blocks = [all_of(one, entity, work, None, inner=True) for one in different]
        self._holding.keep(entity, blocks, work)
        shapes = [work.dictionary.known(one) for one in different]
        if any(list(one.columns) != list(shapes[0].columns) for one in shapes):
            shape = reduce(either, shapes)
            shape.suppliers = work.dictionary.known(entity).suppliers
            work.dictionary.put(entity, shape)
        self._holding.put(piece, self._holding.outcome("set", piece, work))
        return entity

    def table_head(self, entity: str, state: ProgramState, piece: ScriptPiece) -> str:
        """A table as each round of a loop finds it, which makes it again: what it was before is one of the things."""
        work = self._holding.work(piece, state)
        head = self._holding.fresh(local_of(entity))
        work.inner_entities.add(head)
        self._holding.reading.local(work)
        before = work.dictionary.known(entity)
        work.dictionary.put(head, own := Shape(before.columns))
        own.order = tuple(before.columns) if before.complete else before.order
        self.table_flows(entity, head, state, piece)
        return head

    def table_flows(self, entity: str, head: str, state: ProgramState, piece: ScriptPiece) -> None:
        """What a table is at the end of a round the next one finds."""
        if entity in ("", head):
            return
        work = self._holding.work(piece, state)
        block = all_of(entity, head, work, None, inner=True)
        learn(head, [block], work)
        self._holding.put(piece, self._holding.outcome("set", piece, work))
