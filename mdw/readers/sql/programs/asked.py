"""Expressions and tests of a program, which are pieces of SQL: as trees, and as what a block's rows must meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from sqlglot import exp

from mdw.model.tree import Node
from mdw.readers.nodes import both, compared, either, parameter, truth_of
from mdw.readers.sql.building import Building
from mdw.readers.sql.conditions import rows_that, test_of
from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.phrases.words import word_in_place
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.known import Known, KnownTest, KnownWays
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.variables import THIS_WAY
from mdw.readers.sql.work import Work


class AskedPieces:
    """What a script's program asks: each test stands over many statements, and is parsed once for all of them."""

    def __init__(self) -> None:
        self._tree = lru_cache(maxsize=MANY)(_query_of)

    def under(self, block: Building, tests: Known, work: Work) -> None:
        """Let a block make its rows only where tests hold (rule Q24)."""
        work.again = True
        for test in tests:
            if isinstance(test, KnownTest):
                with work.with_variables(test.variables, first=work.variables_first):
                    block.where += self._tested(test, SelectScope(work, block=block), work)
            else:
                work.on_a_way = True
                block.where += self._one_of(test, SelectScope(work, block=block), work)
                work.on_a_way = False
        work.again = False

    def _one_of(self, several: KnownWays, scope: SelectScope, work: Work) -> list[Node]:
        """That one of several ways was gone; a test of which nothing can be said may be anything."""
        ways = []
        for way in several.ways:
            found = [node for one in way for node in self._on_way(one, scope, work)]
            ways.append(both(list(dict.fromkeys(found))))
        return [] if set(ways) == {_anything()} else [either(ways)]

    def _on_way(self, test: KnownTest | KnownWays, scope: SelectScope, work: Work) -> list[Node]:
        if isinstance(test, KnownWays):
            return self._one_of(test, scope, work) or [_anything()]
        with work.with_variables(test.variables, first=work.variables_first):
            asked = self._asked(test, work)
            if asked is None:
                return [_anything()]
            found = test_of(asked, scope)
        return [found if test.holds else compared("IS NOT TRUE", truth_of(found))]

    def expression(self, piece: ScriptPiece, work: Work) -> exp.Expr | None:
        """The tree of an expression; None if it is none."""
        tree, queries = self._tree(piece, work.flavour) if piece.tokens else (None, False)
        if tree is None:
            return None
        # Whoever reads a query within may change its tree.
        found: exp.Expr = (tree.copy() if queries else tree).expressions[0]
        return found

    def _tested(self, test: KnownTest, scope: SelectScope, work: Work) -> list[Node]:
        asked = self._asked(test, work)
        if asked is None:
            return []
        if test.holds:
            return rows_that(asked, scope)
        return [compared("IS NOT TRUE", truth_of(test_of(asked, scope)))]

    def _asked(self, test: KnownTest, work: Work) -> exp.Expr | None:
        """The tree of a test, None where nothing can be said of it."""
        # How far a cursor is, or what the statement before did, says nothing of values.
        if any(token.text.upper() in UNTOLD for token in test.piece.tokens):
            return None
        # Nor does one of the many values that a variable holds say anything of another.
        if any(word_of(token) in test.piece.arrays for token in test.piece.tokens):
            return None
        # What a handler, or another routine, may have given another value since then says nothing any more.
        if work.passing and any(test.variables.get(key) in work.passing for key in _keys(test.piece, work)):
            return None
        return self.expression(test.piece, work)


def _anything() -> Node:
    """A test of which nothing is known."""
    return compared("IS TRUE", parameter(THIS_WAY))


def _keys(piece: ScriptPiece, work: Work) -> Iterator[str]:
    """What the words of a piece may be as variables."""
    for token in piece.tokens:
        name = work.naming.known(token.text, quoted=False)
        yield from (name, f"@{name}")


MANY = 500
"""Trees that are kept: as many tests as may stand over a statement."""
UNTOLD = frozenset(("NOTFOUND", "FOUND", "ISOPEN", "ROWCOUNT", "FETCH_STATUS", "@@FETCH_STATUS", "SQLCODE", "SQLSTATE"))


def _query_of(piece: ScriptPiece, flavour: Flavour) -> tuple[exp.Select | None, bool]:
    """The query of an expression, and whether there are others within; None if it is none."""
    tree = tree_of(as_query(piece), flavour)
    if not isinstance(tree, exp.Select) or not tree.expressions:
        return None, False
    return tree, tree.expressions[0].find(exp.Query) is not None


def as_query(piece: ScriptPiece) -> ScriptPiece:
    """An expression as the query of it."""
    words = piece.tokens
    return replace(piece, tokens=(word_in_place(words[0], TokenType.SELECT, "SELECT"), *words)) if words else piece


def tree_of(piece: ScriptPiece, flavour: Flavour) -> exp.Expr | None:
    """The tree of a piece; None if it cannot be parsed."""
    try:
        return parsed(piece, flavour)[1]
    except UnparsedError:
        return None
