"""The JSON API: the same values as the library's, held to its own description by schemathesis."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from places import ROOT
from serving import Server, serving

from mdw import Warehouse
from mdw.model.answers.answer import Answer
from mdw.resources import BANK

NAME = "MART.GROUP_CUSTOMER.CUSTOMER_NAME"
WHEN = 'REGION = "EU"'
EXAMPLES = "15" if "MDW_EXAMPLES" in os.environ else "8"
"""What schemathesis tries of each operation."""
SEMANTIC = ("requests", "mappings")
"""Texts with a grammar of their own: what JSON schema allows may still be no request and no mapping."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = tmp_path_factory.mktemp("api") / "store"
    with Warehouse(store) as warehouse:
        warehouse.load(BANK).raise_for_errors()
        warehouse.terms(BANK / "terms.ttl")
    with serving(store, "--allow-update", "--quiet") as running:
        yield running


@pytest.fixture(scope="module")
def bank() -> Iterator[Warehouse]:
    with Warehouse() as warehouse:
        warehouse.load(BANK).raise_for_errors()
        warehouse.terms(BANK / "terms.ttl")
        yield warehouse


def get(server: Server, path: str, **parameters: str) -> object:
    answered = server.ask("GET", f"/api/{path}?{urlencode(parameters)}")
    assert answered.status == 200, answered.body
    return answered.json


def told(answer: Answer) -> dict[str, object]:
    """An answer as the API tells it: the bank has no scripts whose words could be quoted."""
    return answer.to_dict() | {"written": []}


def test_answers_are_the_librarys(server: Server, bank: Warehouse) -> None:
    assert get(server, f"lineage/{NAME}", when=WHEN) == told(bank.lineage(NAME, when=WHEN))
    assert get(server, f"lineage/{NAME}", mode="passive") == told(bank.lineage(NAME, mode="passive"))
    debt = "SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT"
    assert get(server, f"impact/{debt}", unpopulated="closed") == told(bank.impact(debt, unpopulated="closed"))
    between = {"from": "SRC_CRM.PARTNER.FIRM_NAME"}
    assert get(server, f"lineage/{NAME}", **between) == told(bank.lineage(NAME, source=between["from"]))
    assert get(server, f"impact/{debt}", to="RISK.WATCH_LIST.AMOUNT") == (
        told(bank.impact(debt, target="RISK.WATCH_LIST.AMOUNT"))
    )
    assert get(server, f"attributes/{NAME}") == bank.attribute(NAME).to_dict()
    assert get(server, "entities/core.party") == bank.entity("CORE.PARTY").to_dict()
    assert get(server, "report") == bank.report().to_dict()
    assert get(server, "explain/20_core/balances.map:95") == bank.explain("balances.map:95").to_dict()
    request = "populate.attribute, attribute, STG.CUSTOMER_US.REGION : with.expression, string"
    assert get(server, "requests", text=request) == bank.request(request).to_dict()
    assert get(server, "search", q="customer nam", limit="5") == bank.search("customer nam", limit=5).to_dict()


def test_mappings_come_page_by_page(server: Server, bank: Warehouse) -> None:
    found, after = [], ""
    while True:
        page = get(server, "mappings", limit="50", after=after)
        assert isinstance(page, dict)
        found += [one["name"] for one in page["mappings"]]
        if not (after := page.get("next", "")):
            break
    assert found == [one.name for one in bank.mappings()]


