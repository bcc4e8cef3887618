"""The manifest of a folder that was extracted from a database: what is in it, what is not, and since when.

    manifest.json                       this, written last
    mdw.toml                            the dialect and the search path of the database
    mart/tables/customer.sql            an object a file, a folder for each schema and kind

Whoever loads the folder is told what became of it since (`changes`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, fields
from hashlib import file_digest
from pathlib import Path
from typing import Any, Literal, TypeVar

from mdw.model.errors import InputError, system_says
from mdw.readers.documents import parsed
from mdw.readers.inputs import Input
from mdw.readers.opening import is_file_in, leads_out, opened
from mdw.readers.recognising import EXTRACTION, MANIFEST, is_extraction

State = Literal["running", "partial", "complete"]
Cause = Literal["rights", "locked", "gone", "time", "lost", "refused"]
VERSION = 1
NAMED = 5
"""Files that are named one by one when they have changed."""
SETTINGS = "mdw.toml"
NAMES = ("search_path", "new", "changed", "gone")
"""What a manifest has lists of names of."""
Value = TypeVar("Value", "ExtractedFile", "Unread")


@dataclass(frozen=True, slots=True)
class ExtractedFile:
    """An object of a database and the file its definition is in; ``signature`` tells those of one name apart.

    ``note`` says what the definition does not: that it is hidden, that it lies outside of the database.
    """

    kind: str
    schema: str
    name: str
    signature: str
    file: str
    sha256: str
    enabled: bool = True
    note: str = ""
    masked: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read: an object or, without a name, all of a kind; the sort of its cause, and its words."""

    kind: str
    schema: str
    name: str
    signature: str
    cause: Cause
    message: str

    @property
    def what(self) -> str:
        """How it is called in messages."""
        if self.name:
            return f"{self.kind} {f'{self.schema}.' if self.schema else ''}{self.name}"
        return f"all of kind {self.kind}{f' in {self.schema}' if self.schema else ''}"


@dataclass(frozen=True, slots=True)
class ExtractionManifest:
    """What was extracted from which database, when, and with which errors; ``untried``: no test has met its kind.

    ``new``, ``changed`` and ``gone`` are the files that are no more as the run before, at ``since``, had left them.
    """

    database: str
    system: str
    server: str
    dialect: str
    search_path: tuple[str, ...]
    began: str
    ended: str
    state: State
    objects: tuple[ExtractedFile, ...] = ()
    errors: tuple[Unread, ...] = ()
    settings: str = ""
    untried: bool = False
    since: str = ""
    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        listed = {name: list(map(_row, getattr(self, name))) for name in ("objects", "errors")}
        names = {name: list(getattr(self, name)) for name in NAMES}
        return {EXTRACTION: VERSION, **_row(self), **names, **listed}


def _row(value: Any) -> dict[str, Any]:
    return {one.name: getattr(value, one.name) for one in fields(value)}


