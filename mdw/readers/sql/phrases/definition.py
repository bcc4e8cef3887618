"""The words of CREATE TABLE -> what an INSERT that leaves a column out may write, and whether all are known (Q32).

    CREATE TABLE t (id INT IDENTITY(1, 1), q INT, state d_state) ON [PRIMARY]     whole: ID is counted, Q is NULL, STATE
                                                                                  what the domain has by default
    CREATE TABLE t (id INT NOT NULL FLUXED BY (3), q INT)                         not whole: of Q nobody knows either

sqlglot tells what the words mean that it knows, and others are left out for it. Here each word is accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from mdw.model.fixed import fixed
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.phrases import clauses
from mdw.readers.sql.phrases.built_in import SERIAL, built_in
from mdw.readers.sql.phrases.clauses import brackets, compiled
from mdw.readers.sql.phrases.levels import Level, items_of
from mdw.readers.sql.phrases.patterns import NAME, TYPE, pattern
from mdw.readers.sql.phrases.words import Words, closed, spoken, top
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of

LEFT_OUT, NULLS = "what is left out", "NULL"
"""What a database may fill by itself: a column that is left out, or NULL as well where it is written."""
COLUMN = rf"(?P<name>{NAME})(?:(?! {clauses.BEGIN}){TYPE})?(?P<clauses>(?:{clauses.COLUMN_CLAUSE})*)"
LOOSE = (
    rf"(?P<name>{NAME})(?P<type>(?: (?!{clauses.BEGIN})[A-Z_]\w*)*)(?: \((?P<of>\w*n\w*)\))?"
    rf"(?P<clauses>(?:{clauses.COLUMN_CLAUSE})*)"
)
"""SQLite takes any words for a type."""
ITEM = f"{clauses.ITEM}(?:{clauses.RULED})*"
TAIL = f"(?:{clauses.OF_TABLE}|{clauses.KEPT})*"
COPIED = pattern("(LIKE|CLONE|AS)( TABLE)?{P}( (INCLUDING|EXCLUDING) {N})*( WITH NO DATA)?")
ALIKE = f"{clauses.HEAD}(?:{pattern('{k}')}|{COPIED})"
COUNTED = f"{clauses.COUNTED}|{clauses.NUMBERED}"


@fixed
class DefinedColumn:
    """A column by its name, a token, with the SQL of its default. For ``fills`` see `AttributeEntry`.

    ``keyed``: it is of the primary key, ``alone`` and in no other order; ``renewed``: each change of the row writes it.
    """

    name: Any
    type: str = ""
    identity: bool = False
    required: bool = False
    keyed: bool = False
    alone: bool = True
    fills: str = ""
    default: str = ""
    renewed: bool = False


@fixed
class DefinedTable:
    """The columns that were understood; ``whole``: so was every word besides."""

    columns: tuple[DefinedColumn, ...]
    whole: bool


def table_definition(piece: ScriptPiece, dialect: str) -> DefinedTable | None:
    """What CREATE TABLE with a list of columns says; None of anything else."""
    words = piece.tokens
    opened = next((at for at, one in enumerate(words) if one.token_type is TokenType.L_PAREN), 0)
    if not opened or word_of(words[0]) != "CREATE" or "TABLE" not in spoken(words[:opened]):
        return None
    behind = closed(words, opened)
    items = items_of(words[opened + 1 : behind - 1])
    rules = [item for item in items if is_rule(item)]
    found = [column_definition(item, piece.text, dialect) for item in items if not is_rule(item)]
    columns = [one for one in found if one is not None]
    columns = _with_keys(columns, rules)
    tail = _text(words[behind:])
    columns += [one for one in _parting(words[behind:], piece.text, dialect) if one is not None]
    whole = None not in found and all(compiled(ITEM).fullmatch(_text(one)) for one in rules)
    whole = whole and bool(compiled(clauses.HEAD).fullmatch(_text(words[:opened])) and compiled(TAIL).fullmatch(tail))
    if dialect == "sqlite" and " WITHOUT ROWID" not in tail:
        columns = _with_row_number(columns)
    return DefinedTable(tuple(columns), whole)


def _parting(tail: Sequence[Any], text: str, dialect: str) -> Iterator[DefinedColumn | None]:
    """The columns by which Hive parts a table, which it tells apart from the others."""
    at = top(tail, {"PARTITIONED BY"})
    if at + 1 < len(tail):
        inner = items_of(tail[at + 2 : closed(tail, at + 1) - 1])
        yield from (column_definition(item, text, dialect) for item in inner if len(item) > 1)


def alike(piece: ScriptPiece) -> bool:
    """Whether each word is known of a CREATE TABLE that takes the columns of another table."""
    said = _text(piece.tokens)
    match = compiled(ALIKE).match(said)
    return match is not None and compiled(TAIL).fullmatch(said, match.end()) is not None


def column_definition(item: Words, text: str, dialect: str, *, typed: bool = True) -> DefinedColumn | None:
    """What the definition of a column says, in a text; None where a word of it is not known, or it should be typed."""
    level = Level(item, brackets())
    match = compiled(LOOSE if dialect == "sqlite" else COLUMN).fullmatch(level.text)
    if match is None:
        return None
    said, types = match["clauses"], SYSTEM.sub("", match["type"] or "").split()
    first = types[0].lstrip('"') if types else ""
    if match["of"] is not None and not set(KINDS_OF.get(first, "n")) & set(match["of"]):
        return None
    if dialect in TRANSACT:
        types = [one.lstrip('"') for one in types]
    identity = bool(compiled(COUNTED).search(said)) or (len(types) == 1 and types[0] in SERIAL)
    given = compiled(clauses.DEFAULT).search(said)
    default = ""
    if given is not None:
        start = match.start("clauses")
        some = level.words(start + given.start("value"), start + given.end())
        default = text[some[0].start : some[-1].end + 1]
    fills = _fills(types, match["of"] or "", said, dialect, counted=identity)
    if dialect == "clickhouse" and fills and types and not default and not compiled(clauses.FORMULA).search(said):
        default = zero_of(types[0])
    # A formula has a type of the database's own, or none.
    if types and fills == LEFT_OUT and compiled(clauses.FORMULA).search(said) and " AS ROW " not in said:
        return None
    if typed and not types and dialect != "sqlite" and not compiled(f"{clauses.FORMULA}|{COUNTED}").search(said):
        return None
    counts = "PRIMARY KEY DESC" not in said
    required, keyed, renewed = " NOT NULL" in said, " PRIMARY KEY" in said, RENEWED.search(said) is not None
    return DefinedColumn(item[0], " ".join(types), identity, required, keyed, counts, fills, default, renewed)


RENEWED = re.compile(r" ON UPDATE (?!(?:CASCADE|RESTRICT|NO ACTION|SET NULL|SET DEFAULT)\b)")
"""MySQL's ON UPDATE CURRENT_TIMESTAMP, which is no rule of a reference."""


