"""Commands that ask a warehouse: lineage, impact, request, search, query."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mdw.cli import console, options
from mdw.cli.opening import asked, opened
from mdw.model.errors import QueryError, system_says, writing
from mdw.model.visible import in_json

if TYPE_CHECKING:
    from mdw.model.answers.answer import Answer, Origins
    from mdw.model.answers.quotes import ScriptWords
    from mdw.model.answers.things import Thing
    from mdw.model.rules import Mode, Policy


@click.command(
    epilog=options.example(
        "mdw lineage MART.CUSTOMER_EU.CUSTOMER_NAME --store bank.mdw",
        "mdw lineage MART.GROUP_CUSTOMER.CUSTOMER_NAME --store bank.mdw --when 'REGION = \"EU\"' --picture names.svg",
        "mdw lineage MART.GROUP_CUSTOMER.CUSTOMER_NAME --store bank.mdw --from SRC_CRM.PARTNER.FIRM_NAME",
        "mdw lineage MART.CUSTOMER_EU.CUSTOMER_NAME --store bank.mdw --sql-dialect tsql",
        "mdw lineage MART.CUSTOMER_EU.CUSTOMER_NAME --store bank.mdw --proof proof",
        "mdw lineage --all --store bank.mdw --format parquet --output origins.parquet",
    )
)
@options.question_or_all
@options.starting
@click.option(
    "--proof",
    type=options.FOLDER,
    metavar="FOLDER",
    help="Write scripts there: kept.sql, example rows that arrive, for SQLite; dropped-….smt2, rules that contradict, "
    "for a solver such as Z3.",
)
def lineage(
    store: Path, attribute: str | None, every: bool, source: str | None, proof: Path | None, **asked: Any
) -> int:
    """Where do the values of an attribute really come from?

    Golden sources with the condition under which each contributes, the steps on the way, and what was left out
    because its rules contradict one another. With --all the sources of every populated attribute, in one run: a line
    of JSON for each, or a Parquet file with a row for each of its sources.
    """
    if every != (attribute is None):
        raise click.UsageError("name one attribute, or ask for all with --all" + (", not both" if every else ""))
    if attribute is None and source is not None:
        raise click.UsageError("--from asks for the ways from one attribute to another: it does not go with --all")
    if proof is not None and (attribute is None or asked["mode"] == "passive"):
        raise click.UsageError("--proof is for the active lineage of one attribute: --all and passive look at no rows")
    if attribute is None:
        return _ask_all(store, **asked)
    return _ask("lineage", store, attribute, proof=proof, source=source, **asked)


@click.command(
    epilog=options.example(
        "mdw impact SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT --store bank.mdw",
        "mdw impact SRC_CRM.PARTNER.FIRM_NAME --store bank.mdw --to MART.GROUP_CUSTOMER.CUSTOMER_NAME",
        "mdw impact SRC_CRM.PARTNER.FIRM_NAME --store bank.mdw --format json",
    )
)
@options.question
@options.arriving
def impact(store: Path, attribute: str, **asked: Any) -> int:
    """What do the values of an attribute feed?"""
    return _ask("impact", store, attribute, **asked)


@click.command(
    epilog=options.example(
        'mdw request "populate.attribute, attribute, STG.CUSTOMER_US.REGION" --store bank.mdw',
        'mdw request "populate.attribute, attribute, STG.CARD.REGION : with.expression, string" --store bank.mdw',
    )
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
    with asked(store) as warehouse:
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
@options.formats("table", "json", "csv", "tsv", "xml", "turtle", "ntriples")
@click.option("--infer", is_flag=True, help="Draw every conclusion of the ontology first.")
@options.output
def query(sparql: str, store: Path, form: str, infer: bool, output: Path | None) -> int:
    """Ask in SPARQL; the prefixes mdw:, rdf:, rdfs:, owl:, xsd: and prov: are known."""
    question = _sparql(sparql)
    with asked(store) as warehouse:
        if infer:
            warehouse.infer()
        text = warehouse.query_text(question, None if form == "table" else form)
    if form == "json":
        console.write(in_json(text), output)
    elif form == "table":
        console.write(_table(text), output)
    elif form == "csv":
        from mdw.render.sheets import sheet

        console.write_data(sheet(text), output)
    else:
        console.write_data(text, output)
    return 1 if _nothing(text, form) else 0


def _table(text: str) -> str:
    """What `Warehouse.query` gives, as text."""
    from mdw.model.answers.results import query_result

    value = query_result(text)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _nothing(text: str, form: str) -> bool:
    """Whether a query found nothing: no row in any form, no triple, or false."""
    if text.startswith("{"):
        found = json.loads(text)
        return not (found.get("boolean") or found.get("results", {}).get("bindings"))
    if form == "xml":
        return "<result>" not in text and "<boolean>true" not in text
    lines = text.splitlines()
    if form in ("csv", "tsv"):
        # A header alone is no row; an empty line behind it is one, of which no value is known.
        return len(lines) < 2 and lines != ["true"]
    return all(not line or line.startswith("@prefix") for line in lines)


def _ask(
    kind: str,
    store: Path,
    attribute: str,
    *,
    form: str,
    depth: int | None,
    full: bool,
    why: bool,
    picture: Path | None,
    output: Path | None,
    proof: Path | None = None,
    **asked: Any,
) -> int:
    if picture and picture.suffix not in (".svg", ".png"):
        ending = picture.suffix or "without an ending"
        raise click.UsageError(f"a picture is a file ending in .svg or .png, not {ending}")
    if form == "parquet":
        raise click.UsageError("a Parquet file holds the answer of --all")
    with opened(store) as warehouse, console.waiting("working the answer out"):
        if proof is None:
            answer = (warehouse.lineage if kind == "lineage" else warehouse.impact)(attribute, **asked)
        else:
            del asked["mode"], asked["inner"], asked["sql_dialect"]
            answer = warehouse.prove(attribute, proof, **asked)
        # A file is for keeping: it has all that a terminal would scroll away.
        why = why or output is not None
        words = warehouse.written(answer) if form == "json" or (form == "text" and why) else ()
        # Why steps were left out is worked out when it is told.
        told = _render(answer, words, form, depth, full, why, output)
        drawn = _draw(answer, picture.suffix) if picture else b""
    if proof is not None:
        console.note(f"scripts and what they show: {proof / 'README.txt'}")
    # The picture first: a name that cannot be written to is said before a long answer scrolls past.
    if picture:
        console.write(drawn, picture)
    console.write(told, output)
    return 0 if _found(answer) else 1


def _ask_all(
    store: Path,
    *,
    form: str,
    mode: Mode,
    unpopulated: Policy | None,
    output: Path | None,
    when: str,
    depth: int | None,
    full: bool,
    why: bool,
    inner: bool,
    picture: Path | None,
    sql_dialect: str,
) -> int:
    """One record after the other: nothing waits for the last."""
    if when or depth or why or full or inner or picture or sql_dialect or form == "svg":
        raise click.UsageError(
            "--when, --depth, --why, --full, --inner, --sql-dialect, --picture and svg are for one attribute, "
            "not for --all"
        )
    if form == "parquet" and output is None:
        raise click.UsageError("a Parquet file needs a name: --output PATH")
    arrived = 0

    def counted(records: Iterable[Origins]) -> Iterator[Origins]:
        nonlocal arrived
        for record in records:
            arrived += bool(
                record.golden or record.constants or record.generated or record.interrupted or record.unread
            )
            yield record

    with asked(store) as warehouse, console.progress("attributes answered") as progress:
        records = counted(warehouse.lineage_all(mode=mode, unpopulated=unpopulated, progress=progress))
        _write_all(records, form, output)
    return 0 if arrived else 1


def _write_all(records: Iterable[Origins], form: str, output: Path | None) -> None:
    if form == "parquet" and output:
        from mdw.render.parquet import write

        with writing(output):
            write(records, output)
    else:
        console.write_lines((in_json(json.dumps(record.to_dict(), ensure_ascii=False)) for record in records), output)


@click.command(
    epilog=options.example(
        "mdw search 'customer nam' --store bank.mdw", "mdw search exposure --kind attribute --store bank.mdw"
    )
)
@click.argument("words", nargs=-1, required=True)
@options.store
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(["term", "attribute", "entity", "mapping"]),
    help="Only this kind of thing; may be said again.",
)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="How many are shown.")
@options.formats("text", "json")
def search(words: tuple[str, ...], store: Path, kinds: tuple[Thing, ...], limit: int, form: str) -> int:
    """Find attributes, entities, mappings and business terms by words, which may be begun or mistyped.

    A term is followed by the attributes that represent it, or a narrower term.
    """
    from mdw.model.answers.things import THINGS

    with asked(store) as warehouse:
        found = warehouse.search(" ".join(words), kinds=kinds or THINGS, limit=limit)
    console.write(console.json_text(found.to_dict()) if form == "json" else str(found))
    return 0 if found else 1


def _found(answer: Answer) -> bool:
    """Whether any value arrives, or goes anywhere, or may by statements that were not read."""
    from mdw.model.answers.answer import Lineage

    if answer.unread:
        return True
    if isinstance(answer, Lineage):
        return bool(answer.golden or answer.constants or answer.generated or answer.interrupted)
    return bool(answer.final or answer.steps or answer.constants)


def _render(
    answer: Answer,
    words: tuple[ScriptWords, ...],
    form: str,
    depth: int | None,
    full: bool,
    why: bool,
    output: Path | None,
) -> str | bytes:
    if form == "json":
        return console.json_text(answer.to_dict() | {"written": [one.to_dict() for one in words]})
    if form == "svg":
        return _draw(answer)
    from mdw.render.text import answer_text

    color = console.color() and output is None
    return answer_text(answer, console.width(), color, depth=depth, full=full, why=why, words=words)


def _draw(answer: Answer, ending: str = ".svg") -> str | bytes:
    from mdw.render.picture import lineage_svg

    svg = lineage_svg(answer)
    if ending == ".svg":
        return svg
    from mdw.render.png import png

    return png(svg)


def _sparql(text: str) -> str:
    try:
        if text == "-":
            return sys.stdin.read()
        return Path(text[1:]).read_text(encoding="utf-8") if text.startswith("@") else text
    except (OSError, UnicodeDecodeError) as error:
        name = text.removeprefix("@") if text.startswith("@") else "standard input"
        raise QueryError(f"cannot read the query from {name}: {system_says(error)}") from error
