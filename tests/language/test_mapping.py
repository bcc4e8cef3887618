"""The reader: text to trees, and every mistake named where it was made."""

from __future__ import annotations

import re
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mappings import mappings
from places import CASES, TEST_GRAMMARS

from mdw.language import chunks
from mdw.language.mapping import (
    MAPPING_GRAMMAR,
    parser_of,
    read,
    read_chunks,
    read_condition,
    read_expression,
    read_name,
)
from mdw.language.mistakes.mistake import Mistake
from mdw.language.mistakes.table import MISTAKES
from mdw.language.unparse import unparse
from mdw.model.errors import InputError
from mdw.model.tree import Node

MALFORMED = sorted((CASES / "malformed").glob("*.map"))
E4 = """\
WHEN POPULATING Entity: AGREEMENT FROM Entity: CUSTOMER_MASTER_DATA
POPULATE Attribute: AGREEMENT.ACCOUNT_CLOSE_DT
    WITH CUSTOMER_MASTER_DATA.LAST_ACCOUNT_CLOSING_DATE
    IF CUSTOMER_MASTER_DATA.LAST_ACCOUNT_CLOSING_DATE != 01010001
    WITH "DEFAULT MAX"
"""
ONE = "MAPPING one: WHEN POPULATING T FROM S POPULATE T.A WITH S.A\n"
EXAMPLES = [(mistake, text) for mistake in MISTAKES for text in mistake.examples]


@pytest.mark.parametrize("path", MALFORMED, ids=[path.stem for path in MALFORMED])
def test_a_malformed_file_says_what_is_wrong_where(path: Path, accept: bool) -> None:
    reading = read(path.read_text("utf-8"), path.name)
    said = "\n".join([f"{len(reading.trees)} read", *map(str, reading.errors)]) + "\n"
    expected = path.with_suffix(".expected")
    if accept:
        expected.write_text(said, "utf-8")
    assert reading.errors
    assert said == expected.read_text("utf-8")


