"""A script -> its statements: cut on the words of SQL, so that a bad statement costs itself and every place is kept.

A semicolon ends a statement; so does GO on a line of its own and, in T-SQL, the first word of the next. Words that
only hold a program together (BEGIN, IF c THEN, LOOP, END) are taken off: what they hold is read statement by
statement, and that a test stands before it is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.complaints import unclosed
from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.pieces import ScriptPiece, word_of

BODIES = frozenset((TokenType.RAW_STRING, TokenType.HEREDOC_STRING))
STARTS_WORDS = """
    SELECT INSERT UPDATE DELETE MERGE WITH CREATE DROP TRUNCATE ALTER SET DECLARE EXEC EXECUTE USE COPY CALL PRINT
    RETURN THROW RAISE RAISERROR REPLACE UPSERT GRANT IF WHILE BEGIN END
"""
STARTS = frozenset(STARTS_WORDS.split())
PROGRAMS = frozenset(("PROCEDURE", "PROC", "FUNCTION", "TRIGGER", "PACKAGE"))
TESTS = frozenset(("IF", "ELSEIF", "ELSIF", "ELIF", "WHILE", "FOR", "WHEN", "UNTIL", "FOREACH"))
OPENINGS = frozenset(("BEGIN", "LOOP", "REPEAT", "ELSE", "EXCEPTION", "TRY", "CATCH", "ATOMIC", "THEN", "DO", "END"))
CLOSINGS = frozenset(("IF", "LOOP", "WHILE", "REPEAT", "FOR", "TRY", "CATCH", "CASE"))
PLAIN_WORDS = """
    RETURN EXIT LEAVE CONTINUE ITERATE BREAK RAISE THROW RAISERROR PRINT OPEN CLOSE FETCH GOTO PERFORM EXEC
    EXECUTE CALL NULL DEALLOCATE SIGNAL RESIGNAL ASSERT WAITFOR
"""
PLAIN = frozenset(PLAIN_WORDS.split())
MARKS = frozenset(("/", "//", "$", "$$", ";;"))
TRANSACTIONS = frozenset(("TRANSACTION", "TRAN", "WORK", "DISTRIBUTED"))


def split(text: str, flavour: Flavour, offset: int = 0) -> Iterator[ScriptPiece]:
    """The statements of a text, in order."""
    try:
        tokens = flavour.parser.tokenize(text)
    except TokenError:
        yield from _roughly(text, flavour, offset)
        return
    for chunk in _chunks(tokens, text, flavour):
        yield from _taken_apart(ScriptPiece(tuple(chunk), text, offset), flavour)


CALLED = re.compile(r"(?i)(?:CALL|EXEC(?:UTE)?|PERFORM)\b\s*(?:@\w+\s*=\s*)?(?P<name>(?!IMMEDIATE\b)[\w#$.\[\]\"`]+)?")


def called(piece: ScriptPiece) -> str:
    """What to say of a statement that calls a program, or runs a text; "" of any other."""
    first, last = piece.span
    found = CALLED.match(piece.text[first - piece.offset : last - piece.offset])
    if found is None:
        return ""
    name = found["name"]
    return f"a call of which the body is not known: {name}" if name else "a text that is run, and that is not known"


def _chunks(tokens: Sequence[Any], text: str, flavour: Flavour) -> Iterator[list[Any]]:
    """The words of each statement."""
    tsql = flavour.parser.__class__.__name__ in ("TSQL", "Fabric")
    start = 0
    for at, token in enumerate(tokens):
        if token.token_type is TokenType.SEMICOLON or (token.text in ALONE and _alone(tokens, at, text)):
            if at > start:
                yield from _lines(tokens[start:at]) if tsql else [list(tokens[start:at])]
            start = at + 1
    if start < len(tokens):
        yield from _lines(tokens[start:]) if tsql else [list(tokens[start:])]


def _lines(tokens: Sequence[Any]) -> Iterator[list[Any]]:
    """T-SQL's statements need no semicolon between them."""
    chunk: list[Any] = []
    state = _Unfinished()
    for at, token in enumerate(tokens):
        if chunk and state.ended_by(token, chunk, tokens[at + 1] if at + 1 < len(tokens) else None):
            yield chunk
            chunk, state = [], _Unfinished()
        chunk.append(token)
        state.met(token)
    yield chunk


