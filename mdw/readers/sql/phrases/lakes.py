"""What only Snowflake, BigQuery, Databricks or DuckDB say of loads, moves and results.

SELECT a FROM s ->> SELECT a + 1 FROM $1        SELECT a + 1 FROM (SELECT a FROM s)
LOAD DATA INTO t (a INT64) PARTITION BY a FROM FILES (...)      LOAD DATA INTO t FROM FILES (...)
MERGE ... WHEN NOT MATCHED THEN INSERT BY NAME      MERGE ... WHEN NOT MATCHED THEN INSERT *
"""

from __future__ import annotations

from itertools import pairwise

from mdw.readers.sql.phrases.columns import items_of
from mdw.readers.sql.phrases.graphs import asked
from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    bracketed,
    closed,
    made_words,
    name_at,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of


def flowing(words: Words) -> Words:
    """Snowflake's SELECT a FROM s ->> SELECT a FROM $1: what the statement before gives, $2 the one before it."""
    marks = [at for at in tops(words, {"->>"}) if at + 1 < len(words) and begins(words, at + 1)]
    if not marks:
        return words
    parts = [words[start + 1 : end] for start, end in pairwise([-1, *marks, len(words)])]
    done: list[Words] = []
    for part in parts:
        done.append(_results(part, done))
    changes = [part for part in done if word_of(part[0]) not in ("SELECT", "WITH", "(")]
    return changes[0] if changes else done[-1]


def _results(words: Words, done: list[Words]) -> Words:
    found: Words = []
    at = 0
    while at < len(words):
        number = words[at + 1].text if at + 1 < len(words) and words[at].token_type is TokenType.PARAMETER else ""
        before = word_of(words[at - 1]) if at else ""
        if number.isdigit() and 0 < int(number) <= len(done) and before in ("FROM", "JOIN", ","):
            found += bracketed(done[-int(number)], words[at])
            at += 2
        else:
            found.append(words[at])
            at += 1
    return found


def above(words: Words) -> Words:
    """SELECT PRIOR name ... CONNECT BY in Snowflake: a value of the row above, as a function."""
    found: Words = []
    at, last = 0, top(words, {"FROM"})
    while at < len(words):
        named = at + 1 < last and words[at + 1].token_type in (TokenType.VAR, TokenType.IDENTIFIER)
        if word_of(words[at]) == "PRIOR" and named:
            end = behind_name(words, at + 1)
            found += [*made_words(words[at], "PRIOR_OF ("), *words[at + 1 : end], *made_words(words[at], ")")]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


def plain_load(words: Words) -> Words:
    """BigQuery's LOAD DATA, without what it says of the table that it makes."""
    said = spoken(words)
    at = 3 + (said[3:4] == ["TABLE"]) + 2 * (said[2:4] == ["INTO", "TEMP"])
    source = top(words, {"FROM"})
    if said[:2] != ["LOAD", "DATA"] or said[source + 1 : source + 2] != ["FILES"]:
        return words
    name = words[at : behind_name(words, at)]
    items = [*_listed(words, at + len(name), source), *_by_path(words, source)]
    files = _files(words[source:])
    if items and files:
        comma = made_words(words[0], ",")
        names = separated([item[:1] for item in items], comma)
        lead = made_words(words[0], f"INSERT {'OVERWRITE TABLE' if said[2] == 'OVERWRITE' else 'INTO'}")
        query = [*made_words(words[0], "SELECT"), *names, *made_words(words[0], "FROM"), *files]
        return [*lead, *name, *bracketed(names, words[0]), *query]
    return [*words[:3], *name, *words[source : closed(words, source + 2)]]


def _listed(words: Words, at: int, end: int) -> list[Words]:
    """The columns that are told in parentheses here, if any are before the end."""
    return items_of(words, at) if at < end and words[at].token_type is TokenType.L_PAREN else []


def _by_path(words: Words, start: int) -> list[Words]:
    """The columns of BigQuery's WITH PARTITION COLUMNS (d DATE), which paths of files tell."""
    at = next((n for n in range(start, len(words)) if spoken(words[n : n + 3]) == ["WITH", "PARTITION", "COLUMNS"]), -1)
    return _listed(words, at + 3, len(words)) if at >= 0 else []


def unguarded(words: Words) -> Words:
    """SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (...) a, ... (BigQuery): groups that are too small are left out."""
    found: Words = []
    at = 0
    while at < len(words):
        guarded = word_of(words[at]) == "WITH" and spoken(words[at + 1 : at + 2]) != ["("]
        if guarded and found and word_of(found[-1]) == "SELECT":
            at += 2
            at = closed(words, at + 1) if spoken(words[at : at + 1]) == ["OPTIONS"] else at
        else:
            found.append(words[at])
            at += 1
    return found


