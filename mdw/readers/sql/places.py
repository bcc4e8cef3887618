"""Where in its file what is read stands: an offset in a text becomes a line and a column."""

from __future__ import annotations

import re
from bisect import bisect_right

from mdw.model.tree import Location


class Places:
    """Offsets in a text -> file, line and column."""

    def __init__(self, text: str, file: str, line: int = 1, column: int = 1) -> None:
        self.file = file
        self._starts = [0]
        self._starts += [found.end() for found in re.finditer("\n", text)]
        self._line, self._column = line, column
        self._met: dict[int, Location] = {}

    def at(self, offset: int) -> Location:
        """The place of an offset.

        >>> Places("a\\nbc", "f.sql").at(3)
        Location(file='f.sql', line=2, column=2)
        """
        found = self._met.get(offset)
        if found is None:
            row = bisect_right(self._starts, offset) - 1
            column = offset - self._starts[row] + (self._column if row == 0 else 1)
            found = self._met[offset] = Location(self.file, row + self._line, column)
        return found
