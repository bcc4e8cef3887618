"""Views, routines and triggers -> the schemas in which the names in them are looked for that have none (rule Q34).

The object's own     Oracle; T-SQL, then DBO; Snowflake's views and owner's rights; views of DuckDB and SQLite; MySQL's
                     routines. Of a trigger its table's.
In force when made   other views
The caller's         PostgreSQL's functions without SET search_path, caller's rights, T-SQL's texts that are run
"""

from __future__ import annotations

import re
from dataclasses import replace

from mdw.model.name import parts
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.naming import Identifiers, Schemas
from mdw.readers.sql.programs.program import Routine
from mdw.readers.sql.short_names import DEFAULTS

OWNED_VIEWS = frozenset(("oracle", "snowflake", "duckdb", "sqlite", *TRANSACT))
OWNED_ROUTINES = frozenset(("oracle", "snowflake", "sqlite", "mysql", *TRANSACT))
"""Dialects in whose views, and routines, names are of the object's own schema."""
THEN = frozenset(("duckdb", *TRANSACT))
"""Those in which they are of the default schema where the object's has no such table."""
CALLERS = re.compile(r"(?i)\bAUTHID\s+CURRENT_USER\b|\bEXECUTE\s+AS\s+(RESTRICTED\s+)?CALLER\b")
PATH = re.compile(r"(?i)\bSET\s+search_path\s*(?:=|\bTO\b)\s*((?:[\w$\"']+\s*,\s*)*[\w$\"']+)")
BODY = re.compile(r"(?s)\$(\w*)\$.*?\$\1\$")


def of_view(view: str, schemas: Schemas, dialect: str) -> Schemas:
    """Where the names in a view are looked for."""
    own = ".".join(parts(view)[:-1]) if dialect in OWNED_VIEWS else ""
    return _at_home(own, schemas, dialect)


def of_routine(
    routine: Routine, written: str, made: Schemas, now: Schemas, naming: Identifiers, dialect: str
) -> Schemas:
    """Where the names in a routine are looked for; ``written`` is all of it.

    ``made`` are the schemas in force where the script makes it, ``now`` those where it runs.
    """
    if dialect == "postgres" and (path := PATH.search(BODY.sub("", written))) is not None:
        names = [naming.known(name.strip(" '\""), quoted=False) for name in path[1].split(",")]
        return replace(now, path=tuple(name for name in names if "$" not in name), stored=True)
    if dialect not in OWNED_ROUTINES or CALLERS.search(routine_head(routine)):
        return replace(now, stored=True)
    trigger = routine.trigger
    mine = (trigger.table if trigger else "", routine.name)
    own = next((schema for name in mine if (schema := ".".join(parts(naming.meant(name))[:-1]))), "")
    return _at_home(own, made, dialect)


def routine_head(routine: Routine) -> str:
    """The head of a routine, as written."""
    tokens = routine.piece.tokens
    return routine.piece.text[tokens[0].start : tokens[-1].end + 1] if tokens else ""


def _at_home(own: str, schemas: Schemas, dialect: str) -> Schemas:
    if not own:
        return replace(schemas, stored=True)
    catalog = ".".join(parts(own)[:-1])
    default = (DEFAULTS[dialect],) if dialect in THEN else ()
    others = schemas.path if dialect == "duckdb" else ()
    path = tuple(dict.fromkeys((own, *(f"{catalog}.{one}" if catalog else one for one in default), *others)))
    return Schemas(path, catalog or schemas.catalog, stored=True)
