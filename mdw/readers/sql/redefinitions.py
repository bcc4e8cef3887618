"""What ALTER TABLE defines anew, and what nobody has read of a table's definition, told of its entity (rule Q32)."""

from __future__ import annotations

import re

from mdw.model.dictionary import PARTLY, EntityEntry
from mdw.readers.sql.fired import RENEWS
from mdw.readers.sql.naming import Identifiers
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.phrases.alteration import AlteredTable
from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.telling import Telling

TRIGGER = re.compile(
    r"(?is)\s*CREATE\b[^;]{0,60}?\bTRIGGER\b.*?\bON\s+(?P<table>(?:[\"`\[]?[\w$#@]+[\"`\]]?\s*\.\s*)*[\"`\[]?[\w$#@]+[\"`\]]?)"
)


def redefined(one: AlteredTable, entity: str, found: Outcome, naming: Identifiers, telling: Telling) -> None:
    """Let the columns of an entity be what an ALTER says; where it was not read, nobody knows what they are."""
    entry = telling.entry(entity)
    for column in one.columns:
        name = naming.known(column.name.text, quoted=column.name.token_type is TokenType.IDENTIFIER)
        if column.renewed:
            telling.add(EntityEntry(entity, triggers=(f"{RENEWS}{name}",)))
        known = entry.attribute(name) if entry is not None else None
        facts = {"identity": column.identity, "required": column.required, "fills": column.fills} if column.type else {}
        if column.identity:
            facts = {"identity": True, "fills": column.fills}
        if facts and (known is None or any(getattr(known, fact) != said for fact, said in facts.items())):
            telling.change(entity, name, **facts)
    if not one.known or (found.status != "whole" and not one.plain):
        telling.add(EntityEntry(entity, definition=PARTLY))


def trigger_unread(piece: ScriptPiece, found: Outcome) -> str:
    """The table, as written, of a CREATE TRIGGER that was not read; "" for anything else."""
    if found.status not in ("failed", "opaque") or not piece.mentions("TRIGGER"):
        return ""
    match = TRIGGER.match(piece.text[piece.tokens[0].start : piece.tokens[-1].end + 1])
    return match["table"] if match else ""
