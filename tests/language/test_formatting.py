"""Canonical text: same trees, same comments, and canonical already."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import BANK, CASES

from mdw.language.formatting import canonical_text
from mdw.language.mapping import read
from mdw.model.errors import BatchError

CASE = CASES / "formatting-keeps-every-comment"
BANK = sorted(BANK.rglob("*.map"))


@pytest.mark.parametrize("file", [CASE / "input.map", *BANK], ids=lambda file: file.name)
def test_nothing_is_lost_and_twice_is_once(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    canonical = canonical_text(text)
    assert canonical_text(canonical) == canonical
    assert read(canonical).trees == read(text).trees
    comments = [sorted(found.strip() for found in re.findall(r"-- [^-\n]*", one)) for one in (text, canonical)]
    assert comments[0] == comments[1]


def test_where_comments_go(accept: bool) -> None:
    canonical = canonical_text((CASE / "input.map").read_text(encoding="utf-8"))
    if accept:
        (CASE / "expected.map").write_text(canonical, encoding="utf-8")
    assert canonical == (CASE / "expected.map").read_text(encoding="utf-8")


def test_errors_come_together() -> None:
    with pytest.raises(BatchError) as caught:
        canonical_text("WHEN POPULATING A FROM B POPULATE A.X WITH\nWHEN POPULATING A FROM\n", "two.map")
    assert [str(error.location)[:8] for error in caught.value.errors] == ["two.map:", "two.map:"]
