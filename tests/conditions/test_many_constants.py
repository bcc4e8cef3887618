"""Classes of very many constants: memory grows with their number; of several kinds there is a limit that is said."""

from __future__ import annotations

import tracemalloc
from itertools import product
from random import Random
from time import process_time

import pytest

from mdw import Warehouse
from mdw.conditions import regions
from mdw.conditions.cuts import Usage
from mdw.conditions.diagram import FALSE, Diagram
from mdw.conditions.kinds import TRUTHS, point_of
from mdw.conditions.masks import mask_of, places_of
from mdw.conditions.regions import NULL, Regions, _both
from mdw.conditions.wording import values_condition
from mdw.model.errors import TooLargeError
from mdw.model.expressions import Attr, Const, In, Not

MANY = 10_000
TEXTS = tuple(Const("string", f"x{number:05}") for number in range(MANY))


def lineage(condition: str, asked: str = "U.A") -> tuple[list[str], str]:
    """The golden sources of an attribute behind a mapping with this condition, and the answer as text."""
    text = f"""MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.B POPULATE T.K WITH S.K
SELECT ROWS WHERE {condition}
MAPPING n: WHEN POPULATING U FROM T POPULATE U.A WITH T.A SELECT ROWS WHERE T.K = "x00007"
MAPPING o: WHEN POPULATING V FROM T POPULATE V.A WITH T.A SELECT ROWS WHERE T.K = "y"
"""
    with Warehouse() as warehouse:
        warehouse.load(text).raise_for_errors()
        answer = warehouse.lineage(asked)
    return [end.condition for end in answer.golden], str(answer)


@pytest.mark.parametrize(
    "usage",
    [Usage(set(TEXTS)), Usage(set(TEXTS), ordered=True), Usage(set(TEXTS), {"y%"})],
    ids=["equal", "order", "like"],
)
def test_a_list_of_very_many_values_takes_the_memory_of_its_values(usage: Usage) -> None:
    """A mask of its own for each of them would be 25 MB here, and two for each compared another 50."""
    tracemalloc.start()
    told = Regions(usage)
    masks = told.among(TEXTS[::2])
    assert masks
    true, false = masks
    said = values_condition(Attr("A.X"), true, told)
    others = values_condition(Attr("A.X"), told.domain & ~NULL & ~true, told)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert said == In(Attr("A.X"), TEXTS[::2])
    assert others == Not(In(Attr("A.X"), TEXTS[::2]))
    assert not true & false and (true | false) == told.domain & ~NULL
    assert len(told.members(true)) == MANY // 2
    assert peak < 20e6


def test_a_list_says_what_its_values_say_one_by_one() -> None:
    told = Regions(Usage({*TEXTS[:5]}))
    for chosen in ([], TEXTS[:1], TEXTS[1:4], [*TEXTS[:2], Const("null", "")]):
        true, false = 0, told.domain & ~NULL
        for one in chosen:
            equal, unequal = told.compare("=", one)
            true, false = true | equal, false & unequal
        assert told.among(chosen) == (true, false)
    assert told.among([Const("string", "elsewhere")]) is None
    assert Regions(Usage({TEXTS[0], Const("number", "1")})).among(TEXTS[:1]) is None


def test_bits_are_set_and_found() -> None:
    assert [places_of(mask_of(places)) for places in ([], [0], [9, 2, 2])] == [[], [0], [2, 9]]


def test_one_node_of_very_many_edges_counts_for_many() -> None:
    """K = 0 AND L = 0 OR K = 1 AND L = 1 ...: each part is small, but all that is made of them on the way is not."""
    diagram = Diagram(limit=20_000)
    key, other = (diagram.variable(name, (1 << MANY) - 1) for name in "KL")
    found = FALSE
    for place in range(MANY):
        try:
            found = diagram.either(
                found, diagram.both(diagram.allow(key, 1 << place), diagram.allow(other, 1 << place))
            )
        except TooLargeError:
            break
    _, edges = diagram.edges(found)
    assert 100 < len(edges) < 1_000


