"""What decides for which rows a trigger runs: the tests of the statements that change its table (rule Q30).

    UPDATE t SET c = 1 WHERE r = 7      and for each row changed      INSERT INTO log (a) VALUES (OLD.b)
        B of T flows into LOG.A, and R of T decides whether it does

What is inserted tells it by its own columns, which the trigger reads: they stand under the tests of that statement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mdw.model.name import canonical, local_of, row_of
from mdw.model.query import ALL, ONE_ROW, Read
from mdw.readers.nodes import attribute, call, compared, truth, word
from mdw.readers.sql.levels import attributes
from mdw.readers.sql.naming import fresh

if TYPE_CHECKING:
    from mdw.readers.sql.building import Building
    from mdw.readers.sql.work import Work

EVENTS = {"UPDATING": "update", "DELETING": "delete"}


class Causes:
    """By table and event the attributes that decide which of its rows statements change."""

    def __init__(self) -> None:
        self._found: defaultdict[tuple[str, str], dict[tuple[str, str], None]] = defaultdict(dict)

    def learn(self, blocks: Iterable[Building]) -> None:
        """Statements change rows, each under its tests."""
        for block in blocks:
            event = EVENTS.get(block.change)
            if event is not None and not block.inner:
                entities = {canonical(one.role or one.entity): one.entity for one in block.reads}
                # IF EXISTS (SELECT ...) around it asks for rows alone.
                for read in entities.values():
                    if read not in (block.target, ONE_ROW):
                        self._found[block.target, event][read, ""] = None
                asked = [*block.where, *(one.on for one in block.reads if one.on is not None)]
                for one in (part for node in asked for part in attributes(node)):
                    entity = entities.get(row_of(canonical(one.content)))
                    if entity is not None:
                        self._found[block.target, event][entity, local_of(canonical(one.content))] = None

    def decide(self, entity: str, events: Iterable[str], blocks: Iterable[Building], work: Work) -> None:
        """Let them decide over what a trigger of the table does: any of the rows they are of, if there are some."""
        causes = dict.fromkeys(one for event in events for one in self._found.get((entity, event), ()))
        for block in blocks if causes else ():
            roles: dict[str, str] = {}
            for read in dict.fromkeys(entity for entity, _ in causes):
                taken = [one.role for one in block.reads]
                roles[read] = fresh(word(f"{work.naming.shown(local_of(read))} that decides"), taken)
                always = compared("IS TRUE", truth(True))
                block.reads.append(Read(read, roles[read], "LEFT JOIN", always, block.location))
                work.read[read] = None
            written = work.naming.written
            told = [(read, name) for read, name in causes if name]
            named = [f"{roles[read]}.{name if name == ALL else written(name)}" for read, name in told]
            block.limits.append(call("CAUSED", [attribute(one, block.location) for one in named], block.location))
            for read, name in told:
                work.dictionary.known(read).ask(name)
