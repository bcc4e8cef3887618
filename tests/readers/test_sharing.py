"""Reading shared out to processes gives what one process reads, whatever becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
from generator import Shape, warehouse
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_folders import FolderWriter
from texts import GOOD, HOSTILE, WIDE

from mdw import Warehouse, memory
from mdw.readers.loading import Sources
from mdw.readers.sharing import pool, texts
from mdw.readers.sharing.pool import Pool, ReadingProcess
from mdw.readers.sharing.scripts import Sharing
from mdw.store import engine
from mdw.warehouse import check

UNNAMED = "WHEN POPULATING T FROM S POPULATE T.A WITH S.B\n"
PIECES = (
    GOOD.format("x"),
    GOOD.format("y"),
    HOSTILE,
    WIDE,
    UNNAMED,
    "WHEN POPULATING T FROM S POPULATE T.A WITH\n",
    "WHEN POPULATING U FROM S POPULATE U.A WITH S.A + S.B\n",
    "MAPPING open: WHEN POPULATING T FROM S POPULATE T.A WITH 'it\n",
    'MAPPING two: WHEN POPULATING T FROM S POPULATE T.A WITH "a\nWHEN POPULATING T FROM S POPULATE T.B WITH S.B"\n',
    "MAPPING twice: WHEN POPULATING T FROM S POPULATE T.A WITH S.B POPULATE T.A WITH S.C\n",
    "-- only a comment\n",
    "no mapping at all\n",
)
BAD = b"MAPPING last: WHEN POPULATING T FROM S POPULATE T.A WITH S.B -- \xff\n"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started for the smallest input, and parts are small."""
    monkeypatch.setattr(pool, "LEAST", 0)
    monkeypatch.setattr(texts, "PART", 500)
    monkeypatch.setattr(Sharing, "worth", 0)


def everything(processes: int, *sources: Path, **options: Any) -> tuple[object, ...]:
    """All that comes of reading, as values."""
    with Sources(sources, processes=processes, **options) as found:
        graphs = list(found.graphs())
    errors = [(str(one), one.expected, one.hint) for one in found.errors]
    return graphs, errors, found.statements, found.files, found.notes, found.read, found.kept, list(found.names)


def folder_of_texts(folder: Path, seed: int = 1) -> Path:
    """A large file, small ones, one that is not UTF-8 further down, one without mappings."""
    chance = Random(seed)
    (folder / "below").mkdir(parents=True)
    for number in range(12):
        (folder / f"{number}.map").write_text("".join(chance.choices(PIECES, k=3)))
    (folder / "below" / "large.map").write_text("".join(chance.choices(PIECES, k=80)))
    (folder / "bad.map").write_bytes("".join(chance.choices(PIECES, k=40)).encode() + BAD + UNNAMED.encode())
    (folder / "empty.map").write_text("")
    return folder


def folder_of_sql(folder: Path, scripts: int = 40) -> Path:
    """Scripts that read one another, a circle, routines, one that cannot be parsed, one that says nothing."""
    FolderWriter(folder, 1).write(scripts)
    for name, text in (
        ("circle_a", "CREATE VIEW circle_a AS SELECT * FROM circle_b;"),
        ("circle_b", "CREATE VIEW circle_b AS SELECT x FROM circle_a;"),
        ("broken", "CREATE VIEW broken AS SELECT FROM WHERE;"),
        ("routine", "CREATE PROCEDURE fill() AS BEGIN INSERT INTO filled SELECT id FROM raw.r0; END;"),
        ("caller", "CALL fill();"),
        ("nothing", "-- nothing\n"),
    ):
        (folder / f"{name}.sql").write_text(text)
    return folder


