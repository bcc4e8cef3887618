"""Sentences about the attributes of some rows, and of which kinds the attributes are by what the sentences say.

>>> above = Holds(Compare(">", Attr("S.N"), Const("number", "5")))
>>> sorted(kinds_of([above, Becomes("T.N", ((None, Attr("S.N")),))]).items())
[('S.N', frozenset({'number'})), ('T.N', frozenset({'number'}))]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mdw.conditions.cuts import Usage
from mdw.conditions.kinds import countable, hidden
from mdw.model.collations import bare
from mdw.model.expressions import Attr, Call, Compare, Compute, Concat, Condition, Const, Expression, In, Like
from mdw.model.walks import walk


@dataclass(frozen=True, slots=True)
class Holds:
    """A condition is true."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Fails:
    """A condition is false or unknown."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Becomes:
    """An attribute is what the first case gives whose condition is true (None: always), else NULL."""

    attribute: str
    cases: tuple[tuple[Condition | None, Expression], ...]


@dataclass(frozen=True, slots=True)
class Where:
    """Where a condition is true a sentence is."""

    condition: Condition
    then: Holds | Becomes


Sentence = Holds | Fails | Becomes | Where
MADE = {Compute: "number", Concat: "string", Call: "string"}
"""The kind of what is computed; of the functions of the mapping language SUBSTR is the only one."""
NUMBER = frozenset(("number",))


def kinds_of(sentences: Iterable[Sentence]) -> Mapping[str, frozenset[str]]:
    """The kinds of attributes: those of the constants that they meet, or attributes they are compared with do.

    What meets none is a number: only with one another may such values compare, so the kind is all the same.
    """
    met: dict[str, Usage] = {}
    made: dict[str, set[str]] = {}
    pairs = []
    for name, other, ordered in (pair for sentence in sentences for pair in _meetings(sentence)):
        usage = met.setdefault(name, Usage())
        kinds = made.setdefault(name, set())
        usage.ordered |= ordered
        # Attributes that meet share what they meet; first all that each meets by itself is gathered.
        if isinstance(other, Attr):
            met.setdefault(other.name, Usage())
            made.setdefault(other.name, set())
            pairs.append((name, other.name))
        elif isinstance(other, Const):
            usage.constants.add(other)
        elif isinstance(other, str):
            usage.patterns.add(other)
        elif type(other) in MADE:
            # What is computed is of its kind, whatever the attribute is compared with.
            kinds.add(MADE[type(other)])
    shared = True
    # What one attribute meets the next does too, so it goes on until a round tells nothing new.
    while shared:
        shared = False
        for left, right in pairs:
            if met[left] != met[right] or made[left] != made[right]:
                met[left].merge(met[right])
                met[right].merge(met[left])
                made[left] = made[right] = made[left] | made[right]
                shared = True
    return {name: frozenset(_stated(usage) | made[name]) or NUMBER for name, usage in met.items()}


def _meetings(sentence: Sentence) -> Iterator[tuple[str, Expression | str, bool]]:
    """An attribute, the expression or pattern that it meets, and whether by order."""
    if isinstance(sentence, Where):
        yield from _meetings(sentence.then)
        conditions = [sentence.condition]
    elif isinstance(sentence, Becomes):
        conditions = [condition for condition, _ in sentence.cases if condition is not None]
        yield from ((sentence.attribute, expression, False) for _, expression in sentence.cases)
    else:
        conditions = [sentence.condition]
    for one in (_unmarked(one) for condition in conditions for one in walk(condition)):
        match one:
            case Compare(op, Attr(name), other) | Compare(op, other, Attr(name)):
                # What a value is compared with says nothing of its kind where that is computed.
                yield name, other if isinstance(other, (Attr, Const)) else Attr(name), op not in ("=", "!=")
            case In(Attr(name), constants):
                yield from ((name, constant, False) for constant in constants)
            case Like(Attr(name), pattern):
                yield name, Const("string", pattern), False
                yield name, pattern, False


def _unmarked(item: Condition | Expression) -> Condition | Expression:
    """A comparison without the collation by which it is made."""
    match item:
        case Compare(op, left, right):
            return Compare(op, bare(left), bare(right))
        case In(subject, constants):
            return In(bare(subject), constants)
        case Like(subject, pattern):
            return Like(bare(subject), pattern)
    return item


def _stated(usage: Usage) -> set[str]:
    constants = {one for one in usage.constants if one.kind != "null" and countable(one)}
    return {one.kind for one in constants} | hidden(constants, usage.patterns, ordered=usage.ordered)
