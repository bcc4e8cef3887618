"""The pages in a real browser: what a business user does, by mouse and by keyboard."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait
from serving import Server, serving

from mdw import Warehouse
from mdw.resources import BANK

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
NAME = "MART.GROUP_CUSTOMER.CUSTOMER_NAME"
WIDE = 1000

pytestmark = pytest.mark.skipif(not (BROWSER and DRIVER), reason="Chromium is not installed")


def wide(number: int) -> str:
    """A mapping that fills one attribute from many, each of which has a source."""
    lines = [f"WIDE.A{n}" for n in range(number)]
    first = "".join(f"  POPULATE {name} WITH SRC_WIDE.B{n}\n" for n, name in enumerate(lines))
    parts = [" || ".join(lines[at : at + 50]) for at in range(0, number, 50)]
    second = "".join(
        f"MAPPING total{n}: WHEN POPULATING TOTAL FROM WIDE POPULATE TOTAL.ALL WITH {part} IF WIDE.A0 = {n}\n"
        for n, part in enumerate(parts)
    )
    return f"MAPPING wide: WHEN POPULATING WIDE FROM SRC_WIDE\n{first}\n{second}"


EXTRAS = "".join(f"  o.extra_{number},\n" for number in range(30))
SCRIPT = f"""-- Orders of the day, with all that is said of customers.
INSERT INTO quoted.orders
WITH known AS (
  SELECT c.id, c.name FROM src_quoted.customer c WHERE c.state <> '<b>gone</b>' -- not those
)
SELECT
  o.id,
{EXTRAS}  CASE WHEN o.kind = 'x' THEN k.name ELSE UPPER(k.name) END AS customer,
  o.amount
FROM src_quoted."order" o
LEFT JOIN src_quoted.shop s ON s.id = o.shop
JOIN known k ON k.id = o.customer_id
WHERE o.amount > 0
ORDER BY 1;
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = tmp_path_factory.mktemp("pages") / "store"
    scripts = tmp_path_factory.mktemp("scripts")
    (scripts / "orders.sql").write_text(SCRIPT)
    with Warehouse(store) as warehouse:
        warehouse.load(BANK, wide(WIDE)).raise_for_errors()
        warehouse.load(scripts, dialect="snowflake").raise_for_errors()
        warehouse.terms(BANK / "terms.ttl")
    with serving(store, "--quiet") as running:
        yield running


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(downloads: Path) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    try:
        yield started
    finally:
        started.quit()


@pytest.fixture(autouse=True)
def quiet(browser: webdriver.Chrome) -> Iterator[None]:
    """No page says anything on the browser's console."""
    yield
    said = [one for one in browser.get_log("browser") if "404 (Not Found)" not in one["message"]]
    assert said == []


def one(browser: webdriver.Chrome, selector: str) -> WebElement:
    return WebDriverWait(browser, 10).until(lambda page: page.find_element(By.CSS_SELECTOR, selector))


def texts(browser: webdriver.Chrome, selector: str) -> list[str]:
    return [found.text for found in browser.find_elements(By.CSS_SELECTOR, selector)]


def wait_text(browser: webdriver.Chrome, selector: str, text: str) -> None:
    WebDriverWait(browser, 10).until(lambda page: any(text in found for found in texts(page, selector)))


