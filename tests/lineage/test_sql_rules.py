"""What SQL's constructs mean for lineage: the rules Q1 to Q19 of the design, each by name, asked in memory."""

from __future__ import annotations

from reading import condition, rules_of

from mdw.lineage.reasons.scripts import dropped_smt2
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.model.answers.answer import Lineage
from mdw.model.candidates import Candidates
from mdw.model.rules import Rules


def ask(text: str | list[Rules], attribute: str, when: str = "") -> Lineage:
    rules = rules_of(text) if isinstance(text, str) else text
    return trace_lineage(Question(attribute, condition(when), when), Candidates.of(rules))


def ends(text: str, attribute: str, when: str = "") -> dict[str, tuple[str, bool]]:
    """Golden sources with their condition as SQL, and whether it is exact."""
    return {end.attribute: (end.sql, end.exact) for end in ask(text, attribute, when).golden}


CHOOSING = """
WHEN POPULATING T FROM S
POPULATE T.K WITH S.K
POPULATE T.P WITH SUM(CASE WHEN S.T = "a" THEN S.X END)
POPULATE T.Q WITH SUM(CASE WHEN S.T = "b" THEN S.X WHEN S.K = 1 THEN S.Y END)
SELECT ROWS WHERE S.T = "a" GROUP BY S.K HAVING S.K = 2 AND SUM(S.X) > 5
"""


def test_q1_each_use_of_a_value_has_its_own_tests() -> None:
    assert ends(CHOOSING.replace(' WHERE S.T = "a"', " WHERE S.N = 1"), "T.P") == {
        "S.X": ("S.K = 2 AND S.N = 1 AND S.T = 'a'", False)
    }
    answer = ask(CHOOSING, "T.Q")
    assert not answer.golden
    because = {one.step.source: [rule.condition for rule in one.because] for one in answer.dropped}
    assert 'S.T = "b"' in because["S.X"]
    assert any(rule.endswith("S.K = 1") for rule in because["S.Y"])


def test_q1_a_test_excludes_no_other_use() -> None:
    text = """
    WHEN POPULATING T FROM S
    POPULATE T.N WITH SUM(CASE WHEN S.T = "a" THEN S.X END) - SUM(CASE WHEN S.T = "b" THEN S.X END)
    SELECT ROWS WHERE S.T = "b"
    """
    assert ends(text, "T.N") == {"S.X": ("S.T = 'b'", True)}


GENERATING = """
WHEN POPULATING T FROM S
POPULATE T.K WITH S.K POPULATE T.N WITH COUNT(*) POPULATE T.D WITH CURRENT_DATE() POPULATE T.P WITH :p
SELECT ROWS WHERE S.R = 1 GROUP BY S.K
"""


def test_q5_counts_and_clocks_are_generated_and_parameters_are_constants() -> None:
    for attribute, text in (("T.N", "COUNT(*)"), ("T.D", "CURRENT_DATE()")):
        answer = ask(GENERATING, attribute)
        assert [one.text for one in answer.generated] == [text]
        assert not (answer.golden or answer.constants or answer.interrupted)
        assert {one.attribute for one in answer.indirect} >= {"S.R", "S.K"}
    assert [one.value for one in ask(GENERATING, "T.P").constants] == [":P"]


def test_q2_clocks_and_parameters_are_other_values_in_another_mapping() -> None:
    text = """
    MAPPING one: WHEN POPULATING T FROM S POPULATE T.X WITH S.X POPULATE T.D WITH {} POPULATE T.F WITH TRUE
    MAPPING two: WHEN POPULATING U FROM T POPULATE U.X WITH T.X SELECT ROWS WHERE T.D != {}
    """
    assert set(ends(text.format("CURRENT_DATE()", "CURRENT_DATE()"), "U.X")) == {"S.X"}
    # Whoever ran the first may have given another :p than whoever ran the second.
    assert set(ends(text.format(":p", ":p"), "U.X")) == {"S.X"}
    within = "WHEN POPULATING T FROM S POPULATE T.X WITH S.X SELECT ROWS WHERE S.D = :p AND S.D != :p"
    assert ends(within, "T.X") == {}


