"""Names of tables without a schema -> the tables they mean in a view, a routine or a trigger (rule Q34).

    CREATE PROCEDURE sales.p AS INSERT INTO t ...      SALES.T where that is known, else DBO.T where that is (T-SQL)
    CREATE VIEW mart.v AS SELECT * FROM t              PUBLIC.T where that is known; else CORE.T, if no other name ends
                                                       in T; of several each may be meant (PostgreSQL)

Known is what a dictionary, a statement or any file of the folder speaks of, wherever that stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from mdw.model.dictionary import NAMESAKES, Told
from mdw.model.name import alike, local_of, parts
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.naming import Identifiers, Schemas, joined
from mdw.readers.sql.shapes import is_name_of

DEFAULTS = {
    **dict.fromkeys(TRANSACT, "DBO"),
    **dict.fromkeys(("postgres", "redshift", "snowflake", "materialize", "risingwave"), "PUBLIC"),
    **dict.fromkeys(("duckdb", "sqlite"), "MAIN"),
    **dict.fromkeys(("databricks", "spark", "spark2", "hive", "clickhouse"), "DEFAULT"),
}
"""The schema of names that have none, where nobody says another one."""
INSIDE, UNKNOWN = "!", "?"
"""What stands, in what files tell, between the schema of a routine and a name without schema in it; twice where that is
made. UNKNOWN stands for a schema of which nobody knows which it is.
"""


class MeantTables(NamedTuple):
    """The tables that a name may mean, nearly always one; of several the first is the name in its own schema.

    ``deduced``: in no schema where it is looked for there is one that is known.
    """

    tables: tuple[str, ...]
    deduced: bool = False


class ShortNames:
    """The tables that anybody speaks of, by the last parts of their names.

    ``owned``: names in a routine are of the routine's schema.
    """

    def __init__(self, told: Told, naming: Identifiers, dialect: str, *, owned: bool) -> None:
        self._told, self._naming = told, naming
        self._default, self._owned = DEFAULTS.get(dialect, ""), owned
        self._known: dict[str, Mapping[str, str]] = {}

    def meant(self, name: str, schemas: Schemas, exists: Callable[[str], bool]) -> MeantTables:
        """The tables that a name may mean; ``exists`` tells whether a statement before or a dictionary has one."""
        known = self._of(name)
        scope = [joined(one, name) for one in schemas.whole]
        default = joined(schemas.catalog, self._default, name) if self._default else name
        # Who writes no schema anywhere means the default one, whether he calls it so or not.
        first = scope[0] if scope and (scope[0] != default or schemas.catalog) else name
        bare = () if schemas.catalog and default in scope else (name,)
        # What is only written inside of routines, without a schema, may itself be of another than theirs.
        for kinds in (("given", "read"), ("inside",)):
            tables = [table for table, kind in known.items() if kind in kinds]
            for one in dict.fromkeys((*scope, *bare, default)):
                if exists(one) or any(is_name_of(table, one) for table in tables):
                    return MeantTables((one,))
            some = [table for table in tables if known[table] != "read" and table != name]
            some = [table for table in some if alike(table, first)] or some
            if some:
                return MeantTables((some[0],) if len(some) == 1 else (first, *some), deduced=True)
        return MeantTables((first,))

    def of_script(self, name: str, exists: Callable[[str], bool]) -> str:
        """The table that a statement outside of them means, where nobody says which schema is in force.

        Whoever writes the default schema before a name means the table of those who write none.
        """
        default = joined(self._default, name)
        return default if default in self._of(name) or (default != name and exists(default)) else name

    def _of(self, name: str) -> Mapping[str, str]:
        """The names that end so, each with how it was met: given, read, or given inside of a routine without schema."""
        own = local_of(name)
        if own not in self._known:
            entry = self._told.entity(f"{NAMESAKES}{self._plain(own)}")
            found: dict[str, str] = {}
            for one in entry.attributes if entry is not None else ():
                for whole, kind in self._read(one.name, one.type):
                    if local_of(whole) == own and found.get(whole) != "given":
                        found[whole] = kind
            self._known[own] = found
        return self._known[own]

    def _read(self, text: str, kind: str) -> Iterator[tuple[str, str]]:
        if kind == "table":
            # A dictionary has names as they are known here.
            yield text, "given"
            return
        schema, inside, last = text.rpartition(INSIDE)
        made = schema.endswith(INSIDE)
        schema = schema.strip(INSIDE)
        if not inside:
            # A look at words gives what is read in small letters.
            yield self._naming.meant(text), kind
        elif schema != UNKNOWN:
            own = self._naming.meant(schema) if schema and self._owned else ""
            if made and self._default == "DBO":
                own = ""
            yield joined("" if own == self._default else own, self._naming.meant(last)), "inside"

    def _plain(self, name: str) -> str:
        return ".".join(part.strip("`") for part in parts(name)).lower()
