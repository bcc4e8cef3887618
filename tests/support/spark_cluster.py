"""A standalone Spark cluster on the loopback interface: one master, two workers, each with room for two executors."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyspark
import spark_job

from mdw.spark.run.java import java_home

HOME = Path(pyspark.__file__).parent
JOB = Path(spark_job.__file__)
PATIENCE = 120.0
# Classes of Spark's jars, of which a session loads some ten thousand, are taken for what compilers made.
UNVERIFIED = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
# A Java that lives for seconds earns back neither its second compiler nor threads that collect garbage.
QUICK = f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {UNVERIFIED}"


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """The URL of a cluster that keeps its files in ``folder``, all of whose processes end with the block."""
    with ExitStack() as stack:
        log = stack.enter_context(_daemon("master.Master", folder / "master.log"))
        master = _wait(log, r"Starting Spark master at (\S+)")
        workers = [
            stack.enter_context(
                _daemon(
                    "worker.Worker", folder / f"worker{number}.log",
                    "--cores", "2", "--memory", "2g", "--work-dir", str(folder / f"work{number}"), master,
                )
            )
            for number in (1, 2)
        ]  # fmt: skip
        for worker in workers:
            _wait(worker, r"(Successfully registered with master)")
        yield master


def environment() -> dict[str, str]:
    """What programs of Spark need to run on this machine with the Java and Python of these tests."""
    ours = {"JAVA_HOME": java_home(), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    return {**os.environ, **ours, "SPARK_DAEMON_JAVA_OPTS": QUICK, "SPARK_LAUNCHER_OPTS": QUICK}


def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command of this environment with what it says."""
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=180, **options)


def answer(done: subprocess.CompletedProcess[str]) -> tuple[dict[str, str], list[list[str]]]:
    """What a job says of its session and of where its functions ran."""
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    return said["told"], said["ran"]


@contextmanager
def _daemon(name: str, log: Path, *arguments: str) -> Iterator[Path]:
    """One process of the cluster, on ports that are free, and what it writes."""
    command = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
    command += ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0", *arguments]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, env=environment()) as process:
        try:
            yield log
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(log: Path, pattern: str) -> str:
    """What a log says, once it does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := re.search(pattern, log.read_text(encoding="utf-8")):
            return found[1]
        time.sleep(0.1)
    raise TimeoutError(f"{log} does not say {pattern}:\n{log.read_text(encoding='utf-8')}")