def test_what_is_known_of_an_attribute(bank: Warehouse) -> None:
    found = bank.attribute("mart.group_customer.customer_name").to_dict()
    assert found["terms"] == [{"label": "customer name", "meaning": "What a customer is called in reports."}]
    assert len(found["mappings"]) == 6
    assert {one["attribute"] for one in found["fed_by"]} >= {"CORE.PARTY.PARTY_NAME", "MART.CUSTOMER_EU.CUSTOMER_NAME"}
    name = bank.attribute("CORE.PARTY.PARTY_NAME").to_dict()
    assert {"attribute": NAME, "mapping": "mart_group_customer_from_staff", "how": "IDENTITY"} in name["feeds"]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("lineage/NOT.THERE", 404, "no mapping mentions"),
        ("attributes/NOT.THERE", 404, "no mapping mentions"),
        ("entities/NOT_THERE", 404, "no mapping mentions"),
        ("mappings/not_there", 404, "not_there"),
        ("report?folder=a&folder=b", 400, "folder is given once"),
        ("explain/balances.map:1", 404, "no statement stands at"),
        ("explain/balances.map", 400, "is no place: write FILE:LINE"),
        (f"lineage/{NAME}?when=(", 400, "the condition cannot be read"),
        (f"lineage/{NAME}?mode=wild", 400, "mode is one of active, passive"),
        (f"lineage/{NAME}?when=A&when=B", 400, "when is given once"),
        ("search", 400, "q is missing"),
        ("search?q=a&limit=0", 400, "limit is a whole number from 1 to 1000"),
        ("search?q=a&kind=thing", 400, "kind is one of"),
        ("requests?text=x", 400, "a request reads"),
    ],
)
def test_what_cannot_be_answered_says_why(server: Server, path: str, status: int, said: str) -> None:
    answered = server.ask("GET", f"/api/{path}")
    assert (answered.status, answered.headers["content-type"]) == (status, "application/problem+json")
    assert said in answered.json["detail"]


def test_mappings_are_loaded_and_found(server: Server) -> None:
    text = "MAPPING extra_one: WHEN POPULATING EXTRA.T FROM EXTRA.S POPULATE EXTRA.T.NOVELTY WITH EXTRA.S.A"
    answered = server.ask("POST", "/api/mappings", text, {"Content-Type": "text/plain"})
    assert (answered.status, answered.json["loaded"]) == (200, 1)
    assert get(server, "search", q="novelty")["hits"][0]["name"] == "EXTRA.T.NOVELTY"  # type: ignore[index]
    answered = server.ask("POST", "/api/mappings", "WHEN POPULATING", {"Content-Type": "text/plain"})
    assert (answered.status, answered.json["errors"][0]["location"]) == (422, "<text>:1:16")
    for text in ("-", "/etc/passwd", "jdbc:postgresql://127.0.0.1/x"):
        answered = server.ask("POST", "/api/mappings", text, {"Content-Type": "text/plain"})
        assert answered.json["errors"], "no text names a file or a database"


def test_of_very_many_mistakes_the_first_are_told_and_the_rest_counted(server: Server) -> None:
    text = "WHEN POPULATING T FROM S POPULATE T.A WIHT S.A\n" * 150
    answered = server.ask("POST", "/api/mappings", text, {"Content-Type": "text/plain"})
    assert answered.status == 422
    assert [one["count"] for one in answered.json["errors"]] == [1] * 100 + [50]
    assert "50 more errors" in answered.json["errors"][-1]["message"]


def test_a_lineage_follows_what_is_loaded(server: Server) -> None:
    """Answers that a reader keeps are answers of one snapshot."""
    sources: list[str] = []
    for name in ("FRESH.S1", "FRESH.S2", "FRESH.S3"):
        text = f"MAPPING from_{name}: WHEN POPULATING FRESH.T FROM {name} POPULATE FRESH.T.A WITH {name}.A"
        assert server.ask("POST", "/api/mappings", text, {"Content-Type": "text/plain"}).status == 200
        sources.append(f"{name}.A")
        for _ in range(3):
            found = get(server, "lineage/FRESH.T.A")
            assert [one["attribute"] for one in found["golden"]] == sources  # type: ignore[index]


def test_terms_are_taken_and_found(server: Server, tmp_path: Path) -> None:
    known = (BANK / "terms.ttl").read_text()
    more = """
        <urn:t:wage> rdfs:label "wage" ; skos:broader <urn:t:reward> .
        <urn:t:reward> rdfs:label "reward" ; skos:altLabel "bounty" .
        attribute:MART.GROUP_CUSTOMER.CUSTOMER_NAME mdw:represents <urn:t:wage> ."""

    def bounties() -> list[dict[str, object]]:
        found: list[dict[str, object]] = get(server, "search", q="bounty", kind="term")["hits"]  # type: ignore[index]
        return found

    before = server.put("/api/terms", known).json["terms"]
    answered = server.put("/api/terms", known + more)
    assert (answered.status, answered.json) == (200, {"terms": before + 2})
    assert {one["name"]: one["attributes"] for one in bounties()} == {"reward": [NAME], "wage": [NAME]}
    for media, text in (("text/turtle", "no Turtle"), ("application/ld+json", '{"@context": "http://127.0.0.1:9/x"}')):
        refused = server.put("/api/terms", text, media)
        assert refused.status == 400
        assert "cannot be read" in refused.json["detail"]
    assert server.put("/api/terms", known, "text/odd").status == 415
    assert bounties(), "what there was stays"
    assert server.put("/api/terms", known).json == {"terms": before}
    assert not bounties()