KINDS_OF = {
    **dict.fromkeys(("STRUCT", "TUPLE", "NESTED", "ROW", "UNION", "OBJECT"), "f"),
    **dict.fromkeys(
        ("ARRAY", "MAP", "LIST", "NULLABLE", "LOWCARDINALITY", "VARIANT", "RANGE", "PERIOD", "VECTOR"), "t"
    ),
    **dict.fromkeys(("AGGREGATEFUNCTION", "SIMPLEAGGREGATEFUNCTION", "UNIONTYPE"), "t"),
    **dict.fromkeys(("ENUM", "SET", "ENUM8", "ENUM16", "DATETIME", "DATETIME64", "GEOMETRY", "GEOGRAPHY", "JSON"), "t"),
}
"""What types have in parentheses that is not numbers."""
SYSTEM = re.compile(r'^ "?(?:PG_CATALOG|SYS) \.')
ZERO = dict.fromkeys(("INT", "UINT", "FLOAT", "DECIMAL", "TINYINT", "SMALLINT", "BIGINT"), "0") | dict.fromkeys(
    ("STRING", "VARCHAR", "TEXT"), "''"
)
"""What ClickHouse writes instead of NULL where a type is not Nullable."""


def zero_of(type_: str) -> str:
    """What ClickHouse writes into columns of a type that is not Nullable, as SQL; "" where that is not as simple."""
    return next((zero for kind, zero in ZERO.items() if type_.startswith(kind)), "")


