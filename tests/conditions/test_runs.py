"""Value sets of computed values and in Z3: what lies in a run of regions, and which patterns texts match."""

from __future__ import annotations

import pytest
from reading import condition, rules_of

from mdw.conditions.cuts import Usage
from mdw.conditions.diagram import Diagram
from mdw.conditions.regions import NULL, Regions
from mdw.conditions.solver import Solver
from mdw.conditions.terms import Terms
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.answer import Lineage
from mdw.model.candidates import Candidates
from mdw.model.expressions import Compare, Const, Variable


def lineage(text: str, attribute: str, when: str = "") -> Lineage:
    return trace_lineage(Question(attribute, condition(when), when), Candidates.of(rules_of(text)))


def test_a_run_of_all_regions_has_the_points_among_its_values() -> None:
    texts = {Const("string", "a"), Const("string", "b")}
    regions = Regions(Usage(texts, ordered=True))
    diagram = Diagram(100)
    left, right = (diagram.variable(name, regions.domain) for name in "AB")
    terms = Terms(diagram, lambda _: regions)
    alike, _ = terms.read(Compare("=", Variable(left), Variable(right)), lambda one: one)
    known = diagram.allow(left, regions.domain & ~NULL)
    a = diagram.allow(right, regions.bit(Const("string", "a")))
    assert Solver(diagram, lambda _: regions).check(diagram.both(diagram.both(known, a), alike)) == "possible"


def test_a_comparison_with_a_value_of_a_run_stays_in_the_condition() -> None:
    text = """
    MAPPING m: WHEN POPULATING M FROM S POPULATE M.T WITH S.U IF S.U >= "a" AND S.T > "A" WITH S.U
    POPULATE M.D WITH "x" IF S.T = S.U WITH S.D
    MAPPING n: WHEN POPULATING T FROM M POPULATE T.D WITH "y" IF NOT (M.T IN ("A", "E", "O")) WITH M.D
    SELECT ROWS WHERE M.T IS NOT NULL
    """
    [end] = lineage(text, "T.D").golden
    assert "S.T != S.U" in end.whole
    assert end.exact


TOGETHER = """
MAPPING m: WHEN POPULATING M FROM S POPULATE M.V WITH S.V POPULATE M.T WITH "EU" || S.T || "!" IF S.T != "x"
MAPPING n: WHEN POPULATING T FROM M POPULATE T.V WITH M.V SELECT ROWS WHERE {}
"""


def test_patterns_of_texts_put_together_are_asked() -> None:
    [end] = lineage(TOGETHER.format('M.T NOT LIKE "EUR%"'), "T.V").golden
    assert 'NOT LIKE "EUR%"' in end.whole
    assert not end.exact


@pytest.mark.parametrize(
    ("asked", "arrives"),
    [
        ('M.T = "EUA!"', 'S.T = "A"'),
        ('M.T = "EUx!"', ""),
        ('M.T IN ("EUA", "USA!")', ""),
        ('M.T IN ("EUA!", "EUB!", "USA!")', 'S.T IN ("A", "B")'),
        ('M.T != "USA!"', 'S.T != "x"'),
        ('M.T LIKE "US%"', ""),
        ('M.T LIKE "%?"', ""),
        ('M.T LIKE "E%"', 'S.T != "x"'),
        ('M.T NOT LIKE "E%"', ""),
        ('M.T = "2015"', ""),
    ],
)
def test_what_a_text_put_together_begins_and_ends_with_is_known(asked: str, arrives: str) -> None:
    ends = lineage(TOGETHER.format(asked), "T.V").golden
    assert [(end.whole, end.exact) for end in ends] == ([(arrives, True)] if arrives else [])


@pytest.mark.parametrize("asked", ['M.T = "05"', 'M.T = "5"', 'M.T = "-5"', 'M.T LIKE "5%"'])
def test_a_text_put_together_may_be_a_number_where_it_is_written(asked: str) -> None:
    # In a column of numbers "0" || "5" is 5, which begins with no 0, and "5" asks for it.
    [end] = lineage(TOGETHER.replace('"EU" || S.T || "!"', '"0" || S.T').format(asked), "T.V").golden
    assert not end.exact


def test_a_text_put_together_is_no_text_that_another_attribute_has() -> None:
    text = """
    MAPPING m: WHEN POPULATING M FROM S POPULATE M.V WITH S.V POPULATE M.T WITH "EU" || S.T POPULATE M.U WITH S.U
    MAPPING n: WHEN POPULATING T FROM M POPULATE T.V WITH M.V SELECT ROWS WHERE M.T = M.U AND M.U IN ("US", "CH")
    """
    answer = lineage(text, "T.V")
    assert not answer.golden
    assert not answer.undecided


def test_equal_numbers_may_be_spelled_differently_in_texts() -> None:
    # SQLite has 1 || "x" as "1x" and 1.0 || "x" as "1.0x".
    text = """
    MAPPING a: WHEN POPULATING L FROM S POPULATE L.X WITH S.N || "x" POPULATE L.Y WITH S.M || "x"
        POPULATE L.P WITH S.P SELECT ROWS WHERE S.N = S.M AND S.N > 0
    MAPPING b: WHEN POPULATING R FROM L POPULATE R.P WITH L.P SELECT ROWS WHERE L.X != L.Y
    """
    answer = lineage(text, "R.P")
    assert [end.attribute for end in answer.golden] == ["S.P"]
    assert len(answer.undecided) == 2
