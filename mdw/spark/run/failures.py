"""What Spark says when something fails, in one line.

>>> cause(Exception("job aborted\\n  at x.Y.z(Y.java:1)\\nCaused by: java.lang.OutOfMemoryError: Java heap space"))
'java.lang.OutOfMemoryError: Java heap space'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from mdw.model.errors import SparkError

FAILURES = (PySparkException, Py4JError)
_RAISED = re.compile(r"[\s:]*(?:Caused by: )?((?:\w+\.)*\w*(?:Error|Exception|Exit)\b: .*)")


@contextmanager
def giving_up() -> Iterator[None]:
    """A job that fails: SparkError with the reason."""
    try:
        yield
    except FAILURES as error:
        raise SparkError(f"Spark could not finish: {cause(error)}") from error


def cause(error: Exception) -> str:
    """The line that says why: the last cause that a traceback of Python or Java names, else the first line."""
    lines = str(error).splitlines()
    raised = [found[1] for line in lines if (found := _RAISED.match(line))]
    return raised[-1] if raised else next((line.strip() for line in lines if line.strip()), type(error).__name__)
