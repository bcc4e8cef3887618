"""Records what a checkout says, byte by byte, so that two checkouts can be compared: `python record.py FOLDER`.

For whoever redraws the house: record with the old checkout, record with the new one, `diff -r` the two folders. It
asks by the command line and the public names only, so the same script runs before and after modules have moved; which
`mdw` it asks is decided by PYTHONPATH. Run it under two PYTHONHASHSEEDs: nothing may depend on the order of a set.

    export/     the example bank as TriG (sorted lines), N-Quads (sorted), text and tables in CSV
    answers/    200 questions: lineage and impact, both modes, the policies; as JSON, text and SVG
    all/        every attribute at once, passive and active
    help/       every --help
    malformed/  the message of every malformed mapping
    server/     /api/openapi.json and some pages
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
QUESTIONS = 200
WHEN = {"REGION": 'REGION = "EU"', "PARTY_TYPE": "PARTY_TYPE = 2", "CURRENCY": 'CURRENCY = "CHF"'}
SERVED = (
    "/api/openapi.json",
    "/",
    "/ask",
    "/api/mappings?limit=7",
    "/api/attributes/MART.GROUP_CUSTOMER.CUSTOMER_NAME",
    "/attribute/MART.GROUP_CUSTOMER.CUSTOMER_NAME",
    "/entity/CORE.PARTY",
    "/lineage/MART.GROUP_CUSTOMER.CUSTOMER_NAME",
    "/impact/SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT",
    "/api/lineage/MART.GROUP_CUSTOMER.CUSTOMER_NAME",
    "/nothing/here",
    "/sparql",
)


def command(*words: str) -> str:
    """What a command prints and its exit code, asked in this process."""
    from mdw.cli import run

    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        code = run(list(words))
    return f"{said.getvalue()}{complained.getvalue()}exit {code}\n"


def export(bank: Path, into: Path) -> None:
    """The bank's content in every form it goes out in."""
    from mdw import Warehouse

    with Warehouse() as warehouse:
        warehouse.load(bank).raise_for_errors()
        for form, sort in (("trig", True), ("nquads", True), ("text", False)):
            target = into / f"bank.{form}"
            warehouse.export(form, target)  # type: ignore[arg-type]
            if sort:
                target.write_bytes(b"".join(sorted(target.read_bytes().splitlines(keepends=True))))
        print(warehouse.tables(into / "tables", "csv"), file=(into / "tables.txt").open("w"))
    (into / "metatree.txt").write_text(command("metatree"))


def answers(bank: Path, into: Path) -> None:
    """Questions spread over all attributes, each in three forms."""
    from mdw import MdwError, Warehouse
    from mdw.render.picture import lineage_svg

    kinds = itertools.cycle(
        itertools.product(("lineage", "impact"), ("active", "passive"), ("carry", "open", "closed"))
    )
    with Warehouse() as warehouse:
        warehouse.load(bank).raise_for_errors()
        names = sorted(warehouse.attributes(), key=lambda name: name[::-1])
        spread = [names[i * len(names) // QUESTIONS] for i in range(QUESTIONS)]
        # The bank's busiest ends are asked as well: there conditions meet.
        spread[::9] = [name for name in names if name.startswith(("MART.", "RISK."))][: len(spread[::9])]
        for number, (name, (kind, mode, policy)) in enumerate(zip(spread, kinds, strict=False)):
            when = next((WHEN[own] for own in WHEN if f"{name.rpartition('.')[0]}.{own}" in names and number % 3), "")
            stem = into / f"{number:03}-{kind}-{mode}-{policy}"
            try:
                ask = warehouse.lineage if kind == "lineage" else warehouse.impact
                answer = ask(name, when=when, mode=mode, unpopulated=policy)
            except MdwError as error:
                stem.with_suffix(".error").write_text(f"{name} {when}\n{error}")
                continue
            stem.with_suffix(".json").write_text(json.dumps(answer.to_dict(), indent=1, ensure_ascii=False))
            stem.with_suffix(".txt").write_text(str(answer))
            stem.with_suffix(".svg").write_text(lineage_svg(answer))


def every(bank: Path, into: Path) -> None:
    """The whole warehouse's lineage."""
    from mdw import Warehouse

    with Warehouse() as warehouse:
        warehouse.load(bank).raise_for_errors()
        for mode in ("passive", "active"):
            records = (json.dumps(one.to_dict()) for one in warehouse.lineage_all(mode=mode))  # type: ignore[arg-type]
            (into / f"{mode}.jsonl").write_text("\n".join(sorted(records)))


def helps(into: Path) -> None:
    """The help of every command."""
    from mdw.cli import cli

    for name in ("", *cli.commands):
        (into / f"{name or 'mdw'}.txt").write_text(command(*filter(None, (name, "--help"))))


def malformed(cases: Path, into: Path) -> None:
    """What is said of every text that cannot be read."""
    for file in sorted(cases.rglob("*.map")):
        said = command("check", str(file)).replace(str(file.parent), "")
        (into / f"{file.stem}.txt").write_text(said)


def served(bank: Path, into: Path) -> None:
    """What the server answers at some addresses."""
    store = into / "store"
    command("load", str(bank), "--store", str(store))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serving = [sys.executable, "-m", "mdw", "serve", "--store", str(store), "--port", str(port), "--quiet"]
    server = subprocess.Popen(serving, stderr=subprocess.DEVNULL)
    try:
        for address in ("/health", *SERVED):
            url = f"http://127.0.0.1:{port}{address}"
            # Blank nodes get a random label each time.
            body = re.sub(r"_:\w+", "_:b", _fetch(url).replace(str(port), "PORT"))
            if address != "/health":
                (into / (re.sub(r"\W+", "-", address).strip("-") or "home")).write_text(body)
    finally:
        server.terminate()
        server.wait()
        subprocess.run(["rm", "-r", str(store)])


def _fetch(url: str) -> str:
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return f"{answer.status} {answer.headers['content-type']}\n{answer.read().decode()}"
        except urllib.error.HTTPError as error:
            return f"{error.code} {error.headers['content-type']}\n{error.read().decode()}"
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nothing answers at {url}")


def record(folder: Path, cases: Path) -> None:
    """Everything, into a folder."""
    os.environ["COLUMNS"] = "100"
    bank = CHECKOUT / "data/bank"
    os.chdir(CHECKOUT)
    parts = {
        "export": lambda into: export(bank.relative_to(CHECKOUT), into),
        "answers": lambda into: answers(bank.relative_to(CHECKOUT), into),
        "all": lambda into: every(bank.relative_to(CHECKOUT), into),
        "help": helps,
        "malformed": lambda into: malformed(cases, into),
        "server": lambda into: served(bank.relative_to(CHECKOUT), into),
    }
    for name, part in parts.items():
        into = folder / name
        into.mkdir(parents=True)
        part(into)
        print(name, len(list(into.rglob("*"))), file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    record(Path(sys.argv[1]).absolute(), next(CHECKOUT.glob("tests/**/cases/malformed")))
