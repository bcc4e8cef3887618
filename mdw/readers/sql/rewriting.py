"""What sqlglot does not read, in words that it reads; every word keeps its place, made ones have that of a neighbour.

MERGE ... UPDATE SET a = s.a DELETE WHERE t.z = 2        ... WHEN MATCHED AND (t.z = 2) THEN DELETE
UPDATE t SET b += 1                                      UPDATE t SET b = b + 1
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from sqlglot import exp, tokenize
from sqlglot.tokenizer_core import Token, TokenType

from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.pieces import ScriptPiece, word_of

Words = list[Any]


def written_out(piece: ScriptPiece, flavour: Flavour) -> tuple[Words, list[Words]]:
    """The words of a statement in a form that sqlglot reads, and the OUTPUTs of a T-SQL change as statements."""
    creates = word_of(piece.tokens[0]) == "CREATE"
    words = _without_virtual(piece.tokens) if creates and piece.mentions("VIRTUAL") else list(piece.tokens)
    if _spoken(words[:2]) == ["REPLACE", "INTO"]:
        # It inserts, whatever it takes away before.
        words[:1] = made_words(words[0], "INSERT")
    for change in REWRITTEN.get(flavour.name, ()):
        words = change(words)
    if flavour.name in TRANSACT and word_of(words[0]) in CHANGES:
        return _without_output(words)
    return words, []


def give_back(change: Any, output: Any) -> None:
    """Let a change have its OUTPUT; of two the one that goes into a table counts."""
    given, into = (output.expression, output.this) if isinstance(output, exp.Insert) else (output, None)
    if into is not None or change.args.get("returning") is None:
        change.set("returning", exp.Returning(expressions=given.expressions, into=into))


def plain_create(words: Sequence[Any]) -> Words | None:
    """CREATE ... AS SELECT without what it says of storage; of a task the statement it runs; None of others.

    CREATE MATERIALIZED VIEW v BUILD IMMEDIATE AS SELECT ...      CREATE VIEW v AS SELECT ...
    """
    first = [word_of(token) for token in words[:8]]
    kind = next((word for word in ("TASK", "TABLE", "VIEW") if word in first), "")
    body = next((at for at in _tops(words, {"AS"}) if _begins(words, at + 1)), 0)
    if first[:1] != ["CREATE"] or not kind or not body:
        return None
    rest = list(words[body + 1 :])
    if kind == "TASK":
        return rest
    name = first.index(kind) + 1
    if "EXISTS" in first:
        name = first.index("EXISTS") + 1
    end = name + 1
    while end + 1 < len(words) and words[end].token_type is TokenType.DOT:
        end += 2
    columns = _closed(words, end) if words[end].token_type is TokenType.L_PAREN else end
    temporary = "TEMPORARY " if {"TEMP", "TEMPORARY", "VOLATILE"} & set(first) else ""
    tail = next((at for at in _tops(rest, {"WITH", "ON"}) if at and _ends(rest, at)), len(rest))
    made = made_words(words[0], f"CREATE {temporary}{kind}")
    return [*made, *words[name:columns], words[body], *rest[:tail]]


ENDINGS = (
    ("WITH", "NO"),
    ("WITH", "DATA"),
    ("WITH", "READ"),
    ("WITH", "CHECK"),
    ("WITH", "CASCADED"),
    ("ON", "COMMIT"),
)


def _ends(words: Sequence[Any], at: int) -> bool:
    """Whether a word begins what stands behind the query of a CREATE: WITH NO DATA, ON COMMIT ..."""
    return tuple(word_of(token) for token in words[at : at + 2]) in ENDINGS


def _begins(words: Sequence[Any], at: int) -> bool:
    """Whether a query, or a change, begins here."""
    while at < len(words) and words[at].token_type is TokenType.L_PAREN:
        at += 1
    return at < len(words) and word_of(words[at]) in ("SELECT", "WITH", "SEL", "INSERT", "MERGE", "UPDATE", "DELETE")


# -- words -------------------------------------------------------------------------------------------------------------


def made_words(token: Any, text: str) -> Words:
    """Words in the place of another."""
    return [
        Token(one.token_type, one.text, line=token.line, col=token.col, start=token.start, end=token.end)
        for one in tokenize(text)
    ]


def _opens(token: Any) -> int:
    return int(token.token_type is TokenType.L_PAREN) - int(token.token_type is TokenType.R_PAREN)


def _closed(words: Sequence[Any], at: int) -> int:
    """Behind the parenthesis that closes the one here."""
    depth = 0
    for place in range(at, len(words)):
        depth += _opens(words[place])
        if depth == 0:
            return place + 1
    return len(words)


def _tops(words: Sequence[Any], wanted: Collection[str], start: int = 0) -> list[int]:
    """Where words stand outside of parentheses."""
    found, depth = [], 0
    for at in range(start, len(words)):
        depth += _opens(words[at])
        if depth == 0 and word_of(words[at]) in wanted:
            found.append(at)
    return found


def _top(words: Sequence[Any], wanted: Collection[str], start: int = 0) -> int:
    """Where the first of them stands; the end if none does."""
    return next(iter(_tops(words, wanted, start)), len(words))


def _spoken(words: Sequence[Any]) -> list[str]:
    return [word_of(token) for token in words]


# -- Teradata ----------------------------------------------------------------------------------------------------------

PHRASES = frozenset(("TITLE", "FORMAT", "CASESPECIFIC", "UPPERCASE"))


def _without_phrases(words: Words) -> Words:
    """(TITLE 'x') behind a column says how it is shown, (NAMED x) what it is called."""
    found: Words = []
    at = 0
    while at < len(words):
        token = words[at]
        inner = word_of(words[at + 1]) if token.token_type is TokenType.L_PAREN and at + 3 < len(words) else ""
        if inner in PHRASES:
            at = _closed(words, at)
        elif inner == "NAMED":
            found += [*made_words(token, "AS"), words[at + 2]]
            at = _closed(words, at)
        else:
            found.append(token)
            at += 1
    return found


def _without_normalize(words: Words) -> Words:
    """SELECT NORMALIZE puts periods together: the rows are fewer, their columns the same."""
    found: Words = []
    for at, token in enumerate(words):
        if word_of(token) != "NORMALIZE" or not at or word_of(words[at - 1]) not in ("SELECT", "SEL"):
            found.append(token)
    return found


def _without_reset(words: Words) -> Words:
    """RESET WHEN within a window only says where its frame begins."""
    at = next((n for n, word in enumerate(_spoken(words)) if word == "RESET"), 0)
    if not at:
        return words
    depth, end = 0, at
    while end < len(words) and depth >= 0 and not (depth == 0 and word_of(words[end]) in ("ROWS", "RANGE")):
        end += 1
        depth += _opens(words[end]) if end < len(words) else 0
    return [*words[:at], *words[end:]]


def _updating(words: Words) -> Words:
    """UPDATE t FROM s SET ...: where s has no name of its own SET would be taken for one."""
    source, sets = _top(words, {"FROM"}), _top(words, {"SET"})
    if word_of(words[0]) not in ("UPDATE", "UPD") or not source < sets < len(words):
        return words
    bare = words[sets - 2].token_type is TokenType.DOT or word_of(words[sets - 2]) == "FROM"
    return [*words[:sets], *(words[sets - 1 : sets] if bare else ()), *words[sets:]]


def _unlocked(words: Words) -> Words:
    """LOCKING t FOR ACCESS before a statement says nothing of its rows; nor does the ALL of DELETE t ALL."""
    if word_of(words[0]) in ("LOCKING", "LOCK"):
        at = _top(words, {"SELECT", "SEL", "INSERT", "INS", "UPDATE", "UPD", "DELETE", "DEL", "MERGE", "WITH"})
        return words[at:] or words
    return words[:-1] if word_of(words[0]) in ("DELETE", "DEL") and word_of(words[-1]) == "ALL" else words


# -- Oracle ------------------------------------------------------------------------------------------------------------


def _branching(words: Words) -> Words:
    """The DELETE WHERE behind a MERGE's update is a branch of its own."""
    if word_of(words[0]) != "MERGE":
        return words
    for at, token in enumerate(words):
        if word_of(token) == "DELETE" and at + 1 < len(words) and word_of(words[at + 1]) == "WHERE":
            end = next((n for n in range(at, len(words)) if word_of(words[n]) == "WHEN"), len(words))
            lead, last = made_words(token, "WHEN MATCHED AND ("), made_words(token, ") THEN DELETE")
            return [*words[:at], *lead, *words[at + 2 : end], *last, *words[end:]]
    return words


