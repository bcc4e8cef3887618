"""What became of all SQL that was read, added up: by folder, by dialect, by cause, and what would help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mdw.model.answers.causes import Cause, CauseKind, Help, Tally, folder_of
from mdw.model.answers.display import Shown
from mdw.model.answers.help import (
    DEAD,
    DICTIONARY,
    MISNAMED,
    OPENED,
    TEXT_RUN,
    UNKNOWN_CALL,
    named,
    schema_of,
    sort_of,
    what_helps,
)
from mdw.model.answers.statements import STATUSES, SqlStatement, statuses
from mdw.model.query import Status

UNTOLD = "tables whose columns nothing tells"
UNLISTED = "columns that their tables do not have"
DEDUCED = "columns that only one of the tables read can have"
EMPTY = "a rule that no row can pass, by its own conditions"
NOTED = "read by assumption"


@dataclass(frozen=True)
class Report(Shown):
    """What was read whole, in part and not at all, and why: every statement of SQL that a warehouse holds.

    ``files`` are all that were read; those in ``empty`` hold no statement. ``untold`` are the tables that statements
    read and of which nothing tells the columns, ``circles`` views that read one another in a circle,
    ``empty_rules`` the files and lines of rules that no row can pass, ``unlisted`` attributes that their entities do
    not have, each with the file and line of a rule that mentions it, ``interrupted`` those that no mapping fills though
    mappings fill their entities, each with the file and line of a rule that reads it. ``partly`` are the entities of
    which a definition was not read whole, so that nobody knows what an INSERT leaves in them (rule Q32).
    """

    files: tuple[str, ...]
    statements: tuple[SqlStatement, ...]
    untold: frozenset[str] = frozenset()
    circles: tuple[tuple[str, ...], ...] = ()
    empty_rules: frozenset[tuple[str, int]] = frozenset()
    unlisted: tuple[tuple[str, str, int], ...] = ()
    interrupted: tuple[tuple[str, str, int], ...] = ()
    partly: tuple[str, ...] = ()

    @property
    def statuses(self) -> dict[Status, int]:
        """How many statements were understood how far."""
        return statuses(self.statements)

    @property
    def empty(self) -> tuple[str, ...]:
        """The files without any statement."""
        return tuple(sorted(set(self.files) - {one.location.file for one in self.statements}))

    @property
    def unclear(self) -> tuple[SqlStatement, ...]:
        """The statements that were not understood whole."""
        return tuple(one for one in self.statements if one.status != "whole")

    @property
    def folders(self) -> tuple[Tally, ...]:
        """The same by folder, in order of their names; files in none are in ``.``."""
        held = Counter(map(folder_of, self.files))
        found: dict[str, list[SqlStatement]] = {folder: [] for folder in sorted(held)}
        for one in self.statements:
            found.setdefault(folder_of(one.location.file), []).append(one)
        return tuple(Tally(folder, held[folder], statuses(some)) for folder, some in found.items())

    @property
    def dialects(self) -> tuple[Tally, ...]:
        """The same by dialect, in order of their names."""
        found: dict[str, list[SqlStatement]] = {}
        for one in self.statements:
            found.setdefault(one.dialect, []).append(one)
        return tuple(
            Tally(dialect, len({one.location.file for one in some}), statuses(some))
            for dialect, some in sorted(found.items())
            if dialect
        )

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """Why statements were not understood whole, the most frequent cause first, then what else is to be said."""
        groups: dict[tuple[Status, str], list[SqlStatement]] = {}
        for one in self.unclear:
            groups.setdefault((one.status, one.cause), []).append(one)
        unclear = [_cause(status, cause, some) for (status, cause), some in groups.items()]
        order = sorted(unclear, key=lambda one: (-one.count, STATUSES.index(one.status), one.cause))
        return (
            *order,
            *self._noted(),
            *self._deduced(),
            *self._unknown(),
            *self._misnamed(),
            *self._dead(),
            *self._circles(),
        )

    def _noted(self) -> Iterator[Cause]:
        noted = [one for one in self.statements if one.status == "whole" and one.message and one.cause not in DEAD]
        if noted:
            yield Cause("assumed", "whole", NOTED, tuple(noted), _once(one.message for one in noted))

    def _deduced(self) -> Iterator[Cause]:
        found = [one for one in self.statements if one.deduced]
        if found:
            names = _once(name for one in found for name in one.deduced)
            yield Cause("deduced", "whole", DEDUCED, tuple(found), names)

    def _dead(self) -> Iterator[Cause]:
        hint = "take it out, or see why no way leads there"
        for cause in DEAD:
            dead = [one for one in self.statements if one.cause == cause]
            if dead:
                yield Cause("dead branch", "whole", dead[0].message, tuple(dead), (), hint)
        empty = [one for one in self.statements if self._has_empty(one)]
        if empty:
            yield Cause(
                "dead branch", "whole", EMPTY, tuple(empty), (), "it gives no row: it is meant so, or a test is wrong"
            )

    def _has_empty(self, one: SqlStatement) -> bool:
        return any(_spans(one, file, line) for file, line in self.empty_rules)

    def _unknown(self) -> Iterator[Cause]:
        reading = [one for one in self.statements if not self.untold.isdisjoint(one.reads)]
        if reading:
            yield Cause("unknown table", "whole", UNTOLD, tuple(reading), tuple(sorted(self.untold)), DICTIONARY)

    def _misnamed(self) -> Iterator[Cause]:
        files = {file for _, file, _ in self.unlisted}
        some = [one for one in self.statements if one.location.file in files]
        found = [one for one in some if any(_spans(one, file, line) for _, file, line in self.unlisted)]
        if found:
            held = {one.location.file for one in found}
            names = _once(name for name, file, _ in self.unlisted if file in held)
            yield Cause("unknown column", "whole", UNLISTED, tuple(found), names, MISNAMED)

    def _circles(self) -> Iterator[Cause]:
        hint = "no view can read itself: look which of the files is out of date"
        for names in self.circles:
            making = [one for one in self.statements if one.target in names and one.kind == "create view"]
            said = f"views in a circle: {' -> '.join((*names, names[0]))}"
            yield Cause("cycle", "whole", said, tuple(making), names, hint)

    @cached_property
    def help(self) -> tuple[Help, ...]:
        """What would help, what helps most statements first."""
        found = [*self._dictionaries()]
        others: dict[str, int] = {}
        for one in self.causes:
            if one.kind in ("unknown table", "unknown column", "dead branch", "cycle"):
                continue
            for statement in one.statements:
                says = _hint(statement, one.cause, one.names)
                others[says] = others.get(says, 0) + 1
        others.pop("", None)
        found += [Help(says, number) for says, number in others.items()]
        return tuple(sorted(found, key=lambda one: (-one.columns, -one.statements, one.says)))

    def _dictionaries(self) -> Iterator[Help]:
        """Schemas of which a dictionary would resolve columns, alone or together with those of others."""
        found: dict[str, _Schema] = {}
        for one in self.unclear:
            # What a routine has that is called counts where it stands.
            names = [name for name in one.unresolved if sort_of(name) in OPENED and one.kind != "call"]
            untold = [name for name in one.reads if name in self.untold]
            for schema in {schema_of(name) for name in untold} if names else ():
                known = found.setdefault(schema, _Schema())
                others = {schema_of(name) for name in untold} - {schema}
                known.tables |= dict.fromkeys(name for name in untold if schema_of(name) == schema)
                known.others |= others
                known.statements += 1
                known.together += len(names) if others else 0
                known.alone += 0 if others else len(names)
        for schema, known in found.items():
            yield Help(known.says(schema), known.statements, known.alone + known.together)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON-ready values."""
        return {
            "files": len(self.files),
            "statements": len(self.statements),
            "statuses": {one: self.statuses.get(one, 0) for one in STATUSES},
            "empty": list(self.empty),
            "definitions_in_part": len(self.partly),
            "folders": [one.to_dict("folder") for one in self.folders],
            "dialects": [one.to_dict("dialect") for one in self.dialects],
            "causes": [one.to_dict() for one in self.causes],
            "help": [one.to_dict() for one in self.help],
            "unclear": [one.to_dict() for one in self.unclear],
            "interrupted": [{"attribute": name, "location": f"{file}:{line}"} for name, file, line in self.interrupted],
        }


