"""Mapping text -> canonical mapping text that keeps the comments between mappings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdw.errors import BatchError, InputError
from mdw.readers.chunks import split
from mdw.readers.mapping import read
from mdw.tree import Location
from mdw.unparse import unparse

PIECE = re.compile(r"""(?P<comment>--[^\n]*)|(?P<gap>\s+)|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|`[^`\n]*`|.""", re.DOTALL)
HINT = "move it in front of the mapping; canonical text has no place for it here"


def canonical_text(text: str, file: str = "<text>") -> str:
    """The text in canonical form; InputError if it has errors or a comment inside a mapping."""
    reading = read(text, file)
    if reading.errors:
        raise BatchError(reading.errors)
    trees = iter(reading.trees)
    blocks: list[str] = []
    for chunk in split([text]):
        end, comments = _tail(chunk.text, file, chunk.line)
        if end:
            blocks.append(unparse(next(trees)).strip() + "\n\n")
        blocks += comments
    return "".join(blocks).strip() + "\n"


def _tail(text: str, file: str, line: int) -> tuple[int, list[str]]:
    """Where the mapping of a chunk ends, and the comments after it, each with the blank lines it is followed by."""
    end = 0
    comments: list[tuple[int, str]] = []
    for place, kind, piece in _pieces(text):
        if kind == "comment":
            comments.append((place, piece.rstrip()))
        elif kind != "gap":
            end = place + len(piece)
    for place, _ in comments:
        begin = text.rfind("\n", 0, place) + 1
        if place < end or text[begin:place].strip():
            where = Location(file, line + text.count("\n", 0, place), place - begin + 1)
            raise InputError(
                "a comment inside a mapping", location=where, excerpt=text[begin:].split("\n", 1)[0], hint=HINT
            )
    after = [text[place + len(comment) :] for place, comment in comments]
    return end, [comment + _blank(rest) for (_, comment), rest in zip(comments, after, strict=True)]


def _pieces(text: str) -> Iterator[tuple[int, str, str]]:
    for found in PIECE.finditer(text):
        yield found.start(), found.lastgroup or "", found.group()


def _blank(rest: str) -> str:
    """One line end, and one blank line if there was any."""
    gap = rest[: len(rest) - len(rest.lstrip())]
    return "\n\n" if gap.count("\n") > 1 else "\n"
