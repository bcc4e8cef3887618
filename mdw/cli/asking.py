"""Commands that ask a warehouse: lineage, impact, request, query."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mdw.cli import console, options
from mdw.errors import QueryError

if TYPE_CHECKING:
    from mdw.answer import Answer


@click.command(
    epilog=options.example(
        "mdw lineage MART.CUSTOMER_REPORT.REGION --store bank.mdw",
        "mdw lineage MART.CUSTOMER_REPORT.REGION --store bank.mdw --when \"REGION = 'EUROPE'\" --picture lineage.svg",
    )
)
@options.question
def lineage(store: Path, attribute: str, **asked: Any) -> int:
    """Where do the values of an attribute really come from?

    Golden sources with the condition under which each contributes, the steps on the way, and what was left out
    because its rules contradict one another.
    """
    return _ask("lineage", store, attribute, **asked)


@click.command(
    epilog=options.example(
        "mdw impact CORE.PARTY.REGION --store bank.mdw", "mdw impact CORE.PARTY.REGION --store bank.mdw --format json"
    )
)
@options.question
def impact(store: Path, attribute: str, **asked: Any) -> int:
    """What do the values of an attribute feed?"""
    return _ask("impact", store, attribute, **asked)


@click.command(
    epilog=options.example('mdw request "populate.attribute, attribute, CORE.PARTY.REGION" --store bank.mdw')
)
@click.argument("request")
@options.store
@options.formats("text", "json")
@options.output
def request(request: str, store: Path, form: str, output: Path | None) -> int:
    """Where in the mappings does something stand, and what belongs to it?

    REQUEST is `context, type, content`, or `context, type, content : context, type` to get what belongs to it.
    Contexts are ids or names from `mdw metatree`.
    """
    from mdw.warehouse import Warehouse

    with Warehouse(store, create=False) as warehouse:
        found = warehouse.request(request)
    console.write(console.json_text(found.to_dict()) if form == "json" else str(found), output)
    return 0 if found.matches else 1


@click.command(
    epilog=options.example(
        'mdw query "SELECT ?mapping WHERE { ?mapping a mdw:Mapping }" --store bank.mdw',
        'mdw query "ASK { ?mapping a mdw:Mapping }" --store bank.mdw --format json',
    )
)
@click.argument("sparql", metavar="SPARQL|@FILE|-")
@options.store
@options.formats("table", "json", "csv", "tsv")
@options.output
def query(sparql: str, store: Path, form: str, output: Path | None) -> int:
    """Ask in SPARQL; the prefixes mdw:, rdf:, rdfs:, xsd: and prov: are known."""
    from mdw.warehouse import Warehouse

    with Warehouse(store, create=False) as warehouse:
        found = warehouse.query(_sparql(sparql))
        console.write(str(found) if form == "table" else found.serialize(form), output)
        return 0 if found else 1


def _ask(
    kind: str,
    store: Path,
    attribute: str,
    *,
    form: str,
    depth: int | None,
    picture: Path | None,
    output: Path | None,
    **asked: Any,
) -> int:
    from mdw.warehouse import Warehouse

    with Warehouse(store, create=False) as warehouse:
        answer = (warehouse.lineage if kind == "lineage" else warehouse.impact)(attribute, **asked)
    if picture:
        console.write(_draw(answer, picture.suffix), picture)
    console.write(_render(answer, form, depth, output), output)
    return 0 if answer.steps or answer.constants else 1


def _render(answer: Answer, form: str, depth: int | None, output: Path | None) -> str | bytes:
    if form == "json":
        return console.json_text(answer.to_dict())
    if form == "svg":
        return _draw(answer, ".svg")
    from mdw.render.text import answer_text

    return answer_text(answer, console.width(), console.color() and output is None, depth=depth)


def _draw(answer: Answer, ending: str) -> str | bytes:
    from mdw.render.picture import answer_picture

    return answer_picture(answer, ending)


def _sparql(text: str) -> str:
    try:
        if text == "-":
            return sys.stdin.read()
        return Path(text[1:]).read_text(encoding="utf-8") if text.startswith("@") else text
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot read the query: {error}") from error
