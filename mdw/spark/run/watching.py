"""How far executors are, told by the files that they have finished.

Spark's own progress counts tasks of stages nobody here has named; a file stands for a share of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mdw.ticking import ticking

Progress = Callable[[str, float], None]
"""Told the stage, and which share of it is done."""


def silent(_stage: str, _share: float) -> None:
    """Nobody is told."""


@contextmanager
def watching(folder: Path, expected: int, stage: str, progress: Progress) -> Iterator[None]:
    """Tell meanwhile which share of so many Parquet files is in the folder."""

    def watch(_: int) -> None:
        progress(stage, min(1.0, len(list(folder.glob("*.parquet"))) / max(1, expected)))

    with ticking(0.5, watch):
        yield
