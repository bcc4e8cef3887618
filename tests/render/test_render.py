"""Answers, parse trees and the meta tree as text and HTML; expected texts are in tests/cases/render/."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from places import BANK, CASES, TEST_GRAMMARS
from render_samples import ANSWERS, layered, party, step

from mdw.language.mapping import read
from mdw.language.metatree import MetaTree
from mdw.model.answers.answer import Answer, Lineage
from mdw.model.answers.basis import Basis
from mdw.model.answers.ends import End, Readable
from mdw.model.answers.reasons import Dropped, Explanation, Reason
from mdw.model.tree import Node
from mdw.render.html import answer_html
from mdw.render.summary import summary
from mdw.render.telling import because
from mdw.render.text import answer_text
from mdw.render.trees import metatree_json, metatree_text, tree_json, tree_text
from mdw.render.words import unknown
from mdw.warehouse import Warehouse

RENDERED = CASES / "render"

EMPTY = replace(party(), golden=(), constants=(), interrupted=(), indirect=(), steps=(), dropped=(), undecided=())


@pytest.fixture(scope="module")
def bank() -> Iterator[Warehouse]:
    """The example bank in memory."""
    with Warehouse() as warehouse:
        warehouse.load(BANK)
        yield warehouse


def agreement() -> Node:
    """The parse tree of figure 5.1's mapping, shortened."""
    return read((CASES / "every-leaf-has-one-context" / "agreement.map").read_text()).trees[0]


def figure() -> MetaTree:
    """The meta tree of figure 6.2."""
    return MetaTree.of(TEST_GRAMMARS / "figure_6_2.lark")


