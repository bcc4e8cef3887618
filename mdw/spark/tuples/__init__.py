"""Rows traced on Spark: the source rows that a row of a result was made of (`tracing.md`).

asking    -> trace, the question put to any DataFrame
derived   -> what a plan tells: an annotated plan, and rows of its sources
pipelines -> functions with declared properties
answer    -> what a trace is
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdw.spark.tuples.answer import SourceTrace, Trace
    from mdw.spark.tuples.asking import trace
    from mdw.spark.tuples.pipelines.pipeline import Pipeline
    from mdw.spark.tuples.pipelines.transformation import Transformation
    from mdw.spark.tuples.pipelines.verifying import verify

# Imported when first used: nothing here starts Java, but pyspark is heavy.
_HOME = {
    "Pipeline": "mdw.spark.tuples.pipelines.pipeline",
    "SourceTrace": "mdw.spark.tuples.answer",
    "Trace": "mdw.spark.tuples.answer",
    "Transformation": "mdw.spark.tuples.pipelines.transformation",
    "trace": "mdw.spark.tuples.asking",
    "verify": "mdw.spark.tuples.pipelines.verifying",
}

__all__ = ["Pipeline", "SourceTrace", "Trace", "Transformation", "trace", "verify"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(_HOME[name]), name)
