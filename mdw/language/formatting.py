"""Mapping text -> canonical mapping text with its comments: every one stays with what follows it, or ends its line."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from mdw.language.mapping import read
from mdw.language.unparse import Line, layout
from mdw.model.errors import BatchError
from mdw.model.tree import Node

# Strings and back-quoted names are matched too, so that two dashes inside one are not taken for a comment.
QUOTED = re.compile(r"""(?P<comment>--[^\r\n]*)|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|`[^`\n]*`""", re.DOTALL)
BLANK = re.compile(r"[^\S\n]*\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, its line and column, whether code precedes it on its line and whether a blank line follows."""

    text: str
    place: tuple[int, int]
    trailing: bool
    spaced: bool


def canonical_text(text: str, file: str = "<text>") -> str:
    """The text in canonical form, every comment kept; BatchError if there is anything wrong with it."""
    reading = read(text, file)
    if reading.errors:
        raise BatchError(reading.errors)
    mappings = [list(layout(tree)) for tree in reading.trees]
    lines = [line for mapping in mappings for line in mapping]
    leading, trailing, last = _attached(list(_comments(text)), lines, reading.trees)
    blocks: list[str] = []
    number = 0
    for mapping in mappings:
        block: list[str] = []
        for line in mapping:
            indent = line.text[: len(line.text) - len(line.text.lstrip())]
            above = leading.get(number, ())
            block += [indent + one.text + ("\n" if one.spaced and line is mapping[0] else "") for one in above]
            block.append("  ".join([line.text, *trailing.get(number, ())]))
            number += 1
        blocks.append("\n".join(block) + "\n")
    if last:
        blocks.append("".join(comment.text + ("\n\n" if comment.spaced else "\n") for comment in last))
    return "\n".join(blocks).rstrip("\n") + "\n"


def _attached(
    comments: list[Comment], lines: list[Line], trees: tuple[Node, ...]
) -> tuple[dict[int, list[Comment]], dict[int, list[str]], list[Comment]]:
    """Comments above each line, comments ending each line (by the line's number), comments after everything.

    The tree knows no comments. They are put back by place: each canonical line knows where its first word stood in the
    text, so the leaf after a comment (or before one that ends its line) says to which line it belongs.
    """
    leaves = [_place(leaf) for tree in trees for leaf in tree.walk() if leaf.content and leaf.content != leaf.role]
    starts = [_place(line) for line in lines]
    leading: dict[int, list[Comment]] = {}
    trailing: dict[int, list[Comment]] = {}
    last: list[Comment] = []
    for comment in comments:
        # `a = 1 -- why` belongs to the line of the leaf before it, a comment on a line of its own to that of the next.
        following = bisect_left(leaves, comment.place)
        if comment.trailing and following:
            number = bisect_right(starts, leaves[following - 1]) - 1
            trailing.setdefault(number, []).append(comment)
        elif following < len(leaves):
            number = bisect_right(starts, leaves[following]) - 1
            leading.setdefault(number, []).append(comment)
        else:
            last.append(comment)
    # Lines that were joined bring several comments to one line: none may follow another on it, so all go above.
    ends: dict[int, list[str]] = {}
    for number, several in trailing.items():
        if len(several) == 1:
            ends[number] = [several[0].text]
        else:
            leading[number] = sorted([*leading.get(number, []), *several], key=lambda comment: comment.place)
    return leading, ends, last


def _comments(text: str) -> Iterator[Comment]:
    line, begin = 1, 0
    for found in QUOTED.finditer(text):
        if found["comment"] is None:
            continue
        place = found.start()
        line += text.count("\n", begin, place)
        begin = place
        column = place - text.rfind("\n", 0, place)
        before = text[place - column + 1 : place]
        yield Comment(
            found["comment"].rstrip(), (line, column), bool(before.strip()), bool(BLANK.match(text, found.end()))
        )


def _place(item: Node | Line) -> tuple[int, int]:
    where = item.location
    return (where.line, where.column) if where else (0, 0)
