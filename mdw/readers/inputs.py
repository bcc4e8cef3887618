"""Files, folders, databases, standard input and plain text -> what is to be read, each of one kind."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, file_digest
from itertools import count
from pathlib import Path
from typing import IO, Literal

from mdw.model.errors import InputError, system_says
from mdw.model.tree import Location
from mdw.readers.opening import Whereabouts, opened, unzipped
from mdw.readers.recognising import (
    ENDING,
    EXPORTS,
    MANIFEST,
    SQL,
    TABLES,
    is_database,
    is_dbt,
    is_export,
    is_extraction,
    is_passed_over,
    is_text,
    rdf_form,
)

Kind = Literal["text", "sql", "dbt", "tables", "database", "rdf", "columns"]

PROJECT = "dbt_project.yml"
"""What a dbt project is known by, compiled or not."""
COMPILE = "compile the project first: dbt compile"
NOTHING_IN_IT = "holds neither mapping text nor SQL nor tables"
_HALF = re.compile("[\ud800-\udfff]")
_BLOCK = 1 << 16
TEXT = "<text>"
STDIN = "<stdin>"
BOM = b"\xef\xbb\xbf"
# Passwords get into URLs in two ways, before the host and as parameters; error messages and logs must show neither.
_LOGIN = re.compile(r"^(jdbc:\w+:(?:thin:|oci:)?(?://)?)[^?;]*@")
_SECRET = re.compile(r"(?i)(\w*(?:user|password|passphrase|pwd|secret|token)\w*)=(?:\{[^}]*\}|[^&;]*)")


@dataclass(frozen=True, slots=True)
class Input:
    """One thing to read: file or folder by ``path``, database by ``url``, ``text``, ``data``, else standard input."""

    name: str
    path: Path | None = None
    text: str | None = None
    data: bytes | None = None
    url: str | None = None
    size: int = 0
    kind: Kind = "text"
    folder: Path | None = None
    lead: str = ""

    @property
    def stem(self) -> str:
        """The name by which unnamed mappings of this input are told from those of others."""
        return self.path.stem if self.path else "text"

    @property
    def label(self) -> str:
        """The path within the ``folder`` that was named, the same wherever that folder lies; else the name.

        ``lead`` stands before it where another folder has a file of that path.
        """
        if not self.path or not self.folder:
            return self.name
        label = _within(self.path, self.folder)
        return f"{self.lead}/{label}" if self.lead else label

    @property
    def form(self) -> str:
        """How an export of columns is written: csv, json or parquet."""
        return EXPORTS[self.path.suffix.lower()] if self.path else ""

    @property
    def delimiter(self) -> str:
        """What stands between the values of a line."""
        return "\t" if self.path and self.path.suffix.lower() == ".tsv" else ","

    @property
    def root(self) -> str:
        """The path of the ``folder`` from the system's root; "" if none was named."""
        if not self.folder:
            return ""
        return _resolved(self.folder if self.folder.is_absolute() else Path.cwd() / self.folder)

    def lines(self) -> Iterator[str]:
        """The lines, ends kept; InputError where the input is unreadable or is not UTF-8."""
        # Line ends of any system become \n, as they do where Python reads a file as text.
        if self.text is not None:
            return map(self._whole, io.StringIO(self.text, newline=None), count(1))
        return self._decoded()

    def _whole(self, line: str, number: int) -> str:
        # Python's texts may hold halves of characters, which nothing can write down.
        found = _HALF.search(line)
        if found:
            raise InputError("half a character", location=Location(self.name, number, found.start() + 1), excerpt=line)
        return line

    def _decoded(self) -> Iterator[str]:
        # Decoded line by line: an error can name the line, and a file of any size needs the memory of one.
        try:
            with self.open() as stream:
                for number, line in enumerate(stream, 1):
                    yield self._decode(line.removeprefix(BOM) if number == 1 else line, number)
        except OSError as error:
            raise unreadable(self.name, error) from error

    def content(self) -> bytes:
        """All of it; InputError if it cannot be read."""
        if self.text is not None:
            return self.text.encode()
        try:
            with self.open() as stream:
                return stream.read()
        except OSError as error:
            raise unreadable(self.name, error) from error

    def open(self) -> IO[bytes]:
        """The bytes, unpacked."""
        if self.data is not None:
            return io.BytesIO(self.data)
        if self.path and self.path.suffix.lower() == ".gz":
            return unzipped(self.path)
        # Standard input stays open: it is the process's, and a second `-` finds it at its end.
        return opened(self.path) if self.path else open(0, "rb", closefd=False)

    def _decode(self, line: bytes, number: int) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            column = len(line[: error.start].decode()) + 1
            # A file that is not text from its first byte on would only show as rubbish.
            excerpt = line.decode(errors="replace").rstrip() if number > 1 or column > 1 else ""
            where = Location(self.name, number, column)
            raise InputError("not UTF-8 text", location=where, excerpt=excerpt, hint="save it as UTF-8") from error


