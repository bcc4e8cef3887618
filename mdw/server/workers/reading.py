"""What reading workers do: answer from the snapshot a job is about."""

from __future__ import annotations

from pathlib import Path

from mdw.language.questions import initial_condition
from mdw.model.answers.results import Hits
from mdw.model.errors import StoreError
from mdw.rdf.documents import line_of
from mdw.render.sheets import Sheet
from mdw.server.negotiation import choose
from mdw.server.refusal import Refusal
from mdw.server.workers.jobs import AskWarehouse, FindNames, MakeIndex, Order, ReadGraph, RunQuery
from mdw.server.workers.questions import answer, traced, write
from mdw.server.workers.reply import Reply
from mdw.store.search import Index, entries
from mdw.store.snapshot import Kind, Snapshot
from mdw.store.sparql import read_query, refuse_free_paths
from mdw.warehouse import Warehouse


class Reader:
    """One snapshot at a time, opened when a job is first about it."""

    def __init__(self) -> None:
        self._folder = ""
        self._snapshot: Snapshot | None = None
        self._warehouse: Warehouse
        self._caveats: list[str] = []
        self._index: Index | None = None
        self._indexed = ""
        read_query("ASK { ?s <urn:p>* ?o }")  # what is built at first use is built before anybody waits
        initial_condition("A = 1", "E.A")

    def work(self, order: Order, reply: Reply) -> None:
        """Do a job; Refusal or MdwError if it cannot be done."""
        match order.job:
            case FindNames() as job:  # it needs the index only, and the snapshot may be newer
                self._find(job, reply)
            case RunQuery() as job:
                _query(self._at(order.snapshot, reply), job, reply)
            case ReadGraph() as job:
                _graph(self._at(order.snapshot, reply), job, reply)
            case MakeIndex() as job:
                self._make_index(self._at(order.snapshot, reply), Path(job.folder))
            case AskWarehouse() as job:
                self._at(order.snapshot, reply)
                answer(self._warehouse, job, reply)
            case other:
                raise TypeError(f"{other} is not for readers")

    def _make_index(self, snapshot: Snapshot, folder: Path) -> None:
        try:
            Index.of(entries(snapshot.store), folder)
        except ValueError as error:  # of tantivy, whatever it was
            raise StoreError(f"the index of names cannot be made: {line_of(error)}") from error

    def _find(self, job: FindNames, reply: Reply) -> None:
        if self._index is None or self._indexed != job.index:
            self._index, self._indexed = Index.at(Path(job.index)), job.index
        if self._index is None:
            raise Refusal(503, "the index of names is being made", {"Retry-After": "1"})
        found = Hits(job.text, tuple(self._index.search(job.text, kinds=job.kinds, limit=job.limit)))
        write(reply, found.to_dict())

    def _at(self, folder: str, reply: Reply) -> Snapshot:
        """The snapshot in a folder; whatever is answered from it says what of it is not believed."""
        if self._snapshot is None or self._folder != folder:
            traced.cache_clear()
            self._snapshot = None  # the one before is closed before the next is opened
            self._snapshot = Snapshot(Path(folder))
            self._warehouse = Warehouse.around(self._snapshot.store)
            self._folder = folder
            self._caveats = self._warehouse.caveats
        if self._caveats:
            reply.head["caveats"] = self._caveats
        return self._snapshot


def _query(snapshot: Snapshot, job: RunQuery, reply: Reply) -> None:
    operation = read_query(job.text, job.calls)
    if not job.free_paths:
        refuse_free_paths(operation)

    sheet = Sheet(reply.write) if job.form == "sheet" else None

    def chosen(kind: Kind) -> str:
        reply.head["media"], media = choose(kind, job.accept, "csv" if sheet else job.form)
        reply.count_rows(media, job.rows)
        return media

    graphs = {"default": job.default, "named": job.named}
    snapshot.answer(operation, chosen, sheet or reply, base=job.base, union=job.union, **graphs)
    if sheet:
        sheet.end()


def _graph(snapshot: Snapshot, job: ReadGraph, reply: Reply) -> None:
    reply.head["there"] = not job.graph or snapshot.holds(job.graph)
    if not reply.head["there"]:
        return
    reply.head["media"], media = choose("quads" if job.graph is None else "triples", job.accept, job.form)
    if job.only_head:
        return
    if job.graph is None:
        snapshot.write_all(media, reply)
    else:
        snapshot.write_graph(job.graph, media, reply)
