"""A compiled dbt project -> files of SQL, one for each model, and the dialect they are written in.

dbt leaves two files in its folder ``target``: ``manifest.json`` has every model with its compiled code, the relation it
fills, and the sources and seeds with the columns that somebody described; ``catalog.json``, where there is one, has the
columns of everything as the database knows them. Models that are ephemeral stand as CTEs in the code of others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mdw.model.errors import InputError
from mdw.model.tree import Location
from mdw.readers.inputs import MANIFEST, Input

COMPILE = "compile the project first: dbt compile"
DIALECTS = {"sqlserver": "tsql", "synapse": "tsql", "fabric": "tsql", "databricks": "databricks", "glue": "spark"}
"""Adapters whose SQL has another name; others are called like their dialect."""


@dataclass(frozen=True, slots=True)
class DbtProject:
    """The models of a project as files of SQL, after the columns of what they read; an error for what is not there."""

    dialect: str
    files: tuple[Input, ...]
    errors: tuple[InputError, ...]


def read_project(folder: Path) -> DbtProject:
    """The project whose folder ``target`` this is. InputError if its manifest cannot be read."""
    manifest = _document(folder / MANIFEST)
    adapter = str(manifest.get("metadata", {}).get("adapter_type") or "ansi")
    columns = _columns(manifest, folder)
    every = {**manifest.get("sources", {}), **manifest.get("nodes", {})}
    given = [node for node in every.values() if node.get("resource_type") in ("source", "seed")]
    tables = [text for node in given if (text := _table(node, columns.get(node["unique_id"], ())))]
    files = [Input("tables that dbt knows", text="\n".join(tables))] if tables else []
    errors: list[InputError] = []
    for node in every.values():
        if node.get("resource_type") in ("model", "snapshot") and _materialized(node) != "ephemeral":
            found = _model(node, folder)
            (errors if isinstance(found, InputError) else files).append(found)  # type: ignore[arg-type]
    return DbtProject(DIALECTS.get(adapter, adapter), tuple(files), tuple(errors))


def _document(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise InputError(f"cannot read {path}: {error}", hint=COMPILE) from error
    if not isinstance(found, dict):
        raise InputError(f"{path} is no manifest of dbt", hint=COMPILE)
    return found


def _columns(manifest: Mapping[str, Any], folder: Path) -> dict[str, tuple[str, ...]]:
    """The columns of nodes by their ids: those of the catalogue, else those that are described."""
    found: dict[str, tuple[str, ...]] = {}
    for node in (*manifest.get("sources", {}).values(), *manifest.get("nodes", {}).values()):
        found[node["unique_id"]] = tuple(node.get("columns") or ())
    if (folder / "catalog.json").is_file():
        catalogue = _document(folder / "catalog.json")
        for name, node in {**catalogue.get("sources", {}), **catalogue.get("nodes", {})}.items():
            listed = sorted(node.get("columns", {}).values(), key=lambda one: one.get("index", 0))
            found[name] = tuple(one["name"] for one in listed)
    return found


def _table(node: Mapping[str, Any], columns: tuple[str, ...]) -> str:
    """A source or seed as DDL, where its columns are known."""
    relation = node.get("relation_name")
    return f"CREATE TABLE {relation} ({', '.join(f'{name} TEXT' for name in columns)});" if relation and columns else ""


def _model(node: Mapping[str, Any], folder: Path) -> Input | InputError:
    """A model as a statement that fills its relation, on the lines where its code stands."""
    name = str(node.get("original_file_path") or node["unique_id"])
    code = node.get("compiled_code") or _compiled(node, folder)
    if not code or not node.get("relation_name"):
        asks = ", ".join(node.get("depends_on", {}).get("nodes", ()))
        language = node.get("language", "sql")
        said = f"a model in {language}" if language != "sql" else "a model without compiled code"
        message = f"{said}: what it makes of {asks or 'nothing'} is not known"
        return InputError(message, location=Location(name, 1, 1), hint="" if language != "sql" else COMPILE)
    return Input(name, text=f"CREATE VIEW {node['relation_name']} AS {code}")


def _compiled(node: Mapping[str, Any], folder: Path) -> str:
    """The code of a model from the file it was compiled into: some commands of dbt leave it out of the manifest."""
    path = node.get("compiled_path")
    parts = Path(str(path)).parts if path else ()
    # It is given from the project's folder; beside the manifest it begins behind the name of this one.
    file = folder.joinpath(*parts[parts.index("compiled") :]) if "compiled" in parts and ".." not in parts else None
    return file.read_text(encoding="utf-8") if file and file.is_file() else ""


def _materialized(node: Mapping[str, Any]) -> str:
    return str(node.get("config", {}).get("materialized", ""))
