"""How many changes a store has seen: in the store, and beside it. A change is on the disk before it is answered.

The engine's log may be cut short, by a power cut or by one byte that has changed: what stands behind is left out when
it is opened, and the engine says nothing. So each change is counted in the store, after it, and then beside it:

    change -> count in the store -> log on the disk -> count beside it on the disk -> answer

When the store is opened, its count must be the one beside it or, if the process ended in between, one more.
In the store the count is the name of an empty graph: no query finds quads there, and no export carries it elsewhere.

    beside it   in the store
        7            7          all is there
        7            8          the process ended before it could count: the change is there, and nobody was answered
        7            5          two changes that were answered are gone: the store is not opened
"""

from __future__ import annotations

import os
from pathlib import Path

import pyoxigraph as ox

from mdw.drafting import drafted, put_on_disk
from mdw.model.errors import StoreError
from mdw.rdf.vocabulary import CHANGED


class Changes:
    """The changes of one generation; ``file`` is where they are counted beside it.

    StoreError if the generation holds fewer than are counted there.
    """

    def __init__(self, quads: ox.Store, generation: Path, file: Path) -> None:
        self._generation, self._file = generation, file
        self._logs: set[str] = set()
        self._failed = False
        self._number = self._counted(quads)

    def of(self, generation: Path) -> Changes:
        """The same, of a generation that was made of this one."""
        found = Changes.__new__(Changes)
        found._generation, found._file, found._number = generation, self._file, self._number
        found._logs, found._failed = set(), False
        return found

    def require_sound(self) -> None:
        """StoreError if a change could not be put on the disk: what the disk holds is known when it is opened again."""
        if self._failed:
            raise StoreError("the store cannot be written: a change could not be put on the disk; open it again")

    def acknowledge(self, quads: ox.Store) -> None:
        """Count one more change, and wait until it is on the disk. OSError as the system raises it."""
        self._failed = True  # unless all of this succeeds
        # The new name comes before the old one goes: at every moment there is one.
        quads.add_graph(_name(self._number + 1))
        quads.remove_graph(_name(self._number))
        self._number += 1
        self._put_logs_on_disk()
        self._write()
        self._failed = False

    def _put_logs_on_disk(self) -> None:
        # Less than a thousandth of a second; to have the engine write its tables would cost twenty times that.
        logs = {one for one in os.listdir(self._generation) if one.endswith(".log")}  # noqa: PTH208  before every answer
        for name in logs:
            try:
                file = os.open(f"{self._generation}/{name}", os.O_RDWR)
            except FileNotFoundError:
                continue  # the engine has put all of it into its tables
            try:
                (os.fdatasync if hasattr(os, "fdatasync") else os.fsync)(file)
            finally:
                os.close(file)
        # A new log is found after a power cut only if its name is on the disk, too.
        if not logs <= self._logs:
            put_on_disk(self._generation)
        self._logs = logs

    def _write(self) -> None:
        line = _line(self._generation.name, self._number)
        try:
            file = os.open(self._file, os.O_RDWR)
        except FileNotFoundError:
            # An empty file would tell of damage: it is there with its first count, or not yet.
            with drafted(self._file, private=True) as draft:
                draft.write_bytes(line)
            return
        try:
            # In its place and of one length: less than a sector is written whole or not at all.
            done = 0
            while done < len(line):
                done += os.pwrite(file, line[done:], done)
            os.fsync(file)
        finally:
            os.close(file)

    def _counted(self, quads: ox.Store) -> int:
        # Nearly always one of two names, which are looked up; only else all names of graphs are gone through.
        said = self._said()
        if said is not None:
            for number in (said, said + 1):
                if quads.contains_named_graph(_name(number)):
                    return number
        # Of a generation that was restored or built anew nothing is said yet; to look for it takes a while.
        graphs = (graph.value for graph in quads.named_graphs() if isinstance(graph, ox.NamedNode))
        counts = (one.removeprefix(CHANGED) for one in graphs if one.startswith(CHANGED))
        found = max((int(one) for one in counts if one.isdecimal()), default=0)
        if said is not None and found < said:
            raise StoreError(
                f"{self._generation.parent} holds {found} of the {said} changes that were made to it: files of it are "
                f"damaged. Restore a backup (mdw restore); to go on with what is left, remove {self._file}"
            )
        return found

    def _said(self) -> int | None:
        """The count beside the store; None where nothing is said of this generation, or what is said is damaged."""
        try:
            line = self._file.read_bytes()
        except FileNotFoundError:
            return None
        generation, _, number = line.decode(errors="replace").strip().partition(" ")
        if not (generation.isdecimal() and number.strip().isdecimal()) or line != _line(generation, int(number)):
            raise StoreError(f"{self._file} is damaged; if the store is as it should be, remove it")
        return int(number) if generation == self._generation.name else None


def _name(number: int) -> ox.NamedNode:
    return ox.NamedNode(f"{CHANGED}{number}")


def _line(generation: str, number: int) -> bytes:
    return f"{generation:>10} {number:>20}\n".encode()
