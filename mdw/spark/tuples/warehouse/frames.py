"""Entities as frames: the rows in a folder, else what their mappings make of those of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from mdw.model.errors import MdwError
from mdw.spark.run.failures import FAILURES, cause
from mdw.spark.tuples.warehouse.folder import Folder
from mdw.tracing.queries import EntityQuery

Fillings = Callable[[str], tuple[EntityQuery, ...]]
"""What fills an entity."""


class UnopenedError(Exception):
    """An entity or a mapping that gives no frame, and why."""


@dataclass(frozen=True)
class Ran:
    """What mappings give, and the frames of the entities they read."""

    frame: DataFrame
    reads: Mapping[str, DataFrame]


class Frames:
    """The entities of a warehouse over a folder; ``given`` are the rows of some instead of those in the folder."""

    def __init__(
        self, spark: SparkSession, folder: Folder, fillings: Fillings, given: Mapping[str, DataFrame] | None = None
    ) -> None:
        self._spark = spark
        self._folder = folder
        self._fillings = fillings
        self._given = given
        self._found: dict[str, DataFrame] = {}
        self._failed: dict[str, str] = {}
        self._open: list[str] = []

    def is_there(self, entity: str) -> bool:
        """Whether the rows of an entity lie in the folder."""
        return entity in (self._folder if self._given is None else self._given)

    def frame(self, entity: str) -> DataFrame:
        """The rows of an entity; UnopenedError if there are none to be had."""
        if entity in self._failed:
            raise UnopenedError(self._failed[entity])
        if entity not in self._found:
            try:
                self._found[entity] = self._made(entity)
            except UnopenedError as error:
                self._failed[entity] = str(error)
                raise
        return self._found[entity]

    def run(self, filling: EntityQuery) -> Ran:
        """What mappings give; UnopenedError if they cannot be run."""
        if filling.why:
            raise UnopenedError(filling.why)
        reads: dict[str, Any] = {name: self.frame(entity) for name, entity in filling.reads.items()}
        try:
            frame = self._spark.sql(filling.query, **reads)
        except FAILURES as error:
            raise UnopenedError(f"Spark does not take it: {cause(error)}") from error
        if filling.columns:
            if len(filling.columns) != len(frame.columns):
                raise UnopenedError(f"it gives {len(frame.columns)} columns for {len(filling.columns)}")
            frame = frame.toDF(*filling.columns)
        return Ran(frame, {filling.reads[name]: one for name, one in reads.items()})

    def some(self, fillings: Iterable[EntityQuery]) -> tuple[DataFrame | None, list[tuple[EntityQuery, str]]]:
        """What some mappings make together, and why others could not be run."""
        made: list[DataFrame] = []
        failed: list[tuple[EntityQuery, str]] = []
        for one in fillings:
            if one.changes:
                continue
            try:
                made.append(self.run(one).frame)
            except UnopenedError as error:
                failed.append((one, str(error)))
        if not made:
            return None, failed
        return reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), made), failed

    def _made(self, entity: str) -> DataFrame:
        if self.is_there(entity):
            try:
                return self._folder.frame(entity) if self._given is None else self._given[entity]
            except MdwError as error:
                raise UnopenedError(str(error)) from error
        if entity in self._open:
            raise UnopenedError(f"{entity} is made of itself, by way of {', '.join(self._open[1:]) or 'nothing else'}")
        fillings = self._fillings(entity)
        if not fillings:
            raise UnopenedError(f"{entity} has no rows in the folder, and no mapping fills it")
        self._open.append(entity)
        try:
            frame, failed = self.some(fillings)
        finally:
            self._open.pop()
        for one, why in failed:
            raise UnopenedError(f"{entity} has no rows in the folder, and {one.called} cannot be run: {why}")
        if frame is None or any(one.changes for one in fillings):
            raise UnopenedError(f"{entity} has no rows in the folder, and mappings change those it had")
        return frame


def column(name: str) -> Column:
    """A column of a frame, whatever it is called."""
    return f.col(f"`{name.replace('`', '``')}`")
