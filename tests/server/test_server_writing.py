"""What the writing worker does with its store, without a server."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from serving import loaded

from mdw.server.workers import writing
from mdw.server.workers.jobs import Job, Order, RunUpdate, TakeSnapshot
from mdw.server.workers.reply import Reply
from mdw.server.workers.writing import Writer
from mdw.store.directory import listed
from mdw.store.snapshot import Snapshot


def test_snapshots_do_not_grow_with_the_number_of_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "LISTED", 40_000)
    store = loaded(tmp_path / "store")
    writer = Writer(store)

    def does(job: Job) -> None:
        writer.work(Order(job=job), Reply(io.BytesIO(), 0))

    sizes = []
    # It is begun anew about every thirty changes: the last is in the middle between two times.
    for number in range(75):
        text = f"DELETE WHERE {{ <urn:a> <urn:b> ?o }}; INSERT DATA {{ <urn:a> <urn:b> {number} }}"
        does(RunUpdate(text=text, base="urn:x", default=(), named=(), calls=()))
        folder = tmp_path / str(number)
        does(TakeSnapshot(folder=str(folder)))
        sizes.append(listed(folder))
    writer.close()
    assert 40_000 < max(sizes) < 60_000
    assert sizes[-1] < max(sizes), "it was begun anew"
    found = Snapshot(folder).store.query_text("SELECT ?o { <urn:a> <urn:b> ?o }", "csv")
    assert found.split() == ["o", "74"]