def _fills(types: Sequence[str], of: str, said: str, dialect: str, *, counted: bool) -> str:
    """What the database fills by itself, by the type of a column and its clauses."""
    first = types[0] if types else ""
    nullable = re.search(r"(?<! NOT) NULL\b", said) is not None
    if dialect == "clickhouse":
        return "" if nullable or first in NULLABLE or "z" in of else NULLS
    if (
        " ON NULL" in said
        or (dialect == "sqlite" and " NOT NULL ON CONFLICT REPLACE" in said)
        or (dialect in TRANSACT and first in ("ROWVERSION", "TIMESTAMP"))
        or (dialect in ("mysql", "teradata") and counted)
        or (dialect == "mysql" and first == "TIMESTAMP" and not nullable)
    ):
        return NULLS
    # Of a type in several words the first is known, as of CHARACTER VARYING; a path is a name of somebody's own.
    own = first in built_in(dialect) and "." not in types
    if compiled(clauses.FORMULA).search(said) and (own or not types):
        return LEFT_OUT if " AS ROW " in said else ""
    return "" if dialect == "sqlite" or own or EXTENSION.fullmatch(" ".join(types)) else LEFT_OUT


def filled_type(type_: str, dialect: str, *, counted: bool, nullable: bool) -> str:
    """The same of a column of which its type is told as a text.

    >>> filled_type("timestamp", "mysql", counted=False, nullable=False)
    'NULL'
    >>> filled_type("d_state", "postgres", counted=False, nullable=True)
    'what is left out'
    """
    said = " NULL" if nullable else " NOT NULL"
    return _fills(type_.upper().partition("(")[0].split(), "z" * nullable, said, dialect, counted=counted)


NULLABLE = frozenset(("NULLABLE", "VARIANT", "DYNAMIC"))
EXTENSION = re.compile(r'"CHAR|PUBLIC \. (?:CITEXT|HSTORE|LTREE|GEOMETRY|GEOGRAPHY|VECTOR)')
"""Types of PostgreSQL's extensions, which are no domains."""


def _with_keys(columns: Collection[DefinedColumn], rules: Collection[Words]) -> list[DefinedColumn]:
    """The columns of the primary key, where a rule of the table tells it, are known as such."""
    keys = [item[at + 1 :] for item in rules for at, one in enumerate(item) if word_of(one) == "PRIMARY KEY"]
    several = [{str(part[0].text).upper() for part in items_of(_inside(key)) if part} for key in keys]
    names = set[str]().union(*several)
    return [replace(one, keyed=True, alone=len(names) == 1) if _own(one) in names else one for one in columns]


def _inside(words: Words) -> Words:
    opened = next((at for at, one in enumerate(words) if one.token_type is TokenType.L_PAREN), len(words))
    return words[opened + 1 : closed(words, opened) - 1] if opened < len(words) else []


def _own(one: DefinedColumn) -> str:
    return str(one.name.text).upper()


def _with_row_number(columns: Collection[DefinedColumn]) -> list[DefinedColumn]:
    """SQLite's INTEGER PRIMARY KEY is the number of the row, which is counted where nobody gives it."""
    return [
        replace(one, identity=True, fills=NULLS) if one.type == "INTEGER" and one.keyed and one.alone else one
        for one in columns
    ]


def is_rule(item: Words) -> bool:
    """Whether an item of a list of columns says a rule of the table; a column may be called KEY or INDEX."""
    said = word_of(item[0]) if item else ""
    return said in RULES and (said not in NAMES_TOO or compiled(ITEM).fullmatch(_text(item)) is not None)


NAMES_TOO = frozenset(("KEY", "INDEX", "PERIOD", "FULLTEXT", "SPATIAL"))
RULES = NAMES_TOO | frozenset(("CONSTRAINT", "PRIMARY KEY", "UNIQUE", "FOREIGN KEY", "CHECK", "EXCLUDE"))


def _text(words: Sequence[Any]) -> str:
    return Level(words, brackets()).text