def test_value_sets_of_single_values_are_found_quickly() -> None:
    """Python hashes 1 << n and 1 << n + 61 alike: what finds nodes must tell them apart, or compares hundreds."""
    diagram = Diagram(limit=1 << 30)
    one = diagram.variable("K", (1 << MANY) - 1)
    for place in range(MANY):
        diagram.allow(one, 1 << place)
    assert len({hash(1 << place) for place in range(MANY)}) <= 61
    assert len(set(map(hash, diagram._unique))) > MANY * 0.99


@pytest.mark.parametrize(
    "condition",
    [
        "S.L > {0} AND S.L < {0}.5",
        'S.K = "x{0:05}" AND S.L = {0}',
        "S.L + S.M > {0} AND S.L + S.M < {0}.5",
    ],
)
def test_conditions_of_very_many_cases_end(condition: str) -> None:
    start = process_time()
    golden, _ = lineage(" OR ".join(map(condition.format, range(MANY // 5))))
    assert golden
    assert process_time() - start < 60


def test_sums_compared_with_many_constants_take_time_in_proportion() -> None:
    """Each is a variable of its own: put together in the order of the conditions they would be copied each time."""
    took = []
    for many in (250, 1_000):
        start = process_time()
        assert lineage(" OR ".join(map("S.L + S.M = {0}".format, range(many))))[0]
        took.append(max(0.3, process_time() - start))
    assert took[1] < 8 * took[0]


def test_constants_of_several_kinds_compare_alike_one_by_one_and_all_together() -> None:
    """Regions that compare alike are asked once: the answer is that of each of them."""
    texts = ["x", "07", "7", "7.0", "1x", "", "0", "2015-01-01", "01.01.2015", "20150101", "TRUE", "1e2", " 7 "]
    numbers = ["7", "8", "0", "100", "-3", "1012015", "20150101", "0.5"]
    pool = [Const("string", text) for text in texts] + [Const("number", text) for text in numbers]
    pool += [Const("date", day) for day in ("2015-01-01", "0001-01-01")]
    pool += [Const("boolean", truth) for truth in TRUTHS]
    for seed in range(60):
        draw = Random(seed)
        patterns = set(draw.sample(["x%", "%1%", "0%"], draw.choice((0, 0, 1, 2))))
        told = Regions(Usage(set(draw.sample(pool, draw.randint(1, 9))), patterns, ordered=draw.random() < 0.5))
        for one, op in product(pool, ("=", "!=", "<", "<=", ">", ">=")):
            single = [told._likeness.verdict(op, region, one.kind, point_of(one)) for region in told.regions]
            assert told._told(op, one) == _both(single), f"seed {seed}: {op} {one}"


@pytest.mark.parametrize("more", ["S.K = 5", "S.K > 5"])
def test_thousands_of_constants_of_several_kinds_are_told_apart(more: str) -> None:
    start = process_time()
    several = " OR ".join(f'S.K = "x{number:05}"' for number in range(2_500))
    golden, text = lineage(f"{several} OR {more}")
    assert golden == ['S.K = "x00007"'] and "constants of several kinds" not in text
    assert process_time() - start < 30


def test_many_tests_of_one_value_are_decided() -> None:
    condition = " OR ".join(f'S.K = "{one.text}"' for one in TEXTS[:2_000])
    assert lineage(condition)[0] == ['S.K = "x00007"']
    assert lineage(condition, "V.A")[0] == []


def test_of_very_many_constants_of_several_kinds_nothing_is_told_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A text and a number may be one value to a database, so that each is held against each."""
    monkeypatch.setattr(regions, "SEVERAL", 100)
    several = " OR ".join(f'S.K = "{one.text}"' for one in TEXTS[:95])
    golden, text = lineage(f"{several} OR S.K = 5")
    assert golden and "constants of several kinds" not in text
    assert lineage(f"{several} OR S.K = 5", "V.A")[0] == []
    several = " OR ".join(f'S.K = "{one.text}"' for one in TEXTS[:200])
    for asked in ("U.A", "V.A"):
        golden, text = lineage(f'({several} OR S.K = 5) AND S.K NOT IN (6, 7) AND NOT S.K LIKE "z%"', asked)
        assert golden == ["S.K IS NOT NULL"]
        assert "constants of several kinds" in text
