"""The ways through a program: tests, loops, blocks with handlers, jumps; where ways meet, what they brought meets.

    IF x = 1 THEN INSERT ...          under x = 1
    ELSIF y = 2 THEN RETURN;          under x = 1 IS NOT TRUE, y = 2; this way ends
    END IF;
    INSERT ...                        two ways lead here, with x = 1 and with neither: no test that both know, so none

Each step changes the state it is given. Where a way forks each arm gets a copy; where ways meet, `Following.meet` makes
one state of theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.programs import changing, failing
from mdw.readers.sql.programs.dynamic import dynamic, rows_of
from mdw.readers.sql.programs.fleeting import dropped_if_there
from mdw.readers.sql.programs.known import known_behind
from mdw.readers.sql.programs.lines import SHELL
from mdw.readers.sql.programs.program import (
    Arm,
    BeginEnd,
    Declare,
    Dynamic,
    Jump,
    Loop,
    Test,
)
from mdw.readers.sql.programs.rounds import headed, loop, round_ends
from mdw.readers.sql.programs.states import (
    ProgramState,
    Rounds,
    assigned,
    jumps,
    plain,
)
from mdw.readers.sql.programs.values import row_whole
from mdw.readers.sql.variables import Held, Variables, held_by

if TYPE_CHECKING:
    from mdw.readers.sql.pieces import ScriptPiece
    from mdw.readers.sql.programs.following import Following


COMMITTING = frozenset(("oracle", "mysql", "singlestore", "snowflake", "hive", "spark", "spark2", "databricks"))
"""Dialects in which no ROLLBACK takes back that a table was made or dropped."""


def test(this: Following, step: Test, state: ProgramState) -> None:
    """Each arm runs under its test, and under those before it that are not TRUE (rule Q26)."""
    this.holding.note(step.piece, "if")
    if dropped := dropped_if_there(step):
        this.steps(dropped, state)
        return
    # Without an ELSE there is a way by which none of them runs.
    arms: tuple[Arm, ...] = step.arms
    if not arms or arms[-1].test is not None:
        arms = (*arms, Arm(None, ()))
    ends, before = [], this.holding.moment()
    # ``going`` has passed all tests so far; what tables have for columns each arm finds as it was before the IF.
    going = state.copy()
    met = []
    for arm in arms:
        own = going.copy()
        if arm.test is not None:
            _part(this, arm.test, own, going, step.piece)
        this.holding.reshape([before])
        this.steps(arm.body, own)
        ends.append(own)
        met.append(this.holding.moment())
    this.holding.reshape(met)
    this.meet(state, ends, step.piece)


def _part(this: Following, test: ScriptPiece, holds: ProgramState, fails: ProgramState, place: ScriptPiece) -> None:
    """A test parts the ways: here it holds, and there it is not TRUE."""
    this.asks(test, fails)
    asked, given = this.counts.of(test, fails, place)
    holds.under(asked, holds=True, given=given)
    fails.under(asked, holds=False, given=given)


def part(this: Following, step: BeginEnd, state: ProgramState) -> None:
    """A part of a trigger, or a client's, which runs for itself: RETURN ends it. BEFORE EACH ROW changes the row."""
    frame, tests = this.frames[-1], state.tests
    outer, frame.ends = frame.ends, []
    schemas = this.holding.reading.schemas
    with this.holding.changing(step.timing == "BEFORE EACH ROW"):
        begin(this, replace(step, timing=""), state)
    ends, frame.ends = [*frame.ends, *([] if state.over else [state.copy()])], outer
    this.meet(state, ends, step.piece)
    state.over, state.tests = False, tests
    if step.timing == SHELL:
        this.holding.reading.schemas = schemas


def begin(this: Following, step: BeginEnd, state: ProgramState) -> None:
    """A block: its steps, then its handlers, each as a way of its own from any of the steps."""
    if step.timing:
        part(this, step, state)
        return
    before = dict(state.variables)
    entering = state.copy()
    mark, tables, raised = len(this.frames[-1].versions), len(this.remade), len(this.frames[-1].raised)
    opened = len(this.frames[-1].opened)
    nested = this.frames[-1].nested
    this.frames[-1].nested = {name: list(some) for name, some in nested.items()}
    rounds = Rounds(step.label)
    this.frames[-1].loops.append(rounds)
    moment = this.holding.moment()
    # Variables of the block come first: a handler behind which it goes on may give them values (see `_kept_open`).
    declared = tuple(takewhile(lambda one: isinstance(one, Declare), step.body))
    this.steps(declared, state)
    kept = _kept_open(this, step, state)
    this.steps(step.body[len(declared) :], state)
    this.frames[-1].loops.pop()
    ends = [state.copy(), *rounds.left]
    if step.handlers:
        this.holding.reshape([moment, this.holding.moment()])
        failed = _failed(this, step, entering, mark)
        this.any_cursor(failed, opened)
        failed.variables |= kept
        # PL/pgSQL takes back what the block wrote before its handler runs; elsewhere any part of it may be done.
        if not step.undoes:
            this.any_table(failed, tables, step.piece)
        leaves = any(one.kind in ("return", "goto", "exit", "continue") for one in jumps(step.body))
        for own in failing.follow(this, step, failed, (mark, raised)):
            # What failed nobody knows: behind the block this way is one that may have been gone. Where no way leads out
            # of the block but by a failure it goes on behind it in any case.
            if leaves and step.piece.tokens:
                own.this_way(step.piece)
            ends.append(own)
    this.packages.shared -= set(kept.values())
    this.holding.versions.grown(kept.values())
    if len(ends) > 1:
        this.meet(state, ends, step.piece)
    this.nesting.uncalled(this.frames[-1])
    this.frames[-1].nested = nested
    # What the block declared ends with it, and what that hid is seen again; T-SQL's variables are those of the batch.
    if this.holding.reading.flavour.name not in TRANSACT:
        inner = {this.key(one.name) for part in step.body if isinstance(part, Declare) for one in part.variables}
        _out_of(this, inner, before, mark, state)


