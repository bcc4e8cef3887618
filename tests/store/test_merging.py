"""Behind a large load a process waits for what the engine merges, and for nothing else."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from mdw import Warehouse
from mdw.store import engine, merging
from mdw.store.sums import Sums

TEXT = "".join(f"MAPPING m{n}: WHEN POPULATING T{n} FROM S POPULATE T{n}.A WITH S.B\n" for n in range(60))


def waited(until: float) -> float:
    """Seconds that are waited until a moment."""
    start = monotonic()
    merging.wait_for_merging(until)
    return monotonic() - start


def test_where_nothing_is_merged_nothing_is_waited_for() -> None:
    assert waited(monotonic() + 30) < 5
    assert waited(0) < 0.1


def test_what_takes_processor_time_is_waited_for_until_the_moment_told(monkeypatch: pytest.MonkeyPatch) -> None:
    # A process of which one core is always in use.
    monkeypatch.setattr(merging, "process_time", monotonic)
    assert waited(monotonic() + 0.5) >= 0.5


def test_a_quarter_of_a_long_load_is_waited_at_most_and_a_short_one_needs_none() -> None:
    assert merging.time_for_merging(9) == 0
    assert 24 <= merging.time_for_merging(100) - monotonic() <= 25


def test_closing_a_warehouse_waits_behind_a_large_load_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    monkeypatch.setattr(engine, "wait_for_merging", asked.append)
    monkeypatch.setattr(merging, "LONG", 0)
    monkeypatch.setattr(engine, "MUCH", 1_000)
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load(TEXT)
        ended = monotonic()
    monkeypatch.setattr(engine, "MUCH", 1_000_000)
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load("WHEN POPULATING U FROM S POPULATE U.A WITH S.B")
    large, small = asked
    assert 0 < large < ended + 60
    assert small == 0


def test_the_tables_of_a_copied_generation_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = tmp_path / "1", tmp_path / "2"
    for folder in (before, after):
        folder.mkdir()
    (before / "linked.sst").write_bytes(b"one" * 1000)
    (before / "other.sst").write_bytes(b"two" * 1000)
    (after / "linked.sst").hardlink_to(before / "linked.sst")
    (after / "other.sst").write_bytes(b"2" * 1000)
    known = Sums(before, tmp_path / "sums")
    known.note()
    read: list[str] = []
    table = Sums._table

    def counted(self: Sums, name: str) -> object:
        read.append(name)
        return table(self, name)

    monkeypatch.setattr(Sums, "_table", counted)
    known.of(after)
    assert read == ["other.sst"]
    # What is noted of them is what they are: opened again, none is taken to be damaged.
    Sums(after, tmp_path / "sums")
