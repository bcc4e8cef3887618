"""Initial conditions given as values: the text they become means the same to the reader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdw import QuestionError, Warehouse
from mdw.language.questions import IDENTIFIER, WORDS, initial_condition, when_text
from mdw.model.expressions import And, Attr, Compare, Condition, Const, In, IsNull, Or, decimal_text
from mdw.model.walks import attributes_of

NUMBERS = (
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False)
)
PLAIN = st.text() | NUMBERS | st.dates() | st.just(31122013)
PARTS = st.text(st.characters(exclude_characters="`\n.", exclude_categories=["Cs"]), min_size=1) | st.sampled_from(
    sorted(WORDS)
)
NAMES = st.lists(PARTS, min_size=1, max_size=3).map(".".join)


def constant(value: Any) -> Const:
    """What a value means."""
    if isinstance(value, str):
        return Const("string", value)
    if isinstance(value, date):
        return Const("date", value.isoformat())
    return Const("number", decimal_text(Decimal(str(value))))


def attribute(name: str) -> Attr:
    """The attribute a name means, of the asked entity if it has none."""
    parts = name.split(".")
    folded = [part.upper() if IDENTIFIER.fullmatch(part) else f"`{part}`" for part in parts]
    return Attr(".".join(folded if len(parts) > 1 else ["E", *folded]))


def read(when: Any) -> Condition | None:
    """The condition the text of a mapping is read as."""
    return initial_condition(when_text(when), "E.A")


@given(NAMES, PLAIN)
def test_a_value_is_what_the_attribute_equals(name: str, value: Any) -> None:
    assert read({name: value}) == Compare("=", attribute(name), constant(value))


@given(NAMES, st.lists(PLAIN, min_size=1), st.sampled_from([list, tuple, set, frozenset]))
def test_several_values_are_any_of_them(name: str, values: list[Any], kind: type[Iterable[Any]]) -> None:
    given_ = kind(values)
    found = read({name: given_})
    assert isinstance(found, In)
    assert found.subject == attribute(name)
    assert sorted(map(str, found.constants)) == sorted(str(constant(value)) for value in given_)
    assert read({name: kind([*values, None])}) in (Or((one, IsNull(attribute(name)))) for one in [found])


def test_none_is_null_and_several_attributes_are_joined() -> None:
    first, second = Compare("=", Attr("E.A"), Const("string", "x")), IsNull(Attr("S.`b c`"))
    assert read({"a": "x", "S.b c": None}) == And((first, second))
    assert read({"a": [None]}) == IsNull(Attr("E.A"))
    assert read({"`AND`": "x", "a": None}) == And(
        (Compare("=", Attr("E.AND"), Const("string", "x")), IsNull(Attr("E.A")))
    )


def test_functions_and_words_of_the_language_are_no_names() -> None:
    text = "UPPER(A) = 'x' AND CASE WHEN B IS TRUE THEN C ELSE NULL END IS NOT DISTINCT FROM LOWER (D)"
    found = read(text)
    assert found
    assert dict.fromkeys(attributes_of(found)) == dict.fromkeys(["E.A", "E.B", "E.C", "E.D"])


@pytest.mark.parametrize("when", [None, "", "  ", {}])
def test_nothing_is_no_condition(when: Any) -> None:
    assert read(when) is None


@pytest.mark.parametrize(
    ("when", "says"),
    [
        (5, "or None, not int"),
        ([("A", 1)], "or None, not list"),
        (b"A = 1", "or None, not bytes"),
        ({"A": True}, "the condition on A names a bool: constants are texts, numbers and days"),
        ({"A": [1, [2]]}, "names a list"),
        ({"A": {"B": 1}}, "names a dict"),
        ({"A": b"x"}, "names a bytes"),
        ({"A": datetime(2015, 1, 31)}, "names a datetime"),
        ({5: "x"}, "an attribute is named by a text, not by int: 5"),
    ],
)
def test_what_is_no_condition_is_refused(when: Any, says: str) -> None:
    with Warehouse() as warehouse:
        warehouse.load("WHEN POPULATING T FROM S POPULATE T.A WITH S.A")
        for ask in (warehouse.lineage, warehouse.impact):
            with pytest.raises(TypeError, match=re.escape(says)):
                ask("T.A", when=when)


@pytest.mark.parametrize(
    ("when", "says"),
    [
        ({"A": []}, "the condition on A names no value"),
        ({"A": nan}, "the condition on A names NaN, which is no number"),
        ({"A": -inf}, "names -Infinity"),
        ({"": 1}, "'' is no name of an attribute"),
        ({"S..A": 1}, "'S..A' is no name"),
        ({"A`B": 1}, "'A`B' is no name"),
        ({"A\nB": 1}, "is no name"),
    ],
)
def test_values_no_rule_can_name_are_refused(when: Any, says: str) -> None:
    with pytest.raises(QuestionError, match=re.escape(says)):
        when_text(when)


def test_answers_show_the_text_of_the_condition() -> None:
    with Warehouse() as warehouse:
        warehouse.load('WHEN POPULATING T FROM S POPULATE T.A WITH S.B IF S.C = "it\'s" WITH S.D')
        assert warehouse.lineage("T.A", when=None).when == ""
        answer = warehouse.lineage("T.A", when={"S.C": "it's"})
        assert (answer.when, [end.attribute for end in answer.golden]) == ('S.C = "it\'s"', ["S.B"])
        assert answer.golden == warehouse.lineage("T.A", when=answer.when).golden
        assert [end.attribute for end in warehouse.impact("S.D", when={"C": "it's"}).final] == []
