"""What an INSERT leaves out is NULL only where every word of the table's definition is known (rule Q32).

``tests/cases/definitions`` has definitions as generators of DDL write them, a file for each dialect. Each is read
whole; with one made-up word between any two of its words nothing becomes certain that was not, and what was NULL is
open.
"""

from __future__ import annotations

import os
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.scripts import read_script

FOLDER = Path(__file__).parent.parent / "cases" / "definitions"
CLAUSES = ("FLUXED", "FLUXED BY (3)", "FLUXED = 3", "FLUXED 'x'")
"""What no database has ever heard of."""
PLACES = int(os.environ.get("MDW_EXAMPLES", "1")) * 2
"""Places tried in each definition."""


class Left(NamedTuple):
    """What an INSERT writes into the columns that it leaves out: NULL, or values as the mapping has them."""

    nulls: frozenset[str]
    values: dict[str, str]


def definitions() -> list[tuple[str, str]]:
    found = []
    for file in sorted(FOLDER.glob("*.sql")):
        found += [(file.stem, one) for one in re.split(r";\n\s*", file.read_text()) if one.strip()]
    return found


DEFINITIONS = definitions()


def left_by(definition: str, dialect: str, table: str, named: str) -> Left:
    """What is left out, where one column is named; nothing is known where the statement is not read at all."""
    script = read_script(f"{definition};\nINSERT INTO {table} ({named}) SELECT k FROM src", "a.sql", dialect)
    blocks = [block for one in script.statements[-1:] for block in one.blocks if block.change == "POPULATING"]
    # A statement that fails is said.
    failed = any(one.status == "failed" for one in script.statements)
    if failed or script.statements[-1].kind != "insert" or not blocks:
        return Left(frozenset(), {})
    others = blocks[0].others
    nulls = re.findall(r"`[^`]+`|\w+", others.partition("(")[2])
    given = {one.name: str(one.value) for one in blocks[0].outputs if one.value.content != "src.k"}
    return Left(frozenset(nulls), {name: re.sub(r"Location\([^)]*\)", "", said) for name, said in given.items()})


def table_of(definition: str) -> str:
    """The name of the table, as SQL."""
    head = re.match(r"(?is).*?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?((?:[^\s(,.\"`]|\.|\"[^\"]*\"|`[^`]*`)+)", definition)
    assert head is not None, definition
    return head[1]


def harmless(before: str, after: str, changed: str, dialect: str) -> bool:
    """Whether a word may stand here: it names a key or a function, is a value, or SQLite takes it for a type."""
    if dialect == "sqlite":
        with closing(sqlite3.connect(":memory:")) as database:
            try:
                database.execute(changed)
            except sqlite3.Error:
                return before in "(,"
        return True
    return (after == "(" and before.upper() in NAMED) or (before in "([" and after in ")]")


NAMED = ("KEY", "INDEX", "(", ",", "DEFAULT", "AS")
"""What may stand before the name of a key or of a function."""


@pytest.mark.parametrize(("dialect", "definition"), DEFINITIONS)
def test_definitions_are_read_whole(dialect: str, definition: str) -> None:
    table = table_of(definition)
    script = read_script(f"{definition};\nINSERT INTO {table} (zz) SELECT k FROM src", "a.sql", dialect)
    # No table of these has the column ZZ: the INSERT is partial for it (rule Q33).
    assert [one.status for one in script.statements] == ["whole", "partial"]
    assert left_by(definition, dialect, table, "zz").nulls


@pytest.mark.parametrize(("dialect", "definition"), DEFINITIONS)
def test_a_made_up_word_takes_certainty_and_gives_none(dialect: str, definition: str) -> None:
    table = table_of(definition)
    before = left_by(definition, dialect, table, "zz")
    tokens = flavour_of(dialect).parser.tokenize(definition)
    chance = random.Random(definition)
    places = range(1, len(tokens) + 1)
    for place in places if len(places) < PLACES else chance.sample(places, PLACES):
        at = tokens[place].start if place < len(tokens) else len(definition)
        made_up = chance.choice(CLAUSES)
        changed = f"{definition[:at]} {made_up} {definition[at:]}"
        now = left_by(changed, dialect, table, "zz")
        assert now.nulls - {"FLUXED"} <= before.nulls, changed
        assert all(before.values.get(name) == said for name, said in now.values.items() if "FLUXED" not in said), (
            changed
        )
        around = tokens[place - 1].text, tokens[place].text if place < len(tokens) else ""
        assert not now.nulls or harmless(*around, changed, dialect), changed
