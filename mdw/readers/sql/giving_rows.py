"""Functions of a FROM: columns they are told to give, tables they name, and those of which nobody knows more.

JSON_TABLE(doc, '$' COLUMNS (a INT PATH '$.a'))      has A
TABLE('db.s.t')                                      is DB.S.T (Snowflake)
generate_series(1, 9)                                made of its arguments: no source is missing
TABLE(RESULT_SCAN(LAST_QUERY_ID()))                  rows from somewhere, and that is said
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.name import parts
from mdw.readers.sql.functions import called
from mdw.readers.sql.phrases.documents import DEFAULT, TOLD
from mdw.readers.sql.remote import TRINO
from mdw.readers.sql.tables import columns_of_type
from mdw.readers.sql.work import Work

EVERYWHERE = ("CLUSTER", "CLUSTERALLREPLICAS")
LONGEST = 60
"""Characters of a function that a message shows."""
MAKING = frozenset(
    """
    GENERATE_SERIES GENERATE_SUBSCRIPTS GENERATOR NUMBERS NUMBERS_MT ZEROS ZEROS_MT RANGE SEQUENCE VALUES UNNEST EXPLODE
    EXPLODE_OUTER POSEXPLODE INLINE STACK FLATTEN SPLIT_TO_TABLE STRTOK_SPLIT_TO_TABLE STRING_SPLIT STRING_TO_TABLE
    REGEXP_SPLIT_TO_TABLE REGEXP_MATCHES JSON_EACH JSONB_EACH JSON_EACH_TEXT JSONB_EACH_TEXT JSON_TREE OPENJSON
    JSON_ARRAY_ELEMENTS JSONB_ARRAY_ELEMENTS JSON_ARRAY_ELEMENTS_TEXT JSONB_ARRAY_ELEMENTS_TEXT
    JSON_TO_RECORDSET JSONB_TO_RECORDSET JSON_TO_RECORD JSONB_TO_RECORD JSON_POPULATE_RECORDSET
    JSON_OBJECT_KEYS JSONB_OBJECT_KEYS GENERATERANDOM NULL ROWS INPUT
    GENERATE_ARRAY GENERATE_DATE_ARRAY GENERATE_TIMESTAMP_ARRAY
""".split()  # noqa: SIM905
)
"""Functions whose rows are made of their arguments and of nothing else."""


OF_DOCUMENTS: Mapping[str, Sequence[str]] = {
    f"json{kind}_{name}{text}": columns
    for name, columns in {"each": ("key", "value"), "array_elements": ("value",)}.items()
    for kind in ("", "b")
    for text in ("", "_text")
}
"""What PostgreSQL's functions call the columns that they make of a document."""
OF_TREES: Mapping[str, Sequence[str]] = dict.fromkeys(
    (f"json{kind}_{name}" for name in ("each", "tree") for kind in ("", "b")),
    ("key", "value", "type", "atom", "id", "parent", "fullkey", "path", "json", "root"),
)
"""The same of SQLite's."""
POPULATING = frozenset(f"JSON{kind}_POPULATE_RECORD{many}" for kind in ("", "B") for many in ("", "SET"))
"""PostgreSQL's functions that make rows of the type of what they are given first."""
COLLECTIONS = frozenset(
    "ODCIVARCHAR2LIST ODCINUMBERLIST ODCIDATELIST ODCIRAWLIST DBMS_DEBUG_VC2COLL KU$_VCNT KU$_OBJNUMSET".split()  # noqa: SIM905
)
"""Oracle's own types of many values: TABLE(SYS.ODCIVARCHAR2LIST('a', s.b)) has a row for each of what it is given."""
NAMING = frozenset(("TABLE_CHANGES", "VECTOR_SEARCH"))
"""Functions whose first argument names a table, in a text."""


