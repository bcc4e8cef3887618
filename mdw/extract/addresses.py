"""The URL of a database: what it is, where it is, and how it is shown without who logs in and with what.

>>> address("postgresql+psycopg://me:geheim@host:5432/dwh").shown
'postgresql://host:5432/dwh'
>>> address("postgresql://me:geheim@host/dwh")
Address(shown='postgresql://host/dwh')
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, unquote_plus

from mdw.model.errors import DatabaseError
from mdw.readers.sql.masking import masked

SYSTEMS = {"postgres": "postgresql", "postgresql": "postgresql", "sqlite": "sqlite", "duckdb": "duckdb"}
"""Systems by the beginning of a URL; others are left to SQLAlchemy."""
_SECRETS = re.compile(r"(?i)passw|pwd|secret|token|key|credential")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is. What its URL keeps to itself shows neither in ``repr`` nor in messages."""

    shown: str
    system: str = field(repr=False)
    url: str = field(repr=False)
    path: Path | None = field(repr=False, default=None)
    secrets: tuple[str, ...] = field(repr=False, default=())
    user: str = field(repr=False, default="")

    def scrubbed(self, error: object) -> str:
        """What a driver says, on one line, without the URL and what it keeps to itself."""
        text = " ".join(str(error).split())
        for secret in sorted((self.url, *self.secrets), key=len, reverse=True):
            text = text.replace(secret, "…")
        if self.user:
            text = re.sub(rf"(?i)(\buser\b\W*){re.escape(self.user)}(?!\w)", r"\1…", text)
        return masked(text, "ansi") or type(error).__name__


def address(url: str) -> Address:
    """A URL, taken apart; DatabaseError if it is none, in words that do not repeat it."""
    scheme, mark, rest = url.partition("://")
    if not mark or not re.fullmatch(r"[A-Za-z][\w+]*", scheme):
        hint = "postgresql://host/name, sqlite:///file, duckdb:///file"
        raise DatabaseError(f"this is no URL of a database: one begins like {hint}")
    first = scheme.lower().partition("+")[0]
    system = SYSTEMS.get(first, first)
    if system in ("sqlite", "duckdb"):
        return _file(system, rest, url)
    login, _, place = rest.rpartition("@")
    place, _, query = place.partition("?")
    if re.search(r"[/?#@\s]", login) or not re.fullmatch(r"[\w.,:\[\]-]*(?:/[^?#@\s]*)?", place):
        signs = "in a name or a password / ? # @ are written %2F %3F %23 %40"
        raise DatabaseError(f"this is no URL of a database: its host cannot be told; {signs}")
    user, _, password = login.partition(":")
    shown = f"{system}://{place}"
    return Address(shown, system, url, None, tuple(_secrets(password, query)), unquote(user))


def _file(system: str, rest: str, url: str) -> Address:
    """A database that is a file: with three slashes below the current folder, with four from the root."""
    if not rest.startswith("/") or "?" in rest or rest in ("/", "/:memory:"):
        raise DatabaseError(f"a {system} database is a file: {system}:///name, or {system}:////from/the/root")
    path = Path(rest[1:])
    return Address(f"{system}:///{path}", system, url, path)


def _secrets(password: str, query: str) -> set[str]:
    """All that must not be seen, as it is written and as it is meant."""
    found = {password, os.environ.get("PGPASSWORD", "")}
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if _SECRETS.search(name):
            found.add(value)
    found |= {value for name, value in parse_qsl(query) if _SECRETS.search(name)}
    found |= {unquote(one) for one in found} | {unquote_plus(one) for one in found}
    return found - {""}
