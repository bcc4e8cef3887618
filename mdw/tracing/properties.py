"""What may be declared of a transformation, for one of its inputs (rules T8-T19; seed 001, properties).

A is a list of input columns, B of output columns. Maps lead from expressions over the columns of one side to columns
of the other, layer after layer: a map that is made of two has two layers.

>>> str(forward_key({"k": "lower(name)"})), forward_key({"k": "lower(name)"}).rank
('forward key map lower(name) -> k', 3)
>>> [one.name for one in implied(row_filter())]
['filter', 'backward total map', 'dispatcher']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from inspect import Parameter, signature
from typing import Any

Layer = tuple[tuple[str, str], ...]
"""Columns with the expression that gives each, in order."""
Of = str | Iterable[str] | Mapping[str, str]
"""Columns that keep name and value, or {column: SQL expression}."""

RANKS = {
    "filter": 1,
    "backward total map": 1,
    "inverse": 1,
    "procedure": 1,
    "backward key map": 2,
    "forward key map": 3,
    "derived": 3,
    "dispatcher": 4,
    "key-preserving": 4,
    "keyed": 4,
    "context-free": 5,
    "aggregator": 6,
    "forward map": 7,
    "backward map": 7,
    "none": 8,
}
"""Rank by property, the best first; what a plan tells ranks with the maps, which it mostly is."""
_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"")
_NAMED = re.compile(r"`((?:[^`]|``)+)`|(?<![\w.])([^\W\d]\w*)(?!\w|\s*\()")
_TYPED = re.compile(r"\bas\s+\w+", re.IGNORECASE)
_WORDS = frozenset(
    ("and", "between", "case", "div", "else", "end", "false", "in", "is", "like", "not", "null", "or", "then", "true")
)


@dataclass(frozen=True)
class Property:
    """One property, declared or found; two are equal if they say the same.

    ``key`` are its output columns: of a keyed one its key, of a forward map those it gives, of a filter those it is
    known to test. ``layers`` are its map, the first over the columns it starts from (None: all, as they are);
    ``function`` is the user's.
    """

    name: str
    key: tuple[str, ...] = ()
    layers: tuple[Layer, ...] | None = ()
    function: Callable[..., Any] | None = field(default=None, compare=True)
    takes_input: bool = False

    @property
    def rank(self) -> int:
        """How good it is, from 1: what it costs to trace, and how exact that is."""
        return RANKS[self.name] + self.takes_input

    @property
    def starts(self) -> frozenset[str]:
        """Columns its map starts from: A of a forward map, B of a backward one."""
        return mentioned(expression for _, expression in self.layers[0]) if self.layers else frozenset()

    @property
    def ends(self) -> tuple[str, ...]:
        """Columns its map gives: B of a forward map, A of a backward one."""
        return tuple(column for column, _ in self.layers[-1]) if self.layers else ()

    @property
    def runs(self) -> bool:
        """Whether rows are found by running the transformation on parts of its input."""
        return self.rank in (4, 5, 6)

    @property
    def wants_input(self) -> bool:
        """Whether the input is to be there."""
        return self.rank > 1

    def __str__(self) -> str:
        if self.layers:
            return f"{self.name} " + " -> ".join(
                [", ".join(e for _, e in layer) or "nothing" for layer in self.layers] + [", ".join(self.ends)]
            )
        return f"{self.name} ({', '.join(self.key)})" if self.key else self.name


NONE = Property("none")
DERIVED = Property("derived")


def row_filter(*tested: str) -> Property:
    """Each row is kept as it is or left out, whatever else there is (T8); ``tested``: the columns that decide it."""
    return Property("filter", tested)


def dispatcher() -> Property:
    """Each row gives its rows, whatever else there is (T14)."""
    return Property("dispatcher")


def aggregator() -> Property:
    """Rows fall into parts in exactly one way, and each part gives a row (T18)."""
    return Property("aggregator")


def context_free() -> Property:
    """An aggregator in which two rows always or never share a part (T17)."""
    return Property("context-free")


def key_preserving(*key: str) -> Property:
    """An aggregator in which any rows of a part give one row with the part's key (T15)."""
    return Property("key-preserving", key)


def keyed(*key: str) -> Property:
    """``key`` is one of the output, and its keys are those that the rows give one by one (T16)."""
    return Property("keyed", key)


def forward_map(of: Of) -> Property:
    """Rows with f(A) = b give the rows with B = b and no more (T19); ``of``: {output column: expression over input}."""
    return _map("forward map", of)


def forward_key(of: Of) -> Property:
    """The same where B is a key, and any rows of a part give its row (T13); no columns: a grand total."""
    return _map("forward key map", of)


def backward_map(of: Of) -> Property:
    """Rows with A = a give the rows with g(B) = a and no more (T19); ``of``: {input column: expression over output}."""
    return _map("backward map", of)


def backward_key(of: Of) -> Property:
    """The same where A is a key of the input (T12)."""
    return _map("backward key map", of)


def backward_total(of: Of) -> Property:
    """The same where A are all columns of the input, key or not (T9)."""
    return _map("backward total map", of)


def inverse(function: Callable[..., Any]) -> Property:
    """An aggregator with ``function(T(I)) = I`` (T10): frame of output rows -> frame of input rows."""
    return Property("inverse", function=function)


def procedure(function: Callable[..., Any]) -> Property:
    """The user's own (T11): ``function(rows)`` or ``function(rows, input)`` -> the input rows of these output rows."""
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    taken = [one for one in signature(function).parameters.values() if one.kind in kinds and one.default is one.empty]
    return Property("procedure", function=function, takes_input=len(taken) > 1)


def _map(name: str, of: Of) -> Property:
    if isinstance(of, Mapping):
        layer = tuple(of.items())
    else:
        layer = tuple((column, f"`{column}`") for column in ([of] if isinstance(of, str) else of))
    key = tuple(column for column, _ in layer) if name.startswith("forward") else ()
    return Property(name, key, (layer,))


def implied(one: Property) -> tuple[Property, ...]:
    """A property with all that it implies: T8 -> T9, T14; T13 -> T15 -> T16, T17 -> T18."""
    match one.name:
        case "filter":
            return one, Property("backward total map", layers=None), dispatcher()
        case "forward key map":
            return one, *implied(key_preserving(*one.key))
        case "key-preserving":
            return one, keyed(*one.key), context_free(), aggregator()
        case "context-free":
            return one, aggregator()
        case _:
            return (one,)


def composed(name: str, *maps: Property) -> Property:
    """Maps one after the other, in the order they are gone, as one of that name.

    >>> str(composed("forward key map", forward_key({"m": "month(d)"}), forward_key({"q": "m div 4"})))
    'forward key map month(d) -> m div 4 -> q'
    """
    layers = tuple(layer for one in maps for layer in one.layers or ())
    made = Property(name, layers=layers or None)
    return replace(made, key=made.ends) if name.startswith("forward") else made


def mentioned(expressions: Iterable[str]) -> frozenset[str]:
    """Names of columns in SQL expressions, and perhaps others: what is not surely a word of SQL counts.

    >>> sorted(mentioned(["upper(`a b`)", "x + CAST(y AS int)", "'z'"]))
    ['a b', 'x', 'y']
    """
    found = (_NAMED.findall(_TYPED.sub(" ", _QUOTED.sub(" ", one))) for one in expressions)
    return frozenset(
        quoted.replace("``", "`") or plain for few in found for quoted, plain in few if plain.lower() not in _WORDS
    )
