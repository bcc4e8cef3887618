"""A store built anew from part files, beside the one in force, and put in its place at one stroke once it is whole."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, groupby
from math import ceil
from pathlib import Path
from traceback import clear_frames
from types import TracebackType

import pyoxigraph as ox

from mdw.drafting import PRIVATE_FOLDER
from mdw.model.errors import StoreError
from mdw.rdf.vocabulary import CHECKED, name_of
from mdw.store.batches import SMALL
from mdw.store.directory import Directory, in_use, make_private
from mdw.store.engine import Store
from mdw.store.queries import query

FOLDER = "rebuild"
"""Where the new generation grows; `Directory.sweep` leaves it alone, so others may open the store meanwhile."""
FORMATS = {".trig": ox.RdfFormat.TRIG, ".nq": ox.RdfFormat.N_QUADS, ".nt": ox.RdfFormat.N_TRIPLES}
KEPT = "the store was not rebuilt and is what it was"
LINE = "\n"
TABLE = 1_000_000
"""Quads that the engine holds and sorts at most, before it writes them down as tables."""
EARLY = 2
"""Tables that may come while parts are being made: with the third the engine begins to write all of them anew."""
Done = Callable[[int, int], None]
Infer = Callable[[Store], Callable[[], None]]
"""Looks for what follows from a store, and gives what writes it down (`mdw.store.inference.begun`)."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of quads, without the stretches of it (start and length in bytes) that are ``cut``."""

    path: Path
    cut: tuple[tuple[int, int], ...] = ()

    def text(self) -> bytes:
        """The file's bytes that count."""
        whole = self.path.read_bytes()
        kept, last = [], 0
        for start, length in sorted(self.cut):
            kept.append(whole[last:start])
            last = start + length
        return b"".join([*kept, whole[last:]])


class Growing:
    """A generation that grows beside the one in force, which stays what it is, in use or not, until the last moment.

    StoreError if another process does the same. Parts have no blank nodes. Memory follows the engine's buffers and the
    text of so many quads, for each of the ``threads``.
    """

    def __init__(self, folder: Path, threads: int = 2) -> None:
        self._directory = Directory(folder)
        self._folder = folder / FOLDER
        self._threads = threads
        if self._folder.exists() and in_use(self._folder):
            raise StoreError(f"another process is rebuilding the store {folder}")
        # Left over from a process that was killed: nobody has it open, so nobody is still writing to it.
        shutil.rmtree(self._folder, ignore_errors=True)
        with _kept():
            self._store: ox.Store | None = ox.Store(str(self._folder))
        self._pool = ThreadPoolExecutor(threads)
        self._begun: dict[Future[int], list[Part]] = {}
        self._waiting: defaultdict[str, dict[Part, int]] = defaultdict(dict)

    def __enter__(self) -> Growing:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The engine writes to its folder until its last thread has let go of it.
        self._pool.shutdown(cancel_futures=True)
        self._begun.clear()  # what failed in a thread holds the engine, too
        self._store = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def take(self, part: Part, quads: int) -> None:
        """A part of so many quads that is whole, while others are being made: it is loaded behind the caller's back.

        Executors that wait for one another, or for what only one process can do, leave the machine time for it.
        StoreError if those before it could not be loaded.
        """
        with _kept():
            for loading in self._begun:
                if loading.done():
                    loading.result()
        waiting = self._waiting[_form(part)]
        if sum(waiting.values()) + quads > TABLE and len(self._begun) < EARLY and _size(waiting) >= SMALL:
            bundle = [*waiting]
            self._begun[self._begin(bundle)] = bundle
            waiting.clear()
        waiting[part] = quads

    def begin(self, parts: Sequence[Part], quads: int) -> None:
        """These are all parts, of so many quads at most: what has not been taken of them is loaded from now on.

        Small ones wait until it is finished. StoreError if the disk is full.
        """
        with _kept():
            if not {*chain.from_iterable(self._begun.values())} <= {*parts}:
                self._begin_anew()
            rest = self._rest(parts)
            for bundle in _bundles(rest, self._threads, ceil(quads * _size(rest) / max(1, _size(parts)))):
                if _size(bundle) >= SMALL:
                    self._begun[self._begin(bundle)] = bundle

    def finish(
        self,
        parts: Sequence[Part],
        least: int,
        most: int,
        infer: Infer,
        *,
        done: Done | None = None,
        made: bool = True,
    ) -> int:
        """Put the quads of these parts, taken before or not, in the place of everything the store holds; how many.

        There must be ``least`` to ``most`` of them, then what ``infer`` finds is written. StoreError if there are not,
        if parts contradict one another about a mapping or cannot be read, or if the disk is full. ``made`` says that
        all graphs of mappings were made here: others are held against what they say when the store is opened. ``done``
        is told how many of the parts have been loaded.
        """
        with _kept():
            quads = self._grow(parts, range(least, most + 1), infer, done, made=made)
            folder = self._directory.fresh()
            # A generation that another process still has open keeps its number.
            while folder.exists():
                folder = self._directory.fresh()
            self._folder.rename(folder)
            self._directory.put_in_force(folder.name)
        return quads

    def _grow(self, parts: Sequence[Part], wanted: range, infer: Infer, done: Done | None, *, made: bool) -> int:
        """Fill the new generation; how many quads the parts were."""
        self._fill(parts, wanted[-1], done)
        store = self._engine()
        # Questions to the engine leave Python to others, counting its quads does not: so it comes last.
        inferred = self._pool.submit(infer, Store.around(store))
        torn = _torn(store)
        quads = len(store)
        _confirm(quads, wanted)
        for name in torn:
            raise StoreError(f"the inputs say different things of the mapping {name}: {KEPT}")
        inferred.result()()
        if made:
            store.add_graph(ox.NamedNode(CHECKED))
        # The files are whole before the marker names them: a crash after that finds them so.
        store.flush()
        self._store = None
        self._folder.chmod(PRIVATE_FOLDER)
        make_private(self._folder)
        return quads

    def _fill(self, parts: Sequence[Part], quads: int, done: Done | None) -> None:
        """Load the parts that have not been taken yet; of them all there are so many quads at most."""
        self.begin(parts, quads)
        small = _bundles(self._rest(parts), self._threads, quads)
        together = (one.result() for one in self._begun)
        number = 0
        # Small ones one at a time, when nothing else is being loaded.
        for brought in chain(together, (_bring(self._engine(), one) for one in small)):
            number += brought
            if done:
                done(number, len(parts))

    def _rest(self, parts: Sequence[Part]) -> list[Part]:
        there = {*chain.from_iterable(self._begun.values())}
        return [part for part in parts if part not in there]

    def _begin(self, bundle: Sequence[Part]) -> Future[int]:
        return self._pool.submit(_bring, self._engine(), bundle)

    def _begin_anew(self) -> None:
        """What was taken is not what is wanted, of some of it perhaps less."""
        for loading in self._begun:
            loading.cancel()
        wait(self._begun)
        self._begun.clear()
        self._store = None  # lets go of its folder
        shutil.rmtree(self._folder)
        self._store = ox.Store(str(self._folder))

    def _engine(self) -> ox.Store:
        assert self._store is not None, "it ends with the last part"
        return self._store


