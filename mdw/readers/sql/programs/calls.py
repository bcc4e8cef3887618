"""Routines run: by calls, each a copy of the routine, in expressions, as triggers, or called by nobody (Q29, Q30)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mdw.model.name import local_of
from mdw.model.query import Status
from mdw.model.tree import Node
from mdw.readers.nodes import call
from mdw.readers.sql.programs.program import (
    BeginEnd,
    Dynamic,
    Jump,
    Routine,
    RoutineCall,
)
from mdw.readers.sql.programs.reading import program_of
from mdw.readers.sql.programs.states import ProgramFrame, ProgramState, calls, plain
from mdw.readers.sql.programs.values import value_of
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.variables import Held, member

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following


UNKNOWN_TEXT = "a text that is run, and that is not known"
UNKNOWN_CALL = "a call of which the body is not known"
DEEPEST = 20
"""Calls within calls that are followed."""
MOST_CALLS = 2_000
"""Calls of a script that are followed, each as a copy of the routine."""
RESULT = "RESULT"


def routine(this: Following, step: Routine, state: ProgramState) -> None:
    """A routine is made, which runs when it is called; a block without a name runs."""
    this.holding.note(step.piece, "block" if step.kind == "block" else f"create {step.kind}", *_foreign(step))
    if step.kind == "block":
        this.steps(step.body or (), state)
    elif step.is_query:
        # Like a view it is made here, and who reads it knows its columns.
        name = this.naming.path(step.name)
        this.called.add(name)
        free(this, name, step)


def _foreign(step: Routine) -> tuple[Status, str] | tuple[()]:
    if step.body is not None or (step.trigger and step.trigger.function):
        return ()
    return "opaque", f"its body is {step.language or 'not SQL'}: it is not followed"


def free(this: Following, name: str, routine: Routine) -> None:
    """A routine that nothing here calls: of its arguments nothing is known; a trigger runs for rows written."""
    state = ProgramState()
    if routine.trigger is not None:
        _triggered(this, routine, state)
        return
    for one in routine.arguments:
        state.variables[this.key(one.name)] = None
    this.within(name, routine, state)


def _triggered(this: Following, routine: Routine, state: ProgramState) -> None:
    trigger = routine.trigger
    assert trigger is not None
    if not trigger.enabled:
        return
    body = routine
    if trigger.function:
        body = this.routines.get(this.naming.path(trigger.function), routine)
        this.called.add(this.naming.path(trigger.function))
    written = this.holding.entity(trigger.table)
    new, old = {trigger.new or "NEW", "NEW"}, {trigger.old or "OLD", "OLD"}
    before = Held(written, there="insert" not in trigger.events, which="before")
    state.variables |= {this.key(name): Held(written, there=True) for name in new}
    state.variables |= {this.key(name): before if set(trigger.events) != {"insert"} else None for name in old}
    state.tables |= {this.key(name): written for name in (*new, *old, "inserted", "deleted")}
    if trigger.when is not None:
        state.under(trigger.when, holds=True)
    this.holding.changed = written if trigger.timing == "before" else ""
    this.within(routine.name, body, state)
    this.holding.changed = ""


def call_routine(this: Following, step: RoutineCall, state: ProgramState) -> None:
    name = meant(this, step.name)
    routine = this.routines.get(name)
    if routine is None or routine.body is None:
        this.holding.note(step.piece, "call", "opaque", f"{UNKNOWN_CALL}: {step.name}")
        this.unknown((*step.into, *(plain(one.value) for one in step.arguments if one.out)), state)
        return
    this.called.add(name)
    this.calls += 1
    running = next((one for one in this.frames if one.name == name), None)
    if running is None and (len(this.frames) > DEEPEST or this.calls > MOST_CALLS):
        this.called.discard(name)
        this.holding.note(
            step.piece, "call", "opaque", f"not followed: calls within calls, or more than {MOST_CALLS:,}"
        )
        return
    this.holding.note(step.piece, "call")
    own = ProgramState(tables=state.tables, tests=state.tests)
    outs = _bound(this, step, routine, own, state)
    if running is not None:
        _again(this, running, own, outs, state, step)
        return
    frame = ProgramFrame(name, scalar=bool(step.into))
    if _recursive(this, name):
        for key, held in list(own.variables.items()):
            own.variables[key] = frame.entry[key] = this.holding.version(key, [held], own, step.piece)
        frame.outs = {key: this.holding.version(key, [], own, step.piece) for key in (*outs, RESULT)}
    this.within(name, routine, own, frame)
    for key, head in frame.outs.items():
        several = frame.given if key == RESULT else [own.variables.get(key)]
        for held in several:
            this.holding.flows(held, head, key, own, step.piece)
    state.tables = own.tables
    if step.insert is not None:
        this.holding.inserted(step.insert, frame.rows, state, step.piece)
    for key, written in outs.items():
        state.variables[written] = this.version(written, own.variables.get(key))
    if frame.given and step.into:
        key = this.key(step.into[0])
        state.variables[key] = this.version(key, this.holding.one_of(frame.given, key, state, step.piece))


def _again(
    this: Following,
    running: ProgramFrame,
    own: ProgramState,
    outs: dict[str, str],
    state: ProgramState,
    step: RoutineCall,
) -> None:
    """A routine calls itself: what it is given flows into its arguments; it gives back what any round does."""
    for key, head in running.entry.items():
        this.holding.flows(own.variables.get(key), head, key, state, step.piece)
    for key, written in outs.items():
        state.variables[written] = this.version(written, running.outs.get(key))
    if step.into:
        key = this.key(step.into[0])
        state.variables[key] = this.version(key, running.outs.get(RESULT))


def _bound(
    this: Following, step: RoutineCall, routine: Routine, own: ProgramState, state: ProgramState
) -> dict[str, str]:
    """Give a routine its arguments; the variables of the caller that it gives back, each by the routine's own."""
    outs: dict[str, str] = {}
    named = {this.key(one.name): one for one in step.arguments if one.name}
    placed = [one for one in step.arguments if not one.name]
    for at, variable in enumerate(routine.arguments):
        key = this.key(variable.name)
        given = named.get(key) or (placed[at] if at < len(placed) else None)
        if given is not None and variable.mode != "out":
            own.variables[key] = value_of(this, given.value, key, state)
        elif variable.default is not None:
            own.variables[key] = this.holding.value(variable.default, key, own)
        else:
            own.variables[key] = None
        written = this.key(plain(given.value)) if given else ""
        if variable.mode != "in" and written in state.variables:
            outs[key] = written
    return outs