@settings(max_examples=60)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12), size=st.integers(1, 400), bad=st.booleans())
def test_parts_of_a_text_say_what_the_text_says(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], size: int, bad: bool
) -> None:
    file = tmp_path_factory.mktemp("text") / "some.map"
    file.write_bytes("".join(pieces).encode() + (BAD if bad else b""))
    with pytest.MonkeyPatch.context() as patch:
        # So many bytes never come: all is done in this process, in parts all the same.
        patch.setattr(texts, "PART", size)
        assert everything(2, file) == everything(1, file)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("processes", [2, 3])
def test_texts_read_by_processes_are_what_one_reads(tmp_path: Path, processes: int) -> None:
    folder = folder_of_texts(tmp_path / "texts", processes)
    (tmp_path / "more.map").write_text("".join(warehouse(1, Shape(layers=3, width=10))))
    one = everything(1, folder, tmp_path / "more.map")
    assert len(one[0]) > 100  # type: ignore[arg-type]
    assert one[1]
    assert everything(processes, folder, tmp_path / "more.map") == one


@pytest.mark.usefixtures("soon")
def test_scripts_read_by_processes_are_what_one_reads(tmp_path: Path) -> None:
    folder = folder_of_sql(tmp_path / "sql")
    one = everything(1, folder, dialect="snowflake")
    assert one[1]
    assert everything(2, folder, dialect="snowflake") == one


@pytest.mark.usefixtures("soon")
def test_what_a_store_was_told_before_processes_are_told(tmp_path: Path) -> None:
    """Views of a later load are made of tables of an earlier one; scripts that did not change are not read again."""
    folder = folder_of_sql(tmp_path / "sql", 20)
    (tmp_path / "before.sql").write_text("CREATE TABLE earlier (one INT, two INT);")
    (folder / "late.sql").write_text("CREATE VIEW late AS SELECT * FROM earlier;")
    found = []
    for processes in (1, 2):
        with Warehouse(tmp_path / f"store{processes}") as store:
            store.load(tmp_path / "before.sql", processes=processes)
            store.load(folder, processes=processes)
            (folder / "late.sql").write_text("CREATE VIEW late AS SELECT *, 1 AS three FROM earlier;")
            again = store.load(folder, processes=processes)
            assert [one.file for one in again.files if not one.unchanged] == ["broken.sql", "late.sql"]
            assert [end.attribute for end in store.lineage("LATE.TWO").golden] == ["EARLIER.TWO"]
            (folder / "late.sql").write_text("CREATE VIEW late AS SELECT * FROM earlier;")
            store.export("nquads", str(tmp_path / f"{processes}.nq"))
            found.append((sorted((tmp_path / f"{processes}.nq").read_text().splitlines()), again.mappings))
    assert found[0] == found[1]


@pytest.mark.usefixtures("soon")
def test_a_dbt_project_read_by_processes_is_what_one_reads() -> None:
    project = Path(__file__).parents[2] / "data" / "bank_dbt"
    assert everything(2, project) == everything(1, project)


