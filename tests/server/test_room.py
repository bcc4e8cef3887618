"""Room for connections: who goes first where there are too many."""

from __future__ import annotations

from dataclasses import dataclass, field

from mdw.server.room import Room


@dataclass(eq=False)
class Visitor:
    address: str
    gone: list[str] = field(default_factory=list)

    def make_room(self) -> None:
        self.gone.append("gone")


def test_the_longest_silent_goes_first() -> None:
    room = Room(4)
    first, second = Visitor("a"), Visitor("b")
    third, fourth = Visitor("c"), Visitor("d")
    assert all(map(room.enter, (first, second, third, fourth)))
    room.heard(first)
    assert room.enter(Visitor("e"))
    assert [one.gone for one in (first, second, third, fourth)] == [[], ["gone"], [], []]


def test_who_is_owed_an_answer_stays() -> None:
    room = Room(2)
    first, second = Visitor("a"), Visitor("b")
    assert room.enter(first) and room.enter(second)
    room.owed(first)
    room.owed(second)
    room.heard(first)
    assert not room.enter(Visitor("c"))
    room.owes(second)
    assert room.enter(Visitor("c")) and second.gone and not first.gone
    room.leave(first)
    assert room.enter(Visitor("d"))


def test_nobody_takes_more_than_half() -> None:
    room = Room(4)
    other, first, second = Visitor("b"), Visitor("a"), Visitor("a")
    assert all(map(room.enter, (other, first, second)))
    assert room.enter(Visitor("a"))
    assert first.gone and not other.gone and not second.gone
    room.owed(second)
    greedy = Visitor("a")
    assert room.enter(greedy), "the one that came third was silent"
    room.owed(greedy)
    assert not room.enter(Visitor("a"))
    assert room.enter(Visitor("c"))
