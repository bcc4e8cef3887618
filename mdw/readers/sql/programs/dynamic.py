"""Texts that are run: each text that one may be is followed, with what is bound to it (rule Q31).

    EXECUTE 'INSERT INTO t SELECT x FROM ' || tab || ' WHERE k > $1' USING last      for each ``tab`` that is known

A text with a part that nobody knows is not followed. All that it names in full is a source or a target of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot.errors import TokenError

from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.binding import bound_later
from mdw.readers.sql.programs.grammar import QUERIES, words
from mdw.readers.sql.programs.mentioned import UNKNOWN, UNNAMED, mentioned, moves_nothing, told_apart, with_values
from mdw.readers.sql.programs.program import Argument, Dynamic, Open, Run, Steps
from mdw.readers.sql.programs.reading import program_of
from mdw.readers.sql.programs.spelling import HOLE
from mdw.readers.sql.programs.states import DEEPEST, CursorQuery, ProgramFrame, ProgramState, plain
from mdw.readers.sql.programs.values import open_cursor, row_names, value_of
from mdw.readers.sql.templates import without_templates
from mdw.readers.sql.variables import Held, one_of_many

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following

UNKNOWN_TEXT = "a text that is run, and that is not known"
PARTLY = "a text that is run, and of which a part is not known: all of what it reads may be in what it fills"
VALUES = "a text that is run, and of which values are not known"
BINDING = "USING_"
ROWS = "ROWS"
NUMBERS = frozenset((TokenType.NUMBER, TokenType.VAR))
BLOCKS = words("BEGIN DECLARE CALL")
DECLARED = re.compile(r"@\w+")


def dynamic(this: Following, step: Dynamic, state: ProgramState) -> None:
    """A text is run: each that it may be, or what is known of it."""
    # A text may run itself again: beyond some depth it is as one that nobody knows.
    texts = this.holding.texts(step.text, state) if len(this.frames) <= DEEPEST else []
    if not texts:
        this.holding.note(step.piece, "execute", "opaque", UNKNOWN_TEXT)
        this.unknown(step.into, state, step.piece)
        return
    texts = list(told_apart(texts, this.holding.reading.flavour)) if len(texts) > 1 else texts
    if step.into and this.holding.reading.flavour.name == "snowflake":
        # A RESULTSET has the rows of the text, for cursors.
        rows = rows_of(this, step.text, step.using, state, step.piece)
        state.cursors |= {this.key(name): (CursorQuery(None, rows),) for name in step.into if rows}
    # Which of several texts runs nobody knows: each is possible, and none replaces what another leaves (rule Q31).
    tests = state.tests
    ends = [state] if len(texts) == 1 else [state.copy() for _ in texts]
    for text, end in zip(texts, ends, strict=True):
        if len(texts) > 1:
            end.this_way(step.piece)
        _run(this, step, text, end)
        end.tests = tests
    if len(texts) > 1:
        this.meet(state, ends, step.piece)


def _run(this: Following, step: Dynamic, text: str, state: ProgramState) -> None:
    """A text, or what is known of one: what it is put together from decides."""
    # What a template stands for in a text it stands for outside as well.
    text, left = without_templates(text, asked=this.holding.reading.flavour.name)
    if HOLE not in text:
        words = ", ".join(dict.fromkeys(one.words for one in left))
        this.holding.note(
            step.piece, "execute", "partial" if left else "whole", f"not resolved: {words}" if left else ""
        )
        _whole(this, step, text, state)
        return
    # (text) IS NOT NULL is a test of all that the text is put together from: so these only decide.
    lead = step.text.tokens[0]
    asked = (*made_words(lead, "("), *step.text.tokens, *made_words(lead, ") IS NOT NULL"))
    state.under(replace(step.text, tokens=asked), holds=True)
    # Where all that is unknown are values the statement is known; else only the tables are that it names in full.
    flavour = this.holding.reading.flavour
    filled = with_values(text, flavour, this.holding.unknown_parts)
    if filled and _readable(filled, flavour):
        this.holding.note(step.piece, "execute", "partial", VALUES)
        _whole(this, step, filled, state)
        return
    harmless = moves_nothing(text, flavour)
    if harmless is not None:
        this.holding.note(step.piece, "execute", "partial" if harmless else "whole", harmless)
        this.unknown(step.into, state, step.piece)
        return
    found = [one for one in mentioned(text, flavour) if one.sources or one.targets]
    moving = any(one.sources not in ([], [UNNAMED]) and (one.targets or step.into or step.insert) for one in found)
    this.holding.note(step.piece, "execute", "opaque", PARTLY if moving else UNKNOWN_TEXT, run=text)
    this.unknown(step.into, state, step.piece)
    for one in found:
        rows = this.rows.named(one.sources, one.targets, state, step.piece)
        if rows and not one.targets:
            _rows(this, step, rows, state)


def _readable(text: str, flavour: Flavour) -> bool:
    """Whether the statements of a text are read with values in the place of what is not known."""
    runs = [step for step in program_of(text, flavour) if isinstance(step, Run)]
    try:
        return all(parsed(one.piece, flavour) for one in runs)
    except UnparsedError:
        return False


def _rows(this: Following, step: Dynamic, rows: str, state: ProgramState) -> None:
    """Rows that a text gives, of which nobody knows the columns."""
    if step.insert is not None:
        this.rows.inserted(step.insert, [rows], state, step.piece)
    elif step.into and this.holding.reading.flavour.name not in TRANSACT:
        for name in step.into:
            held = Held(rows, this.holding.column(key := this.key(name)))
            this.given(key, held, state, step.piece, one=one_of_many(name))
    elif len(this.frames) > 1:
        this.frames[-1].rows.append(rows)


def _whole(this: Following, step: Dynamic, text: str, state: ProgramState) -> None:
    flavour = this.holding.reading.flavour
    own, keys, text = _bound(this, step, text, state)
    # Where the text stands as it is, places within it are those of the file.
    tokens = step.text.tokens
    alone = len(tokens) == 1 and tokens[0].end - tokens[0].start - 1 == len(text)
    names = row_names(this, [this.key(name) for name in step.into])
    asks, frame = this.frames[-1].asks, ProgramFrame(this.frames[-1].name)
    this.frames.append(frame)
    with this.holding.standing(None if alone else step.piece):
        offset = step.text.offset + tokens[0].start + 1 if alone else step.piece.place
        # The text may make routines, too.
        program = frame.steps = program_of(text, flavour, offset)
        this.routines.learn(program)
        reading = this.holding.reading
        before = reading.schemas, reading.moved
        if flavour.name in TRANSACT:
            # Names in it are the caller's (rule Q34); USE holds up to the end of the text it stands in.
            reading.schemas, reading.moved = reading.callers(step.piece), True
        into = () if flavour.name in TRANSACT else step.into
        if asks and (_is_query(program) or _gives_back(program)):
            (held,) = this.holding.query(program[0].piece, [ROWS], own, step.piece, record=True)
            frame.rows += [held.entity] if held is not None else []
        elif not (into and _given(this, program, into, own, state, step, names)):
            this.steps(program, own)
        if flavour.name in TRANSACT:
            reading.schemas, reading.moved = before
    this.frames.pop()
    _left(this, step, keys, frame, own, state)


def _given(
    this: Following,
    program: Steps,
    into: Sequence[str],
    own: ProgramState,
    state: ProgramState,
    step: Dynamic,
    names: Sequence[str],
) -> bool:
    """The row of a query, or what the RETURNING of a change gives, goes into variables."""
    only = program[0] if len(program) == 1 else None
    if not isinstance(only, Run):
        return False
    keys = [this.key(name) for name in into]
    if _is_query(program):
        found = this.holding.query(only.piece, keys, own, step.piece, names=names)
    elif _gives_back(program):
        found = this.holding.statement(only.piece, own, keys, names)[1]
    else:
        return False
    own.variables |= dict(zip(keys, found, strict=True))
    state.variables |= {key: None for key in keys if key not in own.variables}
    return True


def _is_query(program: Steps) -> bool:
    only = program[0] if len(program) == 1 else None
    return isinstance(only, Run) and bool(only.piece.tokens) and word_of(only.piece.tokens[0]) in QUERIES


def _gives_back(program: Steps) -> bool:
    """Whether a text is one change that gives rows: INSERT ... RETURNING, not into variables of its own."""
    only = program[0] if len(program) == 1 else None
    return isinstance(only, Run) and not only.into and any(word_of(token) == "RETURNING" for token in only.piece.tokens)


def _left(
    this: Following, step: Dynamic, keys: Sequence[str], frame: ProgramFrame, own: ProgramState, state: ProgramState
) -> None:
    """What a text leaves behind: tables, rows that it gives, and variables that it was told to set."""
    transact = this.holding.reading.flavour.name in TRANSACT
    # T-SQL's #t ends with the text that makes it: one of the same name that was there before is seen again.
    if not transact:
        state.tables = own.tables
    if step.insert is not None:
        this.rows.inserted(step.insert, frame.rows, state, step.piece)
    elif len(this.frames) > 1:
        this.frames[-1].rows += frame.rows
    for key, given in zip(keys, step.using, strict=False):
        written = this.key(plain(given.value))
        if given.out and state.has(written):
            this.given(written, own.variables.get(key), state, step.piece, one=one_of_many(plain(given.value)))
    if transact:
        # What EXEC gives a variable is a number that says how it went.
        this.unknown(step.into, state, step.piece)
        return
    returned = keys[len(step.using) :]
    names = row_names(this, [this.key(name) for name in step.into])
    if names and len(names) == len(returned) > 1:
        # RETURNING a, b INTO :x, :y of a text, and RETURNING INTO r: the fields of a row.
        for name, place in zip(names, returned, strict=True):
            this.given(f"{this.key(step.into[0])}.{name}", own.variables.get(place), state, step.piece)
        return
    for at, name in enumerate(step.into):
        key = this.key(name)
        found = own.variables.get(returned[at] if at < len(returned) else key) or own.variables.get(key)
        this.given(key, found, state, step.piece, one=one_of_many(name))


# -- what is bound -----------------------------------------------------------------------------------------------------


def _bound(this: Following, step: Dynamic, text: str, state: ProgramState) -> tuple[ProgramState, list[str], str]:
    """The state in which a text begins, the names of what is bound to it, in order, and the text with these names.

    Of the variables around it, it sees none but those of packages and, in MySQL, of the session.
    """
    flavour, naming = this.holding.reading.flavour, this.naming
    session = flavour.name not in TRANSACT
    seen = {key: held for key, held in state.variables.items() if "." in key or (session and key[:1] == "@")}
    own = ProgramState(seen, dict(state.tables), {}, state.tests)
    keys: list[str] = []
    if step.declared is not None:
        keys = [this.key(name) for one in this.holding.texts(step.declared, state) for name in DECLARED.findall(one)]
    elif not any(one.name for one in step.using):
        text, keys = named_places(text, flavour)
    names: list[str] = []
    for at, given in enumerate(step.using):
        if given.name:
            key = this.key(given.name if given.name[:1] == "@" else f"@{given.name}")
        else:
            # PostgreSQL's $1 has its name already.
            key = keys[at] if at < len(keys) else naming.known(str(at + 1), quoted=False)
        names.append(key)
        with this.holding.standing(step.piece):
            own.variables[key] = value_of(this, given.value, key, state)
        if given.name and flavour.name not in (*TRANSACT, "oracle"):
            # T-SQL's @z and Oracle's :z are not the column z.
            own.variables[key.lstrip("@")] = own.variables[key]
    # Places behind those that USING fills are for what the text gives back: RETURNING b INTO :x.
    more = keys[len(names) :]
    own.variables |= dict.fromkeys(more)
    return own, [*names, *more], text


def named_places(text: str, flavour: Flavour) -> tuple[str, list[str]]:
    """A text whose places for values have names, and these in order.

    >>> from mdw.readers.sql.dialects import flavour_of
    >>> named_places("INSERT INTO t VALUES (?, ?)", flavour_of("mysql"))
    ('INSERT INTO t VALUES (:USING_1, :USING_2)', ['USING_1', 'USING_2'])
    >>> named_places("BEGIN p(:a, :b, :a); END;", flavour_of("oracle"))
    ('BEGIN p(:USING_1, :USING_2, :USING_1); END;', ['USING_1', 'USING_2'])
    """
    try:
        tokens = flavour.parser.tokenize(text)
    except TokenError:
        return text, []
    block = bool(tokens) and word_of(tokens[0]) in BLOCKS
    found: list[tuple[int, int, str]] = []
    names: dict[str, str] = {}
    for at, token in enumerate(tokens):
        written = _place(tokens, at)
        if written:
            # In a block a name stands for one value wherever it is; in a statement each place is one of its own.
            one = written.upper() if block and written != "?" else str(at)
            name = names.setdefault(one, f"{BINDING}{len(names) + 1}")
            found.append((token.start, token.start + len(written) + (written != "?"), name))
    for start, end, name in reversed(found):
        text = f"{text[:start]}:{name}{text[end:]}"
    return text, list(names.values())


def _place(tokens: Sequence[Any], at: int) -> str:
    """The name of a place for a value, "?" where it has none; "" if here is no such place."""
    token, behind = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
    if token.token_type is TokenType.PLACEHOLDER:
        return "?" if token.text == "?" else ""
    if token.token_type is not TokenType.COLON or behind is None or behind.start != token.end + 1:
        return ""
    # In doc:path and in the trigger's :new.x a colon is something else.
    before = tokens[at - 1] if at else None
    path = before is not None and before.end + 1 == token.start and before.text not in OPENING
    plain_name = behind.token_type in NUMBERS and not behind.text.upper().startswith(("NEW", "OLD", UNKNOWN))
    return str(behind.text) if plain_name and not path else ""


OPENING = ("(", ",", "=", "<", ">", "<=", ">=", "<>", "+", "-", "*", "/", "||")


# -- rows of texts -----------------------------------------------------------------------------------------------------


def rows_of(
    this: Following, text: ScriptPiece, using: tuple[Argument, ...], state: ProgramState, place: ScriptPiece
) -> dict[str, Held | None]:
    """The rows of the queries that a text may be, each by a number."""
    frame = ProgramFrame(this.frames[-1].name, asks=True)
    this.frames.append(frame)
    dynamic(this, Dynamic(text, place, using), state.copy())
    this.frames.pop()
    return {str(number): Held(entity, there=True) for number, entity in enumerate(frame.rows)}


def opened(this: Following, step: Open, state: ProgramState) -> None:
    """OPEN c FOR text USING x."""
    if step.dynamic and step.query is not None:
        more, own = bound_later(this, step, state)
        rows = rows_of(this, step.query, (*step.arguments, *more), own, step.piece)
        state.cursors[this.key(step.cursor)] = (CursorQuery(None, rows),)
    elif step.query is None and (text := this.frames[-1].prepared.get(this.key(step.cursor))) is not None:
        this.holding.note(step.piece, "open")
        rows = rows_of(this, text, step.arguments, state, step.piece)
        state.cursors[this.key(step.cursor)] = (CursorQuery(None, rows),)
    else:
        open_cursor(this, step, state)


STEPS: dict[type, Callable[[Following, Any, ProgramState], None]] = {Dynamic: dynamic, Open: opened}
