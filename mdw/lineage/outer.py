"""An answer without the inner entities of statements: its steps go from table to table.

A CTE is an entity of its own to the engine, and so is every derived table. Whoever asks means tables: what goes through
an inner entity becomes one step, the conditions on the way together.

    T.A <- E.X <- S.Y      becomes      T.A <- S.Y

What decides the rows of an inner entity has no attribute to go by: it goes by the entity's `rows` (`folding.ROWS`).

    E.rows <- S.K (filter)      T.rows <- E.rows      becomes      T <- S.K (filter)

Judging comes first, on all entities; here nothing is decided any more. A step between tables is kept iff one of the
ways it stands for is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from mdw.lineage.folding import ROWS, Folded, fold
from mdw.lineage.onward import Onward, key_of
from mdw.lineage.steps.graph import all_of
from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.ends import End, Readable, Row
from mdw.model.answers.steps import Constant, Generated, Indirect, Step, deciders
from mdw.model.candidates import Candidates
from mdw.model.name import entity_of, local_of, parts
from mdw.model.rules import Head, Kind, deciding
from mdw.model.tree import Location

NAMELESS = "`subquery "
"""What the names of subqueries begin with that have none in their script."""
SHORT = 60
"""Characters of a subquery's condition that are told with its name."""
ASKED = "`asked`"
"""Stands for whatever is reached of an impact."""
UNTOLD = "what a query within says, of which its SQL tells only a part"
Unfold = Callable[[str], tuple[str, bool]]
A = TypeVar("A", Lineage, Impact)


def outer(answer: A, candidates: Candidates, unfold: Unfold = lambda text: (text, True)) -> A:
    """The answer between entities that are not inner; the candidates are those it was found in.

    ``unfold`` puts into the SQL of a condition the queries of the inner entities it names, and says whether that tells
    all of it.
    """
    folding = _Folding(candidates, entity_of(answer.attribute))
    if not folding.inner:
        return answer
    writing: list[Constant | Generated] = [*answer.constants]
    writing += answer.generated if isinstance(answer, Lineage) else ()
    steps = folding.steps(answer.steps, {one.mapping for one in writing})
    undecided = {key_of(one) for one in folding.steps(answer.undecided)} if answer.undecided else set()
    onward = Onward(answer, folding.inner)
    found = replace(
        answer,
        steps=steps,
        indirect=deciders(steps) if isinstance(answer, Lineage) or answer.target else folding.decided(answer.reached),
        dropped=tuple(onward.dropped()),
        undecided=tuple(one for one in steps if one.kind == "direct" and key_of(one) in undecided),
        constants=onward.written(answer.constants),
        reached=frozenset(name for name in answer.reached if entity_of(name) not in folding.inner),
    )
    prefixes = {prefix for entity in folding.inner for prefix in _prefixes(entity)}
    local = list(folding.called.items()) + [(prefix, "") for prefix in prefixes]
    if isinstance(found, Lineage) and isinstance(answer, Lineage):
        generated, unwritten = onward.written(answer.generated), onward.written(answer.unwritten)
        golden = tuple([_spoken(end, local, unfold) for end in found.golden])
        return replace(found, generated=generated, unwritten=unwritten, golden=golden)
    if isinstance(found, Impact):
        unused, stopped = (
            tuple([one for one in names if entity_of(one) not in folding.inner])
            for names in (found.unused, found.stopped)
        )
        final = tuple(
            [_spoken(end, local, unfold) for end in found.final if entity_of(end.attribute) not in folding.inner]
        )
        return replace(found, final=final, unused=unused, stopped=stopped)
    return found


def _prefixes(entity: str) -> tuple[str, ...]:
    """What stands before the name that a statement gives an inner entity, in mapping text and in SQL."""
    label = ".".join(parts(entity)[:-1])
    # The label of a statement is no name that SQL could have without quotes; other entities keep what they have.
    return (f"{label}.", f"{label}.".replace("`", '"')) if label.startswith("`") else ()


