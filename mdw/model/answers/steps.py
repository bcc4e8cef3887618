"""What an answer names: steps, the constants mappings write, what they generate, attributes that decide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from mdw.model.rules import Kind, Subtype
from mdw.model.tree import Location


@dataclass(frozen=True, slots=True)
class Step:
    """One source attribute used by one mapping for one target attribute; ``condition`` is the rule as written."""

    mapping: str
    source: str
    target: str
    kind: Kind
    subtype: Subtype
    condition: str
    location: Location

    def to_dict(self) -> dict[str, Any]:
        return {
            "mapping": self.mapping,
            "source": self.source,
            "target": self.target,
            "kind": self.kind,
            "subtype": self.subtype,
            "condition": self.condition,
            "location": str(self.location),
        }


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that a mapping writes itself; ``undecided``: no proof settles whether it arrives."""

    mapping: str
    target: str
    value: str
    location: Location
    undecided: bool = field(default=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {
            "mapping": self.mapping,
            "target": self.target,
            "value": self.value,
            "location": str(self.location),
            "undecided": self.undecided,
        }


@dataclass(frozen=True, slots=True)
class Generated:
    """A value made where a mapping writes it, of no attribute's: a count, a rank, the time; ``text`` is how.

    ``undecided``: no proof settles whether it arrives.
    """

    mapping: str
    target: str
    text: str
    location: Location
    undecided: bool = field(default=False, compare=False)

    @property
    def value(self) -> str:
        """What stands for the value: how it is made."""
        return self.text

    def to_dict(self) -> dict[str, Any]:
        return {
            "mapping": self.mapping,
            "target": self.target,
            "text": self.text,
            "location": str(self.location),
            "undecided": self.undecided,
        }


@dataclass(frozen=True, slots=True)
class Indirect:
    """An attribute that decides whether or which value arrives, but never is that value."""

    attribute: str
    subtype: Subtype

    def to_dict(self) -> dict[str, Any]:
        return {"attribute": self.attribute, "subtype": self.subtype}


def deciders(steps: Iterable[Step]) -> tuple[Indirect, ...]:
    """The attributes that decide, by the steps of an answer."""
    found = {(step.source, step.subtype) for step in steps if step.kind == "indirect"}
    return tuple(Indirect(name, subtype) for name, subtype in sorted(found))
