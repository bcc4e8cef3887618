"""How far executors are, told by the files that they have finished."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread


@contextmanager
def watching(folder: Path, expected: int, stage: str, progress: Callable[[str, float], None]) -> Iterator[None]:
    """Tell meanwhile which share of so many Parquet files is in the folder."""
    ended = Event()

    def watch() -> None:
        while not ended.wait(0.5):
            progress(stage, min(1.0, len(list(folder.glob("*.parquet"))) / max(1, expected)))

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
