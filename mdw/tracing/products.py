"""Two transformations as one: which property the second after the first has (tracing.md, Products; seed 001, (4)).

Only pairs that keep exact answers are here; no other pair does.

>>> from mdw.tracing.properties import dispatcher, keyed, row_filter
>>> str(product([dispatcher()], [keyed("k")])), product([keyed("k")], [dispatcher()])
('keyed (k)', None)
>>> str(product([keyed("k", "l")], [row_filter("k")]))
'keyed (k, l)'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdw.tracing.properties import Property, composed, dispatcher, implied, key_preserving, keyed, row_filter

FORWARD = ("forward key map", "forward map")


def product(first: Iterable[Property], second: Iterable[Property]) -> Property | None:
    """The best property of ``second`` after ``first``, from all that each has; None if no rule gives one."""
    before = [one for declared in first for one in implied(declared)]
    after = [one for declared in second for one in implied(declared)]
    found = [made for one in before for other in after for made in _pair(one, other, after)]
    return min(found, key=lambda one: one.rank, default=None)


def _pair(first: Property, second: Property, after: list[Property]) -> Iterator[Property]:
    match first.name, second.name:
        case "filter", "filter":
            # What the first tests is looked at in rows of the same columns.
            yield row_filter(*(dict.fromkeys((*first.key, *second.key)) if first.key and second.key else ()))
        case "filter" | "dispatcher", "filter" | "dispatcher":
            yield dispatcher()
        case "filter" | "dispatcher", "key-preserving" | "keyed":
            yield keyed(*second.key)
        case "key-preserving" | "keyed", "key-preserving" if _follows(second, first, after):
            yield (key_preserving if first.name == "key-preserving" else keyed)(*second.key)
        case "keyed", "filter" if second.key and set(second.key) <= set(first.key):
            yield keyed(*first.key)
        case "forward key map", "forward key map" if second.starts <= set(first.ends):
            yield composed("forward key map", first, second)
        case (("backward total map" | "backward key map"), ("backward total map" | "backward key map")):
            if _covers(second, first):
                yield composed(first.name, second, first)


def _follows(second: Property, first: Property, after: list[Property]) -> bool:
    """Whether the second's key is a function of the first's: some declared maps say so of each of its columns."""
    of_key = {column for one in after if one.name in FORWARD and one.starts <= set(first.key) for column in one.ends}
    return set(second.key) <= of_key


def _covers(second: Property, first: Property) -> bool:
    """Whether a backward map of the second gives all columns that the first's starts from."""
    if second.name == "backward total map":
        return True
    return first.layers is not None and first.starts <= set(second.ends)
