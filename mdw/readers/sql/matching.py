"""Tests of the names of columns, by which some of them are chosen: * NOT LIKE 'x%', COLUMNS(c -> c IN ('a', 'b')).

Nobody need run anything for them: which names meet a test is known where its text has nothing but the name and
constants.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate
from typing import Any

from sqlglot import exp

Met = Callable[[str], bool]
NAMES = (exp.Star, exp.Identifier, exp.Column)
"""What stands for the name that is tested: a star, or the parameter of a lambda."""


def names_that(test: Any) -> Met | None:
    """Whether a name meets the test; None where that cannot be told."""
    if isinstance(test, exp.Paren):
        return names_that(test.this)
    if isinstance(test, exp.Not) or test.args.get("negate"):
        met = names_that(test.this) if isinstance(test, exp.Not) else _met(test)
        return (lambda name: not met(name)) if met is not None else None
    if isinstance(test, (exp.And, exp.Or)):
        left, right = names_that(test.left), names_that(test.right)
        if left is None or right is None:
            return None
        return (lambda name: left(name) and right(name)) if isinstance(test, exp.And) else _either(left, right)
    return _met(test)


def _either(left: Met, right: Met) -> Met:
    return lambda name: left(name) or right(name)


def _met(test: Any) -> Met | None:
    """The same of a test that is not made of others."""
    if not isinstance(test.this, NAMES):
        return None
    if isinstance(test, exp.In):
        listed = {one.this.lower() for one in test.expressions if isinstance(one, exp.Literal)}
        return (lambda name: name.lower() in listed) if len(listed) == len(test.expressions) and listed else None
    wanted = test.args.get("expression")
    if not isinstance(wanted, exp.Literal):
        return None
    if isinstance(test, (exp.Like, exp.ILike, exp.EQ)):
        text = re.escape(wanted.this)
        return _matched(text if isinstance(test, exp.EQ) else text.replace("%", ".*").replace("_", "."))
    if isinstance(test, (exp.SimilarTo, exp.Glob)):
        return _matched(wanted.this if isinstance(test, exp.SimilarTo) else translate(wanted.this))
    if isinstance(test, exp.StartsWith):
        return _matched(re.escape(wanted.this) + ".*")
    return None


def _matched(pattern: str) -> Met | None:
    """Whether a name is like the pattern; databases that fold names differ, so capitals do not matter."""
    try:
        whole = re.compile(pattern, re.IGNORECASE)
    except re.error:
        return None
    return lambda name: whole.fullmatch(name) is not None
