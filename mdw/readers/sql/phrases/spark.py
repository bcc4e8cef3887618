"""What only Spark, Databricks and Hive say.

SELECT window.start FROM s GROUP BY window(ts, '1 day')     SELECT TIME_WINDOW(ts, '1 day') FROM s GROUP BY ...
FROM s MAP a, b USING 'x.py' AS k, v                        FROM s SELECT TRANSFORM (a, b) USING 'x.py' AS (k, v)
EXPORT TABLE t TO '/x'                                      INSERT OVERWRITE DIRECTORY '/x' SELECT * FROM t
"""

from __future__ import annotations

import re

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    bracketed,
    closed,
    identifier,
    made_words,
    name_at,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

TEXTS = frozenset((TokenType.STRING, TokenType.IDENTIFIER))


def with_windows(words: Words) -> Words:
    """GROUP BY window(ts, '10 minutes') and the window.start that it gives."""
    at = next((n for n in range(1, len(words) - 1) if _windowed(words, n)), 0)
    if not at:
        return words
    call = [*made_words(words[at], "TIME_WINDOW"), *words[at + 1 : closed(words, at + 1)]]
    found: Words = []
    at = 0
    while at < len(words):
        if _windowed(words, at):
            found += call
            at = closed(words, at + 1)
        elif word_of(words[at]) == "WINDOW" and spoken(words[at + 1 : at + 3])[-1:] in (["START"], ["END"]):
            found += call
            # A value that is computed has no name of its own.
            bare = at + 3 >= len(words) or word_of(words[at + 3]) in (",", "FROM")
            found += [*made_words(words[at], "AS"), words[at + 2]] if bare else []
            at += 3
        else:
            found.append(words[at])
            at += 1
    return found


def _windowed(words: Words, at: int) -> bool:
    """Whether the function is called here; a WINDOW clause has a name behind the word."""
    called = at + 1 < len(words) and words[at + 1].token_type is TokenType.L_PAREN
    return called and word_of(words[at]) == "WINDOW" and word_of(words[at - 1]) in (",", "GROUP BY", "SELECT", "(")


def without_watermark(words: Words) -> Words:
    """FROM STREAM s WATERMARK ts DELAY OF INTERVAL 1 MINUTE: how late a row may come."""
    at = next((n for n, word in enumerate(spoken(words)) if word == "WATERMARK"), 0)
    late = spoken(words[at + 2 : at + 5]) == ["DELAY", "OF", "INTERVAL"]
    return [*words[:at], *words[at + 7 :]] if at and late else words


def all_of_table(words: Words) -> Words:
    """INSERT INTO t TABLE s, CREATE VIEW v AS TABLE s, or TABLE s alone, is of all its rows."""
    tables = (n for n in tops(words, {"TABLE"}) if not n or word_of(words[n - 1]) not in NAMING)
    if word_of(words[0]) == "CREATE":
        tables = (n for n in tops(words, {"TABLE"}) if word_of(words[n - 1]) == "AS")
    at = next(tables, len(words))
    if word_of(words[0]) not in ("INSERT", "TABLE", "CREATE") or at + 1 >= len(words) or top(words, ASKING) < at:
        return words
    return [*words[:at], *made_words(words[at], "SELECT * FROM"), *words[at + 1 :]]


NAMING = frozenset(("INTO", "OVERWRITE"))
ASKING = frozenset(("SELECT", "WITH", "VALUES", "FROM"))


def of_session(words: Words) -> Words:
    """SELECT session.x, system.session.x: variables, and no columns of a table SESSION."""
    said = spoken(words)
    # A table, or what one is called here, has its columns.
    if any(word == "SESSION" and said[n + 1 : n + 2] != ["."] for n, word in enumerate(said)):
        return words
    found: Words = []
    at = 0
    while at < len(words):
        start = at + 2 * (said[at : at + 2] == ["SYSTEM", "."])
        asked = said[start : start + 2] == ["SESSION", "."] and said[start + 3 : start + 4] not in (["("], ["."])
        if asked and start + 2 < len(words) and (said[at - 1] if at else "") not in OF_TABLES:
            found += made_words(words[at], ":")
            at = start + 2
        found.append(words[at])
        at += 1
    return found