def test_what_is_written_side_by_side_is_what_is_written_in_a_row(
    tmp_path: Path, soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New mappings first, then some that replace others, between new ones, in batches of a few each."""
    monkeypatch.setattr(engine, "DISK_BATCH", 60_000)
    mappings = list(warehouse(1, Shape(layers=4, width=20)))
    first, then = tmp_path / "first.map", tmp_path / "then.map"
    first.write_text("".join(mappings[:200]))
    then.write_text("".join(Random(1).sample(mappings[100:], 200)).replace("P0", "P9"))
    found = []
    for processes in (1, 2):
        with Warehouse(tmp_path / f"store{processes}") as store:
            counts = [store.load(file, processes=processes) for file in (first, then)]
            assert [(one.loaded, one.replaced) for one in counts] == [(200, 0), (100, 100)]
            store.export("nquads", str(tmp_path / f"{processes}.nq"))
            found.append(sorted((tmp_path / f"{processes}.nq").read_text().splitlines()))
    assert found[0] == found[1]


@contextmanager
def losing(lose: Callable[[ReadingProcess], object]) -> Iterator[None]:
    """The first process is lost with its second task."""
    done, tasks = ReadingProcess.done, {}

    def losing_done(self: ReadingProcess, task: pool.Task[Any]) -> Any:
        first = tasks.setdefault("first", self)
        tasks["number"] = tasks.get("number", 0) + (self is first)
        if self is first and tasks["number"] == 2:
            lose(self)
        return done(self, task)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReadingProcess, "done", losing_done)
        yield


@pytest.mark.usefixtures("soon")
def test_a_killed_process_costs_nothing_but_a_note(tmp_path: Path) -> None:
    folder = folder_of_texts(tmp_path / "texts")
    graphs, errors, *one = everything(1, folder)
    with losing(lambda process: process._process.kill()):
        again, same, *rest = everything(2, folder)
    assert (again, same) == (graphs, errors)
    (note,) = rest.pop(2)
    assert "was ended by SIGKILL: it was read again, without one" in note
    assert not one.pop(2)
    assert rest == one


@pytest.mark.usefixtures("soon")
def test_a_script_whose_process_was_killed_is_read_again(tmp_path: Path) -> None:
    folder = folder_of_sql(tmp_path / "sql")
    graphs, errors, statements, *_ = everything(1, folder)
    with losing(lambda process: process._process.kill()):
        found = everything(2, folder)
    assert found[:3] == (graphs, errors, statements)
    assert "SIGKILL" in str(found[4])


@pytest.mark.usefixtures("soon")
@pytest.mark.skipif(bool(memory.why_unlimited()), reason=memory.why_unlimited())
def test_a_process_that_needs_too_much_memory_leaves_it_to_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "ReadingProcess", lambda _: ReadingProcess(60 << 20))
    wide = "".join(f"POPULATE T.A{n} WITH S.B{n} + S.C{n} * {n} IF S.D{n} = 'x'\n" for n in range(3_500))
    (tmp_path / "wide.map").write_text(GOOD.format("x") + f"MAPPING wide: WHEN POPULATING T FROM S\n{wide}" + UNNAMED)
    found = everything(2, tmp_path / "wide.map")
    assert found[:2] == everything(1, tmp_path / "wide.map")[:2]
    assert "of memory" in str(found[4])


@pytest.mark.usefixtures("soon")
def test_a_process_that_faults_may_have_wanted_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries in other languages may write to where nothing is when they get no memory."""
    monkeypatch.setattr(pool, "ReadingProcess", lambda _: ReadingProcess(1 << 30))
    folder = folder_of_sql(tmp_path / "sql")
    with losing(lambda process: process._process.send_signal(signal.SIGSEGV)):
        found = everything(2, folder)
    assert "was ended by SIGSEGV, maybe where its 1g of memory ended" in str(found[4])


def test_a_mistake_in_the_code_is_raised_here(tmp_path: Path, soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*_: object) -> Any:
        raise ZeroDivisionError

    with losing(lambda process: process._input.write(b"\0" * 8)):
        monkeypatch.setattr(pool, "do", mistaken)
        with pytest.raises(ZeroDivisionError):
            everything(2, folder_of_texts(tmp_path / "texts"))


def test_processes_end_with_the_reading(tmp_path: Path, soon: None) -> None:
    folder = folder_of_texts(tmp_path / "texts")
    with Sources((folder,), processes=2) as found:
        graphs = found.graphs()
        next(graphs)
        assert found._pool
        started = [one._process for one in found._pool._all]
        assert [one.poll() for one in started] == [None, None]
    # Left in the middle, as by an error of the store.
    assert all(one.poll() is not None for one in started)


def test_small_loads_start_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "ReadingProcess", None)
    folder = folder_of_texts(tmp_path / "texts")
    assert everything(4, folder) == everything(1, folder)
    assert check(folder_of_sql(tmp_path / "sql", 10), processes=4).mappings


def test_where_memory_is_limited_processes_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, number in ((0, 8), (4 << 30, 8), (2 << 30, 5), (1 << 30, 1), (100 << 20, 0)):
        monkeypatch.setattr(memory, "allowed", partial(int, most))
        assert Pool(8)._number == number