TEXTS = {
    **{name: lambda answer=answer: answer_text(answer, 100) for name, answer in ANSWERS.items()},
    "lineage_narrow": lambda: answer_text(party(), 60),
    "lineage_one_step_deep": lambda: answer_text(party(), 100, depth=1),
    "lineage_in_colour": lambda: answer_text(party(), 100, color=True),
    "nothing_found": lambda: answer_text(EMPTY, 100),
    "parse_tree": lambda: tree_text("agreement", agreement()),
    "meta_tree": lambda: metatree_text(figure()),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(name: str, accept: bool) -> None:
    file = RENDERED / f"{name}.txt"
    found = TEXTS[name]()
    if accept:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_text_names_every_end_and_every_mapping_that_contradicts(answer: Answer) -> None:
    text = " ".join(answer_text(answer, 1000).split())
    ends = answer.golden if isinstance(answer, Lineage) else answer.final
    assert [end.attribute for end in ends[:20] if end.attribute not in text] == []
    for dropped in answer.dropped:
        assert dropped.step.source in text
        assert all(reason.mapping in text for reason in dropped.because)


def test_an_end_that_was_asked_for_is_called_so_and_neither_golden_nor_final(bank: Warehouse) -> None:
    there = bank.lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME", source="CORE.PARTY.PARTY_NAME")
    back = bank.impact("CORE.PARTY.PARTY_NAME", target="MART.CUSTOMER_EU.CUSTOMER_NAME")
    for answer, said in (there, "source asked for"), (back, "target asked for"):
        text = answer_text(answer) + answer_html(answer)
        assert said in text
        assert "Values of CORE.PARTY.PARTY_NAME arrive at" in text
        assert "golden source" not in text
        assert "final target" not in text
    assert (there.to_dict()["source"], back.to_dict()["target"]) == ("CORE.PARTY.PARTY_NAME", back.final[0].attribute)


@pytest.mark.parametrize(
    ("when", "source", "said"),
    [
        ("", "SRC_HR.EMPLOYEE.MANAGER_NO", "No mappings lead from SRC_HR.EMPLOYEE.MANAGER_NO to"),
        ('REGION = "LATAM"', "SRC_US.CUSTOMER.FULL_NAME", "no value of SRC_US.CUSTOMER.FULL_NAME can arrive at"),
        ("", "MART.GROUP_CUSTOMER.CUSTOMER_NAME", "is itself the attribute asked for at the other end"),
    ],
)
def test_why_nothing_comes_from_a_source_asked_for(bank: Warehouse, when: str, source: str, said: str) -> None:
    answer = bank.lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME", when=when or None, source=source)
    assert said in summary(answer)


@pytest.mark.parametrize(("when", "itself"), [('REGION = "EU" AND REGION = "US"', True), ("PARTY_TYPE = 7", False)])
def test_a_question_that_contradicts_itself_is_told_so_first(bank: Warehouse, when: str, itself: bool) -> None:
    said = summary(bank.lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME", when=when))
    assert "no source can reach MART.GROUP_CUSTOMER.CUSTOMER_NAME" in said
    assert ("because the question contradicts itself" in said) == itself


def test_a_sentence_repeats_as_much_of_a_question_as_is_read(bank: Warehouse) -> None:
    when = " OR ".join(f'REGION = "R{number}"' for number in range(100))
    answer = bank.lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME", when=f'REGION = "EU" OR {when}')
    assert len(summary(answer)) < 700
    assert when in summary(answer, full=True)


def test_no_name_is_cut_where_the_terminal_is_narrow(bank: Warehouse) -> None:
    answer = bank.lineage("RISK.WATCH_LIST.AMOUNT", when={"REASON": "OVER LIMIT"})
    named = {one.attribute for one in answer.golden} | {one.attribute for one in answer.indirect}
    whole = {word for one in answer.dropped for word in because(one).split()}
    for width in (44, 60, 80):
        text = answer_text(answer, width, depth=1)
        assert max(map(len, text.splitlines())) <= width
        assert [name for name in sorted(named) if name not in text] == []
        # Reasons are as long as somebody reads, and end with a word, or with the last part of a name that was broken.
        cut = [words[-1].strip("…") for words in map(str.split, text.splitlines()) if words and words[-1][-1] == "…"]
        assert cut
        assert [word for word in cut if not any(one.endswith(word) for one in whole)] == []


def test_what_no_rule_says_is_told_as_the_script_writes_it(tmp_path: Path) -> None:
    script = "CREATE PROCEDURE p(v_limit INT) AS BEGIN INSERT INTO t (a) SELECT a FROM s WHERE s.n > v_limit; END;"
    (tmp_path / "p.sql").write_text(f"{script}\nCREATE VIEW w AS SELECT a FROM t WHERE CASE WHEN a = 1 THEN 2 END = 3;")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="oracle")
        answer = warehouse.lineage("t.a")
        assert "OPAQUE(" in answer.steps[0].condition
        for told in (answer_text(answer), answer_html(answer), str(warehouse.lineage("w.a"))):
            assert "OPAQUE" not in told
        assert "if n > V_LIMIT (of v_limit, :v_limit)" in answer_text(answer)
        # The rules themselves are as they are read, with a word on what they mean.
        assert "stands for what the script calls NAME" in str(warehouse.explain("p.sql:1:42"))


def test_text_of_a_big_answer_is_short_and_says_how_much_is_missing() -> None:
    text = answer_text(layered(3, 60, 450, 1000, 30), 150)
    assert text.count("\n") < 700
    assert "of 970 steps" in text
    assert "--format json" in text


def test_text_of_a_very_long_way_ends() -> None:
    steps = tuple(step(f"E{n + 1}.A", f"E{n}.A", "M") for n in range(3000))
    text = answer_text(replace(EMPTY, attribute="E0.A", steps=steps), 200)
    assert "of 3,000 steps" in text


def test_text_of_a_loop_ends() -> None:
    steps = (step("E.B", "E.A", "M"), step("E.A", "E.B", "N"))
    text = answer_text(replace(EMPTY, attribute="E.A", steps=steps))
    assert "E.A  … see above" in text


SUMMARIES = [
    (replace(EMPTY, when="TRUE"), "No mapping fills RPT.CUSTOMER.NAME."),
    (
        replace(EMPTY, basis=Basis(decided=(("diagram", 1),))),
        "no value comes to RPT.CUSTOMER.NAME: no row goes through",
    ),
    (replace(EMPTY, interrupted=("CORE.X.Y",)), "RPT.CUSTOMER.NAME has no golden source; its lineage is interrupted"),
    (
        replace(EMPTY, golden=party().golden[:1], when=""),
        "comes from the golden source SRC_EU.CUSTOMER.NAME, whose entity no mapping fills.",
    ),
    (replace(EMPTY, constants=party().constants), 'RPT.CUSTOMER.NAME is always the constant "UNKNOWN".'),
    (replace(EMPTY, dropped=party().dropped), "no source can reach RPT.CUSTOMER.NAME; 1 step was left out"),
    (replace(EMPTY, when='RPT.CUSTOMER.ACTIVE = "A.B"'), 'For rows where ACTIVE = "A.B", '),
    (replace(EMPTY, interrupted=("CORE.X.Y",), steps=party().steps), "interrupted at CORE.X.Y, which is filled by no"),
]


WRITTEN = """
INSERT INTO r (k, rate) SELECT 'EUR', 1;
INSERT INTO r (k, rate) SELECT x.k, x.rate FROM x WHERE x.k <> 'EUR';
CREATE VIEW t AS SELECT s.amount * r.rate AS eur, CASE WHEN s.k = 1 THEN r.rate ELSE 7 END AS rate,
  COUNT(*) OVER () AS n, 5 AS g FROM s JOIN r ON r.k = s.cur;
CREATE VIEW u AS SELECT t.n * 2 AS n2, t.n, t.g + 1 AS g1, t.g, t.gone FROM t;
CREATE VIEW w AS SELECT u.g AS a FROM u UNION ALL SELECT t.gone FROM t UNION ALL SELECT u.g + u.g FROM u;
"""
"""1 is no rate of T.EUR, it is a part of what that is computed from."""
SAID_OF_WRITTEN = {
    "T.EUR": "S.AMOUNT and X.RATE; or it is computed from the constant 1.",
    "T.RATE": "X.RATE, whose entity no mapping fills; or it is one of the constants 1 and 7.",
    "U.N": "U.N is generated: COUNT(*) OVER ().",
    "U.N2": "U.N2 is computed from what is generated: COUNT(*) OVER ().",
    "U.G": "U.G is always the constant 5.",
    "U.G1": "U.G1 is computed from the constant 5.",
    "W.A": "W.A is the constant 5; its lineage is interrupted at T.GONE",
}


def test_a_constant_that_is_computed_with_is_not_said_to_be_the_value(tmp_path: Path) -> None:
    (tmp_path / "written.sql").write_text(WRITTEN)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        for attribute, said in SAID_OF_WRITTEN.items():
            assert said in summary(warehouse.lineage(attribute))


@pytest.mark.parametrize(("answer", "said"), SUMMARIES)
def test_summary(answer: Answer, said: str) -> None:
    assert said in summary(answer)


def test_html_is_escaped_and_well_formed() -> None:
    for answer in ANSWERS.values():
        ElementTree.fromstring(answer_html(answer))
    nasty = Reason("<script>", 'CORE.P.NAME = "<b>&\'"', None)
    odd = replace(party(), dropped=(Dropped(party().steps[0], Explanation((nasty,))),), notes=("a < b & c",))
    text = answer_html(odd)
    ElementTree.fromstring(text)
    assert "<script" not in text
    assert "a &lt; b &amp; c" in text


def test_trees_as_json_number_nodes_from_one() -> None:
    nodes = json.loads(tree_json("agreement", agreement()))["nodes"]
    assert [node["number"] for node in nodes] == list(range(1, len(nodes) + 1))
    assert all(node["parent"] < node["number"] for node in nodes[1:])
    assert nodes[11]["content"] == "CUSTOMER_MASTER_DATA.LAST_ACCOUNT_CLOSING_DATE"
    found = json.loads(metatree_json(figure()))["nodes"]
    assert (found[11]["role"], found[11]["identifying"], found[11]["parent"]) == ("computation", False, 10)


def test_what_is_not_known_names_mappings_whose_names_have_numbers() -> None:
    texts = (
        "what F gives (a.sql:t (2))",
        "what F gives (a.sql:u)",
        "whether a.sql:t (2) has run when its rows are read",
    )
    end = End("S.V", Readable("TRUE", "TRUE", exact=False, open=texts))
    assert unknown(end) == (
        "not known: what F gives (a.sql:t (2) and a.sql:u) and whether a.sql:t (2) has run when its rows are read"
    )
