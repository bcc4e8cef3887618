"""What all benchmarks share: the best of several runs, claims as ratios within one run, a table, JSON."""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeVar, cast

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "support")]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table: what was done, how much of it, how long, and the claim it is held to, if any."""

    what: str
    seconds: float
    amount: str = ""
    ratio: float | None = None
    limit: float | None = None
    against: str = ""

    @property
    def kept(self) -> bool | None:
        """Whether the claim holds."""
        return None if self.ratio is None or self.limit is None else self.ratio <= self.limit


def best(run: Callable[[], T], repeat: int = 3) -> tuple[float, T]:
    """The shortest of several runs in seconds, and what the last one gave."""
    ((seconds, found),) = alternating(run, repeat=repeat)
    return seconds, found


def alternating(*runs: Callable[[], T], repeat: int = 3) -> list[tuple[float, T]]:
    """The same for runs that are held against each other: taking turns, they share the machine's good and bad times.

    Letting go of what a run gave is not measured.
    """
    shortest = [float("inf")] * len(runs)
    found: list[T | None] = [None] * len(runs)
    for _ in range(repeat):
        for number, run in enumerate(runs):
            found[number] = None
            gc.collect()
            start = perf_counter()
            found[number] = run()
            shortest[number] = min(shortest[number], perf_counter() - start)
    return list(zip(shortest, cast(list[T], found), strict=True))


def arguments(description: str, **options: tuple[type, object, str]) -> argparse.Namespace:
    """The options of one benchmark, ``--json`` among them."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measures as JSON")
    parser.add_argument("--repeat", type=int, default=5, help="runs of which the shortest counts (default 5)")
    for name, (kind, default, text) in options.items():
        if kind is bool:
            parser.add_argument(f"--{name}", action="store_true", help=text)
        else:
            parser.add_argument(f"--{name}", type=kind, default=default, help=f"{text} (default {default})")
    return parser.parse_args()


def report(title: str, measures: Sequence[Measure], target: Path | None) -> None:
    """Print the table, write the JSON; the exit code says whether every claim holds."""
    print(title)
    print(f"{'':54}{'seconds':>10}{'ratio':>9}{'claim':>9}  {'':6}{'against / amount'}")
    for one in measures:
        ratio = "" if one.ratio is None else f"{one.ratio:.2f}"
        limit = "" if one.limit is None else f"<= {one.limit:g}"
        verdict = {None: "", True: "holds", False: "FAILS"}[one.kept]
        print(f"{one.what:54}{one.seconds:>10.3f}{ratio:>9}{limit:>9}  {verdict:6}{one.against or one.amount}")
    if target:
        listed = [{**asdict(one), "kept": one.kept} for one in measures]
        target.write_text(json.dumps({"title": title, "measures": listed}, indent=2) + "\n", encoding="utf-8")
    sys.exit(any(one.kept is False for one in measures))
