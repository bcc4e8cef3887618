"""Random scripts of DuckDB: statements one after the other, over the tables and rows of `sql_warehouses`.

K and T are tested, V and W are carried.
"""

from __future__ import annotations

from random import Random

from sql_warehouses import NUMBERS, TABLES, TEXTS

TARGETS = ("core.m1", "core.m2")
MOVED = ("ya", "yb")
"""Tables whose names may be dropped and moved."""
HEAD = "\n".join(f"CREATE TABLE {one} (k INTEGER, t TEXT, v TEXT, w TEXT);" for one in TARGETS)


class ScriptWriter:
    """Writes one script; a statement reads the tables and all that was made before it."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.made: list[str] = []
        self.macros: list[str] = []
        self.count = 0

    def script(self) -> str:
        steps = [self.make, self.make, self.insert, self.insert, self.update, self.delete, self.again, self.again]
        steps += [self.macro, self.drop, self.renew, self.renew, self.move, self.refill]
        several = [self.draw.choice(steps)() for _ in range(self.draw.randint(4, 9))]
        return "\n".join([HEAD, *several, self.insert()]) + "\n"

    # -- statements ---------------------------------------------------------------------------------------------------

    def make(self) -> str:
        self.count += 1
        name = f"x{self.count}"
        kind = self.draw.choice(["TEMP TABLE", "TABLE", "TEMP VIEW", "VIEW"])
        made = list(self.made)
        if kind.endswith("VIEW"):
            # A view looks again for what it reads, which may be gone by then.
            self.made = [one for one in made if one not in ("kept", *MOVED)]
        text = f"CREATE {kind} {name} AS {self.query()};"
        self.made = [*made, name]
        return text

    def again(self) -> str:
        """A table of that name is a new one."""
        made, self.made = self.made, []
        text = f"CREATE OR REPLACE TEMP TABLE kept AS {self.query()};"
        self.made = [*made, *(["kept"] if "kept" not in made else [])]
        return text

    def drop(self) -> str:
        if "kept" not in self.made:
            return self.again()
        self.made.remove("kept")
        return "DROP TABLE kept;"

    def renew(self) -> str:
        """A table that others see too; YZ, which is always there once it is made, may be read by views."""
        name = self.draw.choice(["yz", *MOVED])
        if name not in self.made:
            text = f"CREATE TABLE {name} AS {self.query()};"
            self.made.append(name)
            return text
        # A view reads its columns: they stay of the same types.
        text = f"SELECT CAST(k AS INTEGER) AS k, t, v, w FROM ({self.query()}) AS renewed"
        if name == "yz" or self.draw.random() < 0.5:
            return f"CREATE OR REPLACE TABLE {name} AS {text};"
        return f"CREATE TABLE built AS {text};\nDROP TABLE {name};\nALTER TABLE built RENAME TO {name};"

    def move(self) -> str:
        """Names of tables change."""
        there = [one for one in MOVED if one in self.made]
        if len(there) == 2:
            return "ALTER TABLE ya RENAME TO yc;\nALTER TABLE yb RENAME TO ya;\nALTER TABLE yc RENAME TO yb;"
        if not there:
            return self.renew()
        (other,) = {*MOVED} - {*there}
        self.made[self.made.index(there[0])] = other
        return f"ALTER TABLE {there[0]} RENAME TO {other};"

    def refill(self) -> str:
        """Rows come to such a table, or go."""
        there = [one for one in ("yz", *MOVED) if one in self.made]
        if not there:
            return self.renew()
        name = self.draw.choice(there)
        form = self.draw.randrange(4)
        if form == 0:
            return f"DELETE FROM {name} WHERE {self.test(name)};"
        if form == 1:
            return f"UPDATE {name} SET v = w WHERE {self.test(name)};"
        return f"INSERT INTO {name} {self.query()};"

    def insert(self) -> str:
        target = self.draw.choice(TARGETS)
        form = self.draw.randrange(4)
        if form == 0:
            named = f"SELECT w AS v, k, v AS w FROM {self.source()} AS z WHERE {self.test('z')}"
            return f"INSERT INTO {target} BY NAME {named};"
        if form == 1:
            return f"INSERT INTO {target} (k, v) SELECT z.k, {self.carried('z')} FROM {self.source()} AS z;"
        return f"INSERT INTO {target} {self.query()};"

    def update(self) -> str:
        target = self.draw.choice(TARGETS)
        if self.draw.random() < 0.5:
            return f"UPDATE {target} SET v = o.{self.column()} FROM {self.source()} AS o WHERE o.k = {target}.k;"
        return f"UPDATE {target} SET {self.column()} = {self.column()} WHERE {self.test(target)};"

    def delete(self) -> str:
        return f"DELETE FROM {self.draw.choice(TARGETS)} AS z WHERE {self.test('z')};"

    def macro(self) -> str:
        name = f"f{len(self.macros) + 1}"
        self.macros.append(name)
        body = self.draw.choice(
            ["COALESCE(a, b)", f"CASE WHEN c = {self.draw.choice(TEXTS)} THEN a ELSE b END", "b || a"]
        )
        return f"CREATE MACRO {name}(a, b, c) AS {body};"

    # -- parts --------------------------------------------------------------------------------------------------------

    def query(self) -> str:
        source = self.source()
        form = self.draw.randrange(5)
        if form == 0:
            return f"SELECT * FROM {source} AS z WHERE {self.test('z')}"
        if form == 1:
            return f"SELECT * REPLACE ({self.carried('z')} AS v) FROM {source} AS z"
        if form == 2:
            other = self.source()
            return f"SELECT z.k, z.t, z.v, o.w FROM {source} AS z JOIN {other} AS o ON o.k = z.k AND {self.test('o')}"
        if form == 3:
            return f"FROM {source} AS z SELECT z.k, z.t, {self.carried('z')} AS v, z.w WHERE {self.test('z')}"
        return f"SELECT z.k, z.t, {self.carried('z')} AS v, z.w FROM {source} AS z WHERE {self.test('z')}"

    def source(self) -> str:
        return self.draw.choice([*TABLES, *self.made, *self.made, *TARGETS])

    def carried(self, role: str) -> str:
        own = [f"{role}.v", f"{role}.w"]
        some = [*own, f"CASE WHEN {self.test(role)} THEN {self.draw.choice(own)} END", f"COALESCE({role}.w, {role}.v)"]
        some += [f"{name}({role}.v, {role}.w, {role}.t)" for name in self.macros]
        return self.draw.choice(some)

    def column(self) -> str:
        return self.draw.choice("vw")

    def test(self, role: str) -> str:
        return self.draw.choice([
            f"{role}.t = {self.draw.choice(TEXTS)}",
            f"{role}.t <> {self.draw.choice(TEXTS)}",
            f"{role}.k > {self.draw.choice(NUMBERS)}",
            f"{role}.t IS NULL",
            f"{role}.k = {self.draw.choice(NUMBERS)} OR {role}.t IS NULL",
        ])  # fmt: skip
