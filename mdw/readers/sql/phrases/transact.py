"""What only SQL Server says of tables, of files and of values.

SELECT 'total' = a + b FROM t                            SELECT a + b AS total FROM t
SELECT a FROM OPENROWSET(BULK 'f', ...) AS r             SELECT a FROM "f" AS r
WITH XMLNAMESPACES (...), c AS (...) SELECT ...          WITH c AS (...) SELECT ...
"""

from __future__ import annotations

import re

from mdw.readers.sql.phrases.transact_changing import CHANGES
from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    bracketed,
    closed,
    identifier,
    listed_first,
    made_words,
    opens,
    parted,
    separated,
    spoken,
    top,
)
from mdw.readers.sql.pieces import TokenType, word_of


def bulk(words: Words) -> Words:
    """OPENROWSET(BULK 'file', ...) is the file; with WITH (a INT, b INT 3) behind it, those columns of the file."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 3])
        if said[:1] != ["OPENROWSET"] or said[2:] != ["BULK"]:
            found.append(words[at])
            at += 1
            continue
        several = words[at + 3].token_type is TokenType.L_PAREN if at + 3 < len(words) else False
        named = words[at + 3 : closed(words, at + 3) if several else at + 4]
        files = [
            identifier(token) for token in named if token.token_type in (TokenType.STRING, TokenType.NATIONAL_STRING)
        ]
        if not files:
            return words
        file, at = files[0], closed(words, at + 1)
        listed = at + 1 < len(words) and word_of(words[at]) == "WITH" and opens(words[at + 1]) == 1
        if listed:
            end = closed(words, at + 1)
            names = separated(listed_first(words[at + 2 : end - 1]), made_words(words[at], ","))
            queries = [[*made_words(words[at], "SELECT"), *names, *made_words(words[at], "FROM"), one] for one in files]
            union = separated(queries, made_words(words[at], "UNION ALL"))
            found += bracketed(union, words[at])
            at = end
        else:
            found.append(file)
    return found


def changes_of(words: Words) -> Words:
    """CHANGETABLE(CHANGES dbo.t, @last) AS c: rows of the table, with what became of them."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 3])
        if said[:2] == ["CHANGETABLE", "("] and said[2:] in (["CHANGES"], ["VERSION"]):
            table = words[at + 3 : behind_name(words, at + 3)]
            told = ", ".join(f"SYS_CHANGE('{name}') AS SYS_CHANGE_{name}" for name in CHANGE_COLUMNS)
            found += [*made_words(words[at], f"(SELECT *, {told} FROM"), *table, *made_words(words[at], ")")]
            at = closed(words, at + 1)
        else:
            found.append(words[at])
            at += 1
    return found


def copied(words: Words) -> Words:
    """COPY INTO t (a 1, b DEFAULT 'x' 2) FROM 'file': the columns, wherever in the lines of the file each is."""
    end = behind_name(words, 2)
    if spoken(words[:2]) != ["COPY", "INTO"] or end >= len(words) or opens(words[end]) != 1:
        return words
    last = closed(words, end)
    names = separated(listed_first(words[end + 1 : last - 1]), made_words(words[end], ","))
    return [*words[: end + 1], *names, *words[last - 1 :]]


def cloned(words: Words) -> Words:
    """CREATE TABLE t AS CLONE OF s AT '2024-01-01' (Fabric)."""
    at = top(words, {"AS"})
    if spoken(words[:2]) != ["CREATE", "TABLE"] or spoken(words[at + 1 : at + 3]) != ["CLONE", "OF"]:
        return words
    return [*words[:at], *made_words(words[at], "CLONE"), *words[at + 3 : behind_name(words, at + 3)]]


def without_options(words: Words) -> Words:
    """MERGE ... OPTION (RECOMPILE); SELECT ... INTO t ON fg FROM s: how a statement runs, and where a table lies."""
    at = top(words, {"OPTION"})
    ends = at + 1 < len(words) and opens(words[at + 1]) == 1 and closed(words, at + 1) >= len(words) - 1
    if word_of(words[0]) in CHANGES and ends:
        words = words[:at]
    into = top(words, {"INTO"})
    end = behind_name(words, into + 1) if into + 1 < len(words) else into
    lies = word_of(words[0]) in ("SELECT", "WITH") and spoken(words[end : end + 1]) == ["ON"]
    return [*words[:end], *words[end + 2 :]] if lies else words


