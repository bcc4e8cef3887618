"""The command for rows: which rows of sources a row was made of."""

from __future__ import annotations

from pathlib import Path

import click

from mdw.cli import console, options
from mdw.cli.opening import asked


@click.command(
    "trace",
    epilog=options.example(
        "mdw trace MART.SALES --when 'PROD_NAME = \"Sony VAIO\"' --columns Q4 --data data/shop/rows --store shop.mdw"
    ),
)
@click.argument("entity", metavar="ENTITY")
@options.store
@click.option(
    "--when",
    required=True,
    metavar="CONDITION",
    help="Which rows: a condition over attributes of the entity, as lineage takes it.",
)
@click.option(
    "--data",
    required=True,
    type=options.FOLDER,
    metavar="FOLDER",
    help="Rows: ENTITY.parquet, a file or a folder of parts, and ENTITY.csv, by the names that the store has.",
)
@click.option("--columns", default="", metavar="A[,B]", help="Only what gives these their values (usual: all).")
@click.option(
    "--max-rows",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Rows that are asked for at most.",
)
@click.option("--rerun", is_flag=True, help="Run the mappings on the rows found: do the rows asked for come out?")
@options.master
@options.memory
@options.formats("text", "json")
def trace(
    entity: str,
    store: Path,
    when: str,
    data: Path,
    columns: str,
    max_rows: int,
    rerun: bool,
    master: str | None,
    memory: str,
    form: str,
) -> int:
    """The rows of sources that rows of an entity were made of, by Spark.

    An entity whose rows lie in FOLDER is read, another is what its mappings make of those. A row gave a value, or it
    decides: it was only joined, grouped, tested or counted. Mappings that cannot have made such rows are not run.
    """
    from mdw.spark.session import session

    named = tuple(columns.split(",")) if columns else ()
    with asked(store) as warehouse, session(master, memory=memory) as spark:
        found = warehouse.trace(spark, entity, when=when, data=data, columns=named, max_rows=max_rows, rerun=rerun)
        # Rows are computed when they are told, so Spark must still run.
        text = console.json_text(found.to_dict()) if form == "json" else str(found)
    console.write(text)
    return 0
