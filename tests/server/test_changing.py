"""A store whose writer fails: what is said meanwhile, and who has to do with it."""

from __future__ import annotations

import asyncio
import errno
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest

from mdw.model.errors import StoreError
from mdw.server.changing import Changing
from mdw.server.refusal import Unable
from mdw.server.workers.jobs import Job, MakeBackup, Order, ReopenStore, RunUpdate, TakeSnapshot
from mdw.server.workers.pool import Workers
from mdw.server.workers.reply import Reply
from mdw.server.workers.writing import Writer as Writing

UPDATE = RunUpdate(text="INSERT DATA { <urn:a> <urn:b> 1 }", base="", default=(), named=(), calls=())
BACKUP = MakeBackup(folder="elsewhere", copy=False)
FAILED = "the store cannot be written: input/output error"


class Writer:
    """A worker whose jobs fail while their kind is in ``failing``, with what that says, or ``once``."""

    well = True

    def __init__(self) -> None:
        self.failing: dict[type[Job], str] = {}
        self.once: dict[type[Job], str] = {}
        self.stopped = False
        self.done: list[type[Job]] = []

    async def start(self) -> None:
        """It is there."""

    async def close(self) -> None:
        """It stays."""

    @asynccontextmanager
    async def job(self, order: Order, client: str = "") -> AsyncIterator[Writer]:  # noqa: ARG002  as workers are asked
        """Do a job."""
        self.given = order.job
        yield self

    async def result(self) -> None:
        """Its end."""
        given = self.given
        kind = type(given)
        await asyncio.sleep(0.01)
        if self.stopped:
            await asyncio.sleep(60)
        if said := self.once.pop(kind, self.failing.get(kind, "")):
            raise Unable(503, said)
        if isinstance(given, TakeSnapshot):
            Path(given.folder).mkdir()
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
        assert store.trouble == "the store cannot be written: no space left"
        # the one who waited behind it is not let on to a writer that refuses everything
        with pytest.raises(Unable, match=r"^the store cannot be written: no space left$"):
            await changed(store)
        assert writer.done == [TakeSnapshot]

    with_store(tmp_path / "store", work)


def test_a_failure_that_is_over_costs_nobody_but_whom_it_struck(tmp_path: Path) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        for kind in (RunUpdate, TakeSnapshot):
            await changed(store)
            writer.once = {kind: FAILED}
            # all are in the queue when the first one fails
            found = await asyncio.gather(*(changed(store) for _ in range(5)), store.shown(), return_exceptions=True)
            assert [str(one) for one in found if isinstance(one, BaseException)] == [FAILED]
            assert (store.trouble, store.well) == ("", True)

    with_store(tmp_path / "store", work)


def test_a_writer_that_is_stopped_while_it_opens_the_store_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        monkeypatch.setattr("mdw.server.changing.OPENING", 0.05)
        monkeypatch.setattr("mdw.server.changing.PAUSE", 0.01)
        writer.once = {RunUpdate: FAILED}
        with pytest.raises(Unable):
            await changed(store)
        writer.stopped = True
        with pytest.raises(Unable, match=r"^the store cannot be written: it is not opened again within 0 seconds$"):
            await changed(store)
        writer.stopped = False
        await asyncio.sleep(0.2)
        await changed(store)

    with_store(tmp_path / "store", work)


def test_what_comes_and_goes_is_logged_once_a_minute(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        for _ in range(5):
            writer.once = {RunUpdate: FAILED}
            with pytest.raises(Unable):
                await changed(store)
            await changed(store)
        assert caplog.messages == ["the store cannot be written", "the store can be written again"]

    with_store(tmp_path / "store", work)


def test_a_server_that_ends_does_not_say_that_the_store_can_be_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        writer.failing = dict.fromkeys((RunUpdate, ReopenStore), FAILED)
        with pytest.raises(Unable):
            await changed(store)
        await asyncio.sleep(0.05)

    with_store(tmp_path / "store", work)
    assert caplog.messages == ["the store cannot be written"]


def test_snapshots_that_somebody_removes_are_made_again(tmp_path: Path) -> None:
    async def work(store: Changing, writer: Writer) -> None:
        await changed(store)
        for job in (None, UPDATE):
            shown = await store.shown()
            shutil.rmtree(store.scratch)
            if job:
                await changed(store, job)
            assert shown.folder != (again := await store.shown()).folder or not job
            assert again.folder.exists()
            assert store.well

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
        await changed(store)
        assert ReopenStore in writer.done, "it may have been the store after all"

    with_store(tmp_path / "store", work)


def test_a_store_that_opens_but_takes_no_change_is_not_said_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reply = Writing(tmp_path / "store"), Reply(BytesIO(), 0)
    writer.work(Order(job=ReopenStore(tries=True)), reply)

    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/var/mdw/changes")

    monkeypatch.setattr("mdw.store.changes.Changes.acknowledge", refused)
    writer.work(Order(job=ReopenStore()), reply)
    with pytest.raises(StoreError, match=r"^the store cannot be written: /var/mdw/changes: permission denied$"):
        writer.work(Order(job=ReopenStore(tries=True)), reply)
    writer.close()
