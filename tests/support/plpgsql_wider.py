"""More of PL/pgSQL than `plpgsql_programs` writes.

Texts that are run, MERGE, ON CONFLICT, functions of rows, views with triggers, recursion, cursors of every kind,
arrays, rows as values, transactions that end within a procedure.

Not written is what is said to be opaque, for only a run knows it: texts that rows are put into, TG_ARGV as the name of
a table. Nor are settings of a session (set_config), variables by the label of their block (b.x), EXECUTE of CREATE.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plpgsql_programs import KEYED, TARGETS, PlProgram, ProgramWriter, indented
from sql_warehouses import NUMBERS, TABLES, TEXTS

VIEW = "core.seen"
BODY = "LANGUAGE plpgsql AS $$\n{} $$;"


def quoted(text: str) -> str:
    """A text as a constant of SQL."""
    return "'" + text.replace("'", "''") + "'"


class WiderWriter(ProgramWriter):
    """Writes one script, of which some steps are the wider ones."""

    guarded = blocks = 0
    ending = False

    def program(self) -> PlProgram:
        self.made: set[str] = set()
        self.ending = self.chance(0.15)
        return replace(super().program(), ending=self.ending)

    def more(self) -> list[str]:
        some = [self.deep, self.deep_function, self.outs, self.writing, self.row_trigger]
        some += [self.rows_function, self.view, self.statement_trigger]
        return [one() for one in self.draw.sample(some, self.draw.randint(0, 3))]

    # -- routines -----------------------------------------------------------------------------------------------------

    def view(self) -> str:
        """A view, with triggers in the place of what is written to it."""
        self.made.add("view")
        base = self.pick(["core.m1", *TABLES])
        first = f"CREATE VIEW {VIEW} AS SELECT z.k, z.t, z.v, z.w FROM {base} AS z WHERE {self.test('z', outer=False)};"
        steps = {
            "INSERT": [
                "INSERT INTO core.m2 VALUES (NEW.k, NEW.t, NEW.w, NEW.v);",
                f"IF {self.row_test('NEW')} THEN\n  RETURN NULL;\nEND IF;",
                f"NEW.v := {self.pick(['NEW.w', self.subquery('NEW.t')])};",
            ],
            "UPDATE": [
                "INSERT INTO core.m3 VALUES (OLD.k, NEW.t, OLD.v, NEW.w);",
                "UPDATE core.m2 AS o SET v = NEW.v WHERE o.k = OLD.k;",
            ],
            "DELETE": ["INSERT INTO core.m3 VALUES (OLD.k, OLD.t, OLD.v, OLD.w);"],
        }
        parts = [first]
        for event, some in steps.items():
            body = "\n".join([*self.draw.sample(some, self.draw.randint(0, len(some))), some[0]])
            given = "OLD" if event == "DELETE" else "NEW"
            name = f"core.instead_{event.lower()}"
            text = f"BEGIN\n{indented(body)}\n  RETURN {given};\nEND"
            parts.append(f"CREATE FUNCTION {name}() RETURNS TRIGGER {BODY.format(text)}")
            on = f"INSTEAD OF {event} ON {VIEW} FOR EACH ROW EXECUTE FUNCTION {name}()"
            parts.append(f"CREATE TRIGGER i_{event.lower()} {on};")
        return "\n".join(parts)

    def rows_function(self) -> str:
        """A function that gives rows."""
        self.made.add("rows")
        table = self.table()
        query = f"SELECT z.k, z.t, {self.pick(['z.v, g', 'g, z.w', 'z.w, z.v'])} FROM {table} AS z WHERE z.t = f"
        other = f"SELECT z.k, z.t, z.v, z.w FROM {self.table()} AS z WHERE {self.test('z', outer=False)}"
        given = self.pick(["TABLE (k INTEGER, t TEXT, v TEXT, w TEXT)", "SETOF core.m1"])
        forms = [
            f"RETURN QUERY {query};",
            f"IF f = {self.pick(TEXTS)} THEN\n  RETURN QUERY {other};\n  RETURN;\nEND IF;\nRETURN QUERY {query};",
            f"RETURN QUERY {query};\nIF NOT FOUND THEN\n  RETURN QUERY {other};\nEND IF;",
            f"RETURN QUERY EXECUTE {quoted(query.replace('z.t = f', 'z.t = $1').replace('g', '$2'))} USING f, g;",
        ]
        if given.startswith("TABLE"):
            forms.append(
                f"FOR r IN {other} LOOP\n  k := r.k; t := r.t; v := r.w; w := {self.pick(['g', 'r.v'])};\n"
                "  RETURN NEXT;\nEND LOOP;"
            )
        else:
            forms.append(f"FOR r IN {other} LOOP\n  r.w := g;\n  RETURN NEXT r;\nEND LOOP;")
        head = f"CREATE FUNCTION core.h(f TEXT, g TEXT DEFAULT NULL) RETURNS {given}"
        if self.chance(0.25):
            return f"{head} LANGUAGE sql AS $$ {query} $$;"
        body = f"#variable_conflict use_column\nDECLARE\n  r core.m1%ROWTYPE;\nBEGIN\n{indented(self.pick(forms))}\nEND"
        return f"{head} {BODY.format(body)}"

    def deep(self) -> str:
        """A procedure that calls itself, and ends."""
        self.made.add("deep")
        steps = [
            f"INSERT INTO {self.pick(TARGETS)} SELECT z.k, z.t, b, z.w FROM {self.table()} AS z WHERE z.t = a;",
            f"SELECT MAX(z.v) INTO b FROM {self.table()} AS z WHERE z.t = a;",
            f"INSERT INTO {self.pick(TARGETS)} (k, v) VALUES (d, b);",
            f"IF b IS NULL THEN\n  b := {self.subquery('a')};\nEND IF;",
        ]
        first, last = self.draw.sample(steps, 2), self.draw.sample(steps, self.draw.randint(0, 1))
        own = self.pick(["a", *TEXTS])
        body = "\n".join([*first, f"CALL core.deep({own}, b, d - 1);", *last])
        text = f"BEGIN\n  IF d > 0 THEN\n{indented(indented(body))}\n  END IF;\nEND"
        return f"CREATE PROCEDURE core.deep(a TEXT, INOUT b TEXT, d INTEGER) {BODY.format(text)}"

    def deep_function(self) -> str:
        self.made.add("fr")
        other = self.pick([self.subquery("f"), "g", "COALESCE(g, f)"]) if self.chance(0.8) else self.subquery("f")
        text = f"BEGIN\n  IF d > 0 THEN\n    RETURN core.fr(f, {other}, d - 1);\n  END IF;\n  RETURN g;\nEND"
        return f"CREATE FUNCTION core.fr(f TEXT, g TEXT, d INTEGER) RETURNS TEXT {BODY.format(text)}"

    def writing(self) -> str:
        """A function that writes."""
        self.made.add("wr")
        steps = [
            f"INSERT INTO {self.pick(TARGETS)} (t, v) VALUES (f, g);",
            f"UPDATE {self.pick(TARGETS)} AS z SET w = g WHERE z.t = f;",
            f"INSERT INTO {self.pick(TARGETS)} SELECT z.k, z.t, g, z.v FROM {self.table()} AS z WHERE z.t = f;",
        ]
        body = "\n".join([*self.draw.sample(steps, self.draw.randint(1, 2)), f"RETURN {self.pick(['g', 'NULL'])};"])
        text = f"BEGIN\n{indented(body)}\nEND"
        return f"CREATE FUNCTION core.wr(f TEXT, g TEXT) RETURNS TEXT {BODY.format(text)}"

    def outs(self) -> str:
        """A function, and a procedure, that give several values back."""
        self.made.add("outs")
        text = (
            f"BEGIN\n  SELECT z.v, z.w INTO h, i FROM {self.table()} AS z WHERE z.t = f LIMIT 1;\n"
            f"  IF h IS NULL THEN\n    i := {self.subquery('f')};\n  END IF;\nEND"
        )
        return (
            f"CREATE FUNCTION core.o(f TEXT, OUT h TEXT, OUT i TEXT) {BODY.format(text)}\n"
            f"CREATE PROCEDURE core.op(f TEXT, OUT h TEXT, OUT i TEXT) {BODY.format(text)}"
        )

    def statement_trigger(self) -> str:
        where = f" WHERE {self.test('n', outer=False)}" if self.chance(0.5) else ""
        event = self.pick(["INSERT", "INSERT", "DELETE", "UPDATE"])
        rows = "NEW" if event == "INSERT" else "OLD"
        text = f"BEGIN\n  INSERT INTO core.m3 SELECT n.k, n.t, n.w, n.v FROM moved AS n{where};\n  RETURN NULL;\nEND"
        return (
            f"CREATE FUNCTION core.g_all() RETURNS TRIGGER {BODY.format(text)}\nCREATE TRIGGER g_all AFTER {event} "
            f"ON core.m1 REFERENCING {rows} TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION core.g_all();"
        )

    def row_trigger(self) -> str:
        """A trigger that may put another row in the place of the one that is written."""
        text = (
            f"DECLARE\n  r core.m2%ROWTYPE;\nBEGIN\n  IF {self.row_test('NEW')} THEN\n"
            f"    SELECT z.k, z.t, z.w, {self.pick(['z.v', 'NEW.w'])} INTO r FROM {self.table()} AS z WHERE z.t = NEW.t"
            f" LIMIT 1;\n    {self.pick(['NEW := r;', 'RETURN r;'])}\n  END IF;\n  RETURN NEW;\nEND"
        )
        return (
            f"CREATE FUNCTION core.g_row() RETURNS TRIGGER {BODY.format(text)}\nCREATE TRIGGER g_row BEFORE INSERT "
            "ON core.m2 FOR EACH ROW EXECUTE FUNCTION core.g_row();"
        )

    # -- steps --------------------------------------------------------------------------------------------------------

    def choices(self, depth: int, extra: list[str]) -> list[Callable[[int, list[str]], str]]:
        found = super().choices(depth, extra)
        found += [self.run_text, self.run_text, self.merge, self.merge, self.conflict, self.conflict]
        found += [self.row_value, self.row_value, self.moved, self.changed, self.counted, self.array]
        if self.guarded:
            found += [self.strict]
        if depth < 3:
            found += [self.opened, self.opened, self.with_arguments, self.with_arguments, self.each, self.labelled]
            found += [self.run_loop, self.reopened]
        if "view" in self.made:
            found += [self.viewed] * 3
        if "rows" in self.made:
            found += [self.rows_used] * 4
        if "deep" in self.made:
            found += [
                lambda _d, _e: f"CALL core.deep({self.some_text()}, {self.pick(self.names[2:])}, {self.number()});"
            ]
        if "fr" in self.made:
            found += [self.recursion_used]
        if "wr" in self.made:
            found += [self.written] * 2
        if "outs" in self.made:
            found += [self.outs_used] * 2
        if self.ending and not self.guarded:
            found += [lambda _d, _e: self.pick(["COMMIT;", "ROLLBACK;"])] * 4
        if self.temporary:
            found += [self.dropped]
        return found

    def some_text(self) -> str:
        return self.pick([self.names[1], "a", *TEXTS])

    def number(self) -> str:
        return str(self.draw.randint(0, 3))

    def run_text(self, _d: int, _e: list[str]) -> str:
        n, s, x, y = self.names
        target, table = self.pick(TARGETS), self.table()
        columns = "z.k, z.t, z.v, z.w"
        form = self.draw.randrange(10)
        if form == 0:
            text = f"INSERT INTO {target} SELECT {columns} FROM {table} AS z WHERE {self.test('z', outer=False)}"
            return f"EXECUTE {quoted(text)};"
        if form == 1:
            return f"EXECUTE {quoted(f'INSERT INTO {target} SELECT * FROM ')} || {quoted(table)};"
        if form == 2:
            text = f"INSERT INTO {target} SELECT z.k, $1, z.v, $2 FROM {table} AS z WHERE z.t = $1 OR z.k > $3"
            return f"EXECUTE {quoted(text)} USING {s}, {x}, {n};"
        if form == 3:
            text = f"SELECT MAX(z.v), MIN(z.t) FROM {table} AS z WHERE z.k > $1"
            return f"EXECUTE {quoted(text)} INTO {x}, {s} USING {n};"
        if form == 4:
            return f"EXECUTE {quoted(f'UPDATE {target} AS z SET v = $1 WHERE z.t = $2')} USING {y}, {self.some_text()};"
        if form == 5:
            change = f"IF {self.variable_test()} THEN\n  place := {quoted(self.table())};\nEND IF;"
            run = f"EXECUTE {quoted(f'INSERT INTO {target} SELECT * FROM ')} || place;"
            return f"DECLARE\n  place TEXT := {quoted(table)};\nBEGIN\n{indented(change)}\n  {run}\nEND;"
        if form == 6:
            name = table.partition(".")[2]
            return f"EXECUTE format('INSERT INTO %s SELECT * FROM %I.%I', {quoted(target)}, 'raw', {quoted(name)});"
        if form == 7:
            text = f"INSERT INTO {target} SELECT {columns} FROM {table} AS z WHERE z.t = "
            return f"EXECUTE {quoted(text)} || quote_nullable({self.some_text()});"
        if form == 8 and self.helper:
            return f"EXECUTE {quoted('CALL core.q($1)')} USING {self.some_text()};"
        text = f"SELECT {columns} FROM {table} AS z WHERE z.t = $1 LIMIT 1"
        into = f"EXECUTE {quoted(text)} INTO one USING {self.some_text()};"
        use = f"INSERT INTO {target} VALUES (one.k, one.t, one.w, {self.pick([x, 'one.v'])});"
        return f"DECLARE\n  one RECORD;\nBEGIN\n  {into}\n  {use}\nEND;"

    def merge(self, _d: int, _e: list[str]) -> str:
        _n, s, x, y = self.names
        target = self.pick([*TARGETS, KEYED])
        inner = self.test("z") if self.chance(0.6) else "TRUE"
        columns = "z.k, MIN(z.t) AS t, MIN(z.v) AS v, MAX(z.w) AS w"
        made = f"SELECT {columns} FROM {self.table()} AS z WHERE {inner} GROUP BY z.k"
        also = f" AND {self.pick([self.test('o'), self.test('z', outer=False)])}" if self.chance(0.3) else ""
        arms = []
        for _ in range(self.draw.randint(0, 2)):
            under = (
                f" AND {self.pick([self.test('o'), self.test('z'), self.variable_test()])}" if self.chance(0.6) else ""
            )
            value = self.pick([x, "o.v", "o.w", "z.w", "COALESCE(z.v, o.v)"])
            then = self.pick(
                [f"UPDATE SET v = {value}", f"UPDATE SET {self.pick('vw')} = {value}", "DELETE", "DO NOTHING"]
            )
            arms.append(f"WHEN MATCHED{under} THEN {then}")
        for _ in range(self.draw.randint(0 if arms else 1, 2)):
            under = f" AND {self.pick([self.test('o'), self.variable_test()])}" if self.chance(0.5) else ""
            values = f"o.k, {self.pick(['o.t', s])}, {self.pick([x, y, 'o.v'])}, {self.pick(['o.w', 'o.v'])}"
            arms.append(f"WHEN NOT MATCHED{under} THEN INSERT (k, t, v, w) VALUES ({values})")
        # Behind an arm without a test of its own there is none of its kind.
        arms.sort(key=lambda arm: " AND " not in arm.partition(" THEN ")[0])
        bare = [arm for arm in arms if " AND " not in arm.partition(" THEN ")[0]]
        kinds = {arm.partition(" THEN ")[0]: arm for arm in bare}
        arms = [arm for arm in arms if arm not in bare] + [*kinds.values()]
        if self.chance(0.2):
            arms.append(f"WHEN NOT MATCHED BY SOURCE THEN {self.pick(['DELETE', f'UPDATE SET w = {x}'])}")
        lines = "\n".join(arms)
        return f"MERGE INTO {target} AS z USING ({made}) AS o ON o.k = z.k{also}\n{indented(lines)};"

    def conflict(self, _d: int, _e: list[str]) -> str:
        n, s, x, y = self.names
        value = self.pick([x, y, "EXCLUDED.v", "EXCLUDED.w", "z.w", "COALESCE(z.v, EXCLUDED.v)", "z.v || EXCLUDED.w"])
        where = self.pick(["", "", f" WHERE {self.test('z')}", f" WHERE {self.test('EXCLUDED')}"])
        # A variable of that name would be meant by (k).
        key = "ON CONSTRAINT m4_k_key" if n == "k" else "(k)"
        done = f"{key} DO UPDATE SET {self.pick(['v', 'w'])} = {value}{where}"
        done = self.pick([done, done, f"{key} DO UPDATE SET (v, w) = ROW(EXCLUDED.w, {x}){where}", "DO NOTHING"])
        if self.chance(0.3):
            given = f"VALUES ({n}, {s}, {self.value()}, {y})"
        else:
            columns = f"o.k, MIN(o.t), MIN(o.v), {self.pick([x, 'MAX(o.w)'])}"
            given = f"SELECT {columns} FROM {self.table()} AS o WHERE {self.test('o')} GROUP BY o.k"
        return f"INSERT INTO {KEYED} AS z (k, t, v, w) {given} ON CONFLICT {done};"

    def row_value(self, _d: int, _e: list[str]) -> str:
        """A row in a variable, of which parts change."""
        _n, _s, x, y = self.names
        table = self.pick([*TABLES, *TARGETS])
        steps = [f"SELECT * INTO one FROM {table} AS z WHERE {self.test('z')} LIMIT 1;"]
        if self.chance(0.5):
            steps.append(f"one.{self.pick('vw')} := {self.pick([x, y, 'one.w'])};")
        if self.chance(0.3):
            steps.append("two := one;")
        else:
            steps.append(f"SELECT * INTO two FROM {self.table()} AS z WHERE {self.test('z')} LIMIT 1;")
        if self.chance(0.3):
            steps.append(f"IF {self.row_test('one')} THEN\n  one := two;\nEND IF;")
        row = self.pick(["one", "two"])
        target = self.pick(TARGETS)
        uses = [
            f"INSERT INTO {target} VALUES ({row}.k, {row}.t, {row}.w, {row}.v);",
            f"{x} := {row}.{self.pick('vw')};",
        ]
        typed = self.chance(0.5)
        if typed:
            uses += [f"INSERT INTO {target} VALUES ({row}.*);", f"INSERT INTO {target} SELECT {row}.*;"]
        steps.append(self.pick(uses))
        declared = "one core.m1%ROWTYPE;\n  two core.m1%ROWTYPE;" if typed else "one RECORD;\n  two RECORD;"
        return f"DECLARE\n  {declared}\nBEGIN\n{indented(chr(10).join(steps))}\nEND;"

    def moved(self, _d: int, _e: list[str]) -> str:
        """Rows that one change gives to another."""
        one, other = self.draw.sample(TARGETS, 2)
        test, table = self.test("z"), self.table()
        first = self.pick([
            f"DELETE FROM {one} AS z WHERE {test} RETURNING z.k, z.t, z.v, z.w",
            f"UPDATE {one} AS z SET v = {self.pick([self.names[2], 'z.w'])} WHERE {test} RETURNING z.k, z.t, z.v, z.w",
            f"INSERT INTO {one} SELECT z.k, z.t, {self.carried('z')}, z.w FROM {table} AS z RETURNING k, t, v, w",
        ])  # fmt: skip
        if self.names[0] == "k" and first.endswith(" k, t, v, w"):
            first = first.removesuffix(" k, t, v, w") + " *"
        where = f" WHERE {self.test('d')}" if self.chance(0.5) else ""
        return f"WITH d AS ({first}) INSERT INTO {other} SELECT d.k, d.t, d.w, d.v FROM d{where};"

    def changed(self, _d: int, _e: list[str]) -> str:
        """What a change gives goes into variables."""
        _n, s, x, y = self.names
        target, test = self.pick(TARGETS), f"z.k = {self.pick(NUMBERS)}"
        first = self.pick([
            f"UPDATE {target} AS z SET v = {y} WHERE {test}", f"DELETE FROM {target} AS z WHERE {test}",
        ])  # fmt: skip
        return f"{first} RETURNING {self.pick(['z.v', 'z.w'])}, z.t INTO {x}, {s};"

    def counted(self, _d: int, _e: list[str]) -> str:
        n = self.names[0]
        change = self.pick([self.update, self.insert, self.delete])(_d, _e)
        return f"{change}\n{self.pick([f'GET DIAGNOSTICS {n} = ROW_COUNT;', f'{n} := LENGTH({self.names[1]});'])}"

    def strict(self, _d: int, _e: list[str]) -> str:
        _n, s, x, _y = self.names
        return f"SELECT z.v, z.t INTO STRICT {x}, {s} FROM {self.table()} AS z WHERE {self.test('z')};"

    def opened(self, depth: int, extra: list[str]) -> str:
        """OPEN ... FOR, of a query or of a text."""
        n, s, x, y = self.names
        table = self.table()
        forms = [f"FOR SELECT z.k, z.t, z.v FROM {table} AS z WHERE {self.test('z')}"]
        text = f"SELECT z.k, z.t, z.w FROM {table} AS z WHERE z.t = $1"
        forms.append(f"FOR EXECUTE {quoted(text)} USING {self.some_text()}")
        first = f"OPEN place {self.pick(forms)};"
        if self.chance(0.3):
            first = f"IF {self.variable_test()} THEN\n  OPEN place {forms[0]};\nELSE\n  {first}\nEND IF;"
        fetch = f"FETCH place INTO {n}, {s}, {self.pick([x, y])};"
        if self.chance(0.5):
            rest = f"LOOP\n  {fetch}\n  EXIT WHEN NOT FOUND;\n{self.looped(depth + 1, extra)}\nEND LOOP;"
        else:
            rest = f"{fetch}\n{self.steps(depth + 1, 1, extra)}"
        return f"DECLARE\n  place REFCURSOR;\nBEGIN\n{indented(first)}\n{indented(rest)}\n  CLOSE place;\nEND;"

    def reopened(self, depth: int, extra: list[str]) -> str:
        """A cursor that each round opens for what the next one gets of it."""
        n, s, x, y = self.names
        first, other = (f"SELECT z.k, z.t, {self.carried('z')} FROM {self.table()} AS z" for _ in range(2))
        fetch = f"FETCH place INTO {n}, {s}, {self.pick([x, y])};"
        again = f"CLOSE place;\nOPEN place FOR {other} WHERE {self.test('z')};"
        body = f"{indented(fetch)}\n{self.looped(depth + 1, extra)}\n{indented(again)}"
        loop = f"OPEN place FOR {first};\nFOR j IN 1..2 LOOP\n{body}\nEND LOOP;\nCLOSE place;"
        return f"DECLARE\n  place REFCURSOR;\nBEGIN\n{indented(loop)}\nEND;"

    def array(self, _d: int, _e: list[str]) -> str:
        """Values of an array, one by one."""
        _n, _s, x, y = self.names
        steps = [f"held[1] := {self.value()};", f"held[2] := {self.pick([y, self.value()])};"]
        steps.append(f"held[2] := (SELECT MAX(z.{self.pick('vw')}) FROM {self.table()} AS z WHERE {self.test('z')});")
        steps.append(f"IF {self.variable_test()} THEN\n  held[1] := {x};\nEND IF;")
        chosen = "\n".join([*self.draw.sample(steps, 2), f"{self.pick([x, y])} := held[{self.pick('12')}];"])
        return f"DECLARE\n  held TEXT[];\nBEGIN\n{indented(chosen)}\nEND;"

    def with_arguments(self, depth: int, extra: list[str]) -> str:
        """A cursor with arguments."""
        n, s, x, y = self.names
        value = self.pick(["g", "z.v", "COALESCE(z.w, g)"])
        made = f"place CURSOR (f TEXT, g TEXT) FOR SELECT z.k, z.t, {value} AS v FROM {self.table()} AS z WHERE z.t = f"
        text, given = self.some_text(), self.pick([x, y])
        arguments = self.pick([f"{text}, {given}", f"g := {given}, f := {text}"])
        if self.chance(0.5):
            self.blocks += 1
            row = f"c{self.blocks}"
            use = self.pick([f"INSERT INTO {self.pick(TARGETS)} (k, v) VALUES ({row}.k, {row}.v);", f"{x} := {row}.v;"])
            rest = f"FOR {row} IN place({arguments}) LOOP\n  {use}\n{self.looped(depth + 1, extra)}\nEND LOOP;"
        else:
            fetch = f"FETCH place INTO {n}, {s}, {self.pick([x, y])};"
            rest = f"OPEN place({arguments});\n{fetch}\n{self.steps(depth + 1, 1, extra)}\nCLOSE place;"
        return f"DECLARE\n  {made};\nBEGIN\n{indented(rest)}\nEND;"

    def run_loop(self, depth: int, extra: list[str]) -> str:
        """The rows of a text that is run."""
        x = self.names[2]
        self.blocks += 1
        row = f"c{self.blocks}"
        text = f"SELECT z.k, z.t, z.v, z.w FROM {self.table()} AS z WHERE z.t = $1"
        use = self.pick([f"INSERT INTO {self.pick(TARGETS)} VALUES ({row}.*);", f"{x} := {row}.{self.pick('vw')};"])
        loop = f"FOR {row} IN EXECUTE {quoted(text)} USING {self.some_text()} LOOP"
        return f"DECLARE\n  {row} RECORD;\nBEGIN\n  {loop}\n  {use}\n{self.looped(depth + 1, extra)}\n  END LOOP;\nEND;"

    def each(self, depth: int, extra: list[str]) -> str:
        """The elements of an array."""
        _n, _s, x, y = self.names
        agg = f"(SELECT ARRAY_AGG(z.{self.pick('vw')}) FROM {self.table()} AS z WHERE {self.test('z')})"
        array = self.pick([f"ARRAY[{x}, {y}]", f"COALESCE({agg}, ARRAY[{y}])"])
        return f"FOREACH {self.pick([x, y])} IN ARRAY {array} LOOP\n{self.looped(depth, extra)}\nEND LOOP;"

    def labelled(self, depth: int, extra: list[str]) -> str:
        """A block that is left by its name."""
        self.blocks += 1
        name = f"b{self.blocks}"
        before, after = self.inner(depth, extra), self.inner(depth, extra)
        return f"<<{name}>>\nBEGIN\n{before}\n  EXIT {name} WHEN {self.variable_test()};\n{after}\nEND;"

    def viewed(self, _d: int, _e: list[str]) -> str:
        _n, s, x, _y = self.names
        rows = f"SELECT z.k, z.t, z.v, {self.carried('z')} FROM {self.table()} AS z WHERE {self.test('z')}"
        return self.pick([
            f"INSERT INTO {VIEW} {rows};",
            f"INSERT INTO {VIEW} VALUES ({self.pick(NUMBERS)}, {s}, {x}, {self.value()});",
            f"UPDATE {VIEW} AS z SET {self.pick('vw')} = {self.pick([x, 'z.w', 'z.v'])} WHERE {self.test('z')};",
            f"DELETE FROM {VIEW} AS z WHERE {self.test('z')};",
            f"INSERT INTO core.m3 SELECT z.k, z.t, z.w, z.v FROM {VIEW} AS z WHERE {self.test('z')};",
        ])  # fmt: skip

    def rows_used(self, _d: int, _e: list[str]) -> str:
        _n, _s, x, _y = self.names
        call = f"core.h({self.some_text()}{self.pick(['', f', {x}', f', g => {x}'])})"
        where = f" WHERE {self.test('z')}" if self.chance(0.5) else ""
        form = self.draw.randrange(4)
        if form == 0:
            return f"SELECT z.{self.pick('vw')} INTO {x} FROM {call} AS z{where} LIMIT 1;"
        if form == 1:
            return f"INSERT INTO {self.pick(TARGETS)} SELECT * FROM {call};"
        if form == 2:
            join = f"{self.table()} AS o CROSS JOIN LATERAL core.h(o.t, o.v) AS z"
            return f"INSERT INTO {self.pick(TARGETS)} SELECT o.k, z.t, z.v, z.w FROM {join}{where};"
        return f"INSERT INTO {self.pick(TARGETS)} SELECT z.k, z.t, z.v, z.w FROM {call} AS z{where};"

    def recursion_used(self, _d: int, _e: list[str]) -> str:
        _n, _s, x, y = self.names
        if self.chance(0.5):
            return f"{x} := core.fr({self.some_text()}, {y}, {self.number()});"
        target = self.pick(TARGETS)
        return (
            f"INSERT INTO {target} SELECT z.k, z.t, core.fr(z.t, z.v, {self.number()}), {y} FROM {self.table()} AS z;"
        )

    def written(self, _d: int, _e: list[str]) -> str:
        _n, _s, x, y = self.names
        return self.pick([
            f"PERFORM core.wr({self.some_text()}, {x});",
            f"{x} := core.wr({self.some_text()}, {y});",
            f"SELECT core.wr({self.some_text()}, {y}) INTO {x};",
            f"PERFORM core.wr(z.t, z.{self.pick('vw')}) FROM {self.table()} AS z WHERE {self.test('z')};",
            f"INSERT INTO core.m1 (k, v) SELECT z.k, core.wr(z.t, z.w) FROM {self.table()} AS z;",
        ])  # fmt: skip

    def outs_used(self, _d: int, _e: list[str]) -> str:
        _n, _s, x, y = self.names
        calls = [
            f"CALL core.op({self.some_text()}, {x}, {y});",
            f"CALL core.op(i => {x}, f => {self.some_text()}, h => {y});",
        ]
        return self.pick([
            *calls,
            f"SELECT z.h, z.i INTO {x}, {y} FROM core.o({self.some_text()}) AS z;",
            f"SELECT * INTO {x}, {y} FROM core.o({self.some_text()});",
            f"{x} := (core.o({self.some_text()})).i;",
        ])  # fmt: skip

    def dropped(self, _d: int, _e: list[str]) -> str:
        """A table is gone on one way, and made where it is not there."""
        made = f"SELECT z.k, z.t, {self.carried('z')} AS v, z.w FROM {self.table()} AS z WHERE {self.test('z')}"
        gone = f"IF {self.variable_test()} THEN\n  DROP TABLE kept;\nEND IF;"
        return f"{gone}\nCREATE TEMP TABLE IF NOT EXISTS kept AS {made};"

    def handled(self, depth: int, extra: list[str]) -> str:
        self.guarded += 1
        found = super().handled(depth, extra)
        self.guarded -= 1
        return found

    def procedure(self, name: str, arguments: str, depth: int) -> str:
        # Who is called may be called where no transaction can end.
        self.guarded += name != "core.p"
        found = super().procedure(name, arguments, depth)
        self.guarded -= name != "core.p"
        return found