def with_names(words: Words) -> Words:
    """WITH(x AS a + 1, y AS x * b, x + y), an expression of BigQuery: each name is seen by those behind it.

    (SELECT x + y FROM (SELECT *, x * b AS y FROM (SELECT a + 1 AS x)))
    """
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 2]) != ["WITH", "("]:
            found.append(words[at])
            at += 1
            continue
        end, place = closed(words, at + 1), words[at]
        *named, result = parted(with_names(words[at + 2 : end - 1]))
        made: Words = []
        for item in named:
            source = [*made_words(place, "FROM ("), *made, *made_words(place, ")")] if made else []
            star = made_words(place, "SELECT *," if made else "SELECT")
            made = [*star, *item[2:], *made_words(place, "AS"), item[0], *source]
        source = [*made_words(place, "FROM ("), *made, *made_words(place, ")")] if made else []
        found += [*made_words(place, "(SELECT"), *result, *source, *made_words(place, ")")]
        at = end
    return found


def of_graph(words: Words) -> Words:
    """FROM GRAPH_TABLE(g MATCH (p)-[e]->(q) RETURN p.name AS n) (BigQuery): of a graph, properties by their names."""
    if len(words) > 1 and word_of(words[0]) == "GRAPH":
        # GRAPH g MATCH ... RETURN ... alone.
        lead, behind = made_words(words[0], "SELECT * FROM GRAPH_TABLE ("), made_words(words[0], ")")
        words = [*lead, *words[1:], *behind]
    at = next((n for n in range(len(words) - 1) if spoken(words[n : n + 2]) == ["GRAPH_TABLE", "("]), -1)
    if at < 0:
        return words
    end = closed(words, at + 1)
    inner = words[at + 2 : end - 1]
    given = top(inner, {"RETURN", "COLUMNS"})
    listed = inner[given + 1 :]
    if spoken(listed[:1]) == ["("]:
        listed = listed[1 : closed(listed, 0) - 1]
    # Whatever is behind the list, ORDER BY and LIMIT, only decides which rows come.
    listed = listed[: top(listed, {"ORDER BY", "LIMIT", "OFFSET", "NEXT"})]
    plain = [
        token
        for n, token in enumerate(listed)
        if token.token_type is not TokenType.DOT
        and not (n + 1 < len(listed) and listed[n + 1].token_type is TokenType.DOT)
    ]
    name = inner[: behind_name(inner, 0)]
    query = [
        *made_words(words[at], "(SELECT"),
        *plain,
        *made_words(words[at], "FROM"),
        *name,
        *asked(inner[len(name) : given]),
        *made_words(words[at], ")"),
    ]
    return [*words[:at], *query, *of_graph(words[end:])] if plain else words


def dropped(words: Words) -> Words:
    """DROP SNAPSHOT TABLE t, ALTER DYNAMIC TABLE t are of a table; DROP TABLE FUNCTION f of a function."""
    said = spoken(words[:3])
    table = said[2:] == ["TABLE"] and said[1] in KINDS
    if (said[:1] in (["DROP"], ["ALTER"]) and table) or said == ["DROP", "TABLE", "FUNCTION"]:
        return [words[0], *words[2:]]
    return words


KINDS = frozenset(("SNAPSHOT", "EXTERNAL", "DYNAMIC", "ICEBERG", "HYBRID", "EVENT", "STREAMING", "TRANSIENT"))


def copied(words: Words) -> Words:
    """Databricks's COPY INTO t FROM 'x' WITH (...) FILEFORMAT = CSV FILES = (...): only the files are asked for."""
    source = top(words, {"FROM"})
    if spoken(words[:2]) != ["COPY", "INTO"] or source + 1 >= len(words):
        return words
    end = closed(words, source + 1) if words[source + 1].token_type is TokenType.L_PAREN else source + 2
    return words[:end]


def outside(words: Words) -> Words:
    """Snowflake's and BigQuery's CREATE EXTERNAL TABLE has what the files have: nobody writes into it.

    CREATE EXTERNAL TABLE e (a INT AS (value:c1::INT)) LOCATION = @st/x       as a table of
    SELECT value:c1::INT AS a FROM @st/x
    """
    said = spoken(words)
    at = said.index("TABLE") if "TABLE" in said[:5] else 0
    source = _files(words) or _stage(words)
    if said[:1] != ["CREATE"] or "EXTERNAL" not in said[:4] or not at or not source:
        return words
    name = name_at(words, at + 1)
    end = behind_name(words, name)
    items, comma = _listed(words, end, len(words)), made_words(words[0], ",")
    if items and source[0].token_type is TokenType.PARAMETER:
        # Snowflake's have all of a row of the file, too.
        items = [made_words(words[0], "VALUE VARIANT"), *items]
    items += _by_path(words, end) if items else []
    columns = separated([_value(item) for item in items], comma) or made_words(words[0], "*")
    typed = separated([item[: top(item, BEHIND_TYPE)] for item in items], comma)
    told = bracketed(typed, words[0]) if typed else []
    lead = [*made_words(words[0], "CREATE TABLE"), *words[name:end], *told, *made_words(words[0], "AS SELECT")]
    return [*lead, *columns, *made_words(words[0], "FROM"), *source]


