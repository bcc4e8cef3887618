"""The folders mdw reads besides its code: below the package in a wheel, beside it in a checkout."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder called ``name``, wherever this installation keeps it."""
    # A wheel carries the folders inside the package, since site-packages has no place for them beside it.
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


ONTOLOGY: Path = folder("ontology")
QUERIES: Path = folder("queries")
GRAMMARS: Path = folder("grammars")
BANK: Path = folder("data") / "bank"


def kept(grammar: Path) -> str:
    """The file in which lark keeps what one of our grammars comes to; "" where nothing can be kept.

    To work that out takes 0.3 s, to read it 0.02. The file lies beside the grammar as the compiled forms of modules lie
    beside those, and is as much or as little to be trusted. lark works anew what is damaged, or of another grammar.
    """
    folder = grammar.parent / "__pycache__"
    if grammar.parent == GRAMMARS and not sys.dont_write_bytecode:
        with suppress(OSError):
            folder.mkdir(exist_ok=True)
            return str(folder / f"{grammar.stem}.{sys.implementation.cache_tag}.lalr")
    return ""


@lru_cache(maxsize=1)
def reading() -> str:
    """A digest of all that decides how a text is read: the code that does it, the grammars, the parser of SQL."""
    from importlib.metadata import version  # slow to import, and most commands read nothing

    digest = blake2b(version("sqlglot").encode(), digest_size=16)
    for room in (*(PACKAGE / name for name in ("readers", "language", "model", "rdf")), GRAMMARS):
        for file in sorted((*room.rglob("*.py"), *room.rglob("*.lark"))):
            digest.update(file.read_bytes())
    return digest.hexdigest()
