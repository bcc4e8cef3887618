"""Commands that tell how SQL was read: report, explain."""

from __future__ import annotations

from pathlib import Path

import click

from mdw.cli import console, options
from mdw.cli.opening import asked
from mdw.model.visible import visible


@click.command(
    epilog=options.example(
        "mdw load data/claims --dialect snowflake --store claims.mdw",
        "mdw report --store claims.mdw",
        "mdw report --store claims.mdw --folder mart",
        "mdw report --store claims.mdw --format json --output report.json",
    )
)
@options.store
@click.option("--folder", default="", metavar="FOLDER", help="Only files in this folder and below it.")
@click.option("--dialect", default="", metavar="NAME", help="Only files that were read in this dialect.")
@options.formats("text", "json")
@options.output
def report(store: Path, folder: str, dialect: str, form: str, output: Path | None) -> int:
    """What of SQL was read whole, in part and not at all, why, and what would help?

    By folder, by dialect, by cause, and every statement that was not understood whole with its place and what to do
    about it; `mdw explain` shows one of them.
    """
    from mdw.render.statements import report_text

    with asked(store) as warehouse, console.waiting("reading what the store holds"):
        found = warehouse.report(folder=folder, dialect=dialect)
    width = console.width() if output is None else 120
    console.write(console.json_text(found.to_dict()) if form == "json" else visible(report_text(found, width)), output)
    return 0 if found.files else 1


@click.command(
    epilog=options.example(
        "mdw load data/claims --dialect snowflake --store claims.mdw",
        "mdw explain core/claim.sql:4 --store claims.mdw",
        "mdw explain claim.sql:4 --store claims.mdw --format json",
    )
)
@click.argument("place", metavar="FILE:LINE")
@options.store
@options.formats("text", "json")
@options.output
def explain(place: str, store: Path, form: str, output: Path | None) -> int:
    """What was understood of the statement that stands here?

    Its text, what it reads and writes, the rules it was read as, what was not resolved and what would help, what it
    calls and what calls it. FILE may be the end of a path, if only one file ends so; FILE:LINE:COLUMN tells statements
    of one line apart.
    """
    from mdw.render.explaining import explanation_text

    with asked(store) as warehouse, console.waiting("reading what the store holds"):
        found = warehouse.explain(place)
    if form == "json":
        console.write(console.json_text(found.to_dict()), output)
    else:
        console.write(explanation_text(found, console.width(), console.color() and output is None), output)
    return 0
