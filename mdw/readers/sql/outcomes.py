"""What became of a statement while it is read, before its blocks are values.

``filling`` are the blocks that fill or change its target, ``structure`` those that give it columns and no row;
``blocks`` are all that were made for it: of inner entities, and of what triggers, keys and variables make of it, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from mdw.model.query import EFFECTS, Effect, RoutinePlace, Status
from mdw.model.tree import Location
from mdw.readers.sql.building import Building


@dataclass
class Outcome:
    """A statement: its kind, what it fills or changes, the blocks that do so, what could not be resolved."""

    kind: str
    target: str = ""
    status: Status = "whole"
    message: str = ""
    hint: str = ""
    location: Location | None = None
    # Where its words begin and end, as offsets in the file.
    span: tuple[int, int] = (0, 0)
    filling: list[Building] = field(default_factory=list)
    structure: list[Building] = field(default_factory=list)
    blocks: list[Building] = field(default_factory=list)
    reads: dict[str, None] = field(default_factory=dict)
    writes: dict[str, None] = field(default_factory=dict)
    unresolved: dict[str, None] = field(default_factory=dict)
    deduced: dict[str, None] = field(default_factory=dict)
    calls: dict[RoutinePlace, None] = field(default_factory=dict)
    within: RoutinePlace | None = None
    columns: tuple[str, ...] = ()
    # The same as their canonical names; known before where no block is left to give them.
    given: tuple[str, ...] = ()
    # What it may write though it was not read whole, what may become of that, and all that it names (rule Q39).
    possible: dict[str, None] = field(default_factory=dict)
    effect: Effect = "takes"
    mentioned: dict[str, None] = field(default_factory=dict)
    # The text that it runs, as far as it is known.
    run: str = ""

    def together(self, other: Outcome) -> None:
        """Something else that the same statement does, which fills its target, too."""
        self.along(other)
        self.filling = [*self.filling, *other.filling]

    def along(self, other: Outcome) -> None:
        """Something else that the same statement does."""
        self.blocks = [*self.blocks, *other.blocks]
        self.unresolved |= other.unresolved
        self.deduced |= other.deduced
        self.calls |= other.calls
        self.may(other.possible, other.effect, other.mentioned)
        self.reads |= other.reads
        self.writes |= other.writes
        if self.status == "whole" and other.status != "whole":
            self.status, self.message = other.status, other.message

    def may(self, possible: Iterable[str], effect: Effect, mentioned: Iterable[str]) -> None:
        """It may write these, too: of all that it may do the worst counts."""
        self.possible |= dict.fromkeys(possible)
        self.effect = max(self.effect, effect, key=EFFECTS.index)
        self.mentioned |= dict.fromkeys(mentioned)
