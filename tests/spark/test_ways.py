"""Ways as arrays: what decoding every rule would say, whatever characters names hold."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from small import Features, small_warehouse

from mdw import Warehouse
from mdw.cli.demo import load_bank
from mdw.lineage.everything.numbering import Numbering
from mdw.model.rules import DIRECT
from mdw.spark.lineage import spark_lineage
from mdw.spark.lineage.ways import TEXT, Ways
from mdw.store import candidates, catalogue
from mdw.store.engine import Store

HOSTILE = """
MAPPING quoted: WHEN POPULATING `A "b" \\ c`.`x,y` FROM `S,"1`
  POPULATE `A "b" \\ c`.`x,y`.Z WITH `S,"1`.`]`
  POPULATE `A "b" \\ c`.`x,y`.`é"` WITH `S,"1`.`Ä\\\\` || "," IF `S,"1`.`k"` = "1"
"""


def decoded(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Who fills, what flows and decides, and how many constants there are, from rules decoded."""
    rules = list(candidates.populations(store))
    sources = [(one, source) for one in rules for clause in one.clauses for source in clause.sources]
    return {
        "fills": sorted((one.mapping, one.target, sum(c.constant for c in one.clauses)) for one in rules),
        "flows": sorted((s.attribute, one.mapping, one.target) for one, s in sources if s.subtype in DIRECT),
        "decides": sorted((s.attribute, one.mapping, one.target) for one, s in sources if s.subtype not in DIRECT),
        "uses": sorted((s.attribute, head.mapping) for head in catalogue.heads(store) for s in head.sources),
        "carries": sorted(candidates.everything(store).carried),
        "names": [(name,) for name in catalogue.attributes(store)],
    }


def as_arrays(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """The same from the arrays."""
    heads = catalogue.heads(store)
    ways = Ways.of(pa.array(list(candidates.rules(store)), TEXT), heads)
    names, mappings = ways.names.to_pylist(), [head.mapping for head in heads]
    fills = [(mappings[m], names[t]) for m, t in zip(ways.mapping, ways.target, strict=True)]
    constants = ways.constants.tolist()
    return {
        "fills": sorted((*who, count) for who, count in zip(fills, constants, strict=True)),
        "flows": sorted((names[a], *fills[b]) for a, b in zip(ways.flows, ways.flowing, strict=True)),
        "decides": sorted((names[a], *fills[b]) for a, b in zip(ways.decides, ways.deciding, strict=True)),
        "uses": sorted((names[a], mappings[b]) for a, b in zip(ways.used, ways.user, strict=True)),
        "carries": [(names[a], names[b]) for a, b in ways.carried(heads).tolist()],
        "names": [(name,) for name in names],
    }


@pytest.mark.parametrize("seed", range(8))
def test_arrays_say_what_rules_say(seed: int) -> None:
    with Warehouse() as warehouse:
        warehouse.load(small_warehouse(Random(seed), Features(dates=True, cycles=seed % 2 == 1)).text)
        assert as_arrays(warehouse._store) == decoded(warehouse._store)


def test_arrays_say_what_the_rules_of_the_bank_say() -> None:
    with Warehouse() as warehouse:
        load_bank(warehouse)
        found = as_arrays(warehouse._store)
        assert found == decoded(warehouse._store)
        assert len(found["carries"]) > 2
        assert len(found["flows"]) > 400


def test_names_may_hold_what_json_escapes() -> None:
    with Warehouse() as warehouse:
        warehouse.load(HOSTILE).raise_for_errors()
        found = as_arrays(warehouse._store)
        assert found == decoded(warehouse._store)
        assert len(found["flows"]) == 2


def test_an_empty_warehouse_has_no_ways() -> None:
    with Warehouse() as warehouse:
        assert not any(as_arrays(warehouse._store).values())


def test_the_counts_of_a_share_take_their_place_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share whose counts are there is not traced again, so its sources must be there before."""
    placed: list[str] = []
    replace = Path.replace
    monkeypatch.setattr(Path, "replace", lambda a, b: (placed.append(Path(b).parent.name), replace(a, b))[1])
    kinds = (spark_lineage.ORIGINS, spark_lineage.OPEN, spark_lineage.COUNTS)
    for kind in kinds:
        (tmp_path / kind).mkdir()
    spark_lineage._write(tmp_path, 7, frozenset(), frozenset(), Numbering.of(["A.X"]), frozenset(), iter(()), {})
    assert placed == list(kinds)
    assert all((tmp_path / kind / "00007.parquet").is_file() for kind in kinds)
