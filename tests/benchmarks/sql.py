"""Reading SQL against sqlglot's own parsing and resolving of it, compiled on both sides, in CPU seconds of all cores.

Two workloads: short random queries that are hard to read, and 660 models, as a large dbt project has them. Claims:
mapping trees and rules at most 1.5 times parse and qualify together, the schema known to both; the models as a folder
into memory, the data dictionary included, at most 3 times; into a folder at most reading them plus a bare bulk load of
the same N-Quads; a UNION and an OR of four times the parts at most 6 times the time, which is n log n and a quarter.

Needs the extra ``test``, 1 GB of memory and about 4 minutes.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import process_time

from measuring import Measure, alternating, arguments, best, report

import pyoxigraph as ox  # isort: skip
from dbt_models import Models, ModelWriter  # isort: skip
from sql_warehouses import COLUMNS, TABLES, SqlWriter  # isort: skip
from sqlglot import parse_one  # isort: skip
from sqlglot.optimizer.qualify import qualify  # isort: skip
from sqlglot.schema import MappingSchema  # isort: skip

from mdw import Warehouse  # isort: skip
from mdw.readers.blocks import mappings_of  # isort: skip
from mdw.readers.loading import Sources  # isort: skip
from mdw.readers.sql.entries import GivenSchema  # isort: skip
from mdw.readers.sql.scripts import read_script  # isort: skip

Schema = Mapping[str, Sequence[str]]
MADE = [f"core.m{number}" for number in range(1, 5)]
SCHEMA: Schema = dict.fromkeys((*TABLES, *MADE), COLUMNS)
GROWTH = 6.0
TABLE = re.compile(r"\b(?:raw|mart)\.\w+")


def rules(text: str, schema: Schema = SCHEMA) -> int:
    """How many mappings a text is, its rules worked out and let go."""
    script = read_script(text, "x.sql", "duckdb", GivenSchema(schema, "duckdb"))
    return sum(len(mappings_of(one, script)) for one in script.statements)


def queries(count: int) -> list[str]:
    """The queries of so many warehouses."""
    made = [SqlWriter(Random(seed)).warehouse() for seed in range(count)]
    return [text.partition(" AS\n")[2].rstrip(";\n") for one in made for text in one.files.values()]


def union(parts: int) -> str:
    branches = (f"SELECT a, b, '{number}' AS c FROM s{number % 7} WHERE a = {number}" for number in range(parts))
    return "CREATE VIEW x AS " + " UNION ALL ".join(branches)


def either(parts: int) -> str:
    return "CREATE VIEW x AS SELECT a FROM s WHERE " + " OR ".join(f"a = {number}" for number in range(parts))


def resolving(texts: Sequence[str], schema: Schema) -> Callable[[], None]:
    """What sqlglot does: parse and qualify each text."""
    nested: dict[str, dict[str, dict[str, str]]] = {}
    for name, columns in schema.items():
        first, _, table = name.partition(".")
        nested.setdefault(first, {})[table] = dict.fromkeys(columns, "text")
    known = MappingSchema(nested, dialect="duckdb")

    def run() -> None:
        for text in texts:
            qualify(parse_one(text, read="duckdb"), schema=known, dialect="duckdb")

    return run


def compared(what: str, texts: Sequence[str], schema: Schema, repeat: int) -> Iterator[Measure]:
    """A workload: parsing, resolving, and the rules of it."""
    # A reader of files is told of the tables that a file reads, by `mdw.readers.folder`.
    known = [{name: schema[name] for name in sorted(set(TABLE.findall(text)) & schema.keys())} for text in texts]
    ways = alternating(
        lambda: [parse_one(text, read="duckdb") for text in texts],
        resolving(texts, schema),
        lambda: sum(rules(f"CREATE VIEW core.x AS {text}", own) for text, own in zip(texts, known, strict=True)),
        repeat=repeat,
        clock=process_time,
    )
    (parsed, _), (resolved, _), (ours, mappings) = ways
    yield Measure(f"{what}: parse", parsed, f"{len(texts)} queries, {sum(map(len, texts)):,} characters")
    yield Measure(f"{what}: parse and qualify", resolved)
    against = "parse and qualify"
    yield Measure(f"{what}: to trees and rules", ours, f"{mappings} mappings", ours / resolved, 1.5, against)


def stored(models: Models, resolved: float, repeat: int, folder: Path) -> Iterator[Measure]:
    """The models as files, read into memory and into a folder."""
    source, lines = folder / "models", folder / "models.nq"
    for name, text in models.scripts().items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    numbers = iter(range(1000))

    def fresh() -> Path:
        return folder / f"store{next(numbers)}"

    def memory() -> Warehouse:
        loaded = Warehouse()
        loaded.load(source, dialect="duckdb").raise_for_errors()
        return loaded

    def disk() -> None:
        with Warehouse(fresh()) as loaded:
            loaded.load(source, dialect="duckdb").raise_for_errors()

    with memory() as loaded:
        loaded.export("nquads", lines)
    with lines.open("rb") as stream:
        quads = sum(1 for _ in stream)
    (read, _), (bare, _), (held, _), (kept, _) = alternating(
        lambda: sum(1 for _ in Sources((source,), None, "duckdb").graphs()),
        lambda: ox.Store(str(fresh())).bulk_load(path=str(lines), format=ox.RdfFormat.N_QUADS),
        memory,
        disk,
        repeat=repeat,
        clock=process_time,
    )
    yield Measure("models: files to graphs", read, f"{quads:,} quads")
    yield Measure("models: bare bulk load of their N-Quads into a folder", bare)
    yield Measure("models: load into memory", held, "", held / resolved, 3, "parse and qualify")
    yield Measure("models: load into a folder", kept, "", kept / (read + bare), 1, "files to graphs and bulk load")


def main() -> None:
    options = arguments(
        __doc__,
        warehouses=(int, 200, "random warehouses whose queries are read"),
        models=(int, 660, "models that are read"),
    )
    models = ModelWriter(Random(1)).models(options.models)
    measures = [
        *compared("queries", queries(options.warehouses), SCHEMA, options.repeat),
        *compared("models", list(models.queries.values()), models.columns, options.repeat),
    ]
    with tempfile.TemporaryDirectory() as name:
        measures += stored(models, measures[-2].seconds, options.repeat, Path(name))
    for what, write in (("UNION", union), ("OR", either)):
        sizes = (250, 1_000, 4_000)
        spent = [
            best(lambda write=write, size=size: rules(write(size)), options.repeat, process_time)[0] for size in sizes
        ]  # type: ignore[misc]
        for fewer, more, few, many in zip(sizes, sizes[1:], spent, spent[1:], strict=False):
            measures.append(Measure(f"{what} of {more:,} parts", many, "", many / few, GROWTH, f"one of {fewer:,}"))
    report("SQL", measures, options.json)


if __name__ == "__main__":
    main()
