"""Functions that expressions call: as their expression, as all they read, or run, where they do more (rule Q29).

f(n) only returns n + 1            f(x) is x + 1
f(n) reads, and returns a value    f(x) is made of x and of all that it reads
f(n) writes n into a log           SELECT f(t.k) FROM t WHERE t.k > 5   writes into the log each k over 5

The first is exact: conditions on f(x) are conditions on x. The second is shared by all calls, so it only says what
flows: its arguments go beside it, and nothing that is tested inside binds them. The third is a copy of the body for
each call.

A function that does more than give a value runs for each call, with what it is given there. Where that is of rows of a
query it runs when the query is read: what it is given is then an inner entity of its own, filled as the query is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from mdw.model.name import local_of
from mdw.model.tree import Node
from mdw.readers.nodes import call, opaque
from mdw.readers.sql.building import Building
from mdw.readers.sql.levels import OUTER, nearer, rewritten
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.acting import names_in
from mdw.readers.sql.programs.calls import RESULT, again, run
from mdw.readers.sql.programs.failing import behind, pass_on
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.knowing import KnownRoutine
from mdw.readers.sql.programs.program import BeginEnd, Jump, ProgramVariable, Routine
from mdw.readers.sql.programs.states import ProgramFrame, ProgramState
from mdw.readers.sql.programs.values import matched
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.variables import GivenValue, Held, constant, member, message, one_of_many, row_node

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following

ARGUMENTS = "ARGUMENTS"
NOTHING: Mapping[str, str] = MappingProxyType({})
GIVING_BACK = frozenset(("oracle",))
"""Dialects in which a function may give values to variables that an expression calls it with (OUT, IN OUT)."""
MORE = words("FROM WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT DISTINCT ALL TOP INTO AS WINDOW")
"""What makes a SELECT more than an expression."""


class Applying:
    """The functions of one script that its expressions call.

    ``_results`` are what those give that only give values, whoever calls them; ``_given`` what the others gave, call
    by call; ``_ran`` are the former as they ran.
    """

    def __init__(self, this: Following) -> None:
        self._this = this
        self._results: dict[int, Held | None] = {}
        self._given: dict[int, list[Held | None]] = {}
        self._ran: dict[int, ProgramFrame] = {}
        self._within: list[int] = []
        self._giving_back: dict[str, bool] = {}

    def value(self, state: ProgramState, name: str, given: Sequence[GivenValue], scope: SelectScope) -> Node | None:
        """The value of a function of the script that an expression calls; None if it is no such."""
        some = self._meant(name, given, scope)
        if not some and not given:
            return message(name.rpartition(".")[2].upper(), scope, None)
        # Of several that only give values the caller makes an opaque function, which its arguments flow through.
        # Where one of them writes, each has to run: its writes would be lost.
        if not some or (len(some) > 1 and not any(map(self.acts, some))):
            return None
        found = [self._value(one, given, scope, state) for one in some]
        return found[0] if len(found) == 1 else opaque(local_of(name), [one for one in found if one is not None])

    def _meant(self, name: str, given: Sequence[GivenValue], scope: SelectScope) -> list[KnownRoutine]:
        some = self._this.meant(name, scope.work.piece, given)
        return [one for one in some if one.routine.kind == "function"]

    def _value(
        self, one: KnownRoutine, given: Sequence[GivenValue], scope: SelectScope, state: ProgramState
    ) -> Node | None:
        this, routine = self._this, one.routine
        only = _only(routine) if not self.gives_back(one) else None
        acts = only is None and self.acts(one)
        running = this.running(one)
        # One that calls itself is opaque within itself, unless it acts: then the running copy takes it (see `_run`).
        if (running is not None and not acts) or one.place in self._within:
            return None
        deep = running is None and this.too_deep
        if deep and not acts:
            return None
        this.called[one.place] = one.name
        scope.work.calls[this.holding.routine_place(routine)] = None
        if only is not None:
            self._within.append(one.place)
            # A routine declared in another sees that one's variables, any other sees only its arguments.
            around = scope.work.variables if this.nesting.home(one) is not None else {}
            own = {**this.packages.seen(one.name), **around, **self._variables(routine, given, scope)}
            value = this.holding.expression(only, own, scope, routine)
            self._within.pop()
            return value
        if acts:
            return self._acted(one, given, scope, state, deep=deep)
        return self._read(one, given, scope)

    def acts(self, one: KnownRoutine) -> bool:
        """Whether each call is followed for itself: one that is declared in another sees what that has just then."""
        return self._this.nesting.home(one) is not None or self._this.routines.acts(one) or self.gives_back(one)

    def gives_back(self, one: KnownRoutine) -> bool:
        """Whether a function gives the variables of its caller other values, where expressions call it too."""
        own = self._this.holding.reading.flavour.name in GIVING_BACK
        return own and one.routine.kind == "function" and any(part.mode != "in" for part in one.routine.arguments)

    def given_back(self, pieces: Iterable[ScriptPiece], state: ProgramState) -> set[str]:
        """The variables that functions may give values which expressions in these pieces call."""
        found: set[str] = set()
        if self._this.holding.reading.flavour.name in GIVING_BACK:
            for piece in pieces:
                # Any variable beside such a call may be one that it is given: too many do no harm.
                if any(self._gives_back(name, piece) for name in names_in(piece)):
                    words = {self._this.key(token.text) for token in piece.tokens}
                    found |= {key for key in state.variables if key.partition(".")[0] in words}
        return found

    def _variables(self, routine: Routine, given: Sequence[GivenValue], scope: SelectScope) -> dict[str, Held | None]:
        """Its arguments as values of the scope in which it is called."""
        own: dict[str, Held | None] = {}
        for number, (key, variable, one) in enumerate(self._matched(routine, given), 1):
            value = one.value if one is not None else None
            if value is None and variable.default is not None:
                value = self._this.holding.expression(variable.default, {}, scope, routine)
            own[self._this.key(str(number))] = own[key] = Held(value=value) if value is not None else None
        return own

    def _gives_back(self, name: str, piece: ScriptPiece) -> bool:
        """Whether a name may be that of a function that gives back, which is the same wherever it is called."""
        known = self._giving_back.get(name)
        if known is None:
            known = self._giving_back[name] = any(map(self.gives_back, self._this.routines.meant(name, piece)))
        return known or any(map(self.gives_back, self._this.nesting.meant(name, None)))

    def _matched(
        self, routine: Routine, given: Sequence[GivenValue]
    ) -> list[tuple[str, ProgramVariable, GivenValue | None]]:
        """Arguments with what each is given; what a function only gives back nobody gives it, but in Oracle."""
        every = self._this.holding.reading.flavour.name in GIVING_BACK
        return list(matched(self._this, [one for one in routine.arguments if every or one.mode != "out"], given))

    # -- functions that only give values -------------------------------------------------------------------------------

    def _read(self, one: KnownRoutine, given: Sequence[GivenValue], scope: SelectScope) -> Node | None:
        """All that a function reads, and what it is given; whoever calls it shares what it reads."""
        this, routine = self._this, one.routine
        if one.place not in self._results:
            # Known as nothing while it is read, so one that reaches itself ends.
            self._results[one.place] = None
            named = [*(variable.name for variable in routine.arguments), *this.giving.variables(routine)]
            state = ProgramState({this.key(name): None for name in named})
            with this.holding.owned_by(-1):
                columns = this.giving.columns(routine)
                frame = this.within(one.name, routine, state, ProgramFrame(scalar=True, columns=columns))
                self._ran[one.place] = frame
                self._results[one.place] = self._result(routine, frame, state, routine.piece)
        elif one.place in self._ran:
            pass_on(this, self._ran[one.place])
        held = self._results[one.place]
        if held is None:
            return None
        value = _node(held, scope)
        # A constant that every way gives is the value; anything else may come from the arguments, too.
        known = held.value is not None and all(part.role != "parameter" for part in value.walk())
        return value if known else call(local_of(one.name), [*(part.value for part in given), value])

    def _result(self, routine: Routine, frame: ProgramFrame, end: ProgramState, piece: ScriptPiece) -> Held | None:
        """What a call gave: what it returned, or else what its OUT arguments hold at its end."""
        given = frame.given or [
            end.variables.get(self._this.key(one.name)) for one in routine.arguments if one.mode != "in"
        ]
        return self._this.holding.versions.one_of(given, RESULT, end, piece) if given else None

    # -- functions that do more ----------------------------------------------------------------------------------------

    def _acted(
        self, one: KnownRoutine, given: Sequence[GivenValue], scope: SelectScope, state: ProgramState, *, deep: bool
    ) -> Node | None:
        """Run a function for this call, now or, where it is given what is of rows, when the query is read."""
        this, work, block = self._this, scope.work, scope.block
        if work.again:
            # A test that was made is read once more, for what it says of rows.
            known = self._given.get(one.place, [])
            held = this.holding.versions.one_of(known, RESULT, state, this.piece) if known else None
            return _node(held, scope) if held is not None else None
        outs = self._outs(one, given, state)
        if deep or block is None:
            # It does not run here, but what it would give back is no longer what its variables held.
            this.left[one.place] = one, this.piece
            work.unknown(f"{work.naming.shown(one.name)}()")
            for name in outs.values():
                this.given(this.key(name), None, state, this.piece, one=one_of_many(name))
            return None
        # Given nothing of rows it runs once, now. So does one that gives back: the next step needs what it gave.
        if outs or all(_of_variables(part.value, block) for part in given):
            held = self._run(one, self._bound(one, given, scope, None, state), state, outs)
            work.temporary |= {name: entity for name, entity in state.tables.items() if name not in work.temporary}
            return _node(held, scope) if held is not None else None
        # The query goes on with a version that is still empty. What the function gives flows into it when it has run,
        # which is when the query is read: only then are the rows known that it runs for.
        head = this.holding.versions.version(RESULT, [], state, this.piece)
        value = member(head, head.column, scope, None)
        work.waiting.append(partial(self._later, one, given, scope, head, value))
        return value

    def _outs(self, one: KnownRoutine, given: Sequence[GivenValue], state: ProgramState) -> dict[str, str]:
        """What gets values of the caller, by the function's own variables."""
        if not self.gives_back(one):
            return {}
        # One of the many values of a variable has a name of its own in the words of an expression.
        return {
            key: part.variable.replace("`", "")
            for key, variable, part in self._matched(one.routine, given)
            if variable.mode != "in" and part is not None and state.has(self._this.key(part.variable.replace("`", "")))
        }

    def _later(
        self,
        one: KnownRoutine,
        given: Sequence[GivenValue],
        scope: SelectScope,
        head: Held,
        value: Node,
        state: ProgramState,
    ) -> None:
        """The query in which the function is called is read: it runs for its rows."""
        held = self._run(one, self._bound(one, given, scope, value, state), state)
        if held is not None:
            self._this.holding.versions.flows(held, head, RESULT, state, self._this.piece)

    def _run(
        self, one: KnownRoutine, own: ProgramState, state: ProgramState, outs: Mapping[str, str] = NOTHING
    ) -> Held | None:
        this, piece = self._this, self._this.piece
        this.calls += 1
        running = this.running(one)
        if running is not None:
            # No copy in a copy: what it is given flows into the arguments of the one that runs (rule Q29).
            again(this, running, own, state, piece)
            for key, name in outs.items():
                this.given(this.key(name), running.outs.get(key), state, piece, one=one_of_many(name))
            return running.outs.get(RESULT)
        frame = run(this, one, own, state, piece, outs, scalar=True)
        behind(this, frame, state, piece)
        state.tables = own.tables
        for key, name in outs.items():
            this.given(this.key(name), own.variables.get(key), state, piece, one=one_of_many(name))
        held = self._result(one.routine, frame, own, piece)
        self._given.setdefault(one.place, []).append(held)
        return held

    def _bound(
        self,
        one: KnownRoutine,
        given: Sequence[GivenValue],
        scope: SelectScope,
        value: Node | None,
        state: ProgramState,
    ) -> ProgramState:
        """The state in which a function begins: its arguments are constants, or columns of rows that it is given.

        ``value`` is what stands for the call in the query around it. An argument may be made of rows of that query and
        of those around it. In ``SELECT (SELECT f(i.a + o.b) FROM i) FROM o`` it may be I.A, or O.B: rows of each.
        """
        this = self._this
        own = ProgramState(tables=dict(state.tables), tests=state.tests)
        several: dict[str, Node] = {}
        for key, variable, part in self._matched(one.routine, given):
            own.variables[key] = None
            if variable.mode == "out":
                continue
            if part is None and variable.default is not None:
                own.variables[key] = this.holding.value(variable.default, key, own)
            elif part is not None and constant(part.value):
                own.variables[key] = Held(value=part.value)
            elif part is not None:
                several[key] = part.value
        held: dict[str, list[Held]] = {key: [] for key in several}
        around: SelectScope | None = scope if several else None
        level = 0
        while around is not None:
            parts = {key: _of_level(node, level) for key, node in several.items()}
            wanted = {key: node for key, node in parts.items() if node is not None}
            if wanted and around.block is not None:
                found = self._rows(wanted, around.block, None if level else value, state)
                for key, rows in found.items():
                    held[key].append(rows)
            around, level = around.parent, level + 1
        for key, columns in held.items():
            own.variables[key] = this.holding.versions.one_of(columns or [None], key, state, this.piece)
        this.nesting.enter(one, own, state)
        return own

    def _rows(
        self, wanted: Mapping[str, Node], block: Building, value: Node | None, state: ProgramState
    ) -> dict[str, Held]:
        """What a block's rows give as arguments: those that meet its WHERE, unless the call is in that itself.

        The function runs for rows at the point where its call stands: of ``SELECT f(a) FROM t WHERE a > 1`` for those
        over 1, of ``SELECT b FROM t WHERE f(a) = 1`` for all of T. Wherever it is not clear, for all: it loses none.
        """
        holding, piece = self._this.holding, self._this.piece
        work = holding.work(piece, state)
        entity = holding.fresh(ARGUMENTS)
        found = work.building(entity, inner=True, location=block.location)
        found.reads, found.variables, found.deep = list(block.reads), dict(block.variables), block.deep
        given = _within(value, [one.value for one in block.outputs])
        if given or _within(value, block.having):
            found.where, found.having = list(block.where), list(block.having if given else ())
            found.group = None if block.group is None else list(block.group)
        elif _within(value, [read.on for read in block.reads if read.on is not None]):
            # Within ON it runs before rows are joined: for any that could be.
            found.reads = [read._replace(join="CROSS JOIN" if read.join else "", on=None) for read in block.reads]
        columns = {key: holding.column(key) for key in wanted}
        for key, column in columns.items():
            found.output(column, wanted[key], block.location)
        holding.asked.under(found, state.tests, work)
        holding.keep(entity, [found], work)
        holding.put(piece, holding.outcome("", piece, work))
        return {key: Held(entity, column) for key, column in columns.items()}


