"""A process that reads, one task at a time, and can be killed at any moment without harm.

    python -m mdw.readers.sharing.process BYTES PARENT    takes so many bytes of memory at most (0: any number)

It ends when its input does, when the process that started it does, and when anything goes wrong, memory above all: then
that process reads what it had.
"""

from __future__ import annotations

import os
import sys
from typing import IO, Any

from mdw import memory
from mdw.collecting import collected, uncollected
from mdw.processes import end_with_parent
from mdw.readers.sharing import messages
from mdw.readers.sharing.messages import ANSWER, DONE, QUESTION
from mdw.readers.sharing.work import do

TOO_MUCH, FAILED = 3, 4
"""Exit codes."""


def main(most: str, parent: str) -> None:
    """Work until the input ends."""
    memory.limit(int(most))
    memory.go_first()
    target = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed by mistake is no message
    end_with_parent(int(parent))
    try:
        with uncollected():
            _work(sys.stdin.buffer, target)
    except MemoryError:
        os._exit(TOO_MUCH)
    # A mistake in the code, too: who reads the task then makes the same, and somebody sees it there.
    except Exception:
        os._exit(FAILED)


def _work(source: IO[bytes], target: IO[bytes]) -> None:
    def ask(question: Any) -> Any:
        messages.write(target, QUESTION, question)
        answer = messages.read(source)
        if answer is None:
            raise BrokenPipeError
        assert answer[0] == ANSWER
        return answer[1]

    while task := messages.read(source):
        messages.write(target, DONE, do(task[1], ask))
        del task
        collected()


if __name__ == "__main__":
    main(*sys.argv[1:])
