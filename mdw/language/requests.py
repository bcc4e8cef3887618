"""Requests over mapping trees: what stands where, and what belongs together (seed 000, chapters 6.2.2 to 6.2.5).

``context, type, content`` selects the leaves of a type and content at or below a context; ``: context, type`` projects
each to the leaves at or below a second context that stand below the same instance of the lowest common identifying
ancestor. Contexts are ids or name paths of the meta tree. Pure: no store, no files.

"Which attributes does T.A take its values from?" reads ``populate.attribute, attribute, T.A : with.expression,
attribute``:

>>> from mdw.language.mapping import MAPPING_GRAMMAR, read
>>> text = "WHEN POPULATING T FROM S POPULATE T.A WITH S.X IF S.Y = 1 POPULATE T.B WITH S.Z"
>>> request = read_request("populate.attribute, attribute, T.A : with.expression, attribute")
>>> found = match(request, [("m", read(text).trees[0])], MetaTree.of(MAPPING_GRAMMAR))
>>> [(one.content, one.path) for one in found]
[('S.X', 'population.populate.with.expression.computation.attribute')]

S.Z is left out, as it stands below another POPULATE; so is S.Y, which stands in a condition and not in an expression.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache

from mdw.language.constants import date_of, unquote
from mdw.language.metatree import UNKNOWN, MetaNode, MetaTree, Region, listed
from mdw.model.answers.results import Match, Parameter
from mdw.model.errors import QuestionError, did_you_mean
from mdw.model.expressions import decimal_text
from mdw.model.name import canonical
from mdw.model.tree import Node

FORM = "a request reads `context, type, content` or `context, type, content : context, type`"
QUOTED = r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^']|'')*'"
# The content may hold commas and colons inside quotes only: they part the request.
REQUEST = re.compile(
    r"(?P<context>[^,:]*),(?P<type>[^,:]*)"
    rf"(?:,(?P<content>\s*(?:{QUOTED})\s*|(?:`[^`\n]*`|[^:`])*))?"
    r"(?::(?P<context2>[^,:]*),(?P<type2>[^,:]*))?\Z",
    re.DOTALL,
)
QUOTES = re.compile(rf"(?:{QUOTED})\Z", re.DOTALL)
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)\Z", re.ASCII)
DATE = re.compile(r"\d{4}([-.])\d{2}\1\d{2}\Z|\d{2}\.\d{2}\.\d{4}\Z|\d{8}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Selection:
    """Nodes of one type at or below a context, with a content as written in the request; None: with any."""

    context: str
    type: str
    content: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What to look up, and what to project it to, if anything."""

    selection: Selection
    projection: Selection | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """A node of a parse tree: its number, its context, and its identifying ancestors' numbers from the root down.

    ``around`` has the contexts of the others, and its own: those that lie on a recursion.
    """

    number: int
    node: Node
    meta: MetaNode
    instances: tuple[int, ...]
    around: frozenset[int]


def read_request(text: str) -> Request:
    """The request a text such as ``8, attribute, A.B : 10, attribute`` states; QuestionError if it states none.

    >>> read_request("populate.attribute, attribute, A.B").selection.content
    'A.B'
    """
    found = REQUEST.match(text)
    if not found:
        hint = "; content with a colon needs quotes" if ":" in text else ""
        raise QuestionError(f"{FORM}, not {text.strip() or 'nothing'}{hint}")
    parts = {name: part.strip() for name, part in found.groupdict().items() if part is not None}
    for name, part in parts.items():
        if not part:
            hint = "; write * for any" if name == "content" else ""
            raise QuestionError(f"{FORM}; in {text.strip()} the {name.rstrip('2')} is empty{hint}")
    content = parts.get("content", "*")
    projection = Selection(parts["context2"], parts["type2"]) if "context2" in parts else None
    return Request(Selection(parts["context"], parts["type"], None if content == "*" else content), projection)


def parameterised(requests: Iterable[Request], metatree: MetaTree) -> tuple[Parameter, ...]:
    """The meta leaves that requests look at, with the content expected there (table 6.1)."""
    selections = [request.selection for request in requests]
    aimed = ((node, one.content) for one in selections for node in _aimed(one, metatree))
    return tuple(Parameter(node.id, node.role, node.path, content) for node, content in aimed)


def contexts(root: Node, metatree: MetaTree) -> dict[int, MetaNode | None]:
    """The meta node of every node by pre-order number; None for operators and for what the grammar does not know."""
    return {number: meta for number, _, meta, _, _ in _walk(root, metatree)}