def collected(one: Any, work: Work) -> Any:
    """What makes the values of TABLE(SYS.ODCIVARCHAR2LIST(...)), Oracle's own types of many; anything else as it is."""
    if work.flavour.name != "oracle" or not isinstance(one, exp.Anonymous) or one.name.upper() != "TABLE":
        return one
    last = one.expressions[0] if len(one.expressions) == 1 else None
    last = last.expression if isinstance(last, exp.Dot) else last
    return last if isinstance(last, exp.Anonymous) and last.name.upper() in COLLECTIONS else one


def columns_told(one: Any, work: Work) -> tuple[str, ...]:
    """The columns that a function is told to give: JSON_TABLE, XMLTABLE and OPENJSON say them."""
    if isinstance(one, exp.JSONTable):
        return tuple(work.naming.part(name) for name in _of_schema(one.args.get("schema")))
    if isinstance(one, exp.XMLTable):
        return tuple(work.naming.part(column.this) for column in one.args.get("columns") or ())
    if isinstance(one, exp.OpenJSON):
        told = tuple(work.naming.part(column.this) for column in one.expressions)
        return told or tuple(work.naming.known(name, quoted=False) for name in ("key", "value", "type"))
    if isinstance(one, exp.Anonymous) and one.name.upper() in POPULATING and one.expressions:
        # jsonb_populate_record(NULL::seat, doc) has the columns of SEAT.
        type_ = one.expressions[0].args.get("to")
        rows = isinstance(type_, exp.DataType) and type_.this == exp.DataType.Type.USERDEFINED
        return tuple(columns_of_type(type_, work)) if rows else ()
    if work.flavour.name in ("postgres", "sqlite") and isinstance(one, exp.Func):
        own = OF_DOCUMENTS if work.flavour.name == "postgres" else OF_TREES
        given = own.get(called(one).lower(), ())
        return tuple(work.naming.known(name, quoted=False) for name in given)
    return ()


def defaults_told(one: Any, work: Work, columns: Sequence[str]) -> dict[str, list[exp.Expr]]:
    """What the columns of JSON_TABLE and XMLTABLE have where a document has nothing for them, taken out of these."""
    found: dict[str, list[exp.Expr]] = {name: [] for name in columns}
    if isinstance(one, exp.XMLTable):
        for column in one.args.get("columns") or ():
            for constraint in column.args.get("constraints") or ():
                if isinstance(constraint.kind, exp.DefaultColumnConstraint):
                    found[work.naming.part(column.this)].append(constraint.kind.this)
            column.set("constraints", None)
    told = one.this if isinstance(one, exp.JSONTable) and isinstance(one.this, exp.Anonymous) else None
    if told is not None and told.name == TOLD:
        document, *more = told.expressions
        own = [part for part in more if isinstance(part, exp.Anonymous) and part.name == DEFAULT]
        for part in own:
            found[work.naming.part(part.expressions[0].this)].append(part.expressions[1])
        one.set("this", document)
        one.set("passing", [part for part in more if part not in own])
    return found


def _of_schema(schema: Any) -> Iterator[Any]:
    for column in schema.expressions if schema is not None else ():
        if column.args.get("nested_schema") is not None:
            yield from _of_schema(column.args["nested_schema"])
        elif column.this is not None:
            yield column.this


def table_in_text(one: Any) -> str | None:
    """The table that a constant text names: Snowflake's TABLE('db.s.t') and TABLE(IDENTIFIER('db.s.t'))."""
    inner = one.this if isinstance(one, exp.DynamicIdentifier) else one
    if isinstance(one, exp.Anonymous) and one.name.upper() in NAMING and one.expressions:
        # Databricks' table_changes('core.t', 2) has the rows of T, as they were changed.
        inner = one.expressions[0]
        inner = inner.expression if isinstance(inner, exp.Kwarg) else inner
    return str(inner.this) if isinstance(inner, exp.Literal) and inner.args.get("is_string") else None


