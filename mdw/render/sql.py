"""Rules as SQL: `INSERT INTO … SELECT` that DuckDB and SQLite execute, so an answer can be checked against rows.

The meaning is that of the mapping language: rows of the driving entity, joined as the mapping says, those for which the
filter is true; each attribute takes its first clause whose IF is true; aggregations group by the keys the mapping
names, else by the other populated expressions.

>>> from mdw.language.derive import derive
>>> from mdw.language.mapping import read
>>> text = "WHEN POPULATING T FROM S POPULATE T.A WITH S.X IF S.Y = 1 WITH 0 SELECT ROWS WHERE S.K > 5"
>>> print(insert_select(derive(read(text).trees[0], "m")))
INSERT INTO T (A)
SELECT CASE WHEN S.Y = 1 THEN S.X ELSE 0 END AS A
FROM S
WHERE S.K > 5
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mdw.model.errors import InputError
from mdw.model.expressions import (
    And,
    Attr,
    Call,
    Compare,
    Condition,
    Const,
    Expression,
    Window,
)
from mdw.model.name import local_of
from mdw.model.rules import Clause, Join, Population, Rules, aggregating
from mdw.model.walks import attributes_of, parts, walk, with_parts
from mdw.render.columns import Columns, Dialect, name_sql, table_sql


def create_table(entity: str, columns: Mapping[str, str]) -> str:
    """A table for an entity; ``columns`` gives the SQL type of every attribute by its name within the entity.

    >>> create_table("PARTY", {"ID": "INTEGER", "`end date`": "DATE"})
    'CREATE TABLE PARTY (ID INTEGER, "end date" DATE)'
    """
    listed = ", ".join(f"{name_sql(column)} {kind}".rstrip() for column, kind in columns.items())
    return f"CREATE TABLE {name_sql(entity)} ({listed})"


def insert_select(rules: Rules, *, dialect: Dialect = "duckdb") -> str:
    """The mapping as one SQL statement; what it does not populate stays NULL. InputError if it populates nothing.

    InputError too for what SQLite cannot say: conditions on the values of windows.
    """
    if not rules.populations:
        raise InputError(f"{rules.head.mapping} populates no attribute: there is nothing to insert")
    return "\n".join(_Statement(rules, dialect).lines())


def query(rules: Sequence[Rules]) -> str:
    """What mappings into one entity make, as a query of standard SQL: a branch for each, its columns by name.

    It gives the rows that there are, and more, where the standard has no words: of windows, whose columns are left out,
    of changes, which leave what was there, of ROLLUP and the like. InputError where nothing is made.
    """
    made = [one for one in rules if one.populations or not one.head.update]
    if not made:
        raise InputError("nothing makes rows here")
    every = [one for some in made for one in some.populations]
    unsaid = {local_of(one.target) for one in every if any(_windowed(item.expression) for item in one.clauses)}
    names = [name for name in dict.fromkeys(local_of(one.target) for one in every) if name not in unsaid]
    return " UNION ALL ".join(" ".join(_Statement(one, "standard").select(names)) for one in made)


class _Statement:
    """One mapping written as SQL."""

    def __init__(self, rules: Rules, dialect: Dialect) -> None:
        rules = _of_totals(rules, dialect) if rules.head.sets else rules
        self.head = rules.head
        self.populations = rules.populations
        self.dialect = dialect
        self.grouped = rules.head.group is not None or any(map(aggregating, rules.populations))
        self.columns = Columns(rules, dialect)
        # SQLite and the standard know neither SEMI nor ANTI joins; as conditions on the rows they say the same.
        apart = ("semi", "anti") if dialect != "duckdb" else ()
        self.tested = [join for join in rules.head.joins if join.kind in apart]

    def lines(self) -> Iterator[str]:
        """The statement, clause by clause."""
        names = [local_of(one.target) for one in self.populations]
        yield f"INSERT INTO {name_sql(self.head.target)} ({', '.join(map(name_sql, names))})"
        yield from self.select(names)

    def select(self, names: Sequence[str]) -> Iterator[str]:
        """The query, clause by clause; NULL is what has no population."""
        head = self.head
        values = {local_of(one.target): self.columns.column(one) for one in self.populations}
        columns = [f"{values.get(name) or self._left(name)} AS {name_sql(name)}" for name in names]
        yield "SELECT " + (",\n       ".join(columns) or "1")
        yield f"FROM {table_sql(head.driving, head.role)}"
        yield from (self._join(join) for join in head.joins if join not in (*self.columns.marks, *self.tested))
        tests = [] if head.filter is None else [self.columns.test(head.filter)]
        tests += [("NOT " if join.kind == "anti" else "") + self.columns.exists(join) for join in self.tested]
        if tests:
            yield f"WHERE {_all(tests)}"
        yield from self._groups()

    def _left(self, name: str) -> str:
        """What is in an attribute that nothing is said of: a change leaves it as it was."""
        return self.columns.written(Attr(f"{self.head.row}.{name}")) if self.head.update else "NULL"

    # -- rows ----------------------------------------------------------------------------------------------------

    def _join(self, join: Join) -> str:
        table = table_sql(join.entity, join.role)
        if join.kind == "cross" and join.rest is None:
            return f"CROSS JOIN {table}"
        kind = "INNER" if join.kind == "cross" else join.kind.upper()
        return f"{kind} JOIN {table} ON {self.columns.on(join)}"

    def _groups(self) -> Iterator[str]:
        """GROUP BY, HAVING and QUALIFY."""
        head, having, passing = self.head, list[str](), list[str]()
        for part in _conjuncts(head.having):
            (passing if _windowed(part) or not self.grouped else having).append(self.columns.test(part))
        if self.dialect == "standard":
            passing = []
        if passing and self.dialect != "duckdb":
            raise InputError(f"{head.mapping} asks for values of windows, for which {self.dialect} has no words")
        if head.group:
            keys = ", ".join(self.columns.written(key) for key in head.group)
            # Which of them are totals nobody tells: these are all that may be. SQLite has none.
            yield f"GROUP BY CUBE ({keys})" if head.sets and self.dialect != "sqlite" else f"GROUP BY {keys}"
        elif head.group is not None:
            # One row of all, even of none: an aggregate anywhere in the query, here in HAVING, makes it one.
            having.append("COUNT(*) >= 0")
        elif self.grouped:
            # Without GROUP BY, SQL aggregates no rows to one row; a mapping makes no row of none.
            places = [str(place) for place, one in enumerate(self.populations, 1) if _parting(one)]
            having += [] if places else ["COUNT(*) > 0"]
            yield from [f"GROUP BY {', '.join(places)}"] if places else ()
        if having:
            yield f"HAVING {_all(having)}"
        if passing:
            yield f"QUALIFY {_all(passing)}"


def _of_totals(rules: Rules, dialect: Dialect) -> Rules:
    """The rules with GROUPING as SQL has it: of a key it is 1 in the rows of a total that does not tell it."""
    keys = rules.head.group or ()

    def said(item: Any) -> Any:
        match item:
            case Call("GROUPING", _) if dialect == "sqlite":
                raise InputError(f"{rules.head.mapping} asks for totals of groups, for which sqlite has no words")
            case Call("GROUPING", (Const(), *of)):
                if len(of) != 1 or of[0] not in keys:
                    raise InputError(f"{rules.head.mapping} makes of its keys what no total tells")
                return Call("GROUPING", (of[0],))
            case Compare(op, Call("GROUPING", _) as asked, Const("boolean", _)):
                return Compare(op, said(asked), Const("number", "1"))
        return with_parts(item, [said(part) for part in parts(item)])

    def chosen(clause: Clause) -> Clause:
        return clause._replace(condition=None if clause.condition is None else said(clause.condition))

    having = None if rules.head.having is None else said(rules.head.having)
    populations = [replace(one, clauses=tuple(map(chosen, one.clauses))) for one in rules.populations]
    return Rules(replace(rules.head, having=having), tuple(populations))


def _conjuncts(condition: Condition | None) -> Iterator[Condition]:
    if isinstance(condition, And):
        for part in condition.parts:
            yield from _conjuncts(part)
    elif condition is not None:
        yield condition


def _windowed(item: Expression | Condition) -> bool:
    return any(isinstance(one, Window) for one in walk(item))


def _all(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else " AND ".join(f"({test})" for test in tests)


def _parting(population: Population) -> bool:
    """Whether a population parts rows into groups where none are named: it depends on the row, as it is."""
    items = [item for clause in population.clauses for item in (clause.expression, clause.condition)]
    return not aggregating(population) and any(True for item in items if item is not None for _ in attributes_of(item))