def _through(words: Words) -> Words:
    """UPDATE (SELECT ...) SET a = b is an update through a query that has a name."""
    if word_of(words[0]) != "UPDATE" or len(words) < 3 or not _begins(words, 1):
        return words
    if words[1].token_type is not TokenType.L_PAREN:
        return words
    end, sets = _closed(words, 1), _top(words, {"SET"})
    name = words[end : end + 1] if sets > end else made_words(words[0], "updated")
    return [
        *made_words(words[0], "WITH"),
        *name,
        *made_words(words[0], "AS"),
        *words[1:end],
        words[0],
        *name,
        *words[sets:],
    ]


def _modelled(words: Words) -> Words:
    """MODEL gives values of other rows of the partition, which nothing but PARTITION BY tells.

    SELECT c, y, v FROM s MODEL PARTITION BY (c) DIMENSION BY (y) MEASURES (v, w) RULES (...)      is read as
    SELECT c, y, v FROM (SELECT c AS c, MODEL_CELL(y) OVER (PARTITION BY c) AS y, ... FROM s)
    """
    at = next((n for n in _tops(words[:-1], {"MODEL"}) if word_of(words[n + 1]) in CELLS), len(words))
    if at == len(words):
        return words
    start = max(_tops(words[:at], {"SELECT"}), default=at)
    begins = _top(words[:at], {"FROM"}, start)
    # What a reference model brings in is of tables of its own: that is left to the parser to refuse.
    if begins >= at or "REFERENCE" in _spoken(words[at:]):
        return words
    keys, places, cells = (_listed(words, at, name) for name in ("PARTITION BY", "DIMENSION", "MEASURES"))
    comma = made_words(words[at], ",")
    # Rules name the measures they take values of, and what stands at the side by CV().
    said = _spoken(words[_closed(words, _top(words, {"MEASURES"}, at) + 1) :])
    taken = [value for value, name in cells if said.count(word_of(name[0]))]
    taken += [value for value, _ in places] if {"CV", "CURRENTV"} & set(said) else []
    own = [[*value, *made_words(words[at], "AS"), *name] for value, name in keys]
    by = [*made_words(words[at], "PARTITION BY"), *_separated([value for value, _ in keys], comma)] if keys else []
    for value, name in [*places, *cells]:
        others = [one for one in taken if one != value and (value, name) in cells]
        given = _separated([value, *others], comma)
        own.append([*made_words(words[at], f"{CELL} ("), *given, *made_words(words[at], ") OVER ("), *by])
        own[-1] += [*made_words(words[at], ") AS"), *name]
    query = [
        *made_words(words[at], "( SELECT"),
        *_separated(own, comma),
        *words[begins:at],
        *made_words(words[at], ")"),
    ]
    last = next(iter(_tops(words, {"UNION", "ORDER BY", "MINUS", "INTERSECT"}, at)), len(words))
    return [*words[: begins + 1], *query, *words[last:]]


