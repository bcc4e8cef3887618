"""Products and merging against enumeration: random small transformations, every answer as step by step."""

from __future__ import annotations

from random import Random

import pytest
from bags import DOMAIN, Function, Row, SmallTrial, composed, each, grouped, largest, lineage, some_bags, total

from mdw.tracing import backward_key, backward_total, dispatcher, forward_key, key_preserving, keyed, row_filter
from mdw.tracing.checks import CHECKS
from mdw.tracing.choice import Derivation
from mdw.tracing.draws import Draw
from mdw.tracing.merging import Section, merged
from mdw.tracing.plan import PipelinePlan
from mdw.tracing.products import product
from mdw.tracing.properties import Property, implied
from mdw.tracing.trial import Try

PAIRS = 400


def transformations(random: Random) -> list[tuple[tuple[Property, ...], Function]]:
    """One of each kind, over the same columns, so that any may follow any; their properties hold."""
    kept = set(random.sample(DOMAIN, 4))
    of_x = set(random.sample([0, 1, None], 2))
    made = {row: random.sample(DOMAIN, random.randint(0, 2)) for row in DOMAIN}
    turned = dict(zip(DOMAIN, random.sample(DOMAIN, len(DOMAIN)), strict=True))
    value = random.choice([largest, len, total(1)])
    small = lambda rows: value(rows) % 2  # noqa: E731
    return [
        ((row_filter(),), each(lambda row: [row] if row in kept else [])),
        ((row_filter("x"),), each(lambda row: [row] if row[0] in of_x else [])),
        ((dispatcher(),), each(lambda row: made[row])),
        ((forward_key({"x": "x"}),), grouped(lambda row: row[0], small)),
        ((forward_key({"x": "y"}),), grouped(lambda row: row[1], small)),
        ((forward_key([]),), lambda rows: [(0, small(rows))] if rows else []),
        ((key_preserving("x"),), grouped(lambda row: turned[row][1], small)),
        ((keyed("x"),), lambda rows: grouped(lambda row: row[0], small)(each(lambda row: made[row])(rows))),
        ((backward_total({"x": "x", "y": "1 - y"}),), each(lambda row: [(row[0], 1 - row[1])])),
        ((backward_total(["x", "y"]), dispatcher()), each(lambda row: [row])),
    ]


def holds(one: Property, trial: SmallTrial, rows: tuple[Row, ...]) -> str | None:
    return CHECKS[one.name](Try(one, trial, Draw(rows, False)))


def test_what_is_declared_and_implied_here_holds() -> None:
    """T8 -> T9, T14 and T13 -> T15 -> T16, T17 -> T18, over bags with copies and NULLs."""
    random = Random(3)
    for declared, function in transformations(random):
        for one in (other for each_ in declared for other in implied(each_)):
            if one.layers is None:
                continue  # of a filter: all columns as they are
            for rows in some_bags(random, 60):
                assert not holds(one, SmallTrial(function), rows), (str(one), rows)


