"""Whether all that the body of a trigger says can be read: what cannot may do anything with rows written (rule Q32)."""

from __future__ import annotations

from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.housekeeping import keeps_house
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.programs.asked import as_query
from mdw.readers.sql.programs.program import Routine
from mdw.readers.sql.programs.states import given, runs


def legible(body: Routine, flavour: Flavour) -> bool:
    """Whether each statement and each value of a body can be parsed; one that nobody has cannot."""
    if body.body is None:
        return False
    try:
        for piece in (*runs(body.body), *map(as_query, given(body.body))):
            if not keeps_house(piece, flavour.name):
                parsed(piece, flavour)
    except UnparsedError:
        return False
    return True
