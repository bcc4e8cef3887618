"""Commands for what one process cannot carry."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdw.cli import console, options
from mdw.cli.opening import asked

if TYPE_CHECKING:
    from mdw.model.rules import Mode, Policy


@click.command(
    "spark-load",
    epilog=options.example(
        "mdw spark-load data/bank --store bank.mdw",
        "mdw spark-load data/claims --dialect snowflake --store claims.mdw",
    ),
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@options.store
@options.dialect
@options.master
@options.memory
@click.option(
    "--rejects",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    metavar="SHARE",
    help="Share of mappings and statements, or of lines of RDF, that may be unreadable; with more, the store stays.",
)
@options.jars
@options.formats("text", "json")
def spark_load(
    inputs: tuple[str, ...],
    store: Path,
    dialect: str,
    master: str | None,
    memory: str,
    rejects: float,
    jars: str,
    form: str,
) -> int:
    """Rebuild a store from large inputs, read by Spark: it then holds what they say and nothing else.

    INPUTs are mapping files (.map), SQL, dbt projects and exports of columns as load takes them, RDF as N-Triples or
    N-Quads (.nt, .nq, also with .gz), folders of tables (see export), folders of any of these, and databases that hold
    the tables (jdbc:postgresql://host/name?user=…). The store in force stays in use until the new one is whole. What
    cannot be read is listed in rejects.parquet beside the store, how it all went in manifest.json. A run that was
    interrupted goes on where it stopped when started again.
    """
    from mdw.spark.load.database import settings
    from mdw.spark.session import session

    drivers = settings(jars, *inputs)
    with console.stages() as progress, session(master, memory=memory, settings=drivers) as spark:
        # Only now: without Spark the session says what to install, this import would say what is not there.
        from mdw.spark.pipeline import build

        manifest = build(spark, inputs, store, dialect=dialect, rejects=rejects, progress=progress)
    for note in manifest.notes:
        console.note(note)
    if manifest.rejects:
        console.note(f"{manifest.rejects} rejected: {store / 'rejects.parquet'} says why")
    console.write(console.json_text(manifest.to_dict()) if form == "json" else str(manifest))
    return 0


@click.command("spark-lineage", epilog=options.example("mdw spark-lineage --store bank.mdw --output origins"))
@options.store
@click.option(
    "-o",
    "--output",
    required=True,
    type=options.FOLDER,
    metavar="DIR",
    help="Folder for the results, which executors must reach; results of before are replaced.",
)
@options.mode
@options.unpopulated
@options.master
@options.memory
@options.formats("text", "json")
def spark_lineage(
    store: Path, output: Path, mode: Mode, unpopulated: Policy | None, master: str | None, memory: str, form: str
) -> int:
    """The sources of every populated attribute, traced by Spark: what lineage --all finds, for large warehouses.

    DIR then holds origins, Parquet files with a row for each attribute and source, and counts.parquet: for each
    attribute how many sources it has and how many rules leave out. lineage.json says how the work was shared out.
    """
    from mdw.spark.session import session

    with (
        console.stages() as progress,
        asked(store) as warehouse,
        session(master, memory=memory) as spark,
    ):
        traced = warehouse.spark_lineage(spark, output, mode=mode, unpopulated=unpopulated, progress=progress)
    console.write(console.json_text(traced.to_dict()) if form == "json" else str(traced))
    return 0 if traced.sources else 1
