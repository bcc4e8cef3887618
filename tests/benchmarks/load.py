"""Loading mapping text into the store against the bare LALR parse of the same text, and memory over file size.

Claims: loading at most 3 times the bare parse; memory flat in file size (four times the text, at most 1.3 times the
memory, the engine's own included: the store lies on disk here, and the smaller file already fills its buffers); with
two processes that read, loading into a folder is at least 1.6 times as fast as with one, by the clock, and all of them
together need at most 1.5 times the memory.

Needs a Unix system, the core of mdw, 2 GB of memory and about 10 minutes; the ratios need two idle cores.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from measuring import Measure, alternating, arguments, best, report

# isort: split
from lark import Lark

from generator import Shape, warehouse  # isort: skip
from mdw import Warehouse  # isort: skip
from mdw.resources import GRAMMARS  # isort: skip

# What `ru_maxrss` counts: bytes on macOS, kilobytes elsewhere.
MEGABYTE = 1 << 20 if sys.platform == "darwin" else 1 << 10
CHILD = """
import resource, sys
from pathlib import Path
from time import perf_counter
from mdw import Warehouse
processes = int(sys.argv[3])
start = perf_counter()
with Warehouse(sys.argv[1]) as warehouse:
    warehouse.load(Path(sys.argv[2]), processes=processes)
    seconds = perf_counter() - start
own, others = (resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
work = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
print(seconds, work, own.ru_maxrss + (processes * others.ru_maxrss if processes > 1 else 0))
"""
PROCESSES = 2


def parser_of_grammar() -> Lark:
    """A bare LALR parser of the grammar; a process makes its own once, so that is no part of what is compared."""
    return Lark.open(str(GRAMMARS / "mapping.lark"), parser="lalr", start="mapping")


def parse(parser: Lark, mappings: list[str]) -> int:
    """Every mapping through the bare parser."""
    for text in mappings:
        parser.parse(text)
    return len(mappings)


def load(text: str) -> Warehouse:
    """The text in a store in memory."""
    loaded = Warehouse()
    loaded.load(text)
    return loaded


class Into(NamedTuple):
    """What a load into a store on disk took: seconds, CPU seconds, and at most so many megabytes, in all processes."""

    seconds: float
    work: float
    megabytes: float


def into_folder(mappings: int, folder: Path, processes: int = 1) -> Into:
    """So many mappings from a file into a store on disk, by a fresh process with others that read for it."""
    file, store = folder / f"{mappings}.map", folder / "store"
    width = max(mappings // 70, 5)
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(warehouse(1, Shape(width=width)))
    command = [sys.executable, "-c", CHILD, str(store), str(file), str(processes)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    shutil.rmtree(store)
    seconds, work, size = map(float, done.stdout.split())
    return Into(seconds, work, size / MEGABYTE)


def shared_out(mappings: int, folder: Path, repeat: int) -> list[Measure]:
    """The same load by one process and by several, taking turns."""
    runs = [(into_folder(mappings, folder), into_folder(mappings, folder, PROCESSES)) for _ in range(repeat)]
    one, several = (min(some) for some in zip(*runs, strict=True))
    memory = f"peak memory of all of them ({one.megabytes:.0f} to {several.megabytes:.0f} MB)"
    ratio = several.seconds / one.seconds
    return [
        Measure(f"{mappings:,} mappings into a folder", one.seconds, f"{one.work:.1f} s of CPU"),
        Measure(
            f"the same, {PROCESSES} processes read",
            several.seconds,
            "",
            ratio,
            1 / 1.6,
            f"one process, {1 / ratio:.2f} times as fast; {several.work:.1f} s of CPU",
        ),
        Measure(memory, 0, "", several.megabytes / one.megabytes, 1.5, "one process"),
    ]


def main() -> None:
    options = arguments(
        __doc__,
        width=(int, 30, "entities per layer"),
        mappings=(int, 20_000, "mappings in the smaller file"),
        large=(int, 20_000, "mappings that one process and several load"),
    )
    mappings = list(warehouse(1, Shape(width=options.width)))
    text = "".join(mappings)
    made, parser = best(parser_of_grammar, options.repeat)
    parsing, loading = alternating(lambda: parse(parser, mappings), lambda: load(text), repeat=options.repeat)
    (parse_seconds, count), (load_seconds, _) = parsing, loading
    measures = [
        Measure("making the bare parser", made),
        Measure("bare LALR parse", parse_seconds, f"{count} mappings, {len(text) / 1e6:.1f} MB"),
        Measure("load into the store", load_seconds, "", load_seconds / parse_seconds, 3, "bare parse"),
    ]
    with tempfile.TemporaryDirectory() as name:
        small, large = (into_folder(options.mappings * times, Path(name)).megabytes for times in (1, 4))
        shared = shared_out(options.large, Path(name), min(options.repeat, 3))
    measures.append(
        Measure(
            f"peak memory, 4 times the text ({small:.0f} to {large:.0f} MB)",
            0,
            "",
            large / small,
            1.3,
            "the smaller file",
        )
    )
    measures.append(
        Measure("peak memory of this process (MB)", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE)
    )
    measures += shared
    report("Load", measures, options.json)


if __name__ == "__main__":
    main()
