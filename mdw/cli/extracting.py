"""The command that makes plain files of a database: extract."""

from __future__ import annotations

import os
from pathlib import Path

import click

from mdw.cli import console, options
from mdw.model.visible import visible


def _seconds(name: str, usual: float, text: str) -> options.Option:
    return click.option(
        f"--{name}-limit",
        type=click.FloatRange(min=0, min_open=True),
        default=usual,
        show_default=True,
        metavar="SECONDS",
        help=text,
    )


@click.command(
    epilog=options.example(
        "mdw extract sqlite:///shop.db --output extracted",
        "mdw load extracted --store shop.mdw",
        "mdw extract sqlite:///shop.db --output extracted --again",
    )
)
@click.argument("url", required=False, metavar="[URL]")
@click.option(
    "--url-env", metavar="NAME", help="Variable that holds the URL: arguments can be seen in the list of processes."
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=options.FOLDER,
    metavar="DIR",
    help="Folder for the files: new, empty, or one of this database.",
)
@click.option("--again", is_flag=True, help="Only what an earlier run could not read; the rest of DIR stays.")
@_seconds("connect", 10, "For connecting.")
@_seconds("lock", 5, "For waiting until others let go of an object.")
@_seconds("statement", 60, "For one question to the catalogue.")
@_seconds("whole", 3600, "For all of it.")
@options.formats("text", "json")
def extract(
    url: str | None,
    url_env: str | None,
    output: Path,
    again: bool,
    connect_limit: float,
    lock_limit: float,
    statement_limit: float,
    whole_limit: float,
    form: str,
) -> int:
    """Write what a database tells of its tables, and the definitions of its views and programs, as plain files.

    URL is postgresql://user@host/name, sqlite:///file, duckdb:///file, or one that SQLAlchemy and a driver know, which
    no test has met. Only the catalogue is read, in one read-only snapshot. Nothing of who logs in is written or shown,
    and secrets in definitions are masked. DIR is for its owner alone; mdw load reads it on any machine, without the
    database.

    What cannot be read is listed, here and in DIR/manifest.json, which is written last; the rest is written all the
    same, and the exit code is 1. Without --again all is read anew, and what has changed since is said. Objects of
    extensions are left out. Drivers: pip install "mdw[databases]".
    """
    if (url is None) == (url_env is None):
        raise click.UsageError("name the database: URL, or --url-env NAME")
    if url_env is not None and not os.environ.get(url_env):
        raise click.UsageError(f"the variable {url_env} holds no URL")
    from mdw.extract.addresses import address
    from mdw.extract.limits import Patience
    from mdw.extract.running import extract as run
    from mdw.extract.telling import told

    given = url or os.environ[url_env or ""]
    if url is not None and any(secret in url for secret in address(url).secrets):
        console.note("others can see this URL, and the password in it, in the list of processes: see --url-env")
    limits = Patience(connect_limit, lock_limit, statement_limit, whole_limit)
    with console.counting("objects written") as progress:
        manifest = run(given, output, limits, again=again, progress=progress)
    console.write(console.json_text(manifest.to_dict()) if form == "json" else visible(told(manifest)))
    return 1 if manifest.errors or not manifest.objects else 0
