"""What triggers that run before or instead of a change do with the rows written, found by their words alone (rule Q30).

    BEFORE INSERT ON t   NEW.b := NEW.c; RETURN NEW;      "changes insert B", "replaces insert B", "reads C"
    BEFORE INSERT ON t   INSERT INTO part VALUES (NEW.*); RETURN NULL;      "takes insert", "reads *"
    BEFORE INSERT ON t   IF NEW.d > 1 THEN RETURN NULL; END IF; RETURN NEW;      "decides insert D"
    INSTEAD OF INSERT OR UPDATE ON v  ...                 "takes insert", "takes update", "rows insert update"
    RULE ... ON INSERT TO v WHERE c DO INSTEAD ...        "shares insert"

So other files that write the table are told it. A statement's value is replaced where no such trigger reads it first.
Words are enough: statements that stand before the trigger need to know, so its body was not followed yet. Where they
leave doubt a column is "changed" and "read", never "replaced": the statement's value and the trigger's both stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from mdw.model.query import ALL
from mdw.readers.sql.naming import Identifiers
from mdw.readers.sql.pieces import ScriptPiece, word_of
from mdw.readers.sql.programs.program import Assign, BeginEnd, Jump, Loop, Routine, Run, Step, Steps, Test, Trigger
from mdw.readers.sql.programs.states import assigned, parts


def effects(trigger: Trigger, body: Routine, naming: Identifiers) -> tuple[str, ...]:
    """What a trigger does with the rows written, as `EntityEntry.triggers` says it."""
    steps = body.body or ()
    if trigger.timing == "after" or not trigger.enabled:
        return ()
    new = trigger.new.lstrip(":").upper()
    old = (trigger.old or "OLD").lstrip(":").upper()
    changes = [
        f"changes {event} {name}"
        for event, kept in (("insert", (new, old)), ("update", (new,)))
        if event in trigger.events
        for name in sorted({naming.path(name) if name != ALL else ALL for name in _changed(steps, new, kept)})
    ]
    if trigger.timing == "instead":
        # PostgreSQL's rules may take some of the rows.
        takes = [f"{'takes' if trigger.when is None else 'shares'} {event}" for event in trigger.events]
        return (*takes, *changes, *_rows(trigger))
    read = sorted({naming.path(name) if name != ALL else ALL for name in _read((steps, trigger.when), new)})
    found = [f"reads {name}" for name in read] + changes
    if trigger.each and not _drops(steps) and any(map(_nothing, _returns(steps))):
        asked = {naming.path(name) if name != ALL else ALL for name in _tested(steps, trigger, new)}
        found += [f"decides {event} {name}" for event in trigger.events for name in sorted(asked)]
    if trigger.each and trigger.when is None and not trigger.columns:
        if _drops(steps):
            found += [f"takes {event}" for event in trigger.events]
        replaced = sorted({naming.path(name) for name in _certain(steps, new)})
        found += [f"replaces {event} {name}" for event in trigger.events for name in replaced]
    return (*found, *_rows(trigger)) if found else ()


def _rows(trigger: Trigger) -> Iterator[str]:
    """Of which events a trigger reads rows; those that are deleted are none that are written."""
    events = [event for event in ("insert", "update") if event in trigger.events]
    if events:
        yield f"rows {' '.join(events)}"


def _changed(steps: Steps, new: str, kept: Sequence[str]) -> set[str]:
    """The columns of the new row that may get a value; ``*`` where any other row than those ``kept`` is returned."""
    found = {_column(name, new) or ALL for name in assigned(steps) if _row(name) == new}
    gives = [step for step in _all(steps) if isinstance(step, Jump) and step.kind == "return" and step.value]
    return found if all(_nothing(one) or any(_keeps(one, row) for row in kept) for one in gives) else {*found, ALL}


def _certain(steps: Steps, new: str) -> set[str]:
    """The columns of the new row that get a value on all ways that keep the row."""
    # What stands behind a step that may leave the trigger with its row is not on all ways.
    found: set[str] = set()
    for step in steps:
        if isinstance(step, Assign):
            found |= {column for name in step.names if (column := _column(name, new))}
        elif isinstance(step, BeginEnd) and not step.handlers:
            found |= _certain(step.body, new)
        elif isinstance(step, Loop) and any(map(_before_row, step.body)):
            # The parts of a trigger, of which each ends for itself.
            found |= {name for part in step.body if _before_row(part) for name in _certain((part,), new)}
            continue
        elif isinstance(step, Test) and step.arms and step.arms[-1].test is None:
            found |= set.intersection(*[_certain(arm.body, new) for arm in step.arms])
        if any(map(_leaves, _all((step,)))):
            break
    return found


def _before_row(step: Step) -> bool:
    return isinstance(step, BeginEnd) and step.timing == "BEFORE EACH ROW"


def _leaves(step: Step) -> bool:
    return isinstance(step, Jump) and step.kind not in ("raise", "fail", "give") and not _nothing(step)


def _row(name: str) -> str:
    return name.lstrip(":").partition(".")[0].upper()


def _column(name: str, new: str) -> str:
    return name.partition(".")[2] if _row(name) == new else ""


def _keeps(step: Jump, new: str) -> bool:
    """Whether it is the new row that is returned."""
    return step.value is not None and [word_of(one) for one in step.value.tokens] == [new]


def _drops(steps: Steps) -> bool:
    """Whether no row is kept: RETURN NULL is all that is returned."""
    jumps = _returns(steps)
    return bool(jumps) and all(map(_nothing, jumps))


def _returns(part: Any) -> list[Jump]:
    return [step for step in _all(part) if isinstance(step, Jump) and step.kind == "return"]


def _tested(steps: Steps, trigger: Trigger, new: str) -> set[str]:
    """The columns of the new row that are asked for where it depends on the answer whether it is returned."""
    tests = [trigger.when] if trigger.when is not None else []
    for step in _all(steps):
        if isinstance(step, Test) and _returns((step,)):
            tests += [arm.test for arm in step.arms if arm.test is not None]
    return {name for test in tests for name in _columns(test, new)}


def _nothing(step: Jump) -> bool:
    return step.kind == "return" and step.value is not None and [word_of(one) for one in step.value.tokens] == ["NULL"]


def _all(part: Any) -> Iterator[Step]:
    """The steps of a part of a program, and those within them."""
    return (one for one in parts(part) if hasattr(one, "piece"))


def _read(part: Any, new: str) -> Iterator[str]:
    """The columns of the new row that a part of a program reads; ``*`` where it uses the whole row."""
    if isinstance(part, tuple):
        for one in part:
            yield from _read(one, new)
    elif isinstance(part, ScriptPiece):
        yield from _columns(part, new)
    elif is_dataclass(part) and not (isinstance(part, BeginEnd) and part.timing and not _before_row(part)):
        kept = isinstance(part, Jump) and _keeps(part, new)
        for one in fields(part):
            # The words of a step that has parts are those of its parts.
            if not kept and (one.name != "piece" or isinstance(part, Run)):
                yield from _read(getattr(part, one.name), new)


def _columns(piece: ScriptPiece, new: str) -> Iterator[str]:
    tokens = piece.tokens
    for at, token in enumerate(tokens):
        if token.text.upper() == new:
            dotted = at + 2 < len(tokens) and tokens[at + 1].text == "."
            yield piece.text[tokens[at + 2].start : tokens[at + 2].end + 1] if dotted else ALL
