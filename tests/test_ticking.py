"""Something is told while work lasts, and never after it."""

from __future__ import annotations

from threading import Event

import pytest

from mdw.ticking import ticking


def test_it_is_told_until_the_work_ends_even_by_an_exception() -> None:
    met: list[int] = []
    third = Event()

    def tell(count: int) -> None:
        met.append(count)
        if count == 3:
            third.set()

    def work() -> None:
        with ticking(0.001, tell):
            assert third.wait(10)
            raise KeyError

    with pytest.raises(KeyError):
        work()
    ended = list(met)
    assert ended[:3] == [1, 2, 3]
    assert not Event().wait(0.02)
    assert met == ended