def _cause(status: Status, cause: str, some: list[SqlStatement]) -> Cause:
    """A cause of statements that were not understood whole."""
    names = _once(name for one in some if status == "partial" for name in one.unresolved)
    if cause == UNKNOWN_CALL or status == "failed":
        names = _once(said for one in some if (said := one.message.partition(": ")[2]))
    kind: CauseKind = "not parsed" if status == "failed" else "assumed" if status == "partial" else "opaque"
    kind = "dynamic SQL" if TEXT_RUN in cause else kind
    hints = {_hint(one, cause, names) for one in some}
    return Cause(kind, status, cause, tuple(some), names, hints.pop() if len(hints) == 1 else "")


def _hint(one: SqlStatement, cause: str, names: tuple[str, ...]) -> str:
    """What would help with one of the statements that have a cause: with a column no more than that one speaks of."""
    return what_helps(one, names if cause == UNKNOWN_CALL else one.unresolved)


def _spans(one: SqlStatement, file: str, line: int) -> bool:
    """Whether a statement holds a rule of this place."""
    start, end = one.start or one.location, one.end or one.location
    # Of what stands on one line the statement that fills something is meant, not the test before it.
    return bool(one.target) and file == start.file and start.line <= line <= end.line


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


@dataclass
class _Schema:
    """What a dictionary of a schema would help: how many columns alone, how many together with those of others."""

    tables: dict[str, None] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    statements: int = 0
    alone: int = 0
    together: int = 0

    def says(self, schema: str) -> str:
        called = f"schema {schema}" if schema else "tables without schema"
        tables = f"{_counted(len(self.tables), 'table')}: {named(tuple(self.tables))}"
        others = f"together with {named([one or 'tables without schema' for one in sorted(self.others)])}"
        would = [f"{_counted(self.alone, 'column')}"] if self.alone else []
        noun = "more column" if self.alone else "column"
        would += [f"{_counted(self.together, noun)} {others}"] if self.together else []
        return f"a dictionary for {called} ({tables}) would resolve {' and '.join(would)}: {DICTIONARY}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
