"""Inner entities whose rows a query tells, as conditions quote it, and those of which it tells too many.

    WITH q AS (SELECT k FROM p LIMIT 1) SELECT s.x FROM s JOIN q ON q.k = s.k

Of S it is quoted that EXISTS (SELECT 1 FROM p WHERE p.k = s.k): true of every row that arrives, and of more. So NOT
EXISTS of it would be too much to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mdw.model.expressions import And, Call, Condition, Window
from mdw.model.functions import changing
from mdw.model.rules import Head, Join
from mdw.model.walks import walk


class Quoting:
    """Which of the entities that some mappings make are told by their queries."""

    def __init__(self, heads: Iterable[Head]) -> None:
        self._into: dict[str, list[Head]] = {}
        for head in heads:
            if head.inner:
                self._into.setdefault(head.target, []).append(head)
        self._told: dict[str, bool] = {}

    def tells(self, entity: str) -> bool:
        """Whether the query of an entity gives just the rows that there are; any other entity is a table or a view."""
        found = self._told.get(entity)
        if found is None:
            # Round a circle nothing else is found than on the way there.
            self._told[entity] = True
            found = self._told[entity] = all(map(self._tells, self._into.get(entity, ())))
        return found

    def _tells(self, head: Head) -> bool:
        items = [one for one in (head.filter, head.having, *(join.rest for join in head.joins)) if one is not None]
        # Of what is changed there is what it was as well, of what a window chooses all that it chooses from.
        if head.picks or head.sets or head.update or any(map(changing, items)):
            return False
        if head.having is not None and any(isinstance(one, Window) for one in walk(head.having)):
            return False
        return all(map(self.tells, (head.driving, *(join.entity for join in head.joins))))

    def weakened(self, head: Head) -> Head:
        """The same without what such a query could not say but falsely: it gives the rows that there are, and more."""
        unsure = [join for join in head.joins if join.kind in ("anti", "mark") and not self.tells(join.entity)]
        kept = [part for part in _parts(head.filter) if not changing(part) and not _asks(part, unsure)]
        joins = tuple([join for join in head.joins if join.kind != "anti" or join not in unsure])
        filtering = None if not kept else kept[0] if len(kept) == 1 else And(tuple(kept))
        return replace(head, joins=joins, filter=filtering)


def _parts(condition: Condition | None) -> Iterator[Condition]:
    if isinstance(condition, And):
        for part in condition.parts:
            yield from _parts(part)
    elif condition is not None:
        yield condition


def _asks(condition: Condition, joins: Iterable[Join]) -> bool:
    marks = {f"EXISTS {join.row}" for join in joins}
    return any(isinstance(one, Call) and one.function in marks for one in walk(condition))
