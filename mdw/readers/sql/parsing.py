"""Words of a statement -> sqlglot's tree of it, or why there is none."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from mdw.readers.sql.dialects import TRANSACT, Flavour, flavour_of
from mdw.readers.sql.splitting import ScriptPiece, word_of

# What sqlglot would warn of, a statement it takes as a Command, is told by the status of the statement.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

RELATIVES: Mapping[str, str] = {"athena": "hive", "redshift": "postgres", "databricks": "spark", "ansi": "postgres"}
"""The dialect a statement is tried in that its own does not parse."""
PHRASES = frozenset(("TITLE", "FORMAT", "NAMED", "CASESPECIFIC", "UPPERCASE"))


class UnparsedError(Exception):
    """A statement cannot be parsed; ``offset`` is where in the text, if that is known."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


def parsed(piece: ScriptPiece, flavour: Flavour) -> tuple[ScriptPiece, exp.Expr]:
    """The tree of a statement, and the piece it is of; UnparsedError if it has none."""
    if piece.message:
        raise UnparsedError(f"no SQL: {piece.message.splitlines()[0]}")
    try:
        return piece, _tree(piece, flavour)
    except UnparsedError:
        relative = RELATIVES.get(flavour.name)
        if relative is None or "nested" in relative:
            raise
        again = _again(piece, flavour_of(relative))
        if again is None:
            raise
        return again


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
    parser = flavour.parser.parser(error_level=ErrorLevel.IMMEDIATE)
    words, outputs = _written_out(piece.tokens, flavour), list[list[Any]]()
    if flavour.name in TRANSACT and word_of(piece.tokens[0]) in CHANGES:
        words, outputs = _without_output(words)
    try:
        trees = parser.parse(words, piece.text)
        for output in outputs:
            _give_back(trees[0], parser.parse(output, piece.text)[0])
    except RecursionError:
        raise UnparsedError("nested too deep to be parsed") from None
    except SqlglotError as error:
        raise UnparsedError(*_complaint(error, piece)) from None
    # sqlglot trips over some texts itself; that too costs one statement.
    except (AttributeError, TypeError, ValueError, IndexError, KeyError) as error:
        raise UnparsedError(f"cannot be parsed: {type(error).__name__}: {error}") from None
    found = [tree for tree in trees if tree is not None]
    if not found:
        raise UnparsedError("there is no statement here")
    return found[0]


def _complaint(error: SqlglotError, piece: ScriptPiece) -> tuple[str, int | None]:
    details = getattr(error, "errors", None)
    if not details:
        return str(error).splitlines()[0], None
    first = details[0]
    token = next((one for one in piece.tokens if (one.line, one.col) == (first.get("line"), first.get("col"))), None)
    return str(first.get("description") or "cannot be parsed").rstrip("."), token.start if token else None


# -- what sqlglot does not read, written out ---------------------------------------------------------------------------


def _written_out(tokens: Sequence[Any], flavour: Flavour) -> list[Any]:
    """The words in a form that sqlglot reads."""
    if flavour.name == "teradata":
        return _without_phrases(tokens)
    if flavour.name == "duckdb" and "MACRO" in [word_of(token) for token in tokens[:6]]:
        return _without_defaults(tokens)
    if flavour.name == "oracle" and any(word_of(token) == "MERGE" for token in tokens[:1]):
        return _branching(tokens)
    if flavour.name in TRANSACT and any(word_of(token) == "UPDATE" for token in tokens[:1]):
        return _assigned(tokens)
    if any(word_of(token) == "CREATE" for token in tokens[:1]):
        return _without_virtual(tokens)
    return list(tokens)


def _without_virtual(tokens: Sequence[Any]) -> list[Any]:
    """VIRTUAL behind the formula of a column says that its values are not stored."""
    pairs = zip([None, *tokens], tokens)  # noqa: B905  the last has no successor
    return [token for before, token in pairs if not (word_of(token) == "VIRTUAL" and before and before.text == ")")]


def _without_phrases(tokens: Sequence[Any]) -> list[Any]:
    """Teradata's (TITLE 'x') behind a column says how it is shown."""
    found: list[Any] = []
    skip = 0
    for at, token in enumerate(tokens):
        if skip:
            skip -= 1
        elif token.token_type is TokenType.L_PAREN and at + 3 < len(tokens) and word_of(tokens[at + 1]) in PHRASES:
            close = next((n for n in range(at, len(tokens)) if tokens[n].token_type is TokenType.R_PAREN), at)
            skip = close - at
        else:
            found.append(token)
    return found


