"""Grammar -> meta tree: every place where the grammar lets a node stand, numbered (seed 000, chapter 6.2.1).

Roles are the rules and aliases a parse tree shows; a role is identifying when it lies on no recursion. Below an
identifying node the roles that do lie on one are visited depth first, each once: that drops the recursion, merges
equal components, and makes role and identifying ancestors together name exactly one meta node.

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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from lark import Lark
from lark.exceptions import LarkError
from lark.grammar import Rule, Symbol

from mdw.model.errors import InputError, QuestionError, did_you_mean, system_says
from mdw.model.tree import Location, Node

Kind = Literal["composition", "alternative", "leaf"]


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

    def __init__(self, nodes: tuple[MetaNode, ...]) -> None:
        self.nodes = nodes
        self._ancestors: list[tuple[int, ...]] = []
        for node in nodes:
            above = self[node.parent] if node.parent else None
            chain = self._ancestors[above.id - 1] if above else ()
            self._ancestors.append((above.id, *chain) if above and above.identifying else chain)
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
        """The node and everything below it, in pre-order."""
        # Ids are numbers in pre-order, so what is below a node follows it, up to its last descendant.
        last = id
        while self[last].children:
            last = self[last].children[-1]
        return self.nodes[id - 1 : last]

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
        inside: list[Region] = []
        start: Region = {}
        for node in self.nodes:
            around = inside[node.parent - 1] if node.parent else start
            inside.append({} if node.identifying else around)
            around[node.role] = (node, inside[-1])
        return start


def listed(nodes: Iterable[MetaNode]) -> str:
    """Meta nodes as a message names them."""
    return ", ".join(f"{node.id} {node.path}" for node in nodes)


def leaf_contexts(root: Node, metatree: MetaTree) -> list[str | None]:
    """Name path of the semantic context of every leaf, by pre-order; None for inner nodes and for operators."""
    found: list[str | None] = []
    stack = [(root, metatree.start)]
    while stack:
        node, region = stack.pop()
        meta, inside = region.get(node.role, UNKNOWN)
        if node.children:
            found.append(None)
            stack += [(child, inside) for child in node.children[::-1]]
        else:
            found.append(meta.path if meta else None)
    return found


def _spread(wanted: list[str], path: list[str]) -> bool:
    rest = iter(path)
    return path[-1] == wanted[-1] and all(role in rest for role in wanted)


# -- from the grammar to the tree ------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _of(grammar: Path, start: str) -> MetaTree:
    return MetaTree(tuple(_numbered(_Roles(_rules(grammar, start)), start)))


def _rules(grammar: Path, start: str) -> list[Rule]:
    try:
        # Without a parser: the rules are wanted as they are compiled, with `*`, `+` and `[...]` taken apart.
        return Lark.open(str(grammar), start=start, parser=None, lexer="basic", maybe_placeholders=False).rules
    except OSError as error:
        raise InputError(f"cannot read grammar {grammar}: {system_says(error)}") from error
    except LarkError as error:
        line, column = getattr(error, "line", -1), getattr(error, "column", -1)
        location = Location(str(grammar), line, column) if line > 0 else None
        raise InputError(f"{grammar} is no grammar: {str(error).splitlines()[0]}", location=location) from error


def _numbered(roles: _Roles, start: str) -> list[MetaNode]:
    """Depth first; ``met`` are the roles placed so far below the nearest identifying node."""
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
        children = []
        for child in roles.children(role):
            if child not in met:
                met.add(child)
                children.append(place(child, node, met))
        nodes[number - 1] = replace(node, children=tuple(children))
        return number

    place(start, None, set())
    return nodes


class _Roles:
    """What parse trees show of lark's rules: underscore rules inlined, ``?`` rules looked through, aliases as roles.

    A rule of a grammar is not a role: ``?sum: difference | sum PLUS difference -> computation`` shows itself as
    ``computation`` or as whatever stands for ``difference``, never as ``sum``.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules: defaultdict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            self._rules[rule.origin.name].append(rule)
        self._counts = self._count_inlined()
        self._shown: defaultdict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            if self._shows(rule):
                self._shown[_role(rule)].append(rule)
        self._children: dict[str, tuple[str, ...]] = {}
        self._reach: dict[str, frozenset[str]] = {}

    def children(self, role: str) -> tuple[str, ...]:
        """Roles right below a role, in order of first appearance."""
        if role not in self._children:
            seen: set[tuple[str, bool]] = set()
            found = (name for rule in self._shown[role] for kept in _kept(rule) for name in self._visible(kept, seen))
            self._children[role] = tuple(dict.fromkeys(found))
        return self._children[role]

    def loop(self, role: str) -> frozenset[str]:
        """The roles of the recursion a role starts or lies on; empty if there is none."""
        return frozenset(name for name in self._below(role) if role in self._below(name))

    def kind(self, role: str) -> Kind:
        """Alternative: one of several roles at a time, recursion dropped and equal components merged."""
        loop = self.loop(role)
        if not self.children(role):
            return "leaf"
        several = len(set(self.children(role)) - loop) > 1
        mixed = any(self._mixes(_kept(rule), loop, set()) for rule in self._shown[role])
        return "alternative" if several and not mixed else "composition"

    def _below(self, role: str) -> frozenset[str]:
        if role not in self._reach:
            found: set[str] = set()
            waiting = [role]
            while waiting:
                new = set(self.children(waiting.pop())) - found
                found |= new
                waiting += new
            self._reach[role] = frozenset(found)
        return self._reach[role]

    def _visible(self, symbol: Symbol, seen: set[tuple[str, bool]], alone: bool = False) -> Iterator[str]:
        """Roles a symbol may show as children; ``alone``: as the only child."""
        if symbol.is_term or (symbol.name, alone) in seen:
            return
        seen.add((symbol.name, alone))
        for rule in self._rules[symbol.name]:
            if self._shows(rule):
                yield _role(rule)
            if _inlined(symbol) and not alone:
                for kept in _kept(rule):
                    yield from self._visible(kept, seen)
            elif _inlined(symbol) or (rule.options.expand1 and not rule.alias):
                for kept in self._only(rule):
                    yield from self._visible(kept, seen, alone=True)

    def _mixes(self, symbols: Sequence[Symbol], dropped: frozenset[str], met: set[str]) -> bool:
        """Whether two different roles may stand side by side."""
        shown = [set(self._visible(symbol, set())) - dropped for symbol in symbols]
        if sum(map(bool, shown)) > 1 and len(set().union(*shown)) > 1:
            return True
        inlined = [symbol.name for symbol in symbols if _inlined(symbol) and symbol.name not in met]
        met.update(inlined)
        return any(self._mixes(_kept(rule), dropped, met) for name in inlined for rule in self._rules[name])

    def _shows(self, rule: Rule) -> bool:
        """Whether a node of its own may stand for the rule."""
        # A `?` rule gives way to an only child: it shows itself unless it always leaves exactly one.
        through = rule.options.expand1 and not rule.alias
        return not _inlined(rule.origin) and not (through and self._total(rule) == {1})

    def _only(self, rule: Rule) -> list[Symbol]:
        """Symbols that may be the only child the rule leaves."""
        counts = [self._count(symbol) for symbol in _kept(rule)]
        alone = (1 in own and all(0 in other for other in counts[:i] + counts[i + 1 :]) for i, own in enumerate(counts))
        return [symbol for symbol, sole in zip(_kept(rule), alone, strict=True) if sole]

    def _count_inlined(self) -> dict[str, frozenset[int]]:
        """How many children each inlined rule may leave: some of 0, 1 and 2 (for more)."""
        # Inlined rules may hold one another, so their counts grow together until none changes.
        self._counts = {rule.origin.name: frozenset() for own in self._rules.values() for rule in own}
        while True:
            new = {name: frozenset().union(*map(self._total, self._rules[name])) for name in self._counts}
            if new == self._counts:
                return new
            self._counts = new

    def _count(self, symbol: Symbol) -> frozenset[int]:
        return self._counts[symbol.name] if _inlined(symbol) else frozenset({1})

    def _total(self, rule: Rule) -> frozenset[int]:
        totals = frozenset({0})
        for symbol in _kept(rule):
            totals = frozenset(min(a + b, 2) for a in totals for b in self._count(symbol))
        return totals


def _kept(rule: Rule) -> list[Symbol]:
    """The symbols that leave something in the tree: all but the keywords lark filters out."""
    every = rule.options.keep_all_tokens
    return [symbol for symbol in rule.expansion if every or not getattr(symbol, "filter_out", False)]


def _inlined(symbol: Symbol) -> bool:
    return not symbol.is_term and symbol.name.startswith("_")


def _role(rule: Rule) -> str:
    return str(rule.alias or rule.options.template_source or rule.origin.name)
