"""The routines a script knows, its own and those of other scripts, and which of them a call means (rule Q29).

    p.load(1)          LOAD of package P, where it takes one argument; of several the one in this file, with a body
    load(1)            within P the same; elsewhere any LOAD that is the only one of the name, in whatever schema

Where several are left each of them may be meant, and each is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from mdw.model.name import alike, local_of
from mdw.readers.sql.naming import Identifiers, joined
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.acting import acts_itself, names_called
from mdw.readers.sql.programs.program import Argument, Routine, Steps
from mdw.readers.sql.programs.states import calls
from mdw.readers.sql.variables import GivenValue, key_of


@dataclass(frozen=True, slots=True)
class KnownRoutine:
    """A routine by its canonical name; of one in a package that of the package goes before."""

    name: str
    routine: Routine

    @property
    def place(self) -> int:
        """Where it stands: no other routine stands there."""
        return self.routine.piece.place

    def takes(self, given: Sequence[Argument | GivenValue], naming: Identifiers) -> bool:
        """Whether it may be called with these."""
        own = [naming.path(one.name.lstrip("@:")) for one in self.routine.arguments]
        placed = sum(not one.name for one in given)
        named = {naming.path(one.name.lstrip("@:")) for one in given if one.name}
        needed = {
            name
            for name, one in zip(own[placed:], self.routine.arguments[placed:], strict=True)
            if one.default is None and one.mode == "in"
        }
        return placed <= len(own) and named <= set(own) and needed <= named


class KnownRoutines:
    """The routines of a script and, from when one of them is first called, those of others.

    ``others`` gives the programs of other scripts that make a routine of a name, each once; ``text_of`` tells texts
    apart in which pieces stand, 0 the script's own.
    """

    def __init__(
        self,
        naming: Identifiers,
        others: Callable[[str], Iterable[Steps]],
        text_of: Callable[[ScriptPiece], int],
    ) -> None:
        self._naming, self._others, self._text_of = naming, others, text_of
        self._by_last: dict[str, list[KnownRoutine]] = {}
        # The parts of each package, its head and its body.
        self.packages: dict[str, list[KnownRoutine]] = {}
        self._recursive: dict[int, bool] = {}
        self._acts: dict[int, bool] = {}
        self._calls: dict[int, Sequence[KnownRoutine]] = {}

    def learn(self, program: Steps, package: str = "") -> None:
        """Know the routines of a program."""
        self._calls.clear()  # what is called may be one of these
        for step in program:
            if isinstance(step, Routine) and step.kind != "block":
                one = KnownRoutine(joined(package, self._naming.path(step.name)), step)
                known = self._by_last.setdefault(local_of(one.name), [])
                # A head that comes behind its body, as that of a package does in some files, must not replace it.
                if step.body is not None or step.trigger or not any(self._again(one, other) for other in known):
                    known[:] = [other for other in known if not self._again(one, other)] + [one]
                if step.kind == "package":
                    self.packages.setdefault(one.name, []).append(one)
                    self.learn(step.body or (), one.name)

    def _again(self, one: KnownRoutine, other: KnownRoutine) -> bool:
        """Whether one is the other, made anew: two of one name in one text that differ in their arguments are two."""
        if one.name != other.name or self._text_of(one.routine.piece) != self._text_of(other.routine.piece):
            return False
        if _table(one) != _table(other):
            return False
        mine, its = ([_type(it.type) for it in some.routine.arguments] for some in (one, other))
        return mine == its

    def own(self) -> list[KnownRoutine]:
        """Those of the script itself: triggers, which have rows to run for, then those that no other calls, first."""
        found = [one for some in self._by_last.values() for one in some if not self._text_of(one.routine.piece)]
        inner = {other.place for one in found for other in self._called(one)}
        key = {
            one.place: (one.routine.trigger is None, one.place in inner, one.routine.kind == "function")
            for one in found
        }
        return sorted(found, key=lambda one: (key[one.place], one.place))

    def triggers(self) -> list[KnownRoutine]:
        """The triggers of the script itself."""
        found = (one for some in self._by_last.values() for one in some if one.routine.trigger is not None)
        return [one for one in found if not self._text_of(one.routine.piece)]

    def meant(
        self, name: str, piece: ScriptPiece, given: Sequence[Argument | GivenValue] | None = None, caller: str = ""
    ) -> list[KnownRoutine]:
        """The routines that a call may mean, one in most cases: its own text's and package's go before others."""
        path = self._naming.path(name)
        # Other scripts are read when they are first asked for: most routines of a folder are called by few files.
        for program in self._others(path):
            self.learn(program)
        some = self._by_last.get(local_of(path), [])
        found = self.named(name) or (some if len(some) == 1 else [])
        text, package = self._text_of(piece), caller.rpartition(".")[0]
        wishes: tuple[Callable[[KnownRoutine], bool], ...] = (
            lambda one: one.routine.trigger is None,
            lambda one: one.routine.body is not None,
            lambda one: self._text_of(one.routine.piece) == text,
            lambda one: bool(package) and one.name == joined(package, local_of(path)),
            lambda one: one.name == path,
            lambda one: given is None or one.takes(given, self._naming),
        )
        # The strongest wish first: each narrows what those before it left, and one that nothing fulfils is left aside.
        for wish in wishes:
            found = [one for one in found if wish(one)] or found
        return found

    def named(self, name: str) -> list[KnownRoutine]:
        """Those of a name, of which parts may be left out in front."""
        path = self._naming.path(name)
        return [one for one in self._by_last.get(local_of(path), []) if alike(one.name, path)]

    def recursive(self, one: KnownRoutine) -> bool:
        """Whether a routine may call itself, maybe through others."""
        known = self._recursive.get(one.place)
        if known is None:
            known = self._recursive[one.place] = any(other.place == one.place for other in self._reached(one))
        return known

    def acts(self, one: KnownRoutine) -> bool:
        """Whether a function does more than give a value, itself or through what it calls."""
        known = self._acts.get(one.place)
        if known is None:
            key = partial(key_of, naming=self._naming)
            some = (other.routine for other in chain([one], self._reached(one)))
            known = self._acts[one.place] = any(acts_itself(routine, key) for routine in some)
        return known

    def _reached(self, one: KnownRoutine) -> Iterator[KnownRoutine]:
        """The routines that one calls, that these call, and so on, each once: it may be among them itself."""
        seen: set[int] = set()
        pending = [one]
        while pending:
            for other in self._next(pending.pop()):
                if other.place not in seen:
                    seen.add(other.place)
                    pending.append(other)
                    yield other

    def _next(self, one: KnownRoutine) -> Sequence[KnownRoutine]:
        """The routines that one calls, also in expressions; of each remembered, for all that reach it ask."""
        found = self._calls.get(one.place)
        if found is None:
            applied = (self.meant(name, piece, None, one.name) for name, piece in names_called(one.routine))
            found = list(chain(self._called(one), *applied))
            self._calls[one.place] = found
        return found

    def _called(self, one: KnownRoutine) -> Iterator[KnownRoutine]:
        """The routines that one calls; those that expressions call left aside."""
        for step in calls(one.routine.body or ()):
            yield from self.meant(step.name, step.piece, step.arguments, one.name)


def _table(one: KnownRoutine) -> str:
    """The table of a trigger: each may have one of a name, and a function may be called like it."""
    trigger = one.routine.trigger
    return trigger.table if trigger else ""


def _type(text: str) -> str:
    return text.upper().partition("(")[0].strip()
