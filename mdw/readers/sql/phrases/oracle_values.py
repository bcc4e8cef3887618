"""What only Oracle says of values: cells of a model, parts of documents, tests of types, what statements tell.

SELECT v FROM s MODEL PARTITION BY (c) ...               SELECT v FROM (SELECT MODEL_CELL(v) OVER (PARTITION BY c) ...)
a MEMBER OF b, x IS OF (ONLY t), EXTRACT(x, '/a')        a = ANY (b), x = TYPE_OF(), XML_EXTRACT(x, '/a')
a ** b, x LIKEC y, :1                                    a ^ b, x LIKE y, :b1
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    closed,
    made_words,
    opens,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

CELL = "MODEL_CELL"
"""The function that stands for any cell of a MODEL."""

CELLS = frozenset(("PARTITION BY", "DIMENSION", "IGNORE", "KEEP", "UNIQUE", "RETURN", "REFERENCE", "MAIN"))


def modelled(words: Words) -> Words:
    """MODEL gives values of other rows of the partition, which nothing but PARTITION BY tells.

    SELECT c, y, v FROM s MODEL PARTITION BY (c) DIMENSION BY (y) MEASURES (v, w) RULES (...)      is read as
    SELECT c, y, v FROM (SELECT c AS c, MODEL_CELL(y) OVER (PARTITION BY c) AS y, ... FROM s)
    """
    at = next((n for n in tops(words[:-1], {"MODEL"}) if word_of(words[n + 1]) in CELLS), len(words))
    if at == len(words):
        return words
    start = max(tops(words[:at], {"SELECT"}), default=at)
    begins = top(words[:at], {"FROM"}, start)
    # What a reference model brings in is of tables of its own: that is left to the parser to refuse.
    if begins >= at or "REFERENCE" in spoken(words[at:]):
        return words
    # Any row of the partition may give any of these its value, so each is a window function over the partition.
    keys, places, cells = (_listed(words, at, name) for name in ("PARTITION BY", "DIMENSION", "MEASURES"))
    comma = made_words(words[at], ",")
    # Rules name the measures they take values of, and what stands at the side by CV().
    said = spoken(words[closed(words, top(words, {"MEASURES"}, at) + 1) :])
    taken = [value for value, name in cells if said.count(word_of(name[0]))]
    taken += [value for value, _ in places] if {"CV", "CURRENTV"} & set(said) else []
    own = [[*value, *made_words(words[at], "AS"), *name] for value, name in keys]
    by = [*made_words(words[at], "PARTITION BY"), *separated([value for value, _ in keys], comma)] if keys else []
    for value, name in [*places, *cells]:
        others = [one for one in taken if one != value and (value, name) in cells]
        given = separated([value, *others], comma)
        own.append([*made_words(words[at], f"{CELL} ("), *given, *made_words(words[at], ") OVER ("), *by])
        own[-1] += [*made_words(words[at], ") AS"), *name]
    query = [
        *made_words(words[at], "( SELECT"),
        *separated(own, comma),
        *words[begins:at],
        *made_words(words[at], ")"),
    ]
    last = next(iter(tops(words, {"UNION", "ORDER BY", "MINUS", "INTERSECT"}, at)), len(words))
    return [*words[: begins + 1], *query, *words[last:]]


def _listed(words: Words, at: int, name: str) -> list[tuple[Words, Words]]:
    """The values that a part of MODEL lists, each with its name."""
    start = next((n + 1 for n in tops(words, {name}, at)), 0)
    if start and word_of(words[start]) == "BY":
        start += 1
    if not start or words[start].token_type is not TokenType.L_PAREN:
        return []
    inner = words[start + 1 : closed(words, start) - 1]
    places = [n for n, token in enumerate(inner) if token.token_type is TokenType.COMMA]
    places = [n for n in places if sum(map(opens, inner[:n])) == 0]
    found = []
    for begin, end in zip([0, *[n + 1 for n in places]], [*places, len(inner)], strict=True):
        value = inner[begin:end]
        named = len(value) > 1 and value[-1].token_type is not TokenType.R_PAREN
        named = named and value[-2].token_type is not TokenType.DOT
        rest = value[:-1] if named else value
        found.append((rest[:-1] if named and word_of(rest[-1]) == "AS" else rest, value[-1:]))
    return found


def extracted(words: Words) -> Words:
    """EXTRACT(x, '/a') takes a part of a document; EXTRACT(YEAR FROM d) one of a date."""
    found: Words = []
    for at, token in enumerate(words):
        path = word_of(token) == "EXTRACT" and at + 1 < len(words) and opens(words[at + 1]) == 1
        path = path and len(parted(words[at + 2 : closed(words, at + 1) - 1])) > 1
        found += made_words(token, "XML_EXTRACT") if path else [token]
    return found


def member(words: Words) -> Words:
    """a MEMBER OF b is a = ANY (b)."""
    found: Words = []
    at = 0
    while at < len(words):
        if word_of(words[at]) != "MEMBER" or not found or at + 2 >= len(words):
            found.append(words[at])
            at += 1
            continue
        start = at + 1 + (word_of(words[at + 1]) == "OF")
        end = behind_name(words, start)
        if end < len(words) and words[end].token_type is TokenType.L_PAREN:
            end = closed(words, end)
        negated = word_of(found[-1]) == "NOT"
        found = found[:-1] if negated else found
        test = made_words(words[at], "<> ALL (" if negated else "= ANY (")
        found += [*test, *words[start:end], *made_words(words[at], ")")]
        at = end
    return found


def computed(words: Words) -> Words:
    """a ** b, a MULTISET UNION DISTINCT b, x IS OF (ONLY t), x AT LOCAL: only the parts of them are known."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 4])
        if said[:2] == ["*", "*"] and words[at].end + 1 == words[at + 1].start and found:
            found += made_words(words[at], "^")
            at += 2
        elif said[:1] == ["MULTISET"] and said[1:2] and said[1] in ("UNION", "EXCEPT", "INTERSECT") and found:
            found += made_words(words[at], "||")
            at += 2 + (said[2:3] in (["ALL"], ["DISTINCT"]))
        elif said[:2] == ["AT", "LOCAL"]:
            at += 2
        elif said[:1] == ["SUBMULTISET"]:
            found += made_words(words[at], "= SUBMULTISET_OF() ||")
            at += 1 + (said[1:2] == ["OF"])
        elif said[:1] and said[0] in ("LIKEC", "LIKE2", "LIKE4"):
            found += made_words(words[at], "LIKE")
            at += 1
        elif said[:2] == ["IS", "JSON"] or said[:3] == ["IS", "NOT", "JSON"]:
            end = at + said.index("JSON") + 1
            found += words[at:end]
            at = _behind_json(words, end)
        elif (length := _type_test(said)) and words[at + length].token_type is TokenType.L_PAREN:
            found += made_words(words[at], "= TYPE_OF()")
            at = closed(words, at + length)
        else:
            found.append(words[at])
            at += 1
    return found


