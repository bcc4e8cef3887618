"""Lineage and impact of SQL are each other backwards: by stars of tables nobody knows (Q22) and by inner entities."""

from __future__ import annotations

import pytest

from mdw import Lineage, Warehouse

SCRIPTS = {
    "a/b.sql": "CREATE VIEW b AS SELECT * FROM nobody",
    "a/t.sql": "CREATE VIEW t AS SELECT y AS x FROM b",
    "a/u.sql": "CREATE VIEW u AS SELECT * FROM b WHERE k = 1",
    "a/v.sql": "CREATE VIEW v AS SELECT DISTINCT * EXCLUDE (y) FROM u JOIN other USING (k)",
    "a/w.sql": "CREATE VIEW w AS SELECT k, y, z, q FROM v",
    "a/r.sql": "CREATE VIEW r AS SELECT to_json(n) AS j FROM nobody n",
    "b/cte.sql": "CREATE VIEW cte AS WITH c AS (SELECT x FROM s1 WHERE y = 1) SELECT x AS a, 1 AS one FROM c",
    "b/derived.sql": "CREATE VIEW derived AS SELECT x FROM (SELECT x, y FROM s2) d WHERE y = 2",
    "b/exist.sql": "CREATE VIEW exist AS SELECT x FROM s3 WHERE EXISTS (SELECT 1 FROM s4 WHERE s4.k = s3.k AND y = 1)",
    "b/chain.sql": """CREATE VIEW chain AS WITH
        c1 AS (SELECT a, CASE WHEN f = 1 THEN g END AS z FROM s5), c2 AS (SELECT a, z FROM c1 WHERE z > 1)
        SELECT a, z AS zz FROM c2""",
}
SOURCES = """
    NOBODY.Y NOBODY.K NOBODY.Q NOBODY.Z OTHER.Z OTHER.K OTHER.Q OTHER.Y S1.X S1.Y S2.X S2.Y S3.X S3.K S4.K S4.Y S5.A
    S5.F S5.G
"""
TARGETS = "T.X U.Y U.K U.Q V.Y V.Z V.K W.K W.Y W.Z W.Q R.J CTE.A CTE.ONE DERIVED.X EXIST.X CHAIN.A CHAIN.ZZ"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("inverse")
    for name, text in SCRIPTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    found = Warehouse()
    found.load(folder, dialect="duckdb").raise_for_errors()
    return found


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_what_a_source_feeds_has_it_in_its_lineage(warehouse: Warehouse, mode: str) -> None:
    lineages: dict[str, Lineage] = {name: warehouse.lineage(name, mode=mode) for name in TARGETS.split()}  # type: ignore[arg-type]
    for source in SOURCES.split():
        impact = warehouse.impact(source, mode=mode)  # type: ignore[arg-type]
        # Of all that goes by name lineage can name what is asked; what is made of whole rows has `*` for the rest.
        back = {name for name, one in lineages.items() if source in one.reached} | (
            {"R.J"} if "NOBODY" in source else set()
        )
        assert {one for one in impact.reached & lineages.keys() if one != source} == back, source
        decided = {one.attribute for one in impact.indirect} & lineages.keys()
        for name in decided:
            # Its values go on, and decide where they arrive.
            assert impact.reached & {one.attribute for one in lineages[name].indirect}, (source, name)


@pytest.mark.parametrize(
    ("source", "decided"),
    [
        ("s1.y", {"CTE.A", "CTE.ONE"}),
        ("s2.y", {"DERIVED.X"}),
        ("s4.y", {"EXIST.X"}),
        ("s4.k", {"EXIST.X"}),
        ("s5.f", {"CHAIN.A", "CHAIN.ZZ"}),
        ("s5.g", {"CHAIN.A", "CHAIN.ZZ"}),
        ("s1.x", set()),
    ],
)
def test_what_decides_over_rows_of_a_cte_decides_over_what_is_made_of_them(
    warehouse: Warehouse, source: str, decided: set[str]
) -> None:
    """Deciding passes on from inner entities to tables, and back: the source is among what decides there."""
    assert {one.attribute for one in warehouse.impact(source).indirect} == decided
    for name in decided:
        assert source.upper() in {one.attribute for one in warehouse.lineage(name).indirect}


def test_q22_a_star_met_on_the_way_passes_on_what_is_asked_of_it(warehouse: Warehouse) -> None:
    """Q22: t is made of b.y in another file, and b of all of a table nobody knows: y comes from there."""
    answer = warehouse.lineage("t.x")
    assert [end.attribute for end in answer.golden] == ["NOBODY.Y"]
    assert answer.notes == ("all of NOBODY goes to B, and Y with it, by its name",)
    assert [(end.attribute, end.condition) for end in warehouse.lineage("u.q").golden] == [("NOBODY.Q", "NOBODY.K = 1")]
    by_record = {one.attribute: one.golden for one in warehouse.lineage_all()}
    assert by_record["T.X"] == ("NOBODY.Y",)
    assert {one.attribute: one.golden for one in warehouse.lineage_all(mode="passive")}["T.X"] == ("NOBODY.Y",)
