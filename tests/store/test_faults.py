"""Faults made on purpose: whatever fails, a folder holds what it held or what was written, and a second try succeeds.

The suite has every tenth call that an operation makes fail in one of the ways there are, the next one in the next way;
`MDW_EXAMPLES=4` each of these in all ways, and 40 all calls.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from faults import KINDS, Faulty, faulty, shim

OPERATIONS = {  # and how many calls each makes at least: fewer, and the shim no longer sees them
    "load into a store": 100,
    "load into a new folder": 150,
    "load a generation": 200,
    "updates": 80,
    "put a graph": 80,
    "tables": 100,
    "backup": 80,
    "restore": 80,
    "compact": 80,
    "token": 5,
    "search": 80,
    "extract": 20,
}
MORE = float(os.environ.get("MDW_EXAMPLES", "1"))


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    """A process with the shim in it."""
    folder = tmp_path_factory.mktemp("faults")
    built = shim(folder)
    if built is None:
        pytest.skip("no C compiler (cc), or no Linux: nothing can be made to fail")
    with faulty(folder, built) as found:
        yield found


def tries(operation: str, calls: int) -> list[tuple[int, str]]:
    """Which calls are to fail, one at a time, and how."""
    kinds = list(KINDS)
    first = list(OPERATIONS).index(operation)
    # Threads make the number of calls vary: go on behind the last.
    every = range(1 + first % 10, calls + 20, 10) if MORE < 40 else range(1, calls + 20)
    if MORE < 4:
        return [(n, kinds[(first + k) % len(kinds)]) for k, n in enumerate(every)]
    return [(n, kind) for kind in kinds for n in every]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_old_or_new_whatever_fails(child: Faulty, operation: str) -> None:
    child.fresh()
    old = child.state(operation)
    done = child.do(operation)
    assert (done["outcome"], done["count"] > OPERATIONS[operation]) == ("done", True)
    new = child.state(operation)
    for n, kind in tries(operation, done["count"]):
        where = f"{operation}: {kind} at call {n}"
        child.fresh()
        failed = child.do(operation, n, kind)
        assert failed["outcome"] in ("done", "error", "killed"), f"{where}: {failed}"
        answered = child.acknowledged()
        found = child.state(operation)
        for part, value in found.items():
            assert value in (old.get(part), new.get(part)), f"{where}: {part} is torn"
            if part in answered or "all" in answered:
                assert value == new.get(part), f"{where}: {part} was acknowledged and is lost"
        again = child.do(operation)
        # A backup that is there already is not made again.
        assert again["outcome"] == "done" or (operation == "backup" and found == new), f"{where}: {again}"
        assert child.state(operation) == new, f"{where}: the second try"
