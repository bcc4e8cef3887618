"""Benchmarks are run by hand: here they only start, and say in a sentence what they need."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "benchmarks"
SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if path.stem != "measuring")
FIRST = f"import runpy, sys; sys.path.insert(0, {str(FOLDER)!r}); import measuring; "


def started(script: Path, before: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A benchmark in a process of its own, after some preparation."""
    run = f"sys.argv = {[str(script), *arguments]!r}; runpy.run_path({str(script)!r}, run_name='__main__')"
    return subprocess.run([sys.executable, "-c", FIRST + before + run], capture_output=True, text=True)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_benchmark_says_what_it_needs(script: Path) -> None:
    if script.stem.startswith("spark"):
        pytest.importorskip("pyspark")
    done = started(script, "", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^Needs [^.]*\d+ GB of memory[^.]* minutes?\b", done.stdout, re.MULTILINE | re.DOTALL)


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
