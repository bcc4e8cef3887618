"""What a program's variables hold, as blocks: each value that is given is an inner entity that a block fills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any, Protocol, TypeAlias

from sqlglot import exp

from mdw.model.dictionary import EntityEntry
from mdw.model.name import local_of
from mdw.model.query import ONE_ROW, Read, Status
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, compared, parameter, word
from mdw.readers.sql.definitions import all_of, anything_of
from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.inserts import aim, learn, target_of
from mdw.readers.sql.naming import Identifiers, fresh, joined
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.asked import as_query, expression_of, tree_of, under
from mdw.readers.sql.programs.possible import PossibleTexts
from mdw.readers.sql.programs.program import ProgramVariable, Routine, Steps
from mdw.readers.sql.programs.rewritten import rows_written, written_through
from mdw.readers.sql.programs.states import ProgramState
from mdw.readers.sql.queries import blocks_of, rename
from mdw.readers.sql.rewriting import made_words
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.tables import entity_named
from mdw.readers.sql.telling import Telling
from mdw.readers.sql.variables import THIS_WAY, Held, Variables, constant
from mdw.readers.sql.variables import found as variable_value
from mdw.readers.sql.work import Building, Places, Work

Parts: TypeAlias = tuple[tuple[str, bool], ...]
"""A name, and of each part whether it is quoted."""


class StatementReading(Protocol):
    """The reading of one script's statements."""

    naming: Identifiers
    flavour: Flavour
    telling: Telling

    def statement(self, piece: ScriptPiece, prepare: Callable[[Work], Work]) -> Outcome:
        """What a statement does; ``prepare`` tells its work what stands around it."""

    def work(self, piece: ScriptPiece, label: str) -> Work:
        """The work of reading a piece."""

    def place_of(self, piece: ScriptPiece) -> Any:
        """Where it stands."""

    def text_of(self, piece: ScriptPiece) -> int:
        """The number of the text in which it stands, 0 for the script's own."""

    def places_of(self, piece: ScriptPiece) -> Places:
        """The places in its text."""

    def programs_with(self, name: str) -> Iterable[Steps]:
        """The programs of other scripts that make a routine of this name, each once."""

    def local(self, work: Work) -> None:
        """What a piece made for itself is local to the script."""

    def local_label(self, routine: str) -> str:
        """What the names of all that is local to one of the pieces of a routine begin with."""

    def local_name(self, routine: str, hint: str) -> str:
        """The name of an entity that a program keeps for itself."""

    def entity(self, name: str) -> str:
        """The entity of a name as the script writes it."""

    def tell(self, entity: str, shape: Shape) -> None:
        """The columns of an entity that is local to the script."""


