"""JSON_TABLE and XMLTABLE with what says which columns they give, and of what; how each is found is no matter here.

XMLTABLE('$d/r' PASSING s.doc AS "d" COLUMNS a INT PATH '@a' DEFAULT 0)       ... PASSING s.doc COLUMNS a TEXT)
JSON_TABLE(s.doc, '$[*]' COLUMNS (a INT PATH '$.a' NULL ON EMPTY,             JSON_TABLE(s.doc, '$[*]' COLUMNS (
    NESTED PATH '$.c[*]' COLUMNS (b INT PATH '$.b')))                             a TEXT PATH '$', b TEXT PATH '$'))
JSON_TABLE(s.doc, '$' PASSING s.p AS q COLUMNS (a INT DEFAULT s.d ON EMPTY))  JSON_TABLE("`told`"(s.doc, s.p,
                                                                                  "`default`"(a, (s.d))), '$' ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mdw.readers.sql.phrases.words import (
    Words,
    bracketed,
    closed,
    made_words,
    parted,
    separated,
    spoken,
    top,
    tops,
    word_in_place,
)
from mdw.readers.sql.pieces import TokenType, word_of

TOLD = "`told`"
"""What a document is given as with what else is told of it: what is passed, and the defaults of columns."""
DEFAULT = "`default`"
"""A column of JSON_TABLE and a value that it has where the document has none."""


def plain_tables(words: Words) -> Words:
    """All of them in a statement."""
    found: Words = []
    at = 0
    while at < len(words):
        plain = PLAIN.get(word_of(words[at]))
        if plain is None or at + 1 >= len(words) or words[at + 1].token_type is not TokenType.L_PAREN:
            found.append(words[at])
            at += 1
            continue
        end = closed(words, at + 1)
        inner = plain_tables(words[at + 2 : end - 1])
        given, name = _with_passed(inner), GIVEN.get(word_of(words[at]))
        if given is None or name is None:
            given = plain(inner)
            name = RENAMED.get(word_of(words[at])) if given is not None else None
        lead = made_words(words[at], name) if name else [words[at]]
        found += [*lead, words[at + 1], *(given or inner), words[end - 1]]
        at = end
    return found


def _of_json(words: Words) -> Words | None:
    columns = top(words, {"COLUMNS"})
    if columns == len(words):
        return None
    comma = top(words[:columns], {","})
    document = _without_steps(words[: min(comma, top(words, {"FORMAT"}), columns)])
    path = words[comma : comma + 2] if comma + 1 < columns else []
    path = path if path and path[1].token_type is TokenType.STRING else []
    items = list(_columns(_listed(words, columns + 1)))
    comma_here, behind = made_words(words[columns], ","), made_words(words[columns], "TEXT PATH '$'")
    listed = separated([[*item[:1], *behind] for item in items], comma_here)
    passing = top(words[:columns], {"PASSING"})
    more = [_passed(item) for item in _items(words[passing + 1 : columns])]
    more += [
        _function(DEFAULT, [item[:1], bracketed(given, item[0])], item[0])
        for item in items
        for given in _defaults(item)
    ]
    if more:
        document = _function(TOLD, [document, *more], words[columns])
    return [*document, *path, words[columns], *bracketed(listed, words[columns])]


def _function(name: str, given: list[Words], token: Any) -> Words:
    called = word_in_place(token, TokenType.VAR, name)
    return [called, *bracketed(separated(given, made_words(token, ",")), token)]


def _defaults(item: Words) -> Iterator[Words]:
    """What a column has where the document has none: DEFAULT s.d ON EMPTY DEFAULT s.e ON ERROR."""
    for at in tops(item, {"DEFAULT"}, 1):
        given = item[at + 1 : top(item, {"ON", "DEFAULT", "NOT"}, at + 1)]
        if given:
            yield given


def _without_steps(words: Words) -> Words:
    """Oracle's doc.items[*] is a path of plain names here."""
    opened = next((at for at, token in enumerate(words) if token.token_type is TokenType.L_BRACKET), len(words))
    return words[:opened]


def _listed(words: Words, at: int) -> Words:
    """What COLUMNS lists, in brackets or not."""
    bracketed = at < len(words) and words[at].token_type is TokenType.L_PAREN
    return words[at + 1 : closed(words, at) - 1] if bracketed else words[at:]


def _items(words: Words) -> Iterator[Words]:
    return filter(None, parted(words))


