"""Files of SQL -> whose routines each may call, and which routines run only where other files call them (rule Q29).

    fill.sql  CREATE PROCEDURE fill(kind TEXT) ...      lends FILL to job.sql
    job.sql   CALL fill('a')                            follows a copy of it, with 'a'

What job.sql was seen to follow is known when it was read. Then FILL with an argument that nobody knows is no more than
what the calls say of it, and counts no more. Where files call one another in a circle both count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from mdw.model.circles import in_order
from mdw.model.files import BorrowedRoutine
from mdw.model.name import alike
from mdw.readers.files.glances import last_of, plain_name
from mdw.readers.files.planning import PlannedFile

MOST = 8
"""Files that may make the routine a name means; of more nobody can tell which it is."""


class Borrowing:
    """Which of some files lend routines to which; files are known by their numbers.

    ``direct`` are the files of which each may call a routine, ``lenders`` also those that these may call, and so on.
    """

    def __init__(self, scripts: Sequence[PlannedFile]) -> None:
        self._scripts = scripts
        self._makers: dict[str, dict[str, list[int]]] = {}
        for number, script in enumerate(scripts):
            for name in script.glance.routines:
                self._makers.setdefault(last_of(name), {}).setdefault(name, []).append(number)
        self.direct = {number: self._called(number) for number in range(len(scripts))} if self._makers else {}
        self.lenders: dict[int, frozenset[int]] = {}
        self._circle: dict[int, int] = {}
        for group in in_order(self.direct):
            self._closed(group)
        self.lending = frozenset(one for some in self.direct.values() for one in some)

    def _called(self, number: int) -> list[int]:
        script = self._scripts[number]
        own = script.glance.routines
        found: set[int] = set()
        for call in script.glance.calls:
            if last_of(call) in self._makers and not any(alike(call, name) for name in own):
                found |= self._making(call, script.dialect)
        return sorted(found - {number})

    def _making(self, name: str, dialect: str) -> set[int]:
        """The files that may make a routine of this name."""
        # Written with more or fewer parts a name may mean any of these; in another dialect it is another database's.
        makers = self._makers.get(last_of(name), {})
        some = {one for known, numbers in makers.items() if alike(known, name) for one in numbers}
        some = {one for one in some if self._scripts[one].dialect == dialect}
        return some if len(some) <= MOST else set()

    def _closed(self, group: Sequence[int]) -> None:
        """Whose routines files in a circle may call, directly or not; and a digest of all that these files say."""
        found = set(group) if len(group) > 1 else set()
        for number in group:
            for one in self.direct[number]:
                found |= {one, *self.lenders.get(one, ())}
        for number in group:
            self._circle[number] = min(group)
            self.lenders[number] = frozenset(found - {number})
            if found:
                said = sorted((self._scripts[one].file, self._scripts[one].digest) for one in self.lenders[number])
                self._scripts[number].lent = blake2b(repr(said).encode(), digest_size=16).hexdigest()

    def making(self, name: str, number: int) -> Iterator[int]:
        """The files that may make the routine that a name means in a file."""
        lenders = self.lenders.get(number)
        if lenders:
            plain = plain_name(name)
            yield from sorted(self._making(plain, self._scripts[number].dialect) & lenders)

    def reads(self, number: int) -> frozenset[str]:
        """The names of which a file is told: those it seems to read, and all those of files whose routines it calls."""
        glances = [self._scripts[one].glance for one in self.lenders.get(number, ())]
        return self._scripts[number].glance.reads.union(*[one.reads | one.makes | one.tells for one in glances])

    def bound(
        self, number: int, borrowed: Iterable[tuple[int, BorrowedRoutine]], missed: Iterable[str]
    ) -> tuple[int, ...]:
        """The places of a file's routines that others run, each with its caller, and that count only there.

        ``missed`` are the names of calls that nobody could follow.
        """
        lost = [plain_name(name) for name in missed]
        entries = [plain_name(name) for name in self._scripts[number].settings.entries]
        return tuple(
            sorted({
                one.place
                for caller, one in borrowed
                if self._circle[caller] != self._circle[number]
                and not any(alike(plain_name(one.name), name) for name in (*lost, *entries))
            })
        )  # fmt: skip
