"""An answer as a script that anybody can run: example rows go in at each source and arrive where was asked.

The script is for SQLite and needs nothing of mdw. For each golden source it makes the tables of one way, fills them
with the example row and the rows joined to it, runs the mappings of the way one after the other and selects the rows
that arrive. Which way the row takes is found by running it here, in memory, so that a script that is written is one
that has been run; a source whose row could not be followed is named in it with the reason.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from mdw.model.answers.answer import Lineage
from mdw.model.answers.ends import End, Plain
from mdw.model.answers.steps import Step
from mdw.model.candidates import Candidates
from mdw.model.expressions import Attr, Compute, Condition, Const, decimal_text
from mdw.model.name import entity_of, local_of, parts
from mdw.model.query import ONE_ROW
from mdw.model.rules import Clause, Head, Population, Rules
from mdw.model.standard_sql import expression_sql, to_sql
from mdw.model.walks import attributes_of, walk, with_leaves
from mdw.render.columns import portable
from mdw.render.mentioned import asked_of, entities_of, handed_on, mentioned, summed
from mdw.render.sql import create_table, insert_select

NO_COLUMN = "`no column`"
"""Stands in a table of which no column is named: SQL knows none without."""
TRIED = 2_000
"""Mappings run in search of one way."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The script, and by source whose row could not be followed why not."""

    script: str
    missing: Mapping[str, str]


def kept_sql(
    answer: Lineage, candidates: Candidates, condition: Condition | None, in_sqlite: Callable[[str], str] = str
) -> Kept:
    """The script for an answer to a question with this condition; ``candidates`` are the rules it was found in.

    ``in_sqlite`` writes a statement of standard SQL in the words of SQLite, where it does not take it as it is.
    """
    ways = _Ways(answer, candidates, asked_of(condition, entity_of(answer.attribute)), in_sqlite)
    asked = f" when {answer.when}" if answer.when else ""
    lines = [
        _comment(f"Rows that arrive at {answer.attribute}{asked}: run with sqlite3 :memory: < kept.sql"),
        "PRAGMA case_sensitive_like = ON;",
    ]
    for end in answer.golden:
        lines += ["", _comment(f"from {end.attribute}"), *ways.script(end)]
    return Kept("\n".join([*lines, ""]), ways.missing)