JOINED_TO_ITSELF = """
WHEN POPULATING T FROM S AS a POPULATE T.X WITH a.X POPULATE T.Y WITH b.X
SELECT ROWS WHERE a.T = "x" AND b.T = "y" INNER JOIN S AS b ON b.ID = a.PARENT
"""


def test_q7_two_roles_are_two_rows() -> None:
    other = "EXISTS (SELECT 1 FROM S AS OTHER_S WHERE OTHER_S.ID = S.PARENT AND OTHER_S.T = 'y')"
    assert ends(JOINED_TO_ITSELF, "T.X") == {"S.X": (f"S.T = 'x' AND {other}", True)}
    other = "EXISTS (SELECT 1 FROM S AS OTHER_S WHERE OTHER_S.PARENT = S.ID AND OTHER_S.T = 'x')"
    assert ends(JOINED_TO_ITSELF, "T.Y") == {"S.X": (f"S.T = 'y' AND {other}", True)}
    reached = trace_impact(Question("S.X"), Candidates.of(rules_of(JOINED_TO_ITSELF))).final
    assert [end.attribute for end in reached] == ["T.X", "T.Y"]


def test_q8_on_and_where_bind_all_rows_of_an_inner_join() -> None:
    text = """
    WHEN POPULATING T FROM S POPULATE T.X WITH S.X SELECT ROWS WHERE P.T = "a"
    INNER JOIN P ON P.K = S.K AND P.T = "{}" AND S.N < P.N
    """
    assert ends(text.format("b"), "T.X") == {}
    found = "EXISTS (SELECT 1 FROM P WHERE P.K = S.K AND P.T = 'a' AND S.N < P.N)"
    assert ends(text.format("a"), "T.X")["S.X"][1]
    assert sorted(ends(text.format("a"), "T.X")["S.X"][0].split(" AND ")) == sorted(found.split(" AND "))


OPTIONAL = """
WHEN POPULATING T FROM S POPULATE T.X WITH S.X POPULATE T.Y WITH P.X
SELECT ROWS WHERE {} LEFT JOIN P ON P.K = S.K AND S.T = "a"
"""


def test_q9_on_binds_the_optional_side_only() -> None:
    assert ends(OPTIONAL.format("S.N = 1"), "T.X") == {"S.X": ("S.N = 1", True)}
    assert ends(OPTIONAL.format("P.K IS NULL"), "T.Y") == {}
    assert set(ends(OPTIONAL.format("P.NOTE IS NULL"), "T.Y")) == {"P.X"}
    assert set(ends(OPTIONAL.format("P.K IS NULL"), "T.X")) == {"S.X"}
    assert ends(OPTIONAL.format('P.N = 1 AND S.T = "b"'), "T.X") == {}


def test_q9_of_right_and_full_joins_rows_come_alone() -> None:
    text = """
    WHEN POPULATING T FROM S POPULATE T.X WITH S.X POPULATE T.Y WITH P.X SELECT ROWS WHERE {}
    {} JOIN P ON P.K = S.K
    """
    assert ends(text.format("S.K IS NULL", "RIGHT"), "T.X") == {}
    assert ends(text.format("S.K IS NULL", "FULL"), "T.X") == {"S.X": ("S.K IS NULL", True)}
    alone = "P.K IS NULL OR NOT EXISTS (SELECT 1 FROM S WHERE P.K = S.K)"
    found, exact = ends(text.format("S.K IS NULL", "RIGHT"), "T.Y")["P.X"]
    assert exact and found in (alone, alone.split(" OR ")[1])
    assert ends(text.format("P.K IS NULL", "FULL"), "T.Y") == {"P.X": ("P.K IS NULL", True)}
    assert ends(text.format("P.K IS NULL AND S.K IS NOT NULL", "RIGHT"), "T.X") == {}


JOINED = """
MAPPING plans: WHEN POPULATING J FROM S POPULATE J.K WITH S.K POPULATE J.KIND WITH "pharmacy" SELECT ROWS WHERE S.K > 0
MAPPING paid: WHEN POPULATING T FROM C POPULATE T.V WITH C.V POPULATE T.K WITH J.KIND
    SELECT ROWS WHERE J.KIND = "medical" INNER JOIN J ON C.K = J.K
"""


