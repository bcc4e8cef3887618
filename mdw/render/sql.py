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

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeGuard

from mdw.model.errors import InputError
from mdw.model.expressions import (
    TRUE,
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Condition,
    Const,
    Expression,
    Variable,
    Window,
)
from mdw.model.function_names import CHOICE
from mdw.model.groups import aggregates
from mdw.model.name import entity_of_row, local_of, row_of
from mdw.model.rules import DIRECT, Clause, Join, Population, Rules, aggregating
from mdw.model.standard_sql import expression_sql, sql_with, to_sql
from mdw.model.walks import attributes_of, parts, walk, with_leaves, with_parts

Dialect = Literal["duckdb", "sqlite", "standard"]


def create_table(entity: str, columns: Mapping[str, str]) -> str:
    """A table for an entity; ``columns`` gives the SQL type of every attribute by its name within the entity.

    >>> create_table("PARTY", {"ID": "INTEGER", "`end date`": "DATE"})
    'CREATE TABLE PARTY (ID INTEGER, "end date" DATE)'
    """
    listed = ", ".join(f"{_name(column)} {kind}".rstrip() for column, kind in columns.items())
    return f"CREATE TABLE {_name(entity)} ({listed})"


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
        self.marks = [join for join in rules.head.joins if join.kind == "mark"]
        # SQLite and the standard know neither SEMI nor ANTI joins; as conditions on the rows they say the same.
        apart = ("semi", "anti") if dialect != "duckdb" else ()
        # Mark joins are none at all: EXISTS stands where a condition asks for them (`_marked`).
        self.tested = [join for join in rules.head.joins if join.kind in apart]

    def lines(self) -> Iterator[str]:
        """The statement, clause by clause."""
        names = [local_of(one.target) for one in self.populations]
        yield f"INSERT INTO {_name(self.head.target)} ({', '.join(map(_name, names))})"
        yield from self.select(names)

    def select(self, names: Sequence[str]) -> Iterator[str]:
        """The query, clause by clause; NULL is what has no population."""
        head = self.head
        values = {local_of(one.target): self._column(one) for one in self.populations}
        columns = [f"{values.get(name) or self._left(name)} AS {_name(name)}" for name in names]
        yield "SELECT " + (",\n       ".join(columns) or "1")
        yield f"FROM {_table(head.driving, head.role)}"
        yield from (self._join(join) for join in head.joins if join not in (*self.marks, *self.tested))
        tests = [] if head.filter is None else [self._test(head.filter)]
        tests += [("NOT " if join.kind == "anti" else "") + self._exists(join) for join in self.tested]
        if tests:
            yield f"WHERE {_all(tests)}"
        yield from self._groups()

    def _left(self, name: str) -> str:
        """What is in an attribute that nothing is said of: a change leaves it as it was."""
        return self._written(Attr(f"{self.head.row}.{name}")) if self.head.update else "NULL"

    # -- rows ----------------------------------------------------------------------------------------------------

    def _join(self, join: Join) -> str:
        table = _table(join.entity, join.role)
        if join.kind == "cross" and join.rest is None:
            return f"CROSS JOIN {table}"
        kind = "INNER" if join.kind == "cross" else join.kind.upper()
        return f"{kind} JOIN {table} ON {self._on(join)}"

    def _on(self, join: Join) -> str:
        pairs: list[Condition] = [Compare("=", Attr(left), Attr(right)) for left, right in join.on]
        return self._test(And((*pairs, *([join.rest] if join.rest is not None else []))))

    def _exists(self, join: Join) -> str:
        return f"EXISTS (SELECT 1 FROM {_table(join.entity, join.role)} WHERE {self._on(join)})"

    def _groups(self) -> Iterator[str]:
        """GROUP BY, HAVING and QUALIFY."""
        head, having, passing = self.head, list[str](), list[str]()
        for part in _conjuncts(head.having):
            (passing if _windowed(part) or not self.grouped else having).append(self._test(part))
        if self.dialect == "standard":
            passing = []
        if passing and self.dialect != "duckdb":
            raise InputError(f"{head.mapping} asks for values of windows, for which {self.dialect} has no words")
        if head.group:
            keys = ", ".join(self._written(key) for key in head.group)
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

    # -- columns -------------------------------------------------------------------------------------------------

    def _column(self, population: Population) -> str:
        keys = self.head.group
        if keys is None:
            return self._over_rows(population) if aggregating(population) else self._value(population.clauses)
        told = all(_told(item, keys) for clause in population.clauses for item in (clause.condition, clause.expression))
        return self._value(population.clauses) if told else self._over_rows(population)

    def _value(self, clauses: Iterable[Clause]) -> str:
        """The first clause whose IF is true, else NULL."""
        cases: list[str] = []
        for clause in clauses:
            value = self._given(clause)
            # A clause without IF is the ELSE; what stands below it can never be taken.
            if clause.condition is None:
                return f"CASE {' '.join(cases)} ELSE {value} END" if cases else value
            cases.append(f"WHEN {self._test(clause.condition)} THEN {value}")
        return f"CASE {' '.join(cases)} END" if cases else "NULL"

    def _over_rows(self, population: Population) -> str:
        """Every clause over the rows of the group that take it; the first that finds a value.

        ``WITH SUM(S.X) IF S.T = 1 WITH MAX(S.Y)`` is ``COALESCE(SUM(CASE WHEN S.T = 1 THEN S.X END), MAX(CASE WHEN
        S.T = 1 THEN NULL ELSE S.Y END))``.
        """
        found: list[str] = []
        earlier: list[Clause] = []
        for clause in population.clauses:
            found.append(self._over_group(clause.expression, earlier, clause))
            earlier.append(clause)
        return found[0] if len(found) == 1 else f"COALESCE({', '.join(found)})"

    def _over_group(self, expression: Expression, earlier: list[Clause], clause: Clause) -> str:
        condition = clause.condition

        def chosen(part: Expression) -> str:
            value = self._chosen(part, clause)
            if not earlier and condition is None:
                return value
            # The first clause whose IF is true counts, row by row: rows of earlier clauses give this one nothing.
            before = " ".join(f"WHEN {self._test(one.condition or TRUE)} THEN NULL" for one in earlier)
            then = f"WHEN {self._test(condition)} THEN {value}" if condition else f"ELSE {value}"
            return f"CASE {before}{' ' if before else ''}{then} END"

        if isinstance(expression, Aggregate):
            return sql_with(expression, [chosen(part) for part in parts(expression)])
        if aggregates(expression):
            return sql_with(expression, [self._over_group(part, earlier, clause) for part in parts(expression)])
        # Not aggregated beside clauses that are: any row of the group may give the value, MAX gives always the same.
        return f"MAX({chosen(expression)})"

    def _given(self, clause: Clause) -> str:
        """The value of a clause as a whole."""

        def write(expression: Expression | Condition) -> str:
            if _is_choice(expression):
                return self._chosen(expression, clause)
            inner = parts(expression)
            if not inner or not any(_is_choice(one) for one in walk(expression)):
                return self._written(expression)  # type: ignore[arg-type]
            return sql_with(expression, [write(part) for part in inner])  # type: ignore[arg-type]

        return write(clause.expression)

    def _chosen(self, expression: Expression, clause: Clause) -> str:
        """An expression; what one chooses from within an aggregation by the tests of what it uses, all else NULL."""
        if not (_is_choice(expression)):
            return self._written(expression)
        names = frozenset(attributes_of(expression))
        used = [source for source in clause.sources if source.subtype in DIRECT and source.name in names]
        cases = [f"WHEN {self._test(one.test or TRUE)} THEN {self._written(Attr(one.name))}" for one in used]
        return f"CASE {' '.join(cases)} END" if cases else "NULL"

    # -- words ---------------------------------------------------------------------------------------------------

    def _written(self, expression: Expression) -> str:
        return self._marked(expression_sql(with_leaves(expression, self._leaf)))

    def _test(self, condition: Condition) -> str:
        return self._marked(to_sql(with_leaves(condition, self._leaf)))

    def _leaf(self, leaf: Attr | Variable | Const) -> Expression:
        return Attr(aliased(leaf.name)) if isinstance(leaf, Attr) else portable(leaf, self.dialect)

    def _marked(self, text: str) -> str:
        """The text with what asks whether a join finds a row said in SQL's way."""
        for join in self.marks:
            mark = rf"EXISTS {re.escape(join.row)}\((?:[^()']|'[^']*')*\)"
            if re.search(mark, text):
                text = re.sub(mark, self._exists(join).replace("\\", r"\\"), text)
        return text


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


