"""What a request to the SPARQL endpoint asks for (SPARQL 1.1 Protocol, 2.1 and 2.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from email.message import Message
from typing import NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import Scope

from mdw.server.refusal import Refusal

QUERY, UPDATE = "application/sparql-query", "application/sparql-update"
ENCODED = "application/x-www-form-urlencoded"
DATASET = {
    "query": ("default-graph-uri", "named-graph-uri"),
    "update": ("using-graph-uri", "using-named-graph-uri"),
}
_IRI = re.compile(r'[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>"{}|\\^`]*\Z')


class Wanted(NamedTuple):
    """A query or an update, the graphs it is asked of, and the form its answer is to have."""

    do: str
    text: str
    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    union: bool = True
    form: str = ""
    seconds: float = 0.0


async def read(request: Request, allowed: Sequence[str], most: int) -> Wanted | None:
    """What is asked for, None if nothing is; Refusal if it is not asked as the protocol says."""
    content = b"" if request.method in ("GET", "HEAD") else await body(request, most)
    said = request.headers.get("content-type", "")
    return understood(request.method, parameters(request.scope), said, content, allowed, most)


def parameters(scope: Scope) -> str:
    """What stands after the question mark of an address, as it was sent."""
    # not by Starlette's URL, which would put the whole address together and take it apart again
    sent: bytes = scope["query_string"]
    return sent.decode("latin-1")


def understood(
    method: str, parameters: str, media_type: str, content: bytes, allowed: Sequence[str], most: int
) -> Wanted | None:
    """The same of a request that has come in whole: its parameters as they are in the address, and its content."""
    given = pairs(parameters)
    if method in ("GET", "HEAD"):
        # links are followed by anybody, browsers and robots too: they change nothing
        if any(name == "update" for name, _ in given):
            raise Refusal(405, "an update is sent by POST", {"Allow": "POST"})
    else:
        media, charset = content_type(media_type)
        if charset not in ("", "utf-8", "utf8", "us-ascii"):
            raise Refusal(415, f"the text is to be in UTF-8, not in {charset}")
        if media not in (ENCODED, QUERY, UPDATE):
            wanted = f"{QUERY}, {UPDATE} or {ENCODED}"
            raise Refusal(415, f"the content type is to be {wanted}, not {media or 'missing'}")
        text = _decoded(content)
        if media == ENCODED:
            given += pairs(text)
        else:
            given.append(("query" if media == QUERY else "update", text))
    return _asked(given, allowed, most)


def pairs(encoded: str) -> list[tuple[str, str]]:
    """Names and values of parameters, as ``parse_qsl`` has them, which takes each escape by itself.

    Where they are a query and nothing else, as they mostly are, all escapes are taken at once, as those of Python.
    """
    name, _, value = encoded.partition("=")
    if name == "query" and value.isascii() and "&" not in value and "\\" not in value:
        with suppress(UnicodeError):  # one is no escape, or what they say is no UTF-8
            escaped = value.replace("+", " ").replace("%", "\\x").encode()
            return [(name, escaped.decode("unicode_escape").encode("latin-1").decode())]
    return parse_qsl(encoded, keep_blank_values=True)


def content_type(said: str) -> tuple[str, str]:
    """The media type a request says of what it brings, and its character set, in small letters."""
    if not said:
        return "", ""
    message = Message()
    message["content-type"] = said
    return message.get_content_type(), str(message.get_param("charset", "")).lower()


def iri(text: str) -> str:
    """An absolute IRI as given; Refusal if it is none."""
    if not _IRI.match(text):
        raise Refusal(400, f"{text[:200]!r} is no absolute IRI")
    return text


async def body(request: Request, most: int) -> bytes:
    """What a request brings; Refusal (413) if it is longer than it may be."""
    within(announced(request), most)  # before any of it is taken; what is announced need not be true
    found = bytearray()
    async for piece in request.stream():
        found += piece
        within(len(found), most)
    return bytes(found)


def announced(request: Request) -> int:
    """Bytes that a request says it brings, 0 if it does not say."""
    said = request.headers.get("content-length", "")
    return int(said) if said.isdecimal() else 0


def within(size: int, most: int) -> None:
    """Refusal (413) if a request brings more than it may."""
    if size > most:
        raise Refusal(413, f"a request may bring {most} bytes at most; mdw load reads larger files")


def _asked(given: list[tuple[str, str]], allowed: Sequence[str], most: int) -> Wanted | None:
    do = text = ""
    form = seconds = None
    union = True
    for name, value in given:
        if name in DATASET:
            if do:
                raise Refusal(400, "a request holds one query or one update")
            do, text = name, value
        elif name in ("format", "output"):
            form = value if form is None else form
        elif name == "timeout":
            seconds = value if seconds is None else seconds
        elif name == "union-default-graph":
            union = union and value != "false"
    if not do:
        return None
    if do not in allowed:
        raise Refusal(400, f"no {do} is answered at this address")
    within(len(text), most)
    default, named = (tuple(iri(value) for name, value in given if name == wanted) for wanted in DATASET[do])
    try:
        return Wanted(do, text, default, named, union, form or "", max(0.0, float("0" if seconds is None else seconds)))
    except ValueError:
        raise Refusal(400, f"timeout is in seconds, and {(seconds or '')[:50]!r} is no number") from None


def _decoded(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise Refusal(400, f"the text is no UTF-8: byte {error.start}") from error
