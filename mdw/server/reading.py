"""What reading workers do: answer from the snapshot a job names."""

from __future__ import annotations

from pathlib import Path

from mdw.server.answer import Answer, Job, Work
from mdw.server.negotiation import choose
from mdw.sparql import read_query, refuse_free_paths
from mdw.store.snapshot import Kind, Snapshot


class Reader:
    """One snapshot at a time, opened when a job first names it."""

    def __init__(self) -> None:
        self._folder = ""
        self._snapshot: Snapshot | None = None

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

    def _at(self, job: Job) -> Snapshot:
        if self._snapshot is None or self._folder != job["snapshot"]:
            self._snapshot = None
            self._snapshot = Snapshot(Path(job["snapshot"]))
            self._folder = job["snapshot"]
        return self._snapshot


def works(store: Path) -> dict[str, Work]:
    """What a job may ask for, by name."""
    reader = Reader()  # each job names a snapshot of the store
    del store
    return {"query": reader.query, "graph": reader.graph}
