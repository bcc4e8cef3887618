"""USE: where names are looked for from there on.

Snowflake     USE d, USE DATABASE d    t is D.PUBLIC.T      USE SCHEMA s, USE d.s    t is S.T, D.S.T
Databricks    USE CATALOG c            t is C.DEFAULT.T     USE s, USE DATABASE s    t is S.T
T-SQL         USE d                    t is D.DBO.T         s.t is D.S.T
elsewhere     USE s                    t is S.T
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.naming import Schemas
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.tables import DBO, table_name
from mdw.readers.sql.work import Work

FIRST_SCHEMAS = {"snowflake": "PUBLIC", "databricks": "DEFAULT", **dict.fromkeys(TRANSACT, DBO)}
"""Which schema is in force behind a USE that names a catalogue alone."""
DATABASES_ARE_SCHEMAS = ("databricks", "spark", "spark2", "hive")


def use(one: Any, work: Work) -> Outcome:
    """USE: the schema of names that have none, or the catalogue of those that have one."""
    this, kind, dialect = one.this, str(one.args.get("kind") or "").upper(), work.flavour.name
    if not isinstance(this, exp.Table) or kind in ("ROLE", "WAREHOUSE"):
        return Outcome("use")
    names = table_name(this, work)
    wide = (
        dialect == "snowflake" or dialect in TRANSACT
        if not kind
        else kind == "DATABASE" and dialect not in DATABASES_ARE_SCHEMAS
    )
    if len(names) > 1:
        work.schemas = Schemas((names[-1],), ".".join(names[:-1]))
    elif wide or kind == "CATALOG":
        first = FIRST_SCHEMAS.get(dialect)
        work.schemas = Schemas((first,) if first else (), names[0])
    else:
        work.schemas = replace(work.schemas, path=(names[0],))
    return Outcome("use")