def _only(routine: Routine) -> ScriptPiece | None:
    """The expression that is all a function returns, also as a query of nothing else: SELECT a + b."""
    body = routine.body or ()
    body = body[0].body if len(body) == 1 and isinstance(body[0], BeginEnd) else body
    only = body[0] if len(body) == 1 else None
    # RETURN a + b
    if not isinstance(only, Jump) or only.value is None or not only.query:
        return only.value if isinstance(only, Jump) else None
    # RETURN (SELECT a + b), where no word outside of parentheses makes more of it.
    tokens, depth = only.value.tokens, 0
    if word_of(tokens[0]) != "SELECT":
        return None
    for token in tokens[1:]:
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        if not depth and (token.text == "," or word_of(token) in MORE):
            return None
    return replace(only.value, tokens=tokens[1:])


def _node(held: Held, scope: SelectScope) -> Node:
    if held.entity and not held.column:
        return row_node(held, scope, None)
    return held.value if held.value is not None else member(held, held.column or RESULT, scope, None)


def _within(value: Node | None, several: Iterable[Node]) -> bool:
    """Whether a value is a part of one of these."""
    return value is not None and any(part == value for one in several for part in one.walk())


def _of_variables(value: Node, block: Building) -> bool:
    """Whether a value is made of nothing but what variables hold: it is the same for all rows of the block."""
    roles = tuple(f"{role}." for role in block.variables.values())
    return all(one.content.startswith(roles) if roles else False for one in value.walk() if _level(one) is not None)


def _level(one: Node) -> int | None:
    """How many queries further out an attribute is read; None for anything else."""
    if one.role.startswith(OUTER):
        return int(one.role[len(OUTER) :])
    return 0 if one.role == "attribute" else None


def _of_level(value: Node, level: int) -> Node | None:
    """What a value is made of in the query so many further out, as that calls it; None where it is nothing."""
    levels = {found for one in value.walk() if (found := _level(one)) is not None} or {0}
    if level not in levels:
        return None
    if len(levels) > 1:
        # a + o.b as rows of A give it: made of a, and nobody says how.
        value = opaque("argument", [one for one in value.walk() if _level(one) == level])
    for _ in range(level):
        value = rewritten(value, nearer)
    return value
