"""Changes that run again: they take rows that were written behind them, too.

    LOOP
      DELETE FROM t WHERE ...      in the second round it finds what the first has written
      INSERT INTO t SELECT ...
    END LOOP

By their lines the DELETE comes first. So of the rows that are written behind it only some stay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from mdw.readers.nodes import parameter
from mdw.readers.sql.building import Building
from mdw.readers.sql.variables import THIS_WAY

Moment = tuple[int, int]
"""How many changes have run, and how many blocks have written rows."""


class Undoing:
    """The changes of a script and the blocks that write rows, in the order in which they run."""

    def __init__(self) -> None:
        self._changes: list[tuple[str, int]] = []
        self._written: defaultdict[str, list[tuple[int, int, Building]]] = defaultdict(list)
        self._last: dict[str, int] = {}
        self._count = 0

    def moment(self) -> Moment:
        """Now, to come back to."""
        return len(self._changes), self._count

    def ran(self, place: int, blocks: Iterable[Building]) -> None:
        """Blocks have run that stand at a place; what runs before another that stands before it has run again."""
        for block in blocks:
            if block.change == "POPULATING":
                self._count += 1
                self._written[block.target].append((self._count, place, block))
                self._last[block.target] = max(place, self._last.get(block.target, place))
            else:
                self._changes.append((block.target, place))
                if self._last.get(block.target, -1) > place:
                    self._unsure(block.target, place, 0)

    def again(self, since: Moment) -> None:
        """All that has run since then runs again."""
        changes, count = since
        first: dict[str, int] = {}
        for entity, place in self._changes[changes:]:
            first[entity] = min(place, first.get(entity, place))
        for entity, place in first.items():
            self._unsure(entity, place, count)

    def _unsure(self, entity: str, place: int, count: int) -> None:
        """Of rows that were written behind a place only some may be there."""
        for number, other, block in reversed(self._written[entity]):
            if number <= count:
                return
            if other > place:
                block.limits.append(parameter(THIS_WAY, block.location))
