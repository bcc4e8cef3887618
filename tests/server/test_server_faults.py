"""The server while something fails: memory, processes, the disk, clients, clocks, signals."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil
import pytest
from serving import Server, loaded, serving

from mdw import memory

DOUBLING = "".join(f"BIND(CONCAT(?v{n}, ?v{n}) AS ?v{n + 1}) " for n in range(27))
GREEDY = f"{{ BIND('thirty characters of text in all' AS ?v0) {DOUBLING}}}"
WANTED = "INSERT DATA { <urn:a> <urn:b> %d }"

FULL = Path("/dev/full")
"""A disk that has no space."""
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p . ?q ?r ?s }"
"""Takes hours."""
CLOCK = """
import pathlib, time
file, right = pathlib.Path(%r), time.time
time.time = lambda: right() + (int(file.read_text() or 0) if file.exists() else 0)
"""
"""A clock that a file sets."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = loaded(tmp_path_factory.mktemp("faults") / "store")
    audit = ("--audit", str(FULL)) if FULL.exists() else ()
    limits = (*audit, "--max-memory", "512m", "--workers", "2", "--timeout", "10")
    with serving(store, "--allow-update", *limits, changed=CLOCK % str(store.parent / "clock")) as running:
        yield running


def logged(server: Server) -> list[dict[str, Any]]:
    """What stands in the log."""
    lines = (server.store.parent / f"{server.store.name}.log").read_text().splitlines()
    return [json.loads(line) for line in lines]


def soon(holds: Any, seconds: float = 20.0) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it never came to hold"
        time.sleep(0.05)


# -- memory and processes ----------------------------------------------------------------------------------------------


@pytest.mark.skipif(bool(memory.why_unlimited()), reason="this system keeps no process to a limit")
def test_what_needs_too_much_memory_is_refused_and_costs_one_line(server: Server) -> None:
    before = len(logged(server))
    answered = server.query(f"SELECT (STRLEN(?v27) AS ?n) {GREEDY}")
    assert (answered.status, answered.json["detail"]) == (413, "the request needs more memory than 512m: ask for less")
    assert server.query("ASK {}").status == 200
    died = [line for line in logged(server)[before:] if line["logger"] == "mdw.server"]
    assert [(line["message"], line["what"]) for line in died] == [("a worker has died", "query")]
    assert "memory allocation of" in died[0]["said"]


def test_workers_go_before_the_server_and_leave_no_core_files(server: Server) -> None:
    if not Path("/proc/self/oom_score_adj").exists():
        pytest.skip("no Linux")

    def settled() -> bool:
        limits = [Path(f"/proc/{process}/limits").read_text().splitlines() for process in server.workers()]
        kept = [[line.split()[-3] for line in lines if line.startswith(("Max data", "Max core"))] for lines in limits]
        first = {Path(f"/proc/{process}/oom_score_adj").read_text() for process in server.workers()}
        return first == {f"{memory.FIRST}\n"} and kept == [[str(512 << 20), "0"]] * 3

    soon(settled)  # a worker may have been started just now
    assert Path(f"/proc/{server.process.pid}/oom_score_adj").read_text() != f"{memory.FIRST}\n"


def test_workers_that_somebody_kills_are_replaced_before_anyone_is_told_no(server: Server) -> None:
    soon(lambda: server.query("ASK {}").status == 200 and len(server.workers()) == 3)
    before = server.workers()
    for process in before:
        os.kill(process, signal.SIGKILL)
    soon(lambda: not set(server.workers()) & set(before))
    assert server.query("ASK {}").status == 200
    assert server.update(WANTED % 1).status == 204
    assert server.ask("GET", "/health").json == {"status": "ok"}
    assert "the engine gave up" not in str(logged(server)[-10:])


