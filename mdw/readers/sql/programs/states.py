"""What a program has at a step: what its variables hold, its own tables, and the tests that are known to hold.

IF @kind = 'a'  INSERT ...                      within the arm @kind = 'a' holds
ELSE            INSERT ...                      within this one it is known that @kind = 'a' is not TRUE (rule Q26)

A test goes with what its variables held when it was made: whatever they are given later, it is still known of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from mdw.readers.nodes import parameter
from mdw.readers.sql.phrases.words import elements, made_words
from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.known import Known, KnownTest
from mdw.readers.sql.programs.program import (
    Aside,
    Assign,
    Declare,
    Fetch,
    Jump,
    Loop,
    ProgramVariable,
    RoutineCall,
    Run,
    Steps,
)
from mdw.readers.sql.programs.program import Dynamic as DynamicText
from mdw.readers.sql.variables import THIS_WAY, Held, Variables

if TYPE_CHECKING:
    from mdw.readers.sql.programs.counting import ChangedRows
    from mdw.readers.sql.programs.knowing import KnownRoutine

DEEPEST = 20
"""Calls within calls that are followed, texts that are run among them."""
MOST_CALLS = 2_000
"""Calls of a script that are followed, each as a copy of the routine."""


@dataclass(frozen=True, slots=True)
class CursorQuery:
    """What a cursor is for, with what the variables held where it was opened, and the arguments it is opened with.

    Without a query it is for any of the rows that ``variables`` hold.
    """

    query: ScriptPiece | None
    variables: Variables
    arguments: tuple[ProgramVariable, ...] = ()


@dataclass(slots=True)
class ProgramState:
    """What there is at a step; ``over``: no way leads here. A cursor may be for any of several queries.

    ``changed`` are the rows of the statement before, where it is known which that was.
    """

    variables: dict[str, Held | None] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    cursors: dict[str, tuple[CursorQuery, ...]] = field(default_factory=dict)
    tests: Known = ()
    over: bool = False
    changed: ChangedRows | None = None

    def copy(self) -> ProgramState:
        """The same, to go another way."""
        return ProgramState(
            dict(self.variables), dict(self.tables), dict(self.cursors), self.tests, self.over, self.changed
        )

    def seeing(self, variables: Variables) -> ProgramState:
        """The same with what the variables held elsewhere."""
        found = self.copy()
        found.variables = dict(variables)
        return found

    def has(self, key: str) -> bool:
        """Whether there is such a variable, or one whose part it is."""
        return key in self.variables or key.partition(".")[0] in self.variables

    def under(self, test: ScriptPiece, *, holds: bool, given: Variables | None = None) -> None:
        """From here on a test is known to hold, or not to be TRUE; ``given`` are variables that it alone knows."""
        made = KnownTest(test, holds, {**self.variables, **(given or {})})
        # `IF @err <> 0 RETURN` behind each statement is one test, not a hundred.
        if not self.tests or not made.repeats(self.tests[-1]):
            self.tests = (*self.tests, made)

    def this_way(self, piece: ScriptPiece) -> None:
        """From here on it is one of several ways, of which nobody knows which is gone.

        The test is a word that no script has, which holds an unknown constant: TRUE is possible and not certain.
        """
        words = tuple(made_words(piece.tokens[0], THIS_WAY))
        test = KnownTest(replace(piece, tokens=words), True, {THIS_WAY.upper(): Held(value=parameter(THIS_WAY))})
        self.tests = (*self.tests, test)


@dataclass(slots=True)
class ProgramFrame:
    """A routine, or the script itself, as it runs; ``scalar``: a query that it returns is the value of its column.

    ``records`` are the variables that hold rows, with the names of their columns where these are known, and types of
    rows. ``target`` is the entity that gets the rows which a function gives,
    its columns called by ``columns``; ``cursors`` are what it returns, ``opened`` is what its cursors
    were for behind each step that changed it, ``prepared`` are those that are for what is
    prepared, with its names, and ``bound`` is what texts are told, by cursors and the names that the texts have for it.
    ``asks``: a text runs here of which only its rows are wanted; ``fires``: a trigger runs, and what it returns is the
    row that is written. ``ended`` is what was known where the routine was left, ``raised``
    where something was raised that it does not follow itself. ``nested`` are the
    routines declared in it, ``around`` is the one it is declared in itself, and ``hidden`` is what variables around it
    hold that are called as its own are. ``steps`` are all that it does, ``gotos``
    where the last GOTO of each label stands in them, ``jumped`` are the states in which GOTO leaves
    for a label, and ``heads`` is what labels find that are reached again from behind them.
    """

    name: str = ""
    place: int = -1
    scalar: bool = False
    asks: bool = False
    fires: bool = False
    records: dict[str, tuple[str, ...]] = field(default_factory=dict)
    entry: dict[str, Held] = field(default_factory=dict)
    outs: dict[str, Held] = field(default_factory=dict)
    ends: list[ProgramState] = field(default_factory=list)
    ended: list[Known] = field(default_factory=list)
    raised: list[Known] = field(default_factory=list)
    given: list[Held | None] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    target: str = ""
    columns: tuple[str, ...] = ()
    cursors: list[CursorQuery] = field(default_factory=list)
    opened: list[dict[str, tuple[CursorQuery, ...]]] = field(default_factory=list)
    prepared: dict[str, ScriptPiece] = field(default_factory=dict)
    bound: dict[tuple[str, str], Held] = field(default_factory=dict)
    loops: list[Rounds] = field(default_factory=list)
    steps: Steps = ()
    gotos: dict[str, int] | None = None
    jumped: dict[str, list[ProgramState]] = field(default_factory=dict)
    heads: dict[str, Heads] = field(default_factory=dict)
    versions: list[tuple[str, Held | None]] = field(default_factory=list)
    nested: dict[str, list[KnownRoutine]] = field(default_factory=dict)
    around: ProgramFrame | None = None
    hidden: dict[str, Held | None] = field(default_factory=dict)

    def goes_back(self, label: str, place: int) -> bool:
        """Whether a GOTO behind a place leads to a label there."""
        if self.gotos is None:
            self.gotos = {}
            for one in jumps(self.steps):
                if one.kind == "goto":
                    last = self.gotos.get(one.label.upper(), -1)
                    self.gotos[one.label.upper()] = max(last, one.piece.place)
        return self.gotos.get(label, -1) > place

    @property
    def repeats(self) -> bool:
        """Whether a step that runs now may run again."""
        return bool(self.heads) or any(one.repeats for one in self.loops)


@dataclass(slots=True)
class Heads:
    """What a place that is reached again finds: versions of variables and tables, made of what each round left.

    ``since`` is what had run when it was reached first.
    """

    variables: dict[str, Held]
    tables: dict[str, str] = field(default_factory=dict)
    since: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class Rounds:
    """A loop, or a block, as it runs: the states in which it is left, and those in which its next round begins."""

    label: str
    repeats: bool = False
    left: list[ProgramState] = field(default_factory=list)
    again: list[ProgramState] = field(default_factory=list)


def assigned(steps: Steps) -> Iterator[str]:
    """The variables that steps, or any within them, give values, as they are written."""
    for step in steps:
        if isinstance(step, (Assign, Fetch)):
            yield from step.names
        elif isinstance(step, (Run, RoutineCall, DynamicText)):
            yield from step.into
        elif isinstance(step, Declare):
            yield from (one.name for one in step.variables)
        elif isinstance(step, Loop):
            yield from step.names
        if isinstance(step, RoutineCall):
            # Whether an argument is given back says the routine, not the call.
            yield from (name for one in step.arguments if (name := plain(one.value)))
        yield from (name for inner in _within(step) for name in assigned(inner))


def runs(steps: Steps) -> Iterator[ScriptPiece]:
    """The statements of steps, and of any within them."""
    for step in steps:
        if isinstance(step, Run | Aside):
            yield step.piece
        yield from (piece for inner in _within(step) for piece in runs(inner))


def given(steps: Steps) -> Iterator[ScriptPiece]:
    """The values that steps, or any within them, give to variables."""
    for step in steps:
        if isinstance(step, Assign) and not step.query:
            yield step.value
        yield from (piece for inner in _within(step) for piece in given(inner))


def jumps(steps: Steps) -> Iterator[Jump]:
    """The jumps of steps, and of any within them."""
    for step in steps:
        if isinstance(step, Jump):
            yield step
        yield from (jump for inner in _within(step) for jump in jumps(inner))


def made_in(steps: Steps) -> set[str]:
    """Words in capitals among which are the names of all tables that steps, or any within them, make or drop.

    All words of such a statement are taken, for a name too many only makes a version that is not needed.
    """
    found: set[str] = set()
    for step in steps:
        if isinstance(step, Run) and step.piece.tokens:
            words = [token.text.upper() for token in step.piece.tokens]
            # SELECT ... INTO t makes a table, INSERT INTO t does not.
            into = any(word == "INTO" and words[at - 1] not in FILLING for at, word in enumerate(words))
            if words[0] in MAKING or into:
                # T-SQL's #t is two tokens.
                found.update(words, (f"#{word}" for word in words))
        found.update(name for inner in _within(step) for name in made_in(inner))
    return found


MAKING = frozenset(("CREATE", "DROP", "ALTER", "CACHE", "REPLACE"))
FILLING = frozenset(("INSERT", "MERGE", "COPY", "OVERWRITE", "IGNORE"))


def calls(steps: Steps) -> Iterator[RoutineCall]:
    """The calls of steps, or of any within them."""
    for step in steps:
        if isinstance(step, RoutineCall):
            yield step
        yield from (name for inner in _within(step) for name in calls(inner))


def parts(item: Any) -> Iterator[Any]:
    """Steps, and all that is in them: other steps, their arms and arguments, and pieces."""
    if isinstance(item, tuple):
        for one in item:
            yield from parts(one)
    elif is_dataclass(item):
        yield item
        # What a piece holds are words.
        for one in fields(item) if not isinstance(item, ScriptPiece) else ():
            yield from parts(getattr(item, one.name))


def plain(value: ScriptPiece) -> str:
    """The variable, or the part of a row that one holds, that a value is, "" if it is anything else.

    It is @A of ``@a``, R.B of ``r.b``, V(I + 1).B of ``v(i + 1).b`` where V is an array; "" of ``a + 1`` and ``'a'``.
    """
    # What says which of many values is meant is no part of the name.
    several = {at for first, last, _ in elements(value.tokens, value.arrays) for at in range(first + 1, last)}
    tokens = [token for at, token in enumerate(value.tokens) if at not in several]
    words = [token.text for token in tokens]
    lead = len(words) > 1 and words[0] in (":", "@")
    names, dots = words[lead::2], words[lead + 1 :: 2]
    literal = any(token.token_type in (TokenType.STRING, TokenType.NUMBER) for token in tokens)
    if literal or len(names) != len(dots) + 1 or set(dots) - {"."} or "." in names or len(names) > MOST_PARTS:
        return ""
    whole = len(names) > 1 or several
    return value.text[value.tokens[0].start : value.tokens[-1].end + 1] if whole else "".join(words)


MOST_PARTS = 3
"""Parts of the name of a part of a row: package, variable, field."""


def _within(step: Any) -> Iterator[Steps]:
    """The steps that a step holds."""
    for one in fields(step):
        inner = getattr(step, one.name)
        if one.name == "body":
            yield inner or ()
        elif one.name in ("arms", "handlers"):
            yield from (part.body for part in inner)
