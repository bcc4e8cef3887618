"""Inputs damaged at random: each is read or told with its place, whatever is in it; none ends in a traceback.

The seed of a failure is in the test's name; MDW_EXAMPLES=n tries n hundred of each kind. The largest memory is printed
with the test that took it.
"""

from __future__ import annotations

import os
import random
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from mdw import QueryError, Warehouse

ROOT = Path(__file__).parents[2]
TRIED = 100 * int(os.environ.get("MDW_EXAMPLES", "0")) or 8
BOUND = 400_000
"""Kilobytes that all damaged inputs of a kind may take more than what was there before them."""
BITS = (
    "(", ")", '"', "'", "{", "}", "<", ">", "\\", "\0", "\ufeff", "\u202e", "é", "\n", ";", ",", ".", "--", "/*", "$$",
    "NULL", "SELECT", "FROM", "WITH", "IF", "CASE", "END", "9" * 400, "-1", "1e999", "NaN", "[", "]", "null", "\ud7ff",
)  # fmt: skip
SPARQL = """PREFIX mdw: <https://w3id.org/mdw#>
SELECT ?m (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?m a mdw:Mapping ; mdw:targetEntity ?t . FILTER(STRLEN(STR(?t)) > 3) } }
GROUP BY ?m HAVING (COUNT(*) > 1) ORDER BY DESC(?n) LIMIT 5"""


class Largest:
    """The most memory that this process has taken, and over what."""

    def __init__(self) -> None:
        self._before = self._most = self._taken()
        self._what = "none"

    def __str__(self) -> str:
        return f"largest memory {self._most >> 10} MB, at {self._what}; before them {self._before >> 10} MB"

    def hold(self, what: str) -> None:
        """It stays within bounds, after this too."""
        if (now := self._taken()) > self._most:
            self._most, self._what = now, what
        assert now - self._before < BOUND, str(self)

    @staticmethod
    def _taken() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.fixture(scope="module")
def largest() -> Iterator[Largest]:
    """Of all tests here."""
    found = Largest()
    yield found
    print(found)


@pytest.fixture(autouse=True)
def bounded(largest: Largest, request: pytest.FixtureRequest) -> Iterator[None]:
    """Memory stays within bounds, whatever the input."""
    yield
    largest.hold(request.node.name)


def mutated(text: str, chance: random.Random) -> str:
    """The text with one to six places cut, doubled, swapped or filled with something else."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.choice((1, 2, 10, 200)))
        match chance.randrange(4):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:to] + text[at:to] * chance.choice((1, 3)) + text[to:]
            case 2:
                text = text[:at] + chance.choice(BITS) + text[at:]
            case _:
                text = text[:at] + text[at:to][::-1] + text[to:]
    return text


def said(source: Path, name: str) -> None:
    """Load it: what is wrong names the file; what was read has a text, and can be asked."""
    with Warehouse() as warehouse:
        report = warehouse.load(source)
        for error in report.errors:
            # What several files may state of one thing is told of that.
            assert name in str(error) or "of the mapping " in str(error) or "is stated in <" in str(error), error
        for one in warehouse.mappings()[:3]:
            assert warehouse.text(one.name)


def some(text: str, chance: random.Random) -> str:
    """A piece of a long text: its lines from somewhere on."""
    lines = text.splitlines(keepends=True)
    at = chance.randrange(max(1, len(lines) - 40))
    return "".join(lines[at : at + 40])


@pytest.mark.parametrize("seed", range(TRIED))
@pytest.mark.parametrize("kind", ["map", "sql"])
def test_texts(kind: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    folder = ROOT / "data" / ("bank" if kind == "map" else "claims")
    source = chance.choice(sorted(folder.rglob(f"*.{kind}"))).read_text(encoding="utf-8")
    path = tmp_path / f"broken.{kind}"
    path.write_bytes(mutated(some(source, chance), chance).encode(errors="replace"))
    said(path, path.name)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few mappings as tables and as quads."""
    folder = tmp_path_factory.mktemp("written")
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data/bank/10_staging/cards.map")
        warehouse.tables(folder / "tables", form="csv")
        warehouse.export("nquads", folder / "quads.nq")
    return folder


@pytest.mark.parametrize("seed", range(TRIED))
def test_quads(seed: int, written: Path, tmp_path: Path) -> None:
    chance = random.Random(seed)
    path = tmp_path / "broken.nq"
    path.write_bytes(mutated((written / "quads.nq").read_text(encoding="utf-8"), chance).encode(errors="replace"))
    said(path, path.name)


@pytest.mark.parametrize("seed", range(TRIED))
def test_tables(seed: int, written: Path, tmp_path: Path) -> None:
    chance = random.Random(seed)
    folder = tmp_path / "broken"
    folder.mkdir()
    for one in (written / "tables").iterdir():
        (folder / one.name).write_bytes(one.read_bytes())
    path = chance.choice(sorted(one for one in folder.iterdir() if one.read_bytes().count(b"\n") > 1))
    path.write_bytes(mutated(path.read_text(encoding="utf-8"), chance).encode(errors="replace"))
    said(folder, folder.name)


def test_sparql() -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data/bank/10_staging/cards.map")
        for seed in range(4 * TRIED):
            error = refused(warehouse, mutated(SPARQL, random.Random(seed)))
            if error:
                assert error.line and error.column, f"seed {seed}: {error}"
                assert str(error).startswith(f"line {error.line}, column {error.column}: "), f"seed {seed}: {error}"
                assert str(error).endswith("^"), f"seed {seed}: {error}"


def refused(warehouse: Warehouse, query: str) -> QueryError | None:
    """What is said against a query, if anything."""
    try:
        warehouse.query(query)
    except QueryError as error:
        return error
    return None
