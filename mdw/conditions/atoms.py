"""Atoms: variables of a diagram for what value sets cannot express, and the values they may have."""

from __future__ import annotations

from dataclasses import dataclass

from mdw.model.expressions import Condition

UNKNOWN, YES, NO = 1, 2, 4
LESS, EQUAL, MORE = 2, 4, 8
ORDERS = {"<": LESS, "<=": LESS | EQUAL, "=": EQUAL, "!=": LESS | MORE, ">=": EQUAL | MORE, ">": MORE}
OPERATORS = {orders: op for op, orders in ORDERS.items()}


@dataclass(frozen=True, slots=True)
class Atom:
    """A variable for what value sets cannot express (see `mdw.conditions.solver`).

    A comparison stands for how its two sides compare (less, equal, more, unknown), any other condition for its truth.
    """

    condition: Condition
