"""A text of SQL -> a script: its statements with their blocks, as values.

The text is read as a program (`ScriptTexts`), the program is followed (`Following`), which has each statement read
(`ScriptReading.statement`) with what the program knows there. Blocks grow while that goes on, as statements further
down ask those above for columns behind a star; only at the end `ScriptValues` makes values of them, in the order of the
text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import PurePath
from typing import TypeAlias

from sqlglot import exp

from mdw.collecting import collected, uncollected
from mdw.model.dictionary import NOTHING, EntityEntry, Told
from mdw.model.name import parts
from mdw.model.query import ScriptSource, SqlScript
from mdw.model.tree import Location
from mdw.readers.nodes import word
from mdw.readers.sql.complaints import advice
from mdw.readers.sql.conditions import test_of
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.expressions import value
from mdw.readers.sql.field_names import FieldNames
from mdw.readers.sql.fired import UNREAD
from mdw.readers.sql.homes import OWNED_ROUTINES, of_routine
from mdw.readers.sql.housekeeping import BRINGING_BACK, keeps_house
from mdw.readers.sql.naming import Identifiers, Schemas, joined
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.phrases.alteration import table_alteration
from mdw.readers.sql.pieces import ScriptPiece, word_of, written
from mdw.readers.sql.places import Places
from mdw.readers.sql.programs.following import Following
from mdw.readers.sql.programs.holding import Holding
from mdw.readers.sql.programs.program import Steps
from mdw.readers.sql.queries import blocks_of, subquery
from mdw.readers.sql.redefinitions import redefined, trigger_unread
from mdw.readers.sql.script_values import ScriptValues
from mdw.readers.sql.shapes import Dictionary, Shape
from mdw.readers.sql.short_names import ShortNames
from mdw.readers.sql.statements import changing, outcome_of
from mdw.readers.sql.telling import Telling
from mdw.readers.sql.templates import other_branches
from mdw.readers.sql.texts import ScriptTexts, SourceText, lent
from mdw.readers.sql.uniqueness import unique_index
from mdw.readers.sql.work import Walk, Work

WALK = Walk(value, test_of, subquery, blocks_of, changing)
FILLING = (exp.Create, exp.Insert, exp.Merge, exp.Update, exp.Delete)

MODEL = re.compile(r"(?is)(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*MODEL\s*\(\s*name\s+([\w.\"`]+)")
DEEP = 40
# A NOT has no end that could be told: all of a statement count.
LEVELS = {"(": 1, "CASE": 1, "NOT": 1, "!": 1, ")": -1, "END": -1}


def _first(piece: ScriptPiece) -> str:
    return str(piece.tokens[0].text).lower() if piece.tokens else "text"


SOME = 20
"""Statements between two looks for garbage."""

Lenders: TypeAlias = Callable[[str], Iterable[tuple[int, ScriptSource]]]
"""The scripts that may make a routine of a name, each with a number of its own above 0."""


def alone(_: str) -> Iterable[tuple[int, ScriptSource]]:
    """No other script is known."""
    return ()


def read_script(
    text: str,
    file: str,
    dialect: str,
    dictionary: Told = NOTHING,
    default: str | Sequence[str] = "",
    catalog: str = "",
    lenders: Lenders = alone,
    entries: Collection[str] = (),
    collation: str = "",
) -> SqlScript:
    """The statements of a text; InputError if there is no such dialect.

    ``dictionary`` has what is told of entities: their columns, types, defaults.
    ``default`` is the schema of names that have none, or several in which to look for them; ``catalog`` is that of
    names that have a schema. ``lenders`` gives the scripts that may make a routine of a name, each with its number.
    ``entries`` are routines that others may call with whatever they like, too; ``collation`` is that of all texts.
    """
    path = (default,) if isinstance(default, str) else tuple(default)
    # In here little is garbage yet; behind it all is that the script was read with.
    with uncollected():
        return ScriptReading(ScriptSource(file, text, dialect, path, catalog, collation), dictionary, lenders).script(
            entries
        )


class ScriptReading:
    """A script as it is read: what its statements leave behind for those after them."""

    def __init__(self, source: ScriptSource, told: Told, lenders: Lenders) -> None:
        self.texts, self._lenders = ScriptTexts(source), lenders
        own = self.texts.own
        self.written, self.file, self.flavour = own.written, own.file, own.flavour
        self.templates = own.templates
        self.model = MODEL.match(self.written)
        path = PurePath(self.file)
        self.path, self.stem = path.as_posix(), self.file if self.file.startswith("<") else path.stem
        self.naming = Identifiers(self.flavour.folding)
        self.schemas = own.schemas(self.naming)
        # Whether a text that is run says itself where its names are looked for.
        self.moved = False
        self.dictionary = Dictionary(self.naming, told)
        self.telling = Telling(told)
        self.fields = FieldNames(self.naming, self.flavour.name, self.flavour.parser)
        self.inner: set[str] = set()
        self.empty: set[str] = set()
        self.labels: Counter[str] = Counter()
        self.results: set[str] = set()
        self._homes: dict[tuple[int, Schemas], Schemas] = {}
        self.short_names = ShortNames(told, self.naming, self.flavour.name, owned=self.flavour.name in OWNED_ROUTINES)
        self._said: dict[int, list[tuple[int, Schemas]]] = {}
        self._number = self._works = 0

    def script(self, entries: Collection[str]) -> SqlScript:
        """The script, followed from its first statement to its last."""
        holding = Holding(self)
        following = Following(holding)
        following.follow(self.texts.own.program, entries)
        return ScriptValues(self, {**holding.skipped, **holding.outcomes}).script(following)

    # -- one statement ------------------------------------------------------------------------------------------------

    def statement(self, piece: ScriptPiece, prepare: Callable[[Work], Work]) -> Outcome:
        """What a statement does, with what is wrong with it; ``prepare`` tells its work what stands around it."""
        try:
            found = self._outcome(piece, prepare)
            self._told_of(piece, found)
        # Whatever goes wrong in one statement must not cost the others, and it is said.
        except Exception as error:
            message = f"not followed: {type(error).__name__}: {error}"
            found = Outcome(_first(piece), status="failed", message=message, location=self.place_of(piece))
        first, last = piece.span
        if found.status == "failed" and self.templates and not self.text_of(piece):
            found = self._branched(piece, prepare) or found
        if found.status == "failed":
            found.hint = advice(found.message, self.written[first:last], self.flavour.name)
        else:
            found.unresolved |= dict.fromkeys(one.words for one in self.templates if first <= one.start < last)
        return found

    def _told_of(self, piece: ScriptPiece, found: Outcome) -> None:
        """What the words of a statement say of the definition of a table, whatever was made of its tree."""
        altered = table_alteration(piece, self.flavour.name)
        if altered is not None:
            entity = self.entity(written(altered.table, piece), piece)
            if altered.known and altered.counting:
                found.status, found.kind, found.target, found.message = "whole", "alter", entity, ""
            redefined(altered, entity, found, self.naming, self.telling)
        elif table := trigger_unread(piece, found):
            self.telling.add(EntityEntry(self.entity(table, piece), triggers=(UNREAD,)))

    def _branched(self, piece: ScriptPiece, prepare: Callable[[Work], Work]) -> Outcome | None:
        """A statement of which a template has branches, which one after the other are no SQL: with the first of each.

        With the last of each it does something else, along with that.
        """
        first, last = piece.span
        found: Outcome | None = None
        for ends in (False, True):
            others = [one for one in other_branches(self.templates, last=ends) if one[0] < last and first < one[1]]
            tokens = tuple([one for one in piece.tokens if not _among(piece.offset + one.start, others)])
            if not others or not tokens:
                return found
            if found is not None:
                # A SELECT fills the same either way.
                self.results.discard(found.target)
            one = self._outcome(replace(piece, tokens=tokens), prepare)
            if one.status == "failed":
                continue
            if found is None:
                found = one
            elif one.kind == found.kind and one.target == found.target:
                found.together(one)
        return found

    def _outcome(self, piece: ScriptPiece, prepare: Callable[[Work], Work]) -> Outcome:
        at = self.place_of(piece)
        self._number += 1
        # GRANT, ANALYZE and the like are told by their words, without a tree: there may be thousands.
        kind = keeps_house(piece, self.flavour.name)
        if kind:
            if kind == "create index" and (key := unique_index(piece, self.naming)) is not None:
                self.telling.add(EntityEntry(self.entity(key[0], piece), unique=(key[1],)))
            return Outcome(kind, location=at)
        first = word_of(piece.tokens[0]) if piece.tokens else ""
        if first in BRINGING_BACK and not piece.mentions("RENAME"):
            message = f"{first} is not followed: which rows the table has then is not known"
            return Outcome(first.lower(), status="opaque", message=message, location=at)
        said = piece
        try:
            piece, tree = parsed(piece, self.flavour)
        except UnparsedError as error:
            place = at if error.offset is None else self.texts.at(piece.offset + error.offset)
            return Outcome(_first(piece), status="failed", message=error.message, location=place)
        work = prepare(self.work(piece, label := self._label(tree, self._number)))
        before = work.schemas
        work.said = said
        try:
            found = outcome_of(tree, work)
            if found.unresolved and self._reads_itself(found):
                # What it makes is known now, and what it had before has the same columns: it is read once more, with
                # another tree, for the walk changes trees.
                work = prepare(self.work(piece, label))
                work.said = said
                found = outcome_of(parsed(piece, self.flavour)[1], work)
        except RecursionError:
            return Outcome(_first(piece), status="failed", message="nested too deep to be followed", location=at)
        # Whatever goes wrong in one statement must not cost the others, and it is said.
        except Exception as error:
            message = f"not followed: {type(error).__name__}: {error}"
            return Outcome(_first(piece), status="opaque", message=message, location=at)
        # A USE in a routine of another script is none of this one.
        if not self.text_of(piece) and work.schemas != before:
            self.schemas = work.schemas
        self.local(work)
        found.location = at
        # Before anybody asks for more of what a star stands for.
        blocks = found.filling or found.structure
        given = [block.columns.get(one.name, one.name) for block in blocks[:1] for one in block.outputs]
        if found.kind in ("merge", "insert all"):
            given = list(dict.fromkeys(one.name for block in found.filling for one in block.outputs))
        found.given = found.given or tuple(given)
        found.columns = tuple(self.naming.shown(name) for name in found.given)
        return found

    def _reads_itself(self, found: Outcome) -> bool:
        """Whether a statement reads what it fills, and makes columns that are all known."""
        return any(name in found.reads and self.dictionary.known(name).complete for name in found.writes)

    def _label(self, tree: exp.Expr, number: int) -> str:
        """What the names of all that is local to a statement begin with: the file, and what it fills."""
        target = tree.args.get("this") if isinstance(tree, FILLING) else None
        target = target.this if isinstance(target, exp.Schema) else target
        if not isinstance(target, exp.Table):
            return f"{self.file} {number}"
        return self.local_label(".".join(part.name for part in target.parts))

    def local_label(self, name: str) -> str:
        """The same, another one each time that something of this name asks."""
        stem = f"{self.file}:{name}" if name else self.file
        self.labels[stem] += 1
        return stem if self.labels[stem] == 1 else f"{stem} {self.labels[stem]}"

    def work(self, piece: ScriptPiece, label: str) -> Work:
        """The work of reading a piece; the names of what is local to it begin with the label."""
        self._works += 1
        if self._works % SOME == 0:
            # Trees are full of circles, and a script may have thousands.
            collected()
        places = self.texts.places(piece)
        work = Work(WALK, self.flavour, self.naming, self.dictionary, places, label, self.schemas_of(piece), piece)
        work.telling, work.fields, work.deep = self.telling, self.fields, _deep(piece)
        work.short_names = self.short_names
        work.begin = self.place_of(piece)
        work.results, work.own = self.results, self._own()
        return work

    def schemas_of(self, piece: ScriptPiece) -> Schemas:
        """Where its names are looked for (rule Q34)."""
        text = self.texts.of(piece)
        now = self._in_force(piece, text)
        found = text.routine_at(piece.place)
        if found is None or self.moved:
            return now
        routine = found.routine
        key = (routine.piece.place, now)
        if key not in self._homes:
            made = self._said_before(routine.piece.place, text)
            told = routine, found.written, made, now
            self._homes[key] = of_routine(*told, self.naming, self.flavour.name)
        return self._homes[key]

    def callers(self, piece: ScriptPiece) -> Schemas:
        """Where the names of a text that a piece runs are looked for, if they are its caller's."""
        text = self.texts.of(piece)
        now = self._in_force(piece, text)
        return now if text.routine_at(piece.place) is None else replace(now, stored=True)

    def _in_force(self, piece: ScriptPiece, text: SourceText) -> Schemas:
        """The schemas in force where a piece runs; of a routine of another script where that makes it."""
        # T-SQL has USE outside of programs alone, so where a piece stands tells all.
        if self.moved or (not text.number and (self.flavour.name not in TRANSACT or not text.uses)):
            return self.schemas
        return self._said_before(piece.place, text)

    def _said_before(self, place: int, text: SourceText) -> Schemas:
        """The schemas in force at a place, by what the text itself says before it, outside of its programs."""
        said = self._said.get(text.number)
        if said is None:
            said = self._said[text.number] = [(0, text.schemas(self.naming))]
            for one in text.uses:
                places, before = self.texts.places(one), said[-1][1]
                work = Work(WALK, self.flavour, self.naming, self.dictionary, places, "", before, one)
                outcome_of(parsed(one, self.flavour)[1], work)
                said.append((one.place, work.schemas))
        return said[bisect_right(said, place, key=itemgetter(0)) - 1][1]

    def local(self, work: Work) -> None:
        """What a piece made for itself is local to the script."""
        self.inner |= work.inner_entities
        self.empty |= work.empty

    def local_name(self, routine: str, hint: str) -> str:
        """The name of an entity that a program keeps for itself."""
        return joined(word(f"{self.file}:{routine}" if routine else self.file), hint)

    def place_of(self, piece: ScriptPiece) -> Location:
        """Where a piece stands."""
        return self.texts.at(piece.place)

    def text_of(self, piece: ScriptPiece) -> int:
        """The number of the text in which a piece stands, 0 for the script's own."""
        return self.texts.of(piece).number

    def places_of(self, piece: ScriptPiece) -> Places:
        """The places in the text of a piece."""
        return self.texts.places(piece)

    def programs_with(self, name: str) -> Iterator[Steps]:
        """The programs of other scripts that make a routine of this name, each once."""
        for number, source in self._lenders(name):
            text = lent(source, number)
            if self.texts.add(text):
                yield text.program

    def entity(self, name: str, piece: ScriptPiece | None = None) -> str:
        """The entity of a name as the script writes it, in a piece."""
        names, schemas = self.naming.path(name), self.schemas_of(piece) if piece is not None else self.schemas
        if schemas.stored and len(parts(names)) == 1:
            return self.short_names.meant(names, schemas, self.dictionary.has).tables[0]
        if not schemas.path and not schemas.catalog and len(parts(names)) == 1:
            return self.short_names.of_script(names, self.dictionary.has)
        before = {1: schemas.first, 2: schemas.catalog}.get(len(parts(names)), "")
        return joined(before, names)

    def tell(self, entity: str, shape: Shape) -> None:
        """The columns of an entity that is local to the script."""
        self.inner.add(entity)
        self.dictionary.put(entity, shape)

    def _own(self) -> str:
        """What a SELECT that goes nowhere makes: an entity called as its file is, or as SQLMesh's MODEL says."""
        if self.model is not None:
            return self.entity(self.model[1])
        name = self.naming.known(self.stem, quoted=self.stem == self.file)
        return joined(self.schemas.first, name)


def _among(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _deep(piece: ScriptPiece) -> bool:
    """Whether the words of a statement open more than some levels."""
    if piece.mentions("(", "CASE", "NOT") <= DEEP:
        return False
    depth = deepest = 0
    for token in piece.tokens:
        level = LEVELS.get(token.text.upper())
        if level and word_of(token):
            depth = max(depth + level, 0)
            deepest = max(depth, deepest)
    return deepest > DEEP
