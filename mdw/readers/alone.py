"""Inputs that are read each by itself, text, tables and exports of columns: what each holds, and behind it a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mdw.model.dictionary import EntityEntry
from mdw.model.errors import InputError
from mdw.model.files import FileRecord
from mdw.readers.inputs import Input, fingerprint, unreadable
from mdw.readers.reading import Described, Meter, Named, read_input
from mdw.resources import reading

if TYPE_CHECKING:
    from mdw.readers.sharing.pool import Pool

Item: TypeAlias = Named | Described | InputError | FileRecord


class _Examined(NamedTuple):
    """An input, before it is read; what is to be said ``instead`` of what it holds, if it is not read."""

    input: Input
    digest: str = ""
    instead: FileRecord | InputError | None = None


class _Part(NamedTuple):
    examined: _Examined
    items: Iterable[Named | Described | InputError]
    last: bool = True


def mappings(
    inputs: Iterable[Input], records: Mapping[str, FileRecord], meter: Meter, pool: Pool | None
) -> Iterator[Item]:
    """The mappings of texts and of tables; of a text that says what it said before only its record.

    Where there is a ``pool`` of processes, they read the texts.
    """
    whole = True
    for examined, items, last in _parts((_examined(one, records) for one in inputs), meter, pool):
        if examined.instead:
            meter.done += examined.input.size if isinstance(examined.instead, FileRecord) else 0
            yield examined.instead
            continue
        for item in items:
            whole = whole and not isinstance(item, InputError)
            yield item
        if last:
            yield FileRecord(examined.input.label, examined.input.root, examined.digest, "", whole=whole)
            whole = True


def _examined(one: Input, records: Mapping[str, FileRecord]) -> _Examined:
    # Only of files in folders records are kept.
    if not (one.folder and one.path and one.kind == "text"):
        return _Examined(one)
    try:
        digest = f"{reading()} {fingerprint(one.path)}"
    except OSError as error:
        return _Examined(one, instead=unreadable(one.name, error))
    record = records.get(one.label)
    unchanged = record is not None and record.whole and record.digest == digest
    return _Examined(one, digest, record if unchanged else None)


def _parts(inputs: Iterator[_Examined], meter: Meter, pool: Pool | None) -> Iterator[_Part]:
    """What the inputs hold, in order."""
    if pool is None:
        for examined in inputs:
            yield _Part(examined, read_input(examined.input, meter))
        return
    from mdw.readers.sharing.texts import read_texts  # only a large load has use for it

    texts = ((one, one.input if one.input.kind == "text" and not one.instead else None) for one in inputs)
    for examined, items, last in read_texts(pool, texts, meter):
        yield _Part(examined, read_input(examined.input, meter) if examined.input.kind != "text" else items, last)


def dictionary(one: Input, dialect: str) -> Iterator[InputError | FileRecord]:
    """What an export of columns, or tables, tell of entities, all of it in one record."""
    entries: list[EntityEntry] = []
    for item in _entries(one, dialect):
        if isinstance(item, InputError):
            yield item
        else:
            entries.append(item)
    yield FileRecord(one.label, one.root, "", "", entries=tuple(entries), whole=bool(entries))


def _entries(one: Input, dialect: str) -> Iterator[EntityEntry | InputError]:
    if one.kind == "columns":
        from mdw.readers.exports import read_export

        yield from read_export(one, dialect)
    elif one.path:
        from mdw.readers.tables import files

        try:
            yield from files.entries(one.path)
        except InputError as error:
            yield error
