"""Statements that sqlglot takes for commands, and that move data or names all the same.

    ALTER TABLE t EXCHANGE PARTITION p WITH TABLE s      all of S goes to T, and some of T to S; the rest of T stays
    RENAME TABLE a TO b, c TO d                          two names move
    UNLOAD ('SELECT a FROM t') TO 's3://x'               the file has T.A

Of a command there is only its text, so patterns tell what it does.
"""

from __future__ import annotations

import re
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from mdw.readers.sql.alterations import renamed, swapped
from mdw.readers.sql.definitions import all_of, changing_places
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.pieces import uncommented
from mdw.readers.sql.queries import blocks_of
from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.telling import attribute_entry
from mdw.readers.sql.work import Work

DEFAULT = re.compile(r"(?is)\s*TABLE\s+(\S+)\s+ADD\s+(?:CONSTRAINT\s+\S+\s+)?DEFAULT\s+(.+?)\s+FOR\s+(\S+)\s*\Z")
BOTH = re.compile(r"(?is)\s*TABLE\s+(?P<to>\S+)\s+EXCHANGE\s+.*\bWITH\s+TABLE\s+(?P<of>[^\s;]+)")
ONE_WAY = frozenset(("hive", "spark", "databricks"))
MOVING = (
    BOTH,
    re.compile(r"(?is)\s*TABLE\s+(?P<of>\S+)\s+SWITCH\s+.*\bTO\s+(?P<to>[^\s;]+)"),
    re.compile(r"(?is)\s*TABLE\s+(?:ONLY\s+)?(?P<to>\S+)\s+ATTACH\s+PARTITION\s+(?P<of>\S+)\s+(?:FOR|DEFAULT)\b"),
    re.compile(r"(?is)\s*TABLE\s+(?P<of>\S+)\s+DETACH\s+PARTITION\s+\S+\s+INTO\s+(?:TABLE\s+)?(?P<to>[^\s;]+)"),
    re.compile(r"(?is)\s*TABLE\s+(?:ONLY\s+)?(?P<of>\S+)\s+INHERIT\s+(?P<to>[^\s;]+)"),
    # Db2's ATTACH PARTITION p STARTING FROM 1 ... FROM TABLE s, ClickHouse's ATTACH PARTITION p FROM s.
    re.compile(
        r"(?is)\s*TABLE\s+(?P<to>\S+)\s+(?:ATTACH|REPLACE)\s+PARTITION\s+.*\bFROM\s+(?:TABLE\s+)?(?P<of>[^\s;]+)"
    ),
    re.compile(r"(?is)\s*TABLE\s+(?P<of>\S+)\s+MOVE\s+PARTITION\s+.*\bTO\s+TABLE\s+(?P<to>[^\s;]+)"),
    # Db2's table of what rows were before they were changed.
    re.compile(r"(?is)\s*TABLE\s+(?P<of>\S+)\s+ADD\s+VERSIONING\s+USE\s+HISTORY\s+TABLE\s+(?P<to>[^\s;]+)"),
    re.compile(r"(?is)\s*TABLE\s+(?P<to>\S+)\s+APPEND\s+FROM\s+(?P<of>[^\s;]+)"),
)
"""ALTER TABLE by which all rows of one table become another's, or are seen in it."""
SWITCHED = re.compile(
    r"(?is)\s*(?:TABLE\b.*\b(?:DISABLE|ENABLE)\b.*\bTRIGGERS?\b|TRIGGER\b.*\b(?:DISABLE|ENABLE)\s*\Z)"
)
"""ALTER that turns triggers off or on: what follows from it is told where programs are followed."""
MODIFY = re.compile(r"(?is)\s*TABLE\s+(\S+)\s+MODIFY\s+(.+?)\s*\Z")
SEVERAL = re.compile(r"(?is)\s*TABLE\s+(?P<of>[^\s,]+(?:\s*,\s*[^\s,]+)+)\s+RENAME\s+TO\s+(?P<to>[^;]+)")
RENAME = re.compile(r"(?is)(\S+)\s+TO\s+([^\s,;]+)")
UNLOAD = re.compile(r"(?is)\s*\(\s*(?:'((?:[^'\\]|''|\\.)*)'|\$\$(.*)\$\$|((?:SELECT|WITH)\b.*))\s*\)\s*TO\s+'([^']*)'")
"""Redshift's with the query as a text, Athena's with the query itself."""


