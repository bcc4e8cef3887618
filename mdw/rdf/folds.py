"""Folds: nodes of a parse tree that are one resource of the graph, with a class of its own.

A node that holds only one other, and one whose first child is a leaf, are mostly one thing with it: the WITH that is
only an attribute, the population and the attribute it fills. So a resource may stand for a node, its first child, the
first child of that, and so on. Its class is below the classes of all their roles, its content is that of the last.

At most one of these nodes has further children, whose parent is then the resource: ``_`` stands behind it, else it is
the last. Folds are a closed list, declared in ontology/mdw.ttl; what is not in it is divided into such as are, or
into nodes of their own.

By far the most nodes are those of POPULATE: where it has one WITH, both are one resource, which says in ``mdw:fills``
what attribute is filled: ``POPULATE T.A WITH S.X`` are six nodes and one resource. A WITH that is a CAST says in
``mdw:castTo`` of what type it makes its value.

>>> value = Node("with", "", (Node("expression", "", (Node("string", '"x"'),)),))
>>> fold = fold_of(Node("populate", "", (Node("attribute", "T.A"), value)))
>>> fold.kind, fold.fills, fold.content, len(fold.places)
('mdw:PopulateWithExpressionStringNode', 'T.A', '"x"', 5)
>>> fold = fold_of(Node("grouping", "", (Node("attribute", "T.A"), Node("with"))))
>>> fold.kind, fold.content, [one.role for one in fold.further]
('mdw:Grouping_AttributeNode', 'T.A', ['with'])
>>> unfolded("https://w3id.org/mdw#Grouping_AttributeNode")
(('grouping', 'attribute'), 0)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

from mdw.model.tree import CopyNode, Location, Node
from mdw.rdf.vocabulary import MDW, role_class, role_of

_LISTED = tuple(
    """
    Mapping_Name Population_TargetentityEntity Targetentity_Inner DrivingentityEntity Drivingentity_Entity
    Populate_Attribute Navigation_FromentityEntity ToentityEntity Using_Attribute Join_Keyword

    WithExpressionComputationAttribute WithExpressionComputationValue WithExpressionComputationDate
    WithExpressionString WithExpressionNull WithExpressionCase WithExpressionCast_Attribute WithExpressionCast_Null
    WithExpressionFunction_Keyword WithExpressionComputation_Keyword
    WithExpressionConcatenation_Attribute WithExpressionConcatenation_String
    WithExpressionComputationAggregationSumof WithExpressionComputationAggregationAvg
    WithExpressionComputationAggregationMin WithExpressionComputationAggregationMax
    WithExpressionComputationAggregationCount WithExpressionComputationAggregationSumofAttribute
    With_ExpressionComputationAttribute With_ExpressionComputationValue With_ExpressionString

    CaseWhen OtherwiseAttribute OtherwiseFunction_Keyword OtherwiseNull OtherwiseString OtherwiseValue
    Cast_Attribute Cast_String Function_Keyword Computation_Keyword ComputationAttribute ComputationValue
    ExpressionComputation_Keyword Grouping_Attribute GroupingAttribute OrderingAttribute PartitionAttribute

    Conditioncomp_Keyword ConditioncompComparison_Keyword
    ConditionConditioncomp_Keyword ConditionConditioncompComparison_Keyword
    FilterConditionConditioncomp_Keyword FilterConditionConditioncompComparison_Keyword
