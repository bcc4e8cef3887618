"""Random dbt projects, of which only the columns of seeds are told: every column of every model resolves."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt_projects import ProjectMaker

from mdw import Warehouse


@pytest.mark.parametrize("seed", [1, 2])
def test_every_model_has_the_columns_that_duckdb_gives_it(seed: int, tmp_path: Path) -> None:
    maker = ProjectMaker(60, seed)
    described = maker.described()
    with Warehouse() as warehouse:
        report = warehouse.load(maker.write(tmp_path)).raise_for_errors()
        assert [one for one in report.sql if one.status != "whole"] == []
        for name, columns in described.items():
            entity = f"WH.MAIN.{name.upper()}"
            assert [one.removeprefix(f"{entity}.").lower() for one in warehouse.entity(entity).attributes] == columns
        # Where all is known, values come from seeds alone, and lineage says so.
        for origins in warehouse.lineage_all():
            assert all(end.startswith("WH.MAIN.SEED_") for end in origins.golden) and not origins.interrupted
