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


@dataclass(frozen=True, slots=True)
class KnownWays:
    """One of several ways was gone: all that is known on one of them holds."""

    ways: tuple[Known, ...]


Known: TypeAlias = "tuple[KnownTest | KnownWays, ...]"


def shared(ways: Sequence[Known]) -> Known:
    """What is known on all of several ways."""
    first, *others = ways
    return tuple([one for one in first if all(one in other for other in others)])


def known_behind(ways: Sequence[Known]) -> Known:
    """What is known where ways meet: what all of them know, and that one of them was gone."""
    found = shared(ways)
    return found + _one_of([tuple([one for one in way if one not in found]) for way in ways])


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
