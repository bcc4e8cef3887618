"""Makes a small warehouse that breaks a law smaller: mapping by mapping, line by line, condition by condition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from small import Small

Complain = Callable[[Small, str], list[str]]
"""A law: what it says against a warehouse under an initial condition; nothing if it holds."""


def smallest(small: Small, when: str, complain: Complain) -> tuple[Small, str, list[str]]:
    """The smallest warehouse found that still breaks the law, its initial condition and the complaints."""
    complaints = complain(small, when)
    place = failures = 0
    while True:
        cuts = list(_smaller(small, when))
        if failures >= len(cuts):
            return small, when, complaints
        smaller, condition = cuts[place % len(cuts)]
        found = _complaints(complain, smaller, condition)
        if found:
            small, when, complaints, failures = smaller, condition, found, 0
        else:
            place, failures = place + 1, failures + 1


def _complaints(complain: Complain, small: Small, when: str) -> list[str]:
    try:
        return complain(small, when)
    except Exception:  # a text that cannot be read or run is no smaller example
        return []


def _smaller(small: Small, when: str) -> Iterator[tuple[Small, str]]:
    """Everything one cut smaller, the largest cuts first."""
    if when:
        yield small, ""
    for condition in _simpler(when):
        yield small, condition
    for place in range(len(small.mappings) - 1, -1, -1):
        yield replace(small, mappings=small.mappings[:place] + small.mappings[place + 1 :]), when
    for place, text in enumerate(small.mappings):
        for shorter in _shorter(text.splitlines()):
            mappings = [*small.mappings[:place], "\n".join(shorter) + "\n", *small.mappings[place + 1 :]]
            yield replace(small, mappings=mappings), when


def _shorter(lines: list[str]) -> Iterator[list[str]]:
    for place in range(len(lines) - 1, 1, -1):
        rest = lines[:place] + lines[place + 1 :]
        yield rest
        following = lines[place + 1] if place + 1 < len(lines) else ""
        if following.startswith(" ") and lines[place].startswith("POPULATE"):
            head = " ".join(lines[place].split()[:2])
            yield [*lines[:place], f"{head} {following.strip()}", *lines[place + 2 :]]
    for place, line in enumerate(lines):
        start = re.match(r"(.* WITH .*?) IF (.*)|(SELECT ROWS WHERE) (.*)", line)
        if start:
            lead, condition = (start[1] + " IF", start[2]) if start[1] else (start[3], start[4])
            if start[1]:
                yield [*lines[:place], start[1], *lines[place + 1 :]]
            for simpler in _simpler(condition):
                yield [*lines[:place], f"{lead} {simpler}", *lines[place + 1 :]]


def _simpler(condition: str) -> Iterator[str]:
    """One side of an AND or OR, what a NOT negates."""
    for word in (" OR ", " AND "):
        left, found, right = condition.partition(word)
        if found and left.count("(") == left.count(")") and not left.rpartition("BETWEEN")[1]:
            yield from (left, right)
    if condition.startswith("NOT ("):
        yield condition[5:-1]
    elif condition.startswith("("):
        yield condition[1:-1]
