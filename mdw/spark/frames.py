"""Results as DataFrames. Every column says in its comment what it holds: `frame.schema["source"].metadata`.

from mdw.spark import frames

frames.origins(spark, "origins").where("attribute = 'MART.REPORT.NAME'").show()
frames.part(spark, warehouse.lineage("MART.REPORT.NAME"), "golden").join(columns, "attribute").show()
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.results import Table
from mdw.model.errors import QuestionError, StoreError
from mdw.spark.lineage.origins import MANIFEST
from mdw.spark.lineage.spark_lineage import COUNTS, ORIGINS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ORIGIN = """
    attribute STRING COMMENT 'where values arrive',
    source STRING COMMENT 'where they come from; of a constant the attribute it is written for',
    kind STRING COMMENT 'golden, interrupted or constant',
    mapping STRING COMMENT 'the mapping that writes the constant',
    value STRING COMMENT 'the constant as the mapping language has it',
    location STRING COMMENT 'file:line:column of the constant',
    undecided BOOLEAN COMMENT 'whether this is an upper bound: values may come from there, rules do not decide it',
    unread BOOLEAN COMMENT 'whether statements that were not read may bring more: each has a row of the kind unread'
"""
COUNT = """
    attribute STRING COMMENT 'where values arrive',
    sources BIGINT COMMENT 'golden sources, interrupted attributes and constants that values come from',
    left_out BIGINT COMMENT 'those that steps lead from but rules contradict on every way',
    undecided BOOLEAN COMMENT 'whether sources is an upper bound'
"""
_END = """
    condition STRING COMMENT 'what a row must meet, in the mapping language; TRUE for nothing',
    sql STRING COMMENT 'the same as SQL over the entity',
    exact BOOLEAN COMMENT 'whether the condition is exact or an upper bound',
    at_least STRING COMMENT 'the lower bound of a condition that is not exact',
    witness MAP<STRING, STRING> COMMENT 'an example row'
"""
PARTS = {
    "golden": f"attribute STRING COMMENT 'the golden source', {_END}",
    "final": f"attribute STRING COMMENT 'the final target', {_END}",
    "constants": """
        mapping STRING COMMENT 'the mapping that writes it',
        target STRING COMMENT 'the attribute it is written for',
        value STRING COMMENT 'the constant as the mapping language has it',
        location STRING COMMENT 'file:line:column'
    """,
    "interrupted": "attribute STRING COMMENT 'an attribute no mapping fills though mappings fill its entity'",
    "unused": "attribute STRING COMMENT 'an attribute reached that no mapping reads though mappings read its entity'",
    "stopped": "attribute STRING COMMENT 'an attribute reached whose readers take none of these rows'",
    "indirect": """
        attribute STRING COMMENT 'what decides whether or which value arrives',
        subtype STRING COMMENT 'how: FILTER, JOIN, CONDITIONAL, GROUP_BY, WINDOW, SORT'
    """,
    "steps": """
        mapping STRING COMMENT 'the mapping that uses the source',
        source STRING COMMENT 'the attribute used',
        target STRING COMMENT 'the attribute filled',
        kind STRING COMMENT 'DIRECT or INDIRECT',
        subtype STRING COMMENT 'how values are used',
        condition STRING COMMENT 'the rule as written',
        location STRING COMMENT 'file:line:column'
    """,
    "dropped": """
        mapping STRING COMMENT 'the mapping that uses the source',
        source STRING COMMENT 'the attribute used',
        target STRING COMMENT 'the attribute filled',
        because ARRAY<STRUCT<mapping: STRING, condition: STRING, location: STRING>>
            COMMENT 'a smallest set of rules that keep every row from the step',
        groups ARRAY<STRUCT<
                rules: ARRAY<STRUCT<mapping: STRING, condition: STRING, location: STRING>>,
                chain: ARRAY<STRUCT<kind: STRING, mapping: STRING, text: STRING, location: STRING, attribute: STRING>>
            >> COMMENT 'contradictions among these rules; every way of the step holds one',
        complete BOOLEAN COMMENT 'whether every way of the step was looked at',
        dead_end BOOLEAN COMMENT 'whether rows could go on by the step, but none ever comes to it'
    """,
}
"""The parts of an answer that are tables, as its JSON has them."""


def origins(spark: SparkSession, folder: str | Path) -> DataFrame:
    """The sources of all attributes from a folder that `Warehouse.spark_lineage` wrote: a row for each (`ORIGIN`)."""
    return spark.read.schema(ORIGIN).parquet(str(_known(folder) / ORIGINS))


def counts(spark: SparkSession, folder: str | Path) -> DataFrame:
    """How many sources each attribute has and how many rules leave out, from the same folder (`COUNT`)."""
    return spark.read.schema(COUNT).parquet(str(_known(folder) / f"{COUNTS}.parquet"))


def part(spark: SparkSession, answer: Lineage | Impact, name: str) -> DataFrame:
    """One part of an answer, ``golden`` or another of `PARTS`; QuestionError if the answer has no such part."""
    found = answer.to_dict()
    if name not in PARTS or name not in found:
        known = ", ".join(one for one in PARTS if one in found)
        raise QuestionError(f"the answer has no part {name}; it has {known}")
    rows: list[dict[str, Any]] = [_texts(row) if "witness" in row else row for row in found[name]]
    return spark.createDataFrame(rows, PARTS[name])


def _texts(end: dict[str, Any]) -> dict[str, Any]:
    """An end with the values of its example row as texts: a map of Spark holds values of one type."""
    return {**end, "witness": {name: None if value is None else str(value) for name, value in end["witness"].items()}}


def table(spark: SparkSession, found: Table) -> DataFrame:
    """What a SPARQL query found, every column as text."""
    # SPARQL's values have a type each, not a column: only text fits all of them.
    columns = ", ".join(f"`{name}` STRING" for name in found.columns)
    return spark.createDataFrame(list(found.rows), columns)


def _known(folder: str | Path) -> Path:
    found = Path(folder).absolute()
    if not (found / MANIFEST).exists():
        raise StoreError(f"{folder} holds no lineage of all attributes; mdw spark-lineage writes it")
    return found
