"""Reading SQL to mapping trees and rules against sqlglot's own parsing and resolving, compiled on both sides.

Claims: at most 1.5 times parse and qualify together, the schema known to both; a UNION of four times the branches and
an OR of four times the parts take at most 6 times the time.


Needs the extra ``test``, 1 GB of memory and about 1 minute.
"""

from __future__ import annotations

from random import Random

from measuring import Measure, arguments, best, report

from sql_warehouses import COLUMNS, TABLES, SqlWriter  # isort: skip
from sqlglot import parse_one  # isort: skip
from sqlglot.optimizer.qualify import qualify  # isort: skip
from sqlglot.schema import MappingSchema  # isort: skip

from mdw.language.derive import derive  # isort: skip
from mdw.readers.blocks import mapping_of  # isort: skip
from mdw.readers.sql.scripts import read_script  # isort: skip

MADE = [f"core.m{number}" for number in range(1, 5)]
SCHEMA = dict.fromkeys((*TABLES, *MADE), COLUMNS)
GROWTH = 6.0


def rules(text: str) -> int:
    """How many mappings a text is, its rules worked out and let go."""
    script = read_script(text, "x.sql", "duckdb", SCHEMA)
    return sum(1 for one in script.statements for block in one.blocks if derive(mapping_of(block), block.name))


def queries(count: int) -> list[str]:
    """The queries of so many warehouses."""
    made = [SqlWriter(Random(seed)).warehouse() for seed in range(count)]
    return [text.partition(" AS\n")[2].rstrip(";\n") for one in made for text in one.files.values()]


def union(parts: int) -> str:
    branches = (f"SELECT a, b, '{number}' AS c FROM s{number % 7} WHERE a = {number}" for number in range(parts))
    return "CREATE VIEW x AS " + " UNION ALL ".join(branches)


def either(parts: int) -> str:
    return "CREATE VIEW x AS SELECT a FROM s WHERE " + " OR ".join(f"a = {number}" for number in range(parts))


def main() -> None:
    options = arguments(__doc__, warehouses=(int, 200, "random warehouses whose queries are read"))
    texts = queries(options.warehouses)
    nested: dict[str, dict[str, dict[str, str]]] = {}
    for name in SCHEMA:
        schema, _, table = name.partition(".")
        nested.setdefault(schema, {})[table] = dict.fromkeys(COLUMNS, "text")
    known = MappingSchema(nested, dialect="duckdb")

    def theirs() -> None:
        for text in texts:
            qualify(parse_one(text, read="duckdb"), schema=known, dialect="duckdb")

    parsed, _ = best(lambda: [parse_one(text, read="duckdb") for text in texts], options.repeat)
    qualified, _ = best(theirs, options.repeat)
    ours, mappings = best(lambda: sum(rules(f"CREATE VIEW core.x AS {text}") for text in texts), options.repeat)
    measures = [
        Measure("parse", parsed, f"{len(texts)} queries, {sum(map(len, texts)):,} characters"),
        Measure("parse and qualify", qualified, ""),
        Measure("to trees and rules", ours, f"{mappings} mappings", ours / qualified, 1.5, "parse and qualify"),
    ]
    for what, write in (("UNION", union), ("OR", either)):
        few, _ = best(lambda write=write: rules(write(1_000)), options.repeat)  # type: ignore[misc]
        many, _ = best(lambda write=write: rules(write(4_000)), options.repeat)  # type: ignore[misc]
        measures.append(Measure(f"{what} of 4,000 parts", many, "", many / few, GROWTH, "one of 1,000"))
    report("SQL", measures, options.json)


if __name__ == "__main__":
    main()