def aliased(name: str) -> str:
    """An attribute under the name of its role, if it has one.

    >>> aliased("CORE.PARTY@BOSS.NAME"), aliased("CORE.PARTY.NAME")
    ('BOSS.NAME', 'CORE.PARTY.NAME')
    """
    row = row_of(name)
    entity = entity_of_row(row)
    return name if row == entity else f"{row[len(entity) + 1 :]}.{local_of(name)}"


def _table(entity: str, role: str) -> str:
    return f"{_name(entity)} AS {_name(role)}" if role else _name(entity)


def _conjuncts(condition: Condition | None) -> Iterator[Condition]:
    if isinstance(condition, And):
        for part in condition.parts:
            yield from _conjuncts(part)
    elif condition is not None:
        yield condition


def _windowed(item: Expression | Condition) -> bool:
    return any(isinstance(one, Window) for one in walk(item))


def _told(item: Expression | Condition | None, keys: Sequence[Expression]) -> bool:
    """Whether something is the same for all rows of a group: made of its keys, and of what is aggregated."""
    if item is None or item in keys or isinstance(item, (Const, Aggregate, Window)):
        return True
    return not isinstance(item, Attr) and all(_told(part, keys) for part in parts(item))


def _all(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else " AND ".join(f"({test})" for test in tests)


def _parting(population: Population) -> bool:
    """Whether a population parts rows into groups where none are named: it depends on the row, as it is."""
    items = [item for clause in population.clauses for item in (clause.expression, clause.condition)]
    return not aggregating(population) and any(True for item in items if item is not None for _ in attributes_of(item))


def _name(name: str) -> str:
    return expression_sql(Attr(name))


def portable(leaf: Attr | Variable | Const, dialect: Dialect) -> Expression:
    """Dates as ISO text where the engine has no dates."""
    match leaf:
        case Const("date", text) if dialect == "sqlite":
            return Const("string", text)
        case _:
            return leaf


def _is_choice(item: Expression | Condition) -> TypeGuard[Call]:
    """Whether an expression stands for a CASE that was not taken apart."""
    return isinstance(item, Call) and item.function.startswith(CHOICE)