""".split()  # noqa: SIM905
)
FILLING = ("PopulateWith", *(f"Populate{name}" for name in _LISTED if name.startswith("With")))
"""A POPULATE, the attribute it fills and its WITH."""
FOLDS = _LISTED + FILLING
CASTING = frozenset(f"mdw:{name}Node" for name in FOLDS if "WithExpressionCast_" in name)
"""What may say the type of its CAST: these stand in a WITH alone, so that the context of the type is known."""
COPY = "mdw:PopulateWithExpressionComputationAttributeNode"
_FILLING = {f"mdw:{name.removeprefix('Populate')}Node": f"mdw:{name}Node" for name in FILLING}
_PART = re.compile("[A-Z][a-z]+")


@dataclass(slots=True)
class _Found:
    """Where the roles from the first node on lead: the class if they are a fold, and what may come next.

    ``only`` are the folds that go on with an only child, ``first`` with the first of several, by the role of that
    child; None is the role of keywords.
    """

    name: str = ""
    only: dict[str | None, _Found] = field(default_factory=dict)
    first: dict[str | None, _Found] = field(default_factory=dict)


class Fold(NamedTuple):
    """The resource that a node begins.

    ``kind`` is its class as it stands in Turtle, ``places`` are those of its nodes, in pre-order. ``content`` is that
    of the last, ``leaf`` whether nothing is below that. ``further`` are the nodes below the resource, those of its one
    node that has some. It ``fills`` the attribute of a POPULATE whose WITH is in it; ``cast_to`` is the type of a WITH
    that is a CAST, which is then one node more.
    """

    kind: str
    places: Sequence[Location | None]
    content: str
    leaf: bool
    further: tuple[Node, ...]
    fills: str = ""
    cast_to: str = ""


# Each node that is a resource has one: made as a tuple it takes half the time.
_fold: Callable[[tuple[Any, ...]], Fold] = partial(tuple.__new__, Fold)


def fold_of(node: Node) -> Fold:
    """The resource a node begins: the longest fold there is."""
    if type(node) is CopyNode:
        return _fold((COPY, places_of(node), node.source, True, (), node.filled, ""))
    fills = ""
    if node.role == "populate" and (whole := _filling(node)):
        kind, fills, nodes, further = whole
    else:
        kind, nodes, further = _chain(node)
    last, places = nodes[-1], [one.location for one in nodes]
    if len(further) == 1 and kind in CASTING:
        (made,) = further
        if made.role == "type" and made.content and not made.children:
            places.append(made.location)
            return _fold((kind, places, last.content, not last.children, (), fills, made.content))
    return _fold((kind, places, last.content, not last.children, further, fills, ""))


def places_of(copy: CopyNode) -> Sequence[Location | None]:
    """Where its six nodes stand, in pre-order."""
    at = copy.source_at
    return copy.location, copy.filled_at, copy.with_at, at, at, at


def _filling(node: Node) -> tuple[str, str, Sequence[Node], tuple[Node, ...]] | None:
    """A POPULATE that is one resource with the attribute it fills and its WITH."""
    if len(node.children) == 2 and not node.content:
        filled, value = node.children
        if filled.role == "attribute" and filled.content and not filled.children and value.role == "with":
            kind, nodes, further = _chain(value)
            if whole := _FILLING.get(kind):
                return whole, filled.content, (node, filled, *nodes), further
    return None


def _chain(node: Node) -> tuple[str, Sequence[Node], tuple[Node, ...]]:
    """The longest fold that goes from a node to first children."""
    start, role, children = node, node.role, node.children
    if children and (found := _START.get(role)):
        # Down the first children, as long as some fold goes on so; the last place where one could end is taken.
        best: tuple[str, int, tuple[Node, ...]] | None = None
        further: tuple[Node, ...] = ()
        nodes = [node]
        while found and children and not node.content:
            ways = found.only
            if len(children) > 1:
                # A resource has one list of children: a second node with several cannot be in it.
                if further:
                    break
                ways, further = found.first, children[1:]
            node = children[0]
            nodes.append(node)
            children = node.children
            found = ways.get(node.role if node.role != node.content else None)
            if found and found.name and not (further and children):
                best = found.name, len(nodes), further or children
        if best:
            return best[0], nodes[: best[1]], best[2]
    return role_class(role, role == start.content), (start,), start.children


@lru_cache(maxsize=1 << 10)
def unfolded(class_iri: str) -> tuple[tuple[str | None, ...], int]:
    """The roles of the nodes that a resource of a class is, None of keywords; which of them has further children."""
    if (name := class_iri.removeprefix(MDW).removesuffix("Node")) not in FOLDS:
        return (role_of(class_iri),), 0
    parts = [part.lower() for part in _PART.findall(name)]
    last = _PART.findall(name.partition("_")[0]) if "_" in name else parts
    return tuple([None if part == "keyword" else part for part in parts]), len(last) - 1


def _start() -> dict[str | None, _Found]:
    top = _Found()
    for name in _LISTED:
        iri = f"mdw:{name}Node"
        roles, holder = unfolded(MDW + iri.removeprefix("mdw:"))
        place = top
        for number, role in enumerate(roles):
            below = place.first if "_" in name and number == holder + 1 else place.only
            place = below.setdefault(role, _Found())
        place.name = iri
    return top.only


_START = _start()
