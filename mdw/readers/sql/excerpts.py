"""A place in a statement -> the words around it that belong together: a column's expression, a WHERE, a join.

Rules know where they begin. Where they end, and which keyword they stand behind, the statement's own words tell:

    SELECT a, COALESCE(b, 0) AS c FROM t JOIN u ON t.k = u.k WHERE a > 1
              ^ a value: COALESCE(b, 0) AS c            ^ rows: JOIN u ON t.k = u.k
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.errors import TokenError

from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.pieces import word_of
from mdw.readers.sql.templates import without_templates

VALUES = frozenset(("SELECT", "DISTINCT", "ALL", "SET", "RETURNING", "VALUES", ","))
"""What a column's expression stands behind."""
ROWS = frozenset(("WHERE", "ON", "HAVING", "QUALIFY", "USING", "WHEN"))
"""What a condition on rows stands behind."""
SIDES = frozenset(("LEFT", "RIGHT", "INNER", "FULL", "CROSS", "NATURAL", "OUTER", "SEMI", "ANTI", "ASOF", "LATERAL"))
ENDS = ROWS | frozenset((
    "FROM", "GROUP", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "WINDOW", "JOIN", "SELECT", "SET", "RETURNING",
    "THEN", ";",
))  # fmt: skip
"""Where an expression or a condition is at its end, at the latest."""
BEGINS = frozenset(("FROM", "SELECT", "WHERE", "USING", ";"))

Span = tuple[int, int]
"""Offsets in the statement: of the first character, and behind the last."""


class Excerpts:
    """The words of a statement, read once."""

    def __init__(self, text: str, dialect: str) -> None:
        try:
            self._tokens: Sequence[Any] = flavour_of(dialect).parser.tokenize(without_templates(text)[0])
        except TokenError:
            self._tokens = ()
        # GROUP BY is one word to the tokenizer.
        self._words = [word_of(token).partition(" ")[0] for token in self._tokens]

    def value(self, offset: int) -> Span | None:
        """The expression of a column, with its name, that has a word there; None if no word stands there.

        >>> text = "SELECT a, COALESCE(b, 0) AS c FROM t"
        >>> first, last = Excerpts(text, "ansi").value(10)
        >>> text[first:last]
        'COALESCE(b, 0) AS c'
        """
        at = self._at(offset)
        if at is None:
            return None
        before = self._before(at, VALUES)
        first = at if before is None else before + 1
        return self._span(first, self._end(first, at, ends=ENDS | {",", "INTO"}))

    def join(self, offset: int) -> Span | None:
        """The join of the table that has a word there; None if the table is not joined by that word.

        >>> text = "SELECT a FROM t LEFT JOIN u USING (k), v"
        >>> first, last = Excerpts(text, "ansi").join(26)
        >>> text[first:last]
        'LEFT JOIN u USING (k)'
        """
        at = self._at(offset)
        if at is None:
            return None
        first = self._joined(at)
        return None if first == at else self._span(first, self._end(at, at, ends=(ENDS - {"ON", "USING"}) | {","}))

    def rows(self, offset: int) -> Span | None:
        """The clause whose condition has a word there, with its keyword; None if there is none.

        >>> text = "SELECT a FROM t WHERE (a > 1) ORDER BY a"
        >>> first, last = Excerpts(text, "ansi").rows(23)
        >>> text[first:last]
        'WHERE (a > 1)'
        """
        at = self._at(offset)
        before = None if at is None else self._before(at, ROWS)
        if at is None or before is None:
            return None
        return self._span(before, self._end(before + 1, at, ends=ENDS))

    def _at(self, offset: int) -> int | None:
        return next((at for at, token in enumerate(self._tokens) if token.start <= offset <= token.end), None)

    def _before(self, at: int, wanted: frozenset[str]) -> int | None:
        """The last word before, in the same parentheses or around them, that is one of these."""
        depth = cases = 0
        for back in range(at - 1, -1, -1):
            word = self._words[back]
            if word == ")":
                depth += 1
            elif word == "(":
                # A row of values is no function of them.
                if depth == 0 and back and self._words[back - 1] == "VALUES" and "VALUES" in wanted:
                    return back
                depth = max(depth - 1, 0)
            elif depth == 0:
                cases += (word == "END") - (word == "CASE" and cases > 0)
                # WHEN of a CASE is none of MERGE.
                if word in wanted and not cases and not (word == "WHEN" and not self._merging(back)):
                    return back
        return None

    def _merging(self, at: int) -> bool:
        return self._words[at + 1 : at + 2] in (["MATCHED"], ["NOT"])

    def _joined(self, at: int) -> int:
        """Where the join begins that has its table there; the table itself if there is none."""
        depth = 0
        for back in range(at - 1, -1, -1):
            word = self._words[back]
            depth += (word == ")") - (word == "(")
            if depth < 0 or (depth == 0 and word in BEGINS):
                return at
            if depth == 0 and word == "JOIN":
                return next((side + 1 for side in range(back - 1, -1, -1) if self._words[side] not in SIDES), back)
        return at

    def _end(self, first: int, at: int, ends: frozenset[str]) -> int:
        """The last word of what begins with the word ``first`` and has the word ``at`` in it."""
        # From ``first`` on, for parentheses that open before ``at`` close behind it; nothing ends before ``at``.
        depth = cases = 0
        for on in range(first, len(self._words)):
            word = self._words[on]
            depth += (word == "(") - (word == ")")
            if depth < 0:
                return on - 1
            cases += (word == "CASE") - (word == "END" and cases > 0)
            # LEFT (x, 2) is a function.
            side = word in SIDES and self._words[on + 1 : on + 2] != ["("]
            if on > at and depth == 0 and not cases and (word in ends or side):
                return on - 1
        return len(self._words) - 1

    def _span(self, first: int, last: int) -> Span | None:
        return (self._tokens[first].start, self._tokens[last].end + 1) if first <= last else None
