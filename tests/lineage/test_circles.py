"""Which entities mappings make the rows of, and what is said of values that go round in a circle (rule Q19)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from mdw import Warehouse
from mdw.model.candidates import made
from mdw.model.rules import MODES, Mode


@pytest.mark.parametrize("seed", range(200))
def test_an_entity_is_golden_that_lies_on_a_first_circle(seed: int) -> None:
    """Q19: by the words of the rule: of what mappings fill, that leads to everything that leads to it."""
    random = Random(seed)
    names = [f"E{number}" for number in range(random.randint(1, 8))]
    driven = {(random.choice(names), random.choice(names)) for _ in range(random.randint(1, 12))}
    leads = set(driven)
    for middle in names:
        leads |= {(one, other) for one in names for other in names if {(one, middle), (middle, other)} <= leads}
    targets = {target for _, target in driven}
    golden = {
        target
        for target in targets
        if {one for one, other in leads if other == target} <= {other for one, other in leads if one == target}
    }
    assert made(driven) == targets - golden


@pytest.mark.parametrize("mode", MODES)
def test_what_is_filled_only_from_itself_is_not_said_to_be_filled_by_no_mapping(mode: Mode, tmp_path: Path) -> None:
    """Q19: W, and Y and Z, have no first value; U is fed by W only, V by another source too."""
    changed = "UPDATE d.m SET w = d.m.w + 1, v = d.m.w, u = d.m.w, y = d.m.z, z = d.m.y;"
    (tmp_path / "m.sql").write_text(changed + " INSERT INTO d.m (v) SELECT x FROM r.s")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path / "m.sql", dialect="duckdb").raise_for_errors()
        answers = {name: warehouse.lineage(f"d.m.{name}", mode=mode) for name in "wvuyz"}
    first = "no mapping gives a first value to D.M.W, which is filled only from itself"
    both = "no mapping gives a first value to D.M.Y and D.M.Z, which are filled only from one another"
    assert {name: answer.notes for name, answer in answers.items()} == {
        **dict.fromkeys("wvu", (first,)),
        **dict.fromkeys("yz", (both,)),
    }
    for name in "wuyz":
        assert f"No value comes to D.M.{name.upper()}: what fills it is filled only from itself." in str(answers[name])
    assert [end.attribute for end in answers["v"].golden] == ["R.S.X"]
