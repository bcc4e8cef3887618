"""What fills an entity, as what is run: statements by their own text, mapping text by its trees (rule T36)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from mdw.language.derive import derive
from mdw.model.answers.statements import SqlStatement
from mdw.model.errors import InputError
from mdw.model.expressions import Attr, Const
from mdw.model.name import entity_of, local_of
from mdw.model.passing import is_star
from mdw.model.query import ONE_ROW
from mdw.model.rules import DIRECT, Head, Population, Rules
from mdw.model.tree import Location, Node
from mdw.render.tree_query import tree_query
from mdw.render.tree_values import bare
from mdw.store import catalogue, scripts, trees
from mdw.store.dictionary import StoredDictionary
from mdw.store.engine import Store
from mdw.tracing.queries import EntityQuery, Flows

RUN = ("insert", "create view", "create table", "create materialized view", "select", "query")
"""Kinds of statements whose rows are those of a query, by the beginnings of their names."""


class EntityQueries:
    """The mappings of a store, by what they fill."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._found: dict[str, tuple[EntityQuery, ...]] = {}
        self._rules: dict[str, tuple[Rules, ...]] = {}
        self._statements = cache(lambda file: tuple(scripts.statements(store, [file])))

    def __call__(self, entity: str) -> tuple[EntityQuery, ...]:
        """What fills an entity, in order of names; none where no mapping does."""
        if entity not in self._found:
            self._found[entity] = tuple(self._fillings(entity))
        return self._found[entity]

    def rules(self, entity: str) -> tuple[Rules, ...]:
        """The mappings into an entity as rules."""
        self(entity)
        return self._rules[entity]

    def changed(self, entity: str) -> frozenset[str]:
        """The columns of an entity that changes may set (rule T35)."""
        some = [one for one in self.rules(entity) if one.head.update]
        return frozenset(bare(local_of(each.target)) for one in some for each in one.populations)

    def columns(self, entity: str) -> tuple[str, ...]:
        """The columns of an entity, as far as they are known."""
        names = catalogue.attributes_of(self._store, entity)
        return tuple(bare(local_of(name)) for name in names if not is_star(name))

    def _fillings(self, entity: str) -> Iterator[EntityQuery]:
        found = dict(trees.trees(self._store, _mappings_into(self._store, entity)))
        rules = {name: derive(tree, name) for name, tree in found.items()}
        self._rules[entity] = tuple(rules.values())
        by_statement: defaultdict[Location, list[str]] = defaultdict(list)
        statements: dict[Location, SqlStatement] = {}
        for name, tree in found.items():
            statement = self._statement(tree)
            if statement is None:
                yield self._of_tree(tree, rules[name])
            else:
                start = statement.start or statement.location
                statements[start] = statement
                by_statement[start].append(name)
        yield from self._unread(entity)
        for start, names in by_statement.items():
            names.sort(key=lambda name: found[name].location or start)
            yield from self._of_statement(entity, statements[start], [rules[name] for name in names])

    def _unread(self, entity: str) -> Iterator[EntityQuery]:
        """Statements not read whole that may write an entity (rule Q39)."""
        for one, _ in scripts.unread(self._store, [entity]):
            if one.effect == "takes":
                continue
            reads = {str(place): name for place, name in enumerate(one.mentioned) if name != entity}
            why = f"it was not read whole and may write {entity}: {one.message}"
            at = one.start or one.location
            yield EntityQuery(entity, (), at.line_text, reads, why=why, changes=one.effect == "changes")

    def _statement(self, tree: Node) -> SqlStatement | None:
        """The statement that a mapping was read from; None of mapping text."""
        place = tree.location
        if place is None:
            return None
        every = self._statements(place.file)
        around = [one for one in every if (one.start or one.location) <= place < (one.end or one.location)]
        return max(around, key=lambda one: one.start or one.location, default=None)

    # -- mapping text --------------------------------------------------------------------------------------------------

    def _of_tree(self, tree: Node, rules: Rules) -> EntityQuery:
        head = rules.head
        reads = [one for one in (head.driving, *(join.entity for join in head.joins)) if one != ONE_ROW]
        filling = EntityQuery(
            head.target,
            (head.mapping,),
            head.place,
            {str(place): entity for place, entity in enumerate(reads)},
            flows=_flows(rules.populations, {}),
            changes=head.update,
        )
        left = self._left(head, rules.populations)
        carried = set(self.columns(head.driving)) & left if head.policy in (None, "carry") else set()
        closed = {one for one in left if head.policy == "closed" and head.closes(f"{head.target}.{one}")}
        try:
            query = tree_query(tree, sorted(carried))
        except InputError as error:
            return replace(filling, why=error.message)
        flows = dict(filling.flows) | {one: {head.driving: (one,)} for one in carried}
        return replace(
            filling,
            query=query.text,
            reads=query.reads,
            columns=query.columns,
            fixed=query.fixed,
            flows=flows,
            open=frozenset(left - set(query.columns) - closed),
            closed=frozenset(closed),
        )

    def _left(self, head: Head, populations: Sequence[Population]) -> set[str]:
        """The columns of its entity that a mapping does not fill."""
        return set(self.columns(head.target)) - {bare(local_of(one.target)) for one in populations}

    # -- SQL -----------------------------------------------------------------------------------------------------------

    def _of_statement(self, entity: str, statement: SqlStatement, rules: Sequence[Rules]) -> Iterator[EntityQuery]:
        inner = self._inner(statement)
        populations = [one for some in rules for one in some.populations]
        left = set.intersection(*(self._left(some.head, some.populations) for some in rules))
        filling = EntityQuery(
            entity,
            tuple(some.head.mapping for some in rules),
            rules[0].head.place,
            {str(place): one for place, one in enumerate(statement.reads)},
            flows=_flows(populations, inner),
            fixed=_fixed(rules),
            open=frozenset(one for one in left if not _closed(rules, one)),
            closed=frozenset(one for one in left if _closed(rules, one)),
            changes=any(some.head.update or some.head.changes_rows for some in rules),
        )
        if why := _unrunnable(statement):
            yield replace(filling, why=why)
            return
        # sqlglot is slow to import.
        from mdw.readers.sql.for_spark import for_spark

        try:
            made = for_spark(statement.text, statement.dialect, [*statement.reads, *statement.writes])
        except InputError as error:
            yield replace(filling, why=error.message)
            return
        columns = made.columns or self._in_order(entity, statement)
        filling = replace(filling, columns=columns, reads=made.reads, query=made.whole)
        if len(rules) == 1 or len(made.branches) != len(rules):
            yield filling
            return
        for some, branch in zip(rules, made.branches, strict=True):
            yield replace(
                filling,
                mappings=(some.head.mapping,),
                place=some.head.place,
                reads={name: one for name, one in made.reads.items() if f"{{{name}}}" in branch},
                query=branch,
                flows=_flows(some.populations, inner),
                fixed=_fixed([some]),
            )

    def _inner(self, statement: SqlStatement) -> dict[str, list[Population]]:
        """The populations of what is local to a statement, by attribute."""
        found: defaultdict[str, list[Population]] = defaultdict(list)
        for name, tree in scripts.read_as(self._store, statement).items():
            made = derive(tree, name)
            for one in made.populations if made.head.inner else ():
                found[one.target].append(one)
        return found

    def _in_order(self, entity: str, statement: SqlStatement) -> tuple[str, ...]:
        """The columns that an INSERT without a list fills; a view is called as its query says."""
        entry = StoredDictionary(self._store).entity(entity)
        if statement.kind.startswith("insert") and entry is not None and entry.whole:
            return tuple(bare(name) for name in entry.columns)
        return ()


