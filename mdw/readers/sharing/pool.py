"""The processes that read: started when there is enough to read, given tasks, and asked for results in order.

    tasks -> a bounded number of them with the processes -> results in the order of the tasks

Each process has a thread here that waits for it and answers what it asks. Whoever takes results decides the pace: tasks
are only taken from their source when results were taken.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from mdw import memory
from mdw.model.errors import system_says
from mdw.processes import start
from mdw.readers.sharing import messages
from mdw.readers.sharing.messages import ANSWER, QUESTION, TASK
from mdw.readers.sharing.process import TOO_MUCH
from mdw.readers.sharing.work import ScriptTask, TextTask, do

AHEAD = 8
"""Tasks for each process that may be under way or done and not taken yet."""
LEAST = 400_000
"""Bytes to be read for which processes are worth their start, which takes as long as reading half of that."""
SHARE = 256 << 20
"""Memory that each process may take where memory is limited."""
OWN = 768 << 20
"""Memory that this process keeps then."""

Source = TypeVar("Source")


@dataclass(frozen=True, slots=True)
class Task(Generic[Source]):
    """Something to be read: ``size`` of it in bytes, ``what`` it is for people, ``source`` for whoever asks for it.

    ``answer`` says what the process wants to know meanwhile, perhaps twice the same.
    """

    job: TextTask | ScriptTask
    answer: Callable[[Any], Any]
    size: int
    what: str
    source: Source


class Lost(Exception):  # noqa: N818  it is no error: somebody else does the task
    """A process has ended in the middle of a task; ``why``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Pool:
    """As many processes as may be used; none is started before there is work for it.

    ``notes`` say which of them ended, and why.
    """

    def __init__(self, number: int) -> None:
        self.notes: list[str] = []
        most = memory.allowed()
        # Together they must not take more than one process may.
        self._number = min(number, max(0, most - OWN) // SHARE) if most else number
        self._most = SHARE if most else 0
        self._free: SimpleQueue[ReadingProcess | None] = SimpleQueue()
        self._all: list[ReadingProcess] = []
        self._threads: ThreadPoolExecutor | None = None
        self._closing: list[Callable[[], None]] = []

    @property
    def of_use(self) -> bool:
        """Whether it has more than one process; none where Python is part of another program and cannot be started."""
        return self._number > 1 and bool(sys.executable)

    def map(self, tasks: Iterable[Task[Source]], *, sure: bool = False) -> Iterator[tuple[Task[Source], Any]]:
        """The tasks, each with what was read; ``sure``: it is known to be enough for processes to be worth it."""
        waiting = iter(tasks)
        held: list[Task[Source]] = []
        if self._threads is None and not sure:
            size = 0
            for task in waiting:
                held.append(task)
                size += task.size
                if size >= LEAST:
                    break
            else:
                yield from ((task, do(task.job, task.answer)) for task in held)
                return
        yield from self._shared(chain(held, waiting))

    def at_end(self, call: Callable[[], None]) -> None:
        """Have something done when the pool is closed: what a thread waits for must not keep it waiting."""
        self._closing.append(call)

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for call in self._closing:
            call()
        for process in self._all:
            process.kill()
        if self._threads:
            self._threads.shutdown(cancel_futures=True)
        for process in self._all:
            process.forget()
        memory.lend(-self._most * len(self._all))
        self._all, self._threads, self._closing = [], None, []

    def _shared(self, tasks: Iterable[Task[Source]]) -> Iterator[tuple[Task[Source], Any]]:
        threads = self._threads or self._started()
        under_way: deque[tuple[Task[Source], Future[Any]]] = deque()
        for task in tasks:
            under_way.append((task, threads.submit(self._done, task)))
            if len(under_way) >= AHEAD * self._number:
                yield self._taken(*under_way.popleft())
        while under_way:
            yield self._taken(*under_way.popleft())

    def _started(self) -> ThreadPoolExecutor:
        self._threads = ThreadPoolExecutor(self._number, "mdw-reading")
        for _ in range(self._number):
            try:
                process = ReadingProcess(self._most)
            except OSError as error:
                self.notes.append(f"no process could be started to read: {system_says(error)}")
                self._free.put(None)
            else:
                self._all.append(process)
                self._free.put(process)
        memory.lend(self._most * len(self._all))
        return self._threads

    def _done(self, task: Task[Source]) -> Any:
        """What a process makes of a task; Lost if it ends meanwhile, or had ended before."""
        # Who has lost a process puts None in its place: as many as there are threads, so that none of them waits.
        process = self._free.get()
        try:
            if process is None:
                raise Lost("")
            found = process.done(task)
        except Lost:
            self._free.put(None)
            raise
        self._free.put(process)
        return found

    def _taken(self, task: Task[Source], found: Future[Any]) -> tuple[Task[Source], Any]:
        try:
            return task, found.result()
        # The same function in this process: what is read does not depend on how many others there are.
        except Lost as lost:
            if lost.why:
                self.notes.append(f"a process that read {task.what} {lost.why}: it was read again, without one")
            return task, do(task.job, task.answer)


class ReadingProcess:
    """One process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._process = start("mdw.readers.sharing.process", str(most), str(os.getpid()))
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin, self._process.stdout

    def done(self, task: Task[Any]) -> Any:
        """What it makes of a task."""
        try:
            messages.write(self._input, TASK, task.job)
            while message := messages.read(self._output):
                kind, content = message
                if kind != QUESTION:
                    return content
                messages.write(self._input, ANSWER, task.answer(content))
        except BrokenPipeError:
            pass
        raise Lost(_ended(self._process.wait(), self._most))

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """Let go of it, when no thread waits for it any more."""
        # What was still to be sent to it nobody will read.
        with suppress(OSError):
            self._input.close()
        self._output.close()


def _ended(code: int, most: int) -> str:
    """What became of a process that might take so many bytes (0: any number), for people."""
    # Python raises an error where memory ends, libraries in other languages abort, or write to where nothing is.
    if most and code in (TOO_MUCH, -signal.SIGABRT):
        return f"needed more than its {memory.shown(most)} of memory"
    if code == TOO_MUCH:
        return "ran out of memory"
    if most and code == -signal.SIGSEGV:
        return f"was ended by SIGSEGV, maybe where its {memory.shown(most)} of memory ended"
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"failed with exit code {code}"
