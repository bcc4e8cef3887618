"""Commands about the server and the store's upkeep: serve, token, backup, restore, compact."""

from __future__ import annotations

from pathlib import Path

import click

from mdw.cli import console, options
from mdw.cli.opening import opened
from mdw.cli.operating import GUIDE


@click.command(
    epilog=GUIDE
    + "\n"
    + options.example(
        "mdw load data/bank --store bank.mdw",
        "mdw serve --store bank.mdw --port 7878 --timeout 30 --allow-update &",
        "curl http://127.0.0.1:7878/sparql --data-urlencode 'query=SELECT ?m { ?m a mdw:Mapping } LIMIT 5'",
        "curl http://127.0.0.1:7878/health",
    )
)
@options.store
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen at; others than this machine's need tokens.",
)
@click.option("--port", default=7878, show_default=True, type=click.IntRange(0, 65535), help="Port to listen at.")
@click.option("--allow-update", is_flag=True, help="Take changes from this machine without a token.")
@click.option(
    "--timeout",
    default=30.0,
    show_default=True,
    type=click.FloatRange(min=0.01),
    metavar="SECONDS",
    help="The longest a request may take.",
)
@click.option(
    "--workers", default=4, show_default=True, type=click.IntRange(1, 64), help="Requests that are worked on at a time."
)
@click.option(
    "--max-memory",
    type=options.Size(512 << 20),
    default=2 << 30,
    show_default="2g",
    metavar="SIZE",
    help="Memory that each worker, and the writer, may take.",
)
@click.option(
    "--max-rows",
    default=5_000_000,
    show_default=True,
    type=click.IntRange(min=0),
    help="Rows an answer may have; 0: any number.",
)
@click.option(
    "--max-bytes",
    default=2 << 30,
    show_default=True,
    type=click.IntRange(min=0),
    help="Bytes an answer may have; 0: any number.",
)
@click.option(
    "--allow-call",
    "calls",
    multiple=True,
    metavar="URL",
    help="A server that queries may call (SERVICE, LOAD); may be said again.",
)
@click.option(
    "--allow-free-paths",
    "free_paths",
    is_flag=True,
    help="Answer paths of any length whose two ends are open, however long they take.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="A site whose pages may read from this server (CORS); may be said again.",
)
@click.option(
    "--audit",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Add a line to this file for every change, who made it, and for everyone who was not let in.",
)
@click.option("--quiet", is_flag=True, help="Log changes and errors, not every request.")
def serve(
    store: Path,
    host: str,
    port: int,
    allow_update: bool,
    timeout: float,
    workers: int,
    max_memory: int,
    max_rows: int,
    max_bytes: int,
    calls: tuple[str, ...],
    free_paths: bool,
    origins: tuple[str, ...],
    audit: Path | None,
    quiet: bool,
) -> int:
    """Serve a store over HTTP: pages at /, JSON at /api, SPARQL at /sparql, /query and /update, graphs at /store.

    It stops on SIGINT, SIGTERM and SIGHUP, when running requests have ended, or after ten seconds; interrupted twice,
    it ends at once. What it answers to whom, what it refuses and where it ends a request stands below the options.
    """
    from mdw.server.running import serve as run
    from mdw.server.service import Limits

    limits = Limits(seconds=timeout, rows=max_rows, bytes=max_bytes, readers=workers, memory=max_memory)
    run(
        store,
        host=host,
        port=port,
        allow_update=allow_update,
        limits=limits,
        calls=calls,
        free_paths=free_paths,
        origins=origins,
        audit=audit,
        quiet=quiet,
    )
    return 0


@click.command(
    epilog=options.example("mdw token ana --role read --store bank.mdw", "mdw token ana --remove --store bank.mdw")
)
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["read", "update", "admin"]),
    default="read",
    show_default=True,
    help="What whoever has the token may do.",
)
@click.option("--remove", is_flag=True, help="Take the token of this name away.")
@options.store
def token(name: str, role: str, remove: bool, store: Path) -> int:
    """Make a bearer token for the server and print it; only its hash is kept, in tokens.json in the store.

    As soon as there is one, every request needs one: Authorization: Bearer TOKEN. A running server takes
    notice. When the last one is removed nobody is let in any more; without tokens.json everyone may read again.
    """
    from mdw.server import access
    from mdw.store.directory import existing

    # A mistyped folder must not become one that holds a token and nothing else.
    existing(store)
    if remove:
        if access.remove(store, name):
            return 0
        console.note(f"there is no token of the name {name}")
        return 1
    console.write(access.add(store, name, role))
    return 0


@click.command(epilog=options.example("mdw backup bank.backup --store bank.mdw"))
@click.argument("folder", type=options.FOLDER)
@click.option("--copy", is_flag=True, help="Share no file with the store: damage of one is then none of the other.")
@options.store
def backup(folder: Path, copy: bool, store: Path) -> int:
    """Copy a store that no server has open into a new folder, with the SHA-256 of each file.

    On the same disk files are shared with the store, as hard links, and take no time.
    """
    with opened(store) as warehouse:
        warehouse.backup(folder, copy=copy)
    return 0


@click.command(
    epilog=options.example(
        "mdw backup bank.backup --store bank.mdw",
        "mdw restore bank.backup --verify",
        "mdw restore bank.backup --store again.mdw",
    )
)
@click.argument("folder", type=options.FOLDER)
@click.option("--verify", is_flag=True, help="Only compare the backup's files with their SHA-256; change nothing.")
@options.store_if_any
def restore(folder: Path, verify: bool, store: Path | None) -> int:
    """Put a backup in the place of what a store holds; the store is made if it is not there.

    Each file is compared with its SHA-256: a damaged backup is refused.
    """
    from mdw.store import backups

    if verify:
        summed = backups.verify(folder)
    elif store is None:
        raise click.UsageError("missing option --store (or set MDW_STORE)")
    else:
        # Not through a warehouse: the store that a backup is wanted for may be one that does not open any more.
        summed = backups.restore(folder, store)
    if not summed:
        console.note(f"{folder} was made by an earlier version of mdw and has no SHA-256 to compare its files with")
    return 1 if verify and not summed else 0


@click.command(epilog=options.example("mdw compact --store bank.mdw"))
@options.store
def compact(store: Path) -> int:
    """Have the engine tidy a store's files: smaller and faster after many changes."""
    with opened(store) as warehouse:
        warehouse.compact()
    return 0