ALONE = frozenset(("GO", "go", "Go", "/"))


def _alone(tokens: Sequence[Any], at: int, text: str) -> bool:
    """Whether GO or / stands on a line of its own, and what follows are words."""
    token = tokens[at]
    # GO behind a semicolon is a command to sqlglot, with all up to the next semicolon as one text (see `_said`).
    begins = at == 0 or tokens[at - 1].token_type in (TokenType.SEMICOLON, TokenType.BEGIN)
    if begins and token.token_type is TokenType.COMMAND:
        return False
    start, end = text.rfind("\n", 0, token.start) + 1, text.find("\n", token.end)
    return text[start : end if end >= 0 else len(text)].strip().upper() in ("GO", "/")


class _Unfinished:
    """What of a T-SQL statement was met: whether the next line may begin another."""

    def __init__(self) -> None:
        self.depth = self.cases = 0
        self.words: list[str] = []

    def met(self, token: Any) -> None:
        """One more word."""
        if token.token_type is TokenType.L_PAREN:
            self.depth += 1
        elif token.token_type is TokenType.R_PAREN:
            self.depth -= 1
        word = word_of(token)
        self.cases += (word == "CASE") - (word == "END" and self.cases > 0)
        if self.depth == 0 and word in STARTS | {"ALL", "UNION", "EXCEPT", "INTERSECT"}:
            self.words.append(word)

    def ended_by(self, token: Any, chunk: Sequence[Any], after: Any) -> bool:
        """Whether a word begins the next statement."""
        word, last = word_of(token), word_of(chunk[-1])
        if (
            self.depth
            or self.cases
            or word not in STARTS
            or (token.line == chunk[-1].line and word not in ("BEGIN", "END"))
        ):
            return False
        if last in (
            "THEN",
            "ON",
            "AS",
            "UNION",
            "ALL",
            "EXCEPT",
            "INTERSECT",
            "FOR",
            "OR",
            "AND",
            "NOT",
            "ELSE",
            "BEGIN",
            "OF",
        ):
            return False
        if word == "SET":
            return not ({"UPDATE", "MERGE"} & set(self.words)) or "SET" in self.words
        if word == "WITH":
            return after is not None and after.token_type is not TokenType.L_PAREN and "CREATE" not in self.words
        if word == "SELECT":
            return "SELECT" in self.words or not self.words or self.words[0] in ("SET", "DECLARE", "USE", "IF", "PRINT")
        if word in ("INSERT", "UPDATE", "DELETE", "MERGE") and self.words[:1] == ["WITH"]:
            return "SELECT" in self.words[1:] or len(self.words) > 1
        return True


# -- programs ----------------------------------------------------------------------------------------------------------


def _taken_apart(piece: ScriptPiece, flavour: Flavour) -> Iterator[ScriptPiece]:
    """The statements that words of control hold."""
    tokens = list(piece.tokens)
    while tokens:
        word = word_of(tokens[0])
        if word == "GO" and len(tokens) == 1:
            return
        if len(tokens) == 2 and tokens[1].token_type is TokenType.STRING:
            inner = _said(tokens, piece)
            if inner is not None:
                yield from split(inner.text, flavour, inner.offset)
                return
        if tokens[0].text in MARKS or word == "DELIMITER":
            # MySQL's clients are told by what statements end; it stands before and behind programs.
            tokens = _behind_marks(tokens)
            continue
        if word == "CREATE" and _queries(tokens):
            yield replace(piece, tokens=tuple(tokens))
            return
        if (word == "CREATE" and _program(tokens)) or word in PROGRAMS:
            yield replace(piece, tokens=tuple(tokens), control="create program")
            yield from _body(tokens, piece, flavour)
            return
        if word in ("DECLARE", "DO") and _text_body(tokens) is None and (word == "DECLARE" or len(tokens) > 1):
            if word == "DO":
                tokens = tokens[1:]
                continue
            yield replace(piece, tokens=tuple(tokens), control="declare")
            return
        if word in ("DO", "EXECUTE") and _text_body(tokens) is not None:
            yield from _body(tokens, piece, flavour)
            return
        if word in PLAIN or (len(tokens) > 1 and tokens[1].text == ":=" and word not in STARTS):
            yield replace(piece, tokens=tuple(tokens), control=word.lower() if word in PLAIN else "set")
            return
        if word in TESTS:
            held = _held(tokens)
            yield replace(piece, tokens=tuple(tokens[:held] or tokens), control=word.lower())
            yield from _looped(tokens[:held], piece)
            tokens = tokens[held:]
            continue
        if word in OPENINGS and word != "REPLACE":
            rest = _opened(tokens)
            if rest is None:
                yield replace(piece, tokens=tuple(tokens), control="transaction")
                return
            tokens = rest
            continue
        yield replace(piece, tokens=tuple(tokens))
        return


