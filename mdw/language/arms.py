"""The values an expression may have, in the order in which they are tried, and what each uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

from mdw.model.expressions import TRUE, And, Attr, Call, Condition, Expression, Window
from mdw.model.function_names import CHOICE
from mdw.model.name import plain, row_of
from mdw.model.rules import DIRECT, Source, Subtype, unique
from mdw.model.tree import Node
from mdw.model.truth import fails, succeeds
from mdw.model.walks import attributes_of, walk, with_leaves


class Choice(NamedTuple):
    """One value an expression may have, the test by which it is taken (None: whenever it is reached), what it uses.

    ``text`` is the test as written, ``place`` the node that gives the value.
    """

    test: Condition | None
    value: Expression
    uses: tuple[Source, ...]
    text: str
    place: Node


def all_of(tests: Sequence[Condition]) -> Condition | None:
    """The tests as one; None where there is none."""
    if len(tests) < 2:
        return tests[0] if tests else None
    # Choices within choices would else be conditions as deep as these.
    return And(tuple([part for test in tests for part in (test.parts if isinstance(test, And) else (test,))]))


def effective(arms: Sequence[Choice]) -> Iterator[tuple[Condition, Choice]]:
    """Each arm with when it is taken: its test is TRUE and none before it is."""
    before: list[Condition] = []
    for arm in arms:
        yield all_of([*before, *([arm.test] if arm.test is not None else [])]) or TRUE, arm
        if arm.test is not None:
            before.append(fails(arm.test))


def certain(arms: Sequence[Choice]) -> Iterator[tuple[list[Condition], Expression]]:
    """The same as conditions that are never NULL, each with the value.

    Only so they may stand within a comparison, which may be asked to be FALSE: ``T = 1`` that is NULL would make it
    NULL, though the arm is just not taken.
    """
    before: list[Condition] = []
    for arm in arms:
        yield [*before, *([succeeds(arm.test)] if arm.test is not None else [])], arm.value
        if arm.test is not None:
            before.append(fails(arm.test))


def uses_of(arms: Sequence[Choice]) -> Iterator[Source]:
    """What the arms use, each by its own test, and what decides between them."""
    if len(arms) == 1:
        yield from arms[0].uses
        return
    for taken, arm in effective(arms):
        yield from (under(use, (taken,), arm.value) for use in arm.uses)
        if arm.test is not None:
            yield from deciding(arm.test)


def under(use: Source, tests: Sequence[Condition], value: Expression) -> Source:
    """A use of a value under further tests; what decides needs none.

    Nor does what a window takes from other rows: these tests are asked of the row made (rule Q16).
    """
    if any(isinstance(one, Window) and use.name in attributes_of(one.function) for one in walk(value)):
        return use
    every = [*tests, *([use.test] if use.test is not None else [])]
    return use._replace(test=all_of(every)) if use.subtype in DIRECT and tests else use


def changed(uses: Iterable[Source]) -> tuple[Source, ...]:
    """The uses of a value that goes into something else: it is handed on no more as it is."""
    found = [
        Source(use.attribute, "TRANSFORMATION", use.row, use.test) if use.subtype == "IDENTITY" else use for use in uses
    ]
    return unique(found) if len(found) > 1 else tuple(found)


def deciding(condition: Condition) -> tuple[Source, ...]:
    """The attributes a condition mentions, as what decides."""
    return unique(source_of(name, "CONDITIONAL") for name in attributes_of(condition))


def one_of(arms: Sequence[Choice]) -> Expression:
    """The value of the only arm, or of several a function of all that they mention."""
    return arms[0].value if len(arms) == 1 else opaque(arms)


def opaque(arms: Sequence[Choice]) -> Call:
    """A choice as a function of all it mentions; the same choice is the same function, another one is another.

    >>> from mdw.language.mapping import read_expression as read
    >>> from mdw.language.meaning import Meaning
    >>> first, second = [Meaning().value(read(f"CASE WHEN S.T = 1 THEN {value} ELSE 0 END")) for value in (1, 2)]
    >>> first.arguments == second.arguments, first.function == second.function
    (True, False)
    """
    items = [item for arm in arms for item in (arm.test, arm.value) if item is not None]
    names = unique(name for item in items for name in attributes_of(item))
    places = {name: Attr(str(place)) for place, name in enumerate(names)}
    # By place and not by name: what one mapping says of S.T another may say of T.T.
    said = [with_leaves(item, lambda leaf: places[leaf.name] if isinstance(leaf, Attr) else leaf) for item in items]
    return Call(
        f"{CHOICE}{blake2b(repr((said, [arm.test is None for arm in arms])).encode(), digest_size=4).hexdigest()}",
        tuple(map(Attr, names)),
    )


def all_said(texts: Sequence[str]) -> str:
    """The texts of conditions all of which hold.

    >>> all_said(["S.A = 1 OR S.B = 2", "", "S.C = 3"])
    '(S.A = 1 OR S.B = 2) AND S.C = 3'
    """
    given = [text for text in texts if text]
    return " AND ".join([f"({text})" if " OR " in text and len(given) > 1 else text for text in given])


def source_of(name: str, subtype: Subtype) -> Source:
    """The use of an attribute, by the name that the rules know it by.

    >>> source_of("CORE.PARTY@BOSS.NAME", "IDENTITY")
    Source(attribute='CORE.PARTY.NAME', subtype='IDENTITY', row='CORE.PARTY@BOSS', test=None)
    """
    if "@" in name:
        return Source(plain(name), subtype, row_of(name))
    return _source((name, subtype, "", None))


# Whatever copies uses one: made as a tuple it takes half the time.
_source: Callable[[tuple[Any, ...]], Source] = partial(tuple.__new__, Source)
