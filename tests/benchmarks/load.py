"""Loading mapping text into the store against the bare LALR parse of the same text, and memory over file size.

Claims: loading at most 3 times the bare parse; memory flat in file size (four times the text, at most 1.3 times the
memory, the engine's own included: the store lies on disk here, and the smaller file already fills its buffers).

Needs a Unix system, the core of mdw, 1 GB of memory and about 5 minutes; the ratio needs two idle cores.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

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
from mdw import Warehouse
with Warehouse(sys.argv[1]) as warehouse:
    warehouse.load(sys.argv[2])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


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


def peak(mappings: int, folder: Path) -> float:
    """Megabytes a fresh process needs at most to load so many mappings from a file into a store on disk."""
    file = folder / f"{mappings}.map"
    width = max(mappings // 70, 5)
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(warehouse(1, Shape(width=width)))
    command = [sys.executable, "-c", CHILD, str(folder / f"store{mappings}"), str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    return int(done.stdout.split()[-1]) / MEGABYTE


def main() -> None:
    options = arguments(
        __doc__, width=(int, 30, "entities per layer"), mappings=(int, 12000, "mappings in the smaller file")
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
        small, large = (peak(options.mappings * times, Path(name)) for times in (1, 4))
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
    report("Load", measures, options.json)


if __name__ == "__main__":
    main()
