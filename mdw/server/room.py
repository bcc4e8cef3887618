"""How many connections there may be at a time, and which of them go first where there are too many."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

MOST = 1000
"""Connections there may be at a time, where the system has descriptors enough."""
OWN = 16
"""Descriptors, of the half that is not for connections, that nobody has counted."""


class Guest(Protocol):
    """A connection, as the room has it."""

    @property
    def address(self) -> str:
        """Where it comes from."""

    def make_room(self) -> None:
        """It has said nothing for longest: it is to go at once."""


class Room:
    """Who is here, and which of them owe the server something, the longest silent first.

    No address has more than half of the room, so that the other half is there for everybody else.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.each = max(1, most // 2)
        self.turned_away = 0
        """How many are being told that there is no room: few, for each takes a descriptor."""
        self._addresses: Counter[str] = Counter()
        self._silent: dict[Guest, None] = {}
        self._number = 0

    def enter(self, guest: Guest) -> bool:
        """Whether there is room, be it that of one who has said nothing for longest."""
        address = guest.address
        # the longest silent goes, who may be one that sends a byte an hour; of those that work none does
        own = self._addresses[address] >= self.each
        if own or self._number >= self.most:
            # whoever takes too much makes room among its own
            longest = next((one for one in self._silent if not own or one.address == address), None)
            if longest is None:
                return False
            self.leave(longest)
            longest.make_room()
        self._addresses[address] += 1
        self._number += 1
        self._silent[guest] = None
        return True

    def heard(self, guest: Guest) -> None:
        """It has just said something, and is to say more."""
        # only who was among the silent goes behind them all: whoever is owed an answer is not to be turned out
        if self._silent.pop(guest, self) is None:
            self._silent[guest] = None

    def owes(self, guest: Guest) -> None:
        """It is for the client to say or to read something."""
        self._silent.pop(guest, None)
        self._silent[guest] = None

    def owed(self, guest: Guest) -> None:
        """It is for the server to answer: it does not go."""
        self._silent.pop(guest, None)

    def leave(self, guest: Guest) -> None:
        """It has gone."""
        self._silent.pop(guest, None)
        self._number -= 1
        self._addresses[guest.address] -= 1
        if not self._addresses[guest.address]:
            del self._addresses[guest.address]


def for_descriptors() -> Room:
    """Room for as many connections as leave half of this process's descriptors to files and workers."""
    try:
        import resource
    except ImportError:  # Windows counts them otherwise
        return Room()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return Room(MOST if most < 0 else max(2, min(MOST, most // 2 - OWN)))
