"""What sqlglot does not read, in words that it reads; every word keeps its place, made ones have that of a neighbour.

MERGE ... UPDATE SET a = s.a DELETE WHERE t.z = 2        ... WHEN MATCHED AND (t.z = 2) THEN DELETE
UPDATE t SET b += 1                                      UPDATE t SET b = b + 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from mdw.model.fixed import fixed
from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.phrases import (
    bteq,
    clickhouse,
    db2,
    db2_altering,
    db2_moving,
    documents,
    doris,
    exasol,
    greenplum,
    lakes,
    mysql,
    mysql_making,
    mysql_versions,
    oracle,
    oracle_plain,
    others,
    pipes,
    recursion,
    server,
    spark,
    sqlite,
    streams,
    teradata,
    transact,
    vertica,
)
from mdw.readers.sql.phrases.creating import (
    another_name,
    column_renamed,
    foreign,
    of_row_type,
    of_type,
    part,
    recursive,
    row_type,
    view_altered,
    without_virtual,
)
from mdw.readers.sql.phrases.words import STATES, Words, anywhere, state_tested, with_elements
from mdw.readers.sql.pieces import ScriptPiece, word_of


@fixed
class Rewriting:
    """A change of statements that have one of some words, or whose text has one of some marks; others it leaves."""

    change: Callable[[Words], Words]
    words: frozenset[str]
    marks: tuple[str, ...] = ()


def on(words: str | Iterable[str], change: Callable[[Words], Words], *marks: str) -> Rewriting:
    """What is done to statements that have one of the words, or marks."""
    return Rewriting(change, frozenset(words.split() if isinstance(words, str) else words), marks)


def written_out(piece: ScriptPiece, flavour: Flavour) -> tuple[Words, list[Words]]:
    """The words of a statement in a form that sqlglot reads, and the OUTPUTs of a T-SQL change as statements."""
    # Most statements have no word that any change is for: all are told by what is gone through once.
    said = {token.text.upper() for token in piece.tokens}
    words = with_elements(list(piece.tokens), piece.arrays) if piece.arrays else list(piece.tokens)
    words = _changed(words, EVERYWHERE, piece, said)
    # An OUTPUT stands in the middle of a change; taken out, both can be parsed, and are put together as trees.
    outputs: list[Words] = []
    if flavour.name in TRANSACT and "OUTPUT" in said and word_of(words[0]) in transact.CHANGES:
        words, outputs = transact.without_output(words)
    return _changed(words, REWRITTEN.get(flavour.name, ()), piece, said), outputs


def _changed(words: Words, several: Iterable[Rewriting], piece: ScriptPiece, said: set[str]) -> Words:
    for one in several:
        if not one.words.isdisjoint(said) or (one.marks and piece.mentions(*one.marks)):
            words = one.change(words)
    return words


EVERYWHERE: Sequence[Rewriting] = (
    on("VIRTUAL", without_virtual),
    on("ALTER", view_altered),
    on("RENAME", column_renamed),
    on("CURRENT", anywhere),
    on("SYNONYM ALIAS NICKNAME", another_name),
    on(documents.PLAIN, documents.plain_tables),
    on(documents.PASSED, documents.without_names),
    on("REPLACE", others.inserting),
    on("SEARCH CYCLE", recursion.with_marks),
)
STREAMING: Sequence[Rewriting] = (
    on("TUMBLE HOP CUMULATE", streams.windowed),
    on("MATCH_RECOGNIZE", streams.recognizing),
    on("EXCLUDING INCLUDING OVERWRITING", streams.alike),
)
"""What Flink says, whose SQL is read as that of others."""
REWRITTEN: Mapping[str, Sequence[Rewriting]] = {
    "teradata": (
        on("STATS STATISTICS", teradata.without_statistics),
        on((*bteq.SHORT, "USING"), bteq.begun),
        on(teradata.BEFORE | {"ALL"}, teradata.unlocked),
        on("VIEW", teradata.remade),
        on(teradata.BYTES, teradata.plain_texts),
        on("AT RANDOMIZED REPLACEMENT SAMPLE", teradata.without_places),
        on("LOCATION", teradata.from_store),
        on("LOGGING", bteq.logged),
        on("WITH", bteq.reported),
        on("=", bteq.given_each),
        on("ELSE", bteq.upserting),
        on("FROM", bteq.deleting_by),
        on("ON TABLE", bteq.operated),
        on(bteq.ORDERED, bteq.with_windows),
        on(bteq.SHOWN, bteq.plain_values),
        on(teradata.TYPES, teradata.typed),
        on(teradata.PHRASES, teradata.without_phrases),
        on("NORMALIZE", teradata.without_normalize),
        on("EXPAND", teradata.without_expand),
        on("BEGIN DATE", teradata.functional, "END("),
        on("RESET", teradata.without_reset),
        on("FROM", teradata.updating),
    ),
    "oracle": (
        on("VALUES", oracle.row_inserted),
        on("ERRORS", oracle.without_log),
        on("EXTRACT", oracle.extracted),
        on("DELETE", oracle.branching),
        on("UPDATE", oracle.through),
        on("MODEL", oracle.modelled),
        on("INFILE", others.infile),
        on({"PARTITION BY"}, oracle.without_partitions),
        on("PARTITION SUBPARTITION", oracle.of_all_partitions),
        on("ONLY", oracle.only),
        on("OF", of_type),
        on("SET", oracle.set_inserted),
        on("MULTISET SUBMULTISET LOCAL OF LIKEC LIKE2 LIKE4 JSON", oracle.computed, "**"),
        on(STATES, state_tested),
        on(":", oracle.numbered),
        on("MEMBER", oracle.member),
        on(oracle.TOLD, oracle.told),
        on("VERSIONS", oracle.unversioned),
        on("INTO", oracle.into_query),
        on("INTO", oracle.into_nested),
        on("FLASHBACK", oracle.flashed_back),
        on("RETURNING", oracle.old_and_new),
        on("TRUNCATE", oracle_plain.emptied),
        on("RETURNING RETURN", oracle_plain.unreturned),
        on("DELETE", oracle_plain.joined_to),
        on("CONVERSION", oracle_plain.converted),
        on("JSON", oracle_plain.made_arrays),
        on(oracle_plain.MADE, oracle_plain.documents),
        on("F D", oracle_plain.unsuffixed),
        on("ALTER", oracle_plain.altered),
    ),
    **dict.fromkeys(
        ("trino", "presto", "athena"),
        (
            on("SUBSET", streams.without_subsets),
            on("", pipes.of_branch, "@"),
            on("TABLE", pipes.named),
            on("UNLOAD", pipes.unloaded),
            on("EXTERNAL", pipes.without_outside),
        ),
    ),
    **dict.fromkeys(
        ("materialize", "risingwave"),
        (
            on("SOURCE SINK", streams.created),
            on("SUBSCRIBE", streams.subscribed),
            on("MUTUALLY", streams.mutually),
            on("COPY", streams.copied),
            on("OPTIONS OPTION", streams.without_sizes),
            STREAMING[0],
        ),
    ),
    "bigquery": (
        on("|>", pipes.piped),
        on("MATCH_RECOGNIZE", streams.recognizing),
        on("ROW", others.whole_rows),
        on("", lakes.with_names, "WITH(", "WITH ("),
        on("GRAPH_TABLE GRAPH", lakes.of_graph),
        on("DIFFERENTIAL_PRIVACY AGGREGATION_THRESHOLD", lakes.unguarded),
        on("LOAD", lakes.plain_load),
        on("DROP ALTER", lakes.dropped),
        on("EXTERNAL", lakes.outside),
        on("REPLICA", lakes.replicated),
        on("CLONE", others.without_snapshot),
        on("PARTITION", others.without_partition_columns),
        on("MODEL", others.trained),
        on("TABLE MODEL", others.given_tables),
    ),
    "clickhouse": (
        on("BY", clickhouse.limited_by),
        on("WINDOW", clickhouse.windowed),
        on("INSERT", clickhouse.nested_listed),
        on("ALTER", clickhouse.mutated),
        on("PARTITION", clickhouse.attached),
        on("APPLY COLUMNS", clickhouse.applied),
        on(".^", clickhouse.within_documents),
        on("DICTIONARY", clickhouse.dictionary),
        on("OUTFILE", others.into_file),
        on("CLONE", clickhouse.cloned),
        on("AS", clickhouse.of_function),
        on("INFILE FORMAT", clickhouse.given_rows),
    ),
    **dict.fromkeys(
        ("doris", "starrocks"),
        (
            on("SEPARATOR", doris.without_separator),
            on("SUBMIT JOB", doris.scheduled),
            on("OUTFILE", others.into_file),
            on("INSERT", doris.plain_insert),
            on("PARTITION", doris.without_partition),
            on("EXPORT INFILE", doris.loaded),
            on("ROUTINE", doris.routine),
            on("REPLACE", doris.replaced),
        ),
    ),
    "duckdb": (
        on("KEY", recursion.keyed),
        on("MACRO", others.without_defaults),
        on(others.PIVOTS, others.pivoting),
        on("MERGE POSITION", lakes.merged),
    ),
    "snowflake": (
        on("->>", lakes.flowing),
        on("SUBSET", streams.without_subsets),
        on("PRIOR", lakes.above),
        on("EXTERNAL", lakes.outside),
        on("DROP ALTER", lakes.dropped),
        on("FILES", lakes.files_copied),
        on("CORTEX", lakes.searched),
        on("MODIFY", others.run_later),
    ),
    "sqlite": (
        on("UPDATE", others.without_alternative),
        on("RAISE", others.raised),
        on("VIRTUAL", sqlite.virtual),
    ),
    "mysql": (
        on(others.HURRIES | {"REPLACE", "RENAME"}, others.unhurried),
        on(others.MODIFIERS, others.unmodified),
        on("{", others.without_escapes),
        on("INTO", others.into_file),
        on("INFILE", others.infile),
        on("VERSIONING HISTORY", mysql_versions.unversioned),
        on("SYSTEM_TIME", mysql_versions.of_times),
        on("ALTER", mysql_versions.altered),
        on("VALUES", mysql.rows_told),
        on("EXAMINED", mysql.unexamined),
        on("WAIT NOWAIT SNAPSHOT ANALYSE TABLES", mysql.unhurried),
        on("DEFAULT", mysql.with_defaults),
        on("INSERT", mysql.of_own_table, "."),
        on("DELETE", mysql.deleted_of),
        on({"GROUP BY"}, mysql.grouped),
        on("AGAINST", mysql.searched),
        on("VIEW", mysql_making.plain_view),
        on("UNION", mysql_making.of_others),
        on("CONNECTION", mysql_making.federated),
        on("CREATE", mysql_making.plain_copy),
        on("UPDATE PORTION", mysql.changing),
        on("CYCLE", mysql.without_cycle),
        on("SIGNED UNSIGNED BINARY UNICODE ASCII", mysql.signed),
        on("", mysql.set_within, ":="),
        on("NEXTVAL LASTVAL SETVAL", mysql.of_sequence),
        on("GROUP_CONCAT JSON_ARRAYAGG", mysql.of_first),
        on("NEXT PREVIOUS NEXTVAL PREVVAL", db2.next_value),
    ),
    "ansi": (
        *STREAMING,
        on("CURRENT", db2.registers),
        on("CONCAT", db2.joined_texts),
        on(db2.UNITS, db2.durations),
        on(db2.TAILS, db2.without_tail),
        on("VALUES", db2.values_given),
        on("TABLE", db2.changed),
        on("TEMPORARY", db2_moving.temporary),
        on("LIKE", db2_moving.alike),
        on(db2_moving.COUNTS, db2_moving.first_rows),
        on("MAP", db2_moving.mapped),
        on("PLACEHOLDER", db2_moving.without_placeholders),
        on("INTO", db2_moving.loaded),
        on("EXPORT", db2_moving.exported),
        on("NEXT PREVIOUS NEXTVAL PREVVAL", db2.next_value),
        on("EXCEPTION", db2.with_all_rows),
        on("/", db2.dotted),
        on("STRIP", db2.stripped),
        on(db2.UNITS_OF_TEXT | db2.FORMATS | {"DATA", "SELECTIVITY"}, db2.worded),
        on("", oracle.computed, "**"),
        on(":", db2.without_indicators),
        on(db2.NEGATING, db2.unequal),
        on("TRUNCATE", db2_moving.emptied),
        on("UPSERT", db2_moving.upserted),
        on(db2.PERIODS, db2.without_period),
        on("MERGE", db2_moving.merged),
        on("UPDATE", oracle.through),
        on("INTO", oracle.into_query),
        on("INGEST", db2_altering.ingested),
        on("DEFAULT", db2_altering.with_defaults),
        on("OF", db2_altering.without_order),
        on("EXEC", db2_altering.embedded),
    ),
    **dict.fromkeys(
        ("spark", "databricks"),
        (
            *STREAMING,
            on("CATALOG", spark.catalog_set),
            on("SESSION", spark.of_session),
            on("SETMINUS", spark.set_minus),
            on("|>", spark.from_tables),
            on("|>", pipes.piped),
            on("CLONE", others.plain_clone),
            on("USING", spark.of_source),
            on("DIRECTORY", spark.into_directory),
            on("EVOLUTION", others.without_evolution),
            on("FLOW", spark.flowing),
            on("REPLACE", spark.plain_insert),
            on("CHANGES CDC", others.applied),
            on("WINDOW", spark.with_windows),
            on("WATERMARK", spark.without_watermark),
            on("TABLE", spark.all_of_table),
            on("COPY", lakes.copied),
            on("DROP ALTER", lakes.dropped),
            on("EXISTS", spark.without_exists),
            on("USING", spark.transformed),
            on("CHANGE", spark.column_told),
            on("CHANGE", spark.column_changed),
        ),
    ),
    "hive": (
        on("CHANGE", spark.column_changed),
        on("USING", spark.transformed),
        on("EXPORT IMPORT", spark.exported),
        on("EXISTS", spark.without_exists),
        on("", spark.by_pattern, "`"),
        on("TABLE", spark.all_of_table),
        on("UPSERT", db2_moving.upserted),
        on(spark.HINTS, spark.unhinted),
    ),
    "postgres": (
        on("PARTITION", part),
        on("FOREIGN", foreign),
        on("USING", others.without_join_names),
        on("OVERRIDING", others.without_overriding),
        on("COPY", others.without_program),
        on("RECURSIVE", recursive),
        on("@", others.absolute),
        on(STATES, state_tested),
        on("OF", of_row_type),
        on("TYPE", row_type),
        on("INSERT", others.parts_inserted),
        on("", others.within_networks, "<<=", ">>="),
        on(greenplum.SPREAD, greenplum.distributed),
        on("EXTERNAL", greenplum.external),
        on("EXTERNAL", greenplum.of_file),
        on("NEXT PREVIOUS NEXTVAL PREVVAL", db2.next_value),
        on("SCHEMA", vertica.of_schema),
        on("SEGMENTED UNSEGMENTED ENCODING COMMIT", vertica.kept),
        on("USING DEFAULT", vertica.set_by),
        on("EPOCH", vertica.of_epoch, "AT TIME '"),
        on("COPY", vertica.copied),
        on("COPY", vertica.outside),
        on("EXPORT", vertica.exported),
        on("LIMIT", vertica.without_limit),
        on("TIMESERIES", vertica.in_slices),
        on(
            vertica.TIMES | {"PARAMETERS", "INTERPOLATE", "MINUS", "MATCH", "PARTITION"},
            vertica.plain_values,
            "::!",
            "//",
        ),
        on(vertica.MOVING, vertica.moving),
    ),
    "exasol": (
        on("IMPORT", exasol.imported),
        on("EXPORT", exasol.exported),
        on("LOCAL", exasol.own_names),
        on("COMMENT FORCE PREFERRING DELETE", exasol.plain),
        on("DELETE", oracle.branching),
        on("EMITS", exasol.emitting),
        on("BETWEEN", exasol.numbers),
    ),
    "redshift": (
        on("MODEL", others.trained_from),
        on("DUPLICATES", others.deduplicated),
        on("PROPERTIES", others.without_properties),
    ),
    **dict.fromkeys(
        TRANSACT,
        (
            on("OUTPUT", transact.derived),
            on("!", transact.compared),
            on("", server.amounts, "$"),
            on("::", server.unbound),
            on("XML", server.of_any_document),
            on("", server.outer_joined, "*=", "=*"),
            on("PATH", server.along_path),
            on(server.HINTS, server.parted_hints),
            on(transact.SEARCHING, transact.searched),
            on("=", transact.assigned),
            on("=", transact.named_before),
            on("NODE EDGE FILETABLE", transact.graphless),
            on("BULK", transact.loaded),
            on("OPENXML", transact.shredded),
            on("TABLESAMPLE", transact.sampled),
            on("BULK", transact.bulk),
            on("CHANGETABLE", transact.changes_of),
            on("TYPE", transact.typed_rows),
            on("COPY", transact.copied),
            on("CLONE", transact.cloned),
            on("MATCH", transact.matched),
            on("{", others.without_escapes),
            on("OPTION INTO", transact.without_options),
            on("WRITE MODIFY", transact.written_within),
            on("RECEIVE", transact.received),
            on("WITH", transact.unhinted),
            on("XMLNAMESPACES", transact.without_namespaces),
            on("EXEC EXECUTE", transact.executed),
            on("TOP", transact.without_top),
            on("DELETE", transact.deleting),
        ),
    ),
}
"""By dialect: the changes of its statements, each with the words without which it has nothing to do."""
