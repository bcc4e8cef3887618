"""What only one of the other databases says."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    identifier,
    made_words,
    name_at,
    parted,
    placed,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import word_of


def inserting(words: Words) -> Words:
    """REPLACE INTO t inserts rows in the place of others; REPLACE TABLE t AS SELECT ... makes T again."""
    changed = (
        {"INTO": "INSERT OR REPLACE", "TABLE": "CREATE OR REPLACE"}.get(word_of(words[1])) if len(words) > 1 else None
    )
    return [*made_words(words[0], changed), *words[1:]] if changed and word_of(words[0]) == "REPLACE" else words


def parts_inserted(words: Words) -> Words:
    """PostgreSQL's INSERT INTO t (k, a.b, c[1]) fills a part of A and one of C: of each what it is made of is asked."""
    at = top(words, {"INSERT"})
    opened = behind_name(words, at + 2) if spoken(words[at + 1 : at + 2]) == ["INTO"] else len(words)
    if opened >= len(words) or words[opened].token_type is not TokenType.L_PAREN or begins(words, opened + 1):
        return words
    end = closed(words, opened)
    columns = parted(words[opened + 1 : end - 1])
    if all(len(one) < 2 for one in columns):
        return words
    return [
        *words[: opened + 1],
        *separated([one[:1] for one in columns], made_words(words[at], ",")),
        *words[end - 1 :],
    ]


def run_later(words: Words) -> Words:
    """ALTER TASK t MODIFY AS INSERT ..., ALTER ALERT a MODIFY ACTION INSERT ... (Snowflake): what runs from now on."""
    at = top(words, {"MODIFY"}) + 1
    told = spoken(words[:2]) in (["ALTER", "TASK"], ["ALTER", "ALERT"]) and at + 1 < len(words)
    return words[at + 1 :] if told and word_of(words[at]) in ("AS", "ACTION") else words


def without_defaults(words: Words) -> Words:
    """The := value of a macro's argument is what it is where nobody gives it."""
    if "MACRO" not in spoken(words[:6]):
        return words
    marks = {at for at, token in enumerate(words) if token.token_type is TokenType.COLON_EQ}
    return [token for at, token in enumerate(words) if at not in marks and at - 1 not in marks]


PIVOTS = frozenset(("PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER"))


def pivoting(words: Words) -> Words:
    """DuckDB's PIVOT and UNPIVOT in the place of a query: CREATE VIEW w AS PIVOT t ON x, PIVOT t ON x ORDER BY k."""
    # Behind FROM t they are a part of that.
    at = top(words, PIVOTS | {"FROM", "SELECT"})
    end = top(words, {"ORDER BY", "LIMIT", "OFFSET"}, at)
    within = word_of(words[0]) in ("CREATE", "INSERT") and "WITH" not in spoken(words[:at])
    if at == len(words) or word_of(words[at]) not in PIVOTS or not (within or end < len(words)):
        return words
    pivot = [*made_words(words[at], "SELECT * FROM ("), *words[at:end], *made_words(words[end - 1], ")")]
    return [*words[:at], *pivot, *words[end:]]


def without_snapshot(words: Words) -> Words:
    """BigQuery's CREATE SNAPSHOT TABLE s CLONE t FOR SYSTEM_TIME AS OF x OPTIONS (...)."""
    at = top(words, {"CLONE"})
    if word_of(words[0]) != "CREATE" or "TABLE" not in spoken(words[:5]) or at == len(words):
        return words
    lead = [token for token in words[:at] if word_of(token) != "SNAPSHOT"]
    return [*lead, *words[at : top(words, {"FOR", "OPTIONS"}, at)]]


def without_partition_columns(words: Words) -> Words:
    """BigQuery's CREATE EXTERNAL TABLE t WITH PARTITION COLUMNS (d DATE): they are told by where its files are."""
    at = next((n for n in tops(words, {"WITH"}) if spoken(words[n + 1 : n + 3]) == ["PARTITION", "COLUMNS"]), 0)
    if word_of(words[0]) != "CREATE" or not at:
        return words
    listed = at + 3 < len(words) and words[at + 3].token_type is TokenType.L_PAREN
    return [*words[:at], *words[closed(words, at + 3) if listed else at + 3 :]]


def without_properties(words: Words) -> Words:
    """Redshift's CREATE EXTERNAL TABLE t (...) ... TABLE PROPERTIES (...): no table is called so."""
    at = next((n for n in tops(words, {"TABLE"}, 4) if spoken(words[n + 1 : n + 2]) == ["PROPERTIES"]), 0)
    if spoken(words[:3]) != ["CREATE", "EXTERNAL", "TABLE"] or not at:
        return words
    return [*words[:at], *words[closed(words, at + 2) :]]


