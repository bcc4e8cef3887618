"""The values the stages hand to one another: expressions, conditions and the rules of a mapping.

Attribute and entity names are canonical strings (see `mdw.name`). Everything here is frozen and hashable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["direct", "indirect"]
Subtype = Literal["IDENTITY", "TRANSFORMATION", "AGGREGATION", "CONDITIONAL", "FILTER", "JOIN", "GROUP_BY"]
Policy = Literal["carry", "open", "closed"]
JoinKind = Literal["left", "inner", "right", "full", "cross"]

DIRECT: tuple[Subtype, ...] = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


# -- expressions: what a WITH gives -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attr:
    """The value of an attribute, by canonical name ``ENTITY.ATTRIBUTE``."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A constant: a string, a number (canonical decimal text), a date (ISO text) or NULL (empty text)."""

    kind: Literal["string", "number", "date", "null"]
    text: str


@dataclass(frozen=True, slots=True)
class Compute:
    """Arithmetic, ``op`` one of + - * /."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Concat:
    """Strings put together with ||."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """SUM, AVG, MIN, MAX or COUNT over the rows of a group."""

    function: str
    argument: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A function known by name only: equal for equal arguments, otherwise free (SUBSTR is one)."""

    function: str
    arguments: tuple[Expression, ...]


Expression = Attr | Const | Compute | Concat | Aggregate | Call


# -- conditions: which rows pass ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compare:
    """``left op right``, op one of = != < <= > >=."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class In:
    """``subject IN (constants)``."""

    subject: Expression
    constants: tuple[Const, ...]


@dataclass(frozen=True, slots=True)
class Like:
    """``subject LIKE pattern``, % for any text and _ for one character."""

    subject: Expression
    pattern: str


@dataclass(frozen=True, slots=True)
class IsNull:
    """``subject IS NULL``."""

    subject: Expression


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts; without parts it is TRUE."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One of the parts; without parts it is FALSE."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part is false (three-valued: NOT of unknown is unknown)."""

    part: Condition


Condition = Compare | In | Like | IsNull | And | Or | Not
TRUE = And(())
FALSE = Or(())


# -- rules: what one mapping says -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """An attribute used by a clause (or by a whole mapping), and how."""

    attribute: str
    subtype: Subtype


@dataclass(frozen=True, slots=True)
class Clause:
    """One WITH: its expression, its IF (None: always) with canonical text, its place, the attributes it uses."""

    expression: Expression
    condition: Condition | None
    text: str
    line: int
    column: int
    sources: tuple[Source, ...]

    @property
    def constant(self) -> bool:
        """Whether the mapping itself writes the value: a constant, or something put together of constants only."""
        return not any(source.subtype in DIRECT for source in self.sources)


@dataclass(frozen=True, slots=True)
class Population:
    """What fills one target attribute in one mapping: the first clause whose condition is true, else NULL."""

    mapping: str
    target: str
    clauses: tuple[Clause, ...]

    @property
    def copied(self) -> str | None:
        """The attribute that it copies, if it does nothing else."""
        first = self.clauses[0]
        if len(self.clauses) == 1 and first.condition is None and isinstance(first.expression, Attr):
            return first.expression.name
        return None


@dataclass(frozen=True, slots=True)
class Join:
    """Rows of ``entity`` found by the attribute pairs ``on``: (attribute already in the row, attribute of entity)."""

    entity: str
    kind: JoinKind
    on: tuple[tuple[str, str], ...]
    line: int

    @property
    def text(self) -> str:
        """The pairs as a condition."""
        return " AND ".join(f"{left} = {right}" for left, right in self.on)


@dataclass(frozen=True, slots=True)
class Head:
    """What all populations of one mapping share: ends, joins, row filter, place, and what decides all its rows."""

    mapping: str
    target: str
    driving: str
    joins: tuple[Join, ...] = ()
    filter: Condition | None = None
    filter_text: str = ""
    filter_line: int = 0
    update: bool = False
    file: str = ""
    line: int = 1
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """One mapping as rules: its head and its populations. Derived from the tree, never written by hand."""

    head: Head
    populations: tuple[Population, ...]


Thing = Literal["term", "attribute", "entity", "mapping"]
THINGS: tuple[Thing, ...] = ("term", "attribute", "entity", "mapping")
"""What can be looked for."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found: its kind and name, a few words about it, and of a term the attributes that represent it."""

    kind: Thing
    name: str
    about: str = ""
    attributes: tuple[str, ...] = ()
    score: float = 0.0

    def to_dict(self) -> dict[str, object]:
        """The hit as plain JSON-ready values."""
        found: dict[str, object] = {
            "kind": self.kind,
            "name": self.name,
            "about": self.about,
            "score": round(self.score, 3),
        }
        return found | ({"attributes": list(self.attributes)} if self.kind == "term" else {})