def test_q10_what_is_joined_must_be_able_to_exist() -> None:
    answer = ask(JOINED, "T.V")
    assert not answer.golden
    [dropped] = answer.dropped
    # The rule that writes what is joined is named, and no join: whatever rows it would find, they are such.
    assert {(rule.mapping, rule.condition) for rule in dropped.because} == {
        ("plans", 'J.KIND WITH "pharmacy"'),
        ("paid", 'J.KIND = "medical"'),
    }
    assert [link.text for link in dropped.groups[0].chain][-1] == 'KIND = "pharmacy" and KIND = "medical"'
    assert trace_impact(Question("C.V"), Candidates.of(rules_of(JOINED))).reached == {"C.V"}


CHAINED = """
MAPPING d: WHEN POPULATING D FROM S POPULATE D.K WITH S.K POPULATE D.R WITH "EU" IF S.N > 3 WITH "US"
    POPULATE D.X WITH S.X SELECT ROWS WHERE S.X = "q"
MAPPING j: WHEN POPULATING J FROM D POPULATE J.K WITH D.K POPULATE J.R WITH D.R POPULATE J.X WITH D.X
    SELECT ROWS WHERE D.R != "EU"
MAPPING j2: WHEN POPULATING J FROM D POPULATE J.K WITH D.K POPULATE J.R WITH "APAC" POPULATE J.X WITH D.X
MAPPING t: WHEN POPULATING T FROM A POPULATE T.V WITH A.V IF b.R = "EU" INNER JOIN J AS b ON A.K = b.K
MAPPING u: WHEN POPULATING U FROM A POPULATE U.V WITH A.V INNER JOIN J AS b ON A.K = b.K AND (b.X = "z")
"""


def test_q10_reasons_name_what_makes_the_rows_joined_and_solvers_agree() -> None:
    for asked, mappings in (("T.V", {"j", "j2", "t"}), ("U.V", {"d", "u"})):
        answer = ask(CHAINED, asked)
        assert not answer.golden
        assert {rule.mapping for one in answer.dropped for rule in one.because} == mappings
        for script in dropped_smt2(answer, Candidates.of(rules_of(CHAINED)), None):
            assert script.startswith("; No row can go this way")


def test_q10_a_join_that_needs_no_row_keeps_what_it_joins_to_out() -> None:
    assert ends(JOINED.replace("INNER", "LEFT"), "T.V") == {}
    asked = JOINED.replace("INNER", "LEFT").replace('J.KIND = "medical"', 'J.KIND = "medical" OR C.V = "x"')
    assert ends(asked, "T.V") == {"C.V": ("C.V = 'x'", True)}


def test_q10_keys_of_what_is_joined_bind_those_they_are_looked_for_by() -> None:
    text = JOINED.replace('J.KIND = "medical"', "C.K < 0")
    assert ends(text, "T.V") == {}
    assert ends(text.replace("C.K < 0", "C.K < 2"), "T.V") == {
        "C.V": ("C.K < 2 AND EXISTS (SELECT 1 FROM J WHERE C.K = J.K)", True)
    }


def test_q10_of_rows_read_from_the_join_the_driving_one_must_exist() -> None:
    turned = """
    MAPPING claims: WHEN POPULATING C FROM S POPULATE C.K WITH S.K POPULATE C.KIND WITH "pharmacy"
    MAPPING paid: WHEN POPULATING T FROM C POPULATE T.V WITH J.V
        SELECT ROWS WHERE C.KIND = "medical" INNER JOIN J ON C.K = J.K
    """
    assert ends(turned, "T.V") == {}
    assert set(ends(turned.replace('"medical"', '"pharmacy"'), "T.V")) == {"J.V"}


def test_q10_example_rows_can_exist() -> None:
    text = JOINED.replace('J.KIND = "medical"', 'J.KIND != "dental"')
    [end] = ask(text, "T.V").golden
    assert end.condition == 'C.K = J.K AND J.KIND != "dental"'
    [(_, row)] = end.partners
    values = dict(row)
    assert isinstance(values["J.K"], int)
    assert (values["J.K"] > 0, values["J.KIND"]) == (True, "pharmacy")