class Holding:
    """Reads the pieces of a program; ``outcomes`` are by their places, of a piece that runs often one.

    What a routine of another script does counts as done by the step of this one that runs it.
    """

    def __init__(self, reading: StatementReading) -> None:
        self.reading, self.naming = reading, reading.naming
        self.outcomes: dict[tuple[int, int], Outcome] = {}
        # The table whose trigger runs, and, where that runs before, the entity whose rows it changes.
        self.changed = self._fired = ""
        self.inlined: Callable[[str, Sequence[Node], SelectScope], Node | None] = lambda *_: None
        self._names: set[str] = set()
        self.unknown_parts = count(1)
        # The blocks of the entities that a program keeps for itself, and those that more may flow into.
        self._fills: dict[str, list[Building]] = {}
        self._growing: set[str] = set()
        self._routine = ""
        self._standing: ScriptPiece | None = None
        # The last piece of the script's own, and the routine that nothing calls in which the steps are.
        self._last: ScriptPiece | None = None
        self._owner = -1
        self._variables_first = False

    @contextmanager
    def inside(self, routine: Routine) -> Iterator[None]:
        """Within the body of a routine."""
        before = self._routine, self._variables_first, self._standing
        self._routine, self._variables_first = routine.name, routine.prefers_variables
        if self.reading.text_of(routine.piece):
            self._standing = self._standing or self._last
        yield
        self._routine, self._variables_first, self._standing = before

    @contextmanager
    def firing(self, entity: str, changed: str) -> Iterator[None]:
        """While a trigger of a table runs, which changes the rows of an entity, if it runs before."""
        before = self._fired, self.changed
        self._fired, self.changed = entity, changed
        yield
        self._fired, self.changed = before

    @contextmanager
    def changing(self, changes: bool) -> Iterator[None]:
        """While a part of a trigger runs, which may change the row that is written, or not."""
        before, self.changed = self.changed, self.changed if changes else ""
        yield
        self.changed = before

    @contextmanager
    def owned_by(self, place: int) -> Iterator[None]:
        """What is read belongs to a routine that nothing in the script calls, or, at -1, to the script."""
        before, self._owner = self._owner, place
        yield
        self._owner = before

    def _at(self, piece: ScriptPiece) -> None:
        if self._standing is None and not self.reading.text_of(piece):
            self._last = piece

    @contextmanager
    def standing(self, piece: ScriptPiece | None) -> Iterator[None]:
        """What is read stands where this piece does, if it is one: a text that was put together stands nowhere."""
        before = self._standing
        self._standing = before or piece
        yield
        self._standing = before

    # -- statements ----------------------------------------------------------------------------------------------------

    def note(self, piece: ScriptPiece, kind: str, status: Status = "whole", message: str = "") -> Outcome:
        """That there is a step, of which nothing is read."""
        self._at(piece)
        return self._put(piece, Outcome(kind, status=status, message=message, location=self.reading.place_of(piece)))

    def say(self, piece: ScriptPiece, message: str) -> None:
        """Something is said of a step that was noted."""
        found = self.outcomes[self.note(piece, "step").span]
        found.message = found.message or message

    def statement(
        self, piece: ScriptPiece, state: ProgramState, keys: Sequence[str] = (), loose: frozenset[str] = frozenset()
    ) -> tuple[Outcome, list[Held | None]]:
        """What an SQL statement does where this is the state, and what variables get of the rows it gives back.

        ``loose`` are entities whose triggers may be off.
        """
        self._at(piece)
        works: list[Work] = []
        columns = [self.column(key) for key in keys]
        entity = self._fresh(columns[0]) if keys else ""

        def prepare(work: Work) -> Work:
            works.append(self._prepared(work, state))
            work.back = entity
            work.inner_entities |= {entity} if keys else set()
            return work

        found = self.reading.statement(piece, prepare)
        held: list[Held | None] = [None] * len(keys)
        for work in works[-1:]:
            written_through(found, work, self._fired, loose)
            state.tables = work.temporary
            for block in (*found.filling, *work.given_back):
                under(block, state.tests, work)
            if keys and work.given_back:
                held = self._given_back(work, columns)
        return self._put(piece, found), held

    def _given_back(self, work: Work, columns: Sequence[str]) -> list[Held | None]:
        """The columns of the rows that a change gives back, in order, or its row."""
        first, entity = work.given_back[0], work.back
        whole = len(columns) == 1 and (len(first.outputs) > 1 or bool(first.stars))
        if not whole:
            for block in work.given_back:
                rename(block, columns)
        self._keep(entity, work.given_back, work)
        return [Held(entity, "" if whole else column) for column in columns]

    def given(self, found: Outcome, piece: ScriptPiece, state: ProgramState) -> str:
        """The entity of the rows that a routine gives, which is called as the routine is."""
        if found.filling:
            work = self._work(piece, state)
            work.dictionary.put(found.target, work.shape_of(found.filling))
        return found.target

    def _put(self, piece: ScriptPiece, found: Outcome) -> Outcome:
        for block in found.blocks:
            block.owner = self._owner
        found.span = (self._standing or piece).span
        known = self.outcomes.get(found.span)
        if known is None and self._standing is not None:
            # What is run is read before the statement that runs it.
            known = Outcome("", location=self.reading.place_of(self._standing), span=found.span)
            self.outcomes[found.span] = known
        if known is None or known is found:
            self.outcomes[found.span] = found
        elif not known.kind and self._standing is None:
            self.outcomes[found.span] = found
            found.along(known)
        else:
            # A routine that is called twice: each call makes blocks of its own.
            known.along(found)
            known.target = known.target or found.target
        return found

    def _work(self, piece: ScriptPiece, state: ProgramState) -> Work:
        return self._prepared(self.reading.work(piece, self.reading.local_label(self._routine)), state)

    def _prepared(self, work: Work, state: ProgramState) -> Work:
        """The same, told of what stands around the piece."""
        work.variables, work.temporary = state.variables, dict(state.tables)
        work.variables_first, work.inlined = self._variables_first, self.inlined
        if self._routine:
            work.own = self.naming.path(self._routine)
            work.routine = local_of(work.own)
        return work

    # -- values --------------------------------------------------------------------------------------------------------

    def value(self, piece: ScriptPiece, key: str, state: ProgramState, place: ScriptPiece | None = None) -> Held | None:
        """What a variable gets by an expression."""
        return self.query(as_query(piece), [key], state, place or piece)[0]

    def query(
        self, piece: ScriptPiece, keys: Sequence[str], state: ProgramState, place: ScriptPiece, *, record: bool = False
    ) -> list[Held | None]:
        """What variables get by a query: its columns in order, or one of them its row."""
        self._at(place)
        work = self._work(piece, state)
        columns = tuple(self.column(key) for key in keys)
        entity = self._fresh(columns[0])
        try:
            tree = parsed(piece, self.reading.flavour)[1]
            blocks = blocks_of(tree, work, Frame(entity))
        except (UnparsedError, RecursionError) as error:
            message = error.message if isinstance(error, UnparsedError) else "nested too deep to be followed"
            self.note(place, "set", "failed", message)
            return [None] * len(keys)
        whole = record or (len(keys) == 1 and (len(blocks[0].outputs) > 1 or bool(blocks[0].stars)))
        if not whole:
            for block in blocks:
                rename(block, columns)
        always = any(block.group == [] and not block.having and block.limit is None for block in blocks)
        always = always or _alone(blocks)
        found: list[Held | None] = [Held(entity, "" if whole else column, None, record, always) for column in columns]
        if _alone(blocks):
            values = [blocks[0].named[column].value if column in blocks[0].named else None for column in columns]
            if all(one is not None and constant(one) for one in values):
                work.blocks.remove(blocks[0])
                found = [Held(value=one) for one in values]
        for block in blocks:
            under(block, state.tests, work)
        self._keep(entity, blocks, work)
        self._put(place, self._outcome("set", place, work))
        return found

    def _outcome(self, kind: str, place: ScriptPiece, work: Work) -> Outcome:
        status: Status = "partial" if work.unresolved else "whole"
        found = Outcome(kind, status=status, location=self.reading.place_of(place))
        found.blocks, found.reads, found.unresolved = work.blocks, {**work.read}, {**work.unresolved}
        return found

    def _keep(self, entity: str, blocks: Sequence[Building], work: Work) -> None:
        work.inner_entities.add(entity)
        for one in work.blocks:
            if one.target in work.inner_entities and one.target not in work.temporary.values():
                self._fills.setdefault(one.target, []).append(one)
        work.dictionary.put(entity, work.shape_of(list(blocks)))
        self.reading.local(work)

    def texts(self, piece: ScriptPiece, state: ProgramState) -> list[str]:
        """The texts that an expression may give, with a HOLE for each part that is not known (rule Q31)."""
        work = self._work(piece, state)
        tree = expression_of(piece, work)
        block = Building("")
        known = PossibleTexts(self.reading.flavour, self._fills, self._growing, block)
        return known.of(work.value(tree, SelectScope(work, block=block))) if tree is not None else []

    def named(self, sources: Sequence[Parts], targets: Sequence[Parts], state: ProgramState, place: ScriptPiece) -> str:
        """A text names tables, and nobody knows the whole of it: whatever its sources have may be in its targets.

        Where it names no target it may give rows: their entity.
        """
        work = self._work(place, state)
        read, written = (
            list(
                dict.fromkeys(
                    entity_named([self.naming.known(text, quoted=quoted) for text, quoted in one], work)
                    for one in several
                )
            )
            for several in (sources, targets)
        )
        rows = self._fresh("rows") if read and not written else ""
        work.inner_entities |= {rows} - {""}
        self.reading.local(work)
        for target in written or [rows]:
            for source in read:
                block = anything_of(source, target, work, inner=target == rows or target in state.tables.values())
                learn(target, [block], work)
                under(block, state.tests, work)
        found = self._outcome("execute", place, work)
        found.reads |= dict.fromkeys(read)
        found.writes |= dict.fromkeys(written)
        self._put(place, found)
        return rows

    def expression(self, piece: ScriptPiece, variables: Variables, scope: SelectScope, routine: Routine) -> Node | None:
        """The value of an expression in a scope, with variables that hold these."""
        tree = expression_of(piece, scope.work)
        if tree is None:
            return None
        work = scope.work
        places = self.reading.places_of(piece)
        with work.with_variables(variables, first=routine.variables_first is not False), work.in_text(piece, places):
            # Names in the body of a function are none of the query around it.
            return work.value(tree, SelectScope(work, block=scope.block))

    def rewritten(self, column: str, given: ScriptPiece | str, state: ProgramState, place: ScriptPiece) -> None:
        """A row that is written gets another value in a column: that of an expression, or what a variable holds."""
        work = self._work(place, state)
        block = work.building(self.changed, inner=False, location=self.reading.place_of(place))
        block.change, block.others = "UPDATING", "CARRY"
        block.reads.append(Read(self.changed, location=block.location))
        # The row that is written, and what is read of it, is the row that is changed.
        block.variables[self.changed] = work.naming.written(self.changed)
        scope = SelectScope(work, block=block)
        if isinstance(given, str):
            block.output(column, variable_value(given, scope, column, block.location), block.location)
        elif (tree := expression_of(given, work)) is not None:
            block.output(column, work.value(tree, scope), block.location)
        under(block, state.tests, work)
        found = self._outcome("set", place, work)
        found.writes[self.changed] = None
        self._put(place, found)

    def inserted(self, insert: ScriptPiece, rows: Sequence[str], state: ProgramState, place: ScriptPiece) -> None:
        """INSERT ... EXEC: the rows that a routine gives, their columns in order."""
        words = insert.tokens
        tree = tree_of(replace(insert, tokens=(*words, *made_words(words[-1], "SELECT NULL"))), self.reading.flavour)
        if not isinstance(tree, exp.Insert):
            self.note(place, "insert", "opaque", "an INSERT that could not be read")
            return
        work = self._work(insert, state)
        target = target_of(tree, work)
        for one in rows:
            block = all_of(one, target, work, None, inner=target in state.tables.values())
            aim(tree, block, target, (), work)
            under(block, state.tests, work)
        found = self._outcome("insert", place, work)
        found.target = target
        found.reads.update(dict.fromkeys(rows))
        found.writes[target] = None
        self._put(place, found)

    # -- triggers ------------------------------------------------------------------------------------------------------

    def told(self, entity: str) -> EntityEntry | None:
        """What is told of an entity."""
        return self.reading.telling.entry(entity)

    def tell(self, entry: EntityEntry) -> None:
        """This is told of an entity, too."""
        self.reading.telling.add(entry)

    def rows_written(self, entity: str, piece: ScriptPiece, *, carried: bool) -> str:
        """The entity of rows that a trigger takes; ``carried``: an UPDATE writes the rows that are there, too."""
        work = self._work(piece, ProgramState())
        found = rows_written(entity, work)
        if carried:
            block = all_of(entity, found, work, self.reading.place_of(piece), inner=False)
            learn(found, [block], work)
            outcome = self._outcome("", piece, work)
            outcome.reads[entity] = outcome.writes[found] = None
            self._put(piece, outcome)
        return found

    # -- where ways meet -----------------------------------------------------------------------------------------------

    def one_of(self, several: Sequence[Held | None], key: str, state: ProgramState, piece: ScriptPiece) -> Held | None:
        """What a variable holds that had these on the ways that meet."""
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
        work = self._work(piece, state)
        some = list(several)
        column = self.column(key)
        row = next((one for one in some if one is not None and one.entity and not one.column), None)
        record = record or row is not None
        # A row is there wherever it is used if there is one on all ways.
        there = bool(some) and all(one is not None and one.there for one in some)
        head = Held(self._fresh(column), "" if record else column, there=there)
        shape = work.dictionary.shape(row.entity) if row else None
        work.dictionary.put(head.entity, shape or Shape(() if record else [column], complete=not record))
        work.inner_entities.add(head.entity)
        self._growing.add(head.entity)
        self.reading.local(work)
        for one in some:
            self.flows(one, head, key, state, piece)
        return head

    def grown(self, several: Iterable[Held]) -> None:
        """Nothing more flows into these versions."""
        self._growing -= {one.entity for one in several}

    def flows(self, held: Held | None, head: Held, key: str, state: ProgramState, piece: ScriptPiece) -> None:
        """Let what a variable holds be one of the things that a version of it may be."""
        if held == head:
            return
        work = self._work(piece, state)
        work.inner_entities.add(head.entity)
        at = self.reading.place_of(piece)
        if held is not None and held.entity and not held.column:
            block = all_of(held.entity, head.entity, work, None, inner=True)
        else:
            block = work.building(head.entity, inner=True, location=at)
            given: Node
            if held is None:
                given = parameter(key.strip("@`"), at)
            elif held.value is not None:
                given = held.value
            else:
                written = work.naming.written
                given = attribute(f"{written(held.entity)}.{written(held.column)}", at)
            block.reads.append(Read(held.entity if held and held.entity else ONE_ROW, location=at))
            block.output(head.column or self.column(key), given, at)
        # Which way is gone nobody knows here: that a value comes by this one is no more than possible.
        block.where.append(compared("IS TRUE", parameter(THIS_WAY, at)))
        self._fills.setdefault(head.entity, []).append(block)
        self._put(piece, self._outcome("set", piece, work))

    def shared(self, package: str, key: str) -> Held:
        """What a variable of a package may hold, in all files one entity."""
        column = self.column(key)
        entity = joined(word(f"package {package}"), column)
        self.reading.tell(entity, Shape([column]))
        return Held(entity, column)

    def one_table(self, several: Sequence[str], state: ProgramState, piece: ScriptPiece) -> str:
        """The table a name means that meant these on the ways that meet; "" where it meant none."""
        different = [one for one in dict.fromkeys(several) if one]
        if len(different) == 1:
            return different[0]
        work = self._work(piece, state)
        entity = self._fresh(local_of(different[0]))
        blocks = [all_of(one, entity, work, None, inner=True) for one in different]
        self._keep(entity, blocks, work)
        self._put(piece, self._outcome("set", piece, work))
        return entity

    def table(self, variable: ProgramVariable, state: ProgramState) -> None:
        """A variable that is a table of its own."""
        name = self.naming.known(variable.name, quoted=True)
        entity = self._fresh(name)
        state.tables[name] = entity
        columns = [self.naming.path(column) for column, _ in variable.columns]
        self.reading.tell(entity, Shape(columns, complete=bool(columns)))

    # -- names ---------------------------------------------------------------------------------------------------------

    def column(self, key: str) -> str:
        """What the column is called that holds a variable."""
        return local_of(self.naming.path(key.lstrip("@"))) or "VALUE"

    def entity(self, name: str) -> str:
        """The entity of a table's name."""
        return self.reading.entity(name)

    def _fresh(self, hint: str) -> str:
        entity = fresh(self.reading.local_name(self._routine, hint), self._names)
        self._names.add(entity)
        return entity


def _alone(blocks: Sequence[Building]) -> bool:
    """Whether one row is given, made of no table."""
    one = blocks[0]
    return len(blocks) == 1 and not one.where and one.group is None and [read.entity for read in one.reads] == [ONE_ROW]
