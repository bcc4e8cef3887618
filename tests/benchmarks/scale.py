"""Active against passive lineage on layered warehouses, and the cost of ten times the steps.

Claims: active, conditions of ends read or not, at most 4 times passive on 14,000 steps with 6e9 paths; ten times the
steps at most 15 times the time.

Needs the core of mdw, 2 GB of memory and about 1 minute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from measuring import Measure, alternating, arguments, report

from generator import Shape, warehouse  # isort: skip
from mdw import Warehouse  # isort: skip


def measure(shape: Shape, name: str, repeat: int, before: tuple[int, float] | None) -> Iterator[Measure]:
    """One size: passive, active, and active against the size before."""
    with Warehouse() as loaded:
        loaded.load("".join(warehouse(1, shape)))
        (passive_seconds, passive), (active_seconds, active), (read_seconds, _) = alternating(
            lambda: loaded.lineage(shape.asked, mode="passive"),
            lambda: loaded.lineage(shape.asked),
            lambda: [end.condition for end in loaded.lineage(shape.asked).golden],
            repeat=repeat,
        )
    size = f"{shape.steps} steps, {len(passive.steps)} candidates, {shape.paths:.1e} paths"
    yield Measure(f"{name}: passive", passive_seconds, size)
    kept = sum(step.kind == "direct" for step in active.steps)
    ratio = active_seconds / passive_seconds
    limit = 4 if before else None
    yield Measure(f"{name}: active ({kept} kept)", active_seconds, "", ratio, limit, "passive")
    read = read_seconds / passive_seconds
    yield Measure(f"{name}: active, every condition read", read_seconds, "", read, limit, "passive")
    if before:
        steps, seconds = before
        yield Measure(f"{name}: active", active_seconds, "", active_seconds / seconds, 15, f"{steps} steps")


def main() -> None:
    options = arguments(__doc__, width=(int, 200, "entities per layer of the larger warehouse"))
    large = Shape(width=options.width)
    small = replace(large, width=max(options.width // 10, large.fan_in))
    measures = list(measure(small, "a tenth", options.repeat, None))
    measures += measure(large, "whole", options.repeat, (small.steps, measures[1].seconds))
    report("Scale: layered warehouses, 3 condition attributes of 8 values", measures, options.json)


if __name__ == "__main__":
    main()
