"""Statements are quoted with the places that give an attribute's values and decide over its rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import ROOT

from mdw import QuestionError, Warehouse
from mdw.model.answers.quotes import Mark, Quote
from mdw.model.answers.statements import SqlStatement
from mdw.model.tree import Location

CASES: dict[str, tuple[str, list[str], list[str]]] = {
    "a plain column": ("CREATE VIEW t AS SELECT s.x AS a, s.y FROM s WHERE s.k > 0", ["s.x AS a"], ["WHERE s.k > 0"]),
    "a function of several": (
        "CREATE VIEW t AS SELECT s.y, COALESCE(s.x, s.z, 0) * 2 AS a FROM s ORDER BY 1",
        ["COALESCE(s.x, s.z, 0) * 2 AS a"],
        [],
    ),
    "words of FROM within": (
        "CREATE VIEW t AS SELECT EXTRACT(YEAR FROM s.d) a FROM s",
        ["EXTRACT(YEAR FROM s.d) a"],
        [],
    ),
    "a constant": ("INSERT INTO t (a, b) SELECT 'x', s.y FROM s", ["'x'"], []),
    "both branches": (
        "CREATE VIEW t AS SELECT x AS a FROM s WHERE k = 1 UNION ALL SELECT y FROM r WHERE k = 2",
        ["x AS a", "y"],
        ["WHERE k = 1", "WHERE k = 2"],
    ),
    "joins of every kind": (
        "CREATE VIEW t AS SELECT r.x AS a FROM s LEFT OUTER JOIN r ON s.k = r.k AND (r.y = 1 OR r.y = 2) "
        "INNER JOIN q USING (id) WHERE NOT (s.z IS NULL)",
        ["r.x AS a"],
        [
            "LEFT OUTER JOIN r ON s.k = r.k AND (r.y = 1 OR r.y = 2)",
            "INNER JOIN q USING (id)",
            "WHERE NOT (s.z IS NULL)",
        ],
    ),
    "an update": ("UPDATE t SET b = 1, a = r.x + 1 FROM r WHERE r.k = t.k", ["a = r.x + 1"], ["WHERE r.k = t.k"]),
    "a merge": (
        "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED AND s.d = 1 THEN UPDATE SET a = s.x "
        "WHEN NOT MATCHED THEN INSERT (k, a) VALUES (s.k, s.y)",
        ["a = s.x", "s.y"],
        ["ON t.k = s.k", "WHEN MATCHED AND s.d = 1"],
    ),
    "a derived table": (
        "CREATE VIEW t AS SELECT q.m AS a FROM (SELECT MAX(x) AS m, k FROM s WHERE y = 1 GROUP BY k) q WHERE q.k > 1",
        ["q.m AS a", "MAX(x) AS m"],
        ["WHERE y = 1", "WHERE q.k > 1"],
    ),
    "a subquery that decides": (
        "CREATE VIEW t AS SELECT x AS a FROM s WHERE y IN (SELECT k FROM r WHERE z = 1) AND w = 2",
        ["x AS a"],
        ["WHERE y IN (SELECT k FROM r WHERE z = 1) AND w = 2", "WHERE z = 1"],
    ),
    "groups": (
        "CREATE VIEW t AS SELECT SUM(CASE WHEN k = 1 THEN x END) AS a FROM s GROUP BY y HAVING COUNT(*) > 1 ORDER BY 1",
        ["SUM(CASE WHEN k = 1 THEN x END) AS a"],
        ["HAVING COUNT(*) > 1"],
    ),
    "characters that end lines elsewhere": (
        "CREATE VIEW t AS SELECT s.y /* \f \u2028 */,\n\f\ns.x AS a\nFROM s WHERE s.k > 0",
        ["s.x AS a"],
        ["WHERE s.k > 0"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_places_that_matter(tmp_path: Path, case: str) -> None:
    text, values, rows = CASES[case]
    (tmp_path / "t.sql").write_text(f"CREATE TABLE other (x INT);\n  {text};\n")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        (quote,) = warehouse.quotes("T.A")
    assert quote.statement.text == text
    marked = [(text[mark.start : mark.end], mark.kind) for mark in quote.marks]
    assert sorted(said for said, kind in marked if kind == "value") == sorted(values)
    assert sorted(said for said, kind in marked if kind == "rows") == sorted(rows)


def test_two_files_are_quoted_both(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("INSERT INTO t (a) SELECT x FROM s")
    (tmp_path / "b.sql").write_text("INSERT INTO t (a) SELECT y FROM r; INSERT INTO t (a) SELECT z FROM q")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        told = [(str(one.statement.location), one.mappings) for one in warehouse.quotes("T.A")]
    assert told == [
        ("a.sql:1:1", ("a.sql:t",)),
        ("b.sql:1:1", ("b.sql:t",)),
        ("b.sql:1:36", ("b.sql:t (2)",)),
    ]


def test_mapping_text_is_not_quoted() -> None:
    with Warehouse() as warehouse:
        warehouse.load("WHEN POPULATING T FROM S POPULATE T.A WITH S.X")
        assert warehouse.quotes("T.A") == ()
        assert warehouse.written(warehouse.lineage("T.A")) == ()
        with pytest.raises(QuestionError, match="no mapping mentions"):
            warehouse.quotes("T.NONE")


def test_an_answer_is_told_in_the_words_of_the_scripts() -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data" / "claims", dialect="snowflake")
        answer = warehouse.lineage("medical_spend.paid")
        told = [(str(one.location), one.text) for one in warehouse.written(answer)]
    # Why the pharmacy's claims were left out stands in two files.
    assert ("core/claim.sql:7:65", "'pharmacy'") in told
    assert ("mart/medical_spend.sql:3:30", "WHERE claim_type = 'medical'") in told
    assert ("mart/medical_spend.sql:8:5", "SUM(c.paid) AS paid") in told
    assert ("core/claim.sql:9:1", "WHERE NOT p.reversed") not in told


def quoted(lines: int, *marked: int) -> Quote:
    """A statement of so many lines, of which some are marked."""
    text = "\n".join(f"line {number}" for number in range(1, lines + 1))
    start = [text.index(f"line {number}") for number in marked]
    at = Location("f.sql", 11, 1)
    statement = SqlStatement("select", "whole", "", (), (), (), (), "", at, "", text, at, None)
    return Quote(statement, (), tuple(Mark(one, one + 4, "value") for one in start))


def test_what_does_not_matter_is_folded_and_nothing_is_lost() -> None:
    quote = quoted(30, 15)
    assert [(one.first, one.last, one.folded) for one in quote.stretches()] == [
        (11, 11, False),
        (12, 23, True),
        (24, 26, False),
        (27, 40, True),
    ]
    assert "".join(text for one in quote.stretches() for text, _ in one.pieces) == quote.statement.text


def test_short_statements_are_not_folded() -> None:
    assert [one.folded for one in quoted(5, 3).stretches()] == [False]
