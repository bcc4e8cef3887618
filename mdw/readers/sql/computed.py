"""What stands in a FROM and is no entity: arrays taken apart and table functions (rule Q6).

Their columns are functions of the columns around: an element comes from the array.

    FROM s, UNNEST(s.tags) AS t(tag)             TAG is ELEMENT(s.tags); the block reads S alone
    FROM s, LATERAL FLATTEN(s.doc:items) f       f.value is ELEMENT of the field items, f.value:k its field K
    FROM dbo.f(s.k)                              somebody's own: an entity DBO.F, whose columns are made of s.k too
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.name import parts
from mdw.model.query import ALL, ONE_ROW, Read
from mdw.model.tree import Location, Node
from mdw.readers.nodes import attribute, call, field, opaque
from mdw.readers.sql.attaching import FIRST, Joining, attach, columns_of_alias, name_of_alias
from mdw.readers.sql.derived import derived, seeing
from mdw.readers.sql.elsewhere import elsewhere
from mdw.readers.sql.expressions import value, values
from mdw.readers.sql.generators import made_of
from mdw.readers.sql.giving_rows import (
    LONGEST,
    all_of_each,
    collected,
    columns_told,
    defaults_told,
    from_nowhere,
    own_table,
    table_in_text,
    tables_like,
)
from mdw.readers.sql.levels import attributes
from mdw.readers.sql.limits import elements_of
from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.structs import fields_listed, fields_told, made_of_fields
from mdw.readers.sql.tables import entity_named
from mdw.readers.sql.unnamed import called_by_itself
from mdw.readers.sql.zipped import parts_of

FIELDS = {"VALUE": "", "KEY": "KEY", "INDEX": "INDEX", "PATH": "PATH", "SEQ": "SEQ", "THIS": "THIS"}
"""What FLATTEN gives of an array; VALUE is the element."""
OWN_SCHEMAS = ("ML", "AI")
"""Schemas of BigQuery's own functions."""
APART = (exp.Explode, exp.ExplodeOuter, exp.Posexplode, exp.PosexplodeOuter, exp.Inline)
NUMBERED = (exp.Posexplode, exp.PosexplodeOuter)
Column = Callable[[str], Node]


def lateral(one: Any, scope: SelectScope, join: Joining = FIRST) -> None:
    """LATERAL, APPLY, LATERAL VIEW: a subquery that sees its neighbours, or a function of their columns."""
    inner = one.this
    outer = one.args.get("cross_apply") is False or join.word == "LEFT JOIN"
    if isinstance(inner, (exp.Subquery, exp.Query)):
        kind = Joining("LEFT JOIN" if outer else "INNER JOIN", join.on)
        seeing(inner, one.args.get("alias") or inner.args.get("alias"), scope, kind)
    else:
        told = {part.this.name.upper(): part.expression for part in inner.find_all(exp.Kwarg)}
        kept = outer or one.args.get("outer") or isinstance(inner, exp.ExplodeOuter) or told.get("OUTER") == exp.true()
        function(inner, one, scope, replace(join, word="LEFT JOIN") if kept else join)


def elements(join: Any, scope: SelectScope) -> None:
    """ClickHouse's ARRAY JOIN: the elements of arrays, each called as its array or by a name of its own."""
    work = scope.work
    for item in [join.this, *join.expressions]:
        inner = item.this if isinstance(item, exp.Alias) else item
        name = work.naming.part(item.args["alias"] if isinstance(item, exp.Alias) else inner.this)
        scope.merged[name] = call("ELEMENT", [value(inner, scope)], work.place(item))
        if join.side != "LEFT":
            elements_of([scope.merged[name]], scope)


