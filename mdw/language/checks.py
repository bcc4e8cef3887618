"""What the grammar cannot say about a mapping: names that must fit together, dates that must exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mdw.language.meaning import date_of
from mdw.model.name import canonical, entity_of
from mdw.model.tree import Location, Node

# Python gives up on expressions nested about a thousand deep, and every later stage goes down trees by recursion.
DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a mapping that parses, and where."""

    message: str
    location: Location
    hint: str = ""


def check(tree: Node) -> list[Finding]:
    """Everything wrong with a mapping tree, in the order of the text."""
    population = tree.first("population")
    if population is None:
        return []
    target, driving, *populates = population.children
    found = list(_targets(populates, _content(target)))
    joined = {_content(driving)}
    # The attribute a POPULATE fills is of the target, which is not joined: it is left out of the uses.
    uses = [clause for populate in populates for clause in populate.children[1:]]
    for node in tree.children:
        if node.role == "filter":
            uses.append(node)
        elif node.role == "navigation":
            found += _navigation(node, joined)
    # After the navigations: a WITH may use an entity that is joined further down in the text.
    found += _uses(uses, joined)
    return sorted(found, key=_place) if len(found) > 1 else found


def check_part(tree: Node) -> list[Finding]:
    """Everything wrong with a condition or expression given alone."""
    return list(_uses([tree], None))


def _targets(populates: list[Node], target: str) -> Iterator[Finding]:
    met: set[str] = set()
    for populate in populates:
        attribute = populate.children[0]
        name = canonical(attribute.content)
        if entity_of(name) != target:
            hint = f"the mapping populates {target}"
            yield _at(attribute, f"{attribute.content} is no attribute of the target entity", hint)
        if name in met:
            hint = "write its WITHs below one POPULATE, the first that applies counts"
            yield _at(attribute, f"{attribute.content} is populated twice", hint)
        met.add(name)


def _navigation(node: Node, joined: set[str]) -> Iterator[Finding]:
    """Findings of one NAVIGATE; the entity it leads to is joined from here on."""
    start, end, *pairs = node.children
    left, right = _content(start), _content(end)
    if left == right:
        yield _at(end, f"{right} is joined to itself", "give its second role an entity name of its own")
    elif left not in joined:
        yield _at(start, f"{left} is not joined here", f"NAVIGATE to {left} first")
    elif right in joined:
        yield _at(end, f"{right} is joined already", "give its second role an entity name of its own")
    # Joined even if something is wrong with it: one mistake should not make errors of all that rests on it.
    joined.add(right)
    for pair in pairs:
        sides = [(side, _entity(side.content)) for side in pair.children]
        strange = [(side, entity) for side, entity in sides if entity not in joined]
        for side, entity in strange:
            yield _at(side, f"{entity} is not joined here", f"this NAVIGATE joins {right}")
        if not strange and right not in [entity for _, entity in sides]:
            yield _at(pair, f"this pair does not join {right}", f"one side is an attribute of {right}")


def _uses(nodes: list[Node], joined: set[str] | None) -> Iterator[Finding]:
    """Findings at the leaves: attributes of entities that are not joined, impossible dates; and too many levels."""
    # Level by level, so that a tree too deep for recursion is refused here and not by a RecursionError.
    level = nodes
    for _ in range(DEEPEST):
        below: list[Node] = []
        for node in level:
            if node.children:
                below += node.children
            elif node.role == "attribute":
                if joined is not None and _entity(node.content) not in joined:
                    entity = _entity(node.content)
                    yield _at(node, f"{entity} is not joined", f"add NAVIGATE FROM … TO {entity} USING …")
            elif node.role == "date" and not _possible(node.content):
                yield _at(node, f"there is no day {node.content}")
        if not below:
            return
        level = below
    yield _at(level[0], f"nested more than {DEEPEST} levels deep", "let another mapping compute a part of it")


def _at(node: Node, message: str, hint: str = "") -> Finding:
    return Finding(message, node.location or Location("", 1, 1), hint)


def _place(finding: Finding) -> tuple[int, int]:
    return finding.location.line, finding.location.column


def _content(node: Node) -> str:
    return canonical(node.children[0].content)


@lru_cache(maxsize=1 << 16)
def _entity(attribute: str) -> str:
    return entity_of(canonical(attribute))


@lru_cache(maxsize=1024)
def _possible(date: str) -> bool:
    try:
        date_of(date)
    except ValueError:
        return False
    return True