def _spoken(end: End, local: Sequence[tuple[str, str]], unfold: Unfold) -> End:
    """An end whose condition calls the rows of inner entities as their statement does, ``e.K``; its SQL has tables."""

    def said(text: str) -> str:
        for name, called in local:
            text = text.replace(name, called)
        return text

    def row(given: Row) -> Row:
        return tuple([(said(name), value) for name, value in given])

    def written() -> Readable:
        one = end.readable
        sql, whole = unfold(one.sql)
        if not whole:
            one = replace(one, exact=False, at_least=one.at_least or "FALSE", open=tuple(sorted({*one.open, UNTOLD})))
        return replace(
            one,
            condition=said(one.condition),
            sql=said(sql),
            at_least=said(one.at_least),
            common=said(one.common),
            whole=said(one.whole),
            witness=row(one.witness),
            open=tuple(map(said, one.open)),
            partners=tuple([(said(name), row(given)) for name, given in one.partners]),
        )

    return End(end.attribute, written)


class _Folding:
    """Puts steps through inner entities together."""

    def __init__(self, candidates: Candidates, asked: str) -> None:
        self._heads = {head.mapping: head for head in candidates.heads.values()}
        self._populations = candidates.populations
        self._names = candidates.names
        self.inner = frozenset(head.target for head in self._heads.values() if head.inner) - {asked}
        heads = [head for head in self._heads.values() if parts(head.target)[-1].startswith(NAMELESS)]
        self.called: dict[str, str] = {}
        for head in heads:
            name = _called(head)
            # Two subqueries may read the same; they stay two.
            while name in self.called.values():
                name = f"{name[:-1]}, another`"
            self.called[head.target] = name

    def steps(self, steps: Sequence[Step], writing: Collection[str] = ()) -> tuple[Step, ...]:
        """The steps from table to table: where values flow just those that were kept, and all that decide.

        ``writing`` are the mappings that write values of their own: what decides their rows has no step to begin with.
        """
        kept = [self._plain(step) for step in steps]
        flowing = fold([one for one in kept if one.direct], self.inner)
        # What decides may be made of anything: `GROUP BY c.K` asks for what fills the K of a CTE.
        unjudged = self._unjudged({entity_of(step.target) for step in steps})
        mappings = {step.mapping for step in steps} | {*writing} | {head.mapping for head in unjudged}
        uses = [*kept, *self._filling(), *self._rows(unjudged), *self._between(mappings)]
        decisions = [one for one in fold(uses, self.inner) if not one.direct]
        found = [one for one in (*flowing, *decisions) if local_of(one.source) != ROWS]
        return tuple(dict.fromkeys(map(_step, found)))

    def decided(self, reached: Collection[str]) -> tuple[Indirect, ...]:
        """What reached attributes decide, rows of inner entities on the way: an impact's `indirect` between tables.

        ``WITH c AS (SELECT x FROM s WHERE y = 1) SELECT x AS a FROM c``: y decides over the rows of c, so about a.
        """
        met = set(reached)
        uses = [_used(one, met) for one in self._uses() if one.source in met or entity_of(one.source) in self.inner]
        found = {(one.target, one.subtype) for one in fold(uses, self.inner) if one.source == ASKED and not one.direct}
        return tuple(Indirect(name, subtype) for name, subtype in sorted(found))

    def _uses(self) -> Iterator[Folded]:
        """Every use of an attribute; what decides the rows of a table is used for each attribute that they fill."""
        filled: defaultdict[str, list[str]] = defaultdict(list)
        for population in self._populations:
            filled[population.mapping].append(population.target)
            for source in (source for clause in population.clauses for source in clause.sources):
                yield Folded(source.attribute, population.target, source.subtype)
        for head in self._heads.values():
            read = dict.fromkeys((head.driving, *(join.entity for join in head.joins)))
            of_all = self._names.get(head.target, ()) if head.changes_rows else ()
            rows = [f"{head.target}.{ROWS}"] if head.target in self.inner else [*filled[head.mapping], *of_all]
            for target in rows:
                yield from (Folded(source.attribute, target, source.subtype) for source in head.sources)
                yield from (Folded(f"{one}.{ROWS}", target, "FILTER") for one in read if one in self.inner)

    def _said(self, text: str, head: Head | None) -> tuple[str, ...]:
        """A condition of a mapping, subqueries told by what they read; none where it has none."""
        for entity in (head.driving, *(join.entity for join in head.joins)) if head else ():
            text = text.replace(parts(entity)[-1], self.called[entity]) if entity in self.called else text
        return (text,) if text else ()

    def _plain(self, step: Step) -> Folded:
        head = self._heads.get(step.mapping)
        whole = head is not None and step.target == head.target and step.kind == "indirect"
        target = f"{step.target}.{ROWS}" if whole else step.target
        conditions = self._said(step.condition, head)
        return Folded(step.source, target, step.subtype, conditions, step.location, step.mapping)

    def _filling(self) -> Iterator[Folded]:
        """The steps into attributes of inner entities."""
        for population in self._populations:
            if entity_of(population.target) in self.inner:
                head = self._heads[population.mapping]
                for clause in population.clauses:
                    place = Location(head.file, clause.line, clause.column)
                    conditions = self._said(clause.text, head)
                    for one in clause.sources:
                        yield Folded(
                            one.attribute, population.target, one.subtype, conditions, place, population.mapping
                        )

    def _unjudged(self, met: Collection[str]) -> list[Head]:
        """The mappings that make rows of inner entities of which no value is asked: these decide by being there."""
        return [head for head in self._heads.values() if head.target in self.inner and head.target not in met]

    def _rows(self, heads: Iterable[Head]) -> Iterator[Folded]:
        for head in heads:
            for source, text, line in deciding(head):
                place = Location(head.file, line, 1)
                conditions = self._said(text, head)
                yield Folded(source.attribute, f"{head.target}.{ROWS}", source.subtype, conditions, place, head.mapping)

    def _between(self, mappings: Iterable[str]) -> Iterator[Folded]:
        """What decides the rows of an inner entity decides over all that is made of them."""
        for mapping in sorted(mappings):
            head = self._heads.get(mapping)
            for entity in dict.fromkeys((head.driving, *(join.entity for join in head.joins))) if head else ():
                if head and entity in self.inner and entity != head.target:
                    place = Location(head.file, head.line, 1)
                    yield Folded(f"{entity}.{ROWS}", f"{head.target}.{ROWS}", "FILTER", (), place, mapping)


