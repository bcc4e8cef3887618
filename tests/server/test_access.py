"""Tokens: kept hashed, and each role may do what those before it may."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.requests import Request

from mdw.model.errors import StoreError
from mdw.server import access
from mdw.server.access import Access
from mdw.server.refusal import Refusal


def rules_of(folder: Path, role: str = "", *, open_to_updates: bool = False) -> Access:
    """Rules with one token, ``secret``, of a role."""
    if role:
        row = {"name": "ana", "role": role, "hash": access.hashed("secret")}
        (folder / access.TOKENS).write_text(json.dumps([row]), encoding="utf-8")
    return Access(folder, open_to_updates=open_to_updates)


def request(client: str = "127.0.0.1", **headers: str) -> Request:
    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": given, "client": (client, 1)})


def test_only_the_hash_of_a_token_is_kept(tmp_path: Path) -> None:
    token = access.add(tmp_path, "ana", "update")
    kept = (tmp_path / access.TOKENS).read_text(encoding="utf-8")
    assert token not in kept
    assert json.loads(kept)[0]["name"] == "ana"
    assert (tmp_path / access.TOKENS).stat().st_mode & 0o077 == 0
    assert access.load(tmp_path) == {access.hashed(token): ("ana", "update")}


def test_a_new_token_of_a_name_replaces_the_old_one(tmp_path: Path) -> None:
    access.add(tmp_path, "ana", "read")
    token = access.add(tmp_path, "ana", "admin")
    assert access.load(tmp_path) == {access.hashed(token): ("ana", "admin")}
    assert access.remove(tmp_path, "ana")
    assert not access.remove(tmp_path, "ana")
    assert access.load(tmp_path) == {}, "nobody is let in, rather than everybody"


@pytest.mark.parametrize("content", ["", "{}", '[{"name": 1}]', '[{"name": "a", "hash": "b", "role": "king"}]'])
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, content: str) -> None:
    (tmp_path / access.TOKENS).write_text(content, encoding="utf-8")
    with pytest.raises(StoreError, match="no file of tokens"):
        access.load(tmp_path)


@pytest.mark.parametrize(
    ("given", "wanted", "status"),
    [
        ("read", "read", 0),
        ("read", "update", 403),
        ("update", "read", 0),
        ("update", "admin", 403),
        ("admin", "admin", 0),
    ],
)
def test_a_role_may_do_what_those_before_it_may(tmp_path: Path, given: str, wanted: str, status: int) -> None:
    rules = rules_of(tmp_path, given)
    asked = request(authorization="Bearer secret")
    if not status:
        assert rules.require(asked, wanted) == "ana"
        return
    with pytest.raises(Refusal) as raised:
        rules.require(asked, wanted)
    assert raised.value.status == status


@pytest.mark.parametrize("header", ["", "Bearer wrong", "Basic secret", "secret"])
def test_where_there_are_tokens_one_is_needed(tmp_path: Path, header: str) -> None:
    rules = rules_of(tmp_path, "admin", open_to_updates=True)
    with pytest.raises(Refusal) as raised:
        rules.require(request(authorization=header), "read")
    assert raised.value.status == 401
    assert raised.value.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("client", "allowed", "role", "status"),
    [
        ("127.0.0.1", False, "read", 0),
        ("10.1.2.3", False, "read", 0),
        ("127.0.0.1", False, "update", 403),
        ("127.0.0.1", True, "update", 0),
        ("::1", True, "update", 0),
        ("10.1.2.3", True, "update", 403),
    ],
)
def test_without_tokens_all_may_read_and_this_machine_may_change_if_told_so(
    tmp_path: Path, client: str, allowed: bool, role: str, status: int
) -> None:
    rules = rules_of(tmp_path, open_to_updates=allowed)
    if not status:
        assert rules.require(request(client), role) == client
        return
    with pytest.raises(Refusal) as raised:
        rules.require(request(client), role)
    assert raised.value.status == status


def test_pages_of_other_sites_change_nothing(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, open_to_updates=True)
    assert rules.require(request(host="127.0.0.1:7878", origin="http://127.0.0.1:7878"), "update")
    for origin in ("http://evil.example", "http://127.0.0.1:80", "null"):
        with pytest.raises(Refusal, match="other sites"):
            rules.require(request(host="127.0.0.1:7878", origin=origin), "update")


def test_a_running_server_takes_notice_of_tokens(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, open_to_updates=True)
    assert rules.require(request(), "update")
    token = access.add(tmp_path, "ana", "read")
    with pytest.raises(Refusal):
        rules.require(request(), "read")
    assert rules.require(request(authorization=f"Bearer {token}"), "read") == "ana"
    access.remove(tmp_path, "ana")
    with pytest.raises(Refusal):
        rules.require(request(authorization=f"Bearer {token}"), "admin")
