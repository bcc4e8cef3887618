"""From rows of an entity back to the sources that they were made of, entity by entity (`tracing.md`, rules T2, T41)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from mdw.model.errors import MdwError
from mdw.spark.run.failures import FAILURES, cause, giving_up
from mdw.spark.tuples.answer import SourceTrace
from mdw.spark.tuples.derived.catalyst import Catalyst
from mdw.spark.tuples.derived.lineage import lineage_of
from mdw.spark.tuples.warehouse.frames import Frames, Ran, UnopenedError, column
from mdw.spark.tuples.warehouse.hands import Hands
from mdw.spark.tuples.warehouse.matching import Matching
from mdw.tracing.accuracy import Accuracy, Role, through, worst
from mdw.tracing.queries import ColumnValues, EntityQuery, NotFollowed, NotRun

AT_HAND = 1000
"""Rows in hand that are kept; of more only the question is."""
FEW = 20
"""ColumnValues of a column that `lineage` is asked with one by one; of more with the least and the most."""
TOLD = (t.StringType, t.IntegralType, t.DecimalType, t.BooleanType, t.DateType)
"""Types whose values are told as they are; databases round others (rule T41)."""

Excluded = Callable[[str, Mapping[str, ColumnValues]], Mapping[str, NotRun]]
"""Of the mappings into an entity those that no row with these values comes from."""


@dataclass
class WayNotes:
    """What a walk has met besides rows."""

    absent: list[str] = field(default_factory=list)
    not_run: list[NotRun] = field(default_factory=list)
    plan: list[str] = field(default_factory=list)
    unread: list[NotFollowed] = field(default_factory=list)

    def miss(self, what: str, why: str) -> None:
        """Note what could not be followed, once."""
        if (one := NotFollowed(what, why)) not in self.unread:
            self.unread.append(one)


class EntityWalk:
    """One walk."""

    def __init__(self, frames: Frames, fillings: Callable[[str], tuple[EntityQuery, ...]], excluded: Excluded) -> None:
        self.hands = Hands()
        self.way = WayNotes()
        self._frames = frames
        self._fillings = fillings
        self._excluded = excluded
        self._done: set[str] = set()
        self._asked: set[tuple[str, Role]] = set()

    def follow(self, entity: str, rows: DataFrame, columns: tuple[str, ...]) -> list[SourceTrace]:
        """The sources of rows of an entity, of all its columns that are given; values are asked for of ``columns``."""
        order = self._order(entity)
        if self._ends(entity):
            frame = self._frames.frame(entity)
            found = lineage_of(frame, rows, reads={entity: frame}, columns=columns).sources[entity]
            self.hands.add(entity, found, "value", self._as_it_was(entity), columns)
        # Rows of an entity that it had before are not followed: they are its own circle.
        self._done.add(entity)
        self._entity(entity, rows, "value", "exact", columns)
        for one in order[1:]:
            self._done.add(one)
            if one in self.hands.found and self._fillings(one):
                self._step(one)
        return [self.hands.source(one) for one in order if one in self.hands.found and self._ends(one)]

    # -- which entities ------------------------------------------------------------------------------------------------

    def _ends(self, entity: str) -> bool:
        """Whether the way ends here: no mapping makes rows of the entity."""
        return all(one.changes or not one.mappings for one in self._fillings(entity))

    def _as_it_was(self, entity: str) -> Accuracy:
        """How sure rows of a source are; those of one that is changed were others before (rule T35)."""
        return "at most" if self._fillings(entity) else "exact"

    def _order(self, entity: str) -> list[str]:
        """The entities above one, each after all that are made of it, but for circles."""
        found: list[str] = []
        met = {entity}
        pending = [(entity, reversed(self._read_by(entity)))]
        while pending:
            one, rest = pending[-1]
            above = next((other for other in rest if other not in met), None)
            if above is None:
                found.append(one)
                pending.pop()
            else:
                met.add(above)
                pending.append((above, reversed(self._read_by(above))))
        return found[::-1]

    def _read_by(self, entity: str) -> list[str]:
        return list(dict.fromkeys(name for one in self._fillings(entity) for name in one.reads.values()))

    # -- rows in hand --------------------------------------------------------------------------------------------------

    def _step(self, entity: str) -> None:
        roles: tuple[Role, ...] = ("value", "decides")
        for role in roles:
            if found := self.hands.rows(entity, role):
                self._entity(entity, found[0], role, found[1], found[2])

    def _entity(self, entity: str, rows: DataFrame, role: Role, accuracy: Accuracy, columns: tuple[str, ...]) -> None:
        """The mappings into an entity, each run and asked for the rows in hand."""
        rows, told = self._kept(rows)
        if told is None:
            return
        fillings = self._fillings(entity)
        changed = {name for one in fillings if one.changes for name in one.flows or one.columns}
        left = self._left_out(entity, told, fillings)
        ran: list[tuple[EntityQuery, Ran]] = []
        for one in fillings:
            if one.mappings and all(name in left for name in one.mappings):
                continue
            try:
                if one.why or one.changes:
                    raise UnopenedError(one.why or "it changes rows, and what these were before is not in the data")
                ran.append((one, self._frames.run(one)))
            except UnopenedError as error:
                self._whole(one, role, str(error))
        matching = Matching(entity, rows, changed, looked_for=self._frames.is_there(entity))
        for one, query in ran:
            for some in matching.of(one, query.frame, [other.frame for _, other in ran]):
                if some.note:
                    self.way.plan.append(some.note)
                if some.rows is None:
                    self._whole(one, role, "no row like those in hand is among what it gives today")
                    continue
                sure = worst(accuracy, "at most") if some.loose or changed else accuracy
                self._made(one, query, some.rows, role, sure, columns)

    def _left_out(
        self, entity: str, told: Mapping[str, ColumnValues], fillings: Sequence[EntityQuery]
    ) -> Mapping[str, NotRun]:
        # Rows that were made by one query alone come from it.
        if len(fillings) <= 1 and not self._frames.is_there(entity):
            return {}
        left = self._excluded(entity, told)
        for name in sorted(left):
            if left[name] not in self.way.not_run:
                self.way.not_run.append(left[name])
        return left

    def _made(
        self, filling: EntityQuery, ran: Ran, rows: DataFrame, role: Role, accuracy: Accuracy, columns: tuple[str, ...]
    ) -> None:
        """What one query was made of, for the rows of its entity that it gives."""
        own = {name.casefold(): name for name in ran.frame.columns}
        asked = [own[name.casefold()] for name in columns if name.casefold() in own]
        if columns and not asked:
            role = "decides"
        try:
            ends = {one: self._frames.frame(one) for one in self._below(filling)}
            found = lineage_of(ran.frame, rows, reads=ends, columns=asked if role == "value" else ())
        except (*FAILURES, MdwError) as error:
            self._whole(filling, role, f"its plan cannot be traced: {cause(error)}")
            return
        self.way.absent += [one for one in found.absent if one not in self.way.absent]
        self.way.plan += [one for one in found.plan if one not in self.way.plan]
        for one in found.unread:
            self.way.miss(filling.called, one)
        for name, source in found.sources.items():
            if name in ends:
                sure = through(accuracy, worst(*source.accuracy.values()))
                self._found(filling, name, source, role, sure, self._used(filling, tuple(asked), name))

    def _below(self, filling: EntityQuery) -> list[str]:
        """The entities down to which a query is followed at once: what one query alone makes stands within it (T2)."""
        found: dict[str, None] = {}
        for entity in filling.reads.values():
            inner = self._within(entity)
            found |= dict.fromkeys([entity] if inner is None else self._below(inner))
        return list(found)

    def _within(self, entity: str) -> EntityQuery | None:
        """The query that makes an entity, if it is one, and nothing of it lies in the folder."""
        some = self._fillings(entity)
        alone = len(some) == 1 and not some[0].changes and not some[0].why and not self._frames.is_there(entity)
        return some[0] if alone else None

    def _used(self, filling: EntityQuery, columns: tuple[str, ...], entity: str) -> tuple[str, ...]:
        """The columns of an entity below from which columns take values; none where nobody tells."""
        found: list[str] = []
        for one in dict.fromkeys(filling.reads.values()):
            used = filling.used(columns, one)
            inner = self._within(one)
            if inner is None:
                found += used if one == entity else ()
            elif entity in self._below(inner):
                below = self._used(inner, used, entity) if used else ()
                if not below and (used or not filling.tells(columns)):
                    return ()
                found += below
        return tuple(dict.fromkeys(found))

    def _found(
        self,
        filling: EntityQuery,
        entity: str,
        source: SourceTrace,
        role: Role,
        accuracy: Accuracy,
        columns: tuple[str, ...],
    ) -> None:
        if entity in self._done and not self._ends(entity):
            self._circle(entity, filling)
            return
        sure = worst(accuracy, self._as_it_was(entity)) if self._ends(entity) else accuracy
        self.hands.add(entity, source, role, sure, columns)

    def _whole(self, filling: EntityQuery, role: Role, why: str) -> None:
        """All rows of what mappings read: which of them count is not known."""
        self.way.miss(filling.called, why)
        for entity in dict.fromkeys(filling.reads.values()):
            if entity in self._done and not self._ends(entity):
                self._circle(entity, filling)
                continue
            self._all(entity, role)

    def _all(self, entity: str, role: Role) -> None:
        """All rows of an entity; where there are none to be had, of those above it."""
        if (entity, role) in self._asked:
            return
        self._asked.add((entity, role))
        if entity in self._done and not self._ends(entity):
            # Its mappings were asked already: what they read is taken whole.
            for one in self._read_by(entity):
                self._all(one, role)
            return
        try:
            frame = self._frames.frame(entity)
        except UnopenedError as error:
            self.way.miss(entity, str(error))
            for one in self._read_by(entity):
                self._all(one, role)
            return
        self.hands.add(entity, whole(entity, frame), role, "unknown", ())

    def _circle(self, entity: str, filling: EntityQuery) -> None:
        """An entity that is asked for again: where its rows came from before is not followed."""
        if entity in filling.reads.values() and filling.entity == entity:
            why = "it is made of rows that it had before, which are not followed"
        else:
            why = f"it is made of itself, by way of {filling.entity}"
        self.way.miss(entity, why)
        self._all(entity, "value")

    def _kept(self, rows: DataFrame) -> tuple[DataFrame, dict[str, ColumnValues] | None]:
        """Rows that are not computed again, and what values they have; None if there are no rows."""
        with giving_up():
            some = Catalyst(rows.sparkSession).kept(rows.limit(AT_HAND + 1))
            told = some.collect()
            if not told:
                return some, None
            if len(told) <= AT_HAND:
                return some, _few(rows, [tuple(one) for one in told])
            # Kept by executors: each step back would compute those before it several times.
            many = rows.localCheckpoint()
            return many, values(many)


def whole(entity: str, frame: DataFrame) -> SourceTrace:
    """All rows of an entity."""
    found = lineage_of(frame, frame.select().limit(1), reads={entity: frame}).sources[entity]
    return replace(found, accuracy={"value": "unknown"})


def _few(rows: DataFrame, told: Sequence[tuple[Any, ...]]) -> dict[str, ColumnValues]:
    """The same of rows at hand."""
    found = {}
    for place, one in enumerate(rows.schema):
        if isinstance(one.dataType, TOLD):
            some = list(dict.fromkeys(row[place] for row in told))
            found[one.name] = _values(one, [value for value in some if value is not None], None in some)
    return {name: one for name, one in found.items() if one is not None}


def values(rows: DataFrame) -> dict[str, ColumnValues]:
    """What values the columns of rows have, as far as their types are told as they are."""
    columns = [one for one in rows.schema if isinstance(one.dataType, TOLD)]
    if not columns:
        return {}
    ends = [end(column(one.name)) for one in columns for end in (f.min, f.max)]
    gaps = [f.count(f.when(column(one.name).isNull(), 1)) for one in columns]
    told = list(rows.agg(*ends, *gaps).first() or ())
    found = {}
    for place, one in enumerate(columns):
        low, high, missing = told[2 * place], told[2 * place + 1], told[2 * len(columns) + place]
        found[one.name] = _values(one, [] if low is None else [low, *([high] * FEW)], bool(missing), (low, high))
    return {name: one for name, one in found.items() if one is not None}


def _values(
    field: t.StructField, some: Sequence[Any], missing: bool, ends: tuple[Any, Any] | None = None
) -> ColumnValues | None:
    """The values of a column one by one if they are few, else between which they lie; None where that says nothing."""
    if len(some) <= FEW and ends is None:
        return ColumnValues((*some, *([None] if missing else [])))
    if missing or not some or isinstance(field.dataType, (t.StringType, t.BooleanType)):
        return None
    low, high = ends or (min(some), max(some))
    return ColumnValues(least=low, most=high)
