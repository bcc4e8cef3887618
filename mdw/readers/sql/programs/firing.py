"""Triggers run: for the rows that statements write, unless they are disabled (rule Q30).

    CREATE TRIGGER tr AFTER INSERT ON s FOR EACH ROW ... INSERT INTO log VALUES (NEW.k)      LOG gets S.K
    CREATE TRIGGER tr BEFORE INSERT ON s ... NEW.b := 1                                      S.B may be 1
    CREATE TRIGGER tr INSTEAD OF INSERT ON v ... INSERT INTO s VALUES (NEW.k)                S gets `V rows inserted`.K

A trigger is followed once, for all rows its table ever has, not for each statement that writes: what was written to
S.K flows on from there. Only where it takes rows away from their table they are an entity of their own (`rewritten`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from mdw.model.dictionary import EntityEntry
from mdw.model.query import ALL
from mdw.readers.sql.fired import UNREAD, shares, takes
from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.effects import effects
from mdw.readers.sql.programs.knowing import KnownRoutine
from mdw.readers.sql.programs.legibility import legible
from mdw.readers.sql.programs.program import Aside, ProgramVariable, Routine, Run, Steps, Trigger
from mdw.readers.sql.programs.recorded import UNKNOWN_CALL
from mdw.readers.sql.programs.states import ProgramFrame, ProgramState, runs
from mdw.readers.sql.variables import Held, Variables

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following

DISABLED = "it is disabled: it is not followed"
NAME = r"""(?:"[^"]+"|\[[^\]]+\]|`[^`]+`|[\w$#@.])+"""
SWITCHED = re.compile(
    rf"(?is)\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?(?P<table>{NAME})\s.*?"
    rf"\b(?P<word>DISABLE|ENABLE)\s+(?:(?:REPLICA|ALWAYS)\s+)?(?:ALL\s+TRIGGERS|TRIGGER\s+(?P<names>{NAME}(?:\s*,\s*{NAME})*))"
    rf"|\bALTER\s+TRIGGER\s+(?P<own>{NAME})\s+(?P<turned>DISABLE|ENABLE)\b"
    rf"|\b(?P<said>DISABLE|ENABLE)\s+TRIGGER\s+(?P<some>{NAME}(?:\s*,\s*{NAME})*)\s+ON\s+(?:ALL\s+)?(?P<on>{NAME})"
)
"""What turns triggers off and on: some of a table, or one by its name."""


ASKED = re.compile(r"(?i)\bTG_(?:TABLE|REL)")


