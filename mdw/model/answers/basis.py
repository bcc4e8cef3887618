"""What an answer rests on: enough to check it again elsewhere, and to tell two answers of different rules apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

Decider = Literal["example", "diagram", "bounds", "Z3", "undecided"]
DECIDERS: tuple[Decider, ...] = get_args(Decider)


@dataclass(frozen=True, slots=True)
class Basis:
    """What was known and how it was used.

    ``version`` of mdw; the number of ``mappings`` that steps and constants of the answer name, and one ``digest``
    (SHA-256, hexadecimal) of what they say: of lines ``name digest``, by name, with the digests the store holds.
    ``budget`` is the effort allowed.

    ``decided`` counts the direct steps of the answer, kept and left out, by what settled them; passive answers have
    none:

    - "example": a row is known that takes the step;
    - "diagram": the exact conditions tell;
    - "bounds": the box around all that arrives shuts it out;
    - "Z3": it took Z3, since attributes are compared or counted with;
    - "undecided": nothing did, so it is kept.

    ``opaque`` names the functions whose results were compared without their meaning being known.
    """

    version: str = ""
    mappings: int = 0
    digest: str = ""
    policy: str = "default"
    budget: tuple[tuple[str, int], ...] = ()
    decided: tuple[tuple[Decider, int], ...] = ()
    opaque: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON-ready values."""
        return {
            "version": self.version,
            "mappings": self.mappings,
            "digest": self.digest,
            "policy": self.policy,
            "budget": dict(self.budget),
            "decided": dict(self.decided),
            "opaque": list(self.opaque),
            "assumptions": list(self.assumptions),
        }
