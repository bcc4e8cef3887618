"""What SQL means differently from database to database, as far as lineage is concerned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sqlglot.dialects.dialect import Dialect, NormalizationStrategy

from mdw.model.collations import DEFAULTS
from mdw.model.errors import InputError

# Names people use that sqlglot knows by another, or whose SQL it reads by that of a relative.
SAME = {
    "ansi": "", "sparksql": "spark", "flink": "spark", "spark2": "spark2", "greenplum": "postgres", "mariadb": "mysql",
    "vertica": "postgres", "db2": "", "postgresql": "postgres", "mssql": "tsql", "sqlserver": "tsql",
    "netezza": "postgres", "hana": "", "impala": "hive", "synapse": "tsql", "fabric": "tsql", "plsql": "oracle",
    "sql": "",
}  # fmt: skip
TRANSACT = ("tsql", "fabric")
# Those that call the columns of VALUES column1, column2.
COLUMNS = ("postgres", "redshift", "snowflake", "sqlite", "materialize", "risingwave")
# Those whose columns of CHAR(n) have no blanks at the end.
UNPADDED = frozenset(("duckdb", "bigquery", "snowflake", "sqlite", "clickhouse"))
# Those in which only a truth can be a condition; where nobody knows, a number may be one.
STRICT_TRUTHS = """
    postgres redshift materialize risingwave snowflake bigquery spark spark2 databricks hive trino presto athena tsql
    fabric oracle teradata
"""
LOOSE_TRUTHS = frozenset({"ansi", *Dialect.classes} - {"", *STRICT_TRUTHS.split()})
ALONE = frozenset(("ansi", "postgres", "redshift", "materialize", "risingwave", "duckdb", "trino", "presto", "athena"))
LATERAL_ALIASES = frozenset(("snowflake", "redshift", "databricks", "spark", "duckdb", "teradata", "clickhouse"))

# Words without parentheses that are values of the session, the group or the program, and that no column is called by.
TOLD = "SQLCODE SQLERRM SQLSTATE"
VERSIONS = "VERSIONS_STARTTIME VERSIONS_ENDTIME VERSIONS_STARTSCN VERSIONS_ENDSCN VERSIONS_XID VERSIONS_OPERATION"
FIRED = "INSERTING UPDATING DELETING"
SPECIAL = {
    "oracle": f"USER UID {TOLD} SQLROWCOUNT SQLFOUND {VERSIONS} {FIRED}", "tsql": "USER", "fabric": "USER",
    "teradata": f"USER SESSION DATABASE ACCOUNT TIME {TOLD} ACTIVITY_COUNT UNTIL_CHANGED UNTIL_CLOSED SAMPLEID",
    "snowflake": f"{TOLD} SQLROWCOUNT",
    "postgres": f"USER CURRENT_ROLE {TOLD} TG_NAME TG_WHEN TG_LEVEL TG_OP TG_TABLE_NAME TG_TABLE_SCHEMA TG_ARGV",
    "redshift": f"USER {TOLD}", "mysql": "UTC_DATE UTC_TIME UTC_TIMESTAMP",
    "ansi": f"USER CURRENT_SERVER CURRENT_SCHEMA CURRENT_SQLID CURRENT_TIMEZONE CURRENT_PATH {TOLD} {FIRED}",
    "hive": "GROUPING__ID", "spark2": "GROUPING__ID", "spark": "GROUPING__ID", "databricks": "GROUPING__ID",
}  # fmt: skip
SPECIALS = {dialect: frozenset(words.split()) for dialect, words in SPECIAL.items()}


@dataclass(frozen=True, slots=True)
class Flavour:
    """One database's SQL: sqlglot's dialect, and what it does with names, NULL, truths, texts and division.

    ``name`` is sqlglot's name of it, or "ansi". ``folding`` is what becomes of a quoted name: "lower" or "upper" where
    it is another name unless it is spelled so, "any" where quotes change nothing, "either" where nobody knows which of
    the two it is.
    """

    name: str
    parser: Dialect
    folding: str

    @property
    def lateral(self) -> bool:
        """Whether a SELECT's expressions may use the names of those before them."""
        return self.name in LATERAL_ALIASES

    @property
    def aliased_rows(self) -> bool:
        """Whether WHERE and ON may use the names of a SELECT's expressions, where no table has a column of the name."""
        return self.lateral or self.name == "sqlite"

    @property
    def alone(self) -> bool:
        """Whether the only column of a function in FROM is called as the function's alias."""
        return self.name in ALONE

    @property
    def exact_division(self) -> bool:
        """Whether / loses no remainder."""
        return not self.parser.TYPED_DIVISION

    @property
    def null_is_empty(self) -> bool:
        """Whether text put together with NULL is the text (rule Q4)."""
        return self.name == "oracle"

    @property
    def collation(self) -> str:
        """The collation by which texts are compared where none is told, "" where nobody knows it (rule Q35)."""
        return DEFAULTS.get(self.name, "binary")

    @property
    def padded(self) -> bool:
        """Whether blanks at the end of a text may count for nothing, as in columns of CHAR(n) (rule Q4)."""
        return self.name not in UNPADDED

    @property
    def loose_groups(self) -> bool:
        """Whether what is no key of a group may be asked for: it is the value of any of its rows."""
        return self.name in ("mysql", "sqlite", "singlestore", "doris", "starrocks")

    def special(self, name: str) -> bool:
        """Whether a word is a value of the session unless a table is known to have a column of that name."""
        return name.upper() in SPECIALS.get(self.name, ())

    def numbered(self, number: int) -> str:
        """What a column of VALUES is called that has no name."""
        return (
            f"COL{number - 1}"
            if self.name == "duckdb"
            else f"COLUMN{number}"
            if self.name in COLUMNS
            else f"COL{number}"
        )

    @property
    def loose_truths(self) -> bool:
        """Whether a number stands as a condition: it is met by all but 0."""
        return self.name in LOOSE_TRUTHS