OF_TABLES = frozenset(
    ("FROM", "JOIN", "INTO", "TABLE", "UPDATE", "VIEW", "USING", ".", "VAR", "VARIABLE", "SET", "OVERWRITE")
)


def set_minus(words: Words) -> Words:
    """SETMINUS is EXCEPT."""
    return [made_words(token, "EXCEPT")[0] if word_of(token) == "SETMINUS" else token for token in words]


def catalog_set(words: Words) -> Words:
    """SET CATALOG c is USE CATALOG c."""
    return [*made_words(words[0], "USE"), *words[1:]] if spoken(words[:2]) == ["SET", "CATALOG"] else words


def from_tables(words: Words) -> Words:
    """TABLE t |> UNION ALL TABLE u, VALUES (1) AS v(a) |> ...: queries of all that is there."""
    found: Words = []
    at = 0 if any(token.token_type is TokenType.PIPE_GT for token in words) else len(words)
    while at < len(words):
        before = word_of(words[at - 1]) if at else ""
        end = behind_name(words, at + 1) if at + 1 < len(words) else at
        # A function may be given a table: f(TABLE t).
        alone = before == "(" and word_of(words[at - 2] if at > 1 else words[at]) in ALONE
        if word_of(words[at]) == "TABLE" and (before in JOINING or alone) and word_of(words[at + 1]) != "(":
            query = [*made_words(words[at], "SELECT * FROM"), *words[at + 1 : end]]
            found += query if alone else bracketed(query, words[at])
            at = end
            continue
        if not at and word_of(words[at]) in ("TABLE", "VALUES"):
            found += made_words(words[at], "SELECT * FROM")
            at += word_of(words[at]) == "TABLE"
        found.append(words[at])
        at += 1
    return found or words


JOINING = frozenset(("UNION", "EXCEPT", "INTERSECT", "MINUS", "ALL", "DISTINCT"))
ALONE = JOINING | {"FROM", "JOIN", "AS", "(", "TABLE", "IN", "EXISTS", ","}


def flowing(words: Words) -> Words:
    """CREATE FLOW f AS INSERT INTO t ... does what it says; so does the flow that a table is made with.

    CREATE STREAMING TABLE t FLOW INSERT BY NAME SELECT a FROM s      CREATE STREAMING TABLE t AS SELECT a FROM s
    CREATE STREAMING TABLE t FLOW AUTO CDC FROM s KEYS (k)            AUTO CDC INTO t FROM s KEYS (k)
    """
    said = spoken(words)
    if said[:2] == ["CREATE", "FLOW"]:
        at = top(words, {"INSERT", "AUTO"})
        return [token for n, token in enumerate(words) if n >= at and not _once(words, n, at)] or words
    at = top(words, {"FLOW"})
    kind = said.index("TABLE") + 1 if "TABLE" in said[:6] else 0
    if said[:1] != ["CREATE"] or not kind or at == len(words):
        return words
    if said[at + 1 : at + 3] == ["AUTO", "CDC"]:
        name = name_at(words, kind)
        into = made_words(words[at], "INTO")
        return [*words[at + 1 : at + 3], *into, *words[name : behind_name(words, name)], *words[top(words, {"FROM"}) :]]
    query = top(words, {"SELECT", "WITH", "FROM", "TABLE"}, at)
    return [*words[:at], *made_words(words[at], "AS"), *words[query:]] if query < len(words) else words


def _once(words: Words, at: int, start: int) -> bool:
    """Whether INSERT ONCE INTO t, INSERT INTO ONCE t, AUTO CDC ONCE INTO t: that it runs but once."""
    named = at + 1 < len(words) and word_of(words[at + 1]) not in ("BY", "REPLACE", "SELECT", "(", ".")
    return word_of(words[at]) == "ONCE" and at - start < 3 and named


def plain_insert(words: Words) -> Words:
    """INSERT INTO t AS x BY NAME REPLACE ON x.k = s.k SELECT ...: which rows go before the new ones come."""
    at = next((n for n in tops(words, {"REPLACE"}) if spoken(words[n + 1 : n + 2]) == ["ON"]), 0)
    query = top(words, {"SELECT", "WITH", "VALUES", "FROM", "TABLE"}, at)
    if word_of(words[0]) != "INSERT" or not at or query == len(words):
        return words
    name = top(words, {"INTO"}) + 1
    name += spoken(words[name : name + 1]) == ["TABLE"]
    end = behind_name(words, name)
    by_name = made_words(words[at], "BY NAME") if spoken(words[at - 2 : at]) == ["BY", "NAME"] else []
    return [*words[:end], *by_name, *words[query:]]


