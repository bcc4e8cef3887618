"""What joins ask of the rows they join."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from reading import condition, rules_of

from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.ends import End
from mdw.model.candidates import Candidates
from mdw.model.name import entity_of


def ends(text: str, asked: str, when: str = "") -> dict[str, End]:
    answer = trace_lineage(Question(asked, condition(when), when), Candidates.of(rules_of(text)))
    return {end.attribute: end for end in answer.golden}


TWICE = """
WHEN POPULATING T FROM D POPULATE T.P WITH {source}.P SELECT ROWS WHERE J.K = "a" {more}
NAVIGATE FROM D TO J USING {pairs}
"""


def test_two_attributes_joined_to_one_are_equal() -> None:
    twice = TWICE.format(source="J", pairs="D.M = J.K, D.M = J.M", more="")
    assert ends(twice, "T.P")["J.P"].condition == 'D.M = J.M AND J.M = "a" AND J.M = J.K'
    contradicting = TWICE.format(source="J", pairs="D.M = J.K, D.M = J.M", more='AND J.M != "a"')
    assert ends(contradicting, "T.P") == {}


def test_one_attribute_joined_to_two_makes_them_equal() -> None:
    text = TWICE.format(source="D", pairs="D.M = J.K, D.N = J.K", more="")
    assert "D.M = D.N" in ends(text, "T.P")["D.P"].condition


def test_a_pair_of_the_joined_row_compares_within_that_row() -> None:
    alike = TWICE.format(source="J", pairs="J.K = J.M", more="")
    end = ends(alike, "T.P")["J.P"]
    assert end.exact
    assert end.condition == 'J.K = "a" AND J.K = J.M'
    assert "OTHER" not in end.sql
    assert ends(TWICE.format(source="J", pairs="J.K = J.M", more='AND J.M = "b"'), "T.P") == {}
    assert ends(TWICE.format(source="D", pairs="J.K = J.M", more='AND J.M = "b"'), "T.P") == {}
    driving = ends(TWICE.format(source="D", pairs="J.K = J.M", more=""), "T.P")["D.P"]
    assert "J.M = J.K" in driving.sql
    assert driving.sql.startswith("EXISTS")


def test_what_a_cycle_forgets_of_a_join_is_not_called_exact() -> None:
    text = """
    MAPPING one: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.A WITH S.A POPULATE T.K WITH S.K
    MAPPING two: WHEN POPULATING T FROM T POPULATE T.V WITH T.V POPULATE T.K WITH T.K POPULATE T.A WITH J.A
        SELECT ROWS WHERE J.A = T.A NAVIGATE FROM T TO J USING T.K = J.K
    """
    end = ends(text, "T.V", 'T.A = "x"')["S.V"]
    assert not end.exact


def test_two_rows_that_are_joined_by_a_key_of_the_source_both_have_it() -> None:
    text = """
    WHEN POPULATING T FROM H POPULATE T.V WITH H.Q * F.RATE
    NAVIGATE FROM H TO P USING H.DAY = P.DAY NAVIGATE FROM P TO F USING P.DAY = F.DAY
    """
    found = ends(text, "T.V")
    # A rate arrives only where the price and the holding are of its day.
    assert found["F.RATE"].condition == "F.DAY = H.DAY AND F.DAY = P.DAY"
    there = "EXISTS (SELECT 1 FROM H WHERE F.DAY = H.DAY) AND EXISTS (SELECT 1 FROM P WHERE F.DAY = P.DAY)"
    assert found["F.RATE"].sql == there


def test_that_a_row_is_missing_says_all_it_is_looked_for_by_and_nothing_of_other_rows() -> None:
    text = """
    WHEN POPULATING T FROM A POPULATE T.V WITH B.V POPULATE T.G WITH C.G
    NAVIGATE FROM A TO B USING A.ID = B.ID, A.R = B.R NAVIGATE FROM A TO C USING A.P = C.P, A.R = C.R
    """
    end = ends(text, "T.V", "T.G IS NULL")["B.V"]
    assert end.exact
    assert "NOT EXISTS (SELECT 1 FROM C WHERE B.R = C.R AND A.P = C.P)" in end.sql
    assert "EXISTS (SELECT 1 FROM A WHERE A.ID = B.ID AND A.R = B.R AND" in end.sql


def test_a_comparison_with_a_row_that_is_not_there_is_not_met() -> None:
    text = """
    WHEN POPULATING R FROM S POPULATE R.P WITH S.P IF S.C = "a" OR S.C = G.B OR S.C = "b" OR S.C NOT IN ("a", "b")
    NAVIGATE FROM S TO G USING S.A = G.C
    """
    end = ends(text, "R.P")["S.P"]
    assert end.exact
    assert end.sql == "S.C IS NOT NULL"


def test_the_keys_of_an_example_row_are_known() -> None:
    text = """
    WHEN POPULATING L FROM S POPULATE L.A WITH S.B IF S.C = "aa" AND NOT (S.A = G.A)
        WITH S.C IF S.A = "aa" AND NOT (G.B = "")
    SELECT ROWS WHERE S.C < G.B NAVIGATE FROM S TO G USING S.B = G.A, S.B = G.C
    """
    end = ends(text, "L.A")["S.C"]
    assert dict(end.witness)["S.B"] is not None
    assert None not in dict(end.partners[0][1]).values()


def test_what_several_mappings_join_alike_is_said_once() -> None:
    home = """WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.K WITH C.K POPULATE T.D WITH D.D
    SELECT ROWS WHERE {} NAVIGATE FROM S TO C USING S.NO = C.NO NAVIGATE FROM C TO D USING C.NO = D.NO"""
    text = f"MAPPING home: {home.format('C.X = S.X AND D.D = 1')} MAPPING away: {home.format('C.X != S.X AND D.D = 2')}"
    end = ends(text, "T.V")["S.V"]
    assert end.exact
    assert end.sql.count("C.NO = S.NO") == 1
    assert end.condition == ("C.NO = S.NO AND D.NO = S.NO AND ((D.D = 1 AND S.X = C.X) OR (D.D = 2 AND S.X != C.X))")


def test_a_row_may_be_looked_for_by_several_keys() -> None:
    text = """
    MAPPING e: WHEN POPULATING A FROM S POPULATE A.ID WITH S.ID POPULATE A.R WITH "EU" SELECT ROWS WHERE S.K = 1
    MAPPING u: WHEN POPULATING A FROM S POPULATE A.ID WITH S.ID POPULATE A.R WITH "US" SELECT ROWS WHERE S.K = 2
    MAPPING t: WHEN POPULATING T FROM P POPULATE T.V WITH A.ID SELECT ROWS WHERE P.KIND = "FEE"
        NAVIGATE FROM P TO A USING P.ID = A.ID, P.R = A.R
    """
    end = ends(text, "T.V")["S.ID"]
    assert end.exact
    # That there is no row of the one region is nothing the other asks for.
    assert "NULL" not in end.whole
    assert "NOT EXISTS" not in end.sql
    assert end.sql.count("P.KIND = 'FEE'") == end.sql.count("EXISTS")


THROUGH = """
MAPPING m0: WHEN POPULATING A FROM S POPULATE A.W WITH S.W POPULATE A.M WITH J.M POPULATE A.Q WITH S.Q
  {first} NAVIGATE FROM S TO J USING S.R = J.R