def written_within(words: Words) -> Words:
    """SET c.WRITE(x, 0, 1) and SET doc.modify('... sql:column("s.b") ...') change a part of a column."""
    if word_of(words[0]) not in ("UPDATE", "WITH", "MERGE"):
        return words
    found: Words = []
    at = 0
    while at < len(words):
        called = at + 3 < len(words) and words[at + 1].token_type is TokenType.DOT and opens(words[at + 3]) == 1
        method = word_of(words[at + 2]) if called else ""
        if method in ("WRITE", "MODIFY") and found and word_of(found[-1]) in ("SET", ",", "."):
            end = closed(words, at + 3)
            given = words[at + 4 : end - 1]
            if method == "MODIFY":
                mark = given[0] if given else words[at]
                named = [made_words(mark, one) for one in COLUMNS_SAID.findall(mark.text)]
                given = separated([given[:1], *named], made_words(mark, ","))
            name = words[at]
            table = words[1:2] if spoken(words[2:3]) == ["SET"] and word_of(words[0]) == "UPDATE" else []
            own = [*table, *made_words(name, "."), name] if table else [name]
            found += [name, *made_words(name, f"= {method}_WITHIN ("), *own, *made_words(name, ",")]
            found += [*given, *made_words(name, ")")]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


COLUMNS_SAID = re.compile(r"sql:(?:column|variable)\(\s*[\"']+([^\"')]+)")


def received(words: Words) -> Words:
    """RECEIVE TOP (1) body FROM q INTO @t: messages of a queue go into a table."""
    source, into, where = top(words, {"FROM"}), top(words, {"INTO"}), top(words, {"WHERE"})
    if word_of(words[0]) != "RECEIVE" or source == len(words):
        return words
    query = [*made_words(words[0], "SELECT"), *words[1:into], *words[where:]]
    return query if into == len(words) else [*made_words(words[0], "INSERT INTO"), *words[into + 1 : where], *query]


def shredded(words: Words) -> Words:
    """OPENXML(@h, '/r', 2) WITH (a INT '@a') gives the columns that WITH tells, as OPENJSON does."""
    found = list(words)
    for at in reversed(called(words, "OPENXML")):
        end = closed(found, at + 1)
        if [*spoken(found[end : end + 2])] == ["WITH", "("]:
            given = separated(parted(found[at + 2 : end - 1])[:2], made_words(found[at], ","))
            found[at:end] = [*made_words(found[at], "OPENJSON"), *bracketed(given, found[at + 1])]
        elif spoken(found[end : end + 1]) == ["WITH"]:
            # WITH names a table that has such columns: which these are nobody knows here.
            del found[end : behind_name(found, end + 1)]
    return found


def sampled(words: Words) -> Words:
    """TABLESAMPLE (10 PERCENT) REPEATABLE (5) WITH (NOLOCK): how a table is locked says nothing of its rows."""
    found = list(words)
    for at in [one for one in range(len(words)) if word_of(words[one]) == "TABLESAMPLE"][::-1]:
        end = closed(found, at + 1 + (spoken(found[at + 1 : at + 2]) == ["SYSTEM"]))
        end = closed(found, end + 1) if spoken(found[end : end + 2]) == ["REPEATABLE", "("] else end
        if spoken(found[end : end + 2]) == ["WITH", "("]:
            del found[end : closed(found, end + 1)]
    return found


def called(words: Words, function: str) -> list[int]:
    """Where a function is called, however deep that stands."""
    return [at for at in range(len(words) - 1) if word_of(words[at]) == function and opens(words[at + 1]) == 1]


def matched(words: Words) -> Words:
    """WHERE MATCH(a-(f)->b): rows of a graph's tables that lie on a path, which columns nobody names connect."""
    found: Words = []
    at = 0
    while at < len(words):
        opened = at + 1 < len(words) and opens(words[at + 1]) == 1
        if word_of(words[at]) == "MATCH" and opened and found and word_of(found[-1]) in ("WHERE", "AND"):
            found += made_words(words[at], "GRAPH_MATCH() = 1")
            at = closed(words, at + 1)
        else:
            found.append(words[at])
            at += 1
    return found


CHANGE_COLUMNS = ("VERSION", "CREATION_VERSION", "OPERATION", "COLUMNS", "CONTEXT")


