"""What the rules of a contradiction say of the rows of its way, as sentences that `scripts` puts to solvers.

Row 1 is the source's, each mapping makes the next; a row joined to row 1 is ``beside row 1``. Rows that are joined are
spoken of as their own mappings make them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from mdw.conditions.sentences import Becomes, Fails, Holds, Sentence, Where
from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.answers.answer import Lineage
from mdw.model.answers.reasons import Group, Reason
from mdw.model.answers.steps import Step
from mdw.model.expressions import And, Attr, Compare, Condition, Const, Expression, In, IsNull, Or
from mdw.model.groups import with_picked
from mdw.model.name import entity_of_row, local_of, plain, row_of
from mdw.model.rules import Clause, Head, aggregating
from mdw.model.walks import Leaf, attributes_of, with_leaves

Renamed = Callable[[str], str]
MOST_ROWS = 500
"""Rows of one way of which it is said what makes them."""


class Made(NamedTuple):
    """A row that some mapping has made: its entity, where it is, how it is called there, and its attributes spoken of.

    ``above``: the entities of the rows that were made of it.
    """

    entity: str
    place: str
    row: str
    locals: tuple[str, ...]
    above: frozenset[str]


@dataclass
class WaySentences:
    """The sentences of one way: those that always hold, with what they say, and those of each rule.

    ``attributes``: by the names that sentences have for them.
    """

    answer: Lineage
    graph: Graph
    group: Group
    always: list[tuple[str, Sentence]] = field(default_factory=list)
    rules: dict[Reason, list[Sentence]] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    _rows: int = 0
    _known: dict[str, frozenset[str]] = field(default_factory=dict)

    def follow(self, condition: Condition | None) -> None:
        """Gather what is said of each row, from the question up to the source."""
        ways = self.group.way
        last = len(ways) + 1
        asked = row_of(self.answer.attribute)
        needed = self._asked(condition, last, asked) if ways and row_of(ways[-1].target) == asked else set()
        for number, step in reversed(list(enumerate(ways, 1))):
            needed = self._crossed(number, step, needed)
            entity = row_of(step.source)
            # What the question asks of other rows binds wherever one of them is met on the way.
            needed |= self._asked(condition, number, entity) if entity != asked else set()
        # Gathered from the question up, read from the source down.
        self.always.reverse()

    def _name(self, row: str, attribute: str) -> str:
        """What an attribute is called in one row."""
        found = f"{row} {attribute}"
        self.attributes[found] = plain(attribute)
        return found

    def _asked(self, condition: Condition | None, number: int, entity: str) -> set[str]:
        """What the question asks of a row; the attributes that it names."""
        rule = next((rule for rule in self.group.rules if rule.kind == "question"), None)
        if rule is None or condition is None:
            return set()
        parts = condition.parts if isinstance(condition, And) else (condition,)
        own = [part for part in parts if entity in {*map(row_of, attributes_of(part))}]
        for part in own:
            self._say(rule, Holds(with_leaves(part, renaming(partial(self._name, f"row {number}")))))
        return {name for part in own for name in attributes_of(part)}

    def _crossed(self, number: int, step: Step, needed: Iterable[str]) -> set[str]:
        """What a step says of its row, those beside it and the one it makes; the attributes named of its row."""
        head, edge = self.graph.heads[step.mapping], self._edge(step)
        row = edge.row if edge else row_of(step.source)
        met: set[str] = set()

        def name(attribute: str) -> str:
            met.add(attribute)
            own = row_of(attribute) == row
            return self._name(
                f"row {number}" if own else f"beside row {number}", plain(attribute) if own else attribute
            )

        for attribute in sorted(needed):
            self._filled(head, step, attribute, self._name(f"row {number + 1}", attribute), name)
        if rule := self._rule("clause", step):
            clauses = self.graph.filled[head.mapping][step.target].clauses
            taken = self._clause(clauses, step)
            for place, clause in enumerate(clauses[: taken + 1]):
                if clause.condition is not None:
                    meant = with_leaves(clause.condition, renaming(name))
                    self._say(rule, Holds(meant) if place == taken else Fails(meant))
            if edge and edge.test is not None:
                self._say(rule, Holds(with_leaves(edge.test, renaming(name))))
        if head.filter is not None and (rule := self._rule("filter", step)):
            self._say(rule, Holds(with_leaves(head.filter, renaming(name))))
        if rule := self._rule("join", step):
            for sentence in _joined(head, row, met, name):
                self._say(rule, sentence)
        for beside in [one for one in (head.row, *(join.row for join in head.joins)) if one != row]:
            locals_ = tuple(sorted(local_of(one) for one in met if row_of(one) == beside))
            self._makes(Made(entity_of_row(beside), f"beside row {number}", beside, locals_, frozenset()))
        return {plain(attribute) for attribute in met if row_of(attribute) == row}

    def _makes(self, first: Made) -> None:
        """What makes a row that is joined: one of the mappings into its entity, of a row that was made likewise.

        Which one is a value that the solver may choose, `made by`: ``1 => KIND = "x"``, ``2 => KIND is copied`` and so
        on. All of them must be said, since a row that one cannot make another may (rule Q10).
        """
        named = {rule.mapping for rule in self.group.rules}
        pending = [first]
        # Without recursion: what makes rows may be many levels deep. Of some rows more is not said, as of any other
        # that may be anything: a warehouse in which each joins two has twice as many at each level.
        while pending and self._rows < MOST_ROWS:
            made = pending.pop()
            # Where no rule of the contradiction makes such rows, what they are like has no part in it.
            filled = made.entity in self.graph.candidates.populated and made.entity not in made.above
            if filled and named.intersection(self._makers(made.entity)):
                self._rows += 1
                pending += reversed(self._made(made, f"below {self._rows}"))

    def _made(self, made: Made, within: str) -> list[Made]:
        """What each mapping says that may have made a row, of the rows it was made of, which are ``within``."""
        heads = self.graph.into[made.entity]
        by = Attr(self._name(made.place, f"{made.row}.`made by`"))
        numbers = tuple(Const("number", str(number)) for number, _ in enumerate(heads, 1))
        names = ", ".join(head.mapping for head in heads)
        why = f"a row of {made.entity} is made by the first, second, ... of {names}, of what is {within}"
        self._always(why, Holds(In(by, numbers)))
        # One mapping has made the row: whichever it was, the row it read of an entity may go by one name.
        read: dict[str, dict[str, None]] = {}
        for number, head in zip(numbers, heads, strict=True):
            met = set[str]()

            def name(attribute: str, met: set[str] = met) -> str:
                met.add(attribute)
                return self._name(within, attribute)

            given = Compare("=", by, number)
            for local in made.locals:
                self._put(head, f"{made.entity}.{local}", self._name(made.place, f"{made.row}.{local}"), name, given)
            if head.filter is not None and (rule := self._of("filter", head.mapping)):
                self._say(rule, Where(given, Holds(with_leaves(head.filter, renaming(name)))))
            if rule := self._of("join", head.mapping):
                for sentence in _joined(head, head.row, met, name):
                    self._say(rule, Where(given, sentence))
            for one in (head.row, *(join.row for join in head.joins)):
                locals_ = read.setdefault(one, {})
                locals_ |= dict.fromkeys(sorted(local_of(attribute) for attribute in met if row_of(attribute) == one))
        above = made.above | {made.entity}
        return [Made(entity_of_row(row), within, row, tuple(locals_), above) for row, locals_ in read.items()]

    def _makers(self, entity: str) -> frozenset[str]:
        """The mappings that have a say in which rows of an entity there are."""
        if entity not in self._known:
            found, pending = set[str](), [entity]
            for one in pending:
                for head in self.graph.into.get(one, ()):
                    if head.mapping not in found:
                        found.add(head.mapping)
                        pending += [head.driving, *(join.entity for join in head.joins)]
            self._known[entity] = frozenset(found)
        return self._known[entity]

    def _put(self, head: Head, attribute: str, target: str, name: Renamed, given: Condition) -> None:
        """What a mapping puts into an attribute of a row that is joined."""
        population = self.graph.filled[head.mapping].get(attribute)
        if population is None or head.group is not None or aggregating(population):
            return
        meant = renaming(name)
        cases = tuple(
            (None if one.condition is None else with_leaves(one.condition, meant), with_leaves(one.expression, meant))
            for one in population.clauses
        )
        rule = self._of("population", head.mapping, attribute)
        if population.copied is not None:
            self._always(f"{head.mapping} copies", Where(given, Becomes(target, cases)))
        elif rule:
            self._say(rule, Where(given, Becomes(target, cases)))

    def _of(self, kind: str, mapping: str, attribute: str = "") -> Reason | None:
        """The rule of the contradiction that is of this kind and of this mapping."""
        found = (rule for rule in self.group.rules if (rule.kind, rule.mapping) == (kind, mapping))
        return next((rule for rule in found if not attribute or rule.attribute == attribute), None)

    def _edge(self, step: Step) -> Edge | None:
        """The step as the graph has it, with the row that it reads."""
        own = self.graph.populations.get(step.target)
        edges = (
            self.graph.incoming[step.target] + self.graph.written[step.target] if own else self.graph.above(step.target)
        )
        return next((edge for edge in edges if self.graph.step(edge) == step), None)

    def _filled(self, head: Head, step: Step, attribute: str, target: str, name: Renamed) -> None:
        """What becomes of an attribute of the row made."""
        population = self.graph.filled[head.mapping].get(attribute)
        edge = self._edge(step)
        if attribute == step.target and edge and edge.picked:
            rule = self._rule("population", step, attribute)
            value = with_picked(edge.population.clauses[edge.clause].expression, edge.picked)
            if rule:
                self._say(rule, Becomes(target, ((None, with_leaves(value, renaming(name))),)))
            return
        if head.group is not None or (edge and edge.keys is not None):
            return
        if population is None:
            policy = head.policy or ("carry" if head.update else self.answer.unpopulated or "carry")
            source, own = f"{head.driving}.{local_of(attribute)}", f"{head.row}.{local_of(attribute)}"
            if policy == "closed" and head.closes(attribute):
                self._always(f"{head.mapping} leaves it NULL", Becomes(target, ()))
            elif policy == "carry" and (head.update or (source, attribute) in self.graph.candidates.carried):
                self._always(f"{head.mapping} leaves it as it is", Becomes(target, ((None, Attr(name(own))),)))
            return
        if population.copied is not None:
            self._always(f"{head.mapping} copies", Becomes(target, ((None, Attr(name(population.copied))),)))
            return
        rule = self._rule("population", step, attribute)
        if rule is None:
            return
        meant, cases = renaming(name), list[tuple[Condition | None, Expression]]()
        for clause in population.clauses:
            given = None if clause.condition is None else with_leaves(clause.condition, meant)
            cases.append((given, with_leaves(clause.expression, meant)))
        if aggregating(population):
            # Which clause fills an aggregate is another row's affair too, but for the one the way takes.
            taken = self._clause(population.clauses, step) if attribute == step.target else None
            cases = [] if taken is None else [(None, cases[taken][1])]
        if cases:
            self._say(rule, Becomes(target, tuple(cases)))

    def _rule(self, kind: str, step: Step, attribute: str = "") -> Reason | None:
        """The rule of the contradiction that is of this kind and binds at a step."""
        found = (rule for rule in self.group.rules if (rule.kind, rule.mapping) == (kind, step.mapping))
        if kind == "clause":
            found = (rule for rule in found if (rule.attribute, rule.location) == (step.target, step.location))
        return next((rule for rule in found if not attribute or rule.attribute == attribute), None)

    @staticmethod
    def _clause(clauses: Iterable[Clause], step: Step) -> int:
        places = [(clause.line, clause.column) for clause in clauses]
        return places.index((step.location.line, step.location.column))

    def _always(self, why: str, sentence: Sentence) -> None:
        self.always.append((why, sentence))

    def _say(self, rule: Reason, sentence: Sentence) -> None:
        # The way is gone through from its end: what is said last stands first.
        self.rules.setdefault(rule, []).insert(0, sentence)


def _joined(head: Head, row: str, met: set[str], name: Renamed) -> Iterator[Holds]:
    """That each row joined exists and has its keys; of an outer join nobody needs nothing is said."""
    if any(join.kind in ("right", "full", "anti") for join in head.joins):
        return
    # The last join first: a row that a later one starts from is needed by then, and spoken of.
    for join in reversed(head.joins):
        spoken = sorted(one for one in met if row_of(one) == join.row)
        optional = join.kind == "left" and join.row != row
        if join.kind == "mark" or (optional and not spoken):
            continue
        asked: list[Condition] = [Compare("=", Attr(name(left)), Attr(name(right))) for left, right in join.on]
        asked += [] if join.rest is None else [with_leaves(join.rest, renaming(name))]
        found: Condition = And(tuple(asked))
        missing = And(tuple(IsNull(Attr(name(one))) for one in sorted({*spoken, *(right for _, right in join.on)})))
        yield Holds(Or((found, missing)) if optional else found)


def renaming(name: Renamed) -> Leaf:
    """What puts other names in the place of those of attributes."""
    return lambda leaf: Attr(name(leaf.name)) if isinstance(leaf, Attr) else leaf
