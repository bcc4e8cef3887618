"""Benchmarks are run by hand: here they only start, and say in a sentence what they need."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "benchmarks"
SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if path.stem != "measuring")
FIRST = f"import runpy, sys; sys.path.insert(0, {str(FOLDER)!r}); import measuring; "
# Each with its help, one after the other in one process: most of the time of one goes into the same libraries.
HELPED = """
import contextlib, io, json, runpy, sys
told = {}
for script in sys.argv[1:]:
    sys.argv, code = [script, "--help"], None
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            code = end.code
    told[script] = [code, out.getvalue(), err.getvalue()]
print(json.dumps(told))
"""


def started(script: Path, before: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A benchmark in a process of its own, after some preparation."""
    run = f"sys.argv = {[str(script), *arguments]!r}; runpy.run_path({str(script)!r}, run_name='__main__')"
    return subprocess.run([sys.executable, "-c", FIRST + before + run], capture_output=True, text=True)


@pytest.fixture(scope="module")
def helped() -> dict[str, tuple[object, str, str]]:
    """How each benchmark ends that is asked for help, and what it writes."""
    some = [str(script) for script in SCRIPTS if find_spec("pyspark") or not script.stem.startswith("spark")]
    done = subprocess.run([sys.executable, "-c", FIRST + HELPED, *some], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_benchmark_says_what_it_needs(script: Path, helped: dict[str, tuple[object, str, str]]) -> None:
    if script.stem.startswith("spark"):
        pytest.importorskip("pyspark")
    code, out, err = helped[str(script)]
    assert (code, err) == (0, "")
    assert re.search(r"^Needs [^.]*\d+ GB of memory[^.]* minutes?\b", out, re.MULTILINE | re.DOTALL)


def test_without_memory_a_benchmark_ends_with_a_sentence() -> None:
    done = started(FOLDER / "all.py", "measuring.available = lambda: 0.25; ")
    assert done.returncode == 1
    assert re.fullmatch(r"all\.py needs \d+ GB of memory, 0\.2 GB are free\n", done.stderr)


@pytest.mark.parametrize(
    ("name", "library"), [("spark_load", "pyspark"), ("spark_lineage", "pyspark"), ("load", "lark")]
)
def test_without_a_library_a_benchmark_ends_with_a_sentence(name: str, library: str) -> None:
    done = started(FOLDER / f"{name}.py", f"sys.modules[{library!r}] = None; ")
    assert done.returncode == 1
    assert done.stderr == f'{name}.py needs {library}, which comes with: pip install -e ".[all,test]"\n'


def test_without_the_other_server_the_comparison_ends_with_a_sentence(tmp_path: Path) -> None:
    done = started(FOLDER / "serve.py", f"sys.executable = {str(tmp_path / 'python')!r}; ")
    assert done.returncode == 1
    assert done.stderr == "serve.py needs the server of the package oxigraph: pip install oxigraph\n"


def test_mistakes_of_a_benchmark_are_no_sentences() -> None:
    done = started(FOLDER / "all.py", "sys.modules['mdw.lineage.everything.closure'] = None; ")
    assert "Traceback" in done.stderr
