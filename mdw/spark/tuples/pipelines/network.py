"""The frames of a pipeline: sources, intermediates made of them, and sections run with one input replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import DataFrame

from mdw.spark.tuples.pipelines.functions import Call, apply, arrow_schema, of_tables, table_of
from mdw.spark.tuples.pipelines.transformation import Transformation
from mdw.tracing.merging import Section

Slot = tuple[str, int]
"""An input of a section: the transformation that reads it, and which of its reads it is."""


def slots(section: Section, transformations: Mapping[str, Transformation]) -> list[Slot]:
    """The inputs of a section in the order of its ``reads``."""

    def of(name: str) -> Iterator[Slot]:
        for at, read in enumerate(transformations[name].reads):
            if read in section.members:
                yield from of(read)
            else:
                yield name, at

    return list(of(section.name))


@dataclass
class Network:
    """Transformations with the frames of their sources and of intermediates that are stored."""

    transformations: Mapping[str, Transformation]
    given: Mapping[str, DataFrame]
    _frames: dict[str, DataFrame] = field(default_factory=dict)

    def frame(self, name: str) -> DataFrame:
        """A source, a stored intermediate, or an intermediate made anew; nothing runs before somebody looks."""
        if name in self.given:
            return self.given[name]
        if name not in self._frames:
            one = self.transformations[name]
            self._frames[name] = apply(one, [self.frame(read) for read in one.reads])
        return self._frames[name]

    def run(self, section: Section, at: int, rows: DataFrame) -> DataFrame:
        """What a section gives of these rows for one of its inputs, others as they are (T1) or, if exclusive, empty."""
        slot = slots(section, self.transformations)[at]

        def made(name: str) -> DataFrame:
            one = self.transformations[name]
            inputs = []
            for number, read in enumerate(one.reads):
                if (name, number) == slot:
                    inputs.append(rows)
                elif read in section.members:
                    inputs.append(made(read))
                else:
                    inputs.append(self.frame(read).limit(0) if section.exclusive else self.frame(read))
            # What a function of pandas frames gives is told by its whole inputs, not by a few rows.
            return apply(one, inputs, self.frame(name).schema if one.pandas else None)

        return made(section.name)

    def call(self, section: Section, at: int) -> Call:
        """The same of a section over pandas frames, as a function of a table that can be sent to executors."""
        steps = []
        start, number = slots(section, self.transformations)[at]
        moving = ""
        for name in (one for one in section.members if self._leads(one, start, section)):
            one = self.transformations[name]
            place = number if name == start else one.reads.index(moving)
            fixed = [
                None if n == place else table_of(self.frame(read).limit(0) if section.exclusive else self.frame(read))
                for n, read in enumerate(one.reads)
            ]
            steps.append((of_tables(one.function, self._arrow(name)), place, fixed))
            moving = name

        def call(table: pa.Table) -> pa.Table:
            for step, place, fixed in steps:
                table = step(*(table if n == place else other for n, other in enumerate(fixed)))
            return table

        return call

    def _arrow(self, name: str) -> pa.Schema:
        frame = self.frame(name)
        return arrow_schema(frame.sparkSession, frame.schema)

    def _leads(self, name: str, start: str, section: Section) -> bool:
        """Whether a member of a section lies between one of them and the output."""
        return name == start or any(
            read in section.members and self._leads(read, start, section) for read in self.transformations[name].reads
        )
