"""What sqlglot does not read, in words that it reads; every word keeps its place, made ones have that of a neighbour.

MERGE ... UPDATE SET a = s.a DELETE WHERE t.z = 2        ... WHEN MATCHED AND (t.z = 2) THEN DELETE
UPDATE t SET b += 1                                      UPDATE t SET b = b + 1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.phrases import (
    bteq,
    clickhouse,
    db2,
    db2_moving,
    documents,
    doris,
    lakes,
    oracle,
    others,
    pipes,
    spark,
    streams,
    teradata,
    transact,
    vertica,
)
from mdw.readers.sql.phrases.creating import another_name, foreign, of_type, part, recursive, without_virtual
from mdw.readers.sql.phrases.words import Words, anywhere, made_words, spoken, state_tested, with_elements
from mdw.readers.sql.pieces import ScriptPiece, word_of


def written_out(piece: ScriptPiece, flavour: Flavour) -> tuple[Words, list[Words]]:
    """The words of a statement in a form that sqlglot reads, and the OUTPUTs of a T-SQL change as statements."""
    creates = word_of(piece.tokens[0]) == "CREATE"
    told = creates or word_of(piece.tokens[0]) == "ALTER"
    words = without_virtual(piece.tokens) if told and piece.mentions("VIRTUAL") else list(piece.tokens)
    if piece.mentions("CURRENT"):
        words = anywhere(words)
    if piece.arrays:
        words = with_elements(words, piece.arrays)
    if creates and piece.mentions("SYNONYM", "ALIAS", "NICKNAME"):
        words = another_name(words)
    if piece.mentions(*documents.PLAIN):
        words = documents.plain_tables(words)
    if piece.mentions("XMLQUERY", "XMLEXISTS"):
        words = documents.without_names(words)
    if spoken(words[:2]) == ["REPLACE", "INTO"]:
        # It inserts, whatever it takes away before.
        words[:1] = made_words(words[0], "INSERT")
    # An OUTPUT stands in the middle of a change; taken out, both can be parsed, and are put together as trees.
    outputs: list[Words] = []
    if flavour.name in TRANSACT and word_of(words[0]) in transact.CHANGES:
        words, outputs = transact.without_output(words)
    # Most statements have none of these words: looking for them in the text is far cheaper than going over the words.
    for word, change in REWRITTEN.get(flavour.name, ()):
        if piece.mentions(word):
            words = change(words)
    return words, outputs


Rewriting = Callable[[Words], Words]
STREAMING: Sequence[tuple[str, Rewriting]] = (
    ("TUMBLE", streams.windowed),
    ("HOP", streams.windowed),
    ("CUMULATE", streams.windowed),
    ("MATCH_RECOGNIZE", streams.recognizing),
)
"""What Flink says, whose SQL is read as that of others."""
REWRITTEN: Mapping[str, Sequence[tuple[str, Rewriting]]] = {
    "teradata": (
        ("STAT", teradata.without_statistics),
        ("", bteq.begun),
        ("", teradata.unlocked),
        ("LOGGING", bteq.logged),
        ("WITH", bteq.reported),
        ("=", bteq.given_each),
        ("ELSE", bteq.upserting),
        ("FROM", bteq.deleting_by),
        ("(", bteq.operated),
        ("(", bteq.with_windows),
        ("(", bteq.plain_values),
        ("(", teradata.without_phrases),
        ("NORMALIZE", teradata.without_normalize),
        ("EXPAND", teradata.without_expand),
        ("BEGIN", teradata.functional),
        ("END(", teradata.functional),
        ("DATE", teradata.functional),
        ("RESET", teradata.without_reset),
        ("FROM", teradata.updating),
    ),
    "oracle": (
        ("VALUES", oracle.row_inserted),
        ("DELETE", oracle.branching),
        ("UPDATE", oracle.through),
        ("MODEL", oracle.modelled),
        ("INFILE", others.infile),
        ("PARTITION", oracle.without_partitions),
        ("PARTITION", oracle.of_all_partitions),
        ("ONLY", oracle.only),
        (" OF ", of_type),
        ("SET", oracle.set_inserted),
        *((word, oracle.computed) for word in ("**", "MULTISET", "LOCAL", " OF", "LIKE", "JSON")),
        (" IS ", state_tested),
        (":", oracle.numbered),
        ("ERRORS", oracle.without_log),
        ("MEMBER", oracle.member),
        ("%", oracle.told),
        ("VERSIONS", oracle.unversioned),
        ("INTO", oracle.into_query),
        ("INTO", oracle.into_nested),
        ("FLASHBACK", oracle.flashed_back),
        ("RETURNING", oracle.old_and_new),
    ),
    **dict.fromkeys(
        ("trino", "presto", "athena"),
        (
            ("TABLE", pipes.named),
            ("UNLOAD", pipes.unloaded),
            ("EXTERNAL", pipes.without_outside),
        ),
    ),
    **dict.fromkeys(
        ("materialize", "risingwave"),
        (
            ("SOURCE", streams.created),
            ("SINK", streams.created),
            ("SUBSCRIBE", streams.subscribed),
            ("MUTUALLY", streams.mutually),
            *STREAMING[:2],
        ),
    ),
    "bigquery": (
        ("|>", pipes.piped),
        ("MATCH_RECOGNIZE", streams.recognizing),
        ("ROW", others.whole_rows),
        ("WITH(", lakes.with_names),
        ("WITH (", lakes.with_names),
        ("GRAPH_TABLE", lakes.of_graph),
        ("PRIVACY", lakes.unguarded),
        ("THRESHOLD", lakes.unguarded),
        ("LOAD", lakes.plain_load),
        ("DROP", lakes.dropped),
        ("EXTERNAL", lakes.outside),
        ("DROP", lakes.dropped),
        ("CLONE", others.without_snapshot),
        ("PARTITION", others.without_partition_columns),
        ("MODEL", others.trained),
        ("TABLE", others.given_tables),
        ("MODEL", others.given_tables),
    ),
    "clickhouse": (
        ("ALTER", clickhouse.mutated),
        ("APPLY", clickhouse.applied),
        ("COLUMNS", clickhouse.applied),
        ("DICTIONARY", clickhouse.dictionary),
        ("OUTFILE", others.into_file),
        ("CLONE", clickhouse.cloned),
        ("INFILE", clickhouse.given_rows),
        ("FORMAT", clickhouse.given_rows),
    ),
    **dict.fromkeys(
        ("doris", "starrocks"),
        (
            ("SEPARATOR", doris.without_separator),
            ("SUBMIT", doris.scheduled),
            ("JOB", doris.scheduled),
            ("OUTFILE", others.into_file),
            ("INSERT", doris.plain_insert),
            ("PARTITION", doris.without_partition),
            ("EXPORT", doris.loaded),
            ("ROUTINE", doris.routine),
            ("INFILE", doris.loaded),
            ("REPLACE", doris.replaced),
        ),
    ),
    "duckdb": (("MACRO", others.without_defaults), ("PIVOT", others.pivoting), ("MERGE", lakes.merged)),
    "snowflake": (
        ("->>", lakes.flowing),
        ("PRIOR", lakes.above),
        ("EXTERNAL", lakes.outside),
        ("CORTEX", lakes.searched),
    ),
    "sqlite": (("UPDATE", others.without_alternative), ("RAISE", others.raised)),
    "mysql": (
        *((word, others.unhurried) for word in ("PRIORITY", "IGNORE", "QUICK", "DELAYED", "REPLACE", "RENAME")),
        ("SQL_", others.unmodified),
        ("HIGH_PRIORITY", others.unmodified),
        ("{", others.without_escapes),
        ("INTO", others.into_file),
        ("INFILE", others.infile),
    ),
    "ansi": (
        *STREAMING,
        ("CURRENT", db2.registers),
        ("CONCAT", db2.joined_texts),
        *((unit, db2.durations) for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")),
        ("WITH", db2.without_tail),
        ("FOR", db2.without_tail),
        ("SKIP", db2.without_tail),
        ("QUERYNO", db2.without_tail),
        ("VALUES", db2.values_given),
        ("TABLE", db2.changed),
        ("TEMPORARY", db2_moving.temporary),
        ("LIKE", db2_moving.alike),
        ("TOP", db2_moving.first_rows),
        ("INTO", db2_moving.loaded),
        ("EXPORT", db2_moving.exported),
        ("FOR", db2.next_value),
        ("EXCEPTION", db2.with_all_rows),
        ("/", db2.dotted),
        ("STRIP", db2.stripped),
        *(
            (word, db2.worded)
            for word in ("ISO", "USA", "EUR", "JIS", "OCTETS", "CODEUNITS", "NULLS", "DATA", "SELECTIVITY")
        ),
        ("**", oracle.computed),
        (":", db2.without_indicators),
        ("=", db2.unequal),
        ("TRUNCATE", db2_moving.emptied),
        ("UPSERT", db2_moving.upserted),
        ("_TIME", db2.without_period),
        ("MERGE", db2_moving.merged),
        ("UPDATE", oracle.through),
        ("INTO", oracle.into_query),
    ),
    **dict.fromkeys(
        ("spark", "databricks"),
        (
            *STREAMING,
            ("|>", pipes.piped),
            ("CLONE", others.plain_clone),
            ("USING", spark.of_source),
            ("DIRECTORY", spark.into_directory),
            ("EVOLUTION", others.without_evolution),
            ("INTO", others.applied),
            ("WINDOW", spark.with_windows),
            ("WATERMARK", spark.without_watermark),
            ("TABLE", spark.all_of_table),
            ("FLOW", spark.flowing),
            ("COPY", lakes.copied),
            ("DROP", lakes.dropped),
            ("EXISTS", spark.without_exists),
            ("USING", spark.transformed),
        ),
    ),
    "hive": (
        ("USING", spark.transformed),
        ("PORT", spark.exported),
        ("EXISTS", spark.without_exists),
        ("`", spark.by_pattern),
        ("TABLE", spark.all_of_table),
    ),
    "postgres": (
        ("PARTITION", part),
        ("FOREIGN", foreign),
        ("USING", others.without_join_names),
        ("OVERRIDING", others.without_overriding),
        ("COPY", others.without_program),
        ("RECURSIVE", recursive),
        ("@", others.absolute),
        (" IS ", state_tested),
        (" OF ", of_type),
        ("<<=", others.within_networks),
        (">>=", others.within_networks),
        ("SCHEMA", vertica.of_schema),
        ("SEGMENTED", vertica.kept),
        ("ENCODING", vertica.kept),
        ("EPOCH", vertica.of_epoch),
        ("AT TIME '", vertica.of_epoch),
        ("COPY", vertica.copied),
        ("COPY", vertica.outside),
        ("EXPORT", vertica.exported),
        ("LIMIT", vertica.without_limit),
        ("TIMESERIES", vertica.in_slices),
        ("PARAMETERS", vertica.plain_values),
        ("INTERPOLATE", vertica.plain_values),
        ("MINUS", vertica.plain_values),
        ("MATCH", vertica.plain_values),
        ("PARTITION ", vertica.plain_values),
        ("::!", vertica.plain_values),
        ("//", vertica.plain_values),
        ("DATEDIFF", vertica.plain_values),
        ("TIMESTAMPDIFF", vertica.plain_values),
        ("DATEADD", vertica.plain_values),
        ("TIMESTAMPADD", vertica.plain_values),
        ("_TABLE", vertica.moving),
    ),
    "redshift": (
        ("MODEL", others.trained_from),
        ("DUPLICATES", others.deduplicated),
        ("PROPERTIES", others.without_properties),
    ),
    **dict.fromkeys(
        TRANSACT,
        (
            ("OUTPUT", transact.derived),
            ("!", transact.compared),
            ("CONTAINSTABLE", transact.searched),
            ("FREETEXTTABLE", transact.searched),
            ("=", transact.assigned),
            ("=", transact.named_before),
            ("AS", transact.graphless),
            ("BULK", transact.loaded),
            ("BULK", transact.bulk),
            ("CHANGETABLE", transact.changes_of),
            ("TYPE", transact.typed_rows),
            ("COPY", transact.copied),
            ("CLONE", transact.cloned),
            ("MATCH", transact.matched),
            ("{", others.without_escapes),
            ("OPTION", transact.without_options),
            ("INTO", transact.without_options),
            (".WRITE", transact.written_within),
            (".MODIFY", transact.written_within),
            ("RECEIVE", transact.received),
            ("WITH", transact.unhinted),
            ("XMLNAMESPACES", transact.without_namespaces),
            ("EXEC", transact.executed),
            ("TOP", transact.without_top),
            ("DELETE", transact.deleting),
        ),
    ),
}
"""By dialect: the changes of its statements, each with a word without which it has nothing to do."""