def is_dialect(name: str) -> bool:
    """Whether a dialect is called so.

    >>> is_dialect("synapse"), is_dialect("nosuch")
    (True, False)
    """
    return Dialect.get(SAME.get(name, name)) is not None


GROUPING_DIGITS = frozenset(("postgres", "trino", "presto", "athena", "materialize", "risingwave"))
"""Dialects besides ClickHouse's and DuckDB's in which 1_000 is a number."""

FOLDING = {"db2": "upper", "hana": "upper", "netezza": "upper", "vertica": "any", "teradata": "any"}
"""What becomes of quoted names where sqlglot does not know it."""


@lru_cache(maxsize=64)
def flavour_of(name: str | None) -> Flavour:
    """The flavour of a dialect's name; InputError if there is none of that name.

    >>> flavour_of("sparksql").parser.__class__.__name__, flavour_of("ansi").folding
    ('Spark', 'either')
    """
    wanted = (name or "ansi").strip().lower()
    known = SAME.get(wanted, wanted)
    parser = Dialect.get(known)
    if parser is None:
        raise InputError(f"no SQL dialect is called {name}", expected=sorted({*Dialect.classes, *SAME} - {""}))
    strategy = parser.NORMALIZATION_STRATEGY
    if wanted in FOLDING:
        folding = FOLDING[wanted]
    elif not known:
        folding = "either"
    elif strategy is NormalizationStrategy.LOWERCASE:
        folding = "lower"
    elif strategy is NormalizationStrategy.UPPERCASE:
        folding = "upper"
    else:
        folding = "any"
    own = Dialect.get_or_raise(known)
    if known in GROUPING_DIGITS:
        # sqlglot knows this of two dialects alone; an instance of a dialect may have settings of its own.
        vars(own)["NUMBERS_CAN_BE_UNDERSCORE_SEPARATED"] = True
    return Flavour(known or "ansi", own, folding)