def into_file(words: Words) -> Words:
    """SELECT ... INTO OUTFILE 'f' ... FROM t fills a file (MySQL); what else is behind it tells of the file."""
    at = next((n for n in tops(words, {"INTO"}) if spoken(words[n + 1 : n + 2])[:1] in (["OUTFILE"], ["DUMPFILE"])), 0)
    if not at or at + 2 >= len(words) or not begins(words, 0):
        return words
    rest = words[top(words, {"FROM"}, at) :]
    return [*made_words(words[0], "INSERT INTO"), identifier(words[at + 2]), *words[:at], *rest]


def infile(words: Words) -> Words:
    """LOAD DATA [LOCAL] INFILE 'f' INTO TABLE t ... of MySQL and SQL*Loader is Hive's, whatever else it says.

    ``(a, @v) SET b = UPPER(@v)`` (MySQL) is INSERT INTO t (a, b) SELECT a, UPPER(v) FROM the file.
    """
    said = spoken(words)
    if said[:2] not in (["LOAD", "DATA"], ["LOAD", "XML"]) or "INFILE" not in said or "TABLE" not in said:
        return words
    at, table = said.index("INFILE"), said.index("TABLE")
    end = behind_name(words, table + 1)
    listed = _columns_of_file(words, end)
    if listed is not None:
        names, values = listed
        comma = made_words(words[at], ",")
        query = [*made_words(words[0], "SELECT"), *separated(values, comma), *made_words(words[0], "FROM")]
        into = [*made_words(words[0], "INSERT INTO"), *words[table + 1 : end], *made_words(words[0], "(")]
        close = made_words(words[0], ")")
        return [*into, *separated(names, comma), *close, *query, identifier(words[at + 1])]
    return [
        *made_words(words[0], "LOAD DATA"),
        *made_words(words[at], "INPATH"),
        words[at + 1],
        *made_words(words[at], "INTO TABLE"),
        *words[table + 1 : end],
    ]


def _columns_of_file(words: Words, start: int) -> tuple[list[Words], list[Words]] | None:
    """The columns that a LOAD DATA fills, each with what of the file it is made of; None where it names none."""
    sets = top(words, {"SET"}, start)
    # CHARACTER SET is no SET of columns.
    while sets < len(words) and word_of(words[sets - 1]) == "CHARACTER":
        sets = top(words, {"SET"}, sets + 1)
    opened = next((n for n in range(start, sets) if words[n].token_type is TokenType.L_PAREN), sets)
    if opened < sets and word_of(words[opened - 1]) == "PARTITION":
        opened = next((n for n in range(closed(words, opened), sets) if words[n].token_type is TokenType.L_PAREN), sets)
    if opened == sets:
        return None
    marks = (TokenType.PARAMETER, TokenType.COMMA)
    listed = words[opened + 1 : closed(words, opened) - 1]
    names = [[token] for n, token in enumerate(listed) if token.token_type not in marks and not _marked(listed, n)]
    values = list(names)
    rest = [token for token in words[sets + 1 :] if token.token_type is not TokenType.PARAMETER]
    for item in parted(rest):
        if len(item) > 2 and item[1].token_type is TokenType.EQ:
            names.append(item[:1])
            values.append(item[2:])
    return (names, values) if names else None


def _marked(words: Words, at: int) -> bool:
    return at > 0 and words[at - 1].token_type is TokenType.PARAMETER


def unmodified(words: Words) -> Words:
    """SELECT SQL_CALC_FOUND_ROWS HIGH_PRIORITY DISTINCT a (MySQL): how a query runs says nothing of its rows."""
    found: Words = []
    for token in words:
        if not (found and word_of(found[-1]) in ("SELECT", "DISTINCT", "ALL") and word_of(token) in MODIFIERS):
            found.append(token)
    return found


MODIFIERS = frozenset(
    """
    SQL_CALC_FOUND_ROWS SQL_NO_CACHE SQL_CACHE SQL_BUFFER_RESULT SQL_SMALL_RESULT SQL_BIG_RESULT HIGH_PRIORITY
    STRAIGHT_JOIN
    """.split()  # noqa: SIM905
)