def command(one: exp.Command, work: Work) -> Outcome | None:
    """What a command does, if it is one of these."""
    word = str(one.this).upper()
    rest = one.expression if isinstance(one.expression, str) else one.expression.name if one.expression else ""
    rest = uncommented(rest)
    if word == "ALTER":
        switched = Outcome("alter") if SWITCHED.match(rest) else _transferred(rest, work)
        if (several := SEVERAL.match(rest)) is not None:
            # Vertica renames one after the other, as MySQL's RENAME TABLE does.
            pairs = zip(several["of"].split(","), several["to"].split(","), strict=False)
            return _rename(", ".join(f"{before.strip()} TO {after.strip()}" for before, after in pairs), work)
        return switched or _exchange(rest, work) or _default(rest, work) or _modified(rest, work)
    if word == "RENAME":
        return _rename(rest, work)
    if word == "EXCHANGE":
        return _exchanged(rest, work)
    if word == "CREATE":
        return _stream(rest, work) or around(f"{word} {rest}")
    return _unload(rest, work) if word == "UNLOAD" else None


AROUND = re.compile(
    r"(?is)\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:UNIQUE\s+|TRANSIENT\s+|TEMP(?:ORARY)?\s+)?(?P<kind>SCHEMA|DATABASE|ROLE|USER"
    r"|(?:EXTERNAL|FOREIGN)\s+CATALOG|CONNECTION|VOLUME|MODEL|ROUTINE\s+LOAD|NAMED\s+COLLECTION|GROUP|LOGIN|WAREHOUSE"
    r"|SEQUENCE|INDEX|EXTENSION|TYPE|STAGE|FILE\s+FORMAT|TABLESPACE|CATALOG|DATASHARE"
    r"|EXTERNAL\s+(?:SCHEMA|DATA\s+SOURCE|FILE\s+FORMAT)|BUFFERPOOL|STOGROUP|MASK|PERMISSION|VARIABLE)\b"
)
"""CREATE of what stands around data, and holds none."""
BRINGING = re.compile(r"(?i)\b(?:CLONE|FROM|TEMPLATE|TABLE|VIEW|SELECT|COPY|LIKE)\b")
"""What such a CREATE says that brings data, or the names of some."""


NAMED_TYPE = re.compile(
    r"(?is)\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:NON)?EDITIONABLE\s+)?TYPE\s+\S+\s+(?:FORCE\s+)?"
    r"(?:FROM\s+[\w.\[\]]+|(?:AS|IS)\s+(?:TABLE\s+OF|VARRAY|VARYING)\b)"
)
"""T-SQL's other name of a type; Oracle's type of many values."""


def around(text: str) -> Outcome | None:
    """A CREATE that moves no data: of a schema, a role, an index; None of any other."""
    match = AROUND.match(text)
    if match is None or (BRINGING.search(text) and not NAMED_TYPE.match(text) and "EXTERNAL" not in match[1].upper()):
        return None
    return Outcome(f"create {' '.join(match['kind'].lower().split())}")


TRANSFER = re.compile(r"(?is)\s*SCHEMA\s+(?P<schema>\S+)\s+TRANSFER\s+(?:\w+::)?(?P<table>[^\s;]+)")
SCHEMA = re.compile(
    r"(?is)\s*(?:FOREIGN\s+)?TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?(?P<table>\S+)\s+SET\s+SCHEMA\s+(?P<schema>[^\s;]+)"
)


def _transferred(text: str, work: Work) -> Outcome | None:
    """ALTER SCHEMA x TRANSFER dbo.t (T-SQL), ALTER TABLE t SET SCHEMA x (PostgreSQL): the table is X.T from here on."""
    match = TRANSFER.match(text) or SCHEMA.match(text)
    if match is None:
        return None
    found, table = Outcome("alter"), _table(match["table"], work)
    schema = exp.to_identifier(match["schema"].strip('"[]'))
    moved = exp.Table(this=table.this.copy(), db=schema)
    renamed(entity_named(table_name(table, work), work), moved, work, found)
    return found


