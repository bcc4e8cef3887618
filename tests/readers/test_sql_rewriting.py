"""Statements in words that sqlglot reads: which changes are made, each told by words without which it does nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from places import CASES
from programs import leaves

from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.phrases import postgres
from mdw.readers.sql.phrases.written import EVERYWHERE, REWRITTEN, written_out
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.reading import program_of

# What these change they change because another word stands before it: MUTUALLY, or **, which is all they have.
TOLD_ALONE = {"ansi", "materialize", "risingwave"}
BLOCKS = (CASES / "scanned" / "dialects.sql").read_text(encoding="utf-8").strip().split("\n\n")


def statements(dialect: str) -> Iterator[ScriptPiece]:
    """What the cases of dialects run in one, with what any other dialect says, too: it must be left alone."""
    for block in BLOCKS[::2]:
        text = re.sub(r"(?m)^--.*\n?", "", block)
        yield from (piece for piece in leaves(program_of(text, flavour_of(dialect))) if piece.tokens)


@pytest.mark.parametrize("dialect", sorted(REWRITTEN.keys() - TOLD_ALONE))
def test_a_change_has_nothing_to_do_where_none_of_its_words_stands(dialect: str) -> None:
    seen = 0
    for piece in statements(dialect):
        said = [token.text for token in piece.tokens]
        for one in (*EVERYWHERE, *REWRITTEN[dialect]):
            if one.words.isdisjoint(text.upper() for text in said) and not piece.mentions(*one.marks):
                seen += 1
                if said.count("(") == said.count(")"):
                    assert [token.text for token in one.change(list(piece.tokens))] == said, one
    assert seen > 1000


def test_what_other_words_hold_is_no_word() -> None:
    """STATE holds STAT, MODEL_ID holds MODEL, and a comment holds anything."""
    flavour = flavour_of("oracle")
    text = "SELECT state, model_id FROM member_of -- MODEL, MEMBER\n WHERE a IS NULL"
    (step,) = program_of(text, flavour)
    words, outputs = written_out(step.piece, flavour)
    assert (tuple(words), outputs) == (step.piece.tokens, [])


def test_a_parameter_by_number_is_no_absolute_value() -> None:
    flavour = flavour_of("postgres")
    (step,) = program_of("SELECT @ a FROM t WHERE b = $1", flavour)
    assert [token.text for token in postgres.absolute(list(step.piece.tokens))][1:3] == ["~", "a"]
    assert [token.text for token in written_out(step.piece, flavour)[0]][-2:] == ["$", "1"]


def test_a_table_is_given_to_the_function_whose_arguments_have_been_begun() -> None:
    """Of functions that sqlglot knows it stays as it is, of those around and beside them it does not."""
    flavour = flavour_of("bigquery")
    (step,) = program_of("SELECT * FROM f(TABLE a, VECTOR_SEARCH(TABLE b, (c), TABLE d), TABLE e)", flavour)
    found = " ".join(token.text for token in written_out(step.piece, flavour)[0])
    assert re.findall(r"STRUCT \* FROM (\w)", found) == ["a", "e"]
    assert re.findall(r"TABLE (\w)", found) == ["b", "d"]
