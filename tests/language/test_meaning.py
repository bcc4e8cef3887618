"""What the language says means these rules: tests of values (Q1), roles (Q7), totals (Q14) and what stands beside."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import rules_of
from whole import whole_mapping

from mdw.language.derive import derive
from mdw.model.expressions import NULL, Aggregate, And, Attr, Call, Compare, Const, Or, Window
from mdw.model.functions import repeats
from mdw.model.name import row_of
from mdw.model.rules import Clause, Head, Population, Rules
from mdw.model.text import expression_text, to_text
from mdw.model.walks import attributes_of, walk
from mdw.rdf.codec import decode_heads, encode_head

M = "WHEN POPULATING T FROM S "


def of(text: str) -> Rules:
    (rules,) = rules_of(text)
    return rules


def population(expression: str, more: str = "") -> Population:
    """The only population of a mapping that gives an expression."""
    (found,) = of(f"{M}POPULATE T.A WITH {expression} {more}").populations
    return found


def told(clause: Clause) -> str:
    text = expression_text(clause.expression)
    return f"{text} IF {to_text(clause.condition)}" if clause.condition is not None else text


def clauses(expression: str, more: str = "") -> list[str]:
    return [told(clause) for clause in population(expression, more).clauses]


def uses(expression: str, more: str = "") -> list[str]:
    """Each use of a source: how, and the test it has of its own."""
    found = [source for clause in population(expression, more).clauses for source in clause.sources]
    return [f"{use.attribute} {use.subtype}" + (f" IF {to_text(use.test)}" if use.test else "") for use in found]


# -- Q1: each use of a value has its own tests ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("S.X IF S.Y = 1", ["S.X IF S.Y = 1"]),
        ('CASE WHEN S.T = "a" THEN S.X ELSE 0 END', ['S.X IF S.T = "a"', "0"]),
        ('CASE WHEN S.T = "a" THEN S.X END', ['S.X IF S.T = "a"', "NULL"]),
        ("CASE WHEN S.T = 1 THEN S.X ELSE 0 END IF S.K > 1", ["S.X IF S.K > 1 AND S.T = 1", "0 IF S.K > 1"]),
        (
            "CASE WHEN S.T = 1 THEN CASE WHEN S.U = 2 THEN S.X ELSE S.Y END ELSE S.Z END",
            ["S.X IF S.T = 1 AND S.U = 2", "S.Y IF S.T = 1", "S.Z"],
        ),
        ("1 + CASE WHEN S.T = 1 THEN S.X ELSE S.Y END", ["1 + S.X IF S.T = 1", "1 + S.Y"]),
        (
            "CASE WHEN S.T = 1 THEN S.X END || CASE WHEN S.U = 2 THEN S.Y END",
            ["S.X || S.Y IF S.T = 1 AND S.U = 2", "S.X || NULL IF S.T = 1", "NULL || S.Y IF S.U = 2", "NULL || NULL"],
        ),
        ("COALESCE(S.X, S.Y, 0)", ["S.X IF S.X IS NOT NULL", "S.Y IF S.Y IS NOT NULL", "0"]),
        ("UPPER(COALESCE(S.X, S.Y))", ["UPPER(COALESCE(S.X, S.Y))"]),
        ("TEST(S.X = 1)", ["TRUE IF S.X = 1", "FALSE IF NOT S.X = 1", "NULL"]),
        ("CAST(1 AS \"INT\") + CAST('2015-01-31' AS 'date')", ["1 + 31.01.2015"]),
        ('CAST(S.X AS "int")', ['CAST(S.X AS "INT")']),
        ('FIELD(S.X, "a.b")', ["FIELD a.b(S.X)"]),
    ],
)
def test_a_choice_is_one_clause_for_each_value(expression: str, expected: list[str]) -> None:
    assert clauses(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('SUM(CASE WHEN S.T = "a" THEN S.X END)', ['S.X AGGREGATION IF S.T = "a"', "S.T CONDITIONAL"]),
        (
            "SUM(CASE WHEN S.T = 1 THEN S.X ELSE S.Y END)",
            ["S.X AGGREGATION IF S.T = 1", "S.T CONDITIONAL", "S.Y AGGREGATION IF S.T != 1 OR S.T IS NULL"],
        ),
        ("MAX(COALESCE(S.X, S.Y))", ["S.X AGGREGATION", "S.X CONDITIONAL", "S.Y AGGREGATION IF S.X IS NULL"]),
        ("UPPER(COALESCE(S.X, S.Y))", ["S.X TRANSFORMATION", "S.X CONDITIONAL", "S.Y TRANSFORMATION IF S.X IS NULL"]),
        ("CASE WHEN S.T = 1 THEN S.X ELSE S.Y END", ["S.X IDENTITY", "S.T CONDITIONAL", "S.Y IDENTITY"]),
        ("S.X + 1", ["S.X TRANSFORMATION"]),
        ("COUNT(*)", []),
        ("ROW_NUMBER() OVER (PARTITION BY S.K ORDER BY S.O)", ["S.K WINDOW", "S.O WINDOW"]),
        (
            "SUM(S.X) OVER (PARTITION BY CASE WHEN S.K = 1 THEN S.L END)",
            ["S.X AGGREGATION", "S.L WINDOW", "S.K WINDOW"],
        ),
        ("AGGREGATE LISTAGG(S.X, ',')", ["S.X AGGREGATION"]),
        ('OPAQUE("x -> y", S.X, S.Y)', ["S.X TRANSFORMATION", "S.Y TRANSFORMATION"]),
    ],
)
def test_each_use_of_a_source_has_its_own_test(expression: str, expected: list[str]) -> None:
    assert uses(expression) == expected


def test_a_comparison_of_a_choice_is_met_where_an_arm_is_taken_whose_value_meets_it() -> None:
    head = of(f"{M}SELECT ROWS WHERE CASE WHEN S.T = 1 THEN S.X ELSE 'b' END = 'a' AND COALESCE(S.K, 'c') = 'd'").head
    assert isinstance(head.filter, And)
    case, first = (either.parts for either in head.filter.parts if isinstance(either, Or))
    assert [to_text(part) for part in case] == [
        'NOT (S.T != 1 OR S.T IS NULL) AND S.X = "a"',
        '(S.T != 1 OR S.T IS NULL) AND "b" = "a"',
    ]
    assert [to_text(part) for part in first] == ['S.K IS NOT NULL AND S.K = "d"', 'S.K IS NULL AND "c" = "d"']


def test_choices_that_are_not_told_apart_are_one_function_each() -> None:
    first, second, same = (population(f"MAX(CASE WHEN S.T = 1 THEN {value} END)") for value in ("'a'", "'b'", "'a'"))
    values = [one.clauses[0].expression for one in (first, second, same)]
    assert all(isinstance(value, Aggregate) for value in values)
    assert values[0] == values[2] != values[1]


def test_texts_of_several_tests_say_what_they_mean() -> None:
    found = population("CASE WHEN S.T = 1 OR S.T = 2 THEN S.X END IF S.K = 1 OR S.K = 2")
    assert found.clauses[0].text == "(S.K = 1 OR S.K = 2) AND (S.T = 1 OR S.T = 2)"


# -- Q2: functions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("UPPER(S.X)", "UPPER(S.X)", True),
        ("NOW()", "NOW()", False),
        ("RANDOM()", "RANDOM()", False),
        ("UUID()", "UUID()", False),
        (":p", ":P", True),
    ],
)
def test_what_a_function_gives_twice(one: str, other: str, equal: bool) -> None:
    rules = of(f"{M}POPULATE T.A WITH {one} POPULATE T.B WITH {other}")
    first, second = (population.clauses[0].expression for population in rules.populations)
    assert isinstance(first, Call)
    assert (first == second and repeats(first)) is equal


def test_a_parameter_is_another_value_in_another_mapping() -> None:
    text = "POPULATE T.B WITH :p POPULATE T.C WITH UPPER(S.X)\n"
    one, other = rules_of(f"MAPPING one: {M}{text}MAPPING other: {M}{text}")
    values = [[population.clauses[0].expression for population in rules.populations] for rules in (one, other)]
    assert [a == b for a, b in zip(*values, strict=True)] == [False, True]


# -- Q7: roles ---------------------------------------------------------------------------------------------------------

ROLES = """WHEN POPULATING T FROM S AS a
  POPULATE T.A WITH b.X IF a.Y = "y" AND b.Y = "z"
