"""Unparse: canonical text that reads back as the same tree; the formatter, which keeps every comment as well."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mappings import mappings
from whole import whole_mapping

from mdw.language.formatting import QUOTED, canonical_text
from mdw.language.mapping import read, read_condition, read_expression
from mdw.language.unparse import unparse
from mdw.language.wording import condition_text, expression_text
from mdw.model.errors import BatchError
from mdw.model.tree import Node

# Words that stand in one token: no comment may part them.
WORDS = re.compile(
    r"IS (?:NOT )?(?:NULL|TRUE|DISTINCT FROM)|NOT (?:IN|LIKE|BETWEEN)|[A-Z]+ JOIN|GROUPING SETS"
    r"|INNER (?:FROM )?(?=FROM)|\w+ ?\("
)
CANONICAL = """\
MAPPING accounts:
WHEN POPULATING AGREEMENT FROM MASTER
  POPULATE AGREEMENT.ID WITH MASTER.ID
  POPULATE AGREEMENT.CLOSED
    WITH MASTER.CLOSED IF MASTER.CLOSED != 01010001
    WITH MASTER.A_RATHER_LONG_NAME * 2
      IF MASTER.OPENED BETWEEN 2001-01-01 AND 2001-12-31 AND NOT MASTER.KIND IN ("A", 'B')
        OR MASTER.NAME LIKE "C%"
        OR MASTER.NAME IS NULL
    WITH "DEFAULT MAX"
SELECT ROWS WHERE MASTER.KIND = 'A' AND (MASTER.STATE = 1 OR COUNTRY.CODE = "EE")
NAVIGATE FROM MASTER TO COUNTRY USING MASTER.COUNTRY = COUNTRY.CODE
NAVIGATE FROM COUNTRY TO `European Union`
  USING COUNTRY.NUMBER_OF_THE_UNION = `European Union`.NUMBER_OF_THE_UNION,
    COUNTRY.VALID_FROM = `European Union`.VALID_FROM
"""


def test_canonical_text_looks_like_this() -> None:
    scrambled = CANONICAL.replace("\n", " ").replace("WHEN", "when").replace("FROM COUNTRY", "From Entity : COUNTRY")
    assert unparse(read(scrambled).trees[0]) == CANONICAL


@settings(max_examples=40)
@given(mappings())
def test_a_tree_written_and_read_is_the_same_tree(tree: Node) -> None:
    text = unparse(tree)
    reading = read(text)
    assert not reading.errors, f"{text}\n{reading.errors[0]}"
    assert reading.trees == (tree,)
    assert unparse(reading.trees[0]) == text
    assert canonical_text(text) == text


@settings(max_examples=250)
@given(st.integers(0, 2**32))
def test_whatever_the_language_says_is_written_and_read_as_the_same_tree(seed: int) -> None:
    tree = whole_mapping(Random(seed))
    text = unparse(tree)
    reading = read(text)
    assert not reading.errors, f"{text}\n{reading.errors[0]}"
    assert reading.trees == (tree,), text
    assert canonical_text(text) == text


LONG = """\
DIALECT snowflake
WHEN UPDATING INNER core.PARTY FROM stage.CUSTOMER AS c
  POPULATE core.PARTY.KIND
    WITH CASE
      WHEN c.TYPE IS NOT DISTINCT FROM "a rather long kind" AND EXISTS(blocked)
        THEN UPPER(c.FIRST_NAME || (c.NUMBER_OF_ACCOUNTS + 1) || c.LAST_NAME)
      WHEN c.TYPE IN (UPPER(boss.TYPE), "b") THEN NULL
      ELSE COALESCE(
        CAST(c.KIND AS "VARCHAR(20)"),
        FIELD(c.DOCUMENT, "kind.of.customer"),
        SUM(DISTINCT c.AMOUNT) OVER (PARTITION BY c.REGION, c.COUNTRY ORDER BY c.OPENED)
      )
    END
      IF :run = 1
SELECT ROWS WHERE c.NUMBER_OF_ACCOUNTS * 2 + boss.NUMBER_OF_ACCOUNTS
  > AGE(c.DATE_OF_BIRTH, c.DATE_OF_THE_FIRST_CONTACT) - (c.DAYS - 1)
LEFT JOIN stage.CUSTOMER AS boss ON boss.ID = c.BOSS_ID
MARK JOIN stage.BLOCKED AS blocked
  ON blocked.CUSTOMER_ID = c.ID
    AND (blocked.VALID_FROM <= c.DATE_OF_THE_FIRST_CONTACT OR blocked.VALID_FROM IS NULL)
