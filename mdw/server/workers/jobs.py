"""Jobs: what the server tells its workers to do, and how that goes through the pipe between them (JSON).

Readers answer questions from a snapshot; the writer makes changes. Words in ``do`` are those of logs and of
/admin/running.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

from mdw.model.answers.things import Thing
from mdw.model.rules import Mode, Policy


@dataclass(frozen=True, kw_only=True)
class Job:
    """Something to do."""

    do: ClassVar[str]

    @property
    def words(self) -> str:
        """The text it is about, if there is one."""
        return str(getattr(self, "text", ""))


@dataclass(frozen=True, kw_only=True)
class Order:
    """A job, the snapshot it is about (a folder), and how many bytes the answer may have (0: any number)."""

    job: Job
    snapshot: str = ""
    bytes: int = 0


# -- readers: SPARQL and graphs ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RunQuery(Job):
    """Answer a query, of these graphs if it is to be asked of certain ones, in at most so many rows (0: any number)."""

    do = "query"
    text: str
    base: str
    accept: str
    form: str
    default: tuple[str, ...]
    named: tuple[str, ...]
    union: bool
    calls: tuple[str, ...]
    free_paths: bool
    rows: int


@dataclass(frozen=True, kw_only=True)
class ReadGraph(Job):
    """Write out a graph (``""``: the default graph), or all of them (None)."""

    do = "graph"
    graph: str | None
    accept: str
    form: str
    only_head: bool


# -- readers: names ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MakeIndex(Job):
    """Make an index of the names in a snapshot, in a folder that is not there yet."""

    do = "index"
    folder: str


@dataclass(frozen=True, kw_only=True)
class FindNames(Job):
    """Find names of these kinds by words, in the index in a folder."""

    do = "search"
    text: str
    kinds: tuple[Thing, ...]
    limit: int
    index: str = ""


# -- readers: what can be asked of the warehouse -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class AskWarehouse(Job):
    """Any of the questions that follow."""

    do = "ask"


@dataclass(frozen=True, kw_only=True)
class AskAttribute(AskWarehouse):
    """What an attribute is, with the texts of at most so many mappings."""

    name: str
    texts: int = 0


@dataclass(frozen=True, kw_only=True)
class AskEntity(AskWarehouse):
    """What an entity is."""

    name: str


@dataclass(frozen=True, kw_only=True)
class AskMapping(AskWarehouse):
    """The text of a mapping."""

    name: str


@dataclass(frozen=True, kw_only=True)
class AskMappings(AskWarehouse):
    """So many mappings, after the one named."""

    after: str
    limit: int


@dataclass(frozen=True, kw_only=True)
class AskReport(AskWarehouse):
    """What became of every statement of SQL, or of those in a folder or a dialect."""

    folder: str = ""
    dialect: str = ""


@dataclass(frozen=True, kw_only=True)
class AskExplanation(AskWarehouse):
    """What was understood of the statement at a place."""

    place: str


@dataclass(frozen=True, kw_only=True)
class AskRequest(AskWarehouse):
    """What a request over semantic contexts finds."""

    text: str


@dataclass(frozen=True, kw_only=True)
class AskTrace(AskWarehouse):
    """Lineage or impact of an attribute; with ``other`` only the ways from or to that one."""

    direction: str
    name: str
    when: str
    mode: Mode
    unpopulated: Policy | Literal[""]
    other: str = ""
    sql_dialect: str = ""


@dataclass(frozen=True, kw_only=True)
class AskView(AskTrace):
    """The same as a page shows it, or as a file: with these attributes open, at an address that links start from."""

    form: str
    open: tuple[str, ...]
    levels: int
    indirect: bool
    dropped: bool
    here: str


# -- the writer --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RunUpdate(Job):
    """Carry out an update."""

    do = "update"
    text: str
    base: str
    default: tuple[str, ...]
    named: tuple[str, ...]
    calls: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PutGraph(Job):
    """Put a file of RDF in the place of a graph; parts are paths with their media types."""

    do = "put"
    graph: str
    parts: tuple[tuple[str, str], ...]
    base: str


@dataclass(frozen=True, kw_only=True)
class AddToGraph(Job):
    """Add files of RDF to a graph."""

    do = "add"
    graph: str
    parts: tuple[tuple[str, str], ...]
    base: str


@dataclass(frozen=True, kw_only=True)
class DropGraph(Job):
    """Take a graph away."""

    do = "drop"
    graph: str


@dataclass(frozen=True, kw_only=True)
class LoadMappings(Job):
    """Read the mapping text in a file and load what can be read."""

    do = "load"
    content: str


@dataclass(frozen=True, kw_only=True)
class LoadTerms(Job):
    """Take the business terms in a file of RDF in the place of those there are."""

    do = "terms"
    content: str
    media: str


@dataclass(frozen=True, kw_only=True)
class TakeSnapshot(Job):
    """Make a copy of the store, as it is, in a folder that does not exist yet."""

    do = "snapshot"
    folder: str


@dataclass(frozen=True, kw_only=True)
class MakeBackup(Job):
    """Make a backup in a folder that does not exist yet; with ``copy`` it shares no file with the store."""

    do = "backup"
    folder: str
    copy: bool


@dataclass(frozen=True, kw_only=True)
class CompactStore(Job):
    """Let the engine tidy its files."""

    do = "compact"


@dataclass(frozen=True, kw_only=True)
class ReopenStore(Job):
    """Go on with what another process has put in the store's place, or with a store that could not be written.

    With ``tries`` a change that changes nothing shows whether it can be again.
    """

    do = "reopen"
    tries: bool = False


JOBS: dict[str, type[Job]] = {
    kind.__name__: kind
    for kind in (
        *(RunQuery, ReadGraph, MakeIndex, FindNames),
        *(AskAttribute, AskEntity, AskMapping, AskMappings, AskReport, AskExplanation),
        *(AskRequest, AskTrace, AskView),
        *(RunUpdate, PutGraph, AddToGraph, DropGraph, LoadMappings, LoadTerms, TakeSnapshot, MakeBackup),
        *(CompactStore, ReopenStore),
    )
}


def written(order: Order) -> bytes:
    """An order as it goes through the pipe."""
    job = order.job
    said = {one.name: getattr(job, one.name) for one in fields(job)}
    return json.dumps([type(job).__name__, said, order.snapshot, order.bytes]).encode()


def read(content: bytes) -> Order:
    """The order that was written so."""
    kind, said, snapshot, most = json.loads(content)
    job = JOBS[kind](**{name: _frozen(value) for name, value in said.items()})
    return Order(job=job, snapshot=snapshot, bytes=most)


def _frozen(value: Any) -> Any:
    """JSON has lists only; jobs have tuples."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
