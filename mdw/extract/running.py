"""The URL of a database -> a folder of files: what is read in which order, and what is run again.

patience = Patience(statement=10)
extract("sqlite:///shop.db", Path("extracted"), patience)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from mdw.extract.addresses import Address, address
from mdw.extract.ahead import ahead
from mdw.extract.limits import Clock, Patience
from mdw.extract.objects import Catalogue, Chosen, DatabaseObject
from mdw.extract.writing import ExtractedFolder
from mdw.model.errors import DatabaseError
from mdw.readers.files.manifests import ExtractedFile, ExtractionManifest, Unread

TRIED = ("postgresql", "sqlite", "duckdb")
EXTRA = 'pip install "mdw[databases]"'


def extract(
    url: str,
    folder: Path,
    limits: Patience | None = None,
    *,
    again: bool = False,
    progress: Callable[[int], None] = lambda _count: None,
) -> ExtractionManifest:
    """Write what a database says of itself into a folder; ``again``: only what an earlier run could not read.

    DatabaseError if it cannot be reached at all: then the folder stays as it was. What cannot be read of it is in the
    manifest, the rest is written. OutputError if the folder holds other things, or nothing that could be run again.
    """
    place = address(url)
    target = ExtractedFolder(folder, place.shown)
    wanted = _again(target) if again else Chosen()
    catalogue = _opened(place, Clock(limits or Patience()))
    try:
        return _written(catalogue, place, target, wanted, progress)
    finally:
        catalogue.close()


def _again(target: ExtractedFolder) -> Chosen:
    """What an earlier run could not read."""
    former = target.former
    if former is None or former.state == "running":
        raise DatabaseError(f"{target.path} holds no whole extraction: nothing can be run again")
    return Chosen({(one.kind, one.schema, one.name, one.signature) for one in former.errors})


def _written(
    catalogue: Catalogue,
    place: Address,
    target: ExtractedFolder,
    wanted: Chosen,
    progress: Callable[[int], None],
) -> ExtractionManifest:
    manifest = ExtractionManifest(
        place.shown,
        catalogue.system,
        catalogue.server,
        catalogue.dialect,
        catalogue.search_path,
        _now(),
        "",
        "running",
        errors=target.former.errors if target.former else (),
        untried=catalogue.system not in TRIED,
    )
    target.begin(manifest)
    objects: list[ExtractedFile] = []
    errors: list[Unread] = []
    for one in ahead(catalogue.objects(wanted)):
        if isinstance(one, DatabaseObject):
            objects.append(target.write(one, catalogue.dialect))
            progress(len(objects))
        else:
            errors.append(one)
    found = (*_kept(target, wanted, objects), *objects)
    return target.end(
        replace(manifest, ended=_now(), state="partial" if errors else "complete", objects=found, errors=tuple(errors))
    )


def _kept(target: ExtractedFolder, wanted: Chosen, objects: list[ExtractedFile]) -> list[ExtractedFile]:
    """What an earlier run has written, and this one was not to read."""
    if wanted.keys is None or target.former is None:
        return []
    now = {one.file for one in objects}
    # Keys and comments are part of the files of tables and views: these are read anew.
    anew = wanted.keys if not wanted.kind("keys", "comments") else Chosen().keys
    if anew is None:
        kinds = ("table", "view", "materialized view")
        wanted = Chosen({*wanted.keys, *((kind, "", "", "") for kind in kinds)})
    return [
        one
        for one in target.former.objects
        if one.file not in now
        and not wanted.one(one.kind, one.schema, one.name, tuple(one.signature.split(",")) if one.signature else ())
    ]


def _opened(place: Address, clock: Clock) -> Catalogue:
    """The catalogue of a database, by its kind; DatabaseError if its driver is not there."""
    # Drivers are imported by who needs them: none is part of mdw itself.
    try:
        if place.system == "postgresql":
            from mdw.extract.catalogues.postgresql import Postgresql

            return Postgresql(place, clock)
        if place.system == "sqlite":
            from mdw.extract.catalogues.sqlite import Sqlite

            return Sqlite(place, clock)
        if place.system == "duckdb":
            from mdw.extract.catalogues.duckdb import Duckdb

            return Duckdb(place, clock)
        from mdw.extract.catalogues.inspected import Inspected

        return Inspected(place, clock)
    except ModuleNotFoundError as error:
        raise DatabaseError(f"cannot read {place.shown}: there is no {error.name}; {EXTRA} brings it") from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
