"""A statement of T-SQL as a regular expression, over texts in which each word is a letter.

    INSERT INTO t SELECT a FROM s UPDATE t SET a = 1
    I o o S o F o | U o E o = o       the expression goes over SELECT, which INSERT holds, and stops before UPDATE

Words that `grammar` has in no table are the letter 0: nothing begins, ends or is held at them. What is in parentheses,
and in CASE, is gone over as a whole. Expressions are tried from left to right and never go back (?>, ++, *+), so that
the time grows as the text does. A group is held by ?>, for Python before 3.11.5 goes on wrongly behind a group that is
possessive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, groupby

from mdw.readers.sql.programs.grammar import BEHIND, CONTINUED, ENOUGH, HELD, STARTS, words

EVENTS = STARTS | words("( ) ; CASE END ELSE : TO VALUES DEFAULT")
"""Only at these words something can happen."""
TOLD = words("COLUMN CONSTRAINT PERIOD INDEX PRIMARY TRIGGER CHANGE_TRACKING FILE MEMBER")
"""What ALTER alters, drops or enables of a table."""
OPTIONS = words("( SCHEMABINDING ENCRYPTION VIEW_METADATA EXECUTE RECOMPILE NATIVE_COMPILATION CHECK")
"""What stands behind a WITH that names no queries."""
NAMED = words("AS EXISTS FROM JOIN @ DATABASE RANGE SIGNATURE COUNTER IF")
VOCABULARY = EVENTS.union(TOLD, OPTIONS, NAMED, CONTINUED, *BEHIND.values())
# Side by side are the letters of words that stand in the same tables: a few stretches are soon read.
ORDER = sorted(VOCABULARY, key=lambda word: (word not in STARTS, word not in EVENTS, word not in CONTINUED, word))
LETTERS = {word: letter for letter, word in enumerate(ORDER, start=1)}
LABEL = len(LETTERS) + 1
"""The letter of a label: a statement ends before it."""
DEPTH = 4
"""Parentheses within parentheses, and CASE within CASE, that the expression follows."""


@cache
def statement() -> re.Pattern[bytes]:
    """What goes from the first word of a statement to its end.

    >>> said = "SELECT a FROM s UPDATE t SET a".split()
    >>> statement().match(bytes(LETTERS.get(word, 0) for word in said)).end()
    4
    """
    begins = _begins(BEHIND)
    # SET NOCOUNT ON is all of a statement, ON UPDATE is a part of one.
    setting = f"{_one(['SET'])}{_over(_begins({word: before - {'ON'} for word, before in BEHIND.items()}))}"
    held, enough = _one(HELD["WITH"]), _one(ENOUGH["INSERT"])
    insert = _over(f"{enough}|{begins}|{NAMING}")
    update = f"{_over(f'{_one(HELD[UPDATE])}|{begins}|{NAMING}')}{_one(HELD[UPDATE])}?"
    # Behind the queries that WITH names stands the statement.
    named = f"{_over(f'{held}|{begins}')}(?:{_one(['INSERT'])}{insert}{enough}?|{_one([UPDATE])}{update}|{held})?"
    heads = {
        ("INSERT",): f"{insert}(?:{enough}|{NAMING}{named})?",
        (UPDATE,): update,
        ("WITH",): named,
        ("ALTER",): _altered(begins),
        ("GRANT", "REVOKE", "DENY"): _granted(),
    }
    first = [_one([*chain.from_iterable(heads), "SET", ";", "(", "CASE"], LABEL), WHOLE]
    first += [f"{_one(some)}{behind}" for some, behind in heads.items()]
    rest = _over(f"{begins}|{NAMING}")
    # CREATE VIEW v AS WITH ...
    later = f"(?:(?={_one(['WITH'])})(?!{begins}){NAMING}{named}{rest})*"
    return re.compile(f"(?s:(?>{setting}|(?:{'|'.join(first)}){rest}{later}))".encode("ascii"))


def _begins(behind: Mapping[str, frozenset[str]]) -> str:
    """A word that begins a statement, unless it is a part of one that another began; behind some words none does."""
    alike: dict[tuple[str, str], list[str]] = {}
    for word in sorted(STARTS, key=lambda word: (word in behind, word in DOUBTFUL, word)):
        before = _one(CONTINUED | behind.get(word, frozenset()))
        alike.setdefault((before, DOUBTFUL.get(word, "" if word in ("EXEC", "EXECUTE") else NO_NAME)), []).append(word)
    # What stands before is looked at last: that a word is none of these is seen sooner.
    parts = [f"{_one(some)}{after}(?<!{before}.)" for (before, after), some in alike.items()]
    # DISABLE TRIGGER ALL ..., NOCHECK CONSTRAINT ALL: no UNION ALL, behind which a query goes on.
    created = f"{_one(STARTS)}(?<={_one(['TRIGGER', 'CONSTRAINT'])}{_one(['ALL'])}.)"
    return f"(?:{'|'.join([*parts, created])})"


def _altered(begins: str) -> str:
    """What ALTER alters: parts of it begin with ALTER, DROP, SET, ENABLE and DISABLE."""
    told, switch, changed = f"(?={_one(TOLD)})", _one(SWITCHES), _one(["SET"])
    # ALTER INDEX i ON t and DROP INDEX i ON t are statements; parts of ALTER TABLE have no ON there.
    index = f"{_one(['INDEX'])}(?:{_one(['IF'])}{_one(['EXISTS'])})?.{_one(['ON', '.'])}"
    parts = f"{_one(['ALTER', 'DROP'])}{told}(?!{index})"

    def altered(parts: str) -> str:
        stops = f"{NAMING}|(?!{parts}){begins}"
        return f"{_over(f'{switch}|{stops}')}(?:{switch}{_over(stops)})?"

    # ALTER DATABASE d SET READ_ONLY, ALTER TABLE t SET (LOCK_ESCALATION = AUTO)
    return f"(?:(?={_one(['DATABASE'])}){altered(f'{parts}|{changed}')}|{altered(f'{parts}|{changed}(?={OPENED})')})"


def _granted() -> str:
    """What is granted: a list of words that begin statements elsewhere, up to TO, or FROM, wherever that stands."""
    ends = words("TO FROM")
    whole = f"{_nested('(', ')', ends - {'TO'})}|{_nested('CASE', 'END', ends - {'TO'})}"
    return f"{_over(f'{_one(ends)}|{NAMING}', whole, ends)}(?:{_one(ends)}|{WHOLE})?"


def _over(stops: str, whole: str = "", known: Iterable[str] = ()) -> str:
    """Goes over words up to one that it stops at, or that ends any statement."""
    plain, passed = _one(EVENTS.union(known), LABEL) + MANY, _one(STARTS | PASSED)
    return f"(?>{plain}(?:(?:(?!{stops}){passed}|{whole or WHOLE}){plain})*)"


def _nested(opens: str, closes: str, without: Iterable[str] = ()) -> str:
    """What opens and closes, and what is in it; a semicolon ends a statement there as well."""
    inner = _one({opens, closes, ";", *without}, 0)
    found = f"{_one([opens])}{inner + MANY}{_one([closes])}"
    for _ in range(DEPTH - 1):
        found = f"{_one([opens])}(?>(?:{inner + SOME}|{found})*){_one([closes])}"
    return found


def _one(some: Iterable[str], but: int | None = None) -> str:
    """One of some words; or, told of a letter that it is not either (0 for none), one that is none of them."""
    letters = {*(LETTERS[word] for word in some), *([but] if but else [])}
    # Said by what it is: Python takes three times as long for a set of what it is not.
    told = sorted(letters if but is None else set(range(256)) - letters)
    # Numbers that follow each other differ from their places by the same.
    runs = [[letter for _, letter in run] for _, run in groupby(enumerate(told), lambda one: one[1] - one[0])]
    stretches = ("-".join(f"{BACKSLASH}x{letter:02x}" for letter in sorted({run[0], run[-1]})) for run in runs)
    return f"[{''.join(stretches)}]"


UPDATE, BACKSLASH = "UPDATE", "\\"
MANY, SOME = "*+", "++"
"""How often one of some words stands there; no way is gone back."""
SWITCHES = words("ENABLE DISABLE")
PASSED = words("TO VALUES DEFAULT ) :")
OPENED = _one("(")
NO_NAME = f"(?!{_one('=.')})"
"""SET open = 1 names a column; EXEC ..p runs a procedure."""
NAMING = f"{_one(['WITH'])}(?={_one(OPTIONS, 0)}(?:{_one(['AS'])}{OPENED}|{OPENED}))"
"""WITH that names queries: WITH a AS (, WITH a (b) AS (."""
DOUBTFUL = {
    UPDATE: f"(?!{OPENED})",
    # IF EXISTS, or IF NOT EXISTS, stands before the name of what is made or dropped.
    "IF": f"(?!{_one(['NOT'])}?{_one(['EXISTS'])}(?!{OPENED}))",
    "WITH": NAMING.removeprefix(_one(["WITH"])),
    # ALTER PARTITION FUNCTION f() MERGE RANGE (1)
    "MERGE": f"(?!{_one(['JOIN', 'UNION'])}|{_one(['RANGE'])}{OPENED})",
    "REVERT": f"(?!{_one(['FROM', ',', 'AS', ')'])})",
    "SEND": f"(?={_one(['ON'])})",
    "ADD": f"(?={_one(['SIGNATURE', 'COUNTER'])})",
    "BULK": f"(?={_one(['INSERT'])})",
    **dict.fromkeys(SWITCHES, f"(?={_one(['TRIGGER'])})"),
}
"""What must, or must not, stand behind words that begin statements only before some others."""
WHOLE = "|".join(
    (
        _nested("(", ")"),
        _nested("CASE", "END"),
        # What is never closed.
        _one(["(", "CASE"]) + _one(";", 0) + MANY,
    )
)
"""What is in parentheses, or in CASE."""
