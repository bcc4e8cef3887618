"""Facts in Arrow -> the same, where those of a population that only copies have become one.

Of POPULATE T.A WITH S.X, which is what most populations say, there are four facts, in three tables:

    part       population clause component  role        name
    POPULATION 1          0      0          attribute   T.A
    WITH       1          1      0          with
    EXPRESSION 1          1      1          computation
    EXPRESSION 1          1      2          attribute   S.X     POPULATION 1 0 1 copy T.A, source S.X

Why so: Python goes through facts one by one, Arrow through all of them at once. Whatever is not exactly so, or has a
problem, stays as it is.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mdw.readers.tables.schema import CONDITION, EXPRESSION, POPULATION, WITH

COPY, PLAIN_COPY = "copy", "plain copy"
"""The roles of facts that are a whole population; their component is the number of the clause.

A plain one is known to be right where its mapping reads no entity in a role: both attributes are written without
quotes and mean what is stated, and places are places.
"""
SOURCE = {"name": "source", "content": "source_written", "place": "source_place"}
"""The columns of what is copied, by those of the fact that says so."""
PLAIN = r"^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+$"
PLACE = "^[0-9]{1,9}:[0-9]{1,9}$"
"""Names of attributes without quotes, and places, as RE2 matches them."""
MOST_POPULATIONS, MOST_CLAUSES = 1 << 20, 1 << 12
"""Numbers that fit into a key beside that of the mapping."""

Mask: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def with_copies(found: pa.Table, order: pa.Array) -> pa.Table:
    """Facts, of one chunk, in an order: by mapping, part, population, clause and component, with the columns of SOURCE.

    Those of a population that copies are one.
    """
    kept, sources, clauses = _kept(found, np.asarray(order))
    taken = found.take(kept)
    place = pa.array(sources, mask=sources < 0)
    copies = np.flatnonzero(sources >= 0)
    kinds = np.zeros(len(taken), np.int8)
    kinds[copies] = 1 + (_plain(taken.take(copies)) & _plain(found.take(sources[copies])))
    for name, column in (
        ("role", pc.choose(kinds, taken["role"], COPY, PLAIN_COPY)),
        ("component", pc.if_else(pc.is_valid(place), pa.array(clauses, pa.int32()), taken["component"])),
    ):
        taken = taken.set_column(taken.schema.get_field_index(name), name, column)
    for name, of_source in SOURCE.items():
        taken = taken.append_column(of_source, found[name].take(place))
    return taken


def _plain(attributes: pa.Table) -> Mask:
    """Whether each fact of an attribute writes it without quotes, means its name, and has a place or none."""
    name = attributes["name"]
    written = pc.coalesce(attributes["content"], name)
    right = pc.and_(pc.match_substring_regex(written, PLAIN), pc.equal(pc.ascii_upper(written), name))
    placed = pc.fill_null(pc.match_substring_regex(attributes["place"], PLACE), True)
    return np.asarray(pc.and_(pc.fill_null(right, False), placed))


def _kept(found: pa.Table, order: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The rows that stay, in order; of each that of what it copies, or -1, and the number of the clause, or 0."""
    sources, clauses = np.full(len(found), -1), np.zeros(len(found), np.int64)
    part, population, clause = (_numbers(found, name)[order] for name in ("part", "population", "clause"))
    if not len(found) or not _fit(population, MOST_POPULATIONS) or not _fit(clause, MOST_CLAUSES):
        return order, sources, clauses
    codes = np.asarray(found["mapping_id"].chunk(0).dictionary_encode().indices)[order]
    mapping = np.cumsum(np.concatenate(([False], codes[1:] != codes[:-1])))
    of_population = mapping * MOST_POPULATIONS + population
    of_clause = of_population * MOST_CLAUSES + clause
    good = np.asarray(pc.is_null(found["problem"]))[order]

    def alone(of_part: int, keys: Numbers) -> Numbers:
        """The rows of a part that are the only ones with their key; rows of a part with the same key are neighbours."""
        rows = np.flatnonzero(part == of_part)
        apart = np.concatenate(([True], keys[rows][1:] != keys[rows][:-1], [True]))
        single: Numbers = rows[apart[1:] & apart[:-1] & good[rows]]
        return single

    first = _pairs(found, order, part, of_clause, good)
    first = first[~np.isin(of_clause[first], of_clause[part == CONDITION])]
    clauses_of = alone(WITH, of_population)
    at = _among(of_clause[clauses_of], of_clause[first])
    clauses_of, first = clauses_of[at >= 0], first[at[at >= 0]]
    filled = alone(POPULATION, of_population)
    at = _among(of_population[filled], of_population[first])
    filled, first, clauses_of = filled[at >= 0], first[at[at >= 0]], clauses_of[at[at >= 0]]
    sources[filled], clauses[filled] = order[first + 1], clause[first]
    stays = np.ones(len(found), bool)
    stays[clauses_of] = stays[first] = stays[first + 1] = False
    return order[stays], sources[stays], clauses[stays]


def _pairs(found: pa.Table, order: Numbers, part: Numbers, keys: Numbers, good: Mask) -> Numbers:
    """The first rows of expressions that are an attribute and nothing else: two components, one above the other."""
    component, parent, ordinal = (_numbers(found, name)[order] for name in ("component", "parent", "ordinal"))
    plain = (part == EXPRESSION) & (ordinal == 1) & good
    top = plain & (component == 1) & (parent == 0) & np.asarray(pc.equal(found["role"], "computation"))[order]
    below = plain & (component == 2) & (parent == 1) & np.asarray(pc.equal(found["role"], "attribute"))[order]
    same = (keys[1:] == keys[:-1]) & (part[1:] == part[:-1])
    before, after = np.concatenate(([False], same)), np.concatenate((same, [False]))
    first: Numbers = np.flatnonzero(top[:-1] & below[1:] & ~before[:-1] & after[:-1] & ~after[1:])
    return first


def _among(wanted: Numbers, keys: Numbers) -> Numbers:
    """The places of keys among others, which are sorted and each there once; -1 where it is not there."""
    at = np.searchsorted(keys, wanted)
    there = np.append(keys, -1)[np.minimum(at, len(keys))] == wanted
    places: Numbers = np.where(there, at, -1)
    return places


def _fit(numbers: Numbers, most: int) -> bool:
    return bool(numbers.min() >= 0 and numbers.max() < most)


def _numbers(found: pa.Table, name: str) -> Numbers:
    return np.asarray(found[name]).astype(np.int64)