def find(sources: Iterable[str | Path]) -> tuple[list[Input], list[InputError]]:
    """What the sources hold, files of a folder in order of their paths, and what cannot be read.

    A `Path` is a file or folder; a `str` is mapping text if it looks like it, ``-`` is standard input, what begins with
    ``jdbc:`` a database, anything else a path. A file met twice is read once.
    """
    # By what tells inputs apart: resolved paths and URLs once each, texts and standard input each time.
    found: dict[object, Input] = {}
    errors: list[InputError] = []
    whereabouts = Whereabouts()
    for source in sources:
        if isinstance(source, str) and (source == "-" or is_text(source)):
            one = Input(STDIN) if source == "-" else Input(TEXT, text=source, size=len(source))
            found[len(found)] = one
            continue
        if source == "":
            errors.append(InputError("an empty name is no file", hint="name a file or a folder; '.' is this one"))
            continue
        if isinstance(source, str) and is_database(source):
            found[source] = Input(shown(source), url=source, kind="database")
            continue
        try:
            named = Path(source)
            named = named.parent if named.name == MANIFEST and is_extraction(named.parent) else named
            folder = named if named.is_dir() else None
            paths = _paths(named, whereabouts, errors)
        except OSError as error:
            errors.append(unreadable(str(source), error))
            continue
        for path in paths:
            try:
                place = whereabouts.of(path)
                _nameable(str(path), place)
                found[place] = _input(path, folder)
            except OSError as error:
                errors.append(unreadable(str(path), error))
    return list(found.values()), errors


@lru_cache(maxsize=16)
def _resolved(folder: Path) -> str:
    return str(folder.resolve())


def _within(path: Path, folder: Path) -> str:
    # Asked a dozen times a file: texts are compared in a tenth of the time of paths.
    text, start = path.as_posix(), f"{folder.as_posix()}/"
    return text[len(start) :] if text.startswith(start) else path.relative_to(folder).as_posix()


def fingerprint(path: Path) -> str:
    """A hash of a file, or of all files in a folder, with their names."""
    # Names without their folder: the same files elsewhere, or on another machine, are the same input.
    digest = blake2b(digest_size=16)
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            digest.update(os.fsencode(file.name))
            with opened(file) as stream:
                digest.update(_sum(stream))
    return digest.hexdigest()


def _sum(stream: io.BufferedReader) -> bytes:
    # Of thousands of small files most of the time would go into the buffer that `file_digest` makes for each.
    first = stream.read(_BLOCK)
    if len(first) < _BLOCK:
        return blake2b(first).digest()
    stream.seek(0)
    return file_digest(stream, "blake2b").digest()


def shown(url: str) -> str:
    """The URL of a database without who is to log in, and with what.

    >>> shown("jdbc:postgresql://host:5432/bank?user=me&password=geheim&ssl=true")
    'jdbc:postgresql://host:5432/bank?user=…&password=…&ssl=true'
    """
    return _SECRET.sub(r"\1=…", _LOGIN.sub(r"\1", url))


def unreadable(name: str, error: OSError) -> InputError:
    """The operating system's complaint in our words."""
    return InputError(f"cannot read {name}: {system_says(error)}")


def _readable(name: str) -> bool:
    return name.lower().endswith((ENDING, *SQL)) or rdf_form(name) != ""


def _nameable(*paths: str) -> None:
    """OSError unless a store can hold the names of files: on Linux they may be bytes that are no text."""
    if any(map(_HALF.search, paths)):
        raise OSError(None, "its path has bytes that are no text: rename it")


