"""Statements that keep a database in order and move no data: statistics, indexes, locks, sessions, rights, checks.

Scripts are full of them. Their first words tell them, and they are not parsed.

    VACUUM t    COLLECT STATISTICS ON t    ALTER INDEX i REBUILD    CREATE STATISTICS s ON a FROM t    EXECUTE TASK t
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from mdw.readers.sql.administered import administered
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.pieces import ScriptPiece, uncommented, word_of

WORDS = re.compile(r"(\w+)(?:\s+(\w+))?")
ALWAYS = frozenset(
    """
    VACUUM REINDEX UNLOCK LISTEN UNLISTEN NOTIFY CHECKPOINT DISCARD REASSIGN MSCK FSCK COLLECT HELP SHOW EXPLAIN REFRESH
    PURGE AUDIT NOAUDIT DBCC BACKUP RECONFIGURE GRANT REVOKE DENY KILL FLUSH OPTIMIZE ANALYZE RUNSTATS REORG CHECKSUM
    HANDLER UNDROP DESCRIBE DESC DEALLOCATE ON_VIRTUAL_UPDATE_BEGIN ON_VIRTUAL_UPDATE_END
    """.split()  # noqa: SIM905
)
"""First words of statements that move nothing, whatever follows."""
RUNNING = re.compile(r"(?is)EXPLAIN\b[\s(]*ANALY[ZS]E\b.*\b(?:INSERT|UPDATE|DELETE|MERGE|CREATE)\b")
"""EXPLAIN ANALYZE runs the statement that it explains."""
DROPPED = frozenset(
    """
    SENSITIVITY STREAM TASK STAGE PIPE ALERT SEARCH VECTOR ROW ALL MASKING NETWORK SECRET SERVICE NOTEBOOK STREAMLIT
    RECIPIENT SHARE WAREHOUSE EVENT RESERVATION CAPACITY ASSIGNMENT POLICY JOB PREPARE VARIABLE USER ROLE
    SEQUENCE SERVER PACKAGE TYPE CLUSTER DIRECTORY PROFILE CONTEXT TABLESPACE STATISTICS
    STATS OUTLINE DIMENSION
    """.split()  # noqa: SIM905
)
"""What a DROP may be of that holds no data."""
PAIRS: Mapping[str, Collection[str]] = {
    "ATTACH": ("TABLE", "VIEW", "DICTIONARY"),
    "SET": ("INTEGRITY", "RECORD", "TRANSACTION", "IDENTITY_INSERT", "STATISTICS", "PASSWORD", "ROLE"),
    "BEGIN": ("LOADING", "DIALOG", "CONVERSATION", "DISTRIBUTED"),
    "END": ("CONVERSATION",),
    "GET": ("CONVERSATION",),
    "MERGE": ("DELTA",),
    "LOCK": ("TABLE", "TABLES"),
    "CHECK": ("TABLE", "VIEW"),
    "REPAIR": ("TABLE", "VIEW", "LOCAL", "NO_WRITE_TO_BINLOG"),
    "RENAME": ("USER",),
    "CACHE": ("INDEX",),
    "TRUNCATE": ("CLUSTER",),
    "OPEN": ("SCHEMA", "SYMMETRIC", "MASTER"),
    "LABEL": ("ON",),
    "MODIFY": ("USER", "DATABASE", "PROFILE"),
    "LOGGING": ("ONLINE",),
    "LOAD": ("INDEX",),
    "EXECUTE": ("TASK", "AS"),
    "ADD": ("SENSITIVITY", "SIGNATURE", "JAR", "FILE", "ARCHIVE"),
    "DROP": DROPPED,
    "CLOSE": ("SYMMETRIC", "MASTER", "ALL"),
    "CONNECT": ("TO", "RESET"),
    "EXPORT": ("MODEL", "DATABASE"),
    "SECURITY": ("LABEL",),
    "RESTORE": ("TABLE", "DATABASE", "LOG", "FILELISTONLY", "VERIFYONLY", "HEADERONLY"),
    "IMPORT": ("FOREIGN", "DATABASE"),
    "COPY": ("FROM",),
    "CHANGE": ("MASTER", "REPLICATION"),
    "START": ("SLAVE", "REPLICA", "GROUP_REPLICATION"),
    "STOP": ("SLAVE", "REPLICA", "GROUP_REPLICATION"),
    "RESET": ("MASTER", "SLAVE", "REPLICA", "PERSIST", "BINARY"),
    "INSTALL": ("PLUGIN", "COMPONENT", "SONAME"),
    "UNINSTALL": ("PLUGIN", "COMPONENT", "SONAME"),
    "CLONE": ("LOCAL", "INSTANCE"),
}
"""First words that only together say so."""
OWN: Mapping[str, Collection[str]] = {
    "REVERT": TRANSACT,
    "SETUSER": TRANSACT,
    "SHUTDOWN": TRANSACT,
    "XA": ("mysql",),
    "BINLOG": ("mysql",),
    "IMPORT": ("mysql",),
    **dict.fromkeys(("CLUSTER", "DISCONNECT"), ("postgres",)),
    **dict.fromkeys(
        ("DIAGNOSTIC", "RECORD", "SESSIONS", "ERRLIMIT", "TENACITY", "SLEEP", "AXSMOD", "LOGON", "LOGOFF", "GIVE"),
        ("teradata",),
    ),
    "UNSET": ("snowflake",),
    "DFS": ("hive",),
    "CLEAR": ("spark", "databricks"),
    "RESET": ("spark", "databricks", "trino", "duckdb", "hive"),
    "GENERATE": ("databricks", "spark", "postgres"),
    "GROOM": ("postgres",),
    "INVALIDATE": ("hive",),
    "COMPUTE": ("hive",),
    **dict.fromkeys(("RECOMPRESS", "REORGANIZE", "PRELOAD", "IMPERSONATE", "CLOSE"), ("exasol",)),
    "CONVERT": ("databricks", "spark"),
    "SYNC": ("databricks", "doris"),
    "FORCE": ("duckdb",),
    "SWITCH": ("doris",),
    "ADMIN": ("doris", "starrocks"),
    "PROFILE": ("postgres",),
    "ASSERT": ("bigquery",),
    "SYSTEM": ("clickhouse",),
    "INSTALL": ("duckdb",),
    "LIST": ("snowflake", "databricks", "spark"),
    "LS": ("snowflake",),
    "REMOVE": ("snowflake",),
    "RM": ("snowflake",),
    "PUT": ("snowflake",),
    "GET": ("snowflake",),
}
"""First words that say so in some dialects."""
ALTERED = frozenset(
    """
    SYSTEM INDEX SEQUENCE WAREHOUSE TASK USER ROLE LOGIN DEFAULT DATASHARE EXTENSION SERVER POLICY PUBLICATION
    STATISTICS PROFILE TABLESPACE RESOURCE FULLTEXT PARTITION AUTHORIZATION PIPE STAGE ALERT NETWORK SHARE ACCOUNT
    TAG CREDENTIAL DYNAMIC BI_CAPACITY MODEL STREAMLIT GIT SERVICE NOTEBOOK SECRET APPLICATION CONTACT AGENT CORTEX
    COMPUTE DIMENSION JAVA OUTLINE
    """.split()  # noqa: SIM905
)
"""What an ALTER may be of that holds no data and names none."""
CREATED = re.compile(
    r"(?is)CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:PUBLIC\s+|BITMAP\s+|UNIQUE\s+|(?:NON)?CLUSTERED\s+)*(?P<kind>"
    r"INDEX|SEQUENCE|STATISTICS|(?:ROW\s+ACCESS\s+|ROW\s+|MASKING\s+|NETWORK\s+|SESSION\s+|PASSWORD\s+|SECURITY\s+)?POLICY|PUBLICATION|DIRECTORY"
    r"|DATABASE\s+LINK|FULLTEXT\s+\w+|PARTITION\s+(?:FUNCTION|SCHEME)|TAG|(?:SEARCH|VECTOR|SPATIAL|XML|COLUMNSTORE)\s+INDEX"
    r"|EXTERNAL\s+(?:SCHEMA|DATA\s+SOURCE|FILE\s+FORMAT)|SECRET|SERVER|USER\s+MAPPING|FOREIGN\s+DATA\s+WRAPPER|CREDENTIAL"
    r"|(?:STORAGE|NOTIFICATION|API|SECURITY|CATALOG)\s+INTEGRATION|RESOURCE\s+MONITOR|SHARE|PROFILE|CERTIFICATE"
    r"|(?:AGGREGATION|AUTHENTICATION|PACKAGES)\s+POLICY|NOTEBOOK|STREAMLIT|RECIPIENT|COMPUTE\s+POOL|DATASET"
    r"|(?:GIT|IMAGE)\s+REPOSITORY|EXTERNAL\s+(?:LOCATION|FUNCTION|VOLUME|ACCESS\s+INTEGRATION)|APPLICATION|BLOOMFILTER\s+INDEX"
    r"|(?:JOIN|HASH)\s+INDEX|ERROR\s+TABLE|(?:SYMMETRIC|ASYMMETRIC|MASTER)\s+KEY|RESERVATION|CAPACITY|ASSIGNMENT|MATERIALIZED\s+VIEW\s+LOG|PROJECTION"
    r"|XML\s+SCHEMA\s+COLLECTION|VIRTUAL\s+SCHEMA|FLEX\s+TABLE|RESOURCE\s+POOL|ACCESS\s+POLICY|TEXT\s+INDEX|HCATALOG\s+SCHEMA|LIBRARY|DIRECTED\s+QUERY|LOAD\s+BALANCE\s+GROUP"
    r"|FAULT\s+GROUP|SUBNET|LOCATION|NOTIFIER|KEY|CONSUMER\s+GROUP|DISTINCT\s+TYPE|DEFAULT|RULE|ASSEMBLY|QUEUE|SERVICE|MESSAGE\s+TYPE|CONTRACT|ENDPOINT|WIDGET"
    r"|SUBSCRIPTION|EVENT\s+TRIGGER|AGGREGATE|OPERATOR|CAST|DOMAIN|COLLATION|CONVERSION|TEXT\s+SEARCH|ACCESS\s+METHOD"
    r"|NETWORK\s+RULE|QUOTA|SETTINGS\s+PROFILE|CONTACT|AGENT|EVENT\s+TABLE"
    r"|TRANSFORM|WORKLOAD\s+\w+|(?:SERVER|DATABASE)\s+AUDIT|EVENT\s+(?:SESSION|NOTIFICATION))\b"
)
"""CREATE of what stands around data, whatever tables it speaks of."""
OWNED = re.compile(
    r"(?is)ALTER\s+(?:(?:(?:MATERIALIZED|SEMANTIC)\s+)?VIEW|SCHEMA|DATABASE|FUNCTION|PROCEDURE|PACKAGE|TRIGGER|TYPE)\s+\S+\s+"
    r"(?:OWNER\s+TO|SET|COMPILE|CONSIDER\s+FRESH|(?:DEFAULT\s+)?(?:CHARACTER|COLLATE)|(?:ENABLE|DISABLE)\s+QUERY)\b"
    r"|ALTER\s+EVENT\s+\S+\s+(?:ENABLE|DISABLE|RENAME|COMMENT|ON\s+COMPLETION\s+(?:NOT\s+)?PRESERVE\s*\Z)(?:\b|\Z)"
)
"""ALTER of what holds data or names, where it only says whose it is, or how it is kept."""

KEPT = re.compile(
    r"(?is)ALTER\s+(?:(?:EXTERNAL|ICEBERG|HYBRID)\s+)?TABLE\s+(?:IF\s+EXISTS\s+)?\S+\s+(?:REFRESH|(?:ADD|DROP)\s+SEARCH"
    r"|(?:SUSPEND|RESUME)\s+RECLUSTER|(?:WITH\s+(?:NO)?CHECK\s+)?(?:NO)?CHECK\s+CONSTRAINT|REBUILD|SHRINK|RECOVER\s+PARTITIONS"
    r"|(?:ENABLE|DISABLE)\s+(?:ROW|CHANGE_TRACKING|CONSTRAINT|PRIMARY|UNIQUE|NOVALIDATE|VALIDATE|ALL)|(?:NO)?PARALLEL"
    r"|(?:NO)?LOGGING|(?:NO)?COMPRESS|(?:NO)?CACHE|MOVE\s+(?:(?:SUB)?PARTITION\s+\S+\s+)?TABLESPACE|ADD\s+SUPPLEMENTAL|EXECUTE"
    r"|REPLICA\s+IDENTITY|VALIDATE\s+CONSTRAINT|(?:NO\s+)?FORCE\s+ROW|ACTIVATE\s+NOT\s+LOGGED|MODIFY\s+(?:STATISTICS|TTL|SETTING|COMMENT)"
    r"|(?:ADD|DROP|REPLACE)\s+(?:PARTITION\s+FIELD|ROLLUP|INDEX|PROJECTION)|WRITE\s+(?:ORDERED|DISTRIBUTED)|MATERIALIZE|FREEZE"
    r"|MODIFY\s+COLUMN\s+(?:IF\s+EXISTS\s+)?\S+\s+(?:REMOVE|MODIFY|RESET|COMMENT|TTL|CODEC|FIRST|AFTER)"
    r"|(?:ADD|DROP)\s+(?:ALL\s+)?(?:ROW\s+ACCESS|AGGREGATION)\s+POLIC\w+|(?:ENABLE|DISABLE|INHERIT)\s+PREDICTIVE"
    r"|MODIFY\s+(?:COLUMN\s+)?\S+\s+(?:SET|UNSET)\s+(?:MASKING|PROJECTION|TAG)|SET\s+(?:ROW\s+FILTER|PROPERTIES|TAGS?|DISTRIBUTED)|COMMENT\s+COLUMN|ALTER\s+COLUMN\s+\S+\s+(?:SET|UNSET|DROP)\s+(?:MASK|TAGS?))\b"
)
"""ALTER TABLE that says how a table is kept and checked."""

OF_PARTS = r"""
    (?:ADD|DROP|TRUNCATE|SPLIT|MERGE|MOVE|MODIFY|RENAME|COALESCE|REORGANIZE|REBUILD|OPTIMIZE|ANALYZE|CHECK|REPAIR)
    \s+(?:SUB)?PARTITIONS?
