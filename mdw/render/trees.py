"""Parse trees and the meta tree as text, JSON and SVG, numbered in pre-order from 1 as in the seed's figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

from rich.tree import Tree

from mdw.language.metatree import MetaNode, MetaTree
from mdw.model.tree import Node
from mdw.model.visible import in_json
from mdw.render.forest import Shape, Twig, forest_svg
from mdw.render.text import GREY, text_of
from mdw.render.visible import Text

# Wide enough that no line is broken: the text is indented, and broken lines would read as nodes.
WIDTH = 400
SHAPES: dict[str, Shape] = {"composition": "oval", "alternative": "square", "leaf": "leaf"}


# -- parse trees ------------------------------------------------------------------------------------------------------


def tree_text(name: str, root: Node) -> str:
    """A parse tree as an indented list below the name of its mapping."""
    return text_of(render_tree(name, root), WIDTH)


def render_tree(name: str, root: Node) -> Tree:
    """A parse tree as a rich tree."""
    numbers = count(1)
    tree = Tree(Text(name, style="bold"), guide_style=GREY)

    def grow(above: Tree, node: Node) -> None:
        label = Text.assemble((f"{next(numbers)} ", GREY), node.role)
        if node.content and node.content != node.role:
            label.append(f"  {node.content}", "cyan")
        branch = above.add(label)
        for child in node.children:
            grow(branch, child)

    grow(tree, root)
    return tree


def tree_json(name: str, root: Node) -> str:
    """A parse tree as JSON: its nodes in pre-order, each with the number of its parent."""
    nodes = [_node(number, above, node) for number, above, node in _numbered(root)]
    return in_json(json.dumps({"mapping": name, "nodes": nodes}, ensure_ascii=False, indent=2))


def tree_svg(name: str, root: Node) -> str:
    """A parse tree as a picture."""
    twigs: list[Twig] = []
    for number, above, node in _numbered(root):
        content = node.content if node.content != node.role else ""
        place = f"\n{node.location}" if node.location else ""
        twig = Twig(
            number, node.role, "oval" if node.children else "leaf", content, tip=f"{node.role} {content}{place}"
        )
        twigs.append(twig)
        if above:
            twigs[above - 1].children.append(twig)
    return forest_svg(
        twigs[0], name, "Parse tree, numbered from the top", {"rule": ("oval", False), "leaf": ("leaf", False)}
    )


def _numbered(root: Node) -> Iterator[tuple[int, int, Node]]:
    """Number, number of the parent (0 above the root) and node, in pre-order."""
    numbers = count(1)
    stack = [(0, root)]
    while stack:
        above, node = stack.pop()
        number = next(numbers)
        yield number, above, node
        stack += [(number, child) for child in reversed(node.children)]


def _node(number: int, above: int, node: Node) -> dict[str, Any]:
    place = {"location": str(node.location)} if node.location else {}
    return {"number": number, "parent": above or None, "role": node.role, "content": node.content} | place


# -- the meta tree ----------------------------------------------------------------------------------------------------


def metatree_text(metatree: MetaTree) -> str:
    """The meta tree as an indented list."""
    return text_of(render_metatree(metatree), WIDTH)


def render_metatree(metatree: MetaTree) -> Tree:
    """The meta tree as a rich tree; a star marks what lies on a recursion, so it identifies nothing."""

    def grow(node: MetaNode, above: Tree | None) -> Tree:
        label = Text.assemble((f"{node.id} ", GREY), node.role, "" if node.identifying else "*")
        if node.kind == "alternative":
            label.append("  one of", GREY)
        tree = above.add(label) if above else Tree(label, guide_style=GREY)
        for child in node.children:
            grow(metatree[child], tree)
        return tree

    return grow(metatree[1], None)


def metatree_json(metatree: MetaTree) -> str:
    """The meta tree as JSON: its nodes in pre-order."""
    return json.dumps({"nodes": [metanode_dict(node) for node in metatree.nodes]}, ensure_ascii=False, indent=2)


def metanode_dict(node: MetaNode) -> dict[str, Any]:
    """A node of the meta tree as plain JSON-ready values."""
    return {name: getattr(node, name) for name in ("id", "role", "kind", "identifying", "parent", "path")}


def metatree_svg(metatree: MetaTree) -> str:
    """The meta tree as a picture: ovals are compositions, rectangles alternatives, dashed what lies on a recursion."""
    twigs: list[Twig] = []
    for node in metatree.nodes:
        twigs.append(
            Twig(node.id, node.role, SHAPES[node.kind], open=not node.identifying, tip=f"{node.id} {node.path}")
        )
        if node.parent:
            twigs[node.parent - 1].children.append(twigs[-1])
    legend: dict[str, tuple[Shape, bool]] = {
        "composition": ("oval", False),
        "alternative": ("square", False),
        "leaf": ("leaf", False),
        "on a recursion": ("oval", True),
    }
    words = "Every place where the grammar lets a node stand; the number is its semantic context"
    return forest_svg(twigs[0], "Meta tree", words, legend)
