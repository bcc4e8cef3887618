"""Rule Q29 across files: a program says the same in one file as in a file for each routine and trigger."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

from plpgsql_programs import KEYED, TARGETS, PlProgram, ProgramWriter
from sql_rows import SCHEMA

from mdw import Warehouse

MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
FIRST = 0 if MORE == 1 else Random().randrange(1 << 30)
PROGRAMS = 4
MADE = re.compile(r"^(?=CREATE (?:FUNCTION|PROCEDURE|TRIGGER)\b)", re.MULTILINE)
Said = dict[tuple[str, str], tuple[list[tuple[str, str]], list[str]]]
"""Of a column the sources with their conditions, and the constants."""


def split(made: PlProgram) -> dict[str, str]:
    """A file for each routine and trigger, one for the tables, one for the calls."""
    head, *parts = MADE.split(made.text)
    files = {f"{number}_part.sql": text for number, text in enumerate(parts, start=1)}
    calls = {"9_calls.sql": "\n".join(made.calls)} if made.calling else {}
    return {"0_head.sql": head, **files, **calls}


def words_of(condition: str) -> str:
    return " ".join(sorted(re.findall(r"\w+|\W", condition.replace("OTHER_", ""))))


def said(files: dict[str, str], folder: Path) -> Said:
    """Sources with their conditions, and constants, of each column of the targets."""
    folder.mkdir()
    for name, text in {"0.ddl": SCHEMA, **files}.items():
        (folder / name).write_text(text)
    with Warehouse() as warehouse:
        assert not warehouse.load(folder, dialect="postgres").errors
        found: Said = {}
        for asked in ((one, column) for one in (*TARGETS, KEYED) for column in "ktvw"):
            answer = warehouse.lineage(".".join(asked))
            # Of two roles of one table either may be the other.
            ends = sorted((end.attribute, words_of(end.sql)) for end in answer.golden)
            found[asked] = ends, sorted({one.value for one in answer.constants})
        return found


def test_a_program_in_files_says_what_it_says_in_one(tmp_path: Path) -> None:
    for seed in range(FIRST, FIRST + int(PROGRAMS * MORE)):
        made = ProgramWriter(Random(seed)).program()
        whole = said({"1.sql": made.script}, tmp_path / f"{seed}_whole")
        parts = said(split(made), tmp_path / f"{seed}_parts")
        assert any(ends for ends, _ in whole.values())
        differing = {asked: (whole[asked], parts[asked]) for asked in whole if whole[asked] != parts[asked]}
        assert not differing, f"seed {seed}\n{differing}\n{made.script}"
