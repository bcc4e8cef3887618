"""Attributes and answers -> the words of the scripts they rest on: what gives values, and what decides over rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mdw.language.derive import derive
from mdw.model.answers.answer import Answer
from mdw.model.answers.quotes import Mark, Quote, ScriptWords
from mdw.model.answers.reasons import Reason
from mdw.model.answers.statements import SqlStatement
from mdw.model.name import entity_of
from mdw.model.rules import Rules
from mdw.model.tree import Location, Node, lines_of
from mdw.store import scripts, trees
from mdw.store.engine import Store

if TYPE_CHECKING:
    from mdw.readers.sql.excerpts import Excerpts

MOST = 50
"""Steps with different ends whose words are looked up."""
DECIDING = ("filter", "join", "having", "qualify")
"""The parts of a mapping that say which rows there are."""


How = Literal["value", "rows", "join"]
Places = tuple[tuple[Location, How], ...]
"""Places of which the first counts that the words of the statement bear out."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A mapping of a statement: its tree and its rules."""

    tree: Node
    rules: Rules


def quotes(store: Store, attribute: str, mappings: Iterable[str]) -> tuple[Quote, ...]:
    """The statements that these mappings, which fill the attribute, were read from, in order of their places.

    Mappings that were not read from SQL are left out.
    """
    quoting = _Quoting(store, mappings)
    found: dict[Location, list[str]] = {}
    for name, statement in quoting.statements.items():
        found.setdefault(statement.start or statement.location, []).append(name)
    return tuple(quoting.quote(attribute, found[place]) for place in sorted(found))


def written(store: Store, answer: Answer) -> tuple[ScriptWords, ...]:
    """What an answer speaks of in the words of the scripts, in order of their places; nothing of mapping text.

    These are what gives the values of its steps and decides over their rows, and the rules by which others were left
    out; of steps the first `MOST` that have different ends.
    """
    if not scripts.any_held(store):
        return ()
    ends = list(dict.fromkeys((step.mapping, step.target) for step in answer.steps if step.kind == "direct"))[:MOST]
    rules = [rule for one in answer.dropped for rule in one.because if rule.mapping and rule.location]
    quoting = _Quoting(store, dict.fromkeys((*(mapping for mapping, _ in ends), *(rule.mapping for rule in rules))))
    found: dict[ScriptWords, None] = {}
    for mapping, target in ends:
        if mapping in quoting.statements:
            found |= dict.fromkeys(quoting.quote(target, [mapping]).written())
    for rule in rules:
        if rule.mapping in quoting.statements:
            found |= dict.fromkeys(quoting.rule(rule).written())
    return tuple(sorted(found, key=lambda one: (one.location, one.text)))


class _Quoting:
    """The statements that some mappings were read from, each with all that it was read as."""

    def __init__(self, store: Store, mappings: Iterable[str]) -> None:
        self._store = store
        self._blocks: dict[Location, dict[str, _Block]] = {}
        self._excerpts: dict[Location, Excerpts] = {}
        places = {name: tree.location for name, tree in trees.trees(store, mappings) if tree.location}
        held: dict[str, list[SqlStatement]] = {}
        for one in scripts.statements(store, {place.file for place in places.values()}):
            held.setdefault(one.location.file, []).append(one)
        around = ((name, _around(held.get(place.file, ()), place)) for name, place in places.items())
        self.statements = {name: statement for name, statement in around if statement is not None}

    def quote(self, attribute: str, mappings: Sequence[str]) -> Quote:
        """The one statement of these mappings, with all that matters to the attribute."""
        statement = self.statements[mappings[0]]
        return self._quote(statement, mappings, _places(attribute, mappings, self._read(statement)))

    def rule(self, rule: Reason) -> Quote:
        """The statement of a rule, with the rule."""
        statement = self.statements[rule.mapping]
        block = self._read(statement).get(rule.mapping)
        places: Iterable[Places] = ()
        if rule.kind in ("clause", "population") and rule.location:
            places = [((rule.location, "value"),)]
        elif block is not None:
            wanted = ("join",) if rule.kind == "join" else ("filter", "having", "qualify")
            places = [_deciding(node) for node in block.tree.children if node.role in wanted]
        return self._quote(statement, [rule.mapping], places)

    def _quote(self, statement: SqlStatement, mappings: Sequence[str], places: Iterable[Places]) -> Quote:
        # sqlglot is slow to import, and only SQL is quoted.
        from mdw.readers.sql.excerpts import Excerpts

        at = statement.start or statement.location
        if at not in self._excerpts:
            self._excerpts[at] = Excerpts(statement.text, statement.dialect)
        excerpts = self._excerpts[at]
        finds = {"value": excerpts.value, "rows": excerpts.rows, "join": excerpts.join}
        marks: dict[Mark, None] = {}
        for some in places:
            for place, how in some:
                offset = _offset(statement, place)
                span = None if offset is None else finds[how](offset)
                if span is not None:
                    marks[Mark(*span, "value" if how == "value" else "rows")] = None
                    break
        ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end))
        return Quote(statement, tuple(mappings), tuple(ordered))

    def _read(self, statement: SqlStatement) -> dict[str, _Block]:
        """All mappings that a statement was read as."""
        start = statement.start or statement.location
        if start not in self._blocks:
            found = scripts.read_as(self._store, statement)
            self._blocks[start] = {name: _Block(tree, derive(tree, name)) for name, tree in found.items()}
        return self._blocks[start]


def _around(statements: Iterable[SqlStatement], place: Location) -> SqlStatement | None:
    """The statement a place lies in; the innermost, where a program holds others."""
    within = [one for one in statements if one.start and one.end and one.start <= place < one.end]
    return max(within, key=lambda one: one.start or one.location, default=None)


def _places(attribute: str, mappings: Sequence[str], blocks: dict[str, _Block]) -> Iterator[Places]:
    """Where the attribute's values are written and its rows decided, down through the inner entities of a statement."""
    pending = [(attribute, blocks[name]) for name in mappings if name in blocks]
    met = {(wanted, block.rules.head.mapping) for wanted, block in pending}
    while pending:
        wanted, block = pending.pop()
        head = block.rules.head
        yield from (_deciding(node) for node in block.tree.children if node.role in DECIDING)
        read = dict.fromkeys((head.driving, *(join.entity for join in head.joins)))
        onward = [(entity, "") for entity in read]
        for population in block.rules.populations:
            if population.target == wanted:
                for clause in population.clauses:
                    yield ((Location(head.file, clause.line, clause.column), "value"),)
                    onward += [(entity_of(source.attribute), source.attribute) for source in clause.sources]
        for entity, name in onward:
            for other in blocks.values():
                inner = other.rules.head
                if inner.inner and inner.target == entity and (name, inner.mapping) not in met:
                    met.add((name, inner.mapping))
                    pending.append((name, other))


def _deciding(node: Node) -> Places:
    """Where a part that decides over rows may stand: a join by its table or, made of a condition, by that."""
    condition = node.first("condition")
    found: list[tuple[Location, How]] = []
    if node.role == "join" and node.location:
        found.append((node.location, "join"))
    at = (condition.location if condition else None) or node.location
    return (*found, (at, "rows")) if at else tuple(found)


def _offset(statement: SqlStatement, place: Location) -> int | None:
    """A place as an offset in the statement's text; None if it lies elsewhere."""
    start = statement.start or statement.location
    if place.line == start.line:
        return place.column - start.column if place.column >= start.column else None
    lines = lines_of(statement.text, ends=True)
    number = place.line - start.line
    return sum(map(len, lines[:number])) + place.column - 1 if 0 < number < len(lines) else None
