"""A query that reads what it fills: an incremental model asks its table how far it was filled before (rule Q19).

    CREATE VIEW m AS SELECT a, at FROM s WHERE kind = 1 AND at > (SELECT MAX(at) FROM m)

What m held when this ran was loaded without the second test, at first from an empty table. So of each row of m it is
known that kind = 1, and that it met the second test or came when nobody asked: ``at > (...) OR :first_load``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from sqlglot import exp

from mdw.model.name import local_of
from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.work import Work

FIRST_LOAD = "first_load"
"""The unknown constant that stands for a load in which the table was empty."""


def loosened(query: Any, target: str, work: Work) -> None:
    """Let a query's tests on what its target held before bind no row."""
    # A plain name that stands there once is what is made. Most are, and to look through a query takes long.
    if "`" not in target and _spoken(local_of(target), work) < 2:
        return
    if not any(_is(table, target, work) for table in query.find_all(exp.Table)):
        return
    # Tests stay part of the query, each with a way round it: what it says is still told, and reads what it reads.
    inside = _filled_from(query, target, work)
    for clause in list(query.find_all(exp.Where, exp.Having, exp.Qualify, exp.Join)):
        key = "on" if isinstance(clause, exp.Join) else "this"
        test = clause.args.get(key)
        if test is None:
            continue
        names = {one.alias_or_name.upper() for one in _sources(clause.parent) if _reads(one, target, inside, work)}
        for part in list(test.flatten()) if isinstance(test, exp.And) else [test]:
            if _asks(part, names, target, inside, work):
                free = exp.Paren(this=exp.Or(this=exp.Paren(this=part.copy()), expression=_first_load()))
                part.replace(free)


def _spoken(name: str, work: Work) -> int:
    """How many words of a statement are a name, or end with it; nearly always the text has it only once."""
    if work.piece.mentions(name) < 2:
        return 1
    said = [text for token in work.piece.tokens if (text := token.text.upper()).endswith(name)]
    return sum(text.rpartition(".")[2] == name for text in said)


def _first_load() -> Any:
    return exp.EQ(this=exp.Placeholder(this=FIRST_LOAD), expression=exp.true())


def _filled_from(query: Any, target: str, work: Work) -> set[str]:
    """The CTEs that have rows of the target, or of another such."""
    found: set[str] = set()
    for one in query.find_all(exp.CTE):
        if _reads(one.this, target, found, work):
            found.add(one.alias.upper())
    return found


def _sources(select: Any) -> Iterator[Any]:
    """What a SELECT reads."""
    begins = select.args.get("from_") if isinstance(select, exp.Select) else None
    if begins is not None:
        yield begins.this
        yield from (join.this for join in select.args.get("joins") or ())


def _reads(part: Any, target: str, inside: Collection[str], work: Work) -> bool:
    """Whether rows of the target, or of what is made of them, are read in a part of a query."""
    tables = part.find_all(exp.Table)
    return any(_is(table, target, work) or (not table.db and table.name.upper() in inside) for table in tables)


def _asks(part: Any, names: Collection[str], target: str, inside: Collection[str], work: Work) -> bool:
    """Whether a test speaks of such rows; a column without a table may be one of theirs."""
    if _reads(part, target, inside, work):
        return True
    return bool(names) and any(one.table.upper() in {*names, ""} for one in part.find_all(exp.Column))


def _is(table: Any, target: str, work: Work) -> bool:
    named = isinstance(table.this, exp.Identifier)
    # A name that folds to another local name is another: to work a whole name out takes long.
    if not named or ("`" not in target and table.name.upper().rpartition(".")[2] != local_of(target)):
        return False
    return entity_named(table_name(table, work), work) == target
