"""Rows that go to other partitions, many in one record: bundles, and the buckets in which they meet again.

    rows of a table -> a bundle for each bucket -> (Spark brings bundles together) -> the rows of a bucket, by table

Why so: a row that goes through Spark by itself is written, hashed, sorted and copied into Arrow by Java, which takes
five times what Arrow takes to divide it, bundle it and sort it again. Of bundles there are a few thousand.

A partition has several buckets, each with all rows of some mappings. One of them is held at a time; Spark's sorting,
which goes to the disk where it must, holds the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Batches = Iterator[pa.RecordBatch]
BUNDLE = "partition int, bucket int, label string, rows binary"
"""A bundle in the words of Spark: where it goes, what its rows are, and these as a stream of Arrow."""
_SCHEMA = pa.schema([("partition", pa.int32()), ("bucket", pa.int32()), ("label", pa.string()), ("rows", pa.binary())])
FEW, SOME, MANY = 50_000, 16, 500_000
"""Rows of a bucket where one partition has few of them, buckets of one that has more, and rows that one may have."""


HEAVY = 1 << 28
"""Bytes that rows may take that become bundles together."""


class Buckets(NamedTuple):
    """How many partitions there are, and buckets in each."""

    partitions: int
    each: int

    @classmethod
    def of(cls, rows: int, partitions: int) -> Buckets:
        """Buckets for about so many rows: more of them make smaller bundles, fewer need more memory.

        >>> [Buckets.of(rows, 4).each for rows in (10, 1_000_000, 10_000_000, 100_000_000)]
        [1, 6, 16, 50]
        """
        share = rows // partitions
        return cls(partitions, max(min(1 + share // FEW, SOME), share // MANY))

    def numbers(self, keys: pa.Array) -> list[int]:
        """The number among all buckets of the one that each key is in, on whatever machine."""
        several = self.partitions * self.each
        return [crc32(key) % several for key in keys.cast(pa.binary()).to_pylist()]


def bundled(label: str, rows: pa.RecordBatch, keys: pa.Array, buckets: Buckets) -> Batches:
    """Rows as bundles; ``keys`` say what each belongs to, and whatever has the same key comes into the same bucket."""
    if rows.nbytes > HEAVY and len(rows) > 1:
        half = len(rows) // 2
        yield from bundled(label, rows.slice(0, half), keys.slice(0, half), buckets)
        yield from bundled(label, rows.slice(half), keys.slice(half), buckets)
        return
    coded = keys.dictionary_encode()
    numbers = pa.array(buckets.numbers(coded.dictionary), pa.int32()).take(coded.indices)
    order = pc.sort_indices(numbers)
    moved, runs = rows.take(order), pc.run_end_encode(numbers.take(order))
    places = runs.values.to_pylist()
    start, ends = 0, [0]
    # One after the other in one piece of memory, of which Arrow need not make another.
    sink = pa.BufferOutputStream()
    for end in runs.run_ends.to_pylist():
        with pa.ipc.new_stream(sink, rows.schema) as stream:
            stream.write_batch(moved.slice(start, end - start))
        ends.append(sink.tell())
        start = end
    partitions = pa.array([place % buckets.partitions for place in places], pa.int32())
    within = pa.array([place // buckets.partitions for place in places], pa.int32())
    offsets = pa.array(ends, pa.int32()).buffers()[1]
    streams = pa.Array.from_buffers(pa.binary(), len(places), [None, offsets, sink.getvalue()])
    yield pa.RecordBatch.from_arrays([partitions, within, pa.repeat(label, len(places)), streams], schema=_SCHEMA)


def together(bundles: DataFrame, partitions: int) -> DataFrame:
    """Bundles, each in its partition, in the order of buckets."""
    return bundles.repartitionById(partitions, "partition").sortWithinPartitions("bucket")


def gathered(batches: Batches) -> Iterator[dict[str, pa.Table]]:
    """The rows of each bucket of a partition, by label."""
    held: dict[str, list[pa.Table]] = {}
    before = None
    for batch in batches:
        _, places, labels, streams = batch.columns
        for bucket, label, stream in zip(places.to_pylist(), labels.to_pylist(), streams, strict=True):
            if held and bucket != before:
                yield _whole(held)
                held = {}
            before = bucket
            held.setdefault(label, []).append(pa.ipc.open_stream(stream.as_buffer()).read_all())
    if held:
        yield _whole(held)


def _whole(held: dict[str, list[pa.Table]]) -> dict[str, pa.Table]:
    return {label: pa.concat_tables(several) for label, several in held.items()}
