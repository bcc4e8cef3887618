"""Laws of the conditions shown: exact where they say so, with example rows that meet them, and nothing superfluous."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import BANK
from reading import condition, rules_of
from rows import Cell
from running import arrived as values_of
from small import Features
from test_laws import MORE, POLICIES, SEEDS, Asked, executed, golden, laws, obey

from mdw.language.derive import derive, name_of
from mdw.language.mapping import read
from mdw.lineage.judge.short import LONGEST
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.ends import End, Plain, Readable, Row
from mdw.model.candidates import Candidates
from mdw.model.name import entity_of, local_of
from mdw.model.rules import Policy
from mdw.model.standard_sql import to_sql
from mdw.render.proof import kept_sql

# -- exact ---------------------------------------------------------------------------------------------------------


def misclaimed(asked: Asked) -> list[str]:
    """Rows that arrive but do not meet the SQL of their end, and those that meet it and do not, though it is exact."""
    rules = asked.rules
    database = executed(asked, rules, "sqlite")
    wanted = condition(asked.when)
    arrived = database.cells(asked.attribute, to_sql(wanted) if wanted else "TRUE")
    found = []
    for name, end in golden(asked.answer()).items():
        for number, row in enumerate(asked.rows(entity_of(name))):
            cell = Cell(name, number)
            if cell in arrived and not database.meets(cell, end.sql):
                found.append(f"{cell} {row} arrives but does not meet {end.sql}")
            if end.exact and cell not in arrived and database.meets(cell, end.sql):
                found.append(f"{cell} {row} meets {end.sql} but does not arrive")
    return found


@laws(30)
@given(SEEDS, st.sampled_from(POLICIES))
def test_a_row_meets_the_condition_shown_just_if_it_arrives(seed: int, policy: Policy) -> None:
    obey(Asked.of(seed, Features(aggregations=False, doubled=seed % 2 == 0), policy), misclaimed)


LEFT = """
MAPPING first: WHEN POPULATING T FROM S POPULATE T.P WITH S.P POPULATE T.R WITH J1.R POPULATE T.K WITH 1 IF J2.R = "B"
NAVIGATE FROM S TO J1 USING S.A = J1.ID NAVIGATE FROM S TO J2 USING S.B = J2.ID
"""


def end_of(text: str, attribute: str, when: str = "") -> End:
    """The only golden source."""
    [end] = trace_lineage(Question(attribute, condition(when), when), Candidates.of(rules_of(text))).golden
    return end


def test_left_joins_stay_left() -> None:
    end = end_of(LEFT, "T.P", 'T.K = 1 OR T.R = "A"')
    assert end.exact
    assert end.sql == (
        "EXISTS (SELECT 1 FROM J1 WHERE J1.ID = S.A AND J1.R = 'A') OR "
        "EXISTS (SELECT 1 FROM J2 WHERE J2.ID = S.B AND J2.R = 'B')"
    )


def test_a_missing_partner_is_told_from_one_that_does_not_fit() -> None:
    end = end_of(LEFT, "T.P", "T.R IS NULL")
    assert end.exact
    assert end.condition == "J1.ID IS NULL OR (J1.ID = S.A AND J1.R IS NULL)"
    assert "NOT EXISTS (SELECT 1 FROM J1 WHERE J1.ID = S.A)" in end.sql


@pytest.mark.parametrize(
    ("rules", "when", "doubt"),
    [
        ("POPULATE T.P WITH S.P POPULATE T.C WITH substr(S.A, 1, 2)", 'T.C = "a"', "what SUBSTR gives"),
        ("POPULATE T.P WITH S.P POPULATE T.N WITH SUM(S.N)", "T.N > 1", "how many rows of S are added up"),
        ("POPULATE T.P WITH S.P", "T.N > 1", "which values of T.N are written"),
        (
            'POPULATE T.P WITH S.P SELECT ROWS WHERE S.N LIKE "E%" OR S.N < 5',
            "",
            'whether a value is LIKE "E%"',
        ),
    ],
)
def test_what_is_not_known_is_named(rules: str, when: str, doubt: str) -> None:
    question = Question("T.P", condition(when), when, policy="open")
    [end] = trace_lineage(question, Candidates.of(rules_of(f"MAPPING m: WHEN POPULATING T FROM S {rules}"))).golden
    assert not end.exact
    assert any(doubt in text for text in end.open), end.open


# -- example rows --------------------------------------------------------------------------------------------------


def written(value: Plain) -> str | int | float | None:
    return value.isoformat() if isinstance(value, date) else float(value) if isinstance(value, Decimal) else value


def unquoted(text: str) -> str:
    """SQL and names that SQLite takes without quotes; days as texts."""
    return re.sub(r"""["`]([^"`]+)["`]""", lambda found: f"{re.sub(chr(92) + 'W', '_', found[1])}_", text).replace(
        "DATE '", "'"
    )


def unmet(end: End, entity: str) -> bool:
    """Whether with the example rows alone in the tables the SQL does not select the source's row."""
    rows: list[tuple[str, Row]] = [(entity, end.witness), *end.partners]
    database = sqlite3.connect(":memory:")
    database.execute("PRAGMA case_sensitive_like = ON")
    # Every table has every column: which ones the rules speak of does not matter here.
    named = {name for _, row in rows for name, _ in row}
    names = {*re.findall(r"[A-Za-z_][\w.]*\.\w+", unquoted(end.sql)), *map(unquoted, named)}
    columns = sorted({name.rpartition(".")[2] for name in names} | {"NOTHING_ELSE"})
    found = re.findall(r"FROM ([\w., ]+?) WHERE", unquoted(end.sql))
    tables = {one.split(" AS ")[0] for some in found for one in some.split(", ")} | {unquoted(of) for of, _ in rows}

    def flat(text: str) -> str:
        for table in sorted(tables, key=len, reverse=True):
            text = re.sub(rf"(?<![\w.']){re.escape(table)}(?![\w'])", table.replace(".", "__"), text)
        return text

    for table in sorted(tables):
        database.execute(f"CREATE TABLE {flat(table)} ({', '.join(columns)})")
    for of, row in rows:
        every = {"NOTHING_ELSE": None, **{unquoted(name).rpartition(".")[2]: written(value) for name, value in row}}
        marks = ", ".join("?" * len(every))
        database.execute(f"INSERT INTO {flat(unquoted(of))} ({', '.join(every)}) VALUES ({marks})", [*every.values()])
    sql = f"SELECT 1 FROM {flat(unquoted(entity))} WHERE {flat(unquoted(end.sql))}"
    return database.execute(sql).fetchone() is None