def _without_defaults(tokens: Sequence[Any]) -> list[Any]:
    """The := value of a macro's argument is what it is where nobody gives it."""
    return [
        token
        for at, token in enumerate(tokens)
        if token.token_type is not TokenType.COLON_EQ
        and (at == 0 or tokens[at - 1].token_type is not TokenType.COLON_EQ)
    ]


def _branching(tokens: Sequence[Any]) -> list[Any]:
    """The DELETE WHERE behind a MERGE's update is a branch of its own."""
    found: list[Any] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if word_of(token) == "DELETE" and after is not None and word_of(after) == "WHERE":
            end = next((n for n in range(at, len(tokens)) if word_of(tokens[n]) == "WHEN"), len(tokens))
            lead = [_like(token, *word) for word in BRANCH]
            return [*found, *lead, *tokens[at + 2 : end], *[_like(token, *word) for word in DELETES], *tokens[end:]]
        found.append(token)
    return found


BRANCH = ((TokenType.WHEN, "WHEN"), (TokenType.VAR, "MATCHED"), (TokenType.AND, "AND"), (TokenType.L_PAREN, "("))
DELETES = ((TokenType.R_PAREN, ")"), (TokenType.THEN, "THEN"), (TokenType.DELETE, "DELETE"))


CHANGES = frozenset(("INSERT", "UPDATE", "DELETE", "MERGE", "WITH"))
BEHIND = frozenset(("WHERE", "FROM", "VALUES", "SELECT", "EXEC", "EXECUTE", "DEFAULT", "OPTION", "OUTPUT", "WITH"))


def _without_output(tokens: Sequence[Any]) -> tuple[list[Any], list[list[Any]]]:
    """A T-SQL change without its OUTPUTs, and these as statements of their own."""
    kept: list[Any] = []
    outputs: list[list[Any]] = []
    at = depth = 0
    while at < len(tokens):
        depth += _opens(tokens[at])
        if depth or word_of(tokens[at]) != "OUTPUT":
            kept.append(tokens[at])
            at += 1
            continue
        end = _top(tokens, at + 1, BEHIND)
        into = _top(tokens[:end], at + 1, {"INTO"})
        # OUTPUT inserted.x INTO log (y) is INSERT INTO log (y) SELECT inserted.x.
        given = [_like(tokens[at], TokenType.SELECT, "SELECT"), *tokens[at + 1 : into]]
        outputs.append(
            [_like(tokens[at], TokenType.INSERT, "INSERT"), *tokens[into:end], *given] if into < end else given
        )
        at = end
    return kept, outputs


def _opens(token: Any) -> int:
    return int(token.token_type is TokenType.L_PAREN) - int(token.token_type is TokenType.R_PAREN)


def _top(tokens: Sequence[Any], start: int, words: Collection[str]) -> int:
    """Where one of the words stands outside of parentheses; the end if none does."""
    depth = 0
    for at in range(start, len(tokens)):
        depth += _opens(tokens[at])
        if depth == 0 and word_of(tokens[at]) in words:
            return at
    return len(tokens)


def _give_back(change: Any, output: Any) -> None:
    """Let a change have its OUTPUT; of two the one that goes into a table counts."""
    given, into = (output.expression, output.this) if isinstance(output, exp.Insert) else (output, None)
    if into is not None or change.args.get("returning") is None:
        change.set("returning", exp.Returning(expressions=given.expressions, into=into))


def _like(token: Any, kind: Any, text: str) -> Token:
    """A word in the place of another."""
    return Token(kind, text, line=token.line, col=token.col, start=token.start, end=token.end)


def _assigned(tokens: Sequence[Any]) -> list[Any]:
    """T-SQL's a += b is a = a + b."""
    found: list[Any] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.token_type is TokenType.PLUS and after is not None and after.token_type is TokenType.EQ:
            name = _name_before(found)
            found += [after, *name, token]
        elif not (token.token_type is TokenType.EQ and at and tokens[at - 1].token_type is TokenType.PLUS):
            found.append(token)
    return found


def _name_before(tokens: Sequence[Any]) -> list[Any]:
    start = len(tokens)
    while start > 1 and tokens[start - 2].token_type is TokenType.DOT:
        start -= 2
    return list(tokens[start - 1 :])