def _listed(words: Words, at: int, name: str) -> list[tuple[Words, Words]]:
    """The values that a part of MODEL lists, each with its name."""
    start = next((n + 1 for n in _tops(words, {name}, at)), 0)
    if start and word_of(words[start]) == "BY":
        start += 1
    if not start or words[start].token_type is not TokenType.L_PAREN:
        return []
    inner = words[start + 1 : _closed(words, start) - 1]
    places = [n for n, token in enumerate(inner) if token.token_type is TokenType.COMMA]
    places = [n for n in places if sum(map(_opens, inner[:n])) == 0]
    found = []
    for begin, end in zip([0, *[n + 1 for n in places]], [*places, len(inner)], strict=True):
        value = inner[begin:end]
        named = len(value) > 1 and value[-1].token_type is not TokenType.R_PAREN
        named = named and value[-2].token_type is not TokenType.DOT
        rest = value[:-1] if named else value
        found.append((rest[:-1] if named and word_of(rest[-1]) == "AS" else rest, value[-1:]))
    return found


def _separated(several: Sequence[Words], mark: Words) -> Words:
    return [token for number, one in enumerate(several) for token in ([*mark, *one] if number else one)]


CELL = "MODEL_CELL"
"""The function that stands for any cell of a MODEL."""
CELLS = frozenset(("PARTITION BY", "DIMENSION", "IGNORE", "KEEP", "UNIQUE", "RETURN", "REFERENCE", "MAIN"))


