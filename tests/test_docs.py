"""Documentation that cannot rot: README blocks and the examples of every --help are run."""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from shutil import copytree

import click
import pytest
from places import ROOT

from mdw import Warehouse
from mdw.cli import cli, run
from mdw.cli.demo import load_bank
from mdw.render.picture import lineage_svg

pytestmark = pytest.mark.house

README = (ROOT / "README.md").read_text(encoding="utf-8")
OF_THE_BANK = re.findall(r"^    (mdw .*)$", (ROOT / "data/README.md").read_text(encoding="utf-8"), re.MULTILINE)
PICTURED = ("MART.GROUP_CUSTOMER.CUSTOMER_NAME", 'REGION = "EU" AND PARTY_TYPE = 2')
CODE = (ROOT / "mdw/README.md").read_text(encoding="utf-8")
TEST_COMMAND = 'python3 -m venv .venv && .venv/bin/pip install -e ".[all,test]" && .venv/bin/pytest'
DEMO_COMMAND = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/mdw demo"


def blocks(language: str) -> list[str]:
    """Code blocks of README.md."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def examples(text: str) -> list[list[str]]:
    """The commands of a text: lines that start with `$ mdw`."""
    return [shlex.split(line)[1:] for line in re.findall(r"^\s*\$ (mdw .*)$", text, re.MULTILINE)]


def sessions() -> list[tuple[str, str]]:
    """Every command of the README with the output shown below it, which may be nothing."""
    return [
        one
        for block in blocks("console")
        for one in re.findall(r"^\$ (mdw .*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def programs() -> list[tuple[str, str]]:
    """Every Python program of the README with the output shown below it, which may be nothing."""
    pattern = r"^```python\n(.*?)^```\n(?:\n```output\n(.*?)^```)?"
    return re.findall(pattern, README, re.DOTALL | re.MULTILINE)


def holds(shown: str, printed: str) -> bool:
    """Whether a text is what the README shows: `…` stands for any text, spaces at the end of a line do not count."""
    shown, printed = (re.sub(r" +$", "", text, flags=re.MULTILINE) for text in (shown, printed))
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), printed, re.DOTALL) is not None


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the example data in it; examples of Spark find the session that all tests share."""
    if request.node.get_closest_marker("spark"):
        request.getfixturevalue("spark")
    others = [file for name in ("claims", "bank_dbt") for file in (ROOT / "data" / name).rglob("*") if file.is_file()]
    rows = [*sorted((ROOT / "data/shop/rows").iterdir())]
    files = [*sorted((ROOT / "data").rglob("*.map")), ROOT / "data/bank/terms.ttl", *others, *rows]
    for file in files:
        copy = tmp_path / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MDW_STORE", raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the example bank."""
    folder = tmp_path_factory.mktemp("bank") / "bank.mdw"
    with Warehouse(folder) as warehouse:
        load_bank(warehouse)
    return folder


def test_readme_states_the_two_commands() -> None:
    assert blocks("sh") == [f"{DEMO_COMMAND}\n", f"{TEST_COMMAND}\n"]


