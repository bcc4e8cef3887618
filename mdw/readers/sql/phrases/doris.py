"""What only Doris and StarRocks say; their other SQL is like MySQL's.

INSERT INTO t WITH LABEL l (a) SELECT ...           INSERT INTO t (a) SELECT ...
SUBMIT TASK k AS INSERT INTO t SELECT ...           INSERT INTO t SELECT ...
LOAD LABEL l (DATA INFILE('x') INTO TABLE t ...)    LOAD DATA INPATH 'x' INTO TABLE t
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    bracketed,
    closed,
    identifier,
    made_words,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

GIVEN = frozenset((TokenType.STRING, TokenType.IDENTIFIER))


def plain_insert(words: Words) -> Words:
    """INSERT without its label and its partitions, or into files."""
    if word_of(words[0]) != "INSERT":
        return words
    said = spoken(words)
    if said[1:4] in (["INTO", "FILES", "("], ["OVERWRITE", "FILES", "("]):
        end = closed(words, 3)
        file = next((words[n + 2] for n in range(4, end - 2) if words[n].text.lower() == "path"), None)
        return [*words[:2], identifier(file), *words[end:]] if file is not None else words
    at = next((n for n in tops(words, {"WITH"}) if said[n + 1 : n + 2] == ["LABEL"]), 0)
    words = [*words[:at], *words[at + 3 :]] if at else words
    at = next((n for n in tops(words, {"PROPERTIES"}) if spoken(words[n + 1 : n + 2]) == ["("]), 0)
    words = [*words[:at], *words[closed(words, at + 1) :]] if at else words
    return _without_partition(words)


def without_partition(words: Words) -> Words:
    """DELETE FROM t PARTITION p1 WHERE ..., FROM t TEMPORARY PARTITION (p)."""
    return _without_partition(words) if word_of(words[0]) in ("DELETE", "SELECT") else words


def _without_partition(words: Words) -> Words:
    at = next((n for n in tops(words, {"PARTITION", "PARTITIONS"})), 0)
    if not at or at + 1 >= len(words):
        return words
    end = closed(words, at + 1) if words[at + 1].token_type is TokenType.L_PAREN else at + 2
    return [*words[: at - (word_of(words[at - 1]) == "TEMPORARY")], *words[end:]]


def without_separator(words: Words) -> Words:
    """GROUP_CONCAT(a ORDER BY b SEPARATOR ',')."""
    marks = {at for at, word in enumerate(spoken(words)) if word == "SEPARATOR"}
    return [token for at, token in enumerate(words) if at not in marks and at - 1 not in marks]


def scheduled(words: Words) -> Words:
    """SUBMIT TASK ... AS statement, CREATE JOB ... DO statement."""
    words = _apart(words, "SUBMIT")
    said = spoken(words[:3])
    task = said[:2] == ["SUBMIT", "TASK"]
    if not task and said[:2] != ["CREATE", "JOB"]:
        return words
    at = next((n for n in tops(words, {"AS" if task else "DO"}) if n + 1 < len(words) and _runs(words, n + 1)), 0)
    return words[at + 1 :] if at else words


def _apart(words: Words, first: str) -> Words:
    """The words of what the tokenizer takes for a command, and what is behind it for a text."""
    command = word_of(words[0]) == first and len(words) == 2
    return [words[0], *made_words(words[1], words[1].text)] if command else words


def _runs(words: Words, at: int) -> bool:
    return begins(words, at) or word_of(words[at]) == "CREATE"


def loaded(words: Words) -> Words:
    """LOAD LABEL l (DATA INFILE("x") INTO TABLE t ...) WITH BROKER b; EXPORT TABLE t TO "x"."""
    words = _apart(words, "EXPORT")
    said = spoken(words)
    if said[:2] == ["EXPORT", "TABLE"]:
        to = top(words, {"TO"})
        name = words[2 : behind_name(words, 2)]
        lead = made_words(words[0], "INSERT INTO")
        return [*lead, identifier(words[to + 1]), *made_words(words[0], "SELECT * FROM"), *name]
    at = said.index("INFILE") if "INFILE" in said else 0
    table = said.index("TABLE", at) if "TABLE" in said[at:] else 0
    file = next((token for token in words[at:] if token.token_type in GIVEN), None)
    if said[:2] != ["LOAD", "LABEL"] or not at or not table or file is None:
        return words
    label = words[2 : behind_name(words, 2)]
    # The label of a load has the database in front, which the table is of too.
    name = words[table + 1 : behind_name(words, table + 1)]
    schema = [*label[:-1]] if len(name) == 1 else []
    lead = [*made_words(words[0], "INSERT INTO"), *schema, *name]
    return [*lead, *_columns_loaded(words, table + 1 + len(name)), identifier(file)]


def _columns_loaded(words: Words, at: int) -> Words:
    """Behind the table (c1, c2) SET (a = c1, b = c2 + 1): A and B are filled, and the columns no formula uses."""
    comma, place = made_words(words[0], ","), words[0]
    end = closed(words, next(n for n in range(2, at) if word_of(words[n]) == "("))
    opened = (n for n in range(at, end) if word_of(words[n]) == "(")
    named = next((n for n in opened if word_of(words[n - 1]) not in NO_COLUMNS), 0)
    told = next((n + 1 for n in range(at, end - 1) if spoken(words[n : n + 2]) == ["SET", "("]), 0)
    if not named or (told and told < named):
        return made_words(place, "SELECT * FROM")
    formulas = [(item[:1], item[2:]) for item in parted(words[told + 1 : closed(words, told) - 1]) if told]
    used = {token.text for _, value in formulas for token in value}
    columns = [item[:1] for item in parted(words[named + 1 : closed(words, named) - 1])]
    given = [*[(one, one) for one in columns if one and one[0].text not in used], *formulas]
    values = [*made_words(place, "SELECT"), *separated([value for _, value in given], comma)]
    return [*bracketed(separated([name for name, _ in given], comma), place), *values, *made_words(place, "FROM")]


NO_COLUMNS = frozenset(("PARTITION", "SET", "AS", "BY", "PROPERTIES"))


def routine(words: Words) -> Words:
    """CREATE ROUTINE LOAD l ON t COLUMNS (a, x, b = x + 1) ... FROM KAFKA ("kafka_topic" = "q"): T has Q's rows.

    INSERT INTO t (a, x, b) SELECT a, x, x + 1 FROM q, or all of them by their names.
    """
    target, source = top(words, {"ON"}), top(words, {"FROM"})
    topic = next((words[n + 2] for n in range(source, len(words) - 2) if words[n].text.lower() == "kafka_topic"), None)
    if spoken(words[:3]) != ["CREATE", "ROUTINE", "LOAD"] or topic is None:
        return words
    at = next((n + 1 for n in tops(words, {"COLUMNS"}, target) if spoken(words[n + 1 : n + 2]) == ["("]), 0)
    items = parted(words[at + 1 : closed(words, at) - 1]) if at else []
    comma, place = made_words(words[0], ","), words[0]
    # Names that only formulas use are columns of the topic, and none of the table.
    used = {token.text for item in items for token in item[2:]}
    given = [(item[:1], item[2:] or item) for item in items if len(item) > 2 or item[0].text not in used]
    lead = [*made_words(place, "INSERT INTO"), *words[target + 1 : behind_name(words, target + 1)]]
    if not given:
        return [*lead, *made_words(place, "SELECT * FROM"), identifier(topic)]
    names = bracketed(separated([name for name, _ in given], comma), place)
    values = [*made_words(place, "SELECT"), *separated([value for _, value in given], comma)]
    return [*lead, *names, *values, *made_words(place, "FROM"), identifier(topic)]


def replaced(words: Words) -> Words:
    """ALTER TABLE a REPLACE WITH TABLE b: the two change their names."""
    at = next((n for n in tops(words, {"REPLACE"}) if spoken(words[n + 1 : n + 3]) == ["WITH", "TABLE"]), 0)
    if spoken(words[:2]) != ["ALTER", "TABLE"] or not at:
        return words
    return [*words[:at], *made_words(words[at], "SWAP WITH"), *words[at + 3 : behind_name(words, at + 3)]]
