"""Words of a statement -> sqlglot's tree of it, or why there is none.

What its own dialect does not parse, or only as a Command (words of which nothing is known), is tried again: a CREATE
without what it says of storage, then all of it in a related dialect. The first complaint is the one that is told.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from mdw.readers.sql.complaints import worded
from mdw.readers.sql.dialects import Flavour, flavour_of
from mdw.readers.sql.metric_views import metric_view
from mdw.readers.sql.phrases.columns import plain_columns
from mdw.readers.sql.phrases.creating import plain_create
from mdw.readers.sql.phrases.transact_changing import give_back
from mdw.readers.sql.phrases.words import depth_of, top
from mdw.readers.sql.phrases.written import written_out
from mdw.readers.sql.pieces import ScriptPiece, word_of
from mdw.readers.sql.semantics import semantic_view

# What sqlglot would warn of, a statement it takes as a Command, is told by the status of the statement.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

RELATIVES: Mapping[str, str] = {"athena": "hive", "redshift": "postgres", "databricks": "spark", "ansi": "postgres"}
"""The dialect a statement is tried in that its own does not parse."""
DEEPEST = 500
"""Parentheses within parentheses in one statement, at most."""
DEEPEST_TYPES = 16
"""Calls like STRUCT(...), named as a type is, within one another: sqlglot reads each twice, as a type and as a call."""
TOO_DEEP = "nested too deep to be parsed"
NO_SQL = "no SQL: there is no statement here"


class UnparsedError(Exception):
    """A statement cannot be parsed; ``offset`` is where in the text, if that is known."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


def parsed(piece: ScriptPiece, flavour: Flavour) -> tuple[ScriptPiece, exp.Expr]:
    """The tree of a statement, and the piece it is of; UnparsedError if it has none."""
    if piece.message:
        raise UnparsedError(piece.message)
    if not piece.tokens:
        raise UnparsedError(NO_SQL)
    try:
        return _somehow(piece, flavour)
    except UnparsedError:
        raise
    except RecursionError:
        raise UnparsedError(TOO_DEEP) from None
    # What a rewrite of the words trips over costs this statement, and none of the others.
    except Exception as error:
        raise UnparsedError(f"not followed: {type(error).__name__}: {error}") from error


def _somehow(piece: ScriptPiece, flavour: Flavour) -> tuple[ScriptPiece, exp.Expr]:
    """The same, in the dialect itself, without what it says of storage, or in a related dialect."""
    if flavour.name == "oracle" and piece.mentions("REFRESH"):
        _refreshed(piece)
    if flavour.name == "athena" and _of_hive(piece):
        again = _again(piece, flavour_of("hive"))
        if again is not None and not isinstance(again[1], exp.Command):
            return again
    try:
        tree = _tree(piece, flavour)
        return (piece, tree) if not isinstance(tree, exp.Command) else _plainly(piece, flavour) or (piece, tree)
    except UnparsedError:
        again = _plainly(piece, flavour)
        if again is not None:
            return again
        relative = RELATIVES.get(flavour.name)
        if relative is None or "nested" in relative:
            raise
        again = _again(piece, flavour_of(relative))
        if again is None:
            raise
        return again


REFRESHED = frozenset(("FAST", "COMPLETE", "FORCE", "ON", "START", "NEXT", "WITH", "USING", "ENABLE"))
"""What stands behind REFRESH where Oracle makes a materialized view."""


def _refreshed(piece: ScriptPiece) -> None:
    """The words behind REFRESH, which are left out with what is said of storage, have to be known."""
    said = [word_of(token) for token in piece.tokens]
    head = said[: said.index("AS")] if "AS" in said else []
    if said[:1] != ["CREATE"] or "MATERIALIZED" not in said[:4] or "REFRESH" not in head[4:]:
        return
    at = head.index("REFRESH", 4) + 1
    if at < len(head) and head[at] and head[at] not in REFRESHED:
        token = piece.tokens[at]
        raise UnparsedError(f"not expected here: {token.text}", token.start)


def _of_hive(piece: ScriptPiece) -> bool:
    """Whether Athena has Hive do it: what makes and changes tables, but for those made of a query, and views."""
    said = [word_of(token) for token in piece.tokens[:4]]
    makes = said[:1] in (["CREATE"], ["ALTER"], ["DROP"]) and not {"VIEW", "FUNCTION"} & set(said)
    return makes and not any(_begins_query(piece.tokens, at) for at in range(len(piece.tokens) - 1))


def _plainly(piece: ScriptPiece, flavour: Flavour) -> tuple[ScriptPiece, exp.Expr] | None:
    """The same without what a CREATE says of storage, which each database has words of its own for."""
    for words in (plain_create(piece.tokens), *(plain_columns(piece.tokens, typed=typed) for typed in (True, False))):
        if words is None:
            continue
        try:
            found = replace(piece, tokens=tuple(words))
            tree = _tree(found, flavour)
        except UnparsedError:
            continue
        if not isinstance(tree, exp.Command):
            return found, tree
    return None


def _again(piece: ScriptPiece, flavour: Flavour) -> tuple[ScriptPiece, exp.Expr] | None:
    """The same read in a related dialect."""
    start, end = piece.tokens[0].start, piece.tokens[-1].end + 1
    text = piece.text[start:end]
    try:
        tokens = flavour.parser.tokenize(text)
        found = replace(piece, tokens=tuple(tokens), text=text, offset=piece.offset + start)
        return found, _tree(found, flavour)
    except (SqlglotError, UnparsedError):
        return None


