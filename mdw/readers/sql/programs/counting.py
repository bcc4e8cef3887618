"""How many rows the statement before changed or found, where a program asks for it (rules Q24, Q27).

UPDATE t SET n = :n WHERE t.id = :id;             INNER ROWS is a row for each row of T that meets T.ID = :ID
IF SQL%ROWCOUNT = 0 THEN INSERT INTO t ...        the INSERT stands under COUNT(*) of ROWS = 0: T.ID decides
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mdw.model.query import Read
from mdw.readers.nodes import aggregation, number
from mdw.readers.sql.building import Building
from mdw.readers.sql.phrases.words import Words, made_words
from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.giving import SPEAKING
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.known import KnownTest
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.variables import Held

if TYPE_CHECKING:
    from mdw.readers.sql.programs.holding import Holding
    from mdw.readers.sql.programs.states import ProgramState

NUMBERS = words("ROWCOUNT ROW_COUNT SQLROWCOUNT ACTIVITYCOUNT ACTIVITY_COUNT")
TRUTHS = {"FOUND": "> 0", "SQLFOUND": "> 0", "NOTFOUND": "= 0", "SQLNOTFOUND": "= 0"}
"""Words that ask whether there were rows, each with the test that says so."""
ASKED = NUMBERS | TRUTHS.keys()
OF_CURSORS = frozenset(("FOUND", "NOTFOUND"))
"""Of these the ones that are asked of a cursor, too, or are names where a dialect has no such word."""
ROWS, ROW = "ROWS_CHANGED", "ONE"
"""The variable that stands for the number, a word that no script has, and the column of the rows that are counted."""
MOST_NUMBERS = 10
"""Numbers of rows that are told to decide over one statement."""
COUNTED = frozenset(("select", "insert", "update", "delete", "merge"))
"""Kinds of statements that tell how many rows they changed, or found."""


@dataclass(eq=False, slots=True)
class ChangedRows:
    """The rows of the statement before: those of blocks, or of an entity; ``number`` is how many, once it is asked.

    Of each block come how many of its relations and conditions are the statement's own: behind them stand the tests
    that the program made before, which decide over the statement and not over how many rows it finds.
    """

    blocks: Sequence[tuple[Building, int, int]] = ()
    entity: str = ""
    number: Held | None = None

    @classmethod
    def of(cls, blocks: Sequence[Building]) -> ChangedRows:
        """The rows of blocks that no test was added to so far."""
        return cls([(block, len(block.reads), len(block.where)) for block in blocks])


class RowCounts:
    """Has what a statement changed counted where a test, or a value, asks for the number."""

    def __init__(self, holding: Holding) -> None:
        self._holding = holding

    def of(self, piece: ScriptPiece, state: ProgramState, place: ScriptPiece) -> tuple[ScriptPiece, Mapping[str, Held]]:
        """The piece with a variable where it asks for the number, and what that holds; nothing where it does not."""
        rows = state.changed
        if rows is None or not piece.mentions(*ASKED):
            return piece, {}
        # Scripts of old ask behind each statement: of what follows under all these tests the first ones are told.
        if sum(isinstance(one, KnownTest) and ROWS in one.variables for one in state.tests) >= MOST_NUMBERS:
            return piece, {}
        tokens = _asking(piece, state, self._holding.reading.flavour.name)
        if tokens is None:
            return piece, {}
        if rows.number is None:
            rows.number = self._counted(rows, state, place)
        return replace(piece, tokens=tuple(tokens)), {ROWS: rows.number}

    def _counted(self, rows: ChangedRows, state: ProgramState, place: ScriptPiece) -> Held:
        holding = self._holding
        work, entity = holding.work(place, state), holding.fresh(ROWS)
        source = rows.entity
        if not source:
            source = holding.fresh(ROWS)
            work.inner_entities.add(source)
            for block, reads, tests in rows.blocks:
                one = work.building(source, inner=True, location=block.location)
                one.reads, one.where = block.reads[:reads], block.where[:tests]
                one.having, one.qualify = list(block.having), list(block.qualify)
                one.group, one.sets, one.distinct, one.limits = block.group, block.sets, block.distinct, block.limits
                one.output(ROW, number("1"))
            work.dictionary.put(source, Shape([ROW], complete=True))
        counting = work.building(entity, inner=True)
        counting.reads.append(Read(source, location=counting.location))
        # Of no rows there is a number, too (rule Q15).
        counting.group = []
        counting.output(ROWS, aggregation("COUNT", []))
        holding.keep(entity, [counting], work)
        holding.query_done(work, place)
        return Held(entity, ROWS, always=True)


def _asking(piece: ScriptPiece, state: ProgramState, flavour: str) -> Words | None:
    """The words with the variable in them; None where they ask for something else, as how far a cursor is."""
    tokens, found, at = piece.tokens, [], 0
    asked = False
    while at < len(tokens):
        token = tokens[at]
        word = token.text.upper()
        at += 1
        if word.lstrip("@") not in ASKED:
            found.append(token)
            continue
        led = _lead(found)
        # FOUND alone is one of PL/pgSQL; elsewhere, or declared by the program, it is a name like others.
        alone = not led and not word.startswith("@")
        if led is None or (alone and (state.has(word) or (word in OF_CURSORS and flavour not in SPEAKING))):
            return None
        del found[len(found) - led :]
        called = at + 1 < len(tokens) and tokens[at].token_type is TokenType.L_PAREN
        at += 2 if called and tokens[at + 1].token_type is TokenType.R_PAREN else 0
        # In parentheses also alone: T-SQL takes `SELECT x = 0` for a 0 that is called X.
        found += made_words(token, f"({ROWS} {TRUTHS.get(word, '')})")
        asked = True
    return found if asked else None


def _lead(before: Sequence[Any]) -> int | None:
    """How many words before it are of the number's name: @@ROWCOUNT, SQL%ROWCOUNT; None of c%ROWCOUNT and t.found."""
    last = [token.text.upper() for token in before[-2:]]
    if last == ["@", "@"] or last == ["SQL", "%"]:
        return 2
    return None if last[-1:] in (["%"], ["."], ["@"]) else 0