"""
OWN_KEPT: Mapping[str, re.Pattern[str]] = {
    dialect: re.compile(rf"(?isx)ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?\S+\s+(?:{OF_PARTS}|{words})\b")
    for dialect, words in {
        "oracle": r"""
            SET\s+(?:INTERVAL|SUBPARTITION|STORE)|DROP\s+UNUSED|(?:NO\s+)?INMEMORY|READ\s+(?:ONLY|WRITE)|MOVE|COALESCE
            |(?:ROW|COLUMN)\s+STORE|(?:DE)?ALLOCATE|PCTFREE|PCTUSED|INITRANS|STORAGE|(?:NO)?MONITORING|RESULT_CACHE
            |MODIFY\s+(?:DEFAULT\s+ATTRIBUTES|LOB|NESTED)|(?:EN|DIS)ABLE\s+TABLE
        """,
        "mysql": r"""
            (?:CHECKSUM|ALTER\s+(?:INDEX|KEY)|ADD\s+(?:CONSTRAINT\s+\S+\s+)?FOREIGN)\b(?!.*,\s*(?:ADD|MODIFY|CHANGE|RENAME))
            |REMOVE\s+PARTITIONING|PARTITION\s+BY|(?:EN|DIS)ABLE\s+KEYS|CONVERT\s+TO|(?:DISCARD|IMPORT)\s+TABLESPACE
        """,
        "ansi": r"""
            APPEND|COMPRESS|VALUE\s+COMPRESSION|(?:NOT\s+)?VOLATILE|PCTFREE|LOCKSIZE|LOG\s+INDEX|DATA\s+CAPTURE
            |DROP\s+MATERIALIZED|ALTER\s+(?:COLUMN\s+)?\S+\s+RESTART
        """,
    }.items()
}
"""The same in one dialect: what it does to parts of a table moves nothing, but for EXCHANGE, ATTACH and DETACH."""

ADMINISTERING = re.compile(
    r"(?i)(?:SYS\.|(?:MASTER|MSDB)\.(?:DBO|SYS)?\.|DBO\.)?"
    r"(?:DBMS_(?:OUTPUT|STATS|LOCK|SESSION|APPLICATION_INFO|MVIEW|SNAPSHOT|ALERT|SCHEDULER|JOB|UTILITY|RANDOM|MONITOR|TRACE"
    r"|PROFILER|SPACE|SHARED_POOL|RESOURCE_MANAGER|METADATA|PARALLEL_EXECUTE|FLASHBACK)\.\w+"
    r"|DBMS_SQL\.(?:CLOSE_CURSOR|DEFINE_(?:COLUMN|ARRAY)|DESCRIBE_COLUMNS\d?)"
    r"|SP_(?:(?:ADD|DROP|UPDATE)EXTENDEDPROPERTY|ADDROLEMEMBER|DROPROLEMEMBER|ADDLINKEDSERVER|ADDLINKEDSRVLOGIN|CONFIGURE"
    r"|RECOMPILE|REFRESHVIEW|REFRESHSQLMODULE|UPDATESTATS|SEND_DBMAIL|GETAPPLOCK|RELEASEAPPLOCK|SET_SESSION_CONTEXT"
    r"|(?:ADD|DELETE|UPDATE)_(?:JOB|JOBSERVER|JOBSTEP|JOBSCHEDULE|SCHEDULE|CATEGORY|ALERT|OPERATOR|NOTIFICATION)"
    r"|(?:ATTACH|DETACH)_SCHEDULE|TABLEOPTION|DBOPTION|SERVEROPTION|SETTRIGGERORDER|CHANGEOBJECTOWNER|HELP\w*|WHO\w*|LOCK|SPACEUSED|START_JOB|XML_REMOVEDOCUMENT)"
    r"|(?:PG_CATALOG\.)?(?:PG_\w+|SET_CONFIG|SETVAL|NEXTVAL|LO_(?:CREATE|UNLINK)|DBLINK_(?:DIS)?CONNECT\w*)|CREATE_HYPERTABLE"
    r"|PRAGMA_\w+|BQ\.\w+|(?:\w+\.)?SYSTEM\.\w+|SYSTEM\$\w+|SYSPROC\.ADMIN_(?:REVALIDATE\w*|MOVE_TABLE|TASK_\w+|DROP_\w+|COPY_SCHEMA))\Z"
)
"""Procedures of databases that look after it, and move no data."""

REMADE = re.compile(
    r"(?is)ALTER\s+(?:(?:TASK|ALERT)\b.*?\bMODIFY\s+(?:AS|ACTION)|DYNAMIC\s+TABLE\s.*\b(?:SWAP\s+WITH|RENAME\s+TO))\b"
)
"""ALTER that says what is run from now on, or what it is called."""
SESSION = re.compile(
    r"(?i)DROP\s+(?:TEMP(?:ORARY)?\s+VARIABLE|(?:PUBLIC\s+)?DATABASE\s+LINK)\b"
    r"|SET\s+(?:ISOLATION|CURRENT\s+(?:LOCK\s+TIMEOUT|QUERY\s+OPTIMIZATION|EXPLAIN|MAINTAINED|REFRESH))\b"
)
"""What says how a session works (Spark, Db2), or is no table (Oracle)."""
COMMENTED = re.compile(
    r"(?is)COMMENT\s+ON\s+(?:(?:(?!TABLE|VIEW|COLUMN)\w+\s+)?(?:INDEX|FUNCTION|PROCEDURE|ROUTINE|SCHEMA|DATABASE|SEQUENCE|TRIGGER|CONSTRAINT|ROLE"
    r"|USER|TYPE|DOMAIN|EXTENSION|POLICY|RULE|AGGREGATE|OPERATOR|LANGUAGE|SERVER|TABLESPACE|PUBLICATION|SUBSCRIPTION"
    r"|EVENT|CAST|COLLATION|CONVERSION|OBJECT|METHOD|STATISTICS|SYNONYM|ALIAS|SCRIPT|CONSUMER|EDITION|PROFILE|PACKAGE"
    r"|MASK|PERMISSION|VARIABLE|WRAPPER|NICKNAME|INDEXTYPE|MACRO|PROJECTION|NODE|LIBRARY|INTEGRATION|WAREHOUSE|STAGE"
    r"|SHARE|TASK|STREAM|PIPE)\b|(?:\w+\.)*\w+\s*\()"
)
"""Comments on what holds no rows: those on tables, views and columns are read. Db2's COMMENT ON t (a IS 'x') is not."""
BRINGING_BACK = frozenset(("RESTORE", "UNDROP", "FLASHBACK"))
"""First words of statements by which a table has rows again that it once had."""
BEGINNING = 300
TEXTUAL = frozenset(("EXPLAIN", "ALTER", "FLASHBACK"))
"""Of what begins so more than two words are looked at."""


