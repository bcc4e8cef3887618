"""The ways through a program: tests, loops, blocks with handlers, jumps; where ways meet, what they brought meets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mdw.model.name import local_of
from mdw.readers.nodes import null
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs import changing
from mdw.readers.sql.programs.dynamic import dynamic, rows_of
from mdw.readers.sql.programs.program import (
    Arm,
    Assign,
    BeginEnd,
    Declare,
    Dynamic,
    Fetch,
    Jump,
    Loop,
    Open,
    Steps,
    Test,
)
from mdw.readers.sql.programs.states import (
    CursorQuery,
    Heads,
    ProgramState,
    Rounds,
    assigned,
    jumps,
    made_in,
    parts,
    plain,
)
from mdw.readers.sql.programs.values import opened, value_of
from mdw.readers.sql.variables import Held, held_by

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following


COMMITTING = frozenset(("oracle", "mysql", "singlestore", "snowflake", "hive", "spark", "spark2", "databricks"))
"""Dialects in which no ROLLBACK takes back that a table was made or dropped."""


def test(this: Following, step: Test, state: ProgramState) -> None:
    this.holding.note(step.piece, "if")
    arms: tuple[Arm, ...] = step.arms
    if not arms or arms[-1].test is not None:
        arms = (*arms, Arm(None, ()))
    ends, shapes = [], this.holding.shapes()
    going = state.copy()
    met = []
    for arm in arms:
        if arm.test is not None:
            this.asks(arm.test, going)
        own = going.copy()
        this.holding.reshape([shapes])
        if arm.test is not None:
            own.under(arm.test, holds=True)
            going.under(arm.test, holds=False)
        this.steps(arm.body, own)
        ends.append(own)
        met.append(this.holding.shapes())
    this.holding.reshape(met)
    this.meet(state, ends, step.piece)


def loop(this: Following, step: Loop, state: ProgramState) -> None:
    this.holding.note(step.piece, "loop")
    before = state.copy()
    heads = _headed(this, step.body, state, step.piece, step.test)
    entering = state.copy()
    rounds = Rounds(step.label, repeats=True)
    this.frames[-1].loops.append(rounds)
    if step.record:
        _rows(this, step, state)
        if (key := this.key(step.record)) in entering.variables and step.query is not None:
            # The last row stays where the record was declared before.
            last = [entering.variables[key], state.variables[key]]
            entering.variables[key] = this.holding.versions.one_of(last, key, state, step.piece)
            entering.variables = {
                one: held for one, held in entering.variables.items() if not one.startswith(f"{key}.")
            }
    if step.test is not None and not step.until:
        this.asks(step.test, state)
        state.under(step.test, holds=True)
    shapes, first = this.holding.shapes(), state.copy()
    this.steps(step.body, state)
    rounds.again.append(state.copy())
    if _reopens(this, step.body):
        # Cursors are for what the round before opened them for, too.
        first.cursors = this.cursors_of([first, *[end for end in rounds.again if not end.over]])
        this.steps(step.body, first)
        rounds.again.append(first)
    this.holding.reshape([shapes, this.holding.shapes()])
    this.frames[-1].loops.pop()
    for end in rounds.again:
        if not end.over:
            _again(this, heads, end, step.piece)
    this.holding.versions.grown(heads.variables.values())
    # It ends where its test fails, at its head or, until, at the end of a round; or where it is left.
    normal = [one.copy() for one in rounds.again] if step.until else [entering]
    for one in normal:
        if step.test is not None:
            if step.until:
                this.asks(step.test, one)
            one.under(step.test, holds=step.until)
        one.over = one.over or (step.test is None and not step.record)
        if not step.until:
            one.tests = tuple(test for test in one.tests if test in before.tests or test.piece is step.test)
    state.over = False
    this.meet(state, [*normal, *rounds.left], step.piece)


def _reopens(this: Following, body: Steps) -> bool:
    """Whether rows of a cursor are asked for before it is opened, which is then what the round before did."""
    fetches: set[str] = set()
    for one in parts(body):
        if isinstance(one, Fetch | Loop) and one.cursor:
            fetches.add(this.key(one.cursor))
        elif (isinstance(one, Open) and this.key(one.cursor) in fetches) or (
            isinstance(one, Assign) and not fetches.isdisjoint(map(this.key, one.names))
        ):
            return True
    return False


def _headed(
    this: Following, body: Steps, state: ProgramState, piece: ScriptPiece, test: ScriptPiece | None = None
) -> Heads:
    """A place is reached again: what the steps change that may run in between is what any round left of it."""
    versions, remade = this.holding.versions, made_in(body)
    found = Heads({
        key: versions.version(key, [held], state, piece, record=key in this.frames[-1].records)
        for key, held in _before(this, body, test, state)
    })  # fmt: skip
    tables = {name: entity for name, entity in state.tables.items() if local_of(name).strip("`").upper() in remade}
    heads = {entity: versions.table_head(entity, state, piece) for entity in dict.fromkeys(tables.values())}
    found.tables = {name: heads[entity] for name, entity in tables.items()}
    state.variables |= found.variables
    state.tables |= found.tables
    return found


def _again(this: Following, heads: Heads, end: ProgramState, piece: ScriptPiece) -> None:
    """A round ends here: what there is now the next one finds."""
    for key, head in heads.variables.items():
        this.holding.versions.flows(held_by(key, end.variables), head, key, end, piece)
    for name, head_of in heads.tables.items():
        this.holding.versions.table_flows(end.tables.get(name, ""), head_of, end, piece)


def _before(
    this: Following, body: Steps, test: ScriptPiece | None, state: ProgramState
) -> Iterator[tuple[str, Held | None]]:
    """What steps give values, with what they are before it: of a row that is given anew its parts, too."""
    given = {this.key(name) for name in assigned(body)}
    pieces = (one for one in parts((body, test)) if isinstance(one, ScriptPiece))
    given |= this.applying.given_back(pieces, state)
    given |= {key for key in state.variables if key.partition(".")[0] in given}
    # In T-SQL what is declared within a loop is declared once, and has in the next round what it had.
    stays = this.holding.reading.flavour.name in TRANSACT
    for key in sorted(given):
        held = held_by(key, state.variables)
        if (held is not None or state.has(key) or stays) and held not in this.packages.shared:
            yield key, Held(value=null()) if held is None and stays else held


def _rows(this: Following, step: Loop, state: ProgramState) -> None:
    """FOR r IN (SELECT ...): within a round there is a row."""
    key = this.key(step.record)
    if step.elements:
        each = [value_of(this, one, key, state) for one in step.elements]
        this.gives(key, this.holding.versions.one_of(each, key, state, step.piece), state, step.piece)
        return
    several: Sequence[CursorQuery] = ()
    if step.query is not None and step.dynamic:
        several = [CursorQuery(None, rows_of(this, step.query, step.arguments, state, step.piece))]
    elif step.query is not None:
        several = [CursorQuery(step.query, state.variables)]
    elif step.cursor:
        several = opened(this, step.cursor, step.arguments, state)
    if not several:
        state.variables[key] = None
        return
    found: list[Held | None] = []
    for one in several:
        if one.query is None:
            found += one.variables.values()
        else:
            seen, names = state.seeing(one.variables), this.frames[-1].records.get(key, ())
            found += this.holding.query(one.query, [key], seen, step.piece, record=not step.each, names=names)
    held = this.holding.versions.one_of(found, key, state, step.piece) if found else None
    this.gives(key, held, state, step.piece)


def part(this: Following, step: BeginEnd, state: ProgramState) -> None:
    """A part of a trigger, which runs for itself: RETURN ends it, and only BEFORE EACH ROW changes the row."""
    frame, tests = this.frames[-1], state.tests
    outer, frame.ends = frame.ends, []
    with this.holding.changing(step.timing == "BEFORE EACH ROW"):
        begin(this, replace(step, timing=""), state)
    ends, frame.ends = [*frame.ends, *([] if state.over else [state.copy()])], outer
    this.meet(state, ends, step.piece)
    state.over, state.tests = False, tests


def begin(this: Following, step: BeginEnd, state: ProgramState) -> None:
    if step.timing:
        part(this, step, state)
        return
    before = dict(state.variables)
    entering = state.copy()
    mark, tables = len(this.frames[-1].versions), len(this.remade)
    nested = this.frames[-1].nested
    this.frames[-1].nested = {name: list(some) for name, some in nested.items()}
    rounds = Rounds(step.label)
    this.frames[-1].loops.append(rounds)
    shapes = this.holding.shapes()
    this.steps(step.body, state)
    this.frames[-1].loops.pop()
    ends = [state.copy(), *rounds.left]
    if step.handlers:
        this.holding.reshape([shapes, this.holding.shapes()])
        # Any statement of the block may have failed: a variable has what it had before, or any value it got.
        failed = entering
        met: dict[str, list[Held | None]] = {}
        for key, held in this.frames[-1].versions[mark:]:
            met.setdefault(key, [held_by(key, before)]).append(held)
        for key, several in met.items():
            failed.variables[key] = this.holding.versions.one_of(several, key, failed, step.piece)
        if not step.undoes:
            this.any_table(failed, tables, step.piece)
        for handler in step.handlers:
            own = failed.copy()
            this.steps(handler.body, own)
            ends.append(own)
    if len(ends) > 1:
        this.meet(state, ends, step.piece)
    this.nesting.uncalled(this.frames[-1])
    this.frames[-1].nested = nested
    if this.holding.reading.flavour.name not in TRANSACT:
        inner = {this.key(one.name) for part in step.body if isinstance(part, Declare) for one in part.variables}
        state.variables |= {key: before[key] for key in inner & before.keys()}


def jump(this: Following, step: Jump, state: ProgramState) -> None:
    if not step.query:
        this.holding.note(step.piece, step.kind)
    frame = this.frames[-1]
    if step.kind == "rollback" and this.holding.reading.flavour.name not in COMMITTING:
        this.any_table(state, 0, step.piece)
    if step.kind in ("commit", "rollback"):
        return
    if step.kind == "label":
        _labelled(this, step, state)
        return
    going = state.copy()
    if step.test is not None:
        this.asks(step.test, going)
        going.under(step.test, holds=True)
        state.under(step.test, holds=False)
    if step.kind in ("return", "give"):
        _given(this, step, going)
    if step.kind == "return":
        frame.ends.append(going)
    elif step.kind in ("exit", "continue"):
        inner = [one for one in frame.loops if not step.label or one.label.upper() == step.label.upper()]
        if inner:
            (inner[-1].left if step.kind == "exit" else inner[-1].again).append(going)
    elif step.kind == "goto":
        label = step.label.upper()
        frame.jumped.setdefault(label, []).append(going)
        if label in frame.heads:
            _again(this, frame.heads[label], going, step.piece)
    if step.test is None and step.kind != "give":
        state.over = True


def _labelled(this: Following, step: Jump, state: ProgramState) -> None:
    """Where GOTO goes: whatever variables were given anywhere before may be what they hold, from behind it too."""
    frame, label = this.frames[-1], step.label.upper()
    ends = [*frame.jumped.get(label, ()), *([] if state.over else [state.copy()])]
    state.over, state.tests = False, ()
    met: dict[str, list[Held | None]] = {}
    for key, held in frame.versions:
        met.setdefault(key, [held_by(key, state.variables)]).append(held)
    for key, several in met.items():
        state.variables[key] = this.holding.versions.one_of(several, key, state, step.piece)
    this.meet_around(state, ends, step.piece)
    back = (one for one in jumps(frame.steps) if one.kind == "goto" and one.label.upper() == label)
    if any(one.piece.place > step.piece.place for one in back):
        frame.heads[label] = _headed(this, frame.steps, state, step.piece)


def _given(this: Following, step: Jump, state: ProgramState) -> None:
    frame = this.frames[-1]
    if frame.fires:
        changing.returned(this, step, state)
        return
    if frame.target and step.dynamic and step.value is not None:
        this.giving.held(rows_of(this, step.value, step.using, state, step.piece), step.piece)
        return
    if frame.target:
        this.giving.given(step, state)
        return
    if step.value is None:
        return
    if step.dynamic:
        # What the text gives are rows of the routine.
        dynamic(this, Dynamic(step.value, step.piece, step.using), state.copy())
        return
    frame.cursors += state.cursors.get(this.key(plain(step.value)), ())
    if step.query and this.frames[-1].scalar:
        this.frames[-1].given += this.holding.query(step.value, ["RESULT"], state, step.piece)
    elif step.query:
        found, _ = this.holding.statement(step.value, state)
        found.writes |= dict.fromkeys([found.target] if found.filling else [])
        this.frames[-1].rows.append(this.holding.given(found, step.value, state))
    else:
        this.frames[-1].given.append(this.holding.value(step.value, "RESULT", state, step.piece))


STEPS: dict[type, Callable[[Following, Any, ProgramState], None]] = {
    Test: test,
    Loop: loop,
    BeginEnd: begin,
    Jump: jump,
}