def of_source(words: Words) -> Words:
    """CREATE TEMPORARY VIEW v USING csv OPTIONS (path '/x') is a view of the file, or table, that it names.

    So is a table of which no columns are told: those of the files that are there are its own.
    """
    said = spoken(words)
    kind = next((n for n in range(1, min(5, len(words))) if said[n] in ("VIEW", "TABLE")), 0)
    at = top(words, {"USING"})
    if said[0] != "CREATE" or not kind or at + 1 >= len(words) or tops(words, {"AS", "CLONE", "LIKE"}):
        return words
    if said[kind] == "TABLE" and words[at - 1].token_type is TokenType.R_PAREN:
        return words
    told = next((n for n in range(at, len(words)) if words[n].text.upper() in NAMED), len(words))
    given = next((n for n in range(told + 1, len(words)) if words[n].token_type in TEXTS), 0)
    if not given:
        return words
    # A query may stand where a table of another database would: dbtable '(SELECT a FROM t) q'.
    text = words[given].text
    source = made_words(words[given], text) if text.lstrip().startswith("(") else [identifier(words[given])]
    lead = (
        words[:at]
        if said[kind] == "VIEW"
        else [*made_words(words[0], "CREATE VIEW"), *words[name_at(words, kind + 1) : at]]
    )
    return [*lead, *made_words(words[at], "AS SELECT * FROM"), *source]


NAMED = frozenset(("PATH", "DBTABLE", "QUERY", "LOCATION"))
"""Options that say what a table of a source is: a file, or a table or query of another database."""


def into_directory(words: Words) -> Words:
    """INSERT OVERWRITE DIRECTORY 'd' USING csv OPTIONS (...) SELECT ..."""
    said = spoken(words)
    if "DIRECTORY" not in said[:4] or "USING" not in said[:8]:
        return words
    at = said.index("USING")
    end = at + 2
    if said[end : end + 1] == ["OPTIONS"]:
        end = closed(words, end + 1)
    return [*words[:at], *words[end:]]


# -- Hive --------------------------------------------------------------------------------------------------------------


def column_changed(words: Words) -> Words:
    """ALTER TABLE t CHANGE a b INT AFTER c: where a column stands among others is no matter here."""
    at = top(words, {"CHANGE"})
    first = at + 1 + (spoken(words[at + 1 : at + 2]) == ["COLUMN"])
    end = top(words, {"AFTER", "FIRST", "CASCADE", "RESTRICT"}, first + 2)
    if spoken(words[:2]) != ["ALTER", "TABLE"] or first + 2 >= len(words):
        return words
    return [*words[: behind_name(words, 2)], words[at], *made_words(words[at], "COLUMN"), *words[first:end]]


def column_told(words: Words) -> Words:
    """Spark's ALTER TABLE t CHANGE a TYPE BIGINT, CHANGE a COMMENT 'x': the column keeps its name."""
    at = top(words, {"CHANGE"})
    first = at + 1 + (spoken(words[at + 1 : at + 2]) == ["COLUMN"])
    if spoken(words[:2]) != ["ALTER", "TABLE"] or first + 1 >= len(words) or word_of(words[first + 1]) not in ABOUT:
        return words
    return [*words[:at], *made_words(words[at], "ALTER COLUMN"), *words[first:]]


ABOUT = frozenset(("TYPE", "COMMENT", "SET", "DROP", "FIRST", "AFTER"))


def exported(words: Words) -> Words:
    """EXPORT TABLE t TO '/x', IMPORT TABLE t FROM '/x'."""
    said = spoken(words)
    at = said.index("TABLE") if "TABLE" in said[:3] else 0
    to = top(words, {"TO", "FROM"}, at)
    if said[0] not in ("EXPORT", "IMPORT") or not at or to + 1 >= len(words):
        return words
    name = words[at + 1 : top(words, {"PARTITION", "WHERE", "TO", "FROM"}, at)]
    if said[0] == "EXPORT":
        lead = [*made_words(words[0], "INSERT OVERWRITE DIRECTORY"), words[to + 1]]
        return [*lead, *made_words(words[0], "SELECT * FROM"), *name]
    return [*made_words(words[0], "LOAD DATA INPATH"), words[to + 1], *made_words(words[0], "INTO TABLE"), *name]