@dataclass
class _Ways:
    """Follows example rows through the mappings of the steps kept."""

    answer: Lineage
    candidates: Candidates
    condition: Condition
    in_sqlite: Callable[[str], str]
    _tables: dict[str, dict[str, str]] = field(default_factory=dict)
    _rules: dict[str, Rules] = field(default_factory=dict)
    _inserts: dict[str, str] = field(default_factory=dict)
    _leaving: dict[str, list[Step]] = field(default_factory=dict)
    _rewritten: set[str] = field(default_factory=set)
    _refused: dict[str, str] = field(default_factory=dict)
    _tries: int = 0
    missing: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        direct = [step for step in self.answer.steps if step.kind == "direct"]
        for step in direct:
            self._leaving.setdefault(step.source, []).append(step)
        kept = {step.mapping for step in direct}
        filled: dict[str, list[Population]] = {}
        # By name, so that the script is the same in whatever order the rules come.
        for population in sorted(self.candidates.populations, key=lambda one: one.target):
            filled.setdefault(population.mapping, []).append(population)
        for key, head in sorted(self.candidates.heads.items()):
            if head.mapping in kept:
                written = filled.get(key, [])
                self._rules[head.mapping] = Rules(head, (*written, *self._carried(head, written)))
        for mapping, rules in self._rules.items():
            self._inserts[mapping] = insert_select(rules, dialect="sqlite")
            for name in mentioned(rules):
                self._column(name)
            for entity in entities_of(rules):
                self._tables.setdefault(entity, {})
        for name in (self.answer.attribute, *attributes_of(self.condition)):
            self._column(name)

    def script(self, end: End) -> Iterator[str]:
        """The statements for one source; a comment if there is no row to follow."""
        own = dict(end.witness)
        if not own and end.whole not in ("", "TRUE"):
            yield self._missing(end, "no example row was found")
            return
        entity = entity_of(end.attribute)
        self._column(end.attribute)
        rows = [(entity, self._free(entity) | own)]
        rows += [(entity, self._free(entity) | dict(row)) for entity, row in end.partners]
        for name in (name for _, row in rows for name in row):
            self._column(name)
        given = [_insert(entity, row) for entity, row in rows]
        entities = {entity for entity, _ in rows} | {entity_of(self.answer.attribute)}
        way = self._followed(end.attribute, entities, given)
        if way is None:
            said = [f": SQLite says of {mapping}: {why}" for mapping, why in self._refused.items()][:1]
            yield self._missing(end, f"no way of this row through the mappings could be run{''.join(said)}")
            return
        entities |= {entity for mapping in way for entity in entities_of(self._rules[mapping])}
        yield from self._made(entities)
        yield from given
        for mapping in way:
            head = self._rules[mapping].head
            yield _comment(f"{mapping} ({head.file}:{head.line})")
            yield f"{self._inserts[mapping]};"
        source = expression_sql(Const("string", end.attribute))
        yield f"SELECT {source} AS source, {self._arriving()};"
        yield from (f"DETACH {name};" for name in _schemas(entities))

    def _free(self, entity: str) -> dict[str, Plain]:
        """A row of which nothing is asked: a value is the name of its attribute, or 1 where rules compute with it."""
        # A name as value: in what arrives everybody sees which attribute it was.
        names = [f"{entity}.{name}" for name in self._tables.get(entity, {})]
        return {name: 1 if name in self._numbers else local_of(name) for name in names}

    @cached_property
    def _numbers(self) -> set[str]:
        """The attributes that rules compute with, and those that are copied into them."""
        every = [one for rules in self._rules.values() for one in rules.populations]
        given = [clause.expression for one in every for clause in one.clauses]
        computed = [part for one in given for part in walk(one) if isinstance(part, Compute) or summed(part)]
        found = {name for part in computed for name in attributes_of(part)}
        pending = list(found)
        while pending:
            target = pending.pop()
            copied = {source for one in every if one.target == target for source in handed_on(one)} - found
            found |= copied
            pending += copied
        return found

    def _missing(self, end: End, why: str) -> str:
        self.missing[end.attribute] = why
        return _comment(why)

    def _followed(self, source: str, rows: set[str], given: Iterable[str]) -> list[str] | None:
        """The mappings that bring the rows from the source to the attribute asked for."""
        entities = rows | {entity for one in self._reached(source) for entity in entities_of(self._rules[one])}
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as held:
            held.execute("PRAGMA case_sensitive_like = ON")
            try:
                for statement in (*self._made(entities), *given):
                    held.execute(statement)
            except sqlite3.OperationalError:
                # It holds ten schemas at a time and 2,000 columns a table.
                return None
            self._tries = TRIED
            self._refused = {}
            return self._onward(held, source)

    def _reached(self, source: str) -> set[str]:
        """The mappings of steps that lead on from an attribute."""
        found: set[str] = set()
        seen, pending = {source}, [source]
        while pending:
            for step in self._leaving.get(pending.pop(), ()):
                found.add(step.mapping)
                if step.target not in seen:
                    seen.add(step.target)
                    pending.append(step.target)
        return found

    def _onward(self, held: sqlite3.Connection, source: str) -> list[str] | None:
        """Depth first, each mapping within a savepoint: where a way ends, what its last mapping made is undone."""
        if self._arrived(held, source):
            return []
        # Without recursion: a way through a warehouse may be longer than Python's stack is deep.
        way: list[str] = []
        pending = [iter(self._leaving.get(source, ()))]
        while pending:
            step = next(pending[-1], None)
            if step is None:
                pending.pop()
                if way:
                    way.pop()
                    held.execute(f"ROLLBACK TO way_{len(way)}")
            elif step.mapping not in way and self._tries > 0:
                self._tries -= 1
                held.execute(f"SAVEPOINT way_{len(way)}")
                if self._ran(held, step.mapping):
                    way.append(step.mapping)
                    if self._arrived(held, step.target):
                        return way
                    pending.append(iter(self._leaving.get(step.target, ())))
                else:
                    held.execute(f"ROLLBACK TO way_{len(way)}")
        return None

    def _arrived(self, held: sqlite3.Connection, at: str) -> bool:
        """Whether rows stand at the attribute asked for, and meet what is asked."""
        return at == self.answer.attribute and bool(held.execute(f"SELECT {self._arriving()} LIMIT 1").fetchone())

    def _ran(self, held: sqlite3.Connection, mapping: str) -> bool:
        """Whether a mapping made a row; one with a function that SQLite lacks makes none."""
        try:
            return held.execute(self._inserts[mapping]).rowcount > 0
        except sqlite3.OperationalError as error:
            if mapping in self._rewritten:
                self._refused[mapping] = str(error)
                return False
        # Functions have the standard's names: SQLite may have another, or write it without parentheses.
        self._rewritten.add(mapping)
        self._inserts[mapping] = self.in_sqlite(self._inserts[mapping])
        return self._ran(held, mapping)

    def _arriving(self) -> str:
        asked = expression_sql(Attr(local_of(self.answer.attribute)))
        entity = expression_sql(Attr(entity_of(self.answer.attribute)))
        meant = with_leaves(self.condition, lambda leaf: portable(leaf, "sqlite"))
        return f"{asked} FROM {entity} WHERE {to_sql(meant)}"

    def _made(self, entities: Iterable[str]) -> Iterator[str]:
        yield from (f"ATTACH ':memory:' AS {name};" for name in _schemas(entities))
        for entity in sorted(entities):
            if len(parts(entity)) == 1:
                yield f"DROP TABLE IF EXISTS {expression_sql(Attr(entity))};"
            yield f"{create_table(entity, self._tables.get(entity) or {NO_COLUMN: ''})};"
            if entity == ONE_ROW:
                yield f"INSERT INTO {expression_sql(Attr(entity))} DEFAULT VALUES;"

    def _column(self, name: str) -> None:
        self._tables.setdefault(entity_of(name), {})[local_of(name)] = ""

    def _carried(self, head: Head, populations: Iterable[Population]) -> Iterator[Population]:
        """What a mapping does not fill, read from its driving entity where the answer took it so."""
        filled = {population.target for population in populations}
        if not head.update and self.answer.unpopulated in ("open", "closed"):
            return
        for source, target in sorted(self.candidates.carried):
            if entity_of(source) == head.driving and entity_of(target) == head.target and target not in filled:
                yield Population(head.mapping, target, (Clause(Attr(source), None, "", 0, 0, ()),))


def _schemas(entities: Iterable[str]) -> list[str]:
    """The schemas of entities: to SQLite each is a database of its own."""
    return sorted({expression_sql(Attr(parts(entity)[0])) for entity in entities if len(parts(entity)) > 1})


def _insert(entity: str, row: Mapping[str, Plain]) -> str:
    columns = ", ".join(expression_sql(Attr(local_of(name))) for name in row)
    values = ", ".join(map(_literal, row.values()))
    return f"INSERT INTO {expression_sql(Attr(entity))} ({columns}) VALUES ({values});"


def _literal(value: Plain) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, date):
        value = value.isoformat()
    if isinstance(value, str):
        return expression_sql(Const("string", value))
    return expression_sql(Const("number", decimal_text(Decimal(value))))


def _comment(text: str) -> str:
    """A comment of one line: a text of the rules may hold line breaks, and what comes after one would be run."""
    return "-- " + " ".join(text.split())