def match(request: Request, trees: Iterable[tuple[str, Node]], metatree: MetaTree) -> tuple[Match, ...]:
    """The nodes a request finds in mapping trees, given with their mappings' names, in order of mapping and node.

    Contents compare as what they mean: names by their canonical form, strings without quotes, numbers and dates by
    value. QuestionError if a context is unknown or holds nothing of the type.
    """
    wanted, shown = _Aim(request.selection, metatree), None
    if request.projection:
        shown = _Aim(request.projection, metatree)
    content = request.selection.content
    keys = _meanings(content) if content is not None else None
    # Most nodes of a tree have other roles; a look at the role spares them a place.
    roles = wanted.roles | (shown.roles if shown else frozenset())
    found: list[Match] = []
    for mapping, root in trees:
        places = [
            _Place(number, node, meta, up, around)
            for number, node, meta, up, around in _walk(root, metatree)
            if meta and node.role in roles
        ]
        chosen = [place for place in places if wanted.has(place) and _fits(place.node, keys)]
        if chosen and shown:
            shown_here = [place for place in places if shown.has(place)]
            related = _related(chosen, shown_here, metatree)
            found += [_match(mapping, place, related[place.number]) for place in shown_here if related[place.number]]
        else:
            found += [_match(mapping, place) for place in chosen]
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def content_key(text: str) -> tuple[str, str]:
    """What a leaf's content means: equal keys, equal meaning.

    >>> content_key("01010001") == content_key("01.01.0001"), content_key("a.`B`")
    (True, ('name', 'A.B'))
    """
    if QUOTES.match(text):
        return "string", unquote(text)
    # Before numbers, as in the grammar: eight digits that make a day are a date.
    if DATE.match(text):
        try:
            return "date", date_of(text.replace(".", "-") if text[4] == "." else text).isoformat()
        except ValueError:
            pass
    if NUMBER.match(text):
        return "number", decimal_text(Decimal(text))
    return "name", canonical(text)


def _meanings(content: str) -> frozenset[tuple[str, str]]:
    """What a request's content may mean: quotes are for commas and colons, and do not say it is a string."""
    plain = unquote(content) if QUOTES.match(content) else content
    return frozenset({("string", plain), content_key(plain)})


def _fits(node: Node, keys: frozenset[tuple[str, str]] | None) -> bool:
    return keys is None or content_key(node.text) in keys


class _Aim:
    """The places a selection means, whatever their contents."""

    def __init__(self, selection: Selection, metatree: MetaTree) -> None:
        aimed = _aimed(selection, metatree)
        self._ids = {node.id for node in aimed}
        self.roles = frozenset(node.role for node in aimed)
        # Below a node of a recursion there is no leaf of its own: there what stands around a leaf decides.
        top = metatree.resolve(selection.context)
        self._top = top.id if not top.identifying else 0

    def has(self, place: _Place) -> bool:
        """Whether a place is meant."""
        return place.meta.id in self._ids and (not self._top or self._top in place.around)


def _aimed(selection: Selection, metatree: MetaTree) -> tuple[MetaNode, ...]:
    """The meta nodes of the selection's type at or below its context."""
    top = metatree.resolve(selection.context)
    role = selection.type.casefold()
    below = metatree.below(top.id)
    found = tuple(node for node in below if node.role == role)
    if found:
        return found
    if role not in metatree.roles:
        close = get_close_matches(role, metatree.roles, 3)
        hint = did_you_mean(close) or f"; types are {', '.join(_leaf_types(metatree.nodes))}"
        raise QuestionError(f"there is no type {selection.type}{hint}")
    types = ", ".join(_leaf_types(below))
    raise QuestionError(f"no {selection.type} stands at or below context {listed([top])}; types there are {types}")


def _leaf_types(nodes: Iterable[MetaNode]) -> list[str]:
    return sorted({node.role for node in nodes if node.kind == "leaf"})


def _walk(
    root: Node, metatree: MetaTree
) -> Iterator[tuple[int, Node, MetaNode | None, tuple[int, ...], frozenset[int]]]:
    """Every node in pre-order: number, node, context, and what it stands in.

    That is the numbers of its identifying ancestors, outermost first, and the contexts of the others, with its own.
    """
    number = 0
    stack: list[tuple[Node, Region, tuple[int, ...], frozenset[int]]] = [(root, metatree.start, (), frozenset())]
    while stack:
        node, region, instances, around = stack.pop()
        number += 1
        meta, inside = region.get(node.role, UNKNOWN)
        if meta and not meta.identifying and meta.id not in around:
            around |= {meta.id}
        # What the grammar does not know has no context, nor has anything below it.
        yield number, node, meta, instances, around
        if node.children:
            if meta and meta.identifying:
                instances = (*instances, number)
            stack += [(child, inside, instances, around) for child in reversed(node.children)]


def _related(chosen: list[_Place], shown: list[_Place], metatree: MetaTree) -> Mapping[int, tuple[int, ...]]:
    """For each shown place the numbers of the chosen ones below the same instance of their contexts' LCIA."""
    # By every ancestor a chosen place has: then each shown one is looked up, not compared with all chosen ones.
    index: defaultdict[tuple[int, int, int], list[int]] = defaultdict(list)
    metas = {place.meta.id for place in chosen}
    for place in chosen:
        for depth, instance in enumerate(place.instances):
            index[place.meta.id, depth, instance].append(place.number)
    found: dict[int, tuple[int, ...]] = {}
    for place in shown:
        numbers: list[int] = []
        for meta in metas:
            # The meta tree says how deep the common ancestor lies, the instance which node of the text it is.
            depth = _shared(meta, place.meta.id, metatree) - 1
            if depth >= 0:
                numbers += index[meta, depth, place.instances[depth]]
        # A node may be both chosen and shown; it does not belong to itself.
        found[place.number] = tuple(sorted(number for number in numbers if number != place.number))
    return found


@lru_cache(maxsize=1 << 12)
def _shared(a: int, b: int, metatree: MetaTree) -> int:
    """How many identifying ancestors two contexts share, counted from the root; the last one is their LCIA."""
    one, other = metatree.identifying_ancestors(a)[::-1], metatree.identifying_ancestors(b)[::-1]
    return next((i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))


def _match(mapping: str, place: _Place, related: tuple[int, ...] = ()) -> Match:
    node, meta = place.node, place.meta
    return Match(mapping, place.number, node.role, node.text, meta.id, meta.path, node.location, related)
