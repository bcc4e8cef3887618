"""The command line: exit codes, streams, formats."""

from __future__ import annotations

import fcntl
import json
import re
import shlex
import signal
import subprocess
import sys
import termios
import time
from array import array
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from shutil import copytree
from typing import IO

import pytest
from pyarrow import parquet

from mdw.cli import cli, console, run
from mdw.spark.session import MISSING

GOOD = """MAPPING party_eu:
WHEN POPULATING CORE.PARTY FROM SRC.CUSTOMER
POPULATE CORE.PARTY.NAME WITH SRC.CUSTOMER.NAME
POPULATE CORE.PARTY.REGION WITH "EU"
SELECT ROWS WHERE SRC.CUSTOMER.KIND = 1
MAPPING report_eu:
WHEN POPULATING MART.REPORT FROM CORE.PARTY
POPULATE MART.REPORT.NAME WITH CORE.PARTY.NAME
SELECT ROWS WHERE CORE.PARTY.REGION = "EU"
MAPPING report_us:
WHEN POPULATING MART.REPORT_US FROM CORE.PARTY
POPULATE MART.REPORT_US.NAME WITH CORE.PARTY.NAME
SELECT ROWS WHERE CORE.PARTY.REGION = "US"
"""
BAD = "WHEN POPULATING A FROM B POPULATE A.X WITH\n"
PROGRAM = (sys.executable, "-m", "mdw")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of mappings and a store that holds them."""
    folder = tmp_path_factory.mktemp("made")
    with chdir(folder):
        Path("good.map").write_text(GOOD, encoding="utf-8")
        assert run(["load", "good.map", "--store", "s"]) == 0
    return folder


@pytest.fixture
def store(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A copy of it, in the working folder."""
    copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MDW_STORE", raising=False)
    return "s"


