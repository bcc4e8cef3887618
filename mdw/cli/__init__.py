"""The command line: every command is one call of the warehouse and one rendering.

Exit codes: 0 found, 1 nothing found or input that cannot be read, 2 wrong usage, 130 interrupted, 134 ended by the
engine, which needed more memory than there was.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TextIO

import click

from mdw import memory
from mdw.cli import console, options
from mdw.cli.asking import impact, lineage, query, request, search
from mdw.cli.bulk import spark_lineage, spark_load
from mdw.cli.extracting import extract
from mdw.cli.filling import check, export, fmt, load, remove, terms
from mdw.cli.reporting import explain, report
from mdw.cli.serving import backup, compact, restore, serve, token
from mdw.cli.showing import demo, metatree, tree
from mdw.cli.tracing import trace
from mdw.collecting import seldom
from mdw.model.errors import MdwError, system_says

TOO_MUCH = "the command needs more memory"
NOTHING, USAGE, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


class InOrder(click.Group):
    """Commands listed in the order they are used in, not of the alphabet."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of the commands."""
        return list(self.commands)


@click.group(
    cls=InOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=options.example(
        "mdw demo",
        "mdw load data/bank --store bank.mdw",
        "mdw lineage MART.CUSTOMER_EU.CUSTOMER_NAME --store bank.mdw",
        "mdw lineage --help",
    ),
)
@click.version_option(package_name="mdw")
@click.option(
    "--max-memory",
    type=options.Size(),
    envvar="MDW_MAX_MEMORY",
    metavar="SIZE",
    help="Memory a command may take, 4g for example; what needs more ends with a message. Or set MDW_MAX_MEMORY.",
)
def cli(max_memory: int | None) -> None:
    """Where does a value really come from, under which conditions, and what does it feed?

    Load mapping text, folders of SQL or a dbt project into a store, then ask.
    """
    if max_memory:
        if reason := memory.why_unlimited():
            console.note(f"--max-memory has no effect: {reason}")
        memory.limit(max_memory, f"Error: {TOO_MUCH} than --max-memory {memory.shown(max_memory)}")


COMMANDS = {
    extract: "Write what a database tells as files, for load.",
    load: "Read mappings, SQL, dbt projects into a store.",
    spark_load: "Rebuild a store from large inputs, by Spark.",
    remove: "Take mappings out of a store.",
    terms: "Take business terms from an RDF file.",
    report: "Which SQL was read whole, in part, not at all.",
    explain: "What was understood of one statement.",
    search: "Find attributes, entities, mappings, terms.",
    lineage: "Where do values come from?",
    spark_lineage: "The same for every attribute, by Spark.",
    impact: "What do values feed?",
    trace: "Which rows was a row made of? By Spark.",
    request: "Find parts of mappings by their role.",
    query: "Ask in SPARQL.",
    metatree: "The places of the mapping language.",
    tree: "The parse tree of a mapping.",
    fmt: "Bring mapping text into canonical form.",
    check: "Only look for errors, keep nothing.",
    export: "Write everything as RDF, text or tables.",
    serve: "Pages, JSON and SPARQL over HTTP.",
    token: "Say who may use the server.",
    backup: "Copy a store.",
    restore: "Bring a copy back.",
    compact: "Tidy a store's files.",
    demo: "A question to an example bank.",
}
"""The commands, each with what the list of them has room for in 80 columns."""
for command, said in COMMANDS.items():
    command.short_help = said
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    # Started with a closed stream (``>&-``) Python has none at all.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    seldom()
    code = run(arguments)
    # Python tries once more what a log that nobody reads did not take, and would end with a code of its own, 120.
    try:
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    stream = sys.stdout
    try:
        result = cli.main(arguments, prog_name="mdw", standalone_mode=False)
        # A reader that has gone, or a disk that is full, shows here and not when Python ends.
        sys.stdout.flush()
    except click.ClickException as error:
        if _for_programs(arguments):
            console.note(console.errors_text([error]))
        else:
            shown = io.StringIO()
            error.show(shown)
            console.note(shown.getvalue().rstrip("\n"))
        return error.exit_code
    except MdwError as error:
        # `mdw export | head` ends when head has read enough: that is no error.
        if isinstance(error.__cause__, BrokenPipeError):
            return _closed()
        console.note(console.errors_text([error]) if _for_programs(arguments) else f"Error: {error}")
        # Where the disk is full Python would complain once more when it ends.
        try:
            sys.stdout.flush()
        except OSError:
            _silence(sys.stdout)
        return NOTHING
    # Inside a command click makes an Abort of Ctrl-C; before and after it stays what it is.
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except MemoryError:
        console.note(f"Error: {TOO_MUCH} than it may have or there is")
        return NOTHING
    except BrokenPipeError:
        return _closed()
    except SystemExit:
        # Where a reader goes while a command writes click changes the stream and exits with 1: "nothing found" here.
        if sys.stdout is not stream:
            return _closed()
        raise
    except OSError as error:
        # Results, help and version: what commands write to files says its own name.
        click.echo(f"Error: cannot write to standard output: {system_says(error)}", err=True)
        _silence(sys.stdout)
        return NOTHING
    return result if isinstance(result, int) else 0


def _for_programs(arguments: Sequence[str] | None) -> bool:
    """Whether answers are asked for as JSON: then so are errors."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    return "--format=json" in given or ("--format", "json") in pairwise(given)


def _closed() -> int:
    """Nobody reads any more."""
    _silence(sys.stdout)
    return BROKEN_PIPE


def _silence(stream: TextIO) -> None:
    """What is still to be written goes nowhere: Python flushes its streams once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