def test_names_are_never_taken_for_markup(server: Server) -> None:
    """Pages and pictures of whatever mappings are called; nothing of it becomes an element."""
    entity, attribute = "`<img src=x onerror=alert(1)>`", "`</title><script>alert(1)</script>`"
    text = f'MAPPING evil: WHEN POPULATING {entity} FROM OTHER POPULATE {entity}.{attribute} WITH OTHER.A || "<b>"'
    assert server.ask("POST", "/api/mappings", text, {"Content-Type": "text/plain"}).status == 200
    name = quote(f"{entity}.{attribute}", safe="")
    for path in (
        f"attribute/{name}",
        f"lineage/{name}",
        f"impact/{name}",
        f"entity/{quote(entity)}",
        "?q=alert",
        "mapping/evil",
    ):
        answered = server.ask("GET", f"/{path}")
        assert answered.status == 200, path
        page = answered.body.decode().lower()
        assert "alert(1)" in page
        assert "<img" not in page
        assert page.count("<script") == 1, "the page's own"
        assert "<b>" not in page
        assert "default-src 'self'" in answered.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("relation", "value", "part"),
    [
        ("=", "EU", 'REGION = "EU"'),
        ("<", "-1.5", "REGION < -1.5"),
        ("=", "nan", 'REGION = "nan"'),
        ("=", "1e5", 'REGION = "1e5"'),
        ("LIKE", "5", 'REGION LIKE "5"'),
    ],
)
def test_what_somebody_types_narrows_the_condition_of_a_page(
    server: Server, relation: str, value: str, part: str
) -> None:
    asked = urlencode({"when": "PARTY_TYPE = 2", "column": "REGION", "relation": relation, "value": value})
    page = server.ask("GET", f"/lineage/{NAME}?{asked}")
    assert page.status == 303
    assert parse_qs(urlsplit(page.headers["location"]).query)["when"] == [f"PARTY_TYPE = 2 AND {part}"]
    assert server.ask("GET", page.headers["location"]).status == 200


def test_an_unchanged_answer_is_not_sent_again(server: Server) -> None:
    path = f"/api/lineage/{quote(NAME)}"
    tag = server.ask("GET", path).headers["etag"]
    assert server.ask("GET", path, headers={"If-None-Match": tag}).status == 304


def test_the_python_clients_of_the_readme_work(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```py\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    exec(compile(block.replace("http://127.0.0.1:7878", server.url), "README.md", "exec"), {})
    said = capsys.readouterr().out
    assert "urn:mdw:entity:CORE.PARTY 14" in said
    assert re.search(r"\[13\d rows x 2 columns\]|urn:mdw:mapping:", said)


@pytest.mark.skipif(shutil.which("st", path=str(Path(sys.executable).parent)) is None, reason="schemathesis is missing")
def test_schemathesis_finds_nothing(server: Server, tmp_path: Path) -> None:
    """Every check, on examples of its own; texts with a grammar of their own may be refused."""
    allowed = '["2xx", "304", "404", "400", "422"]'
    operations = "".join(
        f'[[operations]]\ninclude-path = "/api/{path}"\nchecks.positive_data_acceptance.expected-statuses = {allowed}\n'
        for path in (
            "requests",
            "mappings",
            "lineage/{name}",
            "impact/{name}",
            "attributes/{name}",
            "entities/{name}",
            "explain/{place}",
            "terms",
        )
    )
    (tmp_path / "schemathesis.toml").write_text(operations)
    command = [str(Path(sys.executable).with_name("st")), "--config-file", str(tmp_path / "schemathesis.toml"), "run"]
    options = [
        "--url",
        server.url,
        "--max-examples",
        EXAMPLES,
        "--phases",
        "coverage,fuzzing",
        "--seed",
        "1",
        "--no-color",
    ]
    run = subprocess.run(
        [*command, f"{server.url}/api/openapi.json", *options],
        capture_output=True,
        text=True,
        timeout=200,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stdout[-5000:]
    assert json.loads(server.ask("GET", "/health").body) == {"status": "ok"}
