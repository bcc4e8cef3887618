"""The tables that a text names of which parts are not known (rule Q31).

INSERT INTO u SELECT x FROM s JOIN stage_?? ON ...      fills u; reads s, and a table whose name is not known
UPDATE a SET ?? FROM u AS a JOIN s ON ...               fills u, which it calls a
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from sqlglot.errors import TokenError

from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.housekeeping import keeps_house
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.spelling import HOLE

SKIPPED = words("IF NOT EXISTS ONLY LATERAL OVERWRITE TABLE LOCAL")
READING = words("FROM JOIN USING APPLY")
FILLING = words("INTO OVERWRITE TABLE VIEW UPDATE MERGE")
EMPTYING = words("DROP TRUNCATE")
INTO = words("INTO OVERWRITE")
NO_CHANGE = frozenset(("FOR", "KEY", "THEN", "AFTER", "BEFORE", "OF", "OR", "ON", ","))
"""Behind these INSERT, UPDATE and DELETE change no table that is named next."""
MOVING = words("INSERT MERGE REPLACE SELECT WITH")
OF_VALUES = words("EXTRACT TRIM SUBSTRING SUBSTR OVERLAY POSITION")
NO_ALIAS = words(
    "WHERE JOIN INNER LEFT RIGHT FULL CROSS ON GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT SET SELECT USING WHEN"
)
NAMES = frozenset((TokenType.VAR, TokenType.IDENTIFIER))
PARTS = (TokenType.HASH, TokenType.PARAMETER)
"""What a name may begin with that is no letter."""
LETTERS = ("_", "#", "@", HOLE)


COMPARED = frozenset(("=", "<", ">", "<=", ">=", "<>", "!=", "LIKE", "ILIKE", "BETWEEN"))
COUNTED = words("LIMIT OFFSET INTERVAL TOP")
"""Words behind which stands how many."""
LISTED = words("IN VALUES TOP")
EMPTIES = "a text that is run: which table it empties or drops is not known"
UNKNOWN = "UNKNOWN_PART"
"""What the values are called that are not known, each with a number: of no two it is known that they are the same."""


Parts = tuple[tuple[str, bool], ...]
"""A name of several parts, each with whether it is quoted."""
UNNAMED: Parts = (("a table that is not known", True),)
"""Stands for a table that a text reads, where a part of its name is not known."""


@dataclass(slots=True)
class Mentioned:
    """The tables that one statement names, as parts that may be quoted.

    Where it names none that it reads its source is `UNNAMED`: what it fills has rows of some table all the same.
    """

    sources: list[Parts] = field(default_factory=list)
    targets: list[Parts] = field(default_factory=list)


def mentioned(text: str, flavour: Flavour) -> Iterator[Mentioned]:
    """The tables that the statements of a text name in full."""
    try:
        tokens = flavour.parser.tokenize(text)
    except TokenError:
        # Within an open quote anything may stand: what is outside is read part by part.
        tokens = [token for part in text.split(HOLE) for token in _tokens(part, flavour)]
    begins = 0
    for at, token in enumerate([*tokens, None]):
        if token is None or token.token_type is TokenType.SEMICOLON:
            yield _statement(tokens[begins:at])
            begins = at + 1


def told_apart(texts: Iterable[str], flavour: Flavour) -> Iterator[str]:
    """Texts without those that name the same tables as one before, where no more is known of either.

    A loop that puts a list of columns together makes some dozens, and each says the same.
    """
    seen: set[str] = set()
    for text in texts:
        known = HOLE not in text or with_values(text, flavour, count())
        told = text if known else repr([*mentioned(text, flavour)])
        if told not in seen:
            seen.add(told)
            yield text


def moves_nothing(text: str, flavour: Flavour) -> str | None:
    """What is to be said of a text that brings no table any rows, whatever its parts are; None of any other.

    >>> from mdw.readers.sql.dialects import flavour_of
    >>> texts = f"ALTER INDEX {HOLE} REBUILD", f"DROP TABLE {HOLE}", f"INSERT INTO t SELECT a FROM {HOLE}"
    >>> [moves_nothing(text, flavour_of("oracle")) for text in texts]
    ['', 'a text that is run: which table it empties or drops is not known', None]
    """
    tokens = _tokens(text, flavour)
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    # What is not known may be a semicolon, and more behind it; but nobody puts texts together so.
    if not tokens or any(token.token_type is TokenType.SEMICOLON for token in tokens):
        return None
    if keeps_house(ScriptPiece(tuple(tokens), text), flavour.name):
        return ""
    return EMPTIES if word_of(tokens[0]) in EMPTYING and tokens[0].text != HOLE else None


def with_values(text: str, flavour: Flavour, numbers: Iterator[int]) -> str:
    """A text of which all that is not known are values, with a name for each; "" if it may be anything else.

    What is within quotes is a value whatever it is. Elsewhere it is one only where nothing else can stand: behind a
    comparison, in a list of values. Behind FROM it is a table, and behind SELECT it may be a list of columns.

    >>> from itertools import count
    >>> from mdw.readers.sql.dialects import flavour_of
    >>> with_values(f"DELETE FROM t WHERE a = '{HOLE}' AND b > {HOLE}", flavour_of("oracle"), count(1))
    'DELETE FROM t WHERE a = :UNKNOWN_PART_2 AND b > :UNKNOWN_PART_1'
    >>> with_values(f"DELETE FROM t WHERE a = DATE '{HOLE}'", flavour_of("oracle"), count(1))
    'DELETE FROM t WHERE a = :UNKNOWN_PART_1'
    """
    tokens = _tokens(text, flavour)
    lead = "@" if flavour.name in TRANSACT else ":"
    spoken = [word_of(token) or token.text for token in tokens]
    found: list[tuple[int, int]] = []
    opened: list[str] = []
    for at, token in enumerate(tokens):
        if token.text == "(":
            opened.append(spoken[at - 1] if at else "")
        elif token.text == ")" and opened:
            opened.pop()
        if HOLE in token.text:
            if not _is_value(tokens, spoken, at, (opened or [""])[-1]):
                return ""
            # DATE '...' is a value as a whole.
            typed = at and spoken[at - 1] in TYPED and token.token_type is TokenType.STRING
            found.append((tokens[at - 1].start if typed else token.start, token.end + 1))
    # From the last to the first, for each makes the text longer.
    for start, end in reversed(found):
        text = f"{text[:start]}{lead}{UNKNOWN}_{next(numbers)}{text[end:]}"
    return text if found and HOLE not in text else ""


def _is_value(tokens: Sequence[Any], spoken: Sequence[str], at: int, opened: str) -> bool:
    """Whether a word of which nobody knows a part stands where only a value can."""
    token, before = tokens[at], spoken[at - 1] if at else ""
    if token.token_type in (TokenType.STRING, TokenType.NATIONAL_STRING):
        return True
    if token.text != HOLE or (
        at + 1 < len(tokens) and tokens[at + 1].start == token.end + 1 and spoken[at + 1] in OPEN
    ):
        return False
    return (
        before in COMPARED
        or before in COUNTED
        or (before == "AND" and "BETWEEN" in spoken[max(at - 4, 0) : at])
        or (before in ("(", ",") and opened in LISTED)
    )


TYPED = frozenset(("DATE", "TIME", "TIMESTAMP", "DATETIME"))
"""Words that stand before the text of a constant of a type."""
OPEN = ("(", ".", "[")


def _tokens(text: str, flavour: Flavour) -> list[Any]:
    try:
        return flavour.parser.tokenize(text)
    except TokenError:
        return []


def _statement(tokens: Sequence[Any]) -> Mentioned:
    found = Mentioned()
    spoken = [word_of(token) for token in tokens]
    # Names of CTEs: they are no tables.
    own = {tokens[at - 1].text.upper() for at in range(1, len(tokens)) if spoken[at : at + 2] == ["AS", "("]}
    called: dict[str, Parts] = {}
    gone: list[Parts] = []
    opened: list[str] = []
    for at, word in enumerate(spoken):
        if word == "(":
            opened.append(spoken[at - 1] if at else "")
        elif word == ")" and opened:
            opened.pop()
        before = spoken[at - 1] if at else ""
        if word == "DELETE" and before not in NO_CHANGE:
            gone += _listed(tokens, spoken, at + 1 + (spoken[at + 1 : at + 2] == ["FROM"]), called, filled=True)[:1]
        # IS DISTINCT FROM x and EXTRACT(DAY FROM x) have no table behind them.
        elif word in READING and before not in ("DISTINCT", "DELETE") and (opened or [""])[-1] not in OF_VALUES:
            listed = _listed(tokens, spoken, at + 1, called)
            found.sources += [name for name in listed if name[-1][0].upper() not in own]
        elif _fills(spoken, at):
            found.targets += _listed(tokens, spoken, at + 1, called, filled=True)[:1]
    found.sources = _meant(found.sources, {})
    found.targets = _meant(found.targets, called)
    moves = bool(spoken) and (spoken[0] in MOVING or (spoken[0] == "CREATE" and "AS" in spoken))
    if moves and found.targets and not found.sources and any(HOLE in token.text for token in tokens):
        # INSERT INTO u SELECT x FROM ??, INSERT INTO u ??: what it fills has rows of some table all the same.
        found.sources.append(UNNAMED)
    if spoken[:1] in (["UPDATE"], ["MERGE"]):
        # What a change gives its rows may come from themselves.
        found.sources += found.targets[:1]
    if spoken[:1] == ["DELETE"]:
        # What it reads only says which rows go; those that stay are as they were.
        found.targets, found.sources = _meant(gone, called), []
    return found


def _fills(spoken: Sequence[str], at: int) -> bool:
    """Whether behind this word stands a table that is filled."""
    word, before = spoken[at], spoken[at - 1] if at else ""
    if word == "INSERT":
        # T-SQL and MySQL do without INTO.
        return before not in NO_CHANGE and not INTO & set(spoken[at + 1 : at + 5])
    # DROP TABLE fills nothing, nor does FOR UPDATE, ON DUPLICATE KEY UPDATE or MERGE's THEN UPDATE.
    return word in FILLING and not EMPTYING & set(spoken[max(at - 2, 0) : at]) and before not in NO_CHANGE


def _meant(names: Iterable[Parts], called: Mapping[str, Parts]) -> list[Parts]:
    """Tables by their own names, in place of what the statement calls them; none of which a part is not known."""
    meant = [called.get(name[0][0].upper(), name) if len(name) == 1 else name for name in names]
    return [name for name in meant if not any(HOLE in part for part, _ in name)]


def _listed(
    tokens: Sequence[Any], spoken: Sequence[str], at: int, called: dict[str, Parts], *, filled: bool = False
) -> list[Parts]:
    """The names from here on, with commas between them; ``called`` learns what else they are called."""
    found: list[Parts] = []
    while True:
        while at < len(tokens) and spoken[at] in SKIPPED:
            at += 1
        name, at = _name(tokens, at)
        if name and (filled or spoken[at : at + 1] != ["("]):
            found.append(name)
        if at < len(tokens) and spoken[at] == "AS":
            at += 1
        if at < len(tokens) and tokens[at].token_type in NAMES and spoken[at] not in NO_ALIAS:
            called[tokens[at].text.upper()] = name
            at += 1
        if at >= len(tokens) or spoken[at] != "," or filled or not name:
            return found
        at += 1


def _name(tokens: Sequence[Any], at: int) -> tuple[Parts, int]:
    """A name of several parts, and what stands behind it."""
    parts: list[tuple[str, bool]] = []
    while at < len(tokens):
        lead = ""
        while at < len(tokens) - 1 and tokens[at].token_type in PARTS:
            lead, at = lead + tokens[at].text, at + 1
        one = tokens[at]
        plain = one.token_type is not TokenType.STRING and (one.text[:1].isalnum() or one.text[:1] in LETTERS)
        if one.token_type is not TokenType.IDENTIFIER and not plain:
            break
        parts.append((lead + one.text, one.token_type is TokenType.IDENTIFIER))
        at += 1
        # stage_?? is a table whose name nobody knows, not the table stage_.
        touches = at < len(tokens) and tokens[at].start == one.end + 1 and tokens[at].text[:1] == HOLE
        if touches:
            parts[-1] = (HOLE, False)
            at += 1
        if at + 1 < len(tokens) and tokens[at].token_type is TokenType.DOT:
            at += 1
            continue
        break
    return tuple(parts), at
