"""The folders mdw reads besides its code: below the package in a wheel, beside it in a checkout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

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
    beside those, and is as much or as little to be trusted. It is called by a digest of the grammar, so that what is
    there is hardly ever written again. lark works anew what is damaged.
    """
    folder = grammar.parent / "__pycache__"
    if grammar.parent == GRAMMARS and not sys.dont_write_bytecode:
        with suppress(OSError):
            folder.mkdir(exist_ok=True)
            digest = blake2b(grammar.read_bytes(), digest_size=8).hexdigest()
            return str(folder / f"{grammar.stem}.{digest}.{sys.implementation.cache_tag}.lalr")
    return ""


class _Draft(str):
    """The name of a draft, written as that of the file whose place it takes.

    lark takes what it kept only for options that are written as they were then, and the name is one of them.
    """

    place: str

    def __str__(self) -> str:
        return self.place


@contextmanager
def keeping(place: str) -> Iterator[str]:
    """Where lark may write what is to be kept at ``place``: beside it, and then it takes the place whole.

    lark writes into the file itself. Of two processes that began at once each wrote into the other's, and what came of
    it could be read: a table in which one number was another, and texts failed with a TypeError from then on.
    """
    if not place or Path(place).exists():
        yield place
        return
    draft = Path(f"{place}.{uuid4().hex}")
    name = _Draft(draft)
    name.place = place
    try:
        yield name
        with suppress(OSError):  # where nothing can be written, lark has written nothing
            draft.replace(place)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def reading() -> str:
    """A digest of all that decides how a text is read: the code that does it, the grammars, the parser of SQL."""
    from importlib.metadata import version  # slow to import, and most commands read nothing

    digest = blake2b(version("sqlglot").encode(), digest_size=16)
    for room in (*(PACKAGE / name for name in ("readers", "language", "model", "rdf")), GRAMMARS):
        for file in sorted((*room.rglob("*.py"), *room.rglob("*.lark"))):
            digest.update(file.read_bytes())
    return digest.hexdigest()
