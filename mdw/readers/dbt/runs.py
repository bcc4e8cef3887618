"""An incremental model is compiled for one run, the first or a later one -> its code in runs of the other kind.

What is compiled when its table is there asks for what is new; the rows of the first run were asked nothing of it, and
may have come from elsewhere:

    select id, note from s {% if is_incremental() %} where at > '2024-01-03' {% endif %}

The arms of `is_incremental` stand in what somebody wrote. The one in force is found in the compiled code by the text
round it, where anything may stand for a call of a macro, and another one takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Run: TypeAlias = Literal["first", "later"]
Fill: TypeAlias = Callable[[str], str]
"""Puts names of relations for the calls in a text."""

PARTS, TRIES = 150, 100_000
"""So many parts of a model, words between calls of macros and arms, are looked for, and in so many places."""
DEEPEST = 20
"""How deep arms lie in arms, at most."""
_INSIDE = r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"'])*?"""
_TAG = re.compile(r"(\{#.*?#\}|\{%" + _INSIDE + r"%\}|\{\{" + _INSIDE + r"\}\})", re.DOTALL)
# Tags, and the rest of a text behind one that does not end: from each such tag it would be gone through to its end.
_TAGS = re.compile(_TAG.pattern[:-1] + r"|\{[#%{].*)", re.DOTALL)
_CONFIG = re.compile(r"\{\{[-+]?\s*config\b")
_NAME = r"""(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|\w+)"""
_LIMITED = re.compile(
    rf"(\b(?:from|join)\s+|,\s*)\(select \* from ({_NAME}(?:\.{_NAME})*) where "
    rf"(?:(false limit 0|1 ?= ?0)|{_NAME}(?:\.{_NAME})* >= '[^']*' and \S+ < '[^']*')\)",
    re.IGNORECASE,
)
_PART = "(select * from "
_WORD = re.compile(r"\{%[-+]?\s*(\w+)")
_ASKS = re.compile(r"\bis_incremental\b")
_ASKS_NOT = re.compile(r"\bnot\s+is_incremental\b")
_NARROWS = re.compile(r"(?:where|and|having|qualify)\b", re.IGNORECASE)
_WIDENS = re.compile(r"\b(?:union|or|join)\b", re.IGNORECASE)
_ENDS = {"if": "endif", "for": "endfor", "set": "endset", "call": "endcall", "filter": "endfilter", "raw": "endraw"}


@dataclass(frozen=True, slots=True)
class _Text:
    written: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Gap:
    """What a macro gives; ``written`` is its call."""

    written: str


@dataclass(frozen=True, slots=True)
class _Choice:
    """The arms of a test for the kind of run, each with the run it is for; the last is empty if there is no ELSE."""

    arms: tuple[tuple[_Part, ...], ...]
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class _Taken:
    """The end of an arm that begins at ``start`` in the code; ``arms`` are those of its choice."""

    choice: _Choice
    arm: int
    start: int


_Part: TypeAlias = _Text | _Gap | _Choice | _Taken
_Arms: TypeAlias = list[tuple[_Taken, int]]


def unlimited(code: str, raw: str) -> str:
    """Code with whole relations where dbt wrote a part of one, as of `--empty`, `--sample` and batches."""

    def relation(found: re.Match[str]) -> str:
        # What the model's author wrote is meant so.
        meant = found[3] in raw if found[3] else _PART in raw.lower()
        return found[0] if meant else f"{found[1]}{found[2]}"

    return _LIMITED.sub(relation, code)


def asks(raw: str) -> bool:
    """Whether a model tells runs apart."""
    return bool(_ASKS.search(raw))


def in_other_runs(code: str, raw: str, fill: Fill) -> list[tuple[Run, str]] | None:
    """The code of a model in runs it was not compiled for; None if the arms are not found in what was compiled.

    A run that only has a test more gives no rows that this one lacks: it is left out.
    """
    parsing = _Parsing(raw, fill)
    parts = parsing.parts()
    if not parsing.whole:
        return None
    choices = [one for one in parts if isinstance(one, _Choice)]
    taken = _Places(code).found(parts, 0) if choices and _size(parts) <= PARTS else None
    if taken is None:
        return None if choices or any(isinstance(one, _Gap) and asks(one.written) for one in parts) else []
    found = []
    for more in range(1, max(len(one.arms) for one in choices)):
        # All tests of a model have the same answer in a run.
        arms = [(one.arm + min(more, len(one.choice.arms) - 1)) % len(one.choice.arms) for one, _ in taken]
        changed, at, needed = "", 0, False
        for (one, end), arm in zip(taken, arms, strict=True):
            before, after = _written(one.choice.arms[one.arm]), _written(one.choice.arms[arm])
            needed = needed or bool(before) or not _narrows(after)
            changed += f"{code[at : one.start]} {after} "
            at = end
        changed += code[at:]
        if needed and changed.split() != code.split():
            found.append((taken[0][0].choice.runs[arms[0]], changed))
    return found


def _size(parts: Sequence[_Part]) -> int:
    return sum(sum(max(1, _size(arm)) for arm in one.arms) if isinstance(one, _Choice) else 1 for one in parts)


def _written(parts: Sequence[_Part]) -> str:
    return " ".join(one.written for one in parts if isinstance(one, _Text | _Gap))


def _narrows(text: str) -> bool:
    """Whether an arm lets through less than an empty one."""
    if not text:
        return True
    text = _outside(text)
    return bool(_NARROWS.match(text)) and not _WIDENS.search(text)


