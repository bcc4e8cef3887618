"""A Spark session for as long as a `with` block lasts: one that is there already, or one started here and ended here.

    from mdw.spark.session import session

    with session() as spark:
        spark.sql("SELECT 1").show()

It starts by pip alone, under `spark-submit`, and on a cluster:

    spark-submit job.py
    spark-submit --master spark://127.0.0.1:7077 job.py

Executors run functions of mdw, so they need it importable: those of local masters and of a cluster on this machine
share this Python. For others ship an environment (`--archives environment.tar.gz#environment` with PYSPARK_PYTHON set
to `./environment/bin/python`) or, where the libraries are there already, mdw alone (`--py-files mdw.zip`).
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mdw.model.errors import SparkError
from mdw.processes import cores
from mdw.spark.run.java import java_home

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

MISSING = 'Spark is not installed: pip install "mdw[spark]" installs it and a Java to run it on'
PATIENCE = 30.0  # seconds for Java to end by itself
LOG = Path(__file__).with_name("log4j2.properties")
SUBMITTED = "PYSPARK_GATEWAY_PORT"  # set by spark-submit, which has started Java and chosen master and memory
NEAR = re.compile(r"local\b|spark://(127\.|localhost\b|\[::1\])")
SETTINGS = {
    "spark.app.name": "mdw",
    "spark.ui.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
# Java's first compiler alone: the heavy work is done in Python, and the second one costs more than it gains. With it
# Java keeps 48 MB for compiled code, a fifth of the usual; when they are full, as in long sessions, which compile code
# for every query, it compiles nothing any more. It is only taken as it is filled.
# Where it does not take itself for a server's, its collector of garbage is the plain one, which keeps no books at each
# write of a reference: tables are read in a tenth less CPU time. Named, it would contradict whoever names another one,
# and Java starts with one alone.
JAVA = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m "
    "-XX:+IgnoreUnrecognizedVMOptions -XX:+NeverActAsServerClassMachine",
}
SOCKET, LONGEST = len("/.00000000-0000-0000-0000-000000000000.sock"), 103
"""Bytes of the name of a socket that Spark makes in a folder, and those that the path of one may have."""
QUIET = {"spark.ui.showConsoleProgress": "false"}  # wanted before Java starts: the shell mode of pyspark says true
LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


@contextmanager
def session(
    master: str | None = None,
    *,
    existing: SparkSession | None = None,
    memory: str = "2g",
    settings: Mapping[str, str] | None = None,
) -> Iterator[SparkSession]:
    """The session to work in: ``existing``, else the active one, else a new one that ends with the block.

    ``master`` is a master URL (default: the cores of this machine, at most eight), ``memory`` what the driver's Java
    may take (``"2g"``), ``settings`` further Spark settings, which win over those made here. What `spark-submit` was
    told wins over all of them. SparkError where Spark or Java is missing, where Spark does not start, and where an
    active session runs on another master than the one asked for.
    """
    running = existing if existing is not None else _active(master)
    # A session of somebody else's is neither changed nor ended.
    if running is not None:
        yield running
        return
    told = dict(settings or {})
    if SUBMITTED not in os.environ:
        told = {"spark.master": master or f"local[{cores()}]", "spark.driver.memory": memory, **JAVA, **QUIET, **told}
    with (
        _quiet(),
        _sockets(told) as sockets,
        _gateway(told) as gateway,
        _start(_configuration(gateway, {**sockets, **told}), gateway) as started,
    ):
        yield started


def _active(master: str | None) -> SparkSession | None:
    """The session that is active in this process, whichever thread started it."""
    try:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SparkError(MISSING) from error
    # `SparkSession.getActiveSession` only knows this thread's; notebooks run cells in others.
    if SparkContext._active_spark_context is None:
        return None
    active = SparkSession.builder.getOrCreate()
    if master is None or SUBMITTED in os.environ:
        return active
    other = active.conf.get("spark.master")
    if other != master:
        raise SparkError(f"a Spark session on {other} is active; stop it first to have one on {master}")
    return active


@contextmanager
def _gateway(told: Mapping[str, str]) -> Iterator[JavaGateway]:
    """The door to this driver's Java process: the one there is, else a new one that ends with the block."""
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway

    # A Java that somebody else started may have been told how much memory to take: that cannot be changed any more.
    if SparkContext._gateway is not None:
        yield SparkContext._gateway
        return
    master = told.get("spark.master", "")
    with _environment(master):
        try:
            gateway = launch_gateway(SparkConf(loadDefaults=False).setAll(list(told.items())))
        except PySparkException as error:
            raise SparkError(
                f"Spark did not start on {master}: its Java process ended at once and says why above"
            ) from error
    try:
        yield gateway
    finally:
        _end(gateway)