def _columns(words: Words) -> Iterator[Words]:
    """What is said of each column, of those of what is nested too; its name stands first."""
    for item in _items(words):
        inner = top(item, {"COLUMNS"})
        if word_of(item[0]) == "NESTED" and inner < len(item):
            yield from _columns(_listed(item, inner + 1))
        else:
            yield item


def _of_xml(words: Words) -> Words | None:
    path = next((at for at in range(len(words)) if words[at].token_type is TokenType.STRING), len(words))
    if word_of(words[0]) == "XMLNAMESPACES":
        path = next((at + 1 for at in tops(words, {","}) if at + 1 < len(words)), len(words))
    if path == len(words):
        return None
    passing, columns = top(words, {"PASSING"}), top(words, {"COLUMNS"})
    given = words[passing + 1 : min(columns, top(words, {"RETURNING"}))]
    found = [words[path]]
    if given:
        found += [words[passing], *separated(list(map(_passed, _items(given))), made_words(words[passing], ","))]
    if columns < len(words):
        behind = made_words(words[columns], "TEXT")
        default = made_words(words[columns], "DEFAULT")
        listed = []
        for item in _items(words[columns + 1 :]):
            given = next(_defaults(item), [])
            listed.append([*item[:1], *behind, *(default + bracketed(given, item[0]) if given else [])])
        found += [words[columns], *separated(listed, made_words(words[columns], ","))]
    return found


def _passed(item: Words) -> Words:
    """BY REF x AS "d" passes x."""
    start = 2 * (spoken(item[:2]) in (["BY", "REF"], ["BY", "VALUE"]))
    return item[start : top(item, {"AS"})]


def _asked(words: Words) -> Words | None:
    """JSON_QUERY(s.doc, '$.a' RETURNING CLOB WITH WRAPPER NULL ON ERROR) is a function of the first two."""
    comma = top(words, {","})
    if comma + 1 >= len(words) or words[comma + 1].token_type is not TokenType.STRING:
        return None
    return [*words[: min(comma, top(words, {"FORMAT"}))], *words[comma : comma + 2]]


def _with_passed(words: Words) -> Words | None:
    """JSON_VALUE(s.doc, '$.a' PASSING s.x AS v DEFAULT s.d ON EMPTY) is a function of all four; else None."""
    passing = top(words, {"PASSING"})
    if passing == len(words):
        return None
    end = top(words, BEHIND_PASSED, passing)
    passed = [_passed(item) for item in _items(words[passing + 1 : end])]
    return separated([words[:passing], *passed, *_defaults(words)], made_words(words[0], ","))


BEHIND_PASSED = frozenset(("RETURNING", "DEFAULT", "NULL", "ERROR", "EMPTY", "WITH", "WITHOUT", "KEEP", "OMIT"))
GIVEN = {"JSON_VALUE": "JSON_VALUED", "JSON_QUERY": "JSON_QUERIED"}
"""Functions that take a value out of a document by a path that may name other values, and what is read for them."""


