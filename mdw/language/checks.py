"""What the grammar cannot say about a mapping: names that must fit together, dates that must exist."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import lru_cache

from mdw.language.constants import date_of
from mdw.language.finding import Finding, at
from mdw.language.scope import Scope, qualifier
from mdw.model.name import canonical, entities_of, entity_of
from mdw.model.tree import CopyNode, Location, Node

LONGEST = 100_000
"""Characters of a text; each step and quad that speaks of it holds it."""
SPLIT_UP = "let another mapping compute a part of it"
# Python gives up on expressions nested about a thousand deep, and every later stage goes down trees by recursion.
DEEPEST = 200
AGGREGATIONS = ("aggregation", "aggregate")
USING = ("filter", "grouping", "having", "qualify", "distinct", "ordering", "limit")
"""Clauses of a mapping that use attributes of any row that it reads."""


def check(tree: Node) -> list[Finding]:
    """Everything wrong with a mapping tree, in the order of the text."""
    population = tree.first("population")
    if population is None:
        return []
    # UPDATING and DELETING stand before the ends as words.
    parts = [child for child in population.children if type(child) is CopyNode or child.children]
    word, (target, driving, *populates) = "", parts
    if not population.children[0].children:
        word = population.children[0].role
    found = list(_targets(populates, _content(target), word))
    scope = Scope(tree)
    found += scope.read(driving)
    uses = []
    for node in tree.children:
        if node.role in USING:
            uses.append(node)
        elif node.role == "navigation":
            found += scope.navigate(node)
        elif node.role == "join":
            found += _join(node, scope)
        if node.role == "filter":
            found += _aggregated(node)
    # After the joins: a WITH may use an entity that is joined further down in the text. The attribute a POPULATE fills
    # is of the target, which is not joined: it is left out of the uses.
    clauses = [clause for one in populates if not _copies_read(one, scope.names) for clause in one.children[1:]]
    found += _uses([*clauses, *uses], scope)
    return sorted(found, key=_place) if len(found) > 1 else found


def check_part(tree: Node) -> list[Finding]:
    """Everything wrong with a condition or expression given alone."""
    return list(_uses([tree], None))


def _targets(populates: list[Node], target: str, word: str) -> Iterator[Finding]:
    names = [canonical(one.filled if type(one) is CopyNode else one.children[0].content) for one in populates]
    if word != "DELETING" and len(set(names)) == len(names) and {target}.issuperset(entities_of(names).values()):
        return
    met: set[str] = set()
    for populate, name in zip(populates, names, strict=True):
        attribute = populate.children[0]
        if word == "DELETING":
            yield at(attribute, "a mapping that deletes rows populates nothing", "the rows are those of its FROM")
        if entity_of(name) != target:
            hint = f"the mapping populates {target}"
            yield at(attribute, f"{attribute.content} is no attribute of the target entity", hint)
        if name in met:
            hint = "write its WITHs below one POPULATE, the first that applies counts"
            yield at(attribute, f"{attribute.content} is populated twice", hint)
        met.add(name)


def _copies_read(populate: Node, names: Set[str]) -> bool:
    """Whether a POPULATE only copies an attribute of a row that is read: then nothing is wrong with its WITH."""
    return type(populate) is CopyNode and qualifier(populate.source) in names


def _join(node: Node, scope: Scope) -> Iterator[Finding]:
    """Findings of one JOIN: what it reads, and its ON, which may use this row and those read before it."""
    yield from scope.read(node)
    conditions = node.all("condition")
    yield from _uses(list(conditions), scope, here=True)
    for condition in conditions:
        yield from _aggregated(condition)
    scope.joined(node)


def _uses(nodes: list[Node], scope: Scope | None, *, here: bool = False) -> Iterator[Finding]:
    """Findings at the leaves: attributes of rows that are not read, impossible dates; and too many levels."""
    # Level by level, so that a tree too deep for recursion is refused here and not by a RecursionError.
    level = nodes
    for _ in range(DEEPEST):
        below: list[Node] = []
        for node in level:
            if node.children:
                below += node.children
                if node.role in AGGREGATIONS:
                    yield from _aggregated(node.children[-1])
                # Such a one is (/ (/ 12 31) 2013); most computations are one operand.
                elif node.role == "computation" and len(node.children) > 2 and _datelike(node):
                    yield at(node.children[1], "dates are written 31.12.2013 or 2013-12-31")
            elif node.role == "attribute":
                if scope is not None and qualifier(node.content) not in scope.names:
                    yield scope.strange(node, here=here)
            elif node.role == "string" and len(node.content) > LONGEST:
                yield at(node, f"a text of more than {LONGEST:,} characters", "rules hold no data")
            elif node.role == "date" and not _possible(node.content):
                yield at(node, f"there is no day {node.content}")
            elif node.role == "role" and (scope is None or canonical(node.content) not in scope.marks):
                hint = f"MARK JOIN … AS {node.content} ON … joins what EXISTS asks for"
                yield at(node, f"{node.content} is not joined by MARK JOIN", hint)
        if not below:
            return
        level = below
    yield at(level[0], f"nested more than {DEEPEST} levels deep", SPLIT_UP)


def _aggregated(node: Node) -> Iterator[Finding]:
    """Aggregations where single rows are asked for: in filters and joins, and within other aggregations."""
    pending = [node]
    while pending:
        one = pending.pop()
        if one.role in AGGREGATIONS:
            inner = "an aggregation within an aggregation" if node.role not in ("filter", "condition") else ""
            message = inner or "an aggregation in a condition on single rows"
            hint = "let another mapping aggregate first" if inner else "HAVING asks for values of groups"
            yield at(one, message, hint)
        elif one.role != "window":
            pending += one.children[::-1]


def _datelike(node: Node) -> bool:
    """Whether what is read as a computation of three numbers was meant as a day: 12/31/2013, written without spaces."""
    leaves = [one for one in node.walk() if not one.children]
    operators, numbers = {leaf.content for leaf in leaves[:2]}, leaves[2:]
    if len(numbers) != 3 or operators not in ({"/"}, {"-"}) or {number.role for number in numbers} != {"value"}:
        return False
    first, second, third = [(number.location, len(number.content)) for number in numbers]
    return _beside(first, second) and _beside(second, third)


def _beside(one: tuple[Location | None, int], other: tuple[Location | None, int]) -> bool:
    """Whether only an operator stands between two numbers, each given by its place and its length."""
    (left, length), (right, _) = one, other
    return bool(left and right and left.line == right.line and left.column + length + 1 == right.column)


def _place(finding: Finding) -> tuple[int, int]:
    return finding.location.line, finding.location.column


def _content(node: Node) -> str:
    return canonical((node.first("entity") or node.children[0]).content)


@lru_cache(maxsize=1024)
def _possible(date: str) -> bool:
    try:
        date_of(date)
    except ValueError:
        return False
    return True
