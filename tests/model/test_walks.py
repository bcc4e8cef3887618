"""Walks over expressions and conditions."""

from typing import get_args

import pytest

from mdw.model.expressions import (
    Aggregate,
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
    Variable,
    Window,
)
from mdw.model.walks import PARTS, parts, walk, with_parts

A, B, ONE = Attr("S.A"), Attr("S.B"), Const("number", "1")
SAME = Compare("=", A, B)
SAMPLES = [
    (A, ()),
    (Variable(1), ()),
    (ONE, ()),
    (Compute("+", A, B), (A, B)),
    (Concat((A, B)), (A, B)),
    (Aggregate("SUM", A), (A,)),
    (Call("F", (A, ONE)), (A, ONE)),
    (Window(A, (B,)), (A, B)),
    (SAME, (A, B)),
    (In(A, (ONE,)), (A, ONE)),
    (Like(A, "x%"), (A,)),
    (IsNull(A), (A,)),
    (And((SAME,)), (SAME,)),
    (Or((SAME, SAME)), (SAME, SAME)),
    (Not(SAME), (SAME,)),
]


def test_every_class_of_expression_and_condition_has_parts() -> None:
    every = {*get_args(Expression), *get_args(Condition)}
    assert every == set(PARTS) == {type(item) for item, _ in SAMPLES}


@pytest.mark.parametrize(("item", "inner"), SAMPLES)
def test_parts_are_what_stands_in_an_item_and_make_it_again(item: Expression, inner: tuple[Expression, ...]) -> None:
    assert parts(item) == inner
    assert with_parts(item, inner) == item
    assert {*walk(item)} >= {item, *inner}
