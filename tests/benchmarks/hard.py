"""Many condition attributes: where the exact diagram gives up and the bounds decide.

Claim: with 10 and with 20 condition attributes at most 12 times passive for all but the left-over steps, and those
decided within the default budget or said to be undecided. Their share is printed. Without effort for the search a
left-over step is undecided at once.

Needs the core of mdw, 4 GB of memory and about 6 minutes.
"""

from __future__ import annotations

from collections.abc import Iterator

from measuring import Measure, alternating, arguments, best, report

from generator import Shape, warehouse  # isort: skip
from mdw import Budget, Warehouse  # isort: skip

CASES = ((3, 0.17), (6, 0.17), (10, 0.17), (10, 0.10), (20, 0.08))


def measure(attributes: int, share: float, width: int, repeat: int) -> Iterator[Measure]:
    """One number of condition attributes."""
    shape = Shape(width=width, condition_attributes=attributes, restricting=share)
    name = f"{attributes} condition attributes, {share:.0%} restricting"
    with Warehouse() as loaded:
        loaded.load("".join(warehouse(1, shape)))
        (passive_seconds, passive), (bounds_seconds, _) = alternating(
            lambda: loaded.lineage(shape.asked, mode="passive"),
            lambda: loaded.lineage(shape.asked, budget=Budget(search=0)),
            repeat=repeat,
        )
        active_seconds, active = best(lambda: loaded.lineage(shape.asked), 1)
    yield Measure(f"{name}: passive", passive_seconds, f"{len(passive.steps)} steps")
    ratio = bounds_seconds / passive_seconds
    yield Measure(f"{name}: active, left-over steps aside", bounds_seconds, "", ratio, 12, "passive")
    kept = sum(step.kind == "direct" for step in active.steps)
    found = f"kept {kept}, dropped {len(active.dropped)}, undecided {len(active.undecided)}"
    yield Measure(f"{name}: active, all steps", active_seconds, "", active_seconds / passive_seconds, None, found)
    for text in active.notes:
        print(f"  {name}: {text}")


def main() -> None:
    options = arguments(__doc__, width=(int, 200, "entities per layer"))
    measures = [one for case in CASES for one in measure(*case, options.width, options.repeat)]
    report("Hard: the same graph with more condition attributes", measures, options.json)


if __name__ == "__main__":
    main()