def transformed(words: Words) -> Words:
    """FROM s MAP a, b USING 'x' AS k, v is SELECT TRANSFORM (a, b) USING 'x' AS (k, v); so is REDUCE."""
    found: Words = []
    at = 0
    while at < len(words):
        using = top(words, {"USING", ")"}, at) if word_of(words[at]) in ("MAP", "REDUCE") else at
        script = using + 1 < len(words) and words[using + 1].token_type is TokenType.STRING
        if not script or word_of(words[using]) != "USING" or (using > at and word_of(words[at + 1]) == "("):
            found.append(words[at])
            at += 1
            continue
        if using > at:
            lead, behind = made_words(words[at], "SELECT TRANSFORM ("), made_words(words[using], ")")
            found += [*lead, *words[at + 1 : using], *behind]
        found += words[using : using + 2]
        at = using + 2
        if at < len(words) and word_of(words[at]) == "AS":
            end = at + 1
            while end < len(words) and word_of(words[end]) not in BEHIND and words[end].token_type is not CLOSES:
                end = closed(words, end) if words[end].token_type is TokenType.L_PAREN else end + 1
            names = words[at + 1 : end]
            bare = not names or names[0].token_type is not TokenType.L_PAREN
            found += [words[at], *(bracketed(names, words[at]) if bare else names)]
            at = end
    return found


CLOSES = TokenType.R_PAREN
BEHIND = frozenset(
    ("CLUSTER BY", "DISTRIBUTE BY", "SORT BY", "CLUSTER", "DISTRIBUTE", "SORT", "INSERT", "WHERE", "FROM", "REDUCE")
)


def without_exists(words: Words) -> Words:
    """INSERT OVERWRITE TABLE t PARTITION (d = 'x') IF NOT EXISTS SELECT ..., FROM s INSERT ... INSERT ..."""
    if word_of(words[0]) not in ("INSERT", "FROM", "WITH"):
        return words
    said = spoken(words)
    told = [n for n in tops(words, {"IF"}) if said[n : n + 3] == ["IF", "NOT", "EXISTS"] and said[n - 1] == ")"]
    return [token for n, token in enumerate(words) if not any(at <= n < at + 3 for at in told)]


BUT = re.compile(r"\((\w+(?:\|\w+)*)\)\?\+\.\+\Z")
PATTERN = re.compile(r".*(?:[|+?^]|\.\*)")


def by_pattern(words: Words) -> Words:
    """SELECT `(ds|hr)?+.+` gives all columns but two; another pattern gives any."""
    found: Words = []
    for at, token in enumerate(words):
        named = token.token_type is TokenType.IDENTIFIER and at and word_of(words[at - 1]) in ("SELECT", ",", ".")
        but = BUT.match(token.text) if named else None
        if but is not None:
            found += made_words(token, f"* EXCEPT ({but[1].replace('|', ', ')})")
        elif named and PATTERN.match(token.text) and "/" not in token.text:
            found += made_words(token, "*")
        else:
            found.append(token)
    return found


def unhinted(words: Words) -> Words:
    """Impala's SELECT STRAIGHT_JOIN a FROM t JOIN [SHUFFLE] u, INSERT INTO t [NOSHUFFLE] SELECT ...: how it is done."""
    told = {n for n in range(1, len(words) - 1) if word_of(words[n]) in HINTS and words[n - 1].text == "["}
    kept = [token for n, token in enumerate(words) if told.isdisjoint((n - 1, n, n + 1))]
    hints = {n for n, token in enumerate(kept) if word_of(token) == "STRAIGHT_JOIN"}
    return [
        token for n, token in enumerate(kept) if n not in hints or word_of(kept[n - 1]) not in ("SELECT", "DISTINCT")
    ]


HINTS = frozenset(("SHUFFLE", "NOSHUFFLE", "BROADCAST", "STRAIGHT_JOIN"))
