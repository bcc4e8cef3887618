"""Search: names and business terms by words, begun, mistyped, or by another word for the same thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import owlrl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import RDFS, Graph, URIRef

from mdw import Warehouse
from mdw.model.errors import InputError
from mdw.resources import BANK
from mdw.store.search import Entry, Index, words_of

TERMS = BANK / "terms.ttl"


@pytest.fixture(scope="module")
def bank() -> Iterator[Warehouse]:
    with Warehouse() as warehouse:
        warehouse.load(BANK).raise_for_errors()
        assert warehouse.terms(TERMS) > 15
        yield warehouse


def found(bank: Warehouse, text: str, number: int = 1) -> list[tuple[str, str]]:
    return [(hit.kind, hit.name) for hit in bank.search(text, limit=number)]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("MART.GROUP_CUSTOMER.CUSTOMER_NAME", "attribute", "MART.GROUP_CUSTOMER.CUSTOMER_NAME"),
        ("core party", "entity", "CORE.PARTY"),
        ("exposure", "term", "exposure"),
        ("money at risk", "term", "exposure"),
        ("savings", "term", "deposits"),
        ("creditworthines", "term", "credit rating"),
        ("gros exposur", "term", "gross exposure"),
        ("account holder", "term", "customer name"),
        ("large exposure reason", "attribute", "RISK.LARGE_EXPOSURE.REASON"),
        ("core_party_from_employees", "mapping", "core_party_from_employees"),
    ],
)
def test_the_best_hit_is_what_was_meant(bank: Warehouse, text: str, kind: str, name: str) -> None:
    assert found(bank, text) == [(kind, name)]


def test_a_broader_term_finds_what_represents_a_narrower_one(bank: Warehouse) -> None:
    (party,) = (hit for hit in bank.search("party", kinds=["term"]) if hit.name == "party")
    assert {"CORE.PARTY", "MART.GROUP_CUSTOMER", "SRC_HR.EMPLOYEE"} <= set(party.attributes)
    (amount,) = (hit for hit in bank.search("amount", kinds=["term"]) if hit.name == "amount")
    assert {"RISK.EXPOSURE.NET_AMOUNT", "MART.WEALTH_REPORT.AMOUNT_EUR"} <= set(amount.attributes)


def test_an_attribute_is_found_by_a_word_for_what_it_holds(bank: Warehouse) -> None:
    assert ("attribute", "MART.WEALTH_REPORT.AMOUNT_EUR") in found(bank, "assets under management", 5)


def test_typing_leads_there_letter_by_letter(bank: Warehouse) -> None:
    for end in range(3, len("customer name") + 1):
        assert any("CUSTOMER" in name.upper() for _, name in found(bank, "customer name"[:end], 10)), end


def test_kinds_and_limit_are_kept(bank: Warehouse) -> None:
    hits = bank.search("customer", kinds=["entity"], limit=4)
    assert len(hits) == 4
    assert {hit.kind for hit in hits} == {"entity"}


def test_nothing_is_found_by_nothing(bank: Warehouse) -> None:
    assert not bank.search("")
    assert not bank.search("zzzzzz")
    assert not bank.search("... !!")


def test_every_attribute_is_found_by_its_name(bank: Warehouse) -> None:
    missed = [name for name in bank.attributes() if not any(hit.name == name for hit in bank.search(name, limit=5))]
    assert missed == []


def test_a_change_is_found(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load("WHEN POPULATING T.NEW FROM S.OLD POPULATE T.NEW.WORTH WITH S.OLD.VALUE").raise_for_errors()
        assert found(warehouse, "worth") == [("attribute", "T.NEW.WORTH")]
        warehouse.load(
            "MAPPING other: WHEN POPULATING T.LATER FROM S.OLD POPULATE T.LATER.SIZE WITH S.OLD.VALUE"
        ).raise_for_errors()
        assert found(warehouse, "size") == [("attribute", "T.LATER.SIZE")]
        warehouse.remove("other")
        assert found(warehouse, "size") == []
    with Warehouse(tmp_path / "store") as again:
        assert (tmp_path / "store/search/ready").exists()
        assert found(again, "worth") == [("attribute", "T.NEW.WORTH")]
        again.load(
            "MAPPING third: WHEN POPULATING T.THIRD FROM S.OLD POPULATE T.THIRD.DEPTH WITH S.OLD.VALUE"
        ).raise_for_errors()
        assert not (tmp_path / "store/search/ready").exists()
    with Warehouse(tmp_path / "store") as again:
        assert found(again, "depth") == [("attribute", "T.THIRD.DEPTH")]


def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load("WHEN POPULATING T FROM S POPULATE T.WORTH WITH S.VALUE").raise_for_errors()
        assert warehouse.search("worth")
    for file in (tmp_path / "store/search").glob("*.json"):
        file.write_text("{")
    with Warehouse(tmp_path / "store") as warehouse:
        assert warehouse.search("worth")


def test_terms_that_cannot_be_read_leave_those_there_are(bank: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "bad.ttl").write_text("this is no Turtle")
    for path in (tmp_path / "bad.ttl", tmp_path / "missing.ttl"):
        with pytest.raises(InputError, match="cannot"):
            bank.terms(path)
    (tmp_path / "bad.ttl").write_text("@prefix x: <urn:x:> .\n\nx:a x:b ;; , .")
    with pytest.raises(InputError) as caught:
        bank.terms(tmp_path / "bad.ttl")
    assert str(caught.value).splitlines() == [
        f"{tmp_path / 'bad.ttl'}:3:9: the Turtle cannot be read: ; is not a valid RDF object",
        "    x:a x:b ;; , .",
        "            ^",
    ]
    assert found(bank, "savings") == [("term", "deposits")]


def test_nothing_is_fetched_that_a_document_names(bank: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "far.jsonld").write_text('{"@context": "http://127.0.0.1:9/context", "@id": "urn:t:far"}')
    with pytest.raises(InputError, match="remote contexts"):
        bank.terms(tmp_path / "far.jsonld")


def test_the_hierarchy_is_closed_as_owlrl_closes_it(bank: Warehouse) -> None:
    judge = Graph().parse(TERMS)
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(judge)
    wanted = {
        (str(narrow), str(broad))
        for narrow, broad in judge.subject_objects(RDFS.subClassOf)
        if isinstance(broad, URIRef) and narrow != broad and "urn:bank:term:" in narrow and "urn:bank:term:" in broad
    }
    query = 'SELECT ?n ?b { GRAPH <urn:mdw:terms> { ?n rdfs:subClassOf ?b } FILTER(STRSTARTS(STR(?b), "urn:bank:")) }'
    table = bank.query(query)
    assert {(row[0], row[1]) for row in table} == wanted  # type: ignore[union-attr, index]


def test_what_terms_speak_of_is_there(bank: Warehouse) -> None:
    unknown = "FILTER NOT EXISTS { ?thing mdw:attributeOf ?e } FILTER NOT EXISTS { ?a mdw:attributeOf ?thing }"
    query = f"SELECT ?thing {{ GRAPH <urn:mdw:terms> {{ ?thing mdw:represents ?term }} {unknown} }}"
    assert list(bank.query(query)) == []  # type: ignore[arg-type]


@given(st.lists(st.text(alphabet="abcxyz_. ", min_size=1, max_size=12), min_size=1, max_size=20), st.data())
def test_whatever_has_all_the_words_is_found(names: list[str], data: st.DataObject) -> None:
    index = Index.of([Entry("attribute", name, " ".join(words_of(name))) for name in names])
    name = data.draw(st.sampled_from(names))
    words = words_of(name)
    if words:
        hits = index.search(" ".join(data.draw(st.permutations(words))[:8]), limit=len(names))
        assert name in {hit.name for hit in hits}
