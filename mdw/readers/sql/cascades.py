"""Foreign keys whose rows follow those they refer to: deletes and updates of the one reach the other (rule Q19).

    CREATE TABLE item (k INT REFERENCES orders (id) ON DELETE CASCADE ON UPDATE CASCADE)
    DELETE FROM orders WHERE day < 5              deletes of ITEM the rows whose K is the ID of such a row
    UPDATE orders SET id = n                      sets K to N where K was ID

Who refers tells it of the entity referred to, among its triggers, so other files that change that know it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from mdw.model.dictionary import EntityEntry, Reference
from mdw.model.query import Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, compared, null
from mdw.readers.sql.building import Building
from mdw.readers.sql.defaults import default_in
from mdw.readers.sql.expressions import value
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.work import Work

ACTION = re.compile(r"(?i)\s*ON\s+(DELETE|UPDATE)\s+(CASCADE|SET\s+NULL|SET\s+DEFAULT)")
EVENTS = {"DELETING": "delete", "UPDATING": "update"}
PARTS, NAMES = "\t", "\n"
"""What stands between the parts of what is told, and between names: these may have blanks."""


def told(reference: Reference, options: Sequence[Any], entity: str) -> Iterator[EntityEntry]:
    """What a foreign key of an entity tells of the entity it refers to."""
    for option in options:
        match = ACTION.match(str(option))
        if match is not None:
            action = " ".join(match[2].lower().split())
            names = NAMES.join(reference.attributes), NAMES.join(reference.referred)
            fact = PARTS.join((f"on {match[1].lower()}", action, entity, *names))
            yield EntityEntry(reference.entity, triggers=(fact,))


def cascade(found: Outcome, work: Work) -> None:
    """Let changes of rows reach the rows that refer to them, and those that refer to these."""
    # Each way of references is gone once round: an entity may be reached by several, and never by itself.
    pending = [(block, frozenset((block.target,))) for block in found.filling if block.change in EVENTS]
    while pending:
        block, seen = pending.pop()
        for action, entity, pairs in _following(block, work):
            made = _reached(block, action, entity, pairs, work) if entity not in seen else None
            if made is not None:
                found.writes[entity] = None
                pending.append((made, seen | {entity}))


def _following(block: Building, work: Work) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """What becomes of which entity's rows: each attribute that refers, with the one it refers to."""
    entry = work.telling.entry(block.target)
    for fact in entry.triggers if entry is not None else ():
        event, *words = fact.split(PARTS)
        if event != f"on {EVENTS[block.change]}":
            continue
        action, entity, names, referred = words
        assert entry is not None
        # One that names no columns refers to the primary key.
        keys = referred.split(NAMES) if referred else list(entry.key)
        pairs = [*zip_longest(names.split(NAMES), keys, fillvalue="")]
        if event == "on delete" or any(to in block.named for _, to in pairs):
            yield action, entity, pairs


def _reached(
    block: Building, action: str, entity: str, pairs: Sequence[tuple[str, str]], work: Work
) -> Building | None:
    row = next((read for read in block.reads if read.entity == block.target), None)
    if row is None:
        return None
    # The rows that refer drive; what the change reads is joined to them, by its own conditions and by the keys.
    first, *rest = block.reads
    made = work.building(entity, inner=entity in work.temporary.values(), location=block.location)
    role = work.role() if any(read.entity == entity for read in block.reads) else ""
    written = work.naming.written

    def own(label: str, name: str) -> Node:
        return attribute(f"{written(label)}.{written(name)}", block.location)

    made.reads = [Read(entity, role, location=block.location), first._replace(join="CROSS JOIN", on=None), *rest]
    made.where = [*block.where, *([first.on] if first.on is not None else [])]
    made.where += [
        compared("=", own(role or entity, name), own(row.role or row.entity, to)) for name, to in pairs if name and to
    ]
    made.qualify = list(block.qualify)
    if action == "cascade" and block.change == "DELETING":
        made.change = "DELETING"
        return made
    made.change, made.others = "UPDATING", "CARRY"
    for name, to in pairs:
        given = block.named.get(to)
        if action == "cascade" and given is not None:
            made.output(name, given.value, block.location)
        elif action == "set null":
            made.output(name, null(), block.location)
        elif action == "set default":
            made.output(name, value(default_in(entity, name, work), SelectScope(work)), block.location)
    return made
