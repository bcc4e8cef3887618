"""What INSERT writes into the columns it leaves out: their defaults (rule Q18).

CREATE TABLE t (id INT, region TEXT DEFAULT 'EU')
INSERT INTO t (id) SELECT k FROM s         writes K into ID, and 'EU' into REGION
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from mdw.model.dictionary import PARTLY, WHOLE, AttributeEntry, EntityEntry
from mdw.model.name import canonical, local_of, row_of
from mdw.model.query import ALL, ONE_ROW, Read
from mdw.model.tree import Node
from mdw.readers.nodes import call, case, compared, either, number, parameter
from mdw.readers.sql.building import Building
from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.expressions import value
from mdw.readers.sql.fired import renewing, unread
from mdw.readers.sql.naming import Identifiers
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.phrases.definition import NULLS
from mdw.readers.sql.scopes import PSEUDO, SelectScope
from mdw.readers.sql.variables import THIS_WAY
from mdw.readers.sql.work import Work

HIDDEN = frozenset(("duckdb", "sqlite", "tsql", "mssql", "sqlserver", "synapse", "fabric"))
"""Dialects in which an INSERT without a list of columns passes over computed ones."""
NUMBERED = HIDDEN - {"duckdb", "sqlite"}
"""Dialects in which it passes over identities as well."""


def left_out(block: Building, target: str, work: Work) -> None:
    """Let a block that makes rows write the defaults of what it leaves out, and NULL where that is certain (rule Q32).

    All else may be anything: columns of which not all is known, and names that the target has not (rule Q33).
    """
    # What a star stands for may be any of the columns.
    if ALL in block.named:
        return
    entry = work.telling.entry(target)
    block.others = "OPEN"
    # What was not read may give a column another default.
    if entry is None or entry.definition == PARTLY or unread(target, work):
        return
    nulls: list[str] = []
    for one in entry.attributes:
        if one.name in block.named:
            continue
        if one.default or one.identity:
            block.output(one.name, default_of(one, entry, work, block), block.location)
        elif not (one.required or one.fills or one.name in entry.key):
            nulls.append(work.naming.written(one.name))
    # A longer or shorter name need not be the same entity's.
    if nulls and entry.whole and entry.definition == WHOLE and entry.name == target:
        block.others = f"CLOSED ({', '.join(nulls)})"


def refilled(block: Building, target: str, work: Work, *, lenient: bool = False) -> None:
    """Let NULL that is written where the database puts a value of its own be that: in keys that count (rule Q32).

    ``lenient``: so it does in columns that must not be NULL. INSERT OR REPLACE writes the default (SQLite), INSERT
    IGNORE a zero of the type (MySQL).
    """
    entry = work.telling.entry(target)
    for one in entry.attributes if entry is not None else ():
        replaces = one.fills == NULLS or (lenient and (one.required or one.name in entry.key))  # type: ignore[union-attr]
        given = block.named.get(one.name) if replaces else None
        if given is None or entry is None:
            continue
        # MySQL counts where 0 is written as well.
        counts = one.identity and entry.dialect == "mysql"
        zero = counts and (given.value.role, given.value.content) == ("value", "0")
        if not zero and _never_null(given.value, block, work):
            continue
        own = (
            default_of(one, entry, work, block)
            if (one.default or one.identity) and not (lenient and entry.dialect == "mysql")
            else call("FILLED_IN", (), given.location)
        )
        if zero or given.value.role == "null":
            block.replace(one.name, own)
            continue
        test = compared("IS NULL", given.value)
        if counts:
            test = either([test, compared("=", given.value, number("0"))])
        block.replace(one.name, case([(test, own)], given.value, given.location))


def renewed(block: Building, work: Work) -> None:
    """Let an UPDATE write what the database gives columns that it does not name: MySQL's ON UPDATE NOW()."""
    entry = work.telling.entry(block.target)
    for name in sorted(renewing(entry)) if ALL not in block.named else ():
        if name not in block.named:
            block.output(name, call("FILLED_IN", (), block.location), block.location)


def _never_null(value: Node, block: Building, work: Work) -> bool:
    """Whether a value is a constant, or a column that its table says is never NULL.

    In ClickHouse few may be NULL: a column that is told to be Nullable, and what speaks of NULL.
    """
    if value.role in ("string", "value", "date", "truth"):
        return True
    usual = work.flavour.name == "clickhouse"
    if value.role != "attribute":
        return usual and not any(one.role == "null" or "NULL" in one.content.upper() for one in value.walk())
    entity = block.read_as(row_of(canonical(value.content)))
    entry = work.telling.entry(entity) if entity else None
    one = entry.attribute(local_of(canonical(value.content))) if entry is not None else None
    if one is None or entry is None:
        return usual
    return one.required or one.name in entry.key or (usual and one.fills == NULLS)


def filled_once(blocks: Iterable[Building]) -> None:
    """Let blocks that make a table of a query say that they ran where they stand: columns that come later they miss.

    CREATE TABLE u AS SELECT a FROM t     what is written to T behind it is not in U, as it is in a view
    """
    for block in blocks:
        if ALL not in block.named and not block.others:
            block.others = "OPEN"


def never_filled(outcomes: Iterable[Outcome], empty: set[str], naming: Identifiers) -> None:
    """Let tables that a script makes for itself, reads and does not fill have rows of which nobody knows a thing.

    They are no golden sources: whoever fills them does it from elsewhere, in a way that was not read.
    """
    blocks = [block for one in outcomes for block in one.blocks]
    filled = {block.target for block in blocks if block.change == "POPULATING"}
    owners = {read.entity: block.owner for block in reversed(blocks) for read in block.reads}
    for one in outcomes if empty else ():
        # A table variable is declared, and no statement makes it: then the first that reads it has the block.
        has = one.writes.keys() | {read.entity for block in one.blocks for read in block.reads}
        for entity in has & empty & owners.keys() - filled:
            # Not an inner one: the step from there is shown, for there it ends.
            block = Building(entity, location=one.location)
            block.written, block.others, block.owner = naming.written, "OPEN", owners[entity]
            block.reads.append(Read(ONE_ROW, location=one.location))
            block.where.append(compared("IS TRUE", parameter(THIS_WAY, one.location)))
            one.blocks = [*one.blocks, block]
            filled.add(entity)


def default_of(one: AttributeEntry, entry: EntityEntry, work: Work, block: Building) -> Node:
    """The value an attribute has by default; the block reads what a function of the script reads that gives it."""
    scope = SelectScope(work)
    scope.block = block
    return value(_tree(one, entry), scope)


def _tree(one: AttributeEntry, entry: EntityEntry) -> Any:
    """The same as SQL; what cannot be told is a constant nobody knows."""
    if one.identity and not one.default:
        return exp.Anonymous(this="IDENTITY")
    if not one.default:
        return exp.null() if one.type else exp.Placeholder(this="DEFAULT")
    tree = _parsed(one.default, flavour_of(entry.dialect).parser)
    # A name in a default is a function without parentheses, or a column of nothing that is read here.
    if tree is None or any(column.name.upper() not in PSEUDO for column in tree.find_all(exp.Column)):
        return exp.Placeholder(this=f"DEFAULT {one.default}")
    return tree


def is_default(one: Any) -> bool:
    """Whether the word DEFAULT stands in the place of a value."""
    if isinstance(one, exp.Column) and len(one.parts) == 1 and not one.this.args.get("quoted"):
        one = one.this
    return isinstance(one, (exp.Var, exp.Identifier)) and one.name.upper() == "DEFAULT"


def default_in(target: str, name: str, work: Work) -> Any:
    """What the word DEFAULT stands for in a column, as SQL."""
    entry = work.telling.entry(target)
    one = entry.attribute(name) if entry else None
    return _tree(one, entry).copy() if entry and one else exp.Placeholder(this="DEFAULT")


def written_out(rows: Any, names: Sequence[str], target: str, work: Work) -> None:
    """Put what it stands for in the place of the word DEFAULT in the rows of VALUES."""
    for row in rows.expressions if isinstance(rows, exp.Values) else ():
        for at, item in enumerate(row.expressions if isinstance(row, exp.Tuple) else ()):
            if is_default(item) and at < len(names):
                item.replace(default_in(target, names[at], work))


def listed(entry: EntityEntry | None, names: tuple[str, ...], work: Work) -> tuple[str, ...]:
    """Those of an entity's columns that an INSERT without a list fills, in order."""
    passed = {
        one.name
        for one in (entry.attributes if entry else ())
        if (one.computed and work.flavour.name in HIDDEN) or (one.identity and work.flavour.name in NUMBERED)
    }
    return tuple([name for name in names if name not in passed])


@lru_cache(maxsize=1 << 10)
def _parsed(text: str, parser: Dialect) -> exp.Expr | None:
    """A default as SQL; None where it cannot be parsed."""
    try:
        found = parser.parse(text)[0]
    except SqlglotError:
        return None
    # Where it stands in the text of the default is no place in the script.
    for node in found.walk() if found is not None else ():
        node._meta = None
    return found
