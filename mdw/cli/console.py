"""The terminal: what goes to which stream, in which width and with which colours."""

from __future__ import annotations

import codecs
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, cast

import click

from mdw.model.errors import BatchError, InputError, MdwError, writing
from mdw.model.visible import in_json, visible
from mdw.ticking import ticking


def color() -> bool:
    """Colours only for a terminal, and not where NO_COLOR is set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def width() -> int:
    """Characters in a line."""
    # A file or a pipe has no width: what is written there must not depend on who started the command.
    return shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 120


def write(text: str | bytes, path: Path | None = None) -> None:
    """A result, to the file or to standard output."""
    if path is None:
        click.echo(text, nl=isinstance(text, str) and not text.endswith("\n"), color=color())
        return
    with writing(path):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def write_data(text: str, path: Path | None = None) -> None:
    """What programs read: as it is, but on a terminal with every character to be seen."""
    write(visible(text) if path is None and sys.stdout.isatty() else text, path)


def data_stream() -> IO[bytes]:
    """Standard output for what programs read; on a terminal as above."""
    return cast(IO[bytes], _Seen()) if sys.stdout.isatty() else sys.stdout.buffer


class _Seen(io.RawIOBase):
    """Bytes of UTF-8 on their way to a terminal."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        click.echo(visible(self._decoder.decode(bytes(data))), nl=False)
        return len(data)


def write_lines(lines: Iterable[str], path: Path | None = None) -> None:
    """The same for a result that comes line by line."""
    # Line by line as they come: the first can be read while the last is being made.
    if path is None:
        for line in lines:
            click.echo(line)
        return
    with writing(path), path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def note(text: str) -> None:
    """A word beside the result."""
    click.echo(visible(text), err=True)


def complain(errors: Sequence[InputError], form: str = "text") -> None:
    """Every error with its place and a caret, or all of them as JSON."""
    if form == "json" and errors:
        note(errors_text(errors))
        return
    for error in errors:
        note(str(error))


def errors_text(errors: Sequence[MdwError | click.ClickException]) -> str:
    """Errors as JSON for programs: ``{"errors": [...]}``, each with message, file, line, column and hint."""
    from mdw.model.answers.results import error_dict  # slow to import, and most commands meet no error

    every = [one for error in errors for one in (error.errors if isinstance(error, BatchError) else [error])]
    told = [one if isinstance(one, InputError) else InputError(_message(one)) for one in every]
    return json_text({"errors": [error_dict(one) for one in told]})


def _message(error: Exception) -> str:
    return error.format_message() if isinstance(error, click.ClickException) else str(error)


def progress(doing: str = "mappings read") -> AbstractContextManager[Callable[[int, float], None]]:
    """Shows how far a command is, where somebody watches."""
    return _watched(lambda count, share: f"{share:4.0%}  {count:,} {doing}")


@contextmanager
def counting(doing: str) -> Iterator[Callable[[int], None]]:
    """Shows how much is done where nobody knows how much there is."""
    with _watched(lambda count, _share: f"{count:,} {doing}") as show:
        yield lambda count: show(count, 0)


def stages() -> AbstractContextManager[Callable[[str, float], None]]:
    """Shows which stage a long run is in and how far that is, where somebody watches."""
    return _watched(lambda stage, share: f"{stage} {share:4.0%}")


@contextmanager
def waiting(doing: str) -> Iterator[None]:
    """Shows for how long something has been done of which nobody knows the length, from the first second on."""
    with _watched(lambda seconds, _share: f"{doing}: {seconds} s") as show, ticking(1, lambda second: show(second, 0)):
        yield


@contextmanager
def _watched(line: Callable[[Any, float], str]) -> Iterator[Callable[[Any, float], None]]:
    """One line that is written over as long as the work lasts."""
    # In a log every step would be a line of its own.
    if not sys.stderr.isatty():
        yield lambda _at, _share: None
        return
    shown = False

    def show(at: Any, share: float) -> None:
        nonlocal shown
        shown = True
        click.echo(f"\r\x1b[K{line(at, share)}", nl=False, err=True)

    try:
        yield show
    finally:
        if shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def json_text(value: Any) -> str:
    """Plain values as JSON for people and programs."""
    return in_json(json.dumps(value, ensure_ascii=False, indent=2))


def title(text: str) -> str:
    """A line that stands out."""
    return click.style(text, bold=True)
