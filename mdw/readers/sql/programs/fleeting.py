"""Tables that steps make and later ones make anew: until then their names mean what only this script sees (rule Q20).

    CREATE OR REPLACE TABLE w AS SELECT a FROM x         W is an inner entity here, made of X
    INSERT INTO t SELECT a FROM w                        T gets X.A
    CREATE OR REPLACE TABLE w AS SELECT a FROM y         the last one is W itself: whoever else asks for W gets Y.A

That holds where the steps are surely gone one after the other, and where nothing else can have looked at the table in
between: no view or routine of the script names it, no text is run, no file. Elsewhere one entity has all that the
name ever meant, and the second making is told as a deletion (rule Q25).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from mdw.model.name import local_of
from mdw.readers.sql.commands import RENAME
from mdw.readers.sql.definitions import all_of
from mdw.readers.sql.inserts import learn
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.phrases.words import behind_name, name_at, spoken, top
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.program import Client, Dynamic, Jump, Routine, RoutineCall, Run, Step, Steps, Test
from mdw.readers.sql.programs.states import FILLING, ProgramState, made_in, parts
from mdw.readers.sql.tables import FLEETING

if TYPE_CHECKING:
    from mdw.readers.sql.outcomes import Outcome
    from mdw.readers.sql.programs.following import Following

TABLES = frozenset(("TABLE", "VIEW"))
PLAIN = frozenset("OR REPLACE ALTER TRANSIENT MULTISET UNLOGGED SECURE FORCE".split())  # noqa: SIM905
"""Words before TABLE and VIEW that make no other kind of thing of it."""


@dataclass(frozen=True, slots=True)
class NameChange:
    """What a statement does to a name: it makes its table, ``sure`` where one of that name may be there; or it ends it.

    ``makes`` is None where nobody knows which: CREATE TABLE IF NOT EXISTS, CREATE TEMP TABLE. Where it ``moves`` what
    was made goes on by another name.
    """

    name: str
    makes: bool | None
    sure: bool = False
    moves: bool = False


def namings(piece: ScriptPiece) -> Iterator[NameChange]:
    """What a statement does to names of tables, as they are written.

    >>> from sqlglot import tokenize
    >>> words = "CREATE OR REPLACE TABLE s.a AS SELECT 1"
    >>> [*namings(ScriptPiece(tuple(tokenize(words)), words))]
    [NameChange(name='s.a', makes=True, sure=True, moves=False)]
    """
    words = piece.tokens
    said = [*spoken(words[:4]), "", "", ""]
    start = 2 + 2 * (said[2:4] == ["IF", "EXISTS"])
    if said[0] in ("CREATE", "REPLACE"):
        at, _ = _made(words)
        kind = spoken(words[: at or 0])
        if at:
            known = PLAIN.issuperset(kind[1:-1]) and name_at(words, at) == at
            sure = "OR" in kind or said[0] == "REPLACE"
            yield NameChange(_name(words, name_at(words, at)), True if known else None, sure)
    elif said[0] == "DROP" and said[1] in TABLES:
        for at in _listed(words, start):
            yield NameChange(_name(words, at), makes=False)
    elif said[:2] == ["ALTER", "TABLE"]:
        end = behind_name(words, start)
        does = spoken(words[end : end + 2])
        if does in (["RENAME", "TO"], ["SWAP", "WITH"]) and behind_name(words, end + 2) >= len(words):
            yield NameChange(_name(words, start), makes=does[0] == "SWAP", sure=True, moves=True)
            yield NameChange(_name(words, end + 2), makes=True, sure=does[0] == "SWAP")
    elif said[0] == "RENAME":
        # Behind it the tokenizer takes all for one text.
        for before, after in RENAME.findall(re.sub(r"(?i)^\s*TABLE\s+", "", words[1].text)):
            yield NameChange(before, makes=False, moves=True)
            yield NameChange(after, makes=True)
    elif said[0] in ("SELECT", "WITH") and (at := top(words, {"INTO"}) + 1) < len(words):
        if word_of(words[at - 2]) in FILLING:
            return
        yield NameChange(_name(words, at), makes=True)


def dropped_if_there(step: Step) -> Steps:
    """The DROPs of an IF that asks whether what it drops is there: behind it there is none, whichever way is gone.

    IF OBJECT_ID('dbo.w') IS NOT NULL DROP TABLE dbo.w
    """
    arms = step.arms if isinstance(step, Test) else ()
    if len(arms) != 1 or arms[0].test is None or not arms[0].body:
        return ()
    said = " ".join(token.text.upper() for token in arms[0].test.tokens)
    for one in arms[0].body:
        changes = [*namings(one.piece)] if isinstance(one, Run) and len(one.piece.tokens) > 2 else []
        if not changes or any(change.makes is not False or change.moves for change in changes):
            return ()
        if any(change.name.rpartition(".")[2].strip('"').upper() not in said for change in changes):
            return ()
    return arms[0].body if ASKS.search(said) and not NOT_THERE.search(said) else ()


ASKS = re.compile(r"OBJECT_ID \(.*IS NOT NULL|\bEXISTS\b|\bCOUNT\b.*> 0")
NOT_THERE = re.compile(r"\bNOT EXISTS\b|\bIS NULL\b")


def _made(words: Sequence[Any]) -> tuple[int, int]:
    """Where what stands behind TABLE or VIEW begins, 0 where CREATE makes neither, and where its query does."""
    at = next((at + 1 for at, word in enumerate(spoken(words[:10])) if word in TABLES), 0)
    return (at, top(words, {"AS", "SELECT", "WITH"}, at)) if 0 < at < len(words) else (0, len(words))


def _listed(words: Sequence[Any], start: int) -> Iterator[int]:
    """Where the names of a list begin."""
    at = start
    while at < len(words):
        yield at
        at = top(words, {","}, at) + 1


def _name(words: Sequence[Any], at: int) -> str:
    parts_ = words[at : behind_name(words, at)]
    return ".".join(f'"{one.text}"' if one.token_type is TokenType.IDENTIFIER else one.text for one in parts_[::2])


def _made_anew(some: Iterable[tuple[int, NameChange]]) -> list[tuple[int, int]]:
    """The steps that make a table, each with the one that surely makes it again, or takes its name away."""
    found: list[tuple[int, int]] = []
    last, gone = -1, False
    for at, one in some:
        if one.makes is None or (one.makes and last >= 0 and not (one.sure or gone)):
            return []
        if last >= 0 and (one.makes or one.moves):
            found.append((last, at))
        last, gone = (at, False) if one.makes else (-1 if one.moves else last, True)
    return found


@dataclass(frozen=True, slots=True)
class Lasting:
    """A view, a routine or the like: its name, and the step that makes it."""

    name: str
    step: int

    def named(self, several: Steps) -> bool:
        """Whether steps may ask for it, though it is made behind them: it may be there from the run before."""
        pieces = (part for part in parts(several) if isinstance(part, ScriptPiece))
        return not self.name or any(self.name in _words(piece) for piece in pieces)


class Fleeting:
    """Knows which statements make what others make anew, and hands it on where somebody else may see it."""

    def __init__(self, following: Following) -> None:
        self._this = following

    def plan(self, several: Steps) -> None:
        """Tell the statements of a row of steps which entities they make for the script alone."""
        holding = self._this.holding
        named: dict[str, list[tuple[int, NameChange]]] = {}
        for at, step in enumerate(several):
            for run in dropped_if_there(step) or (step,):
                for one in namings(run.piece) if isinstance(run, Run) and len(run.piece.tokens) > 1 else ():
                    named.setdefault(holding.entity(one.name, run.piece), []).append((at, one))
        for entity, some in named.items():
            # What was not read replaces nothing.
            named[entity] = [one for one in some if len(some) == 1 or self._read(several[one[0]])]
        pairs = [(entity, *pair) for entity, some in named.items() for pair in _made_anew(some)]
        if not pairs or self._anything:
            return
        behind = {id(step): at for at, step in enumerate(several)}
        for entity, first, last in pairs:
            between, name = several[first + 1 : last], local_of(entity).strip("`").upper()
            own = self._within.get(id(several[first]), ())
            seen = [one for one in self._lasting.get(name, ()) if one.step not in own]
            if any(behind.get(one.step, -1) <= last or one.named(between) for one in seen):
                continue
            held = tuple(one for one in between if not isinstance(one, Run) and not dropped_if_there(one))
            if name not in made_in(held) and not any(map(_leaves, parts(held))):
                holding.fleeting.setdefault(several[first].piece.place, set()).add(entity)

    def _read(self, step: Step) -> bool:
        """Whether a statement can be read, if it is one that makes a table."""
        if not isinstance(step, Run) or word_of(step.piece.tokens[0]) not in ("CREATE", "REPLACE"):
            return True
        try:
            return not isinstance(parsed(step.piece, self._this.holding.reading.flavour)[1], exp.Command)
        except (UnparsedError, RecursionError):
            return False

    @cached_property
    def _steps(self) -> list[Any]:
        return [*parts(self._this.frames[0].steps)]

    @cached_property
    def _anything(self) -> bool:
        """Whether steps of the script may look at any table, or take back that one was made."""
        return any(isinstance(one, Dynamic) or _takes_back(one) or _runs_file(one) for one in self._steps)

    @cached_property
    def _within(self) -> Mapping[int, set[int]]:
        """By each step the routines in which it stands."""
        found: defaultdict[int, set[int]] = defaultdict(set)
        for routine in self._steps:
            if isinstance(routine, Routine):
                for one in parts(routine.body or ()):
                    found[id(one)].add(id(routine))
        return found

    @cached_property
    def _lasting(self) -> Mapping[str, list[Lasting]]:
        """By each word that they say what may look at a table whenever somebody asks for it.

        What a view says is looked at whenever it is read, what a routine says whenever it is called.
        """
        found: defaultdict[str, list[Lasting]] = defaultdict(list)
        for one in self._steps:
            name, words = "", set[str]()
            if isinstance(one, Routine):
                name = one.name
                words.update(*map(_words, (part for part in parts(one) if isinstance(part, ScriptPiece))))
            elif isinstance(one, Run) and (rest := _says(one.piece.tokens)):
                name = next((change.name for change in namings(one.piece)), "")
                words = {token.text.upper() for token in rest}
            for word in words:
                found[word].append(Lasting(name.rpartition(".")[2].strip('"').upper(), id(one)))
        return found

    def shown(self, found: Outcome, state: ProgramState, piece: ScriptPiece) -> None:
        """A statement has read what may be a view, of which other files tell what it is made of."""
        told = (self._this.holding.told(name) for name in found.reads)
        if any(one is not None and one.kind not in ("", "table") for one in told):
            for name, entity in state.tables.items():
                if name.startswith(FLEETING):
                    self._hand_on(name, entity, state, piece)

    def meet(self, name: str, several: Sequence[str], state: ProgramState, piece: ScriptPiece) -> None:
        """Ways meet on which a name means different tables: all of them are the entity itself from here on."""
        different = set(several)
        if len(different) == 1 and "" not in different:
            state.tables[name] = several[0]
            return
        for entity in sorted(different - {""}):
            self._hand_on(name, entity, state, piece)
        state.tables.pop(name, None)

    def _hand_on(self, name: str, entity: str, state: ProgramState, piece: ScriptPiece) -> None:
        holding, target = self._this.holding, name[len(FLEETING) :]
        work = holding.work(piece, state)
        learn(target, [all_of(entity, target, work, None, inner=False)], work)
        found = holding.outcome("set", piece, work)
        found.writes[target] = None
        holding.used.add(target)
        holding.put(piece, found)


def _words(piece: ScriptPiece) -> set[str]:
    return {token.text.upper() for token in piece.tokens}


def _leaves(one: Any) -> bool:
    """Whether behind a step it may not go on, or others may have been at work."""
    return (
        isinstance(one, RoutineCall | Dynamic)
        or _runs_file(one)
        or (isinstance(one, Jump) and one.kind not in ("commit", "fail"))
    )


def _takes_back(one: Any) -> bool:
    return isinstance(one, Jump) and one.kind == "rollback"


def _runs_file(one: Any) -> bool:
    return isinstance(one, Client) and bool(one.runs)


def _says(words: Sequence[Any]) -> Sequence[Any]:
    """The words of a statement that say what is true of a table as long as it is there, its own name left out."""
    first = word_of(words[0]) if words else ""
    if first == "ALTER":
        return words[behind_name(words, 2) :] if not [*namings(ScriptPiece(tuple(words), ""))] else ()
    if first not in ("CREATE", "REPLACE"):
        return ()
    at, query = _made(words)
    if not at or "VIEW" in spoken(words[:at]) or not PLAIN.issuperset(spoken(words[1 : at - 1])):
        query = len(words)
    return words[behind_name(words, name_at(words, at)) if at else 0 : query]
