"""The head of CREATE TRIGGER: which rows it runs for (rule Q30).

    BEFORE INSERT OR UPDATE OF a, b ON t FOR EACH ROW WHEN (NEW.a > 1) EXECUTE FUNCTION f()
    ON t AFTER INSERT, DELETE AS ...                                                             (T-SQL)

Its parts come in another order in each dialect, so whatever stands here is read until the table is known and a body
begins. Words that say nothing of rows are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.grammar import STATEMENTS, words
from mdw.readers.sql.programs.program import Trigger
from mdw.readers.sql.programs.words import OPENED, Words

Timing = Literal["before", "after", "instead"]
EVENTS = words("INSERT UPDATE DELETE")
BODIES = words("AS IS BEGIN DECLARE CALL COMPOUND SET IF") | STATEMENTS
ROWS = {"tsql": ("inserted", "deleted"), "fabric": ("inserted", "deleted"), "oracle": (":NEW", ":OLD")}
"""What a dialect calls the rows written and what they were, where it is not NEW and OLD."""
BY_ROW = frozenset(("mysql", "sqlite"))
"""Dialects whose triggers run for each row whatever their head says."""


@dataclass
class Heading:
    """What the head of a trigger says, as far as it has been read."""

    table: str = ""
    events: tuple[str, ...] = ()
    timing: Timing = "after"
    columns: tuple[str, ...] = ()
    when: ScriptPiece | None = None
    each: bool = False
    new: str = "NEW"
    old: str = "OLD"
    function: str = ""
    enabled: bool = True

    def trigger(self) -> Trigger:
        """The head as a value."""
        return Trigger(
            self.table,
            self.events,
            self.timing,
            self.columns,
            self.when,
            self.each,
            self.new,
            self.old,
            self.function,
            self.enabled,
        )


def heading(this: Words) -> Heading:
    """The head of a trigger, up to its body."""
    found = Heading(each=this.flavour.name in BY_ROW)
    found.new, found.old = ROWS.get(this.flavour.name, ("NEW", "OLD"))
    while this.at < this.end and this.type() is not TokenType.SEMICOLON:
        word, before = this.word(), this.at
        reader = PARTS.get(word)
        # Behind the table INSERT begins the body, but in T-SQL, whose events stand there.
        if word in EVENTS and (this.ends is not None or not found.table):
            _event(this, found, word)
        elif reader is not None:
            reader(this, found)
        elif found.table and (word in BODIES or this.type() is OPENED):
            break
        if this.at == before:
            this.at += 1
    return found


def _event(this: Words, found: Heading, word: str) -> None:
    found.events = (*found.events, word.lower())
    this.at += 1
    if this.take("OF"):
        found.columns = this.names()


def _timing(this: Words, found: Heading) -> None:
    word = this.word()
    this.at += 1
    if word == "FOR" and this.take("EACH"):
        found.each = this.word() == "ROW"
        this.at += 1
    elif word == "FOR" and this.word() == "REPLICATION":
        this.at += 1
    elif word == "INSTEAD":
        this.take("OF")
        found.timing = "instead"
    else:
        found.timing = "before" if word == "BEFORE" else "after"


def _table(this: Words, found: Heading) -> None:
    this.at += 1
    found.table = found.table or this.name()


def _referencing(this: Words, found: Heading) -> None:
    this.at += 1
    while (word := this.take_one(words("NEW OLD NEW_TABLE OLD_TABLE"))) != "":
        this.take_one(words("ROW TABLE"))
        this.take("AS")
        # In Oracle's bodies a colon stands before it.
        name = ":" * (found.new[:1] == ":") + this.name()
        if word.startswith("NEW"):
            found.new = name
        else:
            found.old = name


def _when(this: Words, found: Heading) -> None:
    this.at += 1
    if this.type() is OPENED:
        end = this.closed(this.at)
        found.when = this.piece(*this.held(this.at))
    else:
        end = this.top(words("BEGIN EXECUTE AS"), this.at, this.end)
        found.when = this.piece(this.at, end)
    this.at = end


def _function(this: Words, found: Heading) -> None:
    this.at += 1
    if this.take_one(words("FUNCTION PROCEDURE")):
        found.function = this.name()
        if this.type() is OPENED:
            this.at = this.closed(this.at)


def _disabled(this: Words, found: Heading) -> None:
    this.at += 1
    found.enabled = False


PARTS = {
    **dict.fromkeys(("BEFORE", "AFTER", "FOR", "INSTEAD", "INSTEAD OF"), _timing),
    "ON": _table,
    "REFERENCING": _referencing,
    "WHEN": _when,
    "EXECUTE": _function,
    "DISABLE": _disabled,
}
