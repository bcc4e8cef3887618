"""A file of SQL -> what is known of it before it is read: settings, dialect, what it seems to make and to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from mdw.model.errors import InputError
from mdw.model.files import FileRecord, SqlFile
from mdw.readers.files.glances import Glance, glance
from mdw.readers.files.settings import Settings
from mdw.readers.files.telltales import Guess, by_client, by_name, by_text
from mdw.readers.files.texts import decoded
from mdw.readers.inputs import Input
from mdw.resources import reading

ANSI = "ansi"


class FoundFile(NamedTuple):
    """A file of SQL, and the settings that hold for it."""

    input: Input
    settings: Settings


class Look(NamedTuple):
    """What a look at the words of a file tells: a digest of its bytes, its encoding, and see `PlannedFile`."""

    digest: str
    encoding: str
    glance: Glance
    tells: Guess


@dataclass
class PlannedFile:
    """A file of SQL that is to be read. Its text is not kept: thousands of them are planned together.

    ``file`` is its path within the folder that was named.
    ``record`` is what the same bytes were read as before, if they were. ``lent`` is a digest of the files whose
    routines it may call.
    """

    input: Input
    file: str
    settings: Settings
    digest: str
    encoding: str
    glance: Glance
    tells: Guess
    record: FileRecord | None = None
    dialect: str = ""
    because: str = ""
    lent: str = ""

    @property
    def under(self) -> str:
        """The dialect, schemas and other files' routines that it is read under, as a text."""
        said = self.settings
        names = (self.dialect, said.catalog, said.schema, said.collation, *said.search_path, *said.entries)
        return "|".join((*names, self.lent) if self.lent else names)

    @property
    def path(self) -> tuple[str, ...]:
        """The schemas of plain names."""
        said = self.settings
        return said.search_path or ((said.schema,) if said.schema else ())

    @property
    def usable(self) -> FileRecord | None:
        """The record, if the same would be read now as far as the file itself decides."""
        return self.record if self.record and self.record.whole and self.record.under == self.under else None

    def seen(self, **found: Any) -> FileRecord:
        """The record of what was seen of it before it was read, and of what was ``found`` then."""
        return FileRecord(
            self.file,
            self.input.root,
            self.digest,
            self.under,
            makes=tuple(sorted(self.glance.makes)),
            reads=tuple(sorted(self.glance.reads)),
            tells=tuple(sorted(self.glance.tells)),
            routines=tuple(sorted(self.glance.routines)),
            calls=tuple(sorted(self.glance.calls)),
            fills=tuple(sorted(self.glance.fills)),
            watches=tuple(sorted(self.glance.watches)),
            given=tuple(sorted(self.glance.given)),
            told=(self.tells.dialect, self.tells.because),
            encoding=self.encoding,
            **found,
        )

    def text(self) -> str:
        """The text as it is now; InputError if it cannot be read."""
        return decoded(self.input.content(), self.file, self.settings.encoding).text

    def said(self, *, unchanged: bool) -> SqlFile:
        """What is told of it."""
        return SqlFile(self.file, self.dialect, self.because, self.encoding, unchanged)


def look(one: FoundFile, record: FileRecord | None = None) -> Look | InputError:
    """A look at a file, its record if that is of the same bytes; why it cannot be read, if it cannot or is no text."""
    try:
        data = one.input.content()
        digest = _digest(one, data)
        if record is None or record.digest != digest:
            return _look(one, data, digest)
    except InputError as error:
        return error
    names = (record.makes, record.reads, record.tells, record.routines, record.calls, record.fills, record.watches)
    return Look(digest, record.encoding, Glance(*map(frozenset, (*names, record.given))), Guess(*record.told))


def planned(one: FoundFile, seen: Look, record: FileRecord | None) -> PlannedFile:
    """A file that was looked at."""
    same = record if record and record.digest == seen.digest else None
    return PlannedFile(one.input, one.input.label, one.settings, *seen, same)


def _digest(one: FoundFile, data: bytes) -> str:
    # With the code that reads: another version of mdw may read the same bytes otherwise.
    under = f"{reading()} {one.settings.encoding} {_told(one)} ".encode()
    return blake2b(under + data, digest_size=16).hexdigest()


def _told(one: FoundFile) -> bool:
    """Whether the dialect is told: what the text tells of it matters only where nothing else does."""
    return bool(one.settings.dialect or by_name(one.input.label))


def _look(one: FoundFile, data: bytes, digest: str) -> Look:
    file = one.input.label
    found = decoded(data, file, one.settings.encoding)
    encoding = f"{found.encoding}, assumed" if found.assumed else found.encoding
    # sqlglot is slow to import, and often nothing needs reading.
    from mdw.readers.sql.masking import masked
    from mdw.readers.sql.programs.shells import is_shell, only_sql

    # In what dialect it is will be known when all files have been looked at.
    text = masked(found.text, ANSI)
    client = Guess("")
    if is_shell(file, text):
        client, text = by_client(text), only_sql(text)
    tells = Guess("") if _told(one) else client if client.dialect else by_text(text)
    return Look(digest, encoding, glance(text), tells)


def agree(scripts: Iterable[PlannedFile]) -> None:
    """Give each file of a folder its dialect: as somebody says, by its name, by its text, else that of the others.

    Where these have several, or its own text speaks of several, it is read as ANSI SQL.
    """
    folders: dict[Path | None, list[PlannedFile]] = {}
    for one in scripts:
        folders.setdefault(one.input.folder, []).append(one)
    for some in folders.values():
        _agree(some)


def _agree(scripts: Sequence[PlannedFile]) -> None:
    for one in scripts:
        named = by_name(one.file)
        if one.settings.dialect:
            one.dialect, one.because = one.settings.dialect, "told"
        elif named:
            one.dialect, one.because = named, "its name"
        else:
            one.dialect, one.because = one.tells.dialect, one.tells.because
    found = sorted({one.dialect for one in scripts if one.dialect})
    for one in scripts:
        if not one.dialect and len(found) == 1 and not one.because:
            one.dialect, one.because = found[0], "the other files of its folder"
        elif not one.dialect:
            one.dialect, one.because = ANSI, one.because or "nothing in it that tells another"
