"""What is asked."""

from __future__ import annotations

from dataclasses import dataclass

from mdw.conditions.solver import RLIMIT
from mdw.model.expressions import Condition
from mdw.model.rules import Mode, Policy

NODES = 20_000
WITNESSES = 32


@dataclass(frozen=True, slots=True)
class Budget:
    """Effort an answer may take, counted, never timed: the same on every machine.

    ``nodes`` of the exact diagram (0: straight to the bounds), ``witnesses`` kept per attribute by the bounds,
    boxes and conditions the ``search`` for one left-over step carries across steps, ``rlimit`` of one Z3 check.
    """

    nodes: int = NODES
    witnesses: int = WITNESSES
    search: int = 4_000
    rlimit: int = RLIMIT


@dataclass(frozen=True, slots=True)
class Question:
    """An attribute, the initial condition on its row, and how to read the rules.

    ``other``, if any, is the only end that counts: the source a lineage is to start from, or the target an impact is to
    arrive at. Unless ``shown``, nobody reads the conditions of the ends: they are not written.
    """

    attribute: str
    condition: Condition | None = None
    when: str = ""
    mode: Mode = "active"
    policy: Policy | None = None
    budget: Budget = Budget()
    other: str = ""
    shown: bool = True
