"""Declared properties of a pipeline put to the test on rows of its sources (`mdw.tracing.refuting`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.types import StructType

from mdw.model.errors import QuestionError
from mdw.spark.run.failures import FAILURES, cause
from mdw.spark.run.quiet import quietly
from mdw.spark.tuples.pipelines.arrow import ColumnsError, frozen, rows_of, to_arrow, to_pandas
from mdw.spark.tuples.pipelines.checking import check
from mdw.spark.tuples.pipelines.functions import arrow_schema, columns_of, frame_of, table_of
from mdw.spark.tuples.pipelines.keys import image
from mdw.spark.tuples.pipelines.network import Network
from mdw.spark.tuples.pipelines.pipeline import Pipeline
from mdw.spark.tuples.pipelines.transformation import Transformation
from mdw.tracing.draws import Row
from mdw.tracing.merging import Section
from mdw.tracing.properties import Layer
from mdw.tracing.refuting import Verdict, verdicts
from mdw.tracing.trial import FailedError, Rows

SAMPLE = 40
"""Rows of an input from which bags are drawn: as many of its first, which often belong together, as of any."""


@quietly()
def verify(pipeline: Pipeline, sources: Mapping[str, DataFrame], tries: int = 20) -> tuple[Verdict, ...]:
    """Try to refute each declared property on small bags of rows, ``tries`` times each; none is ever proved.

    Transformations of Spark frames run a job for each bag. QuestionError where sources or columns are not there.
    """
    found: list[Verdict] = []
    for name, one in pipeline.transformations.items():
        network = pipeline.network(name, sources)
        check(network, [one])
        for at, read in enumerate(one.reads):
            trial = SparkTrial(network, one, at)
            found += verdicts(name, read, one.properties[at], trial, trial.sample(), tries=tries)
    return tuple(found)


@dataclass
class SparkTrial:
    """A transformation as a function of one input, the others as they are; each bag is run once."""

    network: Network
    one: Transformation
    at: int
    _known: dict[frozenset[tuple[Row, int]], Rows] = field(default_factory=dict)
    _values: dict[Hashable, Any] = field(default_factory=dict)
    _schemas: dict[str, pa.Schema] = field(default_factory=dict)
    _images: dict[tuple[Layer, ...], dict[Row, Row]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._input = self.network.frame(self.one.reads[self.at])
        self._output = self.network.frame(self.one.name)
        self.columns = tuple(self._input.columns)
        self.output = tuple(self._output.columns)
        self._section = Section.of(self.one.name, self.one.reads, self.one.properties, exclusive=self.one.exclusive)
        self._call = self.network.call(self._section, self.at) if self.one.pandas else None

    def sample(self) -> list[Row]:
        """Rows that bags are drawn from."""
        first = table_of(self._input.limit(SAMPLE))
        mixed = table_of(self._input.orderBy(f.rand(1)).limit(SAMPLE))
        few, many = Counter(self._rows(first)), Counter(self._rows(mixed))
        return list((few | many).elements())

    def run(self, rows: Sequence[Row]) -> Rows:
        """T(rows); FailedError if the function fails or changes its columns."""
        bag = frozenset(Counter(rows).items())
        if bag not in self._known:
            self._known[bag] = self._ran(rows)
        return self._known[bag]

    def again(self, rows: Sequence[Row]) -> Rows:
        """The same backwards, and in as many partitions as it has rows."""
        return self._ran(list(reversed(rows)), partitions=max(2, len(rows)))

    def _ran(self, rows: Sequence[Row], partitions: int = 0) -> Rows:
        table = self._table(rows, self._input.schema)
        try:
            if self._call is not None:
                return Counter(rows_of(self._call(table)))
            frame = frame_of(self._input.sparkSession, table, self._input.schema)
            frame = frame.repartition(partitions) if partitions else frame
            found = self.network.run(self._section, self.at, frame)
            if set(found.columns) != set(self.output):
                raise FailedError(f"it gives the columns {', '.join(found.columns)}")
            return Counter(self._rows(table_of(columns_of(found, self.output))))
        except FailedError:
            raise
        except (*FAILURES, QuestionError, ColumnsError) as error:
            raise FailedError(cause(error)) from error
        except Exception as error:  # whatever a function of the user's raises
            raise FailedError(f"it fails: {cause(error)}") from error

    def forward(self, layers: Sequence[Layer], rows: Sequence[Row]) -> list[Row]:
        """What a map gives of input rows."""
        return self._mapped(layers, rows, self._input.schema)

    def backward(self, layers: Sequence[Layer], rows: Sequence[Row]) -> list[Row]:
        """What a map gives of output rows."""
        return self._mapped(layers, rows, self._output.schema)

    def _mapped(self, layers: Sequence[Layer], rows: Sequence[Row], schema: StructType) -> list[Row]:
        ends = [column for column, _ in layers[-1]]
        if not ends:
            return [()] * len(rows)
        known = self._images.setdefault(tuple(layers), {})
        new = [row for row in dict.fromkeys(rows) if row not in known]
        if new:
            frame = frame_of(self._input.sparkSession, self._table(new, schema), schema).coalesce(1)
            known.update(zip(new, self._rows(table_of(image(frame, layers, ends))), strict=True))
        return [known[row] for row in rows]

    def call(self, function: Callable[..., Any], rows: Sequence[Row], source: Sequence[Row] | None) -> Rows:
        """What the user's inverse or procedure gives; FailedError if it fails."""
        given = [self._table(rows, self._output.schema)]
        given += [self._table(source, self._input.schema)] if source is not None else []
        schemas = [self._output.schema, self._input.schema]
        try:
            if self.one.pandas:
                arrow = self._arrow(self._input.schema)
                return Counter(rows_of(to_arrow(function(*map(to_pandas, given)), arrow)))
            spark = self._input.sparkSession
            frames = [frame_of(spark, table, schema) for table, schema in zip(given, schemas, strict=False)]
            found = function(*frames).select(*(f.col(x.name).cast(x.dataType) for x in self._input.schema))
            return Counter(self._rows(table_of(found)))
        except Exception as error:  # whatever a function of the user's raises
            raise FailedError(f"it fails: {cause(error)}") from error

    def _arrow(self, schema: StructType) -> pa.Schema:
        known = self._schemas.get(schema.json())
        if known is None:
            known = self._schemas[schema.json()] = arrow_schema(self._input.sparkSession, schema)
        return known

    def _rows(self, table: pa.Table) -> list[Row]:
        """Rows as frozen values; of what was frozen it is remembered what it was."""
        columns = []
        for column in table.columns:
            values = column.to_pylist()
            columns.append(list(map(frozen, values)))
            self._values.update(zip(columns[-1], values, strict=True))
        return list(zip(*columns, strict=True)) if columns else [()] * table.num_rows

    def _table(self, rows: Sequence[Row], schema: StructType) -> pa.Table:
        """Rows of a schema as a table."""
        arrow = self._arrow(schema)
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(arrow)
        arrays = [
            pa.array([self._values[one] if isinstance(one, tuple) else one for one in column], each.type)
            for column, each in zip(columns, arrow, strict=True)
        ]
        return pa.Table.from_arrays(arrays, names=arrow.names)