def own_table(one: Any, work: Work) -> tuple[str, ...]:
    """The names of the table at home that ClickHouse's cluster('c', db.t) reads on all its servers.

    So are those of TABLE(lake.system.table_changes(schema_name => 's', table_name => 't', ...)), of Trino.
    """
    if work.flavour.name in TRINO and isinstance(one, exp.Anonymous) and len(one.expressions) == 1:
        return tuple(work.naming.known(name, quoted=False) for name in _changed(one.expressions[0]))
    if work.flavour.name != "clickhouse" or not isinstance(one, exp.Anonymous) or one.name.upper() not in EVERYWHERE:
        return ()
    return tuple(
        work.naming.known(part.name, quoted=False)
        for given in one.expressions[1:3]
        for part in getattr(given, "parts", [given] if isinstance(given, exp.Literal) and given.is_string else ())
    )


def _changed(called: Any) -> Sequence[str]:
    """Catalogue, schema and name of the table whose changes Trino's table_changes gives."""
    last = called.expression if isinstance(called, exp.Dot) else None
    if not isinstance(last, exp.Anonymous) or last.name.upper() != "TABLE_CHANGES":
        return ()
    named = {one.name.upper(): one.expression for one in last.expressions if isinstance(one, exp.Kwarg)}
    given = [named.get("SCHEMA_NAME"), named.get("TABLE_NAME")] if named else last.expressions[:2]
    before = [part.name for part in called.flatten() if isinstance(part, exp.Identifier)]
    told = [one.name for one in given if isinstance(one, exp.Literal) and one.is_string]
    return (*before[:-1], *told) if len(told) == 2 else ()


def tables_like(one: Any, work: Work) -> list[exp.Table]:
    """The tables that ClickHouse's merge(db, 'pattern') reads, as far as the script has named them before."""
    if work.flavour.name != "clickhouse" or not isinstance(one, exp.Anonymous) or one.name.upper() != "MERGE":
        return []
    *where, last = one.expressions or (None,)
    if not isinstance(last, exp.Literal):
        return []
    try:
        pattern = re.compile(last.name)
    except re.error:
        return []
    schema = where[0].name if where and isinstance(where[0], (exp.Literal, exp.Column)) else work.schemas.first
    known = (parts(entity) for entity in work.dictionary.shapes() if entity not in work.inner_entities)
    shown = ([work.naming.shown(part) for part in names] for names in known)
    return [
        exp.table_(names[-1], db=names[-2] if len(names) > 1 else None, quoted=True)
        for names in shown
        if pattern.search(names[-1]) and (names[-2] if len(names) > 1 else "").lower() == schema.lower()
    ]


def all_of_each(several: Sequence[exp.Table]) -> Any:
    """The rows of several tables together, columns by their names."""
    found: Any = None
    for table in several:
        one = exp.Select(expressions=[exp.Star()], from_=exp.From(this=table))
        found = one if found is None else exp.Union(this=found, expression=one, distinct=False, by_name=True)
    return found


def from_nowhere(one: Any) -> bool:
    """Whether rows come from something that the arguments do not tell: a variable's table, an earlier result."""
    if isinstance(one, (exp.DynamicIdentifier, exp.Parameter, exp.Placeholder)):
        return True
    return (
        isinstance(one, exp.Anonymous)
        and one.name.upper() not in MAKING | COLLECTIONS
        and not any(one.find_all(exp.Column, exp.Subquery, exp.Query, exp.Table))
    )


def query_of(view: Any) -> Any:
    """Snowflake's SEMANTIC_VIEW(v METRICS m DIMENSIONS d WHERE ...) as a query of the view."""
    given = [one for key in ("dimensions", "metrics", "facts") for one in view.args.get(key) or ()]
    asked = [_unqualified(one.copy()) for one in given]
    where = view.args.get("where")
    found = exp.Select(expressions=asked or [exp.Star()], from_=exp.From(this=view.this.copy()))
    if where is not None:
        found.set("where", exp.Where(this=_unqualified(where.copy())))
    return found


def _unqualified(one: Any) -> Any:
    """Names in a semantic view stand behind those of its own tables, which nothing tells here."""
    for column in list(one.find_all(exp.Column)):
        for key in ("table", "db", "catalog"):
            column.set(key, None)
    return one
