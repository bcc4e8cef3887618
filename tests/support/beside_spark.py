"""What one process makes of the same inputs: the answer that Spark is held to."""

from __future__ import annotations

from pathlib import Path

from graphs import quads

from mdw import Origins, Warehouse

Found = dict[str, set[tuple[object, ...]]]


def in_process(*sources: str | Path) -> list[bytes]:
    """The quads of a plain load."""
    with Warehouse() as warehouse:
        warehouse.load(*sources)
        warehouse.query("ASK {}")
        return quads(warehouse)


def held(store: Path) -> list[bytes]:
    """The quads of a store on disk."""
    with Warehouse(store, create=False) as warehouse:
        warehouse.query("ASK {}")
        return quads(warehouse)


def alone(records: list[Origins]) -> Found:
    """What one process finds, by attribute."""
    found: Found = {}
    for record in records:
        sources: list[tuple[object, ...]] = [(name, "golden", None, None, None) for name in record.golden]
        sources += [(name, "interrupted", None, None, None) for name in record.interrupted]
        sources += [(c.target, "constant", c.mapping, c.value, str(c.location)) for c in record.constants]
        sources += [(record.attribute, "unread", None, None, str(place)) for place in record.unread]
        if sources:
            found[record.attribute] = {(*source, record.undecided, bool(record.unread)) for source in sources}
    return found


def texts(folder: Path, **files: str | bytes) -> Path:
    """A folder of mapping files."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.map").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder
