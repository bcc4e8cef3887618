"""Results that are no answers about lineage: what was read, what a warehouse holds, what a request or a query found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mdw.model.answers.display import Shown
from mdw.model.answers.statements import SqlStatement
from mdw.model.answers.things import About, Hit, Neighbour
from mdw.model.dictionary import AttributeEntry, EntityEntry
from mdw.model.errors import BatchError, InputError
from mdw.model.files import SqlFile
from mdw.model.name import entity_of, local_of
from mdw.model.rules import Head
from mdw.model.tree import Location


@dataclass(frozen=True, slots=True)
class LoadReport(Shown):
    """What became of a load: mappings new, replaced and unchanged, the first errors of each file, seconds taken.

    Behind a file's first hundred errors one stands for the rest, whose ``count`` it has.

    ``statements`` are the quads of RDF files that belong to no mapping, ``sql`` the statements of files of SQL that
    were read, ``files`` all these files, ``notes`` what is to be said of them together; ``removed`` names the mappings
    that were taken out because their folder has them no more.
    """

    loaded: int
    replaced: int
    unchanged: int
    errors: tuple[InputError, ...]
    seconds: float
    statements: int = 0
    sql: tuple[SqlStatement, ...] = ()
    files: tuple[SqlFile, ...] = ()
    notes: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def mappings(self) -> int:
        """How many mappings of the input the warehouse holds after the load."""
        return self.loaded + self.replaced + self.unchanged

    def raise_for_errors(self) -> LoadReport:
        """The report itself, or BatchError if anything could not be read."""
        if self.errors:
            raise BatchError(self.errors)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON-ready values."""
        counts: dict[str, Any] = {"loaded": self.loaded, "replaced": self.replaced, "unchanged": self.unchanged}
        counts |= {"statements": self.statements}
        errors = [error_dict(error) for error in self.errors]
        counts |= {"sql": [one.to_dict() for one in self.sql], "files": [one.to_dict() for one in self.files]}
        counts |= {"notes": list(self.notes), "removed": list(self.removed)}
        return counts | {"errors": errors, "seconds": round(self.seconds, 3)}