@pytest.mark.skipif(bool(memory.why_unlimited()), reason=memory.why_unlimited())
def test_memory_that_processes_take_comes_back(tmp_path: Path) -> None:
    (tmp_path / "large.map").write_text("".join(warehouse(1, Shape(layers=4, width=100))))
    code = """if 1:
        import sys
        from pathlib import Path
        from mdw import Warehouse, memory
        from mdw.readers.sharing import pool
        pool.LEAST = 0
        memory.limit(3 << 30)
        with Warehouse() as store:
            report = store.load(Path(sys.argv[1]), processes=2)
        print(report.mappings, report.notes, memory.allowed() == 3 << 30)"""
    command = [sys.executable, "-c", code, str(tmp_path / "large.map")]
    assert subprocess.check_output(command, text=True) == "1500 () True\n"


def test_a_script_without_a_guard_loads_and_runs_no_code_of_the_folder(tmp_path: Path) -> None:
    """Where somebody works may lie anything, by the name of a module of ours too."""
    for name in ("lark", "pickle", "mdw"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run')")
    (tmp_path / "large.map").write_text("".join(warehouse(1, Shape(layers=4, width=100))))
    script = tmp_path / "scripts" / "load.py"
    script.parent.mkdir()
    script.write_text(
        "from pathlib import Path\nfrom mdw import Warehouse\nfrom mdw.readers.sharing import pool\npool.LEAST = 0\n"
        "report = Warehouse().load(Path('large.map'), processes=2)\nprint(report.mappings, report.notes)\n"
    )
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1500 ()\n", "")


def children(process: int) -> list[int]:
    """The processes that a process has started and that live."""
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True)
    return [int(one) for one in told.stdout.split()]


def living(process: int) -> bool:
    """Whether there is such a process; one that nobody has asked for its exit code is none."""
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True)
    return bool(told.stdout.strip()) and not told.stdout.startswith("Z")


@pytest.mark.skipif(not Path("/proc").exists(), reason="no list of processes")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_load_that_is_interrupted_leaves_nothing(tmp_path: Path, how: signal.Signals) -> None:
    file, store = tmp_path / "large.map", tmp_path / "store"
    file.write_text("".join(warehouse(1, Shape(width=100))))
    command = [sys.executable, "-m", "mdw", "load", str(file), "--store", str(store), "--processes", "2"]
    # Where the tests run in the background of a shell SIGINT is ignored, and would be by what they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    signal.signal(signal.SIGINT, before)
    try:
        until = monotonic() + 60
        while len(found := children(process.pid)) < 2:
            assert process.poll() is None
            assert monotonic() < until
            sleep(0.05)
        sleep(1)
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out, err.strip()) == (130 if how == signal.SIGINT else -signal.SIGKILL, b"", b"")
    until = monotonic() + 20
    while any(map(living, found)):
        assert monotonic() < until
        sleep(0.1)
    with Warehouse(store) as kept:
        assert not kept.query("SELECT ?m { ?m a mdw:Mapping }").rows


def test_a_process_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    code = """if 1:
        import os, time
        from mdw.processes import start
        print(start("mdw.readers.sharing.process", "0", str(os.getpid())).pid, flush=True)
        time.sleep(60)"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    started = int(parent.stdout.readline())
    sleep(1)
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate()
    until = monotonic() + 20
    while living(started):
        assert monotonic() < until
        sleep(0.1)


def test_without_processes_left_the_load_goes_on(tmp_path: Path, soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> Any:
        raise OSError(11, "Resource temporarily unavailable")

    folder = folder_of_texts(tmp_path / "texts")
    one = everything(1, folder)
    monkeypatch.setattr(pool, "start", none)
    found = everything(2, folder)
    assert found[:4] == one[:4]
    assert found[4] == ["no process could be started to read: resource temporarily unavailable"] * 2