def _recursive(this: Following, name: str) -> bool:
    """Whether a routine may call itself, maybe through others."""
    seen: set[str] = set()
    pending = [name]
    while pending:
        routine = this.routines.get(pending.pop())
        for called in calls(routine.body or ()) if routine else ():
            other = meant(this, called)
            if other == name:
                return True
            if other not in seen:
                seen.add(other)
                pending.append(other)
    return False


def meant(this: Following, name: str) -> str:
    """The routine that a call means: by its whole name, or by an ending that only one has."""
    path = this.naming.path(name)
    if path in this.routines:
        return path
    last = local_of(path)
    ending = [one for one in this.routines if local_of(one) == last]
    return ending[0] if len(ending) == 1 else path


def inlined(this: Following, name: str, given: Sequence[Node], scope: SelectScope) -> Node | None:
    """The value of a function of the script that an expression calls, None if it is no such (rule Q29).

    One that only returns an expression is that expression. Of any other its arguments go into the value, and all
    that it reads.
    """
    name = meant(this, name)
    routine = this.routines.get(name)
    if routine is None or routine.kind != "function" or routine.body is None:
        return None
    body = routine.body[0].body if len(routine.body) == 1 and isinstance(routine.body[0], BeginEnd) else routine.body
    only = body[0] if len(body) == 1 else None
    if len(this.frames) > DEEPEST or any(one.name == name for one in this.frames):
        return None
    if isinstance(only, Jump) and only.value is not None and not only.query:
        own: dict[str, Held | None] = {this.key(one.name): None for one in routine.arguments}
        own |= {key: Held(value=value) for key, value in zip(list(own), given, strict=False)}
        this.called.add(name)
        return this.holding.expression(only.value, own, scope, routine)
    if name not in this.results:
        this.results[name] = None
        this.called.add(name)
        state = ProgramState({this.key(one.name): None for one in routine.arguments})
        frame = this.within(name, routine, state, ProgramFrame(name, scalar=True))
        this.results[name] = this.holding.one_of(frame.given, RESULT, state, routine.piece) if frame.given else None
    held = this.results[name]
    if held is None:
        return None
    value = held.value if held.value is not None else member(held, held.column or RESULT, scope, None)
    # A constant that every way gives is the value; anything else may come from the arguments, too.
    known = held.value is not None and all(one.role != "parameter" for one in value.walk())
    return value if known else call(local_of(name), [*given, value])


def dynamic(this: Following, step: Dynamic, state: ProgramState) -> None:
    """A text is run: followed where it is known, all its parts being constants there (rule Q31)."""
    text = this.holding.text(step.text, state)
    if text is None or step.using or step.into or step.insert or len(this.frames) > DEEPEST:
        this.holding.note(step.piece, "execute", "opaque", UNKNOWN_TEXT)
        this.unknown(step.into, state)
        return
    this.holding.note(step.piece, "execute")
    # Where the text stands as it is, places within it are those of the file.
    words = step.text.tokens
    alone = len(words) == 1 and words[0].end - words[0].start - 1 == len(text)
    with this.holding.standing(None if alone else step.piece):
        offset = step.text.offset + words[0].start + 1 if alone else step.piece.place
        this.steps(program_of(text, this.holding.reading.flavour, offset), state)


STEPS: dict[type, Callable[[Following, Any, ProgramState], None]] = {
    Routine: routine,
    RoutineCall: call_routine,
    Dynamic: dynamic,
}
