"""What stands around data and holds none: rights, connections, policies, places of files; CREATE, ALTER and DROP of it.

    ALTER STREAM s SET COMMENT = 'x'      DROP CATALOG c      CREATE RLS POLICY p WITH (a INT) USING (a = 1)

Beside that what ALTER TABLE says of parts, references and storage of a table, by dialect.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

ALL_THREE = r"""
    RESERVATION|CAPACITY|ASSIGNMENT|CONNECTION|LISTING|(?:REPLICATION|FAILOVER)\s+GROUP|(?:MANAGED|ORGANIZATION)\s+ACCOUNT
    |(?:STORAGE\s+LIFECYCLE|JOIN|PRIVACY|RLS|STORAGE|AUTHENTICATION|PASSWORD|SESSION|MASKING|ROW\s+ACCESS|NETWORK)\s+POLICY
    |(?:CATALOG|STORAGE|API|SECURITY|NOTIFICATION|EXTERNAL\s+ACCESS)\s+INTEGRATION|EXTERNAL\s+(?:VOLUME|LOCATION|SCHEMA)
    |IMAGE\s+REPOSITORY|RESOURCE(?:\s+(?:MONITOR|PLAN))?|LIBRARY|LANGUAGE|IDENTITY\s+PROVIDER|DATACONNECTOR|CLEAN\s+ROOM
    |STORAGE\s+(?:CREDENTIAL|VAULT)|CREDENTIAL|CLUSTER(?:\s+REPLICA)?|ENCRYPTKEY|SQL_BLOCK_RULE|STATS|REPOSITORY|BRANCH
    |SUBSCRIPTION|PUBLICATION|COLLATION|CONVERSION|DOMAIN|OPERATOR(?:\s+(?:CLASS|FAMILY))?|EVENT\s+TRIGGER|TEXT\s+SEARCH
    |ACCESS\s+METHOD|FOREIGN\s+DATA\s+WRAPPER|VOLUME|PROVIDER|RECIPIENT|GROUP|QUOTA|SETTINGS\s+PROFILE|NAMED\s+COLLECTION
    |WORKLOAD(?:\s+GROUP)?|(?:PERSISTENT\s+|TEMPORARY\s+)?SECRET|FILE\s+FORMAT|BLOOMFILTER\s+INDEX|EXTENSION|CAST