def _called(head: Head) -> str:
    """What a subquery is called that has no name in its script: what it reads.

    >>> _called(Head("v", "`v`.`subquery 1`", "CORE.P", filter_text="p.k = 1"))
    '`CORE.P where p.k = 1`'
    """
    read = ", ".join(dict.fromkeys(parts(one)[-1] if "`" in one else one for one in (head.driving, *_joined(head))))
    alone = not head.joins and head.group is None and NAMELESS not in head.filter_text
    simple = alone and 0 < len(head.filter_text) <= SHORT
    text = f"{read} where {head.filter_text}" if simple else f"{read} in a subquery"
    return f"`{text.replace('`', '')}`"


def _joined(head: Head) -> list[str]:
    return [join.entity for join in head.joins]


def _used(one: Folded, reached: Collection[str]) -> Folded:
    """A use, as one of what was asked where its source is reached."""
    return replace(one, source=ASKED) if one.source in reached and not one.direct else one


def _step(one: Folded) -> Step:
    target = entity_of(one.target) if local_of(one.target) == ROWS else one.target
    kind: Kind = "direct" if one.direct else "indirect"
    return Step(
        one.mapping,
        one.source,
        target,
        kind,
        one.subtype,
        all_of(list(one.conditions)),
        one.location or Location("", 1, 1),
    )