DOLLARS = re.compile(r"\$\w*\$")


def _said(tokens: Sequence[Any], piece: ScriptPiece) -> ScriptPiece | None:
    """The statement that a word begins which some dialects take for a command, with all that follows as one text."""
    word, start = word_of(tokens[0]), tokens[0].end + 1
    text = piece.text[start : tokens[1].end + 1]
    mark = DOLLARS.search(text) if word in ("EXECUTE", "DO") else None
    if mark is not None:
        lead = mark.end()
        return replace(piece, text=text[lead:].partition(mark.group())[0], offset=piece.offset + start + lead)
    first = text.split(maxsplit=1)[0].upper() if text.strip() else ""
    if word == "GO":
        count = len(text) - len(text.lstrip())
        count += len(first) if first.isdigit() else 0
        return replace(piece, text=text[count:], offset=piece.offset + start + count)
    if word == "BEGIN" and first not in TRANSACTIONS:
        return replace(piece, text=text, offset=piece.offset + start)
    if word == "REPLACE" and first == "INTO":
        # REPLACE INTO inserts, whatever it takes away before.
        return replace(piece, text=f"INSERT {text}", offset=piece.offset + tokens[0].start)
    return None


def _behind_marks(tokens: list[Any]) -> list[Any]:
    """What stands behind the marks that end statements."""
    at = 1
    while at < len(tokens) and word_of(tokens[at]) not in STARTS:
        at += 1
    return tokens[at:]


def _program(tokens: Sequence[Any]) -> bool:
    words = [word_of(token) for token in tokens[:6]]
    return any(word in PROGRAMS for word in words) and "TABLE" not in words and "VIEW" not in words


def declared(piece: ScriptPiece) -> Iterator[str]:
    """The names of DECLARE a, b INT64."""
    words = piece.tokens[1:] if piece.control == "declare" and word_of(piece.tokens[0]) == "DECLARE" else ()
    for before, token, after in zip(piece.tokens, words, words[1:], strict=False):
        if token.token_type is TokenType.COMMA:
            continue
        # Behind the last name stands its type; T-SQL's names begin with a mark and need nothing here.
        if not token.text.isidentifier() or (
            before is not piece.tokens[0] and before.token_type is not TokenType.COMMA
        ):
            return
        if word_of(after) != "CURSOR":
            yield token.text


def _queries(tokens: Sequence[Any]) -> bool:
    """Whether a statement makes a function that is one query: ... AS TABLE SELECT, ... AS RETURN (SELECT."""
    if not {"FUNCTION", "MACRO"} & {word_of(token) for token in tokens[:6]}:
        return False
    words = [word_of(token) for token in tokens]
    at = next((n for n, word in enumerate(words) if word in ("SELECT", "WITH")), 0)
    lead = [word for word in words[:at] if word != "("]
    return lead[-1:] == ["RETURN"] or lead[-2:] == ["AS", "TABLE"] or (lead[-1:] == ["AS"] and "TABLE" in lead)


