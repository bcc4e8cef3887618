"""What a program knows to hold: tests that were made, and, where ways meet, that those of one of the ways did.

    IF a THEN RETURN;             way 1: ends
    ELSIF b THEN INSERT ...;      way 2: a is not TRUE, b
    END IF;                       way 3: a is not TRUE, b is not TRUE
    INSERT ...                    a is not TRUE, whatever b is

Behind ``IF a THEN IF b THEN RETURN; END IF; END IF;`` it is: a and b is not TRUE, or a is not TRUE (rule Q26).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.variables import Variables


@dataclass(frozen=True, slots=True)
class KnownTest:
    """A test that was made, with what the variables held then; ``holds``: it is TRUE, else it is FALSE or NULL."""

    piece: ScriptPiece
    holds: bool
    variables: Variables = field(hash=False)

    def repeats(self, other: KnownTest | KnownWays) -> bool:
        """Whether something known is the same test, of what variables hold now as they did then."""
        if not isinstance(other, KnownTest) or other.holds is not self.holds or other.variables != self.variables:
            return False
        return [one.text for one in self.piece.tokens] == [one.text for one in other.piece.tokens]


@dataclass(frozen=True, slots=True)
class KnownWays:
    """One of several ways was gone: all that is known on one of them holds."""

    ways: tuple[Known, ...]


Known: TypeAlias = "tuple[KnownTest | KnownWays, ...]"


MOST_WAYS = 30
"""Places where ways met of which some ended, of which all is told that is known there."""


def shared(ways: Sequence[Known]) -> Known:
    """What is known on all of several ways."""
    return _apart(ways)[0]


def known_behind(ways: Sequence[Known]) -> Known:
    """What is known where ways meet: what all of them know, and that one of them was gone."""
    found, rest = _apart(ways)
    # Each statement stands under all that is known: where that is as much as no one reads, no more is said.
    full = sum(isinstance(one, KnownWays) for one in found) >= MOST_WAYS
    return found if full else found + _one_of(rest)


def _apart(ways: Sequence[Known]) -> tuple[Known, list[Known]]:
    """What is known on all of several ways, and what else is on each."""
    # What was known where they parted is the same on all: it may be a lot, and is passed by at once.
    same = 0
    for several in zip(*ways, strict=False):
        if any(one is not several[0] for one in several):
            break
        same += 1
    rest = [way[same:] for way in ways]
    found = tuple([one for one in rest[0] if all(one in way for way in rest[1:])])
    if found:
        rest = [tuple([one for one in way if one not in found]) for way in rest]
    return ways[0][:same] + found, rest


def _one_of(ways: Sequence[Known]) -> Known:
    """That all that is known on one of several ways holds; nothing where one of them is gone in any case."""
    if not all(ways):
        return ()
    first = ways[0][0]
    rest = {holds: [way[1:] for way in ways if _tells(way[0], first, holds=holds)] for holds in (True, False)}
    if not all(rest.values()) or len(rest[True]) + len(rest[False]) < len(ways):
        return (KnownWays(tuple(ways)),)
    # Some ways are those of a test that is TRUE, all others those of the same where it is not.
    true, false = known_behind(rest[True]), known_behind(rest[False])
    if not true and not false:
        return ()
    assert isinstance(first, KnownTest)
    kept, other = KnownTest(first.piece, True, first.variables), KnownTest(first.piece, False, first.variables)
    return (KnownWays(((kept, *true), (other, *false))),)


def _tells(one: KnownTest | KnownWays, other: KnownTest | KnownWays, *, holds: bool) -> bool:
    """Whether something known is that a test holds, or does not, of which the other says so or not."""
    if not isinstance(one, KnownTest) or not isinstance(other, KnownTest) or one.holds is not holds:
        return False
    return one.piece is other.piece and one.variables == other.variables
