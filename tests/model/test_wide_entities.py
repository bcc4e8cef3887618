"""Entities of very many columns: each column is found at once, not looked for among all."""

from __future__ import annotations

import pickle
from dataclasses import replace
from time import process_time

from mdw.model.dictionary import AttributeEntry, EntityEntry

MANY = 20_000


def test_columns_of_a_wide_entity_are_told_in_time_that_grows_with_their_number() -> None:
    entry = EntityEntry("T", tuple(AttributeEntry(f"C{number}") for number in range(MANY)), key=("C7",))
    start = process_time()
    found = [entry.attribute(f"C{number}") for number in range(MANY)]
    told = entry.to_dict()["attributes"]
    assert process_time() - start < 4
    assert found == list(entry.attributes)
    assert [one["position"] for one in told] == list(range(1, MANY + 1))
    assert entry.attribute("D") is None


def test_what_was_found_is_no_part_of_what_is_told() -> None:
    entry = EntityEntry("T", (AttributeEntry("A", "INT"), AttributeEntry("B"), AttributeEntry("A", "TEXT")))
    same = replace(entry)
    assert entry.attribute("A") == AttributeEntry("A", "INT")
    assert entry == same == pickle.loads(pickle.dumps(entry))
    assert hash(entry) == hash(same)
    assert replace(entry, attributes=(AttributeEntry("C"),)).attribute("A") is None
