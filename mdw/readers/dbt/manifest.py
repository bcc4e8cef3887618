"""dbt's manifest.json and catalog.json -> values: the nodes of a project, and the columns of their relations.

Versions of the manifest from 10 on (dbt 1.6) say all of it alike; what one lacks is empty. Seeds nobody described have
the columns of their files, if these still lie beside ``target``.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from mdw.model.dictionary import AttributeEntry
from mdw.model.errors import InputError
from mdw.readers.dbt.runs import unlimited
from mdw.readers.documents import parsed
from mdw.readers.inputs import COMPILE
from mdw.readers.opening import is_file_in, leads_out, opened
from mdw.readers.recognising import MANIFEST

CATALOGUE = "catalog.json"


@dataclass(frozen=True, slots=True)
class DbtNode:
    """Something of a project: a model, a snapshot, a seed, a source, a hook, a test, an exposure.

    ``relation`` is the table or view it is in the database, written as SQL, "" for none. ``code`` is compiled, or "";
    ``raw`` is what somebody wrote. ``needs`` are the ids of what it depends on. ``whole``: these
    columns are all it has, in order; ``exact``: they are spelled as the database keeps them.
    """

    id: str
    kind: str
    name: str
    package: str
    file: str
    relation: str
    code: str
    raw: str
    language: str
    config: Mapping[str, Any]
    needs: tuple[str, ...]
    description: str
    tags: tuple[str, ...]
    columns: tuple[AttributeEntry, ...] = ()
    whole: bool = False
    exact: bool = False
    version: str = ""
    latest: bool = True
    group: str = ""

    @property
    def materialized(self) -> str:
        """How dbt makes it: view, table, incremental, ephemeral."""
        return str(self.config.get("materialized") or "")

    @property
    def keeps_failures(self) -> bool:
        """Whether it is a test that puts the rows that fail into a table."""
        return self.kind == "test" and bool(self.relation and self.code and self.config.get("store_failures"))


@dataclass(frozen=True, slots=True)
class DbtManifest:
    """A project: the name, the adapter it runs on, its nodes by their ids, and how many are disabled."""

    project: str
    adapter: str
    nodes: Mapping[str, DbtNode]
    disabled: int

    def of(self, *kinds: str) -> Iterator[DbtNode]:
        """The nodes of some kinds."""
        return (node for node in self.nodes.values() if node.kind in kinds)


OLDEST = 7
"""The version of manifests from which on models have their compiled code where it is looked for."""
_VERSION = re.compile(r"/v(\d+)\.json")
_PLAIN = re.compile(r"[A-Za-z_]\w*\Z")
PARTS = ("sources", "nodes", "exposures", "metrics", "semantic_models", "saved_queries", "unit_tests")


def read_manifest(folder: Path) -> DbtManifest:
    """The manifest in a folder ``target``, with what the catalogue beside it knows. InputError if it cannot be read."""
    document = _document(folder / MANIFEST)
    metadata = _table(document, "metadata")
    version = _VERSION.search(str(metadata.get("dbt_schema_version") or ""))
    if version and int(version[1]) < OLDEST:
        said = f"{folder / MANIFEST} is a manifest of version {version[1]}: mdw reads version {OLDEST} and later"
        raise InputError(said, hint="compile the project with dbt 1.3 or later")
    catalogue = _document(folder / CATALOGUE) if (folder / CATALOGUE).is_file() else {}
    listed = {**_table(catalogue, "sources"), **_table(catalogue, "nodes")}
    # A catalogue of before knows no column that came since.
    old = _time(catalogue) < _time(document) if _time(catalogue) and _time(document) else False
    nodes: dict[str, DbtNode] = {}
    for part in PARTS:
        for name, said in _table(document, part).items():
            if isinstance(said, dict):
                nodes[name] = _node(name, said, listed.get(name), old, folder)
    adapter = str(metadata.get("adapter_type") or "")
    return DbtManifest(_project(metadata, nodes), adapter, nodes, len(_table(document, "disabled")))


def _document(path: Path) -> dict[str, Any]:
    if leads_out(path, path.parent):
        raise InputError(f"cannot read {path}: it leads out of the folder {path.parent}")
    try:
        with opened(path) as file:
            found = parsed(file.read().decode())
    except json.JSONDecodeError as error:
        said = f"{path} is no whole JSON: it ends or goes wrong in line {error.lineno}, column {error.colno}"
        raise InputError(said, hint=COMPILE) from error
    except (ValueError, OSError, RecursionError) as error:
        raise InputError(f"cannot read {path}: {error}", hint=COMPILE) from error
    if not isinstance(found, dict):
        raise InputError(f"{path} is not what dbt writes", hint=COMPILE)
    return found


def _table(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = document.get(key)
    return found if isinstance(found, dict) else {}


def _list(document: Mapping[str, Any], key: str) -> list[Any]:
    found = document.get(key)
    return found if isinstance(found, list) else []


def _project(metadata: Mapping[str, Any], nodes: Mapping[str, DbtNode]) -> str:
    """The project's own name; manifests that do not tell it have a package of which most is."""
    packages = [node.package for node in nodes.values()]
    return str(metadata.get("project_name") or max(packages, key=packages.count, default=""))


def _time(document: Mapping[str, Any]) -> str:
    """When dbt wrote something; such times sort as texts."""
    return str(_table(document, "metadata").get("generated_at") or "")


