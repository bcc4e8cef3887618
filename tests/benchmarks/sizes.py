"""What grows: one shape of input after the other, each at three sizes, in time and in memory.

Claim: four times the input takes at most six times the CPU time and the memory, or is refused with a message that says
why.

Each size is a process of its own: mapping text, SQL or JSON is loaded into a store in memory, an attribute's lineage is
asked for and told as text. Memory is the most that was resident, beyond what a process takes that does next to nothing.

Needs a Unix system, the core of mdw, 3 GB of memory and about 11 minutes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import Measure, arguments, report

FOLDER = Path(__file__).parent
CHILD = f"import sys; sys.path[:0] = [{str(FOLDER)!r}]; from sizes import child; child(*sys.argv[1:])"
MEGABYTE = 1 << 20 if sys.platform == "darwin" else 1 << 10
SECONDS = 300
FACTOR = 4
MORE = 6
FEW_SECONDS, FEW_MEGABYTES = 0.2, 40
"""What is not worth holding against anything: a process that starts differs by as much."""


@dataclass(frozen=True)
class Shape:
    """An input of any size: what counts it, where it starts, its text, the attribute asked for, the file's ending."""

    counted: str
    start: int
    text: Callable[[int], str]
    asked: str = ""
    ending: str = "map"


def mapping(target: str, source: str, *lines: str, name: str = "m") -> str:
    """A mapping of two entities."""
    return "\n".join((f"MAPPING {name}: WHEN POPULATING {target} FROM {source}", *lines, ""))


def listed(pieces: Callable[[int], str], count: int, between: str = "\n") -> str:
    """Numbered pieces."""
    return between.join(map(pieces, range(count)))


def chained(first: Callable[[int], str]) -> Callable[[int], str]:
    """Mappings of which each reads what the one before it fills, the first of so many the entity ``first`` names."""

    def link(number: int, source: str) -> str:
        lines = f"  POPULATE L{number}.A WITH {source}.A IF {source}.K != {number % 5}"
        return mapping(f"L{number}", source, lines, f"  POPULATE L{number}.K WITH {source}.K", name=f"m{number}")

    return lambda count: listed(lambda number: link(number, f"L{number - 1}" if number else first(count)), count)


def columns(count: int) -> str:
    names = listed(lambda n: f"c{n}", count, ", ")
    made = listed(lambda n: f"c{n} INTEGER", count, ", ")
    return f"CREATE TABLE s ({made});\nCREATE TABLE t AS SELECT {names} FROM s;\nCREATE TABLE u AS SELECT * FROM t;\n"


def selected(condition: Callable[[int], str]) -> Callable[[int], str]:
    """A query with a condition of so many parts."""
    return lambda count: f"CREATE TABLE t AS SELECT s.b AS a FROM s WHERE {condition(count)};\n"


def nested(count: int) -> str:
    """Rows of an export, one of which is an array in an array in an array ..."""
    row = json.dumps({"table_name": "t", "column_name": "a", "data_type": "integer"})
    return f"[{row}, {'[' * count}{']' * count}]"


def passed_on(count: int) -> str:
    """A query of so many WITHs, each of which reads the one before it."""
    first, *others = [f"c{n} AS (SELECT * FROM c{n - 1})" for n in range(count)]
    first = "c0 AS (SELECT a, b FROM s)"
    return f"CREATE TABLE t AS WITH {', '.join([first, *others])} SELECT * FROM c{count - 1};\n"


def united(count: int) -> str:
    """A query of so many SELECTs put together."""
    made = "CREATE TABLE s (a INT, b INT, c INT);\n"
    return f"{made}CREATE TABLE t AS {listed(lambda n: f'SELECT * FROM s WHERE k = {n}', count, ' UNION ALL ')};\n"


def called(count: int) -> str:
    """A function of a function of a function ..."""
    return f"CREATE TABLE t AS SELECT {'COALESCE(' * count}s.a{', 1)' * count} AS a FROM s;\n"


def packaged(count: int) -> str:
    """A package of procedures of about ten lines, each of which calls the one before it."""

    def procedure(number: int) -> str:
        before = f"    p{number - 1};\n" if number else ""
        return f"""  PROCEDURE p{number} IS
    n NUMBER;
  BEGIN
    SELECT MAX(k) INTO n FROM s{number};
    IF n > {number} THEN
      INSERT INTO t{number} (a, b) SELECT a, n FROM s{number} WHERE k = n;
    END IF;
{before}  END;
"""

    return f"CREATE OR REPLACE PACKAGE BODY pkg AS\n{listed(procedure, count)}END pkg;\n/\n"


