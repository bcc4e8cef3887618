"""A store built anew from part files, beside the one in force, and put in its place at one stroke once it is whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from traceback import clear_frames

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
BUNDLE = 32 << 20
"""Bytes of parts that are loaded at once, at most, unless one part is larger."""
Done = Callable[[int, int], None]


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


def rebuild(
    folder: Path,
    parts: Sequence[Part],
    least: int,
    most: int,
    infer: Callable[[Store], None],
    *,
    threads: int = 2,
    done: Done | None = None,
    made: bool = True,
) -> int:
    """Put the quads of the parts in the place of everything the store in ``folder`` holds; how many they are.

    There must be ``least`` to ``most`` of them, then ``infer`` draws its conclusions. StoreError if there are not, if
    parts contradict one another about a mapping or cannot be read, if the disk is full or if another process does the
    same; the store in force then stays what it was, in use or not. ``made`` says that all graphs of mappings were made
    here: others are held against what they say when the store is opened. ``done`` is told how many of the parts have
    been loaded. Parts have no blank nodes. Memory follows the engine's buffers and BUNDLE, one of each for each of the
    ``threads``.
    """
    directory = Directory(folder)
    grown = folder / FOLDER
    if grown.exists() and in_use(grown):
        raise StoreError(f"another process is rebuilding the store {folder}")
    # Left over from a process that was killed: nobody has it open, so nobody is still writing to it.
    shutil.rmtree(grown, ignore_errors=True)
    try:
        quads = _grow(grown, parts, threads, done, infer, range(least, most + 1), made=made)
        _put_in_force(directory, grown)
    except StoreError as error:
        clear_frames(error.__traceback__)  # lets go of the engine, which may write until then
        raise
    except (OSError, SyntaxError, ValueError, RuntimeError) as error:
        clear_frames(error.__traceback__)
        raise StoreError(f"{str(error).partition(LINE)[0]}: {KEPT}") from error
    finally:
        shutil.rmtree(grown, ignore_errors=True)
    return quads


def _grow(
    grown: Path,
    parts: Sequence[Part],
    threads: int,
    done: Done | None,
    infer: Callable[[Store], None],
    wanted: range,
    *,
    made: bool,
) -> int:
    """Fill a new generation; how many quads the parts were."""
    store = ox.Store(str(grown))
    _fill(store, parts, threads, done)
    quads = len(store)
    _confirm(quads, wanted)
    for name in _torn(store):
        raise StoreError(f"the inputs say different things of the mapping {name}: {KEPT}")
    infer(Store.around(store))
    if made:
        store.add_graph(ox.NamedNode(CHECKED))
    # The files are whole before the marker names them: a crash after that finds them so.
    store.flush()
    grown.chmod(PRIVATE_FOLDER)
    make_private(grown)
    return quads


def _fill(store: ox.Store, parts: Sequence[Part], threads: int, done: Done | None) -> None:
    number = 0
    bundles = _bundles(parts, threads)
    large = [one for one in bundles if _size(one) >= SMALL]
    with ThreadPoolExecutor(threads) as pool:
        together = pool.map(lambda bundle: _bring(store, bundle), large)
        for brought in chain(together, (_bring(store, bundle) for bundle in bundles[len(large) :])):
            number += brought
            if done:
                done(number, len(parts))


def _size(bundle: Iterable[Part]) -> int:
    return sum(one.path.stat().st_size for one in bundle)


def _bundles(parts: Sequence[Part], threads: int) -> list[list[Part]]:
    """Parts that are loaded at once, about as many bytes each, a large part by itself.

    The engine makes files of its own of whatever it is given at once, and has to merge them in the end: 110 parts one
    by one took 45 s, in bundles 34. Joined, TriG is TriG, and so are lines of N-Quads.
    """
    sizes = {part: part.path.stat().st_size for part in parts}
    wanted = max(SMALL, min(BUNDLE, sum(sizes.values()) // (threads * 4) + 1))
    bundles: list[list[Part]] = []
    for _, alike in groupby(sorted(parts, key=_form), key=_form):
        room = 0
        for part in sorted(alike, key=sizes.__getitem__, reverse=True):
            if room < sizes[part]:
                bundles.append([])
                room = wanted
            bundles[-1].append(part)
            room -= sizes[part]
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


def _put_in_force(directory: Directory, grown: Path) -> None:
    folder = directory.fresh()
    # A generation that another process still has open keeps its number.
    while folder.exists():
        folder = directory.fresh()
    grown.rename(folder)
    directory.put_in_force(folder.name)
