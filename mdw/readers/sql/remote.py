"""Queries given as texts to functions of a FROM, most of them for another server: the text, and whose tables it reads.

    OPENQUERY(far, 'SELECT id FROM x.dbo.t')                               FAR.X.DBO.T      SQL Server
    EXTERNAL_QUERY('p.us.shop', 'SELECT id FROM t')                        `p.us.shop`.T    BigQuery
    dblink('host=h dbname=shop password=...', 'SELECT id FROM t')          SHOP.T           PostgreSQL
    TABLE(pg.system.query(query => 'SELECT id FROM public.t'))             PG.PUBLIC.T      Trino
    postgres_query('pg', 'SELECT id FROM public.t')                        PG.PUBLIC.T      DuckDB

The name of a table begins as the same table's would that is read without such a function. Who logs in, and where to, is
no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from mdw.readers.sql.dialects import TRANSACT, Flavour, flavour_of
from mdw.readers.sql.naming import Identifiers, joined
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.pieces import ScriptPiece

POSTGRES = ("postgres", "redshift", "materialize", "risingwave")
TRINO = ("trino", "presto", "athena")
FAR = frozenset(("REMOTE", "REMOTESECURE", "MYSQL", "POSTGRESQL", "JDBC", "ODBC", "SQLITE", "MONGODB"))
"""ClickHouse's functions that read a table of another server: its address, then the table."""
SCANS = frozenset(("POSTGRES_SCAN", "POSTGRES_SCAN_PUSHDOWN", "MYSQL_SCAN"))
"""DuckDB's functions that read a table of another server: how it is reached, its schema, the table."""
TRIED = ("postgres", "tsql", "oracle", "mysql")
"""Dialects in which a text is read that is none of its file's own: nobody says what the other server speaks."""
_DATABASE = re.compile(r"(?i)\b(?:dbname|database|db)\s*=\s*'?([^\s';]+)")


@dataclass(frozen=True, slots=True)
class RemoteQuery:
    """A query that a function of a FROM is given; ``server`` begins the names of its tables, "" for those at home.

    ``across``: the function makes columns of its rows.
    """

    server: str
    text: Any
    across: bool = False

    @property
    def said(self) -> str:
        """The query's text."""
        return str(self.text.name)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call: the texts it is given, its first and last argument, those it names, and what stands before its name."""

    texts: tuple[Any, ...]
    first: str
    last: Any
    named: Mapping[str, Any]
    before: tuple[str, ...]


Query = tuple[str, Any]
"""How the server is called, and the query's text, if that is what stands there."""


def _linked(call: _Call) -> Query:
    """dblink([connection,] query)."""
    return (_database(call.texts[0].name), call.texts[1]) if len(call.texts) > 1 else ("dblink", call.last)


def _catalogued(call: _Call) -> Query:
    """catalogue.system.query(query => ...)."""
    known = len(call.before) == 2 and call.before[1].lower() == "system"
    return call.before[0] if known else "", call.named.get("QUERY", call.last) if known else None


def _of_catalogue(call: _Call) -> Query:
    """QUERY("catalog" = "c", "query" = "SELECT ...")."""
    catalogue = call.named.get("CATALOG")
    return catalogue.name if catalogue is not None else "", call.named.get("QUERY")


RUNNING: Mapping[tuple[str, Sequence[str]], Callable[[_Call], Query]] = {
    ("OPENQUERY", TRANSACT): lambda call: (call.first, call.last),
    # Its provider and its address name no server.
    ("OPENROWSET", TRANSACT): lambda call: ("OPENROWSET", call.last),
    ("EXTERNAL_QUERY", ("bigquery", "exasol")): lambda call: (
        call.first,
        call.texts[1] if len(call.texts) > 1 else None,
    ),
    ("DBLINK", POSTGRES): _linked,
    ("CROSSTAB", POSTGRES): lambda call: ("", next(iter(call.texts), None)),
    ("QUERY", TRINO): _catalogued,
    ("RAW_QUERY", TRINO): _catalogued,
    ("QUERY", ("duckdb",)): lambda call: ("", call.last),
    ("POSTGRES_QUERY", ("duckdb",)): lambda call: (call.first, call.last),
    ("MYSQL_QUERY", ("duckdb",)): lambda call: (call.first, call.last),
    ("QUERY", ("doris", "starrocks")): _of_catalogue,
    ("REMOTE_QUERY", ("databricks", "spark")): lambda call: (call.first, call.named.get("QUERY")),
}
"""By name and dialects: the functions that have a query run."""