def unnest(one: Any, scope: SelectScope, join: Joining) -> None:
    """UNNEST: the elements of arrays, and with them their numbers."""
    work, at, alias = scope.work, scope.work.place(one), one.args.get("alias")
    given = [call("ELEMENT", [value(array, scope)], at) for array in one.expressions]
    own, offset, told = name_of_alias(alias, work), one.args.get("offset"), columns_of_alias(alias, work)
    if len(given) == 1 and len(told) > 1 and len(side_by_side := parts_of(given[0])) > 1:
        # UNNEST(zip(a, b)) AS t(x, y) is UNNEST(a, b) AS t(x, y).
        given = list(side_by_side)
    columns = told or ((own,) if own else ())
    if told and work.flavour.name == "bigquery":
        # There the name of the element is that of the relation, too.
        own = own or told[0]
    pairs = dict(zip(columns, given, strict=False))
    more = columns[len(given) :]
    # A map gives its keys and its values, rows give their fields; the number stands last.
    pairs.update(dict.fromkeys(more, given[-1]) if given else {})
    if offset is True and more:
        pairs[more[-1]] = call("ORDINAL", (), at)
    if isinstance(offset, exp.Identifier):
        pairs[work.naming.part(offset)] = call("ORDINAL", (), at)

    element = own if work.flavour.name == "bigquery" and own in pairs else ""
    array = one.expressions[0] if work.flavour.name == "bigquery" and one.expressions else None
    parts = {name: call("ARRAY", values(some, scope), at) for name, some in fields_listed(array, work).items()}
    if isinstance(array, exp.ArrayAgg):
        # The rows that an aggregation has put together have the fields of each.
        parts = {name: value(made, scope) for name, made in made_of_fields(array, scope)}
    pairs.update({name: call("ELEMENT", [part], at) for name, part in parts.items()})
    # PostgreSQL gives the fields of an array's rows as columns.
    rows = work.flavour.name == "postgres" and len(given) == 1 and not told and not offset
    told_fields = list(fields_told(given[0].children[1], scope, each=True)) if (element and not parts) or rows else []
    if rows and told_fields:
        pairs.clear()
    pairs.update({name: field(given[0], work.naming.shown(name), at) for name in told_fields})

    def column(name: str) -> Node:
        found = pairs.get(name)
        return found if found is not None else field(given[0], work.naming.shown(name), at)

    # The elements of one array may be structs, whose fields are columns too.
    # Where an alias tells what the elements are called they have no other columns.
    complete = len(given) > 1 or bool(parts or told_fields) or (bool(told) and work.flavour.name != "bigquery")
    _thinned(given, scope, join)
    _attach(own, Shape(pairs, complete=complete), column, scope, join, at)
    scope.relations[-1].element = element


def function(one: Any, holder: Any, scope: SelectScope, join: Joining) -> None:
    """A table function; ``holder`` has its alias."""
    work, at, alias = scope.work, scope.work.place(holder), holder.args.get("alias")
    if arrays := arrays_from(one):
        # ROWS FROM (unnest(a), unnest(b)) is UNNEST(a, b).
        unnest(exp.Unnest(expressions=arrays, alias=alias, offset=bool(holder.args.get("ordinality"))), scope, join)
        return
    inner = collected(one.this if isinstance(one, (exp.TableFromRows, exp.Paren)) else one, work)
    if isinstance(inner, exp.Subquery) and isinstance(inner.this, exp.Query):
        derived(inner, scope, join)
        return
    path, table = table_in_text(inner), own_table(inner, work)
    if path is not None or table:
        entity = entity_named(parts(work.naming.path(path)) if path is not None else table, work)
        work.read[entity] = None
        attach(entity, alias, work.dictionary.known(entity), scope, join, at)
        return
    several = tables_like(inner, work)
    if several:
        work.unknown(f"rows of {inner.sql(dialect=work.flavour.parser)[:LONGEST]}")
        query = all_of_each(several)
        derived(exp.Subquery(this=query, alias=alias), scope, join)
        return
    variable = holder.args.get("db")
    if isinstance(variable, exp.Parameter) and isinstance(inner, exp.Anonymous):
        # @x.nodes('/a') AS n(v): parts of what a variable holds.
        node = call(inner.name.upper(), [value(variable, scope), *values(inner.expressions, scope)], at)
        given, own = columns_of_alias(alias, work), name_of_alias(alias, work)
        _attach(own, Shape(given, complete=bool(given)), lambda _: node, scope, join, at)
        return
    if elsewhere(inner, holder, scope, join) or _made_known(inner, holder, scope, join):
        return
    told = columns_told(inner, work)
    own, columns = name_of_alias(alias, work), columns_of_alias(alias, work) or told
    defaults = defaults_told(inner, work, told).values()
    if not own and work.flavour.alone and (itself := called_by_itself(inner, work.flavour)):
        # FROM generate_series(1, 3): without an alias the function's name is that of the row and of its column.
        own = work.naming.known(itself, quoted=False)
    if from_nowhere(inner):
        work.unknown(f"rows of {inner.sql(dialect=work.flavour.parser)[:LONGEST]}")
    made = made_of(inner, scope)
    if len(columns) in (0, len(made)) and made:
        names = columns or tuple(name for name, _ in made)
        pairs = dict(zip(names, [node for _, node in made], strict=True))
        whole = _columns(made[-1][1], own, scope, at)
        # What EXPLODE gives unnamed is COL, of an array, or KEY and VALUE, of a map: mostly nobody knows which it is.
        sure = bool(columns) or not isinstance(inner, exp.Explode)
        if isinstance(inner, exp.Explode):
            _thinned([made[-1][1]], scope, join)
        _attach(own, Shape(names, complete=sure), lambda name: pairs.get(name) or whole(name), scope, join, at)
        return
    if isinstance(inner, APART):
        column, given = _taken_apart(inner, columns, scope, at)
        element = _element(inner, scope, at)
        _thinned([element], scope, join)
        if isinstance(inner, exp.Inline) and len(columns) == len(side_by_side := parts_of(element)):
            column = dict(zip(columns, side_by_side, strict=True)).__getitem__
    else:
        node = _called(inner, scope, at)
        column, given = _columns(node, own, scope, at), (own,) if own and work.flavour.alone else ()
        if any(defaults):
            column = _or_default(column, dict(zip(columns, defaults, strict=False)), scope, at)
        _thinned([node], scope, join)
    shape = Shape(columns, complete=True) if columns else Shape(given)
    _attach(own, shape, column, scope, join, at)


