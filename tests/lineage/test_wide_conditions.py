"""Conditions over many attributes, and numbers nobody counts with, are answered: exactly, or it is said."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mdw import Warehouse
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.products import boxes

MANY = 1500 if "MDW_EXAMPLES" in os.environ else 400
CONDITIONS = {
    "every one": " AND ".join(f"A.X{number} = {number}" for number in range(MANY)),
    "one of them": " OR ".join(f"A.X{number} = {number}" for number in range(MANY)),
    "compared": " OR ".join(f"A.X{number} > A.Y{number}" for number in range(MANY // 3)),
    "one value": " OR ".join(f"A.X1 = {number}" for number in range(8 * MANY)),
    "neighbours": " AND ".join(f"NOT (A.X{number} = 1 AND A.X{number + 1} = 2)" for number in range(MANY // 3)),
    "pairs": " AND ".join(f"(A.X{number} = {number} OR A.Y{number} > A.Z{number})" for number in range(MANY // 10)),
}
NUMBERS = ('"NaN"', '"1e999999"', '"Infinity"', "9" * 5000, f'"{"9" * 5000}"', f"0.{'0' * 4999}1")
VALUES = ("{0} + 1", "{0} * {0}", "{0} - {0}", "A.Y / {0}", "SUBSTR(A.Y, {0}, {0})", "ROUND(A.Y, {0})", "ABS({0})")


def loaded(tmp_path: Path, value: str, condition: str) -> Warehouse:
    """A mapping fills T.B with the value where the condition holds, another takes it further for T.C = 3."""
    path = tmp_path / "wide.map"
    path.write_text(f"""MAPPING m:
WHEN POPULATING T FROM A
  POPULATE T.B WITH {value} IF {condition}
  POPULATE T.C WITH A.X1
MAPPING n:
WHEN POPULATING U FROM T
  POPULATE U.D WITH T.B
SELECT ROWS WHERE T.C = 3
""")
    warehouse = Warehouse()
    report = warehouse.load(path)
    report.raise_for_errors()
    return warehouse


@pytest.mark.parametrize("kind", CONDITIONS)
def test_one_condition_over_many_attributes_is_answered(kind: str, tmp_path: Path) -> None:
    """Quickly, in Python's own stack, with its text; what is not told apart is said."""
    with loaded(tmp_path, "A.B", CONDITIONS[kind]) as warehouse:
        begun = time.process_time()
        answer = warehouse.lineage("U.D")
        shown = str(answer)
        every = {one.attribute: one for one in warehouse.lineage_all()}
        assert time.process_time() - begun < 60
    if kind == "every one":
        # X1 is 1 there and 3 here.
        assert not answer.golden
        assert not every["U.D"].golden
    else:
        assert [one.attribute for one in answer.golden] == ["A.B"]
        assert "A.B" in shown
    if kind in ("pairs", "neighbours"):
        (end,) = answer.golden
        assert "cases" in str(end.readable.open)


@pytest.mark.parametrize("number", NUMBERS, ids=("nan", "power", "infinity", "digits", "digits as text", "small"))
def test_numbers_that_nobody_counts_with_keep_their_steps(number: str, tmp_path: Path) -> None:
    forms = [form for form in VALUES if number.isdigit() or "SUBSTR" not in form]
    value = " || ".join(f"({form.format(number)})" for form in forms)
    with loaded(tmp_path, f"A.B || {value}", f"A.Y + {number} > 2 OR A.Y IN (1, {number})") as warehouse:
        answer = warehouse.lineage("U.D", when="D = 3")
        assert "A.B" in {one.attribute for one in answer.golden}
        assert str(answer)


def test_operations_on_long_conditions_say_what_they_say_on_short_ones() -> None:
    """Two conditions over 2,000 variables, taken together in both orders, negated, and with half of them forgotten."""
    diagram = Diagram(limit=1 << 20)
    variables = [diagram.variable(number, 0b111) for number in range(2000)]
    odd = even = TRUE
    for one in reversed(variables):
        odd, even = (
            (diagram.both(diagram.allow(one, 0b011), odd), even)
            if one % 2
            else (odd, diagram.both(diagram.allow(one, 0b110), even))
        )
    met = diagram.both(odd, even)
    assert met == diagram.both(even, odd)
    assert len(diagram.support(met)) == 2000
    either = diagram.negate(diagram.both(diagram.negate(odd), diagram.negate(even)))
    assert either == diagram.either(odd, even)
    assert diagram.exists(met, lambda one: one % 2 == 0) == odd
    assert diagram.both(met, diagram.negate(odd)) == FALSE
    assert diagram.replace(met, diagram.allow) == met
    assert next(boxes(diagram, met)) == {one: 0b011 if one % 2 else 0b110 for one in variables}
