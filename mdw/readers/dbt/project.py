"""A compiled dbt project -> files of SQL, the dialect they are written in, and what of it is not SQL.

dbt leaves two files in its folder ``target``: ``manifest.json`` has every model with its compiled code and the relation
it fills, sources and seeds, hooks, and what uses models outside of dbt; ``catalog.json``, where there is one, has the
columns of everything as the database knows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from mdw.model.dictionary import DataDictionary, EntityEntry
from mdw.model.query import Statement
from mdw.model.tree import Location
from mdw.readers.dbt import code
from mdw.readers.dbt.manifest import DbtManifest, DbtNode, read_manifest
from mdw.readers.dbt.runs import Run
from mdw.readers.dbt.unknown import UnknownModel
from mdw.readers.inputs import Input
from mdw.readers.sql.dialects import is_dialect
from mdw.readers.sql.entries import entry_of

DIALECTS = {
    "fabricspark": "spark", "glue": "spark", "crate": "postgres", "cockroachdb": "postgres", "yellowbrick": "postgres",
    "timescaledb": "postgres", "hologres": "postgres", "opengauss": "postgres", "alloydb": "postgres", "ibmdb2": "db2",
    "upsolver": "trino", "starburst": "trino", "tidb": "mysql", "dremio": "dremio", "maxcompute": "hive",
}  # fmt: skip
"""Adapters whose SQL has another name; most are called like their dialect."""
NOT_LOADED = {"test": "test", "unit_test": "unit test", "analysis": "analysis", "disabled": "disabled node"}
MACROS = "macros write this hook when dbt runs: what it does is not known"


@dataclass(frozen=True, slots=True)
class DbtProject:
    """The models of a project as files of SQL, and a data dictionary of all its relations.

    ``unknown`` are models that are not followed, ``statements`` what cannot be read of hooks, ``notes`` what is not
    loaded.
    """

    dialect: str
    files: tuple[Input, ...]
    dictionary: DataDictionary
    unknown: tuple[UnknownModel, ...]
    statements: tuple[Statement, ...]
    notes: tuple[str, ...]


def read_project(folder: Path) -> DbtProject:
    """The project whose folder ``target`` this is. InputError if its manifest cannot be read."""
    manifest = read_manifest(folder)
    dialect, notes = _dialect(manifest)
    reading = _ProjectFiles(manifest)
    unknown = tuple(reading.unknown())
    files = [*reading.files(), *reading.exposures()]
    told = DataDictionary(tuple(reading.entries(dialect)))
    return DbtProject(dialect, tuple(files), told, unknown, tuple(reading.statements), (*notes, *_left(manifest)))


def _dialect(manifest: DbtManifest) -> tuple[str, tuple[str, ...]]:
    adapter = manifest.adapter
    dialect = DIALECTS.get(adapter, adapter) or "ansi"
    if is_dialect(dialect):
        return dialect, ()
    return "ansi", (f"no SQL dialect is known for dbt's adapter {adapter}: read as standard SQL",)


def _left(manifest: DbtManifest) -> Iterator[str]:
    """What of a project makes no rows, counted."""
    kinds = Counter(node.kind for node in manifest.nodes.values())
    kinds["test"] -= sum(node.keeps_failures for node in manifest.of("test"))
    kinds["disabled"] = manifest.disabled
    counted = [f"{kinds[kind]} {name}{'s' * (kinds[kind] > 1)}" for kind, name in NOT_LOADED.items() if kinds[kind]]
    if counted:
        yield f"not loaded, since they make no rows: {', '.join(counted).replace('analysiss', 'analyses')}"


class _ProjectFiles:
    """A project as it becomes files; no two of them have one name."""

    def __init__(self, manifest: DbtManifest) -> None:
        self.manifest = manifest
        self.statements: list[Statement] = []
        self._names: Counter[str] = Counter()
        self._others: dict[str, list[tuple[Run, str]] | None] = {}

    def entries(self, dialect: str) -> Iterator[EntityEntry]:
        """What is told of each relation and each exposure: columns, descriptions, tags."""
        for node in self.manifest.of("source", "seed", "model", "snapshot", "exposure"):
            name = code.named(node) if node.kind == "exposure" else node.relation
            if name and node.materialized != "ephemeral":
                entry = EntityEntry(
                    name,
                    node.columns,
                    whole=node.whole,
                    kind=node.kind,
                    description=node.description,
                    tags=node.tags,
                    file=self._path(node),
                )
                yield entry_of(entry, dialect, exact=node.exact)

    def files(self) -> Iterator[Input]:
        """Models and snapshots with their hooks, and what dbt does before and after all of them."""
        yield from self._operations("on-run-start")
        for node in self._models():
            yield from self._hooks(node, "pre-hook")
            if self._followed(node):
                text = code.snapshot(node) if node.kind == "snapshot" else code.model(node)
                yield Input(self._name(node), text=text)
                yield from self._other_runs(node)
            yield from self._hooks(node, "post-hook")
        for node in self.manifest.of("seed"):
            yield from self._hooks(node, "pre-hook")
            yield from self._hooks(node, "post-hook")
        for node in self.manifest.of("test"):
            if node.keeps_failures:
                yield Input(self._name(node, node.name), text=code.model(node))
        yield from self._operations("on-run-end")

    def _other_runs(self, node: DbtNode) -> Iterator[Input]:
        """What an incremental model does in runs it was not compiled for."""
        for kind, text in self._runs(node) or ():
            yield Input(self._name(node, f"{kind} run"), text=code.model(replace(node, code=text)))

    def _runs(self, node: DbtNode) -> list[tuple[Run, str]] | None:
        # Asked twice, and looked for in all of the model's code.
        if node.id not in self._others:
            self._others[node.id] = code.other_runs(node, self.manifest)
        return self._others[node.id]

    def exposures(self) -> Iterator[Input]:
        """What uses models outside of dbt, as what they feed."""
        for node in self.manifest.of("exposure"):
            for read, text in code.exposed(node, self.manifest):
                yield Input(self._name(node, f"{node.name} of {read}"), text=text)

    def unknown(self) -> Iterator[UnknownModel]:
        """Models in other languages, and those without code."""
        for node in self._models():
            if not self._followed(node):
                needs = code.relations(node.needs, self.manifest, through=True)
                yield UnknownModel(self._path(node), node.language, node.relation, tuple(one.relation for one in needs))
            elif self._runs(node) is None:
                reads = code.unread(node, self.manifest)
                yield UnknownModel(self._name(node, "other runs"), "sql", node.relation, reads, partly=True)

    def _models(self) -> Iterator[DbtNode]:
        found = self.manifest.of("model", "snapshot")
        return (node for node in found if node.relation and node.materialized != "ephemeral")

    def _followed(self, node: DbtNode) -> bool:
        return node.language == "sql" and bool(node.code.strip())

    # -- hooks --------------------------------------------------------------------------------------------------------

    def _hooks(self, node: DbtNode, when: str) -> Iterator[Input]:
        yield from self._statements(list(code.hooks(node, when, self.manifest)), node, when)

    def _operations(self, when: str) -> Iterator[Input]:
        for node in self.manifest.of("operation"):
            if when in node.tags:
                yield from self._statements([code.filled(node.code or node.raw, node, self.manifest)], node, when)

    def _statements(self, texts: list[str], node: DbtNode, when: str) -> Iterator[Input]:
        read = [text for text in texts if text.strip() and not code.macros_only(text)]
        name = self._name(node, when) if texts else ""
        for text in texts:
            if text.strip() and code.macros_only(text):
                at = Location(name, 1, 1)
                self.statements.append(Statement("hook", "opaque", "", (), (), (), (), (), MACROS, at))
        if read:
            yield Input(name, text=";\n".join(text.strip().rstrip(";") for text in read))

    # -- names --------------------------------------------------------------------------------------------------------

    def _name(self, node: DbtNode, more: str = "") -> str:
        """What the file of a node is called, with what of it is meant where it holds several."""
        path = self._path(node)
        # Snapshots may be written down in one file of YAML together.
        named = more or (node.name if PurePosixPath(path).suffix in (".yml", ".yaml") else "")
        name = f"{path} ({named})" if named else path
        self._names[name] += 1
        return name if self._names[name] == 1 else f"{name} ({self._names[name]})"

    def _path(self, node: DbtNode) -> str:
        """The path of a node's file from the project's folder; those of packages lie where dbt puts them."""
        return node.file if node.package in ("", self.manifest.project) else f"dbt_packages/{node.package}/{node.file}"