def test_q10_what_is_golden_or_only_changed_is_any() -> None:
    changed = JOINED.replace("WHEN POPULATING J FROM S", "WHEN POPULATING J FROM J").replace("S.K", "J.K")
    assert set(ends(changed, "T.V")) == {"C.V"}
    other = JOINED + "MAPPING more: WHEN POPULATING J FROM R POPULATE J.K WITH R.K POPULATE J.KIND WITH R.KIND"
    assert set(ends(other, "T.V")) == {"C.V"}


def test_q10_what_one_mapping_writes_it_writes_together() -> None:
    text = """
    MAPPING a: WHEN POPULATING J FROM S POPULATE J.K WITH S.K POPULATE J.KIND WITH "x" POPULATE J.REGION WITH "EU"
    MAPPING b: WHEN POPULATING J FROM S POPULATE J.K WITH S.K POPULATE J.KIND WITH "y" POPULATE J.REGION WITH "US"
    MAPPING c: WHEN POPULATING T FROM C POPULATE T.V WITH C.V
        SELECT ROWS WHERE J.KIND = "x" AND J.REGION = "US" INNER JOIN J ON C.K = J.K
    """
    assert ends(text, "T.V") == {}
    assert set(ends(text.replace('"US" INNER', '"EU" INNER'), "T.V")) == {"C.V"}


def test_q11_of_a_semi_join_some_row_meets_on_and_of_an_anti_join_none() -> None:
    text = 'WHEN POPULATING T FROM S POPULATE T.X WITH S.X {} JOIN P ON P.K = S.K AND P.T = "z"'
    assert ends(text.format("SEMI"), "T.X") == {"S.X": ("EXISTS (SELECT 1 FROM P WHERE P.K = S.K AND P.T = 'z')", True)}
    assert ends(text.format("ANTI"), "T.X") == {"S.X": ("TRUE", False)}
    plain = text.replace(' AND P.T = "z"', "").format("ANTI")
    assert ends(plain, "T.X") == {"S.X": ("NOT EXISTS (SELECT 1 FROM P WHERE P.K = S.K)", True)}


def test_q11_exists_within_a_condition_is_undecided() -> None:
    text = """
    WHEN POPULATING T FROM S POPULATE T.X WITH S.X SELECT ROWS WHERE S.N = 1 OR EXISTS(p) MARK JOIN P AS p ON p.K = S.K
    """
    assert ends(text, "T.X") == {"S.X": ("TRUE", False)}


def test_q14_having_on_keys_binds_and_on_aggregates_says_nothing() -> None:
    assert ends(CHOOSING, "T.K") == {"S.K": ("S.K = 2 AND S.T = 'a'", False)}
    assert ends(CHOOSING.replace(" AND SUM(S.X) > 5", ""), "T.K") == {"S.K": ("S.K = 2 AND S.T = 'a'", True)}
    assert ends(CHOOSING, "T.K", "T.K = 3") == {}
    assert set(ends(CHOOSING, "T.P", "T.P < 0")) == {"S.X"}


def test_q14_later_conditions_reach_the_least_and_the_greatest_on_their_way() -> None:
    text = """
    MAPPING g: WHEN POPULATING G FROM S POPULATE G.K WITH S.K POPULATE G.M WITH MAX(S.X) POPULATE G.N WITH SUM(S.X)
        SELECT ROWS WHERE S.X < 5 GROUP BY S.K HAVING MAX(S.X) != 2
    MAPPING t: WHEN POPULATING T FROM G POPULATE T.M WITH G.M POPULATE T.N WITH G.N SELECT ROWS WHERE G.M > 5
    """
    # Who has the greatest value has it; the others in its group have one that met the filter as well.
    assert (ends(text, "T.M"), ends(text, "T.N")) == ({}, {})
    assert set(ends(text.replace("S.X < 5", "S.X < 8"), "T.N")) == {"S.X"}
    open_ = ends(text.replace("G.M > 5", "G.M > 1"), "T.M")
    assert open_ == {"S.X": ("(S.X > 1 AND S.X < 2) OR (S.X > 2 AND S.X < 5)", False)}
    because = {(rule.kind, rule.mapping) for rule in ask(text, "T.M").dropped[1].because}
    assert because == {("filter", "g"), ("population", "g"), ("filter", "t")}


