"""The example bank as a dbt project: built by the real dbt on DuckDB, and what it leaves cut to what says the rules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2] / "data" / "bank_dbt"
PACKAGES = ("dbt-core>=1.10,<1.11", "dbt-duckdb>=1.10,<1.11")
VARIABLE = "MDW_DBT"
"""The environment variable that names a program ``dbt`` to use, or says "install"."""
WHOLE = ("metadata", "nodes", "sources", "exposures", "disabled")
PERSONAL = (
    "generated_at",
    "invocation_id",
    "invocation_started_at",
    "user_id",
    "project_id",
    "env",
    "invocation_command",
)
PASSING = (
    *("checksum", "created_at", "unrendered_config", "raw_code", "fqn", "docs", "patch_path", "build_path"),
    *(
        "extra_ctes",
        "extra_ctes_injected",
        "refs",
        "doc_blocks",
        "access",
        "path",
        "stats",
        "owner",
        "root_path",
        "sources",
    ),
)
"""What nodes say that is no rule, or changes from one run to the next."""


class NoDbtError(Exception):
    """There is no dbt here and it cannot be installed; the text says why."""


def dbt_program(folder: Path) -> Path:
    """The program dbt: the one that `VARIABLE` names, else one installed into a new environment in ``folder``."""
    if os.environ.get(VARIABLE, "install") != "install":
        return Path(os.environ[VARIABLE])
    python = folder / "bin" / "python"
    for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-q", *PACKAGES]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NoDbtError(f"dbt cannot be installed: {last}")
    return folder / "bin" / "dbt"


def run(dbt: Path, folder: Path, *command: str) -> None:
    """A command of dbt on the bank; its target, logs and database are put into ``folder``."""
    options = ["--project-dir", PROJECT, "--profiles-dir", PROJECT, "--target-path", folder / "target"]
    environment = {**os.environ, "BANK_DUCKDB": str(folder / "bank.duckdb"), "DO_NOT_TRACK": "1"}
    environment.pop("PYTHONPATH", None)
    called = [dbt, *command, *options, "--log-path", folder / "logs"]
    done = subprocess.run(called, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"dbt {' '.join(command)}: {done.stdout[-4000:]}{done.stderr[-2000:]}")


def build(dbt: Path, folder: Path) -> Path:
    """Everything built twice, for what is incremental reads itself then; the folder ``target``."""
    run(dbt, folder, "run-operation", "create_sources")
    run(dbt, folder, "build")
    run(dbt, folder, "build", "--exclude", "resource_type:test")
    run(dbt, folder, "docs", "generate")
    return folder / "target"


def trimmed(target: Path) -> Iterator[tuple[str, str]]:
    """The names and texts of the files of a target that mdw reads, without what is of one machine or one run."""
    for name in ("manifest.json", "catalog.json"):
        document = json.loads((target / name).read_text(encoding="utf-8"))
        kept = {key: _cut(document[key]) for key in WHOLE if document.get(key)}
        kept["metadata"] = {key: value for key, value in kept["metadata"].items() if key not in PERSONAL}
        yield name, json.dumps(kept, indent=1) + "\n"


def _cut(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        cut = {name: _cut(one, name) for name, one in value.items() if name not in PASSING}
        # Columns have an order; all else comes as dbt happens to meet it.
        names = cut if key == "columns" else sorted(cut)
        return {name: cut[name] for name in names if cut[name] not in (None, "", [], {})}
    if isinstance(value, list):
        cut = [_cut(one) for one in value]
        # What something depends on comes in no order.
        return sorted(cut) if key in ("nodes", "macros") else cut
    # dbt gives the path on this machine; from the project's folder it is the same everywhere.
    if key == "compiled_path" and isinstance(value, str) and "/target/" in value:
        return f"target/{value.rpartition('/target/')[2]}"
    return value


if __name__ == "__main__":
    # python tests/support/dbt_bank.py FOLDER: build the bank there and keep what it leaves with the project.
    place = Path(sys.argv[1]).resolve()
    place.mkdir(parents=True, exist_ok=True)
    (PROJECT / "target").mkdir(exist_ok=True)
    for file, text in trimmed(build(dbt_program(place / "venv"), place)):
        (PROJECT / "target" / file).write_text(text, encoding="utf-8")
