"""Files opened safely: only what is a file, what lies where it was looked for, and what is in proportion unpacked."""

from __future__ import annotations

import gzip
import io
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Any

MOST_UNPACKED = 16 << 30
"""Bytes that one file is unpacked to, at most."""
MOST_RATIO, ANY_RATIO = 250, 64 << 20
"""How many times as long as it is a file may become, and bytes that it may become in any case."""
NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def opened(path: Path) -> BufferedReader:
    """The bytes of a file; OSError of anything else, as of a pipe, which would be waited for without end."""
    # Opened first and looked at then: what is looked at first may be another thing when it is opened.
    descriptor = os.open(path, os.O_RDONLY | NO_WAITING)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(None, "it is no regular file")
    return os.fdopen(descriptor, "rb")


def unzipped(path: Path, *, most: int = MOST_UNPACKED) -> io.BufferedReader:
    """What a file that gzip made holds; OSError as above, and where it holds far more than it takes, or than ``most``.

    ``most`` is 0 for any number of bytes.
    """
    return io.BufferedReader(_Unzipped(opened(path), most))


class _Unzipped(io.RawIOBase):
    """What gzip has packed, as far as there is some proportion in it; closes the file below, too."""

    def __init__(self, below: BufferedReader, most: int) -> None:
        self._below = below
        self._most = most
        self._packed = gzip.GzipFile(fileobj=below)
        self._read = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, target: Any, /) -> int:
        """Some of it."""
        data = self._packed.read1(len(target))
        target[: len(data)] = data
        self._read += len(data)
        if is_too_much(self._read, self._below.tell(), self._most):
            raise OSError(None, swollen(self._read, self._below.tell()))
        return len(data)

    def close(self) -> None:
        """Close both."""
        super().close()
        self._packed.close()
        self._below.close()


def is_out_of_proportion(size: int, packed: int) -> bool:
    """Whether something is far more unpacked than it is packed."""
    return size > ANY_RATIO and size > MOST_RATIO * packed


def is_too_much(size: int, packed: int, most: int = MOST_UNPACKED) -> bool:
    """Whether something is too much unpacked, ``most`` 0 for any number of bytes in proportion."""
    return (bool(most) and size > most) or is_out_of_proportion(size, packed)


def swollen(size: int, packed: int) -> str:
    """That something unpacked is too much, and what to do."""
    if not is_out_of_proportion(size, packed):
        return f"unpacked it is more than {MOST_UNPACKED >> 30} GiB: mdw spark-load reads larger ones"
    return f"unpacked it is more than {MOST_RATIO} times as long ({size:,} bytes of {packed:,}): unpack it yourself"


def is_file_in(folder: Path, path: Path) -> bool:
    """Whether a path leads to a regular file in a folder, by whatever links; a name no file can have leads nowhere."""
    try:
        return path.is_file() and not leads_out(path, folder)
    except (OSError, ValueError):
        return False


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a path below a folder is a link to what lies elsewhere."""
    return Whereabouts().lead_out(path, folder)


class Whereabouts:
    """Where paths lead to by whatever links; those that lead in a circle stay: to open them fails.

    The way to a folder is followed once, for all that is asked of it: thousands of files lie in few folders.
    """

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: Path) -> str:
        """The path without links."""
        folder, name = os.path.split(path)
        # Path.resolve raises a RuntimeError at a circle, on some versions of Python.
        if name in ("", os.curdir, os.pardir) or path.is_symlink():
            return os.path.realpath(path)
        return f"{self._folder(folder).rstrip(os.sep)}{os.sep}{name}"

    def lead_out(self, path: Path, folder: Path) -> bool:
        """Whether a path below a folder is a link to what lies elsewhere."""
        place, below = self.of(path), self._folder(str(folder))
        return place != below and not place.startswith(below.rstrip(os.sep) + os.sep)

    def _folder(self, folder: str) -> str:
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = os.path.realpath(folder)
        return found
