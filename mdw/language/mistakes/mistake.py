"""One common mistake: how it is recognised and what to say about it.

The place is where the parser stopped, which is often behind the mistake. Of `IF S.B = 12/31/2013` it reads `12`, as a
number, and stops at the slash. The row for dates has ``before=r"(?P<here>\\d[\\d.]*)"`` and ``at=r"[/-]\\d+..."``: both
sides of the place must match, and the caret moves back to the group ``here``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

# Texts for the examples: a mapping as far as its ends, a POPULATE, a WITH, an IF, a filter, a USING.
M = "WHEN POPULATING T FROM S "
P = f"{M}POPULATE T.A "
W = f"{P}WITH "
C = f"{W}S.A IF "
F = f"{W}S.A SELECT ROWS WHERE "
J = f"{W}S.A NAVIGATE FROM S TO R USING "

# Patterns: a name, a constant, the next clause, what stands before a value, aggregations, parts of a name, no clause.
NAME = r"(?:(?:ENTITY|ATTRIBUTE)\s*:\s*)?(?:\w+|`[^`]*`)(?:\.(?:\w+|`[^`]*`))*"
CONST = r"""(?:"[^"]*"|'[^']*'|-?[\d.-]+)"""
CLAUSE = (
    r"(?:JOIN|(?:INNER|LEFT|RIGHT|FULL|CROSS|SEMI|ANTI|MARK)\s+JOIN|GROUP|HAVING|QUALIFY|DISTINCT|ORDER|LIMIT|OTHERS)\b"
)
END = rf"(?:(?:WITH|IF|POPULATE|SELECT|NAVIGATE)\b|{CLAUSE}|\Z)"
COMPARED = r"(?:[<>=]|(?<![\w.])(?:BETWEEN|LIKE))"
SUMS = r"(?:SUM|AVG|MIN|MAX|COUNT)"
DOTS = r"(?:\w+\.|\.)*"
INSIDE = rf"(?:(?!\b(?:WITH|POPULATE|SELECT|NAVIGATE)\b|\b{CLAUSE}).)*"


@dataclass(frozen=True)
class Mistake:
    """A common mistake: what to say, what to do about it, how it is recognised, texts that make it.

    ``at`` must match the text from the place on, ``before`` the text up to it. ``needs`` names terminals one of which
    the parser would have accepted there. ``{at}`` in the message is what ``at`` matched, or its last group.
    """

    message: str
    hint: str = ""
    at: str = ""
    before: str = ""
    needs: str = ""
    examples: tuple[str, ...] = ()

    # Compiled when first needed: most runs meet no mistake at all.
    @cached_property
    def _at(self) -> re.Pattern[str]:
        return re.compile(self.at, re.IGNORECASE | re.DOTALL)

    @cached_property
    def _before(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self.before})\s*\Z", re.IGNORECASE | re.DOTALL)

    def found(self, before: str, after: str, accepts: frozenset[str]) -> tuple[str, int] | None:
        """What stands at the place if this mistake was made, and how far before it the mistake is."""
        if self.needs and accepts.isdisjoint(self.needs.split()):
            return None
        at = self._at.match(after)
        lead = self._before.search(before) if at else None
        if not at or not lead:
            return None
        back = len(before) - lead.start("here") if "here" in lead.re.groupindex else 0
        return at[at.lastindex or 0], back
