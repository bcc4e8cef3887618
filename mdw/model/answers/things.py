"""What the warehouse knows of one thing: a hit of a search, an attribute or entity with its terms and neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from mdw.model.dictionary import EntityEntry

Thing = Literal["term", "attribute", "entity", "mapping"]
THINGS: tuple[Thing, ...] = ("term", "attribute", "entity", "mapping")
"""What can be looked for."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found: its kind and name, a few words about it, and of a term the attributes that represent it."""

    kind: Thing
    name: str
    about: str = ""
    attributes: tuple[str, ...] = ()
    # Only comparable within one search: it orders hits and says nothing by itself.
    score: float = 0.0

    def to_dict(self) -> dict[str, object]:
        """The hit as plain JSON-ready values."""
        found: dict[str, object] = {
            "kind": self.kind,
            "name": self.name,
            "about": self.about,
            "score": round(self.score, 3),
        }
        return found | ({"attributes": list(self.attributes)} if self.kind == "term" else {})


class Neighbour(NamedTuple):
    """A step from one attribute to the next: by which mapping, and how, as in `mdw.model.rules.Subtype`."""

    source: str
    target: str
    mapping: str
    how: str


@dataclass(frozen=True, slots=True)
class About:
    """What is known of an attribute or entity: business terms, attributes, mappings, and the steps at first hand.

    ``entry`` is what the data dictionary tells of the entity, or of that of the attribute.
    """

    name: str
    terms: tuple[tuple[str, str], ...] = ()
    attributes: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    steps: tuple[Neighbour, ...] = ()
    entry: EntityEntry | None = None
