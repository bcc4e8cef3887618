"""The texts of all rules -> arrays of what leads where, attributes and mappings by number.

Most rules copy one attribute: a pattern reads these where the texts lie, and JSON what is left. Two rules, S.X copied
to T.A by mapping m and T.A to U.B by n:

>>> texts = pa.array(['["m","T.A","S.X",1,7]', '["n","U.B","T.A",4,7]'], TEXT)
>>> ways = Ways.of(texts, [Head("m", "T", "S"), Head("n", "U", "T")])
>>> ways.names.to_pylist()
['S.X', 'T.A', 'U.B']
>>> ways.flows.tolist(), ways.target[ways.flowing].tolist(), ways.mapping.tolist()
([0, 1], [1, 2], [0, 1])

Values flow from 0 to 1 and from 1 to 2; mappings are told by their places among the heads. The driver has all rules of
a warehouse in memory at once, which is why they are numbers in arrays and not objects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mdw.lineage.everything.closure import Numbers
from mdw.model.candidates import carried
from mdw.model.name import entity_of
from mdw.model.rules import Head
from mdw.rdf.codec import COPIED, outlines

TEXT = pa.large_string()
"""Texts of a column may be more than two thousand million bytes together."""


class Filled(NamedTuple):
    """An attribute that a mapping fills."""

    mapping: str
    target: str


@dataclass(frozen=True, slots=True)
class Ways:
    """Populations by their place among the texts, attributes by their place among ``names``, which are in order.

    Of population i: ``target[i]``, ``mapping[i]`` as the place among the heads, and how many ``constants`` it writes.
    Values flow from ``flows[j]`` by population ``flowing[j]``; ``decides[j]`` has a say in population ``deciding[j]``.
    Mapping ``user[j]`` uses ``used[j]`` in all it does.
    """

    names: pa.Array
    target: Numbers
    mapping: Numbers
    constants: Numbers
    flows: Numbers
    flowing: Numbers
    decides: Numbers
    deciding: Numbers
    used: Numbers
    user: Numbers

    @classmethod
    def of(cls, texts: pa.Array, heads: Sequence[Head]) -> Ways:
        """The ways of populations that `mdw.rdf.codec` wrote."""
        copies = pc.extract_regex(texts, COPIED)
        copied = copies.is_valid().to_numpy(zero_copy_only=False)
        lines = list(outlines(texts.filter(pa.array(~copied)).to_pylist()))
        copies, copying, others = copies.drop_null(), np.flatnonzero(copied), np.flatnonzero(~copied)
        names, (targets, sources, filled, flows, decides, used) = _numbered(
            copies.field("target"),
            copies.field("source"),
            _texts(line.target for line in lines),
            _texts(chain.from_iterable(line.flows for line in lines)),
            _texts(chain.from_iterable(line.decides for line in lines)),
            _texts(source.attribute for head in heads for source in head.sources),
        )
        known = _texts(head.mapping for head in heads)
        mapping, target = np.empty(len(texts), dtype=np.int64), np.empty(len(texts), dtype=np.int64)
        mapping[copying] = _array(pc.index_in(copies.field("mapping"), known))
        mapping[others] = _array(pc.index_in(_texts(line.mapping for line in lines), known))
        target[copying], target[others] = targets, filled
        constants = np.zeros(len(texts), dtype=np.int64)
        constants[others] = [line.constants for line in lines]
        return cls(
            names,
            target,
            mapping,
            constants,
            np.concatenate([sources, flows]),
            np.concatenate([copying, np.repeat(others, [len(line.flows) for line in lines])]),
            decides,
            np.repeat(others, [len(line.decides) for line in lines]),
            used,
            np.repeat(np.arange(len(heads)), [len(head.sources) for head in heads]),
        )

    def carried(self, heads: Sequence[Head]) -> Numbers:
        """The pairs of the carry rule, one to a row: an attribute, and the one that its value is carried to."""
        # A mapping that fills every known attribute of its target carries nothing. Counting tells which do; only the
        # others are looked at one by one.
        names = self.names.to_pylist()
        known = Counter(map(entity_of, names))
        fill = np.bincount(self.mapping, minlength=len(heads)).tolist()
        short = np.array([count < known[head.target] for head, count in zip(heads, fill, strict=True)], dtype=bool)
        few = np.flatnonzero(short[self.mapping])
        filling = zip(self.mapping[few].tolist(), self.target[few].tolist(), strict=True)
        some = [Filled(heads[mapping].mapping, names[target]) for mapping, target in filling]
        pairs = carried([head for head, one in zip(heads, short.tolist(), strict=True) if one], some, set(names))
        numbers = {name: number for number, name in enumerate(names)}
        return np.array(sorted((numbers[a], numbers[b]) for a, b in pairs), dtype=np.int64).reshape(-1, 2)


def _numbered(*columns: pa.Array) -> tuple[pa.Array, list[Numbers]]:
    """Every name once, in order, and each column as places among them."""
    # Arrow numbers texts as it meets them; in order of names the numbers do not depend on the order of the rules.
    encoded = pa.concat_arrays([column.cast(TEXT) for column in columns]).dictionary_encode()
    order = _array(pc.sort_indices(encoded.dictionary))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    places = place[_array(encoded.indices)]
    return encoded.dictionary.take(pa.array(order)), np.split(
        places, np.cumsum([len(column) for column in columns])[:-1]
    )


def _texts(texts: Iterable[str]) -> pa.Array:
    return pa.array(list(texts), TEXT)


def _array(numbers: pa.Array) -> Numbers:
    return np.asarray(numbers.to_numpy(zero_copy_only=False), dtype=np.int64)
