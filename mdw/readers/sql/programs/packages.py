"""Variables of packages: what any routine of a package gives one, whoever calls it, it may hold (rule Q29).

    CREATE PACKAGE BODY p AS  last DATE := DATE '2020-01-01';
      PROCEDURE begin_at(d DATE) IS BEGIN last := d; END;                 LAST may hold d, of each call
      PROCEDURE run IS BEGIN INSERT INTO t SELECT x, last FROM s; END;    T gets that, or 2020-01-01
    END;

One inner entity stands for LAST in all files, and each value it is given flows there. So nothing is lost where one file
calls BEGIN_AT and another RUN. A CONSTANT is its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdw.readers.sql.programs.knowing import KnownRoutine
from mdw.readers.sql.programs.program import Declare, ProgramVariable
from mdw.readers.sql.programs.states import CursorQuery, ProgramState
from mdw.readers.sql.variables import Held

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following


class PackageVariables:
    """What the variables of packages hold, each by its key; ``shared`` stand for all that they are ever given."""

    def __init__(self, this: Following) -> None:
        self._this = this
        self._known: dict[str, dict[str, Held | None]] = {}
        self.shared: set[Held | None] = set()

    def enter(self, name: str, state: ProgramState) -> None:
        """A routine of a package, or the package itself, sees its variables and cursors."""
        package = name if name in self._this.routines.packages else name.rpartition(".")[0]
        parts = self._this.routines.packages.get(package, ())
        if parts:
            # Arguments and the routine's own go before: they hide what the package calls so.
            state.variables = {**self._of(package, parts), **state.variables}
            for _, declared in _declared(parts):
                columns = self._columns(package, declared) if declared.kind in ("variable", "record") else None
                if columns is not None and not declared.columns:
                    self._this.frames[-1].records.setdefault(self._this.key(declared.name), columns)
            for _, declared in _declared(parts):
                if declared.kind == "cursor" and declared.query is not None:
                    one = CursorQuery(declared.query, state.variables, declared.arguments)
                    state.cursors.setdefault(self._this.key(declared.name), (one,))

    def seen(self, name: str) -> dict[str, Held | None]:
        """The variables of its package that a routine sees."""
        package = name.rpartition(".")[0]
        parts = self._this.routines.packages.get(package)
        return self._of(package, parts) if parts else {}

    def outside(self, package: str, state: ProgramState) -> None:
        """What a package tells others is known by its name and theirs."""
        parts = self._this.routines.packages[package]
        held = self._of(package, parts)
        state.variables |= {key: one for key, one in held.items() if "." in key}
        for _, declared in _declared(parts):
            if declared.kind == "cursor" and declared.query is not None:
                one = CursorQuery(declared.query, {**held}, declared.arguments)
                state.cursors[f"{package}.{self._this.key(declared.name)}"] = (one,)

    def _of(self, package: str, parts: list[KnownRoutine]) -> dict[str, Held | None]:
        known = self._known.get(package)
        if known is None:
            # Kept while it grows: a constant may be made of those that stand before it.
            known = self._known[package] = {}
            for part, declared in _declared(parts):
                key = self._this.key(declared.name)
                row = declared.kind == "record" and declared.like and declared.type.upper().endswith("%ROWTYPE")
                if declared.kind == "variable" or row:
                    known[key] = self._held(package, part, declared, key)
                    known[f"{package}.{key}"] = known[key]
        return known

    def columns_of(self, type_: str, routine: str) -> tuple[str, ...] | None:
        """The columns of a record type that a package declares, as one of its routines or others name it."""
        package, _, name = self._this.key(type_).rpartition(".")
        own = routine if routine in self._this.routines.packages else routine.rpartition(".")[0]
        return self._types(package or own).get(name)

    def _types(self, package: str) -> dict[str, tuple[str, ...]]:
        key, found = self._this.key, dict[str, tuple[str, ...]]()
        for _, one in _declared(self._this.routines.packages.get(package, [])):
            if one.kind == "record" and one.columns:
                found[key(one.name)] = tuple(self._this.naming.path(name) for name, _ in one.columns)
            elif one.kind == "record" and not one.like and key(one.type) in found:
                found[key(one.name)] = found[key(one.type)]
        return found

    def _columns(self, package: str, declared: ProgramVariable) -> tuple[str, ...] | None:
        """The columns of the rows that a variable is declared for, () where nobody knows; None of a single value."""
        if declared.like:
            shape = self._this.holding.shape_of(declared.like)
            return tuple(shape.columns) if shape is not None and shape.complete else ()
        return self.columns_of(declared.type, package)

    def _held(self, package: str, part: KnownRoutine, declared: ProgramVariable, key: str) -> Held | None:
        holding = self._this.holding
        if declared.constant and declared.default is not None:
            with holding.inside(part.routine), holding.owned_by(-1):
                return holding.value(declared.default, key, ProgramState(dict(self._known[package])))
        held = holding.versions.shared(package, key, self._columns(package, declared))
        self.shared.add(held)
        holding.passing.add(held)
        return held


def _declared(parts: list[KnownRoutine]) -> list[tuple[KnownRoutine, ProgramVariable]]:
    """What the parts of a package declare, its head and its body."""
    return [
        (part, one)
        for part in parts
        for step in part.routine.body or ()
        if isinstance(step, Declare)
        for one in step.variables
    ]
