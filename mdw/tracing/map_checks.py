"""What a map says of one bag of rows (T9, T12, T13, T19): why it does not hold, "", or None if it cannot show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mdw.tracing.draws import Row
from mdw.tracing.trial import Rows, Try, most, shown, told


def forward(tried: Try) -> str | None:
    """Of a forward map or key map."""
    if not tried.rows:
        return tried.nothing() if tried.one.key else None  # a grand total has a row for no rows (T5)
    values = tried.trial.forward(tried.one.layers or (), tried.rows)
    whole = tried.run(tried.rows)
    because = _mapped(tried, values, {row: tried.key(row) for row in whole})
    if tried.one.name == "forward key map":
        return because or _any_rows(tried, values)
    return because or _shows(tried, whole)


def _any_rows(tried: Try, values: Sequence[Row]) -> str:
    """Any rows of a part give one row with its B."""
    for value in dict.fromkeys(values):
        part = [row for row, its in zip(tried.rows, values, strict=True) if its == value]
        for some in (part, tried.random.sample(part, tried.random.randint(1, len(part)))):
            given = tried.run(some)
            if [tried.key(row) for row in given.elements()] != [value]:
                return f"{shown(some)} with f(A) = {value} give {told(given)}"
    return ""


def backward(tried: Try) -> str | None:
    """Of a backward map, key map or total map."""
    at = [tried.trial.columns.index(column) for column in tried.one.ends]
    rows = tried.rows
    values = [tuple(row[number] for number in at) for row in rows]
    if tried.one.name == "backward key map" and len(set(values)) < len(values):
        # The property speaks of inputs in which A is a key; those of the data must be such.
        return f"{most(values)} is A of several rows" if tried.bag.genuine else None
    if not rows:
        return tried.nothing()
    whole = tried.run(rows)
    ends = dict(zip(whole, tried.trial.backward(tried.one.layers or (), list(whole)), strict=True))
    return _mapped(tried, values, ends) or _shows(tried, whole)


def _mapped(tried: Try, values: Sequence[Row], ends: Mapping[Row, Row]) -> str:
    """Of maps: rows with a value give the output rows with it, all others the others, and there are no more."""
    rows, whole = tried.rows, tried.run(tried.rows)
    for row, end in ends.items():
        if end not in values:
            return f"they give {row}, to which {end} leads and no row has that"
    for value in dict.fromkeys(values):
        part = [row for row, its in zip(rows, values, strict=True) if its == value]
        rest = [row for row, its in zip(rows, values, strict=True) if its != value]
        expected = Counter({row: count for row, count in whole.items() if ends[row] == value})
        if (given := tried.run(part)) != expected:
            return f"{shown(part)} alone give {told(given)}, with the others {told(expected)}"
        if (rest or tried.one.ends) and (given := tried.run(rest)) != whole - expected:
            return f"without {shown(part)} the others give {told(given)}, not {told(whole - expected)}"
    return ""


def _shows(tried: Try, whole: Rows) -> str | None:
    """A map that gives no rows of any part has not been tried."""
    return "" if whole and tried.rows else None
