"""Files into tables and tables into files: COPY, EXPORT, LOAD DATA. A file is an entity called as it is.

    COPY INTO t (a, b) FROM @stage/x.csv      T.A from the file's A, T.B from its B
    COPY t TO '/out/t.parquet'                all of T to the file

What a file has for columns nobody knows: it has those that somebody asks it for.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.readers.nodes import attribute, call
from mdw.readers.sql.building import Building
from mdw.readers.sql.definitions import all_of
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.inserts import aim, columns_named, learn
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import blocks_of
from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.work import Work


def copy(one: Any, work: Work) -> Outcome:
    """COPY: files, or a query over them, into a table; a table, or a query, into files."""
    found = Outcome("copy")
    table = one.this.this if isinstance(one.this, exp.Schema) else one.this
    names = columns_named(one.this, work)
    if isinstance(table, exp.Table) and one.args.get("kind") and not _is_file(table):
        found.target = entity_named(table_name(table, work), work)
        for file in one.args.get("files") or ():
            if isinstance(file, (exp.Query, exp.Subquery)):
                blocks = blocks_of(file, work, Frame(found.target, inner=False))
                for block in blocks:
                    aim(exp.Insert(this=one.this.copy()), block, found.target, (), work)
                found.filling += blocks
            else:
                found.filling.append(_taken(_file(file, work), found.target, names, work, found))
        learn(found.target, found.filling, work)
        left = [call(name) for part in one.args.get("params") or () if (name := _leaves_out(part))]
        for block in found.filling:
            block.limits += left
    else:
        files = one.args.get("files") or ()
        if one.args.get("kind"):
            # COPY INTO @stage FROM t: a stage is filled from a table.
            table, files = files[0] if files else table, [table]
        found.target = _file(files[0], work) if files else "`files`"
        if isinstance(table, exp.Table):
            found.filling.append(_taken(entity_named(table_name(table, work), work), found.target, names, work, found))
        else:
            found.filling = blocks_of(table, work, Frame(found.target, inner=False))
    found.writes[found.target] = None
    return found


def _leaves_out(parameter: Any) -> str:
    """What of a COPY says that not all rows of a file come, "" if it does not: lines in error, or files of a folder."""
    name, said = parameter.name.upper(), parameter.expression.name.upper() if parameter.expression else ""
    left = name in CHOOSING or (name == "ON_ERROR" and said not in ALL_OR_NONE) or (name in ERRORS and said != "0")
    return name if left else ""


# Options of COPY that choose among files or rows; values of ON_ERROR by which all comes or nothing; those that say how
# many lines may be left out.
CHOOSING = frozenset(("PATTERN", "FILES", "SIZE_LIMIT", "VALIDATION_MODE"))
ALL_OR_NONE = frozenset(("ABORT_STATEMENT", "STOP"))
ERRORS = frozenset(("MAXERROR", "MAXERRORS", "REJECT_LIMIT"))


def _is_file(table: exp.Table) -> bool:
    """Whether a stage, or a path, is meant and no table (Snowflake)."""
    named = table.this
    return (isinstance(named, exp.Var) and named.name.startswith("@")) or isinstance(named, exp.Literal)


def _file(file: Any, work: Work) -> str:
    return work.naming.known(file.this.name if isinstance(file, exp.Table) else file.name, quoted=True)


def _taken(source: str, target: str, names: tuple[str, ...], work: Work, found: Outcome) -> Building:
    """All rows of one entity into another, or of these columns only."""
    found.reads[source] = None
    block = all_of(source, target, work, None, inner=False)
    if names:
        block.outputs, block.named, block.columns, block.stars = [], {}, {}, []
        work.unresolved.clear()
        for name in names:
            work.dictionary.known(source).ask(name)
            block.output(name, attribute(f"{work.naming.written(source)}.{work.naming.written(name)}"))
    return block


def export(one: Any, work: Work) -> Outcome:
    """EXPORT DATA: the rows of a query into files."""
    options = one.args.get("options")
    uris = [part.args["value"].name for part in options.expressions if part.name.lower() == "uri"] if options else []
    found = Outcome("export", work.naming.known(uris[0] if uris else "files", quoted=True))
    found.filling = blocks_of(one.this, work, Frame(found.target, inner=False))
    found.writes[found.target] = None
    return found


def load(one: Any, work: Work) -> Outcome:
    """LOAD DATA: files into a table."""
    found = Outcome("load", entity_named(table_name(one.this, work), work))
    path = one.args.get("inpath")
    paths = [path.name] if path is not None else [part.name for part in one.find_all(exp.Literal) if "/" in part.name]
    for name in paths or ["files"]:
        found.filling.append(_taken(work.naming.known(name, quoted=True), found.target, (), work, found))
    found.writes[found.target] = None
    return found
