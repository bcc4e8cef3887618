"""What only one of the other databases says."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.phrases.words import Words, made_words, spoken, top, tops
from mdw.readers.sql.pieces import word_of


def without_defaults(words: Words) -> Words:
    """The := value of a macro's argument is what it is where nobody gives it."""
    if "MACRO" not in spoken(words[:6]):
        return words
    marks = {at for at, token in enumerate(words) if token.token_type is TokenType.COLON_EQ}
    return [token for at, token in enumerate(words) if at not in marks and at - 1 not in marks]


def mutated(words: Words) -> Words:
    """ClickHouse's ALTER TABLE t UPDATE a = 1 WHERE ... and ALTER TABLE t DELETE WHERE ..."""
    at = top(words, {"UPDATE", "DELETE"})
    if spoken(words[:2]) != ["ALTER", "TABLE"] or at == len(words):
        return words
    if word_of(words[at]) == "DELETE":
        return [*made_words(words[0], "DELETE FROM"), *words[2:at], *words[at + 1 :]]
    return [*made_words(words[0], "UPDATE"), *words[2:at], *made_words(words[at], "SET"), *words[at + 1 :]]


def without_snapshot(words: Words) -> Words:
    """BigQuery's CREATE SNAPSHOT TABLE s CLONE t."""
    return [words[0], *words[2:]] if spoken(words[:3]) == ["CREATE", "SNAPSHOT", "TABLE"] else words


def without_outfile(words: Words) -> Words:
    """MySQL's SELECT ... INTO OUTFILE."""
    at = next((n for n in tops(words, {"INTO"}) if spoken(words[n + 1 : n + 2])[:1] in (["OUTFILE"], ["DUMPFILE"])), 0)
    return words[:at] if at else words


def infile(words: Words) -> Words:
    """MySQL's LOAD DATA [LOCAL] INFILE 'f' INTO TABLE t ... is Hive's, without what it says of the file."""
    said = spoken(words)
    if said[:2] != ["LOAD", "DATA"] or "INFILE" not in said or "TABLE" not in said:
        return words
    at, table = said.index("INFILE"), said.index("TABLE")
    end = table + 2
    while end + 1 < len(words) and words[end].token_type is TokenType.DOT:
        end += 2
    return [
        *words[:2],
        *made_words(words[at], "INPATH"),
        words[at + 1],
        *made_words(words[at], "INTO TABLE"),
        *words[table + 1 : end],
    ]


def plain_clone(words: Words) -> Words:
    """CREATE TABLE t DEEP CLONE s; INSERT OVERWRITE DIRECTORY 'd' USING parquet SELECT ..."""
    said = spoken(words)
    if "DIRECTORY" in said[:4] and "USING" in said[:8]:
        at = said.index("USING")
        return [*words[:at], *words[at + 2 :]]
    return [token for at, token in enumerate(words) if not (said[at] == "DEEP" and said[at + 1 : at + 2] == ["CLONE"])]


def deduplicated(words: Words) -> Words:
    """Redshift's MERGE ... REMOVE DUPLICATES changes rows that match and adds the others."""
    if word_of(words[0]) != "MERGE" or spoken(words[-2:]) != ["REMOVE", "DUPLICATES"]:
        return words
    both = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    return [*words[:-2], *made_words(words[-1], both)]
