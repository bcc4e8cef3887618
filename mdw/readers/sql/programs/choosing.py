"""IF and CASE as statements: words -> `Test`s.

CASE x WHEN 1 THEN a; ELSE b; END CASE;        Test((Arm("x = 1", (a,)), Arm(None, (b,))))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mdw.readers.sql.phrases.words import word_in_place
from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.program import Arm, Steps, Test
from mdw.readers.sql.programs.words import Words

ARMS = words("ELSEIF ELSIF ELIF ELSE END")
ELSES = words("ELSEIF ELSIF ELIF")
CHOICES = words("WHEN ELSE END")


def tested(this: Words) -> Steps | None:
    """IF and CASE as statements, whose steps are those of a program wherever they stand."""
    was, this.inside = this.inside, True
    found = (_if if this.word() == "IF" else _case)(this)
    this.inside = was
    return found


def _if(this: Words) -> Steps | None:
    """IF c THEN ... ELSIF ... ELSE ... END IF; T-SQL's IF c statement ELSE statement."""
    first = this.at
    arms: list[Arm] = []
    head: ScriptPiece | None = None
    if this.ends is not None:
        return _unended(this, first)
    while True:
        this.at += 1
        begins = this.at
        this.at = last = this.top(words("THEN"), begins, this.stop(begins))
        if this.word() != "THEN":
            return None
        head = head or this.piece(first, last + 1)
        this.at += 1
        arms.append(Arm(this.piece(begins, last), this.steps(ARMS)))
        if this.word() not in ELSES:
            break
    if this.take("ELSE"):
        arms.append(Arm(None, this.steps(ARMS)))
    this.closing()
    return (Test(tuple(arms), head),)


def _unended(this: Words, first: int) -> Steps:
    """T-SQL's IF holds one step, and ELSE another; ELSE IF goes on with the arms of the same test."""
    arms: list[Arm] = []
    head: ScriptPiece | None = None
    while True:
        this.at += 1
        begins = this.at
        this.at = this.stop(begins - 1)
        test = this.piece(begins, this.at)
        head = head or this.piece(first, this.at)
        arms.append(Arm(test, this.one()))
        behind = this.at
        # A semicolon before ELSE ends the step, not the IF.
        if this.type() is TokenType.SEMICOLON and this.word(1) == "ELSE":
            this.at += 1
        if not this.take("ELSE"):
            this.at = behind
            break
        if this.word() == "IF":
            continue
        arms.append(Arm(None, this.one()))
        break
    return (Test(tuple(arms), head),)


def _case(this: Words) -> Steps | None:
    """CASE x WHEN 1 THEN ... ELSE ... END CASE, as a statement."""
    first = this.at
    this.at += 1
    begins = this.at
    this.at = this.top(words("WHEN"), begins, this.stop(begins))
    asked = this.tokens[begins : this.at]
    head = this.piece(first, this.at)
    if this.word() != "WHEN":
        return None
    arms: list[Arm] = []
    while this.take("WHEN"):
        begins = this.at
        this.at = this.top(words("THEN"), begins, this.end)
        test = this.piece(begins, this.at)
        if asked and test.tokens:
            test = _equal(test, asked)
        this.take("THEN")
        head = head if arms else this.piece(first, this.at)
        arms.append(Arm(test, this.steps(CHOICES)))
    if this.take("ELSE"):
        arms.append(Arm(None, this.steps(words("END"))))
    this.closing()
    return (Test(tuple(arms), head),)


def _equal(test: ScriptPiece, asked: Sequence[Any]) -> ScriptPiece:
    """CASE x WHEN 1: the words x = 1, which have the place of 1."""
    lead = test.tokens[0]
    kinds = [*((token.token_type, token.text) for token in asked), (TokenType.EQ, "=")]
    made = [word_in_place(lead, kind, text) for kind, text in kinds]
    return replace(test, tokens=(*made, *test.tokens))


STEPS = {"IF": tested, "CASE": tested}
