"""The tables of the mapping model in a database, by Spark's JDBC: read, and replaced all together or not at all.

Rows are written to drafts first, tables beside those in force, by as many connections as Spark takes. One transaction
then puts them in the place of the rows in force: whoever reads meanwhile sees the old ones, and if anything fails they
stay. Tables that are there keep their columns, rights and indexes, missing ones are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyarrow import parquet

from mdw.model.errors import SparkError
from mdw.readers.inputs import shown
from mdw.readers.tables.schema import TABLES

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import DataFrame, SparkSession

PREFIX = "mdw_"
"""Before the names of tables in a database, where some of them are reserved words."""
DRAFT = "mdw_draft_"
POSTGRESQL = "jdbc:postgresql:"
DRIVER = "org.postgresql.Driver"
JAR = Path("/usr/share/java/postgresql.jar")
"""Where Debian's package libpostgresql-jdbc-java puts the driver."""
KEPT = "the tables in force are what they were"


def settings(jars: str, *sources: str) -> dict[str, str]:
    """What a Spark session must be told for these sources: the drivers in ``jars`` (separated by commas).

    Without any, PostgreSQL's driver is taken from where Debian puts it. SparkError if a jar is not there.
    """
    given = [jar.strip() for jar in jars.split(",") if jar.strip()]
    for jar in given:
        if "://" not in jar and not Path(jar).is_file():
            raise SparkError(f"there is no file {jar}, which should hold the driver of a database")
    if not given and JAR.is_file() and any(source.startswith(POSTGRESQL) for source in sources):
        given = [str(JAR)]
    return {"spark.jars": ",".join(given)} if given else {}


def read(spark: SparkSession, url: str, table: str) -> DataFrame:
    """A table of the mapping model, by its name there; SparkError if it, the database or the driver is missing."""
    with failing(url, f"the table {PREFIX}{table} cannot be read"):
        return spark.read.format("jdbc").options(**_options(url, f"{PREFIX}{table}")).load()


def write(spark: SparkSession, folder: Path, url: str) -> dict[str, int]:
    """Put the tables of a folder of Parquet files in the place of those in a database; how many rows each has.

    SparkError if the database or its driver is missing, or the database refuses; it then holds what it held, and
    perhaps drafts (``mdw_draft_…``), which the next run replaces.
    """
    counts = {table.name: parquet.read_metadata(folder / f"{table.name}.parquet").num_rows for table in TABLES}
    with failing(url, f"tables cannot be written, {KEPT}"):
        # Spark writes through many connections, so no transaction holds what it writes: that goes into drafts. The
        # empty append makes a missing table with the columns of its draft and does nothing to one that is there.
        for name in counts:
            rows = spark.read.parquet(str(folder / f"{name}.parquet"))
            _save(rows, url, f"{DRAFT}{name}", "overwrite")
            _save(rows.limit(0), url, f"{PREFIX}{name}", "append")
        with _transaction(spark, url) as (execute, quoted):
            for table in TABLES:
                columns = ", ".join(quoted(column.name) for column in table.columns)
                execute(f"DELETE FROM {PREFIX}{table.name}")
                taken = execute(
                    f"INSERT INTO {PREFIX}{table.name} ({columns}) SELECT {columns} FROM {DRAFT}{table.name}"
                )
                # Two runs at a time overwrite each other's drafts; the count shows it before anything is committed.
                if taken != counts[table.name]:
                    raise SparkError(f"{shown(url)}: somebody else writes {DRAFT}{table.name} too: {KEPT}")
                execute(f"DROP TABLE {DRAFT}{table.name}")
    return counts


def _save(rows: DataFrame, url: str, table: str, mode: str) -> None:
    rows.write.format("jdbc").options(**_options(url, table)).mode(mode).save()


def _options(url: str, table: str) -> dict[str, str]:
    driver = {"driver": DRIVER} if url.startswith(POSTGRESQL) else {}
    return {"url": url, "dbtable": table, **driver}


@contextmanager
def _transaction(spark: SparkSession, url: str) -> Iterator[tuple[Callable[[str], int], Callable[[str], str]]]:
    """A way to execute statements (how many rows each met) and one to quote names; all count at the end, or none."""
    # By Spark's own classes: they find the driver in the jars it was given, which Python could not load.
    jvm: Any = spark._jvm
    options = jvm.PythonUtils.toScalaMap(_options(url, DRAFT))
    dialect = jvm.org.apache.spark.sql.jdbc.JdbcDialects.get(url)
    jdbc = jvm.org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions(options)
    connection = dialect.createConnectionFactory(jdbc).apply(-1)
    try:
        connection.setAutoCommit(False)
        yield connection.createStatement().executeUpdate, dialect.quoteIdentifier
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    finally:
        connection.close()


@contextmanager
def failing(url: str, what: str) -> Iterator[None]:
    """Complaints of Java as a SparkError of one line: the driver's own words, without what it takes to log in."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors.exceptions.captured import CapturedException

    try:
        yield
    except Py4JJavaError as error:
        raise _complaint(url, what, error.java_exception, str(error)) from None
    except CapturedException as error:
        raise _complaint(url, what, error._origin, str(error)) from None


def _complaint(url: str, what: str, cause: JavaObject | None, said: str) -> SparkError:
    """The error for what Java says was the first cause; not chained to it, since that may show the URL."""
    kind = ""
    # Spark wraps what the driver says several times over; the innermost says what to mend.
    while cause is not None:
        kind, said = cause.getClass().getName(), cause.getMessage() or cause.toString()
        cause = cause.getCause()
    if kind.endswith("ClassNotFoundException") or said.startswith("No suitable driver"):
        debian = ", or install libpostgresql-jdbc-java" if url.startswith(POSTGRESQL) else ""
        remedy = f"give its jar with --jars (to spark-submit, where that starts Spark){debian}"
        return SparkError(f"{shown(url)}: the driver of this database is not there: {remedy}")
    line = said.replace(url, shown(url)).partition("\n")[0]
    return SparkError(f"{shown(url)}: {what}: {line}")
