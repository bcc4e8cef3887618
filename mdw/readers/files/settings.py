"""mdw.toml beside scripts: what holds for the files of its folder and of those below.

    dialect = "snowflake"            # of the scripts
    catalog = "dw"                   # of names that have a schema and no catalogue
    schema = "mart"                  # of names that have none; "dw.mart" says both
    search_path = ["mart", "core"]   # the schemas in which names that have none are looked for, in order
    encoding = "latin-1"             # of files that are not UTF-8
    collation = "binary"             # by which texts are compared: "binary", or the name of the database's own
    entries = ["run_day", "load.all"]  # routines that other programs call, too, with whatever arguments

The nearest file that has a key decides, key by key; what a call or an option says goes before all of them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from mdw.model.collations import is_collation
from mdw.model.errors import InputError, did_you_mean, system_says
from mdw.model.tree import Location, lines_of

FILE = "mdw.toml"
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)\Z")


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for scripts; "" and () where nobody said anything."""

    dialect: str = ""
    catalog: str = ""
    schema: str = ""
    search_path: tuple[str, ...] = ()
    encoding: str = ""
    collation: str = ""
    entries: tuple[str, ...] = ()


KEYS = tuple(one.name for one in fields(Settings))


class FolderSettings:
    """The settings of folders, each mdw.toml read once; ``errors`` are those met on the way."""

    def __init__(self, given: Settings | None = None) -> None:
        self.errors: list[InputError] = []
        self._given = _said(given or Settings())
        self._known: dict[Path, Settings] = {}
        self._whole: dict[Path, Settings] = {}

    def of(self, path: Path | None, root: Path | None) -> Settings:
        """What holds for a file below a folder that was named, from that folder down."""
        if path is None:
            return replace(Settings(), **self._given)
        folder = path.parent
        if folder not in self._whole:
            # A file that was named itself has its own folder's settings.
            self._whole[folder] = replace(self._below(folder, root or folder), **self._given)
        return self._whole[folder]

    def _below(self, folder: Path, root: Path) -> Settings:
        found = self._known.get(folder)
        if found is None:
            around = Settings() if folder == root or folder.parent == folder else self._below(folder.parent, root)
            found = self._known[folder] = replace(around, **self._in(folder / FILE))
        return found

    def _in(self, file: Path) -> dict[str, Any]:
        """What a file says; nothing if it is not there, or as far as it cannot be read."""
        if not file.is_file():
            return {}
        try:
            text = file.read_text(encoding="utf-8")
            said = tomllib.loads(text)
        except (OSError, UnicodeDecodeError) as error:
            reason = system_says(error) if isinstance(error, OSError) else "it is not UTF-8"
            self.errors.append(InputError(f"cannot read {file}: {reason}"))
            return {}
        except RecursionError:
            self.errors.append(InputError(f"cannot read {file}: its values lie too deep within others"))
            return {}
        except tomllib.TOMLDecodeError as error:
            self.errors.append(_malformed(file, text, str(error)))
            return {}
        return {key: value for key in said if (value := self._value(key, said[key], file, text)) is not None}

    def _value(self, key: str, value: Any, file: Path, text: str) -> str | tuple[str, ...] | None:
        """The value of a key; None, and an error, where there is no such key or it takes no such value."""
        listed = key in ("search_path", "entries")
        wanted = "a list of names" if listed else "a text"
        if key not in KEYS:
            message = f"nothing reads the key {key}{did_you_mean(get_close_matches(key, KEYS, 1))}"
        elif listed and isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        elif not listed and isinstance(value, str):
            message = _refused(key, value)
            if not message:
                return value
        else:
            message = f"{key} takes {wanted}"
        lines = lines_of(text)
        at = next((n for n, line in enumerate(lines, 1) if re.match(rf"\s*\[*\s*[\"']?{re.escape(key)}\b", line)), 1)
        excerpt = lines[at - 1]
        column = excerpt.find(key) + 1 or 1
        hint = f"the keys are {', '.join(KEYS)}"
        self.errors.append(InputError(message, location=Location(str(file), at, column), excerpt=excerpt, hint=hint))
        return None


def _said(settings: Settings) -> Mapping[str, Any]:
    """The keys that say something."""
    return {key: value for key in KEYS if (value := getattr(settings, key))}


def _refused(key: str, value: str) -> str:
    """Why a key does not take a text; "" if it does."""
    if key == "encoding":
        # Some codecs make no text of bytes (rot13, hex); whether one does, only using it tells.
        try:
            b" ".decode(value)
        except UnicodeError:
            return ""
        except (LookupError, ValueError):
            return f"no encoding is called {value}"
    if key == "collation" and not is_collation(value):
        return f'no collation is called {value}: write "binary", or the name that the database has for it'
    if key == "dialect":
        from mdw.readers.sql.dialects import flavour_of  # sqlglot is slow to import

        try:
            flavour_of(value)
        except InputError as error:
            return f"{error.message}{did_you_mean(get_close_matches(value, error.expected, 1))}"
    return ""


def _malformed(file: Path, text: str, message: str) -> InputError:
    found = _PLACE.search(message)
    lines = lines_of(text)
    line, column = (int(found[1]), int(found[2])) if found else (max(1, len(lines)), 1)
    excerpt = lines[line - 1] if line <= len(lines) else ""
    words = _PLACE.sub("", message).removesuffix(" (at end of document)")
    return InputError(f"no TOML: {words}", location=Location(str(file), line, column), excerpt=excerpt)