class Firing:
    """The triggers of one script: which tables they are on, which of them are off, what was written so far.

    Of entities whose triggers the script turns off somewhere, ``ALL`` for any, it tells who reads statements.
    """

    def __init__(self, this: Following) -> None:
        self._this = this
        self._off: set[int] = set()
        self._written: set[str] = set()
        self._always: set[int] = set()

    def learn(self, program: Steps) -> None:
        """What the script's triggers do with rows is known to all of its statements, wherever they stand."""
        self._always = {step.piece.place for step in program if isinstance(step, Run | Aside)}
        loose: set[str] = set()
        for piece in runs(program):
            for match in _switches(piece):
                table = match["table"] or match["on"] or self._table(match["own"])
                off = (match["word"] or match["turned"] or match["said"]).upper() == "DISABLE"
                loose |= {self._this.holding.entity(table, piece) if table else ALL} if off else set()
        self._this.holding.loose = frozenset(loose)
        for one in self._this.routines.triggers():
            self.tell(one.routine)

    def _table(self, name: str) -> str:
        return next(
            (
                trigger.table
                for one in self._this.routines.triggers()
                if self._named(one, name) and (trigger := one.routine.trigger)
            ),
            "",
        )

    def _named(self, one: KnownRoutine, name: str) -> bool:
        return one in self._this.routines.named(name)

    def tell(self, routine: Routine) -> None:
        """What a trigger does with the rows of its table is told of the table."""
        trigger = routine.trigger
        assert trigger is not None
        body = self._body(routine, trigger)
        told = effects(trigger, body, self._this.naming)
        if trigger.enabled and not legible(body, self._this.holding.reading.flavour):
            # What was not read may not replace what a statement writes (rule Q39).
            told = tuple(one for one in told if not one.startswith("replaces "))
            # It may give any column a value that an INSERT leaves out (rule Q32).
            told = (*told, UNREAD) if "insert" in trigger.events else told
        if told:
            self._this.holding.tell(EntityEntry(self._this.holding.entity(trigger.table, routine.piece), triggers=told))

    def _body(self, routine: Routine, trigger: Trigger) -> Routine:
        body = routine
        if trigger.function:
            for one in self._this.routines.meant(trigger.function, routine.piece):
                body = one.routine
                self._this.called[one.place] = one.name
        return body

    # -- off and on ----------------------------------------------------------------------------------------------------

    def ran(self, piece: ScriptPiece, state: ProgramState, writes: Iterable[str] = ()) -> None:
        """A statement ran: what it wrote, and which triggers it turned off or on.

        Off is one that was off since it was made, as far as rows were written: no row written ran it.
        """
        self._written.update(writes)
        for match in _switches(piece):
            # A statement of the script itself, outside of all blocks: it runs whatever happens.
            certain = piece.place in self._always and not state.tests
            off = (match["word"] or match["turned"] or match["said"]).upper() == "DISABLE"
            for one in self._meant(match, piece):
                assert one.routine.trigger is not None
                table = self._this.holding.entity(one.routine.trigger.table, one.routine.piece)
                ran = table in self._written
                if not off:
                    self._off.discard(one.place)
                # Rows that were written before it was turned off went through it: it is followed for these.
                elif certain and not ran and one.routine.piece.place < piece.place:
                    self._off.add(one.place)

    def _meant(self, match: re.Match[str], piece: ScriptPiece) -> Iterator[KnownRoutine]:
        holding, table = self._this.holding, match["table"] or match["on"]
        names = match["names"] or match["some"] or match["own"] or "ALL"
        some = [one.strip() for one in names.split(",")]
        for one in self._this.routines.triggers():
            trigger = one.routine.trigger
            assert trigger is not None
            own = holding.entity(trigger.table, one.routine.piece)
            on = table is None or holding.entity(table, piece) == own
            every = some[0].upper() in ("ALL", "USER")
            if on and (every or any(self._named(one, name) for name in some)):
                yield one

    # -- running -------------------------------------------------------------------------------------------------------

    def _told(self, trigger: Trigger, piece: ScriptPiece, state: ProgramState) -> Variables:
        """What PostgreSQL tells a trigger of its table: texts that are run have it in names of others."""
        schema, _, table = trigger.table.replace('"', "").rpartition(".")
        told = {"TG_TABLE_NAME": table, "TG_RELNAME": table, "TG_TABLE_SCHEMA": schema}
        found: dict[str, Held | None] = {}
        for name, text in told.items():
            if text and piece.tokens:
                said = replace(piece, tokens=tuple(made_words(piece.tokens[0], f"'{text}'")))
                key = self._this.key(name)
                found[key] = self._this.holding.value(said, key, state, piece)
        return found

    def fire(self, one: KnownRoutine) -> None:
        """A trigger runs for the rows of its table that are written."""
        this, routine = self._this, one.routine
        trigger, holding = routine.trigger, self._this.holding
        assert trigger is not None
        if not trigger.enabled or one.place in self._off:
            holding.say(routine.piece, DISABLED)
            return
        body = self._body(routine, trigger)
        entity = holding.entity(trigger.table, routine.piece)
        state = ProgramState()
        inserts, only = "insert" in trigger.events, set(trigger.events) == {"insert"}
        told = holding.told(entity)
        taken = any(takes(told, event) or shares(told, event) for event in trigger.events) and trigger.timing != "after"
        written = this.rows.written(entity, routine.piece, trigger.events) if taken else entity
        new, old = {trigger.new or "NEW", "NEW"}, {trigger.old or "OLD", "OLD"}
        # OLD is another row of the table than NEW (rule Q7); where rows are inserted there may be none.
        before = Held(entity, there=not inserts, which="before")
        state.variables |= {this.key(name): Held(written, there=True) for name in new}
        state.variables |= {this.key(name): None if only else before for name in old}
        # A row is no table: one may be called NEW where triggers run for each row.
        rows = ("NEW", ":NEW", "OLD", ":OLD") if trigger.each else ()
        state.tables |= {this.key(name): written for name in (*new, "inserted") if name.upper() not in rows}
        state.tables |= {this.key(name): entity for name in (*old, "deleted") if name.upper() not in rows}
        self._elsewhere(trigger, state)
        if holding.reading.flavour.name == "postgres" and ASKED.search(body.piece.text):
            state.variables |= self._told(trigger, routine.piece, state)
        if trigger.when is not None:
            state.under(trigger.when, holds=True)
        changes = written if trigger.timing != "after" and trigger.each else ""
        with holding.firing(entity, trigger.events, changes, map(this.key, new)):
            if body.body is None:
                name = trigger.function or body.name
                holding.note(routine.piece, "create trigger", "opaque", f"{UNKNOWN_CALL}: {name}")
            this.within(routine.name, body, state, ProgramFrame(fires=True))

    def _elsewhere(self, trigger: Trigger, state: ProgramState) -> None:
        """What only other triggers of the same function call the rows written is no table where this one runs."""
        holding = self._this.holding
        for one in self._this.routines.triggers() if trigger.function else ():
            other = one.routine.trigger
            if other is None or other.function != trigger.function:
                continue
            for name in filter(None, (other.new, other.old)):
                key = self._this.key(name)
                known = key in state.tables or key in state.variables or holding.told(holding.entity(name)) is not None
                if not known:
                    holding.table(ProgramVariable(name, kind="table"), state)


def _switches(piece: ScriptPiece) -> Iterator[re.Match[str]]:
    """What a statement turns off and on."""
    if piece.tokens and piece.mentions("TRIGGER"):
        first, last = piece.tokens[0].start, piece.tokens[-1].end + 1
        yield from SWITCHED.finditer(piece.text[first:last])
