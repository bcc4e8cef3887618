"""Small warehouses that use everything the mapping language has, for laws checked against rows and brute force.

Every draw comes from a `Random`, so hypothesis can drive and shrink them; the smallest draw is always the plainest
warehouse: two entities, plain copies, no condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

Kind = Literal["string", "number", "date", "boolean"]

LOCALS: dict[str, Kind] = {"P": "string", "C": "string", "D": "string", "N": "number", "M": "number", "K": "string"}
"""Attributes of every entity: P is payload that conditions seldom mention, K the usual join key."""
DATED: dict[str, Kind] = {**LOCALS, "T": "date"}

CONSTANTS: dict[Kind, tuple[str, ...]] = {
    "string": ('"a"', '"b"', '"c"'),
    "number": ("0", "1", "2", "3"),
    "date": ("01.01.2001", "31.12.2015", "2020-02-29"),
    "boolean": ("TRUE", "FALSE"),
}
KINDS = ("LEFT", "INNER", "RIGHT", "FULL", "SEMI", "ANTI")


PATTERNS = ('"a%"', '"%b"', '"_"', '"a"', '"1%"', '"%1"', '"b%"', '"%-%"', '"2_%"')
MIXED = ('"1"', '"01"', '"2.0"', '"10"', '"a"', "1", "2", "10", '"2015-12-31"')


@dataclass(frozen=True, slots=True)
class Features:
    """What a small warehouse may contain beyond copies, constants, IFs and filters.

    ``patterns``: many LIKEs, also on numbers. ``mixed``: constants of another kind than the attribute they meet, among
    them texts that spell numbers. ``doubled``: one attribute joined to two, or two of the joined row to one another.

    What SQL says besides: ``roles`` (an entity joined to itself), ``kinds`` (joins other than NAVIGATE, with more in ON
    than keys), ``groups`` (GROUP BY with HAVING), ``tests`` (CASE within aggregations), ``windows``.
    """

    joins: bool = True
    aggregations: bool = True
    computations: bool = True
    comparisons: bool = True
    functions: bool = True
    cycles: bool = False
    dates: bool = False
    gaps: bool = True
    patterns: bool = False
    mixed: bool = False
    doubled: bool = False
    roles: bool = False
    kinds: bool = False
    groups: bool = False
    tests: bool = False
    windows: bool = False
    booleans: bool = False


@dataclass(slots=True)
class Small:
    """A small warehouse: its mapping texts in order of layers, and the kind of every attribute of its entities."""

    layers: list[list[str]]
    locals: dict[str, Kind]
    mappings: list[str] = field(default_factory=list)
    cyclic: bool = False

    @property
    def text(self) -> str:
        """All mappings as one text."""
        return "\n".join(self.mappings)

    @property
    def entities(self) -> list[str]:
        """Every entity, golden sources first."""
        return [entity for layer in self.layers for entity in layer]

    @property
    def filled(self) -> list[str]:
        """Entities some mapping populates."""
        return [entity for layer in self.layers[1:] for entity in layer]

    def kinds(self, entity: str) -> dict[str, Kind]:
        """The attributes of an entity, qualified, with their kinds."""
        return {f"{entity}.{local}": kind for local, kind in self.locals.items()}


def small_warehouse(draw: Random, features: Features | None = None) -> Small:
    """A warehouse of 2 to 4 layers and 2 to 8 entities."""
    features = features or Features()
    golden = 1 + draw.randrange(3)
    layers = [[f"S{number}" for number in range(golden)]]
    layers += [
        [f"{'TUV'[level - 1]}{number}" for number in range(1 + draw.randrange(2))]
        for level in range(1, 2 + draw.randrange(3))
    ]
    known = DATED if features.dates else LOCALS
    found = Small(layers, known | {"F": "boolean"} if features.booleans else known)
    writer = _Writer(draw, features, found.locals)
    for level, layer in enumerate(layers[1:], 1):
        for target in layer:
            for _ in range(1 + draw.randrange(3)):
                found.mappings.append(writer.mapping(f"m{len(found.mappings)}", target, _below(draw, layers, level)))
    if features.cycles and maybe(draw, 0.6):
        found.cyclic = True
        target, source = draw.choice(layers[1]), draw.choice(layers[-1])
        found.mappings.append(writer.mapping(f"m{len(found.mappings)}", target, [source]))
    return found


def initial_condition(draw: Random, small: Small, entity: str, features: Features | None = None) -> str:
    """A condition on the rows of one entity."""
    return _Writer(draw, features or Features(), small.locals).condition([entity], 1)


def maybe(draw: Random, share: float) -> bool:
    """True in a share of the cases; False is the smallest draw."""
    return draw.random() >= 1 - share


def _below(draw: Random, layers: Sequence[Sequence[str]], level: int) -> list[str]:
    """Driving entity and possible partners: the layer just below first, then deeper ones."""
    near = list(layers[level - 1])
    draw.shuffle(near)
    far = [entity for layer in layers[: level - 1] for entity in layer]
    draw.shuffle(far)
    return near + far if not (far and maybe(draw, 0.2)) else far + near


class _Writer:
    """Writes mappings whose attributes have consistent kinds."""

    def __init__(self, draw: Random, features: Features, kinds: dict[str, Kind]) -> None:
        self._draw = draw
        self._features = features
        self._kinds = kinds

    def mapping(self, name: str, target: str, sources: Sequence[str]) -> str:
        if self._features.roles or self._features.kinds or self._features.groups:
            return self._query(name, target, sources)
        driving, *others = sources
        joined = others[: self._draw.randrange(3)] if self._features.joins else []
        scope = [driving, *joined]
        grouped = self._features.aggregations and maybe(self._draw, 0.2)
        lines = [f"MAPPING {name}:", f"WHEN POPULATING {target} FROM {driving}"]
        filled = [line for local in self._kinds for line in self._populate(target, local, scope, grouped)]
        lines += filled or [f"POPULATE {target}.P WITH {driving}.P"]
        if maybe(self._draw, 0.4):
            lines.append(f"SELECT ROWS WHERE {self.condition(scope, 1)}")
        for place, entity in enumerate(joined):
            start = scope[self._draw.randrange(place + 1)]
            pairs = ", ".join(f"{start}.{a} = {entity}.{b}" for a, b in self._keys())
            lines.append(f"NAVIGATE FROM {start} TO {entity} USING {pairs}")
        return "\n".join(lines) + "\n"

    def _query(self, name: str, target: str, sources: Sequence[str]) -> str:
        """A mapping as SQL has them: roles, joins of every kind, groups."""
        entities = list(sources[: 1 + self._draw.randrange(3)])
        if self._features.roles and maybe(self._draw, 0.6):
            entities.append(entities[0])
        rows = [(entity, f"r{place}") for place, entity in enumerate(entities)]
        kinds = KINDS if self._features.kinds else KINDS[:2]
        joins = [(entity, role, self._draw.choice(kinds)) for entity, role in rows[1:]]
        scope = ["r0"]
        lines = []
        for entity, role, kind in joins:
            lines.append(f"{kind} JOIN {entity} AS {role} ON {self._on(scope, role)}")
            scope += [role] if kind not in ("SEMI", "ANTI") else []
        keys = sorted({self._attribute(scope, "string", own="C") for _ in range(self._draw.randrange(3))})
        grouped = self._features.groups and maybe(self._draw, 0.5)
        filled = [
            line for local in self._kinds for line in self._filled(target, local, scope, keys if grouped else None)
        ]
        first = [f"MAPPING {name}:", f"WHEN POPULATING {target} FROM {entities[0]} AS r0"]
        first += filled or [f"POPULATE {target}.P WITH {'MAX(r0.P)' if grouped else 'r0.P'}"]
        if maybe(self._draw, 0.5):
            first.append(f"SELECT ROWS WHERE {self.condition(scope, 1)}")
        if grouped:
            lines.append(f"GROUP BY {', '.join(keys) or '()'}")
            if maybe(self._draw, 0.5):
                asked = [f'{key} = "{self._draw.choice("ab")}"' for key in keys[:1]] + ["SUM(r0.N) > 1"]
                lines.append(f"HAVING {self._draw.choice([*asked, ' AND '.join(asked)])}")
        return "\n".join([*first, *lines]) + "\n"

    def _on(self, scope: Sequence[str], role: str) -> str:
        start = scope[self._draw.randrange(len(scope))]
        pairs = [f"{start}.{a} = {role}.{b}" for a, b in self._keys()]
        if not self._features.kinds or not maybe(self._draw, 0.5):
            return " AND ".join(pairs)
        rest = self._comparison([role, start] if maybe(self._draw, 0.5) else [start])
        return " AND ".join([*(pairs if maybe(self._draw, 0.85) else []), f"({rest})"])

    def _filled(self, target: str, local: str, scope: Sequence[str], keys: Sequence[str] | None) -> list[str]:
        """The POPULATE of an attribute; below ``keys`` it is one of them, a constant, or aggregated."""
        kind = self._kinds[local]
        if keys is None:
            return self._populate(target, local, scope, grouped=False)
        if maybe(self._draw, 0.2):
            return []
        value = (
            f"MAX({self._attribute(scope, kind, own=local)})" if kind != "number" else self._aggregation(kind, scope)
        )
        if self._features.tests and maybe(self._draw, 0.6):
            function, subject = value.rstrip(")").split("(")
            value = f"{function}(CASE WHEN {self.condition(scope, 1)} THEN {subject} END)"
        if kind == "string" and keys and maybe(self._draw, 0.5):
            value = self._draw.choice(keys)
        if maybe(self._draw, 0.15):
            value = self._draw.choice(CONSTANTS[kind])
        asked = f'{self._draw.choice(keys)} = "{self._draw.choice("abc")}"' if keys and maybe(self._draw, 0.3) else ""
        if asked:
            value += f" IF {asked}\n    WITH {self._draw.choice(CONSTANTS[kind])}"
        return [f"POPULATE {target}.{local} WITH {value}"]

    def _window(self, scope: Sequence[str], first: str) -> str:
        function = self._draw.choice(["LAG({})", "FIRST_VALUE({})", "MAX({})"]).format(first)
        keys = [self._attribute(scope, "string", own="C") for _ in range(self._draw.randrange(3))]
        return f"{function} OVER ({'PARTITION BY ' + ', '.join(dict.fromkeys(keys)) if keys else ''})"

    def _keys(self) -> list[tuple[str, str]]:
        keys = [("K", "K")] if not maybe(self._draw, 0.3) else [(self._draw.choice("KCD"), self._draw.choice("KCD"))]
        # The same two keys for every join: what a row is looked for by may be the key of another row too.
        if self._features.doubled and maybe(self._draw, 0.4):
            return [("K", "K"), ("C", "C")]
        if self._features.doubled and maybe(self._draw, 0.5):
            keys += [(keys[0][0], self._draw.choice("KCD")), (self._draw.choice("KCD"), keys[0][1])]
        return [*keys, ("N", "N")] if maybe(self._draw, 0.1) else keys

    def _populate(self, target: str, local: str, scope: Sequence[str], grouped: bool) -> list[str]:
        gap = 0.05 if local == "P" else 0.25
        if self._features.gaps and maybe(self._draw, 0.5 if grouped and local != "P" else gap):
            return []
        kind = self._kinds[local]
        if grouped and local in "PNM" and maybe(self._draw, 0.7):
            value = f"{self._aggregation(kind, scope)}{self._if(scope, 0.3)}"
            default = f"\n    WITH {self._draw.choice(CONSTANTS[kind])}" if " IF " in value else ""
            return [f"POPULATE {target}.{local} WITH {value}{default}"]
        clauses = []
        for _ in range(1 + self._draw.randrange(3) * self._draw.randrange(2)):
            clauses.append(f"WITH {self._expression(local, kind, scope)}{self._if(scope, 0.4)}")
            if " IF " not in clauses[-1]:
                break
        return [f"POPULATE {target}.{local} " + "\n    ".join(clauses)]

    def _if(self, scope: Sequence[str], share: float) -> str:
        return f" IF {self.condition(scope, 1)}" if maybe(self._draw, share) else ""

    def _attribute(self, scope: Sequence[str], kind: Kind, *, own: str = "") -> str:
        """An attribute of the kind, mostly of the driving entity and mostly of the same name."""
        entity = self._draw.choice(scope) if maybe(self._draw, 0.4) else scope[0]
        if own and not maybe(self._draw, 0.3):
            return f"{entity}.{own}"
        return f"{entity}.{self._draw.choice([name for name, other in self._kinds.items() if other == kind])}"

    def _expression(self, local: str, kind: Kind, scope: Sequence[str]) -> str:
        if maybe(self._draw, 0.15):
            constant: str = self._draw.choice(CONSTANTS[kind])
            together = kind == "string" and self._features.functions and maybe(self._draw, 0.2)
            return f"{constant} || {self._draw.choice(CONSTANTS[kind])}" if together else constant
        first = self._attribute(scope, kind, own=local)
        if self._features.windows and maybe(self._draw, 0.3):
            return self._window(scope, first)
        if kind == "boolean" and maybe(self._draw, 0.3):
            return f"TEST ({self._comparison(scope)})"
        if kind == "number" and self._features.computations and maybe(self._draw, 0.2):
            operator = self._draw.choice("+-*/" if self._features.functions else "+-*")
            second = self._draw.choice([self._draw.choice(CONSTANTS["number"]), self._attribute(scope, kind)])
            return f"{first} {operator} {second}"
        if kind == "string" and self._features.functions and maybe(self._draw, 0.4 if local == "P" else 0.05):
            second = self._draw.choice(['"-"', self._attribute(scope, kind)])
            return self._draw.choice([f"{first} || {second}", f"substr({first}, 1, 2)"])
        return first

    def _aggregation(self, kind: Kind, scope: Sequence[str]) -> str:
        subject = self._attribute(scope, kind)
        if kind == "string":
            return f"{self._draw.choice(['MAX', 'MIN'])}({subject})"
        return f"{self._draw.choice(['SUM', 'MAX', 'MIN', 'AVG', 'COUNT'])}({subject})"

    def condition(self, scope: Sequence[str], depth: int) -> str:
        """A condition over the attributes of the entities in scope."""
        if depth == 0 or not maybe(self._draw, 0.4):
            return self._comparison(scope)
        shape = self._draw.randrange(3)
        if shape == 2:
            return f"NOT ({self.condition(scope, depth - 1)})"
        parts = [self.condition(scope, depth - 1) for _ in range(2)]
        return f" {('AND', 'OR')[shape]} ".join(f"({part})" if " OR " in part else part for part in parts)

    def _comparison(self, scope: Sequence[str]) -> str:
        kind: Kind = self._draw.choice(sorted(set(self._kinds.values()), reverse=True))
        subject = self._attribute(scope, kind, own={"string": "C", "number": "N", "date": "T", "boolean": "F"}[kind])
        if kind == "boolean":
            plain = f"{subject} {self._draw.choice(['=', '!='])} {self._draw.choice(CONSTANTS[kind])}"
            return self._draw.choice(
                [plain, plain, f"{subject} IS TRUE", f"{subject} IS NOT TRUE", f"{subject} IS NULL"]
            )
        constants = CONSTANTS[kind]
        if self._features.patterns and kind != "date" and maybe(self._draw, 0.4):
            return f"{subject} {self._draw.choice(['LIKE', 'NOT LIKE'])} {self._draw.choice(PATTERNS)}"
        if self._features.mixed and maybe(self._draw, 0.4):
            constants = MIXED
        form = self._draw.randrange(8)
        if form == 7 and self._features.comparisons:
            operator = self._draw.choice(["=", "!="] if kind == "string" else ["=", "!=", "<", "<=", ">"])
            return f"{subject} {operator} {self._attribute(scope, kind)}"
        if form == 6:
            return f"{subject} IS NULL"
        if form == 5:
            return f"{subject} IS NOT NULL"
        if form == 4:
            return f"{subject} {self._draw.choice(['IN', 'NOT IN'])} ({', '.join(self._draw.sample(constants, 2))})"
        if form == 3 and kind != "string":
            low, high = sorted(self._draw.sample(CONSTANTS[kind], 2))
            return f"{subject} BETWEEN {low} AND {high}"
        if form == 2 and kind != "string":
            return f"{subject} {self._draw.choice(['<', '<=', '>', '>='])} {self._draw.choice(constants)}"
        return f"{subject} {self._draw.choice(['=', '!='])} {self._draw.choice(constants)}"