BEHIND_TYPE = frozenset(("AS", "NOT", "NULL", "OPTIONS", "COMMENT", "DEFAULT", "COLLATE"))


def searched(words: Words) -> Words:
    """Snowflake's CREATE CORTEX SEARCH SERVICE s ON a ... AS (SELECT ...): what is searched is what S is made of."""
    at = next((n for n, said in enumerate(spoken(words[:6])) if said == "SERVICE"), 0)
    body = next((n for n in tops(words, {"AS"}, at) if begins(words, n + 1)), 0)
    if word_of(words[0]) != "CREATE" or "CORTEX" not in spoken(words[:5]) or not at or not body:
        return words
    name = name_at(words, at + 1)
    return [*made_words(words[0], "CREATE TABLE"), *words[name : behind_name(words, name)], *words[body:]]


def _value(item: Words) -> Words:
    """What a column of an external table is made of: itself, or what stands behind its AS."""
    formula = top(item, {"AS"})
    if formula + 1 >= len(item):
        return item[:1]
    opened = item[formula + 1].token_type is TokenType.L_PAREN
    given = item[formula + 1 : closed(item, formula + 1)] if opened else item[formula + 1 :]
    return [*given, *made_words(item[0], "AS"), item[0]]


def _files(words: Words) -> Words:
    """The files that BigQuery's OPTIONS (uris = ['gs://x']) names, as a function of them."""
    at = next((n for n, token in enumerate(words) if token.text.lower() == "uris"), 0)
    end = next((n for n in range(at, len(words)) if words[n].token_type is TokenType.R_BRACKET), 0)
    return (
        [*made_words(words[at], "FILES("), *words[at + 2 : end + 1], *made_words(words[at], ")")] if at and end else []
    )


def _stage(words: Words) -> Words:
    """The stage that Snowflake's LOCATION = @st/path names."""
    at = next((n for n, word in enumerate(spoken(words)) if word == "LOCATION"), 0)
    start = at + 1 + (at + 1 < len(words) and words[at + 1].token_type is TokenType.EQ)
    if not at or start >= len(words) or words[start].token_type is not TokenType.PARAMETER:
        return []
    end = start + 1
    while end < len(words) and words[end].start == words[end - 1].end + 1:
        end += 1
    return words[start:end]


def files_copied(words: Words) -> Words:
    """Snowflake's COPY FILES INTO @a FROM @b: files that are copied as they are."""
    return [words[0], *words[2:]] if spoken(words[:3]) == ["COPY", "FILES", "INTO"] else words


def replicated(words: Words) -> Words:
    """BigQuery's CREATE MATERIALIZED VIEW v OPTIONS (...) AS REPLICA OF d.w has all rows of another one."""
    at = next((n for n in tops(words, {"AS"}) if spoken(words[n + 1 : n + 3]) == ["REPLICA", "OF"]), 0)
    if word_of(words[0]) != "CREATE" or not at:
        return words
    name = name_at(words, top(words, {"VIEW"}) + 1)
    select = made_words(words[at], "AS SELECT * FROM")
    return [*made_words(words[0], "CREATE VIEW"), *words[name : behind_name(words, name)], *select, *words[at + 3 :]]


def merged(words: Words) -> Words:
    """DuckDB's INSERT and MERGE take rows by position, UPDATE SET * and INSERT * too, but where they say BY NAME.

    UPDATE, UPDATE BY POSITION, UPDATE SET *     UPDATE                UPDATE BY NAME     UPDATE SET *
    INSERT, INSERT BY POSITION, INSERT *         INSERT                INSERT BY NAME     INSERT *
    """
    if word_of(words[0]) == "INSERT":
        at = next((n for n in tops(words, {"BY"}) if spoken(words[n + 1 : n + 2]) == ["POSITION"]), len(words))
        return [*words[:at], *words[at + 2 :]]
    if word_of(words[0]) != "MERGE":
        return words
    found: Words = []
    at = 0
    while at < len(words):
        found.append(words[at])
        said = spoken(words[at : at + 3])
        behind = ["SET", "*"] if said[0] == "UPDATE" else ["*"]
        at += 1
        if said[0] not in ("UPDATE", "INSERT"):
            continue
        if said[1:] == ["BY", "NAME"]:
            found += made_words(words[at], " ".join(behind))
        at += (
            2 if said[1:] in (["BY", "NAME"], ["BY", "POSITION"]) else len(behind) * (said[1:][: len(behind)] == behind)
        )
    return found