def test_q15_without_group_by_there_is_a_row_even_of_none() -> None:
    text = """
    WHEN POPULATING T FROM S POPULATE T.R WITH "EU" POPULATE T.N WITH SUM(S.X) SELECT ROWS WHERE S.X = 1 AND S.X = 2
    """
    assert [one.value for one in ask(text + "GROUP BY ()", "T.R").constants] == ['"EU"']
    assert not ask(text + "GROUP BY S.K", "T.R").constants
    assert not ask(text + "GROUP BY ()", "T.N").golden


WINDOWED = """
WHEN POPULATING T FROM S
POPULATE T.X WITH LAG(S.X) OVER (PARTITION BY S.K ORDER BY S.D) POPULATE T.K WITH S.K POPULATE T.T WITH S.T
SELECT ROWS WHERE S.R = "A" QUALIFY ROW_NUMBER() OVER (PARTITION BY S.K) = 1 AND S.T = "q"
"""


def test_q16_conditions_reach_the_rows_of_a_window_by_its_keys_alone() -> None:
    assert ends(WINDOWED, "T.X", 'T.K = "k" AND T.T = "q"') == {"S.X": ("S.K = 'k' AND S.R = 'A'", False)}
    assert ends(WINDOWED, "T.T") == {"S.T": ("S.R = 'A' AND S.T = 'q'", False)}
    assert ends(WINDOWED, "T.T", 'T.T = "w"') == {}


def test_q16_an_if_is_asked_of_the_row_made() -> None:
    text = """
    WHEN POPULATING T FROM S POPULATE T.X WITH MAX(S.X) OVER (PARTITION BY S.K) IF S.T = "a" AND S.K = 1
    """
    assert ends(text, "T.X") == {"S.X": ("S.K = 1", False)}


def test_q16_what_is_tested_beside_a_window_is_asked_of_the_row_made() -> None:
    text = """
    WHEN POPULATING T FROM S POPULATE T.X WITH COALESCE(S.Y, MAX(S.X) OVER (PARTITION BY S.K))
    SELECT ROWS WHERE S.Y = 1 OR S.Y IS NULL
    """
    assert ends(text, "T.X")["S.X"][0] == "S.Y = 1 OR S.Y IS NULL"
    within = text.replace("MAX(S.X)", 'MAX(CASE WHEN S.T = "a" THEN S.X END)')
    assert "S.T = 'a'" in ends(within, "T.X")["S.X"][0]


def test_truths_contradict() -> None:
    text = """
    MAPPING one: WHEN POPULATING T FROM S POPULATE T.F WITH TRUE POPULATE T.X WITH S.X
    MAPPING two: WHEN POPULATING T FROM R POPULATE T.F WITH R.F POPULATE T.X WITH R.X
    MAPPING three: WHEN POPULATING U FROM T POPULATE U.X WITH T.X SELECT ROWS WHERE T.F = FALSE
    """
    answer = ask(text, "U.X")
    assert [(end.attribute, end.sql, end.witness) for end in answer.golden] == [
        ("R.X", "R.F = FALSE", (("R.F", False),))
    ]
    assert ends(text.replace("T.F = FALSE", "T.F != TRUE AND T.F != FALSE"), "U.X") == {}


def test_what_a_mapping_leaves_out_becomes_what_it_says_itself() -> None:
    text = """
    MAPPING one: WHEN POPULATING T FROM S POPULATE T.X WITH S.X OTHERS {}
    MAPPING two: WHEN POPULATING U FROM T POPULATE U.X WITH T.X POPULATE U.C WITH S.C SELECT ROWS WHERE T.C = 1
        LEFT JOIN S ON S.X = T.X
    """
    assert ends(text.format("CLOSED"), "U.X") == {}
    answer = ask(text.format("CARRY"), "U.X")
    assert [end.sql for end in answer.golden] == ["S.C = 1"] and not answer.assumptions
