"""Grammar -> meta tree: every place where the grammar lets a node stand, numbered (seed 000, chapter 6.2.1).

Roles are the rules and aliases a parse tree shows; a role is identifying when it lies on no recursion. Below an
identifying node the roles that do lie on one are placed once, those right below a node before those further down: that
drops the recursion, merges equal components, and makes role and identifying ancestors together name one meta node.

A condition may hold conditions of any depth, ``A = 1 AND (B = 2 OR NOT C = 3)``. In the meta tree it is one place with
one comparison below: wherever an attribute stands in a condition, it plays the same role. Grammar file in, frozen tree
out:

>>> from mdw.resources import GRAMMARS
>>> tree = MetaTree.of(GRAMMARS / "mapping.lark")
>>> target, written = tree.resolve("populate.attribute"), tree.resolve("with.expression.string")
>>> target.path, tree[target.parent].identifying
('population.populate.attribute', True)

An attribute that is filled and a string that may fill it belong together where they stand below the same POPULATE,
their lowest common identifying ancestor:

>>> tree.lcia(target.id, written.id).path
'population.populate'
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

from mdw.language.mapping import MAPPING_GRAMMAR, parser_of
from mdw.language.roles import Kind, Roles, rules_of
from mdw.model.errors import QuestionError, did_you_mean


@dataclass(frozen=True, slots=True)
class MetaNode:
    """One place in the grammar; ``path`` names it by the roles below the root: ``population.populate.attribute``."""

    id: int
    role: str
    kind: Kind
    identifying: bool
    parent: int | None
    children: tuple[int, ...]
    path: str


# The meta nodes a parse-tree node may stand at, by its role; each with the region its children look themselves up in.
# Only an identifying node opens a region of its own: below any other the roles of the region around it go on, so that a
# node nested in its like finds the one meta node that stands for all levels.
Region: TypeAlias = "dict[str, tuple[MetaNode, Region]]"
NOWHERE: Region = {}
UNKNOWN: tuple[None, Region] = (None, NOWHERE)


class MetaTree:
    """The meta nodes of one grammar in pre-order, ids counted from 1."""

    def __init__(self, nodes: tuple[MetaNode, ...], roles: Roles) -> None:
        self.nodes = nodes
        self._roles = roles
        self._ancestors: list[tuple[int, ...]] = []
        for node in nodes:
            above = self[node.parent] if node.parent else None
            chain = self._ancestors[above.id - 1] if above else ()
            self._ancestors.append((above.id, *chain) if above and above.identifying else chain)
        self._inside: list[Region] = []
        self.start: Region = self._regions()

    @classmethod
    def of(cls, grammar: Path, start: str = "mapping") -> MetaTree:
        """The meta tree of a grammar file; InputError if the file is missing or no grammar."""
        return _of(Path(grammar), start)

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, id: int) -> MetaNode:
        return self.nodes[id - 1]

    def identifying_ancestors(self, id: int) -> tuple[int, ...]:
        """The identifying ancestors, nearest first: the computational context of whatever stands here."""
        return self._ancestors[id - 1]

    def lcia(self, a: int, b: int) -> MetaNode | None:
        """The lowest common identifying ancestor; a node that is no leaf counts among its own ancestors."""
        others = set(self._chain(b))
        return next((self[id] for id in self._chain(a) if id in others), None)

    def below(self, id: int) -> tuple[MetaNode, ...]:
        """The node and everything that may stand below it, in pre-order.

        Below a node of a recursion that is also what stands elsewhere in its region: of a CASE within an expression the
        attributes of that expression.
        """
        found, pending = {id}, [id]
        while pending:
            node = self[pending.pop()]
            inside = self._inside[node.id - 1]
            standing = {inside[role][0].id for role in self._roles.children(node.role)}
            pending += standing - found
            found |= standing
        return tuple(self[one] for one in sorted(found))

    def leaf_for(self, role: str, identifying: Iterable[str]) -> MetaNode | None:
        """The leaf of the given role below identifying ancestors of the given roles, outermost first."""
        region = self.start
        for name in (*identifying, role):
            node, region = region.get(name, UNKNOWN)
        return node if node and node.kind == "leaf" else None

    @cached_property
    def roles(self) -> frozenset[str]:
        """Every role of the grammar."""
        return frozenset(node.role for node in self.nodes)

    def resolve(self, context: str) -> MetaNode:
        """The node an id, a name path or the unambiguous end of one means; QuestionError otherwise."""
        wanted = context.strip().casefold()
        found = self._endings.get(wanted, [])
        if wanted.isdecimal():
            found = [node for node in self.nodes if str(node.id) == wanted]
            if not found:
                raise QuestionError(f"there is no context {wanted}: ids run from 1 to {len(self.nodes)}")
        # A whole path wins over longer paths that end in it, else no path could name a node near the root.
        exact = [node for node in found if node.path == wanted] or found
        if len(exact) == 1:
            return exact[0]
        if exact:
            raise QuestionError(f"context {context.strip()} is ambiguous, it may be {listed(exact)}")
        raise QuestionError(f"there is no context {context.strip()}{self._near(wanted)}")

    def _near(self, wanted: str) -> str:
        # Who leaves roles out of the middle means a path; who mistypes one is helped by likeness of letters.
        skipping = [node for node in self.nodes if _spread(wanted.split("."), node.path.split("."))]
        close = [node for ending in get_close_matches(wanted, self._endings, 3) for node in self._endings[ending]]
        nodes = sorted({node.id: node for node in skipping or close}.values(), key=lambda node: node.id)
        return did_you_mean([listed(nodes)]) if nodes else f"; roles are {', '.join(sorted(self.roles))}"

    def _chain(self, id: int) -> tuple[int, ...]:
        node = self[id]
        own = (id,) if node.identifying and node.kind != "leaf" else ()
        return own + self._ancestors[id - 1]

    @cached_property
    def _endings(self) -> dict[str, list[MetaNode]]:
        found: defaultdict[str, list[MetaNode]] = defaultdict(list)
        for node in self.nodes:
            roles = node.path.split(".") if node.parent is None else [self.nodes[0].role, *node.path.split(".")]
            for first in range(len(roles)):
                found[".".join(roles[first:])].append(node)
        return found

    def _regions(self) -> Region:
        # A recursive node shares the region around it. An expression and a CASE within it are one region, so that the
        # attribute in `CASE ... THEN CASE ... THEN S.X` is looked up where that in a plain `S.X` is, however deep.
        inside = self._inside
        start: Region = {}
        for node in self.nodes:
            around = inside[node.parent - 1] if node.parent else start
            inside.append({} if node.identifying else around)
            around[node.role] = (node, inside[-1])
        return start


def listed(nodes: Iterable[MetaNode]) -> str:
    """Meta nodes as a message names them."""
    return ", ".join(f"{node.id} {node.path}" for node in nodes)


def _spread(wanted: list[str], path: list[str]) -> bool:
    rest = iter(path)
    return path[-1] == wanted[-1] and all(role in rest for role in wanted)


# -- from the grammar to the tree ------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _of(grammar: Path, start: str) -> MetaTree:
    # What the parser of the language has kept of its grammar need not be worked out a second time.
    parser = parser_of(grammar) if grammar == MAPPING_GRAMMAR else None
    roles = Roles(parser.fast.rules if parser and start in parser.starts else rules_of(grammar, start))
    return MetaTree(tuple(_numbered(roles, start)), roles)


def _numbered(roles: Roles, start: str) -> list[MetaNode]:
    """In pre-order; ``met`` are the roles that have a place below the nearest identifying node."""
    nodes: list[MetaNode] = []

    def place(role: str, parent: MetaNode | None, met: set[str]) -> int:
        loop = roles.loop(role)
        path = f"{parent.path}.{role}" if parent and parent.parent else role
        number = len(nodes) + 1
        node = MetaNode(number, role, roles.kind(role), not loop, parent.id if parent else None, (), path)
        nodes.append(node)
        # Below an identifying node every role may appear anew; below any other, only those not yet placed.
        if not loop or not parent:
            met = {role}
        # What may stand right here has its place here, also where something before it may hold it too.
        below = [child for child in roles.children(role) if child not in met]
        met.update(below)
        children = tuple([place(child, node, met) for child in below])
        nodes[number - 1] = replace(node, children=children)
        return number

    place(start, None, set())
    return nodes
