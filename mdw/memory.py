"""How much memory a process may take, and what becomes of one that wants more.

The limit is RLIMIT_DATA, which counts what can be written to: RLIMIT_AS would count what is reserved as well, which is
many times that. Python raises MemoryError beyond it. The engine aborts: no core file is left, and the reason is said if
there is somebody to say it to.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

UNITS = {"k": 10, "m": 20, "g": 30, "t": 40}
FIRST = 500
"""How much sooner than others the kernel ends a worker of the server where the machine has no memory left (of 1000)."""
GAVE_UP = 134
"""Exit code of a process that the engine aborts, as a shell has it."""
_kept: list[object] = []
"""What the system was told to call stays."""


def size(text: str) -> int:
    """Bytes as people write them; ValueError if they are none.

    >>> size("512m"), size("2G"), size("4096")
    (536870912, 2147483648, 4096)
    """
    number, unit = (text[:-1], text[-1:].lower()) if text[-1:].lower() in UNITS else (text, "")
    if not number.isdecimal() or not int(number):
        raise ValueError(f"{text!r} is no size: 512m and 2g are")
    return int(number) << UNITS.get(unit, 0)


def shown(most: int) -> str:
    """A size in the largest unit that leaves it a whole number.

    >>> shown(2 << 30), shown(1536 << 20), shown(1000)
    ('2g', '1536m', '1000')
    """
    unit = next((unit for unit in reversed(UNITS) if not most % (1 << UNITS[unit])), "")
    return f"{most >> UNITS.get(unit, 0)}{unit}"


def why_unlimited() -> str:
    """Why this system does not keep a process to a limit; empty where it does."""
    system: str = sys.platform
    # macOS takes the limit and does not keep to it, Windows has none
    return "" if system == "linux" else f"{system} keeps no process to a limit of memory"


def limit(most: int, said: str = "") -> None:
    """Keep this process, and those it starts, to so many bytes, where the system can, and leave no core files.

    ``said`` is printed if the engine gives up, which then ends the process with `GAVE_UP`.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if not most or why_unlimited():
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))
    if said:
        _say_at_abort(said)


def allowed() -> int:
    """The bytes that `limit` keeps this process to, 0 for any number."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    soft = resource.getrlimit(resource.RLIMIT_DATA)[0]
    return 0 if why_unlimited() or soft < 0 else soft


def lend(size: int) -> None:
    """Keep this process to so many bytes less, which others take, or more, where it is negative."""
    if size and (now := allowed()):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (now - size, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def go_first() -> None:
    """Have the kernel end this process rather than others, where it must end one."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(FIRST))


def _say_at_abort(said: str) -> None:
    """Print a text when this process is aborted, and end it."""
    text = f"{said}\n".encode()

    # Python's own handlers would never be called: abort() does not come back to it. It is called like a function by the
    # one who gives up, not from anywhere in the middle of something, so that Python can run here.
    def end(_: int) -> None:
        os.write(2, text)
        os._exit(GAVE_UP)

    handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(end)
    libc = ctypes.CDLL(None)
    libc.signal.argtypes, libc.signal.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
    _kept.append(handler)
    libc.signal(signal.SIGABRT, ctypes.cast(handler, ctypes.c_void_p))
