"""Functions and arithmetic: whatever a database makes of a condition on a value, value sets and Z3 hold possible."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdw.conditions.cuts import Usage
from mdw.conditions.diagram import Diagram
from mdw.conditions.regions import Regions
from mdw.conditions.solver import Solver
from mdw.conditions.terms import Terms
from mdw.conditions.values import evaluate
from mdw.model.expressions import And as All
from mdw.model.expressions import (
    Attr,
    Call,
    Compare,
    Compute,
    Condition,
    Const,
    Expression,
    Like,
    Variable,
)
from mdw.model.standard_sql import expression_sql, to_sql

V = Attr("V")
VALUES: dict[str, list[str | None]] = {
    "string": ["ab", "abc", "AB", "a", "ba", " a ", "c", None],
    "number": ["0", "1", "-1", "2", "2.5", "-2.5", "3", "10", None],
    "date": ["2015-01-01", "2015-12-31", "2016-01-01", "2014-06-15", None],
}
TYPES = {"string": "VARCHAR", "number": "DECIMAL(18,6)", "date": "DATE"}
CONSTANTS = {kind: [Const(kind, text) for text in texts if text] for kind, texts in VALUES.items()}  # type: ignore[arg-type]


def number(text: str) -> Const:
    return Const("number", text)


def call(function: str, *arguments: Expression) -> Call:
    return Call(function, arguments)


TEXTS = [
    call("UPPER", V),
    call("LOWER", V),
    call("TRIM", V),
    call("COALESCE", V, Const("string", "a")),
    *(
        call("SUBSTR", V, number(first), number(last))
        for first, last in (("1", "2"), ("2", "3"), ("1", "1"), ("1", "4"))
    ),
]
NUMBERS = [
    call("ABS", V),
    call("ROUND", V),
    call("COALESCE", V, number("2")),
    call("ABS", Compute("-", V, number("2"))),
    Compute("/", V, number("4")),
    Compute("-", number("1"), Compute("*", V, number("3"))),
    Compute("/", number("6"), V),
    Compute("*", V, V),
]
DAYS = [call(part, V) for part in ("YEAR", "MONTH", "DAY")]
SUBJECTS: dict[str, list[tuple[Expression, str]]] = {
    "string": [*((one, "string") for one in [V, *TEXTS]), (call("LENGTH", V), "number")],
    "number": [(one, "number") for one in [V, *NUMBERS]],
    "date": [(V, "date"), *((one, "number") for one in DAYS), (call("COALESCE", V, CONSTANTS["date"][0]), "date")],
}
YEARS = [number(text) for text in ("1", "6", "12", "31", "2014", "2015")]


@st.composite
def leaves(draw: st.DrawFn, kind: str) -> Condition:
    subject, given_ = draw(st.sampled_from(SUBJECTS[kind]))
    if given_ == "string" and draw(st.integers(0, 2)) == 0:
        return Like(subject, draw(st.sampled_from(["a%", "b%", "%b", "_b%", "ab", "A_"])))
    constants = YEARS if kind == "date" and given_ == "number" else CONSTANTS[given_]
    return Compare(draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="])), subject, draw(st.sampled_from(constants)))


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, list[Condition]]:
    kind = draw(st.sampled_from(sorted(SUBJECTS)))
    return kind, draw(st.lists(leaves(kind), min_size=1, max_size=3))


@cache
def table(kind: str) -> Any:
    found = duckdb.connect(":memory:")
    found.execute(f"CREATE TABLE t (N INTEGER, V {TYPES[kind]})")
    for place, value in enumerate(VALUES[kind]):
        found.execute("INSERT INTO t VALUES (?, ?)", [place, value])
    return found


def usage(parts: list[Condition]) -> Usage:
    found = Usage(ordered=True)
    for part in parts:
        if isinstance(part, Compare) and part.left == V and isinstance(part.right, Const):
            found.constants.add(part.right)
        elif isinstance(part, Like) and part.subject == V:
            found.patterns.add(part.pattern)
    return found


@settings(max_examples=150)
@given(questions())
def test_what_a_database_finds_true_or_false_is_possible(question: tuple[str, list[Condition]]) -> None:
    kind, parts = question
    rows = (
        table(kind).execute(f"SELECT {', '.join(f'({to_sql(part)})' for part in parts)} FROM t ORDER BY N").fetchall()
    )
    regions = Regions(usage(parts))
    diagram = Diagram(10_000)
    variable = diagram.variable("V", regions.domain)
    terms = Terms(diagram, lambda _: regions)
    solver = Solver(diagram, lambda _: regions)
    for value, row in zip(VALUES[kind], rows, strict=True):
        constant = Const(kind, value) if value else Const("null", "")  # type: ignore[arg-type]
        free = diagram.allow(variable, regions.bit(constant))
        for part, verdict in zip(parts, row, strict=True):
            known = terms.read(part, lambda _, constant=constant: constant)  # type: ignore[misc]
            read = terms.read(part, lambda _: Variable(variable))
            assert verdict is None or known[not verdict], f"{part} of {value} is {verdict}, not {known}"
            wanted = diagram.negate(diagram.either(*read)) if verdict is None else read[not verdict]
            free = diagram.both(free, wanted)
        assert solver.check(free) != "contradictory", f"{value}: {row}"


@settings(max_examples=100)
@given(st.sampled_from(sorted(SUBJECTS)), st.data())
def test_what_is_made_of_constants_is_what_a_database_makes(kind: str, data: st.DataObject) -> None:
    subject, given_ = data.draw(st.sampled_from(SUBJECTS[kind]))
    constant = data.draw(st.sampled_from(CONSTANTS[kind]))
    found = evaluate(subject, lambda _: constant)
    if isinstance(found, Const):
        (value,) = (
            table(kind)
            .execute(f"SELECT {expression_sql(subject)} FROM t WHERE V = {expression_sql(constant)}")
            .fetchone()
        )
        # A quotient by zero is NULL.
        assert found.kind == ("null" if value is None else given_)
        if value is None:
            return
        if given_ == "number":
            assert float(Decimal(found.text)) == pytest.approx(float(value))
        else:
            assert found.text == (value.isoformat() if isinstance(value, date) else value)


@pytest.mark.parametrize(
    ("function", "argument", "expected"),
    [
        ("UPPER", Const("string", "aB"), Const("string", "AB")),
        ("UPPER", Const("string", "ä"), None),
        ("TRIM", Const("string", "  "), None),
        ("LENGTH", Const("string", "abc"), number("3")),
        ("LENGTH", Const("string", "abc "), None),
        ("ROUND", number("2.4"), number("2")),
        ("ROUND", number("-2.6"), number("-3")),
        ("ROUND", number("2.5"), None),
        ("YEAR", Const("date", "2015-02-01"), number("2015")),
        ("MD5", number("1"), None),
    ],
)
def test_constants_fold_where_every_database_agrees(function: str, argument: Const, expected: Const | None) -> None:
    found = evaluate(call(function, argument), lambda _: None)
    assert found == (expected or call(function, argument))


def verdict(kind: str, *parts: Condition) -> str:
    regions = Regions(usage(list(parts)))
    diagram = Diagram(10_000)
    variable = diagram.variable("V", regions.domain)
    terms = Terms(diagram, lambda _: regions)
    return Solver(diagram, lambda _: regions).check(terms.read(All(parts), lambda _: Variable(variable))[0])


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("string", [Compare("=", TEXTS[4], Const("string", "CA")), Like(V, "SA%")]),
        ("string", [Compare("=", TEXTS[4], Const("string", "CAT"))]),
        ("string", [Like(V, "abc"), Compare("!=", V, Const("string", "abc")), Like(V, "a%")]),
        ("string", [Compare("<", call("LENGTH", V), number("0"))]),
        ("string", [Compare("=", TEXTS[3], Const("string", "b")), Compare("=", V, Const("string", "c"))]),
        ("number", [Compare("<", call("ABS", V), number("0"))]),
        ("number", [Compare("<=", call("ABS", V), number("1")), Compare(">", V, number("1"))]),
        ("number", [Compare("=", call("ROUND", V), number("3")), Compare("<", V, number("2"))]),
        ("number", [Compare("=", Compute("/", number("6"), V), number("2")), Compare("!=", V, number("3"))]),
        ("date", [Compare("=", call("YEAR", V), number("2015")), Compare("<", V, Const("date", "2015-01-01"))]),
        ("date", [Compare("=", call("MONTH", V), number("13"))]),
    ],
)
def test_what_functions_contradict_is_known(kind: str, parts: list[Condition]) -> None:
    assert verdict(kind, *parts) == "contradictory"
    assert (
        any(verdict(kind, *(parts[:place] + parts[place + 1 :])) == "possible" for place in range(len(parts)))
        or len(parts) == 1
    )


def test_of_a_function_that_may_take_null_for_a_value_nothing_is_known() -> None:
    assert evaluate(call("CONCAT", number("1")), lambda _: None) is None
