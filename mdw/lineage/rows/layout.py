"""Boxes: products of value sets packed into one integer each.

A box is kept as what it *excludes*: each variable owns a field of bits, one per region and a spare one on top, and a
set bit rules a region out. So 0 is "anything", meeting two boxes is ``|``, the smallest box around two is ``&``, and
a box is empty when adding one to every field carries into a spare bit.

>>> diagram = Diagram(100)
>>> region, kind = diagram.variable("REGION", 0b111), diagram.variable("TYPE", 0b11)
>>> layout = Layout(diagram)
>>> eu, type_1 = layout.allow(region, 0b010), layout.allow(kind, 0b01)
>>> bin(eu), bin(type_1), bin(eu | type_1)
('0b101', '0b100000', '0b100101')
>>> layout.empty(eu | type_1), layout.empty(eu | layout.allow(region, 0b100))
(False, True)

Here REGION owns bits 0 to 2 with bit 3 to spare, TYPE bits 4 and 5 with bit 6 to spare. Every operation is a few
instructions on one long integer, however many variables there are: this is what makes thousands of witnesses cheap.
"""

from __future__ import annotations

from collections.abc import Iterator

from mdw.conditions.diagram import Diagram


class Layout:
    """Where each variable's field lies."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._shift: dict[int, int] = {}
        self._fields: dict[int, int] = {}
        self._owners: list[int] = []
        self.ones = 0
        self.spare = 0

    def shift(self, variable: int) -> int:
        """The lowest bit of the variable's field, laid out at first use."""
        found = self._shift.get(variable)
        if found is None:
            found = self._shift[variable] = len(self._owners)
            size = self._diagram.domains[variable].bit_length()
            self.ones |= 1 << found
            self.spare |= 1 << found + size
            self._fields[variable] = self._diagram.domains[variable] << found
            self._owners += [variable] * (size + 1)
        return found

    def field(self, variable: int) -> int:
        """All region bits of the variable."""
        self.shift(variable)
        return self._fields[variable]

    def variables(self) -> list[int]:
        """The variables laid out so far."""
        return list(self._shift)

    def allow(self, variable: int, mask: int) -> int:
        """The box in which the variable lies in the value set."""
        return (self._diagram.domains[variable] & ~mask) << self.shift(variable)

    def mask(self, box: int, variable: int) -> int:
        """The value set a box leaves to the variable."""
        domain = self._diagram.domains[variable]
        return domain & ~(box >> self.shift(variable))

    def empty(self, box: int) -> bool:
        """Whether the box excludes every value of some variable."""
        return bool(box + self.ones & self.spare)

    def restricted(self, box: int) -> Iterator[tuple[int, int]]:
        """The variables a box restricts, each with the value set left."""
        for variable, _ in self.fields(box):
            yield variable, self.mask(box, variable)

    def fields(self, box: int) -> Iterator[tuple[int, int]]:
        """The variables a box restricts, each with all its region bits."""
        while box:
            # The lowest bit left: only fields that restrict something are met, however many there are.
            variable = self._owners[(box & -box).bit_length() - 1]
            bits = self._fields[variable]
            yield variable, bits
            box &= ~bits
