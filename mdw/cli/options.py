"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from mdw.memory import shown, size
from mdw.model.rules import MODES, POLICIES
from mdw.readers.recognising import is_database

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]


class NamedPath(click.Path):
    """A path that has a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; a usage error for an empty name."""
        # To the system an empty path is the current folder, which nobody means who left a variable of the shell empty.
        return super().convert(value, param, ctx) if str(value) else self.fail("an empty name", param, ctx)


class Size(click.ParamType):  # type: ignore[type-arg]  # it has none before click 8.2
    """Bytes, with the unit after them, ``least`` or more."""

    name = "size"

    def __init__(self, least: int = 1) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The bytes; a usage error for what is no size."""
        try:
            found = value if isinstance(value, int) else size(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if found < self._least:
            self.fail(f"at least {shown(self._least)} are needed", param, ctx)
        return found


FILE = NamedPath(path_type=Path, dir_okay=False)
FOLDER = NamedPath(path_type=Path, file_okay=False)


def _store(*, required: bool) -> Option:
    told = "Folder of the warehouse; instead of it, set MDW_STORE."
    return click.option("--store", required=required, envvar="MDW_STORE", type=FOLDER, metavar="DIR", help=told)


store = _store(required=True)
store_if_any = _store(required=False)
output = click.option("-o", "--output", type=FILE, metavar="PATH", help="Write to this file instead of the terminal.")
mode = click.option(
    "--mode",
    type=click.Choice(MODES),
    default="active",
    show_default=True,
    help="active: only what can carry a row; passive: every step, conditions not looked at.",
)
unpopulated = click.option(
    "--unpopulated",
    type=click.Choice(POLICIES),
    help="An attribute nobody fills is: the driving entity's of the same name, anything, NULL.",
)
starting = click.option(
    "--from",
    "source",
    metavar="ENTITY.ATTRIBUTE",
    help="Only the ways of rows that come from there.",
)
arriving = click.option(
    "--to",
    "target",
    metavar="ENTITY.ATTRIBUTE",
    help="Only the ways of rows that go there.",
)
master = click.option(
    "--master", metavar="URL", help="Where Spark runs: local[4], spark://host:7077 … (usual: this machine)."
)
memory = click.option("--memory", default="2g", show_default=True, metavar="SIZE", help="What Spark's driver may take.")
jars = click.option(
    "--jars",
    default="",
    metavar="PATH[,PATH]",
    help="Files with the drivers of databases (usual for PostgreSQL: where Debian puts its own).",
)
sources = click.argument("sources", nargs=-1, required=True, metavar="FILES...")
dialect = click.option(
    "--dialect",
    default="",
    metavar="NAME",
    help="Of SQL: snowflake, postgres, tsql … (usual: what mdw.toml, the file's name or its text tells, else ansi).",
)
processes = click.option(
    "--processes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes that read a large input for this one (usual: one for each core, at most eight; 1: none).",
)


def formats(*names: str) -> Callable[[Command], Command]:
    """``--format``; the first name is the default."""
    return click.option(
        "--format", "form", type=click.Choice(names), default=names[0], show_default=True, help="Form of the answer."
    )


def question(command: Command) -> Command:
    """What lineage and impact have in common."""
    return _question(command, click.argument("attribute", metavar="ENTITY.ATTRIBUTE"))


def question_or_all(command: Command) -> Command:
    """The same, or --all instead of the attribute."""
    attribute = click.argument("attribute", metavar="[ENTITY.ATTRIBUTE]", required=False)
    every = click.option("--all", "every", is_flag=True, help="Every populated attribute, in one run.")
    return _question(command, attribute, every, forms=("text", "json", "svg", "parquet"))


def _question(command: Command, *first: Option, forms: tuple[str, ...] = ("text", "json", "svg")) -> Command:
    options: tuple[Option, ...] = (
        *first,
        store,
        click.option(
            "--when",
            default="",
            callback=_said,
            metavar="CONDITION",
            help="Only rows for which this holds: of the asked entity or, with ENTITY.ATTRIBUTE, of one on the way.",
        ),
        mode,
        unpopulated,
        formats(*forms),
        click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Steps shown; the answer stays whole."),
        click.option(
            "--why", is_flag=True, help="All that was left out and why, what decides, the words of the scripts."
        ),
        click.option("--full", is_flag=True, help="Every condition whole, however long it is."),
        click.option(
            "--sql-dialect",
            default="",
            metavar="NAME",
            help="Conditions as SQL too, in this dialect: tsql, snowflake, ansi … (in JSON always; usual: as loaded).",
        ),
        click.option("--inner", is_flag=True, help="Steps through the CTEs and subqueries of SQL too."),
        click.option("--picture", type=FILE, metavar="PATH", help="Draw it too: a file ending in .svg or .png."),
        output,
    )
    # Decorators are applied from the last to the first; --help shows them in the order written here.
    for option in reversed(options):
        command = option(command)
    return command


def _said(_: click.Context, __: click.Parameter, value: str) -> str:
    """A condition, or none; a usage error where an empty one was given, as a variable of the shell may be."""
    given = click.get_current_context().get_parameter_source("when") is not ParameterSource.DEFAULT
    if given and not value.strip():
        raise click.UsageError("--when says nothing: leave it out to ask for every row")
    return value


def example(*lines: str) -> str:
    """The end of a command's help; every line is run by the tests."""
    # click folds paragraphs into lines of its own; \b keeps this one as it is.
    return "\b\nExample:\n" + "\n".join(f"  $ {line}" for line in lines)


def inputs(names: tuple[str, ...]) -> list[str | Path]:
    """What is to be read: paths, URLs of databases, and ``-`` for standard input; UsageError for an empty name."""
    # To the system an empty path is the current folder, which nobody means who left a variable of the shell empty.
    if "" in names:
        raise click.UsageError("an empty name is no file: FILES are files, folders or -")
    return [name if name == "-" or is_database(name) else Path(name) for name in names]
