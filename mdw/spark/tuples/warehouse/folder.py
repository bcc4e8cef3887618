"""A folder with rows of entities: Parquet files, folders of parts, and CSV, each named after its entity (rule T37)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from mdw.model.errors import InputError, system_says
from mdw.model.name import letters
from mdw.spark.run.failures import FAILURES, cause

FORMS = (".parquet", ".csv")
Types = Callable[[str], Mapping[str, str]]
"""The types of Spark of an entity's columns, as far as somebody tells them."""


class Folder:
    """The rows of entities in a folder; each is opened when it is first asked for.

    InputError if there is no such folder, or it cannot be read.
    """

    def __init__(self, spark: SparkSession, path: Path, types: Types) -> None:
        self._spark = spark
        self._types = types
        try:
            self._found = {letters(one.stem): one for one in sorted(path.iterdir()) if one.suffix.lower() in FORMS}
        except OSError as error:
            raise InputError(f"cannot read {path}: {system_says(error)}") from error

    def __contains__(self, entity: str) -> bool:
        return letters(entity) in self._found

    def frame(self, entity: str) -> DataFrame:
        """The rows of an entity that is there; InputError if Spark cannot read them."""
        path = self._found[letters(entity)]
        try:
            if path.suffix.lower() == ".parquet":
                return self._spark.read.parquet(str(path))
            return self._typed(self._spark.read.csv(str(path), header=True, mode="FAILFAST"), entity)
        except FAILURES as error:
            raise InputError(f"cannot read {path}: {cause(error)}") from error

    def _typed(self, frame: DataFrame, entity: str) -> DataFrame:
        """Columns of text as the dictionary has them; of others nobody knows what their texts mean."""
        types = {letters(name): type_ for name, type_ in self._types(entity).items()}
        columns = []
        for name in frame.columns:
            column = f.col(f"`{name.replace('`', '``')}`")
            type_ = types.get(letters(name), "")
            columns.append(column.cast(type_).alias(name) if type_ and _known(type_) else column)
        return frame.select(*columns)


def _known(type_: str) -> bool:
    try:
        f.lit(None).cast(type_)
    except (PySparkException, ValueError):
        return False
    return True