@dataclass(frozen=True, slots=True)
class CheckReport(Shown):
    """How many mappings could be read, every error, and what became of each statement and file of SQL."""

    mappings: int
    errors: tuple[InputError, ...]
    sql: tuple[SqlStatement, ...] = ()
    files: tuple[SqlFile, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON-ready values."""
        errors = [error_dict(error) for error in self.errors]
        found: dict[str, Any] = {"mappings": self.mappings, "sql": [one.to_dict() for one in self.sql]}
        found |= {"files": [one.to_dict() for one in self.files], "notes": list(self.notes)}
        return found | {"errors": errors}


@dataclass(frozen=True, slots=True)
class MappingInfo:
    """A mapping the warehouse holds: its ends, the entities joined, and where it was read."""

    name: str
    target: str
    driving: str
    joined: tuple[str, ...]
    file: str
    line: int

    @classmethod
    def of(cls, head: Head) -> MappingInfo:
        """What a mapping's head says of it."""
        joined = tuple(join.entity for join in head.joins)
        return cls(head.mapping, head.target, head.driving, joined, head.file, head.line)

    def __str__(self) -> str:
        return f"{self.name}: {self.target} from {', '.join((self.driving, *self.joined))} ({self.file}:{self.line})"

    def to_dict(self) -> dict[str, Any]:
        """The mapping as plain JSON-ready values."""
        ends = {"name": self.name, "target": self.target, "driving": self.driving, "joined": list(self.joined)}
        return ends | {"file": self.file, "line": self.line}


@dataclass(frozen=True, slots=True)
class Match:
    """A node a request found: its pre-order number in its mapping and its semantic context.

    ``related`` holds, for a request with a projection, the numbers of the selected nodes it belongs to.
    """

    mapping: str
    number: int
    role: str
    content: str
    # The same place twice: the number is what requests and figures use, the path is what people can read.
    context: int
    path: str
    location: Location | None
    related: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The match as plain JSON-ready values."""
        found: dict[str, Any] = {"mapping": self.mapping, "node": self.number, "role": self.role}
        found |= {"content": self.content, "context": self.context, "path": self.path}
        found["location"] = str(self.location) if self.location else ""
        return found | ({"related": list(self.related)} if self.related else {})


@dataclass(frozen=True, slots=True)
class Matches(Shown):
    """The nodes a request found, in order of mapping and node."""

    request: str
    matches: tuple[Match, ...]

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def to_dict(self) -> dict[str, Any]:
        """The matches as plain JSON-ready values."""
        return {"request": self.request, "matches": [match.to_dict() for match in self.matches]}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A leaf of the meta tree that a request looks at, by id, type and path, and the content wanted; None: any."""

    id: int
    type: str
    path: str
    content: str | None

    def to_dict(self) -> dict[str, Any]:
        """The leaf as plain JSON-ready values."""
        return {"id": self.id, "type": self.type, "path": self.path, "content": self.content}


@dataclass(frozen=True, slots=True)
class Parameters(Shown):
    """The meta leaves that requests look at, in order of the requests and of the meta tree."""

    requests: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def to_dict(self) -> dict[str, Any]:
        """The leaves as plain JSON-ready values."""
        return {"requests": list(self.requests), "parameters": [one.to_dict() for one in self.parameters]}


@dataclass(frozen=True, slots=True)
class Attribute(Shown):
    """An attribute: its business terms, the mappings that fill it, and its steps at first hand.

    A term is its label and its meaning. "At first hand": one mapping away, not the whole lineage or impact.
    ``entry`` is what the data dictionary tells of its entity, None if nothing.
    """

    name: str
    terms: tuple[tuple[str, str], ...]
    mappings: tuple[str, ...]
    fed_by: tuple[Neighbour, ...]
    feeds: tuple[Neighbour, ...]
    entry: EntityEntry | None = None

    @property
    def told(self) -> AttributeEntry | None:
        """What the data dictionary tells of the attribute: its type, description and so on."""
        return self.entry.attribute(local_of(self.name)) if self.entry else None

    @classmethod
    def of(cls, about: About) -> Attribute:
        """What navigation says of it."""
        # An attribute that a mapping copies into itself stands on both sides.
        into = tuple(step for step in about.steps if step.target == about.name)
        onward = tuple(step for step in about.steps if step.source == about.name)
        return cls(about.name, about.terms, about.fills, into, onward, about.entry)

    def to_dict(self) -> dict[str, Any]:
        """The attribute as plain JSON-ready values."""
        found: dict[str, Any] = {"name": self.name, "entity": entity_of(self.name), "terms": _terms(self.terms)}
        found["told"] = self.entry.place(told.name) | told.to_dict() if self.entry and (told := self.told) else {}
        found["mappings"] = list(self.mappings)
        found["fed_by"] = [{"attribute": step.source, "mapping": step.mapping, "how": step.how} for step in self.fed_by]
        return found | {
            "feeds": [{"attribute": step.target, "mapping": step.mapping, "how": step.how} for step in self.feeds]
        }


@dataclass(frozen=True, slots=True)
class Entity(Shown):
    """An entity: its business terms, its attributes, the mappings that fill it and those that read it.

    ``entry`` is what the data dictionary tells of it, None if nothing; attributes it lists come first, in its order.
    """

    name: str
    terms: tuple[tuple[str, str], ...]
    attributes: tuple[str, ...]
    filled_by: tuple[str, ...]
    read_by: tuple[str, ...]
    entry: EntityEntry | None = None

    @classmethod
    def of(cls, about: About) -> Entity:
        """What navigation says of it."""
        return cls(about.name, about.terms, about.attributes, about.fills, about.reads, about.entry)

    def to_dict(self) -> dict[str, Any]:
        """The entity as plain JSON-ready values."""
        found: dict[str, Any] = {"name": self.name, "terms": _terms(self.terms), "attributes": list(self.attributes)}
        found["told"] = self.entry.to_dict() if self.entry else {}
        return found | {"filled_by": list(self.filled_by), "read_by": list(self.read_by)}


def _terms(terms: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"label": label, "meaning": meaning} for label, meaning in terms]


@dataclass(frozen=True, slots=True)
class Hits(Shown):
    """What a search found, best first."""

    text: str
    hits: tuple[Hit, ...]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def to_dict(self) -> dict[str, Any]:
        """The hits as plain JSON-ready values."""
        return {"text": self.text, "hits": [hit.to_dict() for hit in self.hits]}


@dataclass(frozen=True, slots=True)
class Table(Shown):
    """Rows a SPARQL query found; IRIs and literals as text, None where a variable is unbound."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]

    def __iter__(self) -> Iterator[tuple[str | None, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The table as plain JSON-ready values."""
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows]}


def error_dict(error: InputError) -> dict[str, Any]:
    """An error as plain JSON-ready values."""
    at = error.location
    place: dict[str, Any] = {"location": str(at) if at else "", "file": at.file if at else ""}
    place |= {"line": at.line if at else None, "column": at.column if at else None}
    said = {"message": error.message, **place, "expected": list(error.expected), "hint": error.hint}
    return {**said, "count": error.count}


def query_result(text: str) -> Table | bool | str:
    """What a query found, from its text: SPARQL's JSON as a value, anything else as it is.

    >>> query_result('{"head": {"vars": ["a", "b"]}, "results": {"bindings": [{"a": {"value": "x"}}]}}').rows
    (('x', None),)
    """
    # Turtle, CSV and TSV never begin with a brace, and SPARQL's JSON always does.
    if not text.startswith("{"):
        return text
    found = json.loads(text)
    if "boolean" in found:
        return bool(found["boolean"])
    columns = tuple(found["head"]["vars"])
    bindings = found["results"]["bindings"]
    return Table(
        columns, tuple(tuple(row[name]["value"] if name in row else None for name in columns) for row in bindings)
    )
