"""A limit of memory: what needs more ends with a sentence, whoever needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from serving import loaded

from mdw import InputError, Warehouse, memory

pytestmark = pytest.mark.skipif(bool(memory.why_unlimited()), reason="this system keeps no process to a limit")

DOUBLING = "".join(f"BIND(CONCAT(?v{n}, ?v{n}) AS ?v{n + 1}) " for n in range(27))
"""Twenty-seven times twice as long."""
GREEDY = f"SELECT (STRLEN(?v27) AS ?n) {{ BIND('thirty characters of text in all' AS ?v0) {DOUBLING}}}"


def mdw(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "mdw", *arguments], capture_output=True, text=True, timeout=60)


def test_a_command_whose_engine_gives_up_says_why(tmp_path: Path) -> None:
    run = mdw("--max-memory", "300m", "query", GREEDY, "--store", str(loaded(tmp_path / "store")))
    assert (run.returncode, run.stdout) == (memory.GAVE_UP, "")
    assert run.stderr.splitlines()[-1] == "Error: the command needs more memory than --max-memory 300m"
    assert not list(tmp_path.glob("**/core*"))


def test_a_command_that_python_refuses_memory_says_why() -> None:
    program = """
import click
from mdw.cli import cli, run
cli.add_command(click.Command("more", callback=lambda: [0] * 10**9))
print(run(["--max-memory", "1g", "more"]))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("1\n", "Error: the command needs more memory than it may have or there is\n")


@pytest.mark.parametrize("wrong", ["", "g", "0", "6x", "-1m"])
def test_what_is_no_size_is_said(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no size"):
        memory.size(wrong)


@pytest.mark.parametrize("lead", ["<!DOCTYPE r [%s]>", "<!-- x --><!doctype r SYSTEM 'a>b' [<!-- y -->%s]>"])
def test_entities_in_rdf_are_refused(tmp_path: Path, lead: str) -> None:
    nested = '<!ENTITY a "ten ......">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    text = (
        (lead % nested)
        + '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="urn:x:">'
        + '<rdf:Description rdf:about="urn:a"><x:p>&i;</x:p></rdf:Description></rdf:RDF>'
    )
    path = tmp_path / "terms.rdf"
    path.write_text(text)
    with Warehouse() as warehouse, pytest.raises(InputError, match=r"terms\.rdf: .* declares entities"):
        warehouse.terms(path)
