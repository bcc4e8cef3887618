"""Files that Teradata's clients read rows from, and write rows to: words of a statement -> words that name the file.

    .EXPORT DATA FILE = out.txt                   SEL a FROM t             INSERT INTO "out.txt" SEL a FROM t
    .IMPORT VARTEXT FILE = in.txt                 USING (x INT) INSERT INTO t (a) VALUES (:x)
                                                  INSERT INTO t (a) SELECT x FROM "in.txt"

MultiLoad tells the file behind the statements (.IMPORT INFILE in.txt LAYOUT l APPLY ins), FastLoad before them
(see `fastload`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from mdw.readers.sql.phrases.words import identifier, made_words, separated, spoken, top
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.lines import ClientLine

FILE = re.compile(r"(?is)\.(?:IMPORT|EXPORT)\b.*?\b(?:INFILE\s+|(?:FILE|OUTFILE)\s*=?\s*)'?([^\s;,']+)")
INSERTING = frozenset(("INSERT", "INS"))
ASKING = frozenset(("SELECT", "SEL", "WITH", "LOCKING", "LOCK"))


def file_of(line: ClientLine) -> str:
    """The file that a line says rows come from, or go to; "" where it says that none does any more."""
    found = FILE.match(line.text)
    return found.group(1) if found is not None else ""


def told_later(lines: Iterable[ClientLine]) -> str:
    """The only file that a script of MultiLoad reads, wherever it says so."""
    files = {file_of(line) for line in lines if line.word == ".IMPORT"}
    return next(iter(files)) if len(files) == 1 else ""


def exchanged(piece: ScriptPiece, source: str, target: str, fields: Sequence[str] = ()) -> ScriptPiece:
    """A statement with the file that its rows come from, or go to; ``fields`` are those that are known of it."""
    words = piece.tokens
    if not words:
        return piece
    if target and word_of(words[0]) in ASKING:
        # Behind LOCKING ... FOR ACCESS.
        asked = words[top(words, {"SELECT", "SEL", "WITH"}) :]
        return replace(piece, tokens=(*made_words(words[0], "INSERT INTO"), identifier(words[0], target), *asked))
    if source and fields and word_of(words[0]) in INSERTING and [one.text for one in words[-2:]] == [".", "*"]:
        named = separated([[identifier(words[0], one)] for one in fields], made_words(words[0], ","))
        asked = (*made_words(words[0], "SELECT"), *named, *made_words(words[0], "FROM"), identifier(words[0], source))
        return replace(piece, tokens=(*words[:-2], *asked))
    bound = any(token.token_type is TokenType.COLON for token in words)
    return replace(piece, tokens=tuple(_taken(words, source))) if source and bound else piece


def _taken(words: Sequence[Any], source: str) -> Sequence[Any]:
    at = top(words, {"INSERT", "INS", "UPDATE", "UPD"}) if word_of(words[0]) == "USING" else 0
    kind = spoken(words[at : at + 1])
    file = [*made_words(words[0], "FROM"), identifier(words[0], source)]
    colons = {n for n, token in enumerate(words) if token.token_type is TokenType.COLON}
    plain = [token for n, token in enumerate(words) if n not in colons and n >= at]
    values, sets = top(plain, {"VALUES"}), top(plain, {"SET"})
    if kind in (["INSERT"], ["INS"]) and values + 2 < len(plain):
        return [*plain[:values], *made_words(words[0], "SELECT"), *plain[values + 2 : -1], *file]
    if kind in (["UPDATE"], ["UPD"]) and sets < len(plain) and top(plain, {"FROM", "ELSE"}) == len(plain):
        # Of the table too there may be columns called so.
        lead = made_words(words[0], "source_file.")
        rest = words[top(words, {"SET"}) :]
        marked = [one for token in rest for one in (lead if token.token_type is TokenType.COLON else [token])]
        return [*plain[:sets], *file, *made_words(words[0], "AS source_file"), *marked]
    return words
