"""Files of SQL -> named mappings with their rules, whatever order the files come in.

What one file makes another reads: `SELECT *` from a view wants to know the view's columns. So files are read in order
of what they read and make, as far as a first reading tells it; and again where names are known now that were not
before. Each file by itself then only needs what the others make, by name: that is all they share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mdw.language.derive import derive
from mdw.model.dictionary import NOTHING, DataDictionary, EntityEntry, Told, merged
from mdw.model.errors import InputError
from mdw.model.query import SqlScript, Statement
from mdw.readers.blocks import mapping_of
from mdw.readers.inputs import Input
from mdw.readers.reading import Named
from mdw.readers.sql.scripts import read_script

ROUNDS = 10
"""Times that files are read again because names have become known, where they go round in a circle."""

Entries = dict[str, EntityEntry]
"""What is told of entities, by canonical name."""


@dataclass
class _File:
    """A file of SQL with what was read of it last, and what was known by then of the entities it reads."""

    label: str
    text: str
    script: SqlScript
    known: Entries


def read_folder(
    inputs: Sequence[Input], dialect: str, before: Told = NOTHING
) -> Iterator[Named | Statement | EntityEntry | InputError]:
    """The mappings of files of SQL, each file's statements after them, and an error for what cannot be read.

    What the files tell of entities comes last. ``before`` is what was told of entities before.
    """
    files: list[_File] = []
    for one in inputs:
        try:
            text = "".join(one.lines())
        except InputError as error:
            yield error
            continue
        files.append(_File(one.label, text, read_script(text, one.label, dialect, dictionary=before), {}))
    made = _made(files, {})
    for _ in range(ROUNDS):
        last = dict(made)
        for file in _in_order(files):
            _read_again(file, dialect, made, before)
            made = _made([file], made)
        if made == last:
            break
    for file in files:
        yield from _mappings(file)
    yield from made.values()


def _read_again(file: _File, dialect: str, made: Entries, before: Told) -> None:
    """Read a file once more, if more is known of what it reads and fills than before."""
    names = {name for one in file.script.statements for name in (*one.reads, *one.writes)}
    own = {entry.name for entry in file.script.entries if entry.whole}
    known = {name: made[name] for name in sorted((names & made.keys()) - own)}
    if file.known != known:
        told = DataDictionary(tuple(known.values()), before)
        file.script = read_script(file.text, file.label, dialect, dictionary=told)
    file.known = known


def _made(files: Sequence[_File], made: Mapping[str, EntityEntry]) -> Entries:
    """What files tell of entities."""
    found = dict(made)
    for entry in (entry for file in files for entry in file.script.entries):
        found[entry.name] = merged(found[entry.name], entry) if entry.name in found else entry
    return found


def _in_order(files: Sequence[_File]) -> list[_File]:
    """The files, each after those that make what it reads; round a cycle as they come."""
    makers: dict[str, list[int]] = {}
    for number, file in enumerate(files):
        for name in dict.fromkeys(name for one in file.script.statements for name in one.writes):
            makers.setdefault(name, []).append(number)
    found: dict[int, None] = {}
    for start in range(len(files)):
        pending: list[tuple[int, bool]] = [(start, False)]
        begun: set[int] = set()
        while pending:
            number, done = pending.pop()
            if done:
                found[number] = None
            elif number not in found and number not in begun:
                begun.add(number)
                pending.append((number, True))
                reads = dict.fromkeys(name for one in files[number].script.statements for name in one.reads)
                pending += [(maker, False) for name in reads for maker in makers.get(name, ())]
    return [files[number] for number in found]


def _mappings(file: _File) -> Iterator[Named | Statement | InputError]:
    for statement in file.script.statements:
        for block in statement.blocks:
            tree = mapping_of(block)
            yield Named(tree, derive(tree, block.name))
        if statement.status == "failed":
            lines = file.text.splitlines()
            at = statement.location
            excerpt = lines[at.line - 1] if 0 < at.line <= len(lines) else ""
            yield InputError(statement.message, location=at, excerpt=excerpt, caret=at.column - 1)
        yield statement