def test_lineage_as_json(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["lineage", "MART.REPORT.NAME", "--store", store, "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [golden["attribute"] for golden in answer["golden"]] == ["SRC.CUSTOMER.NAME"]
    assert set(answer["golden"][0]) >= {"attribute", "condition", "sql"}
    keys = {"golden", "constants", "interrupted", "indirect", "steps", "dropped", "undecided", "assumptions"}
    assert keys <= set(answer)
    assert {"attribute": "SRC.CUSTOMER.KIND", "subtype": "FILTER"} in answer["indirect"]


def test_lineage_as_text_and_svg(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["lineage", "mart.report.name", "--store", store]) == 0
    text = capsys.readouterr().out
    assert "SRC.CUSTOMER.NAME" in text
    assert "\x1b" not in text
    assert run(["lineage", "MART.REPORT.NAME", "--store", store, "--format", "svg"]) == 0
    assert capsys.readouterr().out.startswith("<svg")


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<svg"), ("a.png", b"\x89PNG")])
def test_pictures(store: str, name: str, start: bytes) -> None:
    assert run(["lineage", "MART.REPORT.NAME", "--store", store, "--picture", name]) == 0
    assert Path(name).read_bytes().startswith(start)


def test_contradiction_leaves_nothing(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lineage", "MART.REPORT_US.NAME", "--store", store]) == 1
    assert run(["lineage", "MART.REPORT_US.NAME", "--store", store, "--mode", "passive"]) == 0
    assert "party_eu" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["lineage", "MART.REPORT.NAM", "--store", "s"], 1, "MART.REPORT.NAME"),
        (["lineage", "MART.REPORT.NAME", "--store", "s", "--when", "NAME ="], 1, "NAME ="),
        (["lineage", "MART.REPORT.NAME", "--store", "none"], 1, "none"),
        (["lineage", "MART.REPORT.NAME"], 2, "--store"),
        (["lineage", "MART.REPORT.NAME", "--store", "s", "--mode", "lazy"], 2, "passive"),
        (["lineage", "MART.REPORT.NAME", "--store", "s", "--picture", "a.gif"], 2, ".svg"),
        (["lineage", "MART.REPORT.NAME", "--store", "s", "--when", " "], 2, "leave it out"),
        (["lineage", "MART.REPORT.NAME", "--store", "s", "--proof", ""], 2, "an empty name"),
        (["lineage", "--store", "s"], 2, "--all"),
        (["lineage", "MART.REPORT.NAME", "--all", "--store", "s"], 2, "not both"),
        (["lineage", "--all", "--store", "s", "--when", "NAME = 1"], 2, "--when"),
        (["lineage", "--all", "--store", "s", "--format", "parquet"], 2, "--output"),
        (["lineage", "--all", "--store", "s", "-o", "no/such"], 1, "no/such"),
        (["lineage", "MART.REPORT.NAME", "--store", "s", "--format", "parquet"], 2, "--all"),
        (["request", "nonsense", "--store", "s"], 1, "context"),
        (["query", "SELECT nonsense", "--store", "s"], 1, "Error"),
        (["query", "@missing.rq", "--store", "s"], 1, "missing.rq"),
        (["tree", "no_such_mapping", "--store", "s"], 1, "no_such_mapping"),
        (["load", "missing.map", "--store", "s"], 1, "missing.map"),
        (["load", "--store", "s"], 2, "FILES"),
        (["load", "", "--store", "s"], 2, "an empty name is no file"),
        (["token", "ana", "--remove", "--store", "s"], 1, "there is no token of the name ana"),
        (["export", "--store", "s", "--format", "tables", "-o", "s"], 1, "s is a store: tables take a folder"),
        (["nonsense"], 2, "nonsense"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_goes_wrong_is_said_on_the_error_stream(
    store: str, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, says: str
) -> None:
    capsys.readouterr()
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert says in err
    assert "Traceback" not in err + out


def test_lineage_of_all_as_lines_and_as_parquet(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    for mode, arrives in (("active", []), ("passive", ["SRC.CUSTOMER.NAME"])):
        assert run(["lineage", "--all", "--store", store, "--mode", mode]) == 0
        records = {one["attribute"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
        assert set(records) == {"CORE.PARTY.NAME", "CORE.PARTY.REGION", "MART.REPORT.NAME", "MART.REPORT_US.NAME"}
        assert records["MART.REPORT.NAME"]["golden"] == ["SRC.CUSTOMER.NAME"]
        assert records["MART.REPORT_US.NAME"]["golden"] == arrives
        assert [one["value"] for one in records["CORE.PARTY.REGION"]["constants"]] == ['"EU"']
        assert run(["lineage", "--all", "--store", store, "--mode", mode, "-o", "all.jsonl"]) == 0
        assert len(Path("all.jsonl").read_text(encoding="utf-8").splitlines()) == len(records)
    assert run(["lineage", "--all", "--store", store, "--format", "parquet", "-o", "all.parquet"]) == 0
    rows = parquet.read_table("all.parquet").to_pylist()
    assert {(row["attribute"], row["source"], row["kind"]) for row in rows} == {
        ("CORE.PARTY.NAME", "SRC.CUSTOMER.NAME", "golden"),
        ("CORE.PARTY.REGION", "CORE.PARTY.REGION", "constant"),
        ("MART.REPORT.NAME", "SRC.CUSTOMER.NAME", "golden"),
    }


def test_lineage_of_all_where_nothing_is_populated(tmp_path: Path) -> None:
    assert run(["load", str(tmp_path), "--store", str(tmp_path / "s")]) == 1
    assert run(["lineage", "--all", "--store", str(tmp_path / "s")]) == 1


def test_lineage_of_all_stops_when_nobody_reads(store: str) -> None:
    command = f"{shlex.join(PROGRAM)} lineage --all --store {store} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_bad_input_costs_only_itself(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mixed").mkdir()
    Path("mixed/bad.map").write_text(BAD, encoding="utf-8")
    Path("mixed/more.map").write_text(GOOD.replace("party_eu", "party_more"), encoding="utf-8")
    assert run(["load", "mixed", "--store", store, "--format", "json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out[out.index("{") :])["loaded"] == 1
    assert "bad.map:1" in err
    assert run(["lineage", "MART.REPORT.NAME", "--store", store]) == 0


def test_without_spark_its_commands_say_what_to_install(store: str) -> None:
    hidden = "import sys; sys.modules.update({'pyspark': None, 'py4j': None}); from mdw.cli import main; main()"
    for arguments in (["spark-load", "x.map", "--store", "new"], ["spark-lineage", "--store", store, "-o", "out"]):
        done = subprocess.run([sys.executable, "-c", hidden, *arguments], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (1, f"Error: {MISSING}\n")


def test_check_stores_nothing(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.map").write_text(BAD, encoding="utf-8")
    assert run(["check", "good.map"]) == 0
    assert run(["check", "good.map", "bad.map"]) == 1
    assert "bad.map:1" in capsys.readouterr().err
    alone = subprocess.run(
        [sys.executable, "-m", "mdw", "check", "good.map"], capture_output=True, text=True, check=True
    )
    assert alone.stdout == "3 mappings, 0 errors\n", "in a process that has done nothing else"


def test_fmt(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("loose.map").write_text("-- kept\n" + GOOD.replace("\nPOPULATE", "   populate"), encoding="utf-8")
    Path("bad.map").write_text(BAD, encoding="utf-8")
    assert run(["fmt", "--check", "loose.map"]) == 1
    assert run(["fmt", "loose.map"]) == 0
    capsys.readouterr()
    assert run(["fmt", "--check", "loose.map"]) == 0
    assert capsys.readouterr().err == "1 file in canonical form already\n"
    assert Path("loose.map").read_text(encoding="utf-8").startswith("-- kept\nMAPPING party_eu:")
    assert run(["fmt", "bad.map"]) == 1
    assert Path("bad.map").read_text(encoding="utf-8") == BAD
    assert "bad.map:1" in capsys.readouterr().err


def test_fmt_of_a_folder_without_mapping_text_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sql").write_text("SELECT 1")
    assert run(["fmt", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert f"there is no mapping text in {tmp_path}" in said
    assert "end in .map" in said


@pytest.mark.parametrize("form", ["table", "json", "csv", "tsv", "xml"])
def test_query(store: str, capsys: pytest.CaptureFixture[str], form: str) -> None:
    capsys.readouterr()
    Path("names.rq").write_text("SELECT ?name { ?m a mdw:Mapping ; rdfs:label ?name }", encoding="utf-8")
    assert run(["query", "@names.rq", "--store", store, "--format", form]) == 0
    assert "report_us" in capsys.readouterr().out
    assert (
        run(["query", "ASK { ?m a mdw:Mapping }", "--store", store, "--format", "json" if form == "json" else "table"])
        == 0
    )
    assert "true" in capsys.readouterr().out
    assert run(["query", "SELECT * { ?m a mdw:Nothing }", "--store", store, "--format", form]) == 1


@pytest.mark.parametrize("form", ["table", "json", "csv", "tsv", "xml"])
def test_whether_a_query_found_something_is_the_same_in_every_form(store: str, form: str) -> None:
    asked = (
        "SELECT ?x {}",
        "SELECT ?x { VALUES ?x { 'a.' } }",
        "SELECT ?x { VALUES ?x {} }",
        "ASK {}",
        "ASK { <x:x> ?p 1 }",
    )
    found = [run(["query", one, "--store", store, "--format", form]) for one in asked]
    assert found == [0, 0, 1, 0, 1]


def test_a_query_that_cannot_be_read_is_named(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", "@nowhere.rq", "--store", store]) == 1
    assert capsys.readouterr().err == "Error: cannot read the query from nowhere.rq: no such file or directory\n"


def test_removing_takes_out_all_or_nothing(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["remove", "report_eu", "report_uk", "--store", store]) == 1
    assert "there is no mapping report_uk; did you mean" in capsys.readouterr().err
    assert run(["remove", "report_eu", "--store", store]) == 0
    assert capsys.readouterr().out == "removed report_eu\n"
    assert run(["lineage", "MART.REPORT.NAME", "--store", store]) == 1
    assert run(["lineage", "CORE.PARTY.NAME", "--store", store]) == 0
    assert run(["remove", "report_us", "--store", "nowhere"]) == 1


def test_export_text_loads_again(store: str) -> None:
    assert run(["export", "--store", store, "--format", "text", "--output", "all.map"]) == 0
    assert run(["load", "all.map", "--store", "copy"]) == 0
    assert run(["export", "--store", "copy", "--format", "text", "--output", "again.map"]) == 0
    assert Path("again.map").read_bytes() == Path("all.map").read_bytes()


@pytest.mark.parametrize("form", ["trig", "nquads"])
def test_export_rdf(store: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["export", "--store", store, "--format", form]) == 0
    assert "urn:mdw:mapping:report_us" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "json", "svg"])
def test_trees(store: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.map").write_text(GOOD[: GOOD.index("MAPPING report_eu")], encoding="utf-8")
    for command in (["tree", "report_us", "--store", store], ["tree", "one.map"], ["metatree"]):
        capsys.readouterr()
        assert run([*command, "--format", form]) == 0
        assert "populate" in capsys.readouterr().out


def test_a_picture_shows_one_mapping(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tree", "good.map", "--format", "svg"]) == 1
    assert "holds 3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "code", "says"),
    [
        (["--lcia", "populate.attribute", "with.condition"], 0, "11 population.populate\n"),
        (["--lcia", "12", "53"], 0, "11 population.populate\n"),
        (["--lcia", "9", "nowhere"], 1, "nowhere"),
        (["--leaf", "population.populate.with.expression.attribute"], 0, "17 "),
        (["--leaf", "Mapping.population.populate.attribute"], 0, "12 population.populate.attribute\n"),
        (["--leaf", "population.nowhere"], 1, "nothing found\n"),
        (["--request", "11, string, EU"], 0, "15  string  population.populate.with.expression.string "),
        (["--request", "8"], 1, "a request reads"),
        (["--request", "8, string", "--lcia", "9", "10"], 2, "ask one of them"),
        (["--lcia", "9", "10", "--format", "svg"], 2, "a picture shows the whole"),
    ],
)
def test_places_of_the_meta_tree(asked: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metatree", *asked]) == code
    told = capsys.readouterr()
    assert says in told.out + told.err


def test_places_of_the_meta_tree_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metatree", "--lcia", "12", "53", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["path"] == "population.populate"
    assert run(["metatree", "--leaf", "nowhere", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) is None
    assert run(["metatree", "--request", "11, string, EU", "--format", "json"]) == 0
    assert {one["content"] for one in json.loads(capsys.readouterr().out)["parameters"]} == {"EU"}


def test_store_from_the_environment(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MDW_STORE", store)
    assert run(["lineage", "MART.REPORT.NAME"]) == 0


def test_standard_input(store: str) -> None:
    text = GOOD.replace("MAPPING ", "MAPPING stdin_")
    done = subprocess.run((*PROGRAM, "load", "-", "--store", "other"), input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """The program, running."""
    pipe = subprocess.PIPE
    return subprocess.Popen((*PROGRAM, *arguments), stdin=pipe, stdout=pipe, stderr=pipe)


@pytest.mark.parametrize(
    "command", ["export --format nquads", "export --format text", "lineage --all", "query 'SELECT * {?s ?p ?o}'"]
)
def test_a_closed_pipe_is_no_error(store: str, command: str) -> None:
    with started(*shlex.split(command), "--store", store) as program:
        assert program.stdout and program.stderr
        program.stdout.close()
        assert program.wait(30) == 141
        assert program.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["lineage MART.REPORT.NAME", "lineage --all", "export", "lineage --help"])
def test_a_full_disk_is_said_in_a_line(store: str, command: str) -> None:
    with Path("/dev/full").open("wb") as full:
        arguments = [*PROGRAM, *command.split(), "--store", store]
        done = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert re.fullmatch(r"Error: cannot write to \S+ \S+: no space left on device\n", done.stderr.decode())


def test_a_stream_that_is_closed_from_the_start_is_no_error(store: str) -> None:
    command = " ".join([*PROGRAM, "lineage", "MART.REPORT.NAME", "--store", store, ">&-"])
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def unread(pipe: IO[bytes]) -> int:
    """Bytes written to a pipe that nobody has read yet."""
    count = array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs started meanwhile can be interrupted, even if whoever started the tests ignores that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupting_is_quiet(store: str) -> None:
    with started("load", "-", "--store", "other") as program:
        assert program.stdin and program.stderr
        program.stdin.write(GOOD.encode())
        program.stdin.flush()
        while unread(program.stdin) and program.poll() is None:
            time.sleep(0.05)
        time.sleep(0.2)
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 130
        assert program.stderr.read().strip() == b""


def test_no_colour_without_a_terminal_and_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    from mdw.cli import console

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert console.color()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not console.color()


@pytest.mark.parametrize(
    ("statement", "seconds"), [("import mdw", 0.3), ("from mdw.cli import run; run(['--help'])", 0.5)]
)
def test_starts_quickly(statement: str, seconds: float) -> None:
    timed = f"import time; start = time.process_time(); {statement}; print(time.process_time() - start)"
    taken = [float(subprocess.check_output([sys.executable, "-c", timed]).split()[-1]) for _ in range(3)]
    assert min(taken) < seconds


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert [name for name in cli.commands if f"  {name}" not in out] == []
    # In 80 columns each is said to its end, and the first commands to type stand below.
    listed = out.partition("Commands:")[2]
    assert "..." not in listed and "$ mdw demo" in listed


def test_errors_are_json_where_answers_are(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sql").write_text("CREATE VIEW v AS SELECT a FROM t;\nSELECT FROM WHERE;\n")
    store = ["--store", str(tmp_path / "wh.mdw"), "--format", "json"]
    assert run(["load", str(tmp_path / "a.sql"), *store]) == 1
    told = json.loads(capfd.readouterr().err)
    (error,) = told["errors"]
    assert (error["file"], error["line"], error["column"]) == (str(tmp_path / "a.sql"), 2, 13)
    assert error["message"] and error["hint"]
    for arguments in (["lineage", "no.such", *store], ["lineage", "v.a", "--format", "json"]):
        assert run(arguments) > 0
        (error,) = json.loads(capfd.readouterr().err)["errors"]
        assert error["message"]


def test_what_takes_long_says_for_how_long_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with console.waiting("thinking"):
        time.sleep(1.2)
    assert capsys.readouterr().err == "", "where nobody watches nothing is said"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with console.waiting("thinking"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with console.waiting("thinking"):
        time.sleep(1.5)
    said = capsys.readouterr().err
    assert "thinking: 1 s" in said and said.endswith("\r\x1b[K")