def _node(name: str, said: Mapping[str, Any], listed: Any, old: bool, folder: Path) -> DbtNode:
    config = _table(said, "config")
    file = str(said.get("original_file_path") or name)
    kind = str(said.get("resource_type") or "")
    relation = str(said.get("relation_name") or "") or _composed(kind, said, config)
    package = str(said.get("package_name") or "")
    columns = _outermost(_described(said)) if relation else ()
    catalogued = _outermost(_catalogued(listed, columns)) if isinstance(listed, dict) else ()
    header = _header(folder.parent, file, config, columns) if kind == "seed" and not catalogued else ()
    whole = bool(catalogued) and not old
    if not catalogued:
        # Who describes seeds names all columns, and so does who has dbt compare them; else some may be left out.
        whole = bool(header or (columns and (kind == "seed" or _table(config, "contract").get("enforced"))))
    code = str(said.get("compiled_code") or "")
    if not code and kind in ("model", "snapshot"):
        code = _compiled(said, package, file, folder)
    raw = str(said.get("raw_code") or _written(folder.parent, file, kind))
    latest = said.get("latest_version")
    return DbtNode(
        name,
        kind,
        str(said.get("name") or name),
        package,
        PurePosixPath(file.replace("\\", "/")).as_posix(),
        relation,
        unlimited(code, raw),
        raw,
        str(said.get("language") or "sql"),
        config,
        tuple(str(one) for one in _list(_table(said, "depends_on"), "nodes")),
        str(said.get("description") or "").strip(),
        tuple(str(one) for one in _list(said, "tags")),
        catalogued or header or columns,
        whole,
        bool(catalogued),
        str(said.get("version") or ""),
        latest is None or str(latest) == str(said.get("version")),
        str(said.get("source_name") or ""),
    )


def _composed(kind: str, said: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """The relation of something that has one, of the names it is put together of."""
    if kind not in ("model", "seed", "snapshot", "source") or config.get("materialized") == "ephemeral":
        return ""
    own = said.get("identifier") or said.get("alias") or said.get("name")
    names = [str(one) for one in (said.get("database"), said.get("schema"), own) if one]
    return ".".join(names) if said.get("schema") and all(map(_PLAIN.match, names)) else ""


def _written(project: Path, file: str, kind: str) -> str:
    """The file of a model or snapshot, if it lies beside ``target``."""
    path = project / file
    if kind not in ("model", "snapshot") or path.suffix != ".sql" or not _within(file) or not is_file_in(project, path):
        return ""
    return path.read_text(encoding="utf-8", errors="replace")


def _within(file: str) -> bool:
    return ".." not in Path(file).parts and not Path(file).is_absolute()


def _described(said: Mapping[str, Any]) -> Iterator[AttributeEntry]:
    """The columns that somebody wrote down, and what they wrote."""
    for name, one in _table(said, "columns").items():
        if isinstance(one, dict):
            told = str(one.get("description") or "").strip()
            tags = tuple(str(tag) for tag in _list(one, "tags"))
            yield AttributeEntry(
                str(one.get("name") or name), str(one.get("data_type") or ""), description=told, tags=tags
            )


def _catalogued(listed: Mapping[str, Any], described: tuple[AttributeEntry, ...]) -> Iterator[AttributeEntry]:
    """The columns as the database knows them, with what somebody wrote of them."""
    columns = [one for one in _table(listed, "columns").values() if isinstance(one, dict) and one.get("name")]
    for one in sorted(columns, key=lambda one: one["index"] if isinstance(one.get("index"), int) else 0):
        found = _told(str(one["name"]), described)
        comment = found.description or str(one.get("comment") or "")
        yield replace(found, type=str(one.get("type") or found.type), description=comment)


def _header(
    project: Path, file: str, config: Mapping[str, Any], described: tuple[AttributeEntry, ...]
) -> tuple[AttributeEntry, ...]:
    """The columns of a seed, from the first line of its file."""
    path = project / file
    if not _within(file) or not is_file_in(project, path):
        return ()
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            names = next(csv.reader(stream, delimiter=str(config.get("delimiter") or ",")), [])
    except (OSError, ValueError, TypeError, csv.Error):
        # It was not asked for: what it cannot tell is unknown, as it is without it.
        return ()
    types = _table(config, "column_types")
    found = [_told(name.strip(), described) for name in names if name.strip()]
    return tuple(replace(one, type=str(types.get(one.name) or one.type)) for one in found)


def _outermost(columns: Iterable[AttributeEntry]) -> tuple[AttributeEntry, ...]:
    """Columns without the fields of structs, which BigQuery lists as a column each, address.city."""
    found = {one.name.upper(): one for one in columns}
    return tuple(one for name, one in found.items() if name.rpartition(".")[0].partition(".")[0] not in found)


def _told(name: str, described: tuple[AttributeEntry, ...]) -> AttributeEntry:
    """A column of this name with what is told of it."""
    found = next((one for one in described if one.name.upper() == name.upper()), None)
    return replace(found, name=name) if found else AttributeEntry(name)


def _compiled(said: Mapping[str, Any], package: str, file: str, folder: Path) -> str:
    """The code of a model from the file it was compiled into: some commands of dbt leave it out of the manifest."""
    path = said.get("compiled_path")
    parts = Path(path.replace("\\", "/")).parts if isinstance(path, str) else ()
    # It is given from the project's folder or the root of some machine; beside the manifest it begins with `compiled`.
    tails = [parts[at:] for at, part in enumerate(parts) if part == "compiled"]
    for tail in (*tails, ("compiled", package, *Path(file).parts)):
        found = folder.joinpath(*tail)
        inside = ".." not in tail and _within(file)
        # Of what is filled in batches there is a file for each, in a folder of its name: they differ by the batch.
        for one in (found, *sorted(found.with_suffix("").glob("*.sql"))[-1:]) if inside else ():
            if is_file_in(folder, one) and one.suffix != ".yml":
                return one.read_text(encoding="utf-8", errors="replace")
    return ""