def _made_known(inner: Any, holder: Any, scope: SelectScope, join: Joining) -> bool:
    """Whether a function is one of somebody's own that gives rows: an entity, whose columns are made of arguments too.

    It is where its name has a schema, or where some statement told its columns.
    """
    work, called = scope.work, inner.expression if isinstance(inner, exp.Dot) else inner
    if isinstance(called, exp.Anonymous) and called.name.upper() == "TABLE" and len(called.expressions) == 1:
        return _made_known(called.expressions[0], holder, scope, join)
    bare = isinstance(called, exp.Column)
    if not isinstance(called, exp.Anonymous) and not bare:
        return False
    # Oracle's TABLE(p.f) calls a function without arguments.
    before = list(called.parts[:-1]) if bare else []
    if inner is not called:
        before += [part for part in inner.flatten() if isinstance(part, exp.Identifier)]
    before += [holder.args[key] for key in ("catalog", "db") if holder.args.get(key)]
    names = [*map(work.naming.part, before), work.naming.known(called.name, quoted=False)]
    # ClickHouse's views with parameters are given them by name: v(x = 1).
    by_name = exp.EQ if work.flavour.name == "clickhouse" else exp.Kwarg
    everything = values([part.expression if isinstance(part, by_name) else part for part in called.expressions], scope)
    if work.flavour.name == "bigquery" and names[0] in OWN_SCHEMAS:
        return False
    known = work.rows_of(".".join(names), everything, work.piece)
    entity = known or entity_named(names, work)
    if not known and (bare or len(names) == 1) and work.dictionary.shape(entity) is None:
        return False
    if (not known and names[-1] == "NODES") or scope.relation(names[:1]) is not None:
        # A method of a column.
        return False
    work.read[entity] = None
    given = [node for node in everything if next(attributes(node), None) is not None]
    outer = isinstance(holder, exp.Lateral) and holder.args.get("cross_apply") is False
    joining = Joining("LEFT JOIN" if outer else join.word, join.on)
    shape, at = work.dictionary.known(entity), work.place(holder)
    attach(entity, holder.args.get("alias"), shape, scope, joining, at, parts(entity))
    relation, written = scope.relations[-1], work.naming.written
    if given:
        # For some arguments it may give no row.
        _thinned([call(work.naming.shown(entity), given, at)], scope, joining)

        renamed = relation.computed
        used = work.used_arguments(".".join(names), work.piece)
        under = dict(zip(columns_of_alias(holder.args.get("alias"), work), shape.columns, strict=False))
        by_place = not any(isinstance(part, by_name) for part in called.expressions)

        def arguments(names: Iterable[str]) -> list[Node]:
            """Those of the function that are in some of its columns; all, where nobody knows."""
            if used is None or not by_place or any(name not in used for name in names):
                return given
            places = frozenset[int]().union(*(used[name] for name in names))
            return [node for place, node in enumerate(everything) if place in places and node in given]

        def column(name: str) -> Node:
            # An alias may call its columns otherwise; one it is not known to have may be a part of any that it has.
            known = shape.has(name) is not False or name == ALL
            names = [name] if known else [one for one in shape.columns if one != ALL]
            own = [attribute(f"{written(relation.label)}.{written(one)}", at) for one in names]
            asked = [under[name]] if name in under else names
            made = [*([renamed(name)] if renamed is not None else own), *arguments(asked)]
            return made[0] if len(made) == 1 else opaque(work.naming.shown(entity), made, at)

        relation.computed = column
    return True


