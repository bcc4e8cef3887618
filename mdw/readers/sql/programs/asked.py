"""Expressions and tests of a program, which are pieces of SQL: as trees, and as what a block's rows must meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlglot import exp, tokenize
from sqlglot.tokenizer_core import Token

from mdw.model.tree import Node
from mdw.readers.nodes import compared, truth_of
from mdw.readers.sql.conditions import rows_that, test_of
from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.states import KnownTest
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.work import Building, Work


def under(block: Building, tests: Iterable[KnownTest], work: Work) -> None:
    """Let a block make its rows only where tests hold (rule Q24)."""
    for test in tests:
        scope = SelectScope(work)
        scope.block = block
        before, work.variables = work.variables, test.variables
        try:
            block.where += _tested(test, scope, work)
        finally:
            work.variables = before


def _tested(test: KnownTest, scope: SelectScope, work: Work) -> list[Node]:
    # How far a cursor is, or what the statement before did, says nothing of values.
    if any(token.text.upper() in UNTOLD for token in test.piece.tokens):
        return []
    asked = expression_of(test.piece, work)
    if asked is None:
        return []
    if test.holds:
        return rows_that(asked, scope)
    return [compared("IS NOT TRUE", truth_of(test_of(asked, scope)))]


UNTOLD = frozenset(("NOTFOUND", "FOUND", "ISOPEN", "ROWCOUNT", "FETCH_STATUS", "@@FETCH_STATUS", "SQLCODE", "SQLSTATE"))


def expression_of(piece: ScriptPiece, work: Work) -> exp.Expr | None:
    """The tree of an expression; None if it is none."""
    if not piece.tokens:
        return None
    tree = tree_of(replace(piece, tokens=(*made_words(piece.tokens[0], "SELECT"), *piece.tokens)), work.flavour)
    return tree.expressions[0] if isinstance(tree, exp.Select) and tree.expressions else None


def tree_of(piece: ScriptPiece, flavour: Flavour) -> exp.Expr | None:
    try:
        return parsed(piece, flavour)[1]
    except UnparsedError:
        return None


def beside(scope: SelectScope) -> SelectScope:
    """A scope without relations in the same block: names in the body of a function are none of the query around it."""
    found = SelectScope(scope.work)
    found.block = scope.block
    return found


def made_words(token: Any, text: str) -> list[Any]:
    """Words that are put where a word stands."""
    at = {"line": token.line, "col": token.col, "start": token.start, "end": token.start}
    return [Token(one.token_type, one.text, **at) for one in tokenize(text)]
