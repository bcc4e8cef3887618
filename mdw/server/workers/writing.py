"""What the writing worker does: it alone has the store open, and changes it in one transaction a job."""

from __future__ import annotations

from pathlib import Path

from mdw.server.refusal import Refusal
from mdw.server.workers.answer import Answer, Job, Work
from mdw.store.editor import Editor
from mdw.store.engine import Store
from mdw.store.sparql import read_update
from mdw.warehouse import Warehouse


class Writer:
    """The store, open for as long as the worker lives."""

    def __init__(self, store: Path) -> None:
        self._folder = store
        self._open()

    def reopen(self, _job: Job, _answer: Answer) -> None:
        """Go on with what another process has put in the store's place."""
        self._store.close()
        self._open()

    def update(self, job: Job, _answer: Answer) -> None:
        """Carry out an update."""
        operation = read_update(job["text"], job["calls"])
        self._editor.update(operation, job["base"], default=job["default"], named=job["named"])

    def put(self, job: Job, answer: Answer) -> None:
        """Put a file of RDF in the place of a graph."""
        ((content, media),) = job["parts"]
        answer.head = {"new": self._editor.put(job["graph"], Path(content), media, job["base"])}

    def add(self, job: Job, answer: Answer) -> None:
        """Add files of RDF to a graph."""
        parts = [(Path(content), media) for content, media in job["parts"]]
        answer.head = {"new": self._editor.add(job["graph"], parts, job["base"])}

    def drop(self, job: Job, answer: Answer) -> None:
        """Take a graph away."""
        answer.head = {"there": self._editor.drop(job["graph"])}

    def load(self, job: Job, answer: Answer) -> None:
        """Read mapping text and load what can be read."""
        try:
            text = Path(job["content"]).read_bytes().decode()
        except UnicodeDecodeError as error:
            raise Refusal(400, f"the text is no UTF-8: byte {error.start}") from error
        answer.head = {"report": self._warehouse.load(f"{text}\n").to_dict()}  # with a line end it is no path

    def terms(self, job: Job, answer: Answer) -> None:
        """Take business terms in the place of those there are."""
        answer.head = {"terms": self._warehouse.terms(job["content"], media=job["media"])}

    def snapshot(self, job: Job, _answer: Answer) -> None:
        """Make a snapshot in a folder that does not exist yet."""
        self._editor.checkpoint(Path(job["folder"]))

    def _open(self) -> None:
        self._store = Store(self._folder)
        self._warehouse = Warehouse.around(self._store)
        self._editor = Editor(self._store)

    def compact(self, _job: Job, _answer: Answer) -> None:
        """Let the engine tidy its files."""
        self._editor.compact()


def works(store: Path) -> dict[str, Work]:
    """What a job may ask for, by name."""
    writer = Writer(store)
    return {
        "update": writer.update,
        "put": writer.put,
        "add": writer.add,
        "drop": writer.drop,
        "load": writer.load,
        "terms": writer.terms,
        "snapshot": writer.snapshot,
        "compact": writer.compact,
        "reopen": writer.reopen,
    }