def _input(path: Path, folder: Path | None) -> Input:
    if not path.is_dir():
        # A pipe that somebody names is read; one that lies in a folder would be waited for without end.
        if folder and path.exists() and not path.is_file():
            raise OSError(None, "it is neither a file nor a folder")
        kind: Kind = "rdf" if rdf_form(path.name) else "sql" if path.name.lower().endswith(SQL) else "text"
        kind = "columns" if path.suffix.lower() in EXPORTS else kind
        return Input(str(path), path, size=path.stat().st_size, kind=kind, folder=folder)
    size = sum(one.stat().st_size for one in path.iterdir() if one.is_file())
    return Input(str(path), path, size=size, kind="tables" if any((path / name).exists() for name in TABLES) else "dbt")


def _paths(path: Path, whereabouts: Whereabouts, errors: list[InputError]) -> list[Path]:
    """The file itself, or what is below a folder and not hidden: mapping files, RDF in lines, folders of tables."""
    if not path.exists():
        raise FileNotFoundError(None, "no such file or folder")
    if path.name == MANIFEST and is_dbt(path.parent):
        return [path.parent]
    manifest = path / MANIFEST if path.is_dir() else path
    known = is_dbt(manifest.parent) or is_extraction(manifest.parent)
    if manifest.name == MANIFEST and manifest.is_file() and not known:
        errors.append(InputError(f"{manifest} is no manifest of dbt: it tells no dbt_schema_version", hint=COMPILE))
        if not path.is_dir():
            return []
    # A file that was named and cannot be read is an error; in a folder such files are passed over.
    if not path.is_dir():
        if not _readable(path.name) and not is_export(path):
            rest = "RDF in lines (.nt, .nq, also with .gz); and exports of information_schema.columns"
            said = f"of files mdw reads mapping text ({ENDING}), SQL ({', '.join(SQL)}) and {rest}"
            errors.append(InputError(f"cannot read {path}: {said}"))
            return []
        return [path]
    found: list[Path] = []
    for folder, folders, names in os.walk(path, onerror=lambda error: errors.append(unreadable(str(path), error))):
        # In place: that is how `os.walk` is told which folders not to enter.
        folders[:] = [name for name in folders if not name.startswith(".")]
        if is_dbt(Path(folder)):
            # What dbt has compiled besides is in its manifest too.
            folders.clear()
            found.append(Path(folder))
            continue
        if PROJECT in names:
            # Models are templates: what they say is known when dbt has compiled them.
            folders.clear()
            found += _compiled(Path(folder), errors)
            continue
        readable = [Path(folder, name) for name in names if _readable(name) and not name.startswith(".")]
        found += [one for one in readable if not is_passed_over(one)]
        if any(name in names for name in TABLES):
            found.append(Path(folder))
        else:
            found += [
                Path(folder, name) for name in names if not name.startswith(".") and is_export(Path(folder, name))
            ]
    found = [one for one in found if not _leads_out(one, path, whereabouts, errors)]
    if not found and not errors:
        hint = (
            f"files of mapping text end in {ENDING}, of SQL in {SQL[0]}; a folder of tables has {' or '.join(TABLES)}"
        )
        errors.append(InputError(f"{path} {NOTHING_IN_IT}", hint=hint))
    return sorted(found)


def _leads_out(path: Path, folder: Path, whereabouts: Whereabouts, errors: list[InputError]) -> bool:
    """Whether a file of a folder, or a table among it, is a link to what lies elsewhere, which is not read."""
    tables = [one for one in path.iterdir() if one.suffix in EXPORTS] if path.is_dir() else []
    out = [one for one in (path, *tables) if whereabouts.lead_out(one, folder)]
    hint = "name the file itself, if it is to be read"
    errors += (InputError(f"cannot read {one}: it leads out of the folder {folder}", hint=hint) for one in out)
    return bool(out)


def _compiled(project: Path, errors: list[InputError]) -> list[Path]:
    """What dbt has left of a project in a folder of it; an error if it has not."""
    found = [folder for folder in sorted(project.iterdir()) if folder.is_dir() and is_dbt(folder)]
    if not found:
        errors.append(InputError(f"{project} is a dbt project without a folder target", hint=COMPILE))
    return found
