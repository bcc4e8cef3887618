"""How a server starts: side by side, and with no more than it needs to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from mdw.server.refusal import Refusal, Unable
from mdw.server.service import Limits, Service
from mdw.server.workers import pool as pool_of_workers
from mdw.server.workers.frames import WHOLE
from mdw.server.workers.jobs import CompactStore, Order
from mdw.server.workers.pool import Workers
from mdw.server.workers.worker import Worker

Begin = Callable[[str], Awaitable[None]]


class ObedientWorker:
    """Does whatever it is told, and remembers how it ended."""

    def __init__(self) -> None:
        self.gone: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.printed = None
        self.lost = False

    def send(self, order: Any) -> None:
        """Nothing is to be done."""

    async def read(self) -> tuple[bytes, bytes]:
        return WHOLE, b"{}\n"

    def kill(self) -> None:
        if not self.gone.done():
            self.gone.set_result(-9)

    async def buried(self) -> None:
        await self.gone

    async def end(self) -> None:
        self.gone.set_result(0)


def started(folder: Path, monkeypatch: pytest.MonkeyPatch, begin: Begin, readers: int = 4) -> list[ObedientWorker]:
    """The workers of a server that has been started; ``begin`` is awaited while one of a role starts."""
    workers = []

    async def start(role: str, *_: object) -> ObedientWorker:
        await begin(role)
        workers.append(ObedientWorker())
        return workers[-1]

    async def serve() -> None:
        service = Service(folder, Limits(readers=readers))
        async with asyncio.timeout(5):
            await service.start()
            assert service.well
            await service.close()

    monkeypatch.setattr(Worker, "start", start)
    asyncio.run(serve())
    return workers


def test_readers_start_while_the_writer_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: dict[str, asyncio.Event] = {"reader": asyncio.Event(), "writer": asyncio.Event()}

    async def begin(role: str) -> None:
        begun[role].set()
        await begun["reader" if role == "writer" else "writer"].wait()

    assert len(started(tmp_path, monkeypatch, begin, readers=1)) == 2


def test_it_answers_as_soon_as_one_reader_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def begin(role: str) -> None:
        asked.append(role)
        if asked.count("reader") > 1:
            await asyncio.sleep(60)

    workers = started(tmp_path, monkeypatch, begin)
    assert [one.gone.result() for one in workers] == [0, 0]


def test_a_store_that_cannot_be_opened_leaves_no_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = asyncio.Event()
    workers: list[ObedientWorker] = []

    async def start(role: str, *_: object) -> ObedientWorker:
        if role == "reader":
            workers.append(ObedientWorker())
            there.set()
            return workers[-1]
        await there.wait()
        raise Unable(503, "it is in use")

    async def serve() -> None:
        with pytest.raises(Refusal, match="it is in use"):
            async with asyncio.timeout(5):
                await Service(tmp_path, Limits(readers=1)).start()
        assert [one.gone.done() for one in workers] == [True]

    (tmp_path / "snapshots").mkdir()
    monkeypatch.setattr(Worker, "start", start)
    asyncio.run(serve())
    assert (tmp_path / "snapshots").exists(), "they may be those of the server that has the store open"


def test_one_that_is_dying_is_given_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    workers: list[ObedientWorker] = []

    async def start(*_: object) -> ObedientWorker:
        workers.append(ObedientWorker())
        return workers[-1]

    async def serve() -> None:
        pool = Workers("reader", Path(), 1, waiting=1)
        await pool.start()
        workers[0].lost = True
        async with asyncio.timeout(5), pool.job(Order(job=CompactStore())) as working:
            assert working._worker is workers[1]
            await working.result()
        assert workers[0].gone.done()
        assert pool.alive == 1
        await pool.close()

    monkeypatch.setattr(Worker, "start", start)
    asyncio.run(serve())


def test_it_says_that_it_is_well_as_long_as_whoever_asks_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    workers: list[ObedientWorker] = []
    soon = asyncio.Event()

    async def start(*_: object) -> ObedientWorker:
        if workers:
            await soon.wait()
        workers.append(ObedientWorker())
        return workers[-1]

    async def serve() -> None:
        pool = Workers("reader", Path(), 1, waiting=1)
        await pool.start()
        workers[0].kill()
        await asyncio.sleep(0.01)
        assert (pool.alive, pool.well) == (0, True), "somebody who asks now is answered when there is another"
        await asyncio.sleep(0.3)
        assert not pool.well
        with pytest.raises(Refusal, match="no worker was free in time"):
            async with pool.job(Order(job=CompactStore())):
                pass
        soon.set()
        async with asyncio.timeout(5), pool.job(Order(job=CompactStore())) as working:
            await working.result()
        assert pool.well
        await pool.close()

    monkeypatch.setattr(Worker, "start", start)
    monkeypatch.setattr(pool_of_workers, "PATIENCE", 0.2)
    asyncio.run(serve())