def _outside(text: str) -> str:
    """A text without what stands in parentheses.

    >>> _outside("a (b (c)) d (e")
    'a   d (e'
    """
    levels: list[list[str]] = [[]]
    for piece in re.split(r"([()])", text):
        if piece == "(":
            levels.append([piece])
        elif piece == ")" and len(levels) > 1:
            levels.pop()
            levels[-1].append(" ")
        else:
            levels[-1].append(piece)
    return "".join(piece for level in levels for piece in level)


class _Places:
    """Parts looked for in a code; no place is tried twice for the same part."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._end = len(code.rstrip().rstrip(";").rstrip())
        self._tried: set[tuple[int, int, int]] = set()
        # Of each call of a macro the first place where it was looked for: it was looked for in all behind it, too.
        self._gaps: dict[int, int] = {}

    def found(self, parts: Sequence[_Part], at: int) -> _Arms | None:
        """Which arms were taken and where each ends, if the code from a place on is what these parts give."""
        if not parts:
            return [] if at >= self._end else None
        first, rest = parts[0], parts[1:]
        # A choice's arms have one rest, wherever the arm began.
        key = (id(first.choice), first.arm, at) if isinstance(first, _Taken) else (id(first), -1, at)
        if key in self._tried or len(self._tried) > TRIES:
            return None
        self._tried.add(key)
        if isinstance(first, _Text):
            after = self._after(first, at)
            return None if after is None else self.found(rest, after)
        if isinstance(first, _Choice):
            arms = enumerate(first.arms)
            return next(filter(_is, (self.found((*arm, _Taken(first, n, at), *rest), at) for n, arm in arms)), None)
        if isinstance(first, _Taken):
            found = self.found(rest, at)
            return None if found is None else [(first, at), *found]
        places = self._behind(first, at) if rest else (len(self._code),)
        return next(filter(_is, (self.found(rest, place) for place in places)), None)

    def _behind(self, gap: _Gap, at: int) -> Iterator[int]:
        """Where what a macro gives from a place on may end; blanks at its end make no difference."""
        before = self._gaps.get(id(gap), len(self._code) + 1)
        self._gaps[id(gap)] = min(at, before)
        for place in range(at, before):
            if len(self._tried) > TRIES:
                return
            if place == at or not self._code[place : place + 1].isspace():
                yield place

    def _after(self, text: _Text, at: int) -> int | None:
        """Where a text ends that begins here; templates may have trimmed its blanks, or have left some."""
        for word in text.words:
            while at < len(self._code) and self._code[at].isspace():
                at += 1
            if not self._code.startswith(word, at):
                return None
            at += len(word)
        return at


def _is(found: _Arms | None) -> bool:
    return found is not None


class _Parsing:
    """A text with templates, as it becomes parts; ``whole`` if a tag has an end and arms do not lie too deep."""

    def __init__(self, raw: str, fill: Fill) -> None:
        self._pieces = _TAGS.split(raw)
        self._fill = fill
        self._at = 0
        self._depth = 0
        last = self._pieces[-2:-1]
        self.whole = not last or bool(_TAG.fullmatch(last[0]))

    def parts(self, ends: Sequence[str] = ()) -> list[_Part]:
        """All of it up to a word that ends a block; texts that follow one another are one."""
        found: list[_Part] = []
        text = ""
        while self._at < len(self._pieces) and _word(self._pieces[self._at]) not in ends:
            piece = self._pieces[self._at]
            word = _word(piece)
            self._at += 1
            filled = self._fill(piece) if piece.startswith("{{") else "" if piece.startswith(("{#", "{%")) else piece
            part: _Part | None = None
            if word == "if" and asks(piece) and self._depth < DEEPEST:
                part = self._choice(piece)
            elif word == "if" and asks(piece):
                self.whole = False
                part = _Gap(self._skipped(piece, word))
            elif word in _ENDS and not (word == "set" and "=" in piece):
                part = _Gap(self._skipped(piece, word))
            elif filled.startswith("{{") or (word == "set" and asks(piece)):
                part = _Gap("" if _CONFIG.match(piece) else piece)
            else:
                text += filled
                continue
            found += [*_text(text), part]
            text = ""
        return [*found, *_text(text)]

    def _choice(self, test: str) -> _Choice:
        arms: list[tuple[_Part, ...]] = []
        runs: list[Run] = []
        whole = False
        self._depth += 1
        while _word(test) in ("if", "elif", "else"):
            whole = _word(test) == "else"
            arms.append(tuple(self.parts(("elif", "else", "endif"))))
            runs.append(_run(test, runs))
            test = self._pieces[self._at] if self._at < len(self._pieces) else ""
            self._at += 1
        if not whole:
            arms.append(())
            runs.append(_run("", runs))
        self._depth -= 1
        return _Choice(tuple(arms), tuple(runs))

    def _skipped(self, piece: str, word: str) -> str:
        """A block up to its end, as it is written."""
        found, depth = [piece], 1
        while depth and self._at < len(self._pieces):
            piece = self._pieces[self._at]
            self._at += 1
            found.append(piece)
            depth += (_word(piece) == word and not (word == "set" and "=" in piece)) - (_word(piece) == _ENDS[word])
        return "".join(found)


def _text(text: str) -> list[_Part]:
    return [_Text(text.strip(), tuple(text.split()))] if text.strip() else []


def _run(test: str, before: Sequence[Run]) -> Run:
    """Which run an arm is for: what is not told is what the first arm is not for."""
    if asks(test):
        return "first" if _ASKS_NOT.search(test) else "later"
    return "first" if before[0] == "later" else "later"


def _word(piece: str) -> str:
    found = _WORD.match(piece)
    return found[1] if found else ""
