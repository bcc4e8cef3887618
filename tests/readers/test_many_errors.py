"""Of a file with very many mistakes the first hundred are told and the rest counted, wherever errors are shown."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mdw import BatchError, InputError, Warehouse
from mdw.cli import run
from mdw.model.errors import MOST, FirstErrors, how_many
from mdw.model.tree import Location
from mdw.warehouse import check

GOOD = "MAPPING good: WHEN POPULATING T FROM A POPULATE T.B WITH A.B\n"
ROW = '{"table_name": "t", "column_name": ""}\n'


def broken(count: int) -> str:
    """Mappings of which none can be read, a line each."""
    return "".join(f"MAPPING m{n}: WHEN POPULATING T FROM A POPULATE T.B WIHT A.B\n" for n in range(count))


def mistaken(count: int) -> str:
    """One mapping with a mistake in each line."""
    return "WHEN POPULATING T FROM A\n" + "".join(f"  POPULATE T.B{n} WITH X.B\n" for n in range(count))


def twice_each(count: int) -> str:
    """Mappings of one name."""
    return GOOD * (count + 1)


def unsaid(count: int) -> str:
    """Lines that are no N-Quads."""
    return "<urn:a> <urn:b> .\n" * count


def rows(count: int) -> str:
    """Rows of an export that name no column."""
    return ROW.replace('""', '"a"') + ROW * count


def failing(count: int) -> str:
    """Statements that no database would take."""
    return "SELECT FROM FROM (;\n" * count


MANY: dict[str, Callable[[int], str]]
MANY = {"a.map": broken, "b.map": mistaken, "c.map": twice_each, "d.nq": unsaid, "e.jsonl": rows, "f.sql": failing}


@pytest.mark.parametrize("name", MANY)
def test_the_first_hundred_are_told_and_the_rest_counted(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(MANY[name](150))
    with Warehouse() as warehouse:
        report = warehouse.load(file)
    *first, last = report.errors
    assert len(first) == 100
    assert all(one.count == 1 for one in first)
    assert last.count == 50
    hundredth, place = first[-1].location, last.location
    assert hundredth and place and (place.file, place.line) == (hundredth.file, hundredth.line + 1)
    assert "50 more errors from here on" in str(last) and "hint:" in str(last)
    assert "150 errors" in str(report)
    assert [one["count"] for one in report.to_dict()["errors"]] == [1] * 100 + [50]
    with pytest.raises(BatchError) as raised:
        report.raise_for_errors()
    assert raised.value.count == 150 and "150 errors" in raised.value.message
    assert str(raised.value).endswith(str(last))
    assert how_many(check(file).errors) == 150


def test_each_file_has_its_own_hundred(tmp_path: Path) -> None:
    for name, count in {"a.map": 150, "b.map": 100, "c.map": 101}.items():
        (tmp_path / name).write_text(broken(count).replace("MAPPING m", f"MAPPING {name[0]}"))
    with Warehouse() as warehouse:
        errors = warehouse.load(tmp_path).errors
    assert [one.count for one in errors] == [1] * 100 + [50] + [1] * 200 + [1]
    files = [one.location.file for one in errors if one.location]
    assert files == sorted(files) and len(files) == 302
    assert "1 more error from" in str(errors[-1])


def test_of_all_files_together_so_many_are_kept() -> None:
    """And of each further file how many it has."""
    found = FirstErrors()
    for number in range(MOST + 500):
        found.add(InputError("wrong", location=Location(f"{number // 50}.map", number % 50 + 1, 1)))
    errors = found.every()
    assert how_many(errors) == MOST + 500
    assert [one.count for one in errors[MOST:]] == [50] * 10
    assert errors[-1].location == Location(f"{MOST // 50 + 9}.map", 1, 1)


def test_errors_of_no_file_are_all_kept() -> None:
    """Each may be that of another file that is not there."""
    errors = [InputError(f"cannot read {number}.map") for number in range(300)]
    assert FirstErrors(errors).every() == tuple(errors)


def test_what_is_only_counted_takes_no_memory() -> None:
    with Warehouse() as warehouse:
        report = warehouse.load(broken(3000))
    assert how_many(report.errors) == 3000
    gc.collect()
    assert sum(isinstance(one, InputError) for one in gc.get_objects()) < 200
    # Nor do those that are kept hold the text and the parser where they were met.
    assert all(one.__traceback__ is None and one.__context__ is None for one in report.errors)


def test_commands_tell_the_first_and_the_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, store = str(tmp_path / "a.map"), str(tmp_path / "s")
    Path(file).write_text(broken(150) + GOOD)
    for command in (["check", file], ["load", file, "--store", store], ["fmt", "--check", file]):
        assert run(command) == 1
        told = capsys.readouterr()
        assert told.err.count("a.map:") == 101
        assert "50 more errors from here on" in told.err
        assert "150 errors" in told.out or command[0] == "fmt"
    assert run(["load", file, "--store", store, "--format", "json"]) == 1
    told = capsys.readouterr()
    for text in (told.err, told.out):
        assert sum(one["count"] for one in json.loads(text)["errors"]) == 150
