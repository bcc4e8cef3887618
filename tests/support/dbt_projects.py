"""Compiled dbt projects of any size, as one sees them: staging, unions, pivots, newest rows, joins, stars.

Only of seeds the columns are told. Names of columns begin with what they hold: `t_` texts, `n_` numbers, `d_` days,
`k_` keys, which are texts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import duckdb

KINDS = {"k": "VARCHAR", "t": "VARCHAR", "n": "DOUBLE", "d": "DATE"}
WORDS = ("open", "closed", "new", "eu", "us", "retail")
Made = dict[str, list[str]]
"""The columns of relations by name, in order."""


class ProjectMaker:
    """A project of models that read seeds and one another, the same for the same seed of chance."""

    def __init__(self, models: int, seed: int, seeds: int = 8) -> None:
        self.draw = Random(seed)
        self.made: Made = {f"seed_{number}": self._seed() for number in range(seeds)}
        self.seeds = list(self.made)
        self.code: dict[str, str] = {}
        for number in range(models):
            makers = (self._staging, self._union, self._pivot, self._newest, self._joined, self._star)
            maker = self._staging if number < seeds else self.draw.choices(makers, (1, 4, 3, 2, 5, 2))[0]
            text, columns = maker()
            name = f"m_{number}"
            self.code[name], self.made[name] = text, columns

    def _seed(self) -> list[str]:
        return ["k_id", "k_other", *(f"{kind}_{number}" for kind in "tnd" for number in range(self.draw.randint(1, 5)))]

    def _source(self) -> str:
        # Newer models are read more often than old ones, so that chains get long.
        names = list(self.made)
        return names[min(len(names) - 1, int(len(names) * self.draw.random() ** 0.5))]

    def _of(self, name: str, kind: str) -> list[str]:
        return [column for column in self.made[name] if column[0] == kind]

    def _test(self, name: str, alias: str) -> str:
        texts = self._of(name, "t") or self._of(name, "k")
        return f"{alias}.{self.draw.choice(texts)} = '{self.draw.choice(WORDS)}'"

    # -- models --------------------------------------------------------------------------------------------------------

    def _staging(self) -> tuple[str, list[str]]:
        name = self.draw.choice(self.seeds)
        columns = list(dict.fromkeys(self.made[name]))
        given = [f"cast({column} as {KINDS[column[0]]}) as {column}" for column in columns]
        body = ",\n    ".join(given)
        return f"with source as (\n    select * from {relation(name)}\n)\n\nselect\n    {body}\nfrom source", columns

    def _union(self) -> tuple[str, list[str]]:
        names = [self._source() for _ in range(self.draw.randint(2, 5))]
        columns = sorted({column for name in names for column in (*self._of(name, "k"), *self.made[name][:8])})
        ctes, branches = [], []
        for number, name in enumerate(names):
            ctes.append(f"from_{number} as (\n    select * from {relation(name)}\n)")
            given = [
                column if column in self.made[name] else f"cast(null as {KINDS[column[0]]}) as {column}"
                for column in columns
            ]
            items = ",\n    ".join([*given, f"'{self.draw.choice(WORDS)}' as t_kind"])
            where = f"\nwhere {self._test(name, f'from_{number}')}" if self.draw.random() < 0.5 else ""
            branches.append(f"select\n    {items}\nfrom from_{number}{where}")
        columns = [*columns, "t_kind"]
        if "t_kind" in columns[:-1]:
            branches = [one.replace("    t_kind,\n", "") for one in branches]
            branches = [one.replace("    cast(null as VARCHAR) as t_kind,\n", "") for one in branches]
            columns.remove("t_kind")
        return f"with {', '.join(ctes)}\n\n" + "\nunion all\n".join(branches), columns

    def _pivot(self) -> tuple[str, list[str]]:
        name = self._source()
        key = self.draw.choice(self._of(name, "k"))
        tested = self.draw.choice(self._of(name, "t") or [key])
        numbers = self._of(name, "n")
        value = self.draw.choice(numbers) if numbers else "1"
        words = self.draw.sample(WORDS, 3)
        sums = [f"sum(case when {tested} = '{word}' then {value} else 0 end) as n_{word}" for word in words]
        columns = [key, *(f"n_{word}" for word in words), "n_rows"]
        return (
            f"select\n    {key},\n    " + ",\n    ".join(sums) + ",\n    count(*) as n_rows\n"
            f"from {relation(name)}\ngroup by {self.draw.choice((key, '1'))}"
        ), columns

    def _newest(self) -> tuple[str, list[str]]:
        name = self._source()
        key = self.draw.choice(self._of(name, "k"))
        order = (self._of(name, "d") or [key])[0]
        columns = list(self.made[name])
        over = f"row_number() over (partition by {key} order by {order} desc)"
        if self.draw.random() < 0.5:
            return f"select *\nfrom {relation(name)}\nqualify {over} = 1", columns
        text = f"with ranked as (\n    select *, {over} as n_rank\n    from {relation(name)}\n)\n\n"
        if "n_rank" in columns:
            return text.replace(
                "n_rank", "n_place"
            ) + "select * exclude (n_place) from ranked where n_place = 1", columns
        return text + "select * exclude (n_rank) from ranked where n_rank = 1", columns

    def _joined(self) -> tuple[str, list[str]]:
        names = [self._source() for _ in range(self.draw.randint(2, 4))]
        ctes = [f"c_{number} as (\n    select * from {relation(name)}\n)" for number, name in enumerate(names)]
        first = self.made[names[0]]
        kept = [self._of(names[0], "k")[0], *first[: self.draw.randint(2, 9)]]
        given = {column: f"c_0.{column}" for column in kept}
        joins = []
        for number, name in enumerate(names[1:], start=1):
            mine, other = self.draw.choice(self._of(names[0], "k")), self.draw.choice(self._of(name, "k"))
            more = f"\n    and {self._test(name, f'c_{number}')}" if self.draw.random() < 0.3 else ""
            joins.append(f"left join c_{number}\n    on c_0.{mine} = c_{number}.{other}{more}")
            for column in self.made[name][-3:]:
                kind = column[0]
                if column in given and kind in "tk":
                    given[column] = f"coalesce({given[column]}, c_{number}.{column})"
                elif column not in given:
                    given[column] = f"c_{number}.{column}"
        tested = self._test(names[0], "c_0")
        given["t_label"] = f"case when {tested} then '{self.draw.choice(WORDS)}' else 'other' end"
        items = ",\n    ".join(f"{value} as {column}" for column, value in given.items())
        return f"with {', '.join(ctes)}\n\nselect\n    {items}\nfrom c_0\n" + "\n".join(joins), list(given)

    def _star(self) -> tuple[str, list[str]]:
        name = self._source()
        columns = [column for column in self.made[name] if column != "t_flag"]
        without = " exclude (t_flag)" if "t_flag" in self.made[name] else ""
        flag = f"case when {self._test(name, 'a')} then 'y' else 'n' end as t_flag"
        return f"select a.*{without}, {flag}\nfrom {relation(name)} as a", [*columns, "t_flag"]

    # -- as dbt leaves it ----------------------------------------------------------------------------------------------

    def write(self, folder: Path) -> Path:
        """The folder ``target`` in a folder."""
        nodes = {f"seed.big.{name}": self._node(name, "seed") for name in self.seeds}
        nodes |= {f"model.big.{name}": self._node(name, "model") for name in self.code}
        metadata = {"dbt_schema_version": "manifest/v12.json", "adapter_type": "duckdb", "project_name": "big"}
        target = folder / "target"
        target.mkdir()
        (target / "manifest.json").write_text(json.dumps({"metadata": metadata, "nodes": nodes}))
        return target

    def _node(self, name: str, kind: str) -> dict[str, Any]:
        given = {"columns": {one: {"name": one} for one in self.made[name]}} if kind == "seed" else {}
        return {
            "unique_id": f"{kind}.big.{name}",
            "resource_type": kind,
            "name": name,
            "package_name": "big",
            "relation_name": relation(name),
            "original_file_path": f"models/{name}.sql",
            "compiled_code": self.code.get(name, ""),
            "config": {"materialized": kind},
            **given,
        }

    def described(self) -> Made:
        """The columns of all models as DuckDB tells them, once they are made."""
        with duckdb.connect() as connection:
            connection.execute("ATTACH ':memory:' AS wh")
            for name in self.seeds:
                columns = ", ".join(f"{column} {KINDS[column[0]]}" for column in self.made[name])
                connection.execute(f"CREATE TABLE {relation(name)} ({columns})")
            for name, text in self.code.items():
                connection.execute(f"CREATE TABLE {relation(name)} AS {text}")
            return {name: _columns(connection, name) for name in self.code}


def _columns(connection: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    described: Sequence[Any] = connection.execute(f"DESCRIBE {relation(name)}").fetchall()
    return [row[0] for row in described]


def relation(name: str) -> str:
    """What a model fills, as dbt writes it."""
    return f'"wh"."main"."{name}"'
