"""Graphs of mappings that come as RDF are held against their own parse trees: what does not fit is not believed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from places import ROOT

from mdw import Warehouse

TEXT = "".join(f"MAPPING m{n}: WHEN POPULATING T{n} FROM S POPULATE T{n}.A WITH S.B IF S.C = {n}\n" for n in range(3))
Damage = Callable[[str], str]
OF_M1 = r"^.*{}.*<urn:mdw:mapping:m1> \.\n"


def without(part: str) -> Damage:
    return lambda text: re.sub(OF_M1.format(part), "", text, count=1, flags=re.MULTILINE)


def deeper(text: str) -> str:
    """A node in a node in a node ..., below one of the tree."""
    graph, parent = "<urn:mdw:mapping:m1>", "<urn:mdw:mapping:m1/n3>"
    found = [text]
    for number in range(5_000):
        node = f"<urn:x{number}>"
        found += [f"{node} <https://w3id.org/mdw#parent> {parent} {graph} .\n"]
        found += [f"{node} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:x> {graph} .\n"]
        parent = node
    return "".join(found)


DAMAGES: dict[str, Damage] = {
    "a number is none": lambda text: text.replace('content> "1"', 'content> "1-"', 1),
    "the tree is deeper than any text": deeper,
    "a rule is gone": without("mdw#rule"),
    "the head is gone": without("mdw#head"),
    "the digest is gone": without("mdw#digest"),
    "a node is gone": without("mapping:m1/n3> .*parent"),
    "a step is gone": without("mdw#feeds"),
    "a rule is garbled": lambda text: text.replace(r"\"S.B\",\"", r"\"S.B", 1) if r"\"S.B\",\"" in text else "",
    "a rule says something else": lambda text: re.sub(
        r"^(.*T1\.A> <\S+rule>.*?)S\.B", r"\1S.X", text, count=1, flags=re.MULTILINE
    ),
    "something is added": lambda text: f"{text}<urn:a> <urn:b> <urn:c> <urn:mdw:mapping:m1> .\n",
}


def exported(folder: Path, source: str | Path) -> Path:
    with Warehouse() as warehouse:
        warehouse.load(source)
        warehouse.export("nquads", folder / "x.nq")
    return folder / "x.nq"


@pytest.mark.parametrize("damage", [*DAMAGES.values()], ids=[*DAMAGES])
def test_a_damaged_graph_is_left_out_and_heals(tmp_path: Path, damage: Damage) -> None:
    file = exported(tmp_path, TEXT)
    text = file.read_text()
    assert damage(text) not in (text, ""), "the test changes something"
    file.write_text(damage(text))
    with Warehouse() as warehouse:
        report = warehouse.load(file)
        (error,) = report.errors
        assert re.search(r"the mapping m[012] is not what its parse tree says: it is left out", str(error))
        left = {one.name for one in warehouse.mappings()}
        assert len(left) == 2
        assert not warehouse.load(TEXT).errors
        assert [end.attribute for n in range(3) for end in warehouse.lineage(f"T{n}.A").golden] == ["S.B"] * 3


def test_what_only_mappings_say_is_not_believed_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "x.nq"
    file.write_text(
        '<urn:mdw:attribute:T.A> <https://w3id.org/mdw#rule> "no" <urn:g> .\n<urn:a> <urn:b> "yes" <urn:g> .\n'
    )
    with Warehouse() as warehouse:
        (error,) = warehouse.load(file).errors
        assert "what only the graph of a mapping says is stated in <urn:g>: left out" in str(error)
        assert warehouse.query_text("SELECT ?o { ?s ?p ?o }", "csv").split() == ["o", "yes"]
        assert not list(warehouse.lineage_all())


@pytest.mark.parametrize("source", ["data/bank", "data/claims"])
def test_what_was_exported_is_believed(tmp_path: Path, source: str) -> None:
    file = exported(tmp_path, ROOT / source)
    with Warehouse() as warehouse:
        assert not warehouse.load(file).errors
        assert warehouse.mappings()
