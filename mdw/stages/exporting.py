"""A store -> RDF, canonical text, tables."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import IO, Literal

from mdw.language.unparse import unparse
from mdw.model.errors import OutputError, writing
from mdw.store import trees
from mdw.store.dictionary import StoredDictionary
from mdw.store.directory import is_store
from mdw.store.engine import Store


def export(store: Store, form: Literal["trig", "nquads", "text"], target: str | Path | IO[bytes]) -> None:
    """Every quad, or every tree as text, into a file or a stream."""
    if form != "text":
        store.export(target, form)
    elif isinstance(target, str | Path):
        with writing(target), Path(target).open("wb") as file:
            _write(store, file)
    else:
        _write(store, target)


def text(store: Store, mapping: str) -> str:
    """The tree of a mapping -> its canonical text."""
    return unparse(trees.tree(store, mapping))


def tables(store: Store, folder: Path, form: Literal["parquet", "csv"]) -> dict[str, int]:
    """Every tree, and what the data dictionary tells -> rows of tables -> files; how many rows each table has."""
    from mdw.readers.tables import dictionary, files, split  # Arrow is slow to import

    if is_store(folder):
        raise OutputError(f"{folder} is a store: tables take a folder of their own")
    rows = (row for name, tree in trees.trees(store) for row in split.split(name, tree))
    told = (row for entry in StoredDictionary(store) for row in dictionary.rows_of(entry))
    return files.write(chain(rows, told), folder, form)


def _write(store: Store, file: IO[bytes]) -> None:
    for number, (_, tree) in enumerate(trees.trees(store)):
        file.write(("\n" * bool(number) + unparse(tree)).encode())
