"""Layered warehouses of any size in the mapping language: seeded, streamed, for laws and benchmarks.

Layer 0 holds the golden sources. Every entity above is filled by ``fan_in`` mappings from entities of the layer
below; payload attributes P0, P1 … are copied, condition attributes C0, C1 … too, and a share of the steps lets only
some values of a condition attribute pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

Style = Literal["values", "comparisons", "arithmetic"]

WIDE = 20
"""Attributes of an entity of the distracting part, and steps of each of its mappings."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Size of a layered warehouse, and how its steps restrict: value sets, comparisons of attributes, arithmetic."""

    layers: int = 15
    width: int = 200
    fan_in: int = 5
    attributes: int = 1
    condition_attributes: int = 3
    values: int = 8
    restricting: float = 0.17
    distractors: int = 0
    style: Style = "values"

    @property
    def asked(self) -> str:
        """The attribute whose lineage spans all layers."""
        return f"L{self.layers - 1}_0.P0"

    @property
    def steps(self) -> int:
        """Direct steps between payload attributes, distractors apart."""
        return (self.layers - 1) * self.width * min(self.fan_in, self.width) * self.attributes

    @property
    def paths(self) -> int:
        """Paths from the asked attribute to golden sources."""
        return int(min(self.fan_in, self.width) ** (self.layers - 1))


def warehouse(seed: int, shape: Shape) -> Iterator[str]:
    """Mapping text of a layered warehouse, one mapping at a time."""
    chance = Random(seed)
    for layer in range(1, shape.layers):
        for place in range(shape.width):
            below = chance.sample(range(shape.width), min(shape.fan_in, shape.width))
            for number, source in enumerate(below):
                yield _mapping(chance, shape, f"L{layer}_{place}", f"L{layer - 1}_{source}", number)
    yield from distractors(shape.distractors)


def distractors(steps: int) -> Iterator[str]:
    """Mappings with about so many steps that no question about the layers ever meets: chains of wide entities."""
    for number in range((steps + WIDE - 1) // WIDE):
        chain, place = divmod(number, 10)
        target, source = f"D{chain}_{place + 1}", f"D{chain}_{place}"
        copies = "\n".join(f"POPULATE {target}.P{one} WITH {source}.P{one}" for one in range(WIDE))
        yield f"MAPPING distractor_{number}:\nWHEN POPULATING {target} FROM {source}\n{copies}\n\n"


def _mapping(chance: Random, shape: Shape, target: str, source: str, number: int) -> str:
    restrictions = [
        _restriction(chance, shape, source, attribute)
        for attribute in range(shape.condition_attributes)
        if chance.random() < shape.restricting
    ]
    in_filter = [one for one in restrictions if chance.random() < 0.5]
    in_if = [one for one in restrictions if one not in in_filter]
    condition = f" IF {' AND '.join(in_if)}" if in_if else ""
    lines = [f"MAPPING {target}_{number}:", f"WHEN POPULATING {target} FROM {source}"]
    lines += [f"POPULATE {target}.P{one} WITH {source}.P{one}{condition}" for one in range(shape.attributes)]
    lines += [_copy(chance, shape, target, source, one) for one in range(shape.condition_attributes)]
    if in_filter:
        lines.append(f"SELECT ROWS WHERE {' AND '.join(in_filter)}")
    return "\n".join(lines) + "\n\n"


def _restriction(chance: Random, shape: Shape, source: str, attribute: int) -> str:
    subject = f"{source}.C{attribute}"
    if shape.style == "values":
        kept = sorted(chance.sample(range(shape.values), chance.randint(1, min(3, shape.values))))
        listed = ", ".join(f'"v{value}"' for value in kept)
        return f"{subject} IN ({listed})" if len(kept) > 1 else f"{subject} = {listed}"
    if shape.style == "comparisons" and shape.condition_attributes > 1:
        other = chance.choice([one for one in range(shape.condition_attributes) if one != attribute])
        return f"{subject} {chance.choice(['<', '<=', '!=', '>='])} {source}.C{other}"
    return f"{subject} {chance.choice(['<', '>='])} {chance.randrange(shape.values)}"


def _copy(chance: Random, shape: Shape, target: str, source: str, attribute: int) -> str:
    value = f"{source}.C{attribute}"
    if shape.style == "arithmetic" and chance.random() < shape.restricting:
        other = f"{source}.C{chance.randrange(shape.condition_attributes)}"
        value += chance.choice([" + 1", " - 1", f" + {other}", f" - {other}"])
    return f"POPULATE {target}.C{attribute} WITH {value}"