def arrays_from(one: Any) -> list[exp.Expr]:
    """The arrays that ROWS FROM takes apart side by side; none if it does anything else."""
    several = one.args.get("rows_from") or () if isinstance(one, exp.Table) else ()
    some = [part.this if isinstance(part, exp.Table) else part for part in several]
    plain = all(isinstance(part, exp.Unnest) and len(part.expressions) == 1 for part in some)
    return [part.expressions[0] for part in some] if plain else []


def _called(one: Any, scope: SelectScope, at: Location | None) -> Node:
    several = one.args.get("rows_from") if isinstance(one, exp.Table) else None
    if several:
        return call("ROWS", [value(part.this if isinstance(part, exp.Table) else part, scope) for part in several], at)
    return value(one, scope)


def _columns(node: Node, own: str, scope: SelectScope, at: Location | None) -> Column:
    """Any column of a function is part of what it gives; one that is called as the function's alias is all of it."""
    return lambda name: node if name == own else field(node, scope.work.naming.shown(name), at)


def _or_default(
    column: Column, defaults: Mapping[str, Sequence[exp.Expr]], scope: SelectScope, at: Location | None
) -> Column:
    """A column of JSON_TABLE or XMLTABLE, which has another value where the document has none."""

    def given(name: str) -> Node:
        found, more = column(name), defaults.get(name)
        return call("OR_DEFAULT", [found, *values(more, scope)], at) if more else found

    return given


def _taken_apart(
    one: Any, columns: tuple[str, ...], scope: SelectScope, at: Location | None
) -> tuple[Column, tuple[str, ...]]:
    """The columns of EXPLODE and FLATTEN."""
    node = _element(one, scope, at)
    numbered = isinstance(one, NUMBERED)

    def column(name: str) -> Node:
        if name in columns:
            return call("ORDINAL", (), at) if numbered and name == columns[0] else node
        word = FIELDS.get(name)
        if word:
            return call(f"ELEMENT_{word}", node.children[1:], at)
        return node if word == "" else field(node, scope.work.naming.shown(name), at)

    return column, () if isinstance(one, exp.Inline) else tuple(FIELDS)


def _element(one: Any, scope: SelectScope, at: Location | None) -> Node:
    """An element of the array that is taken apart."""
    given = [part for part in (one.this, *(one.expressions or ())) if isinstance(part, exp.Expr)]
    named = {part.this.name.upper(): part.expression for part in given if isinstance(part, exp.Kwarg)}
    arrays = [part for part in given if not isinstance(part, exp.Kwarg)]
    arrays += [named["INPUT"]] if "INPUT" in named else []
    nodes = [value(part, scope) for part in arrays]
    if nodes and isinstance(named.get("PATH"), exp.Literal):
        nodes[0] = field(nodes[0], named["PATH"].this or " ", at)
    return call("ELEMENT", nodes, at)


def _thinned(given: Iterable[Node], scope: SelectScope, join: Joining) -> None:
    """Rows for which what is taken apart has no elements are gone, but for those that a left join keeps."""
    if join.word not in ("LEFT JOIN", "FULL JOIN"):
        elements_of(given, scope)


def _attach(own: str, shape: Shape, column: Column, scope: SelectScope, join: Joining, at: Location | None) -> None:
    scope.relations.append(RowSource(((own,),) if own else (), own or "`computed`", shape, "", column))
    block = scope.block
    assert block is not None
    if not block.reads:
        block.reads.append(Read(ONE_ROW, location=at))
    condition = join.condition()
    if condition is not None and join.word in ("INNER JOIN", "CROSS JOIN"):
        block.where.append(condition)
    elif condition is not None and (asked := list(attributes(condition))):
        # A left join keeps its row: what it asks of elements decides how often, and what stands beside it.
        block.limits.append(call("PARTNERS", asked, at))
