"""Random queries in Spark's SQL over a few tables: joins, stars, CTEs, views, groups, windows, pivots, generators."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

TABLE = {
    "k": "int",
    "t": "string",
    "v": "string",
    "w": "string",
    "l": "array<string>",
    "o": "struct<x: string, y: int>",
}
TABLES = ("s1", "s2", "s3")
TEXTS = ("'a'", "'b'", "'c'")


class Relation(NamedTuple):
    """What stands behind FROM, the name of its rows, and its columns with their types."""

    sql: str
    alias: str
    columns: dict[str, str]


class Written(NamedTuple):
    """A query, and its columns with their types."""

    sql: str
    columns: dict[str, str]


class SparkWriter:
    """Writes queries; the same seed writes the same ones. ``views`` are those made before, with their columns."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        self.views: dict[str, dict[str, str]] = {}
        self._names = 0

    def statement(self) -> Written:
        """A query of whatever form."""
        forms = (self.select, self.grouped, self.windowed, self.combined, self.with_, self.starred, self.pivoted)
        forms += (self.unpivoted, self.taken_apart, self.correlated)
        return self.draw.choices(forms, (5, 3, 3, 3, 3, 3, 1, 1, 3, 2))[0](0)

    # -- forms ---------------------------------------------------------------------------------------------------------

    def select(self, depth: int) -> Written:
        text, rows = self.sources(depth)
        columns = {"k": "int", "t": "string", "v": "string", "w": "string"}
        given = [f"{self.value(rows, kind)} AS {name}" for name, kind in columns.items()]
        if depth == 0:
            for number in range(self.draw.randint(0, 3)):
                kind = self.draw.choice(["int", "string", "array<string>", "struct<x: string, y: int>"])
                columns[f"x{number}"] = kind
                given.append(f"{self.value(rows, kind)} AS x{number}")
        where = f"\nWHERE {self.condition(rows)}" if self.draw.random() < 0.6 else ""
        distinct = "DISTINCT " if self.draw.random() < 0.1 else ""
        order = "\nORDER BY k LIMIT 10" if depth == 0 and self.draw.random() < 0.2 else ""
        return Written(f"SELECT {distinct}{', '.join(given)}\nFROM {text}{where}{order}", columns)

    def grouped(self, depth: int) -> Written:
        text, rows = self.sources(depth)
        key, label = self.value(rows, "int", plain=True), self.value(rows, "string", plain=True)
        measures = {"v": self.aggregate(rows), "w": self.aggregate(rows)}
        by = self.draw.choice(["{0}, {1}", "ROLLUP({0}, {1})", "CUBE({0}, {1})", "{0}, {1} WITH ROLLUP", "ALL", "1, 2"])
        by = by if key != label else "1, 2"
        having = "\nHAVING COUNT(*) > 1" if self.draw.random() < 0.3 else ""
        given = f"{key} AS k, {label} AS t, {measures['v']} AS v, {measures['w']} AS w"
        where = f"\nWHERE {self.condition(rows)}" if self.draw.random() < 0.5 else ""
        columns = {"k": "int", "t": "string", "v": "string", "w": "string"}
        return Written(f"SELECT {given}\nFROM {text}{where}\nGROUP BY {by.format(key, label)}{having}", columns)

    def windowed(self, depth: int) -> Written:
        text, rows = self.sources(depth)
        part = self.value(rows, "int", plain=True)
        order = self.value(rows, "string", plain=True)
        over = f"OVER (PARTITION BY {part} ORDER BY {order})"
        taken = self.value(rows, "string")
        values = [
            f"LAG({taken}) {over}",
            f"LEAD({taken}, 1, {self.value(rows, 'string')}) {over}",
            f"FIRST_VALUE({taken}) {over}",
            f"MAX({taken}) {over}",
            f"CONCAT(MIN({taken}) {over}, {self.value(rows, 'string', plain=True)})",
            f"NTH_VALUE({taken}, 2) {over}",
        ]
        ranks = self.draw.choice(["ROW_NUMBER()", "RANK()", "DENSE_RANK()", "NTILE(2)", "COUNT(*)"])
        given = f"{ranks} {over} AS k, {order} AS t, {self.draw.choice(values)} AS v, {self.draw.choice(values)} AS w"
        columns = {"k": "int", "t": "string", "v": "string", "w": "string"}
        named = f"SELECT {given}\nFROM {text}"
        if self.draw.random() < 0.3:
            named = named.replace(over, "OVER z") + f"\nWINDOW z AS (PARTITION BY {part} ORDER BY {order})"
        return Written(named, columns)

    def combined(self, depth: int) -> Written:
        one, other = self.select(depth + 1), self.draw.choice([self.select, self.grouped])(depth + 1)
        word = self.draw.choice(["UNION ALL", "UNION", "UNION DISTINCT", "EXCEPT", "MINUS", "INTERSECT"])
        third = f"\nUNION ALL\n({self.select(depth + 1).sql})" if self.draw.random() < 0.2 else ""
        return Written(f"({one.sql})\n{word}\n({other.sql}){third}", one.columns)

    def with_(self, depth: int) -> Written:
        inner = self.inner(depth)
        names = "" if self.draw.random() < 0.7 else f"({', '.join(f'c_{name}' for name in inner.columns)})"
        columns = {f"c_{name}" if names else name: kind for name, kind in inner.columns.items()}
        again = ""
        if self.draw.random() < 0.4:
            again = ", d AS (SELECT *, 1 AS one FROM c)"
        source = "d" if again and self.draw.random() < 0.7 else "c"
        given = {**columns, "one": "int"} if source == "d" else columns
        one = next(iter(columns))
        if self.draw.random() < 0.5:
            return Written(f"WITH c{names} AS (\n{inner.sql}\n){again}\nSELECT * FROM {source}", given)
        renamed = {f"y_{name}": kind for name, kind in given.items()}
        text = ", ".join(f"q.{name} AS y_{name}" for name in given)
        join = f"{source} q JOIN c r ON q.{one} = r.{one}"
        return Written(f"WITH c{names} AS (\n{inner.sql}\n){again}\nSELECT {text} FROM {join}", renamed)

    def starred(self, depth: int) -> Written:
        one, other = self.relation(depth), self.relation(depth, "b")
        shape = self.draw.randrange(6)
        equal = " = ".join(self.value([row], "string", plain=True) for row in (one, other))
        if shape == 0:
            return Written(f"SELECT * FROM {one.sql}", one.columns)
        if shape == 1:
            left = self.draw.choice(list(one.columns))
            kept = {name: kind for name, kind in one.columns.items() if name != left}
            return Written(f"SELECT * EXCEPT ({left}) FROM {one.sql}", kept)
        if shape == 2:
            text = f"SELECT a.k, a.o.* FROM {self.draw.choice(TABLES)} a"
            return Written(text, {"k": "int", "x": "string", "y": "int"})
        if shape == 3:
            more = self.value([one, other], "string")
            text = f"SELECT a.*, {more} AS more FROM {one.sql} LEFT JOIN {other.sql} ON {equal}"
            return Written(text, {**one.columns, "more": "string"})
        shared = [name for name in one.columns if name in other.columns]
        if shape == 4 and shared:
            kind = self.draw.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
            keys = [name for name in shared if name in ("k", "t")] or shared[:1]
            rest = ", ".join(
                f"{row.alias}.{name} AS {row.alias}_{name}" for row in (one, other) for name in shared[-2:]
            )
            text = f"SELECT {', '.join(keys)}, {rest} FROM {one.sql} {kind} {other.sql} USING ({', '.join(keys)})"
            named = {f"{row.alias}_{name}": row.columns[name] for row in (one, other) for name in shared[-2:]}
            return Written(text, {**{name: one.columns[name] for name in keys}, **named})
        kind = self.draw.choice(["LEFT SEMI JOIN", "LEFT ANTI JOIN"])
        return Written(f"SELECT * FROM {one.sql} {kind} {other.sql} ON {equal}", one.columns)

    def pivoted(self, _depth: int) -> Written:
        table = self.draw.choice(TABLES)
        aggregates = self.draw.choice(["MAX(v) AS m", "MAX(v) AS m, MIN(w) AS n"])
        names = ["p", "q"] if "," not in aggregates else ["p_m", "p_n", "q_m", "q_n"]
        text = f"SELECT * FROM (SELECT k, t, v, w FROM {table}) PIVOT ({aggregates} FOR t IN ('a' AS p, 'b' AS q))"
        # What is neither summed up nor looked at stays a key.
        keys = {"k": "int"} if "," in aggregates else {"k": "int", "w": "string"}
        return Written(text, {**keys, **dict.fromkeys(names, "string")})

    def unpivoted(self, _depth: int) -> Written:
        table = self.draw.choice(TABLES)
        nulls = self.draw.choice(["", "INCLUDE NULLS ", "EXCLUDE NULLS "])
        text = f"SELECT * FROM (SELECT k, t, v, w FROM {table}) UNPIVOT {nulls}(worth FOR called IN (v, w AS second))"
        return Written(text, {"k": "int", "t": "string", "called": "string", "worth": "string"})

    def taken_apart(self, depth: int) -> Written:
        one = self.relation(depth)
        arrays = [name for name, kind in one.columns.items() if kind.startswith("array")]
        array = f"a.{arrays[0]}" if arrays else f"SPLIT({self.value([one], 'string', plain=True)}, ',')"
        outer = self.draw.choice(["", "OUTER "])
        key = self.value([one], "int", plain=True)
        item = f"item{depth}"
        shape = self.draw.randrange(6)
        if shape == 0:
            text = f"SELECT {key} AS k, e.{item} FROM {one.sql} LATERAL VIEW {outer}EXPLODE({array}) e AS {item}"
        elif shape == 1:
            text = f"SELECT {key} AS k, UPPER({item}) AS {item} FROM {one.sql}, LATERAL EXPLODE({array}) AS e({item})"
        elif shape == 2:
            text = f"SELECT {key} AS k, EXPLODE({array}) AS {item} FROM {one.sql}"
        elif shape == 3:
            of = self.value([one], "string", plain=True)
            text = f"SELECT {key} AS k, {item} FROM {one.sql} LATERAL VIEW JSON_TUPLE({of}, 'b') e AS {item}"
        elif shape == 4:
            text = (
                f"SELECT {key} AS k, {item} FROM {one.sql} LATERAL VIEW {outer}POSEXPLODE({array}) e AS place, {item}"
            )
        else:
            made = f"ARRAY(NAMED_STRUCT('x', {self.value([one], 'string')}))"
            text = f"SELECT {key} AS k, x AS {item} FROM {one.sql} LATERAL VIEW INLINE({made}) e AS x"
        return Written(text, {"k": "int", item: "string"})

    def correlated(self, depth: int) -> Written:
        one = self.relation(depth)
        table = self.draw.choice(TABLES)
        key = self.value([one], "int", plain=True)
        if self.draw.random() < 0.5:
            inner = f"SELECT MAX(z.{self.draw.choice('vw')}) FROM {table} z WHERE z.k = {key}"
            return Written(f"SELECT {key} AS k, ({inner}) AS most FROM {one.sql}", {"k": "int", "most": "string"})
        kind = self.draw.choice(["JOIN", "LEFT JOIN", "CROSS JOIN"])
        more = f"CONCAT(z.w, {self.value([one], 'string', plain=True)})"
        inner = f"SELECT z.v, {more} AS both FROM {table} z WHERE z.k = {key}"
        text = f"SELECT {key} AS k, y.v AS most, y.both FROM {one.sql} {kind} LATERAL ({inner}) y"
        return Written(text, {"k": "int", "most": "string", "both": "string"})

    # -- parts ---------------------------------------------------------------------------------------------------------

    def inner(self, depth: int) -> Written:
        """A query to stand within another."""
        forms = (self.select, self.grouped, self.windowed, self.combined, self.starred, self.taken_apart)
        return self.draw.choice(forms if depth < 1 else (self.select,))(depth + 1)

    def relation(self, depth: int, alias: str = "a") -> Relation:
        if depth < 1 and self.draw.random() < 0.25:
            found = self.inner(depth)
            return Relation(f"(\n{found.sql}\n) {alias}", alias, found.columns)
        if self.views and self.draw.random() < 0.3:
            name = self.draw.choice(list(self.views))
            return Relation(f"{name} {alias}", alias, self.views[name])
        if self.draw.random() < 0.05:
            return Relation(
                f"VALUES (1, 'a', 'b'), (2, 'c', 'd') AS {alias}(k, t, v)",
                alias,
                dict(zip("ktv", ("int", "string", "string"), strict=True)),
            )
        return Relation(f"{self.draw.choice(TABLES)} {alias}", alias, TABLE)

    def sources(self, depth: int) -> tuple[str, list[Relation]]:
        rows = [self.relation(depth)]
        text = rows[0].sql
        for alias in "bc"[: self.draw.choice([0, 0, 1, 1, 2])]:
            kind = self.draw.choice(
                ["JOIN", "LEFT JOIN", "RIGHT OUTER JOIN", "FULL JOIN", "CROSS JOIN", "INNER JOIN", ","]
            )
            one = self.relation(depth, alias)
            rows.append(one)
            on = "" if kind in ("CROSS JOIN", ",") else f" ON {self.condition(rows[-2:])}"
            text = f"{text}, {one.sql}" if kind == "," else f"{text}\n  {kind} {one.sql}{on}"
            if kind == ",":
                # Behind a comma a join would see only what stands behind it.
                break
        return text, rows

    def value(self, rows: list[Relation], kind: str, *, plain: bool = False) -> str:
        known = [f"{row.alias}.{name}" for row in rows for name, type_ in row.columns.items() if type_ == kind]
        known += [
            f"{row.alias}.o.x" for row in rows if kind == "string" and row.columns.get("o", "").startswith("struct")
        ]
        if plain or self.draw.random() < 0.4:
            return self.draw.choice(known) if known else self.constant(kind)
        if kind in ("int", "string"):
            return self.draw.choice(self.numbers(rows) if kind == "int" else self.texts(rows))
        return self.draw.choice(self.others(rows, kind))

    def constant(self, kind: str) -> str:
        return {"int": "1", "string": "'a'", "array<string>": "ARRAY('a')"}.get(kind, "NAMED_STRUCT('x', 'a', 'y', 1)")

    def numbers(self, rows: list[Relation]) -> list[str]:
        one, text = self.value(rows, "int", plain=True), self.value(rows, "string", plain=True)
        return [
            f"{one} + {self.value(rows, 'int', plain=True)}",
            f"ABS({one}) * 2",
            f"CAST({text} AS INT)",
            f"LENGTH({text})",
            f"CASE WHEN {self.condition(rows)} THEN {one} ELSE 0 END",
            f"IF({self.condition(rows)}, {one}, {self.value(rows, 'int', plain=True)})",
            f"NVL({one}, 0)",
            f"GREATEST({one}, 3)",
            "42",
        ]

    def texts(self, rows: list[Relation]) -> list[str]:
        one, other = self.value(rows, "string", plain=True), self.value(rows, "string", plain=True)
        number = self.value(rows, "int", plain=True)
        array = self.value(rows, "array<string>", plain=True)
        return [
            f"UPPER({one})",
            f"{one} || {other}",
            f"CONCAT_WS('-', {one}, {other})",
            f"COALESCE({one}, {other}, 'x')",
            f"CASE {one} WHEN 'a' THEN {other} WHEN {other} THEN 'y' END",
            f"CASE WHEN {self.condition(rows)} THEN {one} WHEN {self.condition(rows)} THEN {other} END",
            f"NULLIF({one}, {other})",
            f"NVL2({number}, {one}, {other})",
            f"IFNULL({one}, {other})",
            f"DECODE({number}, 1, {one}, 2, {other}, 'z')",
            f"SUBSTRING({one}, 1, {number})",
            f"CAST({number} AS STRING)",
            f"STRING({number})",
            f"{one}::string",
            f"{array}[0]",
            f"ELEMENT_AT({array}, 1)",
            f"REGEXP_REPLACE({one}, '[0-9]', {other})",
            f"GET_JSON_OBJECT({one}, '$.a')",
            f"NAMED_STRUCT('p', {one}, 'q', {other}).p",
            f"MAP('p', {one})['p']",
            f"DATE_FORMAT(CAST({one} AS DATE), 'yyyy')",
            "CURRENT_DATABASE()",
            self.draw.choice(TEXTS),
        ]

    def others(self, rows: list[Relation], kind: str) -> list[str]:
        one, number = self.value(rows, "string", plain=True), self.value(rows, "int", plain=True)
        if kind.startswith("array"):
            array = self.value(rows, kind, plain=True)
            return [f"SPLIT({one}, ',')", f"ARRAY({one}, 'b')", f"TRANSFORM({array}, e -> CONCAT(e, {one}))"]
        return [f"NAMED_STRUCT('x', {one}, 'y', {number})"]

    def aggregate(self, rows: list[Relation]) -> str:
        one = self.value(rows, "string")
        return self.draw.choice([
            f"MAX({one})",
            f"MIN({one}) FILTER (WHERE {self.condition(rows)})",
            f"FIRST({one}, true)",
            f"CONCAT_WS(',', COLLECT_LIST({one}))",
            f"ARRAY_JOIN(SORT_ARRAY(COLLECT_SET({one})), ',')",
            f"MAX_BY({one}, {self.value(rows, 'int', plain=True)})",
            f"CAST(SUM({self.value(rows, 'int')}) AS STRING)",
            f"CAST(COUNT(DISTINCT {one}) AS STRING)",
            f"MAX(CASE WHEN {self.condition(rows)} THEN {one} END)",
            f"ANY_VALUE({one})",
            "CAST(COUNT(*) AS STRING)",
        ])  # fmt: skip

    def condition(self, rows: list[Relation]) -> str:
        one, number = self.value(rows, "string", plain=True), self.value(rows, "int", plain=True)
        table = self.draw.choice(TABLES)
        forms = [
            f"{one} = {self.draw.choice(TEXTS)}",
            f"{number} > 1",
            f"{one} IS NOT NULL",
            f"{one} LIKE 'a%'",
            f"{number} BETWEEN 1 AND 3",
            f"{one} <=> {self.value(rows, 'string', plain=True)}",
            f"({one} = 'a' OR {number} = 2)",
            f"NOT {one} IN ('a', 'b')",
            f"{one} RLIKE 'x'",
        ]
        if self.draw.random() < 0.1:
            forms += [f"{one} IN (SELECT t FROM {table})", f"EXISTS (SELECT 1 FROM {table} z WHERE z.k = {number})"] * 4
        return self.draw.choice(forms)
