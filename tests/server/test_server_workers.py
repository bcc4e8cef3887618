"""Worker processes: copies of one that has everything ready, or new ones where a system cannot copy."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from mdw import memory
from mdw.server.refusal import Dead, Refusal
from mdw.server.workers import copying
from mdw.server.workers.copying import Original, can_copy
from mdw.server.workers.jobs import CompactStore, Order
from mdw.server.workers.worker import Worker

uvloop = None if sys.platform == "win32" else pytest.importorskip("uvloop")
copied = pytest.mark.skipif(not can_copy(), reason="this system cannot copy processes")
LOOP = uvloop.new_event_loop if uvloop else None
"""The server's: it takes nothing for pipes that are closed, and closes none by itself."""


@pytest.fixture(autouse=True)
def orphans() -> Iterator[None]:
    """The tests' own process takes in no orphans but those."""
    yield
    if can_copy():
        ctypes.CDLL(None).prctl(copying.TAKE_IN_ORPHANS, 0, 0, 0, 0)


def with_original(does: Callable[[Original], Awaitable[None]]) -> None:
    """Run something with an original, which then ends."""

    async def run() -> None:
        original = Original()
        try:
            await does(original)
        finally:
            await original.close()

    with asyncio.Runner(loop_factory=LOOP) as runner:
        runner.run(run())


def reader(original: Original | None) -> Awaitable[Worker]:
    return Worker.start("reader", Path(), 1 << 30, original)


@pytest.mark.parametrize("copies", [pytest.param(True, marks=copied, id="a copy"), pytest.param(False, id="a new one")])
def test_a_worker_that_makes_a_mistake_says_so_and_one_that_is_killed_too(copies: bool) -> None:
    async def work(original: Original) -> None:
        mistaken, killed = [await reader(original if copies else None) for _ in range(2)]
        mistaken.send(Order(job=CompactStore()))  # which is not for readers
        with pytest.raises(Dead, match="there is a mistake in the server") as mistake:
            await mistaken.read()
        assert (mistake.value.status, await mistaken.gone) == (500, 1)
        assert "is not for readers" in (mistaken.printed or "")
        killed.kill()
        with pytest.raises(Dead, match="was killed"):
            await killed.read()
        assert await killed.gone == -signal.SIGKILL
        killed.kill()  # there is none any more

    with_original(work)


@pytest.mark.parametrize("copies", [pytest.param(True, marks=copied, id="a copy"), pytest.param(False, id="a new one")])
def test_what_is_sent_to_one_that_has_just_died_is_answered_with_that(copies: bool) -> None:
    async def work(original: Original) -> None:
        worker = await reader(original if copies else None)
        worker.kill()
        while not worker._input.is_closing():
            await asyncio.sleep(0.001)
        assert worker.lost
        worker.send(Order(job=CompactStore()))
        with pytest.raises(Dead, match="was killed"):
            await worker.read()

    with_original(work)


@copied
@pytest.mark.skipif(bool(memory.why_unlimited()), reason="this system keeps no process to a limit")
def test_a_copy_keeps_to_its_limit_and_ends_with_its_input() -> None:
    async def work(original: Original) -> None:
        process = await original.copy("reader", Path(), 600 << 20)
        limits = Path(f"/proc/{process._pid}/limits")
        while "629145600" not in limits.read_text():
            await asyncio.sleep(0.01)
        assert Path(f"/proc/{process._pid}/stat").read_text().rsplit(")", 1)[1].split()[1] == str(os.getpid())
        # Its ends are one: what it has to say first, that it is ready, it must be able to say.
        assert await asyncio.wait_for(process.stdout.read(1), 20)
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 20) == 0

    with_original(work)


@copied
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_an_original_that_is_lost_is_made_again(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(original: Original) -> None:
        before = await reader(original)
        assert original._process
        first = original._process.pid
        os.kill(first, number)
        monkeypatch.setattr(copying, "COPYING", 0.3)
        copy = asyncio.create_task(reader(original))
        await asyncio.sleep(0.5)
        monkeypatch.setattr(copying, "COPYING", 20)
        after = await copy
        assert original._process.pid != first
        for worker in (before, after):
            await worker.end()
            assert await worker.gone == 0

    with_original(work)


@copied
def test_an_original_that_cannot_start_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async def work(original: Original) -> None:
        with pytest.raises(Refusal, match="not ready"):
            await reader(original)
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(Refusal, match="no process can be started: No such file"):
            await reader(original)

    with_original(work)


@copied
def test_workers_that_come_and_go_leave_nothing_open() -> None:
    async def work(original: Original) -> None:
        counts = []
        for _ in range(6):
            workers = [await reader(original) for _ in range(3)]
            for worker in workers:
                worker.kill()
                await worker.buried()
            del worker, workers
            await asyncio.sleep(0.05)
            counts.append(len(os.listdir("/proc/self/fd")))  # noqa: PTH208
        assert counts[-1] <= counts[0]

    with_original(work)


@copied
def test_an_original_has_one_thread_and_no_more() -> None:
    ready = "import os; from mdw.server.workers import original; original.Reader()"
    program = f"{ready}; print(len(os.listdir('/proc/self/task')))"
    assert subprocess.check_output([sys.executable, "-c", program]) == b"1\n"
