"""The lineage of all attributes in one run, active against the passive kernel and against one question after the other.

Claims: active at most 20 times one sweep of the passive kernel over the same steps, and far below the sum of single
questions, of which a sample is asked.

Needs the core of mdw, 6 GB of memory and about 15 minutes.
"""

from __future__ import annotations

from random import Random

from measuring import Measure, arguments, best, report

from generator import Shape, warehouse  # isort: skip
from mdw import Warehouse  # isort: skip
from mdw.store import candidates, catalogue  # isort: skip
from mdw.lineage.everything.closure import Steps, sweep  # isort: skip
from mdw.lineage.everything.numbering import Numbering  # isort: skip


def steps_of(loaded: Warehouse) -> Steps:
    """The steps of the warehouse as the kernel takes them."""
    store = loaded._store
    heads = {head.mapping: head for head in catalogue.heads(store)}
    numbering = Numbering.of(catalogue.attributes(store))
    for population in candidates.populations(store):
        numbering.add(population, heads[population.mapping])
    return numbering.steps()


def pairs(loaded: Warehouse, mode: str) -> tuple[int, int]:
    """How many attributes get how many golden sources."""
    counts = [len(record.golden) for record in loaded.lineage_all(mode=mode)]  # type: ignore[arg-type]
    return len(counts), sum(counts)


def main() -> None:
    options = arguments(__doc__, width=(int, 1430, "entities per layer"), sample=(int, 20, "single questions asked"))
    shape = Shape(width=options.width)
    with Warehouse() as loaded:
        loaded.load("".join(warehouse(1, shape)))
        loaded.lineage(shape.asked)  # what loading left to be inferred is inferred here
        steps = steps_of(loaded)
        kernel, _ = best(lambda: sum(len(rows.ends) for rows in sweep(steps)), options.repeat)
        passive, _ = best(lambda: pairs(loaded, "passive"), options.repeat)
        active, (attributes, found) = best(lambda: pairs(loaded, "active"), options.repeat)
        names = sorted(record.attribute for record in loaded.lineage_all(mode="passive"))
        asked = Random(1).sample(names, min(options.sample, len(names)))
        sample, _ = best(lambda: [loaded.lineage(name) for name in asked], 1)
    single = sample / len(asked) * attributes
    measures = [
        Measure("one sweep of the passive kernel", kernel, f"{shape.steps} payload steps, {len(steps.sources)} in all"),
        Measure("all passive, from the store to records", passive, "", passive / kernel, None, "kernel"),
        Measure("all active, from the store to records", active, "", active / kernel, 20, f"kernel; {found} sources"),
        Measure(f"all active ({attributes} attributes)", active, "", active / passive, None, "all passive"),
        Measure(
            "all active",
            active,
            "",
            active / single,
            0.01,
            f"single questions: {single:.0f} s, {single / active:.0f} times as long",
        ),
    ]
    report("All attributes: layered warehouse, 3 condition attributes of 8 values", measures, options.json)


if __name__ == "__main__":
    main()
