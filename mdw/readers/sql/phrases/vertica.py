"""What only Vertica says; its other SQL is read as PostgreSQL's.

COPY t (a, f FILLER INT, b AS f + 1) FROM 'x'      INSERT INTO t (a, b) SELECT a, f + 1 FROM "x"
EXPORT TO PARQUET (directory = '/x') AS SELECT ...  INSERT INTO "/x" SELECT ...
SELECT a FROM t LIMIT 1 OVER (PARTITION BY b)       SELECT a FROM t
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
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
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

TEXTS = frozenset((TokenType.STRING, TokenType.IDENTIFIER))


def kept(words: Words) -> Words:
    """CREATE TABLE ... AS SELECT ... SEGMENTED BY HASH(a) ALL NODES, and how columns of it are encoded."""
    if word_of(words[0]) == "SELECT":
        # SELECT a INTO LOCAL TEMP TABLE t ON COMMIT PRESERVE ROWS FROM s
        into = top(words, {"INTO"}) + 1
        words = [*words[:into], *words[into + (spoken(words[into : into + 1]) in (["LOCAL"], ["GLOBAL"])) :]]
        at = next((n for n in tops(words, {"ON"}) if spoken(words[n + 1 : n + 2]) == ["COMMIT"]), 0)
        return [*words[:at], *words[at + 4 :]] if at else words
    if word_of(words[0]) != "CREATE" or "TABLE" not in spoken(words[:6]):
        return words
    body = next((at for at in tops(words, {"AS"}) if begins(words, at + 1)), len(words))
    end = top(words, {"SEGMENTED", "UNSEGMENTED"}, body)
    encoded = {n + more for n in tops(words, {"ENCODING"}, body) for more in (0, 1)}
    return [token for at, token in enumerate(words[:end]) if at not in encoded]


def set_by(words: Words) -> Words:
    """a INT SET USING (SELECT ...), DEFAULT (SELECT ...): a column that is computed, of other tables as well."""
    if word_of(words[0]) not in ("CREATE", "ALTER"):
        return words
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 2])
        told = said in (["SET", "USING"], ["DEFAULT", "USING"])
        if told or (said == ["DEFAULT", "("] and begins(words, at + 1)):
            found += made_words(words[at], "GENERATED ALWAYS AS")
            end = _item_end(words, at + 1 + told)
            found += [*bracketed(words[at + 1 + told : end], words[at]), *made_words(words[at], "STORED")]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


def _item_end(words: Words, at: int) -> int:
    """Where what stands in a list ends."""
    depth = 0
    for place in range(at, len(words)):
        depth += opens(words[place])
        if depth < 0 or (depth == 0 and words[place].token_type is TokenType.COMMA):
            return place
    return len(words)


def of_epoch(words: Words) -> Words:
    """AT EPOCH LATEST SELECT, AT TIME '...' SELECT: the rows of some time."""
    found: Words = []
    at = 0
    while at < len(words):
        then = word_of(words[at]) == "AT" and spoken(words[at + 1 : at + 2])[:1] in (["EPOCH"], ["TIME"])
        if then and begins(words, at + 3):
            at += 3
        else:
            found.append(words[at])
            at += 1
    return found


def copied(words: Words) -> Words:
    """COPY t (a, f FILLER INT, b AS f + 1) FROM LOCAL 'x' ...; COPY t FROM VERTICA d.s.t."""
    source = top(words, {"FROM"})
    if word_of(words[0]) == "COPY" and source == len(words):
        return _from_function(words)
    if word_of(words[0]) != "COPY" or source + 2 > len(words):
        return words
    end = behind_name(words, 1)
    name, listed = words[1:end], words[end:source]
    if word_of(words[source + 1]) == "VERTICA":
        rest = words[source + 2 :]
        return [*made_words(words[0], "INSERT INTO"), *name, *made_words(words[0], "SELECT * FROM"), *rest]
    at = source + 1 + (word_of(words[source + 1]) == "LOCAL")
    special = any(word in spoken(listed) for word in ("FILLER", "AS"))
    if at >= len(words) or words[at].token_type not in TEXTS or not (special or at > source + 1 or _parsed_by(words)):
        return words
    if not special:
        several = _files(words, at)
        if len(several) == 1:
            return [*words[: source + 1], words[at]]
        queries = [[*made_words(words[at], "SELECT * FROM"), identifier(one)] for one in several]
        every = separated(queries, made_words(words[at], "UNION ALL"))
        return [*made_words(words[0], "INSERT INTO"), *words[1:source], *every]
    given = [one for one in parted(listed[1:-1]) if "FILLER" not in spoken(one[1:2])]
    comma = made_words(words[0], ",")
    names = separated([one[:1] for one in given], comma)
    values = separated([one[2:] if spoken(one[1:2]) == ["AS"] else one[:1] for one in given], comma)
    return [
        *made_words(words[0], "INSERT INTO"),
        *name,
        *made_words(words[0], "("),
        *names,
        *made_words(words[0], ") SELECT"),
        *values,
        *made_words(words[0], "FROM"),
        identifier(words[at]),
    ]


def _files(words: Words, at: int) -> Words:
    """The files that are listed here."""
    found = [words[at]]
    while spoken(words[at + 1 : at + 2]) == [","] and words[at + 2].token_type in TEXTS:
        at += 2
        found.append(words[at])
    return found


def _from_function(words: Words) -> Words:
    """COPY t SOURCE Hdfs(url='...') PARSER p(): the first text that the source is told is the file."""
    at = top(words, {"SOURCE"})
    opened = at + 2 < len(words) and words[at + 2].token_type is TokenType.L_PAREN
    told = words[at + 3 : closed(words, at + 2)] if opened else []
    file = next((token for token in told if token.token_type in TEXTS), None)
    return [*words[:at], *made_words(words[at], "FROM"), file] if file is not None else words


def _parsed_by(words: Words) -> bool:
    return bool(tops(words, {"PARSER", "DIRECT", "ABORT", "REJECTED", "EXCEPTIONS", "DELIMITER", "PARQUET", "ORC"}))


def exported(words: Words) -> Words:
    """EXPORT TO VERTICA d.s.t AS SELECT ...; EXPORT TO PARQUET (directory = 'x') OVER (...) AS SELECT ..."""
    body = next((at for at in tops(words, {"AS"}) if begins(words, at + 1)), 0)
    source = top(words, {"FROM"})
    if spoken(words[:3]) == ["EXPORT", "TO", "VERTICA"] and not body and source + 1 < len(words):
        name = words[source + 1 : behind_name(words, source + 1)]
        listed = words[source + 1 + len(name) :][1:-1] or made_words(words[0], "*")
        query = [*made_words(words[0], "SELECT"), *listed, *made_words(words[0], "FROM"), *name]
        return [*made_words(words[0], "INSERT INTO"), *words[3:source], *query]
    if spoken(words[:2]) != ["EXPORT", "TO"] or not body:
        return words
    lead = made_words(words[0], "INSERT INTO")
    if word_of(words[2]) == "VERTICA":
        return [*lead, *words[3:body], *words[body + 1 :]]
    file = next((token for token in words[3:body] if token.token_type is TokenType.STRING), None)
    return [*lead, identifier(file), *words[body + 1 :]] if file is not None else words


def without_limit(words: Words) -> Words:
    """LIMIT 1 OVER (PARTITION BY b ORDER BY c): the first rows of each group."""
    found = list(words)
    for at in range(len(words) - 1, 1, -1):
        if word_of(words[at]) == "OVER" and word_of(words[at - 2]) == "LIMIT":
            found[at - 2 : closed(words, at + 1)] = []
    return found


def in_slices(words: Words) -> Words:
    """TIMESERIES t AS '1 minute' OVER (PARTITION BY a ORDER BY ts): T is made of what rows are ordered by."""
    at = top(words, {"TIMESERIES"})
    if at + 5 >= len(words) or word_of(words[at + 4]) != "OVER":
        return words
    end = closed(words, at + 5)
    inner = words[at + 6 : end - 1]
    order = inner[top(inner, {"ORDER BY"}) + 1 :]
    name, rest = word_of(words[at + 1]), [*words[:at], *words[end:]]
    value = [*made_words(words[at], "SLICE_OF ("), *order, *made_words(words[at], ")")]
    found: Words = []
    for number, token in enumerate(rest):
        bare = number + 1 < len(rest) and word_of(rest[number + 1]) in (",", "FROM")
        if word_of(token) == name:
            found += [*value, *(made_words(token, "AS") if bare else ()), *([token] if bare else ())]
        else:
            found.append(token)
    return found


def plain_values(words: Words) -> Words:
    """Functions without their parameters, joins of times, casts that may fail, and rows that match a pattern."""
    found: Words = []
    at = 0
    while at < len(words):
        word = word_of(words[at])
        next_two = spoken(words[at + 1 : at + 3])
        if word == "USING" and next_two[:1] == ["PARAMETERS"]:
            at = _end(words, at)
        elif word == "INTERPOLATE" and next_two[-1:] == ["VALUE"]:
            found += made_words(words[at], ">=" if next_two[0] == "PREVIOUS" else "<=")
            at += 3
        elif word == "PARTITION" and next_two[:1] in (["BEST"], ["NODES"], ["ROW"], ["LEFT"]):
            at = _end(words, at)
        elif word == "MATCH" and next_two[:1] == ["("] and "PATTERN" in spoken(words[at : closed(words, at + 1)]):
            at = closed(words, at + 1)
        elif word == "MINUS" and begins(words, at + 1):
            found += made_words(words[at], "EXCEPT")
            at += 1
        elif word == "/" and found and word_of(found[-1]) == "/" and found[-1].end + 1 == words[at].start:
            # a // b divides without a remainder.
            at += 1
        elif word in TIMES and next_two[:1] == ["("] and _told_first(words, at):
            # Others have functions called so whose unit stands elsewhere.
            found += [*made_words(words[at], f"{word}_OF"), words[at + 1]]
            unit = words[at + 2].text.strip("'")
            found += made_words(words[at + 2], f"'{unit}'")
            at += 3
        elif word == "!" and found and found[-1].token_type is TokenType.DCOLON:
            at += 1
        else:
            found.append(words[at])
            at += 1
    return found


TIMES = frozenset(("DATEDIFF", "TIMESTAMPDIFF", "DATEADD", "TIMESTAMPADD"))


def _told_first(words: Words, at: int) -> bool:
    """Whether the first of three arguments is the unit."""
    end = closed(words, at + 1)
    inner = words[at + 2 : end - 1]
    return len(tops(inner, {","})) == 2 and word_of(inner[1]) == "," and inner[0].text.isalpha()


def _end(words: Words, at: int) -> int:
    """Where the parenthesis closes that is open here."""
    while at < len(words) and words[at].token_type is not TokenType.R_PAREN:
        at = closed(words, at) if words[at].token_type is TokenType.L_PAREN else at + 1
    return at


def moving(words: Words) -> Words:
    """SELECT COPY_TABLE('a', 'b') and its like move all rows, or some."""
    called = spoken(words[1:2])[:1]
    texts = [token for token in words[2:] if token.token_type is TokenType.STRING]
    if word_of(words[0]) != "SELECT" or called[:1] not in ([one] for one in MOVING) or len(texts) < 2:
        return words
    source, target = texts[0].text, texts[-1].text
    if not all(part.isidentifier() for text in (source, target) for part in text.split(".")):
        return words
    if called == ["SWAP_PARTITIONS_BETWEEN_TABLES"]:
        return made_words(words[0], f"ALTER TABLE {source} SWAP WITH {target}")
    return made_words(words[0], f"INSERT INTO {target} SELECT * FROM {source}")


MOVING = ("COPY_TABLE", "COPY_PARTITIONS_TO_TABLE", "MOVE_PARTITIONS_TO_TABLE", "SWAP_PARTITIONS_BETWEEN_TABLES")


def outside(words: Words) -> Words:
    """CREATE EXTERNAL TABLE t (a INT) AS COPY FROM 'x' PARQUET is a view of the file."""
    body = next((at for at in tops(words, {"AS"}) if spoken(words[at + 1 : at + 3]) == ["COPY", "FROM"]), 0)
    opened = next((at for at, token in enumerate(words) if token.token_type is TokenType.L_PAREN), 0)
    said = spoken(words)
    if said[:1] != ["CREATE"] or "EXTERNAL" not in said[:4] or not 0 < opened < body or body + 3 >= len(words):
        return words
    columns = separated(listed_first(words[opened + 1 : closed(words, opened) - 1]), made_words(words[0], ","))
    name = words[said.index("TABLE") + 1 : opened]
    select = [*made_words(words[0], "AS SELECT"), *columns, *made_words(words[0], "FROM"), identifier(words[body + 3])]
    return [*made_words(words[0], "CREATE VIEW"), *name, *select]


def of_schema(words: Words) -> Words:
    """ALTER TABLE t SET SCHEMA s: from here on it is s.t."""
    at = next((n for n in tops(words, {"SET"}) if spoken(words[n + 1 : n + 2]) == ["SCHEMA"]), 0)
    if spoken(words[:2]) not in (["ALTER", "TABLE"], ["ALTER", "VIEW"]) or not at or at + 2 >= len(words):
        return words
    # RENAME is a word that only behind these is no command.
    rename = made_words(words[at], "ALTER TABLE t RENAME TO")[3:]
    return [*words[:at], *rename, words[at + 2], *made_words(words[at], "."), words[at - 1]]
