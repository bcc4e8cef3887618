"""Rows traced through a warehouse: question, data, entity by entity backwards, without mappings that cannot count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mdw.language.mapping import read_condition
from mdw.language.questions import When, entity_name, initial_condition, qualified, when_text
from mdw.language.wording import condition_text
from mdw.model.errors import InputError, QuestionError, did_you_mean, nearest
from mdw.model.name import canonical, entity_of, local_of, row_of
from mdw.model.tree import Node
from mdw.render.tree_values import TreeValues, bare
from mdw.stages import naming
from mdw.stages.excluding import excluded
from mdw.stages.queries import EntityQueries
from mdw.store import catalogue
from mdw.store.dictionary import StoredDictionary
from mdw.store.engine import Store
from mdw.tracing.queries import ColumnValues, NotRun

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mdw.spark.tuples.answer import Trace


@dataclass(frozen=True, slots=True)
class TraceAsked:
    """A question for rows as it comes; `Warehouse.trace` says what each part means."""

    entity: str
    when: When
    data: Path
    columns: tuple[str, ...] = ()
    max_rows: int = 100
    rerun: bool = False


def trace(store: Store, spark: SparkSession, asked: TraceAsked) -> Trace:
    """The rows of sources that the rows of an entity were made of which meet a condition."""
    from mdw.spark.tuples.warehouse.tracing import Mappings, RowsAsked, trace_rows

    entity = naming.entity_meant(store, entity_name(asked.entity))
    catalogue.about_entity(store, entity)  # QuestionError, with names near it, where nobody knows it
    filled = EntityQueries(store)
    columns = tuple(_column(store, entity, name) for name in asked.columns)
    when = when_text(asked.when)
    if not when.strip():
        raise QuestionError('which rows is not said: when is a condition, such as NAME = "Sony VAIO"')
    condition, parts = _parts(store, entity, when)

    def left(name: str, values: Mapping[str, ColumnValues]) -> Mapping[str, NotRun]:
        return excluded(store, filled.rules(name), values, filled.changed(name)) if filled.rules(name) else {}

    rows = RowsAsked(
        entity,
        when.strip(),
        tuple(_in_spark(one) for one in parts),
        tuple(map(_told, parts)),
        columns,
        asked.max_rows,
        asked.rerun,
    )
    before = excluded(store, filled.rules(entity), condition, filled.changed(entity)) if filled.rules(entity) else {}
    return trace_rows(spark, asked.data, rows, Mappings(filled, before, left, lambda name: _types(store, name)))


def _column(store: Store, entity: str, name: str) -> str:
    """A column of the asked entity, by its own name or its whole one."""
    attributes = catalogue.attributes_of(store, entity)
    if not name.strip():
        raise QuestionError("no column is named: write NAME[,NAME]")
    found = canonical(name.strip()) if "`" not in name else name.strip()
    local = local_of(found) if entity_of(found) == entity else found
    for one in attributes:
        if bare(local_of(one)).casefold() == bare(local).casefold():
            return bare(local_of(one))
    near = did_you_mean(nearest(local, [local_of(one) for one in attributes]))
    raise QuestionError(f"{entity} has no attribute {name.strip()}{near}", missing=True)


def _parts(store: Store, entity: str, when: str) -> tuple[str, list[Node]]:
    """The condition over the asked entity's attributes as it is known, and what of it must hold together."""
    initial_condition(when, f"{entity}.X")  # QuestionError, with its place, for what cannot be read
    tree = read_condition(qualified(when, entity), "when")
    names: dict[str, str] = {}
    for node in tree.walk():
        if node.role == "attribute":
            name = naming.meant(store, canonical(node.text), when)
            if entity_of(name) != entity:
                raise QuestionError(
                    f"the condition speaks of {name}: which rows of {entity} it says by their attributes"
                )
            names[node.text] = name
    known = _renamed(tree, names)
    return condition_text(known), list(_together(known))


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    if node.role == "attribute":
        return Node("attribute", names[node.text], (), node.location)
    return Node(node.role, node.content, tuple(_renamed(one, names) for one in node.children), node.location)


def _together(node: Node) -> Iterator[Node]:
    """The parts of a condition that AND joins."""
    if node.role == "condition":
        yield from _together(node.children[0])
    elif node.role == "conditioncomp" and node.children[0].role == "AND":
        for one in node.children[1:]:
            yield from _together(one)
    else:
        yield node


def _told(part: Node) -> str:
    """A part of the condition in words, names without their entity."""
    local = {one.text: local_of(one.text) for one in part.walk() if one.role == "attribute"}
    return condition_text(_renamed(part, local))


def _in_spark(part: Node) -> str:
    """A part of the condition in Spark's SQL, over columns of the entity."""
    names = {row_of(one.text): "" for one in part.walk() if one.role == "attribute"}
    try:
        text = TreeValues(names, str).test(part)
    except InputError as error:
        raise QuestionError(f"the condition cannot be asked of rows: {error.message}") from error
    return text.replace("{{", "{").replace("}}", "}")


def _types(store: Store, entity: str) -> Mapping[str, str]:
    """The types of columns in Spark's words, as far as the dictionary tells them."""
    from mdw.readers.sql.for_spark import spark_type

    entry = StoredDictionary(store).entity(entity)
    if entry is None:
        return {}
    told = {bare(one.name): spark_type(one.type, entry.dialect or "ansi") for one in entry.attributes if one.type}
    return {name: type_ for name, type_ in told.items() if type_}


__all__: Sequence[str] = ["TraceAsked", "trace"]
