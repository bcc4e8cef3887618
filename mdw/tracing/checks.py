"""What each property says of one bag of rows (rules T8-T19): why it does not hold, "", or None if it cannot show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random

from mdw.tracing.draws import Row
from mdw.tracing.map_checks import backward, forward
from mdw.tracing.subsets import parts_by_pairs
from mdw.tracing.trial import Rows, Try, most, shown, told

FEW = 4
"""Rows of which all partitions are looked at."""


def _filter(tried: Try) -> str | None:
    at = [tried.trial.columns.index(column) for column in tried.one.key if column in tried.trial.columns]
    kept: dict[Row, bool] = {}
    for row in tried.rows:
        alone = tried.run((row,))
        if alone and alone != Counter([row]):
            return f"{row} alone gives {told(alone)}, not itself"
        tested = tuple(row[number] for number in at)
        if tried.one.key and kept.setdefault(tested, bool(alone)) != bool(alone):
            return f"rows with {_equal(tried.one.key, tested)} are kept and left out"
    return _dispatcher(tried) if len(tried.rows) != 1 else ""


def _dispatcher(tried: Try) -> str | None:
    if not tried.rows:
        return tried.nothing()
    if len(tried.rows) == 1:
        return None
    part, rest = _halved(tried.rows, tried.random)
    whole, parts = tried.run(tried.rows), tried.run(part) + tried.run(rest)
    return "" if whole == parts else f"together they give {told(whole)}, apart {told(parts)}"


def _key_preserving(tried: Try) -> str | None:
    if not tried.rows:
        return tried.nothing()
    key = tried.key
    parts: dict[Row, list[Row]] = {}
    for row in tried.rows:
        alone = tried.run((row,))
        if alone.total() != 1:
            return f"{row} alone gives {alone.total()} rows"
        parts.setdefault(key(next(iter(alone))), []).append(row)
    for value, part in parts.items():
        some = tried.random.sample(part, tried.random.randint(1, len(part)))
        given = tried.run(some)
        if [key(row) for row in given.elements()] != [value]:
            return f"of the part {value} {shown(some)} give {told(given)}"
    return _in_parts(tried, tried.rows, list(parts.values()))


def _keyed(tried: Try) -> str | None:
    if not tried.rows:
        return tried.nothing()
    key = tried.key
    keys = [key(row) for row in tried.run(tried.rows).elements()]
    if len(set(keys)) < len(keys):
        return f"{most(keys)} is the key of several rows"
    alone = {key(row) for each in tried.rows for row in tried.run((each,))}
    if alone != set(keys):
        return f"together they give the keys {shown(sorted(keys, key=repr))}, alone {shown(sorted(alone, key=repr))}"
    return None if len(tried.rows) == 1 else ""


def _context_free(tried: Try) -> str | None:
    if not tried.rows:
        return tried.nothing()
    rows = tried.rows

    def run(places: Sequence[int]) -> Rows:
        return tried.run([rows[place] for place in places])

    parts = parts_by_pairs(len(rows), run)
    part_of = {place: number for number, part in enumerate(parts) for place in part}
    for first, second in combinations(range(len(rows)), 2):
        if (run((first, second)).total() == 1) != (part_of[first] == part_of[second]):
            return f"{rows[first]} and {rows[second]} share a part or not as others are there"
    return _in_parts(tried, rows, [[rows[place] for place in part] for part in parts])


def _aggregator(tried: Try) -> str | None:
    rows = tried.rows[:FEW]
    if not rows:
        return tried.nothing()
    whole = tried.run(rows)
    found = {frozenset(Counter(map(_bag, parts)).items()) for parts in _partitions(rows) if _gives(tried, parts, whole)}
    if len(found) == 1:
        return ""
    how = "no way" if not found else f"{len(found)} ways"
    return f"there is {how} to part them so that each part gives one row of {told(whole)}"


def _inverse(tried: Try) -> str | None:
    whole = tried.run(tried.rows)
    if not tried.rows or not whole or tried.one.function is None:
        return None
    back = tried.trial.call(tried.one.function, list(whole.elements()), None)
    if back != Counter(tried.rows):
        return f"from {told(whole)} it leads back to {told(back)}"
    for row in whole:
        part = tried.trial.call(tried.one.function, [row], None)
        rest = Counter(tried.rows) - part
        if not part <= Counter(tried.rows) or tried.run(list(part.elements())) != Counter([row]):
            return f"from {row} alone it leads back to {told(part)}"
        if tried.run(list(rest.elements())) != whole - Counter([row]):
            return f"without {told(part)} the others do not stay"
    return ""


def _procedure(tried: Try) -> str | None:
    whole = tried.run(tried.rows)
    if not whole or tried.one.function is None:
        return None
    for row, copies in whole.items():
        part = tried.trial.call(tried.one.function, [row], tried.rows if tried.one.takes_input else None)
        if tried.one.takes_input and not set(part) <= set(tried.rows):
            return f"of {row} it gives {told(part)}, which are not of the input"
        taken = [each for each in tried.rows if each in part]
        if tried.run(taken)[row] < copies:
            return f"of {row} it gives {told(part)}, which do not make it"
    return ""


CHECKS: Mapping[str, Callable[[Try], str | None]] = {
    "filter": _filter,
    "backward total map": backward,
    "inverse": _inverse,
    "procedure": _procedure,
    "backward key map": backward,
    "forward key map": forward,
    "dispatcher": _dispatcher,
    "key-preserving": _key_preserving,
    "keyed": _keyed,
    "context-free": _context_free,
    "aggregator": _aggregator,
    "forward map": forward,
    "backward map": backward,
}


def _in_parts(tried: Try, rows: Sequence[Row], parts: Sequence[Sequence[Row]]) -> str | None:
    """Whether each part gives one row, and all together these."""
    given = [tried.run(part) for part in parts]
    for part, few in zip(parts, given, strict=True):
        if few.total() != 1:
            return f"the part {shown(part)} gives {told(few)}"
    whole = tried.run(rows)
    if whole != sum(given, Counter()):
        return f"together they give {told(whole)}, in parts {told(sum(given, Counter()))}"
    return None if len(rows) == 1 else ""


def _partitions(rows: Sequence[Row]) -> list[list[list[Row]]]:
    """All ways to part rows."""
    if not rows:
        return [[]]
    found = []
    for parts in _partitions(rows[1:]):
        found.append([[rows[0]], *parts])
        found += [[*parts[:at], [rows[0], *parts[at]], *parts[at + 1 :]] for at in range(len(parts))]
    return found


def _gives(tried: Try, parts: Sequence[Sequence[Row]], whole: Rows) -> bool:
    given = [tried.run(part) for part in parts]
    return all(few.total() == 1 for few in given) and sum(given, Counter()) == whole


def _halved(rows: Sequence[Row], random: Random) -> tuple[list[Row], list[Row]]:
    """Rows in two parts, neither empty."""
    mixed = random.sample(rows, len(rows))
    at = random.randint(1, len(rows) - 1)
    return mixed[:at], mixed[at:]


def _bag(rows: Sequence[Row]) -> frozenset[tuple[Row, int]]:
    return frozenset(Counter(rows).items())


def _equal(columns: Sequence[str], values: Row) -> str:
    return " and ".join(f"{column} = {value!r}" for column, value in zip(columns, values, strict=True))