def test_continuous_integration_runs_the_command_of_the_readme() -> None:
    pattern = re.search(r"grep -E '(.*)' README.md", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert pattern and re.findall(pattern[1], README, re.MULTILINE) == [TEST_COMMAND]


def test_readme_commands_print_what_it_shows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len([shown for _, shown in sessions() if shown]) > 8
    wrong = {}
    for command, shown in sessions():
        code = run(shlex.split(command)[1:])
        printed = "".join(capsys.readouterr())
        # An answer of nothing leaves with 1: the README may show one, but no command that fails in silence.
        if code not in ({0, 1} if shown else {0}) or (shown and not holds(shown, printed)):
            wrong[command] = printed
    assert wrong == {}
    drawn = re.findall(r"--picture (\S+)", "\n".join(blocks("console")))
    assert drawn and [name for name in drawn if (folder / name).stat().st_size < 1000] == []


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        pytest.param(*block, marks=pytest.mark.spark, id="spark") if "spark" in block[0] else block
        for block in programs()
    ],
)
def test_readme_python_prints_what_it_shows(
    program: str, shown: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(program, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed and (not shown or holds(shown, printed)), printed


def test_readme_runs_every_block_of_code() -> None:
    kinds = re.findall(r"^```(\w+)$", README, re.MULTILINE)
    # "py" needs a server: tests/server/test_server_api.py runs it against one. "bash" needs dbt, or a database.
    assert set(kinds) == {"sh", "console", "python", "output", "text", "py", "bash"}
    assert kinds.count("output") == sum(1 for _, shown in programs() if shown)
    assert kinds.count("py") == 1


def test_readme_mappings_are_readable(folder: Path) -> None:
    for number, block in enumerate(blocks("text")):
        (folder / f"{number}.map").write_text(block, encoding="utf-8")
        assert run(["check", f"{number}.map"]) == 0


def test_readme_shows_what_mdw_draws(accept: bool) -> None:
    with Warehouse() as warehouse:
        load_bank(warehouse)
        drawn = lineage_svg(warehouse.lineage(PICTURED[0], when=PICTURED[1]))
    picture = ROOT / "data/lineage.svg"
    if accept:
        picture.write_text(drawn, encoding="utf-8")
    assert picture.read_text(encoding="utf-8") == drawn


def test_commands_for_the_example_bank_work(folder: Path) -> None:
    assert len(OF_THE_BANK) > 4
    assert [command for command in OF_THE_BANK if run(shlex.split(command)[1:]) != 0] == []


def test_readme_names_every_command() -> None:
    assert [name for name in cli.commands if f"`{name}`" not in README] == []


def test_readme_links_lead_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_of_the_code_names_its_rooms() -> None:
    table = re.findall(r"^\| `([^`]+)` \|", CODE, re.MULTILINE)
    modules = {file.name for file in (ROOT / "mdw").glob("*.py")} - {"__init__.py", "__main__.py"}
    rooms = {f"{file.parent.name}/" for file in (ROOT / "mdw").glob("*/__init__.py")}
    assert {name for name in table if name.endswith("/")} == rooms
    assert [name for name in sorted(modules) if f"`{name}`" not in CODE] == []


def test_the_readme_of_the_code_names_modules_that_exist() -> None:
    paths = re.findall(r"`([\w/]+(?:\.py|/))`", CODE)
    assert len(paths) > 40
    assert [path for path in paths if not (ROOT / "mdw" / path).exists() and not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.spark) if name.startswith("spark") or name == "trace" else name
        for name in cli.commands
        if name not in ("serve", "demo")
    ],
)
def test_examples_of_help_work(name: str, folder: Path, bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    commands = examples(capsys.readouterr().out)
    assert commands, "the help shows an example"
    if name == "extract":
        with closing(sqlite3.connect("shop.db")) as shop:
            shop.executescript("CREATE TABLE sale (amount INT); CREATE VIEW total AS SELECT sum(amount) AS a FROM sale")
    if name == "trace":
        with Warehouse("shop.mdw") as shop_of_rows:
            shop_of_rows.load("data/shop")
    if name != "load":
        copytree(bank, folder / "bank.mdw")
    codes = {shlex.join(command): run(command) for command in commands}
    allowed = {0, 1} if name == "fmt" else {0}
    assert {command: code for command, code in codes.items() if code not in allowed} == {}


def test_every_option_says_what_it_does() -> None:
    options = [(command, option) for command in cli.commands.values() for option in command.params]
    silent = [f"{c.name} {o.name}" for c, o in options if isinstance(o, click.Option) and not o.help]
    assert silent == []


@pytest.mark.parametrize("at_hand", [True, False], ids=["at hand", "out of the way"])
def test_the_demo_prints_commands_that_work_as_typed(
    at_hand: bool, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a shell that finds mdw, beside the data of a checkout; and by one that does not, in a folder of any name."""
    here = tmp_path if at_hand else tmp_path / 'it\'s a "new" $HOME'
    here.mkdir(exist_ok=True)
    scripts = Path(sys.executable).parent
    path = f"{scripts}{os.pathsep}{os.defpath}" if at_hand else os.defpath
    shell = {"cwd": here, "env": {**os.environ, "PATH": path}, "capture_output": True, "text": True}
    assert run(["demo", "--help"]) == 0
    [example] = examples(capsys.readouterr().out)
    shown = subprocess.run([scripts / "mdw", *example], **shell)
    assert shown.returncode == 0, shown.stderr
    asked = re.findall(r"^\$ (.*)$", shown.stdout, re.MULTILINE)
    tried = re.findall(r"^  (.*)$", shown.stdout.partition("Try next:\n")[2], re.MULTILINE)
    assert (len(asked), len(tried)) == (1, 4)
    assert shown.stdout.count("?") >= 1 and len(shown.stdout.splitlines()) <= 45
    assert (here / "mdw-demo.svg").read_text(encoding="utf-8").startswith("<svg")
    assert at_hand == all(line.startswith("mdw ") for line in asked + tried)
    assert at_hand == tried[0].startswith("mdw load data/bank ")
    # The first of each kind tell: they differ by no more than what they ask, and that is what data/README.md asks too.
    assert not at_hand or {*asked, tried[1]} <= {*OF_THE_BANK}
    for line in (tried[0], asked[0], *(tried[2:] if at_hand else ())):
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