def _opened(tokens: list[Any]) -> list[Any] | None:
    """What stands behind BEGIN, ELSE or END; None where BEGIN begins a transaction."""
    word, rest = word_of(tokens[0]), tokens[1:]
    if word == "BEGIN" and rest and word_of(rest[0]) in TRANSACTIONS:
        return None
    if word == "END":
        if rest and word_of(rest[0]) in CLOSINGS:
            rest = rest[1:]
        # END may be followed by the name of what it ends.
        if rest and word_of(rest[0]) not in STARTS | OPENINGS | TESTS:
            rest = rest[1:]
    return rest


def _held(tokens: Sequence[Any]) -> int:
    """How many words a test takes: up to THEN, LOOP or DO, or to the statement it stands before."""
    depth = 0
    for at, token in enumerate(tokens[1:], start=1):
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        if depth:
            continue
        word = word_of(token)
        if word in ("THEN", "LOOP", "DO"):
            return at + 1
        if (
            word in ("BEGIN", *STARTS)
            and word not in ("IF", "END", "WITH")
            and word_of(tokens[0]) not in ("FOR", "FOREACH")
        ):
            return at
    return len(tokens)


def _looped(tokens: Sequence[Any], piece: ScriptPiece) -> Iterator[ScriptPiece]:
    """The query of FOR r IN (SELECT ...) LOOP."""
    words = [word_of(token) for token in tokens]
    if words[:1] == ["FOR"] and "SELECT" in words:
        first = words.index("SELECT")
        last = len(tokens) - 1 if words[-1] in ("LOOP", "DO") else len(tokens)
        inner = list(tokens[first:last])
        depth = 0
        for at, token in enumerate(inner):
            depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
            if depth < 0:
                inner = inner[:at]
                break
        yield replace(piece, tokens=tuple(inner))


def _text_body(tokens: Sequence[Any]) -> Any:
    return next((token for token in tokens if token.token_type in BODIES), None)


def _body(tokens: Sequence[Any], piece: ScriptPiece, flavour: Flavour) -> Iterator[ScriptPiece]:
    """The statements of a program that stand in the same text, or in a string of it."""
    body = _text_body(tokens)
    if body is not None:
        first = body.text.split(maxsplit=1)[:1]
        if not first or first[0].strip("(;").upper() not in STARTS:
            # The formula of a function, or another language.
            return
        whole = piece.text[body.start : body.end + 1]
        lead = whole.find(body.text) if body.text else 0
        yield from split(body.text, flavour, piece.offset + body.start + max(lead, 0))
        return
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        word = word_of(token)
        held = word == "BEGIN" or (
            word == "AS" and at + 1 < len(tokens) and word_of(tokens[at + 1]) in STARTS - {"END"}
        )
        if not depth and held:
            yield from _taken_apart(replace(piece, tokens=tuple(tokens[at if word == "BEGIN" else at + 1 :])), flavour)
            return


# -- text that is none -------------------------------------------------------------------------------------------------

ROUGH = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|;|[^;'\"/-]+|.", re.DOTALL)


def _roughly(text: str, flavour: Flavour, offset: int) -> Iterator[ScriptPiece]:
    """Statements of a text that has no words as a whole, as with a quote that is not closed."""
    start = 0
    cuts = [found.end() for found in ROUGH.finditer(text) if found.group() == ";"]
    if not cuts or cuts == [len(text)]:
        yield _wordless(text, offset)
        return
    for end in [*cuts, len(text)]:
        part = text[start:end]
        if part.strip(" \t\r\n;"):
            try:
                tokens = flavour.parser.tokenize(part)
            except TokenError:
                yield _wordless(part, offset + start)
            else:
                for chunk in _chunks(tokens, part, flavour):
                    yield from _taken_apart(ScriptPiece(tuple(chunk), part, offset + start), flavour)
        start = end


def _wordless(text: str, offset: int) -> ScriptPiece:
    """A text without words, placed where it goes wrong."""
    at, message = unclosed(text)
    return ScriptPiece((), text, offset, message=message, start=at or len(text) - len(text.lstrip()))