def _table(text: str, work: Work) -> Any:
    return exp.to_table(text.strip(), dialect=work.flavour.parser)


STREAM = re.compile(r"(?is)\s*(?:OR\s+REPLACE\s+)?STREAM\s+(?:IF\s+NOT\s+EXISTS\s+)?(\S+)\s+ON\s+\w+\s+(\S+)")


def _stream(text: str, work: Work) -> Outcome | None:
    """CREATE STREAM s ON TABLE t: the rows of a table as they change."""
    match = STREAM.match(text)
    return _moved(match.group(1), match.group(2), "create stream", work) if match is not None else None


def _moved(to: str, of: str, kind: str, work: Work) -> Outcome:
    """What lets all rows of one table be another's."""
    target, source = (entity_named(table_name(_table(name, work), work), work) for name in (to, of))
    found = Outcome(kind, target)
    found.reads[source] = None
    found.writes[target] = None
    found.filling.append(all_of(source, target, work, None, inner=False))
    return found


EXCHANGED = re.compile(r"(?is)\s*TABLES\s+(\S+)\s+AND\s+([^\s;]+)")


def _exchanged(text: str, work: Work) -> Outcome | None:
    """ClickHouse's EXCHANGE TABLES a AND b: each is what the other was."""
    match = EXCHANGED.match(text)
    if match is None:
        return None
    found = Outcome("exchange", entity_named(table_name(_table(match.group(1), work), work), work))
    swapped(found.target, _table(match.group(2), work), work, found)
    return found


def _default(text: str, work: Work) -> Outcome | None:
    """T-SQL's ADD DEFAULT ... FOR: what INSERT writes into a column it leaves out."""
    match = DEFAULT.match(text)
    if match is None:
        return None
    name, default, column = match.groups()
    found = Outcome("alter", entity_named(table_name(_table(name, work), work), work))
    (own,) = table_name(_table(column, work), work)
    work.telling.change(found.target, own, default=default)
    return found


def _exchange(text: str, work: Work) -> Outcome | None:
    """EXCHANGE, SWITCH and ATTACH PARTITION, APPEND: the rows of one table become those of another."""
    for pattern in MOVING:
        match = pattern.match(text)
        if match is not None:
            found = _moved(match.group("to"), match.group("of"), "exchange", work)
            if pattern is BOTH and work.flavour.name not in ONE_WAY:
                # The partition that was there is the other table now. Hive only moves one that was not.
                found.together(_moved(match.group("of"), match.group("to"), "exchange", work))
                changing_places(found.filling)
            return found
    return None


def _modified(text: str, work: Work) -> Outcome | None:
    """Oracle's MODIFY: what is told of columns anew; they stand as ADD has them."""
    match = MODIFY.match(text)
    if match is None:
        return None
    name, told = match.groups()
    told = told if told.startswith("(") else f"({told})"
    try:
        tree = sqlglot.parse_one(f"ALTER TABLE {name} ADD {told}", read=work.flavour.parser)
    except SqlglotError:
        return None
    found = Outcome("alter", entity_named(table_name(_table(name, work), work), work))
    for part in tree.find_all(exp.ColumnDef):
        entry = attribute_entry(part, work)
        facts = {"type": entry.type, "default": entry.default, "required": entry.required}
        work.telling.change(found.target, entry.name, **{fact: said for fact, said in facts.items() if said})
    return found


def _rename(text: str, work: Work) -> Outcome | None:
    found = Outcome("rename")
    for before, after in RENAME.findall(re.sub(r"(?i)^\s*TABLE\s+", "", text)):
        renamed(entity_named(table_name(_table(before, work), work), work), _table(after, work), work, found)
    return found if found.target else None


def _unload(text: str, work: Work) -> Outcome | None:
    """UNLOAD: the rows of a query into files."""
    match = UNLOAD.match(text)
    if match is None:
        return None
    target = work.naming.known(match.group(4), quoted=True)
    found = Outcome("unload", target)
    found.writes[target] = None
    text = match.group(2) or match.group(3) or re.sub(r"''|\\'", "'", match.group(1))
    query = sqlglot.parse_one(text, read=work.flavour.parser)
    found.filling = blocks_of(query, work, Frame(target, inner=False))
    return found
