"""Qualified names: compared case-insensitively unless back-quoted.

The canonical form folds unquoted parts to upper case and keeps back quotes only where a part needs them, so two
names mean the same thing exactly when their canonical forms are equal strings.
"""

from __future__ import annotations

import re
from functools import lru_cache

# A dot inside back quotes belongs to the name: `a.b`.C has two parts.
PART = re.compile(r"`[^`\n]+`|[^.`]+")
PLAIN = re.compile(r"[A-Z_][A-Z0-9_]*\Z")


# These functions are cached because a warehouse has few names and meets each of them very often: in every rule, every
# condition and every row of a question.


@lru_cache(maxsize=1 << 16)
def canonical(text: str) -> str:
    """Canonical form of a qualified name; the text must be one (`mdw.language.mapping.read_name` checks that).

    >>> canonical("core.Party.`end date`"), canonical("`PARTY`.id")
    ('CORE.PARTY.`end date`', 'PARTY.ID')
    """
    return ".".join(_fold(part) for part in PART.findall(text))


def parts(name: str) -> list[str]:
    """The parts of a canonical name, quotes kept.

    >>> parts("CORE.PARTY.`end.date`")
    ['CORE', 'PARTY', '`end.date`']
    """
    return PART.findall(name) if "`" in name else name.split(".")


@lru_cache(maxsize=1 << 16)
def entity_of(attribute: str) -> str:
    """The entity of a canonical attribute name.

    >>> entity_of("CORE.PARTY.REGION")
    'CORE.PARTY'
    """
    return attribute.rpartition(".")[0] if "`" not in attribute else ".".join(parts(attribute)[:-1])


@lru_cache(maxsize=1 << 16)
def local_of(attribute: str) -> str:
    """The attribute's own name within its entity.

    >>> local_of("CORE.PARTY.REGION")
    'REGION'
    """
    return attribute.rpartition(".")[2] if "`" not in attribute else parts(attribute)[-1]


def _fold(part: str) -> str:
    if not part.startswith("`"):
        return part.upper()
    # `PARTY` and PARTY are one name, `party` is another: plain names are upper case, so quotes change nothing there.
    inner = part[1:-1]
    return inner if PLAIN.match(inner) else part
