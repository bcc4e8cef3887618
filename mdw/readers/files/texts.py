"""Bytes of a file of SQL -> its text, in whatever encoding it was saved."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from mdw.model.errors import InputError
from mdw.model.tree import Location

# UTF-32 goes first: its mark begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Marks at the beginning of a file, and the encoding they tell."""
FALLBACK = "latin-1"
ENCODED = "save it as UTF-8, or say its encoding in mdw.toml beside it"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, its line ends those of Python, and the encoding it was in; ``assumed``: nothing said so."""

    text: str
    encoding: str = "utf-8"
    assumed: bool = False


def decoded(data: bytes, file: str, encoding: str = "") -> Decoded:
    """The text: by the mark it begins with, as UTF-8, in the encoding given, else in Latin-1, which fits all bytes.

    InputError if it is no text: no encoding of text that is assumed has zero bytes in it.

    >>> decoded("é".encode("utf-16"), "x.sql").text, decoded(b"\\xe9", "x.sql")
    ('é', Decoded(text='é', encoding='latin-1', assumed=True))
    """
    marked = next((name for mark, name in MARKS if data.startswith(mark)), "")
    for name in [marked] if marked else list(dict.fromkeys(("utf-8", encoding or "utf-8"))):
        try:
            return Decoded(_lines(data.decode("utf-8-sig" if name == "utf-8" else name)), name)
        except UnicodeError as error:
            wrong = _not_text(data, file, name, error)
    if encoding or marked:
        raise wrong
    if b"\0" in data:
        raise InputError("not text: it has bytes that are 0", location=Location(file, 1, 1), hint=ENCODED)
    return Decoded(_lines(data.decode(FALLBACK)), FALLBACK, assumed=True)


def _not_text(data: bytes, file: str, name: str, error: UnicodeError) -> InputError:
    """What is not in the encoding that somebody told, with its place."""
    if not isinstance(error, UnicodeDecodeError):
        return InputError(f"not {name} text", location=Location(file, 1, 1), hint=ENCODED)
    before = data[: error.start]
    place = Location(file, before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
    return InputError(f"not {name} text: the byte {data[error.start]:02x} is none there", location=place, hint=ENCODED)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
