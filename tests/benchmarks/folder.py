"""A folder of many scripts of SQL: loaded into a store on disk, loaded again after some of them changed; memory.

Claims: loading it again when one script in a hundred has changed takes at most a tenth of the CPU time of the whole
load, opening and closing the store each time; the memory of a process that loads four times the scripts at most 1.5
times as much, for there are records of all.

Needs a Unix system, the core of mdw, 3 GB of memory, 8 GB of disk and about 25 minutes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from measuring import Measure, arguments, report

from sql_folders import FolderWriter  # isort: skip

MEGABYTE = 1 << 20 if sys.platform == "darwin" else 1 << 10
SEED = 7
# Each load is a process of its own: what one of them has read another must not have in memory.
CHILD = """
import resource, sys
from time import process_time
from mdw import Warehouse
start = process_time()
with Warehouse(sys.argv[1]) as warehouse:
    report = warehouse.load(sys.argv[2], dialect="snowflake", mirror=True)
seconds = process_time() - start
assert not report.errors, str(report.errors[0])
read = sum(not one.unchanged for one in report.files)
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, read, report.mappings)
"""


def load(store: Path, folder: Path) -> tuple[float, float, int, int]:
    """CPU seconds, megabytes, scripts read and mappings of one load in a process of its own."""
    command = [sys.executable, "-c", CHILD, str(store), str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    seconds, kilobytes, read, mappings = done.stdout.split()
    return float(seconds), int(kilobytes) / MEGABYTE, int(read), int(mappings)


def main() -> None:
    options = arguments(__doc__, scripts=(int, 10_000, "scripts in the folder"))
    measures: list[Measure] = []
    peaks: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        for scripts in (options.scripts // 8, options.scripts // 4, options.scripts // 2, options.scripts):
            folder, store = Path(name, f"sql{scripts}"), Path(name, f"store{scripts}")
            writer = FolderWriter(folder, SEED)
            writer.write(scripts)
            start = perf_counter()
            whole, peak, read, mappings = load(store, folder)
            peaks.append(peak)
            amount = f"{mappings:,} mappings, {peak:.0f} MB, {perf_counter() - start:.0f} s by the clock"
            measures.append(Measure(f"load {read:,} scripts", whole, amount))
        writer.change(options.scripts // 100)
        again, _, read, _ = load(store, folder)
        changed = f"again, 1 in 100 changed, {read:,} read"
        measures.append(Measure(changed, again, "", again / whole, 0.1, "the whole load"))
        again, _, read, _ = load(store, folder)
        measures.append(
            Measure(f"again, nothing changed, {read:,} read", again, "", again / whole, 0.1, "the whole load")
        )
    memory = f"peak memory, 4 times the scripts ({peaks[1]:.0f} to {peaks[-1]:.0f} MB)"
    measures.append(Measure(memory, 0, "", peaks[-1] / peaks[1], 1.5, "the smaller folder"))
    report("Folders of SQL", measures, options.json)


if __name__ == "__main__":
    main()