@pytest.mark.parametrize(("mistake", "text"), EXAMPLES, ids=[ascii(text) for _, text in EXAMPLES])
def test_the_examples_of_a_mistake_are_recognised(mistake: Mistake, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fitting: list[Mistake] = []
    found = Mistake.found

    def noted(row: Mistake, before: str, after: str, accepts: frozenset[str]) -> tuple[str, int] | None:
        place = found(row, before, after, accepts)
        fitting.extend([row] if place else [])
        return place

    monkeypatch.setattr(Mistake, "found", noted)
    error = read(text).errors[0]
    assert fitting[0] is mistake, "another row of the tables fits before"
    assert re.fullmatch(re.escape(mistake.message).replace(r"\{at\}", ".+"), error.message), str(error)
    assert error.hint == mistake.hint


def test_every_mistake_has_an_example() -> None:
    assert [mistake for mistake in MISTAKES if not mistake.examples] == []


def test_e5_the_tree_of_figure_5_5() -> None:
    tree = read(E4).trees[0]
    roles = (
        "mapping population targetentity entity drivingentity entity populate attribute with expression computation "
    )
    roles += "attribute condition conditioncomp comparison != attribute date with expression string"
    assert [node.role for node in tree.walk()] == roles.split()
    contents = [node.content for node in tree.walk() if node.content]
    assert contents[:3] == ["AGREEMENT", "CUSTOMER_MASTER_DATA", "AGREEMENT.ACCOUNT_CLOSE_DT"]
    assert contents[-2:] == ["01010001", '"DEFAULT MAX"']


def test_a_node_stands_where_its_first_leaf_stands() -> None:
    tree = read("\n" + E4, "e4.map").trees[0]
    population = tree.children[0]
    with_ = population.children[2].children[1]
    comparison = next(node for node in with_.walk() if node.role == "comparison")
    assert [str(node.location) for node in (tree, with_, comparison, comparison.children[0])] == [
        "e4.map:2:25",
        "e4.map:4:10",
        "e4.map:5:8",
        "e4.map:5:55",
    ]


def test_operators_lead_their_operands_in_one_spelling() -> None:
    tree = read_condition("A.B <> 1 and A.C is  not\nnull And not in.x not in (1)")
    joined = tree.children[0]
    assert [node.role for node in joined.children] == ["AND", *["conditioncomp"] * 3]
    assert [node.children[0].children[0].content for node in joined.children[1:3]] == ["!=", "IS NOT NULL"]
    assert read_expression("A.B x 2") == read_expression("A.B X 2") == read_expression("A.B*2")


def test_grammars_are_only_data() -> None:
    text = "WHEN POPULATING T FROM S POPULATE T.A WITH S.A || S.B IF S.C = 31.12.2013 AND S.D = 2013-12-31"
    figure, larger = (read(text, grammar=TEST_GRAMMARS / name) for name in ("figure_6_2.lark", "larger.lark"))
    assert "date" in [
        node.role for node in read(text.partition(" AND")[0], grammar=TEST_GRAMMARS / "figure_6_2.lark").trees[0].walk()
    ]
    assert not figure.errors
    assert not larger.errors
    parts = [(node.role, node.content) for node in larger.trees[0].walk()]
    assert [role for role, _ in parts if role in ("lhs", "rhs", "day", "month", "year")] == [
        "lhs",
        "rhs",
        "day",
        "month",
        "year",
        "year",
        "month",
        "day",
    ]
    assert ("year", "2013") in parts
    assert "IF S.C = 31.12.2013 AND S.D = 2013-12-31" in unparse(larger.trees[0])


@pytest.mark.parametrize(
    "hiding", ['"a\n{}"', "'{}'", "`{}`.A", "-- {}\nS.A", "-- it's {}\nS.A", '"\\"{}"', "'it''s {}'"]
)
def test_words_that_start_mappings_start_none_inside_quotes_and_comments(hiding: str) -> None:
    hidden = hiding.format("x MAPPING a: WHEN POPULATING T FROM S" if "`" not in hiding else "S")
    text = f"WHEN POPULATING T FROM S POPULATE T.A WITH {hidden}\n"
    assert [len(chunk.text) for chunk in chunks.split([text])] == [0, len(text)] or "\n" in hidden
    assert len(read(text + ONE).trees) == 2


def test_names_may_be_words_of_the_language() -> None:
    text = "MAPPING mapping: WHEN POPULATING WHEN FROM MAPPING "
    text += "NAVIGATE FROM MAPPING TO POPULATING USING MAPPING.A = POPULATING.A "
    reading = read(
        text + ONE + "WHEN POPULATING POPULATING FROM WHEN\nPOPULATE POPULATING.WITH WITH WHEN.IF IF WHEN.AND = 1"
    )
    assert not reading.errors
    assert len(reading.trees) == 3


@settings(max_examples=25)
@given(mappings())
def test_with_and_without_its_plugin_lark_reads_the_same(tree: Node) -> None:
    pytest.importorskip("lark_cython", reason="there is no wheel of the plugin for this machine")
    chunk = chunks.Chunk(unparse(tree), 3, 5)
    parser = parser_of(MAPPING_GRAMMAR)
    fast, plain = (parser.parsed(lark, chunk, "mapping") for lark in (parser.fast, parser.lark))
    assert parser.fast is not parser.lark
    assert fast == plain == tree
    assert [node.location for node in fast.walk()] == [node.location for node in plain.walk()]


@settings(max_examples=15)
@given(st.lists(mappings(), min_size=1, max_size=4), st.integers(1, 300), st.booleans())
def test_a_text_reads_the_same_in_pieces_of_any_size(trees: list[Node], size: int, broken: bool) -> None:
    texts = [unparse(tree) for tree in trees]
    text = "\n".join([*texts, "WHEN POPULATING X FROM\n", *texts]) if broken else "".join(texts)
    pieces = [text[place : place + size] for place in range(0, len(text), size)]
    whole = read(text)
    assert whole.trees == (*trees, *trees) if broken else tuple(trees)
    assert len(whole.errors) == broken
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "BLOCK", 1)
        readings = list(read_chunks(pieces))
    assert tuple(tree for reading in readings for tree in reading.trees) == whole.trees
    places = [str(node.location) for tree in whole.trees for node in tree.walk()]
    assert [str(node.location) for reading in readings for tree in reading.trees for node in tree.walk()] == places
    assert [str(error) for reading in readings for error in reading.errors] == [str(error) for error in whole.errors]


