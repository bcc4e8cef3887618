"""Commands that show: tree, metatree, demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdw.cli import console, options
from mdw.model.errors import PictureError

if TYPE_CHECKING:
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


@click.command(epilog=options.example("mdw metatree", "mdw metatree --format svg --output metatree.svg"))
@options.formats("text", "json", "svg")
@options.output
def metatree(form: str, output: Path | None) -> int:
    """The places of the mapping language, numbered: the contexts that `mdw request` speaks of."""
    from mdw.render.trees import metatree_json, metatree_svg, metatree_text
    from mdw.warehouse import Warehouse

    with Warehouse() as warehouse:
        found = warehouse.metatree()
    render = {"text": metatree_text, "json": metatree_json, "svg": metatree_svg}[form]
    console.write(render(found), output)
    return 0


@click.command(epilog=options.example("mdw demo"))
@click.option(
    "--picture", type=options.FILE, default="mdw-demo.svg", show_default=True, metavar="PATH", help="Where to draw."
)
def demo(picture: Path) -> int:
    """Load an example bank in memory, ask it three questions, and draw the first answer."""
    from mdw.cli.demo import QUESTIONS, brief, load_bank, suggestions
    from mdw.render.picture import lineage_svg
    from mdw.warehouse import Warehouse

    with Warehouse() as warehouse:
        report = load_bank(warehouse)
        console.write(
            f"An example bank: {report.mappings} mappings, read in {report.seconds:.1f} s and kept in memory."
        )
        answers = [warehouse.lineage(asked.attribute, when=asked.when) for asked in QUESTIONS]
    for number, (asked, answer) in enumerate(zip(QUESTIONS, answers, strict=True), 1):
        console.write(f"\n{console.title(f'{number}. {asked.words}')}\n$ {asked.command}\n\n")
        console.write(brief(answer, console.width(), console.color()))
    console.write(lineage_svg(answers[0]), picture)
    console.write(f"\nThe first answer as a picture: {picture}\n\nTry next:")
    console.write("\n".join(f"  {line}" for line in suggestions()))
    return 0


def _trees(mapping: str, store: Path | None) -> dict[str, Node]:
    """The tree of a mapping in the store, or all trees of a file, by name."""
    from mdw.warehouse import Warehouse

    if store is not None and not Path(mapping).exists():
        with Warehouse(store, create=False) as warehouse:
            return {mapping: warehouse.tree(mapping)}
    with Warehouse() as warehouse:
        warehouse.load(Path(mapping)).raise_for_errors()
        return {one.name: warehouse.tree(one.name) for one in warehouse.mappings()}
