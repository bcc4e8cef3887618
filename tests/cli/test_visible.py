"""Names, texts and errors with characters that move a cursor or turn a line: shown escaped, wherever they are shown."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from places import ROOT
from serving import serving

from mdw import InputError, Warehouse
from mdw.cli import run
from mdw.model.tree import Location
from mdw.model.visible import in_json, visible

HIDDEN = re.compile(r"[^\n\t\x20-\x7e\xa0-\u0603\u0606-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\U0010ffff]")
SIGNS = "\x1b[8m", "\x07", "\x9b2J", "\u202e", "\u2066", "\u200f", "\x7f"
"""What hides text, rings, clears the screen, turns the direction, deletes."""
NAMED = "".join(SIGNS)
COLUMN = f"a{NAMED}b"
SCRIPT = f"""INSERT INTO x.t ("{COLUMN}")
SELECT s."{COLUMN}" || '{NAMED}' FROM x.s s WHERE s.k = '{NAMED}';  -- {NAMED}
SELECT {NAMED} FROM (;
CALL p{NAMED}('{NAMED}');
"""
FILE = "f\x1b[7m\u202e.sql"
WAITING = re.compile(r"\r\x1b\[K(?:[a-z ]+: \d+ s)?")
STYLES = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("visible")
    (folder / "text").mkdir()
    (folder / "text" / FILE).write_text(SCRIPT, encoding="utf-8")
    with Warehouse(folder / "store") as warehouse:
        warehouse.load(folder / "text", dialect="postgres")
    return folder / "store"


def names(store: Path) -> tuple[str, str, str]:
    """The attribute filled, one of its sources, and the mapping, as the store has them."""
    with Warehouse(store, create=False) as warehouse:
        target, source = (
            next(one for one in warehouse.attributes() if one.startswith(lead)) for lead in ("X.T", "X.S")
        )
        (mapping,) = (one.name for one in warehouse.mappings())
    assert "\x1b" in target
    return target, source, mapping


def commands(store: Path) -> list[list[str]]:
    target, source, mapping = names(store)
    every = [
        ["lineage", target], ["impact", source], ["lineage", f"{target}x"], ["report"], ["explain", f"{FILE}:1"],
        ["explain", f"{FILE}:3"], ["explain", f"{FILE}:99"], ["search", "a b"], ["tree", mapping],
        ["request", f"populate.attribute, attribute, {target}"], ["query", "SELECT ?s ?o { ?s mdw:content ?o }"],
        ["query", f"SELECT {NAMED}"], ["lineage", target, "--when", NAMED], ["lineage", target, "--format", NAMED],
        ["lineage", target, "--all"], ["remove", NAMED], ["query", f"@{NAMED}"], ["explain", NAMED],
        ["query", "SELECT ?o { ?s mdw:content ?o }", "--format", "json"], ["lineage", target, "--format", "json"],
        ["lineage", target, "--format", "svg"], ["lineage", "--all"], ["tree", mapping, "--format", "svg"],
        ["tree", mapping, "--format", "json"], ["report", "--format", "json"],
    ]  # fmt: skip
    return [[*one, "--store", str(store)] for one in every]


def test_what_commands_write(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in commands(store):
        run(words)
        said = capsys.readouterr()
        assert not HIDDEN.search(said.out), (words, said.out)
        assert not HIDDEN.search(said.err), (words, said.err)
    run(["load", str(store.parent / "text"), "--dialect", "postgres", "--store", str(store.parent / "other")])
    run(["check", str(store.parent / "text" / FILE)])
    run(["fmt", str(store.parent / "text" / FILE)])
    run(["load", NAMED, "--store", str(store.parent / "other")])
    said = capsys.readouterr()
    assert not HIDDEN.search(said.out + said.err), said
    assert r"f\x1b[7m\u202e.sql" in said.err


def test_json_says_what_there_is(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, _, _ = names(store)
    run(["lineage", target, "--format", "json", "--store", str(store)])
    assert json.loads(capsys.readouterr().out)["attribute"] == target
    run(["query", "SELECT ?o { ?s mdw:content ?o }", "--format", "json", "--store", str(store)])
    found = json.loads(capsys.readouterr().out)["results"]["bindings"]
    assert target.removeprefix("X.T.") in {row["o"]["value"].removeprefix("s.") for row in found}
    run(["query", "SELECT ?o { ?s mdw:content ?o }", "--format", "csv", "--store", str(store)])
    assert "\u202e" in capsys.readouterr().out, "what programs read is as it is"


def on_a_terminal(words: list[str]) -> str:
    """What a command shows on a terminal, with its colours."""
    main, other = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"} | {"NO_COLOR": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "mdw", *words], stdout=other, stderr=other, stdin=subprocess.DEVNULL, env=environment
    ) as program:
        os.close(other)
        shown = b""
        # Linux ends a terminal that nobody writes to any more with an error.
        while select.select([main], [], [], 60)[0]:
            try:
                piece = os.read(main, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        os.close(main)
        program.wait(60)
    # On a slow machine it says how long it has been at it.
    return WAITING.sub("", shown.decode().replace("\r\n", "\n"))


def test_a_terminal_is_told_nothing_but_colours(store: Path) -> None:
    target, _, _ = names(store)
    coloured = [["lineage", target], ["explain", f"{FILE}:1"]]
    data = [["query", "SELECT ?o { ?s mdw:content ?o }", "--format", "csv"], ["export", "--format", "nquads"]]
    for words in (*coloured, *data):
        shown = on_a_terminal([*words, "--store", str(store)])
        assert "\x1b[8m" not in shown
        assert not HIDDEN.search(STYLES.sub("", shown)), shown
        assert r"\u202e" in shown
    assert STYLES.search(on_a_terminal([*coloured[0], "--store", str(store)])), "there are colours"


def pages(store: Path) -> Iterator[str]:
    target, source, mapping = map(quote, names(store))
    yield from (
        f"/attribute/{target}", f"/attribute/{source}", "/entity/X.T", "/entity/X.S", f"/mapping/{mapping}", "/?q=a+b",
        f"/lineage/{target}", f"/lineage/{target}?form=svg", f"/impact/{source}", "/report", f"/?q={quote(NAMED)}",
        f"/explain/{quote(FILE)}:1", f"/lineage/{target}?when={quote(NAMED)}", f"/attribute/{quote(NAMED)}",
        f"/ask?query={quote('SELECT ?o { ?s mdw:content ?o }')}", f"/ask?query={quote(NAMED)}", f"/{quote(NAMED)}",
        f"/api/lineage/{target}", f"/api/attribute/{quote(NAMED)}", "/api/report", f"/sparql?query={quote(NAMED)}",
    )  # fmt: skip


def test_pages_the_api_and_the_log(store: Path) -> None:
    places = list(pages(store))
    log = store.with_name("store.log")
    with serving(store) as server:
        answers = [(place, server.ask("GET", place)) for place in places]
    assert {answer.status for _, answer in answers[:11]} == {200}
    for place, answer in answers:
        assert not HIDDEN.search(answer.body.decode()), (place, answer.body.decode())
    lines = log.read_text(encoding="utf-8")
    assert "answered" in lines
    assert not HIDDEN.search(lines)


def test_a_field_of_a_page_keeps_what_was_asked(store: Path) -> None:
    from mdw.server.pages.views import _field

    assert _field('"\u202e<') == "&quot;&#8238;&lt;"


def test_printed_and_in_notebooks(store: Path) -> None:
    target, _, _ = names(store)
    with Warehouse(store, create=False) as warehouse:
        for one in (warehouse.lineage(target), warehouse.report(), warehouse.query("SELECT ?o { ?s mdw:content ?o }")):
            assert r"\u202e" in str(one)
            assert not HIDDEN.search(str(one))
            assert not HIDDEN.search(getattr(one, "_repr_html_", lambda: "")() or "")


def test_the_caret_stands_below_its_place() -> None:
    excerpt = "\ta\x1b[8m\u202eb WRONG"
    error = InputError("no \x07", location=Location("x", 1, excerpt.index("WRONG") + 1), excerpt=excerpt)
    first, line, caret = str(error).splitlines()
    assert first == rf"x:1:{excerpt.index('WRONG') + 1}: no \x07"
    assert caret.startswith("    \t")
    assert line[caret.index("^") :] == "WRONG"


def test_escapes() -> None:
    assert visible("plain text, é, 漢, \U0001f600\n\t") == "plain text, é, 漢, \U0001f600\n\t"
    assert visible("\r\x00\x85\u2028\ud800") == r"\x0d\x00\x85\u2028\ud800"
    assert json.loads(in_json(json.dumps(NAMED, ensure_ascii=False))) == NAMED
