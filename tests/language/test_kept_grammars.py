"""What a grammar comes to is kept beside it, and worked out anew where it is damaged, of another one, or not there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lark.lark
import pytest

from mdw import resources
from mdw.language import mapping
from mdw.language.mapping import MAPPING_GRAMMAR, Parser
from mdw.store import sparql

TEXT = "MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.A IF S.B = 1"
WRONG = "MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the parsers of a test keep what they work out."""
    found = tmp_path / "kept"
    for module in (mapping, sparql):
        monkeypatch.setattr(module, "kept", lambda _: str(found))
    return found


def said(parser: Parser) -> list[str]:
    """What a parser says of a text and of a mistake."""
    good, bad = (mapping.Chunk(text) for text in (TEXT, WRONG))
    return [repr(parser.reading(good, "f").trees), *map(str, parser.reading(bad, "f").errors)]


EXPECTED = said(Parser(MAPPING_GRAMMAR))


def nothing_is_worked_out(*_: object) -> None:
    raise AssertionError("the grammar was read again")


def test_what_was_worked_out_once_is_not_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Parser(MAPPING_GRAMMAR)
    monkeypatch.setattr(lark.lark, "load_grammar", nothing_is_worked_out)
    assert said(Parser(MAPPING_GRAMMAR)) == EXPECTED


def test_that_of_sparql_too(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sparql._lark.__wrapped__().parse("ASK { ?s <urn:p>* ?o }", "query")
    monkeypatch.setattr(lark.lark, "load_grammar", nothing_is_worked_out)
    assert sparql._lark.__wrapped__().parse("ASK { ?s <urn:p>* ?o }", "query") == first


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What is kept of the grammar."""
    found = tmp_path_factory.mktemp("kept") / "kept"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapping, "kept", lambda _: str(found))
        Parser(MAPPING_GRAMMAR)
    return found.read_bytes()


@pytest.mark.parametrize("length", [0, 10, 70, 100, 1_000, 100_000])
def test_what_is_cut_off_is_worked_out_anew(length: int, place: Path, whole: bytes) -> None:
    place.write_bytes(whole[:length])
    assert said(Parser(MAPPING_GRAMMAR)) == EXPECTED
    assert place.stat().st_size > 100_000


@pytest.mark.parametrize("make", [lambda: Parser(MAPPING_GRAMMAR), sparql._lark.__wrapped__])
def test_it_is_there_whole_or_not_at_all(
    make: Callable[[], object], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, there = lark.Lark.save, []

    def saved(self: lark.Lark, file: Any, exclude: Any = ()) -> None:
        save(self, file, exclude)
        there.append(place.exists())

    monkeypatch.setattr(lark.Lark, "save", saved)
    make()
    assert there == [False]
    assert [*place.parent.iterdir()] == [place]


def test_two_that_begin_at_once_keep_what_one_of_them_found(place: Path, whole: bytes) -> None:
    with resources.keeping(str(place)) as one, resources.keeping(str(place)) as other:
        assert len({one, other, str(place)}) == 3
        for name, text in ((other, whole[:1_000]), (one, whole), (other, whole)):
            Path("".join(name)).write_bytes(text)
    assert place.read_bytes() == whole
    assert [*place.parent.iterdir()] == [place]


def test_what_another_grammar_comes_to_is_not_taken(place: Path) -> None:
    sparql._lark.__wrapped__()
    assert said(Parser(MAPPING_GRAMMAR)) == EXPECTED


def test_where_nothing_can_be_written_it_is_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapping, "kept", lambda _: str(tmp_path / "none" / "kept"))
    assert said(Parser(MAPPING_GRAMMAR)) == EXPECTED


def test_it_is_kept_where_compiled_modules_are_and_if_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert resources.kept(tmp_path / "other.lark") == "", "only of our own grammars"
    monkeypatch.setattr(resources, "GRAMMARS", tmp_path)
    (tmp_path / "mapping.lark").write_text("start: A")
    found = Path(resources.kept(tmp_path / "mapping.lark"))
    assert found.parent == tmp_path / "__pycache__" and found.parent.is_dir()
    (tmp_path / "mapping.lark").write_text("start: B")
    assert Path(resources.kept(tmp_path / "mapping.lark")) != found, "what is there need not be written again"
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert resources.kept(tmp_path / "mapping.lark") == ""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(resources, "GRAMMARS", tmp_path / "none")
    assert resources.kept(tmp_path / "none" / "mapping.lark") == ""