@contextmanager
def _sockets(told: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Settings by which Java and Python on one machine talk by sockets in a folder that is nobody else's.

    By TCP each task first waits 40 ms until the other side says that it has what came so far (Nagle's algorithm).
    """
    if not told.get("spark.master", "").startswith("local") or not hasattr(socket, "AF_UNIX"):
        yield {}
        return
    with TemporaryDirectory(prefix="mdw", ignore_cleanup_errors=True) as folder:
        fits = len(os.fsencode(folder)) + SOCKET <= LONGEST
        name = "spark.python.unix.domain.socket"
        yield {f"{name}.enabled": "true", f"{name}.dir": folder} if fits else {}


def _configuration(gateway: JavaGateway, told: Mapping[str, str]) -> SparkConf:
    """What Java was told when it started, completed by what is asked for now and what mdw works with."""
    from pyspark import SparkConf

    conf = SparkConf(_jvm=gateway.jvm)
    if SUBMITTED not in os.environ:
        conf.setAll(list(told.items()))
    master = conf.get("spark.master", "")
    defaults = {**SETTINGS, **(LOOPBACK if NEAR.match(master) else {})}
    # Spark's usual 200 partitions are for clusters; here two for each core let a quick one take over from a slow one.
    if local := re.fullmatch(r"local(?:\[(\d+|\*)\])?", master):
        defaults["spark.sql.shuffle.partitions"] = str(2 * (cores() if local[1] == "*" else int(local[1] or 1)))
    for key, value in {**defaults, **told}.items():
        conf.setIfMissing(key, value)
    return conf


@contextmanager
def _start(conf: SparkConf, gateway: JavaGateway) -> Iterator[SparkSession]:
    """A session in that Java process, stopped after the block."""
    from py4j.protocol import Py4JJavaError
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    master = conf.get("spark.master", "")
    with _environment(master), _interruptible():
        try:
            context = SparkContext(conf=conf, gateway=gateway)
        except Py4JJavaError as error:
            said = str(error.java_exception.getMessage()).partition("\n")[0]
            raise SparkError(f"Spark did not start on {master}: {said}") from error
    started = SparkSession(context)
    try:
        yield started
    finally:
        started.stop()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Who is told of Ctrl-C stays who it was: pyspark would talk to Java then, in the middle of another talk.

    What runs there ends with the session.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Ctrl-C in a talk with Java, which is raised, is not logged besides, nor is what comes of it."""
    # The root's filters are asked of what is logged to it alone, as py4j logs Ctrl-C.
    loggers = [logging.getLogger(name) for name in ("", "py4j.clientserver", "py4j.java_gateway")]
    for one in loggers:
        one.addFilter(_is_told)
    try:
        yield
    finally:
        for one in loggers:
            one.removeFilter(_is_told)


def _is_told(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is None


@contextmanager
def _environment(master: str) -> Iterator[None]:
    """What Spark reads from the environment while it starts, put back afterwards; what is set already is kept."""
    wanted = {"PYSPARK_PYTHON": sys.executable, "LOG4J_CONFIGURATION_FILE": str(LOG)}
    if NEAR.match(master):
        wanted["SPARK_LOCAL_IP"] = "127.0.0.1"
    changed = {name: value for name, value in wanted.items() if name not in os.environ}
    if SUBMITTED not in os.environ:
        changed["JAVA_HOME"] = java_home()
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _end(gateway: JavaGateway) -> None:
    """End the Java process, unless spark-submit owns it; one that died leaves nothing in the way of the next."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    process = gateway.proc
    if process is None:
        return
    # pyspark keeps these for good; a Java that has ended would be taken for a running one by the next session.
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None
    gateway.shutdown()
    process.stdin.close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