def test_search_suggests_and_leads_to_the_attribute(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(server.url)
    box = one(browser, "#q")
    box.send_keys("group customer nam")
    wait_text(browser, "#suggestions li", NAME)
    box.send_keys(Keys.ARROW_DOWN)
    assert one(browser, '#suggestions li[aria-selected="true"]').text.endswith(NAME)
    box.send_keys(Keys.ENTER)
    wait_text(browser, "h1", NAME)
    assert browser.current_url.endswith(f"/attribute/{NAME}")
    assert "customer name" in one(browser, ".terms").text
    browser.find_elements(By.CSS_SELECTOR, "details summary")[0].click()
    assert "WHEN POPULATING MART.GROUP_CUSTOMER" in one(browser, "details[open] pre").text
    assert "CORE.PARTY.PARTY_NAME" in texts(browser, "section td a")


def test_search_by_another_word_lists_what_it_means(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/?q=money+at+risk")
    assert "exposure" in texts(browser, ".hits strong")
    assert "RISK.EXPOSURE.NET_AMOUNT" in texts(browser, ".hits ul a")


def test_lineage_is_expanded_step_by_step(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/lineage/{NAME}")
    assert "golden sources" in one(browser, ".summary").text
    first = len(browser.find_elements(By.CSS_SELECTOR, ".picture svg a"))
    assert first >= 4
    link = next(a for a in browser.find_elements(By.CSS_SELECTOR, ".picture svg a") if "PARTY_NAME" in a.text)
    browser.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", link)
    WebDriverWait(browser, 10).until(lambda page: "open=CORE.PARTY.PARTY_NAME" in page.current_url)
    assert "SRC_CRM.PARTNER" in one(browser, ".picture svg").text
    for levels in ("2", "3"):
        one(browser, "nav.expand .button").click()
        WebDriverWait(browser, 10).until(
            lambda page, levels=levels: parse_qs(urlsplit(page.current_url).query).get("levels") == [levels]
        )
    assert "SRC_EU.CUSTOMER" in one(browser, ".picture svg").text


def test_switches_and_conditions_change_the_answer_and_the_address(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/lineage/{NAME}")
    before = len(texts(browser, "main section:nth-of-type(1) tbody tr"))
    Select(one(browser, "select[name=column]")).select_by_visible_text("REGION")
    one(browser, "#value").send_keys("EU")
    one(browser, "form.question button").click()
    WebDriverWait(browser, 10).until(lambda page: "when=REGION" in page.current_url)
    assert one(browser, "input[name=when]").get_attribute("value") == 'REGION = "EU"'
    after = len(texts(browser, "main section:nth-of-type(1) tbody tr"))
    assert 0 < after < before
    assert any("contradict" in text or "but" in text for text in texts(browser, "main section:nth-of-type(2) td"))
    address = browser.current_url
    one(browser, "input[value=passive]").click()
    one(browser, "form.question button").click()
    WebDriverWait(browser, 10).until(lambda page: "mode=passive" in page.current_url)
    assert "Nothing: every rule" in one(browser, "main").text
    browser.get(address)
    assert len(texts(browser, "main section:nth-of-type(1) tbody tr")) == after
    for switch in ("indirect", "dropped"):
        one(browser, f"input[name={switch}]").click()
    one(browser, "form.question button").click()
    WebDriverWait(browser, 10).until(
        lambda page: "shown=yes" in page.current_url and "indirect" not in page.current_url
    )
    assert "left out: rules contradict" not in one(browser, ".picture svg").text


def test_conditions_show_when_pointed_at(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/lineage/{NAME}")
    tips = browser.execute_script("return [...document.querySelectorAll('.picture title')].map(t => t.textContent)")
    assert any("PARTY_KIND" in tip for tip in tips)


def test_impact_works_the_same_way(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/attribute/SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT")
    browser.find_element(By.LINK_TEXT, "What does it feed?").click()
    wait_text(browser, ".summary", "feeds")
    browser.find_element(By.LINK_TEXT, "Expand one level").click()
    wait_text(browser, ".picture svg text", "CORE.BALANCE")


@pytest.mark.parametrize(
    ("form", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("csv", b"source,target"), ("json", b"{")]
)
def test_exports(server: Server, browser: webdriver.Chrome, downloads: Path, form: str, begins: bytes) -> None:
    browser.get(f"{server.url}/lineage/{NAME}?when=REGION+%3D+%22EU%22")
    browser.find_element(By.LINK_TEXT, form.upper()).click()
    file = downloads / f"{NAME}.{form}"
    for _ in range(100):
        if file.exists() and file.stat().st_size:
            break
        time.sleep(0.1)
    assert file.read_bytes().startswith(begins)


def test_sparql_shows_results_and_where_a_query_is_wrong(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/ask")
    browser.find_element(By.PARTIAL_LINK_TEXT, "Which entities are there, and how many").click()
    wait_text(browser, "textarea", "COUNT(DISTINCT ?attribute)")
    one(browser, "form.sparql button").click()
    wait_text(browser, "td", "urn:mdw:entity:CORE.PARTY")
    box = one(browser, "textarea")
    box.clear()
    box.send_keys("SELECT ?s {\n  ?s ?p }")
    one(browser, "form.sparql button").click()
    wait_text(browser, "pre.problem", "line 2, column 9")
    assert one(browser, "pre.problem").get_attribute("data-line") == "2"
    box = one(browser, "textarea")
    box.clear()
    box.send_keys("ASK { ?s a mdw:Mapping }")
    one(browser, "form.sparql button").click()
    wait_text(browser, ".summary", "Yes")


def test_what_is_not_there_is_said_kindly(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/attribute/NOT.THERE")
    assert "no mapping mentions" in one(browser, "pre.problem").text


def test_a_thousand_attributes_stay_usable(server: Server, browser: webdriver.Chrome) -> None:
    start = time.monotonic()
    browser.get(f"{server.url}/lineage/TOTAL.ALL?mode=passive")
    assert "are too many for one picture" in one(browser, ".picture svg").text
    assert time.monotonic() - start < 10
    size = browser.execute_script("return document.documentElement.outerHTML.length")
    assert size < 2_000_000
    one(browser, "details.expand summary").click()
    browser.find_element(By.PARTIAL_LINK_TEXT, "WIDE.A17").click()
    WebDriverWait(browser, 10).until(lambda page: "open=WIDE.A17" in page.current_url)


def test_everything_can_be_reached_by_keyboard(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/lineage/{NAME}")
    reached = set()
    for _ in range(60):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        reached.add(
            browser.execute_script(
                "const e = document.activeElement; return e.name || e.textContent.trim().slice(0, 30) || e.id"
            )
        )
    assert {"q", "when", "column", "mode", "indirect", "Ask", "Expand one level", "SVG"} <= reached
    assert any("PARTY_NAME" in name for name in reached), "rows of the picture"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(server: Server, browser: webdriver.Chrome, scheme: str) -> None:
    """Contrast of at least 4.5 between text and ground (WCAG 2.2, 1.4.3)."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    try:
        browser.get(f"{server.url}/attribute/{NAME}")
        ground = luminance(one(browser, "body").value_of_css_property("background-color"))
        for selector in ("h1", "td a", ".terms dd", "th", "h2 small"):
            text = luminance(one(browser, selector).value_of_css_property("color"))
            assert (max(ground, text) + 0.05) / (min(ground, text) + 0.05) >= 4.5, selector
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def luminance(color: str) -> float:
    """Relative luminance of a CSS colour (WCAG 2.2)."""
    parts = [float(part) / 255 for part in color.partition("(")[2].rstrip(")").split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_no_page_asks_another_server_for_anything(server: Server, browser: webdriver.Chrome) -> None:
    for path in ("", "?q=customer", f"attribute/{NAME}", f"lineage/{NAME}", "ask"):
        browser.get(f"{server.url}/{path}")
        asked = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        assert all(address.startswith((server.url, "data:")) for address in asked)


def test_the_statement_is_shown_with_the_places_that_matter(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/attribute/QUOTED.ORDERS.CUSTOMER")
    shown = one(browser, ".sql")
    assert "orders.sql:2:1" in shown.text
    marks = {
        kind: [one.text for one in shown.find_elements(By.CSS_SELECTOR, f"mark.{kind}")] for kind in ("value", "rows")
    }
    assert marks["value"] == ["c.name", "CASE WHEN o.kind = 'x' THEN k.name ELSE UPPER(k.name) END AS customer"]
    assert marks["rows"] == [
        "WHERE c.state <> '<b>gone</b>'",
        "LEFT JOIN src_quoted.shop s ON s.id = o.shop",
        "JOIN known k ON k.id = o.customer_id",
        "WHERE o.amount > 0",
    ]
    # What does not matter is folded, and is there all the same.
    assert "o.extra_7," not in shown.text
    shown.find_element(By.CSS_SELECTOR, "summary").click()
    assert "o.extra_7," in shown.text
    assert not shown.find_elements(By.TAG_NAME, "b")


def test_a_statement_is_explained(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/attribute/QUOTED.ORDERS.CUSTOMER")
    one(browser, ".sql figcaption a").click()
    assert one(browser, "h1").text == "orders.sql:2"
    assert one(browser, ".status").text == "whole"
    assert one(browser, ".numbered .asked").text == "INSERT INTO quoted.orders"
    assert "'<b>gone</b>'" in one(browser, ".numbered").text
    assert texts(browser, "td:first-child a") == ["SRC_QUOTED.CUSTOMER", "SRC_QUOTED.SHOP", "SRC_QUOTED.`order`"]
    assert "POPULATE quoted.orders.id WITH o.id" in one(browser, "details[open] pre").text
    browser.find_element(By.LINK_TEXT, "QUOTED.ORDERS").click()
    assert one(browser, "h1").text == "QUOTED.ORDERS"
    browser.get(f"{server.url}/explain/orders.sql:1")
    assert "no statement stands at orders.sql:1" in one(browser, "main").text


def test_the_report_leads_to_the_statements(server: Server, browser: webdriver.Chrome) -> None:
    browser.get(server.url)
    browser.find_element(By.LINK_TEXT, "SQL read").click()
    assert one(browser, "h1").text == "How SQL was read"
    assert "1 statements in 1 files" not in one(browser, ".summary").text
    assert "1 statement in 1 file: 1 whole" in one(browser, ".summary").text
    assert "SRC_QUOTED.CUSTOMER" in one(browser, "main").text
    browser.find_element(By.LINK_TEXT, "snowflake").click()
    assert "dialect snowflake" in one(browser, ".trail").text
    browser.find_element(By.LINK_TEXT, "orders.sql:2:1").click()
    assert one(browser, "h1").text == "orders.sql:2"


@pytest.mark.parametrize(
    "path", [f"lineage/{NAME}", f"attribute/{NAME}", "entity/MART.GROUP_CUSTOMER", "report", "ask", "?q=name"]
)
def test_a_narrow_page_is_as_wide_as_the_screen_and_its_tables_stay_tables(
    server: Server, browser: webdriver.Chrome, path: str
) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.get(f"{server.url}/{path}")
        assert browser.execute_script("return document.documentElement.scrollWidth") == 390
        cells = browser.find_elements(By.CSS_SELECTOR, "section td")
        assert all(cell.get_attribute("role") == "cell" for cell in cells)
        # Each has the whole width, or as much as it needs.
        assert [cell.text for cell in cells if cell.text and cell.rect["width"] < 20] == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_picture_is_dark_on_a_dark_page(server: Server, browser: webdriver.Chrome) -> None:
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        browser.get(f"{server.url}/lineage/{NAME}")
        assert luminance(one(browser, ".picture").value_of_css_property("background-color")) < 0.05
        assert "invert" in one(browser, ".picture svg").value_of_css_property("filter")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
