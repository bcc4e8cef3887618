"""Random warehouses of SQL, several files each, and rows for their tables.

Columns V and W carry values and nothing compares them; T and K are compared, and have few values, NULL among them. Each
V and W of each row is a text of its own, so that wherever it turns up it says which row and column it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

TEXTS = ("'a'", "'b'", "'c'")
NUMBERS = ("0", "1", "2")
TABLES = ("raw.s1", "raw.s2", "raw.s3")
COLUMNS = ("k", "t", "v", "w")


@dataclass
class SqlWarehouse:
    """Files by name, and the entities they make, in order, with their columns."""

    files: dict[str, str] = field(default_factory=dict)
    made: dict[str, tuple[str, ...]] = field(default_factory=dict)


def rows_for(draw: Random, table: str, count: int) -> list[tuple[object, ...]]:
    """So many rows of a table: K, T, V, W."""
    name = table.rpartition(".")[2]
    return [
        (
            draw.choice([0, 1, 2, None]),
            draw.choice(["a", "b", "c", None]),
            *(None if draw.random() < 0.2 else f"<{name}.{column}.{at}>" for column in "vw"),
        )
        for at in range(count)
    ]


class SqlWriter:
    """Writes one warehouse; every view may read the tables and the views before it."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.found = SqlWarehouse()

    def warehouse(self) -> SqlWarehouse:
        """Two to four entities, each in a file of its own."""
        for number in range(1, self.draw.randint(2, 4) + 1):
            name = f"core.m{number}"
            kind = self.draw.choice(["VIEW", "TABLE"])
            self.found.files[f"{number}_{self.draw.randint(1, 9)}.sql"] = f"CREATE {kind} {name} AS\n{self.query(0)};\n"
            self.found.made[name] = COLUMNS
        return self.found

    # -- queries ----------------------------------------------------------------------------------------------------

    def query(self, depth: int) -> str:
        """A query that gives K, T, V, W."""
        shape = self.draw.random()
        if depth < 2 and shape < 0.15:
            return self.union(depth)
        if depth < 2 and shape < 0.35:
            return self.with_cte(depth)
        if shape < 0.5:
            return self.grouped(depth)
        if shape < 0.6:
            return self.windowed()
        return self.select(depth)

    def union(self, depth: int) -> str:
        word = self.draw.choice(["UNION ALL", "UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
        if word in ("UNION ALL", "UNION"):
            return f"{self.select(depth + 1)}\n{word}\n{self.select(depth + 1)}"
        left, right = self.entity(), self.entity()
        first = f"SELECT k, t, v, w FROM {left} WHERE {self.test(left.rpartition('.')[2])}"
        return f"{first}\n{word}\nSELECT k, t, v, w FROM {right}"

    def with_cte(self, depth: int) -> str:
        inner = self.query(depth + 1)
        test = self.condition(["c"])
        star = self.draw.choice(["SELECT * FROM c", "SELECT c.* FROM c", "SELECT k, t, v, w FROM c"])
        return f"WITH c AS (\n{inner}\n)\n{star} WHERE {test}"

    def select(self, depth: int) -> str:
        froms, roles = self.sources(depth)
        values = self.values(roles)
        where = f"\nWHERE {self.condition(roles)}" if self.draw.random() < 0.7 else ""
        distinct = "DISTINCT " if self.draw.random() < 0.1 else ""
        return f"SELECT {distinct}{values}\nFROM {froms}{where}"

    def grouped(self, depth: int) -> str:
        froms, roles = self.sources(depth)
        key = f"{roles[0]}.{self.draw.choice(['k', 't'])}"
        k = key if key.endswith("k") else f"MAX({roles[0]}.k)"
        t = key if key.endswith("t") else f"MIN({self.draw.choice(roles)}.t)"
        values = [self.aggregated(roles) for _ in range(2)]
        where = f"\nWHERE {self.condition(roles)}" if self.draw.random() < 0.5 else ""
        having = f"\nHAVING {self.having(key, roles)}" if self.draw.random() < 0.4 else ""
        columns = f"{k} AS k, {t} AS t, {values[0]} AS v, {values[1]} AS w"
        return f"SELECT {columns}\nFROM {froms}{where}\nGROUP BY {key}{having}"

    def having(self, key: str, roles: list[str]) -> str:
        if self.draw.random() < 0.5:
            return f"{key} = {self.draw.choice(NUMBERS if key.endswith('k') else TEXTS)}"
        return self.draw.choice(["COUNT(*) > 1", f"MAX({roles[0]}.k) > 0", "COUNT(*) = 1"])

    def aggregated(self, roles: list[str]) -> str:
        role, column = self.draw.choice(roles), self.draw.choice("vw")
        form = self.draw.randrange(4)
        if form == 0:
            return f"STRING_AGG({role}.{column}, ',')"
        if form == 1:
            return f"MAX(CASE WHEN {self.test(role)} THEN {role}.{column} END)"
        if form == 2:
            return f"STRING_AGG({role}.{column}, ',') FILTER (WHERE {self.test(role)})"
        return f"{self.draw.choice(['MIN', 'MAX'])}({role}.{column})"

    def windowed(self) -> str:
        entity = self.entity()
        role = "s"
        part = self.draw.choice(["PARTITION BY s.k ", "PARTITION BY s.t ", ""])
        taken = self.draw.choice(["LAG(s.v)", "FIRST_VALUE(s.v)", "MAX(s.v)"])
        where = f"\nWHERE {self.condition([role])}" if self.draw.random() < 0.5 else ""
        qualify = f"\nQUALIFY ROW_NUMBER() OVER ({part}ORDER BY s.v) = 1" if self.draw.random() < 0.4 else ""
        return f"SELECT s.k, s.t, {taken} OVER ({part}ORDER BY s.v) AS v, s.w\nFROM {entity} AS s{where}{qualify}"

    # -- parts ------------------------------------------------------------------------------------------------------

    def entity(self) -> str:
        return self.draw.choice([*TABLES, *self.found.made, *self.found.made])

    def sources(self, depth: int) -> tuple[str, list[str]]:
        """What stands behind FROM, and the roles in it."""
        roles = ["a"]
        text = f"{self.relation(depth)} AS a"
        for role in "bc"[: self.draw.choice([0, 0, 1, 1, 2])]:
            kind = self.draw.choice(["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"])
            on = ""
            if kind != "CROSS JOIN":
                key = self.draw.choice(["k", "t", "k"])
                on = f" ON {roles[-1]}.{key} = {role}.{key}"
                if self.draw.random() < 0.4:
                    on += f" AND {self.test(self.draw.choice([*roles, role]))}"
            text += f"\n  {kind} {self.relation(depth)} AS {role}{on}"
            roles.append(role)
        return text, roles

    def relation(self, depth: int) -> str:
        if depth < 1 and self.draw.random() < 0.15:
            return f"({self.query(2)})"
        return self.entity()

    def values(self, roles: list[str]) -> str:
        role = self.draw.choice(roles)
        k = self.draw.choice([f"{role}.k", f"{role}.k", self.draw.choice(NUMBERS)])
        t = self.draw.choice([f"{role}.t", f"{role}.t", self.draw.choice(TEXTS), self.case(roles, "t")])
        return f"{k} AS k, {t} AS t, {self.payload(roles)} AS v, {self.payload(roles)} AS w"

    def payload(self, roles: list[str]) -> str:
        one = f"{self.draw.choice(roles)}.{self.draw.choice('vw')}"
        form = self.draw.randrange(8)
        if form == 0:
            return self.case(roles, "v")
        if form == 1:
            return f"COALESCE({one}, {self.draw.choice(roles)}.w)"
        if form == 2:
            return f"{one} || {self.draw.choice(roles)}.v"
        if form == 3:
            return f"(SELECT MAX(x.v) FROM {self.entity()} AS x WHERE x.k = {roles[0]}.k AND {self.test('x')})"
        if form == 4:
            return f"NULLIF({one}, 'zz')"
        return one

    def case(self, roles: list[str], column: str) -> str:
        arms = " ".join(
            f"WHEN {self.test(self.draw.choice(roles))} THEN {self.draw.choice(roles)}.{column}"
            for _ in range(self.draw.randint(1, 2))
        )
        last = f" ELSE {self.draw.choice(roles)}.{column}" if self.draw.random() < 0.6 else ""
        return f"CASE {arms}{last} END"

    def condition(self, roles: list[str]) -> str:
        parts = [self.comparison(roles) for _ in range(self.draw.randint(1, 2))]
        return self.draw.choice([" AND ", " AND ", " OR "]).join(parts)

    def comparison(self, roles: list[str]) -> str:
        role = self.draw.choice(roles)
        form = self.draw.randrange(10)
        if form == 0:
            return f"EXISTS (SELECT 1 FROM {self.entity()} AS x WHERE x.k = {role}.k AND {self.test('x')})"
        if form == 1:
            return f"{role}.t IN (SELECT x.t FROM {self.entity()} AS x WHERE {self.test('x')})"
        if form == 2:
            return f"NOT EXISTS (SELECT 1 FROM {self.entity()} AS x WHERE x.t = {role}.t AND {self.test('x')})"
        if form == 3 and len(roles) > 1:
            return f"{roles[0]}.k {self.draw.choice(['=', '<', '<>'])} {roles[1]}.k"
        return self.test(role)

    def test(self, role: str) -> str:
        form = self.draw.randrange(9)
        text, number = self.draw.choice(TEXTS), self.draw.choice(NUMBERS)
        return [
            f"{role}.t = {text}",
            f"{role}.t <> {text}",
            f"{role}.t IN ({', '.join(self.draw.sample(TEXTS, 2))})",
            f"{role}.k = {number}",
            f"{role}.k > {number}",
            f"{role}.k IS NOT NULL",
            f"{role}.t IS NULL",
            f"({role}.t = {text} OR {role}.k = {number})",
            f"NOT ({role}.t = {text})",
        ][form]
