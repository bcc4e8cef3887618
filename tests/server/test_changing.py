"""A store whose writer fails: what is said meanwhile, and who has to do with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from mdw.server.changing import Changing
from mdw.server.refusal import Unable
from mdw.server.workers.jobs import Job, MakeBackup, Order, ReopenStore, RunUpdate, TakeSnapshot
from mdw.server.workers.pool import Workers

UPDATE = RunUpdate(text="INSERT DATA { <urn:a> <urn:b> 1 }", base="", default=(), named=(), calls=())
BACKUP = MakeBackup(folder="elsewhere", copy=False)
FAILED = "the store cannot be written: Input/output error"


class Writer:
    """A worker whose jobs fail while the name of their class is in ``failing``."""

    well = True

    def __init__(self) -> None:
        self.failing: dict[type[Job], str] = {}
        self.done: list[type[Job]] = []

    async def start(self) -> None:
        """It is there."""

    async def close(self) -> None:
        """It stays."""

    @asynccontextmanager
    async def job(self, order: Order, client: str = "") -> AsyncIterator[Writer]:  # noqa: ARG002  as workers are asked
        """Do a job."""
        self.kind = type(order.job)
        yield self

    async def result(self) -> None:
        """Its end."""
        kind = self.kind
        await asyncio.sleep(0.01)
        if kind in self.failing:
            raise Unable(503, self.failing[kind])
        self.done.append(kind)


def with_store(folder: Path, does: Callable[[Changing, Writer], Awaitable[None]]) -> None:
    """Run something with a store that a writer changes."""

    async def run() -> None:
        writer = Writer()
        store = Changing(folder, cast(Workers, writer))
        await store.start()
        try:
            await does(store, writer)
        finally:
            await store.close()

    folder.mkdir()
    asyncio.run(run())


async def changed(store: Changing, job: Job = UPDATE) -> None:
    """A job is done."""
    async with store.changing(job, "somebody") as working:
        await working.result()


def test_a_change_that_fails_is_said_before_the_client_is_told(tmp_path: Path) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        writer.failing = dict.fromkeys((RunUpdate, ReopenStore), "the store cannot be written: /a/b: No space left")
        with pytest.raises(Unable):
            await changed(store)
        assert store.trouble == "the store cannot be written: No space left"
        # the one who waited behind it is not let on to a writer that refuses everything
        with pytest.raises(Unable, match=r"^the store cannot be written: No space left$"):
            await changed(store)
        assert writer.done == [TakeSnapshot]

    with_store(tmp_path / "store", work)


def test_a_failure_that_is_over_costs_nobody_but_whom_it_struck(tmp_path: Path) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        await changed(store)
        writer.failing = {RunUpdate: FAILED}
        with pytest.raises(Unable):
            await changed(store)
        assert store.trouble == FAILED
        assert not store.well, "no snapshot holds the change before"
        writer.failing = {}
        await asyncio.sleep(0)  # until the next request is heard
        shown, _ = await asyncio.gather(store.shown(), changed(store))
        assert (shown.revision, store.revision, store.trouble) == (2, 3, "")

    with_store(tmp_path / "store", work)


def test_a_store_that_opens_but_has_no_room_is_not_said_to_be_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        monkeypatch.setattr("mdw.server.changing.PAUSE", 0.01)
        full = store.scratch / "probe"
        full.mkdir()  # so that nothing can be written there
        writer.failing = {RunUpdate: FAILED}
        with pytest.raises(Unable):
            await changed(store)
        writer.failing = {}
        for _ in range(5):
            await asyncio.sleep(0.02)
            with pytest.raises(Unable, match=r"^the store cannot be written: is a directory$"):
                await changed(store)
        assert writer.done.count(ReopenStore) == 1, "each time leaves files behind"
        full.rmdir()
        await asyncio.sleep(0.2)
        await changed(store)

    with_store(tmp_path / "store", work)


def test_a_backup_that_fails_says_nothing_of_the_store(tmp_path: Path) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        writer.failing = {MakeBackup: "the backup cannot be written: No space left"}
        with pytest.raises(Unable):
            await changed(store, BACKUP)
        assert (store.trouble, store.well) == ("", True)
        await asyncio.sleep(0)  # until the next request is heard
        await changed(store)
        assert ReopenStore in writer.done, "it may have been the store after all"

    with_store(tmp_path / "store", work)