def _behind_json(words: Words, at: int) -> int:
    """Behind what IS JSON says of the form: STRICT, LAX, WITH UNIQUE KEYS."""
    while at < len(words) and word_of(words[at]) in ("STRICT", "LAX"):
        at += 1
    return at + 3 * (spoken(words[at + 1 : at + 3]) == ["UNIQUE", "KEYS"])


def numbered(words: Words) -> Words:
    """:1, a value that is bound by its number, is called :b1."""
    found: Words = []
    for at, token in enumerate(words):
        bound = at and words[at - 1].token_type is TokenType.COLON and token.token_type is TokenType.NUMBER
        found += made_words(token, f"b{token.text}") if bound else [token]
    return found


def _type_test(said: list[str]) -> int:
    """The words of IS [NOT] OF [TYPE] before its parenthesis."""
    length = 1 + (said[1:2] == ["NOT"])
    if said[:1] != ["IS"] or said[length : length + 1] != ["OF"]:
        return 0
    return length + 1 + (said[length + 1 : length + 2] == ["TYPE"]) if len(said) == 4 else 0


def told(words: Words) -> Words:
    """SQL%ROWCOUNT, c%FOUND and SQL%BULK_EXCEPTIONS(i).ERROR_CODE tell what a statement did: values of no table."""
    found: Words = []
    at = 0
    while at < len(words):
        word = word_of(words[at + 1]) if at + 1 < len(words) and word_of(words[at]) == "%" else ""
        if word not in TOLD or not found:
            found.append(words[at])
            at += 1
            continue
        found[-1:] = made_words(words[at], "SQLFOUND IS NOT NULL" if word in TRUTHS else "SQLROWCOUNT")
        at += 2
        if at < len(words) and words[at].token_type is TokenType.L_PAREN:
            at = closed(words, at)
        at += 2 * (at < len(words) and words[at].token_type is TokenType.DOT)
    return found


TRUTHS = frozenset(("FOUND", "NOTFOUND", "ISOPEN"))
TOLD = TRUTHS | {"ROWCOUNT", "BULK_ROWCOUNT", "BULK_EXCEPTIONS"}