"""
ALONE = {
    "CREATE": r"CATALOG",
    "ALTER": r"""
        STREAM|ORGANIZATION|PROJECT|VECTOR\s+INDEX|CATALOG|LARGE\s+OBJECT|COLOCATE\s+GROUP|ROUTINE\s+LOAD|JOB|ROW\s+POLICY
        |SCHEDULED\s+QUERY|AGGREGATE|TABLE\s+ALL\s+IN|OWNED\s+BY|DATASHARE|STREAMING\s+TABLE\s+\S+\s+(?:ADD|DROP|ALTER)\s+SCHEDULE
        |TYPE\s+\S+\s+(?:ADD|RENAME)
        |(?:MATERIALIZED\s+)?VIEW\s+\S+\s+(?:SUSPEND|RESUME|CLUSTER|(?:MODIFY|ALTER)\s+COLUMN|WITH\s+SCHEMA|REFRESH|REBUILD
            |(?:EN|DIS)ABLE|AUTO\s+REFRESH|(?:ADD|DROP)\s+(?:ROW\s+ACCESS|SCHEDULE)|DIALECT)
        |(?:SCHEMA|DATABASE|CATALOG)\s+\S+\s+(?:(?:ADD|DROP)\s+REPLICA|REFRESH|(?:EN|DIS)ABLE|QUOTA|MODIFY\s+SETTING)
    """,
    "DROP": r"OWNED\s+BY|AGGREGATE|DATASHARE|CATALOG|MACRO|SCHEDULED\s+QUERY|POOL|SINK|INCREMENTAL\s+STATS",
}
BEFORE = r"(?:OR\s+REPLACE\s+)?(?:PUBLIC\s+)?"
SAID = {
    verb: re.compile(rf"(?isx){verb}\s+{BEFORE}(?P<kind>{ALL_THREE}|{own})(?![\w.])") for verb, own in ALONE.items()
}
"""By verb: what stands around data."""

IN_PART = r"(?:PARTITION\s*\([^)]*\)\s*)?"
REFERENCES = r"(?:CREATE|REPLACE|DROP)\s+(?:OR\s+REPLACE\s+)?(?:BRANCH|TAG)"
SPARK = (
    rf"{IN_PART}RENAME\s+TO\s+PARTITION|RENAME\s+PARTITION|{REFERENCES}|(?:SET|DROP)\s+IDENTIFIER|UNSET|SET\s+MANAGED"
)
TABLES: Mapping[str, str] = {
    "hive": rf"""
        {IN_PART}(?:TOUCH|(?:UN)?ARCHIVE|CONCATENATE|COMPACT|RENAME\s+TO\s+PARTITION|(?:EN|DIS)ABLE\s+(?:NO_DROP|OFFLINE))
        |{REFERENCES}|UPDATE\s+STATISTICS|UNSET|CLUSTERED|NOT|SKEWED|PARTITION\s+COLUMN|ADD\s+CONSTRAINT
        |SET\s+(?:CACHED|UNCACHED|COLUMN\s+STATS)|SORT\s+BY|(?:ADD|DROP)\s+RANGE
    """,
    "spark": SPARK,
    "databricks": rf"{SPARK}|ALTER\s+(?:COLUMN\s+)?\S+\s+SYNC",
    "trino": r"SET\s+AUTHORIZATION",
    "duckdb": r"(?:RE)?SET\s+(?:PARTITIONED|SORTED)",
    "snowflake": r"RECLUSTER|CONVERT|ADD\s+DATA\s+METRIC|ADD\s+PARTITION",
    "redshift": r"ROW\s+LEVEL|ALTER\s+ENCODE",
    "postgres": r"""
        CLUSTER|RESET|RENAME\s+CONSTRAINT|DETACH\s+PARTITION\s+\S+\s*(?:\Z|;|CONCURRENTLY|FINALIZE)
        |ALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+(?:STORAGE|STATISTICS|COMPRESSION|GENERATED)|ADD\s+GENERATED
            |DROP\s+(?:IDENTITY|EXPRESSION))
    """,
    "clickhouse": r"""
        FETCH|DETACH\s+PART|REMOVE|RESET|(?:ADD|DROP|MODIFY|CLEAR)\s+STATISTICS|UNFREEZE|APPLY\s+DELETED
        |MOVE\s+PART\w*\s+\S+\s+TO\s+(?:DISK|VOLUME)
    """,
    "doris": r"""
        ENABLE\s+FEATURE|ADD\s+(?:TEMPORARY\s+)?PARTITION|REPLACE\s+PARTITION|MODIFY\s+PARTITION
        |RENAME\s+(?:ROLLUP|PARTITION)|ORDER\s+BY
    """,
}
KEPT = {
    dialect: re.compile(
        rf"(?isx)ALTER\s+(?:(?:EXTERNAL|ICEBERG)\s+)?TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?\S+\s+(?:{words})(?!\w)"
    )
    for dialect, words in {**TABLES, "starrocks": TABLES["doris"], "athena": TABLES["trino"]}.items()
}
"""By dialect: ALTER TABLE that says how a table, and each of its parts, is kept."""

COMMANDS: Mapping[str, Collection[str]] = {
    "hive": ("REPL", "RELOAD", "LIST", "SHUTDOWN", "ADD FILES", "ADD JARS"),
    "postgres": ("RESET", "LOCK", "SET CONSTRAINTS", "PREPARE TRANSACTION", "SET SESSION"),
    "redshift": ("RESET", "LOCK", "CANCEL", "ATTACH RLS", "DETACH RLS", "ATTACH MASKING", "DETACH MASKING", "COPY JOB",
                 "SET SESSION"),
    "clickhouse": ("EXISTS", "WATCH", "MOVE USER", "MOVE ROLE", "CHECK GRANT", "SET ROLE", "SET DEFAULT"),
    "trino": ("SET ROLE", "SET PATH", "SET SESSION"),
    "databricks": ("RESTORE", "UNSET", "PUT", "GET", "REMOVE", "SET RECIPIENT", "SET TAG"),
    "materialize": ("VALIDATE", "INSPECT"),
    "doris": ("CANCEL", "PAUSE", "RESUME", "STOP", "RECOVER", "WARM", "CLEAN", "BUILD", "UNSET", "RESTORE",
              "SET PROPERTY", "SET DEFAULT"),
    "snowflake": ("EXECUTE ALERT",),
}  # fmt: skip
"""First words, alone or with the next, of commands that look after a database."""
ALIKE = {"starrocks": "doris", "presto": "trino", "athena": "trino"}


def administered(text: str, first: str, second: str, dialect: str) -> str:
    """The kind of a statement of something that holds no data, "" of any other.

    >>> [administered(f"DROP {kind} x", "DROP", kind, "trino") for kind in ("CATALOG", "TABLE")]
    ['drop catalog', '']
    """
    own = COMMANDS.get(ALIKE.get(dialect, dialect), ())
    both = f"{first} {second}"
    if first in own or both in own:
        return first.lower() if first in own else both.lower()
    said = SAID[first].match(text) if first in SAID else None
    if said is not None:
        return both.lower() if first == "ALTER" else f"{first} {' '.join(said['kind'].split())}".lower()
    kept = KEPT.get(dialect) if first == "ALTER" else None
    return both.lower() if kept is not None and kept.match(text) else ""
