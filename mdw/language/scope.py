"""The rows a mapping reads and the names it may call them by, as they are read one after another.

Of ``FROM S AS O LEFT JOIN S ON S.ID = O.PARENT`` the names are O and S. An entity that is read once may be named by
its role and by its own name; one that is read twice must have roles that tell its rows apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from mdw.language.finding import Finding, at
from mdw.model.name import canonical, entity_of, local_of, parts
from mdw.model.tree import Node


class Scope:
    """What has been read so far.

    ``names`` are those of the rows, ``marks`` those that EXISTS may ask for; ``beside`` has rows that are only looked
    for, each with the words of its join: no attribute of theirs may be used outside of its ON.
    """

    def __init__(self, tree: Node) -> None:
        self.names: set[str] = set()
        self.marks: set[str] = set()
        self.beside: dict[str, str] = {}
        self._taken: set[str] = set()
        read = [_named(node) for node in readings(tree)]
        # An entity's name tells its row only if it is read once and no other row is called so.
        called = {role or entity for entity, role in read}
        entities = [entity for entity, _ in read]
        once = entities if len(read) < 2 else [entity for entity, count in Counter(entities).items() if count == 1]
        self._plain = set(once) - called
        self._roles: defaultdict[str, list[str]] = defaultdict(list)
        for entity, role in read:
            if role:
                self._roles[entity].append(role)
        self._read: set[str] = set()

    def read(self, node: Node) -> Iterator[Finding]:
        """Findings of reading the entity of a ``drivingentity`` or ``join`` node, maybe in a role."""
        entity, role = _named(node)
        name = role or entity
        place = node.first("role") or node.first("entity") or node
        if "." in role and len(parts(role)) > 1:
            yield at(place, f"{role} is no role", "a role is one word, without points")
        if name in self._taken:
            yield at(place, f"{name} is read already", "give each row a role of its own: JOIN … AS role")
        self._taken.add(name)
        self._read.add(entity)
        self.names |= self._names(node)

    def joined(self, node: Node) -> None:
        """Behind a JOIN: what it only looked for is named no more."""
        kind = node.children[0].role
        if kind in ("SEMI JOIN", "ANTI JOIN", "MARK JOIN"):
            self.names -= self._names(node)
            self.beside |= dict.fromkeys(self._names(node), kind)
            self.marks |= self._names(node) if kind == "MARK JOIN" else set()

    def navigate(self, node: Node) -> Iterator[Finding]:
        """Findings of one NAVIGATE; the entity it leads to is read from here on."""
        start, end, *pairs = node.children
        left, right = canonical(start.children[0].content), canonical(end.children[0].content)
        hint = f"read it in a role of its own: LEFT JOIN {right} AS role ON …"
        if left == right:
            yield at(end, f"{right} is joined to itself", hint)
        elif left not in self._read:
            yield at(start, f"{left} is not joined here", f"NAVIGATE to {left} first")
        elif right in self._read:
            yield at(end, f"{right} is joined already", hint)
        # Joined even if something is wrong with it: one mistake should not make errors of all that rests on it.
        self._taken.add(right)
        self._read.add(right)
        self.names.add(right)
        for pair in pairs:
            sides = [(side, qualifier(side.content)) for side in pair.children]
            strange = [side for side, name in sides if name not in self.names]
            for side in strange:
                yield at(side, f"{qualifier(side.content)} is not joined here", f"this NAVIGATE joins {right}")
            if not strange and right not in [name for _, name in sides]:
                yield at(pair, f"this pair does not join {right}", f"one side is an attribute of {right}")

    def strange(self, leaf: Node, *, here: bool = False) -> Finding:
        """What is wrong with an attribute of no row; ``here``: of none that is read before the place."""
        name = qualifier(leaf.content)
        if kind := self.beside.get(name):
            return at(leaf, f"{name} is only looked for", f"attributes of what {kind} joins stand in its ON")
        if roles := self._roles.get(name):
            return at(leaf, f"{name} is read in several roles", f"name the role: {' or '.join(roles)}")
        if here:
            return at(leaf, f"{name} is not joined here", "an ON uses the row it joins and those read before it")
        return at(leaf, f"{name} is not joined", f"add NAVIGATE FROM … TO {name} USING … or LEFT JOIN {name} ON …")

    def _names(self, node: Node) -> set[str]:
        """The names of the row that a node reads."""
        entity, role = _named(node)
        return {role or entity, entity} if entity in self._plain else {role or entity}


def readings(tree: Node) -> Iterator[Node]:
    """The nodes of a mapping that read an entity, in order."""
    population = tree.first("population")
    driving = population.first("drivingentity") if population else None
    yield from [driving] if driving else []
    for node in tree.children:
        if node.role == "join":
            yield node
        elif node.role == "navigation":
            yield node.children[1]


def roles_of(tree: Node) -> dict[str, str]:
    """The entity behind each role in which a mapping reads one.

    >>> from mdw.language.mapping import read
    >>> roles_of(read("WHEN POPULATING T FROM S LEFT JOIN P AS boss ON boss.ID = S.BOSS").trees[0])
    {'BOSS': 'P'}
    """
    named = [_named(node) for node in readings(tree)]
    return {role: entity for entity, role in named if role}


def plain_name(attribute: str, roles: Mapping[str, str]) -> str:
    """The canonical name of an attribute as written, by its entity even if it is named by a role.

    >>> plain_name("boss.Name", {"BOSS": "P"}), plain_name("S.Name", {"BOSS": "P"})
    ('P.NAME', 'S.NAME')
    """
    name = canonical(attribute)
    entity = roles.get(entity_of(name)) if roles else None
    return f"{entity}.{local_of(name)}" if entity else name


def _named(node: Node) -> tuple[str, str]:
    """The entity that a node reads, and its role."""
    entity, role = node.first("entity") or node.children[0], node.first("role")
    return canonical(entity.content), canonical(role.content) if role else ""


def qualifier(attribute: str) -> str:
    """What stands before an attribute's own name: the role or entity of its row."""
    return entity_of(canonical(attribute))
