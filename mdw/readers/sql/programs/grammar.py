"""What the programs of dialects differ in, as tables of words; what all have in common is in the modules beside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a dialect writes programs.

    ``unended``: statements need no semicolon. ``sections``: DECLARE opens a list of declarations that stand before a
    block. ``transacts``: BEGIN outside of programs begins a transaction. ``calls``: a name alone is a call.
    ``keeps``: a query without a row leaves variables as they are (rule Q27). ``undoes``: a failure takes back what a
    block with handlers wrote. ``assigns``: a name, = and a value are an assignment. ``speaks``: what the client that
    runs scripts is: "psql", "sqlplus", "bteq", "sqlcmd", "snowsql", "mysql", "beeline".
    """

    unended: bool = False
    sections: bool = False
    transacts: bool = False
    calls: bool = False
    keeps: bool = False
    undoes: bool = False
    assigns: bool = False
    into_anywhere: bool = False
    speaks: tuple[str, ...] = ()


POSTGRES = Grammar(sections=True, transacts=True, undoes=True, assigns=True, speaks=("psql",))
TRANSACT = Grammar(unended=True, keeps=True, into_anywhere=True, speaks=("sqlcmd",))
MYSQL = Grammar(keeps=True, into_anywhere=True, speaks=("mysql",))
SPARK = Grammar(speaks=("beeline",))
GRAMMARS = {
    "tsql": TRANSACT,
    "fabric": TRANSACT,
    "oracle": Grammar(sections=True, calls=True, speaks=("sqlplus",)),
    **dict.fromkeys(("postgres", "redshift", "materialize", "risingwave"), POSTGRES),
    "exasol": Grammar(sections=True, calls=True),
    "snowflake": Grammar(sections=True, speaks=("snowsql",)),
    **dict.fromkeys(("mysql", "singlestore", "doris", "starrocks"), MYSQL),
    "teradata": Grammar(speaks=("bteq",)),
    **dict.fromkeys(("spark", "spark2", "hive", "databricks"), SPARK),
    **dict.fromkeys(("sqlite", "duckdb"), Grammar(transacts=True, speaks=("sqlite",))),
    "ansi": Grammar(sections=True, calls=True, speaks=("psql", "sqlplus", "bteq", "mysql")),
}
PLAIN = Grammar()


def grammar_of(dialect: str) -> Grammar:
    """The grammar of a dialect, by sqlglot's name of it.

    >>> grammar_of("tsql").unended, grammar_of("oracle").sections, grammar_of("trino").speaks
    (True, True, ())
    """
    return GRAMMARS.get(dialect, PLAIN)


@cache
def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


TRANSACTIONS = words("TRANSACTION TRAN WORK DISTRIBUTED ISOLATION READ DEFERRED IMMEDIATE EXCLUSIVE CONCURRENT")
"""What stands behind BEGIN where it begins a transaction."""
TALKS = words("DIALOG CONVERSATION")
"""What stands behind BEGIN and END where services talk (T-SQL)."""
ENDED = TALKS | words("TRANSACTION WORK")
"""What an END may end that is no block."""
TRIED = words("TRY CATCH")
CLOSED = words("IF LOOP WHILE REPEAT FOR CASE FOREACH") | TRIED
"""What END may name of what it ends."""
LOOPS = words("LOOP WHILE FOR REPEAT FOREACH FORALL")
PROGRAMS = words("PROCEDURE PROC FUNCTION TRIGGER PACKAGE MACRO")
QUERIES = words("SELECT SEL WITH VALUES TABLE FROM")
CHANGES = words("INSERT UPDATE DELETE MERGE")
STATEMENTS = words("""
    SELECT SEL WITH INSERT INS UPDATE UPD DELETE DEL MERGE CREATE DROP TRUNCATE ALTER GRANT REVOKE REPLACE VALUES
""")
"""Words that begin statements of SQL, and never a call."""

# -- T-SQL, whose statements end where the next begins -----------------------------------------------------------------

STARTS = words("""
    SELECT INSERT UPDATE DELETE MERGE WITH CREATE ALTER DROP TRUNCATE SET DECLARE EXEC EXECUTE USE PRINT RETURN THROW
    RAISERROR GRANT REVOKE DENY IF WHILE BEGIN COMMIT ROLLBACK SAVE OPEN CLOSE FETCH DEALLOCATE GOTO BREAK CONTINUE
    WAITFOR BULK BACKUP RESTORE DBCC KILL CHECKPOINT RECONFIGURE COPY CALL ENABLE DISABLE
    REVERT SEND ADD
""") | {"UPDATE STATISTICS"}
CONTINUED = words("""
    UNION ALL EXCEPT INTERSECT FOR OR AND NOT OF AFTER BEFORE INSTEAD SELECT DISTINCT FROM JOIN INTO WHERE HAVING
    , = + - * / < > .
""") | {"ORDER BY", "GROUP BY", "PARTITION BY"}
"""Words behind which no statement begins: one that does elsewhere is a name there, as a column ``open``."""
BEHIND = {
    "SELECT": words("AS THEN"),
    "WITH": words("AS"),
    "INSERT": words("THEN BULK"),
    "UPDATE": words("THEN ON"),
    "DELETE": words("THEN ON"),
    "SET": words("UPDATE DELETE"),
    "EXEC": words("WITH AS"),
    "EXECUTE": words("WITH AS"),
    "FETCH": words("ROW ROWS"),
    "MERGE": words("INNER LEFT RIGHT FULL OUTER"),
    "USE": words("OPTION"),
}
"""Words behind which a word that begins statements begins none."""
HELD = {
    "INSERT": words("SELECT EXEC EXECUTE WITH"),
    "UPDATE": words("SET"),
    "WITH": words("SELECT INSERT UPDATE DELETE MERGE"),
}
"""Words that a statement has once, at its top, before the next begins with one."""
ENOUGH = {"INSERT": words("VALUES DEFAULT SELECT EXEC EXECUTE")}
"""Words of a statement behind which it has none of those."""
