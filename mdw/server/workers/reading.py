"""What reading workers do: answer from the snapshot a job names."""

from __future__ import annotations

from pathlib import Path

from mdw.language.questions import initial_condition
from mdw.model.answers.results import Hits
from mdw.server.negotiation import choose
from mdw.server.refusal import Refusal
from mdw.server.workers.answer import INDEX, Answer, Job, Work
from mdw.server.workers.questions import QUESTIONS, traced, write
from mdw.store.search import Index, entries
from mdw.store.snapshot import Kind, Snapshot
from mdw.store.sparql import read_query, refuse_free_paths
from mdw.warehouse import Warehouse


class Reader:
    """One snapshot at a time, opened when a job first names it."""

    def __init__(self) -> None:
        self._folder = ""
        self._snapshot: Snapshot | None = None
        self._warehouse: Warehouse
        self._index: Index | None = None
        self._indexed = ""

    def query(self, job: Job, answer: Answer) -> None:
        """What a query finds."""
        operation = read_query(job["text"], job["calls"])
        if not job["free_paths"]:
            refuse_free_paths(operation)

        def chosen(kind: Kind) -> str:
            answer.head["media"], media = choose(kind, job["accept"], job["format"])
            answer.count_rows(media, job["rows"])
            return media

        graphs = {"default": job["default"], "named": job["named"], "union": job["union"]}
        self._at(job).answer(operation, chosen, answer, base=job["base"], **graphs)

    def graph(self, job: Job, answer: Answer) -> None:
        """A graph, or every quad where the job names none."""
        snapshot = self._at(job)
        graph = job["graph"]
        answer.head["there"] = not graph or snapshot.holds(graph)
        if not answer.head["there"]:
            return
        answer.head["media"], media = choose("quads" if graph is None else "triples", job["accept"], job["format"])
        if job["only_head"]:
            return
        if graph is None:
            snapshot.write_all(media, answer)
        else:
            snapshot.write_graph(graph, media, answer)

    def index(self, job: Job, _answer: Answer) -> None:
        """Make an index of the names in a snapshot, beside it."""
        Index.of(entries(self._at(job).store), Path(job["snapshot"] + INDEX))

    def search(self, job: Job, answer: Answer) -> None:
        """Names and terms by words."""
        if self._index is None or self._indexed != job["index"]:
            self._index, self._indexed = Index.at(Path(job["index"])), job["index"]
        if self._index is None:
            raise Refusal(503, "the index of names is being made", {"Retry-After": "1"})
        found = Hits(job["text"], tuple(self._index.search(job["text"], kinds=job["kinds"], limit=job["limit"])))
        write(answer, found.to_dict())

    def ask(self, job: Job, answer: Answer) -> None:
        """What the warehouse says to one of the QUESTIONS."""
        self._at(job)
        QUESTIONS[job["question"]](self._warehouse, job, answer)

    def _at(self, job: Job) -> Snapshot:
        if self._snapshot is None or self._folder != job["snapshot"]:
            traced.cache_clear()
            self._snapshot = None
            self._snapshot = Snapshot(Path(job["snapshot"]))
            self._warehouse = Warehouse.around(self._snapshot.store)
            self._folder = job["snapshot"]
        return self._snapshot


def works(store: Path) -> dict[str, Work]:
    """What a job may ask for, by name."""
    del store  # each job names a snapshot of it
    reader = Reader()
    read_query("ASK { ?s <urn:p>* ?o }")  # what is built at first use is built before anybody waits
    initial_condition("A = 1", "E.A")
    return {
        "query": reader.query,
        "graph": reader.graph,
        "index": reader.index,
        "search": reader.search,
        "ask": reader.ask,
    }