MAPPING m7: WHEN POPULATING T FROM A POPULATE T.V {given}
  {second} NAVIGATE FROM A TO K USING A.M = K.M
"""


def selected(text: str, asked: str, source: str, tables: str) -> int:
    """How many rows of the source an exact condition selects in a database."""
    end = ends(text, asked)[source]
    assert end.exact
    with closing(sqlite3.connect(":memory:")) as held:
        held.executescript(tables)
        return int(held.execute(f"SELECT COUNT(*) FROM {entity_of(source)} WHERE {end.sql}").fetchone()[0])


def test_a_row_that_leads_to_another_is_named_wherever_that_one_is_spoken_of() -> None:
    text = THROUGH.format(given='WITH "a" IF K.N = 1 WITH A.W', first="", second="")
    tables = """
    CREATE TABLE S (R, W, Q); CREATE TABLE J (R, M); CREATE TABLE K (M, N);
    INSERT INTO S VALUES ('x', 'w', 1); INSERT INTO J VALUES ('x', 1), ('y', 9); INSERT INTO K VALUES (1, 1);
    """
    # K has no row for the 9 of J's other row, but that one is not S's: what arrives is "a".
    assert selected(text, "T.V", "S.W", tables) == 0
    assert selected(text, "T.V", "S.W", tables.replace("(1, 1);", "(1, 2);")) == 1


def test_that_a_joined_value_is_known_is_said_beside_a_comparison_with_another_row() -> None:
    text = THROUGH.format(
        given="WITH A.W",
        first="SELECT ROWS WHERE J.M IS NOT NULL",
        second="SELECT ROWS WHERE A.Q = 1 OR K.N >= K.M",
    )
    tables = """
    CREATE TABLE S (R, W, Q); CREATE TABLE J (R, M); CREATE TABLE K (M, N);
    INSERT INTO S VALUES ('x', 'w', 1); INSERT INTO J VALUES ('x', NULL);
    """
    assert selected(text, "T.V", "S.W", tables) == 0
    assert selected(text, "T.V", "S.W", tables.replace("NULL", "5")) == 1


NEVER_ALIKE = """
MAPPING j: WHEN POPULATING J FROM S POPULATE J.K WITH 1 POPULATE J.G WITH S.G
MAPPING l: WHEN POPULATING L FROM S POPULATE L.K WITH {other} POPULATE L.G WITH S.G
MAPPING u: WHEN POPULATING U FROM J POPULATE U.G WITH J.G
    SELECT ROWS WHERE J.K != L.K NAVIGATE FROM J TO L USING J.G = L.G
MAPPING t: WHEN POPULATING T FROM D POPULATE T.V WITH D.V
    SELECT ROWS WHERE U.G IS NOT NULL NAVIGATE FROM D TO U USING D.G = U.G
"""


def test_rows_whose_only_values_do_not_compare_as_asked_do_not_exist() -> None:
    """Rule Q10: U has no rows if K is 1 in both rows it is made of, so that nothing joined to it arrives."""
    assert ends(NEVER_ALIKE.format(other="1"), "T.V") == {}
    assert {*ends(NEVER_ALIKE.format(other="2"), "T.V")} == {"D.V"}
    assert {*ends(NEVER_ALIKE.format(other="S.K"), "T.V")} == {"D.V"}
