"""Lines of RDF: checked one by one where it matters, blank nodes named by file, what is inferred left out."""

from __future__ import annotations

import io
from pathlib import Path

import pyoxigraph as ox
import pytest
from test_tables import HOSTILE

from mdw import Warehouse
from mdw.cli import run
from mdw.store.lines import checked
from mdw.vocabulary import INFERRED, SCHEMA

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
    assert [bad for bad, _ in found.bad] == [line]
    assert BAD[line].lower() in found.bad[0][1].lower()
    assert "line 1" not in found.bad[0][1]
    assert found.text == b"<a:s> <a:p> <a:o> .\n" * 3
    assert found.quads == 3


def test_triples_have_no_graph() -> None:
    assert len(checked([b"<a:s> <a:p> <a:o> <a:g> ."], "nt", "f").bad) == 1


def test_one_process_says_who_reads_rdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.nq", "b.nt.gz", "c.ttl"):
        (tmp_path / name).write_bytes(b"")
    assert run(["load", str(tmp_path / "a.nq"), str(tmp_path / "c.ttl"), "--store", str(tmp_path / "store")]) == 1
    said = capsys.readouterr().err
    assert "a.nq is read by Spark\n" in said
    assert "mdw spark-load" in said
    assert "cannot read" in said and "c.ttl: of files mdw reads mapping text (.map) and RDF in lines" in said
