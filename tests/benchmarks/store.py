"""A small question in a large store: navigation must not feel the steps it does not need.

Claim: 1,000,000 steps in the store, a question with 10,000 candidates: at most 5 times the bare property-path query
that finds them.

Needs the core of mdw, 2 GB of memory, as much disk for temporary files and about 20 minutes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from measuring import Measure, arguments, best, report

from generator import Shape, warehouse  # isort: skip
from mdw import Table, Warehouse  # isort: skip

PATH = """
PREFIX mdw: <https://w3id.org/mdw#>
SELECT ?source ?how ?target WHERE {{
  ?target mdw:feeds* <urn:mdw:attribute:{asked}> .
  ?source ?how ?target .
  VALUES ?how {{ mdw:copiesTo mdw:transformsTo mdw:aggregatesTo mdw:chooses }}
}}
"""


def main() -> None:
    options = arguments(__doc__, steps=(int, 1_000_000, "steps of the distracting part"))
    shape = Shape(distractors=options.steps)
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "warehouse.map"
        with file.open("w", encoding="utf-8") as stream:
            stream.writelines(warehouse(1, shape))
        with Warehouse(Path(name) / "store") as loaded:
            load_seconds, _ = best(lambda: loaded.load(file), 1)
            query_seconds, found = best(lambda: loaded.query(PATH.format(asked=shape.asked)), options.repeat)
            passive_seconds, passive = best(lambda: loaded.lineage(shape.asked, mode="passive"), options.repeat)
            active_seconds, active = best(lambda: loaded.lineage(shape.asked), options.repeat)
    kept = sum(step.kind == "direct" for step in active.steps)
    measures = [
        Measure("load from one file", load_seconds, f"{options.steps} + {shape.steps} steps"),
        Measure("bare property-path query", query_seconds, f"{len(found) if isinstance(found, Table) else 0} steps"),
        Measure(
            "passive", passive_seconds, "", passive_seconds / query_seconds, 5, f"query; {len(passive.steps)} steps"
        ),
        Measure("active", active_seconds, "", active_seconds / query_seconds, 5, f"query; {kept} kept"),
    ]
    report("Store: a question with 10,000 candidates among a million steps", measures, options.json)


if __name__ == "__main__":
    main()
