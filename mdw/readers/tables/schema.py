"""The tables: their columns, keys and references, and the facts that each row states about its mapping.

One declaration for every engine that writes or reads the tables; `data/tables.md` shows it to people.

A fact is one node of a parse tree: ``Fact(HEAD, "=targetentity", "target_entity_id", "target_written",
"target_place")`` says that each row of entity_mapping states a node of the role targetentity, whose identifier,
spelling and place stand in those three columns. A role after an equals sign is the same in every row; any other is a
column that holds the role.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Type = Literal["text", "integer"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``optional`` ones may be NULL or missing, ``refers`` names the table whose key it holds."""

    name: str
    meaning: str
    type: Type = "text"
    optional: bool = False
    refers: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """A value that is the same in every row."""

    value: str | int | None


@dataclass(frozen=True, slots=True)
class Fact:
    """What a row says about its mapping: a node of the parse tree, by the columns that hold its parts ("" for none)."""

    part: int
    role: str = ""
    name: str = ""
    content: str = ""
    place: str = "place"
    population: str = ""
    clause: str = ""
    component: str = ""

    def stated(self) -> Mapping[str, str | Given]:
        """For every column of FACT but the last the column of the table that holds it, or what it is in every row."""
        inner = bool(self.component)
        role = Given(self.role[1:]) if self.role.startswith("=") else self.role
        numbers = {
            "population": self.population,
            "clause": self.clause,
            "component": self.component,
            "parent": "parent_id" if inner else "",
            "ordinal": "ordinal" if inner else "",
        }
        texts = {"name": self.name, "content": self.content, "place": self.place}
        return {
            "mapping_id": "mapping_id",
            "part": Given(self.part),
            **{name: column or Given(0) for name, column in numbers.items()},
            "role": role,
            **{name: column or Given(None) for name, column in texts.items()},
        }


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table: its columns, how many of the first ones are the key, its facts, and whose rows its rows are parts of.

    A part has the whole's key in its own first columns. An ``optional`` table may be missing: then it has no rows.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    key: int
    facts: tuple[Fact, ...] = field(default=())
    part_of: str = ""
    optional: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns of the key."""
        return tuple(column.name for column in self.columns[: self.key])

    def column(self, name: str) -> Column:
        """The column of that name."""
        return next(column for column in self.columns if column.name == name)


# The kinds of facts, in the order in which a tree is made of them.
HEAD, POPULATION, WITH, EXPRESSION, CONDITION, FILTER, NAVIGATION, USING, JOIN, CLAUSE, COMPONENT = range(11)

_MAPPING = Column("mapping_id", "the mapping's name", refers="entity_mapping")
_PLACE = Column("place", "line:column in the mapping's file", optional=True)


def _number(name: str, meaning: str, *, optional: bool = False) -> Column:
    return Column(name, meaning, "integer", optional)


def _attribute(name: str = "attribute_id", meaning: str = "the attribute", *, optional: bool = False) -> Column:
    return Column(name, meaning, optional=optional, refers="attribute")


def _written(name: str = "written", what: str = "the name") -> Column:
    return Column(name, f"{what} as it was written, if otherwise than the identifier", optional=True)


_COMPONENT = (
    _number("component_id", "number of the component within its clause, from 1"),
    _number("parent_id", "the component it is an operand or argument of; NULL for the topmost", optional=True),
    _number("ordinal", "its place among the components of the same parent, from 1"),
    Column("role", "rule of the grammar, for an operator the operator itself"),
    _attribute(meaning="the attribute, where the role is attribute", optional=True),
    Column("content", "a constant, operator or attribute as written; NULL above them", optional=True),
    _PLACE,
)


def _components(part: int, population: str = "population_id", clause: str = "with_id") -> tuple[Fact, ...]:
    numbers = {"population": population, "clause": clause, "component": "component_id"}
    return (Fact(part, "role", "attribute_id", "content", **numbers),)


TABLES: tuple[TableSchema, ...] = (
    TableSchema("entity", "tables, views, files: whatever rows are taken from or written to", (
        Column("entity_id", "the qualified name: upper case, other spellings in back quotes"),
        Column("name", "the last part of the name"),
    ), 1),
    TableSchema("attribute", "columns and fields of entities", (
        Column("attribute_id", "the qualified name, that of the entity first"),
        Column("entity_id", "its entity", refers="entity"),
        Column("name", "its own name within the entity"),
    ), 1),
    TableSchema("entity_mapping", "one mapping: rows of the target entity made from rows of the driving entity", (
        Column("mapping_id", "the mapping's name"),
        Column("name", "its header as written; NULL for a mapping without one", optional=True),
        Column("name_place", "line:column of the header", optional=True),
        Column("target_entity_id", "the entity it populates", refers="entity"),
        _written("target_written"),
        Column("target_place", "line:column of the target entity", optional=True),
        Column("driving_entity_id", "the entity whose rows it starts from", refers="entity"),
        _written("driving_written"),
        Column("driving_place", "line:column of the driving entity", optional=True),
        Column("file", "the file it was read from", optional=True),
    ), 1, (
        Fact(HEAD, "=file", content="file", place=""),
        Fact(HEAD, "=name", content="name", place="name_place"),
        Fact(HEAD, "=targetentity", "target_entity_id", "target_written", "target_place"),
        Fact(HEAD, "=drivingentity", "driving_entity_id", "driving_written", "driving_place"),
    )),
    TableSchema("entity_attribute_population", "what fills one attribute of the target", (
        _MAPPING,
        _number("population_id", "number of the population within its mapping, from 1"),
        _attribute(meaning="the attribute it fills"),
        _written(),
        _PLACE,
    ), 2, (Fact(POPULATION, "=attribute", "attribute_id", "written", population="population_id"),), "entity_mapping"),
    TableSchema("with_clause",
        "one way of filling: WITH expression IF condition; the first whose condition is true counts", (
        _MAPPING,
        _number("population_id", "its population"),
        _number("with_id", "number of the clause within its population, from 1"),
        Column("expression", "the expression as text; for people, never read", optional=True),
        Column("condition", "the condition as text; for people, never read", optional=True),
    ), 3, (Fact(WITH, "=with", place="", population="population_id", clause="with_id"),),
        "entity_attribute_population"),
    TableSchema("expression_component", "the parts of the expression of a WITH, a tree", (
        _MAPPING,
        _number("population_id", "the population of its clause"),
        _number("with_id", "its clause"),
        *_COMPONENT,
    ), 4, _components(EXPRESSION), "with_clause"),
    TableSchema("condition_component", "the parts of the condition of a WITH or of a filter, a tree", (
        _MAPPING,
        _number("population_id", "the population of its clause; 0 for the filter"),
        _number("with_id", "its clause; 0 for the filter"),
        *_COMPONENT,
    ), 4, _components(CONDITION), "with_clause or filter"),
    TableSchema("filter", "mappings that take only rows for which a condition is true", (
        _MAPPING,
        Column("condition", "the condition as text; for people, never read", optional=True),
    ), 1, (Fact(FILTER, "=filter", place=""),), "entity_mapping"),
    TableSchema("navigation", "one entity whose rows are joined", (
        _MAPPING,
        _number("navigation_id", "number of the navigation among the navigations and joins of its mapping, from 1"),
        Column("from_entity_id", "the entity it starts from", refers="entity"),
        _written("from_written"),
        Column("from_place", "line:column of that entity", optional=True),
        Column("to_entity_id", "the entity it joins", refers="entity"),
        _written("to_written"),
        Column("to_place", "line:column of that entity", optional=True),
    ), 2, (
        Fact(NAVIGATION, "=fromentity", "from_entity_id", "from_written", "from_place", "navigation_id"),
        Fact(NAVIGATION, "=toentity", "to_entity_id", "to_written", "to_place", "navigation_id"),
    ), "entity_mapping"),
    TableSchema("using", "a pair of attributes by which rows are joined", (
        _MAPPING,
        _number("navigation_id", "its navigation"),
        _number("using_id", "number of the pair within its navigation, from 1"),
        _attribute("left_attribute_id", "the attribute left of ="),
        _written("left_written"),
        Column("left_place", "line:column of the left attribute", optional=True),
        _attribute("right_attribute_id", "the attribute right of ="),
        _written("right_written"),
        Column("right_place", "line:column of the right attribute", optional=True),
    ), 3, (
        Fact(USING, "=left", "left_attribute_id", "left_written", "left_place", "navigation_id", "using_id"),
        Fact(USING, "=right", "right_attribute_id", "right_written", "right_place", "navigation_id", "using_id"),
    ), "navigation"),
    TableSchema("join", "one entity whose rows are joined in some way of its own, maybe in a role", (
        _MAPPING,
        _number("clause_id", "number of the join among the navigations and joins of its mapping, from 1"),
        Column("kind", "LEFT JOIN, INNER JOIN, SEMI JOIN and so on"),
        Column("kind_place", "line:column of these words", optional=True),
        Column("entity_id", "the entity it joins", refers="entity"),
        _written("entity_written"),
        Column("entity_place", "line:column of that entity", optional=True),
        Column("role", "the role its rows are read in, as written; NULL for none", optional=True),
        Column("role_place", "line:column of the role", optional=True),
        Column("condition", "the condition as text; for people, never read", optional=True),
    ), 2, (
        Fact(JOIN, "=kind", content="kind", place="kind_place", population="clause_id"),
        Fact(JOIN, "=entity", "entity_id", "entity_written", "entity_place", "clause_id"),
        Fact(JOIN, "=role", content="role", place="role_place", population="clause_id"),
    ), "entity_mapping", optional=True),
    TableSchema("row_clause", "what else a mapping says of its rows: groups, order, dialect, whether it changes rows", (
        _MAPPING,
        _number("clause_id", "number of the clause within its mapping, behind those of navigations and joins"),
        Column("role", "rule of the grammar; UPDATING or DELETING; role is that of the driving entity"),
        Column("text", "the clause as text; for people, never read", optional=True),
    ), 2, (Fact(CLAUSE, "role", place="", population="clause_id"),), "entity_mapping", optional=True),
    TableSchema("row_component", "the parts of the condition of a join, or of another clause, a tree", (
        _MAPPING,
        _number("clause_id", "its join or clause"),
        *_COMPONENT,
    ), 3, _components(COMPONENT, "clause_id", ""), "join or row_clause", optional=True),
    TableSchema("dictionary_entity", "what the data dictionary tells of an entity", (
        Column("entity_id", "the entity", refers="entity"),
        _number("whole", "1 where all its attributes are listed, else 0"),
        Column("kind", "table, view, seed: what it is", optional=True),
        Column("description", "what it means", optional=True),
        Column("tags", "words by which people sort it, one on each line", optional=True),
        Column("file", "where it was told", optional=True),
        Column("dialect", "the SQL dialect of types, defaults and formulas", optional=True),
        Column("definition", "how much was read of what defines it: whole or partly", optional=True),
    ), 1, optional=True),
    TableSchema("dictionary_attribute", "what the data dictionary tells of an attribute", (
        _attribute(),
        Column("entity_id", "its entity", refers="dictionary_entity"),
        _number("position", "its place in the entity, from 1"),
        _number("key_position", "its place in the primary key, from 1; NULL where it is not in it", optional=True),
        Column("type", "its type, as the database writes it", optional=True),
        Column("default_value", "what INSERT writes where it leaves it out, as SQL", optional=True),
        Column("formula", "of what it is computed, as SQL", optional=True),
        _number("identity", "1 where the database counts its values, else 0"),
        _number("required", "1 where it is never NULL, else 0"),
        Column("description", "what it means", optional=True),
        Column("tags", "words by which people sort it, one on each line", optional=True),
        Column("label", "how it is spelled, if otherwise than the identifier", optional=True),
        Column("collation", "by which its texts are compared", optional=True),
        Column("filled_in", "where the database may fill it by itself: what is left out, or NULL too", optional=True),
    ), 1, optional=True),
    TableSchema("dictionary_reference", "a foreign key, a row for each of its attributes", (
        Column("entity_id", "the entity that refers", refers="dictionary_entity"),
        _number("reference_id", "number of the key within its entity"),
        _number("ordinal", "place of the attribute in the key, from 1"),
        _attribute(meaning="the attribute that refers"),
        Column("referred_entity_id", "the entity it refers to", refers="entity"),
        Column("referred_id", "the attribute it refers to, where it is told", optional=True),
    ), 3, optional=True),
)  # fmt: skip

BY_NAME: Mapping[str, TableSchema] = {table.name: table for table in TABLES}


def dangling(table: str) -> str:
    """What is said, after it, of an identifier that a table does not have."""
    return f" is not in the table {table}"


FACT: tuple[Column, ...] = (
    _MAPPING,
    _number("part", "the kind of fact"),
    _number("population", "population or navigation"),
    _number("clause", "clause or pair"),
    _number("component", "component"),
    _number("parent", "the component's parent, 0 for none"),
    _number("ordinal", "place among siblings"),
    Column("role", "role of the node"),
    Column("name", "identifier of the attribute or entity", optional=True),
    Column("content", "as written", optional=True),
    Column("place", "line:column", optional=True),
    Column("problem", "what is wrong with the row, if anything", optional=True),
)
ORDER = ("mapping_id", "part", "population", "clause", "component")