def keeps_house(piece: ScriptPiece, dialect: str) -> str:
    """The kind of a statement that only keeps the database in order, "" of any other.

    >>> from sqlglot import tokenize
    >>> texts = "VACUUM t", "ALTER INDEX i REBUILD", "COMMENT ON INDEX i IS 'x'", "COMMENT ON TABLE event IS 'x'"
    >>> [keeps_house(ScriptPiece(tuple(tokenize(text)), text), "postgres") for text in texts]
    ['vacuum', 'alter index', 'comment on', '']
    """
    tokens = piece.tokens
    if not tokens or not word_of(tokens[0]):
        return ""
    # Of what it takes for a command the tokenizer makes one word; the text tells.
    begin = WORDS.match(piece.text, tokens[0].start)
    first, second = (begin[1].upper(), (begin[2] or "").upper()) if begin is not None else ("", "")
    # All of the text is needed for these alone; to cut it out of every statement would cost more than the rest.
    text = uncommented(piece.text[tokens[0].start : tokens[-1].end + 1]) if first in TEXTUAL else ""
    if not second:
        # A comment may stand between them.
        begin = WORDS.match(text)
        second = ((begin[2] or "").upper() if begin is not None else "") or (word_of(tokens[1]) if tokens[1:] else "")
    if (first == "EXPLAIN" and RUNNING.match(text)) or (first == "ALTER" and REMADE.match(text)):
        return ""
    if first in BRINGING_BACK and (second == "TABLE" or (first, dialect) == ("RESTORE", "databricks")):
        return ""
    if first in ALWAYS or dialect in OWN.get(first, ()):
        return first.lower()
    if second in PAIRS.get(first, ()) or (first, second, dialect in TRANSACT) == ("UPDATE", "STATISTICS", True):
        return f"{first} {second}".lower()
    if first in ("DROP", "SET") and SESSION.match(piece.text, tokens[0].start):
        return first.lower()
    if first == "COMMENT" and COMMENTED.match(piece.text, tokens[0].start):
        return "comment on"
    if first == "FLASHBACK" and "RENAME" not in text.upper():
        return "flashback"
    if first == "SET" and (dialect == "hive" or second == "TIME"):
        return "set"
    if first in ("MODEL", "AUDIT") and len(tokens) > 1 and tokens[1].text == "(":
        # What SQLMesh is told of the query below.
        return first.lower()
    if first == "LOAD" and dialect == "duckdb" and len(tokens) == 2:
        return "load"
    # What it is of stands at the beginning.
    start = tokens[0].start
    other = administered(text or piece.text[start : min(start + BEGINNING, tokens[-1].end + 1)], first, second, dialect)
    if other:
        return other
    if first == "ALTER":
        # Where names are looked for a session may say: that is read.
        kept = (
            second in ALTERED
            or (second == "SESSION" and "SCHEMA" not in text.upper())
            or OWNED.match(text)
            or KEPT.match(text)
            or (dialect in OWN_KEPT and OWN_KEPT[dialect].match(text))
        )
        return f"alter {second.lower()}" if kept else ""
    if first == "CREATE":
        match = CREATED.match(piece.text, tokens[0].start)
        return f"create {' '.join(match['kind'].lower().split())}" if match is not None else ""
    return ""
