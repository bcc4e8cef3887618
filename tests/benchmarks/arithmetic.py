"""Conditions outside the algebra of value sets: attribute against attribute, arithmetic.

Claim: 10,000 steps still answer, at a stated ratio.

Needs the core of mdw, 1 GB of memory and about 1 minute.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from measuring import Measure, arguments, best, report

from generator import Shape, Style, warehouse  # isort: skip
from mdw import Warehouse  # isort: skip


def measure(style: Style, width: int, share: float, repeat: int) -> Iterator[Measure]:
    """One way to restrict."""
    shape = Shape(width=width, restricting=share, style=style)
    with Warehouse() as loaded:
        loaded.load("".join(warehouse(1, shape)))
        passive_seconds, passive = best(lambda: loaded.lineage(shape.asked, mode="passive"), repeat)
        active_seconds, active = best(lambda: loaded.lineage(shape.asked), 1)
    direct = sum(step.kind == "direct" for step in active.steps)
    found = f"kept {direct}, dropped {len(active.dropped)}, undecided {len(active.undecided)}"
    yield Measure(f"{style}: passive", passive_seconds, f"{len(passive.steps)} steps")
    yield Measure(f"{style}: active", active_seconds, "", active_seconds / passive_seconds, None, f"passive; {found}")
    for text in active.notes:
        print(f"  {style}: {text}")


def main() -> None:
    options = arguments(
        __doc__, width=(int, 145, "entities per layer"), share=(float, 0.05, "share of restricting steps")
    )
    measures = [
        one for style in get_args(Style) for one in measure(style, options.width, options.share, options.repeat)
    ]
    report("Arithmetic: conditions beyond value sets", measures, options.json)


if __name__ == "__main__":
    main()