def remote_query(one: Any, flavour: Flavour, naming: Identifiers) -> RemoteQuery | None:
    """The query of a function, if it is one of those that run a query and the query is a constant."""
    before: tuple[str, ...] = ()
    if isinstance(one, exp.Anonymous) and one.name.upper() == "TABLE" and len(one.expressions) == 1:
        one = one.expressions[0]
    if isinstance(one, exp.Dot):
        before = tuple(part.name for part in one.flatten() if isinstance(part, exp.Identifier))
        one = one.expression
    if not isinstance(one, exp.Anonymous) or not one.expressions:
        return None
    name = one.name.upper()
    run = next((how for (own, where), how in RUNNING.items() if own == name and flavour.name in where), None)
    if run is None:
        return None
    # Doris names them by texts: "query" = "SELECT ...".
    pairs = [part for part in one.expressions if isinstance(part, exp.Kwarg | exp.EQ)]
    named = {part.this.name.upper(): part.expression for part in pairs}
    texts = tuple(filter(_is_text, one.expressions))
    server, text = run(_Call(texts, one.expressions[0].name, one.expressions[-1], named, before))
    if not _is_text(text):
        return None
    known = naming.known(server, quoted=not server.isidentifier()) if server else ""
    return RemoteQuery(known, text, across=name == "CROSSTAB")


def tree_of(text: str, flavour: Flavour) -> Any:
    """The tree of a query, None if it is none in any dialect that is tried."""
    # Its file's dialect first: most people ask a server of the same kind.
    for own in (flavour, *map(flavour_of, TRIED)):
        try:
            piece = ScriptPiece(tuple(own.parser.tokenize(text)), text)
            _, tree = parsed(piece, own) if piece.tokens else (piece, None)
        except (SqlglotError, UnparsedError):
            continue
        if isinstance(tree, exp.Query):
            return tree
    return None


def spread(tree: Any, alias: Any) -> Any:
    """The rows of a query with columns made of them: the first is the query's first, the others come from the rest."""
    named = [column.this.name for column in (alias.args.get("columns") if alias is not None else None) or ()]
    given = [exp.column(exp.to_identifier(name)) for name in tree.named_selects]
    if not named or not all(column.name for column in given) or len(given) < 2:
        return tree
    # Which row of the query makes which column only its data say: each is made of all but the first.
    values = [given[0], *[exp.Anonymous(this="CROSSTAB", expressions=[one.copy() for one in given[1:]])] * len(named)]
    outputs = [exp.alias_(value.copy(), name) for name, value in zip(named, values, strict=False)]
    return exp.Select(expressions=outputs, from_=exp.From(this=exp.Subquery(this=tree)))


def given_table(one: Any, flavour: Flavour, naming: Identifiers) -> str:
    """The table of another server that a function names by its arguments, "" if it is none of those that do."""
    name = one.name.upper() if isinstance(one, exp.Anonymous) else ""
    if flavour.name == "clickhouse" and name in FAR:
        return _table(one.expressions, naming)
    if flavour.name == "duckdb" and name in SCANS and len(one.expressions) > 2 and all(map(_is_text, one.expressions)):
        server, *names = (part.name for part in one.expressions)
        return joined(
            naming.known(_database(server), quoted=True), *[naming.known(part, quoted=False) for part in names]
        )
    last = one.expressions[-1] if name == "OPENROWSET" and flavour.name in TRANSACT and one.expressions else None
    if isinstance(last, (exp.Column, exp.Dot)):
        return joined(name, *[naming.part(part) for part in last.parts])
    return ""


def _table(arguments: Sequence[Any], naming: Identifiers) -> str:
    """The table that the arguments of a function name behind an address: ``db.t``, or ``'db', 't'``."""
    address, *rest = arguments or (None,)
    # remote('h', db.t, 'user'), remote('h', db, t), remote('h', 'db', 't')
    whole = rest and isinstance(rest[0], (exp.Column, exp.Dot)) and len(rest[0].parts) > 1
    alone = rest[1:] and isinstance(rest[0], exp.Column) and not isinstance(rest[1], exp.Column)
    named = rest[:1] if whole or alone else rest[:2]
    words = [part.name for one in named for part in ([one] if _is_text(one) else getattr(one, "parts", ()))]
    if address is None or not _is_text(address) or not words:
        return ""
    server = naming.known(address.name, quoted=True)
    return joined(server, *[naming.known(one, quoted=False) for one in words])


def _is_text(one: Any) -> bool:
    return isinstance(one, exp.National) or (isinstance(one, exp.Literal) and bool(one.args.get("is_string")))


def _database(connection: str) -> str:
    """How a connection is called: a name somebody gave it, or that of the database it leads to."""
    found = _DATABASE.search(connection)
    if found:
        return found.group(1)
    return connection if connection.isidentifier() else "dblink"
