"""Statements of which ClickHouse and BigQuery write several as one, made apart before they are read.

INSERT INTO a SELECT x FROM s PARALLEL WITH INSERT INTO b ...     two statements, of which none waits for the other
FROM s |> WHERE x |> FORK (|> INSERT INTO a), (|> INSERT INTO b)  FROM s |> WHERE x |> INSERT INTO a; FROM s |> ...
FROM s |> TEE (|> INSERT INTO a) |> SELECT y                      FROM s |> INSERT INTO a; FROM s |> SELECT y
"""

from __future__ import annotations

from typing import Any

from mdw.readers.sql.phrases.words import closed, word_in_place
from mdw.readers.sql.pieces import TokenType

FORKS = frozenset(("FORK", "TEE"))


def apart(text: str, tokens: list[Any], dialect: str) -> list[Any]:
    """The words of a text in which each statement stands for itself."""
    if dialect == "clickhouse" and "PARALLEL" in (capitals := text.upper()) and "WITH" in capitals:
        return _in_parallel(tokens)
    if dialect == "bigquery" and "|>" in text and any(word in text.upper() for word in FORKS):
        return _forked(tokens)
    return tokens


def _in_parallel(tokens: list[Any]) -> list[Any]:
    found: list[Any] = []
    for token in tokens:
        if token.token_type is TokenType.WITH and found and found[-1].text.upper() == "PARALLEL":
            found[-1] = _semicolon(token)
        else:
            found.append(token)
    return found


def _forked(tokens: list[Any]) -> list[Any]:
    found: list[Any] = []
    begins = 0
    for at, token in enumerate([*tokens, None]):
        if token is None or token.token_type is TokenType.SEMICOLON:
            found += [*_statement(tokens[begins:at]), *([token] if token is not None else [])]
            begins = at + 1
    return found


def _statement(tokens: list[Any]) -> list[Any]:
    at = next((at for at in range(1, len(tokens)) if _forks(tokens, at)), 0)
    if not at:
        return tokens
    lead, found, end = tokens[: at - 1], [], at + 1
    while end < len(tokens) and tokens[end].token_type is TokenType.L_PAREN:
        begins, end = end + 1, closed(tokens, end)
        found += [*_statement([*lead, *tokens[begins : end - 1]]), _semicolon(tokens[end - 1])]
        end += end < len(tokens) and tokens[end].token_type is TokenType.COMMA
    rest = _statement([*lead, *tokens[end:]]) if end < len(tokens) or tokens[at].text.upper() == "TEE" else []
    return [*found, *rest] if rest else found[:-1]


def _forks(tokens: list[Any], at: int) -> bool:
    return tokens[at].text.upper() in FORKS and tokens[at - 1].token_type is TokenType.PIPE_GT


def _semicolon(token: Any) -> Any:
    return word_in_place(token, TokenType.SEMICOLON, ";")
