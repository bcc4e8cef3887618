"""Where statements end that need no semicolon: where the next begins, or what holds them ends (T-SQL).

    INSERT INTO t SELECT a FROM s UPDATE t SET a = 1 IF @x = 1 PRINT 'no'
                  ^ held by INSERT                                          UPDATE and IF begin statements
                                           ^ held by UPDATE

Most words that begin statements stand within others as well. `grammar` says which a statement holds, how often (HELD,
ENOUGH), which it takes for parts of itself (PARTS), and behind which words none begins (CONTINUED, BEHIND).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from mdw.readers.sql.programs.grammar import BEHIND, CONTINUED, ENOUGH, HELD, PARTS, STARTS, words

EVENTS = STARTS | words("( ) ; CASE END ELSE : TO VALUES DEFAULT")


class StatementEnds:
    """The words of a text at which statements may end."""

    def __init__(self, tokens: Sequence[Any], spoken: Sequence[str]) -> None:
        self.tokens, self.words = tokens, spoken
        # Only at these words something can happen: a long statement is gone through from one to the next.
        self.events = [at for at, word in enumerate(self.words) if word in EVENTS]

    def stop(self, first: int, last: int) -> int:
        """Where the statement that begins at a word ends, at most at another."""
        # ``head`` is the word that the statement begins with, ``seen`` what it has had of words that count once.
        head, seen = self._word(first), set[str]()
        depth = cases = 0
        spoken = self.words
        begin = bisect_right(self.events, first - (head in ("(", "CASE")))
        for number in range(begin, len(self.events)):
            at = self.events[number]
            if at >= last:
                return last
            word = spoken[at]
            if word == "(":
                depth += 1
            elif word == ")":
                depth -= depth > 0
            elif word == ";":
                return at
            elif depth:
                continue
            elif word == "CASE":
                cases += 1
            elif word == "END" and cases:
                cases -= 1
            elif cases:
                continue
            elif word in ("END", "ELSE"):
                return at
            elif word == ":":
                if self._labels(at):
                    return at - 1
            elif word not in STARTS:
                seen.add(word)
            elif self._begins(at, first, head, seen):
                return at
            else:
                if (head == "WITH" and word in HELD["WITH"]) or (word == "WITH" and self._cte(at)):
                    # What stands behind the CTEs is the statement.
                    head, seen = word, set()
                seen.add(word)
        return last

    def _word(self, at: int) -> str:
        return self.words[at] if at < len(self.words) else ""

    def _begins(self, at: int, first: int, head: str, seen: set[str]) -> bool:
        """Whether a word that begins statements begins one here."""
        word, before, after = self.words[at], self._word(at - 1), self._word(at + 1)
        if before == "ALL" and self._word(at - 2) == "TRIGGER":
            return True
        if before in CONTINUED or (before in BEHIND.get(word, ()) and not (before == "ON" and head == "SET")):
            return False
        if word == "UPDATE" and after == "(":
            return False
        if word == "IF" and self._exists(at):
            return False
        if word == "WITH" and not self._cte(at):
            return False
        if word == "MERGE" and after in ("JOIN", "UNION"):
            return False
        if word in ("ENABLE", "DISABLE") and after != "TRIGGER":
            return False
        if word == "BULK" and after != "INSERT":
            return False
        if word == "THROW" and not (after.isdigit() or after in ("", ";", "@", "END")):
            return False
        if word in PARTS.get(head, ()):
            if word in ("ENABLE", "DISABLE") and not seen.isdisjoint(("ENABLE", "DISABLE")):
                return True
            if head != "ALTER":
                return "TO" in seen or "FROM" in self.words[first:at]
            return after != "(" and self._word(first + 1) != "DATABASE" if word == "SET" else after not in TOLD
        return not (word in HELD.get(head, ()) and word not in seen and not ENOUGH.get(head, frozenset()) & seen)

    def _cte(self, at: int) -> bool:
        """Whether WITH names queries: WITH a AS (, WITH a (b) AS (."""
        behind = self._word(at + 3) if self._word(at + 2) == "AS" else self._word(at + 2)
        return behind == "(" and self._word(at + 1) not in OPTIONS

    def _exists(self, at: int) -> bool:
        """Whether IF EXISTS, or IF NOT EXISTS, stands before the name of what is made or dropped."""
        behind = at + 2 if self._word(at + 1) == "NOT" else at + 1
        return self._word(behind) == "EXISTS" and self._word(behind + 1) != "("

    def _labels(self, at: int) -> bool:
        """Whether a colon stands behind a name that is the first of its line."""
        if at < 2 or self._word(at + 1) == ":":
            return False
        token, name = self.tokens[at], self.tokens[at - 1]
        return bool(name.end + 1 == token.start and name.line > self.tokens[at - 2].line)


TOLD = words("COLUMN CONSTRAINT PERIOD INDEX PRIMARY TRIGGER CHANGE_TRACKING PARTITION FILE MEMBER")
"""What ALTER alters, drops or enables of a table."""
OPTIONS = words("( SCHEMABINDING ENCRYPTION VIEW_METADATA EXECUTE RECOMPILE NATIVE_COMPILATION CHECK")
"""What stands behind a WITH that names no queries."""
