"""Lines of RDF: checked one by one where it matters, blank nodes named by file, what is inferred left out."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pyoxigraph as ox
import pytest
from texts import HOSTILE

from mdw import StoreError, Warehouse
from mdw.cli import run
from mdw.cli.demo import load_bank
from mdw.rdf.lines import checked
from mdw.rdf.vocabulary import INFERRED, SCHEMA
from mdw.readers.stated import Stated
from mdw.warehouse import check

LEFT_OUT = (ox.NamedNode(INFERRED), ox.NamedNode(SCHEMA))


def quads(text: bytes) -> set[ox.Quad]:
    """The quads of N-Quads."""
    return set(ox.parse(text, ox.RdfFormat.N_QUADS))


def test_an_export_comes_through_without_what_is_inferred() -> None:
    target = io.BytesIO()
    with Warehouse() as warehouse:
        warehouse.load(HOSTILE).raise_for_errors()
        warehouse.infer()
        warehouse.export("nquads", target)
    found = checked(target.getvalue().splitlines(), "nq", "f")
    assert quads(found.text) == {quad for quad in quads(target.getvalue()) if quad.graph_name not in LEFT_OUT}
    assert (found.quads, found.mappings, found.bad) == (len(quads(found.text)), 2, ())
    assert found.quads < len(quads(target.getvalue()))


def test_only_a_graph_is_left_out_never_what_looks_like_one() -> None:
    lines = [
        b'<a:s> <a:p> "x <urn:mdw:inferred> ." .',
        b"<a:s> <a:p> <a:o> . # <urn:mdw:inferred> .",
        b"<a:s> <a:p> <urn:mdw:inferred> .",
        b"<a:s> <a:p> <a:q> <urn:mdw:inferred> . # a comment",
        b"<a:s> <a:p> <a:q><urn:mdw:ontology>.",
    ]
    assert [quad.object.value for quad in quads(checked(lines[:2], "nq", "f").text)].count("a:o") == 1
    assert quads(checked(lines, "nq", "f").text) == quads(b"\n".join(lines[:3]))


def test_blank_nodes_are_named_by_file_and_label_but_not_in_literals() -> None:
    lines = [
        "_:b1 <a:p> _:é.x <a:g> .".encode(),
        b'<a:s> <a:p> "_:b1" _:b1 .',
        b'<a:s> <a:p> <<( _:b1 <a:p> "_:b1" )>> .',
    ]
    b1 = "<urn:mdw:blank:f:b1>"
    assert checked(lines, "nq", "f").text.decode().splitlines() == [
        f"{b1} <a:p> <urn:mdw:blank:f:%C3%A9.x> <a:g> .",
        f'<a:s> <a:p> "_:b1" {b1} .',
        f'<a:s> <a:p> <<( {b1} <a:p> "_:b1" )>> .',
    ]
    assert checked(lines, "nq", "g").text != checked(lines, "nq", "f").text


BAD = {
    b"<a:s> <a:p> <a:o>": "dot",
    b'<a:s> <a:p> "\xff" .': "UTF-8",
    b"<s> <a:p> <a:o> .": "IRI",
    b"<a:s> <a:p> <a:o> . <a:s> <a:p> <a:q> .": "Only a single triple",
    b"@prefix a: <b:> .": "subject",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_costs_itself_only(line: bytes) -> None:
    good = [b"", b"# only a comment", b"<a:s> <a:p> <a:o> .", b"<a:s> <a:p> <a:o> .\t# again"]
    found = checked([good[2], line, *good], "nt", "f")
    assert [(number, bad) for number, bad, _ in found.bad] == [(2, line)]
    assert BAD[line].lower() in found.bad[0][2].lower()
    assert "line 1" not in found.bad[0][2]
    assert found.text == b"<a:s> <a:p> <a:o> .\n" * 3
    assert found.quads == 3


def test_triples_have_no_graph() -> None:
    assert len(checked([b"<a:s> <a:p> <a:o> <a:g> ."], "nt", "f").bad) == 1


# -- files in one process ---------------------------------------------------------------------------------------------


def dumped(warehouse: Warehouse) -> bytes:
    target = io.BytesIO()
    warehouse.export("nquads", target)
    return target.getvalue()


@pytest.fixture(scope="module")
def bank() -> bytes:
    """The example bank as N-Quads."""
    with Warehouse() as warehouse:
        load_bank(warehouse)
        return dumped(warehouse)


@pytest.mark.parametrize("place", ["memory", "disk", "disk, in batches"])
def test_an_export_is_read_back(bank: bytes, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = bank.splitlines(keepends=True)
    (tmp_path / "a.nq").write_bytes(b"".join(lines[::2]))
    (tmp_path / "b.nq.gz").write_bytes(gzip.compress(b"".join(lines[1::2] + lines[:50])))
    blank = "_:b <a:p> <a:o> .\n"
    (tmp_path / "c.nt").write_text(blank + blank + r'<a:s> <a:p> "x\n\"y" .' + "\n", encoding="utf-8")
    (tmp_path / "d.nq").write_text("<a:s> <a:p> <a:o> <a:g> .\n", encoding="utf-8")
    if "batches" in place:
        monkeypatch.setattr("mdw.store.engine.DISK_BATCH", 20_000)
    with Warehouse(tmp_path / "store" if "disk" in place else None) as warehouse:
        report = warehouse.load(tmp_path).raise_for_errors()
        assert (report.loaded, report.replaced, report.statements) == (136, 0, 3)
        assert str(report).endswith("136 new, 0 replaced, 0 unchanged, 3 other statements")
        found = dumped(warehouse)
        assert {quad for quad in quads(found) if "a:" not in str(quad.predicate)} == quads(bank)
        assert len(quads(found)) == len(quads(bank)) + 3
        again = warehouse.load(tmp_path)
        assert (again.mappings, again.unchanged) == (136, 136)
        assert dumped(warehouse) == found


def test_rdf_replaces_the_mapping_of_its_name(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load("MAPPING m: WHEN POPULATING B FROM A POPULATE B.X WITH A.X POPULATE B.Y WITH A.Y")
        warehouse.export("nquads", tmp_path / "m.nq")
    with Warehouse() as warehouse:
        warehouse.load("MAPPING m: WHEN POPULATING B FROM OTHER POPULATE B.X WITH OTHER.X")
        report = warehouse.load(tmp_path / "m.nq")
        assert (report.loaded, report.replaced) == (0, 1)
        assert [one.driving for one in warehouse.mappings()] == ["A"]
        assert [one.attribute for one in warehouse.lineage("B.Y").golden] == ["A.Y"]


def test_bad_lines_cost_themselves_only_and_say_where_they_stand(tmp_path: Path, bank: bytes) -> None:
    lines = bank.splitlines(keepends=True)
    lines[20_000:20_000] = [b"<a:s> <a:p> \xff .\n"]
    lines[7:7] = [b"not RDF\n"]
    (tmp_path / "a.nq").write_bytes(b"".join(lines))
    (tmp_path / "b.nq.gz").write_bytes(gzip.compress(bank)[:1000])
    (tmp_path / "c.nt.gz").write_bytes(b"not packed")
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        assert quads(dumped(warehouse)) == quads(bank)
    places = [str(error.location or "") for error in report.errors]
    assert places == [f"{tmp_path / 'a.nq'}:8:1", f"{tmp_path / 'a.nq'}:20002:1", "", ""]
    assert "b.nq.gz" in str(report.errors[2]) and "c.nt.gz" in str(report.errors[3])
    assert check(tmp_path / "a.nq").mappings == 136


def test_inputs_that_say_different_things_of_a_mapping(tmp_path: Path) -> None:
    text = """MAPPING m: WHEN POPULATING B FROM A POPULATE B.X WITH A.{0}
    MAPPING {0}: WHEN POPULATING C FROM B POPULATE C.X WITH B.X"""
    for name in "XY":
        with Warehouse() as warehouse:
            warehouse.load(text.format(name)).raise_for_errors()
            warehouse.export("nquads", tmp_path / f"{name}.nq")
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        assert [str(error) for error in report.errors] == ["the inputs say different things of the mapping m"]
        assert [one.name for one in warehouse.mappings()] == ["X", "Y"]
    with Warehouse() as warehouse:
        report = warehouse.load(text.format("X"), tmp_path / "X.nq")
        assert (report.loaded, report.errors) == (2, ())
        report = warehouse.load(text.format("X"), tmp_path / "Y.nq")
        assert [str(error) for error in report.errors] == ["the inputs say different things of the mapping m"]
        assert [one.name for one in warehouse.mappings()] == ["X", "Y", "m"]
        assert [one.attribute for one in warehouse.lineage("B.X").golden] == ["A.X"]


def test_a_load_that_fails_adds_no_statement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.nt").write_bytes(b"<a:s> <a:p> <a:o> .\n")
    with Warehouse() as warehouse:
        monkeypatch.setattr(Stated, "others", lambda _self: "no statement")
        with pytest.raises(StoreError):
            warehouse.load("MAPPING m: WHEN POPULATING B FROM A POPULATE B.X WITH A.X", tmp_path)
        assert not dumped(warehouse)


def test_other_forms_of_rdf_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.nq", "c.ttl"):
        (tmp_path / name).write_bytes(b"")
    assert run(["load", str(tmp_path / "a.nq"), str(tmp_path / "c.ttl"), "--store", str(tmp_path / "store")]) == 1
    said = capsys.readouterr().err
    assert "cannot read" in said and "c.ttl: of files mdw reads mapping text (.map), SQL (" in said
