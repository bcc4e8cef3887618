"""What the writing worker does: it alone has the store open, and changes it in one transaction a job."""

from __future__ import annotations

from pathlib import Path

from mdw.server.refusal import Refusal
from mdw.server.workers.jobs import (
    AddToGraph,
    CompactStore,
    DropGraph,
    LoadMappings,
    LoadTerms,
    MakeBackup,
    Order,
    PutGraph,
    ReopenStore,
    RunUpdate,
    TakeSnapshot,
)
from mdw.server.workers.reply import Reply
from mdw.store.backups import back_up
from mdw.store.directory import listed
from mdw.store.editor import Editor
from mdw.store.engine import Store
from mdw.store.sparql import read_update
from mdw.warehouse import Warehouse

LISTED = 4 << 20
"""Bytes of the engine's list of tables, which goes into every snapshot, beyond which the store is opened again."""


class Writer:
    """The store, open for as long as the worker lives."""

    def __init__(self, store: Path) -> None:
        self._folder = store
        self._open()

    def work(self, order: Order, reply: Reply) -> None:
        """Do a job; Refusal or MdwError if it cannot be done, then nothing has changed.

        After a StoreError that may not be so, and the store is to be opened again: one write to its log that has failed
        makes the engine refuse all that follow.
        """
        match order.job:
            case RunUpdate() as job:
                operation = read_update(job.text, job.calls)
                self._editor.update(operation, job.base, default=job.default, named=job.named)
            case PutGraph() as job:
                ((content, media),) = job.parts
                reply.head = {"new": self._editor.put(job.graph, Path(content), media, job.base)}
            case AddToGraph() as job:
                parts = [(Path(content), media) for content, media in job.parts]
                reply.head = {"new": self._editor.add(job.graph, parts, job.base)}
            case DropGraph() as job:
                reply.head = {"there": self._editor.drop(job.graph)}
            case LoadMappings() as job:
                reply.head = {"report": self._warehouse.load(_text(job)).to_dict()}
            case LoadTerms() as job:
                reply.head = {"terms": self._warehouse.terms(job.content, media=job.media)}
            case TakeSnapshot() as job:
                self._editor.checkpoint(Path(job.folder))
                if self._store.generation and listed(self._store.generation) > LISTED:
                    self._reopen()
            case MakeBackup() as job:
                back_up(self._store, Path(job.folder), copy=job.copy)
            case CompactStore():
                self._editor.compact()
            case ReopenStore() as job:
                self._reopen()
                if job.tries:
                    with self._store.writing(touching=False):
                        pass  # all that a change takes, but for the change
            case other:
                raise TypeError(f"{other} is not for the writer")

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def _reopen(self) -> None:
        self._store.close()
        self._open()

    def _open(self) -> None:
        self._store = Store(self._folder)
        self._warehouse = Warehouse.around(self._store)
        self._editor = Editor(self._store)


def _text(job: LoadMappings) -> str:
    try:
        text = Path(job.content).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise Refusal(400, f"the text is no UTF-8: byte {error.start}") from error
    return f"{text}\n"  # with a line end it is no path