def without_example(asked: Asked) -> list[str]:
    """Ends whose example rows do not meet their SQL."""
    answer = asked.answer()
    return [
        f"{end.witness} {end.partners} do not meet {end.sql}"
        for end in answer.golden
        if end.witness and unmet(end, entity_of(end.attribute))
    ]


@laws(30)
@given(SEEDS, st.sampled_from(POLICIES))
def test_example_rows_meet_the_sql(seed: int, policy: Policy) -> None:
    obey(Asked.of(seed, Features(dates=True), policy), without_example)


@cache
def bank() -> Candidates:
    """The rules of the example bank."""
    paths = sorted(BANK.rglob("*.map"))
    trees = [(path, tree) for path in paths for tree in read(path.read_text(), str(path)).trees]
    return Candidates.of(derive(tree, name_of(tree, path.stem)) for path, tree in trees)


ASKED = (
    "RISK.LARGE_EXPOSURE.GROSS_AMOUNT",
    "MART.GROUP_CUSTOMER.CUSTOMER_NAME",
    "MART.WEALTH_REPORT.AMOUNT_EUR",
    "MART.TRANSACTION_REPORT.AMOUNT",
)


@cache
def bank_ends() -> tuple[End, ...]:
    """The golden sources of some attributes of the bank, among them some of the hardest."""
    return tuple(end for name in ASKED for end in trace_lineage(Question(name), bank()).golden)


def test_example_rows_of_the_bank_meet_the_sql() -> None:
    every = bank_ends()
    assert [end.attribute for end in every if end.witness and unmet(end, entity_of(end.attribute))] == []
    assert [end.attribute for end in every if not end.witness and end.whole != "TRUE"] == []


Rows = tuple[Row, tuple[tuple[str, Row], ...]]


EACH = 5 if MORE == 1 else 1
"""Of rows much like an example each so manyth is tried."""


def near(end: End) -> Iterator[Rows]:
    """Rows much like the example: one value another, or a joined row in two halves that only together are it."""
    own, partners = end.witness, end.partners
    for changed in differing(own):
        yield changed, partners
    for place, (entity, row) in enumerate(partners):
        before, after = partners[:place], partners[place + 1 :]
        yield own, before + after
        several = list(differing(row))
        for changed in several:
            yield own, (*before, (entity, changed), *after)
        for one, two in pairwise(several):
            yield own, (*before, (entity, one), (entity, two), *after)


def differing(row: Row) -> Iterator[Row]:
    """The row with one value another."""
    for place, (name, value) in enumerate(row):
        others: dict[type, tuple[Plain, ...]] = {str: ("?", None), date: (date(1990, 5, 5), None)}
        for other in others.get(type(value), (7, -7000000, 7000000, None)):
            yield (*row[:place], (name, other), *row[place + 1 :])


@pytest.mark.parametrize("asked", ASKED)
def test_rows_much_like_the_examples_of_the_bank_meet_the_sql_just_if_they_arrive(asked: str) -> None:
    answer = trace_lineage(Question(asked, policy="closed"), bank())
    for end in answer.golden:
        for witness, partners in islice(near(end), 0, None, EACH) if end.exact else ():
            other = End(end.attribute, replace(end.readable, witness=witness, partners=partners))
            kept = kept_sql(replace(answer, golden=(other,)), bank(), None)
            # Where nothing is asked of the attribute its value is its name. That, or a large number, is nobody else's.
            mark = dict(witness).get(end.attribute, local_of(end.attribute))
            telling = end.attribute not in dict(witness) or (isinstance(mark, int) and abs(mark) > 1000)
            own = telling and not kept.missing and str(mark) in str([*values_of(kept.script).values()])
            selected = not unmet(other, entity_of(end.attribute))
            assert not (selected and kept.missing), f"{end.sql} selects what does not arrive: {witness} {partners}"
            assert selected or not own, f"{end.sql} does not select what arrives: {witness} {partners}"


