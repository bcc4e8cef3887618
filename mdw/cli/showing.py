"""Commands that show: tree, metatree, demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdw.cli import console, options
from mdw.cli.opening import opened
from mdw.model.errors import PictureError

if TYPE_CHECKING:
    from mdw.language.metatree import MetaTree
    from mdw.model.tree import Node


@click.command(
    epilog=options.example(
        "mdw tree data/bank/20_core/parties.map", "mdw tree core_party_from_employees --store bank.mdw --format json"
    )
)
@click.argument("mapping", metavar="FILE|MAPPING")
@click.option("--store", envvar="MDW_STORE", type=options.FOLDER, metavar="DIR", help="Where the mapping is kept.")
@options.formats("text", "json", "svg")
@options.output
def tree(mapping: str, store: Path | None, form: str, output: Path | None) -> int:
    """The parse tree of a mapping in the store, or of the mappings in a file."""
    from mdw.render.trees import tree_json, tree_svg, tree_text

    trees = _trees(mapping, store)
    if form == "svg" and len(trees) > 1:
        raise PictureError(f"a picture shows one mapping, {mapping} holds {len(trees)}: load it and name one of them")
    if form == "json":
        texts = ",\n".join(tree_json(name, one) for name, one in trees.items())
        console.write(texts if len(trees) == 1 else f"[{texts}]", output)
    else:
        render = tree_text if form == "text" else tree_svg
        console.write("\n".join(render(name, one) for name, one in trees.items()), output)
    return 0


@click.command(
    epilog=options.example(
        "mdw metatree",
        "mdw metatree --format svg --output metatree.svg",
        "mdw metatree --request 'with.expression, value, 5' --request 'population, attribute, CORE.PARTY.NAME'",
        "mdw metatree --lcia populate.attribute with.condition --format json",
        "mdw metatree --leaf population.populate.with.condition.comparison.attribute",
    )
)
@click.option(
    "--request",
    "requests",
    multiple=True,
    metavar="REQUEST",
    help="Only the leaves a request looks at, and the content expected there; may be said again.",
)
@click.option(
    "--lcia",
    "pair",
    nargs=2,
    metavar="CONTEXT CONTEXT",
    help="Only the lowest common identifying ancestor of two contexts, given by id or name.",
)
@click.option(
    "--leaf",
    metavar="ROLE.….TYPE",
    help="Only the leaf of a type whose identifying ancestors, outermost first, have these roles.",
)
@options.formats("text", "json", "svg")
@options.output
def metatree(
    requests: tuple[str, ...], pair: tuple[str, str] | None, leaf: str | None, form: str, output: Path | None
) -> int:
    """The places of the mapping language, numbered: the contexts that `mdw request` speaks of."""
    from mdw.render.trees import metatree_json, metatree_svg, metatree_text
    from mdw.warehouse import Warehouse

    if bool(requests) + (pair is not None) + (leaf is not None) > 1:
        raise click.UsageError("--request, --lcia and --leaf are questions of their own: ask one of them")
    if (requests or pair or leaf) and form == "svg":
        raise click.UsageError("a picture shows the whole meta tree, not --request, --lcia or --leaf")
    with Warehouse() as warehouse:
        tree = warehouse.metatree()
        if requests:
            found = warehouse.parameterised(*requests)
            console.write(console.json_text(found.to_dict()) if form == "json" else str(found), output)
            return 0
    if pair or leaf:
        return _place(tree, pair, leaf, form, output)
    render = {"text": metatree_text, "json": metatree_json, "svg": metatree_svg}[form]
    console.write(render(tree), output)
    return 0


def _place(tree: MetaTree, pair: tuple[str, str] | None, leaf: str | None, form: str, output: Path | None) -> int:
    """A single node of the meta tree: what two contexts share, or the leaf that roles lead to."""
    from mdw.language.metatree import listed
    from mdw.render.trees import metanode_dict

    if pair:
        one, other = (tree.resolve(context).id for context in pair)
        found = tree.lcia(one, other)
    else:
        top = tree[1].role
        *above, role = (leaf or "").strip().casefold().removeprefix(f"{top}.").split(".")
        found = tree.leaf_for(role, [top, *above])
    if form == "json":
        console.write(console.json_text(metanode_dict(found) if found else None), output)
    else:
        console.write(listed([found]) if found else "nothing found", output)
    return 0 if found else 1


@click.command(epilog=options.example("mdw demo"))
@click.option(
    "--picture", type=options.FILE, default="mdw-demo.svg", show_default=True, metavar="PATH", help="Where to draw."
)
def demo(picture: Path) -> int:
    """Load an example bank in memory, ask it a question, and draw the answer."""
    from mdw.cli.demo import QUESTION, load_bank, suggestions
    from mdw.render.picture import lineage_svg
    from mdw.render.text import answer_text
    from mdw.warehouse import Warehouse

    with Warehouse() as warehouse:
        report = load_bank(warehouse)
        console.write(
            f"An example bank: {report.mappings} mappings, read in {report.seconds:.1f} s and kept in memory."
        )
        answer = warehouse.lineage(QUESTION.attribute, when=QUESTION.when)
    console.write(f"\n{console.title(QUESTION.words)}\n$ {QUESTION.command}\n\n")
    console.write(answer_text(answer, console.width(), console.color(), why=False))
    console.write(lineage_svg(answer), picture)
    console.write(f"\nThe answer as a picture: {picture}\n\nTry next:")
    console.write("\n".join(f"  {line}" for line in suggestions()))
    return 0


def _trees(mapping: str, store: Path | None) -> dict[str, Node]:
    """The tree of a mapping in the store, or all trees of a file, by name."""
    from mdw.warehouse import Warehouse

    # A file wins over a mapping of the same name: it is what stands in front of whoever types.
    if store is not None and not Path(mapping).exists():
        with opened(store) as warehouse:
            return {mapping: warehouse.tree(mapping)}
    with Warehouse() as warehouse:
        warehouse.load(Path(mapping)).raise_for_errors()
        return {one.name: warehouse.tree(one.name) for one in warehouse.mappings()}
