"""Manifests of dbt and of extractions damaged at random: read, or told with their place; none ends in a traceback.

The seed of a failure is in its message; MDW_EXAMPLES=n tries n hundred of each kind. The largest memory is printed with
the seed that took it.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from test_mutated_inputs import Largest, mutated

from mdw import Warehouse
from mdw.extract.running import extract
from mdw.model.errors import InputError, MdwError
from mdw.readers.files.manifests import read_manifest

TRIED = 100 * int(os.environ.get("MDW_EXAMPLES", "0")) or 40
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1e400, 10**400, "", "\0", "\ud800", "../../etc/passwd", "/etc/passwd", "x" * 10_000, [], {},
    [None], {"x": {}}, "\u202e\x1b[8m", ["a", ["b"]], "manifest.json", ".", "..", "a/" * 3_000, "C:\\\\x",
)  # fmt: skip
SCHEMA = "https://schemas.getdbt.com/dbt/manifest/v12.json"


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every object and list in a document, with each of its keys or numbers."""
    pending = [value]
    while pending:
        one = pending.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        for key in keys:
            yield one, key
            pending.append(one[key])


def damaged(document: Any, chance: random.Random) -> str:
    """The document with other values in some of its places, or its text with other characters."""
    found = json.loads(json.dumps(document))
    if chance.random() < 0.3:
        return mutated(json.dumps(found, indent=1), chance)
    for _ in range(chance.randint(1, 4)):
        holder, key = chance.choice(list(places(found)) or [({"": 0}, "")])
        match chance.randrange(4):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[str(chance.choice(VALUES))[:50]] = deepcopy(holder[key])
            case _:
                holder[key] = deepcopy(chance.choice(VALUES))
    return json.dumps(found)


def node(name: str, kind: str = "model", **more: Any) -> dict[str, Any]:
    return {
        "resource_type": kind, "name": name, "package_name": "shop", "original_file_path": f"{kind}s/{name}.sql",
        "relation_name": f'"wh"."main"."{name}"', "language": "sql", "tags": ["t"], "description": "d",
        "columns": {"a": {"name": "a", "data_type": "int", "description": "x", "tags": ["y"]}},
        "depends_on": {"nodes": ["source.shop.raw.s"], "macros": []}, "config": {"materialized": "table"}, **more,
    }  # fmt: skip


DBT = {
    "metadata": {"dbt_schema_version": SCHEMA, "adapter_type": "duckdb", "project_name": "shop"},
    "nodes": {
        "model.shop.m": node("m", compiled_code='select a, b from "wh"."raw"."s" where c = 1'),
        "model.shop.n": node("n", compiled_path="target/compiled/shop/models/n.sql", config={
            "materialized": "incremental", "post-hook": [{"sql": "update {{ this }} set a = 1"}], "unique_key": "a"}),
        "model.shop.p": node("p", language="python", depends_on={"nodes": ["model.shop.m"]}),
        "snapshot.shop.k": node("k", "snapshot", compiled_code='select a from "wh"."main"."m"', config={
            "strategy": "check", "unique_key": "a", "check_cols": ["a"], "materialized": "snapshot"}),
        "seed.shop.c": node("c", "seed", original_file_path="seeds/c.csv", config={"delimiter": ","}),
        "operation.shop.o": node("o", "operation", tags=["on-run-end"], compiled_code="delete from x"),
        "test.shop.t": node("t", "test"),
    },
    "sources": {"source.shop.raw.s": node("s", "source", source_name="raw")},
    "exposures": {"exposure.shop.e": node("e", "exposure", depends_on={"nodes": ["model.shop.m"]}, version=None)},
    "disabled": {"model.shop.x": [{}]},
}  # fmt: skip
CATALOGUE = {"nodes": {"model.shop.m": {"columns": {"A": {"name": "A", "index": 1, "type": "INT", "comment": "c"}}}}}


def tried(seeds: int, one: Callable[[random.Random], None]) -> None:
    """Each seed, within bounds of memory."""
    largest = Largest()
    for seed in range(seeds):
        try:
            one(random.Random(seed))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
        largest.hold(f"seed {seed}")
    print(f"{seeds} seeds; {largest}")


def told(folder: Path) -> None:
    """Load a folder: errors say where, what was read has a text."""
    with Warehouse() as warehouse:
        report = warehouse.load(folder)
        for error in report.errors:
            assert folder.name in str(error) or (error.location and error.location.line), error
        for one in warehouse.mappings()[:3]:
            assert warehouse.text(one.name)
        str(report)