@pytest.mark.parametrize(
    ("rules", "when", "row"),
    [
        ("POPULATE T.N WITH S.A * S.B / 100", "T.N > 1000000", {"A": 100000001, "B": 1}),
        ("POPULATE T.N WITH S.A / S.B", "T.N = 0.5", {"A": 1, "B": 2}),
        ("POPULATE T.N WITH S.A - S.B", "T.N = 0.5", {"A": Decimal("1.5"), "B": 1}),
        ("POPULATE T.N WITH S.A * S.B", "T.N = -10", {"A": -10, "B": 1}),
        ("SELECT ROWS WHERE S.A < S.B", "", {"A": 1, "B": 2}),
        ("SELECT ROWS WHERE S.A = S.B", "", {"A": "x", "B": "x"}),
        ("SELECT ROWS WHERE S.A != S.B AND S.A = S.C", "", {"A": "x", "B": "xx", "C": "x"}),
        ('SELECT ROWS WHERE S.A != S.B AND S.A != "x"', "", {"A": "other", "B": "!"}),
        ('SELECT ROWS WHERE S.A != S.B AND S.A IN ("x", "y")', "", {"A": "x", "B": "other"}),
        ("SELECT ROWS WHERE S.A < S.B AND S.B <= 02.01.2020", "", {"A": date(2000, 1, 1), "B": date(2000, 1, 2)}),
        ('POPULATE T.C WITH S.C || "!" IF S.C != "y"', 'T.C = "a!"', {"C": "a"}),
    ],
)
def test_an_example_row_is_plain_and_of_the_kinds_that_rules_ask_for(
    rules: str, when: str, row: Mapping[str, Plain]
) -> None:
    text = f"MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V {rules}"
    question = Question("T.V", condition(when) if when else None, when)
    [end] = trace_lineage(question, Candidates.of(rules_of(text))).golden
    assert not unmet(end, "S")
    assert {name.removeprefix("S."): value for name, value in end.witness} == row


@pytest.mark.parametrize(
    ("rules", "row"),
    [
        ("S.D IS NOT NULL AND S.N IS NOT NULL AND S.T IS NOT NULL", {"D": date(2020, 1, 1), "N": 1, "T": "x"}),
        ("S.N = S.M AND S.D != S.E", {"N": 1, "M": 1, "D": date(2020, 1, 1), "E": date(2020, 1, 2)}),
        ("S.D < S.E AND S.T < S.U", {"D": date(2020, 1, 1), "E": date(2020, 1, 2), "T": "1", "U": "2"}),
        # Texts of the rules that stand for numbers and days lead to others that do.
        ('S.N > "5" AND S.D > "2024-01-01"', {"N": "6", "D": "2024-01-02"}),
        ('S.D < "2024-01-01" AND S.D != S.E', {"D": "2023-12-31", "E": "2023-12-30"}),
        # What rules say of a kind counts more than what is told.
        ("S.N = 01.01.2020 AND S.T > 5", {"N": date(2020, 1, 1), "T": 6}),
        ("S.D = S.E + 1", {"D": 2, "E": 1}),
    ],
)
def test_an_example_row_is_of_the_types_that_columns_are_told_to_have(rules: str, row: Mapping[str, Plain]) -> None:
    types = {"S.D": "DATE", "S.E": "TIMESTAMP(6)", "S.N": "INT", "S.M": "DECIMAL(9, 2)", "S.T": "VARCHAR2(9)"}
    every = rules_of(f"MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V SELECT ROWS WHERE {rules}")
    [end] = trace_lineage(Question("T.V"), replace(Candidates.of(every), types=types)).golden
    assert not unmet(end, "S")
    assert {name.removeprefix("S."): value for name, value in end.witness} == row


def test_conditions_are_short_enough_to_be_read() -> None:
    for end in bank_ends():
        short = end.condition.replace(f"{entity_of(end.attribute)}.", "")
        assert len(short) <= LONGEST, end.condition
        assert end.form != "whole" or end.condition == end.whole


def test_values_of_json_are_plain() -> None:
    row: Row = (("A.D", date(2020, 1, 31)), ("A.N", Decimal("1.5")), ("A.T", "x"), ("A.X", None), ("A.Z", 3))
    found = End("A.D", Readable("TRUE", "TRUE", witness=row, partners=(("B", (("B.K", 1),)),))).to_dict()
    assert found["witness"] == {"A.D": "2020-01-31", "A.N": 1.5, "A.T": "x", "A.X": None, "A.Z": 3}
    assert found["partners"] == [{"entity": "B", "row": {"B.K": 1}}]
