"""Which entities mappings make the rows of, where some of them feed one another in a circle (rule Q19)."""

from __future__ import annotations

from random import Random

import pytest

from mdw.model.candidates import made


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
