"""Random mappings in which everything may stand that the mapping language can say.

`mappings` draws what hypothesis can make smaller; here a grammar of many rules is followed quickly, from a seed.
"""

from __future__ import annotations

from random import Random

from mappings import COMPARED, OPERATORS, PARTS, above, leaf

from mdw.model.name import canonical
from mdw.model.tree import Node

KINDS = ("INNER", "LEFT", "RIGHT", "FULL", "CROSS", "SEMI", "ANTI", "MARK")
MORE = ("IS TRUE", "IS NOT TRUE", "IS DISTINCT FROM", "IS NOT DISTINCT FROM")
STRINGS = ('"a"', "'it''s'", '"say \\"x\\""', "'%_'", '""', '"-- no comment"', "'\u00e4\n\u00f6'")
TYPES = ('"INT"', "'decimal(9, 2)'", '"DATE"', '"VARCHAR(3)"')
SINGLE = ("attribute", "value", "date", "aggregation")


def whole_mapping(draw: Random, *, plain: bool = False) -> Node:
    """A mapping that reads without errors; ``plain``: without what only looks for rows."""
    return _Grower(draw, plain).mapping()


class _Grower:
    def __init__(self, draw: Random, plain: bool) -> None:
        self.draw = draw
        self.plain = plain
        self.names: list[str] = []
        self.taken: set[str] = set()
        self.marks: list[str] = []
        self.single = False
        """Whether rows are asked one by one: there is nothing to aggregate."""

    def maybe(self, chance: float = 0.5) -> bool:
        return self.draw.random() < chance

    def some(self, most: int, least: int = 1) -> range:
        return range(self.draw.randint(least, most))

    # -- mappings ------------------------------------------------------------------------------------------------------

    def mapping(self) -> Node:
        target, driving = self.entity(), self.entity()
        role = self.role() if self.maybe(0.4) else ""
        self.names.append(role or driving)
        self.taken = {canonical(role or driving), canonical(driving)}
        joins = self.joins(driving)
        word = self.draw.choice(["", "", "UPDATING", "DELETING"])
        ends = [above("targetentity", *([Node("inner", "INNER")] if self.maybe(0.2) else []), Node("entity", target))]
        ends.append(above("drivingentity", Node("entity", driving), *([Node("role", role)] if role else [])))
        populates = [] if word == "DELETING" else self.populates(target)
        population = above("population", *([leaf(word)] if word else []), *ends, *populates)
        leads = [Node("name", self.entity())] if self.maybe(0.3) else []
        leads += [Node("dialect", self.draw.choice(["bigquery", "tsql"]))] if self.maybe(0.3) else []
        return above("mapping", *leads, population, *self.filter(), *joins, *self.clauses())

    def entity(self) -> str:
        return ".".join(self.draw.choice(PARTS) for _ in self.some(2))

    def role(self) -> str:
        free = [part for part in (*PARTS, "a", "b", "c", "d") if canonical(part) not in self.taken]
        return self.draw.choice(free)

    def joins(self, driving: str) -> list[Node]:
        found = []
        for _ in self.some(3, 0):
            entity = self.draw.choice([driving, self.entity()])
            role = self.role() if canonical(entity) in self.taken or self.maybe(0.4) else ""
            name, before = role or entity, self.names
            self.taken |= {canonical(name), canonical(entity)}
            kind = self.draw.choice(KINDS[:5] if self.plain else KINDS)
            self.names = [*before, name]
            words = [leaf(f"{kind} JOIN"), Node("entity", entity), *([Node("role", role)] if role else [])]
            given = [self.condition(single=True)] if kind != "CROSS" and self.maybe(0.9) else []
            found.append(above("join", *words, *given))
            if kind in ("SEMI", "ANTI", "MARK"):
                self.names = before
                self.marks += [name] if kind == "MARK" else []
        return found

    def filter(self) -> list[Node]:
        return [above("filter", self.condition(single=True))] if self.maybe() else []

    def clauses(self) -> list[Node]:
        found = []
        if self.maybe(0.4):
            found.append(self.grouping())
        found += [above(role, self.condition()) for role in ("having", "qualify") if self.maybe(0.3)]
        if self.maybe(0.3):
            keys = self.values() if self.maybe() else []
            found.append(above("distinct", leaf("DISTINCT"), *keys) if keys else Node("distinct", "DISTINCT"))
        found += [above(role, *self.values()) for role in ("ordering", "limit") if self.maybe(0.3)]
        if self.maybe(0.3):
            found.append(Node("others", self.draw.choice(["CARRY", "OPEN", "closed"])))
        return found

    def grouping(self) -> Node:
        if self.maybe(0.2):
            return Node("grouping", "()")
        sets = self.draw.choice(["", "ROLLUP", "CUBE", "GROUPING SETS"])
        return above("grouping", *([leaf(sets)] if sets else []), *self.values())

    def populates(self, target: str) -> list[Node]:
        parts = self.draw.sample(PARTS, self.draw.randint(0, 3))
        unique = {canonical(part): part for part in parts}
        return [
            above("populate", Node("attribute", f"{target}.{part}"), *[self.clause() for _ in self.some(2)])
            for part in unique.values()
        ]

    def clause(self) -> Node:
        given = [self.condition()] if self.maybe(0.4) else []
        return above("with", above("expression", self.expression()), *given)

    # -- values --------------------------------------------------------------------------------------------------------

    def expression(self) -> Node:
        found = self.value(3)
        return above("computation", found) if found.role in SINGLE else found

    def values(self) -> list[Node]:
        return [self.value(2) for _ in self.some(3)]

    def value(self, depth: int) -> Node:
        """What stands in an argument or a comparison."""
        kind = self.draw.randrange(8) if depth else 7
        if kind == 0:
            return self.computation(depth)
        if kind == 1:
            return above("concatenation", *[self.piece(depth - 1) for _ in self.some(3, 2)])
        return above("computation", self.one(depth - 1)) if kind == 2 else self.one(depth)

    def computation(self, depth: int) -> Node:
        return above("computation", leaf(self.draw.choice("+-*/")), *[self.operand(depth - 1) for _ in range(2)])

    def operand(self, depth: int) -> Node:
        found = self.piece(depth)
        return found if found.role in ("computation", "concatenation") else above("computation", found)

    def piece(self, depth: int) -> Node:
        return self.value(depth) if self.maybe(0.3) else self.one(depth)

    def one(self, depth: int) -> Node:
        """An attribute, a constant, or something that stands between words and parentheses."""
        leaves = [self.attribute, self.attribute, self.constant, self.constant]
        inner = [self.function, self.cast, self.case, self.field, self.window, self.opaque, self.test, self.substring]
        if not self.single:
            inner += [self.aggregation, self.aggregate]
        chosen = self.draw.choice([*leaves, *inner] if depth > 0 else leaves)
        return chosen(depth - 1)

    def attribute(self, _: int = 0) -> Node:
        if not self.names:
            return Node("null", "NULL")
        return Node("attribute", f"{self.draw.choice(self.names)}.{self.draw.choice(PARTS)}")

    def constant(self, _: int = 0) -> Node:
        leaves = [("value", "1"), ("value", "-2.5"), ("date", "2015-01-31"), ("date", "31.12.1999"), ("null", "null")]
        leaves += [("string", text) for text in STRINGS]
        leaves += [("truth", "TRUE"), ("truth", "false"), ("parameter", ":p"), ("parameter", ":`a b`")]
        return Node(*self.draw.choice([*leaves, ("function", "now"), ("function", "`my own`")]))

    def function(self, depth: int) -> Node:
        name = self.draw.choice(["UPPER", "COALESCE", "LEFT", "`MY OWN`", "X.Y", "REPLACE", "_F"])
        return above("function", leaf(name), *[self.value(depth) for _ in self.some(3)])

    def substring(self, _: int) -> Node:
        start, end = above("from", Node("value", "1")), above("to", Node("value", "3"))
        return above("substring", self.attribute(), start, end) if self.names else Node("null", "NULL")

    def cast(self, depth: int) -> Node:
        return above("cast", self.value(depth), Node("type", self.draw.choice(TYPES)))

    def case(self, depth: int) -> Node:
        arms = [above("when", self.asked(depth), self.value(depth)) for _ in self.some(2)]
        return above("case", *arms, *([above("otherwise", self.value(depth))] if self.maybe() else []))

    def test(self, depth: int) -> Node:
        return above("test", self.asked(depth))

    def field(self, depth: int) -> Node:
        return above("field", self.value(depth), Node("string", self.draw.choice(STRINGS)))

    def opaque(self, depth: int) -> Node:
        arguments = [self.value(depth) for _ in self.some(2, 0)]
        return above("opaque", Node("string", self.draw.choice(STRINGS)), *arguments)

    def window(self, depth: int) -> Node:
        functions = [self.function, *([] if self.single else [self.aggregation, self.aggregate])]
        clauses = [above(role, self.value(depth)) for role in ("partition", "ordering") if self.maybe()]
        clauses += [Node("frame", '"ROWS 2 PRECEDING"')] if self.maybe(0.3) else []
        return above("window", self.draw.choice(functions)(depth), *clauses)

    def aggregation(self, depth: int) -> Node:
        if self.maybe(0.2):
            return above("aggregation", Node("count", "*"))
        role = self.draw.choice(["sumof", "avg", "min", "max", "count"])
        return above("aggregation", above(role, *self.counted(), self.inner(depth)))

    def aggregate(self, depth: int) -> Node:
        function = above("function", leaf("LISTAGG"), *[self.inner(depth) for _ in self.some(2)])
        return above("aggregate", *self.counted(), function)

    def counted(self) -> list[Node]:
        return [leaf("DISTINCT")] if self.maybe(0.3) else []

    def inner(self, depth: int) -> Node:
        """A value of single rows, which aggregations take in."""
        before, self.single = self.single, True
        found = self.value(depth)
        self.single = before
        return found

    # -- conditions ----------------------------------------------------------------------------------------------------

    def condition(self, *, single: bool = False) -> Node:
        before, self.single = self.single, single
        found = above("condition", self.asked(2))
        self.single = before
        return found

    def asked(self, depth: int) -> Node:
        if depth <= 0 or self.maybe():
            return above("conditioncomp", self.comparison(depth))
        if self.maybe(0.2):
            return above("conditioncomp", leaf("NOT"), self.asked(depth - 1))
        word = leaf(self.draw.choice(["AND", "OR"]))
        return above("conditioncomp", word, *[self.asked(depth - 1) for _ in self.some(3, 2)])

    def comparison(self, depth: int) -> Node:
        if self.marks and self.maybe(0.3):
            return above("comparison", leaf("EXISTS"), Node("role", self.draw.choice(self.marks)))
        word, count = self.draw.choice(OPERATORS + COMPARED + MORE), 1
        if word.endswith(("NULL", "TRUE")):
            count = 0
        elif word.endswith("IN"):
            count = self.draw.randint(1, 3)
        elif word.endswith("BETWEEN"):
            count = 2
        return above("comparison", leaf(word), self.value(depth), *[self.value(depth) for _ in range(count)])
