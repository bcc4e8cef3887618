"""The names of tables that files give, by the last parts of them: what a name without schema may mean (rule Q34).

    a.sql   CREATE TABLE core.t (...)         CORE.T is given
    b.sql   CREATE VIEW mart.v AS SELECT * FROM t        is told that of T there is CORE.T

It follows from glances alone, so the order of files does not matter. See `mdw.readers.sql.short_names`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mdw.model.dictionary import NAMESAKES, AttributeEntry, EntityEntry
from mdw.readers.files.glances import Glance, last_of, plain_name

GIVEN, READ = "given", "read"
"""How a name was met: where its table is made or written, or only where it is read."""


class Namesakes:
    """What glances at files tell of names; each file with the schema of its names that have none."""

    def __init__(self, files: Iterable[tuple[Glance, Sequence[str]]]) -> None:
        self._found: dict[str, dict[str, str]] = {}
        for seen, path in files:
            for name in seen.reads | seen.makes:
                if "." in name:
                    self._found.setdefault(last_of(name), {}).setdefault(name, READ)
            for name in seen.given:
                whole = f"{path[0]}.{name}" if path and "." not in name and "!" not in name else name
                some = self._found.setdefault(last_of(plain_name(name.rpartition("!")[2])), {})
                some[whole] = GIVEN

    def told(self, names: Iterable[str]) -> Iterator[EntityEntry]:
        """For each of these names that has no schema those that end so."""
        for name in sorted(names):
            some = self._found.get(name) if "." not in name else None
            if some:
                yield EntityEntry(f"{NAMESAKES}{name}", tuple([AttributeEntry(*one) for one in sorted(some.items())]))
