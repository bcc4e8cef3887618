"""A server under mixed load and faults: questions, changes, loads, hang-ups, hostile requests, workers killed, a disk
that fills and empties.

Claims: no answer is 500 and the log has no traceback; what was acknowledged is there, at once and at the end; /health
says what is so; memory, descriptors and disk are at the end what they were after the first tenth.

Needs the core of mdw, psutil, Linux for the disk (`unshare -Urm`), 4 GB of memory and 20 minutes; ``--minutes 1`` works
as well.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from urllib.parse import quote

from measuring import arguments, needs

# isort: split
import psutil

from serving import Server, loaded, serving  # isort: skip

SIZE = 300 << 20
"""Bytes of the disk."""
KEPT = 200
"""Things each writer keeps; for each new one the oldest goes."""
SETTLING = 6.0
"""Seconds in which a server whose disk has space again, or whose workers were killed, is to be well."""
LONG = 30.0
"""Seconds in which it is to be well on any machine."""
MAPPING = "MAPPING m{n}: WHEN POPULATING T{n} FROM S POPULATE T{n}.A WITH S.A IF S.B = {value}"
DOUBLING = "".join(f"BIND(CONCAT(?v{n}, ?v{n}) AS ?v{n + 1}) " for n in range(27))
BOMB = '<!DOCTYPE r [<!ENTITY a "b">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
UPDATE = "application/sparql-update"
LENGTHY = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
HOSTILE = (
    f"SELECT (STRLEN(?v27) AS ?n) {{ BIND('thirty characters of text in all' AS ?v0) {DOUBLING}}}",
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    "SELECT * { " + "{" * 20_000 + "}" * 20_000 + " }",
    "ASK { ?s ?p",
    LENGTHY,
)


@dataclass
class Soak:
    """What happens, and what is known of it."""

    server: Server
    disk: Path | None
    over: Event = field(default_factory=Event)
    full: Event = field(default_factory=Event)
    changed: float = 0.0
    """When the disk, or a worker, was last meddled with."""
    lock: Lock = field(default_factory=Lock)
    statuses: defaultdict[str, Counter[object]] = field(default_factory=lambda: defaultdict(Counter))
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    acknowledged: dict[int, int] = field(default_factory=dict)
    untrue: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def ask(self, kind: str, method: str, path: str, body: str = "", media: str = "") -> tuple[object, bytes]:
        """The status of an answer, and the answer; the name of the error where there is none."""
        start = time.perf_counter()
        try:
            found = self.server.ask(method, path, body, {"Content-Type": media} if media else {}, wait=40)
            status: object = found.status
            content = found.body
        except (OSError, ValueError) as error:
            status, content = type(error).__name__, b""
        except Exception as error:  # what http.client says of an answer that was cut short
            status, content = type(error).__name__, b""
        with self.lock:
            self.statuses[kind][status] += 1
            if status in (200, 204):
                self.seconds[kind].append(time.perf_counter() - start)
        return status, content

    # -- those who mean well -------------------------------------------------------------------------------------------

    def read(self, chance: Random) -> None:
        """Ask a question."""
        kind, path = chance.choice(
            [
                ("point", "/query?query=" + quote("SELECT * { ?m mdw:targetEntity ?e } LIMIT 5")),
                ("query", "/query?query=" + quote("SELECT (COUNT(*) AS ?n) { ?s <urn:soak> ?o }")),
                ("lineage", "/api/lineage/T1.A"),
                ("page", "/attribute/T1.A"),
                ("search", "/api/search?q=T1"),
            ]
        )
        self.ask(kind, "GET", path)

    def write(self, number: int) -> None:
        """Change something until it is acknowledged; then it is there."""
        this = self.acknowledged.get(number, 0) + 1
        update = f"DELETE DATA {{ <urn:w{number}:{this - KEPT}> <urn:soak> 1 }};"
        update += f"INSERT DATA {{ <urn:w{number}:{this}> <urn:soak> 1 }}"
        if self.ask("update", "POST", "/update", update, "application/sparql-update")[0] == 204:
            self.acknowledged[number] = this
            asked = f"ASK {{ <urn:w{number}:{this}> <urn:soak> 1 }}"
            status, answer = self.ask("seen", "GET", "/query?query=" + quote(asked))
            if status == 200 and not json.loads(answer)["boolean"]:
                self.missing.append(f"{this} of writer {number} was not seen")

    def load(self, chance: Random) -> None:
        """Load a mapping, or put a graph."""
        text = MAPPING.format(n=chance.randrange(20), value=chance.randrange(100))
        self.ask("load", "POST", "/api/mappings", text, "text/plain")
        self.ask("put", "PUT", "/store?graph=urn:g", f"<urn:a> <urn:b> {chance.random()} .", "text/turtle")

    # -- those who do not ----------------------------------------------------------------------------------------------

    def hang_up(self, chance: Random) -> None:
        """Say a part of something, and go, or read a part of the answer."""
        whole = b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\n"
        whole += b"Content-Length: %d\r\n\r\n" % len(LENGTHY) + LENGTHY.encode()
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as connection:
            connection.sendall(whole[: chance.randrange(len(whole) + 60)])
            connection.settimeout(chance.random())
            connection.recv(chance.choice([1, 100_000]))
        with self.lock:
            self.statuses["hang-up"]["gone"] += 1

    def attack(self, chance: Random) -> None:
        """Ask for what nobody should."""
        if chance.random() < 0.2:
            self.ask("hostile", "PUT", "/store?graph=urn:x", BOMB, "application/rdf+xml")
        else:
            self.ask("hostile", "POST", "/query?timeout=2", chance.choice(HOSTILE), "application/sparql-query")

    def kill(self, chance: Random) -> None:
        """End a worker, or what workers are copies of."""
        if workers := self.server.children():
            self.changed = time.monotonic()
            with suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
        self.over.wait(chance.uniform(5, 15))

    def fill(self, chance: Random) -> None:
        """Fill the disk, and empty it."""
        self.over.wait(chance.uniform(10, 20))
        if self.disk is None or self.over.is_set():
            return
        path = self.disk / "fill"
        self.full.set()
        self.changed = time.monotonic()
        with suppress(OSError), path.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
        # A machine that has much else to do takes seconds to fill it: only now nothing can be changed any more.
        self.changed = time.monotonic()
        self.over.wait(chance.uniform(7, 12))
        path.unlink()
        self.changed = time.monotonic()
        self.full.clear()

    def watch(self) -> None:
        """Hold what /health says against what is so."""
        before = self.changed
        status, answer = self.ask("health", "GET", "/health")
        said = json.loads(answer)["status"] if answer else str(status)
        quiet = time.monotonic() - self.changed > SETTLING and before == self.changed
        if quiet and not self.full.is_set() and said != "ok":
            # a machine that has much else to do may need so long to start a worker; then nobody is answered
            served = self.ask("query", "GET", "/query?query=" + quote("ASK { ?s <urn:soak> ?o . ?a ?b ?c }"))[0] == 200
            changed = self.ask("update", "POST", "/update", "INSERT DATA { <urn:h> <urn:h> 1 }", UPDATE)[0] == 204
            still = self.ask("health", "GET", "/health")[1] == answer
            if still and ((served and changed) or time.monotonic() - self.changed > LONG):
                self.untrue.append(f"{time.strftime('%T')} it said {answer.decode()} while nothing was wrong")
        if said == "ok" and self.full.is_set() and quiet:
            status, answer = self.ask("update", "POST", "/update", "INSERT DATA { <urn:h> <urn:h> 1 }", UPDATE)
            if status == 503 and b"cannot be written" in answer:
                self.untrue.append(f"{time.strftime('%T')} it said ok while nothing could be changed")
        self.over.wait(0.5)


def figures(server: Server, store: Path) -> dict[str, float]:
    """Megabytes of memory of server and workers, descriptors, megabytes of disk."""
    sizes, shares = [], []
    for one in (server.process.pid, *server.children()):
        with suppress(psutil.Error):  # it has just been killed
            shares.append(psutil.Process(one).memory_full_info().pss)
    itself = psutil.Process(server.process.pid)
    # os.walk goes on where a folder has just been replaced, Path.rglob does not.
    for folder, _, names in os.walk(store):
        for name in names:
            with suppress(OSError):
                found = Path(folder, name).stat()
                sizes.append((found.st_ino, found.st_size))
    return {
        "server MB": itself.memory_info().rss / 1e6,
        "all MB": sum(shares) / 1e6,
        "descriptors": float(itself.num_fds()),
        "disk MB": sum(dict(sizes).values()) / 1e6,
        "log MB": (store.parent / "store.log").stat().st_size / 1e6,
    }


def repeated(soak: Soak, work: Callable[[], None], pause: float) -> Thread:
    """A thread that does something until it is over."""

    def run() -> None:
        while not soak.over.is_set():
            work()
            soak.over.wait(pause)

    thread = Thread(target=run)
    thread.start()
    return thread


def soaked(folder: Path, disk: Path | None, minutes: float, seed: int, keep: Path | None) -> int:
    """Run it all; the exit code."""
    store = loaded((disk or folder) / "store", "\n".join(MAPPING.format(n=n, value=n) for n in range(20)))
    if disk:
        (disk / "store.log").symlink_to(folder / "store.log")  # the log has room
    limits = ("--timeout", "5", "--max-memory", "1g")
    with serving(store, "--allow-update", *limits) as server:
        soak = Soak(server, disk)
        threads = [
            *(repeated(soak, partial(soak.read, Random(seed + n)), 0.02) for n in range(2)),
            *(repeated(soak, partial(soak.write, n), 0.02) for n in range(2)),
            repeated(soak, partial(soak.load, Random(seed)), 0.5),
            repeated(soak, partial(soak.hang_up, Random(seed)), 0.1),
            repeated(soak, partial(soak.attack, Random(seed)), 0.5),
            repeated(soak, partial(soak.kill, Random(seed)), 0),
            repeated(soak, partial(soak.fill, Random(seed + 1)), 0),
            repeated(soak, soak.watch, 0),
        ]
        time.sleep(minutes * 6)
        first = figures(server, store)
        time.sleep(minutes * 54)
        soak.over.set()
        for thread in threads:
            thread.join()
        time.sleep(SETTLING)
        last = figures(server, store)
        for number, this in soak.acknowledged.items():
            values = " ".join(f"<urn:w{number}:{n}>" for n in range(max(1, this - KEPT + 1), this + 1))
            found = server.query(f"SELECT (COUNT(*) AS ?n) {{ VALUES ?s {{ {values} }} ?s <urn:soak> 1 }}").rows
            if int(found[0]["n"]) != min(this, KEPT):
                soak.missing.append(f"writer {number} has {found[0]['n']} of {min(this, KEPT)}")
        health = server.ask("GET", "/health").json
    return told(soak, first, last, health, (folder if disk else store.parent) / "store.log", keep)


def told(
    soak: Soak, first: dict[str, float], last: dict[str, float], health: object, log: Path, keep: Path | None
) -> int:
    """Print what happened; 1 if it is not what is claimed."""
    print(f"{'':10}{'answers':>9}  {'50':>7}{'95':>8}{'99 of 100':>11} ms   others")
    for kind, statuses in sorted(soak.statuses.items()):
        times = sorted(soak.seconds[kind])
        points = [times[int(len(times) * share)] * 1000 for share in (0.5, 0.95, 0.99)] if times else []
        shown = "".join(f"{one:9.1f}" for one in points) or f"{'':27}"
        others = ", ".join(f"{status}: {n}" for status, n in statuses.items() if status not in (200, 204))
        print(f"{kind:10}{len(times):>9}{shown}      {others}")
    print(f"{'':14}{'first':>9}{'last':>9}")
    for name, value in first.items():
        print(f"{name:14}{value:>9.1f}{last[name]:>9.1f}")
    lines = log.read_text(encoding="utf-8").splitlines()
    if keep:
        keep.write_text("\n".join(lines), encoding="utf-8")
    traces = [line for line in lines if "Traceback" in line]
    failed = sum(statuses[500] for statuses in soak.statuses.values())
    # the engine keeps some logs of changes before it tidies up
    grown = [
        name
        for name, more in (("server MB", 60), ("descriptors", 40), ("disk MB", 60))
        if last[name] > first[name] + more
    ]
    print(f"acknowledged {sum(soak.acknowledged.values())}, lost: {soak.missing or 'none'}")
    print(f"health at the end {health}, untrue: {soak.untrue or 'never'}")
    print(f"answers 500: {failed}, tracebacks: {len(traces)}, grown: {grown or 'nothing'}")
    for line in traces[:3]:
        print(line[:2000])
    return int(bool(soak.missing or soak.untrue or traces or failed or grown or health != {"status": "ok"}))


def main() -> None:
    """Run it on a disk of its own, where one can be had."""
    options = arguments(
        __doc__,
        minutes=(float, 20.0, "how long"),
        seed=(int, 1, "of what happens"),
        log=(Path, None, "a file for the server's log"),
    )
    needs("Linux or another system with /proc", Path("/proc").is_dir())
    mounted = os.environ.get("MDW_SOAK_MOUNTED")
    if not mounted and not subprocess.run(["unshare", "-Urm", "true"], capture_output=True).returncode:
        command = ["unshare", "-Urm", sys.executable, *sys.argv]
        sys.exit(subprocess.run(command, env=os.environ | {"MDW_SOAK_MOUNTED": "1"}).returncode)
    with TemporaryDirectory() as folder:
        disk = Path(folder, "disk") if mounted else None
        if disk:
            disk.mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "disk", str(disk)], check=True)
        else:
            print("no file system can be mounted here: the disk does not fill")
        try:
            code = soaked(Path(folder), disk, options.minutes, options.seed, options.log)
        finally:
            if disk:
                subprocess.run(["umount", "-l", str(disk)], check=False)
    sys.exit(code)


if __name__ == "__main__":
    main()