def test_dbt(tmp_path: Path) -> None:
    target = tmp_path / "shop" / "target"
    (target / "compiled/shop/models").mkdir(parents=True)
    (target / "compiled/shop/models/n.sql").write_text('select a from "wh"."main"."m"')
    (tmp_path / "shop/seeds").mkdir()
    (tmp_path / "shop/seeds/c.csv").write_text("a,b\n1,2\n")
    (tmp_path / "secret.sql").write_text("select hidden from secret")
    (target / "manifest.json").write_text(json.dumps(DBT))
    (target / "catalog.json").write_text(json.dumps(CATALOGUE))
    with Warehouse() as warehouse:
        assert warehouse.load(target).mappings

    def one(chance: random.Random) -> None:
        both = chance.random()
        (target / "manifest.json").write_text(
            damaged(DBT, chance) if both < 0.8 else json.dumps(DBT), "utf-8", "replace"
        )
        (target / "catalog.json").write_text(damaged(CATALOGUE, chance) if both > 0.6 else "{}", "utf-8", "replace")
        told(target)

    tried(TRIED, one)


def test_extraction(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript("CREATE TABLE sale (a INT); CREATE VIEW v AS SELECT a FROM sale;")
    extract(f"sqlite:///{tmp_path / 'shop.db'}", tmp_path / "x")
    path = tmp_path / "x" / "manifest.json"
    whole = json.loads(path.read_text())
    whole |= {
        "errors": [{"kind": "view", "schema": "main", "name": "w", "signature": "", "cause": "gone", "message": "m"}]
    }

    def one(chance: random.Random) -> None:
        path.write_text(damaged(whole, chance), "utf-8", "replace")
        told(tmp_path / "x")
        with suppress(InputError):
            found = read_manifest(tmp_path / "x")
            assert found is None or found.to_dict()

    tried(TRIED, one)
    for file in ("manifest.json", "main/views/v.sql"):
        assert (tmp_path / "x" / file).exists(), "nothing was taken away"


def test_what_a_manifest_lacks_is_named(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript("CREATE TABLE sale (a INT)")
    extract(f"sqlite:///{tmp_path / 'shop.db'}", tmp_path / "x")
    path = tmp_path / "x" / "manifest.json"
    whole = path.read_text()
    for change, message in (
        (lambda said: said["objects"][0].pop("file"), r"objects\[0\].file is missing"),
        (lambda said: said["objects"][0].update(file=3), r"objects\[0\].file is not a text"),
        (lambda said: said["objects"][0].update(masked="no"), r"objects\[0\].masked is not true or false"),
        (lambda said: said.update(search_path=[3]), "search_path is no list of texts"),
        (lambda said: said.update(objects={}), "objects is no list"),
    ):
        said = json.loads(whole)
        change(said)
        path.write_text(json.dumps(said))
        with pytest.raises(InputError, match=message):
            read_manifest(tmp_path / "x")
    path.write_text(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"goes wrong in line \d+, column \d+"):
        read_manifest(tmp_path / "x")


@pytest.mark.parametrize("name", ["manifest.json", "catalog.json"])
def test_a_manifest_that_is_a_link_to_elsewhere_is_not_read(name: str, tmp_path: Path) -> None:
    target = tmp_path / "shop" / "target"
    target.mkdir(parents=True)
    (target / "manifest.json").write_text(json.dumps(DBT))
    (target / "catalog.json").write_text(json.dumps(CATALOGUE))
    (target / name).rename(tmp_path / name)
    (target / name).symlink_to(tmp_path / name)
    with Warehouse() as warehouse:
        report = warehouse.load(target)
        assert [f"{name}: it leads out of the folder" in str(error) for error in report.errors] == [True]
        assert not warehouse.mappings()


@pytest.mark.parametrize(
    "place", ["/etc/passwd", "../secret.sql", "models/../../secret.sql", "models/link.sql", "s/x.sql"]
)
@pytest.mark.parametrize("key", ["original_file_path", "compiled_path", "package_name"])
def test_paths_of_dbt_stay_in_their_folder(key: str, place: str, tmp_path: Path) -> None:
    project, target = tmp_path / "shop", tmp_path / "shop" / "target"
    (target / "compiled" / "models").mkdir(parents=True)
    (project / "models").mkdir()
    (tmp_path / "secret.sql").write_text("select hidden from secret")
    (tmp_path / "x.sql").write_text("select hidden from secret")
    for folder in (project, target, target / "compiled"):
        (folder / "models").mkdir(exist_ok=True)
        (folder / "models" / "link.sql").symlink_to(tmp_path / "secret.sql")
        (folder / "s").symlink_to(tmp_path)
    said = place if key != "compiled_path" else f"target/compiled/{place}"
    for kind in ("model", "snapshot", "seed"):
        broken = node("m", kind, **{key: said}, columns={})
        (target / "manifest.json").write_text(json.dumps(DBT | {"nodes": {"model.shop.m": broken}}))
        with Warehouse() as warehouse:
            report = warehouse.load(project)
            told = [*map(str, report.errors), *(one.text for one in report.sql), *warehouse.attributes()]
            assert not [one for one in told if "hidden" in one.lower()], told


def test_errors_are_ours(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
    assert all(isinstance(error, MdwError) for error in report.errors)
