"""Transformations over small bags of rows (x, y), their properties, and lineage by definition (rules T8-T18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

from mdw.tracing.properties import Layer, Property
from mdw.tracing.trial import FailedError

Row = tuple[Any, ...]
Function = Callable[[list[Row]], list[Row]]
XY = ("x", "y")
DOMAIN = tuple(product((0, 1, None), (0, 1)))


def bags(rows: Sequence[Row], most: int) -> Iterator[tuple[Row, ...]]:
    """Every bag of at most so many of these rows."""
    for size in range(most + 1):
        yield from combinations_with_replacement(rows, size)


def some_bags(random: Random, count: int, rows: Sequence[Row] = DOMAIN, most: int = 5) -> list[tuple[Row, ...]]:
    """Bags with copies and NULLs."""
    return [tuple(random.choices(rows, k=random.randint(0, most))) for _ in range(count)]


def worked_out(layers: Sequence[Layer], columns: Sequence[str], row: Row) -> Row:
    """What a map gives of a row; its expressions are Python too, and NULL where a column is."""
    names, values = columns, row
    for layer in layers:
        known = dict(zip(names, values, strict=True))
        values = tuple(_value(text.replace("`", ""), known) for _, text in layer)
        names = [column for column, _ in layer]
    return tuple(values)


def _value(text: str, known: dict[str, Any]) -> Any:
    try:
        return eval(text, {"__builtins__": {}}, known)
    except TypeError:
        return None


@dataclass
class SmallTrial:
    """A function of lists of rows, as `mdw.tracing.refuting` tries it."""

    function: Function
    columns: tuple[str, ...] = XY
    output: tuple[str, ...] = XY

    def run(self, rows: Sequence[Row]) -> Counter[Row]:
        try:
            return Counter(self.function(list(rows)))
        except (ZeroDivisionError, TypeError) as error:
            raise FailedError(f"it fails: {error}") from error

    def again(self, rows: Sequence[Row]) -> Counter[Row]:
        return self.run(list(reversed(rows)))

    def forward(self, layers: Sequence[Layer], rows: Sequence[Row]) -> list[Row]:
        return [worked_out(layers, self.columns, row) for row in rows]

    def backward(self, layers: Sequence[Layer], rows: Sequence[Row]) -> list[Row]:
        return [worked_out(layers, self.output, row) for row in rows]

    def call(self, function: Callable[..., Any], rows: Sequence[Row], source: Sequence[Row] | None) -> Counter[Row]:
        return Counter(function(list(rows)) if source is None else function(list(rows), list(source)))


def lineage(one: Property, trial: SmallTrial, rows: Sequence[Row], o: Row) -> set[Row]:
    """The rows that o was derived from, by the definition of a property: enumerated, nothing narrowed or halved."""
    run, key = trial.run, [trial.output.index(column) for column in one.key]
    its = tuple(o[at] for at in key)
    if o not in run(rows):
        return set()
    match one.name:
        case "filter":
            return {row for row in rows if row == o}
        case "backward total map" | "backward key map":
            layers = one.layers if one.layers is not None else [tuple((c, c) for c in trial.columns)]
            at = [trial.columns.index(column) for column, _ in layers[-1]]
            a = worked_out(layers, trial.output, o)
            return {row for row in rows if tuple(row[number] for number in at) == a}
        case "forward key map":
            return {row for row in rows if worked_out(one.layers or (), trial.columns, row) == its}
        case "dispatcher":
            return {row for row in rows if o in run([row])}
        case "key-preserving" | "keyed":
            return {row for row in rows if its in {tuple(out[at] for at in key) for out in run([row])}}
        case "context-free" | "aggregator":
            [parts] = partitions_that_give(trial, rows)
            return {row for part in parts for row in part if o in run(part)}
        case "inverse":
            return set(one.function([o]))  # type: ignore[misc]
        case _:
            raise NotImplementedError(one.name)


def partitions(rows: Sequence[Row]) -> Iterator[list[list[Row]]]:
    """All ways to part rows."""
    if not rows:
        yield []
        return
    for parts in partitions(rows[1:]):
        yield [[rows[0]], *parts]
        for at in range(len(parts)):
            yield [*parts[:at], [rows[0], *parts[at]], *parts[at + 1 :]]


def partitions_that_give(trial: SmallTrial, rows: Sequence[Row]) -> list[list[list[Row]]]:
    """The partitions, different up to equal rows, whose parts give one row each and together the output."""
    found = {}
    for parts in partitions(list(rows)):
        given = [trial.run(part) for part in parts]
        if all(one.total() == 1 for one in given) and sum(given, Counter()) == trial.run(rows):
            found[frozenset(Counter(frozenset(Counter(part).items()) for part in parts).items())] = parts
    return list(found.values())


def grouped(key: Callable[[Row], Any], value: Callable[[list[Row]], Any], having: int = 99) -> Function:
    """A row for each group of fewer rows than that: its key and a value."""

    def run(rows: list[Row]) -> list[Row]:
        groups: dict[Any, list[Row]] = {}
        for row in rows:
            groups.setdefault(key(row), []).append(row)
        return [(its, value(group)) for its, group in groups.items() if len(group) < having]

    return run


def each(makes: Callable[[Row], Iterable[Row]]) -> Function:
    """The rows that each row makes."""
    return lambda rows: [made for row in rows for made in makes(row)]


def composed(first: Function, second: Function) -> Function:
    return lambda rows: second(first(rows))


def total(column: int) -> Callable[[list[Row]], int]:
    """A sum modulo 2, so that what comes out are rows of the domain; in any order."""
    return lambda rows: sum(row[column] or 0 for row in rows) % 2


def largest(rows: list[Row]) -> int:
    return max(row[1] for row in rows)