def unhurried(words: Words) -> Words:
    """INSERT LOW_PRIORITY INTO t, UPDATE IGNORE t, DELETE QUICK FROM t; CREATE TABLE t (...) REPLACE SELECT (MySQL)."""
    found = words[:1]
    for at, token in enumerate(words[1:], start=1):
        changes = word_of(found[-1]) in ("INSERT", "REPLACE", "UPDATE", "DELETE") and len(found) == 1
        copies = word_of(words[0]) == "CREATE" and spoken(words[at + 1 : at + 2]) in (["SELECT"], ["AS"])
        changes = changes and not (word_of(found[-1]) == "INSERT" and word_of(token) == "IGNORE")
        if not ((changes and word_of(token) in HURRIES) or (copies and word_of(token) in ("REPLACE", "IGNORE"))):
            found.append(token)
    if word_of(found[0]) == "REPLACE":
        found = [*made_words(found[0], "INSERT OR REPLACE INTO"), *found[1 + (spoken(found[1:2]) == ["INTO"]) :]]
    if spoken(found[:2]) == ["ALTER", "TABLE"]:
        at = top(found, {"RENAME"})
        if spoken(found[at + 1 : at + 2]) == ["AS"]:
            found[at + 1 : at + 2] = made_words(found[at], "TO")
    return found