@contextmanager
def _kept() -> Iterator[None]:
    """Whatever fails inside is a StoreError that says that the store is what it was."""
    try:
        yield
    except StoreError as error:
        clear_frames(error.__traceback__)  # lets go of the engine, which may write until then
        raise
    except (OSError, SyntaxError, ValueError, RuntimeError) as error:
        clear_frames(error.__traceback__)
        raise StoreError(f"{str(error).partition(LINE)[0]}: {KEPT}") from error


def _size(bundle: Iterable[Part]) -> int:
    return sum(one.path.stat().st_size for one in bundle)


def _bundles(parts: Sequence[Part], threads: int, quads: int) -> list[list[Part]]:
    """Parts that are loaded at once, about as many bytes each, in all so many ``quads`` at most.

    The engine makes tables of its own of whatever it is given at once, and writes all of them anew whenever three lie
    over one another. So there are as few bundles as its buffer allows, as many for each thread: 110 parts of 3.7
    million quads one by one took 45 s, in 11 bundles 27, in 4 bundles 22. Joined, TriG is TriG, and so are lines of
    N-Quads.
    """
    sizes = {part: part.path.stat().st_size for part in parts}
    each = max(1, ceil(quads / (threads * TABLE)))
    wanted = max(SMALL, ceil(sum(sizes.values()) / (threads * each)))
    bundles: list[list[Part]] = []
    for _, group in groupby(sorted(parts, key=_form), key=_form):
        alike = sorted(group, key=sizes.__getitem__, reverse=True)
        # The largest first, each to where least is so far: the bundles end about equal.
        made: list[list[Part]] = [[] for _ in range(ceil(sum(map(sizes.__getitem__, alike)) / wanted))]
        filled = [(0, number) for number in range(len(made))]
        for part in alike:
            size, number = heappop(filled)
            made[number].append(part)
            heappush(filled, (size + sizes[part], number))
        bundles += filter(None, made)
    # A large bundle begun last would be loaded by one thread while the others have nothing to do.
    return sorted(bundles, key=_size, reverse=True)


def _form(part: Part) -> str:
    return part.path.suffix


def _confirm(quads: int, wanted: range) -> None:
    if quads not in wanted:
        said = f"{wanted[0]}" if len(wanted) == 1 else f"{wanted[0]} to {wanted[-1]}"
        raise StoreError(f"the parts should be {said} quads and are {quads}: {KEPT}")


def _torn(store: ox.Store) -> list[str]:
    """The name of a mapping of which parts say different things, if there is one."""
    found = store.query(query("store/torn"))
    assert isinstance(found, ox.QuerySolutions)
    return [name_of(row["mapping"].value) for row in found]


def _bring(store: ox.Store, bundle: Sequence[Part]) -> int:
    """Load parts of one form; how many they are."""
    form = FORMATS[_form(bundle[0])]
    add = store.bulk_load if _size(bundle) >= SMALL else store.load
    if len(bundle) == 1 and not bundle[0].cut:
        add(path=str(bundle[0].path), format=form, lenient=True)
    else:
        add(b"\n".join(part.text() for part in bundle), form, lenient=True)
    return len(bundle)
