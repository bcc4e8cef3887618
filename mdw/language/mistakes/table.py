"""Common mistakes in mapping text, each with what to say about it and examples: the tables are also the test.

The first mistake that fits the place where the parser stopped is the one named.
"""

from __future__ import annotations

from mdw.language.mistakes.characters import CHARACTERS
from mdw.language.mistakes.clauses import CLAUSES
from mdw.language.mistakes.joins import JOINS
from mdw.language.mistakes.starts import STARTS
from mdw.language.mistakes.values import CONDITIONS, EXPRESSIONS, NAMES

MISTAKES = (*CHARACTERS, *STARTS, *CLAUSES, *JOINS, *CONDITIONS, *EXPRESSIONS, *NAMES)