HURRIES = frozenset(("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "QUICK", "IGNORE"))


def without_escapes(words: Words) -> Words:
    """FROM { OJ a LEFT JOIN b ON ... }, as drivers write an outer join."""
    found: Words = []
    open_ = 0
    for at, token in enumerate(words):
        if token.token_type is TokenType.L_BRACE and spoken(words[at + 1 : at + 2]) == ["OJ"]:
            open_ += 1
        elif not (
            (word_of(token) == "OJ" and at and words[at - 1].token_type is TokenType.L_BRACE)
            or (open_ and token.token_type is TokenType.R_BRACE)
        ):
            found.append(token)
        elif token.token_type is TokenType.R_BRACE:
            open_ -= 1
    return found


def without_alternative(words: Words) -> Words:
    """UPDATE OR IGNORE t ... (SQLite): what becomes of rows that break a rule."""
    return [words[0], *words[3:]] if spoken(words[:2]) == ["UPDATE", "OR"] else words


def raised(words: Words) -> Words:
    """RAISE(ABORT, 'no') (SQLite): the first is a word, and no column."""
    found = list(words)
    for at in range(len(words) - 2):
        if spoken(words[at : at + 2]) == ["RAISE", "("] and word_of(words[at + 2]) in RAISED:
            found[at + 2 : at + 3] = made_words(words[at + 2], f"'{word_of(words[at + 2])}'")
    return found


RAISED = frozenset(("IGNORE", "ROLLBACK", "ABORT", "FAIL"))


def plain_clone(words: Words) -> Words:
    """CREATE TABLE t DEEP CLONE s VERSION AS OF 2."""
    said = spoken(words)
    at = top(words, {"CLONE"})
    if said[0] == "CREATE" and at < len(words) - 1:
        words = words[: behind_name(words, at + 1)]
    return [token for at, token in enumerate(words) if not (said[at] == "DEEP" and said[at + 1 : at + 2] == ["CLONE"])]


def deduplicated(words: Words) -> Words:
    """Redshift's MERGE ... REMOVE DUPLICATES changes rows that match and adds the others."""
    if word_of(words[0]) != "MERGE" or spoken(words[-2:]) != ["REMOVE", "DUPLICATES"]:
        return words
    both = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    return [*words[:-2], *made_words(words[-1], both)]


def trained(words: Words) -> Words:
    """BigQuery's CREATE MODEL m OPTIONS (...) AS SELECT ...: a model is what it is made of."""
    at = next((n for n in tops(words[:6], {"MODEL"})), 0)
    body = next((n for n in tops(words, {"AS"}, at) if begins(words, n + 1)), 0)
    if word_of(words[0]) != "CREATE" or not at or not body:
        return words
    last = behind_name(words, name_at(words, at + 1))
    return [*words[:at], *made_words(words[at], "TABLE"), *words[at + 1 : last], *words[body:]]


def whole_rows(words: Words) -> Words:
    """BigQuery's MERGE ... INSERT (a, b) ROW gives all columns of the source, by their places."""
    if word_of(words[0]) != "MERGE":
        return words
    found = words[:1]
    for token in words[1:]:
        listed = word_of(token) == "ROW" and found[-1].token_type is TokenType.R_PAREN
        found += made_words(token, "VALUES (*)") if listed else [token]
    return found


def trained_from(words: Words) -> Words:
    """Redshift's CREATE MODEL m FROM (SELECT ...) TARGET y FUNCTION f ...: a model is what it is made of."""
    at = next((n for n in tops(words[:4], {"MODEL"})), 0)
    source = top(words, {"FROM"}, at)
    if word_of(words[0]) != "CREATE" or not at or source + 1 >= len(words):
        return words
    opened = words[source + 1].token_type is TokenType.L_PAREN
    end = closed(words, source + 1) if opened else behind_name(words, source + 1)
    lead = [*made_words(words[0], "CREATE TABLE"), *words[at + 1 : behind_name(words, at + 1)]]
    return [
        *lead,
        *made_words(words[at], "AS SELECT * FROM"),
        *words[source + 1 : end],
        *made_words(words[at], "AS model"),
    ]


def given_tables(words: Words) -> Words:
    """A table or a model as BigQuery's functions are given it, f(TABLE t, ...), is all that it has."""
    found: Words = []
    # The functions whose arguments have been begun, innermost last.
    begun: list[str] = []
    at = 0
    while at < len(words):
        before = words[at - 1].token_type if at else None
        if before is TokenType.L_PAREN:
            begun.append(word_of(words[at - 2]) if at > 1 else "")
        elif before is TokenType.R_PAREN and begun:
            begun.pop()
        opened = before in (TokenType.L_PAREN, TokenType.COMMA, TokenType.FARROW)
        given = opened and at + 1 < len(words) and word_of(words[at]) in ("TABLE", "MODEL")
        if not given or (begun and begun[-1] in TAKING):
            found.append(words[at])
            at += 1
            continue
        end = at + 2
        while end + 1 < len(words) and words[end].token_type in (TokenType.DOT, TokenType.DASH):
            end += 2
        query = made_words(words[at], "(SELECT AS STRUCT * FROM")
        found += [*query, *words[at + 1 : end], *made_words(words[at], ")")]
        at = end
    return found


TAKING = frozenset((
    "PREDICT", "FORECAST", "FEATURES_AT_TIME", "VECTOR_SEARCH", "GENERATE_EMBEDDING", "GENERATE_TEXT_EMBEDDING",
    "GENERATE_TEXT", "GENERATE_TABLE", "GENERATE_BOOL", "GENERATE_INT", "GENERATE_DOUBLE", "TRANSLATE",
))  # fmt: skip
"""Functions whose TABLE and MODEL sqlglot reads."""


def without_overriding(words: Words) -> Words:
    """INSERT ... OVERRIDING SYSTEM VALUE: values are given for a column that makes its own."""
    starts = [at for at in range(len(words) - 2) if word_of(words[at]) == "OVERRIDING"]
    own = {n for at in starts if word_of(words[at + 2]) == "VALUE" for n in range(at, at + 3)}
    return [token for at, token in enumerate(words) if at not in own]


def without_program(words: Words) -> Words:
    """COPY t FROM PROGRAM 'gunzip -c x' WHERE a > 1: what the program writes is as a file of that name."""
    if word_of(words[0]) != "COPY":
        return words
    where = top(words, {"WHERE"})
    at = next((n for n in tops(words, {"PROGRAM"}) if word_of(words[n - 1]) in ("FROM", "TO")), len(words))
    return [*words[:at], *words[at + 1 : where]] if at < where else words[:where]


def within_networks(words: Words) -> Words:
    """a <<= b and a >>= b, of networks (PostgreSQL), are tests like a && b."""
    found: Words = []
    for at, token in enumerate(words):
        pair = (words[at - 1].token_type, token.token_type) if at else None
        if pair in NETWORKS and words[at - 1].end + 1 == token.start and found:
            found[-1:] = made_words(token, "&&")
        else:
            found.append(token)
    return found


NETWORKS = ((TokenType.LT, TokenType.LTE), (TokenType.GT, TokenType.GTE))


def absolute(words: Words) -> Words:
    """@ x, of which PostgreSQL takes the absolute value, is a function of X and no parameter."""
    marked = {at for at, one in enumerate(words) if one.token_type is TokenType.PARAMETER and one.text == "@"}
    return [made_words(one, "~")[0] if at in marked else one for at, one in enumerate(words)]


LISTED = frozenset((TokenType.VAR, TokenType.IDENTIFIER, TokenType.COMMA))


def without_join_names(words: Words) -> Words:
    """a JOIN b USING (k) AS j (PostgreSQL): j.k is the column that both share, which K alone is too; j.* are these."""
    names: dict[str, Words] = {}
    found: Words = []
    at = 0
    while at < len(words):
        found.append(words[at])
        at += 1
        if word_of(words[at - 1]) == "USING" and at < len(words) and words[at].token_type is TokenType.L_PAREN:
            start, end = at, closed(words, at)
            found += words[at:end]
            # Of MERGE and DELETE what stands there may be a query, or a table.
            listed = all(token.token_type in LISTED for token in words[at + 1 : end - 1])
            joins = word_of(words[0]) not in ("MERGE", "DELETE")
            at = end
            if listed and joins and at + 1 < len(words) and word_of(words[at]) == "AS":
                names[words[at + 1].text.upper()] = found[-(end - start) + 1 : -1]
                at += 2
    return _without_prefixes(found, names) if names else words


def _without_prefixes(words: Words, names: Mapping[str, Words]) -> Words:
    found: Words = []
    at = 0
    while at < len(words):
        shared = names.get(words[at].text.upper())
        if shared is None or at + 2 >= len(words) or words[at + 1].token_type is not TokenType.DOT:
            found.append(words[at])
            at += 1
        elif words[at + 2].token_type is TokenType.STAR:
            found += placed(shared, words[at])
            at += 3
        else:
            at += 2
    return found


def without_evolution(words: Words) -> Words:
    """MERGE WITH SCHEMA EVOLUTION INTO t ...: columns may be added."""
    at = next((n for n in range(1, min(3, len(words))) if spoken(words[n : n + 3]) == EVOLVING), 0)
    return [*words[:at], *words[at + 3 :]] if at else words


EVOLVING = ["WITH", "SCHEMA", "EVOLUTION"]


def applied(words: Words) -> Words:
    """APPLY CHANGES INTO t FROM STREAM(s) KEYS (k) SEQUENCE BY x, or AUTO CDC INTO: the latest rows of s by their keys.

    MERGE INTO t USING (SELECT * FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY x DESC) = 1) AS source
    ON t.k = source.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *
    """
    said = spoken(words)
    start = next((n for n in range(len(words) - 2) if said[n : n + 3] in APPLYING), -1)
    keys = said.index("KEYS") if "KEYS" in said else 0
    sources = top(words, {"FROM"}, start + 3)
    if start < 0 or not keys or sources > keys:
        return words
    target, source = words[start + 3 : sources], words[sources + 1 : keys]
    if word_of(source[0]) == "STREAM":
        source = source[2:-1] if source[1].token_type is TokenType.L_PAREN else source[1:]
    by = words[keys + 2 : closed(words, keys + 1) - 1]
    names = [[token for token in by if token.token_type is not TokenType.COMMA][n : n + 1] for n in range(len(by))]
    on = [
        [*made_words(words[0], "target."), *name, *made_words(words[0], "= source."), *name] for name in names if name
    ]
    order = said.index("SEQUENCE") if "SEQUENCE" in said else 0
    wanted = top(words, {"COLUMNS"}, keys)
    columns = _columns_of(words[wanted + 1 : _clause_end(words, wanted + 1)])
    latest: Words = []
    if order:
        latest = [*made_words(words[0], "QUALIFY ROW_NUMBER() OVER (PARTITION BY"), *by]
        latest += [*made_words(words[0], "ORDER BY"), *words[order + 2 : _clause_end(words, order + 2)]]
        latest += made_words(words[0], "DESC) = 1")
    return [
        *made_words(words[0], "MERGE INTO"),
        *target,
        *made_words(words[0], "AS target USING (SELECT"),
        *(columns or made_words(words[0], "*")),
        *made_words(words[0], "FROM"),
        *source,
        *latest,
        *made_words(words[0], ") AS source ON"),
        *separated(on, made_words(words[0], "AND")),
        *made_words(words[0], "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"),
    ]


APPLYING = (["APPLY", "CHANGES", "INTO"], ["AUTO", "CDC", "INTO"])
CLAUSES = frozenset(("KEYS", "SEQUENCE", "COLUMNS", "STORED", "APPLY", "IGNORE", "TRACK", "WHERE"))


def _clause_end(words: Words, at: int) -> int:
    return next((n for n in range(at, len(words)) if word_of(words[n]) in CLAUSES), len(words))


def _columns_of(words: Words) -> Words:
    """COLUMNS (a, b) or COLUMNS * EXCEPT (c)."""
    return words[1:-1] if words and words[0].token_type is TokenType.L_PAREN else words