GROUP BY ROLLUP c.REGION, c.COUNTRY
HAVING COUNT(*) > 1
DISTINCT ROWS ON c.REGION
ORDER BY c.REGION, AGGREGATE LISTAGG(c.NAME, ",")
LIMIT 10
OTHERS CARRY
"""


def test_long_clauses_are_cut_where_their_parts_begin() -> None:
    (tree,) = read(" ".join(LONG.split())).trees
    assert unparse(tree) == LONG


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("A.B = 1 and (A.C = 2 or a.d <> 3)", "A.B = 1 AND (A.C = 2 OR a.d != 3)"),
        ("(A.B = 1 and A.C = 2) or (A.D = 3)", "A.B = 1 AND A.C = 2 OR A.D = 3"),
        ("((A.B = 1 and A.C = 2)) and A.D = 3", "(A.B = 1 AND A.C = 2) AND A.D = 3"),
        ("not (A.B = 1) and not (A.B = 1 or not not A.C = 2)", "NOT A.B = 1 AND NOT (A.B = 1 OR NOT NOT A.C = 2)"),
        ("A.B in(1,'x' , 2001-01-01)", "A.B IN (1, 'x', 2001-01-01)"),
        ("(A.B + 1) * 2 = (A.C) and (A.B || 'x') <> (A.D - 1)", "(A.B + 1) * 2 = (A.C) AND A.B || 'x' != A.D - 1"),
        (
            "case when A.B is true then 1 end=2 or 1 in (A.B,(A.C))",
            "CASE WHEN A.B IS TRUE THEN 1 END = 2 OR 1 IN (A.B, (A.C))",
        ),
        ("A.B is  not distinct from NULL", "A.B IS NOT DISTINCT FROM NULL"),
        ("A.B not   between 1 and 2 and A.C is not null", "A.B NOT BETWEEN 1 AND 2 AND A.C IS NOT NULL"),
    ],
)
def test_conditions_keep_only_the_parentheses_they_need(written: str, canonical: str) -> None:
    tree = read_condition(written)
    assert condition_text(tree) == canonical
    assert read_condition(canonical) == tree


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("(A.B + 1) X (A.C / 2)", "(A.B + 1) * A.C / 2"),
        ("A.B - (A.C - 1) - -2", "A.B - (A.C - 1) - -2"),
        ("(A.B - A.C) - 1", "A.B - A.C - 1"),
        ("A.B / (A.C * 2) / 3", "A.B / (A.C * 2) / 3"),
        ("(A.B / A.C) * 2 + sum( A.D )", "A.B / A.C * 2 + SUM(A.D)"),
        ("(f(A.B)) ", "(F(A.B))"),
        ("(A.B || 'x') + (A.C)", "(A.B || 'x') + A.C"),
        ("A.B || (A.C) || (A.D + 1)", "A.B || (A.C) || (A.D + 1)"),
        ("count ( * )", "COUNT(*)"),
        (
            "aggregate distinct listagg(A.B, ',') over(order by A.C)",
            "AGGREGATE DISTINCT LISTAGG(A.B, ',') OVER (ORDER BY A.C)",
        ),
        ("'a'||A.B||substr(A.C,1,3)", "'a' || A.B || SUBSTR(A.C, 1, 3)"),
    ],
)
def test_expressions_keep_only_the_parentheses_they_need(written: str, canonical: str) -> None:
    tree = read_expression(written)
    assert expression_text(tree) == canonical
    assert read_expression(canonical) == tree


def test_numbers_and_names_that_would_be_read_as_something_else_are_written_so_that_they_are_not() -> None:
    assert read_expression(expression_text(Node("value", "10122000"))).children[0].children[0] == Node(
        "value", "10122000.0"
    )
    assert expression_text(Node("entity", "Entity")) == "`ENTITY`"


COMMENTED = """\
-- header of the file

-- the accounts
MAPPING accounts:  -- name
-- before the start
WHEN POPULATING T FROM S
  -- before the attribute
  POPULATE T.A WITH S.A  -- the attribute
  POPULATE T.B
    -- why
    WITH 1 IF S.B = 2
    -- else
    WITH 2
-- rows
SELECT ROWS WHERE S.B = 1

-- between

WHEN POPULATING T FROM S
  POPULATE T.A WITH "-- no comment"

-- the end
"""


def test_comments_stay_with_what_follows_them() -> None:
    assert canonical_text(COMMENTED) == COMMENTED


@settings(max_examples=40)
@given(mappings(), st.data())
def test_formatting_loses_no_comment_and_changes_no_tree(tree: Node, data: st.DataObject) -> None:
    commented(tree, data)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.data())
def test_formatting_whatever_the_language_says_loses_no_comment(seed: int, data: st.DataObject) -> None:
    commented(whole_mapping(Random(seed)), data)


def commented(tree: Node, data: st.DataObject) -> None:
    text = unparse(tree)
    inside = [range(*found.span()) for found in (*QUOTED.finditer(text), *WORDS.finditer(text))]
    gaps = [place for place, char in enumerate(text) if char in " \n" and not any(place in span for span in inside)]
    chosen = data.draw(st.lists(st.sampled_from(gaps), max_size=5, unique=True)) if gaps else []
    for number, place in enumerate(sorted(chosen, reverse=True)):
        mark = data.draw(st.sampled_from([" -- c{}\n", "\n-- c{}\n", "\n\n-- c{}\n\n"])).format(number)
        text = text[:place] + mark + text[place:]
    formatted = canonical_text(text)
    assert read(formatted).trees == (tree,)
    found = [match["comment"] for match in QUOTED.finditer(formatted) if match["comment"]]
    assert sorted(found) == sorted(f"-- c{number}" for number in range(len(chosen)))
    assert canonical_text(formatted) == formatted


def test_what_cannot_be_read_is_not_formatted() -> None:
    with pytest.raises(BatchError, match="POPULATE without WITH") as caught:
        canonical_text("WHEN POPULATING T FROM S POPULATE T.A\nWHEN POPULATING T FROM S POPULATE T.B", "x.map")
    assert [error.location.line for error in caught.value.errors if error.location] == [1, 2]