def test_products_hold_and_lead_to_the_same_rows() -> None:
    random = Random(5)
    met = set()
    for _ in range(PAIRS // 20):
        some = transformations(random)
        for (before, first), (after, second) in ((one, other) for one in some for other in some):
            made = product(before, after)
            if made is None:
                continue
            met.add((before[0].name, after[0].name, made.name))
            both = SmallTrial(composed(first, second))
            for rows in some_bags(random, 6):
                if made.layers is not None:
                    assert not holds(made, both, rows), (str(made), rows)
                middle = tuple(first(list(rows)))
                for o in both.run(rows):
                    by = [min(each_, key=lambda one: one.rank) for each_ in (before, after)]
                    between = lineage(by[1], SmallTrial(second), middle, o)
                    steps = [lineage(by[0], SmallTrial(first), rows, one) for one in between]
                    assert lineage(made, both, rows, o) == set().union(*steps), (str(made), rows, o)
    assert {("forward key map", "forward key map", "forward key map"), ("dispatcher", "keyed", "keyed")} <= met
    assert ("keyed", "filter", "keyed") in met and ("filter", "filter", "filter") in met
    assert ("backward total map", "backward total map", "backward total map") in met


@pytest.mark.parametrize(
    ("first", "second", "made"),
    [
        (row_filter("x"), row_filter("y"), "filter (x, y)"),
        (row_filter(), row_filter("y"), "filter"),
        (dispatcher(), row_filter(), "dispatcher"),
        (row_filter(), dispatcher(), "dispatcher"),
        (dispatcher(), key_preserving("k"), "keyed (k)"),
        (row_filter(), forward_key("k"), "keyed (k)"),
        (keyed("k"), row_filter("k"), "keyed (k)"),
        (keyed("k"), row_filter("v"), None),
        (keyed("k"), row_filter(), None),
        (keyed("k"), forward_key({"m": "k % 2"}), "keyed (m)"),
        (key_preserving("k"), forward_key({"m": "k % 2"}), "key-preserving (m)"),
        (key_preserving("k"), forward_key({"m": "v"}), None),
        (key_preserving("k"), key_preserving("k"), None),
        (forward_key({"k": "lower(n)"}), forward_key({"m": "k % 2"}), "forward key map lower(n) -> k % 2 -> m"),
        (forward_key("k"), forward_key("v"), None),
        (backward_total({"a": "b / 2"}), backward_key({"b": "c - 1"}), "backward total map c - 1 -> b / 2 -> a"),
        (backward_key({"a": "b"}), backward_key({"b": "c"}), "backward key map c -> b -> a"),
        (backward_key({"a": "b + d"}), backward_key({"b": "c"}), None),
        (forward_key("k"), row_filter(), None),
        (keyed("k"), dispatcher(), None),
        (keyed("k"), keyed("k"), None),
    ],
    ids=str,
)
def test_the_table_of_products(first: Property, second: Property, made: str | None) -> None:
    """HAVING after a forward key map, and what else no rule covers, is no product: bisecting it loses rows."""
    found = product([first], [second])
    assert (None if found is None else str(found)) == made


def test_bisecting_having_would_lose_rows() -> None:
    """The false friend: no row alone passes HAVING, both together do."""
    having = composed(grouped(lambda row: row[0], len), each(lambda row: [row] if row[1] > 1 else []))
    rows = ((0, 0), (0, 1))
    assert having(list(rows)) == [(0, 2)]
    assert holds(keyed("x"), SmallTrial(having), rows)
    assert lineage(keyed("x"), SmallTrial(having), rows, (0, 2)) == set()
    assert lineage(forward_key("x"), SmallTrial(grouped(lambda row: row[0], len)), rows, (0, 2)) == set(rows)


def chain(*properties: list[Property], **options: bool) -> list[Section]:
    names = ["in", *(f"t{number}" for number in range(len(properties)))]
    return [
        Section.of(name, [read], [declared], **options)
        for name, read, declared in zip(names[1:], names, properties, strict=False)
    ]


def members(sections: list[Section], **options: object) -> list[tuple[str, ...]]:
    return [section.members for section in merged(sections, **options)]  # type: ignore[arg-type]


def test_neighbours_are_merged_until_none_is_left() -> None:
    assert members(chain([row_filter()], [dispatcher()], [keyed("k")])) == [("t0", "t1", "t2")]
    assert members(chain([dispatcher()], [keyed("k")], [row_filter()])) == [("t0", "t1"), ("t2",)], "nothing saved"


def test_a_product_that_ranks_worse_than_both_is_not_merged() -> None:
    assert members(chain([row_filter()], [forward_key("k")])) == [("t0",), ("t1",)]
    assert members(chain([forward_key("k")], [keyed("k")])) == [("t0",), ("t1",)]
    assert members(chain([dispatcher()], [])) == [("t0",), ("t1",)], "an unknown one still narrows"


def test_the_best_product_goes_first_and_then_the_larger_intermediate() -> None:
    forward = [forward_key("k")]
    sections = chain(forward, forward, forward)
    assert members(sections) == [("t0", "t1", "t2")]
    pair = chain([dispatcher()], [dispatcher()], [forward_key("k")], [forward_key("k")])
    assert members(pair, stored=["t1"]) == [("t0", "t1"), ("t2", "t3")], "what is stored is not saved"
    ties = chain([dispatcher()], [keyed("k"), forward_key({"k": "k"})], [key_preserving("k"), forward_key({"k": "k"})])
    assert members(ties)[-1][-1] == "t2"


def test_what_executors_bisect_is_not_handed_to_jobs() -> None:
    pandas = Section.of("items", ["orders"], [[dispatcher()]], batches=True)
    spark = Section.of("sales", ["items"], [[keyed("k")]])
    by_map = Section.of("sales", ["items"], [[forward_key("k")]])
    assert members([pandas, spark]) == [("items", "sales")], "the second is bisected by jobs as it is"
    assert members([pandas, by_map]) == [("items",), ("sales",)]


def test_what_two_read_or_what_is_exclusive_is_not_merged_away() -> None:
    first = Section.of("a", ["in"], [[dispatcher()]])
    one, two = (Section.of(name, ["a"], [[keyed("k")]]) for name in ("b", "c"))
    assert members([first, one, two]) == [("a",), ("b",), ("c",)]
    alone = Section.of("d", ["a", "e"], [[keyed("k")], [keyed("k")]], exclusive=True)
    assert members([first, alone]) == [("a",), ("d",)]


def test_derived_neighbours_become_one_query_up_to_an_aggregate() -> None:
    rows, groups = Derivation("exact", "", gathers=False), Derivation("exact", "", gathers=True)
    kinds = [rows, groups, rows, groups, rows]
    names = ["in", *"abcde"]
    sections = [
        Section.of(name, [read], [()], [told]) for name, read, told in zip(names[1:], names, kinds, strict=False)
    ]
    assert sorted(map(len, members(sections))) == [2, 3]
    assert all(sum(kinds["abcde".index(name)].gathers for name in one) == 1 for one in members(sections))


def test_a_plan_tells_what_is_used_merged_missing_and_wanted() -> None:
    sections = [
        Section.of("items", ["orders"], [[dispatcher()]]),
        Section.of("sales", ["items", "products"], [[keyed("name")], [forward_key("name")]]),
    ]
    told = str(PipelinePlan.of("sales", sections))
    assert "items and sales, merged, its orders: keyed (name) (exact)" in told
    assert "not rank 1: no filter, backward total map, inverse or procedure is declared" in told
    assert "intermediates wanted: none" in told
    apart = PipelinePlan.of("sales", sections, combine=False, stored=["items"])
    assert "intermediates wanted: items (stored)" in str(apart)
    assert apart.to_dict()["wanted"] == ["items"] and len(apart.to_dict()["sections"]) == 2
