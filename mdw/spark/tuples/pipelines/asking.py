"""The rows of an output that are asked for: not none, and not too many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from mdw.model.errors import QuestionError
from mdw.spark.run.failures import cause
from mdw.spark.tuples.pipelines.functions import frame_of, table_of

_WORDS = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\w+|.", re.DOTALL)


def asked_rows(frame: DataFrame, name: str, condition: str, most: int) -> tuple[DataFrame, int]:
    """The rows of a frame that meet a condition, in hand, and how many they are.

    QuestionError if none does, or more different ones than ``most``.
    """
    try:
        rows = frame.where(condition)
        found = table_of(rows.limit(most + 1))
        if found.num_rows > most:
            rows = rows.distinct()
            found = table_of(rows.limit(most + 1))
    except PySparkException as error:
        raise QuestionError(f"the condition {condition!r} cannot be asked of {name}: {cause(error)}") from error
    if not found.num_rows:
        raise QuestionError(f"no row of {name} where {condition}{_failing(frame, condition)}", missing=True)
    if found.num_rows > most:
        count = rows.count()
        raise QuestionError(f"{count:,} rows of {name} where {condition}, more than {most:,}: ask for fewer")
    return frame_of(frame.sparkSession, found, frame.schema), found.num_rows


def _failing(frame: DataFrame, condition: str) -> str:
    """Which part of a condition no row meets."""
    parts = list(conjuncts(condition))
    if len(parts) < 2:
        return ""
    failing = [part for part in parts if frame.where(part).isEmpty()]
    return f": none meets {' nor '.join(failing)}" if failing else ": each part is met, but by different rows"


def conjuncts(condition: str) -> Iterator[str]:
    """The parts of a condition that AND joins.

    >>> list(conjuncts("a = 'x and y' AND b BETWEEN 1 AND 2 and (c or d and e)"))
    ["a = 'x and y'", 'b BETWEEN 1 AND 2', '(c or d and e)']
    """
    part, depth, between = "", 0, False
    if re.search(r"\b(or|case)\b", re.sub(r"\(.*\)", "", condition), re.IGNORECASE):
        yield condition
        return
    for word in _WORDS.findall(condition):
        depth += (word == "(") - (word == ")")
        if word.upper() == "AND" and not depth and not between:
            yield part.strip()
            part = ""
            continue
        between = word.upper() == "BETWEEN" if word.upper() in ("BETWEEN", "AND") and not depth else between
        part += word
    yield part.strip()
