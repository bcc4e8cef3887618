"""The ways a row of a mapping comes about: which joins find a row, and which rows are missing.

>>> from mdw.model.rules import Head, Join
>>> p = Join("P", "left", (("S.K", "P.K"),), 1)
>>> for way in ways(Head("m", target="T", driving="S", joins=(p,)), "S", frozenset("P")):
...     print(sorted(way.met), sorted(way.unmet))
['P'] []
[] ['P']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from mdw.model.name import row_of
from mdw.model.rules import Head, Join
from mdw.model.walks import attributes_of

MOST = 64
"""Ways told apart, those of six left joins; beyond, the rows beside the source's are taken to be any."""
BINDING = ("inner", "right", "semi", "anti")
"""Joins that rows do not pass without a word, whether anything speaks of the row joined or not."""
NONE: frozenset[str] = frozenset()


class Way(NamedTuple):
    """Rows by name: those joins have found (``met``), those looked for in vain (``unmet``).

    ``alone``: a row of a right or full join that no other finds; the rows before it are ``gone``. ``any``: nothing of
    this is known.
    """

    met: frozenset[str] = NONE
    unmet: frozenset[str] = NONE
    alone: frozenset[str] = NONE
    gone: frozenset[str] = NONE
    any: bool = False


NO_JOINS = Way()


def ways(head: Head, source: str, mentioned: frozenset[str]) -> list[Way]:
    """Every combination of joined rows found and missing that matters to a row seen from ``source``.

    A left join nobody mentions changes nothing; the source itself is there, and so is what it is reached through.
    """
    found = [NO_JOINS]
    before = [head.row]
    for join in _relevant(head, source, mentioned):
        found = list(dict.fromkeys(after for way in found for after in _after(way, join, before, source)))
        if len(found) > MOST:
            every = frozenset(join.row for join in head.joins if join.kind not in ("anti", "mark"))
            return [Way(met=every, any=True)]
        if join.kind not in ("semi", "anti"):
            before.append(join.row)
    return found


def _relevant(head: Head, source: str, mentioned: Collection[str]) -> list[Join]:
    needed = {*mentioned, source}
    for number, join in enumerate(head.joins):
        # A row that a full join adds comes without all that was joined before, and without what that asked.
        if join.kind == "full" and source not in {head.row, *(one.row for one in head.joins[:number])}:
            needed.add(join.row)
    # Backwards, so that a join needed by a later one is found to be needed before its own turn comes.
    for join in reversed(head.joins):
        if join.row in needed or _binds(join):
            needed |= looked_for(join)
    return [join for join in head.joins if join.kind != "mark" and (join.row in needed or _binds(join))]


def _binds(join: Join) -> bool:
    return join.kind in BINDING or (join.kind == "cross" and join.rest is not None)


def looked_for(join: Join) -> set[str]:
    """The rows beside its own that a join's condition speaks of."""
    rest = attributes_of(join.rest) if join.rest is not None else ()
    return {row_of(left) for left, _ in join.on} | {row_of(name) for name in rest} - {join.row}


def _after(way: Way, join: Join, before: Sequence[str], source: str) -> Iterator[Way]:
    """The ways on from one way, by a join."""
    missing = way.unmet | way.gone
    # A key of a row that is missing is NULL, and finds nothing.
    if join.kind != "anti" and not _any(missing, (left for left, right in join.on if row_of(left) != row_of(right))):
        yield way._replace(met=way.met | {join.row})
    # The row it is seen from is there: a way without it would be no way to this row.
    if join.kind in ("left", "full", "anti") and join.row != source:
        yield way._replace(unmet=way.unmet | {join.row})
    # A row that none before it finds: of all before it nothing is there, whatever joins have found.
    if join.kind in ("right", "full") and source not in before:
        yield Way(alone=frozenset((join.row,)), gone=frozenset(before))


def _any(missing: Collection[str], names: Iterable[str]) -> bool:
    return any(row_of(name) in missing for name in names)
