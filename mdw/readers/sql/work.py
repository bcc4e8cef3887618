"""What reading one statement needs and collects: names, dictionary, places, blocks made, what was not resolved.

Everything that walks over a tree is given a `Work`, and a scope that has one. It lives as long as its statement; what
goes on from one statement to the next (`Dictionary`, `Identifiers`, `Telling`) it only refers to. The `Building`s it
collects live longer: until the last statement is read others may ask them for columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from mdw.model.fixed import fixed
from mdw.model.query import RoutinePlace
from mdw.model.tree import Location, Node
from mdw.readers.nodes import word
from mdw.readers.sql.building import Building
from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.naming import Identifiers, Schemas, fresh, joined
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.places import Places
from mdw.readers.sql.shapes import Dictionary, Shape
from mdw.readers.sql.variables import GivenValue, Held, Variables

if TYPE_CHECKING:
    from mdw.readers.sql.field_names import FieldNames
    from mdw.readers.sql.frames import Frame
    from mdw.readers.sql.outcomes import Outcome
    from mdw.readers.sql.programs.states import ProgramState
    from mdw.readers.sql.scopes import SelectScope
    from mdw.readers.sql.short_names import ShortNames
    from mdw.readers.sql.telling import Telling


@fixed
class Subquery:
    """A subquery, read: its entity, its columns as values, and by what the query around joins it.

    ``alone``: an aggregation without GROUP BY, which always gives a row; ``single``: one that is joined, where it may
    be missing though there is its row of nothing.
    """

    entity: str
    values: tuple[Node, ...]
    on: tuple[Node, ...] = ()
    alone: bool = False
    single: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """The parts of the walk over a tree that call one another: a query has expressions, an expression subqueries.

    They stand in modules that would import each other in circles; so a `Work` hands them round.
    """

    value: Callable[[exp.Expr, SelectScope], Node]
    test: Callable[[exp.Expr, SelectScope], Node]
    subquery: Callable[[exp.Expr, SelectScope, str], Subquery]
    query: Callable[[exp.Expr, Work, Frame], list[Building]]
    change: Callable[[exp.Expr, Work, Frame], list[Building]]


class Work:
    """The reading of one statement."""

    def __init__(
        self,
        walk: Walk,
        flavour: Flavour,
        naming: Identifiers,
        dictionary: Dictionary,
        places: Places,
        label: str,
        schemas: Schemas,
        piece: ScriptPiece,
    ) -> None:
        self.piece, self.text = piece, piece.text
        # The same with all words that are written there, of which the parser may have been given some alone.
        self.said = piece
        self.flavour, self.naming, self.dictionary, self.places = flavour, naming, dictionary, places
        self.label, self.schemas = label, schemas
        self.telling: Telling
        self.short_names: ShortNames
        self.fields: FieldNames
        self.blocks: list[Building] = []
        self.unresolved: dict[str, None] = {}
        # Attributes that only one of several relations can have, by what is known of the others.
        self.deduced: dict[str, None] = {}
        self.calls: dict[RoutinePlace, None] = {}
        self.read: dict[str, None] = {}
        self.notes: dict[str, None] = {}
        self.inner_names: set[str] = set()
        self.inner_entities: set[str] = set()
        # Those that are made without rows.
        self.empty: set[str] = set()
        # Those that stand for several files: a star of one is a star of files.
        self.of_files: dict[str, str] = {}
        self.temporary: dict[str, str] = {}
        # The entities of which the statement makes what another one makes again, and those that the script has used.
        self.fleeting: Collection[str] = ()
        self.used: Collection[str] = ()
        self.begin: Location | None = None
        self.value, self.test, self.subquery = walk.value, walk.test, walk.subquery
        self.query, self.change = walk.query, walk.change
        # The tables around a change within a query, and what such changes did.
        self.tables: Mapping[str, tuple[str, Shape]] = {}
        self.changes: list[Outcome] = []
        self.writes: dict[str, None] = {}
        # The entity of the rows that the statement gives back to variables, and the blocks that fill it.
        self.back = ""
        self.given_back: list[Building] = []
        # The entities that SELECTs which go nowhere make: one is called as the file is, others get numbers.
        self.results: set[str] = set()
        # What the variables of the program hold.
        self.variables: Variables = {}
        # Values of variables that may be others by now: a test that was made of one says nothing any more.
        self.passing: Collection[Held] = ()
        # The routine in whose body the statement is: its name may stand before those of its variables.
        self.routine = ""
        # Whether a name that is a column and a variable is the variable (rule Q28).
        self.variables_first = False
        # The value of a function that the script makes.
        self.inlined: Callable[[str, Sequence[GivenValue], SelectScope], Node | None] = lambda *_: None
        # The calls of functions that run when the statement is read, each with the state there is then.
        self.waiting: list[Callable[[ProgramState], None]] = []
        # Whether what is read now was read before: the functions that it calls ran then.
        self.again = False
        # Whether what is read now holds on one of several ways: on another its row of a loop may not be there.
        self.on_a_way = False
        # The entity of the rows that a function of the script gives.
        self.rows_of: Callable[[str, Sequence[Node], ScriptPiece], str] = lambda *_: ""
        # Which arguments are in the columns of such an entity, where all of that is known.
        self.used_arguments: Callable[[str, ScriptPiece], Mapping[str, frozenset[int]] | None] = lambda *_: None
        # How the names of tables begin that are read now, where these are another server's.
        self.server = ""
        self.own = word(label)
        self.roles = 0
        # Whether any name was looked for in a query around: only then may a block mention what it does not read.
        self.correlated = self.deep = False

    def values(self, several: Sequence[exp.Expr], scope: SelectScope) -> list[Node]:
        """The nodes of several expressions."""
        return [self.value(one, scope) for one in several]

    @contextmanager
    def with_variables(self, variables: Variables, *, first: bool) -> Iterator[None]:
        """For a while variables hold these, and go before columns of their name or not."""
        before = self.variables, self.variables_first
        self.variables, self.variables_first = variables, first
        try:
            yield
        finally:
            self.variables, self.variables_first = before

    @contextmanager
    def in_text(self, piece: ScriptPiece, places: Places, schemas: Schemas | None = None) -> Iterator[None]:
        """For a while what is read is another piece, in a text of its own."""
        before = self.piece, self.places, self.schemas
        self.piece, self.places, self.schemas = piece, places, schemas or self.schemas
        try:
            yield
        finally:
            self.piece, self.places, self.schemas = before

    @contextmanager
    def on(self, server: str) -> Iterator[None]:
        """For a while the tables that are read are those of another server."""
        before, self.server = self.server, server
        try:
            yield
        finally:
            self.server = before

    @contextmanager
    def looking_in(self, schemas: Schemas) -> Iterator[None]:
        """For a while names are looked for in other schemas."""
        before, self.schemas = self.schemas, schemas
        try:
            yield
        finally:
            self.schemas = before

    def far(self, entity: str) -> None:
        """An entity of another server is read."""
        self.notes[f"{self.naming.shown(entity)} lies on another server: nothing is known of how it is filled"] = None
        self.read[entity] = None

    def place(self, one: exp.Expr) -> Location | None:
        """Where an expression stands: its first word that sqlglot remembers the place of."""
        start = _start(one)
        first: Any = one
        # What stands first in most expressions is what they are of first: x in x + 1, and f(x) where f has no place.
        while start is None and isinstance(first := first.args.get("this"), exp.Expr):
            start = _start(first)
        # NULL and TRUE have nothing in them: sqlglot does not tell where they stand.
        if start is None and one.args:
            start = _start_within(one)
        return self.places.at(start) if start is not None else None

    def inner(self, hint: str) -> str:
        """A name for an entity that is local to this statement."""
        name = fresh(joined(word(self.label), hint).rpartition(".")[2] or "`query`", self.inner_names)
        self.inner_names.add(name)
        entity = joined(word(self.label), name)
        self.inner_entities.add(entity)
        return entity

    def dotted(self, names: Sequence[str]) -> list[str]:
        """Parts of a name with dots within one quoted part taken apart, where the dialect means that."""
        if self.flavour.name != "bigquery" or not any("." in name for name in names):
            return list(names)
        return [self.naming.known(part, quoted=True) for name in names for part in name.strip("`").split(".")]

    def result(self) -> str:
        """The entity that a SELECT makes which goes nowhere."""
        name = fresh(self.own, self.results)
        self.results.add(name)
        return name

    def role(self) -> str:
        """A role for a subquery that has no name."""
        self.roles += 1
        return f"`subquery {self.roles}`"

    def building(self, target: str, *, inner: bool, location: Location | None = None) -> Building:
        """A block, begun."""
        block = Building(target, inner=inner, location=location or self.begin)
        block.written, block.deep = self.naming.written, self.deep
        # The result of a SELECT that goes nowhere may have two columns of one name there.
        block.numbered = self._numbered if self.flavour.name == "duckdb" and target not in self.results else None
        self.blocks.append(block)
        return block

    def _numbered(self, name: str, taken: Iterable[str]) -> str:
        """DuckDB's name of the second column of a name, spelled like the first."""
        found = fresh(name, taken, "_")
        self.naming.known(f"{self.naming.shown(name)}_{found.rpartition('_')[2].strip('`')}", quoted=False)
        return found

    def unknown(self, name: str) -> None:
        """A column that could not be resolved, or only by assumption."""
        self.unresolved[name] = None

    def shape_of(self, blocks: Sequence[Building]) -> Shape:
        """The columns of what blocks make; the names are those of the first.

        Where that has a star, they are those of all: most people call columns alike in all branches.
        """
        starred = [block for block in blocks if block.stars]
        names = dict.fromkeys(name for block in blocks if block is blocks[0] or block.first for name in block.named)
        shape = Shape(names, complete=not starred)
        for block in starred:
            for name in names if len(blocks) > 1 else ():
                block.supply(name)
        shape.suppliers += starred + [block for block in blocks if block.first]
        shape.fields = dict(blocks[0].fields) if blocks else {}
        return shape


def _start_within(one: exp.Expr) -> int | None:
    """The first offset that sqlglot remembers of what is in an expression, in the order in which it is written."""
    pending = [one]
    while pending:
        part = pending.pop()
        if (start := _start(part)) is not None:
            return start
        for given in reversed(part.args.values()):
            if isinstance(given, exp.Expr):
                pending.append(given)
            elif type(given) is list:
                pending += [inner for inner in reversed(given) if isinstance(inner, exp.Expr)]
    return None


def _start(one: exp.Expr) -> int | None:
    """The offset that sqlglot remembers of an expression; of a column it does of each part."""
    if type(one) is exp.Column:
        given = one.args
        one = given.get("catalog") or given.get("db") or given.get("table") or given["this"]
    meta = one._meta
    start = meta.get("start") if meta else None
    # No text begins with a star: sqlglot makes one of its own for FROM w, which stands nowhere.
    return None if start == 0 and type(one) is exp.Star else start
