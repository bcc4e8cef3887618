"""Annotated plans: frames whose rows carry the ids of the source rows that they were made of.

A row of the plan stands in it once for each combination of source rows that it was made of: what counts rows, as
aggregates do, is computed by the plan itself and joined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from mdw.tracing.accuracy import Accuracy, worst

Flag = Column | Literal[True]
Flags = Mapping[int, Flag]
"""Of one expression, by read: whether the row of that read gives it a value; a read not in it never does (rule T3)."""
Key = int | tuple[int, int]
"""An attribute, or one element of an attribute that holds an array."""
Meeting = Literal["rounded", "unordered", "loose", "shown"]
"""How values of two runs of one plan meet that are not equal in both: nearly, in any order, or not at all (rule T7).

Values that are ``shown`` are not computed again: the rows asked for show them, and whatever tells these from others.
"""
NEARLY = 1e-9


def named(which: int) -> str:
    """The column of an attribute."""
    return f"a{which}"


def row_id(read: int) -> str:
    """The column that holds the row of a read: its file, its number there, and its values."""
    return f"id{read}"


@dataclass(frozen=True)
class Annotated:
    """A plan as a frame with a column for each of its attributes and for the id of each of its reads.

    ``flags`` say by attribute and read, True or the column that says so, whether the read's row gives the value.
    ``meeting`` tells attributes that may differ from run to run, and ``certain`` is False where rows may be there that
    were not in the run; ``cut``: where a row less may bring another one. ``absences`` are columns with sentences (rule
    T4), ``alone`` is False behind aggregates.
    """

    frame: DataFrame
    attributes: tuple[int, ...]
    reads: tuple[int, ...] = ()
    flags: Mapping[Key, Mapping[int, str | Literal[True]]] = field(default_factory=dict)
    accuracy: Mapping[int, Accuracy] = field(default_factory=dict)
    meeting: Mapping[int, Meeting] = field(default_factory=dict)
    certain: bool = True
    cut: bool = False
    absences: tuple[str, ...] = ()
    alone: bool = True

    def __getitem__(self, attribute: int) -> Column:
        return f.col(named(attribute))

    def values(self, attribute: Key) -> Flags:
        """Whether the rows of reads give an attribute its value."""
        found = self.flags.get(attribute, {})
        return {read: flag if flag is True else f.col(flag) for read, flag in found.items()}

    def elements(self, attribute: int) -> dict[int, Flags]:
        """The same for the elements of an array that are told apart."""
        keys = [key for key in self.flags if isinstance(key, tuple) and key[0] == attribute]
        return {key[1]: self.values(key) for key in keys}

    def loose(self, attributes: set[int]) -> bool:
        """Whether what is computed from attributes is not the same in each run."""
        return any(self.meeting.get(one) in ("loose", "unordered") for one in attributes)

    def shown(self, attributes: set[int]) -> bool:
        """Whether what is computed from attributes is told by the rows asked for alone."""
        return any(self.meeting.get(one) == "shown" for one in attributes)

    def annotations(self) -> list[Column]:
        """The columns beside those of attributes and flags."""
        return [f.col(name) for name in (*map(row_id, self.reads), *self.absences)]

    def at_most(self, *, certain: bool = True) -> Annotated:
        """The same where rows may be too many, and may not have been there if it is not ``certain``."""
        accuracy: dict[int, Accuracy] = {read: worst(one, "at most") for read, one in self.accuracy.items()}
        return replace(self, accuracy=accuracy, certain=self.certain and certain)

    def where(self, condition: Column) -> Annotated:
        """Those rows alone that meet a condition."""
        return replace(self, frame=self.frame.where(condition))


@dataclass(frozen=True)
class Computed:
    """An attribute that a plan gives: how it is computed, whose rows give its value, how it meets other runs."""

    attribute: int
    column: Column
    flags: Flags
    meeting: Meeting | None = None
    elements: Mapping[int, Flags] = field(default_factory=dict)


class ColumnNames:
    """Names of columns that are no attribute's."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}_{self._count}"


def giving(base: Annotated, outputs: Sequence[Computed], names: ColumnNames, more: Sequence[Column] = ()) -> Annotated:
    """A plan that gives these attributes, computed over the frame of another, with the annotations of that one."""
    columns: dict[str, Column] = {}
    flags: dict[Key, dict[int, str | Literal[True]]] = {}
    for one in outputs:
        if named(one.attribute) in columns:
            continue
        columns[named(one.attribute)] = one.column.alias(named(one.attribute))
        elements: dict[Key, Flags] = {(one.attribute, number): flags for number, flags in one.elements.items()}
        for key, found in {one.attribute: one.flags, **elements}.items():
            flags[key] = {}
            for read, flag in found.items():
                flags[key][read] = name = True if flag is True else names("f")
                if flag is not True:
                    columns[str(name)] = f.coalesce(flag, f.lit(False)).alias(str(name))
    return replace(
        base,
        frame=base.frame.select(*columns.values(), *base.annotations(), *more),
        attributes=tuple(dict.fromkeys(one.attribute for one in outputs)),
        flags=flags,
        meeting={one.attribute: one.meeting for one in outputs if one.meeting},
    )


def either(*all_flags: Flags) -> Flags:
    """Whether one of several expressions takes its value from the row of a read."""
    found: dict[int, Flag] = {}
    for flags in all_flags:
        for read, flag in flags.items():
            before = found.get(read)
            found[read] = True if flag is True or before is True else flag if before is None else before | flag
    return found


def only(flags: Flags, condition: Column) -> Flags:
    """The same where a condition holds; it may be NULL."""
    held = f.coalesce(condition, f.lit(False))
    return {read: held if flag is True else held & flag for read, flag in flags.items()}


def meets(one: Column, other: Column, meeting: Meeting | None) -> Column | None:
    """Whether two values of the same attribute, of two runs, are one; None if all may be."""
    if meeting in ("loose", "shown"):
        return None
    if meeting == "unordered":
        return f.array_sort(one).eqNullSafe(f.array_sort(other))
    if meeting == "rounded":
        near = f.abs(one - other) <= NEARLY * (f.abs(one) + f.abs(other))
        return one.eqNullSafe(other) | f.coalesce(near, f.lit(False))
    return one.eqNullSafe(other)