# -- others ------------------------------------------------------------------------------------------------------------


def _assigned(words: Words) -> Words:
    """T-SQL's a += b is a = a + b."""
    if word_of(words[0]) not in ("UPDATE", "WITH", "MERGE"):
        return words
    found: Words = []
    for at, token in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else None
        if token.token_type in COMPUTING and after is not None and after.token_type is TokenType.EQ:
            found += [after, *_name_before(found), token]
        elif not (token.token_type is TokenType.EQ and at and words[at - 1].token_type in COMPUTING):
            found.append(token)
    return found


COMPUTING = frozenset((TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH))


def _name_before(words: Words) -> Words:
    start = len(words)
    while start > 1 and words[start - 2].token_type is TokenType.DOT:
        start -= 2
    return words[start - 1 :]


def _bulk(words: Words) -> Words:
    """OPENROWSET(BULK 'file', ...) is the file."""
    said = _spoken(words)
    at = said.index("OPENROWSET") if "OPENROWSET" in said else 0
    if not at or at + 3 >= len(words) or said[at + 2] != "BULK":
        return words
    file = words[at + 3]
    name = Token(TokenType.IDENTIFIER, file.text, line=file.line, col=file.col, start=file.start, end=file.end)
    return [*words[:at], name, *words[_closed(words, at + 1) :]]


def _unhinted(words: Words) -> Words:
    """INSERT INTO t WITH (TABLOCK) (a) ...: how a table is locked says nothing of its rows."""
    at = _top(words, {"WITH"})
    hint = at + 1 < len(words) and words[at + 1].token_type is TokenType.L_PAREN
    return [*words[:at], *words[_closed(words, at + 1) :]] if word_of(words[0]) == "INSERT" and hint else words


def _executed(words: Words) -> Words:
    """Of INSERT ... EXEC proc nobody knows here which rows the procedure gives."""
    return words[: _top(words, {"EXEC", "EXECUTE"})] if word_of(words[0]) == "INSERT" else words


def _without_defaults(words: Words) -> Words:
    """The := value of a macro's argument is what it is where nobody gives it."""
    if "MACRO" not in _spoken(words[:6]):
        return words
    marks = {at for at, token in enumerate(words) if token.token_type is TokenType.COLON_EQ}
    return [token for at, token in enumerate(words) if at not in marks and at - 1 not in marks]


def _mutated(words: Words) -> Words:
    """ClickHouse's ALTER TABLE t UPDATE a = 1 WHERE ... and ALTER TABLE t DELETE WHERE ..."""
    at = _top(words, {"UPDATE", "DELETE"})
    if _spoken(words[:2]) != ["ALTER", "TABLE"] or at == len(words):
        return words
    if word_of(words[at]) == "DELETE":
        return [*made_words(words[0], "DELETE FROM"), *words[2:at], *words[at + 1 :]]
    return [*made_words(words[0], "UPDATE"), *words[2:at], *made_words(words[at], "SET"), *words[at + 1 :]]


