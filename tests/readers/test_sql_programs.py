"""Scripts as programs: realistic files of each dialect, and laws of all."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import CASES
from programs import LEFT, gaps, spans

from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.programs.outline import outline
from mdw.readers.sql.programs.program import Steps
from mdw.readers.sql.programs.reading import program_of

FILES = sorted((CASES / "programs").glob("*.sql"))


def dialect_of(path: Path) -> str:
    return path.suffixes[0][1:]


def read(text: str, dialect: str) -> Steps:
    return program_of(text, flavour_of(dialect))


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_a_file_as_a_program(path: Path, accept: bool) -> None:
    """A page or two of realistic code of each dialect."""
    found = outline(read(path.read_text(encoding="utf-8"), dialect_of(path))) + "\n"
    expected = path.with_suffix(".txt")
    if accept:
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_pieces_and_gaps_are_the_file(path: Path) -> None:
    """What no piece covers is blank, a comment, a separator or a word of control."""
    text = path.read_text(encoding="utf-8")
    program = read(text, dialect_of(path))
    left = [gap for gap in gaps(program, text) if not LEFT.fullmatch(gap)]
    assert not left


@pytest.mark.parametrize("path", FILES, ids=dialect_of)
def test_places_are_those_of_the_file(path: Path) -> None:
    """Every word of a piece stands where it says, in texts within texts too."""
    text = "\n\n" + path.read_text(encoding="utf-8")
    for first, last in spans(program_of(text[2:], flavour_of(dialect_of(path)), offset=2)):
        assert text[first:last].strip() == text[first:last]
        assert first >= 2
