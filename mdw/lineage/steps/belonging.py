"""Which row an attribute belongs to. All of lineage asks here, so that one place decides what tells rows apart.

A mapping reads a driving row and joined rows, and writes a target row; its rules name attributes, never rows. So far
the entity that an attribute is named after tells its row: no mapping reads one entity twice (`mdw.language.checks`).
"""

from __future__ import annotations

from functools import lru_cache

from mdw.model.name import entity_of


@lru_cache(maxsize=1 << 16)
def row_of(attribute: str) -> str:
    """The row of an attribute: among those of a mapping, or of the question, the one of its entity.

    >>> row_of("CORE.PARTY.REGION")
    'CORE.PARTY'
    """
    return entity_of(attribute)