def _without_snapshot(words: Words) -> Words:
    """BigQuery's CREATE SNAPSHOT TABLE s CLONE t."""
    return [words[0], *words[2:]] if _spoken(words[:3]) == ["CREATE", "SNAPSHOT", "TABLE"] else words


def _without_outfile(words: Words) -> Words:
    """MySQL's SELECT ... INTO OUTFILE."""
    at = next(
        (n for n in _tops(words, {"INTO"}) if _spoken(words[n + 1 : n + 2])[:1] in (["OUTFILE"], ["DUMPFILE"])), 0
    )
    return words[:at] if at else words


def _infile(words: Words) -> Words:
    """MySQL's LOAD DATA [LOCAL] INFILE 'f' INTO TABLE t ... is Hive's, without what it says of the file."""
    said = _spoken(words)
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


def _plain_clone(words: Words) -> Words:
    """CREATE TABLE t DEEP CLONE s; INSERT OVERWRITE DIRECTORY 'd' USING parquet SELECT ..."""
    said = _spoken(words)
    if "DIRECTORY" in said[:4] and "USING" in said[:8]:
        at = said.index("USING")
        return [*words[:at], *words[at + 2 :]]
    return [token for at, token in enumerate(words) if not (said[at] == "DEEP" and said[at + 1 : at + 2] == ["CLONE"])]


def _deduplicated(words: Words) -> Words:
    """Redshift's MERGE ... REMOVE DUPLICATES changes rows that match and adds the others."""
    if word_of(words[0]) != "MERGE" or _spoken(words[-2:]) != ["REMOVE", "DUPLICATES"]:
        return words
    both = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    return [*words[:-2], *made_words(words[-1], both)]


def _without_virtual(words: Sequence[Any]) -> Words:
    """VIRTUAL behind the formula of a column says that its values are not stored."""
    return [
        token
        for at, token in enumerate(words)
        if not (word_of(token) == "VIRTUAL" and at and words[at - 1].token_type is TokenType.R_PAREN)
    ]


CHANGES = frozenset(("INSERT", "UPDATE", "DELETE", "MERGE", "WITH"))
BEHIND = frozenset(("WHERE", "FROM", "VALUES", "SELECT", "EXEC", "EXECUTE", "DEFAULT", "OPTION", "OUTPUT", "WITH"))


def _without_output(words: Words) -> tuple[Words, list[Words]]:
    """A T-SQL change without its OUTPUTs, and these as statements of their own."""
    kept: Words = []
    outputs: list[Words] = []
    at = depth = 0
    while at < len(words):
        depth += _opens(words[at])
        if depth or word_of(words[at]) != "OUTPUT":
            kept.append(words[at])
            at += 1
            continue
        end = _top(words, BEHIND, at + 1)
        into = _top(words[:end], {"INTO"}, at + 1)
        # OUTPUT inserted.x INTO log (y) is INSERT INTO log (y) SELECT inserted.x.
        given = [*made_words(words[at], "SELECT"), *words[at + 1 : into]]
        outputs.append([*made_words(words[at], "INSERT"), *words[into:end], *given] if into < end else given)
        at = end
    return kept, outputs


Rewriting = Callable[[Words], Words]
REWRITTEN: Mapping[str, Sequence[Rewriting]] = {
    "teradata": (_unlocked, _without_phrases, _without_normalize, _without_reset, _updating),
    "oracle": (_branching, _through, _modelled),
    "bigquery": (_without_snapshot,),
    "clickhouse": (_mutated,),
    "duckdb": (_without_defaults,),
    "mysql": (_without_outfile, _infile),
    **dict.fromkeys(("spark", "databricks"), (_plain_clone,)),
    "redshift": (_deduplicated,),
    **dict.fromkeys(TRANSACT, (_assigned, _bulk, _unhinted, _executed)),
}
