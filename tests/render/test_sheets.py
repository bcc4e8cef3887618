"""CSV for spreadsheets: what would be a formula is a text, everything else is as it was."""

from __future__ import annotations

import csv
import io
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serving import loaded, serving

from mdw import Warehouse
from mdw.cli import run
from mdw.model.cells import cell, is_formula, marked
from mdw.readers.tables.schema import TABLES
from mdw.render.sheets import PIECE, Sheet, sheet

TEXTS = st.text(alphabet="=+-@\t\r\n'\",;19e.x", max_size=6)
FORMULA = '=HYPERLINK("http://x")'
MAPPING = """MAPPING `=m`: WHEN POPULATING T FROM S
  POPULATE T.A WITH "=HYPERLINK(1)" || S.B || "'x" POPULATE T.B WITH -5 POPULATE T.C WITH "'=1"
"""


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def written(content: list[list[str]]) -> str:
    target = io.StringIO()
    csv.writer(target).writerows(content)
    return target.getvalue()


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=3), max_size=4))
def test_no_cell_is_a_formula_and_the_rest_stays(content: list[list[str]]) -> None:
    found = rows(sheet(written(content)))
    assert [[cell(one) for one in row] for row in content] == found
    for before, after in zip(chain(*content), chain(*found), strict=True):
        assert not is_formula(after)
        assert after in (before, f"'{before}")


@given(st.lists(TEXTS, max_size=5))
def test_a_row_comes_back(texts: list[str]) -> None:
    found, changed = marked(tuple(texts))
    assert changed == any(map(is_formula, texts))
    assert not any(is_formula(str(one)) for one in found)
    assert [one[1:] if changed and str(one).startswith("'") else one for one in found] == texts


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), min_size=1, max_size=30), st.integers(1, 50))
def test_in_pieces(content: list[list[str]], size: int) -> None:
    text, found = written(content * (PIECE // 50)), []
    target = Sheet(found.append)
    for at in range(0, len(text), size * 100):
        target.write(text[at : at + size * 100].encode())
    target.end()
    assert b"".join(found).decode() == sheet(text)


def test_one_cell_longer_than_any_piece() -> None:
    text, found = written([["=" + "x\r\n" * PIECE, "y"]]), []
    target = Sheet(found.append)
    for at in range(0, len(text), 1000):
        target.write(text[at : at + 1000].encode())
    target.end()
    assert b"".join(found).decode() == sheet(text)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables_come_back(form: str, tmp_path: Path) -> None:
    with Warehouse() as before, Warehouse() as after:
        before.load(MAPPING).raise_for_errors()
        before.tables(tmp_path, form)  # type: ignore[arg-type]
        after.load(tmp_path).raise_for_errors()
        (one,) = before.mappings()
        assert after.text(one.name) == before.text(one.name)
        quads = (
            sorted(it.query_text("CONSTRUCT WHERE { ?s ?p ?o }", "ntriples").splitlines()) for it in (before, after)
        )
        assert next(quads) == next(quads)
    if form == "csv":
        cells = [one for table in TABLES for row in rows((tmp_path / f"{table.name}.csv").read_text()) for one in row]
        assert not any(map(is_formula, cells))
        assert any(one.startswith("'=") for one in cells)
        assert "-5" in cells


def test_tables_of_others_are_read_as_they_are(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(MAPPING)
        warehouse.tables(tmp_path, "csv")
        text = warehouse.text("=m")
    for table in TABLES:
        path = tmp_path / f"{table.name}.csv"
        head, *content = rows(path.read_text())
        plain = [[one[1:] if row[-1] and one.startswith("'") else one for one in row[:-1]] for row in content]
        path.write_text(written([head[:-1], *plain]))
    with Warehouse() as warehouse:
        warehouse.load(tmp_path).raise_for_errors()
        assert warehouse.text("=m") == text


def test_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = f"SELECT ?a ?b {{ VALUES (?a ?b) {{ ({FORMULA!r} -5) }} }}"
    folder = loaded(tmp_path / "store")
    assert run(["query", query, "--store", str(folder), "--format", "csv"]) == 0
    assert rows(capsys.readouterr().out)[1] == [f"'{FORMULA}", "-5"]
    with serving(folder) as server:
        assert rows(server.query(query, "text/csv").body.decode())[1] == [FORMULA, "-5"], "as the standard has it"
        assert rows(server.query(query, format="sheet").body.decode())[1] == [f"'{FORMULA}", "-5"]
        steps = rows(server.ask("GET", "/lineage/T.A?form=csv").body.decode())
        assert steps[0][0] == "source"
        assert steps[1][0] == "S.A"
