"""Pages and the API show what the data dictionary tells."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from serving import Server, serving

from mdw import Warehouse

TABLE = """
CREATE TABLE sales.orders (
  id INT PRIMARY KEY COMMENT 'Number of the <order>', customer INT REFERENCES sales.customers (id),
  country CHAR(2) DEFAULT 'EU'
) COMMENT = 'What people bought';
INSERT INTO sales.orders (id, extra) SELECT k, x FROM stage.s;
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("dictionary")
    (folder / "orders.sql").write_text(TABLE)
    with Warehouse(folder / "store") as warehouse:
        warehouse.load(folder / "orders.sql", dialect="mysql").raise_for_errors()
    with serving(folder / "store", "--quiet") as running:
        yield running


def test_the_page_of_an_entity_shows_its_attributes_in_order(server: Server) -> None:
    page = server.ask("GET", "/entity/SALES.ORDERS").body.decode()
    assert "What people bought" in page
    assert "Number of the &lt;order&gt;" in page
    places = [
        page.index(text) for text in ("ORDERS.ID", "primary key", "ORDERS.CUSTOMER", "SALES.CUSTOMERS", "CHAR(2)")
    ]
    assert places == sorted(places)
    assert page.index("CHAR(2)") < page.index("ORDERS.EXTRA")


def test_the_page_of_an_attribute_shows_type_and_description(server: Server) -> None:
    page = server.ask("GET", "/attribute/SALES.ORDERS.ID").body.decode()
    assert "Number of the &lt;order&gt;" in page
    assert "attribute 1 of its entity, <code>INT</code>" in page
    page = server.ask("GET", "/attribute/STAGE.S.K").body.decode()
    assert "of its entity" not in page


def test_the_api_tells_the_same(server: Server) -> None:
    found = server.ask("GET", "/api/entities/SALES.ORDERS").json
    assert [one["name"] for one in found["told"]["attributes"]] == ["ID", "CUSTOMER", "COUNTRY"]
    assert server.ask("GET", "/api/attributes/SALES.ORDERS.COUNTRY").json["told"]["default"] == "'EU'"