@settings(max_examples=150)
@given(st.sampled_from([text for _, text in EXAMPLES] + [E4, ONE * 2]), st.data())
def test_whatever_the_text_errors_have_a_place_in_it(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(place, min(len(text), place + 5)))
    inserted = data.draw(
        st.text(max_size=3) | st.sampled_from([" AND ", '"', "'", "`", "(", "MAPPING ", "--", "\n", ";"])
    )
    text = text[:place] + inserted + text[end:]
    for error in read(text, "x").errors:
        assert error.location
        lines = text.removeprefix("\ufeff").split("\n")
        assert 1 <= error.location.line <= len(lines)
        assert 1 <= error.location.column <= len(lines[error.location.line - 1]) + 1
        assert len(error.expected) <= 6
        assert str(error)


def test_memory_stays_flat_however_long_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def peak(number: int) -> int:
        lines = (ONE.replace("one", f"m{index}") for index in range(number))
        tracemalloc.start()
        assert sum(len(reading.trees) for reading in read_chunks(lines)) == number
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    monkeypatch.setattr(chunks, "BLOCK", 4096)
    assert peak(200) > 0
    assert peak(1200) < 1.3 * peak(400)


def test_a_text_on_one_line_is_read_like_any_other() -> None:
    text = ONE.replace("\n", " ") * 3000
    reading = read(text.replace("S.A", "S", 1))
    assert len(reading.trees) == 2999
    assert str(reading.trees[-1].location) == f"<text>:1:{len(text) - len(ONE) - 2 + len('MAPPING ') + 1}"
    assert len(str(reading.errors[0])) < 600


def test_line_ends_of_any_system_are_line_ends() -> None:
    text = "-- one\n" + E4 + "-- two\n" + ONE + "POPULATE T.B -- three\nWITH 2"
    trees = read(text).trees
    assert len(trees) == 2
    assert (
        read(text.replace("\n", "\r\n")).trees
        == read(text.replace("\n", "\r")).trees
        == read("\ufeff" + text).trees
        == trees
    )


def test_texts_read_at_the_same_time_do_not_mix() -> None:
    texts = {f"{number}.map": ONE.replace("one", f"m{number}") * 20 for number in range(8)}
    with ThreadPoolExecutor(8) as pool:
        readings = dict(zip(texts, pool.map(lambda file: read(texts[file], file), texts), strict=True))
    for file, reading in readings.items():
        assert {node.location.file for tree in reading.trees for node in tree.walk() if node.location} == {file}
        assert {tree.children[0].content for tree in reading.trees} == {f"m{file.removesuffix('.map')}"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text ends too early"),
        ("A.B", "an attribute alone is no condition"),
        ("A.B == 1", "equal is a single ="),
        ("A.B = 1 AND", "nothing follows the last operator"),
        ("A.B = 31.02.2013", "there is no day 31.02.2013"),
        ("A.B = 1 WITH 2", "unexpected WITH"),
        ("B = 1", "an attribute without its entity"),
    ],
)
def test_conditions_alone_have_the_same_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_condition(text)
    assert caught.value.message == message
    assert caught.value.location
    assert caught.value.location.file == "<condition>"


def test_names_alone() -> None:
    assert read_name("core.party.`end date`") == "CORE.PARTY.`end date`"
    with pytest.raises(InputError, match="unexpected party"):
        read_name("core party")


def test_the_grammar_stays_small_enough_to_start_quickly() -> None:
    # lark writes a rule out for every choice of its optional parts, and every command makes a parser of them.
    assert len(parser_of(MAPPING_GRAMMAR).fast.rules) < 400
