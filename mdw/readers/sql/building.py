"""A block of a query as it is made, column by column, until it becomes a `Query`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from mdw.model.query import Output, Query, Read
from mdw.model.tree import Location, Node
from mdw.readers.nodes import both, compared, not_deep, opaque, shallow
from mdw.readers.sql.naming import fresh
from mdw.readers.sql.shapes import Fields

if TYPE_CHECKING:
    from mdw.readers.sql.scopes import SelectScope, Star


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
        # Those of rows of loops that only tests on one of several ways have asked for: on another there may be none.
        self.perhaps: set[str] = set()
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
        # Whether it may compare values by order, and whether a COLLATE says by what collation some are compared.
        self.orders = self.collates = False
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
