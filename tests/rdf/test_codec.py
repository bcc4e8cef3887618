"""Rules -> compact JSON -> rules: nothing is lost, and rules that say nothing new are written as ever."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Features, small_warehouse
from whole import whole_mapping

from mdw.language.derive import derive
from mdw.language.mapping import read
from mdw.model.expressions import And, Attr, Compare, Const
from mdw.model.rules import DIRECT, Clause, Head, Join, Population, Rules, Source
from mdw.rdf.codec import decode_heads, decode_populations, encode_head, encode_population, outlines

ONE = Compare("=", Attr("S.B"), Const("number", "1"))


def survive(rules: Rules) -> None:
    assert decode_heads([encode_head(rules.head)]) == (rules.head,)
    texts = [encode_population(one) for one in rules.populations]
    assert decode_populations(texts) == rules.populations
    for outline, population in zip(outlines(texts), rules.populations, strict=True):
        uses = [source for clause in population.clauses for source in clause.sources]
        assert (outline.mapping, outline.target) == (population.mapping, population.target)
        assert list(outline.flows) == [use.attribute for use in uses if use.subtype in DIRECT]
        assert list(outline.decides) == [use.attribute for use in uses if use.subtype not in DIRECT]
        assert outline.constants == sum(clause.sourceless for clause in population.clauses)


@settings(max_examples=200)
@given(st.integers(0, 2**32))
def test_whatever_a_mapping_says_survives(seed: int) -> None:
    survive(derive(whole_mapping(Random(seed)), "m"))


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_plain_rules_are_written_with_nothing_more(seed: int) -> None:
    for tree in read(small_warehouse(Random(seed), Features(dates=True)).text).trees:
        rules = derive(tree, "m")
        survive(rules)
        head = json.loads(encode_head(rules.head))
        assert len(head) == 11
        assert {len(join) for join in head[3]} <= {4}
        assert {len(source) for source in head[-1]} <= {2}


@pytest.mark.parametrize(
    "head",
    [
        Head("m", "T", "S", role="A"),
        Head("m", "T", "S", group=()),
        Head("m", "T", "S", group=(Attr("S@A.X"), Const("boolean", "TRUE"))),
        Head("m", "T", "S", having=ONE),
        Head("m", "T", "S", policy="closed"),
        Head("m", "T", "S", inner=True),
        Head("m", "T", "S", joins=(Join("P", "mark", (("S.A", "P@Q.B"),), 3, "Q"),)),
        Head("m", "T", "S", joins=(Join("R", "semi", (), 4, "", ONE, "x"),)),
        Head("m", "T", "S", sources=(Source("S.A", "SORT", "S@A"), Source("S.A", "WINDOW", "", And((ONE, ONE))))),
    ],
)  # fmt: skip
def test_each_part_of_a_head_survives_alone(head: Head) -> None:
    assert decode_heads([encode_head(head)]) == (head,)


@pytest.mark.parametrize(
    ("sources", "short"),
    [
        ((Source("S.A", "IDENTITY"),), True),
        ((Source("S.A", "IDENTITY", "S@B"),), False),
        ((Source("S.A", "IDENTITY", "", ONE),), False),
    ],
)
def test_only_a_copy_of_a_plain_row_is_written_short(sources: tuple[Source, ...], short: bool) -> None:
    copy = Population("m", "T.A", (Clause(Attr("S.A"), None, "", 3, 7, sources),))
    text = encode_population(copy)
    assert (text == '["m","T.A","S.A",3,7]') is short
    assert decode_populations([text]) == (copy,)
