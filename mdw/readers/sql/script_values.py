"""What the statements of a script did, as values, when the last one was read and nobody asks for columns any more.

outcomes of statements -> types of all columns -> what is divided, rounded, cut -> `SqlScript`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

from sqlglot import exp

from mdw.model.dictionary import ELEMENTS, AttributeEntry, EntityEntry
from mdw.model.query import ONE_ROW, Query, SqlScript, Statement
from mdw.model.tree import Location
from mdw.readers.sql.building import Building
from mdw.readers.sql.collations import Collations, default_of
from mdw.readers.sql.defaults import never_filled
from mdw.readers.sql.entries import label_of
from mdw.readers.sql.field_trees import Path, fields_told
from mdw.readers.sql.fields_through import FieldsThrough
from mdw.readers.sql.literals import all_typed
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.programs.following import Following
from mdw.readers.sql.rounding import Rounding
from mdw.readers.sql.storing import all_divided, all_stored
from mdw.readers.sql.types import Types

if TYPE_CHECKING:
    from mdw.readers.sql.scripts import ScriptReading


class ScriptValues:
    """The outcomes of one reading of a script, each by its place in the text, on their way to values."""

    def __init__(self, reading: ScriptReading, found: Mapping[tuple[int, int], Outcome]) -> None:
        self._reading, self._naming = reading, reading.naming
        self._names: dict[str, int] = {}
        self._outcomes = [one for _, one in sorted(found.items(), key=itemgetter(0))]
        never_filled(self._outcomes, reading.empty, reading.naming)
        # Of what others fill too a field is known only where all of them give it.
        self._fields: dict[str, Mapping[str, Sequence[Path]]] = {}
        self._follow_fields()
        # Types before what is stored: a value is cut, or padded, by the type of the column that it goes to.
        self._types = Types(self._blocks(), reading.telling)
        all_divided(self._blocks(), self._types)
        self._rounding = Rounding(self._types, reading.flavour.name)
        self._rounding.all(self._blocks())
        own = reading.texts.own
        default = default_of(own.text, own.source.collation, reading.flavour.name)
        self._collations = Collations(self._types, own.text, default, reading.flavour.name)
        self._collations.all(self._blocks())
        all_typed(self._blocks(), self._types, reading.telling, reading.flavour.name)
        # A column of SQLite takes any value, whatever its type.
        if reading.flavour.name != "sqlite":
            all_stored(self._blocks(), self._types, reading.telling)

    def _follow_fields(self) -> None:
        """Let fields of structs come through what the script makes, and what others say that they make."""
        reading, blocks = self._reading, [*self._blocks()]
        read = (one.entity for block in blocks for one in block.reads)
        others = dict.fromkeys((*read, *[block.target for block in blocks])).keys() - reading.inner - {ONE_ROW}
        told = {name: some for name in others if (some := fields_told(reading.telling.with_fields(name)))}
        if not told and not reading.fields.any:
            return
        self._fields |= told
        through = FieldsThrough(blocks, reading.fields, reading.inner, self._fields, reading.telling.typed)
        # What a view has may come from one that was made before it.
        for entity in dict.fromkeys(block.target for block in blocks):
            if entity in others and entity not in told and (made := through.made_by(entity)) and self._alone(entity):
                self._fields[entity] = made
        through.all()

    def _alone(self, entity: str) -> bool:
        shape = self._reading.dictionary.shape(entity)
        return shape is not None and shape.complete and self._reading.telling.alone(entity)

    def script(self, following: Following) -> SqlScript:
        """The script; ``following`` knows which routines of others it called."""
        reading = self._reading
        statements = tuple([self._statement(one) for one in self._outcomes])
        made = tuple(reading.dictionary.whole(dict.fromkeys(name for one in statements for name in one.writes)))
        return SqlScript(
            statements,
            frozenset(reading.inner),
            tuple(self._naming.spellings()),
            made,
            self._entries(made),
            {block.name: block.owner for block in self._blocks() if block.owner >= 0},
            frozenset(lent for one in following.called.items() if (lent := reading.texts.borrowed(*one))),
            frozenset(following.missed),
        )

    def _blocks(self) -> Iterator[Building]:
        return (block for one in self._outcomes for block in one.blocks)

    def _entries(self, made: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[EntityEntry, ...]:
        """What the script tells of entities: by DDL, and by what its statements make."""
        found = {name: entry for name, entry in self._reading.telling.own.items() if name not in self._reading.inner}
        for name, _ in made:
            shape = self._reading.dictionary.shape(name)
            if name in self._reading.inner or shape is None:
                continue
            known = found.get(name, EntityEntry(name, file=self._reading.file))
            found[name] = replace(known, attributes=tuple(self._made(name, known, shape.columns)), whole=True)
        return tuple(found.values())

    def _made(self, entity: str, known: EntityEntry, columns: Iterable[str]) -> Iterator[AttributeEntry]:
        for column in columns:
            told = known.attribute(column) or AttributeEntry(column)
            fields = self._told_fields(entity, column)
            label = told.label or label_of(column, self._naming.shown(column))
            type_ = told.type or self._type(entity, column)
            collation = told.collation or self._collations.told_of(entity, column)
            yield replace(told, label=label, type=type_, fields=fields, collation=collation)

    def _told_fields(self, entity: str, column: str) -> str:
        """The fields of a column that all give which fill it, as an entry tells them."""
        found = "\n".join(".".join(path) for path in self._fields.get(entity, {}).get(column, ()))
        shape = self._reading.dictionary.shape(entity)
        known = shape.fields.get(column) if shape is not None else None
        return f"{ELEMENTS}{found}" if found and known is not None and known.listed else found

    def _type(self, entity: str, column: str) -> str:
        """The type of what is written to a column."""
        found = self._types.column(entity, column)
        if not found and self._rounding.column(entity, column):
            # That of quotients and roots is written nowhere; who counts on with them in another file must know it.
            return exp.DataType.build("double").sql(dialect=self._reading.flavour.parser)
        return found

    def _statement(self, one: Outcome) -> Statement:
        unresolved = tuple(one.unresolved)
        status = "partial" if one.status == "whole" and unresolved else one.status
        return Statement(
            one.kind,
            status,
            one.target,
            one.columns,
            tuple([self._block(block) for block in one.blocks if block.target]),
            tuple(name for name in one.reads if name != ONE_ROW),
            tuple(one.writes),
            unresolved,
            one.message or (f"not resolved: {', '.join(unresolved)}" if unresolved else ""),
            one.location or Location(self._reading.file, 1, 1),
            tuple(self._column_types(one)),
            one.hint,
            self._reading.written[slice(*one.span)],
            self._reading.texts.at(one.span[0]),
            self._reading.texts.at(one.span[1]),
            self._reading.flavour.name,
            tuple(one.deduced),
            tuple(one.calls),
            one.within,
            tuple(one.possible),
            one.effect,
            tuple(one.mentioned),
        )

    def _column_types(self, one: Outcome) -> Iterator[str]:
        """The types of the columns a statement gives."""
        block = next(iter(one.filling or one.structure), None)
        for name in one.given:
            told = self._type(block.target if block is not None else one.target, name)
            itself = block is not None and (block.change != "POPULATING" or not one.filling)
            if not told and block is not None and itself and name in block.named:
                told = self._types.of(block, block.named[name].value)
            yield told

    def _block(self, block: Building) -> Query:
        """A block as a value, with a name of its own."""
        stem = self._naming.shown(block.target)
        # The name of what is local to a statement begins with the file already.
        if not stem.startswith(f"{self._reading.file}:"):
            stem = f"{self._reading.path}:{stem}"
        self._names[stem] = self._names.get(stem, 0) + 1
        block.name = stem if self._names[stem] == 1 else f"{stem} ({self._names[stem]})"
        block.dialect = self._collations.dialect(block)
        return block.query()
