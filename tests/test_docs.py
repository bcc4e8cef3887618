"""Documentation that cannot rot: README blocks and the examples of every --help are run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from places import ROOT

from mdw import Warehouse
from mdw.cli import cli, run
from mdw.cli.demo import QUESTIONS, load_bank
from mdw.render.picture import lineage_svg

pytestmark = pytest.mark.house

README = (ROOT / "README.md").read_text(encoding="utf-8")
TEST_COMMAND = 'python3 -m venv .venv && .venv/bin/pip install -e ".[all,test]" && .venv/bin/pytest'
DEMO_COMMAND = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/mdw demo"


def blocks(language: str) -> list[str]:
    """Code blocks of README.md."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def examples(text: str) -> list[list[str]]:
    """The commands of a text: lines that start with `$ mdw`."""
    return [shlex.split(line)[1:] for line in re.findall(r"^\s*\$ (mdw .*)$", text, re.MULTILINE)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the example data in it."""
    files = [*sorted((ROOT / "data").rglob("*.map")), ROOT / "data/bank/terms.ttl"]
    for file in files:
        copy = tmp_path / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MDW_STORE", raising=False)
    return tmp_path


def test_readme_states_the_two_commands() -> None:
    assert blocks("sh") == [f"{DEMO_COMMAND}\n", f"{TEST_COMMAND}\n"]


def test_continuous_integration_runs_the_command_of_the_readme() -> None:
    pattern = re.search(r"grep -E '(.*)' README.md", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert pattern and re.findall(pattern[1], README, re.MULTILINE) == [TEST_COMMAND]


def test_readme_commands_work(folder: Path) -> None:
    commands = [command for block in blocks("console") for command in examples(block)]
    assert len(commands) > 4
    assert [shlex.join(command) for command in commands if run(command) != 0] == []
    assert (folder / "impact.svg").stat().st_size > 1000


def test_readme_python_works(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert "where" in capsys.readouterr().out


def test_readme_mappings_are_readable(folder: Path) -> None:
    for number, block in enumerate(blocks("text")):
        (folder / f"{number}.map").write_text(block, encoding="utf-8")
        assert run(["check", f"{number}.map"]) == 0


def test_readme_shows_what_mdw_draws(accept: bool) -> None:
    with Warehouse() as warehouse:
        load_bank(warehouse)
        drawn = lineage_svg(warehouse.lineage(QUESTIONS[0].attribute, when=QUESTIONS[0].when))
    picture = ROOT / "data/lineage.svg"
    if accept:
        picture.write_text(drawn, encoding="utf-8")
    assert picture.read_text(encoding="utf-8") == drawn


def test_readme_names_every_command() -> None:
    assert [name for name in cli.commands if f"`{name}`" not in README] == []


def test_readme_links_lead_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("name", [name for name in cli.commands if name != "serve"])
def test_examples_of_help_work(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    commands = examples(capsys.readouterr().out)
    assert commands, "the help shows an example"
    if name != "load":
        assert run(["load", "data/bank", "--store", "bank.mdw"]) == 0
    codes = {shlex.join(command): run(command) for command in commands}
    allowed = {0, 1} if name == "fmt" else {0}
    assert {command: code for command, code in codes.items() if code not in allowed} == {}


def test_every_option_says_what_it_does() -> None:
    options = [(command, option) for command in cli.commands.values() for option in command.params]
    silent = [f"{c.name} {o.name}" for c, o in options if isinstance(o, click.Option) and not o.help]
    assert silent == []


@pytest.mark.parametrize("at_hand", [True, False], ids=["at hand", "out of the way"])
def test_the_demo_prints_commands_that_work_as_typed(at_hand: bool, folder: Path, tmp_path: Path) -> None:
    """By a shell that finds mdw, beside the data of a checkout; and by one that does not, in a folder of any name."""
    here = tmp_path if at_hand else tmp_path / 'it\'s a "new" $HOME'
    here.mkdir(exist_ok=True)
    scripts = Path(sys.executable).parent
    path = f"{scripts}{os.pathsep}{os.defpath}" if at_hand else os.defpath
    shell = {"cwd": here, "env": {**os.environ, "PATH": path}, "capture_output": True, "text": True}
    shown = subprocess.run([scripts / "mdw", "demo"], **shell)
    assert shown.returncode == 0, shown.stderr
    asked = re.findall(r"^\$ (.*)$", shown.stdout, re.MULTILINE)
    tried = re.findall(r"^  (.*)$", shown.stdout.partition("Try next:\n")[2], re.MULTILINE)
    assert (len(asked), len(tried)) == (3, 4)
    assert at_hand == all(line.startswith("mdw ") for line in asked + tried)
    assert at_hand == tried[0].startswith("mdw load data/bank ")
    for line in (*tried, *asked):
        done = subprocess.run(line, shell=True, **shell)
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_the_program_is_called_by_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = tmp_path / ".venv" / "bin"
    scripts.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.defpath)
    demo = sys.modules["mdw.cli.demo"]  # the package has a command of that name
    monkeypatch.setattr(demo, "get_path", lambda _: str(scripts))
    monkeypatch.setattr(sys, "executable", str(scripts / "python"))
    assert demo.program() == ".venv/bin/python -m mdw"
    (scripts / "mdw").touch(mode=0o755)
    assert demo.program() == ".venv/bin/mdw"
    monkeypatch.setenv("PATH", str(scripts))
    assert demo.program() == "mdw"
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.chdir(scripts)
    assert demo.program() == str(scripts / "mdw")


def test_changelog_has_the_version() -> None:
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version and f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_example_bank_is_in_canonical_form(folder: Path) -> None:
    assert run(["fmt", "--check", "data"]) == 0