LISTED = """<!DOCTYPE r [{}]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:">{}</rdf:RDF>"""
SAID = '<rdf:Description rdf:about="{}"><e:p>x</e:p></rdf:Description>'
BOMBS = {
    "entities of entities": LISTED.format('<!ENTITY a "b"><!ENTITY c "&a;&a;">', SAID.format("urn:&c;")),
    "a file": LISTED.format('<!ENTITY a SYSTEM "file:///etc/passwd">', SAID.format("urn:&a;")),
    "parameters": LISTED.format("<!ENTITY % a 'x'>", ""),
    "far more than is said": LISTED.format(f"<!ENTITY a '{'x' * 200}'>", SAID.format("urn:" + "&a;" * 500)),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_entities_that_stand_for_too_much_are_refused(bomb: str, server: Server) -> None:
    answered = server.put("/store?graph=urn:g", BOMBS[bomb], "application/rdf+xml")
    assert (answered.status, "declares entities" in answered.json["detail"]) == (400, True)


def test_entities_of_namespaces_are_read_as_editors_write_them(server: Server) -> None:
    text = LISTED.format('<!ENTITY ns "urn:names:">', SAID.format("&ns;a"))
    assert server.put("/store?graph=urn:named", text, "application/rdf+xml").status in (201, 204)
    assert server.query("ASK { GRAPH <urn:named> { <urn:names:a> ?p ?o } }").json["boolean"]


# -- the disk ----------------------------------------------------------------------------------------------------------


def test_a_server_whose_disk_was_full_goes_on_when_there_is_space_again(tmp_path: Path) -> None:
    if not shutil.which("unshare") or subprocess.run(["unshare", "-Urm", "true"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    script = Path(__file__).parent.parent / "support" / "full_disk.py"
    run = subprocess.run(
        ["unshare", "-Urm", sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found.pop("acknowledged") > 0
    # it can be read if the last change that was acknowledged was slow enough for a snapshot to be made before the next
    answered = {"read-only": 200, "unavailable": 503}[found["health"].pop("status")]
    assert found.pop("search") in {answered, 503}  # there may be no room for the index
    assert found.pop("at once") in ("read-only", "unavailable"), "it said so only some time after the first refusal"
    assert found == {
        "before": 200,
        "changes": [503],
        "answers": [answered],
        "short": [],
        "health": {"reason": "the store cannot be written: no space left on device"},
        "lost": 0,
        "after": {"status": "ok"},
        "searched": 200,
    }
    log = [json.loads(line) for line in (tmp_path / "store.log").read_text().splitlines()]
    assert [line["message"] for line in log if line["logger"] == "mdw.server"] == [
        "serving",
        "the store cannot be written",
        "the store can be written again",
    ]


@pytest.mark.parametrize(
    ("update", "said"),
    [
        ("DROP GRAPH <urn:none>", "The graph <urn:none> does not exist"),
        ("CREATE GRAPH <urn:there>", "The graph <urn:there> already exists"),
        ("INSERT { ?s ?p 1 } WHERE { ?s ?p ?o FILTER(<urn:f>(?o)) }", "The custom function <urn:f> is not supported"),
    ],
)
def test_an_update_that_asks_for_what_cannot_be_is_its_own_fault(update: str, said: str, server: Server) -> None:
    server.update("CREATE SILENT GRAPH <urn:there>")
    answered = server.update(update)
    assert (answered.status, answered.json["detail"]) == (400, f"the update cannot be carried out: {said}")
    assert server.ask("GET", "/health").json == {"status": "ok"}
    assert "cannot be written" not in str(logged(server)[-3:])


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_an_audit_log_that_takes_nothing_is_said_once(server: Server) -> None:
    for number in range(3):
        assert server.update(WANTED % number).status == 204
    said = [line for line in logged(server) if line["message"] == "the audit log cannot be written"]
    assert [(line["file"], line["reason"]) for line in said] == [(str(FULL), "no space left on device")]


# -- clocks and signals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_is_set_changes_no_limit(server: Server, days: int) -> None:
    clock = server.store.parent / "clock"
    try:
        with ThreadPoolExecutor(1) as pool:
            start = time.monotonic()
            answer = pool.submit(server.query, SLOW, timeout="0.8")
            time.sleep(0.3)
            clock.write_text(str(days * 86_400))
            (running,) = server.ask("GET", "/admin/running").json["running"]
            assert 0 < running["seconds"] < 10
            assert answer.result().status == 503
            assert 0.7 < time.monotonic() - start < 5
        soon(lambda: server.query("ASK { ?a ?b ?c . ?d ?e ?f }").status == 200)
        assert server.update(WANTED % days).status == 204
    finally:
        clock.unlink(missing_ok=True)


def test_a_worker_that_is_stopped_is_given_up(server: Server) -> None:
    # asked, so that nobody needs the writer for a snapshot
    soon(lambda: server.query("ASK { ?a ?b ?c . ?d ?e ?f }").status == 200 and len(server.workers()) == 3)
    stopped = server.workers()
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    asked = {"query": "ASK { ?a ?b ?c . ?d ?e ?f }", "timeout": "0.5"}
    assert server.ask("GET", f"/query?{urlencode(asked)}").status == 503
    assert server.update(WANTED % 7, path="/update?timeout=0.5").status == 503
    soon(lambda: server.query(asked["query"], timeout="0.5").status == 200)
    soon(lambda: server.update(WANTED % 7, path="/update?timeout=2").status == 204)
    for process in set(server.workers()) & set(stopped):
        os.kill(process, signal.SIGCONT)


def test_interrupted_twice_it_ends_at_once(tmp_path: Path) -> None:
    store = loaded(tmp_path / "store")
    with serving(store, "--workers", "1", "--timeout", "60") as running, ThreadPoolExecutor(1) as pool:
        workers = running.workers()
        answer = pool.submit(running.query, SLOW)
        soon(lambda: running.ask("GET", "/metrics").body.count(b'mdw_running{role="reader"} 1.0'))
        running.process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert running.process.poll() is None, "it waits for what is being answered"
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(5) == 130
        with pytest.raises((OSError, HTTPException)):
            answer.result()
        soon(lambda: not any(map(psutil.pid_exists, workers)))
    assert "Traceback" not in (tmp_path / "store.log").read_text()


def test_a_log_that_nobody_reads_and_a_terminal_that_went_under_nohup_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # with it nothing is left to be written at the end
    unread = "import os\nends = os.pipe()\nos.dup2(ends[1], 2)\nfor end in ends: os.close(end)"
    nohup = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with serving(loaded(tmp_path / "store"), "--workers", "1", changed=f"{unread}\n{nohup}") as running:
        running.process.send_signal(signal.SIGHUP)
        for process in running.workers():
            os.kill(process, signal.SIGKILL)  # which it logs
        soon(lambda: running.query("ASK { ?a ?b ?c . ?d ?e ?f }").status == 200)
        assert running.process.poll() is None
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(20) == 0
    assert (tmp_path / "store.log").read_text() == ""


def test_when_its_terminal_goes_it_ends_as_when_it_is_told_to(server: Server) -> None:
    server.process.send_signal(signal.SIGHUP)
    assert server.process.wait(20) == 0
    assert not (server.store / "snapshots").exists()
    assert [line for line in logged(server) if "trace" in line] == []