def typed_rows(words: Words) -> Words:
    """CREATE TYPE r AS TABLE (a INT): what is of that type has the columns that a table R would have."""
    at = top(words, {"AS"}) if spoken(words[:2]) == ["CREATE", "TYPE"] else len(words)
    if spoken(words[at + 1 : at + 2]) != ["TABLE"]:
        return words
    return [words[0], *made_words(words[1], "TABLE"), *words[2:at], *words[at + 2 : closed(words, at + 2)]]


def searched(words: Words) -> Words:
    """CONTAINSTABLE(t, (a, b), 'x') AS k gives keys of rows of t, and how well a and b of them match.

    (SELECT SEARCHED_KEY(t.*) AS [KEY], SEARCHED_RANK(a, b) AS [RANK] FROM t) AS k
    """
    said = spoken(words)
    at = next((n for n, word in enumerate(said[:-4]) if word in SEARCHING and said[n + 1] == "("), len(words))
    table = words[at + 2 : behind_name(words, at + 2)] if at < len(words) else []
    begin = at + 3 + len(table)
    if not table or begin >= len(words) or said[begin - 1] != ",":
        return words
    inner = words[begin : closed(words, begin)] if opens(words[begin]) == 1 else words[begin : begin + 1]
    own = inner[1:-1] if len(inner) > 2 else inner if said[begin] != "*" else [*table, *made_words(words[at], ". *")]
    key = [*made_words(words[at], "( SELECT SEARCHED_KEY ("), *table, *made_words(words[at], '. * ) AS "KEY" ,')]
    rank = [*made_words(words[at], "SEARCHED_RANK ("), *own, *made_words(words[at], ') AS "RANK" FROM'), *table]
    end = closed(words, at + 1)
    return [*words[:at], *key, *rank, *made_words(words[at], ")"), *searched(words[end:])]


SEARCHING = frozenset(("CONTAINSTABLE", "FREETEXTTABLE"))


def compared(words: Words) -> Words:
    """a !< b, a !> b: not less, not greater."""
    found: Words = []
    for token in words:
        negated = found and found[-1].text == "!" and token.start == found[-1].start + 1
        turned = {TokenType.LT: ">=", TokenType.GT: "<="}.get(token.token_type) if negated else None
        if turned:
            found[-1:] = made_words(token, turned)
        else:
            found.append(token)
    return found


def loaded(words: Words) -> Words:
    """BULK INSERT t FROM 'file' WITH (...) is Hive's LOAD DATA."""
    at = top(words, {"FROM"})
    if spoken(words[:2]) != ["BULK", "INSERT"] or at + 1 >= len(words):
        return words
    lead = words[0]
    return [*made_words(lead, "LOAD DATA INPATH"), words[at + 1], *made_words(lead, "INTO TABLE"), *words[2:at]]


def unhinted(words: Words) -> Words:
    """INSERT INTO t WITH (TABLOCK) (a) ...: how a table is locked says nothing of its rows."""
    if word_of(words[0]) != "INSERT":
        return words
    # That of OPENJSON(x) WITH (a INT), behind SELECT, tells columns.
    at = top(words[: top(words, {"SELECT", "VALUES", "EXEC", "EXECUTE"})], {"WITH"})
    hint = at + 1 < len(words) and word_of(words[at]) == "WITH" and words[at + 1].token_type is TokenType.L_PAREN
    return [*words[:at], *words[closed(words, at + 1) :]] if hint else words


def without_namespaces(words: Words) -> Words:
    """WITH XMLNAMESPACES (...), c AS (...): names within documents."""
    if spoken(words[:2]) != ["WITH", "XMLNAMESPACES"]:
        return words
    end = closed(words, 2)
    more = end < len(words) and words[end].token_type is TokenType.COMMA
    return [words[0], *words[end + 1 :]] if more else words[end:]


def named_before(words: Words) -> Words:
    """SELECT 'total' = a + b is SELECT a + b AS total."""
    equals = [at for at, token in enumerate(words) if token.token_type is TokenType.EQ]
    named = {
        at - 1
        for at in equals
        if at > 1
        and words[at - 1].token_type is TokenType.STRING
        and word_of(words[at - 2]) in ("SELECT", "DISTINCT", "ALL", ",")
    }
    return [identifier(token) if at in named else token for at, token in enumerate(words)] if named else words


def graphless(words: Words) -> Words:
    """CREATE TABLE t (...) AS NODE: it is a table of a graph, and no copy."""
    node = spoken(words[-2:]) in (["AS", "NODE"], ["AS", "EDGE"], ["AS", "FILETABLE"])
    return words[:-2] if node and word_of(words[0]) == "CREATE" else words
