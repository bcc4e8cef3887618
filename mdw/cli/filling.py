"""Commands about mapping text: load, remove, check, fmt, export."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

import click

from mdw.cli import console, options
from mdw.cli.opening import opened
from mdw.model.errors import InputError
from mdw.model.visible import visible
from mdw.processes import cores
from mdw.readers.recognising import is_database

if TYPE_CHECKING:
    from mdw.readers.inputs import Input
    from mdw.warehouse import Warehouse


@click.command(
    epilog=options.example(
        "mdw load data/bank --store bank.mdw",
        "mdw load data/claims --dialect snowflake --store claims.mdw",
        "mdw load data/claims --dialect snowflake --mirror --store claims.mdw",
    )
)
@options.sources
@options.store
@options.dialect
@click.option("--mirror", is_flag=True, help="Remove what files said that are gone from these folders.")
@options.processes
@options.formats("text", "json")
def load(sources: tuple[str, ...], store: Path, dialect: str, mirror: bool, processes: int | None, form: str) -> int:
    """Read mappings and keep them in a store, which is created if it is not there.

    FILES are mapping files (.map), SQL (.sql, .ddl, .pkb, .bteq and the like), shell scripts (.sh, .ksh) that give SQL
    to a client of a database, folders of tables (see export), RDF exported before (.nt, .nq, also with .gz), folders of
    any of them, which extract makes of a database, or - for standard input. A mapping already in the store is replaced.
    What cannot be read is reported and left out; the rest is loaded. Files of
    a folder that did not change since they were loaded, nor what they read, are not read again.

    \b
    mdw.toml in a folder holds for its scripts and those below; options go before it:
      dialect = "snowflake"            catalog = "dw"     of names without one
      search_path = ["mart", "core"]   schema = "mart"    of names without one
      encoding = "latin-1"             of files that are not UTF-8
      collation = "binary"             or its name: by what texts are compared
    """
    # Engines are imported by the command that needs them: `mdw --help` answers at once.

    if mirror and not any(Path(name).is_dir() for name in sources):
        raise click.UsageError("--mirror compares the store with folders: name one")
    given = options.inputs(sources)
    with opened(store, create=True) as warehouse, console.progress() as progress:
        report = warehouse.load(
            *given, dialect=dialect, mirror=mirror, processes=processes or cores(), progress=progress
        )
    console.complain(report.errors, form)
    console.write(console.json_text(report.to_dict()) if form == "json" else str(report))
    return 1 if report.errors or not (report.mappings or report.statements or report.files) else 0


@click.command(epilog=options.example("mdw remove core_party_from_employees --store bank.mdw"))
@click.argument("mappings", nargs=-1, required=True, metavar="MAPPING...")
@options.store
def remove(mappings: tuple[str, ...], store: Path) -> int:
    """Take mappings out of a store, by name. Loading a file again does not: what it no longer holds stays."""
    with opened(store) as warehouse:
        warehouse.remove(*mappings)
    console.write(visible(f"removed {', '.join(dict.fromkeys(mappings))}"))
    return 0


@click.command(epilog=options.example("mdw terms data/bank/terms.ttl --store bank.mdw"))
@click.argument("source", type=options.FILE, metavar="FILE")
@options.store
def terms(source: Path, store: Path) -> int:
    """Take the business terms of an RDF file (Turtle, RDF/XML …) in the place of those the store has.

    A term has a label, perhaps synonyms (skos:altLabel) and broader terms (rdfs:subClassOf, skos:broader); attributes
    and entities that hold its values say that they represent it (mdw:represents). See search.
    """
    with opened(store) as warehouse:
        number = warehouse.terms(source)
    console.write(f"{number} terms")
    return 0 if number else 1


@click.command(epilog=options.example("mdw check data/bank"))
@options.sources
@options.dialect
@options.processes
def check(sources: tuple[str, ...], dialect: str, processes: int | None) -> int:
    """Read mappings without keeping them, and report every error."""
    from mdw.warehouse import check as check_sources

    with console.progress() as progress:
        report = check_sources(
            *options.inputs(sources), dialect=dialect, processes=processes or cores(), progress=progress
        )
    console.complain(report.errors)
    console.write(str(report))
    return 1 if report.errors or not report.mappings else 0


@click.command(epilog=options.example("mdw fmt --check data/bank", "mdw fmt data/bank"))
@options.sources
@click.option("--check", is_flag=True, help="Change nothing; say which files are not in canonical form.")
def fmt(sources: tuple[str, ...], check: bool) -> int:
    """Rewrite mapping files in canonical form; - reads standard input and writes to standard output.

    Comments stay. A file with errors is left as it is.
    """
    from mdw.readers.inputs import find
    from mdw.render.words import count

    found, errors = find(options.inputs(sources))
    texts = changed = 0
    # One file with mistakes does not keep the others from being rewritten.
    for one in found:
        if one.kind != "text":
            # What a folder has besides mapping text is left alone; what somebody names is said to be none.
            if one.name in sources:
                errors.append(InputError(f"{one.name} is no mapping text, and nothing else has a canonical form"))
            continue
        texts += 1
        try:
            changed += _rewrite(one, check)
        except InputError as error:
            errors.append(error)
    if not texts and not errors:
        message = f"there is no mapping text in {', '.join(sources)}: nothing was rewritten"
        errors.append(InputError(message, hint="files of mapping text end in .map"))
    console.complain(errors)
    if texts and not errors and not changed and all(one.path for one in found):
        console.note(f"{count(texts, 'file')} in canonical form already")
    return 1 if errors or (check and changed) else 0


@click.command(
    epilog=options.example(
        "mdw export --store bank.mdw --format trig --output bank.trig",
        "mdw export --store bank.mdw --format tables --output bank_tables",
    )
)
@options.store
@options.formats("trig", "nquads", "text", "tables")
@options.jars
@click.option(
    "--files",
    type=click.Choice(["parquet", "csv"]),
    default="parquet",
    show_default=True,
    help="What files tables are written to.",
)
@click.option("-o", "--output", metavar="PATH", help="File; for tables, a folder or a database (jdbc:…).")
def export(
    store: Path,
    form: Literal["trig", "nquads", "text", "tables"],
    files: Literal["parquet", "csv"],
    output: str | None,
    jars: str,
) -> int:
    """Write everything the store holds: RDF (trig, nquads), mapping text, or the mapping model as tables.

    Tables of a database (jdbc:postgresql://host/name?user=…) are written by Spark; the rows in them are replaced, all
    together or not at all.
    """

    if form == "tables" and output is None:
        raise click.UsageError("tables need a folder or a database: --output DIR")
    if output and is_database(output) and form != "tables":
        raise click.UsageError("a database takes tables: --format tables")
    with opened(store) as warehouse:
        if form != "tables":
            warehouse.export(form, output or console.data_stream())
            return 0
        assert output
        counts = _to_database(warehouse, output, jars) if is_database(output) else warehouse.tables(output, files)
    console.note(f"{counts['entity_mapping']} mappings, {sum(counts.values())} rows in {len(counts)} tables")
    return 0


def _to_database(warehouse: Warehouse, url: str, jars: str) -> dict[str, int]:
    """Write tables into a database, by way of files; how many rows each table has."""
    from mdw.spark.load import database
    from mdw.spark.session import session

    # Files first: the tables are whole, and known to be, before anything in the database is replaced.
    settings = database.settings(jars, url)
    with TemporaryDirectory(prefix="mdw-tables-") as folder:
        warehouse.tables(folder)
        with session(settings=settings) as spark:
            return database.write(spark, Path(folder), url)


def _rewrite(one: Input, check: bool) -> bool:
    """Whether the text was not in canonical form; if so, and not only checking, it is now."""
    from mdw.language.formatting import canonical_text

    # Text is written back only when all of it was read: a file with a mistake in it keeps every byte.
    text = "".join(one.lines())
    better = canonical_text(text, one.name)
    if one.path is None and not check:
        console.write_data(better)
    elif better != text:
        console.note(f"{'would rewrite' if check else 'rewrote'} {one.name}")
        if one.path and not check:
            console.write(better, one.path)
    return better != text
