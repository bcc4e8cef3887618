"""All statements of SQL a store holds, with what is known of what they read -> the report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from mdw.model.answers.causes import folder_of
from mdw.model.answers.help import sort_of
from mdw.model.answers.report import Report
from mdw.model.candidates import populated_by
from mdw.model.circles import circles
from mdw.model.errors import QuestionError
from mdw.model.expressions import Condition
from mdw.model.name import entity_of, parts
from mdw.model.query import ONE_ROW
from mdw.model.rules import Head
from mdw.stages.unpassable import never
from mdw.store import catalogue, scripts
from mdw.store.dictionary import partly, unlisted, whole
from mdw.store.engine import Store

MOST = 5
"""Names that are told where another was asked for."""


def report(store: Store, folder: str = "", dialect: str = "") -> Report:
    """What became of the statements of a folder and those below it, in a dialect; QuestionError if there are none."""
    held = scripts.files(store)
    wanted = folder.removeprefix("./").rstrip("/")
    files = tuple(
        file for file, said in held.items() if _within(file, wanted) and (not dialect or said == dialect.lower())
    )
    if held and not files:
        where = " and ".join(filter(None, (f"in {folder}" * bool(folder), f"as {dialect}" * bool(dialect))))
        raise QuestionError(f"no SQL was read {where}; there is some {_there(held)}", missing=True)
    found = tuple(scripts.statements(store, files))
    # A view may read one of another folder: which of them stand in a circle, all files tell.
    every = found if len(files) == len(held) else tuple(scripts.statements(store))
    views = {one.target: one.reads for one in every if one.kind == "create view"}
    around = tuple(names for names in circles(views) if any(one.target in names for one in found))
    told = ToldTables(store)
    # Names that templates stand for are none.
    plain = (one for one in found if not any(sort_of(name) == "template" for name in one.unresolved))
    untold = frozenset(name for one in plain for name in one.reads if not told.tell(name))
    heads = list(catalogue.heads(store))
    near = {head.mapping for head in heads if (not wanted and not dialect) or head.file in files}
    within = frozenset((*files, ""))
    defined = tuple(sorted(entity for entity, file in partly(store) if file in within))
    unlisted, interrupted = _unlisted(store, heads), _interrupted(store, heads, near)
    return Report(files, found, untold, around, _empty(heads), unlisted, interrupted, defined)


def _interrupted(store: Store, heads: Sequence[Head], near: Collection[str]) -> tuple[tuple[str, str, int], ...]:
    """Attributes that some of these mappings read, and none fills that fills their entity; where the first stands."""
    made, places = populated_by(heads), {head.mapping: (head.file, head.line) for head in heads}
    local = {head.target for head in heads if head.inner}
    found: dict[str, tuple[str, int]] = {}
    for name, mapping in catalogue.unfilled(store):
        entity = entity_of(name)
        if entity in made and entity not in local and mapping in near:
            found[name] = min(places[mapping], found.get(name, places[mapping]))
    return tuple((name, *found[name]) for name in sorted(found))


def _unlisted(store: Store, heads: Iterable[Head]) -> tuple[tuple[str, str, int], ...]:
    """Attributes that their entities do not have, each with the file and line of a mapping that mentions it."""
    places = {head.mapping: (head.file, head.line) for head in heads}
    return tuple(sorted((name, *places[mapping]) for name, mapping in unlisted(store) if mapping in places))


def _empty(heads: Iterable[Head]) -> frozenset[tuple[str, int]]:
    """The files and lines of rules that no row can pass: of those that ask what is the same for all rows.

    A rule that stands for several calls of a routine is empty where it is so for each of them.
    """
    found: dict[tuple[str, int], bool] = {}
    met: dict[Condition, bool] = {}
    for head in heads:
        empty = never(head, met)
        if empty is not None:
            found[head.file, head.line] = empty and found.get((head.file, head.line), True)
    return frozenset(place for place, empty in found.items() if empty)


def _within(file: str, folder: str) -> bool:
    return not folder or folder_of(file) == folder or file.startswith(f"{folder}/")


def _there(held: dict[str, str]) -> str:
    """Where there is SQL, and in which dialects, as far as a line has room."""
    folders, dialects = {folder_of(file) for file in held}, {said for said in held.values() if said}
    several = (("in", folders), ("as", dialects))
    return ", ".join(f"{word} {', '.join(sorted(names)[:MOST])}" for word, names in several if names)


class ToldTables:
    """Which tables have columns that are told.

    What a statement creates has the columns of what that is made of: nobody need tell them. What is local to a script
    has those it is given there.
    """

    def __init__(self, store: Store) -> None:
        self._whole, self._made, self._files = whole(store), scripts.made(store), scripts.files(store)

    def tell(self, entity: str) -> bool:
        """Whether the columns of an entity are told, or nobody need tell them."""
        return entity in self._made or self.local(entity) or bool(self._whole.meant(entity))

    def local(self, entity: str) -> bool:
        """Whether an entity is a variable or a temporary table: the name of such a one begins with its file."""
        word = parts(entity)[0].strip("`")
        return entity == ONE_ROW or any(
            text in self._files for text in (word, word.partition(":")[0], word.rpartition(" ")[0])
        )
