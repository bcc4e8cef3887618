"""Entries of the data dictionary put together, and found by name."""

from __future__ import annotations

import pickle

import pytest

from mdw.model.dictionary import AttributeEntry, DataDictionary, EntityEntry, Reference, merged

A, B, C = AttributeEntry("A"), AttributeEntry("B"), AttributeEntry("C")


@pytest.mark.parametrize(
    ("first", "then", "columns", "whole"),
    [
        (EntityEntry("T", (A, B), whole=True), EntityEntry("T", (B, A), whole=True), ("B", "A"), True),
        (EntityEntry("T", (A, B), whole=True), EntityEntry("T", (C, B)), ("A", "B"), True),
        (EntityEntry("T", (C, B)), EntityEntry("T", (A, B), whole=True), ("A", "B"), True),
        (EntityEntry("T", (C, B)), EntityEntry("T", (A, B)), ("C", "B", "A"), False),
    ],
)
def test_which_attributes_there_are_says_the_entry_that_is_whole(
    first: EntityEntry, then: EntityEntry, columns: tuple[str, ...], whole: bool
) -> None:
    found = merged(first, then)
    assert (found.columns, found.whole) == (columns, whole)


def test_what_is_told_later_counts_more_and_what_it_does_not_tell_stays() -> None:
    told = EntityEntry("T", (AttributeEntry("A", "INT", default="1", description="old"),), description="a table")
    described = merged(told, EntityEntry("T", (AttributeEntry("A", description="new"),), tags=("pii",)))
    assert described.attribute("A") == AttributeEntry("A", "INT", default="1", description="new")
    assert (described.description, described.tags) == ("a table", ("pii",))


def test_who_tells_the_type_tells_the_default_too() -> None:
    told = EntityEntry("T", (AttributeEntry("A", "INT", default="1", description="old"),))
    again = merged(told, EntityEntry("T", (AttributeEntry("A", "BIGINT"),)))
    assert again.attribute("A") == AttributeEntry("A", "BIGINT", description="old")


def test_an_ending_that_two_entities_have_finds_neither() -> None:
    told = DataDictionary((EntityEntry("DW.A.T"), EntityEntry("DW.B.T"), EntityEntry("S")))
    assert told.entity("T") is None
    assert told.entity("A.T") == EntityEntry("DW.A.T")
    assert told.entity("DW.A.T") == EntityEntry("DW.A.T")
    assert told.entity("OTHER.S") is None  # a name without schema may be of any


def test_entries_of_one_entity_are_one() -> None:
    told = DataDictionary((EntityEntry("T", (A,)),)).with_entries([EntityEntry("T", (B,))])
    assert [one.columns for one in told] == [("A", "B")]


def test_entries_come_whole_from_other_processes() -> None:
    attribute = AttributeEntry("A", "INT", "1", "B + 1", True, True, "said", ("tag",), "a")
    keys = (Reference(("A",), "R", ("B",)),)
    told = (
        True,
        "table",
        ("A",),
        keys,
        "said",
        ("tag",),
        "t.sql",
        "ansi",
        True,
        ("trigger",),
        (("A", "R.B"),),
        (("B",),),
    )
    entry = EntityEntry("T", (attribute,), *told)
    assert pickle.loads(pickle.dumps(entry)) == entry
