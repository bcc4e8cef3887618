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
from collections.abc import Sequence
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
TRIED = ("postgres", "tsql", "oracle", "mysql")
"""Dialects in which a text is read that is none of its file's own: nobody says what the other server speaks."""
_DATABASE = re.compile(r"(?i)\bdbname\s*=\s*'?([^\s';]+)")


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


def remote_query(one: Any, flavour: Flavour, naming: Identifiers) -> RemoteQuery | None:
    """The query of a function, if it is one of those that run a query and the query is a constant."""
    before: list[str] = []
    if isinstance(one, exp.Anonymous) and one.name.upper() == "TABLE" and len(one.expressions) == 1:
        one = one.expressions[0]
    if isinstance(one, exp.Dot):
        before = [part.name for part in one.flatten() if isinstance(part, exp.Identifier)]
        one = one.expression
    if not isinstance(one, exp.Anonymous):
        return None
    name, texts = one.name.upper(), [part for part in one.expressions if _is_text(part)]
    named = {part.this.name.upper(): part.expression for part in one.expressions if isinstance(part, exp.Kwarg)}
    first = one.expressions[0] if one.expressions else None
    server: str | None = None
    if flavour.name in TRANSACT and name in ("OPENQUERY", "OPENROWSET") and first is not None:
        # The provider and the address of OPENROWSET name no server; the query stands last.
        server, texts = first.name if name == "OPENQUERY" else name, list(filter(_is_text, one.expressions[-1:]))
    elif flavour.name == "bigquery" and name == "EXTERNAL_QUERY" and len(texts) > 1:
        return RemoteQuery(naming.known(texts[0].name, quoted=True), texts[1])
    elif flavour.name in POSTGRES and name == "DBLINK" and texts:
        server, texts = _database(texts[0].name) if len(texts) > 1 else "dblink", texts[:2][-1:]
    elif flavour.name in POSTGRES and name == "CROSSTAB" and texts:
        return RemoteQuery("", texts[0], across=True)
    elif flavour.name in POSTGRES and name == "CROSSTAB" and texts:
        return RemoteQuery("", texts[0], across=True)
    elif flavour.name == "duckdb" and name in ("POSTGRES_QUERY", "MYSQL_QUERY") and len(texts) > 1:
        server, texts = texts[0].name, texts[1:]
    elif flavour.name == "duckdb" and name == "QUERY":
        return RemoteQuery("", texts[0]) if texts else None
    elif flavour.name in TRINO and name in ("QUERY", "RAW_QUERY") and len(before) == 2 and before[1] == "system":
        server, texts = before[0], [named["QUERY"]] if _is_text(named.get("QUERY")) else texts
    elif flavour.name == "databricks" and name == "REMOTE_QUERY" and texts and _is_text(named.get("QUERY")):
        server, texts = texts[0].name, [named["QUERY"]]
    if server is None or not texts:
        return None
    return RemoteQuery(naming.known(server, quoted=False), texts[0])


def tree_of(text: str, flavour: Flavour) -> Any:
    """The tree of a query, None if it is none in any dialect that is tried."""
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
    values = [given[0], *[exp.Anonymous(this="CROSSTAB", expressions=[one.copy() for one in given[1:]])] * len(named)]
    outputs = [exp.alias_(value.copy(), name) for name, value in zip(named, values, strict=False)]
    return exp.Select(expressions=outputs, from_=exp.From(this=exp.Subquery(this=tree)))


def given_table(one: Any, flavour: Flavour, naming: Identifiers) -> str:
    """The table of another server that a function names by its arguments, "" if it is none of those that do."""
    name = one.name.upper() if isinstance(one, exp.Anonymous) else ""
    if flavour.name == "clickhouse" and name in FAR:
        return _table(one.expressions, naming)
    last = one.expressions[-1] if name == "OPENROWSET" and flavour.name in TRANSACT and one.expressions else None
    if isinstance(last, (exp.Column, exp.Dot)):
        return joined(name, *[naming.part(part) for part in last.parts])
    return ""


def _table(arguments: Sequence[Any], naming: Identifiers) -> str:
    """The table that the arguments of a function name behind an address: ``db.t``, or ``'db', 't'``."""
    address, *rest = arguments or (None,)
    named = rest[:1] if rest and isinstance(rest[0], (exp.Column, exp.Dot)) else rest[:2]
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
