"""What all benchmarks share: the best of several runs, claims as ratios within one run, a table, JSON.

Each says in its docstring what it needs. Imported first, this module makes what is not there one sentence.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TypeVar, cast

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "support")]

T = TypeVar("T")
Clock = Callable[[], float]
OURS = ("mdw", "generator", "serving")
NEEDED = re.compile(r"^Needs .*?(\d+) GB", re.MULTILINE | re.DOTALL)


def needs(what: str, there: object) -> None:
    """End with a sentence where something is not there."""
    if not there:
        sys.exit(f"{Path(sys.argv[0]).name} needs {what}")


def available() -> float:
    """Gigabytes of memory that may be taken; infinity where the system does not say."""
    try:
        told = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return float("inf")
    found = re.search(r"^MemAvailable: +(\d+) kB", told, re.MULTILINE)
    return int(found[1]) / 1e6 if found else float("inf")


def _absent(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A missing library, or no Java, as a sentence; any other error as usual."""
    script, missing = Path(sys.argv[0]).name, ""
    if isinstance(error, ModuleNotFoundError) and error.name:
        missing = error.name.partition(".")[0]
    if missing in sys.stdlib_module_names:
        sys.stderr.write(f"{script} needs a Unix system: this one has no {missing}\n")
    elif missing and missing not in OURS:
        sys.stderr.write(f'{script} needs {missing}, which comes with: pip install -e ".[all,test]"\n')
    elif kind.__name__ == "SparkError":
        sys.stderr.write(f"{script}: {error}\n")
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _absent


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


def best(run: Callable[[], T], repeat: int = 3, clock: Clock = perf_counter) -> tuple[float, T]:
    """The shortest of several runs in seconds, and what the last one gave."""
    ((seconds, found),) = alternating(run, repeat=repeat, clock=clock)
    return seconds, found


def alternating(*runs: Callable[[], T], repeat: int = 3, clock: Clock = perf_counter) -> list[tuple[float, T]]:
    """The same for runs that are held against each other: taking turns, they share the machine's good and bad times.

    Letting go of what a run gave is not measured. By the clock `process_time` seconds are those of all cores together.
    """
    shortest = [float("inf")] * len(runs)
    found: list[T | None] = [None] * len(runs)
    for _ in range(repeat):
        for number, run in enumerate(runs):
            found[number] = None
            gc.collect()
            start = clock()
            found[number] = run()
            shortest[number] = min(shortest[number], clock() - start)
    return list(zip(shortest, cast(list[T], found), strict=True))


def arguments(description: str, **options: tuple[type, object, str]) -> argparse.Namespace:
    """The options of one benchmark, ``--json`` among them; ends if the memory it needs is not there.

    Whoever chooses a size knows better.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measures as JSON")
    parser.add_argument("--repeat", type=int, default=5, help="runs of which the shortest counts (default 5)")
    for name, (kind, default, text) in options.items():
        if kind is bool:
            parser.add_argument(f"--{name}", action="store_true", help=text)
        else:
            parser.add_argument(f"--{name}", type=kind, default=default, help=f"{text} (default {default})")
    given = parser.parse_args()
    needed = NEEDED.search(description)
    if needed and all(getattr(given, name) == default for name, (_, default, _) in options.items()):
        free = available()
        needs(f"{needed[1]} GB of memory, {free:.1f} GB are free", free >= int(needed[1]))
    return given


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
