"""The search for garbage is the host's: it comes back, whatever happens, and only if it was on."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from threading import Barrier, Thread
from weakref import ref

import pytest

from mdw import QuestionError, Warehouse
from mdw.cli import main, run
from mdw.collecting import collected, uncollected
from mdw.readers.sql.scripts import SOME, read_script


@pytest.fixture(params=[True, False], ids=["on", "off"])
def before(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether the host searches for garbage."""
    was = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if was else gc.disable)()


def test_it_is_off_inside_at_any_depth(before: bool) -> None:
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled() == before


class Circle:
    """Something that only a search for garbage finds."""

    def __init__(self) -> None:
        self.itself = self


def test_within_long_work_garbage_is_looked_for_where_the_host_does(before: bool) -> None:
    with uncollected():
        lost = ref(Circle())
        assert lost() is not None
        collected()
        assert (lost() is None) == before
        assert not gc.isenabled()


@pytest.mark.parametrize("statements", [1, 3 * SOME])
def test_a_long_script_is_such_work(before: bool, statements: int) -> None:
    looks: list[str] = []

    def look(phase: str, _: dict[str, int]) -> None:
        looks.append(phase)

    with uncollected():
        gc.callbacks.append(look)
        read_script("CREATE VIEW v AS SELECT a FROM s;\n" * statements, "f.sql", "duckdb")
        gc.callbacks.remove(look)
    assert looks.count("start") == (statements // SOME if before else 0)


def test_it_comes_back_after_an_exception(before: bool) -> None:
    with pytest.raises(KeyboardInterrupt), uncollected(), uncollected():
        raise KeyboardInterrupt
    assert gc.isenabled() == before


def test_it_comes_back_when_the_last_thread_leaves(before: bool) -> None:
    """Whoever came first leaves first, and sees it off for as long as the other is there."""
    both_in, one_out = Barrier(2), Barrier(2)
    seen: list[bool] = []

    def first() -> None:
        with uncollected():
            both_in.wait(10)
        seen.append(gc.isenabled())
        one_out.wait(10)

    def last() -> None:
        with uncollected():
            both_in.wait(10)
            one_out.wait(10)
            seen.append(gc.isenabled())

    threads = [Thread(target=first), Thread(target=last)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [False, False]
    assert gc.isenabled() == before


def test_many_threads_that_come_and_go_leave_it_as_it_was(before: bool) -> None:
    wrong: list[int] = []

    def work() -> None:
        for number in range(300):
            try:
                with uncollected():
                    if gc.isenabled():
                        wrong.append(number)
                    if number % 7 == 0:
                        raise ValueError
            except ValueError:
                pass

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert gc.isenabled() == before


def test_questions_and_loads_leave_it_as_it_was(before: bool) -> None:
    with Warehouse() as warehouse:
        warehouse.load("WHEN POPULATING T FROM S POPULATE T.A WITH S.A")
        warehouse.lineage("T.A")
        assert gc.isenabled() == before
        records = warehouse.lineage_all()
        next(records)
        assert gc.isenabled() == before, "between two records"
        with pytest.raises(QuestionError):
            warehouse.lineage("T.B")
    assert gc.isenabled() == before


def test_only_a_process_of_its_own_changes_how_often_garbage_is_looked_for(capsys: pytest.CaptureFixture[str]) -> None:
    was = gc.get_threshold()
    gc.set_threshold(700)
    try:
        assert run(["--version"]) == 0
        assert gc.get_threshold()[0] == 700
        with pytest.raises(SystemExit):
            main(["--version"])
        assert gc.get_threshold()[0] == 10_000
    finally:
        gc.set_threshold(*was)
