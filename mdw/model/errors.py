"""Every exception of mdw.

MdwError
├── InputError      one thing read is wrong: what, where (file, line, column, caret), what was expected
│   └── BatchError  several things read are wrong; the rest was read
├── QuestionError   a question cannot be asked: unknown attribute, unreadable condition or request
├── QueryError      SPARQL that the store refuses
├── StoreError      the store cannot be opened, written or found
├── PictureError    a picture cannot be drawn
├── OutputError     a result cannot be written where it should be
├── DatabaseError   a database cannot be reached or read
├── SparkError      Spark cannot be had, does not start, or cannot use a database
└── TooLargeError   a condition has outgrown its limit: never leaves mdw, bounds are used instead
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

from mdw.model.name import letters
from mdw.model.tree import Location
from mdw.model.visible import visible

LINE = 110
"""Characters of a line of input that an error shows."""
FIRST = 100
"""Errors of one file that are kept; of further ones their number is."""
MOST = 10_000
"""Errors of all files together that are kept."""


class MdwError(Exception):
    """Root of every error mdw raises on purpose."""


class InputError(MdwError):
    """One unreadable piece of input.

    ``message`` says what is wrong, ``hint`` what to do about it, ``location`` where, and ``excerpt`` is the offending
    line of the input (or part of a long one); ``str()`` puts them together with a caret below the place, which is
    ``caret`` characters into the excerpt (None: as many as the column says). ``count`` is more than one where it stands
    for further errors of a file (see `FirstErrors`). Characters that nobody sees are escaped.
    """

    def __init__(
        self,
        message: str,
        *,
        location: Location | None = None,
        excerpt: str = "",
        caret: int | None = None,
        expected: Sequence[str] = (),
        hint: str = "",
        count: int = 1,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.excerpt = excerpt
        self.caret = location.column - 1 if location and caret is None else caret
        self.expected = tuple(expected)
        self.hint = hint
        self.count = count

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        lines = [visible(f"{where}{self.message}")]
        # Tabs before the place stay tabs: then the caret stands below it, however wide a terminal shows them.
        if self.excerpt and self.location:
            # Of a long line what a terminal can show, around the place.
            first = max(0, (self.caret or 0) - LINE // 2) if len(self.excerpt) > LINE else 0
            lead = visible(self.excerpt.ljust(self.caret or 0)[first : self.caret])
            shown = visible(self.excerpt[first : first + LINE])
            lines += [f"    {shown}", "    " + "".join(c if c == "\t" else " " for c in lead) + "^"]
        if self.expected:
            lines.append(visible("    expected: " + ", ".join(self.expected)))
        if self.hint:
            lines.append(visible(f"    hint: {self.hint}"))
        return "\n".join(lines)


# An InputError itself, so that whoever expects one unreadable thing also catches several.
class BatchError(InputError):
    """Every error of one batch, in the order met; what was readable has been kept."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        total = how_many(errors)
        super().__init__(f"{total:,} {'error' if total == 1 else 'errors'} in the input", count=total)
        self.errors = tuple(errors)

    def __reduce__(self) -> tuple[type[BatchError], tuple[tuple[InputError, ...]]]:
        return BatchError, (self.errors,)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


class FirstErrors:
    """The first errors of each file, and of all further ones how many there are.

    A file that is no mapping text at all has an error for each line: nobody reads them all, and memory is bounded.
    """

    def __init__(self, errors: Iterable[InputError] = ()) -> None:
        self._kept: list[InputError] = []
        self._counts: dict[str, int] = {}
        self._further: dict[str, tuple[Location | None, int]] = {}
        self.take(errors)

    def take(self, errors: Iterable[InputError]) -> None:
        """Take in errors, in the order met."""
        for error in errors:
            self.add(error)

    def add(self, error: InputError) -> None:
        """Take in one more."""
        file = error.location.file if error.location else ""
        met = self._counts.get(file, 0)
        # What has no place may be of as many files as there are errors.
        if error.count == 1 and len(self._kept) < MOST and (met < FIRST or not file):
            # Where it was raised holds on to the text of its mapping.
            error.with_traceback(None).__context__ = None
            self._kept.append(error)
            self._counts[file] = met + 1
        else:
            place, further = self._further.get(file, (error.location, 0))
            self._further[file] = place, further + error.count

    def every(self) -> tuple[InputError, ...]:
        """The errors kept, in the order met, and behind those of a file one that stands for its further ones."""
        left = dict(self._counts)
        found: list[InputError] = []
        for error in self._kept:
            found.append(error)
            file = error.location.file if error.location else ""
            left[file] -= 1
            if not left[file] and file in self._further:
                found.append(the_rest(*self._further[file]))
        return (*found, *(the_rest(*one) for file, one in self._further.items() if file not in self._counts))


def the_rest(place: Location | None, count: int) -> InputError:
    """What stands for further errors of a file, from a place on."""
    message = f"{count:,} more {'error' if count == 1 else 'errors'}{' from here on' if place else ''}, not shown"
    hint = f"of a file the first {FIRST} are shown, and {MOST:,} of all: mend these and load again"
    return InputError(message, location=place, hint=hint, count=count)


def how_many(errors: Iterable[InputError]) -> int:
    """The number of errors, with those that are not shown."""
    return sum(error.count for error in errors)


class QuestionError(MdwError):
    """A question that cannot be asked: unknown attribute, unreadable condition, unknown context.

    ``missing`` is true where what it asks about is not there.
    """

    def __init__(self, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


class QueryError(MdwError):
    """A SPARQL query the store refuses; ``line`` and ``column``, from 1, say where if that is known (else 0)."""

    def __init__(self, message: str, *, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class StoreError(MdwError):
    """A store that cannot be opened, read or written."""


class PictureError(MdwError):
    """A picture that cannot be drawn."""


class OutputError(MdwError):
    """A file or folder of results that cannot be written."""


class DatabaseError(MdwError):
    """A database that cannot be reached or read; it says nothing of who was to log in, and with what."""


class SparkError(MdwError):
    """Spark that is not there, does not start, or cannot use a database."""


class TooLargeError(MdwError):
    """A condition that has outgrown the limit of its form; whoever asked for it falls back to bounds."""


def system_says(error: BaseException) -> str:
    """Why the system refused something, in a few words of one line.

    >>> system_says(FileNotFoundError(2, "No such file or directory", "x.map"))
    'no such file or directory'
    """
    return (getattr(error, "strerror", None) or str(error)).partition("\n")[0].lower()


def did_you_mean(names: Sequence[str]) -> str:
    """The end of a message about an unknown name, by the known names most like it; nothing if there are none.

    >>> did_you_mean(["A.B", "A.C"])
    '; did you mean A.B or A.C?'
    """
    return f"; did you mean {' or '.join(names)}?" if names else ""


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names most like one, whatever their case and quotes, so many at most.

    >>> nearest("s.custmer.ID", ["S.`Customer`.`Id`", "S.`Other`.`Id`", "T.X"], 1)
    ['S.`Customer`.`Id`']
    """
    folded: dict[str, list[str]] = {}
    for one in known:
        folded.setdefault(letters(one), []).append(one)
    return [one for found in get_close_matches(letters(name), folded, most) for one in folded[found]][:most]


@contextmanager
def writing(target: object) -> Iterator[None]:
    """What the system says against writing a result, as our own error."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {target}: {system_says(error)}") from error


# Tracebacks name errors as they are imported, wherever they live.
for _error in (
    MdwError, InputError, BatchError, QuestionError, QueryError, StoreError, PictureError, OutputError, DatabaseError,
    SparkError,
):  # fmt: skip
    _error.__module__ = "mdw"
