"""Errors: one tree, named as they are imported; results that cannot be written are one of them."""

from __future__ import annotations

import pickle
import re
import traceback
from pathlib import Path
from typing import Literal

import pytest

import mdw
from mdw import InputError, MdwError, OutputError, Warehouse
from mdw.cli import run
from mdw.model import errors

PUBLIC = [one for name in mdw.__all__ if isinstance(one := getattr(mdw, name), type) and issubclass(one, Exception)]
TEXT = "MAPPING one: WHEN POPULATING T FROM S POPULATE T.A WITH S.A"


def descendants(kind: type[MdwError]) -> dict[str, str]:
    """The errors below one, each with the one right above it."""
    found = {child.__name__: kind.__name__ for child in kind.__subclasses__() if child.__module__ != __name__}
    for child in kind.__subclasses__():
        found |= descendants(child)
    return found


def drawn(tree: str) -> dict[str, str]:
    """The same, as the module draws it."""
    found, above = {}, ["MdwError"]
    for indent, name in re.findall(r"^([│ ]*)[├└]── (\w+)", tree, re.MULTILINE):
        above = [*above[: len(indent) // 4 + 1], name]
        found[name] = above[-2]
    return found


def test_the_tree_is_the_one_that_is_drawn() -> None:
    assert descendants(MdwError) == drawn(errors.__doc__ or "")


def test_every_error_that_users_meet_is_public() -> None:
    assert {one.__name__ for one in PUBLIC} == {"MdwError", *descendants(MdwError)} - {"TooLargeError"}


@pytest.mark.parametrize("kind", PUBLIC)
def test_tracebacks_name_errors_as_they_are_imported(kind: type[MdwError]) -> None:
    error = mdw.BatchError([InputError("it is so")]) if kind is mdw.BatchError else kind("it is so")
    assert traceback.format_exception_only(error)[-1].startswith(f"mdw.{kind.__name__}: ")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind and str(again) == str(error)


def test_errors_keep_what_they_know_on_the_way_to_another_process() -> None:
    error = InputError("wrong", excerpt="here", location=mdw.Location("a.map", 1, 3), hint="right")
    assert (
        str(pickle.loads(pickle.dumps(error))) == str(error) == "a.map:1:3: wrong\n    here\n      ^\n    hint: right"
    )


@pytest.mark.parametrize("form", ["trig", "nquads", "text"])
def test_exports_that_cannot_be_written(form: Literal["trig", "nquads", "text"], tmp_path: Path) -> None:
    path = tmp_path / "no folder" / "all"
    with Warehouse() as warehouse:
        warehouse.load(TEXT).raise_for_errors()
        with pytest.raises(OutputError, match=rf"^cannot write {path}: no such file or directory"):
            warehouse.export(form, path)


def test_the_terminal_says_what_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.map").write_text(TEXT, encoding="utf-8")
    store, path = str(tmp_path / "store"), str(tmp_path / "one.map" / "below")
    assert run(["load", str(tmp_path / "one.map"), "--store", store]) == 0
    asking = ["lineage", "T.A", "--store", store]
    exporting = ["export", "--store", store, "--output", path, "--format"]
    commands = [[*asking, "--output", path], [*asking, "--picture", f"{path}.svg"]]
    commands += [["lineage", "--all", "--store", store, "--format", "parquet", "--output", path]]
    commands += [[*exporting, form] for form in ("trig", "nquads", "text", "tables")]
    for command in commands:
        assert run(command) == 1
        assert re.match(rf"Error: (cannot write|tables cannot be written to) {path}", capsys.readouterr().err), command