def _mappings_into(store: Store, entity: str) -> list[str]:
    return sorted(catalogue.about_entity(store, entity).fills)


def _unrunnable(statement: SqlStatement) -> str:
    """Why a statement cannot be run alone; "" where it can."""
    if statement.within is not None:
        return "it stands in a routine, which gives it values"
    if statement.status != "whole":
        return f"it was not read whole: {statement.message}"
    return "" if statement.kind.startswith(RUN) else f"it is no query whose rows it writes: {statement.kind}"


def _closed(rules: Sequence[Rules], column: str) -> bool:
    return all(some.head.policy == "closed" and some.head.closes(f"{some.head.target}.{column}") for some in rules)


def _fixed(rules: Sequence[Rules]) -> frozenset[str]:
    """The columns that all mappings copy, write as a constant, or group by."""

    def some(one: Rules) -> set[str]:
        keys = one.head.group or ()
        return {
            bare(local_of(population.target))
            for population in one.populations
            if population.copied
            or (len(population.clauses) == 1 and isinstance(population.clauses[0].expression, Const))
            or all(isinstance(item.expression, Attr) and item.expression in keys for item in population.clauses)
        }

    return frozenset(set.intersection(*map(some, rules)))


def _flows(populations: Sequence[Population], inner: Mapping[str, Sequence[Population]]) -> Flows:
    """By column and entity the columns that values come from, through what is local to a statement."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    unknown: set[str] = set()
    for one in populations:
        column = bare(local_of(one.target))
        by_entity = found.setdefault(column, {})
        for attribute in _sources(one, inner):
            if is_star(attribute):
                unknown.add(column)
            entity, name = entity_of(attribute), bare(local_of(attribute))
            by_entity[entity] = tuple(dict.fromkeys((*by_entity.get(entity, ()), name)))
    return {column: flows for column, flows in found.items() if column not in unknown and not is_star(f"T.{column}")}


def _sources(population: Population, inner: Mapping[str, Sequence[Population]]) -> list[str]:
    pending, met = [population], {population.target}
    found: list[str] = []
    while pending:
        for clause in pending.pop().clauses:
            for source in clause.sources:
                if source.subtype not in DIRECT or source.attribute in met:
                    continue
                met.add(source.attribute)
                if source.attribute in inner:
                    pending += inner[source.attribute]
                else:
                    found.append(source.attribute)
    return found
