"""The fields that values have, as trees of names, and as paths to each of them.

{'a': 1, 'n': {'b': 2}}        (("A", None), ("N", (("B", None),)))        A, N, N.B
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdw.model.dictionary import EntityEntry

Path = tuple[str, ...]
Fields = tuple[tuple[str, "Fields"], ...] | None
"""Names in order, each with the fields of what it names; None where nobody knows."""


def same_fields(several: Iterable[Fields]) -> bool:
    """Whether values have fields of the same names in the same order, as far as anybody knows."""
    known = [one for one in several if one is not None]
    if len(known) < 2:
        return True
    if any([name for name, _ in one] != [name for name, _ in known[0]] for one in known):
        return False
    return all(same_fields(inner for _, inner in some) for some in zip(*known, strict=True))


def fields_told(entry: EntityEntry | None) -> dict[str, list[Path]]:
    """The fields that an entry tells, by attribute, each by its path."""
    return {one.name: one.paths for one in entry.attributes if one.fields} if entry is not None else {}


def paths_of(fields: Fields, before: Path = ()) -> Iterator[Path]:
    """The paths to fields and to those within them."""
    for name, inner in fields or ():
        if name:
            yield (*before, name)
            yield from paths_of(inner, (*before, name))


def tree_of(paths: Iterable[Path]) -> Fields:
    """The fields to which these paths lead, in their order."""
    within: dict[str, list[Path]] = {}
    for first, *rest in paths:
        within.setdefault(first, []).extend([tuple(rest)] if rest else [])
    return tuple([(name, tree_of(some)) for name, some in within.items()]) or None