def _tree(piece: ScriptPiece, flavour: Flavour) -> exp.Expr:
    found = _parsed(piece, flavour)
    if isinstance(found, exp.Command) and word_of(piece.tokens[0]) == "CREATE":
        # What the parser gives up on as a whole may have a fault it can tell: the query that a view is made of.
        query = next((at + 1 for at in range(1, len(piece.tokens) - 1) if _begins_query(piece.tokens, at)), 0)
        if query:
            _parsed(replace(piece, tokens=piece.tokens[query:]), flavour)
    elif isinstance(found, exp.Command) and word_of(piece.tokens[0]) in AROUND:
        _within(piece, flavour)
    return found


AROUND = frozenset(("EXPLAIN", "PREPARE"))
"""First words of commands that have another statement within them."""
INNER = re.compile(r"(?i)\b(?:INSERT|UPDATE|DELETE|MERGE|CREATE)\b")


def _within(piece: ScriptPiece, flavour: Flavour) -> None:
    """Tell the fault of the statement that a command is about: EXPLAIN ANALYZE INSERT INTO t SELCT 1."""
    end = piece.tokens[-1].end + 1
    inner = INNER.search(piece.text, piece.tokens[0].start, end)
    if inner is None:
        return
    text = piece.text[inner.start() : end]
    try:
        tokens = tuple(flavour.parser.tokenize(text))
    except SqlglotError:
        return
    try:
        _parsed(replace(piece, tokens=tokens, text=text), flavour)
    except UnparsedError as error:
        raise UnparsedError(error.message, None if error.offset is None else inner.start() + error.offset) from None


def _begins_query(tokens: Sequence[Any], at: int) -> bool:
    return word_of(tokens[at]) == "AS" and (word_of(tokens[at + 1]) in ("SELECT", "WITH"))


def _parsed(piece: ScriptPiece, flavour: Flavour) -> exp.Expr:
    # First of all: what is deeper would fail, after each pair of parentheses was gone through.
    if len(piece.tokens) > 2 * DEEPEST and depth_of(piece.tokens) > DEEPEST:
        raise UnparsedError(TOO_DEEP)
    types = flavour.parser.parser_class.TYPE_TOKENS
    if len(piece.tokens) > 3 * DEEPEST_TYPES and _depth_of_types(piece.tokens, types) > DEEPEST_TYPES:
        raise UnparsedError(TOO_DEEP)
    parser = flavour.parser.parser(error_level=ErrorLevel.IMMEDIATE)
    # The parser is given words, not text: so all places are those of the file, made words included.
    try:
        words, outputs = written_out(piece, flavour)
        if piece.mentions("SEMANTIC"):
            view = semantic_view(words, lambda some: parser.parse(some, piece.text)[0])
            if view is not None:
                return view
        if piece.mentions("METRICS"):
            view = metric_view(words, lambda some: parser.parse(some, piece.text)[0], flavour.parser.tokenize)
            if view is not None:
                return view
        trees = parser.parse(words, piece.text)
        for output in outputs:
            give_back(trees[0], parser.parse(output, piece.text)[0])
    except RecursionError:
        raise UnparsedError(TOO_DEEP) from None
    except SqlglotError as error:
        raise UnparsedError(*_complaint(error, piece)) from None
    # sqlglot trips over some texts itself; that too costs one statement.
    except (AttributeError, TypeError, ValueError, IndexError, KeyError) as error:
        raise UnparsedError(f"not followed by the parser: {type(error).__name__}: {error}") from None
    found = [tree for tree in trees if tree is not None]
    if not found:
        raise UnparsedError(NO_SQL)
    if isinstance(found[0], exp.Copy) and top(words, {"FROM", "TO"}) == len(words):
        # The parser takes any word for FROM, or for a table.
        raise UnparsedError("missing: FROM or TO of COPY")
    query = found[0].expression if isinstance(found[0], exp.Insert) else None
    if isinstance(query, exp.Select) and not (query.expressions or query.args.get("from_") or query.args.get("from")):
        raise UnparsedError("missing: what the INSERT selects")
    return found[0]


def _depth_of_types(tokens: Sequence[Any], types: Collection[Any]) -> int:
    """How many parentheses behind names of types lie within one another."""
    open_: list[bool] = []
    depth = deepest = 0
    for before, token in pairwise(tokens):
        if token.text in ("(", "["):
            open_.append(before.token_type in types)
            depth += open_[-1]
            deepest = max(deepest, depth)
        elif token.text in (")", "]") and open_:
            depth -= open_.pop()
    return deepest


def _complaint(error: SqlglotError, piece: ScriptPiece) -> tuple[str, int | None]:
    details = getattr(error, "errors", None)
    first = details[0] if details else {}
    place = first.get("line"), first.get("col")
    number, token = next(
        ((at, one) for at, one in enumerate(piece.tokens) if (one.line, one.col) == place), (0, piece.tokens[0])
    )
    description = str(first.get("description") or error).rstrip(".")
    return worded(description, str(token.text), at_end=number == len(piece.tokens) - 1), token.start
