"""Statements that write to views, and where triggers run before or instead of them: what of their rows arrives where.

    CREATE TRIGGER i INSTEAD OF INSERT ON v ...
    INSERT INTO v (a) SELECT x FROM s             fills `V rows inserted`, which the trigger reads, and not V (rule Q30)
    INSERT INTO w (a) SELECT x FROM s             fills T.B, where W is SELECT b AS a FROM t

An UPDATE of a view writes whole rows: what it sets, and what else the row of the view had.

Where it is not certain that a trigger runs the rows go both ways, to the table and to the trigger: a load may pass it
by, the script may turn it off somewhere, a rule of PostgreSQL may take some of the rows only.
"""

from __future__ import annotations

from collections.abc import Sequence

from mdw.model.name import entity_of, local_of
from mdw.model.query import ALL, Output
from mdw.model.tree import Node
from mdw.readers.nodes import attribute
from mdw.readers.sql.building import Building
from mdw.readers.sql.fired import EVENTS, reading, replaced, rows_written, shares, takes
from mdw.readers.sql.inserts import learn
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.scopes import RowSource, Star
from mdw.readers.sql.work import Work

WRITING = frozenset(("insert", "insert all", "merge", "update"))
PASSING = frozenset(("copy", "load"))
"""Statements that may pass triggers by: rows go both ways."""


def written_through(found: Outcome, work: Work, own: str, loose: frozenset[str]) -> None:
    """Let what a statement writes, and what changes within it write, go where triggers and views let it.

    ``own``: the entity whose trigger runs this, which does not run it again; ``loose``: entities whose triggers the
    script disables at times, ALL for any.
    """
    # WITH x AS (INSERT INTO v ... RETURNING ...): what changes within the statement wrote, it wrote.
    changes, work.changes = work.changes, []
    for change in changes:
        before = set(change.writes)
        written_through(change, work, own, loose)
        found.reads.update(change.reads)
        found.writes = {name: None for name in found.writes if name not in before - set(change.writes)}
        found.writes.update(change.writes)
    if found.kind not in WRITING and found.kind not in PASSING:
        return
    # A view may be one of a view, which passes rows on again; each entity is passed through once, so circles end.
    pending, seen = list(found.filling), {*found.writes}
    while pending:
        block = pending.pop()
        entity, event = block.target, EVENTS.get(block.change, "")
        entry, others = work.telling.entry(entity), work.telling.watched(entity)
        # What is made here may have been made again after a trigger of another script, or before.
        again = others is not None and bool(others.triggers)
        entry = others if again else entry
        if block.inner or not event or entry is None:
            continue
        watched = entity != own and bool(entry.triggers)
        taken = watched and takes(entry, event)
        both = again or found.kind in PASSING or not loose.isdisjoint((entity, ALL))
        if taken or (watched and shares(entry, event)):
            _taken(found, block, reading(entry, event), work, both=both or not taken)
        elif watched and not both:
            _without(block, replaced(entry, event))
        if entry.passes and (both or not taken):
            new = _passed(found, block, entry.passes, work)
            pending += [one for one in new if one.target not in seen]
            seen |= {one.target for one in new}


def _passed(found: Outcome, block: Building, passes: Sequence[tuple[str, str]], work: Work) -> list[Building]:
    """Rows written to a view are rows of its tables: each gets the columns that are its own.

    Where every column is some table's, the view has the rows by what it is, and gets none besides.
    """
    tables: dict[str, dict[str, str]] = {}
    for name, column in passes:
        tables.setdefault(entity_of(column), {})[name] = local_of(column)
    for name in [name for own in tables.values() for name in own if name not in block.named]:
        block.supply(name)
    homes = {
        one.name: [
            entity
            for entity, own in tables.items()
            if one.name in own or (ALL in own and not any(one.name in other for other in tables.values()))
        ]
        for one in block.outputs
    }
    made = []
    for entity, own in tables.items():
        outputs = [one for one in block.outputs if entity in homes[one.name]]
        if outputs:
            made.append(one_of := _again(block, work))
            one_of.target, one_of.change, one_of.others = entity, "POPULATING", "OPEN"
            one_of.outputs = [Output(own.get(one.name, one.name), one.value, one.location) for one in outputs]
            one_of.named = {one.name: one for one in one_of.outputs}
            one_of.columns = {}
            learn(entity, [one_of], work)
            found.filling.append(one_of)
            found.writes[entity] = None
    if made and all(homes.values()):
        work.blocks.remove(block)
        found.filling.remove(block)
        found.target = made[0].target if found.target == block.target else found.target
    return made


def _taken(found: Outcome, block: Building, readers: Sequence[tuple[str, ...]], work: Work, *, both: bool) -> None:
    entity, change = block.target, block.change
    # Where rows go both ways the triggers have blocks of their own, else the last of these is turned to them.
    blocks = [_again(block, work) for _ in (readers if both else readers[1:])]
    for taken, events in zip(blocks if both else [*blocks, block], readers, strict=True):
        rows = rows_written(entity, events, work)
        if change == "UPDATING":
            _whole(taken, work)
            found.reads[entity] = None
        taken.target, taken.change, taken.others = rows, "POPULATING", "OPEN"
        learn(rows, [taken], work)
        found.writes[rows] = None
        if not both:
            found.target = rows if found.target == entity else found.target
    if not both:
        found.writes.pop(entity, None)


def _again(block: Building, work: Work) -> Building:
    """Another block that does the same."""
    found = work.building(block.target, inner=block.inner, location=block.location)
    made, found.name = found.name, ""
    vars(found).update({name: list(one) if isinstance(one, list) else one for name, one in vars(block).items()})
    found.named, found.columns, found.name = dict(block.named), dict(block.columns), made
    return found


def _whole(block: Building, work: Work) -> None:
    """The row that an UPDATE leaves: what it does not set is as it was."""
    known = block.scope.relations if block.scope is not None else []
    row = next((one for one in known if one.entity == block.target), None)
    if row is None:
        return
    shape = row.shape

    def own(name: str) -> Node:
        assert row is not None
        shape.ask(name)
        return _column(row, name, work)

    for name in list(shape.columns):
        if name not in block.named and name != ALL:
            block.output(name, own(name), block.location)
    if not shape.complete and not block.stars:
        block.stars.append(Star(row, frozenset(block.named), block.location))
        block.output(ALL, own(ALL), block.location)
        block.supplied = own


def _column(row: RowSource, name: str, work: Work) -> Node:
    if row.computed is not None:
        return row.computed(name)
    return attribute(f"{work.naming.written(row.label)}.{name if name == ALL else work.naming.written(name)}")


def _without(block: Building, columns: frozenset[str]) -> None:
    """A block that no longer gives columns, for which a trigger has values of its own."""
    kept = [one for one in block.outputs if one.name not in columns]
    if kept and len(kept) < len(block.outputs):
        block.outputs = kept
        block.named = {one.name: one for one in kept}
        block.others = "OPEN" if block.change == "POPULATING" else block.others
