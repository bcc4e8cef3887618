"""Rows traced on Spark: the source rows that a row of a result was made of (`tracing.md`).

asking  -> trace, the question put to any DataFrame
derived -> what a plan tells: an annotated plan, and rows of its sources
answer  -> what a trace is
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdw.spark.tuples.answer import SourceTrace, Trace
    from mdw.spark.tuples.asking import trace

# Imported when first used: nothing here starts Java, but pyspark is heavy.
_HOME = {
    "SourceTrace": "mdw.spark.tuples.answer",
    "Trace": "mdw.spark.tuples.answer",
    "trace": "mdw.spark.tuples.asking",
}

__all__ = ["SourceTrace", "Trace", "trace"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(_HOME[name]), name)
