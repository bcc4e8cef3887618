"""Who may do what: bearer tokens with roles, kept hashed in a file (RFC 6750).

Where there is no such file, everyone who reaches the server may read; changes are for this machine alone, and only if
the server was told to allow them. Where there is one, each request needs a token that it names.
"""

from __future__ import annotations

import json
import logging
import secrets
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from mdw.drafting import drafted
from mdw.model.errors import StoreError, writing
from mdw.server.refusal import Refusal
from mdw.server.watch import Watch

AUDIT = logging.getLogger("mdw.audit")
"""Who changed what, and who was not let in."""
ROLES = ("read", "update", "admin")
"""Each may do what those before it may."""
TOKENS = "tokens.json"
"""The file's name, beside the store."""


class Access:
    """The tokens of a store, and whether changes from this machine need none; ``rest`` as `Watch` has it."""

    def __init__(self, store: Path, *, open_to_updates: bool = False, rest: float = 0.0) -> None:
        self._store = store
        self._file = Watch(store / TOKENS, rest)
        self._open_to_updates = open_to_updates
        self._read_at = -1
        self._tokens: dict[str, tuple[str, str]] | None = None

    @property
    def tokens(self) -> dict[str, tuple[str, str]] | None:
        """Name and role by hash, as the file says now; None where there is none."""
        changed = self._file.changed()
        if changed != self._read_at:
            self._tokens, self._read_at = load(self._store), changed
        return self._tokens

    def require(self, request: Request, role: str) -> str:
        """Who asks, if they may do what ``role`` may; Refusal (401, 403) if not, which the audit log is told."""
        client = request.client.host if request.client else ""
        try:
            if ROLES.index(role) > 0:  # who reads changes nothing; what a page may read is for CORS to say
                _refuse_other_sites(request)
            return self.allow(role, request.headers.get("authorization", ""), client)
        except Refusal as refusal:
            said = {"what": f"{request.method} {request.url.path}", "client": client, "reason": refusal.detail}
            AUDIT.warning("not allowed", extra=said)
            raise

    def allow(self, role: str, authorization: str, client: str) -> str:
        """The same of whoever authorizes themselves so and comes from this address."""
        tokens = self.tokens
        if tokens is None:
            if role != "read" and not (self._open_to_updates and is_loopback(client)):
                raise Refusal(403, "this server is read-only: start it with --allow-update, or make tokens")
            return client
        scheme, _, token = authorization.partition(" ")
        known = tokens.get(hashed(token.strip())) if scheme.lower() == "bearer" else None
        if known is None:
            raise Refusal(401, "a bearer token is needed", {"WWW-Authenticate": 'Bearer realm="mdw"'})
        name, given = known
        if ROLES.index(given) < ROLES.index(role):
            raise Refusal(403, f"the role {given} is not enough: {role} is needed")
        return name


def _refuse_other_sites(request: Request) -> None:
    """Refusal for what a page of another site has a browser send (the browser says where it comes from)."""
    # a browser that is logged in nowhere still reaches addresses that nobody else does
    origin = request.headers.get("origin")
    # and programs that are no browsers send no Origin: they are whoever their token says
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise Refusal(403, "changes are not taken from pages of other sites")


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def hashed(token: str) -> str:
    """How a token is kept: 256 random bits need no salt."""
    return sha256(token.encode()).hexdigest()


def load(store: Path) -> dict[str, tuple[str, str]] | None:
    """Name and role by hash of the token, None where there is no file; StoreError if it cannot be read."""
    path = store / TOKENS
    # an empty file is not no file: who took the last token away did not mean to let everybody in
    if not path.exists():
        return None
    try:
        kept: Any = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(kept, list):
            raise TypeError("it holds no list")
        return {one["hash"]: (one["name"], ROLES[ROLES.index(one["role"])]) for one in kept}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path} is no file of tokens: {error}") from error


def add(store: Path, name: str, role: str) -> str:
    """A new token; the file keeps its hash only, in the place of the one of that name if there is one."""
    token = secrets.token_urlsafe(32)
    kept = {one: given for one, given in (load(store) or {}).items() if given[0] != name} | {
        hashed(token): (name, role)
    }
    _write(store, kept)
    return token


def remove(store: Path, name: str) -> bool:
    """Take the token of a name away; whether there was one."""
    kept = load(store)
    if kept is None:
        return False
    left = {one: given for one, given in kept.items() if given[0] != name}
    _write(store, left)
    return len(left) < len(kept)


def _write(store: Path, tokens: dict[str, tuple[str, str]]) -> None:
    rows = [{"name": name, "role": role, "hash": one} for one, (name, role) in tokens.items()]
    with writing(store / TOKENS), drafted(store / TOKENS, private=True) as draft:
        draft.write_text(json.dumps(rows, indent=2), encoding="utf-8")
