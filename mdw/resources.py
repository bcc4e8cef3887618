"""The folders mdw reads besides its code: below the package in a wheel, beside it in a checkout."""

from __future__ import annotations

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
