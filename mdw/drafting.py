"""Files that are there whole or not at all: written to a draft beside them, which then takes their place.

Drafts and private folders are nobody else's, and what is said to be there is on the disk: after a power cut too.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

DRAFT = ".draft"
"""How the names of drafts end, for whoever sweeps up what a killed process has left."""
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
_NAMED = 100
"""Characters of a file's name that its draft bears."""
_SYNCS_NO_FOLDER = (errno.EINVAL, errno.ENOTSUP, errno.EACCES)


@contextmanager
def drafted(path: Path, *, private: bool = False, named: bool = True) -> Iterator[Path]:
    """A path to write to; what stands there takes the place of ``path``, unless the block fails: then it is removed.

    The content is on the disk before the new name is, and that before the block is left: after a power cut the file is
    the old one or the new one, whole. Nobody can guess the name of a draft, or read it; the file then has the mode of
    the one it replaces, or the usual one, unless it stays ``private``. A device or a pipe has no content to replace: it
    is written to itself. Not ``named``: that the name is on the disk is left to whoever writes another file beside it.
    OSError as the system raises it.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path
        return
    # What begins with a dot is no data to Spark.
    file, name = tempfile.mkstemp(DRAFT, _before(path), path.parent)
    os.close(file)
    draft = Path(name)
    try:
        yield draft
        draft.chmod(PRIVATE_FILE if private else _mode(path))
        put_on_disk(draft)
        draft.replace(path)
    except BaseException:
        # What kept it from being written may keep it from being removed.
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    if named:
        put_on_disk(path.parent)


def drafts_of(path: Path) -> set[Path]:
    """The drafts of a file that stand beside it, as a killed process leaves them. OSError as the system raises it."""
    return {one for one in path.parent.iterdir() if one.name.startswith(_before(path)) and one.name.endswith(DRAFT)}


def put_on_disk(path: Path) -> None:
    """Wait until a file's content, or the names in a folder, are on the disk. OSError as the system raises it."""
    folder = path.is_dir()
    if folder and os.name == "nt":  # where the system does it by itself
        return
    try:
        file = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
        try:
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        # Some file systems take no such order for folders, and some folders may be written to but not opened.
        if not folder or error.errno not in _SYNCS_NO_FOLDER:
            raise


def put_all_on_disk(files: Sequence[str]) -> None:
    """The same for some dozens of files: the disk begins with all before the first is waited for.

    A third of the time of one after the other. OSError as the system raises it.
    """
    with ExitStack() as closing:
        opened = []
        for path in files:
            file = os.open(path, os.O_RDWR)
            closing.callback(os.close, file)
            opened.append(file)
            if hasattr(os, "posix_fadvise"):
                # Content that nobody will read again soon is written at once.
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        for file in opened:
            os.fsync(file)


def private_folder(path: Path) -> None:
    """Make a folder that only its owner may enter, and those above it; what is there already stays as it is.

    Their names are on the disk. OSError as the system raises it.
    """
    missing = [one for one in (path.absolute(), *path.absolute().parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(PRIVATE_FOLDER if one == missing[0] else 0o777, exist_ok=True)
        put_on_disk(one.parent)


def _before(path: Path) -> str:
    """How the names of a file's drafts begin."""
    return f".{path.name[:_NAMED]}."


def _mode(path: Path) -> int:
    """The mode of a file that is there, or that of a new one."""
    with suppress(FileNotFoundError):
        return path.stat().st_mode & 0o777
    # The system tells its mask only to who sets it.
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
