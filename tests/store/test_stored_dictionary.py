"""The data dictionary of a warehouse: kept in the store, found by words, used by what is loaded later."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from mdw import QuestionError, Warehouse
from mdw.store.dictionary import StoredDictionary

ORDERS = """
CREATE TABLE raw.orders (
  id INT PRIMARY KEY, customer INT REFERENCES raw.customers (id), country TEXT DEFAULT 'EU', paid DECIMAL(10, 2)
);
COMMENT ON TABLE raw.orders IS 'What people bought';
COMMENT ON COLUMN raw.orders.paid IS 'Remuneration received';
ALTER TABLE raw.orders ADD COLUMN late BOOLEAN;
"""


def written(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.sql").write_text(text)
    return folder


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    found = Warehouse()
    found.load(written(tmp_path / "ddl", orders=ORDERS), dialect="postgres").raise_for_errors()
    return found


def test_an_entity_has_its_attributes_in_order_with_types_keys_and_descriptions(warehouse: Warehouse) -> None:
    entity = warehouse.entity("raw.orders")
    assert [name.rpartition(".")[2] for name in entity.attributes] == ["ID", "CUSTOMER", "COUNTRY", "PAID", "LATE"]
    told = entity.to_dict()["told"]
    assert (told["kind"], told["description"], told["whole"]) == ("table", "What people bought", True)
    first, second, third, fourth, _ = told["attributes"]
    assert (first["key"], first["required"], first["position"]) == (1, True, 1)
    assert second["references"] == [{"attributes": ["CUSTOMER"], "entity": "RAW.CUSTOMERS", "referred": ["ID"]}]
    assert (third["default"], fourth["type"]) == ("'EU'", "DECIMAL(10, 2)")
    assert warehouse.attribute("orders.paid").to_dict()["told"]["description"] == "Remuneration received"


def test_descriptions_are_found(warehouse: Warehouse) -> None:
    (hit,) = warehouse.search("remuneration").hits
    assert (hit.kind, hit.name, hit.about) == ("attribute", "RAW.ORDERS.PAID", "Remuneration received")
    assert warehouse.search("bought").hits[0].name == "RAW.ORDERS"


def test_what_is_loaded_later_uses_it(warehouse: Warehouse, tmp_path: Path) -> None:
    later = "CREATE VIEW mart.o AS SELECT * FROM raw.orders; INSERT INTO raw.orders (id) SELECT k FROM stage.s"
    report = warehouse.load(written(tmp_path / "later", mart=later), dialect="postgres")
    assert [one.status for one in report.sql] == ["whole", "whole"]
    assert [name.rpartition(".")[2] for name in warehouse.entity("mart.o").attributes][-2:] == ["PAID", "LATE"]
    assert [one.value for one in warehouse.lineage("mart.o.country").constants] == ['"EU"']


def test_a_view_that_was_loaded_expands_later_too(warehouse: Warehouse, tmp_path: Path) -> None:
    for name, text in (
        ("one", "CREATE VIEW a AS SELECT id, paid FROM raw.orders"),
        ("two", "CREATE VIEW b AS TABLE a"),
    ):
        warehouse.load(written(tmp_path / name, **{name: text}), dialect="postgres").raise_for_errors()
    assert [end.attribute for end in warehouse.lineage("b.paid").golden] == ["RAW.ORDERS.PAID"]
    assert warehouse.entity("b").attributes == ("B.ID", "B.PAID")


def test_loading_again_changes_nothing_and_nobody_counts_entries(warehouse: Warehouse, tmp_path: Path) -> None:
    before = warehouse.query("SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }")
    report = warehouse.load(tmp_path / "ddl", dialect="postgres")
    assert (report.loaded, report.replaced, report.unchanged) == (0, 0, 0)
    assert warehouse.query("SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }") == before


def test_it_comes_back_from_rdf(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.export("nquads", tmp_path / "all.nq")
    with Warehouse(tmp_path / "store") as other:
        report = other.load(tmp_path / "all.nq").raise_for_errors()
        assert report.statements == 0
        assert list(StoredDictionary(other._store)) == list(StoredDictionary(warehouse._store))
        assert other.entity("raw.orders") == warehouse.entity("raw.orders")


def test_descriptions_survive_a_change_of_the_table(warehouse: Warehouse, tmp_path: Path) -> None:
    changed = "CREATE TABLE raw.orders (paid BIGINT, id INT)"
    warehouse.load(written(tmp_path / "changed", later=changed), dialect="postgres").raise_for_errors()
    entity = warehouse.entity("raw.orders")
    assert entity.attributes == ("RAW.ORDERS.PAID", "RAW.ORDERS.ID")
    told = warehouse.attribute("raw.orders.paid").told
    assert told is not None
    assert (told.type, told.description) == ("BIGINT", "Remuneration received")


def test_half_a_dictionary_gives_no_less_than_none(tmp_path: Path) -> None:
    described = "COMMENT ON COLUMN s.a IS 'one of several'"
    star = "CREATE VIEW v AS SELECT * FROM s; CREATE VIEW w AS SELECT b FROM v"
    with Warehouse() as warehouse:
        warehouse.load(written(tmp_path / "one", d=described), dialect="postgres").raise_for_errors()
        warehouse.load(written(tmp_path / "two", v=star), dialect="postgres").raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("w.b").golden] == ["S.B"]
        assert [end.attribute for end in warehouse.lineage("v.a").golden] == ["S.A"]


def test_an_attribute_that_only_the_dictionary_knows_can_be_asked(warehouse: Warehouse) -> None:
    assert warehouse.attribute("raw.orders.late").mappings == ()
    assert [end.attribute for end in warehouse.lineage("raw.orders.late").golden] == ["RAW.ORDERS.LATE"]


def test_an_entity_asked_as_attribute_names_its_attributes_in_order(warehouse: Warehouse) -> None:
    with pytest.raises(QuestionError, match="its attributes are ID, CUSTOMER, COUNTRY, PAID"):
        warehouse.lineage("raw.orders")


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_it_comes_back_from_tables(warehouse: Warehouse, tmp_path: Path, form: Literal["parquet", "csv"]) -> None:
    warehouse.load(written(tmp_path / "view", v="CREATE VIEW v AS SELECT * FROM raw.orders"), dialect="postgres")
    counts = warehouse.tables(tmp_path / "tables", form)
    assert (counts["dictionary_attribute"], counts["dictionary_reference"]) == (10, 1)
    with Warehouse() as other:
        other.load(tmp_path / "tables").raise_for_errors()
        assert other.dictionary() == warehouse.dictionary()
        everything = "SELECT ?g ?s ?p ?o WHERE { ?g mdw:describes ?e GRAPH ?g { ?s ?p ?o } }"
        assert sorted(map(str, other.query(everything))) == sorted(map(str, warehouse.query(everything)))


def test_example_rows_are_of_its_types(warehouse: Warehouse, tmp_path: Path) -> None:
    later = "INSERT INTO mart.o (n) SELECT id FROM raw.orders WHERE paid IS NOT NULL AND country = 'A' AND late = late"
    warehouse.load(written(tmp_path / "later", mart=later), dialect="postgres").raise_for_errors()
    row = {"RAW.ORDERS.COUNTRY": "A", "RAW.ORDERS.LATE": True, "RAW.ORDERS.PAID": 1}
    [golden] = warehouse.lineage("mart.o.n").golden
    assert dict(golden.witness) == row
    [final] = warehouse.impact("raw.orders.id").final
    assert dict(final.witness) == row
