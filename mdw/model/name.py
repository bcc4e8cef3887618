"""Qualified names: compared case-insensitively unless back-quoted.

The canonical form folds unquoted parts to upper case and keeps back quotes only where a part needs them, so two
names mean the same thing exactly when their canonical forms are equal strings.

A mapping that reads one entity twice reads it in two roles. Within the rules of that mapping an attribute is then
named with its role, ``CORE.PARTY@BOSS.NAME``; `plain` is what every other mapping calls it, ``CORE.PARTY.NAME``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

# A dot inside back quotes belongs to the name: `a.b`.C has two parts.
# A part with a role may be quoted in the middle: `a b`@BOSS, PARTY@`a b`.
PART = re.compile(r"(?:`[^`\n]+`|[^.`]+)+")
PLAIN = re.compile(r"[A-Z_][A-Z0-9_]*\Z")
# Outside back quotes no name has this character.
_ROLE = re.compile(r"@(?:[A-Z_][A-Z0-9_]*|`[^`\n]+`)\Z")


# A warehouse meets its names in every rule, every condition and every row of a question. So names without quotes,
# nearly all, take the shortest way. A cache is a longer one: finding a name among 60,000 takes three times as long.


def canonical(text: str) -> str:
    """Canonical form of a qualified name; the text must be one (`mdw.language.mapping.read_name` checks that).

    >>> canonical("core.Party.`end date`"), canonical("`PARTY`.id")
    ('CORE.PARTY.`end date`', 'PARTY.ID')
    """
    if "`" in text:
        return _canonical(text)
    return text if text.isupper() else text.upper()


@lru_cache(maxsize=1 << 14)
def _canonical(text: str) -> str:
    return ".".join(map(_fold, PART.findall(text)))


def parts(name: str) -> list[str]:
    """The parts of a canonical name, quotes kept.

    >>> parts("CORE.PARTY.`end.date`")
    ['CORE', 'PARTY', '`end.date`']
    """
    return [*_quoted_parts(name)] if "`" in name else name.split(".")


@lru_cache(maxsize=1 << 14)
def _quoted_parts(name: str) -> tuple[str, ...]:
    return tuple(PART.findall(name))


def row_of(attribute: str) -> str:
    """Among the rows a mapping reads the one an attribute belongs to: its entity, with the role where it has one.

    >>> row_of("CORE.PARTY.REGION"), row_of("CORE.PARTY@BOSS.REGION"), row_of("`a.b`@`c.d`.X")
    ('CORE.PARTY', 'CORE.PARTY@BOSS', '`a.b`@`c.d`')
    """
    return ".".join(parts(attribute)[:-1]) if "`" in attribute else attribute.rpartition(".")[0]


def entity_of(attribute: str) -> str:
    """The entity of a canonical attribute name, whatever its role.

    >>> entity_of("CORE.PARTY.REGION"), entity_of("CORE.PARTY@BOSS.REGION")
    ('CORE.PARTY', 'CORE.PARTY')
    """
    if "`" not in attribute and "@" not in attribute:
        return attribute.rpartition(".")[0]
    return entity_of_row(row_of(attribute))


def entities_of(attributes: Collection[str]) -> dict[str, str]:
    """The entities of several attributes.

    >>> entities_of(["CORE.PARTY.REGION", "CORE.PARTY@BOSS.REGION"])
    {'CORE.PARTY.REGION': 'CORE.PARTY', 'CORE.PARTY@BOSS.REGION': 'CORE.PARTY'}
    """
    together = "".join(attributes)
    if "`" not in together and "@" not in together:
        return {name: name.rpartition(".")[0] for name in attributes}
    return {name: entity_of(name) for name in attributes}


def entity_of_row(row: str) -> str:
    """The entity that a row is one of.

    >>> entity_of_row("CORE.PARTY@BOSS"), entity_of_row("CORE.PARTY")
    ('CORE.PARTY', 'CORE.PARTY')
    """
    return _ROLE.sub("", row) if "@" in row else row


def plain(attribute: str) -> str:
    """The attribute without its role.

    >>> plain("CORE.PARTY@BOSS.NAME"), plain("CORE.PARTY.NAME")
    ('CORE.PARTY.NAME', 'CORE.PARTY.NAME')
    """
    return f"{entity_of(attribute)}.{local_of(attribute)}" if "@" in attribute else attribute


def in_role(entity: str, role: str) -> str:
    """The name of the row of an entity that is read in a role; without a role that of the entity.

    >>> in_role("CORE.PARTY", "BOSS"), in_role("CORE.PARTY", "")
    ('CORE.PARTY@BOSS', 'CORE.PARTY')
    """
    return f"{entity}@{role}" if role else entity


def local_of(attribute: str) -> str:
    """The attribute's own name within its entity.

    >>> local_of("CORE.PARTY.REGION")
    'REGION'
    """
    return parts(attribute)[-1] if "`" in attribute else attribute.rpartition(".")[2]


def of_field(name: str, path: Iterable[str]) -> str:
    """The name of an attribute that is a field of another one, all as canonical parts; plain ones in small letters.

    >>> of_field("S", ["N", "B"]), of_field("S", ["`x y`"])
    ('`s.n.b`', '`s."x y"`')
    """
    return f"`{'.'.join(_quoted(one) for one in (name, *path))}`"


def _quoted(part: str) -> str:
    return f'"{part[1:-1]}"' if part.startswith("`") else part.lower()


def letters(name: str) -> str:
    """A name without its quotes and its case.

    >>> letters('S.`"BAG"`'), letters("S.`My Table`")
    ('s.bag', 's.my table')
    """
    return name.replace("`", "").replace('"', "").casefold()


def alike(one: str, other: str) -> bool:
    """Whether two names may mean the same: one is the end of the other.

    >>> alike("core.t", "t"), alike("core.t", "db.core.t"), alike("core.t", "mart.t")
    (True, True, False)
    """
    return f".{one}".endswith(f".{other}") or f".{other}".endswith(f".{one}")


def _fold(part: str) -> str:
    if not part.startswith("`"):
        return part.upper()
    # `PARTY` and PARTY are one name, `party` is another: plain names are upper case, so quotes change nothing there.
    inner = part[1:-1]
    return inner if PLAIN.match(inner) else part


def aliased(name: str) -> str:
    """An attribute under the name of its role, if it has one.

    >>> aliased("CORE.PARTY@BOSS.NAME"), aliased("CORE.PARTY.NAME")
    ('BOSS.NAME', 'CORE.PARTY.NAME')
    """
    row = row_of(name)
    entity = entity_of_row(row)
    return name if row == entity else f"{row[len(entity) + 1 :]}.{local_of(name)}"
