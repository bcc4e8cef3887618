"""Where statements end that need no semicolon: where the next begins, or what holds them ends (T-SQL).

    INSERT INTO t SELECT a FROM s UPDATE t SET a = 1 IF @x = 1 PRINT 'no'
                  ^ held by INSERT                                          UPDATE and IF begin statements
                                           ^ held by UPDATE

Most words that begin statements stand within others as well. `grammar` says which a statement holds, how often (HELD,
ENOUGH), which it takes for parts of itself (PARTS), and behind which words none begins (CONTINUED, BEHIND).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from mdw.readers.sql.programs.grammar import BEHIND, CONTINUED, ENOUGH, HELD, PARTS, STARTS, words

EVENTS = STARTS | words("( ) ; CASE END ELSE : TO VALUES DEFAULT")


class StatementEnds:
    """The words of a text at which statements may end."""

    def __init__(self, tokens: Sequence[Any], spoken: Sequence[str]) -> None:
        # Behind the last word, and so before the first, there are some that are none.
        self.tokens, self.words = tokens, (*spoken, "", "", "", "")
        # Only at these words something can happen: a long statement is gone through from one to the next.
        self.events = [at for at, word in enumerate(spoken) if word in EVENTS]
        # Statements are asked for one after the other: where the one before began among them, and a last word's place.
        self._near, self._last, self._limit = 0, -1, 0

    def stop(self, first: int, last: int) -> int:
        """Where the statement that begins at a word ends, at most at another."""
        # ``head`` is the word that the statement begins with, ``seen`` what it has had of words that count once.
        spoken, events = self.words, self.events
        head = spoken[first]
        seen: set[str] = set()
        depth = cases = 0
        if last != self._last:
            self._last, self._limit = last, bisect_left(events, last)
        for number in range(self._behind(first - (head in ("(", "CASE"))), self._limit):
            at = events[number]
            word = spoken[at]
            if word == ";":
                return at
            if depth:
                depth += PARENTHESES.get(word, 0)
            elif word in STARTS and not cases:
                if self._begins(at, first, head, seen):
                    return at
                if (head == "WITH" and word in HELD["WITH"]) or (word == "WITH" and self._cte(at)):
                    # What stands behind the CTEs is the statement.
                    head, seen = word, set()
                seen.add(word)
            elif word == "(":
                depth = 1
            elif word == "CASE":
                cases += 1
            elif word == "END" and cases:
                cases -= 1
            elif cases:
                continue
            elif word in ("END", "ELSE"):
                return at
            elif word != ":":
                seen.add(word)
            elif self._labels(at):
                return at - 1
        return last

    def _behind(self, at: int) -> int:
        """The number of the first event behind a word."""
        events, near = self.events, self._near
        far = near + NEARBY
        if far >= len(events) or not events[near] <= at < events[far]:
            near, far = 0, len(events)
        self._near = found = bisect_right(events, at, near, far)
        return found

    def _begins(self, at: int, first: int, head: str, seen: set[str]) -> bool:
        """Whether a word that begins statements begins one here."""
        word, before = self.words[at], self.words[at - 1]
        if before in CONTINUED:
            return before == "ALL" and self.words[at - 2] == "TRIGGER"
        if word in BEHIND and before in BEHIND[word] and not (before == "ON" and head == "SET"):
            return False
        if word in DOUBTFUL and not self._is_one(word, at):
            return False
        if head in PARTS and word in PARTS[head]:
            after = self.words[at + 1]
            if word in ("ENABLE", "DISABLE") and not seen.isdisjoint(("ENABLE", "DISABLE")):
                return True
            if head != "ALTER":
                return "TO" in seen or "FROM" in self.words[first:at]
            return after != "(" and self.words[first + 1] != "DATABASE" if word == "SET" else after not in TOLD
        if head not in HELD or word not in HELD[head] or word in seen:
            return True
        return head in ENOUGH and not seen.isdisjoint(ENOUGH[head])

    def _is_one(self, word: str, at: int) -> bool:
        """Whether a word that is another one as well begins statements by what stands behind it."""
        after = self.words[at + 1]
        if word == "UPDATE":
            return after != "("
        if word == "IF":
            return not self._exists(at)
        if word == "WITH":
            return self._cte(at)
        if word == "MERGE":
            return after not in ("JOIN", "UNION")
        if word == "BULK":
            return after == "INSERT"
        if word == "THROW":
            return after.isdigit() or after in ("", ";", "@", "END")
        return after == "TRIGGER"

    def _cte(self, at: int) -> bool:
        """Whether WITH names queries: WITH a AS (, WITH a (b) AS (."""
        _, name, second, third = self.words[at : at + 4]
        return (third if second == "AS" else second) == "(" and name not in OPTIONS

    def _exists(self, at: int) -> bool:
        """Whether IF EXISTS, or IF NOT EXISTS, stands before the name of what is made or dropped."""
        behind = at + 2 if self.words[at + 1] == "NOT" else at + 1
        return self.words[behind] == "EXISTS" and self.words[behind + 1] != "("

    def _labels(self, at: int) -> bool:
        """Whether a colon stands behind a name that is the first of its line."""
        if at < 2 or self.words[at + 1] == ":":
            return False
        token, name = self.tokens[at], self.tokens[at - 1]
        return bool(name.end + 1 == token.start and name.line > self.tokens[at - 2].line)


PARENTHESES = {"(": 1, ")": -1}
NEARBY = 16
"""So many events on the next statement begins in most cases: looking for it among all of them takes longer."""
DOUBTFUL = words("UPDATE IF WITH MERGE ENABLE DISABLE BULK THROW")
"""Words that begin statements only before some others."""
TOLD = words("COLUMN CONSTRAINT PERIOD INDEX PRIMARY TRIGGER CHANGE_TRACKING PARTITION FILE MEMBER")
"""What ALTER alters, drops or enables of a table."""
OPTIONS = words("( SCHEMABINDING ENCRYPTION VIEW_METADATA EXECUTE RECOMPILE NATIVE_COMPILATION CHECK")
"""What stands behind a WITH that names no queries."""