def filtered(condition: Callable[[int], str]) -> Callable[[int], str]:
    """A mapping whose rows a condition selects."""
    return lambda count: mapping("T", "S", "  POPULATE T.A WITH S.B", f"SELECT ROWS WHERE {condition(count)}")


SHAPES = {
    "mappings": Shape(
        "mappings",
        1_000,
        lambda count: listed(
            lambda n: mapping(f"T{n}", f"S{n}", f"  POPULATE T{n}.A WITH S{n}.A IF S{n}.K = {n}", name=f"m{n}"), count
        ),
        "T7.A",
    ),
    "mappings of one attribute": Shape(
        "mappings",
        250,
        lambda count: listed(
            lambda n: mapping("T", "S", f'  POPULATE T.A WITH S.B{n} IF S.K = "{n}"', name=f"m{n}"), count
        ),
        "T.A",
    ),
    "populations": Shape(
        "populations in one mapping",
        1_000,
        lambda count: mapping("T", "S", listed(lambda n: f"  POPULATE T.A{n} WITH S.A{n} IF S.K = {n}", count)),
        "T.A7",
    ),
    "joins": Shape(
        "joins in one mapping",
        50,
        lambda count: mapping(
            "T",
            "S",
            "  POPULATE T.A WITH J7.A IF J9.K > 7",
            listed(lambda n: f"NAVIGATE FROM S TO J{n} USING S.K{n} = J{n}.K", count),
        ),
        "T.A",
    ),
    "terms of an OR": Shape(
        "tests of one attribute",
        6_250,
        filtered(lambda count: listed(lambda n: f'S.K = "x{n}"', count, " OR ")),
        "T.A",
    ),
    "attributes of an IF": Shape(
        "attributes",
        625,
        filtered(lambda count: listed(lambda n: f"S.K{n} = {n}", count, " AND ")),
        "T.A",
    ),
    "errors": Shape(
        "broken mappings",
        2_500,
        lambda count: listed(lambda n: mapping("T", "S", f"  POPULATE T.A WIHT S.A{n}", name=f"m{n}"), count),
    ),
    "errors in one": Shape(
        "mistakes in one mapping",
        2_500,
        lambda count: mapping("T", "S", listed(lambda n: f"  POPULATE T.A{n} WITH X.A{n}", count)),
    ),
    "names": Shape(
        "characters of a name",
        6_250,
        lambda count: mapping("T", "S" * count, f"  POPULATE T.A WITH {'S' * count}.B"),
        "T.A",
    ),
    "strings": Shape(
        "characters of a text",
        12_500,
        filtered(lambda count: f'S.K = "{"x" * count}"'),
        "T.A",
    ),
    "layers": Shape("layers", 125, chained(lambda _: "S"), "L99.A"),
    "cycles": Shape("mappings in a circle", 125, chained(lambda count: f"L{count - 1}"), "L99.A"),
    "JSON": Shape("levels", 5_000, nested, ending="json"),
    "SQL, columns": Shape("columns of a table", 1_250, columns, "u.c7", "sql"),
    "SQL, terms of an OR": Shape(
        "tests of one column",
        1_250,
        selected(lambda count: listed(lambda n: f"s.k = 'x{n}'", count, " OR ")),
        "t.a",
        "sql",
    ),
    "SQL, list": Shape(
        "values of a list",
        6_250,
        selected(lambda count: f"s.k IN ({listed(lambda n: repr(f'x{n}'), count, ', ')})"),
        "t.a",
        "sql",
    ),
    "SQL, errors": Shape(
        "broken statements", 250, lambda count: listed(lambda n: f"SELEC a{n} FRO (s;", count), "", "sql"
    ),
    "SQL, WITHs": Shape("WITHs in a chain", 312, passed_on, "t.a", "sql"),
    "SQL, UNION": Shape("SELECTs in a UNION", 125, united, "t.a", "sql"),
    "SQL, CASE": Shape(
        "WHENs of a CASE",
        187,
        lambda count: (
            "CREATE TABLE t AS SELECT CASE "
            f"{listed(lambda n: f'WHEN s.k = {n} THEN s.a{n}', count, ' ')} ELSE 0 END AS a FROM s;\n"
        ),
        "t.a",
        "sql",
    ),
    "SQL, functions": Shape("functions of functions", 62, called, "t.a", "sql"),
    "SQL, INSERTs": Shape(
        "INSERTs into one table",
        625,
        lambda count: listed(lambda n: f"INSERT INTO t (a, b) SELECT a, b FROM s{n} WHERE k = {n};\n", count, ""),
        "t.a",
        "sql",
    ),
    "SQL, package": Shape("procedures of a package", 78, packaged, "t7.a", "sql"),
    "SPARQL, patterns": Shape(
        "triple patterns",
        50,
        lambda count: f"ASK {{ {listed(lambda n: f'?s <urn:p{n}> ?o{n} .', count, ' ')} }}",
        "",
        "rq",
    ),
    "SPARQL, groups": Shape(
        "groups in groups", 250, lambda count: f"ASK {'{ ' * count} ?s ?p ?o {'} ' * count}", "", "rq"
    ),
    "SPARQL, tests": Shape(
        "tests of a FILTER",
        1_000,
        lambda count: f"ASK {{ ?s ?p ?o FILTER({listed(lambda n: f'?o = {n}', count, ' || ')}) }}",
        "",
        "rq",
    ),
}