def _out_of(this: Following, inner: set[str], before: Variables, mark: int, state: ProgramState) -> None:
    """Behind a block there are its own variables no more, and one that it hid holds what it held."""

    def own(key: str) -> bool:
        return key.partition(".")[0] in inner

    outer = {key: held for key, held in state.variables.items() if not own(key)}
    state.variables = outer | {key: held for key, held in before.items() if own(key)}
    # Where a block around it fails none of their values is any longer there.
    versions = this.frames[-1].versions
    versions[mark:] = [one for one in versions[mark:] if not own(one[0])]


def _failed(this: Following, step: BeginEnd, entering: ProgramState, mark: int) -> ProgramState:
    """What a handler finds: any statement may have failed, so a variable has what it had, or any value it got since.

    ``entering`` is the state at the head of the block, and is changed to that. No test from inside is known there.
    """
    before = dict(entering.variables)
    met: dict[str, list[Held | None]] = {}
    for key, held in this.frames[-1].versions[mark:]:
        met.setdefault(key, [failing.OWN if key in failing.TOLD else held_by(key, before)]).append(held)
    for key, several in met.items():
        entering.variables[key] = this.holding.versions.one_of(several, key, entering, step.piece)
    return entering


def _kept_open(this: Following, step: BeginEnd, state: ProgramState) -> dict[str, Held]:
    """What a handler gives variables behind which the block goes on they may hold after any of its statements.

        DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
        FETCH c INTO x;                                           DONE may be 1 from here on
        IF done = 0 THEN INSERT ...                               and what is tested of it binds no row

    So DONE is one version within the block, as a variable of a package is: values join it, and none replaces another.
    """
    found: dict[str, Held] = {}
    names = (name for one in step.handlers if one.goes_on for name in assigned(one.body))
    for key in dict.fromkeys(map(this.key, names)):
        now = state.variables.get(key)
        if now not in this.packages.shared and (state.has(key) or key[:1] == "@"):
            found[key] = state.variables[key] = this.holding.versions.version(key, [now], state, step.piece)
    this.packages.shared |= set(found.values())
    this.holding.passing |= set(found.values())
    return found


def jump(this: Following, step: Jump, state: ProgramState) -> None:
    """The way goes on elsewhere. What is kept there is a copy of the state, for where these ways meet.

    Behind ``EXIT WHEN c`` it goes on here as well, where c is not TRUE.
    """
    # A query that is returned is noted when it is read.
    if not step.query:
        this.holding.note(step.piece, "raise" if step.kind == "fail" else step.kind)
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
        _part(this, step.test, going, state, step.piece)
    if step.kind in ("return", "give"):
        _given(this, step, going)
    if step.kind in ("raise", "fail"):
        failing.tell(this, step, going)
    if step.kind in ("return", "raise"):
        frame.ended.append(going.tests)
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
            # The label is further up and was followed already: this is the end of one of its rounds.
            round_ends(this, frame.heads[label], going, step.piece)
    if step.test is None and step.kind not in ("give", "fail"):
        state.over = True


def _labelled(this: Following, step: Jump, state: ProgramState) -> None:
    """Where GOTO goes: whatever variables were given anywhere before may be what they hold, from behind it too.

    Which GOTOs lead here is not asked: every version made in this routine so far meets. That is more than can be, and
    simple; programs with GOTO are few.
    """
    frame, label = this.frames[-1], step.label.upper()
    ends = [*frame.jumped.get(label, ()), *([] if state.over else [state.copy()])]
    back = frame.goes_back(label, step.piece.place)
    # From behind it leads here what nobody knows yet.
    state.tests = () if back or not ends else known_behind([one.tests for one in ends])
    state.over = False
    met: dict[str, list[Held | None]] = {}
    for key, held in frame.versions:
        met.setdefault(key, [held_by(key, state.variables)]).append(held)
    for key, several in met.items():
        state.variables[key] = this.holding.versions.one_of(several, key, state, step.piece)
    this.meet_around(state, ends, step.piece)
    if back:
        frame.heads[label] = headed(this, frame.steps, state, step.piece)


def _given(this: Following, step: Jump, state: ProgramState) -> None:
    """What a routine returns: the row of a trigger, rows of a function, a cursor, or a value."""
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
        if step.kind == "give" and frame.scalar:
            # RETURN NEXT gives what the columns hold: here they are parts of one value.
            frame.given += [state.variables.get(this.key(name)) for name in frame.columns]
        return
    if step.dynamic:
        # What the text gives are rows of the routine.
        dynamic(this, Dynamic(step.value, step.piece, step.using), state.copy())
        return
    key = this.key(plain(step.value))
    frame.cursors += state.cursors.get(key, ())
    if key in state.cursors and not state.has(key):
        return
    if step.query and this.frames[-1].scalar:
        this.frames[-1].given += this.holding.query(step.value, ["RESULT"], state, step.piece)
    elif step.query:
        found, _ = this.holding.statement(step.value, state)
        found.writes |= dict.fromkeys([found.target] if found.filling else [])
        this.frames[-1].rows.append(this.holding.given(found, step.value, state))
    else:
        whole = row_whole(this, step.value, state, step.piece)
        this.frames[-1].given.append(whole or this.holding.value(step.value, "RESULT", state, step.piece))


STEPS: dict[type, Callable[[Following, Any, ProgramState], None]] = {
    Test: test,
    Loop: loop,
    BeginEnd: begin,
    Jump: jump,
}