def read_manifest(folder: Path) -> ExtractionManifest | None:
    """The manifest of a folder; None where there is none. InputError if it cannot be read."""
    file = folder / MANIFEST
    if not is_extraction(folder):
        return None
    if leads_out(file, folder):
        raise InputError(f"cannot read {file}: it leads out of the folder {folder}")
    try:
        with opened(file) as stream:
            said = parsed(stream.read().decode())
        given = dict(_given(ExtractionManifest, said, ""))
        given["objects"] = tuple(_values(ExtractedFile, said, "objects"))
        given["errors"] = tuple(_values(Unread, said, "errors"))
        given |= {name: _texts(said, name) for name in NAMES}
        return ExtractionManifest(**given)
    except OSError as error:
        raise InputError(f"cannot read {file}: {system_says(error)}") from error
    except json.JSONDecodeError as error:
        place = f"it ends or goes wrong in line {error.lineno}, column {error.colno}"
        raise InputError(f"cannot read {file}: it is no manifest of an extraction: {place}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"cannot read {file}: it is no manifest of an extraction: {error}") from error


def _values(kind: type[Value], said: dict[str, Any], name: str) -> Iterator[Value]:
    for number, row in enumerate(_list(said, name)):
        yield kind(**dict(_given(kind, row, f"{name}[{number}].")))


def _given(kind: type, row: Any, where: str) -> Iterator[tuple[str, Any]]:
    """The fields of plain values that are said; ValueError if one is of another type."""
    if not isinstance(row, dict):
        raise ValueError(f"{where.rstrip('.') or 'it'} is no object")
    types = {"str": str, "State": str, "Cause": str, "bool": bool}
    for one in fields(kind):
        wanted = types.get(str(one.type))
        if wanted and one.name not in row and one.default is MISSING:
            raise ValueError(f"{where}{one.name} is missing")
        if wanted and one.name in row:
            if not isinstance(row[one.name], wanted):
                raise ValueError(f"{where}{one.name} is not {'a text' if wanted is str else 'true or false'}")
            yield one.name, row[one.name]


def _texts(said: dict[str, Any], name: str) -> tuple[str, ...]:
    found = _list(said, name)
    if not all(isinstance(one, str) for one in found):
        raise ValueError(f"{name} is no list of texts")
    return tuple(found)


def _list(said: dict[str, Any], name: str) -> list[Any]:
    found = said.get(name, [])
    if not isinstance(found, list):
        raise ValueError(f"{name} is no list")
    return found


# -- what became of it -------------------------------------------------------------------------------------------------


def changes(inputs: Iterable[Input]) -> Iterator[str]:
    """A sentence for each thing that is to be known of extracted folders among those that are read."""
    folders: dict[Path, set[Path]] = {}
    for one in inputs:
        if one.path and one.folder:
            for parent in one.path.parents:
                folders.setdefault(parent, set()).add(one.path)
                if parent == one.folder:
                    break
    for folder, files in sorted(folders.items()):
        try:
            manifest = read_manifest(folder)
        except InputError as error:
            yield str(error)
            continue
        if manifest is not None:
            yield from _changes(folder, manifest, files)


def _changes(folder: Path, manifest: ExtractionManifest, files: Iterable[Path]) -> Iterator[str]:
    if manifest.state == "running":
        yield f"{folder} is half of an extraction, which did not come to its end: run mdw extract again"
    if manifest.errors:
        some = "; ".join(f"{one.what}: {one.message}" for one in manifest.errors[:NAMED])
        yield (
            f"{folder} holds not all of its database: {_some(len(manifest.errors), 'error', '')} when it was "
            f"extracted ({some}{'; …' if manifest.errors[NAMED:] else ''}): mdw extract --again runs only these"
        )
    hidden = [f"{one.kind} {one.schema}.{one.name}" for one in manifest.objects if one.note.startswith("hidden")]
    if hidden:
        yield f"{folder}: without their definitions, which the database hides: {_named(hidden)}"
    # Files are held against what was written then: somebody may have changed, added or removed some since.
    known = {one.file: one.sha256 for one in manifest.objects}
    if manifest.settings:
        known[SETTINGS] = manifest.settings
    there = {file.relative_to(folder).as_posix() for file in files}
    missing, changed = [], []
    for name, digest in sorted(known.items()):
        found = digest_of(folder, name)
        if found is None:
            missing.append(name)
        elif found != digest:
            changed.append(name)
    for what, names in (("changed", changed), ("missing", missing), ("added", sorted(there - known.keys()))):
        if names:
            yield f"{folder}: {what} since {manifest.ended or manifest.began}: {_named(names)}"


def digest_of(folder: Path, name: str) -> str | None:
    """The digest of a file that a manifest names; None where it is not there, or not within the folder."""
    path = folder / name
    if not is_file_in(folder, path):
        return None
    try:
        with opened(path) as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _named(names: list[str]) -> str:
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _some(count: int, one: str, ending: str) -> str:
    return f"{count} {one}{'' if count == 1 else 's'}{ending}"
