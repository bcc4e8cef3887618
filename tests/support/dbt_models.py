"""Models as dbt projects have them: staging with casts, unions of marts, left joins of CTEs, summaries.

How long they are and how often each construct comes follows a public project of 660 models: 3 kB each, 15 columns, two
UNION ALL, one or two CASE and one or two joins a model, `SELECT *` in every third, columns listed else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

NOUNS = ["claim", "member", "provider", "plan", "payer", "encounter", "location", "diagnosis", "procedure", "pharmacy"]
PARTS = [
    "id",
    "type",
    "code",
    "description",
    "start_date",
    "end_date",
    "paid_amount",
    "allowed_amount",
    "status",
    "source",
]
TYPES = ("varchar", "date", "integer", "numeric(28, 2)", "timestamp")


@dataclass
class Models:
    """Queries by the names of their models, in order of dependence, and the columns of all tables and models."""

    queries: dict[str, str] = field(default_factory=dict)
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def scripts(self) -> dict[str, str]:
        """Statements that make tables and models, by the names of their files."""
        made = {name: f"create view {name} as\n{query}" for name, query in self.queries.items()}
        tables = {
            name: f"create table {name} ({', '.join(f'{column} varchar' for column in columns)})"
            for name, columns in self.columns.items()
            if name not in self.queries
        }
        return {f"{name.replace('.', '/')}.sql": f"{text};\n" for name, text in (tables | made).items()}


class ModelWriter:
    """Writes models, each reading tables or models before it."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.found = Models()

    def models(self, count: int) -> Models:
        """So many models, over a table for every four of them."""
        for number in range(count // 4 + 3):
            self.found.columns[f"raw.table_{number}"] = self.names(18)
        kinds = (self.staging, self.union, self.joined, self.summary)
        for number in range(count):
            columns, query = self.draw.choice(kinds)() if number > 3 else self.staging()
            name = f"mart.model_{number}"
            self.found.queries[name] = query
            self.found.columns[name] = columns
        return self.found

    def names(self, count: int) -> tuple[str, ...]:
        every = [f"{noun}_{part}" for noun in NOUNS for part in PARTS]
        return tuple(self.draw.sample(every, count))

    def source(self) -> tuple[str, tuple[str, ...]]:
        return self.draw.choice(list(self.found.columns.items()))

    # -- kinds of models --------------------------------------------------------------------------------------------

    def staging(self) -> tuple[tuple[str, ...], str]:
        name, columns = self.source()
        given = self.listed({column: self.value("source", columns, column) for column in columns})
        where = f"where source.{columns[0]} is not null and source.{columns[1]} <> 'VOID'"
        star = self.draw.random() < 0.3
        last = "*" if star else self.listed({column: f"renamed.{column}" for column in columns})
        return columns, (
            f"with source as (\n    select * from {name}\n),\nrenamed as (\n    select\n{given}\n    from source\n"
            f"    {where}\n)\nselect\n{last}\nfrom renamed"
        )

    def union(self) -> tuple[tuple[str, ...], str]:
        columns = self.names(15)
        branches = []
        for number in range(self.draw.randint(3, 6)):
            name, own = self.source()
            given = {column: self.value("", own) for column in columns[:-1]} | {columns[-1]: f"'source {number}'"}
            branches.append(f"select\n{self.listed(given)}\nfrom {name}")
        text = "\nunion all\n".join(branches)
        last = self.listed({column: f"unioned.{column}" for column in columns})
        return columns, f"with unioned as (\n{text}\n)\nselect distinct\n{last}\nfrom unioned"

    def joined(self) -> tuple[tuple[str, ...], str]:
        columns, tables, joins, roles = self.names(16), [], [], {}
        for number in range(self.draw.randint(2, 4)):
            name, own = self.source()
            role = f"part_{number}"
            listed = ", ".join(own)
            tables.append(f"{role} as (\n    select {listed}\n    from {name}\n    where {own[0]} = '{number}'\n)")
            roles[role] = own
            if number:
                more = f"\n    and {role}.{own[1]} = 'ACTIVE'" if self.draw.random() < 0.4 else ""
                key = self.draw.choice(roles["part_0"])
                joins.append(f"left join {role}\n    on part_0.{key} = {role}.{own[2]}{more}")
        given = {}
        for column in columns:
            role, own = self.draw.choice(list(roles.items()))
            given[column] = self.value(role, own)
        ctes, text = ",\n".join(tables), "\n".join(joins)
        return columns, f"with {ctes}\nselect\n{self.listed(given)}\nfrom part_0\n{text}"

    def summary(self) -> tuple[tuple[str, ...], str]:
        name, own = self.source()
        keys, measures = own[:4], self.names(8)
        measured = [column for column in measures if column not in keys]
        sums = {column: self.draw.choice((self.counted, self.total))(own) for column in measured}
        given = self.listed({key: key for key in keys} | sums)
        return (*keys, *measured), f"select\n{given}\nfrom {name}\ngroup by {', '.join(keys)}"

    # -- columns ----------------------------------------------------------------------------------------------------

    def counted(self, own: tuple[str, ...]) -> str:
        return f"count(distinct case when {self.draw.choice(own)} = 'PAID' then {self.draw.choice(own)} end)"

    def total(self, own: tuple[str, ...]) -> str:
        return f"sum(cast({self.draw.choice(own)} as numeric(28, 2)))"

    def value(self, role: str, own: tuple[str, ...], column: str = "") -> str:
        prefix = f"{role}." if role else ""
        one, other = (f"{prefix}{column or self.draw.choice(own)}" for _ in range(2))
        other = f"{prefix}{self.draw.choice(own)}"
        kind = self.draw.random()
        if kind < 0.45:
            return f"cast({one} as {self.draw.choice(TYPES)})"
        if kind < 0.5:
            return f"cast(null as {self.draw.choice(TYPES)})"
        if kind < 0.6:
            return f"coalesce({one}, {other})"
        if kind < 0.68:
            return f"case when {other} = 'A' then {one} when {other} in ('B', 'C') then 'other' else null end"
        if kind < 0.76:
            return f"nullif(upper(trim({one})), '')"
        return one

    def listed(self, given: dict[str, str]) -> str:
        return ",\n".join(
            f"    {value} as {name}" if value != name else f"    {value}" for name, value in given.items()
        )
