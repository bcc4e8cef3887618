"""What reading one statement needs and collects: names, dictionary, places, blocks made, what was not resolved.

Everything that walks over a tree is given a `Work`, and a scope that has one. It lives as long as its statement; what
goes on from one statement to the next (`Dictionary`, `Identifiers`, `Telling`) it only refers to. The `Building`s it
collects live longer: until the last statement is read others may ask them for columns.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from mdw.model.fixed import fixed
from mdw.model.query import Output, Query, Read, RoutinePlace
from mdw.model.tree import Location, Node
from mdw.readers.nodes import both, compared, not_deep, opaque, shallow, word
from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.naming import Identifiers, Schemas, fresh, joined
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.shapes import Dictionary, Fields, Shape
from mdw.readers.sql.variables import GivenValue, Held, Variables

if TYPE_CHECKING:
    from mdw.readers.sql.frames import Frame
    from mdw.readers.sql.outcomes import Outcome
    from mdw.readers.sql.programs.states import ProgramState
    from mdw.readers.sql.scopes import SelectScope, Star
    from mdw.readers.sql.telling import Telling


class Places:
    """Offsets in a text -> file, line and column."""

    def __init__(self, text: str, file: str, line: int = 1, column: int = 1) -> None:
        self.file = file
        self._starts = [0]
        self._starts += [found.end() for found in re.finditer("\n", text)]
        self._line, self._column = line, column
        self._met: dict[int, Location] = {}

    def at(self, offset: int) -> Location:
        """The place of an offset.

        >>> Places("a\\nbc", "f.sql").at(3)
        Location(file='f.sql', line=2, column=2)
        """
        found = self._met.get(offset)
        if found is None:
            row = bisect_right(self._starts, offset) - 1
            column = offset - self._starts[row] + (self._column if row == 0 else 1)
            found = self._met[offset] = Location(self.file, row + self._line, column)
        return found


class Building:
    """A block as it is made. Others may ask for columns until all statements are read (see `Shape`)."""

    def __init__(self, target: str, *, inner: bool = False, location: Location | None = None) -> None:
        self.target, self.inner, self.location = target, inner, location
        self.change = "POPULATING"
        self.reads: list[Read] = []
        self.outputs: list[Output] = []
        self.named: dict[str, Output] = {}
        self.stars: list[Star] = []
        self.where: list[Node] = []
        # The roles in which it reads what variables hold, by entity.
        self.variables: dict[str, str] = {}
        self.group: list[Node] | None = None
        # ``sets``: ROLLUP and the like. ``others``: what becomes of columns it does not name.
        self.sets = self.name = self.others = self.dialect = ""
        # Whether one of its grouping sets is of no keys: its row is there where no rows are.
        self.total = False
        self.having: list[Node] = []
        self.qualify: list[Node] = []
        self.distinct: list[Node] | None = None
        self.order: list[Node] = []
        # What leaves some of the rows out that meet all the rest: LIMIT, OFFSET, samples, arrays without elements.
        self.limits: list[Node] = []
        # Whether its expressions may be nested deeper than the language allows.
        self.deep = False
        # Whether it may divide integers, which loses the remainder.
        self.divides = False
        # Whether it may count with floating numbers, which are rounded.
        self.counts = False
        # Correlated parts of a WHERE, which the query around joins by.
        self.apart: list[Node] | None = None
        self.supplied: Callable[[str], Node] | None = None
        self.written: Callable[[str], str] = str
        # Of a branch of a UNION: the first one, where that has a star, so that nobody knows what is called as there.
        self.first: Building | None = None
        # The place of the routine it is of, where nothing in the script calls that.
        self.owner = -1
        self.columns: dict[str, str] = {}
        # Those of columns that are structs, or arrays of such.
        self.fields: dict[str, Fields] = {}
        # What the second column of a name is called, where the database gives it a name of its own: k_1 (DuckDB).
        self.numbered: Callable[[str, Iterable[str]], str] | None = None
        # Of a change: the relations it reads, of which what it gives back may speak.
        self.scope: SelectScope | None = None
        # Of a change of a query's rows: what its columns are made of.
        self.through: Callable[[str], Node] | None = None

    def output(self, name: str, value: Node, location: Location | None = None) -> None:
        """Give one more column; of two with the same name the second gets a number, as databases do it."""
        shown = name
        if name in self.named:
            name = (self.numbered or fresh)(name, self.named)
            shown = name if self.numbered else shown
        one = Output(name, value, location)
        self.outputs.append(one)
        self.named[name] = one
        self.columns[name] = shown

    def replace(self, name: str, value: Node) -> None:
        """Give another value in a column."""
        at = next(number for number, one in enumerate(self.outputs) if one.name == name)
        self.outputs[at] = self.named[name] = self.outputs[at]._replace(value=value)

    def read_as(self, row: str) -> str:
        """The entity that it reads as a row of this name; "" if it reads none."""
        for one in self.reads:
            if (one.role or one.entity) == row:
                return one.entity
        return ""

    def may_supply(self, name: str) -> bool:
        """Whether a star of the block, or of the one that names its columns, may stand for the column."""
        if self.first is not None:
            return self.first.may_supply(name)
        return any(star.may_give(name) for star in self.stars)

    def supply(self, name: str) -> None:
        """Pass a column on that a star stands for; where that is another block's, it may be any of this one's."""
        if name not in self.named and self.first is not None and self.may_supply(name):
            self.output(name, opaque("*", [one.value for one in self.outputs], self.location), self.location)
        elif name not in self.named and self.supplied and self.may_supply(name):
            self.output(name, self.supplied(name), self.stars[0].location)

    def _flatten(self) -> None:
        """Put what is nested too deep for the language in the words of all that it mentions."""
        self.outputs = [Output(one.name, shallow(one.value), one.location) for one in self.outputs]
        self.named = {one.name: one for one in self.outputs}
        for nodes in (self.where, self.having, self.qualify):
            nodes[:] = [one if not_deep(one) else compared("IS TRUE", shallow(one)) for one in nodes]
        for nodes in (self.order, self.limits, self.group or []):
            nodes[:] = [shallow(one) for one in nodes]

    def _again(self, one: Output) -> bool:
        """Whether a column only repeats another of its name."""
        shown = self.columns.get(one.name, one.name)
        return shown != one.name and self.named[shown].value == one.value

    def query(self) -> Query:
        """The block as a value, when nobody asks it for columns any more."""
        written = self.written
        if self.deep:
            self._flatten()
        outputs = [Output(written(one.name), one.value, one.location) for one in self.outputs if not self._again(one)]
        reads = [Read(written(one.entity), written(one.role), one.join, one.on, one.location) for one in self.reads]
        return Query(
            written(self.target),
            tuple(reads),
            tuple(outputs),
            change=self.change,  # type: ignore[arg-type]
            inner=self.inner,
            where=both(self.where) if self.where else None,
            group=None if self.group is None else tuple(self.group),
            sets=self.sets,
            having=both(self.having) if self.having else None,
            qualify=both(self.qualify) if self.qualify else None,
            distinct=None if self.distinct is None else tuple(self.distinct),
            order=tuple(self.order),
            limits=tuple(dict.fromkeys(self.limits)),
            others=self.others,
            name=self.name,
            dialect=self.dialect,
            location=self.location,
        )


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
        self.flavour, self.naming, self.dictionary, self.places = flavour, naming, dictionary, places
        self.label, self.schemas = label, schemas
        self.telling: Telling
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
        # The entity of the rows that a function of the script gives.
        self.rows_of: Callable[[str, Sequence[Node], ScriptPiece], str] = lambda *_: ""
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
