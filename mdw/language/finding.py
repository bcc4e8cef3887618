"""What is wrong with a mapping that parses."""

from __future__ import annotations

from dataclasses import dataclass

from mdw.model.tree import Location, Node


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, where, and what to do about it."""

    message: str
    location: Location
    hint: str = ""


def at(node: Node, message: str, hint: str = "") -> Finding:
    """A finding where a node stands."""
    return Finding(message, node.location or Location("", 1, 1), hint)