def _without_nulls(words: Words) -> Words | None:
    """JSON_ARRAY(a, b FORMAT JSON ABSENT ON NULL RETURNING CLOB) is a function of what it is given."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 3])
        if said[1:] == ["ON", "NULL"] and said[0] in ("NULL", "ABSENT"):
            at += 3
        elif said[:2] == ["FORMAT", "JSON"] or said[:2] == ["WITH", "UNIQUE"]:
            at += 2 + (said[2:] == ["KEYS"])
        elif said[:1] == ["RETURNING"] or (said[:1] == ["STRICT"] and at + 1 == len(words)):
            break
        else:
            found.append(words[at])
            at += 1
    return found


def _members(words: Words) -> Words | None:
    """JSON_OBJECT(KEY 'a' VALUE x, 'b' : y) is a function of names and values."""
    given: list[Words] = []
    for item in _items(_without_nulls(words) or []):
        start = int(word_of(item[0]) == "KEY" and len(item) > 1)
        at = next(iter(tops(item, {"VALUE", "IS", ":"}, start + 1)), len(item))
        given += [part for part in (item[start:at], item[at + 1 :]) if part]
    if len(given) % 2:
        # A name alone is a column, which is called so: the parser wants both.
        given.append(made_words(words[0], "NULL"))
    return separated(given, made_words(words[0], ",")) if words else None


def _tested(words: Words) -> Words | None:
    """JSON_EXISTS(x, '$.a' PASSING y AS v ERROR ON ERROR) is a function of x, the path and y."""
    passing = top(words, {"PASSING"})
    given = words[passing + 1 : top(words, {"ERROR", "TRUE", "FALSE", "UNKNOWN"}, passing)]
    items = [_passed(item) for item in _items(given)]
    lead = words[: top(words, {"PASSING", "ERROR", "TRUE", "FALSE", "UNKNOWN"})]
    return separated([lead, *items], made_words(words[0], ",")) if lead else None


def _parsed(words: Words) -> Words | None:
    """XMLPARSE(DOCUMENT x WELLFORMED), XMLROOT(x, VERSION '1.0') and XMLPI(NAME "a", x) are functions of x."""
    if words and word_of(words[0]) == "NAME":
        return words[top(words, {","}) + 1 :]
    start = int(word_of(words[0]) in ("CONTENT", "DOCUMENT")) if words else 0
    return words[start : top(words, {"WELLFORMED", "PRESERVE", "STRIP"})]


def _of_root(words: Words) -> Words | None:
    return words[: top(words, {","})]


def _transformed(words: Words) -> Words | None:
    """JSON_TRANSFORM(x, SET '$.a' = y, REMOVE '$.b') is a function of x and y."""
    items = list(_items(words))
    values = [item[at + 1 :] for item in items[1:] if (at := top(item, {"="})) < len(item) - 1]
    kept = [item[: top(item, {"IGNORE", "ERROR", "CREATE", "REPLACE", "NULL"}, 1)] for item in values]
    return separated([items[0], *kept], made_words(words[0], ",")) if items else None


def _converted(words: Words) -> Words | None:
    """PARSE(x AS DATE USING 'de') and TRANSLATE(x USING NCHAR_CS) are functions of x."""
    if not tops(words, {"USING"}):
        return None
    return words[: top(words, {"AS", "USING"})]


def _predicted(words: Words) -> Words | None:
    """PREDICTION(m USING x AS a, y) is a function of x and y."""
    using = top(words, {"USING"})
    items = [item[: top(item, {"AS"})] for item in _items(words[using + 1 :])]
    return separated(items, made_words(words[0], ",")) if items else None


def _serialized(words: Words) -> Words | None:
    """XMLSERIALIZE(CONTENT s.doc AS CLOB(1M) INDENT) is a function of the document."""
    start = word_of(words[0]) in ("CONTENT", "DOCUMENT") if words else 0
    return words[start : top(words, {"AS"})]


PLAIN: dict[str, Callable[[Words], Words | None]] = {
    "JSON_TABLE": _of_json,
    "XMLTABLE": _of_xml,
    "JSON_QUERY": _asked,
    "JSON_VALUE": lambda _: None,
    "XMLSERIALIZE": _serialized,
    "XMLPARSE": _parsed,
    "XMLPI": _parsed,
    "XMLROOT": _of_root,
    "JSON_ARRAY": _without_nulls,
    "JSON_ARRAYAGG": _without_nulls,
    "JSON_OBJECTAGG": _members,
    "JSON_OBJECT": _members,
    "JSON_EXISTS": _tested,
    "JSON_TRANSFORM": _transformed,
    "PARSE": _converted,
    "TRY_PARSE": _converted,
    "TRANSLATE": _converted,
    **dict.fromkeys(
        (
            "PREDICTION",
            "PREDICTION_PROBABILITY",
            "PREDICTION_SET",
            "CLUSTER_ID",
            "CLUSTER_PROBABILITY",
            "FEATURE_VALUE",
        ),
        _predicted,
    ),
}


RENAMED = {"JSON_EXISTS": "JSON_HAS", "TRANSLATE": "TRANSLATED"}
"""Functions of which the parser knows only other forms."""


def without_names(words: Words) -> Words:
    """XMLQUERY('$d/a' PASSING s.doc AS "d" RETURNING CONTENT): what is passed has a name within the path alone."""
    found: Words = []
    at = 0
    while at < len(words):
        if word_of(words[at]) in PASSED and at + 1 < len(words) and words[at + 1].token_type is TokenType.L_PAREN:
            end = closed(words, at + 1)
            inner = without_names(words[at + 2 : end - 1])
            passing = top(inner, {"PASSING"})
            given = inner[passing + 1 : top(inner, {"RETURNING"}, passing)]
            parts = [inner[:passing], *map(_passed, _items(given))] if given else [inner]
            found += [*words[at : at + 2], *separated(parts, made_words(words[at], ",")), words[end - 1]]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


PASSED = frozenset(("XMLQUERY", "XMLEXISTS"))
