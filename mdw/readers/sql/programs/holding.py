"""What a program's variables hold, as blocks: each value that is given is an inner entity that a block fills.

    SELECT MAX(day) INTO last FROM log        a block fills INNER `f:p`.last with MAX(day); LAST is `Held` there
    last := DATE '2020-01-01'                 no block: LAST holds the constant itself
    INSERT INTO t SELECT ...                  its blocks, with a WHERE for each test that the program made before

In go pieces of the text, each with the `ProgramState` there is where it runs; out come `Outcome`s, by their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

from sqlglot import exp

from mdw.model.dictionary import EntityEntry
from mdw.model.name import local_of
from mdw.model.query import ONE_ROW
from mdw.model.tree import Node
from mdw.readers.sql.building import Building
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.naming import FreshNames
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.phrases.words import made_words, placed, spoken
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.asked import AskedPieces, as_query
from mdw.readers.sql.programs.caused import Causes
from mdw.readers.sql.programs.counting import ChangedRows
from mdw.readers.sql.programs.identified import identified, result_of
from mdw.readers.sql.programs.possible import PossibleTexts
from mdw.readers.sql.programs.program import ProgramVariable, Routine
from mdw.readers.sql.programs.recorded import RecordedSteps
from mdw.readers.sql.programs.rewritten import written_through
from mdw.readers.sql.programs.statement_reading import StatementReading
from mdw.readers.sql.programs.states import ProgramState
from mdw.readers.sql.programs.undoing import Undoing
from mdw.readers.sql.programs.used_arguments import Used
from mdw.readers.sql.programs.versions import Versions
from mdw.readers.sql.queries import blocks_of, rename
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.shapes import Moment, Shape
from mdw.readers.sql.variables import GivenValue, Held, Variables, constant, key_of, with_elements
from mdw.readers.sql.work import Work


class Holding(RecordedSteps):
    """Reads the pieces of a program, and keeps what became of them."""

    def __init__(self, reading: StatementReading) -> None:
        super().__init__(reading)
        self.naming = reading.naming
        self.versions, self.asked = Versions(self), AskedPieces()
        # The table whose trigger runs, and, unless that runs after, the entity whose rows it changes, and their names.
        self.changed = self.fired = ""
        self.new: frozenset[str] = frozenset()
        self._events: tuple[str, ...] = ()
        self.causes = Causes()
        self._fired: list[tuple[str, tuple[str, ...], Outcome, Work]] = []
        # What variables hold that may be given another value anywhere, by another routine or by a handler.
        self.passing: set[Held] = set()
        # The entities whose triggers the script turns off somewhere.
        self.loose: frozenset[str] = frozenset()
        # Set by `Following`, which knows the routines: the value of a function, and the rows of one in a FROM.
        self.inlined: Callable[[ProgramState, str, Sequence[GivenValue], SelectScope], Node | None] = lambda *_: None
        self.rows_of: Callable[[str, Sequence[Node], ScriptPiece], str] = lambda *_: ""
        self.used_arguments: Callable[[str, ScriptPiece], Used | None] = lambda *_: None
        # By their places the statements that make what others make anew (see `Fleeting`), and the entities used so far.
        self.fleeting: dict[int, set[str]] = {}
        self.used: set[str] = set()
        self.undoing = Undoing()
        self._names = FreshNames()
        # The rows that the last statement changed or found.
        self.changed_rows = ChangedRows()
        self.unknown_parts = count(1)
        # The blocks of the entities that a program keeps for itself, and those that more may flow into. Texts that
        # are run are put together from these (see `PossibleTexts`): one that still grows may be anything.
        self.fills: dict[str, list[Building]] = {}
        self.growing: set[str] = set()
        self._routine = ""
        self._variables_first = False

    @contextmanager
    def inside(self, routine: Routine, *, arguments: bool = False) -> Iterator[None]:
        """Within the body of a routine; with ``arguments`` where it is called and these are given to it."""
        before = self._routine, self._variables_first
        self._routine, self._variables_first = routine.name, routine.prefers_variables
        with self.counted_for(routine, arguments=arguments):
            yield
        self._routine, self._variables_first = before

    @contextmanager
    def firing(self, entity: str, events: Sequence[str], changed: str, new: Iterable[str]) -> Iterator[None]:
        """While a trigger of a table runs, which changes the rows of an entity, if it does not run after."""
        before = self.fired, self._events, self.changed, self.new, self.firing_on
        self.fired, self._events, self.changed, self.new = entity, tuple(events), changed, frozenset(new)
        self.firing_on = tuple(dict.fromkeys(filter(None, (entity, changed))))
        yield
        self.fired, self._events, self.changed, self.new, self.firing_on = before

    @contextmanager
    def changing(self, changes: bool) -> Iterator[None]:
        """While a part of a trigger runs, which may change the row that is written, or not."""
        before, self.changed = self.changed, self.changed if changes else ""
        yield
        self.changed = before

    # -- statements ----------------------------------------------------------------------------------------------------

    def statement(
        self, piece: ScriptPiece, state: ProgramState, keys: Sequence[str] = (), names: Sequence[str] = ()
    ) -> tuple[Outcome, list[Held | None]]:
        """What an SQL statement does where this is the state, and what variables get of the rows it gives back.

        ``names``: what a row that goes into one of them calls its columns, if anybody knows.
        """
        self._at(piece)
        piece = self._identified(piece, state)
        works: list[Work] = []
        columns = [self.column(key) for key in keys]
        entity = self.fresh(columns[0]) if keys else ""

        # A statement that fills what it reads is read twice, once its columns are known. Only the last work counts.
        def prepare(work: Work) -> Work:
            works.append(self._prepared(work, state))
            work.back = entity
            work.inner_entities |= {entity} if keys else set()
            return work

        found = self.reading.statement(piece, prepare)
        held: list[Held | None] = [None] * len(keys)
        for work in works[-1:]:
            # Triggers and views first: they make other blocks, which stand under the same tests.
            written_through(found, work, self.fired, self.loose)
            state.tables = work.temporary
            self.changed_rows = ChangedRows.of(found.filling)
            for block in (*found.filling, *work.given_back):
                self.asked.under(block, state.tests, work)
            self.causes.learn(found.filling)
            if self.fired:
                self._fired.append((self.fired, self._events, found, work))
            if keys and work.given_back:
                held = self._given_back(work, columns, names)
            # What tests read, IF EXISTS (SELECT ...), is read by what stands under them; their queries are local, too.
            found.reads.update(work.read)
            self.reading.local(work)
        self._result = result_of(found, piece)
        if found.kind == "select" and found.filling:
            self.given(found, piece, state)
        found = self.put(piece, found)
        self.used |= {*found.reads, *found.writes}
        for work in works[-1:]:
            self.undoing.ran(piece.place, work.blocks)
        # Functions that run for rows of the statement take them from its blocks, which have all their conditions now.
        for work in works[-1:]:
            read(work, state)
        return found, held

    def _identified(self, piece: ScriptPiece, state: ProgramState) -> ScriptPiece:
        """The piece with the names in it that texts give."""
        flavour = self.reading.flavour.name
        return identified(
            piece, flavour, lambda one: self.texts(one, state), self._result, partial(self._rows, piece, state)
        )

    def _rows(self, piece: ScriptPiece, state: ProgramState, name: str) -> Sequence[Any]:
        """The words of the query whose rows a variable has (Snowflake's RESULTSET), if what it asks for still holds."""
        several = state.cursors.get(key_of(name, self.naming), ()) if name else ()
        query = several[0].query if len(several) == 1 else None
        # Words of another text have other places.
        if query is None or query.text is not piece.text:
            return ()
        named = {key_of(token.text, self.naming) for token in query.tokens} & {*state.variables}
        same = all(state.variables[key] == several[0].variables.get(key) for key in named)
        return query.tokens if same else ()

    def last_rows(self, piece: ScriptPiece) -> ScriptPiece | None:
        """The query of the rows of the statement before, where an expression gives its number (Snowflake)."""
        if spoken(piece.tokens) not in LAST_NUMBER or not self._result or self.reading.flavour.name != "snowflake":
            return None
        lead = made_words(piece.tokens[0], "SELECT * FROM")
        return replace(piece, tokens=(*lead, *placed(self._result, piece.tokens[0])))

    def ended(self) -> None:
        """All has been read: what changes the tables of triggers decides, wherever it stands, over what these do."""
        for entity, events, found, work in self._fired:
            self.causes.decide(entity, events, found.filling, work)
            # The one of its place has what it does along with others.
            self.outcomes[found.span].reads.update(work.read)

    def gave(self, rows: Sequence[Any]) -> None:
        """The step before was a call that gave rows, for which these words stand."""
        self._result = list(rows)

    def _given_back(self, work: Work, columns: Sequence[str], names: Sequence[str]) -> list[Held | None]:
        """The columns of the rows that a change gives back, in order, or its row."""
        first, entity = work.given_back[0], work.back
        whole = len(columns) == 1 and (len(first.outputs) > 1 or bool(first.stars))
        for block in work.given_back:
            if not whole or (len(names) == len(block.outputs) and not block.stars):
                rename(block, names if whole else columns)
        self.keep(entity, work.given_back, work)
        return [Held(entity, "" if whole else column) for column in columns]

    def given(self, found: Outcome, piece: ScriptPiece, state: ProgramState) -> str:
        """The entity of the rows that a routine gives, which is called as the routine is."""
        if found.filling:
            work = self.work(piece, state)
            work.dictionary.put(found.target, work.shape_of(found.filling))
        return found.target

    def work(self, piece: ScriptPiece, state: ProgramState) -> Work:
        """The work of reading a piece where this is the state."""
        return self._prepared(self.reading.work(piece, self.reading.local_label(self._routine)), state)

    def _prepared(self, work: Work, state: ProgramState) -> Work:
        """The same, told of what stands around the piece."""
        work.variables, work.temporary = with_elements(work.piece, state.variables, self.naming), dict(state.tables)
        work.variables_first, work.inlined = self._variables_first, partial(self.inlined, state)
        work.rows_of, work.passing = self.rows_of, self.passing
        work.used_arguments = self.used_arguments
        work.fleeting, work.used = self.fleeting.get(work.piece.place, ()), self.used
        if self._routine:
            work.own = self.naming.path(self._routine)
            work.routine = local_of(work.own)
        return work

    # -- values --------------------------------------------------------------------------------------------------------

    def value(self, piece: ScriptPiece, key: str, state: ProgramState, place: ScriptPiece | None = None) -> Held | None:
        """What a variable gets by an expression."""
        return self.query(as_query(piece), [key], state, place or piece)[0]

    def query(
        self,
        piece: ScriptPiece,
        keys: Sequence[str],
        state: ProgramState,
        place: ScriptPiece,
        *,
        record: bool = False,
        row: bool = False,
        names: Sequence[str] = (),
    ) -> list[Held | None]:
        """What variables get by a query: its columns in order, or one of them its row, called by ``names`` if any.

        ``record``: a loop gives the row, which is there then; ``row``: the variable is declared for a row, however many
        columns that has.
        """
        self._at(place)
        piece, self._result = self._identified(piece, state), []
        work = self.work(piece, state)
        columns = tuple(self.column(key) for key in keys)
        entity = self.fresh(columns[0])
        work.inner_entities.add(entity)
        try:
            tree = parsed(piece, self.reading.flavour)[1]
            # FOR r IN DELETE ... RETURNING: the rows that a change gives back.
            blocks = (work.change if isinstance(tree, exp.DML) else blocks_of)(tree, work, Frame(entity))
        except (UnparsedError, RecursionError) as error:
            message = error.message if isinstance(error, UnparsedError) else "nested too deep to be followed"
            self.note(place, "set", "failed", message)
            return [None] * len(keys)
        if not blocks:
            self.query_done(work, place)
            return [None] * len(keys)
        # SELECT a, b INTO r: one variable for several columns holds the row.
        whole = record or row or (len(keys) == 1 and (len(blocks[0].outputs) > 1 or bool(blocks[0].stars)))
        for block in blocks:
            if not whole or (len(names) == len(block.outputs) and not block.stars):
                rename(block, names or columns)
        # An aggregation of all rows gives one even of none (rule Q15), so T-SQL's variables do not keep what they had.
        always = any(block.group == [] and not block.having and not block.limits for block in blocks)
        always = always or _alone(blocks)
        found: list[Held | None] = [Held(entity, "" if whole else column, None, record, always) for column in columns]
        if _alone(blocks):
            values = [blocks[0].named[column].value if column in blocks[0].named else None for column in columns]
            if all(one is not None and constant(one) for one in values):
                # A constant needs no entity, and what is tested of it can be decided: the block is not kept.
                work.blocks.remove(blocks[0])
                found = [Held(value=one) for one in values]
        for block in blocks:
            self.asked.under(block, state.tests, work)
        self.keep(entity, blocks, work)
        self.query_done(work, place)
        read(work, state)
        return found

    def query_done(self, work: Work, place: ScriptPiece) -> None:
        """What a step had read, of which nothing but values is wanted."""
        found = self.outcome("set", place, work)
        found.writes.update(work.writes)
        written_through(found, work, self.fired, self.loose)
        self.put(place, found)

    def keep(self, entity: str, blocks: Sequence[Building], work: Work) -> None:
        """An entity of the program is filled by blocks: it has their columns."""
        work.inner_entities.add(entity)
        for one in work.blocks:
            if one.target in work.inner_entities and one.target not in work.temporary.values():
                self.fills.setdefault(one.target, []).append(one)
        work.dictionary.put(entity, work.shape_of(list(blocks)))
        self.reading.local(work)

    def tried(self, piece: ScriptPiece, state: ProgramState, place: ScriptPiece) -> None:
        """An expression is worked out of which nobody wants the value now."""
        work = self.work(piece, state)
        tree = self.asked.expression(piece, work)
        if tree is not None:
            work.value(tree, SelectScope(work, block=Building("")))
            self.put(place, self.outcome("", place, work))
            read(work, state)

    def texts(self, piece: ScriptPiece, state: ProgramState) -> list[str]:
        """The texts that an expression may give, with a HOLE for each part that is not known (rule Q31)."""
        work = self.work(piece, state)
        tree = self.asked.expression(piece, work)
        block = Building("")
        known = PossibleTexts(self.reading.flavour, self.fills, self.growing, block)
        found = known.of(work.value(tree, SelectScope(work, block=block))) if tree is not None else []
        read(work, state)
        return found

    def expression(self, piece: ScriptPiece, variables: Variables, scope: SelectScope, routine: Routine) -> Node | None:
        """The value of an expression in a scope, with variables that hold these."""
        tree = self.asked.expression(piece, scope.work)
        if tree is None:
            return None
        work = scope.work
        places, schemas = self.reading.places_of(piece), self.reading.schemas_of(piece)
        with work.with_variables(variables, first=routine.prefers_variables), work.in_text(piece, places, schemas):
            # Names in the body of a function are none of the query around it: a scope without relations.
            own = SelectScope(work, block=scope.block)
            own.caller = scope
            return work.value(tree, own)

    def moment(self) -> Moment:
        """Now: what columns entities have here can be asked for later."""
        return self.reading.dictionary.moment()

    def reshape(self, several: Sequence[Moment]) -> None:
        """They have those that they had at the ends of the ways that meet here."""
        self.reading.dictionary.meet(several)

    # -- triggers ------------------------------------------------------------------------------------------------------

    def told(self, entity: str) -> EntityEntry | None:
        """What is told of an entity."""
        return self.reading.telling.entry(entity)

    def tell(self, entry: EntityEntry) -> None:
        """This is told of an entity, too."""
        self.reading.telling.add(entry)

    # -- names ---------------------------------------------------------------------------------------------------------

    def table(self, variable: ProgramVariable, state: ProgramState) -> None:
        """A variable that is a table of its own."""
        name = self.naming.known(variable.name, quoted=True)
        entity = self.fresh(name)
        state.tables[name] = entity
        columns = [self.naming.path(column) for column, _ in variable.columns]
        self.reading.tell(entity, Shape(columns, complete=bool(columns)))
        self.reading.empty.add(entity)

    def column(self, key: str) -> str:
        """What the column is called that holds a variable."""
        return local_of(self.naming.path(key.lstrip("@"))) or "VALUE"

    def entity(self, name: str, piece: ScriptPiece | None = None) -> str:
        """The entity of a table's name, as a piece writes it."""
        return self.reading.entity(name, piece)

    def shape_of(self, name: str) -> Shape | None:
        """The columns of what a name means, as far as they are known."""
        return self.reading.dictionary.shape(self.entity(name))

    def fresh(self, hint: str) -> str:
        """The name of another entity that a program keeps for itself."""
        return self._names.of(self.reading.local_name(self._routine, hint))


LAST_NUMBER = (["SQLID"], ["LAST_QUERY_ID", "(", ")"])
"""What gives the number of the statement before (Snowflake)."""


def read(work: Work, state: ProgramState) -> None:
    """What was waiting for this to be read runs."""
    for one in work.waiting:
        one(state)
    work.waiting = []


def _alone(blocks: Sequence[Building]) -> bool:
    """Whether one row is given, always, and made of no table."""
    one = blocks[0]
    return len(blocks) == 1 and not one.where and one.group is None and [read.entity for read in one.reads] == [ONE_ROW]
