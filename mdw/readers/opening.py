"""Files opened safely: only what is a file, and only what lies where it was looked for."""

from __future__ import annotations

import gzip
import os
import stat
from io import BufferedReader
from pathlib import Path

NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def opened(path: Path) -> BufferedReader:
    """The bytes of a file; OSError of anything else, as of a pipe, which would be waited for without end."""
    # Opened first and looked at then: what is looked at first may be another thing when it is opened.
    descriptor = os.open(path, os.O_RDONLY | NO_WAITING)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(None, "it is no regular file")
    return os.fdopen(descriptor, "rb")


def unzipped(path: Path) -> gzip.GzipFile:
    """What a file that gzip made holds; OSError as above."""
    return _Unzipped(opened(path))


class _Unzipped(gzip.GzipFile):
    """One that also closes the file below, which gzip leaves open where it did not open it itself."""

    def __init__(self, below: BufferedReader) -> None:
        super().__init__(fileobj=below)
        self._below = below

    def close(self) -> None:
        """Close both."""
        super().close()
        self._below.close()


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a path below a folder is a link to what lies elsewhere."""
    return not path.resolve().is_relative_to(folder.resolve())