SELECT ROWS WHERE a.K = 1
LEFT JOIN S AS b ON a.P = b.ID AND b.V > a.V
JOIN P ON P.ID = a.P
"""


def test_the_same_entity_read_twice_is_two_rows() -> None:
    rules = of(ROLES)
    head, (clause,) = rules.head, rules.populations[0].clauses
    assert (head.driving, head.role, head.row) == ("S", "A", "S@A")
    assert [(join.row, join.on) for join in head.joins] == [
        ("S@B", (("S@A.P", "S@B.ID"),)),
        ("P", (("S@A.P", "P.ID"),)),
    ]
    assert head.joins[0].rest
    assert to_text(head.joins[0].rest) == "S@B.V > S@A.V"
    assert head.joins[0].written == "a.P = b.ID AND b.V > a.V"
    assert told(clause) == 'S@B.X IF S@A.Y = "y" AND S@B.Y = "z"'
    assert [(use.attribute, use.row) for use in clause.sources] == [("S.X", "S@B"), ("S.Y", "S@A"), ("S.Y", "S@B")]
    assert {source.attribute for source in head.sources} == {"S.K", "S.P", "S.ID", "S.V", "P.ID"}


def test_a_role_of_an_entity_that_is_read_once_is_only_another_name() -> None:
    plain, named = of(f"{M}\nPOPULATE T.A WITH S.X"), of(f"{M}AS a\nPOPULATE T.A WITH a.X")
    assert named == plain


def test_two_entities_may_have_their_names_for_each_others_roles() -> None:
    rules = of("WHEN POPULATING T FROM S AS R POPULATE T.A WITH S.X POPULATE T.B WITH R.X JOIN R AS S ON S.K = R.K")
    assert [told(one.clauses[0]) for one in rules.populations] == ["R.X", "S.X"]
    assert rules.head.joins[0].on == (("S.K", "R.K"),)


def test_exists_is_a_function_of_what_the_mark_join_looks_for() -> None:
    head = of(f"{M}SELECT ROWS WHERE NOT EXISTS(q) MARK JOIN S AS q ON q.K = S.K AND q.V > S.V + 1").head
    assert head.filter
    (call,) = [one for one in walk(head.filter) if isinstance(one, Call)]
    assert (call.function, [*attributes_of(call)]) == ("EXISTS S@Q", ["S.K", "S.V"])
    assert head.joins[0].kind == "mark"


def test_an_on_may_ask_for_a_mark_before_it() -> None:
    head = of(f"{M}MARK JOIN Q AS q ON q.K = S.K LEFT JOIN R ON R.K = S.K AND EXISTS(q)").head
    assert head.joins[1].rest
    assert [*attributes_of(head.joins[1].rest)] == ["S.K"]


# -- Q13, Q14: groups, order, totals -----------------------------------------------------------------------------------


def test_keys_of_totals_may_be_null() -> None:
    rules = of(
        f"{M}POPULATE T.A WITH S.A POPULATE T.B WITH UPPER(S.B) POPULATE T.C WITH SUM(S.C) POPULATE T.D WITH 'x'"
        " POPULATE T.E WITH CASE WHEN S.B = 1 THEN 'y' ELSE 'z' END GROUP BY ROLLUP S.A, S.B"
    )
    firsts = [one.clauses[0] for one in rules.populations]
    assert [clause.expression == NULL for clause in firsts] == [True, True, False, False, True]
    assert rules.head.group == (Attr("S.A"), Attr("S.B"))
    condition = firsts[0].condition
    assert isinstance(condition, Compare)
    assert isinstance(condition.left, Call)
    assert (condition.left.function, [*attributes_of(condition)]) == ("GROUPING", ["S.A"])
    plain = of(f"{M}POPULATE T.A WITH S.A GROUP BY S.A")
    assert [told(clause) for clause in plain.populations[0].clauses] == ["S.A"]


@pytest.mark.parametrize(("text", "group"), [("GROUP BY ()", ()), ("GROUP BY S.A", (Attr("S.A"),)), ("", None)])
def test_a_group_is_told_from_none(text: str, group: tuple[Attr, ...] | None) -> None:
    assert of(f"{M}POPULATE T.A WITH SUM(S.X) {text}").head.group == group


def test_what_groups_must_meet_and_what_decides_by_order() -> None:
    head = of(
        f"{M}POPULATE T.A WITH S.A SELECT ROWS WHERE S.F = 1 GROUP BY S.A HAVING SUM(S.X) > 1"
        " QUALIFY RANK() OVER (PARTITION BY S.P ORDER BY S.Q) = 1 DISTINCT ROWS ON S.D ORDER BY S.O LIMIT 5"
    ).head
    assert head.having
    kinds = [type(one) for one in walk(head.having)]
    assert Aggregate in kinds
    assert Window in kinds
    found = [(source.attribute, source.subtype) for source in head.sources]
    assert found[:2] == [("S.F", "FILTER"), ("S.A", "GROUP_BY")]
    assert {("S.X", "FILTER"), ("S.P", "FILTER"), ("S.D", "SORT"), ("S.O", "SORT")} <= set(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WHEN UPDATING T FROM T OTHERS CARRY", (True, "carry", False)),
        ("WHEN DELETING T FROM T", (True, None, False)),
        ("WHEN POPULATING INNER T FROM S OTHERS CLOSED", (False, "closed", True)),
        ("WHEN POPULATING T FROM S OTHERS OPEN", (False, "open", False)),
    ],
)
def test_what_a_head_says(text: str, expected: tuple[bool, str | None, bool]) -> None:
    head = of(text).head
    assert (head.update, head.policy, head.inner) == expected


# -- laws --------------------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_rules_speak_of_rows_that_are_read_and_sources_of_plain_names(seed: int) -> None:
    rules = derive(whole_mapping(Random(seed)), "m")
    head: Head = rules.head
    rows = {head.row, *(join.row for join in head.joins)}
    said = [
        item for one in rules.populations for clause in one.clauses for item in (clause.condition, clause.expression)
    ]
    said += [head.filter, head.having, *(head.group or ()), *(join.rest for join in head.joins)]
    names = [name for item in said if item is not None for name in attributes_of(item)]
    assert {row_of(name) for name in names} <= rows
    sources = [source for one in rules.populations for clause in one.clauses for source in clause.sources]
    assert not [source for source in (*sources, *head.sources) if "@" in source.attribute.replace("`", "")]
    assert decode_heads([encode_head(head)]) == (head,)


def test_many_arms_and_deep_ones_take_no_longer_than_they_are_long() -> None:
    arms = " ".join(f"WHEN S.T = {number} THEN S.X{number}" for number in range(300))
    deep = "S.X"
    for number in range(60):
        deep = f"CASE WHEN S.T = {number} THEN {deep} ELSE S.Y{number} END"
    wide = " || ".join("CASE WHEN S.T = 1 THEN S.X ELSE S.Y END" for _ in range(40))
    begin = process_time()
    assert len(clauses(f"CASE {arms} END")) == 301
    assert len(clauses(deep)) == 61
    assert len(clauses(wide)) == 1
    assert process_time() - begin < 5


def test_constants_are_boolean_too() -> None:
    assert population("TRUE").clauses[0].expression == Const("boolean", "TRUE")
    assert population("null").clauses[0].expression == NULL


def test_a_sum_of_choices_within_choices_uses_each_value_by_its_own_tests() -> None:
    """Beyond some combinations of arms the sum is one value, and no arm goes with another (rule Q1)."""
    one = "CASE WHEN S.K{0} = 1 THEN CASE WHEN S.T{0} = 2 THEN S.X{0} ELSE S.Y{0} END ELSE 0 END"
    begun = process_time()
    (clause,) = population(" + ".join(one.format(number) for number in range(60))).clauses
    assert process_time() - begun < 5
    tests = {use.attribute: to_text(use.test) for use in clause.sources if use.subtype != "CONDITIONAL" and use.test}
    assert len(tests) == 120
    assert tests["S.X7"] == "S.K7 = 1 AND S.T7 = 2"
    assert tests["S.Y59"].endswith(" AND S.K59 = 1")
    assert {use.attribute for use in clause.sources} == {f"S.{c}{number}" for c in "KTXY" for number in range(60)}
