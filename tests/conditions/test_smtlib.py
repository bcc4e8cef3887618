"""Conditions as SMT-LIB: with the values of a row they are true where a database finds them true, and only there."""

from __future__ import annotations

import re
from random import Random

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from mdw.conditions.sentences import Becomes, Fails, Holds, Sentence, kinds_of
from mdw.conditions.smtlib import Script, shown
from mdw.conditions.solver import answers
from mdw.model.expressions import (
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
)
from mdw.model.standard_sql import expression_sql, to_sql

KINDS = {"A": "string", "B": "string", "N": "number", "M": "number", "D": "date", "E": "date"}
TYPES = {"string": "VARCHAR", "number": "DECIMAL(18,3)", "date": "DATE"}
VALUES = {
    "string": ("ab", "abc", "b", "a_%", 'ä"\\', "Z"),
    "number": ("0", "1", "-2.5", "10", "2"),
    "date": ("2015-01-01", "2014-12-31", "0987-06-05"),
}
PATTERNS = ("a%", "_b%", "%c", "%", "_", "a__", "ab")
KIND = {"number": "number", "string": "text", "date": "day"}


def constant(draw: Random, kind: str) -> Const:
    return Const(kind, draw.choice(VALUES[kind]))  # type: ignore[arg-type]


def attribute(draw: Random, kind: str) -> Attr:
    return Attr(draw.choice([name for name, of in KINDS.items() if of == kind]))


def expression(draw: Random, kind: str) -> Expression:
    if kind == "number" and draw.random() < 0.4:
        return Compute(draw.choice("+-*"), attribute(draw, kind), draw.choice([attribute, constant])(draw, kind))
    if kind == "string" and draw.random() < 0.4:
        if draw.random() < 0.5:
            return Concat((attribute(draw, kind), constant(draw, kind), attribute(draw, kind)))
        return Call("SUBSTR", (attribute(draw, kind), Const("number", "2"), Const("number", "3")))
    return attribute(draw, kind)


def leaf(draw: Random) -> Condition:
    kind = draw.choice(list(VALUES))
    match draw.randrange(5):
        case 0:
            return IsNull(expression(draw, kind))
        case 1:
            return In(expression(draw, kind), tuple(constant(draw, kind) for _ in range(2)))
        case 2:
            return Like(expression(draw, "string"), draw.choice(PATTERNS))
        case _:
            other = draw.choice([expression, constant])(draw, kind)
            return Compare(draw.choice(["=", "!=", "<", "<=", ">", ">="]), expression(draw, kind), other)


def asked(draw: Random, depth: int) -> Condition:
    if not depth or draw.random() < 0.2:
        return leaf(draw)
    if draw.random() < 0.2:
        return Not(asked(draw, depth - 1))
    return draw.choice([And, Or])(tuple(asked(draw, depth - 1) for _ in range(2)))


def kinds(name: str) -> frozenset[str]:
    return frozenset((KINDS[name],))


def row(draw: Random) -> dict[str, Const]:
    nothing = Const("null", "")
    return {name: nothing if draw.random() < 0.2 else constant(draw, kind) for name, kind in KINDS.items()}


def found(sentence: Sentence, given: dict[str, Const]) -> bool:
    """Whether the sentence can hold of the row."""
    script = Script(kinds)
    said = [script.said(Becomes(name, ((None, value),))) for name, value in given.items()]
    said.append(script.said(sentence))
    lines = [*script.head(), *(shown(("assert", one)) for one in said), "(check-sat)"]
    [answer] = answers("\n".join(lines))
    assert answer in ("sat", "unsat"), answer
    return answer == "sat"


@settings(max_examples=200)
@given(st.randoms(use_true_random=False))
def test_a_condition_holds_where_a_database_finds_it_true(draw: Random) -> None:
    condition, given = asked(draw, 2), row(draw)
    columns = ", ".join(
        f"CAST({expression_sql(value)} AS {TYPES[KINDS[name]]}) AS {name}" for name, value in given.items()
    )
    [[true]] = duckdb.sql(f"SELECT coalesce({to_sql(condition)}, false) FROM (SELECT {columns})").fetchall()
    assert found(Holds(condition), given) is true
    assert found(Fails(condition), given) is not true


def test_the_first_case_that_is_true_gives_the_value() -> None:
    first = Compare("=", Attr("N"), Const("number", "1")), Const("string", "one")
    second = Compare(">", Attr("N"), Const("number", "0")), Attr("B")
    becomes = Becomes("A", (first, second))
    for number, value in (("1", "one"), ("2", "b"), ("0", None), (None, None)):
        given = {"N": Const("number", number) if number else Const("null", ""), "B": Const("string", "b")}
        other = {**given, "A": Const("string", value) if value else Const("null", "")}
        assert found(becomes, other)
        assert not found(becomes, {**given, "A": Const("string", "else")})


def test_what_databases_decide_each_in_its_own_way_is_open() -> None:
    for text, possible in (("01", {True, False}), ("x", {False})):
        same = Compare("=", Attr("A"), Const("string", text))
        script = Script(lambda _: frozenset(("string", "number")))
        value = script.said(Becomes("A", ((None, Const("number", "1")),)))
        found = set()
        for truth, sentence in ((True, Holds(same)), (False, Fails(same))):
            said = script.said(sentence)
            lines = [*script.head(), shown(("assert", value)), shown(("assert", said)), "(check-sat)"]
            found |= {truth} if answers("\n".join(lines)) == ["sat"] else set()
        assert found == possible


def test_attributes_share_the_kinds_of_what_they_are_compared_with() -> None:
    chain = [Holds(Compare("=", Attr(left), Attr(right))) for left, right in (("A", "B"), ("B", "C"), ("C", "D"))]
    told = kinds_of([*chain, Holds(Compare("<", Attr("D"), Const("date", "2015-01-01")))])
    assert {*told.values()} == {frozenset(("date",))}
    mixed = kinds_of([Holds(In(Attr("A"), (Const("string", "x"), Const("number", "1"))))])
    assert mixed["A"] == {"string", "number"}
    assert kinds_of([Holds(Like(Attr("A"), "a%"))])["A"] == {"string"}
    assert kinds_of(chain)["A"] == {"number"}


def test_long_terms_are_broken_into_lines() -> None:
    many = Or(tuple(Compare("=", Attr(name), Const("string", "x" * 40)) for name in "AB" * 2))
    text = shown(Script(kinds).said(Holds(many)))
    assert max(map(len, text.splitlines())) < 80
    assert re.sub(r"\s+", " ", text).count("(= |") == 4
