"""What is remembered of files, so that a folder can be loaded again without reading all of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mdw.model.dictionary import EntityEntry


@dataclass(frozen=True, slots=True)
class BorrowedRoutine:
    """A routine of another script: that script's file, the place in it, the name."""

    file: str
    place: int
    name: str


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as it was read last: what it said, what it was told, what came of it.

    ``file`` is its path within the ``folder`` that was named; of a file that was named itself it is its name, and
    ``place`` where it lies. ``digest`` is that of its bytes, and of what decides how
    they are taken; ``under`` says in what dialect and schemas it was read. A file of SQL seems to make and to read
    names, and to tell more of others (``makes``, ``reads``, ``tells``, ``given``), and its text tells a dialect,
    ``told``, because of something. It ``asked`` what is known of entities and was told: ``answers`` is a digest of
    that. It tells ``entries`` of entities, and makes ``views`` of what they read.
    It seems to make ``routines`` and may call others, ``calls``; some of what it makes it ``fills``, and it ``watches``
    tables by triggers. It ran ``borrowed`` routines of other files and ``missed`` some that nobody knows; ``bound`` are
    the places of its own that count only where other files call them.
    ``mappings`` are the names of its mappings with the digests of what they say, ``left`` the IRIs of graphs it had
    before, which nobody has removed; ``whole``: it had no errors.
    """

    file: str
    folder: str
    digest: str
    under: str
    makes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    routines: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()
    watches: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    told: tuple[str, str] = ("", "")
    encoding: str = ""
    asked: tuple[str, ...] = ()
    answers: str = ""
    entries: tuple[EntityEntry, ...] = ()
    views: tuple[tuple[str, tuple[str, ...]], ...] = ()
    borrowed: tuple[BorrowedRoutine, ...] = ()
    missed: tuple[str, ...] = ()
    bound: tuple[int, ...] = ()
    mappings: tuple[tuple[str, str], ...] = ()
    left: tuple[str, ...] = ()
    whole: bool = True
    place: str = ""


@dataclass(frozen=True, slots=True)
class SqlFile:
    """A file of SQL: in which dialect it was read and why, in which encoding; ``unchanged``: not read again."""

    file: str
    dialect: str
    because: str
    encoding: str
    unchanged: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The file as plain JSON-ready values."""
        return asdict(self)
