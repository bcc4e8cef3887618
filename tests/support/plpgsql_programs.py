"""Random programs in PL/pgSQL that always end, over the tables and rows of `sql_warehouses`.

K and T, and the variables N and S, are tested; V and W, and the variables X and Y, are carried and never tested, but
for being NULL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from sql_warehouses import NUMBERS, TABLES, TEXTS

TARGETS = ("core.m1", "core.m2", "core.m3")
KEYED = "core.m4"
"""A table in which a key stands once, if it is not NULL."""
HEAD = "\n".join(
    f"CREATE TABLE {one} (k INTEGER{' UNIQUE' if one == KEYED else ''}, t TEXT, v TEXT, w TEXT);"
    for one in (*TARGETS, KEYED)
)


@dataclass(frozen=True)
class PlProgram:
    """What makes tables and routines, and calls that are tried, each for itself and all of them one after the other.

    ``calling``: the calls are in the script that is read. ``ending``: they end transactions, so each runs in its own.
    """

    text: str
    calls: tuple[str, ...]
    calling: bool = False
    ending: bool = False

    @property
    def script(self) -> str:
        """The script that is read."""
        return self.text + "\n".join(self.calls) + "\n" if self.calling else self.text


def indented(lines: str) -> str:
    return "\n".join(f"  {line}" for line in lines.splitlines())


class ProgramWriter:
    """Writes one script: tables, a function, triggers, a procedure that another calls."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.names = ["n", "s", "x", "y"]
        self.loops = 0
        self.rows: list[str] = []
        self.in_loop = 0
        self.helper = self.function = False
        self.temporary = False
        self.cursors: list[str] = []
        self.counters: list[str] = []
        self.relations: list[str] = list(TABLES)

    def program(self) -> PlProgram:
        """A script; where it does not call its procedure, that is called with any arguments."""
        parts = [HEAD, *self.more()]
        if self.chance(0.4):
            parts.append(self.function_of())
            self.function = True
        if self.chance(0.35):
            parts.append(self.trigger("before", "core.m1"))
        if self.chance(0.35):
            parts.append(self.trigger("after", "core.m2"))
        if self.chance(0.5):
            q = self.procedure("core.q", "a TEXT, INOUT b TEXT DEFAULT NULL, c INTEGER DEFAULT 1", 2)
            parts.append(q)
            self.helper = True
        parts.append(self.procedure("core.p", "a TEXT, c INTEGER DEFAULT 0", 1))
        calls = tuple(self.top_call() for _ in range(3))
        text = "\n".join(parts) + "\n"
        return PlProgram(text, calls[:1], calling=True) if self.chance(0.5) else PlProgram(text, calls)

    def top_call(self) -> str:
        text = self.pick([*TEXTS, "NULL"])
        number = self.pick([*NUMBERS, "NULL"])
        return self.pick(
            [f"CALL core.p({text}, {number});", f"CALL core.p({text});", f"CALL core.p(c => {number}, a => {text});"]
        )

    def more(self) -> list[str]:
        """What a script makes first."""
        return []

    # -- routines -----------------------------------------------------------------------------------------------------

    def procedure(self, name: str, arguments: str, depth: int) -> str:
        """A procedure; of names that are columns and variables the script says which is meant."""
        clash = self.chance(0.25)
        self.names = ["k", "t", "v", "w"] if clash else ["n", "s", "x", "y"]
        lead = f"#variable_conflict {self.pick(['use_variable', 'use_column'])}\n" if clash else ""
        self.cursors, self.counters, self.loops, self.temporary = [], [], 0, False
        extra = ["b"] if "INOUT b" in arguments else []
        self.rows = []
        body = self.steps(depth, self.draw.randint(2, 5) if depth == 1 else 2, [*extra])
        n, s, x, y = self.names
        given = ["", f" := {self.pick(NUMBERS)}", " := c"], ["", f" := {self.pick(TEXTS)}", " := a"]
        declared = [f"{n} INTEGER{self.pick(given[0])};", f"{s} TEXT{self.pick(given[1])};", f"{x} TEXT;", f"{y} TEXT;"]
        if self.chance(0.3):
            declared[2] = f"{x} TEXT := (SELECT MAX(z.v) FROM {self.table()} AS z WHERE {self.test('z', outer=False)});"
        declared += [f"{one} RECORD;" for one in sorted(set(self.all_rows))] + self.cursors
        declared += [f"{one} INTEGER := 0;" for one in self.counters]
        text = f"{lead}DECLARE\n{indented(chr(10).join(declared))}\nBEGIN\n{indented(body)}\nEND"
        return f"CREATE PROCEDURE {name}({arguments}) LANGUAGE plpgsql AS $$\n{text} $$;"

    def function_of(self) -> str:
        table = self.table()
        form = self.draw.randrange(7)
        if form == 6:
            body = f"SELECT MAX(z.v) FROM {table} AS z WHERE z.t = f"
            return f"CREATE FUNCTION core.f(f TEXT, g TEXT DEFAULT NULL) RETURNS TEXT LANGUAGE sql AS $$ {body} $$;"
        if form == 4:
            body = "RETURN COALESCE(f, g);"
        elif form == 5:
            body = f"RETURN CASE WHEN f = {self.pick(TEXTS)} THEN g END;"
        elif form == 0:
            body = f"RETURN (SELECT MAX(z.v) FROM {table} AS z WHERE z.t = f);"
        elif form == 1:
            body = f"IF f = {self.pick(TEXTS)} THEN\n  RETURN g;\nEND IF;\nRETURN (SELECT MIN(z.w) FROM {table} AS z);"
        elif form == 2:
            body = f"SELECT z.v INTO r FROM {table} AS z WHERE z.t = f;\nRETURN COALESCE(r, g);"
        else:
            body = f"r := g;\nIF f IS NULL THEN\n  SELECT z.w INTO r FROM {table} AS z;\nEND IF;\nRETURN r;"
        return (
            "CREATE FUNCTION core.f(f TEXT, g TEXT DEFAULT NULL) RETURNS TEXT LANGUAGE plpgsql AS $$\n"
            f"DECLARE\n  r TEXT;\nBEGIN\n{indented(body)}\nEND $$;"
        )

    def trigger(self, timing: str, table: str) -> str:
        name = f"core.g_{timing}"
        events = self.pick(["INSERT", "INSERT OR UPDATE", "UPDATE", "INSERT"])
        if timing == "before":
            steps = [
                f"NEW.{self.pick('vw')} := {self.pick(['NEW.v', 'NEW.w', self.subquery('NEW.t')])};",
                (
                    f"IF {self.row_test('NEW')} THEN\n  NEW.{self.pick('vw')} := "
                    f"{self.pick(['NEW.v', self.subquery('NEW.t')])};\nEND IF;"
                ),
                f"IF {self.row_test('NEW')} THEN\n  RETURN NULL;\nEND IF;",
                f"SELECT z.v INTO NEW.w FROM {self.table()} AS z WHERE z.k = NEW.k;",
                f"NEW.t := {self.pick(TEXTS)};",
            ]
        else:
            steps = [
                "INSERT INTO core.m3 VALUES (NEW.k, NEW.t, NEW.v, NEW.w);",
                f"IF {self.row_test('NEW')} THEN\n  INSERT INTO core.m3 (k, v) VALUES (NEW.k, NEW.w);\nEND IF;",
                f"INSERT INTO core.m3 SELECT z.k, z.t, NEW.v, z.w FROM {self.table()} AS z WHERE z.t = NEW.t;",
            ]
            if events == "UPDATE":
                steps.append("INSERT INTO core.m3 VALUES (OLD.k, OLD.t, OLD.w, NEW.v);")
        body = "\n".join(self.draw.sample(steps, self.draw.randint(1, 2)))
        when = f" WHEN ({self.row_test('NEW')})" if self.chance(0.3) else ""
        return (
            f"CREATE FUNCTION {name}() RETURNS TRIGGER LANGUAGE plpgsql AS $$\nBEGIN\n{indented(body)}\n"
            f"  RETURN NEW;\nEND $$;\nCREATE TRIGGER g_{timing} {timing.upper()} {events} ON {table} "
            f"FOR EACH ROW{when} EXECUTE FUNCTION {name}();"
        )

    # -- steps --------------------------------------------------------------------------------------------------------

    @property
    def all_rows(self) -> list[str]:
        return [f"r{number}" for number in range(1, self.loops + 1)]

    def steps(self, depth: int, count: int, extra: list[str]) -> str:
        before, rows = self.temporary, list(self.rows)
        found = [self.step(depth, extra) for _ in range(count)]
        self.temporary, self.rows = before, rows
        return "\n".join(found)

    def inner(self, depth: int, extra: list[str]) -> str:
        return indented(self.steps(depth + 1, self.pick([1, 1, 2]), extra))

    def step(self, depth: int, extra: list[str]) -> str:
        return self.pick(self.choices(depth, extra))(depth, extra)

    def choices(self, depth: int, extra: list[str]) -> list[Callable[[int, list[str]], str]]:
        """What may be the next step; what is likelier stands there more often."""
        _n, _s, x, y = self.names
        simple: list[Callable[[int, list[str]], str]] = (
            [self.insert] * 4 + [self.insert_values] * 2 + [self.select_into] * 3 + [self.assign] * 3
        )
        simple += [self.update, self.delete, self.table_again, self.table_again, self.returning]
        if self.helper:
            simple += [self.call, self.call]
        if depth < 3:
            simple += [self.test_step] * 4 + [self.case_step, self.while_loop, self.for_rows, self.for_rows]
            simple += [self.for_numbers, self.cursor_loop, self.handled, self.handled, self.nested]
        if self.in_loop:
            simple += [self.leave]
        elif depth > 1:
            simple += [lambda _d, _e: f"IF {self.variable_test()} THEN\n  RETURN;\nEND IF;"]
        if extra:
            simple += [lambda _d, _e: f"b := {self.pick([x, y, self.subquery('a')])};"]
        return simple

    def insert(self, _d: int, _e: list[str]) -> str:
        target = self.pick(TARGETS)
        source = self.pick([*TABLES, *TABLES, *[one for one in TARGETS if one != target]])
        if self.temporary and self.chance(0.5):
            source = "kept"
        where = " AND ".join(
            self.pick([self.test("z"), self.test("z"), self.variable_test()]) for _ in range(self.draw.randint(0, 2))
        )
        names = self.pick(["", " (k, t, v, w)"])
        values = f"z.k, {self.pick(['z.t', 'z.t', self.names[1]])}, {self.carried('z')}, {self.carried('z')}"
        return f"INSERT INTO {target}{names} SELECT {values} FROM {source} AS z{' WHERE ' + where if where else ''};"

    def insert_values(self, _d: int, _e: list[str]) -> str:
        n, s, _x, y = self.names
        return f"INSERT INTO {self.pick(TARGETS)} VALUES ({n}, {s}, {self.value()}, {self.pick([y, self.value()])});"

    def select_into(self, _d: int, _e: list[str]) -> str:
        n, s, x, y = self.names
        columns, names = self.pick(
            [
                ("z.v", x),
                ("z.v, z.t", f"{x}, {s}"),
                ("z.w, z.k", f"{y}, {n}"),
                ("z.t", s),
                ("COUNT(*)", n),
                ("MAX(z.w), MIN(z.v)", f"{x}, {y}"),
            ]
        )
        table = "kept" if self.temporary and self.chance(0.4) else self.pick([*TABLES, *TARGETS])
        limit = "" if "(" in columns else " LIMIT 1"
        return f"SELECT {columns} INTO {names} FROM {table} AS z WHERE {self.test('z')}{limit};"

    def assign(self, _d: int, _e: list[str]) -> str:
        n, s, x, y = self.names
        form = self.draw.randrange(5)
        if form == 0:
            return f"{n} := {self.pick([*NUMBERS, 'c', f'COALESCE({n}, 0) + 1'])};"
        if form == 1:
            return f"{s} := {self.pick([*TEXTS, 'a', *[f'{one}.t' for one in self.rows]])};"
        if form == 2:
            return f"{x} := CASE WHEN {self.variable_test()} THEN {self.value()} ELSE {self.value()} END;"
        return f"{self.pick([x, y])} := {self.value()};"

    def update(self, _d: int, _e: list[str]) -> str:
        table = self.pick(TARGETS)
        if self.chance(0.4):
            return (
                f"UPDATE {table} AS z SET v = o.{self.pick('vw')} FROM "
                f"{self.table()} AS o WHERE o.k = z.k AND {self.test('o')};"
            )
        return f"UPDATE {table} AS z SET {self.pick('vw')} = {self.carried('z')} WHERE {self.test('z')};"

    def delete(self, _d: int, _e: list[str]) -> str:
        return self.pick(
            [f"DELETE FROM {self.pick(TARGETS)} AS z WHERE {self.test('z')};", f"TRUNCATE {self.pick(TARGETS)};"]
        )

    def table_again(self, _d: int, _e: list[str]) -> str:
        made = (
            f"CREATE TEMP TABLE kept AS SELECT z.k, z.t, {self.carried('z')} "
            f"AS v, z.w FROM {self.table()} AS z WHERE {self.test('z')};"
        )
        if self.temporary and self.chance(0.6):
            again = f"DROP TABLE kept;\n{made}"
            return f"IF {self.variable_test()} THEN\n{indented(again)}\nEND IF;"
        self.temporary = True
        return f"DROP TABLE IF EXISTS kept;\n{made}"

    def returning(self, _d: int, _e: list[str]) -> str:
        _n, s, x, y = self.names
        return (
            f"INSERT INTO {self.pick(TARGETS)} AS z SELECT z.k, z.t, z.v, {y} FROM {self.table()} "
            f"AS z WHERE {self.test('z')} LIMIT 1 RETURNING z.v, z.t INTO {x}, {s};"
        )

    def call(self, _d: int, _e: list[str]) -> str:
        n, s, x, y = self.names
        return self.pick([
            f"CALL core.q({self.pick([s, *TEXTS])}, {self.pick([x, y])});",
            f"CALL core.q(a => {s}, b => {y});",
            f"CALL core.q({s}, {x}, {self.pick([n, *NUMBERS])});",
            f"CALL core.q(c => {n}, b => {self.pick([x, y])}, a => {self.pick(TEXTS)});",
        ])  # fmt: skip

    def test_step(self, depth: int, extra: list[str]) -> str:
        found = f"IF {self.variable_test()} THEN\n{self.inner(depth, extra)}\n"
        if self.chance(0.3):
            found += f"ELSIF {self.variable_test()} THEN\n{self.inner(depth, extra)}\n"
        if self.chance(0.5):
            found += f"ELSE\n{self.inner(depth, extra)}\n"
        return found + "END IF;"

    def case_step(self, depth: int, extra: list[str]) -> str:
        arms = "".join(f"WHEN {one} THEN\n{self.inner(depth, extra)}\n" for one in self.draw.sample(TEXTS, 2))
        return f"CASE {self.pick([self.names[1], 'a'])}\n{arms}ELSE\n{self.inner(depth, extra)}\nEND CASE;"

    def while_loop(self, depth: int, extra: list[str]) -> str:
        counter = f"i{len(self.counters) + 1}"
        self.counters.append(counter)
        also = f" AND {self.variable_test()}" if self.chance(0.3) else ""
        body = self.looped(depth, extra)
        return (
            f"{counter} := 0;\nWHILE {counter} < {self.draw.randint(1, 3)}{also} "
            f"LOOP\n  {counter} := {counter} + 1;\n{body}\nEND LOOP;"
        )

    def for_numbers(self, depth: int, extra: list[str]) -> str:
        return f"FOR j IN {self.pick(['1..2', '1..3', 'REVERSE 2..1'])} LOOP\n{self.looped(depth, extra)}\nEND LOOP;"

    def for_rows(self, depth: int, extra: list[str]) -> str:
        self.loops += 1
        row = f"r{self.loops}"
        table = self.pick([*TABLES, *TABLES, *TARGETS])
        where = f" WHERE {self.test('z')}" if self.chance(0.6) else ""
        self.rows.append(row)
        body = self.looped(depth, extra)
        self.rows.remove(row)
        if self.chance(0.3):
            self.rows.append(row)
        return f"FOR {row} IN SELECT z.k, z.t, z.v, z.w FROM {table} AS z{where} LOOP\n{body}\nEND LOOP;"

    def cursor_loop(self, depth: int, extra: list[str]) -> str:
        n, s, x, y = self.names
        name = f"u{len(self.cursors) + 1}"
        self.cursors.append("")
        test = self.test("z")
        self.cursors[int(name[1:]) - 1] = (
            f"{name} CURSOR FOR SELECT z.k, z.t, z.v FROM {self.table()} AS z WHERE {test};"
        )
        body = self.looped(depth, extra)
        return (
            f"OPEN {name};\nLOOP\n  FETCH {name} INTO {n}, {s}, {self.pick([x, y])};\n "
            f" EXIT WHEN NOT FOUND;\n{body}\nEND LOOP;\nCLOSE {name};"
        )

    def looped(self, depth: int, extra: list[str]) -> str:
        self.in_loop += 1
        found = self.inner(depth, extra)
        self.in_loop -= 1
        return found

    def handled(self, depth: int, extra: list[str]) -> str:
        n = self.names[0]
        fails = self.pick([
            f"IF {self.variable_test()} THEN\n  RAISE EXCEPTION 'no';\nEND IF;",
            f"{n} := 1 / {self.pick([n, '0', 'c'])};",
            "PERFORM 1 / (SELECT COUNT(*) FROM core.m1);",
        ])  # fmt: skip
        last = self.inner(depth, extra) if self.chance(0.4) else ""
        return (
            f"BEGIN\n{self.inner(depth, extra)}\n{indented(fails)}\n{last}\n"
            f"EXCEPTION WHEN OTHERS THEN\n{self.inner(depth, extra)}\nEND;"
        )

    def nested(self, depth: int, extra: list[str]) -> str:
        n, s, x, _y = self.names
        own = self.pick(
            [f"{x} TEXT", f"{x} TEXT := {self.value()}", f"{s} TEXT := {self.pick(TEXTS)}", f"{n} INTEGER := 1"]
        )
        return f"DECLARE\n  {own};\nBEGIN\n{self.inner(depth, extra)}\nEND;"

    def leave(self, _d: int, _e: list[str]) -> str:
        word = self.pick(["EXIT", "CONTINUE", "EXIT", "RETURN"])
        if word == "RETURN":
            return f"IF {self.variable_test()} THEN\n  RETURN;\nEND IF;"
        return f"{word} WHEN {self.variable_test()};"

    # -- parts --------------------------------------------------------------------------------------------------------

    def value(self) -> str:
        _n, s, x, y = self.names
        rows = [f"{row}.{self.pick('vw')}" for row in self.rows]
        some = [x, y, x, y, *rows, *rows, self.subquery(s), f"{x} || {y}", f"COALESCE({x}, {y})"]
        if self.function:
            some += [f"core.f({s}, {x})", f"core.f({s})", f"core.f(g => {y}, f => {self.pick(TEXTS)})"]
        return self.pick(some)

    def carried(self, role: str) -> str:
        """A value that is carried, in a query with a role."""
        _n, s, x, y = self.names
        own = [f"{role}.v", f"{role}.w"]
        some = [*own, *own, x, y, *[f"{row}.{self.pick('vw')}" for row in self.rows]]
        some += [
            f"COALESCE({self.pick(own)}, {x})",
            f"CASE WHEN {self.test(role)} THEN {self.pick(own)} ELSE {self.pick([x, y])} END",
        ]
        if self.function:
            some += [f"core.f({role}.t, {role}.w)", f"core.f({s}, {x})"]
        return self.pick(some)

    def subquery(self, text: str) -> str:
        table = self.pick([*TABLES, *TABLES, *TARGETS])
        return f"(SELECT {self.pick(['MAX', 'MIN'])}(z.{self.pick('vw')}) FROM {table} AS z WHERE z.t = {text})"

    def test(self, role: str, *, outer: bool = True) -> str:
        """A test on a row, maybe with what a variable holds."""
        n, s = self.names[:2]
        some = [
            f"{role}.t = {self.pick(TEXTS)}",
            f"{role}.t <> {self.pick(TEXTS)}",
            f"{role}.k > {self.pick(NUMBERS)}",
            f"{role}.k = {self.pick(NUMBERS)}",
            f"{role}.t IS NULL",
        ]
        if outer:
            rows = [f"{role}.k = {row}.k" for row in self.rows]
            some += [f"{role}.t = {s}", f"{role}.k = {n}", f"{role}.t = a", f"{role}.k > c", *rows]
        return self.pick(some)

    def row_test(self, row: str) -> str:
        return self.pick([f"{row}.t = {self.pick(TEXTS)}", f"{row}.k > {self.pick(NUMBERS)}", f"{row}.t IS NULL"])

    def variable_test(self) -> str:
        """A test on what variables hold."""
        n, s, x, y = self.names
        some = [
            f"{s} = {self.pick(TEXTS)}",
            f"{s} IS NULL",
            f"{n} > {self.pick(NUMBERS)}",
            f"{n} = {self.pick(NUMBERS)}",
            f"{s} <> {self.pick(TEXTS)}",
        ]
        some += [
            f"a = {self.pick(TEXTS)}",
            f"c > {self.pick(NUMBERS)}",
            f"{x} IS NULL",
            f"{y} IS NOT NULL",
            f"({s} = {self.pick(TEXTS)} OR {n} = 1)",
        ]
        some += [
            f"EXISTS (SELECT 1 FROM {self.pick([*TABLES, *TARGETS])} AS z WHERE {self.test('z')})",
            f"NOT ({s} = {self.pick(TEXTS)})",
        ]
        some += [self.row_test(row) for row in self.rows]
        return self.pick(some)

    def table(self) -> str:
        return self.pick(TABLES)

    def pick(self, several):  # type: ignore[no-untyped-def]
        return self.draw.choice(several)

    def chance(self, share: float) -> bool:
        return self.draw.random() < share