@dataclass(frozen=True)
class Size:
    """What one size took: CPU seconds read and asked, megabytes, errors met, the last of them in a line."""

    read: float
    asked: float
    megabytes: float
    errors: int
    said: str

    @property
    def seconds(self) -> float:
        """Both together."""
        return self.read + self.asked


def child(name: str) -> None:
    """Read the file that is here and ask, in the process this is called in; tells what it took as JSON."""
    import resource
    from time import process_time

    from mdw import MdwError, Warehouse
    from mdw.model.errors import how_many

    shape = SHAPES[name]
    file = Path(f"input.{shape.ending}")
    said, errors, read, asked = "", 0, 0.0, 0.0
    with Warehouse() as warehouse:
        start = process_time()
        try:
            if shape.ending == "rq":
                warehouse.query(file.read_text(encoding="utf-8"))
            else:
                found = warehouse.load(file)
                met = found.errors
                errors, said = how_many(met), str(met[-1]).partition("\n")[0] if met else ""
            read = process_time() - start
            if shape.asked and not errors:
                str(warehouse.lineage(shape.asked))
        except MdwError as error:
            errors, said = 1, str(error).partition("\n")[0]
        asked = process_time() - start - read
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    print(json.dumps({"read": read, "asked": asked, "megabytes": peak, "errors": errors, "said": said}))


def taken(name: str, count: int) -> Size | str:
    """What one size takes in a process of its own, or how it ended."""
    shape = SHAPES[name]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"input.{shape.ending}").write_text(shape.text(count), encoding="utf-8")
        command: list[Any] = [sys.executable, "-c", CHILD, name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=folder)
        except subprocess.TimeoutExpired:
            return f"not back after {SECONDS} s"
    if done.returncode:
        return f"ended with {done.returncode}: {done.stderr.strip().rpartition(chr(10))[2][:100]}"
    return Size(**json.loads(done.stdout))


def main() -> None:
    options = arguments(
        __doc__, shape=(str, "", "only shapes whose names begin so"), times=(int, 1, "larger from the start")
    )
    measures: list[Measure] = []
    nothing = taken("mappings", 1)
    assert isinstance(nothing, Size), nothing
    for name, shape in SHAPES.items():
        if not name.startswith(options.shape):
            continue
        before: Size | None = None
        for count in (shape.start * options.times * step for step in (1, FACTOR, FACTOR**2)):
            what, found = f"{name}: {count:,} {shape.counted}", taken(name, count)
            if isinstance(found, str):
                measures.append(Measure(what, SECONDS, "", FACTOR * MORE, MORE, found))
                break
            amount = f"{found.read:.1f} + {found.asked:.1f} s, {found.megabytes:.0f} MB"
            said = f"; {found.errors:,}: {found.said[-70:]}" if found.errors else ""
            times = [max(FEW_SECONDS, one.seconds) for one in (found, before or found)]
            rooms = [max(FEW_MEGABYTES, one.megabytes - nothing.megabytes) for one in (found, before or found)]
            ratio = max(times[0] / times[1], rooms[0] / rooms[1]) if before else None
            measures.append(Measure(what, found.seconds, "", ratio, MORE if before else None, amount + said))
            before = found
            print(f"{what}: {amount}{said}", file=sys.stderr, flush=True)
    report("Sizes: each shape at three, time and memory against a fourth of the input", measures, options.json)


if __name__ == "__main__":
    main()
